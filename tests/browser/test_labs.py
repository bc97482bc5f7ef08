"""Hats, Q-learning, the proof and a lab of one's own in JupyterLab, by mouse and by keyboard; the pictures are to be looked at."""

import re

import pytest
from lab import dark_and_narrow, drag_to_the_left_end, expect, in_lab, knob, press, says, shot_of, status

from coincourse.labs.q_lab import LAST_STEP

pytestmark = pytest.mark.browser

SETUP = """
import time
import ipywidgets as widgets
from coincourse.labs import HatsLab, ProofLab, QLab
from coincourse.labs import Lab
from coincourse.labs.controls import field, menu, number, share, text, tick
from coincourse.labs.lab import Button, Row, acts

class Count:
    notice, left = "", 10_000

    def __init__(self, start, steps):
        self.start, self.steps = start, steps

    def step(self, steps):
        self.steps += steps
        time.sleep(0.01 * steps)

class Counting(Lab):
    title = "Counting"
    start = number("Start", "Where it begins.", 0, 100, 0)
    PAST = {"steps": 0}
    compute = Count

    @staticmethod
    def draw(data, start, steps):
        return f"<p>counted to {start + steps}.</p>"

    @staticmethod
    def code(start, steps):
        return f"data = [{start + steps}]"

class Told:
    notice = ""
    def __init__(self, told, **settings):
        self.told = tuple(told)

class Everything(Lab):
    title, goal = "Everything", "For a test."
    side = menu("Side", "Left or right.", [("left side", "L"), ("right side", "R")], "L", keeps=True)
    part = share("Part", "How much.", 0.5)
    loud = tick("Loud", "In capitals.", keeps=True)
    name = text("Name", "Anything.", "ada")
    PAST, BELOW, compute = {"told": ()}, ("name",), Told

    @staticmethod
    def draw(data, told, name, **settings):
        return f'''<p role="status">{name}: {"; ".join(told)} {data.notice}</p>
        <svg data-group="cells" width="320" height="100" role="img"><g data-to="a" data-x="0" data-y="0" aria-label="cell a">
        <rect width="60" height="40" fill="#ddd"/></g><g data-to="b" data-x="2" data-y="0" data-ask="" aria-label="field b">
        <rect class="face" x="70" width="60" height="40" fill="none"/></g><g data-to="c" data-x="1" data-y="1" data-ask=""
        aria-label="field c"{"" if "b typed 7" not in told else " data-now"}><rect class="face" x="140" width="60" height="40" fill="none"/></g></svg>
        <p><button data-to="left" data-key="l">L</button>{'<i data-to="late" data-after="50"></i>' if told and told[-1] == "a" else ""}</p>'''

    @staticmethod
    def code(told, **settings):
        return f"data = {told!r}"

    def rows(self):
        put = Button("Put in", "Puts balls in.", self.put, key="?")
        fields = {"hat": field("Hat", "Which.", 1, 30, 4), "balls": field("Balls", "How many.", 1, 99, 10)}
        return {"meddle": Row([put], "Meddle", "By hand.", fields), "no": Row([Button("No", "Cannot be.", self.no)])}

    @acts
    def put(self, hat, balls):
        self.data.told += (f"hat {hat} balls {balls}",)

    @acts
    def no(self):
        raise ValueError("That cannot be.")

    @acts
    def clicked(self, to):
        self.data.told += (to,)

    @acts
    def typed(self, to, words):
        self.data.told += (f"{to} typed {words}",)

slider = widgets.IntSlider(value=4, min=0, max=9, description="sticks")
said = widgets.HTML("nothing yet")
slider.observe(lambda change: setattr(said, "value", f"now {change['new']} sticks"), "value")
"""
LABS = {
    "q": "QLab()",
    "hats": "HatsLab()",
    "meddle": "HatsLab(sticks=6, reveal=True)",
    "long": "HatsLab(sticks=30, max_take=5, history=[('train', 1_000, 'twin', 'alternate')], reveal=True)",
    "proof": "ProofLab()",
    "counting": "Counting()",
    "everything": "Everything()",
    "slider": "widgets.VBox([slider, said])",
}


def shot(cell, name):
    """A picture of one lab alone."""
    shot_of(cell, f"lab-{name}")


def balls(cell):
    """The numbers in the table of the hats."""
    return cell.locator("table", has_text="Balls in each hat").locator("tbody").inner_text()


@in_lab("q")
def test_a_slider_by_key_and_by_mouse_and_the_picture_follows(cell):
    page = cell.page
    says(cell, "After 50 games")
    table = cell.get_by_role("table", name="The Q-table", exact=True)
    line = cell.locator("polyline")
    before = (table.inner_text(), line.get_attribute("points"))
    shot(cell, "q-start")
    knob(cell, "Games").focus()
    page.keyboard.press("ArrowRight")
    says(cell, "After 100 games")
    assert (table.inner_text(), line.get_attribute("points")) != before
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    says(cell, "After 300 games")
    says(cell, "right in 7 of 7 winning states")

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
    press(cell, "Start again")
    says(cell, "Before the first game")
    press(cell, "One game")
    says(cell, "After 1 game against")
    expect(cell.get_by_text("What the last game changed")).to_be_visible()
    shot(cell, "q-one-game")
    row = cell.locator("tr.n10").last
    row.hover()
    assert row.evaluate("row => getComputedStyle(row).backgroundColor") == "rgba(86, 180, 233, 0.35)"
    press(cell, "Run")
    expect(status(cell)).to_contain_text(re.compile(r"After [\d,]{5,} games"))
    stop(cell)
    done = int(re.search(r"After ([\d,]+) games", status(cell).inner_text())[1].replace(",", ""))
    assert done < LAST_STEP
    press(cell, "One game")
    says(cell, f"After {done + 1:,} games")  # and none came between
    shot(cell, "q-run")
    cell.get_by_text("Show the code", exact=True).click()
    expect(cell.get_by_label("The code of this lab")).to_contain_text("run = train(learner, RandomAgent(seed=2)")


def stop(cell):
    """Click on Stop, and wait until nothing runs any more."""
    press(cell, "Stop")
    cell.get_by_role("button", name="Run", exact=True).wait_for()


@in_lab("hats")
def test_a_game_by_clicking_then_training_then_stop(cell):
    shot(cell, "hats-start")
    press(cell, "Take 3")
    says(cell, "The computer draws a 2 from hat 7, lays it beside, and takes 2")
    expect(cell.get_by_text("beside", exact=True).first).to_be_visible()
    expect(cell.get_by_text("hat 5 ◀ now")).to_be_visible()
    shot(cell, "hats-beside")
    press(cell, "Take 1")
    says(cell, "1 stick left")
    expect(cell.get_by_role("button", name="Take 2", exact=True)).to_be_disabled()
    press(cell, "Take 1")
    says(cell, "the 2 goes back to hat 7 with one more 2")
    assert "7\t1\t2\t1" in balls(cell)
    shot(cell, "hats-settled")

    before = balls(cell)
    press(cell, "1,000 games")
    expect(cell.get_by_text("1,001 games")).to_be_visible()
    assert balls(cell) != before
    shot(cell, "hats-trained")

    press(cell, "Run")
    expect(cell.get_by_text(re.compile(r"learnt from \d{2,3},\d{3} games"))).to_be_visible(timeout=20_000)
    stop(cell)
    assert games(cell) < 1_000_000
    expect(cell.get_by_role("button", name="Take 1", exact=True)).to_be_enabled()
    press(cell, "One move")
    says(cell, "lays it beside")
    shot(cell, "hats-watched")


def games(cell):
    return int(re.search(r"learnt from ([\d,]+) game", cell.inner_text()).group(1).replace(",", ""))


@in_lab("meddle")
def test_balls_put_in_by_hand_and_linked_highlighting(cell):
    cell.get_by_label("How many").fill("500")
    cell.get_by_label("How many").press("Enter")
    cell.get_by_label("Hat", exact=True).fill("5")
    cell.get_by_label("Hat", exact=True).press("Enter")
    press(cell, "Put in")
    says(cell, "By hand: hat 5 now holds 500 of ball 3.")
    press(cell, "Take 1")
    says(cell, "draws a 3 from hat 5")
    cell.locator("tr.n4").hover()
    lit = cell.locator("g.n4 .spot")
    assert lit.count() == 2  # the stick and the hat
    for spot in lit.all():
        assert spot.evaluate("spot => getComputedStyle(spot).fill") == "rgba(86, 180, 233, 0.35)"
    assert cell.locator("g.n3 .spot").first.evaluate("spot => getComputedStyle(spot).fill") == "rgba(0, 0, 0, 0)"
    shot(cell, "hats-linked")


@in_lab("proof")
def test_the_pattern_and_the_proof_follow_the_sliders(cell):
    page = cell.page
    says(cell, "Normal play: 20 sticks are lost")
    sticks, most = (knob(cell, name) for name in ("Sticks", "Take at most"))
    sticks.focus()
    page.keyboard.press("ArrowRight")
    says(cell, "Normal play: 21 sticks are won for whoever has to move: take 1")
    expect(cell.get_by_text("21 = 5 · 4 + 1: the remainder is 1.")).to_be_visible()
    cell.get_by_role("combobox").select_option("misère play: last stick loses")
    says(cell, "Misère play: 21 sticks are lost", "Lost up to here: 1, 5, 9, 13, 17 and 21")
    most.focus()
    page.keyboard.press("ArrowRight")
    says(cell, "Lost up to here: 1, 6, 11, 16 and 21")
    shot(cell, "proof-moved")
    row = cell.get_by_role("region", name="The Grundy row").locator("td.n16").first
    plain = edge(row)
    cell.get_by_label("16: lost").focus()
    assert edge(row) != plain
    shot(cell, "proof-linked")


def edge(cell):
    return cell.evaluate("cell => getComputedStyle(cell).outlineColor")


@in_lab("counting")
def test_a_run_hears_the_button_and_the_kernel_menu(cell, labs):
    def count_goes_on_from(least):
        """The count, once it is larger and stands still."""
        cell.get_by_role("button", name="Run", exact=True).wait_for()
        count = int(re.search(r"counted to (\d+)\.", cell.inner_text())[1])
        assert count > least
        press(cell, "One step")
        cell.get_by_text(f"counted to {count + 1}.").wait_for()  # and none came between
        return count + 1

    stopped = count_goes_on_from(-1)
    for stop_it in (lambda: press(cell, "Stop"), lambda: labs.lesson.menu("Kernel", "Interrupt Kernel")):
        press(cell, "Run")
        expect(cell.get_by_text(f"counted to {stopped}.")).to_have_count(0)
        stop_it()
        stopped = count_goes_on_from(stopped)
    press(cell, "Start again")
    cell.get_by_text("counted to 0.").wait_for()
    cell.get_by_role("slider").focus()
    cell.page.keyboard.press("ArrowRight")
    cell.get_by_text("counted to 1.").wait_for()


@in_lab("everything")
def test_all_that_a_lab_can_ask_of_its_front_end(cell):
    page, status_line = cell.page, cell.get_by_role("status")

    def said(words):
        expect(status_line).to_have_text(words)

    said("ada:")
    cell.get_by_label("Hat").fill("7")
    cell.get_by_role("button", name="Put in").click()
    said("ada: hat 7 balls 10")
    cell.get_by_role("button", name="No").click()
    said("ada: hat 7 balls 10 That cannot be.")
    expect(cell.get_by_label("Hat")).to_have_value("7")
    cell.get_by_label("Side").select_option("right side")  # keeps what has happened
    cell.get_by_label("Loud").check()
    said("ada: hat 7 balls 10")
    cell.get_by_label("Name").fill("eve")
    cell.get_by_label("Name").press("Enter")
    said("eve:")

    page.mouse.move(0, 0)
    cell.get_by_role("button", name="cell a").focus()
    page.keyboard.press("Enter")
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
    shot(cell, "everything")
    cell.get_by_label("Part").press("End")
    said("eve:")
    expect(cell.get_by_label("Part")).to_have_attribute("aria-valuetext", "1.00")


@in_lab("slider")
def test_a_slider_of_ones_own(cell):
    cell.locator(".noUi-handle").focus()
    cell.page.keyboard.press("ArrowRight")
    cell.get_by_text("now 5 sticks").wait_for()


def test_dark_theme_and_a_narrow_page(labs):
    shot(labs.output("long"), "hats-long")
    dark_and_narrow(labs, "lab", ["long", "q"], ["long", "q"], ".coin-lab, .coin-lab p:visible, .coin-lab .side")
