"""The numbers of the library in a few lines: what the same seeds must give everywhere.

As a program it prints each piece of work with what came out, tables of numbers as the first digits of their
SHA-256. On its command line ``plain`` means without Numba, ``backwards`` the last piece first.
"""

from __future__ import annotations

import hashlib
import sys

if "plain" in sys.argv[1:]:
    sys.modules["numba"] = None

import numpy as np

from coinlib import (
    SCENARIOS,
    GreedyCoins,
    Hats,
    PerfectAgent,
    QLearner,
    RandomAgent,
    evaluate,
    greedy_margin,
    kernels,
    linear,
    minimax,
    solve,
    solve_greedy,
    sticks,
    sweep,
    three_piles,
    train,
)

COINS = (3, 5, 1, 2, 8)


def digest(*arrays) -> str:
    """The same letters for the same numbers, to the last bit."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def hats_with_themselves() -> str:
    hats = Hats(SCENARIOS["NIM"])
    run = train(hats, hats, games=200, seed=1, first="alternate")
    return digest(run.result, hats.values, hats.visits)


def q_learner_and_random() -> str:
    learner = QLearner(sticks(12), 0.3, 0.9, linear(0.6, 0.0, 150), legal_only=False)
    run = train(learner, RandomAgent(legal_only=False), games=200, seed=2, first="opponent")
    return digest(run.result, learner.values, learner.visits)


def two_learners_for_points() -> str:
    learner, hats = QLearner(GreedyCoins(COINS), 0.5, exploration=0.3), Hats(GreedyCoins(COINS))
    run = train(learner, hats, games=200, seed=3)
    return digest(run.result, learner.values, hats.values)


def hats_and_a_function() -> str:
    hats = Hats(sticks(9))
    run = train(hats, lambda game, state: game.legal_moves(state)[-1], games=200, seed=4)
    return digest(run.result, hats.values)


def three_piles_learnt() -> str:
    learner = QLearner(three_piles(2, 3, 4), 0.2, exploration=0.2)
    run = train(learner, PerfectAgent(), games=500, seed=5)
    return digest(run.result, learner.values)


def perfect_against_random() -> str:
    return str(evaluate(SCENARIOS["NIM"], PerfectAgent(), RandomAgent(), games=200, seed=4))


def solved() -> str:
    return digest(solve(three_piles(6, 5, 7)).wins, solve(SCENARIOS["DOUBLE_21_2"]).wins)


def greedy_coins() -> str:
    coins = np.random.default_rng(6).integers(1, 100, 200)
    return f"{solve_greedy(coins).value} {greedy_margin(coins)} {minimax(GreedyCoins((1, 2, 2, 1, 2, 1, 1, 2)))}"


def a_sweep() -> str:
    def learn(seed, games):
        learner = QLearner(sticks(10))
        train(learner, RandomAgent(), games=games, seed=seed)
        return {"right": learner.distance_to_perfect().right}

    table = sweep(learn, {"games": [50, 300]}, seeds=10, jobs=1)
    return digest(table["games"], table["seed"], table["right"])


PIECES = (
    hats_with_themselves,
    q_learner_and_random,
    two_learners_for_points,
    hats_and_a_function,
    three_piles_learnt,
    perfect_against_random,
    solved,
    greedy_coins,
    a_sweep,
)


if __name__ == "__main__":
    for piece in reversed(PIECES) if "backwards" in sys.argv[1:] else PIECES:
        print(f"{piece.__name__}: {piece()}")
    print("compiled" if hasattr(kernels.fast().draw, "py_func") else "plain", file=sys.stderr)
