"""Pictures of a position: the coins on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coinlib.arguments import sequence, shown
from coinlib.games import CoinGame
from coinlib.plots.look import GREY, INK, ORANGE, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COINS_AT_MOST = 2_000
COINS_A_LINE = 25  # a longer row goes on in the next line


def board(game: CoinGame, state: Sequence[int] | None = None, ax: Axes | None = None) -> Axes:
    """A still picture of a position: coins filled, the places of coins that are gone dashed.

    Parameters
    ----------
    game : CoinGame
        Says how many coins each row held at the start, and the ending.
    state : tuple of int or None
        Coins left in each row; None for the start.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        One circle for each coin of the start, row 0 at the top; the title names the ending.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, `state` is not a state of `game`, or there are more than 2,000 coins.

    Examples
    --------
    >>> from coinlib.games import SCENARIOS
    >>> ax = board(SCENARIOS["NIM"], (1, 3, 3, 7))
    >>> len(ax.patches), [label.get_text() for label in ax.get_yticklabels()][2]
    (16, 'row 2: 3 coins')
    """
    state = game.start if state is None else sequence(state, "state", "counts such as (1, 3, 5, 7)")
    game.is_over(state)  # refuses what is not a state of this game
    if sum(game.rows) + len(game.rows) > COINS_AT_MOST:
        raise ValueError(f"game: expected at most {COINS_AT_MOST:,} coins and rows to draw, got {shown(game)}")
    lines = [max(1, -(-start // COINS_A_LINE)) for start in game.rows]
    width, height = min(COINS_A_LINE, max(1, *game.rows, 1)), sum(lines)
    ax = axes(ax, 1.8 + 0.36 * width, 0.7 + 0.4 * height)
    first_line, ticks = 0, []
    for start, held, deep in zip(game.rows, state, lines):
        _draw_row(ax, first_line, start, held)
        ticks.append(first_line + (deep - 1) / 2)
        first_line += deep
    ax.set_yticks(ticks, [f"row {row}: {held} coin{'s' * (held != 1)}" for row, held in enumerate(state)])
    ax.set(xlim=(-0.6, width - 0.4), ylim=(height - 0.4, -0.6), xticks=[], aspect="equal")
    ax.set_title(f"{game.ending}: who takes the last coin {'loses' if game.misere else 'wins'}", fontsize=10)
    ax.tick_params(left=False)
    ax.spines[:].set_visible(False)
    return ax


def _draw_row(ax: Axes, first_line: int, start: int, held: int) -> None:
    """The places of one row, from left to right; those at the right end are taken first."""
    from matplotlib.patches import Circle

    for place in range(start):
        line, column = divmod(place, COINS_A_LINE)
        look = (
            {"facecolor": ORANGE, "edgecolor": INK}
            if place < held
            else {"facecolor": "none", "edgecolor": GREY, "linestyle": (0, (3, 2))}
        )
        ax.add_patch(Circle((column, first_line + line), 0.4, **look))
