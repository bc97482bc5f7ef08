"""Three piles: the game, who wins from every position, and what to say about it."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from coinlib.arguments import whole_number
from coinlib.games import Move, State, three_piles
from coinlib.solvers import solve
from coinlib.theory import nim_sum
from coinlib.words import take_words

from ..base.match_on_screen import MatchOnScreen

PILES = ("first", "second", "third")


class Piles(MatchOnScreen):
    """A game with three piles, and who wins from every position.

    Parameters
    ----------
    start : tuple of int
        Coins in piles 0, 1 and 2 before the first move.
    most : int
        The largest pile on the grid.

    Attributes
    ----------
    solution : Solution
        The solution of the game with `most` coins in each pile.
    notice : str
        Why nothing can be done.
    """

    def __init__(self, start: State, most: int) -> None:
        super().__init__(three_piles(*start))
        self.most = most
        self.solution = solve(three_piles(most, most, most))
        self.notice = ""

    @property
    def history(self) -> tuple[tuple[int, int], ...]:
        """The moves as plain pairs."""
        return tuple(map(tuple, self.moves))

    @property
    def best(self) -> list[Move]:
        """The moves that win from here."""
        return self.solution.best_moves(self.state)

    @property
    def leads(self) -> dict[State, Move]:
        """The legal moves, by the position that they leave."""
        return {self.game.play(self.state, move): move for move in self.game.legal_moves(self.state)}


def hard_piles(number: int) -> State:
    """Draw three different piles of 3 to 15 coins. For about half of all seeds they are a losing position.

    So only the nim-sum or a table tells you who should move first.

    Parameters
    ----------
    number : int
        The seed: another number gives other piles.

    Examples
    --------
    >>> hard_piles(1)
    (3, 14, 11)
    """
    chance = np.random.default_rng(whole_number(number, "number"))
    losing = chance.random() < 0.5
    while True:
        piles = tuple(chance.choice(np.arange(3, 16), size=3, replace=False).tolist())
        if (nim_sum(*piles) == 0) == losing:
            return piles


def unbroken(position: State) -> str:
    """A position as text without line breaks."""
    return str(position).replace(" ", "\N{NO-BREAK SPACE}")


def reason(left: State) -> str:
    """Why it is good to leave this losing position.

    Examples
    --------
    >>> reason((3, 3, 0))
    'what is left is two equal piles, and you copy: what is taken from one pile, you take from the other'
    """
    piles = [held for held in left if held]
    if not piles:
        return "that is the last coin, and the player who takes it wins"
    if len(piles) == 2 and piles[0] == piles[1]:
        return "what is left is two equal piles, and you copy: what is taken from one pile, you take from the other"
    return f"what is left, {left}, is a losing position: every move from there can be answered"


def verdict(data: Piles) -> Markup:
    """Who wins from here, and how."""
    where = f"{_best_step(data)}<strong>{data.state}</strong>:"
    if data.over:
        words = "no coin is left. The player to move has lost: the other side took the last coin."
        return Markup(f"{where} {words}")
    if data.best:
        ways = [
            f"take {take_words(data.game, move)} ({reason(data.game.play(data.state, move))})" for move in data.best
        ]
        words = f"The player to move can force a win: {'; or '.join(ways)}."
        return Markup(f"{where} <strong>a winning position.</strong> {words}")
    words = "Against perfect play the player to move loses: to every move there is an answer (see the table)."
    return Markup(f"{where} <strong>a losing position.</strong> {words}")


def _best_step(data: Piles) -> str:
    """The move of best play that led here, if there was one."""
    if not data.moves:
        return ""
    before = data.states[-2]
    taken = take_words(data.game, data.moves[-1])
    if data.solution.wins[before]:
        return f"{before}: best play took {taken}. "
    return f"{before} was a losing position, so no move was better than another; {taken} was taken. "
