"""What must hold wherever a test run begins, also in a single notebook."""

import os
import sys
from pathlib import Path

import pytest

# Hundreds of processes begin in a run, and without this each of them compiles the course and the tests anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Several processes share the cores, so the threads of a library would only wait for each other.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# A progress bar appears only on a busy machine: then outputs would differ from what the lessons have stored.
os.environ["TQDM_DISABLE"] = "1"

collect_ignore_glob = [
    "docs/*.py",
    "docs/_ext",
    "tests/*conftest.py",
]  # The pages of docs/ hold doctests; its programs do not.


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of each test and doctest: Matplotlib warns of more than 20."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot:
        pyplot.close("all")


ROOT = Path(__file__).parent
FULL = (ROOT / "tests" / "full", ROOT / "notebooks" / "projects")
LONGEST = ["book", "jupyterlab", "test_marked_class.py", "test_solved_lessons.py", "projects", "notebooks"]


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Choose the quick tier where no tests are named, and several processes where pytest-xdist is installed.

    What the command line says comes first: `-m full` is the other tier, `-n 0` is one process, and of files and
    folders that are named all tests run.
    """
    option = config.option
    if hasattr(config, "workerinput"):  # This is one of the processes: the first one has chosen.
        option.markexpr = config.workerinput["markexpr"]
        return
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    if not named and not option.markexpr:
        option.markexpr = "not full"
    if not config.pluginmanager.hasplugin("xdist") or option.tx:
        return
    if option.numprocesses is None:
        option.numprocesses = "logical"
    if option.maxprocesses is None:
        option.maxprocesses = 4
    option.loadscopereorder = False  # The longest files come first.


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Say what belongs to the full tier, and put the longest files first.

    So no process is left with a long file when all the others are done.
    """
    for item in items:
        if any(folder in item.path.parents for folder in FULL):
            item.add_marker("full")

    def place(item) -> int:
        places = [number for number, name in enumerate(LONGEST) if name in item.path.parts]
        return places[0] if places else len(LONGEST)

    items.sort(key=place)  # files keep their order, and the tests within a file theirs


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tell each process which tier was chosen."""
    node.workerinput["markexpr"] = node.config.option.markexpr


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers():
    """One process more than there are cores: some of them wait for the book, a browser, a kernel or a clock."""
    return 1 + (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One process works on a file, one on all that needs JupyterLab in a browser, one on all of the web book."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            for shared in ("tests/full/book/", "tests/full/jupyterlab/"):
                if nodeid.startswith(shared):
                    return shared
            return super()._split_scope(nodeid)

    return Scheduling(config, log)
