"""The teacher's desk: the folder in which the table, the sheet, the letters and the overview of a marking lie."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from coincourse.classroom.marks import OUTCOMES, PASSED, WRONG, Marks, Row, as_csv
from coincourse.classroom.notebooks import read_lessons
from coincourse.course import CourseError, write
from coinlib.arguments import number_in, one_of

SETTINGS = "settings.toml"
MADE = ("table.csv", "sheet.csv", "letters/*.html")
LAST = "overview.html"  # is made last: what is newer has been changed since
TEMPLATES = Path(__file__).with_name("templates")
PAGES = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, undefined=StrictUndefined)


class Desk:
    """What is made of the marks, in a folder; a file in which the teacher has written is not replaced unasked.

    Parameters
    ----------
    folder : Path
        What the teacher has decided about points and spreadsheets is read from its file settings.toml.
    overwrite : bool
        Whether files in which somebody has written may be replaced.
    """

    def __init__(self, folder: Path, overwrite: bool = False) -> None:
        self.folder = Path(folder)
        self.counts, self.separator, self.decimal = _read_settings(self.folder / SETTINGS)
        last = [file.stat().st_mtime_ns for file in self.folder.glob(LAST)]
        made = [file for name in MADE for file in self.folder.glob(name)]
        written_in = [file.name for file in made if last and file.stat().st_mtime_ns > last[0]]
        if written_in and not overwrite:
            raise CourseError(
                f"{', '.join(written_in)} in {folder}: changed since it was made here. "
                "Give it another name, or let it be replaced with --overwrite."
            )

    def lay_out(self, marks: Marks) -> None:
        """Write table, sheet, overview, and for each student a letter and a file for the teacher's words."""
        if not (self.folder / SETTINGS).exists():
            write(self.folder / SETTINGS, (TEMPLATES / SETTINGS).read_bytes())
        sheet = marks.sheet(self.counts).map(self._written).rename(columns=self._written)
        table = marks.table().drop(columns=["code", "section", "hint", "error", "late"])
        write(self.folder / "table.csv", as_csv(table, self.separator))
        write(self.folder / "sheet.csv", as_csv(sheet.reset_index(), self.separator))
        for old in self.folder.glob("letters/*.html"):  # also of who has another name now
            old.unlink()
        names = {student: file_name(student) for student in sheet.index}
        for words in sorted(self.folder.glob("words/*.txt")):
            if words.stem not in names.values() and _text(words):
                where = f"Your words in {words} are in no letter"
                marks.warnings.append(f"{where}: nobody has this name in this marking.")
        for student, name in names.items():
            words = self.folder / "words" / f"{name}.txt"
            if not words.exists():
                write(words, b"")
            about = {"student": student, "points": sheet.loc[student].drop("id"), "rows": marks.of(student)}
            self._write_page(f"letters/{name}.html", "letter.html", words=_text(words), **about)
        self._write_page(LAST, LAST, marks=marks, counts=hardest(marks), mistakes=mistakes(marks)[:20])

    def _written(self, cell: float | str) -> str:
        """A cell of the sheet, or of its head, with the decimal sign of the spreadsheet."""
        words = cell if isinstance(cell, str) else f"{cell:.12g}".replace("nan", "")
        return words.replace(".", self.decimal)

    def _write_page(self, name: str, template: str, **words) -> None:
        write(self.folder / name, PAGES.get_template(template).render(words).encode())


def file_name(student: str) -> str:
    """A name for a student's files, on any system.

    Examples
    --------
    >>> file_name("Ada Lovelace (4711)"), file_name("a/b")
    ('Ada Lovelace (4711)', 'a_b-c14cddc0')
    """
    name = re.sub(r"[^\w ().,@'’-]", "_", student)[:50].strip(" .")
    return name if name == student else f"{name}-{hashlib.sha256(student.encode()).hexdigest()[:8]}"


def _text(file: Path) -> str:
    """What a teacher has written, with an editor of any system."""
    return file.read_text(encoding="utf-8-sig", errors="replace").strip() if file.exists() else ""


def _read_settings(file: Path) -> tuple[dict[str, float], str, str]:
    """What exercises and lessons count, and a spreadsheet's separator and decimal sign; "04" is a lesson, too."""
    lessons = read_lessons()
    known = {exercise.name: exercise.name for lesson in lessons.values() for exercise in lesson.exercises}
    known |= {name: lesson for lesson in lessons for name in (lesson, lesson[:2])}
    try:
        read = tomllib.loads(_text(file))
        separator = one_of(read.pop("separator", ","), "separator", (",", ";", "\t"))
        decimal = one_of(read.pop("decimal", "."), "decimal", (".", ","))
        counts = {known[name]: number_in(number, name, least=0) for name, number in read.items()}
    except KeyError as error:
        raise CourseError(f"{file}: no exercise and no lesson is called {error}.") from None
    except (TypeError, ValueError) as error:
        raise CourseError(f"{file}: {error}.") from None
    return counts, separator, decimal


# --- the class --------------------------------------------------------------------------------------------


def hardest(marks: Marks) -> pd.DataFrame:
    """How often each outcome came, by lesson and exercise; the one that most have got wrong first."""
    outcomes = marks.table().groupby(["lesson", "exercise"], sort=False).outcome.value_counts().unstack(sort=False)
    counts = outcomes.reindex(columns=OUTCOMES).fillna(0).astype(int)
    return counts.sort_values([WRONG, PASSED], ascending=[False, True], kind="stable")


def mistakes(marks: Marks) -> list[tuple[int, str, str]]:
    """How often each mistake was made, the most common first: number, exercise and sentence.

    An unknown name is no mistake where another cell of the notebook could not run: it only follows from that.
    """
    wrong = [row for row in marks.rows if row.outcome == WRONG]
    own = [row for row in wrong if not (row.not_run and row.error == "NameError")]
    made = Counter((row.exercise, _mistake(row)) for row in own)
    return [(number, *mistake) for mistake, number in made.most_common()]


def _mistake(row: Row) -> str:
    """A mistake in words: the sentence that the check has for it, the error that is raised, or what the check says."""
    if row.hint:
        return row.hint
    return f"The function raises {row.error}." if row.error else row.message
