"""What stands for `coincourse.checks` where a student's code runs and the exercises are elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from coincourse import checks


def answer_itself(exercise: str, answer: object) -> object:
    """What plays on where the course's own answer is elsewhere."""
    return answer


class Taker:
    """Stands for one check: it takes answers.

    Parameters
    ----------
    name : str
        The exercise.
    take, or_ours : function (exercise, answer)
        What becomes of an answer, and what plays on after it.
    """

    def __init__(self, name: str, take: Callable, or_ours: Callable) -> None:
        self.name = name
        self._take = take
        self._or_ours = or_ours

    def __call__(self, answer: object) -> None:
        self._take(self.name, answer)

    def or_ours(self, answer: object) -> object:
        """The answer, if it may play on."""
        return self._or_ours(self.name, answer)


class Checks(ModuleType):
    """Stands for `coincourse.checks`: it takes answers, and has what a lesson gives beside its exercises.

    Parameters
    ----------
    take : function (exercise, answer)
    names : list of str
    given : dict
        Such as the opponent `stranger`.
    or_ours : function (exercise, answer) -> answer, optional
        What plays on after an answer (default: the answer itself).
    """

    def __init__(self, take: Callable, names: list[str], given: dict, or_ours: Callable = answer_itself) -> None:
        super().__init__("coincourse.checks")
        self.__path__ = checks.__path__
        self.__file__ = checks.__file__
        self.__all__ = [*names, *given]
        for name, value in vars(checks).items():
            if name.isupper():  # what is said of the exercises, such as `FILE_OF`: labs need it
                setattr(self, name, value)
        for name in names:
            setattr(self, name, Taker(name, take, or_ours))
        for name, value in given.items():
            setattr(self, name, value)
