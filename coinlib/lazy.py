"""Classes of libraries that are slow to import: each is imported when it is first asked for.

So ``-> lazy.DataFrame`` costs nothing until somebody asks what it means, as `typing.get_type_hints` does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from pandas import DataFrame

__all__ = ["Axes", "DataFrame", "Text"]

HOMES = {"Axes": "matplotlib.axes", "DataFrame": "pandas", "Text": "matplotlib.text"}


def __getattr__(name: str):
    """The class of that name; Python calls this for a name that the module does not hold yet."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(HOMES[name]), name)
