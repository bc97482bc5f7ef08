"""The teacher's guide, and the prose of the lessons that it covers."""

from __future__ import annotations

import re
from functools import cache

import nbformat
from minutes import LESSONS
from paths import ROOT


def page(name: str) -> str:
    """A page of the guide."""
    return (ROOT / "docs" / "guide" / f"{name}.md").read_text(encoding="utf-8")


@cache
def prose(number: str) -> str:
    """All text of a lesson."""
    cells = nbformat.read(LESSONS[number], 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a page: each a list of lines, each a list of cells; without header lines and stars."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        lines = block.splitlines()[2:]
        found.append([[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in lines])
    return found
