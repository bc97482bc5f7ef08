"""The judge of the exercises: it compares answers, and words the verdicts.

The judge knows an exercise as a `Task`: how it compares answers, its cases with their right answers, and what
each typical mistake gives in every case. In a notebook an `Exercise` makes these records from functions, one
after the other, as the judge asks for them; elsewhere they may have been recorded in advance. This file and what it
imports need nothing but the standard library.
"""

from __future__ import annotations

import copy
import inspect
import linecache
import os
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .error_hints import IMPORTS, hint_of_error
from .function_source import holds_dots, source_of
from .hints import Tried, with_hint
from .running_cell import name_meant, source_of_cell
from .values import LONGEST_RANGE, Equality, alike, plain, shown
from .verdict import LONGEST_LINE, Verdict, cut

SECONDS = 5.0  # the check gives up on an answer that takes longer
ENDLESS = "Is there a loop that never ends?"
ROUNDED = 0.006  # how far off a number can be if it is rounded to two places
NO_FUNCTION = "Give the check a function, without brackets: expected a function, got {}."
IN_CELL = "in the cell above, then run it again."
STILL_DOTS = "this branch still returns `...`."
MEETS_DOTS = (
    "your function still works with `...`: which branch returns `...`, which name is still set to it, "
    "or which function that it calls is not written yet?"
)
HOLDS_ITSELF = "your function made something that holds itself, such as a list that is in itself."
NO_KEYBOARD = "your function called `input`, but there is no keyboard while it is checked."
CALLED_INPUT = f"{NO_KEYBOARD} Use what the function is given."
CALLED_INPUT_NOT_ASK = f"{NO_KEYBOARD} Call `ask` instead, and pass it on to every function that asks."
BREAKPOINT = "your function still has a breakpoint, `breakpoint()` or `set_trace()`. Take it out."


class Wrong(Exception):
    """What is wrong with an answer, line by line; further fields of the `Verdict` may go with the lines."""

    def __init__(self, *lines: str, **fields) -> None:
        super().__init__(*lines)
        self.lines = lines
        self.fields = fields

    def __str__(self) -> str:
        return " ".join(self.lines)


def wrong_for(case: str, words: str, hint: str = "", **fields) -> Wrong:
    """What is wrong with an answer in one case, after "For"."""
    return Wrong(f"For {case}", words, hint=hint, **fields)


class Changed(Wrong):
    """A function has changed what it was given; `answer` is what it returned."""

    def __init__(self, words: str, answer: Any, given: Any) -> None:
        super().__init__(words)
        self.answer = answer
        self.given = given


class NotWritten(BaseException):
    """The student has not begun; its words say what to replace. No student's function raises or catches it."""


class Outcome(NamedTuple):
    """What one call of a function led to: an answer, or words that say why it is wrong or missing."""

    answer: Any = None
    words: str = ""  # "your function raised KeyError: 'a'."
    error: str = ""  # the type of the error: "KeyError"
    line: str = ""  # "In line 2 of your code: return row[5]"
    is_argument: bool = False  # whether the answer is the list, dict or set that was given, not a new one
    to_copy: str = ""  # how to copy what was given, if the function has changed it


class Case(NamedTuple):
    """One case of an exercise."""

    arguments: tuple
    given: str  # the case for a message, after "For": "a row of 1"
    expected: Any
    rights: Sequence | None = None  # all right answers, if there are several


class Mistake(NamedTuple):
    """A mistake that students often make, or an answer that is better than the one asked for.

    Several ways to make a mistake can share its sentence.
    """

    sentence: str
    outcomes: Sequence[Outcome]  # one for each case
    is_better: bool = False


@dataclass(frozen=True)
class Comparison(Equality):
    """How the answers to an exercise are tried, compared and described, in addition to `Equality`.

    Attributes
    ----------
    praise : str
        What is right if everything is: "for short rows and long ones".
    few : bool
        Whether there are only a few different answers, so that one case says little about a mistake.
    unchanged : bool
        Whether the arguments must stay unchanged.
    new : bool
        Whether the answer must not be one of the arguments.
    made : str
        What an answer did: "returned", or "changed".
    slow : str
        What to say if an answer takes too long.
    run : function (function, *arguments) -> answer, optional
        How a function is tried, if it is not its return value that counts.
    accept : function (answer, expected, *arguments) -> str, optional
        What is wrong with an answer, or "", if it need not be the expected one.
    answer_in_words : function (answer) -> str, optional
        How an answer is shown in a message, if its `repr` is not clear enough.
    """

    praise: str = ""
    few: bool = False
    unchanged: bool = True
    new: bool = False
    made: str = "returned"
    slow: str = ENDLESS
    run: Callable | None = None
    accept: Callable[..., str] | None = None
    answer_in_words: Callable[[Any], str] | None = None

    def attempt(self, function: Callable, arguments: tuple) -> Outcome:
        """Call a function with copies of some arguments."""
        own = copy.deepcopy(arguments)
        if self.unchanged:
            function = keeping(function)
        try:
            answer = self.run(function, *own) if self.run else function(*own)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - exit() in a student's function ends nothing here
            return failure(error)
        try:
            plain([answer, *own])
        except RecursionError:
            return Outcome(words=HOLDS_ITSELF)
        except Exception as error:  # noqa: BLE001 - whatever a student's own classes do
            return Outcome(words=f"your function returned a value that cannot be read. {error_in_words(error)}")
        if isinstance(answer, range) and len(answer) > LONGEST_RANGE:
            return Outcome(words=f"your function returned {shown(answer)}, which is far too long.")
        is_argument = isinstance(answer, list | dict | set) and any(answer is argument for argument in own)
        return Outcome(answer, is_argument=is_argument)

    def refusal(self, case: Case, outcome: Outcome) -> tuple[str, ...]:
        """What is wrong with the outcome of a case, line by line; empty if it is right."""
        if outcome.words:
            return (outcome.words,)
        answer = outcome.answer
        if self.accept or case.rights is not None:
            if self.accept:
                complaint = self.accept(answer, case.expected, *case.arguments)
            else:
                complaint = none_of(answer, case.rights)
            return (f"{self._did(answer)}.", complaint) if complaint else ()
        if not self.alike(answer, case.expected):
            return self._did_not(answer, case.expected)
        if self.new and outcome.is_argument:
            kind = "dictionary" if isinstance(answer, dict) else type(answer).__name__
            return (f"your function returned the {kind} that it was given;", f"expected a new {kind}.")
        return ()

    def same(self, one: Outcome, other: Outcome) -> bool:
        """Whether two functions did the same."""
        return one.words == other.words and self.alike(one.answer, other.answer)

    def _did(self, answer: Any, digits: int = 6) -> str:
        words = self.answer_in_words(answer) if self.answer_in_words else shown(answer, digits)
        return f"your function {self.made} {words}"

    def _did_not(self, answer: Any, expected: Any) -> tuple[str, str]:
        """An answer, and what was expected instead, with enough digits to show the difference."""
        same_in_six_digits = Equality(near=0).alike(plain(answer, 6), plain(expected, 6))
        digits = 17 if same_in_six_digits else 6
        return f"{self._did(answer, digits)};", f"expected {shown(expected, digits)}."


@dataclass(frozen=True)
class Task:
    """All that the judge knows about an exercise.

    Attributes
    ----------
    exercise : str
        Its name.
    comparison : Comparison
    cases : iterable of Case
        The smallest first.
    mistakes : iterable of Mistake
    """

    exercise: str
    comparison: Comparison
    cases: Iterable[Case] = ()
    mistakes: Iterable[Mistake] = ()


def hear_nothing(verdict: Verdict) -> None:
    """Do nothing with a verdict."""


def praised(*lines: str, headline: str = "Right", **fields) -> Verdict:
    """Return the verdict about a right answer; the check adds the name of the exercise."""
    return Verdict("", True, lines, headline, **fields)


def judge(
    task: Task, function: Callable, seconds: float = SECONDS, note: Callable[[Verdict], object] = hear_nothing
) -> Verdict:
    """Try a student's function case by case, and return the verdict.

    Parameters
    ----------
    task : Task
    function : function
        The student's answer.
    seconds : float
        How long the caller waits for the answer. The judge keeps no time, and only mentions the number.
    note : function (verdict)
        Called before each case with the verdict that holds if this case takes too long, and before the search
        for a hint with the verdict without the hint.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> cases = [Case((1,), "a row of 1", 1), Case((3,), "a row of 3", 9)]
    >>> doubled = Mistake("That is twice the number.", [Outcome(2), Outcome(6)])
    >>> task = Task("square", Comparison(praise="for two rows"), cases, [doubled])
    >>> print(judge(task, lambda n: n**2))
    ✓ Right, for two rows. (2 cases tried)
    >>> print(judge(task, lambda n: n + n))
    ✗ For a row of 1 your function returned 2; expected 1. That is twice the number.
    """
    comparison = task.comparison
    tried: list[Tried] = []
    cases = iter(task.cases)
    for case in cases:
        given = f"For {case.given}"
        late = (given, _no_answer(len(tried), seconds), comparison.slow)
        note(Verdict(task.exercise, False, late, late=True))
        outcome = comparison.attempt(function, case.arguments)
        tried.append(Tried(case, outcome))
        refusal = comparison.refusal(case, outcome)
        if refusal:
            lines = (given, *refusal)
            wrong = Verdict(task.exercise, False, lines, error=outcome.error, line=outcome.line)
            note(wrong)
            return with_hint(task, wrong, tried, function, cases)
    praise = (f", {comparison.praise}.", f"({len(tried)} cases tried)")
    return Verdict(task.exercise, True, praise, headline="Right")


def _no_answer(answered: int, seconds: float) -> str:
    """What to say if the time is up; the time limit is for all cases together."""
    words = f"your function was not done within {seconds:g} seconds"
    if answered:
        words = f"{words} for all cases together; it had answered {answered} before this one"
    return f"{words}."


# --- answers that are not written yet ----------------------------------------------------------------------


def not_written(exercise: str, where: str = IN_CELL, what: str = "`...`") -> Verdict:
    """Return the verdict about an answer that is still `...`.

    Examples
    --------
    >>> print(not_written("settle"))
    ○ Not written yet. Replace `...` in the cell above, then run it again.
    """
    after_headline = f". Replace {what} {where}"
    return Verdict(exercise, False, (after_headline,), headline="Not written yet", written=False)


def is_dots(answer: Any) -> bool:
    """Whether an answer is `...`, has `...` in a list or tuple, or is a function that holds nothing else.

    Examples
    --------
    >>> is_dots(...), is_dots([[1, ...]]), is_dots([1, 2])
    (True, True, False)
    """
    if answer is ...:
        return True
    for kind in (list, tuple):
        if isinstance(answer, kind):  # a subclass may have its own __iter__
            return any(is_dots(part) for part in kind.__iter__(answer) if part is not answer)
    return inspect.isfunction(answer) and source_of(answer).is_dots


def watched(answer: Any) -> Any:
    """Return an answer whose functions must not return `...` or calculate with it.

    If the first call does, it raises `NotWritten`; a later call raises `Wrong`, since a branch is still open. So does
    a function without `...` in it, since it calls another one that is not written yet.

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
    has_dots = holds_dots(answer)
    answered = False

    def call(*arguments):
        nonlocal answered
        is_open = has_dots and not answered
        try:
            returned = answer(*arguments)
        except (TypeError, AttributeError) as error:
            if "ellipsis" not in str(error):
                raise
            raise (NotWritten if is_open else Wrong(MEETS_DOTS)) from error
        if is_dots(returned):
            if is_open:
                raise NotWritten
            raise Wrong(STILL_DOTS if has_dots else MEETS_DOTS)
        answered = True
        if isinstance(returned, dict) and any(map(is_dots, returned.values())):
            raise Wrong(MEETS_DOTS)
        return returned

    call.source = source_of(answer)
    return call


# --- several right answers ------------------------------------------------------------------------------


def none_of(answer: Any, rights: Sequence) -> str:
    """What is wrong with an answer that is none of the right ones; empty if it is one of them."""
    if any(alike(answer, right) for right in rights):
        return ""
    words = list(dict.fromkeys(map(shown, rights)))
    more = " ..." if len(words) > 4 else ""
    return f"Expected {' or '.join(words[:4])}{more}."


# --- functions that change what they are given ----------------------------------------------------------


def keeping(function: Callable) -> Callable:
    """Return a function that raises `Changed` if it changes what it is given.

    Examples
    --------
    >>> keeping(list.pop)([1, 2])
    Traceback (most recent call last):
        ...
    coincourse.checks.judging.Changed: your function changed what it was given, from [1, 2] to [1].
    """

    def call(*arguments):
        before = [copy.deepcopy(each) if _can_change(each) else each for each in arguments]
        answer = function(*arguments)
        for was, now in zip(before, arguments):
            if was is not now and not _is_as_before(now, was):
                raise Changed(_change_in_words(was, now, answer), answer, was)
        return answer

    return call


def _can_change(value: Any) -> bool:
    """Whether a value is a list, a dictionary, an array or a table, or may hold one."""
    return isinstance(value, tuple) or hasattr(value, "copy")


def _is_as_before(now: Any, before: Any) -> bool:
    if hasattr(before, "equals"):  # a table or a column of pandas
        return now.equals(before)
    try:
        return alike(now, before)
    except RecursionError:
        raise Wrong(HOLDS_ITSELF) from None


def _change_in_words(before: Any, now: Any, answer: Any) -> str:
    if hasattr(before, "equals"):
        words = "your function changed the table that it was given"
    else:
        words = f"your function changed what it was given, from {shown(before)} to {shown(now)}"
    return f"{words}, and returned None." if answer is None else f"{words}."


def how_to_copy(given: Any) -> str:
    """Return the line that copies a value, and the lists in it if it holds any.

    Examples
    --------
    >>> how_to_copy([1, 2]), how_to_copy({1: 0.5}), how_to_copy([[1], [2]])
    ('`new = list(old)`', '`new = dict(old)`', '`new = [list(part) for part in old]`')
    >>> how_to_copy({4: [1, 2]})
    '`new = dict(old)`, and for each list that changes `new[key] = list(old[key])`'
    """
    if hasattr(given, "equals"):
        return "`new = old.copy()`"
    parts = given.values() if isinstance(given, dict) else given
    kinds = {type(part) for part in parts if isinstance(part, list | tuple | dict | set)}
    match given:
        case list() | dict() | set() if not kinds:
            return f"`new = {type(given).__name__}(old)`"
        case list() if kinds == {list}:
            return "`new = [list(part) for part in old]`"
        case dict() if kinds == {list}:
            return "`new = dict(old)`, and for each list that changes `new[key] = list(old[key])`"
    return "`import copy`, then `new = copy.deepcopy(old)`"


# --- functions that are asked to change a table ---------------------------------------------------------


def changes(function: Callable, table: dict, *step) -> dict:
    """Try a function that changes a table; return the rows that it has changed.

    If there are none, "returned" holds the new value that it has returned instead, if any.
    """
    before = copy.deepcopy(table)
    answer = function(table, *step)
    changed = {key: row for key, row in table.items() if plain(row) != before.get(key)}
    if changed or answer is None or _is_in(before, answer):
        return changed
    return {"returned": answer}


def _is_in(table: dict, answer: Any) -> bool:
    """Whether an answer is a table, or one of its values."""
    rows = [row.values() if isinstance(row, dict) else row for row in table.values()]
    return alike(answer, table) or any(alike(answer, value) for row in rows for value in row)


def changes_in_words(changed: Any) -> str:
    """What `changes` has found, for a message, after "your function changed"."""
    if not changed:
        return "nothing"
    if "returned" in changed:
        return f"nothing, and returned {shown(changed['returned'])}"
    return shown(changed)


# How exercises that change a table are tried
CHANGES = {"run": changes, "unchanged": False, "made": "changed", "answer_in_words": changes_in_words}

# --- errors as text -------------------------------------------------------------------------------------


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
    >>> error_in_words(NameError("name 'np' is not defined", name="np"))
    "NameError: name 'np' is not defined. First write `import numpy as np`."
    """
    words = name_and_message(error).rstrip()
    words = words if words.endswith((".", "!", "?")) else f"{words}."
    if isinstance(error, NameError) and error.name in IMPORTS:
        return f"{words} First write `{IMPORTS[error.name]}`."
    meant = name_meant(error)
    return f"{words} Did you mean `{meant}`?" if meant else words


def failure(error: BaseException) -> Outcome:
    """The outcome of a call that raised, with words that follow "For ...".

    Examples
    --------
    >>> failure(KeyError("a")).words
    "your function raised KeyError: 'a'."
    """
    if isinstance(error, Changed):
        return Outcome(error.answer, words=str(error), to_copy=how_to_copy(error.given))
    if isinstance(error, Wrong):
        return Outcome(words=str(error))
    name = type(error).__name__
    if name == "BdbQuit" or _is_in_debugger(error):
        return Outcome(words=BREAKPOINT)
    if lacks_keyboard(error):
        return Outcome(words=CALLED_INPUT)
    return Outcome(words=f"your function raised {error_in_words(error)}", error=name, line=line_of_cell(error))


def lacks_keyboard(error: BaseException) -> bool:
    """Whether this is the error of a function that called `input` where there is no keyboard."""
    return type(error).__name__ in ("EOFError", "StdinNotImplementedError")  # Python's and Jupyter's


def raised_for(case: str, error: BaseException, hints: dict[str, str]) -> Wrong:
    """What is wrong with an answer that raised an error in one case; `hints` as in `hint_of_error`."""
    failed = failure(error)
    return wrong_for(case, failed.words, hint_of_error(failed.words, hints), error=failed.error, line=failed.line)


def _is_in_debugger(error: BaseException) -> bool:
    """Whether an error was raised in a debugger waiting for a command."""
    files = [os.path.basename(frame.f_code.co_filename) for frame, _ in traceback.walk_tb(error.__traceback__)]
    return "bdb.py" in files


def line_of_cell(error: BaseException) -> str:
    """The last line of a notebook cell that an error passed through, for a message; empty if there is none."""
    steps = traceback.walk_tb(error.__traceback__)
    places = [(frame, number) for frame, number in steps if number and source_of_cell(frame)]
    if not places:
        return ""
    outermost, _ = places[0]
    frame, number = places[-1]
    where = "your code"
    if frame.f_code.co_filename != outermost.f_code.co_filename:
        where = f"the cell that defines `{frame.f_code.co_name}`"
    source = linecache.getline(frame.f_code.co_filename, number).strip()
    return f"In line {number} of {where}: {cut(source, LONGEST_LINE)}"
