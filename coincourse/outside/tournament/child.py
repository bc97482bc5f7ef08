"""Runs in an entry's own process: loads the agent, then answers calls with its moves."""

from __future__ import annotations

import os
import pickle
import random
import sys
import traceback
from collections.abc import Callable

import numpy as np

from coincourse.outside.answering import answer_calls, limit
from coincourse.outside.tournament.entries import agent_in
from coinlib.games import IllegalMove, read_move
from coinlib.match import sit_down

EXPLANATION = 300  # the most characters it may have
# Python calls its audit hooks before it does something to files, processes or the network. These are harmless.
ALLOWED = frozenset(
    {
        *("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir", "os.getxattr", "os.listxattr"),
        *("os.putenv", "os.unsetenv", "os.add_dll_directory", "socket.__new__", "socket.gethostname"),
    }
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Answerer:
    """The agent of an entry; its methods are called by `tournament.contestant.Contestant`."""

    seed = None

    def load(self, file: str, agent: bytes, seed: int, gigabytes: float) -> list:
        """Cut the process off from the rest of the system, and load the agent."""
        _seed_all(seed)
        limit(gigabytes)
        sys.addaudithook(_refuse)
        try:
            self.agent = agent_in(file) if file else pickle.loads(agent)
        except BaseException as error:  # noqa: BLE001 - including sys.exit() and Ctrl-C during the import
            return ["crash", _described(error)]
        return ["", 0]  # like the answers of `move`: no problem, and a number

    def move(self, game: bytes, seed: int, state) -> list:
        """Return the number of a move among the legal ones; or the kind of problem and a description."""
        try:
            if seed != self.seed:  # a new game
                self.seed = seed
                self.game = pickle.loads(game)  # a fresh copy: the entry may have changed the last one
                _begin(self.agent, seed)
            move = read_move(self.game, state, self.agent(self.game, state))
            return ["", self.game.legal_moves(state).index(move)]
        except IllegalMove as error:
            return ["illegal", str(error)[:EXPLANATION]]
        except BaseException as error:  # noqa: BLE001 - sys.exit() loses the game, not the process
            return ["crash", f"it raised {_described(error)}"]


def _begin(agent: Callable, seed: int) -> None:
    """Seed every unseeded source of chance for one game."""
    _seed(seed)
    if hasattr(agent, "generator"):
        agent.generator = np.random.default_rng(seed)
    sit_down(agent, learn=False)


def _seed(seed: int) -> None:
    """Seed the global generators of Python and NumPy."""
    random.seed(seed)
    np.random.seed(seed % 2**32)


def _described(error: BaseException) -> str:
    """Describe an error, with the last line of the entry's own file in its traceback."""
    words = f"{type(error).__name__}: {error}".removesuffix(": ")[:EXPLANATION]
    here = os.getcwd()
    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)]):
        folder, file = os.path.split(frame.f_code.co_filename)
        if folder == here and line:
            return f"{words} (line {line} of {file})"
    return words


# --- cutting the process off ----------------------------------------------------------------------------


def _seed_all(seed: int) -> None:
    """Seed generators that are made without a seed from the tournament's seed, so that it can be repeated."""
    source = np.random.SeedSequence(seed)
    make = np.random.default_rng

    def make_seeded(seed=None) -> np.random.Generator:
        return make(source.spawn(1)[0] if seed is None else seed)

    np.random.default_rng = make_seeded
    _seed(seed)


def _refuse(event: str, details: tuple) -> None:
    """Raise PermissionError for a forbidden event; Python calls this audit hook before each event."""
    if event == "open":
        path, mode, flags = details
        writes = set(mode or "") & set("wax+") or (flags or 0) & WRITING
        if writes and path != os.devnull:
            raise PermissionError(f"an entry may not write files: {path!r}")
    elif event.startswith(("os.", "socket.", "subprocess.", "pty.", "resource.")) and event not in ALLOWED:
        raise PermissionError(f"an entry may not start processes, change files or use the network: {event}")


if __name__ == "__main__":
    answer_calls(Answerer())
