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
        Seconds in each round; both have the same length.
    hold, beat : float or None
        How many times as fast as the other the library must be (0.5: at most twice as slow), and how many
        times would be welcome; None if the line is only for comparison.
    """

    HEADS = (
        "work",
        "compared with",
        "ours",
        "other",
        "times as fast",
        "from",
        "to",
        "hold",
        "beat",
        "verdict",
        "rounds",
    )

    work: str
    other: str
    ours: Sequence[float]
    theirs: Sequence[float]
    hold: float | None = None
    beat: float | None = None

    @property
    def ratios(self) -> list[float]:
        """How many times as fast as the other in each round."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def verdict(self) -> str:
        """Whether the median reaches `hold` and `beat`; "" if there are none."""
        if self.hold is None:
            return ""
        if self.beat is not None and self.ratio >= self.beat:
            return "beaten"
        return "held" if self.ratio >= self.hold else "MISSED"

    def cells(self) -> list[str]:
        """The line in words, in the order of `HEADS`."""
        times = [in_words(statistics.median(seconds)) for seconds in (self.ours, self.theirs)]
        ratios = map(digits, (self.ratio, min(self.ratios), max(self.ratios)))
        wanted = ("" if number is None else digits(number) for number in (self.hold, self.beat))
        return [self.work, self.other, *times, *ratios, *wanted, self.verdict, f"{len(self.ours)}"]


def contest(ours: Way, other: Way, rounds: int, often: int = 1) -> tuple[list[float], list[float]]:
    """Seconds of processor time that our way and another take in each round.

    Processor time does not include the time that other programs had the processor. Ours runs `often` times
    before and after the other, and the median of these runs is its time in the round: a machine that is
    slow for a while is slow for both, even if ours takes milliseconds and the other one seconds.

    Parameters
    ----------
    ours, other : function
        Each prepares its work and returns a function that does it; only the work is measured.
    rounds, often : int
        At least 1.
    """
    mine = []
    theirs = []
    for _ in range(rounds):
        before = [timed(ours) for _ in range(often)]
        theirs.append(timed(other))
        after = [timed(ours) for _ in range(often)]
        mine.append(statistics.median(before + after))
    return mine, theirs


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
