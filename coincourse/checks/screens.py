"""What a function prints while it is checked goes to a screen of its own, and nobody types an answer for it.

`sys.stdout` belongs to the whole process. So a screen looks at the thread that prints: what the thread of
the check prints is kept, and what any other thread prints goes where it went before.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
import threading
from collections.abc import Iterator


class Screen(io.TextIOBase):
    """Keeps the beginning of what one thread prints; see `printing_on`.

    Parameters
    ----------
    longest : int
        How many characters it keeps.
    """

    def __init__(self, longest: int = 1_000) -> None:
        self.longest = longest
        self.kept = ""
        self.thread = 0
        self.behind = sys.stdout

    def write(self, words: str) -> int:
        if threading.get_ident() != self.thread:
            return self.behind.write(words)
        self.kept += words[: self.longest - len(self.kept)]
        return len(words)


@contextlib.contextmanager
def printing_on(screen: Screen) -> Iterator[None]:
    """Inside it, whatever this thread prints is kept on a screen; other threads print as before.

    Examples
    --------
    >>> screen = Screen()
    >>> with printing_on(screen):
    ...     print("kept")
    >>> screen.kept
    'kept\\n'
    """
    screen.thread = threading.get_ident()
    screen.behind = sys.stdout
    sys.stdout = screen
    try:
        yield
    finally:
        if sys.stdout is screen:  # otherwise somebody else has put something in its place meanwhile
            sys.stdout = screen.behind


class NobodysKeyboard(io.StringIO):
    """Stands for a keyboard where nobody types."""

    def readline(self, *_) -> str:
        raise EOFError("nobody can type an answer here")


@contextlib.contextmanager
def nobody_types() -> Iterator[None]:
    """Inside it, `input` raises an error, as where a file ends.

    Jupyter's kernel has an `input` of its own, and functions may hold it as a default (``ask=input``): for
    this time the kernel is told that nobody can type, and raises StdinNotImplementedError.
    """
    before = sys.stdin
    kernel = getattr(builtins.input, "__self__", None)
    could_type = getattr(kernel, "_allow_stdin", None)
    sys.stdin = NobodysKeyboard()
    if could_type:
        kernel._allow_stdin = False
    try:
        yield
    finally:
        sys.stdin = before
        if could_type:
            kernel._allow_stdin = True
