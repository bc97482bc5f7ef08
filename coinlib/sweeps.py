"""Experiments with many settings and many seeds, on all cores or a cluster."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Mapping

from coinlib import lazy
from coinlib.arguments import counted, sequence, shown, whole_number
from coinlib.series import AgentWarning, progress_bar


def sweep(experiment, grid: Mapping[str, Iterable], seeds=100, jobs: int | None = None) -> lazy.DataFrame:
    """Run an experiment for every setting of a grid and many seeds, on all cores.

    On a Dask cluster the same call works inside ``joblib.parallel_config("dask")``.

    Parameters
    ----------
    experiment : function (seed=..., setting=..., ...) -> dict of str to number
        Makes one run; each measure becomes a column.
    grid : dict of str to iterable
        The values of each setting; every combination is tried.
    seeds : int or iterable of int
        The number of seeds (0, 1, ...), or the seeds themselves.
    jobs : int, optional
        The number of processes; by default one per core, or the whole cluster; 1 runs everything in
        this process.

    Returns
    -------
    pandas.DataFrame
        A row for each setting and seed, in order: the settings, the seed, the measures, and
        ``error``, which is empty unless the experiment raised. A failure is reported in a warning
        with its setting, and the other runs continue.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, sticks, train
    >>> def learn(seed, games):
    ...     learner = QLearner(sticks(10))
    ...     run = train(learner, RandomAgent(), games=games, seed=seed)
    ...     return {"right": learner.distance_to_perfect().right}
    >>> table = sweep(learn, {"games": [50, 300]}, seeds=20, jobs=1)
    >>> table.groupby("games")["right"].mean().to_dict()
    {50: 5.6, 300: 7.0}
    """
    import joblib

    values = {name: sequence(choices, name, "a list of values") for name, choices in grid.items()}
    if not isinstance(seeds, Iterable):
        seeds = range(whole_number(seeds, "seeds", least=1))
    names = [*values, "seed"]
    settings = [dict(zip(names, chosen)) for chosen in itertools.product(*values.values(), seeds)]
    if {"seed", "error"} & set(values) or not settings:
        raise ValueError(f"grid: expected settings (not seed or error), a value for each, a seed; got {shown(grid)}")
    all_cores = -1
    parallel = joblib.Parallel(n_jobs=jobs or all_cores, return_as="generator")
    measures = parallel(joblib.delayed(_measure)(experiment, setting) for setting in settings)
    rows = []
    with progress_bar(total=len(settings), unit="run", delay=1.0) as bar:
        for setting, measured in zip(settings, measures):
            rows.append(setting | measured)
            bar.update()
    table = lazy.DataFrame(rows)
    table["error"] = table.pop("error")  # the last column, even if the first run failed
    failed = table[table["error"] != ""]
    if len(failed):
        first = rows[failed.index[0]]
        setting = ", ".join(f"{name}={first[name]!r}" for name in names)
        words = f"{counted(len(failed), 'run')} of {len(table):,} failed, the first at {setting}: {first['error']}"
        warnings.warn(words, AgentWarning, stacklevel=2)
    return table


def _measure(experiment, setting: dict) -> dict:
    """The measures of one run of a sweep, and the error that ended it, or ""."""
    try:
        measured = experiment(**setting)
        if not isinstance(measured, Mapping):
            raise TypeError(f"expected a dict of measures, such as {{'wins': 3}}, got {shown(measured)}")
        taken = [name for name in measured if name in setting or name == "error"]
        if taken:
            raise ValueError(f"a measure cannot be called {taken[0]!r}: the table has a column of that name already")
    except Exception as error:  # noqa: BLE001 - Whatever goes wrong in one run, the others continue.
        return {"error": f"{type(error).__name__}: {error}"}
    return {**measured, "error": ""}
