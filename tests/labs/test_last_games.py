"""What a student writes into the cell of a game is told in one line what it lacks."""

import numpy as np
import pytest

from coincourse.labs import Masks, is_bet, last_games

NO_ANSWERS = [7, True, None, "", "odd", [], [4], [True, 4], ["odd", "odd"], [1, 7], [7, 7], [7, "14"], {7, 14}, len]
NO_ANSWERS += [["odd", "odd", "perfect"], [["odd"], None, 2.0], [(0, 0, 3)], [(0, 0, 0, 9)], [(0, 0, 0, 0)]]
NO_ANSWERS += [[(0, 0, 0, 3), (0, 0, 0, 4), (0, 0, 0, 5)], ...]


@pytest.fixture(autouse=True)
def no_tries(monkeypatch):
    """Nothing has been asked yet."""
    monkeypatch.setattr(last_games, "TRIED", {})


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
    games.insert(3, "Six of six: you know all three masks.")
    assert capsys.readouterr().out.splitlines() == [*answers, *games, last_games.AGAIN.format(2, 1)]


def test_only_the_first_try_with_a_number_counts_and_a_cell_that_runs_again_is_no_new_try(capsys):
    def lines_after(questions, number=1) -> list[str]:
        Masks(number).ask(questions)
        return capsys.readouterr().out.splitlines()[3:]

    nothing_revealed, first, second = [(1, 3, 5, 7), (0, 0, 0, 2)], [(0, 0, 0, 3)], [(0, 0, 0, 4)]
    for questions in (nothing_revealed, first, first, nothing_revealed):
        assert lines_after(questions) == []
    for _ in range(2):
        assert lines_after(second) == [last_games.AGAIN.format(2, 1)]
    assert lines_after(second, number=2) == []
