"""Who wins: evaluations, round robins, and a student's own small games."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from own_games import OWN_GAMES

from coinlib import series
from coinlib.agents import HumanAgent, PerfectAgent, RandomAgent, RuleAgent, take_most, take_one
from coinlib.arena import evaluate, round_robin, wilson
from coinlib.games import SCENARIOS, GreedyCoins, sticks
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import play_match
from coinlib.series import AgentWarning
from coinlib.solvers import minimax
from coinlib.training import train

NIM = SCENARIOS["NIM"]


# --- many games -----------------------------------------------------------------------------------------


def test_wilson_intervals_of_textbooks():
    """0 of 10: 0 to 0.278; 60 of 100: 0.502 to 0.691; 1 of 29: 0.006 to 0.172 (Newcombe 1998)."""
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=5e-5)
    assert wilson(60, 100) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_an_evaluation_by_hand():
    """Sticks of 5, take one each: whoever moves first takes the last."""
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


NO_ANSWER = "forgets in state (5,): expected a move, got None: a function gives None where it ends without `return`"


def test_forfeits_are_told_with_a_reason():
    nothing = evaluate(sticks(5), forgets, RandomAgent(), games=4, seed=1)
    assert nothing.illegal_move.words == NO_ANSWER
    assert repr(nothing).endswith(f"0.0% to 49.0%; 4 forfeits, for example {NO_ANSWER})")
    other = evaluate(sticks(5), RandomAgent(), forgets, games=1, seed=1, first="opponent")
    assert repr(other).endswith(f"; 1 forfeit of the opponent, for example {NO_ANSWER})")
    with pytest.warns(AgentWarning, match="a against b: every game ended by an illegal move, for example forgets in"):
        round_robin(sticks(5), {"a": forgets, "b": RandomAgent()}, games=4, seed=1)


def test_a_run_counts_forfeits():
    run = train(QLearner(sticks(5)), forgets, games=20, seed=1, first="opponent")
    assert (run.forfeits, run.opponent_forfeits, run.illegal_move.words) == (0, 20, NO_ANSWER)
    assert repr(run).endswith(f"20 of 20 games won; 20 forfeits of the opponent, for example {NO_ANSWER})")


def test_a_bar_appears_only_when_the_wait_is_long(capfd, monkeypatch):
    evaluate(sticks(20), take_one, take_most, games=50)
    assert capfd.readouterr() == ("", "")
    clock = iter(range(10**6))
    monkeypatch.setattr(series.time, "perf_counter", lambda: next(clock))  # every look at the clock is a second later
    warnings.simplefilter("ignore")  # in a terminal tqdm may miss widgets
    evaluate(sticks(20), take_one, take_most, games=50)
    assert capfd.readouterr().err == ""  # conftest disables bars
    monkeypatch.delenv("TQDM_DISABLE")
    evaluate(sticks(20), take_one, take_most, games=50)
    assert "game/s" in capfd.readouterr().err


def test_a_round_robin_adds_up():
    agents = {"random": RandomAgent(), "perfect": PerfectAgent(), "most": RuleAgent(take_most), "one": take_one}
    table = round_robin(sticks(20), agents, games=200, seed=1)
    assert table.index[0] == "perfect"
    assert table.columns.tolist() == [*table.index, "mean"]
    assert table["mean"].is_monotonic_decreasing
    for one in table.index:
        assert math.isnan(table.loc[one, one])
        for other in table.index.drop(one):
            assert table.loc[one, other] + table.loc[other, one] == pytest.approx(1)
    assert table.equals(round_robin(sticks(20), agents, games=200, seed=1))


# --- a student's own small games ------------------------------------------------------------------------


@pytest.mark.parametrize("game", OWN_GAMES.values(), ids=OWN_GAMES)
def test_a_students_game_runs_with_everything(game):
    value = minimax(game).value
    match = play_match(game, PerfectAgent(seed=1), PerfectAgent(seed=2))
    assert match.winner == {1: 1, 0: 0, -1: 2}[int(np.sign(value))]
    assert "0x" not in match.reason
    assert len(match.to_frame()) == len(match.moves)
    perfect = evaluate(game, PerfectAgent(), RandomAgent(), games=300, seed=1, first="agent")
    assert perfect.losses == 0 or value < 0
    careless = evaluate(game, RandomAgent(legal_only=False), RandomAgent(), games=300, seed=1)
    assert careless.forfeits > 0
    for learner in (Hats(game, seed=1), QLearner(game, 0.3, exploration=linear(0.5, 0, 8_000), seed=1)):
        run = train(learner, RandomAgent(), games=10_000, seed=1)
        assert np.mean(run.result[-1_000:]) > np.mean(run.result[:1_000])
        assert play_match(game, learner, RandomAgent(), seed=1).forfeit is None
    person = HumanAgent(ask=lambda prompt: str(game.legal_moves(game.start)[0]))
    assert person(game, game.start) == game.legal_moves(game.start)[0]
    assert round_robin(game, {"a": RandomAgent(), "b": PerfectAgent()}, games=100, seed=1).index[0] == "b"


def test_nobody_is_called_as_the_column_of_means():
    with pytest.raises(ValueError, match="the last column is called mean"):
        round_robin(sticks(3), {"mean": RandomAgent(), "random": RandomAgent()})
