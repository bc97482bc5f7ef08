"""The tasks of a lab: what to do, as text, and the facts that must hold before it counts as done.

A task is plain data: its text, and a dictionary of facts. A fact has a name, which the lab knows, and the
value it must have, or the smallest and the largest. All facts of a task must hold at the same time.

>>> task = ("Find a learner that is perfect after 500 games at most.", {"perfect": True, "games": (1, 500)})
>>> [is_done(task, {"perfect": True, "games": games}) for games in (300, 1_000)]
[True, False]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import escape

Task = tuple[str, Mapping[str, Any]]
NEEDS_JUPYTER = " (in JupyterLab: it needs more than this page can do)"


def read_tasks(tasks: Iterable[Task], facts: Mapping[str, Any]) -> list[Task]:
    """The tasks as given; ValueError if one asks for a fact that the lab does not know."""
    checked = [(str(words), dict(wanted)) for words, wanted in tasks]
    for words, wanted in checked:
        unknown = sorted(set(wanted) - set(facts))
        if unknown:
            raise ValueError(f"tasks: {words!r} asks for {', '.join(unknown)}; known: {', '.join(facts)}")
    return checked


def is_done(task: Task, facts: Mapping[str, Any]) -> bool:
    """Whether all facts have the values that the task asks for."""
    _, wanted = task
    return all(_fits(facts[name], value) for name, value in wanted.items())


def _fits(fact: Any, wanted: Any) -> bool:
    """Whether a fact has the wanted value, or is within the wanted range."""
    is_number = isinstance(fact, (int, float))
    if is_number and isinstance(wanted, Sequence) and len(wanted) == 2:
        least, most = wanted
        return least <= fact <= most
    return fact == wanted


def say_needs_jupyter(html: str, tasks: Iterable[Task]) -> str:
    """Mark the open ones among these tasks as needing a kernel, in a lab's HTML or a line of it.

    >>> say_needs_jupyter("<li><b>○</b> Win.</li><li><b>✓</b> Go first.</li>", [("Win.", {}), ("Go first.", {})])
    '<li><b>○</b> Win. (in JupyterLab: it needs more than this page can do)</li><li><b>✓</b> Go first.</li>'
    """
    for words, _ in tasks:
        still_open = f"○</b> {escape(words)}"
        html = html.replace(f"{still_open}</li>", f"{still_open}{NEEDS_JUPYTER}</li>")
    return html
