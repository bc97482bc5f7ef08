"""`coinlib student-copy` and `coinlib mark`: what a teacher hands out, and what comes back."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from rich.text import Text

from .talk import Page, is_terminal, say

SIGNS = {"passed": "✓", "wrong": "✗", "not tried": "·", "no answer": "–", "not judged": "!", "not handed in": " "}
COLOURS = {"✓": "green", "✗": "red", "!": "red"}
LONGEST = 30  # signs of a student's name in the table
MOST = 3  # of the hardest exercises, and of the most common mistakes


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
        "Each notebook runs in bubblewrap: no network, nothing of anybody else. Where bubblewrap does not work handed-in "
        "code would run with your rights, and --trust says that you want that."
    )
    page.add_argument("folder", type=Path, metavar="FOLDER", help="the handed-in notebooks")
    page.add_argument("--into", type=Path, metavar="DESK", default=Path("marks"), help="for results (default: marks)")
    page.add_argument(
        "--lesson", action="append", default=[], metavar="LESSON", help="mark only this one; may be given several times"
    )
    page.add_argument(
        "--again",
        action="append",
        default=[],
        metavar="NAME",
        help="mark students of this name or number again; may be given several times",
    )
    page.switch("--overwrite", "replace files in which somebody has written")
    page.number("--seconds", "how long one cell may take", default=30, metavar="S")
    page.add_argument(
        "--gigabytes", type=float, default=2.0, metavar="G", help="memory of a process, on Unix (default: 2)"
    )
    page.number("--jobs", "notebooks at a time (default: one for each core)")
    page.switch("--trust", "run handed-in code with your rights where bubblewrap does not work")


def mark(wanted: argparse.Namespace) -> None:
    """For teachers: mark handed-in notebooks, each in a contained process."""
    from coincourse import classroom
    from coincourse.outside import contained

    if not 0.1 <= wanted.gigabytes <= 1_000:
        raise ValueError(f"--gigabytes: expected a number from 0.1 to 1,000, got {wanted.gigabytes:g}")
    desk = classroom.Desk(wanted.into, wanted.overwrite)
    try:
        marks = classroom.mark(
            wanted.folder,
            wanted.into,
            wanted.lesson,
            again=wanted.again,
            limits=classroom.Limits(wanted.seconds, wanted.gigabytes),
            jobs=wanted.jobs,
            trust=wanted.trust,
            tell=_tell if is_terminal(sys.stderr) else None,
        )
    except KeyboardInterrupt:
        say("Stopped. What was marked is kept: the same command goes on where it was.")
        raise
    desk.lay_out(marks)
    for line in report(marks, shutil.get_terminal_size().columns):
        say(line)
    say(f"Notebooks run {contained.in_words()}.")
    say(f"{wanted.into} holds sheet.csv, table.csv, overview.html and the letters; settings.toml is yours.")


def _tell(work, rows: list) -> None:
    """Say that a notebook is done."""
    passed = sum(row.passed == "yes" for row in rows)
    print(f"{work.student}, {work.lesson}: {passed} of {len(rows)} passed", file=sys.stderr, flush=True)


def report(marks, width: int = 80) -> list[str | Text]:
    """The marks in lines for a terminal: a table for each lesson, then what was said, then what was not recognised.

    Parameters
    ----------
    marks : Marks
    width : int
        Signs in a line of the terminal.
    """
    from coincourse.classroom.notebooks import printable

    lines: list[str | Text] = []
    for lesson in dict.fromkeys(row.lesson for row in marks.rows):
        rows = [row for row in marks.rows if row.lesson == lesson]
        lines += ["", Text(lesson, "bold"), *_table(rows, width), *_messages(rows)]
    used = {row.outcome for row in marks.rows}
    lines += ["", ", ".join(f"{sign} {outcome}" for outcome, sign in SIGNS.items() if outcome in used and sign.strip())]
    if marks.left_out:
        lines += ["", f"Not marked ({len(marks.left_out)}):"]
        lines += [f"  {printable(name)}: {why}" for name, why in marks.left_out]
    lines += [Text(f"Look: {warning}", "bold red") for warning in marks.warnings]
    lines += ["", *_of_the_class(marks), ""]
    return lines[1:]


def _table(rows: list, width: int) -> list[str | Text]:
    students = list(dict.fromkeys(row.student for row in rows))
    exercises = list(dict.fromkeys(row.exercise for row in rows))
    outcome = {(row.student, row.exercise): row.outcome for row in rows}
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


def _messages(rows: list) -> list[str]:
    """What is to be said of those that did not pass, and of cells that went wrong, student by student."""
    lines = []
    for student in dict.fromkeys(row.student for row in rows):
        mine = [row for row in rows if row.student == student]
        judged = [row for row in mine if row.outcome in ("wrong", "no answer", "not judged")]
        said = [f"  {row.exercise}: {row.message}" for row in judged]
        if len({row.message for row in mine}) == 1 and len(said) == len(mine):
            said = [f"  {mine[0].message}"]  # the same holds for the whole notebook
        notes = [f"  could not run: {note}" for note in mine[0].not_run.splitlines()]
        if said or notes:
            lines += [f"{student}:", *said, *notes]
    return lines


def _of_the_class(marks) -> list[str]:
    """What a teacher wants to know before the next lesson."""
    from coincourse.classroom.desk import hardest, mistakes

    counts = [f"{exercise} ({came['wrong']} wrong)" for _, exercise, came in hardest(marks) if came["wrong"]]
    lines = [f"Hardest: {', '.join(counts[:MOST])}."] if counts else []
    common = [mistake for mistake in mistakes(marks) if mistake[0] > 1]
    lines += ["Most common mistakes:"] * bool(common)
    return lines + [f"  {number} times in {exercise}: {words}" for number, exercise, words in common[:MOST]]
