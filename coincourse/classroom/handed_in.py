"""Who has handed in what: read off the names of folders and files, and off the checks that a notebook calls."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path, PurePath

from coincourse.classroom.notebooks import Cell, Lesson, cells_of, printable

HIDDEN = "it is hidden"
ARCHIVES = (".zip", ".7z", ".rar", ".gz", ".tar", ".tgz", ".xz")
PLATFORM = re.compile(  # Moodle's and Canvas's: name, number, what else
    r"(.+?)(?:[_ ]late)?_(\d+)_(?:assignsubmission_[a-z]+|\d+)(?:_(.*)|)$", re.IGNORECASE | re.DOTALL
)
TASK = re.compile(r"(?:lesson|week|task|homework|assignment|submission)s?(?:[\s_-]*\d.*)?", re.IGNORECASE)
COPY = re.compile(r"(?:[\s_-]|\(\d+\)|\d|copy|mine|final|late)+$", re.IGNORECASE)


@dataclass
class HandedIn:
    """One file, and whose it is."""

    file: str  # from the folder of all
    student: str = ""
    id: str = ""  # what the learning platform calls the student
    lesson: str = ""  # such as "04_hats"
    cells: list[Cell] = field(default_factory=list)
    why_not: str = ""  # why it cannot be marked
    changed: float = 0.0  # when

    @property
    def known(self) -> bool:
        """Whether it is known whose it is, and as which lesson it is marked."""
        return bool(self.student and self.lesson)


def collect(folder: Path, lessons: Mapping[str, Lesson], desk: Path) -> tuple[list[HandedIn], list[str]]:
    """Read all that was handed in, and say what a teacher must know about who is who; `desk` is passed over.

    A notebook's lesson is the one most of whose checks it calls; if it calls none, the one that its name
    holds ("04_hats", or the number 04). Its student is the first folder that it lies in, other than that of
    a task ("lesson04"); if there is none, what its name says beside the lesson.
    """
    files = [_read(path, path.relative_to(folder), lessons) for path in _files(folder, desk)]
    return files, _tell_apart(files) + _keep_both(files)


def _files(folder: Path, desk: Path) -> Iterator[Path]:
    """All files, and folders of which no files are known."""
    waiting = [folder]
    while waiting:
        place = waiting.pop(0)
        entries = []
        with contextlib.suppress(OSError):  # it cannot be read
            entries = [path for path in sorted(place.iterdir()) if path != desk]
        if not entries:
            yield place
        for path in entries:
            if path.is_dir() and not path.is_symlink() and not path.name.startswith("."):
                waiting.append(path)
            else:
                yield path


def _why_not(path: Path) -> str:
    """Why something is not opened; "" for a notebook."""
    if path.name.startswith("."):
        return HIDDEN
    if path.is_symlink():
        return "it is a link, and is not followed"
    if path.is_dir():
        return "the folder is empty, or cannot be read"
    if path.suffix.lower() in ARCHIVES:
        return "unpack it first"
    return "" if path.is_file() and path.suffix.lower() == ".ipynb" else "it is no notebook"


def _read(path: Path, name: Path, lessons: Mapping[str, Lesson]) -> HandedIn:
    """What a file is; without a lesson if it cannot be marked, or nobody knows as what."""
    student, number, lesson = whose(name / "its files" if path.is_dir() else name, lessons)
    work = HandedIn(printable(name.as_posix()), student, number, why_not=_why_not(path))
    if work.why_not == HIDDEN:
        work.student = ""  # a hidden file makes nobody a student
    if work.why_not:
        return work
    work.changed = path.stat().st_mtime
    try:
        work.cells = cells_of(path.read_bytes())
    except (OSError, ValueError) as error:
        work.why_not = str(error)
    work.lesson = _lesson_of(work.cells, lessons) or lesson
    if not work.lesson:
        unknown = "neither its checks nor its name tell which lesson it is; call it 04_hats.ipynb"
        work.why_not = work.why_not or unknown
    elif not student:
        work.why_not = f"it does not say whose it is: call it NAME_{work.lesson}.ipynb"
    return work


def whose(file: PurePath, lessons: Collection[str]) -> tuple[str, str, str]:
    """The student, the number and the lesson that the path of a file speaks of; "" for what it does not.

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> whose(PurePath("Ada Lovelace_4711_assignsubmission_file_/hats-04.ipynb"), lessons)
    ('Ada Lovelace', '4711', '04_hats')
    >>> whose(PurePath("lesson04/ada.ipynb"), lessons)
    ('ada', '', '04_hats')
    """
    folders = file.parts[:-1]
    own = file.stem
    tasks = [folder for folder in folders if TASK.fullmatch(folder) or folder.lower() in lessons]
    people = [folder for folder in folders if folder not in tasks]
    platform = next(filter(None, map(PLATFORM.match, [*folders, own])), None)
    if platform and platform.string == own:
        own = platform[3] or own
    lesson, beside = lesson_in(own, lessons)
    if not people and file.suffix.lower() in (".ipynb", *ARCHIVES):
        people = [beside if lesson else own]
    if platform:
        student = platform[1]
    else:
        student = people[0] if people else ""
    lesson = lesson or next((lesson_in(task, lessons)[0] for task in tasks), "")
    student = printable(unicodedata.normalize("NFC", student)).strip(" _-.")
    return student, platform[2] if platform else "", lesson


def lesson_in(name: str, lessons: Collection[str]) -> tuple[str, str]:
    """The lesson that a file's name speaks of, and what else it says; "" for what is not there.

    Examples
    --------
    >>> lessons = ["04_hats", "05_training_hats"]
    >>> lesson_in("Ada Lovelace_04_hats (1)", lessons), lesson_in("grace-05", lessons), lesson_in("04-Hats", lessons)
    (('04_hats', 'Ada Lovelace'), ('05_training_hats', 'grace'), ('04_hats', ''))
    >>> lesson_in("homework 1 of 2026, part 99", lessons)
    ('', '')
    """
    numbers = {lesson[:2]: lesson for lesson in lessons}
    for pattern in ("|".join(lessons).replace("_", r"[\s_-]"), r"(?<!\d)\d\d(?!\d)"):
        for match in reversed(list(re.finditer(pattern, name, re.IGNORECASE))):
            if lesson := numbers.get(match[0][:2]):
                before = name[: match.start()]
                after = COPY.sub("", name[match.end() :])
                return lesson, before.strip(" _-.") or after.strip(" _-.")
    return "", ""


def _lesson_of(cells: list[Cell], lessons: Mapping[str, Lesson]) -> str:
    """The lesson most of whose exercises a notebook answers; "" if it answers none."""
    answered: set[str] = set()
    for cell in cells:
        answered |= cell.answered
    counts = {name: sum(exercise.name in answered for exercise in lesson.exercises) for name, lesson in lessons.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


def _tell_apart(files: list[HandedIn]) -> list[str]:
    """Give those who share a name another one, so that nobody's work is lost; what was done, in words.

    Moodle numbers people anew for each task. So one name with several numbers is one student, unless two of
    the numbers have handed in the same lesson.
    """
    warnings = []
    renumbered = []
    for name in sorted({work.student for work in files if work.student}):
        works = [work for work in files if work.student == name]
        numbers = sorted({work.id for work in works if work.id})
        notebooks = {(work.lesson, work.id) for work in works if work.lesson}
        if len(notebooks) > len({lesson for lesson, _ in notebooks}):
            warnings.append(f"{name} is the name of several students here: {', '.join(numbers)}.")
            for work in works:
                work.student = f"{name} ({work.id})" if work.id else name
        elif len(numbers) > 1:
            renumbered.append(name)
    if renumbered:
        warnings.append(f"Each taken for one student, with several numbers: {', '.join(renumbered)}.")
    return warnings


def _keep_both(files: list[HandedIn]) -> list[str]:
    """Where a student has several notebooks of a lesson, the older ones get rows of their own; what was done, in words."""
    warnings = []
    known = [work for work in files if work.known]
    known.sort(key=lambda work: (work.student, work.lesson, -work.changed, work.file))
    for (student, lesson), group in groupby(known, key=lambda work: (work.student, work.lesson)):
        newest, *others = list(group)
        for work in others:
            work.student = f"{student} ({work.file})"
        if others:
            names = ", ".join(work.file for work in (newest, *others))
            warnings.append(
                f"{lesson} of {student} is there {1 + len(others)} times: {names}. All are marked, "
                f"older ones in their own rows. (A task's folder, and no student? Call it lesson{lesson[:2]}.)"
            )
    return warnings
