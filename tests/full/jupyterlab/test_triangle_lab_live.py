"""The triangle of greedy coins in JupyterLab, by mouse and by keyboard; the pictures are to be looked at."""

import pytest
from lab import expect, in_lab, press, says, shot_of

pytestmark = pytest.mark.browser

A = [[0, 0, 0, 0], [2, 4, 4], [2, 4], [5]]  # of 1 2 4 3, from the base upwards


def place(cell, to):
    """A cell of the triangle, such as "0,2", or a coin: "L" and "R" are the ends, and "coin 1" lies between them."""
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
            keys(page, str(value), "Tab" if before == 9 else "Enter")  # either way the focus goes on to the next cell
            expect(cell.locator("foreignObject")).to_have_count(before - 1)
            if before == 6:
                keys(page, "ArrowRight", "ArrowLeft", "?")
                says(cell, "Hint: Coins 2 4, Alice moves. Left: 2 + 0 = 2. Right: 4 + 0")
                shot_of(cell, "triangle-fill-hint")
    says(cell, "Well done: all 10 cells are correct, with 1 wrong answer on the way")
    expect(cell.get_by_text("10 of 10 cells are correct")).to_be_visible()


@in_lab("margin")
def test_margins_and_arrows_by_keyboard(cell):
    place(cell, "0,0").locator("input").focus()
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
    place(cell, "R").click()
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
    place(cell, "1,3").hover()
    assert lit(cell) == {"1,3", "coin 1", "coin 2", "R"}
    expect(cell.locator("[data-peek]")).to_have_text(
        "Coins 2 4 3, Bob moves. Left: Alice gets 4. Right: Alice gets 4. Both moves are equally good."
    )
    shot_of(cell, "triangle-look-hover")
    place(cell, "L").hover()
    assert lit(cell) == {"L", "0,0", "0,1", "0,2", "0,3"}
    cell.page.mouse.move(5, 5)
    place(cell, "0,3").focus()
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
