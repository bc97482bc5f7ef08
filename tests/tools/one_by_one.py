"""A loop of single matches that asks both agents for every move, to compare with many games in one call."""

from __future__ import annotations

import numpy as np

from coinlib.learners import Learner
from coinlib.match import play_match

ORDERS = ("agent", "opponent", "alternate")


def lend(pair, seed) -> None:
    """Lend out generators as `train` and `evaluate` do: one for each object."""
    first, second = np.random.default_rng(seed).spawn(2)
    for agent, generator in ((pair[1], second), (pair[0], first)):  # one object in both seats gets the first
        if hasattr(agent, "generator"):
            agent.generator = generator


def matches(game, pair, games, first, learn) -> list[tuple]:
    """Play games one after another; return (match, seat of the first of the pair) of each."""
    played = []
    for number in range(games):
        begins = first == "agent" or (first == "alternate" and number % 2 == 0)
        match = play_match(game, *(pair if begins else pair[::-1]), learn=learn)
        played.append((match, 1 if begins else 2))
    return played


def results(played) -> list[int]:
    """+1, 0 or -1 of each game for the first of the pair."""
    return [match.outcome(seat) for match, seat in played]


def forfeits(played) -> list[int]:
    """The result of each game that an illegal move ended, and 0 for the others."""
    return [match.outcome(seat) if match.forfeit else 0 for match, seat in played]


def first_forfeit(played):
    """The first illegal move of some matches, or None."""
    return next((match.forfeit for match, _ in played if match.forfeit), None)


def same(one, other) -> bool:
    """Return whether two learners have learnt the same; other agents have nothing to compare."""
    return not isinstance(one, Learner) or all(map(np.array_equal, one.memory, other.memory))
