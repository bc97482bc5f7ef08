"""`coinlib tournament`: agents from a folder, everybody against everybody."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from coinlib.arguments import counted

from .coins import Scenario
from .talk import draw_into, say


def run(
    entries: Sequence[str],
    *,
    scenario: Sequence[Scenario] = (),
    games: int = 100,
    seconds: float = 1.0,
    gigabytes: float = 2.0,
    out: Path | None = None,
    seed: int | None = None,
) -> None:
    """Let agents from a folder of Python files play everybody against everybody.

    Parameters
    ----------
    entries : sequence of str
        A folder of Python files, one file, or a built-in agent such as random or perfect.
    scenario : sequence of str
        What is played; again for more (default: each scenario).
    games : int
        Games of each pair in each scenario; even.
    seconds : float
        How long a move may take.
    gigabytes : float
        Memory of an entry, on Unix.
    out : Path, optional
        Write tables and a heat map into this folder.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    from coincourse.outside.tournament import run_tournament

    if out:
        out.mkdir(parents=True, exist_ok=True)
    result = run_tournament(entries, scenario or None, games, seed, seconds, gigabytes=gigabytes)
    stopped = ", stopped by Ctrl-C" if result.stopped else ""
    say(f"{counted(len(result.games), 'game')} in {counted(len(result.scenarios), 'scenario')}{stopped}.")
    say(result.standings.drop(columns=["ties", "losses"]).to_string(float_format="{:.3f}".format))
    for name, note in result.notes.items():
        say(f"{name}: {note}")
    if out:
        from coinlib.plots import round_robin_heatmap

        files, entrants = result.write(out), len(result.standings)
        draw_into(out / "rates.png", partial(round_robin_heatmap, result.rates()), (3 + entrants, 2 + 0.7 * entrants))
        say(f"Written into {out}: {', '.join(file.name for file in files)}, rates.png.")
    say(f"Each entry ran {result.contained}.")
    say(f"The seed was {result.settings['seed']}.")
