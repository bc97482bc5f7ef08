"""The page of the hats lab: the sticks, every hat with its balls, and the same as a table."""

from __future__ import annotations

from typing import NamedTuple

from coinlib.learners import Hats
from coinlib.solvers import solve

from .hats_play import Play
from .pages import TEMPLATES, page


class Hat(NamedTuple):
    """One hat as it is drawn.

    Attributes
    ----------
    sticks : int
        For how many sticks it stands.
    balls : list of int
        How many balls of 1, 2, 3, ... are in it.
    most : int
        Balls with larger numbers are never played.
    beside : int or None
        The ball that lies beside it.
    visits : int
        How often a ball was drawn from it.
    right : list of int
        The balls that win against perfect play, if they are to be seen.
    """

    sticks: int
    balls: list[int]
    most: int
    beside: int | None
    visits: int
    right: list[int]

    @property
    def numbers(self) -> list[int]:
        """The number of each ball in it."""
        return [number for number, many in enumerate(self.balls, 1) for _ in range(many)]

    @property
    def played(self) -> int:
        """The balls that can be played."""
        return max(1, sum(self.balls[: self.most]))

    @property
    def favourite(self) -> int | None:
        """The number that is on more balls than any other that can be played; None among equals."""
        playable = self.balls[: self.most]
        return playable.index(max(playable)) + 1 if playable.count(max(playable)) == 1 else None

    @property
    def favours_right(self) -> bool:
        """Whether that is a right one."""
        return self.favourite in self.right


def hats_of(learner: Hats, reveal: bool = False) -> list[Hat]:
    """Every hat, the smallest first."""
    table, balls, solution = learner.table, learner.balls, solve(learner.game)
    beside = dict(learner.beside())
    hats = []
    for sticks in range(1, learner.game.start[0] + 1):
        row = table.row((sticks,))
        right = [move.count for move in solution.best_moves((sticks,))] if reveal else []
        drawn = beside[row] + 1 if row in beside else None
        most = int(table.legal[row].sum())
        hats.append(Hat(sticks, balls[row].tolist(), most, drawn, int(learner.visits[row]), right))
    return hats


def draw(data: Play, look: bool, reveal: bool, first: str, **settings) -> str:
    """What happened in words, the sticks, every hat with its balls, and the same as a table.

    Parameters
    ----------
    data : Play
    look : bool
        Whether the hats are open.
    reveal : bool
        Whether the right balls are marked.
    first : {"other", "computer", "alternate"}
    """
    words, hats = _words(data, first), hats_of(data.hats, reveal)
    return page("hats.html", data=data, words=words, hats=hats, look=look, reveal=reveal, first=first)


def short(many: int) -> str:
    """A number of balls in at most four characters; the table beside the picture has it in full.

    Examples
    --------
    >>> [short(many) for many in (999, 1_000, 12_345, 999_500)]
    ['999', '1.0k', '12k', '1.0M']
    """
    if many < 1_000:
        return f"{many}"
    if many < 9_950:
        return f"{many / 1_000:.1f}k"
    return f"{many / 1_000:.0f}k" if many < 999_500 else f"{many / 1_000_000:.1f}M"


def _words(data: Play, first: str) -> str:
    """What happened, and what can be done next."""
    if data.notice:
        return f"That cannot be done: {data.notice.removesuffix('.')}."
    if not data.story:
        start = "You move first: take some sticks." if first == "other" else "Press “New game” to play."
        return f"Every hat holds one ball of each number. {start}"
    prompt = "Your turn." if data.yours else "" if data.sitting else "Press “New game” to play against it."
    return " ".join(filter(None, [*data.story, prompt]))


TEMPLATES.filters["short"] = short
