"""What runs in an entry's own process: load the agent, then answer questions until nobody asks.

The process is for containing mistakes and mischief. It is not a prison: whoever runs programs of
strangers should do it on a machine, or in a container, that may break.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import random
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from coincourse.outside.processes import channel as socket_to_parent
from coincourse.outside.processes import end_with, limit_memory, run_plain_python
from coincourse.outside.tournament.entries import Entry
from coinlib import named
from coinlib.games import CoinGame, IllegalMove

LONGEST = 300  # characters of an explanation
LARGEST = 2**31  # a move with larger numbers is only told, not sent
REFUSED = frozenset(  # what Python asks its audit hooks before doing it
    {
        *("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "os.startfile"),
        *("subprocess.Popen", "pty.spawn", "os.kill", "os.killpg", "resource.setrlimit", "resource.prlimit"),
        *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.utime", "socket.connect", "socket.bind"),
    }
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def main() -> None:
    """Serve one entry over the socket whose number stands on the command line."""
    channel = socket_to_parent()
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    run_plain_python()
    questions = channel.makefile("rb")
    _send(channel, ["ready"])
    order = json.loads(questions.readline())
    try:
        agent = _load(Entry(*order["entry"]), order)
    except BaseException as error:  # noqa: BLE001 - also sys.exit() and Ctrl-C at the import
        _send(channel, ["failed", _told(error)])
        return
    _send(channel, ["loaded"])
    _answer_all(agent, questions, channel)


def _answer_all(agent: Callable, questions, channel: socket.socket) -> None:
    """Games and questions, until the other end is closed."""
    game, luck, begins = None, 0, False
    for line in questions:
        message = json.loads(line)
        if isinstance(message, dict):  # a new game
            game, luck, begins = message["game"], message["luck"], True
            continue
        number, state = message
        try:
            if begins:
                game, begins = CoinGame(*game), False  # a new one each time: an entry may have changed the last
                _begin(agent, luck)
            answer = agent(game, tuple(state))
        except BaseException as error:  # noqa: BLE001 - sys.exit() loses the game, not the process
            reply = [number, "crash", f"it raised {_told(error)}"]
        else:
            reply = [number, *_portable(game, answer)]
        _send(channel, reply)


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
        return ["crash", f"its answer raised {_told(error)}"]
    try:
        return ["illegal", repr(answer)[:LONGEST]]
    except BaseException:  # noqa: BLE001
        return ["illegal", f"a {type(answer).__name__}"]


def _told(error: BaseException) -> str:
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


# --- loading ------------------------------------------------------------------------------------------------


def _load(entry: Entry, order: dict) -> Callable:
    """The agent of an entry, in a process that has been cut off from the rest."""
    _use_luck(order["luck"])
    limit_memory(order["gigabytes"])
    sys.dont_write_bytecode = True
    if entry.kind == "file":
        folder = str(Path(entry.what).parent)
        os.chdir(folder)
        sys.path.append(folder)  # last, so that an entry called random.py is not taken for Python's
    sys.addaudithook(_refuse)
    if entry.kind == "built-in":
        return named.agent(entry.what)
    if entry.kind == "function":
        import base64

        import cloudpickle

        return cloudpickle.loads(base64.b64decode(entry.what))
    return _checked(_agent_in(_module(Path(entry.what))))


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
    if isinstance(agent, type):
        raise TypeError(f"agent is a class; write agent = {agent.__name__}(...) to make one")
    if not callable(agent):
        raise TypeError(f"agent: expected a function (game, state) -> move, got {agent!r}")
    try:
        signature = inspect.signature(agent)
    except ValueError:  # written in C: nothing is known of it before it is called
        return agent
    try:
        signature.bind(None, None)
    except TypeError as error:
        raise TypeError(f"agent{signature}: expected a function of (game, state); {error}") from None
    return agent


# --- being cut off --------------------------------------------------------------------------------------------


def _send(channel: socket.socket, message: list) -> None:
    channel.sendall(json.dumps(message).encode("ascii") + b"\n")


def _use_luck(luck: int) -> None:
    """Generators made without a seed draw from the tournament's, so that it can be repeated."""
    source, make = np.random.SeedSequence(luck), np.random.default_rng
    np.random.default_rng = lambda seed=None: make(source.spawn(1)[0] if seed is None else seed)
    random.seed(luck)
    np.random.seed(luck % 2**32)


def _refuse(event: str, details: tuple) -> None:
    """Python asks this before each thing of REFUSED, and before it opens a file."""
    if event in REFUSED:
        raise PermissionError(f"an entry plays in one process and leaves files alone: {event} is refused")
    if event == "open":
        path, mode, flags = details
        if (set(mode or "") & set("wax+") or (flags or 0) & WRITING) and path != os.devnull:
            raise PermissionError(f"an entry may not write files: {path!r}")


if __name__ == "__main__":
    main()
