"""An entry as the arena sees it: an agent whose moves come from a contained process."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coincourse.outside.contained import INTERFERED, Contained, Ended, Late
from coincourse.outside.tournament.entries import Entry
from coinlib.arguments import number_in, whole_number
from coinlib.games import CoinGame, State

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


class Trouble(Exception):
    """There is no move: the kind, and why in words."""


class NoMove:
    """What stands in the place of an answer that cannot be a move; its repr says why."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


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
        files = [Path(other.what) for other in others if other.kind == "file" and other.what != entry.what]
        self._folder = Path(entry.what).parent if entry.kind == "file" else None
        self._hidden = [file for file in files if self._folder in file.parents]
        self.stops = 0  # how often its process had to be stopped
        self.kind = self.words = ""  # why there was no move in this game
        self.out: Trouble | None = None  # set when it is asked no more, with the reason
        self._process: Contained | None = None
        self._new_game: list | None = None  # told with the next question

    def prepare(self, game: CoinGame, luck: int) -> None:
        """A new game begins."""
        self.kind = self.words = ""
        self._new_game = [[game.rows, game.max_pick, game.misere], luck]

    def __call__(self, game: CoinGame, state: State):
        """The answer in a state: a row and a count, or a `NoMove`."""
        try:
            if self._process is None and self.out is None:
                self._start_again()
            if self.out is not None:
                raise self.out
            kind, answer = reply = self._ask(state)
            if kind == CRASH:
                raise Trouble(CRASH, answer)
        except Trouble as trouble:
            self.kind, self.words = trouble.args
            return NoMove(self.words)
        if kind == ILLEGAL:
            return None if answer == repr(None) else NoMove(answer)
        return reply

    def _ask(self, state: State) -> list:
        """A move, or the kind of what came instead and its words; a process that gives neither is stopped."""
        seconds = self.limits.seconds_per_move
        try:
            self._process.put("move", state, self._new_game)
            reply = self._answer(seconds, f"no answer after {seconds:g} s")
        except Trouble as trouble:
            self.stop()
            self.stops += 1
            if self.stops > self.limits.restarts:
                self.out = trouble
            raise
        self._new_game = None
        return reply

    def _answer(self, seconds: float, late: str) -> list:
        """The answer to a call; `Trouble` where there is none, or one that the course's own code does not give."""
        try:
            match self._process.get(seconds):
                case [int(), int()] as move:
                    return move
                case [str(kind), str(words)]:
                    return [kind, _clean(words)]
            raise Ended(INTERFERED)
        except Late:
            raise Trouble(TIMEOUT, late) from None
        except Ended as error:
            words = str(error).replace("its connection", "its connection to the tournament")
            raise Trouble(CRASH, words) from None

    # --- the process

    def launch(self) -> None:
        """Start the process; this does not wait for it."""
        self._process = Contained(MODULE, LONGEST, self._folder, self._hidden)

    def load(self) -> None:
        """Let the process load the agent; `out` is set if there is none."""
        _, kind, what = self.entry
        try:
            self._answer(PATIENCE, "")
        except Trouble:
            self.stop()
            raise RuntimeError(
                f"no process could be started for {self.name}; `{sys.executable} -m {MODULE} 0` says why"
            ) from None
        seconds = self.limits.seconds_to_start
        try:
            self._process.put("load", kind, what, self.luck, self.limits.gigabytes)
            outcome, words = self._answer(seconds, f"not ready after {seconds:g} s")
            if outcome == "loaded":
                return
            trouble = Trouble(CRASH, words)
        except Trouble as error:
            trouble = error
        kind, words = trouble.args
        self.stop()
        self.out = Trouble(kind, f"it could not be loaded: {words}")

    def _start_again(self) -> None:
        try:
            self.launch()
            self.load()
        except (RuntimeError, OSError) as error:  # in the middle of a tournament the others can still play
            self.stop()
            self.out = Trouble(CRASH, f"its process could not be started again: {_clean(str(error))}")

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
        return f"out after {stopped}: {self.out.args[1]}" if stopped else self.out.args[1]


def _clean(words: str) -> str:
    """Words in one line, without what differs from run to run."""
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", " ".join(words.split()))[:LONGEST]
