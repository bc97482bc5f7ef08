"""For the teacher: the students' copy of the lessons, and the marking of what comes back."""

import importlib

_ROOMS = {"student_copy": "copies", "mark": "marks", "Marks": "marks"}
__all__ = list(_ROOMS)


def __getattr__(name: str):
    """Load what is asked for when it is asked for: the process of a notebook needs none of it."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_ROOMS[name]}"), name)
