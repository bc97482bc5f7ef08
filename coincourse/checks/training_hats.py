"""Training hats: the favourite of a hat, the losing counts, locked hats, and the share of locked runs."""

from __future__ import annotations

import operator

from coinlib.arguments import counted

from .engine import exercise

# --- the favourite of a hat ---------------------------------------------------------------------------------------


@exercise(
    cases=[
        *[([1, 1, 5], 4), ([4], 3), ([1, 4, 1], 7), ([1, 1, 1], 5), ([1, 1, 1], 1), ([1, 2, 9], 1), ([9, 1, 1], 2)],
        *[([1, 2, 7], 2), ([5, 5, 1], 2), ([5, 1, 5], 2), ([1, 3, 8], 3), ([2, 3, 3], 9), ([4, 2, 4], 18)],
        *[([3, 5, 31], 19), ([1, 6, 2, 6, 9], 4), ([2, 2, 2, 5, 1, 3, 9], 6), ([20_011, 49_990, 3], 20)],
    ],
    given="counts {} in hat {}",
    praise="for clear favourites, for equals, and for hats in which a ball is never played",
)
def favourite(counts, sticks, *, first=1, equals=1, playable=lambda counts, sticks: counts[:sticks]):
    """The number with the most balls that can be played in a hat; None where two or more have equally many."""
    balls = playable(counts, sticks)
    most = max(balls)
    return balls.index(most) + first if balls.count(most) <= equals else None


MANY, ALL_BALLS = 99, lambda counts, sticks: counts
favourite.slip("Lists are counted from 0, the balls from 1.", first=0)
favourite.slip(
    "Two questions are missing: have two numbers equally many, and are all these balls ever played?",
    equals=MANY,
    playable=ALL_BALLS,
)
favourite.slip("Where two or more numbers have the most balls there is no favourite: return None.", equals=MANY)
favourite.slip("Balls that are larger than the hat are never played, so do not count them.", playable=ALL_BALLS)


# --- the losing counts ----------------------------------------------------------------------------------------------


@exercise(
    cases=[(count,) for count in (*range(1, 61), 97, 98, 99, 100, 201, 300)],
    given=lambda sticks: counted(sticks, "stick"),
    praise="up to 300 sticks, also where no hat has shown it to you",
    slow="Is there a loop that never ends, or a look ahead at many games? A remainder (%) answers at once.",
)
def losing(sticks, *, divisor=4, rest=1):
    """Whether the player to move loses against perfect play, with 1 to 3 sticks a turn in misère play."""
    return sticks % divisor == rest


losing.slip("Those are the multiples of four, the losing counts of normal play; these hats played misère play.", rest=0)
losing.slip("Not every odd number: hat 3 and hat 7 have a clear favourite.", divisor=2)


@losing.mistake("True and False are exchanged: True means that the player to move loses.")
def winning(sticks):
    return sticks % 4 != 1


@losing.mistake("The pattern does not end at 20 sticks. Write it with a remainder (%), not as a list.")
def list_up_to_20(sticks):
    return sticks in (1, 5, 9, 13, 17)


# --- locked# --- locked hats ----------------------------------------------------------------------------------------------------


@exercise(
    cases=[({4: 3}, {4: [3]}), ({4: 1}, {4: [3]}), ({5: 2}, {5: []}), ({6: None}, {6: [1]})]
    + [({17: None, 18: 2, 20: 3}, {17: [], 18: [1], 20: [3]}), ({18: 2, 20: 3}, {20: [3], 18: [1]})]
    + [({17: 3, 18: 2, 19: 1, 20: 3}, {17: [], 18: [1], 19: [2], 20: [3]})]
    + [({2: 2, 3: 3, 40: 4, 41: 5}, {2: [1, 2], 3: [1, 2], 40: [2, 4, 5], 41: [2, 4]})],
    given="favourites {} and winning balls {}",
    praise="for right, wrong and missing favourites",
    any_order=True,
)
def locked_hats(favourites, best, *, chosen=lambda ball: ball is not None, winnable=bool, among=None):
    """The hats that have a favourite and a winning ball, where the favourite does not win."""
    hats = [hat for hat, ball in favourites.items() if chosen(ball) and winnable(best[hat])]
    return [hat for hat in hats if favourites[hat] not in best[hat][:among]]


def _always(asked):
    return True


locked_hats.slip(
    "Two questions are missing: has the hat a favourite, and is there a ball that wins?",
    chosen=_always,
    winnable=_always,
)
locked_hats.slip("Where no ball wins, no ball is wrong: such a hat is not locked.", winnable=_always)
locked_hats.slip("A hat without a favourite (None) is not locked.", chosen=_always)
locked_hats.slip("Several balls may win: look for the favourite in all of them, not only at the first.", among=1)


# --- how often it happens -------------------------------------------------------------------------------------------


def _training(seeds, locked):
    """Stands for the training: the locked hats of each seed, and two hats for any other seed."""
    runs = dict(zip(seeds, locked))
    return lambda seed: list(runs.get(operator.index(seed), [19, 20]))


@exercise(
    cases=[([0, 1], [[], []]), ([0], [[18]]), ([4, 7], [[], [19]]), ([0, 1], [[18, 19], []])]
    + [(range(5, 10), [[18], [18, 19], [], [], []]), ([3, 8, 200], [[], [18], []])]
    + [(range(100, 140), [[], [], [18], [], [], [6, 18], [], []] * 5)],
    given="seeds {} with the locked hats {}",
    praise="for none, some and all",
    run=lambda function, seeds, locked: function(_training(seeds, locked), seeds),
    near=0.006,
)
def share_locked(run, seeds, *, counts=bool, out_of=len):
    """The share of runs, one for each seed, in which at least one hat is locked."""
    return sum(counts(run(seed)) for seed in seeds) / out_of(seeds)


share_locked.slip("Count runs, not hats: a run with two locked hats is one locked run.", counts=len)
share_locked.slip("That is how many runs are locked. Divide by how many runs there were.", out_of=lambda seeds: 1)


@share_locked.mistake("The seeds need not be 0, 1, 2, ...: call `run` with those that stand in `seeds`.")
def places_for_seeds(run, seeds):
    return sum(1 for place in range(len(seeds)) if run(place)) / len(seeds)
