"""Classes of libraries that are slow to import; each is imported when it is first used.

So ``-> lazy.DataFrame`` costs nothing until the hint is evaluated, for example by `typing.get_type_hints`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from pandas import DataFrame

__all__ = ["Axes", "DataFrame", "Text"]

MODULES = {"Axes": "matplotlib.axes", "DataFrame": "pandas", "Text": "matplotlib.text"}


def __getattr__(name: str):
    """Import and return the class with this name."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(MODULES[name]), name)
