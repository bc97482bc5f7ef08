"""Sweeps: every setting with every seed, on one core and on several; a cluster: tests/full/test_cluster.py."""

import itertools

import pandas as pd
import pytest

from coinlib import Hats, QLearner, RandomAgent, play_match, sticks, sweep
from coinlib.series import AgentWarning

GRID = {"kind": ["hats", "Q-learning"], "games": [20, 60]}
KINDS = {"hats": Hats, "Q-learning": QLearner}


def learn(seed, kind, games):
    """A small experiment, in learning matches: a new process need not load the compiled loops for it."""
    learner, opponent = KINDS[kind](sticks(10), seed=seed), RandomAgent(seed=seed)
    won = [play_match(sticks(10), learner, opponent, learn=True).winner == 1 for _ in range(games)]
    return {"won": sum(won), "value": float(learner.values[learner.table.legal].sum())}


def fails_at_two(seed, rate):
    """An experiment that fails at one setting."""
    if rate == 2:
        raise ValueError("a rate of 2 is too much")
    return {"score": 10 * rate + seed}


@pytest.fixture(scope="module")
def expected():
    """The sweep as a loop that a student would write."""
    rows = []
    for kind, games in itertools.product(*GRID.values()):
        for seed in range(4):
            rows.append({"kind": kind, "games": games, "seed": seed, **learn(seed, kind, games), "error": ""})
    return pd.DataFrame(rows)


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_processes_give_the_same(expected, jobs):
    table = sweep(learn, GRID, seeds=4, jobs=jobs)
    pd.testing.assert_frame_equal(table, expected)
    assert table["won"].nunique() > 4  # the seeds and settings do differ


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_setting_that_fails_is_named_and_the_others_are_kept(jobs):
    with pytest.warns(AgentWarning) as caught:
        table = sweep(fails_at_two, {"rate": [2, 1, 3]}, seeds=[5, 4], jobs=jobs)
    (message,) = [str(warning.message) for warning in caught]
    assert message == "2 runs of 6 failed, the first at rate=2, seed=5: ValueError: a rate of 2 is too much"
    assert list(table.columns) == ["rate", "seed", "score", "error"]  # even if the first run fails
    assert table["seed"].tolist() == [5, 4] * 3
    assert table["error"].tolist() == [*["ValueError: a rate of 2 is too much"] * 2, *[""] * 4]
    assert table["score"].isna().tolist() == [True, True, False, False, False, False]
    assert table["score"].tolist()[2:] == [15, 14, 35, 34]


def test_functions_written_on_the_spot_travel_to_other_processes():
    shift = 5
    steps = (step for step in (10, 20))  # which can only be read once
    table = sweep(lambda seed, step: {"sum": seed + step + shift}, {"step": steps}, seeds=2, jobs=2)
    assert table["sum"].tolist() == [15, 16, 25, 26]


def test_an_empty_grid_is_one_setting():
    table = sweep(lambda seed: {"twice": 2 * seed}, {}, seeds=3, jobs=1)
    assert table.to_dict("list") == {"seed": [0, 1, 2], "twice": [0, 2, 4], "error": [""] * 3}
