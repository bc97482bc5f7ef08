"""Lesson 05, training hats: the favourite of a hat, the losing counts, locked hats, and the share of locked runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coinlib.arguments import counted
from coinlib.games import sticks
from coinlib.solvers import solve

from .core import NO_RETURN, Case, Explain, Wrong, call, check_cases, shown

MOST = 40  # losing counts are tried from 1 to here


def favourite(function: Callable) -> None:
    """Check ``(counts, sticks) -> number or None``: the number with the most playable balls in a hat.

    Parameters
    ----------
    function : function (list of int, int) -> int or None
        The student's answer; ``counts[0]`` is how many balls 1 there are, and so on.

    Examples
    --------
    >>> favourite(lambda counts, sticks: max(counts))
    ✗ For counts [1, 1, 5] in hat 4 your function returned 5; expected 3. \
That is how many balls there are of the favourite. Return the number that stands on them.
    """
    hats = [([1, 1, 5], 4), ([1, 4, 1], 7), ([9, 1, 1], 2), ([3, 5, 31], 19), ([1, 1, 1], 5), ([4, 2, 4], 18)]
    hats += [([2, 3, 3], 9), ([1, 1, 1], 1), ([5, 5, 1], 2)]
    cases = [Case(hat, _favourite(*hat), f"counts {hat[0]} in hat {hat[1]}") for hat in hats]
    _try(
        function, cases, "for clear favourites, for equals, and for hats in which a ball is never played", _on_favourite
    )


def _favourite(counts: list[int], sticks: int) -> int | None:
    playable = counts[:sticks]
    most = max(playable)
    return playable.index(most) + 1 if playable.count(most) == 1 else None


def _on_favourite(case: Case, answer) -> str:
    counts, held = case.arguments
    if case.expected is None:
        words = "Two or more numbers have the most balls here, so no number is the favourite: return None."
        first = answer == counts.index(max(counts[:held])) + 1
        return f"{words} `index` finds only the first of them." if first else words
    if answer == str(case.expected):
        return "That is a text, in quotes. Return the number itself."
    if held < len(counts) and answer is None:
        return f"Balls larger than {held} are never played in hat {held}: do not count them."
    if answer == case.expected - 1:
        return "Lists are counted from 0, the balls from 1."
    if answer == max(counts):
        return "That is how many balls there are of the favourite. Return the number that stands on them."
    if answer == counts.index(min(counts)) + 1:
        return "That number has the fewest balls."
    return ""


def losing(function: Callable) -> None:
    """Check ``(sticks) -> bool``: whether the player to move loses against perfect play (misère play, 1 to 3 a turn).

    Parameters
    ----------
    function : function (int) -> bool
        The student's answer, tried from 1 to 40 sticks.

    Examples
    --------
    >>> losing(lambda sticks: sticks % 4 == 0)
    ✗ For 1 stick your function returned False; expected True. Your function finds the multiples of four. \
Those are the losing counts of normal play; these hats played misère play.
    """
    solution = solve(sticks(MOST, max_pick=3, misere=True))
    cases = [Case((count,), not solution.best_moves((count,)), counted(count, "stick")) for count in range(1, MOST + 1)]

    def about(case: Case, answer) -> str:
        return _on_losing(case, answer, _claimed(function, cases))

    praise = f"from 1 to {MOST} sticks, also where no hat has shown it to you"
    _try(function, cases, praise, about, lambda answer: answer.item() if isinstance(answer, np.bool_) else answer)


def _claimed(function, cases: list[Case]) -> list[int]:
    """The counts that a student's function calls losing."""
    return [case.arguments[0] for case in cases if call(function, case.arguments, case.given) == True]


def _on_losing(case: Case, answer, claimed: list[int]) -> str:
    if answer is None:
        return NO_RETURN
    if not isinstance(answer, bool):
        return "Return True or False. A comparison such as `sticks % 4 == 2` is already one of the two."
    count = case.arguments[0]
    right = set(range(1, MOST + 1, 4))
    if set(claimed) == set(range(1, MOST + 1)) - right:
        return "True and False are exchanged: True means that the player to move loses."
    if set(claimed) == set(range(4, MOST + 1, 4)):
        return (
            "Your function finds the multiples of four. Those are the losing counts of normal play; "
            "these hats played misère play."
        )
    if set(claimed) == set(range(1, MOST + 1, 2)):
        return "Not every odd number: look at hat 3 and hat 7. They have a clear favourite."
    if count == 1:
        return "With one stick left the player to move must take it, and in misère play that loses."
    if count > 20 and case.expected:
        return "The pattern does not end at 20 sticks. Write it with a remainder (%), not as a list."
    if case.expected:
        return f"Look at hat {count}: has it a clear favourite?"
    return f"With {counted(count, 'stick')} there is a move that wins."


def locked_hats(function: Callable) -> None:
    """Check ``(favourites, best) -> list of int``: the hats that favour a wrong ball.

    Parameters
    ----------
    function : function (dict of int to int or None, dict of int to list of int) -> list of int, in any order
        The student's answer: `favourites` gives each hat's favourite, `best` its winning balls.

    Examples
    --------
    >>> locked_hats(lambda favourites, best: [hat for hat in favourites if favourites[hat] not in best[hat]])
    ✗ For favourites {5: 2} and winning balls {5: []} your function returned [5]; expected []. \
In hat 5 no ball wins, so no ball is wrong.
    """
    tried = [
        ({4: 3}, {4: [3]}),
        ({4: 1}, {4: [3]}),
        ({5: 2}, {5: []}),
        ({6: None}, {6: [1]}),
        ({2: 1, 3: 1, 4: 3}, {2: [1], 3: [2], 4: [3]}),
        ({17: 3, 18: 2, 19: 1, 20: 3}, {17: [], 18: [1], 19: [2], 20: [3]}),
        ({1: 1, 5: None, 6: 1, 19: None}, {1: [], 5: [], 6: [1], 19: [2]}),
        ({2: 2, 3: 3}, {2: [1, 2], 3: [1, 2]}),
    ]
    cases = [Case(pair, _locked(*pair), f"favourites {pair[0]} and winning balls {pair[1]}") for pair in tried]
    _try(function, cases, "for right, wrong and missing favourites", _on_locked, _sorted)


def _locked(favourites: dict, best: dict) -> list[int]:
    return sorted(hat for hat, ball in favourites.items() if ball is not None and best[hat] and ball not in best[hat])


def _sorted(answer) -> list:
    return sorted(answer)


def _on_locked(case: Case, answer) -> str:
    favourites, best = case.arguments
    if isinstance(answer, (bool, int)):
        return "Return the list of all hats that favour a wrong ball, also where there is one or none."
    listed = list(answer)
    if listed and set(listed) == {favourites[hat] for hat in case.expected} != set(case.expected):
        return "Those are the balls. Return the numbers of the hats."
    for hat in listed:
        if hat not in favourites:
            return f"There is no hat {hat} in `favourites`."
        if not best[hat]:
            return f"In hat {hat} no ball wins, so no ball is wrong."
        if favourites[hat] is None:
            return f"Hat {hat} has no favourite (None), so it does not favour a wrong ball."
        if favourites[hat] in best[hat]:
            return f"Hat {hat} favours ball {favourites[hat]}, and that ball wins: it is in the list `best[{hat}]`."
    missing = [hat for hat in case.expected if hat not in listed]
    if missing:
        hat = missing[0]
        wins = " or ".join(map(str, best[hat]))
        return (
            f"Hat {hat} favours ball {favourites[hat]}, but ball {wins} wins."
            f"{' Does `return` stand inside the loop?' if len(favourites) > 1 else ''}"
        )
    return "A hat stands there twice."


def share_locked(function: Callable) -> None:
    """Check ``(run, seeds) -> share``: the share of runs in which at least one hat is locked.

    Parameters
    ----------
    function : function (function (int) -> list of int, iterable of int) -> float from 0 to 1
        The student's answer: `run` trains with one seed and returns the list of locked hats.

    Examples
    --------
    >>> share_locked(lambda run, seeds: sum(len(run(seed)) for seed in seeds) / len(seeds))
    ✗ For seeds [0, 1], with the locked hats [18, 19] and [], your function returned 1.0; expected 0.5. \
You have counted hats. Count runs: a run with two locked hats is one locked run.
    """
    tried = [
        {0: [], 1: []},
        {0: [18]},
        {4: [], 7: [19]},
        {0: [18, 19], 1: []},
        {0: [], 1: [19], 2: [], 3: []},
        {5: [18], 6: [18, 19], 7: [], 8: [], 9: []},
        {3: [], 8: [18]},
    ]
    cases = [_share_case(outcome) for outcome in tried]
    _try(function, cases, "for none, some and all", _on_share, lambda answer: round(float(answer), 6))


class _Runs:
    """Stands for the training: the locked hats of each seed, and nothing for a seed that was not asked for."""

    def __init__(self, outcome: dict[int, list[int]]) -> None:
        self.outcome = outcome

    def __call__(self, seed: int) -> list[int]:
        if seed not in list(self.outcome):  # a list of seeds cannot be looked up in a dictionary
            raise Wrong(
                f"`run` was called with seed {shown(seed)}; it should be called once for each of the seeds "
                f"{list(self.outcome)}. Go through `seeds` itself."
            )
        return list(self.outcome[seed])


def _share_case(outcome: dict[int, list[int]]) -> Case:
    share = round(sum(bool(hats) for hats in outcome.values()) / len(outcome), 6)
    hats = " and ".join(map(str, outcome.values())) if len(outcome) < 3 else ", ".join(map(str, outcome.values()))
    return Case((_Runs(outcome), list(outcome)), share, f"seeds {list(outcome)}, with the locked hats {hats},")


def _on_share(case: Case, answer) -> str:
    outcome = case.arguments[0].outcome
    locked = sum(bool(hats) for hats in outcome.values())
    hats = sum(map(len, outcome.values()))
    if isinstance(answer, bool):
        return "Return a number from 0 to 1."
    if answer == 100 * locked / len(outcome) != case.expected:
        return "That is in per cent. A share goes from 0 to 1."
    if hats != locked and answer in (hats, hats / len(outcome)):
        return "You have counted hats. Count runs: a run with two locked hats is one locked run."
    if answer == locked:
        return "That is how many runs are locked. Divide by how many runs there were."
    if answer == 0 and case.expected == 1:
        return "A run is locked if its list has something in it: `if run(seed):` asks that."
    if answer == 1 - case.expected:
        return "That is the share of the runs that are not locked."
    if answer == locked // len(outcome):
        return "`//` cuts off all behind the point: a share needs `/`."
    return ""


def _try(function, cases: list[Case], praise: str, explain: Explain, read=lambda answer: answer) -> None:
    """Try a function on cases; the first wrong answer is shown with what `explain` makes of it."""
    check_cases(function, cases, praise, read, explain, _called)


def _called(function, case: Case):
    """The answer to one case; what the case itself has to complain about goes through unchanged."""
    try:
        return call(function, case.arguments, case.given)
    except Wrong as wrong:
        if isinstance(wrong.__cause__, Wrong):
            raise wrong.__cause__ from None
        if isinstance(wrong.__cause__, IndexError) and [] in case.arguments[-1].values():
            raise Wrong(
                f"{wrong} Where no ball wins the list of winning balls is empty: it has no first ball."
            ) from None
        raise
