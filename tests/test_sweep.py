"""Sweeps: every setting with every seed, on one core, on several, and on a cluster."""

import itertools
import os
import subprocess
import sys
import time
import warnings

import joblib
import pandas as pd
import pytest
import tqdm.auto

from coinlib import Hats, QLearner, RandomAgent, play_match, sticks, sweep, train
from coinlib.arena import AgentWarning

GRID = {"kind": ["hats", "Q-learning"], "games": [20, 60]}
SEEDS = 4


def learn(seed, kind, games):
    """A small experiment with learners."""
    learner = {"hats": Hats, "Q-learning": QLearner}[kind](sticks(10))
    run = train(learner, RandomAgent(), games=games, seed=seed)
    distance = learner.distance_to_perfect()
    return {"won": int(run.won.sum()), "right": distance.right, "beats_perfect": distance.beats_perfect}


def fails_at_two(seed, rate, games=10):
    """An experiment that one setting breaks."""
    if rate == 2:
        raise ValueError("a rate of 2 is too much")
    return {"score": rate * games + seed}


@pytest.fixture(scope="module")
def expected():
    """The sweep as a loop that a student would write."""
    rows = []
    for kind, games in itertools.product(*GRID.values()):
        for seed in range(SEEDS):
            rows.append({"kind": kind, "games": games, "seed": seed, **learn(seed, kind, games), "error": ""})
    return pd.DataFrame(rows)


def test_rows_stand_in_order_and_equal_a_plain_loop(expected):
    table = sweep(learn, GRID, seeds=SEEDS, jobs=1)
    assert list(table.columns) == ["kind", "games", "seed", "won", "right", "beats_perfect", "error"]
    pd.testing.assert_frame_equal(table, expected)


def learn_one_by_one(seed, kind, games):
    """As `learn`, in learning matches: a new process need not load the compiled loops for it."""
    learner = {"hats": Hats, "Q-learning": QLearner}[kind](sticks(10), seed=seed)
    opponent = RandomAgent(seed=seed)
    won = [play_match(sticks(10), learner, opponent, learn=True).winner == 1 for _ in range(games)]
    return {"won": sum(won), "value": float(learner.values[learner.table.legal].sum())}


def test_two_processes_give_the_same():
    one, two = (sweep(learn_one_by_one, GRID, seeds=SEEDS, jobs=jobs) for jobs in (1, 2))
    pd.testing.assert_frame_equal(one, two)
    assert one["won"].nunique() > 4  # the seeds and settings do differ


@pytest.mark.filterwarnings("default")  # what the cluster's own libraries warn of is not ours
def test_a_dask_cluster_gives_the_same(expected):
    distributed = pytest.importorskip("distributed")
    cluster = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(**cluster) as client:
        assert len(client.scheduler_info()["workers"]) == 2
        with joblib.parallel_config("dask"):
            table = sweep(learn, GRID, seeds=SEEDS)
            where = sweep(which_process, {"part": range(4)}, seeds=3)
            with pytest.warns(AgentWarning, match="rate=2"):
                failed = sweep(fails_at_two, {"rate": [1, 2, 3]}, seeds=2)
        workers = set(client.run(process_number).values())
    pd.testing.assert_frame_equal(table, expected)
    assert set(where["process"]) <= workers  # it was done there, not here
    assert (failed["error"] != "").tolist() == [False, False, True, True, False, False]


def process_number():
    """The number of the process that is asked."""
    return os.getpid()


def which_process(seed, part):
    """An experiment that tells where it ran."""
    return {"process": process_number()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_setting_that_fails_is_named_and_the_others_are_kept(jobs):
    with pytest.warns(AgentWarning) as caught:
        table = sweep(fails_at_two, {"rate": [1, 2, 3], "games": [10]}, seeds=2, jobs=jobs)
    (message,) = [str(warning.message) for warning in caught]
    assert message == ("2 runs of 6 failed, the first at rate=2, games=10, seed=0: ValueError: a rate of 2 is too much")
    assert table["rate"].tolist() == [1, 1, 2, 2, 3, 3]
    assert table["error"].tolist() == ["", "", *["ValueError: a rate of 2 is too much"] * 2, "", ""]
    assert table["score"].isna().tolist() == [False, False, True, True, False, False]
    assert table.loc[table["error"] == "", "score"].tolist() == [10, 11, 30, 31]


def test_a_failure_in_the_first_run_leaves_the_columns_in_order():
    with pytest.warns(AgentWarning, match="the first at rate=2, seed=0"):
        table = sweep(fails_at_two, {"rate": [2, 1]}, seeds=1, jobs=1)
    assert list(table.columns) == ["rate", "seed", "score", "error"]


def test_all_may_fail():
    with pytest.warns(AgentWarning, match="3 runs of 3 failed"):
        table = sweep(fails_at_two, {"rate": [2]}, seeds=3, jobs=1)
    assert list(table.columns) == ["rate", "seed", "error"] and len(table) == 3


def test_an_experiment_that_measures_nothing_readable_is_a_failure_of_that_run():
    with pytest.warns(AgentWarning, match=r"TypeError: expected a dict of what was measured, such as .* got 0"):
        table = sweep(lambda seed: seed, {}, seeds=2, jobs=1)
    assert (table["error"] != "").all()


def test_no_warning_where_nothing_fails():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = sweep(fails_at_two, {"rate": [1]}, seeds=3, jobs=1)
    assert table["error"].tolist() == [""] * 3


def test_seeds_are_counted_or_given():
    assert sweep(fails_at_two, {"rate": [1]}, seeds=3, jobs=1)["seed"].tolist() == [0, 1, 2]
    assert sweep(fails_at_two, {"rate": [1]}, seeds=[7, 5, 7], jobs=1)["seed"].tolist() == [7, 5, 7]
    assert sweep(fails_at_two, {"rate": [1]}, seeds=range(3, 5), jobs=1)["seed"].tolist() == [3, 4]


def test_an_empty_grid_is_one_setting():
    table = sweep(lambda seed: {"twice": 2 * seed}, {}, seeds=3, jobs=1)
    assert table.to_dict("list") == {"seed": [0, 1, 2], "twice": [0, 2, 4], "error": [""] * 3}


def test_values_that_can_be_read_once_only_are_read_once():
    table = sweep(fails_at_two, {"rate": (rate for rate in (1, 3)), "games": iter([10, 20])}, seeds=1, jobs=1)
    assert table["score"].tolist() == [10, 20, 30, 60]


def test_functions_written_on_the_spot_travel_to_other_processes():
    shift = 5
    table = sweep(lambda seed, step: {"sum": seed + step + shift}, {"step": [10, 20]}, seeds=2, jobs=2)
    assert table["sum"].tolist() == [15, 16, 25, 26]


def test_the_bar_comes_when_it_is_long_and_the_table_is_the_same(monkeypatch):
    def slow(seed):
        time.sleep(0.4)
        return {"seed squared": seed**2}

    bars = []

    class Bar(tqdm.auto.tqdm):
        def __init__(self, *args, **settings):
            bars.append(settings)
            super().__init__(*args, **settings)

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    assert sweep(slow, {}, seeds=5, jobs=1)["seed squared"].tolist() == [0, 1, 4, 9, 16]
    assert [(bar["total"], bar["unit"]) for bar in bars] == [(5, "run")]
    sweep(fails_at_two, {"rate": [1]}, seeds=3, jobs=1)
    assert len(bars) == 1


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"experiment": "learn"}, TypeError, "experiment: expected a function"),
        ({"grid": [1, 2]}, TypeError, r"grid: expected a dict .* got \[1, 2\]"),
        ({"grid": {"rate": 3}}, TypeError, "grid: rate: expected a list of values, got 3"),
        ({"grid": {"rate": "abc"}}, TypeError, "grid: rate: expected a list of values, got 'abc'"),
        ({"grid": {"rate": []}}, ValueError, "grid: rate: expected one value or more, got none"),
        ({"grid": {"rate": [1], "seed": [1]}}, ValueError, "grid: 'seed' is set by sweep"),
        ({"grid": {"rate": [1], "error": [1]}}, ValueError, "grid: 'error' is set by sweep"),
        ({"seeds": 0}, ValueError, "seeds: expected 1 or more, got 0"),
        ({"seeds": 2.5}, TypeError, "seeds"),
        ({"seeds": "12"}, TypeError, "seeds"),
        ({"seeds": []}, ValueError, "seeds: expected one or more, got none"),
        ({"jobs": 0}, ValueError, "jobs|n_jobs"),
        ({"jobs": 1_000}, ValueError, "jobs: expected"),
    ],
)
def test_bad_arguments_are_refused_in_words(arguments, error, words):
    good = {"experiment": fails_at_two, "grid": {"rate": [1]}, "seeds": 2, "jobs": 1}
    with pytest.raises(error, match=words):
        sweep(**(good | arguments))


def test_importing_the_library_does_not_import_what_only_sweeps_need():
    code = "import sys, coinlib; print([name for name in ('joblib', 'pandas', 'distributed', 'tqdm') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
