"""The teacher's guide: a page for each lesson, counted minutes everywhere, plans that can be kept."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from functools import cache

import minutes
import pytest
from guide import page, prose, tables
from minutes import LESSONS
from paths import ROOT

from coincourse.labs.predictions import lessons

SHORT_WAY = [f"{number:02}" for number in lessons.SHORT_WAY]

CODE = "The code behind the answers"  # the last part of each page

# --- pages ----------------------------------------------------------------------------------------------


def complaints_about_page(number: str) -> list[str]:
    """What a lesson's page in the guide lacks."""
    text = page(number)
    found = []
    if not text.startswith(f"# Lesson {number} · ") or f"notebooks/{LESSONS[number].name}" not in text:
        found.append("does not name its lesson and file")
    parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
    if parts != re.findall(r"^## (.+)$", page("00"), re.MULTILINE) or len(parts) != 11:
        found.append(f"does not have the eleven parts of all pages, but {parts}")
    if ">>>" in text.partition(f"\n## {CODE}\n")[0]:
        found.append("has code among its texts")
    asked = re.findall(r"^### Exercise (\d+)", prose(number), re.MULTILINE)
    (part,) = re.findall(r"^## Exercises\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    answered = re.findall(r"^\| (\d+)(?: \(?★\)?)? · ", part, re.MULTILINE)
    if answered != asked:
        found.append(f"has lines for the exercises {answered} of {asked}")
    return found


def test_every_lesson_has_its_whole_page():
    assert list(LESSONS) == [f"{number:02}" for number in range(16)]
    found = {number: complaints_about_page(number) for number in LESSONS}
    assert {number: words for number, words in found.items() if words} == {}


def test_each_block_of_code_on_a_page_has_a_label():
    for number in LESSONS:
        code = page(number).partition(f"\n## {CODE}\n")[2]
        labels = re.findall(
            r"^\*(?:Board work|Exercises|Answers|Time left|Homework)\b.*:\*\n\n```python$", code, re.MULTILINE
        )
        assert len(labels) == code.count("```python") > 1, number


def test_the_number_of_lessons_is_right_wherever_they_are_counted():
    counted = {15: "fifteen", 16: "sixteen", 17: "seventeen"}[len(LESSONS)]
    for place in ("README.md", "CITATION.cff", "docs/index.md", "docs/guide/index.md", "notebooks/00_start_here.ipynb"):
        text = (ROOT / place).read_text(encoding="utf-8").lower()
        assert set(re.findall(r"\b(\w+teen) (?:jupyter notebooks|lessons)\b", text)) == {counted}, place


# --- assessment, and everyone in the room -----------------------------------------------------------------


def test_each_lesson_has_three_oral_questions_with_an_answer():
    rubric, short_test, questions = tables(page("assessment"))
    assert [len(row) for row in rubric] == [4] * 4
    assert [number for number, _, _ in short_test] == re.findall(r"^(\d)\. ", page("assessment"), re.MULTILINE)
    assert [lesson for lesson, _, _ in questions] == [lesson for lesson in LESSONS for _ in range(3)]
    assert all(ask.endswith(("?", ".")) and expect.endswith(".") for _, ask, expect in questions)
    assert len({ask for _, ask, _ in questions}) == len(questions)


def test_each_lesson_of_the_short_way_has_something_for_slow_and_fast_students():
    short_way, tried, data = tables(page("everyone"))
    assert [row[0] for row in short_way] == SHORT_WAY
    assert all(all(row) for row in short_way)
    assert [row[0] for row in tried] == ["keyboard", "screen reader", "colours", "dark", "zoom", "time", "movement"]
    assert [row[0] for row in data] == ["JupyterLab", "the web book", "`handed-in/`", "`marks/`"]


@pytest.mark.parametrize("name", ["assessment", "everyone"])
def test_sections_and_exercises_that_are_named_are_there(name):
    for row in itertools.chain(*tables(page(name))):
        if row[0] in LESSONS:
            for number in re.findall(r"\bexercises? (\d)(?: and (\d))?", " ".join(row)):
                for each in filter(None, number):
                    assert f"### Exercise {each}" in prose(row[0]), row
            for number in re.findall(r"\bsection (\d+)", " ".join(row)):
                assert f"\n## {number} · " in "\n" + prose(row[0]), row


# --- minutes --------------------------------------------------------------------------------------------

DOUBLE_PERIOD = 85  # minutes at most, which leaves a few for the start and the end
PART = 44  # minutes before the break, and after it
MEAN = 80  # minutes, for all lessons


def test_minutes_are_written_as_they_are_counted(tmp_path, monkeypatch):
    """In a copy of the course, `docs/minutes.py --write` changes nothing."""
    pages = (ROOT / "docs" / "guide").glob("*.md")
    files = [*LESSONS.values(), *pages, ROOT / "README.md", ROOT / "docs" / "index.md"]
    names = [path.relative_to(ROOT) for path in files]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    copies = {number: tmp_path / path.relative_to(ROOT) for number, path in LESSONS.items()}
    monkeypatch.setattr(minutes, "ROOT", tmp_path)
    monkeypatch.setattr(minutes, "LESSONS", copies)
    monkeypatch.setattr(minutes, "parts", cache(minutes.parts))  # asked for in every cell
    monkeypatch.setattr(sys, "argv", ["minutes.py", "--write"])
    minutes.main()
    changed = [name.as_posix() for name in names if (tmp_path / name).read_bytes() != (ROOT / name).read_bytes()]
    assert changed == [], "run: uv run --group test python docs/minutes.py --write"


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_says_its_minutes_and_fits_a_double_period(number):
    assert minutes.BOX.search(prose(number))
    parts = minutes.parts(number)
    assert len(minutes.BREAK.findall(prose(number))) == len(parts) - 1 == 1
    assert minutes.whole(number) <= DOUBLE_PERIOD
    assert max(parts) <= PART


@pytest.mark.parametrize("number", LESSONS)
def test_a_timetable_follows_the_headings_of_its_lesson_and_has_its_break(number):
    headings = re.findall(r"^## (\d+ · .+) \*\((\d+) minutes?\)\*$", prose(number), re.MULTILINE)
    before, after = map(int, re.search(r"(\d+) minutes are behind you, (\d+) are ahead", prose(number)).groups())
    (rows,) = tables(minutes.TIMETABLE.search(page(number))[0])
    begins = [60 * int(hours) + int(past) for hours, past in (row[0].split(":") for row in rows)]
    parts = [(part, length) for _, part, length, _ in rows]
    place = parts.index(("break", str(minutes.PAUSE)))
    assert parts[:place] + parts[place + 1 : -1] == [(title.strip("*"), length) for title, length in headings]
    assert parts[-1] == ("end", str(before + after))
    assert begins[0] == 0
    assert begins[place] == before
    assert begins[-1] == before + minutes.PAUSE + after < 2 * PERIOD + minutes.PAUSE
    for (_, length), begin, end in zip(parts, begins, begins[1:]):
        assert end == begin + int(length)


def test_a_lesson_takes_80_minutes_on_average():
    assert sum(map(minutes.whole, LESSONS)) / len(LESSONS) < MEAN + 1.5


# --- plans ----------------------------------------------------------------------------------------------

SESSION_PLAN, TERM, CURRICULUM = tables(page("plans"))
SESSION = 90  # minutes
PERIOD = 45


def test_the_session_names_sections_of_lessons_and_fits():
    *lines, total = SESSION_PLAN
    for lesson, section, *_ in lines:
        assert minutes.planned(lesson, section) or section.startswith("you: "), section
    assert total[1] == "together" and int(total[2]) <= SESSION


def test_short_ways_through_a_lesson_fit_one_period():
    found = {}
    for number in LESSONS:
        short = re.search(r"\*Short \(45 minutes\):\* sections ([\d, ]+)(and|to) (\d+)", page(number))
        assert short, number
        first, word, last = short.groups()
        chosen = {int(each) for each in re.findall(r"\d+", first)} | {int(last)}
        if word == "to":
            chosen = set(range(min(chosen), int(last) + 1))
        sections = minutes.minutes(number).items()
        found[number] = sum(length for title, length in sections if int(title.split(" ")[0]) in chosen)
    assert {number: length for number, length in found.items() if length > PERIOD} == {}


def test_the_map_of_the_curriculum_has_every_lesson():
    assert [lesson for lesson, _, _ in CURRICULUM] == list(LESSONS)
    assert all(all(row) for row in CURRICULUM)


def test_each_term_has_its_lessons_after_those_that_they_need():
    *weeks, _ = TERM
    assert [lesson for _, lesson, *_ in weeks] == list(LESSONS)
    columns = []
    for column in (2, 3, 4):
        taught = [week[1] for week in weeks if week[column] != minutes.NO_MINUTES]
        columns.append(taught)
        for place, lesson in enumerate(taught):
            missing = needed_before(lesson) - set(taught[:place])
            assert not missing, f"lesson {lesson} needs {missing}"
    assert [len(taught) for taught in columns] == [16, 12, 8]  # lessons in as many weeks
    assert columns[2] == SHORT_WAY


def needed_before(lesson: str) -> set[str]:
    """The lessons that the box of a lesson names as needed."""
    words = r"ou need first:?\*\*(.+?)(?:From Python|For exercise|\n>\s*\n)"
    return set(re.findall(r"\b[01]\d\b", re.search(words, prose(lesson), re.DOTALL)[1]))


def test_the_map_of_what_a_lesson_needs_is_that_of_their_boxes():
    rows = tables(page("starting"))[0]
    assert [lesson for lesson, *_ in rows] == list(LESSONS)
    needs = {lesson: set(re.findall(r"\d\d", needed)) for lesson, needed, _ in rows}
    optional = {"13": {"03"}, "15": {"09"}}  # "03 helps", "lesson 09 uses them too, but you do not need it"
    named = {lesson: needed_before(lesson) - optional.get(lesson, set()) for lesson in list(LESSONS)[1:]}
    assert needs == {"00": set()} | named
    for lesson, _, leads in rows:
        assert set(re.findall(r"\d\d", leads)) == {later for later in needs if lesson in needs[later]}
