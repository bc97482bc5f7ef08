"""What all pictures share: colours, the styles of players, short names, marks, and text.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; nothing is shown by colour alone.
"""

from __future__ import annotations

import textwrap
from typing import Any, NamedTuple

from coinlib import lazy

ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILION = "#D55E00"
YELLOW = "#F0E442"
PURPLE = "#CC79A7"
GREY = "#767676"
INK = "#1A1A1A"
PAPER = "#D9D9D9"  # background of cells without a value
SMALL = 9  # the smallest font size in any picture, in points
ROUND = "round,pad=0.35,rounding_size=0.9"  # Matplotlib's names for boxes around text
SQUARE = "square,pad=0.3"


class PlayerLook(NamedTuple):
    """A player's style in pictures; players never differ by colour alone.

    `light` is the background of numbers, `head` fills arrowheads, `box` is the shape of nodes in a tree.
    """

    name: str
    colour: str
    light: str
    head: str
    box: str


PLAYERS = {
    1: PlayerLook("player 1", BLUE, "#CFE6F5", BLUE, ROUND),
    2: PlayerLook("player 2", GREEN, "#CDEBE0", "white", SQUARE),
}
ALICE_AND_BOB = {  # Alice's cells in the triangle are square, Bob's are round
    1: PLAYERS[1]._replace(name="Alice", box=SQUARE),
    2: PLAYERS[2]._replace(name="Bob", box=ROUND),
}


def axes(ax: lazy.Axes | None, width: float, height: float) -> lazy.Axes:
    """Return `ax`, or the axes of a new figure of this width and height in inches."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    return ax


def readable_on(colour) -> str:
    """Black or white, whichever is easier to read on a colour; the contrast is at least 4.5 to 1.

    Parameters
    ----------
    colour : Matplotlib colour

    Returns
    -------
    str
        "black" or "white".

    Examples
    --------
    >>> readable_on("white"), readable_on(BLUE)
    ('black', 'white')
    """
    from matplotlib.colors import to_rgb

    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance > 0.179 else "white"  # Both have the same contrast at 0.179.


# --- names ----------------------------------------------------------------------------------------------


def short(number: float) -> str:
    """A number of at most six digits with up to two decimals, and a minus as wide as a plus."""
    rounded = round(number, 2) + 0.0  # turns -0.0 into 0.0
    return f"{rounded:g}".replace("-", "−")


def signed(number: float) -> str:
    """A number with its sign, and a minus as wide as a plus; 0 has no sign."""
    if number == 0:
        return "0"
    return f"{number:+}".replace("-", "−")


def state_name(state: Any) -> str:
    """Short name of a state: "1,3,5,7"."""
    return ",".join(map(str, state)) if isinstance(state, tuple) else str(state)


# --- marks ----------------------------------------------------------------------------------------------


def circle(ax: lazy.Axes, centre: tuple[float, float], radius: float, **look) -> None:
    """Draw a filled circle."""
    from matplotlib.patches import Circle

    ax.add_patch(Circle(centre, radius, **look))


def square(ax: lazy.Axes, centre: tuple[float, float], half: float, **look) -> None:
    """Draw a square; `half` is half its width."""
    from matplotlib.patches import Rectangle

    x, y = centre
    ax.add_patch(Rectangle((x - half, y - half), 2 * half, 2 * half, **look))


def write(ax: lazy.Axes, place: tuple[float, float], words: str, rim: float | None = None, **look) -> lazy.Text:
    """Write text centred at a place; with a `rim` in points, on a white box."""
    defaults = {"ha": "center", "va": "center", "fontsize": SMALL, "color": "black"}
    if rim is not None:
        defaults["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": rim}
    return ax.text(*place, words, **(defaults | look))


def caption(ax: lazy.Axes, notes: list[str], letters: int = 13) -> None:
    """Write notes above a picture, in lines no wider than the picture; `letters` is letters per inch."""
    width = ax.get_position().width * ax.figure.get_figwidth()
    ax.set_title(in_lines(notes, letters * width), fontsize=SMALL, loc="left")


def in_lines(notes: list[str], letters: float) -> str:
    """The notes as lines of at most this number of letters."""
    return textwrap.fill("; ".join(notes), max(30, int(letters)))
