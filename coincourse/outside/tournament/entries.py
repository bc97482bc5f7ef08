"""The entries of a tournament: files, built-in agents by name, and functions."""

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
    agent: bytes  # its pickle, or b"" for a file


def read_entries(given) -> list[Entry]:
    """Find the entries, without running any of their code.

    Parameters
    ----------
    given : str, Path, function, iterable of these, or mapping of names to these
        A folder stands for each Python file in it whose name does not begin with "_" or "."; any text that
        is not a path is the name of a built-in agent.

    Returns
    -------
    list of Entry
        In the order given, the files of a folder sorted by name.

    Examples
    --------
    >>> [entry.name for entry in read_entries(["random", "perfect"])]
    ['random', 'perfect']
    """
    # A helper module is pickled with the agent, since the process of an entry cannot see its file.
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
        raise ValueError(f"entries: expected two or more with different names; got {found}")
    return entries


def agent_in(file: str, name: str = "") -> Callable:
    """Return the agent with this name in a file; by default `agent`, or the only function without a "_"."""
    # At the end of the path: an entry called random.py must not replace Python's own module.
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
        raise LookupError(f"expected a function agent(game, state), or only one function; found {listed}")
    check_agent(found[wanted], wanted)
    return found[wanted]


def _entries_of(source) -> list[Entry]:
    """Return the entries for a built-in name, a file, a folder or an agent."""
    if isinstance(source, str) and source in BUILT_IN:
        return [Entry(source, "", cloudpickle.dumps(named.agent(source)))]
    if isinstance(source, (str, Path)):
        return _files(Path(source))
    check_agent(source, "entries")
    return [Entry(agent_name(source), "", cloudpickle.dumps(source))]


def _files(path: Path) -> list[Entry]:
    """Return the entries for a file or a folder."""
    files = sorted(file for file in path.glob("*.py") if not file.name.startswith(("_", ".")))
    if path.suffix == ".py" and path.is_file():
        files = [path]
    if not files and path.is_dir():
        raise ValueError(f"entries: the folder '{path}' contains no Python files")
    if not files:
        expected = f"a folder of Python files, a file or one of {', '.join(BUILT_IN)}"
        raise ValueError(f"entries: expected {expected}; got '{path}'")
    return [Entry(file.stem, str(file.resolve()), b"") for file in files]


def _is_own(module) -> bool:
    """Whether a module is the user's own, in a folder that a contained process cannot see."""
    package, _, _ = module.__name__.partition(".")
    if package in ("__main__", "coinlib", "coincourse"):
        return False
    file = getattr(module, "__file__", None) or sys.prefix
    installed = file.startswith((sys.prefix, sys.base_prefix, sys.exec_prefix)) or "-packages" in file
    return not installed
