"""The judge of a marking says what the check of a lesson says: here both sides are in one process."""

from __future__ import annotations

import json
from unittest.mock import patch

import numpy as np
import pytest
from answers import answers

from coincourse import checks
from coincourse.checks.judging import Wrong
from coincourse.checks.plain_data import LARGEST, NO_PLAIN_DATA
from coincourse.checks.stand_in import Checks
from coincourse.checks.verdict import Verdict
from coincourse.classroom.judge_process import Judge, OutOfTime, StandIns
from coincourse.classroom.messages import Answer, Call, CellRan, Ended, Outcome, as_list, read_message
from coincourse.classroom.running import exercise_names
from coincourse.classroom.student_process import Calls, NotebookRunner

SECONDS = 60.0
# In these the judge's own functions print between the student's lines. The full tier marks their lessons.
PRINTED_BY_BOTH = ("ask_number", "two_players", "play_hats")


def through_the_pipe(message):
    """Return a message as it arrives."""
    return read_message(json.loads(json.dumps(as_list(message))))


def judged(exercise: str, answer: object) -> Verdict:
    """The verdict about an answer whose functions are called as in the student's process."""
    runner = NotebookRunner()
    runner.calls = Calls(lambda question: through_the_pipe(stand_ins._called_back(through_the_pipe(question))))

    def ask(message: Call) -> Outcome:
        with patch("builtins.input", runner.calls.type_one):
            return through_the_pipe(runner.calls.call(through_the_pipe(message)))

    stand_ins = StandIns(ask)
    (described,) = through_the_pipe(CellRan("", [runner.described(exercise, answer)])).answers
    return getattr(checks, exercise).judge(stand_ins.answer(described.value))


def test_every_reference_passes():
    wrong = []
    for name in exercise_names():
        check = getattr(checks, name)
        if hasattr(check, "reference") and name not in (*NO_PLAIN_DATA, *PRINTED_BY_BOTH):
            verdict = judged(name, check.reference)
            if not verdict.right:
                wrong.append(str(verdict))
    assert wrong == []


# Numbers, lists, dictionaries, a table, moves and a text
@pytest.mark.parametrize("exercise", ["chance", "settle", "settle_game", "legal_moves", "u_table", "heard"])
def test_the_judge_says_of_every_answer_what_the_check_says(exercise):
    check = getattr(checks, exercise)
    for name, answer in answers(check).items():
        verdict, expected = judged(exercise, answer), check.judge(answer)
        assert (name, str(verdict), verdict.right, verdict.hint) == (name, str(expected), expected.right, expected.hint)


# --- a call ---------------------------------------------------------------------------------------------


def stand_in(replies: list) -> tuple:
    """A stand-in for a student's function, and the messages that it sends; `replies` come back in turn."""
    sent: list = []

    def ask(message):
        sent.append(message)
        return replies[len(sent) - 1]

    described = {"function": 3, "name": "f", "source": [False, False, ""]}
    return StandIns(ask).function(described), sent


def test_arguments_go_as_plain_data_and_a_generator_with_its_state():
    generator, later = np.random.default_rng(1), np.random.default_rng(2)
    state = generator.bit_generator.state
    changed = [[0, [7]], [2, {"generator": later.bit_generator.state}]]
    function, sent = stand_in([Outcome(Ended.RETURNED, {"tuple": [1]}, changed=changed)])
    balls = [1, 2]
    assert function(balls, (3, 4), generator) == (1,)
    assert balls == [7] and generator.bit_generator.state == later.bit_generator.state
    (call,) = sent
    assert isinstance(call, Call) and call.arguments == [
        {"plain": [1, 2]},
        {"plain": {"tuple": [3, 4]}},
        {"generator": state},
    ]


def test_no_check_takes_the_end_of_the_time_for_an_error_of_the_student():
    function, _ = stand_in([Outcome(Ended.GIVEN_UP)])
    assert not issubclass(OutOfTime, Exception)
    with pytest.raises(OutOfTime):
        function(1)


TWICE = {"range": [0, LARGEST // 2 + 1, 1]}


@pytest.mark.parametrize("content", [[TWICE, TWICE], {"range": [0, 10**30, 1]}, {"game": [[10**9], 3, True]}])
def test_what_is_small_in_the_pipe_and_large_in_the_judge_is_refused(content):
    function, _ = stand_in([Outcome(Ended.RETURNED, content)])
    with pytest.raises(Wrong, match="too large to judge"):
        function(1)


# --- messages -------------------------------------------------------------------------------------------


def test_what_is_no_answer_is_refused():
    assert Judge().judge(Answer("chance", {"value": {"move": [1, 2, 3]}}), SECONDS) == ["Judged", None]


@pytest.mark.parametrize(
    "line", [[], ["CellRan", 1, []], ["CellRan", "", [["draw", 1]]], ["Outcome", "won", 1, "", []], ["Verdict", {}]]
)
def test_a_line_that_is_no_message_is_refused(line):
    with pytest.raises((TypeError, ValueError)):
        read_message(line)


def test_the_name_and_the_words_of_an_error_are_cut():
    error = read_message(["Outcome", "raised", ["E" * 10**6, "w" * 10**6, "Exception", "x"], "", []]).content
    assert (len(error.name), len(error.words), error.ours) == (100, 1_000, None)


def test_what_stands_in_for_the_checks_has_all_that_labs_ask_of_them():
    stands_in = Checks(print, [*checks.FILE_OF], {})
    constants = [name for name in vars(checks) if name.isupper()]
    assert "STARRED" in constants and all(getattr(stands_in, name) is getattr(checks, name) for name in constants)
