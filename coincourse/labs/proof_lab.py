"""Where the lost counts lie on one row, and the step of the proof that says why."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, NamedTuple

from coinlib.solvers import solve
from coinlib.theory import grundy

from .lab import Lab, number
from .shared import INK, ORANGE, ending, game_code, linked, make_game, rules, so_many

MOST_STICKS, MOST_TAKE = 30, 12
WON = "#D6EBF8"  # a light sky blue, which dark ink can be read on


class Position(NamedTuple):
    """One number of sticks.

    Attributes
    ----------
    sticks : int
    wins : bool
        Whether whoever moves wins with perfect play, by the solver.
    takes : list of int
        The takes that win.
    value : int or None
        The Grundy value of what one plays for: all the sticks in normal play, all but the
        poisoned one in misère play (None if there is none).
    """

    sticks: int
    wins: bool
    takes: list[int]
    value: int | None


class ProofLab(Lab):
    """The lost counts of one row of sticks, and for one count the step of the proof.

    The counts stand in a grid with k + 1 columns, where k is the most that one move may take:
    so the lost ones stand in one column. The solver says which they are; the last lines say why.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "sticks", "max_take", "ending".
    sticks : int
        The count to look at, 0 to 30; the pictures go up to it.
    max_take : int
        The most sticks that one move may take, 1 to 12.
    ending : {"normal", "misere"}

    Examples
    --------
    >>> lab = ProofLab(sticks=13)
    >>> [position.sticks for position in lab.data if not position.wins]
    [0, 4, 8, 12]
    >>> lab.inputs["ending"].value = "misere"
    >>> [position.sticks for position in lab.data if not position.wins]
    [1, 5, 9, 13]
    """

    title = "Which counts are lost, and why?"
    goal = "Move a slider: the pattern moves, and the proof with it. Point at a count to find it everywhere."
    CONTROLS: ClassVar = {
        "sticks": number("Sticks", "The count to look at; the pictures go up to it.", 0, MOST_STICKS, 20),
        "max_take": number("Take at most", "The most sticks that one move may take.", 1, MOST_TAKE, 3),
        "ending": replace(ending(), default="normal"),
    }

    @staticmethod
    def compute(sticks: int, max_take: int, ending: str) -> list[Position]:
        """The positions from 0 to `sticks`, with what the solver and the theory say of them."""
        game = make_game(sticks, max_take, ending)
        solution, poison = solve(game), 1 if game.misere else 0
        return [
            Position(
                count,
                bool(solution.wins[count]),
                [move.count for move in solution.best_moves((count,))],
                grundy(count - poison, max_take) if count >= poison else None,
            )
            for count in range(sticks + 1)
        ]

    @staticmethod
    def draw(data: list[Position], sticks: int, max_take: int, ending: str) -> str:
        """A sentence, the grid of counts, the step of the proof, and the Grundy row."""
        return (
            f"<div class='coin-lab'>{linked(range(sticks + 1))}{_LOOK}\n"
            f"<p role='status'>{_summary(data, max_take, ending)}</p>\n"
            f"<div class='side'>{_grid(data, max_take, ending)}\n"
            f"<div class='wide'>{_proof(data[-1], max_take, ending)}</div></div>\n{_grundy_row(data, ending)}\n"
            f"<p>{rules(sticks, max_take, ending)} The solver says which counts are lost.</p></div>"
        )

    @staticmethod
    def code(sticks: int, max_take: int, ending: str) -> str:
        """The lines of coinlib that make the same data."""
        played = "n" if ending == "normal" else "n - 1"
        value = f"grundy({played}, {max_take})" + ("" if ending == "normal" else " if n else None")
        return f"""\
from coinlib import solve, sticks
from coinlib.theory import grundy

{game_code(sticks, max_take, ending)}
solution = solve(game)

data = [
    (n, bool(solution.wins[n]), [move.count for move in solution.best_moves((n,))], {value})
    for n in range({sticks + 1})
]
data    # sticks, whether whoever moves wins, the takes that win, the Grundy value of {played} sticks
"""


_LOOK = (
    "<style>.coin-lab span[class] { text-decoration: underline; background: var(--lit, transparent) } "
    ".coin-lab .count { outline: 3px solid var(--edge, transparent); outline-offset: -3px; text-align: center; "
    f"color: {INK}; white-space: nowrap }} .coin-lab .chosen {{ box-shadow: inset 0 0 0 3px {INK}; font-weight: bold }} "
    ".coin-lab .grid td, .coin-lab .grid th { border: 1px solid #767676; padding: 3px 7px; text-align: center } "
    ".coin-lab .grundy td { border: 1px solid #767676; padding: 2px 5px; text-align: center } "
    ".coin-lab .grundy th { text-align: left; white-space: nowrap }</style>"
)


# --- words ----------------------------------------------------------------------------------------------------


def _summary(data: list[Position], most: int, ending: str) -> str:
    last, lost = data[-1], [position.sticks for position in data if not position.wins]
    advice = f": take {_listed(last.takes, 'or')}" if last.takes else ""
    every = f"every {_ordinal(most + 1)} count, from {1 if ending == 'misere' else 0} on"
    return (
        f"<strong>{_name(ending)}: {so_many(last.sticks, 'stick')} {'is' if last.sticks == 1 else 'are'} "
        f"{'won' if last.wins else 'lost'} for whoever has to move{advice}.</strong> Lost up to here: {_listed(lost, 'and') if lost else 'none'} ({every})."
    )


def _proof(position: Position, most: int, ending: str) -> str:
    """The step of the proof for one count."""
    if position.sticks == 0 or position.sticks == 1 and ending == "misere":
        step = _paragraphs(_BEGINNING[ending, position.sticks])
    elif position.value == 0:
        step = _why_lost(position.sticks, most, ending)
    else:
        step = _why_won(position.sticks, position.value or 0, most, ending)
    head = f"The step of the proof for {so_many(position.sticks, 'stick')}, {_name(ending).lower()}"
    return _paragraphs(f"<strong>{head}</strong>") + step


_BEGINNING = {
    ("normal", 0): "No stick is left, so the other side took the last one, and has won. <strong>0 is lost</strong> "
    "for whoever has to move. Here the proof begins.",
    ("misere", 0): "No stick is left, so the other side took the last one, and has lost. <strong>0 is won</strong> "
    "for whoever has to move.",
    ("misere", 1): "One stick is left: the poisoned one. Who has to move must take it. <strong>1 is lost.</strong> "
    "Here the proof begins.",
}


def _why_lost(sticks: int, most: int, ending: str) -> str:
    """Every take leads to a won count, and has its answer."""
    step, played = most + 1, sticks - (ending == "misere")
    takes = range(1, most + 1)
    left = [_spot(sticks - take) for take in takes]
    those = "This is" if most == 1 else "All of these are"
    answers = "".join(
        f"<tr class='n{sticks - take}' tabindex='0'><td>{take}</td><td>{step - take}</td><td>{step}</td>"
        f"<td>{sticks - step}</td></tr>"
        for take in takes
    )
    head = "".join(f"<th scope='col'>{words}</th>" for words in ("taken", "answer", "together", "then left"))
    return _paragraphs(
        f"{_poison(sticks, ending)}{played} = {played // step} · {step}: a multiple of {step}.",
        f"A take of {_listed(takes, 'or')} leaves {_listed(left, 'or')}: {_not_multiple(most, ending)}. "
        f"{those} won for the other side, by the steps for smaller counts. <strong>So {sticks} is lost.</strong>",
        f"The answers make it {step} together, and {sticks - step} is lost again:",
    ) + (f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{answers}</tbody></table></div>")


def _not_multiple(most: int, ending: str) -> str:
    """What the counts are that a move from a lost count leaves."""
    if ending == "misere":
        return f"with one stick less, {'not a multiple' if most == 1 else 'no multiples'} of {most + 1}"
    return f"{'not a multiple' if most == 1 else 'no multiples'} of {most + 1}"


def _why_won(sticks: int, value: int, most: int, ending: str) -> str:
    """One take leads to a lost count."""
    step, played, left = most + 1, sticks - (ending == "misere"), sticks - value
    leaves = (
        f"{_spot(left)}, which is lost for the other side, by the step for that count"
        if left
        else "nothing: you have taken the last stick"
    )
    return _paragraphs(
        f"{_poison(sticks, ending)}{played} = {played // step} · {step} + {value}: the remainder is {value}.",
        f"Take {value}. That leaves {leaves}. <strong>So {sticks} is won.</strong>",
    )


def _poison(sticks: int, ending: str) -> str:
    """What one plays for in misère play."""
    return "" if ending == "normal" else f"One stick is poison, so both play for the other {sticks - 1}. "


def _spot(count: int) -> str:
    """A count in a sentence, which lights up with the tables."""
    return f"<span class='n{count}' tabindex='0'>{count}</span>"


def _paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _name(ending: str) -> str:
    return "Misère play" if ending == "misere" else "Normal play"


def _listed(items, last: str) -> str:
    """Items in words: "1, 2 or 3"."""
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _ordinal(number_of: int) -> str:
    return {2: "2nd", 3: "3rd"}.get(number_of, f"{number_of}th")


# --- tables -----------------------------------------------------------------------------------------------------


def _grid(data: list[Position], most: int, ending: str) -> str:
    """The counts in lines of k + 1: a lost column, and what to take in the others."""
    step, last = most + 1, data[-1].sticks
    head = "".join(f"<th scope='col'>{remainder}</th>" for remainder in range(step))
    lines = []
    for first in range(0, last + 1, step):
        cells = "".join(_count(position, last) for position in data[first : first + step])
        lines.append(f"<tr><th scope='row'>{first} +</th>{cells}</tr>")
    return (
        f"<div class='scroll'><table class='grid'><caption>{_name(ending)}: the counts in lines of {step}</caption>"
        f"<thead><tr><th>remainder</th>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        "<p>Orange, L: lost for whoever has to move.<br>Blue, −2: won by taking 2.<br>Framed: the count of the slider.</p></div>"
    )


def _count(position: Position, last: int) -> str:
    """One count with what to do there."""
    said = "L" if not position.wins else "won" if not position.takes else f"−{_listed(position.takes, 'or −')}"
    chosen = " chosen" if position.sticks == last else ""
    spoken = "lost" if not position.wins else "won" if not position.takes else f"take {_listed(position.takes, 'or')}"
    return (
        f"<td class='count n{position.sticks}{chosen}' tabindex='0' aria-label='{position.sticks}: {spoken}' "
        f"style='background: {WON if position.wins else ORANGE}'>{position.sticks} <small>{said}</small></td>"
    )


def _grundy_row(data: list[Position], ending: str) -> str:
    """The Grundy values from left to right, under the counts."""
    lost = "lost where the Grundy value is 0"
    if ending == "misere":
        lost += "; the value is that of all sticks but the poisoned one"
    value = "Grundy value" if ending == "normal" else "value of the others"
    rows = {
        "sticks": [str(position.sticks) for position in data],
        value: ["–" if position.value is None else str(position.value) for position in data],
        "won or lost": ["W" if position.wins else "L" for position in data],
    }
    lines = "".join(
        f"<tr><th scope='row'>{name}</th>{''.join(_cell(position, words) for position, words in zip(data, line))}</tr>"
        for name, line in rows.items()
    )
    return (
        f"<div class='scroll' tabindex='0' role='region' aria-label='The Grundy row'><table class='grundy'>"
        f"<caption>{_name(ending)}: {lost}</caption><tbody>{lines}</tbody></table></div>"
    )


def _cell(position: Position, words: str) -> str:
    return f"<td class='count n{position.sticks}' style='background: {WON if position.wins else ORANGE}'>{words}</td>"
