"""Tournaments in contained processes: files and functions as entries, and entries that do what they should not."""

from __future__ import annotations

import sys
import textwrap
from itertools import permutations
from pathlib import Path

import pytest
from answerer import CHANNEL

from coincourse.outside import contained
from coincourse.outside.tournament import read_tournament, run_tournament
from coincourse.terminal import main
from coinlib import RandomAgent, sticks
from coinlib.agents import closed_form, take_one
from coinlib.match import play_match

FIVE = {"five": sticks(5)}
PATIENT = 60.0  # seconds for a move, more than any machine needs
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of Unix")


@pytest.fixture
def folder(tmp_path):
    """Writes entries into files: ``folder(name="text", ...)`` gives the folder."""

    def write(**files: str) -> Path:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        return tmp_path

    return write


def whole_record(tournament, games: int, broken=()) -> bool:
    """Whether each pair met as often as it should in each scenario and seat, except two broken entries."""
    met = tournament.games.groupby(["scenario", "first", "second"]).size()
    pairs = [pair for pair in permutations(tournament.entries, 2) if not set(pair) <= set(broken)]
    wanted = [(scenario, *pair) for scenario in tournament.scenarios for pair in pairs]
    return set(wanted) <= set(met.index) and bool((met[wanted] == games // 2).all())


# --- the same seed, the same result ---------------------------------------------------------------------

LUCKY = {
    "numpys": "import numpy as np\nrng = np.random.default_rng()\n"
    "def agent(game, state):\n    moves = game.legal_moves(state)\n    return moves[rng.integers(len(moves))]\n",
    "pythons": "import random\ndef agent(game, state):\n    return random.choice(game.legal_moves(state))\n",
    "old_numpy": "import numpy as np\ndef agent(game, state):\n    moves = game.legal_moves(state)\n"
    "    return moves[np.random.randint(len(moves))]\n",
    "coinlibs": "from coinlib import RandomAgent\nagent = RandomAgent()\n",
    "sets": "def agent(game, state):\n    names = {f'{row} {count}' for row, count in game.legal_moves(state)}\n"
    "    return tuple(map(int, next(iter(names)).split()))\n",
}


def test_the_same_seed_gives_the_same_games_bit_for_bit(folder, tmp_path):
    """Without a seed, one is drawn and reported."""
    entries = [folder(**LUCKY), RandomAgent()]
    drawn = run_tournament(entries, ["NIM"], 4, seconds_per_move=PATIENT, out=tmp_path / "one")
    run_tournament(entries, ["NIM"], 4, drawn.settings["seed"], seconds_per_move=PATIENT, out=tmp_path / "two")
    for file in ("games.csv", "standings.csv", "rates.csv", "tournament.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    lines = drawn.games.groupby(["first", "second"])["moves"].nunique()
    assert lines.loc["pythons", "coinlibs"] == 2  # each game has its own luck


# --- who takes part -------------------------------------------------------------------------------------


def test_a_file_may_import_another_and_be_called_like_a_module_of_python(folder):
    path = folder(
        helped="from _shared import one\nagent = one\n",
        random="import random\ndef agent(game, state):\n    return random.randint(1, 1)\n",
        _shared="def one(game, state):\n    return 1\n",
    )
    tournament = run_tournament(path, FIVE, 2, seed=1, seconds_per_move=PATIENT)
    assert tournament.entries == ("helped", "random")
    assert tournament.notes == {}
    assert not tournament.games["forfeit"].any()


WITHOUT_AGENT = {
    "mistyped": ("1 +\n", "SyntaxError: invalid syntax"),
    "needs_more": ("\n\nimport nothing_of_the_kind\n", "named 'nothing_of_the_kind' (line 3 of needs_more.py)"),
    "exits": ("raise SystemExit(3)\n", "SystemExit: 3 (line 1 of exits.py)"),
    "dies": ("import os\nos._exit(4)\n", "its process ended (status 4)"),
    "writes": ("open('a.txt', 'w')\n", "PermissionError: an entry may not write files: 'a.txt' (line 1 of writes.py)"),
    "endless": ("import time\ntime.sleep(999)\n", "no answer after 8 s"),
}


def test_a_file_without_an_agent_loses_and_it_is_said_why(folder):
    path = folder(**{name: text for name, (text, _) in WITHOUT_AGENT.items()})
    tournament = run_tournament([path, "take_one"], FIVE, games=2, seed=1, seconds_per_move=PATIENT, seconds_to_start=8)
    assert whole_record(tournament, 2, WITHOUT_AGENT)
    assert len(tournament.games) == 2 * len(WITHOUT_AGENT)  # nobody wins between two that cannot play
    assert list(tournament.notes) == sorted(WITHOUT_AGENT)
    for name, (_, words) in WITHOUT_AGENT.items():
        assert "it could not be loaded: " in tournament.notes[name] and words in tournament.notes[name]
    assert tournament.games["reason"].str.contains("it could not be loaded").all()
    assert ((tournament.games["kind"] == "timeout") == (tournament.games["forfeit"] == "endless")).all()
    assert tournament.standings.loc["take_one", "win_rate"] == 1


def test_functions_and_learners_of_a_notebook(tmp_path, monkeypatch):
    """Even code that a notebook has imported from a file next to it, which no process sees."""
    from coinlib import Hats, train

    (tmp_path / "helpers_of_mine.py").write_text("def helped(game, state):\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    from helpers_of_mine import helped

    hats = Hats(sticks(5), seed=1)
    train(hats, hats, games=2_000, seed=1)
    bonus = 1

    def mine(game, state):
        return bonus

    tournament = run_tournament([mine, hats, helped], FIVE, 10, seed=1, seconds_per_move=PATIENT)
    assert tournament.entries == ("mine", "Hats", "helped")
    assert not tournament.games["forfeit"].any()
    assert tournament.standings.loc["Hats", "wins"] >= 10


# --- entries that do what they should not ---------------------------------------------------------------

HEAD = "import ctypes, gc, io, os, signal, socket, sys, threading, time\nlibc = ctypes.CDLL(None)\n"
REFUSED = "it raised PermissionError: an entry may not start processes, change files or use the network: "
TRAP = "class Answer:\n        def __index__(self): raise SystemExit\n    return Answer()"
WRONG = {  # what it does, and why it loses its games
    "raises": ("return 1 / 0", "crash", "it raised ZeroDivisionError: division by zero (line 4 of raises.py)"),
    "exits": ("sys.exit()", "crash", "it raised SystemExit"),
    "forks": ("os.fork()", "crash", f"{REFUSED}os.fork"),
    "connects": ("socket.create_connection(('127.0.0.1', 80))", "crash", f"{REFUSED}socket."),
    "allocates": ("return bytearray(10 * 2**30)", "crash", "it raised MemoryError"),
    "answers_with_a_trap": (TRAP, "crash", "it raised SystemExit"),
    "takes_two": ("pass\ndef agent(state): return 1", "crash", "it raised TypeError: agent() takes 1 positional arg"),
    "meddles": ("object.__setattr__(game, 'rows', (1,))\n    return 1", "crash", "it raised ValueError"),
    "greedy": ("return 99", "illegal", "row 0 holds 5 coins; asked to take 99 (legal: 1 to 3)"),
    "wordy": ("return 'one'", "illegal", "in whole numbers; got 'one'"),
    "prints": ("print('x' * 3_000_000); os.write(1, b'z' * 10**6)\n    return 1", "", ""),
}
INTERFERES = "it interfered with its connection"
ENDING = {
    "ends": ("os._exit(3)", "crash", "its process ended (status 3)"),
    "chatters": (CHANNEL + ".write(b'[1, 0, 1]\\n[2, 0, 1]\\n')", "crash", INTERFERES),
    "tampers": ("import coinlib.games\n    coinlib.games.min = lambda *_: 99\n    return 99", "crash", INTERFERES),
    "sleeps": ("time.sleep(999)", "timeout", "no answer after 4 s"),
}
HONEST = {"take_one": take_one, "closed_form": closed_form}


def hostile(folder, bodies: dict[str, str], seconds: float = PATIENT, **limits):
    """A tournament on five sticks of these entries and two honest ones, whose record must be as ever."""
    path = folder(**{name: f"{HEAD}def agent(game, state):\n    {body}\n" for name, body in bodies.items()})
    tournament = run_tournament([path, *HONEST], FIVE, 2, 1, seconds, **limits)
    assert whole_record(tournament, 2, set(bodies))
    games = tournament.games
    assert not games["forfeit"].isin(HONEST).any()
    honest = games[games["first"].isin(HONEST) & games["second"].isin(HONEST)]
    for number, row in honest.iterrows():
        assert tournament.match(number) == play_match(sticks(5), HONEST[row["first"]], HONEST[row["second"]])
    return tournament


@UNIX
def test_what_an_agent_does_wrong_costs_that_game_only(folder, capfd):
    tournament = hostile(folder, {name: body for name, (body, *_) in WRONG.items()})
    assert capfd.readouterr() == ("", "")
    assert not any("had to be stopped" in words for words in tournament.notes.values())
    for name, (_, kind, words) in WRONG.items():
        lost = tournament.games[tournament.games["forfeit"] == name]
        assert set(lost["kind"]) == {kind} - {""}, lost["reason"].tolist()
        assert not kind or lost["reason"].str.contains(words, regex=False).any(), lost["reason"].iloc[0]


@UNIX
def test_a_process_that_ends_hangs_or_interferes_is_started_again_a_few_times(folder, monkeypatch):
    """The same is true in bubblewrap, if that works, and in a plain process."""
    monkeypatch.setattr(contained, "ENDING", PATIENT)
    bodies = {name: body for name, (body, *_) in ENDING.items()}
    tournament = hostile(folder, bodies, seconds=4.0, restarts=1)
    for name, (_, kind, words) in ENDING.items():
        assert set(tournament.games.loc[tournament.games["forfeit"] == name, "kind"]) == {kind}
        assert tournament.notes[name].startswith(f"its process had to be stopped 2 times; {words}")
    entries = [folder() / "ends.py", "take_one"]
    walled = run_tournament(entries, FIVE, 4, 1, PATIENT, restarts=0)
    monkeypatch.setattr(contained, "why_plain", lambda: "it is not wanted")
    plain = run_tournament(entries, FIVE, 4, 1, PATIENT, restarts=0)
    assert plain.contained == "in a plain process with limits: it is not wanted"
    assert plain.games.equals(walled.games) and plain.notes == walled.notes


@pytest.mark.contained
def test_mischief_behind_pythons_back_changes_nothing_of_anybody_else(folder, tmp_path):
    """What the hook in an entry's process cannot refuse, the system refuses; the answers say what happened."""
    tournament = hostile(
        folder,
        {
            "reads_an_entry": f"return [libc.open(b'{tmp_path}/kills.py', 0)]",
            "changes_its_file": f"return [libc.open(b'{tmp_path}/changes_its_file.py', 1)]",
            "opens_a_socket": "address = bytes([2, 0, 0, 80, 127, 0, 0, 1]) + bytes(8)\n"
            "    return [libc.connect(libc.socket(2, 1, 0), address, 16)]",
            "kills": "libc.kill(os.getppid(), 9), libc.kill(-1, 9)\n    return [-1]",
            "fills_the_disk": "file = libc.open(os.environ['HOME'].encode() + b'/large', 0o101, 0o600)\n"
            "    while libc.write(file, bytes(2**20), 2**20) > 0: pass\n    return [-1]",
        },
    )
    assert all(" lost by an illegal move, the first in game " in words for words in tournament.notes.values())
    assert tournament.games.loc[tournament.games["turns"] == 0, "reason"].str.endswith("got [-1]").all()


# --- being stopped --------------------------------------------------------------------------------------


def test_ctrl_c_in_a_terminal():
    """The key reaches every process in the terminal, and only the tournament reacts to it."""
    terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)
    words = ["tournament", "random", "perfect", "--games", "100000"]
    screen = terminal.Terminal([sys.executable, "-m", "coincourse", *words], TQDM_DISABLE="")
    while "game/s" not in screen.seen:  # the bar
        assert screen._read(60), screen.seen
    screen.press("\x03", "in 6 scenarios, stopped by Ctrl-C.")
    assert screen.finish() == 0
    assert "Traceback" not in screen.seen


# --- the command ----------------------------------------------------------------------------------------


def test_the_command_prints_a_table_and_writes_files(folder, tmp_path, capsys):
    path = folder(mine="def agent(game, state):\n    return bytearray(2 * 2**30)\n", wrong="x = 1\n")
    out = tmp_path / "results"
    words = ["tournament", str(path), "perfect", "--scenario", "nim", "--games", "2", "--seed", "3", "--out", str(out)]
    assert main([*words, "--gigabytes", "0.5", "--seconds", "60"]) == 0
    screen = capsys.readouterr().out
    lines = screen.splitlines()
    assert lines[0] == "6 games in 1 scenario."
    assert lines[3].split()[:4] == ["perfect", "4", "4", "1.000"]
    assert max(map(len, lines[:5])) < 80
    assert "wrong: it could not be loaded: LookupError: expected a function agent(game, state)" in screen
    assert screen.endswith(f"Each entry ran {contained.how_contained()}.\nThe seed was 3.\n")
    assert {file.name for file in out.iterdir()} == {
        *("games.csv", "standings.csv", "rates.csv", "tournament.json", "rates.png")
    }
    assert (out / "rates.png").read_bytes().startswith(b"\x89PNG")
    assert read_tournament(out).standings.loc["mine", "crash"] == 3
    assert "it raised MemoryError" in (out / "games.csv").read_text()
