"""A game becomes arrays: every state, every move, and what each move leads to.

The rules of games are decided in `games` alone; whoever works on arrays asks for a table.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from coinlib.arguments import shown
from coinlib.games import GameError, moves_of, points_of, read_game, result_of

TABLE_BYTES = 2**26  # a larger table is refused


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A finite game as arrays, S states by M moves; the states stand so that play only goes down.

    Attributes
    ----------
    states : list
        The S states that can be reached, the start first; every move leads to a later one.
    index : dict
        The row of each state.
    moves : tuple
        The M moves that can be named.
    column : dict
        The column of each move.
    next_state : int32 array, shape (S, M)
        Row of the state a move leads to, or -1 where it is illegal.
    reward : float64 array, shape (S, M)
        Points to the mover.
    result : float64 array, shape (S,)
        At the end, +1, 0 or -1 for whoever would move next; 0 before.
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

    def row(self, state) -> int:
        """The row of `state`; raises ValueError if play never reaches it."""
        try:
            return self.index[state]
        except (KeyError, TypeError):
            mend = f"; write {(state,)!r}" if isinstance(state, int) and (state,) in self.index else ""
            raise ValueError(f"state: {shown(state)} cannot be reached from {self.states[0]!r}{mend}") from None


def kept(function):
    """Keep what a function found for the last 16 games; one that cannot be the key of a dictionary is read anew."""
    recent = functools.lru_cache(maxsize=16, typed=True)(function)

    @functools.wraps(function)
    def remembered(game):
        game = read_game(game)
        try:
            hash(game)
        except TypeError:  # a class of a student that says what is equal, and so has no hash
            return function(game)
        return recent(game)

    remembered.cache_clear = recent.cache_clear
    return remembered


@kept
def tabulate(game) -> Table:
    """The table of a finite game: every state that can be reached, every move, every result.

    Parameters
    ----------
    game : Game
        Any game whose states do not come twice.

    Returns
    -------
    Table

    Raises
    ------
    MemoryError
        If the table would need more than 64 MiB; the message says how much.
    ValueError
        If a state can come twice in one game, or the rules do not hold together.

    Examples
    --------
    >>> from coinlib import sticks
    >>> table = tabulate(sticks(4))
    >>> table.states
    [(4,), (3,), (2,), (1,), (0,)]
    >>> table.next_state[table.index[2,]].tolist()    # take 1, take 2, take 3
    [3, 4, -1]
    """
    _check_size(getattr(game, "state_count", 0), getattr(game, "move_count", 0))  # before they are listed
    moves = tuple(game.moves)
    after = _explore(game, moves)
    states = list(after)[::-1]  # last finished first: every move leads down the list
    index = {state: row for row, state in enumerate(states)}
    column = {move: number for number, move in enumerate(moves)}
    next_state = np.full((len(states), len(moves)), -1, dtype=np.int32)
    reward, result = np.zeros(next_state.shape), np.zeros(len(states))
    over = np.array([not after[state] for state in states])
    for row, state in enumerate(states):
        if over[row]:
            result[row] = result_of(game, state)
        for move, following in after[state]:
            next_state[row, column[move]] = index[following]
            reward[row, column[move]] = points_of(game, state, move)
    for array in (next_state, reward, result, over):
        array.flags.writeable = False  # shared by everybody who plays this game
    return Table(states, index, moves, column, next_state, reward, result, over)


def same_game(one, other) -> bool:
    """Whether two games are the same: equal or, where their class does not say what is equal, with the same table.

    Examples
    --------
    >>> from coinlib import sticks
    >>> same_game(sticks(10), sticks(10)), same_game(sticks(10), sticks(11))
    (True, False)
    """
    if one is other or one == other:
        return True
    says_what_is_equal = type(one).__eq__ is not object.__eq__
    if type(one) is not type(other) or says_what_is_equal:
        return False
    table, same = tabulate(one), tabulate(other)
    return (
        table.states == same.states
        and table.moves == same.moves
        and np.array_equal(table.next_state, same.next_state)
        and np.array_equal(table.reward, same.reward)
        and np.array_equal(table.result, same.result)
    )


def _explore(game, moves: tuple) -> dict:
    """The moves of each state with what they lead to, every state after all that it leads to."""
    after: dict[Any, list] = {}
    open_states: dict[Any, list] = {}  # those on the way from the start to here
    stack, named = [(game.start, False)], frozenset(moves)
    while stack:
        state, known = stack.pop()
        if known:  # all that it leads to
            after[state] = open_states.pop(state)
        elif state in open_states:
            raise GameError(f"state {state!r} can come twice in one game; such games have no table")
        elif state not in after:
            open_states[state] = [] if game.is_over(state) else _moves_from(game, state, named)
            _check_size(len(after) + len(open_states), len(moves))  # also of a game that never ends
            following = [(below, False) for _, below in open_states[state]]
            stack += [(state, True), *reversed(following)]
    return after


def _moves_from(game, state, named: frozenset) -> list[tuple]:
    """The legal moves of a state in which somebody is to move, with what they lead to."""
    legal = moves_of(game, state)
    if unnamed := [move for move in legal if move not in named]:
        raise GameError(f"{unnamed[0]!r} is legal in state {state!r}, yet it is not among the game's moves")
    return [(move, game.play(state, move)) for move in legal]


def _check_size(states: int, moves: int) -> None:
    # about so many bytes, with the states as Python holds them
    needed = states * (moves * (4 + 8) + 400)
    check_memory(needed, TABLE_BYTES, f"a table of {amount(states)} states and {amount(moves)} moves")


def check_memory(needed: int, most: int, table: str) -> None:
    """MemoryError for a table that would need more bytes than it may."""
    if needed > most:
        raise MemoryError(f"{table} would need {amount(needed >> 20)} MiB (at most {amount(most >> 20)} MiB)")


def amount(number: int) -> str:
    """A number of things in a message: "1,030,301", or "about 10^400" where it is too long to read."""
    return f"{number:,}" if number < 10**30 else f"about 10^{math.log10(number):.0f}"
