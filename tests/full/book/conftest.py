"""One web book and one Chromium for all tests of this folder, which run in one process."""

from __future__ import annotations

import pytest
from browser import chromium
from reader import Reader


@pytest.fixture(scope="package")
def built_book(tmp_path_factory):
    """The web book on the disk: see book.py."""
    from book import build

    return build(tmp_path_factory.mktemp("book"))


@pytest.fixture(scope="package")
def book(built_book):
    """The address at which a browser on this machine finds the web book, with "/" at its end."""
    from book import served

    with served(built_book.folder) as address:
        yield address


@pytest.fixture(scope="package")
def tab(chromium, book, built_book):
    """The tab of `reader`, which stays open."""
    reader = Reader(chromium, book, built_book.folder)
    yield reader
    reader.close()


@pytest.fixture
def reader(tab):
    """Reads the book in one tab, from its web server or its folder; nothing may go wrong: see reader.py."""
    yield tab
    assert tab.new_troubles() == []
