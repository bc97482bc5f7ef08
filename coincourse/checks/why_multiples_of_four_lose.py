"""The proof: break a claim with a program, 2026 sticks, the lines of a proof in order."""

from collections.abc import Callable

from .engine import by_hand, exercise
from .judging import Wrong, praised, shown
from .verdict import Verdict

# --- a claim --------------------------------------------------------------------------------------


def _multiples(number: int, below: int) -> list[bool]:
    """Which counts are multiples: the losing counts of normal play, with up to `number` - 1 a turn."""
    return [count % number == 0 for count in range(below)]


FOURS = _multiples(4, below=401)
THREES = _multiples(3, below=31)


def _wrong_at(count: int) -> list[bool]:
    """A claim that is wrong at only one count."""
    claim = list(FOURS)
    claim[count] = not claim[count]
    return claim


def _try_claim(function, claimed: list[bool], loses: list[bool]):
    return function(lambda count: claimed[count], loses)


def _claim_and_truth(claimed: list[bool], loses: list[bool]) -> str:
    """A case in words."""
    losing = [count for count, says in enumerate(claimed) if says]
    return f"loses={shown(loses)} and a claim that is True for {shown(losing)[1:-1] or 'no count'}"


@exercise(
    cases=[([True] * 5, FOURS[:5]), ([False] * 5, FOURS[:5]), ([True] + [False] * 4, FOURS[:5])]
    + [(FOURS[:5], FOURS[:5]), (_multiples(2, below=9), FOURS[:9])]
    + [(THREES[:9], FOURS[:9]), (THREES, THREES), (FOURS[:31], THREES), (FOURS[:400], FOURS[:400])]
    + [(_wrong_at(count), FOURS) for count in (200, 395, 400)],
    given=_claim_and_truth,
    praise="for claims that hold and claims that break, early and late",
    run=_try_claim,
)
def break_claim(claim, loses):
    """The smallest count for which a claim differs from the truth, or None."""
    for n, truth in enumerate(loses):
        if claim(n) != truth:
            return n
    return None


@break_claim.mistake("The last count is left out: range(len(loses)) reaches it.")
def without_the_last(claim, loses):
    return break_claim.reference(claim, loses[:-1])


def _different(claim, loses) -> list[int]:
    """All counts for which a claim differs from the truth."""
    return [n for n, truth in enumerate(loses) if claim(n) != truth]


SMALLEST = "Return the smallest such count: stop at the first one."
break_claim.mistake(SMALLEST)(lambda claim, loses: max(_different(claim, loses), default=None))
break_claim.mistake(SMALLEST)(lambda claim, loses: max(_different(claim, loses), default=0))
break_claim.mistake(SMALLEST)(lambda claim, loses: max(_different(claim, loses)))
break_claim.mistake(SMALLEST)(lambda claim, loses: _different(claim, loses)[-1])
break_claim.mistake("Return one count, the smallest, and not a list of all of them.")(_different)


@break_claim.mistake(
    "If you compare `claim` itself with loses[n], the two always differ, even at 0: call it, `claim(n)`."
)
def not_called(claim, loses):
    return 0


@break_claim.mistake("The counts begin with 0: try it too.")
def begins_with_1(claim, loses):
    return next((n for n in range(1, len(loses)) if claim(n) != loses[n]), None)


@break_claim.mistake("There the claim agrees with the truth. It breaks where the two differ.")
def first_that_agrees(claim, loses):
    return next((n for n, truth in enumerate(loses) if claim(n) == truth), None)


BOTH_WAYS = "A claim can break in two ways: it says True where `loses` says False, or False where it says True."


@break_claim.mistake(BOTH_WAYS)
def says_too_much(claim, loses):
    return next((n for n, truth in enumerate(loses) if claim(n) and not truth), None)


@break_claim.mistake(BOTH_WAYS)
def says_too_little(claim, loses):
    return next((n for n, truth in enumerate(loses) if truth and not claim(n)), None)


@break_claim.mistake("Compare the claim with the truth: claim(n) with loses[n].")
def first_that_is_denied(claim, loses):
    return next((n for n in range(len(loses)) if not claim(n)), None)


@break_claim.mistake(
    "`loses` holds True and False. The counts are the places in it: use `enumerate` or `range(len(loses))`."
)
def values_as_counts(claim, loses):
    return next((n for n in loses if claim(n) != loses[n]), None)


# --- the first take -------------------------------------------------------------------------------

FAR = 100_003  # trying one count after another is still fast enough


@exercise(
    cases=[
        (count, most, misere)
        for counts, takes in ((range(1, 10), (3, 2, 1)), ((30, 2026, FAR), (3, 4, 12)))
        for count in counts
        for most in takes
        for misere in (False, True)
    ],
    given="count={}, max_pick={}, misere={}",
    praise=f"in normal play and in misère play, from 1 stick to {FAR:,}",
)
def first_take(count, max_pick, misere):
    """The take that wins against perfect play, or None."""
    free = count - 1 if misere else count
    remainder = free % (max_pick + 1)
    return None if remainder == 0 else remainder


LAST_STICK = "In misère play the player who takes the last stick loses."
first_take.slip(LAST_STICK, misere=False)
first_take.mistake(LAST_STICK)(lambda count, max_pick, misere: count % (max_pick + 1))
first_take.slip("A turn may take up to max_pick, not always up to 3: divide by max_pick + 1.", max_pick=3)


@first_take.mistake("In misère play one stick is poison, so both play for the others: count - 1, not count + 1.")
def one_stick_more(count, max_pick, misere):
    return first_take.reference(count + 2 if misere else count, max_pick, misere)


@first_take.mistake("In misère play set the poisoned stick aside first, then divide. Do not subtract it from the take.")
def one_off_the_take(count, max_pick, misere):
    return (count % (max_pick + 1) - misere) or None


@first_take.mistake("In misère play set the poisoned stick aside first, then divide. Do not subtract it from the take.")
def one_off_the_take_with_0(count, max_pick, misere):
    return count % (max_pick + 1) - misere


FILLED_UP = "Take the remainder away, so that a multiple of max_pick + 1 is left; do not fill it up."


@first_take.mistake(FILLED_UP)
def filled_up(count, max_pick, misere):
    return -(count - misere) % (max_pick + 1) or None


@first_take.mistake(FILLED_UP)
def filled_up_to_the_next(count, max_pick, misere):
    return max_pick + 1 - (count - misere) % (max_pick + 1)


@first_take.mistake("Divide by max_pick + 1: your take and the reply to it can always add up to that.")
def divided_by_max_pick(count, max_pick, misere):
    return (count - misere) % max_pick or None


WHAT_IS_LEFT = "That is what your take leaves. Return the take itself."


def what_is_left(sticks: Callable[[int, bool], int], take: Callable[[int, int, bool], int]) -> None:
    """Add two mistakes: `sticks` less `take`, with and without None where no take wins."""

    def left(count, max_pick, misere):
        return sticks(count, misere) - take(count, max_pick, misere)

    first_take.mistake(WHAT_IS_LEFT)(left)
    first_take.mistake(WHAT_IS_LEFT)(lambda *given: left(*given) if take(*given) else None)


what_is_left(lambda count, misere: count, lambda count, most, misere: (count - misere) % (most + 1))
what_is_left(lambda count, misere: count - misere, lambda count, most, misere: (count - misere) % (most + 1))
what_is_left(lambda count, misere: count, lambda count, most, misere: count % (most + 1))


@first_take.mistake("If no take wins, return None: taking 0 sticks is not a move.")
def nothing_taken(count, max_pick, misere):
    return first_take.reference(count, max_pick, misere) or 0


# --- a proof in order -----------------------------------------------------------------------------

# The lines of the lesson, in one right order, and what is lacking if an answer leaves one out
MISSING = {
    "D": "Nothing says what happens at 0, where every game ends.",
    "G": "Nothing says why every take leads to a winning count if n is divisible by 4.",
    "B": "Nothing says which take wins if n is not divisible by 4.",
    "I": "Nothing says that the smaller counts are already known. Where does the induction start?",
    "E": "One case is missing: what if n is divisible by 4?",
    "A": "One case is missing: what if n is not divisible by 4?",
    "F": "The last line is missing: why is the claim right for every count?",
}
FALSE = {
    "H": "Line H gives no reason: one bad take does not make a count losing. For that, every take must be bad.",
    "C": "Line C is evidence, not a proof: the squares kept to their pattern too, until 25.",
}
ABOVE = {  # a line, and one that it uses: what to say if that one is not above it
    ("E", "G"): "Line E says that every take leads to a winning count. It uses line G: what does a take leave?",
    ("E", "I"): "Line E needs to know which smaller counts are winning. That is supposed in line I.",
    ("A", "B"): "Line A says that some take leads to a losing count. It uses line B: which take is it?",
    ("A", "I"): "Line A needs to know which smaller counts are losing. That is supposed in line I.",
    ("F", "D"): "Line F begins at 0, so line D must come before it.",
    ("F", "E"): "Line F says that the claim is right for n. Both cases must come before it; line E is one of them.",
    ("F", "A"): "Line F says that the claim is right for n. Both cases must come before it; line A is one of them.",
}


@by_hand(takes_function=False, ours="DGBIEAF")
def proof_order(order) -> Verdict:
    """Say whether each line of a proof, in this order, uses only lines above it.

    Parameters
    ----------
    order : str or sequence of str
        The letters of the lines. Two of the nine lines do not belong to the proof.

    Examples
    --------
    >>> proof_order("D G B I E A F")
    ✓ Right: each line uses only lines above it. Your proof is complete.
    >>> proof_order("DGBEIAF")
    ✗ Line E needs to know which smaller counts are winning. That is supposed in line I.
    >>> proof_order("GBIEAF")
    ✗ Nothing says what happens at 0, where every game ends.
    """
    letters = _letters(order)
    complaint = what_is_wrong(letters)
    if complaint:
        raise Wrong(complaint)
    return praised(": each line uses only lines above it.", "Your proof is complete.")


def _letters(order) -> str:
    """The letters of an answer, without anything between them."""
    parts = order if isinstance(order, list | tuple) else [order]
    letters = ""
    if all(isinstance(part, str) for part in parts):
        letters = "".join(letter for part in parts for letter in part.upper() if letter.isalnum())
    if not letters:
        raise Wrong(f'Expected the letters of the lines in order, such as "C A B"; got {shown(order)}.')
    return letters


def what_is_wrong(letters: str) -> str:
    """What is wrong with an order of the lines, in a sentence; "" if nothing is."""
    for letter in letters:
        if letter in FALSE:
            return FALSE[letter]
        if letter not in MISSING:
            return f"There is no line {letter}: the lines are A to I."
        if letters.count(letter) > 1:
            return f"Line {letter} appears twice."
    for (line, used), sentence in ABOVE.items():
        if line in letters and letters.find(used) > letters.find(line):
            return sentence
    for letter, sentence in MISSING.items():
        if letter not in letters:
            return sentence
    return ""
