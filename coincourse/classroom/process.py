"""The contained process of one notebook, as whoever marks it sees it."""

from __future__ import annotations

import re
import time
from typing import NamedTuple

from coincourse import course
from coincourse.checks import engine
from coincourse.classroom.notebooks import Cell, Lesson
from coincourse.outside.contained import INTERFERED, Contained, Ended, Late

MODULE = "coincourse.classroom.inside"
LONGEST = 200_000  # bytes of what a process says at once
PATIENCE = 120.0  # seconds for starting Python
GRACE = 2.0  # seconds that an interrupted cell may take to end
CHECK = 2 * engine.SECONDS  # a check waits longer than in a lesson: several notebooks run at once
BUDGET = 10  # a notebook may take so many times what a cell may
UNREADABLE = "it handed back nothing readable"


class Limits(NamedTuple):
    """What a handed-in notebook may use."""

    seconds: float = 30.0  # for one cell; ten times that for all
    gigabytes: float = 2.0  # of memory, for one process


class Stopped(Exception):
    """Why nothing more of a notebook can be run, in words."""


class Process:
    """The process of one notebook; when a cell has ended it, a new one runs what went well before.

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
        self.limits = limits
        self.own = {cell.number for cell, is_own in cells if is_own}
        self.deadline: float | None = None
        self.done: list[int] = []  # cells that have come to an end
        self.opening = (cells, lesson.exercises, min(CHECK, limits.seconds / 2), limits.gigabytes, compiled)
        self.contained: Contained | None = None

    def open(self) -> list[int]:
        """Start it, if there is anything to run; the numbers of the cells that are to be run."""
        if not self.own:
            return []
        if self.deadline is None:
            self.deadline = time.monotonic() + self.limits.seconds * BUDGET
        home, (kept, _) = course.home(), self.opening[-1]
        readable = [home / "pyproject.toml", home / "data", *filter(None, [kept])]
        try:
            self.contained = Contained(MODULE, LONGEST, readable=readable)
            self.contained.get(PATIENCE)
            match self._call(PATIENCE, "open", *self.opening):
                case ["opened", [*numbers]] if all(type(number) is int for number in numbers):
                    return numbers
            raise Ended(UNREADABLE)
        except (Late, Ended, OSError) as error:
            self.close()
            raise Stopped(f"its process could not be started: {str(error) or 'it took too long'}") from None

    def run(self, number: int) -> tuple[str, list[list[str]]]:
        """Run a cell: what went wrong, in words, and pairs of a check and what it has said."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"the notebook has used up its {self.limits.seconds * BUDGET:g} s")
        if self.contained is None:
            self.open()
            for earlier in self.done:
                self._run(earlier)
                if self.contained is None:
                    raise Stopped("its process ended when its cells were run again")
        error, said = self._run(number)
        if self.contained is not None:
            self.done.append(number)
        return error, said

    def _run(self, number: int) -> tuple[str, list[list[str]]]:
        """Run a cell; `contained` is None afterwards if that has ended the process."""
        late = f"it was stopped after {self.limits.seconds:g} s"
        try:
            try:
                return _read(self._call(self.limits.seconds, "run", number))
            except Late:
                if self.contained and self.contained.interrupt():
                    return late, _read(self.contained.get(GRACE))[1]
        except Late:
            pass
        except Ended as error:
            late = UNREADABLE if str(error) == INTERFERED else str(error)
        self.close()
        return late, []

    def _call(self, seconds: float, *call) -> list:
        self.contained.put(*call)
        return self.contained.get(seconds)

    def stop(self) -> None:
        """Run nothing more of the notebook, whoever is about to."""
        self.deadline = 0.0
        self.close()

    def close(self) -> None:
        """End it, and all that it has started."""
        process, self.contained = self.contained, None
        if process is not None:
            process.stop()


def _read(answer: list) -> tuple[str, list[list[str]]]:
    """What a process says of a cell, if it has the known shape."""
    match answer:
        case ["ran", str(error), [*said]]:
            if all(isinstance(pair, list) and [type(part) for part in pair] == [str, str] for pair in said):
                return error and f"it failed with {clean(error)}", [[name, clean(words)] for name, words in said]
    raise Ended(UNREADABLE)


def clean(words: str) -> str:
    """Words in one line of signs that can be shown; addresses, which differ from run to run, are cut.

    Examples
    --------
    >>> clean("no\\x1b[2J such\\n thing at 0x7f12ab34")
    'no?[2J such thing at 0x...'
    """
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(words.split()))
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", line)
