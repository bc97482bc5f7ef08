"""The page of the triangle lab: words, the triangle over its coins, and the same as a table."""

from __future__ import annotations

from coinlib.plots.triangles import runs_of

from . import triangle
from .pages import TEMPLATES, page
from .shared import LIGHT
from .triangle import ENDS, TABLES, Triangle, explain, minus, mover, tell

WIDE, HIGH, LEFT, TOP = 60, 56, 58, 24  # from cell to cell; left of the base; half the height of a cell with its ring
POINT = "Point at a cell: here stands which coins it is for, and who moves."


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
    filling, seen, size = task == "fill", task != "play" or reveal, len(data.coins)
    middles = {  # of the cells, from the base upwards
        (i, j): (LEFT + WIDE * (i + j + 1) // 2, TOP + HIGH * (size - 1 - (j - i))) for i, j in runs_of(data.greedy)
    }
    asked = data.asked(show, arrows) if filling else []
    peek = explain(data.greedy, show, *data.run) if data.run and seen and not filling else POINT
    return page(
        "triangle.html",
        data=data,
        greedy=data.greedy,
        triangle=triangle,
        show=show,
        table=getattr(data.greedy, show),
        name=TABLES[show][0],
        meaning=TABLES[show][1],
        filling=filling,
        seen=seen,
        story=tell(data, seen),
        peek=peek if data.run else "",
        middles=middles,
        movers=[mover(data.greedy, 0, j) for j in range(size)],  # by the coins left, less one
        known=[cell for cell in middles if seen and cell not in asked],
        asked=asked,
        now=data.at if data.at in asked else next(iter(asked), (0, size - 1)),
        mistakes=data.wrong(show),
        size=size,
        width=LEFT + WIDE * size + 6,
        bottom=TOP + HIGH * size,
        light=LIGHT,
    )


TEMPLATES.filters |= {"end": ENDS.get, "minus": minus}
