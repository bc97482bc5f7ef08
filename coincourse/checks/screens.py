"""While a function is checked, a separate screen keeps what it prints, and it cannot read from a keyboard.

`sys.stdout` belongs to the whole process. So a screen looks at the thread that prints: it keeps the output of the
check's thread, and passes on that of any other thread.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import re
import sys
import threading
from collections.abc import Callable, Iterator

COLOURS = re.compile(r"\x1b\[[\d;]*m")  # of a terminal; the screen has none
CUT = "\n(The rest is not shown.)"


class Screen(io.TextIOBase):
    """Keeps the beginning of what one thread prints, and says if there was more; see `printing_on`.

    Parameters
    ----------
    longest : int
        The number of printed characters it keeps.
    hear : function (str), optional
        Called with each piece of text that it keeps.
    """

    def __init__(self, longest: int = 1_000, hear: Callable[[str], object] | None = None) -> None:
        self.longest = longest
        self.hear = hear
        self.kept = ""
        self.thread = 0
        self.behind = sys.stdout

    def write(self, words: str) -> int:
        if threading.get_ident() != self.thread:
            return self.behind.write(words)
        room = self.longest - len(self.kept)
        if room < 0:  # it is cut already
            return len(words)
        piece = COLOURS.sub("", words)
        if len(piece) > room:
            piece = piece[:room] + CUT
        self.kept += piece
        if piece and self.hear:
            self.hear(piece)
        return len(words)


@contextlib.contextmanager
def printing_on(screen: Screen) -> Iterator[None]:
    r"""Keep what this thread prints on a screen; other threads print as before.

    Examples
    --------
    >>> screen = Screen()
    >>> with printing_on(screen):
    ...     print("\x1b[32mkept\x1b[0m")
    >>> screen.kept
    'kept\n'
    """
    screen.thread = threading.get_ident()
    screen.behind = sys.stdout
    sys.stdout = screen
    try:
        yield
    finally:
        if sys.stdout is screen:  # otherwise other code has replaced it in the meantime
            sys.stdout = screen.behind


class NoKeyboard(io.StringIO):
    """A stand-in for a keyboard that is not there."""

    def readline(self, *_) -> str:
        raise EOFError("there is no keyboard here: write the value into your code, such as `number = 5`")


@contextlib.contextmanager
def nobody_types() -> Iterator[None]:
    """Let `input` raise an error, as at the end of a file.

    Jupyter's kernel has its own `input`, and functions may hold it as a default (``ask=input``): so the kernel
    is set to have no keyboard, and raises StdinNotImplementedError.
    """
    before = sys.stdin
    keyboard = NoKeyboard()
    kernel = getattr(builtins.input, "__self__", None)
    could_type = getattr(kernel, "_allow_stdin", None)
    sys.stdin = keyboard
    if could_type:
        kernel._allow_stdin = False
    try:
        yield
    finally:
        if sys.stdin is keyboard:  # otherwise other code has replaced it in the meantime
            sys.stdin = before
        if could_type:
            kernel._allow_stdin = True
