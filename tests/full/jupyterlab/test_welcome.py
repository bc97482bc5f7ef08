"""The welcome lesson as a student meets it: run from the top, a game by clicking, a slider moved."""

import re

import pytest
from browser import expect
from hands import drag_to_the_left_end, knob
from lab import shot_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lesson(desk):
    """Lesson 00 in JupyterLab, run once from the top."""
    desk.forget()
    lesson = desk.open("00_start_here.ipynb")
    lesson.run_all()
    yield lesson
    desk.forget()


def test_no_cell_failed(lesson):
    page = lesson.page
    for trouble in ("[data-mime-type*='stderr']", "[data-mime-type='application/vnd.jupyter.error']"):
        assert page.locator(f".jp-OutputArea-output{trouble}").count() == 0
    assert page.locator(".jp-RenderedText").get_by_text("Traceback").count() == 0


def test_solutions_are_folded_and_nothing_runs_them(lesson):
    folded = lesson.page.locator(".jp-RenderedMarkdown details").filter(has_text="return before - taken")
    assert folded.locator("pre").is_hidden()
    folded.locator("summary").click()
    assert folded.locator("pre").is_visible()
    assert lesson.page.locator(".coin-verdict").get_by_text("✓").count() == 0  # the stubs are unchanged


def test_a_whole_game_by_clicking(lesson):
    board = lesson.page.locator(".coin-lab").first
    board.scroll_into_view_if_needed()
    status = board.get_by_role("status")
    expect(status).to_contain_text("You start.")
    over = re.compile(r"You win!|The computer wins\.")
    for _ in range(7):
        expect(status).to_contain_text(re.compile(rf"Your turn\.|{over.pattern}"))
        if over.search(status.inner_text()):
            break
        board.get_by_role("button", name=re.compile(r"^take 1\b")).click()
        board.get_by_role("button", name="Take 1 coin").click()
        expect(status).not_to_contain_text("Your turn.")  # a busy kernel may still show the turn before
    expect(status).to_contain_text("the last coin. Misère play: the player who takes the last coin loses.")
    words = status.inner_text()
    assert ("You win!" in words) == ("The computer takes the last coin" in words)
    shot_of(board, "welcome-game")


def test_the_slider_by_key_and_by_mouse(lesson):
    cell = lesson.cell("def practise")
    games, picture = knob(cell, "games"), cell.locator("img")
    games.scroll_into_view_if_needed()
    expect(picture).to_have_attribute("title", re.compile("games 0,"))
    before = picture.get_attribute("src")
    games.press("ArrowRight")
    expect(picture).to_have_attribute("title", re.compile("games 10,"))
    assert picture.get_attribute("src") != before
    drag_to_the_left_end(games)
    expect(picture).to_have_attribute("title", re.compile("games 0,"))
    shot_of(cell, "welcome-slider")


def test_an_exercise_wrongly_then_rightly(lesson):
    cell = lesson.cell("my_move = ...")
    keyboard = lesson.page.keyboard
    verdict = cell.locator(".coin-verdict")
    expect(verdict).to_contain_text("○ Not written yet")

    def take(before, number):
        cell.locator(".cm-line", has_text=f"my_move = {before}").click()
        for key in ("End", "Shift+Home"):
            keyboard.press(key)
        keyboard.type(f"my_move = {number}")
        keyboard.press("Control+Enter")

    take("...", 5)
    cell = lesson.cell("my_move = 5")
    verdict = cell.locator(".coin-verdict")
    expect(verdict).to_contain_text("✗ Not yet")
    expect(verdict).to_contain_text("row 0 holds 7 coins; asked to take 5 (legal: 1 to 3)")
    take(5, 3)
    lesson.page.get_by_text("✓ Legal: 3 taken from 7, and 4 coins are left.").wait_for()
