"""Whose each file is, and what a teacher must know about it: decisions that need all files at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePath

from coincourse.classroom.names import (
    NOTEBOOK,
    Owner,
    has_form,
    is_task,
    looks_like,
    owner,
    without_copy_marks,
    without_lesson,
)
from coincourse.classroom.notebooks import AGAIN, Lesson, Notebook
from coincourse.outside.text import first_of, visible

ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".xz")
HIDDEN = "it is hidden"
EMPTY = "the folder is empty, or cannot be read"
MOST_NAMES = 20  # in a warning
MOST_OF_A_LESSON = 3  # notebooks under one student's name that are marked


@dataclass
class HandedIn:
    """A file, and whose it is."""

    file: str  # its path in the folder, as it is shown
    student: str = ""
    id: str = ""  # the number that the learning platform gave the student
    lesson: str = ""  # such as "04_hats"
    notebook: Notebook = field(default_factory=Notebook)
    why_not: str = ""  # why it cannot be marked
    advice: str = AGAIN  # what the student can do about that
    path: PurePath = field(default_factory=PurePath)  # the same, in the system's form
    folder: PurePath | None = None  # the folder that names the student
    changed: float = 0.0  # the time of its last change
    guess: str = ""  # the student before students.csv was followed
    person: str = ""  # the student, even if an older notebook has its own rows
    replaced: bool = False  # whether it is not marked because another notebook of its lesson counts
    note: str = ""  # what the sheet says about it

    @property
    def known(self) -> bool:
        """Whether its student and its lesson are known."""
        return bool(self.student and self.lesson)

    @property
    def for_student(self) -> str:
        """What a letter says about a file that cannot be marked."""
        return f"{visible(self.path.name)} cannot be marked: {self.why_not}. {self.advice}"


def flat_folders(files: list[HandedIn], lessons: Collection[str]) -> set[PurePath]:
    """Set each file's owner; return the folders that hold two notebooks of one lesson under different names.

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


def join_copies(files: list[HandedIn], lessons: Mapping[str, Lesson]) -> list[str]:
    """Give the notebooks in a copy of a student's folder, such as "Ada (1)", to the same student.

    A folder is a copy if its notebooks are all in the other folder too, and one of them contains a student's code.
    Otherwise it may be a namesake's.
    """
    warnings = []
    in_folder = defaultdict(list)
    for work in files:
        if work.folder and work.lesson:
            in_folder[work.folder].append(work)
    for folder, works in in_folder.items():
        originals = in_folder.get(folder.with_name(without_copy_marks(folder.name)), works)
        name = originals[0].student
        if name == works[0].student:
            continue
        there = [work.notebook for work in originals]
        is_begun = any(_is_begun(work, lessons) for work in works)
        if is_begun and all(work.notebook in there for work in works):
            for work in works:
                work.student = name
            warnings.append(f"{visible(folder.as_posix())} is a copy of the folder of {name}, and counts as theirs.")
        else:
            warnings.append(f"These similar names are treated as different students: {name}, {works[0].student}.")
    return warnings


def _is_begun(work: HandedIn, lessons: Mapping[str, Lesson]) -> bool:
    """Return whether a notebook contains code that is not the lesson's."""
    given = {cell.text for cell in lessons[work.lesson].cells}
    return any(cell.text not in given for cell in work.notebook.cells)


def keep_apart_from_others(files: list[HandedIn], flat: set[PurePath]) -> list[str]:
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


def warnings_about_paths(files: list[HandedIn], lessons: Collection[str], flat: set[PurePath]) -> list[str]:
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


def warnings_about_names(files: list[HandedIn]) -> list[str]:
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


def tell_namesakes_apart(files: list[HandedIn]) -> list[str]:
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


def keep_older(files: list[HandedIn], lessons: Mapping[str, Lesson]) -> list[str]:
    """Leave out or set apart the older of several notebooks of one lesson and student; return what was done.

    The newest in which something is written counts, one in the student's own folder first. Another notebook is left out if it is in the same student's folder, or contains the same code. Others could be those of
    another student who has used the name, so the newest have their own rows.
    """
    warnings = []
    taken = {work.student for work in files}
    known = [work for work in files if work.known]
    for (student, lesson), works in _grouped(known, lambda work: (work.student, work.lesson)):
        if len(works) == 1:
            continue
        works.sort(key=lambda work: (work.folder is None, not _is_begun(work, lessons), -work.changed, work.file))
        newest, *others = works
        apart: list[HandedIn] = []
        for older in others:
            why_not = _why_replaced(older, newest)
            if not why_not and len(apart) == MOST_OF_A_LESSON - 1:
                why_not = f"{MOST_OF_A_LESSON} newer notebooks of {lesson} by {student} are marked"
            if why_not:
                older.replaced, older.why_not, older.lesson, older.notebook = True, why_not, "", Notebook()
            else:
                apart.append(older)
                older.student = _new_name(f"{student} ({older.file})", taken)
        newest.note = f"{len(works)} notebooks of {lesson.partition('_')[0]}: {newest.file} counts"
        said = f"{student} has handed in {len(works)} notebooks of {lesson}. {newest.file} counts."
        if apart:
            said += f" These have their own rows: {_listed(work.file for work in apart)}."
        if len(others) > len(apart):
            newest.note += f" ({len(others) - len(apart)} not marked)"
            said += f" Not marked: {_listed(work.file for work in others if work.replaced)}."
        warnings.append(said)
    return warnings


def _why_replaced(older: HandedIn, newest: HandedIn) -> str:
    """Return why another notebook counts instead of this one, or "" if it could be another student's."""
    if older.folder and older.folder == newest.folder:
        return f"another notebook in its folder counts, {newest.file}"
    if older.notebook.cells and older.notebook.cells == newest.notebook.cells:
        return f"{newest.file} counts, and contains the same code"
    return ""


def names_corrected(files: list[HandedIn]) -> dict[str, str]:
    """Return the new name of each student whom students.csv gives one other name."""
    named = defaultdict(set)
    for work in files:
        if work.guess:
            named[work.guess].add(work.person)
    return {old: new for old, (new, *others) in named.items() if new != old and not others}


def folders_of(files: list[HandedIn]) -> dict[str, list[PurePath]]:
    """Return the folders of each student in which no other student has anything. What has no student does not count."""
    people = defaultdict(set)
    for work in files:
        if work.person:
            people[work.folder].add(work.person)
    found = {}
    for student, works in _grouped(files, lambda work: work.student):
        folders = {work.folder for work in works}
        found[student] = sorted(folder for folder in folders if folder and len(people[folder]) == 1)
    return found


def _set_owner(work: HandedIn, lessons: Collection[str], flat: set[PurePath]) -> None:
    found = owner(work.path, lessons, flat, is_folder=work.why_not == EMPTY)
    names_its_student = found.folder or work.path.suffix.lower() in (NOTEBOOK, *ARCHIVES)
    if work.why_not == HIDDEN or not names_its_student:
        found = Owner("")
    work.student, work.id, work.folder = found


def _name_inside(work: HandedIn, lessons: Collection[str], flat: set[PurePath]) -> str:
    """Return the student that a path names below its student's folder, or ""."""
    if work.folder is None or work.why_not == EMPTY:
        return ""
    name = owner(work.path, lessons, {*flat, work.folder}).student
    return "" if is_task(name, lessons) else name


def _grouped(files: list[HandedIn], key: Callable) -> list[tuple]:
    """Return the files of each student in order of their names, without files that have no student."""
    works = sorted((work for work in files if work.student), key=key)
    return [(name, list(group)) for name, group in groupby(works, key)]


def _new_name(name: str, taken: Collection[str]) -> str:
    """Return a name that no student has."""
    while name in taken:
        name += "*"
    return name


def _listed(names: Iterable[str]) -> str:
    """Return names as a list, cut if it is long."""
    return ", ".join(first_of(sorted(names), MOST_NAMES))
