"""Tasks that belong to a lab: what is to be done, in words, and what must be seen for it to be done.

A task is plain data: its words, and a dictionary of facts. A fact has a name, which the lab knows, and the
value that it must have, or the least and the most. All facts of a task must be seen at the same time.

>>> task = ("Find a learner that is perfect after 500 games at most.", {"perfect": True, "games": (1, 500)})
>>> [is_done(task, {"perfect": True, "games": games}) for games in (300, 1_000)]
[True, False]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import escape

Task = tuple[str, Mapping[str, Any]]
ELSEWHERE = " (in JupyterLab: it needs more than is recorded here)"


def read_tasks(asked: Iterable[Task], facts: Mapping[str, Any]) -> list[Task]:
    """The tasks; ValueError, in words, where one asks for a fact that the lab does not know."""
    tasks = [(str(words), dict(wanted)) for words, wanted in asked]
    for words, wanted in tasks:
        unknown = sorted(set(wanted) - set(facts))
        if unknown:
            raise ValueError(f"tasks: {words!r} asks for {', '.join(unknown)}; known: {', '.join(facts)}")
    return tasks


def is_done(task: Task, facts: Mapping[str, Any]) -> bool:
    """Whether all facts are as the task wants them."""
    _, wanted = task
    return all(_fits(facts[name], value) for name, value in wanted.items())


def _fits(fact: Any, wanted: Any) -> bool:
    is_number = isinstance(fact, (int, float))
    if is_number and isinstance(wanted, Sequence) and len(wanted) == 2:
        least, most = wanted
        return least <= fact <= most
    return fact == wanted


def told_elsewhere(html: str, tasks: Iterable[Task]) -> str:
    """The HTML of a lab, or a line of it, where these tasks say that they cannot be done without a kernel."""
    for words, _ in tasks:
        html = html.replace(f"{escape(words)}</li>", f"{escape(words)}{ELSEWHERE}</li>")
    return html
