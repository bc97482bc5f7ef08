"""Ways to do the same work, measured in turn, and one line of the table about two of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Way = Callable[[], Callable[[], object]]  # prepares its work, and returns a function that does it


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    work, other : str
        What is done, and what the library is compared with.
    ours, theirs : list of float
        Seconds of processor time of each round, as often as the other.
    least : float or None
        How many times as fast as the other the library must be (0.5: at most twice as slow);
        None where the line is only for comparison.
    """

    work: str
    other: str
    ours: Sequence[float]
    theirs: Sequence[float]
    least: float | None = None

    @property
    def ratios(self) -> list[float]:
        """How many times as fast as the other in each round."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The smallest and the largest of the ratios."""
        return min(self.ratios), max(self.ratios)

    @property
    def met(self) -> bool | None:
        """Whether the median reaches the number; None where there is none."""
        return None if self.least is None else self.ratio >= self.least

    def cells(self) -> dict[str, str]:
        """The line in words, by the heads of the columns."""
        low, high = self.spread
        return {
            "work": self.work,
            "compared with": self.other,
            "ours": in_words(statistics.median(self.ours)),
            "other": in_words(statistics.median(self.theirs)),
            "times as fast": digits(self.ratio),
            "from": digits(low),
            "to": digits(high),
            "wanted": "" if self.least is None else f"≥ {self.least:g}",
            "met": {None: "", True: "yes", False: "NO"}[self.met],
            "rounds": f"{len(self.ours)}",
        }


def contest(ways: Sequence[Way], rounds: int) -> list[list[float]]:
    """Seconds of processor time that each way takes in each round; the ways take turns.

    Processor time leaves out the time in which other programs had the processor.

    Parameters
    ----------
    ways : sequence of function
        Each prepares its work and returns a function that does it; only the work is measured.
    rounds : int
        At least 1.
    """
    seconds: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, seconds):
            taken.append(timed(way))
    return seconds


def contest_with_slow(ours: Way, others: Sequence[Way], rounds: int, often: int) -> list[list[float]]:
    """The same where the others take seconds and ours milliseconds.

    Ours runs `often` times before and after each of the others, and the median of these runs
    is its time in the round: a machine that is slow for a while is slow for both.
    """
    seconds: list[list[float]] = [[] for _ in (ours, *others)]
    for _ in range(rounds):
        runs = [timed(ours) for _ in range(often)]
        for way, taken in zip(others, seconds[1:]):
            taken.append(timed(way))
            runs += [timed(ours) for _ in range(often)]
        seconds[0].append(statistics.median(runs))
    return seconds


def timed(way: Way) -> float:
    """Seconds of processor time that the work of one way takes, without preparing it."""
    work = way()
    began = time.process_time()
    work()
    return time.process_time() - began


def digits(number: float) -> str:
    """A number with three digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def in_words(seconds: float) -> str:
    """A time with three digits and its unit."""
    for least, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= least:
            return f"{seconds / least:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
