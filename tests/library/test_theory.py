"""Why: the closed forms by hand, against the solver, and the steps of a proof one by one."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from coinlib import CoinGame, Move, solve, sticks
from coinlib.projects import periods
from coinlib.projects.periods import Period, period, repetition, splitting_values
from coinlib.theory import grundy, grundy_values, is_lost, mex, nim_sum, outcomes, winning_moves

ENDINGS = pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
BOUNDS = pytest.mark.parametrize("most", [1, 2, 3, 11, None])


# --- one row --------------------------------------------------------------------------------------------


def lost_counts(max_pick, misere, up_to):
    return [count for count in range(up_to + 1) if is_lost(sticks(up_to, max_pick, misere), (count,))]


def test_multiples_of_four_lose_in_normal_play_and_one_more_in_misere_play():
    assert lost_counts(max_pick=3, misere=False, up_to=12) == [0, 4, 8, 12]
    assert lost_counts(max_pick=3, misere=True, up_to=13) == [1, 5, 9, 13]


@ENDINGS
def test_the_losing_counts_are_the_solvers_to_500(misere):
    for most in range(1, 13):
        game = sticks(500, most, misere)
        lost = np.flatnonzero(~solve(game).wins).tolist()
        assert lost_counts(most, misere, 500) == lost
        assert np.flatnonzero(~np.array(outcomes(range(1, most + 1), misere, 500))).tolist() == lost
        assert period(range(1, most + 1), misere)[:2] == (0, most + 1)


def values_by_definition(amounts, up_to):
    """Grundy values: the smallest number that no move reaches."""
    values: list[int] = []
    for count in range(up_to + 1):
        reached = {values[count - take] for take in amounts if take <= count}
        values.append(next(number for number in range(count + 1) if number not in reached))
    return values


def test_grundy_values_are_the_smallest_that_no_move_reaches():
    assert [mex([]), mex([0, 1, 3]), mex({1, 2})] == [0, 2, 0]
    for most in (1, 2, 3, 7, None):
        assert [grundy(count, most) for count in range(60)] == values_by_definition(range(1, (most or 60) + 1), 59)


# --- several rows ---------------------------------------------------------------------------------------


def test_nim_sums_by_hand():
    assert (nim_sum(), nim_sum(5)) == (0, 5)
    assert nim_sum(1, 2, 3) == 0  # 01, 10 and 11: every column is even
    assert (nim_sum(3, 3, 7), nim_sum(2, 2, 1), nim_sum(1, 3, 5, 7)) == (7, 1, 0)


def test_look_at_the_grundy_values_not_at_the_counts():
    """Rows of 4 and 4 with at most 3: both values are 0, so misère play is reversed."""
    assert is_lost(CoinGame((4, 4), 3, misere=False), (4, 4))
    assert not is_lost(CoinGame((4, 4), 3, misere=True), (4, 4))
    assert is_lost(CoinGame((4, 1), 3, misere=True), (4, 1))
    assert is_lost(CoinGame((2, 2), 3, misere=True), (2, 2))  # a value above 1: as in normal play


@ENDINGS
@BOUNDS
def test_the_closed_form_is_the_solvers_for_three_rows(most, misere):
    """For rows of 12; the winning moves for rows of 7."""
    solution = solve(CoinGame((12, 12, 12), most, misere))
    for state in combinations_with_replacement(range(13), 3):
        assert is_lost(solution.game, state) != solution.wins[state], state
    for state in product(range(8), repeat=3):
        assert winning_moves(solution.game, state) == solution.best_moves(state), state


@BOUNDS
def test_the_exception_of_misere_play_is_needed_for_every_bound(most):
    """Without it the rule fails in every state in which no value is above 1, and in no other."""
    wins = solve(CoinGame((12, 12, 12), most, misere=True)).wins
    for state in combinations_with_replacement(range(13), 3):
        values = [grundy(held, most) for held in state]
        assert (wins[state] == (nim_sum(*values) != 0)) == (max(values) > 1)


def test_the_winning_moves_of_games_that_no_table_holds():
    huge = 10**100
    assert winning_moves(sticks(huge + 3, 3, misere=False), (huge + 3,)) == [Move(0, 3)]
    assert winning_moves(sticks(huge + 3, 3, misere=True), (huge + 3,)) == [Move(0, 2)]
    assert winning_moves(CoinGame((huge, huge + 1), None, misere=False), (huge, huge + 1)) == [Move(1, 1)]
    assert winning_moves(CoinGame((huge, 1), None, misere=True), (huge, 1)) == [Move(0, huge)]


# --- one row, other amounts -----------------------------------------------------------------------------

SETS = [amounts for size in (1, 2, 3) for amounts in combinations(range(1, 10), size)]


def wins_by_recursion(amounts, misere, up_to):
    wins: list[bool] = []
    for count in range(up_to + 1):
        after = [wins[count - take] for take in amounts if take <= count]
        wins.append(misere if not after else not all(after))
    return wins


def test_outcomes_by_recursion_for_all_small_sets():
    """And misère play is normal play with the smallest amount fewer: one poisoned coin if 1 is among them."""
    for amounts in SETS:
        poison = min(amounts)
        misere, normal = outcomes(amounts, True, 80), outcomes([*amounts, poison], False, 80)
        assert misere == wins_by_recursion(amounts, True, 80)
        assert normal == wins_by_recursion(amounts, False, 80)
        assert misere == [True] * poison + normal[: 81 - poison], amounts
        assert grundy_values(amounts, 80) == values_by_definition(amounts, 80)


def test_periods_by_hand():
    assert period({1, 3, 4}, False) == Period(0, 7, (False, True, False, True, True, True, True))
    assert period({1, 3, 4}, True).losing == [1, 3]
    assert period({2, 4, 7}, False)[:2] == (4, 3)  # a pre-period: 0 1 are lost, and then every third from 6 on
    assert period({5}, False)[:2] == (0, 10)
    assert not period({1, 3, 4}, False).wins_at(7 * 10**50 + 2)


def repeats(wins, start, length):
    return all(wins[count] == wins[count + length] for count in range(start, len(wins) - length))


@ENDINGS
def test_periods_are_true_far_out_and_the_shortest(misere):
    for amounts in [*SETS, (4, 9, 11), (3, 10, 12)]:
        found = period(amounts, misere)
        wins = wins_by_recursion(amounts, misere, 600)
        assert repeats(wins, found.start, found.length)
        assert not any(repeats(wins, found.start, shorter) for shorter in range(1, found.length))
        assert found.start == 0 or not repeats(wins, found.start - 1, found.length)
        assert [found.wins_at(count) for count in range(601)] == wins


def test_repetition_of_grundy_values_is_true_far_out_and_the_shortest():
    for amounts in ({1, 3, 4}, {1, 6, 14}, {8, 13, 22}, {4, 9, 11, 13}):
        values = grundy_values(amounts, 5_000)
        start, length = repetition(values[:1_200], window=max(amounts))
        assert repeats(values, start, length)
        assert not any(repeats(values, start, shorter) for shorter in range(1, length))
        assert start == 0 or not repeats(values, start - 1, length)


def test_a_window_must_come_twice_and_whole():
    assert repetition([7, 1, 2, 3, 1, 2, 3], window=3) == (1, 3)
    assert repetition([7, 1, 2, 3, 1, 2], window=3) is None
    assert repetition([False, True, True], window=1) == (1, 1)


def test_a_search_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(periods, "SEARCHED_AT_MOST", 200)
    with pytest.raises(ValueError, match="amounts: the outcomes up to 116 do not repeat yet"):
        period({9, 20, 29}, misere=False)


# --- a heap that is split -------------------------------------------------------------------------------


def test_splitting_values_are_those_of_the_definition():
    values: list[int] = []
    for heap in range(601):
        values.append(mex(values[part] ^ values[heap - part] for part in range(1, (heap + 1) // 2)))
    assert splitting_values(600).tolist() == values
    assert splitting_values(0).tolist() == [0]


def test_splitting_the_lost_heaps_and_the_rare_ones():
    values = splitting_values(90_000)
    lost = np.flatnonzero(values == 0).tolist()
    assert (lost[:13], lost[-1]) == ([0, 1, 2, 4, 7, 10, 20, 23, 26, 50, 53, 270, 273], 1222)
    rare = np.flatnonzero(np.bitwise_count(values >> 1) % 2 == 0)
    assert (len(rare), rare[-1]) == (1_274, 82_860)
