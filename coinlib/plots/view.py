"""A learner's table, ready to be drawn: which states in which order, their names, what is legal, and what is right."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from coinlib.arguments import shown
from coinlib.games import Move
from coinlib.plots.look import move_name, state_name

if TYPE_CHECKING:
    from pandas import DataFrame

STATES_SHOWN = 40  # of more states than this only those nearest the start are shown
ROWS = "how many are left in row 0, row 1, ..."
LABELS = {  # what the name of a hat means, of a ball, of a state, of a move; a row may be of coins or of sticks
    "one row": ("hat", "ball", "how many are left", "take"),
    "rows": (f"hat: {ROWS}", "ball (row:take)", f"state: {ROWS}", "row:take"),
    "other": ("hat", "ball", "state", "move"),
}

Winning = Callable[[Any], Iterable] | np.ndarray  # the best moves of a state, or a bool array of states by moves


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
        Which, in order; None for those nearest the start.
    kind : "hat" or "state"
        What a state is called.
    most : int or None
        How many states are enough where none are named; None for all.

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
    notes : list of str
        What the picture has to say of the states left out.
    """

    def __init__(
        self,
        table,
        numbers,
        winning: Winning | None = None,
        states: Iterable | None = None,
        kind: str = "state",
        most: int | None = STATES_SHOWN,
    ) -> None:
        coins = all(isinstance(move, Move) for move in table.moves)
        self.kind, self.marked = kind, winning is not None
        self.one_row = isinstance(table.states[0], tuple) and len(table.states[0]) == 1
        self.game = "other" if not coins else "one row" if self.one_row else "rows"
        labels = LABELS[self.game]
        self.states_label, self.moves_label = labels[:2] if kind == "hat" else labels[2:]
        rows, self.notes = _rows(table, states, most, self.one_row)
        self.states = [table.states[row] for row in rows]
        self.names = [state_name(state) for state in self.states]
        self.moves = [move_name(move, self.one_row) for move in table.moves]
        self.legal = table.next_state[rows] >= 0
        self.numbers = _numbers(table, numbers, "balls" if kind == "hat" else "values")[rows]
        self.favourite = self.numbers.argmax(axis=1)
        self.right = _right(table, winning)[rows]
        self.wins = [[*itertools.compress(self.moves, line)] for line in self.right]

    @property
    def shares(self) -> np.ndarray:
        """The share in % of each ball among those of its hat that can be played; 0 in an empty hat."""
        drawn = np.where(self.legal, self.numbers, 0)
        return 100 * (drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1))

    def frame(self) -> DataFrame:
        """The numbers as a table, without what is illegal, and what wins."""
        import pandas as pd

        index = pd.Index(self.names, name=self.kind)
        frame = pd.DataFrame(np.where(self.legal, self.numbers, np.nan), index=index, columns=self.moves)
        return frame.assign(wins=[*map(" ".join, self.wins)]) if self.marked else frame


def _rows(table, states: Iterable | None, most: int | None, one_row: bool) -> tuple[list[int], list[str]]:
    """The rows of the states to show, in order, and a note if that is not all."""
    going_on = {state: row for row, state in enumerate(table.states) if not table.over[row]}
    if states is not None:
        rows = []
        for state in states:
            row = going_on.get(state, going_on.get((state,)))  # on one row a number will do
            if row is None:
                raise ValueError(f"states: {shown(state)} is not a state in which somebody is to move")
            rows.append(row)
        return rows, []
    rows, notes = [*going_on.values()], []
    if most is not None and len(rows) > most:
        notes = [f"{most} of {len(rows):,} states: those nearest the start"]
        rows = _nearest(table)[:most]
    try:  # single counts from small to large, others from large to small, so that the start leads
        return sorted(rows, key=lambda row: table.states[row], reverse=not one_row), notes
    except TypeError:  # a student's own states may have no order
        return sorted(rows), notes


def _nearest(table) -> list[int]:
    """The rows where the game goes on, those that the fewest moves lead to first."""
    order, seen = [0], {0}
    for row in order:
        for after in table.next_state[row]:
            if after >= 0 and after not in seen:
                seen.add(int(after))
                order.append(int(after))
    return [row for row in order if not table.over[row]]


def _numbers(table, numbers, what: str) -> np.ndarray:
    array, (states, moves) = np.asarray(numbers, dtype=float), table.next_state.shape
    if array.shape != (states, moves):
        raise ValueError(f"{what}: expected {states} states by {moves} moves, got shape {array.shape}")
    least = array[table.next_state >= 0].min(initial=math.inf)
    if what == "balls" and not least >= 0:
        raise ValueError(f"balls: expected 0 or more, got {least:g}")
    return array


def _right(table, winning: Winning | None) -> np.ndarray:
    """bool array, states by moves: the moves that win."""
    shape = table.next_state.shape
    if callable(winning):
        right = np.zeros(shape, dtype=bool)
        for row in np.flatnonzero(~table.over):
            best = [*winning(table.states[row])]
            if not set(best) <= set(table.moves):
                raise ValueError(
                    f"winning: in state {table.states[row]}: expected moves of the game, got {shown(best)}"
                )
            right[row] = [move in best for move in table.moves]
        return right
    right = np.zeros(shape, dtype=bool) if winning is None else np.asarray(winning)
    if right.shape != shape or right.dtype != bool:
        raise ValueError(
            f"winning: expected a bool array of shape {shape}, or a function state -> moves; got {shown(winning)}"
        )
    return right
