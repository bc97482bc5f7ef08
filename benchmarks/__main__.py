"""Measure the library against plain Python, C, NumPy and limits: `python -m benchmarks`.

Each line is a ratio from one run in which the two take turns: how many times as fast the library is.
A full run is written to `benchmarks/results/`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import report
from benchmarks.contest import Row
from benchmarks.measures import MEASURES, QUICK, Sizes

RESULTS = Path(__file__).parent / "results"


def main(words: Sequence[str] | None = None) -> None:
    """Print the table, and store it if all of it was measured in full."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--list", action="store_true", help="list what can be measured, and measure nothing")
    again = "only this part; can be repeated"
    parser.add_argument("--only", action="append", choices=list(MEASURES), help=again)
    small = "small sizes: shows that all runs, judges nothing"
    parser.add_argument("--quick", action="store_true", help=small)
    wanted = parser.parse_args(words)
    if wanted.list:
        for name, measure in MEASURES.items():
            print(f"{name:<18}{(measure.__doc__ or '').splitlines()[0]}")
        return
    os.environ["TQDM_DISABLE"] = "1"  # no bars among the lines
    sizes = QUICK if wanted.quick else Sizes()
    print(f"{report.machine()}\n{report.NOTE}\n\n{report.heads(Row.HEADS, left=2)}")
    rows = []
    for name in wanted.only or MEASURES:
        for row in MEASURES[name](sizes):
            row = replace(row, hold=None, beat=None) if wanted.quick else row
            print(report.line(row.cells()), flush=True)
            rows.append(row)
    if wanted.quick:
        print("\nsmall sizes: this only shows that everything runs")
    elif not wanted.only:
        report.save(rows, RESULTS)
        print(f"\nwritten to {RESULTS}/table.md")


if __name__ == "__main__":
    main()
