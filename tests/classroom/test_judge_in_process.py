"""The judge of a marking says what the check of a lesson says: here both sides are in one process."""

from __future__ import annotations

import queue
import threading
import time
from unittest.mock import patch

import pytest
from answers import answers

from coincourse import checks
from coincourse.checks.plain_data import NO_PLAIN_DATA
from coincourse.checks.stand_in import Checks
from coincourse.checks.verdict import Verdict
from coincourse.classroom.inside import Calls, NotebookRunner
from coincourse.classroom.outside_judge import Judge
from coincourse.classroom.running import exercise_names

SECONDS = 60.0
# In these the judge's own functions print between the student's lines. The full tier marks their lessons.
PRINTED_BY_BOTH = ("ask_number", "two_players", "play_hats")


class Student(threading.Thread):
    """The process of a notebook, in a thread: it answers the calls of the judge."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.asked: queue.SimpleQueue = queue.SimpleQueue()
        self.replies: queue.SimpleQueue = queue.SimpleQueue()
        self.runner = NotebookRunner()
        self.runner.functions = []
        self.runner.calls = Calls(self, self.runner.functions)

    def ask(self, *question) -> list:
        """Send a question of a student's function to the judge, and return the answer."""
        self.replies.put(list(question))
        return self.asked.get()

    def run(self) -> None:
        """Answer calls until there are no more."""
        while call := self.asked.get():
            with patch("builtins.input", self.runner.calls.type_one):
                self.replies.put(self.runner.call(*call))


def judged(exercise: str, answer: object) -> Verdict:
    """The verdict of the judge about an answer."""
    student = Student()
    student.start()
    judge = Judge()
    kind, *content = judge.judge(*student.runner.described(exercise, answer), SECONDS, 1.0)
    while kind != "verdict":
        student.asked.put(content)
        kind, *content = judge.answered(student.replies.get())
    student.asked.put([])
    student.join()
    return Verdict(**content[0])


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
        verdict, expected = judged(exercise, answer), check.judge(answer, SECONDS)
        assert (name, str(verdict), verdict.right, verdict.hint) == (name, str(expected), expected.right, expected.hint)


def test_what_goes_wrong_in_a_check_is_no_fault_of_the_student(monkeypatch):
    monkeypatch.setattr(checks.chance, "cases", None)
    verdict = judged("chance", lambda *_: 2)
    assert verdict.lines[0].startswith("The check itself went wrong, and that is not your")


def test_what_is_no_answer_is_refused():
    assert Judge().judge("chance", {"value": {"move": [1, 2, 3]}}, SECONDS, 1.0) == ["refused"]


def test_on_a_busy_machine_a_check_waits_longer_and_says_the_same():
    given_up = threading.Event()

    def never(*_):
        given_up.wait()

    def slow(*_):
        time.sleep(0.06)

    late = checks.settle.judge(never, 0.05, 1.0)
    patient = checks.settle.judge(slow, 0.05, 1000.0)
    given_up.set()
    assert late.late and "within 0.05 seconds" in str(late)
    assert not patient.late and "returned None" in str(patient)


def test_what_stands_for_the_checks_has_all_that_labs_ask_of_them():
    stands_in = Checks(print, [*checks.FILE_OF], {})
    constants = [name for name in vars(checks) if name.isupper()]
    assert "STARRED" in constants and all(getattr(stands_in, name) is getattr(checks, name) for name in constants)
