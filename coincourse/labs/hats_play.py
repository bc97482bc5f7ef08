"""What happens to hats full of balls: games against them, practice, balls put in by hand, and a history of it all.

And how a hat is drawn, in the lab and in the film of hats.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coinlib import CoinGame, Hats, RandomAgent, solve
from coinlib.arguments import shown
from coinlib.games import read_move
from coinlib.match import sit_down, who_begins

from .pages import TEMPLATES
from .playing import COMPUTER, YOU, Playing
from .shared import go_on, so_many, turns_of

PERSON = "you"  # who sits opposite the computer in the history, beside the names of PARTNERS
SEATS = {"computer": "agent", "other": "opponent", "alternate": "alternate"}  # who moves first, as `train` calls it


class Partner(NamedTuple):
    """Who can sit opposite the computer while it practises: in a sentence, in the menu, in the code, and what makes it."""

    name: str
    words: str
    code: str
    made: str  # from the seed of the hats and the next one


PARTNERS = {
    "itself": Partner("The other side", "itself, from the same hats", "hats", "hats = Hats(game, seed={0})"),
    "twin": Partner("The twin", "a twin with hats of its own", "twin", "twin = Hats(game, seed={1})"),
    "random": Partner("The random player", "a random player", "other", "other = RandomAgent(seed={1})"),
}

HERE = (COMPUTER, PARTNERS["itself"].name)  # who draws from the hats that are seen
FATES = {  # of a ball, by how many more of its number its hat holds after a game
    1: "the {ball} goes back to hat {hat} with one more {ball}",
    0: "the {ball} goes back to hat {hat}, for it is the last {ball} there",
    -1: "the {ball} of hat {hat} is thrown away",
}


@dataclass(repr=False)
class Sitting(Playing):
    """One game on the table that is not over yet; nobody sits where you choose.

    Attributes
    ----------
    partner : str
        Who sits opposite the computer: "you", or a name of `PARTNERS`.
    first : str
        Who moves first, as the history has it.
    players : dict
        The hats and all partners as they play here; those who are not at the table know nothing of this game.
    """

    partner: str = PERSON
    first: str = "other"
    players: dict = field(default_factory=dict)


class Play:
    """Hats, those who play against them, the game on the table, and a history that makes it all again.

    Parameters
    ----------
    game : CoinGame
        One row.
    seed : int
        Of the hats; the twin and the random player have the next one.
    history : iterable of tuple
        What is done at once.

    Attributes
    ----------
    players : dict
        Who can sit at the table, the hats among them, as they are without the game on the table.
    story : list of str
        What happened last, in sentences.
    fresh : int or None
        The hat from which the last move was drawn.
    left : int
        The games that one run may play.

    Examples
    --------
    >>> from coinlib import sticks
    >>> play = Play(sticks(10), seed=1)
    >>> play.train(100, "itself", "other")
    >>> play.history
    (('train', 100, 'itself', 'other'),)
    """

    left = 1_000_000

    def __init__(self, game: CoinGame, seed: int, history: Iterable[tuple] = ()) -> None:
        self.game = game
        self.players = {"itself": Hats(game, seed), "twin": Hats(game, seed + 1), "random": RandomAgent(seed + 1)}
        self.entries: list[tuple] = []
        self.sitting: Sitting | None = None
        self.story: list[str] = []
        self.fresh: int | None = None
        self.notice = ""
        for entry in history:
            self._do(entry)

    @property
    def hats(self) -> Hats:
        """The hats that are seen."""
        return (self.sitting or self).players["itself"]

    @property
    def sticks(self) -> int:
        """The sticks on the table."""
        return (self.sitting.state if self.sitting else self.game.start)[0]

    @property
    def yours(self) -> bool:
        """Whether you are to move in the game on the table."""
        return bool(self.sitting) and self.sitting.yours

    @property
    def history(self) -> tuple[tuple, ...]:
        """All that happened, as plain data; a game on the table is its last entry."""
        sitting = self.sitting
        if sitting is None or not sitting.moves:
            return tuple(self.entries)
        counts = tuple(move.count for move in sitting.moves)
        return (*self.entries, ("open", sitting.partner, sitting.first, counts))

    # --- one game, one move at a time

    def sit(self, partner: str, first: str) -> None:
        """Begin a game; one that is on the table is given up. If the computer opens against you, it moves at once."""
        given_up, opens = self.give_up(), opener(self.entries, partner, first, self.hats.games)
        players = copy.deepcopy(self.players)
        seat = players["itself"].sit()
        other = sit_down(players.get(partner), learn=True, partner=seat if partner == "itself" else None)
        sides = [(COMPUTER, seat), (YOU if partner == PERSON else PARTNERS[partner].name, other)]
        names, seats = zip(*(sides if opens == "computer" else sides[::-1]))
        self.sitting = Sitting(self.game, seats, names, partner, opens if partner == PERSON else first, players)
        self.story = [*given_up, f"New game. {names[0]} move{'s' * (names[0] != YOU)} first."]
        self._answer()

    def take(self, count: int) -> None:
        """Your move in the game on the table, and the computer's answer to it."""
        if not self.yours:
            raise ValueError("it is not your turn")
        move = read_move(self.game, self.sitting.state, count)
        self.story = []
        self._make(move)

    def watch(self) -> None:
        """One move of the game on the table, which is not yours."""
        if self.yours:
            raise ValueError("It is your turn: take some sticks.")
        self._make()

    def give_up(self) -> list[str]:
        """Forget the game on the table, and all who play in it; what happened, in words."""
        sitting, self.sitting = self.sitting, None
        begun = sitting is not None and sitting.moves
        return ["The unfinished game leaves no trace: its balls are back in their hats."] if begun else []

    def _make(self, move=None) -> None:
        """Your move, or that of whoever sits at the turn, in words; the last one ends the game."""
        match, sticks, name = self.sitting, self.sticks, self.sitting.mover
        if move is None:
            match.step()
        else:
            match.make(move)
        count, took = match.moves[-1].count, "take" if name == YOU else "takes"
        self.fresh = sticks if name in HERE else None
        if self.fresh or match.partner == "twin":
            took = f"draws a {count} from {'hat' if self.fresh else 'its own hat'} {sticks}, lays it beside, and takes"
        if match.partner != PERSON:
            self.story = []
        self.story.append(f"{name} {took} {count}: {so_many(self.sticks, 'stick')} left.")
        if match.over:
            self._end()
        else:
            self._answer()

    def _answer(self) -> None:
        """The computer's move in a game with you, if it is its turn."""
        if self.sitting.partner == PERSON and not self.yours:
            self._make()

    def _end(self) -> None:
        """Who won, what became of every ball that lay beside its hat, and one entry for the history."""
        match, self.sitting = self.sitting, None
        before, self.players = self.hats.values, match.players
        gained = self.hats.values - before
        winner = match.names[match.winner - 1]
        if winner not in HERE:
            self.story.append(f"{winner} win{'s' * (winner != YOU)}!")
        for name in HERE:
            drawn = [turn for turn, (who, _) in zip(turns_of(match), match.made) if who == name]
            changes = [gained[self.hats.table.row((hat,)), ball - 1] for hat, ball in drawn]
            fates = [FATES[change].format(hat=hat, ball=ball) for change, (hat, ball) in zip(changes, drawn)]
            if drawn:
                self.story.append(f"{name} {'won' if name == winner else 'lost'}: {'; '.join(fates)}.")
        if match.partner == PERSON:
            yours = tuple(move.count for who, move in match.made if who == YOU)
            self.entries.append(("play", match.first, yours))
        else:
            self._note_practice(1, match.partner, match.first)

    # --- many games, and meddling

    def train(self, games: int, partner: str, first: str) -> None:
        """Many games at once; one on the table is given up."""
        given_up = self.give_up()
        go_on(self.hats, self.players[partner], games, SEATS[first], practised(self.entries, partner, first))
        self._note_practice(games, partner, first)
        trained = so_many(self.entries[-1][1], "game")
        self.story = [*given_up, f"Trained: {trained} with {PARTNERS[partner].words}."]

    def put(self, hat: int, ball: int, balls: int) -> None:
        """Put balls in by hand: afterwards the hat holds so many of this number; a game on the table is given up."""
        self.players["itself"].put(hat, ball, balls)
        given_up = self.give_up()
        self.entries.append(("put", hat, ball, balls))
        self.story = [*given_up, f"By hand: hat {hat} now holds {balls:,} of ball {ball}."]

    def _note_practice(self, games: int, partner: str, first: str) -> None:
        before = practised(self.entries, partner, first)
        if before:
            self.entries.pop()
        self.entries.append(("train", before + games, partner, first))

    def _do(self, entry: tuple) -> None:
        """What an entry of a history tells."""
        match entry:
            case ("train" | "put" as done, *how):
                getattr(self, done)(*how)
            case ("play", first, yours):
                self.sit(PERSON, first)
                for count in yours:
                    self.take(count)
            case ("open", partner, first, counts):
                self.sit(partner, first)
                while self.sitting and (made := len(self.sitting.moves)) < len(counts):
                    self._make(read_move(self.game, self.sitting.state, counts[made]) if self.yours else None)
            case _:
                raise ValueError(f"history: expected ('train', ...), ('put', ...), ('play', ...), got {shown(entry)}")


def practised(history: Sequence[tuple], partner: str, first: str) -> int:
    """How many games of one training the next game with this partner goes on with."""
    last = history[-1] if history else ("nothing",)
    return last[1] if last[0] == "train" and tuple(last[2:]) == (partner, first) else 0


def opener(history: Sequence[tuple], partner: str, first: str, learnt: int = 0) -> str:
    """Who moves first in the next game, "computer" or "other"; you take turns by all games that it has learnt from."""
    order, games = who_begins(SEATS[first]), learnt if partner == PERSON else practised(history, partner, first)
    return ("computer", "other")[order[games % len(order)]]


# --- hats as they are drawn, here and in the film ----------------------------------------------------------


class Hat(NamedTuple):
    """One hat as it is drawn.

    Attributes
    ----------
    sticks : int
        For how many sticks it stands.
    balls : list of int
        How many balls of 1, 2, 3, ... are in it.
    most : int
        Balls with larger numbers are never played.
    beside : int or None
        The ball that lies beside it.
    visits : int
        How often a ball was drawn from it.
    right : list of int
        The balls that win against perfect play, if they are to be seen.
    """

    sticks: int
    balls: list[int]
    most: int
    beside: int | None
    visits: int
    right: list[int]

    @property
    def numbers(self) -> list[int]:
        """The number of each ball in it."""
        return [number for number, many in enumerate(self.balls, 1) for _ in range(many)]

    @property
    def played(self) -> int:
        """The balls that can be played."""
        return max(1, sum(self.balls[: self.most]))

    @property
    def favourite(self) -> int | None:
        """The number that is on more balls than any other that can be played; None among equals."""
        playable = self.balls[: self.most]
        return playable.index(max(playable)) + 1 if playable.count(max(playable)) == 1 else None

    @property
    def favours_right(self) -> bool:
        """Whether that is a right one."""
        return self.favourite in self.right


def hats_of(learner: Hats, reveal: bool = False) -> list[Hat]:
    """Every hat, the smallest first; the right balls only where they are to be revealed."""
    game, balls, beside, solution = learner.game, learner.balls, dict(learner.beside()), solve(learner.game)
    hats = []
    for sticks in range(1, game.start[0] + 1):
        row = learner.table.row((sticks,))
        right = [move.count for move in solution.best_moves((sticks,))] if reveal else []
        drawn = beside[row] + 1 if row in beside else None
        hats.append(
            Hat(sticks, balls[row].tolist(), min(sticks, game.max_pick), drawn, int(learner.visits[row]), right)
        )
    return hats


def short(many: int) -> str:
    """A number of balls in at most four characters; the table beside the picture has it in full.

    Examples
    --------
    >>> [short(many) for many in (999, 1_000, 12_345, 999_500)]
    ['999', '1.0k', '12k', '1.0M']
    """
    if many < 1_000:
        return f"{many}"
    if many < 9_950:
        return f"{many / 1_000:.1f}k"
    return f"{many / 1_000:.0f}k" if many < 999_500 else f"{many / 1_000_000:.1f}M"


TEMPLATES.filters["short"] = short
TEMPLATES.globals["hats_of"] = hats_of
