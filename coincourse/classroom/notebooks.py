"""Notebooks as files: a lesson with its exercises, and the code of what was handed in."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from coincourse import course
from coincourse.outside.text import clean, printable

LARGEST = 20_000_000  # bytes of a notebook
MOST_CELLS = 1_000
MOST_CODE = 100_000  # characters: what is kept of a notebook until it runs
LONGEST_LINE = 50  # characters of a line that names a cell
# What a student can do about a file that cannot be marked
AGAIN = "Download the notebook again, and hand it in again."
UNPACKED = "Hand in the notebook from inside it."
SHORTER = "Delete what the lesson does not need, and hand it in again."
IN_UTF8 = "Hand in a copy that is saved as UTF-8."
# What a file is that begins so, and what to do about it
OTHER_FILES = {
    b"version https://git-lfs": ("it is a Git LFS pointer: the notebook itself was not downloaded", AGAIN),
    b"PK\x03\x04": ("it is a zip file: unpack it first", UNPACKED),
    b"\x1f\x8b": ("it is a gzip file: unpack it first", UNPACKED),
}
CALL = re.compile(r"\bchecks?\.(\w+)\(")
ASKED = re.compile(r"\bchecks?\.(\w+)\((\w+)\)")  # the check, and the name of the answer


class NotANotebook(ValueError):
    """Why a file cannot be marked, and what the student can do about it.

    Examples
    --------
    >>> error = NotANotebook("it is empty")
    >>> str(error), error.advice
    ('it is empty', 'Download the notebook again, and hand it in again.')
    """

    def __init__(self, why: str, advice: str = AGAIN) -> None:
        super().__init__(why)
        self.advice = advice


class Cell(NamedTuple):
    """A cell of a notebook that contains code."""

    number: int  # from 1, texts included
    source: str
    section: str = ""  # the heading above it
    own: bool = False  # whether the student wrote it
    exercise: str = ""  # the exercise whose stub it is, by its metadata

    @property
    def text(self) -> str:
        """The source for comparison: line endings and blanks before them do not count."""
        return "\n".join(line.rstrip() for line in self.source.strip().splitlines())

    @property
    def place(self) -> str:
        """Where a reader finds it: its section and its first line.

        Examples
        --------
        >>> Cell(7, "def settle(balls, drawn, won):\\n    return balls", "4 · Update").place
        '“4 · Update”, cell `def settle(balls, drawn, won)`'
        """
        first_line = printable(self.source.strip().splitlines()[0])[:LONGEST_LINE].rstrip(":")
        section = f"“{printable(self.section)[:LONGEST_LINE]}”, " if self.section else ""
        return f"{section}cell `{first_line}`"

    @property
    def answered(self) -> set[str]:
        """The exercises whose checks it calls; if none, the one that its metadata name."""
        called = set(CALL.findall(self.source))
        named = {self.exercise} if self.exercise else set()
        return called or named

    @property
    def words(self) -> set[str]:
        """All words of its code, including names."""
        return set(re.findall(r"\w+", self.source))


class Exercise(NamedTuple):
    """An exercise of a lesson."""

    name: str  # of its check
    answer: str  # the name of what the lesson passes to the check
    section: str


class Lesson(NamedTuple):
    """A lesson of the course."""

    name: str  # such as "04_hats"
    cells: list[Cell]
    exercises: list[Exercise]


def read_lessons() -> dict[str, Lesson]:
    """Return the lessons of the course that have exercises, by name and in order."""
    folder = course.originals(course.own_home())
    lessons = {}
    for path in course.notebooks(folder):
        cells = read_notebook((folder / path).read_bytes()).cells
        exercises = exercises_of(cells)
        if exercises:
            lessons[path.stem] = Lesson(path.stem, cells, exercises)
    return lessons


class Notebook(NamedTuple):
    """A notebook's file."""

    cells: Sequence[Cell] = ()  # those with code
    damaged: tuple[str, ...] = ()  # the section of each cell that is left out
    python: str = ""  # the version of Python that ran it, such as "3.13.1"


def read_notebook(content: bytes) -> Notebook:
    """Read a notebook's file. A damaged cell is left out.

    Raises
    ------
    NotANotebook

    Examples
    --------
    >>> read_notebook(b"<!DOCTYPE html><html><body>Log in</body></html>")
    Traceback (most recent call last):
        ...
    coincourse.classroom.notebooks.NotANotebook: it is a web page, not a notebook
    >>> cells = '{"cell_type": "code", "source": "x = 1"}, {"cell_type": "code", "source": null}'
    >>> read_notebook(f'{{"nbformat": 4, "cells": [{cells}]}}'.encode())
    Notebook(cells=[Cell(number=1, source='x = 1', section='', own=False, exercise='')], damaged=('before the first section',), python='')
    """
    if len(content) > LARGEST:
        raise NotANotebook(f"the file is larger than {LARGEST // 1_000_000} MB", SHORTER)
    try:
        notebook = _json_of(content)
        sheets = notebook["worksheets"] if notebook["nbformat"] < 4 else [notebook]
        found = [cell for sheet in sheets for cell in sheet["cells"]]
    except (KeyError, TypeError, AttributeError):
        raise NotANotebook("it is JSON, but not a notebook") from None
    if len(found) > MOST_CELLS:
        raise NotANotebook(f"the notebook has more than {MOST_CELLS:,} cells", SHORTER)
    cells, damaged = _code_cells(found)
    if not cells:
        raise NotANotebook("the notebook has no code cells")
    if sum(len(cell.source) for cell in cells) > MOST_CODE:
        raise NotANotebook(f"the notebook has more than {MOST_CODE:,} characters of code", SHORTER)
    return Notebook(cells, damaged, clean(_text_at(notebook, "metadata", "language_info", "version"), 20))


def _json_of(content: bytes):
    """Return what a JSON file in UTF-8, UTF-16 or UTF-32 holds; `NotANotebook` says what it is instead."""
    for start, reason in OTHER_FILES.items():
        if content.startswith(start):
            raise NotANotebook(*reason)
    if not content.strip(b"\0 \t\r\n"):
        raise NotANotebook("it is empty")
    try:
        text = content.decode(json.detect_encoding(content), errors="surrogatepass")
    except UnicodeDecodeError:
        if content.lstrip().startswith(b"{"):
            raise NotANotebook("it is not in UTF-8: save it as UTF-8", IN_UTF8) from None
        raise NotANotebook("it is not a notebook") from None
    text = text.strip("\ufeff\0 \t\r\n")
    if text.startswith("<"):
        raise NotANotebook("it is a web page, not a notebook")
    if not text.startswith("{"):
        raise NotANotebook(f"it is not a notebook: it begins with {clean(text, 30)!r}")
    if not text.endswith("}"):
        raise NotANotebook(f"it breaks off in line {len(text.splitlines())}")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise NotANotebook(f"it is damaged in line {error.lineno}") from None
    except (ValueError, RecursionError):  # too many digits, or too deep
        raise NotANotebook("it is not a notebook") from None


def _code_cells(found: list) -> tuple[list[Cell], tuple[str, ...]]:
    """Return the cells with code, and the sections of the damaged ones."""
    cells = []
    damaged = []
    section = ""
    for number, cell in enumerate(found, 1):
        try:
            kind = cell["cell_type"]
            lines = cell["source"] if "source" in cell else cell.get("input", "")
            source = "".join(lines).encode(errors="replace").decode()  # half a surrogate pair cannot be written
            exercise = _text_at(cell, "metadata", "coinlib", "exercise")
        except (AttributeError, KeyError, TypeError):
            damaged.append(clean(section, LONGEST_LINE) or "before the first section")
            continue
        headings = [line[3:] for line in source.splitlines() if line.startswith("## ")]
        if kind == "markdown" and headings:
            section = _without_minutes(headings[-1])
        elif kind == "code" and source.strip():
            cells.append(Cell(number, source, section, exercise=exercise))
    return cells, tuple(damaged)


def _without_minutes(heading: str) -> str:
    """Return a heading without the minutes at its end.

    Examples
    --------
    >>> _without_minutes("2 · Chance *(15 minutes)*")
    '2 · Chance'
    """
    words, _, minutes = heading.partition("*(")
    return words.rstrip() if minutes.endswith(")*") else heading


def _text_at(data: object, *names: str) -> str:
    """Return a text in dictionaries of dictionaries, or "" if it is not there."""
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, str) else ""


def exercises_of(cells: Collection[Cell]) -> list[Exercise]:
    """Return the exercises that the metadata of a lesson's cells name, with what each cell passes to the check.

    Examples
    --------
    >>> exercises_of([Cell(1, "check.settle(mine)", exercise="settle"), Cell(2, "check.settle(yours)")])
    [Exercise(name='settle', answer='mine', section='')]
    """
    found = []
    for cell in cells:
        if cell.exercise:
            answers = dict(ASKED.findall(cell.source))
            found.append(Exercise(cell.exercise, answers[cell.exercise], cell.section))
    return found
