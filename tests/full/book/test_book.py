"""The web book on the disk: complete, linked, and needing nothing from elsewhere."""

import importlib
import posixpath
import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from paths import ROOT

LIBRARY = ["games", "match", "agents", "search", "learners", "distance", "series", "arena", "training", "sweeps"]
LIBRARY += ["solvers", "theory", "trees", "tables", "plots"]
COURSE = ["labs", "checks", "course", "outside.tournament", "outside.sandbox"]
ROOMS = [f"coinlib.{room}" for room in LIBRARY] + [f"coincourse.{room}" for room in COURSE]
OUTER = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


# --- building


def test_sphinx_has_nothing_to_complain_about(built_book):
    assert [line for line in built_book.said.splitlines() if re.search("WARNING|ERROR|CRITICAL", line)] == []


def test_whoever_reads_the_book_is_in_the_process_that_builds_it(built_book, request):
    """See `pytest_xdist_make_scheduler` in conftest.py: elsewhere the book would be built once more."""
    readers = {item.path for item in request.session.items if "built_book" in getattr(item, "fixturenames", ())}
    assert Path(__file__) in readers
    assert [path.name for path in readers if path.parent != Path(__file__).parent] == []


def test_the_first_page_leads_to_the_contents(built_book):
    assert ("meta", "0; url=docs/index.html") in built_book.pages["index.html"].all("content")


# --- nothing from elsewhere

FETCHED = ("src", "srcset", "poster", "data", "action", "formaction", "xlink:href", "background")


def addresses_in_css(style: str) -> list[str]:
    quoted = re.findall(r"""@import\s+["']([^"']+)""", style)
    return quoted + [part.strip("\"' ") for part in re.findall(r"url\(([^)]*)\)", style)]


def fetched(page) -> list[str]:
    """Every address that a browser requests by itself when it shows a page."""
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


PAGES_WITH_MENTIONS = ("docs/guide/plans", "notebooks/04_hats", "docs/guide/glossary")


def test_lessons_sections_and_words_of_the_glossary_are_links(built_book):
    def links(page):
        return [href for tag, href in built_book.pages[page].all("href") if tag == "a"]

    plans, hats, glossary = (links(f"{page}.html") for page in PAGES_WITH_MENTIONS)
    linked = Counter(re.findall(r"notebooks/(\d\d)_\w+\.html#", "\n".join(plans)))
    rows = re.findall(r"^\| (\d\d) \| §\d", (ROOT / "docs/guide/plans.md").read_text("utf-8"), re.MULTILINE)
    assert rows and linked >= Counter(rows)
    assert {"02_random_agents.html", "#one-game-by-hand-8-minutes", "../docs/guide/glossary.html#term-hat-ball"} <= set(
        hats
    )
    assert sum("notebooks/" in href for href in glossary) > 100


# --- readers


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


def test_what_marks_a_class_is_described(built_book):
    described = {name for _, name in built_book.pages["docs/api/classroom.html"].all("id")}
    names = {"marking.mark", "marks.Marks", "desk.Desk"}
    assert {f"coincourse.classroom.{name}" for name in names} <= described
