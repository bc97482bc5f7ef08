"""Who is right: perfect play, worked out from the end of the game backwards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from coinlib import kernels
from coinlib.games import CoinGame, Move, State


class Best(NamedTuple):
    """What a state is worth to whoever moves, and the moves that get it.

    `value` is the points still to come, less the opponent's, plus the result at the end:
    in games without points +1 for a win and -1 for a loss.
    """

    value: float
    moves: list


def minimax(game, state=None) -> Best:
    """The value of a state under perfect play by both sides, for any finite game.

    A state's value is the best of *reward - value(next)*; at the end it is the result.

    Parameters
    ----------
    game : Game
        Any game that fits in a table. One that can be a dictionary key is solved once only.
    state : state of `game`, optional
        The start if left out.

    Returns
    -------
    Best
        `value`, and `moves`: all the best moves in the game's order, none when the game is over.

    Raises
    ------
    MemoryError
        If the table would be too large; for a `CoinGame`, `solve` needs less.
    ValueError
        If play from the start never reaches `state`.

    References
    ----------
    E. Zermelo, "Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels" (1913).

    Examples
    --------
    >>> from coinlib import GreedyCoins, sticks
    >>> minimax(sticks(20))
    Best(value=1, moves=[Move(row=0, count=3)])

    With points the value is the margin, here 7 of 11 against 4:

    >>> minimax(GreedyCoins((3, 5, 1, 2)))
    Best(value=3, moves=['R'])
    """
    table = kernels.tabulate(game)
    value = state_values(table)
    row = 0 if state is None else table.row(state)
    if table.over[row]:
        return Best(_plain(value[row]), [])
    after = table.next_state[row]
    worth = np.where(after >= 0, table.reward[row] - value[after], -np.inf)
    return Best(_plain(value[row]), [table.moves[move] for move in np.flatnonzero(worth == value[row])])


@lru_cache(maxsize=64)
def state_values(table: kernels.Table) -> np.ndarray:
    """The value of every state of a table to whoever moves there, under perfect play.

    Parameters
    ----------
    table : kernels.Table

    Returns
    -------
    float64 array, shape (S,)
        See `minimax`.

    Examples
    --------
    >>> from coinlib import sticks
    >>> state_values(kernels.tabulate(sticks(5)))    # 5, 4, 3, 2, 1 and 0 sticks
    array([-1.,  1.,  1.,  1., -1.,  1.])
    """
    value = np.zeros(len(table.states))
    kernels.fast().value_states(table.next_state, table.reward, table.result, table.over, value)
    return value


def _plain(value) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


@dataclass(frozen=True, eq=False)
class Solution:
    """Who wins a `CoinGame` from every state; made by `solve`.

    Attributes
    ----------
    game : CoinGame
    wins : bool array, shape (rows[0] + 1, rows[1] + 1, ...)
        ``wins[state]``: whether whoever moves in `state` wins with perfect play.
    """

    game: CoinGame
    wins: np.ndarray

    def best_moves(self, state: State) -> list[Move]:
        """The moves that win: they leave a lost state. None where the state is lost or over.

        Examples
        --------
        >>> solve(CoinGame((2, 2, 1), max_pick=None, misere=False)).best_moves((2, 2, 1))
        [Move(row=2, count=1)]
        """
        play = self.game.play
        return [move for move in self.game.legal_moves(state) if not self.wins[play(state, move)]]

    def winner(self, state: State | None = None) -> int:
        """1 if whoever moves in `state` (the start if left out) wins, 2 if the other player does."""
        state = self.game.start if state is None else state
        self.game.is_over(state)  # says what is wrong with a state of another game
        return 1 if self.wins[state] else 2

    def __repr__(self) -> str:
        return f"Solution({self.game}, {np.count_nonzero(~self.wins):,} of {self.wins.size:,} states are lost)"


def solve(game: CoinGame) -> Solution:
    """Who wins from every state of rows of coins, by the recursion over the states.

    A state is won if a move leads to a lost one. Solutions of the last 16 games are kept.

    Parameters
    ----------
    game : CoinGame
        Any rows that fit in memory: about one byte for each state.

    Returns
    -------
    Solution

    Raises
    ------
    MemoryError
        If the table does not fit; the message names the memory it would need.
    TypeError
        For other games, which `minimax` solves.

    Examples
    --------
    >>> from coinlib import SCENARIOS, three_piles
    >>> solution = solve(SCENARIOS["NIM"])
    >>> solution.winner(), solution.best_moves((1, 3, 5, 7))
    (1, [Move(row=1, count=1), Move(row=2, count=1)])
    >>> solve(three_piles(100, 100, 100))
    Solution(CoinGame(rows=(100, 100, 100), max_pick=None, misere=False), 8,203 of 1,030,301 states are lost)
    """
    if not isinstance(game, CoinGame):
        raise TypeError(f"solve: expected a CoinGame, got {game!r}; use minimax for other games")
    return _solve(game)


@lru_cache(maxsize=16)
def _solve(game: CoinGame) -> Solution:
    rows = np.array(game.rows, dtype=np.int64)
    shape = tuple(held + 1 for held in game.rows)
    size = math.prod(shape)
    # beside one byte a state, the marks of `mark_wins`: 4 bytes for each line of the table
    lines = size // (min(game.rows[:-1]) + 1) * (len(game.rows) - 1) if len(game.rows) > 1 else 0
    _check_memory(size + 4 * lines, size)
    wins = np.empty(size, dtype=bool)
    most = max(1, max(game.rows)) if game.max_pick is None else min(game.max_pick, max(1, max(game.rows)))
    kernels.fast().mark_wins(rows, most, wins, game.misere)
    wins.flags.writeable = False
    return Solution(game, wins.reshape(shape))


def _check_memory(needed: int, states: int) -> None:
    import psutil

    free = psutil.virtual_memory().available
    if needed > free:
        raise MemoryError(
            f"the table of {states:,} states would need {needed / 2**30:,.1f} GiB; {free / 2**30:,.1f} GiB are free"
        )
