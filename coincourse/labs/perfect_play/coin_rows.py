"""A row of coins as it is typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coinlib.arguments import counted, sequence

LEAST = 2  # coins in a row
MOST = 14
LARGEST = 999  # the value of one coin


def row_in_words(coins: str | Sequence[int]) -> str:
    """A row as it is typed: "1 2 4 3"."""
    return coins if isinstance(coins, str) else " ".join(map(str, sequence(coins, "coins", "a row")))


def read_row(coins: str | Sequence[int], fewest: int = LEAST, most: int = MOST, smallest: int = 0) -> tuple[int, ...]:
    """A row of coins from what was typed, or from numbers; ValueError, in words, if it cannot be shown.

    Examples
    --------
    >>> read_row("1, 2 4;3")
    (1, 2, 4, 3)
    >>> read_row("1 2 x")
    Traceback (most recent call last):
        ...
    ValueError: “x” is not a coin: write whole numbers from 0 to 999 with spaces between them, such as 1 2 4 3
    """
    found = re.sub(r"[,;()\[\]]", " ", row_in_words(coins)).split()
    for coin in found:
        if not (re.fullmatch(r"-?\d+", coin, re.ASCII) and smallest <= int(coin) <= LARGEST):
            wanted = f"whole numbers from {smallest} to {LARGEST} with spaces between them, such as 1 2 4 3"
            raise ValueError(f"“{coin}” is not a coin: write {wanted}")
    if not fewest <= len(found) <= most:
        wanted = f"{fewest} to {most}, with spaces between them"
        raise ValueError(f"this row has {counted(len(found), 'coin')}: write {wanted}")
    return tuple(map(int, found))
