"""A wrong argument gets one sentence: its name, what was expected, what was passed; and nothing has changed.

A table that is too large is refused in the same way, with the memory it would need, before it is made.
"""

from __future__ import annotations

import numpy as np
import pytest
from own_games import NoughtsAndCrosses, Taking

from coinlib import HumanAgent, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
from coinlib.agents import closed_form, mirror, take_one
from coinlib.arena import evaluate, round_robin
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, coin_game, sticks, three_piles
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import play_match
from coinlib.named import agent as agent_called
from coinlib.projects.periods import period
from coinlib.solvers import greedy_margin, greedy_move, greedy_valley, minimax, solve, solve_greedy
from coinlib.sweeps import sweep
from coinlib.tables import tabulate
from coinlib.theory import grundy_values, is_lost, outcomes, winning_moves
from coinlib.training import train

NIM = SCENARIOS["NIM"]
FIVE = sticks(5)
TWO_COINS = GreedyCoins((1, 2))
HATS = Hats(sticks(10))
OWN = Hats(NoughtsAndCrosses())
HALF = type("Half", (), dict.fromkeys(("start", "moves", "legal_moves", "play", "is_over")))

GAMES = [  # the call, the error, and its words, where … stands for any others
    (lambda: CoinGame((), 3), ValueError, "rows: expected at least one row, got none"),
    (lambda: CoinGame((-1,), 3), ValueError, "a row: expected 0 or more, got -1"),
    (lambda: CoinGame((2.0,), 3), TypeError, "a row: expected a whole number, got 2.0"),
    (lambda: CoinGame((True,), 3), TypeError, "a row: expected a whole number, got True"),
    (lambda: CoinGame("357", 3), TypeError, "rows: expected counts such as (1, 3, 5, 7), got '357'"),
    (lambda: CoinGame({3, 5}, 3), TypeError, "rows: expected counts such as (1, 3, 5, 7), got {3, 5}"),
    (lambda: CoinGame((3,), 0), ValueError, "max_pick: expected 1 or more, got 0"),
    (lambda: CoinGame((3,), 1.5), TypeError, "max_pick: expected a whole number, got 1.5"),
    (lambda: CoinGame((3,), 3, "normal"), ValueError, "misere: expected True or False, got 'normal'"),
    (lambda: coin_game("nim"), ValueError, "game: expected 'SINGLE_21_2', … or 'NIM_7', got 'nim'"),
    (lambda: tabulate(3), TypeError, "game: expected a game such as sticks(20), got 3"),
    (lambda: tabulate(HALF), TypeError, "it has no reward, result"),
    (lambda: play_match(HALF, take_one, take_one), TypeError, "it has no reward, result"),
    (lambda: tabulate(CoinGame), TypeError, "got the class CoinGame; write CoinGame(...) to make one"),
]
STATES = [
    (lambda: FIVE.result((5,)), ValueError, "the game is not over"),
    (lambda: tabulate(FIVE).row((6,)), ValueError, "cannot be reached from (5,)"),
    (lambda: tabulate(FIVE).row(3), ValueError, "3 cannot be reached from (5,); write (3,)"),
    (lambda: minimax(FIVE, (1, 1)), ValueError, "cannot be reached from (5,)"),
    (lambda: solve(FIVE).winner((6,)), ValueError, "expected a state of this game"),
    (lambda: solve(FIVE).best_moves(3), ValueError, "expected a state of this game"),
    (lambda: is_lost(FIVE, 5), ValueError, "expected a state of this game"),
    (lambda: winning_moves(FIVE, (6,)), ValueError, "expected a state of this game"),
]
for game, wrong_states in {
    FIVE: [5],
    NIM: [(1, 3, 5), (1, 3, 5, 8), (1, 3, 5, -1)],
    TWO_COINS: [(2, 1), (0, 3)],
}.items():
    for state in wrong_states:
        for ask in (game.legal_moves, game.is_over, game.result):
            STATES.append((lambda ask=ask, state=state: ask(state), ValueError, "expected a state of this game"))
for agent in (RandomAgent(), PerfectAgent(), HumanAgent(), Hats(FIVE)):
    over = "state: the game is over in (0,), there is nothing to"
    STATES.append((lambda agent=agent: agent(FIVE, (0,)), ValueError, over))

THEORY = [
    (lambda: solve(TWO_COINS), TypeError, "game: expected a CoinGame, got …; use minimax for other games"),
    (lambda: solve_greedy([1, 2, 4, 3]).cost("LR", 0, 3), ValueError, "move: expected 'L' or 'R', got 'LR'"),
    (lambda: outcomes({0, 1}, True, 10), ValueError, "an amount: expected 1 or more, got 0"),
    (lambda: grundy_values({1.5}, 10), TypeError, "an amount: expected a whole number, got 1.5"),
    (lambda: period([], True), ValueError, "amounts: expected at least one amount, got none"),
]
for coins, error, words in (
    ([], ValueError, "coins: expected at least one coin, got none"),
    ([3, -1], ValueError, "a coin: expected 0 or more, got -1"),
    (np.array([3, -1]), ValueError, "a coin: expected 0 or more, got -1"),
    ("1243", TypeError, "coins: expected values such as (1, 2, 4, 3), got '1243'"),
    ([1, 2.5], TypeError, "a coin: expected a whole number, got 2.5"),
    (np.array([1, 2.5]), TypeError, "a coin: expected a whole number, got np.float64"),
):
    for ask in (solve_greedy, greedy_margin, greedy_move, greedy_valley):
        THEORY.append((lambda ask=ask, coins=coins: ask(coins), error, words))

OTHER_GAME = "game: this learner plays CoinGame(rows=(10,)"
FIRST = "first: expected 'agent', 'opponent' or 'alternate', got 'me'"
PLAYERS = [
    (lambda: mirror(FIVE, (5,)), ValueError, "mirror: expected two rows, got 1"),
    (lambda: RuleAgent(3), TypeError, "rule: expected an agent, a function (game, state) -> move; got 3"),
    (lambda: closed_form(OWN.game, "." * 9), TypeError, "game: expected a CoinGame, got <own_games.Noughts"),
    (lambda: ScriptedAgent()(FIVE, (5,)), IndexError, "the script has 0 moves, and one more was asked for"),
    (lambda: agent_called("prefect"), ValueError, "agent: expected 'random', … or 'perfect', got 'prefect'"),
    (lambda: linear(1, 0, games=0), ValueError, "games: expected 1 or more, got 0"),
    (lambda: HATS.put(4, 2, 0), ValueError, "balls: expected 1 or more, got 0"),
    (lambda: HATS.put(4, 4, 2), ValueError, "move: Move(row=0, count=4) is not a move of"),
    (lambda: HATS.put(2, 3, 2), ValueError, "A ball 3 is never played from hat 2, so"),
    (lambda: HATS.put(0, 1, 2), ValueError, "the game is over in (0,)"),
    (lambda: HATS(FIVE, (5,)), ValueError, OTHER_GAME),
    (lambda: HATS.sit()(FIVE, (5,)), ValueError, OTHER_GAME),
    (lambda: evaluate(FIVE, HATS, RandomAgent(), games=9), ValueError, OTHER_GAME),
    (lambda: OWN(Taking(), 3), ValueError, "game: this learner plays <own_games.Noughts…; asked to play Taking("),
    (lambda: HATS.distance_to_perfect("me"), ValueError, FIRST),
]
for name in ("learning_rate", "discount", "exploration"):
    for rate, error in ((1.5, ValueError), (-0.1, ValueError), ("x", TypeError)):
        words = f"{name}: expected a number from 0 to 1, got {rate!r}"
        PLAYERS.append((lambda name=name, rate=rate: QLearner(FIVE, **{name: rate}), error, words))


def train_at(rate):
    return train(QLearner(FIVE, exploration=rate), RandomAgent(), games=500, seed=1)


def sweep_of(grid, seeds=2):
    return sweep(lambda seed, rate: {}, grid, seeds=seeds, jobs=1)


MANY_GAMES = [
    (lambda: evaluate(FIVE, take_one, take_one, games=0), ValueError, "games: expected 1 or more, got 0"),
    (lambda: evaluate(FIVE, take_one, take_one, games=1.5), TypeError, "games: expected a whole number, got 1.5"),
    (lambda: evaluate(FIVE, take_one, take_one, games=10, first="me"), ValueError, FIRST),
    (lambda: evaluate(FIVE, RandomAgent, take_one, games=1), TypeError, "agent: …; write RandomAgent(...) to make one"),
    (lambda: evaluate(FIVE, take_one, "perfect"), TypeError, "opponent: …'perfect'; write named.agent('perfect')"),
    (
        lambda: train(RandomAgent(), take_one),
        TypeError,
        "learner: expected Hats, … or another Learner, got RandomAgent",
    ),
    (lambda: train_at(lambda games: games / 100), ValueError, "exploration: expected a number from 0 to 1, got 1.01"),
    (lambda: train(HATS, take_one, games=-1), ValueError, "games: expected 0 or more, got -1"),
    (lambda: train(HATS, take_one, 10, checkpoints=[11]), ValueError, "a checkpoint: expected at most 10, got 11"),
    (lambda: round_robin(FIVE, [take_one, take_one]), TypeError, "agents: expected two names or more, …; got ["),
    (lambda: round_robin(FIVE, {"me": take_one, "you": 3}), TypeError, "opponent: expected an agent, … got 3"),
    (lambda: train(Hats(FIVE), take_one, 5).win_rate(window=0), ValueError, "window: expected 1 or more"),
    (lambda: sweep_of({"rate": []}), ValueError, "grid: expected …, a value for each, …; got {'rate': []"),
    (lambda: sweep_of({"seed": [1]}), ValueError, "grid: expected settings (not seed or error), …; got {"),
    (lambda: sweep_of({"rate": [1]}, seeds=0), ValueError, "seeds: expected 1 or more, got 0"),
    (lambda: sweep_of({"rate": [1]}, seeds=[]), ValueError, "grid: expected …, a seed; got {"),
]
LARGE = sticks(21, max_pick=10**9)
TOO_LARGE = [
    (lambda: solve(three_piles(*[10**4] * 3)), MemoryError, "table of 1,000,300,030,001 states would need 953,960 MiB"),
    (lambda: solve(CoinGame((10**6,) * 60, 3)), MemoryError, "about 10^360 states would need about 10^354 MiB"),
    (lambda: solve_greedy([1] * 10**6), MemoryError, "the table of 500,000,500,000 states would need … MiB"),
    (lambda: solve_greedy([2**61, 1]), OverflowError, "a coin: expected values that add up to less than 2**62, got 23"),
    (lambda: QLearner(sticks(10**9)), MemoryError, "a table of 1,000,000,001 states and 3 moves would need … MiB"),
    (lambda: tabulate(LARGE), MemoryError, "a table of 22 states and 1,000,000,000 moves would need … MiB"),
]


@pytest.mark.parametrize("slips", [GAMES, STATES, THEORY, PLAYERS, MANY_GAMES, TOO_LARGE])
def test_a_slip_gets_one_sentence(slips):
    unlike = []
    for ask, error, words in slips:
        try:
            said = f"nothing, but gives {ask()!r}"
        except error as caught:
            said = str(caught)
        if not all(part in said for part in words.split("…")):
            unlike.append(f"instead of '{words}' it says {said}")
    assert unlike == []
    assert np.array_equal(HATS.balls, Hats(HATS.game).balls) and HATS.games == 0
