"""What runs in the process of a handed-in notebook: its cells, and then its functions, when the judge asks.

Nothing here is trusted by anybody: the student's code runs beside it, and may change all of it. What it
says is read as plain data (`plain`), and whether an answer is right is decided in another process.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pickle
import signal
import socket
import sys
import threading
import traceback

from coincourse.classroom.plain import MUTABLE, pack
from coincourse.outside.contained import channel, end_with, limit

COUNTED = 20_000  # calls between two words about how many there were
LONGEST = 300  # characters of an explanation


def main() -> None:
    """Serve one notebook over the socket whose number stands on the command line."""
    ours = channel()
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    notebook = Notebook(ours)
    _send(ours, ["ready"])
    questions = ours.makefile("rb")
    limit(json.loads(questions.readline())["gigabytes"])
    me = os.getpid()
    while True:
        try:
            line = questions.readline()
            if not line:
                return
            number, what, *details = json.loads(line)
            reply = getattr(notebook, f"do_{what}")(number, *details)
            if os.getpid() != me:  # a cell has forked, and this is the fork
                os._exit(0)
            _send(ours, [number, *reply])
        except KeyboardInterrupt:  # it came too late: the work was done
            continue


class Notebook:
    """The cells' names and what is asked of them."""

    def __init__(self, ours: socket.socket) -> None:
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        settings = Config()
        settings.HistoryManager.enabled = False
        self.socket = ours
        self.shell = InteractiveShell.instance(config=settings)
        self.shell.showtraceback = self.shell.showsyntaxerror = lambda *_, **__: None  # nobody reads them
        self.answer = None

    def do_run(self, number: int, source: str) -> list:
        """Run a cell."""
        result = self.shell.run_cell(source, store_history=False, silent=True)
        error = result.error_before_exec or result.error_in_exec
        return ["done"] if error is None else ["failed", type(error).__name__, _told(error)]

    def do_look(self, number: int, expression: str) -> list:
        """What the student hands to a check: a function stays here, anything else is sent."""
        try:
            self.answer = self.shell.ev(expression)
            return ["function"] if callable(self.answer) else ["value", pack(self.answer)]
        except BaseException as error:  # noqa: BLE001 - the name of an answer may not be there
            return ["failed", type(error).__name__, _told(error)]

    def do_call(self, number: int, pickled: str, counting: bool) -> list:
        """Call the student's function, or what runs it."""
        run, arguments = pickle.loads(base64.b64decode(pickled))
        counter = _Counter(self.socket, number)
        try:
            if counting:
                sys.setprofile(counter)
            answer = run(self.answer, *arguments) if run else self.answer(*arguments)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the judge shall hear of it
            sys.setprofile(None)
            kinds = [kind.__name__ for kind in type(error).__mro__]
            return ["raised", type(error).__module__, kinds, _text(error)]
        finally:
            if counting:
                sys.setprofile(None)
        after = [one if isinstance(one, MUTABLE) else None for one in arguments]
        return ["answer", pack((answer, after)), counter.made]


class _Counter:
    """Counts the calls of Python functions, and says from time to time how many there were."""

    def __init__(self, ours: socket.socket, number: int) -> None:
        self.socket, self.number, self.made = ours, number, 0

    def __call__(self, frame, event: str, argument) -> None:
        self.made += event == "call"
        if self.made == COUNTED:
            self.made = 0
            _send(self.socket, [self.number, "calls", COUNTED])


def _send(ours: socket.socket, message: list) -> None:
    ours.sendall(json.dumps(message).encode("ascii") + b"\n")


def _text(error: BaseException) -> str:
    try:
        return str(error)[:LONGEST]
    except BaseException:  # noqa: BLE001 - an error that cannot be put into words
        return ""


def _told(error: BaseException) -> str:
    """An error in words, with the line of the cell that it came through."""
    words = f"{type(error).__name__}: {_text(error)}".removesuffix(": ")
    with contextlib.suppress(Exception):
        if isinstance(error, SyntaxError):
            return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if "ipython-input" in frame[0]]
        words += f" (line {lines[-1]})" if lines else ""
    return words


if __name__ == "__main__":
    main()
