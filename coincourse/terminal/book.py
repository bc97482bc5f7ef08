"""`coinlib book`: the web book as two zip files, without and with solutions."""

from __future__ import annotations

import datetime
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from .pages import Page, Typed
from .talk import say

TITLE = "How machines learn to win"
BUILDERS = ("sphinx", "myst_nb", "numpydoc", "furo", "sphinx_copybutton", "pettingzoo", "gymnasium")  # the group `docs`
TEMPLATE = Path(__file__).with_name("templates") / "start_here.html"
START = "START HERE.html"
NO_PYTHON = "No code can be written in this book"  # how Sphinx's report begins in a book without Python


def options(page: Page) -> None:
    """Add the arguments of `coinlib book`."""
    page.add_option("--into", Path, "Folder for the two files", default=Path("build"))


def run(typed: Typed) -> None:
    """For teachers: make the web book to hand out, as two zip files.

    One has no solutions and is for students, the other has them. To use one, unpack it and open START HERE.html
    in a browser; it needs no network. Building them takes a few minutes, npm, and the dependency group `docs`.
    """
    from coincourse.course import home

    course = home()
    require_tools()
    for solutions in (False, True):
        say(f"Building the book {kind(solutions)} solutions. This takes a few minutes ...")
        file = make(course, typed.into, solutions)
        say(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    say(f"To use one, unpack it and open {START}. After an update of the course, run this command again.")


def kind(solutions: bool) -> str:
    """Return "with" or "without"."""
    return "with" if solutions else "without"


def require_tools() -> None:
    """Raise a CourseError if the book cannot be built here."""
    from coincourse.course import CourseError

    if not all(map(importlib.util.find_spec, BUILDERS)):
        raise CourseError("The book needs the dependency group `docs`: type `uv run --group docs coinlib book`.")
    if shutil.which("npm") is None:
        raise CourseError(
            "The book needs npm, which comes with Node.js (https://nodejs.org): install it, then try again."
        )


def make(course: Path, into: Path, solutions: bool) -> Path:
    """Build the book of a course as a zip file in the folder `into`, and return its path."""
    from coinlib import __version__
    from coinlib.files import whole_file

    date = datetime.date.today().isoformat()
    into.mkdir(parents=True, exist_ok=True)
    zip_file = into / f"coinlib-book-{__version__}-{date}-{kind(solutions)}-solutions.zip"
    with tempfile.TemporaryDirectory() as folder, whole_file(zip_file) as half:
        book = Path(folder, "book")
        build(course, book, solutions, date)
        start = Path(folder, START)
        start.write_text(start_page(solutions, __version__, date, next_one(course)), encoding="utf-8")
        with ZipFile(half, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
            archive.write(start, START)  # with the rights of the other files
            for file in sorted(path for path in book.rglob("*") if path.is_file()):
                archive.write(file, Path("book", file.relative_to(book)))
    return zip_file


def build(course: Path, book: Path, solutions: bool, date: str) -> None:
    """Build the book in a folder with Sphinx. The footer of each page shows the date."""
    from coincourse.course import CourseError

    settings = {"solutions": int(solutions), "html_last_updated_fmt": date}
    command = [sys.executable, "-m", "sphinx", "-c", "docs", "-d", f"{book}-doctrees"]
    command += [f"-D{name}={value}" for name, value in settings.items()]
    command += [".", str(book)]
    done = subprocess.run(command, check=False, cwd=course, capture_output=True, encoding="utf-8", errors="replace")
    lines = (done.stdout + done.stderr).strip().splitlines()
    if done.returncode:
        raise CourseError(f"Sphinx could not build the book: {lines[-1] if lines else 'it gave no reason'}")
    for line in lines:
        if line.startswith(NO_PYTHON):
            raise CourseError(f"{line} Fix that, then try again.")


def start_page(solutions: bool, version: str, date: str, next_one: str) -> str:
    """Return the page that a reader opens first.

    Examples
    --------
    >>> page = start_page(False, "1.2.0", "2026-11-27", "")
    >>> "This copy contains no solutions" in page, "Version 1.2.0, made on 2026-11-27." in page
    (True, True)
    """
    from jinja2 import Environment, StrictUndefined

    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(title=TITLE, solutions=solutions, version=version, date=date, next_one=next_one)


def next_one(course: Path) -> str:
    """Return a sentence about how to get the next version of the book."""
    project = tomllib.loads((course / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project.get("urls", {}).get("Repository", "").removesuffix("/").removesuffix(".git")
    if repository:
        return f"The next version will be at {repository}/releases."
    return "For the next version, ask the person who gave you this one."
