"""Every exercise judges its own reference and mistakes, and answers of the wrong kind."""

from __future__ import annotations

import copy
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from coincourse import checks
from coincourse.checks import contests, error_hints, hints
from coincourse.checks.engine import Check, Exercise
from coincourse.checks.verdict import Verdict
from coinlib import CoinGame, solve

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
        first = next(exercise.task().cases)
        assert not wrong.right and wrong.words.startswith(f"For {first.given} "), exercise


@LESSON
def test_each_mistake_is_refused_with_its_own_sentence(lesson):
    for exercise in exercises_of(lesson):
        for sentence, outcomes, is_better in exercise.mistakes:
            verdict = exercise.judge(outcomes.function)
            if is_better:
                assert verdict.right and verdict.words.endswith(sentence), exercise
            else:
                assert not verdict.right and verdict.hint == sentence, (exercise, outcomes.function)
                assert verdict.words.endswith(sentence)


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
    ("finish", leaves_out_a_case, hints.NONE_HERE),
    ("sticks_left", best_below_nothing, hints.NONE_HERE),
    ("favourite", returns_nothing, hints.RETURNED_NONE),
    ("favourite", may_mean_none, "your function returned None; expected 3."),
    ("finish", 3, "Give the check a function, without brackets: expected a function, got 3."),
    ("my_mirror", ends_the_program, "your function raised SystemExit."),
    ("my_mirror", takes_the_state_for_a_number, contests.GAME_AND_STATE),
]


def test_no_sentence_blames_what_is_not_there():
    for name, answer, end in NO_HINT_FITS:
        assert CHECKS[name].judge(answer).words.endswith(end), (name, answer)


ERRORS_IN_A_RULE = [
    (lambda game, state: state[1], contests.GAME_AND_STATE),
    (lambda game, state: [].pop(), contests.EMPTY_LIST),
    (lambda game, state: max([]), contests.EMPTY_LIST),
    (lambda game, state: None + 1, error_hints.MET_NONE),
    (lambda game, state: game.legal_moves[0], error_hints.NOT_CALLED),
    (lambda game, state: 1 / 0, ""),
]


def test_an_error_in_a_rule_has_the_hint_about_rules_or_the_one_for_any_exercise():
    for rule, hint in ERRORS_IN_A_RULE:
        assert checks.my_rule.judge(rule).hint == hint


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


class OwnList(list):
    """With an `__init__` that `copy` does not call."""

    def __init__(self, first, second):
        super().__init__([first, second])


class CannotBeListed(list):
    def __iter__(self):
        raise ValueError("no items")

    def __len__(self):
        raise ValueError("no length")


class CannotBeCompared(int):
    __hash__ = int.__hash__

    def __eq__(self, other):
        raise ValueError("not comparable")


class CannotBeRead:
    def tolist(self):
        raise ValueError("no list")


ODD = [OwnList(1, 2), CannotBeListed([1, 2]), CannotBeCompared(99), CannotBeRead(), np.array([1, 2])]


@pytest.mark.parametrize("value", ODD, ids=[type(value).__name__ for value in ODD])
def test_an_odd_value_is_wrong_and_no_fault_of_the_check(value):
    def answer(*arguments):
        return value

    for name in ("sticks_left", "takes", "settle", "find_circle", "fill_u", "chance", "draw", "my_rule", "beat_field"):
        verdict = CHECKS[name].judge(answer)
        assert not verdict.right and "The check itself went wrong" not in verdict.words, name
    verdict = checks.lost_states.judge((checks.lost_states.ours[0], answer))
    assert not verdict.right and "The check itself went wrong" not in verdict.words


def test_a_value_of_the_wrong_kind_is_told_what_is_expected():
    for moves in ([(0, True)], [("0", "3")], ["03"], [(0, 3.5)]):
        assert "Expected pairs such as (0, 4)" in checks.moves_on_paper.judge(moves).words
    for order in ("", [], " ", None, ["D", 7]):
        assert "Expected the letters of the lines in order" in checks.proof_order.judge(order).words
    assert checks.u_table.judge("").words == "Expected 4 lines with 4 places each; got none."
    assert checks.proof_order.judge(returns_nothing).words.endswith("got <function returns_nothing>.")


def test_a_range_that_is_far_too_long_is_not_listed():
    for name in ("takes", "fill_u"):
        assert "which is far too long" in CHECKS[name].judge(lambda *arguments: range(10**9)).words


def test_a_rule_that_returns_an_array_or_nothing_is_told_so():
    game, _ = checks.lost_states.ours
    words = checks.lost_states.judge((game, lambda state: np.array(state))).words
    assert words == "For (0, 1) your rule returned [0, 1]; expected True or False."
    assert checks.lost_states.judge((game, lambda state: None)).hint == hints.RETURNED_NONE


def test_a_list_of_the_states_that_were_seen_is_no_rule():
    game = CoinGame((3, 3, 3), max_pick=2, misere=False)
    wins = solve(game).wins
    lost = [state for state in np.ndindex(wins.shape) if not wins[state]]
    verdict = checks.lost_states.judge((game, lambda state: state in lost))
    assert not verdict.right and "of (10, 10, 10), your game with 7 more sticks in each row" in verdict.words


# --- answers that change what they are given ------------------------------------------------------------


def destroying(exercise):
    """The reference, which empties what it was given once it has the answer."""

    def answer(*arguments):
        returned = copy.deepcopy(exercise.reference(*arguments))
        for argument in arguments:
            if isinstance(argument, list | dict):
                argument.clear()
            elif hasattr(argument, "equals"):
                argument.pop(next(iter(argument.keys())))
        return returned

    return answer


# Hats may learn by changing the lists that they were given
MAY_CHANGE = {"q_update", "back_up", "play_hats", "train_hats"}


@LESSON
def test_no_exercise_accepts_an_answer_that_destroys_what_it_is_given(lesson):
    for exercise in exercises_of(lesson):
        assert exercise.comparison.unchanged == (exercise.name not in MAY_CHANGE)
        if exercise.comparison.unchanged and takes_what_can_change(exercise):
            words = exercise.judge(destroying(exercise)).words
            assert "your function changed " in words and hints.KEEP_IT.partition("{")[0] in words, exercise


def takes_what_can_change(exercise):
    """Whether some case passes a list, a dictionary or a table to the student's function."""
    given = []

    def listens(*arguments):
        given.extend(arguments)
        return exercise.reference(*arguments)

    assert exercise.judge(listens).right
    return any(isinstance(argument, list | dict) or hasattr(argument, "equals") for argument in given)


def test_a_right_update_may_also_return_its_value():
    def update(*step):
        q, state, move, *_ = step
        checks.q_update.reference(*step)
        return q[state][move]

    assert checks.q_update.judge(update).right
    assert checks.q_update.judge(lambda *step: update(*step) and step[0]).right


def test_a_wrong_answer_is_not_hidden_behind_a_list_that_should_be_new():
    def settle(balls, drawn, won):
        return balls + [drawn, drawn] if won else balls

    verdict = checks.settle.judge(settle)
    assert "new list" not in verdict.words and verdict.hint.startswith("The last ball of a number always goes back")
    assert "new list" not in checks.settle.judge(lambda balls, drawn, won: drawn).words
