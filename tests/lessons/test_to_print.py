"""The sheets that a teacher prints: what they share with lessons and pages is the same there, and gaps can be filled."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import matplotlib.pyplot as plt
import pytest
from guide import page, prose, tables
from paths import ROOT

from coincourse import checks
from coincourse.checks.q_learning import follow
from coincourse.labs import sliders

GUIDE = ROOT / "docs" / "guide"
SHEETS = (GUIDE / "to-print.html").read_text(encoding="utf-8")
GAP = re.compile("_{10}")
FILLED = {
    "chance": ["ball <= sticks", "number", "len(legal)"],
    "settle": ["drawn", "balls.copy()", "drawn"],
    "greedy_take": ["values", "largest"],
    "q_update": ["0", "next_state", "discount", "learning_rate"],
    "my_slider": ["learning_rate", "curve", "0.0"],
}


def text_of(html: str) -> str:
    """The text of some HTML on one line, with * around what is in italics."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", re.sub("</?em>", "*", html))).split())


def section(name: str) -> str:
    """The HTML of a section."""
    return re.search(rf'<section id="{name}">(.+?)</section>', SHEETS, re.DOTALL)[1]


def table_of(name: str, kind: str) -> str:
    """The HTML of a table in a section."""
    return re.search(rf'<table class="{kind}">(.+?)</table>', section(name), re.DOTALL)[1]


@pytest.mark.parametrize("name", FILLED)
def test_a_function_whose_gaps_are_filled_is_right(name, capsys):
    code = unescape(re.search(rf'<pre id="{name}">(.+?)</pre>', SHEETS, re.DOTALL)[1])
    for part in FILLED[name]:
        assert GAP.search(code)
        code = GAP.sub(part, code, count=1)
    names = {"plt": plt, "sliders": sliders, "follow": follow}
    exec(code, names)  # noqa: S102 - it is ours
    getattr(checks, name)(names[name])
    assert capsys.readouterr().out.startswith("✓")


def test_functions_with_gaps_are_in_the_section_of_their_lesson():
    names = {lesson: re.findall('<pre id="(.+?)"', section(f"lesson-{lesson}")) for lesson in ("04", "06")}
    assert names == {"04": ["chance", "settle"], "06": ["greedy_take", "q_update", "my_slider"]}
    for lesson, rows in names.items():
        assert [f"`{name}`" for name in rows] == re.findall(r"^\| (`\w+`) \|.*gaps.*\|$", page(lesson), re.MULTILINE)


def test_there_are_slips_for_ten_cups_and_ten_to_spare():
    slips = Counter(re.findall(r"<td>(\d)", table_of("lesson-04", "slips")))
    assert sum(slips.values()) == 40 and set(slips) == {"1", "2", "3"} and min(slips.values()) == 13


def test_the_table_of_one_game_has_the_moments_of_the_board():
    (board,) = (rows for rows in tables(page("04")) if rows[0][0] == "before the game")
    printed = re.findall("<tr><td>(.+?)<td>", table_of("lesson-04", "game"))
    assert printed == [moment for moment, *_ in board]


def test_the_q_table_has_a_place_for_each_legal_take():
    rows = re.findall(r"<tr><th>(\d+)((?:<td>–?)+)", table_of("lesson-06", "q"))
    assert [int(sticks) for sticks, _ in rows] == list(range(10, 0, -1))
    assert [cells.count("<td>") - cells.count("–") for _, cells in rows] == [3] * 8 + [2, 1]


def test_the_lines_of_the_proof_and_the_questions_are_those_of_the_lesson_and_the_page():
    lines = re.findall(r"^- \*\*(\w)\*\* (.+)$", prose("14"), re.MULTILINE)
    printed = re.findall(r'<p class="cut">(.+?)</p>', section("lesson-14"), re.DOTALL)
    assert len(lines) == 9 and list(map(text_of, printed)) == [f"{letter} {line}" for letter, line in lines]
    questions = re.findall(r"^\d\. (.+?)(?=\n\d\. |\n\n)", page("assessment"), re.MULTILINE | re.DOTALL)
    asked = re.findall(r"<li>(.+?)</li>", section("test"), re.DOTALL)
    assert len(asked) == 4 and list(map(text_of, asked)) == [" ".join(question.split()) for question in questions]


def test_each_section_can_be_chosen_on_the_page():
    sections = re.findall('<section id="(.+?)">', SHEETS)
    assert re.findall('<a href="#([^"]+)">', SHEETS) == sections


def test_every_page_that_links_to_the_sheets_says_how_to_open_them_in_a_browser():
    linking = [
        file.name for file in GUIDE.glob("*.md") if "to print](to-print.html)" in file.read_text("utf-8").lower()
    ]
    assert len(linking) == 7
    for name in (*linking, "to-print.html"):
        assert "Open in New Browser Tab" in " ".join((GUIDE / name).read_text("utf-8").split()), name
