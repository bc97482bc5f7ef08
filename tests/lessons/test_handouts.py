"""Every item of the handouts has a place in the course."""

from __future__ import annotations

import re

import nbformat
import pytest
from paths import ROOT

from coincourse import terminal

PAGE = (ROOT / "docs" / "handouts.md").read_text(encoding="utf-8")
ITEMS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)


def headings(number: str) -> str:
    """The headings of a lesson, a line for each."""
    (lesson,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    cells = nbformat.read(lesson, 4).cells
    return "\n".join(line for cell in cells for line in cell.source.splitlines() if line.startswith("#"))


def test_all_items_are_numbered():
    assert [int(number) for number, *_ in ITEMS] == list(range(1, len(ITEMS) + 1)) and len(ITEMS) > 100


@pytest.mark.parametrize(("item", "place"), [(item, place) for _, item, place in ITEMS])
def test_an_item_has_a_place(item, place, capsys):
    if command := re.fullmatch(r"`coinlib (\w+)(.*)`", place):
        terminal.main([command[1], "--help"])
        options = set(re.findall(r"--[\w-]+", command[2]))
        assert options <= set(re.findall(r"--[\w-]+", capsys.readouterr().out))
    elif page := re.fullmatch(r"\[.+\]\((.+)\)", place):
        assert (ROOT / "docs" / page[1]).exists()
    else:
        number, heading = place.split(" ", 1)
        assert heading in headings(number)
