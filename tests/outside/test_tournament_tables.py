"""Tournaments: who meets whom, the record, the tables and the ratings. The entries' code runs in this process.

What an entry's own process adds is tested in the full tier: `test_tournament.py`.
"""

from __future__ import annotations

import pickle
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_games import Ladder, NoughtsAndCrosses

from coincourse.outside import contained
from coincourse.outside.contained import NoAnswer, Reason
from coincourse.outside.tournament import BUILT_IN, contestant, ratings, read_tournament, rounds, run_tournament
from coincourse.outside.tournament.child import Answerer
from coincourse.outside.tournament.contestant import Contestant, Limits
from coincourse.outside.tournament.entries import agent_in, read_entries
from coincourse.terminal import main
from coinlib import SCENARIOS, CoinGame, GreedyCoins, RandomAgent, sticks
from coinlib.arena import wilson
from coinlib.match import play_match

FIVE = {"five": sticks(5)}
SMALL = {**FIVE, "two rows": CoinGame((2, 3), max_pick=2, misere=False)}
OWN = {"crosses": NoughtsAndCrosses(), "ladder": Ladder(6), "greedy coins": GreedyCoins((2, 1, 1, 2))}


class InProcess:
    """Replaces an entry's process: what would run there runs here."""

    def __init__(self, *_, **__) -> None:
        self.answerer = Answerer()
        self.call: tuple = ()

    def wait_until_ready(self, seconds):
        """It is ready."""

    def put(self, *call):
        """Take a call."""
        self.call = call

    def get(self, seconds):
        """Answer it; loading does not take away this process's access to files."""
        name, *arguments = self.call
        if name == "move":
            return self.answerer.move(*arguments)
        file, agent, *_ = arguments
        self.answerer.agent = agent_in(file) if file else pickle.loads(agent)
        return ["", 0]

    def stop(self):
        """End."""


@pytest.fixture(autouse=True)
def _in_process(monkeypatch):
    monkeypatch.setattr(contestant, "Contained", InProcess)
    monkeypatch.setattr(sys, "path", [*sys.path])  # The folder of a file is put there.


def first_legal(game, state):
    return game.legal_moves(state)[0]


def last_legal(game, state):
    return game.legal_moves(state)[-1]


# --- the record -----------------------------------------------------------------------------------------


def test_everybody_meets_everybody_in_both_seats(tmp_path):
    tournament = run_tournament(["random", "perfect", "take_one"], SMALL, games=4, seed=1)
    met = tournament.games.groupby(["scenario", "first", "second"]).size()
    assert set(met.index) == {(name, *pair) for name in SMALL for pair in permutations(tournament.entries, 2)}
    assert (met == 2).all()
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


def test_the_games_are_those_of_the_arena_in_every_scenario_and_in_your_own_games(tmp_path):
    """Two deterministic rules: the same games as `play_match`, with points and ties, even after reading them again."""
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
    points = (tournament.standings["wins"] + tournament.standings["ties"] / 2).tolist()  # a tie is half a win
    assert tournament.standings["rating"].tolist() == ratings([[0, points[0]], [points[1], 0]]).tolist()
    assert again.games.equals(tournament.games) and again.standings.equals(tournament.standings)
    assert (repr(again), again.contained) == (repr(tournament), contained.how_contained())
    with pytest.raises(TypeError, match=r"only the name of the game Ladder.*folder, {'ladder': game}\)"):
        read_tournament(tmp_path / "new" / "results").match(list(games).index("ladder") + 1)
    with pytest.raises(ValueError, match=r"'ladder' was played in Ladder\(steps=6\); got Ladder\(steps=7\)"):
        read_tournament(tmp_path / "new" / "results", {"ladder": Ladder(7)})


def test_a_tournament_without_an_entry_is_that_of_the_others():
    entries = {"first": first_legal, "last": last_legal, "random": "random", "wrong": lambda game, state: 9}
    tournament = run_tournament(entries, SMALL, games=4, seed=1)
    rest = tournament.without("wrong", "random")
    alone = run_tournament({"first": first_legal, "last": last_legal}, SMALL, games=4, seed=1)
    assert (rest.entries, rest.notes, rest.games.index.tolist()) == (("first", "last"), {}, list(range(1, 9)))
    assert rest.games.equals(alone.games) and rest.standings.equals(alone.standings)
    assert rest.match(8) == alone.match(8) and tournament.without().games.equals(tournament.games)
    with pytest.raises(ValueError, match="names: expected 'first', 'last', 'random' or 'wrong', got 'mine'"):
        tournament.without("mine")


def test_every_built_in_agent_takes_part():
    rows = run_tournament(list(BUILT_IN), {"two rows": CoinGame((4, 4), 3)}, games=2, seed=1)
    own = run_tournament(["random", "careless", "perfect"], OWN, games=2, seed=1)
    for tournament in (rows, own):
        assert set(tournament.games["forfeit"]) <= {"", "careless"}
    assert "is not a legal move in" in own.notes["careless"]


def test_the_replay_of_a_forfeit():
    tournament = run_tournament({"wrong": lambda game, state: 9, "right": "take_one"}, FIVE, 2, 1)
    first, second = tournament.match(1), tournament.match(2)
    assert (first.winner, first.forfeit.player, first.forfeit.name, first.moves) == (2, 1, "wrong", [])
    assert (second.winner, second.forfeit.player, second.forfeit.state, second.moves) == (1, 2, (4,), [(0, 1)])
    assert second.reason == "player 2 forfeits: row 0 holds 4 coins; asked to take 9 (legal: 1 to 3)"
    assert tournament.standings.loc["wrong", ["illegal", "crash", "timeout"]].tolist() == [2, 0, 0]
    with pytest.raises(ValueError, match="number: expected at most 2, got 3"):
        tournament.match(3)


def test_the_notes_say_what_lost_games():
    def forgets(game, state):
        game.legal_moves(state)[0]

    def raises(game, state):
        return 1 / 0

    notes = run_tournament([forgets, raises, "take_one"], FIVE, games=2, seed=1).notes
    words = "expected a move, got None: no `return` was reached, or it returned None"
    assert notes["forgets"] == f"3 games lost by an illegal move, the first in game 1: {words}"
    crash = "the first in game 3: it raised ZeroDivisionError: division by zero"
    assert notes["raises"].startswith(f"3 games lost by a crash, {crash}")


def test_the_same_seed_gives_the_same_games():
    entries = ["random", RandomAgent()]
    drawn = run_tournament(entries, ["NIM"], games=4)
    again = run_tournament(entries, ["NIM"], games=4, seed=drawn.settings["seed"])
    other = run_tournament(entries, ["NIM"], games=4, seed=drawn.settings["seed"] + 1)
    assert drawn.games.equals(again.games)
    assert drawn.games["moves"].is_unique  # each game has its own luck
    assert not set(other.games["moves"]) & set(drawn.games["moves"])


def test_a_process_that_is_stopped_too_often_is_asked_no_more(monkeypatch):
    def late(process, seconds):
        if process.call[0] == "move":
            raise NoAnswer(Reason.LATE, seconds)
        return ["", 0]

    monkeypatch.setattr(InProcess, "get", late)
    entry = read_entries(["perfect", "take_one"])[0]
    hanging = Contestant(entry, Limits(seconds_per_move=0.5, restarts=1), seed=1)
    ended = []
    for _ in range(3):
        hanging.sit(pickle.dumps(sticks(5)), 1)
        assert hanging(sticks(5), (5,)) is None
        ended.append((hanging.kind, hanging.words, hanging.stops, hanging.out))
    late = "timeout", "no answer after 0.5 s"
    assert ended == [(*late, 1, False), (*late, 2, True), (*late, 2, True)]


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
    with pytest.raises(KeyboardInterrupt):  # nothing was played: nothing to keep
        run_tournament(["random", "perfect"], "NIM", games=10)


# --- ratings --------------------------------------------------------------------------------------------


def test_four_hundred_points_are_ten_wins_for_one_loss():
    strong, weak = ratings([[0, 100_000], [10_000, 0]])
    assert strong - weak == pytest.approx(400, abs=0.2)
    assert strong + weak == pytest.approx(3000, abs=0.2)
    assert np.isfinite(ratings([[0, 10**6, 10**6], [0, 0, 10**6], [0, 0, 0]])).all()
    assert ratings(np.zeros((3, 3))).tolist() == [1500.0, 1500.0, 1500.0]


SQUARES = st.integers(2, 7).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, 500), min_size=size, max_size=size), min_size=size, max_size=size)
)


@settings(max_examples=30)
@given(SQUARES)
def test_ratings_explain_the_wins(rows):
    """At the best fit each entry is expected to win as often as it did, including the tie with the average."""
    wins = np.array(rows)
    np.fill_diagonal(wins, 0)
    strength = (ratings(wins) - 1500) / 400
    expected = 1 / (1 + 10 ** (strength[None, :] - strength[:, None]))
    average = 1 / (1 + 10**-strength)
    met = wins + wins.T
    assert (met * expected).sum(axis=1) + average == pytest.approx(wins.sum(axis=1) + 0.5, rel=0.002, abs=0.02)


# --- who takes part -------------------------------------------------------------------------------------

FILES = {  # the text of a file, and what its agent takes, or why there is no agent
    "called": ("def helper(game, state):\n    return 9\ndef agent(game, state):\n    return 1\n", 1),
    "only": (
        "from coinlib.agents import take_most\ndef _hidden():\n    pass\ndef mine(game, state):\n    return 2\n",
        2,
    ),
    "made": ("class Mine:\n    def __call__(self, game, state):\n        return 3\nagent = Mine()\n", 3),
    "two": ("def one(game, state): pass\ndef two(game, state): pass\n", "found several functions: one, two; call one"),
    "none": ("x = 1\n", "found no function"),
    "a_class": ("class agent: pass\n", r"write agent\(...\) to make one"),
}


@pytest.mark.parametrize(("text", "found"), FILES.values(), ids=FILES)
def test_a_file_names_its_agent(text, found, tmp_path):
    """What is called agent; otherwise the only function of the file without an underscore."""
    file = tmp_path / "mine.py"
    file.write_text(text)
    if isinstance(found, int):
        assert agent_in(str(file))(None, None) == found
    else:
        with pytest.raises((LookupError, TypeError), match=found):
            agent_in(str(file))


def test_a_function_that_is_named_and_not_in_its_file(tmp_path):
    file = tmp_path / "two.py"
    file.write_text(FILES["two"][0])
    with pytest.raises(LookupError, match=r"^expected a function three\(game, state\); found one, two$"):
        agent_in(str(file), "three")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"entries": ["random"]}, "entries: expected two or more with different names; got random"),
        ({"entries": ["random", "random"]}, "with different names; got random, random"),
        ({"entries": ["random", "nobody"]}, "expected a folder of Python files, a file or one of random, .*'nobody'"),
        ({"entries": ["random", RandomAgent]}, r"write RandomAgent\(...\) to make one"),
        ({"entries": 3}, "expected a folder, files, names or functions, got 3"),
        ({"entries": "empty"}, "the folder 'empty' contains no Python files"),
        ({"entries": {"all": "two", "one": "random"}}, "with different names; got all, all, one"),
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


def test_the_command_says_in_one_line_what_cannot_be(capsys):
    for words, complaint in (
        (["--scenario", "chess"], "argument --scenario: invalid choice: 'chess'"),
        (["--seconds", "-1"], "argument --seconds: expected 0.001 or more, got -1"),
        (["--out", __file__], "File exists"),
    ):
        assert main(["tournament", "random", "perfect", *words]) == 2
        screen = capsys.readouterr().err
        assert complaint in screen and screen.count("\n") == 1
