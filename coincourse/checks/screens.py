"""What a function prints while it is checked goes to a screen of its own, and nobody types an answer for it.

`sys.stdout` and `sys.stdin` belong to the whole process. So what stands in for them looks at the thread that asks:
the thread of a check gets its screen, and every other thread what it had before.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
import threading
from collections.abc import Iterator

from .judging import Wrong

CALLED_INPUT = "your function called `input`, and nobody types while it is checked. Use what the function is given."
_of_this_thread = threading.local()


class CalledInput(Wrong):
    """A function that is checked has asked a person; nobody is there to answer."""

    def __init__(self) -> None:
        super().__init__(CALLED_INPUT)


class Screen(io.StringIO):
    """Keeps the beginning of what is printed on it.

    Parameters
    ----------
    longest : int
        How many characters it keeps.
    """

    def __init__(self, longest: int = 1_000) -> None:
        super().__init__()
        self.longest = longest

    def write(self, words: str) -> int:
        room = max(self.longest - self.tell(), 0)
        super().write(words[:room])
        return len(words)


class _Output:
    """Stands in for `sys.stdout`."""

    def __init__(self, behind) -> None:
        self.behind = behind

    def write(self, words: str) -> int:
        return (screen() or self.behind).write(words)

    def writelines(self, lines) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str):
        return getattr(self.behind, name)


class _Input:
    """Stands in for `sys.stdin`."""

    def __init__(self, behind) -> None:
        self.behind = behind

    def readline(self, *size) -> str:
        if screen() is not None:
            raise CalledInput
        return self.behind.readline(*size)

    def __getattr__(self, name: str):
        if name == "fileno" and screen() is not None:
            raise AttributeError(name)  # so `input` calls `readline`
        return getattr(self.behind, name)


def screen() -> Screen | None:
    """The screen of this thread; None where what it prints is shown as usual."""
    return getattr(_of_this_thread, "screen", None)


@contextlib.contextmanager
def printing_on(mine: Screen) -> Iterator[None]:
    """Inside it, whatever this thread prints goes to a screen; other threads print as before.

    Examples
    --------
    >>> mine = Screen()
    >>> with printing_on(mine):
    ...     print("kept")
    >>> mine.getvalue()
    'kept\\n'
    """
    before = screen()
    behind = sys.stdout
    stands_in = _Output(behind)
    sys.stdout = stands_in
    _of_this_thread.screen = mine
    try:
        yield
    finally:
        _of_this_thread.screen = before
        if sys.stdout is stands_in:  # otherwise somebody else has put something in its place meanwhile
            sys.stdout = behind


@contextlib.contextmanager
def nobody_types() -> Iterator[None]:
    """Inside it, `input` raises `CalledInput` in a thread that has a screen.

    Jupyter's kernel has an `input` of its own, and functions may hold it as a default (``ask=input``): for this time
    the kernel is told that nobody can type, and raises StdinNotImplementedError.
    """
    before = sys.stdin
    kernel = getattr(builtins.input, "__self__", None)
    could_type = getattr(kernel, "_allow_stdin", None)
    sys.stdin = _Input(before)
    if could_type:
        kernel._allow_stdin = False
    try:
        yield
    finally:
        sys.stdin = before
        if could_type:
            kernel._allow_stdin = True


def is_called_input(error: BaseException) -> bool:
    """Whether an error says that a function has asked a person; Jupyter's own says so by its name."""
    return isinstance(error, CalledInput) or type(error).__name__ == "StdinNotImplementedError"
