"""The rivals in `benchmarks/` do the same work as the library, and the table says what was measured."""

from __future__ import annotations

import functools
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from coincourse import labs
from coinlib import CoinGame, Hats, QLearner, RandomAgent, greedy_margin, solve, solve_greedy, sticks, train

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks import __main__ as command
from benchmarks import diagonals, growth, measures, native, report, rivals, student
from benchmarks.contest import Row, contest, contest_with_slow, in_words

TINY = measures.Sizes(rounds=2, slow_rounds=1, games=1_500, pile=4, table=9, quadratic=12, linear=50, moves=3)
LEFT = {row: 10 - row for row in range(10)}  # sticks in each row of a table of 10


def tight_as_dicts(hats):
    return {left: dict(enumerate(hats[left], 1)) for left in range(1, len(hats))}


@pytest.fixture(scope="module")
def loops():
    found = native.compiled()
    if found is None:
        pytest.skip("no C compiler here")
    return found


# --- the student's learners


def test_the_students_hats_after_the_handouts_game():
    """10 sticks: the person takes 3, the computer 2 of 7, the person 1, the computer 3 of 4, the person the last."""
    player = student.HatPlayer(10)
    player.settle([(7, 2), (4, 3)], won=True)
    assert player.hats[7] == {1: 1, 2: 2, 3: 1}
    assert player.hats[4] == {1: 1, 2: 1, 3: 2}
    player.settle([(7, 2), (4, 1)], won=False)
    assert player.hats[7] == {1: 1, 2: 1, 3: 1}
    assert player.hats[4] == {1: 1, 2: 1, 3: 2}  # the last ball of a number goes back


def test_the_students_hats_are_those_of_the_library_after_the_same_games():
    """Games with given moves, settled by both: the hats agree to the ball."""
    chance = np.random.default_rng(1)
    game, player, ours = sticks(10), student.HatPlayer(10), Hats(sticks(10))
    for _ in range(200):
        state, seats, beside = game.start, [ours.sit(), None], [[], []]
        seats[1] = ours.sit(seats[0])
        turn = 0
        while not game.is_over(state):
            legal = game.legal_moves(state)
            move = legal[chance.integers(len(legal))]
            seats[turn].chosen.append((ours.table.row(state), ours.table.column[move]))
            beside[turn].append((state[0], move.count))
            state, turn = game.play(state, move), 1 - turn
        for side in (0, 1):
            row, column = seats[side].chosen[-1]
            won = side == turn  # the other side took the last stick
            seats[side].observe(ours.table.states[row], ours.table.moves[column], 1 if won else -1, None)
            player.settle(beside[side], won)
    for left, hat in player.hats.items():
        row = ours.table.row((left,))
        assert [ours.values[row, ball - 1] for ball in hat] == list(hat.values()), left


def test_a_q_update_of_the_student_is_that_of_the_library():
    player = student.QPlayer(10, rate=0.5, discount=0.9)
    player.values[4] = {1: 0.2, 2: -0.4, 3: 0.8}
    player.values[7][3] = 0.1
    player.learn(7, 3, 0.0, 4)
    assert player.values[7][3] == pytest.approx(0.1 + 0.5 * (0.9 * 0.8 - 0.1))
    ours = QLearner(sticks(10), learning_rate=0.5, discount=0.9)
    row = ours.table.row
    ours.values[row((4,))], ours.values[row((7,)), 2] = [0.2, -0.4, 0.8], 0.1
    seat = ours.sit()
    seat.observe((7,), ours.table.moves[2], 0.0, (4,))
    assert seat.values[row((7,)), 2] == pytest.approx(player.values[7][3])


def test_hats_learn_as_much_whoever_wrote_them():
    """300 games of 10 sticks, 80 seeds each: the share of right balls in hat 8 has the same mean.

    Three means that lie within 5 standard errors of each other: a false alarm comes less than
    once in 100,000 runs of a correct program.
    """
    seeds, right = range(80), 3  # of 8 sticks, taking 3 leaves 5, which are lost

    def share(hat):
        return hat[right] / sum(hat.values())

    def ours(seed):
        learner = Hats(sticks(10))
        train(learner, learner, 300, seed=seed)
        row = learner.table.row((8,))
        return share(dict(enumerate(learner.values[row], 1)))

    means, errors = [], []
    for one in (
        ours,
        lambda seed: share(student.train_hats(10, 300, seed).hats[8]),
        lambda seed: share(tight_as_dicts(student.train_hats_tight(10, 300, seed))[8]),
    ):
        shares = np.array([one(seed) for seed in seeds])
        means.append(shares.mean())
        errors.append(shares.std() / np.sqrt(len(shares)))
    assert max(means) - min(means) < 5 * np.sqrt(2) * max(errors)
    assert min(means) > 0.45  # and they have learnt: at first it is a third


def test_q_learners_win_as_often_whoever_wrote_them():
    """The first 40 games of 10 sticks, 200 seeds each: the same mean number of wins, within 5 standard errors."""

    def ours(seed):
        return train(QLearner(sticks(10)), RandomAgent(), 40, seed=seed).won

    ways = (ours, lambda seed: student.train_q(10, 40, seed), lambda seed: student.train_q_tight(10, 40, seed))
    wins = np.array([[np.sum(way(seed)) for seed in range(200)] for way in ways], dtype=float)
    errors = wins.std(axis=1) / np.sqrt(wins.shape[1])
    assert np.ptp(wins.mean(axis=1)) < 5 * np.sqrt(2) * errors.max()
    assert (wins.mean(axis=1) > 20).all()


def test_the_rivals_learn_the_game():
    """10 sticks, 20,000 games: the favourite ball of each hat that can win is right, and Q wins its last games."""
    solution = solve(sticks(10))
    for hats in (student.train_hats(10, 20_000, 1).hats, tight_as_dicts(student.train_hats_tight(10, 20_000, 1))):
        for left in range(2, 11):
            right = {move.count for move in solution.best_moves((left,))}
            assert not right or max(hats[left], key=hats[left].get) in right, left
    assert all(student.train_q(10, 2_000, seed=1)[-500:])
    assert all(student.train_q_tight(10, 2_000, seed=1)[-500:])


# --- C and NumPy


def test_the_loops_in_c_fill_the_same_hats(loops):
    measures.check_same_hats(loops, 2_000)
    work, balls = native.pcg64(loops, 2_000)
    work()
    assert balls.sum() > 63  # more than it began with
    other, cheap = native.xorshift(loops, 100_000)
    other()
    right = [(left - 1) % 4 for left in range(2, 21) if (left - 1) % 4]
    favourites = [cheap[left].argmax() + 1 for left in range(2, 21) if (left - 1) % 4]
    assert np.mean(np.array(favourites) == right) > 0.7


def test_a_loop_that_plays_another_game_is_noticed(loops, monkeypatch):
    honest = native.pcg64
    monkeypatch.setattr(native, "pcg64", lambda loops, games: honest(loops, games + 1))
    with pytest.raises(AssertionError, match="in C"):
        measures.check_same_hats(loops, 2_000)


@pytest.mark.parametrize("size", [1, 2, 3, 8, 41])
def test_numpy_by_diagonals_makes_the_same_tables(size):
    coins = np.random.default_rng(size).integers(0, 9, size)
    ours = solve_greedy(coins)
    alice, margin, moves = diagonals.tables(coins)
    assert (alice == ours.alice).all()
    assert (margin == ours.margin).all()
    assert (moves == ours.moves).all()
    assert diagonals.margin(coins) == greedy_margin(coins)


# --- measuring


def test_ways_take_turns_and_only_the_work_is_measured():
    done = []
    ways = [lambda name=name: lambda: done.append(name) for name in "ab"]
    seconds = contest(ways, rounds=3)
    assert done == list("ababab")
    assert [len(taken) for taken in seconds] == [3, 3]


def test_ours_runs_before_and_after_each_slow_one():
    done = []
    ours, *slow = [lambda name=name: lambda: done.append(name) for name in "oab"]
    seconds = contest_with_slow(ours, slow, rounds=2, often=2)
    assert "".join(done) == "ooaoobooooaooboo"
    assert [len(taken) for taken in seconds] == [2, 2, 2]


def test_a_row_says_whether_its_number_is_met():
    row = Row("work", "other", [1.0, 2.0, 1.0], [3.0, 4.0, 5.0], least=3)
    assert (row.ratio, row.spread, row.met) == (3, (2, 5), True)
    assert row.cells()["met"] == "yes" and row.cells()["wanted"] == "≥ 3"
    assert Row("work", "other", [1.0, 1.0], [2.9, 2.9], least=3).cells()["met"] == "NO"
    assert Row("work", "other", [1.0, 1.0], [2.9, 2.9]).cells()["met"] == ""
    with pytest.raises(ValueError, match="shorter"):
        _ = Row("work", "other", [1.0, 1.0], [2.9]).ratio


@pytest.mark.parametrize(("seconds", "words"), [(1.234, "1.23 s"), (0.25, "250 ms"), (2.5e-5, "25 µs")])
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words


@functools.cache
def measured(name):
    """The rows of one measure, of tiny work."""
    return measures.MEASURES[name](TINY)


SLOW = {"first_plot"}  # compiles everything; see the test after the next


@pytest.mark.parametrize("name", [name for name in measures.MEASURES if name not in SLOW])
def test_every_measure_runs(name):
    rows = measured(name)
    assert rows or name == "libraries"
    for row in rows:
        assert min([*row.ours, *row.theirs]) >= 0
        assert len(row.ours) == len(row.theirs) >= 1


def test_every_number_of_the_design_is_judged():
    wanted = {
        (row.work.split(",")[0], row.least)
        for name in measures.MEASURES
        if name not in SLOW
        for row in measured(name)
        if row.least is not None
    }
    redraws = {(f"redraw of {name}", 1) for name in measures.labs_of(labs)}
    assert {"HatsLab", "QLab", "TrainingLab"} <= set(measures.labs_of(labs))
    others = {("Q-learning", 100), ("U table", 0.5), ("import coinlib", 0.5), *(("greedy coins", n) for n in (4, 5, 1))}
    others |= {("coinlib sticks", 1)}
    hats = {("hats", 0.5)} if native.compiler() else set()
    assert wanted == redraws | others | hats


def test_the_first_plot_is_measured_with_nothing_compiled_and_again(monkeypatch):
    asked = []

    def in_fresh_python(code, **settings):
        compile(textwrap.dedent(code), "code", "exec")
        asked.append((settings["NUMBA_CACHE_DIR"], "win_rate" in code))
        return 2.0 if "win_rate" in code else 1.0

    monkeypatch.setattr(measures, "_in_fresh_python", in_fresh_python)
    again, anew = measures.first_plot(measures.Sizes(rounds=3, slow_rounds=2))
    assert (again.ratios, anew.ratios) == ([0.5] * 3, [0.5] * 2)
    places = [place for place, plot in asked if plot]
    assert len(places) == 6 and len(set(places)) == 3  # once and three times in one place, and in two new ones


# --- what is written


ROWS = [
    Row("fast work", "a rival", [1.0, 1.0], [3.0, 5.0], least=2),
    Row("slow work", "a rival", [1.0, 2.0], [2.0, 2.0], least=2),
    Row("more work", "nobody", [1e-3, 1e-3], [2e-3, 2e-3]),
]


def test_the_table_is_saved_for_people_and_programs(tmp_path):
    report.save(ROWS, tmp_path / "results")
    csv = (tmp_path / "results" / "table.csv").read_text(encoding="utf-8").splitlines()
    assert csv[0] == "work,compared with,ours (s),other (s),times as fast,from,to,wanted,met,rounds"
    assert csv[1:] == [
        "fast work,a rival,1,4,4,3,5,2,yes,2",
        "slow work,a rival,1.5,2,1.5,1,2,2,no,2",
        "more work,nobody,0.001,0.002,2,2,2,,,2",
    ]
    text = (tmp_path / "results" / "table.md").read_text(encoding="utf-8")
    assert "| fast work | a rival | 1 s | 4 s | 4 | 3 | 5 | ≥ 2 | yes | 2 |" in text
    assert "| more work | nobody | 1 ms | 2 ms | 2 | 2 | 2 |  |  | 2 |" in text
    assert report.machine() in text
    assert (tmp_path / "results" / "table.png").read_bytes().startswith(b"\x89PNG")


def test_the_picture_shows_every_number_that_is_judged():
    ax = report.picture(ROWS).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "fast work\nagainst a rival",
        "slow work\nagainst a rival",
    ]
    points = [line.get_xdata()[0] for line in ax.lines if line.get_marker() in ("o", "X")]
    assert points == [2.0, 0.75]
    assert [text.get_text() for text in ax.texts] == ["4, wanted 2", "1.5, wanted 2: missed"]


@pytest.fixture
def small(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "MEASURES", {"one": lambda sizes: ROWS[:1], "two": lambda sizes: ROWS[1:]})
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    return tmp_path / "results"


def test_a_full_run_is_written(small, capsys):
    command.main([])
    assert {file.name for file in small.iterdir()} == {"table.csv", "table.md", "table.png"}
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()[-6:-2]] == ["work", "fast", "slow", "more"]
    assert "NO" in said


@pytest.mark.parametrize(("words", "lines"), [(["--only", "one"], 1), (["--quick"], 3)])
def test_a_part_or_a_quick_look_is_not_written(small, capsys, words, lines):
    command.main(words)
    assert not small.exists()
    said = capsys.readouterr().out
    assert sum("a rival" in line or "nobody" in line for line in said.splitlines()) == lines
    assert "NO" not in said


def test_a_quick_look_judges_nothing(small, capsys):
    command.main(["--quick"])
    assert "≥" not in capsys.readouterr().out


def test_what_can_be_measured_is_listed(capsys):
    command.main(["--list"])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(measures.MEASURES)


# --- the libraries that others would take


@pytest.mark.skipif(not rivals.HAVE_OPEN_SPIEL, reason="the group `bench` is not installed")
def test_open_spiel_plays_the_same_nim():
    game = CoinGame((1, 2, 3), max_pick=3, misere=True)
    wins = rivals.solve_nim(game)()
    assert wins == {state: bool(solve(game).wins[state]) for state in wins}
    assert rivals.train_q(game, 300, seed=1)()[-50:].mean() > 0.7
    with pytest.raises(ValueError, match="any number"):
        rivals.nim(CoinGame((1, 2, 3), max_pick=2))


@pytest.mark.skipif(not rivals.HAVE_EASY_AI, reason="the group `bench` is not installed")
def test_easy_ai_searches_the_same_row():
    assert [n for n in range(1, 22) if not rivals.search_sticks(n, 3)()] == [1, 5, 9, 13, 17, 21]


# --- how the work grows


def test_a_way_that_takes_too_long_is_not_tried_on_more():
    waits = {"quick": lambda size: lambda: lambda: None, "slow": lambda size: lambda: lambda: busy(0.05 * size)}
    points = list(growth.measure(growth.Curve("all", "size", [1, 2], waits), rounds=1, enough=0.04))
    assert [(point.way, point.size) for point in points] == [("quick", 1), ("slow", 1), ("quick", 2)]
    assert points[1].least <= points[1].seconds <= points[1].most


def test_a_way_that_is_not_there_is_left_out():
    ways = {"here": lambda size: lambda: lambda: None, "away": lambda size: None}
    assert {point.way for point in growth.measure(growth.Curve("all", "size", [1], ways), rounds=1)} == {"here"}


def test_every_curve_is_measured_and_drawn():
    points = [point for curve in growth.curves(quick=True) for point in growth.measure(curve, rounds=1)]
    assert all(point.seconds >= 0 for point in points)
    grows = {curve.name: curve.grows for curve in growth.curves(quick=True)}
    shown = [ax for ax in growth.picture(points, grows).axes if ax.get_visible()]
    assert [ax.get_title(loc="left") for ax in shown] == list(grows)


def busy(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass
