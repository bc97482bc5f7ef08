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

WIDTHS = {
    "work": 60,
    "compared with": 33,
    "ours": 9,
    "other": 9,
    "times as fast": 14,
    "from": 7,
    "to": 7,
    "wanted": 8,
    "met": 5,
    "rounds": 8,
}
WORDS = 2  # columns of words stand on the left, numbers on the right
NOTE = (
    "Times are processor time, medians of all rounds; the ways take turns. 'times as fast' is the median of the "
    "rounds' ratios (0.5: half as fast), 'from' and 'to' the smallest and the largest."
)


def line(cells: dict[str, str]) -> str:
    """One line for the terminal."""
    return "".join(
        f"{cells[name]:<{width}}" if place < WORDS else f"{cells[name]:>{width}}"
        for place, (name, width) in enumerate(WIDTHS.items())
    )


def heads() -> str:
    """The heads of the columns for the terminal."""
    return line({name: name for name in WIDTHS})


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
    numbers = [
        {
            "work": row.work,
            "compared with": row.other,
            "ours (s)": f"{statistics.median(row.ours):.4g}",
            "other (s)": f"{statistics.median(row.theirs):.4g}",
            "times as fast": f"{row.ratio:.4g}",
            "from": f"{row.spread[0]:.4g}",
            "to": f"{row.spread[1]:.4g}",
            "wanted": "" if row.least is None else f"{row.least:g}",
            "met": {None: "", True: "yes", False: "no"}[row.met],
            "rounds": len(row.ours),
        }
        for row in rows
    ]
    pd.DataFrame(numbers).to_csv(folder / "table.csv", index=False)
    (folder / "table.md").write_text(markdown(rows), encoding="utf-8")
    figure = picture(rows)
    figure.savefig(folder / "table.png", dpi=120)


def markdown(rows: Sequence[Row]) -> str:
    """The table with what it was measured on."""
    cells = [list(row.cells().values()) for row in rows]
    aligned = [":---" if place < WORDS else "---:" for place in range(len(WIDTHS))]
    lines = [f"| {' | '.join(each)} |" for each in (list(WIDTHS), aligned, *cells)]
    return "\n".join(["# How fast the library is", "", f"{machine()}.", "", NOTE, "", *lines, ""])


def picture(rows: Sequence[Row]):
    """How many times each number is reached: a point for the median, a line from the smallest to the largest."""
    from matplotlib.figure import Figure

    from coinlib.plots import look

    judged = [row for row in rows if row.least is not None]
    figure = Figure(figsize=(11, 1.5 + 0.42 * len(judged)), layout="constrained")
    ax = figure.subplots()
    for place, row in enumerate(judged):
        reached = np.array([row.ratio, *row.spread]) / row.least
        colour, mark = (look.BLUE, "o") if row.met else (look.VERMILION, "X")
        ax.plot(reached[1:], [place, place], color=colour, linewidth=2.5, solid_capstyle="butt")
        ax.plot(reached[:1], [place], mark, color=colour, markersize=9)
        said = f"{digits(row.ratio)}, wanted {row.least:g}" + ("" if row.met else ": missed")
        ax.annotate(said, (reached[2], place), (10, 0), textcoords="offset points", va="center", fontsize=look.SMALL)
    ax.axvline(1, color=look.INK, linewidth=1.2, linestyle="--")
    ax.set_xscale("log")
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, 0.8), high * 2.2)  # room for the words on the right
    ticks = [
        tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if ax.get_xlim()[0] <= tick <= high
    ]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set_yticks(range(len(judged)), [f"{row.work}\nagainst {row.other}" for row in judged], fontsize=look.SMALL)
    ax.invert_yaxis()
    ax.grid(axis="x", color="#D9D9D9", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_xlabel("how many times the number wanted is reached (dashed: just met; log scale)")
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
