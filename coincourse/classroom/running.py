"""The contained process of one notebook, as whoever marks it sees it."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator

from coincourse import course
from coincourse.checks import engine
from coincourse.classroom.handed_in import HandedIn
from coincourse.classroom.notebooks import Cell, Lesson, printable
from coincourse.outside.contained import Contained, NoAnswer, Reason

MODULE = "coincourse.classroom.inside"
PATIENCE = 120.0  # seconds for starting Python
CHECK = 2 * engine.SECONDS  # longer than in a lesson: several run at once
BUDGET = 10  # a notebook may take so many times what a cell may
ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")  # differs from run to run


class Stopped(Exception):
    """Why nothing more of a notebook can be run, in words."""


class Running:
    """A notebook that runs in a contained process.

    Parameters
    ----------
    work : HandedIn
    lesson : Lesson
    limits : tuple of float
        Seconds for a cell; gigabytes for the process.
    compiled : tuple of str
        See `contained.compiled_loops`.
    """

    def __init__(self, work: HandedIn, lesson: Lesson, limits: tuple[float, float], compiled: tuple[str, str]) -> None:
        self.work, self.lesson, self.compiled = work, lesson, compiled
        self.seconds, self.gigabytes = limits
        self.cells = {cell.number: cell for cell in cells_to_run(work, lesson)}
        self.deadline = math.inf
        self.late = False  # whether something was given up for want of time, or killed as where memory runs out
        self.contained: Contained | None = None

    def run(self) -> Iterator[tuple[Cell, str, list[tuple[str, str]]]]:
        """Run the cells: each with what went wrong, in words, and pairs of a check and what it has said.

        When a cell has ended the process, a new one runs all the others from the first.
        """
        self.deadline = min(self.deadline, time.monotonic() + self.seconds * BUDGET)
        cells = dict(self.cells)
        while any(cell.own for cell in cells.values()):
            try:
                for number in self._open([*cells.values()]):
                    yield cells[number], *self._run(number)
                return
            except NoAnswer as error:
                self.late = self.late or error.reason in (Reason.LATE, Reason.KILLED)
                yield cells.pop(number), str(error), []
                self.close()

    def _open(self, cells: list[Cell]) -> list[int]:
        """Start a process; the numbers of the cells that it will run, said before it has run any of them."""
        kept, _ = self.compiled
        readable = [course.home() / "pyproject.toml", course.home() / "data", *filter(None, [kept])]
        limits = min(CHECK, self.seconds / 2), self.gigabytes
        try:
            self.contained = Contained(MODULE, readable=readable)
            self.contained.wait_until_ready(PATIENCE)
            self.contained.put("open", cells, self.lesson.exercises, *limits, self.compiled)
            return self.contained.get(PATIENCE)
        except NoAnswer as error:
            self.late = self.late or error.reason is not Reason.INTERFERED
            if error.reason is Reason.COULD_NOT_START:
                raise Stopped(str(error)) from None
            raise Stopped(f"it could not be opened in its process: {error}") from None

    def _run(self, number: int) -> tuple[str, list[tuple[str, str]]]:
        """Run a cell; `NoAnswer` if that has cost the process."""
        if time.monotonic() > self.deadline:
            self.late = True
            raise Stopped(f"the notebook has used up its {self.seconds * BUDGET:g} s")
        self.contained.put("run", number)
        try:
            error, said = self.contained.get(self.seconds)
            error = _clean(error) and f"it failed with {_clean(error)}"
            return error, [(_clean(check), _clean(words)) for check, words in said]
        except (TypeError, ValueError, AttributeError):  # whatever a student's code may send
            raise NoAnswer(Reason.INTERFERED) from None

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


def cells_to_run(work: HandedIn, lesson: Lesson) -> list[Cell]:
    """The cells up to the last answer; solutions that were handed in are left out."""
    given = {cell.text for cell in lesson.cells if not cell.solution}
    solved = {cell.text for cell in lesson.cells if cell.solution}
    mine = [cell for cell in work.cells if not (cell.solution and cell.text in solved)]
    cells = [cell._replace(own=cell.text not in given) for cell in mine]
    asked = {name for exercise in lesson.exercises for name in (exercise.name, exercise.answer)}
    last = max((cell.number for cell in cells if cell.own and cell.words & asked), default=0)
    return [cell for cell in cells if cell.number <= last]
