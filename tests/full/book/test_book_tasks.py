"""Each lesson on its page: it fits, and readers can do what its text asks for, on boards and with labs.

The page is opened only once, as a file.
"""

import json
import re

import nbformat
import numpy as np
import pytest
from browser import expect
from lab import shot_of
from paths import NOTEBOOKS
from reader import NARROW, SHORT_PAUSES, SMALL_LETTERS, WIDE, Reader, fits

from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.book.page_data import lab_from
from coinlib import solve

pytestmark = pytest.mark.browser

NUMBERS = [path.stem[:2] for path in sorted(NOTEBOOKS.glob("*.ipynb"))]


@pytest.fixture(scope="module")
def hasty_tab(chromium, book, built_book):
    """A reader who does not wait between the moves of a game."""
    reader = Reader(chromium, book, built_book.folder, SHORT_PAUSES)
    yield reader
    reader.close()


@pytest.fixture(scope="module", params=NUMBERS)
def lesson(request, hasty_tab):
    """The number of a lesson, and its page on a phone, with everything on it live."""
    (path,) = NOTEBOOKS.glob(f"{request.param}_*.ipynb")
    return request.param, hasty_tab.goes_to(f"notebooks/{path.stem}.html", NARROW, as_file=True)


def test_a_lesson_fits_a_phone_and_a_wide_window(lesson):
    number, page = lesson
    shot_of(page, f"book-{number}-phone")
    assert page.locator("h1").count() == 1
    assert fits(page) == []
    assert page.evaluate(SMALL_LETTERS) == []
    page.set_viewport_size(WIDE)
    assert fits(page) == []


# --- games on boards

WON, LOST = "You win", "The computer wins"
NORMAL, YOU, COMPUTER = {"ending": "normal"}, {"you_start": True}, {"you_start": False}
# for each lesson: which of its live boards, what is chosen in its menus, and how best play ends
GAMES = {
    "00": [(0, {}, WON), (1, {}, WON), (2, {}, WON), (2, COMPUTER, WON)],
    "01": [(0, {}, LOST), (1, YOU, WON)],
    "02": [(0, {}, WON), (1, {}, WON), (1, {}, WON)],
    "03": [(0, {}, WON), (1, {}, LOST), (1, {"ending": "misere"}, WON), (2, {}, WON)],
    "08": [(0, {}, WON), (0, {}, WON), (1, {}, WON)],
    "09": [(0, {}, WON), (1, {}, WON)],
    "12": [(0, {}, WON)],
    "13": [(0, {}, WON)],
    "14": [(0, {}, LOST), (1, COMPUTER, WON)],
    "15": [(0, {}, WON), (1, {}, WON)],
}

# From a state, "1,3,5,7", to the move that is made there, "1,1"; each is clicked twice, to mark and to take.
PLAY = """async ([number, moves]) => {
    const { place } = liveLabs.boards[number];
    const find = (selector) => place.querySelector(selector);
    const over = () => /win/i.test(find(".headline").textContent);
    const coins = (row) => row.querySelectorAll(".coin:not(.gone)").length;
    const state = () => [...place.querySelectorAll(".coins")].map(coins).join();
    const again = find("[data-press='New game']");
    if (again && (over() || !find("[data-press='Undo']")?.disabled)) again.click();
    for (let turn = 0; !over(); turn++) {
        if (turn > 300) throw Error(`no end in sight at ${state()}: ${find(".headline").textContent}`);
        if (find(".board.yours")) for (const _ of "12") find(`[data-to='${moves[state()]}']`)?.click();
        await new Promise((done) => setTimeout(done, 100));
    }
    return find(".headline").textContent;
}"""


def boards_of(number: str) -> list:
    """A lesson's live boards in the book, remade as it shows them."""
    (file,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    outputs = [output for cell in nbformat.read(file, 4).cells for output in cell.get("outputs", ())]
    described = [output.data[DESCRIBED] for output in outputs if DESCRIBED in output.get("data", {})]
    return [lab_from(each) for each in described if each["lab"] == "Board"]


def best_play(game) -> dict[str, str]:
    """The best move from each state of a game of coins, as a board of the book writes both."""
    best = solve(game)
    moves = {}
    for state in np.ndindex(best.wins.shape):
        possible = best.best_moves(state) or game.legal_moves(state)
        if possible:
            moves[",".join(map(str, state))] = f"{possible[0].row},{possible[0].count}"
    return moves


def choose(page, board, which: int, chosen: dict) -> None:
    """Choose in the menus of a board on its page, and on the same board here."""
    place = page.locator(".live-lab", has=page.locator(".board")).nth(which)
    for name, value in chosen.items():
        menu = place.locator(f"select[data-name={name}]")
        if name == "opponent":
            menu.select_option(index=value)
            continue
        values = [choice for _, choice in json.loads(menu.get_attribute("data-choices"))]
        menu.select_option(index=values.index(value))
        board.set_state({name: value})


def test_boards_are_played_as_the_text_asks(lesson):
    number, page = lesson
    boards = boards_of(number) if number in GAMES else []
    for which, chosen, ends in GAMES.get(number, ()):
        choose(page, boards[which], which, chosen)
        headline = page.evaluate(PLAY, [which, best_play(boards[which].game)])
        assert ends in headline, (which, chosen)


# --- labs

Q_LAB = "What does a Q-learner learn?"
HATS = "A computer made of hats"
TRIANGLE = "The triangle of greedy coins"
INTERVALS = "Intervals rain"
NEWS = "The news of a win"
ONE_BY_ONE = ["Take 1"] * 10  # until the game is over

# the lesson, the title of the lab and which of several, what is moved and pressed, and a pattern of what is said then
TASKS = [
    ("02", INTERVALS, 0, {"Samples": "100"}, [], "5 of 100 intervals miss"),
    ("02", INTERVALS, 0, {"Seed": "2", "Samples": "100"}, [], "[4-9] of 100 intervals miss"),
    ("02", INTERVALS, 0, {"Games in each sample": "25", "Samples": "100"}, [], r"\d of 100 intervals .*of 25,"),
    ("02", INTERVALS, 0, {"Games in each sample": "400", "Samples": "100"}, [], r"\d of 100 intervals .*of 400,"),
    ("04", "Sticks against the computer", 0, {}, ONE_BY_ONE, "has learnt from 1 game"),
    ("04", HATS, 0, {}, ["Take 1"], "the 3 goes back to hat 4 with one more 3"),
    ("04", HATS, 1, {}, ONE_BY_ONE, "have learnt from 1 game"),
    ("05", "Sticks against the computer", 0, {}, ONE_BY_ONE, "has learnt from 100,001 games"),
    ("04", "Hats fill", 0, {}, ["Start again", *["Next"] * 5], "hat 8 loses a 3.*after 5 games"),
    ("04", "Hats fill", 0, {"Picture": "46"}, [], "10,000 games have been played"),
    ("05", HATS, 0, {}, ["1,000 games"], "have learnt from 1,000 games"),
    ("06", NEWS, 0, {}, ["Start again", "Next"], "Game 1: .*2 sticks, take 1: from 0 to 1"),
    ("06", NEWS, 0, {}, ["Start again", *["Next"] * 5], "Game 5: .*10 sticks, take 1: from 0 to 1"),
    ("06", NEWS, 0, {"Opponent": "random", "Games": "60"}, [], "Game 60:"),
    ("06", Q_LAB, 0, {"Exploration": "0.30"}, [], "7 of 7"),
    ("07", Q_LAB, 0, {"Games": "0"}, [], "3 of 7"),
    ("07", Q_LAB, 0, {"Opponent": "a random player"}, [], "7 of 7"),
    ("07", Q_LAB, 0, {"Opponent": "a perfect player"}, [], "7 of 7"),
    ("07", Q_LAB, 0, {"Opponent": "itself, with one table"}, [], "7 of 7"),
    ("09", "Three piles", 0, {"Pile 2": "4", "Nim-sums": "ticked"}, [], "is the nim-sum of .*pile 2: 4"),
    ("10", TRIANGLE, 0, {}, ["L", "R", "L"], "the last coin"),
    ("10", TRIANGLE, 1, {}, ["Hint"], "Hint: Coin 3"),
    ("11", TRIANGLE, 0, {}, ["L"] * 7, "the last coin"),
    ("11", TRIANGLE, 1, {}, ["L"] * 7, "the last coin"),
    ("11", "Peaks fuse", 0, {}, ["Start again", *["Next"] * 3], "5 is a peak between 3 and 1"),
    ("14", "Which counts are losing, and why?", 0, {"Sticks": "6"}, [], "So 6 is winning"),
]
MOST_STEPS = 60


def move(lab, name: str, value: str) -> None:
    """Choose a value in a menu, tick a box, type a number, or move a slider with keys until it is there."""
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


def slide(handle, value: str) -> None:
    """Press keys on a slider until it says this value."""
    handle.press("End")
    if handle.get_attribute("aria-valuetext") == value:
        return
    handle.press("Home")
    for _ in range(MOST_STEPS):
        if handle.get_attribute("aria-valuetext") == value:
            return
        handle.press("ArrowRight")
    raise AssertionError(f"the slider does not live at {value}")


def press(lab, words: str) -> None:
    """Press the button that begins with this, if it is enabled; L and R are coins of a triangle."""
    if words in ("L", "R"):
        lab.locator(f"[data-to='{words}']").first.click()
        return
    button = lab.get_by_role("button", name=re.compile(f"^{re.escape(words)}")).first
    if button.is_visible() and button.is_enabled():
        button.click()


def test_tasks_with_a_lab_can_be_done(lesson):
    number, page = lesson
    for title, which, moved, pressed, words in (task[1:] for task in TASKS if task[0] == number):
        lab = page.locator(".live-lab").filter(has=page.locator(".title", has_text=title)).nth(which)
        for name, value in moved.items():
            move(lab, name, value)
        for button in pressed:
            press(lab, button)
        expect(lab, f"{title}, {moved}, {pressed}").to_contain_text(re.compile(words, re.DOTALL))


def test_nothing_went_wrong_and_nothing_came_from_elsewhere(lesson, hasty_tab):
    number, _ = lesson
    assert hasty_tab.new_troubles() == [], number
