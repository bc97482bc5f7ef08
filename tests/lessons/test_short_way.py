"""The short way: eight lessons that need none of the others."""

from __future__ import annotations

import re

import nbformat
import pytest
from minutes import LESSONS

from coincourse.labs.predictions import lessons

SHORT_WAY = [f"{number:02}" for number in lessons.SHORT_WAY]
SIDE_ROADS = sorted(LESSONS.keys() - set(SHORT_WAY))
NAMED = re.compile(rf"\blessons? (?:\d\d(?:, | and | to ))*({'|'.join(SIDE_ROADS)})\b", re.IGNORECASE)


def main_path(number: str) -> list[str]:
    """The paragraphs of a lesson's text, up to its sections with a ★."""
    paragraphs: list[str] = []
    for cell in nbformat.read(LESSONS[number], 4).cells:
        if cell.cell_type == "markdown":
            if cell.source.startswith("## ★"):
                break
            paragraphs += re.split(r"\n\s*\n", cell.source)
    return paragraphs


@pytest.mark.parametrize("number", SHORT_WAY)
def test_a_lesson_of_the_short_way_needs_no_side_road(number):
    """The short way mentions a side road only where it offers one: "A side road: lesson 03 ..."."""
    leaning = [text for text in main_path(number) if NAMED.search(text) and "side road" not in text.lower()]
    assert leaning == []


@pytest.mark.parametrize("number", SHORT_WAY)
def test_a_lesson_of_the_short_way_leads_to_the_next(number):
    rest = SHORT_WAY[SHORT_WAY.index(number) + 1 :]
    ways_on = [text for text in main_path(number) if text.startswith("**Next.**")]
    assert len(ways_on) == 1
    assert not rest or f"esson {rest[0]}" in ways_on[0]
