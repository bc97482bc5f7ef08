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
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from . import generator

PACKAGES = {
    "numpy": "NumPy",
    "pandas": "pandas",
    "matplotlib": "Matplotlib",
    "ipywidgets": "Jupyter's widgets",
    "coinlib.plots": "Matplotlib",
    "coinlib.projects": "NumPy",
    "coincourse.labs": "Jupyter's widgets",
    "coincourse.course": "files",
    "coincourse.outside": "other programs",
}
SUBMODULES = ("numpy.random", "matplotlib.pyplot")
missed: list[str] = []  # the packages that code has tried to use, in order


class Absent(type):
    """The class of every name in a missing package: it can be imported, but not called."""

    def __call__(cls, *arguments, **named):
        raise _error(cls.__module__)

    def __getattr__(cls, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise _error(cls.__module__)


class Missing(ModuleNotFoundError):
    """Code has used a missing package; `package` is "" if it is not clear which."""

    def __init__(self, package: str) -> None:
        self.package = package
        super().__init__(self._sentence("This"))

    def about(self, names: set[str]) -> Missing:
        """Say what needs the package, if that is one name in the reader's code."""
        if len(names) == 1:
            self.msg = self._sentence(f"`{min(names)}`")
        return self

    def _sentence(self, what: str) -> str:
        needed = f"{self.package}, which" if self.package else "something that"
        return f"{what} needs {needed} this page does not have. Use it in JupyterLab."


def _error(package: str) -> Missing:
    missed.append(PACKAGES[_package_of(package)])
    return Missing(missed[-1])


class AbsentPackage(ModuleType):
    """A missing package, or a module in it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(name, (), {"__module__": self.__name__})


class Finder(MetaPathFinder, Loader):
    """Imports the modules of missing packages."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """A module whose package is missing."""
        parent = sys.modules.get(name.rpartition(".")[0])
        return ModuleSpec(name, self, is_package=True) if isinstance(parent, AbsentPackage) else None

    def create_module(self, spec: ModuleSpec) -> AbsentPackage:
        """The stand-in."""
        return AbsentPackage(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a stand-in is empty."""


def stand_in() -> None:
    """Make the packages in PACKAGES importable, unless they are installed."""
    if not any(isinstance(each, Finder) for each in sys.meta_path):
        sys.meta_path.append(Finder())
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
    return next(package for package in PACKAGES if f"{module}.".startswith(f"{package}."))


def _is_here(package: str) -> bool:
    """Whether a package is installed; None in `sys.modules` means that it is not."""
    if package in sys.modules:
        return sys.modules[package] is not None
    return importlib.util.find_spec(package) is not None
