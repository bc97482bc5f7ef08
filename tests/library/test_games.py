"""The rules: what is legal, where a move leads, who has won."""

from __future__ import annotations

from functools import partial
from itertools import product

import hypothesis.strategies as st
import numpy as np
import pytest
from by_the_rules import coin_games
from hypothesis import given
from own_games import Taking

from coinlib import SCENARIOS, CoinGame, GreedyCoins, IllegalMove, Move, sticks, three_piles
from coinlib.agents import PerfectAgent, RandomAgent, ScriptedAgent
from coinlib.arena import evaluate
from coinlib.games import as_game, coin_game, read_move
from coinlib.learners import Hats
from coinlib.match import Match, play_match
from coinlib.solvers import minimax, solve
from coinlib.theory import is_lost
from coinlib.trees import tree_size

NIM = SCENARIOS["NIM"]
ROWS = "expected a Move(row, count), in whole numbers; got"
ONE_ROW = "expected a Move(row, count) or a number of coins, in whole numbers; got"


# --- worked examples, from the handouts -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "first", "second", "left", "winner"),
    [
        (20, (3, 1, 2, 3, 2), (2, 3, 2, 1, 1), [20, 17, 15, 14, 11, 9, 7, 4, 3, 1, 0], 1),  # Marvin and HAL
        (10, (3, 3), (3, 1), [10, 7, 4, 1, 0], 1),  # two people
        (10, (3, 3), (2, 2), [10, 7, 5, 2, 0], 1),  # against the computer
        (10, (1, 3, 2), (1, 3), [10, 9, 8, 5, 2, 0], 2),
    ],
)
def test_the_games_of_sticks_in_the_handouts(count, first, second, left, winner):
    """1 to 3 a turn; the player who takes the last one loses."""
    match = play_match(sticks(count), ScriptedAgent(*first), ScriptedAgent(*second))
    assert [state[0] for state in match.states] == left
    assert match.winner == winner
    assert match.reason == f"player {3 - winner} took the last coin and loses (misère play)"


def test_the_scenarios_of_the_coin_game():
    layouts = {name: (game.rows, game.max_pick, game.misere) for name, game in SCENARIOS.items()}
    assert layouts == {
        "SINGLE_21_2": ((21,), 2, True),
        "SINGLE_21_3": ((21,), 3, True),
        "DOUBLE_21_2": ((21, 21), 2, True),
        "DOUBLE_21_3": ((21, 21), 3, True),
        "NIM": ((1, 3, 5, 7), 2, True),
        "NIM_7": ((1, 3, 5, 7), 7, True),
    }
    with pytest.raises(TypeError):
        SCENARIOS["NIM"] = sticks(3)


def test_three_piles_are_played_to_the_last_coin_which_wins():
    game = three_piles(2, 2, 1)
    assert (game.max_pick, game.misere, game.ending) == (None, False, "normal play")
    assert game.play((2, 2, 1), Move(2, 1)) == (2, 2, 0)
    assert game.result((0, 0, 0)) == -1  # no coin is left for the player to move: lost


def test_an_empty_table_is_a_legal_start():
    match = play_match(three_piles(0, 0, 0), ScriptedAgent(), ScriptedAgent())
    assert (match.winner, match.moves) == (2, [])
    assert match.reason == "no coin was on the table, so player 2 wins (normal play)"
    assert play_match(sticks(0), ScriptedAgent(), ScriptedAgent()).winner == 1


def test_greedy_coins_by_hand():
    """1 2 4 3: Alice 3, Bob 4, Alice 2, Bob 1 is five each."""
    game = GreedyCoins((1, 2, 4, 3))
    match = play_match(game, ScriptedAgent("R", "R"), ScriptedAgent("R", "L"))
    assert match.rewards == [3, 4, 2, 1]
    assert (match.winner, match.reason) == (0, "a tie: 5 to 5 points")
    assert [game.coins_left(state) for state in match.states] == [(1, 2, 4, 3), (1, 2, 4), (1, 2), (1,), ()]


# --- what is legal --------------------------------------------------------------------------------------


def test_no_more_is_offered_than_is_left():
    """Worked out afresh for each state; changing an old list has no effect."""
    game = sticks(20)
    game.legal_moves((20,)).clear()
    offered = {held: [move.count for move in game.legal_moves((held,))] for held in (20, 3, 2, 1, 0)}
    assert offered == {20: [1, 2, 3], 3: [1, 2, 3], 2: [1, 2], 1: [1], 0: []}


def test_legal_moves_stand_in_order_of_row_then_count():
    assert CoinGame((2, 0, 1), max_pick=None).legal_moves((2, 0, 1)) == [Move(0, 1), Move(0, 2), Move(2, 1)]
    assert NIM.moves == tuple(Move(row, count) for row in range(4) for count in (1, 2))


def test_what_is_accepted_on_one_row():
    for answer in (2, (0, 2), [0, 2], Move(0, 2), np.int64(2), (np.int32(0), np.int8(2))):
        after = sticks(20).play((20,), answer)
        assert after == (18,) and type(after[0]) is int, answer


WHAT_WOULD_BE_LEGAL = [
    (NIM, (1, 3, 1, 7), (2, 3), "row 2 holds 1 coin; asked to take 3 (legal: 1)"),
    (NIM, (1, 3, 5, 7), (2, 3), "row 2 holds 5 coins; asked to take 3 (legal: 1 to 2)"),
    (NIM, (0, 3, 5, 7), (0, 1), "row 0 holds 0 coins; asked to take 1 (legal: nothing)"),
    (NIM, (1, 3, 5, 7), (4, 1), "there is no row 4; this game has rows 0 to 3"),
    (NIM, (1, 3, 5, 7), 2, f"{ROWS} 2"),
    (NIM, (1, 3, 5, 7), "x" * 500, f"{ROWS} '{'x' * 76}..."),
    (NIM, (1, 3, 5, 7), (3, 1.0), f"{ROWS} (3, 1.0)"),
    (NIM, (0, 0, 0, 0), (0, 1), "the game is over: no coin is left to take, asked for (0, 1)"),
    (sticks(5), (5,), 0, "row 0 holds 5 coins; asked to take 0 (legal: 1 to 3)"),
    (sticks(5), (5,), True, f"{ONE_ROW} True"),
    (sticks(5), (5,), 1.5, f"{ONE_ROW} 1.5"),
    (sticks(5), (5,), (1, 2, 3), f"{ONE_ROW} (1, 2, 3)"),
    (GreedyCoins((1, 2)), (0, 2), "LR", "'LR' is not a legal move in (0, 2) (legal: 'L', 'R')"),
    (Taking(), 10, True, "True is not a legal move in 10 (legal: 1, 2)"),
    (Taking(), 1, 2, "2 is not a legal move in 1 (legal: 1)"),
    (Taking(), 10, None, "expected a move, got None: no `return` was reached, or it returned None"),
]


def test_the_message_says_what_would_be_legal():
    """The same words wherever a move is read; another game takes its own moves only."""
    for game, state, move, words in WHAT_WOULD_BE_LEGAL:
        for ask in (partial(read_move, game), *(() if isinstance(game, Taking) else (game.play,))):
            with pytest.raises(IllegalMove) as caught:
                ask(state, move)
            assert str(caught.value) == words


def test_the_name_of_a_scenario_stands_for_its_game():
    assert coin_game("NIM") is coin_game(NIM) is as_game("NIM") is Match("NIM").game is Hats("NIM").game is NIM
    assert (minimax("NIM"), solve("NIM").game, tree_size("NIM")) == (minimax(NIM), NIM, tree_size(NIM))
    players = PerfectAgent(), RandomAgent()
    assert evaluate("NIM", *players, games=10, seed=1) == evaluate(NIM, *players, games=10, seed=1)
    assert is_lost("NIM", (1, 1, 1, 1)) == is_lost(NIM, (1, 1, 1, 1))


def test_a_game_is_a_value():
    game = CoinGame([np.int64(1), 3], max_pick=np.int8(2), misere=np.True_)
    assert game == CoinGame((1, 3), 2) != CoinGame((1, 3), 2, misere=False)
    assert hash(game) == hash(CoinGame((1, 3), 2))
    assert repr(game) == "CoinGame(rows=(1, 3), max_pick=2, misere=True)"
    with pytest.raises(AttributeError):
        game.max_pick = 3


def test_huge_games_can_be_named_and_played():
    game = CoinGame((10**12, 5), max_pick=10**9)
    assert game.play(game.start, (0, 10**9)) == (10**12 - 10**9, 5)
    assert (game.move_count, game.state_count) == (2 * 10**9, 6 * (10**12 + 1))


# --- properties -----------------------------------------------------------------------------------------


@given(coin_games, st.data())
def test_the_last_coin_decides_and_the_ending_says_how(game, data):
    """From one row, at least one coin, at most max_pick, at most what is left; documented as misère and played so."""
    state, mover, last = game.start, 0, None
    most = max(game.rows) if game.max_pick is None else game.max_pick
    while any(state):
        allowed = [Move(row, n) for row in range(len(state)) for n in range(1, 9) if n <= most and n <= state[row]]
        assert game.legal_moves(state) == allowed and set(allowed) <= set(game.moves)
        assert not game.is_over(state)
        for row, count in product(range(-1, 5), range(-1, 9)):
            if (row, count) in allowed:
                after = game.play(state, (row, count))
                assert after == (*state[:row], state[row] - count, *state[row + 1 :])
            else:
                with pytest.raises(IllegalMove):
                    game.play(state, (row, count))
        state, last, mover = game.play(state, data.draw(st.sampled_from(allowed))), mover, 1 - mover
    assert game.is_over(state) and game.legal_moves(state) == []
    winner = mover if game.result(state) == 1 else 1 - mover
    assert last is None or winner == (1 - last if game.misere else last)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.data())
def test_every_coin_is_taken_once_and_paid_once(coins, data):
    game = GreedyCoins(coins)
    state, paid = game.start, []
    while not game.is_over(state):
        move = data.draw(st.sampled_from(game.legal_moves(state)))
        left = game.coins_left(state)
        paid.append(game.reward(state, move))
        assert paid[-1] == (left[0] if move == "L" else left[-1])
        state = game.play(state, move)
        assert game.coins_left(state) == (left[1:] if move == "L" else left[:-1])
    assert sorted(paid) == sorted(coins)
    assert game.result(state) == 0
