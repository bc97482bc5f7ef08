"""A match on the screen: whose turn it is, the computer's answer, and what can be taken back."""

from __future__ import annotations

import itertools

import numpy as np

from coinlib import named
from coinlib.match import Match

YOU = "You"
COMPUTER = "The computer"
LETTERS = {YOU: "Y", COMPUTER: "C"}  # shown where a coin was taken


def conjugate(who: str, word: str) -> str:
    """The form of a verb that agrees with a name.

    Examples
    --------
    >>> conjugate("You", "take"), conjugate("The computer", "take")
    ('take', 'takes')
    """
    return word if who == YOU else f"{word}s"


def with_verb(who: str, word: str) -> str:
    """A name and its verb.

    Examples
    --------
    >>> with_verb("You", "take"), with_verb("The computer", "take")
    ('You take', 'The computer takes')
    """
    return f"{who} {conjugate(who, word)}"


def within_sentence(who: str) -> str:
    """A name within a sentence.

    Examples
    --------
    >>> within_sentence("The computer"), within_sentence("Player 1")
    ('the computer', 'Player 1')
    """
    return who.lower() if who in (YOU, COMPUTER) else who


class MatchOnScreen(Match):
    """A match on the screen: you against the computer, two people, or two players that you watch."""

    @property
    def player_to_move(self) -> str:
        """The name of the player to move."""
        return self.names[self.turn - 1]

    @property
    def yours(self) -> bool:
        """Whether it is your turn."""
        return self.player_to_move == YOU and not self.over

    @property
    def made(self) -> list[tuple]:
        """The moves so far, each with the name of its player."""
        return list(zip(itertools.cycle(self.names), self.moves))

    @property
    def before_yours(self) -> list | None:
        """The moves before the last one that a person made; None if no person has moved."""
        yours = [number for number, (who, _) in enumerate(self.made) if who != COMPUTER]
        if not yours:
            return None
        return self.moves[: yours[-1]]

    def taken_back(self) -> list:
        """The moves that remain after yours is taken back; ValueError if there is none to take back."""
        moves = self.before_yours
        if moves is None:
            raise ValueError("You have no move to take back.")
        return moves

    def takers(self, row: int) -> list[str]:
        """Who took the missing coins of a row, from left to right: the coin taken last comes first."""
        takers = []
        for who, move in reversed(self.made):
            if move.row == row:
                takers += [who] * move.count
        return takers

    def choose(self, agent: str, seed: int):
        """The move that the agent with this name chooses: always the same for the same seed and number of moves."""
        chance = np.random.default_rng([seed, len(self.moves)])
        return named.agent(agent, seed=chance)(self.game, self.state)

    def reply(self, agent: str, seed: int) -> None:
        """Make the computer's move, if it is its turn."""
        if self.player_to_move == COMPUTER and not self.over:
            self.make(self.choose(agent, seed))
