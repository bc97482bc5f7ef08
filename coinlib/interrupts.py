"""Ctrl-C, or a notebook's stop button: heard at once while somebody waits, and never in the middle of a change."""

from __future__ import annotations

import math
import signal
import time
from contextlib import suppress
from typing import Self

TWICE_SECONDS = 3.0  # the second Ctrl-C within this time ends more than one training


class CtrlC:
    """Ctrl-C is heard while games are played, and waits while learners or generators are put in order.

    It is heard once: nothing interrupts what it sets off. Inside the context it waits, until `listen`.
    """

    kept = -math.inf  # when a training last kept a Ctrl-C for itself

    def __init__(self) -> None:
        self.listening, self.waiting, self.answer, self.heard = False, (), None, False

    def __enter__(self) -> Self:
        answer = signal.getsignal(signal.SIGINT)
        if callable(answer):
            self.answer = answer
            with suppress(ValueError):  # only the main thread hears Ctrl-C
                signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_) -> None:
        if signal.getsignal(signal.SIGINT) == self._hear:
            signal.signal(signal.SIGINT, self.answer)
        if self.waiting:
            self.answer(*self.waiting)

    def listen(self) -> None:
        """From now on Ctrl-C ends what is going on; so does one that has waited."""
        self.listening = True
        if self.waiting:
            heard, self.waiting = self.waiting, ()
            self._hear(*heard)

    def hold(self) -> None:
        """From now on Ctrl-C waits."""
        self.listening = False

    def pressed_again(self) -> bool:
        """Whether a training was ended by Ctrl-C a moment ago, and now this one: somebody wants to end a loop."""
        before = CtrlC.kept
        if self.heard:
            CtrlC.kept = time.monotonic()
        return CtrlC.kept - before < TWICE_SECONDS and self.heard

    def _hear(self, *heard) -> None:
        if not self.listening:
            self.waiting = heard
            return
        self.heard, self.listening = True, False
        self.answer(*heard)  # raises KeyboardInterrupt, as a rule
        self.listening = True
