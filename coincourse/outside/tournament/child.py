"""What runs in an entry's own process: load the agent, then answer for it until nobody asks."""

from __future__ import annotations

import base64
import importlib.util
import inspect
import os
import random
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import cloudpickle
import numpy as np

from coincourse.outside.contained import answer_calls, limit, run_plain_python
from coinlib import named
from coinlib.arguments import check_agent
from coinlib.games import CoinGame, IllegalMove

LONGEST = 300  # characters of an explanation
LARGEST = 2**31  # a move with larger numbers is only told, not sent
ALLOWED = frozenset(  # of what Python asks its audit hooks before it does something to files, processes or the network
    {
        *("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir", "os.getxattr", "os.listxattr"),
        *("os.putenv", "os.unsetenv", "os.add_dll_directory", "socket.__new__", "socket.gethostname"),
    }
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Answerer:
    """The agent of an entry; its methods are called by `tournament.player.Player`."""

    def load(self, kind: str, what: str, luck: int, gigabytes: float) -> list:
        """Load the agent, in a process that is then cut off from the rest."""
        _use_luck(luck)
        limit(gigabytes)
        try:
            self.agent = _load(kind, what)
        except BaseException as error:  # noqa: BLE001 - also sys.exit() and Ctrl-C at the import
            return ["failed", _in_words(error)]
        return ["loaded", ""]

    def move(self, state: list, new_game: list | None) -> list:
        """The move in a state: row and count, or what came instead, and why in words."""
        try:
            if new_game:
                rules, luck = new_game
                self.game = CoinGame(*rules)  # a new one each time: an entry may have changed the last
                _begin(self.agent, luck)
            answer = self.agent(self.game, tuple(state))
        except BaseException as error:  # noqa: BLE001 - sys.exit() loses the game, not the process
            return ["crash", f"it raised {_in_words(error)}"]
        return _portable(self.game, answer)


def _begin(agent: Callable, luck: int) -> None:
    """The luck of one game: every source of chance that has no seed of its own is given this one."""
    random.seed(luck)
    np.random.seed(luck % 2**32)
    if hasattr(agent, "generator"):
        agent.generator = np.random.default_rng(luck)
    if hasattr(agent, "new_match"):
        agent.new_match()


def _portable(game: CoinGame, answer) -> list:
    """An answer as it can be sent: row and count, or in words what it was."""
    try:
        move = game.named_move(answer)
        if max(abs(move.row), abs(move.count)) < LARGEST:
            return list(move)
    except IllegalMove:
        pass
    except BaseException as error:  # noqa: BLE001 - an answer that cannot even be looked at
        return ["crash", f"its answer raised {_in_words(error)}"]
    try:
        return ["illegal", repr(answer)[:LONGEST]]
    except BaseException:  # noqa: BLE001
        return ["illegal", f"a {type(answer).__name__}"]


def _in_words(error: BaseException) -> str:
    """An error in words, with the last line of the entry's own file that it came through."""
    try:
        words = f"{type(error).__name__}: {error}".removesuffix(": ")
        lines = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_foreign(frame.filename)]
        return words[:LONGEST] + (f" (line {lines[-1].lineno} of {Path(lines[-1].filename).name})" if lines else "")
    except BaseException:  # noqa: BLE001 - an error that cannot be put into words
        return type(error).__name__


def _is_foreign(name: str) -> bool:
    """Whether a file belongs to the entries: it lies where the entry lies."""
    return os.path.isfile(name) and os.path.dirname(os.path.abspath(name)) == os.getcwd()


# --- loading ----------------------------------------------------------------------------------------------


def _load(kind: str, what: str) -> Callable:
    if kind == "file":
        sys.path.append(os.getcwd())  # last, so that an entry called random.py is not taken for Python's
    sys.addaudithook(_refuse)
    if kind == "built-in":
        return named.agent(what)
    if kind == "function":
        return cloudpickle.loads(base64.b64decode(what))
    return _checked(_agent_in(_module(Path(what))))


def _module(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"entry_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def _agent_in(module: ModuleType) -> Callable:
    """What is called `agent`; otherwise the only function of the file whose name has no "_" in front."""
    if hasattr(module, "agent"):
        return module.agent
    functions = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    if len(functions) == 1:
        return next(iter(functions.values()))
    found = f"several functions: {', '.join(functions)}; call one of them agent" if functions else "no function"
    raise LookupError(f"expected a function agent(game, state), or one function in all; found {found}")


def _checked(agent) -> Callable:
    """The agent, if it can be asked with a game and a state."""
    check_agent(agent, "agent")
    try:
        inspect.signature(agent).bind(None, None)
    except ValueError:  # written in C: nothing is known of it before it is called
        pass
    except TypeError as error:
        raise TypeError(f"agent: expected a function of (game, state); {error}") from None
    return agent


# --- being cut off ------------------------------------------------------------------------------------------


def _use_luck(luck: int) -> None:
    """Generators made without a seed draw from the tournament's, so that it can be repeated."""
    source, make = np.random.SeedSequence(luck), np.random.default_rng
    np.random.default_rng = lambda seed=None: make(source.spawn(1)[0] if seed is None else seed)
    random.seed(luck)
    np.random.seed(luck % 2**32)


def _refuse(event: str, details: tuple) -> None:
    """Python asks this before it opens a file, and before each thing that it tells its audit hooks."""
    if event == "open":
        path, mode, flags = details
        if (set(mode or "") & set("wax+") or (flags or 0) & WRITING) and path != os.devnull:
            raise PermissionError(f"an entry may not write files: {path!r}")
    elif event.startswith(("os.", "socket.", "subprocess.", "pty.", "resource.")) and event not in ALLOWED:
        raise PermissionError(f"an entry plays in one process and leaves files alone: {event} is refused")


if __name__ == "__main__":
    run_plain_python()
    answer_calls(Answerer())
