"""The closed forms, against the recursion itself."""

from __future__ import annotations

from functools import cache, reduce
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coinlib import SCENARIOS, CoinGame, Move, minimax, solve, sticks, theory, three_piles
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
BOUNDS = (1, 2, 3, 4, 5, 7, 11, 12, None)


def test_multiples_of_four_lose_in_normal_play_and_one_more_in_misere_play():
    assert losing_counts(max_pick=3, misere=False, up_to=12) == [0, 4, 8, 12]
    assert losing_counts(max_pick=3, misere=True, up_to=13) == [1, 5, 9, 13]


@ENDINGS
@pytest.mark.parametrize("most", range(1, 7))
def test_the_losing_counts_of_one_row_by_recursion(most, misere):
    wins: list[bool] = [misere]  # nothing left: the other player took the last coin
    for count in range(1, 101):
        wins.append(any(not wins[count - take] for take in range(1, min(most, count) + 1)))
    assert losing_counts(most, misere, 100) == [count for count in range(101) if not wins[count]]
    assert [is_lost(sticks(100, most, misere), (count,)) for count in range(101)] == [not win for win in wins]


@ENDINGS
@pytest.mark.parametrize("most", range(1, 13))
def test_the_losing_counts_are_the_solvers_to_500(most, misere):
    game = sticks(500, most, misere)
    lost = np.flatnonzero(~solve(game).wins).tolist()
    assert losing_counts(most, misere, 500) == lost
    assert [count for count in range(501) if is_lost(game, (count,))] == lost


@pytest.mark.parametrize("most", range(1, 13))
def test_on_one_row_misere_play_is_normal_play_with_one_coin_less(most):
    misere, normal = (solve(sticks(500, most, ending)).wins for ending in (True, False))
    assert misere[0]
    np.testing.assert_array_equal(misere[1:], normal[:-1])


def test_on_several_rows_it_is_not():
    """Two rows of two are lost in both endings, and with one coin less they are won in normal play."""
    misere, normal = (solve(CoinGame((2, 2), 3, ending)).wins for ending in (True, False))
    assert not misere[2, 2]
    assert normal[1, 2] and normal[2, 1]


def smallest_missing(values) -> int:
    """The least number from 0 up that is not among the values."""
    return next(value for value in range(1000) if value not in values)


@pytest.mark.parametrize("most", [1, 2, 3, 4, 7, None])
def test_grundy_values_are_the_smallest_that_no_move_reaches(most):
    found: list[int] = []
    for count in range(60):
        found.append(smallest_missing({found[count - take] for take in range(1, min(most or count, count) + 1)}))
        assert grundy(count, most) == found[count]


def test_nim_sums_by_hand():
    assert nim_sum() == 0
    assert nim_sum(5) == 5
    assert nim_sum(1, 2, 3) == 0  # 01, 10 and 11: every column is even
    assert nim_sum(3, 3, 7) == 7
    assert nim_sum(2, 2, 1) == 1
    assert nim_sum(1, 3, 5, 7) == 0


def test_nim_sum_adds_without_carrying():
    def by_columns(numbers):
        return sum(2**bit * (sum(number >> bit & 1 for number in numbers) % 2) for bit in range(6))

    for numbers in product((0, 1, 2, 7, 12, 31, 40), repeat=3):
        assert nim_sum(*numbers) == by_columns(numbers)
        assert nim_sum(*numbers) == reduce(nim_sum, numbers)


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, None])
@ENDINGS
def test_the_closed_form_is_right_for_all_small_rows(most, misere):
    """Up to three rows of seven, by the recursion: a position is lost if no move leads to a lost one."""

    @cache
    def lost(state) -> bool:
        if not any(state):
            return not misere
        after = (
            tuple(sorted((*state[:row], held - take, *state[row + 1 :])))
            for row, held in enumerate(state)
            for take in range(1, min(most or held, held) + 1)
        )
        return not any(lost(following) for following in after)

    game = CoinGame((7, 7, 7), most, misere)
    for state in product(range(8), repeat=3):
        assert is_lost(game, state) == lost(tuple(sorted(state)))


# --- up to three rows of twelve, by the solver ---------------------------------------------------------------


def states_of(solution):
    return product(*(range(size) for size in solution.wins.shape))


def differences(rule, most, misere):
    """The states of up to three rows of 12 for which `rule(values, misere)` does not say what the solver says."""
    solution = solve(CoinGame((12, 12, 12), most, misere))
    return [
        state
        for state in states_of(solution)
        if rule([grundy(held, most) for held in state], misere) == bool(solution.wins[state])
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
def test_the_exception_of_misere_play_is_needed_for_every_bound(most):
    """Without it the rule fails exactly where no value is above 1, and there everywhere."""
    assert differences(without_exception, most, misere=False) == []
    small = [state for state in product(range(13), repeat=3) if all(grundy(held, most) <= 1 for held in state)]
    assert small and differences(without_exception, most, misere=True) == small


@pytest.mark.parametrize("rule", [exception_by_sum_only, exception_too_wide])
@pytest.mark.parametrize("most", [most for most in BOUNDS if most != 1])
def test_and_goes_no_further_than_to_values_of_one(rule, most):
    assert differences(rule, most, misere=True)


@pytest.mark.parametrize("rule", [without_exception, exception_by_sum_only, exception_too_wide])
def test_a_library_without_the_right_exception_would_be_found_out(rule, monkeypatch):
    monkeypatch.setattr(theory, "_lost", rule)
    game = CoinGame((12, 12, 12), 3, misere=True)
    wins = solve(game).wins
    assert any(is_lost(game, state) == wins[state] for state in np.ndindex(wins.shape))


def test_the_exception_looks_at_values_and_not_at_counts():
    """Counts of at most 1 in place of values of at most 1: wrong as soon as a row is longer than k."""

    def by_counts(state, most):
        small = max(state) <= 1
        return nim_sum(*(grundy(held, most) for held in state)) == (1 if small else 0)

    solution = solve(CoinGame((12, 12, 12), 3, misere=True))
    wrong = [state for state in states_of(solution) if by_counts(state, 3) == bool(solution.wins[state])]
    assert (0, 0, 4) in wrong and (0, 4, 4) in wrong


@ENDINGS
@pytest.mark.parametrize("most", [1, 2, 3, 5, None])
def test_the_winning_moves_are_the_solvers(most, misere):
    solution = solve(CoinGame((9, 9, 9), most, misere))
    for state in states_of(solution):
        assert winning_moves(solution.game, state) == solution.best_moves(state), state


def test_the_winning_moves_of_games_that_no_table_holds():
    huge = 10**100
    assert winning_moves(sticks(huge + 3, 3, misere=False), (huge + 3,)) == [Move(0, 3)]
    assert winning_moves(sticks(huge + 3, 3, misere=True), (huge + 3,)) == [Move(0, 2)]
    assert winning_moves(CoinGame((huge, huge + 1), None, misere=False), (huge, huge + 1)) == [Move(1, 1)]
    assert winning_moves(CoinGame((huge, 1), None, misere=True), (huge, 1)) == [Move(0, huge)]


@ENDINGS
def test_who_wins_with_2026_sticks(misere):
    game = sticks(2026, 3, misere)
    assert winning_moves(game, (2026,)) == [Move(0, 1 if misere else 2)] == solve(game).best_moves((2026,))


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
def test_the_scenarios_derived_and_by_the_solver(name, values, winner, moves):
    """The design's table, by hand from the values."""
    game = SCENARIOS[name]
    assert [grundy(held, game.max_pick) for held in game.rows] == values
    assert is_lost(game, game.start) == (winner == 2)
    assert winning_moves(game, game.start) == moves == solve(game).best_moves(game.start)
    assert solve(game).winner() == winner


# --- the steps of the proofs, one by one --------------------------------------------------------------------------


@pytest.mark.parametrize("most", range(1, 13))
def test_from_a_multiple_every_move_leaves_the_multiples_and_from_elsewhere_one_leads_there(most):
    for count in range(1, 501):
        takes = [take for take in range(1, most + 1) if take <= count]
        if count % (most + 1) == 0:
            assert all((count - take) % (most + 1) for take in takes)
            assert {take + (most + 1 - take) for take in takes} == {most + 1}
        else:
            assert count % (most + 1) in takes


@ENDINGS
@pytest.mark.parametrize("most", range(1, 13))
def test_the_reply_that_makes_it_k_plus_one_together_wins_from_every_lost_count(most, misere):
    """Whatever the first player takes, the answer is legal and leaves a lost count again, down to the end."""
    game = sticks(500, most, misere)
    wins, lost_counts = solve(game).wins, losing_counts(most, misere, 500)
    assert lost_counts[0] == misere  # no coin in normal play, the poisoned one in misère play: here the replies end
    for count in lost_counts[1:]:
        for move in game.legal_moves((count,)):
            left = game.play(game.play((count,), move), most + 1 - move.count)
            assert left[0] in lost_counts and not wins[left]


@pytest.mark.parametrize("most", [2, 3, 4, None])
def test_the_four_cases_of_misere_play(most):
    """Each case of the argument in `is_lost`, move by move, for three rows of 9."""
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


def case_of(values):
    if max(values) <= 1:
        return 1 if nim_sum(*values) == 1 else 2
    return 3 if nim_sum(*values) == 0 else 4


def test_look_at_the_grundy_values_not_at_the_counts():
    """Rows of 4 and 4 with at most 3: both values are 0, so misère play turns round."""
    assert is_lost(CoinGame((4, 4), 3, misere=False), (4, 4))
    assert not is_lost(CoinGame((4, 4), 3, misere=True), (4, 4))
    assert is_lost(CoinGame((4, 1), 3, misere=True), (4, 1))
    assert is_lost(CoinGame((2, 2), 3, misere=True), (2, 2))  # a value above 1: as in normal play


def test_the_empty_table():
    assert is_lost(three_piles(0, 0, 0), (0, 0, 0))
    assert not is_lost(sticks(0), (0,))


# --- one row, other amounts -----------------------------------------------------------------------------------

SETS = [amounts for size in (1, 2, 3) for amounts in combinations(range(1, 10), size)]


class Taking:
    """One row from which a move takes one of some amounts; made here so that `minimax` can judge."""

    def __init__(self, count, amounts, misere):
        self.start, self.moves, self.misere = count, sorted(amounts), misere

    def legal_moves(self, count):
        return [take for take in self.moves if take <= count]

    def play(self, count, take):
        return count - take

    def is_over(self, count):
        return not self.legal_moves(count)

    def reward(self, count, take):
        return 0

    def result(self, count):
        return 1 if self.misere else -1


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
    assert lost({1, 3, 4}, misere=True, up_to=17) == [1, 3, 8, 10, 15, 17]
    assert grundy_values({1, 3, 4}, 8) == [0, 1, 0, 1, 2, 3, 2, 0, 1]


def test_two_or_three_by_hand():
    """With one coin left a player is stuck: that loses in normal play, and wins in misère play."""
    assert lost({2, 3}, misere=False, up_to=11) == [0, 1, 5, 6, 10, 11]
    assert lost({2, 3}, misere=True, up_to=13) == [2, 3, 7, 8, 12, 13]


@ENDINGS
def test_outcomes_by_minimax(misere):
    for amounts in [(1, 3, 4), (2, 3), (2, 4, 7), (5,), (3, 5, 6)]:
        values = [minimax(Taking(count, amounts, misere)).value for count in range(41)]
        assert outcomes(amounts, misere, 40) == [value > 0 for value in values]


@ENDINGS
@pytest.mark.parametrize("most", range(1, 13))
def test_outcomes_of_one_to_k_are_the_solvers(most, misere):
    assert outcomes(range(1, most + 1), misere, 500) == solve(sticks(500, most, misere)).wins.tolist()
    assert period(range(1, most + 1), misere)[:2] == (0, most + 1)
    assert period(range(1, most + 1), misere).losing == [int(misere)]
    assert grundy_values(range(1, most + 1), 100) == [grundy(count, most) for count in range(101)]


@ENDINGS
def test_outcomes_by_recursion_for_all_small_sets(misere):
    for amounts in SETS:
        assert outcomes(amounts, misere, 60) == by_recursion(amounts, misere, 60)


def test_the_order_of_amounts_and_doubles_do_not_matter():
    assert outcomes([4, 1, 3, 1], False, 30) == outcomes({1, 3, 4}, False, 30)
    assert outcomes((np.int64(4), 3, 1), np.True_, 30) == outcomes({1, 3, 4}, True, 30)


def test_misere_play_is_normal_play_with_the_smallest_amount_less():
    """One coin of poison where a 1 is among the amounts; as many as the smallest amount in general."""
    for amounts in SETS:
        poison = min(amounts)
        misere, normal = outcomes(amounts, True, 80), outcomes(amounts, False, 80)
        assert all(misere[:poison])
        assert misere[poison:] == normal[: 81 - poison], amounts


def test_a_count_is_lost_in_normal_play_where_its_grundy_value_is_0():
    for amounts in SETS:
        assert [value > 0 for value in grundy_values(amounts, 60)] == outcomes(amounts, False, 60)


@pytest.mark.parametrize("amounts", [(1, 3, 4), (2, 3), (2, 5, 7)])
def test_nim_sums_of_grundy_values_serve_any_amounts_on_two_rows(amounts):
    values = grundy_values(amounts, 14)

    @cache
    def wins(one, other):
        after = [(one - take, other) for take in amounts if take <= one]
        after += [(one, other - take) for take in amounts if take <= other]
        return any(not wins(*rows) for rows in after)

    for one, other in product(range(15), repeat=2):
        assert wins(one, other) == (nim_sum(values[one], values[other]) != 0)


@pytest.mark.parametrize("amounts", [(1, 2, 3), (1, 3, 4), (2, 3), (2, 5, 7), (4, 9, 11)])
def test_a_move_changes_the_value_of_its_row_and_every_smaller_value_can_be_reached(amounts):
    """The two facts, (A) and (B) in lesson 12, from which the theorem about nim-sums follows."""
    values = grundy_values(amounts, 100)
    for count, value in enumerate(values):
        reached = {values[count - take] for take in amounts if take <= count}
        assert value not in reached
        assert reached >= set(range(value))


@ENDINGS
def test_powers_of_two_as_in_the_lessons_last_proof(misere):
    """In normal play the multiples of three are lost, in misère play one more than a multiple of three."""
    assert lost({2**power for power in range(9)}, misere, 500) == list(range(int(misere), 501, 3))


# --- periods --------------------------------------------------------------------------------------------------------


def repeats(wins, start, length):
    return all(wins[count] == wins[count + length] for count in range(start, len(wins) - length))


@ENDINGS
def test_periods_are_true_far_out_and_the_shortest(misere):
    for amounts in [*SETS, (4, 9, 11), (4, 6, 11), (3, 10, 12), (2, 5, 11)]:
        found = period(amounts, misere)
        wins = by_recursion(amounts, misere, 600)
        assert repeats(wins, found.start, found.length)
        assert not any(repeats(wins, found.start, shorter) for shorter in range(1, found.length))
        assert found.start == 0 or not repeats(wins, found.start - 1, found.length)
        assert [found.wins_at(count) for count in range(601)] == wins


def test_when_a_window_comes_again_so_does_what_follows():
    """The reason that `period` gives, looked at from outside."""
    for amounts in SETS:
        wins, most = by_recursion(amounts, False, 120), max(amounts)
        follows: dict[tuple, bool] = {}
        for count in range(most, 121):
            window = tuple(wins[count - most : count])
            assert follows.setdefault(window, wins[count]) == wins[count]


def test_a_shorter_window_would_not_be_enough():
    """With windows that are one outcome too short the same window is followed by different outcomes."""
    wins = by_recursion((1, 4, 10), False, 100)
    follows: dict[tuple, set] = {}
    for count in range(10, 101):
        follows.setdefault(tuple(wins[count - 9 : count]), set()).add(wins[count])
    assert any(len(outcome) == 2 for outcome in follows.values())


def test_periods_by_hand():
    assert period({1, 3, 4}, False) == Period(0, 7, (False, True, False, True, True, True, True))
    assert period({1, 3, 4}, True).losing == [1, 3]
    assert period({2, 3}, False)[:2] == (0, 5)
    assert period({2, 4, 7}, False)[:2] == (4, 3)  # a pre-period: 0 1 are lost, and then every third from 6 on
    assert period({5}, False)[:2] == (0, 10)
    assert not period({1, 3, 4}, False).wins_at(7 * 10**50 + 2)


@given(st.sets(st.integers(1, 8), min_size=1, max_size=4), st.booleans(), st.integers(0, 400))
def test_the_period_says_what_the_outcomes_say(amounts, misere, count):
    assert period(amounts, misere).wins_at(count) == outcomes(amounts, misere, count)[count]


def test_a_search_that_would_fill_the_memory_is_refused():
    with pytest.raises(ValueError, match="amounts: expected smaller ones, got 10,000; no window"):
        period({10_000}, misere=False)
    with pytest.raises(ValueError, match="too many to list"):
        outcomes({1}, misere=False, up_to=10**9)
    with pytest.raises(ValueError, match="too many to list"):
        grundy_values({1}, up_to=10**9)


# --- what makes no sense -----------------------------------------------------------------------------------------------


def test_the_smallest_missing_number():
    assert mex([]) == 0
    assert mex([0, 1, 3]) == 2
    assert mex({1, 2}) == 0
    assert mex(iter([0, 0, 1])) == 2
    for size in range(5):
        for values in combinations(range(5), size):
            assert mex(values) == smallest_missing(values)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: mex([1, -1]), ValueError),
        (lambda: mex(["1"]), TypeError),
        (lambda: outcomes({0, 1}, True, 10), ValueError),
        (lambda: outcomes({-1}, True, 10), ValueError),
        (lambda: outcomes([], True, 10), ValueError),
        (lambda: outcomes(3, True, 10), TypeError),
        (lambda: outcomes("13", True, 10), TypeError),
        (lambda: outcomes({1.5}, True, 10), TypeError),
        (lambda: outcomes({1}, "misere", 10), TypeError),
        (lambda: outcomes({1}, True, -1), ValueError),
        (lambda: grundy_values(None, 10), TypeError),
        (lambda: grundy_values({1}, 1.0), TypeError),
        (lambda: period({0}, True), ValueError),
        (lambda: period({1}, 1), TypeError),
        (lambda: period({1, 2}, True).wins_at(-1), ValueError),
        (lambda: nim_sum(1, -1), ValueError),
        (lambda: nim_sum(1.0), TypeError),
        (lambda: nim_sum(float("nan")), TypeError),
        (lambda: grundy(-1, 3), ValueError),
        (lambda: grundy(3, 0), ValueError),
        (lambda: grundy("3", 3), TypeError),
        (lambda: losing_counts(0, True, 10), ValueError),
        (lambda: losing_counts(3, True, -1), ValueError),
        (lambda: losing_counts(3, True, 1e3), TypeError),
    ],
)
def test_numbers_that_make_no_sense_are_refused(call, error):
    with pytest.raises(error, match="expected"):
        call()


def test_a_list_that_would_fill_the_memory_is_refused():
    with pytest.raises(ValueError, match="too many to list"):
        losing_counts(3, True, 10**12)
