"""A learner's table, ready to be drawn: which states in which order, their names, what is legal, and what is right."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from coinlib.arguments import shown
from coinlib.games import Move
from coinlib.plots import look

STATES_SHOWN = 40  # of more states than this only those nearest the start are shown
ROWS = "how many are left in row 0, row 1, ..."
LABELS = {  # what the name of a hat means, of a ball, of a state, of a move; a row may be of coins or of sticks
    "one row": ("hat", "ball", "how many are left", "take"),
    "rows": (f"hat: {ROWS}", "ball (row:take)", f"state: {ROWS}", "row:take"),
    "other": ("hat", "ball", "state", "move"),
}

States = Iterable | None  # which, in order; None for all, or of more than 40 those nearest the start
Winning = Callable[[Any], Iterable] | np.ndarray | None  # the best moves of a state, or a bool array of states by moves


class View:
    """Some states of a learner's table, and what it holds for them.

    Parameters
    ----------
    table : the learner's `table`
    numbers : array, states by moves
        Its balls or its values.
    winning : function state -> moves, or bool array of states by moves, or None
        The right moves.
    states : iterable of states, or None
        Which, in order; None for all, or of more than 40 those nearest the start.
    kind : "hat" or "state"
        What a state is called.

    Attributes
    ----------
    states, names : list, length S
        The states shown, and as words.
    moves : list of str, length M
    numbers : float array, shape (S, M)
    legal, right : bool array, shape (S, M)
    favourite : int array, shape (S,)
        The column of the largest number, the first among equals.
    wins : list of lists of str, length S
        The names of the right moves.
    marked, one_row : bool
        Whether it is known what is right; whether a state is a single count.
    game : "one row", "rows" or "other"
        Of coins, or another one.
    states_label, moves_label : str
        What the names mean.
    left_out : str
        What the picture has to say of the states left out.
    """

    def __init__(self, table, numbers, winning: Winning = None, states: States = None, kind: str = "state"):
        self.kind, self.marked, self.left_out = kind, winning is not None, ""
        self.one_row = _one_row(table)
        coins = all(isinstance(move, Move) for move in table.moves)
        self.game = "other" if not coins else "one row" if self.one_row else "rows"
        labels = LABELS[self.game]
        self.states_label, self.moves_label = labels[:2] if kind == "hat" else labels[2:]
        every = all_states(table)
        if states is not None:
            self.states = [_named(table, state) for state in states]
        elif len(every) > STATES_SHOWN:
            self.left_out = f"{STATES_SHOWN} of {len(every):,} states: those nearest the start"
            nearest = _nearest(table)[:STATES_SHOWN]
            self.states = [state for state in every if state in nearest]
        else:
            self.states = every
        rows = [table.index[state] for state in self.states]
        self.names = [look.state_name(state) for state in self.states]
        self.moves = [look.move_name(move, self.one_row) for move in table.moves]
        self.legal = table.next_state[rows] >= 0
        self.numbers = _fitting(table, numbers, "balls" if kind == "hat" else "values")[rows]
        self.favourite = self.numbers.argmax(axis=1)
        self.right = _right(table, winning, rows)
        self.wins = [[*itertools.compress(self.moves, line)] for line in self.right]

    @property
    def shares(self) -> np.ndarray:
        """The share in % of each ball among those of its hat that can be played; 0 in an empty hat."""
        drawn = np.where(self.legal, self.numbers, 0)
        return 100 * (drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1))

    def frame(self) -> look.DataFrame:
        """The numbers as a table, without what is illegal; beside values the favourite, and what wins."""
        import pandas as pd

        index = pd.Index(self.names, name=self.kind)
        frame = pd.DataFrame(np.where(self.legal, self.numbers, np.nan), index=index, columns=self.moves)
        if self.kind == "state":
            frame["favourite"] = [self.moves[column] for column in self.favourite]
        if self.marked:
            frame["wins"] = [" ".join(names) for names in self.wins]
        return frame


def _one_row(table) -> bool:
    return isinstance(table.states[0], tuple) and len(table.states[0]) == 1


def all_states(table) -> list:
    """The states in which the game goes on: single counts from small to large, others the other way, the start first."""
    states = [state for state, over in zip(table.states, table.over) if not over]
    try:
        return sorted(states, reverse=not _one_row(table))
    except TypeError:  # a student's own states may have no order
        return states


def _nearest(table) -> list:
    """The states in which the game goes on, those that the fewest moves lead to first."""
    order = {0: None}
    level = [0]
    while level:
        after = table.next_state[level].ravel().tolist()
        level = [row for row in dict.fromkeys(after) if row >= 0 and row not in order]
        order |= dict.fromkeys(level)
    return [table.states[row] for row in order if not table.over[row]]


def _named(table, state) -> Any:
    """A state in which the game goes on, as the table has it: on one row a number will do."""
    for known in (state, (state,)):
        if known in table.index and not table.over[table.index[known]]:
            return known
    raise ValueError(f"states: {shown(state)} is not a state in which somebody is to move")


def _fitting(table, numbers, what: str) -> np.ndarray:
    """Numbers as an array of states by moves."""
    array, (states, moves) = np.asarray(numbers, dtype=float), table.next_state.shape
    if array.shape != (states, moves):
        raise ValueError(f"{what}: expected {states} states by {moves} moves, got shape {array.shape}")
    if what == "balls" and (array[table.next_state >= 0] < 0).any():
        raise ValueError(f"balls: expected 0 or more, got {array[table.next_state >= 0].min():g}")
    return array


def _right(table, winning: Winning, rows: list[int]) -> np.ndarray:
    """bool array, some rows of the table by moves: the moves that win."""
    shape = table.next_state.shape
    if callable(winning):
        right = np.zeros(shape, dtype=bool)
        for row in rows:
            best = [*winning(table.states[row])]
            if not set(best) <= set(table.moves):
                raise ValueError(
                    f"winning: in state {table.states[row]}: expected moves of the game, got {shown(best)}"
                )
            right[row] = [move in best for move in table.moves]
    else:
        right = np.zeros(shape, dtype=bool) if winning is None else np.asarray(winning)
    if right.shape != shape or right.dtype != bool:
        wanted = f"a bool array of shape {shape}, or a function state -> moves"
        raise ValueError(f"winning: expected {wanted}; got {shown(winning)}")
    return right[rows]
