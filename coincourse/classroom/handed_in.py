"""Who has handed in what: the names of folders and files say it, and what a notebook answers."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PurePath

from coincourse.classroom.notebooks import LARGEST, Cell, Lesson, cells_of

HIDDEN = "it is hidden"
ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".xz")
# What Moodle and Canvas make of a name: the name, a number, and what else they know.
PLATFORM = re.compile(
    r"(?P<student>.+?)(?:_late)?_(?P<id>\d+)_(?:assignsubmission_[a-z]+|\d+)(?:_(?P<file>.*)|)$",
    re.IGNORECASE | re.DOTALL,
)
TASK = re.compile(r"(?:lesson|week|task|homework|assignment|submission)s?(?:[\s_-]*\d.*)?", re.IGNORECASE)
LATIN = " (ISO/IEC 8859-1)"  # said of a name that is not in UTF-8; no file's name holds a slash
# What makes a copy of a name: whole words, and short numbers; a longer one may be a student's.
COPY = re.compile(r"(?:[\s_-]|\(\d+\)|(?<![^\W_])(?:copy\d*|mine|final|late|\d{1,3}))+$", re.IGNORECASE)
SEPARATOR = "(?: - |[ _.-])"  # what stands between a name and a lesson, once


@dataclass
class HandedIn:
    """One file, and whose it is."""

    file: str  # its path in the folder of all that was handed in
    student: str = ""
    id: str = ""  # the number that the learning platform gave the student
    lesson: str = ""  # such as "04_hats"
    cells: list[Cell] = field(default_factory=list)
    why_not: str = ""  # why it cannot be marked
    changed: float = 0.0  # the time of its last change
    # The student whom each part of its path names, and whether a learning platform has made that part.
    named: dict[str, bool] = field(default_factory=dict)
    in_own_folder: bool = False  # whether a folder is called as its student

    @property
    def known(self) -> bool:
        """Whether its student and its lesson are known."""
        return bool(self.student and self.lesson)


def collect(folder: Path, lessons: Mapping[str, Lesson]) -> tuple[list[HandedIn], list[str]]:
    """Read all that was handed in, and say what a teacher must know about who is who.

    A notebook belongs to the lesson most of whose exercises it answers. If it answers none, it belongs to
    the lesson that its name holds ("04_hats", or the number 04). Its student is named by the first folder
    that it lies in and that is not the folder of a task ("lesson04"), whatever the file is called. If there
    is no such folder, the student is what the notebook's name says beside the lesson. Two names are one
    student only if they are the same.
    """
    root = _unpacked(folder)
    files = [_read(path, path.relative_to(root), lessons) for path in _files(root)]
    warnings = _say_whose(files)
    warnings += _tell_apart(files)
    warnings += _keep_older(files)
    return files, warnings


def _unpacked(folder: Path) -> Path:
    """The folder itself or, if it holds one folder alone, and this a platform's download, that one."""
    entries = _entries(folder)
    if len(entries) == 1 and not entries[0].is_symlink() and _is_folder(entries[0]):
        inside = _entries(entries[0])
        if not PLATFORM.match(entries[0].name) and any(PLATFORM.match(path.name) for path in inside):
            return entries[0]
    return folder


def _files(folder: Path) -> Iterator[Path]:
    """All files, and the folders inside that are empty or cannot be read."""
    waiting = [folder]
    while waiting:
        place = waiting.pop(0)
        entries = _entries(place)
        if not entries and place != folder:
            yield place
        for path in entries:
            if _is_folder(path) and not path.is_symlink() and not path.name.startswith("."):
                waiting.append(path)
            else:
                yield path


def _entries(folder: Path) -> list[Path]:
    """What lies in a folder, in order; nothing if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; not, if it is longer than the system allows."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _read(path: Path, name: Path, lessons: Mapping[str, Lesson]) -> HandedIn:
    """Read a file; `why_not` says why it cannot be marked."""
    student, number, lesson_of_name = whose(name / "its files" if _is_folder(path) else name, lessons)
    work = HandedIn(readable(name.as_posix()), student, number, why_not=_why_not(path))
    parts = [PurePath(folder, "its files") for folder in name.parts[:-1]] + [PurePath(name.name)]
    for part in parts:
        work.named[whose(part, lessons)[0]] = bool(PLATFORM.match(part.parts[0]))
    work.in_own_folder = student in {whose(part, lessons)[0] for part in parts[:-1]}
    if work.why_not == HIDDEN:
        work.student = ""  # Nobody becomes a student by a hidden file.
    if work.why_not:
        return work
    try:
        work.changed = path.stat().st_mtime
        with path.open("rb") as file:
            work.cells = cells_of(file.read(LARGEST + 1))
    except OSError as error:
        work.why_not = f"it cannot be read ({error.strerror})"
    except ValueError as error:
        work.why_not = str(error)
    work.lesson = _lesson_of(work.cells, lessons) or lesson_of_name
    if not work.lesson:
        unknown = "neither its checks nor its name tell which lesson it is; call it 04_hats.ipynb"
        work.why_not = work.why_not or unknown
    elif not student:
        work.why_not = f"it does not say whose it is: call it NAME_{work.lesson}.ipynb"
    return work


def _why_not(path: Path) -> str:
    """Why something is not opened; "" for a notebook."""
    if path.name.startswith("."):
        return HIDDEN
    try:
        if path.is_symlink():
            return "it is a link, and is not followed"
        if path.is_dir():
            return "the folder is empty, or cannot be read"
        if path.suffix.lower() in ARCHIVES:
            return "unpack it first"
        if not path.is_file() or path.suffix.lower() != ".ipynb":
            return "it is no notebook"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    return ""


def whose(file: PurePath, lessons: Collection[str]) -> tuple[str, str, str]:
    """The student, the number and the lesson that the path of a file names; "" for what it does not name.

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> whose(PurePath("Ada Lovelace_4711_assignsubmission_file_/hats-04.ipynb"), lessons)
    ('Ada Lovelace', '4711', '04_hats')
    >>> whose(PurePath("lesson04/ada.ipynb"), lessons)
    ('ada', '', '04_hats')
    """
    folders = file.parts[:-1]
    stem = file.stem
    tasks = [folder for folder in folders if TASK.fullmatch(folder) or folder.lower() in lessons]
    people = [folder for folder in folders if folder not in tasks]
    platform = PLATFORM.match(people[0] if people else stem)
    of_file = PLATFORM.match(stem)
    if of_file:
        stem = of_file["file"] or stem
    lesson, beside = lesson_in(stem, lessons)
    if not lesson:
        lesson = next((lesson_in(task, lessons)[0] for task in tasks), "")
        beside = stem
    if platform:
        student = platform["student"]
    elif people:
        student = people[0]
    elif file.suffix.lower() in (".ipynb", *ARCHIVES) and not _is_lesson(beside, lessons):
        student = beside
    else:
        student = ""
    if not platform and of_file and of_file["student"] == student:
        platform = of_file
    number = platform["id"] if platform else ""
    return readable(unicodedata.normalize("NFC", student)), number, lesson


def _is_lesson(name: str, lessons: Collection[str]) -> bool:
    """Whether a name is that of a lesson without its number, and so nobody's."""
    return name.lower() in {re.sub(r"^\d+_", "", lesson) for lesson in lessons}


def readable(name: str) -> str:
    """A name as it is shown, in one line; two names that differ are shown differently.

    Examples
    --------
    >>> readable("Ada  Lovelace"), readable("no\\x1b[2J such\\nthing"), readable("J\\udcfcrg")
    ('Ada  Lovelace', 'no\\\\x1b[2J such\\\\nthing', 'Jürg (ISO/IEC 8859-1)')
    """
    latin = ""
    try:
        name.encode()
    except UnicodeEncodeError:  # Its bytes are no UTF-8.
        name = os.fsencode(name).decode("latin-1")
        latin = LATIN
    return "".join(_escaped(sign) for sign in name) + latin


def _escaped(sign: str) -> str:
    """A sign, or its number where it cannot be shown."""
    if sign.isprintable() and sign != "\\":
        return sign
    return sign.encode("unicode_escape").decode()


def lesson_in(name: str, lessons: Collection[str]) -> tuple[str, str]:
    """The lesson that a file's name speaks of, and what else it says; "" for what is not there.

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> lesson_in("Ada Lovelace_04_hats (1)", lessons)
    ('04_hats', 'Ada Lovelace')
    >>> lesson_in("grace-05", lessons), lesson_in("04-Hats", lessons)
    (('05_training_hats', 'grace'), ('04_hats', ''))
    >>> lesson_in("homework 1 of 2026, part 99", lessons)
    ('', '')
    """
    lesson_of_number = {lesson[:2]: lesson for lesson in lessons}
    whole_name = "|".join(lessons).replace("_", r"[\s_-]")
    number_alone = r"(?<!\d)\d\d(?!\d)"
    for pattern in (whole_name, number_alone):
        matches = list(re.finditer(pattern, name, re.IGNORECASE))
        for match in reversed(matches):
            lesson = lesson_of_number.get(match[0][:2])
            if lesson:
                before = re.sub(f"{SEPARATOR}$", "", name[: match.start()])
                after = re.sub(f"^{SEPARATOR}", "", COPY.sub("", name[match.end() :]))
                return lesson, before or after
    return "", ""


def _lesson_of(cells: list[Cell], lessons: Mapping[str, Lesson]) -> str:
    """The lesson most of whose exercises a notebook answers; "" if it answers none."""
    answered: set[str] = set()
    for cell in cells:
        answered |= cell.answered
    counts = {}
    for name, lesson in lessons.items():
        counts[name] = sum(exercise.name in answered for exercise in lesson.exercises)
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


def _say_whose(files: list[HandedIn]) -> list[str]:
    """Say in words which files bear the name of somebody else, and which names look alike."""
    warnings = []
    alike: dict[str, set[str]] = {}
    for work in files:
        looks = unicodedata.normalize("NFKC", work.student).casefold().removesuffix(LATIN.casefold())
        alike.setdefault(re.sub(r"[\W_]+", " ", looks).strip(), set()).add(work.student)
    students = {work.student for work in files if work.student}
    for work in files:
        named = {name for name, by_platform in work.named.items() if by_platform or name in students}
        others = named - {work.student}
        if work.student and others:
            owner = work.student
            warnings.append(
                f"{work.file} bears the name of {', '.join(sorted(others))}. "
                f"It lies in the folder of {owner}, and is marked as {owner}'s. "
                f"(A folder of several students? Call it lesson{work.lesson[:2]}.)"
            )
    for names in alike.values():
        if len(names) > 1:
            warnings.append(f"These names look alike, and are several students: {', '.join(sorted(names))}.")
    return warnings


def _tell_apart(files: list[HandedIn]) -> list[str]:
    """Give students who share a name other names, so that nobody's work is lost; say so in words.

    Moodle numbers people anew for each task. So one name with several numbers is one student, unless two of
    the numbers have handed in the same lesson.
    """
    warnings = []
    renumbered = []
    taken = {work.student for work in files}
    for name in sorted({work.student for work in files if work.student}):
        works = [work for work in files if work.student == name]
        numbers = sorted({work.id for work in works if work.id})
        notebooks = {(work.lesson, work.id) for work in works if work.lesson}
        lessons = {work.lesson for work in works if work.lesson}
        if len(notebooks) > len(lessons):
            warnings.append(f"{name} is the name of several students here: {', '.join(numbers)}.")
            for work in works:
                if work.id:
                    work.student = _new_name(f"{name} ({work.id})", taken)
        elif len(numbers) > 1:
            renumbered.append(name)
    if renumbered:
        warnings.append(
            f"Of several numbers, yet each taken for one student, without a number: {', '.join(renumbered)}."
        )
    return warnings


def _keep_older(files: list[HandedIn]) -> list[str]:
    """Give the older of several notebooks of a student's lesson rows of their own; say so in words."""
    warnings = []
    taken = {work.student for work in files}
    known = [work for work in files if work.known]
    known.sort(key=lambda work: (work.student, work.lesson, not work.in_own_folder, -work.changed, work.file))
    for (student, lesson), group in groupby(known, key=lambda work: (work.student, work.lesson)):
        works = list(group)
        if len(works) == 1:
            continue
        for older in works[1:]:
            older.student = _new_name(f"{student} ({older.file})", taken)
        names = ", ".join(work.file for work in works)
        warning = f"{lesson} of {student} is there {len(works)} times: {names}."
        warning += " All are marked, older ones in their own rows."
        if any(work.in_own_folder for work in works):
            warning += f" (Is {student} a task, and no student? Call this folder lesson{lesson[:2]}.)"
        warnings.append(warning)
    return warnings


def _new_name(name: str, taken: Collection[str]) -> str:
    """A name that we give; nobody has it whose folder or file is called so."""
    while name in taken:
        name += "*"
    return name
