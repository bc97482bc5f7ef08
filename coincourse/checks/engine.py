"""How an answer is tried: one case after another, against the clock, with words for what went wrong.

An exercise is data: its cases, a reference answer, and the mistakes that are often made, each of them a wrong
implementation with a sentence: a function of its own, or the reference with one thing in it changed. Nothing is
guessed: the sentence of a mistake is said where an answer agrees with that mistake, and with no other, on every case.
"""

from __future__ import annotations

import copy
import ctypes
import inspect
import math
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from coinlib import compiling

SECONDS = 5.0  # an answer that takes longer is given up
ROUNDED = 0.006  # how far a number is off that is rounded to two places
ENDLESS = "Is there a loop that never ends?"


class Wrong(Exception):
    """What is wrong with an answer, in words for the student."""


class Late(BaseException):
    """An answer has been given up; no answer's error."""


@dataclass(repr=False)
class Exercise:
    """One exercise. Called with a student's function it prints how that did; it never raises and never hangs.

    Attributes
    ----------
    reference : function
        A right answer; its docstring says what is asked for. What a slip may change in it beside its arguments
        are parameters that can be given by name alone; the stub has none of these.
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
    made : str
        What an answer did: "returned", or "changed".
    slow : str
        What to say where an answer takes too long.
    mistakes : dict
        The wrong implementations that students often write, each under what is said to whoever has written it.

    Examples
    --------
    >>> @exercise(cases=[(1,), (2,), (30,)], given="a row of {}", praise="for three rows")
    ... def square(n, *, power=2):
    ...     return n**power
    >>> square.slip("That is the number to the third.", power=3)
    >>> square.slip("The answer is not always that for 1.", n=1)
    >>> @square.mistake("That is twice the number.")
    ... def doubled(n):
    ...     return 2 * n
    >>> square(lambda n: n**2)
    ✓ Right, for three rows. (3 cases tried)
    >>> square(lambda n: n + n)
    ✗ For a row of 1 your function returned 2; expected 1. That is twice the number.
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
    made: str = "returned"
    slow: str = ENDLESS
    mistakes: dict[str, Callable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.__doc__ = self.reference.__doc__
        if self.share:
            self.near = ROUNDED
            per_cent = "A share lies between 0 and 1; this is in per cent."
            self.mistakes[per_cent] = lambda *arguments: 100 * self.reference(*arguments)

    def mistake(self, sentence: str) -> Callable[[Callable], Callable]:
        """Add a wrong implementation, with what to say to whoever has written it."""

        def add(function: Callable) -> Callable:
            self.mistakes[sentence] = function
            return function

        return add

    def slip(self, sentence: str, **changed) -> None:
        """Add the reference as if some of its parameters had other values, as `mistake` adds a function."""

        def slipped(*arguments):
            given = inspect.signature(self.reference).bind(*arguments).arguments
            return self.reference(**given | changed)

        self.mistakes[sentence] = slipped

    def __repr__(self) -> str:
        return f"Exercise({self.reference.__name__})"

    def __call__(self, function) -> None:
        # Without a clock: what is imported or compiled here cannot be broken off half done.
        self._call(self.reference, self.cases[0])
        report(lambda say: self.judge(function, say), function)

    def judge(self, function, say: Callable[[str], None] = lambda case: None) -> str:
        """Praise for a right function; `Wrong`, in words, for any other."""
        for arguments in self.cases:
            given = self.given(*arguments) if callable(self.given) else self.given.format(*map(shown, arguments))
            say(f"For {given} your function gave no answer within {SECONDS:g} seconds. {self.slow}")
            answer, error = self._call(function, arguments)
            expected, _ = self._call(self.reference, arguments)
            if words := self._refusal(answer, error, expected, arguments):
                say(f"For {given} {words}")  # in case the hint takes too long
                raise Wrong(f"For {given} {words} {self._hint(function, answer, error)}".strip())
        return f"Right, {self.praise}. ({len(self.cases)} cases tried)"

    def _call(self, function, arguments: tuple) -> tuple:
        """What a function answers, and the error with which it ends; None for what there is not."""
        own = copy.deepcopy(arguments)
        try:
            answer = self.run(function, *own) if self.run else function(*own)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - exit() in a student's function ends nothing here
            return None, error
        for was, now in zip(arguments, own):
            if (self.unchanged or self.new) and not alike(now, was):
                return None, Wrong(f"your function changed what it was given, from {shown(was)} to {shown(now)}.")
        if self.new and any(answer is part for part in own):
            kind = type(answer).__name__
            return None, Wrong(f"your function returned the very {kind} that it was given. Make a new one.")
        return answer, None

    def _refusal(self, answer, error, expected, arguments: tuple) -> str:
        """What is wrong with what came of one case; "" if nothing is."""
        if error:
            return str(error) if isinstance(error, Wrong) else f"your function raised {error_in_words(error)}"
        same_digits = alike(plain(answer, 6), plain(expected, 6), near=0)
        digits = 17 if same_digits else 6  # all, where six do not show the difference
        returned = f"your function {self.made} {shown(answer, digits)}"
        if self.accept:
            words = self.accept(answer, expected, *copy.deepcopy(arguments))
            return words and f"{returned}. {words}"
        return "" if self._agree(answer, expected) else f"{returned}; expected {shown(expected, digits)}."

    def _hint(self, function, answer, error) -> str:
        """The sentence of the one mistake that agrees on every case; otherwise what None shows."""
        outcomes = [self._call(function, arguments) for arguments in self.cases]
        sentences = [words for words, mistake in self.mistakes.items() if self._made_by(mistake, outcomes)]
        if len(sentences) == 1:
            return sentences[0]
        if error or answer is not None or self.made != "returned":
            return ""
        rights = [self._call(self.reference, arguments)[0] for arguments in self.cases]
        on_purpose = any(right is None for right in rights) and any(other is not None for other, _ in outcomes)
        return "" if on_purpose else "A function gives None where it ends without `return`."

    def _made_by(self, mistake: Callable, outcomes: list[tuple]) -> bool:
        """Whether a wrong implementation makes of every case what was made of it."""
        known = (self._call(mistake, arguments) for arguments in self.cases)
        return all(
            repr(error) == repr(known_error) and self._agree(answer, known_answer)
            for (answer, error), (known_answer, known_error) in zip(outcomes, known)
        )

    def _agree(self, answer, expected) -> bool:
        return alike(answer, expected, self.near, self.any_order, self.tuples)


def exercise(**data) -> Callable[[Callable], Exercise]:
    """A decorator that makes an `Exercise` of its reference answer; `data` are the exercise's attributes."""
    return lambda reference: Exercise(reference, **data)


def changes(function: Callable, table: dict, *step) -> dict:
    """How a function is tried that changes a table: the rows that it has changed, and what it has returned beside that."""
    before = copy.deepcopy(table)
    answer = function(table, *step)
    changed = {key: row for key, row in table.items() if plain(row) != before.get(key)}
    return changed if answer is None else changed | {"returned": answer}


def one_of(rights: Callable[..., Sequence]) -> Callable[..., str]:
    """How an answer is accepted where several are right: `rights` gives all that are right in a case.

    Examples
    --------
    >>> either_end = one_of(lambda coins: [coins[0], coins[-1]])
    >>> either_end(2, 1, [1, 2]), either_end(3, 1, [1, 2])
    ('', 'Expected 1 or 2.')
    """

    def accept(answer, expected, *arguments) -> str:
        right = rights(*arguments)
        if any(alike(answer, each) for each in right):
            return ""
        words = list(dict.fromkeys(map(shown, right)))
        return f"Expected {' or '.join(words[:4])}{' ...' * (len(words) > 4)}."

    return accept


# --- what counts as the same ------------------------------------------------------------------------------------


def plain(value, digits: int = 17):
    """A value with Python's own numbers and lists in place of others, its floats cut to so many digits.

    Examples
    --------
    >>> import numpy as np
    >>> plain((np.int64(1), np.array([0.5, 2 / 3]), range(2)), digits=3)
    (1, [0.5, 0.667], [0, 1])
    """
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy, columns of pandas
        value = value.tolist()
    if isinstance(value, range):
        return list(value)
    if isinstance(value, list | tuple):
        parts = [plain(part, digits) for part in value]
        return getattr(value, "_make", type(value))(parts)  # a Move stays a Move
    if type(value) is dict:
        return {plain(key, digits): plain(content, digits) for key, content in value.items()}
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def alike(answer, expected, near: float = 1e-6, any_order: bool = False, tuples: bool = False) -> bool:
    """Whether an answer is as good as the expected one.

    NumPy's numbers, truths and arrays count as Python's, 1 and 0 as truths, and a whole float as a whole
    number; a truth is no number, and a generator no list. NaN is like NaN.

    Examples
    --------
    >>> alike(2.0, 2), alike(True, 1), alike(1, True), alike((1, 2), [1, 2]), alike({1, 2}, [1, 2])
    (True, False, True, True, False)
    """
    expected = plain(expected)
    if isinstance(expected, Mapping):
        found = dict(answer) if hasattr(answer, "keys") else None  # a column of pandas has keys as well
        return found is not None and (
            found.keys() == expected.keys()
            and all(alike(found[key], expected[key], near, any_order, tuples) for key in expected)
        )
    answer = plain(answer)
    if isinstance(expected, list | tuple):
        kind = tuple if tuples and isinstance(expected, tuple) else list | tuple
        if not isinstance(answer, kind) or len(answer) != len(expected):
            return False
        if any_order and isinstance(expected, list):
            answer, expected = sorted(answer, key=repr), sorted(expected, key=repr)
        return all(alike(item, wanted, near, any_order, tuples) for item, wanted in zip(answer, expected))
    if isinstance(expected, bool):
        return isinstance(answer, int | float) and answer == expected
    if isinstance(expected, int | float):
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            return False
        if isinstance(expected, int):
            return answer == expected
        return math.isclose(answer, expected, rel_tol=near, abs_tol=near) or math.isnan(answer) and math.isnan(expected)
    return type(answer) is type(expected) and answer == expected


# --- in words -----------------------------------------------------------------------------------------------------


def error_in_words(error: BaseException) -> str:
    """An error as Python prints it, as a sentence.

    Examples
    --------
    >>> error_in_words(KeyError("a")), error_in_words(SystemExit())
    ("KeyError: 'a'.", 'SystemExit.')
    """
    return f"{type(error).__name__}: {error}".removesuffix(": ") + "."


def shown(value, digits: int = 6) -> str:
    """A value as it stands in a message, cut where it is long.

    Examples
    --------
    >>> shown([2 / 3, 1e6]), len(shown(list(range(1_000))))
    ('[0.666667, 1000000.0]', 120)
    """
    words = repr(plain(value, digits))
    return words if len(words) <= 120 else words[:117] + "..."


# --- against the clock --------------------------------------------------------------------------------------------


def report(judge: Callable[[Callable[[str], None]], str], function: object = callable) -> None:
    """Print ✓ with what `judge` says, or ✗ with what is wrong; never raise, never hang.

    Parameters
    ----------
    judge : function (say) -> str
        Tries the answer; returns praise, or raises `Wrong`. What it has last told ``say(words)`` is
        printed if it takes too long.
    function : object
        The student's answer; what cannot be called is said to be so.

    Examples
    --------
    >>> report(lambda say: "Right.")
    ✓ Right.
    >>> report(lambda say: "Right.", 3)
    ✗ Give the check a function, without brackets: expected a function, got 3.
    """
    if not callable(function):
        show(f"✗ Give the check a function, without brackets: expected a function, got {shown(function)}.")
        return
    try:
        words = f"✓ {_in_time(judge)}"
    except Wrong as wrong:
        words = f"✗ {wrong}"
    except Exception as error:  # noqa: BLE001 - a lesson goes on
        words = f"✗ The check itself went wrong, and that is not your mistake: {type(error).__name__}: {error}."
    show(words)


def show(words: str) -> None:
    """Print what a check has to say."""
    try:
        print(words)
    except UnicodeEncodeError:  # a terminal that knows neither ✓ nor ✗, nor the letters that a function returned
        words = words.replace("✓", "[right]").replace("✗", "[not yet]")
        print(words.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))


def _in_time(judge: Callable[[Callable[[str], None]], str]) -> str:
    """What `judge` returns or raises, given up after `SECONDS`; its thread is then ended."""
    outcome: Future = Future()
    late = [f"Your function gave no answer within {SECONDS:g} seconds. {ENDLESS}"]

    def work() -> None:
        try:
            outcome.set_result(judge(late.append))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that asked
            outcome.set_exception(error)

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # Python in a browser has no threads: the answer is tried, and cannot be given up
        work()
    try:
        return outcome.result(SECONDS)
    except TimeoutError:
        words = late[-1]
    if "numba" in sys.modules:  # an import that is broken off leaves it broken: let it end first
        compiling.numba()
    for _ in range(20):  # again and again: the code there may catch everything
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Late))
        thread.join(0.05)
        if outcome.done():
            break
    raise Wrong(words)
