"""`coinlib tournament`: agents from a folder, everybody against everybody."""

from __future__ import annotations

import argparse
from pathlib import Path

from coinlib.arguments import counted
from coinlib.files import whole_file
from coinlib.games import SCENARIOS

from .talk import say, seed_option, whole


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "entries",
        nargs="+",
        metavar="ENTRY",
        help="a folder of Python files, one file, or a built-in agent such as random or perfect",
    )
    parser.add_argument(
        "--scenario",
        action="append",
        metavar="NAME",
        help=f"one of {', '.join(SCENARIOS)}; may be given several times (default: all)",
    )
    parser.add_argument(
        "--games", type=whole(2, 1_000_000), default=100, help="of each pair in each scenario; even (default: 100)"
    )
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="how long a move may take (default: 1)")
    parser.add_argument(
        "--gigabytes", type=float, default=2.0, metavar="G", help="memory of an entry, on Unix (default: 2)"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the tables and a heat map into this folder")
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    from coincourse.outside.tournament import run_tournament

    if wanted.out and wanted.out.exists() and not wanted.out.is_dir():
        raise ValueError(f"--out: expected a folder, and {str(wanted.out)!r} is a file")
    scenarios = wanted.scenario and [name.upper() for name in wanted.scenario]
    result = run_tournament(
        wanted.entries, scenarios, wanted.games, wanted.seed, wanted.seconds, gigabytes=wanted.gigabytes
    )
    stopped = ", stopped by Ctrl-C" if result.stopped else ""
    say(f"{counted(len(result.games), 'game')} in {counted(len(result.scenarios), 'scenario')}{stopped}.")
    for line in _table(result.standings):
        say(line)
    for name, note in result.notes.items():
        say(f"{name}: {note}")
    if wanted.out:
        files = [*result.write(wanted.out), _draw(result, wanted.out / "rates.png")]
        say(f"Written into {wanted.out}: {', '.join(file.name for file in files)}.")
    say(f"Each entry ran {result.contained}.")
    say(f"The seed was {result.settings['seed']}.")


def _table(standings) -> list[str]:
    """The standings in lines that fit a terminal."""
    names = [str(name) for name in standings.index]
    wide = max(5, *map(len, names))
    lines = [f"{'':>3} {'entry':<{wide}} {'games':>7} {'won':>7}  {'95 %':^15} {'rating':>7}  illegal  crash  timeout"]
    for place, (name, row) in enumerate(zip(names, standings.itertuples()), 1):
        share = (
            f"{row.win_rate:>7.1%}  {f'{row.low:.1%} to {row.high:.1%}':^15}" if row.games else f"{'–':>7}  {'–':^15}"
        )
        lines.append(
            f"{place:>3} {name:<{wide}} {row.games:>7,} {share} {row.rating:>7,.0f}  "
            f"{row.illegal:>7,}  {row.crash:>5,}  {row.timeout:>7,}"
        )
    return lines


def _draw(result, file: Path) -> Path:
    import matplotlib as mpl

    mpl.use("Agg")  # a file needs no window
    from coinlib.plots import round_robin_heatmap

    with whole_file(file) as half:
        round_robin_heatmap(result.rates()).figure.savefig(half, bbox_inches="tight")
    return file
