"""The web book as it lies on the disk: complete, linked, and in need of nothing from elsewhere."""

import importlib
import json
import posixpath
import re
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from book import COMMAND, ROOT

ROOMS = ["games", "theory", "solvers", "agents", "learners", "arena", "plots"]
ROOMS = [f"coinlib.{room}" for room in ROOMS] + [
    f"coincourse.{room}" for room in ("labs", "checks", "course", "classroom", "outside.tournament", "outside.sandbox")
]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TEXTS = sorted(
    file for pattern in ("*.md", "docs/**/*.md", "data/*.md", "benchmarks/**/*.md") for file in ROOT.glob(pattern)
)
OUTER = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def notebook_of(file) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def page_of(book, file):
    return book.pages[file.relative_to(ROOT).with_suffix(".html").as_posix()]


# --- building


def test_sphinx_has_nothing_to_complain_about(built_book):
    assert [line for line in built_book.said.splitlines() if re.search("WARNING|ERROR|CRITICAL", line)] == []


def test_the_book_names_the_command_that_makes_it():
    command = f"pip install uv && uv run --group docs {' '.join(COMMAND)} build/book"
    assert command in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


def test_the_first_page_leads_to_the_contents(built_book):
    assert ("meta", "0; url=docs/index.html") in built_book.pages["index.html"].all("content")


def test_a_lesson_that_is_no_longer_there_leaves_the_book(built_book, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    lessons = importlib.import_module("lessons")
    gone, kept = tmp_path / "notebooks" / "04_hats.html", tmp_path / "notebooks" / "05_training_hats.html"
    gone.parent.mkdir()
    gone.touch()
    kept.touch()
    app = type("App", (), {"outdir": tmp_path})
    assert lessons.forget_removed(app, None, set(), set(), {"notebooks/04_hats", "notebooks/never_built"}) == []
    assert (gone.exists(), kept.exists()) == (False, True)


# --- nothing from elsewhere

REL_OF_LINKS = {"stylesheet", "icon", "index", "search", "next", "prev", "author", "license", "shortcut icon"}
FETCHED = ("src", "srcset", "poster", "data", "action", "formaction", "xlink:href", "background")


def fetched(page) -> list[str]:
    """Every address that a browser asks for by itself when it shows a page."""
    found = [value for name in FETCHED for tag, value in page.all(name) if tag != "form"]
    found += [value for tag, value in page.all("href") if tag not in ("a", "area")]
    styles = page.styles + [value for _, value in page.all("style")]
    return found + [address for style in styles for address in addresses_in_css(style)]


def addresses_in_css(style: str) -> list[str]:
    quoted = re.findall(r"""@import\s+["']([^"']+)""", style)
    return quoted + [part.strip("\"' ") for part in re.findall(r"url\(([^)]*)\)", style)]


def test_no_page_fetches_anything_from_elsewhere(built_book):
    foreign = {
        (path, address)
        for path, page in built_book.pages.items()
        for address in fetched(page)
        if OUTER.match(address) and not address.startswith("data:")
    }
    assert foreign == set()


def test_no_style_fetches_anything_from_elsewhere(built_book):
    styles = {file.name: addresses_in_css(file.read_text("utf-8")) for file in built_book.folder.rglob("*.css")}
    assert len(styles) > 3
    found = {(name, address) for name, addresses in styles.items() for address in addresses if OUTER.match(address)}
    assert {(name, address) for name, address in found if not address.startswith("data:")} == set()


def test_an_address_in_a_style_is_recognised():
    for style in ("@import 'https://fonts.example.org/a.css';", "a { background: url(//cdn.example.org/a.png) }"):
        assert [OUTER.match(address) is not None for address in addresses_in_css(style)] == [True]


def test_scripts_are_those_of_the_theme_of_the_search_and_ours(built_book):
    ours = {"book.js", "clipboard.min.js", "copybutton.js", "doctools.js", "documentation_options.js", "furo.js"}
    search = {"language_data.js", "searchindex.js", "searchtools.js", "sphinx_highlight.js"}
    sources = [src for page in built_book.pages.values() for tag, src in page.all("src") if tag == "script"]
    assert {posixpath.basename(urlsplit(src).path) for src in sources} <= ours | search


def test_a_formula_is_drawn_without_a_script(built_book):
    page = built_book.pages["notebooks/14_why_multiples_of_four_lose.html"]
    assert [tag for tag, _ in page.elements].count("math") == 1


# --- links


def test_every_inner_link_leads_somewhere(built_book):
    anchors = {
        path: {name for key in ("id", "name") for _, name in page.all(key)} for path, page in built_book.pages.items()
    }
    files = {file.relative_to(built_book.folder).as_posix() for file in built_book.folder.rglob("*") if file.is_file()}
    dead = set()
    for path, page in built_book.pages.items():
        for address in [value for key in ("href", "src") for _, value in page.all(key)]:
            if OUTER.match(address):
                continue
            target, anchor = urldefrag(address)
            target = unquote(urlsplit(target).path)
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            known = place in files and (not anchor or place not in anchors or unquote(anchor) in anchors[place])
            if not known:
                dead.add((path, address))
    assert dead == set()


def test_outer_links_have_a_proper_form(built_book):
    links = {value for page in built_book.pages.values() for tag, value in page.all("href") if OUTER.match(value)}
    assert links
    assert [link for link in links if not well_formed(link)] == []


def well_formed(link: str) -> bool:
    """An address of the web with a host name and without leftovers of a sentence; nothing is asked of the host."""
    parts = urlsplit(link)
    host = re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", parts.hostname or "")
    return bool(parts.scheme in ("http", "https") and host and re.fullmatch(r"[!-~]*[^\s.,;:'\")\]]", link))


def test_a_link_with_a_wrong_form_is_recognised():
    wrong = (
        "https://example.org/a.",
        "https:/example.org",
        "//example.org",
        "https://localhost/a",
        "https://a.org/a b",
    )
    assert [link for link in wrong if well_formed(link)] == []


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
    solutions = sum("solution" in cell["metadata"].get("tags", []) for cell in notebook_of(file)["cells"])
    folds = page_of(built_book, file).of_class("hide")
    assert len(folds) == solutions >= 3
    assert all("open" not in fold for fold in folds)


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem[:2])
def test_what_a_lesson_has_stored_is_on_its_page(built_book, file):
    outputs = [output for cell in notebook_of(file)["cells"] for output in cell.get("outputs", [])]
    page = page_of(built_book, file)
    assert len(page.of_class("output", "text_html")) == sum("text/html" in one.get("data", {}) for one in outputs)
    assert sum(tag == "img" for tag, _ in page.elements) == sum("image/png" in one.get("data", {}) for one in outputs)
    assert len(page.of_class("output", "stream")) == sum(one["output_type"] == "stream" for one in outputs)


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem[:2])
def test_each_live_lab_has_its_still_picture(built_book, file):
    """A cell that ends with a lab or a board has stored HTML, and the page shows it."""
    text = (built_book.folder / "notebooks" / f"{file.stem}.html").read_text("utf-8")
    labs = [cell for cell in notebook_of(file)["cells"] if cell["cell_type"] == "code" and is_live(cell)]
    shows = [output.get("data", {}) for cell in labs for output in cell["outputs"]]
    stills = ["".join(data["text/html"]) for data in shows if "text/html" in data]
    assert len(stills) == len(labs)
    assert all(still in text for still in stills)


def is_live(cell) -> bool:
    """Whether a cell shows a live board or lab: its last line makes one."""
    lines = "".join(cell["source"]).strip().splitlines()
    return bool(lines) and any(re.match(r"(\w+Lab|Board)\(", line) for line in lines) and not lines[-1].endswith(";")


# --- the other pages


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_described(built_book, room):
    module = importlib.import_module(room)
    names = getattr(module, "__all__", None) or [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and callable(thing) and thing.__module__ == module.__name__
    ]
    described = {name for _, name in built_book.pages[f"docs/api/{room.split('.')[-1]}.html"].all("id")}
    assert len(names) > 1
    assert {f"{room}.{name}" for name in names} <= described


def test_the_map_of_the_first_page_is_that_of_the_lessons_and_of_the_readme():
    line = re.compile(
        r"^\| \[(?P<title>[^\]]+)\]\(\.\./(?P<path>\S+)\) \| (?P<minutes>\d+) \| (?P<can>.+) \|$", re.MULTILINE
    )
    rows = [row.groupdict() for row in line.finditer((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))]
    assert [row["path"] for row in rows] == [file.relative_to(ROOT).as_posix() for file in LESSONS]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for row, file in zip(rows, LESSONS, strict=True):
        cells = ["".join(cell["source"]) for cell in notebook_of(file)["cells"]]
        assert cells[0].startswith(f"# {row['title']}\n")
        assert any(re.search(rf"\*\*Time:?\*\* {row['minutes']} minutes", cell) for cell in cells)
        assert f"| {row['minutes']} | {row['can']} |" in readme
