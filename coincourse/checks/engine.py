"""How a check tries an answer, against the clock and with its prints held back, and hands on the verdict.

An `Exercise` is data: its cases, a reference answer, and the mistakes that are often made, each of them a wrong
implementation with a sentence. `judging` compares and chooses the words. A check that compares in another way is a
function under `by_hand`.

An answer is given up after some seconds, and a lesson goes on. But Python hears no clock, and no Ctrl-C, while one
call into C goes on, as in ``sum(range(10**10))``: such a call is not given up in the process in which the check runs.
A marking runs it in a process of its own, and ends that.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from coincourse.course import progress

from . import FILE_OF, screens
from .judging import (
    ENDLESS,
    SECONDS,
    Case,
    Mistake,
    OneOf,
    Outcome,
    Task,
    Verdict,
    Wrong,
    alike,
    changes,
    error_in_words,
    judge,
    line_of_cell,
    name_and_message,
    one_of,
    plain,
    shown,
)

__all__ = [
    "ENDLESS",
    "ROUNDED",
    "SECONDS",
    "Check",
    "Exercise",
    "Verdict",
    "Wrong",
    "alike",
    "by_hand",
    "changes",
    "error_in_words",
    "exercise",
    "listen",
    "name_and_message",
    "one_of",
    "plain",
    "report",
    "shown",
]

ROUNDED = 0.006  # how far a number is off that is rounded to two places
PER_CENT = "A share lies between 0 and 1; this is in per cent."
NO_FUNCTION = "Give the check a function, without brackets: expected a function, got {}."


class Check:
    """What a lesson calls with a student's answer: it prints how that did, and never raises.

    Attributes
    ----------
    name : str
        Its name in the lessons.
    takes_function : bool
        Whether the answer must be a function.
    """

    name = ""
    takes_function = True

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __call__(self, answer) -> None:
        report(self.judge(answer))

    def judge(self, answer, seconds: float | None = None) -> Verdict:
        """Try an answer, and say nothing yet.

        Parameters
        ----------
        answer : object
            What the student hands in, most often a function.
        seconds : float, optional
            When the answer is given up (default: 5, or what `listen` has asked for).

        Returns
        -------
        Verdict
        """
        if self.takes_function and not callable(answer):
            return Verdict(self.name, False, NO_FUNCTION.format(shown(answer)))
        patience = _listener.seconds if seconds is None else seconds
        tried = _without_input(answer) if self.takes_function else answer
        self.before_the_clock()
        return _in_time(self.name, lambda note: self.try_answer(tried, patience, note), patience)

    def before_the_clock(self) -> None:
        """Import and compile what the check needs: on the clock it could be broken off half done."""

    def try_answer(self, answer, seconds: float, note: Callable[[Verdict], object]) -> Verdict:
        """The verdict; `note` hears the verdict that holds if the time is up before this returns."""
        raise NotImplementedError


@dataclass(repr=False)
class Exercise(Check):
    """One exercise. Called with a student's function it prints how that did.

    It does not raise, and gives an answer up after some seconds, save one that is in a single long call into C.

    Attributes
    ----------
    reference : function
        A right answer; its docstring says what is asked for.
    cases : sequence of tuple
        The arguments of each case, the smallest first.
    given : str or function (*arguments) -> str
        A case in words, to stand after "For"; in a text each {} is one argument.
    praise : str
        What is right, when all is: "for short rows and long ones".
    any_order : bool
        Whether the order of a list is left open.
    tuples : bool
        Whether the text asks for tuples; otherwise a list, a tuple and an array are the same.
    unchanged, new : bool
        Whether the arguments must stay as they are, and the answer must be none of them.
    near : float
        How far a number may be off.
    share : bool
        Whether a share from 0 to 1 is asked for: it may be rounded to two places, and per cent are told so.
    run : function (function, *arguments) -> answer, optional
        How a function is tried, where it is not its returned value that counts.
    accept : function (answer, expected, *arguments) -> str, optional
        Where several answers are right: "" for such an answer, otherwise what is wrong with it.
    answer_in_words : function (answer) -> str, optional
        How an answer is shown in a message, where Python's own way is not plain enough.
    made : str
        What an answer did: "returned", or "changed".
    slow : str
        What to say where an answer takes too long.
    mistakes : dict
        The wrong implementations that students often write, each under the sentence that is said about it.

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
    >>> square.judge(lambda n: n + n).mistake
    'doubled'
    """

    reference: Callable
    cases: Sequence[tuple]
    given: str | Callable[..., str]
    praise: str
    any_order: bool = False
    tuples: bool = False
    unchanged: bool = False
    new: bool = False
    near: float = 1e-6
    share: bool = False
    run: Callable | None = None
    accept: Callable[..., str] | None = None
    answer_in_words: Callable[[object], str] | None = None
    made: str = "returned"
    slow: str = ENDLESS
    mistakes: dict[str, Callable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = self.reference.__name__
        self.__doc__ = self.reference.__doc__
        if self.share:
            self.near = ROUNDED

            def in_per_cent(*arguments):
                return 100 * self.reference(*arguments)

            self.mistakes[PER_CENT] = in_per_cent

    def mistake(self, sentence: str) -> Callable[[Callable], Callable]:
        """Add a wrong implementation, with the sentence that is said about it."""

        def add(function: Callable) -> Callable:
            self.mistakes[sentence] = function
            return function

        return add

    def slip(self, sentence: str, **fixed) -> None:
        """Add the reference as if some of its parameters always had these values, as `mistake` adds a function."""

        def slipped(*arguments):
            given = inspect.signature(self.reference).bind(*arguments).arguments
            return self.reference(**given | fixed)

        slipped.__name__ = f"fixed_{'_and_'.join(fixed)}"
        self.mistakes[sentence] = slipped

    def before_the_clock(self) -> None:
        self.task().attempt(self.reference, self.cases[0])

    def try_answer(self, answer: Callable, seconds: float, note: Callable[[Verdict], object]) -> Verdict:
        return judge(self.task(), answer, seconds, note)

    def task(self) -> Task:
        """What the judge must know; its cases and mistakes are worked out when the judge comes to them."""
        task = Task(
            self.name,
            self.praise,
            cases=(),
            any_order=self.any_order,
            tuples=self.tuples,
            unchanged=self.unchanged,
            new=self.new,
            near=self.near,
            made=self.made,
            slow=self.slow,
            run=self.run,
            accept=None if isinstance(self.accept, OneOf) else self.accept,
            answer_in_words=self.answer_in_words,
        )
        return replace(task, cases=self._cases(task), mistakes=self._mistakes(task))

    def _cases(self, task: Task) -> Iterator[Case]:
        for arguments in self.cases:
            given = self.given(*arguments) if callable(self.given) else self.given.format(*map(shown, arguments))
            expected = task.attempt(self.reference, arguments).answer
            rights = self.accept.rights(*arguments) if isinstance(self.accept, OneOf) else None
            yield Case(arguments, given, expected, rights)

    def _mistakes(self, task: Task) -> Iterator[Mistake]:
        for sentence, function in self.mistakes.items():
            yield Mistake(function.__name__, sentence, self._outcomes(task, function))

    def _outcomes(self, task: Task, function: Callable) -> Iterator[Outcome]:
        for arguments in self.cases:
            yield task.attempt(function, arguments)


def exercise(**data) -> Callable[[Callable], Exercise]:
    """A decorator that makes an `Exercise` of its reference answer; `data` are the exercise's attributes."""
    return lambda reference: Exercise(reference, **data)


class HandMade(Check):
    """A check that is a function of its own; see `by_hand`."""

    def __init__(
        self, function: Callable[..., str], takes_function: bool, prepare: Callable[[], object] | None
    ) -> None:
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self.takes_function = takes_function
        self._function = function
        self._prepare = prepare

    def before_the_clock(self) -> None:
        if self._prepare:
            self._prepare()

    def try_answer(self, answer, seconds: float, note: Callable[[Verdict], object]) -> Verdict:
        return Verdict(self.name, True, self._function(answer))


def by_hand(takes_function: bool = True, prepare: Callable[[], object] | None = None) -> Callable[..., HandMade]:
    """A decorator that makes a check of a function which tries an answer itself.

    The function returns praise for a right answer, and raises `Wrong`, in words, for any other.

    Parameters
    ----------
    takes_function : bool
        Whether the answer must be a function.
    prepare : function (), optional
        Imports and compiles what the check needs, before the clock runs.

    Examples
    --------
    >>> @by_hand(takes_function=False)
    ... def odd(number):
    ...     if number % 2 == 0:
    ...         raise Wrong(f"{number} is even.")
    ...     return f"Right: {number} is odd."
    >>> odd(3)
    ✓ Right: 3 is odd.
    >>> odd(4)
    ✗ 4 is even.
    """
    return lambda function: HandMade(function, takes_function, prepare)


# --- what is done with a verdict ----------------------------------------------------------------------------------


class _Listener(NamedTuple):
    """Who hears the verdicts of this process, and how long an answer may take meanwhile."""

    hear: Callable[[Verdict], object] | None = None  # None: they are printed
    seconds: float = SECONDS


_listener = _Listener()


def listen(hear: Callable[[Verdict], object] | None, seconds: float = SECONDS) -> None:
    """From now on hand each verdict to a function, and print none; for the marking.

    Parameters
    ----------
    hear : function (verdict)
        None: from now on print them again.
    seconds : float
        When an answer is given up.
    """
    global _listener
    _listener = _Listener(hear, seconds)


def report(verdict: Verdict) -> None:
    """Show a verdict in a notebook, print it elsewhere, or hand it to the function that listens.

    Examples
    --------
    >>> report(Verdict("odd", True, "Right."))
    ✓ Right.
    """
    if _listener.hear:
        _listener.hear(verdict)
        return
    _note(verdict)
    if _in_notebook():
        from IPython.display import display

        display(verdict)
    else:
        _print(str(verdict))


def _note(verdict: Verdict) -> None:
    """Note that an exercise of a lesson is right, where this is kept."""
    lesson = FILE_OF.get(verdict.exercise)
    if verdict.right and lesson:
        progress.KEPT.note_right(lesson, verdict.exercise)


def _in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this, and not IPython in a terminal, or Python alone."""
    ipython = sys.modules.get("IPython")
    return hasattr(ipython and ipython.get_ipython(), "kernel")


def _print(words: str) -> None:
    try:
        print(words)
    except UnicodeEncodeError:  # the terminal lacks ✓ and ✗, or letters that a function returned
        words = words.replace("✓", "[right]").replace("✗", "[not yet]")
        print(words.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))


# --- against the clock --------------------------------------------------------------------------------------------


def _without_input(function: Callable) -> Callable:
    """A student's function, which raises `CalledInput` wherever it has asked a person."""

    @functools.wraps(function)
    def tried(*arguments):
        try:
            return function(*arguments)
        except Exception as error:
            if screens.is_called_input(error):
                raise screens.CalledInput from error
            raise

    return tried


def _in_time(name: str, try_answer: Callable[[Callable[[Verdict], object]], Verdict], seconds: float) -> Verdict:
    """The verdict of a check, which runs in a thread; after so many seconds the last one that was noted."""
    words = f"Your function gave no answer within {seconds:g} seconds. {ENDLESS}"
    noted = [Verdict(name, False, words, late=True)]
    screen = screens.Screen()
    outcome: Future[Verdict] = Future()

    def work() -> None:
        try:
            with screens.printing_on(screen):
                verdict = _verdict(name, lambda: try_answer(noted.append))
            outcome.set_result(verdict)
        except BaseException as error:  # noqa: BLE001 - the thread was told to give up
            if not outcome.done():
                outcome.set_exception(error)

    thread = threading.Thread(target=work, daemon=True)
    with screens.nobody_types():
        try:
            thread.start()
        except RuntimeError:  # Python in a browser has no threads: the answer is tried, and cannot be given up
            work()
        try:
            verdict = outcome.result(seconds)
        except TimeoutError:
            verdict = noted[-1]
            _give_up(thread, outcome)
    return replace(verdict, printed=screen.getvalue())


def _verdict(name: str, try_answer: Callable[[], Verdict]) -> Verdict:
    """The verdict of a check, whatever it raises."""
    try:
        return try_answer()
    except Wrong as wrong:
        words = f"{wrong} {wrong.hint}".strip()
        line = line_of_cell(wrong.__cause__ or wrong.__context__)
        return Verdict(name, False, words, case=wrong.case, hint=wrong.hint, error=wrong.error, line=line)
    except Exception as error:  # noqa: BLE001 - a lesson goes on
        return Verdict(
            name, False, f"The check itself went wrong, and that is not your mistake: {error_in_words(error)}"
        )


class _GivenUp(BaseException):
    """Ends the thread of an answer that is given up; no answer's own error."""


def _give_up(thread: threading.Thread, outcome: Future) -> None:
    """End the thread of an answer."""
    if "numba" in sys.modules:  # an import that is broken off leaves Numba broken: let it end first
        from coinlib.compiling import numba

        numba()
    for _ in range(20):  # again and again: the code there may catch everything
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_GivenUp))
        thread.join(0.05)
        if outcome.done():
            break
