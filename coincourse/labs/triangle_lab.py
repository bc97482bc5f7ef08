"""Greedy coins as a triangle: look at best play, play on it, and fill it in by hand.

Python decides what is legal, best and correct, and writes every picture and word. The script in
`triangle_lab.js` shows that page and reports what was clicked and typed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import ipywidgets as widgets
import numpy as np
import traitlets

from coinlib.arguments import shown, whole_number
from coinlib.solvers import solve_greedy

from .asked import read_entries, read_settings
from .triangle import (
    ENDS,
    LEAST,
    MOST,
    Triangle,
    after,
    draw,
    explain,
    heading,
    names_of,
    read_answer,
    read_row,
    spoken,
    tease,
)
from .triangle_page import page
from .widget_lab import Lab, RunningLab, make_button, make_group, menu, seed, text, tick

TASK_OF = {"side": "play", "opponent": "play", "reveal": "play", "arrows": "fill"}  # controls of one task alone
ABOVE = ("task", "coins", "show")  # controls that stand above the picture
PAUSE_SECONDS = 0.9  # between two moves of a run, so that one can watch


class Sheet(anywidget.AnyWidget):
    """A page that Python wrote, on which one can click, move by arrow keys, and type."""

    _esm = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    value = traitlets.Unicode(help="the page").tag(sync=True)


class TriangleLab(RunningLab):
    """One row of greedy coins and the triangle of its subgames: look, play, or fill it in by hand.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "task", "coins", "show", "side", "opponent", "reveal", "arrows",
        "seed". Those that one task alone needs are seen in that task only.
    moves : str
        Moves made before the first picture, such as "RL".
    filled : iterable of (table, i, j, answer)
        Answers given before the first picture; table is "alice", "margin" or "moves".
    **settings
        A value for each control that should not have its default; `coins` as numbers or as words.

    Examples
    --------
    >>> lab = TriangleLab(coins=(1, 2, 4, 3), task="fill")
    >>> lab.fill(2, 2, "4")
    >>> lab.data.notice
    '✗ Coin 4, Bob moves: 4 is wrong. Bob takes this coin, so Alice does not get it.'
    >>> lab = TriangleLab(task="play", side="bob", moves="R")
    >>> lab.take("L")
    >>> lab.data.costs[:2]
    [0, 4]
    """

    title = "The triangle of greedy coins"
    goal = (
        "Alice and Bob take a coin from one end, in turn. Each cell stands for the coins under it. "
        "Point at a cell, or go there with the arrow keys, and its coins light up."
    )
    CONTROLS: ClassVar = {
        "task": menu(
            "Task",
            "What you do with the triangle.",
            [("look at best play", "look"), ("play on it", "play"), ("fill it in by hand", "fill")],
            "look",
        ),
        "coins": text("Coins", f"{LEAST} to {MOST} coins from left to right, with spaces between them.", "1 2 4 3"),
        "show": menu(
            "In the cells",
            "A counts Alice's points; S is the margin of whoever moves.",
            [("A: what Alice still gets", "alice"), ("S: the margin of whoever moves", "margin")],
            "alice",
        ),
        "side": menu(
            "You are", "Alice makes the first move.", [("Alice, who moves first", "alice"), ("Bob", "bob")], "alice"
        ),
        "opponent": menu(
            "The computer",
            "Perfect play makes no mistakes; random play makes some.",
            [("plays perfectly", "perfect"), ("plays at random", "random")],
            "perfect",
        ),
        "reveal": tick("Show the table", "Without a tick you play without numbers and arrows.", True),
        "arrows": tick("Arrows too", "Fill in the best moves as well: L, R, or B where both are best."),
        "seed": seed(),
    }

    def __init__(
        self, controls: bool | Iterable[str] = True, moves: str = "", filled: Iterable[tuple] = (), **settings
    ) -> None:
        self.pause = PAUSE_SECONDS
        self._opening: dict[str, Any] = {"moves": moves, "filled": read_entries(filled, "filled")}
        super().__init__(controls, **settings)
        if self.data is None:
            self.compute(**self.settings)  # says what is wrong with the moves or the answers

    @staticmethod
    def begin(
        coins: str | Sequence[int],
        task: str,
        side: str,
        opponent: str,
        seed: int,
        moves: str = "",
        filled: Iterable[tuple] = (),
        **look,
    ) -> Triangle:
        """The tables of the row, with the moves made and the answers filled in."""
        row = read_row(coins)
        if not isinstance(moves, str) or not set(moves) <= set(ENDS) or len(moves) > len(row):
            raise ValueError(f"moves: expected at most {len(row)} letters L and R, got {shown(moves)}")
        data = Triangle(solve_greedy(row), moves)
        for entry in read_entries(filled, "filled"):
            try:
                data.answer(*entry)
            except (TypeError, ValueError) as error:
                raise ValueError(f"filled: {shown(entry)} does not fit here; {error}") from None
        if task == "play":
            data.reply(side, opponent, seed)
        return data

    @staticmethod
    def advance(data: Triangle, steps: int, **settings) -> None:
        """So many moves of best play; the left coin where both are equally good."""
        if data.run:
            data.moves += "".join(move for move, _ in data.greedy.line(*data.run)[:steps])

    @staticmethod
    def draw(data: Triangle, task: str, show: str, side: str, arrows: bool, reveal: bool, **settings) -> str:
        """What happened in words, the triangle over its coins, and the same as a table."""
        return page(data, task, show, side, arrows, reveal)

    @staticmethod
    def code(coins: str | Sequence[int], moves: str = "", **settings) -> str:
        """The lines of coinlib that make the same data."""
        start = f"""\
from coinlib import {"GreedyCoins, " if moves else ""}solve_greedy

coins = {read_row(coins)!r}
greedy = solve_greedy(coins)
data = {{"alice": greedy.alice, "margin": greedy.margin, "moves": greedy.moves}}    # A, S and M
"""
        if not moves:
            return f"{start}greedy.line()    # best play from the start\n"
        return f"""{start}
game = GreedyCoins(coins)
state = game.start    # the coins that are left are coins[left:right]
points, costs = [0, 0], []
for number, move in enumerate("{moves}"):    # Alice's and Bob's moves in turn
    left, right = state
    points[number % 2] += game.reward(state, move)
    costs.append(greedy.cost(move, left, right - 1))    # of the margin
    state = game.play(state, move)
data |= {{"left": game.coins_left(state), "points": points, "costs": costs}}
points, costs
"""

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, moves and answers among them where they were given; raises what `Lab` raises."""
        settings = read_settings(settings)
        more = {name: settings[name] for name in ("moves", "filled") if name in settings}
        rest = {name: value for name, value in settings.items() if name not in more}
        if "coins" in rest:
            rest["coins"] = " ".join(map(str, read_row(rest["coins"])))
        return Lab.complete.__func__(cls, rest) | more

    @classmethod
    def render(cls, **settings) -> str:
        """The picture for these settings: the same for the same, byte for byte; raises what `Lab` raises."""
        return Lab.render.__func__(cls, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, the row that is shown, the moves and the answers."""
        return Lab.settings.fget(self) | self._beside()

    def _beside(self) -> dict[str, Any]:
        """What is not in a control, and the row, which may differ from what was typed."""
        if self.data is None:
            return self._opening
        return {"coins": self.data.greedy.coins, "moves": self.data.moves, "filled": tuple(self.data.filled)}

    # --- what can be done

    def take(self, end: str) -> None:
        """Take the coin at the left ("L") or the right end ("R"); in a game the computer answers."""
        self._act(lambda: self._take(end))

    def let_choose(self) -> None:
        """Tease: let the computer choose your move, where both are equally good."""

        def act() -> None:
            if self._value("task") != "play" or not tease(self.data, self._names()):
                raise ValueError("Only where both ends are equally good for you")
            end = draw("LR", self._value("seed"), len(self.data.moves))
            self._take(end)
            self.data.notice = f"The computer chose the {ENDS[end]} end for you: it could not hurt you."

        self._act(act)

    def undo(self) -> None:
        """Take back your last move, and the computer's answer to it."""

        def act() -> None:
            yours = [number for number in range(len(self.data.moves)) if self._names()[number % 2] == "You"]
            if not yours:
                raise ValueError("There is no move of yours to take back")
            self.data.moves = self.data.moves[: yours[-1]]

        self._act(act)

    def new_game(self) -> None:
        """Begin again with the next seed: other luck."""
        self.inputs["seed"].value = (self._value("seed") + 1) % 10_000

    def shuffle(self) -> None:
        """The same coins in another order, which the next seed names."""
        with self._lock:
            self.new_game()
            coins = sorted(self.data.greedy.coins)
            order = np.random.default_rng(self._value("seed")).permutation(len(coins))
            self.inputs["coins"].value = " ".join(str(coins[place]) for place in order)

    def fill(self, i: int, j: int, typed: str) -> None:
        """Write an answer into the cell of coins i...j: a number, or L, R or B (both), or a number and a letter."""

        def act() -> None:
            show, arrows = self._value("show"), self._value("arrows")
            number, move = read_answer(typed, arrows)
            if number is not None and number != self.data.last(show, i, j):
                self.data.answer(show, i, j, number)
            if arrows and i < j and self.data.correct(show, i, j):
                if move:
                    self.data.answer("moves", i, j, move)
                else:
                    row = spoken(self.data.greedy, i, j)
                    self.data.notice = f"✓ The number is correct. Coins {row}: which end is best, L, R, or B for both?"

        self._act(act)

    def hint(self, i: int | None = None, j: int | None = None) -> None:
        """Name the two candidates for a cell; if none is named, for the one entered last, or the next."""

        def act() -> None:
            greedy, show = self.data.greedy, self._value("show")
            asked = self.data.asked(show, self._value("arrows"))
            cell = self.data.at if i is None else (whole_number(i, "i", least=0), whole_number(j, "j", least=0))
            if cell not in asked:
                cell = next(iter(asked), None)
            if cell is None:
                return
            rests = [after(*cell, move) for move in ENDS] if cell[0] < cell[1] else []
            missing = [spoken(greedy, *rest) for rest in rests if not self.data.correct(show, *rest)]
            words = explain(greedy, show, *cell, verdict=False)
            if missing:
                words = f"{heading(greedy, *cell)}. First fill in the cells of what is left: {', and '.join(missing)}."
            self.data.at, self.data.notice = cell, f"Hint: {words}"

        self._act(act)

    def one_step(self) -> None:
        """One move of best play, if nothing is running."""
        if not self.running:
            self._act(lambda: self.advance(self.data, 1))

    def start_again(self) -> None:
        """Stop, and go back to the whole row and, where it is being filled in, to an empty table."""
        self._restart(**({"filled": ()} if self._value("task") == "fill" else {}))

    def redraw(self) -> None:
        """Make the data again from the settings, and draw."""
        with self._lock:
            self._opening = self._beside()
            super().redraw()

    async def work(self) -> None:
        """What `run` does: one move after the other, slowly enough to be watched."""
        try:
            while not self._stopping and self.data is not None and self.data.run:
                self._act(lambda: self.advance(self.data, 1))
                for _ in range(10):  # so that Stop is heard at once
                    if not self._stopping:
                        await asyncio.sleep(self.pause / 10)
        finally:
            self._label_buttons(running=False)

    def _restart(self, **opening) -> None:
        """Stop, and begin again at the start of the row."""
        self.stop()
        with self._lock:
            self._opening, self.data = self._beside() | {"moves": ""} | opening, None
            super().redraw()

    def _take(self, end: str) -> None:
        if self._value("task") == "fill" or self.data.run is None:
            raise ValueError("There is no coin to take now")
        self.data.moves += self.data.game.read_move(self.data.states[-1], end)
        if self._value("task") == "play":
            self.data.reply(self._value("side"), self._value("opponent"), self._value("seed"))

    def _act(self, act) -> None:
        """Do something, and draw; what cannot be done is said in words."""
        with self._lock:
            if self.data is None:
                return
            self.data.notice = ""
            try:
                act()
            except (ValueError, TypeError) as error:
                self.data.notice = f"{error}."
            self._draw()

    def _receive(self, content: dict) -> None:
        """One message from the screen."""
        kind = content["kind"]
        if kind == "take":
            self.take(content["end"])
        elif kind == "fill":
            self.fill(*content["cell"], content["answer"])
        elif kind == "hint":
            self.hint(*content["cell"])
        elif kind == "at" and self.data is not None:
            self.data.at = tuple(content["cell"])
        self.picture.send({"heard": kind})  # also where nothing on the page has changed

    def _moved(self, change) -> None:
        name = next(name for name, control in self.inputs.items() if control is change["owner"])
        if name == "coins":
            self._act(lambda: self._change_row(change["new"]))
        elif name in ("task", "side", "opponent", "seed"):
            self._restart()
        else:
            self._act(lambda: None)

    def _change_row(self, words: str) -> None:
        try:
            coins = read_row(words)
        except ValueError as error:
            raise ValueError(f"{error}. The old row stays") from None
        if coins != self.data.greedy.coins:
            self._restart(coins=coins, filled=())

    def _value(self, name: str):
        return self.inputs[name].value

    def _names(self) -> tuple[str, str]:
        return names_of(self._value("task"), self._value("side"))

    # --- what is on the screen

    def _draw(self) -> None:
        super()._draw()
        self._show_choices()

    def _told(self) -> list[str]:
        """The controls that the task needs."""
        task = self._value("task")
        return [name for name in super()._told() if TASK_OF.get(name, task) == task]

    def _show_choices(self) -> None:
        """Which controls and buttons make sense now."""
        task, run = self._value("task"), self.data.run if self.data else None
        for name, group in self._groups.items():
            group.layout.display = "" if name == task else "none"
        for name, line in self._lines.items():
            line.layout.display = "" if name in self._told() else "none"
        for place, (end, button) in enumerate(zip(ENDS, self._takes)):
            coin = f" ({self.data.greedy.coins[run[place]]})" if run else ""
            button.description, button.disabled = f"Take {ENDS[end]}{coin}", run is None
        self._choose.disabled = self.data is None or not tease(self.data, self._names())
        self._step.disabled = run is None

    def _parts(self, shown: Sequence[str]) -> list[widgets.Widget]:
        self.picture.close()
        self.picture = Sheet()  # instead of HTML: one can click and type on it
        self.picture.on_msg(lambda _, content, buffers: self._receive(content))
        head, *lines, buttons, picture, show, code = super()._parts(shown)
        self._lines = dict(zip((name for name in self.CONTROLS if name in shown), lines))
        if "coins" in shown:
            field, words = self._lines["coins"].children
            shuffle = make_button("Shuffle", "The same coins in another order", self.shuffle)
            self._lines["coins"].children = (field, shuffle, words)
        self._groups = self._rows_of_buttons(buttons)
        above = [line for name, line in self._lines.items() if name in ABOVE]
        below = [line for name, line in self._lines.items() if name not in ABOVE]
        return [head, *above, *self._groups.values(), picture, *below, show, code]

    def _rows_of_buttons(self, running: widgets.HBox) -> dict[str, widgets.Widget]:
        """The buttons of each task, with their explanation."""
        _, self._step, _ = running.children
        for button in running.children:
            button.layout = widgets.Layout(width="auto", min_width="4.5rem")
        self._takes = [
            make_button(f"Take {ENDS[end]}", f"Or press {end} on the picture", lambda end=end: self.take(end))
            for end in ENDS
        ]
        self._choose = make_button(
            "Let the computer choose",
            "Where both ends are equally good, the computer chooses your move",
            self.let_choose,
        )
        undo = make_button("Undo", "Take your last move back", self.undo)
        new = make_button("New game", "Begin again with the next seed", self.new_game)
        hint = make_button("Hint", "Name the two candidates for the cell you were in", self.hint)
        empty = make_button("Empty table", "Begin again", self.start_again)
        look = "Best play, move by move. To try another move, click a coin at an end, or press L or R on the picture."
        play = "Click a coin at an end, or press L or R on the picture."
        fill = "Type a number and press Enter. Arrow keys go from cell to cell; ? asks for a hint."
        return {
            "look": make_group("Look", running.children, look),
            "play": make_group("Play", [*self._takes, self._choose, undo, new], play),
            "fill": make_group("Fill in", [hint, empty], fill),
        }
