"""Two speeds from one source: a loop is compiled if Numba is installed and runs as plain Python otherwise.

Numba must not be interrupted while it compiles or unboxes a Generator (that kills the process), so Ctrl-C is
delayed until the call has ended.
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
LOOPS: list[Callable] = []  # the loops, before they are compiled


def rule(function: Callable) -> Callable:
    """Decorator: mark a small function that loops call, so that Numba compiles it with them."""
    RULES.append(function)
    return function


def compiled(loop: Callable) -> Callable:
    """Decorator: compile a loop over arrays on its first call, if Numba is installed."""
    LOOPS.append(loop)

    @functools.cache
    def dispatcher():
        # No loop divides by zero; with NumPy's error model Numba need not generate code to check.
        try:
            return numba_or_none().njit(cache=True, error_model="numpy")(loop)
        except RuntimeError:  # No folder for the cache: the loop is compiled again next time.
            return numba_or_none().njit(error_model="numpy")(loop)

    @functools.wraps(loop)
    def run(*arguments):
        if numba_or_none() is None:
            return loop(*map(_view, arguments))
        with interrupts_wait():
            return dispatcher()(*arguments)

    run.dispatcher = dispatcher
    return run


def _view(argument):
    """An array as a memoryview, which plain Python reads twice as fast; the same for tuples of arrays."""
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
    """Delay Ctrl-C until the end of the block."""
    if threading.current_thread() is not threading.main_thread():  # Only the main thread receives Ctrl-C.
        yield
        return
    received: list[tuple] = []
    handler = signal.signal(signal.SIGINT, lambda *signal_and_frame: received.append(signal_and_frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if received and callable(handler):
            handler(*received[-1])


@functools.cache
def numba_or_none():
    """The module `numba`, ready to compile the rules and to report when it compiles a loop; None without Numba.

    `COINLIB_NUMBA=0` in the environment switches it off: loops then run as plain Python.
    """
    if os.environ.get("COINLIB_NUMBA") == "0":
        return None
    try:
        # An interrupted import leaves a library broken until Python is restarted.
        with interrupts_wait():
            import numba
            from numba.extending import register_jitable
    except ImportError:
        return None
    for function in RULES:
        register_jitable(error_model="numpy")(function)
    _report_compiling()
    return numba


def _report_compiling() -> None:
    """Print a line when Numba first compiles one of the loops, unless progress bars are switched off."""
    from numba.core import event

    class Report(event.Listener):
        printed = False

        def on_start(self, compilation) -> None:
            quiet = self.printed or os.environ.get("TQDM_DISABLE")
            if compilation.data["dispatcher"].py_func in LOOPS and not quiet:
                print("Compiling a fast loop: a few seconds, this once", file=sys.stderr)
                self.printed = True

        def on_end(self, compilation) -> None:
            """Do nothing; Numba requires this method."""

    event.register("numba:compile", Report())
