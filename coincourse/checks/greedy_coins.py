"""Greedy coins: the better colour, the table A, the margin, a counterexample, the best moves."""

from functools import partial
from itertools import permutations, product

from coinlib.solvers import greedy_margin

from .engine import exercise

# --- the better colour ----------------------------------------------------------------------------


def _better_ends(coins: list[int]) -> list[str]:
    """The ends whose colour has the larger total; both if the totals are equal."""
    totals = {"L": sum(coins[0::2]), "R": sum(coins[1::2])}
    return [end for end, total in totals.items() if total == max(totals.values())]


@exercise(  # no two ways to add up some of 1, 2, 4 and 9 give the same, so only [3, 3] is equal
    cases=[([2, 5],), ([5, 2],), ([3, 3],), ([3, 2],), ([2, 3],), ([1, 1, 2, 1],), ([1, 2, 1, 3, 1, 1],)]
    + [(list(coins),) for coins in permutations((2, 4, 1, 9))]
    + [([7, 1, 1, 6, 1, 6],), ([2, 1, 3, 1, 2, 9, 1, 1],), ([9, *range(100, 130), 1, 50, 2],)],
    given="coins {}",
    praise="for short rows and long ones",
    few=True,
    rights=_better_ends,
)
def better_colour(coins):
    """The end, "L" or "R", whose colour has the larger total; either if the totals are equal."""
    of_left_end = sum(coins[0::2])
    of_right_end = sum(coins[1::2])
    return "L" if of_left_end >= of_right_end else "R"


ENDS = "The larger of the two end coins does not decide: add up all coins of each colour."
SAME_END = "That is the same end in each row. Add up the coins of both colours."
HALVES = "A colour is every second coin, not one half of the row."


better_colour.mistake(ENDS)(lambda coins: "L" if coins[0] >= coins[-1] else "R")
better_colour.mistake(ENDS)(lambda coins: "L" if coins[0] > coins[-1] else "R")
better_colour.mistake(SAME_END)(lambda coins: "L")
better_colour.mistake(SAME_END)(lambda coins: "R")


@better_colour.mistake("A colour is every second place, not the even or the odd numbers: look at the places.")
def even_numbers(coins):
    return "L" if sum(coin for coin in coins if coin % 2 == 0) > sum(coins) / 2 else "R"


SMALLER_TOTAL = "That is the end whose colour has the smaller total."
better_colour.mistake(SMALLER_TOTAL)(lambda coins: "R" if sum(coins[0::2]) >= sum(coins[1::2]) else "L")
better_colour.mistake(SMALLER_TOTAL)(lambda coins: "R" if sum(coins[0::2]) > sum(coins[1::2]) else "L")


@better_colour.mistake(HALVES)
def halves(coins):
    half = len(coins) // 2
    return "L" if sum(coins[:half]) >= sum(coins[half:]) else "R"


@better_colour.mistake(HALVES)
def halves_or_right(coins):
    half = len(coins) // 2
    return "L" if sum(coins[:half]) > sum(coins[half:]) else "R"


# --- the table A ----------------------------------------------------------------------------------

ROWS = [list(row) for count in range(4) for row in product((4, 2, 7), repeat=count)]
ROWS += [[3, 5, 1, 2], [1, 2, 4, 3], [4, 3, 5, 1, 2], [2, 1, 2, 3, 3, 3], [0, 9, 0, 30, 4, 4, 0]]
ROWS += [[14, 3, 9, 1, 8, 8, 2, 11, 5, 6]]


def _smaller(moves):
    """What a perfect Bob leaves Alice: the smaller of the two."""
    return min(after for _, after in moves)


def _larger(moves):
    """What a perfect Alice gets: the larger of the two, each a coin and what comes after it."""
    return max(coin + after for coin, after in moves)


def _filled(A, coins, lengths, bob=_smaller, alice=_larger):
    """Fill a table with what Alice still gets, run by run.

    Each of the two moves is a pair: the coin, and what Alice gets after it. `bob` says what he leaves her, `alice`
    what she gets.
    """
    n = len(coins)
    for length in lengths:
        for i in range(n - length + 1):
            j = i + length - 1
            after_left = A[i + 1][j] if i < j else 0
            after_right = A[i][j - 1] if i < j else 0
            moves = [(coins[i], after_left), (coins[j], after_right)]
            if (n - length) % 2 == 0:
                A[i][j] = alice(moves)
            else:
                A[i][j] = bob(moves)
    return A


def _with_the_other_rest(moves):
    (left_coin, after_left), (right_coin, after_right) = moves
    return max(left_coin + after_right, right_coin + after_left)


def _largest_rest(moves):
    return max(after for _, after in moves)


def _smaller_sum(moves):
    return min(coin + after for coin, after in moves)


def _zeros(n):
    return [[0] * n for _ in range(n)]


def _table(coins, bob=_smaller, alice=_larger):
    """The table if `bob` and `alice` decide what Alice gets on their moves."""
    n = len(coins)
    return _filled(_zeros(n), coins, range(1, n + 1), bob, alice)


@exercise(
    cases=[(coins,) for coins in [*ROWS[1:], [7 * place % 19 for place in range(30)]]],
    given="coins {}",
    praise="in every cell, for odd and even numbers of coins",
    slow="Is there a loop that never ends, or is a cell worked out again that is in A already?",
)
def alice_table(coins):
    """The table of what Alice still gets of the coins i to j; 0 in the cells with i > j."""
    return _table(coins)


@alice_table.mistake(
    "With one coin there is one cell, `A[0][0]`, and no other to look at. "
    "Nothing comes after this coin: write 0 instead of these cells. Whose coin it is counts as before."
)
def beyond_the_table(coins):
    n = len(coins)
    A = _zeros(n)
    for i in range(n):
        A[i][i] = max(coins[i] + A[i + 1][i], coins[i] + A[i][i - 1])
    return A


@alice_table.mistake("The two places are swapped: in `A[i][j]` the run begins at place i and ends at place j.")
def mirrored(coins):
    return [list(column) for column in zip(*alice_table.reference(coins))]


@alice_table.mistake(
    "The two cells are swapped. After the coin at place i the run i + 1 to j is left, after the coin at place j "
    "the run i to j - 1."
)
def later_cells_swapped(coins):
    return _table(coins, alice=_with_the_other_rest)


@alice_table.mistake("Add each coin to what comes after it. Only then compare the two sums.")
def larger_coin_and_larger_rest(coins):
    return _table(coins, alice=lambda moves: sum(map(max, zip(*moves))))


@alice_table.mistake("The last coin of an even row is Bob's, so its cell holds 0.")
def coins_on_the_diagonal(coins):
    n = len(coins)
    A = [[coins[i] if i == j else 0 for j in range(n)] for i in range(n)]
    return _filled(A, coins, range(2, n + 1))


def _with_turns_swapped(coins):
    """The table if Bob moves where Alice should: one coin more, which is gone at once."""
    with_a_coin_gone = alice_table.reference([0, *coins])
    return [row[1:] for row in with_a_coin_gone[1:]]


@alice_table.mistake("Alice moves when an even number of coins is gone. Count the coins that are gone, not those left.")
def turn_by_an_odd_number_left(coins):
    return alice_table.reference(coins) if len(coins) % 2 == 1 else _with_turns_swapped(coins)


@alice_table.mistake(
    "Here nothing is added to the coins: the cells of the shorter runs count too, and they must be filled first."
)
def long_runs_first(coins):
    n = len(coins)
    return _filled(_zeros(n), coins, range(n, 0, -1))


@alice_table.mistake("Whose turn it is depends on how many coins are gone.")
def turn_by_the_coins_left(coins):
    return alice_table.reference(coins) if len(coins) % 2 == 0 else _with_turns_swapped(coins)


@alice_table.mistake("The turns are swapped: Alice moves first, when no coin is gone.")
def bob_first(coins):
    return _with_turns_swapped(coins)


@alice_table.mistake(
    "`[[0] * n] * n` is one list with n names: all rows change together. Make a new list for each row."
)
def one_list_for_all_rows(coins):
    n = len(coins)
    return _filled([[0] * n] * n, coins, range(1, n + 1))


@alice_table.mistake("Bob leaves Alice the smaller of the two, not the larger.")
def bob_leaves_the_larger(coins):
    return _table(coins, bob=_largest_rest)


BOBS_COIN = "Bob's coin is his own: where he moves, no coin is added to Alice's points."
ALICES_COIN = "Where Alice moves, her coin is added to what comes after it."
SWAPPED = "The rules are swapped: Alice takes the larger coin + rest, and Bob leaves her the smaller rest."
WRONG_RULES = [  # with what Bob leaves Alice, and what she gets
    (BOBS_COIN, _smaller_sum, _larger),
    (BOBS_COIN, _larger, _larger),
    (ALICES_COIN, _smaller, _largest_rest),
    (SWAPPED, _larger, _smaller),
    (SWAPPED, _largest_rest, _smaller_sum),
]


@alice_table.mistake(BOBS_COIN)
def bobs_coin_added(coins):
    return _table(coins, bob=_smaller_sum)


def _over_zeros(bob, alice, coins):
    """The table if the base holds 0 in every row."""
    n = len(coins)
    return _filled(_zeros(n), coins, range(2, n + 1), bob, alice)


def _over_the_last_coins(bob, alice, coins):
    """The table if only the base is right."""
    n = len(coins)
    A = _filled(_zeros(n), coins, range(1, 2))
    return _filled(A, coins, range(2, n + 1), bob, alice)


NOT_BOBS_COIN = "The last coin of an odd row is Alice's, so its cell holds the coin."
alice_table.mistake(NOT_BOBS_COIN)(partial(_over_zeros, _smaller, _larger))
alice_table.mistake(NOT_BOBS_COIN)(partial(_over_zeros, _largest_rest, _larger))
for sentence, bob, alice in WRONG_RULES:
    alice_table.mistake(NOT_BOBS_COIN)(partial(_over_zeros, bob, alice))
    alice_table.mistake(sentence)(partial(_over_the_last_coins, bob, alice))


@alice_table.mistake("The larger coin is not always best for Bob: he leaves Alice the smaller of the two.")
def bob_takes_the_larger_coin(coins):
    def bob(moves):
        (left_coin, after_left), (right_coin, after_right) = moves
        return after_left if left_coin >= right_coin else after_right

    return _table(coins, bob)


# --- the margin -----------------------------------------------------------------------------------


@exercise(
    cases=[([4], 4), ([3, 5], 5), ([1, 5, 1], 2), ([1, 2, 4, 3], 5), ([3, 5, 1, 2], 7), ([4, 2, 1, 2], 6)]
    + [([1, 2, 2, 1, 2, 1, 1, 2], 7), ([1, 4, 9, 14, 17, 8], 27), ([3, 1, 9, 6, 8, 5], 20), ([1, 30, 1, 1, 1], 4)],
    given="coins {} of which Alice gets {}",
    praise="for rows that she wins, loses or ties",
)
def alices_margin(coins, points):
    """By how many points Alice wins if she gets `points` of these coins; below 0 if she loses."""
    bobs_points = sum(coins) - points
    return points - bobs_points


@alices_margin.mistake("That is half of her margin: Bob is as far below half of all coins as she is above it.")
def half_the_margin(coins, points):
    return points - sum(coins) / 2


@alices_margin.mistake("These are Bob's points. By how many does Alice have more?")
def points_of_bob(coins, points):
    return sum(coins) - points


@alices_margin.mistake("If she loses, her margin is below 0.")
def without_a_sign(coins, points):
    return abs(2 * points - sum(coins))


# --- the table M ----------------------------------------------------------------------------------


def _better_end(left, right):
    """The end with the larger number; "LR" if they are equal."""
    if left == right:
        return "LR"
    return "L" if left > right else "R"


@exercise(
    cases=[
        (coins, alice_table.reference(coins), i, j)
        for coins in sorted(ROWS[1:], key=len)
        for j in range(len(coins))
        for i in range(j + 1)
    ],
    given=lambda coins, A, i, j: f"coins {coins} and the run from i = {i} to j = {j}",
    praise="for every run, whether Alice or Bob moves",
    few=True,
)
def best_ends(coins, A, i, j):
    """The best moves where the coins i to j are left: "L", "R", or "LR" if both are equally good."""
    if i == j:
        return "LR"
    after_left = A[i + 1][j]
    after_right = A[i][j - 1]
    if (len(coins) - (j - i + 1)) % 2 == 0:
        return _better_end(coins[i] + after_left, coins[j] + after_right)
    return _better_end(-after_left, -after_right)


@best_ends.mistake("Where Bob moves, no coin is added, and he wants the smaller number.")
def bob_is_alice(coins, A, i, j):
    if i == j:
        return "LR"
    return _better_end(coins[i] + A[i + 1][j], coins[j] + A[i][j - 1])


# --- a counterexample -----------------------------------------------------------------------------


def _has_tied_halves(coins):
    half = len(coins) // 2
    return greedy_margin(coins[:half]) == 0 and greedy_margin(coins[half:]) == 0


@exercise(
    cases=[(coins,) for count in (2, 3, 4, 5, 6, 8) for coins in product((1, 2), repeat=count)]
    + [((2, 1, 2, 3, 1, 1, 1, 1),), ((1, 1, 1, 1, 2, 1, 3, 1, 1),)]
    + [((7, 10, 6, 10, 10, 3, 10, 6, 6, 3, 3, 10),)],
    given="coins {}",
    praise="for rows that refute it and rows that do not",
)
def refutes(coins):
    """Whether a row of an even number of coins has two halves that are ties, and is not a tie itself."""
    return len(coins) % 2 == 0 and _has_tied_halves(coins) and greedy_margin(coins) != 0


@refutes.mistake("If the whole row is a tie as well, the row supports the conjecture.")
def tied_halves(coins):
    return len(coins) % 2 == 0 and _has_tied_halves(coins)


@refutes.mistake("A row with an odd number of coins does not have two equal halves, so it refutes nothing.")
def odd_rows_too(coins):
    return _has_tied_halves(coins) and greedy_margin(coins) != 0
