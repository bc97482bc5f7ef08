"""How the work grows: with sticks, with games, with coins, and with cores; `python -m benchmarks.growth`.

Each curve is measured at a few sizes, the ways in turn, in processor time (for the cores: by the clock,
for that is what more cores change). Written to `benchmarks/results/growth.csv` and `growth.png`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import diagonals, native, report, rivals, student
from benchmarks.contest import Way, contest, in_words
from coinlib import CoinGame, Hats, QLearner, RandomAgent, greedy_margin, loops, solve_greedy, sticks, sweep, train

RESULTS = Path(__file__).parent / "results"
CORES = "processes"
ENOUGH = 1.5  # seconds; a way that took this long is not tried on larger sizes


@dataclass(frozen=True)
class Point:
    """Seconds (median, smallest, largest) that one way takes at one size."""

    curve: str
    way: str
    size: int
    seconds: float
    least: float
    most: float


@dataclass(frozen=True)
class Curve:
    """One picture: what grows, and the ways that are compared, each a function from the size to a `Way`."""

    name: str
    grows: str
    sizes: Sequence[int]
    ways: dict[str, Callable[[int], Way | None]]


def curves(quick: bool = False) -> list[Curve]:
    """What is measured; `quick` only shows that all runs."""
    games = 200 if quick else 10_000
    piles = CoinGame((3, 4, 5), max_pick=5, misere=True)
    small = [5, 10] if quick else [5, 10, 20, 40, 80, 160, 320]
    many = [50, 100] if quick else [100, 1_000, 10_000, 100_000, 1_000_000]
    coins = [20, 40] if quick else [20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
    long = [100, 1_000] if quick else [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    return [
        Curve(
            f"Hats in self-play, {games:,} games",
            "sticks in the row",
            small,
            {
                "coinlib": lambda size: lambda: _hats(size, games),
                "C, its own PCG64": lambda size: _in_c(size, games),
                "plain Python": lambda size: lambda: lambda: student.train_hats(size, games, seed=1),
            },
        ),
        Curve(
            "Q-learning on Nim 3 4 5 (misère play) against random",
            "games",
            many,
            {
                "coinlib": lambda size: lambda: _learner(piles, size),
                "OpenSpiel": lambda size: (lambda: rivals.train_q(piles, size, 1)) if rivals.HAVE_OPEN_SPIEL else None,
            },
        ),
        Curve(
            "Greedy coins: the tables A, M and S",
            "coins in the row",
            coins,
            {
                "coinlib": lambda size: lambda: partial(solve_greedy, _row(size)),
                "NumPy by diagonals": lambda size: lambda: partial(diagonals.tables, _row(size)),
            },
        ),
        Curve(
            "Greedy coins: the margin",
            "coins in the row",
            long,
            {
                "coinlib": lambda size: lambda: partial(greedy_margin, _row(size)),
                "coinlib, the quadratic way": lambda size: lambda: _quadratic(size),
                "NumPy by diagonals": lambda size: lambda: partial(diagonals.margin, _row(size)),
            },
        ),
    ]


def measure(curve: Curve, rounds: int, enough: float = ENOUGH) -> Iterator[Point]:
    """The points of one picture, size by size."""
    slow: set[str] = set()
    for size in curve.sizes:
        ways = {name: make(size) for name, make in curve.ways.items() if name not in slow}
        there = {name: way for name, way in ways.items() if way is not None}
        for way in there.values():
            way()()  # compiled, and in memory
        taken = dict(zip(there, contest(list(there.values()), rounds), strict=True))
        for name, seconds in taken.items():
            middle = statistics.median(seconds)
            yield Point(curve.name, name, size, middle, min(seconds), max(seconds))
            if middle > enough:
                slow.add(name)


def cores(rounds: int, runs: int, games: int) -> Iterator[Point]:
    """A sweep on 1, 2 and 4 processes, by the clock; one after the other, since another number begins new processes."""
    name = f"A sweep: {runs} runs of {games:,} games, by the clock"
    for jobs in (1, 2, 4):
        seconds = []
        for _ in range(rounds + 1):
            began = time.perf_counter()
            sweep(_experiment, {"games": [games]}, seeds=runs, jobs=jobs)
            seconds.append(time.perf_counter() - began)
        del seconds[0]  # its processes were begun in it
        yield Point(name, "coinlib", jobs, statistics.median(seconds), min(seconds), max(seconds))


def picture(points: Sequence[Point], grows: dict[str, str]):
    """One panel for each curve, both axes by powers of ten, but for the processes."""
    from matplotlib.figure import Figure

    from coinlib.plots import look

    names = list(dict.fromkeys(point.curve for point in points))
    figure = Figure(figsize=(12, 3.6 * ((len(names) + 1) // 2)), layout="constrained")
    panels = list(figure.subplots((len(names) + 1) // 2, 2, squeeze=False).flat)
    looks = [(look.BLUE, "o", "-"), (look.VERMILION, "s", "--"), (look.GREEN, "^", "-.")]
    for ax, name in zip(panels, names):
        ways = list(dict.fromkeys(point.way for point in points if point.curve == name))
        for way, (colour, mark, line) in zip(ways, looks):
            here = [point for point in points if (point.curve, point.way) == (name, way)]
            sizes, middle = [point.size for point in here], np.array([point.seconds for point in here])
            away = [middle - [point.least for point in here], [point.most for point in here] - middle]
            ax.errorbar(sizes, middle, away, color=colour, marker=mark, linestyle=line, capsize=3, label=way)
        scale = "linear" if grows[name] == CORES else "log"
        ax.set(xscale=scale, yscale=scale, xlabel=grows[name], ylabel="seconds")
        if scale == "linear":
            ax.set_ylim(0)
        ax.set_title(name, fontsize=11, loc="left")
        ax.grid(color="#D9D9D9", linewidth=0.8)
        ax.legend(fontsize=look.SMALL)
    for ax in panels[len(names) :]:
        ax.set_visible(False)
    return figure


def main(words: Sequence[str] | None = None) -> None:
    """Print the points; write them, with their picture, if all was measured in full."""
    import pandas as pd

    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that all runs")
    wanted = parser.parse_args(words)
    os.environ["TQDM_DISABLE"] = "1"  # no bars among the lines
    rounds = 2 if wanted.quick else 5
    print(report.machine())
    points, grows = [], {}
    for curve in curves(wanted.quick):
        grows[curve.name] = curve.grows
        for point in measure(curve, rounds):
            points.append(point)
            print(f"{point.curve:<55}{point.way:<30}{point.size:>12,}{in_words(point.seconds):>12}", flush=True)
    for point in cores(rounds, *((4, 100) if wanted.quick else (64, 200_000))):
        points.append(point)
        grows[point.curve] = CORES
        print(f"{point.curve:<55}{point.way:<30}{point.size:>12,}{in_words(point.seconds):>12}", flush=True)
    if not wanted.quick:
        pd.DataFrame(points).to_csv(RESULTS / "growth.csv", index=False, float_format="%.4g")
        picture(points, grows).savefig(RESULTS / "growth.png", dpi=110)
        print(f"\nwritten to {RESULTS}: growth.csv, growth.png")


def _hats(size: int, games: int) -> Callable[[], object]:
    learner = Hats(sticks(size))
    return lambda: train(learner, learner, games, seed=1)


def _in_c(size: int, games: int) -> Way | None:
    loops = native.compiled(size)
    return None if loops is None else lambda: native.pcg64(loops, games, size)[0]


def _learner(game: CoinGame, games: int) -> Callable[[], object]:
    learner, opponent = QLearner(game, seed=1), RandomAgent(seed=2)
    return lambda: train(learner, opponent, games, seed=3)


def _row(size: int) -> np.ndarray:
    return np.random.default_rng(size).integers(0, 100, size)


def _quadratic(size: int) -> Callable[[], object]:
    row = _row(size)
    diagonal = row.copy()
    return lambda: loops.margin_by_diagonals(row, diagonal)


def _experiment(seed: int, games: int) -> dict[str, float]:
    learner = Hats(sticks(20))
    train(learner, learner, games, seed=seed)
    return {"balls": float(learner.values.sum())}


if __name__ == "__main__":
    main()
