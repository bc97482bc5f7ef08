"""Greedy coins: the tables A, M and S, the margin in linear time, and what is not a row of coins."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from coinlib import (
    GreedyCoins,
    PerfectAgent,
    greedy_margin,
    greedy_move,
    loops,
    minimax,
    play_match,
    solve_greedy,
)

# --- another way to compute the same --------------------------------------------------------------------


class Totals(NamedTuple):
    """What whoever moves and the other player get, and the best moves: by the sentence of the rules."""

    mover: int
    other: int
    moves: str


@cache
def by_rules(coins: tuple) -> Totals:
    """Nobody looks at margins here: whoever moves wants as much as possible in their own pocket."""
    if not coins:
        return Totals(0, 0, "")
    after_left, after_right = by_rules(coins[1:]), by_rules(coins[:-1])
    by_left = coins[0] + after_left.other
    by_right = coins[-1] + after_right.other
    moves = "LR" if by_left == by_right else "L" if by_left > by_right else "R"
    return Totals(max(by_left, by_right), sum(coins) - max(by_left, by_right), moves)


def tables_by_rules(coins: tuple) -> tuple[list, list, list]:
    """A, S and M for every run of coins, with the rest as `solve_greedy` has it."""
    size = len(coins)
    alice, margin = ([[0] * size for _ in coins] for _ in range(2))
    moves = [[""] * size for _ in coins]
    for i in range(size):
        for j in range(i, size):
            totals = by_rules(coins[i : j + 1])
            alices_turn = (size - (j - i + 1)) % 2 == 0
            alice[i][j] = totals.mover if alices_turn else totals.other
            margin[i][j] = totals.mover - totals.other
            moves[i][j] = totals.moves
    return alice, margin, moves


def check_tables(coins: tuple) -> None:
    greedy = solve_greedy(coins)
    assert (greedy.alice.tolist(), greedy.margin.tolist(), greedy.moves.tolist()) == tables_by_rules(coins), coins
    assert greedy.value == greedy.alice[0, -1]
    assert greedy_margin(coins) == greedy.margin[0, -1], coins
    assert greedy_move(coins) == greedy.moves[0, -1], coins


rows = st.lists(st.integers(0, 9), min_size=1, max_size=10).map(tuple)


@st.composite
def runs(draw):
    """A row, and the first and the last coin of a part of it."""
    coins = draw(rows)
    i = draw(st.integers(0, len(coins) - 1))
    return coins, i, draw(st.integers(i, len(coins) - 1))


# --- worked examples ------------------------------------------------------------------------------------


def test_four_coins_in_the_words_of_the_handout():
    greedy = solve_greedy([1, 2, 4, 3])
    # "from this state (when all four coins remain) Alice will get 5 points with best play,
    # and ... it does not matter which coin Alice takes"
    assert greedy.alice[0, 3] == greedy.value == 5
    assert greedy.moves[0, 3] == "LR"
    # "Suppose she takes the 3, so the 1, 2, 4 are left ... Alice will get 2 more points if they both
    # play their best ... he should take the coin on the right, namely, the 4"
    assert greedy.alice[0, 2] == 2
    assert greedy.moves[0, 2] == "R" and greedy.coins[2] == 4
    # "Finally, Alice's best move in this situation is to take the 2 on the right"
    assert greedy.moves[0, 1] == "R" and greedy.coins[1] == 2
    assert greedy.line(0, 2) == [("R", 4), ("R", 2), ("L", 1)]


def test_four_coins_cell_by_cell():
    greedy = solve_greedy([1, 2, 4, 3])
    assert greedy.alice.tolist() == [[0, 2, 2, 5], [0, 0, 4, 4], [0, 0, 0, 4], [0, 0, 0, 0]]
    assert greedy.margin.tolist() == [[1, 1, 3, 0], [0, 2, 2, 1], [0, 0, 4, 1], [0, 0, 0, 3]]
    assert greedy.moves.tolist() == [
        ["LR", "R", "R", "LR"],
        ["", "LR", "R", "LR"],
        ["", "", "LR", "L"],
        ["", "", "", "LR"],
    ]


FACTS = [  # row, what Alice gets, of how much, the margin, the best first move
    ((1, 2, 4, 3), 5, 10, 0, "LR"),
    ((3, 5, 1, 2), 7, 11, 3, "R"),
    ((1, 2, 2, 1, 2, 1, 1, 2), 7, 12, 2, "R"),
    ((2, 1, 2, 3, 3, 3), 8, 14, 2, "R"),
    ((2, 1, 2, 5, 5, 3), 10, 18, 2, "R"),
    ((3, 1, 2, 4), 6, 10, 2, "R"),  # not the row of the example, which is a tie
    ((1, 5, 1), 2, 7, -3, "LR"),  # with an odd number of coins Alice may lose
]


@pytest.mark.parametrize(("coins", "alice", "total", "margin", "move"), FACTS)
def test_the_rows_of_the_course(coins, alice, total, margin, move):
    greedy = solve_greedy(coins)
    assert (greedy.value, sum(coins), greedy.moves[0, -1]) == (alice, total, move)
    assert greedy.margin[0, -1] == 2 * alice - total == margin
    assert (greedy_margin(coins), greedy_move(coins)) == (margin, move)
    best = minimax(GreedyCoins(coins))
    assert (best.value, "".join(best.moves)) == (margin, move)


def test_always_the_larger_end_loses_3_5_1_2():
    def larger_end(game, state):
        coins = game.coins_left(state)
        return "L" if coins[0] >= coins[-1] else "R"

    match = play_match(GreedyCoins((3, 5, 1, 2)), larger_end, PerfectAgent(seed=1))
    assert [sum(match.rewards[player::2]) for player in (0, 1)] == [5, 6]


def test_three_conjectures_are_refuted_by_rows_of_the_course():
    """Two tied halves make no tie; equal colours do not make both moves equal; and my coin less Bob's best next
    one would take the left coin of 2 1 2 5 5 3."""
    assert greedy_margin([1, 2, 2, 1]) == greedy_margin([2, 1, 1, 2]) == 0 != greedy_margin([1, 2, 2, 1, 2, 1, 1, 2])
    colours = [2, 1, 2, 3, 3, 3]
    assert sum(colours[0::2]) == sum(colours[1::2]) and greedy_move(colours) == "R"
    coins = [2, 1, 2, 5, 5, 3]
    assert coins[0] - max(coins[1], coins[-1]) > coins[-1] - max(coins[0], coins[-2]) and greedy_move(coins) == "R"


def test_the_larger_game_has_many_sisters():
    """Alice 27 of 1, x, 9, y, 17, z: first the 1, then the 9 or the 17, whatever Bob takes."""
    found = []
    for x, y, z in product(range(1, 25, 2), repeat=3):
        coins = (1, x, 9, y, 17, z)
        greedy = solve_greedy(coins)
        after = {(2, 5): 9, (1, 4): 17}  # Bob takes the x: the 9 is free; he takes the z: the 17 is free
        free = greedy.moves[2, 5] == "L" and greedy.moves[1, 4] == "R"
        if greedy.value == 27 and greedy.moves[0, 5] == "L" and greedy.moves[1, 5] == "LR" and free:
            assert all(coins[i if greedy.moves[i, j] == "L" else j] == coin for (i, j), coin in after.items())
            found.append(coins)
    assert len(found) > 300


# --- against brute force --------------------------------------------------------------------------------


def test_every_row_of_up_to_six_coins():
    """All 5,460 rows of one to six coins with values 1 to 4: every cell, and the linear way."""
    for size in range(1, 7):
        for coins in product(range(1, 5), repeat=size):
            check_tables(coins)


@given(st.lists(st.integers(0, 9) | st.integers(0, 10**6), min_size=1, max_size=12).map(tuple))
def test_longer_rows_with_zeros_and_larger_coins(coins):
    check_tables(coins)


def kinds_of_rows(size: int, generator) -> dict[str, np.ndarray]:
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


@pytest.mark.parametrize("size", [1, 2, 7, 101, 1_000])
def test_the_linear_way_against_the_tables(size):
    for name, coins in kinds_of_rows(size, np.random.default_rng(size)).items():
        greedy = solve_greedy(coins)
        assert greedy_margin(coins) == greedy.margin[0, -1], name
        assert greedy_move(coins) == greedy.moves[0, -1], name
        for i, j in np.sort(np.random.default_rng(1).integers(0, size, (20, 2))):
            assert greedy_margin(coins[i : j + 1]) == greedy.margin[i, j], name
            assert greedy_move(coins[i : j + 1]) == greedy.moves[i, j], name


def test_the_linear_way_against_the_quadratic_way():
    for name, coins in kinds_of_rows(4_999, np.random.default_rng(1)).items():
        coins = coins.astype(np.int64)
        assert greedy_margin(coins) == loops.margin_by_diagonals(coins, coins.copy()), name


def test_a_million_coins():
    """A sorted row is a valley: the coins are taken from the largest down."""
    coins = np.sort(np.random.default_rng(1).integers(0, 10**9, 1_000_001))
    assert greedy_margin(coins) == coins[::-2].sum() - coins[-2::-2].sum()
    assert greedy_move(coins) == "R"


# --- what must hold -------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 99), min_size=1, max_size=8).map(lambda half: half + half[::-1]))
def test_with_an_even_number_of_coins_alice_gets_the_better_colour_at_least(coins):
    assert solve_greedy(coins).value >= max(sum(coins[0::2]), sum(coins[1::2]))


@given(runs())
def test_the_line_of_best_play_gets_what_the_tables_say(run):
    coins, i, j = run
    greedy = solve_greedy(coins)
    line = greedy.line(i, j)
    taken = [coin for _, coin in line]
    assert sorted(taken) == sorted(coins[i : j + 1])
    assert sum(taken[0::2]) - sum(taken[1::2]) == greedy.margin[i, j]
    gone = len(coins) - len(taken)
    assert sum(taken[gone % 2 :: 2]) == greedy.alice[i, j]
    for move, coin in line:
        assert coin == coins[i if move == "L" else j]
        assert greedy.cost(move, i, j) == 0
        i, j = (i + 1, j) if move == "L" else (i, j - 1)


@given(rows, st.integers(0, 2**32))
def test_the_margin_of_a_game_is_the_value_less_what_the_mistakes_cost(coins, seed):
    greedy, generator = solve_greedy(coins), np.random.default_rng(seed)
    i, j = 0, len(coins) - 1
    points, costs = [0, 0], [0, 0]
    for turn in range(len(coins)):
        move = "LR"[generator.integers(2)]
        costs[turn % 2] += greedy.cost(move, i, j)
        points[turn % 2] += coins[i if move == "L" else j]
        i, j = (i + 1, j) if move == "L" else (i, j - 1)
    assert points[0] - points[1] == greedy.margin[0, -1] - costs[0] + costs[1]


def test_what_a_mistake_costs():
    """By hand: 3 5 and 5 1 2 and 1 2 are worth 2 and 4 and 1 to whoever moves, 3 5 1 is worth -1."""
    greedy = solve_greedy([3, 5, 1, 2])
    assert greedy.cost("L") == 3 - (3 - 4) == 4
    assert greedy.cost("R") == 3 - (2 + 1) == 0
    assert greedy.cost("L", 0, 2) == greedy.cost("R", 0, 2) == 0  # 3 - 4 and 1 - 2
    assert greedy.cost("R", 1) == greedy.cost("R", 1, 3) == 4 - (2 - 4) == 6
    assert greedy.cost("L", 2, 3) == 1 - (1 - 2) == 2
    assert greedy.cost("L", 1, 1) == greedy.cost("R", 1, 1) == 0  # one coin, and nothing to choose


@pytest.mark.parametrize(
    ("move", "i", "j", "words"),
    [
        ("LR", 0, 3, "move: expected 'L' or 'R', got 'LR'"),
        ("left", 0, 3, "move: expected 'L' or 'R', got 'left'"),
        ("L", 2, 1, r"expected coins i...j with 0 <= i <= j <= 3, got i=2, j=1"),
        ("L", 0, 4, r"expected coins i...j with 0 <= i <= j <= 3, got i=0, j=4"),
        ("L", -1, 2, "i: expected 0 or more, got -1"),
    ],
)
def test_a_move_or_a_run_that_is_not_there(move, i, j, words):
    greedy = solve_greedy([1, 2, 4, 3])
    with pytest.raises(ValueError, match=words):
        greedy.cost(move, i, j)
    if move == "L":
        with pytest.raises(ValueError, match=words):
            greedy.line(i, j)


def test_the_tables_cannot_be_changed_and_say_what_they_are():
    greedy = solve_greedy([3, 5, 1, 2])
    for table in (greedy.alice, greedy.margin, greedy.moves):
        with pytest.raises(ValueError, match="read-only"):
            table[0, 0] = 1
    assert repr(greedy) == "Greedy(4 coins: Alice gets 7 of 11)"
    assert repr(solve_greedy([2])) == "Greedy(1 coin: Alice gets 2 of 2)"


# --- values of any size and kind ------------------------------------------------------------------------

LIMIT = 2**62


@pytest.mark.parametrize(
    "coins",
    [
        (LIMIT - 1,),
        (LIMIT,),
        (2**61, 2**61),
        (1, 2**63 - 1, 1),
        (2**63, 2**64, 0, 2**64 - 1),
        (2**64 - 1, 10**40, 10**30 + 1),
        (LIMIT // 5 + 1,) * 5,
    ],
)
def test_no_sum_overflows_in_silence(coins):
    check_tables(coins)
    greedy = solve_greedy(coins)
    exact = len(coins) * max(coins) >= LIMIT
    assert greedy.margin.dtype == greedy.alice.dtype == (object if exact else np.int64)
    assert type(greedy.value) is type(greedy_margin(coins)) is type(greedy.cost("L")) is int


@pytest.mark.parametrize("kind", ["int8", "uint8", "uint64", ">i4", object, list, range])
def test_every_kind_of_whole_number(kind):
    """A row in an array or not, every second coin of an array, and one that is read-only."""
    array = np.arange(20)
    array.flags.writeable = False
    coins = range(0, 20, 2) if kind is range else list(array[::2]) if kind is list else array[::2].astype(kind)
    greedy = solve_greedy(coins)
    assert greedy.coins == tuple(range(0, 20, 2)) and {type(coin) for coin in greedy.coins} == {int}
    assert greedy.margin.dtype == np.int64
    for row in (coins, array[::2], array[::-2]):
        assert greedy_margin(row) == 10
    assert (greedy_move(coins), greedy_move(array[::-2])) == ("R", "L")


@pytest.mark.parametrize("ask", [solve_greedy, greedy_margin, greedy_move], ids=lambda ask: ask.__name__)
@pytest.mark.parametrize(
    ("coins", "error", "words"),
    [
        ([], ValueError, "coins: expected at least one coin, got none"),
        (np.array([], dtype=int), ValueError, "coins: expected at least one coin, got none"),
        ([3, -1], ValueError, "a coin: expected 0 or more, got -1"),
        (np.array([3, -1]), ValueError, "a coin: expected 0 or more, got -1"),
        ("1243", TypeError, r"coins: expected values such as \(1, 2, 4, 3\), got '1243'"),
        (7, TypeError, r"coins: expected values such as \(1, 2, 4, 3\), got 7"),
        ({3, 1, 2}, TypeError, "coins: expected values such as .*, got {1, 2, 3}"),
        ([1, 2.5], TypeError, "a coin: expected a whole number, got 2.5"),
        (np.array([1, 2.5]), TypeError, "a coin: expected a whole number, got np.float64"),
        ([True, False], TypeError, "a coin: expected a whole number, got True"),
        ([[1, 2]], TypeError, r"a coin: expected a whole number, got \[1, 2\]"),
    ],
)
def test_what_is_not_a_row_of_coins(ask, coins, error, words):
    with pytest.raises(error, match=words):
        ask(coins)


def test_the_memory_is_named_where_the_tables_do_not_fit():
    with pytest.raises(MemoryError, match=r"the table of 500,000,500,000 states would need [\d,.]+ GiB"):
        solve_greedy(np.ones(1_000_000, dtype=int))
    assert greedy_margin(np.ones(1_000_001, dtype=int)) == 1  # one row of numbers, and no table


# --- with and without Numba -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_with_numba_and_without_it_the_tables_are_the_same(size, monkeypatch):
    pytest.importorskip("numba")
    rows = {**kinds_of_rows(size, np.random.default_rng(3)), "near the limit": np.full(size, (LIMIT - 1) // size)}

    def everything(row):
        greedy = solve_greedy(row)
        tables = [(table.dtype, table.tolist()) for table in (greedy.alice, greedy.margin, greedy.moves)]
        return tables, greedy_margin(row), greedy_move(row)

    compiled = {name: everything(row) for name, row in rows.items()}
    monkeypatch.setattr(loops, "numba", lambda: None)
    assert {name: everything(row) for name, row in rows.items()} == compiled
