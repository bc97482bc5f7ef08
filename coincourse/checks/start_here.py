"""Start here: a legal number, a first function, a first decision."""

from coinlib.arguments import counted, whole_number
from coinlib.games import IllegalMove, sticks

from .engine import by_hand, exercise
from .judging import Wrong, praised
from .verdict import Verdict

HEAP = sticks(7, max_pick=3, misere=True)


@by_hand(takes_function=False)
def first_move(count) -> Verdict:
    """Say whether `count` coins can be taken from seven, or which error the game would raise.

    Parameters
    ----------
    count : object
        The student's number.

    Examples
    --------
    >>> first_move(5)
    ✗ IllegalMove: row 0 holds 7 coins; asked to take 5 (legal: 1 to 3)
    >>> first_move("2")
    ✗ my_move: expected a whole number, got '2'. A whole number has no quotation marks, no brackets, no decimal point.
    >>> first_move(2)
    ✓ Legal: 2 taken from 7, and 5 coins are left.
    """
    try:
        (left,) = HEAP.play(HEAP.start, whole_number(count, "my_move", least=None))
    except IllegalMove as error:
        raise Wrong(f"IllegalMove: {error}") from None
    except TypeError as error:
        raise Wrong(f"{error}. A whole number has no quotation marks, no brackets, no decimal point.") from None
    return praised(f": {count} taken from 7, and {counted(left, 'coin')} are left.", headline="Legal")


# --- how many are left ----------------------------------------------------------------------------


def _are_taken(taken: int) -> str:
    return "1 is taken" if taken == 1 else f"{taken} are taken"


@exercise(
    cases=[(before, taken) for before in range(1, 21) for taken in range(1, min(3, before) + 1)]
    + [(100, 1), (100, 30), (1_000, 999), (70_000, 66_000)],
    given=lambda before, taken: f"{counted(before, 'stick')} of which {_are_taken(taken)}",
    praise="for every move from 1 to 20 sticks, and for larger heaps",
)
def sticks_left(before, taken):
    """How many sticks are left after a move."""
    return before - taken


sticks_left.slip("That takes one stick away, whatever `taken` is.", taken=1)


@sticks_left.mistake("The two numbers are exchanged: take `taken` away from `before`.")
def numbers_exchanged(before, taken):
    return taken - before


@sticks_left.mistake("The sticks are taken away, so fewer are left: subtract, do not add.")
def added(before, taken):
    return before + taken


@sticks_left.mistake("Return how many are left, not how many are taken.")
def how_many_are_taken(before, taken):
    return taken


# --- leave one ------------------------------------------------------------------------------------


@exercise(
    cases=[(left,) for left in [*range(1, 25), 50, 101, 1_000, 70_000]],
    given=lambda left: counted(left, "stick"),
    praise="with 2, 3 and 4 sticks, and everywhere else",
    few=True,
)
def finish(left):
    """How many sticks to take: all but one if 2, 3 or 4 are left, otherwise 1."""
    if 2 <= left <= 4:
        return left - 1
    return 1


@finish.better("Wherever it can, your rule leaves 1, 5, 9, ... sticks.")
def perfect_play(left):
    return (left - 1) % 4 or 1


@finish.mistake("One less than there are is right for 2, 3 and 4 sticks only: with any other number take 1.")
def one_less_everywhere(left):
    return left - 1


LAST_ONE = "With 1 stick `left - 1` is 0, and that is not a move: take 1."
finish.mistake(LAST_ONE)(lambda left: left - 1 if left <= 4 else 1)
finish.mistake(LAST_ONE)(lambda left: left - 1 if left <= 4 else None)


@finish.mistake("You can leave one stick also with 3 and with 4 sticks: take 2, or 3.")
def always_one(left):
    return 1


@finish.mistake("That is how many sticks are left; return what you take. (Or are `if` and `else` swapped?)")
def how_many_are_left(left):
    return 1 if left in (2, 3, 4) else left - 1


@finish.mistake("The player who takes the last stick loses: leave one.")
def takes_all(left):
    return left if left <= 3 else 1


@finish.mistake("With 4 sticks you can leave one, too: take 3.")
def without_four(left):
    return left - 1 if left in (2, 3) else 1
