"""Predictions that count: a question to answer before the lesson goes on.

The questions of a lesson are in a file in this folder, named after the lesson's topic.
"""

from __future__ import annotations

import tomllib
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from coinlib.arguments import one_of

from ..base.buttons import Button, ButtonRow
from ..base.lab import Lab, acts
from ..base.pages import page
from .answers import ANSWERS, Answers

QUESTIONS = Path(__file__).parent  # the folder with their files


@cache
def questions(topic: str) -> dict[str, dict[str, Any]]:
    """The questions of a lesson by name.

    Each has a `question`, `answers` with their reasons, and in `right` the number of the right answer, from 1. In a
    section with a ★ it is also `starred`.
    """
    one_of(topic, "topic", sorted(file.stem for file in QUESTIONS.glob("*.toml")))
    return tomllib.loads((QUESTIONS / f"{topic}.toml").read_text(encoding="utf-8"))


class Question:
    """A question with its answers, and which answer was chosen first.

    Attributes
    ----------
    question : str
    answers : list of (str, str)
        Each answer with its reason.
    right : int
        The number of the right answer, from 0.
    starred : bool
        Whether it is in a section with a ★.
    chosen : int or None
        The number of the answer that was chosen first, from 0.
    """

    def __init__(self, topic: str, name: str, answers: Answers, chosen: int | None = None) -> None:
        asked = questions(topic)[one_of(name, "name", list(questions(topic)))]
        self.topic = topic
        self.name = name
        self.first_choices = answers
        self.question = asked["question"]
        self.answers = asked["answers"]
        self.right = asked["right"] - 1
        self.starred = asked.get("starred", False)
        first_choice = answers.chosen(topic, name)
        # A saved picture may be outdated; the first choice counts.
        self.chosen = chosen if first_choice is None else first_choice

    def choose(self, place: int) -> None:
        """Choose an answer; only the first choice counts."""
        self.chosen = self.first_choices.choose(self.topic, self.name, place)


class Prediction(Lab):
    """A question to answer before the lesson goes on; the first choice counts.

    Parameters
    ----------
    topic : str
        The topic of the lesson.
    name : str
        The name of the question.
    chosen : int, optional
        The number of an answer that has already been chosen, counting from 0.
    answers : Answers, optional
        Where first choices are stored; by default the answers of this kernel.

    Examples
    --------
    >>> answers = Answers()
    >>> prediction = Prediction("hats", "last ball", answers=answers)
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
    """

    title = "Predict"
    goal = "Choose before you go on: what you choose first counts."
    template = "prediction.html"
    BELOW = ("answers",)
    PAST: ClassVar = {"topic": "", "name": "", "chosen": None}

    def __init__(self, topic: str, name: str, chosen: int | None = None, answers: Answers = ANSWERS) -> None:
        self.answers = answers
        self.topic = topic
        super().__init__(topic=topic, name=name, chosen=chosen)
        answers.predictions.add(self)

    def compute(self, topic: str, name: str, chosen: int | None) -> Question:
        """The question, with the first choice."""
        return Question(topic, name, self.answers, chosen)

    def rows(self) -> dict[str, ButtonRow]:
        """A button for each answer, until one is chosen."""
        if self.data.chosen is not None:
            return {}
        buttons = []
        for place, (words, _) in enumerate(self.data.answers):
            buttons.append(Button(words, f"Answer {place + 1}", partial(self.choose, place)))
        return {"answers": ButtonRow(buttons)}

    @acts
    def choose(self, place: int) -> None:
        """Choose an answer; only the first choice counts."""
        self.data.choose(place)

    def ask_again(self) -> None:
        """Ask as if nothing had been chosen."""
        self.update(chosen=None)

    def picture_in_still(self) -> str:
        """The question with folded answers, to read without a kernel; unfolded if one was chosen."""
        if self.data.chosen is not None:
            return self.page
        return page(self.template, data=self.data, folded=True)

    def right_answers(self) -> dict[str, bool]:
        """Whether each answer is right."""
        return {words: place == self.data.right for place, (words, _) in enumerate(self.data.answers)}
