"""The teacher's desk: the folder with the table, the sheet, the letters and the overview of a marking."""

from __future__ import annotations

import codecs
import hashlib
import math
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from coincourse.checks.verdict import with_code
from coincourse.classroom.marks import FAILED, OUTCOMES, PASSED, WRONG, Marks, Row, as_csv, with_star
from coincourse.classroom.names import number_of
from coincourse.classroom.notebooks import read_lessons
from coincourse.course import CourseError, write
from coincourse.outside.text import first_of
from coinlib.arguments import number_in, one_of

SETTINGS = "settings.toml"
MADE = ("table.csv", "sheet.csv", "letters/*.html")
LAST = "overview.html"  # It is written last: a newer file was edited after the marking.
LATER = 2_000_000_000  # nanoseconds: the times of some disks have steps of two seconds
MOST_LEFT_OUT = 100  # lines of a list in the overview
TEMPLATES = Path(__file__).with_name("templates")
PAGES = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    trim_blocks=True,
    undefined=StrictUndefined,
)
PAGES.filters["with_code"] = lambda words: Markup(with_code(words))  # It escapes everything else.
PAGES.filters["with_star"] = with_star


class Desk:
    """The folder with the results of a marking.

    A file that the teacher has edited since the last marking is in `kept`: it is not replaced.

    Parameters
    ----------
    folder : Path
        Its file settings.toml contains the teacher's decisions about points and spreadsheets.
    hand_ins : Path
        The folder of the hand-ins, which must be somewhere else: see `keep_apart`.
    overwrite : bool
        Whether edited files may be replaced.
    """

    def __init__(self, folder: Path, hand_ins: Path, overwrite: bool = False) -> None:
        keep_apart(hand_ins, folder)
        self.folder = Path(folder)
        self.counts, self.separator, self.decimal = read_settings(self.folder / SETTINGS)
        self.kept = set() if overwrite else self._edited()

    def _edited(self) -> set[Path]:
        """Return the files that were changed after the last marking."""
        overview = self.folder / LAST
        if not overview.exists():
            return set()
        marked = overview.stat().st_mtime_ns
        made = [file for pattern in MADE for file in self.folder.glob(pattern)]
        return {file for file in made if file.stat().st_mtime_ns > marked}

    def lay_out(self, marks: Marks) -> dict[str, Path]:
        """Write table, sheet and overview, and a letter and a file for the teacher's words for each student.

        Returns
        -------
        dict of str to Path
            The letter of each student.
        """
        if not (self.folder / SETTINGS).exists():
            write(self.folder / SETTINGS, (TEMPLATES / SETTINGS).read_bytes())
        sheet = marks.sheet(self.counts).map(self._written).rename(columns=self._written)
        on_sheet = sheet.reset_index()
        # This column is always there, so that no student changes the rows of others.
        on_sheet["notes"] = list(map(marks.notes_on, sheet.index))
        table = marks.table().drop(columns=["code", "section", "hint", "error", "late", "why_not", "waits_for"])
        self._write("table.csv", as_csv(table, self.separator))
        self._write("sheet.csv", as_csv(on_sheet, self.separator))
        marks.warnings += self._move_words(sheet.index, marks.renamed)
        for letter in {*self.folder.glob("letters/*.html")} - self.kept:  # A student may have another name now.
            letter.unlink()
        letters = {}
        for student in sheet.index:
            letters[student] = self._write_letter(student, sheet.loc[student].drop("id"), marks.of(student))
        lists = {
            "left_out": first_of(marks.left_out, MOST_LEFT_OUT),
            "gone_wrong": first_of(gone_wrong(marks), MOST_LEFT_OUT),
        }
        self._write_page(LAST, LAST, marks=marks, counts=hardest(marks), mistakes=mistakes(marks)[:20], **lists)
        later = (self.folder / LAST).stat().st_mtime_ns + LATER
        for file in self.kept:  # The next marking keeps it too.
            os.utime(file, ns=(later, later))
        return letters

    def _move_words(self, students: Iterable[str], renamed: Mapping[str, str]) -> list[str]:
        """Let words follow a student with a new name, unless there are words for that name; return what was done.

        An empty file of a student who is not there any more is deleted.
        """
        names = [file_name(student) for student in students]
        new_files = {file_name(old): file_name(new) for old, new in renamed.items()}
        warnings = []
        for words in sorted(self.folder.glob("words/*.txt")):
            if words.stem in names:
                continue
            if not read_text(words).strip():
                words.unlink()
                continue
            new = words.with_name(f"{new_files.get(words.stem, '')}.txt")
            if new.stem in names and not read_text(new).strip():
                os.replace(words, new)
                warnings.append(f"Your words in {words} are now in {new}, because the student has a new name.")
            else:
                warnings.append(f"Your words in {words} are in no letter: this marking has no student of that name.")
        return warnings

    def _write_letter(self, student: str, points: pd.Series, rows: list[Row]) -> Path:
        """Write the letter of a student, with the words that the teacher has written for it."""
        name = file_name(student)
        letter = self.folder / "letters" / f"{name}.html"
        if letter.exists() and letter not in self.kept:  # another student's whose name differs only in case
            name = _with_hash(name, student)
        words = self.folder / "words" / f"{name}.txt"
        if not words.exists():
            write(words, b"")
        content = {"student": student, "points": points, "rows": rows, "words": read_text(words).strip()}
        self._write_page(f"letters/{name}.html", "letter.html", **content)
        return self.folder / "letters" / f"{name}.html"

    def _written(self, cell: float | str) -> str:
        """Return a cell of the sheet, or of its head, with the decimal sign of the spreadsheet."""
        if isinstance(cell, str):
            words = cell
        elif math.isnan(cell):
            words = ""
        else:
            words = f"{cell:.12g}"
        return words.replace(".", self.decimal)

    def _write_page(self, name: str, template: str, **words) -> None:
        self._write(name, PAGES.get_template(template).render(words).encode())

    def _write(self, name: str, content: bytes) -> None:
        """Write a file, unless the teacher has edited it."""
        if self.folder / name not in self.kept:
            write(self.folder / name, content)


def keep_apart(hand_ins: Path | str, desk: Path | str) -> None:
    """Refuse a desk that could contain what a student handed in, before anything in it is read or deleted.

    A hand-in can contain a folder of any name, with settings, results, words and links. So desk and hand-ins
    are separate folders, the command does not run inside the hand-ins, and the desk has plain files only.

    Raises
    ------
    CourseError
        If one of the two folders is inside the other, the current folder is inside the hand-ins, or the desk
        contains a link or a device.
    """
    handed_in = Path(hand_ins).resolve()
    results = Path(desk).resolve()
    if Path.cwd().is_relative_to(handed_in):
        raise CourseError(
            f"You are inside the folder of the hand-ins, {handed_in}: a student's files could be taken for yours. "
            "Go to the folder of the course, and name the hand-ins by their path: coinlib mark PATH."
        )
    if results.is_relative_to(handed_in) or handed_in.is_relative_to(results):
        raise CourseError(
            f"Results and hand-ins must not be inside each other, or a student's files could be taken for yours: "
            f"{results} and {handed_in}. Name another folder for the results with --into."
        )
    for place, folders, files in os.walk(results):
        for name in (*folders, *files):
            entry = Path(place, name)
            if entry.is_symlink() or not (entry.is_dir() or entry.is_file()):
                raise CourseError(f"{entry} is a link or a device, but results are plain files. Remove it.")


def file_name(student: str) -> str:
    """Return a name for a student's files that works on any system.

    Examples
    --------
    >>> file_name("Ada Lovelace (4711)"), file_name("a/b")
    ('Ada Lovelace (4711)', 'a_b-c14cddc033f64b9d')
    """
    name = re.sub(r"[^\w ().,@'’-]", "_", student)[:50].strip(" .")
    if name == student and not re.search("-[0-9a-f]{16}$", name):
        return name
    return _with_hash(name, student)


def _with_hash(name: str, student: str) -> str:
    """Return a name for a student's files that no other student's files can have."""
    return f"{name}-{hashlib.sha256(student.encode()).hexdigest()[:16]}"


def read_text(file: Path) -> str:
    """Return the text that a teacher has typed into a file, with any editor; "" without a file."""
    content = file.read_bytes() if file.exists() else b""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:  # an old editor of Windows
        return content.decode("cp1252", errors="replace")


def read_settings(file: Path) -> tuple[dict[str, float], str, str]:
    """Return the points of exercises and weights of lessons, the separator and the decimal sign."""
    known = _names_to_count()
    try:
        read = tomllib.loads(read_text(file))
        separator = one_of(read.pop("separator", ","), "separator", (",", ";", "\t"))
        decimal = one_of(read.pop("decimal", "."), "decimal", (".", ","))
        counts = {known[name]: number_in(number, name, least=0) for name, number in read.items()}
    except KeyError as error:
        unknown = f"no exercise or lesson is called {error}; a lesson is 04 or 04_hats"
        raise CourseError(f"{file}: {unknown}.") from None
    except tomllib.TOMLDecodeError as error:
        expected = "Each line is a name, = and a number with a point: draw = 0.5"
        raise CourseError(f"{file}: {error}. {expected}") from None
    except (TypeError, ValueError) as error:
        raise CourseError(f"{file}: {error}.") from None
    return counts, separator, decimal


def _names_to_count() -> dict[str, str]:
    """Return each name that settings.toml may use, with its exercise or lesson ("04": "04_hats")."""
    known = {}
    for name, lesson in read_lessons().items():
        known[name] = name
        known[number_of(name)] = name
        for exercise in lesson.exercises:
            known[exercise.name] = exercise.name
    return known


# --- the class ------------------------------------------------------------------------------------------


def hardest(marks: Marks) -> pd.DataFrame:
    """Return how often each outcome came, by lesson and exercise; the most wrong answers first."""
    exercises = marks.table().groupby(["lesson", "exercise"], sort=False)
    outcomes = exercises.outcome.value_counts().unstack(sort=False)
    counts = outcomes.reindex(columns=OUTCOMES).fillna(0).astype(int)
    return counts.sort_values([WRONG, PASSED], ascending=[False, True], kind="stable")


def mistakes(marks: Marks) -> list[tuple[str, str, list[str]]]:
    """Return who made each mistake, the most common first: exercise, message to the first of them, and students.

    A message says what was wrong, and then what to do. Answers with the same hint or error make the same mistake.
    What may only follow from something else is not counted: an answer that uses a wrong one, and an unknown name if
    another cell of the notebook could not run.
    """
    wrong = [row for row in marks.rows if row.outcome == WRONG and not row.waits_for]
    broken = {(row.student, row.lesson) for row in marks.rows if row.not_run}
    own = [row for row in wrong if row.error != "NameError" or (row.student, row.lesson) not in broken]
    made = defaultdict(list)
    for row in own:
        made[row.exercise, row.hint or row.error or row.message].append(row)
    found = []
    for (exercise, _), rows in made.items():
        message = rows[0].message.splitlines()[0].removeprefix("✗ ")
        found.append((exercise, message, [row.student for row in rows]))
    return sorted(found, key=lambda mistake: len(mistake[2]), reverse=True)


def gone_wrong(marks: Marks) -> list[str]:
    """Return a sentence for each notebook that was not judged, and for each cell that could not run."""
    found = []
    for row in marks.rows:
        place = f"{row.student}, lesson {row.lesson}"
        if row.outcome == FAILED:
            found.append(f"{place}: not judged ({row.why_not})")
        found += [f"{place}: could not run: {line}" for line in row.not_run.splitlines()]
    return list(dict.fromkeys(found))
