"""Two ways to do the same work, measured in turn, and what is printed about them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    work, other : str
        What is done, and what the library is compared with.
    ours, theirs : list of float
        Seconds of each round, as often as the other.
    least : float or None
        How many times as fast as the other the library must be (0.5: at most twice as slow);
        None where the line is only for comparison.
    """

    work: str
    other: str
    ours: list[float]
    theirs: list[float]
    least: float | None = None

    @property
    def ratio(self) -> float:
        """How many times as fast as the other: the best round of each."""
        return min(self.theirs) / min(self.ours)

    @property
    def spread(self) -> tuple[float, float]:
        """The middle half of the ratios, round by round."""
        ratios = [theirs / ours for ours, theirs in zip(self.ours, self.theirs)]
        low, _, high = statistics.quantiles(ratios, n=4)
        return low, high

    def __str__(self) -> str:
        low, high = self.spread
        wanted = "" if self.least is None else f"{self.least:g}"
        verdict = "" if self.least is None else "yes" if self.ratio >= self.least else "NO"
        return (
            f"{self.work:<52}{self.other:<34}{_time(min(self.ours)):>9}{_time(min(self.theirs)):>10}"
            f"{self.ratio:>8.3g}{f'{low:.3g} to {high:.3g}':>17}{wanted:>7}{verdict:>6}"
        )

    def cells(self) -> dict[str, object]:
        """The line as it is written to a file; seconds are the best of all rounds."""
        low, high = self.spread
        return {
            "work": self.work,
            "compared with": self.other,
            "ours (s)": f"{min(self.ours):.3g}",
            "theirs (s)": f"{min(self.theirs):.3g}",
            "ratio": f"{self.ratio:.3g}",
            "middle half": f"{low:.3g} to {high:.3g}",
            "wanted": "" if self.least is None else f"{self.least:g}",
            "met": "" if self.least is None else "yes" if self.ratio >= self.least else "no",
            "rounds": len(self.ours),
        }


HEADER = (
    f"{'work':<52}{'compared with':<34}{'ours':>9}{'theirs':>10}{'ratio':>8}{'middle half':>17}{'wanted':>7}{'met':>6}"
)


def contest(ways: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Seconds of processor time that each way takes in each round; the ways take turns.

    Parameters
    ----------
    ways : list of function
        Each prepares its work and returns a function that does it, so that only the work is measured.
    rounds : int
        At least 1.
    """
    seconds: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, seconds):
            work = way()
            began = time.process_time()
            work()
            taken.append(time.process_time() - began)
    return seconds


def _time(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3g} ms"
