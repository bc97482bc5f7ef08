"""Perfect play: the scenarios and the three piles, against brute force and against the closed forms."""

from __future__ import annotations

from functools import cache
from itertools import product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from own_games import Taking

from coinlib import (
    SCENARIOS,
    CoinGame,
    GreedyCoins,
    Move,
    PerfectAgent,
    RandomAgent,
    minimax,
    play_match,
    solve,
    sticks,
    three_piles,
)
from coinlib.theory import is_lost, nim_sum

# --- worked examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "winner", "first_moves", "in_normal_play"),
    [
        ("SINGLE_21_2", 1, [(0, 2)], 2),
        ("SINGLE_21_3", 2, [], 1),
        ("DOUBLE_21_2", 1, [(0, 2), (1, 2)], 2),
        ("DOUBLE_21_3", 1, [(0, 1), (1, 1)], 2),
        ("NIM", 1, [(1, 1), (2, 1)], 1),
        ("NIM_7", 2, [], 2),
    ],
)
def test_the_scenarios(name, winner, first_moves, in_normal_play):
    game = SCENARIOS[name]
    normal = CoinGame(game.rows, game.max_pick, misere=False)
    assert solve(game).winner() == winner
    assert solve(game).best_moves(game.start) == [Move(*move) for move in first_moves]
    assert solve(normal).winner() == in_normal_play
    assert minimax(game) == ((1, first_moves) if winner == 1 else (-1, game.legal_moves(game.start)))
    assert minimax(normal).value == (1 if in_normal_play == 1 else -1)


def test_the_losing_counts_of_sticks():
    for misere, losing in ((True, list(range(1, 101, 4))), (False, list(range(0, 101, 4)))):
        assert np.flatnonzero(~solve(sticks(100, misere=misere)).wins).tolist() == losing


def test_a_table_with_nothing_on_it():
    assert solve(three_piles(0, 0, 0)).winner() == 2
    assert solve(three_piles(0, 0, 0)).best_moves((0, 0, 0)) == []
    assert solve(sticks(0)).winner() == 1  # misère play: the other took the last coin
    assert (minimax(three_piles(0, 0, 0)), minimax(sticks(0))) == ((-1, []), (1, []))


# --- three piles ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hundred():
    """U for 0 <= n, d, q <= 100."""
    return solve(three_piles(100, 100, 100))


def test_three_piles_of_a_hundred(hundred):
    """8,203 of 1,030,301 states are lost: exactly those in which the XOR of the piles is 0."""
    assert hundred.wins.shape == (101, 101, 101)
    assert np.count_nonzero(~hundred.wins) == 8_203
    nickels, dimes, quarters = np.ogrid[:101, :101, :101]
    assert np.array_equal(hundred.wins, (nickels ^ dimes ^ quarters) != 0)


def test_small_states_by_the_words_of_the_handout(hundred):
    """U of every state, from (0, 0, 0) upward: 1 where some smaller pile leaves a state of U = 0."""
    u = {}
    for n, d, q in product(range(11), repeat=3):
        smaller = [u[x, d, q] for x in range(n)] + [u[n, x, q] for x in range(d)] + [u[n, d, x] for x in range(q)]
        u[n, d, q] = 1 if 0 in smaller else 0
        assert hundred.wins[n, d, q] == u[n, d, q]


def test_winning_moves_leave_the_nim_sum_zero(hundred):
    """One or three of them, one for each pile that holds the highest bit of the nim-sum."""
    numbers = set()
    for state in np.random.default_rng(1).integers(0, 101, size=(500, 3)).tolist():
        total = nim_sum(*state)
        expected = [(pile, held - (held ^ total)) for pile, held in enumerate(state) if held ^ total < held]
        assert hundred.best_moves(tuple(state)) == (expected if total else [])
        numbers.add(len(expected) if total else 0)
    assert numbers == {0, 1, 3}


def copy(game, state):
    """The move that leaves two equal piles and nothing else."""
    for move in game.legal_moves(state):
        smallest, middle, largest = sorted(game.play(state, move))
        if smallest == 0 and middle == largest:
            return move
    raise AssertionError(f"no move from {state} leaves two equal piles")


@pytest.mark.parametrize(("piles", "count", "left"), [((2, 2, 1), 1, (2, 2, 0)), ((3, 3, 7), 7, (3, 3, 0))])
def test_the_questions_of_the_three_piles(piles, count, left):
    """The first player wins by copying whatever the other does: all plays are tried, without a table."""
    game = three_piles(*piles)
    assert solve(game).best_moves(piles) == [copy(game, piles)] == [Move(2, count)]
    assert solve(game).winner() == 1 and solve(game).winner(left) == 2

    def wins(state):
        """Whether copying wins from here, with the other side to move, against all its plays."""
        if game.is_over(state):
            return game.result(state) == -1  # who has to move has lost
        replies = [game.play(state, move) for move in game.legal_moves(state)]
        return all(wins(game.play(reply, copy(game, reply))) for reply in replies)

    assert wins(left)
    match = play_match(game, PerfectAgent(), RandomAgent(), seed=1)
    assert (match.states[1], match.winner) == (left, 1)


@pytest.mark.parametrize("piles", [(20, 20, 20), (1, 30, 17), (1, 1, 1)])
def test_misere_play_differs_only_where_no_pile_holds_more_than_one(piles):
    wins, normal = solve(CoinGame(piles, None, misere=True)).wins, solve(three_piles(*piles)).wins
    for state in product(*(range(held + 1) for held in piles)):
        assert (wins[state] == normal[state]) == (max(state) > 1)


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


games = st.builds(
    CoinGame,
    rows=st.lists(st.integers(0, 6), min_size=1, max_size=4).map(tuple),
    max_pick=st.none() | st.integers(1, 8),
    misere=st.booleans(),
)


@given(games)
def test_solve_and_minimax_and_brute_force_agree(game):
    """Who wins from every state; and the best moves are those that leave a lost state."""
    solution = solve(game)
    for state in product(*(range(held + 1) for held in game.rows)):
        won = wins_by_recursion(tuple(sorted(state)), game.max_pick, game.misere)
        assert solution.winner(state) == (1 if won else 2)
        legal = game.legal_moves(state)
        after = [tuple(sorted(game.play(state, move))) for move in legal]
        lost = [not wins_by_recursion(rows, game.max_pick, game.misere) for rows in after]
        best = [move for move, leaves_lost in zip(legal, lost) if leaves_lost]
        assert solution.best_moves(state) == best
        assert minimax(game, state) == (1 if won else -1, best or legal)


@cache
def margin_by_recursion(coins: tuple) -> int:
    if not coins:
        return 0
    return max(coins[0] - margin_by_recursion(coins[1:]), coins[-1] - margin_by_recursion(coins[:-1]))


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


# --- what is asked wrongly, and what does not fit -------------------------------------------------------


def test_solve_is_for_rows_of_coins():
    for thing in (GreedyCoins((1, 2)), Taking()):
        with pytest.raises(TypeError, match="solve: expected a CoinGame, got .*; use minimax for other games"):
            solve(thing)


@pytest.mark.parametrize("state", [(22,), (-1,), (1, 1), 3])
def test_a_state_of_another_game_is_refused(state):
    for ask in (solve(sticks(21)).winner, solve(sticks(21)).best_moves):
        with pytest.raises(ValueError, match="expected a state of this game"):
            ask(state)
    with pytest.raises(ValueError, match="cannot be reached"):
        minimax(sticks(21), state)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (three_piles(10**4, 10**4, 10**4), r"the table of 1,000,300,030,001 states would need 931\.6 GiB; .* are free"),
        (CoinGame((10**6,) * 60, 3), r"about 10\^360 states would need about 10\^351 GiB"),
    ],
)
def test_the_memory_is_named_where_a_table_does_not_fit(game, words):
    with pytest.raises(MemoryError, match=words):
        solve(game)


def test_a_huge_bound_costs_nothing():
    solution = solve(sticks(21, max_pick=10**9))
    assert np.flatnonzero(~solution.wins).tolist() == [1]
    assert solution.best_moves((21,)) == [Move(0, 20)]


def test_a_solution_cannot_be_changed_and_says_what_it_is():
    solution = solve(sticks(21))
    with pytest.raises(ValueError, match="read-only"):
        solution.wins[1] = True
    assert repr(solution) == "Solution(CoinGame(rows=(21,), max_pick=3, misere=True), 6 of 22 states are lost)"
