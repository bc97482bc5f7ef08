"""The rivals in `benchmarks/` do the same work as the library, and the table says what was measured."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from coinlib import greedy_margin, solve, solve_greedy, sticks

sys.path.insert(0, str(Path(__file__).parent.parent))
import benchmarks.__main__ as bench
from benchmarks import diagonals, student
from benchmarks.contest import Row, contest


def test_the_students_hats_after_the_handouts_game():
    player = student.HatPlayer(10)
    player.settle([(7, 2), (4, 3)], won=True)
    assert player.hats[7] == {1: 1, 2: 2, 3: 1}
    assert player.hats[4] == {1: 1, 2: 1, 3: 2}
    player.settle([(7, 2), (4, 1)], won=False)
    assert player.hats[7] == {1: 1, 2: 1, 3: 1}
    assert player.hats[4] == {1: 1, 2: 1, 3: 2}  # the last ball of a number goes back


def test_the_rivals_learn_the_game():
    """10 sticks, 20,000 games: the favourite ball of every hat that can win is a right one, and Q wins its last games."""
    solution = solve(sticks(10))
    hats = [student.train_hats(10, 20_000, seed=1).hats, student.train_hats_tight(10, 20_000, seed=1)]
    for left in range(2, 11):
        right = {move.count for move in solution.best_moves((left,))}
        if right:
            read = max(hats[0][left], key=hats[0][left].get)
            tight = 1 + int(np.argmax(hats[1][left]))
            assert {read, tight} <= right, left
    assert all(student.train_q(10, 2_000, seed=1)[-500:])
    assert all(student.train_q_tight(10, 2_000, seed=1)[-500:])


def test_the_loop_in_c_fills_the_same_hats(monkeypatch):
    monkeypatch.setattr(bench, "GAMES", 2_000)
    with tempfile.TemporaryDirectory() as folder:
        loops = bench._compiled(Path(folder))
        if loops is None:
            pytest.skip("no C compiler here")
        bench._check_same_hats(loops)
        work, balls = bench._c_hats(loops)
        before = balls.copy()
        work()
        assert (balls != before).any()


@pytest.mark.parametrize("size", [1, 2, 3, 8, 41])
def test_numpy_by_diagonals_makes_the_same_tables(size):
    coins = np.random.default_rng(size).integers(0, 9, size)
    ours = solve_greedy(coins)
    alice, margin, moves = diagonals.tables(coins)
    assert (alice == ours.alice).all()
    assert (margin == ours.margin).all()
    assert (moves == ours.moves).all()
    assert diagonals.margin(coins) == greedy_margin(coins)


def test_ways_take_turns_and_only_the_work_is_measured():
    done = []
    ways = [lambda name=name: lambda: done.append(name) for name in "ab"]
    seconds = contest(ways, rounds=3)
    assert done == list("ababab")
    assert [len(taken) for taken in seconds] == [3, 3]


def test_a_row_says_whether_its_number_is_met():
    row = Row("work", "other", [1.0, 2.0, 1.0], [3.0, 4.0, 5.0], least=3)
    assert row.ratio == 3
    assert row.cells()["met"] == "yes"
    assert Row("work", "other", [1.0, 1.0], [2.9, 2.9], least=3).cells()["met"] == "no"
    assert Row("work", "other", [1.0, 1.0], [2.9, 2.9]).cells()["met"] == ""
    assert re.search(r" 3 +yes$", str(row))


def test_the_table_is_saved_for_people_and_programs(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    bench.save([Row("work", "other", [1.0, 1.0], [2.0, 2.0], least=1)])
    assert (
        (tmp_path / "results" / "table.csv").read_text().splitlines()[1].startswith("work,other,1,2,2,2 to 2,1,yes,2")
    )
    assert "| work | other | 1 | 2 | 2 | 2 to 2 | 1 | yes | 2 |" in (tmp_path / "results" / "table.md").read_text()


def test_the_redraws_of_every_lab_are_measured():
    rows = bench.redraws(rounds=1)
    assert len(rows) == 6
    assert all(second > 0 for row in rows for second in row.ours)
