"""One Chromium, one page of JupyterLab and one notebook of labs for this folder's tests, which run in one process."""

from __future__ import annotations

import pytest
from browser import chromium
from gallery import LABS, SETUP
from lab import Gallery, Lab, Server
from small_course import write_lesson

NEIGHBOURS = ("03_rules", "05_training_hats", "13_your_agent_in_a_tournament")  # lessons that others link to


@pytest.fixture(scope="package")
def lab_server(tmp_path_factory):
    """JupyterLab on a temporary folder with a few lessons in it."""
    server = Server(tmp_path_factory.mktemp("lab"))
    for name in NEIGHBOURS:
        write_lesson(server.folder / f"{name}.ipynb", "1")
    yield server
    server.close()


@pytest.fixture(scope="package")
def desk(chromium, lab_server):
    """One page of JupyterLab, which opens one notebook after another: see lab.py."""
    return Lab(lab_server, chromium)


@pytest.fixture
def lab(desk):
    """Opens notebooks in JupyterLab in a browser."""
    desk.forget()
    yield desk
    desk.forget()


@pytest.fixture
def labs(desk):
    """All labs of gallery.py in one notebook, which is run once, and again if another was opened in between."""
    if desk.gallery is None:
        desk.forget()
        lesson = desk.write("labs.ipynb", SETUP, *LABS.values(), height=1300)
        lesson.run_all()
        desk.gallery = Gallery(lesson, list(LABS))
    yield desk.gallery
    assert desk.new_troubles() == []


@pytest.fixture
def cell(labs, request):
    """The output of the lab that a test names: ``@in_lab("q")``."""
    cell = labs.output(request.param)
    cell.scroll_into_view_if_needed()
    return cell
