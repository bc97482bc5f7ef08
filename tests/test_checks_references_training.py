"""Training hats, exploration and trees: references make what the library makes, and a text's freedom is accepted."""

import random
from itertools import product

import numpy as np
import pytest

from coincourse import checks
from coincourse.checks import engine
from coinlib import CoinGame, QLearner, RandomAgent, linear, solve, sticks, three_piles, train
from coinlib.trees import tree_size


def said(capsys, name, answer):
    getattr(checks, name)(answer)
    return capsys.readouterr().out.strip()


# --- references -----------------------------------------------------------------------------------------------------


def test_three_piles():
    normal, misere = (solve(CoinGame((4, 4, 4), None, ending)) for ending in (False, True))
    for state in product(range(5), repeat=3):
        game = three_piles(*state)
        assert sorted(checks.children.reference(state)) == sorted(
            game.play(state, move) for move in game.legal_moves(state)
        )
        assert checks.wins.reference(state) == normal.wins[state]
        assert checks.misere_wins.reference(state) == misere.wins[state]
        assert checks.winning_moves.reference(state) == normal.best_moves(state)
        if sum(state) < 8:
            assert checks.size_of_tree.reference(state) == tree_size(game).nodes
    assert np.array_equal(checks.fill_u.reference(4, 4, 4), normal.wins)


def test_the_losing_counts():
    solution = solve(sticks(300, max_pick=3, misere=True))
    assert all(checks.losing.reference(count) != solution.wins[count] for count in range(1, 301))


def test_the_favourite_is_chosen_as_often_as_the_reference_says():
    """20,000 choices of a learner; a right one fails in about one of 10,000 runs (four standard deviations)."""
    learner = QLearner(sticks(20), exploration=0.3, seed=3)
    seat = learner.sit()
    share = sum(seat(learner.game, (20,)).count == 1 for _ in range(20_000)) / 20_000
    wanted = checks.chance_of_best.reference(0.3, 3)
    assert abs(share - wanted) < 4 * (wanted * (1 - wanted) / 20_000) ** 0.5


def test_one_can_train_with_the_falling_plan():
    learner = QLearner(sticks(10), learning_rate=0.3, exploration=checks.falling.reference)
    run = train(learner, RandomAgent(), games=1_100, seed=1)
    assert learner.distance_to_perfect().perfect and run.won[-100:].mean() > 0.9


# --- what a text leaves open, and what it does not --------------------------------------------------------------------


@pytest.mark.parametrize(
    "way",
    ["linear", "lower", "higher", "nearest", "midpoint", "hazen", "weibull", "median_unbiased", "normal_unbiased"]
    + ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf"],
)
def test_every_usual_way_to_cut_off_runs_is_right(way, capsys):
    words = said(capsys, "mean_and_band", lambda runs: [runs.mean(), *np.quantile(runs, [0.025, 0.975], method=way)])
    assert words.startswith("✓ Right")


def staircase(learnt):
    return np.float32(0.8) if learnt < 300 else 0.3 if learnt < 1_000 else 0


@pytest.mark.parametrize("plan", [linear(1, 0, 1_000), linear(0.5, 0, 200), staircase, lambda learnt: learnt < 1_000])
def test_every_plan_that_falls_is_right(plan, capsys):
    assert said(capsys, "falling", plan).startswith("✓ Right")


def counter(calls):
    """A plan that counts how often it is asked, and falls only after so many calls."""
    asked = iter(range(calls))
    return lambda learnt: 0.6 if next(asked, None) is not None and learnt < 1_000 else 0.0


DICE = random.Random(1)
ODD_PLANS = [
    *(counter(calls) for calls in (10, 600, 3_000)),
    lambda learnt: DICE.random() * (learnt < 1_000),
    lambda learnt: 0.9 if learnt == 777 else 0.5 if learnt < 1_000 else 0,
    lambda learnt: 0 if 1_000 <= learnt < 100_000 else 0.5,
    lambda learnt: 0.5 if learnt <= 1_000 else 0,
    lambda learnt: 0.4 if learnt < 1_000 else 0,
]


@pytest.mark.parametrize("plan", ODD_PLANS)
def test_every_other_plan_is_refused(plan, capsys):
    assert said(capsys, "falling", plan).startswith("✗ For ")


def without_memory(state):
    return any(not without_memory(child) for child in checks.children.reference(state))


def without_memory_in_misere(state):
    return not any(state) or any(not without_memory_in_misere(child) for child in checks.children.reference(state))


@pytest.mark.parametrize(("name", "answer"), [("wins", without_memory), ("misere_wins", without_memory_in_misere)])
def test_an_answer_without_a_memory_is_given_up_and_told_why(name, answer, capsys, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 2.0)
    words = said(capsys, name, answer)
    assert "For the state (7, 8, 15) your function gave no answer" in words and "Look into the memory first" in words


def test_a_table_of_numbers_is_as_good_as_four_lines_of_text(capsys):
    table = np.array([[(n ^ d ^ 1) != 0 for n in range(4)] for d in (3, 2, 1, 0)])
    for form in (table, table.astype(int), table.astype(float).tolist()):
        assert said(capsys, "u_table", form) == "✓ Right, all 16 places."
