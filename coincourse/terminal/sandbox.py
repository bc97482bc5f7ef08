"""`coinlib serve` and `coinlib join`: agents of other programs, by the AI Sandbox protocol."""

from __future__ import annotations

import argparse
import runpy
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from coinlib.arguments import shown
from coinlib.games import SCENARIOS, CoinGame

from .coins import PERSON, PLAYERS, machine, rules
from .talk import Page, is_terminal, say, whole

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


def serve(wanted: argparse.Namespace) -> None:
    """Let agents of other programs play a scenario (misère play) by the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    game = SCENARIOS[wanted.scenario]
    opponent = _maker(wanted.opponent, wanted)(game) if wanted.opponent else None
    record = wanted.record or Path(f"{wanted.scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    server = sandbox.serve(
        game,
        wanted.games,
        opponent=opponent,
        seat=wanted.seat,
        host=wanted.host,
        port=wanted.port,
        record=record,
        timeout=wanted.timeout,
        wait=wanted.wait,
        log=lambda line: _over_the_score(sys.stderr, f"{time.strftime('%H:%M:%S')} {line}"),
    )

    def score() -> str:
        one, two = server.wins
        return f"game {len(server.records):,} of {server.games:,}: agent 1 won {one:,}, agent 2 won {two:,}"

    def last() -> str:
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
        _watch(server, score, last)
    if server.stopped:
        raise ValueError(f"stopped after {len(server.records):,} games: {server.stopped}")


def join(wanted: argparse.Namespace) -> None:
    """Let an agent play on a server of the AI Sandbox protocol."""
    from coincourse.outside import sandbox

    make = _maker(wanted.agent, wanted)
    watch = (lambda message: _over_the_score(sys.stdout, sandbox.words(message))) if wanted.verbose else None
    with sandbox.join(None, wanted.host, wanted.port, make=make, timeout=wanted.timeout, watch=watch) as client:

        def score() -> str:
            return f"{client.wins:,} of {client.games:,} games won"

        _watch(client, score, score)
    if client.illegal:
        say(f"{client.illegal:,} illegal move{'s' * (client.illegal != 1)}, the last: {client.complaint}")
    if client.stopped:
        raise ValueError(f"stopped after {client.games:,} games: {client.stopped}")


def _watch(run, score: Callable[[], str], last: Callable[[], str]) -> None:
    """Show the score until a run is over or somebody presses Ctrl-C; then say it for good."""
    try:
        while not run.wait(REDRAW):
            if is_terminal(sys.stderr):
                _over_the_score(sys.stderr, score(), ending="")
    finally:
        run.close()
        if is_terminal(sys.stderr):
            _over_the_score(sys.stderr, "", ending="\r")
        say(last())


def _over_the_score(stream, words: str, ending: str = "\n") -> None:
    """A line in the place of the score, which is the last line on a terminal; elsewhere there is no score."""
    if is_terminal(sys.stderr) and is_terminal(stream):
        width = shutil.get_terminal_size().columns - 1  # a broken line could not be taken back
        words = "\r" + (words if ending == "\n" else words[:width]).ljust(width)
    print(words + ending, end="", file=stream, flush=True)  # in one piece: others may be printing


def _maker(name: str, wanted: argparse.Namespace) -> Callable[[CoinGame], object]:
    """A function from a game to the agent that somebody named; says at once if there is none."""
    if name.replace("-", "_") in AGENTS:
        return lambda game: machine(game, name.replace("-", "_"), wanted.seed, wanted.practice)
    path, _, called = name.rpartition(":")
    if not path.endswith(".py"):
        path, called = name, "agent"
    if not path.endswith(".py"):
        raise ValueError(f"expected {', '.join(AGENTS)} or {FILE}, got {name[:60]!r}")
    agent = _from_file(path, called)
    return lambda game: agent


def _from_file(path: str, name: str):
    """An agent out of a Python file; whatever the file does wrong is said with its place."""
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    sys.path.append(str(Path(path).resolve().parent))  # for what it imports from beside it
    try:
        found = runpy.run_path(path)
    except Exception as error:
        raise ValueError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    agent = found.get(name)
    if callable(agent) and not isinstance(agent, type):
        return agent
    got = f"got {shown(agent)}" if name in found else "the file has nothing of this name"
    raise ValueError(f"{path}: expected an agent, a function (game, state) -> move, called {name}; {got}")
