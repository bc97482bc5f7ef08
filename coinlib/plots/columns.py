"""The Grundy values of several rows in binary, one below the other: the columns that XOR looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coinlib import lazy
from coinlib.arguments import counted
from coinlib.plots import look
from coinlib.plots.look import BLUE, INK, ORANGE
from coinlib.theory import grundy, nim_sum

STEP = 0.5  # from one coin to the next; digits are 1 apart
XOR_LINE = 0.2  # how far the XOR line is moved down


def columns(
    rows: Sequence[int], max_pick: int | None, moves: Iterable[tuple[int, int]] = (), ax: lazy.Axes | None = None
) -> lazy.Axes:
    """Draw rows of coins, the Grundy value of each row in binary, and the XOR below; odd columns are highlighted.

    Parameters
    ----------
    rows : sequence of int
        The coins in each row.
    max_pick : int or None
        The most coins one turn may take; None for any number.
    moves : iterable of (row, count)
        Moves to show to the right of their rows, each with the digits that it leads to.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        A column is orange, with the word "odd" below it, if an odd number of values has a 1 there.

    Examples
    --------
    >>> ax = columns((6, 7, 8), max_pick=3)
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "digit"]
    ['1', '0', '1', '1', '0', '0', '0', '1']
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "odd"]
    ['even', 'odd']
    """
    moves = list(moves)
    values = [grundy(held, max_pick) for held in rows]
    digits = max(1, *(value.bit_length() for value in [*values, max_pick or 0]))
    first = STEP * max(10, *rows) + 2.2  # where the digits begin
    bottom = -len(rows) - XOR_LINE
    ax = look.axes(ax, 0.5 * (first + digits + 9), 0.5 * (len(rows) + 3))
    _light(ax, nim_sum(*values), digits, first, bottom)
    for row, (held, value) in enumerate(zip(rows, values)):
        look.write(ax, (-0.7, -row), f"row {row}: {counted(held, 'coin')}", ha="right", fontsize=11)
        for coin in range(held):
            look.circle(ax, (STEP * coin, -row), 0.2, facecolor=BLUE, edgecolor=INK, linewidth=0.6)
        look.write(ax, (first - 1, -row), f"value {value} =", ha="right", fontsize=11)
        _write_digits(ax, value, digits, (first, -row))
    look.write(ax, (first - 1, bottom), "XOR =", ha="right", fontsize=11, weight="bold")
    _write_digits(ax, nim_sum(*values), digits, (first, bottom))
    ax.plot([first - 0.6, first + digits - 0.4], [bottom + 0.6] * 2, color=INK, linewidth=1)
    for row, count in moves:
        left = grundy(rows[row] - count, max_pick)
        words = f"→ {left:0{digits}b}   take {count}, leave {rows[row] - count}"
        look.write(ax, (first + digits - 0.2, -row), words, ha="left", fontsize=11)
    beyond = 4.8 if moves else 0.6
    ax.set(xlim=(-4.2, first + digits + beyond), ylim=(bottom - 1.2, 0.7), aspect="equal")
    ax.axis("off")
    return ax


def _light(ax: lazy.Axes, xor: int, digits: int, first: float, bottom: float) -> None:
    """Highlight the odd columns, and label every column below."""
    for place in range(digits):
        is_odd = xor >> (digits - 1 - place) & 1
        if is_odd:
            ax.bar(first + place, 1 - bottom, 0.84, bottom - 0.5, color=ORANGE, zorder=0)
        weight = "bold" if is_odd else "normal"
        word = "odd" if is_odd else "even"
        look.write(ax, (first + place, bottom - 0.8), word, weight=weight, gid="odd")


def _write_digits(ax: lazy.Axes, value: int, digits: int, place: tuple[float, float]) -> None:
    """Write a value in binary, the first digit at `place`."""
    x, y = place
    for index, digit in enumerate(f"{value:0{digits}b}"):
        weight = "bold" if digit == "1" else "normal"
        look.write(ax, (x + index, y), digit, fontsize=14, weight=weight, family="monospace", gid="digit")
