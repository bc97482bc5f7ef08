"""Find what a piece of code needs: the statements of earlier cells that define the names it reads.

A notebook has run all of them. A page runs only what is needed, because some of them train for minutes.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Sequence

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.ClassDef, *IMPORTS)
COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def names_needed(code: Sequence[ast.stmt]) -> set[str]:
    """The names that code reads but does not define first, without Python's own.

    Scopes are Python's: a parameter or a variable of a function or comprehension counts only there.

    Examples
    --------
    >>> sorted(names_needed(ast.parse("def total(rows): return nim_sum(*rows) + len(OTHERS)").body))
    ['OTHERS', 'nim_sum']
    >>> names_needed(ast.parse("coins = coins - 1").body), names_needed(ast.parse("n = 3; n -= 1").body)
    ({'coins'}, set())
    """
    wanted = _read_and_not_defined(code)
    given: set[str] = set()
    for statement in code:
        if not isinstance(statement, DEFINITIONS):
            wanted |= _read_and_not_defined(_read_by(statement)) - given
        given |= names_given(statement)
    return wanted


def _read_and_not_defined(code: Sequence[ast.stmt]) -> set[str]:
    top = symtable.symtable(ast.unparse(ast.Module(list(code), [])), "cell", "exec")
    own = {symbol.get_name() for symbol in top.get_symbols() if _is_defined(symbol)}
    read = set()
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            is_global = table is top or symbol.is_global()
            if is_global and symbol.is_referenced():
                read.add(symbol.get_name())
    return read - own - set(dir(builtins))


def _is_defined(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _read_by(statement: ast.stmt) -> list[ast.stmt]:
    """What a statement reads, as statements that assign nothing."""
    if isinstance(statement, ast.Assign):
        return [ast.Expr(statement.value)]
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return [ast.Expr(statement.value), ast.Expr(ast.Name(statement.target.id, ast.Load()))]
    return [statement]


def names_given(statement: ast.stmt) -> set[str]:
    """The names that a statement defines for the statements after it; names inside a function are local.

    The variables of comprehensions are included, which does no harm.

    Examples
    --------
    >>> sorted(names_given(ast.parse("a, b = [x for x in y]").body[0]))
    ['a', 'b', 'x']
    >>> names_given(ast.parse("def f(n): m = n").body[0])
    {'f'}
    """
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    made = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            made.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.alias):
            made.add(_imported_name(node))
    return made


def _imported_name(alias: ast.alias) -> str:
    """The name that an import defines: "np", or "os" for ``import os.path``."""
    return alias.asname or alias.name.partition(".")[0]


def imported_by(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements import."""
    return set().union(*(names_given(each) for each in statements if isinstance(each, IMPORTS)))


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


def needed(statements: Sequence[ast.stmt], wanted: Iterable[str]) -> list[ast.stmt]:
    """The statements that define some names or change their values, and everything that these need, in order.

    A loop is needed if it changes a value, but not for the names of its variables. Imports are cut to the names that
    are needed.

    Examples
    --------
    >>> cells = ast.parse("from math import pi, e; a = []; b = pi; c = 3; a.append(b); print(a); c += 1").body
    >>> print(ast.unparse(needed(cells, {"a"})))
    from math import pi
    a = []
    b = pi
    a.append(b)
    """
    names = set(wanted)
    imported = imported_by(statements)
    kept: set[int] = set()  # places of statements
    while True:
        made = set().union(*(names_given(statements[place]) for place in kept))
        variables = made.difference(*(names_given(each) for each in statements if isinstance(each, DEFINITIONS)))
        found = {
            place
            for place, each in enumerate(statements)
            if names_given(each) & (made if isinstance(each, COMPOUND) else names)
            or changed_by(each, imported) & variables
        }
        if found <= kept:
            return [_cut(statements[place], names) for place in sorted(kept)]
        for place in found - kept:
            names |= names_needed([statements[place]])
        kept |= found


def _cut(statement: ast.stmt, names: set[str]) -> ast.stmt:
    """An import without the names that are not needed; any other statement unchanged."""
    if not isinstance(statement, IMPORTS):
        return statement
    aliases = [alias for alias in statement.names if _imported_name(alias) in names]
    short = ast.Import(aliases)
    if isinstance(statement, ast.ImportFrom):
        short = ast.ImportFrom(statement.module, aliases, statement.level)
    return ast.copy_location(short, statement)
