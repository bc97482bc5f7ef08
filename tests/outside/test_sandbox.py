"""The AI Sandbox protocol: its messages byte for byte, our server and client with each other and with strangers."""

from __future__ import annotations

import contextlib
import csv
import random
import re
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import foreign
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coincourse.outside import sandbox
from coincourse.outside.sandbox import CoinGame_pb2, join, serve, words
from coincourse.outside.sandbox.server import COLUMNS
from coincourse.outside.sandbox.wire import encode
from coincourse.terminal import main
from coinlib import (
    SCENARIOS,
    CoinGame,
    Hats,
    Move,
    PerfectAgent,
    QLearner,
    RandomAgent,
    RuleAgent,
    ScriptedAgent,
    linear,
    play_match,
    sticks,
)
from coinlib.agents import closed_form
from coinlib.match import Match

SECONDS = 60.0  # after which a test gives up
FOLDER = Path(sandbox.__file__).parent
NINE = sticks(9, max_pick=2)


@pytest.fixture(autouse=True)
def _strangers_leave():
    yield
    foreign.close_all()


def over(*threads) -> bool:
    """Whether servers, clients and threads have all come to their end."""
    threads = [getattr(each, "thread", each) for each in threads]
    for thread in threads:
        thread.join(SECONDS)
    return not any(thread.is_alive() for thread in threads)


# --- the messages ---------------------------------------------------------------------------------------


def test_the_generated_file_is_what_protobuf_makes_of_the_proto(tmp_path):
    proto = (FOLDER / "CoinGame.proto").read_text(encoding="utf-8")
    options = re.search(r"^// +protoc (.*)$", proto, re.MULTILINE)[1]
    options = options.replace("--python_out=coincourse/outside/sandbox", f"--python_out={tmp_path}")
    command = [sys.executable, "-m", "protoc", *options.split()]
    made = subprocess.run(command, cwd=FOLDER.parents[2], capture_output=True, text=True, check=False)
    if "No module named protoc" in made.stderr:
        pytest.skip("the generator is not installed: it comes with the dependency group `test`")
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "CoinGame_pb2.py").read_text() == (FOLDER / "CoinGame_pb2.py").read_text()
    page = (FOLDER.parents[2] / "docs" / "sandbox.md").read_text(encoding="utf-8")
    assert proto[proto.index("syntax") :].strip() in page


@pytest.mark.parametrize(
    ("message", "by_hand"),
    [
        (
            CoinGame_pb2.CoinGameState(sessionID="s", episodeID="e", rowCount=4, coinCount=(1, 3, 5, 7), maxPick=2),
            foreign.state(b"s", b"e", (1, 3, 5, 7), 2),
        ),
        (CoinGame_pb2.CoinGameState(sessionID="s" * 16_384), foreign.framed(foreign.text(1, b"s" * 16_384))),
        (CoinGame_pb2.CoinGameAction(selectedRow=2, removeCount=1), b"\x04\x08\x02\x10\x01"),
        (CoinGame_pb2.CoinGameAction(selectedRow=-1, removeCount=300), foreign.action(-1, 300)),
        (CoinGame_pb2.CoinGameResult(status="WIN"), b"\x00"),
        (CoinGame_pb2.CoinGameResult(status="LOSE"), b"\x02\x08\x02"),
    ],
)
def test_messages_byte_for_byte(message, by_hand):
    """They are read back by every game with a stranger."""
    assert encode(message) == by_hand


# --- strangers on both seats ----------------------------------------------------------------------------


def test_every_message_of_a_game_in_its_place():
    """Each message when it is due, and none before."""
    with serve("NIM", games=2, port=0) as server:
        one, two = (foreign.Agent(port) for port in server.ports)
        asked = one.state()
        assert asked["coins"] == (1, 3, 5, 7)
        assert (asked["rows"], asked["most"]) == (4, 2)
        assert two.is_silent()
        one.send(foreign.action(0, 1))
        answer = two.state()
        assert answer["coins"] == (0, 3, 5, 7)
        assert one.is_silent()  # its Result waits for the other agent's move
        two.send(foreign.action(3, 2))
        assert one.result() == foreign.PLAY
        again = one.state()
        assert again["coins"] == (0, 3, 5, 5)
        assert two.is_silent()
        one.send(foreign.action(3, 3))  # at most 2 may be taken
        assert one.result() == foreign.LOSE
        assert two.result() == foreign.WIN
        following = two.state()  # the first move alternates
        assert following["coins"] == (1, 3, 5, 7)
        assert one.is_silent()
        assert {each["session"] for each in (asked, answer, again, following)} == {server.session.encode()}
        assert asked["episode"] == answer["episode"] == again["episode"] != following["episode"]
    (game,) = server.records
    assert (game.first, game.winner, game.forfeit, game.turns, game.moves) == (1, 2, 1, 2, "0:1 3:2 3:3")
    assert game.reason == "agent 1 forfeits: row 3 holds 5 coins; asked to take 3 (legal: 1 to 2)"


def test_whoever_had_no_turn_hears_nothing():
    """A row of one coin: the first agent takes it and loses; the second never moved."""
    with serve(sticks(1), games=3, port=0) as server:
        one, two = (foreign.Agent(port) for port in server.ports)
        assert over(one.start(foreign.one_coin), two.start(foreign.one_coin))
    assert one.log == [("State", (1,)), ("Action", (0, 1)), ("Result", "LOSE")] * 2
    assert two.log == [("State", (1,)), ("Action", (0, 1)), ("Result", "LOSE")]
    assert server.wins == [1, 2]


def test_an_illegal_move_loses_that_game_and_nothing_else(tmp_path):
    far = 2**31 - 1
    wrong = [(-1, 1), (4, 1), (0, 0), (0, -1), (3, 3), (0, 2), (3, far), (far, 1), (-far - 1, -far - 1)]
    moves = iter([*wrong, (3, 2)])
    with serve("NIM", games=2 * len(wrong) + 1, port=0, record=tmp_path / "games.csv") as server:
        bad, good = (foreign.Agent(port) for port in server.ports)
        assert over(
            good.start(foreign.one_coin),
            bad.start(lambda asked: next(moves) if asked["coins"] == (1, 3, 5, 7) else foreign.one_coin(asked)),
            server,
        )
    assert [(game.forfeit, game.turns) for game in server.records[::2]] == [*[(1, 0)] * len(wrong), (0, 15)]
    assert not any(game.forfeit for game in server.records[1::2])
    assert [game.moves for game in server.records[:-1:2]] == [f"{row}:{count}" for row, count in wrong]
    check_record(tmp_path / "games.csv", SCENARIOS["NIM"], 2 * len(wrong) + 1)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_stranger_plays_every_scenario_against_an_agent_of_ours_on_either_seat(name):
    layout = {"SINGLE_21": (21,), "DOUBLE_21": (21, 21)}.get(name[:-2], (1, 3, 5, 7))
    for seat in (1, 2):
        with serve(name, games=4, opponent=PerfectAgent(seed=1), seat=seat, port=0) as server:
            agent = foreign.Agent(server.ports[0])
            outcomes = agent.play(foreign.one_coin)
            assert over(server)
        assert agent.log[2 - seat * 2 + 2 :][:1] == [("State", layout)] or seat == 1
        assert [foreign.WIN if winner != seat else foreign.LOSE for winner in server.results["winner"]] == outcomes
        assert (len(server.ports), server.names[seat - 1]) == (1, "PerfectAgent")
        assert server.game.max_pick == (int(name[-1]) if name[-1].isdigit() else 2)


# --- our client -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "most", "packed"),
    [((21,), 3, True), ((21, 21), 2, False), ((1, 3, 5, 7), 2, True), ((2, 9), 4, False), ((1,) * 110, 1, True)],
    ids=["one row", "two", "four", "not packed", "a long State"],
)
def test_our_client_on_the_server_of_a_stranger(rows, most, packed):
    there = foreign.Server(rows, most, games=4, packed=packed)
    client = join(RuleAgent(closed_form), port=there.port)
    assert over(client)
    assert client.stopped == ""
    assert list(client.results["result"]) == [{foreign.WIN: 1, foreign.LOSE: -1}[status] for status in there.outcomes]
    assert (client.results["result"] > 0).sum() >= 2
    assert set(client.results["session"]) == {"a session"}
    assert list(client.results["episode"]) == ["game 0", "game 1", "game 2", "game 3"]


@pytest.mark.parametrize("nonsense", [0, 4, (-1, 1), None, Move(0, 10**30)], ids=repr)
@pytest.mark.parametrize("most", [1, 3])
def test_what_would_stop_the_original_server_is_never_sent_and_loses(nonsense, most):
    """It plays all its games; ours counts a loss, and says in words why."""
    there = foreign.Server((7,), most, games=4)
    client = join(lambda game, state: nonsense if state[0] < 5 else 1, port=there.port)
    assert over(client)
    assert (client.stopped, len(there.outcomes)) == ("", 4)
    assert list(client.results["result"]) == [-1] * 4
    assert client.results["illegal"].str.endswith("; the game is lost, and what was sent gives it away").all()
    assert client.score.startswith("<lambda>: 0 of 4 games won; 4 illegal moves, the last: ")
    assert most == 1 or there.outcomes == [foreign.LOSE] * 4  # at most 1: there it can only play on


def test_what_an_agent_or_a_watch_raises_ends_its_stay_in_words():
    client = join(lambda game, state: 1 / 0, port=foreign.Server().port)
    assert over(client)
    assert client.stopped == "<lambda> raised ZeroDivisionError in state (21,): division by zero"
    client = join(RandomAgent(seed=1), port=foreign.Server().port, watch=lambda message: message.no_such_thing)
    assert over(client)
    assert client.stopped == "AttributeError: no_such_thing"
    answers = iter([1, 1])
    with serve(sticks(2), opponent=lambda game, state: next(answers), port=0) as server:
        assert over(join(RandomAgent(seed=1), port=server.ports[0]), server)
    assert "raised StopIteration in state" in server.stopped and server.records


def test_a_watched_conversation():
    """The messages as they pass are those of lesson 01."""
    there = foreign.Server((7,), 3, games=1)
    seen: list = []
    assert over(join(ScriptedAgent(3, 2), port=there.port, watch=seen.append))
    names = [message.DESCRIPTOR.name.removeprefix("CoinGame") for message in seen]
    assert names == ["State", "Action", "Result"] * 2
    assert [words(message) for message in seen[:3]] == ["State (7,), at most 3", "Action: 3 from row 0", "Result PLAY"]
    assert [tuple(seen[place].coinCount) for place in (0, 3)] == [(7,), (3,)]
    assert (seen[2].status, seen[5].status) == (foreign.PLAY, foreign.WIN)


STATE = foreign.state(b"s", b"e", (9,), 2)
BAD_SERVERS = {
    "a length of 2 GB": (foreign.varint(2**31), "the server announced a message of 2 MB or more"),
    "a Result": (foreign.result(foreign.PLAY), "the server sent 2 bytes that are no CoinGameState"),
    "nothing may be taken": (foreign.state(b"s", b"e", (5,), 0), "max_pick: expected 1 or more, got 0"),
    "another State": (STATE * 2, "bytes that are no CoinGameResult"),
    "more coins than before": (
        STATE + foreign.result(foreign.PLAY) + foreign.state(b"s", b"e", (22,), 2),
        "expected a state of this game",
    ),
    "it leaves": (STATE, "the server left"),
    "it is silent": (None, "the server sent no whole message within 0.2 seconds"),
}


@pytest.mark.parametrize(("data", "complaint"), BAD_SERVERS.values(), ids=BAD_SERVERS)
def test_our_client_leaves_a_bad_server_in_words(data, complaint):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        seconds = 0.2 if data is None else SECONDS
        client = join(RandomAgent(seed=1), port=listener.getsockname()[1], timeout=seconds)
        sock, _ = listener.accept()
        with sock:
            if data is not None:
                sock.sendall(data)
                sock.shutdown(socket.SHUT_WR)
            assert over(client)
    assert complaint in client.stopped
    assert client.records == []


# --- learning over the wire -----------------------------------------------------------------------------


LEARNERS = {
    "hats": lambda game, seed: Hats(game, seed=seed),
    "greedy": lambda game, seed: QLearner(game, seed=seed),
    "curious": lambda game, seed: QLearner(
        game, learning_rate=0.3, discount=0.9, exploration=linear(0.8, 0.1, 100), legal_only=False, seed=seed
    ),
}


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("seat", [1, 2])
def test_learners_learn_over_the_wire_what_they_learn_at_home(kind, seat):
    """The same generators, the same 200 games, a learner on each end: the same tables to the last bit."""
    game, games = SCENARIOS["NIM"], 200
    home, away = ((LEARNERS[kind](game, 7), Hats(game, seed=3)) for _ in range(2))
    for number in range(games):
        play_match(game, *(home if number % 2 == seat - 1 else home[::-1]), learn=True)
    with serve(game, games, opponent=away[1], seat=3 - seat, port=0) as server:
        client = join(away[0], port=server.ports[0])
        assert over(client)
    played = len(client.records)
    assert played + (server.results["turns"] == 0).sum() >= away[0].games == played
    for one, other in zip(home, away):
        assert one.games >= played > 0
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.visits, other.visits)
        assert one.generator.bit_generator.state == other.generator.bit_generator.state


def test_a_learner_that_only_plays_or_is_left_in_a_game_stays_as_it_is():
    game = SCENARIOS["NIM"]
    learner = QLearner(game, seed=1)
    with serve(game, games=20, opponent=QLearner(game, seed=2), learn=False, port=0) as server:
        client = join(learner, port=server.ports[0], learn=False)
        assert over(client)
    assert (len(client.records), learner.games, server.agents[2].games) == (20, 0, 0)
    with serve(game, games=5, port=0) as server:
        client = join(learner, port=server.ports[0])
        other = foreign.Agent(server.ports[1])
        other.state()
        other.send(foreign.action(3, 1))
        other.result()
    assert over(client)
    assert client.stopped == "the server left"
    assert (learner.games, learner.visits.sum()) == (0, 0)
    assert not learner.values[np.isfinite(learner.values)].any()


def test_a_learner_is_made_when_the_first_state_has_told_the_game():
    with serve("NIM_7", games=5, opponent=RandomAgent(seed=1), port=0) as server:
        client = join(make=QLearner, port=server.ports[0])
        assert over(client)
    assert client.agent.game == SCENARIOS["NIM_7"]
    assert client.agent.games == 5


# --- the run and its record -----------------------------------------------------------------------------


def check_record(path: Path, game: CoinGame, games: int) -> list[dict]:
    """Play every game of a record again by the rules: it must end as it says."""
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


def test_server_and_clients_agree_on_every_game(tmp_path):
    """And nobody hears of a game that is not yet on record."""
    record, told = tmp_path / "games.csv", []

    def watch(message):
        if getattr(message, "status", CoinGame_pb2.PLAY) != CoinGame_pb2.PLAY:
            told.append(len(record.read_text().splitlines()) - 1)

    with serve("NIM", games=100, record=record, port=0) as server:
        clients = [join(RandomAgent(seed), port=port, watch=watch) for seed, port in enumerate(server.ports)]
        assert over(server, *clients)
    results = server.results
    assert list(results.index) == list(range(1, 101))
    for number, client in enumerate(clients, 1):
        assert client.stopped == ""
        assert list(client.results["episode"]) == list(results["episode"])
        assert list(client.results["result"]) == [1 if winner == number else -1 for winner in results["winner"]]
    assert results["episode"].is_unique
    assert results["session"].nunique() == 1
    assert all(lines > place // 2 for place, lines in enumerate(told))
    check_record(record, SCENARIOS["NIM"], 100)


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
    with pytest.raises(ValueError, match="no record of games: its first line is 'my,own,table'"):
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
    assert "before it began" in client.stopped
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


def free_ports() -> int:
    """A port with a free one above it."""
    for _ in range(50):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
            with contextlib.suppress(OSError):
                socket.create_server(("127.0.0.1", port + 1)).close()
                return port
    raise AssertionError("no two free ports side by side")


def test_what_cannot_be_served_or_joined_is_said_at_once():
    with pytest.raises(ValueError, match="seat: expected 1 or 2, got 3"):
        serve(seat=3)
    for settings in ({"games": 0}, {"games": -3}, {"timeout": 0}, {"timeout": -1}, {"wait": -1}, {"wait": 0}):
        ((name, number),) = settings.items()
        with pytest.raises(ValueError, match=rf"^{name}: expected .* or more, got {number}$"):
            serve(port=0, **settings)
    with pytest.raises(ValueError, match="timeout: expected a number of 0.001 or more, got -1"):
        join(RandomAgent(), timeout=-1)
    for nobody in (None, RandomAgent):
        with pytest.raises(TypeError, match="agent: expected an agent"):
            join(nobody)


# --- an agent that goes ---------------------------------------------------------------------------------


NONSENSE = {
    "a length of 2 GB": (foreign.varint(2**31) + b"x" * 10_000, "announced a message of 2 MB or more"),
    "a length that never ends": (b"\x80" * 1_000, "announced a message of 2 MB or more"),
    "a page of the web": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 4, "sent"),
    "silence": (b"", "sent no whole message within 1 seconds"),
    "it leaves": (None, "left"),
}


@pytest.mark.parametrize(("data", "complaint"), NONSENSE.values(), ids=NONSENSE)
def test_an_agent_that_goes_ends_the_run_with_what_was_played_on_record(data, complaint, tmp_path):
    record = tmp_path / "games.csv"
    with serve(NINE, games=50, port=0, record=record) as server:
        honest = foreign.Agent(server.ports[0])
        thread = honest.start(foreign.one_coin)
        peer = foreign.Agent(server.ports[1])
        outcomes = peer.play(foreign.one_coin, games=1)
        server.seats[1].line.seconds = 1.0  # for a move; that for which it is being asked has thirty
        outcomes += peer.play(foreign.one_coin, games=2)
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


@given(st.integers(0, 2**32))
def test_whatever_comes_the_run_ends_in_words(seed):
    """A stranger who plays, and at some time sends something else, as strangers do."""
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
    left_its_seat = "nobody took the seat of agent 1 within 3 s"
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
    """Before the first game, when it was asked for a move, and in the middle of a game of the others."""
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
    assert server.stopped == "nobody took the seat of agent 1 within 0.5 s"


def test_the_server_waits_no_longer_than_it_was_told():
    with serve(NINE, port=0, wait=0.2) as server:
        foreign.Agent(server.ports[0])
        assert over(server)
    assert server.stopped == "nobody took the seat of agent 2 within 0.2 s"


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
        "NIM. Rows of 1, 3, 5, 7: take 1 to 2 coins from one row. Misère play: whoever takes the last coin"
    )
    assert f"agent 2: waits on 127.0.0.1, port {port + 1}\n" in out
    assert re.search(r"\n30 of 30 games: agent 1 won \d+, agent 2 won \d+\n$", out)
    assert len(log.splitlines()) == 2  # two sat down; no score where there is no terminal
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
