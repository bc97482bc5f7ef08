"""The lessons in their order, as the score of a lesson and the map of the course name them."""

from __future__ import annotations

from typing import NamedTuple

from coincourse import checks

OPPONENTS = ("stranger", "guests")  # listed among the exercises of their lessons, but not exercises
SHORT_WAY = (0, 1, 2, 4, 5, 6, 10, 14)  # the lessons that the course leads along; all others are side roads


class Lesson(NamedTuple):
    """A lesson of the course.

    Attributes
    ----------
    topic : str
        What its predictions are called after.
    file : str
        The name of its notebook without the number; its exercises are listed under it.
    title : str
    number : int
    """

    topic: str
    file: str
    title: str
    number: int

    @property
    def notebook(self) -> str:
        """The name of its file."""
        return f"{self.number:02}_{self.file}.ipynb"

    @property
    def on_short_way(self) -> bool:
        """Whether the course leads through it; otherwise it is a side road."""
        return self.number in SHORT_WAY

    @property
    def exercises(self) -> list[str]:
        """The names of its exercises."""
        return [name for name in checks.NAMES[self.file] if name not in OPPONENTS]


TOPICS = {
    "start": "Start here",
    "coin_game": "The coin game",
    "random_agents": "Random agents",
    "rules": "Rules",
    "hats": "Hats",
    "training_hats": "Training hats",
    "q_learning": "Q-learning",
    "exploration": "Exploration and opponents",
    "trees": "Game trees",
    "three_piles": "Three piles",
    "greedy": "Greedy coins",
    "large": "Greedy coins, large",
    "search": "Search",
    "tournament": "Your agent in a tournament",
    "proof": "Why multiples of four lose in normal play",
    "several_rows": "Several rows",
}
# The files of checks stand in the order of the lessons; those of the projects come after them.
LESSONS = {}
for _number, (_topic, _file) in enumerate(zip(TOPICS, checks.NAMES)):
    LESSONS[_topic] = Lesson(_topic, _file, TOPICS[_topic], _number)


def after(lesson: Lesson) -> Lesson | None:
    """The next lesson of the short way; None after its last one.

    Examples
    --------
    >>> after(LESSONS["random_agents"]).title, side_road(LESSONS["random_agents"]).title
    ('Hats', 'Rules')
    """
    later = (other for other in LESSONS.values() if other.number > lesson.number and other.on_short_way)
    return next(later, None)


def side_road(lesson: Lesson) -> Lesson | None:
    """The side road that begins, or goes on, after a lesson; None if there is none."""
    side_roads = (other for other in LESSONS.values() if not other.on_short_way)
    return next((other for other in side_roads if other.number == lesson.number + 1), None)
