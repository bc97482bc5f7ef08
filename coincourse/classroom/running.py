"""Step 2 of a marking: the cells of one notebook run in the student's process, and the judge is asked about answers.

This is the side of the marking. `coincourse.classroom` shows which processes there are, and what they send.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cloudpickle

from coincourse import checks, course
from coincourse.checks.verdict import Verdict
from coincourse.classroom.handed_in import HandedIn
from coincourse.classroom.messages import (
    Answer,
    AsksBack,
    Call,
    CalledBack,
    CellRan,
    Ended,
    IsRight,
    Judged,
    Message,
    NotebookToRun,
    Outcome,
    read_message,
)
from coincourse.classroom.notebooks import Cell, Lesson
from coincourse.outside.answering import GO_ON
from coincourse.outside.contained import Contained, NoAnswer, Reason
from coincourse.outside.text import clean

STUDENT = "coincourse.classroom.student_process"
JUDGE = "coincourse.classroom.judge_process"
# The folder that the student's process does not see, except for these modules
EXERCISES = Path(checks.__file__).parent
SEEN_OF_EXERCISES = (
    "__init__",
    "contests",
    "error_hints",
    "function_source",
    "hints",
    "judging",
    "plain_data",
    "running_cell",
    "stand_in",
    "values",
    "verdict",
)
SETTINGS = {"PYTHONBREAKPOINT": "0"}  # as in JupyterLab, where a check ignores `breakpoint()`
PATIENCE = 120.0  # seconds for starting Python
NOT_OPENED = "it could not be opened"
BUDGET = 10  # a notebook may take this many times what a cell may
LONGEST = 1_000  # characters of what a process says of a cell or an answer


class Stopped(Exception):
    """Nothing more of a notebook can be run; with fewer notebooks at once it might."""


class JudgeGone(NoAnswer):
    """The judge has given no answer, and cannot be used any more."""

    def __str__(self) -> str:
        return f"its judge: {super().__str__()}"


class Limits(NamedTuple):
    """What a notebook may take."""

    seconds: float  # for a cell, and for all calls of an exercise
    gigabytes: float  # for each process

    @property
    def notebook(self) -> float:
        """Seconds for all cells."""
        return BUDGET * self.seconds


class Ran(NamedTuple):
    """The result of a cell."""

    cell: Cell
    error: str = ""
    late: bool = False  # whether it was stopped because it took too long, or too much memory
    verdicts: Sequence[Verdict] = ()
    again: bool = False  # whether only an answer was judged once more
    ended: bool = False  # whether it has ended its process
    waits_for: str = ""  # the exercise without whose right answer it could not run


class Running:
    """A notebook that runs, and its two processes.

    Parameters
    ----------
    work : HandedIn
    lesson : Lesson
    limits : Limits
    compiled : tuple of str
        See `answering.compiled_loops`.
    """

    def __init__(self, work: HandedIn, lesson: Lesson, limits: Limits, compiled: tuple[str, str]) -> None:
        self.work = work
        self.lesson = lesson
        self.limits = limits
        self.compiled = compiled
        self.exercises = {exercise.name for exercise in lesson.exercises}
        self.cells = {cell.number: cell for cell in cells_to_run(work, lesson)}
        # Of each answer that was judged, the number of its cell and its place there
        self.judged: set[tuple[int, int]] = set()
        self.without_name: dict[str, Cell] = {}  # exercises whose answers have used an unknown name
        self.deadline = math.inf
        self.processes: dict[str, Contained] = {}  # by module: the student's and the judge's

    # --- the cells

    def run(self) -> Iterator[Ran]:
        """Run the cells. When one has ended the process, a new process runs all the others from the first.

        An answer that is late ends the process too, and then its cell runs again with the others.
        """
        self.deadline = min(self.deadline, time.monotonic() + self.limits.notebook)
        cells = dict(self.cells)
        while any(cell.own for cell in cells.values()):
            for number in self._start_student([*cells.values()]):
                ran = self._run(cells[number], "run", number)
                yield ran
                if ran.ended:
                    del cells[number]
                if STUDENT not in self.processes:
                    break
            else:
                yield from self._try_again()
                return

    def _try_again(self) -> Iterator[Ran]:
        """Judge once more what has used a name that the notebook defines further down."""
        for exercise, cell in [*self.without_name.items()]:
            if STUDENT in self.processes:
                yield self._run(cell, "again", exercise)._replace(again=True)

    def _run(self, cell: Cell, *call) -> Ran:
        """Make a call about a cell, and have its answers judged; if that has cost the process, it is ended."""
        verdicts: list[Verdict] = []
        try:
            came = self._ask_student(self.limits.seconds, *call)
            while isinstance(came, IsRight):
                came = self._ask_student(self.limits.seconds, GO_ON, self._is_right(came.answer))
            if not isinstance(came, CellRan):
                raise NoAnswer(Reason.INTERFERED)
            for place, answer in enumerate(came.answers):
                is_new = (cell.number, place) not in self.judged or call[0] == "again"
                if is_new and STUDENT in self.processes and answer.exercise in self.exercises:
                    self.judged.add((cell.number, place))
                    verdicts.append(self._verdict(answer))
                    self._note_unknown_name(verdicts[-1], cell)
        except NoAnswer as error:
            self._end(STUDENT)
            late = error.reason in (Reason.LATE, Reason.KILLED)
            return Ran(cell, str(error), late, verdicts, ended=True)
        failed = f"it failed with {clean(came.error, LONGEST)}" if came.error else ""
        if came.waits_for not in exercise_names():
            return Ran(cell, failed, verdicts=verdicts)
        return Ran(cell, f"it waits until {came.waits_for} is right", verdicts=verdicts, waits_for=came.waits_for)

    def _note_unknown_name(self, verdict: Verdict, cell: Cell) -> None:
        if verdict.error == "NameError":
            self.without_name[verdict.exercise] = cell
        else:
            self.without_name.pop(verdict.exercise, None)

    def _is_right(self, answer: Answer) -> bool:
        """Return whether the answer is right that a cell wants to use."""
        if answer.exercise not in exercise_names():
            raise NoAnswer(Reason.INTERFERED)
        verdict = self._verdict(answer)
        if verdict.late or STUDENT not in self.processes:  # It is not known, and the cell would ask again and again.
            raise NoAnswer(Reason.LATE, self.limits.seconds)
        return verdict.right

    # --- an answer

    def _verdict(self, answer: Answer) -> Verdict:
        """Return the judge's verdict: its calls go to the student's process, and what comes back goes to the judge."""
        if JUDGE not in self.processes:
            self._start(JUDGE)
        deadline = time.monotonic() + self.limits.seconds
        message = self._ask_judge("judge", answer, self.limits.seconds)
        ended: NoAnswer | None = None  # why the student's process says nothing more
        while not isinstance(message, Judged):
            reply: Message = Outcome(Ended.GIVEN_UP)
            if ended is None:
                try:
                    reply = self._reply(message, deadline)
                except NoAnswer as error:
                    ended = error
                    self._end(STUDENT)
            message = self._ask_judge(GO_ON, reply)
        if message.verdict is None:
            raise NoAnswer(Reason.INTERFERED)
        if ended is not None and ended.reason is not Reason.LATE:
            raise ended
        return message.verdict

    def _reply(self, message: Message, deadline: float) -> Outcome | AsksBack:
        """Return what the student's process says to a message of the judge."""
        call = ("call", message) if isinstance(message, Call) else (GO_ON, message)
        reply = self._ask_student(deadline - time.monotonic(), *call)
        if not isinstance(reply, Outcome | AsksBack):
            raise NoAnswer(Reason.INTERFERED)
        return reply

    # --- the two processes

    def _ask_student(self, seconds: float, *call) -> Message:
        """Return the next message of the student's process; `NoAnswer` if it is late or no message."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"the notebook has used up its {self.limits.notebook:g} s")
        if seconds <= 0:
            raise NoAnswer(Reason.LATE, self.limits.seconds)
        process = self.processes[STUDENT]
        process.put(*call)
        try:
            return read_message(process.get(seconds))
        except (TypeError, ValueError):  # whatever a student's code may send
            raise NoAnswer(Reason.INTERFERED) from None

    def _ask_judge(self, *call) -> Call | CalledBack | Judged:
        """Return the next message of the judge's process.

        A student's code that stops the judge loses its cell, as with any other interference.
        """
        process = self.processes[JUDGE]
        try:
            process.put(*call)
            return read_message(process.get(self.limits.seconds))
        except NoAnswer as error:
            self._end(JUDGE)
            raise JudgeGone(error.reason, error.detail) from None

    def _start_student(self, cells: list[Cell]) -> list[int]:
        """Start the student's process; return the numbers of the cells that it will run."""
        notebook = NotebookToRun(cells, self.lesson.exercises, exercise_names(), given(cells))
        seen = [EXERCISES / f"{name}.py" for name in SEEN_OF_EXERCISES]
        return self._start(STUDENT, notebook, hidden=[EXERCISES], readable=seen)

    def _start(self, module: str, *needed, hidden: Sequence[Path] = (), readable: Sequence[Path] = ()) -> list:
        """Start a process with what it needs; return what it answers."""
        home = course.own_home()
        loops = filter(None, self.compiled[:1])
        seen = [home / "pyproject.toml", home / "data", *loops, *readable]
        try:
            process = Contained(
                module, hidden=hidden, readable=seen, settings=SETTINGS, gigabytes=self.limits.gigabytes
            )
            self.processes[module] = process
            process.wait_until_ready(PATIENCE)
            process.put("open", *needed, self.limits.gigabytes, self.compiled)
            return process.get(PATIENCE)
        except NoAnswer as error:
            raise Stopped(f"{NOT_OPENED}: {error}") from None

    def stop(self) -> None:
        """Let no thread run anything more of the notebook."""
        self.deadline = 0.0
        self.close()

    def close(self) -> None:
        """End both processes, and all that they have started."""
        self._end(STUDENT)
        self._end(JUDGE)

    def _end(self, module: str) -> None:
        process = self.processes.pop(module, None)
        if process is not None:
            process.stop()


def exercise_names() -> list[str]:
    """Return the names of all exercises."""
    return [name for name in checks.__all__ if name not in checks.GIVEN]


def given(cells: list[Cell]) -> bytes:
    """Return what the checks give to the cells of a lesson besides exercises: a pickle that includes its code."""
    mentioned = set().union(*(cell.words for cell in cells))
    found = {name: getattr(checks, name) for name in checks.GIVEN if name in mentioned}
    for name in found:
        cloudpickle.register_pickle_by_value(sys.modules[f"{checks.__name__}.{checks.FILE_OF[name]}"])
    return cloudpickle.dumps(found)


def cells_to_run(work: HandedIn, lesson: Lesson) -> list[Cell]:
    """Return the cells up to the last answer."""
    given = {cell.text for cell in lesson.cells}
    cells = [cell._replace(own=cell.text not in given) for cell in work.notebook.cells]
    asked = {exercise.name for exercise in lesson.exercises}
    speaking_of = asked | {exercise.answer for exercise in lesson.exercises}
    last = 0
    for cell in cells:
        if cell.own and (cell.words & speaking_of or cell.exercise in asked):
            last = cell.number
    return [cell for cell in cells if cell.number <= last]
