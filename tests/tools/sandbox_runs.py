"""What the tests of the AI Sandbox protocol share: waiting for the end of a run, free ports, and records."""

from __future__ import annotations

import contextlib
import csv
import socket
from pathlib import Path

from coinlib import CoinGame, Move
from coinlib.match import Match

SECONDS = 60.0  # after which a test gives up


def over(*threads) -> bool:
    """Whether all servers, clients and threads have ended."""
    threads = [getattr(each, "thread", each) for each in threads]
    for thread in threads:
        thread.join(SECONDS)
    return not any(thread.is_alive() for thread in threads)


def check_record(path: Path, game: CoinGame, games: int) -> list[dict]:
    """Replay every game of a record by the rules: it must end as recorded."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == games
    for row in rows:
        match = Match(game)
        agents = (0, int(row["first"]), 3 - int(row["first"]))
        for move in row["moves"].split():
            match.make(Move(*map(int, move.split(":"))))
        assert match.over
        forfeit = agents[match.forfeit.player] if match.forfeit else 0
        assert (len(match.moves), forfeit) == (int(row["turns"]), int(row["forfeit"]))
        assert agents[match.winner] == int(row["winner"])
    return rows


def free_ports() -> int:
    """A port with a free one above it."""
    for _ in range(50):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
            with contextlib.suppress(OSError):
                socket.create_server(("127.0.0.1", port + 1)).close()
                return port
    raise AssertionError("no two free ports side by side")
