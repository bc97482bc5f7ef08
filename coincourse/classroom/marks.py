"""The result of a marking: a long table, and a sheet with a row for each student."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from coincourse.checks import STARRED
from coincourse.checks.plain_data import NO_PLAIN_DATA
from coincourse.checks.verdict import cut

PASSED = "passed"
WRONG = "wrong"
NOT_WRITTEN = "not written yet"
MISSING = "no answer"
FAILED = "not judged"
ABSENT = "no notebook"
OUTCOMES = [PASSED, WRONG, NOT_WRITTEN, MISSING, FAILED, ABSENT]
LONGEST_CELL = 10_000  # characters; a spreadsheet has a limit too
# A spreadsheet computes what begins so, at the start of a cell or behind any separator.
FORMULA = re.compile(r'(^|[,;\t\r\n|])(["\t\r\n]*)(?=[=+\-@＝＋－＠])')


class Row(NamedTuple):
    """The result of one exercise of one student."""

    student: str
    lesson: str
    exercise: str
    outcome: str
    message: str = ""
    not_run: str = ""  # a line for each cell that went wrong, in the first row of a notebook
    file: str = ""
    id: str = ""
    code: str = ""
    section: str = ""  # of the lesson
    hint: str = ""  # the sentence of the mistake that was made, or what to do about a file that cannot be read
    error: str = ""  # the type of the error that the student's function raised
    late: bool = False  # whether something took too long
    why_not: str = ""  # why it could not be judged
    waits_for: str = ""  # the exercise that its cell uses, and whose answer is not right


@dataclass
class Marks:
    """The result of a marking.

    Attributes
    ----------
    rows : list of Row
        One for each student and exercise.
    left_out : list of str
        Files and folders that were not marked, each with the reason.
    warnings : list of str
        What a teacher must know, mostly about who is who.
    folders : dict of str to list of PurePath
        The folders of each student among the hand-ins; none for a student whose work is a file in a shared folder.
    notes : dict of str to list of str
        What the sheet says about the files of a student.
    renamed : dict of str to str
        The new name of each student who has another name in students.csv.
    """

    rows: list[Row] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    folders: dict[str, list[PurePath]] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)

    def of(self, student: str) -> list[Row]:
        """The rows of a student."""
        return [row for row in self.rows if row.student == student]

    def tried_inside(self) -> dict[str, list[str]]:
        """The exercises of each student that passed in the student's process."""
        found: dict[str, list[str]] = {}
        for row in self.rows:
            if row.outcome == PASSED and row.exercise in NO_PLAIN_DATA:
                found.setdefault(row.student, []).append(row.exercise)
        return found

    def notes_on(self, student: str) -> str:
        """What a teacher should know about the marks of a student.

        Examples
        --------
        >>> chance = Row("Ada", "04_hats", "chance", "not judged", why_not="it is empty")
        >>> slider = Row("Ada", "06_q_learning", "my_slider", "passed")
        >>> Marks([chance, slider]).notes_on("Ada")
        "my_slider passed in the student's process; 04: not judged (it is empty)"
        """
        notes = [f"{exercise} passed in the student's process" for exercise in self.tried_inside().get(student, [])]
        for row in self.of(student):
            if row.waits_for:
                notes.append(f"{row.exercise} waits until {row.waits_for} is right")
        return "; ".join(notes + self._not_judged(student) + self.notes.get(student, []))

    def _not_judged(self, student: str) -> list[str]:
        """The lessons of a student that were not judged, or only in part, each with the reason."""
        notes = []
        mine = self.of(student)
        for lesson in sorted({row.lesson for row in mine if row.outcome == FAILED}):
            rows = [row for row in mine if row.lesson == lesson]
            failed = [row for row in rows if row.outcome == FAILED]
            which = ""
            if len(failed) < len(rows):
                which = ", ".join(row.exercise for row in failed) + " "
            notes.append(f"{lesson.partition('_')[0]}: {which}not judged ({failed[0].why_not})")
        return notes

    def table(self) -> pd.DataFrame:
        """The rows as a table."""
        return pd.DataFrame(self.rows, columns=Row._fields)

    def sheet(self, counts: Mapping[str, float] = MappingProxyType({})) -> pd.DataFrame:
        """A row for each student, with a column for each lesson and one for the total.

        The name of a column says how many points can be reached. `counts` has the points of exercises and
        the weights of lessons by name, where these are not 1; an exercise with a ★ counts 0. A lesson that
        was not handed in or not judged is NaN, and so is the total of a student who has no other. A student with
        several numbers of the platform gets none here.

        Examples
        --------
        >>> chance = Row("Ada", "04_hats", "chance", "passed", id="4711")
        >>> settle = Row("Ada", "04_hats", "settle", "wrong", id="4711")
        >>> Marks([chance, settle]).sheet({"chance": 2.5}).to_dict("index")
        {'Ada': {'id': '4711', '04_hats (of 3.5)': 2.5, 'total (of 3.5)': 2.5}}
        """
        rows = self.table()
        rows["points"] = rows.exercise.map(lambda name: counts.get(name, 0.0 if name in STARRED else 1.0))
        rows["reached"] = rows.points.where(rows.outcome == PASSED, 0.0).mask(rows.outcome.isin([ABSENT, FAILED]))
        most = rows.drop_duplicates(["lesson", "exercise"]).groupby("lesson", sort=False).points.sum()
        sheet = rows.groupby(["student", "lesson"]).reached.sum(min_count=1).unstack()[most.index]
        weights = [counts.get(lesson, 1.0) for lesson in most.index]
        sheet["total"] = (sheet * weights).sum(axis="columns", min_count=1)
        most["total"] = (most * weights).sum()
        sheet.columns = [f"{name} (of {number:.12g})" for name, number in most.items()]
        numbers = rows[rows.id != ""].groupby("student").id.unique()
        sheet.insert(0, "id", numbers.map(lambda found: found[0] if len(found) == 1 else ""))
        return sheet.loc[rows.student.unique()].round(2)


def with_star(exercise: str) -> str:
    """Return the name of an exercise, with a ★ if students choose whether to do it.

    Examples
    --------
    >>> with_star("settle"), with_star("draw")
    ('settle', 'draw ★')
    """
    return f"{exercise} ★" if exercise in STARRED else exercise


def as_csv(table: pd.DataFrame, separator: str = ",") -> bytes:
    """A table for a spreadsheet: UTF-8 with a mark, and no cell that it would compute.

    Examples
    --------
    >>> as_csv(pd.DataFrame({"student": ["=1+1", "Ada;=2"]})).decode("utf-8-sig")
    "student\\r\\n'=1+1\\r\\nAda;'=2\\r\\n"
    """
    return table.map(guarded).to_csv(sep=separator, index=False, lineterminator="\r\n").encode("utf-8-sig")


def guarded(cell: object) -> object:
    """A cell of which a spreadsheet makes no formula, cut where it is very long."""
    if not isinstance(cell, str):
        return cell
    return FORMULA.sub(r"\1\2'", cut(cell, LONGEST_CELL))
