"""Pictures of greedy coins: the triangle of all runs of coins, and a row in two colours.

Each run of coins has a cell, at the top of the triangle above these coins. Whose turn it is
follows from how many coins are gone, so it is the same all along a line of cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from coinlib import lazy
from coinlib.arguments import one_of
from coinlib.games import GreedyCoins
from coinlib.plots import look
from coinlib.plots.look import ALICE_AND_BOB, BLUE, INK, ORANGE, SMALL, VERMILION
from coinlib.runs import ALICE, CoinRun, best_line, left_by, left_by_best, player_to_move, runs_of

CELLS_ACROSS = 18  # A longer row is refused.
HALF = 0.27  # half the width of a cell; coins are 1 apart
COIN = "#F6D98B"  # light enough for black numbers
SHOWS = {
    "alice": "the points that Alice still gets",
    "margin": "by how much the player to move beats the other",
}
HEAD = "-|>,head_length=0.45,head_width=0.26"
ARROW = {"arrowstyle": HEAD, "mutation_scale": 17, "joinstyle": "miter", "shrinkA": 0, "shrinkB": 0}
ARROWS = "arrows: best moves, to what is left; Alice's blue and filled, Bob's green and hollow"

Place = tuple[float, int]  # (x, y); neighbouring coins are 1 apart


def red_and_blue(coins: Sequence[int], ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a row of coins in two colours: the first red, the second blue, the third red, and so on.

    Parameters
    ----------
    coins : sequence of int
        The row, at least one coin.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Red coins are circles, blue ones squares; positions count from 0.

    Examples
    --------
    >>> ax = red_and_blue([3, 5, 1, 2])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['red (circle): 4 in all', 'blue (square): 7 in all']
    """
    coins = GreedyCoins(coins).coins
    size = len(coins)
    ax = look.axes(ax, max(4.5, 0.75 * size + 1), 1.6)
    for start, name, colour, mark in ((0, "red (circle)", VERMILION, "o"), (1, "blue (square)", BLUE, "s")):
        places = range(start, size, 2)
        label = f"{name}: {sum(coins[start::2])} in all"
        edge = {"marker": mark, "edgecolor": colour, "linewidth": 3}
        ax.scatter(places, np.zeros(len(places)), 500, "white", label=label, **edge)
    for place, coin in enumerate(coins):
        look.write(ax, (place, 0), str(coin), fontsize=SMALL + 1, gid="coin")
    ax.set(xlabel="place in the row", xticks=range(size), yticks=[], xlim=(-0.6, size - 0.4), ylim=(-1, 1))
    ax.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, markerscale=0.4)
    return ax


def triangle(
    greedy,
    show: str = "alice",
    line: bool | str = False,
    run: tuple[int, int] | None = None,
    ax: lazy.Axes | None = None,
) -> lazy.Axes:
    """Draw the triangle of greedy coins: a number for every run of coins, and arrows for the best moves.

    Parameters
    ----------
    greedy : Greedy
        From `coinlib.solve_greedy`; at most 18 coins.
    show : "alice" or "margin"
        The points that Alice still gets (A), or by how much the player to move beats the other from
        then on (S).
    line : bool or str
        Whether to mark a line of best play from the top, that of ``greedy.line()``; or the moves of a game from the
        top, such as "RLL", to mark that game instead.
    run : pair of int, or None
        A run of coins i...j, both included, to highlight with its coins.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The coins are along the base. A blue arrow is a best move for Alice, whose cells are squares,
        a green one with a hollow head a best move for Bob, whose cells are round; each points to what is left.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> ax = triangle(solve_greedy([1, 2, 4, 3]))
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "cell"]    # from the base to the top
    ['0', '0', '0', '0', '2', '4', '4', '2', '4', '5']
    """
    numbers = getattr(greedy, one_of(show, "show", tuple(SHOWS)))
    runs = runs_of(greedy)
    coins = len(greedy.coins)
    if coins > CELLS_ACROSS:
        most = f"at most {CELLS_ACROSS}"
        raise ValueError(f"{coins} coins are too many to read as a triangle ({most})")
    played = _path(greedy, line)
    words = [look.signed(numbers[cell]) if show == "margin" else str(numbers[cell]) for cell in runs]
    notes = [f"in each cell: {SHOWS[show]}", ARROWS]
    if isinstance(line, str):
        notes.append("wide band: the game that was played")
    elif line:
        notes.append("thick: a line of best play")
    ax, size = _prepare(ax, coins, words, notes)
    for cell, word in zip(runs, words):
        is_played = cell in played
        _draw_cell(ax, greedy, cell, thick=is_played, bright=cell == run)
        look.write(ax, _top(cell), word, fontsize=size, zorder=4, gid="cell")
        for after in left_by_best(greedy, cell):
            thick = is_played and after in played
            _draw_arrow(ax, _top(cell), _top(after), _player(greedy, cell), thick)
    if isinstance(line, str):
        _draw_path(ax, played)
    _draw_coins(ax, greedy.coins, run, size)
    _name_lines(ax, greedy, size)
    return ax


# --- drawing --------------------------------------------------------------------------------------------


def _prepare(ax: lazy.Axes | None, coins: int, words: list[str], notes: list[str]) -> tuple[lazy.Axes, float]:
    """Axes with square cells for this number of coins, and the font size in points in which all words fit."""
    longest = max(_width(word) for word in words)
    if ax is None:
        pitch = max(0.62, (SMALL * longest + 7) / 72 / (2 * HALF))  # inches from coin to coin
        width = max(5.0, pitch * (coins + 2.2) + 0.1)
        more_lines = look.in_lines(notes, 13 * width).count("\n")
        ax = look.axes(None, width, pitch * (coins + 1) + 0.4 + 0.17 * more_lines)
    else:
        width, height = ax.figure.get_size_inches() * ax.get_position().size
        pitch = min(width / (coins + 2.2), height / (coins + 1))
    ax.set_title(look.in_lines(notes, 13 * width), fontsize=SMALL, loc="left")
    ax.set(xticks=[], yticks=[])
    # The limits may grow, so that cells stay square and the title fits.
    ax.set_xlim(-2.1, coins - 0.1, auto=True)
    ax.set_ylim(-0.5, coins + 0.5, auto=True)
    ax.update_datalim([(-2.1, -0.5), (coins - 0.1, coins + 0.5)])
    ax.set_aspect("equal", adjustable="datalim")
    ax.spines[:].set_visible(False)
    fits = (72 * 2 * HALF * pitch - 5) / longest  # points
    return ax, max(float(SMALL), min(13.0, 16 * pitch, fits))


def _path(greedy, line: bool | str) -> list[CoinRun]:
    """The runs along a line of best play, or along a game; none without a line."""
    if isinstance(line, str):
        whole_row = (0, len(greedy.coins) - 1)
        runs = list(accumulate(line, left_by, initial=whole_row))
        return [(i, j) for i, j in runs if i <= j]
    return best_line(greedy) if line else []


def _width(word: str) -> float:
    """The width of a word, as a multiple of the font size."""
    sign = 0.22 if word[0] in "+−" else 0
    return 0.65 * len(word) + sign


def _top(run: CoinRun) -> Place:
    """The place of the cell of a run: the top of the triangle above its coins."""
    i, j = run
    return (i + j) / 2, j - i + 1


def _player(greedy, run: CoinRun) -> look.PlayerLook:
    """The style of the player to move when these coins are left."""
    return ALICE_AND_BOB[player_to_move(greedy, *run).number]


def _draw_cell(ax: lazy.Axes, greedy, run: CoinRun, thick: bool, bright: bool) -> None:
    """Draw the frame and background of a cell: a square for Alice, a circle for Bob."""
    player = _player(greedy, run)
    background = ORANGE if bright else player.light
    edge = INK if thick or bright else player.colour
    frame = {"facecolor": background, "edgecolor": edge, "linewidth": 3 if thick else 1.2, "zorder": 2}
    if player_to_move(greedy, *run) is ALICE:
        look.square(ax, _top(run), HALF, **frame)
    else:
        look.circle(ax, _top(run), 1.1 * HALF, **frame)


def _draw_arrow(ax: lazy.Axes, start: Place, end: Place, player: look.PlayerLook, thick: bool) -> None:
    """Draw an arrow from a cell to the cell of what is left."""
    from matplotlib.patches import FancyArrowPatch

    direction = np.subtract(end, start)
    gap = 0.32 * direction / np.linalg.norm(direction)  # roughly to the edge of a cell
    style = {"edgecolor": player.colour, "facecolor": player.head, "linewidth": 3.4 if thick else 1.6}
    ax.add_patch(FancyArrowPatch(start + gap, end - gap, zorder=3, **style, **ARROW))


def _draw_path(ax: lazy.Axes, runs: Sequence[CoinRun]) -> None:
    """Draw a wide line through the cells of a game, under the cells and their arrows."""
    across, up = zip(*map(_top, runs))
    ax.plot(across, up, color=VERMILION, alpha=0.45, linewidth=11, solid_capstyle="round", zorder=1, gid="game")


def _draw_coins(ax: lazy.Axes, coins: Sequence[int], run: CoinRun | None, size: float) -> None:
    """Draw the coins along the base, those of a run highlighted."""
    for place, value in enumerate(coins):
        is_lit = run is not None and run[0] <= place <= run[1]
        colour = ORANGE if is_lit else COIN
        look.circle(ax, (place, 0), 0.38, facecolor=colour, edgecolor=INK, linewidth=3 if is_lit else 1)
        look.write(ax, (place, 0), str(value), fontsize=size, weight="bold", gid="coin")


def _name_lines(ax: lazy.Axes, greedy, size: float) -> None:
    """Write next to each line of cells who moves there."""
    look.write(ax, (-0.75, 0), "the coins", ha="right", fontsize=size)
    for length in range(1, len(greedy.coins) + 1):
        words = f"{player_to_move(greedy, 0, length - 1).name} moves"
        look.write(ax, (-0.75, length), words, color=INK, ha="right", fontsize=size)
