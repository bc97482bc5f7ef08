"""Pages of the API: a table of the names in a module, links to the source, and no empty descriptions."""

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
]  # the modules whose pages describe the names of `coinlib` itself
NO_SOURCE = "no_source"  # the name of a module that does not exist: viewcode then makes no link
ALIAS = "Alias for field number"  # what Python says about each field of a named tuple


def add_table(app, what: str, name: str, module, options, lines: list[str]) -> None:
    """Append to the docstring of a module a table with one line for each public name."""
    if what != "module":
        return
    names = public(module)
    if name == "coinlib":
        names = [f"{room_of(public_name)}.{public_name}" for public_name in names]
    lines += ["", ".. autosummary::", "   :nosignatures:", ""]
    lines += [f"   {public_name}" for public_name in names]
    lines.append("")
    for public_name in names:  # Autodoc describes functions and classes, but no other values.
        if isinstance(getattr(module, public_name, None), Check):
            lines += [f".. autodata:: {public_name}", "   :no-value:", ""]


def public(module) -> list[str]:
    """The public names of a module, in the order in which they are described."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    found = []
    for name, value in vars(module).items():
        made_here = getattr(value, "__module__", None) == module.__name__
        if made_here and callable(value) and not name.startswith("_"):
            found.append(name)
    return found


def room_of(name: str) -> str:
    """The module whose page describes this name of `coinlib`."""
    value = getattr(coinlib, name)
    for room in ROOMS:
        if getattr(import_module(f"coinlib.{room}"), name, None) is value:
            return room
    raise LookupError(f"no page describes coinlib.{name}")


def skip_alias(app, what: str, name: str, value, skip: bool, options) -> bool | None:
    """Leave out the fields of named tuples, which the docstrings of their classes describe."""
    return True if str(getattr(value, "__doc__", "")).startswith(ALIAS) else None


def source_of(app, module: str, name: str) -> str | None:
    """Let viewcode link to the source of the library only, and not in a book without solutions."""
    if module.startswith("coincourse") or not app.config.solutions:
        return NO_SOURCE
    return None


def forget_no_source(app) -> list:
    """Keep the module that does not exist out of viewcode's list of modules."""
    app.env._viewcode_modules.pop(NO_SOURCE, None)
    return []


def compile_once() -> None:
    """Compile numpydoc's template once: compiling it for each docstring takes a fifth of the build time."""
    folder = Path(docscrape_sphinx.__file__).parent / "templates"
    templates = SandboxedEnvironment(loader=FileSystemLoader(folder))
    docscrape_sphinx.SandboxedEnvironment = lambda loader: templates


def setup(app) -> dict:
    """Called by Sphinx."""
    compile_once()
    app.setup_extension("sphinx.ext.viewcode")
    app.connect("autodoc-process-docstring", add_table)
    app.connect("autodoc-skip-member", skip_alias)
    app.connect("viewcode-follow-imported", source_of)
    app.connect("html-collect-pages", forget_no_source, priority=100)  # before viewcode
    return {"parallel_read_safe": True, "parallel_write_safe": True}
