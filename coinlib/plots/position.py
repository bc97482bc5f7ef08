"""Pictures of a position: the coins on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from coinlib import lazy
from coinlib.arguments import counted
from coinlib.games import CoinGame, read_game
from coinlib.plots import look
from coinlib.plots.look import GREY, INK, ORANGE
from coinlib.words import ending_words

COINS_A_LINE = 25  # a longer row goes on in the next line
THERE = {"facecolor": ORANGE, "edgecolor": INK}
GONE = {"facecolor": "none", "edgecolor": GREY, "linestyle": (0, (3, 2))}


def board(game: CoinGame, state: Sequence[int] | None = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """A still picture of a position: coins filled, the places of coins that are gone dashed.

    Parameters
    ----------
    game : CoinGame
        Says how many coins each row held at the start, and the ending. A game of your own with `rows` will do
        as well.
    state : tuple of int or None
        Coins left in each row; None for the start.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        One circle for each coin of the start, row 0 at the top; the title names the ending.

    Examples
    --------
    >>> from coinlib.games import SCENARIOS
    >>> ax = board(SCENARIOS["NIM"], (1, 3, 3, 7))
    >>> len(ax.patches), [label.get_text() for label in ax.get_yticklabels()][2]
    (16, 'row 2: 3 coins')
    """
    game = read_game(game)
    state = game.start if state is None else tuple(state)
    game.is_over(state)  # A state of another game raises here, with words.
    lines = [max(1, math.ceil(start / COINS_A_LINE)) for start in game.rows]
    *tops, high = accumulate(lines, initial=0)
    wide = min(COINS_A_LINE, max(1, *game.rows))
    ax = look.axes(ax, 1.8 + 0.36 * wide, 0.7 + 0.4 * high)
    for top, start, held in zip(tops, game.rows, state):
        for place in range(start):
            line, column = divmod(place, COINS_A_LINE)
            coin = THERE if place < held else GONE
            look.disc(ax, (column, top + line), 0.4, **coin)
    labels = [f"row {row}: {counted(held, 'coin')}" for row, held in enumerate(state)]
    ax.set_yticks([top + (many - 1) / 2 for top, many in zip(tops, lines)], labels)
    ax.set(xlim=(-0.6, wide - 0.4), ylim=(high - 0.4, -0.6), xticks=[], aspect="equal")
    ax.set_title(ending_words(game), fontsize=10)
    ax.tick_params(left=False)
    ax.spines[:].set_visible(False)
    return ax
