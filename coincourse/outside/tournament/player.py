"""An entry as the arena sees it: an agent whose moves come from another process."""

from __future__ import annotations

import json
import random
import re
import secrets
import sys
import time
from typing import NamedTuple

from coincourse.outside.processes import Ended, Late, Worker
from coincourse.outside.tournament.entries import Entry
from coinlib.games import CoinGame, State

ILLEGAL, CRASH, TIMEOUT = KINDS = ("illegal", "crash", "timeout")
MODULE = "coincourse.outside.tournament.child"
LONGEST = 4096  # bytes of one reply
PATIENCE = 120.0  # seconds for starting Python, which is not the entry's fault


class Limits(NamedTuple):
    """What an entry may use."""

    seconds_per_move: float
    seconds_to_start: float
    gigabytes: float
    restarts: int


class Trouble(Exception):
    """There is no answer: the kind, and why in words."""


class NoMove:
    """What stands in the place of an answer that cannot be a move; its repr says why."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


class Player:
    """The agent of an entry, in a process of its own.

    `play_match` calls it as it calls any agent. When no answer comes in time, or the process ends, it
    gives no move, which forfeits the game by the arena's own rule, and the process is stopped; the next
    question starts another, a limited number of times.

    Its last method is called `stop`, since the arena calls what is called `close` after each game.

    Parameters
    ----------
    entry : Entry
    limits : Limits
    luck : int
        Seeds what the entry does while it is loaded.
    """

    def __init__(self, entry: Entry, limits: Limits, luck: int) -> None:
        self.entry, self.name, self.limits, self.luck = entry, entry.name, limits, luck
        self.stops = 0  # how often its process had to be stopped
        self.unasked = 0  # games lost without being asked
        self.kind = self.words = ""  # why there was no move in this game
        self.out: Trouble | None = None  # set when it is asked no more, with the reason
        self._worker: Worker | None = None
        self._news = b""  # told with the next question
        self._numbers = random.Random(secrets.randbits(128))

    # --- being asked

    def prepare(self, game: CoinGame, luck: int) -> None:
        """A new game begins."""
        self.kind = self.words = ""
        details = {"game": [game.rows, game.max_pick, game.misere], "luck": luck}
        self._news = json.dumps(details).encode("ascii") + b"\n"

    def __call__(self, game: CoinGame, state: State):
        """The answer in a state: a row and a count, or a `NoMove`."""
        try:
            return self._ask(state)
        except Trouble as trouble:
            self.kind, self.words = trouble.args
            return NoMove(self.words)

    def _ask(self, state: State):
        if self.out is not None:
            self.unasked += 1
            raise self.out
        if self._worker is None:
            self._start_again()
        number = self._numbers.getrandbits(48)  # cannot be guessed, so nothing can be answered before it is asked
        try:
            self._send(self._news + b"[%d, %s]\n" % (number, str(list(state)).encode("ascii")))
            self._news = b""
            reply = self._receive(self.limits.seconds_per_move)
        except Trouble as trouble:
            self._lose_process(trouble)
            raise
        match reply:
            case [told, int(row), int(count)] if told == number:
                return row, count
            case [told, kind, str(words)] if told == number and kind in (ILLEGAL, CRASH):
                if kind == CRASH:
                    raise Trouble(CRASH, _clean(words))
                return NoMove(_clean(words))
        trouble = Trouble(CRASH, "it interfered with its connection to the tournament")
        self._lose_process(trouble)
        raise trouble

    def _start_again(self) -> None:
        try:
            self.launch()
            self.load()
        except (RuntimeError, OSError) as error:  # in the middle of a tournament the others can still play
            self._give_up(Trouble(CRASH, f"its process could not be started again: {_clean(str(error))}"))
        self.wait_until_loaded()
        if self.out is not None:
            raise self.out

    # --- the process

    def launch(self) -> None:
        """Start the process; this does not wait for it."""
        self._worker = Worker(MODULE, LONGEST)

    def load(self) -> None:
        """Tell the process whom to load; this does not wait until it is done."""
        try:
            if self._receive(PATIENCE) != ["ready"]:
                raise Trouble(CRASH, "")
        except Trouble:
            self.stop()
            raise RuntimeError(
                f"no process could be started for {self.name}; `{sys.executable} -m {MODULE} 0` says why"
            ) from None
        order = {"entry": self.entry, "luck": self.luck, "gigabytes": self.limits.gigabytes}
        self._deadline = time.monotonic() + self.limits.seconds_to_start
        try:
            self._send(json.dumps(order).encode("ascii") + b"\n")
        except Trouble as trouble:
            self._give_up(trouble)

    def wait_until_loaded(self) -> None:
        """Wait for the agent; `out` is set if there is none."""
        if self.out is not None:
            return
        try:
            # it may have been ready long ago, while others were waited for: look at least
            match self._receive(max(0.01, self._deadline - time.monotonic())):
                case ["loaded"]:
                    return
                case ["failed", str(words)]:
                    trouble = Trouble(CRASH, f"it could not be loaded: {_clean(words)}")
                case _:
                    trouble = Trouble(CRASH, "it could not be loaded: it interfered with its connection")
        except Trouble as error:
            kind, words = error.args
            more = f"not ready after {self.limits.seconds_to_start:g} s" if kind == TIMEOUT else words
            trouble = Trouble(kind, f"it could not be loaded: {more}")
        self._give_up(trouble)

    def stop(self) -> None:
        """End the process and whatever it has started."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def note(self) -> str:
        """What a reader of the results should know of it, or nothing."""
        if self.out is None:
            return "" if not self.stops else f"its process had to be stopped {_times(self.stops)}"
        if not self.stops:
            return self.out.args[1]
        return f"out after its process had to be stopped {_times(self.stops)}: {self.out.args[1]}"

    def _lose_process(self, trouble: Trouble) -> None:
        self.stop()
        self.stops += 1
        if self.stops > self.limits.restarts:
            self.out = trouble

    def _give_up(self, trouble: Trouble) -> None:
        self.stop()
        self.out = trouble

    # --- the wire

    def _send(self, line: bytes) -> None:
        try:
            self._worker.send(line, self.limits.seconds_to_start)
        except (Late, Ended) as error:
            raise self._trouble(error) from None

    def _receive(self, seconds: float):
        """The next line, read; anything that is not one line is trouble."""
        try:
            line = self._worker.receive(seconds)
        except (Late, Ended) as error:
            raise self._trouble(error) from None
        if line is None or self._worker.has_said_more:
            return None
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return None

    def _trouble(self, error: Late | Ended) -> Trouble:
        if isinstance(error, Late):
            return Trouble(TIMEOUT, f"no answer after {self.limits.seconds_per_move:g} s")
        return Trouble(CRASH, str(error).replace("its connection", "its connection to the tournament"))


def _clean(words: str) -> str:
    """Words in one line, without what differs from run to run."""
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", " ".join(words.split()))[:LONGEST]


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
