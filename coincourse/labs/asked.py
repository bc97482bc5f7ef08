"""What the boards and labs ask of their arguments, and the words for what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from coinlib.arguments import sequence, shown

ENTRIES_AT_MOST = 100_000  # in what a lab is told to do again


def read_controls(asked: bool | Iterable[str], known: Iterable[str]) -> list[str]:
    """The names of the controls to show; TypeError or ValueError where one is not known."""
    known = list(known)
    if type(asked).__name__ in ("bool", "bool_"):
        return known if asked else []
    names = [asked] if isinstance(asked, str) else sequence(asked, "controls", "True, False or names of controls")
    strange = [name if isinstance(name, str) else shown(name) for name in names if not _in(name, known)]
    if strange:
        listed = ", ".join(sorted(set(strange))[:8])
        raise ValueError(f"controls: expected some of {', '.join(known)}; got {listed}")
    return list(names)


def read_entries(asked: Iterable[Iterable], what: str) -> tuple[tuple, ...]:
    """Entries of a history, each as a tuple; TypeError or ValueError for anything else."""
    listed = sequence(asked, what, "a list of entries")
    if len(listed) > ENTRIES_AT_MOST:
        raise ValueError(f"{what}: expected at most {ENTRIES_AT_MOST:,} entries, got {len(listed):,}")
    return tuple(sequence(entry, what, "entries in the form of tuples") for entry in listed)


def read_settings(asked: Mapping) -> dict:
    """Settings by name; TypeError for anything else."""
    if not isinstance(asked, Mapping):
        raise TypeError(f"settings: expected names with values, such as {{'seed': 1}}; got {shown(asked)}")
    return dict(asked)


def _in(name, known: Iterable[str]) -> bool:
    return isinstance(name, str) and name in known
