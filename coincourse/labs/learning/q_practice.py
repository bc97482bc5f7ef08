"""A Q-learner in practice: its games, and what the last one changed in its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from coinlib import QLearner, play_match, solve
from coinlib.distance import Distance
from coinlib.match import Match, who_begins
from coinlib.solvers import Solution
from coinlib.training import Run

from ..base.sticks import train_more, turns_of


def window_of(window: int, games: int) -> int:
    """The window of a win rate: the given one, or one that fits this number of games."""
    return window or (50 if games >= 300 else 5)


class Update(NamedTuple):
    """One change of the Q-table.

    Attributes
    ----------
    sticks, take : int
        The sticks before the learner's move, and how many it took.
    found : int or None
        The sticks after the reply; None if the game was over.
    target : float
        The value towards which the old one moved.
    before, after : float
        The value before and after this change.
    """

    sticks: int
    take: int
    found: int | None
    target: float
    before: float
    after: float


def updates_of(match: Match, seats: tuple, learner: QLearner, before: np.ndarray) -> list[Update]:
    """What a game changed, turn by turn; `before` is the learner's table before the game.

    Each number of sticks occurs at most once in a game, so its values are still those before the game.
    """
    turns = turns_of(match)
    updates = []
    for turn, (sticks, take) in enumerate(turns):
        side = turn % 2
        if seats[side] is not learner:
            continue
        if turn + 2 < len(turns):
            found, _ = turns[turn + 2]
            target = learner.discount * before[learner.table.row((found,))].max()
        else:
            found = None
            target = float(match.outcome(side + 1))
        place = learner.table.row((sticks,)), take - 1
        updates.append(Update(sticks, take, found, target, before[place], learner.values[place]))
    return updates


@dataclass
class Practice:
    """A learner and its practice so far.

    Attributes
    ----------
    learner : QLearner
    opponent : agent
    first : str
        Who moves first, as in `train`.
    window : int
        The window of the win rate; 0 for one that fits the number of games.
    games : int
        The number of games on the slider.
    result : int8 array, shape (games,)
        +1 or -1 for the learner in each game.
    updates : list of Update
        What the last game changed, in order.
    """

    learner: QLearner
    opponent: object
    first: str
    window: int
    games: int
    result: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    updates: Sequence[Update] = ()

    @property
    def values(self) -> np.ndarray:
        """float64 array, shape (S, M): the Q-table."""
        return self.learner.values

    @property
    def counted(self) -> int:
        """The window of the win rate."""
        return window_of(self.window, len(self.result))

    @property
    def win_rate(self) -> np.ndarray:
        """float64 array, shape (games,): the rolling win rate."""
        return Run("the learner", "its opponent", self.result, None).win_rate(self.counted)

    @property
    def distance(self) -> Distance:
        """How far it is from perfect play, on the side that it practises; against itself, on both."""
        first = "alternate" if self.opponent is self.learner else self.first
        return self.learner.distance_to_perfect(first)

    @property
    def solution(self) -> Solution:
        """The game's solution."""
        return solve(self.learner.game)

    @property
    def steps(self) -> int:
        """The games beyond the number on the slider; negative until it is reached."""
        return len(self.result) - self.games

    @property
    def left(self) -> int:
        """The games that remain until the number on the slider is reached."""
        return max(0, -self.steps)

    def step(self, games: int) -> None:
        """Play this number of games, at least 1; the last one move by move, to see its updates."""
        done = len(self.result)
        unseen = train_more(self.learner, self.opponent, games - 1, self.first, done)
        order = who_begins(self.first)
        side = order[(done + games - 1) % len(order)]
        seats = (self.learner, self.opponent) if side == 0 else (self.opponent, self.learner)
        before = self.learner.values
        match = play_match(self.learner.game, *seats, learn=True)
        self.updates = updates_of(match, seats, self.learner, before)
        last = np.int8(match.outcome(side + 1))
        self.result = np.concatenate([self.result, unseen, [last]])
