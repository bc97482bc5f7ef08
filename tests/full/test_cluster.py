"""Sweeps on a Dask cluster give the same table, and really run there."""

import os

import pandas as pd
import pytest

from coinlib import Hats, RandomAgent, play_match, sticks, sweep


def learn(seed, games):
    """A small experiment, in learning matches: a new process need not load the compiled loops for it."""
    hats, opponent = Hats(sticks(10), seed=seed), RandomAgent(seed=seed)
    won = [play_match(sticks(10), hats, opponent, learn=True).winner == 1 for _ in range(games)]
    return {"won": sum(won)}


def process_number(seed=0, part=0):
    """Say which process it ran in."""
    return {"process": os.getpid()}


@pytest.mark.filterwarnings("default")  # warnings from the cluster's own libraries do not concern us
def test_a_dask_cluster_gives_the_same():
    distributed = pytest.importorskip("distributed")
    joblib = pytest.importorskip("joblib")
    expected = sweep(learn, {"games": [20, 60]}, seeds=4, jobs=1)
    cluster = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(**cluster) as client:
        with joblib.parallel_config("dask"):
            table = sweep(learn, {"games": [20, 60]}, seeds=4)
            where = sweep(process_number, {"part": range(4)}, seeds=3)
        workers = {found["process"] for found in client.run(process_number).values()}
    pd.testing.assert_frame_equal(table, expected)
    assert len(workers) == 2 and set(where["process"]) <= workers  # it ran there, not here
