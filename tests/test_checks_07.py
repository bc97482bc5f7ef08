"""The exercises of lesson 07: what each check says to the stub, the solution, another right answer and common mistakes."""

import math
import random

import numpy as np
import pandas as pd
import pytest
from exercises import Exercises, said

from coinlib import QLearner, linear, sticks
from coinlib.agents import RandomAgent
from coinlib.arena import train

LESSON = Exercises("07_exploration_and_opponents")
NAMES = ["chance_of_best", "falling", "mean_and_band", "perfect_share"]


# --- stubs and solutions of the lesson itself

BACK = "Does it hand its answer back with `return`?"
RUNS = "For 41 runs with values from 0 to 160 your function"
TWO = "For opponents random, itself with perfect tables [1, 0] and [1, 1] your function"
STUBS = {
    "chance_of_best": f"✗ For exploration 0 and 3 legal moves your function returned None; expected 1. {BACK}",
    "falling": "✗ For 0 games learnt your plan returned None; expected a number from 0 to 1. "
    "Does every way through the function end with `return`?",
    "mean_and_band": f"✗ {RUNS} returned None; expected three numbers: mean, low, high. {BACK}",
    "perfect_share": f"✗ {TWO} returned None; expected {{'random': 0.5, 'itself': 1.0}}. {BACK}",
}
RIGHT = {
    "chance_of_best": "✓ Right, without exploration, with nothing but exploration, and between them. (8 cases tried)",
    "falling": "✓ Right: it starts high, never rises and ends at 0. (13 moments of the training looked at)",
    "mean_and_band": "✓ Right, for few runs and many, also where all are equal. (4 lists of runs tried)",
    "perfect_share": "✓ Right, for few and many seeds, also where runs have failed. (5 tables tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name])


# --- other right answers


def staircase(learnt):
    return 0.8 if learnt < 300 else 0.3 if learnt < 1_000 else 0


def by_sorting(values):
    numbers = sorted(values)
    cut = len(numbers) // 40  # 2.5 %
    return [sum(numbers) / len(numbers), numbers[cut], numbers[-1 - cut]]


def by_counting(table):
    done, perfect = {}, {}
    for opponent, value in zip(table["opponent"], table["perfect"]):
        if not math.isnan(value):
            done[opponent] = done.get(opponent, 0) + 1
            perfect[opponent] = perfect.get(opponent, 0) + value
    return {opponent: perfect[opponent] / done[opponent] for opponent in done}


OTHERS = {
    "chance_of_best": [
        lambda exploration, legal: 1 - exploration * (legal - 1) / legal,
        lambda exploration, legal: np.float64(1 - exploration + exploration / legal),
    ],
    "falling": [linear(1, 0, 1_000), linear(0.5, 0, 200), staircase, lambda n: math.exp(-n / 100) * (n < 1_000)],
    "mean_and_band": [
        by_sorting,
        lambda values: np.array([np.mean(values), *np.percentile(values, [2.5, 97.5])]),
        lambda values: {"mean": values.mean(), "low": values.quantile(0.025), "high": values.quantile(0.975)},
        lambda values: (values.mean(), *np.quantile(values, [0.025, 0.975], method="median_unbiased")),
    ],
    "perfect_share": [
        lambda table: table.groupby("opponent")["perfect"].mean(),
        lambda table: table[table["error"] == ""].groupby("opponent")["perfect"].mean().to_dict(),
        by_counting,
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_another_right_answer(name, capsys):
    for function in OTHERS[name]:
        assert said(capsys, name, function) == RIGHT[name]


# --- mistakes

DICE = random.Random(1)


def counter():
    """A plan that counts its calls in place of reading what it is given."""
    calls = []

    def plan(learnt):
        calls.append(learnt)
        return max(0.0, 1 - len(calls) / 20)

    return plan


def forgets_the_end(learnt):
    if learnt < 1_000:
        return 1 - learnt / 1_000


def spread(times):
    """A band of so many standard deviations on both sides of the mean."""
    return lambda values: (values.mean(), values.mean() - times * values.std(), values.mean() + times * values.std())


def of_the_mean(values):
    width = 1.96 * values.std() / len(values) ** 0.5
    return values.mean(), values.mean() - width, values.mean() + width


def shares(change):
    """An answer made from the tables and the runs of each opponent."""

    def perfect_share(table):
        groups = table.groupby("opponent", sort=False)["perfect"]
        return {name: change(column, table) for name, column in groups}

    return perfect_share


MISTAKES = {
    "chance_of_best": [
        (
            lambda e, legal: 1 - e,
            "returned 0; expected 0.333. Exploring draws any legal move, and the favourite is one",
        ),
        (
            lambda e, legal: e / legal,
            "returned 0; expected 1. Add the other way to the favourite: not exploring at all.",
        ),
        (lambda e, legal: 1 - e + 1 / legal, "The draw happens only when it explores"),
        (lambda e, legal: 1 - e / legal, "returned 0.667; expected 0.333. Two ways lead to the favourite"),
        (
            lambda e, legal: 100 * (1 - e + e / legal),
            "returned 100; expected 1. Give a chance from 0 to 1, not in per cent.",
        ),
        (lambda e, legal: 1 / legal, "returned 0.333; expected 1. That is the chance when it always explores."),
        (lambda e, legal: e + (1 - e) / legal, "returned 0.333; expected 1."),
        (lambda e, legal: e - e / legal, "returned 0; expected 1."),
        (lambda e, legal: (1 - e, e / legal), "returned (1.0, 0.0); expected one number."),
    ],
    "falling": [
        (
            lambda n: 1 - n / 1_000,
            "For 1,001 games learnt your plan gives -0.001. Exploration is a chance, from 0 to 1.",
        ),
        (lambda n: n / 1_000 if n < 1_000 else 1.0, "Your plan rises: 0 after 0 games learnt, 0.001 after 1."),
        (lambda n: 0.3, "Before the first game your plan gives 0.3; expected 0.5 or more"),
        (lambda n: 0.0, "Before the first game your plan gives 0; expected 0.5 or more: nothing is known yet."),
        (lambda n: 0.9, "For 1,000 games learnt your plan gives 0.9; expected 0 from game 1,000 on."),
        (lambda n: 1 / (1 + n), "expected 0 from game 1,000 on."),
        (
            lambda n: max(0.0, 100 - n / 10),
            "For 0 games learnt your plan gives 100. Exploration is a chance, from 0 to 1.",
        ),
        (
            lambda n: abs(1 - n / 1_000) if n < 3_000 else 0,
            "Your plan rises: 0 after 1,000 games learnt, 0.001 after 1,001",
        ),
        (lambda n: 0.5 if n == 0 else 0.7 * (n < 1_000), "Your plan rises: 0.5 after 0 games learnt, 0.7 after 1."),
        (counter(), "and asked again 0.3. It must depend on the number it is given, and on nothing else"),
        (lambda n: DICE.random() * (n < 1_000), "It must depend on the number it is given, and on nothing else"),
        (
            forgets_the_end,
            "For 1,000 games learnt your plan returned None; expected a number from 0 to 1. Does every way",
        ),
        (lambda n: n < 1_000, "For 0 games learnt your plan returned True; expected a number from 0 to 1."),
    ],
    "mean_and_band": [
        (
            lambda v: (v.mean(), v.min(), v.max()),
            "gives the band 0 to 160; expected 0.1 to 152.1. These are the smallest",
        ),
        (lambda v: (v.mean(), v.quantile(0.05), v.quantile(0.95)), "That cuts off 5 % at each end, so 90 % are left"),
        (
            lambda v: (v.mean(), v.quantile(0.1), v.quantile(0.9)),
            "That is the middle 80 %; here it is the middle 95 %.",
        ),
        (lambda v: (v.mean(), v.quantile(0.975), v.quantile(0.025)), "The lower end comes first."),
        (lambda v: (v.mean(), v.quantile(0.025), v.quantile(0.95)), "One end is right; the other should cut off 2.5 %"),
        (
            lambda v: (v.median(), v.quantile(0.025), v.quantile(0.975)),
            "gives the mean 40; expected 54. That is the median",
        ),
        (spread(2), "Runs need not lie evenly on both sides of their mean"),
        (spread(1.96), "Runs need not lie evenly on both sides of their mean"),
        (of_the_mean, "That says how well the mean is known. The band says where the runs lie"),
        (lambda v: v.mean(), "expected three numbers: mean, low, high."),
        (lambda v: (v.quantile(0.025), v.quantile(0.975)), "expected three numbers: mean, low, high."),
    ],
    "perfect_share": [
        (
            shares(lambda column, table: column.sum()),
            "gives 'random' 1; expected 0.5. That is how many there are; divide by",
        ),
        (shares(lambda column, table: column.sum() / len(column)), "A failed run is neither perfect nor wrong"),
        (shares(lambda column, table: column.fillna(1).mean()), "A failed run counts as perfect here."),
        (shares(lambda column, table: sum(column) / len(column)), "Failed runs have no number (NaN); leave them out"),
        (shares(lambda column, table: 100 * column.mean()), "Give a share from 0 to 1, not in per cent."),
        (
            shares(lambda column, table: column.sum() / len(table)),
            "Divide by the runs of this opponent, not by all runs",
        ),
        (shares(lambda column, table: table["perfect"].mean()), "take the rows of each opponent by themselves."),
        (
            shares(lambda column, table: 1 - column.mean()),
            "gives 'itself' 0; expected 1. That is the share of the tables",
        ),
        (lambda table: table["perfect"].mean(), "expected a share for each opponent, {'random': 0.5, 'itself': 1.0}."),
        (lambda table: {"random": 0.5}, "the opponent 'itself' is missing; expected 1."),
        (lambda table: table.groupby("seed")["perfect"].mean(), "expected a share for each opponent"),
    ],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in NAMES for number in range(len(MISTAKES[name]))]
)
def test_a_mistake_is_named(name, number, capsys):
    function, words = MISTAKES[name][number]
    answer = said(capsys, name, function)
    assert answer.startswith("✗ ") and words in answer


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", [3.5, "1", [[]], {"row": 1}, object, [None], True, math.nan, pd.NA])
def test_nonsense_is_refused_in_words(name, answer, capsys):
    words = said(capsys, name, lambda *given: answer)
    assert words.startswith("✗ ") and "Traceback" not in words and "raised" not in words


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_raises_is_said_to_do_so(name, capsys):
    assert "your function raised ZeroDivisionError" in said(capsys, name, lambda *given: 1 / 0)


# --- what the lesson states


def table_under(line):
    """The text of the output under the cell whose source holds `line`, as words of each line."""
    (cell,) = (cell for cell in LESSON.code if line in cell.source)
    text = next(output for output in cell.outputs if "data" in output).data["text/plain"]
    return [words.split() for words in text.splitlines()]


def test_the_favourite_is_chosen_as_often_as_the_solution_says():
    """50,000 choices of a learner; a right one fails in about one of 10,000 runs (four standard deviations)."""
    for exploration in (0.3, 1.0):
        learner = QLearner(sticks(20), exploration=exploration, seed=3)
        seat = learner.sit()
        share = sum(seat(learner.game, (20,)).count == 1 for _ in range(50_000)) / 50_000
        wanted = LESSON.solution("chance_of_best")(exploration, 3)
        assert abs(share - wanted) < 4 * (wanted * (1 - wanted) / 50_000) ** 0.5


def test_the_falling_plan_of_the_solution_can_be_trained_with():
    learner = QLearner(sticks(10), learning_rate=0.3, exploration=LESSON.solution("falling"))
    run = train(learner, RandomAgent(), games=1_100, seed=1)
    assert learner.distance_to_perfect().perfect and run.won[-100:].mean() > 0.9


def test_plans_and_rates_stand_where_the_lesson_says():
    rows = [line[-5:] for line in table_under("result.join(others)")[2:]]
    mean, _, _, perfect, last = zip(*[map(float, row) for row in rows])
    one, low = dict(zip(["none", "always", "falls", "rises"], range(4))), 4
    assert mean[one["rises"]] == min(mean) and mean[one["none"]] > 13 > mean[one["falls"]]
    assert mean[low] < 9 < mean[low + 1] < mean[low + 2] and min(perfect[low + 2 :]) > 0.9
    assert max(last[one["rises"]], last[low + 3]) < 0.55 and last[low + 2] > 0.95


def test_only_both_together_repair_the_larger_game():
    rows = table_under("nim = sweep(")[2:]
    none, falls, slow, both = (int(row[-4]) for row in rows)
    assert both > none > falls > slow


def test_teachers_stand_where_the_lesson_says():
    rows = {line[0]: line for line in table_under("ends.loc[teacher")[2:]}
    perfect = {name: int(next(word for word in line if "%" in word).rstrip("%")) for name, line in rows.items()}
    assert perfect["itself"] == perfect["a"] == 100  # "a twin"
    assert perfect["perfect"] == perfect["always"] == 0 < perfect["random"] < 100
    described = {line[0]: line for line in table_under("known.tail(5)")[2:]}
    assert described["19"][-4:] == ["the", "win", "away", "0"] and described["18"][-1] == "0"


def test_what_was_never_visited_stands_where_the_lesson_says():
    none, falls = (list(map(int, line[1:])) for line in table_under('"row 1 fuller": (more')[2:])
    assert none[0] == none[3] > 10 * falls[3] > 0 and falls[0] and falls[2]
