"""Lesson 00, start here: a legal number, a first function, a first decision."""

from __future__ import annotations

from coinlib.arguments import counted
from coinlib.games import IllegalMove, sticks

from .core import Case, Wrong, check_cases, report, shown

HEAP = sticks(7, max_pick=3, misere=True)


def first_move(count) -> None:
    """Say whether `count` sticks can be taken from seven, or which error the game would raise.

    Parameters
    ----------
    count : object
        The student's number.

    Examples
    --------
    >>> first_move(5)
    ✗ IllegalMove: row 0 holds 7 coins; asked to take 5 (legal: 1 to 3)
    >>> first_move(2)
    ✓ Legal: 2 taken from 7, and 5 sticks are left.
    """

    def judge() -> str:
        if isinstance(count, bool) or not isinstance(count, int):
            raise Wrong(f"my_move should be a whole number such as 2; it is {shown(count)}.")
        try:
            (left,) = HEAP.play(HEAP.start, count)
        except IllegalMove as error:
            raise Wrong(f"IllegalMove: {error}") from None
        return f"Legal: {count} taken from 7, and {counted(left, 'stick')} are left."

    report(judge, judge)


def sticks_left(function) -> None:
    """Check ``sticks_left(before, taken)``: how many sticks lie there after a move.

    Parameters
    ----------
    function : function (int, int) -> int
        The student's answer.

    Examples
    --------
    >>> sticks_left(lambda before, taken: before - taken)
    ✓ Right, for every move from 1 to 20 sticks. (57 cases tried)
    >>> sticks_left(lambda before, taken: taken - before)
    ✗ For 2 sticks of which 1 is taken your function returned -1; expected 1. Which of the two numbers is larger?
    """
    cases = [
        Case((before, taken), before - taken, _taken(before, taken), _sign(before, taken))
        for before in [*range(2, 21), 1]  # 1 − 1 is the same in either order, so it comes last
        for taken in range(1, min(3, before) + 1)
    ]
    check_cases(function, cases, "for every move from 1 to 20 sticks")


def _taken(before: int, taken: int) -> str:
    return f"{counted(before, 'stick')} of which {taken} {'is' if taken == 1 else 'are'} taken"


def _sign(before: int, taken: int) -> str:
    return "Which of the two numbers is larger?" if before > taken else "Nothing is left: 0."


def finish(function) -> None:
    """Check ``finish(left)``: leave one stick where that is possible, otherwise take one.

    Parameters
    ----------
    function : function (int) -> int
        The student's answer.

    Examples
    --------
    >>> finish(lambda left: left - 1 if 2 <= left <= 4 else 1)
    ✓ Right, with 2, 3 and 4 sticks, and everywhere else. (20 cases tried)
    >>> finish(lambda left: left - 1)
    ✗ For 1 stick your function returned 0; expected 1. One stick must be taken, even if it is the last.
    """

    def hint(left: int) -> str:
        if left == 1:
            return "One stick must be taken, even if it is the last."
        if left <= 4:
            return f"If you take {left - 1}, one stick is left, and the other player must take it."
        return f"No move of 1 to 3 leaves one of {left} sticks; the exercise then asks for 1 (lesson 03 asks for more)."

    cases = [
        Case((left,), left - 1 if 2 <= left <= 4 else 1, counted(left, "stick"), hint(left)) for left in range(1, 21)
    ]
    check_cases(function, cases, "with 2, 3 and 4 sticks, and everywhere else")
