"""Perfect play: the scenarios and the three piles, and any game against its rules and the closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from by_the_rules import best_moves, coin_games, games, states_of, value
from hypothesis import given, settings

from coinlib import SCENARIOS, CoinGame, Move, minimax, solve, sticks, three_piles
from coinlib.theory import grundy, is_lost, winning_moves


@pytest.mark.parametrize(
    ("game", "values", "winner", "first_moves", "in_normal_play"),
    [
        (SCENARIOS["SINGLE_21_2"], [0], 1, [(0, 2)], 2),
        (SCENARIOS["SINGLE_21_3"], [1], 2, [], 1),
        (SCENARIOS["DOUBLE_21_2"], [0, 0], 1, [(0, 2), (1, 2)], 2),
        (SCENARIOS["DOUBLE_21_3"], [1, 1], 1, [(0, 1), (1, 1)], 2),
        (SCENARIOS["NIM"], [1, 0, 2, 1], 1, [(1, 1), (2, 1)], 1),
        (SCENARIOS["NIM_7"], [1, 3, 5, 7], 2, [], 2),
        (three_piles(2, 2, 1), [2, 2, 1], 1, [(2, 1)], 1),  # the questions of the handout
        (three_piles(3, 3, 7), [3, 3, 7], 1, [(2, 7)], 1),
    ],
)
def test_the_scenarios(game, values, winner, first_moves, in_normal_play):
    """The table of the design, by hand from the Grundy values."""
    normal = CoinGame(game.rows, game.max_pick, misere=False)
    assert [grundy(held, game.max_pick) for held in game.rows] == values
    assert solve(game).winner() == winner
    assert solve(game).best_moves(game.start) == winning_moves(game, game.start) == first_moves
    assert minimax(game) == ((1, first_moves) if winner == 1 else (-1, game.legal_moves(game.start)))
    assert solve(normal).winner() == in_normal_play


def test_three_piles_of_a_hundred():
    """8,203 of 1,030,301 states are lost: exactly those in which the XOR of the piles is 0."""
    wins = solve(three_piles(100, 100, 100)).wins
    assert wins.shape == (101, 101, 101)
    assert np.count_nonzero(~wins) == 8_203
    nickels, dimes, quarters = np.ogrid[:101, :101, :101]
    assert np.array_equal(wins, (nickels ^ dimes ^ quarters) != 0)


@settings(max_examples=40)
@given(games)
def test_minimax_by_the_rules(game):
    for state in states_of(game):
        assert minimax(game, state) == (value(game, state), best_moves(game, state))


@settings(max_examples=40)
@given(coin_games)
def test_solve_and_minimax_and_brute_force_agree(game):
    """Who wins from every state, compared with the closed form; the best moves are those that leave a lost state."""
    solution = solve(game)
    assert solution.wins.size == len(states_of(game))
    for state in states_of(game):
        won = value(game, state) == 1
        assert (solution.wins[state], solution.winner(state), is_lost(game, state)) == (won, 2 - won, not won)
        assert solution.best_moves(state) == winning_moves(game, state) == (best_moves(game, state) if won else [])


def test_a_solution_costs_no_more_for_a_huge_bound_and_cannot_be_changed():
    solution = solve(sticks(21, max_pick=10**9))
    assert solution.best_moves((21,)) == [Move(0, 20)]
    with pytest.raises(ValueError, match="read-only"):
        solution.wins[1] = True
    assert repr(solution) == "Solution(CoinGame(rows=(21,), max_pick=1000000000, misere=True), 1 of 22 states are lost)"
