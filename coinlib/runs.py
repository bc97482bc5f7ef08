"""Runs of greedy coins: the coins i...j that are left, who moves there, and what a move leaves.

A move takes a coin from one end of the row, so what is left is always a run of neighbours. Alice moves
first; the number of coins gone tells you whose turn it is.
"""

from itertools import accumulate
from typing import NamedTuple

from coinlib.solvers import Greedy

CoinRun = tuple[int, int]  # the positions i and j of the first and the last coin of a run


class GreedyPlayer(NamedTuple):
    """One of the two players in greedy coins; number 1 moves first."""

    name: str
    number: int


ALICE = GreedyPlayer("Alice", 1)
BOB = GreedyPlayer("Bob", 2)


def runs_of(greedy: Greedy) -> list[CoinRun]:
    """All runs of coins, from single coins up to the whole row; runs of equal length go from left to right.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> runs_of(solve_greedy([1, 2, 4]))
    [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]
    """
    size = len(greedy.coins)
    runs = []
    for length in range(1, size + 1):
        runs += [(i, i + length - 1) for i in range(size - length + 1)]
    return runs


def player_to_move(greedy: Greedy, i: int, j: int) -> GreedyPlayer:
    """The player to move when coins i...j are left: Alice if an even number of coins is gone.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> greedy = solve_greedy([1, 2, 4])
    >>> player_to_move(greedy, 0, 2).name, player_to_move(greedy, 0, 1).name
    ('Alice', 'Bob')
    """
    left = j - i + 1
    gone = len(greedy.coins) - left
    return ALICE if gone % 2 == 0 else BOB


def left_by(run: CoinRun, move: str) -> CoinRun:
    """The run that a move leaves.

    Examples
    --------
    >>> left_by((0, 2), "L"), left_by((0, 2), "R")
    ((1, 2), (0, 1))
    """
    i, j = run
    return (i + 1, j) if move == "L" else (i, j - 1)


def left_by_best(greedy: Greedy, run: CoinRun) -> list[CoinRun]:
    """The runs that the best moves leave, one or two; none if the move takes the last coin.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> left_by_best(solve_greedy([1, 2, 4]), (0, 2))
    [(0, 1)]
    """
    i, j = run
    if i == j:
        return []
    return [left_by(run, move) for move in str(greedy.moves[run])]


def best_line(greedy: Greedy) -> list[CoinRun]:
    """The runs along ``greedy.line()``, a line of best play, starting with the whole row.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> best_line(solve_greedy([1, 2, 4]))
    [(0, 2), (0, 1), (0, 0)]
    """
    moves = [move for move, _ in greedy.line()]
    whole_row = (0, len(greedy.coins) - 1)
    return list(accumulate(moves[:-1], left_by, initial=whole_row))


def run_in_words(greedy: Greedy, i: int, j: int) -> str:
    """The coins i...j as text.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> run_in_words(solve_greedy([1, 2, 4]), 1, 2)
    '2 4'
    """
    return " ".join(map(str, greedy.coins[i : j + 1]))
