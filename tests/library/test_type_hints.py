"""Annotations name what exists: `typing.get_type_hints` reads every public function, method and property."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import subprocess
import sys
import typing

import pytest

import coinlib

MODULES = [found.name for found in pkgutil.walk_packages(coinlib.__path__, "coinlib.")]


def public(members: dict) -> dict:
    return {name: member for name, member in members.items() if not name.startswith("_")}


def functions_of(owner: type) -> list:
    """Return the public methods of a class, the functions behind its properties, `__init__` and `__call__`."""
    found = []
    for name, member in vars(owner).items():
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        if isinstance(member, property):
            member = member.fget
        elif isinstance(member, functools.cached_property):
            member = member.func
        elif isinstance(member, classmethod | staticmethod):
            member = member.__func__
        if inspect.isroutine(member):
            found.append(member)
    return found


def test_every_annotation_means_something():
    for name in MODULES:
        for member in public(vars(importlib.import_module(name))).values():
            if getattr(member, "__module__", None) != name:
                continue
            if inspect.isclass(member):
                typing.get_type_hints(member)
                for method in functions_of(member):
                    typing.get_type_hints(method)
            elif inspect.isroutine(member):
                typing.get_type_hints(member)


def test_every_name_of_the_library_has_a_module_that_is_looked_at():
    for name in coinlib.plots.__all__:
        assert getattr(coinlib.plots, name).__module__ in MODULES


def test_annotations_import_nothing_slow():
    code = "import sys, coinlib.plots, coinlib.arena; print({'matplotlib', 'pandas'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


def test_a_class_that_is_not_there_is_missing_as_anywhere():
    from coinlib import lazy

    assert lazy.DataFrame.__module__.startswith("pandas")
    with pytest.raises(AttributeError, match="module 'coinlib.lazy' has no attribute 'Series'"):
        lazy.Series  # noqa: B018
