"""The page of the three-pile lab: a position, who wins from there and why, in words and in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from coinlib.arguments import counted
from coinlib.games import CoinGame, Move, State
from coinlib.solvers import Solution
from coinlib.theory import nim_sum

STYLE = (Path(__file__).parent / "pile_lab.css").read_text(encoding="utf-8")
PILES = ("first", "second", "third")
YOU, COMPUTER = "you", "computer"
RULES = "Take any number of coins from one pile. Normal play: who takes the last coin wins."
POINT = "Point at a cell, a coin or a line of the table: what belongs together lights up."


@dataclass(frozen=True, eq=False)
class Position:
    """Three piles, the moves that led to them, and who wins from all positions.

    Attributes
    ----------
    state : tuple of int
        Coins in the first, second and third pile.
    history : tuple of Move
        The moves made since the start of the game.
    solution : Solution
        Of the game with as many coins in each pile as the grid has places.
    sums : int array, shape (n + 1, n + 1), or None
        The nim-sums of the slice, where they were asked for.
    notice : str
        What could not be done.
    """

    state: State
    history: tuple[Move, ...]
    solution: Solution
    sums: np.ndarray | None
    notice: str = ""

    @property
    def game(self) -> CoinGame:
        """The rules."""
        return self.solution.game

    @property
    def wins(self) -> np.ndarray:
        """bool array, shape (n + 1, n + 1): U of the first and second pile, with the third as it is."""
        return self.solution.wins[:, :, self.state[2]]

    @property
    def best(self) -> list[Move]:
        """The moves that win from here."""
        return self.solution.best_moves(self.state)

    @property
    def over(self) -> bool:
        """Whether no coin is left."""
        return self.game.is_over(self.state)

    def played(self) -> list[State]:
        """All positions of this game, from its start to where it is now; refuses moves that are not legal."""
        taken = [sum(move.count for move in self.history if move.row == row) for row in range(3)]
        states = [tuple(held + more for held, more in zip(self.state, taken))]
        for move in self.history:
            states.append(self.game.play(states[-1], move))
        return states

    def mover(self, starts: str, ply: int | None = None) -> str:
        """Who makes the move with this number (the next one, if left out): "you" or "computer"."""
        ply = len(self.history) if ply is None else ply
        return (YOU, COMPUTER)[(ply + (starts == COMPUTER)) % 2]


def draw(data: Position, playing: bool, starts: str) -> str:
    """The whole page as HTML; without the script of `Stage` it is a still picture.

    Parameters
    ----------
    data : Position
    playing : bool
        Whether a game is played, or positions are looked at.
    starts : str
        Who makes the first move of a game: "you" or "computer".
    """
    hidden = playing and data.history  # after the first move you are to find the moves yourself
    said = _story(data, starts) if hidden else _verdict(data, data.mover(starts) if playing else None)
    return (
        f"<div class='pile-lab'><style>{STYLE}</style>\n<p role='status'>{said}</p>\n"
        f"<p class='notice' role='note' aria-live='polite'>{escape(data.notice)}</p>\n"
        f"<div class='side'>{_slice(data, arrows=not hidden, reach=playing)}\n"
        f"<div class='rest'>{_piles(data, starts if playing else None)}\n"
        f"<p class='peek' data-peek='{POINT}'>{POINT}</p>\n"
        f"{'' if hidden else _answers(data)}</div></div>\n<p>{_legend(data, playing)}</p>\n<p>{RULES}</p></div>"
    )


# --- words ---------------------------------------------------------------------------------------------------


def took(move: Move) -> str:
    """A move in words: "7 from the third pile"."""
    return f"{move.count} from the {PILES[move.row]} pile"


def reason(left: State, who: str = YOU) -> str:
    """Why it is good for somebody ("you" or "computer") to leave a lost position.

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


def _ways(data: Position, state: State, best: list[Move], who: str) -> str:
    """The winning moves of a position in words, each with its reason."""
    return "; or ".join(f"take {took(move)} ({reason(data.game.play(state, move), who)})" for move in best)


def _verdict(data: Position, mover: str | None) -> str:
    """Who wins from here, and how; `mover` is "you" or "computer" before a game, None where nobody plays."""
    who = {None: "whoever moves", COMPUTER: "the computer"}.get(mover, mover)
    first = f"{who.capitalize()} {_s(mover, 'move')} first. " if mover else ""
    press = " Press “Best move” to see its move." if mover == COMPUTER else ""
    where = f"{_step(data)}<strong>{data.state}</strong>: "
    if data.over:
        return f"{where}no coin is left. Who has to move has lost, for the other side took the last coin."
    if data.best:
        ways = _ways(data, data.state, data.best, mover or YOU)
        return f"{where}<strong>won.</strong> {first}{who.capitalize()} can force a win: {ways}.{press}"
    return (
        f"{where}<strong>lost.</strong> {first}Against perfect play {who} {_s(mover, 'lose')}: "
        f"to every move there is an answer (see the table).{press}"
    )


def _step(data: Position) -> str:
    """The step of best play that led here."""
    if not data.history:
        return ""
    before, move = data.played()[-2], data.history[-1]
    if data.solution.wins[before]:
        return f"{before}: best play took {took(move)}. "
    return f"{before} was lost, so no move was better than another; {took(move)} was taken. "


def _s(mover: str | None, verb: str) -> str:
    return verb if mover == YOU else f"{verb}s"


def _story(data: Position, starts: str) -> str:
    """What the last moves of a game were, whether yours was right, and whose turn it is."""
    states, said = data.played(), []
    last = data.mover(starts, len(data.history) - 1)
    for ply in range(len(data.history))[-1 if last == YOU else -2 :]:
        yours, move = data.mover(starts, ply) == YOU, data.history[ply]
        said.append(f"{'You take' if yours else 'The computer takes'} {took(move)}.")
        if yours:
            said.append(_judged(data, states[ply], states[ply + 1]))
    if data.over:
        ends = "<strong>You win.</strong>" if last == YOU else "<strong>The computer wins.</strong>"
        return f"{' '.join(said)} That was the last coin. Normal play: who takes the last coin wins. {ends}"
    turn = "<strong>Your turn" if last == COMPUTER else "<strong>It is the computer's turn"
    return f"{' '.join(said)} {turn} at {data.state}.</strong>"


def _judged(data: Position, before: State, after: State) -> str:
    """Whether your move was a mistake."""
    best = data.solution.best_moves(before)
    if not best:
        return f"(From {before} no move could win against perfect play.)"
    if not data.solution.wins[after]:
        return f"Right: {after} is lost for the computer."
    return (
        f"<strong>That was a mistake.</strong> {before} was won for you: {_ways(data, before, best, YOU)}. "
        "Now the computer can force a win."
    )


def _answers(data: Position) -> str:
    """A table: the winning moves, or to each move of a lost position an answer."""
    if data.over:
        return ""
    if data.best:
        caption, heads = f"Winning moves from {data.state}", ("move", "leaves", "why")
        rows = [(move, reason(data.game.play(data.state, move))) for move in data.best]
    else:
        caption, heads = f"Each move from {data.state}, and an answer", ("move", "leaves", "answer")
        rows = [(move, _answer(data, move)) for move in data.game.legal_moves(data.state)]
    head = "".join(f"<th scope='col'>{words}</th>" for words in heads)
    body = "".join(
        f"<tr><td>{_link(data, move, -line)}</td><td>{_whole(data.game.play(data.state, move))}</td><td>{words}</td></tr>"
        for line, (move, words) in enumerate(rows)
    )
    return (
        f"<div class='answers' tabindex='0' role='group' aria-label='{caption}' data-group='words'>"
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _answer(data: Position, move: Move) -> str:
    left = data.game.play(data.state, move)
    answer = data.solution.best_moves(left)[0]
    return f"{took(answer)}, leaves {_whole(data.game.play(left, answer))}"


def _link(data: Position, move: Move, line: int) -> str:
    """A move in words that lights up its cell and its coins."""
    to = ",".join(map(str, data.game.play(data.state, move)))
    return f"<span data-to='{to}' data-x='0' data-y='{line}'>take {took(move)}</span>"


def _whole(state: tuple[int, ...]) -> str:
    """A position that is not broken at the end of a line."""
    return str(state).replace(" ", "\u00a0")


def _legend(data: Position, playing: bool) -> str:
    first, second = np.nonzero(~data.wins)
    pairs = " ".join(_whole(pair) for pair in zip(first.tolist(), second.tolist()))
    sums = " Numbers: the nim-sum of the three piles." if data.sums is not None else ""
    return (
        f"Orange with {'a ring' if sums else '●'}: lost for whoever moves there. All others are won.{sums} "
        f"Thick frame: where you are.{' Thin frames: what one move can reach.' if playing else ''} "
        "Arrows: winning moves; a jump on the strip is a move in the third pile.<br>"
        f"Lost in this slice (third pile: {data.state[2]}), as (first, second): {pairs}."
    )


# --- pictures ------------------------------------------------------------------------------------------------

LEFT, TOP, BELOW, GAP = 46, 24, 44, 42
SIDES = {7: 40, 15: 24, 31: 16}  # of a cell, for each size of the grid


def _slice(data: Position, arrows: bool, reach: bool) -> str:
    """The grid of the first and second pile, and beside it the strip of the third."""
    most = max(data.game.rows)
    side, numbers, (first, second, third) = SIDES[most], range(most + 1), data.state
    right, bottom = LEFT + (most + 1) * side, TOP + (most + 1) * side
    strip, width, height = right + GAP, right + GAP + side + 14, bottom + BELOW
    moves = [(move, data.game.play(data.state, move)) for move in data.game.legal_moves(data.state)]
    reached = [state for _, state in moves] if reach else []

    def corner(state: State, on_strip: bool = False) -> tuple[int, int]:
        x, up = (strip, state[2]) if on_strip else (LEFT + state[0] * side, state[1])
        return x, bottom - (up + 1) * side

    def cells(states: list[State], on_strip: bool) -> str:
        return "".join(_cell(data, each, corner(each, on_strip), side, on_strip, each in reached) for each in states)

    grid = cells([(one, two, third) for two in numbers for one in numbers], on_strip=False)
    column = cells([(first, second, three) for three in numbers], on_strip=True)
    drawn = [
        _arrow(corner(data.state, move.row == 2), corner(after, move.row == 2), side)
        for move, after in moves
        if arrows and move in data.best
    ]
    middle = (TOP + bottom) / 2
    return (
        f"<svg class='slice' viewBox='0 0 {width} {height}' style='max-width: {width}px' role='img' data-group='grid' "
        f"aria-label='Won and lost positions with the third pile at {third}; the same in words below.'><g>{grid}</g>"
        f"<text x='{(LEFT + right) / 2:g}' y='{height - 6}' text-anchor='middle'>first pile</text>"
        f"<text transform='translate(15 {middle:g}) rotate(-90)' text-anchor='middle'>second pile</text>"
        f"<text x='{width - 2}' y='15' text-anchor='end'>third pile</text>"
        f"<text x='{LEFT}' y='15'>Slice: third pile at {third}</text>{_scales(most, side, strip, bottom)}"
        f"<g data-group='strip' role='group' aria-label='third pile'>{column}</g>{''.join(drawn)}</svg>"
    )


def _scales(most: int, side: int, strip: int, bottom: int) -> str:
    """The numbers along the grid and the strip; most of them go where the picture is small."""
    marks = []
    for number in range(most + 1):
        if most > 15 and number % 5:
            continue
        look = "class='fine'" if number % 5 else ""
        x, y = LEFT + (number + 0.5) * side, bottom - (number + 0.5) * side + 4.5
        marks.append(f"<text {look} x='{x:g}' y='{bottom + 18}' text-anchor='middle'>{number}</text>")
        marks += [
            f"<text {look} x='{place - 5}' y='{y:g}' text-anchor='end'>{number}</text>" for place in (LEFT, strip)
        ]
    return "".join(marks)


def _cell(data: Position, state: State, corner: tuple[int, int], side: int, on_strip: bool, can: bool) -> str:
    """One position: its mark, or its nim-sum with a ring where it is lost."""
    lost, here = not data.solution.wins[state], state == data.state
    (left, top), (x, y) = corner, (corner[0] + side / 2, corner[1] + side / 2)
    marks = f"<rect x='{left}' y='{top}' width='{side}' height='{side}'/>"
    if data.sums is not None:
        value = nim_sum(*state) if on_strip else data.sums[state[:2]]
        low, size = y + side * 0.17, side * 0.48
        marks += f"<text x='{x:g}' y='{low:g}' text-anchor='middle' font-size='{size:g}'>{value}</text>"
    if lost:
        radius, look = (0.25, "") if data.sums is None else (0.4, " fill='none' stroke='currentColor' stroke-width='2'")
        marks += f"<circle cx='{x:g}' cy='{y:g}' r='{side * radius:g}'{look}/>"
    if here:
        inside = f"width='{side - 4}' height='{side - 4}'"
        marks += f"<rect class='frame' x='{left + 2}' y='{top + 2}' {inside}/>"
    names = " ".join(name for name, is_so in (("lost", lost), ("here", here), ("can", can)) if is_so)
    place = (0, state[2]) if on_strip else state[:2]
    return (
        f"<g class='{names}' data-to='{','.join(map(str, state))}' data-x='{place[0]}' data-y='{place[1]}'"
        f"{' data-now' if here else ''} role='img' aria-label='{state}: {'lost' if lost else 'won'}"
        f"{', you are here' if here else ''}'>{marks}</g>"
    )


def _arrow(start: tuple[int, int], end: tuple[int, int], side: int) -> str:
    """From the edge of one cell into another, to the left or down; clicks go through it."""
    over, down = (-1, 0) if start[1] == end[1] else (0, 1)

    def along(corner: tuple[int, int], far: float, aside: float = 0) -> str:
        """A point so far from the middle of a cell, in the direction of the arrow and across it."""
        x, y = corner[0] + side / 2 + over * far + down * aside, corner[1] + side / 2 + down * far + over * aside
        return f"{x:g},{y:g}"

    tip = -0.1 * side - 2
    line = f"d='M {along(start, side * 0.42)} L {along(end, tip - 9)}'"
    head = " ".join([along(end, tip), along(end, tip - 11, 7), along(end, tip - 11, -7)])
    return (
        f"<g style='pointer-events: none'><path class='edge' {line}/><path class='arrow' {line}/>"
        f"<polygon class='head' points='{head}'/></g>"
    )


def _piles(data: Position, starts: str | None) -> str:
    """The coins of each pile, and the places of those that are gone with the letter of who took them."""
    lines = []
    for row, held in enumerate(data.state):
        coins = "".join(_coin(data, Move(row, held - place), place) for place in range(held))
        for ply, move in reversed(list(enumerate(data.history))):
            letter = "" if starts is None else data.mover(starts, ply)[0].upper()
            coins += f"<span class='gone' aria-hidden='true'>{letter}</span>" * (move.count if move.row == row else 0)
        lines.append(
            f"<div class='pile'><span class='name'>{PILES[row]} pile: {held}</span><span class='coins' role='group' "
            f"data-group='pile {row}' aria-label='{PILES[row]} pile: {counted(held, 'coin')}'>{coins}</span></div>"
        )
    return "\n".join(lines)


def _coin(data: Position, move: Move, place: int) -> str:
    """A coin: to take it is to take all coins to its right as well."""
    to = ",".join(map(str, data.game.play(data.state, move)))
    return (
        f"<span class='coin' data-to='{to}' data-x='{place}' data-y='{move.row}' "
        f"role='img' aria-label='take {took(move)}, leaves ({to.replace(',', ', ')})'>●</span>"
    )
