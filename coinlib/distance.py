"""How far a policy is from perfect play, measured with the exact solver."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from coinlib.match import who_begins
from coinlib.solvers import perfect_play
from coinlib.tables import Table


class Distance(NamedTuple):
    """How far a learner is from perfect play, counted over the states it may face that are not lost.

    These are the states in which it can be the learner's turn and from which perfect play wins
    or at least ties; in games without ties they are the winning states. A move is right if it
    preserves the value of perfect play.

    Attributes
    ----------
    winning : int
        The number of such states.
    visited : int
        How many of them it has made a move in at least once while learning.
    right : int
        How many of them have a favourite move that is right.
    beats_perfect, ties_perfect : float
        The chances of a win and of a tie in one game against a perfect opponent, which makes each
        of its best moves with equal probability.
    """

    winning: int
    visited: int
    right: int
    beats_perfect: float
    ties_perfect: float

    @property
    def perfect(self) -> bool:
        """Whether the favourite move is right in all of these states."""
        return self.right == self.winning


def distance(table: Table, policy: np.ndarray, visits: np.ndarray, first: str = "agent") -> Distance:
    """How far a policy is from perfect play.

    Parameters
    ----------
    table : Table
        The game, S states by M moves.
    policy : float64 array, shape (S, M)
        How likely each move is; all 0 where the game is over.
    visits : int array, shape (S,)
        How often it has made a move in each state.
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" counts the states for both seats and averages the chances.

    Returns
    -------
    Distance

    Examples
    --------
    >>> from coinlib import RandomAgent, sticks
    >>> from coinlib.tables import tabulate
    >>> game = sticks(3, max_pick=2)
    >>> weights = RandomAgent().move_weights(game, tabulate(game))
    >>> policy = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)    # take 1 or 2, equally likely
    >>> distance(tabulate(game), policy, np.zeros(4, dtype=int))
    Distance(winning=1, visited=0, right=0, beats_perfect=0.5, ties_perfect=0.0)
    """
    begins = who_begins(first)
    value, best = perfect_play(table)
    to_win = _turns(table, begins) & (value >= 0)
    right = best[np.arange(len(best)), policy.argmax(axis=1)]
    beats, ties = _chances(table, policy, best, begins)
    return Distance(
        winning=int(np.count_nonzero(to_win)),
        visited=int(np.count_nonzero(to_win & (visits > 0))),
        right=int(np.count_nonzero(to_win & right)),
        beats_perfect=beats,
        ties_perfect=ties,
    )


def _turns(table: Table, begins: list[int]) -> np.ndarray:
    """bool array, shape (S,): the states in which it can be the agent's turn, whatever legal moves are made."""
    after = np.zeros((2, len(table.states)), dtype=bool)  # after an even and after an odd number of moves
    after[0, 0] = True
    for row, following in enumerate(table.next_state):
        next_rows = following[following >= 0]
        other_parity = after[::-1, [row]]
        after[:, next_rows] |= other_parity
    return after[begins].any(axis=0) & ~table.over


def _chances(table: Table, policy: np.ndarray, best: np.ndarray, begins: list[int]) -> tuple[float, float]:
    """The chances that a policy wins and that it ties against a perfect opponent.

    This follows all games at once, from the start, with the policy's lead in points. If all the opponent's moves
    lose, they all count as best, and it may make any of them.
    """
    perfect = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
    policies = (policy, perfect)
    # For each state: the probability of each (side to move, the policy's lead).
    reached: list[Counter] = [Counter() for _ in table.states]
    for side in begins:
        reached[0][side, 0] = 1 / len(begins)
    ends: Counter = Counter()  # the probability of +1, 0 and -1
    for row, arrivals in enumerate(reached):  # No move leads to an earlier row.
        for (side, lead), chance in arrivals.items():
            sign = 1 if side == 0 else -1
            if table.over[row]:
                ends[int(np.sign(lead + sign * table.result[row]))] += chance
            for move in np.flatnonzero(policies[side][row]):
                after = table.next_state[row, move]
                part = chance * policies[side][row, move]
                if after < 0:  # Only the policy makes illegal moves, and they forfeit.
                    ends[-1] += part
                else:
                    reached[after][1 - side, lead + sign * table.reward[row, move]] += part
    total = ends.total()  # 1 up to rounding
    return float(ends[1] / total), float(ends[0] / total)
