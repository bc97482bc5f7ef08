"""The history of hats: what was done with them, entry by entry, so that all of it can be repeated.

In `settings`, and so in a notebook, an entry is a plain tuple: the name of its kind, and its fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import cycle
from typing import ClassVar, NamedTuple

from coinlib.arguments import shown
from coinlib.match import who_begins

AGAINST_YOU = "you"  # the partner with this name is you; all others are in PARTNERS
# who moves first, under the names that `train` uses
SEATS = {"computer": "agent", "other": "opponent", "alternate": "alternate"}


class Partner(NamedTuple):
    """A player the computer can practise with.

    Attributes
    ----------
    name : str
        The name in a sentence.
    words : str
        The name in the menu.
    code : str
        The name in the code.
    made : str
        The code that makes it; {0} is the seed of the hats, and {1} the next one.
    """

    name: str
    words: str
    code: str
    made: str


PARTNERS = {
    "itself": Partner("The other side", "itself, from the same hats", "hats", "Hats(game, seed={0})"),
    "twin": Partner("The twin", "a twin with its own hats", "twin", "Hats(game, seed={1})"),
    "random": Partner("The random player", "a random player", "other", "RandomAgent(seed={1})"),
}


class Entry:
    """One entry of a history; each kind is a small dataclass."""

    kind: ClassVar[str]

    @property
    def plain(self) -> tuple:
        """The entry as a tuple: the name of its kind, and its fields."""
        return (self.kind, *(getattr(self, field.name) for field in fields(self)))

    def redo(self, state) -> None:
        """Repeat it with this `HatsState`."""
        raise NotImplementedError

    def code(self, before: Sequence[Entry], sticks: int) -> list[str]:
        """The lines of code that do the same, after the entries `before`, with this number of sticks at the start."""
        raise NotImplementedError


@dataclass(frozen=True)
class Training(Entry):
    """Practice games with one partner."""

    kind = "train"
    games: int
    partner: str
    first: str

    def redo(self, state) -> None:
        """Practise."""
        state.train(self.games, self.partner, self.first)

    def code(self, before: Sequence[Entry], sticks: int) -> list[str]:
        """One call of `train`."""
        return [f'train(hats, {PARTNERS[self.partner].code}, games={self.games:_}, first="{SEATS[self.first]}")']


@dataclass(frozen=True)
class BallsPut(Entry):
    """Balls of one number put into a hat by hand."""

    kind = "put"
    hat: int
    ball: int
    balls: int

    def redo(self, state) -> None:
        """Put the balls in."""
        state.put(self.hat, self.ball, self.balls)

    def code(self, before: Sequence[Entry], sticks: int) -> list[str]:
        """One call of `put`."""
        return [f"hats.put({self.hat}, move={self.ball}, balls={self.balls:_})"]


@dataclass(frozen=True)
class GameWithYou(Entry):
    """A finished game with you: who moved first, "computer" or "other", and your takes."""

    kind = "play"
    first: str
    takes: Sequence[int]

    def redo(self, state) -> None:
        """Play the game."""
        state.sit(AGAINST_YOU, self.first)
        for count in self.takes:
            state.take(count)

    def code(self, before: Sequence[Entry], sticks: int) -> list[str]:
        """One call of `play_match`."""
        you = f"ScriptedAgent({', '.join(map(str, self.takes))})"
        pair = f"hats, {you}" if self.first == "computer" else f"{you}, hats"
        return [f"play_match(game, {pair}, learn=True)    # your moves"]


@dataclass(frozen=True)
class OpenGame(Entry):
    """A game that is not over, with the takes of both sides; it can only be the last entry."""

    kind = "open"
    partner: str
    first: str
    takes: Sequence[int]

    def redo(self, state) -> None:
        """Begin the game, and make the same moves."""
        state.sit(self.partner, self.first)
        state.replay(self.takes)

    def code(self, before: Sequence[Entry], sticks: int) -> list[str]:
        """One line for each ball drawn from the hats."""
        lines = ["seat = hats.sit()    # a game that is not over: its balls lie next to their hats"]
        order = ["seat", "other_seat"]
        if self.partner == "itself":
            lines.append("other_seat = hats.sit(seat)")
        if who_moves_first(before, self.partner, self.first) == "other":
            order.reverse()
        left = sticks
        for seat, count in zip(cycle(order), self.takes):
            if seat == "seat" or self.partner == "itself":
                lines.append(f"{seat}(game, ({left},))    # draws a {count}")
            left -= count
        return lines


KINDS = {kind.kind: kind for kind in (Training, BallsPut, GameWithYou, OpenGame)}


def read_history(history: Iterable[Sequence]) -> list[Entry]:
    """The entries of a history of plain tuples; ValueError if the kind of one is unknown.

    Examples
    --------
    >>> read_history([("train", 100, "itself", "other")])
    [Training(games=100, partner='itself', first='other')]
    """
    entries = []
    for plain in history:
        try:
            kind, *values = plain
            entries.append(KINDS[kind](*values))
        except (KeyError, TypeError, ValueError):
            expected = ", ".join(f"({kind!r}, ...)" for kind in KINDS)
            raise ValueError(f"history: expected {expected}, got {shown(plain)}") from None
    return entries


def games_so_far(history: Sequence[Entry], partner: str, first: str) -> int:
    """How many games in the same training run come just before the next game with this partner."""
    last = history[-1] if history else None
    if isinstance(last, Training) and (last.partner, last.first) == (partner, first):
        return last.games
    return 0


def who_moves_first(history: Sequence[Entry], partner: str, first: str, learnt: int = 0) -> str:
    """Who moves first in the next game, "computer" or "other".

    If they take turns, this depends on the number of games before this one: games in the same training run or,
    against you, all games the hats have learnt from (`learnt`).
    """
    games_before = learnt if partner == AGAINST_YOU else games_so_far(history, partner, first)
    order = who_begins(SEATS[first])  # 0 is the agent, here the computer
    return "computer" if order[games_before % len(order)] == 0 else "other"
