"""Why: the closed forms that say who wins, without looking ahead.

With at most k coins from one row, a row of n coins has Grundy value n mod (k + 1). In
normal play a position is lost when the nim-sum (binary XOR) of the values is 0. In misère
play the same holds as long as some value is above 1; when all are 0 or 1 it is the other
way round.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor

from coinlib.games import LISTED_AT_MOST, CoinGame, State, whole_number


def nim_sum(*values: int) -> int:
    """The binary sum without carrying (XOR) of some numbers, 0 for none.

    Parameters
    ----------
    *values : int
        Each 0 or more.

    Returns
    -------
    int

    References
    ----------
    C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).

    Examples
    --------
    >>> nim_sum(3, 3, 7), nim_sum(1, 2, 3)
    (7, 0)
    """
    return reduce(xor, (whole_number(value, "a value", least=0) for value in values), 0)


def grundy(count: int, max_pick: int | None) -> int:
    """The Grundy value of one row in normal play.

    Parameters
    ----------
    count : int
        Coins in the row, 0 or more.
    max_pick : int or None
        The most coins one move may take; None for no bound.

    Returns
    -------
    int
        ``count`` mod ``max_pick + 1``; ``count`` itself without a bound.

    Examples
    --------
    >>> [grundy(count, max_pick=3) for count in range(9)]
    [0, 1, 2, 3, 0, 1, 2, 3, 0]
    >>> grundy(7, max_pick=None)
    7
    """
    count = whole_number(count, "count", least=0)
    return count if max_pick is None else count % (whole_number(max_pick, "max_pick", least=1) + 1)


def losing_counts(max_pick: int, misere: bool, up_to: int) -> list[int]:
    """The counts on one row that lose for whoever has to move.

    Normal play: the multiples of k + 1. Misère play: one more than a multiple, because the
    last coin is poison and the game is really about the others.

    Parameters
    ----------
    max_pick : int
        The most coins one move may take, k.
    misere : bool
        True: who takes the last coin loses.
    up_to : int
        The largest count to look at.

    Returns
    -------
    list of int

    Examples
    --------
    >>> losing_counts(max_pick=3, misere=False, up_to=12)
    [0, 4, 8, 12]
    >>> losing_counts(max_pick=3, misere=True, up_to=13)
    [1, 5, 9, 13]
    """
    step = whole_number(max_pick, "max_pick", least=1) + 1
    counts = range(1 if misere else 0, whole_number(up_to, "up_to", least=0) + 1, step)
    if len(counts) > LISTED_AT_MOST:
        raise ValueError(f"{len(counts):,} counts are too many to list (at most {LISTED_AT_MOST:,})")
    return list(counts)


def is_lost(game: CoinGame, state: State) -> bool:
    """Whether whoever moves in `state` loses against perfect play, by the closed form.

    Parameters
    ----------
    game : CoinGame
        Any rows, any bound, either ending.
    state : tuple of int
        Coins left in each row.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_lost(CoinGame((3, 3, 7), max_pick=None, misere=False), (3, 3, 0))
    True
    >>> is_lost(CoinGame((21,), max_pick=3, misere=True), (21,))
    True
    """
    values = [grundy(held, game.max_pick) for held in state]
    return nim_sum(*values) == (1 if game.misere and _all_small(values) else 0)


def _all_small(values: Iterable[int]) -> bool:
    """Where misère play turns round: no Grundy value above 1."""
    return all(value <= 1 for value in values)
