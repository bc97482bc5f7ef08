"""What texts of lessons ask for can be done in the book: games on boards, and tasks with a lab whose answer is known."""

import json
import re

import nbformat
import numpy as np
import pytest
from lab import NOTEBOOKS, expect, troubles_of

from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.book.living import again
from coinlib import solve

pytestmark = pytest.mark.browser

FAST = "const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms / 20)"  # shorter pauses
ALIVE = "[...document.querySelectorAll('.living')].every(place => !place.querySelector(':scope > script'))"


@pytest.fixture(scope="module")
def lesson(chromium, built_book):
    """Goes to a lesson of the book in its folder, by its number; all that can live on the page lives."""
    files = {path.stem[:2]: path for path in (built_book.folder / "notebooks").glob("[01]*.html")}
    page = chromium.new_page()
    troubles = troubles_of(page, "file:", "blob:")
    page.add_init_script(FAST)
    page.set_viewport_size({"width": 1280, "height": 900})

    def show(number: str):
        address = files[number].as_uri()
        if page.url != address:
            page.goto(address)
            page.wait_for_function(ALIVE)
        return page

    yield show
    page.evaluate("localStorage.clear()")
    page.close()
    assert troubles == []


# --- games on boards

WON, LOST = "You win", "Computer wins"
NORMAL, YOU, COMPUTER = {"ending": "normal"}, {"you_start": True}, {"you_start": False}
# the lesson, which of its boards that live, what is chosen in its menus, and how best play ends
GAMES = [
    *[("00", 0, {}, WON), ("00", 1, {}, WON), ("00", 2, {}, WON), ("00", 2, COMPUTER, WON)],
    *[("01", 0, {}, LOST), ("01", 0, YOU, WON), ("01", 1, COMPUTER, WON), ("01", 1, NORMAL | YOU, WON)],
    *[("02", 0, {}, WON), *[("02", 1, {}, WON)] * 4],
    *[("03", 0, {}, WON), ("03", 1, {}, LOST), ("03", 1, {"ending": "misere"}, WON), ("03", 2, {}, WON)],
    *[("08", 0, {}, WON), ("08", 0, {}, WON), ("08", 1, {}, WON)],
    *[("09", 0, {}, WON), ("09", 1, {}, WON)],
    *[("12", 0, {"opponent": number}, WON) for number in range(3)],
    *[("13", 0, {}, WON), ("14", 0, {}, LOST), ("14", 1, {}, WON), ("14", 2, COMPUTER, WON)],
    *[("15", 0, {}, WON), ("15", 1, {}, WON)],
]

# From a state, "1,3,5,7", to the move that is made there, "1,1"; each is clicked twice, to mark and to take.
PLAY = """async ([number, moves]) => {
    const { place } = living.boards[number];
    const find = (selector) => place.querySelector(selector);
    const over = () => /win/i.test(find(".headline").textContent);
    const coins = (row) => row.querySelectorAll(".coin:not(.gone)").length;
    const state = () => [...place.querySelectorAll(".coins")].map(coins).join();
    if (over() || !find("[data-press='Undo']").disabled) find("[data-press='New game']").click();
    while (!over()) {
        if (find(".board.yours")) for (const _ of "12") find(`[data-to='${moves[state()]}']`)?.click();
        await new Promise((done) => setTimeout(done, 100));
    }
    return find(".headline").textContent;
}"""


def boards_of(number: str) -> list:
    """The boards of a lesson that live in the book, made again as it shows them."""
    (file,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    shown = [output.get("data", {}) for cell in nbformat.read(file, 4).cells for output in cell.get("outputs", ())]
    described = [data[DESCRIBED] for data in shown if DESCRIBED in data]
    return [again(each) for each in described if each["lab"] == "Board"]


@pytest.mark.parametrize(("number", "which", "chosen", "ends"), GAMES)
def test_a_board_of_a_lesson_is_played_as_its_text_asks(lesson, number, which, chosen, ends):
    page = lesson(number)
    board = boards_of(number)[which]
    place = page.locator(".living", has=page.locator(".board")).nth(which)
    for name, value in chosen.items():
        menu = place.locator(f"select[data-name={name}]")
        values = [choice for _, choice in json.loads(menu.get_attribute("data-choices"))]
        menu.select_option(index=value if name == "opponent" else values.index(value))
        if name != "opponent":
            board.set_state({name: value})
    best = solve(board.game)
    moves = {}
    for state in np.ndindex(best.wins.shape):
        move = (best.best_moves(state) or board.game.legal_moves(state) or [None])[0]
        moves[",".join(map(str, state))] = move and f"{move.row},{move.count}"
    assert ends in page.evaluate(PLAY, [which, moves])


# --- labs

Q_LAB = "What does a Q-learner learn?"
HATS = "A computer made of hats"
TRIANGLE = "The triangle of greedy coins"
INTERVALS = "Intervals rain"
NEWS = "The news of a win"
ONE_BY_ONE = ["Take 1"] * 10  # until the game is over

# the lesson, the title of the lab and which of several, what is moved and pressed, and a pattern of what is said then
TASKS = [
    ("00", "How much practice", 0, {"Practice games": "10"}, [], "After 10 practice games"),
    ("00", "How much practice", 0, {"Practice games": "10,000"}, [], "After 10,000 practice games"),
    ("02", INTERVALS, 0, {"Samples": "100"}, [], "5 of 100 intervals miss"),
    ("02", INTERVALS, 0, {"Seed": "2", "Samples": "100"}, [], "[4-9] of 100 intervals miss"),
    ("02", INTERVALS, 0, {"Games in each sample": "25", "Samples": "100"}, [], r"\d of 100 intervals .*of 25,"),
    ("02", INTERVALS, 0, {"Games in each sample": "400", "Samples": "100"}, [], r"\d of 100 intervals .*of 400,"),
    ("04", "Sticks against the computer", 0, {}, ONE_BY_ONE, "has learnt from 1 game"),
    ("04", HATS, 0, {}, ["Take 1"], "the 3 goes back to hat 4 with one more 3"),
    ("04", HATS, 1, {}, ONE_BY_ONE, "have learnt from 1 game"),
    ("05", "Sticks against the computer", 0, {}, ONE_BY_ONE, "has learnt from 100,001 games"),
    ("05", "Hats fill", 0, {}, ["Start again", *["Next"] * 5], "hat 8 loses a 3.*after 5 games"),
    ("05", "Hats fill", 0, {"Picture": "46"}, [], "10,000 games have been played"),
    ("05", HATS, 0, {}, ["1,000 games"], "have learnt from 1,000 games"),
    ("06", NEWS, 0, {}, ["Start again", "Next"], "Game 1: .*2 sticks, take 1: from 0 to 1"),
    ("06", NEWS, 0, {}, ["Start again", *["Next"] * 5], "Game 5: .*10 sticks, take 1: from 0 to 1"),
    ("06", NEWS, 0, {"Opponent": "random", "Games": "60"}, [], "Game 60:"),
    ("06", Q_LAB, 0, {"Exploration": "0.30"}, [], "7 of 7"),
    ("07", Q_LAB, 0, {"Exploration": "0.30"}, [], "Exploration is now 0.30"),
    ("07", Q_LAB, 0, {"Games": "0"}, [], "3 of 7"),
    ("07", Q_LAB, 0, {"Opponent": "a random player"}, [], "7 of 7"),
    ("07", Q_LAB, 0, {"Opponent": "a perfect player"}, [], "7 of 7"),
    ("07", Q_LAB, 0, {"Opponent": "itself, with one table"}, [], "7 of 7"),
    ("07", Q_LAB, 1, {}, [], "7 of 7"),
    ("07", Q_LAB, 1, {"Exploration": "0.00"}, [], "6 of 7"),
    ("07", Q_LAB, 1, {"Its decay": "300 games"}, [], "7 of 7"),
    ("07", Q_LAB, 1, {"Learning rate": "1.00"}, [], "4 of 7"),
    ("09", "Three piles", 0, {"Pile 2": "4", "Nim-sums": "ticked"}, [], "Numbers: the nim-sum of .*pile 2: 4"),
    ("10", TRIANGLE, 0, {}, ["L", "R", "L"], "the last coin"),
    ("10", TRIANGLE, 1, {}, ["Hint"], "Hint: Coin 3"),
    ("10", TRIANGLE, 2, {}, ["Let the computer choose"], "You can announce"),
    *[("11", TRIANGLE, which, {}, ["L"] * 7, "the last coin") for which in (0, 1)],
    ("11", "Peaks fuse", 0, {}, ["Start again", *["Next"] * 3], "5 is a peak between 3 and 1"),
    ("12", "A tree grows", 0, {}, ["Next", "Next"], "The tree after 6 simulations"),
    ("14", "Which counts are lost", 0, {"Ending": "misère play: last stick loses"}, [], "Misère"),
]
MOST_STEPS = 60


def move(lab, name: str, value: str) -> None:
    """Choose a value in a menu, tick a box, write a number, or move a slider by its keys until it stands there."""
    chosen = lab.get_by_role("combobox", name=name)
    ticked = lab.get_by_role("checkbox", name=name)
    written = lab.get_by_role("spinbutton", name=name)
    if chosen.count():
        chosen.select_option(label=value)
    elif ticked.count():
        ticked.check()
    elif written.count():
        written.fill(value)
        written.press("Enter")
    else:
        slide(lab.get_by_role("slider", name=name), value)


def press(lab, words: str) -> None:
    """Press a button that begins so, if it can be pressed; L and R are coins of a triangle."""
    if words in ("L", "R"):
        lab.locator(f"[data-to='{words}']").first.click()
        return
    button = lab.get_by_role("button", name=re.compile(f"^{re.escape(words)}")).first
    if button.is_visible() and button.is_enabled():
        button.click()


def slide(handle, value: str) -> None:
    handle.press("End")
    if handle.get_attribute("aria-valuetext") == value:
        return
    handle.press("Home")
    for _ in range(MOST_STEPS):
        if handle.get_attribute("aria-valuetext") == value:
            return
        handle.press("ArrowRight")
    raise AssertionError(f"the slider does not live at {value}")


@pytest.mark.parametrize(("number", "title", "which", "moved", "pressed", "words"), TASKS)
def test_a_task_of_a_lesson_can_be_done(lesson, number, title, which, moved, pressed, words):
    page = lesson(number)
    lab = page.locator(".living").filter(has=page.locator(".title", has_text=title)).nth(which)
    for name, value in moved.items():
        move(lab, name, value)
    for button in pressed:
        press(lab, button)
    expect(lab).to_contain_text(re.compile(words, re.DOTALL))
