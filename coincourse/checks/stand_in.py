"""A stand-in for `coincourse.checks` in a process that runs a student's code but does not have the exercises."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from coincourse import checks


def answer_itself(exercise: str, answer: object) -> object:
    """Return the answer, since the course's version is elsewhere."""
    return answer


class Taker:
    """A stand-in for one check: it collects answers.

    Parameters
    ----------
    name : str
        The exercise.
    take, or_ours : function (exercise, answer)
        Called with each answer; and what the lesson uses after it.
    reference : function (exercise)
        Returns a right answer.
    """

    def __init__(self, name: str, take: Callable, or_ours: Callable, reference: Callable) -> None:
        self.name = name
        self._take = take
        self._or_ours = or_ours
        self._reference = reference

    def __call__(self, *answer: object) -> None:
        """Take an answer; without one, the function in the cell is judged after the cell has run."""
        for each in answer:
            self._take(self.name, each)

    def or_ours(self, answer: object) -> object:
        """The answer that the lesson uses from here on."""
        return self._or_ours(self.name, answer)

    @property
    def reference(self) -> object:
        """A right answer to the exercise."""
        return self._reference(self.name)


class Checks(ModuleType):
    """A stand-in for `coincourse.checks`: it collects answers, and has whatever else a lesson uses.

    Parameters
    ----------
    take : function (exercise, answer)
    names : list of str
    given : dict
        Such as the opponent `stranger`.
    or_ours : function (exercise, answer) -> answer, optional
        What the lesson uses after an answer (default: the answer itself).
    reference : function (exercise) -> answer, optional
        A right answer to an exercise (default: one in `known`).

    Attributes
    ----------
    known : dict
        Right answers by exercise; empty at first.
    """

    def __init__(
        self,
        take: Callable,
        names: list[str],
        given: dict,
        or_ours: Callable = answer_itself,
        reference: Callable | None = None,
    ) -> None:
        super().__init__("coincourse.checks")
        self.__path__ = checks.__path__
        self.__file__ = checks.__file__
        self.__all__ = [*names, *given]
        self.known: dict[str, object] = {}
        for name, value in vars(checks).items():
            if name.isupper():  # data about the exercises, such as `FILE_OF`: labs need it
                setattr(self, name, value)
        for name in names:
            setattr(self, name, Taker(name, take, or_ours, reference or self._known_answer))
        for name, value in given.items():
            setattr(self, name, value)

    def _known_answer(self, exercise: str) -> object:
        if exercise not in self.known:
            raise AttributeError(f"check.{exercise}.reference is not known here: use your own {exercise}.")
        return self.known[exercise]
