"""Greedy coins: the better colour, Alice's points as a recursion and a table, best moves, and a counterexample."""

from functools import partial
from itertools import permutations, product
from operator import sub

from coinlib.solvers import greedy_margin

from .engine import exercise, one_of

# --- the better colour --------------------------------------------------------------------------------------------


def _better_ends(coins: list[int]) -> list[str]:
    """The ends whose colour has the larger total; both where the totals are equal."""
    totals = {"L": sum(coins[0::2]), "R": sum(coins[1::2])}
    return [end for end, total in totals.items() if total == max(totals.values())]


@exercise(  # no two ways to add up some of 1, 2, 4 and 9 give the same, so only [3, 3] is equal
    cases=[([2, 5],), ([5, 2],), ([3, 3],)]
    + [(list(coins),) for coins in permutations((2, 4, 1, 9))]
    + [([7, 1, 1, 6, 1, 6],), ([2, 1, 3, 1, 2, 9, 1, 1],), ([9, *range(100, 130), 1, 50, 2],)],
    given="coins {}",
    praise="for short rows and long ones",
    accept=one_of(_better_ends),
)
def better_colour(coins):
    """The end, "L" or "R", whose colour has the larger total; either where the totals are equal."""
    return _better_ends(coins)[0]


@better_colour.mistake("The larger of the two end coins does not decide.")
def larger_end(coins):
    return "L" if coins[0] >= coins[-1] else "R"


# --- Alice's points -----------------------------------------------------------------------------------------------

ROWS = [list(row) for count in range(4) for row in product((4, 2, 7), repeat=count)]
ROWS += [[3, 5, 1, 2], [1, 2, 4, 3], [2, 1, 2, 3, 3, 3], [0, 9, 0, 30, 4, 4, 0], [14, 3, 9, 1, 8, 8, 2, 11, 5, 6]]


@exercise(
    cases=[(coins, alices_turn) for coins in ROWS for alices_turn in (True, False)],
    given=lambda coins, alices_turn: f"coins {coins} and {'Alice' if alices_turn else 'Bob'}'s turn",
    praise="for both players, and for no coin",
)
def alice_gets(coins, alices_turn, *, his=min, bobs_coin=0):
    """How many points Alice still gets of these coins."""
    if not coins:
        return 0
    gets = partial(alice_gets.reference, alices_turn=not alices_turn, his=his, bobs_coin=bobs_coin)
    best, coin = (max, 1) if alices_turn else (his, bobs_coin)
    return best(coin * coins[0] + gets(coins[1:]), coin * coins[-1] + gets(coins[:-1]))


alice_gets.slip("Bob leaves Alice the smaller of the two, not the larger.", his=max)
alice_gets.slip("Bob keeps the coin that he takes.", bobs_coin=1)


# --- the table A --------------------------------------------------------------------------------------------------


@exercise(
    cases=[(coins,) for coins in [*ROWS[1:], [7 * place % 19 for place in range(30)]]],
    given="coins {}",
    praise="in every cell, for odd and even numbers of coins",
    slow="Is there a loop that never ends, or is a cell worked out again that stands in A already?",
)
def alice_table(coins, *, his=min, rows=reversed, gone=sub):
    """The table of what Alice still gets of the coins i to j; 0 in the cells with i > j."""
    n = len(coins)
    A = [[0] * n for _ in range(n + 1)]
    for i in rows(range(n)):
        for j in range(i, n):
            after_left, after_right = A[i + 1][j], A[i][j - 1]
            if gone(n, j - i + 1) % 2 == 0:
                A[i][j] = max(coins[i] + after_left, coins[j] + after_right)
            else:
                A[i][j] = his(after_left, after_right)
    return A[:n]


alice_table.slip("Bob leaves Alice the smaller of the two, not the larger.", his=max)
alice_table.slip("The cells of shorter runs must be filled in before: short runs first.", rows=list)
alice_table.slip("Whose turn it is depends on how many coins are gone.", gone=lambda coins, left: left)


# --- the table M --------------------------------------------------------------------------------------------------


@exercise(
    cases=[
        (coins, alice_table.reference(coins), i, j)
        for coins in sorted(ROWS[1:], key=len)
        for j in range(len(coins))
        for i in range(j + 1)
    ],
    given=lambda coins, A, i, j: f"coins {coins} and the run from i = {i} to j = {j}",
    praise="for every run, whoever moves there",
    unchanged=True,
)
def best_ends(coins, A, i, j, *, his=min, bobs_coin=0):
    """The best moves where the coins i to j are left: "L", "R", or "LR" where both are equally good."""
    if i == j:
        return "LR"
    gone = len(coins) - (j - i + 1)
    best, coin = (max, 1) if gone % 2 == 0 else (his, bobs_coin)
    left, right = coin * coins[i] + A[i + 1][j], coin * coins[j] + A[i][j - 1]
    return "LR" if left == right else "L" if left == best(left, right) else "R"


best_ends.slip("Bob leaves Alice the smaller of the two, not the larger.", his=max)
best_ends.slip("Bob keeps his coin: compare only what is left for Alice.", bobs_coin=1)


# --- a counterexample ---------------------------------------------------------------------------------------------


@exercise(
    cases=[(coins,) for count in (2, 3, 4, 5, 6, 8) for coins in product((1, 2), repeat=count)]
    + [((2, 1, 2, 3, 1, 1, 1, 1),), ((1, 1, 1, 1, 2, 1, 3, 1, 1),), ((7, 10, 6, 10, 10, 3, 10, 6, 6, 3, 3, 10),)],
    given="coins {}",
    praise="for rows that refute it and rows that do not",
)
def refutes(coins):
    """Whether a row of an even number of coins has two halves that are ties, and is no tie itself."""
    return tied_halves(coins) and not _tie(coins)


@refutes.mistake("Where the whole row is a tie as well, the row speaks for the conjecture.")
def tied_halves(coins):
    return len(coins) % 2 == 0 and _tied_parts(coins)


@refutes.mistake("An odd number of coins has no two halves of the same length.")
def odd_rows_too(coins):
    return _tied_parts(coins) and not _tie(coins)


def _tied_parts(coins) -> bool:
    half = len(coins) // 2
    return _tie(coins[:half]) and _tie(coins[half:])


def _tie(coins) -> bool:
    return greedy_margin(coins) == 0
