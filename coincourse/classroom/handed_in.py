"""Who has handed in what: read off the names of folders and files, and off the checks that a notebook calls."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, groupby
from pathlib import Path
from typing import NamedTuple

from coincourse.classroom.notebooks import CALL, Cell, Lesson, cells_of

LARGEST = 20_000_000  # bytes of a notebook
HIDDEN = "it is hidden"
DEEPEST = 20  # folders in one another
ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".xz")
PLATFORM = re.compile(  # Moodle's and Canvas's: name, number, what else
    r"(.+?)(?:[_ ]late)?_(\d+)_(?:assignsubmission_[a-z]+|\d+)(?:_(.*)|)$", re.IGNORECASE | re.DOTALL
)
COPY = re.compile(r"(?:[\s_-]|\(\d+\)|\d|copy|mine|final|late)+$", re.IGNORECASE)
NUMBER = re.compile(r"(?<![0-9])([0-9]{2})(?![0-9])")


@dataclass
class HandedIn:
    """One notebook of one student."""

    student: str
    id: str  # what the learning platform calls the student, or ""
    lesson: str  # such as "04_hats"
    file: str  # from the folder of all
    cells: list[Cell]
    why_not: str = ""  # why it cannot be marked
    changed: float = 0.0  # when


class Collected(NamedTuple):
    """What a folder holds."""

    handed_in: list[HandedIn]  # in order of lessons and students
    left_out: list[tuple[str, str]]  # files and folders that are not marked, and why
    warnings: list[str]  # what a teacher must know about who is who


def collect(folder: Path, lessons: Mapping[str, Lesson]) -> Collected:
    """Find the handed-in notebooks in a folder, and read them.

    A notebook's lesson is the one most of whose checks it calls; if it calls none, the one that its name
    holds ("04_hats", or the number 04). Its student is the first folder that it lies in; for a notebook that
    lies in `folder` itself, what its name says beside the lesson.
    """
    found, left_out = [], []
    for path, why in _files(folder):
        name = path.relative_to(folder).as_posix()
        one = why or _read(path, name, lessons)
        if isinstance(one, str):
            left_out.append((name, one))
        else:
            found.append(one)
    warnings = _tell_apart(found)
    order = {name: place for place, name in enumerate(lessons)}
    found.sort(key=lambda one: (order[one.lesson], one.student.casefold(), one.student))
    return Collected(found, sorted(left_out, key=lambda pair: (pair[1] == HIDDEN, pair)), warnings)


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """All files, links and what is no file, each with why it is not opened, or ""."""
    waiting = [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            yield place, f"it cannot be read: {error.strerror}"
            continue
        if not entries:
            yield place, "the folder is empty"
        for entry in entries:
            path = place / entry.name
            if entry.name.startswith("."):
                yield path, HIDDEN
            elif entry.is_symlink():
                yield path, "it is a link, and is not followed"
            elif entry.is_dir() and depth == DEEPEST:
                yield path, f"it lies more than {DEEPEST} folders deep"
            elif entry.is_dir():
                waiting.append((path, depth + 1))
            elif not entry.is_file():
                yield path, "it is no ordinary file"
            elif path.suffix.lower() != ".ipynb":
                yield path, "unpack it first" if path.suffix.lower() in ARCHIVES else "it is no notebook"
            else:
                yield path, ""


def _read(path: Path, name: str, lessons: Mapping[str, Lesson]) -> HandedIn | str:
    """A handed-in notebook, or why the file is none."""
    cells, why_not, status = [], "", path.stat()
    try:
        if status.st_size > LARGEST:
            raise ValueError(f"the file is larger than {LARGEST // 1_000_000} MB")
        cells = cells_of(path.read_bytes())
    except OSError as error:
        why_not = f"it cannot be read: {error.strerror}"
    except ValueError as error:
        why_not = str(error)
    outermost, *inside = Path(name).parts
    platform = PLATFORM.match(outermost if inside else path.stem)
    by_name, beside = lesson_in(path.stem if inside or not platform else platform[3] or path.stem, lessons)
    lesson = _lesson_of(cells, lessons) or by_name
    if not lesson:
        return why_not or "neither its checks nor its name tell which lesson it is; call it 04_hats.ipynb, for example"
    student = _clean(platform[1] if platform else outermost if inside else beside)
    if not student:
        return f"it does not say whose it is: call it NAME_{lesson}.ipynb, or give the folder above"
    return HandedIn(student, platform[2] if platform else "", lesson, name, cells, why_not, status.st_mtime)


def lesson_in(name: str, lessons: Collection[str]) -> tuple[str, str]:
    """The lesson that a file's name speaks of, and what else it says; "" for what is not there.

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> lesson_in("Ada Lovelace_04_hats (1)", lessons), lesson_in("grace-05", lessons), lesson_in("04-Hats", lessons)
    (('04_hats', 'Ada Lovelace'), ('05_training_hats', 'grace'), ('04_hats', ''))
    """
    even = re.sub(r"[\s-]", "_", name).lower()
    for lesson in lessons:
        if (place := even.find(lesson)) >= 0:
            return lesson, _rest(name[:place], name[place + len(lesson) :])
    numbered = {lesson[:2]: lesson for lesson in lessons}
    for number in reversed(list(NUMBER.finditer(name))):
        if number[1] in numbered:
            return numbered[number[1]], _rest(name[: number.start()], name[number.end() :])
    return "", ""


def _rest(before: str, after: str) -> str:
    """What a name says beside the lesson: before it, or else behind it."""
    return before.strip(" _-.") or COPY.sub("", after).strip(" _-.")


def _clean(name: str) -> str:
    """A name in signs that can be shown."""
    name = unicodedata.normalize("NFC", name).strip(" _-.")
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _lesson_of(cells: list[Cell], lessons: Mapping[str, Lesson]) -> str:
    """The lesson most of whose checks a notebook calls; "" if it calls none."""
    calls = {name for cell in cells for name in CALL.findall(cell.source)}
    called = {name: sum(one.name in calls for one in lesson.exercises) for name, lesson in lessons.items()}
    best = max(called, key=called.get, default="")
    return best if best and called[best] else ""


def _tell_apart(found: list[HandedIn]) -> list[str]:
    """Give those who share a name another one, so that nobody's work is lost; what was done, in words.

    Moodle numbers people anew for each task. So one name with several numbers is one student, unless two of
    the numbers have handed in the same lesson.
    """
    warnings = []
    for name in sorted({one.student for one in found}):
        works = [one for one in found if one.student == name]
        numbers = sorted({one.id for one in works if one.id})
        if any(one.lesson == other.lesson and one.id != other.id for one, other in combinations(works, 2)):
            warnings.append(f"{name} is the name of several students here: {', '.join(numbers)}.")
            for one in works:
                one.student = f"{name} ({one.id})" if one.id else name
        elif len(numbers) > 1:
            warnings.append(f"{name} has several numbers, and is taken for one student: {', '.join(numbers)}.")
            for one in works:
                one.id = " ".join(numbers)
    return warnings + _keep_both(found)


def _keep_both(found: list[HandedIn]) -> list[str]:
    """Where a student has two notebooks of a lesson, the older one gets a row of its own; what was done, in words."""
    found.sort(key=lambda one: (one.student, one.lesson, -one.changed, one.file))
    warnings = []
    for (student, lesson), group in groupby(found, key=lambda one: (one.student, one.lesson)):
        newest, *others = list(group)
        for one in others:
            one.student = f"{student} ({_clean(one.file)})"
            warnings.append(
                f"{lesson} of {student} is there twice: {_clean(newest.file)} and {_clean(one.file)}. "
                "Both are marked, the older one in a row of its own."
            )
    return warnings
