"""Who handed in what: the files of a folder, with the student and the lesson of each."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from coincourse.classroom import whose
from coincourse.classroom.names import NOTEBOOK, lesson_named
from coincourse.classroom.notebooks import LARGEST, UNPACKED, Cell, Lesson, NotANotebook, read_notebook
from coincourse.classroom.students import STUDENTS, follow
from coincourse.classroom.whose import HandedIn
from coincourse.outside.text import visible

GIVEN_BACK = "coinlib letter "  # how the name of a letter in a student's folder begins
THE_NOTEBOOK = f"Hand in the notebook: a file whose name ends in {NOTEBOOK}."
KEPT_IN_COPIES = (".progress-", ".handed-out", ".ipynb_checkpoints")  # next to the notebooks in a student's folder
OPENED = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def collect(
    folder: Path, lessons: Mapping[str, Lesson], results: Path | None = None
) -> tuple[list[HandedIn], list[str]]:
    """Read everything in a folder; return the files, and warnings about whose they are.

    A folder is a student, unless it is named like a task or holds two notebooks of one lesson under different
    names. Otherwise the file's name says whose it is: see `coincourse.classroom.names`. A notebook's lesson is
    the one most of whose exercises it answers, or else the one in its name.

    Parameters
    ----------
    folder : Path
    lessons : dict of str to Lesson
    results : Path, optional
        The folder whose students.csv is followed and continued.
    """
    files = [_read(path, path.relative_to(folder), lessons) for path in _files(folder)]
    flat = whose.flat_folders(files, lessons)
    apart = whose.keep_apart_from_others(files, flat)
    for work in files:
        work.guess = work.student
    if results is not None:
        follow(results, [work for work in files if work.student])
        whose.take_out_of_folders(files)
    guessed = [work for work in files if work.student == work.guess]
    warnings = whose.warnings_about_paths(guessed, lessons, flat) + apart + whose.warnings_about_names(files)
    warnings += whose.tell_namesakes_apart(files)
    warnings += whose.keep_one_of_each_lesson(files, lessons)
    warnings += whose.note_other_names(files, lessons, flat)
    if warnings and results is not None:
        warnings.append(f"If a name is wrong, correct it in {results / STUDENTS} and mark again.")
    warnings += whose.warnings_about_archives(files)
    for work in files:
        if work.notebook.damaged:
            sections = Counter(work.notebook.damaged).items()
            places = "; ".join(f"{section} ({number})" for section, number in sections)
            warnings.append(f"{work.file}: damaged cells were left out: {places}.")
    return files, warnings


# --- reading --------------------------------------------------------------------------------------------


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files, and the folders inside that are empty or cannot be read."""
    waiting = [folder]
    while waiting:
        place = waiting.pop(0)
        entries = _entries(place)
        if not entries and place != folder:
            yield place
        for path in entries:
            # A path that is too long for the system is not a folder.
            if os.path.isdir(path) and not os.path.islink(path) and not path.name.startswith("."):
                waiting.append(path)
            else:
                yield path


def _entries(folder: Path) -> list[Path]:
    """Return the entries of a folder in order, without what is ours; none if it cannot be read."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    letters = {path for path in entries if path.name.startswith(GIVEN_BACK) and path.suffix == ".html"}
    return [path for path in entries if path not in letters and not path.name.startswith(KEPT_IN_COPIES)]


def _read(path: Path, name: Path, lessons: Mapping[str, Lesson]) -> HandedIn:
    """Read a file; `why_not` says why it cannot be marked."""
    work = HandedIn(visible(name.as_posix()), path=name)
    try:
        work.why_not, work.advice = _why_not(path)
        if work.why_not:
            return work
        content, work.changed = _opened(path)
        work.notebook = read_notebook(content)
    except OSError as error:
        work.why_not = f"it cannot be read ({error.strerror})"
    except NotANotebook as error:
        work.why_not, work.advice = str(error), error.advice
    work.lesson = _lesson_answered(work.notebook.cells, lessons) or lesson_named(name, lessons)
    if not (work.lesson or work.why_not):
        work.why_not = "it answers no exercise, and its name contains no lesson: call it 04_hats.ipynb"
        work.advice = "Write your answers in the copy that you were given, and hand that in."
    return work


def _why_not(path: Path) -> tuple[str, str]:
    """Return why something is not opened, and what the student can do about it; ("", "") for a notebook."""
    if path.name.startswith("."):
        return whose.HIDDEN, ""
    if path.is_symlink():
        return "it is a link, and links are not followed", THE_NOTEBOOK
    if path.is_dir():
        return whose.EMPTY, THE_NOTEBOOK
    if path.suffix.lower() in whose.ARCHIVES:
        return "archives are not opened: only what is unpacked is marked", UNPACKED
    name, extension, _ = path.name.partition(f"{NOTEBOOK}.")
    if extension:
        return f"its name must end in {NOTEBOOK}: call it {visible(name)}{NOTEBOOK}", "Hand it in under that name."
    if path.suffix.lower() != NOTEBOOK or not path.is_file():
        return "it is not a notebook", THE_NOTEBOOK
    return "", ""


def _opened(path: Path) -> tuple[bytes, float]:
    """Return the content of a regular file, whatever has taken its place since it was found, and its time."""
    with open(path, "rb", opener=lambda name, _: os.open(name, OPENED)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotANotebook("it is not a notebook", THE_NOTEBOOK)
        return file.read(LARGEST + 1), status.st_mtime


def _lesson_answered(cells: Sequence[Cell], lessons: Mapping[str, Lesson]) -> str:
    """Return the lesson most of whose exercises a notebook answers, or "" if it answers none."""
    answered: set[str] = set()
    for cell in cells:
        answered |= cell.answered
    counts = {}
    for name, lesson in lessons.items():
        counts[name] = sum(exercise.name in answered for exercise in lesson.exercises)
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""
