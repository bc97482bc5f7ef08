"""What the JupyterLab extension asks a new kernel about labs whose own kernel has stopped."""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Sequence
from itertools import chain

from IPython import get_ipython
from IPython.display import HTML

from coincourse.checks.needs import names_given, names_read

from .predictions.prediction import Prediction
from .predictions.score import Score

REMEMBERED = {"Prediction": Prediction, "Score": Score}  # labs that show what has been done since their cells ran


def picture_now(description: str) -> HTML | None:
    """Return the picture of a lab as it looks now, or None for a lab that only its own cell can change.

    Parameters
    ----------
    description : str
        What the notebook stores about the lab, as JSON.

    Examples
    --------
    >>> described = json.dumps(Score("hats").described())
    >>> "lesson 05" in picture_now(described).data
    True
    >>> picture_now('{"lab": "QLab", "settings": {}}') is None
    True
    """
    described = json.loads(description)
    kind = REMEMBERED.get(described["lab"])
    if kind is None:
        return None
    lab = kind(**described["settings"])
    picture = HTML(lab.still())
    lab.close()
    return picture


def prepare(cell: str, above: Sequence[str]) -> list[int]:
    """Import what a cell needs from the cells above it; return the places of those that it needs for anything else.

    Parameters
    ----------
    cell : str
        Its source.
    above : sequence of str
        The sources of the cells above it.
    """
    imports, defining = needed_from(_as_python(cell), [_as_python(source) for source in above])
    shell = get_ipython()
    runs = [shell.run_cell(statement, store_history=False, silent=True) for statement in imports]
    if not all(run.success for run in runs):
        return list(range(len(above)))  # so that the cell with this import shows what is wrong
    return defining


def _as_python(source: str) -> str:
    """A cell in which magics and other commands of the notebook have become calls."""
    try:
        return get_ipython().transform_cell(source)
    except SyntaxError:
        return source


def needed_from(cell: str, above: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the imports that a cell needs, and the places of the cells above that define anything else it needs.

    A cell with a syntax error, such as an unfinished exercise, counts only if no other cell defines one of the names.

    Examples
    --------
    >>> above = ["from coincourse.labs import Board, Score", "from coinlib import sticks\\n\\ngame = sticks(7)", "def half(:"]
    >>> needed_from("Score('hats')", above)
    (['from coincourse.labs import Board, Score'], [])
    >>> needed_from("Board(game)", above)
    (['from coincourse.labs import Board, Score'], [1])
    >>> needed_from("Score(half)", above)
    (['from coincourse.labs import Board, Score'], [2])
    """
    cells = [_statements(source) for source in above]
    own = names_read(_statements(cell))
    statements = list(chain.from_iterable(cells))
    imports = [ast.unparse(each) for each in statements if _is_import(each) and names_given(each) & own]
    names = own
    defining: set[int] = set()
    while more := {place for place, each in enumerate(cells) if _defined_in(each) & names} - defining:
        defining |= more
        names = names.union(*(names_read(cells[place]) for place in more))
    lost = names.difference(dir(builtins), *map(names_given, statements))
    for place, source in enumerate(above):
        if not cells[place] and lost.intersection(re.findall(r"\w+", source)):
            defining.add(place)
    return imports, sorted(defining)


def _statements(source: str) -> list[ast.stmt]:
    """The statements of a cell; none if it has a syntax error."""
    try:
        compile(source, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)  # which refuses more than parsing does
    except SyntaxError:
        return []
    return ast.parse(source).body


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _defined_in(cell: Sequence[ast.stmt]) -> set[str]:
    """The names that a cell defines, other than by imports."""
    return set().union(*(names_given(each) for each in cell if not _is_import(each)))
