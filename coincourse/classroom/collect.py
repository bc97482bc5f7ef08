"""Who has handed in what: read off the names of folders and files."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coincourse.classroom.lessons import Cell, cells_of
from coinlib.arguments import counted

LARGEST = 20_000_000  # bytes of a notebook
OURS = re.compile(r"[._].*|Thumbs\.db|desktop\.ini", re.IGNORECASE)  # what systems leave behind
PLATFORM = re.compile(r"([_ ]?late)?_\d+_(assignsubmission_\w+|\d+).*$", re.IGNORECASE)  # Moodle's and Canvas's numbers
COPY = re.compile(r"[\s_-]*(\(\d+\)|-?\d+|copy\d*|mine-\d+|final|late)*[\s_-]*$", re.IGNORECASE)
NUMBER = re.compile(r"(?<![0-9])([0-9]{2})(?![0-9])")
CHECK = re.compile(r"\bchecks?\.([a-z_]+)\(")


@dataclass
class HandedIn:
    """One notebook of one student."""

    student: str
    lesson: str  # such as "04_hats"
    path: Path
    cells: list[Cell] = field(default_factory=list)
    why_not: str = ""  # why it cannot be read
    changed: float = 0.0  # when the file was changed last


def collect(folder: Path, exercises: Mapping[str, list[str]]) -> tuple[list[HandedIn], list[tuple[str, str]]]:
    """Find the handed-in notebooks in a folder, and read them.

    A notebook's lesson is the one that its name holds ("04_hats", or a number such as 04), or else the
    one whose checks it calls. Its student is the first folder that it lies in; for a notebook that lies in
    `folder` itself, what its name says beside the lesson.

    Parameters
    ----------
    folder : Path
    exercises : mapping of str to list of str
        The lessons that can be handed in, each with the names of its exercises.

    Returns
    -------
    list of HandedIn
        In order of students and lessons, one notebook for each.
    list of pairs of str
        What was not recognised, and why.
    """
    found: dict[tuple[str, str], HandedIn] = {}
    strange: list[tuple[str, str]] = []
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        one = _read(folder, path, exercises)
        if isinstance(one, str):
            strange.append((name, one))
            continue
        key = (one.student, one.lesson)
        older = min(one, found.get(key, one), key=lambda each: (each.changed, each.path))
        if key in found:
            newer = one if older is found[key] else found[key]
            other = newer.path.relative_to(folder).as_posix()
            strange.append((older.path.relative_to(folder).as_posix(), f"{other} is newer, and of the same lesson"))
            found[key] = newer
        else:
            found[key] = one
    return [found[key] for key in sorted(found, key=lambda key: (key[0].casefold(), key))], strange


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not OURS.fullmatch(name))
        yield from (Path(place) / name for name in sorted(files) if not OURS.fullmatch(name))


def _read(folder: Path, path: Path, exercises: Mapping[str, list[str]]) -> HandedIn | str:
    """A handed-in notebook, or why the file is none."""
    if path.is_symlink() or not path.is_file():
        return "it is a link, and is not followed" if path.is_symlink() else "it is no ordinary file"
    if path.suffix.lower() != ".ipynb":
        return (
            "unpack it first" if path.suffix.lower() in (".zip", ".7z", ".rar", ".gz", ".tar") else "it is no notebook"
        )
    try:
        with path.open("rb") as file:
            content, changed = file.read(LARGEST + 1), os.fstat(file.fileno()).st_mtime
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    cells, why_not = _cells(content)
    lesson, rest = lesson_in(path.stem, exercises)
    other = _lesson_of(cells, exercises)
    lesson = lesson or other
    if not lesson:
        return why_not or "neither its name nor its checks tell which lesson it is; call it 04_hats.ipynb, for example"
    inside = path.relative_to(folder).parts
    student = _student(inside[0] if len(inside) > 1 else rest)
    if not student:
        return (
            f"it does not say whose it is: call it NAME_{lesson}.ipynb, or put it into a folder called NAME, "
            "or give the folder above"
        )
    if not why_not and other and not _calls(cells) & set(exercises[lesson]):
        why_not = f"it is called {lesson}, but its checks are those of {other}"
    return HandedIn(student, lesson, path, cells, why_not, changed)


def _cells(content: bytes) -> tuple[list[Cell], str]:
    """The code cells of a file, and why there are none."""
    if len(content) > LARGEST:
        return [], f"the file is larger than {LARGEST // 1_000_000} MB"
    try:
        cells = cells_of(content)
    except ValueError as error:
        return [], str(error)
    return cells, "" if cells else "the notebook has no code cells"


def lesson_in(name: str, lessons: Mapping[str, object]) -> tuple[str, str]:
    """The lesson that a file's name speaks of, and what else it says.

    Parameters
    ----------
    name : str
        Without its ending.
    lessons : mapping of str
        The names of the lessons.

    Returns
    -------
    pair of str
        "" for what is not there.

    Examples
    --------
    >>> lessons = {"04_hats": [], "05_training_hats": []}
    >>> lesson_in("Ada Lovelace_04_hats (1)", lessons), lesson_in("grace-05", lessons), lesson_in("04-Hats", lessons)
    (('04_hats', 'Ada Lovelace'), ('05_training_hats', 'grace'), ('04_hats', ''))
    """
    even = re.sub(r"[\s-]", "_", name).casefold()
    for lesson in lessons:
        if (place := even.find(lesson.casefold())) >= 0:
            return lesson, _rest(name[:place], name[place + len(lesson) :])
    numbered = {lesson[:2]: lesson for lesson in lessons}
    for number in reversed(list(NUMBER.finditer(name))):
        if number[1] in numbered:
            return numbered[number[1]], _rest(name[: number.start()], name[number.end() :])
    return "", ""


def _rest(before: str, after: str) -> str:
    """What a name says beside the lesson: before it, or else behind it."""
    return before.strip(" _-.") or COPY.sub("", after).strip(" _-.")


def _student(words: str) -> str:
    """A student's name, without the numbers of a learning platform."""
    name = unicodedata.normalize("NFC", PLATFORM.sub("", words)).strip(" _-.")
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _lesson_of(cells: list[Cell], exercises: Mapping[str, list[str]]) -> str:
    """The lesson most of whose checks a notebook calls; "" if it calls none."""
    calls = _calls(cells)
    held = {lesson: len(calls & set(names)) for lesson, names in exercises.items()}
    best = max(held, key=held.get, default="")
    return best if best and held[best] else ""


def _calls(cells: list[Cell]) -> set[str]:
    return {name for cell in cells for name in CHECK.findall(cell.source)}


def summary(handed_in: list[HandedIn]) -> str:
    """How much there is, in words.

    Examples
    --------
    >>> summary([HandedIn("Ada", "04_hats", Path("Ada/04_hats.ipynb"))])
    '1 notebook of 1 student'
    """
    students = {one.student for one in handed_in}
    return f"{counted(len(handed_in), 'notebook')} of {counted(len(students), 'student')}"
