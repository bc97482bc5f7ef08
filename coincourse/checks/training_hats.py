"""Training hats: the favourite of a hat, the losing counts, locked hats, and the share of locked runs."""

from itertools import product

from coinlib.arguments import counted

from .engine import exercise

# --- the favourite of a hat ---------------------------------------------------------------------------------------


@exercise(
    cases=[([1, 1, 5], 4), ([4], 3)]
    + [(list(counts), hat) for counts in product((1, 2, 5), repeat=3) for hat in (1, 2, 3, 9)]
    + [([1, 6, 2, 6, 9], 4), ([2, 2, 2, 5, 1, 3, 9], 6), ([20_011, 49_990, 3], 20)],
    given="counts {} in hat {}",
    praise="for clear favourites, for equals, and for hats in which a ball is never played",
)
def favourite(counts, sticks, *, first=1, equals=1):
    """The number with the most balls that can be played in a hat; None where two or more have equally many."""
    playable = counts[:sticks]
    most = max(playable)
    return playable.index(most) + first if playable.count(most) <= equals else None


favourite.slip("Lists are counted from 0, the balls from 1.", first=0)
favourite.slip("Have two numbers equally many? And are all these balls ever played?", sticks=100, equals=100)
favourite.slip("Where two numbers have the most balls there is no favourite: return None.", equals=100)
favourite.slip("Balls that are larger than the hat are never played, so do not count them.", sticks=100)


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


losing.slip("Those are the losing counts of normal play.", rest=0)
losing.slip("Not every odd number: hat 3 and hat 7 have a clear favourite.", divisor=2)


@losing.mistake("The pattern does not end at 20 sticks. Write it with a remainder (%).")
def list_up_to_20(sticks):
    return sticks in (1, 5, 9, 13, 17)


# --- locked hats ----------------------------------------------------------------------------------------------------


def _always(content) -> bool:
    return True


@exercise(
    cases=[({4: 3}, {4: [3]}), ({4: 1}, {4: [3]}), ({5: 2}, {5: []}), ({6: None}, {6: [1]})]
    + [({17: None, 18: 2, 20: 3}, {17: [], 18: [1], 20: [3]}), ({18: 2, 20: 3}, {20: [3], 18: [1]})]
    + [({17: 3, 18: 2, 19: 1, 20: 3}, {17: [], 18: [1], 19: [2], 20: [3]})]
    + [({2: 2, 3: 3, 40: 4, 41: 5}, {2: [1, 2], 3: [1, 2], 40: [2, 4, 5], 41: [2, 4]})],
    given="favourites {} and winning balls {}",
    praise="for right, wrong and missing favourites",
    any_order=True,
)
def locked_hats(favourites, best, *, has_favourite=bool, has_winner=bool):
    """The hats that have a favourite and a winning ball, where the favourite does not win."""
    clear = {hat: ball for hat, ball in favourites.items() if has_favourite(ball) and has_winner(best[hat])}
    return [hat for hat, ball in clear.items() if ball not in best[hat]]


locked_hats.slip("Has the hat a favourite? And is there a ball that wins?", has_favourite=_always, has_winner=_always)
locked_hats.slip("Where no ball wins, no ball is wrong: such a hat is not locked.", has_winner=_always)
locked_hats.slip("A hat without a favourite (None) is not locked.", has_favourite=_always)


# --- how often it happens -------------------------------------------------------------------------------------------


def _training(seeds, locked):
    """Stands for the training: the locked hats of each seed, and two hats for any other seed."""
    runs = dict(zip(seeds, locked))
    return lambda seed: list(runs.get(seed, [19, 20]))


@exercise(
    cases=[([0, 1], [[], []]), ([0], [[18]]), ([4, 7], [[], [19]]), ([0, 1], [[18, 19], []])]
    + [(range(5, 10), [[18], [18, 19], [], [], []]), ([3, 8, 200], [[], [18], []])]
    + [(range(100, 140), [[], [], [18], [], [], [6, 18], [], []] * 5)],
    given="seeds {} with the locked hats {}",
    praise="for none, some and all",
    run=lambda function, seeds, locked: function(_training(seeds, locked), seeds),
    share=True,
)
def share_locked(run, seeds, *, counts=bool, out_of=len):
    """The share of runs, one for each seed, in which at least one hat is locked."""
    return sum(counts(run(seed)) for seed in seeds) / out_of(seeds)


share_locked.slip("Count runs, not hats: a run with two locked hats is one locked run.", counts=len)
share_locked.slip("That is how many runs are locked. Divide by how many there were.", out_of=lambda seeds: 1)


@share_locked.mistake("The seeds need not be 0, 1, 2, ...: take those in `seeds`.")
def places_for_seeds(run, seeds):
    return share_locked.reference(run, range(len(seeds)))
