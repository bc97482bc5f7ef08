"""Three piles: the game, who wins from every position, and what to say about it."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from coinlib.arguments import whole_number
from coinlib.games import Move, State, three_piles
from coinlib.solvers import solve
from coinlib.theory import nim_sum
from coinlib.words import take_words

from ..base.match_on_screen import COMPUTER, YOU, MatchOnScreen, conjugate, with_verb

PILES = ("first", "second", "third")


class Piles(MatchOnScreen):
    """A game with three piles, and who wins from every position.

    Parameters
    ----------
    start : tuple of int
        Coins in piles 0, 1 and 2 before the first move.
    starts : {"you", "computer"}
        Who makes the first move of a game.
    most : int
        The largest pile on the grid.

    Attributes
    ----------
    solution : Solution
        The solution of the game with `most` coins in each pile.
    notice : str
        Why the last click did nothing.
    """

    def __init__(self, start: State, starts: str, most: int) -> None:
        names = (YOU, COMPUTER) if starts == "you" else (COMPUTER, YOU)
        super().__init__(three_piles(*start), names=names)
        self.most = most
        self.solution = solve(three_piles(most, most, most))
        self.notice = ""

    @property
    def history(self) -> tuple[tuple[int, int], ...]:
        """The moves as plain pairs."""
        return tuple(map(tuple, self.moves))

    @property
    def best(self) -> list[Move]:
        """The moves that win from here."""
        return self.solution.best_moves(self.state)

    @property
    def leads(self) -> dict[State, Move]:
        """The legal moves, by the position that they leave."""
        return {self.game.play(self.state, move): move for move in self.game.legal_moves(self.state)}


def hard_piles(number: int) -> State:
    """Draw three different piles of 3 to 15 coins. For about half of all seeds they are a losing position.

    So only the nim-sum or a table tells you who should move first.

    Parameters
    ----------
    number : int
        The seed: another number gives other piles.

    Examples
    --------
    >>> hard_piles(1)
    (3, 14, 11)
    """
    chance = np.random.default_rng(whole_number(number, "number"))
    losing = chance.random() < 0.5
    while True:
        piles = tuple(chance.choice(np.arange(3, 16), size=3, replace=False).tolist())
        if (nim_sum(*piles) == 0) == losing:
            return piles


def unbroken(position: State) -> str:
    """A position as text without line breaks."""
    return str(position).replace(" ", "\N{NO-BREAK SPACE}")


def reason(left: State, who: str = YOU) -> str:
    """Why it is good for a player, you or the computer, to leave this losing position.

    Examples
    --------
    >>> reason((3, 3, 0))
    'what is left is two equal piles, and you copy: what is taken from one pile, you take from the other'
    """
    piles = [held for held in left if held]
    if not piles:
        return "that is the last coin, and the player who takes it wins"
    if len(piles) == 2 and piles[0] == piles[1]:
        copies = "the computer copies" if who == COMPUTER else "you copy"
        takes = "it takes" if who == COMPUTER else "you take"
        from_other = f"what is taken from one pile, {takes} from the other"
        return f"what is left is two equal piles, and {copies}: {from_other}"
    return f"what is left, {left}, is a losing position: every move from there can be answered"


def verdict(data: Piles, playing: bool) -> Markup:
    """Who wins from here, and how; in a game the player to move is named."""
    where = f"{_best_step(data)}<strong>{data.state}</strong>:"
    if data.over:
        words = "no coin is left. The player to move has lost: the other side took the last coin."
        return Markup(f"{where} {words}")
    mover = data.player_to_move if playing else "The player to move"
    kind = "winning" if data.best else "losing"
    words = [where, f"<strong>a {kind} position.</strong>"]
    if playing:
        words.append(f"{with_verb(mover, 'move')} first.")
    if data.best:
        words.append(f"{mover} can force a win: {_ways(data, data.state, mover)}.")
    else:
        loses = f"{mover.lower()} {conjugate(mover, 'lose')}"
        words.append(f"Against perfect play {loses}: to every move there is an answer (see the table).")
    if mover == COMPUTER:
        words.append("Press “Best move” to see its move.")
    return Markup(" ".join(words))


def _best_step(data: Piles) -> str:
    """The move of best play that led here, if there was one."""
    if not data.moves:
        return ""
    before = data.states[-2]
    taken = take_words(data.game, data.moves[-1])
    if data.solution.wins[before]:
        return f"{before}: best play took {taken}. "
    return f"{before} was a losing position, so no move was better than another; {taken} was taken. "


def story(data: Piles) -> Markup:
    """The last moves of a game, whether yours was right, and whose turn it is."""
    last, _ = data.made[-1]
    since = 1 if last == YOU else 2  # the computer's move is reported together with yours
    words = []
    turns = list(zip(data.states, data.made, data.states[1:]))
    for before, (who, move), after in turns[-since:]:
        words.append(f"{with_verb(who, 'take')} {take_words(data.game, move)}.")
        if who == YOU:
            words.append(_whether_right(data, before, after))
    if data.over:
        words.append("That was the last coin. Normal play: the player who takes the last coin wins.")
        end = f"{with_verb(last, 'win')}."
    else:
        turn = "Your turn" if data.yours else "It is the computer's turn"
        end = f"{turn} at {data.state}."
    return Markup(f"{' '.join(words)} <strong>{end}</strong>")


def _whether_right(data: Piles, before: State, after: State) -> str:
    """Whether your move was a mistake."""
    if not data.solution.wins[before]:
        return f"(From {before} no move could win against perfect play.)"
    if not data.solution.wins[after]:
        return f"Right: {after} is a losing position, and the computer is to move."
    ways = f"{before} was a winning position: {_ways(data, before, YOU)}. Now the computer can force a win."
    return f"<strong>That was a mistake.</strong> {ways}"


def _ways(data: Piles, state: State, who: str) -> str:
    """The winning moves of a position as text, each with its reason."""
    ways = []
    for move in data.solution.best_moves(state):
        left = data.game.play(state, move)
        ways.append(f"take {take_words(data.game, move)} ({reason(left, who)})")
    return "; or ".join(ways)
