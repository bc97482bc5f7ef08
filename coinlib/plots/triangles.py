"""Pictures of greedy coins: the triangle of all runs of coins, with who moves where.

Each run of coins has a cell, the top of the triangle that stands on these coins. Whose turn it is
follows from how many coins are gone, so it is the same along a line of cells.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from coinlib.arguments import one_of, sequence, shown, whole_number
from coinlib.games import GreedyCoins
from coinlib.plots.asked import check_has
from coinlib.plots.look import BLUE, GREEN, INK, ORANGE, SMALL, VERMILION, axes, blend

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from pandas import DataFrame

COINS_AT_MOST = 200  # in red and blue
CELLS_ACROSS = 18  # a longer row is a heat map
HALF = 0.27  # of the width of a cell, where coins are 1 apart
LINES_SHOWN = 1_000  # of a longer row a heat map shows every second, third, ... line of cells
WORDS_AT_MOST = 12  # a longer run of coins is cut in the middle where it stands in a table
COIN = "#F6D98B"  # light enough for black figures


class Player(NamedTuple):
    """How a player's cells and arrows look, told apart by more than their colour."""

    name: str
    colour: str
    light: str
    head: str


ALICE = Player("Alice", BLUE, "#CFE6F5", BLUE)
BOB = Player("Bob", GREEN, "#CDEBE0", "white")
SHOWS = {
    "alice": "the points that Alice still gets",
    "margin": "by how much whoever moves then beats the other",
}
HEATS = {**SHOWS, "margin": "by how much Alice then beats Bob"}


class Best(Protocol):
    """Best play for a row of coins, as `coinlib.solve_greedy` returns it."""

    @property
    def coins(self) -> tuple[int, ...]: ...

    @property
    def alice(self) -> np.ndarray: ...

    @property
    def margin(self) -> np.ndarray: ...

    @property
    def moves(self) -> np.ndarray: ...

    def line(self) -> list[tuple[str, int]]: ...


def red_and_blue(coins: Sequence[int], ax: Axes | None = None) -> Axes:
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

    Raises
    ------
    TypeError, ValueError
        If a coin is not a whole number of 0 or more, or there is none, or there are more than 200.

    Examples
    --------
    >>> ax = red_and_blue([3, 5, 1, 2])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['red (circle): 4 in all', 'blue (square): 7 in all']
    """
    coins = GreedyCoins(coins).coins
    many = len(coins)
    if many > COINS_AT_MOST:
        raise ValueError(f"coins: expected at most {COINS_AT_MOST} to draw, got {many:,}")
    ax = axes(ax, max(4.5, 0.75 * many + 1), 1.6)
    for start, (name, colour, mark) in enumerate([("red (circle)", VERMILION, "o"), ("blue (square)", BLUE, "s")]):
        places = range(start, many, 2)
        label = f"{name}: {sum(coins[start::2])} in all"
        look = {"facecolor": "white", "edgecolor": colour, "linewidth": 3, "label": label}
        ax.scatter(places, [0] * len(places), s=500, marker=mark, **look)
    for place, coin in enumerate(coins):
        ax.text(place, 0, str(coin), ha="center", va="center", fontsize=SMALL + 1, color="black", gid="coin")
    ax.set(xlabel="place in the row", xticks=range(many), yticks=[], xlim=(-0.6, many - 0.4), ylim=(-1, 1))
    ax.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, markerscale=0.4)
    return ax


def triangle(
    greedy: Best,
    show: str = "alice",
    line: bool = False,
    run: tuple[int, int] | None = None,
    ax: Axes | None = None,
) -> Axes:
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

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, or there are more coins than can be read.

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
    numbers = _numbers(greedy, show)
    many = len(greedy.coins)
    if many > CELLS_ACROSS:
        raise ValueError(
            f"{many:,} coins are too many to read as a triangle (at most {CELLS_ACROSS}); see triangle_heat"
        )
    lit = _lit(greedy, run)
    line = line
    played = _line_of(greedy) if line else []
    words = {(i, j): _signed(numbers[i, j], show) for i in range(many) for j in range(i, many)}
    longest = max(0.65 * len(word) + 0.22 * (word[0] in "+−") for word in words.values())  # times the size of the type
    pitch = max(0.62, (SMALL * longest + 7) / 72 / (2 * HALF))
    if ax is None:
        wide = max(5.0, pitch * (many + 2.2) + 0.1)
        caption = _caption(show, line, wide)
        ax = axes(None, wide, pitch * (many + 1) + 0.4 + 0.17 * caption.count("\n"))
    else:
        ax = axes(ax, 0, 0)  # says so if it is something else
        wide, high = ax.figure.get_size_inches() * ax.get_position().size
        caption = _caption(show, line, wide)
        pitch = min(wide / (many + 2.2), high / (many + 1))
    ax.set(xticks=[], yticks=[])
    ax.set_xlim(-2.1, many - 0.1, auto=True)  # limits that may grow: so cells stay square, and the title has room
    ax.set_ylim(-0.5, many + 0.5, auto=True)
    ax.update_datalim([(-2.1, -0.5), (many - 0.1, many + 0.5)])
    ax.set_aspect("equal", adjustable="datalim")
    ax.spines[:].set_visible(False)
    size = max(float(SMALL), min(13.0, 16 * pitch, (72 * 2 * HALF * pitch - 5) / longest))  # points
    for (i, j), word in sorted(words.items(), key=lambda cell: (cell[0][1] - cell[0][0], cell[0])):
        _draw_cell(ax, (i, j), word, _mover(many, i, j), size, (i, j) == lit, (i, j) in played)
    for i, j in words:
        for after in _after(greedy, i, j):
            _draw_arrow(ax, (i, j), after, _mover(many, i, j), (i, j) in played and after in played)
    for place, value in enumerate(greedy.coins):
        _draw_coin(ax, place, value, size, lit is not None and lit[0] <= place <= lit[1])
    for length in range(1, many + 1):
        player = _mover(many, 0, length - 1)
        ax.text(-0.75, length, f"{player.name} moves", ha="right", va="center", fontsize=size, color=INK)
    ax.text(-0.75, 0, "the coins", ha="right", va="center", fontsize=size)
    ax.set_title(caption, fontsize=SMALL, loc="left")
    return ax


def triangle_heat(greedy: Best, show: str = "alice", ax: Axes | None = None) -> Axes:
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

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above.

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
    import numpy as np

    numbers = _numbers(greedy, show)
    many = len(greedy.coins)
    step = -(-many // LINES_SHOWN)
    lengths = np.arange(1, many + 1, step)
    cells = np.full((len(lengths), 2 * many), np.nan)
    for line, length in enumerate(lengths):  # each run is as wide as one coin, around its middle
        starts = np.arange(many - length + 1)
        held = numbers[starts, starts + length - 1].astype(float)
        if show == "margin" and _mover(many, 0, length - 1) is BOB:
            held = -held
        cells[line, length - 1 : 2 * many - length + 1] = np.repeat(held, 2)
    most = max(1.0, np.nanmax(np.abs(cells)))
    look = (
        {"cmap": "viridis", "vmin": 0, "vmax": most}
        if show == "alice"
        else {"cmap": blend("loses to wins", [ORANGE, "white", BLUE]), "vmin": -most, "vmax": most}
    )
    ax = axes(ax, 8, 6)
    ax.set_facecolor("white")
    extent = (-0.5, many - 0.5, 0.5, many + 0.5)
    image = ax.imshow(cells, extent=extent, origin="lower", aspect="auto", interpolation="nearest", **look)
    base, tall = 0.12 * many, max(1, *greedy.coins)
    tops = [base * value / tall - base for value in greedy.coins]
    ax.stairs(tops, np.arange(many + 1) - 0.5, baseline=-base, fill=True, color=INK)
    ax.set(ylim=(-1.1 * base, many + 0.5), xlabel="middle of the run of coins", ylabel="coins left")
    ax.spines[["top", "right"]].set_visible(False)
    ax.figure.colorbar(image, ax=ax, label=HEATS[show])
    ax.set_title(_heat_caption(greedy, show), fontsize=SMALL, loc="left")
    return ax


def triangle_table(greedy: Best, show: str = "alice") -> DataFrame:
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
        Columns coins, the run (cut in the middle where it is long); turn, who moves; alice or margin,
        the number in the cell; best move, the arrows in words. The index is i and j, the ends of the run.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above.

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
    many = len(greedy.coins)
    runs = [(i, i + length - 1) for length in range(many, 0, -1) for i in range(many - length + 1)]
    lines = [
        (_run_words(greedy, i, j), _mover(many, i, j).name, int(numbers[i, j]), _move_words(greedy, i, j))
        for i, j in runs
    ]
    index = pd.MultiIndex.from_tuples(runs, names=["i", "j"])
    return pd.DataFrame(lines, index=index, columns=["coins", "turn", show, "best move"])


def _numbers(greedy: Best, show: str) -> np.ndarray:
    check_has(greedy, "greedy", ("coins", "alice", "margin", "moves", "line"), "what `solve_greedy` returns")
    return getattr(greedy, one_of(show, "show", tuple(SHOWS)))


def _lit(greedy: Best, run: tuple[int, int] | None) -> tuple[int, int] | None:
    if run is None:
        return None
    last = len(greedy.coins) - 1
    try:
        i, j = (whole_number(end, "run", least=0) for end in sequence(run, "run", "a pair"))
        if i <= j <= last:
            return i, j
    except (TypeError, ValueError):
        pass
    raise ValueError(f"run: expected coins (i, j) with 0 <= i <= j <= {last}, got {shown(run)}")


def _mover(many: int, i: int, j: int) -> Player:
    """Who moves when the coins i...j are left: Alice when an even number is gone."""
    return BOB if (many - (j - i + 1)) % 2 else ALICE


def _after(greedy: Best, i: int, j: int) -> list[tuple[int, int]]:
    """The runs that the best moves leave; none after the last coin."""
    if i == j:
        return []
    return [(i + 1, j) if move == "L" else (i, j - 1) for move in str(greedy.moves[i, j])]


def _line_of(greedy: Best) -> list[tuple[int, int]]:
    """The runs that a line of best play goes through."""
    i, j = 0, len(greedy.coins) - 1
    runs = [(i, j)]
    for move, _ in greedy.line()[:-1]:
        i, j = (i + 1, j) if move == "L" else (i, j - 1)
        runs.append((i, j))
    return runs


def _signed(number, show: str) -> str:
    """A number as it stands in a cell; margins with their sign."""
    if show == "alice" or number == 0:
        return str(number)
    return f"+{number}" if number > 0 else f"−{-number}"


def _place(i: int, j: int) -> tuple[float, int]:
    return (i + j) / 2, j - i + 1


def _draw_cell(ax: Axes, run: tuple[int, int], word: str, player: Player, size: float, lit: bool, played: bool) -> None:
    from matplotlib.patches import Circle, Rectangle

    x, y = _place(*run)
    look = {
        "facecolor": ORANGE if lit else player.light,
        "edgecolor": INK if played or lit else player.colour,
        "linewidth": 3 if played else 1.2,
        "zorder": 2,
    }
    if player is ALICE:
        ax.add_patch(Rectangle((x - HALF, y - HALF), 2 * HALF, 2 * HALF, **look))
    else:
        ax.add_patch(Circle((x, y), 1.1 * HALF, **look))
    ax.text(x, y, word, ha="center", va="center", fontsize=size, color="black", zorder=4, gid="cell")


def _draw_arrow(ax: Axes, run: tuple[int, int], after: tuple[int, int], player: Player, played: bool) -> None:
    """From a cell to the cell of what is left."""
    from matplotlib.patches import FancyArrowPatch

    (x, y), (to_x, to_y) = _place(*run), _place(*after)
    long = math.hypot(to_x - x, to_y - y)
    across, down = (to_x - x) / long, (to_y - y) / long
    arrow = FancyArrowPatch(
        (x + 0.32 * across, y + 0.32 * down),
        (to_x - 0.32 * across, to_y - 0.32 * down),
        arrowstyle="-|>,head_length=0.45,head_width=0.26",
        mutation_scale=17,
        edgecolor=player.colour,
        facecolor=player.head,
        linewidth=3.4 if played else 1.6,
        joinstyle="miter",
        shrinkA=0,
        shrinkB=0,
        zorder=3,
    )
    ax.add_patch(arrow)


def _draw_coin(ax: Axes, place: int, value: int, size: float, lit: bool) -> None:
    from matplotlib.patches import Circle

    look = {"facecolor": ORANGE if lit else COIN, "edgecolor": INK, "linewidth": 3 if lit else 1}
    ax.add_patch(Circle((place, 0), 0.38, **look))
    ax.text(place, 0, str(value), ha="center", va="center", fontsize=size, color="black", weight="bold", gid="coin")


def _caption(show: str, line: bool, wide: float) -> str:
    """What the picture shows, in lines that are not longer than so many inches."""
    notes = [
        f"in each cell: {SHOWS[show]}",
        "arrows: best moves, to what is left; Alice's blue and filled, Bob's green and hollow",
    ]
    notes += ["thick: a line of best play"] * line
    return textwrap.fill("; ".join(notes), max(30, int(13 * wide)))


def _heat_caption(greedy: Best, show: str) -> str:
    return f"{len(greedy.coins):,} coins (the bars below): {HEATS[show]}, for every run of coins"


def _run_words(greedy: Best, i: int, j: int) -> str:
    coins = greedy.coins[i : j + 1]
    if len(coins) <= WORDS_AT_MOST:
        return " ".join(map(str, coins))
    ends = [" ".join(map(str, part)) for part in (coins[:3], coins[-3:])]
    return f"{ends[0]} … {ends[1]} ({len(coins):,} coins)"


def _move_words(greedy: Best, i: int, j: int) -> str:
    if i == j:
        return "take the last coin"
    ways = []
    for move, (left, right) in zip(str(greedy.moves[i, j]), _after(greedy, i, j)):
        coin, side = (greedy.coins[i], "left") if move == "L" else (greedy.coins[j], "right")
        ways.append(f"take the {coin} on the {side}, leave {_run_words(greedy, left, right)}")
    return "; or ".join(ways)
