"""Work that goes on step by step, in chunks so short that the kernel hears a button or Ctrl-C between them."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable

from IPython import get_ipython

CHUNK_SECONDS = 0.1  # a chunk of work that took longer is halved; none lasts twice as long
NAP_SECONDS = 0.05  # no pause is longer before it is asked again whether to stop


async def work(lab, steps: int) -> None:
    """What `Lab.run` does: chunks of at most so many steps in all, with a picture and a pause after each."""
    chunk, interrupts = 1, _Interrupts(lab.stop)
    try:
        while steps and not lab.stopping:
            began = time.perf_counter()
            interrupts.listen()
            made = lab.advance(min(chunk, steps))
            if not made:
                break
            steps -= made
            chunk = min(_next_chunk(chunk, time.perf_counter() - began), lab.at_once)
            await _pause(lab)
    finally:
        interrupts.close()
        lab.rest()


def main_loop() -> asyncio.AbstractEventLoop | None:
    """Where a run does its work: the loop of the kernel's main thread, which alone hears Ctrl-C.

    Buttons may be handled in another thread (a kernel's subshell), and so are heard in any case.
    """
    loop = getattr(getattr(get_ipython(), "kernel", None), "io_loop", None)
    if loop is not None:
        return loop.asyncio_loop
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def _pause(lab) -> None:
    ends = time.perf_counter() + lab.pause
    while not lab.stopping and (left := ends - time.perf_counter()) > 0:
        await asyncio.sleep(min(left, NAP_SECONDS))


def _next_chunk(chunk: int, seconds: float) -> int:
    """How many steps to make next, when `chunk` steps took so long."""
    if seconds < CHUNK_SECONDS / 2:
        return 2 * chunk
    return max(1, chunk // 2) if seconds > CHUNK_SECONDS else chunk


class _Interrupts:
    """Ctrl-C and "interrupt the kernel" call a function for as long as a run lasts.

    `listen` is called before each chunk of work, since a cell that runs in a pause between two
    chunks leaves the handler as it found it, or as it was before the run.
    """

    def __init__(self, call: Callable[[], None]) -> None:
        self.able = threading.current_thread() is threading.main_thread()
        self.handler = lambda *_: call()
        self.before = signal.getsignal(signal.SIGINT)
        if self.before is signal.default_int_handler and hasattr(get_ipython(), "kernel"):
            self.before = signal.SIG_IGN  # a kernel's own, which our run replaces while a cell is at work

    def listen(self) -> None:
        if self.able:
            signal.signal(signal.SIGINT, self.handler)

    def close(self) -> None:
        if self.able and signal.getsignal(signal.SIGINT) is self.handler:
            signal.signal(signal.SIGINT, self.before)
