"""What was chosen first: a cell may be run again, and the first choice still counts."""

from __future__ import annotations

import weakref

from coincourse.course.progress import KEPT, Progress

from .lessons import LESSONS


class Answers:
    """The answer that was chosen first to each question.

    A copy remembers the same answers, and nobody follows it: so whatever is tried on a copy has no effect.

    Parameters
    ----------
    first : dict of (topic, name) to int, optional
        The place of each answer that has been chosen already.
    kept : Progress, optional
        What outlives the kernel; otherwise nothing does.

    Examples
    --------
    >>> answers = Answers()
    >>> answers.choose("hats", "last ball", 2)
    2
    >>> answers.choose("hats", "last ball", 1)    # too late
    2
    """

    def __init__(self, first: dict[tuple[str, str], int] | None = None, kept: Progress | None = None) -> None:
        self.first = dict(first or {})
        self.kept = kept or Progress(None)
        self.followers = weakref.WeakSet()  # labs whose `change` is called after each choice

    def __deepcopy__(self, memo) -> Answers:
        return Answers(self.first)

    def chosen(self, topic: str, name: str) -> int | None:
        """The place of the answer that was chosen first, from 0; None before that."""
        chosen = self.kept.of(LESSONS[topic].file).choices.get(name)
        return self.first.get((topic, name), chosen)

    def choose(self, topic: str, name: str, place: int) -> int:
        """Choose an answer; returns the place of the one that counts, which is the first."""
        before = self.chosen(topic, name)
        counts = self.first.setdefault((topic, name), place if before is None else before)
        self.kept.note_choice(LESSONS[topic].file, name, counts)
        for lab in self.followers:
            lab.change()
        return counts

    def forget(self, topic: str = "") -> None:
        """Forget the answers to a topic, and what is kept of its lesson; without a topic, all of this kernel."""
        if not topic:
            self.first.clear()
            return
        self.first = {key: place for key, place in self.first.items() if key[0] != topic}
        self.kept.forget(LESSONS[topic].file)
        for lab in self.followers:
            lab.change()


ANSWERS = Answers(kept=KEPT)  # of this kernel
