"""What runs in the contained process of a handed-in notebook: its cells, and the checks beside them.

Nobody trusts what comes from here: the student's code can change all of it, and thereby its own marks.
"""

from __future__ import annotations

import builtins
import dis
import functools
import gc
import itertools
import os
import re
import sys
import traceback
from collections.abc import Callable

from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from coincourse import checks
from coincourse.checks import engine
from coincourse.classroom.notebooks import Cell, Exercise
from coincourse.outside.contained import answer_calls, limit, take_compiled_loops

LONGEST = 1_000  # characters of a message


class Notebook:
    """Answers the calls of `running.Running`."""

    def open(self, cells: list, exercises: list, seconds: float, gigabytes: float, compiled: list) -> list:
        """Take the cells; the numbers of those that must be run."""
        take_compiled_loops(*compiled)
        limit(gigabytes)
        engine.SECONDS = seconds
        self.cells = {cell.number: cell for cell in itertools.starmap(Cell, cells)}
        self.exercises = [Exercise(*exercise) for exercise in exercises]
        self.shell, self.process = _shell(), os.getpid()
        self._listen()
        return self._needed()

    def run(self, number: int) -> list:
        """Run a cell, and check what it has answered; what went wrong, and what the checks have said."""
        self.said: list[tuple[str, str]] = []
        before = dict(self.shell.user_ns)
        result = self.shell.run_cell(self.cells[number].source, store_history=False, silent=True)
        if os.getpid() != self.process:  # a cell has forked, and this is the fork
            os._exit(0)
        error = result.error_before_exec or result.error_in_exec
        if self.cells[number].own:
            self._check_the_rest(before)
        if error or any(not words.startswith("✓") for _, words in self.said):
            gc.collect()  # what an error still holds shall not be missing in the next cell
        return ["" if error is None else _in_words(error), self.said]

    def _check_the_rest(self, before: dict) -> None:
        """Check the answers that a cell has made without handing them to their checks."""
        said, names = {name for name, _ in self.said}, self.shell.user_ns
        for name, answer, _ in self.exercises:
            if name not in said and answer in names and names[answer] is not before.get(answer):
                getattr(checks, name)(names[answer])

    def _listen(self) -> None:
        """From now on it is noted which check says what."""
        engine.show = lambda words: self.said.append((self.checking, words[:LONGEST]))
        for name in checks.__all__:
            if callable(check := getattr(checks, name)):
                noted = functools.partial(self._check, name, check)
                setattr(checks, name, functools.update_wrapper(noted, check))

    def _check(self, name: str, check: Callable, *answer, **named) -> None:
        self.checking = name
        check(*answer, **named)

    def _needed(self) -> list[int]:
        """The student's own cells, with those of the lesson that give something to them."""
        used = set().union(*(cell.words for cell in self.cells.values() if cell.own))
        needed = []
        for number, cell in sorted(self.cells.items(), reverse=True):
            if cell.own or used & _given_by(cell.source):
                needed.append(number)
                used |= cell.words
        return needed[::-1]


def _shell() -> InteractiveShell:
    """IPython without a person: pictures are drawn and not shown, and nobody can leave."""
    settings = Config()
    settings.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=settings)
    shell.user_ns |= {"check": checks, "checks": checks}  # even if the import was deleted
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # nobody reads them
    shell.enable_matplotlib = lambda *_: ("agg", "agg")
    shell.ask_exit = None
    builtins.input = lambda question="": "1"  # nobody is there to type
    sys.path.append("")  # as in JupyterLab, what a cell has written can be imported
    return shell


def _given_by(source: str) -> set[str]:
    """The names that a cell of a lesson gives to other cells."""
    code = compile(TransformerManager().transform_cell(source), "cell", "exec")
    return {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_NAME"}


def _in_words(error: BaseException) -> str:
    """An error in words, with the line of the cell that it came through."""
    words = engine.error_in_words(error).removesuffix(".")
    words = re.sub(r" \(\S+, line (\d+)\)$", r" (line \1)", words)  # of a broken cell
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if "ipython-input" in frame.filename]
    return words[:LONGEST] + (f" (line {lines[-1]})" if lines else "")


if __name__ == "__main__":
    answer_calls(Notebook())
