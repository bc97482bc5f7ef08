"""Runs of the AI Sandbox: the record, the seats, and agents that leave or send nonsense."""

from __future__ import annotations

import contextlib
import random
import re
import socket
import struct
import threading

import foreign
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sandbox_runs import SECONDS, check_record, free_ports, over

from coincourse.outside.sandbox import CoinGame_pb2, join, serve
from coincourse.outside.sandbox.server import COLUMNS
from coincourse.terminal import main
from coinlib import SCENARIOS, Move, PerfectAgent, RandomAgent, sticks

NINE = sticks(9, max_pick=2)


@pytest.fixture(autouse=True)
def _strangers_leave():
    yield
    foreign.close_all()


# --- the run and its record -----------------------------------------------------------------------------


def test_server_and_clients_agree_on_every_game(tmp_path):
    """Also, no agent gets the result of a game that is not yet on record."""
    record, told = tmp_path / "games.csv", []

    def watch(message):
        if getattr(message, "status", CoinGame_pb2.PLAY) != CoinGame_pb2.PLAY:
            told.append(len(record.read_text().splitlines()) - 1)

    with serve("NIM", games=30, record=record, port=0) as server:
        clients = [join(RandomAgent(seed), port=port, watch=watch) for seed, port in enumerate(server.ports)]
        assert over(server, *clients)
    results = server.results
    assert list(results.index) == list(range(1, 31))
    for number, client in enumerate(clients, 1):
        assert client.stopped == ""
        assert list(client.results["episode"]) == list(results["episode"])
        assert list(client.results["result"]) == [1 if winner == number else -1 for winner in results["winner"]]
    assert results["episode"].is_unique
    assert results["session"].nunique() == 1
    assert all(lines > place // 2 for place, lines in enumerate(told))
    check_record(record, SCENARIOS["NIM"], 30)


def test_a_record_grows_from_run_to_run_and_no_other_file_is_touched(tmp_path):
    path, other = tmp_path / "games.csv", tmp_path / "other.csv"
    for _ in range(2):
        with serve(sticks(2), games=3, opponent=RandomAgent(seed=1), record=path, port=0) as server:
            assert over(join(RandomAgent(seed=2), port=server.ports[0]))
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert len({row["session"] for row in check_record(path, sticks(2), 6)}) == 2
    path.write_bytes(path.read_bytes()[:-20])  # as after a full disk: the last line was never finished
    with serve(sticks(2), games=1, opponent=RandomAgent(seed=1), record=path, port=0) as server:
        assert over(join(RandomAgent(seed=2), port=server.ports[0]))
    assert path.read_text().splitlines()[-1].startswith(server.session)
    other.write_text("my,own,table\n")
    with pytest.raises(ValueError, match="not a record of games: its first line is 'my,own,table'"):
        serve(record=other, port=0)
    assert other.read_text() == "my,own,table\n"


def test_nothing_blocks_and_nothing_stays_behind():
    thinking = threading.Event()

    def stuck(game, state):
        thinking.wait(SECONDS)
        return Move(3, 1)

    before = {thread for thread in threading.enumerate() if thread.name.startswith("coinlib")}
    with serve("NIM", port=0) as server:
        client = join(RandomAgent(seed=1), port=server.ports[0])
        assert not server.wait(0.05)
        assert not client.wait(0.05)
        assert repr(server) == "Server(0 of 1,000 games: agent 1 won 0, agent 2 won 0)"
        assert len(server.results) == len(client.results) == 0
    assert over(client)
    assert "connection at once" in client.stopped
    assert server.stopped == "closed"
    assert {thread for thread in threading.enumerate() if thread.name.startswith("coinlib")} == before
    with serve("NIM", opponent=stuck, port=server.ports[0]) as again:  # the port is free again
        with join(RandomAgent(seed=1), port=again.ports[0]) as client:
            assert not client.wait(0.05)
        assert client.stopped == "closed"
        thinking.set()


def test_it_listens_on_this_machine_only_unless_asked_and_never_waits_to_fill_a_packet():
    for host in ("127.0.0.1", "0.0.0.0"):
        with serve("NIM", games=1, port=0, host=host) as server:
            agents = [foreign.Agent(port) for port in server.ports]
            agents[0].state()
            assert {seat.listener.getsockname()[0] for seat in server.seats} == {host}
            for seat in server.seats:
                sock = seat.line.writer.get_extra_info("socket")
                assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_what_cannot_be_served_or_joined_is_said_at_once():
    with pytest.raises(ValueError, match="seat: expected 1 or 2, got 3"):
        serve(seat=3)
    for slip in ({"games": 0}, {"games": -3}, {"timeout": 0}, {"timeout": -1}, {"wait": -1}, {"wait": 0}):
        ((name, number),) = slip.items()
        with pytest.raises(ValueError, match=rf"^{name}: expected .* or more, got {number}$"):
            serve(port=0, **slip)
    with pytest.raises(ValueError, match="timeout: expected a number of 0.001 or more, got -1"):
        join(RandomAgent(), timeout=-1)
    for nobody in (None, RandomAgent):
        with pytest.raises(TypeError, match="agent: expected an agent"):
            join(nobody)


# --- an agent that leaves -------------------------------------------------------------------------------


NONSENSE = {
    "a length of 2 GB": (foreign.varint(2**31) + b"x" * 10_000, "announced a message of 2 MB or more"),
    "a length that never ends": (b"\x80" * 1_000, "announced a message of 2 MB or more"),
    "a page of the web": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 4, "sent"),
    "silence": (b"", "did not send a whole message within 1 s"),
    "it leaves": (None, "left"),
}


@pytest.mark.parametrize(("data", "complaint"), NONSENSE.values(), ids=NONSENSE)
def test_an_agent_that_goes_ends_the_run_with_what_was_played_on_record(data, complaint, tmp_path):
    record = tmp_path / "games.csv"
    with serve(NINE, games=50, port=0, record=record) as server:
        honest = foreign.Agent(server.ports[0])
        thread = honest.start(foreign.one_coin)
        peer = foreign.Agent(server.ports[1])
        outcomes = peer.play(foreign.one_coin, games=3)
        peer.state()
        if data == b"":  # for each move from now on; for this one it has more time
            server.seats[1].line.seconds = 1.0
        peer.send(foreign.action(0, 1))
        assert peer.result() == foreign.PLAY
        peer.state()
        if data is None:  # rudely: the connection is reset
            peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
        else:
            with contextlib.suppress(OSError):
                peer.send(data)
        assert over(server, thread)
    assert server.stopped.startswith(f"agent 2 {complaint}")
    assert len(check_record(record, NINE, 3)) == len(outcomes)
    assert sum(entry in (("Result", "WIN"), ("Result", "LOSE")) for entry in honest.log) == 3


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_whatever_comes_the_run_ends_in_words(seed):
    """A stranger that plays, and at some point sends something else, as strangers do."""
    chance = random.Random(seed)
    pieces = [
        chance.randbytes(chance.randrange(1, 200)),
        foreign.action(chance.randrange(-3, 5), chance.randrange(-3, 5)),
        foreign.framed(chance.randbytes(chance.randrange(40))),
        foreign.varint(chance.randrange(2**40)),
        foreign.action(0, 1) * chance.randrange(5),
        b"\x00" * chance.randrange(5),
    ]
    with serve(NINE, games=4, port=0, opponent=PerfectAgent(seed=1), wait=3) as server:
        peer = foreign.Agent(server.ports[0])
        peer.play(foreign.one_coin, games=chance.randrange(3))
        with contextlib.suppress(OSError):
            peer.send(chance.choice(pieces))
            peer.close()
        assert over(server)
    left_its_seat = "no agent took seat 1 within 3 s"
    assert server.stopped in ("", left_its_seat) or server.stopped.startswith("agent 1 ")
    assert len(server.records) == sum(server.wins) == 4 or server.stopped


def test_a_seat_has_room_for_one_and_can_be_left_before_the_first_game():
    lines: list[str] = []
    with serve(NINE, games=2, port=0, log=lines.append) as server:
        seat = server.seats[0]
        for _ in range(3):
            visitor = foreign.Agent(server.ports[0])
            while not seat.is_taken:
                visitor.is_silent(0.01)
            visitor.close()
            while seat.is_taken:
                server.wait(0.01)
        first = foreign.Agent(server.ports[0])
        client = join(RandomAgent(seed=1), port=server.ports[0])
        assert over(client)
        assert client.stopped.endswith("is the seat taken, or the run over?")
        assert over(first.start(foreign.one_coin), foreign.Agent(server.ports[1]).start(foreign.one_coin), server)
    assert (len(server.records), server.stopped) == (2, "")
    assert f"was sent away: {server.names[0]} has the seat" in lines[-2] + lines[-1]


def test_whoever_only_looks_whether_a_port_is_open_gives_the_seat_back():
    """Before the first game, after it was asked for a move, and during a game between others."""
    lines: list[str] = []
    with serve(NINE, games=3, port=0, log=lines.append) as server:
        for number in (1, 2):
            socket.create_connection(("127.0.0.1", server.ports[1])).close()
            while len(lines) < number or server.seats[1].is_taken:
                server.wait(0.01)
        one, probe = (foreign.Agent(port) for port in server.ports)
        one.state()
        one.send(foreign.action(0, 1))
        assert probe.state()["coins"] == (8,)  # It is asked for a move, and leaves.
        probe.close()
        two = foreign.Agent(server.ports[1])
        assert two.state()["coins"] == (8,)  # The next agent is asked the same.
        two.send(foreign.action(0, 1))
        assert one.result() == foreign.PLAY
        first = one.start(foreign.one_coin)
        assert two.result() == foreign.PLAY
        assert over(first, two.start(foreign.one_coin), server)
    assert (len(server.records), server.stopped) == (3, "")
    assert any(line.endswith("left without a move; the seat is free again") for line in lines)


def test_a_seat_that_was_left_without_a_word_is_kept_free_no_longer_than_the_server_waits():
    with serve(NINE, port=0, wait=0.5, opponent=RandomAgent(seed=1)) as server:
        agent = foreign.Agent(server.ports[0])
        agent.state()
        agent.close()
        assert over(server)
    assert server.stopped == "no agent took seat 1 within 0.5 s"


def test_the_server_waits_no_longer_than_it_was_told():
    with serve(NINE, port=0, wait=0.2) as server:
        foreign.Agent(server.ports[0])
        assert over(server)
    assert server.stopped == "no agent took seat 2 within 0.2 s"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("serve CHESS", "invalid choice"),
        ("serve NIM --port 65535", "port: expected at most 65,535, got 65536"),
        ("serve NIM --host 203.0.113.1", "(while attempting to bind on address ('203.0.113.1', 9000))"),
        ("serve NIM --opponent {folder}/mine.py:number", "mine.py cannot be run: TypeError: number: expected an agent"),
        ("serve NIM --opponent {folder}/broken.py:mine", "broken.py cannot be run: SyntaxError"),
        ("serve NIM --port {taken} --opponent random", "(while attempting to bind on address ('127.0.0.1', "),
        ("serve NIM --port {free} --record {folder} --opponent random", "Is a directory"),
        ("join --port 1 --agent random", "no server answers on 127.0.0.1, port 1"),
    ],
)
def test_what_is_typed_wrongly_is_said_in_one_line_and_leaves_no_record(
    words, complaint, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("number = 5")
    (tmp_path / "broken.py").write_text("def mine(:\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        try:
            status = main(words.format(folder=tmp_path, taken=taken.getsockname()[1], free=free_ports()).split())
        except SystemExit as exit:
            status = exit.code
    said = capsys.readouterr().err
    assert complaint in said
    assert (status, said.count("\n"), list(tmp_path.glob("NIM*"))) == (2, 1, [])


def test_the_commands_play_and_show_the_score(capsys, tmp_path):
    record = tmp_path / "games.csv"
    with serve("NIM", games=2, opponent=RandomAgent(seed=1), record=record, port=0) as server:
        assert main(["join", "--port", str(server.ports[0]), "--agent", "perfect", "--verbose"]) == 0
    won = [row["winner"] for row in check_record(record, SCENARIOS["NIM"], 2)].count("1")
    screen = capsys.readouterr().out
    assert re.search(r"^State \(1, 3, 5, 7\), at most 2\nAction: \d from row \d\nResult PLAY$", screen, re.MULTILINE)
    assert screen.endswith(f"\nPerfectAgent: {won} of 2 games won\n")
