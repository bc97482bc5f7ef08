"""`coinlib student-copy` and `coinlib mark`: what a teacher hands out, and what comes back."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from rich.text import Text

from .talk import Page, is_terminal, new_file, say

SIGNS = {"passed": "✓", "wrong": "✗", "not tried": "·", "no answer": "–", "not judged": "!", "not handed in": " "}
COLOURS = {"✓": "green", "✗": "red", "!": "red"}
LONGEST = 30  # signs of a student's name in the table
MOST = 20  # files that were not recognised are listed, up to so many


def copy_options(page: Page) -> None:
    page.add_argument("folder", type=Path, metavar="FOLDER", help="where the copies go; it is made if need be")
    page.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names (default: every lesson)")
    page.switch("--overwrite", "replace files that are there already")


def copy(wanted: argparse.Namespace) -> None:
    """For teachers: write the lessons without solutions and outputs into a folder."""
    from coincourse.classroom import student_copy

    files = student_copy(wanted.folder, wanted.lessons, wanted.overwrite)
    for file in files:
        say(f"{file}: without solutions, without outputs")


def mark_options(page: Page) -> None:
    page.epilog = (
        "FOLDER holds NAME/04_hats.ipynb or NAME_04_hats.ipynb for each student NAME; docs/marking.md tells more.\n\n"
        "Handed-in code is code: it runs on this machine, with your rights. docs/marking.md says how to run it in a "
        "container."
    )
    page.add_argument("folder", type=Path, metavar="FOLDER", help="the handed-in notebooks")
    page.add_argument(
        "--lesson", action="append", default=[], metavar="LESSON", help="mark only this one; may be given several times"
    )
    page.file("--table", new_file, "write the table into this file, as CSV")
    page.switch("--overwrite", "replace the table's file if it is there already")
    page.number("--seconds", "how long one cell may take", default=30, metavar="S")
    page.add_argument(
        "--gigabytes", type=float, default=2.0, metavar="G", help="memory of a process, on Unix (default: 2)"
    )
    page.number("--jobs", "notebooks at a time (default: one for each core)")


def mark(wanted: argparse.Namespace) -> None:
    """For teachers: judge handed-in notebooks, each in a process of its own."""
    from coincourse.classroom import mark
    from coincourse.course import CourseError

    if wanted.table and wanted.table.exists() and not wanted.overwrite:
        raise CourseError(
            f"{wanted.table} is there already. Choose another name, or let it be replaced with --overwrite."
        )
    if not 0.1 <= wanted.gigabytes <= 1_000:
        raise ValueError(f"--gigabytes: expected a number from 0.1 to 1,000, got {wanted.gigabytes:g}")
    if sys.platform == "win32":
        say("Windows knows no limit on the memory of a process: here only time is limited.")
    tell = _Progress() if is_terminal(sys.stderr) else None
    marks = mark(
        wanted.folder,
        wanted.lesson,
        seconds=wanted.seconds,
        gigabytes=wanted.gigabytes,
        jobs=wanted.jobs,
        tell=tell,
    )
    for line in report(marks, shutil.get_terminal_size().columns):
        say(line)
    if wanted.table:
        marks.write(wanted.table)
        say(f"The table with all messages is in {wanted.table}.")


class _Progress:
    """One line for each notebook that is done."""

    def __init__(self) -> None:
        self.done = 0

    def __call__(self, one, rows: list[dict[str, str]]) -> None:
        self.done += 1
        passed = sum(row["passed"] == "yes" for row in rows)
        words = f"{self.done}: {one.student}, {one.lesson}: {passed} of {len(rows)} passed"
        print(words, file=sys.stderr, flush=True)


def report(marks, width: int = 80) -> list[str | Text]:
    """The marks in lines for a terminal: a table for each lesson, then what was said, then what was not recognised.

    Parameters
    ----------
    marks : Marks
    width : int
        Signs in a line of the terminal.
    """
    lines: list[str | Text] = []
    for lesson in dict.fromkeys(row["lesson"] for row in marks.rows):
        rows = [row for row in marks.rows if row["lesson"] == lesson]
        lines += ["", Text(lesson, "bold"), *_table(rows, width), *_messages(rows)]
    used = {row["outcome"] for row in marks.rows}
    lines += ["", ", ".join(f"{sign} {outcome}" for outcome, sign in SIGNS.items() if outcome in used and sign.strip())]
    if marks.strange:
        lines += ["", f"Not recognised, and not marked ({len(marks.strange)}):"]
        lines += [f"  {_plain(name)}: {why}" for name, why in marks.strange[:MOST]]
        lines += ["  ..."] * (len(marks.strange) > MOST)
    return lines[1:]


def _table(rows: list[dict[str, str]], width: int) -> list[str | Text]:
    students = list(dict.fromkeys(row["student"] for row in rows))
    exercises = list(dict.fromkeys(row["exercise"] for row in rows))
    outcome = {(row["student"], row["exercise"]): row["outcome"] for row in rows}
    wide = min(max(7, *map(len, students)), LONGEST)
    heads, lines = exercises, []
    if wide + sum(len(name) + 2 for name in exercises) + len("  not handed in") > width:
        heads = [str(number) for number, _ in enumerate(exercises, 1)]
        lines = [", ".join(map(" ".join, zip(heads, exercises)))]
    lines.append(f"{'student':<{wide}}  {'  '.join(heads)}  passed")
    for student in students:
        signs = [SIGNS[outcome[student, exercise]] for exercise in exercises]
        cells = [f"{sign:^{len(name)}}" for sign, name in zip(signs, heads)]
        coloured = Text("  ").join(Text(cell, COLOURS.get(sign, "")) for sign, cell in zip(signs, cells))
        absent = all(outcome[student, exercise] == "not handed in" for exercise in exercises)
        count = "not handed in" if absent else f"{signs.count('✓')} of {len(signs)}"
        lines.append(Text.assemble(f"{student[:wide]:<{wide}}  ", coloured, f"  {count}"))
    return lines


def _messages(rows: list[dict[str, str]]) -> list[str]:
    """What is to be said of those that did not pass, and of cells that went wrong, student by student."""
    lines = []
    for student in dict.fromkeys(row["student"] for row in rows):
        mine = [row for row in rows if row["student"] == student]
        said = [
            f"  {row['exercise']}: {row['message']}"
            for row in mine
            if row["outcome"] in ("wrong", "no answer", "not judged")
        ]
        if len({row["message"] for row in mine}) == 1 and len(said) == len(mine):
            said = [f"  {mine[0]['message']}"]  # the same holds for the whole notebook
        notes = [f"  could not run: {note}" for note in mine[0]["not_run"].split(" | ") if note]
        if said or notes:
            lines += [f"{student}:", *said, *notes]
    return lines


def _plain(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)
