"""The welcome lesson as a student meets it: run from the top, a game by clicking, the slider by key and by mouse."""

import re

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lesson(chromium, lab_server):
    """Lesson 00 in JupyterLab, run once from the top."""
    from lab import Lab

    lab = Lab(lab_server, chromium)
    lesson = lab.open("00_start_here.ipynb")
    lesson.run_all()
    yield lesson
    assert lesson.strangers == []
    assert lesson.errors == []
    lab.forget()


def training(lesson):
    """The first slider lab of the lesson."""
    lab = lesson.cell('TrainingLab(controls=["practised", "seed"])')
    lab.get_by_role("slider").scroll_into_view_if_needed()
    return lab


def after(lab, games):
    """Wait until the lab speaks of so many practice games, and return what it says and draws."""
    lab.get_by_text(f"After {games} practice games", exact=False).wait_for()
    return lab.locator("svg[role='img']").get_attribute("aria-label")


def shot(lesson, cell, name):
    from lab import SHOTS

    SHOTS.mkdir(exist_ok=True)
    lesson.page.wait_for_timeout(300)
    cell.screenshot(path=SHOTS / f"welcome-{name}.png")


def test_no_cell_failed(lesson):
    assert lesson.page.locator(".jp-OutputArea-output[data-mime-type*='stderr']").count() == 0
    assert lesson.page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert lesson.page.locator(".jp-RenderedText").get_by_text("Traceback").count() == 0


def test_a_whole_game_by_clicking(lesson):
    from playwright.sync_api import expect

    board = lesson.page.locator(".coin-board").first
    board.scroll_into_view_if_needed()
    status = board.get_by_role("status")
    expect(status).to_contain_text("You start.")
    over = re.compile(r"You win!|Computer wins\.")
    for _ in range(7):
        expect(status).to_contain_text(re.compile(rf"Your turn\.|{over.pattern}"))
        if over.search(status.inner_text()):
            break
        coin = board.get_by_role("button", name=re.compile(r"^row 0: take 1\b"))
        coin.click()
        board.get_by_role("button", name="Take 1 coin").click()
        expect(status).not_to_contain_text("Your turn.")  # a busy kernel may still show the turn before
    expect(status).to_contain_text("the last coin. Misère play: who takes the last coin loses.")
    said = status.inner_text()
    assert ("You win!" in said) == ("Computer takes the last coin" in said)
    shot(lesson, board, "game")


def test_the_slider_by_key(lesson):
    lab = training(lesson)
    handle = lab.get_by_role("slider")
    before = after(lab, "0")
    handle.focus()
    handle.press("ArrowRight")
    ten = after(lab, "10")
    for games in ("100", "1,000", "10,000", "100,000"):
        handle.press("ArrowRight")
        last = after(lab, games)
    assert len({before, ten, last}) == 3
    assert "50.0% against a perfect player" in last
    shot(lesson, lab, "slider-key")
    for _ in range(5):
        handle.press("ArrowLeft")
    assert after(lab, "0") == before


def test_the_slider_by_mouse(lesson):
    lab = training(lesson)
    handle = lab.get_by_role("slider")
    before = after(lab, "0")
    track, mouse = handle.bounding_box(), lesson.page.mouse
    mouse.move(track["x"] + 8, track["y"] + track["height"] / 2)
    mouse.down()
    mouse.move(track["x"] + track["width"] * 0.6, track["y"] + track["height"] / 2, steps=8)
    mouse.up()
    assert after(lab, "1,000") != before
    shot(lesson, lab, "slider-mouse")
    lab.get_by_label("Seed").fill("7")
    lab.get_by_label("Seed").press("Enter")
    lab.get_by_text("Show the code").click()
    lab.get_by_text("hats = Hats(game, seed=7)").wait_for()
    shot(lesson, lab, "code")


def test_an_exercise_wrongly_then_rightly(lesson):
    cell = lesson.cell("my_move = 5")
    said = cell.locator(".jp-OutputArea")
    said.get_by_text("✗ IllegalMove: row 0 holds 7 coins; asked to take 5 (legal: 1 to 3)").wait_for()
    cell.locator(".cm-line", has_text="my_move = 5").click()
    lesson.page.keyboard.press("End")
    lesson.page.keyboard.press("Shift+Home")
    lesson.page.keyboard.type("my_move = 3")
    lesson.page.keyboard.press("Shift+Enter")
    lesson.page.get_by_text("✓ Legal: 3 taken from 7, and 4 sticks are left.").wait_for()


def test_solutions_are_folded(lesson):
    assert lesson.page.locator(".jp-CodeCell .jp-InputPlaceholder, .jp-CodeCell .jp-Placeholder").count() == 3
    assert lesson.page.get_by_text("return before - taken").count() == 0


# --- a lab that runs: the later lessons' labs stand on this

COUNTING = """
import time
from coincourse.labs import Lab
from coincourse.labs.controls import number

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

Counting()
"""


def test_a_run_hears_the_button_and_the_kernel_menu(chromium, lab_server):
    from lab import Lab

    lab = Lab(lab_server, chromium)
    lesson = lab.write("counting.ipynb", COUNTING)
    lesson.run_all()
    page = lesson.page
    cell = lesson.cell("Counting()")

    def count():
        return int(re.search(r"counted to (\d+)\.", cell.locator(".jp-OutputArea").inner_text()).group(1))

    def stands_still_soon():
        cell.get_by_role("button", name="Run", exact=True).wait_for(timeout=5_000)
        before = count()
        page.wait_for_timeout(600)
        assert count() == before
        return before

    cell.get_by_role("button", name="One step").click()
    cell.get_by_text("counted to 1.").wait_for()
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_role("button", name="Stop").wait_for()
    page.wait_for_timeout(800)
    assert count() > 10
    cell.get_by_role("button", name="Stop").click()
    stopped = stands_still_soon()
    cell.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_timeout(800)
    lesson.menu("Kernel", "Interrupt Kernel")
    assert stands_still_soon() > stopped
    shot(lesson, cell, "running")
    cell.get_by_role("button", name="Start again").click()
    cell.get_by_text("counted to 0.").wait_for()
    cell.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    cell.get_by_text("counted to 1.").wait_for()
    assert lesson.errors == []
    lab.forget()
