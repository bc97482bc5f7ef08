"""Marking: every handed-in notebook is judged, and what came of it is a table."""

from __future__ import annotations

import csv
import io
import json
import os
import queue
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from coincourse import course
from coincourse.checks import engine
from coincourse.classroom.collect import HandedIn, collect
from coincourse.classroom.judge import FAILED, MISSING, PASSED, UNTOUCHED, WRONG, Verdict
from coincourse.classroom.lessons import Cell, cells_of, exercises_of
from coincourse.classroom.pupil import GRACE, Limits
from coincourse.outside.contained import Contained, Ended, Late
from coinlib.arguments import number_in, sequence, shown, whole_number
from coinlib.files import whole_file

if TYPE_CHECKING:
    import pandas as pd

ABSENT = "not handed in"
OUTCOMES = (PASSED, WRONG, UNTOUCHED, MISSING, FAILED, ABSENT)
COLUMNS = ("student", "lesson", "exercise", "passed", "outcome", "message", "not_run", "file")
MODULE = "coincourse.classroom.judge"
LONGEST = 1_000_000  # bytes of one word of a judge
PATIENCE = 120.0  # seconds for starting Python
CALL = engine.SECONDS  # for one call of a student's function: what a check in a notebook allows for all of them
BUDGET = 10  # a notebook may take so many times what a cell may


@dataclass
class Marks:
    """What came of the marking.

    Attributes
    ----------
    rows : list of dict
        One for each student and exercise; see `COLUMNS`.
    strange : list of pairs of str
        Files that were not recognised, and why.
    """

    rows: list[dict[str, str]] = field(default_factory=list)
    strange: list[tuple[str, str]] = field(default_factory=list)

    def to_frame(self) -> pd.DataFrame:
        """The table: a row for each student and exercise."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(COLUMNS))

    def outcome(self, student: str, exercise: str) -> str:
        """One outcome by name; LookupError if there is none."""
        for row in self.rows if isinstance(student, str) and isinstance(exercise, str) else ():
            if (row["student"], row["exercise"]) == (student, exercise):
                return row["outcome"]
        raise LookupError(f"there is no outcome for student {shown(student)} and exercise {shown(exercise)}")

    def write(self, file: Path) -> None:
        """Write the table as CSV, for a spreadsheet: UTF-8 with a mark, and no cell that it would compute.

        Raises TypeError or ValueError if `file` is no path, OSError if it cannot be written.
        """
        file = Path(file)
        text = io.StringIO(newline="")
        table = csv.writer(text)
        table.writerow(COLUMNS)
        table.writerows([_harmless(row[column]) for column in COLUMNS] for row in self.rows)
        with whole_file(file) as half:
            half.write_bytes(text.getvalue().encode("utf-8-sig", errors="backslashreplace"))


def _harmless(words: str) -> str:
    """A spreadsheet takes what begins with one of these for a formula.

    Examples
    --------
    >>> _harmless("=1+1"), _harmless("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{words}" if words.startswith(("=", "+", "-", "@", "\t", "\r")) else words


def mark(
    folder: Path | str,
    lessons: Iterable[str] = (),
    *,
    seconds: float = 30.0,
    gigabytes: float = 2.0,
    jobs: int | None = None,
    tell: Callable[[HandedIn, list[dict[str, str]]], None] | None = None,
) -> Marks:
    """Judge the handed-in notebooks of a folder, each in a process of its own.

    All of them are read before the first is run. What a student's code prints, patches or ends counts for
    nothing: the checks run in another process, which asks the student's functions and gets back plain data.

    Parameters
    ----------
    folder : Path or str
        See `coincourse.classroom.collect.collect` for how students and lessons are recognised.
    lessons : iterable of str
        Numbers or names of the lessons that are marked; none at all means all of them.
    seconds : float
        How long one cell may take; a notebook may take ten times that.
    gigabytes : float
        How much memory a process may use; on Unix.
    jobs : int, optional
        How many notebooks run at once, at most four for each core (default: one for each core, at most 8).
    tell : function (HandedIn, rows), optional
        Is told of each notebook that is done.

    Returns
    -------
    Marks

    Raises
    ------
    TypeError, ValueError
        If an argument is none of these.
    coincourse.course.CourseError
        If the folder is missing, or nothing in it is recognised.
    """
    folder = Path(folder)
    listed = sequence(lessons, "lessons", "numbers or names of lessons")
    seconds, gigabytes = number_in(seconds, "seconds", 1e-3), number_in(gigabytes, "gigabytes", 1e-3)
    jobs = None if jobs is None else whole_number(jobs, "jobs", 1, 4 * (os.cpu_count() or 1))
    if tell is not None and not callable(tell):
        raise TypeError(f"tell: expected a function, got {shown(tell)}")
    if not folder.is_dir():
        raise course.CourseError(f"There is no folder {str(folder)!r}.")
    asked = _lessons()
    handed_in, strange = collect(folder, {name: _exercises(cells) for name, cells in asked.items()})
    if listed:
        home = course.originals(course.home())
        meant = {course.find_lesson(home, name).stem for name in listed}
        handed_in = [one for one in handed_in if one.lesson in meant]
    if not handed_in:
        raise course.CourseError(_nothing(folder, strange, list(listed)))
    marks = Marks(strange=strange)
    results = _judge_all(handed_in, asked, Limits(seconds, min(seconds, CALL), seconds * BUDGET, gigabytes), jobs, tell)
    for one, rows in zip(handed_in, results):
        marks.rows += rows
    marks.rows += _absent(handed_in, asked)
    order = {name: place for place, name in enumerate(asked)}
    marks.rows.sort(key=lambda row: (order[row["lesson"]], row["student"].casefold(), row["student"]))
    return marks


def _lessons() -> dict[str, list[Cell]]:
    """The lessons of the course by name, each with its cells."""
    home = course.originals(course.home())
    return {name.stem: cells_of((home / name).read_bytes()) for name in course.notebooks(home)}


def _exercises(cells: list[Cell]) -> list[str]:
    return [exercise.name for exercise in exercises_of(cells)]


def _nothing(folder: Path, strange: list[tuple[str, str]], wanted: list[str]) -> str:
    which = f" of {', '.join(wanted)}" if wanted else ""
    words = f"No handed-in notebook{which} was found in {str(folder)!r}."
    if strange:
        words += " " + " ".join(f"{name}: {why}." for name, why in strange[:5])
    return f"{words} Expected NAME/04_hats.ipynb or NAME_04_hats.ipynb."


def _absent(handed_in: list[HandedIn], asked: dict[str, list[Cell]]) -> list[dict[str, str]]:
    """A row for each exercise of a lesson that others have handed in and a student has not."""
    there = {(one.student, one.lesson) for one in handed_in}
    return [
        _row(student, lesson, Verdict(name, ABSENT, "No notebook of this lesson was handed in."))
        for lesson in dict.fromkeys(one.lesson for one in handed_in)
        for student in dict.fromkeys(one.student for one in handed_in)
        if (student, lesson) not in there
        for name in _exercises(asked[lesson])
    ]


def _row(student: str, lesson: str, verdict: Verdict, notes: str = "", file: str = "") -> dict[str, str]:
    passed = "yes" if verdict.outcome == PASSED else "no"
    words = (student, lesson, verdict.exercise, passed, verdict.outcome, verdict.message, notes, file)
    return dict(zip(COLUMNS, words, strict=True))


# --- the judges' processes ----------------------------------------------------------------------------------


def _judge_all(
    handed_in: list[HandedIn],
    asked: dict[str, list[Cell]],
    limits: Limits,
    jobs: int | None,
    tell: Callable | None,
) -> list[list[dict[str, str]]]:
    """The rows of each notebook, in order; several judges work side by side."""
    results: list[list[dict[str, str]]] = [[] for _ in handed_in]
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[int | BaseException] = queue.SimpleQueue()
    for place in range(len(handed_in)):
        waiting.put(place)
    judges = [_Judge(limits) for _ in range(min(jobs or min(os.cpu_count() or 1, 8), len(handed_in)))]

    def work(judge: _Judge) -> None:
        try:
            while True:
                place = waiting.get_nowait()
                results[place] = judge.rows(handed_in[place], asked[handed_in[place].lesson])
                done.put(place)
        except queue.Empty:
            pass
        except BaseException as error:  # noqa: BLE001 - told to whoever waits
            done.put(error)

    threads = [threading.Thread(target=work, args=(judge,), daemon=True) for judge in judges]
    try:
        for thread in threads:
            thread.start()
        for _ in handed_in:
            place = done.get()
            if isinstance(place, BaseException):
                raise place
            if tell is not None:
                tell(handed_in[place], results[place])
    finally:
        for judge in judges:
            judge.close()
    return results


class _Judge:
    """A judge's process, which is started when there is work, and again when it had to be ended."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._worker: Contained | None = None
        self._closed = False

    def rows(self, one: HandedIn, lesson: list[Cell]) -> list[dict[str, str]]:
        """What came of one notebook: a row for each exercise of its lesson."""
        verdicts: dict[str, Verdict] = {}
        notes: list[str] = []
        why = one.why_not or self._ask(one, lesson, verdicts, notes)
        default = Verdict("", FAILED, f"Could not be judged: {why}.") if why else _MISSING
        return [
            _row(
                one.student,
                one.lesson,
                verdicts.get(name, default._replace(exercise=name)),
                " | ".join(notes),
                one.path.as_posix(),
            )
            for name in _exercises(lesson)
        ]

    def _ask(self, one: HandedIn, lesson: list[Cell], verdicts: dict[str, Verdict], notes: list[str]) -> str:
        """Let it judge a notebook; what it says is collected. Why it has not come to the end, or ""."""
        order = json.dumps({"lesson": lesson, "handed_in": one.cells, "limits": self.limits})
        try:
            self._start()
            self._worker.send(order.encode("ascii") + b"\n", PATIENCE)
            while True:
                match json.loads(self._worker.receive(self.limits.total + 10 * GRACE + PATIENCE) or b"null"):
                    case ["verdict", *verdict]:
                        verdicts[verdict[0]] = Verdict(*verdict)
                    case ["note", words]:
                        notes.append(words)
                    case ["end"]:
                        return ""
                    case _:
                        raise Ended("it said something that nobody understands")
        except Late:
            why = "the judge's process took too long"
        except (Ended, OSError) as error:
            why = f"the judge's process was lost: {error}"
        self.close(for_good=False)
        return why

    def _start(self) -> None:
        if self._worker is None and not self._closed:
            ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            self._worker = Contained(MODULE, LONGEST, environment=ours, plain=True)
            if self._worker.receive(PATIENCE) != b'["ready"]':
                raise Ended("it did not say that it was ready")
        if self._closed:
            raise Ended("the marking was stopped")

    def close(self, for_good: bool = True) -> None:
        self._closed |= for_good
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()


_MISSING = Verdict("", MISSING, "The cell that hands an answer to its check is not there.")
