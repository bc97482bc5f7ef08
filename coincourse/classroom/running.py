"""The contained process of one notebook: this is the side of the marking."""

from __future__ import annotations

import dataclasses
import math
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cloudpickle

from coincourse import checks, course
from coincourse.checks.judging import SECONDS, Verdict
from coincourse.checks.plain_data import IS_RIGHT
from coincourse.classroom.handed_in import HandedIn
from coincourse.classroom.notebooks import Cell, Lesson, printable
from coincourse.outside.contained import GO_ON, Contained, NoAnswer, Reason

MODULE = "coincourse.classroom.inside"
JUDGE = "coincourse.classroom.outside_judge"
# The folder that a notebook's process does not see, but for these files
EXERCISES = Path(checks.__file__).parent
GIVEN = ("stranger", "guests")  # what a lesson takes from there beside exercises
SEEN_OF_EXERCISES = ("__init__.py", "judging.py", "plain_data.py", "stand_in.py")
PATIENCE = 120.0  # seconds for starting Python
CHECK = 3 * SECONDS  # longer than in a lesson: several run at once, and each call goes through a pipe
BUDGET = 10  # a notebook may take so many times what a cell may
LONGEST = 1_000  # characters of what a process says of a cell or an answer
KINDS = {"bool": bool, "str": str, "tuple[str, ...]": list | tuple}  # what stands in the fields of a verdict
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
    ended: bool = False  # whether it has ended its process


class Judges:
    """The judges of a marking: a process for each thread that marks, in which nothing of a student runs.

    Parameters
    ----------
    compiled : tuple of str
        See `contained.compiled_loops`.
    gigabytes : float
    """

    def __init__(self, compiled: tuple[str, str], gigabytes: float) -> None:
        self.compiled = compiled
        self.gigabytes = gigabytes
        self._of_thread = threading.local()
        self._all: list[Contained] = []

    def ask(self, *call) -> list:
        """What the judge of this thread answers to a call."""
        process = getattr(self._of_thread, "process", None)
        try:
            if process is None:
                process = self._start()
            process.put(*call)
            return process.get(PATIENCE)
        except NoAnswer as error:
            self._of_thread.process = None
            raise Stopped(f"its judge gave no answer: {error}", late=True) from None

    def _start(self) -> Contained:
        process = Contained(JUDGE, readable=readable(self.compiled), gigabytes=self.gigabytes)
        self._all.append(process)
        process.wait_until_ready(PATIENCE)
        process.put("open", self.gigabytes, self.compiled)
        process.get(PATIENCE)
        self._of_thread.process = process
        return process

    def stop(self) -> None:
        """End all of them."""
        for process in self._all:
            process.stop()


def readable(compiled: tuple[str, str]) -> list[Path | str]:
    """What the processes of a marking may read beside the library."""
    return [course.home() / "pyproject.toml", course.home() / "data", *filter(None, compiled[:1])]


class Running:
    """A notebook that runs in a contained process.

    Parameters
    ----------
    work : HandedIn
    lesson : Lesson
    limits : tuple of float
        Seconds for a cell; gigabytes for the process.
    judges : Judges
    """

    def __init__(self, work: HandedIn, lesson: Lesson, limits: tuple[float, float], judges: Judges) -> None:
        self.work = work
        self.lesson = lesson
        self.judges = judges
        self.seconds, self.gigabytes = limits
        self.exercises = {exercise.name for exercise in lesson.exercises}
        self.cells = {cell.number: cell for cell in cells_to_run(work, lesson)}
        self.judged: set[tuple[int, int]] = set()  # of each answer that was judged its cell and its place there
        self.without_name: dict[str, Cell] = {}  # exercises whose answers have used an unknown name
        self.deadline = math.inf
        self.contained: Contained | None = None

    def run(self) -> Iterator[Ran]:
        """Run the cells. When one has ended the process, a new process runs all the others from the first.

        An answer that is late ends the process too, and then its cell runs again with the others.
        """
        self.deadline = min(self.deadline, time.monotonic() + self.seconds * BUDGET)
        cells = dict(self.cells)
        while any(cell.own for cell in cells.values()):
            for number in self._open([*cells.values()]):
                ran = self._run(cells[number])
                yield ran
                if ran.ended:
                    del cells[number]
                if self.contained is None:
                    break
            else:
                yield from self._try_again()
                return

    def _try_again(self) -> Iterator[Ran]:
        """Judge once more what has used a name that the notebook defines further down."""
        for exercise, cell in self.without_name.items():
            if self.contained is not None:
                yield self._ask(cell, "again", exercise)._replace(again=True)

    def _open(self, cells: list[Cell]) -> list[int]:
        """Start a process; the numbers of the cells that it will run, said before it has run any of them."""
        compiled = self.judges.compiled
        seen = [*readable(compiled), *(EXERCISES / name for name in SEEN_OF_EXERCISES)]
        try:
            self.contained = Contained(MODULE, hidden=[EXERCISES], readable=seen, gigabytes=self.gigabytes)
            self.contained.wait_until_ready(PATIENCE)
            names = exercise_names(), given(cells)
            self.contained.put("open", cells, self.lesson.exercises, *names, self.gigabytes, compiled)
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
        """What a call about a cell has led to, with the verdicts about what the cell has answered."""
        self._check_the_time()
        verdicts: list[Verdict] = []
        try:
            self.contained.put(*call)
            reply = self.contained.get(self.seconds)
            while reply[0] == IS_RIGHT:
                self.contained.put(GO_ON, self._is_right(*reply[1]))
                reply = self.contained.get(self.seconds)
            error, answers = reply
            failed = f"it failed with {_clean(error)}" if error else ""
            for place, (exercise, answer) in enumerate(answers):
                is_new = (cell.number, place) not in self.judged or call[0] == "again"
                if is_new and self.contained is not None and exercise in self.exercises:
                    self.judged.add((cell.number, place))
                    verdicts.append(self._judge(exercise, answer))
            return Ran(cell, failed, verdicts=verdicts)
        except NoAnswer as error:
            late = error.reason in (Reason.LATE, Reason.KILLED)
            ran = Ran(cell, str(error), late, verdicts, ended=True)
        except (TypeError, ValueError, AttributeError, LookupError):  # whatever a student's code may send
            ran = Ran(cell, Reason.INTERFERED.value, verdicts=verdicts, ended=True)
        self.close()
        return ran

    def _is_right(self, exercise: str, answer: dict) -> bool:
        """Whether an answer is right on which a cell goes on."""
        if exercise not in exercise_names():
            raise NoAnswer(Reason.INTERFERED)
        verdict = self._judge(exercise, answer)
        if self.contained is None:  # The answer was late, and the cell would ask again and again.
            raise NoAnswer(Reason.LATE, min(CHECK, self.seconds / 2))
        return verdict.right

    def _judge(self, exercise: str, answer: dict) -> Verdict:
        """The verdict of the judge, whose calls go to the process, and whose answers come back."""
        self._check_the_time()
        seconds = min(CHECK, self.seconds / 2)
        message = self.judges.ask("judge", exercise, answer, seconds)
        busy = False  # whether the process is in the middle of a call
        while message[0] in ("call", "reply"):
            self.contained.put(*message)
            try:
                reply = self.contained.get(seconds)
            except NoAnswer as error:
                if error.reason is not Reason.LATE:
                    raise
                busy = True
                message = self.judges.ask("wait")
            else:
                busy = reply[0] != "done"
                message = self.judges.ask("answered", reply)
        if message[0] != "verdict":
            raise NoAnswer(Reason.INTERFERED)
        if busy:
            self.close()
        return _read_verdict(message[1])

    def _check_the_time(self) -> None:
        """`Stopped` if the notebook has no time left."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"the notebook has used up its {self.seconds * BUDGET:g} s", late=True)

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


def exercise_names() -> list[str]:
    """The names of all exercises."""
    return [name for name in checks.__all__ if name not in GIVEN]


def given(cells: list[Cell]) -> dict[str, object]:
    """What the exercises give to the cells of a lesson, each with its own code."""
    mentioned = set().union(*(cell.words for cell in cells))
    found = {name: getattr(checks, name) for name in GIVEN if name in mentioned}
    for name in found:
        cloudpickle.register_pickle_by_value(sys.modules[f"{checks.__name__}.{checks.FILE_OF[name]}"])
    return found


def _read_verdict(fields: dict) -> Verdict:
    """A verdict that has come through the pipe; TypeError or AttributeError if it is none."""
    verdict = Verdict(**fields)
    cleaned = {}
    for field in dataclasses.fields(Verdict):
        value = getattr(verdict, field.name)
        if not isinstance(value, KINDS[field.type]):
            raise TypeError(f"{field.name}: got {value!r}")
        if field.name == "printed":  # Of that only the first line is said.
            value = next((line for line in value.splitlines() if line.strip()), "")
        if isinstance(value, str):
            value = _clean(value)
        elif not isinstance(value, bool):
            value = tuple(map(_clean, value))
        cleaned[field.name] = value
    return Verdict(**cleaned)


def _clean(words: str) -> str:
    """Words from a process, cut, in one line, and without what differs from run to run."""
    return ADDRESS.sub("0x...", printable(words[:LONGEST]))


def cells_to_run(work: HandedIn, lesson: Lesson) -> list[Cell]:
    """The cells up to the last answer."""
    given = {cell.text for cell in lesson.cells}
    cells = [cell._replace(own=cell.text not in given) for cell in work.cells]
    asked = {exercise.name for exercise in lesson.exercises}
    speaking_of = asked | {exercise.answer for exercise in lesson.exercises}
    answering = [cell.number for cell in cells if cell.own and (cell.words & speaking_of or cell.exercise in asked)]
    last = max(answering, default=0)
    return [cell for cell in cells if cell.number <= last]
