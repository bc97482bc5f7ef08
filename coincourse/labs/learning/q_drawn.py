"""What the page of the Q lab draws: values in words, the line of the win rate, and its axis."""

from __future__ import annotations

import numpy as np

from ..base.amounts import minus
from ..base.pages import TEMPLATES

POINTS = 300  # More games than this are drawn in groups.


def signed(value: float) -> str:
    """A value with two digits; none is minus zero.

    Examples
    --------
    >>> signed(-0.25), signed(-0.001)
    ('−0.25', '0.00')
    """
    words = f"{value:.2f}"
    return "0.00" if words == "-0.00" else minus(words)


def groups(rate: np.ndarray) -> list[list[float]]:
    """The win rate of each game from the first full window on, or of groups of games, where there are many.

    Parameters
    ----------
    rate : float64 array, shape (games,)
        NaN before a full window.

    Returns
    -------
    list of [game, mean, lowest, highest]
        At most 300 of them, with the middle of each group.

    Examples
    --------
    >>> groups(np.array([np.nan, 0.5, 1.0]))
    [[2.0, 0.5, 0.5, 0.5], [3.0, 1.0, 1.0, 1.0]]
    """
    games = np.flatnonzero(~np.isnan(rate))
    if len(games) == 0:
        return []
    begin = np.linspace(0, len(games), min(POINTS, len(games)), endpoint=False, dtype=int)
    parts = np.split(games, begin[1:])
    means = [(part.mean() + 1, rate[part].mean(), rate[part].min(), rate[part].max()) for part in parts]
    return np.array(means).tolist()


def ticks(games: int) -> list[int]:
    """Round numbers for an axis of games, at most six, the first 0.

    Examples
    --------
    >>> [ticks(games) for games in (0, 7, 10_001)]
    [[0], [0, 2, 4, 6], [0, 2000, 4000, 6000, 8000, 10000]]
    """
    step = 1
    while games >= 6 * step:
        step = _next_round(step)
    return list(range(0, games + 1, step))


def _next_round(number: int) -> int:
    """The round number after this one: 1, 2, 5, 10, 20, 50, ..."""
    leading = int(str(number)[0])
    return number * 5 // 2 if leading == 2 else number * 2


TEMPLATES.globals |= {"signed": signed, "groups": groups, "ticks": ticks}
