"""The judge of the exercises: it compares answers, and chooses the sentence that is said about them.

The judge knows an exercise as a `Task`: its cases, their right answers, and what each typical mistake gives
in every case. In a notebook an `Exercise` makes these records from functions, one after the other, as the
judge asks for them; elsewhere they can have been recorded beforehand. This file needs nothing beside the
standard library.

Nothing is guessed: the sentence of a mistake is said where an answer agrees with that mistake, and with no
other, in every case.
"""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import math
import os
import textwrap
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .verdict import LONGEST_LINE, Verdict, cut

SECONDS = 5.0  # an answer that takes longer is given up
ENDLESS = "Is there a loop that never ends?"
ROUNDED = 0.006  # how far a number is off that is rounded to two places
LONGEST_VALUE = 120  # characters of a value in a message
RETURNED_NONE = "A function gives None where it ends without `return`."
NONE_HERE = "Here it ended without `return`, or the value behind its `return` was None."
NO_FUNCTION = "Give the check a function, without brackets: expected a function, got {}."
FILL_IN = "Replace `...` in the cell above, then run it again."
STILL_DOTS = "this branch still returns `...`."
CALLED_INPUT = (
    "your function called `input`, and nobody types while it is checked. Use what the function is given; "
    "where that is `ask`, call it, and hand it on to every function that asks."
)


class Wrong(Exception):
    """What is wrong with an answer, line by line; further fields of the `Verdict` may go with the lines."""

    def __init__(self, *lines: str, **fields) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.fields = fields

    def __str__(self) -> str:
        return " ".join(self.lines)


class NotWritten(BaseException):
    """The student has not begun; its words say what to do. No function of a student raises or catches it."""


class Praise(NamedTuple):
    """What is said of a right answer: fields of its `Verdict`."""

    headline: str
    lines: tuple[str, ...]
    turns: tuple[str, ...] = ()
    after: str = ""


class Outcome(NamedTuple):
    """What one call of a function led to: an answer, or words that say why there is none."""

    answer: Any = None
    words: str = ""  # "your function raised KeyError: 'a'."
    error: str = ""  # the type of the error: "KeyError"
    line: str = ""  # "In line 2 of your cell: return row[5]"


class Case(NamedTuple):
    """One case of an exercise."""

    arguments: tuple
    given: str  # the case in words, to stand after "For"
    expected: Any
    rights: Sequence | None = None  # all right answers, where there are several


class Mistake(NamedTuple):
    """A mistake that students often make."""

    name: str
    sentence: str  # what is said about it
    outcomes: Iterable[Outcome]  # one for each case


@dataclass(frozen=True)
class Task:
    """All that the judge knows of an exercise.

    Attributes
    ----------
    exercise : str
        Its name.
    praise : str
        What is right, when all is: "for short rows and long ones".
    cases : iterable of Case
        The smallest first.
    mistakes : iterable of Mistake
    any_order : bool
        Whether the order of a list is left open.
    tuples : bool
        Whether the text asks for tuples; otherwise a list, a tuple and an array are the same.
    unchanged, new : bool
        Whether the arguments must stay as they are, and the answer must be none of them.
    near : float
        How far a number may be off.
    made : str
        What an answer did: "returned", or "changed".
    slow : str
        What to say where an answer takes too long.
    run : function (function, *arguments) -> answer, optional
        How a function is tried, where it is not its returned value that counts.
    accept : function (answer, expected, *arguments) -> str, optional
        How an answer is compared, where it must not be the expected one: "", or what is wrong with it.
    answer_in_words : function (answer) -> str, optional
        How an answer is shown in a message, where Python's own way is not plain enough.
    """

    exercise: str
    praise: str
    cases: Iterable[Case] = ()
    mistakes: Iterable[Mistake] = ()
    any_order: bool = False
    tuples: bool = False
    unchanged: bool = False
    new: bool = False
    near: float = 1e-6
    made: str = "returned"
    slow: str = ENDLESS
    run: Callable | None = None
    accept: Callable[..., str] | None = None
    answer_in_words: Callable[[Any], str] | None = None

    def attempt(self, function: Callable, arguments: tuple) -> Outcome:
        """Call a function with arguments of its own, and look at what it has done to them."""
        own = copy.deepcopy(arguments)
        try:
            answer = self.run(function, *own) if self.run else function(*own)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - exit() in a student's function ends nothing here
            return failure(error)
        try:
            plain([answer, *own])
        except RecursionError:
            return Outcome(words="your function made something that holds itself, such as a list that is in itself.")
        for before, after in zip(arguments, own):
            if (self.unchanged or self.new) and not alike(after, before):
                changed = f"from {shown(before)} to {shown(after)}"
                return Outcome(words=f"your function changed what it was given, {changed}.")
        if self.new and any(answer is argument for argument in own):
            kind = type(answer).__name__
            return Outcome(words=f"your function returned the very {kind} that it was given. Make a new one.")
        return Outcome(answer)

    def refusal(self, case: Case, outcome: Outcome) -> tuple[str, ...]:
        """What is wrong with the outcome of a case, line by line; no line if nothing is."""
        if outcome.words:
            return (outcome.words,)
        answer = outcome.answer
        if self.accept or case.rights is not None:
            if self.accept:
                complaint = self.accept(answer, case.expected, *case.arguments)
            else:
                complaint = none_of(answer, case.rights)
            return (f"{self._did(answer)}.", complaint) if complaint else ()
        if self._agree(answer, case.expected):
            return ()
        # Where six digits do not show the difference, all digits do
        same_in_six_digits = alike(plain(answer, 6), plain(case.expected, 6), near=0)
        digits = 17 if same_in_six_digits else 6
        return f"{self._did(answer, digits)};", f"expected {shown(case.expected, digits)}."

    def made_by(self, mistake: Mistake, outcomes: Sequence[Outcome]) -> bool:
        """Whether a mistake leads in every case to the same outcome."""
        return all(
            mine.words == known.words and self._agree(mine.answer, known.answer)
            for mine, known in zip(outcomes, mistake.outcomes)
        )

    def _did(self, answer: Any, digits: int = 6) -> str:
        words = self.answer_in_words(answer) if self.answer_in_words else shown(answer, digits)
        return f"your function {self.made} {words}"

    def _agree(self, answer: Any, expected: Any) -> bool:
        return alike(answer, expected, self.near, self.any_order, self.tuples)


def hear_nothing(verdict: Verdict) -> None:
    """Stand for a listener where nobody listens."""


def verdict_of(exercise: str, attempt: Callable[[], Verdict]) -> Verdict:
    """Return what an attempt finds out about an answer, even where it raises.

    Examples
    --------
    >>> def attempt():
    ...     raise Wrong("4 is even.")
    >>> print(verdict_of("odd", attempt))
    ✗ 4 is even.
    """
    try:
        return attempt()
    except NotWritten as open_one:
        return not_written(exercise, *open_one.args)
    except Wrong as wrong:
        return Verdict(exercise, False, wrong.lines, **wrong.fields)
    except Exception as error:  # noqa: BLE001 - a lesson goes on
        line = f"The check itself went wrong, and that is not your mistake: {error_in_words(error)}"
        return Verdict(exercise, False, (line,))


def judge(
    task: Task, function: Callable, seconds: float = SECONDS, note: Callable[[Verdict], object] = hear_nothing
) -> Verdict:
    """Try a student's function in one case after the other, and say how it did.

    Parameters
    ----------
    task : Task
    function : function
        The student's answer.
    seconds : float
        How long the caller waits for the answer. The judge has no clock, and only names the number.
    note : function (verdict)
        Hears before each case the verdict that holds if this case takes too long, and before the search for
        a hint the verdict without it.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> cases = [Case((1,), "a row of 1", 1), Case((3,), "a row of 3", 9)]
    >>> doubled = Mistake("doubled", "That is twice the number.", [Outcome(2), Outcome(6)])
    >>> task = Task("square", "for two rows", cases, [doubled])
    >>> print(judge(task, lambda n: n**2))
    ✓ Right, for two rows. (2 cases tried)
    >>> print(judge(task, lambda n: n + n))
    ✗ For a row of 1 your function returned 2; expected 1. That is twice the number.
    """
    tried = []  # each case with its outcome
    cases = iter(task.cases)
    for case in cases:
        given = f"For {case.given}"
        late = (given, f"your function gave no answer within {seconds:g} seconds.", task.slow)
        note(Verdict(task.exercise, False, late, case=case.given, late=True))
        outcome = task.attempt(function, case.arguments)
        tried.append((case, outcome))
        refusal = task.refusal(case, outcome)
        if refusal:
            fields = {"case": case.given, "error": outcome.error, "line": outcome.line}
            wrong = Verdict(task.exercise, False, (given, *refusal), **fields)
            note(wrong)
            tried += [(later, task.attempt(function, later.arguments)) for later in cases]
            mistake, hint = hint_about(task, outcome, tried)
            return replace(wrong, hint=hint, mistake=mistake)
    praise = (f", {task.praise}.", f"({len(tried)} cases tried)")
    return Verdict(task.exercise, True, praise, headline="Right")


def hint_about(task: Task, wrong: Outcome, tried: Sequence[tuple[Case, Outcome]]) -> tuple[str, str]:
    """The name and the sentence of the one mistake that agrees in every case; otherwise what None says, or nothing.

    `wrong` is the outcome that was refused, `tried` are all cases with their outcomes.
    """
    made = [mistake for mistake in task.mistakes if task.made_by(mistake, [outcome for _, outcome in tried])]
    if len(made) == 1:
        return made[0].name, made[0].sentence
    none_is_right_somewhere = any(case.expected is None for case, _ in tried)
    returned_something = any(outcome.answer is not None for _, outcome in tried)
    none_was_meant = none_is_right_somewhere and returned_something
    if wrong.words or wrong.answer is not None or none_was_meant:
        return "", ""
    if returned_something:  # It has a `return`, which is not to be blamed.
        return "", NONE_HERE
    return "", RETURNED_NONE


# --- answers that nobody has written ----------------------------------------------------------------------


def not_written(exercise: str, what_to_do: str = FILL_IN) -> Verdict:
    """Return the verdict about an answer that is still `...`.

    Examples
    --------
    >>> print(not_written("settle"))
    ○ Not written yet. Replace `...` in the cell above, then run it again.
    """
    return Verdict(exercise, False, (f". {what_to_do}",), headline="Not written yet", written=False)


def is_dots(answer: Any) -> bool:
    """Whether an answer is `...`, has `...` in a list or tuple, or is a function that holds nothing else.

    Examples
    --------
    >>> is_dots(...), is_dots([[1, ...]]), is_dots([1, 2])
    (True, True, False)
    """
    if answer is ...:
        return True
    if isinstance(answer, list | tuple):
        return any(is_dots(part) for part in answer if part is not answer)
    return inspect.isfunction(answer) and _body_is_dots(answer)


def _body_is_dots(function: Callable) -> bool:
    """Whether a function is a stub: in a marking its process says so, elsewhere its source."""
    if hasattr(function, "body_is_dots"):
        return function.body_is_dots
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        (statement,) = definition.body
        return statement.value.value is ...
    except Exception:  # noqa: BLE001 - a lambda, another body, or no source at all
        return False


def watched(answer: Any) -> Any:
    """Return an answer whose functions must not return `...`.

    The first call that does raises `NotWritten`, and a later one `Wrong`: a branch is still open.

    Examples
    --------
    >>> half = watched(lambda coins: coins if coins < 4 else ...)
    >>> half(1)
    1
    >>> half(4)
    Traceback (most recent call last):
        ...
    coincourse.checks.judging.Wrong: this branch still returns `...`.
    """
    if type(answer) is tuple:
        return tuple(map(watched, answer))
    if not callable(answer) or isinstance(answer, type):
        return answer
    answered = False

    def call(*arguments):
        nonlocal answered
        returned = answer(*arguments)
        if is_dots(returned):
            raise Wrong(STILL_DOTS) if answered else NotWritten
        answered = True
        return returned

    return call


# --- several right answers ------------------------------------------------------------------------------


def none_of(answer: Any, rights: Sequence) -> str:
    """What is wrong with an answer that is none of the right ones; "" if it is one."""
    if any(alike(answer, right) for right in rights):
        return ""
    words = list(dict.fromkeys(map(shown, rights)))
    more = " ..." if len(words) > 4 else ""
    return f"Expected {' or '.join(words[:4])}{more}."


# --- functions that change what they are given ----------------------------------------------------------


def changes(function: Callable, table: dict, *step) -> dict:
    """Try a function that changes a table: the rows that it has changed, and what it has returned beside that."""
    before = copy.deepcopy(table)
    answer = function(table, *step)
    changed = {key: row for key, row in table.items() if plain(row) != before.get(key)}
    return changed if answer is None else changed | {"returned": answer}


# --- what counts as the same ----------------------------------------------------------------------------


def plain(value: Any, digits: int = 17) -> Any:
    """A value with Python's own numbers and lists in place of others, its floats cut to so many digits.

    Examples
    --------
    >>> import numpy as np
    >>> plain((np.int64(1), np.array([0.5, 2 / 3]), range(2)), digits=3)
    (1, [0.5, 0.667], [0, 1])
    """
    if hasattr(value, "tolist") and not isinstance(value, type):  # of NumPy or pandas
        value = value.tolist()
    if isinstance(value, range):
        return list(value)
    for kind in (list, tuple):
        if isinstance(value, kind):
            parts = [plain(part, digits) for part in kind.__iter__(value)]  # a subclass may have its own __iter__
            return getattr(value, "_make", kind)(parts)  # a Move stays a Move
    if type(value) is dict:
        return {plain(key, digits): plain(content, digits) for key, content in value.items()}
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    return value


def alike(answer: Any, expected: Any, near: float = 1e-6, any_order: bool = False, tuples: bool = False) -> bool:
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
        return _alike_tables(answer, expected, near, any_order, tuples)
    answer = plain(answer)
    if isinstance(expected, list | tuple):
        kind = tuple if tuples and isinstance(expected, tuple) else list | tuple
        if not isinstance(answer, kind) or len(answer) != len(expected):
            return False
        if any_order and isinstance(expected, list):
            return _alike_in_any_order(answer, expected, near, tuples)
        return all(alike(item, wanted, near, any_order, tuples) for item, wanted in zip(answer, expected))
    if isinstance(expected, bool):
        return isinstance(answer, int | float) and answer == expected
    if isinstance(expected, int | float):
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            return False
        if isinstance(expected, int):
            return answer == expected
        try:
            answer = float(answer)
        except OverflowError:
            return False
        both_nan = math.isnan(answer) and math.isnan(expected)
        return both_nan or math.isclose(answer, expected, rel_tol=near, abs_tol=near)
    return type(answer) is type(expected) and answer == expected


def _alike_in_any_order(answer: Sequence, expected: Sequence, near: float, tuples: bool) -> bool:
    """Whether each expected item has one of its own in an answer of as many."""
    left = list(answer)
    for wanted in expected:
        found = next((place for place, item in enumerate(left) if alike(item, wanted, near, True, tuples)), None)
        if found is None:
            return False
        del left[found]
    return True


def _alike_tables(answer: Any, expected: Mapping, near: float, any_order: bool, tuples: bool) -> bool:
    if not hasattr(answer, "keys"):
        return False
    found = dict(answer)  # a column of pandas has keys as well
    same_keys = found.keys() == expected.keys()
    return same_keys and all(alike(found[key], expected[key], near, any_order, tuples) for key in expected)


# --- in words -------------------------------------------------------------------------------------------


def name_and_message(error: BaseException) -> str:
    """An error as Python prints it.

    Examples
    --------
    >>> name_and_message(KeyError("a")), name_and_message(SystemExit())
    ("KeyError: 'a'", 'SystemExit')
    """
    name = type(error).__name__
    message = str(error)
    return f"{name}: {message}" if message else name


def error_in_words(error: BaseException) -> str:
    """An error as Python prints it, as a sentence.

    Examples
    --------
    >>> error_in_words(KeyError("a")), error_in_words(ValueError("Give a number."))
    ("KeyError: 'a'.", 'ValueError: Give a number.')
    """
    words = name_and_message(error).rstrip()
    return words if words.endswith((".", "!", "?")) else f"{words}."


def failure(error: BaseException) -> Outcome:
    """What it led to that a function ended with an error, in words to stand after "For ...".

    Examples
    --------
    >>> failure(KeyError("a"))
    Outcome(answer=None, words="your function raised KeyError: 'a'.", error='KeyError', line='')
    """
    name = type(error).__name__
    if isinstance(error, Wrong):
        return Outcome(words=str(error))
    if name in ("EOFError", "StdinNotImplementedError"):  # Python's and Jupyter's own, where nobody types
        return Outcome(words=CALLED_INPUT)
    return Outcome(words=f"your function raised {error_in_words(error)}", error=name, line=line_of_cell(error))


def line_of_cell(error: BaseException) -> str:
    """The last line of a notebook's cell that an error came through, in words; "" where it came through none."""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = frame.f_code.co_filename
        source = linecache.getline(name, number).strip()
        # Python knows the text of a cell, as that of a file, but no such file is there.
        if source and not os.path.exists(name):
            return f"In line {number} of your cell: {cut(source, LONGEST_LINE)}"
    return ""


def shown(value: Any, digits: int = 6) -> str:
    """A value as it stands in a message, cut where it is long.

    Examples
    --------
    >>> shown([2 / 3, 1e6]), len(shown(list(range(1_000))))
    ('[0.666667, 1000000.0]', 120)
    >>> shown(10**5_000)
    'a value of type int'
    """
    try:
        words = repr(plain(value, digits))
    except Exception:  # noqa: BLE001 - a student's value may have too many digits, or hold itself
        words = f"a value of type {type(value).__name__}"
    return cut(words, LONGEST_VALUE)
