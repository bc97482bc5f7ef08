"""Three piles in the lab: the game, who wins from each position, and words for both."""

from __future__ import annotations

from markupsafe import Markup

from coinlib.games import Move, State, three_piles
from coinlib.solvers import solve
from coinlib.theory import nim_sum

from .pages import TEMPLATES
from .playing import COMPUTER, LETTERS, YOU, Playing

PILES = ("first", "second", "third")


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
