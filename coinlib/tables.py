"""A game as arrays: every state, every move, and what each move leads to.

The rules come from `games` alone; code that works on arrays asks for a table.
"""

import functools
import math
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from coinlib.arguments import shown
from coinlib.games import CoinGame, GameError, as_game, moves_of, points_of, result_of

TABLE_BYTES = 2**26  # A larger table is refused.


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A finite game as arrays, S states by M moves; every move leads to a later row.

    Attributes
    ----------
    states : list
        The S states that can be reached, the start first.
    index : dict
        The row of each state.
    moves : tuple
        The M moves that can be named.
    column : dict
        The column of each move.
    next_state : int32 array, shape (S, M)
        Row of the state a move leads to, or -1 if it is illegal.
    reward : float64 array, shape (S, M)
        Points for the player who moves.
    result : float64 array, shape (S,)
        At the end, +1, 0 or -1 for the player who would move next; 0 before.
    over : bool array, shape (S,)
        Where the game has ended.
    """

    states: list
    index: dict
    moves: tuple
    column: dict
    next_state: np.ndarray
    reward: np.ndarray
    result: np.ndarray
    over: np.ndarray

    @cached_property
    def legal(self) -> np.ndarray:
        """bool array, shape (S, M): the legal moves."""
        return self.next_state >= 0

    @cached_property
    def checksum(self) -> str:
        """Eight hexadecimal digits that in practice differ between games."""
        arrays = (self.next_state, self.reward, self.result)
        return f"{zlib.crc32(b''.join(array.tobytes() for array in arrays)):08x}"

    def row(self, state) -> int:
        """The row of `state`; raises ValueError if play never reaches it."""
        try:
            return self.index[state]
        except (KeyError, TypeError):
            advice = f"; write {(state,)!r}" if isinstance(state, int) and (state,) in self.index else ""
            message = f"state: {shown(state)} cannot be reached from {self.states[0]!r}{advice}"
            raise ValueError(message) from None


def cached_by_game(function):
    """Decorator: cache a function of a game for the last 16 games.

    The result for a game that cannot be hashed is computed afresh each time.
    """
    cached = functools.lru_cache(maxsize=16, typed=True)(function)

    @functools.wraps(function)
    def function_of_game(game):
        game = as_game(game)
        try:
            hash(game)
        except TypeError:  # a student's class that defines __eq__ has no hash
            return function(game)
        return cached(game)

    function_of_game.cache_clear = cached.cache_clear
    return function_of_game


@cached_by_game
def tabulate(game) -> Table:
    """The table of a finite game: every state that can be reached, every move, every result.

    Parameters
    ----------
    game : Game
        Any game in which no state occurs twice.

    Returns
    -------
    Table

    Raises
    ------
    MemoryError
        If the table would need more than 64 MiB; the message says how much.
    ValueError
        If a state can occur twice in one game, or the rules are inconsistent.

    Examples
    --------
    >>> from coinlib import sticks
    >>> table = tabulate(sticks(4))
    >>> table.states
    [(4,), (3,), (2,), (1,), (0,)]
    >>> table.next_state[table.index[2,]].tolist()    # take 1, take 2, take 3
    [3, 4, -1]
    """
    if isinstance(game, CoinGame):  # A large one is rejected before anything is listed.
        _check_size(game.state_count, game.move_count)
    moves = tuple(game.moves)
    successors = _explore(game, moves)
    states = list(reversed(successors))  # reverse finishing order, so that moves lead to later rows
    index = {state: row for row, state in enumerate(states)}
    column = {move: number for number, move in enumerate(moves)}
    next_state = np.full((len(states), len(moves)), -1, dtype=np.int32)
    reward = np.zeros(next_state.shape)
    result = np.zeros(len(states))
    over = np.array([not successors[state] for state in states])
    for row, state in enumerate(states):
        if over[row]:
            result[row] = result_of(game, state)
        for move, following in successors[state]:
            next_state[row, column[move]] = index[following]
            reward[row, column[move]] = points_of(game, state, move)
    for array in (next_state, reward, result, over):
        array.flags.writeable = False  # shared by all users of this game
    return Table(states, index, moves, column, next_state, reward, result, over)


def _explore(game, moves: tuple) -> dict[Any, list]:
    """The pairs (move, next state) of each state; a state comes after all the states it leads to."""
    finished: dict[Any, list] = {}
    open_states: dict[Any, list] = {}  # on the path from the start to the current state
    named = frozenset(moves)
    stack = [(game.start, False)]
    while stack:
        state, all_below_is_finished = stack.pop()
        if all_below_is_finished:
            finished[state] = open_states.pop(state)
        elif state in open_states:
            raise GameError(f"state {state!r} can occur twice in one game; such games have no table")
        elif state not in finished:
            following = [] if game.is_over(state) else _successors(game, state, named)
            open_states[state] = following
            # This also rejects a game that never ends.
            _check_size(len(finished) + len(open_states), len(moves))
            stack.append((state, True))
            stack += [(after, False) for _, after in reversed(following)]
    return finished


def _successors(game, state, named: frozenset) -> list[tuple]:
    """The legal moves of a state, each with the state it leads to."""
    legal = moves_of(game, state)
    unnamed = [move for move in legal if move not in named]
    if unnamed:
        raise GameError(f"{unnamed[0]!r} is legal in state {state!r}, yet it is not among the game's moves")
    return [(move, game.play(state, move)) for move in legal]


def _check_size(states: int, moves: int) -> None:
    """Raise MemoryError for a table that is too large; a state takes about 400 bytes in Python."""
    needed = states * (moves * (4 + 8) + 400)
    table = f"a table of {number_words(states)} states and {number_words(moves)} moves"
    check_memory(needed, TABLE_BYTES, table)


def same_game(one, other) -> bool:
    """Whether two games are the same: equal or, if the class does not define `__eq__`, with equal tables.

    Examples
    --------
    >>> from coinlib import sticks
    >>> same_game(sticks(10), sticks(10)), same_game(sticks(10), sticks(11))
    (True, False)
    """
    if one is other or one == other:
        return True
    defines_equality = type(one).__eq__ is not object.__eq__
    if type(one) is not type(other) or defines_equality:
        return False
    table = tabulate(one)
    other_table = tabulate(other)
    if table.states != other_table.states or table.moves != other_table.moves:
        return False
    arrays = ("next_state", "reward", "result")
    return all(np.array_equal(getattr(table, name), getattr(other_table, name)) for name in arrays)


def check_memory(needed: int, most: int, table: str) -> None:
    """Raise MemoryError for a table that would need more than `most` bytes."""
    if needed > most:
        would_need = f"{number_words(needed >> 20)} MiB (at most {number_words(most >> 20)} MiB)"
        raise MemoryError(f"{table} would need {would_need}")


def number_words(number: int) -> str:
    """A number in a message: "1,030,301", or "about 10^400" if it is too long to read."""
    return f"{number:,}" if number < 10**30 else f"about 10^{math.log10(number):.0f}"
