"""What runs in the contained process of a handed-in notebook: its cells, and the checks beside them.

Nobody trusts what comes from here: the student's code can change all of it, and thereby its own marks.
"""

from __future__ import annotations

import builtins
import dataclasses
import dis
import gc
import itertools
import os
import sys
import traceback

from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from coincourse import checks
from coincourse.checks import engine, screens
from coincourse.classroom.notebooks import Cell, Exercise
from coincourse.outside.contained import answer_calls, limit, take_compiled_loops

LONGEST_MESSAGE = 1_000  # characters; many long ones would not go through the pipe


class NotebookRunner:
    """Answers the calls of `running.Running`."""

    def open(self, cells: list, exercises: list, seconds: float, gigabytes: float, compiled: list) -> list:
        """Take the cells; the numbers of those that must be run."""
        take_compiled_loops(*compiled)
        limit(gigabytes)
        self.cells = {cell.number: cell for cell in itertools.starmap(Cell, cells)}
        self.exercises = [Exercise(*exercise) for exercise in exercises]
        self.shell = _shell()
        self.process = os.getpid()
        self.verdicts: list[engine.Verdict] = []
        engine.listen(self.hear, seconds)
        return self._needed()

    def hear(self, verdict: engine.Verdict) -> None:
        """Keep what a check has found out."""
        self.verdicts.append(verdict)

    def run(self, number: int) -> list:
        """Run a cell, and check what it has answered: what went wrong, and the fields of each verdict."""
        self.verdicts = []
        before = dict(self.shell.user_ns)
        result = self.shell.run_cell(self.cells[number].source, store_history=False, silent=True)
        if os.getpid() != self.process:  # a cell has forked, and this is the fork
            os._exit(0)
        error = result.error_before_exec or result.error_in_exec
        if self.cells[number].own:
            self._check_the_rest(before)
        if error or any(not verdict.right for verdict in self.verdicts):
            gc.collect()  # frees the memory that a traceback keeps alive, for the next cell
        words = "" if error is None else _in_words(error)
        return [words, [_fields(verdict) for verdict in self.verdicts]]

    def again(self, exercise: str) -> list:
        """Check the answer to an exercise once more, now that all cells have run: as `run` does."""
        self.verdicts = []
        (answer,) = [answer for name, answer, _ in self.exercises if name == exercise]
        if answer in self.shell.user_ns:
            getattr(checks, exercise)(self.shell.user_ns[answer])
        return ["", [_fields(verdict) for verdict in self.verdicts]]

    def _check_the_rest(self, before: dict) -> None:
        """Check the answers that a cell has made without handing them to their checks."""
        checked = {verdict.exercise for verdict in self.verdicts}
        names = self.shell.user_ns
        for name, answer, _ in self.exercises:
            is_new = answer in names and names[answer] is not before.get(answer)
            if is_new and name not in checked:
                getattr(checks, name)(names[answer])

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
    builtins.input = _type_one
    sys.path.append("")  # as in JupyterLab, what a cell has written can be imported
    return shell


def _type_one(question: str = "") -> str:
    """Answer for the person who is not there; while an answer is checked nobody types in a lesson either."""
    if screens.screen() is not None:
        raise screens.CalledInput
    return "1"


def _fields(verdict: engine.Verdict) -> dict:
    """A verdict as plain data, its words cut."""
    fields = dataclasses.asdict(verdict)
    return {name: value[:LONGEST_MESSAGE] if isinstance(value, str) else value for name, value in fields.items()}


def _given_by(source: str) -> set[str]:
    """The names that a cell of a lesson gives to other cells."""
    code = compile(TransformerManager().transform_cell(source), "cell", "exec")
    return {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_NAME"}


def _in_words(error: BaseException) -> str:
    """An error in words, with the line of the cell that it came through."""
    if isinstance(error, SyntaxError):  # of a cell that could not be read
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"[:LONGEST_MESSAGE]
    words = engine.name_and_message(error)[:LONGEST_MESSAGE]
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if "ipython-input" in frame.filename]
    return f"{words} (line {lines[-1]})" if lines else words


if __name__ == "__main__":
    answer_calls(NotebookRunner())
