"""First choices: they count even if a cell is run again."""

from __future__ import annotations

import weakref

from coincourse.course.progress import KEPT, Progress

from .lessons import LESSONS


class Answers:
    """The first answer chosen for each question.

    A copy has the same answers but no followers, so trying things out on it has no side effects.

    Parameters
    ----------
    first : dict of (topic, name) to int, optional
        The number of each answer that has already been chosen.
    progress : Progress, optional
        Stores the choices beyond the life of the kernel; by default nothing does.

    Examples
    --------
    >>> answers = Answers()
    >>> answers.choose("hats", "last ball", 2)
    2
    >>> answers.choose("hats", "last ball", 1)    # too late
    2
    """

    def __init__(self, first: dict[tuple[str, str], int] | None = None, progress: Progress | None = None) -> None:
        self.first = dict(first or {})
        self.progress = progress or Progress(None)
        self.followers = weakref.WeakSet()  # scores that are recounted after each choice
        self.predictions = weakref.WeakSet()  # which ask again when their topic is forgotten

    def __deepcopy__(self, memo) -> Answers:
        return Answers(self.first)

    def chosen(self, topic: str, name: str) -> int | None:
        """The number of the answer that was chosen first, from 0; None if there is none."""
        chosen = self.progress.done_in(LESSONS[topic].file).choices.get(name)
        return self.first.get((topic, name), chosen)

    def choose(self, topic: str, name: str, place: int) -> int:
        """Choose an answer; return the number of the one that counts, which is the first."""
        before = self.chosen(topic, name)
        counts = self.first.setdefault((topic, name), place if before is None else before)
        self.progress.note_choice(LESSONS[topic].file, name, counts)
        for lab in self.followers:
            lab.count_again()
        return counts

    def forget(self, topic: str = "") -> None:
        """Forget the answers to a topic, and what is stored about its lesson; without a topic, all answers in this kernel."""
        if not topic:
            self.first.clear()
            return
        self.first = {key: place for key, place in self.first.items() if key[0] != topic}
        self.progress.forget(LESSONS[topic].file)
        for lab in list(self.predictions):
            if lab.topic == topic:
                lab.ask_again()
        for lab in list(self.followers):
            lab.count_again()


ANSWERS = Answers(progress=KEPT)  # of this kernel
