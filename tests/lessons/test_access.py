"""Lessons and pages for readers who cannot see: alternative text for figures, and the order of headings.

Contrast and colours are in test_contrast.py and test_colours.py; what needs a browser is in
tests/full/jupyterlab/test_access_live.py.
"""

from __future__ import annotations

import re
from itertools import pairwise

import mistune
import nbformat
from paths import NOTEBOOKS, ROOT

from coincourse.course import alternative_text, notebooks, tidy
from coincourse.course.authors import FIGURE

LESSONS = [NOTEBOOKS / name for name in notebooks(NOTEBOOKS)]  # and projects
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "data/*.md", "benchmarks/*.md")
    for path in ROOT.glob(pattern)
    if not any(part.startswith("_") for part in path.relative_to(ROOT).parts)
)

# --- alternative text of figures ------------------------------------------------------------------------

SHORTEST, LONGEST = 40, 450  # characters: a name is too short, and a listener cannot skim a long text
IDLE = re.compile(r"(a |an |the )?(picture|image|figure|plot|graphic|screenshot) (of|that|show)", re.IGNORECASE)
SAME_IN_WORDS = re.compile(r"\b(table|list|lines|text|output|tuple)\b[^.]*\b(above|below|next)\b")


def figures(notebook):
    """The code cells that show a figure, each with the outputs that show it."""
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
        found.append("does not say where to find the same as a table or as text")
    if len(shown) > 1:
        found.append("has several figures and one text: give each its own cell")
    if any(output.metadata.get(FIGURE, {}).get("alt") != words for output in shown):
        found.append("keeps another text in its output: run `coinlib execute`")
    return found


def complaints(notebook) -> list[str]:
    """What is wrong with the figures of a lesson."""
    found = []
    said = {}  # which cell has said these words
    for cell, shown in figures(notebook):
        found += [f"{cell.id} {complaint}" for complaint in complaints_about_figure(cell, shown)]
        words = alternative_text(cell)
        if words in said:
            found.append(f"{cell.id} says the same as {said[words]}")
        said[words] = cell.id
    return found


def test_every_figure_is_told_in_words():
    found = {path.stem: complaints(nbformat.read(path, 4)) for path in LESSONS}
    assert {name: words for name, words in found.items() if words} == {}


WORDS = "A line that climbs from one half to nearly all. The table above has the numbers."


def lesson_with_figure(words=WORDS):
    """A lesson with one figure, as `coinlib execute` stores it."""
    figure = nbformat.v4.new_output("display_data", {FIGURE: "iVBORw0KGgo=", "text/plain": "<Figure>"})
    metadata = {"mystnb": {"image": {"alt": words}}} if words is not None else {}
    cell = nbformat.v4.new_code_cell("plt.show()", outputs=[figure], metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Hats"), cell])
    tidy(notebook)
    return notebook


def test_a_poor_text_is_refused():
    notebook = lesson_with_figure()
    assert complaints(notebook) == []
    assert notebook.cells[1].outputs[0].metadata == {FIGURE: {"alt": WORDS}}  # where Jupyter looks for it
    for words, complaint in {
        None: "without alternative text",
        "   ": "without alternative text",
        "See the table below.": "20 letters",
        WORDS * 6: "letters for its figure",
        "Picture of a line. The table above has all of its numbers.": "say what it shows",
        "The figure shows a line that climbs. The table above has the numbers.": "say what it shows",
        "A line that climbs from one half to nearly all.": "does not say where to find the same",
    }.items():
        assert complaint in "; ".join(complaints(lesson_with_figure(words))), words


# --- headings -------------------------------------------------------------------------------------------

read_markdown = mistune.create_markdown(renderer="ast")
HTML_HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)


def levels(markdown: str) -> list[int]:
    """The levels of all headings of a page, from the top."""
    body = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)  # settings of the page, not its text
    return [part["attrs"]["level"] for part in read_markdown(body) if part["type"] == "heading"]


def disorder(markdown: str) -> list[str]:
    """What is wrong with the headings of a page."""
    found = []
    order = levels(markdown)
    if order.count(1) != 1 or order[0] != 1:
        found.append(f"expected one heading of level 1, and that first; got levels {order}")
    found += [f"level {after} after level {before}" for before, after in pairwise(order) if after > before + 1]
    if HTML_HEADING.search(re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)):
        found.append("a heading in HTML, which no list of contents has")
    return found


def test_the_headings_of_lessons_are_in_order():
    found = {}
    for path in LESSONS:
        cells = nbformat.read(path, 4).cells
        found[path.stem] = disorder("\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown"))
        outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
        for shown in outputs:
            words = shown.get("text/html", "") + shown.get("text/markdown", "")
            if HTML_HEADING.search(words) or levels(words):
                found[path.stem].append(f"a lab or a table has a heading: {words[:80]}")
    assert {name: words for name, words in found.items() if words} == {}


def test_the_headings_of_pages_are_in_order():
    found = {path.relative_to(ROOT): disorder(path.read_text(encoding="utf-8")) for path in PAGES}
    assert len(found) > 20
    assert {name: words for name, words in found.items() if words} == {}


def test_disorder_is_found():
    assert disorder("---\ntitle: x\n---\n# One\n\n## Two\n\n### Three\n\n## Two\n") == []
    assert disorder("# One\n\n### Three\n") == ["level 3 after level 1"]
    for page, words in {
        "# One\n\n# One more\n": "got levels [1, 1]",
        "```\n# in a program\n```\n": "got levels []",
        "## Two\n\n# One\n": "got levels [2, 1]",
        "# One\n\n<h2>Two</h2>\n": "in HTML",
    }.items():
        assert words in disorder(page)[0]
