"""Two speeds from one source: a loop is compiled where Numba is installed, and otherwise runs as it stands.

Numba must not be interrupted while it compiles or takes a Generator apart (the whole process would end). So
Ctrl-C waits for the end of such a call, and is raised afterwards.
"""

import functools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

RULES: list[Callable] = []  # the functions that loops call
LOOPS: list[Callable] = []  # the loops, as they were written


def rule(function: Callable) -> Callable:
    """A decorator for a small function that loops call: Numba compiles it with them."""
    RULES.append(function)
    return function


def compiled(loop: Callable) -> Callable:
    """A decorator for a loop over arrays: Numba, where it is installed, compiles it at its first call."""
    LOOPS.append(loop)

    @functools.cache
    def dispatcher():
        # No loop divides by zero. With NumPy's error model Numba then needs no code that raises.
        try:
            return numba().njit(cache=True, error_model="numpy")(loop)
        except RuntimeError:  # There is no folder for the cache: it is compiled again next time.
            return numba().njit(error_model="numpy")(loop)

    @functools.wraps(loop)
    def run(*arguments):
        if numba() is None:
            return loop(*map(_view, arguments))
        with interrupts_wait():
            return dispatcher()(*arguments)

    run.dispatcher = dispatcher
    return run


def _view(argument):
    """An array as a memoryview, from which plain Python reads numbers twice as fast; tuples of arrays too."""
    if isinstance(argument, np.ndarray):
        return memoryview(argument)
    if not isinstance(argument, tuple):
        return argument
    views = [_view(part) for part in argument]
    if hasattr(argument, "_make"):  # a NamedTuple
        return argument._make(views)
    return tuple(views)


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Let Ctrl-C wait: it is noted, and raised at the end of the block."""
    if threading.current_thread() is not threading.main_thread():  # Only the main thread hears Ctrl-C.
        yield
        return
    noted: list[tuple] = []
    before = signal.signal(signal.SIGINT, lambda *signal_and_frame: noted.append(signal_and_frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if noted and callable(before):
            before(*noted[-1])


@functools.cache
def numba():
    """Numba, which knows the rules and says when it compiles a loop; None without Numba.

    `COINLIB_NUMBA=0` in the environment switches it off: loops then run as they stand.
    """
    if os.environ.get("COINLIB_NUMBA") == "0":
        return None
    try:
        # A library whose import was interrupted stays broken until Python is started again.
        with interrupts_wait():
            import numba
            from numba.extending import register_jitable
    except ImportError:
        return None
    for function in RULES:
        register_jitable(error_model="numpy")(function)
    _say_what_compiles()
    return numba


def _say_what_compiles() -> None:
    """Let Numba print a line when it first compiles a loop of ours, unless progress bars are switched off."""
    from numba.core import event

    class Note(event.Listener):
        said = False

        def on_start(self, happening) -> None:
            quiet = self.said or os.environ.get("TQDM_DISABLE")
            if happening.data["dispatcher"].py_func in LOOPS and not quiet:
                print("Compiling a fast loop: a few seconds, this once", file=sys.stderr)
                self.said = True

        def on_end(self, happening) -> None:
            """Nothing is said at the end."""

    event.register("numba:compile", Note())
