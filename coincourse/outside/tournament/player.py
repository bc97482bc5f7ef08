"""An entry as the arena sees it: an agent whose moves come from a contained process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from coincourse.outside.contained import INTERFERED, Contained, Ended, Late
from coincourse.outside.tournament.entries import Entry
from coinlib.arguments import counted
from coinlib.games import moves_of

# what loses a game
KINDS = {"illegal": "an illegal move", "crash": "a crash", "timeout": "a timeout"}
MODULE = "coincourse.outside.tournament.child"
LONGEST = 400  # characters of an explanation
PATIENCE = 120.0  # seconds for starting Python, which is not the entry's fault


class Limits(NamedTuple):
    """What an entry may use: seconds for a move and for loading it, memory (on Unix), and new starts of its process."""

    seconds_per_move: float = 1.0
    seconds_to_start: float = 30.0
    gigabytes: float = 2.0
    restarts: int = 3


class Player:
    """The agent of an entry, in a process of its own.

    A match calls it as it calls any agent. When no answer comes in time, or the process ends, it gives no
    move, which forfeits the game by the arena's own rule, and the process is stopped; for the next game
    another is started, a limited number of times.

    Its last method is called `stop`, since the arena calls what is called `close` after each game.

    Parameters
    ----------
    entry : Entry
    limits : Limits
    luck : int
        Seeds what the entry does while it is loaded.
    others : iterable of Entry
        Whose files it may not read.
    """

    def __init__(self, entry: Entry, limits: Limits, luck: int, others: Iterable[Entry] = ()) -> None:
        self.entry, self.name, self.limits, self.luck = entry, entry.name, limits, luck
        files = [Path(other.file) for other in others if other.file not in ("", entry.file)]
        self._folder = Path(entry.file).parent if entry.file else None
        self._hidden = [file for file in files if self._folder in file.parents]
        self.stops = 0  # how often its process had to be stopped
        self.out = False  # whether it is asked no more
        self.kind = self.words = ""  # why there was no move in this game
        self._process: Contained | None = None
        self._loaded = False

    def start(self) -> None:
        """Start the process; this does not wait for it."""
        self._process = Contained(MODULE, self._folder, self._hidden)

    def sit(self, game: bytes, luck: int) -> None:
        """A new game begins, which is pickled, with the luck that the entry has in it."""
        self._game = game, luck
        if self.out:
            return
        self.kind = self.words = ""
        if not self._loaded:
            self._load()

    def __call__(self, game, state):
        """The legal move that it makes in a state, or None; then `kind` and `words` say why."""
        if self.out:
            return None
        return self._ask(moves_of(game, state), self.limits.seconds_per_move, "move", *self._game, state)

    def stop(self) -> None:
        """End the process and whatever it has started."""
        process, self._process, self._loaded = self._process, None, False
        if process is not None:
            process.stop()

    def note(self, games) -> str:
        """What a reader of the results should know of it, or nothing."""
        found = [f"its process had to be stopped {counted(self.stops, 'time')}"] * bool(self.stops)
        if self.out:
            return "; ".join([*found, self.words])
        for kind, lost in games[games["forfeit"] == self.name].groupby("kind"):
            _, _, words = lost["reason"].iloc[0].partition(": ")
            where = f"the first in game {lost.index[0]}: {words}"
            found.append(f"{counted(len(lost), 'game')} lost by {KINDS[kind]}, {where}")
        return "; ".join(found)

    def _load(self) -> None:
        """Let the process load the agent; it is out if there is none."""
        if self._process is None:
            self.start()
        call = "load", self.entry.file, self.entry.agent, self.luck, self.limits.gigabytes
        self._loaded = self._ask([True], PATIENCE) and self._ask([True], self.limits.seconds_to_start, *call)
        if not self._loaded:
            self.stop()
            self.out, self.words = True, f"it could not be loaded: {self.words}"

    def _ask(self, choices: Sequence, seconds: float, *call):
        """The choice whose number comes in answer to a call; None, with `kind` and `words`, where none does.

        A process that gives neither a number nor words, as the course's own code does not, is stopped.
        """
        try:
            if call:
                self._process.put(*call)
            match self._process.get(seconds):
                case ["", int(number)] if 0 <= number < len(choices):
                    return choices[number]
                case ["illegal" | "crash" as kind, str(words)]:
                    self.kind, self.words = kind, _clean(words)
                    return None
            raise Ended(INTERFERED)
        except Late:
            self.kind, self.words = "timeout", f"no answer after {seconds:g} s"
        except Ended as error:
            self.kind, self.words = "crash", str(error)
        self.stop()
        self.stops += 1
        self.out = self.stops > self.limits.restarts
        return None


def _clean(words: str) -> str:
    """Words in one line, without what differs from run to run."""
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", " ".join(words.split()))[:LONGEST]
