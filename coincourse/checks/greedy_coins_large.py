"""Greedy coins, large: the size of the tree, one fuse, all of them in one pass, and one diagonal."""

from itertools import product

from coinlib.arguments import counted

from .engine import exercise

# --- the size of the tree -------------------------------------------------------------------------

WHOLE_TREE = "Is there a loop that never ends, or a walk through the whole tree?"


@exercise(
    cases=[(coins,) for coins in (0, 1, 2, 3, 6, 10, 64, 200)],
    given=lambda coins: counted(coins, "coin"),
    praise="for no coin, for one, and for 200",
    slow=f"{WHOLE_TREE} Both halves of it are equally large.",
)
def count_nodes(coins):
    """How many nodes the tree of a row of so many coins has."""
    nodes = 1
    for _ in range(coins):
        nodes = 1 + 2 * nodes
    return nodes


@count_nodes.mistake("A float does not hold so many digits; use whole numbers only.")
def as_a_float(coins):
    return 2.0 ** (coins + 1) - 1


@count_nodes.mistake("That is the lowest level of the tree alone. Count the levels above it, too.")
def lowest_level(coins):
    return 2**coins


@count_nodes.mistake("Those are the runs, each counted once. The program looks at the same run again and again.")
def each_run_once(coins):
    return coins * (coins + 1) // 2


# --- one fuse -------------------------------------------------------------------------------------

ROWS = [list(row) for count in range(1, 6) for row in product((2, 5, -1), repeat=count)]


def _fused(coins: list[int]) -> list[list[int]]:
    """The rows after one peak is fused, one for each peak; the coins as they are where there is none."""
    rows = []
    for i in range(len(coins) - 2):
        a, b, c = coins[i : i + 3]
        if a <= b >= c:
            rows.append([*coins[:i], a - b + c, *coins[i + 3 :]])
    return rows or [coins]


@exercise(
    cases=[(coins,) for coins in [*ROWS, [9, 4, 2, 6, 5, 5, 8], [50, 40, 30, 20, 10, 15, 12, 30, 40]]],
    given="coins {}",
    praise="for peaks, for equal coins, and for rows without a peak",
    unchanged=True,
    rights=_fused,
)
def fuse_once(coins):
    """The row after one peak is fused, whichever; a row without a peak stays as it is."""
    for i in range(1, len(coins) - 1):
        a, b, c = coins[i - 1 : i + 2]
        if a <= b >= c:
            return coins[: i - 1] + [a - b + c] + coins[i + 2 :]
    return coins


@fuse_once.mistake("A neighbour may be as large as the peak: a <= b >= c.")
def larger_than_both_neighbours(coins):
    for i in range(1, len(coins) - 1):
        a, b, c = coins[i - 1 : i + 2]
        if a < b > c:
            return coins[: i - 1] + [a - b + c] + coins[i + 2 :]
    return coins


# --- all of them in one pass ----------------------------------------------------------------------

# Each fuse makes the next peak, far from one end: who begins there each time is late
CLIMB = [*range(40_000), 0]


@exercise(
    cases=[(coins,) for coins in [*ROWS, [1, 2, 3, 5, 4], [9, 5, 1, 0, 4, 7]]]
    + [([5, 1, 2, 8, 9, 8, 4, 8, 5, 5, 9, 6],), (CLIMB,), (CLIMB[::-1],), ([1, 3_000_000_000, 1],)],
    given="coins {}",
    praise="for every row, and in one pass",
    slow="Is there a loop that never ends, or do you begin again at an end of the row after each fuse?",
)
def fuse_all(coins):
    """The valley that is left when no peak is left."""
    stack = []
    for coin in coins:
        while len(stack) >= 2 and stack[-2] <= stack[-1] >= coin:
            peak = stack.pop()
            coin = stack.pop() - peak + coin
        stack.append(coin)
    return stack


@fuse_all.mistake("The coin that a fuse has made can show the next peak: look again before you put it on the stack.")
def one_fuse_for_each_coin(coins):
    stack = []
    for coin in coins:
        if len(stack) >= 2 and stack[-2] <= stack[-1] >= coin:
            peak = stack.pop()
            coin = stack.pop() - peak + coin
        stack.append(coin)
    return stack


@fuse_all.mistake("A neighbour may be as large as the peak: a <= b >= c.")
def larger_than_both(coins):
    stack = []
    for coin in coins:
        while len(stack) >= 2 and stack[-2] < stack[-1] > coin:
            peak = stack.pop()
            coin = stack.pop() - peak + coin
        stack.append(coin)
    return stack


# --- one diagonal ---------------------------------------------------------------------------------

COINS = [[1, 2], [5, 2], [1, 5, 1], [3, 5, 1, 2], [9, 2, 61, 5, 38, 5, 140], [1, 3_000_000_000, 2]]


def _margin(run: list[int]) -> int:
    """The best margin of whoever begins on these coins, by looking at every game."""
    return max(run[0] - _margin(run[1:]), run[-1] - _margin(run[:-1])) if run else 0


def _diagonal(coins: list[int], length: int) -> list[int]:
    """The margins of all runs of this length."""
    return [_margin(coins[i : i + length]) for i in range(len(coins) - length + 1)]


@exercise(
    cases=[(coins, _diagonal(coins, length)) for coins in COINS for length in range(1, len(coins) + 1)],
    given="coins {} and diagonal {}",
    praise="for runs of every length",
)
def next_diagonal(coins, diagonal):
    """The margins of all runs that are one coin longer than those of this diagonal."""
    more = len(coins) - len(diagonal) + 1
    longer = []
    for i in range(len(diagonal) - 1):
        by_left = coins[i] - diagonal[i + 1]
        by_right = coins[i + more] - diagonal[i]
        longer.append(max(by_left, by_right))
    return longer


@next_diagonal.mistake("The margin of the rest is the other player's: take it away.")
def margin_of_the_rest_added(coins, diagonal):
    more = len(coins) - len(diagonal) + 1
    places = range(len(diagonal) - 1)
    return [max(coins[i] + diagonal[i + 1], coins[i + more] + diagonal[i]) for i in places]
