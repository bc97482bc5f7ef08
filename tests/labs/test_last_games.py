"""What a student writes into the cell of a game is told in one line what it lacks."""

import numpy as np
import pytest

from coincourse.labs import Masks, fill_hats, is_bet, last_games, play_plan
from coinlib import sticks

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


# --- a plan against hats

ALWAYS_3 = {hat: [1, 2, 3, *40 * [3]] for hat in range(1, 7)}


def test_a_plan_wins_by_its_takes_and_the_same_plan_gets_the_same_answer():
    machine = fill_hats(sticks(6), ALWAYS_3)
    wins = {6: 1, 5: 1, 4: 3, 3: 2, 2: 1, 1: 1}  # it takes 3 of 5, and one stick is left for it after 1 of 2
    won, again = play_plan(wins, machine), play_plan(wins, machine)
    assert won.right and str(won) == str(again)
    lost = play_plan(wins | {2: 2}, machine)
    assert not lost.right and lost.turns[-1] == "you take 2 and leave 0"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (..., "A plan is a dictionary"),
        ([1, 1], "A plan is a dictionary"),
        ({2: 1}, "no take for 1 stick"),
        ({2: 3, 1: 1}, "With 2 sticks left you can take 1 or 2; `plan` says 3"),
        ({2: True, 1: 1}, "`plan` says True"),
        ({2: "1", 1: 1}, "`plan` says '1'"),
    ],
)
def test_what_is_no_plan_is_told(plan, said):
    verdict = play_plan(plan, fill_hats(sticks(2), ALWAYS_3))
    assert not verdict.right and said in str(verdict)


def test_numpy_takes_are_a_plan():
    assert play_plan({2: np.int64(1), np.int64(1): 1}, fill_hats(sticks(2), ALWAYS_3)).right
