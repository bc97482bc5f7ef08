"""The lessons in order, with the names that the score and the map of the course show."""

from __future__ import annotations

from typing import NamedTuple

from coincourse import checks

SHORT_WAY = (0, 1, 2, 4, 5, 6, 10, 14)  # the lessons on the short way; all others are side roads


class Lesson(NamedTuple):
    """A lesson of the course.

    Attributes
    ----------
    topic : str
        The topic of its predictions.
    file : str
        The name of its notebook without the number; also that of its checks.
    title : str
    number : int
    """

    topic: str
    file: str
    title: str
    number: int

    @property
    def notebook(self) -> str:
        """The file name of its notebook."""
        return f"{self.number:02}_{self.file}.ipynb"

    @property
    def on_short_way(self) -> bool:
        """Whether it is on the short way; otherwise it is a side road."""
        return self.number in SHORT_WAY

    @property
    def exercises(self) -> list[str]:
        """The names of its exercises."""
        return [name for name in checks.NAMES[self.file] if name not in checks.GIVEN]


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
# The files of checks are in the order of the lessons, followed by those of the projects.
LESSONS = {}
for _number, (_topic, _file) in enumerate(zip(TOPICS, checks.NAMES)):
    LESSONS[_topic] = Lesson(_topic, _file, TOPICS[_topic], _number)


def after(lesson: Lesson) -> Lesson | None:
    """The next lesson on the short way; None after its last one.

    Examples
    --------
    >>> after(LESSONS["random_agents"]).title, side_road(LESSONS["random_agents"]).title
    ('Hats', 'Rules')
    """
    later = (other for other in LESSONS.values() if other.number > lesson.number and other.on_short_way)
    return next(later, None)


def side_road(lesson: Lesson) -> Lesson | None:
    """The side road that begins or continues after a lesson; None if there is none."""
    side_roads = (other for other in LESSONS.values() if not other.on_short_way)
    return next((other for other in side_roads if other.number == lesson.number + 1), None)
