"""The teacher's desk: the folder in which the table, the sheet, the letters and the overview of a marking lie."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import jinja2

from coincourse import checks
from coincourse.classroom.marks import ABSENT, ONE_EACH, PASSED, UNTOUCHED, Marks, Row, as_csv
from coincourse.classroom.process import clean
from coincourse.course import CourseError, fingerprint, write
from coinlib.files import whole_file

MADE = "made.json"  # the fingerprint of each file as it was made
TEMPLATES = jinja2.FileSystemLoader(Path(__file__).with_name("templates"))
PAGES = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined, loader=TEMPLATES)


class Desk:
    """What is made of the marks, in a folder; a file in which the teacher has written is not replaced unasked.

    Parameters
    ----------
    folder : Path
    overwrite : bool
        Whether such files may be replaced.
    """

    def __init__(self, folder: Path, overwrite: bool = False) -> None:
        self.folder = Path(folder)
        note = self.folder / MADE
        before = json.loads(note.read_text()) if note.is_file() else {}
        self.made = {name: mark for name, mark in before.items() if (self.folder / name).is_file()}
        written_in = [name for name, mark in self.made.items() if fingerprint(self.folder / name) != mark]
        if written_in and not overwrite:
            raise CourseError(
                f"{', '.join(written_in)} in {folder}: changed since it was made here. "
                "Give it another name, or let it be replaced with --overwrite."
            )

    def lay_out(
        self, marks: Marks, counts: Mapping[str, float] = ONE_EACH, separator: str = ",", decimal: str = "."
    ) -> None:
        """Write table, sheet, overview and a letter for each student; `counts` as in `Marks.sheet`."""
        for name in self.made:  # of a student who has another name now
            (self.folder / name).unlink()
        self.made = {}
        self._write("table.csv", as_csv(marks.table(), separator))
        self._write("sheet.csv", as_csv(marks.sheet(counts, decimal), separator))
        how_hard = hardest(marks)
        draw_exercises(how_hard, self.folder / "overview.png")
        page = PAGES.get_template("overview.html")
        self._write("overview.html", page.render(marks=marks, counts=how_hard, mistakes=mistakes(marks)[:20]))
        for student in marks.names("student"):
            name = file_name(student)
            words = self.folder / "words" / f"{name}.txt"
            if not words.exists():
                write(words, b"")
            said = words.read_text(encoding="utf-8-sig", errors="replace")
            self._write(f"letters/{name}.html", letter(marks, student, said))
        write(self.folder / MADE, json.dumps(self.made, indent=1).encode())

    def _write(self, name: str, content: bytes | str) -> None:
        if isinstance(content, str):
            content = content.encode(errors="backslashreplace")  # half a sign of Unicode cannot be written
        write(self.folder / name, content)
        self.made[name] = fingerprint(self.folder / name)


def file_name(student: str) -> str:
    """A name for a student's files, on any system.

    Examples
    --------
    >>> file_name("Ada Lovelace (4711)"), file_name("a/b")
    ('Ada Lovelace (4711)', 'a_b-c14cddc0')
    """
    name = re.sub(r"[^\w ().,@-]", "_", student)[:50].strip(" .")
    return name if name == student else f"{name}-{hashlib.sha256(student.encode()).hexdigest()[:8]}"


# --- letters ----------------------------------------------------------------------------------------------


def letter(marks: Marks, student: str, words: str = "") -> str:
    """A student's page: each exercise with its code, what the check says, and what to read again.

    Parameters
    ----------
    marks : Marks
    student : str
    words : str
        The teacher's own; an empty line begins a new paragraph.
    """
    rows = marks.of(student)
    lessons = {name: [line for line in rows if line["lesson"] == name] for name in marks.names("lesson")}
    paragraphs = [part for part in re.split(r"\n\s*\n", words) if part.strip()]
    return PAGES.get_template("letter.html").render(
        student=student, words=paragraphs, lessons=lessons, absent=ABSENT, solved=_solved(rows), number=len(rows)
    )


def _solved(rows: list[Row]) -> int:
    return sum(line["outcome"] == PASSED for line in rows)


# --- the class --------------------------------------------------------------------------------------------


class Count(NamedTuple):
    """How an exercise went for all who have handed in its lesson."""

    lesson: str
    exercise: str
    handed_in: int
    not_tried: int
    solved: int


def hardest(marks: Marks) -> list[Count]:
    """How each exercise went, the one that fewest have solved first."""
    counts = []
    for lesson, exercise in dict.fromkeys((line["lesson"], line["exercise"]) for line in marks.rows):
        rows = [line for line in marks.rows if (line["lesson"], line["exercise"]) == (lesson, exercise)]
        there = [line for line in rows if line["outcome"] != ABSENT]
        not_tried = sum(line["outcome"] == UNTOUCHED for line in there)
        counts.append(Count(lesson, exercise, len(there), not_tried, _solved(there)))
    return sorted(counts, key=lambda count: count.solved / count.handed_in)


def mistakes(marks: Marks) -> list[tuple[int, str, str, str]]:
    """How often each mistake was made, the most common first: number, exercise, name and sentence.

    A mistake has a name if the table of the check has one for it.
    """
    wrong = (line for line in marks.rows if line["outcome"] not in (PASSED, UNTOUCHED, ABSENT))
    made = Counter((line["exercise"], *_mistake(line["exercise"], line["message"])) for line in wrong)
    return [(number, *mistake) for mistake, number in made.most_common()]


def _mistake(exercise: str, message: str) -> tuple[str, str]:
    """The name of a mistake, or "", and its sentence."""
    for mistake in getattr(getattr(checks, exercise, None), "mistakes", ()):
        if message.endswith(clean(mistake.sentence)):
            return getattr(mistake.function, "__name__", "").replace("_", " "), mistake.sentence
    raised = re.search(r"your function raised (\w+)", message)
    return "", f"The function raises {raised[1]}." if raised else message


def draw_exercises(counts: list[Count], file: Path) -> None:
    """Draw how many have solved, tried and not tried each exercise, the hardest at the top."""
    from matplotlib.figure import Figure

    from coinlib.plots import look

    figure = Figure(figsize=(8, 1.2 + 0.28 * len(counts)), layout="constrained")
    ax, left = figure.subplots(), [0] * len(counts)
    parts = {
        "solved": (look.BLUE, "", [count.solved for count in counts]),
        "tried, not solved": (
            look.ORANGE,
            "//",
            [count.handed_in - count.solved - count.not_tried for count in counts],
        ),
        "not tried": (look.PAPER, "..", [count.not_tried for count in counts]),
    }
    names = [f"{count.lesson[:2]} {count.exercise}" for count in counts]
    for label, (colour, hatch, numbers) in parts.items():
        ax.barh(names, numbers, left=left, color=colour, hatch=hatch, edgecolor="white", label=label)
        left = [sum(pair) for pair in zip(left, numbers)]
    ax.invert_yaxis()
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel("students who have handed in the lesson")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
    with whole_file(file) as half:
        figure.savefig(half, dpi=110)
