"""Pictures of who wins where: the plane of two rows of coins, with the lost states marked."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.arguments import counted
from coinlib.games import CoinGame, ending_words
from coinlib.plots import look
from coinlib.plots.look import BLUE, VERMILION

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
        A number for each state, for example its nim-sum; it gives the colour, and stands in the cell
        where there is room.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Dark cells with a white dot are lost; with `values` they have a thick frame.

    See Also
    --------
    positions_table : the same as words.

    Examples
    --------
    >>> from coinlib import solve, three_piles
    >>> ax = positions(solve(three_piles(3, 3, 7)), fixed={2: 1})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('coins in row 0', 'coins in row 1')
    """
    plane = _plane(solution, fixed)
    wide, high = plane.wins.shape
    side = _side(plane)
    beside = 0.9 if values is None else 2.2  # inches for the labels, and for the legend of the values
    ax = look.axes(ax, max(4.0, beside + 1.1 * side * wide), max(2.4, 1.2 + side * high))
    if values is None:
        mark = _draw_winners(ax, plane)
    else:
        _draw_values(ax, solution.game, plane, values)
        mark = "framed"
    ax.set(xlabel=f"coins in row {plane.across}", ylabel=f"coins in row {plane.up}")
    ax.xaxis.set_ticks(range(0, wide, _tick_step(wide)))
    ax.yaxis.set_ticks(range(0, high, _tick_step(high)))
    held = [f"row {row} holds {counted(coins, 'coin')}" for row, coins in plane.fixed.items()]
    look.caption(ax, [ending_words(solution.game), *held, f"{mark}: whoever moves loses"])
    return ax


def positions_table(solution, fixed: Mapping[int, int] | None = None) -> lazy.DataFrame:
    """The states of two rows of coins as a table of "lost" and "won", for whoever moves.

    Parameters
    ----------
    solution : Solution
        From `coinlib.solve`.
    fixed : dict of int to int, or None
        As in `positions`.

    Returns
    -------
    DataFrame
        A line for each count of the second of the two rows, a column for each of the first.

    Examples
    --------
    >>> from coinlib import solve, three_piles
    >>> print(positions_table(solve(three_piles(2, 2, 1)), fixed={2: 1}))
    row 0     0     1    2
    row 1
    0       won  lost  won
    1      lost   won  won
    2       won   won  won
    """
    plane = _plane(solution, fixed)
    table = lazy.DataFrame(np.where(plane.wins.T, "won", "lost"))
    return table.rename_axis(index=f"row {plane.up}", columns=f"row {plane.across}")


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


def _draw_winners(ax: lazy.Axes, plane: Plane) -> str:
    """Who wins in each state, as a colour and a dot; returns how the lost states are marked, in words."""
    colours = look.blend("lost, won", [BLUE, "#E8E8E8"])
    ax.imshow(plane.wins.T, cmap=colours, vmin=0, vmax=1, origin="lower")
    if max(plane.wins.shape) > DOTS_ACROSS:
        return "dark"
    lost = np.argwhere(~plane.wins)
    ax.plot(*lost.T, "o", color="white", markersize=min(8.0, 26 * _side(plane)), gid="lost")
    return "dark, with a dot"


def _draw_values(ax: lazy.Axes, game: CoinGame, plane: Plane, values: Callable) -> None:
    """The number that a function gives each state, as a colour and in the cell; the lost states in frames."""
    from matplotlib.ticker import MaxNLocator

    counts = [range(start + 1) for start in game.rows]
    for row, held in plane.fixed.items():
        counts[row] = range(held, held + 1)
    found = [values(state) for state in itertools.product(*counts)]
    numbers = np.array(found, dtype=float).reshape(plane.wins.shape)
    image = ax.imshow(numbers.T, cmap="viridis", origin="lower")
    has_room = max(numbers.shape) <= NUMBERS_ACROSS
    if has_room:
        for place, number in np.ndenumerate(numbers):
            look.write(ax, place, f"{number:g}", color=look.readable_on(image.cmap(image.norm(number))))
    label = getattr(values, "__name__", "value").replace("<lambda>", "value").replace("_", " ")
    are_whole = (numbers == numbers.round()).all()
    ax.figure.colorbar(image, ax=ax, label=label, ticks=MaxNLocator(integer=True) if are_whole else None)
    for centre in np.argwhere(~plane.wins):
        look.square(ax, centre, 0.45, fill=False, edgecolor=VERMILION, linewidth=2.5 if has_room else 0.8)
