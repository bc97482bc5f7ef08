"""The lab of three piles in JupyterLab, by mouse and by keyboard; the pictures are to be looked at."""

import re

import pytest
from lab import dark_and_narrow, drag_to_the_left_end, expect, in_lab, knob, press, says, shot_of

pytestmark = pytest.mark.browser

SETUP = "from coincourse.labs import PileLab"
LABS = {
    "look": "PileLab()",
    "play": "PileLab((1, 2, 4), mode='play', seed=3)",
    "lost": "PileLab((1, 1, 2), mode='play', most=7)",
    "second": "PileLab((5, 6, 2), mode='play', starts='computer', most=7)",
    "sums": "PileLab((9, 6, 5), controls=['third', 'sums', 'most'], sums=True)",
    "large": "PileLab((21, 30, 7), controls=True, most=31)",
}
NAMES = ("first", "second", "third")


def shot(cell, name):
    """A picture of one lab alone."""
    shot_of(cell, f"piles-{name}")


def place(cell, *piles):
    """The cell of a position in the grid."""
    return cell.locator(f"svg > g:first-of-type > [data-to='{','.join(map(str, piles))}']")


def coin(cell, words):
    """The coin that says so, such as "take 2 from the first pile"."""
    return cell.locator(f".coin[aria-label^='{words},']")


def lost_in(cell):
    return cell.locator("svg > g:first-of-type > .lost").evaluate_all("cells => cells.map(cell => cell.dataset.to)")


@in_lab("look")
def test_the_slider_moves_the_slice_by_key_and_by_mouse(cell):
    page = cell.page
    says(cell, "(3, 3, 7): won. Whoever moves can force a win: take 7 from the third pile")
    assert lost_in(cell) == [
        f"{first},{first ^ 7},7" for first in (7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)
    ]
    shot(cell, "start")
    handle = knob(cell, "Third pile")
    handle.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    says(cell, "(3, 3, 2): won.")
    assert "1,3,2" in lost_in(cell)
    drag_to_the_left_end(handle)
    says(cell, "(3, 3, 0): lost. Against perfect play whoever moves loses")
    assert lost_in(cell) == [f"{same},{same},0" for same in range(16)]
    shot(cell, "lost")


@in_lab("look")
def test_a_cell_is_clicked_and_its_winning_moves_appear(cell):
    place(cell, 9, 4, 0).click()
    says(cell, "(9, 4, 0): won. Whoever moves can force a win: take 5 from the first pile (what is left is two equal")
    expect(cell.locator("polygon.head")).to_have_count(1)
    expect(cell.get_by_role("table").locator("tbody tr")).to_have_count(1)
    shot(cell, "cell")
    page = cell.page
    place(cell, 9, 4, 0).focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    says(cell, "(10, 6, 0): won. Whoever moves can force a win: take 4 from the first pile")
    expect(place(cell, 10, 6, 0)).to_be_focused()
    strip = cell.locator("[data-group='strip'] [data-to='10,6,12']")
    strip.hover()
    expect(cell.locator("[data-peek]")).to_have_text("(10, 6, 12): lost")
    strip.click()
    says(cell, "(10, 6, 12): lost.")
    expect(cell.locator(".readout").first).to_have_text("12")
    shot(cell, "keyboard")


@in_lab("look")
def test_what_belongs_together_lights_up(cell):
    place(cell, 3, 5, 12).click()
    says(cell, "(3, 5, 12): won.")
    lit = cell.locator(".lit, .coin.lit ~ .coin")
    cell.get_by_text("take 6 from the third pile", exact=True).hover()
    expect(lit).to_have_count(1 + 1 + 6)  # the line, the place on the strip, and the coins
    coin(cell, "take 2 from the first pile").hover()
    expect(lit).to_have_count(1 + 2)
    expect(place(cell, 1, 5, 12)).to_have_class(re.compile("lit"))
    place(cell, 3, 5, 12).focus()
    cell.page.mouse.move(0, 0)
    cell.page.keyboard.press("ArrowDown")
    expect(lit).to_have_count(1 + 1)
    expect(cell.locator("[data-peek]")).to_have_text("(3, 4, 12): won")
    shot(cell, "linked")


@in_lab("play")
def test_a_game_is_won_by_clicking(cell):
    says(cell, "(1, 2, 4): won. You move first. You can force a win: take 1 from the third pile")
    shot(cell, "game")
    place(cell, 0, 1, 4).click()
    expect(cell.get_by_role("note")).to_have_text(
        "No move leads from (1, 2, 4) to (0, 1, 4): take coins from one pile."
    )
    coin(cell, "take 1 from the third pile").click()
    says(cell, "You take 1 from the third pile. Right: (1, 2, 3) is lost for the computer.", "Your turn at")
    shot(cell, "answered")
    expect(cell.locator("polygon.head")).to_have_count(0)
    for _ in range(6):
        turn = re.search(r"Your turn at \((\d+), (\d+), (\d+)\)", cell.get_by_role("status").first.inner_text())
        if turn is None:
            break
        piles = [int(held) for held in turn.groups()]
        total = piles[0] ^ piles[1] ^ piles[2]
        pile = next(pile for pile, held in enumerate(piles) if held ^ total < held)
        coin(cell, f"take {piles[pile] - (piles[pile] ^ total)} from the {NAMES[pile]} pile").click()
        expect(cell.get_by_text(turn[0])).to_have_count(0)
    says(cell, "That was the last coin. Normal play: who takes the last coin wins. You win.")
    shot(cell, "won")
    cell.get_by_text("Show the code").click()
    expect(cell.get_by_label("The code of this lab")).to_contain_text("state = game.play(state, (2, 1))")
    press(cell, "Start again")
    says(cell, "(1, 2, 4): won. You move first.")
    press(cell, "New game")
    says(cell, "You move first.")


@in_lab("lost")
def test_a_game_is_lost_after_a_mistake_by_keyboard_alone(cell):
    page = cell.page
    coin(cell, "take 1 from the first pile").focus()
    page.keyboard.press("Enter")
    says(
        cell, "That was a mistake. (1, 1, 2) was won for you: take 2 from the third pile", "Now the computer can force"
    )
    says(cell, "Your turn at (0, 1, 1).")
    expect(place(cell, 0, 1, 1)).to_be_focused()  # the coin is gone
    shot(cell, "mistake")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    says(cell, "The computer takes 1 from the third pile. That was the last coin.", "The computer wins.")
    shot(cell, "game-lost")
    place(cell, 0, 0, 0).click()
    expect(cell.get_by_role("note")).to_contain_text("This game is over.")


@in_lab("second")
def test_the_computer_moves_first(cell):
    says(cell, "The computer moves first. The computer can force a win", "Press “Best move” to see its move.")
    shot(cell, "before-computer")
    press(cell, "Best move")
    says(cell, "The computer takes 1 from the first pile. Your turn at (4, 6, 2).")
    expect(cell.locator(".gone")).to_have_text(["C"])


@in_lab("sums")
def test_the_nim_sums_come_and_go(cell):
    expect(place(cell, 9, 6, 5)).to_have_text("10")
    shot(cell, "sums")
    cell.get_by_label("Nim-sums").uncheck()
    expect(place(cell, 9, 6, 5)).to_have_text("")


def test_dark_theme_and_a_narrow_page(labs):
    shot(labs.output("large"), "large")
    parts = ".pile-lab, .pile-lab p:visible, .pile-lab .rest, .pile-lab svg"
    dark_and_narrow(labs, "piles", ["sums", "look", "play"], ["look", "play"], parts)
