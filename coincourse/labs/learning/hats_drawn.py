"""Hats to draw, in the hats lab and in the film about hats."""

from __future__ import annotations

from typing import NamedTuple

from coinlib import Hats, solve


class Hat(NamedTuple):
    """A hat to draw.

    Attributes
    ----------
    sticks : int
        The number of sticks it belongs to.
    balls : list of int
        How many balls of 1, 2, 3, ... are in it.
    most : int
        The largest legal move; balls with larger numbers are never played.
    beside : int or None
        The ball next to it.
    visits : int
        How often a ball was drawn from it.
    right : list of int
        The balls that win against perfect play, if they are to be shown.
    """

    sticks: int
    balls: list[int]
    most: int
    beside: int | None
    visits: int
    right: list[int]

    @property
    def numbers(self) -> list[int]:
        """The number on each ball in it."""
        numbers = []
        for number, count in enumerate(self.balls, 1):
            numbers += [number] * count
        return numbers

    @property
    def short_counts(self) -> list[str]:
        """How many balls of 1, 2, 3, ... are in it, in at most four characters each."""
        return [abbreviated_count(count) for count in self.balls]

    @property
    def played(self) -> int:
        """How many of its balls can be played, or 1 if there are none, so that it is safe to divide by."""
        return max(1, sum(self.balls[: self.most]))

    @property
    def favourite(self) -> int | None:
        """The playable number with the most balls; None if there is a tie."""
        playable = self.balls[: self.most]
        most = max(playable)
        return playable.index(most) + 1 if playable.count(most) == 1 else None

    @property
    def favours_right(self) -> bool:
        """Whether the favourite wins against perfect play."""
        return self.favourite in self.right


def hats_of(learner: Hats, reveal: bool = False) -> list[Hat]:
    """Every hat, the smallest first; the right balls are included only if `reveal` is true."""
    game = learner.game
    balls = learner.balls
    beside = dict(learner.beside())
    solution = solve(game)
    hats = []
    for sticks in range(1, game.start[0] + 1):
        row = learner.table.row((sticks,))
        hat = Hat(
            sticks=sticks,
            balls=balls[row].tolist(),
            most=min(sticks, game.max_pick),
            beside=beside[row] + 1 if row in beside else None,
            visits=int(learner.visits[row]),
            right=[move.count for move in solution.best_moves((sticks,))] if reveal else [],
        )
        hats.append(hat)
    return hats


def abbreviated_count(balls: int) -> str:
    """A number of balls in at most four characters; the table next to the picture shows it in full.

    Examples
    --------
    >>> [abbreviated_count(balls) for balls in (999, 1_000, 12_345, 999_500)]
    ['999', '1.0k', '12k', '1.0M']
    """
    if balls < 1_000:
        return f"{balls}"
    if balls < 9_950:
        return f"{balls / 1_000:.1f}k"
    if balls < 999_500:
        return f"{balls / 1_000:.0f}k"
    return f"{balls / 1_000_000:.1f}M"
