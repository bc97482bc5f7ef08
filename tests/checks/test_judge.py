"""The judge alone: what counts as the same, which hint it gives, and what it must not need."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
from paths import ROOT

from coincourse import checks
from coincourse.checks import conversations, verdict
from coincourse.checks.judging import Case, Comparison, Mistake, Outcome, Task, judge, not_written
from coincourse.checks.values import Equality, alike

CASES = [Case((1,), "a row of 1", 1), Case((3,), "a row of 3", 9)]
DOUBLED = Mistake("That is twice the number.", [Outcome(2), Outcome(6)])
SQUARE = Task("square", Comparison(praise="for two rows"), CASES, [DOUBLED])


def double(number):
    return 2 * number


def test_a_right_answer_is_praised_and_a_mistake_has_its_hint():
    assert str(judge(SQUARE, lambda number: number**2)) == "✓ Right, for two rows. (2 cases tried)"
    words = "✗ For a row of 1 your function returned 2; expected 1. That is twice the number."
    assert str(judge(SQUARE, double)) == words


@pytest.mark.parametrize(
    "mistakes",
    [
        [DOUBLED, Mistake("That is the number and itself.", [Outcome(2), Outcome(6)])],  # which of the two?
        [Mistake("That is one more.", [Outcome(2), Outcome(4)])],  # the same in the first case only
        [],
    ],
)
def test_where_not_exactly_one_mistake_agrees_there_is_no_hint(mistakes):
    verdict = judge(dataclasses.replace(SQUARE, mistakes=mistakes), double)
    assert verdict.hint == ""
    assert verdict.words == "For a row of 1 your function returned 2; expected 1."


ROWS = [Case(([n],), f"a row of {n}", 10 * n) for n in (1, 2, 3, 4)]


def known(sentence, *answers, is_better=False):
    return Mistake(sentence, [Outcome(answer) for answer in answers], is_better)


def hint_for(answer, *mistakes):
    verdict = judge(Task("tens", Comparison(praise="for four rows"), ROWS, mistakes), answer)
    return verdict.words if verdict.right else verdict.hint


HUNDREDS = known("hundreds", 100, 200, 300, 400)


def test_a_mistake_is_named_by_the_first_case_that_goes_wrong():
    """A second wrong case must agree; later on a typical mistake may be made in another way."""
    assert hint_for(lambda row: 100 * row[0] if row[0] < 3 else -1, HUNDREDS) == "hundreds"
    assert hint_for(lambda row: 100 if row == [1] else -1, HUNDREDS) == ""
    assert hint_for(lambda row: 10 if row == [1] else 100 * row[0], HUNDREDS) == ""  # that is right somewhere


def test_if_several_mistakes_agree_the_later_cases_decide():
    halves = known("half of it", 100, 100, 150, 200)
    assert hint_for(lambda row: 100 * row[0], HUNDREDS, halves) == "hundreds"
    assert hint_for(lambda row: 100, HUNDREDS, halves) == "half of it"
    assert hint_for(lambda row: 100 if row == [1] else -1, HUNDREDS, halves) == ""
    assert hint_for(lambda row: 100 * row[0], HUNDREDS, known("the same", 100, 200, 300, 400)) == ""


def test_two_ways_to_make_a_mistake_share_its_sentence():
    assert hint_for(lambda row: 100 * row[0], HUNDREDS, known("hundreds", 100, 200, 300, 400)) == "hundreds"


def test_a_small_answer_must_agree_in_some_cases_that_go_wrong():
    ones = known("the numbers themselves", 1, 2, 3, 4)
    assert hint_for(lambda row: row[0], ones) == "the numbers themselves"
    assert hint_for(lambda row: 1, ones) == ""


def test_an_error_can_be_a_typical_mistake():
    raised = [Outcome(words="your function raised IndexError: list index out of range.", error="IndexError")] * 4
    beyond = Mistake("beyond the row", raised)
    assert hint_for(lambda row: row[1], beyond) == "beyond the row"
    assert hint_for(lambda row: row.index(9), beyond) == ""


def test_a_better_answer_than_the_one_asked_for_is_praised():
    better = known("better", 10, 21, 31, 41, is_better=True)
    words = hint_for(lambda row: 10 * row[0] + (row != [1]), better)
    assert words == "Right, and better than asked for. better"
    assert hint_for(lambda row: 21 if row == [2] else 10 * row[0], better) == ""


def test_an_answer_that_changes_its_argument_spoils_no_other_case():
    row = [3, 1, 2]
    cases = [Case((row,), "a row", 3), Case((row,), "the same row", 3)]
    largest = Task("largest", Comparison(unchanged=False), cases)

    def takes_it_out(numbers):
        numbers.sort()
        return numbers.pop()

    assert judge(largest, takes_it_out).right and row == [3, 1, 2]
    verdict = judge(Task("largest", Comparison(), cases), takes_it_out)
    assert "your function changed what it was given, from [3, 1, 2] to [1, 2]." in verdict.words
    assert row == [3, 1, 2]


def test_an_answer_that_returns_its_argument_is_no_new_list():
    copy = Task("copy", Comparison(new=True), [Case(([1],), "a row", [1])])
    assert (
        "returned the list that it was given; expected a new list. `list(old)` makes"
        in judge(copy, lambda row: row).words
    )
    assert judge(copy, list).right


SAME = [
    *((2.0, 2), (1, True), (0, False), ((1, 2), [1, 2]), (np.int64(3), 3), (np.array([1, 2]), [1, 2])),
    *((1 / 3, 1 / 3 + 1e-9), (float("nan"), float("nan")), ({1: [2.0]}, {1: (2,)})),
]
DIFFERENT = [
    *((True, 1), (False, 0), (np.True_, 1), (True, 1.0), ([True], [1]), ({1: True}, {1: 1})),
    *(("1", 1), (None, 0), ({1, 2}, [1, 2]), ([1], [1, 2]), ([2, 1], [1, 2]), (1.001, 1.0), ({1: 2}, {1: 3})),
]


def test_what_counts_as_the_same():
    assert [(answer, expected) for answer, expected in SAME if not alike(answer, expected)] == []
    assert [(answer, expected) for answer, expected in DIFFERENT if alike(answer, expected)] == []


def test_in_any_order_each_item_counts_once():
    assert Equality(any_order=True).alike([(3, 4), [1, 2]], [[1, 2], (3, 4)])
    assert not Equality(any_order=True).alike([1, 1, 2], [1, 2, 2])
    assert not Equality(tuples=True).alike([[1, 2]], [(1, 2)])


WITHOUT_NUMPY = """
import sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "pandas", "coinlib"):
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Refuses())
from coincourse.checks.judging import Case, Comparison, Task, judge

print(judge(Task("square", Comparison(praise="for one row"), [Case((3,), "a row of 3", 9)]), lambda number: number**2))
print(*sorted(name for name in sys.modules if name.startswith("coincourse")))
"""


def test_the_judge_needs_the_standard_library_only():
    room = "coincourse.checks"
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.splitlines() == [
        "✓ Right, for one row. (1 cases tried)",
        f"coincourse {room} {room}.error_hints {room}.function_source {room}.hints {room}.judging {room}.running_cell {room}.values {room}.verdict",
    ]


@pytest.mark.parametrize("name", ["settle", "legal_moves", "q_update", "fuse_once"])
def test_recorded_cases_are_judged_as_in_a_notebook(name):
    """It uses recorded answers, and calls no function of the course."""
    exercise = getattr(checks, name)
    task = exercise.task()
    mistakes = [each._replace(outcomes=[*each.outcomes]) for each in task.mistakes]
    recorded = dataclasses.replace(task, cases=[*task.cases], mistakes=mistakes)
    for answer in (
        exercise.reference,
        lambda *arguments: None,
        lambda *arguments: 1 / 0,
        *[mistake.outcomes.function for mistake in exercise.mistakes],
    ):
        assert judge(recorded, answer) == exercise.judge(answer)


def test_a_number_must_be_near_and_no_line_too_many():
    assert alike(0.5 + 1e-9, 0.5) and not alike(0.502, 0.5)
    assert not judge(Task("half", Comparison(), [Case((), "nothing", 0.5)]), lambda: 0.502).right
    assert conversations.difference(["a", "b"], ["a"]) == "Line 2 is one too many: 'b'."


def test_a_picture_has_the_bar_of_its_verdict():
    right = verdict.picture(verdict.Verdict("draw", True, ("for all.",), headline="Right"))
    wrong = verdict.picture(verdict.Verdict("draw", False, ("For 1.",)))
    assert verdict.RIGHT in right and verdict.NOT_YET not in right
    assert verdict.NOT_YET in wrong and verdict.RIGHT not in wrong
    open_one = verdict.picture(not_written("draw"))
    assert verdict.NOT_WRITTEN in open_one and verdict.NOT_YET not in open_one
