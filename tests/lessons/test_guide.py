"""The teacher's guide: a page for each lesson, plans whose minutes are those of the lessons, terms, answers, sources."""

from __future__ import annotations

import re
from functools import cache

import minutes
import nbformat
import pytest
from minutes import LESSONS
from paths import ROOT


def page(number: str) -> str:
    return (ROOT / "docs" / "guide" / f"{number}.md").read_text(encoding="utf-8")


@cache
def prose(number: str) -> str:
    cells = nbformat.read(LESSONS[number], 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def sections(number: str) -> dict[str, int]:
    """The minutes of each section, by its number and title."""
    found = re.findall(r"^## (\d+ · .+?) \*\((\d+) minutes?\)\*", prose(number), re.MULTILINE)
    return {title: int(minutes) for title, minutes in found}


def box(number: str) -> int:
    """The minutes that stand in the box at the top of a lesson."""
    return int(re.search(r"\*\*Time:?\*\*:? (\d+) minutes", prose(number)).group(1))


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a page: each a list of lines, each a list of cells; heads left out, stars removed."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [
        [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in block.splitlines()[2:]] for block in blocks
    ]


def test_the_lessons_have_their_numbers():
    assert list(LESSONS) == [f"{number:02}" for number in range(16)]


@pytest.mark.parametrize("number", LESSONS)
def test_every_page_has_the_same_parts_and_names_its_file(number):
    text = page(number)
    parts = [re.findall(r"^## (.+)$", words, re.MULTILINE) for words in (text, page("00"))]
    assert parts[0] == parts[1] and len(parts[0]) == 10
    assert text.startswith(f"# Lesson {number} · ") and f"notebooks/{LESSONS[number].name}" in text


@pytest.mark.parametrize("number", LESSONS)
def test_every_exercise_of_a_lesson_has_its_line_on_its_page(number):
    asked = re.findall(r"^### Exercise (\d+)", prose(number), re.MULTILINE)
    (part,) = re.findall(r"^## Exercises\n(.*?)^## ", page(number), re.MULTILINE | re.DOTALL)
    assert re.findall(r"^\| (\d+)(?: \(?★\)?)? · ", part, re.MULTILINE) == asked


@pytest.mark.parametrize(
    "place", ["README.md", "docs/index.md", "docs/guide/index.md", "notebooks/00_start_here.ipynb"]
)
def test_wherever_the_lessons_are_counted_their_number_is_right(place):
    counted = {15: "fifteen", 16: "sixteen", 17: "seventeen"}[len(LESSONS)]
    text = (ROOT / place).read_text(encoding="utf-8").lower()
    assert re.findall(r"\b(\w+teen) (?:jupyter notebooks|lessons)\b", text) == [counted]


SHORT = ["00", "04", "05", "06", "07", "08", "11", "12", "15"]


def two_sittings() -> list[str]:
    """The lessons that say that they have two."""
    return [number for number in LESSONS if any("Second sitting" in title for title in sections(number))]


def test_three_lessons_at_most_have_two_sittings_and_say_how_long_they_are():
    assert len(two_sittings()) <= 3
    for number in two_sittings():
        one, two = minutes.parts(number)
        assert f"in two sittings of {one} and {two}" in prose(number)


def test_a_lesson_takes_little_more_than_an_hour():
    longer = ("01", "02", "03", "09", "10", "13", "14")  # these may take a little longer
    for number in LESSONS:
        assert minutes.whole(number) <= (75 if number in longer else 65)
    assert sum(map(minutes.whole, LESSONS)) / len(LESSONS) <= 67


@pytest.mark.parametrize("number", LESSONS)
def test_the_minutes_are_counted_and_no_part_is_longer_than_a_school_period(number):
    assert sections(number) == minutes.minutes(number)
    assert box(number) == minutes.whole(number)
    assert box(number) <= (65 if number in SHORT else 75) or number in two_sittings()
    parts = minutes.parts(number)
    assert max(parts) <= 45
    said = re.findall(r"(\d+) minutes are behind you, (\d+) are ahead", prose(number))
    assert [list(map(int, numbers)) for numbers in said] == ([parts] if len(parts) > 1 else [])
    rows = re.findall(r"^\| (\d+ · [^|]+?) \| (\d+) \|", page(number), re.MULTILINE)
    assert [(part, int(known)) for part, known in rows] == list(sections(number).items())
    assert f"| together | {box(number)} | |" in page(number)


# --- plans

*SESSIONS, TERM = tables(page("plans"))
SESSION = 90  # minutes


@pytest.mark.parametrize("place", range(1 + 5))  # one session, and those of a week
def test_a_session_adds_up_and_agrees_with_the_lessons(place):
    *lines, total = SESSIONS[place]
    for lesson, section, known, *_ in lines:
        assert section.startswith("you: ") if not lesson else int(known) == minutes.planned(lesson, section)
    assert total[1:3] == ["together", str(sum(int(line[2]) for line in lines))]
    assert int(total[2]) <= SESSION


def test_nothing_is_taught_twice_in_the_week():
    taught = [(lesson, section) for session in SESSIONS[1:] for lesson, section, *_ in session if lesson]
    assert len(set(taught)) == len(taught) > 30


def test_the_term_adds_up():
    *weeks, total = TERM
    assert [lesson for _, lesson, *_ in weeks] == list(LESSONS)
    assert all(set(known) <= {str(box(lesson)), "–"} for _, lesson, *known in weeks)
    columns = [[int(known) for known in column if known != "–"] for column in list(zip(*weeks))[2:]]
    assert total[1:] == ["together", *(str(sum(column)) for column in columns)]
    assert [len(column) for column in columns] == [16, 12, 10]  # lessons in as many weeks


@pytest.mark.parametrize("column", [2, 3, 4])
def test_a_lesson_comes_after_those_that_it_needs(column):
    taught = []
    for week in TERM[:-1]:
        if week[column] != "–":
            needed = re.search(
                r"ou need first:?\*\*(.+?)(?:From Python|For exercise|\n>\s*\n)", prose(week[1]), re.DOTALL
            )
            assert set(re.findall(r"\b[01]\d\b", needed.group(1))) <= set(taught)
            taught.append(week[1])


# --- terms

BOLD = re.compile(r"\*\*(.+?)\*\*|<(?:b|strong)>(.+?)</(?:b|strong)>", re.DOTALL)
A_TERM = re.compile(r"[A-Za-zèé→-]{2,}( [A-Za-zèé→-]+){0,2}")
# What is bold for another reason: a stress, a key, a button, the beginning of a task or of a line in a list.
STRESSED = """
    after a loss, after a win, against perfect play, against random play, all, both
    learn, break, enter, esc, even, every, for one ending, forgets, four rows, four
    together, goes straight back, high, in binary, itself, last line, length, loses, loss, low, meddle,
    never, never rises, new, no favourite, once, one, one more than, one row, practise, random, reveal,
    shift, six, smallest, some, ten million, ten million coins, the best teacher, the end, the reply,
    the rule, together, two rows, values, whoever moves there, why, win, wins,
    write it down
"""
NO_TERMS = {" ".join(words.split()) for words in STRESSED.split(",")}
DEFINITION = re.compile(r"^\*\*([^*\n]+)\*\*\n: (.+?)\*Lesson\s+(\d\d)\.\*$", re.MULTILINE | re.DOTALL)
GLOSSARY = DEFINITION.findall(page("glossary"))
TERMS = {name.lower(): int(lesson) for names, _, lesson in GLOSSARY for name in re.split(r", ", names)}


def bold(text: str) -> set[str]:
    """What stands in bold and may be a term: up to three words without figures and stops; no single letters."""
    found = (" ".join((stars or tags).split()) for stars, tags in BOLD.findall(text))
    return {words.lower() for words in found if A_TERM.fullmatch(words)}


def defined(words: str) -> int | None:
    """The lesson of a term of the glossary, also where it stands in the plural or as one word of a longer term."""
    forms = {words, words.removesuffix("s"), words.removesuffix("d"), words.removeprefix("a ")}
    whole = [TERMS[form] for form in forms if form in TERMS]
    part = [lesson for term, lesson in TERMS.items() if forms & set(term.split())]
    return min(whole or part, default=None)


def test_each_definition_has_two_sentences_and_a_lesson():
    assert len(GLOSSARY) == page("glossary").count("\n: ")
    for names, text, lesson in GLOSSARY:
        assert len(re.findall(r"[.:)](?=\s)", text + " ")) >= 2, names
        stem = names.lower().split(", ")[0].split()[0].removesuffix("ing")
        assert stem in prose(lesson).lower(), names  # the lesson speaks of it


@pytest.mark.parametrize("number", LESSONS)
def test_every_term_of_a_lesson_is_in_the_glossary(number):
    terms = bold(prose(number)) - NO_TERMS
    unknown = {words for words in terms if defined(words) is None}
    assert not unknown, f"define {unknown} in docs/guide/glossary.md; if they are only stressed, add them to STRESSED"
    too_late = {words for words in terms if (defined(words) or 0) > int(number)}
    assert not too_late, f"the glossary says that {too_late} come in a later lesson"


def test_what_is_stressed_is_still_in_a_lesson():
    assert NO_TERMS - {words for number in LESSONS for words in bold(prose(number))} == set()


# --- sources

INITIAL = re.compile(r"\b[A-Z]\.\s([A-Z][a-zü]{2,})")


def test_sources_of_lessons_are_on_the_page_of_sources():
    named = {name for number in LESSONS for name in re.findall(INITIAL, prose(number).rpartition("Sources")[2])}
    assert {"Michie", "Bouton", "Sutton", "Grundy"} <= named
    assert {name for name in named | {"Burgess", "Liu"} if name not in page("reading")} == set()


def test_every_handout_names_its_lessons():
    (handouts,) = tables(page("reading"))
    assert len(handouts) == 5
    assert set().union(*(re.findall(r"\d\d", lessons) for _, _, lessons, *_ in handouts)) <= set(LESSONS)


NAMED = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:md|py|toml|cff|yml|txt|ipynb)|LICENSE[\w-]*)`")


def test_each_line_of_the_checklist_is_answered_by_a_file():
    checklist = tables(page("index"))[-1]
    assert len(checklist) > 15
    for line, _, answers in checklist:
        files = NAMED.findall(answers)
        assert files, line
        assert [file for file in files if not (ROOT / file).exists()] == [], line
