"""The judge's process: it has the exercises, and nothing of a student runs here.

The student's function stays in the process of the notebook. Its stand-in (`StandIns.function`) sends each call
there through the marking, and returns or raises what comes back as plain data. So cases, right answers and sentences
are never where the student's code runs.
"""

from __future__ import annotations

import base64
import copy
import dataclasses
import io
import sys
from collections.abc import Callable
from types import FunctionType

import cloudpickle
import numpy as np

from coincourse import checks
from coincourse.checks.engine import Check
from coincourse.checks.function_source import Source
from coincourse.checks.judging import NotWritten, Wrong
from coincourse.checks.plain_data import NO_PLAIN_DATA, decode, encode, is_plain
from coincourse.checks.screens import Screen
from coincourse.checks.verdict import Verdict
from coincourse.classroom.messages import (
    LONGEST_NAME,
    Answer,
    AsksBack,
    Call,
    CalledBack,
    Ended,
    Judged,
    Outcome,
    as_list,
    described_error,
    made_error,
)
from coincourse.outside.answering import Answering, answer_calls, limit, take_compiled_loops

LONGEST_SLIP = 200  # characters
TOO_LARGE = "your function returned something that is too large to judge."


class OutOfTime(BaseException):
    """The time is up. This is not an Exception, so that no check takes it for an error in the student's code."""


class Judge:
    """Answers the calls of `running.Running`."""

    answering: Answering

    def open(self, gigabytes: float, compiled: tuple[str, str]) -> list:
        """Get ready, with this much memory and these compiled loops."""
        take_compiled_loops(*compiled)
        limit(gigabytes)
        return []

    def judge(self, answer: Answer, seconds: float) -> list:
        """Judge an answer; it has this many seconds, which the marking counts."""
        stand_ins = StandIns(lambda message: self.answering.ask(*as_list(message))[0])
        try:
            value = stand_ins.answer(answer.value)
        except Exception:  # noqa: BLE001 - a student's code may have sent anything
            return as_list(Judged(None))
        check = _check(answer.exercise, stand_ins)
        screen = Screen()
        noted: list[Verdict] = []
        try:
            verdict = check.judge(value, seconds, noted.append, screen)
        except OutOfTime:
            verdict = dataclasses.replace(noted[-1], printed=screen.kept, late=True)
        return as_list(Judged(verdict))


def _check(exercise: str, stand_ins: StandIns) -> Check:
    """Return the check of an exercise; if its answers are not plain data, it tries them in the student's process."""
    check = getattr(checks, exercise)
    if exercise not in NO_PLAIN_DATA:
        return check
    run = check.comparison.run
    there = dataclasses.replace(check.comparison, run=lambda *arguments: stand_ins.run_there(run, arguments))
    tried_there = copy.copy(check)
    tried_there.task = lambda: dataclasses.replace(check.task(), comparison=there)
    return tried_there


class StandIns:
    """The stand-ins for one answer, and the functions of ours that the student's process knows by number.

    Parameters
    ----------
    ask : function (message) -> message
        Sends a message to the student's process, and waits for what comes back.
    """

    def __init__(self, ask: Callable) -> None:
        self._ask = ask
        self._ours: list[Callable] = []  # functions of ours that the student's may call
        self._errors: list[BaseException] = []  # what those have raised

    def answer(self, described: dict) -> object:
        """Return an answer as a check takes it: plain data, a function, or a tuple of both."""
        if "parts" in described:
            return tuple(map(self.answer, described["parts"]))
        if "function" in described:
            return self.function(described)
        return decode(described["value"])

    def function(self, described: dict) -> Callable:
        """Return a function that calls the student's, and has its name."""

        def call(*arguments):
            return self._value_of(self._outcome(call, arguments), arguments)

        call.number_there = described["function"]
        is_dots, returns, slip = described["source"]
        call.source = Source(bool(is_dots), bool(returns), str(slip)[:LONGEST_SLIP])
        call.__name__ = call.__qualname__ = str(described["name"])[:LONGEST_NAME]
        return call

    def run_there(self, run: Callable, arguments: tuple) -> object:
        """Run a function of ours in the student's process, where the student could forge what comes of it."""
        cloudpickle.register_pickle_by_value(sys.modules[run.__module__])
        outcome = self._outcome(run, arguments, with_code=True)
        if outcome.ended is Ended.RAISED and outcome.content.name == NotWritten.__name__:
            raise NotWritten
        if outcome.ended is Ended.RAISED and outcome.content.name == Wrong.__name__:
            raise Wrong(outcome.content.words)
        return self._value_of(outcome, arguments)

    def _outcome(self, function: Callable, arguments: tuple, with_code: bool = False) -> Outcome:
        """Return what a call there has led to; meanwhile it may call functions of ours."""
        described = [self.described(argument, with_code) for argument in arguments]
        reply = self._ask(Call(self.described(function, with_code), described))
        while isinstance(reply, AsksBack):
            print(reply.printed, end="")
            reply = self._ask(self._called_back(reply))
        print(reply.printed, end="")
        return reply

    def _value_of(self, outcome: Outcome, arguments: tuple) -> object:
        """Return or raise what a call there returned or raised, and change the arguments as it did."""
        if outcome.ended is Ended.GIVEN_UP:
            raise OutOfTime
        try:
            for number, value in outcome.changed:
                write_back(arguments[number], value)
            returned = decode(outcome.content) if outcome.ended is Ended.RETURNED else None
        except (MemoryError, OverflowError):
            raise Wrong(TOO_LARGE) from None
        if outcome.ended is Ended.RAISED:
            error = outcome.content
            raise made_error(error) if error.ours is None else self._errors[error.ours]
        if outcome.ended is Ended.ASKED_A_PERSON:
            return input()  # It raises what it raises in a lesson while an answer is checked.
        return arguments[outcome.content] if outcome.ended is Ended.SAME else returned

    def _called_back(self, question: AsksBack) -> CalledBack:
        """Call a function of ours for the student's."""
        function = self._ours[question.function]
        arguments = decode(question.arguments)
        named = decode(question.named)
        try:
            returned = function(*arguments, **named)
        except Exception as error:  # noqa: BLE001 - the student's function may catch it
            self._errors.append(error)
            return CalledBack(Ended.RAISED, described_error(error, len(self._errors) - 1))
        return CalledBack(Ended.RETURNED, self.described(returned))

    def described(self, value: object, with_code: bool = False) -> dict:
        """Describe a value for the student's process: as plain data if it is that, and otherwise as a pickle."""
        if is_plain(value):
            plain = encode(value)
            if not (isinstance(plain, dict) and "other" in plain):  # it is not too large
                return {"plain": plain}
        if isinstance(value, np.random.Generator):
            return {"generator": value.bit_generator.state}
        written = io.BytesIO()
        Pickler(written, self, with_code).dump(value)
        return {"pickle": base64.b64encode(written.getvalue()).decode()}

    def number_of(self, function: Callable) -> int:
        """Return the number by which the student's process knows a function of ours."""
        if function not in self._ours:
            self._ours.append(function)
        return self._ours.index(function)


class Pickler(cloudpickle.Pickler):
    """Writes values for the student's process, in which our functions have numbers.

    Parameters
    ----------
    file : binary file
    stand_ins : StandIns
    with_code : bool
        Whether our functions go there with their code.
    """

    def __init__(self, file: io.BytesIO, stand_ins: StandIns, with_code: bool) -> None:
        super().__init__(file)
        self.stand_ins = stand_ins
        self.with_code = with_code

    def persistent_id(self, value: object) -> tuple[str, int] | None:
        """Return what represents a value there; None for a value that is sent."""
        if not isinstance(value, FunctionType):
            return None
        if hasattr(value, "number_there"):
            return "answer", value.number_there
        if value.__module__.startswith("coincourse.checks") and not self.with_code:
            return "ours", self.stand_ins.number_of(value)
        return None


def write_back(given: object, changed: object) -> None:
    """Let an argument of ours become what the student's function has made of its copy."""
    if isinstance(given, np.random.Generator):
        given.bit_generator.state = changed["generator"]
    else:
        _become(given, decode(changed))


def _become(given: object, changed: object) -> None:
    if isinstance(given, list | np.ndarray):
        given[:] = changed
    elif isinstance(given, dict | set):
        given.clear()
        given.update(changed)
    elif isinstance(given, tuple):
        for part, new in zip(given, changed):
            _become(part, new)
    elif hasattr(given, "equals"):  # of a table of pandas it is enough to know that it has changed
        given.pop(next(iter(given.keys())))


if __name__ == "__main__":
    answer_calls(Judge())
