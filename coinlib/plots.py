"""Pictures of games and results: each function takes data and returns a Matplotlib `Axes`.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; no meaning hangs on a
colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from .games import CoinGame

ORANGE, SKY, GREEN, BLUE, VERMILION = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00"
GREY, INK = "#767676", "#1A1A1A"
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
    ValueError
        If `state` is not a state of `game`.

    Examples
    --------
    >>> from coinlib.games import SCENARIOS
    >>> ax = board(SCENARIOS["NIM"], (1, 3, 3, 7))
    >>> len(ax.patches), [label.get_text() for label in ax.get_yticklabels()][2]
    (16, 'row 2: 3 coins')
    """
    state = game.start if state is None else tuple(state)
    game.is_over(state)  # refuses what is not a state of this game
    lines = [max(1, -(-start // COINS_A_LINE)) for start in game.rows]
    width, height = min(COINS_A_LINE, max(1, *game.rows, 1)), sum(lines)
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(1.8 + 0.36 * width, 0.7 + 0.4 * height), layout="constrained")
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


def round_robin_heatmap(table: DataFrame, ax: Axes | None = None) -> Axes:
    """Who beats whom: each cell the part of its games that the row won against the column.

    Parameters
    ----------
    table : DataFrame
        Win rates from 0 to 1, agents by agents, as `coinlib.round_robin` returns them; a missing
        value is a dash.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The number stands in each cell, so that the colour need not be read.

    Raises
    ------
    ValueError
        If a value lies outside 0 to 1.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> names = ["rule", "random"]
    >>> ax = round_robin_heatmap(DataFrame([[None, 0.9], [0.1, None]], index=names, columns=names))
    >>> [text.get_text() for text in ax.texts]
    ['–', '90 %', '10 %', '–']
    """
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    rates = table.to_numpy(dtype=float)
    known = rates[~np.isnan(rates)]
    if known.size and not 0 <= known.min() <= known.max() <= 1:
        raise ValueError(f"win rates: expected 0 to 1, got {known.min():g} to {known.max():g}")
    if ax is None:
        across, down = rates.shape[1], rates.shape[0]
        _, ax = plt.subplots(figsize=(2.6 + 0.9 * across, 1.4 + 0.6 * down), layout="constrained")
    colours = LinearSegmentedColormap.from_list("lost to won", [ORANGE, "white", SKY])
    image = ax.imshow(rates, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        words = "–" if np.isnan(rate) else f"{100 * rate:.0f} %"
        ax.text(column, row, words, ha="center", va="center", color=INK)
    ax.set_facecolor("#D9D9D9")  # seen where nothing is known
    ax.set_xticks(range(rates.shape[1]), table.columns, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(rates.shape[0]), table.index)
    ax.set(xlabel="against", ylabel="agent", title="Part of the games won")
    ax.figure.colorbar(image, ax=ax, label="win rate of the row")
    return ax


def win_rates(table: DataFrame, ax: Axes | None = None) -> Axes:
    """Win rates with their intervals, one line of the picture for each row of the table.

    Parameters
    ----------
    table : DataFrame
        Columns `win_rate`, `low` and `high`, from 0 to 1; the index names the rows, and its own name
        stands beside them.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        A dot for each rate, a bar from `low` to `high`, the first row at the top, 50 % dashed.

    Raises
    ------
    ValueError
        If a column is missing, or a rate does not lie within its interval from 0 to 1.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> ax = win_rates(DataFrame({"win_rate": [0.6], "low": [0.502], "high": [0.691]}, index=["100 games"]))
    >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
    (['100 games'], 'win rate in %, with 95 % interval')
    """
    import matplotlib.pyplot as plt
    import numpy as np

    missing = [name for name in ("win_rate", "low", "high") if name not in table]
    if missing:
        raise ValueError(f"table: expected columns win_rate, low and high; missing: {', '.join(missing)}")
    rates, low, high = (100 * table[name].to_numpy(dtype=float) for name in ("win_rate", "low", "high"))
    near = 1e-6  # at 0 and at 100 % the ends of an interval are right only up to rounding
    if not ((-near <= low) & (low <= rates + near) & (rates <= high + near) & (high <= 100 + near)).all():
        raise ValueError("table: expected 0 <= low <= win_rate <= high <= 1 in every row")
    places = range(len(table))
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 1.2 + 0.32 * len(table)), layout="constrained")
    ax.axvline(50, color=GREY, linestyle="--")
    bars = np.maximum([rates - low, high - rates], 0)
    ax.errorbar(rates, places, xerr=bars, fmt="o", color=BLUE, ecolor=BLUE, capsize=4)
    ax.set_yticks(places, [str(name) for name in table.index])
    ax.set(ylim=(len(table) - 0.5, -0.5), xlabel="win rate in %, with 95 % interval", ylabel=table.index.name or "")
    return ax
