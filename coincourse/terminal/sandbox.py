"""`coinlib serve` and `coinlib join`: play against other programs over the AI Sandbox protocol."""

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

REDRAW = 0.2  # seconds between score updates
PORT = whole(0, 65_535)
PRACTICE = "Practice games of hats and qlearner against themselves"
FILE = "FILE.py:NAME, your own function (game, state) -> move; without :NAME the one called agent"
AGENT = f"a player of `coinlib coins --help`, or {FILE}"


def serve_options(page: Page) -> None:
    """Add the arguments of `coinlib serve`."""
    add_scenario(page, "scenario", "The NIM of the AI Sandbox itself is NIM_7: up to 7 coins a turn")
    page.add_option("--games", whole(1), "Number of games", default=1_000)
    words = "Where the server listens; 127.0.0.1 is this machine only"
    page.add_option("--host", str, words, default="127.0.0.1")
    page.add_option("--port", PORT, "The port of agent 1; agent 2 has the next one", default=9000)
    page.add_option("--opponent", str, f"An agent for one of the seats: {AGENT}")
    page.add_option("--seat", whole(1, 2), "The seat of --opponent, 1 or 2", default=2)
    page.add_option("--record", Path, "CSV file for the games (default: the scenario and the time)")
    page.add_option("--timeout", whole(1), "Time limit for one move, in seconds", default=30)
    words = "Seconds to wait for the agents before the first game (default: no limit)"
    page.add_option("--wait", whole(1), words)
    page.add_option("--practice", whole(0), PRACTICE, default=100_000)
    page.add_seed()


def serve(typed: Typed) -> None:
    """Let other programs play a scenario (misère play) over the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    game = SCENARIOS[typed.scenario]
    ours = maker(typed.opponent, typed)(game) if typed.opponent else None
    record = typed.record or Path(f"{typed.scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    score = screen(stderr=True)

    def log(line: str) -> None:
        score.print(f"{time.strftime('%H:%M:%S')} {line}")

    settings = {name: getattr(typed, name) for name in ("games", "wait", "seat", "host", "port", "timeout")}
    server = sandbox.serve(game, opponent=ours, record=record, log=log, **settings)
    say(f"{typed.scenario}. {rules(game)} {typed.games:,} games, the agents take turns going first.")
    for place in server.seats:
        say(f"agent {place.number}: waiting on {typed.host}, port {place.port}")
    if ours:
        say(f"agent {typed.seat}: {server.names[typed.seat - 1]}, ours")
    say(f"Every game is written to {record} as it ends. Ctrl-C stops the server.")
    show_score(server, score)


def join_options(page: Page) -> None:
    """Add the arguments of `coinlib join`."""
    page.add_option("--host", str, "Address of the server", default="127.0.0.1")
    page.add_option("--port", PORT, "The port of the seat", default=9000)
    page.add_option("--agent", str, f"The agent that plays: {AGENT}", default="qlearner")
    page.add_option("--timeout", whole(1), "Seconds to wait for the server (default: no limit)")
    page.add_flag("--verbose", "Print every message")
    page.add_option("--practice", whole(0), PRACTICE, default=0)
    page.add_seed()


def join(typed: Typed) -> None:
    """Join a server of the AI Sandbox protocol with an agent."""
    from coincourse.outside import sandbox

    def show(message) -> None:
        if typed.verbose:
            say(sandbox.words(message))

    make = maker(typed.agent, typed)
    score = screen(stderr=True)
    score.quiet = typed.verbose  # The messages already show the score.
    run = sandbox.join(None, typed.host, typed.port, make=make, timeout=typed.timeout, watch=show)
    show_score(run, score)


def show_score(run, score: Console) -> None:
    """Show the score on a terminal until the run is over or Ctrl-C is pressed; then print it."""
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
    """Return a function from a game to the agent with this name; ValueError at once if there is none."""
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
