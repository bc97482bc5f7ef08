"""A learner's table, ready to be drawn: the states in order, their names, and which moves are legal and right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from coinlib.games import Move
from coinlib.plots import look
from coinlib.words import short_move

STATES_SHOWN = 40  # If there are more, only those nearest the start are shown.

States = Iterable | None  # the states to show, in order; None for all, or the 40 nearest the start
Winning = Callable[[Any], Iterable] | None  # a function from a state to its best moves


class View:
    """Some states of a learner's table, with its numbers for them.

    Parameters
    ----------
    table : the learner's `table`
    numbers : array, states by moves
        The learner's balls or values.
    winning : function state -> moves, or None
        The right moves.
    states : iterable of states, or None
        Which states, in order; None for all, or for the 40 nearest the start if there are more.

    Attributes
    ----------
    states, names : list, length S
        The states shown, and their names.
    moves : list of str, length M
    numbers : float array, shape (S, M)
    legal, right : bool array, shape (S, M)
    favourite : int array, shape (S,)
        The column of the largest number, the first if there is a tie.
    wins : list of lists of str, length S
        The names of the right moves.
    kind : "one row", "rows" or "other"
        The kind of game.
    notes : list of str
        A note about omitted states, if there are any.
    """

    def __init__(self, table, numbers, winning: Winning = None, states: States = None):
        numbers = np.asarray(numbers, dtype=float)
        if numbers.shape != table.legal.shape:
            wanted = f"{len(table.states)} states by {len(table.moves)} moves"
            raise ValueError(f"expected numbers of {wanted}, as this table has, got shape {numbers.shape}")
        self.table = table
        self.winning = winning
        self.states, self.notes = _states_shown(table, states)
        rows = [table.row(state) for state in self.states]
        self.kind = _kind_of_game(table)
        self.names = [look.state_name(state) for state in self.states]
        self.moves = [short_move(move, self.kind == "one row") for move in table.moves]
        self.numbers = numbers[rows]
        self.legal = table.legal[rows]
        self.favourite = self.numbers.argmax(axis=1)

    @cached_property
    def right(self) -> np.ndarray:
        right = np.zeros(self.legal.shape, dtype=bool)
        if self.winning is not None:
            for line, state in zip(right, self.states):
                best = list(self.winning(state))
                line[:] = [move in best for move in self.table.moves]
        return right

    @cached_property
    def wins(self) -> list[list[str]]:
        return [[self.moves[column] for column in np.flatnonzero(line)] for line in self.right]

    @property
    def shares(self) -> np.ndarray:
        """The share in % of each ball among the playable balls of its hat; 0 in an empty hat."""
        playable = np.where(self.legal, self.numbers, 0)
        return 100 * (playable / np.maximum(playable.sum(axis=1, keepdims=True), 1))


def _states_shown(table, states: States) -> tuple[list, list[str]]:
    """The states to show, and a note if some are omitted."""
    if states is not None:
        return [(state,) if (state,) in table.index else state for state in states], []
    every = all_states(table)
    if len(every) <= STATES_SHOWN:
        return every, []
    nearest = _nearest(table)[:STATES_SHOWN]
    note = f"{STATES_SHOWN} of {len(every):,} states: those nearest the start"
    return [state for state in every if state in nearest], [note]


def _kind_of_game(table) -> str:
    """Whether a table is for "one row" of coins, for several "rows", or for some "other" game."""
    if not all(isinstance(move, Move) for move in table.moves):
        return "other"
    start = table.states[0]
    return "one row" if len(start) == 1 else "rows"


def all_states(table) -> list:
    """The states in which the game is not over: single counts in increasing order, others from the start on."""
    states = [state for state, over in zip(table.states, table.over) if not over]
    kind = _kind_of_game(table)
    if kind == "one row":
        return sorted(states)
    if kind == "rows":
        return sorted(states, reverse=True)
    return states


def _nearest(table) -> list:
    """The states in which the game is not over, in order of the fewest moves from the start."""
    reached = {0: True}  # The rows of the table in the order in which they are reached; a dictionary keeps it.
    level = [0]
    while level:
        after = dict.fromkeys(table.next_state[level].ravel().tolist())
        level = [row for row in after if row >= 0 and row not in reached]
        reached |= dict.fromkeys(level, True)
    return [table.states[row] for row in reached if not table.over[row]]
