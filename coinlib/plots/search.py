"""How a search spends its time: the visits of each state, as bars."""

from __future__ import annotations

from collections.abc import Mapping

from coinlib import lazy
from coinlib.plots import look
from coinlib.plots.look import INK, ORANGE, SKY

AHEAD = {"facecolor": SKY, "edgecolor": INK}
BEHIND = {"facecolor": ORANGE, "edgecolor": INK, "hatch": "//"}


def visits(tree: Mapping[tuple[int], tuple[int, float]], takes: int = 3, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a bar for each state in the search tree of one row of sticks, as high as its number of visits.

    Parameters
    ----------
    tree : dict of state to (visits, total)
        A state is a tuple of one number, the sticks that are left. The total is the sum of the results for the
        player to move there. The search began at the largest state, which has no bar.
    takes : int
        The most sticks that one turn may take: states reached by a first move show it below the axis.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The state after taking 1 is on the left, the last stick on the right. Each bar has the average result
        above it; it is hatched if the average is 0 or below.

    Examples
    --------
    >>> ax = visits({(3,): (4, 2), (2,): (2, -2), (1,): (1, 1)})
    >>> [int(bar.get_height()) for bar in ax.patches], [text.get_text() for text in ax.texts]
    ([2, 1], ['−1', '1'])
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['2\\ntake 1', '1\\ntake 2']
    """
    ax = look.axes(ax, 8, 3.6)
    start = max(left for (left,) in tree)
    shown = range(start - 1, 0, -1)
    for place, left in enumerate(shown):
        count, total = tree.get((left,), (0, 0))
        if count:
            ax.bar(place, count, **(AHEAD if total > 0 else BEHIND))
            look.write(ax, (place, count), look.short(total / count), va="bottom")
    names = [f"{left}\ntake {start - left}" if start - left <= takes else str(left) for left in shown]
    ax.set_xticks(range(len(shown)), names)
    ax.set(xlim=(-0.6, len(shown) - 0.4), xlabel="sticks left", ylabel="visits")
    ax.spines[["top", "right"]].set_visible(False)
    _explain(ax)
    return ax


def _explain(ax: lazy.Axes) -> None:
    """Explain the two styles of bar above them, even if only one of the two occurs."""
    from matplotlib.patches import Patch

    keys = [
        Patch(**AHEAD, label="average above 0: the player to move there won more often"),
        Patch(**BEHIND, label="average 0 or below"),
    ]
    ax.legend(handles=keys, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=look.SMALL)
