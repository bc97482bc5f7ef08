"""The page of the triangle lab: words, the triangle over its coins, and the same as a table.

It needs no script: the stored output of a lesson shows it as it is, and even there a cell that is
pointed at lights up its coins.
"""

from __future__ import annotations

from html import escape

from coinlib.arguments import counted

from .shared import BLUE, GREEN, INK, LIGHT, SKY
from .triangle import ENDS, PLAYERS, TABLES, Cell, Triangle, explain, heading, minus, mover, names_of, spoken, tell

WIDE, HIGH, MARGIN, ROOM = (
    60,
    56,
    58,
    24,
)  # from cell to cell; left of the base; half the height of a cell with its ring
GREY, WRONG = "#767676", "#D55E00"


def page(data: Triangle, task: str, table: str, side: str, arrows: bool, reveal: bool) -> str:
    """What happened in words, the picture, and the same as a table: HTML without a script.

    Parameters
    ----------
    data : Triangle
    task : {"look", "play", "fill"}
    table : {"alice", "margin"}
        What stands in the cells.
    side : {"alice", "bob"}
        Who you are when you play.
    arrows : bool
        Whether the best moves are filled in too.
    reveal : bool
        Whether the table is seen during a game.
    """
    asked = data.asked(table, arrows) if task == "fill" else []
    if task == "fill":
        known = {cell for cell in data.cells() if cell not in asked}
        said, more = _told_filling(data, table, asked)
    else:
        known = set(data.cells()) if task == "look" or reveal else set()
        said, more = tell(data, names_of(task, side), reveal or task == "look")
        said = f"{data.notice} {said}".strip()
    rest = "Point at a cell: here stands which coins it is for, and who moves."
    if data.run is None:
        rest = ""
    elif data.run in known and task != "fill":
        rest = explain(data.greedy, table, *data.run)
    return (
        f"<div class='coin-lab coin-triangle'>{_style(len(data.greedy.coins))}\n"
        f"<p role='status'><strong>{escape(said)}</strong><br>{escape(more)}</p>\n"
        f"{_progress(data, table, asked) if task == 'fill' else ''}<p class='tells'>{escape(rest)}</p>\n"
        f"<div class='scroll'>{_picture(data, table, task, known, asked)}</div>\n"
        f"{_legend(table, bool(known))}\n{_table(data, table, known) if known else ''}</div>"
    )


def _told_filling(data: Triangle, table: str, asked: list[Cell]) -> tuple[str, str]:
    """The verdict on the last answer, or what to do, or praise."""
    if asked:
        start = f"Fill in {TABLES[table][0]}, from the base upwards."
        return data.notice or start, f"Each cell: {TABLES[table][1]}. Type a number and press Enter."
    greedy, wrong = data.greedy, data.wrong(table)
    tries = f"with {counted(wrong, 'wrong answer')} on the way" if wrong else "without one wrong answer"
    top = f"Alice gets {greedy.value} of {sum(greedy.coins)}"
    if table == "margin":
        top = f"Alice's margin is {greedy.margin[0, -1]}"
    return (
        f"★ Well done: all {len(data.cells())} cells are correct, {tries}.",
        minus(f"{top}. The arrows show all best moves."),
    )


def _progress(data: Triangle, table: str, asked: list[Cell]) -> str:
    cells = len(data.cells())
    done = cells - len(asked)
    return (
        f"<p><progress max='{cells}' value='{done}' aria-label='Correct cells'></progress> "
        f"{done} of {cells} cells are correct; wrong answers: {data.wrong(table)}.</p>\n"
    )


def _style(size: int) -> str:
    """Looks, and linked highlighting: a cell lights its coins, a coin the cells that it begins or ends."""
    pairs = [(by, lit, n) for n in range(size) for by, lit in (("in", "coin"), ("coin", "end"))]
    lit = [f".coin-triangle:has(.{by}{n}:is(:hover, :focus-within)) .{lit}{n}" for by, lit, n in pairs]
    return (
        f"<style>{', '.join(lit)}, .coin-triangle .place:is(:hover, :focus-within) "
        f"{{ --lit: {LIGHT}; --edge: currentColor }}\n"
        f".coin-triangle {{ contain: inline-size; --alice: {BLUE}; --bob: {GREEN} }}\n"
        f"[data-jp-theme-light='false'] .coin-triangle {{ --alice: {SKY}; --bob: #2FBF8F }}\n"
        ".coin-triangle .ring { fill: var(--lit, transparent); stroke: var(--edge, transparent); stroke-width: 2 }\n"
        ".coin-triangle .place:focus { outline: none } .coin-triangle [data-end] { cursor: pointer }\n"
        ".coin-triangle .place:focus-visible .ring, .coin-triangle .place:has(input:focus) .ring { stroke-width: 5 }\n"
        ".coin-triangle .scroll { overflow-x: auto; max-width: 100% } .coin-triangle .tells { min-height: 2.8em }\n"
        ".coin-triangle p { line-height: 1.4; margin: 6px 0; max-width: 56rem }\n"
        ".coin-triangle b { border-bottom: 4px solid var(--alice) } .coin-triangle b + b { border-bottom: 2px dashed var(--bob) }\n"
        ".coin-triangle input { width: 100%; height: 100%; box-sizing: border-box; padding: 0; text-align: center; "
        f"font: bold 16px sans-serif; color: {INK}; background: white; border: 2px dashed {GREY}; border-radius: 5px }}\n"
        ".coin-triangle .place:has(input) .face { stroke: none } .coin-triangle .bob input { border-radius: 15px } "
        f".coin-triangle .wrong input {{ border: 3px solid {WRONG} }}\n"
        ".coin-triangle table { border-collapse: collapse } .coin-lab.coin-triangle :is(th, td) { padding: 1px 7px; text-align: left }</style>"
    )


# --- the picture, whatever its size on the screen ------------------------------------------------------------


def _place(size: int, i: int, j: int) -> tuple[float, int]:
    """The middle of a cell."""
    return MARGIN + WIDE * (i + j + 1) / 2, ROOM + HIGH * (size - 1 - (j - i))


def _picture(data: Triangle, table: str, task: str, known: set[Cell], asked: list[Cell]) -> str:
    size, cells = len(data.greedy.coins), data.cells()
    wide, high = MARGIN + WIDE * size + 6, HIGH * size + 2 * ROOM + 8
    label = f"Triangle of {len(cells)} cells over {counted(size, 'coin')}. Arrow keys go from cell to cell."
    following = data.at if data.at in asked else next(iter(asked), None)
    parts = [
        "" if task == "fill" else _way(data),
        *(_level(data, gap) for gap in range(size)),
        *(_arrow(data, *cell, move) for cell in cells if cell in known for move in _best(data, *cell)),
        *(_cell(data, table, task, *cell, cell in known, cell in asked) for cell in cells),
        *(_coin(data, task, k) for k in range(size)),
    ]
    go = "data-go='{}-{}' ".format(*following) if following else ""
    return (
        f"<svg viewBox='0 0 {wide} {high}' role='group' aria-label='{label}' {go}fill='currentColor' style='display: block; "
        f"width: 100%; min-width: {0.6 * wide:.0f}px; max-width: {min(1.25, 0.5 + 3.6 / size) * wide:.0f}px; "
        "font: 17px sans-serif'>\n" + "\n".join(filter(None, parts)) + "</svg>"
    )


def _way(data: Triangle) -> str:
    """The way down to the coins that are left, their triangle, and a bar under them."""
    size = len(data.greedy.coins)
    way = " ".join("{:g},{}".format(*_place(size, *cell)) for cell in data.runs)
    drawn = f"<polyline points='{way}' fill='none' stroke='currentColor' stroke-opacity='0.3' stroke-width='12'/>"
    if data.run:
        (x, y), (i, j) = _place(size, *data.run), data.run
        left, right, bottom = _place(size, i, i)[0] - 29, _place(size, j, j)[0] + 29, ROOM + HIGH * size + 22
        drawn += f"<path d='M{x:g} {y - 23}L{right:g} {bottom}H{left:g}Z' fill='{SKY}' fill-opacity='0.16'/>"
        drawn += f"<path d='M{left + 8:g} {bottom + 5}H{right - 8:g}' stroke='currentColor' stroke-width='4'/>"
    return drawn


def _level(data: Triangle, gap: int) -> str:
    """Who moves, left of the cells of one level."""
    x, y = _place(len(data.greedy.coins), 0, gap)
    return f"<text x='{x - 33:g}' y='{y + 4}' text-anchor='end' font-size='13'>{mover(data.greedy, 0, gap)}</text>"


def _best(data: Triangle, i: int, j: int) -> str:
    """The arrows of a cell: none for a single coin, since nothing is left to point to."""
    return str(data.greedy.moves[i, j]) if i < j else ""


def _arrow(data: Triangle, i: int, j: int, move: str) -> str:
    """An arrow to what a move leaves: Alice's thick with a full head, Bob's thin with an open one."""
    alice, turn = mover(data.greedy, i, j) == "Alice", 1 if move == "L" else -1  # left taken, right is left
    x, y = _place(len(data.greedy.coins), i, j)
    x, y, tip_x, tip_y = x + 9 * turn, y + 16, x + 22 * turn, y + 39
    head = f"M{tip_x - 10 * turn:g} {tip_y - 5}L{tip_x:g} {tip_y}L{tip_x + turn:g} {tip_y - 11}"
    name, width, full = ("alice", 4, "Z") if alice else ("bob", 2.4, "")
    return (
        f"<g stroke='var(--{name})' stroke-width='{width}' fill='{'var(--alice)' if alice else 'none'}'>"
        f"<path d='M{x:g} {y}L{tip_x - turn:g} {tip_y - 2}'/><path d='{head}{full}'/></g>"
    )


def _cell(data: Triangle, table: str, task: str, i: int, j: int, known: bool, asked: bool) -> str:
    """One cell: square where Alice moves, round where Bob does; dashed where it is not known."""
    greedy, (x, y) = data.greedy, _place(len(data.greedy.coins), i, j)
    alice, now = mover(greedy, i, j) == "Alice", task != "fill" and (i, j) == data.run
    typed, wrong = _typed(data, table, i, j) if asked else ("", False)
    number = minus(getattr(greedy, table)[i, j]) if known else typed
    words = (explain(greedy, table, i, j) if known else f"{heading(greedy, i, j)}.") + " ✗ Wrong." * wrong
    ask = f"data-ask='{typed}' " if asked else ""
    lit = " ".join(f"in{k}" for k in range(i, j + 1))
    fill, edge = ("#CFE8F7" if alice else "#D3F0E5", "currentColor") if known else ("none", GREY)
    return (
        f"<g class='place cell {PLAYERS[not alice].lower()} {lit} end{i} end{j}{' wrong' * wrong}' data-cell='{i}-{j}' "
        f"{ask}tabindex='-1' role='img'><title>{escape(words)}</title>"
        f"<rect class='ring' x='{x - 27:g}' y='{y - 20}' width='54' height='40' rx='{6 if alice else 20}'/>"
        f"<rect class='face' x='{x - 22:g}' y='{y - 15}' width='44' height='30' rx='{4 if alice else 15}' fill='{fill}' "
        f"stroke='{edge}' stroke-width='{4 if now else 1.5}' stroke-dasharray='{'none' if known else '4 3'}'/>"
        f"<text x='{x:g}' y='{y + 6}' text-anchor='middle' font-size='{17 if len(number) < 5 else 13}' "
        f"fill='{INK if known else 'currentColor'}'>{number}</text>"
        f"<text x='{x + 16:g}' y='{y - 24}' font-size='15' font-weight='bold'>{'✗' * wrong}</text></g>"
    )


def _typed(data: Triangle, table: str, i: int, j: int) -> tuple[str, bool]:
    """What was answered in a cell that is still asked for, and whether that is wrong."""
    number, move = data.last(table, i, j), data.last("moves", i, j)
    if number is None:
        return "", False
    if not data.correct(table, i, j):
        return minus(number), True
    return minus(number) + (move or "").replace("LR", "B"), move is not None


def _coin(data: Triangle, task: str, k: int) -> str:
    """One coin at the base; the ends of the row can be clicked, and those that are gone say who has them."""
    size, coin = len(data.greedy.coins), data.greedy.coins[k]
    (x, _), y = _place(size, k, k), ROOM + HIGH * size
    words = f"Coin {coin}, place {k + 1} of {size}. The cells that it begins or ends light up."
    look, ink, letters, role = f"fill='#F0B32E' stroke='{INK}'", INK, f"{coin}", "role='img'"
    owner = None if task == "fill" else _owner(data, k)
    if owner:
        words, letters, ink = f"Coin {coin}, taken by {owner}.", f"{coin} {owner[0]}", "currentColor"
        look = f"fill='none' stroke='{GREY}' stroke-dasharray='3 3'"
    elif task != "fill" and k in data.run:
        end = "L" if k == data.run[0] else "R"
        role = f"data-end='{end}' role='button'"
        words = f"Take the {coin} on the {ENDS[end]}. {words}"
    return (
        f"<g class='place coin coin{k}' data-cell='c{k}' tabindex='-1' {role}>"
        f"<title>{escape(words)}</title><circle class='ring' cx='{x:g}' cy='{y}' r='22'/>"
        f"<circle cx='{x:g}' cy='{y}' r='18' {look} stroke-width='2'/><text x='{x:g}' y='{y + 5}' text-anchor='middle' "
        f"font-size='{16 if len(letters) < 4 else 11}' font-weight='bold' fill='{ink}'>{letters}</text></g>"
    )


def _owner(data: Triangle, k: int) -> str | None:
    """Who has taken a coin."""
    for number, ((i, j), move) in enumerate(zip(data.runs, data.moves)):
        if k == (i if move == "L" else j):
            return PLAYERS[number % 2]
    return None


def _legend(table: str, arrows: bool) -> str:
    pointing = (
        " Arrows are best moves and point to what is left: <b>thick and blue</b> for Alice, <b>thin and green</b> for Bob; "
        "two arrows where both moves are equally good."
    )
    said = f"In each cell {TABLES[table][0]}: {TABLES[table][1]}. Square cells: Alice moves. Round cells: Bob moves."
    return f"<p>{said}{pointing if arrows else ''}</p>"


def _table(data: Triangle, table: str, known: set[Cell]) -> str:
    """The cells that are known as a table, the whole row of coins first."""
    greedy = data.greedy
    lines = "\n".join(
        f"<tr><th scope='row'>{spoken(greedy, *cell)}</th><td>{mover(greedy, *cell)}</td>"
        f"<td>{minus(getattr(greedy, table)[cell])}</td>"
        f"<td>{' or '.join(ENDS[move] for move in _best(data, *cell)) or 'the last coin'}</td></tr>"
        for cell in reversed(data.cells())
        if cell in known
    )
    head = "".join(f"<th scope='col'>{words}</th>" for words in ("coins left", "moves", TABLES[table][0], "best move"))
    return (
        "<details><summary>The triangle as a table</summary><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></details>"
    )
