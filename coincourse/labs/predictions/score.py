"""What has been done: the score at the end of a lesson, and the map of the course."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple

from IPython.display import DisplayHandle, display

from coincourse.checks import STARRED

from ..base.buttons import Button, ButtonRow
from ..base.lab import Lab
from ..base.pages import page, styles
from .answers import ANSWERS, Answers
from .lessons import LESSONS, after, side_road
from .prediction import Question, questions

FORGET = (
    "This forgets every ✓ and every prediction of this lesson; what you wrote in it stays. "
    "To do it, press “Begin again” once more."
)


class Exercise(NamedTuple):
    """An exercise of a lesson."""

    name: str
    done: bool


class Predicted(NamedTuple):
    """Predictions of a lesson: how many there are, how many were made, and how many were right."""

    asked: int
    answered: int
    right: int


class Tally:
    """What there is to do in a lesson, and how much of it is done.

    Attributes
    ----------
    lesson : Lesson
    next : Lesson or None
        The next lesson on the short way.
    side_road : Lesson or None
        The side road that begins after it.
    exercises, starred : list of Exercise
        The exercises on the main path, and those in sections with a ★.
    predictions, starred_predictions : Predicted
        The same for predictions.
    """

    asked_to_confirm = False  # whether "Begin again" was pressed once; a new tally forgets that
    forgets = FORGET
    momentary = ("predictions", "starred_predictions")  # the web book counts these without a kernel

    def __init__(self, topic: str, answers: Answers) -> None:
        self.topic = topic
        self.lesson = LESSONS[topic]
        self.next = after(self.lesson)
        self.side_road = side_road(self.lesson)
        done = answers.progress.done_in(self.lesson.file).exercises
        exercises = [Exercise(name, name in done) for name in self.lesson.exercises]
        self.exercises = [exercise for exercise in exercises if exercise.name not in STARRED]
        self.starred = [exercise for exercise in exercises if exercise.name in STARRED]
        asked = [Question(topic, name, answers) for name in questions(topic)]
        self.predictions = predicted(question for question in asked if not question.starred)
        self.starred_predictions = predicted(question for question in asked if question.starred)

    @property
    def done(self) -> int:
        """How many exercises on the main path are done."""
        return sum(exercise.done for exercise in self.exercises)

    @property
    def starred_done(self) -> int:
        """How many exercises with a ★ are done."""
        return sum(exercise.done for exercise in self.starred)

    @property
    def encouragement(self) -> str:
        """One sentence for the end of the lesson."""
        if self.done == len(self.exercises):
            return "You have done every exercise on the way through this lesson. Well done!"
        if self.predictions.right < self.predictions.answered:
            return "A wrong prediction is the one that you will remember."
        if self.done:
            return "A good start. The open exercises are waiting for you."
        # The web book ticks exercises itself and keeps this sentence, so it must be true there even if all are done.
        return "An exercise gets its ✓ once its check says that it is right."


def predicted(questions: Iterable[Question]) -> Predicted:
    """How many of these questions were answered, and how many of the first choices were right."""
    questions = list(questions)
    answered = [question for question in questions if question.chosen is not None]
    right = [question for question in answered if question.chosen == question.right]
    return Predicted(len(questions), len(answered), len(right))


class Score(Lab):
    """What has been done in a lesson: its exercises, its predictions, and what comes next.

    Parameters
    ----------
    topic : str
        The topic of the lesson.
    answers : Answers, optional
        Where first choices are stored; by default the answers of this kernel.

    Examples
    --------
    >>> score = Score("hats", Answers())
    >>> score.data.done, score.data.predictions
    (0, Predicted(asked=3, answered=0, right=0))
    """

    title = "What you have done"
    goal = "Of the predictions, what you chose first counts."
    template = "score.html"
    style = styles("score.css")
    PAST: ClassVar = {"topic": ""}
    BELOW = ("again",)

    def __init__(self, topic: str, answers: Answers = ANSWERS) -> None:
        self.answers = answers
        super().__init__(topic=topic)
        answers.followers.add(self)
        answers.progress.followers.add(self)

    def compute(self, topic: str) -> Tally:
        """What has been done so far."""
        return Tally(topic, self.answers)

    def rows(self) -> dict[str, ButtonRow]:
        """One button, which forgets all this."""
        words = "Forget what is done in this lesson; what you wrote in it stays"
        return {"again": ButtonRow([Button("Begin again", words, self.begin_again)])}

    def count_again(self) -> None:
        """Recount what has been done."""
        self.update(topic=self.data.topic)

    def begin_again(self) -> None:
        """Ask first; when pressed again, forget what has been done in this lesson."""
        if self.data.asked_to_confirm:
            self.answers.forget(self.data.topic)
        else:
            self.data.asked_to_confirm = True
            self.update()

    def events(self, first) -> Iterator[str]:
        """None: the page does the forgetting itself."""
        return iter(())

    def anywhere(self) -> Iterator[str]:
        """Every possible number of right answers, for every possible number of answers; those with a ★ after the comma."""
        for main, starred in itertools.product(shares(self.data.predictions), shares(self.data.starred_predictions)):
            yield f"to {main}, {starred}"

    def clicked(self, to: str) -> None:
        """Show how many predictions were right, out of how many, as counted by a page without a kernel."""
        main, starred = to.split(", ")
        self.data.predictions = counted_as(main, self.data.predictions)
        self.data.starred_predictions = counted_as(starred, self.data.starred_predictions)
        self.update()


def shares(predictions: Predicted) -> list[str]:
    """Every possible "1 of 2": how many were right of those that were made."""
    return [f"{right} of {answered}" for answered in range(predictions.asked + 1) for right in range(answered + 1)]


def counted_as(share: str, predictions: Predicted) -> Predicted:
    """Predictions with the numbers of such a share."""
    right, answered = share.split(" of ")
    return predictions._replace(right=int(right), answered=int(answered))


class CourseMap:
    """All lessons, and what has been done in each: a table in a notebook, lines in a terminal.

    Like a score, the table follows what is done in this kernel.

    Parameters
    ----------
    answers : Answers, optional
        Where first choices are stored; by default the answers of this kernel.

    Examples
    --------
    >>> print(str(CourseMap(Answers())).splitlines()[4])
    04 ● Hats: 0 of 2 exercises, 0 of 2 with a ★, 0 of 3 predictions made
    """

    style = styles("score.css", "map.css")

    def __init__(self, answers: Answers = ANSWERS) -> None:
        self.answers = answers
        self._shown: DisplayHandle | None = None
        answers.followers.add(self)
        answers.progress.followers.add(self)

    @property
    def lessons(self) -> list[Tally]:
        """What has been done so far, for each lesson."""
        return [Tally(topic, self.answers) for topic in LESSONS]

    def count_again(self) -> None:
        """Draw the table again where it is shown."""
        if self._shown is not None:
            self._shown.update(self._repr_mimebundle_(), raw=True)

    def __str__(self) -> str:
        lines = []
        for tally in self.lessons:
            parts = [f"{tally.done} of {len(tally.exercises)} exercises"]
            if tally.starred:
                parts.append(f"{tally.starred_done} of {len(tally.starred)} with a ★")
            parts.append(f"{tally.predictions.answered} of {tally.predictions.asked} predictions made")
            if tally.starred_predictions.asked:
                starred = tally.starred_predictions
                parts.append(f"{starred.answered} of {starred.asked} with a ★")
            mark = "●" if tally.lesson.on_short_way else " "
            lines.append(f"{tally.lesson.number:02} {mark} {tally.lesson.title}: {', '.join(parts)}")
        return "\n".join(lines)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": page("map.html", style=self.style, lessons=self.lessons)}

    def _ipython_display_(self) -> None:
        self._shown = display(self._repr_mimebundle_(), raw=True, display_id=True)
