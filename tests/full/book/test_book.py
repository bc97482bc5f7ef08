"""The web book as it lies on the disk: complete, linked, and in need of nothing from elsewhere."""

import html
import importlib
import json
import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from book import COMMAND, ROOT, build

from coincourse.course import is_solution
from coincourse.labs.base.without_kernel import DESCRIBED

LIBRARY = ["games", "match", "agents", "search", "learners", "distance", "series", "arena", "training", "sweeps"]
LIBRARY += ["solvers", "theory", "trees", "tables", "plots"]
COURSE = ["labs", "checks", "course", "classroom", "outside.tournament", "outside.sandbox"]
ROOMS = [f"coinlib.{room}" for room in LIBRARY] + [f"coincourse.{room}" for room in COURSE]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WRITTEN = ("*.md", "docs/**/*.md", "data/*.md", "benchmarks/**/*.md")
TEXTS = sorted(file for pattern in WRITTEN for file in ROOT.glob(pattern))
STILL = re.compile(r"\(A still picture: [^)]*\)")  # a page says another way to the living lab
LESSON = re.compile(r"(\w+)\.ipynb(?=')")  # a link from a lab to a lesson leads to a page
OUTER = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def notebook_of(file) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def exercise_of(cell: dict) -> str:
    return cell["metadata"].get("coinlib", {}).get("exercise", "")


def page_of(book, file):
    return book.pages[file.relative_to(ROOT).with_suffix(".html").as_posix()]


# --- building


def test_sphinx_has_nothing_to_complain_about(built_book):
    assert [line for line in built_book.said.splitlines() if re.search("WARNING|ERROR|CRITICAL", line)] == []


def test_whoever_reads_the_book_is_in_the_process_that_builds_it(built_book, request):
    """See `pytest_xdist_make_scheduler` in conftest.py: elsewhere the book would be built once more."""
    readers = {item.path for item in request.session.items if "built_book" in getattr(item, "fixturenames", ())}
    assert Path(__file__) in readers
    assert [path.name for path in readers if path.parent != Path(__file__).parent] == []


def test_the_book_names_the_command_that_makes_it():
    command = f"pip install uv && uv run --group docs {' '.join(COMMAND)} build/book"
    assert command in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


def test_the_first_page_leads_to_the_contents(built_book):
    assert ("meta", "0; url=docs/index.html") in built_book.pages["index.html"].all("content")


# --- nothing from elsewhere

FETCHED = ("src", "srcset", "poster", "data", "action", "formaction", "xlink:href", "background")


def addresses_in_css(style: str) -> list[str]:
    quoted = re.findall(r"""@import\s+["']([^"']+)""", style)
    return quoted + [part.strip("\"' ") for part in re.findall(r"url\(([^)]*)\)", style)]


def fetched(page) -> list[str]:
    """Every address that a browser asks for by itself when it shows a page."""
    found = [value for name in FETCHED for tag, value in page.all(name) if tag != "form"]
    found += [value for tag, value in page.all("href") if tag not in ("a", "area")]
    styles = page.styles + [value for _, value in page.all("style")]
    return found + [address for style in styles for address in addresses_in_css(style)]


def test_no_page_fetches_anything_from_elsewhere(built_book):
    found = {path: fetched(page) for path, page in built_book.pages.items()}
    for file in built_book.folder.rglob("*.css"):
        found[file.name] = addresses_in_css(file.read_text("utf-8"))
    addresses = set().union(*found.values())
    outer = [address for address in addresses if OUTER.match(address) and not address.startswith("data:")]
    assert outer == []
    style = "@import 'https://a.org/b'; url(//c.org/d)"
    assert all(OUTER.match(address) for address in addresses_in_css(style))


def test_a_formula_is_drawn_without_a_script(built_book):
    page = built_book.pages["notebooks/14_why_multiples_of_four_lose.html"]
    assert [tag for tag, _ in page.elements].count("math") == 1


# --- links


def test_every_inner_link_leads_somewhere(built_book):
    anchors = {}
    for path, page in built_book.pages.items():
        anchors[path] = {name for _, name in page.all("id") + page.all("name")}
    found = built_book.folder.rglob("*")
    files = {file.relative_to(built_book.folder).as_posix() for file in found if file.is_file()}
    dead = set()
    for path, page in built_book.pages.items():
        for _, address in page.all("href") + page.all("src"):
            if OUTER.match(address):
                continue
            target, anchor = urldefrag(unquote(address))
            target = urlsplit(target).path
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if place not in files or (anchor and place in anchors and anchor not in anchors[place]):
                dead.add((path, address))
    assert dead == set()


def links_in(file) -> list[str]:
    """Where the Markdown of a page or lesson points to; what stands in blocks of code is no link."""
    if file.suffix == ".ipynb":
        cells = [cell for cell in notebook_of(file)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    else:
        text = file.read_text(encoding="utf-8")
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]+`", "", text))


@pytest.mark.parametrize("file", [*TEXTS, *LESSONS], ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_link_also_works_where_the_repository_is_read(file):
    targets = [urldefrag(link).url for link in links_in(file) if not OUTER.match(link)]
    assert [target for target in targets if not (file.parent / unquote(target)).exists()] == []


# --- lessons


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem[:2])
def test_solutions_are_folded_and_nothing_else_is(built_book, file):
    solutions = sum(map(is_solution, notebook_of(file)["cells"]))
    text = (built_book.folder / "notebooks" / f"{file.stem}.html").read_text("utf-8")
    named = re.findall(r'<details id="solution-\w+">\n<summary>Solution</summary>', text)
    assert len(named) == len(set(named)) == solutions >= 3
    folds = page_of(built_book, file).of_class("hide")  # what comes out of a cell that answers a question
    assert all("open" not in fold for fold in folds)


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem[:2])
def test_what_a_lesson_has_stored_is_on_its_page(built_book, file):
    """Pictures, printed words, tables, and the still pictures of live labs word for word.

    Nothing is said of an exercise that nobody has touched.
    """
    cells = [cell for cell in notebook_of(file)["cells"] if not exercise_of(cell)]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    shown = [output.get("data", {}) for output in outputs]
    page = page_of(built_book, file)
    assert sum(tag == "img" for tag, _ in page.elements) == sum("image/png" in data for data in shown)
    printed = [output for output in outputs if output["output_type"] == "stream"]
    assert len(page.of_class("output", "stream")) == len(printed)
    text = (built_book.folder / "notebooks" / f"{file.stem}.html").read_text("utf-8")
    stored = [LESSON.sub(r"\1.html", "".join(data["text/html"])) for data in shown if "text/html" in data]
    assert all(part in text for html in stored for part in STILL.split(html))


def solution_lines(file) -> set[str]:
    """The lines that stand in the solutions of a lesson and nowhere else in it."""
    solutions = set()
    others = set()
    for cell in notebook_of(file)["cells"]:
        lines = {line.strip() for line in "".join(cell["source"]).splitlines()}
        if is_solution(cell):
            solutions |= lines
        else:
            others |= lines
    return {line for line in solutions - others if len(line) > 15}


def words_of(file) -> str:
    """What a reader finds in a file of a book, without the tags."""
    return html.unescape(re.sub(r"<[^>]+>", "", file.read_text(encoding="utf-8")))


def test_each_exercise_says_where_to_do_it(built_book):
    for file in LESSONS:
        page = page_of(built_book, file)
        downloads = [about["href"] for name, about in page.elements if name == "a" and "download" in about]
        written = page.of_class("write")
        exercises = sum(map(is_solution, notebook_of(file)["cells"]))
        assert downloads == [file.name] * (1 + exercises - len(written))
        assert len(page.of_class("places")) == len(downloads)
        assert (built_book.folder / "notebooks" / file.name).read_bytes() == file.read_bytes()


def test_a_book_without_solutions_has_no_word_of_them(built_book, tmp_path):
    lesson = Path("notebooks/08_game_trees.ipynb")
    page = Path("docs/guide/08.md")
    patterns = f"include_patterns=docs/index.md,{lesson},{page}"
    without = build(tmp_path, "solutions=0", patterns, "addresses.JupyterLite=https://a.org").folder
    lines = solution_lines(ROOT / lesson)
    for name in (lesson, lesson.with_suffix(".html"), page.with_suffix(".html")):
        assert any(line in words_of(built_book.folder / name) for line in lines)
    files = [file for file in without.rglob("*") if file.suffix in (".html", ".ipynb", ".js")]
    assert {without / lesson, without / lesson.with_suffix(".html")} < set(files)
    assert [(file.name, line) for file in files for line in lines if line in words_of(file)] == []
    text = words_of(without / lesson.with_suffix(".html"))
    assert "Work on this lesson" in text and "JupyterLite" not in text  # there the lessons have their solutions


def test_without_python_each_exercise_says_where_to_do_it(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    lesson_page = importlib.import_module("lessons").lesson_page
    lesson = notebook_of(ROOT / "notebooks" / "04_hats.ipynb")
    sources = ["".join(cell["source"]) for cell in lesson_page(lesson, "WHERE", solutions=True, whys={})["cells"]]
    assert sources.count("WHERE") == sum(map(is_solution, lesson["cells"]))
    assert not any("data-stub" in source for source in sources)


@pytest.mark.skipif(sys.platform == "win32", reason="its npm is another kind of program")
def test_where_pyodide_cannot_be_had_the_reason_is_said(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    page = importlib.import_module("python_page")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(page.NotHere, match="npm was not found"):
        page.fetched("1.0.0", "")
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(page.NotHere, match=r"npm could not fetch pyodide@1\.0\.0"):
        page.fetched("1.0.0", "")


def test_a_text_can_have_other_words_in_the_book(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    lessons = importlib.import_module("lessons")
    cell = {"cell_type": "markdown", "id": "a", "metadata": {"coinlib": {"book": "Tap."}}, "source": "Press a key."}
    page = lessons.lesson_page({"cells": [cell]}, "", True, {})
    assert [cell["source"] for cell in page["cells"]] == ["Tap."]


def test_what_answers_a_question_is_folded(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    lessons = importlib.import_module("lessons")
    asked = {
        "**Predict: who wins?**": True,
        "**Who wins?** Guess before you run the cell.\n\nEach square of the picture is a share.": True,
        "No take leads there. Predict the remainders in the next cell.": True,
        "**Who wins?**\n\n<details><summary>Answer</summary>Player 1.</details>": False,
        "> **Is it new?** Where have I looked?\n\nThen write it as a function.": False,
        "They won **all** games, and the ratings predict one half. **Mind that.** Is it much?": False,
    }
    found = {text: lessons.asks({"cell_type": "markdown", "source": text}) for text in asked}
    assert found == asked


def test_there_is_a_button_for_each_place_whose_address_is_known(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    places = importlib.import_module("lessons").places
    addresses = {"Repository": "https://github.com/ada/coins", "JupyterLite": "https://ada.example.org/lite"}
    assert list(places(addresses, "08_game_trees.ipynb").values()) == [
        "08_game_trees.ipynb",
        "https://mybinder.org/v2/gh/ada/coins/main?urlpath=lab/tree/notebooks/08_game_trees.ipynb",
        "https://colab.research.google.com/github/ada/coins/blob/main/notebooks/08_game_trees.ipynb",
        "https://ada.example.org/lite/lab/index.html?path=notebooks/08_game_trees.ipynb",
    ]
    assert list(places({}, "08_game_trees.ipynb")) == ["Download this notebook"]


def test_every_lab_of_a_lesson_lives_and_pages_stay_light(built_book):
    for path, page in built_book.pages.items():
        text = (built_book.folder / path).read_text("utf-8")
        packed = re.findall(r"<script type='text/plain'>([^<]*)</script></div>", text)
        assert len(packed) == len(page.of_class("living"))
        assert sum(map(len, packed)) < 350_000, path
    for file in LESSONS:
        outputs = [output for cell in notebook_of(file)["cells"] for output in cell.get("outputs", [])]
        described = [output for output in outputs if DESCRIBED in output.get("data", {})]
        assert len(page_of(built_book, file).of_class("living")) == len(described)


# --- the other pages


def test_each_of_three_readers_has_a_door_and_a_heading(built_book):
    text = (built_book.folder / "docs" / "index.html").read_text(encoding="utf-8")
    captions = re.findall(r'class="caption"[^>]*><span[^>]*>([^<]+)', text)
    assert captions == ["Lessons", "For teachers", "For developers", "The project"]
    doors = text.partition('<div class="doors">')[2].partition("</div>")[0]
    assert re.findall(r"<a [^>]*>(?:<[^>]+>)*(\w+)", doors) == ["Students", "Teachers", "Developers"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_described(built_book, room):
    module = importlib.import_module(room)
    names = getattr(module, "__all__", None) or [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and callable(thing) and thing.__module__ == module.__name__
    ]
    described = {name for _, name in built_book.pages[f"docs/api/{room.split('.')[-1]}.html"].all("id")}
    assert names
    assert {f"{room}.{name}" for name in names} <= described


def test_the_first_page_and_the_readme_list_the_lessons():
    link = r"\[(?P<title>[^\]]+)\]\(\.\./(?P<path>\S+)\)"
    line = re.compile(rf"^\| {link} \| (?P<minutes>\d+) \| (?P<can>.+) \|$", re.MULTILINE)
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    rows = [row.groupdict() for row in line.finditer(index)]
    assert [row["path"] for row in rows] == [file.relative_to(ROOT).as_posix() for file in LESSONS]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for row, file in zip(rows, LESSONS, strict=True):
        cells = ["".join(cell["source"]) for cell in notebook_of(file)["cells"]]
        assert cells[0].startswith(f"# {row['title']}\n")
        assert any(re.search(rf"\*\*Time:?\*\* {row['minutes']} minutes", cell) for cell in cells)
        assert f"| {row['minutes']} | {row['can']} |" in readme


# --- mentions

PAGES_WITH_MENTIONS = ("docs/guide/plans", "notebooks/04_hats", "docs/guide/glossary")


def test_lessons_sections_and_words_of_the_glossary_are_links(built_book):
    def links(page):
        return [href for tag, href in built_book.pages[page].all("href") if tag == "a"]

    plans, hats, glossary = (links(f"{page}.html") for page in PAGES_WITH_MENTIONS)
    assert sum(re.search(r"notebooks/\d\d_\w+\.html#", href) is not None for href in plans) > 30
    assert {"03_rules.html", "#one-game-by-hand-7-minutes", "../docs/guide/glossary.html#term-hat-ball"} <= set(hats)
    assert sum("notebooks/" in href for href in glossary) > 100
