"""What a student writes into the cell of a game is told in one line what it lacks."""

import numpy as np
import pytest

from coincourse.labs import Masks, is_bet

NO_ANSWERS = [7, True, None, "", "odd", [], [4], [True, 4], ["odd", "odd"], [1, 7], [7, 7], [7, "14"], {7, 14}, len]
NO_ANSWERS += [["odd", "odd", "perfect"], [["odd"], None, 2.0], [(0, 0, 3)], [(0, 0, 0, 9)], [(0, 0, 0, 0)]]
NO_ANSWERS += [[(0, 0, 0, 3), (0, 0, 0, 4), (0, 0, 0, 5)], ...]


@pytest.mark.parametrize("value", NO_ANSWERS, ids=str)
def test_what_is_no_bet_no_question_and_no_list_of_guests_is_told_and_reveals_nothing(value, capsys):
    masks = Masks(1)
    masks.ask(value)
    masks.meet(value)
    assert not is_bet(value)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all(line.startswith(("✗ ", "○ ")) for line in lines)
    assert " at 0x" not in str(lines)


def test_the_masks_answer_and_meet_the_guests_that_are_sent(capsys):
    masks = Masks(1)
    masks.ask(np.array([(0, 0, 0, 3), (0, 0, 0, 4)]))
    masks.meet(("leave_one", "leave_one", "take_one"))
    masks.meet(["odd", "take_one", "odd"])
    answers = ["mask 1 takes [2, 1]", "mask 2 takes [2, 1]", "mask 3 takes [2, 2]"]
    right = ["leave_one against odd: 2 of 2", "leave_one against odd: 2 of 2", "take_one against leave_one: 2 of 2"]
    wrong = ["odd against odd: 1 of 2", "take_one against odd: 0 of 2", "odd against leave_one: 0 of 2"]
    games = [f"{each} games won" for each in right + wrong]
    assert capsys.readouterr().out.splitlines() == [*answers, *games]
