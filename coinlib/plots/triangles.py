"""Pictures of greedy coins: the triangle of all runs of coins, with who moves where.

Each run of coins has a cell, the top of the triangle that stands on these coins. Whose turn it is
follows from how many coins are gone, so it is the same along a line of cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coinlib import lazy
from coinlib.arguments import one_of
from coinlib.games import GreedyCoins
from coinlib.plots import look
from coinlib.plots.look import BLUE, GREEDY_PLAYERS, INK, ORANGE, SMALL, VERMILION
from coinlib.runs import BOB, CoinRun, best_line, left_by, left_by_best, mover, run_in_words, runs_of

CELLS_ACROSS = 18  # a longer row is a heat map
HALF = 0.27  # of the width of a cell, where coins are 1 apart
COIN = "#F6D98B"  # light enough for black figures
SHOWS = {
    "alice": "the points that Alice still gets",
    "margin": "by how much whoever moves then beats the other",
}
HEAD = "-|>,head_length=0.45,head_width=0.26"
ARROW = {"arrowstyle": HEAD, "mutation_scale": 17, "joinstyle": "miter", "shrinkA": 0, "shrinkB": 0, "zorder": 3}
ARROWS = "arrows: best moves, to what is left; Alice's blue and filled, Bob's green and hollow"
HEATS = {**SHOWS, "margin": "by how much Alice then beats Bob"}

Place = tuple[float, int]  # across and up, coins being 1 apart


def red_and_blue(coins: Sequence[int], ax: lazy.Axes | None = None) -> lazy.Axes:
    """A row of coins in two colours: the first red, the second blue, the third red, and so on.

    Parameters
    ----------
    coins : sequence of int
        The row, at least one coin.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Red coins are circles, blue ones squares; the places below count from 0.

    Examples
    --------
    >>> ax = red_and_blue([3, 5, 1, 2])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['red (circle): 4 in all', 'blue (square): 7 in all']
    """
    coins = GreedyCoins(coins).coins
    many = len(coins)
    ax = look.axes(ax, max(4.5, 0.75 * many + 1), 1.6)
    for start, name, colour, mark in ((0, "red (circle)", VERMILION, "o"), (1, "blue (square)", BLUE, "s")):
        places, label = range(start, many, 2), f"{name}: {sum(coins[start::2])} in all"
        ax.scatter(places, [0] * len(places), 500, "white", marker=mark, edgecolor=colour, linewidth=3, label=label)
    for place, coin in enumerate(coins):
        look.write(ax, (place, 0), str(coin), fontsize=SMALL + 1, gid="coin")
    ax.set(xlabel="place in the row", xticks=range(many), yticks=[], xlim=(-0.6, many - 0.4), ylim=(-1, 1))
    ax.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, markerscale=0.4)
    return ax


def triangle(
    greedy, show: str = "alice", line: bool = False, run: tuple[int, int] | None = None, ax: lazy.Axes | None = None
) -> lazy.Axes:
    """The triangle of greedy coins: a number for every run of coins, and arrows for the best moves.

    Parameters
    ----------
    greedy : Greedy
        From `coinlib.solve_greedy`; at most 18 coins.
    show : "alice" or "margin"
        The points that Alice still gets (A), or by how much whoever moves beats the other from there
        on (S).
    line : bool
        Whether to mark a line of best play from the top, that of ``greedy.line()``.
    run : pair of int, or None
        A run of coins i...j, both included, to light up with its coins.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The coins stand along the base. A blue arrow is a best move of Alice, whose cells are squares,
        a green one with a hollow head a best move of Bob, whose cells are round; each points to what is left.

    See Also
    --------
    triangle_table : the same as words.
    triangle_heat : for longer rows.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> ax = triangle(solve_greedy([1, 2, 4, 3]))
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "cell"]    # from the base to the top
    ['0', '0', '0', '0', '2', '4', '4', '2', '4', '5']
    """
    numbers, many, runs = _numbers(greedy, show), len(greedy.coins), runs_of(greedy)
    if many > CELLS_ACROSS:
        raise ValueError(f"{many} coins are too many to read as a triangle (at most {CELLS_ACROSS}); see triangle_heat")
    played = best_line(greedy) if line else []
    words = [look.signed(numbers[cell]) if show == "margin" else str(numbers[cell]) for cell in runs]
    notes = {f"in each cell: {SHOWS[show]}": True, ARROWS: True, "thick: a line of best play": line}
    ax, size = _page(ax, many, words, notes)
    for cell, word in zip(runs, words):
        x, left = _top(cell)
        player, thick, bright = GREEDY_PLAYERS[mover(greedy, *cell).number], cell in played, cell == run
        frame, half = (look.square, HALF) if player.box == look.SQUARE else (look.disc, 1.1 * HALF)
        face, edge = ORANGE if bright else player.light, INK if thick or bright else player.colour
        frame(ax, (x, left), half, facecolor=face, edgecolor=edge, linewidth=3 if thick else 1.2, zorder=2)
        look.write(ax, (x, left), word, fontsize=size, zorder=4, gid="cell")
        for after in left_by_best(greedy, cell):
            _draw_arrow(ax, (x, left), _top(after), player, thick and after in played)
    for place, value in enumerate(greedy.coins):
        face, width = (ORANGE, 3) if run and run[0] <= place <= run[1] else (COIN, 1)
        look.disc(ax, (place, 0), 0.38, facecolor=face, edgecolor=INK, linewidth=width)
        look.write(ax, (place, 0), str(value), fontsize=size, weight="bold", gid="coin")
    beside = {"ha": "right", "fontsize": size}
    look.write(ax, (-0.75, 0), "the coins", **beside)
    for length in range(1, many + 1):
        look.write(ax, (-0.75, length), f"{mover(greedy, 0, length - 1).name} moves", color=INK, **beside)
    return ax


def triangle_heat(greedy, show: str = "alice", ax: lazy.Axes | None = None) -> lazy.Axes:
    """The triangle of greedy coins as colours, for rows that are too long for numbers.

    Parameters
    ----------
    greedy : Greedy
        From `coinlib.solve_greedy`; any number of coins.
    show : "alice" or "margin"
        The points that Alice still gets (A), or by how much she beats Bob from there on: S where she
        moves and -S where he does, so that lines of cells do not change their sign one by one.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The coins are bars along the base. A run of coins is coloured at the top of the triangle that
        stands on it, as in `triangle`: across is the middle of the run, up is how many coins it has.

    See Also
    --------
    triangle_table : the same as words.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> ax = triangle_heat(solve_greedy(range(50)))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('middle of the run of coins', 'coins left')
    """
    numbers, many = _numbers(greedy, show), len(greedy.coins)
    cells = np.full((many, 2 * many), np.nan)
    for length in range(1, many + 1):  # each run is as wide as one coin, around its middle
        held = np.diagonal(numbers, length - 1).astype(float)
        if show == "margin" and mover(greedy, 0, length - 1) is BOB:
            held = -held
        cells[length - 1, length - 1 : 2 * many - length + 1] = np.repeat(held, 2)
    most = max(1.0, np.nanmax(np.abs(cells)))
    colours = "viridis" if show == "alice" else look.blend("loses to wins", [ORANGE, "white", BLUE])
    ax = look.axes(ax, 8, 6)
    frame = {"extent": (-0.5, many - 0.5, 0.5, many + 0.5), "origin": "lower", "aspect": "auto"}
    image = ax.imshow(cells, colours, vmin=0 if show == "alice" else -most, vmax=most, interpolation="nearest", **frame)
    base, tall = 0.12 * many, max(1, *greedy.coins)
    tops = [base * value / tall - base for value in greedy.coins]
    ax.stairs(tops, np.arange(many + 1) - 0.5, baseline=-base, fill=True, color=INK)
    ax.set(ylim=(-1.1 * base, many + 0.5), xlabel="middle of the run of coins", ylabel="coins left")
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.colorbar(image, ax=ax, label=HEATS[show])
    words = f"{many:,} coins (the bars below): {HEATS[show]}, for every run of coins"
    ax.set_title(words, fontsize=SMALL, loc="left")
    return ax


def triangle_table(greedy, show: str = "alice") -> lazy.DataFrame:
    """The triangle of greedy coins as words: a line for every run of coins, the whole row first.

    Parameters
    ----------
    greedy : Greedy
        From `coinlib.solve_greedy`.
    show : "alice" or "margin"
        As in `triangle`.

    Returns
    -------
    DataFrame
        Columns coins, the run; turn, who moves; alice or margin,
        the number in the cell; best move, the arrows in words. The index is i and j, the ends of the run.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> print(triangle_table(solve_greedy([1, 2, 4])).to_string(index=False))
    coins  turn  alice                         best move
    1 2 4 Alice      5 take the 4 on the right, leave 1 2
      1 2   Bob      1   take the 2 on the right, leave 1
      2 4   Bob      2   take the 4 on the right, leave 2
        1 Alice      1                  take the last coin
        2 Alice      2                  take the last coin
        4 Alice      4                  take the last coin
    """
    import pandas as pd

    numbers = _numbers(greedy, show)
    runs = sorted(runs_of(greedy), key=lambda run: run[0] - run[1])
    columns = {
        "coins": [run_in_words(greedy, *run) for run in runs],
        "turn": [mover(greedy, *run).name for run in runs],
        show: [int(numbers[run]) for run in runs],
        "best move": [_move_words(greedy, run) for run in runs],
    }
    return pd.DataFrame(columns, index=pd.MultiIndex.from_tuples(runs, names=["i", "j"]))


def _numbers(greedy, show: str) -> np.ndarray:
    return getattr(greedy, one_of(show, "show", tuple(SHOWS)))


def _top(run: CoinRun) -> Place:
    """Where the cell of a run stands: at the top of the triangle on its coins."""
    i, j = run
    return (i + j) / 2, j - i + 1


def _page(ax: lazy.Axes | None, many: int, words: list[str], notes: dict[str, bool]) -> tuple[lazy.Axes, float]:
    """Axes with square cells for so many coins, and the size of the type in points in which all words fit."""
    longest = max(0.65 * len(word) + 0.22 * (word[0] in "+−") for word in words)  # times the size of the type
    if ax is None:
        pitch = max(0.62, (SMALL * longest + 7) / 72 / (2 * HALF))  # inches from coin to coin
        wide = max(5.0, pitch * (many + 2.2) + 0.1)
        ax = look.axes(None, wide, pitch * (many + 1) + 0.4 + 0.17 * look.in_lines(notes, 13 * wide).count("\n"))
    else:
        wide, high = ax.figure.get_size_inches() * ax.get_position().size
        pitch = min(wide / (many + 2.2), high / (many + 1))
    ax.set_title(look.in_lines(notes, 13 * wide), fontsize=SMALL, loc="left")
    ax.set(xticks=[], yticks=[])
    ax.set_xlim(-2.1, many - 0.1, auto=True)  # limits that may grow: so cells stay square, and the title has room
    ax.set_ylim(-0.5, many + 0.5, auto=True)
    ax.update_datalim([(-2.1, -0.5), (many - 0.1, many + 0.5)])
    ax.set_aspect("equal", adjustable="datalim")
    ax.spines[:].set_visible(False)
    return ax, max(float(SMALL), min(13.0, 16 * pitch, (72 * 2 * HALF * pitch - 5) / longest))


def _draw_arrow(ax: lazy.Axes, start: Place, end: Place, player: look.PlayerLook, thick: bool) -> None:
    """From a cell to the cell of what is left."""
    from matplotlib.patches import FancyArrowPatch

    way = np.subtract(end, start)
    gap = 0.32 * way / np.linalg.norm(way)  # to the edge of a cell, nearly
    style = {"edgecolor": player.colour, "facecolor": player.head, "linewidth": 3.4 if thick else 1.6, **ARROW}
    ax.add_patch(FancyArrowPatch(start + gap, end - gap, **style))


def _move_words(greedy, run: CoinRun) -> str:
    i, j = run
    if i == j:
        return "take the last coin"
    ways = []
    for move in str(greedy.moves[run]):
        coin, side = (greedy.coins[i], "left") if move == "L" else (greedy.coins[j], "right")
        ways.append(f"take the {coin} on the {side}, leave {run_in_words(greedy, *left_by(run, move))}")
    return "; or ".join(ways)
