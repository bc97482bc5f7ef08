"""Rows of coins: reading them from text, and drawing one that is hard to play."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from coinlib.arguments import counted, sequence, whole_number
from coinlib.runs import ALICE, best_line, left_by, left_by_best, player_to_move
from coinlib.solvers import Greedy, solve_greedy

LEAST = 2  # coins in a row
MOST = 14
LARGEST = 999  # the value of one coin


def row_in_words(coins: str | Sequence[int]) -> str:
    """A row as text: "1 2 4 3"."""
    return coins if isinstance(coins, str) else " ".join(map(str, sequence(coins, "coins", "a row")))


def read_row(coins: str | Sequence[int], fewest: int = LEAST, most: int = MOST, smallest: int = 0) -> tuple[int, ...]:
    """A row of coins from text or from numbers; ValueError with a readable message if it is not valid.

    Examples
    --------
    >>> read_row("1, 2 4;3")
    (1, 2, 4, 3)
    >>> read_row("1 2 x")
    Traceback (most recent call last):
        ...
    ValueError: “x” is not a coin: write whole numbers from 0 to 999 with spaces between them, such as 1 2 4 3
    """
    words = re.sub(r"[,;()\[\]]", " ", row_in_words(coins)).split()
    for coin in words:
        if not (re.fullmatch(r"-?\d+", coin, re.ASCII) and smallest <= int(coin) <= LARGEST):
            wanted = f"whole numbers from {smallest} to {LARGEST} with spaces between them, such as 1 2 4 3"
            raise ValueError(f"“{coin}” is not a coin: write {wanted}")
    if not fewest <= len(words) <= most:
        wanted = f"{fewest} to {most}, with spaces between them"
        raise ValueError(f"This row has {counted(len(words), 'coin')}: write {wanted}")
    return tuple(map(int, words))


def hard_row(number: int, count: int = 8) -> list[int]:
    """Draw a row of coins worth 1 to 4 on which Alice must look ahead to play her best.

    Against perfect play she gets less by always taking the larger end, and also by sticking to one colour. Along
    the line of best play she has two equally good moves at least once.

    Parameters
    ----------
    number : int
        The seed; another number gives another row.
    count : int
        The number of coins, even.

    Examples
    --------
    >>> hard_row(1)
    [4, 1, 1, 4, 3, 4, 4, 2]
    """
    chance = np.random.default_rng(whole_number(number, "number"))
    while True:
        coins = chance.integers(1, 5, count).tolist()
        if _is_hard(solve_greedy(coins)):
            return coins


def _is_hard(greedy: Greedy) -> bool:
    """Whether both simple strategies fall short, and best play offers Alice a choice."""
    coins = greedy.coins
    one_colour = max(sum(coins[0::2]), sum(coins[1::2]))
    hers = [run for run in best_line(greedy) if player_to_move(greedy, *run) is ALICE]
    has_choice = any(greedy.moves[run] == "LR" for run in hers)
    return has_choice and one_colour < greedy.value and _by_larger_end(greedy, 0, len(coins) - 1) < greedy.value


def _by_larger_end(greedy: Greedy, i: int, j: int) -> int:
    """The most that Alice can still get by always taking the larger end, if Bob plays perfectly."""
    if i == j:
        return int(greedy.alice[i, j])
    if player_to_move(greedy, i, j) is not ALICE:
        return max(_by_larger_end(greedy, *rest) for rest in left_by_best(greedy, (i, j)))
    larger = max(greedy.coins[i], greedy.coins[j])
    rests = [left_by((i, j), end) for end, coin in (("L", greedy.coins[i]), ("R", greedy.coins[j])) if coin == larger]
    return larger + max(_by_larger_end(greedy, *rest) for rest in rests)
