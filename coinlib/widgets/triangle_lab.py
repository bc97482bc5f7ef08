"""Greedy coins as a triangle: look at best play, play on it, and fill it in by hand.

Python decides what is legal, best and right, and writes every picture and word. The script in
`triangle_lab.js` shows that page and reports what was clicked and typed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import ipywidgets as widgets
import numpy as np
import traitlets

from ..games import GreedyCoins, counted
from ..solvers import Greedy, solve_greedy
from .hats_lab import _button, _group
from .lab import Lab, RunningLab, menu, seed, text, tick
from .shared import BLUE, GREEN, INK, LIGHT, SKY

LEAST, MOST, LARGEST = 2, 14, 999  # coins in a row, and the value of one coin
PLAYERS = ("Alice", "Bob")
ENDS = {"L": "left", "R": "right"}
TABLES = {
    "alice": ("A", "how many points Alice still gets when the coins under the cell are left"),
    "margin": ("S", "by how many points whoever moves then beats the other, from there on"),
}
TASK_OF = {"side": "play", "opponent": "play", "reveal": "play", "arrows": "fill"}  # controls of one task alone
PAUSE = 0.9  # seconds between two moves of a run

Cell = tuple[int, int]  # the run of coins i...j, both included


class Stage(anywidget.AnyWidget):
    """A page that Python wrote, on which one can click, move by arrow keys, and type."""

    _esm = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    value = traitlets.Unicode(help="the page").tag(sync=True)


# --- a row, what was played on it, and what was filled in ------------------------------------------------------


@dataclass
class Triangle:
    """One row of coins with its tables, the moves made so far, and the answers of who fills the table in.

    Attributes
    ----------
    greedy : Greedy
    moves : str
        "L" and "R" from the start, Alice's and Bob's in turn.
    filled : list of (table, i, j, answer)
        Every answer in order, wrong ones too; table is "alice", "margin" or "moves".
    at : (int, int) or None
        The cell that was last entered.
    notice : str
        What is to be said beside what follows from the rest.
    """

    greedy: Greedy
    moves: str = ""
    filled: list[tuple[str, int, int, int | str]] = field(default_factory=list)
    at: Cell | None = None
    notice: str = ""

    def __post_init__(self) -> None:
        self.game = GreedyCoins(self.greedy.coins)

    @property
    def states(self) -> list[tuple[int, int]]:
        """The states of the game from the start on."""
        states = [self.game.start]
        for move in self.moves:
            states.append(self.game.play(states[-1], move))
        return states

    @property
    def runs(self) -> list[Cell]:
        """The cells that were passed, the one of the moment last; one less when no coin is left."""
        return [(left, right - 1) for left, right in self.states if left < right]

    @property
    def run(self) -> Cell | None:
        """The coins that are left; None when the game is over."""
        left, right = self.states[-1]
        return (left, right - 1) if left < right else None

    @property
    def taken(self) -> list[int]:
        """The points of each move."""
        return [self.game.reward(state, move) for state, move in zip(self.states, self.moves)]

    @property
    def points(self) -> list[int]:
        """What Alice and Bob have so far."""
        return [sum(self.taken[0::2]), sum(self.taken[1::2])]

    @property
    def costs(self) -> list[int]:
        """How many points of the margin each move threw away."""
        return [self.greedy.cost(move, *run) for run, move in zip(self.runs, self.moves)]

    def cells(self) -> Iterator[Cell]:
        """Every cell, the base of the triangle first."""
        size = len(self.greedy.coins)
        return ((i, i + more) for more in range(size) for i in range(size - more))

    # --- filling in

    def answer(self, table: str, i: int, j: int, answer: int | str) -> None:
        """Write one answer down, and say whether it is right."""
        self.filled.append((table, i, j, answer))
        self.at = (i, j)
        if table == "moves":
            self.notice = judge_move(self.greedy, i, j, str(answer))
        else:
            self.notice = judge_value(self.greedy, table, i, j, int(answer))

    def wrong(self, table: str) -> int:
        """How many answers for a table were wrong."""
        return sum(name in (table, "moves") and answer != self._truth(name, i, j) for name, i, j, answer in self.filled)

    def last(self, table: str, i: int, j: int) -> int | str | None:
        """The last answer for a cell; None if there is none."""
        return next((answer for *cell, answer in reversed(self.filled) if cell == [table, i, j]), None)

    def right(self, table: str, i: int, j: int) -> bool:
        """Whether the last answer for a cell is right."""
        return self.last(table, i, j) == self._truth(table, i, j)

    def done(self, table: str, arrows: bool, i: int, j: int) -> bool:
        """Whether nothing more is asked of a cell."""
        return self.right(table, i, j) and (not arrows or i == j or self.right("moves", i, j))

    def asked(self, table: str, arrows: bool) -> list[Cell]:
        """The cells that are still to be filled, in a good order."""
        return [cell for cell in self.cells() if not self.done(table, arrows, *cell)]

    def _truth(self, table: str, i: int, j: int) -> int | str:
        found = getattr(self.greedy, table)[i, j]
        return str(found) if table == "moves" else int(found)


def read_row(asked: str | Sequence[int]) -> tuple[int, ...]:
    """A row of coins from what was typed, or from numbers; ValueError, in words, if it cannot be shown.

    Examples
    --------
    >>> read_row("1, 2 4;3")
    (1, 2, 4, 3)
    >>> read_row("1 2 x")
    Traceback (most recent call last):
        ...
    ValueError: “x” is not a coin: write whole numbers from 0 to 999 with spaces between them, such as 1 2 4 3
    """
    found = re.split(r"[\s,;]+", asked.strip(" \t,;()[]")) if isinstance(asked, str) else asked
    for coin in found:
        whole = re.fullmatch(r"\d{1,3}", coin) if isinstance(coin, str) else not isinstance(coin, bool)
        if len(found) > 1 and not whole:
            raise ValueError(
                f"“{coin}” is not a coin: write whole numbers from 0 to {LARGEST} with spaces between them, such as 1 2 4 3"
            )
    if not LEAST <= len(found) <= MOST:
        count = "no coin" if not any(found) and len(found) < 2 else counted(len(found), "coin")
        raise ValueError(f"a row here has {LEAST} to {MOST} coins, with spaces between them; this is {count}")
    coins = GreedyCoins(tuple(map(int, found)) if isinstance(asked, str) else found).coins
    if max(coins) > LARGEST:
        raise ValueError(f"coins: expected values from 0 to {LARGEST}, got {max(coins)}")
    return coins


# --- words -----------------------------------------------------------------------------------------------------


def mover(greedy: Greedy, i: int, j: int) -> str:
    """Who moves when coins i...j are left: Alice has moved as often as Bob, or Bob once less."""
    return PLAYERS[(len(greedy.coins) - (j - i + 1)) % 2]


def after(i: int, j: int, move: str) -> Cell:
    """The cell that a move leads to."""
    return (i + 1, j) if move == "L" else (i, j - 1)


def explain(greedy: Greedy, show: str, i: int, j: int, verdict: bool = True) -> str:
    """One cell of A or S in words: who moves, and what each of the two moves is worth.

    Parameters
    ----------
    greedy : Greedy
    show : {"alice", "margin"}
    i, j : int
    verdict : bool
        False leaves out which of the two is chosen: a hint.

    Examples
    --------
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> explain(greedy, "alice", 1, 3)
    'Coins 2 4 3, Bob moves. Left (2) leaves Alice 4, right (3) leaves her 4. Both are equal: 4, either move.'
    >>> explain(greedy, "margin", 0, 2, verdict=False)
    'Coins 1 2 4, Bob moves. Left is 1 − 2 = −1, right is 4 − 1 = 3. Bob chooses the larger. Which is it?'
    """
    who, head = mover(greedy, i, j), _head(greedy, i, j)
    if i == j:
        value = int(getattr(greedy, show)[i, j])
        question = "How much of it does Alice get?" if show == "alice" else f"By how much is {who} ahead from here?"
        return f"{head} {who} takes the last coin. " + (f"So it is {value}." if verdict else question)
    (left, left_sum), (right, right_sum) = (_worth(greedy, show, i, j, move) for move in "LR")
    if show == "alice" and who == "Bob":
        said = f"Left ({greedy.coins[i]}) leaves Alice {left}, right ({greedy.coins[j]}) leaves her {right}."
    else:
        said = f"Left is {left_sum}, right is {right_sum}."
    wanted = "Bob leaves her the smaller" if show == "alice" and who == "Bob" else f"{who} chooses the larger"
    if not verdict:
        return _minus(f"{head} {said} {wanted}. Which is it?")
    if left == right:
        return _minus(f"{head} {said} Both are equal: {left}, either move.")
    return _minus(f"{head} {said} {wanted}: {getattr(greedy, show)[i, j]}, {ENDS[str(greedy.moves[i, j])]}.")


def _worth(greedy: Greedy, show: str, i: int, j: int, move: str) -> tuple[int, str]:
    """What a move makes of a cell, and the sum that gives it."""
    coin, rest = greedy.coins[i if move == "L" else j], after(i, j, move)
    then = int(getattr(greedy, show)[rest]) if rest[0] <= rest[1] else 0
    if show == "margin":
        return coin - then, f"{coin} − {f'({then})' if then < 0 else then} = {coin - then}"
    if mover(greedy, i, j) == "Alice":
        return coin + then, f"{coin} + {then} = {coin + then}"
    return then, str(then)


def judge_value(greedy: Greedy, show: str, i: int, j: int, answer: int) -> str:
    """Whether a number for a cell is right, and if not, what may have gone wrong; never the right number.

    Examples
    --------
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> judge_value(greedy, "alice", 0, 0, 1)
    '✗ Coins 1, Bob moves: 1 is not right. Bob takes this coin, so Alice does not get it.'
    """
    value = int(getattr(greedy, show)[i, j])
    if answer == value:
        return "✓ Right. " + explain(greedy, show, i, j)
    return _minus(f"✗ {_head(greedy, i, j)[:-1]}: {answer} is not right. {_slip(greedy, show, i, j, answer)}")


def _slip(greedy: Greedy, show: str, i: int, j: int, answer: int) -> str:
    """What may have led to a wrong number."""
    who, ends = mover(greedy, i, j), (greedy.coins[i], greedy.coins[j])
    worth = [_worth(greedy, show, i, j, move)[0] for move in "LR"]
    rests = [after(i, j, move) for move in "LR"] if i < j else []
    then = [int(getattr(greedy, show)[rest]) for rest in rests]
    other = "margin" if show == "alice" else "alice"
    if show == "alice" and who == "Bob" and i == j and answer == ends[0]:
        return "Bob takes this coin, so Alice does not get it."
    if answer in worth:
        if show == "alice" and who == "Bob":
            return "That is what Alice gets when Bob takes the other end; he leaves her as little as he can."
        return f"That is what the other end gives; {who} can do better."
    if show == "alice" and who == "Bob" and answer in [coin + rest for coin, rest in zip(ends, then)]:
        return "Bob keeps the coin that he takes: do not add it to what Alice gets."
    if show == "alice" and who == "Alice" and answer in then:
        return "Add the coin that Alice takes to what she gets later."
    if show == "margin" and answer in [coin + rest for coin, rest in zip(ends, then)]:
        return "Take away, do not add: the cell below is a margin for the other player, who moves next."
    if show == "margin" and answer == -int(greedy.margin[i, j]):
        return f"Look at the sign: the margin is that of {who}, who moves."
    if show == "alice" and answer == sum(greedy.coins[i : j + 1]) - greedy.alice[i, j]:
        return "That is what Bob gets of these coins; the table counts Alice's."
    if answer == getattr(greedy, other)[i, j]:
        return f"That belongs into the other table, {TABLES[other][0]}."
    return "Look at the two cells below it, or ask for a hint."


def judge_move(greedy: Greedy, i: int, j: int, answer: str) -> str:
    """Whether the arrows of a cell are right, and if not, why."""
    best, head = str(greedy.moves[i, j]), _head(greedy, i, j)[:-1]
    if answer == best:
        return f"✓ Right. {head}: {'both ends are' if best == 'LR' else f'{ENDS[best]} is'} best."
    if best == "LR":
        return f"✗ {head}: {ENDS[answer]} is best, but not it alone. Compare what the two moves give."
    if answer == "LR":
        return f"✗ {head}: the two ends are not equally good. Compare what the two moves give."
    return (
        f"✗ {head}: {ENDS[answer]} is not best. It costs {counted(greedy.cost(answer, i, j), 'point')} of the margin."
    )


def _head(greedy: Greedy, i: int, j: int) -> str:
    return f"Coins {_coins(greedy, i, j)}, {mover(greedy, i, j)} moves."


def _coins(greedy: Greedy, i: int, j: int) -> str:
    return " ".join(map(str, greedy.coins[i : j + 1]))


def _minus(words) -> str:
    """Words with a minus sign that is as wide as a plus."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", str(words))


def tell(data: Triangle, names: Sequence[str]) -> str:
    """The last moves, the score, and what can still be promised.

    Parameters
    ----------
    data : Triangle
    names : sequence of str
        How Alice and Bob are called: "Alice", "Bob", "You" or "The computer".
    """
    number = len(data.moves)
    if not number:
        first = "Your turn" if names[0] == "You" else f"{names[0]} moves first"
        return f"{first}: take a coin from the left or the right end. {promise(data, names)}"
    answered = "You" in names and names[number % 2] == "You" and number > 1
    said = " ".join(_told_move(data, each, names) for each in range(number - 1 - answered, number))
    score = f"{names[0]} {data.points[0]}, {_within(names[1])} {data.points[1]}"
    lead = data.points[0] - data.points[1]
    ahead = names[lead < 0]
    verb = "" if ahead == "You" else "s"
    if data.run:
        leads = f"{_within(ahead)} lead{verb} by {abs(lead)}" if lead else "nobody leads"
        return f"{said} {score}: {leads}. {promise(data, names)}"
    wins = f"{ahead} win{verb} by {abs(lead)}." if lead else "A tie."
    costs = [sum(data.costs[0::2]), sum(data.costs[1::2])]
    slips = "; ".join(f"{_within(name)} {cost}" for name, cost in zip(names, costs))
    best = f"With best play by both, who moves first gets {data.greedy.value}."
    return f"{said} {score}. {wins} Points of the margin lost by mistakes: {slips}. {best}"


def _told_move(data: Triangle, number: int, names: Sequence[str]) -> str:
    """One move in words, with what it cost."""
    move, who, cost, run = data.moves[number], names[number % 2], data.costs[number], data.runs[number]
    said = f"{who} take{'s' * (who != 'You')} the {data.taken[number]}"
    if run[0] == run[1]:
        return f"{said}, the last coin."
    said += f" on the {ENDS[move]}."
    if cost:
        return f"{said} A mistake: it costs {counted(cost, 'point')} of the margin."
    return f"{said} It costs nothing{'; nor would the other end' if data.greedy.moves[run] == 'LR' else ''}."


def promise(data: Triangle, names: Sequence[str]) -> str:
    """What a player can announce, whatever the other does: you if you play, else Alice."""
    side = names.index("You") if "You" in names else 0
    more = int(data.greedy.alice[data.run])
    if side == 1:
        more = sum(data.game.coins_left(data.states[-1])) - more
    whole = f", {data.points[side] + more} in all" if data.points[side] else ""
    said = f"{names[side]} can announce: “I get at least {more} more{whole}, whatever you do.”"
    return f"{said} Both ends are equally good: let the computer choose your move." if tease(data, names) else said


def tease(data: Triangle, names: Sequence[str]) -> bool:
    """Whether you may let the other side choose your move: it is your turn, and both ends are best."""
    if data.run is None or names[len(data.moves) % 2] != "You":
        return False
    return data.run[0] < data.run[1] and str(data.greedy.moves[data.run]) == "LR"


def _within(name: str) -> str:
    """A name in the middle of a sentence."""
    return name if name in PLAYERS else name.lower()


# --- the lab ---------------------------------------------------------------------------------------------------


class TriangleLab(RunningLab):
    """One row of greedy coins and the triangle of its subgames: look, play, or fill it in by hand.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "task", "coins", "show", "side", "opponent", "reveal", "arrows",
        "seed". Those of one task are seen in that task only.
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
    '✗ Coins 4, Bob moves: 4 is not right. Bob takes this coin, so Alice does not get it.'
    >>> lab = TriangleLab(task="play", moves="R", side="bob")
    >>> lab.take("L")
    >>> lab.data.costs[:2]
    [0, 4]
    """

    title = "The triangle of greedy coins"
    goal = (
        "Alice and Bob take a coin from one end, in turn. Each cell stands for the coins under it. "
        "Point at a cell, or go there with the arrow keys, and its coins light up."
    )
    step_name = "One step"
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
        self._opening = {"moves": moves, "filled": tuple(map(tuple, filled))}
        self.pause = PAUSE
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
        data = Triangle(solve_greedy(read_row(coins)), moves)
        if not isinstance(moves, str) or not set(moves) <= set(ENDS) or len(moves) > len(data.greedy.coins):
            raise ValueError(f"moves: expected at most {len(data.greedy.coins)} letters L and R, got {moves!r}")
        for entry in filled:
            try:
                table, i, j, answer = entry
                data.answer(table, *data.greedy._run(i, j), answer)
            except (TypeError, ValueError, KeyError, AttributeError) as error:
                raise ValueError(f"filled: {entry!r} does not fit here ({error})") from None
        if task == "play":
            reply(data, side, opponent, seed)
        return data

    @staticmethod
    def advance(data: Triangle, steps: int, **settings) -> None:
        """So many moves of best play; the left coin where both are best."""
        data.moves += "".join(move for move, _ in data.greedy.line(*data.run)[:steps]) if data.run else ""

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, moves and answers among them where they were given."""
        more = {name: settings[name] for name in ("moves", "filled") if name in settings}
        rest = {name: value for name, value in settings.items() if name not in more}
        if "coins" in rest:
            rest["coins"] = " ".join(map(str, read_row(rest["coins"])))
        return Lab.complete.__func__(cls, rest) | more

    @classmethod
    def render(cls, **settings) -> str:
        """The picture for these settings: the same for the same settings, byte for byte."""
        return Lab.render.__func__(cls, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, the row as it is shown, the moves and the answers."""
        if self.data is None:
            return Lab.settings.fget(self) | self._opening
        told = {"moves": self.data.moves, "filled": tuple(self.data.filled)}
        return Lab.settings.fget(self) | {"coins": self.data.greedy.coins} | told

    # --- what can be done

    def take(self, end: str) -> None:
        """Take the coin at the left ("L") or the right end ("R"); in a game the computer answers."""
        self._act(lambda: self._take(end))

    def let_choose(self) -> None:
        """Tease: let the computer choose your move, where both are equally good."""

        def act() -> None:
            if self.inputs["task"].value != "play" or not tease(self.data, self._names()):
                raise ValueError("Only where both ends are equally good for you")
            drawn = draw_end("LR", self.inputs["seed"].value, len(self.data.moves))
            self._take(drawn)
            self.data.notice = f"The computer chose the {ENDS[drawn]} end for you. It could not hurt you."

        self._act(act)

    def undo(self) -> None:
        """Take back your last move, and the computer's answer to it."""

        def act() -> None:
            moves, mine = self.data.moves, PLAYERS.index(self.inputs["side"].value.capitalize())
            yours = [number for number in range(len(moves)) if number % 2 == mine]
            if not yours:
                raise ValueError("There is no move of yours to take back")
            self.data.moves = moves[: yours[-1]]

        self._act(act)

    def new_game(self) -> None:
        """Begin again with the next seed: other luck."""
        self.inputs["seed"].value = (self.inputs["seed"].value + 1) % 10_000

    def shuffle(self) -> None:
        """The same coins in another order, which the next seed names."""
        if self.data is not None:
            with self._lock:
                self.new_game()
                coins = sorted(self.data.greedy.coins)
                order = np.random.default_rng(self.inputs["seed"].value).permutation(len(coins))
                self.inputs["coins"].value = " ".join(str(coins[place]) for place in order)

    def fill(self, i: int, j: int, answer: str) -> None:
        """Write an answer into the cell of coins i...j: a number, or L, R or B (both), or a number and a letter."""
        self._act(lambda: self._fill(i, j, answer))

    def hint(self, i: int | None = None, j: int | None = None) -> None:
        """Name the two candidates for a cell; for the one entered last if none is named."""

        def act() -> None:
            show = self.inputs["show"].value
            asked = self.data.asked(show, self.inputs["arrows"].value)
            cell = (i, j) if i is not None else self.data.at
            cell = cell if cell in asked or i is not None else next(iter(asked), None)
            if cell is not None:
                below = [after(*cell, move) for move in "LR"] if cell[0] < cell[1] else []
                missing = [_coins(self.data.greedy, *rest) for rest in below if not self.data.right(show, *rest)]
                words = explain(self.data.greedy, show, *cell, verdict=False)
                first = f"{_head(self.data.greedy, *cell)} First fill in what is left: {' and '.join(missing)}."
                self.data.at, self.data.notice = cell, "Hint: " + (first if missing else words)

        self._act(act)

    def start_again(self) -> None:
        """Stop, and go back to the whole row and, where it is being filled in, to an empty table."""
        self.stop()
        with self._lock:
            fill, filled = self.inputs["task"].value == "fill", self.settings["filled"]
            self._opening = {"moves": "", "filled": () if fill else filled}
            self.data = None
            self.redraw()

    def redraw(self) -> None:
        """Make the data again from the settings, and draw."""
        with self._lock:
            opening, self.data = self.settings, None
            try:
                self.data = self.compute(**opening)
            except Exception as error:  # noqa: BLE001 - what a callback raises would be seen nowhere
                self._say_trouble(error)
            self._draw()

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

    def one_step(self) -> None:
        """One move of best play, if nothing is running."""
        if not self.running:
            self._act(lambda: self.advance(self.data, 1))

    def _take(self, end: str) -> None:
        task = self.inputs["task"].value
        if task == "fill" or self.data.run is None:
            raise ValueError("There is no coin to take now")
        self.data.moves += self.data.game.read_move(self.data.states[-1], end)
        if task == "play":
            reply(self.data, *(self.inputs[name].value for name in ("side", "opponent", "seed")))

    def _fill(self, i: int, j: int, words: str) -> None:
        show, arrows = self.inputs["show"].value, self.inputs["arrows"].value
        i, j = self.data.greedy._run(i, j)
        found = re.fullmatch(r"([-−+]?\d{1,6})?\s*(L|R|B|LR|RL)?", words.strip().upper())
        if not found or not found[0]:
            letters = ", then L, R or B (both)" if arrows else ""
            raise ValueError(f"“{words.strip()}” is no answer: write a whole number{letters}")
        number, letters = found.groups()
        if number and (value := int(number.replace("−", "-"))) != self.data.last(show, i, j):
            self.data.answer(show, i, j, value)
        if arrows and i < j and self.data.right(show, i, j):
            if letters:
                self.data.answer("moves", i, j, letters if letters in "LR" and len(letters) == 1 else "LR")
            else:
                self.data.notice = f"✓ The number is right. Which move is best: L, R, or B for both? ({_coins(self.data.greedy, i, j)})"

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

    def _refuse(self, words: str) -> None:
        """Say what cannot be done."""
        with self._lock:
            if self.data is not None:
                self.data.notice = words
                self._draw()

    def _receive(self, content: dict) -> None:
        """One message from the screen."""
        kind, cell = content.get("kind"), content.get("cell", ())
        if kind == "take":
            self.take(content["end"])
        elif kind == "fill":
            self.fill(*cell, content["answer"])
        elif kind == "hint":
            self.hint(*cell)
        elif kind == "at" and self.data is not None:
            self.data.at = tuple(cell)

    def _moved(self, change) -> None:
        names = {control: name for name, control in self.inputs.items()}
        name = names[change["owner"]]
        if name == "coins":
            try:
                row = read_row(change["new"])
            except ValueError as error:
                return self._refuse(f"{error}. The old row stays.")
            if self.data is None or row != self.data.greedy.coins:
                self.stop()
                with self._lock:
                    self._opening, self.data = {"moves": "", "filled": ()}, None
                    self.redraw()
        elif name in ("task", "side", "opponent", "seed"):
            self.stop()
            with self._lock:
                if self.data is not None:
                    self.data.moves = ""
                self.redraw()
        else:
            self._act(lambda: None)

    def _names(self) -> tuple[str, str]:
        return names_of(self.inputs["task"].value, self.inputs["side"].value)

    # --- what is on the screen

    def _draw(self) -> None:
        super()._draw()
        self._show_choices()

    def _show_choices(self) -> None:
        """Which controls and buttons make sense now."""
        task, data = self.inputs["task"].value, self.data
        for name, group in self._groups.items():
            group.layout.display = "" if name == task else "none"
        for name, line in self._lines.items():
            line.layout.display = "" if TASK_OF.get(name, task) == task else "none"
        run = data.run if data else None
        for place, (end, button) in enumerate(zip(ENDS, self._takes)):
            coin = f" ({data.greedy.coins[run[place]]})" if run else ""
            button.description, button.disabled = f"Take {ENDS[end]}{coin}", run is None
        self._choose.disabled = data is None or not tease(data, self._names())
        self._step.disabled = run is None

    def _parts(self, shown) -> list[widgets.Widget]:
        self.picture.close()
        self.picture = Stage()  # instead of HTML: one can click and type on it
        self.picture.on_msg(lambda _, content, buffers: self._receive(content))
        head, *lines, buttons, picture, show, code = super()._parts(shown)
        self._lines = dict(zip([name for name in self.CONTROLS if name in shown], lines))
        if "coins" in self._lines:
            shuffle = _button("Shuffle", "The same coins in another order", self.shuffle)
            self._lines["coins"].children = (
                self._lines["coins"].children[0],
                shuffle,
                self._lines["coins"].children[1],
            )
        run, self._step, again = buttons.children
        self._takes = [
            _button(f"Take {ENDS[end]}", f"Or press {end} on the picture", lambda end=end: self.take(end))
            for end in ENDS
        ]
        self._choose = _button(
            "Let them choose", "Where both ends are equally good, the computer may choose your move", self.let_choose
        )
        play = [
            *self._takes,
            self._choose,
            _button("Undo", "Take your last move back", self.undo),
            _button("New game", "Begin again with the next seed", self.new_game),
        ]
        fill = [
            _button("Hint", "Names the two candidates for this cell; ? in the cell does the same", self.hint),
            _button("Empty table", "Begin again", self.start_again),
        ]
        self._groups = {
            "look": _group("Look", [run, self._step, again], "Best play, move by move. Or click an end coin (L and R on the picture) to try another move."),
            "play": _group("Play", play, "Click a coin at an end, or press L or R on the picture."),
            "fill": _group("Fill in", fill, "Type a number and press Enter. Arrow keys go from cell to cell, ? asks for a hint."),
        }  # fmt: skip
        above = sum(name in self._lines for name in ("task", "coins", "show"))
        return [head, *lines[:above], *self._groups.values(), picture, *lines[above:], show, code]

    @staticmethod
    def draw(data: Triangle, task: str, show: str, side: str, arrows: bool, reveal: bool, **settings) -> str:
        """What happened in words, the triangle over its coins, and the same as a table."""
        names = names_of(task, side)
        if task == "fill":
            said = _told_filling(data, show, arrows)
            known = {cell for cell in data.cells() if data.done(show, arrows, *cell)}
        else:
            said = f"{data.notice} {tell(data, names)}".strip()
            known = set(data.cells()) if task == "look" or reveal else set()
        return (
            f"<div class='coin-lab'>{_style(len(data.greedy.coins))}\n<p role='status'><strong>{escape(said)}</strong></p>\n"
            f"{_progress(data, show, arrows) if task == 'fill' else ''}"
            f"<p class='tells'>{escape(_told_default(data, task, show, known))}</p>\n"
            f"<div class='scroll'>{_picture(data, task, show, arrows, known, names)}</div>\n"
            f"{_legend(show, bool(known))}\n{_table(data, show, known)}</div>"
        )

    @staticmethod
    def code(coins: str | Sequence[int], task: str, moves: str = "", **settings) -> str:
        """The lines of coinlib that make the same data."""
        names, played = ["solve_greedy"], ""
        if task != "fill":
            names.insert(0, "GreedyCoins")
            played = f"""
game = GreedyCoins(coins)
state = game.start    # the coins that are left are coins[left:right]
points, costs = [0, 0], []
for number, move in enumerate("{moves}"):    # Alice's and Bob's moves in turn
    left, right = state
    points[number % 2] += game.reward(state, move)
    costs.append(greedy.cost(move, left, right - 1))
    state = game.play(state, move)
"""
        more = ', "left": game.coins_left(state), "points": points, "costs": costs' if played else ""
        return f"""\
from coinlib import {", ".join(names)}

coins = {read_row(coins)!r}
greedy = solve_greedy(coins)
{played}
data = {{"alice": greedy.alice, "margin": greedy.margin, "moves": greedy.moves{more}}}
greedy.line()    # best play from the start
"""


def names_of(task: str, side: str) -> tuple[str, str]:
    """How Alice and Bob are called in the words of a task."""
    if task != "play":
        return PLAYERS
    return ("You", "The computer") if side == "alice" else ("The computer", "You")


def draw_end(ends: str, seed: int, number: int) -> str:
    """One of the ends, drawn for move `number`: the same seed draws the same."""
    return str(np.random.default_rng([seed, number]).choice(list(ends)))


def reply(data: Triangle, side: str, opponent: str, seed: int) -> None:
    """The computer's move, if it is its turn."""
    number = len(data.moves)
    if data.run and PLAYERS[number % 2].lower() != side:
        ends = str(data.greedy.moves[data.run]) if opponent == "perfect" else "LR"
        data.moves += draw_end(ends, seed, number)


# --- the picture: cells of 60 by 54 points, whatever their size on the screen ------------------------------------

WIDE, HIGH, MARGIN = 60, 54, 54
ROOM = 24  # half the height of what stands at one place, with its ring


def _told_default(data: Triangle, task: str, show: str, known: set[Cell]) -> str:
    """What is said while nothing is pointed at."""
    if data.run in known and task != "fill":
        return explain(data.greedy, show, *data.run)
    return f"Each cell: {TABLES[show][1]}. Point at a cell, or go there with the arrow keys."


def _told_filling(data: Triangle, show: str, arrows: bool) -> str:
    """The verdict on the last answer, or what to do, or praise."""
    if data.asked(show, arrows):
        return data.notice or f"Fill in {TABLES[show][0]}, from the base upwards: {TABLES[show][1]}."
    greedy, wrong = data.greedy, data.wrong(show)
    tries = "without one wrong try" if not wrong else f"with {counted(wrong, 'wrong answer')} on the way"
    total, size = sum(greedy.coins), len(greedy.coins)
    gets = (
        f"Alice gets {greedy.value} of {total}" if show == "alice" else f"The margin of Alice is {greedy.margin[0, -1]}"
    )
    return _minus(
        f"★ Well done: all {size * (size + 1) // 2} cells are right, {tries}. {gets}. The arrows show the best moves."
    )


def _progress(data: Triangle, show: str, arrows: bool) -> str:
    cells, left = sum(1 for _ in data.cells()), len(data.asked(show, arrows))
    return (
        f"<p><progress max='{cells}' value='{cells - left}' aria-label='Cells that are right'></progress> "
        f"{cells - left} of {cells} cells are right; wrong answers: {data.wrong(show)}.</p>\n"
    )


def _style(size: int) -> str:
    """Looks, and linked highlighting without a script: a cell lights its coins, a coin the runs that it ends."""
    pointed = [
        f".coin-lab:has(.{by}{n}:hover) .{lit}{n}, .coin-lab:has(.{by}{n}:focus-within) .{lit}{n}"
        for n in range(size)
        for by, lit in (("h", "k"), ("k", "e"))
    ]
    return (
        f"<style>{', '.join(pointed)}, .coin-lab :is(.cell, .coin):is(:hover, :focus-within) "
        f"{{ --lit: {LIGHT}; --edge: currentColor }} "
        f".coin-lab {{ contain: inline-size; --alice: {BLUE}; --bob: {GREEN} }} "
        f"[data-jp-theme-light='false'] .coin-lab {{ --alice: {SKY}; --bob: #2FBF8F }} "
        ".coin-lab .ring { fill: var(--lit, transparent); stroke: var(--edge, transparent); stroke-width: 2 } "
        ".coin-lab :is(.cell, .coin):focus { outline: none } .coin-lab [data-end] { cursor: pointer } "
        ".coin-lab :is(.cell, .coin):focus-visible .ring, .coin-lab .cell:focus-within .ring { stroke-width: 5 } "
        ".coin-lab .scroll { overflow-x: auto; max-width: 100% } "
        ".coin-lab .tells { min-height: 2.8em } .coin-lab p { line-height: 1.4; margin: 6px 0; max-width: 56rem } "
        f".coin-lab input {{ width: 100%; height: 100%; box-sizing: border-box; padding: 0; text-align: center; "
        f"font: bold 16px sans-serif; color: {INK}; background: white; border: 2px dashed #767676; border-radius: 5px }} "
        ".coin-lab .round input { border-radius: 15px } .coin-lab .cell:has(input) .face { stroke: none } "
        ".coin-lab .wrong input { border: 3px solid #D55E00 } .coin-lab table { border-collapse: collapse } "
        ".coin-lab th, .coin-lab td { padding: 1px 7px; text-align: left }</style>"
    )


def _place(size: int, i: int, j: int) -> tuple[float, float]:
    """The middle of a cell; coins stand one level under the base, at (k, k - 1) as it were."""
    return MARGIN + WIDE * (i + j + 1) / 2, ROOM + HIGH * (size - 1 - (j - i))


def _picture(data: Triangle, task: str, show: str, arrows: bool, known: set[Cell], names: Sequence[str]) -> str:
    size = len(data.greedy.coins)
    wide, high = MARGIN + WIDE * size + 6, HIGH * size + 2 * ROOM + 8
    cells = list(data.cells())
    asked = data.asked(show, arrows) if task == "fill" else []
    behind = "" if task == "fill" else _trail(data)
    levels = "".join(_level(data.greedy, gap) for gap in range(size))
    pointers = "".join(
        _arrow(data.greedy, *cell, move) for cell in cells if cell in known for move in _best(data.greedy, *cell)
    )
    drawn = "".join(_cell(data, show, *cell, cell in known, cell in asked, task) for cell in cells)
    coins = "".join(_coin(data, k, task, names) for k in range(size))
    follow = data.at if data.at in asked else next(iter(asked), None)
    go = f" data-go='{follow[0]}-{follow[1]}'" if follow else ""
    label = f"Triangle of {counted(len(cells), 'cell')} over {counted(size, 'coin')}. Arrow keys go from cell to cell."
    return (
        f"<svg viewBox='0 0 {wide} {high}' role='group' aria-label='{label}'{go} fill='currentColor' style='display: block; "
        f"width: 100%; min-width: {0.6 * wide:.0f}px; max-width: {min(1.25, 0.5 + 3.6 / size) * wide:.0f}px; "
        f"font: 17px sans-serif'>{behind}{levels}{pointers}{drawn}{coins}</svg>"
    )


def _trail(data: Triangle) -> str:
    """The triangle of the coins that are left, and the way down to it."""
    size = len(data.greedy.coins)
    way = " ".join("{:g},{:g}".format(*_place(size, *cell)) for cell in data.runs)
    drawn = f"<polyline points='{way}' fill='none' stroke='currentColor' stroke-opacity='0.3' stroke-width='12' stroke-linejoin='round'/>"
    if data.run:
        (x, y), (i, j) = _place(size, *data.run), data.run
        left, right, bottom = _place(size, i, i)[0] - 29, _place(size, j, j)[0] + 29, ROOM + HIGH * size + 22
        drawn += f"<path d='M{x:g} {y - 23:g}L{right:g} {bottom}H{left:g}Z' fill='{SKY}' fill-opacity='0.16'/>"
        drawn += f"<path d='M{left + 8:g} {bottom + 5}H{right - 8:g}' stroke='currentColor' stroke-width='4'/>"
    return drawn


def _level(greedy: Greedy, gap: int) -> str:
    x, y = _place(len(greedy.coins), 0, gap)
    who = mover(greedy, 0, gap)
    return (
        f"<text x='{x - 28:g}' y='{y + 4:g}' text-anchor='end' font-size='13' fill='var(--{who.lower()})'>{who}</text>"
    )


def _best(greedy: Greedy, i: int, j: int) -> str:
    """The arrows of a cell: none where one coin is left, for then nothing is left to point to."""
    return str(greedy.moves[i, j]) if i < j else ""


def _arrow(greedy: Greedy, i: int, j: int, move: str) -> str:
    """An arrow to what a move leaves: Alice's thick with a full head, Bob's thin with an open one."""
    (x, y), side = _place(len(greedy.coins), i, j), 1 if move == "L" else -1  # who takes the left coin leaves the right
    x, y, alice = x + 10 * side, y + 16, mover(greedy, i, j) == "Alice"
    tip_x, tip_y = x + 14 * side, y + 21
    head = f"M{tip_x - 11 * side:g} {tip_y - 3:g}L{tip_x:g} {tip_y:g}L{tip_x + 1 * side:g} {tip_y - 12:g}"
    look = f"stroke='var(--{'alice' if alice else 'bob'})' stroke-width='{4.5 if alice else 2.4}'"
    full = f"fill='var(--alice)' {look}" if alice else f"fill='none' {look}"
    return f"<path d='M{x:g} {y:g}L{tip_x:g} {tip_y:g}' {look}/><path d='{head}{'Z' if alice else ''}' {full} stroke-linejoin='round'/>"


def _cell(data: Triangle, show: str, i: int, j: int, known: bool, asked: bool, task: str) -> str:
    """One cell: square on Alice's levels, round on Bob's; dashed where nothing is known."""
    greedy, (x, y) = data.greedy, _place(len(data.greedy.coins), i, j)
    alice, now = mover(greedy, i, j) == "Alice", task != "fill" and (i, j) == data.run
    fill = ("#CFE8F7" if alice else "#D3F0E5") if known else "none"
    edge = "stroke-dasharray='4 3' stroke='#767676'" if not known else "stroke='currentColor'"
    typed = "" if data.last(show, i, j) is None else f"{data.last(show, i, j)}"
    if data.right(show, i, j) and data.last("moves", i, j):
        typed += str(data.last("moves", i, j)).replace("LR", "B")
    inside = str(getattr(greedy, show)[i, j]) if known else typed if asked else ""
    wrong = asked and typed != "" and not (data.right(show, i, j) and data.last("moves", i, j) is None)
    words = explain(greedy, show, i, j) if known else _head(greedy, i, j)
    words += " ✗ Not right yet." if wrong else ""
    classes = f"cell {' '.join(f'h{k}' for k in range(i, j + 1))} e{i} e{j}{' round' * (not alice)}{' wrong' * wrong}"
    ask = f" data-ask='{_minus(typed)}'" if asked else ""
    size = 17 if len(inside) < 5 else 13
    mark = f"<text x='{x + 20:g}' y='{y - 10:g}' font-size='14' font-weight='bold'>✗</text>" if wrong else ""
    number = f"<text x='{x:g}' y='{y + 6:g}' text-anchor='middle' font-size='{size}' fill='{INK if known else 'currentColor'}'>{_minus(inside)}</text>"
    return (
        f"<g class='{classes}' data-cell='{i}-{j}' tabindex='-1' role='img'{ask}><title>{escape(words)}</title>"
        f"<rect class='ring' x='{x - 27:g}' y='{y - 20:g}' width='54' height='40' rx='{6 if alice else 20}'/>"
        f"<rect class='face' x='{x - 22:g}' y='{y - 15:g}' width='44' height='30' rx='{4 if alice else 15}' fill='{fill}' {edge} "
        f"stroke-width='{4 if now else 1.5}'/>{number}{mark}</g>"
    )


def _coin(data: Triangle, k: int, task: str, names: Sequence[str]) -> str:
    """One coin at the base; the ends of the run can be clicked, and gone ones say who has them."""
    size, coin, run = len(data.greedy.coins), data.greedy.coins[k], data.run
    x, y = _place(size, k, k)[0], ROOM + HIGH * size
    gone = task != "fill" and not (run and run[0] <= k <= run[1])
    end = "" if task == "fill" or gone or k not in run else "LR"[k != run[0]]
    words = f"Coin {coin}, place {k + 1} of {size}. The runs that begin or end with it light up."
    look, letter = f"fill='#F0B32E' stroke='{INK}'", str(coin)
    if gone:
        number = next(number for number, cell in enumerate(data.runs) if k == cell[data.moves[number] == "R"])
        words = f"Coin {coin}, taken by {PLAYERS[number % 2]}."
        look, letter = "fill='none' stroke='#767676' stroke-dasharray='3 3'", f"{coin} {PLAYERS[number % 2][0]}"
    elif end:
        words = f"Take the {coin} on the {ENDS[end]}. " + words
    action = f" data-end='{end}' role='button'" if end else " role='img'"
    return (
        f"<g class='coin k{k}' data-cell='c{k}' tabindex='-1'{action}><title>{escape(words)}</title>"
        f"<circle class='ring' cx='{x:g}' cy='{y}' r='22'/><circle cx='{x:g}' cy='{y}' r='18' {look} stroke-width='2'/>"
        f"<text x='{x:g}' y='{y + 5}' text-anchor='middle' font-size='{16 if len(letter) < 4 else 11}' font-weight='bold' "
        f"fill='{'currentColor' if gone else INK}'>{letter}</text></g>"
    )


def _legend(show: str, arrows: bool) -> str:
    said = f"In each cell {TABLES[show][0]}: {TABLES[show][1]}. Square: Alice moves; round: Bob moves. "
    blue, green = "color: var(--alice)", "color: var(--bob)"
    pointing = (
        f"Arrows are best moves and point to what is left: <b style='{blue}'>full and blue</b> Alice's, "
        f"<b style='{green}'>open and green</b> Bob's; two arrows where both moves are equally good."
    )
    return f"<p>{escape(said)}{pointing if arrows else ''}</p>"


def _table(data: Triangle, show: str, known: set[Cell]) -> str:
    """The cells that are known, as a table; the whole row first."""
    if not known:
        return ""
    greedy = data.greedy
    lines = "".join(
        f"<tr><th scope='row'>{_coins(greedy, *cell)}</th><td>{mover(greedy, *cell)}</td>"
        f"<td>{_minus(getattr(greedy, show)[cell])}</td><td>{' or '.join(ENDS[move] for move in _best(greedy, *cell)) or 'the last coin'}</td></tr>"
        for cell in reversed(list(data.cells()))
        if cell in known
    )
    head = "".join(f"<th scope='col'>{words}</th>" for words in ("coins left", "moves", TABLES[show][0], "best move"))
    return f"<details><summary>The triangle as a table</summary><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></details>"
