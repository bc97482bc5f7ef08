"""`coinlib tournament`: agents from a folder play a round robin."""

from pathlib import Path

from coinlib.arguments import counted

from .coins import add_scenario
from .pages import Page, Typed, decimal, draw_into, whole
from .talk import say


def options(page: Page) -> None:
    """Add the arguments of `coinlib tournament`."""
    words = "A folder of Python files, one file, or a built-in agent such as random or perfect"
    page.add_argument("entries", nargs="+", help=words)
    add_scenario(page, "--scenario", "May be given several times (default: all scenarios)", action="append")
    page.add_option("--games", whole(2), "Games of each pair in each scenario; must be even", default=100)
    page.add_option("--seconds", decimal(0.001), "Time limit for one move, in seconds", default=1.0)
    page.add_option("--gigabytes", decimal(0.1), "Memory of an entry, on Unix", default=2.0)
    page.add_option("--out", Path, "Write tables and a heat map to this folder")
    page.add_seed()


def run(typed: Typed) -> None:
    """Let agents from a folder of Python files play a round robin."""
    from coincourse.outside.tournament import run_tournament

    if typed.out:
        typed.out.mkdir(parents=True, exist_ok=True)
    played = (typed.entries, typed.scenario, typed.games, typed.seed)
    result = run_tournament(*played, typed.seconds, gigabytes=typed.gigabytes)
    stopped = ", stopped by Ctrl-C" if result.stopped else ""
    say(f"{counted(len(result.games), 'game')} in {counted(len(result.scenarios), 'scenario')}{stopped}.")
    say(result.standings.drop(columns=["ties", "losses"]).to_string(float_format="{:.3f}".format))
    for name, note in result.notes.items():
        say(f"{name}: {note}")
    if typed.out:
        files = result.write(typed.out)
        count = len(result.standings)
        draw_into(typed.out / "rates.png", "round_robin_heatmap", (result.rates(),), (3 + count, 2 + 0.7 * count))
        say(f"Written to {typed.out}: {', '.join(file.name for file in files)}, rates.png.")
    say(f"Each entry ran {result.contained}.")
    say(f"The seed was {result.settings['seed']}.")
