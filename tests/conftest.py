"""What the tests share: the browser, and what happens where there is none."""

from __future__ import annotations

import math
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("coinlib", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("coinlib")

sys.path.insert(0, str(Path(__file__).parent))  # so that a test file in any folder finds lab.py

REQUIRED = {"browser": "COINLIB_REQUIRE_BROWSER", "contained": "COINLIB_REQUIRE_CONTAINED"}  # what none may skip


LONGEST = ("browser", "notebooks", "test_classroom.py", "test_tournament.py", "test_faults.py")


def pytest_collection_modifyitems(items):
    """The longest files come first, so that no process is left with one of them when all others are done."""

    def place(item) -> int:
        return next((place for place, name in enumerate(LONGEST) if name in item.path.parts), len(LONGEST))

    items.sort(key=place)  # files keep their order, and the tests within a file theirs


def pytest_runtest_setup(item):
    """A test of what only bubblewrap contains is skipped where that does not work."""
    if item.get_closest_marker("contained"):
        from coincourse.outside import contained

        if why := contained.why_plain():
            pytest.skip(why)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Where a browser or bubblewrap is required a skipped test is a failure; one that fails leaves a picture."""
    report = yield
    for marker, variable in REQUIRED.items():
        skipped = report.skipped and not hasattr(report, "wasxfail")
        if item.get_closest_marker(marker) and skipped and os.environ.get(variable):
            report.outcome = "failed"
            report.longrepr = f"{variable} is set, yet this test was skipped: {report.longrepr}"
    given = getattr(item, "funcargs", {})
    if report.failed and (shown := given.get("lab") or given.get("labs")):
        for number, lesson in enumerate(shown.lessons, 1):
            lesson.shot(f"{item.name}-failed-{number}")
    return report


@pytest.fixture
def ctrl_c(monkeypatch):
    """Presses Ctrl-C, which is heard here and in programs that are started, wherever the tests were started from.

    A shell script starts what runs beside it deaf to Ctrl-C, and that is handed on. Nobody has pressed it before.
    """
    from coinlib import arena

    monkeypatch.setattr(arena, "_pressed", -math.inf)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory):
    """JupyterLab on an empty temporary folder, one for each process of the tests."""
    from lab import Server

    server = Server(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def chromium():
    """A Chromium without a window.

    It is closed after each test file: Playwright keeps an event loop running as long as it is open,
    and other tests want to start one of their own.
    """
    from lab import FLAGS, find_chromium

    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium or Chrome is installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def lab(chromium, lab_server):
    """Opens notebooks in JupyterLab in a browser: see lab.py."""
    from lab import Lab

    lab = Lab(lab_server, chromium)
    yield lab
    lab.forget()


@pytest.fixture(scope="module")
def labs(request, chromium, lab_server):
    """All labs of a test file in one notebook: its SETUP, and each of its LABS in a cell; see `lab.Gallery`."""
    from lab import Gallery, Lab

    file, lab = request.module, Lab(lab_server, chromium)
    lesson = lab.write(f"{Path(file.__file__).stem}.ipynb", file.SETUP, *file.LABS.values(), height=1300)
    lesson.run_all()
    yield Gallery(lesson, list(file.LABS))
    assert lesson.strangers == []
    assert lesson.errors == []
    lab.forget()


@pytest.fixture
def cell(labs, request):
    """The output of the lab that a test names: ``@pytest.mark.parametrize("cell", ["q"], indirect=True)``."""
    cell = labs.output(request.param)
    cell.scroll_into_view_if_needed()
    return cell


@pytest.fixture(scope="session")
def built_book(tmp_path_factory):
    """The web book on the disk, built once for all processes of a test run: see book.py."""
    from book import built_once

    own = tmp_path_factory.getbasetemp()
    return built_once(own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own)


@pytest.fixture(scope="session")
def book(built_book):
    """The address at which a browser on this machine finds the web book, with "/" at its end."""
    from book import served

    with served(built_book.folder) as address:
        yield address
