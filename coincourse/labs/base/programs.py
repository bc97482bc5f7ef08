"""The programs that labs show, with the imports they need."""

from __future__ import annotations

import ast

import coinlib

MODULES = {"take_one": "agents", "SearchAgent": "search", "grundy": "theory", "nim_sum": "theory"}


def with_imports(program: str) -> str:
    """A program, preceded by imports of the `coinlib` names that it uses.

    Names in `MODULES` are imported from a module of `coinlib`, the others from `coinlib` itself.

    Examples
    --------
    >>> print(with_imports("game = sticks(10)\\ntrain(Hats(game), take_one)"))
    from coinlib import Hats, sticks, train
    from coinlib.agents import take_one
    <BLANKLINE>
    game = sticks(10)
    train(Hats(game), take_one)
    """
    names = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Name)]
    made = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    found: dict[str, list[str]] = {}
    for name in sorted({name.id for name in names} - made):
        if name in MODULES:
            found.setdefault(f"coinlib.{MODULES[name]}", []).append(name)
        elif name in coinlib.__all__:
            found.setdefault("coinlib", []).append(name)
    if not found:
        return program
    imports = [f"from {module} import {', '.join(found[module])}\n" for module in sorted(found)]
    return f"{''.join(imports)}\n{program}"
