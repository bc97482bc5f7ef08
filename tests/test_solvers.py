"""Perfect play, against brute force and against the closed forms."""

from __future__ import annotations

from functools import cache
from itertools import product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from coinlib import SCENARIOS, CoinGame, GreedyCoins, Move, minimax, solve, sticks, three_piles
from coinlib.theory import is_lost, losing_counts

settings.register_profile("coinlib", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("coinlib")


# --- worked examples ------------------------------------------------------------------------------------

SCENARIO_TABLE = [  # who wins, the winning first moves, who wins in normal play
    ("SINGLE_21_2", 1, [(0, 2)], 2),
    ("SINGLE_21_3", 2, [], 1),
    ("DOUBLE_21_2", 1, [(0, 2), (1, 2)], 2),
    ("DOUBLE_21_3", 1, [(0, 1), (1, 1)], 2),
    ("NIM", 1, [(1, 1), (2, 1)], 1),
    ("NIM_7", 2, [], 2),
]


@pytest.mark.parametrize(("name", "winner", "first_moves", "in_normal_play"), SCENARIO_TABLE)
def test_the_scenarios(name, winner, first_moves, in_normal_play):
    game = SCENARIOS[name]
    solution = solve(game)
    assert solution.winner() == winner
    assert solution.best_moves(game.start) == [Move(*move) for move in first_moves]
    assert solve(CoinGame(game.rows, game.max_pick, misere=False)).winner() == in_normal_play


@pytest.mark.parametrize(("name", "winner", "first_moves", "in_normal_play"), SCENARIO_TABLE)
def test_the_scenarios_once_more_by_minimax(name, winner, first_moves, in_normal_play):
    game = SCENARIOS[name]
    best = minimax(game)
    assert best.value == (1 if winner == 1 else -1)
    assert (best.moves if winner == 1 else []) == [Move(*move) for move in first_moves]
    assert minimax(CoinGame(game.rows, game.max_pick, misere=False)).value == (1 if in_normal_play == 1 else -1)


@pytest.mark.parametrize(("piles", "move", "left"), [((2, 2, 1), (2, 1), (2, 2, 0)), ((3, 3, 7), (2, 7), (3, 3, 0))])
def test_the_questions_of_the_three_piles(piles, move, left):
    game = three_piles(*piles)
    solution = solve(game)
    assert solution.winner() == 1
    assert solution.best_moves(piles) == [Move(*move)]
    assert game.play(piles, move) == left
    assert solution.winner(left) == 2


def test_three_piles_of_a_hundred():
    """8,203 of 1,030,301 states are lost: exactly those in which the XOR of the piles is 0."""
    solution = solve(three_piles(100, 100, 100))
    assert solution.wins.shape == (101, 101, 101)
    assert np.count_nonzero(~solution.wins) == 8_203
    nickels, dimes, quarters = np.ogrid[:101, :101, :101]
    assert np.array_equal(solution.wins, (nickels ^ dimes ^ quarters) != 0)


def test_the_losing_counts_of_sticks():
    for misere, losing in ((True, list(range(1, 101, 4))), (False, list(range(0, 101, 4)))):
        wins = solve(sticks(100, misere=misere)).wins
        assert np.flatnonzero(~wins).tolist() == losing


def test_a_table_with_nothing_on_it():
    assert solve(three_piles(0, 0, 0)).winner() == 2
    assert solve(three_piles(0, 0, 0)).best_moves((0, 0, 0)) == []
    assert solve(sticks(0)).winner() == 1  # misère play: the other took the last coin
    assert minimax(three_piles(0, 0, 0)) == (-1, [])
    assert minimax(sticks(0)) == (1, [])


GREEDY = [
    ((1, 2, 4, 3), 0, ["L", "R"]),
    ((3, 5, 1, 2), 3, ["R"]),
    ((1, 2, 2, 1, 2, 1, 1, 2), 2, ["R"]),
    ((2, 1, 2, 3, 3, 3), 2, ["R"]),
    ((2, 1, 2, 5, 5, 3), 2, ["R"]),
    ((3, 1, 2, 4), 2, None),
]


@pytest.mark.parametrize(("coins", "margin", "first_moves"), GREEDY)
def test_greedy_coins(coins, margin, first_moves):
    best = minimax(GreedyCoins(coins))
    assert best.value == margin
    if first_moves is not None:
        assert best.moves == first_moves
    assert margin_by_recursion(coins) == margin


# --- against brute force --------------------------------------------------------------------------------


@cache
def wins_by_recursion(state: tuple, most: int | None, misere: bool) -> bool:
    """Whether whoever moves wins: by the sentence of the rules, rows in any order."""
    if not any(state):
        return misere
    for row, held in enumerate(state):
        for take in range(1, min(most or held, held) + 1):
            if not wins_by_recursion(tuple(sorted((*state[:row], held - take, *state[row + 1 :]))), most, misere):
                return True
    return False


@cache
def margin_by_recursion(coins: tuple) -> int:
    if not coins:
        return 0
    return max(coins[0] - margin_by_recursion(coins[1:]), coins[-1] - margin_by_recursion(coins[:-1]))


@pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, None])
def test_every_small_game_is_solved_rightly(most, misere):
    """All states of three rows of seven, in three shapes of table; the closed form agrees."""
    for rows in ((7, 7, 7), (7, 3, 5), (2, 7, 4)):
        game = CoinGame(rows, most, misere)
        wins = solve(game).wins
        assert wins.shape == tuple(held + 1 for held in rows)
        for state in product(*(range(held + 1) for held in rows)):
            assert wins[state] == wins_by_recursion(tuple(sorted(state)), most, misere)
            assert wins[state] != is_lost(game, state)


@pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
def test_one_row_to_a_hundred(misere):
    for most in (1, 2, 3, 4, 5):
        wins = solve(sticks(100, most, misere)).wins
        assert np.flatnonzero(~wins).tolist() == losing_counts(most, misere, 100)
        assert minimax(sticks(100, most, misere)).value == (1 if wins[100] else -1)


games = st.builds(
    CoinGame,
    rows=st.lists(st.integers(0, 6), min_size=1, max_size=4).map(tuple),
    max_pick=st.none() | st.integers(1, 8),
    misere=st.booleans(),
)


@given(games)
def test_solve_and_minimax_and_brute_force_agree(game):
    solution = solve(game)
    for state in product(*(range(held + 1) for held in game.rows)):
        won = wins_by_recursion(tuple(sorted(state)), game.max_pick, game.misere)
        assert solution.wins[state] == won
        assert solution.winner(state) == (1 if won else 2)
        assert minimax(game, state).value == (1 if won else -1)


@given(games)
def test_the_best_moves_are_those_that_leave_a_lost_state(game):
    solution = solve(game)
    for state in product(*(range(held + 1) for held in game.rows)):
        best = solution.best_moves(state)
        legal = game.legal_moves(state)
        after = [game.play(state, move) for move in legal]
        lost = [not wins_by_recursion(tuple(sorted(each)), game.max_pick, game.misere) for each in after]
        assert best == [move for move, leaves_lost in zip(legal, lost) if leaves_lost]
        assert minimax(game, state).moves == (best or legal)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9).map(tuple))
def test_greedy_coins_by_recursion(coins):
    game = GreedyCoins(coins)
    for left in range(len(coins)):
        for right in range(left + 1, len(coins) + 1):
            part = coins[left:right]
            best = minimax(game, (left, right))
            assert best.value == margin_by_recursion(part)
            by_end = {"L": part[0] - margin_by_recursion(part[1:]), "R": part[-1] - margin_by_recursion(part[:-1])}
            assert best.moves == [end for end in "LR" if by_end[end] == best.value]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).map(lambda half: tuple(half) + tuple(half[::-1])))
def test_with_an_even_number_of_coins_the_first_player_never_loses(coins):
    colours = abs(sum(coins[0::2]) - sum(coins[1::2]))
    assert minimax(GreedyCoins(coins)).value >= colours >= 0


# --- what is asked wrongly ------------------------------------------------------------------------------


def test_solve_is_for_rows_of_coins():
    for thing in (GreedyCoins((1, 2)), None, 21, (21,)):
        with pytest.raises(TypeError, match="solve: expected a CoinGame"):
            solve(thing)


@pytest.mark.parametrize("state", [(22,), (-1,), (1, 1), 3, "x", (2.5,), [3]])
def test_a_state_of_another_game_is_refused(state):
    for ask in (solve(sticks(21)).winner, solve(sticks(21)).best_moves):
        with pytest.raises(ValueError, match="expected a state of this game"):
            ask(state)
    with pytest.raises(ValueError, match="cannot be reached"):
        minimax(sticks(21), state)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (sticks(10**12), r"1,000,000,000,001 states would need 931\.3 GiB; [\d,.]+ GiB are free"),
        (sticks(2**70), r"1,180,591,620,717,411,303,425 states would need 1,099,511,627,776\.0 GiB"),
        (CoinGame((1000,) * 6, None), r"would need [\d,.]+ GiB"),
        (CoinGame((10**6,) * 60, 3), r"about 10\^360 states would need about 10\^351 GiB"),
        (CoinGame((10**6,) * 1000, 3), r"about 10\^6000 states"),
    ],
)
def test_the_memory_is_named_where_a_table_does_not_fit(game, words):
    with pytest.raises(MemoryError, match=words):
        solve(game)


def test_the_marks_beside_the_table_are_counted_as_well(monkeypatch):
    """One byte for each state, and four for each line along another row."""
    import psutil

    class Memory:
        available = 3_000

    monkeypatch.setattr(psutil, "virtual_memory", lambda: Memory)
    assert solve(CoinGame((2_900,), 7, False)).wins.size == 2_901
    with pytest.raises(MemoryError, match="the table of 2,904 states"):
        solve(CoinGame((1, 1451), 7, False))


def test_more_rows_than_an_array_can_have():
    with pytest.raises(ValueError, match="expected at most 64 rows, got 70"):
        solve(CoinGame((0,) * 70, 3))
    assert solve(CoinGame((0,) * 63 + (2,), 3)).winner() == 1


def test_a_huge_bound_costs_nothing():
    solution = solve(sticks(21, max_pick=10**9))
    assert np.flatnonzero(~solution.wins).tolist() == [1]
    assert solution.best_moves((21,)) == [Move(0, 20)]


def test_a_solution_cannot_be_changed_and_says_what_it_is():
    solution = solve(sticks(21))
    with pytest.raises(ValueError, match="read-only"):
        solution.wins[1] = True
    assert repr(solution) == "Solution(CoinGame(rows=(21,), max_pick=3, misere=True), 6 of 22 states are lost)"
    assert solve(sticks(21)) is solution
