"""Reads lines from a pipe, each within a time limit: by polling or, where that is impossible, in a thread."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import threading
import time
from typing import IO

PIECE = 2**16  # bytes to read at once


class PolledLines:
    """Reads lines by polling the pipe; on Unix.

    Parameters
    ----------
    pipe : file
        Closed when it ends, or by `close`.
    longest : int
        The most bytes a line may have; a longer one is cut.
    """

    def __init__(self, pipe: IO[bytes], longest: int) -> None:
        self._pipe = pipe
        self._longest = longest
        self._came = b""
        self._reading = threading.Lock()
        self._poll = select.poll()
        self._poll.register(pipe.fileno(), select.POLLIN)

    def next(self, seconds: float) -> bytes:
        """Return the next line, or b"" at the end; raises TimeoutError if none comes in time."""
        deadline = time.monotonic() + seconds
        with self._reading:
            while (end := self._came.find(b"\n")) < 0 and len(self._came) <= self._longest:
                left = deadline - time.monotonic()
                if self._pipe.closed:
                    return b""
                if left <= 0 or not self._poll.poll(1_000 * left):
                    raise TimeoutError
                piece = os.read(self._pipe.fileno(), PIECE)
                if not piece:
                    self._pipe.close()
                    return b""
                self._came += piece
        line = self._came[: end + 1 or self._longest]
        self._came = self._came[len(line) :]
        return line

    def close(self) -> None:
        """Close the pipe, unless another thread is reading: that thread will reach its end."""
        if self._reading.acquire(blocking=False):
            self._pipe.close()
            self._reading.release()


class ThreadedLines:
    """Reads lines in a thread; on Windows, where a pipe cannot be polled. See `PolledLines`."""

    def __init__(self, pipe: IO[bytes], longest: int) -> None:
        self._pipe = pipe
        self._longest = longest
        # At most one line waits in the queue, so endless output cannot fill the memory.
        self._lines: queue.Queue[bytes] = queue.Queue(1)
        self._closed = False
        threading.Thread(target=self._read, daemon=True).start()

    def next(self, seconds: float) -> bytes:
        """Return the next line, or b"" at the end; raises TimeoutError if none comes in time."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None

    def close(self) -> None:
        """Let the thread finish: it may be waiting for room in the queue."""
        self._closed = True
        with contextlib.suppress(queue.Empty):
            self._lines.get_nowait()

    def _read(self) -> None:
        with self._pipe:
            while (line := self._pipe.readline(self._longest + 1)) and not self._closed:
                self._lines.put(line)
        self._lines.put(b"")


Lines = PolledLines if hasattr(select, "poll") else ThreadedLines
