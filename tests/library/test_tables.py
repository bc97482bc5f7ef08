"""A game becomes arrays: small tables by hand, others against the rules; what has no table, and what is cached."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from by_the_rules import games, states_of
from hypothesis import given, settings
from own_games import Taking

from coincourse.outside.tournament import run_tournament
from coinlib.agents import PerfectAgent, RandomAgent
from coinlib.arena import evaluate
from coinlib.games import CoinGame, GameError, Move, sticks
from coinlib.match import play_match
from coinlib.solvers import minimax, solve
from coinlib.tables import tabulate

# --- a game becomes a table -----------------------------------------------------------------------------


def test_the_table_of_four_sticks_by_hand():
    table = tabulate(sticks(4))
    assert table.states == [(4,), (3,), (2,), (1,), (0,)]
    assert table.moves == (Move(0, 1), Move(0, 2), Move(0, 3))
    assert table.next_state.tolist() == [[1, 2, 3], [2, 3, 4], [3, 4, -1], [4, -1, -1], [-1, -1, -1]]
    assert table.over.tolist() == [False] * 4 + [True]
    assert table.result.tolist() == [0, 0, 0, 0, 1]
    assert not table.reward.any()
    for array in (table.next_state, table.reward, table.result, table.over):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@settings(max_examples=40)
@given(games)
def test_a_table_says_what_the_game_says(game):
    table = tabulate(game)
    assert set(table.states) == set(states_of(game))
    for row, state in enumerate(table.states):
        assert table.index[state] == row
        assert table.over[row] == game.is_over(state)
        legal = game.legal_moves(state)
        assert [table.moves[column] for column in np.flatnonzero(table.legal[row])] == legal
        for move in legal:
            below = table.next_state[row, table.column[move]]
            assert below > row  # play only goes down
            assert table.states[below] == game.play(state, move)
            assert table.reward[row, table.column[move]] == game.reward(state, move)
        assert table.result[row] == (game.result(state) if game.is_over(state) else 0)
    if isinstance(game, CoinGame):
        assert len(table.states) == game.state_count  # everything in it can be reached
        assert len(table.moves) == game.move_count


# --- games of your own -----------------------------------------------------------------------------------


def test_a_game_that_is_no_key_and_was_changed_is_read_again():
    game = Taking(7)
    with pytest.raises(TypeError):
        hash(game)
    assert minimax(game).value == 1
    game.start = 6
    assert minimax(game) == (-1, [1, 2])  # the multiples of three lose in normal play
    assert evaluate(game, PerfectAgent(), RandomAgent(), games=200, seed=1, first="opponent").wins == 200


def match_of(game):
    return play_match(game, RandomAgent(1), RandomAgent(1))


def tournament_of(game):
    return run_tournament(["random", "perfect"], {"mine": game}, games=2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"play": lambda self, state, move: 10}, "state 10 can occur twice in one game"),
        ({"is_over": lambda self, state: False}, "not over in state 0, yet there is no legal move"),
        ({"legal_moves": lambda self, state: [3]}, "3 is legal in state 10, yet it is not among the game's moves"),
        ({"legal_moves": lambda self, state: None}, r"legal_moves\(10\): expected a list, got None: no `return`"),
        (
            {"reward": lambda self, state, take: 0.5},
            r"reward\(\d+, [12]\): expected a whole number of points, got 0\.5",
        ),
        (
            {"result": lambda self, state: 2},
            r"result\(0\): expected -1, 0 or \+1 for the player who would move next, got 2",
        ),
    ],
)
def test_rules_that_do_not_hold_together_are_said(changes, words):
    """In a table and, where possible, in a match; no tournament entry is blamed for them."""
    game = type("Broken", (Taking,), changes)()
    endless = "twice" in words or "among" in words
    for ask in (tabulate, *([] if endless else [match_of, tournament_of])):
        with pytest.raises(GameError, match=words):
            ask(game)


def test_a_class_made_from_a_coin_game_may_have_other_rules():
    """The ending is reversed: perfect play follows the rules, and `solve` says that it cannot."""

    class Reversed(CoinGame):
        def result(self, state):
            return -super().result(state)

    game = Reversed((6,), 3)
    assert evaluate(game, PerfectAgent(), RandomAgent(), games=100, seed=1, first="agent").wins == 100
    with pytest.raises(TypeError, match="use minimax"):
        solve(game)


# --- memory ---------------------------------------------------------------------------------------------


def test_a_game_without_a_table_is_still_played():
    game = sticks(21, max_pick=10**9)
    assert evaluate(game, PerfectAgent(), RandomAgent(), games=20, seed=1).wins >= 19
    wide = CoinGame((30,) * 5, max_pick=None)
    assert evaluate(wide, RandomAgent(), RandomAgent(), games=4, seed=1).games == 4


def test_what_was_found_for_the_last_games_is_kept():
    """Tables and solutions: the very same; a class made from a game is another game."""
    games = [sticks(count) for count in range(1, 17)]
    for find in (tabulate, solve):
        first = [find(game) for game in games]
        assert all(find(game) is found for game, found in zip(games, first))
    other = type("Other", (CoinGame,), {})((1,), 3)
    assert tabulate(other) is not tabulate(sticks(1))


def test_tables_can_be_asked_for_in_many_threads():
    with ThreadPoolExecutor(8) as pool:
        solutions = list(pool.map(solve, [sticks(count) for count in range(1, 200)]))
    assert [solution.game.rows for solution in solutions] == [(count,) for count in range(1, 200)]
