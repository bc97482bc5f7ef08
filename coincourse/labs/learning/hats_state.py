"""The state of the hats lab: hats, games and practice with them, and a history that reproduces it all."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from coinlib import CoinGame, Hats, RandomAgent
from coinlib.arguments import counted, shown
from coinlib.games import IllegalMove, read_move
from coinlib.match import sit_down

from ..base.amounts import span
from ..base.match_on_screen import COMPUTER, YOU, MatchOnScreen, conjugate, with_verb
from ..base.sticks import train_more, turns_of
from .hats_history import (
    AGAINST_YOU,
    PARTNERS,
    SEATS,
    BallsPut,
    Entry,
    GameWithYou,
    OpenGame,
    Training,
    games_so_far,
    read_history,
    who_moves_first,
)

DRAW_FROM_HATS = (COMPUTER, PARTNERS["itself"].name)  # the players who draw from the hats on the screen
FATES = {  # what happens to a ball, by how many more balls of its number the hat holds after the game
    1: "the {ball} goes back to hat {hat} with one more {ball}",
    0: "the {ball} goes back to hat {hat}, for it is the last {ball} there",
    -1: "the {ball} of hat {hat} is thrown away",
}


@dataclass(repr=False)
class HatsMatch(MatchOnScreen):
    """A game that is not over yet; your seat is empty.

    Attributes
    ----------
    partner : str
        The computer's opponent: "you", or a name in `PARTNERS`.
    first : str
        Who moves first, as in the history.
    players : dict
        The hats and all partners as they play in this game; copies, so that the game can be abandoned.
    """

    partner: str = AGAINST_YOU
    first: str = "other"
    players: dict = field(default_factory=dict)


class HatsState:
    """Hats, the players they meet, the game on the table, and a history that reproduces it all.

    Parameters
    ----------
    game : CoinGame
        One row.
    seed : int
        The seed of the hats; the twin and the random player get the next one.
    history : iterable of tuple
        What to do at the start; see `hats_history`.

    Attributes
    ----------
    players : dict
        The hats and all partners, without the game on the table.
    entries : list of Entry
        What has happened, without the game on the table.
    story : list of str
        What happened last, in sentences.
    seen : list of str
        The version told while the hats are closed.
    fresh : int or None
        The hat from which the last move was drawn.
    ended : tuple of str
        Who took each stick in the game that has just ended, in order; empty if another has begun.
    won : int
        How many games you have won.
    left : int
        The most games in one run.

    Examples
    --------
    >>> from coinlib import sticks
    >>> state = HatsState(sticks(10), seed=1)
    >>> state.train(100, "itself", "other")
    >>> state.history
    (('train', 100, 'itself', 'other'),)
    """

    left = 1_000_000

    def __init__(self, game: CoinGame, seed: int, history: Iterable[Sequence] = ()) -> None:
        self.game = game
        twin = Hats(game, seed + 1)
        self.players = {"itself": Hats(game, seed), "twin": twin, "random": RandomAgent(seed + 1)}
        self.entries: list[Entry] = []
        self.on_table: HatsMatch | None = None
        self.story: list[str] = []
        self.seen: list[str] = []
        self.fresh: int | None = None
        self.ended: tuple[str, ...] = ()
        self.won = 0
        self.notice = ""
        for entry in read_history(history):
            entry.redo(self)

    @property
    def hats(self) -> Hats:
        """The hats on the screen: those of the game on the table, if there is one."""
        players = self.on_table.players if self.on_table else self.players
        return players["itself"]

    @property
    def sticks(self) -> int:
        """The sticks on the table."""
        if self.ended:
            return 0
        state = self.on_table.state if self.on_table else self.game.start
        return state[0]

    @property
    def takers(self) -> list[str]:
        """Who took each missing stick, in the order in which they were taken."""
        if self.on_table is None:
            return list(self.ended)
        return self.on_table.takers(0)[::-1]

    @property
    def played(self) -> int:
        """How many games with you are over."""
        return sum(isinstance(entry, GameWithYou) for entry in self.entries)

    @property
    def yours(self) -> bool:
        """Whether there is a game on the table and it is your turn."""
        return self.on_table is not None and self.on_table.yours

    @property
    def history(self) -> tuple[tuple, ...]:
        """All that has happened, as plain data; a game on the table is the last entry."""
        entries = list(self.entries)
        match = self.on_table
        if match and match.moves:
            entries.append(OpenGame(match.partner, match.first, tuple(move.count for move in match.moves)))
        return tuple(entry.plain for entry in entries)

    # --- one game, one move at a time

    def sit(self, partner: str, first: str) -> None:
        """Begin a game, abandoning any on the table; if the computer begins a game against you, it moves at once."""
        given_up = self.give_up()
        opens = who_moves_first(self.entries, partner, first, self.hats.games)
        players = copy.deepcopy(self.players)
        seat = players["itself"].sit()
        other_seat = sit_down(players.get(partner), learn=True, partner=seat if partner == "itself" else None)
        if partner == AGAINST_YOU:
            other_name = YOU
            first = opens  # The history of a game with you says who moved first in this one.
        else:
            other_name = PARTNERS[partner].name
        seats = (seat, other_seat)
        names = (COMPUTER, other_name)
        if opens == "other":
            seats = seats[::-1]
            names = names[::-1]
        self.on_table = HatsMatch(self.game, seats, names, partner, first, players)
        self._begin_story(*given_up, f"New game. {with_verb(names[0], 'move')} first.")
        self._answer()

    def take(self, count: int) -> None:
        """Make your move in the game on the table, and let the computer answer."""
        if not self.yours:
            raise ValueError("It is not your turn.")
        try:
            move = read_move(self.game, self.on_table.state, count)
        except IllegalMove:
            legal = [move.count for move in self.game.legal_moves(self.on_table.state)]
            raise ValueError(f"You can take {span(legal)}, not {shown(count)}.") from None
        self._begin_story()
        self._make(move)

    def watch(self) -> None:
        """Let the next player in the game on the table move; that cannot be you."""
        if self.yours:
            raise ValueError("It is your turn: take some sticks.")
        self._make()

    def replay(self, takes: Sequence[int]) -> None:
        """Make these moves in the game on the table; the computer may have made its first one already."""
        while self.on_table and len(self.on_table.moves) < len(takes):
            if self.yours:
                count = takes[len(self.on_table.moves)]
                self._make(read_move(self.game, self.on_table.state, count))
            else:
                self._make()

    def give_up(self) -> list[str]:
        """Forget the game on the table and what its players learnt in it; return what to say about it."""
        match = self.on_table
        self.on_table = None
        if match is None or not match.moves:
            return []
        return ["The unfinished game leaves no trace: its balls are back in their hats."]

    def _make(self, move=None) -> None:
        """Make your move, or let the next player move, and tell the story; the last move ends the game."""
        match = self.on_table
        sticks = self.sticks
        name = match.player_to_move
        if move is None:
            match.step()
        else:
            match.make(move)
        count = match.moves[-1].count
        self.fresh = sticks if name in DRAW_FROM_HATS else None
        takes = f"{conjugate(name, 'take')} {count}"
        if self.fresh or match.partner == "twin":
            hat = f"hat {sticks}" if self.fresh else f"its own hat {sticks}"
            takes_from_hat = f"draws a {count} from {hat}, lays it beside, and takes {count}"
        else:
            takes_from_hat = takes
        if match.partner != AGAINST_YOU:
            self._begin_story()
        left = counted(self.sticks, "stick")
        self._tell(f"{name} {takes_from_hat}: {left} left.", seen=f"{name} {takes}: {left} left.")
        if match.over:
            self._end()
        else:
            self._answer()

    def _answer(self) -> None:
        """Make the computer's move in a game with you, if it is its turn."""
        if self.on_table.partner == AGAINST_YOU and not self.yours:
            self._make()

    def _end(self) -> None:
        """Say who won and what became of every ball next to its hat, and add an entry to the history."""
        match = self.on_table
        before = self.players["itself"].values
        self.on_table = None
        self.ended = tuple(match.takers(0)[::-1])
        self.players = match.players
        gained = self.hats.values - before
        winner = match.names[match.winner - 1]
        if winner not in DRAW_FROM_HATS:
            self._tell(f"{with_verb(winner, 'win')}!")
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
            your_takes = tuple(move.count for who, move in match.made if who == YOU)
            self.entries.append(GameWithYou(match.first, your_takes))
            self.won += winner == YOU
        else:
            self._note_training(1, match.partner, match.first)

    def _begin_story(self, *sentences: str) -> None:
        """Begin a new story with these sentences; a game that has ended is no longer shown."""
        self.ended = ()
        self.story = list(sentences)
        self.seen = list(sentences)

    def _tell(self, words: str, seen: str | None = None) -> None:
        """Add to the story; while the hats are closed, it reads `seen` instead."""
        self.story.append(words)
        self.seen.append(words if seen is None else seen)

    # --- many games, and balls put in by hand

    def train(self, games: int, partner: str, first: str) -> None:
        """Play many games at once, abandoning any game on the table."""
        given_up = self.give_up()
        done = games_so_far(self.entries, partner, first)
        train_more(self.hats, self.players[partner], games, SEATS[first], done)
        self._note_training(games, partner, first)
        trained = counted(done + games, "game")
        self._begin_story(*given_up, f"Trained: {trained} with {PARTNERS[partner].words}.")

    def put(self, hat: int, ball: int, balls: int) -> None:
        """Set the number of balls of one kind in a hat, abandoning any game on the table."""
        self.players["itself"].put(hat, ball, balls)
        given_up = self.give_up()
        self.entries.append(BallsPut(hat, ball, balls))
        self._begin_story(*given_up, f"By hand: hat {hat} now holds {balls:,} of ball {ball}.")

    def _note_training(self, games: int, partner: str, first: str) -> None:
        """Add practice games to the history, in one entry with those from the same training run just before."""
        before = games_so_far(self.entries, partner, first)
        if before:
            self.entries.pop()
        self.entries.append(Training(before + games, partner, first))
