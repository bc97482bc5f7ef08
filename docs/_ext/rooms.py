"""A room of the library in the book: under what it says about itself, a table of what is in it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from inspect import ismodule
from pathlib import Path

from jinja2 import FileSystemLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx

from coincourse.checks.engine import Check

ROOMS = ["games", "theory", "solvers", "trees", "agents", "search", "learners", "arena", "named", "plots"]


def public(module) -> Iterator[str]:
    """The names that a room offers, in the order in which they are described."""
    names = getattr(module, "__all__", None)
    if names is not None:
        return iter(names)
    own = [(name, it) for name, it in vars(module).items() if not name.startswith("_")]
    return (name for name, it in own if getattr(it, "__module__", None) == module.__name__ and callable(it))


def room_of(name: str, thing) -> str:
    """The room that describes what `coinlib` itself offers under this name."""
    return next(room for room in ROOMS if getattr(sys.modules.get(f"coinlib.{room}"), name, None) is thing)


def add_table(app, what: str, name: str, module, options, lines: list[str]) -> None:
    """Append a table, one line for each public name, to the docstring of a module."""
    if what != "module":
        return
    names = list(public(module))
    if name == "coinlib":
        names = [one for one in vars(module) if not one.startswith("_") and not ismodule(vars(module)[one])]
        names = [f"{room_of(one, vars(module)[one])}.{one}" for one in names]
    lines += ["", ".. autosummary::", "   :nosignatures:", "", *(f"   {one}" for one in names), ""]
    for one in names:  # autodoc passes over what is no function and no class
        if isinstance(getattr(module, one, None), Check):
            lines += [f".. autodata:: {one}", "   :no-value:", ""]


def compile_once() -> None:
    """Let numpydoc compile its template once; by itself it does so for each docstring, a fifth of the time of the book."""
    templates = SandboxedEnvironment(loader=FileSystemLoader(Path(docscrape_sphinx.__file__).parent / "templates"))
    docscrape_sphinx.SandboxedEnvironment = lambda loader: templates


def setup(app) -> dict:
    """Called by Sphinx."""
    compile_once()
    app.connect("autodoc-process-docstring", add_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
