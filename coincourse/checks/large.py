"""Lesson 10, greedy coins, large: the size of the tree, one diagonal, one fuse, and all of them in one pass."""

from __future__ import annotations

import operator
from collections.abc import Callable

from coinlib.arguments import counted

from .core import NO_RETURN, Wrong, call, refusal, report, same, seconds, whole

SLOW = 0.1  # seconds; a right way to do it needs less than a hundredth of this


def count_nodes(function) -> None:
    """Try ``count_nodes(coins)``, the nodes in the tree of a row of so many greedy coins, and say how it did.

    Parameters
    ----------
    function : function (int) -> int
        The student's answer. The tree has a node for the row at the start, for each row after
        each line of moves, and for each end, where no coin is left; both ends of one coin count.

    Examples
    --------
    >>> count_nodes(lambda coins: 2**coins)
    ✗ For 1 coin your function returned 2; expected 3. That is the number of ends only: the games that can be played.
    """
    sizes = [0, 1, 2, 3, 4, 10, 21, 64]

    def judge() -> str:
        for size in sizes:
            given = counted(size, "coin")
            answer = call(function, (size,), given)
            expected = 2 ** (size + 1) - 1
            if not same(answer, expected, whole):
                raise Wrong(_words(given, answer, expected, _about_nodes(function, answer, expected)))
            if size == 21 and seconds(lambda: function(21)) > SLOW:
                raise Wrong(
                    "For 21 coins the number is right, but your function took as long as a walk through the whole "
                    "tree. Both halves of the tree are equally large: count one of them, and double it."
                )
        return f"Right, for no coin, for one, and for 64. ({len(sizes)} cases tried)"

    report(function, judge)


def _about_nodes(function, answer, expected: int) -> str:
    """What a wrong number shows; ten coins tell common mistakes apart that agree for fewer."""
    if isinstance(answer, float) and answer == float(expected):
        return "A float does not hold so many digits; use whole numbers only."
    mistakes = {
        2**10: "That is the number of ends only: the games that can be played.",
        2**10 - 1: "The ends, where no coin is left, are nodes too.",
        2**11: "That is one too many.",
        2**11 - 2: "The row at the start is a node too.",
        10 * 11 // 2: "So many different runs there are; in the tree the same run stands many times.",
        10 * 11 // 2 + 1: "So many different rows there are; in the tree the same row stands many times.",
        11: "After each move there are two rows to look at, not one.",
        2 * 10 + 1: "Each of the two rows after a move has a whole tree of its own below it.",
    }
    try:
        return mistakes.get(function(10), "")
    except Exception:  # noqa: BLE001 - only a guess is lost
        return ""


def next_diagonal(function) -> None:
    """Try ``next_diagonal(coins, diagonal)``, the margins of all runs one coin longer, and say how it did.

    Parameters
    ----------
    function : function (list of int, list of int) -> list of int
        The student's answer. The diagonal holds the margin of each run of so many coins, from left
        to right.

    Examples
    --------
    >>> next_diagonal(lambda coins, diagonal: diagonal[1:])
    ✗ For coins [1, 2] and diagonal [1, 2] your function returned [2]; expected [1].
    """
    rows = [[1, 2], [5, 2], [1, 5, 1], [3, 5, 1, 2], [1, 2, 4, 3], [2, 2, 2], [0, 7, 0, 0, 3], [2, 1, 2, 5, 5, 3]]

    def judge() -> str:
        tried = 0
        for coins in rows:
            diagonal = list(coins)
            while len(diagonal) > 1:
                given = f"coins {coins} and diagonal {diagonal}"
                answer = call(function, (coins, diagonal), given)
                expected = _diagonal(coins, diagonal, max, operator.sub)
                if not same(answer, expected, _numbers):
                    raise Wrong(_words(given, answer, expected, _about_diagonal(coins, diagonal, answer, expected)))
                diagonal = expected
                tried += 1
        return f"Right, for runs of every length. ({tried} cases tried)"

    report(function, judge)


def _diagonal(coins: list[int], diagonal: list[int], choose: Callable, after: Callable) -> list[int]:
    more = len(coins) - len(diagonal) + 1
    return [
        choose(after(coins[i], diagonal[i + 1]), after(coins[i + more], diagonal[i])) for i in range(len(diagonal) - 1)
    ]


def _about_diagonal(coins: list[int], diagonal: list[int], answer, expected: list[int]) -> str:
    numbers = _list(answer)
    if numbers is None:
        return "Return a list of whole numbers."
    if numbers == _diagonal(coins, diagonal, min, operator.sub):
        return "Whoever moves takes the better of the two, the larger one."
    if numbers == _diagonal(coins, diagonal, max, operator.add):
        return "The margin of the rest is the other player's: take it away from the coin."
    if len(numbers) != len(expected):
        return f"From {len(diagonal)} runs come {len(expected)} that are one coin longer, not {len(numbers)}."
    neighbours = [max(coins[i] - diagonal[i + 1], coins[i + 1] - diagonal[i]) for i in range(len(expected))]
    if numbers == neighbours:
        return f"The right end of a run of {len(coins) - len(expected) + 1} coins is not the coin beside the left end."
    crossed = [
        max(coins[i] - diagonal[i], coins[i + len(coins) - len(expected)] - diagonal[i + 1])
        for i in range(len(expected))
    ]
    if numbers == crossed:
        return "After the left coin i is taken, the run that is left begins at i + 1: it is diagonal[i + 1]."
    return ""


def fuse_once(function) -> None:
    """Try ``fuse_once(coins)``, the row after one peak is fused, and say how it did.

    Parameters
    ----------
    function : function (list of int) -> list of int
        The student's answer. Where coins a, b, c stand side by side with a <= b >= c, one coin
        a - b + c takes their place; any one peak will do. A row without a peak stays as it is.

    Examples
    --------
    >>> fuse_once(lambda coins: coins)
    ✗ For coins [1, 5, 2] your function returned [1, 5, 2]; expected [-2]. There is a peak: the 5.
    """
    rows = [
        *([3], [1, 2], [4, 2, 3], [1, 5, 2], [2, 2, 2], [1, 2, 3], [3, 3, 1], [1, 4, 4], [-1, 4, 2]),
        *([3, 5, 1, 2], [9, 4, 2, 6, 5], [6, 1, 4, 2, 7, 3], [0, 0, 0, 0], [5, 3, 1, 2, 8], [1, 2, 2, 1, 2, 1, 1, 2]),
    ]
    rows.sort(key=len)

    def judge() -> str:
        for coins in rows:
            given = f"coins {coins}"
            answer = call(function, (coins,), given)
            right = [_fused(coins, at) for at in _peaks(coins)] or [coins]
            if not any(same(answer, row, _numbers) for row in right):
                raise Wrong(_words(given, answer, right[0], _about_fuse(coins, answer)))
        return f"Right, for peaks, for equal coins, and for rows without a peak. ({len(rows)} cases tried)"

    report(function, judge)


def _peaks(coins: list[int]) -> list[int]:
    """The places of the coins that may be fused with their neighbours."""
    return [at for at in range(1, len(coins) - 1) if coins[at - 1] <= coins[at] >= coins[at + 1]]


def _fused(coins: list[int], at: int) -> list[int]:
    return [*coins[: at - 1], coins[at - 1] - coins[at] + coins[at + 1], *coins[at + 2 :]]


def _about_fuse(coins: list[int], answer) -> str:
    numbers = _list(answer)
    if numbers is None:
        return "Return a list of whole numbers, also where nothing is fused."
    peaks = _peaks(coins)
    inside = range(1, len(coins) - 1)
    if numbers == coins:
        coin = coins[peaks[0]]
        equal = coin in (coins[peaks[0] - 1], coins[peaks[0] + 1])
        return f"There is a peak: the {coin}." + (" A neighbour may be equal to it." if equal else "")
    if any(numbers == _fused(coins, at) for at in inside):
        if not peaks:
            return "There is no peak in this row, so it stays as it is."
        return "Fuse where the coin in the middle is not smaller than either of its neighbours, and only there."
    others = {
        "The new coin is a - b + c: the outer two with plus, the middle one with minus.": lambda a, b, c: [a + b - c],
        "The new coin is a - b + c, not a + b + c.": lambda a, b, c: [a + b + c],
        "The new coin is a - b + c, not its negative.": lambda a, b, c: [b - a - c],
        "Three coins go, and one takes their place.": lambda a, b, c: [a, a - b + c, c],
        "The outer two coins go as well.": lambda a, b, c: [a, c],
        "The new coin takes their place; do not leave it out.": lambda a, b, c: [],
    }
    for words, make in others.items():
        if any(numbers == coins[: at - 1] + make(*coins[at - 1 : at + 2]) + coins[at + 2 :] for at in peaks):
            return words
    if numbers == _fuse_all(coins):
        return "That fuses every peak; here only one is asked for."
    return ""


def fuse_all(function) -> None:
    """Try ``fuse_all(coins)``, the valley that is left when no peak is left, and say how it did.

    Parameters
    ----------
    function : function (list of int) -> list of int
        The student's answer. It must be right, and it must not look at the row again and again.

    Examples
    --------
    >>> fuse_all(lambda coins: coins)
    ✗ For coins [1, 5, 2] your function returned [1, 5, 2]; expected [-2]. There is still a peak: the 5.
    """
    rows = [
        *([3], [1, 2], [4, 2, 3], [1, 5, 2], [2, 2, 2], [3, 5, 1, 2], [1, 2, 4, 3], [0, 0, 0, 0], [1, 2, 3, 5, 4]),
        *([2, 1, 2, 3, 3, 3], [2, 1, 2, 5, 5, 3], [1, 2, 2, 1, 2, 1, 1, 2], [9, 5, 1, 0, 4, 7], [1, 2, 3, 4, 3, 2, 1]),
        *([5, 1, 2, 3, 2, 8, 9, 8, 4, 8, 5, 5, 9, 6], list(range(12, 0, -1))),
    ]
    rows.sort(key=len)
    long = [*range(9_000, 6_500, -1), *[1, 2] * 1_500]  # every peak stands far from the left end

    def judge() -> str:
        for coins in rows:
            given = f"coins {coins}"
            answer = call(function, (coins,), given)
            expected = _fuse_all(coins)
            if not same(answer, expected, _numbers):
                raise Wrong(_words(given, answer, expected, _about_valley(coins, answer, expected)))
        given = "coins 9,000, 8,999 ... down to 6,501, and then 1, 2 for 1,500 times"
        answer = call(function, (long,), given)
        if not same(answer, _fuse_all(long), _numbers):
            raise Wrong(f"For short rows your function is right; for {given} it is not.")
        if seconds(lambda: function(list(long))) > SLOW:
            raise Wrong(
                f"Every valley is right, but a row of {len(long):,} coins took as long as many walks along it. "
                "Go along the row once: what is done lies on the stack, and only its top can still change."
            )
        return f"Right, for every row, and in one pass. ({len(rows) + 1} cases tried)"

    report(function, judge)


def _fuse_all(coins: list[int]) -> list[int]:
    stack: list[int] = []
    for coin in coins:
        while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:
            coin += stack.pop(-2) - stack.pop()
        stack.append(coin)
    return stack


def _about_valley(coins: list[int], answer, expected: list[int]) -> str:
    numbers = _list(answer)
    if numbers is None:
        return "Return a list of whole numbers, the valley."
    if numbers == expected[::-1]:
        return "That is the valley from right to left."
    if not numbers:
        return "Push each coin on the stack when nothing more can be fused with it."
    if _peaks(numbers):
        after = "" if numbers == coins else " After a fuse the new coin may be the right end of a new peak: look again."
        return f"There is still a peak: the {numbers[_peaks(numbers)[0]]}.{after}"
    if len(numbers) % 2 != len(coins) % 2:
        return "Each fuse takes two coins away, so odd stays odd and even stays even."
    if len(numbers) < len(expected):
        return "Something was fused that is no peak: a coin may be fused if neither neighbour is larger."
    return "The new coin is a - b + c: the outer two with plus, the middle one with minus."


# --- what the checks share ------------------------------------------------------------------------------


def _words(given: str, answer, expected, hint: str) -> str:
    return refusal(given, answer, expected, NO_RETURN if answer is None else hint)


def _numbers(answer) -> list[int]:
    """A list, tuple or array of whole numbers as a list."""
    if isinstance(answer, (str, bytes, dict, set)):
        raise TypeError
    return [whole(number) for number in answer]


def _list(answer) -> list[int] | None:
    try:
        return _numbers(answer)
    except TypeError:
        return None
