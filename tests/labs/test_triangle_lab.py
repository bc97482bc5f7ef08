"""The triangle lab without a browser: what it shows, allows, judges and says, and what it leaves in a notebook."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coincourse.labs import TriangleLab
from coincourse.labs.perfect_play.coin_rows import read_row
from coincourse.labs.perfect_play.triangle_cells import ENDS, TABLES, verdict_on
from coinlib import solve_greedy
from coinlib.runs import runs_of

ROW, EIGHT = (1, 2, 4, 3), (1, 2, 2, 1, 2, 1, 1, 2)
ROWS = st.lists(st.integers(0, 30), min_size=2, max_size=7).map(tuple)


def said(lab):
    """All words on the page, without the table."""
    text = re.sub(r"<style>.*?</style>|<details>.*</details>|<svg.*</svg>", "", lab.page, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]*>", " ", text).split()))


def cells(lab):
    """Of each cell in the picture what is said of it, and what stands in it."""
    found = re.findall(
        r"<g class='place cell.*?data-to='(\d+),(\d+)'.*?(?:<input value='(.*?)'[^>]*?)? "
        r"aria-label='(.*?)'.*?(?:<text y='6'[^>]*>(.*?)</text>|</g>)",
        lab.page,
        flags=re.DOTALL,
    )
    return {(int(i), int(j)): (unescape(words), typed or number) for i, j, typed, words, number in found}


def numbers(lab):
    return {cell: number for cell, (_, number) in cells(lab).items()}


def arrows(lab):
    """Of each arrow who moves, and whether it points to the right."""
    arrows = r"class='place cell (\w+)(.*?)</g>"
    found = re.findall(arrows, lab.page, flags=re.DOTALL)
    return [(who, way) for who, cell in found for way in re.findall(r"transform='scale\((-?1) 1\)'", cell)]


def disabled(lab):
    """The buttons, and whether they are out of use."""
    return {button.words: button.disabled for row in lab.rows().values() for button in row.buttons}


# --- the row


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("", "this row has 0 coins: write 2 to 14"),
        ("1", "this row has 1 coin: write 2 to 14"),
        ("12212112", "“12212112” is not a coin: .* with spaces between them"),
        ((1, 2.5), "“2.5” is not a coin: write whole numbers from 0 to 999"),
    ],
)
def test_a_bad_row_is_refused_in_words(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        TriangleLab(coins=words)


def test_on_the_screen_a_bad_row_is_said_and_the_old_one_stays():
    lab = TriangleLab(moves="R")
    lab.coins = "1 2 x"
    assert said(lab).startswith("“x” is not a coin: write whole numbers")
    assert "The old row stays." in said(lab)
    assert (lab.settings["coins"], lab.settings["moves"]) == (ROW, "R")
    lab.seed = 5  # starts again with the row that is shown
    assert (lab.settings["coins"], lab.settings["moves"], lab.coins) == (ROW, "", "1 2 4 3")
    lab.coins = "3 5 1 2"
    assert numbers(lab)[0, 3] == "7"


def test_a_shuffle_is_named_by_the_seed():
    lab, other = TriangleLab(coins=(3, 5, 1, 2)), TriangleLab(coins=(1, 2, 3, 5))
    rows = set()
    for _ in range(6):
        lab.press("Shuffle")
        other.shuffle()
        assert lab.data.coins == other.data.coins == read_row(lab.coins)
        assert sorted(lab.data.coins) == [1, 2, 3, 5]
        rows.add(lab.data.coins)
    assert lab.seed == 7
    assert len(rows) > 2


# --- the picture, beside the handout's description


def test_the_triangle_of_the_handout_cell_by_cell():
    found = cells(TriangleLab())
    assert {cell: number for cell, (_, number) in found.items()} == {
        (0, 3): "5", (0, 2): "2", (1, 3): "4", (0, 1): "2", (1, 2): "4", (2, 3): "4",
        (0, 0): "0", (1, 1): "0", (2, 2): "0", (3, 3): "0",
    }  # fmt: skip
    assert found[0, 3][0] == (
        "Coins 1 2 4 3, Alice moves. Left: 1 + 4 = 5. Right: 3 + 2 = 5. Both moves are equally good."
    )
    assert found[0, 2][0] == (
        "Coins 1 2 4, Bob moves. Left: Alice gets 4. Right: Alice gets 2. "
        "Bob leaves Alice the smaller, 2: the right coin is best."
    )


@given(ROWS, st.sampled_from(list(TABLES)))
def test_numbers_arrows_and_words_are_those_of_the_tables(coins, show):
    lab, greedy, size = TriangleLab(coins=coins, show=show), solve_greedy(coins), len(coins)
    table = re.findall(r"<tr><th scope='row'>(.*?)</th><td>(\w+)</td><td>.*?</td><td>([a-z ]*)</td></tr>", lab.page)
    drawn = []
    for (i, j), (words, number) in cells(lab).items():
        value, best = getattr(greedy, show)[i, j], str(greedy.moves[i, j]) if i < j else ""
        player = ("Alice", "Bob")[(size - (j - i + 1)) % 2]
        assert number == str(value).replace("-", "−")
        assert ("equally good" in words) == (best == "LR")
        candidates = [int(found.replace("−", "-")) for found in re.findall(r"(?:=|gets) (−?\d+)\.", words)]
        if i < j:
            assert value == (min if (show, player) == ("alice", "Bob") else max)(candidates)
        drawn += [(player.lower(), {"L": "1", "R": "-1"}[end]) for end in best]  # to what is left
        row = " ".join(map(str, coins[i : j + 1]))
        assert table.pop() == (row, player, " or ".join(ENDS[end] for end in best) or "the last coin")
    assert table == []
    assert arrows(lab) == drawn


def test_what_a_cell_means_is_said_for_both_tables():
    lab = TriangleLab()
    assert "In each cell A: how many points Alice still gets when the coins under the cell are left." in said(lab)
    lab.show = "margin"
    assert "In each cell S: by how many points whoever moves beats the other, from there on." in said(lab)
    assert "Arrows are best moves and point to what is left: thick and blue for Alice" in said(lab)
    lab.task = "fill"
    assert said(lab).startswith("Fill in S, from the base upwards.")
    assert "Type a number and press Enter." in said(lab)
    lab.arrows = True
    assert "Type a number, above the base with L, R or LR (both) behind it, and press Enter." in said(lab)


def test_without_the_table_nothing_is_said_of_empty_cells():
    lab = TriangleLab(task="play", reveal=False)
    assert "In each cell" not in said(lab) and "Square cells: Alice moves." in said(lab)


# --- looking and playing


def test_best_play_step_by_step():
    lab = TriangleLab(coins=(3, 5, 1, 2))
    for moves in ("R", "RL", "RLL", "RLLL", "RLLL"):
        lab.press("One step")
        assert lab.data.moves == moves
    assert said(lab).startswith("Bob takes the 1, the last coin. Alice wins by 3. Alice 7, Bob 4.")
    lab.press("Start again")
    assert lab.data.moves == ""
    lab.pause = 0
    lab.run()
    assert lab.data.moves == "RLLL"


def test_a_mistake_is_said_with_its_cost_and_can_be_punished():
    lab = TriangleLab(coins=(3, 5, 1, 2), task="play", seed=3)
    assert said(lab).startswith("Your turn. You can announce: “I get at least 7, whatever you do.”")
    lab.take("L")
    assert said(lab).startswith(
        "You take the 3 on the left. A mistake: it costs 4 points of the margin. The computer takes the 5"
    )
    assert "You 3, the computer 5: the computer leads by 2. You can announce: “I get at least 2 more, 5 in all" in said(
        lab
    )
    lab.clicked("R")
    assert "You take the 2 on the right. It costs nothing. The computer takes the 1, the last coin." in said(lab)
    assert "The computer wins by 1. You 5, the computer 6." in said(lab)
    assert (
        "Points of the margin lost by mistakes: you 4; the computer 0. When both play perfectly, whoever moves first gets 7."
        in said(lab)
    )
    assert disabled(lab)["Take left"] and disabled(lab)["Take right"]


@given(ROWS, st.sampled_from(["alice", "bob"]), st.integers(0, 99), st.sampled_from(["random", "perfect"]))
def test_what_is_announced_is_kept_by_best_play_against_anything(coins, side, seed, opponent):
    lab = TriangleLab(coins=coins, task="play", opponent=opponent, side=side, seed=seed)
    you = ["alice", "bob"].index(side)
    announced = 0
    while lab.data.run:
        total = int(re.search(r"at least (?:\d+ more, )?(\d+)", said(lab))[1])
        assert total >= announced
        announced = total
        lab.take(str(lab.data.greedy.moves[lab.data.run])[-1])
    assert lab.data.points[you] >= announced
    assert sum(lab.data.costs[you::2]) == 0
    assert opponent == "random" or not sum(lab.data.costs)


def test_the_tease_is_offered_only_where_both_ends_are_best():
    lab = TriangleLab(task="play")
    assert "let the computer choose your move" in said(lab)
    lab.press("Let the computer choose")
    assert re.match(r"The computer chose the (left|right) end for you: it could not hurt you\.", said(lab))
    assert lab.data.costs[0] == 0
    for other in (TriangleLab(coins=(3, 5, 1, 2), task="play"), TriangleLab()):
        assert disabled(other).get("Let the computer choose", True)
        other.let_choose()
        assert said(other).startswith("Only where both ends are equally good for you.")
        assert other.data.moves == ""


def test_undo_and_new_game():
    lab = TriangleLab(task="play")
    lab.press("Undo")
    assert said(lab).startswith("There is no move of yours to take back.")
    lab.take("R")
    assert len(lab.data.moves) == 2
    lab.press("Undo")
    assert lab.data.moves == ""
    lab = TriangleLab(task="play", side="bob", moves="RRL")
    lab.undo()
    assert lab.data.moves == "R"
    lab.press("New game")
    assert (lab.seed, len(lab.data.moves)) == (2, 1)


def test_without_the_table_no_number_is_shown():
    lab = TriangleLab(task="play", reveal=False)
    assert set(numbers(lab).values()) == {""}
    assert arrows(lab) == []
    assert "<details>" not in lab.page
    assert "announce" not in said(lab)  # it would tell what the table holds
    lab.take("R")
    assert "announce" not in said(lab) and "It costs nothing" in said(lab)
    lab.reveal = True
    assert numbers(lab)[0, 3] == "5" and "You can announce" in said(lab)
    assert lab.data.moves


# --- filling in


def test_a_table_filled_in_cell_by_cell():
    lab = TriangleLab(task="fill")
    assert set(numbers(lab).values()) == {""}
    greedy = solve_greedy(ROW)
    for done, (i, j) in enumerate(runs_of(greedy)):
        assert f"{done} of 10 cells are correct; wrong answers: 0." in said(lab)
        assert re.findall(r"data-to='(\d,\d)'[^>]*data-now", lab.page) == [f"{i},{j}"]  # where the focus goes next
        lab.typed(f"{i},{j}", f"{greedy.alice[i, j]}")
        assert lab.data.notice.startswith("✓ Correct.")
    assert "<input" not in lab.page
    assert "★ Well done: all 10 cells are correct, without one wrong answer. Alice gets 5 of 10." in said(lab)
    assert len(arrows(lab)) == 8
    lab.show = "margin"
    assert "0 of 10 cells" in said(lab)
    lab.task = "look"
    lab.one_step()
    lab.task, lab.show = "fill", "alice"
    assert "all 10 cells are correct" in said(lab)  # answers are kept, for both tables
    lab.press("Empty table")
    assert lab.settings["filled"] == ()


def test_a_wrong_answer_stays_until_it_is_mended():
    lab = TriangleLab(task="fill", show="margin")
    lab.fill(0, 0, "-1")
    assert "✗ Coin 1, Bob moves: −1 is wrong. One coin is left, and Bob takes it." in said(lab)
    assert cells(lab)[0, 0] == ("Coin 1, Bob moves. ✗ Wrong.", "−1")
    lab.fill(0, 0, "-1")  # counts once
    lab.fill(0, 0, "+1")
    assert "1 of 10 cells are correct; wrong answers: 1." in said(lab)
    for typed in ("one", "L", "2.5", "7X", "12345678"):
        lab.fill(0, 0, typed)
        assert f"“{typed}” is no answer: write a whole number." in said(lab)
    assert lab.settings["filled"] == (("margin", 0, 0, -1), ("margin", 0, 0, 1))


@pytest.mark.parametrize(
    ("coins", "show", "cell", "answer", "words"),
    [
        (ROW, "alice", (3, 3), 3, "Bob takes this coin, so Alice does not get it."),
        ((2, 5, 1), "alice", (0, 0), 0, "One coin is left, and Alice takes it."),
        (ROW, "alice", (0, 1), 1, "for Alice the other end is better"),
        (ROW, "alice", (0, 2), 4, "he leaves her as little as he can"),
        (ROW, "alice", (0, 2), 6, "Bob keeps the coin that he takes"),
        (ROW, "alice", (0, 3), 4, "Add the coin that Alice takes now"),
        ((3, 5, 1, 2), "alice", (1, 3), 6, "That is what Bob gets of these coins"),
        (ROW, "alice", (0, 3), 0, "That number belongs in the other table, S."),
        (ROW, "alice", (0, 3), 9, "Look at the two cells below it"),
        (ROW, "margin", (0, 1), -1, "for Alice the other end is better"),
        (ROW, "margin", (0, 2), 5, "Subtract, do not add"),
        ((2, 5, 1), "margin", (0, 2), 2, "Look at the sign: it is the margin of Alice"),
        (ROW, "margin", (0, 2), 2, "That number belongs in the other table, A."),
        (ROW, "margin", (0, 3), 50, "Look at the two cells below it"),
    ],
)
def test_a_wrong_number_gets_its_own_explanation(coins, show, cell, answer, words):
    verdict = verdict_on(solve_greedy(coins), show, *cell, answer)
    assert verdict.startswith("✗ ")
    assert words in verdict


@given(ROWS, st.sampled_from(list(TABLES)), st.integers(-40, 99), st.data())
def test_no_verdict_gives_the_number_away(coins, show, answer, data):
    greedy, j = solve_greedy(coins), data.draw(st.integers(0, len(coins) - 1))
    i = data.draw(st.integers(0, j))
    verdict, value = verdict_on(greedy, show, i, j, answer), getattr(greedy, show)[i, j]
    assert verdict.startswith("✓") == (answer == value)
    if answer != value:  # no number but the coins and the answer
        assert not re.search(r"\d", verdict.partition("is wrong.")[2])


def test_hints_name_the_two_candidates_once_the_cells_below_are_filled():
    lab = TriangleLab(task="fill")
    lab.hint()
    assert "Hint: Coin 1, Bob moves. Bob takes the last coin. How much of it does Alice get?" in said(lab)
    lab.looked_at("0,1")
    lab.press("Hint")
    assert "Hint: Coins 1 2, Alice moves. First fill in the cells of what is left: 2, and 1." in said(lab)
    lab.fill(0, 0, "0")
    lab.fill(1, 1, "0")
    lab.looked_at("0,1")
    lab.press("Hint")
    assert (
        "Hint: Coins 1 2, Alice moves. Left: 1 + 0 = 1. Right: 2 + 0 = 2. Alice chooses the larger. Which is it?"
        in said(lab)
    )


def test_arrows_are_asked_for_too():
    lab = TriangleLab(coins=(2, 5, 1), task="fill", arrows=True)
    for i, coin in enumerate((2, 5, 1)):
        lab.fill(i, i, str(coin))  # an odd row: the last coin is Alice's
    lab.fill(0, 1, "2")
    assert "✓ The number is correct. Coins 2 5: which end is best, L, R, or LR for both?" in said(lab)
    assert "3 of 6 cells" in said(lab)
    lab.fill(0, 1, "B")
    assert "✗ Coins 2 5, Bob moves: the two ends are not equally good. Compare what they give." in said(lab)
    lab.fill(0, 1, "l")
    assert "✗ Coins 2 5, Bob moves: the left end is not best. It costs 6 points of the margin." in said(lab)
    assert numbers(lab)[0, 1] == "2L"
    lab.fill(0, 1, "2R")
    assert "✓ Correct. Coins 2 5, Bob moves: the right end is best." in said(lab)
    lab.fill(1, 2, "1 L")
    lab.fill(0, 2, "3R")
    assert "the right end is best, but not alone" in said(lab)
    lab.fill(0, 2, "B")
    assert "★ Well done: all 6 cells are correct, with 3 wrong answers on the way. Alice gets 3 of 8." in said(lab)


# --- controls, and what a notebook keeps


def test_only_what_a_task_needs_is_shown():
    def shown(lab):
        parts = lab.view["above"] + lab.view["below"]
        return [part.get("name") or part["row"] for part in parts if not part.get("hidden")]

    lab = TriangleLab()
    assert shown(lab) == ["task", "coins", "show", "Look", "seed"]
    lab.task = "play"
    assert shown(lab) == ["task", "coins", "show", "Play", "side", "opponent", "reveal", "seed"]
    lab.task = "fill"
    assert shown(lab) == ["task", "coins", "show", "Fill in", "arrows", "seed"]
    lab = TriangleLab(controls=["show"])
    assert shown(lab) == ["show", "Look"]
    assert "Shuffle" not in disabled(lab)
