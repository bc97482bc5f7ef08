"""Values on one row: outcomes that repeat, and heaps that are split.

- **Other amounts.** Every sequence of outcomes eventually repeats, and a program can find out where. (`period`,
  `repetition`; `theory.outcomes` defines the endings)
- **A heap that is split.** It is not known whether its Grundy values repeat. A program can go far, because values
  of one kind are rare. (`splitting_values`)
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from coinlib import loops
from coinlib.arguments import whole_number
from coinlib.theory import amounts_in_order, outcomes

SEARCHED_AT_MOST = 50_000_000  # `period` looks at no more counts than this; each takes up eight bytes.


class Period(NamedTuple):
    """How the outcomes on one row repeat; made by `period`.

    Attributes
    ----------
    start : int
        The count from which they repeat: the length of the *pre-period*.
    length : int
        The length of the shortest *period*.
    wins : tuple of bool, length ``start + length``
        Whether the player to move wins, for the counts from 0 to the end of the first period.
    """

    start: int
    length: int
    wins: tuple[bool, ...]

    def wins_at(self, count: int) -> bool:
        """Whether the player to move wins with this number of coins, however large.

        Examples
        --------
        >>> period({1, 3, 4}, misere=False).wins_at(2026)
        True
        """
        if count < self.start:
            return self.wins[count]
        return self.wins[self.start + (count - self.start) % self.length]

    @property
    def losing(self) -> list[int]:
        """The positions in the period, from 0 to ``length - 1``, at which the player to move loses."""
        return [place for place, wins in enumerate(self.wins[self.start :]) if not wins]


def period(amounts: Iterable[int], misere: bool) -> Period:
    """Find the period of the outcomes on one row, and where it starts.

    Let m be the largest amount. From m coins on, every amount can be taken, so the outcome
    of n follows from the m outcomes before it, by the same rule for all n, as `repetition`
    requires. There are only 2**m different windows of m outcomes, so one must occur twice.

    Parameters
    ----------
    amounts : iterable of int
        What one move may take, each 1 or more.
    misere : bool
        True: the player who cannot move wins. False: the player who cannot move loses. See `outcomes`.

    Returns
    -------
    Period

    Examples
    --------
    >>> outcome = period({1, 3, 4}, misere=False)
    >>> outcome.start, outcome.length, outcome.losing
    (0, 7, [0, 2])
    >>> period({1, 2, 3}, misere=True).losing
    [1]

    Outcomes need not repeat from the start:

    >>> period({1, 4, 10}, misere=False)[:2]
    (11, 11)
    """
    takes = amounts_in_order(amounts)
    largest = whole_number(takes[-1], "an amount", most=SEARCHED_AT_MOST // 4)
    up_to = 4 * largest
    while up_to <= SEARCHED_AT_MOST:
        wins = outcomes(takes, misere, up_to)
        repeats = repetition(wins, window=largest)
        if repeats is not None:
            start, length = repeats
            return Period(start, length, tuple(wins[: start + length]))
        up_to *= 4
    raise ValueError(f"amounts: the outcomes up to {up_to // 4:,} do not repeat yet")


def repetition(values: Sequence[int], window: int) -> tuple[int, int] | None:
    """Find the period of a sequence that repeats for ever, and where it starts.

    Each value must follow from the `window` values before it, by the same rule from position
    `window` on. Then a window that occurs a second time is followed by the same value as the
    first time, and so is the next window, and so on. So the function looks for the last window
    among the earlier ones. The nearest gives the shortest period, because with a shorter period
    the window would occur again sooner. From there it goes back as far as the period holds.

    Parameters
    ----------
    values : sequence of int or bool
    window : int
        1 or more. For rows of coins: the largest amount.

    Returns
    -------
    tuple of two int, or None
        The length of the *pre-period* and of the period, both the shortest possible; None if the
        last window has not occurred before, so that more values are needed.

    Examples
    --------
    >>> from coinlib.theory import grundy_values
    >>> repetition(grundy_values({1, 3, 4}, up_to=100), window=4)
    (0, 7)
    >>> repetition([5, 0, 1, 2, 0, 1, 2, 0, 1], window=2)
    (1, 3)
    >>> repetition([0, 1, 2, 3, 4], window=2) is None
    True
    """
    values = np.asarray(values)
    text = "".join(map(chr, values.tolist()))  # Python searches strings fast.
    last_window = text[-window:]
    place = text.rfind(last_window, 0, -1)
    if place < 0:
        return None
    length = len(text) - window - place
    differ = np.flatnonzero(values[:-length] != values[length:])
    start = int(differ[-1]) + 1 if len(differ) else 0
    return start, length


def splitting_values(up_to: int) -> np.ndarray:
    """The Grundy values of one heap in Grundy's game: a move splits a heap into two unequal ones.

    Normal play: the player who cannot split any heap loses. The value of n is the smallest number
    that is not the nim-sum of the values of two unequal parts of n. Looking at all pairs of parts
    for every n takes quadratic time. Values of one kind are rare, so most pairs can be skipped.
    Call a value *common* if its binary digits, without the last, contain an odd number of ones,
    and *rare* otherwise. The nim-sum of two common values is rare, as is that of two rare ones; a
    common nim-sum comes from one of each kind. So the pairs with a rare part give all common
    nim-sums. If the smallest number that they leave out is common, and every rare number below it
    is found among the other pairs, then it is the value. Usually the first few of these pairs are
    enough.

    The result does not depend on this: if many values were rare, it would only take longer.

    Parameters
    ----------
    up_to : int
        The largest heap, 0 or more.

    Returns
    -------
    int64 array, shape (up_to + 1,)

    References
    ----------
    P. M. Grundy, "Mathematics and games", Eureka 2 (1939). The idea, called the *sparse space*:
    E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways for Your Mathematical Plays*, chapter 4.

    Examples
    --------
    >>> splitting_values(12)
    array([0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1])
    """
    # 32-bit numbers are a third faster here than 64-bit numbers.
    values = np.zeros(up_to + 1, dtype=np.uint32)
    rare = np.zeros(up_to + 1, dtype=np.uint32)
    # A heap has fewer moves than coins, so no nim-sum or value is larger than these numbers.
    numbers = np.arange(1 << int(up_to).bit_length(), dtype=np.uint32)
    common = np.bitwise_count(numbers >> 1) % 2 == 1
    loops.value_splits(values, common, rare, np.zeros_like(numbers))
    return values.astype(np.int64)
