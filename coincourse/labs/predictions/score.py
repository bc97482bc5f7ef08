"""What has been done: the score at the end of a lesson, and the map of the course."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

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
    asked, answered, right : int
        How many predictions there are, how many were made, and how many were right.
    """

    asked_to_confirm = False  # whether "Begin again" was pressed once; a new tally forgets that
    forgets = FORGET
    momentary = ("right", "answered")  # the web book counts these without a kernel

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
        self.asked = len(asked)
        self.answered = sum(question.chosen is not None for question in asked)
        self.right = sum(question.chosen == question.right for question in asked)

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
        if self.right < self.answered:
            return "A wrong prediction is the one that you will remember."
        if self.done:
            return "A good start. The open exercises are waiting for you."
        # The web book ticks exercises itself and keeps this sentence, so it must be true there even if all are done.
        return "An exercise gets its ✓ once its check says that it is right."


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
    >>> score.data.done, score.data.answered
    (0, 0)
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
        """Every possible number of right answers, for every possible number of answers."""
        for answered in range(self.data.asked + 1):
            for right in range(answered + 1):
                yield f"to {right} of {answered}"

    def clicked(self, to: str) -> None:
        """Show how many predictions were right, out of how many, as counted by a page without a kernel."""
        right, answered = to.split(" of ")
        self.data.right = int(right)
        self.data.answered = int(answered)
        self.update()


class CourseMap:
    """All lessons, and what has been done in each: a table in a notebook, lines in a terminal.

    Parameters
    ----------
    answers : Answers, optional
        Where first choices are stored; by default the answers of this kernel.

    Examples
    --------
    >>> print(str(CourseMap(Answers())).splitlines()[4])
    04 ● Hats: 0 of 2 exercises, 0 of 2 with a ★, 0 of 3 predictions
    """

    def __init__(self, answers: Answers = ANSWERS) -> None:
        self.lessons = [Tally(topic, answers) for topic in LESSONS]

    def __str__(self) -> str:
        lines = []
        for tally in self.lessons:
            parts = [f"{tally.done} of {len(tally.exercises)} exercises"]
            if tally.starred:
                parts.append(f"{tally.starred_done} of {len(tally.starred)} with a ★")
            parts.append(f"{tally.answered} of {tally.asked} predictions")
            mark = "●" if tally.lesson.on_short_way else " "
            lines.append(f"{tally.lesson.number:02} {mark} {tally.lesson.title}: {', '.join(parts)}")
        return "\n".join(lines)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": page("map.html", lab=Score, lessons=self.lessons)}
