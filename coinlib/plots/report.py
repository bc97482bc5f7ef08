"""A picture of what many learners know: the share that is right in each position, by how they were trained."""

from __future__ import annotations

import numpy as np

from coinlib import lazy
from coinlib.plots import look
from coinlib.plots.look import INK, ORANGE, PAPER, SKY


def report_card(table: lazy.DataFrame, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw the share of learners that is right in each position, one line for each way to train them.

    Parameters
    ----------
    table : DataFrame
        Shares from 0 to 1: a row for each way of training, a column for each position.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Each cell also shows its share in %, so nothing depends on the colour.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> ax = report_card(DataFrame([[1.0, 0.0]], index=["perfect"], columns=[20, 19]))
    >>> [text.get_text() for text in ax.texts]
    ['100', '0']
    """
    shares = table.to_numpy(dtype=float)
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(f"shares: expected 0 to 1, got {np.nanmin(shares):g} to {np.nanmax(shares):g}")
    down, across = shares.shape
    ax = look.axes(ax, 3 + 0.5 * across, 1.4 + 0.55 * down)
    ax.imshow(shares, cmap=look.blend("wrong to right", [ORANGE, "white", SKY]), vmin=0, vmax=1, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        ax.text(column, row, f"{100 * share:.0f}", ha="center", va="center", color=INK, fontsize=12)
    ax.set_xticks(np.arange(across + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(down + 1) - 0.5, minor=True)
    ax.grid(which="minor", color=PAPER, linewidth=2)
    ax.tick_params(which="both", length=0)
    ax.set_xticks(range(across), table.columns, fontsize=12)
    ax.set_yticks(range(down), table.index, fontsize=12)
    ax.set_xlabel(table.columns.name or "", fontsize=12)
    ax.spines[:].set_visible(False)
    return ax
