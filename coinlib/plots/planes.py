"""Pictures of who wins where: the plane of two rows of coins, with the lost states marked."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import numpy as np

from coinlib import lazy
from coinlib.arguments import counted
from coinlib.games import CoinGame
from coinlib.plots import look
from coinlib.plots.look import BLUE, VERMILION

NUMBERS_ACROSS = 22  # more states than this in a line hold no numbers
DOTS_ACROSS = 45  # and more than this no marks


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
    across, up, fixed, wins = _plane(solution, fixed)
    wide, high = wins.shape
    most = max(wide, high)
    side = min(0.4, 7 / most)
    ax = look.axes(ax, max(4.0, (0.9 if values is None else 2.2) + 1.1 * side * wide), max(2.4, 1.2 + side * high))
    lost = np.argwhere(~wins)
    if values is not None:
        mark = "framed"
        _draw_values(ax, solution.game, fixed, values)
        width = 2.5 if most <= NUMBERS_ACROSS else 0.8
        for centre in lost:
            look.square(ax, centre, 0.45, fill=False, edgecolor=VERMILION, linewidth=width)
    else:
        mark = "dark"
        ax.imshow(wins.T, cmap=look.blend("lost, won", [BLUE, "#E8E8E8"]), vmin=0, vmax=1, origin="lower")
        if most <= DOTS_ACROSS:
            mark = "dark, with a dot"
            ax.plot(*lost.T, "o", color="white", markersize=min(8.0, 26 * side), gid="lost")
    ax.set(xlabel=f"coins in row {across}", ylabel=f"coins in row {up}")
    for axis, many in ((ax.xaxis, wide), (ax.yaxis, high)):
        axis.set_ticks(range(0, many, 1 if many <= NUMBERS_ACROSS else 4 if many <= DOTS_ACROSS else 10))
    held = [f"row {row} holds {counted(coins, 'coin')}" for row, coins in fixed.items()]
    look.caption(ax, dict.fromkeys([look.ending(solution.game), *held, f"{mark}: whoever moves loses"], True))
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
    import pandas as pd

    across, up, fixed, wins = _plane(solution, fixed)
    table = pd.DataFrame(np.where(wins.T, "won", "lost"))
    return table.rename_axis(index=f"row {up}", columns=f"row {across}")


def _plane(solution, fixed: Mapping[int, int] | None) -> tuple[int, int, dict[int, int], np.ndarray]:
    """The row across, the row upwards, what the others hold, and who wins by the coins in the two."""
    game, fixed = solution.game, dict(fixed or {})
    rows = range(len(game.rows))
    free = [row for row in rows if row not in fixed]
    if len(free) != 2:
        raise ValueError(f"fixed: expected the coins of all rows but two of {counted(len(rows), 'row')}, got {fixed}")
    return *free, fixed, solution.wins[tuple(fixed.get(row, slice(None)) for row in rows)]


def _draw_values(ax: lazy.Axes, game: CoinGame, fixed: dict[int, int], values: Callable) -> None:
    """The number that somebody's function gives each state: as a colour, and in the cell where there is room."""
    from matplotlib.ticker import MaxNLocator

    counts = [[fixed[row]] if row in fixed else range(start + 1) for row, start in enumerate(game.rows)]
    shape = [start + 1 for row, start in enumerate(game.rows) if row not in fixed]
    numbers = np.array([values(state) for state in itertools.product(*counts)], dtype=float).reshape(shape)
    image = ax.imshow(numbers.T, cmap="viridis", origin="lower")
    if max(numbers.shape) <= NUMBERS_ACROSS:
        for place, number in np.ndenumerate(numbers):
            look.write(ax, place, f"{number:g}", color=look.readable_on(image.cmap(image.norm(number))))
    whole = MaxNLocator(integer=True) if (numbers == numbers.round()).all() else None
    label = getattr(values, "__name__", "value").replace("<lambda>", "value").replace("_", " ")
    ax.figure.colorbar(image, ax=ax, label=label, ticks=whole)
