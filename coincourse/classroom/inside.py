"""What runs in the contained process of a handed-in notebook: its cells, and the functions that are judged.

The checks are not here: what stands for them takes an answer and hands it to the judge, who calls it through
the pipe. Nobody trusts what comes from here, since the student's code can change all of it.
"""

from __future__ import annotations

import base64
import builtins
import contextlib
import dis
import functools
import gc
import io
import itertools
import json
import pickle
import sys
import traceback
from collections.abc import Callable
from types import CodeType
from typing import NamedTuple

from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import coincourse.checks
from coincourse.checks.judging import is_dots, name_and_message
from coincourse.checks.plain_data import IS_RIGHT, LARGEST, NO_PLAIN_DATA, encode, signature_of
from coincourse.checks.stand_in import Checks
from coincourse.classroom.notebooks import Cell, Exercise
from coincourse.outside.contained import Answering, answer_calls, limit, take_compiled_loops

LONGEST_CELL = 100_000  # characters of code in which names are looked for
LONGEST_MESSAGE = 1_000  # characters; many long ones would not go through the pipe
MOST_PRINTED = 10_000  # characters that are kept of what a function prints


class AskedAPerson(EOFError):
    """A function that is judged has called `input`."""


class Answer(NamedTuple):
    """What a cell has handed to a check."""

    exercise: str
    value: object


class NotRightYet(Exception):
    """An answer is wrong, and the cell would go on with the course's own, which is not here."""


class NotebookRunner:
    """Answers the calls of `running.Running`."""

    answering: Answering

    def open(
        self, cells: list, exercises: list, names: list[str], given: dict, gigabytes: float, compiled: list
    ) -> list:
        """Take the cells, and what `Checks` needs; the numbers of the cells that must be run."""
        take_compiled_loops(*compiled)
        limit(gigabytes)
        self.cells = {cell.number: cell for cell in itertools.starmap(Cell, cells)}
        self.exercises = [Exercise(*exercise) for exercise in exercises]
        stands_in = Checks(self.take, names, given, self.right_answer)
        sys.modules["coincourse.checks"] = coincourse.checks = stands_in
        self.shell = _shell()
        self.shell.user_ns |= {"check": stands_in, "checks": stands_in}  # even if the import was deleted
        self.answers: list[Answer] = []
        self.functions: list[Callable] = []  # of answers; the judge knows each by its place in the list
        self.calls = Calls(self.answering, self.functions)
        builtins.input = self.calls.type_one
        return self._needed()

    def take(self, exercise: str, value: object) -> None:
        """Keep an answer for the judge."""
        self.answers.append(Answer(exercise, value))

    def right_answer(self, exercise: str, value: object) -> object:
        """An answer, if the judge finds it right in the middle of a cell; otherwise the cell ends here.

        What is no plain data does not reach the judge: it plays on as it is, and so does an answer that is
        asked for while the judge calls a function.
        """
        if exercise in NO_PLAIN_DATA or self.calls.is_in_one:
            return value
        (right,) = self.answering.ask(IS_RIGHT, [self.described(exercise, value)])
        if not right:
            words = "is not right yet, and the course's own is not at hand in a marking"
            raise NotRightYet(f"{exercise} {words}")
        return value

    def run(self, number: int) -> list:
        """Run a cell: what went wrong, and what it has answered, for the judge."""
        first = len(self.answers)
        before = dict(self.shell.user_ns)
        result = self.shell.run_cell(self.cells[number].source, store_history=False, silent=True)
        error = result.error_before_exec or result.error_in_exec
        if self.cells[number].own:
            self._take_the_rest(first, before)
        words = ""
        if error:
            words = _in_words(error)
            del result, error
            gc.collect()  # frees the memory that a traceback keeps alive, for the next cell
        return [words, [self.described(*answer) for answer in self.answers[first:]]]

    def again(self, exercise: str) -> list:
        """The last answer to an exercise once more, as `run` gives it, now that all cells have run."""
        answers = [answer for answer in self.answers if answer.exercise == exercise]
        return ["", [self.described(*answer) for answer in answers[-1:]]]

    def described(self, exercise: str, value: object) -> list:
        """An exercise, and what the judge must know of an answer to it."""
        if type(value) is tuple and any(map(callable, value)):
            return [exercise, {"parts": [self._part(part) for part in value]}]
        return [exercise, self._part(value)]

    def _part(self, value: object) -> dict:
        """What the judge must know of an answer, or of a part of one: of a function, its number."""
        if not callable(value):
            return {"value": encode(value)}
        self.functions.append(value)
        return {
            "function": len(self.functions) - 1,
            "name": str(getattr(value, "__name__", "answer")),
            "parameters": signature_of(value),
            "body_is_dots": is_dots(value),
        }

    def _take_the_rest(self, first: int, before: dict) -> None:
        """Take the answers that a cell has made without handing them to their checks."""
        handed = {answer.exercise for answer in self.answers[first:]}
        names = self.shell.user_ns
        for name, answer, _ in self.exercises:
            is_new = answer in names and names[answer] is not before.get(answer)
            if is_new and name not in handed:
                self.take(name, names[answer])

    def call(self, payload: str, times: int) -> list:
        """Call what the judge calls, so many times; see `Calls.call`."""
        return self.calls.call(payload, times)

    def _needed(self) -> list[int]:
        """The student's own cells, with those of the lesson that give something to them."""
        used = set().union(*(_names_in(cell) for cell in self.cells.values() if cell.own))
        needed = []
        for number, cell in sorted(self.cells.items(), reverse=True):
            if cell.own or used & _given_by(cell):
                needed.append(number)
                used |= _names_in(cell)
        return needed[::-1]


def _shell() -> InteractiveShell:
    """IPython without a person: pictures are drawn and not shown, and nobody can leave."""
    settings = Config()
    settings.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=settings)
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # nobody reads them
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
        """What was printed since this was asked before."""
        words = self.getvalue()
        self.seek(0)
        self.truncate()
        return words


class Calls:
    """The calls of the judge.

    Parameters
    ----------
    answering : Answering
    functions : list of function
        Those that the judge may call; it knows each by its place.
    """

    def __init__(self, answering: Answering, functions: list[Callable]) -> None:
        self.answering = answering
        self.functions = functions
        self.generators: dict[str, object] = {}  # those of the judge, by their names
        self.printed = Printed()

    @property
    def is_in_one(self) -> bool:
        """Whether a function is running that the judge has called."""
        return sys.stdout is self.printed

    def type_one(self, question: str = "") -> str:
        """Answer for a person who is not there; nobody types while a function is judged."""
        if self.is_in_one:
            raise AskedAPerson
        return "1"

    def call(self, payload: str, times: int) -> list:
        """Call a function, until it raises or changes what it was given.

        Returns
        -------
        list
            "done", what was printed, a list with what each call led to, and the arguments that have changed.
        """
        outcomes: list = []
        changed: list = []
        try:
            function, arguments = self._load(payload)
            before = [encode(argument) for argument in arguments]
            size = 0
            with contextlib.redirect_stdout(self.printed):
                while len(outcomes) < times and size < LARGEST and not changed:
                    outcomes.append(self._outcome(function, arguments))
                    if outcomes[-1][0] not in ("returned", "same"):
                        times = 0
                    size += len(json.dumps(outcomes[-1]))
                    after = [encode(argument) for argument in arguments]
                    changed = [[number, new] for number, new in enumerate(after) if new != before[number]]
        except BaseException as error:  # noqa: BLE001 - the judge waits for a message in any case
            outcomes.append(_raised(error))
        return ["done", self.printed.taken(), outcomes, changed]

    def _outcome(self, function: Callable, arguments: tuple) -> list:
        """What one call has led to."""
        try:
            answer = function(*arguments)
        except AskedAPerson:
            return ["asked a person"]
        except BaseException as error:  # noqa: BLE001 - exit() in a student's function ends nothing here
            return _raised(error)
        for number, argument in enumerate(arguments):
            if answer is argument and isinstance(answer, list | dict | set):
                return ["same", number]
        return ["returned", encode(answer)]

    def ask(self, number: int, /, *arguments, **named) -> object:
        """What a function of the judge returns or raises."""
        printed = self.printed.taken()
        kind, *content = self.answering.ask("ask", printed, number, encode(arguments), encode(named))
        if kind == "returned":
            return self._load(content[0])
        name, words, base, place = content
        kind_of_error = type(name, (getattr(builtins, base),), {"__str__": lambda _: words, "place": place})
        raise kind_of_error

    def _load(self, payload: str) -> object:
        """What the judge has sent."""
        return _Unpickler(io.BytesIO(base64.b64decode(payload)), self._meant).load()

    def _meant(self, sign: tuple) -> object:
        """What stands here for what is not sent."""
        kind, name, *more = sign
        if kind == "answer":
            return self.functions[name]
        if kind == "function":
            return functools.partial(self.ask, name)
        if name not in self.generators:
            import numpy as np

            self.generators[name] = np.random.default_rng()
            self.generators[name].bit_generator.state = more[0]
        return self.generators[name]


class _Unpickler(pickle.Unpickler):
    """Asks a function for what was not sent. (Python 3.13.0 lets nobody set this attribute of an unpickler.)"""

    def __init__(self, file: io.BytesIO, meant: Callable[[tuple], object]) -> None:
        super().__init__(file)
        self.meant = meant

    def persistent_load(self, sign: tuple) -> object:
        """What stands here for what is not sent; Python calls this."""
        return self.meant(sign)


def _raised(error: BaseException) -> list:
    """An error as plain data: its name and words, which of Python's it is, and its place at the judge."""
    words = name_and_message(error).partition(": ")[2][:LONGEST_MESSAGE]
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
    return ["raised", type(error).__name__, words, kinds[0], getattr(error, "place", None)]


def _compiled(cell: Cell) -> CodeType:
    return compile(TransformerManager().transform_cell(cell.source), "cell", "exec")


def _given_by(cell: Cell) -> set[str]:
    """The names that a cell of a lesson gives to other cells."""
    return {step.argval for step in dis.get_instructions(_compiled(cell)) if step.opname == "STORE_NAME"}


def _names_in(cell: Cell) -> set[str]:
    """The names in the code of a cell; all its words, where they are not known before it runs.

    Examples
    --------
    >>> sorted(_names_in(Cell(1, "def double(n):  # not of games\\n    return 2 * n + extra")))
    ['double', 'extra']
    >>> sorted(_names_in(Cell(1, "%time double(3)")))
    ['3', 'double', 'time']
    """
    if len(cell.source) > LONGEST_CELL:
        return cell.words
    try:
        codes = [_compiled(cell)]
    except Exception:  # noqa: BLE001 - whatever a student has written
        return cell.words
    names = set()
    while codes:
        code = codes.pop()
        names |= {*code.co_names}
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    return cell.words if "get_ipython" in names else names


def _in_words(error: BaseException) -> str:
    """An error in words, with the line of the cell that it came through."""
    if isinstance(error, SyntaxError):  # of a cell that could not be read
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"[:LONGEST_MESSAGE]
    words = name_and_message(error)[:LONGEST_MESSAGE]
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if "ipython-input" in frame.filename]
    return f"{words} (line {lines[-1]})" if lines else words


if __name__ == "__main__":
    answer_calls(NotebookRunner())
