"""Greedy coins: the better colour, Alice's points as a recursion and a table, best moves, and a counterexample."""

from __future__ import annotations

from functools import partial
from itertools import permutations, product

from coinlib.solvers import greedy_margin

from .engine import exercise

# --- the better colour --------------------------------------------------------------------------------------------


def _about_colour(answer, coins: list[int]) -> str:
    """What is wrong with an end; "" for a right one, and for both where the colours have the same total."""
    if not isinstance(answer, str) or answer not in ("L", "R"):
        return "Expected 'L' or 'R'."
    left, right = sum(coins[0::2]), sum(coins[1::2])
    if left == right or (answer == "L") == (left > right):
        return ""
    return f"The left end's colour has {left} in all, the right end's {right}."


@exercise(  # no two ways to add up some of 1, 2, 4 and 9 give the same, so only [3, 3] is equal
    cases=[([2, 5],), ([5, 2],), ([3, 3],)]
    + [(list(coins),) for coins in permutations((2, 4, 1, 9))]
    + [([7, 1, 1, 6, 1, 6],), ([2, 1, 3, 1, 2, 9, 1, 1],), ([9, *range(100, 130), 1, 50, 2],)],
    given="coins {}",
    praise="for short rows and long ones",
    accept=_about_colour,
)
def better_colour(coins):
    """The end, "L" or "R", whose colour has the larger total; either where the totals are equal."""
    return "L" if sum(coins[0::2]) >= sum(coins[1::2]) else "R"


@better_colour.mistake("The larger of the two end coins does not decide.")
def larger_end(coins):
    return "L" if coins[0] >= coins[-1] else "R"


@better_colour.mistake("A colour is every second coin, not one half of the row.")
def larger_half(coins):
    half = len(coins) // 2
    return "L" if sum(coins[:half]) >= sum(coins[half:]) else "R"


# --- Alice's points -----------------------------------------------------------------------------------------------

ROWS = [list(row) for count in range(4) for row in product((4, 2, 7), repeat=count)]
ROWS += [[3, 5, 1, 2], [1, 2, 4, 3], [2, 1, 2, 3, 3, 3], [0, 9, 0, 30, 4, 4, 0], [14, 3, 9, 1, 8, 8, 2, 11, 5, 6]]


@exercise(
    cases=[(coins, alices_turn) for coins in ROWS for alices_turn in (True, False)],
    given=lambda coins, alices_turn: f"coins {coins} and {'Alice' if alices_turn else 'Bob'}'s turn",
    praise="for both players, and for no coin",
)
def alice_gets(coins, alices_turn, *, his=min, bobs_coin=0, turns=True):
    """How many points Alice still gets of these coins."""
    if not coins:
        return 0
    gets = partial(alice_gets.reference, his=his, bobs_coin=bobs_coin, turns=turns)
    after_left, after_right = (gets(rest, alices_turn ^ turns) for rest in (coins[1:], coins[:-1]))
    if alices_turn:
        return max(coins[0] + after_left, coins[-1] + after_right)
    return his(bobs_coin * coins[0] + after_left, bobs_coin * coins[-1] + after_right)


alice_gets.slip("Bob leaves Alice the smaller of the two, not the larger.", his=max)
alice_gets.slip("Bob keeps the coin that he takes.", bobs_coin=1)
alice_gets.slip("After a move it is the other player's turn.", turns=False)


# --- the table A --------------------------------------------------------------------------------------------------


@exercise(
    cases=[(coins,) for coins in [*ROWS[1:], [7 * place % 19 for place in range(30)]]],
    given="coins {}",
    praise="in every cell, for odd and even numbers of coins",
    slow="Is there a loop that never ends, or is a cell worked out again that stands in A already?",
)
def alice_table(coins, *, alices_turn=lambda gone, left: gone % 2 == 0, his=min, lengths=sorted):
    """The table of what Alice still gets of the coins i to j; 0 in the cells with i > j."""
    n = len(coins)
    A = [[0] * n for _ in range(n)]
    for left in lengths(range(1, n + 1)):
        for i in range(n - left + 1):
            j = i + left - 1
            after_left, after_right = (A[i + 1][j], A[i][j - 1]) if i < j else (0, 0)
            if alices_turn(n - left, left):
                A[i][j] = max(coins[i] + after_left, coins[j] + after_right)
            else:
                A[i][j] = his(after_left, after_right)
    return A


alice_table.slip(
    "Whose turn it is depends on how many coins are gone, not on how many are left.",
    alices_turn=lambda gone, left: left % 2 == 0,
)
alice_table.slip("Bob leaves Alice the smaller of the two, not the larger.", his=max)
alice_table.slip("The cells of the shorter runs are not filled in before this one: short runs first.", lengths=reversed)


@alice_table.mistake("No cell is filled in yet.")
def nothing_filled_in(coins):
    return [[0] * len(coins) for _ in coins]


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
def best_ends(
    coins, A, i, j, *, alices_turn=lambda gone, left: gone % 2 == 0, counts=lambda hers: hers, his=min, tie="LR"
):
    """The best moves where the coins i to j are left: "L", "R", or "LR" where both are equally good."""
    if i == j:
        return tie
    hers = alices_turn(len(coins) - (j - i + 1), j - i + 1)
    coin, better = counts(hers), max if hers else his  # whether the coin that is taken counts for Alice
    left, right = coin * coins[i] + A[i + 1][j], coin * coins[j] + A[i][j - 1]
    return tie if left == right else "L" if left == better(left, right) else "R"


best_ends.slip("Bob leaves Alice the smaller of the two, not the larger.", his=max)
best_ends.slip("Bob keeps the coin that he takes: compare only what is left for Alice.", counts=lambda hers: True)
best_ends.slip("Alice gets the coin that she takes as well: add it before you compare.", counts=lambda hers: False)
best_ends.slip("Where both ends are equally good the answer is 'LR'; so it is for a single coin.", tie="L")
best_ends.slip(
    "Whose turn it is depends on how many coins are gone, not on how many are left.",
    alices_turn=lambda gone, left: left % 2 == 0,
)


@best_ends.mistake("A[i + 1][j] is what is left after the coin on the left is taken, and that move is 'L'.")
def ends_swapped(coins, A, i, j):
    return {"L": "R", "R": "L", "LR": "LR"}[best_ends.reference(coins, A, i, j)]


# --- a counterexample ---------------------------------------------------------------------------------------------


def _tie(coins) -> bool:
    return greedy_margin(coins) == 0


@exercise(
    cases=[(coins,) for count in (2, 3, 4, 5, 6, 8) for coins in product((1, 2), repeat=count)]
    + [((2, 1, 2, 3, 1, 1, 1, 1),), ((1, 1, 1, 1, 2, 1, 3, 1, 1),), ((7, 10, 6, 10, 10, 3, 10, 6, 6, 3, 3, 10),)],
    given="coins {}",
    praise="for rows that refute it and rows that do not",
)
def refutes(coins, *, may_be_odd=False, half_ties=_tie, whole_ties=_tie):
    """Whether a row of an even number of coins has two halves that are ties, and is no tie itself."""
    half = len(coins) // 2
    ties = half_ties(coins[:half]) and half_ties(coins[half:])
    return ties and not whole_ties(coins) and (may_be_odd or len(coins) % 2 == 0)


refutes.slip("An odd number of coins has no two halves of the same length.", may_be_odd=True)
refutes.slip("Where the whole row is a tie as well, the row speaks for the conjecture.", whole_ties=lambda coins: False)
refutes.slip(
    "Two colours with the same total make no tie: greedy_margin(coins) says what best play makes.",
    half_ties=lambda part: sum(part[0::2]) == sum(part[1::2]),
)
