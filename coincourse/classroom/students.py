"""students.csv: which student each file belongs to, in a table that the teacher can correct."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from coincourse.classroom.desk import SETTINGS, read_settings, read_text
from coincourse.classroom.marks import as_csv
from coincourse.classroom.whose import HandedIn
from coincourse.course import CourseError, write
from coincourse.outside.text import clean

STUDENTS = "students.csv"
HEAD = ["path", "student"]
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
    text, encoding = read_text(file)
    table = _read(file, text) or Table(HEAD, {}, read_settings(results / SETTINGS)[1])
    files = list(files)
    guesses = pd.DataFrame([(work.file, work.student) for work in files], columns=HEAD)
    written = as_csv(guesses, table.separator).decode("utf-8-sig").splitlines()
    new = []
    for work, (path, guess) in zip(files, csv.reader(written[1:], delimiter=table.separator)):
        student = table.students.get(path, table.students.get(work.file))
        if student is None:
            new.append(table.line({"path": path, "student": guess}))
        elif student != guess:
            work.student = clean(_without_guard(student.strip()), LONGEST_NAME)
            if not work.student:
                work.why_not = f"{STUDENTS} names no student for it"
    if new and not text.strip():
        new.insert(0, table.line(dict(zip(HEAD, HEAD))))
    if new:
        write(file, _appended(text, "".join(new), encoding))


class Table(NamedTuple):
    """A table of students."""

    head: list[str]
    students: dict[str, str]  # by path
    separator: str

    def line(self, cells: dict[str, str]) -> str:
        """Return a new line of the table."""
        file = io.StringIO()
        csv.DictWriter(file, self.head, delimiter=self.separator).writerow(cells)
        return file.getvalue()


def _read(file: Path, text: str) -> Table | None:
    """Return the table that a text contains, or None if it is empty."""
    if not text.strip():
        return None
    separator = max(",;\t", key=text.lstrip().partition("\n")[0].count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        lines = [line for line in reader if any(line)]
    except csv.Error as error:
        raise CourseError(f"{file}: {error}.") from None
    head = [cell.strip().lower() for cell in lines[0]]
    if not {*HEAD} <= {*head}:
        raise CourseError(f"{file}: expected path{separator}student in the first line.")
    rows = [dict(zip(head, line + [""] * len(head))) for line in lines[1:]]
    return Table(head, {row["path"]: row["student"] for row in rows}, separator)


def _without_guard(student: str) -> str:
    """Return a name without the apostrophe that keeps a spreadsheet from computing it."""
    return student[1:] if student[:1] == "'" and student[1:2] in tuple("=+-@") else student


def _appended(text: str, new: str, encoding: str) -> bytes:
    """Return the text of a file with new lines at its end, in its encoding if that has all characters."""
    between = "\r\n" if text.strip() and not text.endswith("\n") else ""
    whole = text + between + new
    try:
        return whole.encode(encoding)
    except UnicodeEncodeError:
        return whole.encode("utf-8-sig")
