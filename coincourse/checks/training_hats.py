"""Training hats: favourites, losing counts, programs in which hats learn; the rest of the lesson from its two files."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from coinlib.arguments import counted

from .conversations import IN_WORDS, TAKE, conversation, on_board
from .engine import exercise
from .hats import draw, settle_game
from .lock_in import locked_hats, share_locked  # noqa: F401 - exercises of this lesson
from .rules import ask_number
from .two_rows import lost_states  # noqa: F401 - an exercise of this lesson
from .values import plain, shown

# --- the favourite of a hat -----------------------------------------------------------------------


@exercise(
    cases=[([1, 1, 5], 4)]
    + [(list(counts), hat) for counts in product((1, 2, 5), repeat=3) for hat in (1, 2, 3, 9)]
    + [([20_011, 49_990, 3], 20), ([20_011, 49_990, 49_991], 20), ([7, 3, 8], 2)]
    + [([2, 2, 9, 4], 12), ([1, 8, 1, 8, 3], 20), ([1, 1, 4, 9], 3), ([1, 1, 1, 6, 2], 5)],
    given="counts {} in hat {}",
    praise="for clear favourites, for equals, and for hats in which a ball is never played",
)
def favourite(counts, sticks):
    """The number with the most balls that can be played in a hat; None if several have the most."""
    playable = counts[:sticks]
    most = max(playable)
    if playable.count(most) > 1:
        return None
    return playable.index(most) + 1


favourite.slip("Balls that are larger than the hat are never played, so do not count them.", sticks=100)


HOW_MANY = "That is how many balls there are, not the number on them: at which place is the largest count?"
FROM_0 = "The places of a list are counted from 0, and balls from 1: add 1."


@favourite.mistake(HOW_MANY)
def how_many_balls(counts, sticks):
    return max(counts)


@favourite.mistake(HOW_MANY)
def how_many_playable_balls(counts, sticks):
    playable = counts[:sticks]
    most = max(playable)
    return None if playable.count(most) > 1 else most


@favourite.mistake(FROM_0)
def place_from_0(counts, sticks):
    number = favourite.reference(counts, sticks)
    return None if number is None else number - 1


@favourite.mistake(FROM_0)
def place_of_the_largest_from_0(counts, sticks):
    return counts.index(max(counts))


@favourite.mistake("If several numbers have the most balls there is no favourite: return None.")
def first_of_equals(counts, sticks):
    playable = counts[:sticks]
    return playable.index(max(playable)) + 1


@favourite.mistake("If several numbers have the most balls there is no favourite: return None.")
def last_of_equals(counts, sticks):
    playable = counts[:sticks]
    return max(range(len(playable)), key=lambda place: (playable[place], place)) + 1


@favourite.mistake("If there is no favourite, return None: 0 would be the number on a ball.")
def zero_for_none(counts, sticks):
    return favourite.reference(counts, sticks) or 0


@favourite.mistake("Your slice is too long: `counts[:sticks]` holds the balls 1 to `sticks`, and nothing else.")
def slice_too_long(counts, sticks):
    return favourite.reference(counts, sticks + 1)


@favourite.mistake("Your slice is too short: `counts[:sticks]` ends with the ball `sticks`.")
def slice_too_short(counts, sticks):
    return favourite.reference(counts, sticks - 1)


@favourite.mistake("Only the numbers with the *most* balls matter: others may be equal.")
def none_if_any_are_equal(counts, sticks):
    playable = counts[:sticks]
    return favourite.reference(counts, sticks) if len(set(playable)) == len(playable) else None


# --- the losing counts ----------------------------------------------------------------------------


@exercise(
    cases=[(count,) for count in (*range(1, 61), 97, 98, 99, 100, 201, 300)],
    given=lambda sticks: counted(sticks, "stick"),
    praise="up to 300 sticks, even where no hat has shown it to you",
    slow="Is there a loop that never ends, or a look ahead at many games? A remainder (%) answers at once.",
)
def losing(sticks):
    """Whether the player to move loses against perfect play, with 1 to 3 sticks a turn in misère play."""
    return sticks % 4 == 1


@losing.mistake("Those are the losing counts of normal play.")
def normal_play(sticks):
    return sticks % 4 == 0


@losing.mistake("Not every odd number: hat 3 and hat 7 have a clear favourite.")
def all_odd_counts(sticks):
    return sticks % 2 == 1


LISTED = "The pattern does not end there: counts of more than 17 can be lost too."


@losing.mistake(LISTED)
def listed_up_to_17(sticks):
    return sticks in (1, 5, 9, 13, 17)


@losing.mistake(LISTED)
def listed_up_to_13(sticks):
    return sticks in (1, 5, 9, 13)


@losing.mistake("That says whether the player to move wins; the question is whether they lose.")
def winning_counts(sticks):
    return sticks % 4 != 1


@losing.mistake("That is a remainder, a number. Compare it with another one: that gives True or False.")
def remainder_alone(sticks):
    return sticks % 4


@losing.mistake("That is True for 3, 7, 11 and so on. Which hats had no favourite?")
def shifted_the_wrong_way(sticks):
    return sticks % 4 == 3


@losing.mistake("That is True for every number. So is `sticks == 1 or 5`, which Python reads as `(sticks == 1) or 5`.")
def always_true(sticks):
    return True


@losing.mistake("With 1 stick the player to move must take it, and loses.")
def without_1(sticks):
    return sticks % 4 == 1 and sticks > 1


@losing.mistake("The remainder is written `%`: 9 % 4 is 1, but 9 // 4 is 2.")
def whole_quotient(sticks):
    return sticks // 4 == 1


@losing.mistake("The remainder is written `%`: 9 % 4 is 1, but 9 / 4 is 2.25.")
def quotient(sticks):
    return sticks / 4 == 1


@losing.mistake("Hat 2 has a favourite, the 1. Which numbers up to 20 have none?")
def all_even_counts(sticks):
    return sticks % 2 == 0


# --- a person against hats ------------------------------------------------------------------------

AGAIN = "Play again (1 = yes, 0 = no)? "
ContentsOfHats = dict[int, list[int]]


def _full(*balls: int) -> ContentsOfHats:
    """Hats 1, 2, 3, ... with only one number that can be played, so that the draw is known."""
    return {hat: [ball, ball] if ball <= hat else [1, 1] for hat, ball in enumerate(balls, 1)}


def _played(function: Callable, sticks: int, hats: ContentsOfHats, answers: Sequence[str]) -> list[str]:
    """The conversation, and what is in the hats at the end."""
    talk, after = conversation(function, (sticks, hats, np.random.default_rng(1)), answers)
    if not isinstance(after, dict):
        return [*talk, f"(returned {shown(after)})"]
    contents = [f"(hat {hat} holds {sorted(plain(after[hat]))} at the end)" for hat in sorted(after)]
    return [*talk, *contents]


HANDOUT = _full(1, 2, 2, 3, 3, 1, 2, 3, 1, 1)
OTHER = _full(1, 1, 2, 3, 1, 1, 3, 2, 1, 3)


@exercise(
    cases=[
        (1, _full(1), ["1", "0"]),
        (2, _full(1, 1), ["1", "0"]),
        (3, {1: [1], 2: [3, 3, 1, 3], 3: [2]}, ["1", "1", "0"]),
        (5, _full(1, 1, 2, 3, 3), ["55", "3", "1", "0"]),
        (2, _full(1, 1), ["3", "0"]),
        (5, _full(1, 1, 2, 3, 3), ["2", "1", "1", "1", "1", "0"]),
        (2, _full(1, 1), ["1", "2", "yes", "1", "2", "0"]),
        (10, HANDOUT, ["3", "3", "1", "1", "3", "2", "1", "3", "3", "0"]),
    ],
    given="sticks={}, hats={} and the answers {}",
    praise="with the words of the handout, and with hats that learn after each game",
    run=_played,
    unchanged=False,
    **IN_WORDS,
)
def play_hats(sticks, hats, generator, ask=input):
    """Games of a person, who moves first, against hats that learn after each game; the hats at the end."""
    again = 1
    while again == 1:
        hats, beside, person = _one_game(sticks, hats, generator, ask)
        print("AI loses." if person else "You lose.")
        hats = settle_game.reference(hats, beside, won=not person)
        again = ask_number.reference(AGAIN, 0, 1, ask)
    return hats


def _one_game(left: int, hats: ContentsOfHats, generator, ask: Callable) -> tuple[ContentsOfHats, dict, bool]:
    """Play a game until no stick is left.

    Return the hats without the balls next to them, these balls, and whether it would be the person's turn.
    """
    beside = {}
    person = True
    while left > 0:
        print(f"\n{on_board(left)}")
        if person:
            left -= ask_number.reference(f"Player 1: {TAKE}", 1, 3, ask)
        else:
            ball, rest = draw.reference(hats[left], left, generator)
            print("AI selects", ball)
            hats = {**hats, left: rest}
            beside[left] = ball
            left -= ball
        person = not person
    return hats, beside, person


# --- two machines that train each other -----------------------------------------------------------


LARGER_BALLS = {1: [1, 3, 2, 2, 3], 2: [3, 3, 1, 3], 3: [2]}  # most of them cannot be played


def _with_a_generator(function: Callable, *arguments):
    return function(*arguments, np.random.default_rng(1))


@exercise(
    cases=[
        (_full(1), _full(1), 1, 1),
        (_full(1, 1), _full(1, 1), 2, 1),
        (_full(1, 1, 1, 3), _full(1, 1, 2, 3), 4, 1),
        (_full(1, 1, 1, 3), _full(1, 1, 2, 3), 4, 2),
        (LARGER_BALLS, {1: [2, 2, 1, 3, 3], 2: [3, 1, 3, 3], 3: [3, 3]}, 3, 6),
        (HANDOUT, OTHER, 10, 5),
        (OTHER, HANDOUT, 10, 12),
        (HANDOUT, OTHER, 10, 0),
    ],
    given="the hats {} and {}, sticks={}, games={}",
    praise="where both sides learn, and take turns moving first",
    run=_with_a_generator,
    unchanged=False,
    any_order=True,
)
def train_hats(one, two, sticks, games, generator):
    """Two sets of hats after some games against each other; the first set begins the first game."""
    players = [one, two]
    for number in range(games):
        players, beside, winner = _game_of_hats(players, sticks, number % 2, generator)
        for player in (0, 1):
            players[player] = settle_game.reference(players[player], beside[player], won=player == winner)
    return tuple(players)


def _game_of_hats(players: list[ContentsOfHats], left: int, turn: int, generator) -> tuple[list, list, int]:
    """A game between two sets of hats: the hats without the balls next to them, these balls, and the winner, 0 or 1."""
    players = list(players)
    beside = [{}, {}]
    while left > 0:
        ball, rest = draw.reference(players[turn][left], left, generator)
        players[turn] = {**players[turn], left: rest}
        beside[turn][left] = ball
        left -= ball
        turn = 1 - turn
    return players, beside, turn  # the side whose turn it would be has won


@train_hats.mistake("They take turns moving first.")
def one_always_first(one, two, sticks, games, generator):
    for _ in range(games):
        (one, two), beside, winner = _game_of_hats([one, two], sticks, 0, generator)
        one = settle_game.reference(one, beside[0], won=winner == 0)
        two = settle_game.reference(two, beside[1], won=winner == 1)
    return one, two
