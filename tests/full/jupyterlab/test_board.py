"""Whole games on the board in JupyterLab, by mouse and by keyboard, won and lost; look at the pictures as well."""

import re

import pytest
from browser import expect
from hands import in_lab
from lab import shot_of

pytestmark = pytest.mark.browser

TAKE = re.compile(r"^Take \d+ coins?")
LAST = " the last coin. Misère play: the player who takes the last coin loses."


def says(board, *words):
    """Wait until the board says each of these."""
    for sentence in words:
        board.get_by_role("status").get_by_text(sentence, exact=True).wait_for()


def your_turn_with(board, coins):
    """Wait until it is your turn and this many coins are left."""
    expect(board.locator(".coin")).to_have_count(coins)
    says(board, "Your turn.")


def coin(board, row, count):
    """The coin to click to mark this many coins in this row."""
    return board.get_by_role("button", name=re.compile(rf"^(row {row}: )?take {count}\b"))


def take(board, row, count):
    coin(board, row, count).click()
    board.get_by_role("button", name=re.compile(rf"^Take {count} coin")).click()


@in_lab("won")
def test_a_game_won_by_clicking(cell):
    take(cell, 1, 2)
    your_turn_with(cell, coins=1)  # and so it would be lost
    cell.get_by_role("button", name="Undo").click()
    your_turn_with(cell, coins=4)
    take(cell, 1, 1)
    your_turn_with(cell, coins=2)
    says(cell, "The computer takes 1 coin from row 0.")
    take(cell, 1, 1)
    says(cell, "The computer takes" + LAST, "You win!")
    assert cell.locator(".score").inner_text().split() == ["You", "(Y)", "1", "The", "computer", "(C)", "0"]
    shot_of(cell, "board-won")


@in_lab("keyboard")
def test_by_keyboard_alone(cell):
    def press(*names):
        for name in names:
            cell.page.keyboard.press(name)

    def press_twice(key):
        """Mark coins, and take them."""
        press(key)
        cell.get_by_role("button", name=TAKE).wait_for()
        press(key)

    cell.locator(".coin[tabindex='0']").focus()
    press_twice("Enter")
    your_turn_with(cell, coins=4)
    press("ArrowLeft", "ArrowLeft", "Enter")
    expect(cell.get_by_role("button", name=TAKE)).to_have_text("Take 3 coins")
    shot_of(cell, "board-keyboard")
    press("Tab", "Enter")  # from the coins to the button
    says(cell, "The computer takes" + LAST, "You win!")
    expect(cell.locator(":focus")).to_have_text("New game")
    press("Enter")
    your_turn_with(cell, coins=6)
    press("Home", "Enter")  # the keyboard is on the coins again
    says(cell, "You asked for 6 coins. You can take 1 to 3.")
    press("End", "ArrowLeft", "ArrowLeft")
    press_twice(" ")
    your_turn_with(cell, coins=2)
    press("ArrowLeft")
    press_twice("Enter")
    says(cell, "You take" + LAST, "The computer wins.")


@in_lab("nim")
def test_an_illegal_number_is_said_in_words(cell):
    coin(cell, 2, 2).hover()
    shot_of(cell, "board-preview")
    edges = cell.locator(".coin").evaluate_all("coins => coins.map(coin => getComputedStyle(coin).outlineStyle)")
    assert edges.count("solid") == 2
    coin(cell, 3, 5).click()
    says(cell, "You asked for 5 coins. From row 3 you can take 1 or 2.")
    shot_of(cell, "board-illegal")
    assert cell.locator(".coin").count() == 16


@in_lab("nim")
def test_menus_change_the_game(cell):
    def choose(label, key):
        cell.get_by_label(re.compile(f"^{label}")).press(key)

    choose("Hints", "Space")
    expect(cell.get_by_label("Hints")).not_to_be_checked()
    choose("Game", "Home")
    your_turn_with(cell, coins=21)
    cell.get_by_role("combobox", name="Game").select_option("DOUBLE_21_3")
    your_turn_with(cell, coins=42)
    choose("Ending", "n")  # as in any menu: the first letter
    cell.get_by_text("Normal play: the player who takes the last coin wins.").wait_for()
    choose("Who starts", "t")
    your_turn_with(cell, coins=41)
    cell.get_by_role("combobox", name="Opponent").select_option("another person")
    says(cell, "Player 2, it is your turn.")
    shot_of(cell, "board-double")


@in_lab("squares")
def test_tic_tac_toe_by_clicking(cell):
    cell.get_by_role("button", name=re.compile("4$")).click()
    says(cell, "The computer plays 0.", "Your turn.")
    cell.get_by_role("button", name=re.compile("2$")).click()
    says(cell, "The computer plays 1.", "Your turn.")
    says(cell, "Hint: play 3, or 5, or 6, or 8 (marked ★), the best against perfect play.")
    shot_of(cell, "board-tic-tac-toe")
    cell.get_by_role("button", name="★ 6").focus()
    for key in ("ArrowLeft", "ArrowRight", "Enter"):
        cell.page.keyboard.press(key)
    says(cell, "You play 6.", "You win!")
    expect(cell.locator("pre").first).to_have_text("'OOX.X.X..'")
    expect(cell.locator(":focus")).to_have_text("New game")
    cell.get_by_role("button", name="Undo").click()
    says(cell, "Your last move is taken back.", "Your turn.")


@in_lab("long")
def test_a_row_of_a_hundred_fits(cell):
    take(cell, 0, 3)
    your_turn_with(cell, coins=96)
    shot_of(cell, "board-long")
    assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth")
