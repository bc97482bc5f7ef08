"""Locked hats: which they are, and how often it happens."""

from collections.abc import Callable, Sequence

from .engine import exercise
from .judging import ROUNDED


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


@locked_hats.mistake("If no ball wins, no ball is wrong: such a hat is not locked.")
def also_where_no_ball_wins(favourites, best):
    return [hat for hat, ball in favourites.items() if ball is not None and ball not in best[hat]]


@locked_hats.mistake("A hat that has no favourite is not locked: `ball` is None there.")
def also_without_a_favourite(favourites, best):
    return [hat for hat, ball in favourites.items() if best[hat] and ball not in best[hat]]


@locked_hats.mistake("Those are the hats whose favourite wins. A hat is locked if its favourite does not win.")
def hats_that_are_right(favourites, best):
    return [hat for hat, ball in favourites.items() if ball in best[hat]]


@locked_hats.mistake("Two kinds of hat are not locked: those without a favourite, and those where no ball wins.")
def every_other_favourite(favourites, best):
    return [hat for hat, ball in favourites.items() if ball not in best[hat]]


@locked_hats.mistake("`best[hat]` is a list, and a favourite is a number: ask whether it is `in` the list.")
def number_compared_with_a_list(favourites, best):
    return [hat for hat, ball in favourites.items() if ball != best[hat]]


@locked_hats.mistake("Several balls may win: ask whether the favourite is `in` the list.")
def first_winning_ball_only(favourites, best):
    return [hat for hat, ball in favourites.items() if ball and best[hat] and ball != best[hat][0]]


@locked_hats.mistake("Those are the balls: return the hats.")
def balls_for_hats(favourites, best):
    return [favourites[hat] for hat in locked_hats.reference(favourites, best)]


@locked_hats.mistake("It stops after the first hat: `return` belongs after the loop.")
def first_hat_only(favourites, best):
    first = next(iter(favourites))
    return [hat for hat in locked_hats.reference(favourites, best) if hat == first]


@locked_hats.mistake("A loop over a dictionary gives the keys alone: write `favourites.items()`.")
def without_items(favourites, best):
    return [hat for hat, _ in favourites]


@locked_hats.mistake("Not every number is a hat in the dictionary: write `for hat in favourites`.")
def numbers_from_0(favourites, best):
    return [hat for hat in range(len(favourites)) if favourites[hat]]


@locked_hats.mistake("Not every number is a hat in the dictionary: write `for hat in favourites`.")
def numbers_from_1(favourites, best):
    return [hat for hat in range(1, 21) if favourites[hat]]


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


@share_locked.mistake("Count runs, not hats: a run with two locked hats is one locked run.")
def hats_for_each_run(run, seeds):
    return sum(len(run(seed)) for seed in seeds) / len(seeds)


@share_locked.mistake("That is a number of runs: divide it by the number of seeds.")
def number_of_locked_runs(run, seeds):
    return sum(bool(run(seed)) for seed in seeds)


def _counted(run: Callable, seeds: Sequence[int], counts: Callable[[list[int]], bool]) -> float:
    """The share of runs that count."""
    return sum(counts(run(seed)) for seed in seeds) / len(seeds)


@share_locked.mistake("A share is a fraction: `/` divides, `//` leaves out what is after the point.")
def whole_share(run, seeds):
    return number_of_locked_runs(run, seeds) // len(seeds)


@share_locked.mistake("That is a percentage: a share goes from 0 to 1.")
def per_cent(run, seeds):
    return 100 * share_locked.reference(run, seeds)


@share_locked.mistake("It stops after the first seed: `return` belongs after the loop.")
def first_seed_only(run, seeds):
    return bool(run(seeds[0])) / len(seeds)


@share_locked.mistake("Use the seeds that are given: `for seed in seeds`. They need not begin with 0.")
def seeds_from_0(run, seeds):
    return sum(bool(run(seed)) for seed in range(len(seeds))) / len(seeds)


@share_locked.mistake("A list is never equal to True. `if run(seed):` asks whether it holds anything.")
def compared_with_true(run, seeds):
    return _counted(run, seeds, lambda hats: hats == True)


@share_locked.mistake("Those are the runs without a locked hat.")
def runs_without(run, seeds):
    return _counted(run, seeds, lambda hats: not hats)


@share_locked.mistake("*At least* one hat: a run with two locked hats counts, too.")
def exactly_one(run, seeds):
    return _counted(run, seeds, lambda hats: len(hats) == 1)


@share_locked.mistake("An empty list is not None. `if run(seed):` asks whether it holds anything.")
def compared_with_none(run, seeds):
    return _counted(run, seeds, lambda hats: hats is not None)


@share_locked.mistake("`run(seed)` is a list: `len(run(seed)) > 0` compares its length.")
def list_compared_with_0(run, seeds):
    return _counted(run, seeds, lambda hats: hats > 0)


@share_locked.mistake("`run` is a function: call it, `run(seed)`.")
def square_brackets(run, seeds):
    return run[seeds[0]]


@share_locked.mistake("`run` takes one seed: go through `seeds` with a loop.")
def all_seeds_at_once(run, seeds):
    return len(run(seeds)) / len(seeds)
