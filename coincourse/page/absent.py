"""What stands for packages that a page of the web book does not have.

A module of the course imports NumPy at its top, and needs it in some of its functions only. So in a page
`import numpy` goes well, and whoever uses a name of it is told. NumPy's generator alone is there.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from types import ModuleType

from . import generator

PACKAGES = {"numpy": "NumPy", "pandas": "pandas", "matplotlib": "Matplotlib", "ipywidgets": "Jupyter's widgets"}
SUBMODULES = ("numpy.random", "matplotlib.pyplot")
missed: list[str] = []  # the packages that somebody has wanted to use, in turn


class Absent(type):
    """The class of all names of a package that is not here: they can be named, and not used."""

    def __call__(cls, *arguments, **named):
        raise _error(cls.__module__, cls.__name__)

    def __getattr__(cls, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise _error(cls.__module__, f"{cls.__name__}.{name}")


def _error(package: str, name: str) -> ModuleNotFoundError:
    words = PACKAGES[package.partition(".")[0]]
    missed.append(words)
    return ModuleNotFoundError(f"{name} needs {words}, which this page does not have")


class AbsentPackage(ModuleType):
    """A package that is not here."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(name, (), {"__module__": self.__name__})


def stand_in() -> None:
    """Let these packages be imported, where they cannot be."""
    for name in (*PACKAGES, *SUBMODULES):
        package = name.partition(".")[0]
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


def _is_here(package: str) -> bool:
    """Whether Python knows a package; None in its place says that it does not."""
    if package in sys.modules:
        return sys.modules[package] is not None
    return importlib.util.find_spec(package) is not None
