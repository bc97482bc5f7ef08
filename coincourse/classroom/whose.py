"""Decide whose each file is, and what the teacher must know about it: this needs all files at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePath

from coincourse.classroom.names import NOTEBOOK, Owner, has_form, is_task, looks_like, owner
from coincourse.classroom.notebooks import AGAIN, Lesson, Notebook
from coincourse.outside.text import first_of, visible

ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".xz")
HIDDEN = "it is hidden"
EMPTY = "the folder is empty, or cannot be read"
NOTHING_OF_THEIRS = "nothing in the folder counts for this student"
MOST_NAMES = 20  # in a warning


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

    A folder that a platform made is not one of them.
    """
    flat: set[PurePath] = set()
    while True:
        names = defaultdict(set)  # those in each student's folder, for each lesson
        for work in files:
            _set_owner(work, lessons, flat)
            if work.folder and work.lesson and not work.id:
                name = owner(work.path, lessons, {*flat, work.folder}).student
                if not is_task(name, lessons):
                    names[work.folder, work.lesson].add(name)
        found = {folder for (folder, _), inside in names.items() if len(inside) > 1}
        if not found:
            return flat
        flat |= found


def _set_owner(work: HandedIn, lessons: Collection[str], flat: set[PurePath]) -> None:
    """Set whose a file is. Outside a student's folder only a notebook, or an archive with a student's name, has one."""
    path = work.path
    if work.why_not == EMPTY:  # An empty folder may be a student's, as if it held a file.
        path /= "file"
    found = owner(path, lessons, flat)
    is_archive = path.suffix.lower() in ARCHIVES and has_form(path, lessons)
    if work.why_not == HIDDEN or not (found.folder or is_archive or path.suffix.lower() == NOTEBOOK):
        found = Owner("")
    work.student, work.id, work.folder = found


def keep_apart_from_others(files: list[HandedIn], flat: set[PurePath]) -> list[str]:
    """Rename students in folders that were found to be flat if others outside have the same names.

    Otherwise what one student puts into their own folder could change another student's row.
    """
    taken = {work.student for work in files}
    outside = {work.student for work in files if not flat.intersection(work.path.parents)} - {""}
    renamed = set()
    for work in files:
        folders = flat.intersection(work.path.parents)
        if folders and work.student in outside:
            folder = visible(min(folders).as_posix())
            work.student = _new_name(f"{work.student} ({folder})", taken)
            renamed.add(work.student)
    if not renamed:
        return []
    why = "A student elsewhere has the same name, so these have their own rows"
    return [f"{why}: {_listed(renamed)}. If they are the same student, call the folder lesson04 or the like."]


def take_out_of_folders(files: list[HandedIn]) -> None:
    """Take what students.csv gives to another student, or to none, out of the folder that it is in.

    So the folder's student does not get another student's letter, and has a row even if nothing is left there. It is
    a new name for the same student if nobody else has that name, and no file there keeps the old one. An empty folder
    has a row in students.csv, which says whose it is.
    """
    known = {work.student for work in files if work.student == work.guess} - {""}
    with_work = {work.guess for work in files if work.student}  # perhaps under a new name
    for work in list(files):
        if work.folder in (None, work.path) or work.student == work.guess:
            continue
        if work.student:
            is_renamed = not {work.student, work.guess} & known
        else:
            is_renamed = work.guess in with_work
        if is_renamed:
            continue
        if work.guess not in known:
            name = visible(work.folder.as_posix())
            place = {"path": work.folder, "folder": work.folder}
            why = {"why_not": NOTHING_OF_THEIRS, "advice": "Hand in your own notebook."}
            files.append(HandedIn(name, work.guess, work.id, guess=work.guess, **place, **why))
            known.add(work.guess)
        work.folder, work.id = None, ""


def warnings_about_paths(files: list[HandedIn], lessons: Collection[str], flat: set[PurePath]) -> list[str]:
    """Return what a teacher must know about how paths were read."""
    warnings = []
    if flat:
        warnings.append(
            "These folders hold notebooks of one lesson under different names, so each is read as a folder of "
            f"several students, not as one student: {_listed(visible(folder.as_posix()) for folder in flat)}."
        )
    whole = [work.file for work in files if work.lesson and not work.folder and not has_form(work.path, lessons)]
    if whole:
        warnings.append(
            "Not called NAME_04… or NAME - …, so the file name, without what marks a copy, such as (1), "
            f"is taken as the student's name: {_listed(whole)}."
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
    for look, names in alike.items():
        if look and len(names) > 1:
            warnings.append(f"These similar names are treated as different students: {_listed(names)}.")
    alone = []
    for lesson, names in students.items():
        if len(names) > 1 and len(students) > 1 and all(len(lessons[name]) == 1 for name in names):
            alone.append(lesson)
    if alone:
        warnings.append(
            f"No student who handed in {', '.join(sorted(alone))} has handed in another lesson. "
            "Do file names differ from task to task?"
        )
    return warnings


def tell_namesakes_apart(files: list[HandedIn]) -> list[str]:
    """Give students who share a name their numbers, so that no work is lost.

    Moodle numbers people anew for each task. So one name with several numbers is one student, unless two of
    the numbers have handed in the same lesson.
    """
    warnings = []
    taken = {work.student for work in files}
    for name, works in _grouped(files, lambda work: work.student):
        notebooks = {(work.lesson, work.id) for work in works if work.lesson and work.id}
        if len(notebooks) > len({lesson for lesson, _ in notebooks}):
            numbers = {number for _, number in notebooks}
            warnings.append(f"Several students are called {name}; their numbers are {_listed(numbers)}.")
            for work in works:
                if work.id:
                    work.student = _new_name(f"{name} ({work.id})", taken)
    return warnings


def keep_one_of_each_lesson(files: list[HandedIn], lessons: Mapping[str, Lesson]) -> list[str]:
    """Leave out all but one of several notebooks of one lesson by one student; return which one counts.

    That is the newest in which something is written; one in the student's own folder comes first.
    """
    warnings = []
    known = [work for work in files if work.known]
    for (student, lesson), works in _grouped(known, lambda work: (work.student, work.lesson)):
        if len(works) == 1:
            continue
        works.sort(key=lambda work: (work.folder is None, not _is_begun(work, lessons), -work.changed, work.file))
        best, *others = works
        best.note = f"{len(works)} notebooks of {lesson.partition('_')[0]}: {best.file} counts"
        for work in others:
            work.replaced = True
            work.why_not = f"another notebook of {lesson} by {student} counts, {best.file}"
            work.lesson = ""
            work.notebook = Notebook()
        warnings.append(
            f"{student} has handed in {len(works)} notebooks of {lesson}. {best.file} counts. "
            f"Not marked: {_listed(work.file for work in others)}."
        )
    return warnings


def note_other_names(files: list[HandedIn], lessons: Collection[str], flat: set[PurePath]) -> list[str]:
    """Note on the sheet which notebooks in a student's folder have a different name; return a warning."""
    students = {looks_like(work.student) for work in files}
    found = []
    for work in files:
        if work.known and work.folder and work.student == work.guess:
            name = looks_like(owner(work.path, lessons, {*flat, work.folder}).student)
            own = looks_like(work.student)
            is_strange = has_form(work.path, lessons) and not _is_part(name, own, looks_like(work.lesson))
            if is_strange or name in students - {own, ""}:
                note = f"{work.file} has a different name from its folder"
                work.note = f"{work.note}; {note}" if work.note else note
                found.append(work.file)
    if not found:
        return []
    return [
        f"These files have a different name from their student's folder; they count for the folder: {_listed(found)}."
    ]


def _is_part(name: str, student: str, lesson: str) -> bool:
    """Return whether the name in a file's name may be the student's, belongs to the lesson's, or is only a number."""
    return name in student or student in name or name in lesson or name.isdigit()


def _is_begun(work: HandedIn, lessons: Mapping[str, Lesson]) -> bool:
    """Return whether a notebook contains code that is not the lesson's."""
    given = {cell.text for cell in lessons[work.lesson].cells}
    return any(cell.text not in given for cell in work.notebook.cells)


def warnings_about_archives(files: list[HandedIn]) -> list[str]:
    """Return which archives belong to no student, such as a download of a whole class."""
    archives = [work.file for work in files if not work.student and work.path.suffix.lower() in ARCHIVES]
    if not archives:
        return []
    return [f"Archives are not opened. Unpack these, delete them, and mark again: {_listed(archives)}."]


def names_corrected(files: list[HandedIn]) -> dict[str, str]:
    """Return the new name of each student who has one other name in students.csv."""
    named = defaultdict(set)
    for work in files:
        if work.guess:
            named[work.guess].add(work.student)
    return {old: new for old, (new, *others) in named.items() if new != old and not others}


def folders_of(files: list[HandedIn]) -> dict[str, list[PurePath]]:
    """Return the folders of each student in which no other student has a file. Files without a student do not count."""
    people = defaultdict(set)
    for work in files:
        if work.student:
            people[work.folder].add(work.student)
    found = {}
    for student, works in _grouped(files, lambda work: work.student):
        folders = {work.folder for work in works}
        found[student] = sorted(folder for folder in folders if folder and len(people[folder]) == 1)
    return found


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
