"""`coinlib student-copy` and `coinlib mark`: what a teacher hands out, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size

from rich.text import Text

from .talk import say

SIGNS = {"passed": "✓", "wrong": "✗", "not tried": "·", "no answer": "–", "not judged": "!", "not handed in": " "}
MOST = 3  # of the hardest exercises


def copy(folder: Path, lessons: Sequence[str] = (), *, overwrite: bool = False) -> None:
    """For teachers: write the lessons without solutions and outputs into a folder.

    Parameters
    ----------
    folder : Path
        Where the copies go; it is made if need be.
    lessons : sequence of str
        Numbers or names (default: every lesson).
    overwrite : bool
        Replace files that are there already.
    """
    from coincourse.course import student_copy

    for file in student_copy(folder, lessons, overwrite):
        say(f"{file}: without solutions, without outputs")


def mark(
    folder: Path,
    *,
    into: Path = Path("marks"),
    lesson: Sequence[str] = (),
    again: Sequence[str] = (),
    overwrite: bool = False,
    seconds: int = 30,
    gigabytes: float = 2.0,
    jobs: int | None = None,
    trust: bool = False,
) -> None:
    """For teachers: mark handed-in notebooks, each in a contained process.

    FOLDER holds NAME/04_hats.ipynb or NAME_04_hats.ipynb for each student NAME; docs/marking.md tells more.

    Each notebook runs in bubblewrap: no network, nothing of anybody else. Where bubblewrap does not work
    handed-in code would run with your rights, and --trust says that you want that.

    Parameters
    ----------
    folder : Path
        The handed-in notebooks.
    into : Path
        For results.
    lesson : sequence of str
        Mark only this one; may be given several times.
    again : sequence of str
        Mark students of this name or number again; may be given several times.
    overwrite : bool
        Replace files in which somebody has written.
    seconds : int
        How long one cell may take.
    gigabytes : float
        Memory of a process, on Unix.
    jobs : int, optional
        Notebooks at a time (default: one for each core).
    trust : bool
        Run handed-in code with your rights where bubblewrap does not work.
    """
    from coincourse import classroom
    from coincourse.outside import contained

    desk, limits = classroom.Desk(into, overwrite), {"seconds": seconds, "gigabytes": gigabytes}
    try:
        marks = classroom.mark(folder, into, lesson, again=again, jobs=jobs, trust=trust, **limits)
    except KeyboardInterrupt:
        say("Stopped. What was marked is kept: the same command goes on where it was.")
        raise
    desk.lay_out(marks)
    report(marks)
    say(f"Notebooks run {contained.in_words()}.")
    say(f"{into} holds sheet.csv, table.csv, overview.html and the letters; settings.toml is yours.")


def report(marks) -> None:
    """Say what came of a marking: for each lesson a table and its messages, then what is true of the class."""
    from coincourse.classroom.desk import hardest

    for lesson, rows in marks.table().groupby("lesson"):
        say((lesson, "bold"))
        say(_signs(rows))
        for student, mine in rows.groupby("student", sort=False):
            say("".join(f"{line}\n" for line in _messages(student, mine)), end="")
        say()
    say(", ".join(f"{sign} {outcome}" for outcome, sign in SIGNS.items() if sign.strip()))
    for name, why in marks.left_out:
        say(f"Not marked: {name}: {why}")
    for warning in marks.warnings:
        say((f"Look: {warning}", "bold red"))
    hard = [f"{exercise} ({wrong} wrong)" for (_, exercise), wrong in hardest(marks).wrong[:MOST].items() if wrong]
    say(f"Hardest: {', '.join(hard) or 'none'}.")


def _signs(rows) -> Text:
    """A row for each student, with a sign for each exercise."""
    signs = rows.pivot(index="student", columns="exercise", values="outcome").replace(SIGNS)
    signs = signs.loc[rows.student.unique(), rows.exercise.unique()]
    signs["passed"] = (signs == SIGNS["passed"]).sum(axis="columns")
    table = Text(signs.rename_axis(index=None, columns=None).to_string(line_width=get_terminal_size().columns))
    table.highlight_words(["✓"], "green")
    table.highlight_words(["✗", "!"], "red")
    return table


def _messages(student: str, rows) -> list[str]:
    """What is to be said of a student's answers that did not pass, and of cells that went wrong."""
    judged = rows[rows.outcome.isin(["wrong", "no answer", "not judged"])].groupby("message", sort=False)
    said = [f"  {', '.join(alike.exercise)}: {message}" for message, alike in judged]
    said += [f"  could not run: {note}" for note in rows.not_run.iloc[0].splitlines()]
    return [f"{student}:", *said] if said else []
