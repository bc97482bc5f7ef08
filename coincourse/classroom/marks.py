"""What came of a marking: a long table, and a sheet with a row for each student."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

PASSED, WRONG, UNTOUCHED, MISSING, FAILED = "passed", "wrong", "not tried", "no answer", "not judged"
ABSENT = "not handed in"
COLUMNS = ("student", "lesson", "exercise", "passed", "outcome", "message", "not_run", "file", "id")
ONE_EACH: Mapping[str, float] = MappingProxyType({})
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # a spreadsheet computes what begins so


class Row(NamedTuple):
    """What came of one exercise of one student."""

    student: str
    id: str
    lesson: str
    exercise: str
    outcome: str
    message: str = ""
    not_run: str = ""  # a line for each cell of the notebook that went wrong
    file: str = ""
    code: str = ""
    section: str = ""  # of the lesson

    @property
    def passed(self) -> str:
        return "yes" if self.outcome == PASSED else "no"


@dataclass
class Marks:
    """What came of a marking.

    Attributes
    ----------
    rows : list of Row
        One for each student and exercise.
    left_out : list of pairs of str
        Files and folders that were not marked, and why.
    warnings : list of str
        What a teacher must know about who is who.
    """

    rows: list[Row] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def of(self, student: str) -> list[Row]:
        """The rows of a student."""
        return [row for row in self.rows if row.student == student]

    def students(self) -> list[str]:
        """Who is in the table."""
        return sorted({row.student for row in self.rows}, key=lambda name: (name.casefold(), name))

    def table(self) -> list[list[str]]:
        """The table with its head."""
        lines = (row._replace(not_run=row.not_run.replace("\n", " | ")) for row in self.rows)
        return [list(COLUMNS), *([getattr(line, column) for column in COLUMNS] for line in lines)]

    def sheet(self, counts: Mapping[str, float] = ONE_EACH, decimal: str = ".") -> list[list[str]]:
        """A row for each student, with a column for each lesson and a total; the head says what can be reached.

        `counts` has the points of exercises and the weights of lessons by name, where these are not 1. A
        student whom the learning platform has given several numbers gets none here.

        Examples
        --------
        >>> rows = [Row("Ada", "4711", "04_hats", *words) for words in (("draw", "passed"), ("settle", "wrong"))]
        >>> Marks(rows).sheet({"draw": 2.5}, decimal=",")
        [['student', 'id', '04_hats (of 3,5)', 'total (of 3,5)'], ['Ada', '4711', '2,5', '2,5']]
        """

        def written(number: float) -> str:
            return f"{round(number, 2):.12g}".replace(".", decimal)

        most = self._points({(row.lesson, row.exercise): row for row in self.rows}.values(), counts)
        lines = []
        for student in self.students():
            rows = self.of(student)
            numbers = {row.id for row in rows if row.id}
            absent = {row.lesson for row in rows if row.outcome == ABSENT}
            reached = self._points((row for row in rows if row.outcome == PASSED), counts)
            points = ["" if name in absent else written(number) for name, number in reached.items()]
            lines.append([student, *numbers, *points] if len(numbers) == 1 else [student, "", *points])
        return [["student", "id", *(f"{name} (of {written(number)})" for name, number in most.items())], *lines]

    def _points(self, rows: Iterable[Row], counts: Mapping[str, float]) -> dict[str, float]:
        """What some exercises count in each lesson, and in the weighted total."""
        points = dict.fromkeys((row.lesson for row in self.rows), 0.0)
        for row in rows:
            points[row.lesson] += counts.get(row.exercise, 1)
        return points | {"total": sum(counts.get(name, 1) * number for name, number in points.items())}


def as_csv(lines: Iterable[list[str]], separator: str = ",") -> bytes:
    """Lines for a spreadsheet: UTF-8 with a mark, and no cell that it would compute.

    Examples
    --------
    >>> as_csv([["=1+1", "Ada"]], ";").decode("utf-8-sig")
    "'=1+1;Ada\\r\\n"
    """
    text = io.StringIO(newline="")
    table = csv.writer(text, delimiter=separator)
    table.writerows([f"'{cell}" if cell.startswith(FORMULA) else cell for cell in line] for line in lines)
    return text.getvalue().encode("utf-8-sig", errors="backslashreplace")
