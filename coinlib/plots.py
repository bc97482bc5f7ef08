"""Pictures of games, results and learners: each function takes data and returns a Matplotlib `Axes`.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; no meaning hangs on a
colour alone. The pictures of learners have a twin, `..._table`, that gives the same as a DataFrame.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .games import Move, counted, whole_number

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from .games import CoinGame

ORANGE, SKY, GREEN, BLUE, VERMILION = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00"
YELLOW, PURPLE = "#F0E442", "#CC79A7"
GREY, INK = "#767676", "#1A1A1A"
PAPER = "#D9D9D9"  # where nothing is known, or nothing is allowed
COINS_A_LINE = 25  # a longer row goes on in the next line
CURVE_POINTS = 500  # a longer curve is thinned to so many points
BALLS_DRAWN = 12  # a fuller hat is drawn as shares
STATES_ACROSS = 22  # more states than this stand one below another
STATES_SHOWN = 40  # of more states than this only those nearest the start are shown
SMALL = 9  # points: the smallest type in any picture


class Table(Protocol):
    """What the pictures need to know of a game as a table; a learner's `table` has it.

    Attributes
    ----------
    states : sequence
        S states, the start first.
    moves : sequence
        M moves.
    next_state : int array, shape (S, M)
        Row of the state a move leads to, or -1 where it is illegal.
    over : bool array, shape (S,)
        Where the game has ended.
    """

    @property
    def states(self) -> Sequence[Any]: ...

    @property
    def moves(self) -> Sequence[Any]: ...

    @property
    def next_state(self) -> np.ndarray: ...

    @property
    def over(self) -> np.ndarray: ...


class Curve(Protocol):
    """What a learning curve is drawn from: `coinlib.train` returns it."""

    def win_rate(self, window: int = 5) -> np.ndarray:
        """The share of wins in the last `window` games, after each game."""
        ...


Runs = Curve | Iterable[Curve] | Mapping[str, Curve | Iterable[Curve]]
Winning = Callable[[Any], Iterable] | Sequence  # the best moves of a state, or a bool array of states by moves


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    """`ax`, or that of a new figure of so many inches."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def readable_on(colour) -> str:
    """Black or white, whichever is easier to read on a colour; the contrast is at least 4.5 to 1.

    Parameters
    ----------
    colour : Matplotlib colour

    Returns
    -------
    str
        "black" or "white".

    Examples
    --------
    >>> readable_on("white"), readable_on(BLUE)
    ('black', 'white')
    """
    from matplotlib.colors import to_rgb

    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance > 0.179 else "white"  # where both have the same contrast


def board(game: CoinGame, state: Sequence[int] | None = None, ax: Axes | None = None) -> Axes:
    """A still picture of a position: coins filled, the places of coins that are gone dashed.

    Parameters
    ----------
    game : CoinGame
        Says how many coins each row held at the start, and the ending.
    state : tuple of int or None
        Coins left in each row; None for the start.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        One circle for each coin of the start, row 0 at the top; the title names the ending.

    Raises
    ------
    ValueError
        If `state` is not a state of `game`.

    Examples
    --------
    >>> from coinlib.games import SCENARIOS
    >>> ax = board(SCENARIOS["NIM"], (1, 3, 3, 7))
    >>> len(ax.patches), [label.get_text() for label in ax.get_yticklabels()][2]
    (16, 'row 2: 3 coins')
    """
    state = game.start if state is None else tuple(state)
    game.is_over(state)  # refuses what is not a state of this game
    lines = [max(1, -(-start // COINS_A_LINE)) for start in game.rows]
    width, height = min(COINS_A_LINE, max(1, *game.rows, 1)), sum(lines)
    ax = _axes(ax, 1.8 + 0.36 * width, 0.7 + 0.4 * height)
    first_line, ticks = 0, []
    for start, held, deep in zip(game.rows, state, lines):
        _draw_row(ax, first_line, start, held)
        ticks.append(first_line + (deep - 1) / 2)
        first_line += deep
    ax.set_yticks(ticks, [f"row {row}: {held} coin{'s' * (held != 1)}" for row, held in enumerate(state)])
    ax.set(xlim=(-0.6, width - 0.4), ylim=(height - 0.4, -0.6), xticks=[], aspect="equal")
    ax.set_title(f"{game.ending}: who takes the last coin {'loses' if game.misere else 'wins'}", fontsize=10)
    ax.tick_params(left=False)
    ax.spines[:].set_visible(False)
    return ax


def _draw_row(ax: Axes, first_line: int, start: int, held: int) -> None:
    """The places of one row, from left to right; those at the right end are taken first."""
    from matplotlib.patches import Circle

    for place in range(start):
        line, column = divmod(place, COINS_A_LINE)
        look = (
            {"facecolor": ORANGE, "edgecolor": INK}
            if place < held
            else {"facecolor": "none", "edgecolor": GREY, "linestyle": (0, (3, 2))}
        )
        ax.add_patch(Circle((column, first_line + line), 0.4, **look))


def round_robin_heatmap(table: DataFrame, ax: Axes | None = None) -> Axes:
    """Who beats whom: each cell the part of its games that the row won against the column.

    Parameters
    ----------
    table : DataFrame
        Win rates from 0 to 1, agents by agents, as `coinlib.round_robin` returns them; a missing
        value is a dash.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The number stands in each cell, so that the colour need not be read.

    Raises
    ------
    ValueError
        If a value lies outside 0 to 1.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> names = ["rule", "random"]
    >>> ax = round_robin_heatmap(DataFrame([[None, 0.9], [0.1, None]], index=names, columns=names))
    >>> [text.get_text() for text in ax.texts]
    ['–', '90 %', '10 %', '–']
    """
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    rates = table.to_numpy(dtype=float)
    known = rates[~np.isnan(rates)]
    if known.size and not 0 <= known.min() <= known.max() <= 1:
        raise ValueError(f"win rates: expected 0 to 1, got {known.min():g} to {known.max():g}")
    down, across = rates.shape
    ax = _axes(ax, 2.6 + 0.9 * across, 1.4 + 0.6 * down)
    colours = LinearSegmentedColormap.from_list("lost to won", [ORANGE, "white", SKY])
    image = ax.imshow(rates, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        words = "–" if np.isnan(rate) else f"{100 * rate:.0f} %"
        ax.text(column, row, words, ha="center", va="center", color=INK)
    ax.set_facecolor(PAPER)
    ax.set_xticks(range(rates.shape[1]), table.columns, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(rates.shape[0]), table.index)
    ax.set(xlabel="against", ylabel="agent", title="Part of the games won")
    ax.figure.colorbar(image, ax=ax, label="win rate of the row")
    return ax


def win_rates(table: DataFrame, ax: Axes | None = None) -> Axes:
    """Win rates with their intervals, one line of the picture for each row of the table.

    Parameters
    ----------
    table : DataFrame
        Columns `win_rate`, `low` and `high`, from 0 to 1; the index names the rows, and its own name
        stands beside them.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        A dot for each rate, a bar from `low` to `high`, the first row at the top, 50 % dashed.

    Raises
    ------
    ValueError
        If a column is missing, or a rate does not lie within its interval from 0 to 1.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> ax = win_rates(DataFrame({"win_rate": [0.6], "low": [0.502], "high": [0.691]}, index=["100 games"]))
    >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
    (['100 games'], 'win rate in %, with 95 % interval')
    """
    import numpy as np

    missing = [name for name in ("win_rate", "low", "high") if name not in table]
    if missing:
        raise ValueError(f"table: expected columns win_rate, low and high; missing: {', '.join(missing)}")
    rates, low, high = (100 * table[name].to_numpy(dtype=float) for name in ("win_rate", "low", "high"))
    near = 1e-6  # at 0 and at 100 % the ends of an interval are right only up to rounding
    if not ((-near <= low) & (low <= rates + near) & (rates <= high + near) & (high <= 100 + near)).all():
        raise ValueError("table: expected 0 <= low <= win_rate <= high <= 1 in every row")
    places = range(len(table))
    ax = _axes(ax, 7, 1.2 + 0.32 * len(table))
    ax.axvline(50, color=GREY, linestyle="--")
    bars = np.maximum([rates - low, high - rates], 0)
    ax.errorbar(rates, places, xerr=bars, fmt="o", color=BLUE, ecolor=BLUE, capsize=4)
    ax.set_yticks(places, [str(name) for name in table.index])
    ax.set(ylim=(len(table) - 0.5, -0.5), xlabel="win rate in %, with 95 % interval", ylabel=table.index.name or "")
    return ax


# --- learning curves --------------------------------------------------------------------------------------


def win_rate(runs: Runs, window: int = 5, log: bool = False, ax: Axes | None = None) -> Axes:
    """Learning curves: the share of wins in the last games, as training goes on.

    Several runs of one setting (its seeds) become one curve, their mean, with a band that holds
    the middle 80 % of them.

    Parameters
    ----------
    runs : Run, sequence of Run, or dict of str to either
        A dict gives one curve for each name.
    window : int
        Games looked back at; the curve begins after the first full window.
    log : bool
        Whether the number of games grows by factors along the axis: for long runs.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Each curve has a colour, a dash and a mark of its own; the legend says what the band is.

    Raises
    ------
    ValueError
        If there is no run, or one has fewer games than the window.

    See Also
    --------
    win_rate_table : the same as numbers.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, sticks, train
    >>> runs = [train(QLearner(sticks(10)), RandomAgent(), games=50, seed=seed) for seed in range(20)]
    >>> ax = win_rate({"Q-learning": runs})
    >>> ax.get_ylabel(), ax.get_legend_handles_labels()[1]
    ('wins among the last 5 games, in %', ['Q-learning (mean of 20 runs; band: the middle 80 % of them)'])
    """
    curves = _curves(runs)
    ax = _axes(ax, 8, 4.2)
    for number, (name, group) in enumerate(curves.items()):
        games = _thinned(window, _shortest(group, window, name), log)
        _draw_curve(ax, number, _spread(group, window, games), _curve_label(name, len(group)))
    if log:
        ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set(ylim=(-3, 103), xlabel="games played", ylabel=f"wins among the last {counted(window, 'game')}, in %")
    ax.grid(color=PAPER, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=SMALL)
    return ax


def win_rate_table(runs: Runs, window: int = 5, points: int = 8) -> DataFrame:
    """Learning curves as numbers: the win rate after some numbers of games.

    Parameters
    ----------
    runs : Run, sequence of Run, or dict of str to either
    window : int
        Games looked back at.
    points : int
        At how many numbers of games, growing by factors; at least 1. The last is the end.

    Returns
    -------
    DataFrame
        Columns curve, games, runs, and from 0 to 1 the mean over the runs and the ends low and
        high of the band that holds the middle 80 % of them.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, sticks, train
    >>> run = train(QLearner(sticks(10)), RandomAgent(), games=100, seed=1)
    >>> win_rate_table(run, window=5, points=3)[["games", "mean"]]
       games  mean
    0      5   0.6
    1     22   1.0
    2    100   1.0
    """
    import pandas as pd

    points = whole_number(points, "points", least=1)
    parts = []
    for name, group in _curves(runs).items():
        games = _thinned(window, _shortest(group, window, name), True, points)
        parts.append(_spread(group, window, games).assign(curve=name, runs=len(group)))
    return pd.concat(parts, ignore_index=True)[["curve", "games", "runs", "mean", "low", "high"]]


def _curves(runs: Runs) -> dict[str, list]:
    """The runs of each curve by its name; a single curve has none."""
    named = runs if isinstance(runs, Mapping) else {"": runs}
    curves = {str(name): [group] if hasattr(group, "win_rate") else list(group) for name, group in named.items()}
    for name, group in curves.items():
        if not group or not all(hasattr(run, "win_rate") for run in group):
            raise ValueError(f"runs{name and ' of ' + name}: expected what `train` returns, got {group!r}")
    if not curves:
        raise ValueError("runs: expected one or more, got none")
    return curves


def _shortest(group: list, window: int, name: str) -> int:
    """How many games all runs of a group have."""
    games = min(len(run.result) for run in group)
    if games < whole_number(window, "window", least=1):
        raise ValueError(f"runs{name and ' of ' + name}: {counted(games, 'game')} cannot fill a window of {window}")
    return games


def _thinned(first: int, last: int, log: bool, points: int = CURVE_POINTS) -> np.ndarray:
    """Whole numbers from `first` to `last`, both among them, no more than `points`."""
    import numpy as np

    if last - first < points:
        return np.arange(first, last + 1)
    spread = np.geomspace if log else np.linspace
    return np.unique(np.round(spread(first, last, max(points, 2))).astype(int))[-points:]


def _spread(group: list, window: int, games: np.ndarray) -> DataFrame:
    """Mean and middle 80 % of the runs' win rates after so many games."""
    import numpy as np
    import pandas as pd

    rates = np.stack([run.win_rate(window)[games - 1] for run in group])
    low, high = np.quantile(rates, [0.1, 0.9], axis=0)
    return pd.DataFrame({"games": games, "mean": rates.mean(axis=0), "low": low, "high": high})


def _curve_label(name: str, runs: int) -> str:
    band = f"mean of {runs:,} runs; band: the middle 80 % of them" if runs > 1 else ""
    return f"{name} ({band})" if name and band else name or band


def _draw_curve(ax: Axes, number: int, curve: DataFrame, label: str) -> None:
    """One mean with its band; the marks of different curves stand at different places."""
    colour = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)[number % 6]
    look = {
        "color": colour,
        "linestyle": ("-", "--", "-.", ":")[number % 4],
        "marker": "osD^vX"[number % 6],
        "markevery": (0.02 + 0.03 * (number % 4), 0.12),
        "markersize": 5,
    }
    ax.plot(curve["games"], 100 * curve["mean"], label=label or None, **look)
    if (curve["high"] > curve["low"]).any():
        band = {"color": colour, "alpha": 0.18, "linewidth": 0, "hatch": ("", "//", "..", "\\\\")[number % 4]}
        ax.fill_between(curve["games"], 100 * curve["low"], 100 * curve["high"], **band)


# --- hats -------------------------------------------------------------------------------------------------


def hats(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """The hats and what they hold, in the way that suits their number and what is in them.

    Up to 22 hats are drawn with their balls while none holds more than 12, as bars of shares when
    they are fuller; more hats, or more than 8 moves, are a heat map of shares.

    Parameters
    ----------
    table : Table
        The learner's `table`.
    balls : array, shape (S, M)
        The learner's `balls` or `values`, or a checkpoint of a run.
    winning : function state -> moves, or bool array of shape (S, M), or None
        The moves to mark as right, for example ``solve(game).best_moves``; None for no mark.
    states : iterable of states, or None
        Which hats, in order; None for all, or of more than 40 those nearest the start.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If `balls` or `winning` do not fit the table, or a state is not in it or is over.

    See Also
    --------
    hats_table : the same as numbers.
    hats_balls, hats_shares, hats_heat : the three ways.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(4))
    >>> learner.put(4, move=3, balls=2)
    >>> ax = hats(learner.table, learner.balls, winning=solve(sticks(4)).best_moves)
    >>> [text.get_text() for text in ax.texts]    # hats 1 to 4, each from below
    ['1', '2', '3', '1', '2', '3', '1', '2', '3', '1', '2', '3', '3']
    """
    rows = _shown(table, states)
    if len(rows) > STATES_ACROSS or len(table.moves) > len(MOVE_LOOKS):
        return hats_heat(table, balls, winning, states, ax)
    small = _checked(table, balls, "balls")[rows].max(initial=0) <= BALLS_DRAWN
    return (hats_balls if small else hats_shares)(table, balls, winning, states, ax)


MOVE_LOOKS = (  # colour and hatching of each move
    (ORANGE, ""),
    (SKY, "//"),
    (GREEN, ".."),
    (YELLOW, "\\\\"),
    (BLUE, "xx"),
    (PURPLE, "--"),
    (VERMILION, "oo"),
    ("#FFFFFF", "++"),
)


def hats_balls(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """Each hat with its numbered balls, one above another; for what is asked and raised see `hats`.

    Returns
    -------
    Axes
        A ball with a thick ring is a winning move; a dashed one is never drawn, because it would
        be illegal.

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> learner = Hats(sticks(3))
    >>> ax = hats_balls(learner.table, learner.balls)
    >>> [label.get_text() for label in ax.get_xticklabels()], len(ax.patches)
    (['1', '2', '3'], 9)
    """
    import numpy as np

    rows, right, names, legal = _shown(table, states), _right(table, winning), _move_names(table), _legal(table)
    many = np.where(legal, _checked(table, balls, "balls"), 1).astype(int)
    highest = max(many[rows].sum(axis=1), default=1)
    wide = 0.42 if max(map(len, names)) < 3 else 0.5
    ax = _axes(ax, max(4.5, 0.6 + wide * len(rows)), 1.3 + wide * highest)
    for place, row in enumerate(rows):
        held = np.repeat(np.arange(len(names)), many[row])
        brim = len(held) - 0.5
        ax.plot([place - 0.47] * 2 + [place + 0.47] * 2, [brim, -0.5, -0.5, brim], color=INK, linewidth=1)
        for height, column in enumerate(held):
            _draw_ball(ax, (place, height), column, names[column], legal[row, column], right[row, column])
    _states_across(ax, table, rows)
    ax.set(xlim=(-0.7, len(rows) - 0.3), ylim=(-0.7, highest - 0.2), yticks=[], aspect="equal")
    ax.spines[:].set_visible(False)
    notes = ["thick ring: a winning move"] * bool(right[rows].any())
    notes += ["dashed: illegal there, never played"] * bool(not legal[rows].all())
    _caption(ax, table, rows, states, notes)
    return ax


def _draw_ball(ax: Axes, centre: tuple[int, int], column: int, name: str, legal: bool, right: bool) -> None:
    """One ball with its number."""
    from matplotlib.patches import Circle

    colour = MOVE_LOOKS[column % len(MOVE_LOOKS)][0] if legal else "white"
    look = {"linestyle": "-" if legal else (0, (2, 1.5)), "linewidth": 3 if right else 0.8}
    ax.add_patch(Circle(centre, 0.38 if right else 0.42, facecolor=colour, edgecolor=INK, **look))
    ax.text(*centre, name, ha="center", va="center", fontsize=SMALL, color=readable_on(colour))


def hats_shares(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """Each hat as a bar: the share of every ball among those that can be drawn; otherwise as `hats`.

    Returns
    -------
    Axes
        Each move has a colour and a hatching; its name stands in a part that is large enough, and
        the winning moves stand above the bars, after a star.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(3))
    >>> learner.put(3, move=2, balls=98)
    >>> ax = hats_shares(learner.table, learner.balls, solve(sticks(3)).best_moves)
    >>> [text.get_text() for text in ax.texts]    # in the bars, then above them
    ['1', '1', '2', '2', '–', '★1', '★2']
    """
    import numpy as np

    rows, right, names = _shown(table, states), _right(table, winning), _move_names(table)
    if len(names) > len(MOVE_LOOKS):
        raise ValueError(f"bars can tell {len(MOVE_LOOKS)} moves apart, this game has {len(names)}; use hats_heat")
    shares = 100 * _shares(table, balls)[rows]
    ax = _axes(ax, max(4.5, 0.9 + 0.42 * len(rows)), 3.8)
    below = np.zeros(len(rows))
    for column, name in enumerate(names):
        colour, hatch = MOVE_LOOKS[column]
        part = shares[:, column]
        ax.bar(range(len(rows)), part, 0.84, below, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6, label=name)
        for place in np.flatnonzero(part >= 8):
            label = ax.text(place, below[place] + part[place] / 2, name, ha="center", va="center", fontsize=SMALL)
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
        below += part
    for place, row in enumerate(rows):
        stars = ",".join(names[column] for column in np.flatnonzero(right[row]))
        if winning is not None:
            ax.text(place, 102, "★" + stars if stars else "–", ha="center", va="bottom", fontsize=SMALL)
    _states_across(ax, table, rows)
    ax.set(xlim=(-0.6, len(rows) - 0.4), ylim=(0, 100 if winning is None else 110), ylabel="share of the balls in %")
    ax.set_yticks(range(0, 101, 25))
    ax.spines[["top", "right"]].set_visible(False)
    handles, labels = ax.get_legend_handles_labels()
    title = _moves_label(table)
    ax.legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1, 1), title=title, fontsize=SMALL)
    _caption(ax, table, rows, states, ["★ wins, – lost whatever is played"] * (winning is not None))
    return ax


def hats_heat(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """Each hat as a line of a heat map: the share of every ball among those that can be drawn; otherwise as `hats`.

    Returns
    -------
    Axes
        The share in % stands in each cell, a thick frame is the most frequent ball, a star a
        winning move, hatching an illegal one.

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> learner = Hats(sticks(3))
    >>> ax = hats_heat(learner.table, learner.balls)
    >>> [text.get_text() for text in ax.texts]    # hats 1 to 3: only what is legal
    ['100', '50', '50', '33', '33', '33']
    """
    import numpy as np

    shares = 100 * _shares(table, balls)
    words = np.where(_legal(table), np.vectorize("{:.0f}".format, otypes=["O"])(shares), "")
    colours = _blend("share", ["white", BLUE])
    return _heat(ax, table, shares, words, winning, states, colours, (0, 100), "share of the balls in %")


def hats_table(table: Table, balls, winning: Winning | None = None) -> DataFrame:
    """The hats as numbers.

    Parameters
    ----------
    table : Table
    balls : array, shape (S, M)
        As in `hats`.
    winning : function, bool array or None
        As in `hats`.

    Returns
    -------
    DataFrame
        A row for each hat, a column for each move with its balls (missing where it is illegal);
        with `winning` also the column wins, the names of the winning moves.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(3))
    >>> print(hats_table(learner.table, learner.balls, solve(sticks(3)).best_moves))
           1     2     3 wins
    hat
    1      1  <NA>  <NA>
    2      1     1  <NA>    1
    3      1     1     1    2
    """
    numbers = _checked(table, balls, "balls")
    return _table_of(table, numbers, winning, "hat").astype(dict.fromkeys(_move_names(table), "Int64"))


# --- values and policies ----------------------------------------------------------------------------------


def q_table(
    table: Table, values, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """A heat map of what a learner expects from each move in each state.

    Parameters
    ----------
    table : Table
        The learner's `table`.
    values : float array, shape (S, M)
        The learner's `values`, or a checkpoint of a run.
    winning, states, ax
        As in `hats`.

    Returns
    -------
    Axes
        The value stands in each cell, rounded; a thick frame is the move it prefers, the first
        among equals; a star is a winning move; hatching an illegal one, with its value only if
        the learner has one for it.

    Raises
    ------
    ValueError
        If an array does not fit the table, or a state is not in it or is over.

    See Also
    --------
    q_values_table : the same as numbers.

    Examples
    --------
    >>> from coinlib import QLearner, sticks
    >>> learner = QLearner(sticks(3))
    >>> learner.values[learner.table.row((3,)), 1] = 0.75
    >>> ax = q_table(learner.table, learner.values)
    >>> [text.get_text() for text in ax.texts]
    ['0', '0', '0', '0', '0.75', '0']
    """
    import numpy as np

    numbers = _checked(table, values, "values")
    legal = _legal(table)
    known = np.isfinite(numbers) & (legal | numbers.any(axis=1, keepdims=True, where=~legal & np.isfinite(numbers)))
    words = np.where(known, np.vectorize(_short, otypes=["O"])(numbers), "")
    most = max(1.0, np.abs(numbers[known]).max(initial=0))
    colours = _blend("loses to wins", [ORANGE, "white", BLUE])
    return _heat(ax, table, numbers, words, winning, states, colours, (-most, most), "value of the move")


def q_values_table(table: Table, values, winning: Winning | None = None) -> DataFrame:
    """The values of a learner as numbers.

    Parameters
    ----------
    table : Table
    values : float array, shape (S, M)
    winning : function, bool array or None
        As in `hats`.

    Returns
    -------
    DataFrame
        A row for each state, a column for each move (NaN where it is illegal), and the column
        favourite, the first of the largest; with `winning` also wins, the winning moves.

    Examples
    --------
    >>> from coinlib import QLearner, sticks
    >>> learner = QLearner(sticks(3))
    >>> learner.values[learner.table.row((3,)), 1] = 0.75
    >>> table = q_values_table(learner.table, learner.values)
    >>> table.loc["3", ["2", "favourite"]].to_dict(), int(table.loc["1"].isna().sum())
    ({'2': 0.75, 'favourite': '2'}, 2)
    """
    numbers = _checked(table, values, "values")
    frame = _table_of(table, numbers, winning, "state")
    names = _move_names(table)
    rows = _ordered(table, _open_rows(table))
    frame.insert(len(names), "favourite", [names[column] for column in numbers[rows].argmax(axis=1)])
    return frame


def policy(table: Table, values, winning: Winning, ax: Axes | None = None) -> Axes:
    """The favourite move of a learner in every state, beside the solver's winning moves.

    Parameters
    ----------
    table : Table
        The learner's `table`; its states must be tuples of whole numbers.
    values : float array, shape (S, M)
        The learner's `values`, or a checkpoint. The favourite is the first of the largest.
    winning : function state -> moves, or bool array of shape (S, M)
        Right moves, for example ``solve(game).best_moves``; none where the state is lost.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The favourite's name in a circle where it wins, in a diamond where it throws the win
        away, and plain where every move loses. The legend counts them.

    Raises
    ------
    ValueError
        If an array does not fit the table, or there are too many states to be read.

    See Also
    --------
    policy_table : the same as words.

    Examples
    --------
    >>> from coinlib import QLearner, solve, sticks
    >>> learner = QLearner(sticks(5))
    >>> ax = policy(learner.table, learner.values, solve(sticks(5)).best_moves)
    >>> ax.get_legend_handles_labels()[1]
    ['wins (1)', 'throws the win away (2)', 'no mark: lost whatever it plays (2)']
    """
    import numpy as np

    rows, favourite, right = _favourites(table, values, winning)
    places, axis_names, ticks = _plane(table, rows)
    names = _move_names(table)
    won = right[rows].any(axis=1)
    good = won & right[rows, favourite]
    wide = 0.36 if max(map(len, names)) < 3 else 0.42
    ax = _axes(ax, max(5.5, 0.9 + wide * len(ticks[0])), 1.5 + 0.36 * len(ticks[1]))
    for label, chosen, marker, size, colour in (
        ("wins", good, "o", 430, SKY),
        ("throws the win away", won & ~good, "D", 300, ORANGE),
    ):
        label = f"{label} ({np.count_nonzero(chosen):,})"
        ax.scatter(*places[chosen].T, s=size, c=colour, marker=marker, edgecolors=INK, linewidths=0.8, label=label)
    ax.plot([], [], linestyle="none", label=f"no mark: lost whatever it plays ({np.count_nonzero(~won):,})")
    for (x, y), column in zip(places, favourite):
        ax.text(x, y, names[column], ha="center", va="center", fontsize=SMALL, color="black")
    ax.set_xticks(range(len(ticks[0])), ticks[0])
    ax.set_yticks(range(len(ticks[1])), ticks[1])
    ax.set(xlim=(-0.6, len(ticks[0]) - 0.4), ylim=(-0.6, len(ticks[1]) - 0.4))
    if len(ticks[1]) == 1:
        ax.set_yticks([])
    ax.set(xlabel=f"{axis_names[0]}; in the field: {_moves_label(table)}", ylabel=axis_names[1])
    columns = 3 if len(ticks[0]) > 15 else 1
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, fontsize=SMALL, markerscale=0.6)
    return ax


def policy_table(table: Table, values, winning: Winning) -> DataFrame:
    """The favourite move of a learner in every state, beside the solver's winning moves, as words.

    Parameters
    ----------
    table, values, winning
        As in `policy`.

    Returns
    -------
    DataFrame
        A row for each state: favourite; wins, the winning moves; verdict, which is "wins",
        "throws the win away" or "lost".

    Examples
    --------
    >>> from coinlib import QLearner, solve, sticks
    >>> learner = QLearner(sticks(3))
    >>> print(policy_table(learner.table, learner.values, solve(sticks(3)).best_moves))
          favourite wins              verdict
    state
    1             1                      lost
    2             1    1                 wins
    3             1    2  throws the win away
    """
    import numpy as np
    import pandas as pd

    rows, favourite, right = _favourites(table, values, winning)
    won = right[rows].any(axis=1)
    verdict = np.where(~won, "lost", np.where(right[rows, favourite], "wins", "throws the win away"))
    columns = {
        "favourite": [_move_names(table)[column] for column in favourite],
        "wins": _named_moves(table, right[rows]),
        "verdict": verdict,
    }
    return pd.DataFrame(columns, index=pd.Index([_state_name(table.states[row]) for row in rows], name="state"))


# --- what the pictures of tables share --------------------------------------------------------------------


def _legal(table: Table) -> np.ndarray:
    """bool array, shape (S, M)."""
    return table.next_state >= 0


def _checked(table: Table, numbers, what: str) -> np.ndarray:
    """A float array of states by moves without NaN."""
    import numpy as np

    array, expected = np.asarray(numbers, dtype=float), table.next_state.shape
    if array.shape != expected:
        raise ValueError(f"{what}: expected {expected[0]} states by {expected[1]} moves, got shape {array.shape}")
    if np.isnan(array).any() or not np.isfinite(array[_legal(table)]).all():
        raise ValueError(f"{what}: expected a number for every legal move")
    if what == "balls" and (array[_legal(table)] < 0).any():
        raise ValueError(f"balls: expected 0 or more, got {array[_legal(table)].min():g}")
    return array


def _right(table: Table, winning: Winning | None) -> np.ndarray:
    """bool array, shape (S, M): the moves that win."""
    import numpy as np

    right = np.zeros(table.next_state.shape, dtype=bool)
    if winning is None:
        return right
    if not callable(winning):
        array = np.asarray(winning)
        if array.shape != right.shape or array.dtype != bool:
            raise ValueError(f"winning: expected a bool array of shape {right.shape}, or a function state -> moves")
        return array
    column = {move: number for number, move in enumerate(table.moves)}
    for row in _open_rows(table):
        for move in winning(table.states[row]):
            right[row, column[move]] = True
    return right


def _shares(table: Table, balls) -> np.ndarray:
    """The share of each ball among those that can be drawn, from 0 to 1; 0 in an empty hat."""
    import numpy as np

    drawn = np.where(_legal(table), _checked(table, balls, "balls"), 0)
    return drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1)


def _favourites(table: Table, values, winning: Winning) -> tuple[list[int], np.ndarray, np.ndarray]:
    """The rows where the game goes on, the favourite's column in each, and the winning moves."""
    rows = _ordered(table, _open_rows(table))
    return rows, _checked(table, values, "values")[rows].argmax(axis=1), _right(table, winning)


def _open_rows(table: Table) -> list[int]:
    return [row for row, over in enumerate(table.over) if not over]


def _shown(table: Table, states: Iterable | None) -> list[int]:
    """The rows of the states to show, in order."""
    if states is None:
        rows = _open_rows(table)
        return _ordered(table, rows if len(rows) <= STATES_SHOWN else _nearest(table)[:STATES_SHOWN])
    index = {state: row for row, state in enumerate(table.states)}
    rows = []
    for state in states:
        key = state if isinstance(state, tuple) else (state,)
        if key not in index or table.over[index[key]]:
            raise ValueError(f"states: {state!r} is not a state in which somebody is to move")
        rows.append(index[key])
    return rows


def _nearest(table: Table) -> list[int]:
    """The rows where the game goes on, those that the fewest moves lead to first."""
    seen, order = {0}, [0]
    for row in order:
        for after in table.next_state[row]:
            if after >= 0 and after not in seen:
                seen.add(int(after))
                order.append(int(after))
    return [row for row in order if not table.over[row]]


def _ordered(table: Table, rows: list[int]) -> list[int]:
    """Rows of single counts from small to large; others from large to small, so that the start leads."""
    try:
        return sorted(rows, key=lambda row: table.states[row], reverse=not _one_row(table))
    except TypeError:  # a student's own states may have no order
        return sorted(rows)


def _one_row(table: Table) -> bool:
    return isinstance(table.states[0], tuple) and len(table.states[0]) == 1


def _move_names(table: Table) -> list[str]:
    """Short names: the count on one row, "row:count" on several."""
    if not all(isinstance(move, Move) for move in table.moves):
        return [str(move) for move in table.moves]
    return [f"{move.count}" if _one_row(table) else f"{move.row}:{move.count}" for move in table.moves]


def _moves_label(table: Table) -> str:
    """What a move's short name means."""
    if not all(isinstance(move, Move) for move in table.moves):
        return "move"
    return "coins to take" if _one_row(table) else "row:coins to take"


def _named_moves(table: Table, chosen: np.ndarray) -> list[str]:
    names = _move_names(table)
    return [" ".join(itertools.compress(names, line)) for line in chosen]


def _state_name(state) -> str:
    return ",".join(map(str, state)) if isinstance(state, tuple) else str(state)


def _states_label(table: Table) -> str:
    return "coins left" if _one_row(table) else "state" if not _coins(table) else "coins left in row 0, row 1, ..."


def _coins(table: Table) -> bool:
    return all(isinstance(move, Move) for move in table.moves)


def _states_across(ax: Axes, table: Table, rows: list[int]) -> None:
    names = [_state_name(table.states[row]) for row in rows]
    upright = max(map(len, names), default=0) > 3
    ax.set_xticks(range(len(rows)), names, rotation=90 if upright else 0)
    ax.set_xlabel(_states_label(table))


def _caption(ax: Axes, table: Table, rows: list[int], states: Iterable | None, notes: list[str]) -> None:
    """What the marks mean, and what is not shown, above the picture."""
    import textwrap

    whole = len(_open_rows(table))
    if states is None and len(rows) < whole:
        notes = [f"{len(rows)} of {whole:,} states: those nearest the start", *notes]
    across = ax.get_position().width * ax.figure.get_figwidth()
    words = textwrap.fill("; ".join(notes), max(20, int(14 * across)))  # about 14 letters to the inch
    ax.set_title(words, fontsize=SMALL, loc="left")


def _table_of(table: Table, numbers: np.ndarray, winning: Winning | None, what: str) -> DataFrame:
    """States by moves, without what is illegal."""
    import numpy as np
    import pandas as pd

    rows = _ordered(table, _open_rows(table))
    index = pd.Index([_state_name(table.states[row]) for row in rows], name=what)
    frame = pd.DataFrame(np.where(_legal(table), numbers, np.nan)[rows], index=index, columns=_move_names(table))
    return frame if winning is None else frame.assign(wins=_named_moves(table, _right(table, winning)[rows]))


def _short(number: float) -> str:
    """A number with at most two decimals and a minus that is as wide as a plus."""
    words = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if words in ("-0", "") else words.replace("-", "−")


def _blend(name: str, colours: list[str]):
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(name, colours)


def _heat(
    ax: Axes | None, table: Table, numbers, words, winning, states, colours, limits: tuple[float, float], label: str
) -> Axes:
    """A heat map with words in its cells: few states of one row across, others down."""
    import numpy as np
    from matplotlib.colors import Normalize

    rows, legal, right = _shown(table, states), _legal(table), _right(table, winning)
    across = _one_row(table) and len(rows) <= STATES_ACROSS
    names, norm = _move_names(table), Normalize(*limits)
    cells = np.where(legal, numbers, np.nan)[rows]
    size = (0.46 * len(rows), 0.4 * len(names)) if across else (0.62 * len(names), 0.28 * len(rows))
    ax = _axes(ax, max(4.5, 1.7 + size[0]), 1.5 + size[1])
    ax.set_facecolor("white")
    image = ax.imshow(cells.T if across else cells, cmap=colours, norm=norm, aspect="auto")
    for place, row in enumerate(rows):
        for column in range(len(names)):
            centre = (place, column) if across else (column, place)
            colour = colours(norm(numbers[row, column])) if legal[row, column] else "white"
            favourite = column == numbers[row].argmax()
            _draw_cell(ax, centre, words[row, column], colour, legal[row, column], favourite, right[row, column])
    if across:
        _states_across(ax, table, rows)
        ax.set_yticks(range(len(names)), names)
        ax.set(ylabel=_moves_label(table), ylim=(-0.5, len(names) - 0.5))
    else:
        ax.set_xticks(range(len(names)), names)
        ax.set_yticks(range(len(rows)), [_state_name(table.states[row]) for row in rows])
        ax.set(xlabel=_moves_label(table), ylabel=_states_label(table))
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, label=label)
    notes = ["thick frame: its favourite"] + ["★ wins"] * bool(right[rows].any())
    notes += ["hatched: illegal"] * bool(not legal[rows].all())
    _caption(ax, table, rows, states, notes)
    return ax


def _draw_cell(ax: Axes, centre, words: str, colour, legal: bool, favourite: bool, right: bool) -> None:
    """What stands in one cell of a heat map, over its colour."""
    from matplotlib.patches import Rectangle

    x, y = centre
    ink = readable_on(colour)
    if not legal:
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="white", edgecolor=GREY, hatch="////", linewidth=0))
    if favourite:
        ax.add_patch(Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, fill=False, edgecolor=INK, linewidth=2.5))
    if words:
        label = ax.text(x, y, words, ha="center", va="center", fontsize=SMALL, color=ink)
        if not legal:
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 2})
    if right:
        ax.plot(x - 0.38, y - 0.28, marker="*", markersize=6, color=ink, linestyle="none")


def _plane(table: Table, rows: list[int]) -> tuple[np.ndarray, tuple[str, str], tuple[list[str], list[str]]]:
    """Where each state stands in a plane of its counts: places (x, y), names of the axes, labels of the ticks."""
    import numpy as np

    states = [table.states[row] for row in rows]
    if not all(isinstance(state, tuple) and all(isinstance(held, int) for held in state) for state in states):
        raise ValueError("this picture needs states that are tuples of whole numbers; see policy_table")
    values = [sorted({state[part] for state in states}) for part in range(len(states[0]))]
    across = _parts_across([len(held) for held in values])
    down = [part for part in range(len(values)) if part not in across]
    grids = [list(itertools.product(*(values[part] for part in parts))) for parts in (across, down)]
    places = [
        [grid.index(tuple(state[part] for part in parts)) for grid, parts in zip(grids, (across, down))]
        for state in states
    ]
    names = [_axis_name(table, parts) for parts in (across, down)]
    return np.array(places), (names[0], names[1]), ([*map(_state_name, grids[0])], [*map(_state_name, grids[1])])


def _axis_name(table: Table, parts: Sequence[int]) -> str:
    if not parts or _one_row(table):
        return "coins left" if parts else ""
    return f"coins left in row {' and row '.join(map(str, parts))}" if _coins(table) else f"state{[*parts]}"


def _parts_across(sizes: list[int]) -> list[int]:
    """Which counts of a state go along the x-axis: as many as can be read, so that it is not too high."""
    choices = [parts for many in range(1, len(sizes) + 1) for parts in itertools.combinations(range(len(sizes)), many)]
    wide = [parts for parts in choices if math.prod(sizes[part] for part in parts) <= STATES_ACROSS + 2]
    best = max(wide, key=lambda parts: math.prod(sizes[part] for part in parts), default=())
    if not best or math.prod(sizes) > STATES_SHOWN * math.prod(sizes[part] for part in best):
        raise ValueError(f"{math.prod(sizes):,} states are too many for one picture; see policy_table")
    return list(best)
