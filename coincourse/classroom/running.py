"""The contained process of one notebook, as whoever marks it sees it."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from coincourse import course
from coincourse.checks import engine
from coincourse.classroom.notebooks import Cell, Lesson, printable
from coincourse.outside.contained import INTERFERED, Contained, Ended, Late

MODULE = "coincourse.classroom.inside"
LONGEST = 200_000  # bytes of what a process says at once
PATIENCE = 120.0  # seconds for starting Python
CHECK = 2 * engine.SECONDS  # a check waits longer than in a lesson: several notebooks run at once
BUDGET = 10  # a notebook may take so many times what a cell may
ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")  # differs from run to run


class Limits(NamedTuple):
    """What a handed-in notebook may use."""

    seconds: float = 30.0  # for one cell; ten times that for all
    gigabytes: float = 2.0  # of memory, for one process


class Stopped(Exception):
    """Why nothing more of a notebook can be run, in words."""


class Running:
    """A notebook that runs in a contained process.

    Parameters
    ----------
    cells : list of pairs
        Each cell, and whether it is the student's own.
    lesson : Lesson
    limits : Limits
    compiled : tuple of str
        See `contained.compiled_loops`.
    """

    def __init__(
        self, cells: list[tuple[Cell, bool]], lesson: Lesson, limits: Limits, compiled: tuple[str, str]
    ) -> None:
        self.cells = cells
        self.own = {cell.number for cell, is_own in cells if is_own}
        self.broken: set[int] = set()  # cells that have ended their process
        self.seconds = limits.seconds
        self.check = min(CHECK, limits.seconds / 2)
        self.deadline = math.inf
        self.contained: Contained | None = None
        self.opening = (lesson.exercises, self.check, limits.gigabytes, compiled)

    def run(self) -> Iterator[tuple[int, str, list[tuple[str, str]]]]:
        """Run the cells: the number of each, what went wrong in words, and pairs of a check and what it has said.

        When a cell has ended the process, a new one runs all the others from the first.
        """
        self.deadline = min(self.deadline, time.monotonic() + self.seconds * BUDGET)
        numbers = self._open() if self.own else []
        while numbers:
            try:
                for number in numbers:
                    yield number, *self._run(number)
                return
            except Ended as error:
                self.broken.add(number)
                yield number, str(error), []
                self.close()
                numbers = self._open()

    def _open(self) -> list[int]:
        """Start a process; the numbers of the cells that it will run, said before it has run any of them."""
        readable = [course.home() / "pyproject.toml", course.home() / "data"]
        kept = self.opening[-1][0]
        try:
            self.contained = Contained(MODULE, LONGEST, readable=[*readable, *filter(None, [kept])])
            self.contained.get(PATIENCE)
            whole = [pair for pair in self.cells if pair[0].number not in self.broken]
            self.contained.put("open", whole, *self.opening)
            return self.contained.get(PATIENCE)
        except (Late, Ended, OSError) as error:
            raise Stopped(f"its process could not be started: {str(error) or 'it took too long'}") from None

    def _run(self, number: int) -> tuple[str, list[tuple[str, str]]]:
        """Run a cell; `Ended` if that has cost the process."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"the notebook has used up its {self.seconds * BUDGET:g} s")
        self.contained.put("run", number)
        try:
            error, said = self.contained.get(self.seconds)
            error = _clean(error) and f"it failed with {_clean(error)}"
            return error, [(_clean(check), _clean(words)) for check, words in said]
        except Late:
            raise Ended(f"it was stopped after {self.seconds:g} s") from None
        except (TypeError, ValueError, AttributeError):  # whatever a student's code may send
            raise Ended(INTERFERED) from None

    def stop(self) -> None:
        """Run nothing more of the notebook, whoever is about to."""
        self.deadline = 0.0
        self.close()

    def close(self) -> None:
        """End its process, and all that it has started."""
        process, self.contained = self.contained, None
        if process is not None:
            process.stop()


def _clean(words: str) -> str:
    return ADDRESS.sub("0x...", printable(words))
