"""Which student a path names: the rules of docs/marking-details.md, "Who handed in what"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from pathlib import PurePath
from typing import NamedTuple

from coincourse.outside.text import LATIN, visible

NOTEBOOK = ".ipynb"
# What Moodle, Canvas, Blackboard and Brightspace put around a name
PLATFORMS = [
    re.compile(r"(?P<student>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+(_(?P<file>.*))?", re.DOTALL),
    re.compile(r"(?P<student>[^_\s]+?)(_late)?_(?P<id>\d{3,})_\d{3,}_(?P<file>.+)", re.DOTALL | re.IGNORECASE),
    re.compile(r".+_(?P<id>(?P<student>[^_]+))_attempt_[\d-]+(_(?P<file>.*))?", re.DOTALL),
    re.compile(r"(?P<id>\d+)-\d+ - (?P<student>.+) - \w+ \d+, \d+ \d+ [AP]M(?P<file>)", re.DOTALL),
]
TASK = re.compile(r"(?:lesson|week|task|homework|assignment)s?_?(?=\d)")
COPY_OF = re.compile(r"^(?:copy of|kopie von|copie de|copia de|cópia de)\s+", re.IGNORECASE)
A_COPY = re.compile(r"(?:\s*\(\d+\)|[\s_-]+(?:copy|kopie|copie|copia)\s*\d*)$", re.IGNORECASE)
ESCAPED = re.compile(r"\\(?:x..|u.{4}|U.{8}|[nrt])", re.IGNORECASE)  # see `visible`
# Cyrillic and Greek letters that look like these Latin ones
LOOKALIKES = str.maketrans("аеорсухіјѕѵοανρικυ", "aeopcyxijsvoavpiku")


class Owner(NamedTuple):
    """Whose a file is, by its path."""

    student: str
    id: str = ""  # the number, or the account's name, that the platform gave the student
    folder: PurePath | None = None  # the folder that names the student; None if the file's name does


def owner(path: PurePath, lessons: Collection[str], flat: Collection[PurePath] = ()) -> Owner:
    """Return whose a file is: the first folder on its path that is a student, or else its name says it.

    Folders that are named like a task, and those in `flat`, are not students.

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> owner(PurePath("lesson04/Ada Lovelace_4711_assignsubmission_file_/hats.ipynb"), lessons)[:2]
    ('Ada Lovelace', '4711')
    >>> owner(PurePath("Copy of Ben_04 (1).ipynb"), lessons)
    Owner(student='Ben', id='', folder=None)
    """
    for folder in path.parents[-2::-1]:
        if not is_task(folder.name, lessons) and folder not in flat:
            student, number, _ = _without_platform(folder.name)
            return Owner(_shown(student), number, folder)
    student, number, file = _without_platform(path.stem)
    if not number:
        student = name_in(file, lessons) or without_copy_marks(file)
    return Owner(_shown(student), number)


def is_task(name: str, lessons: Collection[str]) -> bool:
    """Return whether a name is that of a lesson or a task.

    Examples
    --------
    >>> [is_task(name, ["04_hats"]) for name in ("04_hats", "Lesson 04 Hats", "week 3", "Weeks", "lesson04-ada")]
    [True, True, True, False, False]
    """
    words = re.sub(r"[\s_-]+", "_", name).lower()
    rest = TASK.sub("", words, count=1)
    return rest in lessons or (rest != words and rest.isdigit())


def name_in(stem: str, lessons: Collection[str]) -> str:
    """Return the NAME of a file called NAME_04…, NAME - … or 04_hats_NAME, or "".

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> stems = ("Ada_04_hats", "Copy of Ben - Copy of 04_hats", "04_hats - Cleo (1)", "group07")
    >>> [name_in(stem, lessons) for stem in stems]
    ['Ada', 'Ben', 'Cleo', '']
    """
    stem = without_copy_marks(stem)
    after_lesson = re.match(rf"(?:{'|'.join(lessons)})(?:_|\s*-\s*|\s+)(.+)", stem, re.DOTALL)
    if after_lesson:
        return after_lesson[1]
    numbers = "|".join(map(number_of, lessons))
    named = re.match(rf"(.+?)(?:_(?:{numbers})(?!\d)| - )", stem, re.DOTALL)
    return named[1] if named and not is_task(named[1], lessons) else ""


def number_of(lesson: str) -> str:
    """Return the number of a lesson, or the name of a project.

    Examples
    --------
    >>> number_of("04_hats"), number_of("networks")
    ('04', 'networks')
    """
    return lesson.partition("_")[0]


def has_form(path: PurePath, lessons: Collection[str]) -> bool:
    """Return whether a file is called NAME_04…, NAME - … or 04_hats_NAME, or as a platform calls it."""
    _, number, stem = _without_platform(path.stem)
    return bool(number or name_in(stem, lessons))


def lesson_named(path: PurePath, lessons: Collection[str]) -> str:
    """Return the lesson that the name of a file, or of a task's folder that it is in, contains, or "".

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> [lesson_named(PurePath(path), lessons) for path in ("ada/hats-04.ipynb", "05_training_hats/ada.ipynb", "1")]
    ['04_hats', '05_training_hats', '']
    """
    tasks = [folder.name for folder in path.parents[:-1] if is_task(folder.name, lessons)]
    lesson_of_number = {number_of(lesson): lesson for lesson in lessons}
    number = re.compile(rf"(?<!\d)(?:{'|'.join(lesson_of_number)})(?!\d)")
    for name in (_without_platform(path.stem)[2], *tasks):
        words = re.sub(r"[\s-]", "_", without_copy_marks(name).lower())
        named = [lesson for lesson in lessons if lesson in words]
        named = named or [lesson_of_number[found] for found in number.findall(words)]
        if named:
            return named[-1]
    return ""


def without_copy_marks(stem: str) -> str:
    """Return a name without what a system adds to that of a copy.

    Examples
    --------
    >>> without_copy_marks("Copy of Ada (1)"), without_copy_marks("Ada - Copy"), without_copy_marks("(1)")
    ('Ada', 'Ada', '(1)')
    """
    while True:
        shorter = A_COPY.sub("", COPY_OF.sub("", stem))
        if shorter in (stem, ""):
            return stem
        stem = shorter


def looks_like(student: str) -> str:
    """Return what is the same for names that look alike.

    Examples
    --------
    >>> looks_like("Ada  LOVELACE") == looks_like("Lovelace, Ada (1)") != looks_like("Ben")
    True
    """
    name = without_copy_marks(student.removesuffix(LATIN))
    name = unicodedata.normalize("NFKD", name).casefold().translate(LOOKALIKES)
    name = "".join(sign for sign in name if not unicodedata.combining(sign))
    return "".join(sorted(re.findall(r"[^\W_]+", ESCAPED.sub(" ", name))))


def _without_platform(name: str) -> tuple[str, str, str]:
    """Return the student, the number and the file that a name made by a platform contains."""
    for platform in PLATFORMS:
        found = platform.fullmatch(name)
        if found:
            return found["student"], found["id"], found["file"] or ""
    return name, "", name


def _shown(student: str) -> str:
    return visible(unicodedata.normalize("NFC", student))
