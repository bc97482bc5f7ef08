"""Whole games on the board in JupyterLab, by mouse and by keyboard, won and lost; the pictures are to be looked at."""

import re

import pytest
from lab import ROOT, dark_and_narrow, expect, shot_of

pytestmark = pytest.mark.browser

SETUP = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests")!r})
from dataclasses import dataclass
from own_games import NoughtsAndCrosses
from coinlib.games import CoinGame, sticks
from coincourse.labs import Board

def take_one(game, state):
    return game.legal_moves(state)[0]

def leave_one_more(game, state):
    return (state[0] - 1) % (game.max_pick + 1) or 1

@dataclass(frozen=True)
class TicTacToe(NoughtsAndCrosses):
    '''Three in a row win. The squares are numbered from 0 to 8, from left to right and from top to bottom.'''

    def picture(self, state):
        return chr(10).join(" ".join(state[row : row + 3]) for row in (0, 3, 6))
"""
LABS = {
    "won": "Board(CoinGame((1, 3), max_pick=2), opponent=take_one, delay=0.1)",
    "lost": 'Board("SINGLE_21_2", opponent=leave_one_more, delay=0.1)',
    "stars": 'Board("NIM", opponent="random", seed=1, delay=0.1)',
    "keyboard": "Board(sticks(6), opponent=take_one, delay=0.1)",
    "illegal": 'Board("NIM", opponent=take_one, delay=0.1)',
    "menus": 'Board("NIM", opponent=take_one, delay=0.1)',
    "themes": 'Board("SINGLE_21_3", opponent=take_one, delay=0.1)',
    "squares": "Board(TicTacToe(), opponent=take_one, hints=True, delay=0.1)",
    "long": "Board(sticks(100), opponent=take_one, delay=0.1)",
}
TAKE = re.compile(r"^Take \d+ coins?")
LAST = " the last coin. Misère play: who takes the last coin loses."


@pytest.fixture
def board(labs, request):
    """The board that a test names."""
    board = labs.output(request.param).locator(".coin-lab")
    board.scroll_into_view_if_needed()
    return board


def on_board(name):
    return pytest.mark.parametrize("board", [name], indirect=True)


def says(board, *words):
    """Wait until the board says each of these."""
    for sentence in words:
        board.get_by_role("status").get_by_text(sentence, exact=True).wait_for()


def your_turn_with(board, coins):
    """Wait until it is your turn and so many coins are left."""
    expect(board.locator(".coin")).to_have_count(coins)
    says(board, "Your turn.")


def coin(board, row, count):
    """The coin of which a click marks so many coins in this row."""
    return board.get_by_role("button", name=re.compile(rf"^row {row}: take {count}\b"))


def take(board, row, count):
    coin(board, row, count).click()
    board.get_by_role("button", name=re.compile(rf"^Take {count} coin")).click()


def shot(board, name):
    """A picture of the board alone, after the small movement of its coins."""
    shot_of(board, f"board-{name}")


@on_board("won")
def test_a_game_won_by_clicking(board):
    take(board, 1, 2)
    your_turn_with(board, coins=1)  # and so it would be lost
    board.get_by_role("button", name="Undo").click()
    your_turn_with(board, coins=4)
    take(board, 1, 1)
    your_turn_with(board, coins=2)
    says(board, "Computer takes 1 coin from row 0.")
    take(board, 1, 1)
    says(board, "Computer takes" + LAST, "You win!")
    assert board.locator(".score").inner_text().split() == ["You", "(Y)", "1", "Computer", "(C)", "0"]
    shot(board, "won")


@on_board("lost")
def test_a_game_lost_by_clicking(board):
    for left in (21, 19, 16, 13, 10, 7, 4):
        your_turn_with(board, coins=left)
        take(board, 0, 1)
    your_turn_with(board, coins=1)
    take(board, 0, 1)
    says(board, "You take" + LAST, "Computer wins.")
    shot(board, "lost")
    board.get_by_role("button", name="New game").click()
    your_turn_with(board, coins=21)


@on_board("stars")
def test_the_stars_win_against_a_seeded_random_opponent(board):
    board.get_by_label("Hints").check()
    says(board, "Hint: take 1 from row 1, or 1 from row 2 (marked ★) to win against perfect play.")
    shot(board, "hints")
    over, star = board.get_by_text("You win!"), board.get_by_text("★", exact=True).first
    for _ in range(16):
        expect(star.or_(over)).to_be_visible()  # there is always one, until the end
        if over.count():
            break
        star.click()
        board.get_by_role("button", name=TAKE).click()
        expect(board.get_by_role("button", name=TAKE)).to_have_count(0)  # the move has been made
    says(board, "You win!")


@on_board("keyboard")
def test_by_keyboard_alone(board):
    page = board.page

    def press(*names):
        for name in names:
            page.keyboard.press(name)

    def press_twice(key):
        """Mark coins, and take them."""
        press(key)
        board.get_by_role("button", name=TAKE).wait_for()
        press(key)

    board.locator(".coin[tabindex='0']").focus()
    press_twice("Enter")
    your_turn_with(board, coins=4)
    press("ArrowLeft", "ArrowLeft", "Enter")
    expect(board.get_by_role("button", name=TAKE)).to_have_text("Take 3 coins")
    shot(board, "keyboard")
    press("Tab", "Enter")  # from the coins to the button
    says(board, "Computer takes" + LAST, "You win!")
    expect(board.locator(":focus")).to_have_text("New game")
    press("Enter")
    your_turn_with(board, coins=6)
    press("Shift+Tab", "Home", "Enter")
    says(board, "You asked for 6 coins. From row 0 you can take 1 to 3.")
    press("End", "ArrowLeft", "ArrowLeft")
    press_twice(" ")
    your_turn_with(board, coins=2)
    press("ArrowLeft")
    press_twice("Enter")
    says(board, "You take" + LAST, "Computer wins.")


@on_board("illegal")
def test_an_illegal_number_is_said_in_words(board):
    shot(board, "start")
    coin(board, 2, 2).hover()
    shot(board, "preview")
    edges = board.locator(".coin").evaluate_all("coins => coins.map(coin => getComputedStyle(coin).outlineStyle)")
    assert edges.count("solid") == 2
    coin(board, 3, 5).click()
    says(board, "You asked for 5 coins. From row 3 you can take 1 or 2.")
    shot(board, "illegal")
    assert board.locator(".coin").count() == 16


@on_board("menus")
def test_menus_change_the_game(board):
    board.get_by_label("Game", exact=True).select_option("DOUBLE_21_3")
    your_turn_with(board, coins=42)
    board.get_by_label("Ending").select_option("normal play: last coin wins")
    board.get_by_text("Normal play: who takes the last coin wins.").wait_for()
    board.get_by_label("Who starts").select_option("Computer")
    your_turn_with(board, coins=41)
    board.get_by_label("Opponent").select_option("another person")
    says(board, "Player 2, it is your turn.")
    shot(board, "double")


@on_board("squares")
def test_tic_tac_toe_by_clicking(board):
    shot(board, "tic-tac-toe-start")
    board.get_by_role("button", name=re.compile("4$")).click()
    says(board, "Computer plays 0.", "Your turn.")
    board.get_by_role("button", name=re.compile("2$")).click()
    says(
        board,
        "Computer plays 1.",
        "Your turn.",
        "Hint: play 3, or 5, or 6, or 8 (marked ★), the best against perfect play.",
    )
    shot(board, "tic-tac-toe")
    board.get_by_role("button", name="★ 6").focus()
    for key in ("ArrowLeft", "ArrowRight", "Enter"):
        board.page.keyboard.press(key)
    says(board, "You play 6.", "You win!")
    expect(board.locator("pre").first).to_have_text("O O X\n. X .\nX . .")
    expect(board.locator(":focus")).to_have_text("New game")
    shot(board, "tic-tac-toe-won")
    board.get_by_role("button", name="Undo").click()
    says(board, "Taken back.", "Your turn.")


@on_board("long")
def test_a_row_of_a_hundred_fits(board):
    take(board, 0, 3)
    your_turn_with(board, coins=96)
    shot(board, "long")
    assert board.evaluate("board => board.scrollWidth <= board.clientWidth")


@on_board("themes")
def test_dark_theme_and_a_narrow_page(board, labs):
    coin(board, 0, 3).click()
    dark_and_narrow(labs, "board", ["themes"], ["themes"], ".coin-lab")
    assert board.evaluate("board => board.scrollWidth <= board.clientWidth")
    places = [button.bounding_box() for button in board.locator("button").all()]
    assert all(place["width"] >= 24 and place["height"] >= 24 for place in places)  # large enough for a finger
