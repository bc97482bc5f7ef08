"""References make what the library makes, agents that win are right, and what a text leaves open is accepted."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from coincourse import checks
from coincourse.checks import engine, proof
from coincourse.outside.sandbox.CoinGame_pb2 import CoinGameState
from coincourse.outside.sandbox.wire import encode
from coinlib import SCENARIOS, CoinGame, GreedyCoins, QLearner, RandomAgent, agents, play_match, solve, sticks
from coinlib.solvers import greedy_margin, solve_greedy
from coinlib.trees import tree_size

ROWS = [list(coins) for count in range(1, 6) for coins in product((1, 5, 2, 0), repeat=count)]


def said(capsys, name, answer):
    getattr(checks, name)(answer)
    return capsys.readouterr().out.strip()


# --- references -----------------------------------------------------------------------------------------------------


def test_greedy_coins():
    for coins in ROWS:
        greedy = solve_greedy(coins)
        assert checks.alice_gets.reference(coins, True) == greedy.value
        assert checks.alice_gets.reference(coins, False) == sum(coins) - greedy.value
        assert checks.alice_table.reference(coins) == greedy.alice.tolist()
        diagonal = coins
        for more in range(1, len(coins)):
            diagonal = checks.next_diagonal.reference(coins, diagonal)
            assert diagonal == np.diagonal(greedy.margin, more).tolist()
    for count in range(1, 9):
        assert checks.count_nodes.reference(count) == tree_size(GreedyCoins(range(count))).nodes


def test_any_peak_may_be_fused_and_the_order_makes_no_difference():
    @cache
    def valleys(coins):
        rows = [
            (*coins[: i - 1], coins[i - 1] - coins[i] + coins[i + 1], *coins[i + 2 :])
            for i in range(1, len(coins) - 1)
            if coins[i - 1] <= coins[i] >= coins[i + 1]
        ]
        return frozenset().union(*map(valleys, rows)) if rows else {coins}

    for coins in ROWS:
        (valley,) = valleys(tuple(coins))
        assert tuple(checks.fuse_all.reference(coins)) == valley
        down = sorted(valley, reverse=True)
        assert sum(down[0::2]) - sum(down[1::2]) == greedy_margin(coins)


def test_one_row_and_several():
    assert not any(solve(sticks(400, 3, misere=False)).wins[proof.FOURS])
    for most, misere, count in product((1, 2, 3, 7), (False, True), range(1, 40)):
        best = solve(sticks(count, most, misere=misere)).best_moves((count,))
        assert checks.first_take.reference(count, most, misere) == (best[0].count if best else None)
    for most in (1, 2, 3):
        solution = solve(CoinGame((4, 5, 4), most, misere=False))
        for state in np.ndindex(solution.wins.shape):
            assert checks.to_zero.reference(list(state), most) == solution.best_moves(state)
    for misere in (False, True):  # without a bound a row of v coins has the value v
        wins = solve(CoinGame((5, 5, 5, 5), None, misere)).wins
        assert all(checks.lost_rows.reference(values, misere) != wins[values] for values in np.ndindex(wins.shape))


def test_the_update_makes_the_table_of_the_learner():
    game = sticks(10)
    learner = QLearner(game, learning_rate=0.5, discount=0.9, exploration=0.3, seed=1)
    q = {count: {move.count: 0.0 for move in game.legal_moves((count,))} for count in range(1, 11)}
    opponent = RandomAgent(seed=2)
    for _ in range(50):
        match = play_match(game, learner, opponent, learn=True)
        found = [state[0] for state in match.states[:-1:2]]
        for state, move, after in zip(found, match.moves[::2], [*found[1:], None]):
            reward = 0 if after else (1 if match.winner == 1 else -1)
            checks.q_update.reference(q, state, move.count, reward, after, 0.5, 0.9)
    for count, row in q.items():
        assert list(row.values()) == learner.values[learner.table.row((count,))][: len(row)].tolist()


def test_a_length_is_read_as_it_is_written_on_the_wire():
    for size in (1, 126, 127, 200, 20_000):
        message = CoinGameState(sessionID="x" * size)
        length = message.ByteSize()
        value, used = checks.read_varint.reference(encode(message))
        assert (value, used + length) == (length, len(encode(message)))


# --- agents ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("found_rule", checks.stranger),
        ("beats_random", agents.leave_multiple),
        ("counter", agents.leave_multiple),
        ("mirror", agents.mirror),
        ("misere_mirror", agents.closed_form),
        ("beat_field", agents.closed_form),
        ("unbeaten", agents.PerfectAgent(seed=1)),
        ("make_four", agents.leave_multiple),
    ],
)
def test_an_agent_that_wins_is_right_and_one_that_takes_a_single_coin_is_not(name, agent, capsys):
    assert said(capsys, name, agent).startswith("✓ Right: ")
    assert said(capsys, name, lambda game, state: game.legal_moves(state)[0]).startswith("✗ ")


def test_the_guests_go_in_a_circle_and_never_move_illegally():
    game = SCENARIOS["NIM"]
    take_one, odd, leave_one = (checks.guests[name] for name in ("take_one", "odd", "leave_one"))
    for winner, loser in ((leave_one, odd), (odd, take_one), (take_one, leave_one)):
        assert (play_match(game, winner, loser).winner, play_match(game, loser, winner).winner) == (1, 2)
    for state in np.ndindex(2, 4, 6, 8):
        if any(state):
            left = game.play(state, game.read_move(state, odd(game, state)))
            row = next(row for row, count in enumerate(state) if count)
            assert sum(left) % 2 == 1 or (sum(state) % 2 == 1 and state[row] == 1)


# --- what a text leaves open, and what it does not --------------------------------------------------------------------


def fused_from_the_right(coins):
    for i in range(len(coins) - 2, 0, -1):
        if coins[i - 1] <= coins[i] >= coins[i + 1]:
            return np.array([*coins[: i - 1], coins[i - 1] - coins[i] + coins[i + 1], *coins[i + 2 :]])
    return tuple(coins)


def fused_in_place(coins):
    coins[:] = fused_from_the_right(coins)
    return coins


def circle_from_its_second_agent(rates):
    found = checks.find_circle.reference(rates)
    return found and [*found[1:], found[0]]


def test_another_right_answer_is_right(capsys):
    assert said(capsys, "find_circle", circle_from_its_second_agent).startswith("✓ Right")
    assert said(capsys, "fuse_once", fused_from_the_right).startswith("✓ Right")
    assert "your function also changed what it was given" in said(capsys, "fuse_once", fused_in_place)
    assert said(capsys, "better_colour", lambda coins: "LR"[sum(coins[1::2]) >= sum(coins[0::2])]).startswith("✓ Right")
    assert said(capsys, "alice_table", lambda coins: solve_greedy(coins).alice).startswith("✓ Right")


def walk(coins):
    return 1 if coins == 0 else 1 + walk(coins - 1) + walk(coins - 1)


def table_by_the_tree(coins):
    gets, count = checks.alice_gets.reference, len(coins)
    return [[gets(coins[i : j + 1], (count - j + i) % 2 == 1) for j in range(count)] for i in range(count)]


def fused_again_and_again(coins):
    while (shorter := checks.fuse_once.reference(coins)) != coins:
        coins = shorter
    return coins


@pytest.mark.parametrize(
    ("name", "answer"),
    [("count_nodes", walk), ("alice_table", table_by_the_tree), ("fuse_all", fused_again_and_again)],
)
def test_an_answer_that_is_too_slow_is_given_up_and_told_why(name, answer, capsys, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 0.5)
    words = said(capsys, name, answer)
    assert "gave no answer within 0.5 seconds. Is there a loop that never ends, or " in words
