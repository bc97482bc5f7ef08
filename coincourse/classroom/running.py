"""The contained process of one notebook: this is the side of the marking."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cloudpickle

from coincourse import checks, course
from coincourse.checks.judging import SECONDS
from coincourse.checks.plain_data import IS_RIGHT
from coincourse.checks.verdict import Verdict
from coincourse.classroom.handed_in import HandedIn
from coincourse.classroom.notebooks import Cell, Lesson
from coincourse.outside.contained import GO_ON, Contained, NoAnswer, Reason
from coincourse.outside.text import clean

MODULE = "coincourse.classroom.inside"
JUDGE = "coincourse.classroom.outside_judge"
# The folder that a notebook's process does not see, but for these files
EXERCISES = Path(checks.__file__).parent
GIVEN = ("stranger", "guests")  # what a lesson takes from there beside exercises
SEEN_OF_EXERCISES = ("__init__.py", "judging.py", "plain_data.py", "stand_in.py", "verdict.py")
PATIENCE = 120.0  # seconds for starting Python
CHECK = 3 * SECONDS  # longer than in a lesson: several run at once, and each call goes through a pipe
BUDGET = 10  # a notebook may take so many times what a cell may
LONGEST = 1_000  # characters of what a process says of a cell or an answer


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


class Limits(NamedTuple):
    """What a notebook may take. Its seconds are those of a machine that has nothing else to do."""

    cell: float  # seconds
    gigabytes: float
    slowness: float = 1.0  # how many times as long a cell, and a check, may take here and now

    @property
    def check(self) -> float:
        """Seconds for all calls of a check."""
        return min(CHECK, self.cell / 2)

    @property
    def notebook(self) -> float:
        """Seconds for all cells."""
        return BUDGET * self.cell


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
        self.of_thread: dict[int, Contained] = {}

    def ask(self, *call) -> list:
        """What the judge of this thread answers to a call."""
        thread = threading.get_ident()
        try:
            if thread not in self.of_thread:
                self._start(thread)
            self.of_thread[thread].put(*call)
            return self.of_thread[thread].get(PATIENCE)
        except NoAnswer as error:
            if thread in self.of_thread:
                self.of_thread.pop(thread).stop()
            raise Stopped(f"its judge gave no answer: {error}", late=True) from None

    def _start(self, thread: int) -> None:
        process = Contained(JUDGE, readable=readable(self.compiled), gigabytes=self.gigabytes)
        self.of_thread[thread] = process
        process.wait_until_ready(PATIENCE)
        process.put("open", self.gigabytes, self.compiled)
        process.get(PATIENCE)

    def stop(self) -> None:
        """End all of them."""
        for process in list(self.of_thread.values()):
            process.stop()


def readable(compiled: tuple[str, str]) -> list[Path | str]:
    """What the processes of a marking may read beside the library."""
    home = course.own_home()
    return [home / "pyproject.toml", home / "data", *filter(None, compiled[:1])]


class Running:
    """A notebook that runs in a contained process.

    Parameters
    ----------
    work : HandedIn
    lesson : Lesson
    limits : Limits
    judges : Judges
    """

    def __init__(self, work: HandedIn, lesson: Lesson, limits: Limits, judges: Judges) -> None:
        self.work = work
        self.lesson = lesson
        self.judges = judges
        self.limits = limits
        self.exercises = {exercise.name for exercise in lesson.exercises}
        self.cells = {cell.number: cell for cell in cells_to_run(work, lesson)}
        # Of each answer that was judged, the number of its cell and its place there
        self.judged: set[tuple[int, int]] = set()
        self.without_name: dict[str, Cell] = {}  # exercises whose answers have used an unknown name
        self.deadline = math.inf
        self.contained: Contained | None = None

    def run(self) -> Iterator[Ran]:
        """Run the cells. When one has ended the process, a new process runs all the others from the first.

        An answer that is late ends the process too, and then its cell runs again with the others.
        """
        self.deadline = min(self.deadline, time.monotonic() + self.limits.notebook)
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
        gigabytes = self.limits.gigabytes
        seen = [*readable(compiled), *(EXERCISES / name for name in SEEN_OF_EXERCISES)]
        try:
            self.contained = Contained(MODULE, hidden=[EXERCISES], readable=seen, gigabytes=gigabytes)
            self.contained.wait_until_ready(PATIENCE)
            names = exercise_names(), given(cells)
            self.contained.put("open", cells, self.lesson.exercises, *names, gigabytes, compiled)
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
            words, answers = _read_reply(self._get(self.limits.cell))
            while words == IS_RIGHT:
                self.contained.put(GO_ON, self._is_right(answers))
                words, answers = _read_reply(self._get(self.limits.cell))
            for place, (exercise, answer) in enumerate(answers):
                is_new = (cell.number, place) not in self.judged or call[0] == "again"
                if is_new and self.contained is not None and exercise in self.exercises:
                    self.judged.add((cell.number, place))
                    verdicts.append(self._judge(exercise, answer))
        except NoAnswer as error:
            self.close()
            late = error.reason in (Reason.LATE, Reason.KILLED)
            return Ran(cell, str(error), late, verdicts, ended=True)
        failed = f"it failed with {clean(words, LONGEST)}" if words else ""
        return Ran(cell, failed, verdicts=verdicts)

    def _get(self, seconds: float) -> list:
        """The answer of the process to the last call."""
        try:
            return self.contained.get(seconds * self.limits.slowness)
        except NoAnswer as error:
            if error.reason is not Reason.LATE:
                raise
            raise NoAnswer(Reason.LATE, seconds) from None  # The same words, however busy the machine is.

    def _is_right(self, answers: list) -> bool:
        """Whether the one answer is right on which a cell goes on."""
        if len(answers) != 1 or answers[0][0] not in exercise_names():
            raise NoAnswer(Reason.INTERFERED)
        verdict = self._judge(*answers[0])
        if verdict.late or self.contained is None:  # It is not known, and the cell would ask again and again.
            raise NoAnswer(Reason.LATE, self.limits.check)
        return verdict.right

    def _judge(self, exercise: str, answer: dict) -> Verdict:
        """The verdict of the judge, whose calls go to the process, and whose answers come back."""
        self._check_the_time()
        message = self.judges.ask("judge", exercise, answer, self.limits.check, self.limits.slowness)
        busy = False  # whether the process is in the middle of a call
        while message[0] in ("call", GO_ON):
            self.contained.put(*message)
            try:
                reply = self._get(self.limits.check)
            except NoAnswer as error:
                if error.reason is not Reason.LATE:
                    raise
                busy = True
                message = self.judges.ask("wait")
            else:
                busy = reply[:1] != ["done"]
                message = self.judges.ask("answered", reply)
        if message == ["refused"]:
            raise NoAnswer(Reason.INTERFERED)
        if busy:
            self.close()
        return Verdict(**message[1])

    def _check_the_time(self) -> None:
        """`Stopped` if the notebook has no time left."""
        if time.monotonic() > self.deadline:
            raise Stopped(f"the notebook has used up its {self.limits.notebook:g} s", late=True)

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


def _read_reply(reply: list) -> tuple[str, list]:
    """Words from the process of a notebook, and the answers that it describes."""
    try:
        words, answers = reply
        return str(words), [(str(exercise), described) for exercise, described in answers]
    except (TypeError, ValueError):  # whatever a student's code may send
        raise NoAnswer(Reason.INTERFERED) from None


def cells_to_run(work: HandedIn, lesson: Lesson) -> list[Cell]:
    """The cells up to the last answer."""
    given = {cell.text for cell in lesson.cells}
    cells = [cell._replace(own=cell.text not in given) for cell in work.cells]
    asked = {exercise.name for exercise in lesson.exercises}
    speaking_of = asked | {exercise.answer for exercise in lesson.exercises}
    last = 0
    for cell in cells:
        if cell.own and (cell.words & speaking_of or cell.exercise in asked):
            last = cell.number
    return [cell for cell in cells if cell.number <= last]
