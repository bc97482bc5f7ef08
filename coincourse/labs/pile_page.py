"""The page of the three-pile lab: a position, who wins from there and why, in words and in a picture."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from coinlib.games import Move, State, three_piles
from coinlib.solvers import solve
from coinlib.theory import nim_sum

from .pages import TEMPLATES, page
from .playing import COMPUTER, LETTERS, YOU, Playing

PILES = ("first", "second", "third")
POINT = "Point at a cell, a coin or a line of the table: what belongs together lights up."


class Piles(Playing):
    """A game with three piles, and who wins from every position.

    Parameters
    ----------
    start : tuple of int
        Coins in the first, second and third pile before the first move.
    starts : {"you", "computer"}
        Who makes the first move of a game.
    most : int
        The largest pile that the grid has a place for.

    Attributes
    ----------
    solution : Solution
        Of the game with `most` coins in each pile.
    notice : str
        What could not be done.
    """

    def __init__(self, start: State, starts: str, most: int) -> None:
        super().__init__(three_piles(*start), names=(YOU, COMPUTER) if starts == "you" else (COMPUTER, YOU))
        self.most, self.solution, self.notice = most, solve(three_piles(most, most, most)), ""

    @property
    def history(self) -> tuple[tuple[int, int], ...]:
        """The moves as plain pairs, which read the same in a repr."""
        return tuple(map(tuple, self.moves))

    @property
    def wins(self) -> np.ndarray:
        """bool array, shape (n + 1, n + 1): U of the first and second pile, with the third as it is."""
        return self.solution.wins[:, :, self.state[2]]

    @property
    def sums(self) -> np.ndarray:
        """int array, shape (n + 1, n + 1): the nim-sums of the same positions."""
        numbers = range(self.most + 1)
        return np.array([[nim_sum(first, second, self.state[2]) for second in numbers] for first in numbers])

    @property
    def best(self) -> list[Move]:
        """The moves that win from here."""
        return self.solution.best_moves(self.state)

    @property
    def leads(self) -> dict[State, Move]:
        """The legal moves, by what they leave."""
        return {self.game.play(self.state, move): move for move in self.game.legal_moves(self.state)}


def draw(data: Piles, mode: str, sums: bool, **settings) -> str:
    """Words, the slice with the winning moves drawn, the piles, and the moves with their answers.

    Parameters
    ----------
    data : Piles
    mode : {"look", "play"}
        Whether positions are looked at, or a game is played.
    sums : bool
        Whether the nim-sums stand in the cells.
    """
    playing = mode == "play"
    hidden = playing and bool(data.moves)  # after the first move you are to find the moves yourself
    return page(
        "pile.html",
        data=data,
        words=_story(data) if hidden else _verdict(data, data.mover if playing else ""),
        playing=playing,
        sums=sums,
        third=data.state[2],
        point=POINT,
        piles=_piles(data, playing),
        answers=[] if hidden else _answers(data),
        caption=f"Winning moves from {data.state}" if data.best else f"Each move from {data.state}, and an answer",
        lost=np.argwhere(~data.wins).tolist(),
        **_slice(data, sums, playing, arrows=not hidden),
    )


# --- words ---------------------------------------------------------------------------------------------------


def took(move: Move) -> str:
    """A move in words: "7 from the third pile"."""
    return f"{move.count} from the {PILES[move.row]} pile"


def reason(left: State, who: str = YOU) -> str:
    """Why it is good for somebody, you or the computer, to leave a lost position.

    Examples
    --------
    >>> reason((3, 3, 0))
    'what is left is two equal piles, and you copy: what is taken from one pile, you take from the other'
    """
    piles = [held for held in left if held]
    if not piles:
        return "that is the last coin, and who takes it wins"
    if len(piles) == 2 and piles[0] == piles[1]:
        copy, take = ("you copy", "you take") if who == YOU else ("the computer copies", "it takes")
        return f"what is left is two equal piles, and {copy}: what is taken from one pile, {take} from the other"
    return f"what is left, {left}, is lost: every move from there can be answered"


def _ways(data: Piles, state: State, who: str) -> str:
    """The winning moves of a position in words, each with its reason."""
    best = data.solution.best_moves(state)
    return "; or ".join(f"take {took(move)} ({reason(data.game.play(state, move), who)})" for move in best)


def _verdict(data: Piles, mover: str) -> Markup:
    """Who wins from here, and how; `mover` is who begins a game, "" where nobody plays."""
    who = mover.lower() or "whoever moves"
    s = "" if mover == YOU else "s"
    first = f"{mover} move{s} first. " if mover else ""
    where = Markup("{}<strong>{}</strong>: ").format(_step(data), data.state)
    if data.over:
        return where + "no coin is left. Who has to move has lost, for the other side took the last coin."
    if data.best:
        ways = f"{who.capitalize()} can force a win: {_ways(data, data.state, mover or YOU)}."
        verdict = Markup("<strong>won.</strong> {}{}").format(first, ways)
    else:
        against = f"Against perfect play {who} lose{s}: to every move there is an answer (see the table)."
        verdict = Markup("<strong>lost.</strong> {}{}").format(first, against)
    return where + verdict + " Press “Best move” to see its move." * (mover == COMPUTER)


def _step(data: Piles) -> str:
    """The step of best play that led here."""
    if not data.moves:
        return ""
    before, move = data.states[-2], data.moves[-1]
    if data.solution.wins[before]:
        return f"{before}: best play took {took(move)}. "
    return f"{before} was lost, so no move was better than another; {took(move)} was taken. "


def _story(data: Piles) -> str:
    """What the last moves of a game were, whether yours was right, and whose turn it is."""
    words, last = [], data.made[-1][0]
    moves = list(zip(data.states, data.states[1:], data.made))
    for before, after, (who, move) in moves[-1 if last == YOU else -2 :]:
        words.append(f"{who} take{'s' * (who != YOU)} {took(move)}.")
        if who == YOU:
            words.append(_judged(data, before, after))
    if data.over:
        words.append("That was the last coin. Normal play: who takes the last coin wins.")
        ends = f"{last} win{'s' * (last != YOU)}."
    else:
        turn = "Your turn" if data.yours else "It is the computer's turn"
        ends = f"{turn} at {data.state}."
    return Markup(" ").join([*words, Markup("<strong>{}</strong>").format(ends)])


def _judged(data: Piles, before: State, after: State) -> str:
    """Whether your move was a mistake."""
    if not data.solution.wins[before]:
        return f"(From {before} no move could win against perfect play.)"
    if not data.solution.wins[after]:
        return f"Right: {after} is lost for the computer."
    ways = f"{before} was won for you: {_ways(data, before, YOU)}. Now the computer can force a win."
    return Markup("<strong>That was a mistake.</strong> {}").format(ways)


def _answers(data: Piles) -> list[tuple[Move, State, str]]:
    """The winning moves with their reasons, or each move of a lost position with an answer."""
    if data.best:
        return [(move, after, reason(after)) for after, move in data.leads.items() if move in data.best]
    found = []
    for after, move in data.leads.items():
        answer = data.solution.best_moves(after)[0]
        found.append((move, after, f"{took(answer)}, leaves {whole(data.game.play(after, answer))}"))
    return found


def whole(position) -> str:
    """A position that is not broken at the end of a line."""
    return str(tuple(position)).replace(" ", "\N{NO-BREAK SPACE}")


TEMPLATES.filters |= {"took": took, "whole": whole}


# --- pictures ------------------------------------------------------------------------------------------------

LEFT, TOP, BELOW, GAP = 46, 24, 44, 42
SIDES = {7: 40, 15: 24, 31: 16}  # of a cell, for each size of the grid


class Cell(NamedTuple):
    """One position as it is drawn, with its corner and its place for the arrow keys."""

    state: State
    to: str
    x: int
    y: int
    middle: tuple[float, float]
    place: tuple[int, int]
    looks: str
    lost: bool
    here: bool
    sum: int | None


def _slice(data: Piles, sums: bool, reach: bool, arrows: bool) -> dict:
    """What is drawn of the grid of the first and second pile, and of the strip of the third beside it."""
    most, (first, second, third) = data.most, data.state
    side, numbers = SIDES[most], range(most + 1)
    right, bottom = LEFT + (most + 1) * side, TOP + (most + 1) * side
    strip = right + GAP
    reached = data.leads if reach else ()
    wins = data.solution.wins.tolist()

    def corner(state: State, on_strip: bool) -> tuple[int, int]:
        x, up = (strip, state[2]) if on_strip else (LEFT + state[0] * side, state[1])
        return x, bottom - (up + 1) * side

    def cell(*state: int, on_strip: bool = False) -> Cell:
        lost, here = not wins[state[0]][state[1]][state[2]], state == data.state
        marks = {"lost": lost, "here": here, "can": state in reached}
        looks = " ".join(name for name, is_so in marks.items() if is_so)
        place = (0, state[2]) if on_strip else state[:2]
        to, (x, y) = ",".join(map(str, state)), corner(state, on_strip)
        return Cell(
            state, to, x, y, (x + side / 2, y + side / 2), place, looks, lost, here, nim_sum(*state) if sums else None
        )

    return {
        "cells": [cell(one, two, third) for two in numbers for one in numbers],
        "column": [cell(first, second, three, on_strip=True) for three in numbers],
        "arrows": [
            _arrow(corner(data.state, move.row == 2), corner(after, move.row == 2), side)
            for after, move in data.leads.items()
            if arrows and move in data.best
        ],
        "scale": [number for number in numbers if most <= 15 or number % 5 == 0],
        "side": side,
        "left": LEFT,
        "top": TOP,
        "right": right,
        "bottom": bottom,
        "strip": strip,
        "width": strip + side + 14,
        "height": bottom + BELOW,
    }


def _arrow(start: tuple[int, int], end: tuple[int, int], side: int) -> tuple[str, str]:
    """Line and head from the edge of one cell into another, to the left or down."""
    over, down = (-1, 0) if start[1] == end[1] else (0, 1)

    def along(corner: tuple[int, int], far: float, aside: float = 0) -> str:
        """A point so far from the middle of a cell, in the direction of the arrow and across it."""
        x, y = corner[0] + side / 2 + over * far + down * aside, corner[1] + side / 2 + down * far + over * aside
        return f"{x:g},{y:g}"

    tip = -0.1 * side - 2
    head = " ".join([along(end, tip), along(end, tip - 11, 7), along(end, tip - 11, -7)])
    return f"M {along(start, side * 0.42)} L {along(end, tip - 9)}", head


def _piles(data: Piles, playing: bool) -> list[dict]:
    """The coins of each pile, each with the move that takes it and all to its right, and who took those that are gone."""
    piles = []
    for row, left in enumerate(data.state):
        moves = [Move(row, left - place) for place in range(left)]
        gone = [LETTERS[who] if playing else "" for who in data.takers(row)]
        coins = [(data.game.play(data.state, move), move) for move in moves]
        piles.append({"name": PILES[row], "coins": coins, "gone": gone})
    return piles
