"""`coinlib tournament`: agents from a folder, everybody against everybody."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from coinlib.arguments import counted
from coinlib.games import SCENARIOS

from .talk import Page, Wanted, draw_into, say


def options(page: Page) -> None:
    entry = "a folder of Python files, one file, or a built-in agent such as random or perfect"
    page.add_argument("entries", nargs="+", metavar="ENTRY", help=entry)
    known = f"one of {', '.join(SCENARIOS)}; may be given several times (default: all)"
    page.add_argument("--scenario", action="append", metavar="NAME", help=known)
    page.number("--games", "of each pair in each scenario; even", default=100, least=2, metavar="GAMES")
    page.add_argument("--seconds", type=float, default=1.0, metavar="S", help="how long a move may take (default: 1)")
    page.add_argument(
        "--gigabytes", type=float, default=2.0, metavar="G", help="memory of an entry, on Unix (default: 2)"
    )
    page.add_argument("--out", type=Path, metavar="FOLDER", help="write the tables and a heat map into this folder")
    page.seed()


def run(wanted: Wanted) -> None:
    """Let agents from a folder of Python files play everybody against everybody."""
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
        from coinlib.plots import round_robin_heatmap

        files, entries = result.write(wanted.out), len(result.standings)
        size = 3 + entries, 2 + 0.7 * entries
        files.append(draw_into(wanted.out / "rates.png", partial(round_robin_heatmap, result.rates()), size))
        say(f"Written into {wanted.out}: {', '.join(file.name for file in files)}.")
    say(f"Each entry ran {result.contained}.")
    say(f"The seed was {result.settings['seed']}.")


def _table(standings) -> Iterator[str]:
    """The standings in lines that fit a terminal."""
    wide = max(5, *(len(str(name)) for name in standings.index))
    line = f"{{:>3}} {{:<{wide}}} {{:>7}} {{:>7}}  {{:^15}} {{:>7}}  {{:>7}}  {{:>5}}  {{:>7}}"
    yield line.format("", "entry", "games", "won", "95 %", "rating", "illegal", "crash", "timeout")
    for place, row in enumerate(standings.itertuples(), 1):
        won, interval = "–", "–"
        if row.games:
            won, interval = f"{row.win_rate:.1%}", f"{row.low:.1%} to {row.high:.1%}"
        counts = (f"{count:,.0f}" for count in (row.rating, row.illegal, row.crash, row.timeout))
        yield line.format(place, row.Index, f"{row.games:,}", won, interval, *counts)
