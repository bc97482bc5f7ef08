"""How an answer is tried: one case after another, against the clock, with words for what went wrong."""

from __future__ import annotations

import copy
import ctypes
import operator
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

SECONDS = 5.0  # an answer that takes longer is given up
NO_RETURN = "Does it hand its answer back with `return`?"


class Wrong(Exception):
    """What is wrong with an answer, in words for the student."""


@dataclass(frozen=True)
class Case:
    """One thing to try: what goes in, what should come out, and how to say it.

    Attributes
    ----------
    arguments : tuple
        What the student's function is called with.
    expected : object
        What it should return.
    given : str
        The case in words, to stand after "For": "a row of 2 and at most 3".
    hint : str
        What to think about when the answer is wrong; may be empty.
    """

    arguments: tuple
    expected: Any
    given: str
    hint: str = ""


def report(function, judge: Callable[[], str]) -> None:
    """Print ✓ with what `judge` says, or ✗ with what is wrong; never raise, never hang.

    Parameters
    ----------
    function : object
        The student's answer; anything that cannot be called is said to be so.
    judge : function () -> str
        Tries the answer; returns praise, or raises `Wrong`.

    Examples
    --------
    >>> report(len, lambda: "Right.")
    ✓ Right.
    >>> report(3, lambda: "Right.")
    ✗ Give the check a function, without brackets: expected a function, got 3.
    """
    if not callable(function):
        _say(f"✗ Give the check a function, without brackets: expected a function, got {shown(function)}.")
        return
    try:
        words = f"✓ {_in_time(judge)}"
    except Wrong as wrong:
        words = f"✗ {wrong}"
    _say(words)


def _say(words: str) -> None:
    """Print, also on a terminal that knows neither ✓ nor ✗ nor the letters that somebody's function returned."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        words.encode(encoding)
    except UnicodeEncodeError:
        plain = words.replace("✓", "[right]").replace("✗", "[not yet]")
        words = plain.encode(encoding, "replace").decode(encoding)
    print(words)


Explain = Callable[[Case, Any], str]  # what a wrong answer shows, in words; "" where nothing is known


def check_cases(
    function,
    cases: Iterable[Case],
    praise: str,
    read: Callable[[Any], Any] = lambda answer: answer,
    explain: Explain | None = None,
    ask: Callable[[Any, Case], Any] | None = None,
) -> None:
    """Try a function on cases, the smallest first, and say in words how it did.

    Parameters
    ----------
    function : object
        The student's answer.
    cases : iterable of Case
    praise : str
        What is right, when all is: "for wins, losses and last balls".
    read : function, optional
        Brings an answer into the form of `expected`, so that what is as good counts as right.
    explain : function (Case, answer) -> str, optional
        What a wrong answer shows; the hint of the case if left out. A None that it has no words for
        is asked about `return`.
    ask : function (function, Case) -> answer, optional
        Calls the student's function, where there is more to say about what it raises than `call` does.

    Examples
    --------
    >>> cases = [Case((n,), n * n, f"{n}") for n in (1, 2, 3)]
    >>> check_cases(lambda n: n * n, cases, "for three numbers")
    ✓ Right, for three numbers. (3 cases tried)
    >>> check_cases(lambda n: n, cases, "for three numbers")
    ✗ For 2 your function returned 2; expected 4.
    """
    cases = list(cases)

    def judge() -> str:
        for case in cases:
            answer = ask(function, case) if ask else call(function, case.arguments, case.given)
            missing = answer is None and case.expected is not None
            if not missing and same(answer, case.expected, read):
                continue
            if explain:
                hint = _explained(explain, case, answer) or NO_RETURN * missing
            else:
                hint = "" if missing else _as_text(answer, case.expected) or case.hint
            raise Wrong(refusal(case.given, answer, case.expected, hint))
        return f"Right, {praise}. ({len(cases)} cases tried)"

    report(function, judge)


def call(function, arguments: tuple, given: str):
    """What a student's function answers to its own copy of the arguments; `Wrong` if it raises."""
    try:
        return function(*copy.deepcopy(arguments))
    except Exception as error:
        raise Wrong(f"For {given} your function raised {type(error).__name__}: {error}.") from error


def same(answer, expected, read: Callable[[Any], Any] = lambda answer: answer) -> bool:
    """Whether an answer is the expected one; True does not count as 1, nor an array as a list."""
    try:
        answer = read(answer)
        if isinstance(answer, bool) != isinstance(expected, bool):
            return False
        return bool(answer == expected)
    except Exception:  # noqa: BLE001 - an answer that cannot even be compared is not the expected one
        return False


def refusal(given: str, answer, expected, hint: str = "") -> str:
    """What a wrong answer is told: "For 2 your function returned 2; expected 4.", and a hint."""
    return f"For {given} your function returned {shown(answer)}; expected {shown(expected)}. {hint}".strip()


def whole(answer):
    """NumPy's whole numbers as Python's; True stays what it is, and TypeError for all else, a float too."""
    return answer if isinstance(answer, bool) else operator.index(answer)


def seconds(work: Callable[[], object]) -> float:
    """How long something takes in seconds, at best of two tries."""
    tries = []
    for _ in range(2):
        before = time.perf_counter()
        work()
        tries.append(time.perf_counter() - before)
    return min(tries)


def _explained(explain: Explain, case: Case, answer) -> str:
    try:
        return explain(case, answer)
    except Wrong:  # the student's function was called again, and raised
        raise
    except Exception:  # noqa: BLE001 - an answer of a kind that nobody thought of
        return ""


def _as_text(answer, expected) -> str:
    """What to say where the right answer came in quotes."""
    if isinstance(answer, str) and not isinstance(expected, str) and answer.strip() == str(expected):
        return "That is a text, in quotes. The value itself is asked for."
    return ""


def shown(value) -> str:
    """A value as it stands in a message, cut where it is long."""
    try:
        words = repr(value)
    except Exception:  # noqa: BLE001 - a student's own class may not be printable
        words = f"a {type(value).__name__}"
    return words if len(words) <= 120 else words[:117] + "..."


def _in_time(judge: Callable[[], str]) -> str:
    """What `judge` returns or raises, given up after `SECONDS`; its thread is then ended."""
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["words"] = judge()
        except Wrong as wrong:
            outcome["wrong"] = wrong
        except BaseException as error:  # noqa: BLE001 - exit() and the like in a student's code
            outcome["wrong"] = Wrong(f"Your function could not be tried: it raised {type(error).__name__}.")

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # Python in a browser has no threads: the answer is tried, and cannot be given up
        work()
    else:
        thread.join(SECONDS)
    if thread.is_alive():
        _end(thread)
        raise Wrong(
            f"Your function gave no answer within {SECONDS:g} seconds. Is there a loop that never ends? "
            "Look for a `while` whose condition never changes."
        )
    if "wrong" in outcome:
        raise outcome["wrong"]
    return outcome["words"]


def _end(thread: threading.Thread) -> None:
    """Raise SystemExit in a thread, again and again, in case the code there catches it."""
    for _ in range(20):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
        thread.join(0.05)
        if not thread.is_alive():
            return
