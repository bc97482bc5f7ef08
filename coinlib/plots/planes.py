"""Pictures of who wins where: the plane of two rows of coins, with the lost states marked."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.arguments import counted, whole_number
from coinlib.games import CoinGame
from coinlib.plots import grid, look
from coinlib.plots.look import BLUE
from coinlib.words import ending_words, row_word

NUMBERS_ACROSS = 22  # If a line has more states than this, cells show no numbers.
DOTS_ACROSS = 45  # If it has more than this, they show no dots either.


def positions(
    solution, fixed: Mapping[int, int] | None = None, values: Callable | None = None, ax: lazy.Axes | None = None
) -> lazy.Axes:
    """Draw the states of two rows of coins as a plane, with the lost states marked.

    Parameters
    ----------
    solution : Solution
        From `coinlib.solve`.
    fixed : dict of int to int, or None
        How many coins each of the other rows holds; all rows but two must be given.
    values : function of a state, or None
        A number for each state, for example its nim-sum, to show instead of the dot.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Blue cells are lost; each shows a white dot, or its value in a frame.

    Examples
    --------
    >>> from coinlib import solve, three_piles
    >>> ax = positions(solve(three_piles(3, 3, 7)), fixed={2: 1})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('coins in pile 0', 'coins in pile 1')
    """
    plane = _plane(solution, fixed)
    width, height = plane.wins.shape
    cell = min(0.4, 7 / max(width, height))  # the width of a cell in inches
    ax = look.axes(ax, max(4.0, 0.9 + 1.1 * cell * width), max(2.4, 1.2 + cell * height))
    grid.colour_cells(ax, plane.wins.T, [BLUE, "#E8E8E8"], (0, 1), origin="lower")
    mark = "blue"
    if values is not None:
        _write_values(ax, solution.game, plane, values)
        mark = "blue, with a frame"
    elif max(width, height) <= DOTS_ACROSS:
        lost = np.argwhere(~plane.wins)
        ax.plot(*lost.T, "o", color="white", markersize=min(8.0, 26 * cell), gid="lost")
        mark = "blue, with a dot"
    word = row_word(solution.game)
    ax.set(xlabel=f"coins in {word} {plane.across}", ylabel=f"coins in {word} {plane.up}")
    ax.xaxis.set_ticks(range(0, width, _tick_step(width)))
    ax.yaxis.set_ticks(range(0, height, _tick_step(height)))
    held = [f"{word} {row} holds {counted(coins, 'coin')}" for row, coins in plane.fixed.items()]
    look.caption(ax, [ending_words(solution.game), *held, f"{mark}: the player to move loses"])
    return ax


class Plane(NamedTuple):
    """The states of two rows, `across` and `up`, the coins `fixed` in all others, and which states are won."""

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
        all_rows = counted(len(rows), "row")
        raise ValueError(f"fixed: expected the coins of all rows but two of {all_rows}, got {fixed}")
    for row, held in fixed.items():
        most = solution.game.rows[whole_number(row, "fixed: a row", most=len(rows) - 1)]
        whole_number(held, f"fixed: the coins of row {row}", most=most)
    across, up = free
    wins = solution.wins[tuple(fixed.get(row, slice(None)) for row in rows)]
    return Plane(across, up, fixed, wins)


def _tick_step(size: int) -> int:
    """The distance between the ticks of an axis with `size` counts."""
    if size <= NUMBERS_ACROSS:
        return 1
    return 4 if size <= DOTS_ACROSS else 10


def _write_values(ax: lazy.Axes, game: CoinGame, plane: Plane, values: Callable) -> None:
    """Write the value of each state into its cell, if there is room."""
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
            grid.frame(ax, place, 0.4, 1.5, colour)
        look.write(ax, place, f"{values(state):g}", color=colour)
