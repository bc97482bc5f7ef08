"""The teacher's desk: the folder in which the table, the sheet, the letters and the overview of a marking lie."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections import Counter
from pathlib import Path

import jinja2

from coincourse import checks
from coincourse.classroom.marks import ABSENT, PASSED, WRONG, Marks, as_csv
from coincourse.classroom.notebooks import printable, read_lessons
from coincourse.course import CourseError, write
from coinlib.arguments import number_in, one_of

SETTINGS = "settings.toml"
MADE = ("table.csv", "sheet.csv", "letters/*.html")
LAST = "overview.html"  # is made last: what is newer has been changed since
TEMPLATES = Path(__file__).with_name("templates")
PAGES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    autoescape=True,
    trim_blocks=True,
    undefined=jinja2.StrictUndefined,
)


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
        head, *lines = marks.sheet(self.counts, self.decimal)
        write(self.folder / "table.csv", as_csv(marks.table(), self.separator))
        write(self.folder / "sheet.csv", as_csv([head, *lines], self.separator))
        for old in self.folder.glob("letters/*.html"):  # also of who has another name now
            old.unlink()
        names = {student: file_name(student) for student, *_ in lines}
        for words in sorted(self.folder.glob("words/*.txt")):
            if words.stem not in names.values() and _text(words):
                where = f"Your words in {words} are in no letter"
                marks.warnings.append(f"{where}: nobody has this name in this marking.")
        for student, _, *points in lines:
            words = self.folder / "words" / f"{names[student]}.txt"
            if not words.exists():
                write(words, b"")
            page = letter(marks, student, dict(zip(head[2:], points)), _text(words))
            self._write_page(f"letters/{names[student]}.html", page)
        common = mistakes(marks)[:20]
        overview = PAGES.get_template(LAST)
        self._write_page(LAST, overview.render(marks=marks, counts=hardest(marks), mistakes=common))

    def _write_page(self, name: str, page: str) -> None:
        content = page.encode(errors="backslashreplace")  # half a sign of Unicode cannot be written
        write(self.folder / name, content)


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
    """What a teacher has written, with any editor: in UTF-8, or as Windows did before."""
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace").strip()


def _read_settings(file: Path) -> tuple[dict[str, float], str, str]:
    """What exercises and lessons count, and a spreadsheet's separator and decimal sign; "04" is a lesson, too."""
    lessons = read_lessons()
    known = {name: name for lesson in lessons.values() for name, *_ in lesson.exercises}
    known |= {name: name for name in lessons} | {name[:2]: name for name in lessons}
    try:
        read = tomllib.loads(_text(file)) if file.is_file() else {}
        separator = one_of(read.pop("separator", ","), "separator", (",", ";", "\t"))
        decimal = one_of(read.pop("decimal", "."), "decimal", (".", ","))
        counts = {name: number_in(number, name, 0, 1e6) for name, number in read.items()}
    except (TypeError, ValueError) as error:
        raise CourseError(f"{file}: {error}.") from None
    for name in counts.keys() - known.keys():
        near = difflib.get_close_matches(name, known, cutoff=0.5)
        raise CourseError(f"{file}: no exercise and no lesson is called {name!r}. Nearest: {', '.join(near) or '-'}.")
    return {known[name]: number for name, number in counts.items()}, separator, decimal


def letter(marks: Marks, student: str, points: dict[str, str], words: str = "") -> str:
    """A student's page: each exercise with its code, what the check says, and what to read again.

    Parameters
    ----------
    marks : Marks
    student : str
    points : dict
        The student's line of the sheet: the points by what stands in its head.
    words : str
        The teacher's own; an empty line begins a new paragraph.
    """
    rows = marks.of(student)
    paragraphs = re.split(r"\n\s*\n", words) if words else []
    page = PAGES.get_template("letter.html")
    return page.render(student=student, words=paragraphs, rows=rows, points=points, absent=ABSENT)


# --- the class --------------------------------------------------------------------------------------------


def hardest(marks: Marks) -> list[tuple[str, str, Counter]]:
    """Lesson, exercise, and how often each outcome came; the one that most have got wrong first."""
    outcomes = {(row.lesson, row.exercise): Counter() for row in marks.rows}
    for row in marks.rows:
        outcomes[row.lesson, row.exercise][row.outcome] += 1
    counts = [(*names, came) for names, came in outcomes.items()]
    return sorted(counts, key=lambda count: (-count[2][WRONG], count[2][PASSED]))


def mistakes(marks: Marks) -> list[tuple[int, str, str]]:
    """How often each mistake was made, the most common first: number, exercise and sentence.

    What only follows from a cell that went wrong before, an unknown name, is none.
    """
    follows = {row for row in marks.rows if row.not_run and "raised NameError" in row.message}
    wrong = [row for row in marks.rows if row.outcome == WRONG and row not in follows]
    made = Counter((row.exercise, _mistake(row.exercise, row.message)) for row in wrong)
    return [(number, *mistake) for mistake, number in made.most_common()]


def _mistake(exercise: str, message: str) -> str:
    """A mistake in words: the sentence that the check has for it, the error that is raised, or what the check says."""
    for sentence in getattr(getattr(checks, exercise, None), "mistakes", ()):
        if message.endswith(printable(sentence)):
            return sentence
    raised = re.search(r"your function raised (\w+)", message)
    return f"The function raises {raised[1]}." if raised else message
