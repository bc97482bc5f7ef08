"""The table in Markdown, and what it was measured on."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.contest import Row

NOTE = (
    "Times are medians of all rounds, in processor time but for the browser and the tests; the ways take turns. "
    "'times as fast' is the median of the rounds' ratios (0.5: half as fast), 'from' and 'to' the smallest and the "
    "largest, 'hold' what must be reached, 'beat' what would be welcome."
)


def line(cells: Sequence[str]) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"


def heads(names: Sequence[str], left: int = 1) -> str:
    """The first two lines of a table; the columns on the left contain words, the others numbers."""
    sides = [":---"] * left + ["---:"] * (len(names) - left)
    return f"{line(names)}\n{line(sides)}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table whose first row names the columns."""
    return "\n".join([heads(rows[0]), *map(line, rows[1:])])


def machine() -> str:
    """What the numbers were measured on, in one line."""
    python = f"Python {platform.python_version()}, NumPy {np.__version__}, {_numba()}"
    return f"{python}, {platform.system()} on {_processor()}, {os.cpu_count()} cores"


def _numba() -> str:
    """Which Numba compiles the loops."""
    try:
        import numba
    except ImportError:
        return "no Numba"
    return f"Numba {numba.__version__}"


def _processor() -> str:
    """The name of the processor: Linux has it in a file, which `platform` does not read."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(": ", 1)[1]
    return platform.processor() or platform.machine()


def save(rows: Sequence[Row], folder: Path) -> None:
    """Write `table.md` to a folder."""
    lines = [heads(Row.HEADS, left=2), *(line(row.cells()) for row in rows)]
    words = ["# How fast the library is", "", f"{machine()}.", "", NOTE, "", *lines, ""]
    (folder / "table.md").write_text("\n".join(words), encoding="utf-8")
