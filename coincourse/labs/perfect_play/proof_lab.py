"""Which counts in one row are losing, and the step of the proof that explains why."""

from __future__ import annotations

from typing import NamedTuple

from coinlib import solve

from ..base.controls import number
from ..base.lab import Lab
from ..base.pages import styles
from ..base.sticks import ending, game_code, make_game, rules_in_words

MOST_STICKS = 30
MOST_TAKE = 12


class Position(NamedTuple):
    """One number of sticks.

    Attributes
    ----------
    sticks : int
    wins : bool
        Whether the player to move wins with perfect play, according to the solver.
    takes : list of int
        The takes that win.
    """

    sticks: int
    wins: bool
    takes: list[int]


class ProofLab(Lab):
    """The losing counts in one row of sticks, and the step of the proof for one count.

    The grid of counts has k + 1 columns, where k is the most that one move may take, so the losing
    counts form one column. The solver says which they are; the words next to the grid say why.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "sticks", "max_take", "ending".
    sticks : int
        The count to look at, 0 to 30; the pictures go up to it.
    max_take : int
        The most sticks that one move may take, 1 to 12.
    ending : {"normal", "misere"}

    Examples
    --------
    >>> lab = ProofLab(sticks=13)
    >>> [position.sticks for position in lab.data if not position.wins]
    [0, 4, 8, 12]
    >>> lab.ending = "misere"
    >>> [position.sticks for position in lab.data if not position.wins]
    [1, 5, 9, 13]
    """

    title = "Which counts are losing, and why?"
    goal = (
        "Move a slider: the pattern moves, and the proof with it. Point at a count, or tap it, to find it everywhere."
    )
    template = "proof.html"
    style = styles("proof.css")
    sticks = number("Sticks", "The count to look at; the pictures go up to it.", 0, MOST_STICKS, 20)
    max_take = number("Take at most", "The most sticks that one move can take.", 1, MOST_TAKE, 3)
    ending = ending("normal")

    @staticmethod
    def compute(sticks: int, max_take: int, ending: str) -> list[Position]:
        """The positions from 0 to `sticks`, according to the solver."""
        solution = solve(make_game(sticks, max_take, ending))
        positions = []
        for count in range(sticks + 1):
            takes = [move.count for move in solution.best_moves((count,))]
            positions.append(Position(count, bool(solution.wins[count]), takes))
        return positions

    @classmethod
    def draw(cls, data: list[Position], sticks: int, max_take: int, ending: str) -> str:
        """The grid of counts, and the step of the proof."""
        rules = rules_in_words(make_game(sticks, max_take, ending))
        return super().draw(data, sticks=sticks, max_take=max_take, ending=ending, rules=rules)

    @staticmethod
    def code(sticks: int, max_take: int, ending: str) -> str:
        """The lines of code that make the same data."""
        return f"""\
{game_code(sticks, max_take, ending)}
solution = solve(game)

data = [(n, bool(solution.wins[n]), [move.count for move in solution.best_moves((n,))]) for n in range({sticks + 1})]
data    # sticks, whether the player to move wins, the takes that win
"""
