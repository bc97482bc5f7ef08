"""Every item of the handouts has a place in the course, and its words are found there."""

from __future__ import annotations

import io
import re
from functools import cache

import handouts
import nbformat
import pytest
from paths import NOTEBOOKS, ROOT, STORED

from coincourse import terminal

PAGE = (ROOT / "docs" / "handouts.md").read_text(encoding="utf-8")
ITEMS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \|(?: (.+?))? \|$", PAGE, re.MULTILINE)
PROGRAMS = {"sticks", "nim", "coins", "greedy", "qlearn"}


@cache
def sections(number: str) -> list[tuple[int, str, str]]:
    """The sections of a lesson: level and words of the heading, and everything written and stored there."""
    (lesson,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    found = []
    for cell in nbformat.read(lesson, 4).cells:
        in_code = cell.cell_type == "code"
        for line in cell.source.splitlines():
            if line.startswith("```"):
                in_code = not in_code
            heading = re.match(r"(#+) (.+)", line)
            if heading and not in_code:
                found.append((len(heading[1]), heading[2], []))
            found[-1][2].append(line)
        found[-1][2].append(printed(cell))
    return [(level, words, "\n".join(lines)) for level, words, lines in found]


def printed(cell) -> str:
    """What a cell has stored as text."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text", ""))
        texts.append(output.get("data", {}).get("text/plain", ""))
    return "\n".join(texts)


def section(place: str) -> str | None:
    """Everything in a lesson below a heading, or None."""
    number, heading = place.split(" ", 1)
    texts = []
    outer = None
    for level, words, text in sections(number):
        if outer is None and heading in words:
            outer = level
        elif outer is not None and level <= outer:
            break
        if outer is not None:
            texts.append(text)
    return "\n".join(texts) or None


@cache
def sessions() -> list[tuple[set[str], str]]:
    """The stored sessions, including those in the handouts: the words of the command, and the screen."""
    found = []
    for program in sorted(PROGRAMS):
        stored = (STORED / "referee" / "transcripts" / f"{program}.txt").read_text(encoding="utf-8")
        for session in stored.split("$ coinlib ")[1:]:
            words, _, screen = session.partition("\n")
            found.append((set(words.split()), screen))
    for name, options in handouts.SESSIONS.items():
        found.append((set(f"sticks {options}".split()), handouts.screen_and_answers(name)[0]))
    return found


def command(words: str, monkeypatch, capsys) -> str | None:
    """What a command prints without input, and in stored sessions that begin with it; None if it refuses."""
    program = words.split()[0]
    monkeypatch.setattr("sys.stdin", io.StringIO())
    if terminal.main([program, "--help"]) != 0:
        return None
    known = re.findall(r"--[\w-]+", capsys.readouterr().out)
    if not set(re.findall(r"--[\w-]+", words)) <= set(known):
        return None
    if program not in PROGRAMS:
        return "\n".join(known)
    status = terminal.main(words.split())
    stored = [screen for typed, screen in sessions() if set(words.split()) <= typed]
    return "\n".join([capsys.readouterr().out, *stored]) if status == 0 else None


def text_of(place: str, monkeypatch, capsys) -> str | None:
    """The text of a place: a command with its options, a page, or a section of a lesson; None if it is missing."""
    if words := re.fullmatch(r"`coinlib (.+)`", place):
        return command(words[1], monkeypatch, capsys)
    if page := re.fullmatch(r"\[.+\]\((.+)\)", place):
        file = ROOT / "docs" / page[1]
        return file.read_text(encoding="utf-8") if file.exists() else None
    return section(place)


def plain(text: str) -> str:
    """Text with single spaces, and without Markdown's signs for bold, italics and code."""
    return " ".join(re.sub(r"[*`>\\]", "", text).split())


def missing(item: tuple[str, ...], monkeypatch, capsys) -> list[str]:
    """What an item lacks: its place, or words that are to be found there."""
    _, _, place, words = item
    text = text_of(place, monkeypatch, capsys)
    if text is None:
        return [place]
    return [word for word in re.findall(r"`(.+?)`", words) if plain(word) not in plain(text)]


def test_all_items_are_numbered():
    rows = re.findall(r"^\| \d+ .*", PAGE, re.MULTILINE)
    assert [int(number) for number, *_ in ITEMS] == list(range(1, len(rows) + 1))
    assert len(rows) > 140


def test_every_item_has_its_place_and_its_words_are_found_there(monkeypatch, capsys):
    lacking = {item[:2]: missing(item, monkeypatch, capsys) for item in ITEMS}
    assert {item: lacks for item, lacks in lacking.items() if lacks} == {}


@pytest.mark.parametrize(
    ("place", "words", "lacks"),
    [
        ("01 No such section", "", ["01 No such section"]),
        ("`coinlib coins NIM_9`", "", ["`coinlib coins NIM_9`"]),
        ("`coinlib qlearn --exploration`", "", ["`coinlib qlearn --exploration`"]),
        ("[nowhere](nowhere.md)", "", ["[nowhere](nowhere.md)"]),
        ("`coinlib coins NIM`", "`Rows of 1, 3, 5, 7` `Rows of 2`", ["Rows of 2"]),
        ("13 Agents of other programs", "`selectedRow` `selectedPile`", ["selectedPile"]),
    ],
)
def test_a_place_or_words_that_are_not_there_are_noticed(place, words, lacks, monkeypatch, capsys):
    assert missing(("1", "an item", place, words), monkeypatch, capsys) == lacks
