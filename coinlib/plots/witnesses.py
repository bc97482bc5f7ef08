"""What hats, a Q-table and the solver say about one row of sticks, one above the other."""

from __future__ import annotations

import numpy as np

from coinlib import lazy
from coinlib.plots import look
from coinlib.plots.look import INK, ORANGE, SKY
from coinlib.plots.memory import share_bars
from coinlib.plots.view import View
from coinlib.words import ending_words

HATS, VALUES, SOLVER = 2.5, 1.2, 0.3  # where each band begins; the first two are 1 high
TILE = 0.6  # the height of the solver's band
LIGHT = look.PLAYERS[1].light


def witnesses(hats, learner, solution, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw what three witnesses say about each count of one row: hats, a Q-table and the solver.

    Parameters
    ----------
    hats : Hats
    learner : QLearner
    solution : Solution
        From `coinlib.solve`; all three are for the same game: one row, with a small limit per turn.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        For each count, from top to bottom: the share of every ball among those that can be played, the largest
        value, and L or W. Losing counts have an orange stripe from top to bottom.

    Examples
    --------
    >>> from coinlib import Hats, QLearner, solve, sticks
    >>> game = sticks(5, max_pick=3, misere=False)
    >>> ax = witnesses(Hats(game), QLearner(game), solve(game))
    >>> [text.get_text() for text in ax.texts[-5:]]
    ['W', 'W', 'W', 'L', 'W']
    """
    balls = View(hats.table, hats.balls)
    values = View(learner.table, learner.values)
    largest = np.where(values.legal, values.numbers, -np.inf).max(axis=1)
    wins = [bool(solution.best_moves(state)) for state in balls.states]
    places = np.arange(len(balls.states))
    ax = look.axes(ax, max(4.5, 1.6 + 0.43 * len(places)), 4.6)
    for place in places[np.logical_not(wins)]:
        ax.axvspan(place - 0.5, place + 0.5, color=ORANGE, alpha=0.35, linewidth=0, zorder=0)
    share_bars(ax, balls, HATS, 1, 12)
    _draw_values(ax, largest, places)
    for place, won in zip(places, wins):
        ground, letter = (LIGHT, "W") if won else (ORANGE, "L")
        ax.bar(place, TILE, 0.84, SOLVER, color=ground, edgecolor=INK, linewidth=0.6)
        look.write(ax, (place, SOLVER + TILE / 2), letter, weight="normal" if won else "bold")
    ax.xaxis.set_ticks(places, balls.names)
    ax.yaxis.set_ticks(
        [HATS + 0.5, VALUES + 0.5, SOLVER + TILE / 2],
        ["Hats:\nshare of\neach ball", "Q-table:\nlargest\nvalue", "Solver"],
    )
    ax.set(xlim=(-0.6, len(places) - 0.4), ylim=(0.2, HATS + 1.05), xlabel="sticks left")
    ax.tick_params(axis="y", length=0)
    ax.spines[:].set_visible(False)
    ax.legend(reverse=True, loc="upper left", bbox_to_anchor=(1, 1), title="ball", fontsize=look.SMALL)
    look.caption(ax, [ending_words(solution.game, "stick"), "W: winning, L: losing for the player to move"], letters=14)
    return ax


def _draw_values(ax: lazy.Axes, largest: np.ndarray, places: np.ndarray) -> None:
    """Draw a bar for each value above 0, and the value itself above it."""
    ax.bar(places, np.maximum(largest, 0), 0.84, VALUES, color=SKY, edgecolor=INK, linewidth=0.6)
    for place, value in zip(places, largest):
        look.write(ax, (place, VALUES + max(value, 0) + 0.03), look.short(round(value, 1)), va="bottom")
