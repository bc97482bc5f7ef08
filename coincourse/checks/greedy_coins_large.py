"""Greedy coins, large: one fuse, all of them in one pass, and the end to take."""

from itertools import product

from coinlib.solvers import greedy_move

from .engine import exercise

# --- one fuse -------------------------------------------------------------------------------------

ROWS = [list(row) for count in range(1, 6) for row in product((2, 5, -1), repeat=count)]


def _is_peak(a, b, c):
    return a <= b >= c


def _gain(a, b, c):
    return a - b + c


def _fused(coins: list[int], is_peak=_is_peak, gain=_gain) -> list[list[int]]:
    """The rows after one peak is fused, one for each peak; the unchanged coins if there is none."""
    rows = []
    for i in range(len(coins) - 2):
        neighbours = coins[i : i + 3]
        if is_peak(*neighbours):
            rows.append([*coins[:i], gain(*neighbours), *coins[i + 3 :]])
    return rows or [coins]


@exercise(
    cases=[(coins,) for coins in [*ROWS, [9, 4, 2, 6, 5, 5, 8], [50, 40, 30, 20, 10, 15, 12, 30, 40]]],
    given="coins {}",
    praise="for peaks, for equal coins, and for rows without a peak",
    rights=_fused,
)
def fuse_once(coins):
    """The row after one peak is fused, whichever; a row without a peak is unchanged."""
    return _fused(coins)[0]


NOT_LARGER = "A neighbour may be as large as the peak: a <= b >= c."


def _is_larger(a, b, c):
    return a < b > c


@fuse_once.mistake(NOT_LARGER)
def larger_than_both_neighbours(coins):
    return _fused(coins, is_peak=_is_larger)[0]


@fuse_once.mistake("The fused coin is what Alice gains: she takes a and c, and Bob takes b. That is a - b + c.")
def last_one_taken_away(coins):
    return _fused(coins, gain=lambda a, b, c: a + b - c)[0]


@fuse_once.mistake("The sign is reversed: Alice takes a and c, and Bob takes b. That is a - b + c.")
def gain_of_bob(coins):
    return _fused(coins, gain=lambda a, b, c: b - a - c)[0]


@fuse_once.mistake("A coin at an end has one neighbour, so it is no peak: i goes from 1 to len(coins) - 2.")
def beyond_the_end(coins):
    for i in range(len(coins)):
        if coins[i - 1] <= coins[i] >= coins[i + 1]:
            return coins[: i - 1] + [coins[i - 1] - coins[i] + coins[i + 1]] + coins[i + 2 :]
    return coins


@fuse_once.mistake("The three coins become one: the neighbours of the peak go, too.")
def neighbours_stay(coins):
    for i in range(1, len(coins) - 1):
        a, b, c = coins[i - 1 : i + 2]
        if a <= b >= c:
            return coins[:i] + [a - b + c] + coins[i + 1 :]
    return coins


@fuse_once.mistake("Fuse one peak only: here all of them are fused.")
def every_peak(coins):
    after = fuse_once.reference(coins)
    return coins if len(after) == len(coins) else every_peak(after)


# --- all of them in one pass ----------------------------------------------------------------------

# Each fuse makes the next peak, far from one end: an answer that begins there each time is late.
CLIMB = [*range(40_000), 0]


@exercise(
    cases=[(coins,) for coins in [*ROWS, [1, 2, 3, 5, 4], [9, 5, 1, 0, 4, 7]]]
    + [([5, 1, 2, 8, 9, 8, 4, 8, 5, 5, 9, 6],), (CLIMB,), (CLIMB[::-1],), ([1, 3_000_000_000, 1],)],
    given="coins {}",
    praise="for every row, and in one pass",
    slow="Is there a loop that never ends? Or do you copy the stack, or begin again at an end, after each fuse?",
)
def fuse_all(coins):
    """The valley that is left when no peak is left."""
    return _valley(coins)


def _valley(coins, is_peak=_is_peak, looks_again=True):
    """The stack at the end; if it does not look again, a coin fuses at most once with those before it."""
    stack = []
    for coin in coins:
        while len(stack) >= 2 and is_peak(*stack[-2:], coin):
            peak = stack.pop()
            coin = stack.pop() - peak + coin
            if not looks_again:
                break
        stack.append(coin)
    return stack


@fuse_all.mistake(NOT_LARGER)
def larger_than_both(coins):
    return _valley(coins, is_peak=_is_larger)


@fuse_all.mistake("The coin that a fuse has made can show the next peak: look again before you put it on the stack.")
def one_fuse_for_each_coin(coins):
    return _valley(coins, looks_again=False)


# --- the end to take ------------------------------------------------------------------------------


@exercise(
    cases=[(coins,) for coins in [[1, 2], [2, 1], [3, 5, 1, 2], [2, 1, 5, 3], [1, 2, 4], [4, 4], [1, 5, 1]]]
    + [(list(coins),) for count in (4, 5) for coins in product((1, 3, 4), repeat=count)]
    + [([5, 1, 2, 3, 2, 8, 9, 8, 4, 8, 5, 5, 9, 6],)],
    given="coins {}",
    praise="a best move in every row",
    few=True,
    rights=lambda coins: list(greedy_move(coins)),
)
def end_to_take(coins):
    """The end, "L" or "R", at which the valley of the row is larger; either if both are best moves."""
    valley = fuse_all.reference(coins)
    return "L" if valley[0] >= valley[-1] else "R"


END_OF_ROW = "That is the larger end of the row. Fuse first, and look at the ends of the valley."
end_to_take.mistake(END_OF_ROW)(lambda coins: "L" if coins[0] >= coins[-1] else "R")
end_to_take.mistake(END_OF_ROW)(lambda coins: "L" if coins[0] > coins[-1] else "R")
