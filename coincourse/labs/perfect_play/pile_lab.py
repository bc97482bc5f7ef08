"""Three piles in normal play: slices of the table of positions, and best play from each of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from coinlib.arguments import shown
from coinlib.games import Move, State
from coinlib.theory import nim_sum
from coinlib.words import take_words

from ..base.buttons import Button, ButtonRow
from ..base.controls import number, seed, slider, tick
from ..base.lab import Lab, acts
from ..base.pages import styles
from .piles import PILES, Piles, reason, unbroken, verdict

SIZES = (7, 15, 31)  # coins in the largest pile
SHOWN = ("third", "seed")  # A lesson shows other controls once it has explained them.
HELPERS = {  # what the template calls
    "nim_sum": nim_sum,
    "reason": reason,
    "take_words": take_words,
    "unbroken": unbroken,
    "verdict": verdict,
}


class PileLab(Lab):
    """Who wins with three piles (normal play), slice by slice.

    The grid is the slice of the table U for the size of pile 2 on the slider. A click on a cell, a coin or a line
    of the table shows that position.

    Parameters
    ----------
    piles : sequence of int
        Coins in piles 0, 1 and 2.
    controls : bool or iterable of str
        The controls to show: by default "third" and "seed"; also "first", "second", "sums" and "most". True for all.
    history : iterable of (row, count)
        The moves that led to `piles`; rows count from 0.
    **settings
        Values for controls; the others keep their defaults.

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
    goal = "Move the slider of pile 2, or choose a cell. Can the player to move win there, and by which move?"
    template = "pile.html"
    once = True
    style = styles("pile.css")
    first = number("Pile 0", "Coins in pile 0; the same as choosing a column.", 0, SIZES[-1], 3)
    second = number("Pile 1", "Coins in pile 1; the same as choosing a line.", 0, SIZES[-1], 3)
    third = number("Pile 2", "Coins in pile 2: which slice you see.", 0, SIZES[-1], 7)
    sums = tick("Nim-sums", "Writes the nim-sum (binary XOR) of the three piles into each cell.", keeps=True)
    sums.tag(look=True)
    most = slider("Largest pile", "How far the grid goes.", SIZES, 15)
    seed = seed(keeps=True)
    PAST: ClassVar = {"history": ()}

    def __init__(self, piles: Sequence[int] = (3, 3, 7), controls: bool | Iterable[str] = SHOWN, **settings) -> None:
        if len(piles) != len(PILES):
            raise ValueError(f"piles: expected three whole numbers, got {shown(piles)}")
        super().__init__(controls, **(dict(zip(PILES, piles)) | settings))

    @staticmethod
    def compute(first: int, second: int, third: int, most: int, history: Iterable[tuple] = (), **look) -> Piles:
        """The game in which these moves led to this position."""
        moves = [Move(*move) for move in history]
        start = [first, second, third]
        for move in moves:
            start[move.row] += move.count
        if max(start) > most:
            raise ValueError(f"piles: expected three whole numbers from 0 to {most}, got {tuple(start)}")
        piles = Piles(start, most)
        for move in moves:
            piles.make(move)
        return piles

    @classmethod
    def draw(cls, data: Piles, **settings) -> str:
        """The slice, the piles, and a description of the position."""
        return super().draw(data, **HELPERS, **settings)

    @staticmethod
    def code(sums: bool, most: int, history: Iterable[tuple[int, int]] = (), **settings) -> str:
        """The lines of code that make the same data."""
        numbers = ""
        if sums:
            numbers = f"""
numbers = range({most + 1})
data["sums"] = [[nim_sum(first, second, state[2]) for second in numbers] for first in numbers]"""
        start = PileLab.compute(most=most, history=history, **settings).states[0]
        moves = "".join(f"state = game.play(state, {tuple(move)})\n" for move in history)
        return f"""\
game = three_piles({most}, {most}, {most})    # normal play: the player who takes the last coin wins
solution = solve(game)
state = {start}
{moves}
data = {{
    "state": state,
    "wins": solution.wins[:, :, state[2]],    # the slice: [pile 0, pile 1]
    "best": solution.best_moves(state),
}}{numbers}
data["best"]
"""

    @property
    def state(self) -> State:
        """The coins in the three piles."""
        return self.first, self.second, self.third

    # --- what can be done

    def go(self, state: Iterable[int]) -> None:
        """Show a position, like a click on its cell."""
        self.update(**dict(zip(PILES, state)), history=())

    @acts
    def best_move(self) -> None:
        """Make one move of best play."""
        if self.data.over:
            raise ValueError("No coin is left, so there is no move.")
        self.data.make(self.data.choose("perfect", self.seed))

    def start_again(self) -> None:
        """Put the coins of this game back."""
        self.go(self.data.states[0])

    def new_game(self) -> None:
        """Start a new game with other piles, drawn with the next seed."""
        seed = (self.seed + 1) % 10_000
        self.set_quietly(seed=seed)
        self.go(np.random.default_rng(seed).integers(1, self.most, size=3, endpoint=True).tolist())

    def clicked(self, to: str) -> None:
        """A cell, a coin or a line of the table."""
        self.go(tuple(map(int, to.split(","))))

    # --- what is on the screen

    def moved(self, name: str) -> dict[str, Any]:
        """Start a new game; a smaller grid also shrinks the piles."""
        if self.CONTROLS[name].keeps:
            return {}
        return {name: min(held, self.most) for name, held in zip(PILES, self.state)} | {"history": ()}

    def controls_from_data(self) -> dict[str, Any]:
        """The sliders of the piles follow the moves."""
        return dict(zip(PILES, self.data.state))

    def now(self) -> dict[str, dict[str, Any]]:
        """The sliders go as far as the grid."""
        return {name: {"most": self.most} for name in PILES}

    def rows(self) -> dict[str, ButtonRow]:
        """The buttons for best play and for other games."""
        buttons = [
            Button("Best move", "One move of best play", self.best_move, self.data.over),
            Button("Start again", "Put the coins of this game back", self.start_again, not self.data.moves),
            Button("New game", "Other piles, drawn with the next seed", self.new_game),
        ]
        return {"moves": ButtonRow(buttons)}

    # --- without a kernel

    def events(self, first: PileLab) -> Iterator[str]:
        """Best play to the end from the lesson's position, and one best move from any other."""
        if not self.data.moves or self.data.states[0] == first.state:
            yield "press Best move"
        yield "press Start again"

    def anywhere(self) -> Iterator[str]:
        """A click on any position."""
        numbers = range(self.most + 1)
        for piles in itertools.product(numbers, repeat=3):
            yield f"to {','.join(map(str, piles))}"
