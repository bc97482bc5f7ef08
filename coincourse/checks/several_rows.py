"""Several rows: the smallest missing number, the moves to XOR 0, losing positions in both endings."""

from itertools import combinations, product

from coinlib.theory import nim_sum

from .engine import exercise
from .the_coin_game import add_mistakes_about_moves

# --- the value of a row ---------------------------------------------------------------------------


@exercise(
    cases=[(list(numbers),) for size in range(5) for numbers in combinations(range(5), size)]
    + [([2, 1, 0],), ([0, 3, 2],), ([0, 0, 1, 1],), ([4, 0, 2, 1, 7],), ([9, 2, 0, 9, 1],), ([1] * 40,)]
    + [(list(range(60, -1, -1)),), ([3, 1, 0, 2, 5],)],
    given="the numbers {}",
    praise="in any order, with gaps, with repeats, and for an empty list",
)
def missing(numbers):
    """The smallest whole number from 0 on that is not in the list."""
    number = 0
    while number in numbers:
        number = number + 1
    return number


@missing.mistake("0 is a whole number too: begin with 0.")
def from_1(numbers):
    return 1 + missing.reference([number - 1 for number in numbers])


@missing.mistake("A number may be missing below the largest one: count up from 0.")
def one_more_than_the_largest(numbers):
    return max(numbers, default=-1) + 1


@missing.mistake("The list can be empty: then 0 is missing. Count up from 0, and the largest number is not needed.")
def largest_of_an_empty_list(numbers):
    return max(numbers) + 1


# --- the moves to XOR 0 ---------------------------------------------------------------------------

ROWS = [list(rows) for size in (1, 2, 3) for rows in product((0, 1, 2, 5), repeat=size)]
ROWS += [[6, 7, 8], [1, 3, 5, 7], [9, 4, 10, 3], [21, 21], [12, 0, 12, 5]]


def _moves(rows, max_pick, is_zero=None, left_after=None):
    """The moves after which `is_zero` holds for the counts that `left_after` gives; both are right by default."""

    def values_join_to_zero(left):
        return nim_sum(*[held % (max_pick + 1) for held in left]) == 0

    def changed(row, count):
        return [*rows[:row], rows[row] - count, *rows[row + 1 :]]

    is_zero = is_zero or values_join_to_zero
    left_after = left_after or changed
    moves = []
    for row, held in enumerate(rows):
        for count in range(1, min(held, max_pick) + 1):
            if is_zero(left_after(row, count)):
                moves.append((row, count))
    return moves


@exercise(
    cases=[(rows, most) for rows in ROWS for most in (3, 2, 5)],
    given="rows of {} coins, at most {} a turn",
    praise="for one row and several, for losing positions as well",
    any_order=True,
)
def to_zero(rows, max_pick):
    """All moves (row, count) after which the XOR of the Grundy values is 0."""
    return _moves(rows, max_pick)


@to_zero.mistake("Combine the values by XOR, not the counts: a row of n has the value n % (max_pick + 1).")
def counts_joined(rows, max_pick):
    moves = to_zero.reference(rows, max(rows))
    return [(row, count) for row, count in moves if count <= max_pick]


@to_zero.mistake("XOR is not a sum: add without carrying, or use ^.")
def values_added(rows, max_pick):
    return _moves(rows, max_pick, lambda left: sum(held % (max_pick + 1) for held in left) == 0)


@to_zero.mistake("The value of a row of n is n % (max_pick + 1).")
def remainders_of_max_pick(rows, max_pick):
    return _moves(rows, max_pick, lambda left: nim_sum(*[held % max_pick for held in left]) == 0)


ONE_COPY = "Make a new copy of the rows for each move: in this one the coins of earlier moves are missing, too."


@to_zero.mistake(ONE_COPY)
def one_copy_for_all_moves(rows, max_pick):
    left = list(rows)

    def left_after(row, count):
        left[row] -= count
        return left

    return _moves(rows, max_pick, left_after=left_after)


@to_zero.mistake(ONE_COPY)
def one_copy_for_each_row(rows, max_pick):
    copies = [list(rows) for _ in rows]

    def left_after(row, count):
        copies[row][row] -= count
        return copies[row]

    return _moves(rows, max_pick, left_after=left_after)


@to_zero.mistake(ONE_COPY)
def rows_never_restored(rows, max_pick):
    left = list(rows)

    def left_after(row, count):
        left[row] = rows[row] - count
        return left

    return _moves(rows, max_pick, left_after=left_after)


add_mistakes_about_moves(to_zero)

# --- losing positions ---------------------------------------------------------------------------------

VALUES = [list(values) for rows in (1, 2, 3) for values in product(range(4), repeat=rows)]
VALUES += [[1, 1, 1, 1], [1, 3, 5, 7], [6, 1, 4, 2], [0, 1, 1, 1, 0], [1, 1, 1, 1, 2], [9, 12, 5, 0, 1]]
VALUES += [[1] * 8, [100, 37, 65], [1, 100, 101], [2**40, 2**33, 2**40 + 2**33], [2**40, 1, 2**40]]


@exercise(
    cases=[(values, misere) for values in VALUES for misere in (False, True)],
    given=lambda values, misere: f"values {values} in {'misère' if misere else 'normal'} play",
    praise="for one row and many, in both endings",
)
def lost_rows(values, misere):
    """Whether rows with these Grundy values are losing for the player to move."""
    if misere and all(value <= 1 for value in values):
        return nim_sum(*values) == 1
    return nim_sum(*values) == 0


lost_rows.slip(
    "That is the rule of normal play; misère play has an exception where all values are 0 or 1.", misere=False
)
lost_rows.slip("The exception is for misère play only: in normal play XOR 0 is always losing.", misere=True)


@lost_rows.mistake(
    "The exception holds only where all values are 0 or 1. Everywhere else XOR 0 is losing, in misère play too."
)
def exception_everywhere(values, misere):
    return nim_sum(*values) == (1 if misere else 0)


@lost_rows.mistake("The exception holds if *all* values are 0 or 1: `all`, not `any`.")
def exception_for_any(values, misere):
    return lost_rows.reference(values, misere) if not misere else nim_sum(*values) == any(v <= 1 for v in values)


@lost_rows.mistake("XOR is not a sum: use nim_sum(*values), or ^.")
def values_summed(values, misere):
    if misere and all(value <= 1 for value in values):
        return sum(values) == 1
    return sum(values) == 0


@lost_rows.mistake("That says who wins: return True for the losing positions.")
def won_for_lost(values, misere):
    return not lost_rows.reference(values, misere)


@lost_rows.mistake("The exception is for all values 0 or 1: rows of value 0 count too.")
def exception_for_ones_only(values, misere):
    only_ones = misere and all(value == 1 for value in values)
    return lost_rows.reference(values, only_ones)
