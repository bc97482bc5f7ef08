"""One Chromium, one JupyterLab and one notebook of labs for all tests of this folder, which run in one process."""

from __future__ import annotations

import pytest
from gallery import LABS, SETUP
from lab import Gallery, Lab, Server, chromium


@pytest.fixture(scope="package")
def lab_server(tmp_path_factory):
    """JupyterLab on an empty temporary folder."""
    server = Server(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture(scope="package")
def desk(chromium, lab_server):
    """One page of JupyterLab, in which one notebook after the other is opened: see lab.py."""
    return Lab(lab_server, chromium)


@pytest.fixture
def lab(desk):
    """Opens notebooks in JupyterLab in a browser."""
    yield desk
    desk.forget()


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
