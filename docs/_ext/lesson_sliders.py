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

from coincourse.labs.functions.sliders import Sliders
from coincourse.page.needs import names_needed, needed


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
    above = "\n".join("".join(cell["source"]) for cell in cells[:place] if cell["cell_type"] == "code")
    *before, last = code = ast.parse(source).body
    statements = needed(ast.parse(above).body, names_needed(code))
    names: dict = {"__name__": "__main__"}
    matplotlib.use("agg")  # no figure appears on a screen
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(ast.Module([*statements, *before], []), "lesson", "exec"), names)  # noqa: S102 - our lessons
        value = eval(compile(ast.Expression(last.value), "lesson", "eval"), names)
    plt.close("all")
    return value
