"""How a check tries an answer while holding back its output, and how a lesson limits the time for that.

An `Exercise` is data: its cases, a reference answer, and common mistakes, each of them a wrong
implementation with a sentence. `judging` compares and chooses the words. A check that compares differently is a
function decorated with `by_hand`.

`Check.judge` has no time limit. A lesson calls it in a thread (`in_time`), gives up after some seconds, and
continues. But nothing can interrupt a single call into C, such as ``sum(range(10**10))``: a lesson then waits.
Marking runs the student's function in another process, which it can end.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from . import FILE_OF
from .function_source import slip_of
from .hints import with_slip
from .judging import (
    ENDLESS,
    IN_CELL,
    NO_FUNCTION,
    SECONDS,
    Case,
    Comparison,
    Mistake,
    NotWritten,
    Outcome,
    Task,
    Wrong,
    error_in_words,
    hear_nothing,
    is_dots,
    judge,
    not_written,
    shown,
    watched,
)
from .running_cell import other_name, source_of_cell
from .screens import Screen, nobody_types, printing_on
from .verdict import Verdict


class Check:
    """What a lesson calls with a student's answer: it shows the verdict, and never raises.

    Parameters
    ----------
    function : function (answer) -> Verdict
        Tries an answer: it returns `praised(...)`, or raises `Wrong`. The check takes its name and its docstring.
    takes_function : bool
        Whether the answer must be a function.
    ours : object, optional
        The course's right answer, for `or_ours`.

    Attributes
    ----------
    name : str
        Its name in the lessons.
    where : str
        Where to write an answer, and what to do then.
    """

    where = IN_CELL

    def __init__(self, function: Callable, takes_function: bool = True, ours: object = None) -> None:
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self.takes_function = takes_function
        self.ours = ours
        self._function = function

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __call__(self, answer=None) -> None:
        words = other_name(self.name, answer, source_of_cell(sys._getframe(1)))
        show(Verdict(self.name, False, (words,)) if words else in_time(self, answer))

    def or_ours(self, answer):
        """Return the student's answer if it is right, otherwise the course's; one line says which.

        An answer that is better than the one asked for is not used either: what the lesson says next is not true of it.

        Parameters
        ----------
        answer : object
            What the student has written so far; it is tried again.

        Returns
        -------
        object
            `answer`, or the course's version instead.

        Raises
        ------
        ValueError
            If the course has no version for this check.

        Examples
        --------
        >>> from coincourse import checks as check
        >>> check.sticks_left.or_ours(lambda before, taken: before - taken)(7, 2)
        Your sticks_left is right, so it is used from here on.
        5
        >>> check.sticks_left.or_ours(lambda before, taken: taken)(7, 2)
        Your sticks_left is not right yet, so the course's version is used.
        5
        >>> check.sticks_left.or_ours(...)(7, 2)
        Your sticks_left is not written yet, so the course's version is used.
        5
        >>> check.finish.or_ours(lambda left: (left - 1) % 4 or 1)(7)
        Your finish is better than asked for. The lesson's text is about the course's version, so that is used.
        1
        """
        if self.ours is None:
            raise ValueError(f"check.{self.name} has no course version; expected `ours`.")
        verdict = in_time(self, answer)
        if verdict.better:
            print(
                f"Your {self.name} is better than asked for. "
                "The lesson's text is about the course's version, so that is used."
            )
            return self.ours
        if verdict.right:
            print(f"Your {self.name} is right, so it is used from here on.")
            return answer
        state = "right" if verdict.written else "written"
        print(f"Your {self.name} is not {state} yet, so the course's version is used.")
        return self.ours

    def judge(
        self,
        answer,
        seconds: float = SECONDS,
        note: Callable[[Verdict], object] = hear_nothing,
        screen: Screen | None = None,
    ) -> Verdict:
        """Try an answer, however long that takes.

        Parameters
        ----------
        answer : object
            What the student hands in, most often a function.
        seconds : float
            When the caller gives up on the answer. There is no time limit here: verdicts only mention the number.
        note : function (verdict)
            Receives the verdict that holds if the caller gives up from now on.
        screen : Screen, optional
            Where the student's prints go, for a caller who gives up on an answer.

        Returns
        -------
        Verdict
        """
        if is_dots(answer):
            return not_written(self.name, self.where)
        if self.takes_function and not callable(answer):
            return Verdict(self.name, False, (NO_FUNCTION.format(shown(answer)),))
        slip = slip_of(answer)

        def note_with_slip(verdict: Verdict) -> None:
            note(with_slip(verdict, slip))

        note_with_slip(_no_answer(self.name, seconds))
        screen = screen or Screen()
        is_called = self.takes_function or isinstance(answer, tuple)  # otherwise it is a value, which is shown
        tried = watched(answer) if is_called else answer
        try:
            with nobody_types(), printing_on(screen):
                verdict = self.try_answer(tried, seconds, note_with_slip)
        except NotWritten as still_open:
            verdict = not_written(self.name, self.where, *still_open.args)
        except Wrong as wrong:
            verdict = Verdict(self.name, False, wrong.lines, **wrong.fields)
        except Exception as error:  # noqa: BLE001 - the lesson must continue
            line = f"The check itself went wrong, and that is not your mistake: {error_in_words(error)}"
            verdict = Verdict(self.name, False, (line,))
        return replace(with_slip(verdict, slip), printed=screen.kept)

    def prepare(self) -> None:
        """Import and compile what the check needs, before any time limit starts."""

    def try_answer(self, answer, seconds: float, note: Callable[[Verdict], object]) -> Verdict:
        """The verdict on a function that is watched; `seconds` and `note` as for `judge`."""
        return replace(self._function(answer), exercise=self.name)


def by_hand(takes_function: bool = True, ours: object = None) -> Callable[..., Check]:
    """A decorator that turns a function which tries an answer itself into a `Check`.

    Examples
    --------
    >>> from coincourse.checks.judging import Wrong, praised
    >>> @by_hand(takes_function=False)
    ... def odd(number):
    ...     if number % 2 == 0:
    ...         raise Wrong(f"{number} is even.")
    ...     return praised(f": {number} is odd.")
    >>> odd(3)
    ✓ Right: 3 is odd.
    >>> odd(4)
    ✗ 4 is even.
    """
    return lambda function: Check(function, takes_function, ours)


class Exercise(Check):
    """One exercise: a check that compares a student's function with a reference answer, case by case.

    Parameters
    ----------
    reference : function
        A right answer; its docstring says what is asked for.
    cases : sequence of tuple
        The arguments of each case, the smallest first.
    given : str or function (*arguments) -> str
        A case for a message, after "For"; in a string each {} is one argument.
    rights : function (*arguments) -> sequence, optional
        All right answers to a case, if there are several.
    **comparison
        How answers are compared and described: the fields of a `Comparison`, such as `praise`.

    Attributes
    ----------
    mistakes : list of Mistake
        Wrong implementations that students often write, each with its sentence; and
        answers that are better than the one asked for.

    Examples
    --------
    >>> @exercise(cases=[(1,), (2,), (30,)], given="a row of {}", praise="for three rows")
    ... def square(n):
    ...     return n**2
    >>> @square.mistake("That is twice the number.")
    ... def doubled(n):
    ...     return 2 * n
    >>> square.slip("The answer is not always that for 1.", n=1)
    >>> square(lambda n: n**2)
    ✓ Right, for three rows. (3 cases tried)
    >>> square(lambda n: n + n)
    ✗ For a row of 1 your function returned 2; expected 1. That is twice the number.
    """

    def __init__(
        self,
        reference: Callable,
        cases: Sequence[tuple],
        given: str | Callable[..., str],
        rights: Callable[..., Sequence] | None = None,
        **comparison,
    ) -> None:
        super().__init__(reference, ours=reference)
        self.reference = reference
        self.cases = cases
        self.given = given
        self.rights = rights
        self.mistakes: list[Mistake] = []
        self.comparison = Comparison(**comparison)

    def mistake(self, sentence: str) -> Callable[[Callable], Callable]:
        """Add a wrong implementation, with its sentence."""
        return functools.partial(self._add, sentence, False)

    def better(self, sentence: str) -> Callable[[Callable], Callable]:
        """Add an answer that is better than the one asked for, with the sentence that praises it."""
        return functools.partial(self._add, sentence, True)

    def _add(self, sentence: str, is_better: bool, function: Callable) -> Callable:
        self.mistakes.append(Mistake(sentence, Outcomes(self, function), is_better))
        return function

    def slip(self, sentence: str, **fixed) -> None:
        """Add the reference as a mistake, with fixed values for some of its parameters."""

        def slipped(*arguments):
            given = inspect.signature(self.reference).bind(*arguments).arguments
            return self.reference(**given | fixed)

        self.mistake(sentence)(slipped)

    def prepare(self) -> None:
        """Try the reference once."""
        self.comparison.attempt(self.reference, self.cases[0])

    def try_answer(self, answer: Callable, seconds: float, note: Callable[[Verdict], object]) -> Verdict:
        return judge(self.task(), answer, seconds, note)

    def task(self) -> Task:
        """What the judge must know; its cases and mistakes are worked out when the judge reaches them."""
        return Task(self.name, self.comparison, self._cases(), self.mistakes)

    def _cases(self) -> Iterator[Case]:
        for arguments in self.cases:
            if callable(self.given):
                given = self.given(*arguments)
            else:
                given = self.given.format(*map(shown, arguments))
            expected = self.comparison.attempt(self.reference, arguments).answer
            rights = self.rights(*arguments) if self.rights else None
            yield Case(arguments, given, expected, rights)


class Outcomes(Sequence):
    """What a function leads to in each case of an exercise; worked out on demand."""

    def __init__(self, exercise: Exercise, function: Callable) -> None:
        self.exercise = exercise
        self.function = function

    def __len__(self) -> int:
        return len(self.exercise.cases)

    def __getitem__(self, number: int) -> Outcome:
        return self.exercise.comparison.attempt(self.function, self.exercise.cases[number])


def exercise(**data) -> Callable[[Callable], Exercise]:
    """A decorator that turns a reference answer into an `Exercise`; `data` are its parameters."""
    return lambda reference: Exercise(reference, **data)


# --- showing a verdict --------------------------------------------------------------------------------


def show(verdict: Verdict) -> None:
    """Show a verdict in a notebook, print it elsewhere; record a right answer if progress is kept.

    Examples
    --------
    >>> show(Verdict("odd", True, (".",), headline="Right"))
    ✓ Right.
    """
    lesson = FILE_OF.get(verdict.exercise)
    if verdict.right and lesson:
        from coincourse.course import progress  # not on a page of the web book

        progress.KEPT.note_right(lesson, verdict.exercise)
    if _in_notebook():
        from IPython.display import display

        display(verdict)
    else:
        _print(verdict)


def _in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel, not in IPython in a terminal or in Python alone."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _print(verdict: Verdict) -> None:
    try:
        print(verdict)
    except UnicodeEncodeError:  # the terminal lacks ✓, ✗ and ○, or letters that a function returned
        words = str(verdict).replace("✓", "[right]").replace("✗", "[not yet]")
        words = words.replace("○ Not written yet.", "[not written yet]")
        print(words.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))


# --- the time limit ----------------------------------------------------------------------------------


def in_time(
    check: Check, answer, seconds: float | None = None, hear: Callable[[Verdict], object] = hear_nothing
) -> Verdict:
    """The verdict of a check, which runs in a thread; the last one that it noted if the time is up first.

    Parameters
    ----------
    check : Check
    answer : object
    seconds : float, optional
        Seconds until the check gives up (default: 5).
    hear : function (verdict), optional
        Called with each verdict that it notes.

    Returns
    -------
    Verdict
    """
    if seconds is None:
        seconds = SECONDS
    check.prepare()
    noted = [_no_answer(check.name, seconds)]
    screen = Screen()

    def note(verdict: Verdict) -> None:
        noted.append(verdict)
        hear(verdict)

    def work() -> None:
        with contextlib.suppress(_GivenUp):
            noted.append(check.judge(answer, seconds, note, screen))

    thread = threading.Thread(target=work, daemon=True)
    with nobody_types():  # here too, since the thread may never leave its own block
        try:
            thread.start()
        except RuntimeError:  # Python in a browser has no threads: it cannot be interrupted
            work()
        else:
            thread.join(seconds)
        late = thread.is_alive()
        verdict = noted[-1]
        _give_up(thread)
    return replace(verdict, printed=screen.kept, late=late)


def _no_answer(exercise: str, seconds: float) -> Verdict:
    """The verdict that holds until a check knows more."""
    lines = (f"Your function did not get through the check within {seconds:g} seconds.", ENDLESS)
    return Verdict(exercise, False, lines, late=True)


class _GivenUp(BaseException):
    """Ends the thread of an answer whose time is up; not an error that an answer could raise."""


def _give_up(thread: threading.Thread) -> None:
    """End the thread of an answer, if it is still running."""
    if not thread.is_alive():
        return
    import ctypes  # not on a page of the web book, which has no threads either

    if "numba" in sys.modules:  # an interrupted import leaves Numba broken
        from coinlib.compiling import numba_or_none

        numba_or_none()  # waits until it is imported
    for _ in range(20):  # repeatedly, since the code may catch everything
        if not thread.is_alive():
            break
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_GivenUp))
        thread.join(0.05)
