"""Pictures of a position, and of a game from turn to turn: the coins on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from coinlib import lazy
from coinlib.arguments import counted
from coinlib.games import CoinGame, Move, as_game
from coinlib.plots import look
from coinlib.plots.look import GREY, INK, ORANGE, VERMILION
from coinlib.words import ending_words, one_row, row_word, take_words

COINS_A_LINE = 25  # a longer row continues on the next line
THERE = {"facecolor": ORANGE, "edgecolor": INK}
GONE = {"facecolor": "none", "edgecolor": GREY, "linestyle": (0, (3, 2))}


def board(game: CoinGame, state: Sequence[int] | None = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a position: coins are filled circles, taken coins dashed ones.

    Parameters
    ----------
    game : CoinGame
        Gives the rows at the start, and the ending. Your own game with `rows` also works.
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
    game = as_game(game)
    state = game.start if state is None else tuple(state)
    game.is_over(state)  # A state of another game raises a readable error here.
    lines = [max(1, math.ceil(start / COINS_A_LINE)) for start in game.rows]
    *tops, height = accumulate(lines, initial=0)
    width = min(COINS_A_LINE, max(1, *game.rows))
    ax = look.axes(ax, max(3.6, 1.8 + 0.36 * width), 0.8 + 0.4 * height)
    for top, start, held in zip(tops, game.rows, state):
        for place in range(start):
            line, column = divmod(place, COINS_A_LINE)
            coin = THERE if place < held else GONE
            look.circle(ax, (column, top + line), 0.4, **coin)
    labels = [f"row {row}: {counted(held, 'coin')}" for row, held in enumerate(state)]
    ax.set_yticks([top + (count - 1) / 2 for top, count in zip(tops, lines)], labels)
    ax.set(xlim=(-0.6, width - 0.4), ylim=(height - 0.4, -0.6), xticks=[], aspect="equal")
    _finish(ax, game)
    return ax


def slips(match, solution, names: Sequence[str] | None = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a game of coins, one line for each turn, and mark the moves that gave a win away.

    Parameters
    ----------
    match : Match
        A game of coins, from `coinlib.play_match`.
    solution : Solution
        Of the same game, from `coinlib.solve`.
    names : two str, or None
        The names of the first and the second player; None for those of the match.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The coins that are left after each turn are filled, those taken in it are dashed. Rows are side by side, and a
        marked line names a move that would win; on a single row, finding it is left to the reader.

    Examples
    --------
    >>> from coinlib import ScriptedAgent, play_match, solve, sticks
    >>> match = play_match(sticks(5), first=ScriptedAgent(1, 1), second=ScriptedAgent(2, 1))
    >>> ax = slips(match, solve(match.game), names=("Ann", "Ben"))
    >>> [label.get_text() for label in ax.get_yticklabels()][1], ax.texts[1].get_text()
    ('2 · Ben takes 2', '✗ gives the win away')
    """
    game = match.game
    first_two = match.names if names is None else names
    *tops, width = accumulate((start + 1 for start in game.rows), initial=0)  # where each row begins, with gaps
    room = 7.5 if one_row(game) else 9  # for the verdicts
    ax = look.axes(ax, 2.25 + 0.26 * (width + room - 1), 0.6 + 0.29 * len(match.moves))
    labels = []
    for turn, (state, move) in enumerate(zip(match.states, match.moves)):
        for row, held in enumerate(state):
            left = held - move.count if row == move.row else held
            for place in range(held):
                look.circle(ax, (tops[row] + place, turn), 0.4, **(THERE if place < left else GONE))
        _write_verdict(ax, (width - 0.8, turn), game, move, solution.best_moves(state))
        labels.append(f"{turn + 1} · {first_two[turn % 2]} takes {take_words(game, move)}")
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlim=(-0.6, width + room), ylim=(len(labels) - 0.4, -0.6), xticks=[], aspect="equal")
    if not one_row(game):
        middles = [top + (start - 1) / 2 for top, start in zip(tops, game.rows)]
        ax.set_xticks(middles, [f"{row_word(game)} {row}" for row in range(len(tops))])
        ax.tick_params(bottom=False, labelbottom=False, labeltop=True)
    _finish(ax, game)
    return ax


def _finish(ax: lazy.Axes, game: CoinGame) -> None:
    """Write the ending above a picture, in lines no wider than the picture; draw no frame."""
    ax.tick_params(left=False)
    ax.spines[:].set_visible(False)
    width = ax.get_position().width * ax.figure.get_figwidth()
    ax.set_title(look.in_lines([ending_words(game)], 12 * width), fontsize=10)


def _write_verdict(
    ax: lazy.Axes, place: tuple[float, float], game: CoinGame, move: Move, winning: Sequence[Move]
) -> None:
    """Write whether a move wins with perfect play, gives a win away, or comes when no move wins."""
    if not winning:
        look.write(ax, place, "– no move wins", ha="left", color=GREY)
    elif move in winning:
        look.write(ax, place, "★ a winning move", ha="left")
    else:
        ax.axhspan(place[1] - 0.5, place[1] + 0.5, color=VERMILION, alpha=0.15, linewidth=0, zorder=0)
        words = "✗ gives the win away" if one_row(game) else f"✗ {take_words(game, winning[0])} would win"
        look.write(ax, place, words, ha="left", color=INK, weight="bold")
