"""`coinlib book`: two zip files of a small book, and the messages if the book cannot be built."""

import datetime
import re
import shutil
from zipfile import ZipFile

import pytest
from paths import ROOT

import coinlib
from coincourse.terminal import book

PROJECT = '[project]\nname = "coinlib"\n'
CONF = """
project = "A small book"
root_doc = "index"
include_patterns = ["index.rst"]
html_theme = "furo"


def tell(app, config):
    config.rst_epilog = f"This book has solutions: {config.solutions}."


def setup(app):
    app.add_config_value("solutions", True, "env")
    app.connect("config-inited", tell)
"""
TODAY = datetime.date.today().isoformat()


@pytest.fixture
def small_course(tmp_path, monkeypatch):
    """A course whose book is one page."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conf.py").write_text(CONF)
    (tmp_path / "index.rst").write_text("A small book\n============\n\nOne page.\n")
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def npm(monkeypatch):
    """Pretend that npm is installed; the small book does not use it."""
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/npm" if name == "npm" else which(name))


def read(file) -> tuple[str, str, list[str]]:
    """The start page of a zip file, the page to which it leads, and the names of its files."""
    with ZipFile(file) as archive:
        start = archive.read(book.START).decode()
        (link,) = re.findall('href="([^"]+)"', start)
        return start, archive.read(link).decode(), archive.namelist()


def test_two_zip_files_each_with_a_start_page_a_version_and_a_date(play, small_course, npm):
    said, status = play("book --into out")
    assert status == 0
    files = sorted(path.name for path in (small_course / "out").iterdir())
    edition = f"coinlib-book-{coinlib.__version__}-{TODAY}"
    assert files == [f"{edition}-with-solutions.zip", f"{edition}-without-solutions.zip"]
    for name, solutions in zip(files, (True, False), strict=True):
        assert name in said
        start, page, names = read(small_course / "out" / name)
        assert names[0] == book.START
        assert not any("doctrees" in inside for inside in names)
        assert f"This book has solutions: {solutions}." in page
        assert ("contains the solutions" in start, "contains no solutions" in start) == (solutions, not solutions)
        assert f"Version {coinlib.__version__}, made on {TODAY}. For the next version, ask" in start
        assert f"Last updated on {TODAY}" in page


def test_the_start_page_names_the_address_of_the_next_version(small_course):
    assert book.next_one(small_course) == "For the next version, ask the person who gave you this one."
    urls = '[project.urls]\nRepository = "https://git.example.org/ada/coins.git"\n'
    (small_course / "pyproject.toml").write_text(PROJECT + urls)
    assert book.next_one(small_course) == "The next version will be at https://git.example.org/ada/coins/releases."


def test_what_is_missing_is_said_in_one_line(play, small_course, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    said, status = play("book")
    assert (status, said.count("\n"), "needs npm" in said) == (2, 1, True)
    monkeypatch.setattr(book, "BUILDERS", ("sphinx", "no_such_package"))
    said, status = play("book")
    assert (status, said.count("\n"), "uv run --group docs coinlib book" in said) == (2, 1, True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("print('No code can be written in this book, because npm could not fetch it.')", "could not fetch it. Fix"),
        ("raise ValueError('the moon is full')", "could not build the book"),
    ],
)
def test_no_half_book_is_left(play, small_course, npm, line, words):
    with open(small_course / "docs" / "conf.py", "a") as conf:
        conf.write(f"\n{line}\n")
    said, status = play("book")
    assert (status, words in said) == (2, True)
    assert list((small_course / "build").iterdir()) == []


def test_the_first_page_says_for_whom_the_course_is_in_the_words_of_the_book():
    first = " ".join(book.start_page(False, "1.0", "2026-11-27", "").split())
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    whom = "students aged 16 and over who have written loops and functions in Python"
    assert whom in first and whom in index
