"""The exercises of lesson 06: what each check says to the stub, the solution, another right answer and common mistakes."""

import math
import random

import numpy as np
import pandas as pd
import pytest
from exercises import Exercises, said

from coincourse.checks.lesson_06 import _rolling
from coinlib import Move, QLearner, play_match, sticks
from coinlib.agents import RandomAgent
from coinlib.arena import Run

LESSON = Exercises("06_q_learning")
NAMES = ["greedy_take", "q_update", "rolling_win_rate"]


# --- stubs and solutions of the lesson itself

BACK = "Does it hand its answer back with `return`?"
STUBS = {
    "greedy_take": f"✗ For values {{1: -1.0}} your function returned None; expected 1. {BACK}",
    "q_update": "✗ With 1 stick, take 1, reward -1, the game over, learning rate 1 and discount 1 your function made "
    "q[1][1] -0.75; expected -1. The table is as it was.",
    "rolling_win_rate": f"✗ For won [True, False], window 1 your function returned None; expected [1.0, 0.0]. {BACK}",
}
RIGHT = {
    "greedy_take": "✓ Right, for one take and several, for equals and for values below 0. (7 cases tried)",
    "q_update": "✓ Right, for games that go on and games that are over, for every learning rate and discount. "
    "(20 cases tried)",
    "rolling_win_rate": "✓ Right, for windows of every length, and NaN before a full one. (7 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name])


# --- other right answers


def update_by_weights(q, state, move, reward, next_state, rate, discount):
    """The mean of the old value and the target, weighted by the learning rate."""
    best = max(q[next_state][take] for take in q[next_state]) if next_state else 0
    q[state][move] = (1 - rate) * q[state][move] + rate * (reward + discount * best)


OTHERS = {
    "greedy_take": [
        lambda values: max(values, key=values.get),
        lambda values: min(values, key=lambda take: (-values[take], take)),
    ],
    "q_update": [update_by_weights],
    "rolling_win_rate": [
        lambda won, window: pd.Series(won, dtype=float).rolling(window).mean(),
        lambda won, window: (
            Run("", "", np.where(won, 1, -1), np.ones(len(won), bool)).win_rate(window)
            if len(won) >= window
            else [math.nan] * len(won)
        ),
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_another_right_answer(name, capsys):
    for function in OTHERS[name]:
        assert said(capsys, name, function) == RIGHT[name]


# --- mistakes


DICE = random.Random(1)


def largest_from_zero(values):
    best, largest = 0, 0.0
    for take, value in values.items():
        if value > largest:
            best, largest = take, value
    return best


def any_of_equals(values, dice=DICE):
    most = max(values.values())
    return dice.choice([take for take in values if values[take] == most])


def update(best=max, towards=lambda old, rate, target: old + rate * (target - old), keep_discount=True):
    """An update with one part exchanged."""

    def q_update(q, state, move, reward, next_state, rate, discount):
        share = discount if keep_discount else 1.0
        target = reward + (share * best(q[next_state].values()) if next_state is not None else 0.0)
        q[state][move] = towards(q[state][move], rate, target)

    return q_update


def returns_it(q, state, move, reward, next_state, rate, discount):
    copied = {count: dict(row) for count, row in q.items()}
    update()(copied, state, move, reward, next_state, rate, discount)
    return copied[state][move]


def forgets_the_end(q, state, move, reward, next_state, rate, discount):
    q[state][move] += rate * (reward + discount * max(q[next_state].values()) - q[state][move])


def changes_the_row(q, state, move, reward, next_state, rate, discount):
    update()(q, state, move, reward, next_state, rate, discount)
    q[state] = dict.fromkeys(q[state], q[state][move])


def changes_the_next(q, state, move, reward, next_state, rate, discount):
    q[next_state or 3][1] = reward


def replaces_the_row(q, state, move, reward, next_state, rate, discount):
    q[state] = reward


MISTAKES = {
    "greedy_take": [
        (lambda values: max(values.values()), "returned -1.0; expected 1. That is a value; return the take"),
        (largest_from_zero, "returned 0; expected 1. There is no take 0. Does your search begin with a value of 0"),
        (
            lambda values: max(reversed(values), key=values.get),
            "returned 3; expected 1. Takes 3 and 1 are worth the same; among equals take the smallest.",
        ),
        (lambda values: list(values.values()).index(max(values.values())), "or count places from 0?"),
        (lambda values: max(values, key=lambda k: abs(values[k])), "Take 1 is worth -1, take 2 is worth 0.5."),
        (
            lambda values: max(values, key=lambda k: (values[k] > 0) + abs(values[k])),
            "Every value is below 0 here; the largest is the one nearest to 0.",
        ),
        (lambda values: min(values, key=values.get), "Take 1 is worth 0, take 2 is worth 1."),
        (any_of_equals, "Called again it answers something else"),
        (lambda values: [max(values, key=values.get)], "Return one take, a whole number."),
        (lambda values: 4, "The legal takes are 1."),
    ],
    "q_update": [
        (returns_it, "You returned the right number; write it into the table"),
        (forgets_the_end, "raised KeyError: None. When the game is over there is no next state"),
        (update(best=lambda row: sum(row) / len(row)), "That backs up the average of the next values; take the best."),
        (
            lambda q, state, move, reward, found, rate, discount: q[state].update(
                {move: max(q[found]) if found else reward}
            ),
            "That takes the largest move, not the largest value: max(q[next_state].values()).",
        ),
        (
            lambda q, state, move, reward, next_state: None,
            "takes 5 positional arguments but 7 were given. Keep the parameters of the stub",
        ),
        (update(best=min), "That backs up the worst next value; take the best."),
        (update(best=sum), "That adds up the next values; take the best."),
        (update(best=lambda row: 0.0), "The value of the next state is missing from the target."),
        (update(keep_discount=False), "discount 0.5 your function made q[4][1] 0.875; expected 0.4375. The discount"),
        (update(towards=lambda old, rate, target: target), "That is the target; the value should move towards it"),
        (update(towards=lambda old, rate, target: old + rate * target), "the old value was not taken away."),
        (update(towards=lambda old, rate, target: rate * target), "The old value is gone"),
        (update(towards=lambda old, rate, target: old - rate * (target - old)), "moved away from the target."),
        (update(best=lambda row: -max(row)), "The next state is the learner's own turn again"),
        (changes_the_row, "q[2][1] is right, but another value of the table was changed as well."),
        (changes_the_next, "Another value of the table was changed instead."),
        (replaces_the_row, "there is no number in q[1][1] any more; expected -1."),
    ],
    "rolling_win_rate": [
        (lambda won, window: [sum(won) / len(won)] * len(won), "After 1 game the window holds [True]."),
        (
            lambda won, window: [sum(won[max(0, n - window) : n]) / window for n in range(1, len(won) + 1)],
            "After 1 game the window of 2 is not full yet: the answer there is NaN.",
        ),
        (
            lambda won, window: [sum(won[n - window : n]) / window for n in range(window, len(won) + 1)],
            "There are 2 games, so 2 numbers are expected. The games before a full window get NaN.",
        ),
        (
            lambda won, window: [math.nan] * min(window, len(won)) + _rolling(won, window)[window:],
            "After 1 game the window of 1 is full: it holds [True].",
        ),
        (
            lambda won, window: [100 * rate for rate in _rolling(won, window)],
            "A win rate lies between 0 and 1: divide by the window.",
        ),
        (lambda won, window: sum(won[-window:]) / window, "Return a list with one number for each game."),
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
@pytest.mark.parametrize("answer", [3.5, "1", [[]], {"row": 1}, object, [None], True, math.nan])
def test_nonsense_is_refused_in_words(name, answer, capsys):
    words = said(capsys, name, lambda *given: answer)
    assert words.startswith("✗ ") and "Traceback" not in words


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_raises_is_said_to_do_so(name, capsys):
    assert "your function raised ZeroDivisionError" in said(capsys, name, lambda *given: 1 / 0)


# --- what the lesson states


def test_the_solution_makes_the_table_of_the_library():
    """The student's update, fed with the transitions of 50 games, gives the QLearner's values, bit by bit."""
    game, change = sticks(10), LESSON.solution("q_update")
    learner = QLearner(game, learning_rate=0.5, discount=0.9, exploration=0.3, seed=1)
    q = {n: {move.count: 0.0 for move in game.legal_moves((n,))} for n in range(1, 11)}
    opponent = RandomAgent(seed=2)
    for _ in range(50):
        match = play_match(game, learner, opponent, learn=True)
        found = [state[0] for state in match.states[:-1:2]]
        for turn, (state, move) in enumerate(zip(found, match.moves[::2])):
            after = found[turn + 1] if turn + 1 < len(found) else None
            reward = 0 if after else (1 if match.winner == 1 else -1)
            change(q, state, move.count, reward, after, 0.5, 0.9)
    for state, row in q.items():
        for take, value in row.items():
            assert learner.values[learner.table.row((state,)), learner.table.column[Move(0, take)]] == value


def test_the_shares_of_the_lesson_stand_where_it_says_they_do():
    """After 50 games a full window is common and a right table rare; after 300 both are there."""
    tables = [cell.outputs[0].data["text/plain"] for cell in LESSON.code if "(100 * shares" in cell.source]
    rows = [line.split() for table in tables for line in table.splitlines()[2:]]
    full = {games: (float(window), float(right)) for games, window, right, _ in rows}
    assert set(full) == {"50", "100", "300", "1,000", "3,000"}
    assert 60 < full["50"][0] < 80 and full["50"][1] < 25
    assert full["1,000"][0] > 80 and full["1,000"][1] < 40
    assert min(full["300"] + full["3,000"]) > 98
