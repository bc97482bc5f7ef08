"""The rivals in `benchmarks/` do the same work as the library, and the table says what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import diagonals, measures, native, report, searches, student
from benchmarks.contest import Row, contest, in_words
from coinlib import CoinGame, QLearner, RandomAgent, minimax, solve_greedy, sticks, train

TINY = measures.Sizes(rounds=2, slow_rounds=1, games=1_500, few_games=50, pile=4, table=9, linear=50, moves=3)


# --- the rivals do the same work


def test_q_learners_win_as_often_whoever_wrote_them():
    """In the first 40 games of 10 sticks the mean numbers of wins differ by less than 5 standard errors."""

    def ours(seed):
        return train(QLearner(sticks(10)), RandomAgent(), 40, seed=seed).won

    ways = (ours, lambda seed: student.train_q(10, 40, seed))
    wins = np.array([[np.sum(way(seed)) for seed in range(100)] for way in ways], dtype=float)
    errors = wins.std(axis=1) / np.sqrt(wins.shape[1])
    assert np.ptp(wins.mean(axis=1)) < 5 * np.sqrt(2) * errors.max()
    assert (wins.mean(axis=1) > 20).all()


@pytest.mark.skipif(native.compiled() is None, reason="no C compiler here")
def test_a_loop_in_c_that_plays_another_game_is_noticed(monkeypatch):
    loop, honest = native.compiled(), native.hats
    measures.check_same_hats(loop, 2_000)
    monkeypatch.setattr(native, "hats", lambda loop, games: honest(loop, games + 1))
    with pytest.raises(AssertionError, match="different hats"):
        measures.check_same_hats(loop, 2_000)


def test_numpy_by_diagonals_makes_the_same_tables():
    coins = np.random.default_rng(1).integers(0, 9, 41)
    ours = solve_greedy(coins)
    for mine, theirs in zip((ours.alice, ours.margin, ours.moves), diagonals.tables(coins), strict=True):
        assert (mine == theirs).all()


def test_searches_are_judged_by_perfect_play_where_some_moves_are_wrong():
    drawn = [*searches.in_rows(CoinGame((2, 3), 2), 5), *searches.in_greedy_rows(5, 9, 5)]
    for game, state, right in drawn:
        assert right == minimax(game, state).moves and len(right) < len(game.legal_moves(state))
    assert searches.judged(lambda game, state, *rest: minimax(game, state).moves[0], 1, drawn).startswith(
        "100% (72% to"
    )


# --- measuring


def test_ours_is_measured_before_and_after_the_other():
    done = []
    ours, other = [lambda name=name: lambda: done.append(name) for name in "or"]
    mine, theirs = contest(ours, other, rounds=2, often=2)
    assert "".join(done) == "oorooooroo"
    assert len(mine) == len(theirs) == 2


def test_a_row_says_whether_its_number_is_held():
    for ratio, verdict in ((2.9, "MISSED"), (3, "held"), (4, "beaten")):
        assert Row("work", "other", [1.0], [ratio], hold=3, beat=4).verdict == verdict
    assert Row("work", "other", [1.0], [2.9]).verdict == ""
    assert [in_words(seconds) for seconds in (1.234, 0.25, 2.5e-5)] == ["1.23 s", "250 ms", "25 µs"]


WORK = {  # each row with a goal begins like this, and must reach this
    "hats": [("hats, 20 sticks", 1 / 2.4)],
    "q_learning": [("Q-learning, 10 sticks", 90)],
    "piles": [("U table", 0.5)],
    "greedy": [("greedy coins, A, M and S", 8), ("greedy coins, margin", 1)],
    "libraries": [],
    "networks": [],
    "sliders": [("slider moved", 1)],
    "imports": [("import coinlib", 0.5)],
    "first_plot": [("from import coinlib to the first plot", 1)] * 2,
    "tests": [("the test command", 1)],
}


@pytest.mark.parametrize("name", WORK)
def test_every_number_of_the_design_is_judged(name, monkeypatch):
    """Whatever is slow is replaced: a fresh Python, the browser, the tests themselves."""
    monkeypatch.setattr(measures, "_in_fresh_python", lambda code, **settings: 2.0)

    def one_round(moves, rounds):
        return [[0.05] * moves], [[0.04] * moves]

    monkeypatch.setattr(measures.slider, "seconds", one_round)
    if name == "tests":
        monkeypatch.setattr(measures.subprocess, "run", lambda command, **_: None)
    if name == "hats" and native.compiled() is None:
        pytest.skip("no C compiler here")
    rows = measures.MEASURES[name](TINY)
    judged = [row for row in rows if row.hold is not None]
    assert [row.hold for row in judged] == [least for _, least in WORK[name]]
    assert all(row.work.startswith(words) for row, (words, _) in zip(judged, WORK[name]))
    assert all(len(row.ours) == len(row.theirs) >= 1 for row in rows)


def test_every_measure_runs(capsys):
    """Neither the table above nor `--list` leaves one out, and a fresh Python can be started."""
    command.main(["--list"])
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == list(WORK) == list(measures.MEASURES)
    assert measures._in_fresh_python("import sys") >= 0


# --- what is written

ROWS = [
    Row("fast work", "a rival", [1.0, 1.0], [3.0, 5.0], hold=2),
    Row("slow work", "a rival", [1.0, 2.0], [2.0, 2.0], hold=2),
    Row("more work", "nobody", [1e-3, 1e-3], [2e-3, 2e-3]),
]


def test_the_table_is_saved(tmp_path):
    report.save(ROWS, tmp_path)
    text = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "| fast work | a rival | 1 s | 4 s | 4 | 3 | 5 | 2 |  | held | 2 |" in text
    assert report.machine() in text


@pytest.mark.parametrize(
    ("words", "printed", "written"),
    [("", "MISSED", True), ("--only one", "a rival", False), ("--quick", "small", False)],
)
def test_only_a_full_run_is_written(tmp_path, monkeypatch, capsys, words, printed, written):
    monkeypatch.setattr(command, "MEASURES", {"one": lambda sizes: ROWS[:1], "two": lambda sizes: ROWS[1:]})
    monkeypatch.setattr(command, "RESULTS", tmp_path)
    command.main(words.split())
    out = capsys.readouterr().out
    assert printed in out and (words != "--quick" or "MISSED" not in out)
    assert bool(list(tmp_path.iterdir())) == written
