"""Lesson 06, Q-learning: the greedy choice, the update of the table, the rolling win rate."""

from __future__ import annotations

import copy
import math

from coinlib.arguments import counted

from .core import NO_RETURN, Case, Wrong, call, refusal, report, same

Row = dict[int, float]  # what each take is worth with so many sticks
QTable = dict[int, Row]

NEAR = 1e-9  # two ways to add the same numbers may differ in the last digits


def greedy_take(function) -> None:
    """Try ``greedy_take(values)``, the take of largest value, the smallest take among equals, and say how it did.

    Parameters
    ----------
    function : function (dict of int to float) -> int
        The student's answer. The dictionary holds the value of each legal take.

    Examples
    --------
    >>> greedy_take(lambda values: max(values.values()))
    ✗ For values {1: -1.0} your function returned -1.0; expected 1. That is a value; return the take it belongs to.
    """
    rows: list[Row] = [
        {1: -1.0},
        {1: 0.0, 2: 1.0},
        {1: 0.0, 2: 0.0, 3: 0.0},
        {1: -1.0, 2: 0.5, 3: 0.5},
        {1: -0.5, 2: -1.0, 3: -0.25},
        {1: 0.5, 2: 0.25, 3: 0.75},
        {1: 1.0, 2: 0.0, 3: 1.0},
    ]
    cases = [Case((row,), min(row, key=lambda take: (-row[take], take)), f"values {row}") for row in rows]

    def judge() -> str:
        for case in cases:
            answers = [call(function, case.arguments, case.given) for _ in range(8)]  # a draw shows itself
            for answer in answers:
                if answer is None:
                    raise Wrong(refusal(case.given, answer, case.expected, NO_RETURN))
                if not same(answer, case.expected):
                    raise Wrong(refusal(case.given, answer, case.expected, _about_take(case, answer, answers)))
        return f"Right, for one take and several, for equals and for values below 0. ({len(cases)} cases tried)"

    report(function, judge)


def _about_take(case: Case, answer, answers: list) -> str:
    (values,) = case.arguments
    largest = max(values.values())
    if any(other != answer for other in answers):
        return "Called again it answers something else: among equals take the smallest, not any."
    if isinstance(answer, dict | list | tuple):
        return "Return one take, a whole number."
    if answer in values and values[answer] == largest:
        return f"Takes {answer} and {case.expected} are worth the same; among equals take the smallest."
    if isinstance(answer, float):
        return "That is a value; return the take it belongs to."
    if answer == 0:
        return "There is no take 0. Does your search begin with a value of 0, or count places from 0?"
    if answer not in values and answer == case.expected - 1:
        return "Places in a list are counted from 0, but the smallest take is 1."
    if answer not in values:
        return f"The legal takes are {', '.join(map(str, values))}."
    if largest < 0:
        return "Every value is below 0 here; the largest is the one nearest to 0."
    return f"Take {answer} is worth {values[answer]:g}, take {case.expected} is worth {largest:g}."


def q_update(function) -> None:
    """Try ``q_update(q, state, move, reward, next_state, learning_rate, discount)`` and say how it did.

    Parameters
    ----------
    function : function
        The student's answer. It changes ``q[state][move]`` and nothing else; ``next_state`` is
        None when the game is over.

    Examples
    --------
    >>> def no_end(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    ...     q[state][move] = reward
    >>> q_update(no_end)
    ✗ With 4 sticks, take 1, reward 0, 2 sticks found, learning rate 1 and discount 1 your function made q[4][1] \
0; expected 0.875. The value of the next state is missing from the target.
    """
    ends = [(1, 1, -1.0, None), (2, 1, 1.0, None)]
    steps = [(4, 1, 0.0, 2), (4, 3, 0.0, 1), (3, 1, 0.0, 1)]
    settings = [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.1, 0.9)]
    cases = [(*step, rate, discount) for rate, discount in settings for step in ends + steps]

    def judge() -> str:
        for case in cases:
            _judge_update(function, case)
        return (
            "Right, for games that go on and games that are over, for every learning rate and discount. "
            f"({len(cases)} cases tried)"
        )

    report(function, judge)


def _small_table() -> QTable:
    """Values that a learner of 4 sticks may hold; no two ways to get a target wrong give the same number."""
    return {1: {1: -0.75}, 2: {1: 0.875, 2: -0.5}, 3: {1: 0.25, 2: 0.75, 3: -0.25}, 4: {1: -0.625, 2: 0.25, 3: 0.5}}


def _judge_update(function, case: tuple) -> None:
    state, move, reward, next_state, rate, discount = case
    found = "the game over" if next_state is None else f"{counted(next_state, 'stick')} found"
    given = (
        f"{counted(state, 'stick')}, take {move}, reward {reward:g}, {found}, "
        f"learning rate {rate:g} and discount {discount:g}"
    )
    q = _small_table()
    try:
        answer = function(q, state, move, reward, next_state, rate, discount)
    except Exception as error:
        raise Wrong(
            f"With {given} your function raised {type(error).__name__}: {error}.{_about_error(error, next_state)}"
        ) from error
    before = _small_table()
    expected = copy.deepcopy(before)
    best = 0.0 if next_state is None else max(before[next_state].values())
    expected[state][move] += rate * (reward + discount * best - before[state][move])
    wanted = expected[state][move]
    value = _entry(q, state, move)
    if value is None:
        raise Wrong(f"With {given} there is no number in q[{state}][{move}] any more; expected {wanted:g}.")
    if abs(value - wanted) > NEAR:
        words = f"With {given} your function made q[{state}][{move}] {value:g}; expected {wanted:g}."
        raise Wrong(f"{words} {_about_update(case, q, value, answer, wanted)}".strip())
    q[state][move] = wanted
    if q != expected:
        raise Wrong(f"With {given} q[{state}][{move}] is right, but another value of the table was changed as well.")


def _about_error(error: Exception, next_state: int | None) -> str:
    if isinstance(error, TypeError) and "argument" in str(error):
        return " Keep the parameters of the stub: the check hands over all seven."
    return " When the game is over there is no next state: look at None first." if next_state is None else ""


def _entry(q, state: int, move: int) -> float | None:
    try:
        value = float(q[state][move])
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _about_update(case: tuple, q: QTable, value: float, answer, wanted: float) -> str:
    """What a wrong value shows, from what each common mistake would lead to."""
    state, move, reward, next_state, rate, discount = case
    before = _small_table()
    old = before[state][move]
    if value == old and isinstance(answer, int | float) and abs(answer - wanted) <= NEAR:
        return "You returned the right number; write it into the table: q[state][move] = ..."
    if q == before and value == old:
        return "The table is as it was."
    if value == old:
        return "Another value of the table was changed instead."
    row = [0.0] if next_state is None else list(before[next_state].values())
    best = max(row)
    target = reward + discount * best

    def moved(towards: float) -> float:
        return old + rate * (towards - old)

    mistakes = [
        (target, "That is the target; the value should move towards it by the learning rate."),
        (old + rate * target, "The difference is target less old value: the old value was not taken away."),
        (rate * target, "The old value is gone: add rate x (target - old value) to it."),
        (moved(reward), "The value of the next state is missing from the target."),
        (
            moved(reward + discount * sum(row) / len(row)),
            "That backs up the average of the next values; take the best.",
        ),
        (
            moved(reward + discount * max(before.get(next_state, {1: 0.0}))),
            "That takes the largest move, not the largest value: max(q[next_state].values()).",
        ),
        (moved(reward + discount * min(row)), "That backs up the worst next value; take the best."),
        (moved(reward + discount * sum(row)), "That adds up the next values; take the best."),
        (moved(reward + best), "The discount is not used."),
        (moved(reward + discount * max(before[state].values())), "Look at the next state, not at this one."),
        (moved(discount * (reward + best)), "The discount belongs to the next value only, not to the reward."),
        (old - rate * (target - old), "The value moved away from the target."),
        (moved(reward - discount * best), "The next state is the learner's own turn again: its value is added."),
    ]
    return next((words for made, words in mistakes if abs(made - value) <= NEAR), "")


def rolling_win_rate(function) -> None:
    """Try ``rolling_win_rate(won, window)``, the share of wins in the last games after each game, and say how it did.

    Parameters
    ----------
    function : function (list of bool, int) -> list of float
        The student's answer; NaN before a full window.

    Examples
    --------
    >>> rolling_win_rate(lambda won, window: [sum(won) / len(won)] * len(won))
    ✗ For won [True, False], window 1 your function returned [0.5, 0.5]; expected [1.0, 0.0]. \
After 1 game the window holds [True].
    """
    records = [
        ([True, False], 1),
        ([True, False], 2),
        ([False, True, True], 2),
        ([True, False], 3),
        ([False, False, True, False, True, True, True], 5),
        ([True] * 6, 5),
        ([False, True] * 4, 4),
    ]
    cases = [Case(each, _rolling(*each), f"won {each[0]}, window {each[1]}") for each in records]

    def judge() -> str:
        for case in cases:
            answer = call(function, case.arguments, case.given)
            if answer is None:
                raise Wrong(refusal(case.given, answer, case.expected, NO_RETURN))
            numbers = _numbers(answer)
            if numbers is None:
                hint = "Return a list with one number for each game."
                raise Wrong(refusal(case.given, answer, case.expected, hint))
            if not _alike(numbers, case.expected):
                raise Wrong(refusal(case.given, numbers, case.expected, _about_rate(case, numbers)))
        return f"Right, for windows of every length, and NaN before a full one. ({len(cases)} cases tried)"

    report(function, judge)


def _rolling(won: list[bool], window: int) -> list[float]:
    rates = [math.nan] * min(window - 1, len(won))
    return rates + [sum(won[end - window : end]) / window for end in range(window, len(won) + 1)]


def _numbers(answer) -> list[float] | None:
    """The answer as a list of floats (None where the student has none), or None if it is no such thing."""
    try:
        return [math.nan if number is None else float(number) for number in answer]
    except (TypeError, ValueError):
        return None


def _alike(numbers: list[float], expected: list[float]) -> bool:
    return len(numbers) == len(expected) and all(
        math.isnan(one) == math.isnan(other) and (math.isnan(one) or abs(one - other) <= NEAR)
        for one, other in zip(numbers, expected)
    )


def _about_rate(case: Case, numbers: list[float]) -> str:
    won, window = case.arguments
    full = [rate for rate in case.expected if not math.isnan(rate)]
    if len(numbers) != len(won):
        missing = " The games before a full window get NaN." if _alike(numbers, full) else ""
        return f"There are {len(won)} games, so {len(won)} numbers are expected.{missing}"
    if _alike(numbers[:: max(1, len(won))], [100 * full[0]] if full else []) or any(rate > 1 for rate in numbers):
        return "A win rate lies between 0 and 1: divide by the window."
    for game, (rate, right) in enumerate(zip(numbers, case.expected), 1):
        if math.isnan(right) and not math.isnan(rate):
            return f"After {counted(game, 'game')} the window of {window} is not full yet: the answer there is NaN."
        if math.isnan(rate) and not math.isnan(right):
            return (
                f"After {counted(game, 'game')} the window of {window} is full: it holds {won[game - window : game]}."
            )
        if not math.isnan(right) and abs(rate - right) > NEAR:
            return f"After {counted(game, 'game')} the window holds {won[game - window : game]}."
    return ""
