"""Work that goes on step by step, in chunks so short that the kernel hears a button or Ctrl-C between them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import signal
import time
from collections.abc import Callable, Iterator

from IPython import get_ipython

CHUNK_SECONDS = 0.1  # as many steps as fit into it are made at once, and never more than twice as many as before
NAP_SECONDS = 0.05  # no pause is longer before it is asked again whether to stop


async def work(lab, steps: int) -> None:
    """What `Lab.run` does: chunks of at most so many steps in all, with a picture and a pause after each."""
    chunk = 1
    try:
        with _interrupts(lab.stop) as listen:
            while steps and not lab.stopping:
                began = time.perf_counter()
                listen()
                made = lab.advance(min(chunk, steps))
                if not made:
                    break
                steps -= made
                seconds = max(0.001, time.perf_counter() - began)  # some clocks are coarse
                chunk = max(1, min(int(chunk * CHUNK_SECONDS / seconds), 2 * chunk, lab.at_once))
                await _pause(lab)
    finally:
        lab.running = False
        lab.redraw()


def main_loop() -> asyncio.AbstractEventLoop | None:
    """Where a run does its work: the loop of the kernel's main thread, which alone hears Ctrl-C.

    Buttons may be handled in another thread (a kernel's subshell), and so are heard in any case.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    if getattr(kernel, "io_loop", None):
        return kernel.io_loop.asyncio_loop
    with contextlib.suppress(RuntimeError):
        return asyncio.get_running_loop()
    return None


async def _pause(lab) -> None:
    ends = time.perf_counter() + lab.pause
    while not lab.stopping and (left := ends - time.perf_counter()) > 0:
        await asyncio.sleep(min(left, NAP_SECONDS))


@contextlib.contextmanager
def _interrupts(call: Callable[[], None]) -> Iterator[Callable[[], object]]:
    """Ctrl-C and "interrupt the kernel" call a function for as long as a run lasts.

    What this yields is called before each chunk of work, since a cell that runs in a pause between two
    chunks leaves the handler as it found it, or as it was before the run.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler and hasattr(get_ipython(), "kernel"):
        before = signal.SIG_IGN  # a kernel's own, which our run replaces while a cell is at work
    handler = lambda *_: call()
    try:
        yield functools.partial(signal.signal, signal.SIGINT, handler)
    finally:
        if signal.getsignal(signal.SIGINT) is handler:
            signal.signal(signal.SIGINT, before)
