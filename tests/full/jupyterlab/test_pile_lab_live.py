"""The lab of three piles in JupyterLab, by mouse and by keyboard; the pictures are to be looked at."""

import re

import pytest
from lab import drag_to_the_left_end, expect, in_lab, knob, press, says, shot_of, status

pytestmark = pytest.mark.browser


def place(cell, *piles):
    """The cell of a position in the grid."""
    return cell.locator(f"svg > g:first-of-type > [data-to='{','.join(map(str, piles))}']")


def coin(cell, words):
    """The coin that says so, such as "take 2 from pile 0"."""
    return cell.locator(f".coin[aria-label^='{words},']")


@in_lab("piles")
def test_the_slider_moves_the_slice_by_key_and_by_mouse(cell):
    says(cell, "(3, 3, 7): won. Whoever moves can force a win: take 7 from pile 2")
    handle = knob(cell, "Pile 2")
    for _ in range(5):
        handle.press("ArrowLeft")
    says(cell, "(3, 3, 2): won.")
    expect(place(cell, 1, 3, 2)).to_have_class(re.compile("lost"))
    drag_to_the_left_end(handle)
    says(cell, "(3, 3, 0): lost. Against perfect play whoever moves loses")
    lost = cell.locator("svg > g:first-of-type > .lost").evaluate_all("cells => cells.map(cell => cell.dataset.to)")
    assert lost == [f"{same},{same},0" for same in range(16)]
    shot_of(cell, "piles-lost")


@in_lab("piles")
def test_a_cell_is_clicked_and_its_winning_moves_appear(cell):
    knob(cell, "Pile 2").press("Home")
    place(cell, 9, 4, 0).click()
    says(cell, "(9, 4, 0): won. Whoever moves can force a win: take 5 from pile 0 (what is left is two equal")
    expect(cell.locator("path.arrow")).to_have_count(1)
    expect(cell.get_by_role("table").locator("tbody tr")).to_have_count(1)
    place(cell, 9, 4, 0).focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Enter"):
        cell.page.keyboard.press(key)
    says(cell, "(10, 6, 0): won. Whoever moves can force a win: take 4 from pile 0")
    expect(place(cell, 10, 6, 0)).to_be_focused()
    strip = cell.locator("[data-group='strip'] [data-to='10,6,12']")
    strip.hover()
    expect(cell.locator("[data-peek]")).to_have_text("(10, 6, 12): lost")
    strip.click()
    says(cell, "(10, 6, 12): lost.")
    expect(cell.locator(".readout").first).to_have_text("12")
    shot_of(cell, "piles-cell")


@in_lab("piles")
def test_what_belongs_together_lights_up(cell):
    knob(cell, "Pile 2").fill("12")
    place(cell, 3, 5, 12).click()
    says(cell, "(3, 5, 12): won.")
    lit = cell.locator(".lit, .coin.lit ~ .coin")
    cell.get_by_text("take 6 from pile 2", exact=True).hover()
    expect(lit).to_have_count(1 + 1 + 6)  # the line, the place on the strip, and the coins
    coin(cell, "take 2 from pile 0").hover()
    expect(lit).to_have_count(1 + 2)
    expect(place(cell, 1, 5, 12)).to_have_class(re.compile("lit"))
    place(cell, 3, 5, 12).focus()
    cell.page.mouse.move(0, 0)
    cell.page.keyboard.press("ArrowDown")
    expect(lit).to_have_count(1 + 1)
    expect(cell.locator("[data-peek]")).to_have_text("(3, 4, 12): won")
    shot_of(cell, "piles-linked")


@in_lab("game")
def test_a_game_is_won_by_clicking(cell):
    says(cell, "(1, 2, 4): won. You move first. You can force a win: take 1 from pile 2")
    place(cell, 0, 1, 4).click()
    expect(cell.get_by_role("note")).to_have_text(
        "No move leads from (1, 2, 4) to (0, 1, 4): take coins from one pile."
    )
    coin(cell, "take 1 from pile 2").click()
    says(cell, "You take 1 from pile 2. Right: (1, 2, 3) is lost for the computer.", "Your turn at")
    expect(cell.locator("path.arrow")).to_have_count(0)
    for _ in range(6):
        turn = re.search(r"Your turn at \((\d+), (\d+), (\d+)\)", status(cell).inner_text())
        if turn is None:
            break
        piles = [int(held) for held in turn.groups()]
        total = piles[0] ^ piles[1] ^ piles[2]
        pile = next(pile for pile, held in enumerate(piles) if held ^ total < held)
        coin(cell, f"take {piles[pile] - (piles[pile] ^ total)} from pile {pile}").click()
        expect(cell.get_by_text(turn[0])).to_have_count(0)
    says(cell, "That was the last coin. Normal play: whoever takes the last coin wins. You win.")
    shot_of(cell, "piles-won")
    cell.get_by_text("Show the code").click()
    expect(cell.get_by_label("The code of this lab")).to_contain_text("state = game.play(state, (2, 1))")
    press(cell, "Start again")
    says(cell, "(1, 2, 4): won. You move first.")
    press(cell, "New game")
    says(cell, "You move first.")


@in_lab("lost")
def test_a_game_is_lost_after_a_mistake_by_keyboard_alone(cell):
    coin(cell, "take 1 from pile 0").press("Enter")
    says(cell, "That was a mistake. (1, 1, 2) was won for you: take 2 from pile 2")
    says(cell, "Now the computer can force", "Your turn at (0, 1, 1).")
    expect(place(cell, 0, 1, 1)).to_be_focused()  # the coin is gone
    shot_of(cell, "piles-mistake")
    cell.page.keyboard.press("ArrowDown")
    cell.page.keyboard.press("Enter")
    says(cell, "The computer takes 1 from pile 2. That was the last coin.", "The computer wins.")
    place(cell, 0, 0, 0).click()
    expect(cell.get_by_role("note")).to_contain_text("This game is over.")


@in_lab("second")
def test_the_computer_moves_first(cell):
    says(cell, "The computer moves first. The computer can force a win", "Press “Best move” to see its move.")
    press(cell, "Best move")
    says(cell, "The computer takes 1 from pile 0. Your turn at (4, 6, 2).")
    expect(cell.locator(".gone")).to_have_text(["C"])


@in_lab("sums")
def test_the_nim_sums_come_and_go(cell):
    expect(place(cell, 1, 6, 3)).to_have_text("4")
    cell.get_by_label("Nim-sums").uncheck()
    expect(place(cell, 1, 6, 3)).to_have_text("")
