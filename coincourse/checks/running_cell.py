"""Misspelt names: whether a check was given what its own cell defines, and which name a NameError is about."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import linecache
import os
import traceback
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

ALIKE = 0.7  # how similar two names must be to be meant as the same; 1 is equal


def source_of_cell(frame: FrameType) -> str:
    """The text of the notebook cell that a frame runs; empty if it runs a file."""
    name = frame.f_code.co_filename
    return "" if os.path.exists(name) else "".join(linecache.getlines(name))


def other_name(exercise: str, answer: Any, source: str) -> str:
    """What to say if a cell defines an answer under a different name from the one that it hands to its check.

    Parameters
    ----------
    exercise : str
        The name of the check.
    answer : object
        What it was given.
    source : str
        The cell that calls the check.

    Returns
    -------
    str
        Empty if the cell defines what it hands in, or nothing that could be meant.

    Examples
    --------
    >>> cell = "def favorite(counts, sticks):\\n    return 1\\n\\ncheck.favourite(favourite)"
    >>> other_name("favourite", max, cell)
    'Your cell defines `favorite`, but the check was given `favourite` from an earlier cell. Use one name for both.'
    >>> other_name("favourite", max, cell.replace("favorite", "favourite"))
    ''
    """
    try:
        cell = ast.parse(source)
    except SyntaxError:
        return ""
    handed_in = _handed_in(cell, exercise)
    defined = _defined(cell)
    if not handed_in or handed_in in defined:
        return ""
    used = _names_in(answer.__code__) if inspect.isfunction(answer) else set()
    helpers_aside = [name for name in defined if name not in used]
    meant = similar_name(handed_in, helpers_aside)
    if not meant and inspect.isfunction(answer):
        functions = [each.name for each in cell.body if isinstance(each, ast.FunctionDef)]
        meant = next((name for name in functions if name in helpers_aside), "")
    if not meant:
        return ""
    words = f"Your cell defines `{meant}`, but the check was given `{handed_in}` from an earlier cell."
    return f"{words} Use one name for both."


def similar_name(name: str, known: Iterable[str]) -> str:
    """The name most like a misspelt one, whether in small or capital letters; empty if none is like it.

    Examples
    --------
    >>> similar_name("chance", ["settle", "Chance"]), similar_name("chance", ["settle"])
    ('Chance', '')
    """
    in_small_letters = {each.lower(): each for each in known}
    similar = difflib.get_close_matches(name.lower(), in_small_letters, 1, ALIKE)
    return in_small_letters[similar[0]] if similar else ""


def name_meant(error: BaseException) -> str:
    """The known name most like the one that a NameError is about; empty if there is none."""
    steps = list(traceback.walk_tb(error.__traceback__))
    if not isinstance(error, NameError) or not error.name or not steps:
        return ""
    frame, _ = steps[-1]
    return similar_name(error.name, [*dir(builtins), *frame.f_globals, *frame.f_locals])


def _handed_in(cell: ast.Module, exercise: str) -> str:
    """The name that a cell hands to a check; empty if it is not a name."""
    for node in ast.walk(cell):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[ast.Name(id=handed_in)]) if name == exercise:
                return handed_in
    return ""


def _defined(cell: ast.Module) -> list[str]:
    """The names that a cell defines outside its functions, or imports."""
    names = []
    for statement in cell.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.append(statement.name)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            names += [alias.asname or alias.name for alias in statement.names]
        else:
            names += [each.id for each in ast.walk(statement) if _is_set(each)]
    return names


def _is_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _names_in(code: CodeType) -> set[str]:
    """The names that a function uses, including those in the functions inside it."""
    names = {*code.co_names, *code.co_freevars}
    for part in code.co_consts:
        if isinstance(part, CodeType):
            names |= _names_in(part)
    return names
