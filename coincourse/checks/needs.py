"""Find what a piece of code needs: the statements before it that define the names it reads."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Sequence


def names_needed(code: Iterable[ast.stmt]) -> set[str]:
    """The names that code reads but does not define, without Python's own.

    Scopes are Python's: a parameter or a variable of a function or comprehension counts only there.

    Examples
    --------
    >>> sorted(names_needed(ast.parse("def total(rows): return nim_sum(*rows) + len(OTHERS)").body))
    ['OTHERS', 'nim_sum']
    >>> sorted(names_needed(ast.parse("draw(lambda rate: len(rate), rate=rate)").body))
    ['draw', 'rate']
    """
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
            made.add(imported_name(node))
    return made


def imported_name(alias: ast.alias) -> str:
    """The name that an import defines: "np", or "os" for ``import os.path``."""
    return alias.asname or alias.name.partition(".")[0]


def needed(statements: Sequence[ast.stmt], wanted: Iterable[str]) -> list[ast.stmt]:
    """The statements that define some names, and everything that they need in turn, in order.

    Imports are cut to the names that are needed.

    Examples
    --------
    >>> module = "from math import pi, e" + chr(10) + "half = pi / 2" + chr(10) + "third = pi / 3"
    >>> print(ast.unparse(needed(ast.parse(module).body, {"half"})))
    from math import pi
    half = pi / 2
    """
    names = set(wanted)
    kept: set[int] = set()  # places of statements
    while True:
        found = {place for place, each in enumerate(statements) if names_given(each) & names} - kept
        if not found:
            break
        kept |= found
        for place in found:
            names |= names_needed([statements[place]])
    return [_cut(statements[place], names) for place in sorted(kept)]


def _cut(statement: ast.stmt, names: set[str]) -> ast.stmt:
    """An import without the names that are not needed; any other statement unchanged."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return statement
    aliases = [alias for alias in statement.names if imported_name(alias) in names]
    if isinstance(statement, ast.Import):
        return ast.Import(aliases)
    return ast.ImportFrom(statement.module, aliases, statement.level)
