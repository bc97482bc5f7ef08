"""The proof: break a claim by program, make it four together, 2026 sticks."""

from operator import gt, ne

from coinlib.games import sticks

from . import contests
from .engine import exercise

# --- a claim ------------------------------------------------------------------------------------------------------

FOURS = [count % 4 == 0 for count in range(401)]  # the lost counts of normal play, with 1 to 3 a turn
THREES = [count % 3 == 0 for count in range(31)]  # with 1 or 2 a turn
MISERE = [count % 4 == 1 for count in range(9)]


def _try_claim(function, number: int, below: int, lost: list[bool]):
    return function(lambda count: count % number == 0 and count < below, lost)


@exercise(
    cases=[(1, 999, FOURS[:5]), (4, 999, MISERE), (2, 999, FOURS[:9]), (3, 999, FOURS[:9]), (3, 999, THREES)]
    + [(4, 999, THREES), (4, 400, FOURS[:400]), (4, 400, FOURS)],
    given="the claim that the multiples of {} below {} are lost, and lost = {}",
    praise="for claims that hold and claims that break, early and late",
    run=_try_claim,
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


def make_four(function) -> None:
    """Try an agent that moves second in normal play on multiples of k + 1 sticks, with 1 to k a turn."""
    games = [sticks(times * (most + 1), most, misere=False) for most in (3, 1, 2, 4, 5, 6) for times in (1, 2, 5)]
    games.append(sticks(5 * 13, 12, misere=False))
    contests.report_contest(function, games, "second", "of normal play on multiples of k + 1 sticks")


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
