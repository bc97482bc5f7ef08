"""Stand-ins for packages that a page of the web book does not have.

The npm package of Pyodide, from which the book is built, has neither NumPy nor pandas, and a page must not
fetch them from the network. But modules of the course import NumPy at the top and need it only in some
functions; so on a page `import numpy` works, and calling anything in it raises an error that says what is missing.

Only NumPy's random generator is provided: see `generator`.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from types import ModuleType

from . import generator

PACKAGES = {
    "numpy": "NumPy",
    "pandas": "pandas",
    "matplotlib": "Matplotlib",
    "ipywidgets": "Jupyter's widgets",
    "coincourse.labs": "Jupyter's widgets",
}
SUBMODULES = ("numpy.random", "matplotlib.pyplot")
missed: list[str] = []  # the packages that code has tried to use, in order


class Absent(type):
    """The class of every name in a missing package: it can be imported, but not called."""

    def __call__(cls, *arguments, **named):
        raise _error(cls.__module__, cls.__name__)

    def __getattr__(cls, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise _error(cls.__module__, f"{cls.__name__}.{name}")


def _error(package: str, name: str) -> ModuleNotFoundError:
    words = PACKAGES[_package_of(package)]
    missed.append(words)
    return ModuleNotFoundError(f"{name} needs {words}, which this page does not have")


class AbsentPackage(ModuleType):
    """A missing package."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(name, (), {"__module__": self.__name__})


def stand_in() -> None:
    """Make the packages in PACKAGES importable, unless they are installed."""
    for name in (*PACKAGES, *SUBMODULES):
        package = _package_of(name)
        if isinstance(sys.modules.get(package), AbsentPackage) or not _is_here(package):
            sys.modules[name] = AbsentPackage(name)
    for name in SUBMODULES:
        package, _, last = name.partition(".")
        if isinstance(sys.modules.get(name), AbsentPackage):
            setattr(sys.modules[package], last, sys.modules[name])
    random = sys.modules.get("numpy.random")
    if isinstance(random, AbsentPackage):
        for name in ("default_rng", "Generator", "SeedSequence"):
            setattr(random, name, getattr(generator, name))
        for name in ("inf", "nan", "pi"):
            setattr(sys.modules["numpy"], name, getattr(math, name))


def _package_of(module: str) -> str:
    """The package in PACKAGES that a module is or belongs to."""
    return module if module in PACKAGES else module.partition(".")[0]


def _is_here(package: str) -> bool:
    """Whether a package is installed; None in `sys.modules` means that it is not."""
    if package in sys.modules:
        return sys.modules[package] is not None
    return importlib.util.find_spec(package) is not None
