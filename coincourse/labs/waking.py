"""What the JupyterLab extension asks a new kernel about labs whose own kernel has stopped."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence

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


def import_for(cell: str, above: Sequence[str]) -> bool:
    """If a cell needs nothing but imports from the cells above, run those imports and return True.

    Otherwise import nothing and return False.

    Parameters
    ----------
    cell : str
        Its source.
    above : sequence of str
        The sources of the cells above it.
    """
    shell = get_ipython()
    try:
        imports = needed_imports(shell.transform_cell(cell), [shell.transform_cell(source) for source in above])
    except SyntaxError:
        return False
    if imports is None:
        return False
    return shell.run_cell("\n".join(imports), store_history=False, silent=True).success


def needed_imports(cell: str, above: Sequence[str]) -> list[str] | None:
    """Return the import statements that define what a cell needs; None if it needs anything else from above.

    Examples
    --------
    >>> above = ["from coincourse.labs import Board, Score", "from coinlib import sticks\\n\\ngame = sticks(7)"]
    >>> needed_imports("Score('hats')", above)
    ['from coincourse.labs import Board, Score']
    >>> needed_imports("Board(game)", above)
    """
    needed = names_read(ast.parse(cell).body)
    imports = []
    for source in above:
        for statement in ast.parse(source).body:
            if needed.isdisjoint(names_given(statement)):
                continue
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                return None
            imports.append(ast.unparse(statement))
    return imports
