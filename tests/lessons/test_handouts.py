"""Every item of the handouts has a place in the course."""

from __future__ import annotations

import re
from functools import cache

import nbformat
from paths import NOTEBOOKS, ROOT

from coincourse import terminal

PAGE = (ROOT / "docs" / "handouts.md").read_text(encoding="utf-8")
ITEMS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)


@cache
def headings(number: str) -> str:
    """The headings of a lesson, a line for each."""
    (lesson,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    cells = nbformat.read(lesson, 4).cells
    return "\n".join(line for cell in cells for line in cell.source.splitlines() if line.startswith("#"))


def is_there(place: str, capsys) -> bool:
    """Whether a command with its options, a page, or a heading of a lesson exists."""
    command = re.fullmatch(r"`coinlib (\w+)(.*)`", place)
    page = re.fullmatch(r"\[.+\]\((.+)\)", place)
    if command:
        terminal.main([command[1], "--help"])
        known = re.findall(r"--[\w-]+", capsys.readouterr().out)
        return set(re.findall(r"--[\w-]+", command[2])) <= set(known)
    if page:
        return (ROOT / "docs" / page[1]).exists()
    number, heading = place.split(" ", 1)
    return heading in headings(number)


def test_all_items_are_numbered_and_have_a_place(capsys):
    assert [int(number) for number, *_ in ITEMS] == list(range(1, len(ITEMS) + 1)) and len(ITEMS) > 100
    assert [(item, place) for _, item, place in ITEMS if not is_there(place, capsys)] == []
