"""Greedy coins, large: the size of the tree, one diagonal, one fuse, and all of them in one pass."""

from itertools import product

from coinlib.arguments import counted

from .engine import exercise, one_of

# --- the size of the tree -----------------------------------------------------------------------------------------


@exercise(
    cases=[(coins,) for coins in (0, 1, 2, 3, 6, 10, 64, 200)],
    given=lambda coins: counted(coins, "coin"),
    praise="for no coin, for one, and for 200",
    slow="Is there a loop that never ends, or a walk through the whole tree? Both halves of it are equally large.",
)
def count_nodes(coins, *, base=2):
    """How many nodes the tree of a row of so many coins has."""
    return base ** (coins + 1) - 1


count_nodes.slip("A float does not hold so many digits; use whole numbers only.", base=2.0)


# --- one diagonal -------------------------------------------------------------------------------------------------


COINS = [[1, 2], [5, 2], [1, 5, 1], [3, 5, 1, 2], [9, 2, 61, 5, 38, 5, 140], [1, 3_000_000_000, 2]]


def _margin(run: list[int]) -> int:
    """The best margin of whoever begins on these coins, by looking at every game."""
    return max(run[0] - _margin(run[1:]), run[-1] - _margin(run[:-1])) if run else 0


def _diagonal(coins: list[int], length: int) -> list[int]:
    return [_margin(coins[i : i + length]) for i in range(len(coins) - length + 1)]


@exercise(
    cases=[(coins, _diagonal(coins, length)) for coins in COINS for length in range(1, len(coins) + 1)],
    given="coins {} and diagonal {}",
    praise="for runs of every length",
)
def next_diagonal(coins, diagonal, *, sign=-1, rest=1):
    """The margins of all runs that are one coin longer than those of this diagonal."""
    more = len(coins) - len(diagonal) + 1
    return [
        max(coins[i] + sign * diagonal[i + rest], coins[i + more] + sign * diagonal[i + 1 - rest])
        for i in range(len(diagonal) - 1)
    ]


next_diagonal.slip("The margin of the rest is the other player's: take it away.", sign=1)
next_diagonal.slip("After coin i the run that is left is diagonal[i + 1].", rest=0)


# --- one fuse -----------------------------------------------------------------------------------------------------

ROWS = [list(row) for count in range(1, 6) for row in product((2, 5, -1), repeat=count)]


def _is_peak(a, b, c) -> bool:
    return a <= b >= c


def _fused(coins: list[int], is_peak=_is_peak, sign: int = -1) -> list[list[int]]:
    """The rows after one peak is fused, one for each peak; the coins as they are where there is none."""
    rows = []
    for i in range(len(coins) - 2):
        a, b, c = coins[i : i + 3]
        if is_peak(a, b, c):
            rows.append([*coins[:i], a + sign * (b - c), *coins[i + 3 :]])
    return rows or [coins]


@exercise(
    cases=[(coins,) for coins in [*ROWS, [9, 4, 2, 6, 5, 5, 8], [50, 40, 30, 20, 10, 15, 12, 30, 40]]],
    given="coins {}",
    praise="for peaks, for equal coins, and for rows without a peak",
    unchanged=True,
    accept=one_of(_fused),
)
def fuse_once(coins, *, is_peak=_is_peak, sign=-1):
    """The row after one peak is fused, whichever; a row without a peak stays as it is."""
    return _fused(coins, is_peak, sign)[0]


fuse_once.slip("A neighbour may be equal to a peak: a <= b >= c.", is_peak=lambda a, b, c: a < b > c)
fuse_once.slip("The new coin is a - b + c: only the middle one with minus.", sign=1)


# --- all of them in one pass --------------------------------------------------------------------------------------

# Each fuse makes the next peak, far from one end: who begins there each time is late
CLIMB = [*range(40_000), 0]


@exercise(
    cases=[(coins,) for coins in [*ROWS, [1, 2, 3, 5, 4], [9, 5, 1, 0, 4, 7], [5, 1, 2, 8, 9, 8, 4, 8, 5, 5, 9, 6]]]
    + [(CLIMB,), (CLIMB[::-1],), ([1, 3_000_000_000, 1],)],
    given="coins {}",
    praise="for every row, and in one pass",
    slow="Is there a loop that never ends, or do you begin again at an end of the row after each fuse?",
)
def fuse_all(coins, *, is_peak=_is_peak, most_looks=None):
    """The valley that is left when no peak is left."""
    stack = []
    for coin in coins:
        looks = 0
        while len(stack) >= 2 and is_peak(stack[-2], stack[-1], coin) and looks != most_looks:
            peak = stack.pop()
            coin = stack.pop() - peak + coin
            looks += 1
        stack.append(coin)
    return stack


fuse_all.slip("After a fuse there may be a peak before it: look again, with while.", most_looks=1)
fuse_all.slip("A neighbour may be equal to a peak: a <= b >= c.", is_peak=lambda a, b, c: a < b > c)
