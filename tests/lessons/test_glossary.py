"""Terms of the lessons are in the glossary, their sources and the files of the checklist are there."""

from __future__ import annotations

import re

from guide import page, prose, tables
from minutes import LESSONS
from paths import ROOT

# --- terms ----------------------------------------------------------------------------------------------

BOLD = re.compile(r"\*\*(.+?)\*\*|<(?:b|strong)>(.+?)</(?:b|strong)>", re.DOTALL)
A_TERM = re.compile(r"[A-Za-zèé→-]{2,}( [A-Za-zèé→-]+){0,2}")
# What is bold for another reason: emphasis, a key, a button, the start of a task or of a list item.
STRESSED = """
    after a loss, after a win, against perfect play, against random play, all, both
    learn, break, enter, esc, even, every, every lit column, for one ending, forgets, four rows, four
    together, goes straight back, high, in binary, itself, last line, length, loses, loss, low, me, meddle,
    never, never rises, new, nimrod, not, no favourite, once, one, one more than, one row, positions to leave, practise,
    random, reveal, shift, six, smallest, some, ten million, ten million coins, the best teacher, the end, the reply,
    the rule, the short way, together, two rows, values, whoever moves there, why, win, wins,
    write it down
"""
NO_TERMS = {" ".join(words.split()) for words in STRESSED.split(",")}
DEFINITION = re.compile(r"^\*\*([^*\n]+)\*\*\n: (.+?)\*Lesson\s+(\d\d)\.\*$", re.MULTILINE | re.DOTALL)
GLOSSARY = DEFINITION.findall(page("glossary"))
TERMS = {name.lower(): int(lesson) for names, _, lesson in GLOSSARY for name in re.split(r", ", names)}


def bold(text: str) -> set[str]:
    """The bold words that may be a term: up to three words without digits and full stops; no single letters."""
    found = (" ".join((stars or tags).split()) for stars, tags in BOLD.findall(text))
    return {words.lower() for words in found if A_TERM.fullmatch(words)}


def defined(words: str) -> int | None:
    """The lesson of a term of the glossary, even in the plural or as one word of a longer term."""
    forms = {words, words.removesuffix("s"), words.removesuffix("d"), words.removeprefix("a ")}
    whole = [TERMS[form] for form in forms if form in TERMS]
    part = [lesson for term, lesson in TERMS.items() if forms & set(term.split())]
    return min(whole or part, default=None)


def test_each_definition_has_two_sentences_and_a_lesson():
    assert len(GLOSSARY) == page("glossary").count("\n: ")
    for names, text, lesson in GLOSSARY:
        assert len(re.findall(r"[.:)](?=\s)", text + " ")) >= 2, names
        stem = names.lower().split(", ")[0].split()[0].removesuffix("ing")
        assert stem in prose(lesson).lower(), names  # the lesson mentions it


def test_every_term_of_a_lesson_is_in_the_glossary():
    unknown = set()
    too_late = set()
    for number in LESSONS:
        for words in bold(prose(number)) - NO_TERMS:
            lesson = defined(words)
            if lesson is None:
                unknown.add(words)
            elif lesson > int(number):
                too_late.add(words)
    assert not unknown, "define them in docs/guide/glossary.md; if they are only stressed, add them to STRESSED"
    assert not too_late, "the glossary says that they come in a later lesson"


# --- sources --------------------------------------------------------------------------------------------

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
    for line, answers in checklist:
        files = NAMED.findall(answers)
        assert files, line
        assert [file for file in files if not (ROOT / file).exists()] == [], line
