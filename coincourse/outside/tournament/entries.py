"""Who takes part: files, built-in agents by name, and functions."""

from __future__ import annotations

import inspect
import os
import runpy
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import cloudpickle

from coinlib import named
from coinlib.agents import agent_name
from coinlib.arguments import check_agent, sequence

BUILT_IN = tuple(name for name, agent in named.AGENTS.items() if not agent.one_game)
"""The built-in entries by name; `named.agent` makes them."""


class Entry(NamedTuple):
    """One entry, in a form that can be sent to its process."""

    name: str
    file: str  # its path, or ""
    agent: bytes  # where there is no file: its pickle


def read_entries(given) -> list[Entry]:
    """The entries that are meant; nothing of theirs is run.

    Parameters
    ----------
    given : str, Path, function, iterable of these, or mapping of names to these
        A folder means each Python file in it whose name does not begin with "_" or "."; a file means
        itself; another text is the name of a built-in agent.

    Returns
    -------
    list of Entry
        In the order given, a folder's files in the order of their names.

    Examples
    --------
    >>> [entry.name for entry in read_entries(["random", "perfect"])]
    ['random', 'perfect']
    """
    # A helper module is pickled with what comes from it, since the process of an entry does not see its file.
    for module in [module for module in sys.modules.values() if _is_own(module)]:
        cloudpickle.register_pickle_by_value(module)
    entries: list[Entry] = []
    if isinstance(given, Mapping):
        for name, source in given.items():
            entries += [entry._replace(name=name) for entry in _entries_of(source)]
    elif isinstance(given, (str, Path)) or callable(given):
        entries += _entries_of(given)
    else:
        for source in sequence(given, "entries", "a folder, files, names or functions"):
            entries += _entries_of(source)
    names = [entry.name for entry in entries]
    if len(set(names)) < max(2, len(names)):
        found = ", ".join(names) or "none"
        raise ValueError(f"entries: expected two or more, with names that differ; got {found}")
    return entries


def agent_in(file: str, name: str = "") -> Callable:
    """What a file calls by this name; without one, its `agent`, or its only function without a "_"."""
    # At the end of the path: an entry called random.py must not stand in for Python's own module.
    sys.path.append(os.path.dirname(os.path.abspath(file)))
    found = runpy.run_path(file)
    functions = [
        name
        for name, value in found.items()
        if inspect.isfunction(value) and value.__module__ == found["__name__"] and not name.startswith("_")
    ]
    wanted = name or "agent"
    if not name and "agent" not in found and len(functions) == 1:
        wanted = functions[0]
    if name and name not in found:
        raise LookupError(f"expected a function {name}(game, state); found {', '.join(functions) or 'no function'}")
    if wanted not in found:
        listed = "no function"
        if functions:
            listed = f"several functions: {', '.join(functions)}; call one of them agent"
        raise LookupError(f"expected a function agent(game, state), or one function in all; found {listed}")
    check_agent(found[wanted], wanted)
    return found[wanted]


def _entries_of(source) -> list[Entry]:
    """The entries that come from a built-in name, from a file or folder, or from an agent."""
    if isinstance(source, str) and source in BUILT_IN:
        return [Entry(source, "", cloudpickle.dumps(named.agent(source)))]
    if isinstance(source, (str, Path)):
        return _files(Path(source))
    check_agent(source, "entries")
    return [Entry(agent_name(source), "", cloudpickle.dumps(source))]


def _files(path: Path) -> list[Entry]:
    """The entry of a file, or those of a folder."""
    files = sorted(file for file in path.glob("*.py") if not file.name.startswith(("_", ".")))
    if path.suffix == ".py" and path.is_file():
        files = [path]
    if not files and path.is_dir():
        raise ValueError(f"entries: the folder '{path}' holds no Python files")
    if not files:
        expected = f"a folder of Python files, a file or one of {', '.join(BUILT_IN)}"
        raise ValueError(f"entries: expected {expected}; got '{path}'")
    return [Entry(file.stem, str(file.resolve()), b"") for file in files]


def _is_own(module) -> bool:
    """Whether a module lies beside a notebook or a program, where a contained process cannot see it."""
    package, _, _ = module.__name__.partition(".")
    if package in ("__main__", "coinlib", "coincourse"):
        return False
    file = getattr(module, "__file__", None) or sys.prefix
    installed = file.startswith((sys.prefix, sys.base_prefix, sys.exec_prefix)) or "-packages" in file
    return not installed
