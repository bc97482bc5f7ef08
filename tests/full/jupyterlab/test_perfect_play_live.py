"""The three-piles and greedy-coins labs in JupyterLab, by mouse and keyboard; look at the pictures too."""

import re

import pytest
from browser import expect
from colours import WEAK, contrast
from hands import drag_to_the_left_end, in_lab, knob, press, says
from lab import shot_of

pytestmark = pytest.mark.browser


# --- three piles


def place(cell, *piles):
    """The cell of a position in the grid."""
    return cell.locator(f"svg > g:first-of-type > [data-to='{','.join(map(str, piles))}']")


def coin(cell, words):
    """The coin with this label, such as "take 2 from pile 0"."""
    return cell.locator(f".coin[aria-label^='{words},']")


@in_lab("piles")
def test_the_slider_moves_the_slice_by_key_and_by_mouse(cell):
    says(cell, "(3, 3, 7): a winning position. The player to move can force a win: take 7 from pile 2")
    handle = knob(cell, "Pile 2")
    for _ in range(5):
        handle.press("ArrowLeft")
    says(cell, "(3, 3, 2): a winning position.")
    expect(place(cell, 1, 3, 2)).to_have_class(re.compile("lost"))
    drag_to_the_left_end(handle)
    says(cell, "(3, 3, 0): a losing position. Against perfect play the player to move loses")
    lost = cell.locator("svg > g:first-of-type > .lost").evaluate_all("cells => cells.map(cell => cell.dataset.to)")
    assert lost == [f"{same},{same},0" for same in range(16)]
    frame = place(cell, 3, 3, 0).locator(".frame").evaluate("frame => getComputedStyle(frame).stroke")
    ink = [int(part) / 255 for part in re.findall(r"\d+", frame)[:3]]
    assert min(contrast(ink, "#0072b2"), contrast(ink, "#ffffff")) >= WEAK  # the cell, and the cells around it
    shot_of(cell, "piles-lost")


@in_lab("piles")
def test_a_cell_is_clicked_and_its_winning_moves_appear(cell):
    knob(cell, "Pile 2").press("Home")
    place(cell, 9, 4, 0).click()
    says(
        cell,
        "(9, 4, 0): a winning position. The player to move can force a win: take 5 from pile 0 (what is left is two",
    )
    expect(cell.locator("path.arrow")).to_have_count(1)
    expect(cell.get_by_role("table").locator("tbody tr")).to_have_count(1)
    place(cell, 9, 4, 0).focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Enter"):
        cell.page.keyboard.press(key)
    says(cell, "(10, 6, 0): a winning position. The player to move can force a win: take 4 from pile 0")
    expect(place(cell, 10, 6, 0)).to_be_focused()
    strip = cell.locator("[data-group='strip'] [data-to='10,6,12']")
    strip.hover()
    expect(cell.locator("[data-peek]")).to_have_text("(10, 6, 12): losing")
    strip.click()
    says(cell, "(10, 6, 12): a losing position.")
    expect(cell.locator(".readout").first).to_have_text("12")
    shot_of(cell, "piles-cell")


@in_lab("piles")
def test_what_belongs_together_lights_up(cell):
    knob(cell, "Pile 2").fill("12")
    place(cell, 3, 5, 12).click()
    says(cell, "(3, 5, 12): a winning position.")
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
    expect(cell.locator("[data-peek]")).to_have_text("(3, 4, 12): winning")
    shot_of(cell, "piles-linked")


@in_lab("game")
def test_best_play_goes_move_by_move(cell):
    press(cell, "Best move")
    says(cell, "(1, 2, 4): best play took 1 from pile 2. (1, 2, 3): a losing position.")
    expect(cell.locator("path.arrow")).to_have_count(0)
    expect(cell.locator(".gone")).to_have_count(1)
    cell.get_by_text("Show the code").click()
    expect(cell.get_by_label("The code of this lab")).to_contain_text("state = game.play(state, (2, 1))")
    coin(cell, "take 1 from pile 0").press("Enter")
    says(cell, "(0, 2, 3): a winning position.")
    expect(place(cell, 0, 2, 3)).to_be_focused()  # the coin is gone
    shot_of(cell, "piles-best")


@in_lab("sums")
def test_the_nim_sums_come_and_go(cell):
    expect(place(cell, 1, 6, 3)).to_have_text("4")
    cell.get_by_label("Nim-sums").uncheck()
    expect(place(cell, 1, 6, 3)).to_have_text("")


# --- greedy coins

A = [[0, 0, 0, 0], [2, 4, 4], [2, 4], [5]]  # of 1 2 4 3, from the base upwards


def part(cell, to):
    """A cell of the triangle, such as "0,2", or a coin: "L" and "R" are the ends, and "coin 1" is between them."""
    return cell.locator(f"[data-to='{to}']")


def lit(cell):
    """The coins and cells with a ring around them."""
    return set(
        cell.locator("[data-to]:has(.ring)").evaluate_all(
            """parts => parts.filter(part => getComputedStyle(part.querySelector(".ring")).stroke !== "rgba(0, 0, 0, 0)")
                .map(part => part.dataset.to)"""
        )
    )


def keys(page, *names):
    for name in names:
        page.keyboard.press(name)


@in_lab("fill")
def test_the_table_of_1_2_4_3_filled_in_by_keyboard(cell):
    page = cell.page
    cell.get_by_role("textbox", name="Coin 1, Bob moves.").focus()
    keys(page, "1", "Enter")
    says(cell, "✗ Coin 1, Bob moves: 1 is wrong. Bob takes this coin, so Alice does not get it.")
    shot_of(cell, "triangle-fill-wrong")
    for level in A:
        for value in level:
            before = cell.locator("foreignObject").count()
            keys(page, str(value), "Tab" if before == 9 else "Enter")  # either way the focus moves to the next cell
            expect(cell.locator("foreignObject")).to_have_count(before - 1)
            if before == 6:
                keys(page, "ArrowRight", "ArrowLeft", "?")
                says(cell, "Hint: Coins 2 4, Alice moves. Left: 2 + 0 = 2. Right: 4 + 0")
                shot_of(cell, "triangle-fill-hint")
    says(cell, "Well done: all 10 cells are correct, with 1 wrong answer on the way")
    expect(cell.get_by_text("10 of 10 cells are correct")).to_be_visible()


@in_lab("margin")
def test_margins_and_arrows_by_keyboard(cell):
    part(cell, "0,0").locator("input").focus()
    for answer, words in {
        "2": "✓ Correct. Coin 2, Alice moves",
        "5": "✓ Correct. Coin 5, Alice",
        "1": "✓ Correct. Coin 1, Alice",
        "3R": "✓ Correct. Coins 2 5, Bob moves: the right end is best.",
        "4": "The number is correct. Coins 5 1: which end is best",
        "L": "✓ Correct. Coins 5 1",
        "-1B": "✗ Coins 2 5 1, Alice moves: −1 is wrong",
        "-2B": "★ Well done",
    }.items():
        cell.page.keyboard.type(answer)
        keys(cell.page, "Enter")
        says(cell, words)
    says(cell, "Alice's margin is −2")
    shot_of(cell, "triangle-margin-done")


@in_lab("play")
def test_a_move_by_click_and_by_key_and_what_it_cost(cell):
    says(cell, "You can announce: “I get at least 5, whatever you do.”")
    part(cell, "R").dblclick()  # one move
    says(cell, "You take the 3 on the right. It costs nothing; nor would the other end.")
    says(cell, "The computer takes the 4 on the right.")
    keys(cell.page, "l")
    says(cell, "You take the 1 on the left. A mistake: it costs 2 points of the margin.")
    says(cell, "The computer wins by 2.")
    shot_of(cell, "triangle-play-over")
    press(cell, "New game", "Let the computer choose")
    says(cell, "end for you: it could not hurt you.")


@in_lab("look")
def test_pointing_lights_up_coins_and_cells(cell):
    part(cell, "1,3").hover()
    assert lit(cell) == {"1,3", "coin 1", "coin 2", "R"}
    expect(cell.locator("[data-peek]")).to_have_text(
        "Coins 2 4 3, Bob moves. Left: Alice gets 4. Right: Alice gets 4. Both moves are equally good."
    )
    shot_of(cell, "triangle-look-hover")
    part(cell, "L").hover()
    assert lit(cell) == {"L", "0,0", "0,1", "0,2", "0,3"}
    cell.page.mouse.move(5, 5)
    part(cell, "0,3").focus()
    keys(cell.page, "ArrowDown")
    assert lit(cell) == {"0,2", "L", "coin 1", "coin 2"}
    keys(cell.page, "ArrowDown", "ArrowDown", "ArrowDown")
    assert lit(cell) == {"L", "0,0", "0,1", "0,2", "0,3"}


@in_lab("look")
def test_best_play_step_by_step_and_another_row(cell):
    press(cell, "One step")
    says(cell, "Alice takes the 1 on the left.")
    press(cell, "Run")
    says(cell, "A tie.")
    expect(cell.get_by_role("button", name="Run", exact=True)).to_be_visible()
    row = cell.get_by_label("Coins", exact=True)
    row.fill("1 2 x")
    row.press("Enter")
    says(cell, "“x” is not a coin")
    assert cell.locator(".token").count() == 4
    row.fill("3 5 1 2")
    row.press("Enter")
    says(cell, "at least 7, whatever")
    cell.get_by_text("Show the code").click()
    expect(cell.get_by_label("The code of this lab")).to_contain_text("coins = (3, 5, 1, 2)")
    shot_of(cell, "triangle-look-code")
