"""An entry as the arena sees it: an agent whose moves come from a contained process."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from coincourse.outside.contained import INTERFERED, Contained, Ended, Late
from coincourse.outside.tournament.entries import Entry, packed
from coinlib.arguments import number_in, whole_number
from coinlib.games import moves_of

ILLEGAL, CRASH, TIMEOUT = KINDS = ("illegal", "crash", "timeout")
MODULE = "coincourse.outside.tournament.child"
LONGEST = 4096  # bytes of one reply
PATIENCE = 120.0  # seconds for starting Python, which is not the entry's fault


@dataclass(frozen=True)
class Limits:
    """What an entry may use: seconds for a move and for loading it, memory (on Unix), and new starts of its process."""

    seconds_per_move: float = 1.0
    seconds_to_start: float = 30.0
    gigabytes: float = 2.0
    restarts: int = 3

    def __post_init__(self) -> None:
        for name in ("seconds_per_move", "seconds_to_start", "gigabytes"):
            object.__setattr__(self, name, number_in(getattr(self, name), name, 1e-3))
        object.__setattr__(self, "restarts", whole_number(self.restarts, "restarts"))


class Player:
    """The agent of an entry, in a process of its own.

    A match calls it as it calls any agent. When no answer comes in time, or the process ends, it gives no
    move, which forfeits the game by the arena's own rule, and the process is stopped; the next question
    starts another, a limited number of times.

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
        self.kind = self.words = ""  # why there was no move in this game
        self.out: tuple[str, str] | None = None  # kind and words, set when it is asked no more
        self._process: Contained | None = None
        self._game: tuple[str, int] = ("", 0)

    def prepare(self, game: str, luck: int) -> None:
        """A new game begins, which is `packed`, with the luck that the entry has in it."""
        self.kind = self.words = ""
        self._game = game, luck

    def __call__(self, game, state):
        """The legal move that it makes in a state, or None; then `kind` and `words` say why."""
        if self._process is None and self.out is None:
            self.load()
        if self.out is not None:
            self.kind, self.words = self.out
            return None
        legal, seconds = moves_of(game, state), self.limits.seconds_per_move
        self.kind, answer = self._ask(legal, "no answer", seconds, "move", *self._game, packed(state, "state"))
        if self._process is None:
            self.stops += 1
            self.out = (self.kind, answer) if self.stops > self.limits.restarts else None
        if not self.kind:
            return answer
        self.words = answer
        return None

    def launch(self) -> None:
        """Start the process; this does not wait for it."""
        self._process = Contained(MODULE, LONGEST, self._folder, self._hidden)

    def load(self) -> None:
        """Let the process load the agent; `out` is set if there is none."""
        try:
            if self._process is None:
                self.launch()
            self._process.get(PATIENCE)
        except (Late, Ended, OSError) as error:  # the others can still play
            words = f"its process could not be started: {_clean(str(error))}; `{sys.executable} -m {MODULE} 0` says why"
            kind = CRASH
        else:
            loading = "load", self.entry.file, self.entry.agent, self.luck, self.limits.gigabytes
            kind, words = self._ask([""], "not ready", self.limits.seconds_to_start, *loading)
            words = f"it could not be loaded: {words}"
        if kind:
            self.stop()
            self.out = kind, words

    def stop(self) -> None:
        """End the process and whatever it has started."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def note(self) -> str:
        """What a reader of the results should know of it, or nothing."""
        times = {1: "once", 2: "twice"}.get(self.stops, f"{self.stops} times")
        stopped = f"its process had to be stopped {times}" if self.stops else ""
        if self.out is None:
            return stopped
        return f"out after {stopped}: {self.out[1]}" if stopped else self.out[1]

    def _ask(self, choices: Sequence, late: str, seconds: float, *call) -> tuple:
        """What comes of a call: "" and one of the choices, or the kind of trouble and its words.

        A process that gives neither, as the course's own code does not, is stopped.
        """
        try:
            self._process.put(*call)
            match self._process.get(seconds):
                case ["", int(number)] if 0 <= number < len(choices):
                    return "", choices[number]
                case ["illegal" | "crash" as kind, str(words)]:
                    return kind, _clean(words)
            raise Ended(INTERFERED)
        except Late:
            trouble = TIMEOUT, f"{late} after {seconds:g} s"
        except Ended as error:
            trouble = CRASH, str(error).replace("its connection", "its connection to the tournament")
        self.stop()
        return trouble


def _clean(words: str) -> str:
    """Words in one line, without what differs from run to run."""
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", " ".join(words.split()))[:LONGEST]
