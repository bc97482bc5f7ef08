"""Chromium without a window, for the tests that click. It reaches this machine and no other, so what works here works
without a network.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest

try:
    from playwright.sync_api import expect
except ImportError:  # then the tests are skipped
    expect = None

PATIENCE = 60  # seconds: a test waits for something to happen, and gives up after this long
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # as if there were no network
]


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next((path for path in map(shutil.which, names) if path), None)


@contextlib.contextmanager
def chromium_context() -> Iterator:
    """A Chromium without a window, as a Playwright context, whose pages share what they have fetched."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        context = browser.new_context()
        context.set_default_timeout(1000 * PATIENCE)
        expect.set_options(timeout=1000 * PATIENCE)
        yield context
        browser.close()


@pytest.fixture(scope="package")
def chromium(request):
    """The browser of a folder of tests, closed after the last of them: see `chromium_context`.

    While Playwright is open its event loop runs, and a test of another folder could start no loop and no second
    browser. A folder's end is seen only with an `__init__.py`, and only by a fixture of its conftest.py.
    """
    assert isinstance(request.node, pytest.Package), "chromium would stay open after this folder"
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if find_chromium() is None:
        pytest.skip("no Chromium or Chrome is installed")
    with chromium_context() as context:
        yield context


@contextlib.contextmanager
def another_context(context, **variables: str) -> Iterator:
    """A second browser in addition to that of a context, with other values of some environment variables."""
    kind = context.browser.browser_type
    browser = kind.launch(executable_path=find_chromium(), args=FLAGS, env=os.environ | variables)
    yield browser.new_context()
    browser.close()


def troubles_of(page, *own: str) -> list[str]:
    """A growing list of what goes wrong on a page, and of its requests to addresses that do not begin like this."""
    troubles: list[str] = []

    def note(request) -> None:
        if not request.url.startswith((*own, "data:")):
            troubles.append(f"asked for {request.url}")

    page.on("request", note)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    return troubles


TOO_WIDE = """place => [...place.querySelectorAll("*")].filter(part => {
    if (part.getBoundingClientRect().right <= innerWidth + 1) return false;
    for (let box = part.parentElement; box !== place; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== "visible") return false;
    return true;
}).map(part => part.outerHTML.slice(0, 120))"""


def too_wide(place) -> list[str]:
    """What sticks out to the right of the page, unless it is in a part that can be scrolled."""
    return place.evaluate(TOO_WIDE)
