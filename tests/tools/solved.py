"""A lesson as left by a student who has solved everything: each solution is in its stub.

Cells that no answer affects do the same as in the lesson itself, which nbval runs. So only the cells that an
answer affects run here, and those that they need. Each lesson has its own process, copied from one that has imported
everything; there IPython runs its cells, and figures are drawn but not shown.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import sys
from functools import cache
from pathlib import Path

import joblib  # noqa: F401 - imported once for all lessons
import matplotlib
import nbformat
import pandas  # noqa: F401 - as joblib
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from paths import NOTEBOOKS
from traitlets.config import Config

import coincourse.checks
import coincourse.labs  # noqa: F401 - as joblib
import coinlib  # noqa: F401 - as joblib
from coincourse import course
from coincourse.page.needs import names_given, names_needed

LESSONS = sorted(path for path in NOTEBOOKS.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
WITH_EXERCISES = [path for path in LESSONS if course.solutions(nbformat.read(path, as_version=4))]


@cache
def processes():
    """How a process starts: as a copy of one that has imported this file, or from scratch if Python cannot do that."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # Python 3.11 does not hand it on
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["solved", "matplotlib.pyplot", "numba"])
        forkserver.ensure_running()
    return context


def complaints(path: Path) -> list[str]:
    """What is wrong with a solved lesson."""
    receiving, sending = processes().Pipe(duplex=False)
    process = processes().Process(target=_report, args=(path, sending))
    process.start()
    sending.close()
    try:
        return receiving.recv()
    except EOFError:
        return ["its process ended before the lesson did"]
    finally:
        process.join()


def _report(path: Path, sending) -> None:
    """Run a solved lesson in this process, and send what is wrong with it."""
    os.environ["LOKY_MAX_CPU_COUNT"] = "1"  # a sweep starts no processes
    matplotlib.use("agg")
    os.chdir(path.parent)
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    sending.send(complaints_in(shell, nbformat.read(path, as_version=4)))


def complaints_in(shell: InteractiveShell, notebook) -> list[str]:
    """What is wrong with the cells of a solved lesson that an answer affects."""
    found = []
    open_exercises = set(course.solutions(notebook))
    for cell in reached_by_answers(course.solved(notebook).cells):
        with capture_output() as shown:
            result = shell.run_cell(cell.source, store_history=True)
        if not result.success:
            found.append(f"{cell.id} raised {result.error_before_exec or result.error_in_exec!r}")
        exercise = course.exercise_of_stub(cell)
        if exercise and "✓" not in shown.stdout:
            found.append(f"{cell.id} is not right: {shown.stdout}")
        if "so the course's version is used" in shown.stdout:
            found.append(f"{cell.id} says: {shown.stdout}")
        open_exercises.discard(exercise)
    return found + [f"{exercise} was not answered" for exercise in open_exercises]


# --- which cells an answer affects ----------------------------------------------------------------------


def reached_by_answers(cells) -> list:
    """The cells that an answer affects, with those that they need, in order."""
    cells = [cell for cell in cells if cell.cell_type == "code"]
    reached = _places_reached(cells)
    wanted: set[str] = set()
    for place, cell in reversed(list(enumerate(cells))):
        for statement in reversed(_statements_of(cell)):
            if wanted & (names_given(statement) | _names_changed(statement)):
                reached.add(place)
        if place in reached:
            wanted |= names_needed(_statements_of(cell))
    return [cells[place] for place in sorted(reached)]


def _places_reached(cells) -> set[int]:
    """The places of the stubs, and of the cells that use an answer's name, or a name made from one."""
    reached = set()
    answers: set[str] = set()
    for place, cell in enumerate(cells):
        for statement in _statements_of(cell):
            if course.exercise_of_stub(cell) or names_needed([statement]) & answers:
                reached.add(place)
                if not isinstance(statement, ast.Import | ast.ImportFrom):
                    answers |= names_given(statement)
            elif isinstance(statement, ast.Assign | ast.FunctionDef):
                answers -= names_given(statement)
    return reached


def _statements_of(cell) -> list[ast.stmt]:
    try:
        return ast.parse(cell.source).body
    except SyntaxError:  # wrong on purpose, or for the terminal
        return []


def _names_changed(statement: ast.stmt) -> set[str]:
    """The names of the objects whose methods a statement calls, which may change them."""
    methods = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    owners = [method.value for method in methods if isinstance(method, ast.Attribute)]
    return {owner.id for owner in owners if isinstance(owner, ast.Name)}
