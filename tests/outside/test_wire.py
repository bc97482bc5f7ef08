"""The AI Sandbox protocol: its messages byte for byte, and our server and our client each facing strangers."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import foreign
import pytest
from sandbox_runs import SECONDS, check_record, over

from coincourse.outside import sandbox
from coincourse.outside.sandbox import CoinGame_pb2, join, serve, words
from coincourse.outside.sandbox.wire import encode
from coinlib import SCENARIOS, Move, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent, sticks
from coinlib.agents import closed_form

FOLDER = Path(sandbox.__file__).parent


@pytest.fixture(autouse=True)
def _strangers_leave():
    yield
    foreign.close_all()


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
    """Every game with a stranger reads them back."""
    assert encode(message) == by_hand


# --- strangers on both seats ----------------------------------------------------------------------------


def test_every_message_of_a_game_in_its_place():
    """Each message comes when it is due, and not before."""
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
    """It plays all its games; ours counts a loss, and says why."""
    there = foreign.Server((7,), most, games=4)
    client = join(lambda game, state: nonsense if state[0] < 5 else 1, port=there.port)
    assert over(client)
    assert (client.stopped, len(there.outcomes)) == ("", 4)
    assert list(client.results["result"]) == [-1] * 4
    assert client.results["illegal"].str.endswith("; the game is lost, and a losing move was sent instead").all()
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
    """The messages sent are those in lesson 13."""
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
    "a Result": (foreign.result(foreign.PLAY), "the server sent 2 bytes that are not a CoinGameState"),
    "nothing may be taken": (foreign.state(b"s", b"e", (5,), 0), "max_pick: expected 1 or more, got 0"),
    "another State": (STATE * 2, "bytes that are not a CoinGameResult"),
    "more coins than before": (
        STATE + foreign.result(foreign.PLAY) + foreign.state(b"s", b"e", (22,), 2),
        "expected a state of this game",
    ),
    "it leaves": (STATE, "the server left"),
    "it is silent": (None, "the server did not send a whole message within 0.2 s"),
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
