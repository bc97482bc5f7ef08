"""`coinlib tournament`: agents from a folder, everybody against everybody."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from coinlib.arguments import counted

from .coins import KNOWN
from .talk import Page, Wanted, draw_into, say


def options(page: Page) -> None:
    entry = "a folder of Python files, one file, or a built-in agent such as random or perfect"
    page.add_argument("entries", nargs="+", metavar="ENTRY", help=entry)
    page.add_argument("--scenario", action="append", type=str.upper, metavar="NAME", help=f"{KNOWN}; again for more")
    page.number("--games", "of each pair in each scenario; even", default=100, least=2, metavar="GAMES")
    page.add_argument("--seconds", type=float, default=1.0, metavar="S", help="how long a move may take (default: 1)")
    page.add_argument("--gigabytes", type=float, default=2.0, metavar="G", help="memory, on Unix (default: 2)")
    page.add_argument("--out", type=Path, metavar="FOLDER", help="write tables and a heat map into this folder")
    page.seed()


def run(wanted: Wanted) -> None:
    """Let agents from a folder of Python files play everybody against everybody."""
    from coincourse.outside.tournament import run_tournament

    if wanted.out and wanted.out.is_file():
        raise ValueError(f"--out: expected a folder, and {str(wanted.out)!r} is a file")
    limits = {"seconds_per_move": wanted.seconds, "gigabytes": wanted.gigabytes}
    result = run_tournament(wanted.entries, wanted.scenario, wanted.games, wanted.seed, **limits)
    stopped = ", stopped by Ctrl-C" if result.stopped else ""
    say(f"{counted(len(result.games), 'game')} in {counted(len(result.scenarios), 'scenario')}{stopped}.")
    say(table(result.standings))
    for name, note in result.notes.items():
        say(f"{name}: {note}")
    if wanted.out:
        from coinlib.plots import round_robin_heatmap

        files, entries = result.write(wanted.out), len(result.standings)
        draw = partial(round_robin_heatmap, result.rates())
        files.append(draw_into(wanted.out / "rates.png", draw, (3 + entries, 2 + 0.7 * entries)))
        say(f"Written into {wanted.out}: {', '.join(file.name for file in files)}.")
    say(f"Each entry ran {result.contained}.")
    say(f"The seed was {result.settings['seed']}.")


def table(standings) -> str:
    """The standings in lines that fit a terminal."""
    shown = standings.reset_index()
    shown.index += 1
    ends = zip(standings["low"], standings["high"])
    shown.insert(4, "95 %", [f"{low:.1%} to {high:.1%}" for low, high in ends])
    words = {"win_rate": "{:.1%}".format, "rating": "{:,.0f}".format}
    columns = ["entry", "games", "win_rate", "95 %", "rating", "illegal", "crash", "timeout"]
    return shown.to_string(columns=columns, formatters=words)
