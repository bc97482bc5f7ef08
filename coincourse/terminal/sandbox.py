"""`coinlib serve` and `coinlib join`: agents of other programs, by the AI Sandbox protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from coinlib import named
from coinlib.games import SCENARIOS

from .coins import KNOWN, machine, rules
from .talk import Page, Screen, Wanted, say

REDRAW = 0.2  # seconds between two looks at the score


def serve_options(page: Page) -> None:
    known = f"{KNOWN}; what the AI Sandbox itself plays as NIM is NIM_7: up to 7 coins a turn"
    page.add_argument("scenario", metavar="SCENARIO", type=str.upper, choices=SCENARIOS, help=known)
    page.number("--games", "how many", default=1_000)
    address_options(page, "of agent 1; agent 2 has the next one")
    page.add_argument("--opponent", metavar="AGENT", help="an agent of our own for one seat (default: none)")
    page.number("--seat", "the seat of --opponent, 1 or 2", default=2, most=2)
    page.add_argument("--record", type=Path, metavar="FILE", help="the CSV (default: the scenario and the time)")
    page.number("--timeout", "seconds that an agent has for a move", default=30)
    page.number("--wait", "seconds to wait for the agents before the first game (default: no limit)")
    practice_options(page, 100_000)


def join_options(page: Page) -> None:
    address_options(page, "of the server's seat")
    page.add_argument("--agent", metavar="AGENT", default="qlearner", help="who plays (default: qlearner)")
    page.number("--timeout", "seconds to wait for the server (default: no limit)")
    page.switch("--verbose", "print every message as it passes")
    practice_options(page, 0)


def address_options(page: Page, whose: str) -> None:
    page.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only")
    page.number("--port", whose, default=9000, most=65_535)


def practice_options(page: Page, games: int) -> None:
    page.number("--practice", "games that hats and qlearner have played with themselves before", games, least=0)
    page.seed()
    yours = "a function of yours (game, state) -> move; without :NAME the one called agent"
    page.listing("agents", {**{name: agent.words for name, agent in named.AGENTS.items()}, "FILE.py:NAME": yours})


def serve(wanted: Wanted) -> None:
    """Let agents of other programs play a scenario (misère play) by the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    game, screen = SCENARIOS[wanted.scenario], Screen(stderr=True)
    opponent = maker(wanted.opponent, wanted)(game) if wanted.opponent else None
    record = wanted.record or Path(f"{wanted.scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    how = {name: vars(wanted)[name] for name in ("games", "seat", "host", "port", "timeout", "wait")}
    log = lambda line: screen.print(f"{time.strftime('%H:%M:%S')} {line}")
    server = sandbox.serve(game, opponent=opponent, record=record, log=log, **how)

    with server:
        say(f"{wanted.scenario}. {rules(game)} {wanted.games:,} games, the first move alternates.")
        for seat in server.seats:
            say(f"agent {seat.number}: waits on {wanted.host}, port {seat.port}")
        if opponent:
            say(f"agent {wanted.seat}: {server.names[wanted.seat - 1]}, ours")
        say(f"Every game is written to {record} as it ends. Ctrl-C stops the server.")
        watch(server, screen)


def join(wanted: Wanted) -> None:
    """Let an agent play on a server of the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    make, screen = maker(wanted.agent, wanted), Screen(stderr=True)
    screen.quiet = wanted.verbose  # the messages tell how it goes
    see = lambda message: wanted.verbose and say(sandbox.words(message))
    client = sandbox.join(None, wanted.host, wanted.port, make=make, timeout=wanted.timeout, watch=see)
    watch(client, screen)


def watch(run, screen: Screen) -> None:
    """Show the score on a terminal until a run is over or somebody presses Ctrl-C; then say it for good."""
    try:
        with screen.status(run.score) as shown:
            while not run.wait(REDRAW):
                shown.update(run.score)
    finally:
        run.close()
        say(run.score)
    if run.stopped:
        raise ValueError(f"stopped: {run.stopped}")


def maker(name: str, wanted: Wanted) -> Callable:
    """A function from a game to the agent that somebody named; says at once if there is none."""
    if not (found := re.fullmatch(r"(.+\.py)(?::(.+))?", name)):
        spelled = named.spelled(name)
        return lambda game: machine(game, spelled, wanted.seed, wanted.practice)
    from coincourse.outside.tournament.entries import agent_in

    file, function = found.groups("")
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    try:
        agent = agent_in(file, function)
    except Exception as error:  # whatever the file does wrong is said with its place
        raise ValueError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    return lambda game: agent
