"""The closed forms, against the recursion itself."""

from __future__ import annotations

from functools import cache, reduce
from itertools import product

import pytest

from coinlib import CoinGame, sticks, three_piles
from coinlib.theory import grundy, is_lost, losing_counts, nim_sum


def test_multiples_of_four_lose_in_normal_play_and_one_more_in_misere_play():
    assert losing_counts(max_pick=3, misere=False, up_to=12) == [0, 4, 8, 12]
    assert losing_counts(max_pick=3, misere=True, up_to=13) == [1, 5, 9, 13]


@pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
@pytest.mark.parametrize("most", range(1, 7))
def test_the_losing_counts_of_one_row_by_recursion(most, misere):
    wins: list[bool] = [misere]  # nothing left: the other player took the last coin
    for count in range(1, 101):
        wins.append(any(not wins[count - take] for take in range(1, min(most, count) + 1)))
    assert losing_counts(most, misere, 100) == [count for count in range(101) if not wins[count]]
    assert [is_lost(sticks(100, most, misere), (count,)) for count in range(101)] == [not win for win in wins]


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
@pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
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


def test_look_at_the_grundy_values_not_at_the_counts():
    """Rows of 4 and 4 with at most 3: both values are 0, so misère play turns round."""
    assert is_lost(CoinGame((4, 4), 3, misere=False), (4, 4))
    assert not is_lost(CoinGame((4, 4), 3, misere=True), (4, 4))
    assert is_lost(CoinGame((4, 1), 3, misere=True), (4, 1))
    assert is_lost(CoinGame((2, 2), 3, misere=True), (2, 2))  # a value above 1: as in normal play


def test_the_empty_table():
    assert is_lost(three_piles(0, 0, 0), (0, 0, 0))
    assert not is_lost(sticks(0), (0,))


@pytest.mark.parametrize(
    ("call", "error"),
    [
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
