"""One Chromium, one JupyterLab, one notebook of labs and one web book for all tests of this folder, which run in one process."""

from __future__ import annotations

import pytest
from lab import Gallery, Lab, Server, chromium_context, find_chromium

from .gallery import LABS, SETUP


@pytest.fixture(scope="package")
def lab_server(tmp_path_factory):
    """JupyterLab on an empty temporary folder."""
    server = Server(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture(scope="package")
def chromium():
    """The browser: see `lab.chromium_context`.

    It is closed after this folder: Playwright keeps an event loop running as long as it is open,
    and other tests want to start one of their own.
    """
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if find_chromium() is None:
        pytest.skip("no Chromium or Chrome is installed")
    with chromium_context() as context:
        yield context


@pytest.fixture
def lab(chromium, lab_server):
    """Opens notebooks in JupyterLab in a browser: see lab.py."""
    lab = Lab(lab_server, chromium)
    yield lab
    lab.forget()


@pytest.fixture(scope="package")
def labs(chromium, lab_server):
    """All labs of gallery.py in one notebook, which is run once; see `lab.Gallery`."""
    lab = Lab(lab_server, chromium)
    lesson = lab.write("labs.ipynb", SETUP, *LABS.values(), height=1300)
    lesson.run_all()
    yield Gallery(lesson, list(LABS))
    lab.forget()


@pytest.fixture
def cell(labs, request):
    """The output of the lab that a test names: ``@in_lab("q")``."""
    cell = labs.output(request.param)
    cell.scroll_into_view_if_needed()
    return cell


@pytest.fixture(scope="package")
def book(built_book):
    """The address at which a browser on this machine finds the web book, with "/" at its end."""
    from book import served

    with served(built_book.folder) as address:
        yield address
