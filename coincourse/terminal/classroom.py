"""`coinlib student-copy` and `coinlib mark`: handing out lessons and marking what comes back."""

from pathlib import Path
from shutil import get_terminal_size

from rich.text import Text

from .pages import Page, Typed, decimal, whole
from .talk import say

SIGNS = {"passed": "✓", "wrong": "✗", "not written yet": "○", "no answer": "–", "not judged": "!"}
ELSEWHERE = (
    "Note: you are in {}, and the course is in {}. Run this command there: `uv run` runs code from the project in "
    "the current folder, and a pupil's zip may contain one."
)
EDITED = (
    "Everything else is new. Rename what you want to keep and mark again, or add --overwrite. (Notes to a student "
    "belong in words/NAME.txt, your own in a copy of the sheet.)"
)
HARDEST = 3  # exercises in the last line
LONGEST_NAME = 40  # characters of a name in a table
MOST_LEFT_OUT = 20  # files that were not marked, shown with the reason


def copy_options(page: Page) -> None:
    """Add the arguments of `coinlib student-copy`."""
    page.add_argument("folder", type=Path, help="Where the copies go; created if it does not exist")
    page.add_argument("lessons", nargs="*", help="Numbers or names (default: every lesson)")


def copy(typed: Typed) -> None:
    """For teachers: write the lessons without solutions and outputs into a folder."""
    from coincourse.course import CourseError, student_copy

    if _names_a_lesson(typed.folder) and not typed.folder.exists():
        usual = " ".join(["coinlib student-copy to-hand-out", str(typed.folder), *typed.lessons])
        raise CourseError(f"{typed.folder} is a lesson, and the folder for the copies is missing. Write: {usual}")
    for file in student_copy(typed.folder, typed.lessons):
        say(f"{file}: without solutions, without outputs")


def _names_a_lesson(folder: Path) -> bool:
    """Return whether what was typed as a folder is the number or the name of a lesson."""
    from coincourse.course import CourseError, find_lesson, home, originals

    if folder.name != str(folder):
        return False
    try:
        find_lesson(originals(home()), folder.name)
    except CourseError:
        return False
    return True


def mark_options(page: Page) -> None:
    """Add the arguments of `coinlib mark`."""
    page.add_argument("folder", type=Path, help="The hand-ins")
    page.add_option("--into", Path, "Folder for the results", default=Path("marks"))
    words = "Mark only this lesson; may be given several times"
    page.add_argument("--lesson", action="append", default=[], help=words)
    words = "Mark this student again, by name or number; may be given several times"
    page.add_argument("--again", action="append", default=[], help=words)
    page.add_flag("--give-back", "Put each letter into its student's folder, or into letters.zip")
    page.add_flag("--overwrite", "Replace files that you have edited")
    page.add_option("--seconds", whole(1), "Time limit for one cell, in seconds", default=30)
    page.add_option("--gigabytes", decimal(0.1), "Memory of a process, on Unix", default=2.0)
    page.add_option("--jobs", whole(1), "Notebooks to run at the same time (default: one per core)")
    page.add_flag("--trust", "Run handed-in code with your rights where bubblewrap does not work")


def mark(typed: Typed) -> None:
    """For teachers: mark handed-in notebooks, each in a contained process.

    FOLDER contains NAME/04_hats.ipynb or NAME_04_hats.ipynb for each student NAME. If a name comes out wrong,
    correct it in students.csv among the results, and mark again. docs/marking.md explains everything.

    Each notebook runs in bubblewrap: no network, and no access to your files. Where bubblewrap does not work,
    handed-in code would run with your rights, and you must allow that with --trust.
    """
    from coincourse.classroom import marking
    from coincourse.classroom.desk import Desk
    from coincourse.classroom.give_back import give_back
    from coincourse.course import CourseError, own_home
    from coincourse.outside import contained

    desk = Desk(typed.into, typed.folder, typed.overwrite)
    settings = {name: getattr(typed, name) for name in ("again", "seconds", "gigabytes", "jobs", "trust")}
    try:
        marks = marking.mark(typed.folder, typed.into, typed.lesson, **settings)
    except KeyboardInterrupt:
        say("Stopped. The marks so far are kept: the same command continues from here.")
        raise
    letters = desk.lay_out(marks)
    report(marks)
    if Path.cwd() != own_home():
        say((ELSEWHERE.format(Path.cwd(), own_home()), "bold red"))
    say(f"Notebooks run {contained.how_contained()}. {contained.memory_limits()}")
    say(f"{typed.into} contains sheet.csv, table.csv, overview.html and the letters; settings.toml is yours.")
    if typed.give_back:
        for sentence in give_back(letters, marks.folders, typed.folder, typed.into):
            say(sentence)
    if desk.kept:
        names = ", ".join(sorted(file.name for file in desk.kept))
        raise CourseError(f"{names}: edited since the last marking, so not replaced. {EDITED}")


def report(marks) -> None:
    """Print the results: a table and messages for each lesson, then notes about the whole class."""
    from coincourse.checks.verdict import cut
    from coincourse.classroom.desk import hardest
    from coincourse.classroom.marks import ABSENT, with_star
    from coincourse.outside.text import first_of

    for lesson, rows in marks.table().groupby("lesson"):
        say((lesson, "bold"))
        handed_in = rows[rows.outcome != ABSENT]
        say(_signs(handed_in))
        for student, mine in handed_in.groupby("student", sort=False):
            say("".join(f"{line}\n" for line in _messages(student, mine)), end="")
        absent = rows[rows.outcome == ABSENT].student.unique()
        if len(absent):
            names = [cut(student, LONGEST_NAME) for student in absent]
            say(f"No notebook from: {', '.join(first_of(names, MOST_LEFT_OUT))}")
        say()
    say(", ".join(f"{sign} {outcome}" for outcome, sign in SIGNS.items()))
    for name_and_reason in first_of(marks.left_out, MOST_LEFT_OUT):
        say(f"Not marked: {name_and_reason}")
    for warning in marks.warnings:
        say((f"Note: {warning}", "bold red"))
    wrong_answers = hardest(marks).wrong[:HARDEST]
    hard = [f"{with_star(exercise)} ({wrong} wrong)" for (_, exercise), wrong in wrong_answers.items() if wrong]
    say(f"Hardest: {', '.join(hard) or 'none'}.")


def _signs(rows) -> Text:
    """Return a table with a row for each student and a sign for each exercise."""
    from coincourse.checks.verdict import cut
    from coincourse.classroom.marks import with_star

    signs = rows.pivot(index="student", columns="exercise", values="outcome").replace(SIGNS)
    signs = signs.loc[rows.student.unique(), rows.exercise.unique()]
    signs = signs.rename(columns=with_star)
    signs.index = [cut(student, LONGEST_NAME) for student in signs.index]
    signs = signs.rename_axis(index=None, columns=None)
    table = Text(signs.to_string(line_width=get_terminal_size().columns))
    table.highlight_words(["✓"], "green")
    table.highlight_words(["✗", "!"], "red")
    return table


def _messages(student: str, rows) -> list[str]:
    """Return the lines about a student's answers that did not pass and cells that could not run."""
    judged = rows[rows.outcome.isin(["wrong", "no answer", "not judged"])].groupby("message", sort=False)
    notes = [f"{', '.join(alike.exercise)}: {message}" for message, alike in judged]
    notes += [f"could not run: {note}" for note in rows.not_run.iloc[0].splitlines()]
    if not notes:
        return []
    return [f"{student}:", *("  " + note.replace("\n", "\n    ") for note in notes)]
