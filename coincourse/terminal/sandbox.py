"""`coinlib serve` and `coinlib join`: agents of other programs, by the AI Sandbox protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from coinlib import named
from coinlib.games import SCENARIOS

from .coins import Scenario, rules
from .talk import say, screen

REDRAW = 0.2  # seconds between two looks at the score


def serve(
    scenario: Scenario,
    *,
    games: int = 1_000,
    host: str = "127.0.0.1",
    port: int = 9000,
    opponent: str | None = None,
    seat: int = 2,
    record: Path | None = None,
    timeout: int = 30,
    wait: int | None = None,
    practice: int = 100_000,
    seed: int | None = None,
) -> None:
    """Let agents of other programs play a scenario (misère play) by the AI Sandbox protocol.

    Parameters
    ----------
    scenario : str
        What the AI Sandbox itself plays as NIM is NIM_7: up to 7 coins a turn.
    games : int
        How many.
    host : str
        Where the server listens; 127.0.0.1 is this machine only.
    port : int
        The port of agent 1; agent 2 has the next one.
    opponent : str, optional
        An agent of our own for one seat: a player of `coinlib coins --help`, or FILE.py:NAME, a function
        of yours (game, state) -> move; without :NAME the one called agent.
    seat : int
        The seat of --opponent, 1 or 2.
    record : Path, optional
        The CSV (default: the scenario and the time).
    timeout : int
        Seconds that an agent has for a move.
    wait : int, optional
        Seconds to wait for the agents before the first game (default: no limit).
    practice : int
        Games that hats and qlearner have played with themselves before.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    from coincourse.outside import sandbox

    game, score = SCENARIOS[scenario], screen(stderr=True)
    ours = maker(opponent, seed, practice)(game) if opponent else None
    record = record or Path(f"{scenario}-{time.strftime('%Y%m%d-%H%M%S')}.csv")
    log = lambda line: score.print(f"{time.strftime('%H:%M:%S')} {line}")
    server = sandbox.serve(
        game, games, ours, wait, seat=seat, host=host, port=port, timeout=timeout, record=record, log=log
    )
    say(f"{scenario}. {rules(game)} {games:,} games, the first move alternates.")
    for place in server.seats:
        say(f"agent {place.number}: waits on {host}, port {place.port}")
    if ours:
        say(f"agent {seat}: {server.names[seat - 1]}, ours")
    say(f"Every game is written to {record} as it ends. Ctrl-C stops the server.")
    watch(server, score)


def join(
    *,
    host: str = "127.0.0.1",
    port: int = 9000,
    agent: str = "qlearner",
    timeout: int | None = None,
    verbose: bool = False,
    practice: int = 0,
    seed: int | None = None,
) -> None:
    """Let an agent play on a server of the AI Sandbox protocol.

    Parameters
    ----------
    host : str
        Where the server is.
    port : int
        The port of the server's seat.
    agent : str
        Who plays: a player of `coinlib coins --help`, or FILE.py:NAME, a function of yours
        (game, state) -> move; without :NAME the one called agent.
    timeout : int, optional
        Seconds to wait for the server (default: no limit).
    verbose : bool
        Print every message as it passes.
    practice : int
        Games that hats and qlearner have played with themselves before.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    from coincourse.outside import sandbox

    make, score = maker(agent, seed, practice), screen(stderr=True)
    score.quiet = verbose  # the messages tell how it goes
    see = lambda message: verbose and say(sandbox.words(message))
    watch(sandbox.join(None, host, port, make=make, timeout=timeout, watch=see), score)


def watch(run, score: Console) -> None:
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


def maker(name: str, seed: int | None, practice: int) -> Callable:
    """A function from a game to the agent that somebody named; says at once if there is none."""
    if not (found := re.fullmatch(r"(.+\.py)(?::(.+))?", name)):
        spelled = named.spelled(name)
        return lambda game: named.agent(spelled, game, seed, practice)
    from coincourse.outside.tournament.entries import agent_in

    file, function = found.groups("")
    try:
        agent = agent_in(file, function)
    except Exception as error:  # whatever the file does wrong is said with its place
        raise ValueError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    return lambda game: agent
