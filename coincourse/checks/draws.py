"""Answers by chance: a function draws many times from a seeded generator, and its draws are counted."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from .engine import Wrong, alike, one_of, shown

DRAWS = 600  # so many that a fair draw is told from one that is not
SEED = 1


class Shares(dict):
    """How often each thing came, as a share of all draws."""

    def __repr__(self) -> str:
        shares = (f"{thing} ({100 * share:.0f} %)" for thing, share in sorted(self.items()))
        return f"in {DRAWS} draws {', '.join(shares)}"


def by_chance(can_be_drawn: Callable[..., list]) -> dict[str, Any]:
    """How to try a function that draws from a generator, its last parameter: attributes of an `Exercise`.

    Parameters
    ----------
    can_be_drawn : function (*arguments) -> list
        All answers that can be drawn; one that is twice as likely stands there twice.

    Examples
    --------
    >>> from coincourse.checks.engine import exercise
    >>> @exercise(cases=[(2,), (6,)], given="a die of {} sides", praise="for two dice",
    ...     **by_chance(lambda sides: list(range(1, sides + 1))))
    ... def throw(sides, generator):
    ...     return generator.integers(1, sides + 1)
    >>> throw(lambda sides, generator: sides)
    ✗ For a die of 2 sides your function returned in 600 draws 2 (100 %). Expected 1 in about 50 % of them.
    >>> throw(lambda sides, generator: generator.integers(sides + 1))
    ✗ For a die of 2 sides your function returned 0. Expected 1 or 2.
    """
    right = one_of(can_be_drawn)

    def run(function, *arguments):
        """The shares of what was drawn; or the first of all wrong answers, in order of their words."""
        start, drawn = copy.deepcopy(arguments), []
        for generator in (np.random.default_rng(SEED), np.random.default_rng(SEED)):
            for _ in range(DRAWS):
                drawn.append(function(*arguments, generator))
                if arguments != start:
                    return drawn[-1]
        meant = {}  # an answer in words: what it is among all that can be drawn
        for answer in sorted(drawn, key=shown):
            if shown(answer) not in meant:
                same = [thing for thing in can_be_drawn(*start) if alike(answer, thing, any_order=True)]
                if not same:
                    return answer
                meant[shown(answer)] = shown(same[0])
        things = [meant[shown(answer)] for answer in drawn]
        if things[:DRAWS] != things[DRAWS:]:
            raise Wrong("your function drew other things when asked again: draw from `generator` alone.")
        return Shares({thing: times / len(things) for thing, times in Counter(things).items()})

    def accept(answer, expected, *arguments) -> str:
        if not isinstance(answer, Shares):
            return right(answer, expected, *arguments)
        likely = Counter(map(shown, can_be_drawn(*arguments)))
        for thing, times in sorted(likely.items()):
            share = times / likely.total()
            spread = 6 * math.sqrt(share * (1 - share) / DRAWS)  # six standard deviations
            if abs(answer.get(thing, 0.0) - share) > spread:
                return f"Expected {thing} in about {100 * share:.0f} % of them."
        return ""

    # Two functions that draw alike give nearly the same shares
    return {"run": run, "accept": accept, "near": 0.1}
