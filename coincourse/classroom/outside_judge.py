"""The judge: a process of its own with the exercises, which a student's code cannot touch.

The student's function stays in the contained process of the notebook. The judge calls it through the
marking, which hands on what each of the two has to say: the judge's calls go there, and answers come back
as plain data. So cases, right answers and sentences are never where the student's code runs.
"""

from __future__ import annotations

import base64
import builtins
import copy
import dataclasses
import io
import queue
import secrets
import sys
import threading
from collections import deque
from collections.abc import Callable
from types import FunctionType

import cloudpickle
import numpy as np

from coincourse import checks
from coincourse.checks.engine import Check
from coincourse.checks.judging import NotWritten, Wrong, verdict_of
from coincourse.checks.plain_data import NO_PLAIN_DATA, decode, read_signature
from coincourse.outside.contained import GO_ON, answer_calls, limit, take_compiled_loops

SLICE = 0.05  # seconds: how soon a thread hears that it is given up


class Gone(BaseException):
    """Nobody waits for this verdict any more."""


class Judge:
    """Answers the calls of `running.Judges`: with what to ask of the notebook, or with the verdict."""

    def __init__(self) -> None:
        self.judging: Judging | None = None

    def open(self, gigabytes: float, compiled: list) -> list:
        """Get ready."""
        take_compiled_loops(*compiled)
        limit(gigabytes)
        return []

    def judge(self, exercise: str, described: dict, seconds: float, slowness: float) -> list:
        """Begin to judge an answer, which is described as `inside.NotebookRunner.described` does."""
        if self.judging is not None:
            self.judging.gone = True
        self.judging = Judging()
        try:
            answer = self.judging.answer(described)
        except Exception:  # noqa: BLE001 - what a student's code may have sent
            return ["refused"]
        arguments = (exercise, answer, seconds, slowness)
        threading.Thread(target=self.judging.judge, args=arguments, daemon=True).start()
        return self.judging.next_message()

    def answered(self, reply: list) -> list:
        """Take what the notebook has answered."""
        self.judging.replies.put(reply)
        return self.judging.next_message()

    def wait(self) -> list:
        """Wait for the verdict about an answer that is late."""
        return self.judging.next_message()


class Judging:
    """One answer that is judged, in a thread; what the thread wants to ask waits in a queue."""

    def __init__(self) -> None:
        self.gone = False
        self.mark = secrets.token_hex(4)  # tells the generators of this answer from those of others
        self.messages: queue.SimpleQueue = queue.SimpleQueue()
        self.replies: queue.SimpleQueue = queue.SimpleQueue()
        self.sent: list = []  # functions and generators that the notebook knows by their numbers
        self.starts: dict[int, object] = {}  # the state in which each generator went there, by its number
        self.errors: list[BaseException] = []  # what functions of ours have raised there
        self.drawn = 0
        self.draws_of = b""  # the call whose further answers wait
        self.waiting: deque = deque()
        self.changed: list = []

    def next_message(self) -> list:
        """What comes next: a method of the notebook's process with its arguments, or the verdict."""
        return self.messages.get()

    def judge(self, exercise: str, answer: object, seconds: float, slowness: float) -> None:
        """Judge an answer; runs in a thread, and its last message is the verdict."""
        verdict = verdict_of(exercise, lambda: self._check(exercise).judge(answer, seconds, slowness))
        self.messages.put(["verdict", dataclasses.asdict(verdict)])

    def _check(self, exercise: str) -> Check:
        """The check of an exercise; its way to try a function runs beside that function where it must."""
        check = getattr(checks, exercise)
        if exercise not in NO_PLAIN_DATA:
            return check
        comparison = check.comparison
        cloudpickle.register_pickle_by_value(sys.modules[comparison.run.__module__])

        def run(function: Callable, *arguments):
            payload = self._pickled((comparison.run, (function, *arguments)), by_value=True)
            ((kind, *content),), _ = self._ask("call", payload, 1)
            if kind == "raised" and content[0] == NotWritten.__name__:
                raise NotWritten
            if kind == "raised" and content[0] == Wrong.__name__:
                raise Wrong(str(content[1]))
            if kind == "raised":
                raise self._error(*content)
            return decode(content[0])

        tried = copy.copy(check)
        there = dataclasses.replace(comparison, run=run)
        tried.task = lambda: dataclasses.replace(check.task(), comparison=there)
        return tried

    # --- the student's answer

    def answer(self, described: dict) -> object:
        """An answer as a check takes it: plain data, a function, or a tuple of both."""
        if "parts" in described:
            return tuple(map(self.answer, described["parts"]))
        if "function" in described:
            return self._function(described)
        return decode(described["value"])

    def _function(self, described: dict) -> Callable:
        """A function that calls the student's, and looks like it to `inspect`."""

        def call(*arguments):
            return self.call(call, arguments)

        call.number_there = described["function"]
        call.body_is_dots = bool(described["body_is_dots"])
        call.__name__ = call.__qualname__ = str(described["name"])
        if described["parameters"] is not None:
            call.__signature__ = read_signature(described["parameters"])
        return call

    def call(self, function: Callable, arguments: tuple) -> object:
        """What a function returns there, or raises; what it has changed and printed comes with it."""
        payload = self._pickled((function, arguments))
        if payload != self.draws_of:
            self.draws_of = payload
            self.drawn = 0
            self.waiting.clear()
        if not self.waiting:
            # Whoever draws again from the same generator will do so often: many draws are one call.
            draws = any(isinstance(argument, np.random.Generator) for argument in arguments)
            times = max(1, self.drawn) if draws else 1
            answers, self.changed = self._ask("call", payload, times)
            self.waiting.extend(answers)
            self.drawn += len(answers)
        answer = self.waiting.popleft()
        if not self.waiting:
            for number, value in self.changed:
                write_back(arguments[number], decode(value))
        kind, *content = answer
        if kind == "returned":
            return decode(content[0])
        if kind == "same":
            return arguments[content[0]]
        if kind == "asked a person":
            return input()  # It raises what it raises in a lesson while an answer is checked.
        raise self._error(*content)

    def _error(self, name: str, words: str, base: str, number: int | None) -> BaseException:
        """An error like the one that the function has raised; the very one, if it came from here."""
        if number is not None:
            return self.errors[number]
        kind = getattr(builtins, base, Exception)
        if not (isinstance(kind, type) and issubclass(kind, Exception | SystemExit)):
            kind = Exception
        made = type(str(name), (kind,), {"__str__": lambda _: str(words)})
        return made.__new__(made)

    def _ask(self, method: str, payload: bytes, *more) -> list:
        """What the notebook's process answers; meanwhile it may call functions of ours."""
        self.messages.put([method, base64.b64encode(payload).decode(), *more])
        while True:
            kind, printed, *content = self._reply()
            print(printed, end="")
            if kind == "done":
                return content
            number, arguments, named = content
            called_back = self._called_back(self.sent[number], decode(arguments), decode(named))
            self.messages.put([GO_ON, *called_back])

    def _reply(self) -> list:
        while not self.gone:
            try:
                return self.replies.get(timeout=SLICE)
            except queue.Empty:
                pass
        raise Gone

    def _called_back(self, function: Callable, arguments: tuple, named: dict) -> list:
        """Call a function of ours: what it returns or raises, for the notebook's process."""
        try:
            returned = function(*arguments, **named)
        except Exception as error:  # noqa: BLE001 - the student's function may catch it
            self.errors.append(error)
            base = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
            return ["raised", type(error).__name__, str(error), base.__name__, len(self.errors) - 1]
        return ["returned", base64.b64encode(self._pickled(returned)).decode()]

    # --- what goes there

    def _pickled(self, value: object, by_value: bool = False) -> bytes:
        written = io.BytesIO()
        Pickler(written, self, by_value).dump(value)
        return written.getvalue()

    def number_of(self, thing: object) -> int:
        """The number by which the notebook's process knows a function or a generator of ours."""
        for number, known in enumerate(self.sent):
            if known is thing:
                return number
        self.sent.append(thing)
        return len(self.sent) - 1


class Pickler(cloudpickle.Pickler):
    """Writes values for the notebook's process: our functions stay here and are called back.

    Parameters
    ----------
    file : binary file
    judging : Judging
    by_value : bool
        Whether our functions go there with their code.
    """

    def __init__(self, file: io.BytesIO, judging: Judging, by_value: bool) -> None:
        super().__init__(file)
        self.judging = judging
        self.by_value = by_value

    def persistent_id(self, value: object) -> tuple | None:
        """What stands for a value there; None for a value that goes there itself."""
        if isinstance(value, np.random.Generator):
            number = self.judging.number_of(value)
            name = f"{self.judging.mark}{number}"
            return "generator", name, self.judging.starts.setdefault(number, value.bit_generator.state)
        if not isinstance(value, FunctionType):
            return None
        if hasattr(value, "number_there"):
            return "answer", value.number_there
        if value.__module__.startswith("coincourse.checks") and not self.by_value:
            return "function", self.judging.number_of(value)
        return None


def write_back(given: object, changed: object) -> None:
    """Let a value of ours become what the student's function has made of its copy."""
    if isinstance(given, list | np.ndarray):
        given[:] = changed
    elif isinstance(given, dict | set):
        given.clear()
        given.update(changed)
    elif isinstance(given, tuple):
        for part, new in zip(given, changed):
            write_back(part, new)
    elif hasattr(given, "equals"):  # of a table of pandas it is enough to know that it has changed
        given.pop(next(iter(given.keys())))


if __name__ == "__main__":
    answer_calls(Judge())
