"""Every answer in the bank is judged correctly, apart from those that `tests/checks/test_bank.py` tries."""

from __future__ import annotations

import pytest
from bank import BANK, one_right_and_one_wrong, wrong_judgements


@pytest.mark.parametrize("lesson", BANK)
@pytest.mark.filterwarnings("ignore")  # a student sees a warning, and not an error
def test_all_other_answers_to_the_exercises_of_a_lesson_are_judged_rightly(lesson):
    tried = one_right_and_one_wrong(BANK[lesson])
    assert wrong_judgements(answer for answer in BANK[lesson] if answer not in tried) == []
