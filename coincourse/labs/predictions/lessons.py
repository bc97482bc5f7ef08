"""The lessons in their order, as the score of a lesson and the map of the course name them."""

from __future__ import annotations

from typing import NamedTuple

from coincourse import checks

OPPONENTS = ("stranger", "guests")  # these stand among the exercises of their lessons, and nobody solves them


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
    """The lesson that follows another; None after the last."""
    return next((other for other in LESSONS.values() if other.number == lesson.number + 1), None)
