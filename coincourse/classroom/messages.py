"""The messages between the processes of a marking; `coincourse.classroom` shows their order.

A message into a process is pickled. A message out of one is a list for JSON, the name of its class first: `as_list`
makes it, and `read_message` reads it and refuses anything else.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from coincourse.checks.verdict import Verdict
from coincourse.classroom.notebooks import Cell, Exercise

LONGEST_NAME = 100  # characters of the name of an error
LONGEST_WORDS = 1_000  # characters of an error's words


class Ended(str, Enum):
    """How a call has ended."""

    RETURNED = "returned"  # the content is what it returned
    SAME = "same"  # it returned one of its arguments itself
    RAISED = "raised"
    ASKED_A_PERSON = "asked a person"  # it called `input`
    GIVEN_UP = "given up"  # the marking says this when the time is up


class Error(NamedTuple):
    """An error as plain data."""

    name: str  # of its class
    words: str
    base: str  # the nearest of Python's own errors
    ours: int | None = None  # the number of an error of the judge that came back


class Answer(NamedTuple):
    """What a cell has handed to a check."""

    exercise: str
    value: dict  # {"value": plain data}, {"function": its number in the student's process, ...} or {"parts": [...]}


@dataclass(frozen=True)
class NotebookToRun:
    """What the student's process needs: the cells, and the names of the checks."""

    cells: list[Cell]
    exercises: list[Exercise]
    checks: list[str]  # the names of all exercises of the course
    given: bytes  # a pickle of what a lesson takes from the checks besides exercises, by name


# --- from the student's process -------------------------------------------------------------------------


@dataclass(frozen=True)
class CellRan:
    """A cell has run: its error as text, and its answers."""

    error: str
    answers: list[Answer]
    waits_for: str = ""  # the exercise that needs a right answer before the cell can run


@dataclass(frozen=True)
class IsRight:
    """A cell wants to use this answer, and asks whether it is right."""

    answer: Answer


@dataclass(frozen=True)
class Outcome:
    """The result of a call of the student's function."""

    ended: Ended
    content: object = None  # what it returned, as plain data; the number of an argument; or the error
    printed: str = ""
    changed: list = field(default_factory=list)  # number and new value of each argument that it changed


@dataclass(frozen=True)
class AsksBack:
    """The student's function calls a function of ours, and waits for what that returns."""

    function: int
    arguments: object  # plain data
    named: object
    printed: str = ""


# --- from the judge's process ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """The judge calls the student's function."""

    function: dict  # described as the arguments are
    arguments: list[dict]  # each {"plain": data}, {"generator": its state}, or {"pickle": of anything else}


@dataclass(frozen=True)
class CalledBack:
    """What a function of ours has returned or raised, for the student's function."""

    ended: Ended
    content: dict | Error  # what it returned is described as an argument is


@dataclass(frozen=True)
class Judged:
    """The verdict about an answer; None if the answer was malformed."""

    verdict: Verdict | None


Message = CellRan | IsRight | Outcome | AsksBack | Call | CalledBack | Judged


def as_list(message: Message) -> list:
    """Return a message as a list that JSON can write.

    Examples
    --------
    >>> as_list(CellRan("", [Answer("settle", {"value": 1})]))
    ['CellRan', '', [Answer(exercise='settle', value={'value': 1})], '']
    """
    content = list(vars(message).values())
    if isinstance(message, Judged) and message.verdict:
        content = [vars(message.verdict)]
    return [type(message).__name__, *content]


def read_message(line: list) -> Message:
    """Return the message that `as_list` has written.

    Raises
    ------
    ValueError or TypeError
        If the list is anything else.

    Examples
    --------
    >>> read_message(["CellRan", "", [["settle", {"value": 1}]], ""])
    CellRan(error='', answers=[Answer(exercise='settle', value={'value': 1})], waits_for='')
    """
    match line:
        case [CellRan.__name__, str(error), list(answers), str(waits_for)]:
            return CellRan(error, [_answer(*each) for each in answers], waits_for)
        case [IsRight.__name__, [exercise, value]]:
            return IsRight(_answer(exercise, value))
        case [Outcome.__name__, Ended.RAISED, list(error), str(printed), list(changed)]:
            return Outcome(Ended.RAISED, _error(*error), printed, changed)
        case [Outcome.__name__, ended, content, str(printed), list(changed)]:
            return Outcome(Ended(ended), content, printed, changed)
        case [AsksBack.__name__, int(function), arguments, named, str(printed)]:
            return AsksBack(function, arguments, named, printed)
        case [Call.__name__, dict(function), list(arguments)]:
            return Call(function, arguments)
        case [CalledBack.__name__, Ended.RAISED, list(error)]:
            return CalledBack(Ended.RAISED, _error(*error))
        case [CalledBack.__name__, ended, dict(content)]:
            return CalledBack(Ended(ended), content)
        case [Judged.__name__, verdict]:
            return Judged(Verdict(**verdict) if verdict else None)
    raise ValueError("no message of a marking")


def described_error(error: BaseException, number: int | None = None) -> Error:
    """Return an error as plain data, with the number by which the judge knows it."""
    base = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
    known = getattr(error, "ours", number)
    return Error(type(error).__name__, str(error)[:LONGEST_WORDS], base.__name__, known)


def made_error(error: Error) -> BaseException:
    """Return an error like the one that was described.

    Examples
    --------
    >>> str(made_error(described_error(ValueError("no sticks"))))
    'no sticks'
    """
    base = getattr(builtins, error.base, Exception)
    if not (isinstance(base, type) and issubclass(base, Exception | SystemExit)):
        base = Exception
    made = type(error.name, (base,), {"__str__": lambda _: error.words, "ours": error.ours})
    return made.__new__(made)  # without the arguments that its own `__init__` may expect


def _answer(exercise: object, value: object) -> Answer:
    if not (isinstance(exercise, str) and isinstance(value, dict)):
        raise TypeError("no answer")
    return Answer(exercise, value)


def _error(name: object, words: object, base: object, ours: object) -> Error:
    number = ours if isinstance(ours, int) else None
    return Error(str(name)[:LONGEST_NAME], str(words)[:LONGEST_WORDS], str(base), number)
