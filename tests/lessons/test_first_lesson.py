"""The first lesson: its map of the course, and the errors that it shows."""

import re

import nbformat
import pytest
from paths import NOTEBOOKS

from coinlib import IllegalMove, sticks

CELLS = nbformat.read(NOTEBOOKS / "00_start_here.ipynb", 4).cells
PROSE = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def plain(title: str) -> str:
    """A title in small letters, without brackets and signs."""
    return re.sub(r"\(.*\)|[,\[\]]", "", title).lower().replace("-", " ").replace("_", " ").strip()


def test_the_map_names_all_lessons():
    rows = re.findall(r"^\| (\d\d) \| ([^|]+) \|", PROSE, re.MULTILINE)
    lessons = [path.stem.split("_", 1) for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))]
    assert [(number, plain(title)) for number, title in rows] == [(number, plain(name)) for number, name in lessons]


def test_the_errors_that_the_lesson_prints_are_the_real_ones():
    with pytest.raises(IllegalMove) as illegal:
        sticks(7).play((7,), 5)
    assert f"\nIllegalMove: {illegal.value}\n```" in PROSE
    with pytest.raises(NameError) as unknown:
        eval("coins", {})
    assert f"NameError: {unknown.value}" in PROSE
    with pytest.raises(SyntaxError) as unfinished:
        compile("len((7,)", "cell", "exec")
    assert f"SyntaxError: {unfinished.value.msg}" in PROSE
