"""The proof: break a claim by program, make it four together, 2026 sticks."""

from coinlib.arguments import counted
from coinlib.games import sticks

from . import contests
from .engine import exercise, shown

# --- a claim ------------------------------------------------------------------------------------------------------

FOURS = [count % 4 == 0 for count in range(401)]  # the lost counts of normal play, with 1 to 3 a turn
THREES = [count % 3 == 0 for count in range(31)]  # with 1 or 2 a turn
CLAIMS = {
    "every count is lost": lambda count: True,
    "no count is lost": lambda count: False,
    "in normal play the even counts are lost": lambda count: count % 2 == 0,
    "in normal play the multiples of four are lost": lambda count: count % 4 == 0,
    "in normal play the multiples of three are lost": lambda count: count % 3 == 0,
    "in normal play the multiples of four below 400 are lost": lambda count: count % 4 == 0 and count < 400,
}


@exercise(
    cases=[("every count is lost", FOURS[:5]), ("no count is lost", FOURS[:5])]
    + [(f"in normal play the {counts} are lost", FOURS[:9]) for counts in ("even counts", "multiples of three")]
    + [(f"in normal play the multiples of {number} are lost", THREES) for number in ("three", "four")]
    + [("in normal play the multiples of four below 400 are lost", FOURS[:count]) for count in (400, 401)],
    given=lambda claim, lost: f'the claim "{claim}" and {len(lost)} truths, lost = {shown(lost)}',
    praise="for claims that hold and claims that break, early and late",
    run=lambda function, claim, lost: function(CLAIMS[claim], lost),
)
def break_claim(claim, lost):
    """The smallest count for which a claim differs from the truth, or None."""
    return next((n for n in range(len(lost)) if claim(n) != lost[n]), None)


@break_claim.mistake("Look at the last place of the list as well.")
def without_the_last(claim, lost):
    return break_claim.reference(claim, lost[:-1])


@break_claim.mistake("A claim is also wrong where it says that a lost count is won.")
def lost_claims_only(claim, lost):
    return next((n for n in range(len(lost)) if claim(n) and not lost[n]), None)


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
    given=lambda count, most, misere: (
        f"{counted(count, 'stick')}, at most {most} a turn, {'misère' if misere else 'normal'} play"
    ),
    praise=f"in normal play and in misère play, from 1 stick to {FAR:,}",
)
def first_take(count, max_pick, misere, *, no_take=None, reply=1):
    """The take that wins against perfect play, or None."""
    return (count - misere) % (max_pick + reply) or no_take


first_take.slip("One cannot take 0. Where no take wins, return None.", no_take=0)
first_take.slip("In misère play who takes the last stick loses.", misere=False)
first_take.slip("Not always 3 may be taken: divide by max_pick + 1.", max_pick=3)
first_take.slip("Divide by max_pick + 1: so many go in two turns.", reply=0)
