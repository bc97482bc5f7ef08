"""Notebooks as files: a lesson with its exercises, and the code of what is handed in."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from coincourse import course

LARGEST = 20_000_000  # bytes of a notebook
MOST_CELLS = 5_000
CALL = re.compile(r"\bchecks?\.(\w+)\(")
ASKED = re.compile(r"\bchecks?\.(\w+)\((\w+)\)")  # the check, and the name of the answer


class Cell(NamedTuple):
    """A cell of a notebook that holds code."""

    number: int  # from 1, as JupyterLab counts them, texts included
    source: str
    section: str = ""  # the heading above it
    own: bool = False  # whether it is a student's own
    exercise: str = ""  # the exercise whose stub it is, as its metadata say

    @property
    def text(self) -> str:
        """What is compared: blanks at the ends of lines, and how lines end, do not count."""
        return "\n".join(line.rstrip() for line in self.source.strip().splitlines())

    @property
    def answered(self) -> set[str]:
        """The exercises whose checks it calls; if it calls none, the one that its metadata name."""
        called = set(CALL.findall(self.source))
        named = {self.exercise} if self.exercise else set()
        return called or named

    @property
    def words(self) -> set[str]:
        """All words of its code, names among them."""
        return set(re.findall(r"\w+", self.source))


class Exercise(NamedTuple):
    """An exercise of a lesson."""

    name: str  # of its check
    answer: str  # the name of what the lesson hands to the check
    section: str


class Lesson(NamedTuple):
    """A lesson of the course."""

    name: str  # such as "04_hats"
    cells: list[Cell]
    exercises: list[Exercise]


def read_lessons() -> dict[str, Lesson]:
    """The lessons of the course by name, in its order; a project has no exercises."""
    folder = course.originals(course.own_home())
    lessons = {}
    for path in course.notebooks(folder):
        cells = cells_of((folder / path).read_bytes())
        exercises = exercises_of(cells)
        if exercises:
            lessons[path.stem] = Lesson(path.stem, cells, exercises)
    return lessons


def cells_of(content: bytes) -> list[Cell]:
    """The cells with code of a notebook's file; ValueError says why it is no notebook.

    Examples
    --------
    >>> cell = '{"cell_type": "code", "metadata": {}, "source": "x = 1"}'
    >>> cells_of(f'{{"nbformat": 4, "metadata": {{}}, "cells": [{cell}]}}'.encode())
    [Cell(number=1, source='x = 1', section='', own=False, exercise='')]
    >>> cells_of(b"Dear teacher")
    Traceback (most recent call last):
        ...
    ValueError: it is not a notebook
    """
    if len(content) > LARGEST:
        raise ValueError(f"the file is larger than {LARGEST // 1_000_000} MB")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
        sheets = notebook["worksheets"] if notebook["nbformat"] < 4 else [notebook]
        found = [cell for sheet in sheets for cell in sheet["cells"]]
        cells = list(_code_cells(found[: MOST_CELLS + 1]))
    except Exception:  # noqa: BLE001 - whatever somebody has handed in
        raise ValueError("it is not a notebook") from None
    if len(found) > MOST_CELLS:
        raise ValueError(f"the notebook has more than {MOST_CELLS:,} cells")
    if not cells:
        raise ValueError("the notebook has no code cells")
    return cells


def _code_cells(cells: list) -> Iterator[Cell]:
    section = ""
    for number, cell in enumerate(cells, 1):
        lines = cell.get("source", cell.get("input", ""))
        # Half a surrogate pair cannot be written.
        source = "".join(lines).encode(errors="replace").decode()
        headings = [line[3:] for line in source.splitlines() if line.startswith("## ")]
        if cell["cell_type"] == "markdown" and headings:
            section = _without_minutes(headings[-1])
        elif cell["cell_type"] == "code" and source.strip():
            metadata = cell.get("metadata", {})
            yield Cell(number, source, section, exercise=_exercise_of(metadata))


def _without_minutes(heading: str) -> str:
    """A heading without the minutes at its end.

    Examples
    --------
    >>> _without_minutes("2 · Chance *(15 minutes)*")
    '2 · Chance'
    """
    words, _, minutes = heading.partition("*(")
    return words.rstrip() if minutes.endswith(")*") else heading


def _exercise_of(metadata) -> str:
    """The exercise that the metadata of a cell name; "" if they name none."""
    ours = metadata.get("coinlib")
    name = ours.get("exercise") if isinstance(ours, dict) else None
    return name if isinstance(name, str) else ""


def exercises_of(cells: Collection[Cell]) -> list[Exercise]:
    """The exercises that the metadata of a lesson's cells name, with what each cell hands to the check.

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
