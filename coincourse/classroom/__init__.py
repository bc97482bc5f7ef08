"""For the teacher: the marking of what students hand in, the sheet and the letters.

A name is loaded when it is first used: the processes of notebooks need none of them.
"""

from importlib import import_module

__all__ = ["Desk", "Marks", "mark"]

HOMES = {"Desk": "desk", "Marks": "marks", "mark": "marking"}


def __getattr__(name: str):
    """What has that name; Python calls this for a name that the package does not hold yet."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
