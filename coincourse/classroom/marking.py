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
from coincourse.classroom.handed_in import HandedIn, collect
from coincourse.classroom.marks import ABSENT, FAILED, MISSING, PASSED, UNTOUCHED, WRONG, Marks, Row
from coincourse.classroom.notebooks import CALL, Cell, Lesson, printable, read_lessons
from coincourse.classroom.running import Running, Stopped
from coincourse.outside import contained
from coinlib.arguments import number_in, sequence

ANSWERS = "answers"  # the folder of the desk with what came of each notebook
LATE = re.compile(r"no answer within")
TRUST = (
    "Handed-in code is code, and {}, so it would run with your rights: it could read and change your files. "
    "If you trust everybody who has handed in, add --trust. Otherwise mark in a container: docs/marking.md says how."
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

    The checks run beside the student's code, so a student can forge or spoil their own marks, and nobody
    else's.

    Parameters
    ----------
    folder : Path or str
        See `coincourse.classroom.handed_in.collect` for how students and lessons are recognised.
    desk : Path or str
        The folder in which results are kept as they come: what is there and has not changed is not marked again.
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
    folder, again = Path(folder), sequence(again, "again", "names of students")
    limits = number_in(seconds, "seconds", least=0.1), number_in(gigabytes, "gigabytes", least=0.1)
    if not folder.is_dir():
        raise course.CourseError(f"There is no folder {str(folder)!r}.")
    asked = read_lessons()
    files, warnings = collect(folder.resolve(), asked, Path(desk).resolve())
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
            course.write(kept[work.file], json.dumps(rows).encode())
    rows = [row for work in works for row in results[work.file]] + _absent(works, files, asked)
    rows.sort(key=lambda row: (row.lesson, row.student.casefold(), row.student))
    return Marks(rows, [(work.file, work.why_not) for work in files if not work.known], warnings)


def _wanted(files: list[HandedIn], lessons: tuple, folder: Path) -> list[HandedIn]:
    """What is to be marked of what was handed in; `CourseError` if that is nothing."""
    home = course.originals(course.home())
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


# --- one notebook -----------------------------------------------------------------------------------------


def judge(running: Running) -> list[Row]:
    """Run a notebook; a row for each exercise of its lesson."""
    work, given, rows, notes = running.work, {cell.text for cell in running.lesson.cells}, {}, {}
    stubs = {name for cell in work.cells if cell.text in given for name in CALL.findall(cell.source)}
    for name, _, section in running.lesson.exercises:
        came = (
            (UNTOUCHED, "The cell is as it was handed out.")
            if name in stubs
            else (MISSING, "The cell with its check is not there.")
        )
        about = {"file": work.file, "id": work.id, "code": _code(running, name), "section": section}
        rows[name] = Row(work.student, work.lesson, name, *came, **about)
    try:
        if work.why_not:
            raise Stopped(work.why_not)
        for cell, error, said in running.run():
            if error:
                first = printable(cell.source.strip().splitlines()[0])
                notes[cell.number] = f"cell {cell.number} ({first[:50]}): {error}"
            for name, outcome, message in _answered(cell, error, said):
                if name in rows and rows[name].outcome != PASSED:
                    code = _code(running, name, cell.number)
                    rows[name] = rows[name]._replace(outcome=outcome, message=message, code=code)
    except Stopped as error:
        for name, row in rows.items():
            if row.outcome in (UNTOUCHED, MISSING):
                rows[name] = row._replace(outcome=FAILED, message=f"Could not be judged: {error}.")
    finally:
        running.close()
    return [row._replace(not_run="\n".join(notes.values())) for row in rows.values()]


def _answered(cell: Cell, error: str, said: list[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Exercise, outcome and message of whatever a student's cell has answered."""
    if not cell.own:
        return
    for name, words in said:
        yield name, PASSED if words.startswith("✓ ") else WRONG, words
    silent = f"Its cell went wrong: {error}." if error else "Its check has said nothing."
    for name in set(CALL.findall(cell.source)) - {name for name, _ in said}:
        yield name, MISSING, silent


def _code(running: Running, exercise: str, last: float = math.inf) -> str:
    """What of a student's cells belongs to an answer: the last ones that name it, up to the one that gave it."""
    (answer,) = (answer for name, answer, _ in running.lesson.exercises if name == exercise)
    own = [cell.source for cell in running.cells.values() if cell.own and cell.number <= last]
    return "\n\n".join([source for source in own if re.search(rf"\b{answer}\b", source)][-2:])


# --- all of them ------------------------------------------------------------------------------------------


def _mark_all(
    works: list[HandedIn], asked: dict[str, Lesson], limits: tuple[float, float], jobs: int
) -> Iterator[tuple[HandedIn, list[Row]]]:
    """Each notebook with its rows, as they come; several run side by side, and all end with this.

    What came late, others may have made late by keeping the processor or the memory busy: that notebook runs
    once more at the end, alone.
    """
    if not works:
        return
    course.compile_ahead()
    compiled = contained.compiled_loops()
    notebooks = [Running(work, asked[work.lesson], limits, compiled) for work in works]
    pool, alone = ThreadPoolExecutor(jobs), []
    try:
        futures = {pool.submit(judge, running): running for running in notebooks}
        for future in as_completed(futures):
            running, rows = futures[future], future.result()
            work = running.work
            in_vain = [row.message + row.not_run for row in rows if row.outcome != PASSED]
            if (running.late or any(map(LATE.search, in_vain))) and min(jobs, len(works)) > 1:
                alone.append(work)
            else:
                yield work, rows
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for running in notebooks:
            running.stop()
        pool.shutdown()
    yield from _mark_all(alone, asked, limits, jobs=1)


# --- what is kept -----------------------------------------------------------------------------------------


def _answers(desk: Path | str, work: HandedIn, lesson: Lesson, limits: tuple[float, float]) -> Path:
    """Where the rows of a notebook are kept; another place once it has changed."""
    words = json.dumps([work.file, work.cells, work.why_not, lesson, limits])
    return Path(desk, ANSWERS, f"{work.lesson}-{hashlib.sha256(words.encode()).hexdigest()[:16]}.json")


def _read_answers(file: Path, work: HandedIn) -> list[Row]:
    """The rows of a notebook that was marked before; none if there are none."""
    rows = json.loads(file.read_bytes()) if file.is_file() else []
    return [Row(*row)._replace(student=work.student, id=work.id) for row in rows]
