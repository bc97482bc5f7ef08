"""What all pictures share: the colours, the size of the type, and ink that can be read on any colour.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; no meaning hangs on a
colour alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coinlib.arguments import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ORANGE, SKY, GREEN, BLUE, VERMILION = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00"
YELLOW, PURPLE = "#F0E442", "#CC79A7"
GREY, INK = "#767676", "#1A1A1A"
PAPER = "#D9D9D9"  # where nothing is known, or nothing is allowed
SMALL = 9  # points: the smallest type in any picture


def axes(ax: Axes | None, width: float, height: float) -> Axes:
    """`ax`, or that of a new figure of so many inches; TypeError for anything else."""
    if ax is not None:
        from matplotlib.axes import Axes

        if not isinstance(ax, Axes):
            raise TypeError(f"ax: expected Axes of Matplotlib or None, got {shown(ax)}")
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def readable_on(colour) -> str:
    """Black or white, whichever is easier to read on a colour; the contrast is at least 4.5 to 1.

    Parameters
    ----------
    colour : Matplotlib colour

    Returns
    -------
    str
        "black" or "white".

    Raises
    ------
    ValueError
        If it is no colour.

    Examples
    --------
    >>> readable_on("white"), readable_on(BLUE)
    ('black', 'white')
    """
    from matplotlib.colors import to_rgb

    try:
        parts = to_rgb(colour)
    except Exception:  # noqa: BLE001 - Matplotlib has many words for it
        raise ValueError(f"colour: expected a colour of Matplotlib, got {shown(colour)}") from None
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance > 0.179 else "white"  # where both have the same contrast


def short(number: float) -> str:
    """A number with at most two decimals and a minus that is as wide as a plus."""
    words = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if words in ("-0", "") else words.replace("-", "−")


def blend(name: str, colours: list[str]):
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(name, colours)
