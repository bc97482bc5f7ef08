"""Limit how often a moving slider calls a function, and call it for the last position only."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..base.running import main_loop

GAP_SECONDS = 0.04  # between two calls, so that the kernel can hear the slider


class Pace:
    """Calls a function soon after it is asked to. Any number of requests before the call lead to one call.

    In a kernel the call is made in the main thread's loop, so no cell is interrupted. Without a loop the call
    is made at once.

    Parameters
    ----------
    act : function
        Must not raise an error.
    loop : function
        Returns the event loop to use, or None.
    """

    def __init__(self, act: Callable[[], None], loop: Callable = main_loop) -> None:
        self.act = act
        self.loop = loop
        self._waiting = False
        self._free_at = 0.0  # on the loop's clock
        self._lock = threading.Lock()  # JupyterLab may move a slider in another thread.

    def ask(self) -> None:
        """Ask for a call."""
        loop = self.loop()
        if loop is None:
            self.act()
            return
        with self._lock:
            if self._waiting:
                return
            self._waiting = True
        loop.call_soon_threadsafe(self._wait, loop)

    def _wait(self, loop) -> None:
        loop.call_later(max(0.0, self._free_at - loop.time()), self._call, loop)

    def _call(self, loop) -> None:
        self._waiting = False  # Requests from now on need another call.
        self.act()
        self._free_at = loop.time() + GAP_SECONDS
