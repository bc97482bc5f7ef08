"""The stored tables of data, and the programs that make them."""

from __future__ import annotations

import csv
import importlib.util

from paths import ROOT

from coincourse.course import data


def program(name: str):
    """A program of the folder `data`, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "data" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stored(name: str) -> list[list[str]]:
    """The lines of a table, each as a list of words."""
    with data(name).open(newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines))


def as_text(row) -> list[str]:
    """A line for the stored file."""
    return ["" if value is None else str(value) for value in row]
