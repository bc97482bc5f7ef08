"""The table, for the terminal, for people and for programs, and its picture."""

from __future__ import annotations

import contextlib
import os
import platform
import statistics
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import native
from benchmarks.contest import Row, digits

WORDS = ("work", "compared with")  # stand on the left, numbers on the right
WIDTHS = (66, 33, 9, 9, 14, 8, 8, 7, 7, 9, 8)
HEADS = ("work", "compared with", "ours", "other", "times as fast", "from", "to", "hold", "beat", "verdict", "rounds")
NOTE = (
    "Times are medians of all rounds, in processor time but for the browser and the tests; the ways take turns. "
    "'times as fast' is the median of the rounds' ratios (0.5: half as fast), 'from' and 'to' the smallest and the "
    "largest, 'hold' what must be reached, 'beat' what would be welcome."
)


def line(cells: dict[str, str]) -> str:
    """One line for the terminal."""
    return "".join(
        f"{cells[name]:<{width}}" if name in WORDS else f"{cells[name]:>{width}}"
        for name, width in zip(HEADS, WIDTHS, strict=True)
    )


def heads() -> str:
    """The heads of the columns for the terminal."""
    return line({name: name for name in HEADS})


def machine() -> str:
    """What the numbers were measured on, in one line."""
    numba = "no Numba"
    with contextlib.suppress(ImportError):
        import numba as installed

        numba = f"Numba {installed.__version__}"
    python = f"Python {platform.python_version()}, NumPy {np.__version__}, {numba}"
    return f"{python}, {_compiler()}, {platform.system()} on {_processor()}, {os.cpu_count()} cores"


def save(rows: Sequence[Row], folder: Path) -> None:
    """Write `table.csv` (seconds), `table.md` and `table.png` into a folder."""
    import pandas as pd

    folder.mkdir(exist_ok=True)
    numbers = {"ours": lambda row: row.ours, "other": lambda row: row.theirs, "times as fast": lambda row: row.ratios}
    table = [row.cells() | {name: f"{statistics.median(of(row)):.4g}" for name, of in numbers.items()} for row in rows]
    pd.DataFrame(table).to_csv(folder / "table.csv", index=False)
    (folder / "table.md").write_text(markdown(rows), encoding="utf-8")
    picture(rows).savefig(folder / "table.png", dpi=120)


def markdown(rows: Sequence[Row]) -> str:
    """The table with what it was measured on."""
    aligned = [":---" if name in WORDS else "---:" for name in HEADS]
    lines = [f"| {' | '.join(cells)} |" for cells in (HEADS, aligned, *(row.cells().values() for row in rows))]
    return "\n".join(["# How fast the library is", "", f"{machine()}.", "", NOTE, "", *lines, ""])


def picture(rows: Sequence[Row]):
    """How many times each number is reached: a point for the median, a line from the smallest to the largest."""
    from matplotlib.figure import Figure

    from coinlib.plots import look

    judged = [row for row in rows if row.hold is not None]
    figure = Figure(figsize=(11, 1.5 + 0.42 * len(judged)), layout="constrained")
    ax = figure.subplots()
    for place, row in enumerate(judged):
        reached = np.array(row.ratios) / row.hold
        colour, mark = (look.VERMILION, "X") if row.verdict == "MISSED" else (look.BLUE, "o")
        ax.plot([reached.min(), reached.max()], [place] * 2, color=colour, linewidth=2.5, solid_capstyle="butt")
        ax.plot(np.median(reached), place, mark, color=colour, markersize=9)
        words = f"{digits(row.ratio)}, wanted {digits(row.hold)}: {row.verdict}"
        beside = {"xytext": (10, 0), "textcoords": "offset points", "va": "center", "fontsize": look.SMALL}
        ax.annotate(words, (reached.max(), place), **beside)
    ax.axvline(1, color=look.INK, linewidth=1.2, linestyle="--")
    ax.set_xscale("log")
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, 0.8), high * 2.2)  # room for the words on the right
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter("{x:g}")
    ax.set_yticks(range(len(judged)), [f"{row.work}\nagainst {row.other}" for row in judged], fontsize=look.SMALL)
    ax.invert_yaxis()
    ax.grid(axis="x", color="#D9D9D9", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_xlabel("how many times the number to hold is reached (dashed: just met; log scale)")
    ax.set_title("Times as fast as the other way: median, smallest and largest round", fontsize=11, loc="left")
    return figure


def _compiler() -> str:
    found = native.compiler()
    if found is None:
        return "no C compiler"
    return subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]


def _processor() -> str:
    """The processor's name, where the system tells it."""
    with contextlib.suppress(OSError):
        for said in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if said.startswith("model name"):
                return said.split(":")[1].strip()
    return platform.processor() or platform.machine()
