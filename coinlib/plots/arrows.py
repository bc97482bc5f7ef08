"""Who beats whom, as arrows between agents on a circle."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

from coinlib import lazy
from coinlib.plots import look
from coinlib.plots.look import BLUE, GREY, INK, VERMILION

MOST_WITH_SHARES = 5  # agents; with more of them the shares on the arrows overlap
NAME_BOX = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": INK, "linewidth": 1.5}


def who_beats_whom(
    table: lazy.DataFrame, circle: Sequence[str] | None = None, ax: lazy.Axes | None = None
) -> lazy.Axes:
    """Draw an arrow from each agent to every agent that it beats in more than half of their games.

    Parameters
    ----------
    table : DataFrame
        Win rates from 0 to 1, agents by agents, as returned by `coinlib.round_robin`; other columns are left out.
    circle : sequence of str, or None
        Agents that each beat the next, and the last the first: their arrows are thick and red.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The agents are placed on a circle, clockwise, in the order of the table. Each arrow shows the share of
        games won; with more than five agents only the arrows of `circle` do, since the shares would overlap. There
        is no arrow between two agents that win half each.

    Examples
    --------
    >>> from coinlib import round_robin, sticks
    >>> from coinlib.agents import take_most, take_one
    >>> rates = round_robin(sticks(6), {"one": take_one, "most": take_most}, games=2)
    >>> ax = who_beats_whom(rates)
    >>> [text.get_text() for text in ax.texts if text.get_text()]
    ['100 %', 'one', 'most']
    """
    names = [str(name) for name in table.index]
    ax = look.axes(ax, 6.4, 5)
    places = {name: _place(number, len(names)) for number, name in enumerate(names)}
    is_crowded = len(names) > MOST_WITH_SHARES
    in_circle = set()
    if circle:
        in_circle = set(zip(circle, [*circle[1:], circle[0]]))
    for winner in names:
        for loser in names:
            rate = table.loc[winner, loser]
            if rate > 0.5:
                is_thick = (winner, loser) in in_circle
                arrow = _draw_arrow(ax, places[winner], places[loser], is_thick)
                if not is_crowded:
                    _write_share(ax, places[winner], places[loser], 0.34, rate, is_thick)
                elif is_thick:
                    _write_share(ax, places[winner], places[loser], 0.5, rate, is_thick)
                arrow.shrinkA = _to_edge(winner, places[winner], places[loser]) + 4
                arrow.shrinkB = _to_edge(loser, places[winner], places[loser]) + 4
    for name, place in places.items():
        ax.text(*place, name, ha="center", va="center", fontsize=12, weight="bold", color=INK, bbox=NAME_BOX, zorder=4)
    lowest = min(y for _, y in places.values())
    ax.set(xlim=(-1.5, 1.5), ylim=(lowest - 0.2, 1.2), aspect="equal")
    ax.set_axis_off()
    return ax


def _place(number: int, count: int) -> tuple[float, float]:
    """The place of an agent on the circle; the first is at the top, the others follow clockwise."""
    angle = pi / 2 - 2 * pi * number / count
    return 1.1 * cos(angle), sin(angle)


def _to_edge(name: str, start, end) -> float:
    """The distance, in points, from the middle of an agent's box to its edge in the direction of an arrow."""
    half_width = 6 + 3.8 * len(name)
    half_height = 13
    length = hypot(end[0] - start[0], end[1] - start[1])
    across = abs(end[0] - start[0]) / length
    along = abs(end[1] - start[1]) / length
    return 1 / max(across / half_width, along / half_height)


def _draw_arrow(ax: lazy.Axes, start, end, is_thick: bool):
    """Draw an arrow from a winner to a loser, and return it."""
    colour, width, size = (VERMILION, 4, 30) if is_thick else (BLUE, 1.2, 16)
    look_of_arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "mutation_scale": size}
    arrow = ax.annotate("", xy=end, xytext=start, arrowprops=look_of_arrow, zorder=3 if is_thick else 2)
    return arrow.arrow_patch


def _write_share(ax: lazy.Axes, start, end, way: float, rate: float, is_thick: bool) -> None:
    """Write the share of games won on an arrow; `way` is how far along it, from 0 to 1."""
    place = [(1 - way) * a + way * b for a, b in zip(start, end)]
    words = {"ha": "center", "va": "center", "color": VERMILION if is_thick else GREY, "zorder": 3}
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    ax.text(*place, f"{100 * rate:.0f} %", fontsize=look.SMALL, bbox=ground, **words)
