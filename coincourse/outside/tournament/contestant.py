"""An entry as an agent whose moves come from a contained process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from coincourse.outside.contained import Contained, NoAnswer, Reason
from coincourse.outside.text import clean
from coincourse.outside.tournament.entries import Entry
from coinlib.arguments import counted
from coinlib.games import moves_of

if TYPE_CHECKING:
    import pandas as pd

KINDS = {"illegal": "an illegal move", "crash": "a crash", "timeout": "a timeout"}
"""The kinds of forfeit, and how messages name them."""

MODULE = "coincourse.outside.tournament.child"
# In an entry's process, importing the compiler can take longer than it saves.
SETTINGS = {"COINLIB_NUMBA": "0"}
EXPLANATION = 400  # the most characters it may have
PATIENCE = 120.0  # seconds to start Python, which is not the entry's fault


class Limits(NamedTuple):
    """An entry's limits: seconds per move and for loading, memory (on Unix), restarts of its process."""

    seconds_per_move: float = 1.0
    seconds_to_start: float = 30.0
    gigabytes: float = 2.0
    restarts: int = 3


class Contestant:
    """The agent of an entry, in its own process.

    A match calls it like any agent. If no answer comes in time, or the process ends, it returns no move,
    which forfeits the game, and the process is stopped; another is started for the next game, a limited
    number of times.

    Its last method is called `stop`, since a match calls a method `close` after each game.

    Parameters
    ----------
    entry : Entry
    limits : Limits
    seed : int
        The seed for loading the entry.
    others : iterable of Entry
        Entries whose files it may not read.

    Attributes
    ----------
    kind, words : str
        Why it made no move in this game: one of `KINDS`, and the reason; "" if it made all its moves.
    stops : int
        How often its process had to be stopped.
    out : bool
        Whether it is out: it loses its remaining games without being asked.
    """

    def __init__(self, entry: Entry, limits: Limits, seed: int, others: Iterable[Entry] = ()) -> None:
        self.entry = entry
        self.name = entry.name
        self.limits = limits
        self.seed = seed
        self.kind = self.words = ""
        self.stops = 0
        self.out = False
        self._folder: Path | None = None
        self._hidden: list[Path] = []
        if entry.file:
            self._folder = Path(entry.file).parent
            files = [Path(other.file) for other in others if other.file not in ("", entry.file)]
            self._hidden = [file for file in files if self._folder in file.parents]
        self._process: Contained | None = None
        self._loaded = False

    def start(self) -> None:
        """Start the process, without waiting for it."""
        gigabytes = self.limits.gigabytes
        self._process = Contained(MODULE, self._folder, self._hidden, settings=SETTINGS, gigabytes=gigabytes)

    def sit(self, game: bytes, seed: int) -> None:
        """Start a new game; `game` is its pickle, `seed` is for the entry's chance in it."""
        self._game = game
        self._game_seed = seed
        if self.out:
            return
        self.kind = self.words = ""
        if not self._loaded:
            self._load()

    def __call__(self, game, state):
        """Return its legal move in a state; None if it makes none: see `kind` and `words`."""
        if self.out:
            return None
        return self._ask(
            moves_of(game, state), self.limits.seconds_per_move, "move", self._game, self._game_seed, state
        )

    def stop(self) -> None:
        """Stop the process and its children."""
        process = self._process
        self._process = None
        self._loaded = False
        if process is not None:
            process.stop()

    def note(self, games: pd.DataFrame) -> str:
        """Return a remark for readers of the results, or ""."""
        parts = []
        if self.stops:
            parts.append(f"its process had to be stopped {counted(self.stops, 'time')}")
        if self.out:
            parts.append(self.words)
            return "; ".join(parts)
        for kind, lost in games[games["forfeit"] == self.name].groupby("kind"):
            first = f"the first in game {lost.index[0]}: {lost['why'].iloc[0]}"
            parts.append(f"{counted(len(lost), 'game')} lost by {KINDS[kind]}, {first}")
        return "; ".join(parts)

    def _load(self) -> None:
        """Load the agent in the process; if that fails, the entry is out."""
        try:
            if self._process is None:
                self.start()
            self._process.wait_until_ready(PATIENCE)
        except NoAnswer as error:
            self._end_process(error)
        else:
            load = ("load", self.entry.file, self.entry.agent, self.seed, self.limits.gigabytes)
            self._loaded = bool(self._ask([True], self.limits.seconds_to_start, *load))
        if not self._loaded:
            self.stop()
            self.out = True
            self.words = f"it could not be loaded: {self.words}"

    def _ask(self, choices: Sequence, seconds: float, *call):
        """Return the choice whose number answers a call; None, with `kind` and `words`, if there is none.

        The course's own code answers with a number or a problem. A process that answers otherwise is stopped.
        """
        try:
            self._process.put(*call)
            match self._process.get(seconds):
                case ["", int(number)] if 0 <= number < len(choices):
                    return choices[number]
                case ["illegal" | "crash" as kind, str(words)]:
                    self.kind = kind
                    self.words = clean(words, EXPLANATION)
                    return None
            raise NoAnswer(Reason.INTERFERED)
        except NoAnswer as error:
            self._end_process(error)
            return None

    def _end_process(self, why: NoAnswer) -> None:
        """Stop the process; if that has happened too often, the entry is out."""
        self.kind = "timeout" if why.reason is Reason.LATE else "crash"
        self.words = str(why)
        self.stop()
        self.stops += 1
        self.out = self.stops > self.limits.restarts
