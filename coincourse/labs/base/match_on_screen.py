"""A match at the screen: whose turn it is, what the computer answers, what can be taken back."""

from __future__ import annotations

import itertools

import numpy as np

from coinlib import named
from coinlib.match import Match

YOU = "You"
COMPUTER = "The computer"
LETTERS = {YOU: "Y", COMPUTER: "C"}  # written where a coin was taken


def verb(who: str, word: str) -> str:
    """The form of a verb that goes with a name.

    Examples
    --------
    >>> verb("You", "take"), verb("The computer", "take")
    ('take', 'takes')
    """
    return word if who == YOU else f"{word}s"


def does(who: str, word: str) -> str:
    """Who does something.

    Examples
    --------
    >>> does("You", "take"), does("The computer", "take")
    ('You take', 'The computer takes')
    """
    return f"{who} {verb(who, word)}"


class MatchOnScreen(Match):
    """A match at the screen: you against the computer, two people, or others at whom you look."""

    computer = COMPUTER  # its name in this match

    @property
    def mover(self) -> str:
        """Who is to move."""
        return self.names[self.turn - 1]

    @property
    def yours(self) -> bool:
        """Whether you are to move."""
        return self.mover == YOU and not self.over

    @property
    def made(self) -> list[tuple]:
        """The moves made so far, each with the name of who made it."""
        return list(zip(itertools.cycle(self.names), self.moves))

    @property
    def before_yours(self) -> list | None:
        """The moves before the last one that was made at the screen, if there is one."""
        yours = [number for number, (who, _) in enumerate(self.made) if who != self.computer]
        if not yours:
            return None
        return self.moves[: yours[-1]]

    def taken_back(self) -> list:
        """The moves that are left when yours is taken back; ValueError, in words, if there is none."""
        moves = self.before_yours
        if moves is None:
            raise ValueError("There is no move of yours to take back.")
        return moves

    def takers(self, row: int) -> list[str]:
        """Who took the coins of a row that are gone, from left to right: the coin taken last comes first."""
        takers = []
        for who, move in reversed(self.made):
            if move.row == row:
                takers += [who] * move.count
        return takers

    def choose(self, agent: str, seed: int):
        """The move that the agent of this name makes now: the same for the same seed and number of moves."""
        chance = np.random.default_rng([seed, len(self.moves)])
        return named.agent(agent, seed=chance)(self.game, self.state)

    def reply(self, agent: str, seed: int) -> None:
        """The computer's move, if it is its turn."""
        if self.mover == self.computer and not self.over:
            self.make(self.choose(agent, seed))
