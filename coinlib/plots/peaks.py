"""Pictures of greedy coins as bars: peaks that fuse, and why three coins are worth one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from coinlib import lazy
from coinlib.arguments import whole_number
from coinlib.plots import look
from coinlib.plots.look import ALICE_AND_BOB, INK, SMALL

GOLD = "#F6D98B"  # light enough for black numbers
FUSED = "#56B4E9"
WIDTH = 0.8  # of a bar; coins are 1 apart
GAP = 1.5  # between two rows in one picture
ALICE, BOB = ALICE_AND_BOB[1], ALICE_AND_BOB[2]


# --- peaks that fuse ------------------------------------------------------------------------------------


def fusing(coins: Sequence[int], fuses: int | None = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a row of greedy coins as bars after some fuses; a fused coin is as wide as the coins that it stands for.

    Parameters
    ----------
    coins : sequence of int
        The row, at least one coin.
    fuses : int or None
        How many peaks to fuse, the lowest one each time; None for all.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Gold bars are coins of the row, blue ones are fused; those below 0 hang down.

    Examples
    --------
    >>> ax = fusing([3, 5, 1, 2])
    >>> [(int(bar.get_height()), round(bar.get_width())) for bar in ax.patches]
    [(-1, 3), (2, 1)]
    """
    bars = [_Bar(coin, 1) for coin in _checked(coins)]
    for _ in range(len(bars) if fuses is None else whole_number(fuses, "fuses")):
        bars = _with_lowest_peak_fused(bars)
    ax = look.axes(ax, 8, 2.2)
    left = 0
    for bar in bars:
        colour = GOLD if bar.width == 1 else FUSED
        ax.bar(left, bar.value, 0.9 + bar.width - 1, align="edge", color=colour, edgecolor=INK, linewidth=0.8)
        left += bar.width
    ax.axhline(0, color=INK, linewidth=1)
    ax.set(title=f"{len(bars)} coins" if len(bars) > 1 else "1 coin", xticks=[], xlim=(-0.5, left + 0.4))
    return ax


class _Bar(NamedTuple):
    """A coin, and how many coins of the row it stands for."""

    value: int
    width: int


def _with_lowest_peak_fused(bars: list[_Bar]) -> list[_Bar]:
    """The bars after one fuse, or unchanged if there is no peak."""
    peaks = []
    for i in range(1, len(bars) - 1):
        if bars[i - 1].value <= bars[i].value >= bars[i + 1].value:
            peaks.append(i)
    if not peaks:
        return bars
    i = min(peaks, key=lambda place: bars[place].value)
    a, b, c = bars[i - 1 : i + 2]
    fused = _Bar(a.value - b.value + c.value, a.width + b.width + c.width)
    return [*bars[: i - 1], fused, *bars[i + 2 :]]


# --- why three coins are worth one ----------------------------------------------------------------------


class _Step(NamedTuple):
    """One of the rows of `opening`: where its coins begin, and which player takes the first of them."""

    words: str
    place: int
    coins: list[int]
    player: look.PlayerLook
    lead: int  # Alice's, after the move


def opening(coins: Sequence[int], ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw what happens when Alice opens the peak at the left end, and the same row with this peak fused.

    Parameters
    ----------
    coins : sequence of int
        The row; its first three coins are a peak: a <= b >= c.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Four rows of bars from left to right: Alice takes a, Bob takes b, Alice takes c; or there is one fused coin
        instead of the three, and she takes that. Under each row is Alice's lead after the move.

    Examples
    --------
    >>> ax = opening([3, 9, 4, 1])
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "lead"]
    ['Alice leads by 3', 'Bob leads by 6', 'Bob leads by 2', 'Bob leads by 2']
    """
    values = _checked(coins)
    if len(values) < 3 or not values[0] <= values[1] >= values[2]:
        raise ValueError(f"coins: expected a peak at the left end, a <= b >= c, got {values[:3]}")
    a, b, c, *rest = values
    fused = a - b + c
    steps = [
        _Step("1 · Alice takes a", 0, values, ALICE, a),
        _Step("2 · Bob takes b", 1, [b, c, *rest], BOB, a - b),
        _Step("3 · Alice takes c", 2, [c, *rest], ALICE, fused),
        _Step("Or: one coin a − b + c", 2, [fused, *rest], ALICE, fused),
    ]
    ax = look.axes(ax, 9.5, 3)
    top, bottom = max(values), min(0, fused, *rest)
    unit = (top - bottom) / 10
    for number, step in enumerate(steps):
        left = number * (len(values) + GAP)
        middle = left + (len(values) - 1) / 2
        _draw_step(ax, step, left)
        look.write(ax, (middle, top + 3 * unit), step.words, weight="bold", fontsize=SMALL + 1)
        look.write(ax, (middle, bottom - 2.5 * unit), _in_words(step.lead), fontsize=SMALL + 1, gid="lead")
    right = 4 * (len(values) + GAP) - GAP
    ax.set(xticks=[], yticks=[], xlim=(-1.2, right + 0.2), ylim=(bottom - 3.5 * unit, top + 4 * unit))
    ax.spines[:].set_visible(False)
    return ax


def _draw_step(ax: lazy.Axes, step: _Step, left: float) -> None:
    """Draw the coins of a step, and a frame around the one that is taken."""
    places = [left + step.place + each for each in range(len(step.coins))]
    ax.bar(places, step.coins, WIDTH, color=GOLD, edgecolor=INK, linewidth=0.8)
    ax.bar(places[0], step.coins[0], WIDTH, fill=False, edgecolor=step.player.colour, linewidth=4)
    ax.plot([left - 0.5, places[-1] + 0.5], [0, 0], color=INK, linewidth=1)
    for place, coin in zip(places, step.coins):
        up, side = (1, "bottom") if coin >= 0 else (-1, "top")
        style = {"xytext": (0, 4 * up), "textcoords": "offset points", "ha": "center", "va": side}
        ax.annotate(look.short(coin), (place, coin), fontsize=SMALL + 1, **style)


def _in_words(lead: int) -> str:
    """Who leads after a move, and by how much."""
    if lead == 0:
        return "level"
    return f"Alice leads by {lead}" if lead > 0 else f"Bob leads by {-lead}"


def _checked(coins: Sequence[int]) -> list[int]:
    """The coins as a list, at least one; they may be negative."""
    values = [whole_number(coin, "a coin", None) for coin in coins]
    if not values:
        raise ValueError("coins: expected at least one coin, got none")
    return values
