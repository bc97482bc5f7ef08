"""The contained process of one notebook: this is the side of the marking."""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from coincourse import course
from coincourse.checks import engine
from coincourse.checks.engine import Verdict
from coincourse.classroom.handed_in import HandedIn
from coincourse.classroom.notebooks import Cell, Lesson, printable
from coincourse.outside.contained import Contained, NoAnswer, Reason

MODULE = "coincourse.classroom.inside"
PATIENCE = 120.0  # seconds for starting Python
CHECK = 2 * engine.SECONDS  # longer than in a lesson: several run at once
BUDGET = 10  # a notebook may take so many times what a cell may
LONGEST = 1_000  # characters of what a process says of a cell or an answer
ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")  # differs from run to run


class Stopped(Exception):
    """Why nothing more of a notebook can be run, in words.

    Parameters
    ----------
    words : str
    late : bool
        Whether it took too long: beside fewer others it might run.
    """

    def __init__(self, words: str, late: bool = False) -> None:
        super().__init__(words)
        self.late = late


class Ran(NamedTuple):
    """What a cell has led to."""

    cell: Cell
    error: str = ""  # what went wrong, in words
    late: bool = False  # whether it was stopped because it took too long, or too much memory
    verdicts: Sequence[Verdict] = ()
    again: bool = False  # whether only an answer was judged once more


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
        self.work = work
        self.lesson = lesson
        self.compiled = compiled
        self.seconds, self.gigabytes = limits
        self.cells = {cell.number: cell for cell in cells_to_run(work, lesson)}
        self.without_name: dict[str, Cell] = {}  # exercises whose answers have used an unknown name
        self.deadline = math.inf
        self.contained: Contained | None = None

    def run(self) -> Iterator[Ran]:
        """Run the cells. When one has ended the process, a new process runs all the others from the first."""
        self.deadline = min(self.deadline, time.monotonic() + self.seconds * BUDGET)
        cells = dict(self.cells)
        while any(cell.own for cell in cells.values()):
            ended_by = None  # the number of the cell that has ended the process
            for number in self._open([*cells.values()]):
                yield self._run(cells[number])
                if self.contained is None:
                    ended_by = number
                    break
            if ended_by is None:
                yield from self._try_again()
                return
            del cells[ended_by]

    def _try_again(self) -> Iterator[Ran]:
        """Judge once more what has used a name that the notebook defines further down, as its student could."""
        for exercise, cell in self.without_name.items():
            if self.contained is not None:
                yield self._ask(cell, "again", exercise)._replace(again=True)

    def _open(self, cells: list[Cell]) -> list[int]:
        """Start a process; the numbers of the cells that it will run, said before it has run any of them."""
        kept, _ = self.compiled
        readable = [course.home() / "pyproject.toml", course.home() / "data", *filter(None, [kept])]
        limits = min(CHECK, self.seconds / 2), self.gigabytes
        try:
            self.contained = Contained(MODULE, readable=readable, gigabytes=self.gigabytes)
            self.contained.wait_until_ready(PATIENCE)
            self.contained.put("open", cells, self.lesson.exercises, *limits, self.compiled)
            return self.contained.get(PATIENCE)
        except NoAnswer as error:
            late = error.reason is not Reason.INTERFERED
            if error.reason is Reason.COULD_NOT_START:
                raise Stopped(str(error), late) from None
            raise Stopped(f"it could not be opened in its process: {error}", late) from None

    def _run(self, cell: Cell) -> Ran:
        """Run a cell; if that has cost the process, it is closed."""
        ran = self._ask(cell, "run", cell.number)
        for verdict in ran.verdicts:
            if verdict.error == "NameError":
                self.without_name[verdict.exercise] = cell
            else:
                self.without_name.pop(verdict.exercise, None)
        return ran

    def _ask(self, cell: Cell, *call) -> Ran:
        """What a call about a cell has led to."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"the notebook has used up its {self.seconds * BUDGET:g} s", late=True)
        self.contained.put(*call)
        try:
            error, verdicts = self.contained.get(self.seconds)
            failed = f"it failed with {_clean(error)}" if error else ""
            return Ran(cell, failed, verdicts=[_read_verdict(fields) for fields in verdicts])
        except NoAnswer as error:
            ran = Ran(cell, str(error), late=error.reason in (Reason.LATE, Reason.KILLED))
        except (TypeError, ValueError, AttributeError):  # whatever a student's code may send
            ran = Ran(cell, Reason.INTERFERED.value)
        self.close()
        return ran

    def stop(self) -> None:
        """Let no thread run anything more of the notebook."""
        self.deadline = 0.0
        self.close()

    def close(self) -> None:
        """End its process, and all that it has started."""
        process = self.contained
        self.contained = None
        if process is not None:
            process.stop()


def _read_verdict(fields: dict) -> Verdict:
    """A verdict that has come through the pipe; TypeError or AttributeError if it is none."""
    verdict = Verdict(**fields)
    cleaned = {}
    for field in dataclasses.fields(Verdict):
        value = getattr(verdict, field.name)
        if isinstance(value, bool) != (field.type == "bool"):
            raise TypeError(f"{field.name}: got {value!r}")
        cleaned[field.name] = value if isinstance(value, bool) else _clean(value)
    return Verdict(**cleaned)


def _clean(words: str) -> str:
    """Words from a process, cut, in one line, and without what differs from run to run."""
    return ADDRESS.sub("0x...", printable(words[:LONGEST]))


def cells_to_run(work: HandedIn, lesson: Lesson) -> list[Cell]:
    """The cells up to the last answer; solutions that were handed in are left out."""
    given = {cell.text for cell in lesson.cells if not cell.solution}
    solved = {cell.text for cell in lesson.cells if cell.solution}
    mine = [cell for cell in work.cells if not (cell.solution and cell.text in solved)]
    cells = [cell._replace(own=cell.text not in given) for cell in mine]
    asked = {exercise.name for exercise in lesson.exercises}
    speaking_of = asked | {exercise.answer for exercise in lesson.exercises}
    answering = [cell.number for cell in cells if cell.own and (cell.words & speaking_of or cell.exercise in asked)]
    last = max(answering, default=0)
    return [cell for cell in cells if cell.number <= last]
