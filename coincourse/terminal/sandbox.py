"""`coinlib serve` and `coinlib join`: agents of other programs, by the AI Sandbox protocol."""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from coinlib.games import SCENARIOS, CoinGame

from .coins import PERSON, PLAYERS, machine, rules
from .talk import say, seed_option, whole

REDRAW = 0.2  # seconds between two looks at the score
AGENTS = {name: words for name, words in PLAYERS.items() if name != PERSON}
AGENTS |= {"hats": "balls in hats; learns as it plays", "qlearner": "a table of values; learns as it plays"}
FILE = "FILE.py:NAME"


def serve_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario",
        metavar="SCENARIO",
        type=str.upper,
        choices=SCENARIOS,
        help=f"one of {', '.join(SCENARIOS)}; what the AI Sandbox itself plays as NIM is NIM_7: up to 7 coins a turn",
    )
    parser.add_argument("--games", type=whole(1, 100_000_000), default=1_000, metavar="N", help="default: 1000")
    _address_options(parser, "agent 1; agent 2 has the next one")
    parser.add_argument("--opponent", metavar="AGENT", help="an agent of our own for one seat (default: none)")
    parser.add_argument("--seat", type=int, choices=(1, 2), default=2, help="the seat of --opponent (default: 2)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="the CSV (default: the scenario and the time)")
    parser.add_argument(
        "--timeout",
        type=whole(1, 1_000_000),
        default=30,
        metavar="SECONDS",
        help="what an agent has for a move (default: 30)",
    )
    parser.add_argument(
        "--wait",
        type=whole(1, 1_000_000),
        metavar="SECONDS",
        help="how long to wait for the agents before the first game (default: no limit)",
    )
    _practice_options(parser, 100_000)


def join_options(parser: argparse.ArgumentParser) -> None:
    _address_options(parser, "the server's seat")
    parser.add_argument("--agent", metavar="AGENT", default="qlearner", help="who plays (default: qlearner)")
    parser.add_argument(
        "--timeout", type=whole(1, 1_000_000), help="seconds to wait for the server (default: no limit)"
    )
    parser.add_argument("--verbose", action="store_true", help="print every message as it passes")
    _practice_options(parser, 0)


def _address_options(parser: argparse.ArgumentParser, whose: str) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only")
    parser.add_argument("--port", type=whole(1, 65_535), default=9000, metavar="N", help=f"of {whose} (default: 9000)")


def _practice_options(parser: argparse.ArgumentParser, games: int) -> None:
    parser.add_argument(
        "--practice",
        type=whole(0, 10_000_000),
        default=games,
        metavar="N",
        help=f"games that hats and qlearner have played with themselves before (default: {games})",
    )
    seed_option(parser)
    width = max(map(len, (*AGENTS, FILE)))
    who = {**AGENTS, FILE: "a function of yours (game, state) -> move; without :NAME the one called agent"}
    parser.epilog = "\n".join(["agents:", *(f"  {name:<{width}}  {words}" for name, words in who.items())])


def serve(wanted: argparse.Namespace) -> None:
    from coincourse.outside import sandbox

    game = SCENARIOS[wanted.scenario]
    opponent = _maker(wanted.opponent, wanted)(game) if wanted.opponent else None
    record = wanted.record or Path(f"{wanted.scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    score = _Score()
    server = sandbox.serve(
        game,
        wanted.games,
        opponent,
        seat=wanted.seat,
        host=wanted.host,
        port=wanted.port,
        record=record,
        timeout=wanted.timeout,
        wait=wanted.wait,
        log=score.log,
    )
    with server:
        say(f"{wanted.scenario}, {game.ending}. {rules(game)} {wanted.games:,} games, the first move alternates.")
        for seat in server.seats:
            say(f"agent {seat.number}: waits on {wanted.host}, port {seat.port}")
        if opponent:
            say(f"agent {wanted.seat}: {server.names[wanted.seat - 1]}, ours")
        say(f"Every game is written to {record} as it ends. Ctrl-C stops the server.")
        _watch(server, score, lambda: _wins(server), lambda: _final(server))
    if server.stopped:
        raise ValueError(f"stopped after {len(server.records):,} games: {server.stopped}")


def join(wanted: argparse.Namespace) -> None:
    from coincourse.outside import sandbox

    make = _maker(wanted.agent, wanted)
    watch = (lambda message: say(sandbox.words(message))) if wanted.verbose else None
    with sandbox.join(None, wanted.host, wanted.port, make=make, timeout=wanted.timeout, watch=watch) as client:

        def score() -> str:
            return f"{client.wins:,} of {client.games:,} games won"

        _watch(client, _Score(), score, score)
    if client.illegal:
        say(f"{client.illegal:,} illegal moves, the last: {client.complaint}")
    if client.stopped:
        raise ValueError(f"stopped after {client.games:,} games: {client.stopped}")


def _watch(run, score: _Score, words: Callable[[], str], last: Callable[[], str]) -> None:
    """Show the score until a run is over or somebody presses Ctrl-C; then say it for good."""
    try:
        while not run.wait(REDRAW):
            score.show(words())
    finally:
        run.close()
        score.show("")
        say(last())


def _wins(server) -> str:
    """The score in short, for one line of a terminal."""
    one, two = server.wins
    return f"game {len(server.records):,} of {server.games:,}: agent 1 won {one:,}, agent 2 won {two:,}"


def _final(server) -> str:
    """The score with names."""
    sides = zip((1, 2), server.names, server.wins)
    score = ", ".join(f"agent {number} ({name}) won {won:,}" for number, name, won in sides)
    return f"{len(server.records):,} of {server.games:,} games: {score}"


class _Score:
    """A line on a terminal that is written over again and again, and the log above it."""

    def __init__(self) -> None:
        self.shown = ""
        self.lines: deque[str] = deque()

    def log(self, line: str) -> None:
        """Keep a line until the score is shown; so only one thread writes."""
        self.lines.append(f"{time.strftime('%H:%M:%S')} {line}")

    def show(self, words: str) -> None:
        """Write what has been logged, and the line anew; an empty one takes it away."""
        while self.lines:
            self._write(self.lines.popleft(), ending="\n")
        if sys.stderr.isatty() and words != self.shown:
            words = words[: shutil.get_terminal_size().columns - 1]  # a broken line could not be taken back
            self._write(words, ending="" if words else "\r")
            self.shown = words

    def _write(self, words: str, ending: str) -> None:
        back = "\r" if self.shown else ""
        print(back + words.ljust(len(self.shown)), end=ending, file=sys.stderr, flush=True)
        self.shown = ""


def _maker(name: str, wanted: argparse.Namespace) -> Callable[[CoinGame], object]:
    """A function from a game to the agent that somebody named; says at once if there is none."""
    if name in AGENTS:
        return lambda game: machine(game, name, wanted.seed, wanted.practice)
    path, colon, called = name.rpartition(":")
    if name.endswith(".py") or (colon and path.endswith(".py")):
        agent = _from_file(path, called) if path.endswith(".py") else _from_file(name, "agent")
        return lambda game: agent
    raise ValueError(f"expected {', '.join(AGENTS)} or {FILE}, got {name[:60]!r}")


def _from_file(path: str, name: str):
    """An agent out of a Python file; whatever the file does wrong is said with its place."""
    spec = importlib.util.spec_from_file_location("coinlib_agent", path)
    if spec is None or spec.loader is None or not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.append(str(Path(path).resolve().parent))  # for what it imports from beside it
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    agent = getattr(module, name, None)
    if not callable(agent) or isinstance(agent, type):
        wanted = f"expected an agent, a function (game, state) -> move, called {name}"
        got = f"got {agent!r}" if hasattr(module, name) else "the file has nothing of this name"
        raise ValueError(f"{path}: {wanted}; {got}")  # noqa: TRY004 - said in one line, like what is mistyped
    return agent
