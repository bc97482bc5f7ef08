"""Sweeps: every setting with every seed, on one core, on several, and on a cluster."""

import itertools
import os

import joblib
import pandas as pd
import pytest

from coinlib import Hats, QLearner, RandomAgent, play_match, sticks, sweep, train
from coinlib.arena import AgentWarning

GRID = {"kind": ["hats", "Q-learning"], "games": [20, 60]}
KINDS = {"hats": Hats, "Q-learning": QLearner}
SEEDS = 4


def learn(seed, kind, games):
    """A small experiment with learners."""
    learner = KINDS[kind](sticks(10))
    run = train(learner, RandomAgent(), games=games, seed=seed)
    distance = learner.distance_to_perfect()
    return {"won": int(run.won.sum()), "right": distance.right, "beats_perfect": distance.beats_perfect}


def learn_one_by_one(seed, kind, games):
    """As `learn`, in learning matches: a new process need not load the compiled loops for it."""
    learner, opponent = KINDS[kind](sticks(10), seed=seed), RandomAgent(seed=seed)
    won = [play_match(sticks(10), learner, opponent, learn=True).winner == 1 for _ in range(games)]
    return {"won": sum(won), "value": float(learner.values[learner.table.legal].sum())}


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


def test_two_processes_give_the_same():
    one, two = (sweep(learn_one_by_one, GRID, seeds=SEEDS, jobs=jobs) for jobs in (1, 2))
    pd.testing.assert_frame_equal(one, two)
    assert one["won"].nunique() > 4  # the seeds and settings do differ


def process_number(seed=0, part=0):
    """An experiment that tells in which process it ran."""
    return {"process": os.getpid()}


@pytest.mark.filterwarnings("default")  # what the cluster's own libraries warn of is not ours
def test_a_dask_cluster_gives_the_same(expected):
    distributed = pytest.importorskip("distributed")
    cluster = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(**cluster) as client:
        with joblib.parallel_config("dask"):
            table = sweep(learn, GRID, seeds=SEEDS)
            where = sweep(process_number, {"part": range(4)}, seeds=3)
            with pytest.warns(AgentWarning, match="rate=2"):
                failed = sweep(fails_at_two, {"rate": [1, 2, 3]}, seeds=2)
        workers = {told["process"] for told in client.run(process_number).values()}
    pd.testing.assert_frame_equal(table, expected)
    assert len(workers) == 2 and set(where["process"]) <= workers  # it was done there, not here
    assert (failed["error"] != "").tolist() == [False, False, True, True, False, False]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_setting_that_fails_is_named_and_the_others_are_kept(jobs):
    with pytest.warns(AgentWarning) as caught:
        table = sweep(fails_at_two, {"rate": [2, 1, 3], "games": [10]}, seeds=2, jobs=jobs)
    (message,) = [str(warning.message) for warning in caught]
    assert message == "2 runs of 6 failed, the first at rate=2, games=10, seed=0: ValueError: a rate of 2 is too much"
    assert list(table.columns) == ["rate", "games", "seed", "score", "error"]  # also where the first run fails
    assert table["error"].tolist() == [*["ValueError: a rate of 2 is too much"] * 2, *[""] * 4]
    assert table["score"].isna().tolist() == [True, True, False, False, False, False]
    assert table["score"].tolist()[2:] == [10, 11, 30, 31]


def test_seeds_are_counted_or_given():
    for seeds, numbers in ((3, [0, 1, 2]), ([7, 5, 7], [7, 5, 7]), (range(3, 5), [3, 4])):
        assert sweep(fails_at_two, {"rate": [1]}, seeds=seeds, jobs=1)["seed"].tolist() == numbers


def test_an_empty_grid_is_one_setting():
    table = sweep(lambda seed: {"twice": 2 * seed}, {}, seeds=3, jobs=1)
    assert table.to_dict("list") == {"seed": [0, 1, 2], "twice": [0, 2, 4], "error": [""] * 3}


def test_functions_written_on_the_spot_travel_to_other_processes():
    shift = 5
    steps = (step for step in (10, 20))  # which can be read once only
    table = sweep(lambda seed, step: {"sum": seed + step + shift}, {"step": steps}, seeds=2, jobs=2)
    assert table["sum"].tolist() == [15, 16, 25, 26]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (
            {"grid": {"rate": []}},
            ValueError,
            r"grid: expected settings .*, each with one value or more; got {'rate': \[\]",
        ),
        ({"grid": {"rate": [1], "seed": [1]}}, ValueError, r"grid: expected settings \(not seed or error\), .*; got {"),
        ({"seeds": 0}, ValueError, "seeds: expected 1 or more, got 0"),
        ({"seeds": 2.5}, TypeError, "seeds: expected a whole number, got 2.5"),
        ({"seeds": []}, ValueError, "seeds: expected one or more, got none"),
        ({"jobs": 1_000}, ValueError, "jobs: expected at most"),
    ],
)
def test_what_is_asked_wrongly(arguments, error, words):
    good = {"experiment": fails_at_two, "grid": {"rate": [1]}, "seeds": 2, "jobs": 1}
    with pytest.raises(error, match=words):
        sweep(**(good | arguments))
