"""Bad company: whatever comes over the wire, the server plays on, the other side and the record are unharmed.

Every test ends in an honest game, and the record is then played again by the rules.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import threading
import time
import tracemalloc

import foreign
import pytest
from test_sandbox import SECONDS, check_record, stuck

from coincourse.outside.sandbox import join, serve
from coinlib import RandomAgent, ScriptedAgent, sticks

GAME = sticks(9, max_pick=2)
SHORT = 0.4  # seconds for a move


@pytest.fixture(autouse=True)
def _strangers_leave():
    yield
    foreign.close_all()


@contextlib.contextmanager
def served(tmp_path, games: int = 6, timeout: float = SHORT, patient: bool = True, **settings):
    """A server with an honest agent in seat 1; at the end somebody honest takes seat 2, and all games are played.

    Only those who are meant to be late have little time: the machine may be busy.
    """
    record = tmp_path / "games.csv"
    with serve(GAME, games, port=0, record=record, timeout=timeout, wait=20.0, **settings) as server:
        server.seats[0].timeout = SECONDS
        honest = foreign.Agent(server.ports[0])
        outcomes: list[int] = []
        thread = threading.Thread(target=lambda: outcomes.extend(honest.play(foreign.one_coin)), daemon=True)
        thread.start()
        yield server, server.ports[-1]
        if patient:
            server.seats[-1].timeout = SECONDS
        play_to_the_end(server)
        thread.join(SECONDS)
        assert (len(server.records), server.stopped) == (games, "")
        rows = check_record(record, GAME, games)
        assert [
            foreign.WIN if row["winner"] == "1" else foreign.LOSE for row in rows if said_to_the_first(row)
        ] == outcomes


def said_to_the_first(row: dict) -> bool:
    """Whether agent 1 had a turn in a game: only then it hears how the game ended."""
    return row["first"] == "1" or int(row["turns"]) > 0


def play_to_the_end(server) -> None:
    """Somebody honest takes the second seat as soon as it is free, and keeps it."""
    deadline = time.monotonic() + SECONDS
    while not server.wait(0.02):
        assert time.monotonic() < deadline, (server, list(server.lines)[-5:])
        with contextlib.suppress(OSError):
            foreign.Agent(server.ports[-1]).play(foreign.one_coin)


def complaint(server) -> str:
    """The last word of the log about a seat that was lost."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        lost = [line for line in list(server.lines) if "lost its seat: " in line]
        if lost:
            return lost[-1].partition("lost its seat: ")[2]
        time.sleep(0.01)
    raise AssertionError(f"nobody lost a seat: {list(server.lines)}")


NONSENSE = {
    "half a length": (b"\x80", "it sent no whole message within 0.4 seconds"),
    "half a message": (b"\x04\x08\x00", "it sent no whole message within 0.4 seconds"),
    "a length of 2 GB": (foreign.varint(2**31), "it announced a message of more than 1,024 bytes"),
    "a length of 2 GB, and some of it": (foreign.varint(2**31) + b"x" * 10_000, "it announced a message of more than"),
    "a length one above the limit": (foreign.varint(1_025), "it announced a message of more than 1,024 bytes"),
    "a length as large as can be": (b"\xff" * 9 + b"\x01", "it announced a message of more than 1,024 bytes"),
    "a length that never ends": (b"\x80" * 1_000, "it sent a length that does not end"),
    "bytes that are no message": (b"\x05\xff\xff\xff\xff\xff", "it sent 5 bytes that are no CoinGameAction"),
    "a State": (foreign.state(b"s", b"e", (9,), 2), "it sent another message in the place of a CoinGameAction"),
    "a page of the web": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 4, "it sent"),
    "silence": (b"", "it sent no whole message within 0.4 seconds"),
}


@pytest.mark.parametrize("bad", NONSENSE)
@pytest.mark.parametrize("moved", [False, True], ids=["at first", "in the middle"])
def test_nonsense_costs_the_seat(bad, moved, tmp_path):
    """And the game too, if whoever sends it has moved in it."""
    data, words = NONSENSE[bad]
    with served(tmp_path) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        if moved:
            peer.send(foreign.action(0, 1))
            assert peer.result() == foreign.PLAY
            peer.state()
        peer.send(data)
        assert complaint(server).startswith(words)
    forfeits = [record for record in server.records if record.forfeit]
    assert [(record.forfeit, record.winner) for record in forfeits] == [(2, 1)] * moved
    assert all("got no move (it " in record.reason for record in forfeits)


def test_a_result_in_the_place_of_an_action_is_a_wrong_move(tmp_path):
    """A Result of LOSE and an Action that takes nothing from row 2 are the same two bytes."""
    with served(tmp_path) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        peer.send(foreign.result(foreign.LOSE))
        assert peer.result() == foreign.LOSE
        peer.play(foreign.one_coin)
    assert [record.forfeit for record in server.records] == [2, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("moved", [False, True], ids=["at first", "in the middle"])
@pytest.mark.parametrize("rudely", [False, True], ids=["politely", "rudely"])
def test_a_peer_that_leaves(moved, rudely, tmp_path):
    with served(tmp_path) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        if moved:
            peer.send(foreign.action(0, 1))
            peer.result()
            peer.state()
        if rudely:  # the connection is reset
            peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.close()
        assert complaint(server) == "it left"
    assert [record.forfeit for record in server.records] == [2 * moved, 0, 0, 0, 0, 0]


def test_whoever_takes_the_seat_of_one_that_had_not_moved_gets_the_same_state(tmp_path):
    with served(tmp_path) as (_, port):
        first = foreign.Agent(port)
        asked = first.state()
        first.close()
        second = foreign.Agent(port)
        assert second.state() == asked
        second.close()


def test_a_peer_that_speaks_before_it_is_asked(tmp_path):
    with served(tmp_path) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        peer.send(foreign.action(0, 1) * 2)
        assert complaint(server) == "it spoke before it was asked"
    assert server.records[0].forfeit == 2


def test_byte_by_byte_gains_no_time(tmp_path):
    """Each byte in time, the message as a whole not: slow loris."""
    with served(tmp_path) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        began = time.monotonic()
        with contextlib.suppress(OSError):
            for byte in foreign.framed(b"\x08\x00" * 100):
                peer.send(bytes([byte]))
                time.sleep(SHORT / 8)
                if any("lost its seat" in line for line in server.lines):
                    break
        assert time.monotonic() - began < 6  # all of it would take ten seconds
        assert complaint(server) == "it sent no whole message within 0.4 seconds"


def test_byte_by_byte_but_in_time_is_a_move(tmp_path):
    with served(tmp_path, timeout=10.0) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        for byte in foreign.action(0, 2):
            peer.send(bytes([byte]))
            time.sleep(0.01)
        assert peer.result() == foreign.PLAY
        peer.close()
    assert "0:2" in server.records[0].moves


def test_the_second_on_a_seat_is_sent_away_and_the_first_plays_on(tmp_path):
    with served(tmp_path, timeout=10.0) as (server, port):
        first = foreign.Agent(port)
        asked = first.state()
        for _ in range(3):
            second = foreign.Agent(port)
            assert second.body() is None  # closed, and not reset
        first.send(foreign.action(0, 1))
        assert first.result() == foreign.PLAY
        assert first.state()["coins"] < asked["coins"]
        assert sum("was sent away: 127.0.0.1:" in line for line in server.lines) == 3
        client = join(RandomAgent(seed=1), port=port)
        assert client.wait(SECONDS)
        assert client.stopped.endswith("is the seat taken, or the run over?")
        first.close()


def test_a_seat_is_free_as_soon_as_whoever_had_it_is_gone():
    """Also while the server waits for the other seat."""
    with serve(GAME, games=2, port=0, timeout=5.0) as server:
        for _ in range(4):
            foreign.Agent(server.ports[0]).close()
        talker = foreign.Agent(server.ports[0])  # it stays, and talks before it is asked
        talker.send(b"GET / HTTP/1.1\r\n\r\n")
        time.sleep(0.1)
        kept = foreign.Agent(server.ports[0])
        assert kept.is_silent()
        threads = [kept.start(foreign.one_coin), foreign.Agent(server.ports[1]).start(foreign.one_coin)]
        assert server.wait(SECONDS)
        for thread in threads:
            thread.join(SECONDS)
    assert sum("lost its seat: it left" in line for line in server.lines) == 4
    assert sum("lost its seat: it spoke before it was asked" in line for line in server.lines) == 1
    assert len(server.records) == 2


def open_files() -> int:
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def test_thousands_of_connections_one_after_another(tmp_path):
    """Neither a free nor a taken seat gathers files, threads or memory."""
    with served(tmp_path, timeout=20.0) as (server, port):
        peer = None
        before = (open_files(), threading.active_count())
        tracemalloc.start()
        for number in range(2_000):
            if number == 1_000:  # from here on somebody sits there
                peer = foreign.Agent(port)
                peer.state()
                before = (before[0] + 2, before[1])
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), SECONDS) as sock:
                if number % 3 == 0:
                    sock.sendall(b"\x80\x80\x80")
        held = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        deadline = time.monotonic() + SECONDS
        while open_files() > before[0] + 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert open_files() <= before[0] + 2
        assert threading.active_count() <= before[1]
        assert held < 2_000_000
        peer.send(foreign.action(0, 1))
        assert peer.result() == foreign.PLAY
        peer.close()
    assert len(server.lines) <= 1_000


@pytest.mark.parametrize(
    "flood", [b"\x00", b"\x80", b"\xff", foreign.action(0, 1), foreign.varint(1_024) + b"x" * 1_024]
)
def test_a_flood_is_cut_off_and_not_kept(flood, tmp_path):
    with served(tmp_path, timeout=5.0) as (server, port):
        peer = foreign.Agent(port)
        peer.state()
        piece = flood * (65_536 // len(flood) + 1)
        tracemalloc.start()
        with contextlib.suppress(OSError):
            for _ in range(200):  # 13 MB and more
                peer.send(piece)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1_000_000
        peer.close()
        assert complaint(server)
    assert sum(record.forfeit == 2 for record in server.records) <= 1


def test_a_seat_that_nobody_takes_again_ends_the_run_in_words(tmp_path):
    record = tmp_path / "games.csv"
    with serve(GAME, games=50, port=0, record=record, timeout=2.0, wait=0.5) as server:
        server.seats[0].timeout = SECONDS
        honest = foreign.Agent(server.ports[0])
        thread = honest.start(foreign.one_coin)
        foreign.Agent(server.ports[1]).play(foreign.one_coin, games=4)
        assert server.wait(SECONDS)
        thread.join(SECONDS)
    assert server.stopped == "nobody took the seat of agent 2 within 0.5 s"
    assert [record.forfeit for record in server.records] == [0, 0, 0, 0, 2]
    assert honest.log[-1] == ("Result", "WIN")
    check_record(record, GAME, 5)


def test_those_who_come_and_go_silently_do_not_keep_the_run_alive():
    with serve(GAME, games=50, port=0, timeout=0.3, wait=1.0) as server:
        server.seats[0].timeout = SECONDS
        foreign.Agent(server.ports[0]).start(foreign.one_coin)
        foreign.Agent(server.ports[1]).play(foreign.one_coin, games=1)
        silent = []
        began = time.monotonic()
        while not server.wait(0.01) and time.monotonic() - began < SECONDS:
            with contextlib.suppress(OSError):
                silent.append(foreign.Agent(server.ports[1]))
        assert time.monotonic() - began < 20
    assert "nobody took the seat" in server.stopped


def test_before_the_first_move_of_a_seat_nobody_can_end_the_run(tmp_path):
    """A scan of all ports comes by before the students do."""
    with serve(GAME, games=2, port=0, opponent=ScriptedAgent(*[1] * 9), timeout=0.1, wait=0.2) as server:
        for data in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"", b"\x80" * 50):
            with contextlib.suppress(OSError):
                peer = foreign.Agent(server.ports[0])
                peer.send(data)
                peer.close()
        time.sleep(0.5)
        assert not server.wait(0)
        server.seats[0].timeout = SECONDS
        assert foreign.Agent(server.ports[0]).play(foreign.one_coin) != []
        assert server.wait(SECONDS)
    assert (len(server.records), server.stopped) == (2, "")


def test_the_server_can_be_stopped_whatever_it_waits_for():
    for opponent in (None, stuck):
        with serve(GAME, port=0, opponent=opponent, seat=2, timeout=60.0) as server:
            foreign.Agent(server.ports[0])
            time.sleep(0.05)
            began = time.monotonic()
        assert time.monotonic() - began < 20
        assert server.records == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_ends_the_run_in_words(tmp_path):
    with serve(GAME, port=0, opponent=RandomAgent(seed=1), record=tmp_path / "games.csv") as server:
        server.file.close()
        server.file = open("/dev/full", "wb", buffering=0)  # noqa: SIM115 - the server closes it
        foreign.Agent(server.ports[0]).start(foreign.one_coin)
        assert server.wait(SECONDS)
    assert "No space left on device" in server.stopped
    assert server.records == []  # nothing counts that is not written down


# --- a bad server ---------------------------------------------------------------------------------------


BEFORE = {
    "half a message": (foreign.state(b"s", b"e", (9,), 2)[:-3], "it left in the middle of a message"),
    "a length of 2 GB": (foreign.varint(2**31), "more than 65,536 bytes"),
    "a length that never ends": (b"\x80" * 50, "a length that does not end"),
    "bytes that are no message": (b"\x05\xff\xff\xff\xff\xff", "that are no CoinGameState"),
    "a Result": (foreign.result(foreign.PLAY), "another message in the place of a CoinGameState"),
    "no rows": (foreign.state(b"s", b"e", (), 2), "State that cannot be"),
    "no coins": (foreign.state(b"s", b"e", (0, 0), 2), "that is none of"),
    "less than no coins": (foreign.state(b"s", b"e", (-1, 5), 2), "State that cannot be"),
    "nothing may be taken": (foreign.state(b"s", b"e", (5,), 0), "State that cannot be"),
    "less than nothing may be taken": (foreign.state(b"s", b"e", (5,), -2), "State that cannot be"),
    "an empty State": (b"\x00", "State that cannot be"),
}
AFTER = {
    "half a Result": (b"\x02\x08", "it left in the middle of a message"),
    "a status that is none": (foreign.result(7), "a Result of 7, which is none of WIN, PLAY and LOSE"),
    "a State": (foreign.state(b"s", b"e", (9,), 2), "that are no CoinGameResult|in the place of a CoinGameResult"),
    "more coins than before": (
        foreign.result(foreign.PLAY) + foreign.state(b"s", b"e", (22,), 2),
        "that is none of CoinGame",
    ),
    "it leaves": (b"", "left in the middle of a game"),
}


@pytest.mark.parametrize(("data", "words"), [*BEFORE.values(), *AFTER.values()], ids=[*BEFORE, *AFTER])
def test_our_client_leaves_a_bad_server_in_words(data, words):
    if (data, words) in AFTER.values():
        data = foreign.state(b"s", b"e", (9,), 2) + data
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = join(RandomAgent(seed=1), port=listener.getsockname()[1], timeout=5.0)
        sock, _ = listener.accept()
        with sock:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            assert client.wait(SECONDS)
    assert client.stopped.startswith(("lost the server: ", "the server left"))
    assert any(word in client.stopped for word in words.split("|"))
    assert client.games == 0


def test_our_client_waits_no_longer_than_it_was_told():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = join(RandomAgent(seed=1), port=listener.getsockname()[1], timeout=0.2)
        assert client.wait(SECONDS)
    assert client.stopped == "lost the server: it sent no whole message within 0.2 seconds"


def test_a_server_that_begins_another_game_without_ending_the_last(tmp_path):
    """What is not told is not counted, and nothing is learnt from it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = join(ScriptedAgent(1, 1, 1), port=listener.getsockname()[1], timeout=5.0)
        sock, _ = listener.accept()
        with sock:
            sock.sendall(foreign.state(b"s", b"one", (9,), 2) + foreign.result(foreign.PLAY))
            sock.sendall(foreign.state(b"s", b"two", (9,), 2) + foreign.result(foreign.WIN))
            assert not client.wait(0.2)
        assert client.wait(SECONDS)
    assert list(client.results["episode"]) == [b"two".decode()]


# --- anything at all --------------------------------------------------------------------------------------


def misbehave(chance: random.Random, port: int) -> None:
    """One stranger who does some of what strangers do."""
    peer = foreign.Agent(port)
    pieces = [
        lambda: chance.randbytes(chance.randrange(1, 200)),
        lambda: foreign.action(chance.randrange(-3, 5), chance.randrange(-3, 5)),
        lambda: foreign.action(chance.randrange(-(2**31), 2**31), chance.randrange(-(2**31), 2**31)),
        lambda: foreign.framed(chance.randbytes(chance.randrange(40))),
        lambda: foreign.varint(chance.randrange(2**40)),
        lambda: foreign.result(chance.randrange(4)),
        lambda: foreign.action(0, 1)[: chance.randrange(3)],
        lambda: b"\x80" * chance.randrange(30),
        lambda: b"\x00" * chance.randrange(5),
    ]
    with contextlib.suppress(OSError):
        peer.sock.settimeout(0.2)
        for _ in range(chance.randrange(4)):
            if chance.random() < 0.5:
                peer.state()
            peer.send(chance.choice([lambda: foreign.action(0, 1), chance.choice(pieces)])())
            if chance.random() < 0.3:
                time.sleep(0.02)
    if chance.random() < 0.8:
        peer.close()


@pytest.mark.parametrize("seed", range(3))
def test_whatever_comes_the_server_plays_on_and_the_record_is_whole(seed, tmp_path):
    """For some seconds strangers of all kinds, some at the same time; then all games are played to the end."""
    chance, before = random.Random(seed), threading.active_count()
    with served(tmp_path, games=400, timeout=0.1, patient=False) as (server, port):
        ending = time.monotonic() + 2.5
        while time.monotonic() < ending and not server.wait(0):
            crowd = [
                threading.Thread(target=misbehave, args=(random.Random(chance.random()), port), daemon=True)
                for _ in range(chance.randrange(1, 4))
            ]
            for thread in crowd:
                thread.start()
            for thread in crowd:
                thread.join(SECONDS)
        assert not server.wait(0), server
        assert server.thread.is_alive()
    assert threading.active_count() <= before + 1
    assert sum("lost its seat" in line for line in server.lines) > 10
