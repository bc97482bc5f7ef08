"""Rules: one found by watching, one that beats random play, a counter, copies; the Game of Sticks for two."""

from collections.abc import Callable, Sequence

from coinlib import agents
from coinlib.agents import RuleAgent
from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, Move, State, sticks

from . import contests
from .conversations import IN_WORDS, INITIALLY, TAKE, conversation, on_board
from .engine import by_hand, exercise
from .judging import Wrong, praised, shown
from .verdict import Verdict

MISERE = SCENARIOS["SINGLE_21_3"]
NORMAL = sticks(21, max_pick=3, misere=False)
# How many games a rule plays against random play, and what share it should win
GAMES = 500
SEED = 3
WANTED = 0.70


def _leave_odd(game: CoinGame, state: State) -> Move:
    """The rule that the lesson asks you to find by watching: play against it before you read on.

    It leaves an odd number of coins, with the smallest take that does so, and takes a single last coin.
    """
    return Move(0, 1 if state[0] == 1 or state[0] % 2 == 0 else 2)


stranger = RuleAgent(_leave_odd, name="the stranger")


@by_hand()
def found_rule(function) -> Verdict:
    """Compare a rule ``(game, state) -> move`` with what `stranger` does with 1 to 21 coins.

    Examples
    --------
    >>> found_rule(lambda game, state: 1)
    ✗ With 3 coins the stranger takes 2; your rule takes 1. They agree for 11 of the 21 counts.
    """
    rule = contests.legal_agent(function)
    counts = range(1, MISERE.rows[0] + 1)
    right = {count: stranger(MISERE, (count,)).count for count in counts}
    # A rule does not depend on whose turn it is
    takes = {count: rule(MISERE, (count,)).count for count in (1, *counts)}
    wrong = [count for count in counts if takes[count] != right[count]]
    if wrong:
        is_swapped = all(takes[count] == 3 - right[count] for count in counts[1:])
        raise Wrong(
            f"With {counted(wrong[0], 'coin')} the stranger takes {right[wrong[0]]};",
            f"your rule takes {takes[wrong[0]]}.",
            f"They agree for {len(takes) - len(wrong)} of the {len(takes)} counts.",
            hint="Even and odd are swapped." if is_swapped else "",
        )
    return praised(": your rule does what the stranger does.", f"({len(takes)} cases tried)")


def _slow_until_three(game: CoinGame, state: State) -> Move:
    """Take everything if 3 or fewer coins are left, else 1."""
    count = state[0]
    if count <= 3:
        return Move(0, count)
    return Move(0, 1)


@by_hand(ours=_slow_until_three)
def my_rule(function) -> Verdict:
    """Let a rule play 500 games of SINGLE_21_3, normal play, against random play: does it win 70 %?

    Examples
    --------
    >>> my_rule(lambda game, state: 1)
    ✗ In normal play your rule won 41.0 % of 500 games (95 % interval 36.8 % to 45.4 %); 70 % is needed. \
With 2 coins left your rule takes 1. Taking 2 would win at once: \
this is normal play, so the last coin wins.
    """
    rule = contests.legal_agent(function)
    contests.check_every_state(rule, NORMAL)
    found, lost = contests.against_random(rule, NORMAL, GAMES, SEED)
    won = contests.rate_in_words(found)
    if not lost:
        return praised(f": your rule won {won}.", "It lost none of them.")
    end = contests.end_of(lost, 1 + len(lost.moves) % 2, "random play")
    example = ("A lost game.", end.begins)
    if found.win_rate >= WANTED:
        return praised(f": your rule won {won}.", *example, turns=end.turns, after=end.after)
    too_few = (f"In normal play your rule won {won};", f"{100 * WANTED:.0f} % is needed.")
    for count in (2, 3):
        take = rule(NORMAL, (count,)).count
        if take < count:
            raise Wrong(
                *too_few,
                f"With {count} coins left your rule takes {take}.",
                f"Taking {count} would win at once: this is normal play, so the last coin wins.",
            )
    takes_the_last = "Your rule takes the last coins whenever it can."
    raise Wrong(*too_few, takes_the_last, *example, turns=end.turns, after=end.after)


def _always_two(game: CoinGame, state: State) -> Move:
    """Take 2, except from 21, the start, and from 1."""
    if state[0] in (1, 21):
        return Move(0, 1)
    return Move(0, 2)


@by_hand(ours=_always_two)
def my_counter(function) -> Verdict:
    """Let a rule play SINGLE_21_3 in misère play against `stranger` from both seats, and say how it did.

    Examples
    --------
    >>> my_counter(lambda game, state: 1)
    ✗ Moving first, your agent loses to the stranger. The end of the game: \
the stranger takes 1 and leaves 3, you take 1 and leave 2, \
the stranger takes 1 and leaves 1, you take 1 and leave 0. Misère play: you took the last coin.
    """
    contests.check_both_seats(contests.legal_agent(function), MISERE, stranger, "the stranger")
    return praised(": your rule beats the stranger in misère play, moving first and moving second.")


EQUAL_ROWS = [CoinGame((held, held), most, misere=False) for held in range(1, 8) for most in (3, None)]
EQUAL_ROWS += [CoinGame((21, 21), 3, misere=False)]


@by_hand(ours=agents.mirror)
def my_mirror(function) -> Verdict:
    """Try a rule on two equal rows, normal play, moving second, against all that the first player can do."""
    return contests.win_every_game(function, EQUAL_ROWS, "second", "on equal rows in normal play")


# --- the question that is asked until it is answered ----------------------------------------------


def _asked(function: Callable, question: str, least: int, most: int, answers: Sequence[str]) -> list[str]:
    """The conversation, with a last line for what the function returned."""
    talk, returned = conversation(function, (question, least, most), answers)
    return [*talk, f"(returned {shown(returned)})"]


@exercise(
    cases=[(TAKE, 1, 3, [answer]) for answer in "213"]
    + [(TAKE, 1, 3, ["55", "3"]), (INITIALLY, 10, 100, ["500", "3", "50"])]
    + [(INITIALLY, 10, 100, ["9", "101", "10"]), (INITIALLY, 10, 100, ["0", "-20", "100"])]
    + [(TAKE, 1, 3, ["three", "", "2.5", "1"]), (TAKE, 1, 3, ["3-1", "len('abc')", "3"])]
    + [("Again? ", 0, 1, ["4", "yes", "2", "-1", "0"]), (TAKE, 1, 3, ["0"] * 40 + ["2"])],
    given="least={1}, most={2} and the answers {3}",
    praise="with the words of the handout, for numbers, words and empty answers",
    run=_asked,
    **IN_WORDS,
)
def ask_number(question, least, most, ask=input):
    """Ask until the answer is a whole number from `least` to `most`, and return it."""
    while True:
        try:
            number = int(ask(question))
            if least <= number <= most:
                return number
        except ValueError:
            pass
        print(f"Please enter a number between {least} and {most}")


# --- a person against a person --------------------------------------------------------------------


def _talk(function: Callable, answers: Sequence[str]) -> list[str]:
    """The conversation alone."""
    talk, _ = conversation(function, (), answers)
    return talk


@exercise(
    cases=[
        (["10", "3", "3", "3", "1"],),  # the handout's first example
        (["10", "3", "3", "2", "1", "1"],),
        (["10", "3", "3", "2", "3"],),
        (["500", "3", "50", "3", "55", "3"] + ["3"] * 13 + ["2", "1", "1", "1"],),  # its second one
        (["ten", "12", "0", "1", "1", "4", "", "2", "3", "3", "1", "1"],),
        (["9", "101", "100", *["3"] * 33, "two", "1"],),
        (["11", "3", "3", "3", "3"],),
    ],
    given="the answers {}",
    praise="line by line as in the handout",
    run=_talk,
    **IN_WORDS,
)
def two_players(ask=input):
    """The Game of Sticks (misère play) for two people: the player who takes the last stick loses."""
    print("Welcome to the game of sticks!")
    left = ask_number.reference(INITIALLY, 10, 100, ask)
    player = 1
    while left > 0:
        print(f"\n{on_board(left)}")
        left -= ask_number.reference(f"Player {player}: {TAKE}", 1, 3, ask)
        if left <= 0:
            print(f"Player {player}, you lose.")
        player = 3 - player
