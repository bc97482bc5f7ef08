"""The proof lab without a browser: the pattern and the step of the proof agree with the solver."""

import re

import pytest
from lab_words import said

from coincourse.labs import ProofLab
from coincourse.labs.perfect_play.proof_lab import MOST_STICKS, MOST_TAKE
from coinlib import solve, sticks


@pytest.mark.parametrize(("ending", "lost"), [("normal", {0, 4, 8}), ("misere", {1, 5, 9})])
def test_the_losing_counts_are_a_column_and_each_count_can_be_reached_by_a_key(ending, lost):
    page = ProofLab(sticks=11, ending=ending).page
    grid = re.findall(r"class='cell n(\d+)( chosen)?' tabindex='0' aria-label='\1: (\w+)", page)
    assert [int(count) for count, _, _ in grid] == list(range(12))
    assert {int(count) for count, _, told in grid if told == "losing"} == lost
    assert [count for count, chosen, _ in grid if chosen] == ["11"]


@pytest.mark.parametrize("ending", ["normal", "misere"])
def test_every_step_of_the_proof_says_what_the_solver_says(ending):
    """The counts and takes in the text, for all settings: each take does what the text says."""
    lab = ProofLab(ending=ending)
    for most in range(1, MOST_TAKE + 1):
        wins = solve(sticks(MOST_STICKS, most, ending == "misere")).wins
        for count in range(2, MOST_STICKS + 1):
            lab.update(sticks=count, max_take=most)
            text = said(lab)
            assert f"So {count} is {'winning' if wins[count] else 'losing'}." in text
            if wins[count]:
                assert not wins[count - int(re.search(r"Take (\d+)\.", text).group(1))]
            else:
                named = re.search(r"leaves ([\d ,or]+):", text).group(1)
                left = [int(number) for number in re.findall(r"\d+", named)]
                assert left == [count - take for take in range(1, min(most, count) + 1)]
                assert all(wins[number] for number in left)
