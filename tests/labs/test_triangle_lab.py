"""The triangle lab without a browser: what it shows and what it announces are true."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from triangle_words import arrows, cells, numbers, said

from coincourse.labs import TriangleLab, hard_row
from coincourse.labs.perfect_play.coin_rows import read_row
from coincourse.labs.perfect_play.triangle_cells import ENDS, TABLES
from coinlib import solve_greedy

ROW = (1, 2, 4, 3)
ROWS = st.lists(st.integers(0, 30), min_size=2, max_size=7).map(tuple)


# --- the row


def test_a_bad_row_is_refused_in_words_and_on_the_screen_the_old_one_stays():
    for coins, complaint in [
        ("", "This row has 0 coins: write 2 to 14"),
        ("1", "This row has 1 coin: write 2 to 14"),
        ("12212112", "“12212112” is not a coin: .* with spaces between them"),
        ((1, 2.5), "“2.5” is not a coin: write whole numbers from 0 to 999"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            TriangleLab(coins=coins)
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


# --- the picture, compared with the handout's description


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


@settings(max_examples=25)
@given(ROWS, st.sampled_from(list(TABLES)))
def test_numbers_arrows_and_words_are_those_of_the_tables(coins, show):
    lab, greedy, size = TriangleLab(coins=coins, show=show), solve_greedy(coins), len(coins)
    table = re.findall(r"<tr><th scope='row'>(.*?)</th><td>(\w+)</td><td>.*?</td><td>([a-z ]*)</td></tr>", lab.page)
    drawn = []
    for (i, j), (text, number) in cells(lab).items():
        value, best = getattr(greedy, show)[i, j], str(greedy.moves[i, j]) if i < j else ""
        player = ("Alice", "Bob")[(size - (j - i + 1)) % 2]
        assert number == str(value).replace("-", "−")
        assert ("equally good" in text) == (best == "LR")
        candidates = [int(found.replace("−", "-")) for found in re.findall(r"(?:=|gets) (−?\d+)\.", text)]
        if i < j:
            assert value == (min if (show, player) == ("alice", "Bob") else max)(candidates)
        drawn += [(player.lower(), {"L": "1", "R": "-1"}[end]) for end in best]  # to what is left
        row = " ".join(map(str, coins[i : j + 1]))
        assert table.pop() == (row, player, " or ".join(ENDS[end] for end in best) or "the last coin")
    assert table == []
    assert arrows(lab) == drawn


# --- looking and playing


@settings(max_examples=25)
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


def test_without_the_table_the_coins_alone_are_shown():
    lab = TriangleLab(task="play", reveal=False)
    assert cells(lab) == {}
    assert lab.data.coins_left == [1, 2, 4, 3]
    assert arrows(lab) == []
    assert "<details>" not in lab.page
    assert "cell" not in said(lab)
    assert "announce" not in said(lab)  # it would give away the table
    lab.take("R")
    assert lab.data.coins_left == [1, 2]
    assert "announce" not in said(lab) and "cost" not in said(lab)  # nor is a mistake named
    lab.reveal = True
    assert "It costs nothing" in said(lab)
    assert numbers(lab)[0, 3] == "5" and "You can announce" in said(lab)
    assert lab.data.moves


@pytest.mark.parametrize(
    ("side", "moves", "end"),
    [
        ("alice", "RRRL", "could be sure of 5, and you got 5."),
        ("alice", "LLRL", "could be sure of 5, and you got 4: 1 less."),
        ("bob", "RRRL", "could be sure of 5, and you got 5."),
    ],
)
def test_at_the_end_without_the_table_the_points_are_compared_with_those_that_were_safe(side, moves, end):
    assert end in said(TriangleLab(task="play", side=side, reveal=False, moves=moves))


def test_without_the_table_the_computer_may_choose_any_move_so_the_button_does_not_show_the_best():
    lab = TriangleLab(coins=(4, 2, 1, 2), task="play", reveal=False)
    assert not lab.data.tease
    lab.let_choose()
    assert "end for you." in lab.data.notice
    lab = TriangleLab(coins=(4, 2, 1, 2), task="play")
    lab.let_choose()
    assert lab.data.moves == "" and "equally good" in lab.data.notice


@pytest.mark.parametrize("number", range(1, 9))
def test_in_a_hard_row_only_the_table_keeps_the_word(number):
    """Neither the larger end nor one colour gets Alice all she can have, whatever the perfect player replies."""
    coins = hard_row(number)
    announced = solve_greedy(coins).value
    assert coins == hard_row(number)
    assert max(sum(coins[0::2]), sum(coins[1::2])) < announced
    teased = 0
    for seed in range(4):
        by_larger = TriangleLab(coins=coins, task="play", reveal=False, seed=seed)
        while by_larger.data.run:
            i, j = by_larger.data.run
            by_larger.take("L" if coins[i] >= coins[j] else "R")
        assert by_larger.data.points[0] < announced
        by_table = TriangleLab(coins=coins, task="play", reveal=False, seed=seed)
        while by_table.data.run:
            if by_table.data.tease:
                by_table.let_choose()
                teased += 1
            else:
                by_table.take(str(by_table.data.greedy.moves[by_table.data.run])[0])
        assert by_table.data.points[0] == announced
    assert teased


def test_each_coin_says_who_took_it():
    page = TriangleLab(coins=(3, 5, 1, 2), moves="LRL").page
    assert re.findall(r"Coin (\d), taken by (\w+)\.", page) == [("3", "Alice"), ("5", "Alice"), ("2", "Bob")]
