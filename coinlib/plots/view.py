"""A learner's table, ready to be drawn: which states in which order, their names, what is legal, and what is right."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from coinlib import lazy
from coinlib.games import Move
from coinlib.plots import look

STATES_SHOWN = 40  # of more states than this only those nearest the start are shown
ROWS = "how many are left in row 0, row 1, ..."
LABELS = {  # what the names of states and of moves mean; a row may be of coins or of sticks
    "one row": {"hat": ("hat", "ball"), "state": ("how many are left", "take")},
    "rows": {"hat": (f"hat: {ROWS}", "ball (row:take)"), "state": (f"state: {ROWS}", "row:take")},
    "other": {"hat": ("hat", "ball"), "state": ("state", "move")},
}

States = Iterable | None  # which, in order; None for all, or of more than 40 those nearest the start
Winning = Callable[[Any], Iterable] | None  # the best moves of a state


class View:
    """Some states of a learner's table, and what it holds for them.

    Parameters
    ----------
    table : the learner's `table`
    numbers : array, states by moves
        Its balls or its values.
    winning : function state -> moves, or None
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
        numbers = np.asarray(numbers, dtype=float)
        if numbers.shape != table.legal.shape:
            wanted = f"{len(table.states)} states by {len(table.moves)} moves"
            raise ValueError(f"expected numbers of {wanted}, as this table has, got shape {numbers.shape}")
        self.game = _kind_of_game(table)
        self.one_row = self.game == "one row"
        self.states_label, self.moves_label = LABELS[self.game][kind]
        if states is not None:
            self.states = [(state,) if (state,) in table.index else state for state in states]
        else:
            self.states = all_states(table)
            if len(self.states) > STATES_SHOWN:
                self.left_out = f"{STATES_SHOWN} of {len(self.states):,} states: those nearest the start"
                nearest = _nearest(table)[:STATES_SHOWN]
                self.states = [state for state in self.states if state in nearest]
        rows = [table.row(state) for state in self.states]
        self.names = [look.state_name(state) for state in self.states]
        self.moves = [look.move_name(move, self.one_row) for move in table.moves]
        self.legal, self.numbers = table.legal[rows], numbers[rows]
        self.favourite = self.numbers.argmax(axis=1)
        best = [[*winning(state)] if self.marked else [] for state in self.states]
        self.right = np.array([[move in moves for move in table.moves] for moves in best])
        self.wins = [[*itertools.compress(self.moves, line)] for line in self.right]

    @property
    def shares(self) -> np.ndarray:
        """The share in % of each ball among those of its hat that can be played; 0 in an empty hat."""
        drawn = np.where(self.legal, self.numbers, 0)
        return 100 * (drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1))

    def frame(self) -> lazy.DataFrame:
        """The numbers as a table, without what is illegal; beside values the favourite, and what wins."""
        import pandas as pd

        index = pd.Index(self.names, name=self.kind)
        frame = pd.DataFrame(np.where(self.legal, self.numbers, np.nan), index=index, columns=self.moves)
        if self.kind == "state":
            frame["favourite"] = [self.moves[column] for column in self.favourite]
        if self.marked:
            frame["wins"] = [" ".join(names) for names in self.wins]
        return frame


def _kind_of_game(table) -> str:
    if not all(isinstance(move, Move) for move in table.moves):
        return "other"
    return "one row" if look.is_one_row(table.states[0]) else "rows"


def all_states(table) -> list:
    """The states in which the game goes on: single counts from small to large, all others from the start on."""
    states = [state for state, over in zip(table.states, table.over) if not over]
    kind = _kind_of_game(table)
    return states if kind == "other" else sorted(states, reverse=kind == "rows")


def _nearest(table) -> list:
    """The states in which the game goes on, those that the fewest moves lead to first."""
    order, level = {0: None}, [0]
    while level:
        after = table.next_state[level].ravel().tolist()
        level = [row for row in dict.fromkeys(after) if row >= 0 and row not in order]
        order |= dict.fromkeys(level)
    return [table.states[row] for row in order if not table.over[row]]
