"""The contained process of a handed-in notebook: its cells run here, and its functions are called here.

The checks are not here. Their stand-in takes an answer, and the judge calls it as `coincourse.classroom` shows.
Nothing that comes from here is trusted, since the student's code can change all of it.
"""

from __future__ import annotations

import base64
import builtins
import contextlib
import dis
import functools
import gc
import io
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from types import CodeType

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import coincourse.checks
from coincourse.checks.function_source import source_of
from coincourse.checks.judging import name_and_message
from coincourse.checks.plain_data import NO_PLAIN_DATA, decode, encode
from coincourse.checks.stand_in import Checks
from coincourse.classroom.messages import (
    LONGEST_WORDS,
    Answer,
    AsksBack,
    Call,
    CalledBack,
    CellRan,
    Ended,
    IsRight,
    NotebookToRun,
    Outcome,
    as_list,
    described_error,
    made_error,
)
from coincourse.classroom.notebooks import Cell
from coincourse.outside.answering import Answering, answer_calls, limit, take_compiled_loops
from coincourse.outside.text import at_line

MOST_PRINTED = 10_000  # characters that are kept of what a function prints
STREAMS = ("stdout", "stderr")


class AskedAPerson(EOFError):
    """A function that is judged has called `input`."""


class NotRightYet(Exception):
    """An answer is wrong, and the cell would go on with the course's own, which is not here.

    Parameters
    ----------
    exercise : str
    """

    def __init__(self, exercise: str) -> None:
        super().__init__(f"{exercise} is not right yet, and the course's own is not at hand in a marking")
        self.exercise = exercise


class NotebookRunner:
    """Answers the calls of `running.Running`."""

    answering: Answering

    def open(self, notebook: NotebookToRun, gigabytes: float, compiled: tuple[str, str]) -> list[int]:
        """Take the cells and set up the stand-in for the checks; return the numbers of the cells to run."""
        take_compiled_loops(*compiled)
        limit(gigabytes)
        self.cells = {cell.number: cell for cell in notebook.cells}
        self.exercises = notebook.exercises
        given = pickle.loads(notebook.given)
        stands_in = Checks(self.take, notebook.checks, given, self.right_answer, self.right_answer_so_far)
        sys.modules["coincourse.checks"] = coincourse.checks = stands_in
        self.shell = _shell()
        self.shell.user_ns |= {"check": stands_in, "checks": stands_in}  # even if the import was deleted
        self.answers: list[tuple[str, object]] = []  # exercise and value
        self.calls = Calls(lambda message: self.answering.ask(*as_list(message))[0])
        builtins.input = self.calls.type_one
        return self._needed()

    def take(self, exercise: str, value: object) -> None:
        """Keep an answer for the judge."""
        self.answers.append((exercise, value))

    def right_answer(self, exercise: str, value: object) -> object:
        """Return an answer if the judge finds it right in the middle of a cell; otherwise the cell ends here.

        The answer is used without asking if it cannot be sent to the judge, or if the judge is calling a function.
        """
        if exercise in NO_PLAIN_DATA or self.calls.is_in_one:
            return value
        (right,) = self.answering.ask(*as_list(IsRight(self.described(exercise, value))))
        if not right:
            raise NotRightYet(exercise)
        return value

    def right_answer_so_far(self, exercise: str) -> object:
        """Return the student's last answer to an exercise if it is right; otherwise the cell ends here."""
        answers = [value for name, value in self.answers if name == exercise]
        return self.right_answer(exercise, answers[-1] if answers else ...)

    def run(self, number: int) -> list:
        """Run a cell; return its error and its answers."""
        first = len(self.answers)
        before = dict(self.shell.user_ns)
        result = self.shell.run_cell(self.cells[number].source, store_history=False, silent=True)
        error = result.error_before_exec or result.error_in_exec
        if self.cells[number].own:
            self._take_the_rest(first, before)
        words = self._put_back()
        waits_for = ""
        if error:
            words = _in_words(error)
            if isinstance(error, NotRightYet):
                waits_for = error.exercise
            del result, error
            gc.collect()  # frees the memory that a traceback keeps alive, for the next cell
        return as_list(CellRan(words, [self.described(*answer) for answer in self.answers[first:]], waits_for))

    def again(self, exercise: str) -> list:
        """Return the last answer to an exercise once more, now that all cells have run."""
        answers = [answer for answer in self.answers if answer[0] == exercise]
        return as_list(CellRan("", [self.described(*answer) for answer in answers[-1:]]))

    def call(self, call: Call) -> list:
        """Call a function for the judge."""
        return as_list(self.calls.call(call))

    def described(self, exercise: str, value: object) -> Answer:
        """Describe an answer for the judge."""
        if type(value) is tuple and any(map(callable, value)):
            return Answer(exercise, {"parts": [self._part(part) for part in value]})
        return Answer(exercise, self._part(value))

    def _part(self, value: object) -> dict:
        """Describe an answer or a part of one: a function by its number."""
        if not callable(value):
            return {"value": encode(value)}
        return {
            "function": self.calls.number_of(value),
            "name": str(getattr(value, "__name__", "answer")),
            "source": list(source_of(value)),
        }

    def _take_the_rest(self, first: int, before: dict) -> None:
        """Take the answers that a cell has made without handing them to their checks."""
        handed = {exercise for exercise, _ in self.answers[first:]}
        names = self.shell.user_ns
        for name, answer, _ in self.exercises:
            is_new = answer in names and names[answer] is not before.get(answer)
            if is_new and name not in handed:
                self.take(name, names[answer])

    def _put_back(self) -> str:
        """Put back what would break the next cell; return a message about it."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        broken = [name for name in STREAMS if not _is_open(getattr(sys, name))]
        for name in broken:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it stays open
        return f"sys.{' and sys.'.join(broken)} left unusable" if broken else ""

    def _needed(self) -> list[int]:
        """Return the numbers of the student's cells, and of the lesson's cells that define what those use."""
        used = set().union(*(_names_in(cell) for cell in self.cells.values() if cell.own))
        needed = []
        for number, cell in sorted(self.cells.items(), reverse=True):
            if cell.own or used & _given_by(cell):
                needed.append(number)
                used |= _names_in(cell)
        return needed[::-1]


def _is_open(stream: object) -> bool:
    """Return whether IPython can write to a stream."""
    return hasattr(stream, "write") and hasattr(stream, "flush") and not getattr(stream, "closed", False)


def _shell() -> InteractiveShell:
    """Return an IPython without a user: pictures are drawn and not shown, and `exit` does nothing."""
    settings = Config()
    settings.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=settings)
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # no one reads them
    shell.enable_matplotlib = lambda *_: ("agg", "agg")
    shell.ask_exit = None
    sys.path.append("")  # as in JupyterLab, what a cell has written can be imported
    return shell


# --- calls of the judge ---------------------------------------------------------------------------------


class Printed(io.StringIO):
    """Keeps the beginning of what a function prints, until it is taken."""

    def write(self, words: str) -> int:
        super().write(words[: max(MOST_PRINTED - self.tell(), 0)])
        return len(words)

    def taken(self) -> str:
        """Return what was printed since the last time."""
        words = self.getvalue()
        self.seek(0)
        self.truncate()
        return words


class Calls:
    """The calls of the judge.

    Parameters
    ----------
    ask : function (message) -> message
        Sends a message to the judge in the middle of a call, and waits for what comes back.
    """

    def __init__(self, ask: Callable) -> None:
        self._ask = ask
        self.functions: list[Callable] = []  # the judge knows each by its place
        self.printed = Printed()

    def number_of(self, function: Callable) -> int:
        """Return the number by which the judge can call a function."""
        self.functions.append(function)
        return len(self.functions) - 1

    @property
    def is_in_one(self) -> bool:
        """Whether a function called by the judge is running."""
        return sys.stdout is self.printed

    def type_one(self, question: str = "") -> str:
        """Answer `input` for the absent user, but not while a function is judged."""
        if self.is_in_one:
            raise AskedAPerson
        return "1"

    def call(self, call: Call) -> Outcome:
        """Make a call of the judge."""
        try:
            function = self._value_of(call.function)
            arguments = tuple(map(self._value_of, call.arguments))
            before = list(map(_state_before, call.arguments, arguments))
            with contextlib.redirect_stdout(self.printed):
                ended, content = _outcome(function, arguments)
            after = list(map(_state_of, arguments))
        except BaseException as error:  # noqa: BLE001 - the judge waits for a message in any case
            return Outcome(Ended.RAISED, described_error(error), self.printed.taken())
        changed = [[number, new] for number, new in enumerate(after) if new != before[number]]
        return Outcome(ended, content, self.printed.taken(), changed)

    def ask_back(self, function: int, /, *arguments, **named) -> object:
        """Return or raise what a function of the judge returns or raises."""
        question = AsksBack(function, encode(arguments), encode(named), self.printed.taken())
        reply: CalledBack = self._ask(question)
        if reply.ended is Ended.RETURNED:
            return self._value_of(reply.content)
        raise made_error(reply.content)

    def _value_of(self, described: dict) -> object:
        """Return what the judge has described."""
        if "plain" in described:
            return decode(described["plain"])
        if "generator" in described:
            generator = np.random.default_rng(0)
            generator.bit_generator.state = described["generator"]
            return generator
        return Unpickler(io.BytesIO(base64.b64decode(described["pickle"])), self).load()


class Unpickler(pickle.Unpickler):
    """Reads values of the judge, which sends numbers for functions.

    Parameters
    ----------
    file : binary file
    calls : Calls
    """

    def __init__(self, file: io.BytesIO, calls: Calls) -> None:
        super().__init__(file)
        self.calls = calls

    def persistent_load(self, sign: tuple[str, int]) -> Callable:
        """Return the local stand-in for a function that was not sent; Python calls this."""
        kind, number = sign
        if kind == "answer":
            return self.calls.functions[number]
        return functools.partial(self.calls.ask_back, number)


def _outcome(function: Callable, arguments: tuple) -> tuple[Ended, object]:
    """Return how a call ends, and the content of its outcome."""
    try:
        answer = function(*arguments)
    except AskedAPerson:
        return Ended.ASKED_A_PERSON, None
    except BaseException as error:  # noqa: BLE001 - exit() in a student's function ends nothing here
        return Ended.RAISED, described_error(error)
    for number, argument in enumerate(arguments):
        if answer is argument and isinstance(answer, list | dict | set):
            return Ended.SAME, number
    return Ended.RETURNED, encode(answer)


def _state_before(described: dict, argument: object) -> object:
    """Return an argument before the call as `_state_of` does; most were sent in that form."""
    if "pickle" in described:
        return _state_of(argument)
    return described.get("plain", described)


def _state_of(argument: object) -> object:
    """Return an argument as plain data, or the state of a generator."""
    if isinstance(argument, np.random.Generator):
        return {"generator": argument.bit_generator.state}
    return encode(argument)


def _compiled(cell: Cell) -> CodeType:
    return compile(TransformerManager().transform_cell(cell.source), "cell", "exec")


def _given_by(cell: Cell) -> set[str]:
    """Return the names that a cell of a lesson defines."""
    return {step.argval for step in dis.get_instructions(_compiled(cell)) if step.opname == "STORE_NAME"}


def _names_in(cell: Cell) -> set[str]:
    """Return the names in the code of a cell, or all its words if the names are known only when it runs.

    Examples
    --------
    >>> sorted(_names_in(Cell(1, "def double(n):  # not of games\\n    return 2 * n + extra")))
    ['double', 'extra']
    >>> sorted(_names_in(Cell(1, "%time double(3)")))
    ['3', 'double', 'time']
    """
    try:
        codes = [_compiled(cell)]
    except Exception:  # noqa: BLE001 - any error in a student's code
        return cell.words
    names = set()
    while codes:
        code = codes.pop()
        names |= {*code.co_names}
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    return cell.words if "get_ipython" in names else names


def _in_words(error: BaseException) -> str:
    """Return an error as text, with the last line of the cell that it came through."""
    if isinstance(error, SyntaxError):  # of a cell that could not be read
        return f"{type(error).__name__}: {error.msg}"[:LONGEST_WORDS] + at_line(error.lineno)
    steps = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in steps if "ipython-input" in frame.f_code.co_filename]
    return name_and_message(error)[:LONGEST_WORDS] + at_line(lines[-1] if lines else None)


if __name__ == "__main__":
    answer_calls(NotebookRunner())
