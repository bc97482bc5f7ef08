"""Training hats: favourites, the lost states of your own game, locked hats; programs in which hats learn."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np

from coinlib.arguments import counted
from coinlib.games import CoinGame, State

from .contests import states_of
from .conversations import IN_WORDS, TAKE, conversation, on_board
from .engine import by_hand, exercise
from .hats import draw, settle_game
from .judging import ROUNDED, praised
from .rules import ask_number
from .two_rows import judge_rule, longer_by, read_pair
from .values import plain, shown
from .verdict import Verdict

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
NO_FAVOURITE = "If several numbers have the most balls there is no favourite: return None."
FROM_0 = "The places of a list are counted from 0, and balls from 1: add 1."


favourite.mistake(HOW_MANY)(lambda counts, sticks: max(counts))
favourite.mistake(HOW_MANY)(lambda counts, sticks: max(counts[:sticks]))
favourite.mistake(HOW_MANY)(lambda counts, sticks: favourite.reference(counts, sticks) and max(counts[:sticks]))


@favourite.mistake(FROM_0)
def place_from_0(counts, sticks):
    number = favourite.reference(counts, sticks)
    return None if number is None else number - 1


favourite.mistake(FROM_0)(lambda counts, sticks: counts.index(max(counts)))
favourite.mistake(FROM_0)(lambda counts, sticks: counts.index(max(counts[:sticks])))


@favourite.mistake("`counts.count(most)` looks at balls that are never played, too: count in the shorter list.")
def equals_among_all_balls(counts, sticks):
    most = max(counts[:sticks])
    return None if counts.count(most) > 1 else counts.index(most) + 1


favourite.mistake(NO_FAVOURITE)(lambda counts, sticks: counts.index(max(counts[:sticks])) + 1)
favourite.mistake(NO_FAVOURITE)(lambda counts, sticks: counts.index(max(counts)) + 1)


@favourite.mistake(NO_FAVOURITE)
def last_of_equals(counts, sticks):
    playable = counts[:sticks]
    return max(range(len(playable)), key=lambda place: (playable[place], place)) + 1


favourite.mistake("If there is no favourite, return None: 0 would be the number on a ball.")(
    lambda counts, sticks: favourite.reference(counts, sticks) or 0
)
favourite.mistake("Your slice is too long: `counts[:sticks]` holds the balls 1 to `sticks`, and nothing else.")(
    lambda counts, sticks: favourite.reference(counts, sticks + 1)
)
favourite.mistake("Your slice is too short: `counts[:sticks]` ends with the ball `sticks`.")(
    lambda counts, sticks: favourite.reference(counts, sticks - 1)
)


@favourite.mistake("Only the numbers with the *most* balls matter: others may be equal.")
def none_if_any_are_equal(counts, sticks):
    playable = counts[:sticks]
    return favourite.reference(counts, sticks) if len(set(playable)) == len(playable) else None


# --- the lost states of your own game ---------------------------------------------------------------

OWN_GAME = CoinGame((5, 5), max_pick=2, misere=False)


def _equal_remainders(state: State) -> bool:
    """Whether the player to move has lost in `OWN_GAME`."""
    return (state[0] - state[1]) % 3 == 0


@by_hand(takes_function=False, ours=(OWN_GAME, _equal_remainders))
def lost_states(answer) -> Verdict:
    """Compare a rule for the lost states of a game with the solver; the answer is a pair, game and rule.

    Examples
    --------
    >>> lost_states((OWN_GAME, lambda state: state[0] == state[1]))
    ✗ Your rule is right in 29 of 35 states. \
The smallest in which it is wrong: in (0, 3) it returned False; the solver says that the player to move loses. \
Equal rows are losing, but they are not the only ones: look at the line of the table where row 0 is empty.
    >>> lost_states((OWN_GAME, _equal_remainders))
    ✓ Right: your rule finds all 11 losing positions of rows (5, 5), and all 56 of the longer rows (12, 12), \
which the hats have not seen.
    """
    game, rule, states = read_pair(answer)
    losing = judge_rule(rule, game, states, "")
    more = longer_by(game)
    larger = CoinGame([count + more for count in game.rows], max_pick=game.max_pick, misere=game.misere)
    where = f" of {larger.rows}, your game with {counted(more, 'more stick')} in each row"
    losing_in_larger = judge_rule(rule, larger, states_of(larger), where)
    return praised(
        f": your rule finds all {losing} losing positions of rows {game.rows},",
        f"and all {losing_in_larger} of the longer rows {larger.rows}, which the hats have not seen.",
    )


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


losing.mistake("Those are the losing counts of normal play.")(lambda sticks: sticks % 4 == 0)
losing.mistake("Not every odd number: hat 3 and hat 7 have a clear favourite.")(lambda sticks: sticks % 2 == 1)
LISTED = "The pattern does not end there: counts of more than 17 can be lost too."
losing.mistake(LISTED)(lambda sticks: sticks in (1, 5, 9, 13, 17))
losing.mistake(LISTED)(lambda sticks: sticks in (1, 5, 9, 13))
losing.mistake("That says whether the player to move wins; the question is whether they lose.")(
    lambda sticks: sticks % 4 != 1
)
losing.mistake("That is a remainder, a number. Compare it with another one: that gives True or False.")(
    lambda sticks: sticks % 4
)
losing.mistake("That is True for 3, 7, 11 and so on. Which hats had no favourite?")(lambda sticks: sticks % 4 == 3)
losing.mistake("That is True for every number. So is `sticks == 1 or 5`, which Python reads as `(sticks == 1) or 5`.")(
    lambda sticks: True
)
losing.mistake("With 1 stick the player to move must take it, and loses.")(
    lambda sticks: sticks % 4 == 1 and sticks > 1
)
losing.mistake("The remainder is written `%`: 9 % 4 is 1, but 9 // 4 is 2.")(lambda sticks: sticks // 4 == 1)
losing.mistake("The remainder is written `%`: 9 % 4 is 1, but 9 / 4 is 2.25.")(lambda sticks: sticks / 4 == 1)
losing.mistake("Hat 2 has a favourite, the 1. Which numbers up to 20 have none?")(lambda sticks: sticks % 2 == 0)


# --- locked hats -----------------------------------------------------------------------------------


@exercise(
    cases=[({4: 3}, {4: [3]}), ({4: 1}, {4: [3]}), ({5: 2}, {5: []})]
    + [({6: None}, {6: [1]}), ({5: None}, {5: []})]
    + [({17: None, 18: 2, 20: 3}, {17: [], 18: [1], 20: [3]}), ({18: 2, 20: 3}, {20: [3], 18: [1]})]
    + [({17: 3, 18: 2, 19: 1, 20: 3}, {17: [], 18: [1], 19: [2], 20: [3]})]
    + [({2: 2, 3: 3, 40: 4, 41: 5}, {2: [1, 2], 3: [1, 2], 40: [2, 4, 5], 41: [2, 4]})],
    given="favourites {} and winning balls {}",
    praise="for right, wrong and missing favourites",
    any_order=True,
)
def locked_hats(favourites, best):
    """The hats that have a favourite and a winning ball, where the favourite does not win."""
    locked = []
    for hat, ball in favourites.items():
        if ball is not None and best[hat] and ball not in best[hat]:
            locked.append(hat)
    return locked


locked_hats.mistake("If no ball wins, no ball is wrong: such a hat is not locked.")(
    lambda favourites, best: [hat for hat, ball in favourites.items() if ball is not None and ball not in best[hat]]
)
locked_hats.mistake("A hat that has no favourite is not locked: `ball` is None there.")(
    lambda favourites, best: [hat for hat, ball in favourites.items() if best[hat] and ball not in best[hat]]
)
locked_hats.mistake("Those are the hats whose favourite wins. A hat is locked if its favourite does not win.")(
    lambda favourites, best: [hat for hat, ball in favourites.items() if ball in best[hat]]
)
locked_hats.mistake("Two kinds of hat are not locked: those without a favourite, and those where no ball wins.")(
    lambda favourites, best: [hat for hat, ball in favourites.items() if ball not in best[hat]]
)
locked_hats.mistake(
    "That is every hat. `best[hat]` is a list: ask whether the favourite is `in` it; and join conditions with `and`."
)(lambda favourites, best: list(favourites))
locked_hats.mistake("Several balls may win: ask whether the favourite is `in` the list.")(
    lambda favourites, best: [hat for hat, ball in favourites.items() if ball and best[hat] and ball != best[hat][0]]
)
locked_hats.mistake("Those are the balls: return the hats.")(
    lambda favourites, best: [favourites[hat] for hat in locked_hats.reference(favourites, best)]
)


locked_hats.mistake("A loop over a dictionary gives the keys alone: write `favourites.items()`.")(
    lambda favourites, best: [hat for hat, _ in favourites]
)
locked_hats.mistake("Not every number is a hat in the dictionary: write `for hat in favourites`.")(
    lambda favourites, best: [hat for hat in range(len(favourites)) if favourites[hat]]
)


# --- how often it happens -------------------------------------------------------------------------


def _try_trainings(function: Callable, seeds: Sequence[int], locked: Sequence[list[int]]) -> float:
    """Call a function with fake training, which gives the locked hats for each seed, and two for any other seed."""
    runs = dict(zip(seeds, locked))
    return function(lambda seed: list(runs.get(seed, [19, 20])), seeds)


@exercise(
    cases=[([0, 1], [[], []]), ([0], [[18]]), ([4, 7], [[], [19]]), ([0, 1], [[18, 19], []])]
    + [(range(5, 10), [[18], [18, 19], [], [], []]), ([3, 8, 200], [[], [18], []])]
    + [(range(100, 140), [[], [], [18], [], [], [6, 18], [], []] * 5)],
    given="seeds {} with the locked hats {}",
    praise="for none, some and all",
    run=_try_trainings,
    near=ROUNDED,
)
def share_locked(run, seeds):
    """The share of runs, one for each seed, in which at least one hat is locked."""
    locked = 0
    for seed in seeds:
        if run(seed):
            locked = locked + 1
    return locked / len(seeds)


share_locked.mistake("Count runs, not hats: a run with two locked hats is one locked run.")(
    lambda run, seeds: sum(len(run(seed)) for seed in seeds) / len(seeds)
)


@share_locked.mistake("That is a number of runs: divide it by the number of seeds.")
def number_of_locked_runs(run, seeds):
    return sum(bool(run(seed)) for seed in seeds)


def _share(counts: Callable[[list[int]], bool]) -> Callable:
    """A wrong answer: the share of runs whose locked hats `counts` accepts."""
    return lambda run, seeds: sum(counts(run(seed)) for seed in seeds) / len(seeds)


share_locked.mistake("A share is a fraction: `/` divides, `//` leaves out what is after the point.")(
    lambda run, seeds: number_of_locked_runs(run, seeds) // len(seeds)
)
share_locked.mistake("Use the seeds that are given: `for seed in seeds`. They need not begin with 0.")(
    lambda run, seeds: sum(bool(run(seed)) for seed in range(len(seeds))) / len(seeds)
)
share_locked.mistake("A list is never equal to True. `if run(seed):` asks whether it holds anything.")(
    _share(lambda hats: hats == True)
)
share_locked.mistake("Those are the runs without a locked hat.")(_share(lambda hats: not hats))
share_locked.mistake("*At least* one hat: a run with two locked hats counts, too.")(_share(lambda hats: len(hats) == 1))
share_locked.mistake("`run(seed)` is a list: `len(run(seed)) > 0` compares its length.")(_share(lambda hats: hats > 0))


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
    return [*talk, *(f"(returned: hat {hat} holds {sorted(plain(after[hat]))})" for hat in sorted(after))]


HANDOUT = _full(1, 2, 2, 3, 3, 1, 2, 3, 1, 1)
OTHER = _full(1, 1, 2, 3, 1, 1, 3, 2, 1, 3)


def _games(sticks: int, hats: ContentsOfHats, generator, ask: Callable, swapped: bool = False) -> ContentsOfHats:
    """Play games until the person has had enough; if `swapped`, the hats learn as if the other side had won."""
    again = 1
    while again == 1:
        hats, beside, person = _one_game(sticks, hats, generator, ask)
        print("AI loses." if person else "You lose.")
        hats = settle_game.reference(hats, beside, won=person if swapped else not person)
        again = ask_number.reference(AGAIN, 0, 1, ask)
    return hats


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
    return _games(sticks, hats, generator, ask)


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


play_hats.mistake("`won` is whether the *computer* has won, whose hats they are: after your win the hats lose balls.")(
    partial(_games, swapped=True)
)


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
    return _trained([one, two], sticks, games, generator, first=(0, 1))


def _trained(players: list[ContentsOfHats], sticks: int, games: int, generator, first: Sequence[int]) -> tuple:
    """Both sets of hats after some games; `first` says who moves first in one game after the other, again and again."""
    for number in range(games):
        players, beside, winner = _game_of_hats(players, sticks, first[number % len(first)], generator)
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
    return _trained([one, two], sticks, games, generator, first=(0,))
