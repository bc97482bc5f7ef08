"""Greedy coins: the tables A, M and S, the margin in linear time, and what is not a row of coins."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from coinlib import compiling, greedy_margin, greedy_move, greedy_valley, solve_greedy

# --- another way to compute the same thing --------------------------------------------------------------


class Totals(NamedTuple):
    """What the player to move and the other player get, and the best moves, directly from the rules."""

    mover: int
    other: int
    moves: str


@cache
def by_rules(coins: tuple) -> Totals:
    """Ignore margins: each player wants as many points as possible."""
    if not coins:
        return Totals(0, 0, "")
    by_left = coins[0] + by_rules(coins[1:]).other
    by_right = coins[-1] + by_rules(coins[:-1]).other
    moves = "LR" if by_left == by_right else "L" if by_left > by_right else "R"
    return Totals(max(by_left, by_right), sum(coins) - max(by_left, by_right), moves)


def check_tables(coins: tuple) -> None:
    """A, S and M for every run of coins, and the linear way."""
    greedy, size = solve_greedy(coins), len(coins)
    for (i, j), margin in np.ndenumerate(greedy.margin):
        totals = by_rules(coins[i : j + 1])
        alices_turn = (size - (j - i + 1)) % 2 == 0
        assert (greedy.alice[i, j], margin, greedy.moves[i, j]) == (
            totals.mover if alices_turn else totals.other,
            totals.mover - totals.other,
            totals.moves,
        )
    assert greedy.value == greedy.alice[0, -1]
    assert (greedy_margin(coins), greedy_move(coins)) == (greedy.margin[0, -1], greedy.moves[0, -1]), coins


# --- worked examples ------------------------------------------------------------------------------------


def test_four_coins_cell_by_cell():
    """The example of the handout: from the start Alice gets 5, and it does not matter which coin she takes."""
    greedy = solve_greedy([1, 2, 4, 3])
    assert greedy.alice.tolist() == [[0, 2, 2, 5], [0, 0, 4, 4], [0, 0, 0, 4], [0, 0, 0, 0]]
    assert greedy.margin.tolist() == [[1, 1, 3, 0], [0, 2, 2, 1], [0, 0, 4, 1], [0, 0, 0, 3]]
    assert greedy.moves.tolist() == [
        ["LR", "R", "R", "LR"],
        ["", "LR", "R", "LR"],
        ["", "", "LR", "L"],
        ["", "", "", "LR"],
    ]
    assert greedy.line(0, 2) == [("R", 4), ("R", 2), ("L", 1)]


@pytest.mark.parametrize(
    ("coins", "alice", "total", "margin", "move"),
    [
        ((1, 2, 4, 3), 5, 10, 0, "LR"),
        ((3, 5, 1, 2), 7, 11, 3, "R"),
        ((1, 2, 2, 1, 2, 1, 1, 2), 7, 12, 2, "R"),  # two tied halves make no tie
        ((2, 1, 2, 3, 3, 3), 8, 14, 2, "R"),  # equal colours do not make both moves equal
        ((2, 1, 2, 5, 5, 3), 10, 18, 2, "R"),  # my coin less Bob's best next one would take the left coin
        ((3, 1, 2, 4), 6, 10, 2, "R"),  # not the row of the example, which is a tie
        ((1, 5, 1), 2, 7, -3, "LR"),  # with an odd number of coins Alice may lose
    ],
)
def test_the_rows_of_the_course(coins, alice, total, margin, move):
    check_tables(coins)
    greedy = solve_greedy(coins)
    assert (greedy.value, sum(coins), greedy.margin[0, -1], greedy.moves[0, -1]) == (alice, total, margin, move)


def test_the_larger_game_has_many_sisters():
    """Alice 27 of 1, x, 9, y, 17, z: first the 1, then the 9 or the 17, whatever Bob takes."""
    found = []
    for x, y, z in product(range(1, 25, 2), repeat=3):
        greedy = solve_greedy((1, x, 9, y, 17, z))
        free = greedy.moves[2, 5] == "L" and greedy.moves[1, 4] == "R"  # Bob has taken the x, or the z
        if greedy.value == 27 and greedy.moves[0, 5] == "L" and greedy.moves[1, 5] == "LR" and free:
            found.append((x, y, z))
    assert len(found) > 300


# --- against brute force --------------------------------------------------------------------------------


def test_every_row_of_up_to_five_coins():
    """All 1,364 rows of one to five coins with values 1 to 4: every cell, and the linear way."""
    for size in range(1, 6):
        for coins in product(range(1, 5), repeat=size):
            check_tables(coins)


rows = st.lists(st.integers(0, 9) | st.integers(0, 10**6), min_size=1, max_size=12).map(tuple)


@given(rows)
def test_longer_rows_with_zeros_and_larger_coins(coins):
    check_tables(coins)


def kinds_of_rows(size: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(size)
    high = generator.integers(500, 1_000, size)
    return {
        "few values": generator.integers(1, 5, size),
        "zeros": generator.integers(0, 2, size),
        "many values": generator.integers(0, 10**9, size),
        "upwards": np.sort(generator.integers(0, 1_000, size)),
        "downwards": np.sort(generator.integers(0, 1_000, size))[::-1],
        "peaks and pits": np.where(np.arange(size) % 2, high, high - 400),
        "a hill": np.minimum(np.arange(size), np.arange(size)[::-1]),
        "a valley": np.maximum(np.arange(size), np.arange(size)[::-1]),
    }


@pytest.mark.parametrize("size", [1, 2, 7, 101, 300])
def test_the_linear_way_against_the_tables(size):
    for name, coins in kinds_of_rows(size).items():
        greedy = solve_greedy(coins)
        for i, j in [(0, size - 1), *np.sort(np.random.default_rng(1).integers(0, size, (20, 2)))]:
            assert greedy_margin(coins[i : j + 1]) == greedy.margin[i, j], name
            assert greedy_move(coins[i : j + 1]) == greedy.moves[i, j], name


def has_peak(coins) -> bool:
    return any(a <= b >= c for a, b, c in zip(coins, coins[1:], coins[2:]))


@pytest.mark.parametrize("size", [1, 2, 7, 101, 300])
def test_a_valley_has_no_peak_and_the_margin_of_its_row(size):
    for name, coins in kinds_of_rows(size).items():
        valley = greedy_valley(coins)
        assert not has_peak(valley), name
        down = sorted(valley, reverse=True)
        assert sum(down[0::2]) - sum(down[1::2]) == solve_greedy(coins).margin[0, -1], name
    assert greedy_valley(kinds_of_rows(size)["a valley"]) == kinds_of_rows(size)["a valley"].tolist()


def test_the_larger_end_of_the_valley_is_a_best_move_in_the_row():
    """An end made by fusing stands for taking its peak: lesson 11."""
    for coins in (row for count in range(1, 8) for row in product(range(1, 5), repeat=count)):
        valley = greedy_valley(coins)
        first, last = valley[0], valley[-1]
        best = greedy_move(coins)
        assert first < last or "L" in best, coins
        assert last < first or "R" in best, coins


def test_a_million_coins():
    """A sorted row is a valley: the coins are taken from the largest down."""
    coins = np.sort(np.random.default_rng(1).integers(0, 10**9, 1_000_001))
    assert greedy_margin(coins) == coins[::-2].sum() - coins[-2::-2].sum()
    assert greedy_move(coins) == "R"


# --- play -----------------------------------------------------------------------------------------------


@given(rows, st.booleans(), st.integers(0, 2**32))
def test_the_margin_of_a_game_is_the_value_less_what_the_mistakes_cost(coins, best, seed):
    """From any run of coins: along the line of best play, which costs nothing, or with moves drawn at random."""
    greedy, generator = solve_greedy(coins), np.random.default_rng(seed)
    first, last = i, j = np.sort(generator.integers(0, len(coins), 2)).tolist()
    line = greedy.line(i, j)
    points, costs = [0, 0], [0, 0]
    for turn, (move, coin) in enumerate(line):
        move = move if best else "LR"[generator.integers(2)]
        costs[turn % 2] += greedy.cost(move, i, j)
        points[turn % 2] += coins[i if move == "L" else j]
        assert not best or coin == coins[i if move == "L" else j]
        i, j = (i + 1, j) if move == "L" else (i, j - 1)
    assert points[0] - points[1] == greedy.margin[first, last] - costs[0] + costs[1]
    assert i == j + 1 and (costs == [0, 0] or not best)


def test_what_a_mistake_costs():
    """By hand: for the player to move 3 5 is worth 2, 5 1 2 is worth 4, 1 2 is worth 1, and 3 5 1 is worth -1."""
    greedy = solve_greedy([3, 5, 1, 2])
    assert greedy.cost("L") == 3 - (3 - 4) == 4
    assert greedy.cost("R") == 3 - (2 + 1) == 0
    assert greedy.cost("R", 1) == greedy.cost("R", 1, 3) == 4 - (2 - 4) == 6
    assert greedy.cost("L", 1, 1) == greedy.cost("R", 1, 1) == 0  # one coin, and nothing to choose


def test_the_tables_cannot_be_changed_and_say_what_they_are():
    greedy = solve_greedy([3, 5, 1, 2])
    for table in (greedy.alice, greedy.margin, greedy.moves):
        with pytest.raises(ValueError, match="read-only"):
            table[0, 0] = 1
    assert repr(greedy) == "Greedy(4 coins: Alice gets 7 of 11)"
    assert repr(solve_greedy([2])) == "Greedy(1 coin: Alice gets 2 of 2)"


# --- values of any size and kind ------------------------------------------------------------------------

LIMIT = 2**62


def test_no_sum_overflows_in_silence():
    for coins in ((LIMIT - 1,), (LIMIT // 5,) * 5):
        check_tables(coins)
    for coins in ((2**61, 2**61), (1, 2**63 - 1, 1), np.array([2**63, 1], dtype=np.uint64), (10**40,)):
        for ask in (solve_greedy, greedy_margin, greedy_move):
            with pytest.raises(OverflowError, match="add up to less than"):
                ask(coins)


@pytest.mark.parametrize("kind", ["int8", "uint64", ">i4", object, list, range])
def test_every_kind_of_whole_number(kind):
    """A row as a list or an array, every second coin of an array, and a read-only array."""
    array = np.arange(20)
    array.flags.writeable = False
    coins = range(0, 20, 2) if kind is range else list(array[::2]) if kind is list else array[::2].astype(kind)
    greedy = solve_greedy(coins)
    assert greedy.coins == tuple(range(0, 20, 2)) and {type(coin) for coin in greedy.coins} == {int}
    assert [greedy_margin(row) for row in (coins, array[::2], array[::-2])] == [10] * 3
    assert (greedy_move(coins), greedy_move(array[::-2])) == ("R", "L")


def test_with_numba_and_without_it_the_tables_are_the_same(monkeypatch):
    pytest.importorskip("numba")
    rows = [
        row for size in (1, 2, 5, 40) for row in [*kinds_of_rows(size).values(), np.full(size, (LIMIT - 1) // size)]
    ]

    def everything(row):
        greedy = solve_greedy(row)
        tables = [(table.dtype, table.tolist()) for table in (greedy.alice, greedy.margin, greedy.moves)]
        return tables, greedy_margin(row), greedy_move(row)

    compiled = [everything(row) for row in rows]
    monkeypatch.setattr(compiling, "numba_or_none", lambda: None)
    assert [everything(row) for row in rows] == compiled
