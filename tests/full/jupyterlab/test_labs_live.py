"""Hats, Q-learning, the proof and a custom lab in JupyterLab, by mouse and keyboard; look at the pictures too."""

import re

import pytest
from browser import expect, too_wide
from hands import drag_to_the_left_end, in_lab, knob, press, says, status
from lab import shot_of

pytestmark = pytest.mark.browser

LIT = "rgba(86, 180, 233, 0.35)"


def number_in(words, cell):
    """The number in a lab's words, such as ``"After {} games"``; waits for it."""
    found = re.compile(words.format(r"([\d,]+)"))
    expect(cell).to_contain_text(found)
    return int(found.search(cell.inner_text())[1].replace(",", ""))


def stop(cell):
    """Press Stop, and wait until nothing runs any more."""
    press(cell, "Stop")
    cell.get_by_role("button", name="Run", exact=True).wait_for()


def look_of(part, what):
    return part.evaluate("(part, what) => getComputedStyle(part)[what]", what)


@in_lab("q")
def test_a_slider_by_key_and_by_mouse_and_the_picture_follows(cell):
    table, line = cell.get_by_role("table", name="The Q-table", exact=True), cell.locator("polyline")
    says(cell, "After 50 games")
    before = (table.inner_text(), line.get_attribute("points"))
    knob(cell, "Games").press("ArrowRight")
    says(cell, "After 100 games")
    assert (table.inner_text(), line.get_attribute("points")) != before
    for _ in range(2):
        knob(cell, "Games").press("ArrowRight")
    says(cell, "After 300 games", "right in 7 of 7 winning states")
    rate, before = knob(cell, "Learning rate"), table.inner_text()
    drag_to_the_left_end(rate)
    expect(cell.get_by_text("a learning rate of 0 moves no value")).to_be_visible()
    task = cell.get_by_role("listitem")
    expect(task).to_have_text("✓ Let it learn nothing.")
    assert table.inner_text() != before
    shot_of(cell, "q-odd")
    rate.press("ArrowRight")
    expect(cell.get_by_text("a learning rate of 0 moves no value")).to_have_count(0)
    expect(task).to_have_text("✓ Let it learn nothing.")  # what was done stays so
    controls, found = cell.locator(".controls").first.bounding_box(), cell.locator(".found").bounding_box()
    assert controls["x"] + controls["width"] <= found["x"] and abs(controls["y"] - found["y"]) < 20  # side by side


# Stops a run as soon as ten games are played, however late the test hears of it; keeps what was said until then.
STOP_IN_TIME = """cell => {
    const told = [];
    new MutationObserver((_, observer) => {
        const words = cell.querySelector("[role=status]")?.textContent ?? "";
        told.push(words);
        if (!/After [1-9]\\d+ games/.test(words)) return;
        observer.disconnect();
        [...cell.querySelectorAll("button")].find(button => button.textContent.trim() === "Stop").click();
        window.told = told;
    }).observe(cell, { subtree: true, childList: true, characterData: true });
}"""


@in_lab("q")
def test_one_game_run_stop_and_the_code(cell):
    press(cell, "Start again")
    says(cell, "Before the first game")
    press(cell, "One game")
    says(cell, "After 1 game against")
    row = cell.locator("tr.n10").first
    row.hover()
    assert look_of(row, "backgroundColor") == LIT
    knob(cell, "Games").press("End")
    says(cell, "After 10,000 games")
    press(cell, "Run")
    expect(status(cell)).to_contain_text(re.compile(r"After 1?\d games? "))  # slowly enough to see it learn
    expect(status(cell)).to_contain_text(re.compile(r"After [\d,]{2,} games"))
    stop(cell)
    done = number_in("After {} games", status(cell))
    assert done < 10_000
    press(cell, "One game")
    says(cell, f"After {done + 1:,} games")  # and none came between
    cell.get_by_text("Show the code", exact=True).press("Enter")
    expect(cell.get_by_label("The code of this lab")).to_contain_text("run = train(learner, RandomAgent(seed=2)")
    shot_of(cell, "q-run")


@in_lab("hats")
def test_a_game_then_training_then_stop(cell):
    balls = cell.get_by_role("table", name="Balls in each hat").locator("tbody")
    cell.locator(".coin.n9").click()  # marks two sticks
    expect(cell.locator(".picked")).to_have_text("9")
    cell.locator(".coin.n8").click()
    expect(cell.locator(".picked")).to_have_text("8")
    shot_of(cell, "hats-marked")
    cell.locator(".coin.n8").click()  # takes three
    says(cell, "The computer draws a 2 from hat 7, lays it beside, and takes 2")
    expect(cell.get_by_text("beside", exact=True).first).to_be_visible()
    expect(cell.get_by_text("hat 5 ◀ now")).to_be_visible()
    shot_of(cell, "hats-beside")
    press(cell, "Take 1")
    says(cell, "1 stick left")
    expect(cell.get_by_role("button", name="Take 2", exact=True)).to_be_disabled()
    press(cell, "Take 1")
    says(cell, "the 2 goes back to hat 7 with one more 2")
    expect(balls.locator("tr.n7").locator("td").nth(1)).to_have_text("2")
    press(cell, "1,000 games")
    expect(cell.get_by_text("1,001 games")).to_be_visible()
    shot_of(cell, "hats-trained")
    press(cell, "Run")
    expect(cell.get_by_text(re.compile(r"learnt from (?!1,001)\d+,\d{3} games"))).to_be_visible()
    stop(cell)
    assert number_in("learnt from {} games", cell) < 1_000_000
    press(cell, "One move")
    says(cell, "lays it beside")
    cell.get_by_text("Show the code", exact=True).press("Enter")
    expect(cell.get_by_label("The code of this lab")).to_be_visible()


PLACES = """cell => [...cell.querySelectorAll("button, input, select, svg")].map(part => {
    const { left, top } = part.getBoundingClientRect();
    return [left, top];
})"""


@in_lab("meddle")
def test_a_number_that_is_impossible_is_refused_where_it_was_typed_and_nothing_moves(cell):
    hat, ball, many, seed = (cell.get_by_label(label, exact=True) for label in ("Hat", "Ball", "How many", "Seed"))
    button = cell.get_by_role("button", name="Set", exact=True)
    refused = cell.get_by_role("alert")
    before = cell.evaluate(PLACES)
    hat.fill("25")
    many.click()  # and then one field after the other
    ball.fill("1")
    many.fill("3")
    expect(refused).to_have_text("Value must be less than or equal to 6.")
    assert cell.evaluate(PLACES) == before
    place, notice = hat.bounding_box(), refused.bounding_box()
    assert 0 <= notice["y"] - (place["y"] + place["height"]) < 20 and abs(notice["x"] - place["x"]) < 60
    shot_of(cell, "hats-refused")
    button.click()  # sets nothing in any other hat
    expect(hat).to_be_focused()
    expect(hat).to_have_value("25")
    expect(cell.get_by_text("By hand:")).to_have_count(0)
    cell.page.keyboard.type("5")
    button.click()  # once
    says(cell, "By hand: hat 5 now holds 3 of ball 1.")
    expect(refused).to_have_count(0)
    many.fill("0")
    many.press("Enter")  # which presses the button
    expect(refused).to_have_text("Value must be greater than or equal to 1.")
    many.fill("4")
    many.press("Enter")
    says(cell, "By hand: hat 5 now holds 4 of ball 1.")
    expect(many).to_be_focused()

    before = cell.evaluate(PLACES)
    for wrong in ("", "99999"):
        seed.fill(wrong)
        seed.press("Enter")
        expect(refused).to_contain_text("It is 1 again.")
        expect(seed).to_have_value("1")
        assert cell.evaluate(PLACES) == before
    button.click()
    expect(refused).to_have_count(0)


@in_lab("meddle")
def test_balls_put_in_by_hand_and_linked_highlighting(cell):
    press(cell, "Start again")
    for label, value in {"How many": "500", "Hat": "5", "Ball": "3"}.items():
        cell.get_by_label(label, exact=True).fill(value)
    press(cell, "Set")
    says(cell, "By hand: hat 5 now holds 500 of ball 3.")
    press(cell, "Take 1")
    says(cell, "draws a 3 from hat 5")
    cell.locator("tr.n4").hover()
    assert look_of(cell.locator("g.n4 .spot"), "fill") == LIT  # the hat, and the stick
    assert look_of(cell.locator("span.n4"), "outline-color") != "rgba(0, 0, 0, 0)"
    assert look_of(cell.locator("span.n3"), "outline-color") == "rgba(0, 0, 0, 0)"
    assert look_of(cell.locator("g.n3 .spot").first, "fill") == "rgba(0, 0, 0, 0)"
    shot_of(cell, "hats-linked")


@in_lab("proof")
def test_the_pattern_and_the_proof_follow_the_sliders(cell):
    says(cell, "Normal play: 20 is a losing count")
    knob(cell, "Sticks").press("ArrowRight")
    says(cell, "Normal play: 21 is a winning count for the player to move: take 1")
    expect(cell.get_by_text("21 = 5 · 4 + 1: the remainder is 1.")).to_be_visible()
    cell.get_by_role("combobox", name="Ending").press("m")  # the notebook has a shortcut for this letter
    says(cell, "Misère play: 21 is a losing count", "Losing up to here: 1, 5, 9, 13, 17 and 21")
    knob(cell, "Take at most").press("ArrowRight")
    says(cell, "Losing up to here: 1, 6, 11, 16 and 21")
    step = cell.locator(".wide .n17").first  # 17 in the step of the proof for 21
    plain = look_of(step, "backgroundColor")
    cell.get_by_label("17: take 1").focus()
    assert look_of(step, "backgroundColor") != plain
    shot_of(cell, "proof-linked")


@in_lab("counting")
def test_a_run_hears_the_button_and_the_kernel_menu(cell, labs):
    stopped = 0
    for stop_it in (lambda: press(cell, "Stop"), lambda: labs.lesson.menu("Kernel", "Interrupt Kernel")):
        press(cell, "Run")
        expect(cell.get_by_text(f"counted to {stopped}.")).to_have_count(0)
        stop_it()
        cell.get_by_role("button", name="Run", exact=True).wait_for()
        stopped = number_in(r"counted to {}\.", cell) + 1
        press(cell, "One step")
        cell.get_by_text(f"counted to {stopped}.").wait_for()  # and none came between
    press(cell, "Start again")
    cell.get_by_text("counted to 0.").wait_for()
    cell.get_by_role("slider").press("ArrowRight")
    cell.get_by_text("counted to 1.").wait_for()


@in_lab("everything")
def test_all_that_a_lab_can_ask_of_its_front_end(cell):
    page = cell.page

    def said(words):
        expect(status(cell)).to_have_text(words)

    said("ada:")
    cell.get_by_label("Hat").fill("7")
    press(cell, "Put in")
    said("ada: hat 7 balls 10")
    press(cell, "No")
    said("ada: hat 7 balls 10 That cannot be.")
    expect(cell.get_by_label("Hat")).to_have_value("7")
    cell.get_by_label("Side").select_option("right side")  # keeps what has happened
    cell.get_by_label("Loud").check()
    said("ada: hat 7 balls 10")
    cell.get_by_label("Name").fill("eve")
    cell.get_by_label("Name").press("Enter")
    said("eve:")

    page.mouse.move(0, 0)
    press(cell, "cell a")
    said("eve: a; late")  # the second came by itself
    page.keyboard.press("l")
    said("eve: a; late; left")
    page.keyboard.press("ArrowRight")
    expect(cell.get_by_label("field b")).to_be_focused()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    said("eve: a; late; left; b typed 7")
    expect(cell.get_by_label("field c")).to_be_focused()  # where Python says
    page.keyboard.press("?")
    said("eve: a; late; left; b typed 7; hat 7 balls 10")
    page.keyboard.press("ArrowDown")
    expect(cell.get_by_role("button", name="cell a")).to_be_focused()
    shot_of(cell, "everything")
    cell.get_by_label("Part").press("End")
    said("eve:")
    expect(cell.get_by_label("Part")).to_have_attribute("aria-valuetext", "1.00")


NARROW = ["keyboard", "full", "q", "proof", "piles", "game", "look", "fill", "large"]


def test_a_narrow_page(labs):
    for name in ("full", "large"):
        shot_of(labs.output(name), name)
    with labs.lesson.narrow():
        for name in NARROW:
            cell = labs.output(name)
            cell.scroll_into_view_if_needed()
            shot_of(cell, f"{name}-narrow")
            assert too_wide(cell) == []
        for button in labs.output("keyboard").locator("button").all():  # large enough for a finger
            assert min(button.bounding_box()["width"], button.bounding_box()["height"]) >= 24
