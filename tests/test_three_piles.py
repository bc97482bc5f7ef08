"""Three piles in normal play: the two questions, the whole table, every winning move, and why they win."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from coinlib import CoinGame, PerfectAgent, RandomAgent, ScriptedAgent, play_match, solve, three_piles
from coinlib.theory import is_lost, nim_sum

SMALL = 12  # coins in each pile where everything is tried


# --- the same by the words of the handout -----------------------------------------------------------------


@cache
def table_of_u(most: int) -> dict[tuple[int, int, int], int]:
    """U of every state, from (0, 0, 0) upward: 1 where some smaller pile leaves a state of U = 0."""
    u = {}
    for n, d, q in product(range(most + 1), repeat=3):
        smaller = [u[x, d, q] for x in range(n)] + [u[n, x, q] for x in range(d)] + [u[n, d, x] for x in range(q)]
        u[n, d, q] = 1 if 0 in smaller else 0
    return u


def winning_moves(state: tuple[int, int, int]) -> list[tuple[int, int]]:
    """(pile, coins) of all moves that leave a state of U = 0."""
    u, found = table_of_u(SMALL), []
    for pile, held in enumerate(state):
        for count in range(1, held + 1):
            left = list(state)
            left[pile] -= count
            if u[tuple(left)] == 0:
                found.append((pile, count))
    return found


def test_every_small_state_and_all_its_winning_moves():
    solution = solve(three_piles(SMALL, SMALL, SMALL))
    for state, u in table_of_u(SMALL).items():
        assert solution.wins[state] == u
        assert solution.winner(state) == (1 if u else 2)
        assert solution.best_moves(state) == winning_moves(state)


# --- the two questions of the handout, and why ------------------------------------------------------------


def copy(game, state):
    """The move that leaves two equal piles and nothing else."""
    for move in game.legal_moves(state):
        smallest, middle, largest = sorted(game.play(state, move))
        if smallest == 0 and middle == largest:
            return move
    raise AssertionError(f"no move from {state} leaves two equal piles")


@pytest.mark.parametrize(("piles", "count", "left"), [((2, 2, 1), 1, (2, 2, 0)), ((3, 3, 7), 7, (3, 3, 0))])
def test_the_first_player_wins_by_copying_whatever_the_other_does(piles, count, left):
    """All of the other side's plays are tried; the reason needs no table."""
    game = three_piles(*piles)
    assert solve(game).best_moves(piles) == [(2, count)]
    assert game.play(piles, copy(game, piles)) == left

    def wins(state):
        """Whether copying wins from here, with the other side to move, against all its plays."""
        if game.is_over(state):
            return game.result(state) == -1  # who has to move has lost
        replies = [game.play(state, move) for move in game.legal_moves(state)]
        return all(wins(game.play(reply, copy(game, reply))) for reply in replies)

    assert wins(left)


@pytest.mark.parametrize(("piles", "left"), [((2, 2, 1), (2, 2, 0)), ((3, 3, 7), (3, 3, 0))])
def test_the_perfect_player_makes_that_move_and_wins(piles, left):
    for seed in range(20):
        match = play_match(three_piles(*piles), PerfectAgent(seed=seed), RandomAgent(seed=seed))
        assert match.states[1] == left
        assert match.winner == 1


def test_no_coin_at_all_is_a_legal_start_and_lost_for_the_mover():
    game = three_piles(0, 0, 0)
    assert game.is_over(game.start)
    assert solve(game).wins.tolist() == [[[False]]]
    match = play_match(game, ScriptedAgent(), ScriptedAgent())  # nobody is asked for a move
    assert (match.winner, match.moves) == (2, [])


def test_two_equal_piles_are_lost_and_two_unequal_ones_are_won_by_making_them_equal():
    solution = solve(three_piles(30, 30, 30))
    for one, other in product(range(31), repeat=2):
        assert solution.wins[one, other, 0] == (one != other)
        if one != other:
            pile = 0 if one > other else 1
            assert solution.best_moves((one, other, 0)) == [(pile, abs(one - other))]


# --- the whole table --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hundred():
    """U for 0 <= n, d, q <= 100."""
    return solve(three_piles(100, 100, 100))


def test_a_hundred_coins_are_in_the_table_too(hundred):
    assert hundred.winner((100, 100, 0)) == 2
    assert hundred.best_moves((100, 100, 100)) == [(pile, 100) for pile in range(3)]


def test_to_any_two_piles_at_most_one_third_pile_loses(hundred):
    """Otherwise one of two lost states would lead to the other."""
    for axis in range(3):
        lost = np.count_nonzero(~hundred.wins, axis=axis)
        assert lost.max() == 1
        assert lost.sum() == 8_203


def test_the_order_of_the_piles_does_not_matter(hundred):
    for order in permutations(range(3)):
        assert np.array_equal(hundred.wins, hundred.wins.transpose(order))


@pytest.mark.parametrize("piles", [(0, 0, 9), (1, 100, 3), (40, 2, 7), (5, 64, 33), (100, 0, 100)])
def test_piles_of_unequal_size_are_a_corner_of_the_large_table(hundred, piles):
    solution = solve(three_piles(*piles))
    n, d, q = (held + 1 for held in piles)
    assert np.array_equal(solution.wins, hundred.wins[:n, :d, :q])
    assert solution.best_moves(piles) == hundred.best_moves(piles)


def test_winning_moves_of_large_states_leave_the_nim_sum_zero(hundred):
    """One or three of them, one for each pile that holds the highest bit of the nim-sum."""
    numbers = set()
    for state in np.random.default_rng(1).integers(0, 101, size=(500, 3)).tolist():
        total = nim_sum(*state)
        expected = [(pile, held - (held ^ total)) for pile, held in enumerate(state) if held ^ total < held]
        assert hundred.best_moves(tuple(state)) == (expected if total else [])
        numbers.add(len(expected) if total else 0)
    assert numbers == {0, 1, 3}


# --- misère play ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("piles", [(20, 20, 20), (1, 30, 17), (1, 1, 1), (0, 0, 5)])
def test_misere_play_by_the_closed_form(piles):
    """Who takes the last coin loses: the same states are lost, but for those with piles of 0 and 1 alone."""
    game = CoinGame(piles, max_pick=None, misere=True)
    wins, normal = solve(game).wins, solve(three_piles(*piles)).wins
    for state in product(*(range(held + 1) for held in piles)):
        assert wins[state] != is_lost(game, state)
        assert (wins[state] == normal[state]) == (max(state) > 1)


def test_the_answers_change_with_the_ending():
    assert solve(CoinGame((3, 3, 7), None, misere=True)).best_moves((3, 3, 7)) == [(2, 7)]
    assert solve(CoinGame((1, 1, 1), None, misere=True)).best_moves((1, 1, 1)) == []  # lost; won in normal play
    assert solve(three_piles(1, 1, 1)).best_moves((1, 1, 1)) == [(0, 1), (1, 1), (2, 1)]
    assert solve(CoinGame((1, 1, 0), None, misere=True)).best_moves((1, 1, 0)) == [(0, 1), (1, 1)]


# --- what does not fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piles", "words"),
    [
        ((10**4, 10**4, 10**4), r"^the table of 1,000,300,030,001 states would need 932\.3 GiB; [\d,.]+ GiB are free$"),
        ((10**6, 10**6, 10**6), r"1,000,003,000,003,000,001 states would need [\d,]+\.\d GiB"),
    ],
)
def test_the_memory_is_named_where_the_table_does_not_fit(piles, words):
    with pytest.raises(MemoryError, match=words):
        solve(three_piles(*piles))


@pytest.mark.parametrize("state", [(3, 3, 8), (4, 3, 7), (-1, 3, 7), (3, 3), (3, 3, 7, 0), [3, 3, 7], (3, 3, 1.5)])
def test_a_state_that_is_not_in_the_table_is_refused(state):
    solution = solve(three_piles(3, 3, 7))
    for ask in (solution.winner, solution.best_moves):
        with pytest.raises(ValueError, match=r"a tuple of 3 counts, none above \(3, 3, 7\); got"):
            ask(state)
