"""What came of a marking: a long table, and a sheet with a row for each student."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from coincourse.course import CourseError
from coinlib.arguments import number_in, shown
from coinlib.files import whole_file

if TYPE_CHECKING:
    import pandas as pd

PASSED, WRONG, UNTOUCHED, MISSING, FAILED = "passed", "wrong", "not tried", "no answer", "not judged"
ABSENT = "not handed in"
COLUMNS = ("student", "lesson", "exercise", "passed", "outcome", "message", "not_run", "file", "id")
Row = dict[str, str]  # of the long table: what stands in each column
ONE_EACH: Mapping[str, float] = MappingProxyType({})
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # a spreadsheet computes what begins so


def row(
    student: str, number: str, lesson: str, exercise: str, outcome: str, message: str, not_run: str, file: str
) -> Row:
    """A row of the long table."""
    passed = "yes" if outcome == PASSED else "no"
    cells = student, lesson, exercise, passed, outcome, message, not_run, file, number
    return dict(zip(COLUMNS, cells, strict=True))


@dataclass
class Marks:
    """What came of a marking.

    Attributes
    ----------
    rows : list of dict
        One for each student and exercise; see `COLUMNS`. Those of notebooks also hold the answer's code, and
        the section of the lesson.
    left_out : list of pairs of str
        Files and folders that were not marked, and why.
    warnings : list of str
        What a teacher must know about who is who.
    """

    rows: list[Row] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def to_frame(self) -> pd.DataFrame:
        """The table: a row for each student and exercise."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(COLUMNS))

    def of(self, student: str) -> list[Row]:
        """The rows of a student."""
        return [line for line in self.rows if line["student"] == student]

    def names(self, column: str) -> list[str]:
        """What stands in a column, each once."""
        return list(dict.fromkeys(line[column] for line in self.rows))

    def outcome(self, student: str, exercise: str) -> str:
        """One outcome by name; LookupError if there is none."""
        for line in self.of(student):
            if line["exercise"] == exercise:
                return line["outcome"]
        raise LookupError(f"there is no outcome for student {shown(student)} and exercise {shown(exercise)}")

    def write(self, file: Path | str, separator: str = ",") -> None:
        """Write the table as CSV, for a spreadsheet."""
        with whole_file(file) as half:
            half.write_bytes(as_csv(self.table(), separator))

    def table(self) -> list[list[str]]:
        """The table with its head."""
        return [list(COLUMNS), *([line[column] for column in COLUMNS] for line in self.rows)]

    def sheet(self, counts: Mapping[str, float] = ONE_EACH, decimal: str = ".") -> list[list[str]]:
        """A row for each student, with a column for each lesson and a total; the head says what can be reached.

        `counts` has the points of exercises and the weights of lessons by name, where these are not 1.

        Examples
        --------
        >>> answers = [("Ada", "4711", "04_hats", "draw", "passed"), ("Ada", "4711", "04_hats", "settle", "wrong")]
        >>> Marks([row(*words, "", "", "") for words in answers]).sheet({"draw": 2.5}, decimal=",")
        [['student', 'id', '04_hats (of 3,5)', 'total (of 3,5)'], ['Ada', '4711', '2,5', '2,5']]
        """

        def written(number: float) -> str:
            return f"{round(number, 2):.12g}".replace(".", decimal)

        lessons = self.names("lesson")
        all_rows = {(line["lesson"], line["exercise"]): line for line in self.rows}.values()
        most = _points(all_rows, lessons, counts)
        lines = []
        for student in sorted(self.names("student"), key=str.casefold):
            mine = self.of(student)
            reached = _points((line for line in mine if line["outcome"] == PASSED), lessons, counts)
            absent = {line["lesson"] for line in mine if line["outcome"] == ABSENT}
            sums = ["" if name in absent else written(points) for name, points in reached.items()]
            lines.append([student, mine[0]["id"], *sums])
        return [["student", "id", *(f"{name} (of {written(points)})" for name, points in most.items())], *lines]


def _points(rows: Iterable[Row], lessons: list[str], counts: Mapping[str, float]) -> dict[str, float]:
    """What some exercises count in each lesson, and in the weighted total."""
    points = dict.fromkeys(lessons, 0.0)
    for line in rows:
        points[line["lesson"]] += counts.get(line["exercise"], 1)
    return points | {"total": sum(counts.get(name, 1) * points[name] for name in lessons)}


def read_counts(file: Path, exercises: Iterable[str], lessons: Iterable[str]) -> dict[str, float]:
    """What exercises and lessons count: the lines `name = number` of a teacher's TOML file; "04" is a lesson, too."""
    known = {name: name for name in (*exercises, *lessons)}
    known |= {name[:2]: name for name in lessons}
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        numbers = {name: number_in(number, name, 0, 1e6) for name, number in read.items()}
    except (TypeError, ValueError) as error:
        raise CourseError(f"{file}: {error}.") from None
    if unknown := [name for name in read if name not in known]:
        raise CourseError(f"{file} names {unknown[0]!r}; expected one of {', '.join(known)}.")
    return {known[name]: number for name, number in numbers.items()}


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
