"""Recreate the `sliders` of a lesson, so that the book can call their function at each stop of each slider.

A notebook stores the output of such a cell, and a marker. When the book is built, the cell is run again, with the
statements of earlier cells that it needs, in a separate namespace. A lab that only the book shows is made the same way.
"""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Sequence
from typing import Any

import matplotlib
import matplotlib.pyplot as plt

from coincourse.checks.needs import names_given, names_needed
from coincourse.labs.functions.sliders import Sliders

DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
IMPORTS = (ast.Import, ast.ImportFrom)


def box_of(cells: Sequence[dict], place: int) -> Sliders:
    """The sliders in the last line of the cell at this place."""
    return last_value(cells, place, "".join(cells[place]["source"]))


def stops_of(cell: dict) -> list[dict]:
    """The settings of a cell's sliders that the text asks for, as in `record_sliders`."""
    return cell["metadata"].get("coinlib", {}).get("stops", [])


def last_value(cells: Sequence[dict], place: int, source: str) -> Any:
    """The value of the last line of some code, run as if it were in the cell at this place.

    Parameters
    ----------
    cells : sequence of dict
        The cells of the notebook.
    place : int
    source : str
    """
    earlier = [ast.parse("".join(cell["source"])) for cell in cells[:place] if cell["cell_type"] == "code"]
    *before, last = ast.parse(source).body
    statements = needed_by([statement for module in earlier for statement in module.body], [*before, last])
    names: dict = {"__name__": "__main__"}
    matplotlib.use("agg")  # no figure appears on a screen
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(ast.Module([*statements, *before], []), "lesson", "exec"), names)  # noqa: S102 - our lessons
        value = eval(compile(ast.Expression(last.value), "lesson", "eval"), names)
    plt.close("all")
    return value


def needed_by(statements: Sequence[ast.stmt], code: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements that some later code needs, in order.

    These are all imports, the statements that define a needed name, and those that may change a needed variable.

    >>> module = ast.parse("import math; a = []; b = 2; a.append(b); c = 3; c += 1")
    >>> print(ast.unparse(ast.Module(needed_by(module.body, ast.parse("a").body), [])))
    import math
    a = []
    b = 2
    a.append(b)
    """
    names = names_needed(code)
    kept = {place for place, each in enumerate(statements) if isinstance(each, IMPORTS)}
    while True:
        variables = set()
        for place in kept:
            if not isinstance(statements[place], DEFINITIONS):
                variables |= names_given(statements[place])
        found = set()
        for place, each in enumerate(statements):
            changes = not isinstance(each, DEFINITIONS) and names_in(each) & variables
            if names_given(each) & names or changes:
                found.add(place)
        if found <= kept:
            return [statements[place] for place in sorted(kept)]
        kept |= found
        names |= set().union(*(names_in(statements[place]) for place in found))


def names_in(statement: ast.stmt) -> set[str]:
    """The names that a statement may read: all names in it, except the local names of a function."""
    if isinstance(statement, DEFINITIONS):
        return names_needed([statement])
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
