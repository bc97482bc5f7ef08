"""`coinlib serve` and `coinlib join`: agents of other programs, by the AI Sandbox protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame

from .coins import PERSON, PLAYERS, machine, rules
from .talk import Page, Screen, Wanted, say, whole

REDRAW = 0.2  # seconds between two looks at the score
AGENTS = {name: words for name, words in PLAYERS.items() if name != PERSON}
AGENTS |= {"hats": "balls in hats; learns as it plays", "qlearner": "a table of values; learns as it plays"}
FILE = "FILE.py:NAME"


def serve_options(page: Page) -> None:
    known = f"one of {', '.join(SCENARIOS)}; what the AI Sandbox itself plays as NIM is NIM_7: up to 7 coins a turn"
    page.add_argument("scenario", metavar="SCENARIO", type=str.upper, choices=SCENARIOS, help=known)
    page.add_argument("--games", type=whole(1), default=1_000, metavar="N", help="default: 1000")
    _address_options(page, "agent 1; agent 2 has the next one")
    page.add_argument("--opponent", metavar="AGENT", help="an agent of our own for one seat (default: none)")
    page.add_argument("--seat", type=int, choices=(1, 2), default=2, help="the seat of --opponent (default: 2)")
    page.add_argument("--record", type=Path, metavar="FILE", help="the CSV (default: the scenario and the time)")
    page.number("--timeout", "what an agent has for a move", default=30, metavar="SECONDS")
    page.number(
        "--wait", "how long to wait for the agents before the first game (default: no limit)", metavar="SECONDS"
    )
    _practice_options(page, 100_000)


def join_options(page: Page) -> None:
    _address_options(page, "the server's seat")
    page.add_argument("--agent", metavar="AGENT", default="qlearner", help="who plays (default: qlearner)")
    page.number("--timeout", "seconds to wait for the server (default: no limit)", metavar="TIMEOUT")
    page.switch("--verbose", "print every message as it passes")
    _practice_options(page, 0)


def _address_options(page: Page, whose: str) -> None:
    page.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only")
    page.number("--port", f"of {whose}", default=9000, most=65_535)


def _practice_options(page: Page, games: int) -> None:
    practice = "games that hats and qlearner have played with themselves before"
    page.number("--practice", practice, default=games, least=0)
    page.seed()
    yours = "a function of yours (game, state) -> move; without :NAME the one called agent"
    page.listing("agents", {**AGENTS, FILE: yours})


def serve(wanted: Wanted) -> None:
    """Let agents of other programs play a scenario (misère play) by the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    game, screen = SCENARIOS[wanted.scenario], Screen(stderr=True)
    opponent = _maker(wanted.opponent, wanted)(game) if wanted.opponent else None
    record = wanted.record or Path(f"{wanted.scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    how = {name: vars(wanted)[name] for name in ("games", "seat", "host", "port", "timeout", "wait")}
    log = lambda line: screen.print(f"{time.strftime('%H:%M:%S')} {line}")
    server = sandbox.serve(game, opponent=opponent, record=record, log=log, **how)

    def score() -> str:
        sides = zip((1, 2), server.names, server.wins)
        wins = ", ".join(f"agent {number} ({name}) won {won:,}" for number, name, won in sides)
        return f"{len(server.records):,} of {server.games:,} games: {wins}"

    with server:
        say(f"{wanted.scenario}, {game.ending}. {rules(game)} {wanted.games:,} games, the first move alternates.")
        for seat in server.seats:
            say(f"agent {seat.number}: waits on {wanted.host}, port {seat.port}")
        if opponent:
            say(f"agent {wanted.seat}: {server.names[wanted.seat - 1]}, ours")
        say(f"Every game is written to {record} as it ends. Ctrl-C stops the server.")
        _watch(server, score, screen)
    if server.stopped:
        raise ValueError(f"stopped after {len(server.records):,} games: {server.stopped}")


def join(wanted: Wanted) -> None:
    """Let an agent play on a server of the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    make, screen = _maker(wanted.agent, wanted), Screen(stderr=True)
    screen.quiet = wanted.verbose  # the messages tell how it goes
    watch = (lambda message: say(sandbox.words(message))) if wanted.verbose else None
    with sandbox.join(None, wanted.host, wanted.port, make=make, timeout=wanted.timeout, watch=watch) as client:
        _watch(client, lambda: f"{client.wins:,} of {client.games:,} games won", screen)
    if client.illegal:
        say(f"{counted(client.illegal, 'illegal move')}, the last: {client.complaint}")
    if client.stopped:
        raise ValueError(f"stopped after {client.games:,} games: {client.stopped}")


def _watch(run, score: Callable[[], str], screen: Screen) -> None:
    """Show the score on a terminal until a run is over or somebody presses Ctrl-C; then say it for good."""
    try:
        with screen.status(score()) as shown:
            while not run.wait(REDRAW):
                shown.update(score())
    finally:
        run.close()
        say(score())


def _maker(name: str, wanted: Wanted) -> Callable[[CoinGame], object]:
    """A function from a game to the agent that somebody named; says at once if there is none."""
    if found := re.fullmatch(r"(.+\.py)(?::(.+))?", name):
        from coincourse.outside.tournament.entries import agent_in

        file, function = found.groups("")
        if not Path(file).is_file():
            raise ValueError(f"there is no file {file}")
        try:
            agent = agent_in(file, function)
        except Exception as error:  # whatever the file does wrong is said with its place
            raise ValueError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
        return lambda game: agent
    spelled = name.replace("-", "_")
    if spelled not in AGENTS:
        raise ValueError(f"expected {', '.join(AGENTS)} or {FILE}, got {name[:60]!r}")
    return lambda game: machine(game, spelled, wanted.seed, wanted.practice)
