"""What happens to hats full of balls: games, practice, balls put in by hand, and a history of it all."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coinlib import CoinGame, Hats, RandomAgent
from coinlib.arguments import counted, shown
from coinlib.games import read_move
from coinlib.match import sit_down, who_begins

from ..base.match_on_screen import COMPUTER, YOU, MatchOnScreen, does, verb
from ..base.sticks import go_on, turns_of

AGAINST_YOU = "you"  # In the history you are the partner of this name, beside those of PARTNERS.
# who moves first, as `train` calls it
SEATS = {"computer": "agent", "other": "opponent", "alternate": "alternate"}


class Partner(NamedTuple):
    """Who can sit opposite the computer while it practises.

    Attributes
    ----------
    name : str
        The name in a sentence.
    words : str
        The name in the menu.
    code : str
        The name in the code.
    made : str
        The code that makes it, for the seed of the hats (0) and the next one (1).
    """

    name: str
    words: str
    code: str
    made: str


PARTNERS = {
    "itself": Partner("The other side", "itself, from the same hats", "hats", "Hats(game, seed={0})"),
    "twin": Partner("The twin", "a twin with hats of its own", "twin", "Hats(game, seed={1})"),
    "random": Partner("The random player", "a random player", "other", "RandomAgent(seed={1})"),
}

DRAW_FROM_HATS = (COMPUTER, PARTNERS["itself"].name)  # These players draw from the hats that are seen.
FATES = {  # What happens to a ball, by how many more of its number its hat holds after a game.
    1: "the {ball} goes back to hat {hat} with one more {ball}",
    0: "the {ball} goes back to hat {hat}, for it is the last {ball} there",
    -1: "the {ball} of hat {hat} is thrown away",
}


@dataclass(repr=False)
class HatsMatch(MatchOnScreen):
    """The game on the table, which is not over yet; your own seat is empty.

    Attributes
    ----------
    partner : str
        Who sits opposite the computer: "you", or a name of `PARTNERS`.
    first : str
        Who moves first, as the history has it.
    players : dict
        The hats and all partners as they play here; those who are not at the table know nothing of this game.
    """

    partner: str = AGAINST_YOU
    first: str = "other"
    players: dict = field(default_factory=dict)


class HatsState:
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
    seen : list of str
        What of it is seen while the hats are closed.
    fresh : int or None
        The hat from which the last move was drawn.
    left : int
        The games that one run may play.

    Examples
    --------
    >>> from coinlib import sticks
    >>> state = HatsState(sticks(10), seed=1)
    >>> state.train(100, "itself", "other")
    >>> state.history
    (('train', 100, 'itself', 'other'),)
    """

    left = 1_000_000

    def __init__(self, game: CoinGame, seed: int, history: Iterable[tuple] = ()) -> None:
        self.game = game
        twin = Hats(game, seed + 1)
        self.players = {"itself": Hats(game, seed), "twin": twin, "random": RandomAgent(seed + 1)}
        self.entries: list[tuple] = []
        self.on_table: HatsMatch | None = None
        self.story: list[str] = []
        self.seen: list[str] = []
        self.fresh: int | None = None
        self.notice = ""
        for entry in history:
            self._do(entry)

    @property
    def hats(self) -> Hats:
        """The hats that are seen: as they play in the game on the table, if there is one."""
        players = self.on_table.players if self.on_table else self.players
        return players["itself"]

    @property
    def sticks(self) -> int:
        """The sticks on the table."""
        state = self.on_table.state if self.on_table else self.game.start
        return state[0]

    @property
    def yours(self) -> bool:
        """Whether you are to move in the game on the table."""
        return self.on_table is not None and self.on_table.yours

    @property
    def history(self) -> tuple[tuple, ...]:
        """All that happened, as plain data; a game on the table is its last entry."""
        match = self.on_table
        if match is None or not match.moves:
            return tuple(self.entries)
        counts = tuple(move.count for move in match.moves)
        return (*self.entries, ("open", match.partner, match.first, counts))

    # --- one game, one move at a time

    def sit(self, partner: str, first: str) -> None:
        """Begin a game, and give up one that is on the table. Against you the computer opens at once."""
        given_up = self.give_up()
        opens = opener(self.entries, partner, first, self.hats.games)
        players = copy.deepcopy(self.players)
        seat = players["itself"].sit()
        other_seat = sit_down(players.get(partner), learn=True, partner=seat if partner == "itself" else None)
        if partner == AGAINST_YOU:
            other_name = YOU
            first = opens  # In the history of games with you stands who opened this one.
        else:
            other_name = PARTNERS[partner].name
        seats = (seat, other_seat)
        names = (COMPUTER, other_name)
        if opens == "other":
            seats = seats[::-1]
            names = names[::-1]
        self.on_table = HatsMatch(self.game, seats, names, partner, first, players)
        self._begin_story(*given_up, f"New game. {does(names[0], 'move')} first.")
        self._answer()

    def take(self, count: int) -> None:
        """Your move in the game on the table, and the computer's answer to it."""
        if not self.yours:
            raise ValueError("it is not your turn")
        move = read_move(self.game, self.on_table.state, count)
        self._begin_story()
        self._make(move)

    def watch(self) -> None:
        """One move of the game on the table, which is not yours."""
        if self.yours:
            raise ValueError("It is your turn: take some sticks.")
        self._make()

    def give_up(self) -> list[str]:
        """Forget the game on the table, and all who play in it; what happened, in words."""
        match = self.on_table
        self.on_table = None
        if match is None or not match.moves:
            return []
        return ["The unfinished game leaves no trace: its balls are back in their hats."]

    def _make(self, move=None) -> None:
        """Your move, or that of whoever sits at the turn, in words; the last one ends the game."""
        match = self.on_table
        sticks = self.sticks
        name = match.mover
        if move is None:
            match.step()
        else:
            match.make(move)
        count = match.moves[-1].count
        self.fresh = sticks if name in DRAW_FROM_HATS else None
        if self.fresh or match.partner == "twin":
            hat = f"hat {sticks}" if self.fresh else f"its own hat {sticks}"
            took = f"draws a {count} from {hat}, lays it beside, and takes {count}"
        else:
            took = f"{verb(name, 'take')} {count}"
        if match.partner != AGAINST_YOU:
            self._begin_story()
        left = counted(self.sticks, "stick")
        self._tell(f"{name} {took}: {left} left.", seen=f"{name} {verb(name, 'take')} {count}: {left} left.")
        if match.over:
            self._end()
        else:
            self._answer()

    def _answer(self) -> None:
        """The computer's move in a game with you, if it is its turn."""
        if self.on_table.partner == AGAINST_YOU and not self.yours:
            self._make()

    def _end(self) -> None:
        """Who won, what became of every ball that lay beside its hat, and one entry for the history."""
        match = self.on_table
        before = self.players["itself"].values
        self.on_table = None
        self.players = match.players
        gained = self.hats.values - before
        winner = match.names[match.winner - 1]
        if winner not in DRAW_FROM_HATS:
            self._tell(f"{does(winner, 'win')}!")
        for name in DRAW_FROM_HATS:
            fates = []
            for (hat, ball), (who, _) in zip(turns_of(match), match.made):
                if who == name:
                    change = gained[self.hats.table.row((hat,)), ball - 1]
                    fates.append(FATES[change].format(hat=hat, ball=ball))
            if fates:
                outcome = "won" if name == winner else "lost"
                self._tell(f"{name} {outcome}: {'; '.join(fates)}.", seen=f"{name} {outcome}.")
        if match.partner == AGAINST_YOU:
            yours = tuple(move.count for who, move in match.made if who == YOU)
            self.entries.append(("play", match.first, yours))
        else:
            self._note_practice(1, match.partner, match.first)

    def _begin_story(self, *sentences: str) -> None:
        """Forget what was told, and tell these sentences."""
        self.story = list(sentences)
        self.seen = list(sentences)

    def _tell(self, words: str, seen: str | None = None) -> None:
        """Go on with the story; `seen` is said in place of the words while the hats are closed."""
        self.story.append(words)
        self.seen.append(words if seen is None else seen)

    # --- many games, and meddling

    def train(self, games: int, partner: str, first: str) -> None:
        """Many games at once; one on the table is given up."""
        given_up = self.give_up()
        done = practised(self.entries, partner, first)
        go_on(self.hats, self.players[partner], games, SEATS[first], done)
        self._note_practice(games, partner, first)
        trained = counted(self.entries[-1][1], "game")
        self._begin_story(*given_up, f"Trained: {trained} with {PARTNERS[partner].words}.")

    def put(self, hat: int, ball: int, balls: int) -> None:
        """Let a hat hold so many balls of this number; a game on the table is given up."""
        self.players["itself"].put(hat, ball, balls)
        given_up = self.give_up()
        self.entries.append(("put", hat, ball, balls))
        self._begin_story(*given_up, f"By hand: hat {hat} now holds {balls:,} of ball {ball}.")

    def _note_practice(self, games: int, partner: str, first: str) -> None:
        """Write games of practice into the history, as one entry with those that were of the same kind."""
        before = practised(self.entries, partner, first)
        if before:
            self.entries.pop()
        self.entries.append(("train", before + games, partner, first))

    def _do(self, entry: tuple) -> None:
        """Do what an entry of a history tells."""
        match entry:
            case ("train" | "put" as done, *how):
                getattr(self, done)(*how)
            case ("play", first, yours):
                self.sit(AGAINST_YOU, first)
                for count in yours:
                    self.take(count)
            case ("open", partner, first, counts):
                self.sit(partner, first)
                self._replay(counts)
            case _:
                wanted = "('train', ...), ('put', ...), ('play', ...)"
                raise ValueError(f"history: expected {wanted}, got {shown(entry)}")

    def _replay(self, counts: Sequence[int]) -> None:
        """Make the moves of a game on the table again; the computer may have made its first one already."""
        while self.on_table and len(self.on_table.moves) < len(counts):
            if self.yours:
                count = counts[len(self.on_table.moves)]
                self._make(read_move(self.game, self.on_table.state, count))
            else:
                self._make()


def practised(history: Sequence[tuple], partner: str, first: str) -> int:
    """How many games of one training the next game with this partner goes on with."""
    match history[-1:]:
        case [("train", games, *rest)] if tuple(rest) == (partner, first):
            return games
    return 0


def opener(history: Sequence[tuple], partner: str, first: str, learnt: int = 0) -> str:
    """Who moves first in the next game, "computer" or "other".

    Where they take turns, the games before this one decide: those of the same training; with you, all games
    from which the hats have learnt, which are `learnt`.
    """
    games_before = learnt if partner == AGAINST_YOU else practised(history, partner, first)
    order = who_begins(SEATS[first])  # 0 stands for the agent, which is the computer here
    return "computer" if order[games_before % len(order)] == 0 else "other"
