"""The lessons' pages on the disk: solutions, outputs, labs, and where to do the exercises."""

import html
import json
import re
from pathlib import Path

import nbformat
import pytest
from book import ROOT, build

from coincourse.course import alternative_text, is_solution
from coincourse.labs.base.without_kernel import DESCRIBED

LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
STILL = re.compile(r"\(A still picture: [^)]*\)")  # a page says another way to the living lab
OURS = "the course's version is used."  # a page says it another way
ELSEWHERE = re.compile(r" data-elsewhere>–( \w+|)( \(in JupyterLab\))?")  # a page's mark for such an exercise
LINK = re.compile(r"(\w+)\.ipynb(?=')")  # a link from a lab to a lesson leads to a page


@pytest.fixture(params=LESSONS, ids=lambda file: file.stem[:2])
def lesson(request, built_book):
    """The notebook of a lesson, its page, and the text of that page."""
    file = request.param
    path = f"notebooks/{file.stem}.html"
    text = (built_book.folder / path).read_text("utf-8")
    return nbformat.read(file, 4), built_book.pages[path], text


def outputs_of(cells) -> list[dict]:
    return [output for cell in cells for output in cell.get("outputs", [])]


def test_solutions_are_folded_and_nothing_else_is(lesson):
    notebook, page, text = lesson
    named = re.findall(r'<details id="solution-\w+">\n<summary>Solution</summary>', text)
    assert len(named) == len(set(named)) == sum(map(is_solution, notebook.cells)) >= 3
    folds = page.of_class("hide")  # the output of a cell that answers a question
    assert all("open" not in fold for fold in folds)


def test_what_a_lesson_has_stored_is_on_its_page(lesson):
    """Pictures, printed words, tables, and the still pictures of live labs word for word.

    An exercise that nobody has touched has no verdict.
    """
    notebook, page, text = lesson
    outputs = outputs_of(cell for cell in notebook.cells if not cell.metadata.get("coinlib", {}).get("exercise"))
    shown = [output.get("data", {}) for output in outputs]
    assert sum(tag == "img" for tag, _ in page.elements) == sum("image/png" in data for data in shown)
    printed = [output["text"].splitlines() for output in outputs if output["output_type"] == "stream"]
    ours = [any(line.endswith(OURS) for line in lines) for lines in printed]
    assert text.count("data-made-with=") == sum(ours)
    only_ours = [all(line.endswith(OURS) for line in lines) for lines in printed]
    assert len(page.of_class("output", "stream")) == len(printed) - sum(only_ours)
    stored = [LINK.sub(r"\1.html", data["text/html"]) for data in shown if "text/html" in data]
    text = ELSEWHERE.sub(r">○\1", text)
    missing = [part[:80] for stored_html in stored for part in STILL.split(stored_html) if part not in text]
    assert missing == []


def test_figures_are_told_in_words(lesson):
    notebook, page, _ = lesson
    images = [about for name, about in page.elements if name == "img"]
    shown = [about.get("alt") for about in images if "_images" in about.get("src", "")]
    assert shown == list(filter(None, map(alternative_text, notebook.cells)))


def test_every_lab_of_a_lesson_lives(lesson):
    notebook, page, _ = lesson
    described = [output for output in outputs_of(notebook.cells) if DESCRIBED in output.get("data", {})]
    of_the_book = [cell for cell in notebook.cells if "book_lab" in cell.metadata.get("coinlib", {})]
    labs = [place for place in page.of_class("live-lab") if "lesson-sliders" not in place["class"]]
    assert len(labs) == len(described) + len(of_the_book)


def test_pages_stay_light(built_book):
    for path, page in built_book.pages.items():
        text = (built_book.folder / path).read_text("utf-8")
        packed = re.findall(r"<script type='text/plain'>([^<]*)</script></div>", text)
        assert len(packed) == len(page.of_class("live-lab"))
        parts = text.split("<div class='live-lab")[1:]
        own = ["".join(re.findall(r"<script type='text/plain'>([^<]*)</script></div>", part)) for part in parts]
        own = [recording for recording, part in zip(own, parts) if part.startswith(" lesson-sliders'")]
        assert all(len(recording) <= 300_000 for recording in own), path
        assert sum(map(len, packed)) - sum(map(len, own)) < 360_000, path


def test_each_exercise_says_where_to_do_it(built_book):
    for file in LESSONS:
        page = built_book.pages[f"notebooks/{file.stem}.html"]
        downloads = [about["href"] for name, about in page.elements if name == "a" and "download" in about]
        written = page.of_class("write")
        exercises = sum(map(is_solution, nbformat.read(file, 4).cells))
        assert downloads == [file.name] * (1 + exercises - len(written))
        assert len(page.of_class("places")) == len(downloads)
        assert (built_book.folder / "notebooks" / file.name).read_bytes() == file.read_bytes()


# --- a book without solutions


def solution_lines(file: Path) -> set[str]:
    """The lines that are in a lesson's solutions and nowhere else in it."""
    solutions = set()
    others = set()
    for cell in json.loads(file.read_text("utf-8"))["cells"]:
        lines = {line.strip() for line in "".join(cell["source"]).splitlines()}
        if is_solution(cell):
            solutions |= lines
        else:
            others |= lines
    return {line for line in solutions - others if len(line) > 15}


def words_of(file: Path) -> str:
    """What a reader sees in a file of a book, without the tags."""
    return html.unescape(re.sub(r"<[^>]+>", "", file.read_text(encoding="utf-8")))


def test_a_book_without_solutions_has_no_word_of_them(built_book, tmp_path):
    lesson = Path("notebooks/12_search.ipynb")
    page = Path("docs/guide/12.md")
    patterns = f"include_patterns=docs/index.md,{lesson},{page}"
    without = build(tmp_path, "solutions=0", patterns, "addresses.JupyterLite=https://a.org").folder
    lines = solution_lines(ROOT / lesson)
    for name in (lesson, lesson.with_suffix(".html"), page.with_suffix(".html")):
        assert any(line in words_of(built_book.folder / name) for line in lines)
    files = [file for file in without.rglob("*") if file.suffix in (".html", ".ipynb", ".js")]
    assert {without / lesson, without / lesson.with_suffix(".html")} < set(files)
    assert [(file.name, line) for file in files for line in lines if line in words_of(file)] == []
    text = words_of(without / lesson.with_suffix(".html"))
    assert "Open it in JupyterLab" in text and "JupyterLite" not in text  # there the lessons have their solutions
