"""`coinlib student-copy` and `coinlib mark`: what a teacher hands out, and what comes back."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from .talk import BOLD, GREEN, RED, in_colour, is_terminal, new_file, say, whole

SIGNS = {"passed": "✓", "wrong": "✗", "not tried": "·", "no answer": "–", "not judged": "!", "not handed in": " "}
COLOURS = {"✓": GREEN, "✗": RED, "!": RED}
LONGEST = 30  # signs of a student's name in the table
MOST = 20  # files that were not recognised are listed, up to so many


def copy_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the copies go; it is made if need be")
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names (default: every lesson)")
    parser.add_argument("--overwrite", action="store_true", help="replace files that are there already")


def copy(wanted: argparse.Namespace) -> None:
    from coincourse.classroom import student_copy

    files = student_copy(wanted.folder, wanted.lessons, wanted.overwrite)
    for file in files:
        say(f"{file}: without solutions, without outputs")


def mark_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "FOLDER holds NAME/04_hats.ipynb or NAME_04_hats.ipynb for each student NAME; docs/marking.md tells more.\n\n"
        "Handed-in code is code: it runs on this machine, with your rights. docs/marking.md says how to run it in a "
        "container."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the handed-in notebooks")
    parser.add_argument(
        "--lesson", action="append", default=[], metavar="LESSON", help="mark only this one; may be given several times"
    )
    parser.add_argument("--table", type=new_file, metavar="FILE", help="write the table into this file, as CSV")
    parser.add_argument("--overwrite", action="store_true", help="replace the table's file if it is there already")
    parser.add_argument(
        "--seconds", type=whole(1, 3600), default=30, metavar="S", help="how long one cell may take (default: 30)"
    )
    parser.add_argument(
        "--gigabytes", type=float, default=2.0, metavar="G", help="memory of a process, on Unix (default: 2)"
    )
    parser.add_argument(
        "--jobs", type=whole(1, 64), metavar="N", help="notebooks at a time (default: one for each core)"
    )


def mark(wanted: argparse.Namespace) -> None:
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
        (print if "\033" in line else say)(line)  # `say` would count the signs that make a colour
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


def report(marks, width: int = 80) -> list[str]:
    """The marks in lines for a terminal: a table for each lesson, then what was said, then what was not recognised.

    Parameters
    ----------
    marks : Marks
    width : int
        Signs in a line of the terminal.
    """
    lines: list[str] = []
    for lesson in dict.fromkeys(row["lesson"] for row in marks.rows):
        rows = [row for row in marks.rows if row["lesson"] == lesson]
        lines += ["", in_colour(lesson, BOLD), *_table(rows, width), *_messages(rows)]
    used = {row["outcome"] for row in marks.rows}
    lines += ["", ", ".join(f"{sign} {outcome}" for outcome, sign in SIGNS.items() if outcome in used and sign.strip())]
    if marks.strange:
        lines += ["", f"Not recognised, and not marked ({len(marks.strange)}):"]
        lines += [f"  {_plain(name)}: {why}" for name, why in marks.strange[:MOST]]
        lines += ["  ..."] * (len(marks.strange) > MOST)
    return lines[1:]


def _table(rows: list[dict[str, str]], width: int) -> list[str]:
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
        coloured = [in_colour(cell, COLOURS[sign]) if sign in COLOURS else cell for cell, sign in zip(cells, signs)]
        absent = all(outcome[student, exercise] == "not handed in" for exercise in exercises)
        count = "not handed in" if absent else f"{signs.count('✓')} of {len(signs)}"
        lines.append(f"{student[:wide]:<{wide}}  {'  '.join(coloured)}  {count}")
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
