"""Work in steps, in chunks so short that the kernel notices a button or Ctrl-C between them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import signal
import threading
import time
from collections.abc import Callable, Iterator

from IPython import get_ipython

CHUNK_SECONDS = 0.1  # A chunk has as many steps as fit into this, but at most 2.5 times as many as the last one.
NAP_SECONDS = 0.05  # A pause is cut into naps of this length, so that Stop is noticed between them.
LATE_SECONDS = 1.0  # A run that has not begun by then is waiting for a cell.
BUSY = "A cell is still running, or waits for what you type. When it is done, this begins."


async def work(lab, steps: int, begun: threading.Event) -> None:
    """Take this number of steps in a lab, in chunks, with a picture and a pause after each; set `begun` first."""
    chunk = 1
    begun.set()
    lab.waits = ""
    try:
        with _interrupts(lab.stop) as listen:
            while steps and not lab.stopping:
                began = time.perf_counter()
                listen()
                made = lab.advance(min(chunk, steps))
                if not made:
                    break
                steps -= made
                seconds = max(0.001, time.perf_counter() - began)  # A coarse clock may return 0.
                fitting = int(chunk * CHUNK_SECONDS / seconds)
                chunk = max(1, min(fitting, int(2.5 * chunk), lab.at_once))
                await _pause(lab)
    except Exception as error:  # noqa: BLE001 - an error in a task would be lost
        lab.fail(error)
    finally:
        lab.running = False
        lab.update()


def main_loop() -> asyncio.AbstractEventLoop | None:
    """The loop in which a run does its work: that of the main thread, the only one that receives Ctrl-C.

    JupyterLab may handle buttons in another thread (a subshell of the kernel), so they are noticed either way.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    if getattr(kernel, "io_loop", None):
        return kernel.io_loop.asyncio_loop
    with contextlib.suppress(RuntimeError):
        return asyncio.get_running_loop()
    return None


def is_late(begun: threading.Event) -> bool:
    """Whether a run has to wait because a cell occupies the main thread; only another thread can find out."""
    if threading.current_thread() is threading.main_thread():
        return False
    return not begun.wait(LATE_SECONDS)


async def _pause(lab) -> None:
    """Wait until the lab's pause ends, or Stop is pressed."""
    ends = time.perf_counter() + lab.pause
    while not lab.stopping and (left := ends - time.perf_counter()) > 0:
        await asyncio.sleep(min(left, NAP_SECONDS))


@contextlib.contextmanager
def _interrupts(call: Callable[[], None]) -> Iterator[Callable[[], object]]:
    """While a run lasts, let Ctrl-C and "interrupt the kernel" call a function.

    This yields a function to call before each chunk of work: a cell that runs in a pause between two
    chunks may have set another handler.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler and hasattr(get_ipython(), "kernel"):
        before = signal.SIG_IGN  # A kernel ignores the signal while no cell is running.

    def handler(*_) -> None:
        call()

    try:
        yield functools.partial(signal.signal, signal.SIGINT, handler)
    finally:
        if signal.getsignal(signal.SIGINT) is handler:
            signal.signal(signal.SIGINT, before)
