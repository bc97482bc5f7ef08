"""students.csv: which student each file belongs to, in a table that the teacher can correct."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from coincourse.classroom.desk import SETTINGS, read_settings, read_text
from coincourse.classroom.marks import guarded
from coincourse.classroom.whose import HandedIn
from coincourse.course import CourseError, write
from coincourse.outside.text import clean

STUDENTS = "students.csv"
LONGEST_NAME = 200


def follow(results: Path, files: Iterable[HandedIn]) -> None:
    """Let the rows of students.csv say whose each file is, and append a row for each new file.

    Existing rows are never changed.

    Parameters
    ----------
    results : Path
        The folder of students.csv, which is made if need be.
    files : iterable of HandedIn
        Their students are set.
    """
    file = results / STUDENTS
    text = read_text(file)
    if text.strip():
        separator = max(",;\t", key=text.lstrip().partition("\n")[0].count)
    else:
        separator = read_settings(results / SETTINGS)[1]
        text = f"path{separator}student\r\n"
    head, students = _read(file, text, separator)
    new = io.StringIO()
    writer = csv.DictWriter(new, head, delimiter=separator)
    for work in files:
        path, guess = guarded(work.file), guarded(work.student)
        student = students.get(path, students.get(work.file))
        if student is None:
            writer.writerow({"path": path, "student": guess})
        elif student != guess:
            work.student = clean(_without_guard(student.strip()), LONGEST_NAME)
            if not work.student:
                work.why_not = f"{STUDENTS} names no student for it"
    if new.getvalue():
        between = "" if text.endswith("\n") else "\r\n"
        write(file, (text + between + new.getvalue()).encode("utf-8-sig"))


def _read(file: Path, text: str, separator: str) -> tuple[list[str], dict[str, str]]:
    """Return the names of a table's columns, and its students by path."""
    try:
        first, *lines = csv.reader(io.StringIO(text.lstrip(), newline=""), delimiter=separator, strict=True)
    except csv.Error as error:
        raise CourseError(f"{file}: {error}.") from None
    head = [cell.strip().lower() for cell in first]
    if not {"path", "student"} <= {*head}:
        raise CourseError(f"{file}: expected path{separator}student in the first line.")
    rows = [dict(zip(head, line + [""] * len(head))) for line in lines]
    return head, {row["path"]: row["student"] for row in rows}


def _without_guard(student: str) -> str:
    """Return a name without the apostrophe that keeps a spreadsheet from computing it."""
    return student[1:] if student[:1] == "'" and student[1:2] in tuple("=+-@") else student
