"""What all pictures share: colours, how a player looks, short names, marks, and ink that can be read on any colour.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; no meaning hangs on a
colour alone.
"""

from __future__ import annotations

import textwrap
from typing import Any, NamedTuple

from coinlib import lazy
from coinlib.games import CoinGame, Move

ORANGE, SKY, GREEN, BLUE, VERMILION = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00"
YELLOW, PURPLE = "#F0E442", "#CC79A7"
GREY, INK = "#767676", "#1A1A1A"
PAPER = "#D9D9D9"  # where nothing is known, or nothing is allowed
SMALL = 9  # points: the smallest type in any picture
ROUND, SQUARE = "round,pad=0.35,rounding_size=0.9", "square,pad=0.3"


class PlayerLook(NamedTuple):
    """How what belongs to a player looks, told apart by more than its colour.

    `light` is the ground of its figures, `head` fills the heads of its arrows, `box` is the shape of
    its nodes in a tree.
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
GREEDY_PLAYERS = {  # Alice's cells in the triangle are square, Bob's are round
    1: PLAYERS[1]._replace(name="Alice", box=SQUARE),
    2: PLAYERS[2]._replace(name="Bob", box=ROUND),
}


def axes(ax: lazy.Axes | None, width: float, height: float) -> lazy.Axes:
    """`ax`, or that of a new figure of so many inches."""
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
    return "black" if luminance > 0.179 else "white"  # where both have the same contrast


def blend(name: str, colours: list[str]):
    """The colour map that runs through some colours."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(name, colours)


# --- names --------------------------------------------------------------------------------------------------


def short(number: float) -> str:
    """A number with at most two decimals and a minus that is as wide as a plus."""
    return f"{round(number, 2) + 0.0:g}".replace("-", "−")  # never -0


def signed(number: float) -> str:
    """A margin: with its sign, and a minus that is as wide as a plus."""
    return f"{number:+}".replace("-", "−") if number else "0"


def is_one_row(state: Any) -> bool:
    """Whether a state is a single count, so that a move needs no row."""
    return isinstance(state, tuple) and len(state) == 1


def state_name(state: Any) -> str:
    """A state in short: "1,3,5,7"."""
    return ",".join(map(str, state)) if isinstance(state, tuple) else str(state)


def move_name(move: Any, one_row: bool) -> str:
    """A move in short: the count on one row, "row:count" on several."""
    if not isinstance(move, Move):
        return str(move)
    return str(move.count) if one_row else f"{move.row}:{move.count}"


def ending(game) -> str:
    """Who wins, if it is about the last coin: no picture of a game leaves that open."""
    if not isinstance(game, CoinGame):
        return ""
    return f"{game.ending}: who takes the last coin {'loses' if game.misere else 'wins'}"


# --- marks --------------------------------------------------------------------------------------------------


def disc(ax: lazy.Axes, centre: tuple[float, float], radius: float, **look) -> None:
    from matplotlib.patches import Circle

    ax.add_patch(Circle(centre, radius, **look))


def square(ax: lazy.Axes, centre: tuple[float, float], half: float, **look) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((centre[0] - half, centre[1] - half), 2 * half, 2 * half, **look))


def write(ax: lazy.Axes, place: tuple[float, float], words: str, rim: float | None = None, **look) -> lazy.Text:
    """Words around a place; with a rim of some points they stand on white."""
    if rim is not None:
        look["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": rim}
    return ax.text(*place, words, **{"ha": "center", "va": "center", "fontsize": SMALL, "color": "black", **look})


def caption(ax: lazy.Axes, notes: dict[str, bool], letters: int = 13) -> None:
    """The notes that hold, above a picture, in lines no longer than it is wide, with so many letters to the inch."""
    across = ax.get_position().width * ax.figure.get_figwidth()
    ax.set_title(in_lines(notes, letters * across), fontsize=SMALL, loc="left")


def in_lines(notes: dict[str, bool], letters: float) -> str:
    """The notes that hold, in lines of so many letters."""
    return textwrap.fill("; ".join(note for note in notes if notes[note]), max(30, int(letters)))
