"""The proof: break a claim by program, make it four together, 2026 sticks."""

from operator import gt, ne

from coinlib.games import sticks

from . import contests
from .engine import by_hand, exercise

# --- a claim ------------------------------------------------------------------------------------------------------


def _multiples(number: int, below: int) -> list[bool]:
    """Which counts are multiples: the lost counts of normal play, with one less than `number` a turn."""
    return [count % number == 0 for count in range(below)]


FOURS, THREES = _multiples(4, below=401), _multiples(3, below=31)


@exercise(
    cases=[([True] * 5, FOURS[:5]), ([False] * 5, FOURS[:5]), (_multiples(2, below=9), FOURS[:9])]
    + [(THREES[:9], FOURS[:9]), (THREES, THREES), (FOURS[:31], THREES), (FOURS[:400], FOURS[:400])]
    + [([*FOURS[:400], False], FOURS)],
    given="the claims {} and the truth {}",
    praise="for claims that hold and claims that break, early and late",
    run=lambda function, claimed, lost: function(lambda count: claimed[count], lost),
)
def break_claim(claim, lost, *, end=None, breaks=ne):
    """The smallest count for which a claim differs from the truth, or None."""
    return next((n for n, truth in enumerate(lost[:end]) if breaks(claim(n), truth)), None)


break_claim.slip("Look at the last place of the list as well.", end=-1)
break_claim.slip("A claim is also wrong where it says that a lost count is won.", breaks=gt)


@break_claim.mistake("The search ends with the first count: return None after the last one.")
def ends_with_the_first(claim, lost):
    return None if claim(0) == lost[0] else 0


# --- the reply ------------------------------------------------------------------------------------------------------


MULTIPLES = [sticks(times * (most + 1), most, misere=False) for most in (3, 1, 2, 4, 5, 6) for times in (1, 2, 5)]
MULTIPLES.append(sticks(5 * 13, 12, misere=False))


@by_hand(prepare=lambda: contests.prepare(MULTIPLES))
def make_four(function) -> str:
    """Try an agent that moves second in normal play on multiples of k + 1 sticks, with 1 to k a turn."""
    return contests.win_every_game(function, MULTIPLES, "second", "of normal play on multiples of k + 1 sticks")


# --- the first take -------------------------------------------------------------------------------------------------

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
def first_take(count, max_pick, misere, *, no_take=None, reply=1):
    """The take that wins against perfect play, or None."""
    return (count - misere) % (max_pick + reply) or no_take


first_take.slip("One cannot take 0. Where no take wins, return None.", no_take=0)
first_take.slip("In misère play who takes the last stick loses.", misere=False)
first_take.slip("Not always 3 may be taken: divide by max_pick + 1.", max_pick=3)
first_take.slip("Divide by max_pick + 1: so many go in two turns.", reply=0)
