"""Three piles in normal play: slices through the table of won and lost positions, and a game against perfect play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np

from coinlib.agents import PerfectAgent
from coinlib.arguments import sequence, shown, whole_number
from coinlib.games import IllegalMove, Move, State, three_piles
from coinlib.solvers import solve
from coinlib.theory import nim_sum

from . import pile_page
from .asked import read_entries, read_settings
from .lab import Lab, menu, number, seed, slider, tick
from .pile_page import COMPUTER, PILES, YOU, Position
from .stage import Stage

SIZES = (7, 15, 31)  # coins in the largest pile
SHOWN = ("third", "mode", "starts", "seed")  # the others when a lesson has explained them


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

    Raises
    ------
    TypeError, ValueError
        For settings that make no sense.

    Examples
    --------
    >>> lab = PileLab((3, 3, 7))
    >>> lab.data.best
    [Move(row=2, count=7)]
    >>> lab.inputs["third"].value = 0
    >>> lab.data.best
    []
    """

    title = "Three piles: who wins?"
    goal = (
        "Look: move the slider of the third pile and click a cell. Is it won for whoever moves there, and by which move? "
        "Play: a click makes your move, and the computer answers."
    )
    CONTROLS: ClassVar = {
        "first": number("First pile", "Coins in the first pile; the same as a click on a column.", 0, SIZES[-1], 3),
        "second": number("Second pile", "Coins in the second pile; the same as a click on a line.", 0, SIZES[-1], 3),
        "third": number("Third pile", "Coins in the third pile: which slice you see.", 0, SIZES[-1], 7),
        "mode": menu(
            "A click",
            "Look around, or play from where you are: then the computer answers, and plays perfectly.",
            [("looks at a position", "look"), ("makes your move", "play")],
            "look",
        ),
        "starts": menu(
            "Moves first", "Who makes the first move of a game.", [("you", YOU), ("the computer", COMPUTER)], YOU
        ),
        "sums": tick("Nim-sums", "Writes the nim-sum (binary XOR) of the three piles into each cell."),
        "most": slider("Largest pile", "How far the grid goes.", SIZES, 15),
        "seed": seed(),
    }

    def __init__(
        self,
        piles: Iterable[int] = (3, 3, 7),
        controls: bool | Iterable[str] = SHOWN,
        history: Iterable[tuple[int, int]] = (),
        **settings,
    ) -> None:
        try:
            self.history = read_entries(history, "history")
        except TypeError:
            raise ValueError(f"history: expected moves, each a pile and a count; got {shown(history)}") from None
        self._quiet = False
        self._drawn = 0  # new games so far
        super().__init__(controls, **{"piles": piles, **settings})
        self._bound()
        if self.data is None:
            self.compute(**self.settings)  # says what is wrong with the history
        self._remember(self.data.history)

    @staticmethod
    def compute(
        first: int,
        second: int,
        third: int,
        mode: str,
        starts: str,
        sums: bool,
        most: int,
        seed: int,
        history: Iterable[tuple[int, int]] = (),
    ) -> Position:
        """The position, the moves that led to it, and the solution of the game."""
        numbers = range(most + 1)
        table = np.array([[nim_sum(one, two, third) for two in numbers] for one in numbers]) if sums else None
        solution, state = solve(three_piles(most, most, most)), (first, second, third)
        try:
            position = Position(state, tuple(Move(*move) for move in read_entries(history, "history")), solution, table)
            position.played()
        except (IllegalMove, TypeError, ValueError) as error:
            raise ValueError(f"history: expected moves that lead to {state}, got {shown(history)}; {error}") from None
        return position

    @staticmethod
    def draw(data: Position, **settings) -> str:
        """Words, the slice with the winning moves drawn, the piles, and the moves with their answers."""
        return pile_page.draw(data, playing=settings["mode"] == "play", starts=settings["starts"])

    @staticmethod
    def code(first, second, third, mode, starts, sums, most, seed, history=()) -> str:
        """The lines of coinlib that make the same data."""
        names = "nim_sum" if sums else ""
        numbers = (
            f"""
numbers = range({most + 1})
data["sums"] = [[nim_sum(first, second, state[2]) for second in numbers] for first in numbers]"""
            if sums
            else ""
        )
        theory = f"from coinlib.theory import {names}\n" if sums else ""
        start, *_ = PileLab.compute(first, second, third, mode, starts, False, most, seed, history).played()
        moves = "".join(f"state = game.play(state, {tuple(move)})\n" for move in history)
        return f"""\
from coinlib import solve, three_piles
{theory}
game = three_piles({most}, {most}, {most})    # normal play: who takes the last coin wins
solution = solve(game)
state = {start}
{moves}
data = {{
    "state": state,
    "wins": solution.wins[:, :, state[2]],    # the slice: [first pile, second pile]
    "best": solution.best_moves(state),
}}{numbers}
data["best"]
"""

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings; `piles` stands for "first", "second" and "third"; raises what `Lab` raises."""
        settings = read_settings(settings)
        extra = {name: settings[name] for name in ("piles", "history") if name in settings}
        settings = {name: value for name, value in settings.items() if name not in extra}
        most = settings.get("most", cls.CONTROLS["most"].default)
        piles = extra.pop("piles", None)
        if piles is not None:
            settings = dict(zip(PILES, _read_piles(piles, most))) | settings
        settings = super().complete(settings)
        _read_piles([settings[name] for name in PILES], most)
        return settings | extra

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, and the moves made so far."""
        return super().settings | {"history": self.history}

    @property
    def state(self) -> State:
        """The coins in the three piles."""
        return tuple(self.inputs[name].value for name in PILES)

    # --- what can be done

    def go(self, state: State) -> None:
        """Look at a position, as a click on its cell does; in a game, make the move that leads there."""
        with self._lock:
            state = _read_piles(state, self.inputs["most"].value)
            if self.inputs["mode"].value == "look":
                return self._place(state)
            move = next((move for move in self._legal() if self.data.game.play(self.state, move) == state), None)
            if self.data.over:
                self._notice("This game is over. Press “New game” or “Start again”.")
            elif self._turn() == COMPUTER:
                self._notice("It is the computer's turn. Press “Best move” to see its move.")
            elif move is None:
                self._notice(f"No move leads from {self.state} to {state}: take coins from one pile.")
            else:
                self._make(move)

    def best_move(self) -> None:
        """One step of best play for whoever is to move; in a game the computer then answers yours."""
        with self._lock:
            if self.data.over:
                self._notice("No coin is left, so there is no move.")
            else:
                self._make(self._perfect(self.data))

    def start_again(self) -> None:
        """Put back the coins of this game."""
        with self._lock:
            self._place(self.data.played()[0])

    def new_game(self) -> None:
        """Other piles, drawn with the seed."""
        with self._lock:
            self._drawn += 1
            dice = np.random.default_rng([self.inputs["seed"].value, self._drawn])
            self._place(tuple(dice.integers(1, self.inputs["most"].value, size=3, endpoint=True).tolist()))

    def _make(self, move: Move) -> None:
        """A move, and in a game the answer to yours."""
        answered = self.inputs["mode"].value == "play" and self._turn() == YOU
        after = self._after(self.data, move)
        if answered and not after.over:
            after = self._after(after, self._perfect(after))
        self._place(after.state, after.history)

    def _after(self, data: Position, move: Move) -> Position:
        return replace(data, state=data.game.play(data.state, move), history=(*data.history, move))

    def _perfect(self, data: Position) -> Move:
        """The computer's move, the same for the same seed and position."""
        chance = [self.inputs["seed"].value, len(data.history)]
        return PerfectAgent(seed=np.random.default_rng(chance))(data.game, data.state)

    def _legal(self) -> list[Move]:
        return self.data.game.legal_moves(self.state)

    def _turn(self) -> str:
        return self.data.mover(self.inputs["starts"].value)

    def _place(self, state: State, history: Iterable[Move] = ()) -> None:
        """Put the piles where they are to be, in one picture."""
        self._quiet = True
        try:
            for name, held in zip(PILES, state):
                self.inputs[name].value = held
        finally:
            self._quiet = False
        self._remember(history)
        self.redraw()

    def _remember(self, moves: Iterable[Move]) -> None:
        self.history = tuple(map(tuple, moves))  # plain pairs, which read the same in a repr

    def _notice(self, words: str) -> None:
        self.data = replace(self.data, notice=words)
        self._draw()

    def _moved(self, change) -> None:
        if self._quiet:
            return
        with self._lock:
            if change["owner"] is self.inputs["seed"]:
                self._drawn = 0
            elif change["owner"] is not self.inputs["sums"]:
                self.history = ()  # another start
            self._bound()
            self.redraw()

    def _bound(self) -> None:
        """The sliders go as far as the grid."""
        self._quiet = True
        for name in PILES:
            self.inputs[name].max = self.inputs["most"].value
        self._quiet = False

    def redraw(self) -> None:
        """Compute and draw again; in the middle of a game the sliders follow, and cannot be moved."""
        super().redraw()
        for name in PILES:
            self.inputs[name].disabled = self.inputs["mode"].value == "play" and bool(self.history)

    def _parts(self, shown) -> list[widgets.Widget]:
        self.picture = Stage(lambda to: self.go(tuple(map(int, to.split(",")))))
        return super()._parts(shown)

    def _buttons(self) -> list[widgets.Widget]:
        does = (
            ("Best move", "One step of best play for whoever is to move", self.best_move),
            ("Start again", "Put back the coins of this game", self.start_again),
            ("New game", "Other piles, drawn with the seed", self.new_game),
        )
        buttons = []
        for words, tip, act in does:
            buttons.append(widgets.Button(description=words, tooltip=tip))
            buttons[-1].on_click(lambda _, act=act: act())
        return [widgets.HBox(buttons, layout=widgets.Layout(flex_flow="row wrap"))]


def _read_piles(piles, most: int) -> State:
    """Three piles that the grid can show."""
    if not (isinstance(most, (int, np.integer)) and most in SIZES):
        raise ValueError(f"most: expected one of {', '.join(map(str, SIZES))}, got {shown(most)}")
    try:
        first, second, third = (
            whole_number(held, "piles", least=0, most=most) for held in sequence(piles, "piles", "")
        )
    except (TypeError, ValueError):
        raise ValueError(f"piles: expected three whole numbers from 0 to {most}, got {shown(piles)}") from None
    return first, second, third
