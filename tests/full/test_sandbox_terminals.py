"""The AI Sandbox in terminals: `coinlib serve` and `coinlib join` as programs."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sandbox_runs import SECONDS, check_record, free_ports, over

from coincourse.outside.sandbox import join, serve
from coinlib import SCENARIOS, RandomAgent

# --- in the terminal ------------------------------------------------------------------------------------


def coinlib_command(*words: str, **more) -> subprocess.Popen:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.Popen([sys.executable, "-m", "coincourse", *words], **pipes)


def wait_for(path: Path, lines: int) -> None:
    deadline = time.monotonic() + SECONDS
    while not (path.exists() and len(path.read_text().splitlines()) >= lines):
        assert time.monotonic() < deadline, "the record does not grow"
        time.sleep(0.02)


MINE = """
from coinlib import Move
from beside import HOW_MANY

def mine(game, state):
    return Move(*next((row, HOW_MANY) for row, held in enumerate(state) if held))

number = 5
"""


def test_serve_and_join_in_two_terminals(tmp_path):
    port, record = free_ports(), tmp_path / "games.csv"
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "beside.py").write_text("HOW_MANY = 1\n")
    waits = ("--timeout", "50", "--wait", "50")
    server = coinlib_command("serve", "nim", "--port", str(port), "--games", "30", "--record", str(record), *waits)
    wait_for(record, 1)
    one = coinlib_command("join", "--port", str(port), "--agent", f"{tmp_path / 'mine.py'}:mine", *waits[:2])
    practised = ("--practice", "10", "--host", "localhost")
    two = coinlib_command("join", "--port", str(port + 1), "--agent", "hats", "--verbose", "--seed", "1", *practised)
    (out, log), (mine, _), (theirs, _) = (each.communicate(timeout=SECONDS) for each in (server, one, two))
    assert [each.returncode for each in (server, one, two)] == [0, 0, 0]
    assert out.startswith(
        "NIM. Rows of 1, 3, 5, 7: take 1 to 2 coins from one row. Misère play: the player who takes the last coin"
    )
    assert f"agent 2: waiting on 127.0.0.1, port {port + 1}\n" in out
    assert re.search(r"\n30 of 30 games: agent 1 won \d+, agent 2 won \d+\n$", out)
    assert len(log.splitlines()) == 2  # two joined; no score without a terminal
    won = [sum(int(row["winner"]) == agent for row in check_record(record, SCENARIOS["NIM"], 30)) for agent in (1, 2)]
    assert mine == f"mine: {won[0]} of 30 games won\n"
    assert theirs.endswith(f"\nHats: {won[1]} of 30 games won\n")
    assert re.search(r"^State \(1, 3, 5, 7\), at most 2\nAction: \d from row \d\nResult PLAY$", theirs, re.MULTILINE)


def test_ctrl_c_in_a_terminal_ends_with_the_score(tmp_path):
    terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)
    port, record = free_ports(), tmp_path / "games.csv"
    words = f"serve NIM --port {port} --games 1000000 --opponent random --seat 2 --record {record}".split()
    screen = terminal.Terminal([sys.executable, "-m", "coincourse", *words])
    wait_for(record, 1)
    client = join(RandomAgent(seed=1), port=port)
    wait_for(record, 20)
    while screen.seen.count("games: agent 1 won") < 3:  # the score, written over itself
        assert screen._read(SECONDS)
    screen.type("\x03")
    assert screen.finish() == 130
    assert over(client)
    games = len(record.read_text().splitlines()) - 1
    last = " ".join(screen.seen.rpartition("\x1b[2K")[2].split())  # a long line may have been broken
    assert re.fullmatch(rf"{games:,} of 1,000,000 games: agent 1 won .*, agent 2 won .*", last)
    assert re.search(r"\d\d:\d\d:\d\d agent 1: 127.0.0.1:\d+ took the seat *$", screen.seen, re.MULTILINE)
    check_record(record, SCENARIOS["NIM"], games)


def test_no_score_stands_between_the_messages_of_a_verbose_agent():
    terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)
    with serve("NIM", games=10**6, opponent=RandomAgent(seed=1), port=0) as server:
        words = f"join --port {server.ports[0]} --agent random --verbose".split()
        screen = terminal.Terminal([sys.executable, "-m", "coincourse", *words])
        while screen.seen.count("Result ") < 3:
            assert screen._read(SECONDS)
        server.close()
        assert screen.finish() == 2
    assert "State (1, 3, 5, 7), at most 2\n" in screen.seen and screen.seen.count(" games won") == 1
