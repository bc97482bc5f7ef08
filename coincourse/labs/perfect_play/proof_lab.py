"""Where the lost counts lie on one row, and the step of the proof that says why."""

from __future__ import annotations

from typing import NamedTuple

from coinlib import solve
from coinlib.theory import grundy

from ..base.controls import number
from ..base.lab import Lab
from ..base.pages import styles
from ..base.sticks import ending, game_code, make_game

MOST_STICKS = 30
MOST_TAKE = 12


class Position(NamedTuple):
    """One number of sticks.

    Attributes
    ----------
    sticks : int
    wins : bool
        Whether whoever moves wins with perfect play, by the solver.
    takes : list of int
        The takes that win.
    value : int or None
        The Grundy value of what one plays for: all the sticks in normal play, all but the
        poisoned one in misère play (None if there is none).
    """

    sticks: int
    wins: bool
    takes: list[int]
    value: int | None


class ProofLab(Lab):
    """The lost counts of one row of sticks, and for one count the step of the proof.

    The counts stand in a grid with k + 1 columns, where k is the most that one move may take:
    so the lost ones stand in one column. The solver says which they are; the last lines say why.

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

    title = "Which counts are lost, and why?"
    goal = "Move a slider: the pattern moves, and the proof with it. Point at a count to find it everywhere."
    template = "proof.html"
    style = styles("proof.css")
    sticks = number("Sticks", "The count to look at; the pictures go up to it.", 0, MOST_STICKS, 20)
    max_take = number("Take at most", "The most sticks that one move may take.", 1, MOST_TAKE, 3)
    ending = ending("normal")

    @staticmethod
    def compute(sticks: int, max_take: int, ending: str) -> list[Position]:
        """The positions from 0 to `sticks`, with what the solver and the theory say of them."""
        game = make_game(sticks, max_take, ending)
        solution = solve(game)
        poison = 1 if game.misere else 0  # a stick that nobody wants
        positions = []
        for count in range(sticks + 1):
            takes = [move.count for move in solution.best_moves((count,))]
            value = grundy(count - poison, max_take) if count >= poison else None
            positions.append(Position(count, bool(solution.wins[count]), takes, value))
        return positions

    @staticmethod
    def code(sticks: int, max_take: int, ending: str) -> str:
        """The lines of coinlib that make the same data."""
        if ending == "normal":
            played = "n"
            value = f"grundy(n, {max_take})"
        else:
            played = "n - 1"
            value = f"grundy(n - 1, {max_take}) if n else None"
        return f"""\
{game_code(sticks, max_take, ending)}
solution = solve(game)

data = [
    (n, bool(solution.wins[n]), [move.count for move in solution.best_moves((n,))], {value})
    for n in range({sticks + 1})
]
data    # sticks, whether whoever moves wins, the takes that win, the Grundy value of {played} sticks
"""
