"""Three piles in normal play: slices through the table of won and lost positions, and a game against perfect play."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from markupsafe import Markup

from coinlib.arguments import shown
from coinlib.games import Move, State, three_piles
from coinlib.solvers import solve
from coinlib.theory import nim_sum

from .controls import menu, number, seed, slider, tick
from .lab import Button, Lab, Row, acts
from .pages import TEMPLATES, styles
from .playing import COMPUTER, LETTERS, YOU, Playing
from .shared import with_imports

PILES = ("first", "second", "third")
SIZES = (7, 15, 31)  # coins in the largest pile
CLICKS = [("looks at a position", "look"), ("makes your move", "play")]
SIDES = [("you", "you"), ("the computer", "computer")]
SHOWN = ("third", "mode", "starts", "seed")  # the others when a lesson has explained them


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
    def best(self) -> list[Move]:
        """The moves that win from here."""
        return self.solution.best_moves(self.state)

    @property
    def leads(self) -> dict[State, Move]:
        """The legal moves, by what they leave."""
        return {self.game.play(self.state, move): move for move in self.game.legal_moves(self.state)}


class PileLab(Lab):
    """Who wins with three piles (normal play), slice by slice; and a game against a perfect player.

    The grid is the slice of the table U with the third pile held fixed by the slider. A click on
    a cell, a coin or a line of the table looks at that position, or, in a game, makes the move
    that leads there.

    Parameters
    ----------
    piles : sequence of int
        Coins in the first, second and third pile.
    controls : bool or iterable of str
        The controls to show: "third", "mode", "starts" and "seed" if nothing is said; also
        "first", "second", "sums" and "most". True for all.
    history : iterable of (row, count)
        The moves that led to `piles`, rows counted from 0.
    **settings
        A value for each control that should not have its default.

    Examples
    --------
    >>> lab = PileLab((3, 3, 7))
    >>> lab.data.best
    [Move(row=2, count=7)]
    >>> lab.third = 0
    >>> lab.data.best
    []
    """

    title = "Three piles: who wins?"
    goal = "Move the slider of the third pile and click a cell. Is it won for whoever moves there, and by which move?"
    template = "pile.html"
    style = styles("pile.css")
    first = number("First pile", "Coins in the first pile; the same as a click on a column.", 0, SIZES[-1], 3)
    second = number("Second pile", "Coins in the second pile; the same as a click on a line.", 0, SIZES[-1], 3)
    third = number("Third pile", "Coins in the third pile: which slice you see.", 0, SIZES[-1], 7)
    mode = menu(
        "A click",
        "Look around, or play from where you are: then the computer answers, and plays perfectly.",
        CLICKS,
        "look",
    )
    starts = menu("Moves first", "Who makes the first move of a game.", SIDES, "you")
    sums = tick("Nim-sums", "Writes the nim-sum (binary XOR) of the three piles into each cell.", keeps=True)
    most = slider("Largest pile", "How far the grid goes.", SIZES, 15)
    seed = seed(keeps=True)
    PAST: ClassVar = {"history": ()}
    LOOKS: ClassVar = ("sums",)

    def __init__(self, piles: Sequence[int] = (3, 3, 7), controls: bool | Iterable[str] = SHOWN, **settings) -> None:
        if len(piles) != len(PILES):
            raise ValueError(f"piles: expected three whole numbers, got {shown(piles)}")
        super().__init__(controls, **(dict(zip(PILES, piles)) | settings))

    @staticmethod
    def compute(
        first: int, second: int, third: int, starts: str, most: int, history: Iterable[tuple] = (), **look
    ) -> Piles:
        """The game that led to this position by these moves."""
        moves, start = [Move(*move) for move in history], [first, second, third]
        for move in moves:
            start[move.row] += move.count
        if max(start) > most:
            raise ValueError(f"piles: expected three whole numbers from 0 to {most}, got {tuple(start)}")
        piles = Piles(start, starts, most)
        for move in moves:
            piles.make(move)
        return piles

    @staticmethod
    def code(sums: bool, most: int, history: Iterable[tuple[int, int]] = (), **settings) -> str:
        """The lines of coinlib that make the same data."""
        numbers = f"""
numbers = range({most + 1})
data["sums"] = [[nim_sum(first, second, state[2]) for second in numbers] for first in numbers]"""
        start = PileLab.compute(most=most, history=history, **settings).states[0]
        moves = "".join(f"state = game.play(state, {tuple(move)})\n" for move in history)
        return with_imports(f"""\
game = three_piles({most}, {most}, {most})    # normal play: who takes the last coin wins
solution = solve(game)
state = {start}
{moves}
data = {{
    "state": state,
    "wins": solution.wins[:, :, state[2]],    # the slice: [first pile, second pile]
    "best": solution.best_moves(state),
}}{numbers if sums else ""}
data["best"]
""")

    @property
    def state(self) -> State:
        """The coins in the three piles."""
        return self.first, self.second, self.third

    # --- what can be done

    @acts
    def go(self, state: State) -> None:
        """Look at a position, as a click on its cell does; in a game, make the move that leads there."""
        data, state = self.data, tuple(state)
        if self.mode == "look":
            return self._place(state)
        if data.over:
            raise ValueError("This game is over. Press “New game” or “Start again”.")
        if data.mover == COMPUTER:
            raise ValueError("It is the computer's turn. Press “Best move” to see its move.")
        if state not in data.leads:
            raise ValueError(f"No move leads from {data.state} to {state}: take coins from one pile.")
        self._make(data.leads[state])

    @acts
    def best_move(self) -> None:
        """One step of best play for whoever is to move; in a game the computer then answers yours."""
        if self.data.over:
            raise ValueError("No coin is left, so there is no move.")
        self._make(self.data.choose("perfect", self.seed))

    def start_again(self) -> None:
        """Put back the coins of this game."""
        self._place(self.data.states[0])

    def new_game(self) -> None:
        """Other piles, which the next seed names."""
        self.follow(seed=(self.seed + 1) % 10_000)
        self._place(np.random.default_rng(self.seed).integers(1, self.most, size=3, endpoint=True).tolist())

    def _make(self, move: Move) -> None:
        """A move, and in a game the answer to yours."""
        self.data.make(move)
        if self.mode == "play":
            self.data.reply("perfect", self.seed)
        self.follow(**dict(zip(PILES, self.data.state)))

    def _place(self, state: Iterable[int]) -> None:
        """Begin a game with these piles."""
        self.change(**dict(zip(PILES, state)), history=())

    def clicked(self, to: str) -> None:
        """A cell, a coin or a line of the table."""
        self.go(tuple(map(int, to.split(","))))

    # --- what is on the screen

    def moved(self, name: str) -> None:
        """Another start; a smaller grid takes the piles along."""
        if self.CONTROLS[name].keeps:
            self.redraw()
        else:
            self._place(min(held, self.most) for held in self.state)

    def now(self) -> dict[str, dict[str, Any]]:
        """The sliders go as far as the grid; in the middle of a game they follow, and cannot be moved."""
        playing = self.mode == "play" and bool(self.data and self.data.moves)
        return {name: {"most": self.most, "disabled": playing} for name in PILES}

    def rows(self) -> dict[str, Row]:
        """Buttons."""
        buttons = [
            Button("Best move", "One step of best play for whoever is to move", self.best_move),
            Button("Start again", "Put back the coins of this game", self.start_again),
            Button("New game", "Other piles, which the next seed names", self.new_game),
        ]
        return {"moves": Row(buttons)}

    # --- without a kernel

    def events(self, first: PileLab) -> Iterator[str]:
        """Best play to the end from the lesson's position, and one move from any other."""
        if not self.data.moves or self.data.states[0] == first.state:
            yield "press Best move"
        yield "press Start again"

    def anywhere(self) -> Iterator[str]:
        """A click on any position."""
        return (f"to {a},{b},{c}" for a, b, c in itertools.product(range(self.most + 1), repeat=3))


# --- words ---------------------------------------------------------------------------------------------------


def took(move: Move) -> str:
    """A move in words: "7 from the third pile"."""
    return f"{move.count} from the {PILES[move.row]} pile"


def whole(position: State) -> str:
    """A position that is not broken at the end of a line."""
    return str(position).replace(" ", "\N{NO-BREAK SPACE}")


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
        copy, take = ("the computer copies", "it takes") if who == COMPUTER else ("you copy", "you take")
        return f"what is left is two equal piles, and {copy}: what is taken from one pile, {take} from the other"
    return f"what is left, {left}, is lost: every move from there can be answered"


def verdict(data: Piles, playing: bool) -> Markup:
    """Who wins from here, and how: whoever begins a game, or anybody where nobody plays."""
    mover = data.mover if playing else "Whoever moves"
    where, s = f"{_best_step(data)}<strong>{data.state}</strong>: ", "s" * (mover != YOU)
    if data.over:
        return Markup(f"{where}no coin is left. Who has to move has lost, for the other side took the last coin.")
    first = f"{mover} move{s} first. " * playing
    if data.best:
        words = f"<strong>won.</strong> {first}{mover} can force a win: {_ways(data, data.state, mover)}."
    else:
        loses = f"Against perfect play {mover.lower()} lose{s}"
        words = f"<strong>lost.</strong> {first}{loses}: to every move there is an answer (see the table)."
    return Markup(where + words + " Press “Best move” to see its move." * (mover == COMPUTER))


def _best_step(data: Piles) -> str:
    """The step of best play that led here, if one did."""
    if not data.moves:
        return ""
    before, taken = data.states[-2], took(data.moves[-1])
    if data.solution.wins[before]:
        return f"{before}: best play took {taken}. "
    return f"{before} was lost, so no move was better than another; {taken} was taken. "


def story(data: Piles) -> Markup:
    """What the last moves of a game were, whether yours was right, and whose turn it is."""
    words, (last, _) = [], data.made[-1]
    moves = list(zip(data.states, data.made, data.states[1:]))
    for before, (who, move), after in moves[-1 if last == YOU else -2 :]:
        words.append(f"{who} take{'s' * (who != YOU)} {took(move)}.")
        if who == YOU:
            words.append(_judged(data, before, after))
    if data.over:
        words.append("That was the last coin. Normal play: who takes the last coin wins.")
        ends = f"{last} win{'s' * (last != YOU)}."
    else:
        turn = "Your turn" if data.yours else "It is the computer's turn"
        ends = f"{turn} at {data.state}."
    return Markup(f"{' '.join(words)} <strong>{ends}</strong>")


def _judged(data: Piles, before: State, after: State) -> str:
    """Whether your move was a mistake."""
    if not data.solution.wins[before]:
        return f"(From {before} no move could win against perfect play.)"
    if not data.solution.wins[after]:
        return f"Right: {after} is lost for the computer."
    ways = f"{before} was won for you: {_ways(data, before, YOU)}. Now the computer can force a win."
    return f"<strong>That was a mistake.</strong> {ways}"


def _ways(data: Piles, state: State, who: str) -> str:
    """The winning moves of a position in words, each with its reason."""
    best = data.solution.best_moves(state)
    return "; or ".join(f"take {took(move)} ({reason(data.game.play(state, move), who)})" for move in best)


TEMPLATES.filters |= {"took": took, "reason": reason, "whole": whole, "verdict": verdict, "story": story}
TEMPLATES.globals |= {"PILES": PILES, "LETTERS": LETTERS, "nim_sum": nim_sum}
