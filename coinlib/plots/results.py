"""Pictures of results: who beats whom, win rates with their intervals, learning curves."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.arena import wilson
from coinlib.arguments import counted
from coinlib.plots import look
from coinlib.plots.look import BLUE, GREEN, GREY, INK, ORANGE, PAPER, PURPLE, SKY, SMALL, VERMILION

CURVE_POINTS = 500  # A longer curve is thinned to so many points.

Runs = Any  # a run that `coinlib.train` returns, several of them, or a dict of names to either


class Stroke(NamedTuple):
    """The dashes of a curve, the hatching of its band, and how far from its start the first mark stands."""

    dash: str
    hatch: str
    first_mark: float


# The looks of curves; the next curve takes the next of each kind, and after the last one the first again.
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, INK, GREY)  # Orange and sky blue are too light for a line.
MARKS = ("o", "s", "D", "^", "v", "X")
STROKES = (Stroke("-", "", 0.02), Stroke("--", "//", 0.05), Stroke("-.", "..", 0.08), Stroke(":", "\\\\", 0.11))


def round_robin_heatmap(table: lazy.DataFrame, ax: lazy.Axes | None = None) -> lazy.Axes:
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
    colours = look.blend("lost to won", [ORANGE, "white", SKY])
    image = ax.imshow(rates, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        words = "–" if np.isnan(rate) else f"{100 * rate:.0f} %"
        ax.text(column, row, words, ha="center", va="center", color=INK)
    ax.set_facecolor(PAPER)
    ax.set_xticks(range(across), table.columns, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(down), table.index)
    ax.set(xlabel="against", ylabel="agent", title="Part of the games won")
    ax.figure.colorbar(image, ax=ax, label="win rate of the row")
    return ax


def win_rates(table: lazy.DataFrame, ax: lazy.Axes | None = None) -> lazy.Axes:
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
    bars = np.maximum([rates - low, high - rates], 0)  # At 0 and at 100 % rounding makes lengths below 0.
    ax.errorbar(rates, places, xerr=bars, fmt="o", markersize=3, color=BLUE, ecolor=BLUE, capsize=5)
    ax.set_yticks(places, [str(name) for name in table.index])
    ax.set(xlabel="win rate in %, with 95 % interval", ylabel=table.index.name or "")
    ax.set_ylim(len(table) - 0.5, -0.5)  # The first row stands at the top.
    return ax


def win_rate(runs: Runs, window: int = 5, log: bool = False, ax: lazy.Axes | None = None) -> lazy.Axes:
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
        Each curve has a colour and a dash of its own. Where there are several, they also have hollow marks,
        which stand for no single game. The legend says what the band is.
        Strokes along the bottom stand where a game was won because the opponent made an illegal move.

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


def shares(counts: lazy.DataFrame, asked: int, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Shares with their 95 % intervals, as something grows by factors: a curve for each column.

    Parameters
    ----------
    counts : DataFrame
        How many of those that were asked are right; the index holds what grows, and its name stands at the axis.
    asked : int
        How many were asked each time.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Each curve has a colour, a dash and a mark of its own.

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
        rates = 100 * counts[name].to_numpy(dtype=float) / asked
        low, high = 100 * np.array([wilson(int(count), asked) for count in counts[name]]).T
        # Bars of one place stand beside each other.
        beside = places * 1.04**number
        look_of_line = {
            "color": COLOURS[number % len(COLOURS)],
            "marker": MARKS[number % len(MARKS)],
            "linestyle": STROKES[number % len(STROKES)].dash,
        }
        ax.errorbar(beside, rates, yerr=(rates - low, high - rates), capsize=4, label=name, **look_of_line)
    ax.set_xscale("log")
    ax.set_xticks(places, [f"{place:,.0f}" for place in places])
    ax.minorticks_off()
    ax.set(ylim=(-3, 103), xlabel=counts.index.name or "", ylabel=f"right of {asked}, in %, with 95 % intervals")
    ax.grid(color=PAPER, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=SMALL)
    return ax


def win_rate_table(runs: Runs, window: int = 5, points: int = 8) -> lazy.DataFrame:
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

    frames = []
    for name, group in _groups(runs).items():
        curve = _curve(group, window, True, points)
        frames.append(pd.DataFrame(curve._asdict()).assign(curve=name, runs=len(group)))
    return pd.concat(frames, ignore_index=True)[["curve", "games", "runs", "mean", "low", "high"]]


class Curve(NamedTuple):
    """The mean of some runs after some numbers of games, and the ends of the band around it, from 0 to 1."""

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
    """The curve of some runs of one setting, with no more than so many points."""
    last = min(len(run.result) for run in runs)
    if last < window:
        raise ValueError(f"runs: {counted(last, 'game')} cannot fill a window of {window}")
    games = _thinned(window, last, log, points)
    rates = np.stack([run.win_rate(window)[games - 1] for run in runs])
    low, high = np.quantile(rates, [0.1, 0.9], axis=0)
    return Curve(games, rates.mean(axis=0), low, high)


def _thinned(first: int, last: int, log: bool, points: int) -> np.ndarray:
    """Whole numbers from `first` to `last`, both among them, no more than `points`."""
    if last - first < points:
        return np.arange(first, last + 1)
    spread = np.geomspace if log else np.linspace
    return np.unique(np.round(spread(first, last, max(points, 2))).astype(int))[-points:]


def _label(name: str, runs: int) -> str | None:
    """The line of the legend for a curve of so many runs; None where there is nothing to tell."""
    if runs == 1:
        return name or None
    band = f"mean of {runs:,} runs; band: the middle 80 % of them"
    return f"{name} ({band})" if name else band


def _draw_curve(ax: lazy.Axes, number: int, curve: Curve, label: str | None, marked: bool) -> None:
    """One mean with its band; the hollow marks of different curves stand at different places."""
    colour = COLOURS[number % len(COLOURS)]
    stroke = STROKES[number % len(STROKES)]
    (line,) = ax.plot(curve.games, 100 * curve.mean, stroke.dash, color=colour, label=label)
    if marked:
        line.set(marker=MARKS[number % len(MARKS)], markevery=(stroke.first_mark, 0.12))
        line.set(markersize=6, markerfacecolor="white")
    if (curve.high > curve.low).any():
        band = {"color": colour, "alpha": 0.18, "linewidth": 0, "hatch": stroke.hatch}
        ax.fill_between(curve.games, 100 * curve.low, 100 * curve.high, **band)
