"""Lesson 07, exploration and opponents: the explorer's favourite, a falling plan, a band over seeds, who teaches best."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from coinlib.arguments import counted

from .core import NO_RETURN, Case, Wrong, call, report, shown

NEAR = 1e-9  # two ways to add the same numbers may differ in the last digits
END = 1_000  # the game from which a falling plan is 0
ASKED = (0, 1, 10, 100, 250, 500, 501, 750, 999, 1_000, 1_001, 2_000, 100_000)


def chance_of_best(function) -> None:
    """Try ``chance_of_best(exploration, legal)``, how likely an explorer makes its favourite move, and say how it did.

    Parameters
    ----------
    function : function (float, int) -> float
        The student's answer. `exploration` is from 0 to 1, `legal` the number of legal moves.

    Examples
    --------
    >>> chance_of_best(lambda exploration, legal: 1 - exploration)
    ✗ For exploration 1 and 3 legal moves your function returned 0; expected 0.333. Exploring draws any legal move, \
and the favourite is one of them.
    """
    pairs = [(0.0, 3), (1.0, 3), (1.0, 2), (0.3, 3), (0.3, 2), (0.5, 1), (0.25, 7), (0.6, 3)]
    cases = [
        Case((e, legal), 1 - e + e / legal, f"exploration {e:g} and {counted(legal, 'legal move')}")
        for e, legal in pairs
    ]

    def judge() -> str:
        for case in cases:
            answer = call(function, case.arguments, case.given)
            if answer is None:
                raise Wrong(_none(case.given, f"{case.expected:.3g}"))
            value = _number(answer)
            if value is None:
                raise Wrong(f"For {case.given} your function returned {shown(answer)}; expected one number.")
            if abs(value - case.expected) > NEAR:
                words = f"For {case.given} your function returned {value:.3g}; expected {case.expected:.3g}."
                raise Wrong(" ".join(filter(None, (words, _about_chance(case, value)))))
        return f"Right, without exploration, with nothing but exploration, and between them. ({len(cases)} cases tried)"

    report(function, judge)


def _about_chance(case: Case, value: float) -> str:
    """What a wrong chance shows, from what each common mistake would give."""
    exploration, legal = case.arguments
    mistakes = [
        (1 - exploration, "Exploring draws any legal move, and the favourite is one of them."),
        (exploration / legal, "Add the other way to the favourite: not exploring at all."),
        (1 - exploration + 1 / legal, "The draw happens only when it explores: its part counts exploration times."),
        (1 - exploration / legal, "Two ways lead to the favourite: not exploring, or exploring and drawing it."),
        (100 * case.expected, "Give a chance from 0 to 1, not in per cent."),
        (1 / legal, "That is the chance when it always explores."),
        (
            exploration + (1 - exploration) / legal,
            "It makes its favourite when it does not explore, and draws if it does.",
        ),
        (1 - case.expected, "That is the chance of any other move."),
    ]
    return next((words for mistake, words in mistakes if abs(value - mistake) <= NEAR), "")


def falling(function) -> None:
    """Try ``falling(learnt)``, a plan of exploration that falls, and say how it did.

    Parameters
    ----------
    function : function (int) -> float
        The student's answer: exploration after so many games. At least 0.5 at first, never
        rising, 0 from game 1,000 on, and the same whenever it is asked.

    Examples
    --------
    >>> falling(lambda learnt: 1 - learnt / 1_000)
    ✗ For 1,001 games learnt your plan gives -0.001. Exploration is a chance, from 0 to 1. After game 1,000 it must \
stay at 0.
    """

    def judge() -> str:
        plan = {learnt: _exploration(function, learnt) for learnt in ASKED}
        for learnt in reversed(ASKED):
            again = _exploration(function, learnt)
            if again != plan[learnt]:
                raise Wrong(
                    f"For {learnt:,} games learnt your plan gives {plan[learnt]:g}, and asked again {again:g}. "
                    "It must depend on the number it is given, and on nothing else: no counter, no chance."
                )
        _check_falling(plan)
        return f"Right: it starts high, never rises and ends at 0. ({len(ASKED)} moments of the training looked at)"

    report(function, judge)


def _exploration(function, learnt: int) -> float:
    """What a plan gives, if it is a number."""
    given = f"{learnt:,} games learnt"
    answer = call(function, (learnt,), given)
    if answer is None:
        raise Wrong(
            f"For {given} your plan returned None; expected a number from 0 to 1. "
            "Does every way through the function end with `return`?"
        )
    value = _number(answer)
    if value is None:
        raise Wrong(f"For {given} your plan returned {shown(answer)}; expected a number from 0 to 1.")
    return value


def _check_falling(plan: dict[int, float]) -> None:
    for learnt, value in plan.items():
        if not -NEAR <= value <= 1 + NEAR:
            late = f" After game {END:,} it must stay at 0." if learnt > END and value < 0 else ""
            raise Wrong(
                f"For {learnt:,} games learnt your plan gives {value:g}. Exploration is a chance, from 0 to 1.{late}"
            )
    for (earlier, high), (later, low) in zip(list(plan.items()), list(plan.items())[1:]):
        if low > high + NEAR:
            raise Wrong(
                f"Your plan rises: {high:g} after {earlier:,} games learnt, {low:g} after {later:,}. "
                "Explore much when little is known, and less later."
            )
    if plan[0] < 0.5:
        raise Wrong(f"Before the first game your plan gives {plan[0]:g}; expected 0.5 or more: nothing is known yet.")
    for learnt, value in plan.items():
        if learnt >= END and value > NEAR:
            raise Wrong(f"For {learnt:,} games learnt your plan gives {value:g}; expected 0 from game {END:,} on.")


QUANTILES = (
    "linear",
    "lower",
    "higher",
    "nearest",
    "midpoint",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
)  # all usual ways to cut a list of numbers: each is as good as the others


def mean_and_band(function) -> None:
    """Try ``mean_and_band(values)``, the mean and the band of the middle 95 % of the runs, and say how it did.

    Parameters
    ----------
    function : function (pandas.Series) -> tuple of float
        The student's answer: mean, lower end, upper end. Any usual way to cut off 2.5 % at
        each end counts as right.

    Examples
    --------
    >>> mean_and_band(lambda values: (values.mean(), values.min(), values.max()))
    ✗ For 41 runs with values from 0 to 160 your function gives the band 0 to 160; expected 0.1 to 152.1. These are the \
smallest and the largest run; cut off 2.5 % of the runs at each end.
    """
    import numpy as np
    import pandas as pd

    series = []
    for runs, scale in ((41, 10.0), (200, 400.0), (1_000, 1.0)):
        numbers = np.arange(runs) ** 2 / scale
        series.append(pd.Series(np.random.default_rng(runs).permutation(numbers), name="right"))
    series.append(pd.Series([7.0] * 30, name="right"))  # all runs equal: a band without width

    def judge() -> str:
        for values in series:
            _judge_band(function, values)
        return f"Right, for few runs and many, also where all are equal. ({len(series)} lists of runs tried)"

    report(function, judge)


def _judge_band(function, values) -> None:
    import numpy as np

    given = f"{len(values):,} runs with values from {values.min():g} to {values.max():g}"
    answer = call(function, (values,), given)
    if answer is None:
        raise Wrong(_none(given, "three numbers: mean, low, high"))
    numbers = _three(answer)
    if numbers is None:
        raise Wrong(f"For {given} your function returned {shown(answer)}; expected three numbers: mean, low, high.")
    mean, low, high = numbers
    right_mean = float(values.mean())
    if not _near(mean, right_mean):
        median = " That is the median: add all values and divide by how many there are."
        hint = median if _near(mean, float(values.median())) else ""
        raise Wrong(f"For {given} your function gives the mean {mean:g}; expected {right_mean:g}.{hint}")
    ends = [[float(np.quantile(values, part, method=way)) for way in QUANTILES] for part in (0.025, 0.975)]
    if not all(any(_near(end, good) for good in goods) for end, goods in zip((low, high), ends)):
        words = (
            f"For {given} your function gives the band {low:g} to {high:g}; expected {ends[0][0]:g} to {ends[1][0]:g}."
        )
        raise Wrong(" ".join(filter(None, (words, _about_band(values, low, high)))))


def _about_band(values, low: float, high: float) -> str:
    """What a wrong band shows, from what each common mistake would give."""
    mean, spread, runs = float(values.mean()), float(values.std()), len(values)
    part = {share: (float(values.quantile(share)), float(values.quantile(1 - share))) for share in (0.025, 0.05, 0.1)}
    if low > high:
        return "The lower end comes first."
    if _near(low, float(values.min())) and _near(high, float(values.max())):
        return "These are the smallest and the largest run; cut off 2.5 % of the runs at each end."
    if _near(low, part[0.05][0]) and _near(high, part[0.05][1]):
        return "That cuts off 5 % at each end, so 90 % are left; 95 % in the middle leaves 2.5 % at each end."
    if _near(low, part[0.1][0]) and _near(high, part[0.1][1]):
        return "That is the middle 80 %; here it is the middle 95 %."
    if _near(low, part[0.025][0]) or _near(high, part[0.025][1]):
        return "One end is right; the other should cut off 2.5 % as well."
    width = (high - low) / 2
    if spread and _near((high + low) / 2, mean):
        if width < 2.7 * spread / math.sqrt(runs):
            return "That says how well the mean is known. The band says where the runs lie, however many there are."
        return "Runs need not lie evenly on both sides of their mean: sort them, and cut off 2.5 % at each end."
    return ""


def perfect_share(function) -> None:
    """Try ``perfect_share(table)``, the share of perfect tables for each opponent, and say how it did.

    Parameters
    ----------
    function : function (pandas.DataFrame) -> dict of str to float, or Series
        The student's answer. The table has the columns of a sweep: opponent, seed, perfect
        (1 or 0, and nothing where the run failed) and error.

    Examples
    --------
    >>> perfect_share(lambda table: float(table["perfect"].mean()))
    ✗ For opponents random, itself with perfect tables [1, 0] and [1, 1] your function returned 0.75; expected a share \
for each opponent, {'random': 0.5, 'itself': 1.0}.
    """
    groups = [
        {"random": [1, 0], "itself": [1, 1]},
        {"perfect": [0, 0, 0], "random": [1, 0, 0], "itself": [1, 1, 0]},
        {"twin": [0] * 9 + [1], "a rule": [0] * 10},
        {"random": [1, None], "itself": [0, 1]},
        {"a rule": [None, 0, 0, 1], "twin": [1, 1, None, None], "random": [1, 0, 1, 0]},
    ]

    def judge() -> str:
        for group in groups:
            _judge_shares(function, group)
        return f"Right, for few and many seeds, also where runs have failed. ({len(groups)} tables tried)"

    report(function, judge)


def _sweep_table(group: dict[str, list]):
    """A table as `coinlib.sweep` returns it; None is a run that failed."""
    import pandas as pd

    rows = [
        {"opponent": name, "seed": seed, "perfect": perfect, "error": "" if perfect is not None else "ValueError: no"}
        for name, results in group.items()
        for seed, perfect in enumerate(results)
    ]
    return pd.DataFrame(rows).astype({"perfect": "float"})


def _judge_shares(function, group: dict[str, list]) -> None:
    names = ", ".join(group)
    results = " and ".join(str(["failed" if one is None else one for one in each]) for each in group.values())
    given = f"opponents {names} with perfect tables {results}".replace("'failed'", "failed")
    done = {name: [one for one in each if one is not None] for name, each in group.items()}
    expected = {name: sum(each) / len(each) for name, each in done.items()}
    table = _sweep_table(group)
    answer = call(function, (table,), given)
    wanted = str({name: round(share, 3) for name, share in expected.items()})
    if answer is None:
        raise Wrong(_none(given, wanted))
    shares = _shares(answer)
    if shares is None or set(shares) - set(expected) or not shares:
        raise Wrong(
            f"For {given} your function returned {shown(answer)}; expected a share for each opponent, {wanted}."
        )
    for name, share in expected.items():
        if name not in shares:
            raise Wrong(f"For {given} the opponent {name!r} is missing; expected {share:.3g}.")
        if not _near(shares[name], share):
            words = f"For {given} your function gives {name!r} {shares[name]:.3g}; expected {share:.3g}."
            raise Wrong(" ".join(filter(None, (words, _about_share(name, shares[name], group, done)))))


def _about_share(name: str, share: float, group: dict[str, list], done: dict[str, list]) -> str:
    """What a wrong share shows, from what each common mistake would give."""
    mine, runs = done[name], sum(map(len, done.values()))
    if math.isnan(share):
        return "Failed runs have no number (NaN); leave them out before you count."
    if len(mine) < len(group[name]) and _near(share, sum(mine) / len(group[name])):
        return "A failed run is neither perfect nor wrong: it does not count as a run."
    if len(mine) < len(group[name]) and _near(share, (sum(mine) + len(group[name]) - len(mine)) / len(group[name])):
        return "A failed run counts as perfect here. It says nothing: leave it out."
    if _near(share, sum(mine)):
        return "That is how many there are; divide by the runs of this opponent."
    if _near(share, 100 * sum(mine) / len(mine)):
        return "Give a share from 0 to 1, not in per cent."
    if _near(share, sum(mine) / runs):
        return "Divide by the runs of this opponent, not by all runs of the table."
    if _near(share, sum(map(sum, done.values())) / runs):
        return "That is the share of the whole table: take the rows of each opponent by themselves."
    if _near(share, 1 - sum(mine) / len(mine)):
        return "That is the share of the tables that are not perfect."
    return ""


# --- reading answers ----------------------------------------------------------------------------------------


def _number(answer) -> float | None:
    """A finite number, not a truth value and not a text."""
    if isinstance(answer, bool | str) or type(answer).__name__ == "bool":
        return None
    try:
        value = float(answer)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _three(answer) -> tuple[float, float, float] | None:
    try:
        numbers = [_number(each) for each in (answer.values() if isinstance(answer, Mapping) else answer)]
    except TypeError:
        return None
    if len(numbers) != 3 or None in numbers:
        return None
    return numbers[0], numbers[1], numbers[2]  # type: ignore[return-value]


def _shares(answer: Any) -> dict | None:
    """The numbers of a dict or a Series; NaN stays, so that it can be spoken of."""
    try:
        pairs = dict(answer.items())
        return {name: float(share) for name, share in pairs.items()}
    except (AttributeError, TypeError, ValueError):
        return None


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= NEAR * max(1.0, abs(other))


def _none(given: str, expected: str) -> str:
    return f"For {given} your function returned None; expected {expected}. {NO_RETURN}"
