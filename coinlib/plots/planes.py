"""Pictures of who wins where: the plane of two rows of coins, with the lost states marked."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.arguments import counted, whole_number
from coinlib.games import CoinGame
from coinlib.plots import look
from coinlib.plots.look import BLUE
from coinlib.words import ending_words, row_word

NUMBERS_ACROSS = 22  # If a line has more states than this, no numbers stand in the cells.
DOTS_ACROSS = 45  # If it has more than this, no dots stand in them either.


def positions(
    solution, fixed: Mapping[int, int] | None = None, values: Callable | None = None, ax: lazy.Axes | None = None
) -> lazy.Axes:
    """The states of two rows of coins as a plane, those marked in which whoever moves loses.

    Parameters
    ----------
    solution : Solution
        From `coinlib.solve`.
    fixed : dict of int to int, or None
        How many coins each other row holds: all rows but two must be named.
    values : function of a state, or None
        A number for each state, for example its nim-sum; it stands in the cell in place of the dot.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Dark cells are lost; in each stands a white dot, or its value in a frame.


    Examples
    --------
    >>> from coinlib import solve, three_piles
    >>> ax = positions(solve(three_piles(3, 3, 7)), fixed={2: 1})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('coins in pile 0', 'coins in pile 1')
    """
    plane = _plane(solution, fixed)
    wide, high = plane.wins.shape
    side = _side(plane)
    ax = look.axes(ax, max(4.0, 0.9 + 1.1 * side * wide), max(2.4, 1.2 + side * high))
    colours = look.blend("lost, won", [BLUE, "#E8E8E8"])
    ax.imshow(plane.wins.T, cmap=colours, vmin=0, vmax=1, origin="lower")
    mark = "dark"
    if values is not None:
        _write_values(ax, solution.game, plane, values)
        mark = "dark, with a frame"
    elif max(plane.wins.shape) <= DOTS_ACROSS:
        lost = np.argwhere(~plane.wins)
        ax.plot(*lost.T, "o", color="white", markersize=min(8.0, 26 * side), gid="lost")
        mark = "dark, with a dot"
    word = row_word(solution.game)
    ax.set(xlabel=f"coins in {word} {plane.across}", ylabel=f"coins in {word} {plane.up}")
    ax.xaxis.set_ticks(range(0, wide, _tick_step(wide)))
    ax.yaxis.set_ticks(range(0, high, _tick_step(high)))
    held = [f"{word} {row} holds {counted(coins, 'coin')}" for row, coins in plane.fixed.items()]
    look.caption(ax, [ending_words(solution.game), *held, f"{mark}: whoever moves loses"])
    return ax


class Plane(NamedTuple):
    """The states of two rows, `across` and `up`: the coins `fixed` in all others, and who wins."""

    across: int
    up: int
    fixed: dict[int, int]
    wins: np.ndarray


def _plane(solution, fixed: Mapping[int, int] | None) -> Plane:
    """The plane of the two rows that are not fixed."""
    fixed = dict(fixed or {})
    rows = range(len(solution.game.rows))
    free = [row for row in rows if row not in fixed]
    if len(free) != 2:
        many = counted(len(rows), "row")
        raise ValueError(f"fixed: expected the coins of all rows but two of {many}, got {fixed}")
    for row, held in fixed.items():
        most = solution.game.rows[whole_number(row, "fixed: a row", most=len(rows) - 1)]
        whole_number(held, f"fixed: the coins of row {row}", most=most)
    across, up = free
    wins = solution.wins[tuple(fixed.get(row, slice(None)) for row in rows)]
    return Plane(across, up, fixed, wins)


def _side(plane: Plane) -> float:
    """How wide a cell is, in inches."""
    return min(0.4, 7 / max(plane.wins.shape))


def _tick_step(many: int) -> int:
    """How far apart the counts stand along an axis of so many."""
    if many <= NUMBERS_ACROSS:
        return 1
    return 4 if many <= DOTS_ACROSS else 10


def _write_values(ax: lazy.Axes, game: CoinGame, plane: Plane, values: Callable) -> None:
    """The number that a function gives each state, in its cell where there is room."""
    if max(plane.wins.shape) > NUMBERS_ACROSS:
        return
    counts = [range(start + 1) for start in game.rows]
    for row, held in plane.fixed.items():
        counts[row] = range(held, held + 1)
    states = itertools.product(*counts)
    for state, (place, is_won) in zip(states, np.ndenumerate(plane.wins)):
        colour = look.INK
        if not is_won:
            colour = "white"
            look.square(ax, place, 0.4, fill=False, edgecolor=colour, linewidth=1.5)
        look.write(ax, place, f"{values(state):g}", color=colour)
