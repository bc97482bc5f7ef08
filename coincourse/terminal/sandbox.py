"""`coinlib serve` and `coinlib join`: agents of other programs, by the AI Sandbox protocol."""

import re
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from coinlib import named
from coinlib.games import SCENARIOS

from .coins import add_scenario, rules
from .pages import Page, Typed, whole
from .talk import say, screen

REDRAW = 0.2  # seconds between two looks at the score
PORT = whole(0, 65_535)
PRACTICE = "Games that hats and qlearner have played with themselves before"
FILE = "FILE.py:NAME, a function of yours (game, state) -> move; without :NAME the one called agent"
AGENT = f"a player of `coinlib coins --help`, or {FILE}"


def serve_options(page: Page) -> None:
    """What may follow `coinlib serve`."""
    add_scenario(page, "scenario", "What the AI Sandbox itself plays as NIM is NIM_7: up to 7 coins a turn")
    page.add_option("--games", whole(1), "How many", default=1_000)
    words = "Where the server listens; 127.0.0.1 is this machine only"
    page.add_option("--host", str, words, default="127.0.0.1")
    page.add_option("--port", PORT, "The port of agent 1; agent 2 has the next one", default=9000)
    page.add_option("--opponent", str, f"An agent of our own for one seat: {AGENT}")
    page.add_option("--seat", whole(1, 2), "The seat of --opponent, 1 or 2", default=2)
    page.add_option("--record", Path, "The CSV (default: the scenario and the time)")
    page.add_option("--timeout", whole(1), "Seconds that an agent has for a move", default=30)
    words = "Seconds to wait for the agents before the first game (default: no limit)"
    page.add_option("--wait", whole(1), words)
    page.add_option("--practice", whole(0), PRACTICE, default=100_000)
    page.add_seed()


def serve(typed: Typed) -> None:
    """Let agents of other programs play a scenario (misère play) by the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    game = SCENARIOS[typed.scenario]
    ours = maker(typed.opponent, typed)(game) if typed.opponent else None
    record = typed.record or Path(f"{typed.scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    score = screen(stderr=True)

    def log(line: str) -> None:
        score.print(f"{time.strftime('%H:%M:%S')} {line}")

    settings = {name: getattr(typed, name) for name in ("games", "wait", "seat", "host", "port", "timeout")}
    server = sandbox.serve(game, opponent=ours, record=record, log=log, **settings)
    say(f"{typed.scenario}. {rules(game)} {typed.games:,} games, the first move alternates.")
    for place in server.seats:
        say(f"agent {place.number}: waits on {typed.host}, port {place.port}")
    if ours:
        say(f"agent {typed.seat}: {server.names[typed.seat - 1]}, ours")
    say(f"Every game is written to {record} as it ends. Ctrl-C stops the server.")
    show_score(server, score)


def join_options(page: Page) -> None:
    """What may follow `coinlib join`."""
    page.add_option("--host", str, "Where the server is", default="127.0.0.1")
    page.add_option("--port", PORT, "The port of the server's seat", default=9000)
    page.add_option("--agent", str, f"Who plays: {AGENT}", default="qlearner")
    page.add_option("--timeout", whole(1), "Seconds to wait for the server (default: no limit)")
    page.add_flag("--verbose", "Print every message as it passes")
    page.add_option("--practice", whole(0), PRACTICE, default=0)
    page.add_seed()


def join(typed: Typed) -> None:
    """Let an agent play on a server of the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    def show(message) -> None:
        if typed.verbose:
            say(sandbox.words(message))

    make = maker(typed.agent, typed)
    score = screen(stderr=True)
    score.quiet = typed.verbose  # The messages show well enough how it goes.
    run = sandbox.join(None, typed.host, typed.port, make=make, timeout=typed.timeout, watch=show)
    show_score(run, score)


def show_score(run, score: Console) -> None:
    """Show the score on a terminal until a run is over or somebody presses Ctrl-C; then say it for good."""
    try:
        with score.status(run.score) as shown:
            while not run.wait(REDRAW):
                shown.update(run.score)
    finally:
        run.close()
        say(run.score)
    if run.stopped:
        raise ValueError(f"stopped: {run.stopped}")


def maker(name: str, typed: Typed) -> Callable:
    """A function from a game to the agent that somebody named; ValueError at once if there is none."""
    found = re.fullmatch(r"(.+\.py)(?::(.+))?", name)
    if not found:
        name = named.canonical_name(name)
        return lambda game: named.agent(name, game, typed.seed, typed.practice)
    from coincourse.outside.tournament.entries import agent_in

    file, function = found.groups("")
    try:
        agent = agent_in(file, function)
    except Exception as error:  # the file may raise anything
        raise ValueError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    return lambda game: agent
