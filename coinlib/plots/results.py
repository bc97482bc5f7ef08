"""Pictures of results: who beats whom, what learners know, win rates with their intervals, learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.arena import wilson
from coinlib.arguments import counted
from coinlib.plots import grid, look
from coinlib.plots.look import BLUE, GREEN, GREY, INK, ORANGE, PAPER, PURPLE, SKY, SMALL, VERMILION

CURVE_POINTS = 500  # A longer curve is thinned to this number of points.

Runs = Any  # a run returned by `coinlib.train`, several of them, or a dict of names to either


class Stroke(NamedTuple):
    """The dashes of a curve, the hatching of its band, and where its marks begin."""

    dash: str
    hatch: str
    marks_from: float


# The styles of curves: each curve takes the next entry in each list, starting again after the last.
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, INK, GREY)  # Orange and sky blue are too light for a line.
MARKS = ("o", "s", "D", "^", "v", "X")
STROKES = (Stroke("-", "", 0.02), Stroke("--", "//", 0.05), Stroke("-.", "..", 0.08), Stroke(":", "\\\\", 0.11))


def round_robin_heatmap(table: lazy.DataFrame, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw who beats whom: each cell is the share of games that the row won against the column.

    Parameters
    ----------
    table : DataFrame
        Win rates from 0 to 1, agents by agents, as returned by `coinlib.round_robin`; a missing
        value is shown as a dash.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Each cell also shows the number, so nothing depends on the colour.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> names = ["rule", "random"]
    >>> ax = round_robin_heatmap(DataFrame([[None, 0.9], [0.1, None]], index=names, columns=names))
    >>> [text.get_text() for text in ax.texts]
    ['–', '90 %', '10 %', '–']
    """
    rates = table.to_numpy(dtype=float)
    are_shares = np.nanmin(rates, initial=0) >= 0 and np.nanmax(rates, initial=1) <= 1
    if not are_shares:
        raise ValueError(f"win rates: expected 0 to 1, got {np.nanmin(rates):g} to {np.nanmax(rates):g}")
    down, across = rates.shape
    ax = look.axes(ax, 2.6 + 0.9 * across, 1.4 + 0.6 * down)
    image = grid.colour_cells(ax, rates, [ORANGE, "white", SKY], (0, 1), aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        words = "–" if np.isnan(rate) else f"{100 * rate:.0f} %"
        ax.text(column, row, words, ha="center", va="center", color=INK)
    ax.set_facecolor(PAPER)
    ax.set_xticks(range(across), table.columns, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(down), table.index)
    ax.set(xlabel="against", ylabel="agent", title="Part of the games won")
    ax.figure.colorbar(image, ax=ax, label="win rate of the row")
    return ax


def report_card(table: lazy.DataFrame, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw the share of learners that are right in each position, one line for each way of training them.

    Parameters
    ----------
    table : DataFrame
        Shares from 0 to 1: a row for each way of training, a column for each position.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Each cell also shows its share in %, so nothing depends on the colour.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> ax = report_card(DataFrame([[1.0, 0.0]], index=["perfect"], columns=[20, 19]))
    >>> [text.get_text() for text in ax.texts]
    ['100', '0']
    """
    shares = table.to_numpy(dtype=float)
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(f"shares: expected 0 to 1, got {np.nanmin(shares):g} to {np.nanmax(shares):g}")
    down, across = shares.shape
    ax = look.axes(ax, 3 + 0.5 * across, 1.4 + 0.55 * down)
    grid.colour_cells(ax, shares, [ORANGE, "white", SKY], (0, 1), aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        ax.text(column, row, f"{100 * share:.0f}", ha="center", va="center", color=INK, fontsize=12)
    ax.set_xticks(np.arange(across + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(down + 1) - 0.5, minor=True)
    ax.grid(which="minor", color=PAPER, linewidth=2)
    ax.tick_params(which="both", length=0)
    ax.set_xticks(range(across), table.columns, fontsize=12)
    ax.set_yticks(range(down), table.index, fontsize=12)
    ax.set_xlabel(table.columns.name or "", fontsize=12)
    ax.spines[:].set_visible(False)
    return ax


def win_rates(table: lazy.DataFrame, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw win rates with their intervals, one line for each row of a table.

    Parameters
    ----------
    table : DataFrame
        Columns `win_rate`, `low` and `high`, from 0 to 1; the index names the rows, and its name
        labels the axis.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        A dot for each rate, a bar from `low` to `high`, the first row at the top, a dashed line at 50 %.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> ax = win_rates(DataFrame({"win_rate": [0.6], "low": [0.502], "high": [0.691]}, index=["100 games"]))
    >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
    (['100 games'], 'win rate in %, with 95 % interval')
    """
    rates, low, high = 100 * table[["win_rate", "low", "high"]].to_numpy(dtype=float).T
    places = range(len(table))
    ax = look.axes(ax, 7, 1.2 + 0.32 * len(table))
    ax.axvline(50, color=GREY, linestyle="--")
    bars = np.maximum([rates - low, high - rates], 0)  # At 0 and 100 % rounding can make lengths negative.
    ax.errorbar(rates, places, xerr=bars, fmt="o", markersize=3, color=BLUE, ecolor=BLUE, capsize=5)
    ax.set_yticks(places, [str(name) for name in table.index])
    ax.set(xlabel="win rate in %, with 95 % interval", ylabel=table.index.name or "")
    ax.set_ylim(len(table) - 0.5, -0.5)  # the first row at the top
    return ax


def spread(wins: Sequence[int], games: int, mark: float | None = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw how far luck can shift a win rate: how many people reached each rate.

    Parameters
    ----------
    wins : sequence of int
        The wins of each person.
    games : int
        The number of games that each of them played.
    mark : float or None
        A win rate from 0 to 1 that gets a dashed line.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Columns are half a per cent wide, or one win. The middle 95 % of the people are plain, the others hatched; the
        legend says where the middle ends.

    Examples
    --------
    >>> ax = spread([8, 9, 9, 10, 10, 10, 11, 11, 12], games=20, mark=0.55)
    >>> sorted(ax.get_legend_handles_labels()[1])
    ['55.0 %', 'the middle 95 %: from 40.0 % to 60.0 %', 'the others']
    """
    wins = np.asarray(wins)
    low, high = np.quantile(wins, [0.025, 0.975], method="inverted_cdf")
    in_middle = (wins >= low) & (wins <= high)
    width = max(1, games // 200)  # wins that share a column
    edges = np.arange(wins.min() - 0.5, wins.max() + 0.5 + width, width)
    rates = [100 * part / games for part in (wins[in_middle], wins[~in_middle])]
    ax = look.axes(ax, 8, 3.8)
    look_of_columns = {"stacked": True, "color": [BLUE, ORANGE], "edgecolor": "white", "linewidth": 0.5}
    _, _, columns = ax.hist(rates, 100 * edges / games, **look_of_columns)
    columns[0].set_label(f"the middle 95 %: from {100 * low / games:.1f} % to {100 * high / games:.1f} %")
    columns[1].set_label("the others")
    for column in columns[1]:
        column.set_hatch("////")
    if mark is not None:
        ax.axvline(100 * mark, color="white", linewidth=5)  # so that the dashes show on any column
        ax.axvline(100 * mark, color=INK, linestyle="--", linewidth=2, label=f"{100 * mark:.1f} %")
    ax.set_xlim(min(25, 100 * edges[0] / games), max(75, 100 * edges[-1] / games))
    ax.set(xlabel=f"wins in {counted(games, 'game')}, in %", ylabel=f"people, of {len(wins):,}")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=SMALL, frameon=False)
    return ax


def win_rate(runs: Runs, window: int = 5, log: bool = False, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw learning curves: the share of wins in the last games during training.

    Several runs of one setting (different seeds) become one curve, their mean, with a band that
    contains the middle 80 % of them.

    Parameters
    ----------
    runs : Run, sequence of Run, or dict of str to either
        A dict gives one curve for each name.
    window : int
        The number of last games; the curve starts after the first full window.
    log : bool
        Whether the axis of games is logarithmic, for long runs.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Curves differ in colour and dashes; if there are several, also in hollow marks, which do not
        represent single games. The legend explains the band. Ticks along the bottom mark games won through
        an illegal move by the opponent.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, sticks, train
    >>> runs = [train(QLearner(sticks(10)), RandomAgent(), games=50, seed=seed) for seed in range(20)]
    >>> ax = win_rate({"Q-learning": runs})
    >>> ax.get_ylabel(), ax.get_legend_handles_labels()[1]
    ('wins among the last 5 games, in %', ['Q-learning (mean of 20 runs; band: the middle 80 % of them)'])
    """
    ax = look.axes(ax, 8, 4.2)
    groups = _groups(runs)
    for number, (name, group) in enumerate(groups.items()):
        curve = _curve(group, window, log, CURVE_POINTS)
        _draw_curve(ax, number, curve, _label(name, len(group)), marked=len(groups) > 1)
    forfeited = [1 + np.flatnonzero(run.forfeit > 0) for run in chain(*groups.values())]
    games = np.unique(np.concatenate(forfeited))
    if len(games):
        label = "won by an illegal move of the opponent"
        ax.plot(games, np.zeros(len(games)), "|", color=VERMILION, markersize=9, label=label)
    if log:
        ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set(ylim=(-3, 103), xlabel="games played")
    ax.set_ylabel(f"wins among the last {counted(window, 'game')}, in %")
    ax.grid(color=PAPER, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=SMALL)
    return ax


def learning_curve(
    won: Sequence[bool], others: Sequence = (), block: int = 20, ax: lazy.Axes | None = None
) -> lazy.Axes:
    """Draw how many games in each block a learner won, next to other learners with different random choices.

    Parameters
    ----------
    won : sequence of bool
        Whether the learner won each game, in order; games that do not fill a block are left out.
    others : sequence of sequences of bool
        The same for other learners.
    block : int
        The number of games in a block.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Dots with their numbers for the learner, a thin line for each of the others, and a dashed line for their mean.

    See Also
    --------
    win_rate : the same for runs of `coinlib.train`, with a window that moves game by game.

    Examples
    --------
    >>> ax = learning_curve([False, True, True, True], others=[[True, False, False, True]], block=2)
    >>> [line.get_ydata().tolist() for line in ax.lines]    # another, the mean of the others, the learner
    [[1, 1], [1.0, 1.0], [1, 2]]
    >>> [text.get_text() for text in ax.texts]
    ['1', '2']
    """
    wins = _wins_in_blocks(won, block)
    games = block * np.arange(1, len(wins) + 1)
    ax = look.axes(ax, 8, 3.6)
    if len(others):
        curves = [_wins_in_blocks(other, block) for other in others]
        for curve in curves:
            ax.plot(games, curve, color=GREY, linewidth=1, alpha=0.25)
        label = f"{counted(len(curves), 'other learner')} (thin) and their mean (dashed)"
        ax.plot(games, np.mean(curves, axis=0), "--", color=INK, linewidth=2, label=label)
    ax.plot(games, wins, "o-", color=BLUE, linewidth=2, label="this learner")
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    below = {"xytext": (0, -17), "textcoords": "offset points", "ha": "center", "bbox": paper}
    for place, count in zip(games, wins):
        ax.annotate(str(count), (place, count), color=BLUE, **below)
    ax.set(xlabel="after game", ylabel=f"wins in the last {block} games", ylim=(-0.5, 1.12 * block))
    ax.set_xticks(games)
    ax.set_yticks(range(0, block + 1, max(1, block // 4)))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, fontsize=SMALL)  # above: it covers no curve
    return ax


def _wins_in_blocks(won: Sequence[bool], block: int) -> np.ndarray:
    """The wins in each full block of games."""
    full = len(won) // block
    if full < 1:
        raise ValueError(f"won: {counted(len(won), 'game')} cannot fill a block of {block}")
    return np.reshape(np.asarray(won, dtype=int)[: full * block], (full, block)).sum(axis=1)


def shares(counts: lazy.DataFrame, asked: int, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw shares with their 95 % intervals along a logarithmic axis, one curve for each column.

    Parameters
    ----------
    counts : DataFrame
        The number of right answers; the index is the horizontal axis, and its name labels it. A curve has no
        point where its column has NaN.
    asked : int
        The number of questions behind each count.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Curves differ in colour, dashes and marks.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> ax = shares(DataFrame({"search": [18, 54]}, index=[10, 1_000]), asked=60)
    >>> ax.get_ylabel(), [line.get_label() for line in ax.containers]
    ('right of 60, in %, with 95 % intervals', ['search'])
    """
    ax = look.axes(ax, 8, 4.2)
    places = counts.index.to_numpy(dtype=float)
    for number, name in enumerate(counts.columns):
        known = counts[name].dropna()
        rates = 100 * known.to_numpy(dtype=float) / asked
        low, high = 100 * np.array([wilson(int(count), asked) for count in known]).T
        # Bars at the same place are drawn next to each other.
        shifted = known.index.to_numpy(dtype=float) * 1.04**number
        style = {
            "color": COLOURS[number % len(COLOURS)],
            "marker": MARKS[number % len(MARKS)],
            "linestyle": STROKES[number % len(STROKES)].dash,
        }
        ax.errorbar(shifted, rates, yerr=(rates - low, high - rates), capsize=4, label=name, **style)
    ax.set_xscale("log")
    ax.set_xticks(places, [f"{place:,.0f}" for place in places])
    ax.minorticks_off()
    ax.set(ylim=(-3, 103), xlabel=counts.index.name or "", ylabel=f"right of {asked}, in %, with 95 % intervals")
    ax.grid(color=PAPER, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=SMALL)
    return ax


class Curve(NamedTuple):
    """The mean of some runs after certain numbers of games, and the ends of its band, from 0 to 1."""

    games: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _groups(runs: Runs) -> dict[str, list]:
    """The runs of each curve, by its name."""
    groups = {}
    for name, group in (runs if isinstance(runs, Mapping) else {"": runs}).items():
        is_one_run = hasattr(group, "win_rate")
        groups[str(name)] = [group] if is_one_run else list(group)
    return groups


def _curve(runs: list, window: int, log: bool, points: int) -> Curve:
    """The curve of some runs of one setting, with at most `points` points."""
    last = min(len(run.result) for run in runs)
    if last < window:
        raise ValueError(f"runs: {counted(last, 'game')} cannot fill a window of {window}")
    games = _thinned(window, last, log, points)
    rates = np.stack([run.win_rate(window)[games - 1] for run in runs])
    low, high = np.quantile(rates, [0.1, 0.9], axis=0)
    return Curve(games, rates.mean(axis=0), low, high)


def _thinned(first: int, last: int, log: bool, points: int) -> np.ndarray:
    """At most `points` whole numbers from `first` to `last`, including the last."""
    if last - first < points:
        return np.arange(first, last + 1)
    spread = np.geomspace if log else np.linspace
    return np.unique(np.round(spread(first, last, max(points, 2))).astype(int))[-points:]


def _label(name: str, runs: int) -> str | None:
    """The legend entry of a curve, which is the mean of `runs` runs; None if it needs none."""
    if runs == 1:
        return name or None
    band = f"mean of {runs:,} runs; band: the middle 80 % of them"
    return f"{name} ({band})" if name else band


def _draw_curve(ax: lazy.Axes, number: int, curve: Curve, label: str | None, marked: bool) -> None:
    """Draw one mean with its band; different curves have their hollow marks at different places."""
    colour = COLOURS[number % len(COLOURS)]
    stroke = STROKES[number % len(STROKES)]
    (line,) = ax.plot(curve.games, 100 * curve.mean, stroke.dash, color=colour, label=label)
    if marked:
        line.set(marker=MARKS[number % len(MARKS)], markevery=(stroke.marks_from, 0.12))
        line.set(markersize=6, markerfacecolor="white")
    if (curve.high > curve.low).any():
        band = {"color": colour, "alpha": 0.18, "linewidth": 0, "hatch": stroke.hatch}
        ax.fill_between(curve.games, 100 * curve.low, 100 * curve.high, **band)
