"""The web book, built, read and served to a browser.

A test asks for one of two fixtures (see conftest.py): `built_book` is the `Book` on the disk,
`book` the address at which a browser finds it, such as "http://127.0.0.1:4321/":

    @pytest.mark.browser
    def test_the_lesson_has_a_title(chromium, book):
        page = chromium.new_page()
        page.goto(book + "notebooks/04_hats.html")
"""

from __future__ import annotations

import contextlib
import functools
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from paths import ROOT

COMMAND = ("sphinx-build", "-c", "docs", "-d", "build/doctrees", ".")  # then comes the folder of the book


@dataclass(frozen=True)
class Book:
    """A book on the disk: its folder, and the output of Sphinx."""

    folder: Path
    said: str

    @functools.cached_property
    def pages(self) -> dict[str, Page]:
        """Every page by its path in the book, such as "docs/index.html"."""
        return {file.relative_to(self.folder).as_posix(): Page(file) for file in self.folder.rglob("*.html")}


class Page(HTMLParser):
    """What one page contains and links to: its elements with their attributes, and its styles."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.styles: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Called for each element."""
        self.elements.append((tag, {name: value or "" for name, value in attributes}))

    def handle_data(self, text: str) -> None:
        """Called for the text between elements."""
        if self.elements and self.elements[-1][0] == "style":
            self.styles.append(text)

    def all(self, name: str) -> list[tuple[str, str]]:
        """The attribute of this name of every element that has it, with the element's tag."""
        return [(tag, attributes[name]) for tag, attributes in self.elements if name in attributes]

    def of_class(self, *names: str) -> list[dict[str, str]]:
        """The attributes of the elements that have all these classes."""
        return [has for _, has in self.elements if set(names) <= set(has.get("class", "").split())]


def build(folder: Path, *settings: str) -> Book:
    """Build the book in a folder, with other settings if given. Sphinx only prints warnings here."""
    program = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        *(f"-D{setting}" for setting in settings),
        *("-c", "docs", "-d", f"{folder}-doctrees", "."),  # Sphinx's own files are not part of the book
        str(folder),
    ]
    done = subprocess.run(program, check=False, cwd=ROOT, capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode:
        raise AssertionError(f"the book was not built; Sphinx says:\n{said[-5000:]}")
    return Book(folder, said)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *said) -> None:
        """Do not log requests."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder to browsers on this machine while the block runs; the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
