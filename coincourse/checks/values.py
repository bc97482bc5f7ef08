"""Students' values: as plain Python values, in a message, and whether two are the same.

This file needs nothing but the standard library.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .verdict import cut

ADDRESS = re.compile(" at 0x[0-9A-Fa-f]+")  # in the `repr` of a function
LONGEST_VALUE = 120  # the most characters of a value in a message
LONGEST_RANGE = 1_000_000  # no right answer is longer


def plain(value: Any, digits: int = 17) -> Any:
    """Return a value with Python's own numbers and lists instead of NumPy's, its floats rounded to `digits` digits.

    What a student's own class says about its values does not count.

    Examples
    --------
    >>> import numpy as np
    >>> plain((np.int64(1), np.array([0.5, 2 / 3]), range(2)), digits=3)
    (1, [0.5, 0.667], [0, 1])
    """
    if hasattr(value, "tolist") and not isinstance(value, type):  # of NumPy or pandas
        value = value.tolist()
    if isinstance(value, range) and len(value) <= LONGEST_RANGE:
        return list(value)
    for kind in (list, tuple):
        if isinstance(value, kind):
            parts = [plain(part, digits) for part in kind.__iter__(value)]
            return getattr(value, "_make", kind)(parts)  # a Move stays a Move
    if isinstance(value, dict):
        return {plain(key, digits): plain(content, digits) for key, content in dict.items(value)}
    if isinstance(value, float):
        return float(f"{float.__float__(value):.{digits}g}")
    if isinstance(value, int) and not isinstance(value, bool):
        return int.__int__(value)
    return str.__str__(value) if isinstance(value, str) else value


def shown(value: Any, digits: int = 6) -> str:
    """Return the `repr` of a value for a message, with rounded floats, without addresses, shortened if it is long.

    Examples
    --------
    >>> shown([2 / 3, 1e6]), len(shown(list(range(1_000))))
    ('[0.666667, 1000000.0]', 120)
    >>> shown(10**5_000), shown(shown)
    ('a value of type int', '<function shown>')
    """
    try:
        words = repr(plain(value, digits))
    except Exception:  # noqa: BLE001 - a student's value may have too many digits, or hold itself
        words = f"a value of type {type(value).__name__}"
    return cut(ADDRESS.sub("", words), LONGEST_VALUE)


@dataclass(frozen=True)
class Equality:
    """Decides whether an answer is as good as the expected one.

    NumPy's numbers, bools and arrays count as Python's, 1 and 0 as bools, a whole float as a whole number, and
    exact numbers such as ``Fraction(1, 2)`` as numbers. A bool is not a number, and a generator is not a list.
    NaN equals NaN.

    Attributes
    ----------
    near : float
        How far a number may be off.
    any_order : bool
        Whether the order of a list does not matter.
    tuples : bool
        Whether a tuple is asked for; otherwise lists, tuples and arrays are the same.

    Examples
    --------
    >>> Equality(any_order=True).alike([(1, 2), (3, 4)], [[3, 4], (1, 2)])
    True
    >>> Equality().alike(True, 1), Equality().alike(1, True), Equality().alike(2.0, 2)
    (False, True, True)
    """

    near: float = 1e-6
    any_order: bool = False
    tuples: bool = False

    def alike(self, answer: Any, expected: Any) -> bool:
        """Whether an answer is as good as the expected one."""
        expected = plain(expected)
        if isinstance(expected, dict):
            return self._alike_tables(answer, expected)
        answer = plain(answer)
        if isinstance(expected, list | tuple):
            return self._alike_lists(answer, expected)
        if isinstance(expected, bool):
            return isinstance(answer, int | float) and answer == expected
        if isinstance(expected, int | float):
            return self._alike_numbers(answer, expected)
        return type(answer) is type(expected) and answer == expected

    def _alike_numbers(self, answer: Any, expected: float) -> bool:
        if isinstance(answer, bool) or not isinstance(answer, numbers.Real | Decimal):
            return False
        if isinstance(expected, int):
            return answer == expected
        try:
            answer = float(answer)
        except OverflowError:
            return False
        both_nan = math.isnan(answer) and math.isnan(expected)
        return both_nan or math.isclose(answer, expected, rel_tol=self.near, abs_tol=self.near)

    def _alike_lists(self, answer: Any, expected: list | tuple) -> bool:
        kind = tuple if self.tuples and isinstance(expected, tuple) else list | tuple
        if not isinstance(answer, kind) or len(answer) != len(expected):
            return False
        if self.any_order and isinstance(expected, list):
            return self._alike_in_any_order(answer, expected)
        return all(map(self.alike, answer, expected))

    def _alike_in_any_order(self, answer: Sequence, expected: Sequence) -> bool:
        """Whether each expected item can be paired with a different item of an answer of the same length."""
        left = list(answer)
        for wanted in expected:
            place = next((place for place, item in enumerate(left) if self.alike(item, wanted)), None)
            if place is None:
                return False
            del left[place]
        return True

    def _alike_tables(self, answer: Any, expected: dict) -> bool:
        if hasattr(answer, "tolist") and hasattr(answer, "keys"):  # a column of pandas
            answer = dict(zip(answer.keys(), answer.tolist()))
        found = plain(answer)
        if not isinstance(found, dict):
            return False
        return found.keys() == expected.keys() and all(self.alike(found[key], expected[key]) for key in expected)


def alike(answer: Any, expected: Any) -> bool:
    """Whether two values are the same, by the usual `Equality`.

    Examples
    --------
    >>> alike((1, 2), [1, 2.0]), alike("1", 1)
    (True, False)
    """
    return Equality().alike(answer, expected)
