"""Access for everybody: what stands in place of figures, the order of headings, contrast, and colours.

What only a browser can tell is in tests/browser/test_access.py.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import mistune
import nbformat
import pytest

from coinlib.course import FIGURE, alternative_text, tidy

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "data/*.md", "benchmarks/*.md")
    for path in ROOT.glob(pattern)
    if not any(part.startswith("_") for part in path.relative_to(ROOT).parts)
)


# --- alternative text of figures -----------------------------------------------------------------------------

SHORTEST, LONGEST = 40, 450  # letters: a name is too little, and nobody can leaf through what is read to them
IDLE = re.compile(r"(a |an |the )?(picture|image|figure|plot|graphic|screenshot) (of|that|show)", re.IGNORECASE)
SAME_IN_WORDS = re.compile(r"\b(table|list|lines|text|output|tuple)\b[^.]*\b(above|below|next)\b")


def figures(notebook):
    """The code cells that show a figure, each with the outputs that do."""
    for cell in notebook.cells:
        shown = [output for output in cell.get("outputs", []) if FIGURE in output.get("data", {})]
        if shown:
            yield cell, shown


def complaints_about_figure(cell, shown) -> list[str]:
    """What is wrong with the alternative text of one cell's figure."""
    words = alternative_text(cell)
    if not words.strip():
        return ["has a figure without alternative text: see CONTRIBUTING.md"]
    found = []
    if not SHORTEST <= len(words) <= LONGEST:
        found.append(f"has {len(words)} letters for its figure, not {SHORTEST} to {LONGEST}")
    if IDLE.match(words):
        found.append("says that its figure is a figure; say what it shows")
    if not SAME_IN_WORDS.search(words):
        found.append("does not say where the same stands as a table or as text")
    if len(shown) > 1:
        found.append("has several figures and one text: give each a cell of its own")
    if any(output.metadata.get(FIGURE, {}).get("alt") != words for output in shown):
        found.append("keeps another text in its output: run `coinlib execute`")
    return found


def complaints(notebook) -> list[str]:
    """What is wrong with the figures of a lesson."""
    found, said = [], {}
    for cell, shown in figures(notebook):
        found += [f"{cell.id} {complaint}" for complaint in complaints_about_figure(cell, shown)]
        words = alternative_text(cell)
        if words in said:
            found.append(f"{cell.id} says the same as {said[words]}")
        said[words] = cell.id
    return found


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_figure_is_told_in_words(path):
    assert complaints(nbformat.read(path, 4)) == []


def test_the_lessons_have_figures_and_no_two_share_their_words():
    words = [alternative_text(cell) for path in LESSONS for cell, _ in figures(nbformat.read(path, 4))]
    assert len(words) >= 40
    assert len(set(words)) == len(words)


WORDS = "A line that climbs from one half to nearly all. The table above has the numbers."


def lesson_with_figure(words=WORDS):
    """A lesson with one figure, as `coinlib execute` stores it."""
    figure = nbformat.v4.new_output("display_data", {FIGURE: "iVBORw0KGgo=", "text/plain": "<Figure>"})
    metadata = {"mystnb": {"image": {"alt": words}}} if words is not None else {}
    cell = nbformat.v4.new_code_cell("plt.show()", outputs=[figure], metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Hats"), cell])
    tidy(notebook)
    return notebook


def test_the_text_is_copied_to_where_jupyter_looks_for_it():
    notebook = lesson_with_figure()
    assert complaints(notebook) == []
    assert notebook.cells[1].outputs[0].metadata == {FIGURE: {"alt": WORDS}}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (None, "without alternative text"),
        ("", "without alternative text"),
        ("   ", "without alternative text"),
        ("See the table below.", "20 letters"),
        (WORDS * 6, "letters for its figure"),
        ("Picture of a line. The table above has all of its numbers.", "say what it shows"),
        ("An image of a line that climbs. The table above has the numbers.", "say what it shows"),
        ("The figure shows a line that climbs. The table above has the numbers.", "say what it shows"),
        ("A line that climbs from one half to nearly all.", "does not say where the same stands"),
    ],
)
def test_a_poor_text_is_refused(words, complaint):
    assert complaint in "; ".join(complaints(lesson_with_figure(words)))


def test_other_faults_are_found():
    twice = lesson_with_figure()
    twice.cells.append(lesson_with_figure().cells[1])
    tidy(twice)
    assert complaints(twice) == ["cell-03 says the same as cell-02"]
    stale = lesson_with_figure()
    stale.cells[1].metadata.mystnb.image.alt = WORDS.replace("climbs", "falls")
    assert complaints(stale) == ["cell-02 keeps another text in its output: run `coinlib execute`"]
    several = lesson_with_figure()
    several.cells[1].outputs *= 2
    assert complaints(several) == ["cell-02 has several figures and one text: give each a cell of its own"]


# --- headings -----------------------------------------------------------------------------------------------

read_markdown = mistune.create_markdown(renderer="ast")
HTML_HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)


def levels(markdown: str) -> list[int]:
    """The levels of all headings of a page, from the top."""
    body = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)  # settings of the page, not its text
    return [part["attrs"]["level"] for part in read_markdown(body) if part["type"] == "heading"]


def disorder(markdown: str) -> list[str]:
    """What is wrong with the headings of a page."""
    found, order = [], levels(markdown)
    if order.count(1) != 1 or order[0] != 1:
        found.append(f"expected one heading of level 1, and that first; got levels {order}")
    found += [f"level {after} after level {before}" for before, after in pairwise(order) if after > before + 1]
    if HTML_HEADING.search(re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)):
        found.append("a heading in HTML, which no list of contents has")
    return found


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_headings_of_a_lesson_are_in_order(path):
    notebook = nbformat.read(path, 4)
    assert disorder("\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")) == []
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [str(output.get("data", {}).get(kind, "")) for output in outputs for kind in ("text/html", "text/markdown")]
    assert not any(
        HTML_HEADING.search(part) or levels(part) for part in shown
    )  # labs and tables have none of their own


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_headings_of_a_page_are_in_order(path):
    assert disorder(path.read_text(encoding="utf-8")) == []


def test_disorder_is_found():
    assert disorder("# One\n\n## Two\n\n### Three\n\n## Two\n") == []
    assert disorder("---\ntitle: x\n---\n# One\n") == []
    assert disorder("# One\n\n### Three\n") == ["level 3 after level 1"]
    assert "got levels [1, 1]" in disorder("# One\n\n# One more\n")[0]
    assert "got levels []" in disorder("```\n# in a program\n```\n")[0]
    assert "got levels [2, 1]" in disorder("## Two\n\n# One\n")[0]
    assert "in HTML" in disorder("# One\n\n<h2>Two</h2>\n")[0]
