"""Run a cell on a page: what it prints, the value of its last line, and its errors as readable text."""

from __future__ import annotations

import ast
import contextlib
import linecache
import pprint
import sys
import traceback
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import coincourse.checks
from coincourse.checks.error_hints import hint_about_syntax
from coincourse.checks.judging import error_in_words, line_of_cell
from coincourse.checks.screens import CUT, Screen, nobody_types, printing_on
from coincourse.checks.stand_in import Checks
from coincourse.checks.verdict import Verdict

from . import absent, needs

CELL = "<your code>"  # the file name of the reader's code in error messages
BEFORE = "<before>"
DOTS = "(The code uses the answer to an exercise above that is still `...`: write that one first.)"
LONGEST_VALUE = 10_000  # characters
MOST_LINES = 6  # of the traceback of an error


class Ran(NamedTuple):
    """The result of a cell."""

    names: dict[str, Any]  # what it defined
    value: Any = None  # of its last line
    error: BaseException | None = None


def run_cell(source: str, before: str, checks: Checks, screen: Screen) -> Ran:
    """Run a cell, after the code of earlier cells that it needs.

    Parameters
    ----------
    source : str
    before : str
        The code of earlier cells; what it prints is not shown. Where it defines the answer to an exercise, that is also
        the exercise's `reference`.
    checks : Checks
        What the cell gets if it imports the checks.
    screen : Screen
        Keeps what the cell prints.

    Returns
    -------
    Ran
    """
    names: dict[str, Any] = {"__name__": "__main__", "check": checks, "checks": checks}
    linecache.cache[CELL] = (len(source), None, source.splitlines(keepends=True), CELL)
    with _standing_in(checks), nobody_types(), printing_on(screen), contextlib.redirect_stderr(screen):
        try:
            cell = ast.parse(source, CELL)
            with printing_on(Screen()):
                _run_what_is_needed(before, cell, names)
            checks.known = dict(names)
            return Ran(names, _value_of(cell, names))
        except BaseException as error:  # noqa: BLE001 - exit() in a cell ends nothing here
            if isinstance(error, absent.Missing):
                error.about(_called_in_cell(error))
            return Ran(names, error=error)


def _run_what_is_needed(before: str, cell: ast.Module, names: dict[str, Any]) -> None:
    """Run the statements that define the names that a cell reads but does not define."""
    wanted = needs.names_needed(cell.body) | _references_in(cell)
    statements = needs.needed(ast.parse(before).body, wanted)
    for statement in statements:
        part = ast.Module([statement], type_ignores=[])
        try:
            exec(compile(part, BEFORE, "exec"), names)  # noqa: S102 - cells of the lesson
        except absent.Missing as error:
            raise error.about(needs.names_given(statement)) from None
        except Exception as error:  # what stands in for NumPy cannot do everything
            if any(map(_has_dots, statements)):
                error.add_note(DOTS)
                raise
            raise absent.Missing("").about(needs.names_given(statement)) from None


def _has_dots(statement: ast.stmt) -> bool:
    """Whether a statement has three dots in it, which are still to be replaced."""
    return any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(statement))


def _references_in(cell: ast.Module) -> set[str]:
    """The exercises whose right answer a cell asks for: `settle`, if it contains `check.settle.reference`."""
    asked = [node.value for node in ast.walk(cell) if isinstance(node, ast.Attribute) and node.attr == "reference"]
    return {node.attr for node in asked if isinstance(node, ast.Attribute)}


def _called_in_cell(error: BaseException) -> set[str]:
    """What a cell called when an error came: {"np.zeros"} for ``np.zeros(3)``; empty if it is not a name."""
    for step in reversed(traceback.extract_tb(error.__traceback__)):
        if step.filename == CELL:
            line = linecache.getline(CELL, step.lineno).encode()
            called = line[step.colno : step.end_colno].decode().partition("(")[0]
            is_name = called.replace(".", "").isidentifier()
            return {called} if is_name else set()
    return set()


def _value_of(cell: ast.Module, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line, if that is an expression."""
    last = None
    if cell.body and isinstance(cell.body[-1], ast.Expr):
        last = ast.Expression(cell.body.pop().value)
    exec(compile(cell, CELL, "exec"), names)  # noqa: S102 - running what the reader has written is the point
    return eval(compile(last, CELL, "eval"), names) if last else None


def module_of(name: str, source: str) -> ModuleType:
    """A course module, or part of one, from its source."""
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    exec(compile(source, f"<{name}>", "exec"), vars(module))  # noqa: S102 - the course's own
    return module


@contextlib.contextmanager
def _standing_in(checks: ModuleType) -> Iterator[None]:
    """While this is open, a cell that imports the checks gets these."""
    before = sys.modules["coincourse.checks"]
    sys.modules["coincourse.checks"] = coincourse.checks = checks
    try:
        yield
    finally:
        sys.modules["coincourse.checks"] = coincourse.checks = before


# --- as text --------------------------------------------------------------------------------------------


def verdict_of_error(exercise: str, error: BaseException) -> Verdict:
    """The verdict on a cell that raised an error itself."""
    line = line_of_cell(error)
    words = str(error) if isinstance(error, absent.Missing) else error_in_words(error)
    hint = ""
    if isinstance(error, SyntaxError) and error.filename == CELL:
        stop = "" if error.msg.endswith(("?", ".", "!")) else "."
        words = f"{type(error).__name__}: {error.msg}{stop}"
        line = f"In line {error.lineno} of your code: {_text_of(error)}"
        hint = hint_about_syntax(error)
    return Verdict(exercise, False, (words,), hint=hint, error=type(error).__name__, line=line)


def _text_of(error: SyntaxError) -> str:
    """The line that Python cannot read; it does not say which if a `return` is outside a function."""
    return (error.text or linecache.getline(CELL, error.lineno)).strip()


def error_with_lines(error: BaseException) -> str:
    """The lines of the cell that an error passed through, and the error in Python's own words."""
    words = [str(error)] if isinstance(error, absent.Missing) else traceback.format_exception_only(error)
    if isinstance(error, SyntaxError) and error.filename == CELL:
        # With the line itself Python gives a second one, which shows the place in it.
        where = f"Line {error.lineno}:\n" if error.text else f"Line {error.lineno}: {_text_of(error)}\n"
        hint = hint_about_syntax(error)
        return "".join([where, *words[1:], f"({hint})" if hint else ""]).rstrip()
    lines: list[str] = []
    for step in traceback.extract_tb(error.__traceback__):
        where = "" if step.name == "<module>" else f", in {step.name}"
        line = f"Line {step.lineno}{where}: {step.line}\n"
        if step.filename == CELL and line not in lines[-1:]:
            lines.append(line)
    return "".join([*lines[-MOST_LINES:], *words]).rstrip()


def value_in_words(value: object) -> str:
    """A value as a notebook shows it; a long one has one item per line.

    Examples
    --------
    >>> value_in_words("a"), value_in_words({"b": 1, "a": 2})
    ("'a'", "{'b': 1, 'a': 2}")
    """
    words = repr(value) if isinstance(value, str) else pprint.pformat(value, sort_dicts=False)
    return words if len(words) <= LONGEST_VALUE else words[:LONGEST_VALUE] + CUT
