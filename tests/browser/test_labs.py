"""The labs of hats and Q-learning in JupyterLab, by mouse and by keyboard; the pictures are to be looked at."""

import re

import pytest
from lab import drag_to_the_left_end, knob, shot_of

from coincourse.labs import QLab

pytestmark = pytest.mark.browser

SETUP = "from coincourse.labs import HatsLab, QLab"
LABS = {
    "q": "QLab()",
    "hats": "HatsLab()",
    "meddle": "HatsLab(sticks=6, reveal=True)",
    "long": "HatsLab(sticks=30, max_take=5, history=[('train', 1_000, 'twin', 'alternate')], reveal=True)",
}


def in_lab(name):
    return pytest.mark.parametrize("cell", [name], indirect=True)


def press(cell, name):
    cell.get_by_role("button", name=name, exact=True).click()


def status(cell):
    return cell.get_by_role("status").first


def shot(cell, name):
    """A picture of one lab alone."""
    shot_of(cell, f"lab-{name}", wait=600)


def balls(cell):
    """The numbers in the table of the hats."""
    return cell.locator("table", has_text="Balls in each hat").locator("tbody").inner_text()


@in_lab("q")
def test_a_slider_by_key_and_by_mouse_and_the_picture_follows(cell):
    from playwright.sync_api import expect

    page = cell.page
    expect(status(cell)).to_contain_text("After 50 games")
    table = cell.get_by_role("table", name="The Q-table", exact=True)
    line = cell.locator("polyline")
    before = (table.inner_text(), line.get_attribute("points"))
    shot(cell, "q-start")
    knob(cell, "Games").focus()
    page.keyboard.press("ArrowRight")
    expect(status(cell)).to_contain_text("After 100 games")
    assert (table.inner_text(), line.get_attribute("points")) != before
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(status(cell)).to_contain_text("After 300 games")
    expect(status(cell)).to_contain_text("right in 7 of 7 winning states")

    rate, before = knob(cell, "Learning rate"), table.inner_text()
    drag_to_the_left_end(rate)
    expect(cell.get_by_text("a learning rate of 0 moves no value")).to_be_visible()
    assert table.inner_text() != before
    shot(cell, "q-odd")
    rate.focus()
    page.keyboard.press("ArrowRight")
    expect(cell.get_by_text("a learning rate of 0 moves no value")).to_have_count(0)


@in_lab("q")
def test_one_game_run_stop_and_the_code(cell):
    from playwright.sync_api import expect

    press(cell, "Start again")
    expect(status(cell)).to_contain_text("Before the first game")
    press(cell, "One game")
    expect(status(cell)).to_contain_text("After 1 game against")
    expect(cell.get_by_text("What the last game changed")).to_be_visible()
    shot(cell, "q-one-game")
    row = cell.locator("tr.n10").last
    row.hover()
    assert row.evaluate("row => getComputedStyle(row).backgroundColor") == "rgba(86, 180, 233, 0.35)"
    press(cell, "Run")
    expect(status(cell)).to_contain_text(re.compile(r"After [\d,]{5,} games"), timeout=20_000)
    assert stop_takes(cell) < 5  # how short the chunks of work are is measured in test_training_lab.py
    assert int(re.search(r"After ([\d,]+) games", status(cell).inner_text())[1].replace(",", "")) < QLab.last_step
    shot(cell, "q-run")
    press(cell, "Show the code")
    expect(cell.get_by_label("The code of this lab")).to_contain_text("run = train(learner, RandomAgent(seed=2)")


def stop_takes(cell):
    """Seconds from the click on Stop until nothing runs any more."""
    stop = cell.get_by_role("button", name="Stop", exact=True)
    stop.wait_for()
    seconds = stop.evaluate(
        """button => new Promise(done => {
            const began = performance.now();
            new MutationObserver(() => {
                if (button.textContent.trim() === "Run") done((performance.now() - began) / 1000);
            }).observe(button, {childList: true, characterData: true, subtree: true});
            button.click();
        })"""
    )
    before = status(cell).inner_text()
    cell.page.wait_for_timeout(400)
    assert status(cell).inner_text() == before  # and it stands still
    return seconds


@in_lab("hats")
def test_a_game_by_clicking_then_training_then_stop(cell):
    from playwright.sync_api import expect

    shot(cell, "hats-start")
    press(cell, "Take 3")
    expect(status(cell)).to_contain_text("The computer draws a 2 from hat 7, lays it beside, and takes 2")
    expect(cell.get_by_text("beside", exact=True).first).to_be_visible()
    expect(cell.get_by_text("hat 5 ◀ now")).to_be_visible()
    shot(cell, "hats-beside")
    press(cell, "Take 1")
    expect(status(cell)).to_contain_text("1 stick left")
    expect(cell.get_by_role("button", name="Take 2", exact=True)).to_be_disabled()
    press(cell, "Take 1")
    expect(status(cell)).to_contain_text("the 2 goes back to hat 7 with one more 2")
    assert "7\t1\t2\t1" in balls(cell)
    shot(cell, "hats-settled")

    before = balls(cell)
    press(cell, "1,000 games")
    expect(cell.get_by_text("1,001 games")).to_be_visible()
    assert balls(cell) != before
    shot(cell, "hats-trained")

    press(cell, "Run")
    expect(cell.get_by_text(re.compile(r"learnt from \d{2,3},\d{3} games"))).to_be_visible(timeout=20_000)
    assert stop_takes(cell) < 5
    assert games(cell) < 1_000_000
    expect(cell.get_by_role("button", name="Take 1", exact=True)).to_be_enabled()
    press(cell, "One move")
    expect(status(cell)).to_contain_text("lays it beside")
    shot(cell, "hats-watched")


def games(cell):
    return int(re.search(r"learnt from ([\d,]+) game", cell.inner_text()).group(1).replace(",", ""))


@in_lab("meddle")
def test_balls_put_in_by_hand_and_linked_highlighting(cell):
    from playwright.sync_api import expect

    cell.get_by_label("How many").fill("500")
    cell.get_by_label("How many").press("Enter")
    cell.get_by_label("Hat", exact=True).fill("5")
    cell.get_by_label("Hat", exact=True).press("Enter")
    press(cell, "Put in")
    expect(status(cell)).to_contain_text("By hand: hat 5 now holds 500 of ball 3.")
    press(cell, "Take 1")
    expect(status(cell)).to_contain_text("draws a 3 from hat 5")
    cell.locator("tr.n4").hover()
    lit = cell.locator("g.n4 .spot")
    assert lit.count() == 2  # the stick and the hat
    for spot in lit.all():
        assert spot.evaluate("spot => getComputedStyle(spot).fill") == "rgba(86, 180, 233, 0.35)"
    assert cell.locator("g.n3 .spot").first.evaluate("spot => getComputedStyle(spot).fill") == "rgba(0, 0, 0, 0)"
    shot(cell, "hats-linked")


@in_lab("long")
def test_dark_theme_and_a_narrow_page(cell, labs):
    lesson = labs.lesson
    shot(cell, "hats-long")
    with lesson.dark():
        shot(cell, "hats-dark")
        shot(labs.output("q"), "q-dark")
    width = lesson.narrow(height=1300)
    for shown, name in ((cell, "hats-narrow"), (labs.output("q"), "q-narrow")):
        shown.scroll_into_view_if_needed()
        shot(shown, name)
        for part in shown.locator(".coin-lab, .coin-lab p:visible, .coin-lab .side").all():
            box = part.bounding_box()
            assert box["x"] + box["width"] <= width
