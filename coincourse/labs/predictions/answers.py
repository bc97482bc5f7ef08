"""What was chosen first: a cell may be run again, and the first choice still counts."""

from __future__ import annotations

import weakref


class Answers:
    """The answer that was chosen first to each question.

    A copy remembers the same answers, and nobody follows it: so whatever is tried on a copy has no effect.

    Parameters
    ----------
    first : dict of (topic, name) to int, optional
        The place of each answer that has been chosen already.

    Examples
    --------
    >>> answers = Answers()
    >>> answers.choose("hats", "last ball", 2)
    2
    >>> answers.choose("hats", "last ball", 1)    # too late
    2
    """

    def __init__(self, first: dict[tuple[str, str], int] | None = None) -> None:
        self.first = dict(first or {})
        self.followers = weakref.WeakSet()  # labs whose `change` is called after each choice

    def __deepcopy__(self, memo) -> Answers:
        return Answers(self.first)

    def chosen(self, topic: str, name: str) -> int | None:
        """The place of the answer that was chosen first, from 0; None before that."""
        return self.first.get((topic, name))

    def choose(self, topic: str, name: str, place: int) -> int:
        """Choose an answer; returns the place of the one that counts, which is the first."""
        counts = self.first.setdefault((topic, name), place)
        for lab in self.followers:
            lab.change()
        return counts

    def forget(self) -> None:
        """Forget all answers, as when the kernel is restarted."""
        self.first.clear()


ANSWERS = Answers()  # of this kernel
