"""What the pictures ask of their arguments, and the words for what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from coinlib.arguments import shown

if TYPE_CHECKING:
    import numpy as np
    from pandas import DataFrame

LARGEST = 1e15  # numbers above this are not drawn


def check_has(thing, what: str, names: Iterable[str], such_as: str) -> None:
    """Raise TypeError if something lacks what a picture draws."""
    if isinstance(thing, type) or not all(hasattr(thing, name) for name in names):
        raise TypeError(f"{what}: expected {such_as}, got {shown(thing)}")


def array_of(values, what: str) -> np.ndarray:
    """Numbers as a float array; TypeError for what is none."""
    import numpy as np

    try:
        return np.asarray(values, dtype=float)
    except Exception:  # noqa: BLE001 - NumPy has many words for it
        raise TypeError(f"{what}: expected an array of numbers, got {shown(values)}") from None


def frame_of(table, most: int) -> DataFrame:
    """A table with 1 to `most` rows; TypeError or ValueError for anything else."""
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"table: expected a DataFrame, got {shown(table)}")
    if not 0 < len(table) <= most:
        raise ValueError(f"table: expected 1 to {most:,} rows, got {len(table):,}")
    return table


def answer_of(function: Callable, state, what: str):
    """What somebody's function says of a state; where it cannot be called so, TypeError."""
    try:
        return function(state)
    except TypeError as error:
        raise TypeError(f"{what}: expected a function of a state, got {shown(function)}; {error}") from error
