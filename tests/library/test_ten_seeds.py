"""How a judgement generalises: two parts of the states, a baseline from memory, and an interval over ten seeds."""

import pandas as pd
import pytest

from coinlib import CoinGame, solve
from coinlib.projects.networks import WAYS, Judgement
from coinlib.projects.ten_seeds import (
    all_states,
    by_memory,
    curves,
    divide,
    exact,
    interval,
    right_moves,
    share_right,
    taught,
)

SMALL = CoinGame((3, 3), max_pick=None, misere=False)


@pytest.mark.parametrize("number", [None, 4])
def test_taught_and_unseen_states_are_all_states_once(number):
    seen, unseen = divide(SMALL, seed=1, number=number)
    assert sorted(seen + unseen) == all_states(SMALL)
    assert len(seen) == (number or 7)
    assert divide(SMALL, seed=2, number=number)[0] != seen


@pytest.mark.parametrize("misere", [True, False])
def test_exact_agrees_with_the_solver(misere):
    game = CoinGame((2, 3), max_pick=None, misere=misere)
    solution = solve(game)
    assert all((exact(game, state) == 1) == (solution.winner(state) == 1) for state in all_states(game))


def test_an_exact_judgement_makes_every_move_right(monkeypatch):
    judgement = Judgement(SMALL, seed=1)
    monkeypatch.setattr(judgement, "worth", lambda states: [exact(SMALL, state) for state in states])
    assert right_moves(judgement, all_states(SMALL)) == (12, 12)  # lost: 1 1, 2 2 and 3 3
    monkeypatch.setattr(judgement, "worth", lambda states: [-exact(SMALL, state) for state in states])
    assert right_moves(judgement, [(3, 1), (3, 2)]) == (0, 2)


def test_memory_of_every_lost_state_makes_every_move_right_and_no_memory_draws():
    game = CoinGame((3,), max_pick=None, misere=False)
    assert by_memory(game, seed=1, number=0) == 1  # the end is known by the rules
    assert by_memory(CoinGame((1, 2), max_pick=None, misere=False), seed=1, number=0) == pytest.approx((3 + 1 / 3) / 4)


def test_the_share_of_right_moves_comes_from_unseen_states():
    right = share_right(SMALL, WAYS["signs"], seed=1, number=10, steps=1)
    judgement, unseen = taught(SMALL, WAYS["signs"], seed=1, number=10, steps=1)
    assert (len(unseen), right) == (5, right_moves(judgement, unseen)[0] / sum(exact(SMALL, s) == 1 for s in unseen))


def test_an_interval_needs_ten_shares():
    assert interval([0.5] * 10) == " 50.0 ±  0.0"
    with pytest.raises(ValueError, match="needs 10 shares, not 9"):
        interval([0.5] * 9)


def test_curves_have_the_means():
    shares = [0.25, 0.75] * 5
    table = pd.concat(
        pd.DataFrame({"way": way, "games": games, "share": shares}) for way in ("a", "b") for games in (10, 20)
    )
    ax = curves(table, "way", "games")
    assert [list(line.get_ydata()) for line in ax.lines] == [[50, 50], [50, 50]]
    assert [label.get_text() for label in ax.legend().get_texts()] == ["a", "b"]
