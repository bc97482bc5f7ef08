"""Boards in the web book, opened as files: the page plays as `Board` does, word for word."""

import html
import itertools
import json
import re

import nbformat
import numpy as np
import pytest
from browser import expect
from lab import shot_of
from own_games import NoughtsAndCrosses
from paths import NOTEBOOKS
from reader import SHORT_PAUSES, Reader

from coincourse import checks as check
from coincourse.labs import Board
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.boards.plain_data import balls_of
from coincourse.labs.boards.words import AGAIN
from coincourse.labs.book.page_data import lab_from, page_data
from coinlib import sticks, three_piles
from coinlib.tables import tabulate

pytestmark = pytest.mark.browser

BOARDS = {
    "one row": lambda: Board(sticks(7), "random", controls=["undo", "new game"]),
    "some controls": lambda: Board("NIM", hints=True, controls=["ending", "opponent", "hints", "undo", "new game"]),
    "a rule": lambda: Board(sticks(21), check.stranger, you_start=False, controls=["you_start", "undo", "new game"]),
    "any number": lambda: Board(three_piles(3, 5, 7), "perfect", controls=["undo", "new game"]),
    "two people": lambda: Board("NIM", "person", controls=["undo"], moves=[(0, 1), (3, 2), (3, 1)]),
    "every control": lambda: Board(sticks(9), "take one"),
    "own game": lambda: Board(NoughtsAndCrosses(), controls=["opponent", "you_start", "hints", "undo", "new game"]),
}


@pytest.fixture(scope="module")
def tab(chromium, built_book):
    """A tab in which the computer moves almost at once."""
    reader = Reader(chromium, "file:", built_book.folder, SHORT_PAUSES)
    reader.goes_to("notebooks/00_start_here.html", as_file=True)
    yield reader
    reader.close()


@pytest.fixture
def reader(tab):
    """Starts on the page of lesson 00; requests only files."""
    yield tab
    assert tab.new_troubles() == []


# --- what the host answers


BEGIN = "told => { window.model = liveLabs.hosts.board(told); return [model.get('page'), model.get('frame')]; }"
ACT = """message => {
    if ("set" in message) { model.set(message.set, message.value); model.save_changes(); } else model.send(message);
    return [model.get("page"), model.get("frame")];
}"""


class Both:
    """A `Board`, and the page's host; every action is done to both."""

    def __init__(self, tab, board):
        self.tab, self.board = tab, board
        self.answer(BEGIN, json.loads(json.dumps(page_data(board))))

    def answer(self, program, data):
        """What the host shows after this."""
        page, self.frame = self.tab.evaluate(program, data)
        self.position = json.loads(html.unescape(re.search(r'data-board="(.*)"', page)[1]))

    def do(self, message):
        board = self.board
        self.answer(ACT, message)
        if message.get("to", "").startswith("reply"):  # the page draws at random, and tells Python's board what it drew
            drawn = board.data.words.move_of(self.position["made"][-1][1])
            board.agents = dict.fromkeys(board.agents, lambda game, state: drawn)
        if "set" in message:
            board.set_state({message["set"]: message["value"]})
        else:
            board.hear(message)

    def messages(self, dice):
        """What can be done now."""
        position, (buttons, *controls) = self.position, self.board.view["below"]
        if position["turn"] == "waiting" and dice.random() < 0.7:
            return [{"to": f"reply {len(position['made'])}"}]
        if position["picked"] and dice.random() < 0.7:
            return [{"to": position["picked"]}]
        can = [{"to": to} for to in position["legal"]]
        if position["rows"]:
            can += [{"to": f"{row},{held}"} for row, held in enumerate(position["state"]) if held]
        can += [{"press": each["words"], "fields": {}} for each in buttons["buttons"] if not each["disabled"]]
        for control in controls if dice.random() < 0.2 else ():
            now, name = self.board.get_state(), control["name"]
            values = [value for _, value in control.get("options", [("on", True), ("off", False)])]
            can += [{"set": name, "value": value} for value in values if value != now[name]]
        return can


@pytest.mark.parametrize("name", BOARDS)
def test_the_host_answers_as_the_board_does(reader, name):
    dice, board = np.random.default_rng(1), BOARDS[name]()
    board.offered["opponent"].pop("search")  # it cannot say in advance how it plays, and the book does not offer it
    board.update()
    both = Both(reader.page, board)
    for _ in range(80):
        assert both.position == json.loads(json.dumps(board.data.position(board.hints, board.delay)))
        assert both.frame == board.frame.replace(AGAIN, "")  # the page says this below the board
        both.do(dice.choice(both.messages(dice)))


# --- whole games on the screen


def first_ball(board):
    """The opponent, as it plays where Math.random() is 0."""
    table, balls = tabulate(board.game), balls_of(board.game, board.agents.get(board.opponent, board.opponent))
    return lambda game, state: table.moves[balls[table.row(state)][0]]


def your_moves(game, opponent, winner):
    """Your moves in a game that ends like this."""
    for seed in itertools.count():
        dice, board = np.random.default_rng(seed), Board(game, opponent)
        while board.winner is None:
            board.take(dice.choice(game.legal_moves(board.state)).tolist())
        if board.winner == winner:
            return board.moves[::2]


def first_board(page, name):
    """The place of a lesson's first board, and the board."""
    cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells
    shown = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
    described = [data[DESCRIBED] for data in shown if DESCRIBED in data]
    number = [each["lab"] for each in described].index("Board")
    place = page.locator(".live-lab").nth(number)
    place.scroll_into_view_if_needed()  # only what is on the screen is live
    place.locator(".board").wait_for()
    return place, lab_from(described[number])


class Twin:
    """A board on its page, and the same board here; both must say and show the same."""

    def __init__(self, page, name: str) -> None:
        self.place, board = first_board(page, name)
        self.board = Board(board.game, first_ball(board))

    def agree(self) -> None:
        position = self.board.data.position(hints=False)
        said = [position[name] for name in ("headline", "said", "notice", "hint")]
        expect(self.place.locator(".says p")).to_have_text(said)
        letters = {"You": "Y", "The computer": "C"}
        for side, won in zip(position["sides"], position["score"]):
            expect(self.place.locator(".score")).to_contain_text(f"{side} ({letters[side]}) {won}")
        taken = [letters[who] for who, move in position["made"] for _ in range(int(move.split(",")[1]))]
        expect(self.place.locator(".coin")).to_have_count(sum(position["state"]))
        assert sorted(self.place.locator(".gone").all_inner_texts()) == sorted(taken)

    def take_by_click(self, coin, count: int) -> None:
        coin.click()
        self.place.get_by_role("button", name=re.compile(f"^Take {count} coin")).click()

    def take_by_key(self, coin, count: int) -> None:
        coin.press("Enter")
        expect(coin).to_have_attribute("aria-pressed", "true")
        coin.press("Enter")

    def play(self, winner: int, take) -> None:
        """A game that this side wins; then the last move is taken back, and another game begins."""
        self.agree()
        for row, count in your_moves(self.board.game, self.board.opponent, winner):
            words = re.compile(rf"^((row|pile) {row}: )?take {count}\b")
            take(self.place.get_by_role("button", name=words), count)
            self.board.take(row, count)
            self.agree()
        assert self.board.winner == winner
        for button in ("Undo", "New game"):
            self.place.get_by_role("button", name=button).click()
            self.board.press(button)
            self.agree()


@pytest.mark.parametrize("name", ["00_start_here", "08_game_trees"])
def test_a_game_is_won_with_clicks_and_another_lost_by_keyboard(reader, name):
    page = reader.goes_to(f"notebooks/{name}.html", as_file=True)
    page.evaluate("Math.random = () => 0")  # the first ball of each hat
    twin = Twin(page, name)
    twin.play(1, twin.take_by_click)
    twin.play(2, twin.take_by_key)
    shot_of(twin.place, f"book-{name}-played")


# The last games, and how many sticks to take: the answers of the lessons
LAST_GAMES = {
    "04_hats": {9: 3, 4: 3, 3: 2, 2: 1},
    "05_training_hats": {left: (left - 1) % 4 for left in range(1, 18)},
    "12_search": {13: 3, 7: 2, 4: 3, 3: 2, 2: 1},
    "13_your_agent_in_a_tournament": {},  # 1 from the first row, always: the rule of `take_one`, which beats the mask
}


@pytest.mark.parametrize("name", LAST_GAMES)
def test_the_last_game_of_a_lesson_is_won_in_the_book(reader, name):
    page = reader.goes_to(f"notebooks/{name}.html", as_file=True)
    place = page.locator(".live-lab:has(.board)").last
    place.scroll_into_view_if_needed()
    headline = place.locator(".headline")
    for _ in range(30):  # if the opponent draws at random, bad luck may lose a game
        while True:
            expect(headline).to_have_text(re.compile("Your turn|win"))
            if "win" in headline.inner_text():
                break
            count = LAST_GAMES[name].get(place.locator(".coin").count()) or 1
            place.get_by_role("button", name=re.compile(rf"take {count}\b")).first.click()
            place.get_by_role("button", name=re.compile(f"^Take {count} (stick|coin)")).click()
        if headline.inner_text() == "You win!":
            break
        place.get_by_role("button", name="New game").click()
    expect(headline).to_have_text("You win!")
    shot_of(place, f"book-{name}-last-game")


def test_a_board_with_one_game_says_at_its_end_how_to_get_another(reader):
    page = reader.goes_to("notebooks/06_q_learning.html", as_file=True)
    place = page.locator(".live-lab:has(.board)").last
    place.scroll_into_view_if_needed()
    headline, note = place.locator(".headline"), place.locator(".live-lab-note")
    while True:
        expect(headline).to_have_text(re.compile("Your turn|win"))
        if "win" in headline.inner_text():
            break
        expect(note).to_have_text("")
        place.get_by_role("button", name=re.compile(r"take 1\b")).first.click()
        place.get_by_role("button", name=re.compile("^Take 1 stick")).click()
    expect(note).to_have_text("To play another game, reload this page. What you have written and predicted stays.")
