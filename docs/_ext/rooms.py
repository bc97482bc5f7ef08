"""A room of the library in the book: under what it says about itself, a table of what is in it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from jinja2 import FileSystemLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx

import coinlib
from coincourse.checks.engine import Check

ROOMS = [
    "games",
    "theory",
    "solvers",
    "trees",
    "agents",
    "match",
    "search",
    "learners",
    "arena",
    "training",
    "sweeps",
    "named",
    "plots",
]  # those that describe what `coinlib` itself offers


def add_table(app, what: str, name: str, module, options, lines: list[str]) -> None:
    """Append a table, one line for each public name, to the docstring of a module."""
    if what != "module":
        return
    names = public(module)
    if name == "coinlib":
        names = [f"{room_of(public_name)}.{public_name}" for public_name in names]
    lines += ["", ".. autosummary::", "   :nosignatures:", ""]
    lines += [f"   {public_name}" for public_name in names]
    lines.append("")
    for public_name in names:  # Autodoc describes functions and classes by itself, and no other values.
        if isinstance(getattr(module, public_name, None), Check):
            lines += [f".. autodata:: {public_name}", "   :no-value:", ""]


def public(module) -> list[str]:
    """The names that a room offers, in the order in which they are described."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    found = []
    for name, value in vars(module).items():
        made_here = getattr(value, "__module__", None) == module.__name__
        if made_here and callable(value) and not name.startswith("_"):
            found.append(name)
    return found


def room_of(name: str) -> str:
    """The room that describes what `coinlib` itself offers under this name."""
    value = getattr(coinlib, name)
    for room in ROOMS:
        if getattr(import_module(f"coinlib.{room}"), name, None) is value:
            return room
    raise LookupError(f"no room describes coinlib.{name}")


def compile_once() -> None:
    """Let numpydoc compile its template once: to do it for each docstring takes a fifth of the book's time."""
    folder = Path(docscrape_sphinx.__file__).parent / "templates"
    templates = SandboxedEnvironment(loader=FileSystemLoader(folder))
    docscrape_sphinx.SandboxedEnvironment = lambda loader: templates


def setup(app) -> dict:
    """Called by Sphinx."""
    compile_once()
    app.connect("autodoc-process-docstring", add_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
