"""Programs that labs show: the imports of the names that they use."""

from __future__ import annotations

ROOMS = {"take_one": "agents", "SearchAgent": "search", "grundy": "theory", "nim_sum": "theory"}


def with_imports(program: str, *names: str) -> str:
    """A program, and before it the lines that import the names which it uses.

    Parameters
    ----------
    program : str
    *names : str
        Names of `coinlib`, in any order; those of `ROOMS` are imported from a room of it.

    Examples
    --------
    >>> program = "game = sticks(10)\\ntrain(Hats(game), take_one)"
    >>> print(with_imports(program, "sticks", "train", "Hats", "take_one"))
    from coinlib import Hats, sticks, train
    from coinlib.agents import take_one
    <BLANKLINE>
    game = sticks(10)
    train(Hats(game), take_one)
    """
    found: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        module = f"coinlib.{ROOMS[name]}" if name in ROOMS else "coinlib"
        found.setdefault(module, []).append(name)
    imports = [f"from {module} import {', '.join(found[module])}\n" for module in sorted(found)]
    return f"{''.join(imports)}\n{program}"
