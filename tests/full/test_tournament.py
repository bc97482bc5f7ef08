"""Tournaments: the record, the ratings, and entries that do everything they should not."""

from __future__ import annotations

import sys
import textwrap
from itertools import permutations
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_games import Ladder, NoughtsAndCrosses

from coincourse.outside import contained
from coincourse.outside.tournament import BUILT_IN, ratings, read_tournament, rounds, run_tournament
from coincourse.outside.tournament.entries import agent_in
from coincourse.terminal import main
from coinlib import SCENARIOS, CoinGame, GreedyCoins, RandomAgent, sticks
from coinlib.agents import closed_form, take_one
from coinlib.arena import wilson
from coinlib.match import play_match

FIVE = {"five": sticks(5)}
SMALL = {**FIVE, "two rows": CoinGame((2, 3), max_pick=2, misere=False)}
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
    """Whether each pair met in each scenario as often as it should, in both seats alike; not two that are broken."""
    met = tournament.games.groupby(["scenario", "first", "second"]).size()
    pairs = [pair for pair in permutations(tournament.entries, 2) if not set(pair) <= set(broken)]
    wanted = [(scenario, *pair) for scenario in tournament.scenarios for pair in pairs]
    return set(wanted) <= set(met.index) and bool((met[wanted] == games // 2).all())


# --- the record -----------------------------------------------------------------------------------------


def test_everybody_meets_everybody_in_both_seats():
    tournament = run_tournament(["random", "perfect", "take_one"], SMALL, games=4, seed=1)
    assert whole_record(tournament, 4)
    assert tournament.games.index.tolist() == list(range(1, 25))
    table = tournament.standings
    assert table["games"].tolist() == [16, 16, 16]
    assert table["wins"].sum() == table["losses"].sum() == 24
    assert table.loc["perfect", "low"] == wilson(table.loc["perfect", "wins"], 16)[0]
    assert not table[["illegal", "crash", "timeout"]].any(axis=None)
    rates = tournament.rates()
    assert list(rates.index) == list(table.index) and list(rates.columns) == [*rates.index, "mean"]
    met = rates[list(rates.index)]
    assert (np.nan_to_num(met + met.T, nan=1) == 1).all() and np.isnan(np.diag(met)).all()
    assert [tournament.standings_in(name)["games"].tolist() for name in SMALL] == [[8, 8, 8]] * 2
    with pytest.raises(ValueError, match="scenario: expected 'five' or 'two rows', got 'chess'"):
        tournament.standings_in("chess")


def first_legal(game, state):
    return game.legal_moves(state)[0]


def last_legal(game, state):
    return game.legal_moves(state)[-1]


OWN = {"crosses": NoughtsAndCrosses(), "ladder": Ladder(6), "greedy coins": GreedyCoins((2, 1, 1, 2))}


def test_the_games_are_those_of_the_arena_in_every_scenario_and_in_games_of_ones_own(tmp_path):
    """Two rules without chance: game by game what `play_match` plays, points and ties counted, and read again."""
    games, rules = {**SCENARIOS, **OWN}, {"first": first_legal, "last": last_legal}
    tournament = run_tournament(rules, games, games=2, seed=1, out=tmp_path / "new" / "results")
    again = read_tournament(tmp_path / "new" / "results", OWN)
    matches = [play_match(game, *agents) for agents in permutations(rules.values()) for game in games.values()]
    for number, match in enumerate(matches, 1):
        match.names = tuple(tournament.games.loc[number, ["first", "second"]])
        assert tournament.match(number) == again.match(number) == match
    won, ties = {match.winner for match in matches}, sum(match.winner == 0 for match in matches)
    assert won == {0, 1, 2} and tournament.standings["ties"].tolist() == [ties, ties]
    assert tournament.standings[["wins", "ties", "losses"]].sum(axis=1).tolist() == [2 * len(games)] * 2
    assert again.games.equals(tournament.games) and again.standings.equals(tournament.standings)
    assert (repr(again), again.contained) == (repr(tournament), contained.in_words())
    with pytest.raises(TypeError, match=r"no more than the name of the game Ladder.*folder, {'ladder': game}\)"):
        read_tournament(tmp_path / "new" / "results").match(list(games).index("ladder") + 1)
    with pytest.raises(ValueError, match=r"'ladder' was played in Ladder\(steps=6\); got Ladder\(steps=7\)"):
        read_tournament(tmp_path / "new" / "results", {"ladder": Ladder(7)})


def test_every_built_in_agent_takes_part():
    rows = run_tournament(list(BUILT_IN), {"two rows": CoinGame((4, 4), 3)}, games=2, seed=1)
    own = run_tournament(["random", "careless", "perfect"], OWN, games=2, seed=1)
    for tournament in (rows, own):
        assert whole_record(tournament, 2)
        assert set(tournament.games["forfeit"]) <= {"", "careless"}
    assert "is not a legal move in" in own.notes["careless"]


def test_the_replay_of_a_forfeit():
    tournament = run_tournament({"wrong": lambda game, state: 9, "right": "take_one"}, FIVE, 2, 1)
    first, second = tournament.match(1), tournament.match(2)
    assert (first.winner, first.forfeit.player, first.forfeit.name, first.moves) == (2, 1, "wrong", [])
    assert (second.winner, second.forfeit.player, second.forfeit.state, second.moves) == (1, 2, (4,), [(0, 1)])
    assert second.reason == "player 2 forfeits: row 0 holds 4 coins; asked to take 9 (legal: 1 to 3)"
    with pytest.raises(ValueError, match="number: expected at most 2, got 3"):
        tournament.match(3)


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
    """Without a seed one is drawn, and told."""
    entries = [folder(**LUCKY), RandomAgent()]
    drawn = run_tournament(entries, ["NIM"], games=4, out=tmp_path / "one")
    seed = drawn.settings["seed"]
    run_tournament(entries, ["NIM"], games=4, seed=seed, out=tmp_path / "two")
    for file in ("games.csv", "standings.csv", "rates.csv", "tournament.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    lines = drawn.games.groupby(["first", "second"])["moves"].nunique()
    assert lines.loc["pythons", "coinlibs"] == 2  # each game has a luck of its own
    other = run_tournament(["random", "careless"], ["NIM"], games=4, seed=seed + 1)
    assert not set(other.games["moves"]) & set(drawn.games["moves"])


# --- ratings --------------------------------------------------------------------------------------------


def test_four_hundred_points_are_ten_wins_for_one_loss():
    strong, weak = ratings([[0, 100_000], [10_000, 0]])
    assert strong - weak == pytest.approx(400, abs=0.2)
    assert strong + weak == pytest.approx(3000, abs=0.2)
    assert np.isfinite(ratings([[0, 10**6, 10**6], [0, 0, 10**6], [0, 0, 0]])).all()
    assert ratings(np.zeros((3, 3))).tolist() == [1500.0, 1500.0, 1500.0]


@settings(deadline=None, max_examples=60)
@given(
    st.integers(2, 7).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 500), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_ratings_explain_the_wins(rows):
    """At the best fit each entry is expected to win as often as it did, the tie with the average included."""
    wins = np.array(rows)
    np.fill_diagonal(wins, 0)
    strength = (ratings(wins) - 1500) / 400
    expected = 1 / (1 + 10 ** (strength[None, :] - strength[:, None]))
    average = 1 / (1 + 10**-strength)
    met = wins + wins.T
    assert (met * expected).sum(axis=1) + average == pytest.approx(wins.sum(axis=1) + 0.5, rel=0.002, abs=0.02)


# --- who takes part -------------------------------------------------------------------------------------


def test_a_file_names_its_agent(folder):
    """What is called agent; otherwise the only function of the file without an underscore."""
    path = folder(
        called="def helper(game, state):\n    return 9\ndef agent(game, state):\n    return 1\n",
        only="from coinlib.agents import take_most\ndef _hidden():\n    pass\ndef mine(game, state):\n    return 1\n",
        made="class Mine:\n    def __call__(self, game, state):\n        return 1\nagent = Mine()\n",
        helped="from _shared import one\nagent = one\n",
        random="import random\ndef agent(game, state):\n    return random.randint(1, 1)\n",
        _shared="def one(game, state):\n    return 1\n",
    )
    tournament = run_tournament(path, FIVE, games=2, seed=1)
    assert tournament.entries == ("called", "helped", "made", "only", "random")
    assert tournament.notes == {}
    assert not tournament.games["forfeit"].any()


WITHOUT_AGENT = {
    "two": (
        "def one(game, state): pass\ndef two(game, state): pass\n",
        "found several functions: one, two; call one of them agent",
    ),
    "a_class": ("class agent: pass\n", "write agent(...) to make one"),
    "mistyped": ("1 +\n", "SyntaxError: invalid syntax"),
    "needs_more": ("\n\nimport nothing_of_the_kind\n", "named 'nothing_of_the_kind' (line 3 of needs_more.py)"),
    "exits": ("raise SystemExit(3)\n", "SystemExit: 3 (line 1 of exits.py)"),
    "dies": ("import os\nos._exit(4)\n", "its process ended (status 4)"),
    "writes": ("open('a.txt', 'w')\n", "PermissionError: an entry may not write files: 'a.txt' (line 1 of writes.py)"),
    "endless": ("while True: pass\n", "no answer after 2 s"),
}


def test_a_file_without_an_agent_loses_and_it_is_said_why(folder):
    path = folder(**{name: text for name, (text, _) in WITHOUT_AGENT.items()})
    tournament = run_tournament([path, "take_one"], FIVE, games=2, seed=1, seconds_to_start=2)
    assert whole_record(tournament, 2, WITHOUT_AGENT)
    assert len(tournament.games) == 2 * len(WITHOUT_AGENT)  # between two that cannot play nobody wins
    assert list(tournament.notes) == sorted(WITHOUT_AGENT)
    for name, (_, words) in WITHOUT_AGENT.items():
        assert "it could not be loaded: " in tournament.notes[name] and words in tournament.notes[name]
    assert tournament.games["reason"].str.contains("it could not be loaded").all()
    assert ((tournament.games["kind"] == "timeout") == (tournament.games["forfeit"] == "endless")).all()
    assert tournament.standings.loc["take_one", "win_rate"] == 1


def test_a_function_that_is_named_and_not_in_its_file(folder):
    file = folder(two=WITHOUT_AGENT["two"][0]) / "two.py"
    with pytest.raises(LookupError, match=r"^expected a function three\(game, state\); found one, two$"):
        agent_in(str(file), "three")


def test_a_forgotten_return_is_told_in_the_notes():
    def forgets(game, state):
        game.legal_moves(state)[0]

    tournament = run_tournament([forgets, "take_one"], FIVE, games=4, seed=1)
    words = "expected a move, got None: a function gives None where it ends without `return`"
    assert tournament.notes == {"forgets": f"4 games lost by an illegal move, the first in game 1: {words}"}


def test_functions_and_learners_of_a_notebook(tmp_path, monkeypatch):
    """Also what a notebook has from a file beside it, which no process sees."""
    from coinlib import Hats, train

    (tmp_path / "helpers_of_mine.py").write_text("def helped(game, state):\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    from helpers_of_mine import helped

    hats = Hats(sticks(5), seed=1)
    train(hats, hats, games=2_000, seed=1)
    bonus = 1

    def mine(game, state):
        return bonus

    tournament = run_tournament([mine, hats, helped], FIVE, games=10, seed=1)
    assert tournament.entries == ("mine", "Hats", "helped")
    assert not tournament.games["forfeit"].any()
    assert tournament.standings.loc["Hats", "wins"] >= 10


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"entries": ["random"]}, "entries: expected two or more, with names that differ; got random"),
        ({"entries": ["random", "random"]}, "with names that differ; got random, random"),
        ({"entries": ["random", "nobody"]}, "expected a folder of Python files, a file or one of random, .*'nobody'"),
        ({"entries": ["random", RandomAgent]}, r"write RandomAgent\(...\) to make one"),
        ({"entries": 3}, "expected a folder, files, names or functions, got 3"),
        ({"entries": "empty"}, "the folder 'empty' holds no Python files"),
        ({"entries": {"all": "two", "one": "random"}}, "with names that differ; got all, all, one"),
        ({"scenarios": "CHESS"}, "scenarios: expected 'SINGLE_21_2', .*, got 'CHESS'"),
        ({"scenarios": {"mine": 3}}, "game: expected a game such as .* got 3"),
        ({"games": 3}, "games: expected an even number, .* got 3"),
        ({"seconds_per_move": "long"}, "seconds_per_move: expected a number of 0.001 or more, got 'long'"),
    ],
)
def test_what_cannot_be_is_said_at_once(asked, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in ("empty/_helper.py", "two/one.py", "two/other.py"):
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).touch()
    with pytest.raises((ValueError, TypeError), match=words):
        run_tournament(**{"entries": ["random", "perfect"], **asked})


# --- entries that do what they should not ---------------------------------------------------------------

HEAD = "import ctypes, gc, io, os, signal, socket, sys, threading, time\nlibc = ctypes.CDLL(None)\n"
CHANNEL = (
    "next(each for each in gc.get_objects() if isinstance(each, io.FileIO) and each.fileno() > 2 and each.writable())"
)
REFUSED = "it raised PermissionError: an entry plays in one process and leaves files alone: "
TRAP = "class Answer:\n        def __index__(self): raise SystemExit\n    return Answer()"
WRONG = {  # what it does, and what its games are lost by
    "raises": ("return 1 / 0", "crash", "it raised ZeroDivisionError: division by zero (line 4 of raises.py)"),
    "exits": ("sys.exit()", "crash", "it raised SystemExit"),
    "forks": ("os.fork()", "crash", f"{REFUSED}os.fork is refused"),
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
    "loops": ("while True: pass", "timeout", "no answer after 0.5 s"),
}
HONEST = {"take_one": take_one, "closed_form": closed_form}


def hostile(folder, bodies: dict[str, str], seconds: float = 5.0, **limits):
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
    """And it is the same in bubblewrap, where that works, and in a plain process."""
    bodies = {name: body for name, (body, *_) in ENDING.items()}
    tournament = hostile(folder, bodies, seconds=0.5, restarts=1)
    for name, (_, kind, words) in ENDING.items():
        assert set(tournament.games.loc[tournament.games["forfeit"] == name, "kind"]) == {kind}
        assert tournament.notes[name].startswith(f"its process had to be stopped 2 times; {words}")
    entries = [folder() / "ends.py", "take_one"]
    walled = run_tournament(entries, FIVE, 4, seed=1, restarts=0)
    monkeypatch.setattr(contained, "why_plain", lambda: "it is not wanted")
    plain = run_tournament(entries, FIVE, 4, seed=1, restarts=0)
    assert plain.contained == "in a plain process with limits: it is not wanted"
    assert plain.games.equals(walled.games) and plain.notes == walled.notes


@pytest.mark.contained
def test_mischief_behind_pythons_back_changes_nothing_of_anybody_else(folder, tmp_path):
    """What the hook of an entry's process cannot refuse is refused by the system; the answers tell what came of it."""
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


def test_ctrl_c_keeps_what_was_played(monkeypatch, tmp_path):
    played = []

    def then_ctrl_c(*arguments):
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(play_match(*arguments))
        return played[-1]

    monkeypatch.setattr(rounds, "play_match", then_ctrl_c)
    tournament = run_tournament(["random", "perfect", "take_one"], "NIM", games=10, seed=1, out=tmp_path)
    assert tournament.stopped == "interrupted"
    assert len(tournament.games) == len(read_tournament(tmp_path).games) == 7
    assert tournament.standings["games"].sum() == 14
    assert repr(tournament).endswith("interrupted)")
    assert not any("coincourse.outside.tournament.child" in child.cmdline() for child in psutil.Process().children())
    with pytest.raises(KeyboardInterrupt):  # nothing was played: nothing to keep
        run_tournament(["random", "perfect"], "NIM", games=10)


def test_ctrl_c_in_a_terminal():
    """The key reaches every process of the terminal, and only the tournament minds it."""
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
    assert main([*words, "--gigabytes", "0.5", "--seconds", "9"]) == 0
    screen = capsys.readouterr().out
    lines = screen.splitlines()
    assert lines[0] == "6 games in 1 scenario."
    assert lines[3].split()[:4] == ["perfect", "4", "4", "1.000"]
    assert max(map(len, lines[:5])) < 80
    assert "wrong: it could not be loaded: LookupError: expected a function agent(game, state)" in screen
    assert screen.endswith(f"Each entry ran {contained.in_words()}.\nThe seed was 3.\n")
    assert {file.name for file in out.iterdir()} == {
        *("games.csv", "standings.csv", "rates.csv", "tournament.json", "rates.png")
    }
    assert (out / "rates.png").read_bytes().startswith(b"\x89PNG")
    assert read_tournament(out).standings.loc["mine", "crash"] == 3
    assert "it raised MemoryError" in (out / "games.csv").read_text()


def test_the_command_says_in_one_line_what_cannot_be(capsys):
    for words, complaint in (
        (["--scenario", "chess"], "argument --scenario: invalid choice: 'chess'"),
        (["--seconds", "-1"], "argument --seconds: expected 0.001 or more, got -1"),
        (["--out", __file__], "File exists"),
    ):
        assert main(["tournament", "random", "perfect", *words]) == 2
        screen = capsys.readouterr().err
        assert complaint in screen and screen.count("\n") == 1
