"""The four steps of a marking in turn; the result of each notebook is saved as soon as it is known."""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tqdm.auto import tqdm

from coincourse import course
from coincourse.classroom.desk import keep_apart
from coincourse.classroom.handed_in import HandedIn, collect
from coincourse.classroom.marks import ABSENT, FAILED, Marks, Row
from coincourse.classroom.names import number_of
from coincourse.classroom.notebooks import Lesson, read_lessons
from coincourse.classroom.rows import rows_of
from coincourse.classroom.running import NOT_OPENED, Limits, Running
from coincourse.classroom.whose import folders_of, names_corrected
from coincourse.outside import answering, contained
from coincourse.outside.text import first_of
from coinlib.arguments import number_in, sequence

ANSWERS = "answers"  # the folder of the desk with the rows of each notebook
NO_NOTEBOOK = "No notebook of this lesson was found in what you handed in."
MOST_NOT_MARKED = 5  # files of a student in the notes of the sheet
FEW = 5  # A lesson from one student, or from at most one in five, may be a stray notebook.
INSIDE = "Judged in the student's own process, where the result could be forged, since the answer is not plain data"
TRUST = (
    "Handed-in code is code, and {}, so it would run with your rights: it could read and change your files. "
    "If you trust everyone who has handed something in, add --trust. "
    "Otherwise mark in a container: docs/marking-details.md says how."
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

    Answers are judged in another process, so students can spoil their own marks and forge none:
    see `coincourse.classroom`.

    Parameters
    ----------
    folder : Path or str
        See `coincourse.classroom.handed_in.collect` for how students and lessons are recognised.
    desk : Path or str
        The folder in which results are kept as they come: what is there and has not changed is not marked
        again. It must be outside `folder`.
    lessons : iterable of str
        Numbers or names of the lessons that are marked; none: all of them.
    again : iterable of str
        Parts of names, or numbers, of students who are marked again.
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
    redo = [work for work in works if _is_called(work, again)]
    if again and not redo:
        raise course.CourseError(f"No student called {' or '.join(again)} has handed in anything.")
    kept = {work.file: _answers(desk, work, asked[work.lesson], limits) for work in works}
    results = {work.file: _read_answers(kept[work.file], work) for work in works if work not in redo}
    waiting = [work for work in works if not results.get(work.file)]
    if waiting and (why := contained.why_plain()) and not trust:
        raise course.CourseError(TRUST.format(why))
    marked = _mark_all(waiting, asked, limits, jobs or min(os.cpu_count() or 1, 8))
    for work, rows in tqdm(marked, total=len(waiting), disable=None):  # no bar outside a terminal
        results[work.file] = rows
        try:
            _keep(kept[work.file], rows)
        except course.CourseError as error:
            warnings.append(f"{work.file} is marked, but the result was not saved: {error}")
    _require_that_some_ran([results[work.file] for work in waiting])
    rows = [row for work in works for row in results[work.file]] + _absent(works, files, asked)
    rows.sort(key=lambda row: (row.lesson, row.student.casefold(), row.student))
    left_out = [f"{work.file}: {work.why_not}" for work in files if not work.known]
    marks = Marks(rows, left_out, warnings, folders_of(files), _notes(works, files, rows), names_corrected(files))
    warnings += _lessons_of_few(works)
    inside = sorted(set().union(*marks.tried_inside().values()))
    if inside:
        warnings.append(f"{INSIDE}: {', '.join(inside)}.")
    return marks


def _require_that_some_ran(results: list[list[Row]]) -> None:
    """Raise `CourseError` if none of several notebooks could be opened: then the fault is not in the notebooks."""
    reasons = [next((row.message for row in rows if NOT_OPENED in row.message), "") for rows in results]
    if reasons and all(reasons):
        raise course.CourseError(f"Nothing can be marked on this computer. {reasons[0]}")


def _wanted(files: list[HandedIn], lessons: tuple, folder: Path) -> list[HandedIn]:
    """Return the files to be marked; `CourseError` if there are none."""
    home = course.originals(course.own_home())
    meant = {course.find_lesson(home, name).stem for name in lessons}
    works = [work for work in files if work.known and (not meant or work.lesson in meant)]
    if not works:
        of = f" of {', '.join(lessons)}" if lessons else ""
        why = " ".join(f"{work.file}: {work.why_not}." for work in files[:5] if not work.known)
        expected = "Expected NAME/04_hats.ipynb or NAME_04_hats.ipynb."
        raise course.CourseError(f"No handed-in notebook{of} was found in {str(folder)!r}. {why} {expected}")
    return works


def _keep(file: Path, rows: list[Row]) -> None:
    """Keep the results of a notebook, if all were judged."""
    if not any(row.outcome == FAILED for row in rows):
        course.write(file, json.dumps(rows).encode())


def _is_called(work: HandedIn, names: tuple[str, ...]) -> bool:
    called = f"{work.student} {work.id}".casefold()
    return any(name.casefold() in called for name in names)


def _absent(works: list[HandedIn], files: list[HandedIn], asked: dict[str, Lesson]) -> list[Row]:
    """Return a row for each exercise of a lesson that a student has not handed in and others have."""
    there = {(work.student, work.lesson) for work in works}
    found = _not_marked(files)
    message = {}
    for student, unreadable in found.items():
        said = first_of([work.for_student for work in unreadable], MOST_NOT_MARKED)
        message[student] = "\n".join([NO_NOTEBOOK, *said])
    return [
        Row(student, lesson, exercise.name, ABSENT, message.get(student, "Not handed in."), id=number)
        for lesson in {work.lesson for work in works}
        for student, number in {work.student: work.id for work in files if work.student}.items()
        if (student, lesson) not in there
        for exercise in asked[lesson].exercises
    ]


def _notes(works: list[HandedIn], files: list[HandedIn], rows: list[Row]) -> dict[str, list[str]]:
    """Return what the sheet says about the files of each student.

    That is which of several notebooks counts, and, if a lesson is missing, which files are not marked.
    """
    notes = defaultdict(list)
    for work in works:
        if work.note:
            notes[work.student].append(work.note)
    not_marked = _not_marked(files)
    for student in {row.student for row in rows if row.outcome == ABSENT} & not_marked.keys():
        named = [f"{work.file} ({work.why_not})" for work in not_marked[student]]
        notes[student].append(f"not marked: {', '.join(first_of(named, MOST_NOT_MARKED))}")
    return notes


def _not_marked(files: list[HandedIn]) -> dict[str, list[HandedIn]]:
    """Return the files of each student that cannot be marked."""
    found = defaultdict(list)
    for work in files:
        if not (work.known or work.replaced):
            found[work.student].append(work)
    return found


def _lessons_of_few(works: list[HandedIn]) -> list[str]:
    """Return a warning if hardly anyone has handed in a lesson, because it counts in every total."""
    students = defaultdict(set)
    for work in works:
        students[work.lesson].add(work.student)
    most = max(map(len, students.values()))
    few = sorted(lesson for lesson, names in students.items() if len(names) <= max(1, most // FEW) < most / 2)
    if not few:
        return []
    names = sorted(set().union(*(students[lesson] for lesson in few)))
    others = " ".join(f"--lesson {number_of(lesson)}" for lesson in sorted(students.keys() - few))
    who = ", ".join(first_of(names, MOST_NOT_MARKED))
    what = ", ".join(map(number_of, few))
    return [f"What only {who} handed in counts in everyone's total: {what}. To leave it out, mark again with {others}."]


# --- all of them ----------------------------------------------------------------------------------------


def _mark_all(
    works: list[HandedIn], asked: dict[str, Lesson], limits: Limits, jobs: int
) -> Iterator[tuple[HandedIn, list[Row]]]:
    """Yield each notebook with its rows as they come; several run at once.

    Another notebook may have kept the processor or the memory busy. So a notebook that was late runs once more
    at the end, alone.
    """
    if not works:
        return
    course.compile_ahead()
    jobs = min(jobs, len(works))
    late = []
    for work, rows in _mark_side_by_side(works, asked, limits, jobs):
        if any(row.late for row in rows) and jobs > 1:
            late.append(work)
        else:
            yield work, rows
    yield from _mark_side_by_side(late, asked, limits, jobs=1)


def _mark_side_by_side(
    works: list[HandedIn], asked: dict[str, Lesson], limits: Limits, jobs: int
) -> Iterator[tuple[HandedIn, list[Row]]]:
    """Yield each notebook with its rows as they come; all processes end with this."""
    compiled = answering.compiled_loops()
    notebooks = [Running(work, asked[work.lesson], limits, compiled) for work in works]
    pool = ThreadPoolExecutor(jobs)
    try:
        futures = {pool.submit(rows_of, running): running.work for running in notebooks}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for running in notebooks:
            running.stop()
        pool.shutdown()


# --- what is kept ---------------------------------------------------------------------------------------


def _answers(desk: Path | str, work: HandedIn, lesson: Lesson, limits: Limits) -> Path:
    """Return where the rows of a notebook are kept: another place once it has changed."""
    words = json.dumps([work.file, work.notebook, work.why_not, lesson, limits])
    return Path(desk, ANSWERS, f"{work.lesson}-{hashlib.sha256(words.encode()).hexdigest()[:16]}.json")


def _read_answers(file: Path, work: HandedIn) -> list[Row]:
    """Return the rows of a notebook that was marked before, or none."""
    rows = json.loads(file.read_bytes()) if file.is_file() else []
    return [Row(*row)._replace(student=work.student, id=work.id) for row in rows]
