"""The page of the triangle lab: words, the triangle over its coins, and the same as a table."""

from __future__ import annotations

from typing import NamedTuple

from .pages import TEMPLATES, page
from .shared import LIGHT
from .triangle import ENDS, TABLES, Cell, Triangle, explain, heading, minus, mover, spoken, tell, truth

WIDE, HIGH, LEFT, TOP = 60, 56, 58, 24  # from cell to cell; left of the base; half the height of a cell with its ring
POINT = "Point at a cell: here stands which coins it is for, and who moves."


class Place(NamedTuple):
    """One cell as it is drawn: its coins, what is said of it, and what stands in it or was typed."""

    i: int
    j: int
    coins: str
    mover: str
    words: str
    number: str
    best: str
    known: bool
    asked: bool
    wrong: bool

    @property
    def over(self) -> str:
        """The classes that name its coins."""
        return " ".join(f"in{k}" for k in range(self.i, self.j + 1))


def draw(data: Triangle, task: str, show: str, arrows: bool, reveal: bool, **settings) -> str:
    """What happened in words, the triangle over its coins, and the same as a table.

    Parameters
    ----------
    data : Triangle
    task : {"look", "play", "fill"}
    show : {"alice", "margin"}
        What stands in the cells.
    arrows : bool
        Whether the best moves are filled in too.
    reveal : bool
        Whether the table is seen during a game.
    """
    filling = task == "fill"
    asked = data.asked(show, arrows) if filling else []
    seen = filling or task == "look" or reveal
    known = [cell for cell in data.cells if seen and cell not in asked]
    size = len(data.coins)
    return page(
        "triangle.html",
        data=data,
        filling=filling,
        story=tell(data, seen),
        resting=explain(data.greedy, show, *data.run) if data.run in known and not filling else POINT,
        places=[_place(data, show, cell, cell in known, cell in asked) for cell in data.cells],
        asked=asked,
        mistakes=data.wrong(show),
        now=data.at if data.at in asked else next(iter(asked), data.cells[-1]),
        movers=[mover(data.greedy, 0, gap) for gap in range(size)],
        name=TABLES[show][0],
        meaning=TABLES[show][1],
        margin=minus(truth(data.greedy, "margin", *data.cells[-1])),
        size=size,
        width=LEFT + WIDE * size + 6,
        bottom=TOP + HIGH * size,
        middle=lambda i, j: (LEFT + WIDE * (i + j + 1) // 2, TOP + HIGH * (size - 1 - (j - i))),
        light=LIGHT,
    )


def _place(data: Triangle, table: str, cell: Cell, known: bool, asked: bool) -> Place:
    greedy, (i, j) = data.greedy, cell
    typed, wrong = _typed(data, table, cell) if asked else ("", False)
    words = explain(greedy, table, i, j) if known else f"{heading(greedy, i, j)}."
    number = minus(truth(greedy, table, i, j)) if known else typed
    best = truth(greedy, "moves", i, j) if i < j else ""  # where one coin is left there is nothing to point to
    return Place(
        i, j, spoken(greedy, i, j), mover(greedy, i, j), words + " ✗ Wrong." * wrong, number, best, known, asked, wrong
    )


def _typed(data: Triangle, table: str, cell: Cell) -> tuple[str, bool]:
    """What was answered in a cell that is still asked for, and whether that is wrong."""
    number, move = data.last(table, *cell), data.last("moves", *cell)
    if number is None:
        return "", False
    if not data.correct(table, *cell):
        return minus(number), True
    return minus(number) + (move or "").replace("LR", "B"), move is not None


TEMPLATES.filters["end"] = ENDS.get
