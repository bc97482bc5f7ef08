"""Every exercise is tried against itself: its reference, its mistakes, and answers of the wrong kind."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from coincourse import checks
from coincourse.checks import contests, hints
from coincourse.checks.engine import Check, Exercise
from coincourse.checks.verdict import Verdict

CHECKS = {name: getattr(checks, name) for name in checks.__all__ if isinstance(getattr(checks, name), Check)}
LESSON = pytest.mark.parametrize("lesson", checks.NAMES)


def exercises_of(lesson: str) -> list[Exercise]:
    """The exercises of a lesson that compare an answer with a reference."""
    made = [getattr(checks, name) for name in checks.NAMES[lesson]]
    return [check for check in made if isinstance(check, Exercise)]


@LESSON
def test_the_reference_passes_and_what_returns_nothing_does_not(lesson):
    for exercise in exercises_of(lesson):
        right = exercise.judge(exercise.reference)
        assert right.right and right.words.startswith(f"Right, {exercise.comparison.praise}."), exercise
        wrong = exercise.judge(lambda *arguments: None)
        assert not wrong.right and wrong.case, exercise
        assert wrong.words.startswith(f"For {wrong.case} "), exercise


@LESSON
def test_each_mistake_is_refused_with_its_own_sentence(lesson):
    for exercise in exercises_of(lesson):
        for sentence, function, is_better in exercise.mistakes:
            verdict = exercise.judge(function)
            if is_better:
                assert verdict.right and verdict.words.endswith(sentence), exercise
            else:
                assert not verdict.right and verdict.hint == sentence, (exercise, function)
                ways = [known.function.__name__ for known in exercise.mistakes if known.sentence == sentence]
                assert verdict.mistake in ways and verdict.words.endswith(sentence)


def test_a_verdict_names_its_exercise_and_is_plain_data():
    for name, check in CHECKS.items():
        verdict = check.judge(None)
        assert verdict.exercise == check.name == name and not verdict.right
        data = json.loads(json.dumps(dataclasses.asdict(verdict)))
        assert Verdict(**data)._repr_mimebundle_() == verdict._repr_mimebundle_()
        assert check.__doc__


def test_names_of_checks_are_unique_and_differ_from_those_of_files():
    files = {path.stem for path in Path(checks.__file__).parent.glob("*.py")}
    assert not files & set(checks.__all__)
    assert set(checks.NAMES) <= files
    assert sum(len(names) for names in checks.NAMES.values()) == len(checks.__all__) == len(set(dir(checks)))
    assert checks.settle is checks.settle and repr(checks.my_mirror) == "Check(my_mirror)"
    with pytest.raises(AttributeError, match="no attribute 'no_such_check'"):
        _ = checks.no_such_check


# --- answers of the wrong kind --------------------------------------------------------------------------


def returns_nothing(*arguments):
    pass


def raises_an_error(left):
    raise ValueError("Take one.")


def leaves_out_a_case(left):
    if left == 0:
        return 1


def best_below_nothing(left, taken):
    best = None
    if left > taken:
        best = left - taken
    return best


def may_mean_none(counts, sticks):
    if len(set(counts)) < len(counts):
        return None
    return counts.index(max(counts)) + 1


def ends_the_program(game, state):
    raise SystemExit


def takes_the_state_for_a_number(game, state):
    return state % 4


NO_HINT_FITS = [
    ("finish", raises_an_error, "your function raised ValueError: Take one."),
    ("finish", leaves_out_a_case, hints.RETURNED_NONE),
    ("sticks_left", best_below_nothing, hints.NONE_HERE),
    ("favourite", returns_nothing, hints.RETURNED_NONE),
    ("favourite", may_mean_none, "your function returned None; expected 3."),
    ("finish", 3, "Give the check a function, without brackets: expected a function, got 3."),
    ("my_mirror", ends_the_program, "your function raised SystemExit."),
    ("my_mirror", takes_the_state_for_a_number, contests.HINT_OF_A_TYPE_ERROR),
]


def test_no_sentence_blames_what_is_not_there():
    for name, answer, end in NO_HINT_FITS:
        assert CHECKS[name].judge(answer).words.endswith(end), (name, answer)


def test_numbers_of_numpy_are_shown_as_pythons_and_digits_only_where_they_count():
    for name, answer, words in [
        ("chance_of_best", lambda exploration, legal: np.float64(1 / 3), "returned 0.333333; expected 1.0."),
        ("chance_of_best", lambda exploration, legal: [np.int64(2)], "returned [2]; expected 1.0."),
        ("alices_margin", lambda coins, points: 2 * points - sum(coins) + 1e-7, "returned 4.0000001; expected 4."),
    ]:
        assert words in CHECKS[name].judge(answer).words


HOLDS_ITSELF: list = []
HOLDS_ITSELF.append(HOLDS_ITSELF)


def test_an_answer_that_cannot_be_shown_is_wrong_and_no_fault_of_the_check():
    for name in ("win_rate", "legal_moves", "sticks_left", "first_move", "moves_on_paper", "u_table"):
        check = CHECKS[name]
        for value in (10**5_000, 10**400, np.ndarray, HOLDS_ITSELF):
            answer = (lambda *arguments, value=value: value) if check.takes_function else value
            verdict = check.judge(answer)
            assert not verdict.right and "The check itself went wrong" not in str(verdict), name


def test_an_argument_that_holds_itself_is_no_fault_of_the_check():
    def settle(balls, drawn, won):
        balls.append(balls)
        return balls

    for answer in (settle, lambda *arguments: settle(*arguments) and None):
        assert "made something that holds itself" in str(checks.settle.judge(answer))
