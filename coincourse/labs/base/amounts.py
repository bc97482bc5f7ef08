"""Numbers and amounts as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def span(counts: Sequence[int]) -> str:
    """Increasing counts as text; three or more consecutive ones become a range.

    Examples
    --------
    >>> span([1]), span([1, 2]), span([1, 2, 3]), span([1, 3, 4])
    ('1', '1 or 2', '1 to 3', '1, 3 or 4')
    """
    least = counts[0]
    most = counts[-1]
    if len(counts) > 2 and len(counts) == most - least + 1:
        return f"{least} to {most}"
    return listed(counts, "or")


def listed(items: Iterable, last: str) -> str:
    """Join items for a sentence, with the word `last` before the final one.

    Examples
    --------
    >>> listed([1, 2, 3], "or")
    '1, 2 or 3'
    """
    *others, final = map(str, items)
    if not others:
        return final
    return f"{', '.join(others)} {last} {final}"


def minus(words) -> str:
    """The text with real minus signs, which are as wide as a plus.

    Examples
    --------
    >>> minus(-3), minus("3 - 5"), minus("4 -1")
    ('−3', '3 - 5', '4 −1')
    """
    return re.sub(r"(?<!\w)-(?=\d)", "−", str(words))


def percent(share: float) -> str:
    """A share as a whole percentage; only 1 gives 100 %, and only 0 gives 0 %.

    Examples
    --------
    >>> [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)]    # with a no-break space
    ['0\\xa0%', '1\\xa0%', '50\\xa0%', '99\\xa0%', '100\\xa0%']
    """
    whole = round(100 * share)
    if share not in (0, 1):
        whole = min(max(whole, 1), 99)
    return f"{whole}\N{NO-BREAK SPACE}%"
