"""What a wrong answer hints at: a slip in its source, a typical mistake, an answer of the wrong kind, no `return`.

The slip comes first: it names the line to change (`with_slip`). What an error hints at is in `error_hints`.

Of the others nothing is guessed. A mistake is named if it first goes wrong in the same case as the answer, with the same
result, and no other mistake does; a second wrong case must agree, if there is one. If several mistakes agree, the later
cases decide. Small answers, such as 0 and 1, may agree by chance: then more cases must agree, with different answers.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from .error_hints import RETURNED_NONE, hint_of_error
from .function_source import source_of
from .values import Equality, alike, plain, shown
from .verdict import Verdict

if TYPE_CHECKING:
    from .judging import Case, Comparison, Mistake, Outcome, Task

NONE_HERE = (
    "Here it ended without `return`, or the value after its `return` was None. (`print` and `append` return None.)"
)
KEEP_IT = "The lesson still needs what it passes to your function. Work on a copy: {}."
MAKE_A_NEW_ONE = "`{}(old)` makes a new one with the same contents."
TOO_DEEP = (
    "Python allows about 1,000 nested calls. Is there a case that it answers without calling itself, "
    "and does each call come closer to it? (If there are simply very many calls, use a loop.)"
)
UNKNOWN_NAME = re.compile(r"name '(\w+)' is not defined\.$")  # and no name is like it
LONGEST_IN_CAPITALS = 2  # letters of an answer in capitals: L, R, LR
ENOUGH = 3  # different small answers in cases that go wrong; a telling one counts as two
ENOUGH_OF_FEW = 24  # more cases, right or wrong, if there are only a few answers, such as True and False


class Tried(NamedTuple):
    """A case, and what an answer led to in it."""

    case: Case
    outcome: Outcome

    def is_wrong(self, comparison: Comparison, with_new: bool = True) -> bool:
        """Whether this is not right; with `with_new`, also if the answer should have been a new list."""
        outcome = self.outcome if with_new else self.outcome._replace(is_argument=False)
        return bool(comparison.refusal(self.case, outcome))


def with_hint(task: Task, wrong: Verdict, tried: list[Tried], function: Callable, cases: Iterator[Case]) -> Verdict:
    """Return the verdict about a wrong answer with a hint, or with praise if the answer is better than asked for.

    Parameters
    ----------
    task : Task
    wrong : Verdict
    tried : list of Tried
        The cases up to the one that went wrong.
    function : function
        The answer.
    cases : iterator of Case
        The other cases; they are tried only if needed.
    """
    case, outcome = tried[-1]
    comparison = task.comparison
    later = (Tried(each, comparison.attempt(function, each.arguments)) for each in cases)
    known = mistake_of(task, tried, later)
    if known and known.is_better:
        praise = (f", and better than asked for. {known.sentence}",)
        return Verdict(task.exercise, True, praise, headline="Right", better=True)
    if known:
        return replace(wrong, hint=known.sentence)
    hint = hint_of_kind(comparison, case, outcome)
    if not hint and not outcome.words and outcome.answer is None:
        hint = hint_about_none(tried, cases, source_of(function).returns)
    return replace(wrong, hint=hint)


def with_slip(verdict: Verdict, slip: str) -> Verdict:
    """A verdict with the slip in the source of the answer, if there is one and the answer is not right, as its hint."""
    return replace(verdict, hint=slip) if slip and not verdict.right else verdict


# --- typical mistakes -----------------------------------------------------------------------------------


def mistake_of(task: Task, tried: list[Tried], later: Iterator[Tried]) -> Mistake | None:
    """The one known mistake that an answer makes; None if there is no such mistake, or more than one.

    Further cases are taken from `later` as needed and added to `tried`.
    """
    comparison = task.comparison
    last = tried[-1]
    if not last.outcome.words and not last.is_wrong(comparison, with_new=False):
        return None
    number = len(tried) - 1
    found = [each for each in task.mistakes if comparison.same(last.outcome, each.outcomes[number])]
    is_one_of_few = comparison.few or isinstance(plain(last.outcome.answer), bool | None)
    if last.outcome.words:
        missing = 1
    elif any(each.is_better for each in found):
        missing = math.inf
    elif is_one_of_few:
        missing = ENOUGH_OF_FEW
    else:
        missing = ENOUGH - _weight(last)
    found = [each for each in found if _agrees(comparison, each, tried)]
    while found and (missing > 0 or len(_sentences(found)) > 1):
        following = next(later, None)
        if following is None:
            break
        tried.append(following)
        number += 1
        found = [each for each in found if comparison.same(following.outcome, each.outcomes[number])]
        if is_one_of_few:
            missing -= 1
        elif following.is_wrong(comparison) and not _is_repeated(tried):
            missing -= _weight(following)
    return found[0] if len(_sentences(found)) == 1 else None


def _sentences(mistakes: list[Mistake]) -> set[str]:
    return {each.sentence for each in mistakes}


def _agrees(comparison: Comparison, mistake: Mistake, tried: list[Tried]) -> bool:
    """Whether a mistake gives what the answer gives in all these cases."""
    return all(comparison.same(each.outcome, known) for each, known in zip(tried, mistake.outcomes))


def _weight(tried: Tried) -> int:
    """How much it means that a mistake gives the same answer."""
    outcome = tried.outcome
    if outcome.words:
        return ENOUGH
    answer = plain(outcome.answer)
    if not _is_something(answer):
        return 0
    is_an_argument = any(alike(answer, argument) for argument in tried.case.arguments)
    return 1 if is_an_argument or not _is_telling(answer) else 2


def _is_repeated(tried: list[Tried]) -> bool:
    """Whether the last answer has been given before instead of the same right one, so that it says nothing new."""
    *before, last = ((each.outcome.answer, each.case.expected) for each in tried)
    return any(alike(last, each) for each in before)


def _is_something(answer: Any) -> bool:
    """Whether an answer is, or holds, anything but 0, False, None and empty lists."""
    if isinstance(answer, dict):
        answer = list(answer.values())
    return any(map(_is_something, answer)) if isinstance(answer, list | tuple) else bool(answer)


def _is_telling(answer: Any) -> bool:
    """Whether an answer is more than a small number, a short text, or a list of hardly anything else.

    Examples
    --------
    >>> _is_telling(3), _is_telling(33.3), _is_telling([[0]]), _is_telling([2, 1]), _is_telling("L")
    (False, True, False, True, False)
    """
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, list | tuple):
        return any(map(_is_telling, answer)) or len(answer) > 1 and any(answer)
    if isinstance(answer, int | float):
        return answer not in range(-1, 10)
    return isinstance(answer, str | bytes) and len(answer) > 2


# --- answers of the wrong kind --------------------------------------------------------------------------


def hint_of_kind(comparison: Comparison, case: Case, outcome: Outcome) -> str:
    """What to say about an answer of the wrong kind, whatever the exercise; empty if nothing."""
    if outcome.to_copy:
        return KEEP_IT.format(outcome.to_copy)
    if outcome.error == "RecursionError":
        return TOO_DEEP
    if outcome.words:
        return hint_of_error(outcome.words, {}) or _hint_about_name(outcome.words, case.expected)
    if comparison.accept:
        return ""
    answer = outcome.answer
    if not Tried(case, outcome).is_wrong(comparison, with_new=False):
        return MAKE_A_NEW_ONE.format(type(answer).__name__)
    expected = plain(case.expected)
    value = plain(answer)
    if isinstance(answer, types.FunctionType | types.MethodType | types.BuiltinFunctionType):
        return "That is a function: call it, with brackets after its name."
    if isinstance(answer, types.GeneratorType | map | filter | zip | reversed):
        return "That yields its items one by one: put `list(...)` around it."
    if isinstance(value, str) and not isinstance(expected, str) and value == shown(expected):
        return f"{shown(answer)} is text. Return {shown(expected)}, without quotes."
    if isinstance(value, str) and isinstance(expected, str) and expected.isupper():
        if value.isupper() and len(value) <= LONGEST_IN_CAPITALS:
            return ""
        return f"Return only what the task names, in capital letters, such as {shown(expected)}."
    if isinstance(expected, list | tuple):
        return _hint_about_list(comparison, answer, expected)
    if isinstance(value, bool) and isinstance(expected, int | float) and not isinstance(expected, bool):
        return "That is True or False, and a number was asked for."
    if isinstance(expected, float) and value and comparison.alike(value, 100 * expected):
        return "That is a percentage. A share goes from 0 to 1: leave out the 100."
    if isinstance(value, tuple) and len(value) == 1 and comparison.alike(value[0], expected):
        return "That is a tuple with one item. Is there a comma at the end of the line?"
    if isinstance(value, list) and len(value) == 1 and comparison.alike(value[0], expected):
        return f"That is a list. Return {shown(expected)} itself."
    return ""


def _hint_about_name(words: str, expected: Any) -> str:
    """What to say about an unknown name where a text is asked for; empty if nothing."""
    unknown = UNKNOWN_NAME.search(words)
    if not unknown or not isinstance(expected, str):
        return ""
    return f'If a text is meant, put it in quotes: `"{unknown[1]}"`.'


def _hint_about_list(comparison: Comparison, answer: Any, expected: list | tuple) -> str:
    kind = type(expected).__name__
    if isinstance(answer, bool | int | float | str):
        return f"A {kind} was asked for, and that is a single value."
    if isinstance(answer, set | frozenset):
        return f"A {kind} was asked for, and that is a set."
    if isinstance(answer, dict):
        return f"A {kind} was asked for, and that is a dictionary."
    answer = plain(answer)
    if not isinstance(answer, list | tuple) or len(answer) != len(expected):
        return ""
    lists_as_well = Equality(comparison.near, comparison.any_order)
    if comparison.tuples and lists_as_well.alike(answer, expected):
        return "The values are right, but a list is not a tuple: put `tuple(...)` around it."
    filled = [item if alike(wanted, math.nan) else wanted for item, wanted in zip(answer, expected)]
    if comparison.alike(answer, filled):
        return "Where `nan` is expected there is no number yet: put `float('nan')` there."
    return ""


# --- nothing returned -----------------------------------------------------------------------------------


def hint_about_none(tried: list[Tried], cases: Iterator[Case], returns: bool) -> str:
    """What to say about None as an answer; empty if it is right elsewhere, and other answers are returned too.

    `cases` are those that were not tried, and `returns` says whether a value comes after some `return`.
    """
    if not returns and all(each.outcome.answer is None for each in tried):
        return RETURNED_NONE
    expected = chain((each.case.expected for each in tried), (each.expected for each in cases))
    return "" if None in expected else NONE_HERE
