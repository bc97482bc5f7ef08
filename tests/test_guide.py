"""The teacher's pages: one for each lesson, all with the same parts, their minutes those of the lesson."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSONS = {path.name[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}
HEADINGS = [
    "Aims",
    "Minutes",
    "Before the lesson",
    "What goes wrong, and what to ask",
    "Board work",
    "Exercises",
    "Answers",
    "Short of time, or time left",
    "Homework",
    "What carries over",
]


def page(number: str) -> str:
    return (ROOT / "docs" / "guide" / f"{number}.md").read_text(encoding="utf-8")


def prose(number: str) -> str:
    cells = nbformat.read(LESSONS[number], 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def test_thirteen_lessons():
    assert list(LESSONS) == [f"{number:02}" for number in range(13)]


@pytest.mark.parametrize("number", LESSONS)
def test_every_page_has_the_same_parts_and_names_its_file(number):
    text = page(number)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS
    assert text.startswith(f"# Lesson {number} · ") and f"notebooks/{LESSONS[number].name}" in text


@pytest.mark.parametrize("number", LESSONS)
def test_the_minutes_are_those_of_the_lesson_and_fill_its_box(number):
    rows = re.findall(r"^\| (\d+ · [^|]+?) \| (\d+) \|", page(number), re.MULTILINE)
    sections = re.findall(r"^## (\d+ · .+?) \*\((\d+) minutes?\)\*", prose(number), re.MULTILINE)
    assert rows == sections
    box = re.search(r"\*\*Time:?\*\*:? (\d+) minutes", prose(number)).group(1)
    assert sum(int(minutes) for _, minutes in rows) == int(box)
    assert f"| together | {box} | |" in page(number)
