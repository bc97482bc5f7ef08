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
def test_a_timetable_has_the_sections_of_its_lesson_and_fits_90_minutes(number):
    headings = re.findall(r"^## (\d+ · .+) \*\((\d+) minutes?\)\*$", prose(number), re.MULTILINE)
    (rows,) = tables(minutes.TIMETABLE.search(page(number))[0])
    switch_on, *parts, save, end = [(part, length) for _, part, length, _ in rows]
    place = parts.index(("break", str(minutes.PAUSE)))
    assert parts[:place] + parts[place + 1 :] == [(title.strip("*"), length) for title, length in headings]
    assert sum(int(length) for _, length in parts[:place]) == minutes.parts(number)[0]
    assert (switch_on[0], save[0], end[0]) == ("switch on", "save, hand in", "end")
    clock = 0
    for begin, part, length, task in rows:
        if begin == minutes.LEFT_OUT:
            assert task.startswith(("aloud", "you", "on paper", "at home")), f"what happens instead of {part}?"
        else:
            assert begin == f"{clock // 60}:{clock % 60:02}"
            clock += int(length or 0)
    assert clock <= 2 * PERIOD


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


@pytest.mark.parametrize("number", LESSONS)
def test_a_short_way_through_a_lesson_fits_one_period(number):
    """What "Short (45 minutes)" names, with the computers' start and the saving; lesson 04 has a table instead."""
    (short,) = re.findall(r"\*Short \(45 minutes\):\*(.+?)(?=\n- |\n\n)", page(number), re.DOTALL)
    if number == "04":
        plan = re.search(r"\| minutes \| 45 minutes .+\n(?:\|.*\n)+", page(number))[0]
        assert sum(int(spent) for spent, _ in tables(plan)[0]) == PERIOD
        return
    first, word, last = re.match(r" sections ([\d, ]+)(and|to) (\d+)", short).groups()
    chosen = {int(each) for each in re.findall(r"\d+", first)} | {int(last)}
    if word == "to":
        chosen = set(range(min(chosen), int(last) + 1))
    sections = minutes.minutes(number).items()
    length = sum(length for title, length in sections if int(title.split(" ")[0]) in chosen)
    for exercise in re.findall(r"without exercise (\d)", short):
        length -= int(re.search(rf"^\| {exercise} · .+?\| .+? \| (\d+) \|", page(number), re.MULTILINE)[1])
    switch_on, save = minutes.FIRST_TIME if number == "00" else (minutes.SWITCH_ON, minutes.SAVE)
    assert switch_on + length + save <= PERIOD


@pytest.mark.parametrize("number", LESSONS)
def test_some_homework_needs_no_computer(number):
    homework = page(number).partition("\n## Homework\n")[2].partition("\n## ")[0]
    assert re.search(r"\*On paper\.\*|need only paper", homework)


def test_the_map_of_the_curriculum_has_every_lesson():
    assert [lesson for lesson, _, _ in CURRICULUM] == list(LESSONS)
    assert all(all(row) for row in CURRICULUM)


def test_each_term_has_its_lessons_after_those_that_they_need():
    *weeks, _ = TERM
    assert [lesson for _, lesson, *_ in weeks] == list(LESSONS)
    columns = []
    for column in (2, 3, 4):
        taught = [week[1] for week in weeks if week[column] != minutes.LEFT_OUT]
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
