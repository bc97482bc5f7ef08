"""Marking: each handed-in notebook runs in a contained process, and what came of it is kept as it comes."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tqdm.auto import tqdm

from coincourse import course
from coincourse.checks.judging import name_and_message
from coincourse.checks.verdict import Verdict, cut
from coincourse.classroom.desk import keep_apart
from coincourse.classroom.handed_in import HandedIn, collect
from coincourse.classroom.marks import ABSENT, FAILED, MISSING, NOT_WRITTEN, PASSED, WRONG, Marks, Row
from coincourse.classroom.notebooks import Lesson, read_lessons
from coincourse.classroom.running import LONGEST, Judges, Limits, Ran, Running, Stopped
from coincourse.classroom.whose import folders_of
from coincourse.outside import contained
from coincourse.outside.text import clean, clean_lines, printable, printable_lines
from coinlib.arguments import number_in, sequence

ANSWERS = "answers"  # the folder of the desk with what came of each notebook
MOST_NOTES = 30  # cells of a notebook of which it is said that they could not run
SLOWEST = 5.0  # so many times as long a notebook's cells and checks may take at most, since others are busy
OPEN = "Not written yet."
LONGEST_CODE = 10_000  # characters of a student's code that are kept with an answer
INSIDE = "Tried beside the student's code, who could forge it, since its answer is no plain data"
TRUST = (
    "Handed-in code is code, and {}, so it would run with your rights: it could read and change your files. "
    "If you trust everybody who has handed in, add --trust. "
    "Otherwise mark in a container: docs/marking.md says how."
)


def mark(
    folder: Path | str,
    desk: Path | str,
    lessons: Iterable[str] = (),
    *,
    again: Iterable[str] = (),
    seconds: float = 30.0,
    gigabytes: float = 2.0,
    jobs: int | None = None,
    trust: bool = False,
) -> Marks:
    """Mark the handed-in notebooks of a folder, each in a contained process.

    A judge in a process of its own calls the student's functions, so a student can spoil their own marks, and
    forge nobody's.

    Parameters
    ----------
    folder : Path or str
        See `coincourse.classroom.handed_in.collect` for how students and lessons are recognised.
    desk : Path or str
        The folder in which results are kept as they come: what is there and has not changed is not marked
        again. It lies outside `folder`.
    lessons : iterable of str
        Numbers or names of the lessons that are marked; none at all means all of them.
    again : iterable of str
        Parts of names, or numbers, of students who are marked again in any case.
    seconds : float
        How long a cell may take; a notebook may take ten times that.
    gigabytes : float
        Memory of a process, on Unix.
    jobs : int, optional
        How many notebooks run at once (default: one for each core, at most 8).
    trust : bool
        Whether notebooks may run where bubblewrap does not work.

    Returns
    -------
    Marks
    """
    folder = Path(folder)
    again = sequence(again, "again", "names of students")
    limits = Limits(number_in(seconds, "seconds", least=0.1), number_in(gigabytes, "gigabytes", least=0.1))
    if not folder.is_dir():
        raise course.CourseError(f"There is no folder {str(folder)!r}.")
    keep_apart(folder, desk)
    asked = read_lessons()
    files, warnings = collect(folder.resolve(), asked, Path(desk))
    works = _wanted(files, sequence(lessons, "lessons", "numbers or names of lessons"), folder)
    called = {work.file: f"{work.student} {work.id}".casefold() for work in works}
    redo = [work for work in works if any(name.casefold() in called[work.file] for name in again)]
    if again and not redo:
        raise course.CourseError(f"Nobody called {' or '.join(again)} has handed in anything.")
    kept = {work.file: _answers(desk, work, asked[work.lesson], limits) for work in works}
    results = {work.file: _read_answers(kept[work.file], work) for work in works if work not in redo}
    waiting = [work for work in works if not results.get(work.file)]
    if waiting and (why := contained.why_plain()) and not trust:
        raise course.CourseError(TRUST.format(why))
    marked = _mark_all(waiting, asked, limits, jobs or min(os.cpu_count() or 1, 8))
    for work, rows in tqdm(marked, total=len(waiting), disable=None):  # no bar where nobody sees it
        results[work.file] = rows
        if not any(row.outcome == FAILED for row in rows):
            try:
                course.write(kept[work.file], json.dumps(rows).encode())
            except course.CourseError as error:
                warnings.append(f"{work.file} is marked, and must be marked again next time: {error}")
    rows = [row for work in works for row in results[work.file]] + _absent(works, files, asked)
    rows.sort(key=lambda row: (row.lesson, row.student.casefold(), row.student))
    left_out = [(work.file, work.why_not) for work in files if not work.known]
    marks = Marks(rows, left_out, warnings, folders_of(files))
    inside = sorted(set().union(*marks.tried_inside().values()))
    if inside:
        warnings.append(f"{INSIDE}: {', '.join(inside)}.")
    return marks


def _wanted(files: list[HandedIn], lessons: tuple, folder: Path) -> list[HandedIn]:
    """What is to be marked of what was handed in; `CourseError` if that is nothing."""
    home = course.originals(course.own_home())
    meant = {course.find_lesson(home, name).stem for name in lessons}
    works = [work for work in files if work.known and (not meant or work.lesson in meant)]
    if not works:
        of = f" of {', '.join(lessons)}" if lessons else ""
        why = " ".join(f"{work.file}: {work.why_not}." for work in files[:5] if not work.known)
        expected = "Expected NAME/04_hats.ipynb or NAME_04_hats.ipynb."
        raise course.CourseError(f"No handed-in notebook{of} was found in {str(folder)!r}. {why} {expected}")
    return works


def _absent(works: list[HandedIn], files: list[HandedIn], asked: dict[str, Lesson]) -> list[Row]:
    """A row for each exercise of a lesson that others have handed in and a student has not."""
    there = {(work.student, work.lesson) for work in works}
    return [
        Row(student, lesson, exercise.name, ABSENT, "Not handed in.", id=number)
        for lesson in {work.lesson for work in works}
        for student, number in {work.student: work.id for work in files if work.student}.items()
        if (student, lesson) not in there
        for exercise in asked[lesson].exercises
    ]


# --- one notebook ---------------------------------------------------------------------------------------


def judge(running: Running) -> list[Row]:
    """Run a notebook; a row for each exercise of its lesson."""
    rows = _rows_before(running)
    answered_in: dict[str, int] = {}  # the cell whose answer a row speaks of, by the name of the exercise
    went_wrong: dict[int, str] = {}  # by the number of the cell
    late = False
    why_not = ""
    try:
        if running.work.why_not:
            raise Stopped(running.work.why_not)
        for ran in running.run():
            late = late or ran.late
            if ran.error:
                first_line = printable(ran.cell.source.strip().splitlines()[0])[:50].rstrip(":")
                went_wrong[ran.cell.number] = f"cell {ran.cell.number} ({first_line}): {ran.error}"
            changed = _rows_after(rows, ran)
            rows |= changed
            answered_in |= dict.fromkeys(changed, ran.cell.number)
    except Stopped as error:
        late = late or error.late
        why_not = str(error)
    except Exception as error:  # noqa: BLE001 - one notebook stops no other
        why_not = f"the marking itself failed with {clean(name_and_message(error), LONGEST)}"
    finally:
        running.close()
    if why_not:
        for name, row in rows.items():
            if row.outcome in (NOT_WRITTEN, MISSING):
                rows[name] = row._replace(outcome=FAILED, message=f"Could not be judged: {why_not}.")
    judged = []
    for name, row in rows.items():
        code = _code(running, name, answered_in.get(name, math.inf))
        judged.append(row._replace(code=code, late=row.late or late))
    # What did not run is said once, and not with each exercise.
    judged[0] = judged[0]._replace(not_run=_lines(list(went_wrong.values())))
    return judged


def _lines(notes: list[str]) -> str:
    """Notes under each other; of very many the first."""
    more = [f"... and {len(notes) - MOST_NOTES} more cells"] if len(notes) > MOST_NOTES else []
    return "\n".join(notes[:MOST_NOTES] + more)


def _rows_before(running: Running) -> dict[str, Row]:
    """The row of each exercise before a cell has run."""
    work = running.work
    exercise_of_stub = {cell.text: cell.exercise for cell in running.lesson.cells}
    untouched = {exercise_of_stub.get(cell.text) for cell in work.cells}
    rows = {}
    for name, _, section in running.lesson.exercises:
        if name in untouched:
            came = (NOT_WRITTEN, OPEN)
        else:
            came = (MISSING, "The cell with its check is not there.")
        rows[name] = Row(work.student, work.lesson, name, *came, file=work.file, id=work.id, section=section)
    return rows


def _rows_after(rows: dict[str, Row], ran: Ran) -> dict[str, Row]:
    """The rows that a student's cell has changed; one right answer to an exercise is enough."""
    changed: dict[str, Row] = {}
    if not ran.cell.own:
        return changed
    for verdict in ran.verdicts:
        row = changed.get(verdict.exercise, rows[verdict.exercise])
        if row.outcome != PASSED:
            changed[verdict.exercise] = row._replace(
                outcome=_outcome(verdict),
                message=clean_lines(str(verdict), LONGEST) if verdict.written else OPEN,
                hint=verdict.hint,
                error=clean(verdict.error, LONGEST),
                late=verdict.late,
            )
    if ran.again:
        return changed
    # Of an exercise that the cell asks about, its check may have said nothing.
    silence = f"Its cell went wrong: {ran.error}." if ran.error else "Its check has said nothing."
    asked = ran.cell.answered & rows.keys()
    for name in asked - {verdict.exercise for verdict in ran.verdicts}:
        if rows[name].outcome not in (PASSED, WRONG):
            changed[name] = rows[name]._replace(outcome=MISSING, message=silence)
    return changed


def _outcome(verdict: Verdict) -> str:
    if verdict.right:
        return PASSED
    return WRONG if verdict.written else NOT_WRITTEN


def _code(running: Running, exercise: str, last: float = math.inf) -> str:
    """What of a student's cells belongs to an answer: the last that name it, up to that which gave it."""
    (answer,) = (answer for name, answer, _ in running.lesson.exercises if name == exercise)
    own = [cell.source for cell in running.cells.values() if cell.own and cell.number <= last]
    naming = [source for source in own if re.search(rf"\b{answer}\b", source)]
    return cut(printable_lines("\n\n".join(naming[-2:])), LONGEST_CODE)


# --- all of them ----------------------------------------------------------------------------------------


def _mark_all(
    works: list[HandedIn], asked: dict[str, Lesson], limits: Limits, jobs: int
) -> Iterator[tuple[HandedIn, list[Row]]]:
    """Each notebook with its rows, as they come; several run side by side.

    What came late, others may have made late by keeping the processor or the memory busy: that notebook runs
    once more at the end, alone, and has more time where the machine is busy all the same.
    """
    if not works:
        return
    course.compile_ahead()
    late = []
    for work, rows in _mark_side_by_side(works, asked, limits, jobs):
        if any(row.late for row in rows) and (min(jobs, len(works)) > 1 or slowness() > 1):
            late.append(work)
        else:
            yield work, rows
    if late:
        yield from _mark_side_by_side(late, asked, limits._replace(slowness=slowness()), jobs=1)


def slowness() -> float:
    """How many programs share a core just now, at most `SLOWEST`: so many times as long everything takes."""
    if not hasattr(os, "getloadavg"):  # on Windows
        return 1.0
    programs = os.getloadavg()[0]
    return min(max(programs / (os.cpu_count() or 1), 1.0), SLOWEST)


def _mark_side_by_side(
    works: list[HandedIn], asked: dict[str, Lesson], limits: Limits, jobs: int
) -> Iterator[tuple[HandedIn, list[Row]]]:
    """Each notebook with its rows, as they come; whatever still runs ends with this."""
    judges = Judges(contained.compiled_loops(), limits.gigabytes)
    notebooks = [Running(work, asked[work.lesson], limits, judges) for work in works]
    pool = ThreadPoolExecutor(jobs)
    try:
        futures = {pool.submit(judge, running): running.work for running in notebooks}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for running in notebooks:
            running.stop()
        judges.stop()
        pool.shutdown()


# --- what is kept ---------------------------------------------------------------------------------------


def _answers(desk: Path | str, work: HandedIn, lesson: Lesson, limits: Limits) -> Path:
    """Where the rows of a notebook are kept; another place once it has changed."""
    words = json.dumps([work.file, work.cells, work.why_not, lesson, limits])
    return Path(desk, ANSWERS, f"{work.lesson}-{hashlib.sha256(words.encode()).hexdigest()[:16]}.json")


def _read_answers(file: Path, work: HandedIn) -> list[Row]:
    """The rows of a notebook that was marked before; none if there are none."""
    rows = json.loads(file.read_bytes()) if file.is_file() else []
    return [Row(*row)._replace(student=work.student, id=work.id) for row in rows]
