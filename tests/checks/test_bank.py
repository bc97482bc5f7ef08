"""Answers as students write them: one right and one wrong answer to each exercise are judged correctly.

`tests/full/test_whole_bank.py` tries the others.
"""

from __future__ import annotations

import re

import pytest
from bank import BANK, code_of_lessons, one_right_and_one_wrong, wrong_judgements

from coincourse import checks


@pytest.mark.parametrize("lesson", BANK)
@pytest.mark.filterwarnings("ignore")  # a student sees a warning, and not an error
def test_a_right_and_a_wrong_answer_are_judged_rightly(lesson):
    answers = one_right_and_one_wrong(BANK[lesson])
    assert len(answers) == 2 * len({answer["exercise"] for answer in answers})
    assert wrong_judgements(answers) == []


def test_the_exercises_of_a_lesson_and_their_answers_are_in_files_of_its_name():
    for lesson, cells in code_of_lessons().items():
        asked = set(re.findall(r"^check\.(\w+)\(", "\n".join(cells), re.MULTILINE))
        assert asked == {answer["exercise"] for answer in BANK.get(lesson, ())}
        assert asked <= set(checks.NAMES.get(lesson, ()))
