"""Lesson 04, hats: the chance of a ball, what a game does to the balls, a whole game, and the draw."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from coinlib.arguments import counted

from .core import NO_RETURN, Case, Wrong, call, refusal, report, same, shown

DRAWS = 2_000  # so many that a fair draw is told from one that is not


def chance(function: Callable) -> None:
    """Check ``(balls, sticks, number) -> share``: how likely a hat is to play `number` with so many sticks left.

    Parameters
    ----------
    function : function (list of int, int, int) -> float from 0 to 1
        The student's answer.

    Examples
    --------
    >>> chance(lambda balls, sticks, number: balls.count(number) / len(balls))
    ✗ For the balls [1, 2, 3], 2 sticks left and number 1 your function returned 0.3333333333333333; expected 0.5.
    Balls that cannot be played go straight back: count only those that are not larger than the sticks.
    """
    tried = [([1, 2, 3], 7, 2), ([1, 2, 3, 3], 4, 3), ([1, 2, 3, 3], 4, 1), ([1, 1, 2, 2, 2, 3], 9, 2)]
    tried += [([1, 2, 3], 2, 1), ([1, 1, 1, 2, 3], 2, 1), ([1, 2, 3], 1, 1), ([1, 2, 3], 2, 3), ([1, 2, 3], 3, 3)]
    cases = []
    for balls, sticks, number in tried:
        legal = [ball for ball in balls if ball <= sticks]
        given = f"the balls {balls}, {counted(sticks, 'stick')} left and number {number}"
        cases.append(Case((balls, sticks, number), round(legal.count(number) / len(legal), 3), given))
    praise = "for full hats, and for low hats in which some balls are never played"
    _check(function, cases, praise, lambda answer: round(float(answer), 3), _about_chance)


def settle(function: Callable) -> None:
    """Check ``(balls, drawn, won) -> balls``: what a hat holds after the game is over.

    Parameters
    ----------
    function : function (list of int, int, bool) -> list of int, in any order
        The student's answer; `balls` is the hat without the drawn ball, and must stay as it is.

    Examples
    --------
    >>> settle(lambda balls, drawn, won: balls + [drawn])
    ✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your function returned [2, 3, 1]; expected
    [1, 1, 2, 3]. That is one ball too few: the drawn ball goes back together with a new one of the same number.
    """
    cases = []
    for hat in ([1, 2, 3], [1, 2, 2, 3], [1, 1, 2, 3], [1, 2, 3, 3, 3]):
        for drawn in (1, 2, 3):
            balls = hat.copy()
            balls.remove(drawn)
            for won in (True, False):
                given = f"balls {balls} in the hat, a {drawn} beside it and a game that was {_outcome(won)}"
                cases.append(Case((balls, drawn, won), _settled(balls, drawn, won), given))
    cases.sort(key=lambda case: len(case.arguments[0]))
    anew = "Make a new list: `balls + [drawn]` does, `balls.append(drawn)` does not."
    _check(function, cases, "for wins, losses and last balls", sorted, _about_settling, anew)


def settle_game(function: Callable) -> None:
    """Check ``(hats, beside, won) -> hats``: all hats after a game, settled one by one.

    Parameters
    ----------
    function : function (dict of int to list, dict of int to int, bool) -> dict of int to list
        The student's answer; its arguments must stay as they are.

    Examples
    --------
    >>> settle_game(lambda hats, beside, won: hats)
    ✗ For hats {4: [1, 2], 7: [1, 3]}, beside {4: 3, 7: 2} and a game that was won your function returned
    {4: [1, 2], 7: [1, 3]}; expected {4: [1, 2, 3, 3], 7: [1, 2, 2, 3]}. Look at hat 4: The drawn ball is missing: it
    goes back, and a new one of the same number with it.
    """
    tried = [
        ({4: [1, 2], 7: [1, 3]}, {4: 3, 7: 2}, True),
        ({4: [1, 3, 3], 7: [1, 2, 3]}, {4: 2, 7: 2}, False),
        ({1: [2, 3], 4: [1, 2], 7: [1, 3]}, {4: 3}, True),
        ({1: [2, 3], 4: [1, 3, 3], 7: [1, 2, 3]}, {1: 1, 4: 2, 7: 2}, False),
        ({2: [1, 2, 3], 3: [1, 2, 3]}, {}, False),
    ]
    cases = []
    for hats, beside, won in tried:
        after = {
            hat: _settled(balls, beside[hat], won) if hat in beside else sorted(balls) for hat, balls in hats.items()
        }
        given = f"hats {hats}, beside {beside} and a game that was {_outcome(won)}"
        cases.append(Case((hats, beside, won), after, given))
    praise = "for every hat that was used, and the others are as they were"
    anew = "Begin with a copy, `dict(hats)`, and give each used hat a new list."
    _check(function, cases, praise, _sorted_hats, _about_game, anew)


def draw(function: Callable) -> None:
    """Check ``(balls, sticks, generator) -> (ball, rest)``: a legal ball, and the hat without it.

    Parameters
    ----------
    function : function (list of int, int, numpy.random.Generator) -> pair of int and list of int
        The student's answer; `balls` must stay as it is.

    Examples
    --------
    >>> draw(lambda balls, sticks, generator: (balls[0], balls[1:]))
    ✗ In 2,000 draws from [1, 2, 2, 2, 3] with 7 sticks left your function drew the 1 in 2,000 of them; expected about 400.
    Each of the 5 balls must be equally likely.
    """

    def judge() -> str:
        for balls, sticks in (([1, 2, 3], 1), ([1, 2, 3], 2), ([1, 2, 3, 3], 4), ([1, 1, 2, 3, 3], 2)):
            for seed in range(30):
                _draws(function, balls, sticks, seed, 1)
        for balls, sticks in (([1, 2, 2, 2, 3], 7), ([1, 1, 1, 2, 3], 2)):
            _check_shares(balls, sticks, _draws(function, balls, sticks, 1, DRAWS))
        if _draws(function, [1, 2, 3], 7, 5, 50) != _draws(function, [1, 2, 3], 7, 5, 50):
            raise Wrong(
                "Two generators with the same seed gave different draws. "
                "Draw from the generator that is passed in, and from nothing else."
            )
        return "Right: every ball that can be played is equally likely, and all others stay in the hat."

    report(function, judge)


# --- what is right ---------------------------------------------------------------------------------------


def _settled(balls: list[int], drawn: int, won: bool) -> list[int]:
    """One hat after a game."""
    back = 2 if won else int(drawn not in balls)
    return sorted(balls + back * [drawn])


def _outcome(won: bool) -> str:
    return "won" if won else "lost"


def _sorted_hats(hats) -> dict:
    return {hat: sorted(balls) for hat, balls in hats.items()}


# --- how it is tried -------------------------------------------------------------------------------------


def _check(
    function, cases: list[Case], praise: str, read: Callable[[Any], Any], about: Callable[..., str], anew: str = ""
) -> None:
    """Try a function case by case, on arguments that must stay as they are.

    ``about(arguments, expected, answer)`` says what a wrong answer shows, and `anew` how to
    make something new.
    """

    def judge() -> str:
        for case in cases:
            answer, after = _answer(function, case.arguments, case.given)
            changed = _first_changed(case.arguments, after)
            if answer is None:
                hint = NO_RETURN
                if changed:
                    hint = f"But it changed {changed}. `append` and `remove` work on the list itself and give None."
                raise Wrong(refusal(case.given, answer, case.expected, hint))
            if not same(answer, case.expected, read):
                raise Wrong(refusal(case.given, answer, case.expected, _safely(about, read, case, answer)))
            if changed:
                raise Wrong(f"For {case.given} your answer is right, but your function also changed {changed}. {anew}")
        return f"Right, {praise}. ({len(cases)} cases tried)"

    report(function, judge)


def _answer(function, arguments: tuple, given: str) -> tuple[Any, tuple]:
    """What a function answers, and what its own copy of the arguments looks like afterwards."""
    mine = copy.deepcopy(arguments)
    return call(lambda: function(*mine), (), given), mine


def _first_changed(before: tuple, after: tuple) -> str:
    """Which argument was changed, in words, or ""."""
    for was, now in zip(before, after):
        if was != now:
            return f"what it was given, from {shown(was)} to {shown(now)}"
    return ""


def _safely(about: Callable[..., str], read: Callable[[Any], Any], case: Case, answer) -> str:
    """What an answer shows; nothing if it cannot even be read."""
    try:
        return about(case.arguments, case.expected, read(answer))
    except Exception:  # noqa: BLE001 - an answer can have any form
        return ""


def _about_chance(arguments: tuple, expected: float, answer: float) -> str:
    balls, sticks, number = arguments
    if not 0 <= answer <= 1:
        return "A chance is a share: it lies between 0 and 1."
    smaller = [ball for ball in balls if ball < sticks]
    if smaller and answer == round(smaller.count(number) / len(smaller), 3):
        return f"A {sticks} can be played with {counted(sticks, 'stick')} left: only larger balls go straight back."
    if answer == balls.count(number) != 0:
        return "That is how many such balls there are. A share is this number divided by how many can be played."
    if number > sticks:
        return f"A {number} cannot be played with {counted(sticks, 'stick')} left, so its chance is 0."
    if answer == round(balls.count(number) / len(balls), 3):
        return "Balls that cannot be played go straight back: count only those that are not larger than the sticks."
    if answer == round(1 / len({ball for ball in balls if ball <= sticks}), 3):
        return "Each ball is equally likely, not each number: count the balls."
    if abs(answer - expected) < 0.05:
        return "Nearly. Do not round: return the share as it is."
    return ""


def _about_settling(arguments: tuple, expected: list[int], answer: list[int]) -> str:
    """What a wrong list shows about the rule that was misread."""
    balls, drawn, won = arguments
    goes_in = {number: answer == sorted(balls + number * [drawn]) for number in range(4)}
    if won and goes_in[0]:
        return "The drawn ball is missing: it goes back, and a new one of the same number with it."
    if won and goes_in[1]:
        return "That is one ball too few: the drawn ball goes back together with a new one of the same number."
    if won and goes_in[3]:
        return "That is one ball too many: two balls go in, the drawn one and one new one."
    if not won and goes_in[2]:
        return "That is what happens after a win."
    if not won and drawn not in balls and goes_in[0]:
        return f"It was the last {drawn}. The last ball of a number always goes back."
    if not won and drawn in balls and goes_in[1]:
        return f"That is one ball too many: there is another {drawn} in the hat, so the drawn one is thrown away."
    if not won and answer == sorted(set(balls)):
        return f"Only one ball is thrown away, the one beside the hat; every other {drawn} stays."
    if len(answer) < len(expected):
        return "Balls are missing: only the ball beside the hat may be thrown away."
    return ""


def _about_game(arguments: tuple, expected: dict, answer: dict) -> str:
    """Which hat is wrong, and why."""
    hats, beside, won = arguments
    for hat, balls in hats.items():
        if hat not in answer:
            return f"Hat {hat} is missing: the hats that were not used must still be there."
        if answer[hat] != expected[hat] and hat not in beside:
            return f"No ball lies beside hat {hat}, so it stays as it was."
        if answer[hat] != expected[hat] and answer[hat] == sorted(balls) and list(beside).index(hat) > 0:
            return f"Hat {hat} was not settled. Does `return` stand inside the loop?"
        if answer[hat] != expected[hat]:
            why = _about_settling((balls, beside[hat], won), expected[hat], answer[hat])
            return f"Look at hat {hat}: {why}" if why else f"Look at hat {hat}."
    return ""


def _draws(function, balls: list[int], sticks: int, seed: int, count: int) -> list[int]:
    """The balls that a student's function draws; `Wrong` if one of them, or the rest of the hat, cannot be."""
    generator = np.random.default_rng(seed)
    return [_one_draw(function, balls, sticks, generator) for _ in range(count)]


def _one_draw(function, balls: list[int], sticks: int, generator: np.random.Generator) -> int:
    given = f"the balls {balls} with {counted(sticks, 'stick')} left"
    mine = balls.copy()
    answer = call(lambda: function(mine, sticks, generator), (), given)
    said = f"For {given} your function returned {shown(answer)}"
    try:
        ball, rest = answer
        ball, rest = int(ball), sorted(rest)
    except (TypeError, ValueError):
        hint = NO_RETURN if answer is None else "Return both: `return ball, rest`."
        raise Wrong(f"{said}; expected a pair: the drawn ball, and the list of the other balls. {hint}") from None
    if ball not in balls:
        raise Wrong(f"{said}; there is no ball {ball} in this hat.")
    if ball > sticks:
        raise Wrong(f"{said}; a {ball} cannot be played here. It goes straight back, and another ball is drawn.")
    left = balls.copy()
    left.remove(ball)
    if rest != left:
        raise Wrong(f"{said}; the hat should be left with {left}. {_about_rest(balls, ball, sticks, rest)}".strip())
    if mine != balls:
        raise Wrong(
            f"{said}, which is right, but your function also changed the list that it was given, from {balls} to {mine}. "
            "Make a new list, for example with `balls.copy()`."
        )
    return ball


def _about_rest(balls: list[int], ball: int, sticks: int, rest: list[int]) -> str:
    """What a wrong rest shows."""
    if rest == sorted(balls):
        return f"The drawn {ball} lies beside the hat now; it is no longer in it."
    out = Counter(balls) - Counter(rest)
    out[ball] -= 1
    kept = sorted(number for number in out.elements() if number > sticks)
    if kept:
        return f"A {kept[0]} was drawn and could not be played: it goes straight back, but here it is missing."
    if ball not in rest and balls.count(ball) > 1:
        return f"Only one {ball} was drawn; the others stay in the hat."
    return ""


def _check_shares(balls: list[int], sticks: int, drawn: list[int]) -> None:
    """`Wrong` unless each ball that can be played came about equally often."""
    legal, times = [ball for ball in balls if ball <= sticks], Counter(drawn)
    for number in sorted(set(legal)):
        share = legal.count(number) / len(legal)
        spread = 6 * math.sqrt(DRAWS * share * (1 - share))  # six standard deviations
        if abs(times[number] - DRAWS * share) > spread:
            what = f"Each of the {len(legal)} balls" + ("" if legal == balls else " that can be played")
            raise Wrong(
                f"In {DRAWS:,} draws from {balls} with {sticks} sticks left your function drew the {number} "
                f"in {times[number]:,} of them; expected about {DRAWS * share:,.0f}. {what} must be equally likely."
            )
