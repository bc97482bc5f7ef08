"""Predictions that count: a question, an answer chosen before the lesson goes on, and the score of a lesson.

The questions of a lesson lie in a file of the folder `predictions`, which is called as the lesson's topic.
"""

from __future__ import annotations

import tomllib
import weakref
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, ClassVar

from coinlib.arguments import one_of

from .lab import HERE, Button, Lab, Row, acts
from .pages import page

FIRST: dict[tuple[str, str], int] = {}  # what was chosen first, by topic and name; cells may be run again


@cache
def questions(topic: str) -> dict[str, dict[str, Any]]:
    """The questions of a lesson by name: `question`, `right` (a place, from 1) and `answers`, each with its reason."""
    one_of(topic, "topic", sorted(file.stem for file in (HERE / "predictions").glob("*.toml")))
    return tomllib.loads((HERE / "predictions" / f"{topic}.toml").read_text(encoding="utf-8"))


class Asked:
    """A question, and the place of the answer that was chosen first, from 0; None before that."""

    def __init__(self, topic: str, name: str, chosen: int | None = None) -> None:
        asked = questions(topic)[one_of(name, "name", list(questions(topic)))]
        self.topic, self.name, self.chosen = topic, name, FIRST.get((topic, name), chosen)
        self.question, self.answers, self.right = asked["question"], asked["answers"], asked["right"] - 1


class Tally:
    """All questions of a lesson: those that were answered, and those that were answered rightly."""

    def __init__(self, topic: str) -> None:
        self.topic, self.asked = topic, [Asked(topic, name) for name in questions(topic)]
        self.chosen = [question for question in self.asked if question.chosen is not None]
        self.right = [question for question in self.chosen if question.chosen == question.right]


class Prediction(Lab):
    """A question to answer before the lesson goes on: the first answer that is chosen counts.

    Parameters
    ----------
    topic : str
        The topic of the lesson.
    name : str
        The name of the question.
    chosen : int, optional
        The place of an answer, from 0, that has been chosen already.

    Examples
    --------
    >>> prediction = Prediction("hats", "last ball")
    >>> for words, reason in prediction.data.answers:
    ...     print(words)
    It holds 2 and 3
    It holds 1, 2 and 3
    It is empty
    >>> prediction.press("It is empty")
    >>> prediction.press("It holds 1, 2 and 3")
    Traceback (most recent call last):
        ...
    ValueError: press: there is no button 'It holds 1, 2 and 3' that can be pressed now
    >>> len(Score("hats").data.chosen)
    1
    """

    title = "Predict"
    goal = "Choose before you go on: what you choose first counts."
    template = "prediction.html"
    BELOW = ("answers",)
    PAST: ClassVar = {"topic": "", "name": "", "chosen": None}

    def __init__(self, topic: str, name: str, chosen: int | None = None) -> None:
        super().__init__(topic=topic, name=name, chosen=chosen)

    compute = Asked

    def rows(self) -> dict[str, Row]:
        """A button for each answer, until one is chosen."""
        if self.data.chosen is not None:
            return {}
        answers = enumerate(self.data.answers)
        buttons = [Button(words, f"Answer {place + 1}", partial(self.choose, place)) for place, (words, _) in answers]
        return {"answers": Row(buttons)}

    @acts
    def choose(self, place: int) -> None:
        """Choose an answer; only the first choice counts."""
        self.data.chosen = FIRST.setdefault((self.data.topic, self.data.name), place)
        for score in Score.on_screen:
            score.change()

    def drawn_still(self) -> str:
        """The question with its answers folded, to be read where no kernel runs."""
        return page(self.template, data=self.data, folded=True)

    def living(self) -> dict[str, Any]:
        """As in every lab; the score on the same page is told whether an answer is right."""
        right = {words: place == self.data.right for place, (words, _) in enumerate(self.data.answers)}
        return super().living() | {"tells": right}


class Score(Lab):
    """How many predictions of a lesson were right at the first choice.

    Parameters
    ----------
    topic : str
        The topic of the lesson.
    """

    title = "Your predictions"
    goal = "What you chose first counts."
    template = "score.html"
    PAST: ClassVar = {"topic": ""}
    on_screen: ClassVar = weakref.WeakSet()  # they follow what is chosen elsewhere in the lesson

    def __init__(self, topic: str) -> None:
        super().__init__(topic=topic)
        Score.on_screen.add(self)

    compute = Tally

    def anywhere(self) -> Iterator[str]:
        """How many were chosen, and how many of them rightly."""
        return (f"to {right} of {chosen}" for chosen in range(len(self.data.asked) + 1) for right in range(chosen + 1))

    def clicked(self, to: str) -> None:
        """A page without a kernel says how many of how many were right."""
        right, chosen = map(int, to.split(" of "))
        self.data.right, self.data.chosen = self.data.asked[:right], self.data.asked[:chosen]
        self.redraw()
