"""Who handed in what: the files of a folder, with the student and the lesson of each."""

from __future__ import annotations

import os
import stat
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PurePath

from coincourse.classroom.names import NOTEBOOK, has_form, is_task, lesson_named, looks_like, owner, without_lesson
from coincourse.classroom.notebooks import LARGEST, Cell, Lesson, read_notebook
from coincourse.classroom.students import STUDENTS, follow
from coincourse.outside.text import visible

HIDDEN = "it is hidden"
EMPTY = "the folder is empty, or cannot be read"
ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".xz")
GIVEN_BACK = "coinlib letter "  # how the name of a letter in a student's folder begins
OPENED = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
MOST_NAMES = 20  # in a warning


@dataclass
class HandedIn:
    """A file, and whose it is."""

    file: str  # its path in the folder, as it is shown
    student: str = ""
    id: str = ""  # the number that the learning platform gave the student
    lesson: str = ""  # such as "04_hats"
    cells: list[Cell] = field(default_factory=list)
    why_not: str = ""  # why it cannot be marked
    path: PurePath = field(default_factory=PurePath)  # the same, as the system writes it
    folder: PurePath | None = None  # the folder that names the student
    changed: float = 0.0  # the time of its last change
    python: str = ""  # the version of Python that ran it
    damaged: tuple[int, ...] = ()  # the numbers of cells that could not be read
    person: str = ""  # the student, also where an older notebook has its own rows

    @property
    def known(self) -> bool:
        """Whether its student and its lesson are known."""
        return bool(self.student and self.lesson)


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
    flat = _flat_folders(files, lessons)
    apart = _keep_apart_from_others(files, flat)
    guesses = [work.student for work in files]
    if results is not None:
        follow(results, [work for work in files if work.student])
    for work in files:
        work.person = work.student
    guessed = [work for work, guess in zip(files, guesses) if work.student == guess]
    warnings = _warnings_about_paths(guessed, lessons, flat) + apart + _warnings_about_names(files)
    warnings += _tell_namesakes_apart(files)
    warnings += _keep_older(files)
    if warnings and results is not None:
        warnings.append(f"If a name is wrong, correct it in {results / STUDENTS} and mark again.")
    for work in files:
        if work.damaged:
            cells = ", ".join(map(str, work.damaged))
            warnings.append(f"{work.file}: damaged cells were left out: {cells}.")
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
            if _is_folder(path) and not path.name.startswith("."):
                waiting.append(path)
            else:
                yield path


def _entries(folder: Path) -> list[Path]:
    """Return the entries of a folder in order, without our letters; none if it cannot be read."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [path for path in entries if not (path.name.startswith(GIVEN_BACK) and path.suffix == ".html")]


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder and not a link to one; False if it is too long for the system."""
    try:
        return path.is_dir() and not path.is_symlink()
    except OSError:
        return False


def _read(path: Path, name: Path, lessons: Mapping[str, Lesson]) -> HandedIn:
    """Read a file; `why_not` says why it cannot be marked."""
    work = HandedIn(visible(name.as_posix()), path=name)
    try:
        work.why_not = _why_not(path)
        if work.why_not:
            return work
        content, work.changed = _opened(path)
        notebook = read_notebook(content)
        work.cells, work.damaged, work.python = notebook.cells, notebook.damaged, notebook.python
    except OSError as error:
        work.why_not = f"it cannot be read ({error.strerror})"
    except ValueError as error:
        work.why_not = str(error)
    work.lesson = _lesson_answered(work.cells, lessons) or lesson_named(name, lessons)
    if not work.lesson:
        work.why_not = work.why_not or "it answers no exercise, and its name contains no lesson: call it 04_hats.ipynb"
    return work


def _why_not(path: Path) -> str:
    """Return why something is not opened, or "" for a notebook."""
    if path.name.startswith("."):
        return HIDDEN
    if path.is_symlink():
        return "it is a link, and links are not followed"
    if path.is_dir():
        return EMPTY
    if path.suffix.lower() in ARCHIVES:
        return "unpack it first"
    name, extension, _ = path.name.partition(f"{NOTEBOOK}.")
    if extension:
        return f"its name must end in {NOTEBOOK}: call it {visible(name)}{NOTEBOOK}"
    if path.suffix.lower() != NOTEBOOK or not path.is_file():
        return "it is not a notebook"
    return ""


def _opened(path: Path) -> tuple[bytes, float]:
    """Return the content of a regular file, whatever has taken its place since it was found, and its time."""
    with open(path, "rb", opener=lambda name, _: os.open(name, OPENED)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is not a notebook")
        return file.read(LARGEST + 1), status.st_mtime


def _lesson_answered(cells: list[Cell], lessons: Mapping[str, Lesson]) -> str:
    """Return the lesson most of whose exercises a notebook answers, or "" if it answers none."""
    answered: set[str] = set()
    for cell in cells:
        answered |= cell.answered
    counts = {}
    for name, lesson in lessons.items():
        counts[name] = sum(exercise.name in answered for exercise in lesson.exercises)
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


# --- whose it is ----------------------------------------------------------------------------------------


def _flat_folders(files: list[HandedIn], lessons: Collection[str]) -> set[PurePath]:
    """Set whose each file is; return the folders that hold two notebooks of one lesson under different names.

    A folder that Moodle or Canvas made is not one of them.
    """
    flat: set[PurePath] = set()
    while True:
        names = defaultdict(set)  # those in each student's folder, for each lesson
        for work in files:
            _set_owner(work, lessons, flat)
            name = _name_inside(work, lessons, flat)
            if name and work.lesson and not work.id:
                names[work.folder, work.lesson].add(name)
        found = {folder for (folder, _), inside in names.items() if len(inside) > 1}
        if not found:
            return flat
        flat |= found


def _keep_apart_from_others(files: list[HandedIn], flat: set[PurePath]) -> list[str]:
    """Rename students in folders that were found to be flat if others outside have the same names.

    Otherwise what one student puts into their own folder could change another student's row.
    """
    warnings = []
    taken = {work.student for work in files}
    others = {work.student for work in files if not flat.intersection(work.path.parents)}
    for folder in sorted(flat):
        inside = [work for work in files if folder in work.path.parents and work.student in others - {""}]
        if inside:
            name = visible(folder.as_posix())
            warnings.append(
                f"These students in {name} have the names of others, and so they have their own rows: "
                f"{_listed({work.student for work in inside})}. If they are the same, call the folder lesson04 or "
                "the like."
            )
        for student, works in _grouped(inside, lambda work: work.student):
            for work in works:
                work.student = _new_name(f"{student} ({name})", taken)
    return warnings


def _set_owner(work: HandedIn, lessons: Collection[str], flat: set[PurePath]) -> None:
    found = owner(work.path, lessons, flat, is_folder=work.why_not == EMPTY)
    could_be_work = NOTEBOOK in work.path.name.lower() or work.path.suffix.lower() in ARCHIVES
    if work.why_not != HIDDEN and (found.folder or could_be_work):
        work.student, work.id, work.folder = found


def _name_inside(work: HandedIn, lessons: Collection[str], flat: set[PurePath]) -> str:
    """Return the student whom the rest of a path names, inside the folder of its student; "" if it names none."""
    if work.folder is None or work.why_not == EMPTY:
        return ""
    name = owner(work.path, lessons, {*flat, work.folder}).student
    return "" if is_task(name, lessons) else name


def _warnings_about_paths(files: list[HandedIn], lessons: Collection[str], flat: set[PurePath]) -> list[str]:
    """Return what a teacher must know about how paths were read."""
    warnings = []
    for folder in sorted(flat):
        name = visible(folder.as_posix())
        warnings.append(
            f"{name} holds notebooks of one lesson under different names, so it is read as a folder of several "
            "students, and not as one student."
        )
    whole = [work.file for work in files if work.lesson and not work.folder and not has_form(work.path, lessons)]
    if whole:
        warnings.append(
            f"Not called NAME_04… or NAME - …, so the whole file name is taken for the student: {_listed(whole)}."
        )
    students = {work.student for work in files}
    foreign = defaultdict(set)  # files with the name of another student, by the student whose folder they are in
    for work in files:
        if _name_inside(work, lessons, flat) in students - {work.student, ""}:
            foreign[work.student].add(work.file)
    for student, names in foreign.items():
        warnings.append(
            f"These files have another student's name, but are in the folder of {student}, and are marked as theirs: "
            f"{_listed(names)}. (Several students in one folder? Call it lesson04 or the like.)"
        )
    return warnings


def _warnings_about_names(files: list[HandedIn]) -> list[str]:
    """Return which names could be one student's, and which lessons share no student with the others."""
    warnings = []
    students = defaultdict(set)  # those of each lesson
    lessons = defaultdict(set)  # those of each student
    alike = defaultdict(set)  # students whose names look alike
    for work in files:
        if work.student:
            alike[looks_like(work.student)].add(work.student)
        if work.known:
            students[work.lesson].add(work.student)
            lessons[work.student].add(work.lesson)
            alike[looks_like(without_lesson(work.student, work.lesson))].add(work.student)
    for look, names in alike.items():
        handed_in = [lesson for name in names for lesson in lessons[name]]
        same = {looks_like(name) for name in names} == {look}
        if look and len(names) > 1 and (same or len(handed_in) == len(set(handed_in))):
            warnings.append(f"These similar names are treated as different students: {_listed(names)}.")
    alone = []
    for lesson, names in students.items():
        if len(names) > 1 and len(students) > 1 and all(len(lessons[name]) == 1 for name in names):
            alone.append(lesson)
    if alone:
        warnings.append(
            f"No student of {', '.join(sorted(alone))} has handed in another lesson. "
            "Do the names of files differ from task to task?"
        )
    return warnings


def _tell_namesakes_apart(files: list[HandedIn]) -> list[str]:
    """Give students who share a name their numbers, so that no work is lost.

    Moodle numbers people anew for each task. So one name with several numbers is one student, unless two of
    the numbers have handed in the same lesson.
    """
    warnings = []
    renumbered = []
    taken = {work.student for work in files}
    for name, works in _grouped(files, lambda work: work.student):
        numbers = sorted({work.id for work in works if work.id})
        notebooks = {(work.lesson, work.id) for work in works if work.lesson and work.id}
        if len(notebooks) > len({lesson for lesson, _ in notebooks}):
            warnings.append(f"Several students are called {name}; their numbers are {_listed(numbers)}.")
            for work in works:
                if work.id:
                    work.person = work.student = _new_name(f"{name} ({work.id})", taken)
        elif len(numbers) > 1:
            renumbered.append(name)
    if renumbered:
        warnings.append(f"Several IDs for one name; treated as one student, without an ID: {_listed(renumbered)}.")
    return warnings


def _keep_older(files: list[HandedIn]) -> list[str]:
    """Give the older of several notebooks of one lesson and student their own rows."""
    warnings = []
    taken = {work.student for work in files}
    known = [work for work in files if work.known]
    for (student, lesson), works in _grouped(known, lambda work: (work.student, work.lesson)):
        if len(works) == 1:
            continue
        newest, *others = sorted(works, key=lambda work: (work.folder is None, -work.changed, work.file))
        for older in others:
            older.student = _new_name(f"{student} ({older.file})", taken)
        warnings.append(
            f"{student} has handed in {len(works)} notebooks of {lesson}. {newest.file} counts; these have their own "
            f"rows: {_listed(work.file for work in others)}."
        )
    return warnings


def folders_of(files: list[HandedIn]) -> dict[str, list[PurePath]]:
    """Return the folders of each student in which no other student has anything."""
    people = defaultdict(set)
    for work in files:
        people[work.folder].add(work.person)
    found = {}
    for student, works in _grouped(files, lambda work: work.student):
        folders = {work.folder for work in works}
        found[student] = sorted(folder for folder in folders if folder and len(people[folder]) == 1)
    return found


def _grouped(files: list[HandedIn], key: Callable) -> list[tuple]:
    """Return the files of each student in order of their names, without files that are nobody's."""
    works = sorted((work for work in files if work.student), key=key)
    return [(name, list(group)) for name, group in groupby(works, key)]


def _new_name(name: str, taken: Collection[str]) -> str:
    """Return a name that no student has."""
    while name in taken:
        name += "*"
    return name


def _listed(names: Iterable[str]) -> str:
    """Return names as a list, cut if it is long."""
    names = sorted(names)
    more = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join(names[:MOST_NAMES] + more)
