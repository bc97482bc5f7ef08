"""Small games as a student would write them: the seven names of a game, with no base class."""

from __future__ import annotations

from dataclasses import dataclass

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class NoughtsAndCrosses:
    """Three in a row wins."""

    start = "." * 9
    moves = tuple(range(9))

    def won(self, state):
        return any(state[a] == state[b] == state[c] != "." for a, b, c in LINES)

    def legal_moves(self, state):
        return [] if self.is_over(state) else [square for square in self.moves if state[square] == "."]

    def play(self, state, square):
        return state[:square] + "XO"[state.count(".") % 2 == 0] + state[square + 1 :]

    def is_over(self, state):
        return self.won(state) or "." not in state

    def reward(self, state, square):
        return 0

    def result(self, state):
        return -1 if self.won(state) else 0


@dataclass
class Taking:
    """One row from which a move takes one of some amounts; a player who cannot move loses, or wins in misère play.

    Like every plain dataclass it is mutable, so it cannot be a dictionary key.
    """

    start: int = 10
    moves: tuple = (1, 2)
    misere: bool = False
    points: float = 0

    def legal_moves(self, state):
        return [take for take in self.moves if take <= state]

    def play(self, state, take):
        return state - take

    def is_over(self, state):
        return not self.legal_moves(state)

    def reward(self, state, take):
        return self.points

    def result(self, state):
        return 1 if self.misere else -1


@dataclass(frozen=True)
class Ladder:
    """Climb one or two steps and earn points; the player who reaches the top gets one more, and ties are common."""

    steps: int
    moves = (1, 2)
    start = 0

    def legal_moves(self, state):
        return [climb for climb in self.moves if state + climb <= self.steps]

    def play(self, state, climb):
        return state + climb

    def is_over(self, state):
        return state == self.steps

    def reward(self, state, climb):
        return (state + climb) % 3

    def result(self, state):
        return -1


OWN_GAMES = {
    "noughts and crosses": NoughtsAndCrosses(),
    "taking one or two": Taking(),
    "ladder": Ladder(8),
}
