"""Which counts lose depends on the ending, so every statement about it in the course names the ending.

"Multiples of four lose" is true of normal play (1 to 3 a turn) and false of misère play, where it is
one more. This checks every sentence about it in the lessons, README, docstrings and pictures.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
from paths import ROOT

MULTIPLES = re.compile(r"\bmultiples?\s+of\s+(four|4|k\s*\+\s*1|max_pick\s*\+\s*1|\*k\*\s*\+\s*1)\b", re.IGNORECASE)
LOSE = re.compile(r"\b(los(e|es|ing|t)|lost)\b", re.IGNORECASE)
NORMAL = re.compile(r"\bnormal[\s_-]+play\b", re.IGNORECASE)
MISERE = re.compile(r"\bmis[èe]re\b", re.IGNORECASE)
ONE_MORE = re.compile(r"\b(one|1)\s+more\b", re.IGNORECASE)
# Where a statement ends: at full stops, semicolons, empty lines, cells of tables, and tags that end a block.
STATEMENT = re.compile(r"(?<=[.;!?])[*_`\"')\]]*\s|\n\s*\n|\n\s*[-*>|]|\s\|\s|</(?:summary|details|p|td|th|li)>")


def statements(text: str) -> list[str]:
    """A text cut into statements, each on one line."""
    return [" ".join(part.split()) for part in STATEMENT.split(text) if part and part.strip()]


def complaint(statement: str) -> str | None:
    """What is wrong with a statement about losing multiples; None if nothing is."""
    if not (MULTIPLES.search(statement) and LOSE.search(statement)):
        return None
    if MISERE.search(statement) and not ONE_MORE.search(statement):
        return f"says of misère play what is true of normal play: {statement}"
    if not NORMAL.search(statement) and not (MISERE.search(statement) and ONE_MORE.search(statement)):
        return f"does not name the ending: {statement}"
    return None


def complaints(text: str) -> list[str]:
    return [found for found in map(complaint, statements(text)) if found]


# --- what is checked


def texts_of_notebook(path: Path):
    """Prose, programs, and everything in the outputs that can be read."""
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code":
            yield from texts_of_program(cell.source)
        else:
            yield cell.source
        for output in cell.get("outputs", []):
            yield str(output.get("text", ""))
            yield from (str(value) for kind, value in output.get("data", {}).items() if kind.startswith("text/"))


def texts_of_program(source: str):
    """Every string (docstrings, words in pictures and labs, messages of checks) and every comment."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if isinstance(node, ast.JoinedStr):  # an f-string as a whole, whatever is put in
            yield "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
    yield from (line.partition("#")[2] for line in source.splitlines() if "#" in line)


def texts(path: Path):
    if path.suffix == ".ipynb":
        return texts_of_notebook(path)
    text = path.read_text(encoding="utf-8")
    return texts_of_program(text) if path.suffix == ".py" else [text]


def complaints_about_file(path: Path) -> list[str]:
    found = []
    for text in texts(path):
        found += complaints(text)
    return found


PLACES = ["notebooks/**/*.ipynb", "*.md", "docs/**/*.md", "data/*.md", "coinlib/**/*.py", "coincourse/**/*.py"]
LOOKED_AT = sorted(path for place in PLACES for path in ROOT.glob(place) if ".ipynb_checkpoints" not in path.parts)


def test_no_statement_about_losing_multiples_leaves_the_ending_out():
    assert len(LOOKED_AT) > 100
    found = {path.relative_to(ROOT): complaints_about_file(path) for path in LOOKED_AT}
    assert {path: words for path, words in found.items() if words} == {}


# --- the test itself catches what is wrong, and accepts what is right

BAD = [
    "Multiples of four lose.",
    "In misère play the multiples of four lose.",
    "The player to move loses at every multiple of 4",
    "Normal play is next. The multiples of\nfour lose.",
    "You remember: a multiple of k + 1 is lost.",
    "| 12 | why multiples of four lose | 60 |",
    "<summary>In misère play: the multiples of 4 are losing</summary>In normal play, too.",
    "- normal play is easier\n- multiples of 4 are lost",
    "Misère play: multiples of max_pick + 1 are losing counts.",
]
GOOD = [
    "In normal play the multiples of four lose.",
    "Multiples of four lose in normal play; in misère play it is one more than a multiple of four.",
    "why multiples of four lose (in normal play; one more in misère play)",
    "In misère play one more than a multiple of 4 is lost.",
    "Leave a multiple of four and smile.",
    "Your function finds the multiples of four. Those are the losing counts of normal play.",
]


def test_a_bad_sentence_is_found_and_a_good_one_passes():
    assert [sentence for sentence in BAD if not complaints(f"# Hats\n\n{sentence}\n\nGo on.")] == []
    assert [sentence for sentence in GOOD if complaints(sentence)] == []


def test_it_is_found_in_texts_comments_f_strings_and_outputs(tmp_path):
    output = nbformat.v4.new_output("stream", text="multiples of 4 lose\n")
    for name, cell in {
        "output.ipynb": nbformat.v4.new_code_cell("1", outputs=[output]),
        "words.ipynb": nbformat.v4.new_markdown_cell("Multiples of four lose."),
    }.items():
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / name)
    (tmp_path / "comment.py").write_text("x = 1  # multiples of four lose")
    (tmp_path / "f_string.py").write_text("x = f'{1} multiples of four {2} lose'")
    (tmp_path / "docstring.py").write_text("def plot():\n    'Multiples of four lose.'")
    for file in tmp_path.iterdir():
        assert complaints_about_file(file), file.name
