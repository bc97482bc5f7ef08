"""The numbers of the library in a few lines: what the same seeds must give everywhere.

Run as a program, it prints each computation with its result, tables of numbers as the first digits of their
SHA-256. The expected results are in tests/stored/referee/numbers.txt. On its command line ``plain`` means without
Numba, ``backwards`` the last one first.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from functools import partial

if "plain" in sys.argv[1:]:
    sys.modules["numba"] = None

import numpy as np
from own_games import Ladder, Taking

from coinlib import agents
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
from coinlib.arena import evaluate, round_robin
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, sticks, three_piles
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import play_match
from coinlib.training import train

COINS = (3, 5, 1, 2, 8)


def digest(*arrays) -> str:
    """Return the same letters for the same numbers, to the last bit."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


# --- the games and their players ------------------------------------------------------------------------

GAMES = {
    "sticks": sticks(10),
    "sticks, normal": sticks(10, misere=False),
    "NIM": SCENARIOS["NIM"],
    "DOUBLE_21_2": SCENARIOS["DOUBLE_21_2"],
    "rows of 0 and 4, no bound": CoinGame((0, 4, 2), None, misere=True),
    "three piles": three_piles(2, 3, 4),
    "greedy coins": GreedyCoins(COINS),
    "own": Ladder(7),
    "unhashable": Taking(7, points=1),
}
FIRSTS = ("agent", "opponent", "alternate")
LEARNERS = {
    "hats": lambda game: Hats(game, seed=11),
    "Q": lambda game: QLearner(game, 0.5, 0.9, linear(0.5, 0.0, 40), seed=12),
    "careless Q": lambda game: QLearner(game, lambda learnt: 1 / (1 + learnt / 9), 1.0, 0.2, False, seed=13),
}
OTHERS = {
    "random": lambda game: RandomAgent(14),
    "careless": lambda game: RandomAgent(15, legal_only=False),
    "perfect": lambda game: PerfectAgent(16),
    "script": lambda game: ScriptedAgent(*[game.legal_moves(game.start)[-1]] * 20),
    "function": lambda game: lambda game, state: game.legal_moves(state)[-1],
    "rule": lambda game: RuleAgent(lambda game, state: game.legal_moves(state)[0], "the first"),
    "illegal rule": lambda game: RuleAgent(lambda game, state: list(game.moves)[-1]),
}
RULES = (agents.take_one, agents.take_most, agents.leave_multiple, agents.closed_form, agents.mirror)


def everybody(game) -> dict:
    """Return functions that make every kind of agent that can play a game, by name; learners have practised."""
    rules = RULES[: 5 if len(game.rows) == 2 else 4] if isinstance(game, CoinGame) else ()
    learners = {name: lambda game, name=name: practised(game, name) for name in LEARNERS}
    return {**learners, **OTHERS, **{rule.__name__: lambda game, rule=rule: RuleAgent(rule) for rule in rules}}


def practised(game, name: str):
    learner = LEARNERS[name](game)
    train(learner, learner, games=25, seed=20)
    return learner


def knowledge(agent) -> str:
    """Return everything in a learner's memory, and what its generator draws next."""
    if not hasattr(agent, "values"):
        return ""
    return digest(agent.values, agent.visits) + f" {agent.games} {agent.generator.random()}"


def trained(game, name: str, other: str) -> str:
    found = []
    for seed, first in enumerate(FIRSTS):
        learner = LEARNERS[name](game)
        opponent = learner if other == "itself" else everybody(game)[other](game)
        run = train(learner, opponent, games=40, seed=seed, first=first, checkpoints=(0, 1, 17, 40))
        found += [
            run.result,
            run.moved_first,
            *run.checkpoints.values(),
            [hash_of(knowledge(learner) + knowledge(opponent))],
        ]
    return digest(*found)


def hash_of(words: str) -> int:
    return int(hashlib.sha256(words.encode()).hexdigest()[:8], 16)


def ranked(game) -> str:
    table = round_robin(game, {name: make(game) for name, make in everybody(game).items()}, games=8, seed=7)
    return f"{' > '.join(table.index)} {digest(table.to_numpy())}"


# --- one computation each -------------------------------------------------------------------------------


def seeds_of_every_kind() -> str:
    root = np.random.SeedSequence(9)
    found = []
    for seed in (0, root, root, np.random.default_rng(3), np.random.default_rng([1, 2])):
        hats = Hats(sticks(9), seed=seed)
        found += [train(hats, hats, games=9, seed=seed).result, [hats.generator.random()]]
    return digest(*found)


def a_run_as_a_table() -> str:
    run = train(Hats(sticks(10)), RandomAgent(legal_only=False), games=60, seed=1, first="alternate")
    rates = [run.win_rate(window) for window in (1, 5, 60, 61)]
    return f"{run} {digest(*rates, run.won)} {hash_of(run.to_frame().to_csv()):08x}"


def a_match_as_a_table() -> str:
    games = (sticks(10), SCENARIOS["NIM"], GreedyCoins(COINS), Ladder(7))
    tables = [play_match(game, RandomAgent(1), PerfectAgent(2)).to_frame().to_csv() for game in games]
    return f"{hash_of(str(tables)):08x}"


def forfeits_in_words() -> str:
    return str(evaluate(sticks(10), RandomAgent(1, legal_only=False), RandomAgent(2, False), games=100, seed=1))


WORK = seeds_of_every_kind, a_run_as_a_table, a_match_as_a_table, forfeits_in_words
PIECES = {piece.__name__: piece for piece in WORK}
for title, game in GAMES.items():
    PIECES[f"{title}; everybody"] = partial(ranked, game)
    for name in LEARNERS:
        for other in ("itself", *everybody(game)):
            PIECES[f"{title}; {name} learns from {other}"] = partial(trained, game, name, other)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of agents that raise
    for name in reversed(PIECES) if "backwards" in sys.argv[1:] else PIECES:
        print(f"{name}: {PIECES[name]()}")
    from coinlib import compiling  # the only look inside: were the loops compiled?

    numba = compiling.numba_or_none()
    print("plain" if numba is None or numba.config.DISABLE_JIT else "compiled", file=sys.stderr)
