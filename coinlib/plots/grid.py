"""Grids of cells, coloured by a number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coinlib import lazy
from coinlib.plots import look
from coinlib.plots.look import INK


def colour_cells(ax: lazy.Axes, numbers: np.ndarray, colours: Sequence[str], limits: tuple[float, float], **style):
    """Draw a cell for each number and return Matplotlib's image; cells without a number stay empty.

    Parameters
    ----------
    ax : Axes
    numbers : array, lines by columns
    colours : sequence of str
        The colours from the lower limit to the upper one.
    limits : pair of float
    **style
        As for `imshow`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> image = colour_cells(plt.subplots()[1], np.array([[0, 1, 2]]), ["white", "black"], (0, 2))
    >>> image.cmap(image.norm(2))    # black
    (np.float64(0.0), np.float64(0.0), np.float64(0.0), np.float64(1.0))
    """
    from matplotlib.colors import LinearSegmentedColormap

    least, most = limits
    blend = LinearSegmentedColormap.from_list("cells", list(colours))
    return ax.imshow(numbers, cmap=blend, vmin=least, vmax=most, **style)


def frame(ax: lazy.Axes, place: tuple[float, float], half: float, width: float, colour: str = INK) -> None:
    """Draw a frame inside a cell; `half` is half the width of the frame, `width` that of its line in points."""
    look.square(ax, place, half, fill=False, edgecolor=colour, linewidth=width)
