"""Which statements of earlier cells a reader's code needs on a page: those that define the names it reads.

A notebook has run all of them. A page runs only what is needed, because some of them train for minutes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from coincourse.checks import needs

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.ClassDef, *IMPORTS)
COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def names_wanted(code: Sequence[ast.stmt]) -> set[str]:
    """The names that code reads and does not define first.

    Examples
    --------
    >>> names_wanted(ast.parse("coins = coins - 1").body), names_wanted(ast.parse("n = 3; n -= 1").body)
    ({'coins'}, set())
    """
    wanted = needs.names_needed(code)
    given: set[str] = set()
    for statement in code:
        if not isinstance(statement, DEFINITIONS):
            wanted |= needs.names_needed(_read_by(statement)) - given
        given |= needs.names_given(statement)
    return wanted


def _read_by(statement: ast.stmt) -> list[ast.stmt]:
    """What a statement reads, as statements that assign nothing."""
    if isinstance(statement, ast.Assign):
        return [ast.Expr(statement.value)]
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return [ast.Expr(statement.value), ast.Expr(ast.Name(statement.target.id, ast.Load()))]
    return [statement]


def needed(statements: Sequence[ast.stmt], wanted: Iterable[str]) -> list[ast.stmt]:
    """The statements that define some names or change their values, and everything that these need, in order.

    A loop is needed if it changes a value, but not for the names of its variables.

    Examples
    --------
    >>> cells = ast.parse("a = []; b = 2; c = 3; a.append(b); print(a); c += 1").body
    >>> print(ast.unparse(needed(cells, {"a"})))
    a = []
    b = 2
    a.append(b)
    """
    names = set(wanted)
    imported = imported_by(statements)
    kept: set[int] = set()  # places of statements
    while True:
        made = set().union(*(needs.names_given(statements[place]) for place in kept))
        variables = made.difference(*(needs.names_given(each) for each in statements if isinstance(each, DEFINITIONS)))
        found = {
            place
            for place, each in enumerate(statements)
            if needs.names_given(each) & (made if isinstance(each, COMPOUND) else names)
            or changed_by(each, imported) & variables
        }
        if found <= kept:
            break
        for place in found - kept:
            names |= needs.names_needed([statements[place]])
        kept |= found
    # Imports are cut to the names that are needed.
    return [part for place in sorted(kept) for part in needs.needed([statements[place]], names) or [statements[place]]]


def imported_by(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements import."""
    return set().union(*(needs.names_given(each) for each in statements if isinstance(each, IMPORTS)))


def changed_by(statement: ast.stmt, imported: set[str]) -> set[str]:
    """The variables whose values a statement may change without assigning to them.

    It assigns to a part of them, or calls something of the lesson and drops what that returns.

    Examples
    --------
    >>> sorted(changed_by(ast.parse("for n in row: table[n] = 1; seen.add(n); print(x); plt.plot(y)").body[0], {"plt"}))
    ['n', 'seen', 'table']
    """
    if isinstance(statement, DEFINITIONS):
        return set()
    changed = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed.add(_base_of(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = _base_of(node.value.func)
            if called == "print" or called in imported:
                continue
            changed |= {each.id for each in node.value.args if isinstance(each, ast.Name)}
            if isinstance(node.value.func, ast.Attribute):
                changed.add(called)
    return changed - {""}


def _base_of(node: ast.expr) -> str:
    """The name that an expression begins with: "table" in ``table[2].count``; "" if it begins with none."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
