"""Why: the closed forms by hand, against the solver, and the steps of their proofs one by one."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_games import Taking

from coinlib import SCENARIOS, CoinGame, Move, minimax, solve, sticks, theory
from coinlib.theory import (
    Period,
    grundy,
    grundy_values,
    is_lost,
    losing_counts,
    mex,
    nim_sum,
    outcomes,
    period,
    winning_moves,
)

ENDINGS = pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
BOUNDS = (1, 2, 3, 5, 11, 12, None)


# --- one row ------------------------------------------------------------------------------------------------


def test_multiples_of_four_lose_in_normal_play_and_one_more_in_misere_play():
    assert losing_counts(max_pick=3, misere=False, up_to=12) == [0, 4, 8, 12]
    assert losing_counts(max_pick=3, misere=True, up_to=13) == [1, 5, 9, 13]


@ENDINGS
@pytest.mark.parametrize("most", range(1, 13))
def test_the_losing_counts_are_the_solvers_to_500(most, misere):
    game = sticks(500, most, misere)
    lost = np.flatnonzero(~solve(game).wins).tolist()
    assert losing_counts(most, misere, 500) == lost
    assert [count for count in range(501) if is_lost(game, (count,))] == lost


# --- Grundy values and nim-sums -----------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 3, 7, None])
def test_grundy_values_are_the_smallest_that_no_move_reaches(most):
    assert [mex([]), mex([0, 1, 3]), mex({1, 2})] == [0, 2, 0]
    found: list[int] = []
    for count in range(60):
        reached = {found[count - take] for take in range(1, min(most or count, count) + 1)}
        found.append(next(value for value in range(61) if value not in reached))
        assert grundy(count, most) == found[count]


def test_nim_sums_by_hand():
    assert (nim_sum(), nim_sum(5)) == (0, 5)
    assert nim_sum(1, 2, 3) == 0  # 01, 10 and 11: every column is even
    assert nim_sum(3, 3, 7) == 7
    assert nim_sum(2, 2, 1) == 1
    assert nim_sum(1, 3, 5, 7) == 0


@given(st.lists(st.integers(0, 63), max_size=5))
def test_nim_sum_adds_without_carrying(numbers):
    assert nim_sum(*numbers) == sum(2**bit * (sum(number >> bit & 1 for number in numbers) % 2) for bit in range(6))


# --- several rows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "values", "winner", "moves"),
    [
        ("SINGLE_21_2", [0], 1, [(0, 2)]),
        ("SINGLE_21_3", [1], 2, []),
        ("DOUBLE_21_2", [0, 0], 1, [(0, 2), (1, 2)]),
        ("DOUBLE_21_3", [1, 1], 1, [(0, 1), (1, 1)]),
        ("NIM", [1, 0, 2, 1], 1, [(1, 1), (2, 1)]),
        ("NIM_7", [1, 3, 5, 7], 2, []),
    ],
)
def test_the_scenarios_derived(name, values, winner, moves):
    """The design's table, by hand from the values."""
    game = SCENARIOS[name]
    assert [grundy(held, game.max_pick) for held in game.rows] == values
    assert is_lost(game, game.start) == (winner == 2)
    assert winning_moves(game, game.start) == moves


def test_look_at_the_grundy_values_not_at_the_counts():
    """Rows of 4 and 4 with at most 3: both values are 0, so misère play turns round."""
    assert is_lost(CoinGame((4, 4), 3, misere=False), (4, 4))
    assert not is_lost(CoinGame((4, 4), 3, misere=True), (4, 4))
    assert is_lost(CoinGame((4, 1), 3, misere=True), (4, 1))
    assert is_lost(CoinGame((2, 2), 3, misere=True), (2, 2))  # a value above 1: as in normal play


def differences(rule, most, misere):
    """The states of up to three rows of 12 for which `rule(values, misere)` does not say what the solver says."""
    wins = solve(CoinGame((12, 12, 12), most, misere)).wins
    return [
        state for state in np.ndindex(wins.shape) if rule([grundy(held, most) for held in state], misere) == wins[state]
    ]


@ENDINGS
@pytest.mark.parametrize("most", BOUNDS)
def test_the_closed_form_is_the_solvers_for_three_rows_of_twelve(most, misere):
    game = CoinGame((12, 12, 12), most, misere)
    wins = solve(game).wins
    assert all(is_lost(game, state) != wins[state] for state in np.ndindex(wins.shape))
    assert differences(theory._lost, most, misere) == []


def without_exception(values, misere):
    """The rule of normal play for both endings."""
    return nim_sum(*values) == 0


def exception_by_sum_only(values, misere):
    """Misère play turned round everywhere: lost if the nim-sum is 1."""
    return nim_sum(*values) == (1 if misere else 0)


def exception_too_wide(values, misere):
    """The exception with "at most 2" in place of "at most 1"."""
    return nim_sum(*values) == (1 if misere and max(values) <= 2 else 0)


@pytest.mark.parametrize("most", BOUNDS)
def test_the_exception_of_misere_play_is_needed_for_every_bound_and_goes_no_further(most):
    """Without it the rule fails exactly where no value is above 1, and there everywhere."""
    small = [state for state in product(range(13), repeat=3) if all(grundy(held, most) <= 1 for held in state)]
    assert small and differences(without_exception, most, misere=True) == small
    if most != 1:
        assert differences(exception_by_sum_only, most, misere=True)
        assert differences(exception_too_wide, most, misere=True)


@ENDINGS
@pytest.mark.parametrize("most", [1, 2, 3, 5, None])
def test_the_winning_moves_are_the_solvers(most, misere):
    solution = solve(CoinGame((9, 9, 9), most, misere))
    for state in np.ndindex(solution.wins.shape):
        assert winning_moves(solution.game, state) == solution.best_moves(state), state


def test_the_winning_moves_of_games_that_no_table_holds():
    huge = 10**100
    assert winning_moves(sticks(huge + 3, 3, misere=False), (huge + 3,)) == [Move(0, 3)]
    assert winning_moves(sticks(huge + 3, 3, misere=True), (huge + 3,)) == [Move(0, 2)]
    assert winning_moves(CoinGame((huge, huge + 1), None, misere=False), (huge, huge + 1)) == [Move(1, 1)]
    assert winning_moves(CoinGame((huge, 1), None, misere=True), (huge, 1)) == [Move(0, huge)]


# --- the steps of the proofs, one by one --------------------------------------------------------------------------


@ENDINGS
@pytest.mark.parametrize("most", range(1, 13))
def test_the_reply_that_makes_it_k_plus_one_together_wins_from_every_lost_count(most, misere):
    """From elsewhere one move leads to a lost count. From there every move leaves them, and the answer to it is
    legal and leaves a lost count again, down to the end."""
    lost = losing_counts(most, misere, 200)
    assert lost[0] == misere  # no coin in normal play, the poisoned one in misère play: here the replies end
    for count in range(lost[0] + 1, 201):
        after = [count - take for take in range(1, min(most, count) + 1)]
        if count in lost:
            assert all(left not in lost and left - (most + 1 - (count - left)) in lost for left in after)
        else:
            assert any(left in lost for left in after)


@pytest.mark.parametrize("most", [2, 3, None])
def test_the_four_cases_of_misere_play(most):
    """Each case of the argument in `is_lost`, move by move, for three rows of 9."""

    def case_of(values):
        if max(values) <= 1:
            return 1 if nim_sum(*values) == 1 else 2
        return 3 if nim_sum(*values) == 0 else 4

    game = CoinGame((9, 9, 9), most, misere=True)
    cases = {state: case_of([grundy(held, most) for held in state]) for state in product(range(10), repeat=3)}
    assert set(cases.values()) == {1, 2, 3, 4}
    for state, case in cases.items():
        after = {cases[game.play(state, move)] for move in game.legal_moves(state)}
        if case in (1, 3):
            assert after and after <= {2, 4}  # the lost ones: only to won ones
        elif any(state):
            assert after & {1, 3}  # the won ones: to some lost one
    assert cases[0, 0, 0] == 2


# --- one row, other amounts -----------------------------------------------------------------------------------

SETS = [amounts for size in (1, 2, 3) for amounts in combinations(range(1, 10), size)]


def by_recursion(amounts, misere, up_to):
    wins: list[bool] = []
    for count in range(up_to + 1):
        after = [wins[count - take] for take in amounts if take <= count]
        wins.append(misere if not after else not all(after))
    return wins


def lost(amounts, misere, up_to):
    return [count for count, wins in enumerate(outcomes(amounts, misere, up_to)) if not wins]


def test_one_three_or_four_by_hand():
    """Normal play: 1 and 3 lead to 0, and 4 does; from 2 only 1 can be reached, from 7 only 6, 4 and 3."""
    assert lost({1, 3, 4}, misere=False, up_to=16) == [0, 2, 7, 9, 14, 16]
    assert lost([4, 1, 3, 1], misere=True, up_to=17) == [1, 3, 8, 10, 15, 17]
    assert grundy_values({1, 3, 4}, 8) == [0, 1, 0, 1, 2, 3, 2, 0, 1]


def test_two_or_three_by_hand():
    """With one coin left a player is stuck: that loses in normal play, and wins in misère play."""
    assert lost({2, 3}, misere=False, up_to=11) == [0, 1, 5, 6, 10, 11]
    assert lost({2, 3}, misere=True, up_to=13) == [2, 3, 7, 8, 12, 13]


@ENDINGS
def test_outcomes_by_minimax(misere):
    for amounts in [(1, 3, 4), (2, 3), (2, 4, 7)]:
        values = [minimax(Taking(count, amounts, misere)).value for count in range(31)]
        assert outcomes(amounts, misere, 30) == [value > 0 for value in values]


@ENDINGS
@pytest.mark.parametrize("most", [1, 2, 3, 12])
def test_outcomes_of_one_to_k_are_the_solvers(most, misere):
    assert outcomes(range(1, most + 1), misere, 500) == solve(sticks(500, most, misere)).wins.tolist()
    assert period(range(1, most + 1), misere)[:2] == (0, most + 1)
    assert period(range(1, most + 1), misere).losing == [int(misere)]
    assert grundy_values(range(1, most + 1), 100) == [grundy(count, most) for count in range(101)]


def test_outcomes_by_recursion_for_all_small_sets():
    """And in normal play a count is lost where its Grundy value is 0; misère play is normal play with the smallest
    amount less: one coin of poison where a 1 is among the amounts."""
    for amounts in SETS:
        poison = min(amounts)
        misere, normal = outcomes(amounts, True, 80), outcomes(amounts, False, 80)
        assert misere == by_recursion(amounts, True, 80)
        assert normal == by_recursion(amounts, False, 80) == [value > 0 for value in grundy_values(amounts, 80)]
        assert misere == [True] * poison + normal[: 81 - poison], amounts


@pytest.mark.parametrize("amounts", [(1, 3, 4), (2, 3), (2, 5, 7)])
def test_nim_sums_of_grundy_values_serve_any_amounts_on_two_rows(amounts):
    values, wins = grundy_values(amounts, 14), {}
    for one, other in product(range(15), repeat=2):
        after = [(one - take, other) for take in amounts if take <= one]
        after += [(one, other - take) for take in amounts if take <= other]
        wins[one, other] = any(not wins[rows] for rows in after)
        assert wins[one, other] == (nim_sum(values[one], values[other]) != 0)


@ENDINGS
def test_powers_of_two_as_in_the_lessons_last_proof(misere):
    """In normal play the multiples of three are lost, in misère play one more than a multiple of three."""
    assert lost({2**power for power in range(9)}, misere, 500) == list(range(int(misere), 501, 3))


# --- periods --------------------------------------------------------------------------------------------------------


def test_periods_by_hand():
    assert period({1, 3, 4}, False) == Period(0, 7, (False, True, False, True, True, True, True))
    assert period({1, 3, 4}, True).losing == [1, 3]
    assert period({2, 3}, False)[:2] == (0, 5)
    assert period({2, 4, 7}, False)[:2] == (4, 3)  # a pre-period: 0 1 are lost, and then every third from 6 on
    assert period({5}, False)[:2] == (0, 10)
    assert not period({1, 3, 4}, False).wins_at(7 * 10**50 + 2)


def repeats(wins, start, length):
    return all(wins[count] == wins[count + length] for count in range(start, len(wins) - length))


@ENDINGS
def test_periods_are_true_far_out_and_the_shortest(misere):
    for amounts in [*SETS, (4, 9, 11), (3, 10, 12)]:
        found = period(amounts, misere)
        wins = by_recursion(amounts, misere, 600)
        assert repeats(wins, found.start, found.length)
        assert not any(repeats(wins, found.start, shorter) for shorter in range(1, found.length))
        assert found.start == 0 or not repeats(wins, found.start - 1, found.length)
        assert [found.wins_at(count) for count in range(601)] == wins


# --- what is asked wrongly --------------------------------------------------------------------------------------------


def test_a_search_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(theory, "SEARCHED_AT_MOST", 200)
    with pytest.raises(ValueError, match="amounts: no window of 50 outcomes has come twice among the first 4"):
        period({50}, misere=False)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: outcomes({0, 1}, True, 10), ValueError, "an amount: expected 1 or more, got 0"),
        (lambda: grundy_values({1.5}, 10), TypeError, "an amount: expected a whole number, got 1.5"),
        (lambda: period([], True), ValueError, "amounts: expected at least one amount, got none"),
        (lambda: losing_counts(0, True, 10), ValueError, "max_pick: expected 1 or more, got 0"),
        (lambda: winning_moves(sticks(5), (6,)), ValueError, "expected a state of this game"),
        (lambda: is_lost(sticks(5), 5), ValueError, "expected a state of this game"),
    ],
)
def test_what_is_asked_wrongly(call, error, words):
    with pytest.raises(error, match=words):
        call()
