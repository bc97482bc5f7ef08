"""What a lesson asks for, and what of a handed-in notebook has to be run: read off the cells."""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

ALIASES = ("check", "checks")  # what the lessons, and perhaps students, call `coincourse.checks`
MOST_TRIES = 5  # cells that are judged for one exercise, the last ones
COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")
CALL = re.compile(rf"(?<![\w.])(?:{'|'.join(ALIASES)})\s*\.\s*(\w+)\s*\(")  # where Python cannot read a cell
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Cell(NamedTuple):
    """A cell of a notebook, as far as it matters here."""

    number: int  # from 1, as it is counted in JupyterLab, texts included
    source: str
    solution: bool  # whether it has the tag of the explained solutions


class Exercise(NamedTuple):
    """An exercise of a lesson."""

    name: str  # of its check
    answer: str  # what the lesson hands to the check


class Try(NamedTuple):
    """A place in a notebook where an exercise is answered."""

    cell: int  # the number of the cell
    exercise: str
    answer: str  # an expression
    broken: bool = False  # whether the cell could not be read, so that the answer is a guess


class Plan(NamedTuple):
    """What is to be done with a handed-in notebook."""

    run: list[Cell]  # in order, without their calls of checks
    tries: list[Try]  # in order of their cells
    untouched: list[str]  # exercises whose cell is as it was handed out


@dataclass(frozen=True)
class Names:
    """The names of a cell outside its functions, and those that its functions look for there."""

    needs: frozenset[str] = frozenset()  # used, and not bound before in the same cell
    uses: frozenset[str] = frozenset()  # used at all
    binds: frozenset[str] = frozenset()
    data: frozenset[str] = frozenset()  # bound by other means than def, class and import: what may be changed
    checked: tuple[tuple[str, str], ...] = ()  # check.name(answer); the answer is "" in a broken cell
    everything: bool = False  # whether it may bind what cannot be seen: `from x import *`, a broken cell


def cells_of(content: bytes) -> list[Cell]:
    """The code cells of a notebook's file.

    Parameters
    ----------
    content : bytes
        What the file holds.

    Returns
    -------
    list of Cell
        In order; cells without code are counted and left out.

    Raises
    ------
    ValueError
        If it is no notebook; the message says why.

    Examples
    --------
    >>> cells_of(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["x = 1"]}]}')
    [Cell(number=1, source='x = 1', solution=False)]
    >>> cells_of(b"Dear teacher")
    Traceback (most recent call last):
        ...
    ValueError: it is not a notebook: its text is not JSON
    """
    if not content.strip():
        raise ValueError("the file is empty")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("it is not a notebook: its text is not JSON") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if isinstance(cells, list):
        return list(_code_cells(cells))
    old = isinstance(notebook, dict) and "worksheets" in notebook
    raise ValueError("it is a notebook of an old format (3); save it anew" if old else "it is not a notebook")


def _code_cells(cells: list) -> Iterator[Cell]:
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source")
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        metadata = cell.get("metadata")
        tags = metadata.get("tags") if isinstance(metadata, dict) else None
        if isinstance(source, str) and source.strip():
            yield Cell(number, source, isinstance(tags, list) and "solution" in tags)


def exercises_of(cells: Collection[Cell]) -> list[Exercise]:
    """The exercises of a lesson: what is handed to a check in a cell for the student and again in a solution.

    Parameters
    ----------
    cells : collection of Cell

    Returns
    -------
    list of Exercise
        In the order of the lesson.

    Examples
    --------
    >>> cells = [Cell(1, "check.settle(mine)", False), Cell(2, "check.settle(mine)", True), Cell(3, "check.x(1)", False)]
    >>> exercises_of(cells)
    [Exercise(name='settle', answer='mine')]
    """
    solved = {pair for cell in cells if cell.solution for pair in names_of(cell.source).checked}
    asked = (pair for cell in cells if not cell.solution for pair in names_of(cell.source).checked)
    return [Exercise(*pair) for pair in dict.fromkeys(asked) if pair in solved]


# --- reading one cell -------------------------------------------------------------------------------------


def as_python(source: str) -> str:
    """The source of a cell with IPython's own signs (%, !, ?) turned into Python."""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


@cache
def names_of(source: str) -> Names:
    """The names that a cell uses and binds, and what it hands to a check.

    Examples
    --------
    >>> names = names_of("from coincourse import checks as check\\nbest = most(3)\\ncheck.settle(lambda n: n + best)")
    >>> sorted(names.needs), sorted(names.binds), names.checked
    (['most'], ['best', 'check'], (('settle', 'lambda n: n + best'),))
    """
    try:
        return _names_in(ast.parse(as_python(source)))
    except UNREADABLE:
        return Names(checked=tuple((name, "") for name in _checks_in_text(source)), everything=True)


def _checks_in_text(source: str) -> list[str]:
    """The checks that a broken cell calls, comments left out: where an answer is meant to be."""
    code = "\n".join(line.partition("#")[0] for line in source.splitlines())
    return list(dict.fromkeys(CALL.findall(code)))


def _names_in(tree: ast.Module) -> Names:
    """Statement by statement, so that a name that a cell binds itself is not looked for in others."""
    needs, used, bound, data, later = set(), set(), set(), set(), set()
    everything = False
    for statement in _in_steps(tree.body):
        everything |= isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
        now, after, assigned = _looked_for(table)
        needs |= now - bound
        later |= after
        used |= now | after
        symbols = {symbol.get_name(): symbol for symbol in table.get_symbols()}
        new = {name for name, symbol in symbols.items() if symbol.is_assigned() or symbol.is_imported()} | assigned
        bound |= new
        data |= {
            name
            for name in new
            if name in assigned or not (symbols[name].is_namespace() or symbols[name].is_imported())
        }
    checked = tuple((call.func.attr, ast.unparse(call.args[0])) for call in _calls_of_checks(tree))
    return Names(
        frozenset(needs | later - bound), frozenset(used), frozenset(bound), frozenset(data), checked, everything
    )


def _in_steps(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements one by one; of a loop first what it goes through, then its variable, then what is in it."""
    for statement in statements:
        if isinstance(statement, ast.For):
            bind = ast.Assign([statement.target], ast.Constant(None), lineno=statement.lineno)
            yield from (ast.Expr(statement.iter), bind)
            yield from _in_steps(statement.body + statement.orelse)
        else:
            yield statement


def _looked_for(table: symtable.SymbolTable) -> tuple[set[str], set[str], set[str]]:
    """The names outside functions that are used at once, that functions use later, and that functions assign."""
    outside = table.get_type() == "module"
    symbols = [symbol for symbol in table.get_symbols() if outside or symbol.is_global()]
    now = {symbol.get_name() for symbol in symbols if symbol.is_referenced()}
    after: set[str] = set()
    assigned = set() if outside else {symbol.get_name() for symbol in symbols if symbol.is_assigned()}
    for inner in table.get_children():
        inner_now, inner_after, inner_assigned = _looked_for(inner)
        at_once = inner.get_type() == "class" or inner.get_name() in COMPREHENSIONS
        (now if at_once else after).update(inner_now)
        after |= inner_after
        assigned |= inner_assigned
    return now, after, assigned


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """All parts of a cell but the insides of functions and classes."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, SCOPES):
            yield from _outside_functions(node)


def _calls_of_checks(tree: ast.AST) -> Iterator[ast.Call]:
    for node in _outside_functions(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in ALIASES
            and len(node.args) == 1
            and not node.keywords
        ):
            yield node


def without_checks(source: str, checks: Collection[str]) -> str:
    """A cell that no longer calls these checks: they are called where the answer is judged.

    Examples
    --------
    >>> without_checks("f = abs\\ncheck.f(f); print(1)", ["f"])
    'f = abs\\nNone; print(1)\\n'
    """
    text = as_python(source)
    try:
        tree = ast.parse(text)
        calls = list(_calls_of_checks(tree))
    except UNREADABLE:
        return source  # it will fail, and say why
    if not any(call.func.attr in checks for call in calls):
        return source
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset), reverse=True):
        if call.func.attr not in checks:
            continue
        first, last = call.lineno - 1, call.end_lineno - 1
        rest = lines[last][call.end_col_offset :]
        lines[first : last + 1] = [lines[first][: call.col_offset] + b"None" + b" " * (last > first) + rest]
    return b"".join(lines).decode()


# --- what has to be run -----------------------------------------------------------------------------------


def plan(lesson: Collection[Cell], handed_in: Collection[Cell]) -> Plan:
    """What of a handed-in notebook is to be run, and where its exercises are answered.

    What the student has written or changed is run, up to the last answer. Of the lesson's own cells only those
    are run that give something to these: the others draw and train, and nobody looks. Solutions of the
    lesson that were handed in with it are left out.

    Parameters
    ----------
    lesson, handed_in : collection of Cell

    Returns
    -------
    Plan

    Examples
    --------
    >>> lesson = [Cell(1, "k = 3", False), Cell(2, "draw_it()", False), Cell(3, "f = 0\\ncheck.f(f)", False)]
    >>> lesson += [Cell(4, "f = k\\ncheck.f(f)", True)]
    >>> plan(lesson, lesson)
    Plan(run=[], tries=[], untouched=['f'])
    >>> mine = [*lesson[:2], Cell(3, "f = 1 + k\\ncheck.f(f)", False)]
    >>> [cell.source for cell in plan(lesson, mine).run], plan(lesson, mine).tries
    (['k = 3', 'f = 1 + k\\nNone\\n'], [Try(cell=3, exercise='f', answer='f', broken=False)])
    """
    exercises = exercises_of(lesson)
    known = {_bare(cell.source) for cell in lesson if not cell.solution}
    solved = {_bare(cell.source) for cell in lesson if cell.solution}
    mine = [cell for cell in handed_in if not (cell.solution and _bare(cell.source) in solved)]
    own = [cell for cell in mine if _bare(cell.source) not in known]
    tries = [one for exercise in exercises for one in _tries(exercise, own)]
    tries.sort(key=lambda one: one.cell)
    last = max((one.cell for one in tries), default=0)
    checks = frozenset(exercise.name for exercise in exercises)
    bare = {cell: cell._replace(source=without_checks(cell.source, checks)) for cell in mine if cell.number <= last}
    others = [bare[cell] for cell in bare if cell not in own]
    run = _with_what_they_need([bare[cell] for cell in own if cell in bare], others)
    tried = {one.exercise for one in tries}
    handed_back = {pair for cell in mine for pair in names_of(cell.source).checked}
    untouched = [name for name, answer in exercises if name not in tried and (name, answer) in handed_back]
    return Plan(run, tries, untouched)


def _bare(source: str) -> str:
    """What is compared: blanks at the ends of lines, and how lines end, do not count."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def _tries(exercise: Exercise, own: list[Cell]) -> list[Try]:
    """Where a student has handed an answer to the check, or else given the answer its name."""
    found = []
    for cell in own:
        names = names_of(cell.source)
        answers = [answer for name, answer in names.checked if name == exercise.name]
        if not answers and exercise.answer in names.binds:
            answers = [exercise.answer]
        found += [Try(cell.number, exercise.name, answer or exercise.answer, not answer) for answer in answers]
    return found[-MOST_TRIES:]


def _with_what_they_need(own: list[Cell], others: list[Cell]) -> list[Cell]:
    """The student's cells, with those of the lesson that bind or change what they need, and so on."""
    run = list(own)
    while True:
        needed = frozenset().union(*(names_of(cell.source).needs for cell in run))
        changing = needed & frozenset().union(*(names_of(cell.source).data for cell in run))
        more = [cell for cell in others if cell not in run and _gives(names_of(cell.source), needed, changing)]
        if not more:
            return sorted(run)
        run += more


def _gives(names: Names, needed: frozenset[str], changing: frozenset[str]) -> bool:
    return names.everything or bool(names.binds & needed) or bool(names.uses & changing)
