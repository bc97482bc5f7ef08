"""The proof: break a claim by program, make it four together, 2026 sticks."""

from coinlib.games import sticks

from . import contests
from .engine import by_hand, exercise
from .judging import Praise

# --- a claim --------------------------------------------------------------------------------------


def _multiples(number: int, below: int) -> list[bool]:
    """Which counts are multiples: the lost counts of normal play, with one less than `number` a turn."""
    return [count % number == 0 for count in range(below)]


FOURS = _multiples(4, below=401)
THREES = _multiples(3, below=31)


def _wrong_at(count: int) -> list[bool]:
    """A claim that is wrong at one count alone."""
    claim = list(FOURS)
    claim[count] = not claim[count]
    return claim


def _try_claim(function, claimed: list[bool], lost: list[bool]):
    return function(lambda count: claimed[count], lost)


@exercise(
    cases=[([True] * 5, FOURS[:5]), ([False] * 5, FOURS[:5]), ([True] + [False] * 4, FOURS[:5])]
    + [(FOURS[:5], FOURS[:5]), (_multiples(2, below=9), FOURS[:9])]
    + [(THREES[:9], FOURS[:9]), (THREES, THREES), (FOURS[:31], THREES), (FOURS[:400], FOURS[:400])]
    + [(_wrong_at(count), FOURS) for count in (200, 395, 400)],
    given="a claim that says {} for 0, 1, 2, … and lost = {}",
    praise="for claims that hold and claims that break, early and late",
    run=_try_claim,
)
def break_claim(claim, lost):
    """The smallest count for which a claim differs from the truth, or None."""
    for n, truth in enumerate(lost):
        if claim(n) != truth:
            return n
    return None


@break_claim.mistake("The search ends with the first count: return None after the last one.")
def ends_with_the_first(claim, lost):
    return break_claim.reference(claim, lost[:1])


@break_claim.mistake("The last count in `lost` belongs to it: range(len(lost)) ends there.")
def without_the_last(claim, lost):
    return break_claim.reference(claim, lost[:-1])


# --- the reply ------------------------------------------------------------------------------------


TIMES_AND_MOST = [(times, most) for most in (3, 1, 2, 4, 5, 6) for times in (1, 2, 5)]
MULTIPLES = [sticks(times * (most + 1), most, misere=False) for times, most in TIMES_AND_MOST]
MULTIPLES += [sticks(5 * 13, 12, misere=False)]


def _make_four(game, state) -> int:
    return state[0] % (game.max_pick + 1) or 1


@by_hand(ours=_make_four)
def make_four(function) -> Praise:
    """Try an agent that moves second in normal play on multiples of k + 1 sticks, with 1 to k a turn."""
    where = "of normal play on multiples of k + 1 sticks"
    return contests.win_every_game(function, MULTIPLES, "second", where)


# --- the first take -------------------------------------------------------------------------------

FAR = 100_003  # one count after the other is still in time


@exercise(
    cases=[
        (count, most, misere)
        for counts, takes in ((range(1, 10), (3, 2, 1)), ((30, 2026, FAR), (3, 4, 12)))
        for count in counts
        for most in takes
        for misere in (False, True)
    ],
    given="count {}, max_pick {} and misere {}",
    praise=f"in normal play and in misère play, from 1 stick to {FAR:,}",
)
def first_take(count, max_pick, misere):
    """The take that wins against perfect play, or None."""
    together = max_pick + 1
    free = count - 1 if misere else count
    too_much = free % together
    return None if too_much == 0 else too_much


first_take.slip("In misère play whoever takes the last stick loses.", misere=False)
first_take.slip("Not always 3 may be taken: divide by max_pick + 1.", max_pick=3)


@first_take.mistake("In misère play one stick is poison; both play for the others: count - 1, not count + 1.")
def one_stick_more(count, max_pick, misere):
    return first_take.reference(count + 2 if misere else count, max_pick, misere)


@first_take.mistake("Where no take wins, return None: taking 0 sticks is no move.")
def nothing_taken(count, max_pick, misere):
    return first_take.reference(count, max_pick, misere) or 0
