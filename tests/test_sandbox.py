"""The AI Sandbox protocol: its messages byte for byte, our server and client with each other and with strangers."""

from __future__ import annotations

import csv
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import foreign
import numpy as np
import pytest

from coincourse.outside import sandbox
from coincourse.outside.sandbox import CoinGame_pb2, join, serve, words
from coincourse.outside.sandbox.server import Record
from coincourse.outside.sandbox.wire import LONGEST, WireError, encode, take
from coincourse.terminal import main
from coinlib import (
    SCENARIOS,
    CoinGame,
    Hats,
    Move,
    PerfectAgent,
    QLearner,
    RandomAgent,
    ScriptedAgent,
    linear,
    play_match,
    sticks,
)

SECONDS = 60.0  # after which a test gives up
FOLDER = Path(sandbox.__file__).parent


@pytest.fixture(autouse=True)
def _strangers_leave():
    yield
    foreign.close_all()


def listening(port: int = 0) -> dict:
    """What a test says to `serve`: any free port, and short waits."""
    return {"port": port, "timeout": 20.0, "wait": 20.0}


# --- the messages -----------------------------------------------------------------------------------------


def test_the_generated_file_is_what_protobuf_makes_of_the_proto(tmp_path):
    proto = (FOLDER / "CoinGame.proto").read_text(encoding="utf-8")
    words = re.search(r"^// +protoc (.*)$", proto, re.MULTILINE)[1].replace(
        "--python_out=coincourse/outside/sandbox", ""
    )
    command = [sys.executable, "-m", "protoc", *words.split(), f"--python_out={tmp_path}"]
    made = subprocess.run(command, cwd=FOLDER.parent.parent.parent, capture_output=True, text=True, check=False)
    if "No module named protoc" in made.stderr:
        pytest.skip("the generator is not installed: it comes with the dependency group `test`")
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "CoinGame_pb2.py").read_text() == (FOLDER / "CoinGame_pb2.py").read_text()


def test_names_numbers_and_types_are_those_of_the_protocol():
    file = CoinGame_pb2.DESCRIPTOR
    assert file.package == "coingame"
    numbers, texts, repeated = 5, 9, True  # protobuf's int32 and string
    assert {
        (message.name, field.name, field.number, field.type, field.is_repeated)
        for message in file.message_types_by_name.values()
        for field in message.fields
    } == {
        ("CoinGameState", "sessionID", 1, texts, False),
        ("CoinGameState", "episodeID", 2, texts, False),
        ("CoinGameState", "rowCount", 3, numbers, False),
        ("CoinGameState", "coinCount", 4, numbers, repeated),
        ("CoinGameState", "maxPick", 5, numbers, False),
        ("CoinGameAction", "selectedRow", 1, numbers, False),
        ("CoinGameAction", "removeCount", 2, numbers, False),
        ("CoinGameResult", "status", 1, 14, False),
    }
    assert dict(CoinGame_pb2.CoinGameSignal.items()) == {"WIN": 0, "PLAY": 1, "LOSE": 2}


@pytest.mark.parametrize(
    ("message", "by_hand"),
    [
        (
            CoinGame_pb2.CoinGameState(sessionID="s", episodeID="e", rowCount=4, coinCount=(1, 3, 5, 7), maxPick=2),
            foreign.state(b"s", b"e", (1, 3, 5, 7), 2),
        ),
        (CoinGame_pb2.CoinGameAction(selectedRow=2, removeCount=1), b"\x04\x08\x02\x10\x01"),
        (CoinGame_pb2.CoinGameAction(selectedRow=-1, removeCount=300), foreign.action(-1, 300)),
        (CoinGame_pb2.CoinGameAction(), b"\x00"),
        (CoinGame_pb2.CoinGameResult(status="WIN"), b"\x00"),
        (CoinGame_pb2.CoinGameResult(status="PLAY"), b"\x02\x08\x01"),
        (CoinGame_pb2.CoinGameResult(status="LOSE"), b"\x02\x08\x02"),
    ],
    ids=str,
)
def test_messages_byte_for_byte(message, by_hand):
    assert encode(message) == by_hand
    buffer = bytearray(by_hand + b"more")
    assert type(message).FromString(take(buffer)) == message
    assert buffer == b"more"


@pytest.mark.parametrize("length", [0, 1, 127, 128, 16_383, 16_384, LONGEST])
def test_every_length_up_to_the_limit_is_read_back(length):
    message = foreign.framed(b"x" * length)
    assert take(bytearray(message)) == b"x" * length
    for cut in {0, min(1, len(message) - 1), len(message) - 1}:
        assert take(bytearray(message[:cut])) is None


@pytest.mark.parametrize("head", [foreign.varint(LONGEST + 1), foreign.varint(2**31), b"\x80" * 10, b"\xff" * 10])
def test_a_length_beyond_the_limit_is_refused_at_once(head):
    with pytest.raises(WireError):
        take(bytearray(head))


# --- strangers on both seats ------------------------------------------------------------------------------


def test_two_agents_of_strangers_hear_what_lesson_01_says():
    """One row of 7, at most 3, misère play: moves 3, 1, 2, 1; then the same with the other agent first."""
    with serve(sticks(7), games=2, **listening()) as server:
        one, two = (foreign.Agent(port) for port in server.ports)
        moves = {7: 3, 4: 1, 3: 2, 1: 1}

        def choose(asked):
            return 0, moves[asked["coins"][0]]

        threads = [agent.start(choose) for agent in (one, two)]
        assert server.wait(SECONDS)
        for thread in threads:
            thread.join(SECONDS)
    first = [("State", (7,)), ("Action", (0, 3)), ("Result", "PLAY")]
    first += [("State", (3,)), ("Action", (0, 2)), ("Result", "WIN")]
    second = [("State", (4,)), ("Action", (0, 1)), ("Result", "PLAY")]
    second += [("State", (1,)), ("Action", (0, 1)), ("Result", "LOSE")]
    assert one.log == first + second
    assert two.log == second + first
    assert server.wins == [1, 1]
    assert list(server.results["first"]) == [1, 2]
    assert list(server.results["moves"]) == ["0:3 0:1 0:2 0:1"] * 2


def test_every_message_of_a_game_in_its_place():
    """Each message when it is due, and none before."""
    with serve("NIM", games=2, **listening()) as server:
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
    assert (game.first, game.winner, game.forfeit, game.turns, game.moves) == (1, 2, 1, 2, "0:1 3:2")
    assert game.reason == "agent 1 forfeits: row 3 holds 5 coins; asked to take 3 (legal: 1 to 2)"


def test_whoever_had_no_turn_hears_nothing():
    """A row of one coin: the first agent takes it and loses; the second never moved."""
    with serve(sticks(1), games=3, **listening()) as server:
        one, two = (foreign.Agent(port) for port in server.ports)
        for thread in [one.start(foreign.one_coin), two.start(foreign.one_coin)]:
            thread.join(SECONDS)
    assert one.log == [("State", (1,)), ("Action", (0, 1)), ("Result", "LOSE")] * 2
    assert two.log == [("State", (1,)), ("Action", (0, 1)), ("Result", "LOSE")]
    assert server.wins == [1, 2]


@pytest.mark.parametrize(
    ("move", "legal"),
    [((-1, 1), False), ((4, 1), False), ((0, 0), False), ((0, -1), False), ((3, 3), False), ((3, 2**31 - 1), False),
     ((2**31 - 1, 1), False), ((-(2**31), -(2**31)), False), ((3, 2), True)],
)  # fmt: skip
def test_an_illegal_move_loses_that_game_and_nothing_else(move, legal):
    with serve("NIM", games=4, **listening()) as server:
        bad, good = (foreign.Agent(port) for port in server.ports)
        thread = good.start(foreign.one_coin)
        outcomes = bad.play(lambda asked: move if asked["coins"] == (1, 3, 5, 7) else foreign.one_coin(asked), games=2)
        thread = [thread, bad.start(foreign.one_coin)]
        assert server.wait(SECONDS)
        for each in thread:
            each.join(SECONDS)
    assert len(outcomes) == 2
    assert (outcomes[0] == foreign.LOSE and server.records[0].turns == 0) == (not legal)
    assert [game.forfeit for game in server.records] == [0 if legal else 1, 0, 0, 0]
    assert "lost its seat" not in "".join(server.lines)


def test_a_stranger_against_an_agent_of_ours_on_either_seat():
    for seat in (1, 2):
        with serve("NIM", games=4, opponent=PerfectAgent(seed=1), seat=seat, **listening()) as server:
            agent = foreign.Agent(server.ports[0])
            outcomes = agent.play(foreign.one_coin)
            assert server.wait(SECONDS)
        assert len(server.ports) == 1
        assert outcomes == [foreign.LOSE] * 4
        assert server.wins[seat - 1] == 4
        assert server.names[seat - 1] == "PerfectAgent"
        assert list(server.results["first"]) == [1, 2, 1, 2]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_stranger_plays_every_scenario_as_the_table_of_the_handout_has_it(name):
    layout = {"SINGLE_21": (21,), "DOUBLE_21": (21, 21)}.get(name[:-2], (1, 3, 5, 7))
    most = int(name[-1]) if name[-1].isdigit() else 2
    with serve(name, games=2, opponent=RandomAgent(seed=1), **listening()) as server:
        agent = foreign.Agent(server.ports[0])
        outcomes = agent.play(foreign.one_coin)
        assert server.wait(SECONDS)
    assert len(outcomes) == 2
    assert agent.log[0] == ("State", layout)
    assert server.game.max_pick == most


# --- our client -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize(("rows", "most"), [((21,), 3), ((21, 21), 2), ((1, 3, 5, 7), 2), ((2, 9), 4)])
def test_our_client_on_the_server_of_a_stranger(rows, most, packed):
    there = foreign.Server(rows, most, games=4, packed=packed)
    client = join(PerfectAgent(seed=1), port=there.port)
    assert client.wait(SECONDS)
    assert client.stopped == ""
    assert list(client.results["result"]) == [{foreign.WIN: 1, foreign.LOSE: -1}[one] for one in there.outcomes]
    assert client.wins >= 2
    assert set(client.results["session"]) == {"a session"}
    assert list(client.results["episode"]) == ["game 0", "game 1", "game 2", "game 3"]


def test_a_function_is_an_agent_and_what_it_does_wrong_is_said():
    there = foreign.Server((21,), 3, games=6)
    answers = iter([1, 4, (0, 5), None, Move(0, 10**30), np.int64(0)])

    def mine(game, state):
        assert game == SCENARIOS["SINGLE_21_3"]
        return next(answers) if sum(state) > 19 else 1

    client = join(mine, port=there.port)
    assert client.wait(SECONDS)
    assert client.games == 6
    assert client.illegal == 5
    assert "illegal moves, the last: row 0 holds 2" in repr(client)


def test_what_an_agent_raises_ends_its_stay_in_words():
    there = foreign.Server(games=2)
    client = join(lambda game, state: 1 / 0, port=there.port)
    assert client.wait(SECONDS)
    assert client.stopped == "<lambda> raised ZeroDivisionError in state (21,): division by zero"


def test_what_a_watch_raises_is_said_too():
    there = foreign.Server(games=2)
    client = join(RandomAgent(seed=1), port=there.port, watch=lambda message: message.no_such_thing)
    assert client.wait(SECONDS)
    assert client.stopped == "AttributeError: no_such_thing"


def test_a_watched_conversation():
    """The messages as they pass are those of lesson 01."""
    there = foreign.Server((7,), 3, games=1)
    seen: list = []
    client = join(ScriptedAgent(3, 2), port=there.port, watch=seen.append)
    assert client.wait(SECONDS)
    names = [message.DESCRIPTOR.name.removeprefix("CoinGame") for message in seen]
    assert names == ["State", "Action", "Result"] * 2
    assert [words(message) for message in seen[:3]] == ["State (7,), at most 3", "Action: 3 from row 0", "Result PLAY"]
    assert [tuple(seen[place].coinCount) for place in (0, 3)] == [(7,), (3,)]
    assert (seen[2].status, seen[5].status) == (foreign.PLAY, foreign.WIN)


# --- learning over the wire -------------------------------------------------------------------------------


LEARNERS = {
    "hats": lambda game, seed: Hats(game, seed=seed),
    "greedy": lambda game, seed: QLearner(game, seed=seed),
    "curious": lambda game, seed: QLearner(
        game, learning_rate=0.3, discount=0.9, exploration=linear(0.8, 0.1, 100), legal_only=False, seed=seed
    ),
}


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_learner_learns_over_the_wire_what_it_learns_at_home(kind, seat):
    """The same generators, the same 200 games: the same table to the last bit, on either seat."""
    game, games = SCENARIOS["NIM"], 200
    home, away = (LEARNERS[kind](game, 7) for _ in range(2))
    opponent = RandomAgent(seed=3)
    for number in range(games):
        order = (home, opponent) if number % 2 == seat - 1 else (opponent, home)
        play_match(game, *order, learn=True)
    with serve(game, games, opponent=RandomAgent(seed=3), seat=3 - seat, **listening()) as server:
        client = join(away, port=server.ports[0])
        assert client.wait(SECONDS)
    assert home.games == games
    assert client.games + (server.results["turns"] == 0).sum() >= away.games == client.games
    if kind != "curious":  # which may lose by its first move; the other side's never does
        assert away.games == games
    np.testing.assert_array_equal(home.values, away.values)
    np.testing.assert_array_equal(home.visits, away.visits)
    assert home.generator.bit_generator.state == away.generator.bit_generator.state
    assert np.abs(home.values[np.isfinite(home.values)]).sum() > 0


def test_learners_on_both_ends_learn_what_they_learn_at_home():
    game = SCENARIOS["SINGLE_21_3"]
    at_home, away = ((Hats(game, seed=1), QLearner(game, seed=2)) for _ in range(2))
    for number in range(100):
        play_match(game, *(at_home if number % 2 == 0 else at_home[::-1]), learn=True)
    with serve(game, games=100, opponent=away[1], **listening()) as server:
        assert join(away[0], port=server.ports[0]).wait(SECONDS)
    for one, other in zip(at_home, away):
        np.testing.assert_array_equal(one.values, other.values)


def test_a_learner_that_only_plays_stays_as_it_is():
    game = SCENARIOS["NIM"]
    learner = QLearner(game, seed=1)
    with serve(game, games=20, opponent=QLearner(game, seed=2), learn=False, **listening()) as server:
        client = join(learner, port=server.ports[0], learn=False)
        assert client.wait(SECONDS)
    assert client.games == 20
    assert learner.games == server.agents[1].games == 0
    assert not learner.values[np.isfinite(learner.values)].any()


def test_a_game_that_is_broken_off_leaves_no_trace_in_a_learner():
    game = SCENARIOS["NIM"]
    for learner in (Hats(game, seed=1), QLearner(game, seed=1)):
        before = learner.values.copy()
        with serve(game, games=5, **listening()) as server:
            client = join(learner, port=server.ports[0])
            other = foreign.Agent(server.ports[1])
            other.state()
            other.send(foreign.action(3, 1))
            other.result()
        assert client.wait(SECONDS)
        assert client.stopped == "the server left in the middle of a game"
        np.testing.assert_array_equal(learner.values, before)
        assert (learner.games, learner.visits.sum()) == (0, 0)


def test_a_learner_is_made_when_the_first_state_has_told_the_game():
    with serve("NIM_7", games=5, opponent=RandomAgent(seed=1), **listening()) as server:
        client = join(make=QLearner, port=server.ports[0])
        assert client.wait(SECONDS)
    assert client.agent.game == SCENARIOS["NIM_7"]
    assert client.agent.games == 5


def test_a_learner_refuses_another_game_in_words():
    with serve("NIM", games=5, opponent=RandomAgent(seed=1), **listening()) as server:
        client = join(QLearner(sticks(21)), port=server.ports[0])
        assert client.wait(SECONDS)
        assert "it plays (1, 3, 5, 7), at most 2 a turn; this agent plays CoinGame(rows=(21,)" in client.stopped
    with pytest.raises(ValueError, match="this learner plays"):
        serve("NIM", opponent=QLearner(sticks(21)), **listening())


# --- the run and its record -------------------------------------------------------------------------------


def test_server_and_clients_agree_on_every_game(tmp_path):
    with serve("NIM", games=200, record=tmp_path / "games.csv", **listening()) as server:
        clients = [join(RandomAgent(seed), port=port) for seed, port in enumerate(server.ports)]
        assert server.wait(SECONDS)
        assert all(client.wait(SECONDS) for client in clients)
    results = server.results
    assert list(results.index) == list(range(1, 201))
    for number, client in enumerate(clients, 1):
        assert client.stopped == ""
        assert list(client.results["episode"]) == list(results["episode"])
        assert list(client.results["result"]) == [1 if winner == number else -1 for winner in results["winner"]]
        assert client.wins == server.wins[number - 1]
    assert results["episode"].is_unique
    assert results["session"].nunique() == 1
    check_record(tmp_path / "games.csv", SCENARIOS["NIM"], 200)


def check_record(path: Path, game: CoinGame, games: int) -> list[dict]:
    """Play every game of a record again by the rules: it must end as it says."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == games
    for row in rows:
        state, mover = game.start, int(row["first"])
        for move in row["moves"].split():
            state = game.play(state, Move(*map(int, move.split(":"))))
            mover = 3 - mover
        assert int(row["turns"]) == len(row["moves"].split())
        if int(row["forfeit"]):
            assert (mover, int(row["winner"])) == (int(row["forfeit"]), 3 - mover)
        else:
            assert game.is_over(state)
            assert int(row["winner"]) == mover  # misère play: the other took the last coin
    return rows


def test_every_game_is_on_record_as_soon_as_it_is_over(tmp_path):
    path = tmp_path / "games.csv"
    with serve(sticks(2), games=10, opponent=ScriptedAgent(1), record=path, **listening()) as server:
        assert path.read_text().splitlines() == [",".join(Record._fields)]
        agent = foreign.Agent(server.ports[0])
        for games in range(1, 5):
            agent.play(foreign.one_coin, games=1)
            deadline = time.monotonic() + SECONDS
            while len(server.records) < games and time.monotonic() < deadline:
                time.sleep(0.01)
            assert len(path.read_text().splitlines()) == 1 + games
    assert len(check_record(path, sticks(2), 4)) == len(server.results)


def test_a_record_grows_from_run_to_run_and_no_other_file_is_touched(tmp_path):
    path, other = tmp_path / "games.csv", tmp_path / "other.csv"
    for _ in range(2):
        with serve(sticks(2), games=3, opponent=RandomAgent(seed=1), record=path, **listening()) as server:
            assert join(RandomAgent(seed=2), port=server.ports[0]).wait(SECONDS)
    rows = check_record(path, sticks(2), 6)
    assert len({row["session"] for row in rows}) == 2
    path.write_bytes(path.read_bytes()[:-20])  # as after a full disk: the last line was never finished
    with serve(sticks(2), games=1, opponent=RandomAgent(seed=1), record=path, **listening()) as server:
        assert join(RandomAgent(seed=2), port=server.ports[0]).wait(SECONDS)
    assert path.read_text().splitlines()[-1].startswith(server.session)
    other.write_text("my,own,table\n")
    with pytest.raises(ValueError, match="no record of games: its first line is 'my,own,table'"):
        serve(record=other, **listening())
    assert other.read_text() == "my,own,table\n"
    with pytest.raises(OSError, match="nowhere"):
        serve(record=tmp_path / "nowhere" / "games.csv", **listening())


def stuck(game, state):
    """An agent that thinks for a long second."""
    time.sleep(1.0)
    return Move(3, 1)


def test_nothing_blocks_and_nothing_stays_behind():
    before = {thread for thread in threading.enumerate() if thread.name.startswith("coinlib")}
    began = time.monotonic()
    with serve("NIM", **listening()) as server:
        client = join(RandomAgent(seed=1), port=server.ports[0])
        assert not server.wait(0.05)
        assert not client.wait(0.05)
        assert repr(server) == "Server(0 of 1,000 games: agent 1 won 0, agent 2 won 0)"
        assert len(server.results) == len(client.results) == 0
    assert client.wait(SECONDS)
    assert "before it began" in client.stopped
    assert time.monotonic() - began < 10
    assert {thread for thread in threading.enumerate() if thread.name.startswith("coinlib")} == before
    assert server.stopped == "closed"
    with serve("NIM", opponent=stuck, **listening(server.ports[0])) as again:  # the port is free again
        with join(RandomAgent(seed=1), port=again.ports[0]) as client:
            assert not client.wait(0.05)
        assert client.stopped == "closed"


def test_our_own_agent_that_raises_ends_the_run_and_keeps_the_record(tmp_path):
    answers = iter([1, 1])
    with serve(
        sticks(2), games=9, opponent=lambda g, s: next(answers), record=tmp_path / "r.csv", **listening()
    ) as server:
        client = join(RandomAgent(seed=1), port=server.ports[0])
        assert server.wait(SECONDS)
        assert client.wait(SECONDS)
    assert "raised StopIteration in state" in server.stopped
    assert len(server.records) > 0
    check_record(tmp_path / "r.csv", sticks(2), len(server.records))


def test_it_listens_on_this_machine_only_and_never_waits_to_fill_a_packet():
    with serve("NIM", **listening()) as server:
        client = join(RandomAgent(seed=1), port=server.ports[0])
        for seat in server.seats:
            assert seat.listener.getsockname()[0] == "127.0.0.1"
        while server.seats[0].peer is None:
            time.sleep(0.01)
        for connection in (client.connection, server.seats[0].peer):
            assert connection.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_one_port_for_each_agent_from_the_given_one_up():
    for _ in range(20):  # until two free ports lie side by side
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        try:
            server = serve("NIM", **listening(port))
        except OSError:
            continue
        with server:
            assert server.ports == (port, port + 1)
            return
    pytest.fail("no two free ports side by side")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"game": "CHESS"}, "one of SINGLE_21_2"),
        ({"game": sticks(0)}, "at least one coin"),
        ({"game": CoinGame((1,) * 70_000, 2)}, "at most 65,536 bytes"),
        ({"game": sticks(2**31)}, "2147483648"),
        ({"games": 0}, "games: expected 1 or more, got 0"),
        ({"port": 65_535}, "port: expected at most 65,535 for each agent, got 65,536"),
        ({"port": -1}, "port: expected 0 or more"),
        ({"seat": 3}, "seat: expected 1 or 2, got 3"),
        ({"timeout": 0}, "timeout: expected a number of seconds above 0, got 0"),
        ({"wait": -1}, "wait: expected a number of seconds above 0"),
        ({"opponent": RandomAgent}, "expected an agent"),
        ({"host": "no such host"}, "cannot listen on no such host"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(settings, complaint):
    with pytest.raises((ValueError, TypeError, OSError), match=complaint):
        serve(**{**listening(), **settings})


def test_what_cannot_join_is_said_at_once():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(OSError, match=f"no server answers on 127.0.0.1, port {port}"):
        join(RandomAgent(), port=port)
    with pytest.raises(TypeError, match="an agent, or make"):
        join(port=port)
    with pytest.raises(TypeError, match="expected an agent"):
        join(RandomAgent, port=port)
    with pytest.raises(ValueError, match="port: expected at most 65,535, got 65536"):
        join(RandomAgent(), port=65_536)
    with pytest.raises(ValueError, match="this learner plays"):
        join(QLearner(sticks(5)), game=sticks(6), port=port)


# --- in the terminal --------------------------------------------------------------------------------------


def coinlib_command(*words: str, **more) -> subprocess.Popen:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.Popen([sys.executable, "-m", "coincourse", *words], **pipes)


def free_ports() -> int:
    """A port with a free one above it."""
    for _ in range(50):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
            try:
                socket.create_server(("127.0.0.1", port + 1)).close()
            except OSError:
                continue
        return port
    raise AssertionError("no two free ports side by side")


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
    server = coinlib_command("serve", "nim", "--port", str(port), "--games", "30", "--record", str(record))
    wait_for(record, 1)
    one = coinlib_command("join", "--port", str(port), "--agent", f"{tmp_path / 'mine.py'}:mine")
    two = coinlib_command("join", "--port", str(port + 1), "--agent", "qlearner", "--verbose", "--seed", "1")
    (out, log), (mine, _), (theirs, _) = (each.communicate(timeout=SECONDS) for each in (server, one, two))
    assert [each.returncode for each in (server, one, two)] == [0, 0, 0]
    assert out.startswith("NIM, misère play. Rows of 1, 3, 5, 7: take 1 or 2 coins from one row. 30 games, ")
    assert f"agent 2: waits on 127.0.0.1, port {port + 1}\n" in out
    assert re.search(r"\n30 of 30 games: agent 1 \(127.0.0.1:\d+\) won \d+, agent 2 \(127.0.0.1:\d+\) won \d+\n$", out)
    assert len(log.splitlines()) == 2  # two sat down; no score where there is no terminal
    won = [sum(int(row["winner"]) == agent for row in check_record(record, SCENARIOS["NIM"], 30)) for agent in (1, 2)]
    assert mine == f"{won[0]} of 30 games won\n"
    assert theirs.endswith(f"\n{won[1]} of 30 games won\n")
    assert re.search(r"^State \(1, 3, 5, 7\), at most 2\nAction: \d from row \d\nResult PLAY$", theirs, re.MULTILINE)


def test_nobody_hears_of_a_game_that_is_not_on_record(tmp_path):
    record, heard = tmp_path / "games.csv", []

    def watch(message):
        if getattr(message, "status", CoinGame_pb2.PLAY) != CoinGame_pb2.PLAY:
            heard.append(len(record.read_text().splitlines()) - 1)

    with serve("NIM", 20, RandomAgent(seed=1), port=0, record=record) as server:
        client = join(RandomAgent(seed=2), port=server.ports[0], watch=watch)
        assert server.wait(SECONDS) and client.wait(SECONDS)
    assert all(lines >= game for game, lines in enumerate(heard, 1)) and len(heard) == 20


@pytest.mark.skipif(os.name != "posix", reason="signals are a thing of Unix")
def test_a_server_that_is_killed_has_lost_nothing(tmp_path):
    port, record = free_ports(), tmp_path / "games.csv"
    words = ["--port", str(port), "--games", "100000", "--record", str(record), "--opponent", "random"]
    server = coinlib_command("serve", "NIM", *words, stdout=subprocess.DEVNULL)
    wait_for(record, 1)
    client = join(RandomAgent(seed=1), port=port)
    wait_for(record, 50)
    server.send_signal(signal.SIGKILL)
    server.communicate(timeout=SECONDS)
    assert client.wait(SECONDS)
    # between two games the end of the server is the end of a run; with our Action unread it is an error
    assert re.fullmatch("(the server left in the middle of a game|lost the server: .*)?", client.stopped)
    games = len(record.read_text().splitlines()) - 1
    assert games in (client.games, client.games + 1)  # it is written down, then told
    rows = check_record(record, SCENARIOS["NIM"], games)
    assert [1 if row["winner"] == "1" else -1 for row in rows][: client.games] == list(client.results["result"])


def test_ctrl_c_in_a_terminal_ends_with_the_score(tmp_path):
    terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)
    port, record = free_ports(), tmp_path / "games.csv"
    words = ["serve", "NIM", "--port", str(port), "--games", "1000000", "--opponent", "random", "--record", str(record)]
    screen = terminal.Terminal([sys.executable, "-m", "coincourse", *words])
    wait_for(record, 1)
    client = join(RandomAgent(seed=1), port=port)
    wait_for(record, 20)
    while screen.seen.count("\rgame ") < 3:  # the score, written over itself
        assert screen._read(SECONDS)
    screen.type("\x03")
    assert screen.finish() == 130
    assert client.wait(SECONDS)
    games = len(record.read_text().splitlines()) - 1
    last = " ".join(screen.seen.rpartition("\r")[2].split())  # a long line may have been broken
    assert re.fullmatch(rf"{games:,} of 1,000,000 games: agent 1 \(127.0.0.1:\d+\) won .*, agent 2 \(.*\) won .*", last)
    assert re.search(r"\r\d\d:\d\d:\d\d agent 1: 127.0.0.1:\d+ took the seat *$", screen.seen, re.MULTILINE)
    check_record(record, SCENARIOS["NIM"], games)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("serve CHESS", "invalid choice"),
        ("serve NIM --port 70000", "expected a whole number from 1 to 65,535, got '70000'"),
        ("serve NIM --port 65535", "port: expected at most 65,535 for each agent, got 65,536"),
        ("serve NIM --games 0", "expected a whole number from 1"),
        ("serve NIM --host 203.0.113.1", "cannot listen on 203.0.113.1, port 9000"),
        ("serve NIM --opponent somebody", "expected random, careless,"),
        ("serve NIM --opponent {folder}/none.py:mine", "there is no file"),
        ("serve NIM --opponent {folder}/mine.py:number", "called number; got 5"),
        ("serve NIM --opponent {folder}/mine.py:", "called ; the file has nothing of this name"),
        ("serve NIM --opponent {folder}/mine.py", "called agent; the file has nothing of this name"),
        ("serve NIM --opponent {folder}/broken.py:mine", "broken.py cannot be run: SyntaxError"),
        ("serve NIM --opponent {folder}/raises.py:mine", "raises.py cannot be run: ZeroDivisionError"),
        ("serve NIM --port {taken} --opponent random", "is taken by another program; choose another"),
        ("serve NIM --port {free} --record {folder} --opponent random", "Is a directory"),
        ("join --port 1 --agent random", "no server answers on 127.0.0.1, port 1"),
        ("join --agent nobody", "expected random, careless,"),
    ],
)
def test_what_is_typed_wrongly_is_said_in_one_line(words, complaint, capsys, tmp_path):
    (tmp_path / "mine.py").write_text("number = 5")
    (tmp_path / "broken.py").write_text("def mine(:\n")
    (tmp_path / "raises.py").write_text("1 / 0\n")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        free = closed.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        try:
            status = main(words.format(folder=tmp_path, taken=taken.getsockname()[1], free=free).split())
        except SystemExit as exit:
            status = exit.code
    said = capsys.readouterr().err
    assert complaint in said
    assert (status, said.count("\n")) == (2, 1)
