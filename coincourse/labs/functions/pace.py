"""How often a moved slider calls a function: not too often, and for its last position only."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..base.running import main_loop

GAP_SECONDS = 0.04  # between the end of one call and the next one: the kernel hears the slider meanwhile


class Pace:
    """Calls a function soon after it is asked to. However often it is asked meanwhile, that is one call.

    In a kernel the call is made in the loop of the main thread, so no cell is interrupted. Without a loop there
    is nobody who could ask meanwhile, and the call is made at once.

    Parameters
    ----------
    act : function
        What is called; it raises no error.
    loop : function
        Returns the event loop to use, or None.
    """

    def __init__(self, act: Callable[[], None], loop: Callable = main_loop) -> None:
        self.act = act
        self.loop = loop
        self._waiting = False
        self._free_at = 0.0  # on the clock of the loop
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
        self._waiting = False  # What is asked for from now on needs another call.
        self.act()
        self._free_at = loop.time() + GAP_SECONDS
