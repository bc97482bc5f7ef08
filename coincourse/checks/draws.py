"""Random answers: a function draws many times from a seeded generator, and its draws are counted."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from .judging import ENDLESS, Wrong, none_of
from .values import Equality, plain, shown

DRAWS = 600  # enough to tell a fair draw from an unfair one
DRAWS_AGAIN = 60  # enough to tell whether the same generator leads to the same draws
SEED = 1
IN_ANY_ORDER = Equality(any_order=True)


class Shares(dict):
    """How often each thing was drawn, as a share of all draws; and whether anything came from the generator."""

    used_generator = True


def draws_in_words(answer) -> str:
    """The shares of what was drawn, or an answer that cannot be drawn: what follows "your function returned".

    Examples
    --------
    >>> draws_in_words(Shares({"2": 0.75, "1": 0.25})), draws_in_words([7])
    ('in 600 draws 1 (25 %), 2 (75 %)', '[7]')
    """
    if not isinstance(answer, Shares):
        return shown(answer)
    shares = [f"{thing} ({100 * share:.0f} %)" for thing, share in sorted(answer.items())]
    return f"in {DRAWS} draws {', '.join(shares)}"


def by_chance(can_be_drawn: Callable[..., list]) -> dict[str, Any]:
    """How to try a function that draws from a generator, its last parameter: attributes of an `Exercise`.

    Parameters
    ----------
    can_be_drawn : function (*arguments) -> list
        All answers that can be drawn; one that is twice as likely is listed twice.

    Examples
    --------
    >>> from coincourse.checks.engine import exercise
    >>> @exercise(cases=[(2,), (6,)], given="a die of {} sides", praise="for two dice",
    ...     **by_chance(lambda sides: list(range(1, sides + 1))))
    ... def throw(sides, generator):
    ...     return generator.integers(1, sides + 1)
    >>> throw(lambda sides, generator: sides)
    ✗ For a die of 2 sides your function returned in 600 draws 2 (100 %). Expected 1 in about 50 % of them.
      Nothing was drawn from `generator`.
    >>> throw(lambda sides, generator: generator.integers(sides + 1))
    ✗ For a die of 2 sides your function returned 0. Expected 1 or 2.
    """
    run = functools.partial(draw_often, can_be_drawn)
    accept = functools.partial(about_draws, can_be_drawn)
    comparison = {"run": run, "accept": accept, "answer_in_words": draws_in_words}
    # Two functions that draw alike give nearly the same shares
    return comparison | {"near": 0.1, "slow": f"The check calls it {DRAWS} times. {ENDLESS}"}


def draw_often(can_be_drawn: Callable[..., list], function: Callable, *arguments):
    """The shares of what a function has drawn; or the first answer that cannot be drawn."""
    things = can_be_drawn(*arguments)
    meanings: dict[str, str | None] = {}  # of what was drawn before
    drawn = []
    for draws in (DRAWS, DRAWS_AGAIN):
        generator = np.random.default_rng(SEED)
        for _ in range(draws):
            answer = function(*arguments, generator)
            words = repr(plain(answer))
            if words not in meanings:
                meanings[words] = meaning_of(answer, things)
            thing = meanings[words]
            if thing is None:  # this answer is wrong, whatever comes after it
                return answer
            drawn.append(thing)
    first, again = drawn[:DRAWS], drawn[DRAWS:]
    if again != first[:DRAWS_AGAIN]:
        raise Wrong(
            "your function gave different draws the second time, with the same seed: draw from `generator` alone."
        )
    shares = Shares({thing: times / DRAWS for thing, times in Counter(first).items()})
    shares.used_generator = generator.random() != np.random.default_rng(SEED).random()
    return shares


def about_draws(can_be_drawn: Callable[..., list], answer, expected, *arguments) -> str:
    """What is wrong with the shares of what was drawn, or with an answer that cannot be drawn; empty if nothing is."""
    things = can_be_drawn(*arguments)
    return unlikely_share(answer, things) if isinstance(answer, Shares) else none_of(answer, things)


def meaning_of(answer, things: list) -> str | None:
    """The name of the thing that was drawn; None if the answer cannot be drawn."""
    for thing in things:
        if IN_ANY_ORDER.alike(answer, thing):
            return shown(thing)
    return None


def unlikely_share(shares: Shares, things: list) -> str:
    """Which thing came up too often or too rarely; empty if none did."""
    likely = Counter(map(shown, things))
    for thing, times in sorted(likely.items()):
        share = times / likely.total()
        deviation = math.sqrt(share * (1 - share) / DRAWS)
        if abs(shares.get(thing, 0.0) - share) > 6 * deviation:
            own = "" if shares.used_generator else " Nothing was drawn from `generator`."
            return f"Expected {thing} in about {100 * share:.0f} % of them.{own}"
    return ""
