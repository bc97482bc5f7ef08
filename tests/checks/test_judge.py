"""The judge alone: what counts as the same, which hint is given, and what it must not need."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
from paths import ROOT

from coincourse import checks
from coincourse.checks import conversations, verdict
from coincourse.checks.judging import Case, Mistake, Outcome, Task, alike, judge, not_written

CASES = [Case((1,), "a row of 1", 1), Case((3,), "a row of 3", 9)]
DOUBLED = Mistake("doubled", "That is twice the number.", [Outcome(2), Outcome(6)])
SQUARE = Task("square", "for two rows", CASES, [DOUBLED])


def double(number):
    return 2 * number


def test_a_right_answer_is_praised_and_a_mistake_has_its_hint():
    assert str(judge(SQUARE, lambda number: number**2)) == "✓ Right, for two rows. (2 cases tried)"
    words = "✗ For a row of 1 your function returned 2; expected 1. That is twice the number."
    verdict = judge(SQUARE, double)
    assert str(verdict) == words and verdict.mistake == "doubled"


@pytest.mark.parametrize(
    "mistakes",
    [
        [DOUBLED, Mistake("added", "That is the number and itself.", [Outcome(2), Outcome(6)])],  # which of the two?
        [Mistake("one more", "That is one more.", [Outcome(2), Outcome(4)])],  # the same in the first case only
        [],
    ],
)
def test_where_not_exactly_one_mistake_agrees_there_is_no_hint(mistakes):
    verdict = judge(dataclasses.replace(SQUARE, mistakes=mistakes), double)
    assert (verdict.hint, verdict.mistake) == ("", "")
    assert verdict.words == "For a row of 1 your function returned 2; expected 1."


def test_an_answer_that_changes_its_argument_spoils_no_other_case():
    row = [3, 1, 2]
    largest = Task("largest", "for one row", [Case((row,), "a row", 3), Case((row,), "the same row", 3)])

    def takes_it_out(numbers):
        numbers.sort()
        return numbers.pop()

    assert judge(largest, takes_it_out).right and row == [3, 1, 2]
    verdict = judge(dataclasses.replace(largest, unchanged=True), takes_it_out)
    assert "your function changed what it was given, from [3, 1, 2] to [1, 2]." in verdict.words
    assert row == [3, 1, 2]


def test_an_answer_that_returns_its_argument_is_no_new_list():
    copy = Task("copy", "for one row", [Case(([1],), "a row", [1])], new=True)
    assert "returned the very list that it was given" in judge(copy, lambda row: row).words
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
    assert alike([(3, 4), [1, 2]], [[1, 2], (3, 4)], any_order=True)
    assert not alike([1, 1, 2], [1, 2, 2], any_order=True)
    assert not alike([[1, 2]], [(1, 2)], tuples=True)


WITHOUT_NUMPY = """
import sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "pandas", "coinlib"):
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Refuses())
from coincourse.checks.judging import Case, Task, judge

print(judge(Task("square", "for one row", [Case((3,), "a row of 3", 9)]), lambda number: number**2))
print(sorted(name for name in sys.modules if name.startswith("coincourse")))
"""


def test_the_judge_needs_the_standard_library_only():
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.splitlines() == [
        "✓ Right, for one row. (1 cases tried)",
        "['coincourse', 'coincourse.checks', 'coincourse.checks.judging', 'coincourse.checks.verdict']",
    ]


@pytest.mark.parametrize("name", ["settle", "legal_moves", "q_update", "fuse_once"])
def test_recorded_cases_are_judged_as_in_a_notebook(name):
    """The answers are recorded beforehand, and no function of the course is asked any more."""
    exercise = getattr(checks, name)
    task = exercise.task()
    mistakes = [Mistake(each.name, each.sentence, [*each.outcomes]) for each in task.mistakes]
    recorded = dataclasses.replace(task, cases=[*task.cases], mistakes=mistakes)
    for answer in (exercise.reference, lambda *arguments: None, lambda *arguments: 1 / 0, *exercise.mistakes.values()):
        assert judge(recorded, answer) == exercise.judge(answer)


def test_a_number_must_be_near_and_no_line_too_many():
    assert alike(0.5 + 1e-9, 0.5) and not alike(0.502, 0.5)
    assert not judge(Task("half", "", [Case((), "nothing", 0.5)]), lambda: 0.502).right
    assert conversations.difference(["a", "b"], ["a"]) == "Line 2 is one too many: 'b'."


def test_a_picture_has_the_bar_of_its_verdict():
    right = verdict.picture(verdict.Verdict("draw", True, ("for all.",), headline="Right"))
    wrong = verdict.picture(verdict.Verdict("draw", False, ("For 1.",)))
    assert verdict.RIGHT in right and verdict.NOT_YET not in right
    assert verdict.NOT_YET in wrong and verdict.RIGHT not in wrong
    open_one = verdict.picture(not_written("draw"))
    assert verdict.NOT_WRITTEN in open_one and verdict.NOT_YET not in open_one
