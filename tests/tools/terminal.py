"""A program in a real pseudo-terminal: what is typed appears, and answers wait for their question."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Iterable

SECONDS = 120  # without output from the program, on a busy machine


# the first process in a session to open a terminal owns it, and receives its Ctrl-C even if we were told to ignore it
OWNER = """
import os, signal, sys
os.open(os.ttyname(0), os.O_RDWR)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A running program; `seen` is everything on its screen."""

    def __init__(self, command: list[str], **environment: str) -> None:
        inner, outer = pty.openpty()
        termios.tcsetwinsize(outer, (24, 80))  # progress bars are hidden on a screen without lines
        self.screen = inner
        self.seen = ""
        words = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        words |= {"TERM": "xterm", "COLUMNS": "80", **environment}
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNER, *command],
            stdin=outer,
            stdout=outer,
            stderr=outer,
            env=words,
            start_new_session=True,
        )
        os.close(outer)

    def read_until(self, ending: str) -> None:
        """Read until the screen ends with `ending`."""
        while not self.seen.endswith(ending):
            if not self._read(SECONDS):
                self.process.kill()
                raise AssertionError(f"expected {ending!r}; the screen shows:\n{self.seen}")

    def type(self, keys: str) -> None:
        """Press keys, and wait until something of them appears."""
        before = len(self.seen)
        os.write(self.screen, keys.encode())
        while len(self.seen) == before and self._read(SECONDS):
            pass

    def press(self, key: str, ending: str) -> None:
        """Press a key until `ending` has come on the screen.

        More than once if necessary: Python misses a Ctrl-C between printing its question and reading the answer.
        """
        before = len(self.seen)
        for _ in range(SECONDS // 3):
            os.write(self.screen, key.encode())
            while self._read(3):
                if ending in self.seen[before:]:
                    return
        raise AssertionError(f"expected {ending!r} after {key!r}; the screen shows:\n{self.seen}")

    def finish(self) -> int:
        """Read to the end; the exit status."""
        while self._read(SECONDS):
            pass
        os.close(self.screen)
        return self.process.wait(SECONDS)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.screen], [], [], seconds)
        try:
            piece = os.read(self.screen, 65536) if ready else b""
        except OSError:  # the other end is closed: Linux's way of saying that the program has ended
            piece = b""
        self.seen += piece.decode(errors="replace").replace("\r\n", "\n")
        return bool(piece)


def session(words: list[str], answers: Iterable[str], before: str = "", **environment: str) -> tuple[str, int]:
    """The screen after a whole session, and the exit status.

    Each answer is typed when a question, which ends in "? ", has appeared. `before` is run first:
    it can replace chance by a script.
    """
    code = f"import sys\n{before}\nfrom coincourse.terminal import main\nsys.exit(main(sys.argv[1:]))"
    terminal = Terminal([sys.executable, "-c", code, *words], **environment)
    for answer in answers:
        terminal.read_until("? ")
        terminal.type(answer + "\n")
    status = terminal.finish()
    return terminal.seen, status
