"""The first lesson: its map of the course, and the errors that it shows."""

import re

import nbformat
import pytest
from paths import NOTEBOOKS

from coincourse.labs.predictions.lessons import SHORT_WAY
from coinlib import IllegalMove, sticks

CELLS = nbformat.read(NOTEBOOKS / "00_start_here.ipynb", 4).cells
PROSE = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def test_the_table_has_the_short_way():
    rows = re.findall(r"^\| (\d\d) \| (?:start here|\[[^\]]+\]\((\d\d)_\w+\.ipynb\)) \|", PROSE, re.MULTILINE)
    short_way = [f"{number:02}" for number in SHORT_WAY]
    assert [number for number, _ in rows] == short_way
    assert [linked for _, linked in rows][1:] == short_way[1:]


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
