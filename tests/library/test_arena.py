"""Who wins: evaluations and round robins, and what they tell about forfeits."""

from __future__ import annotations

import math
import warnings

import pytest

from coinlib import series
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent, take_most, take_one
from coinlib.arena import evaluate, round_robin, wilson
from coinlib.games import GreedyCoins, sticks
from coinlib.learners import QLearner
from coinlib.series import AgentWarning
from coinlib.training import train


def test_wilson_intervals_of_textbooks():
    """0 of 10: 0 to 0.278; 60 of 100: 0.502 to 0.691; 1 of 29: 0.006 to 0.172 (Newcombe 1998)."""
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=5e-5)
    assert wilson(60, 100) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_an_evaluation_by_hand():
    """Sticks of 5, take one each: the player who moves first takes the last."""
    outcome = evaluate(sticks(5), take_one, take_one, games=11)
    assert (outcome.games, outcome.wins, outcome.ties, outcome.losses) == (11, 5, 0, 6)  # the agent begins six times
    assert evaluate(sticks(5), take_one, take_one, games=10, first="agent").wins == 0
    assert evaluate(sticks(5), take_one, take_one, games=10, first="opponent").wins == 10
    assert outcome.win_rate == 5 / 11
    assert (outcome.low, outcome.high) == wilson(5, 11)
    tied = evaluate(GreedyCoins((1, 2, 4, 3)), PerfectAgent(), PerfectAgent(), games=50, seed=1)
    assert (tied.wins, tied.ties, tied.losses) == (0, 50, 0) and ", 50 ties" in repr(tied)


def forgets(game, state):
    """A student who wrote everything but `return`."""
    game.legal_moves(state)[0]


NO_ANSWER = "forgets in state (5,): expected a move, got None: no `return` was reached, or it returned None"


def test_forfeits_are_told_with_a_reason():
    nothing = evaluate(sticks(5), forgets, RandomAgent(), games=4, seed=1)
    assert nothing.illegal_move.words == NO_ANSWER
    assert repr(nothing).endswith(f"0.0% to 49.0%; 4 forfeits, for example {NO_ANSWER})")
    other = evaluate(sticks(5), RandomAgent(), forgets, games=1, seed=1, first="opponent")
    assert repr(other).endswith(f"; 1 forfeit of the opponent, for example {NO_ANSWER})")
    run = train(QLearner(sticks(5)), forgets, games=20, seed=1, first="opponent")
    assert (run.forfeits, run.opponent_forfeits, run.illegal_move.words) == (0, 20, NO_ANSWER)
    assert repr(run).endswith(f"20 of 20 games won; 20 forfeits of the opponent, for example {NO_ANSWER})")
    with pytest.warns(AgentWarning, match="a against b: every game ended with an illegal move, for example forgets in"):
        round_robin(sticks(5), {"a": forgets, "b": RandomAgent()}, games=4, seed=1)


def test_a_bar_appears_only_when_the_wait_is_long(capfd, monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(series.time, "perf_counter", lambda: next(clock))  # every look at the clock is a second later
    warnings.simplefilter("ignore")  # in a terminal tqdm may miss widgets
    evaluate(sticks(20), take_one, take_most, games=50)
    assert capfd.readouterr() == ("", "")  # conftest disables bars
    monkeypatch.delenv("TQDM_DISABLE")
    evaluate(sticks(20), take_one, take_most, games=50)
    assert "game/s" in capfd.readouterr().err
    monkeypatch.setattr(series.time, "perf_counter", lambda: 0.0)  # no time passes
    evaluate(sticks(20), take_one, take_most, games=50)
    assert capfd.readouterr() == ("", "")


def test_a_round_robin_adds_up():
    agents = {"random": RandomAgent(), "perfect": PerfectAgent(), "most": RuleAgent(take_most), "one": take_one}
    table = round_robin(sticks(20), agents, games=100, seed=1)
    assert table.index[0] == "perfect"
    assert table.columns.tolist() == [*table.index, "mean"]
    assert table["mean"].is_monotonic_decreasing
    for one in table.index:
        assert math.isnan(table.loc[one, one])
        assert table.loc[one, "mean"] == pytest.approx(table.loc[one, table.index].mean())
        for other in table.index.drop(one):
            assert table.loc[one, other] + table.loc[other, one] == pytest.approx(1)
    assert table.equals(round_robin(sticks(20), agents, games=100, seed=1))
    with pytest.raises(ValueError, match="the last column is called mean"):
        round_robin(sticks(3), {"mean": RandomAgent(), "random": RandomAgent()})


def test_a_tie_is_a_win_of_neither():
    agents = {"one": RandomAgent(), "other": RandomAgent()}
    table = round_robin(GreedyCoins((1, 1)), agents, games=10, seed=1)
    assert table["mean"].tolist() == [0.0, 0.0]
