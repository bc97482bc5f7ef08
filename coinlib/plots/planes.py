"""Pictures of who wins where: the plane of two rows of coins, with the lost states marked."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from coinlib.arguments import counted, shown, whole_number
from coinlib.games import CoinGame
from coinlib.plots.asked import LARGEST, answer_of, check_has
from coinlib.plots.look import BLUE, SMALL, VERMILION, axes, blend, readable_on

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from pandas import DataFrame

NUMBERS_ACROSS = 22  # more states than this in a line hold no numbers
DOTS_ACROSS = 45  # and more than this no marks


class Solved(Protocol):
    """Who wins from every state, as `coinlib.solve` returns it."""

    @property
    def game(self) -> CoinGame: ...

    @property
    def wins(self) -> np.ndarray: ...


def positions(
    solution: Solved,
    fixed: Mapping[int, int] | None = None,
    values: Callable | None = None,
    ax: Axes | None = None,
) -> Axes:
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

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, or `fixed` does not leave two rows, or names a row or a count that the
        game does not have.

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
    import numpy as np

    _check_solution(solution)
    across, up, others = _plane(solution.game, fixed)
    wins = _slice(solution, across, up, others)
    if not (values is None or callable(values)):
        raise TypeError(f"values: expected a function of a state or None, got {shown(values)}")
    wide, high = wins.shape
    side = min(0.4, 7 / max(wide, high))
    ax = axes(ax, max(4.0, (0.9 if values is None else 2.2) + 1.1 * side * wide), max(2.4, 1.2 + side * high))
    if values is None:
        ax.imshow(wins.T, cmap=blend("lost, won", [BLUE, "#E8E8E8"]), vmin=0, vmax=1, origin="lower")
    else:
        _draw_values(ax, solution, (across, up, others), values)
    lost, dots = np.argwhere(~wins), max(wide, high) <= DOTS_ACROSS
    if values is not None:
        _frame(ax, lost, 2.5 if max(wide, high) <= NUMBERS_ACROSS else 0.8)
    elif dots:
        ax.plot(*lost.T, "o", color="white", markersize=min(8.0, 26 * side), gid="lost")
    ax.set(xlabel=f"coins in row {across}", ylabel=f"coins in row {up}")
    for axis, many in ((ax.xaxis, wide), (ax.yaxis, high)):
        axis.set_ticks(range(0, many, 1 if many <= NUMBERS_ACROSS else 4 if many <= DOTS_ACROSS else 10))
    mark = "framed" if values is not None else "dark, with a dot" if dots else "dark"
    _caption(ax, solution.game, others, mark)
    return ax


def positions_table(solution: Solved, fixed: Mapping[int, int] | None = None) -> DataFrame:
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

    Raises
    ------
    TypeError, ValueError
        As in `positions`.

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
    import numpy as np
    import pandas as pd

    _check_solution(solution)
    across, up, others = _plane(solution.game, fixed)
    wins = _slice(solution, across, up, others)
    return pd.DataFrame(
        np.where(wins.T, "won", "lost"),
        index=pd.RangeIndex(wins.shape[1], name=f"row {up}"),
        columns=pd.RangeIndex(wins.shape[0], name=f"row {across}"),
    )


def _check_solution(solution) -> None:
    check_has(solution, "solution", ("game", "wins"), "what `solve` returns")
    if not isinstance(solution.game, CoinGame):
        raise TypeError(f"solution: expected what `solve` returns, got {shown(solution)}")


def _plane(game: CoinGame, fixed: Mapping[int, int] | None) -> tuple[int, int, dict[int, int]]:
    """The row across, the row upwards, and what the others hold."""
    fixed = {} if fixed is None else fixed
    if not isinstance(fixed, Mapping):
        raise TypeError(f"fixed: expected a row with its coins such as {{2: 1}}, got {shown(fixed)}")
    others = {whole_number(row, "fixed: a row", least=0): held for row, held in fixed.items()}
    free = [row for row in range(len(game.rows)) if row not in others]
    if len(free) != 2 or max(others, default=0) >= len(game.rows):
        raise ValueError(
            f"fixed: expected the coins of {counted(max(0, len(game.rows) - 2), 'row')}, so that two of the "
            f"{counted(len(game.rows), 'row')} are left, got {shown(dict(fixed))}"
        )
    for row, held in others.items():
        if whole_number(held, f"fixed: coins in row {row}", least=0) > game.rows[row]:
            raise ValueError(f"fixed: row {row} holds at most {counted(game.rows[row], 'coin')}, got {shown(held)}")
    return free[0], free[1], {row: int(held) for row, held in others.items()}


def _slice(solution: Solved, across: int, up: int, others: dict[int, int]) -> np.ndarray:
    """bool array: whether whoever moves wins, by the coins across and upwards."""
    return solution.wins[tuple(others.get(row, slice(None)) for row in range(len(solution.game.rows)))]


def _draw_values(ax: Axes, solution: Solved, plane: tuple, values: Callable) -> None:
    import numpy as np

    across, up, others = plane
    rows = solution.game.rows
    numbers = np.empty((rows[across] + 1, rows[up] + 1))
    for x, y in itertools.product(range(rows[across] + 1), range(rows[up] + 1)):
        held = {**others, across: x, up: y}
        state = tuple(held[row] for row in range(len(rows)))
        number = float(answer_of(values, state, "values"))
        if not abs(number) <= LARGEST:
            raise ValueError(f"values: in state {state}: expected a number up to {LARGEST:,.0f}, got {number:g}")
        numbers[x, y] = number
    image = ax.imshow(numbers.T, cmap="viridis", origin="lower")
    if max(numbers.shape) <= NUMBERS_ACROSS:
        for (x, y), number in np.ndenumerate(numbers):
            colour = readable_on(image.cmap(image.norm(number))[:3])
            ax.text(x, y, f"{number:g}", ha="center", va="center", fontsize=SMALL, color=colour)
    name = getattr(values, "__name__", "<lambda>")
    ax.figure.colorbar(image, ax=ax, label="value" if name == "<lambda>" else name.replace("_", " "))


def _frame(ax: Axes, lost: np.ndarray, width: float) -> None:
    from matplotlib.patches import Rectangle

    for x, y in lost:
        ax.add_patch(Rectangle((x - 0.45, y - 0.45), 0.9, 0.9, fill=False, edgecolor=VERMILION, linewidth=width))


def _caption(ax: Axes, game: CoinGame, others: dict[int, int], mark: str) -> None:
    ending = f"{game.ending}: who takes the last coin {'loses' if game.misere else 'wins'}"
    held = [f"row {row} holds {counted(held, 'coin')}" for row, held in others.items()]
    across = ax.get_position().width * ax.figure.get_figwidth()
    words = "; ".join([ending, *held, f"{mark}: whoever moves loses"])
    ax.set_title(textwrap.fill(words, max(30, int(13 * across))), fontsize=SMALL, loc="left")
