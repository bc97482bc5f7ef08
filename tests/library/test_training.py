"""Training runs: what they report, agents that raise, and Ctrl-C."""

from __future__ import annotations

import re

import numpy as np
import pytest
from one_by_one import lend, matches, same

from coinlib import compiling, loops, series
from coinlib.agents import RandomAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, sticks
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import AgentError
from coinlib.series import AgentWarning
from coinlib.sweeps import sweep
from coinlib.training import train

NIM = SCENARIOS["NIM"]


# --- a run ----------------------------------------------------------------------------------------------


def test_a_run_says_how_it_went():
    run = train(Hats(sticks(10)), RandomAgent(), games=30, seed=1, first="alternate")
    assert run.result.dtype == np.int8
    assert run.won.tolist() == (run.result > 0).tolist()
    assert run.moved_first.tolist() == [True, False] * 15
    rate = run.win_rate(window=5)
    assert np.isnan(rate[:4]).all()
    assert rate[4:] == pytest.approx([run.won[game - 4 : game + 1].mean() for game in range(4, 30)])
    frame = run.to_frame()
    assert frame.index.tolist() == list(range(1, 31))
    assert frame.columns.tolist() == ["result", "won", "moved_first"]
    assert np.isnan(run.win_rate(window=31)).all()
    assert train(Hats(sticks(10)), RandomAgent(), games=0).win_rate().tolist() == []


@pytest.mark.parametrize("seconds", [0.0, 1e-4, 10.0])
def test_a_checkpoint_is_the_table_after_that_many_games(seconds, monkeypatch):
    """However long a chunk of training is."""
    monkeypatch.setattr(series, "CHUNK_SECONDS", seconds)
    pairs = [(QLearner(NIM, 0.5, exploration=linear(0.8, 0, 200)), Hats(NIM)) for _ in range(2)]
    run = train(*pairs[0], games=300, seed=4, first="opponent", checkpoints=[150, 0, 7, 300, 7])
    assert list(run.checkpoints) == [0, 7, 150, 300]
    lend(pairs[1], 4)
    for done, upto in zip((0, 0, 7, 150), (0, 7, 150, 300)):
        matches(NIM, pairs[1], upto - done, "opponent", learn=True)
        assert np.array_equal(run.checkpoints[upto], pairs[1][0].values)
    assert all(map(same, *pairs))


def test_rates_that_are_computed_are_asked_before_every_game():
    class Cautious(QLearner):
        learning_rate = property(lambda self: 1 / (1 + abs(float(self.values[0, 0]))), lambda self, rate: None)

    class Asked(QLearner):
        def rates(self, games):
            exploration, rate, discount = super().rates(games)
            return exploration, rate / (1 + abs(float(self.values[0, 0]))), discount

    for kind in (Cautious, Asked):
        learner, twin = kind(sticks(8), exploration=0.3), kind(sticks(8), exploration=0.3)
        train(learner, RandomAgent(), games=40, seed=1)
        single = twin, RandomAgent()
        lend(single, 1)
        matches(sticks(8), single, 40, "agent", learn=True)
        assert np.array_equal(learner.values, twin.values)


def test_a_derived_q_learner_may_have_other_rates():
    rates = {"exploration": 0.3, "learning_rate": 0.1, "discount": 0.5}
    kind = type("Curious", (QLearner,), rates)
    curious, expected = kind(sticks(10), seed=1), QLearner(sticks(10), **rates, seed=1)
    assert kind(sticks(10), learning_rate=0.7).learning_rate == 0.7
    for learner in (curious, expected):
        train(learner, RandomAgent(), games=200, seed=1)
    assert np.array_equal(curious.values, expected.values)


# --- agents that raise ----------------------------------------------------------------------------------


class Tires:
    """Plays a number of games one stick at a time, and does something else in the next."""

    name = "Tires"

    def __init__(self, games, then=None):
        self.left, self.then = games, then

    def new_match(self):
        self.left -= 1

    def __call__(self, game, state):
        if self.left < 0:
            if self.then is None:
                raise RuntimeError("enough")
            self.then()
        return 1


def test_games_that_were_played_before_an_agent_raised_are_kept():
    learner, twin = (QLearner(sticks(20), exploration=0.2, seed=1) for _ in range(2))
    words = r"stopped after 7 games: Tires raised RuntimeError in state \(\d+,\): enough"
    with pytest.warns(AgentWarning, match=words) as seen:
        outcome = evaluate(sticks(20), take_one, Tires(7), games=100, first="agent")
    with pytest.warns(AgentWarning, match=words) as seen_too:
        run = train(learner, Tires(7), games=100)
    assert seen[0].filename == seen_too[0].filename == __file__  # they point to the caller's lines
    assert (outcome.games, outcome.wins + outcome.losses) == (7, 7)
    words = r"Tires raised RuntimeError in state \(19,\): enough \(line \d+: raise RuntimeError\(.enough.\)\)"
    assert re.fullmatch(words, outcome.error) and repr(outcome).startswith("Evaluation(stopped early: Tires")
    assert "%" not in repr(outcome)
    train(twin, Tires(7), games=7)
    assert (len(run.result), learner.games) == (7, 7)
    assert "enough" in run.error
    assert same(learner, twin)


def test_an_error_while_it_learns_stops_a_training_with_its_line():
    class Fails(QLearner):
        def learn(self, seat, move, reward, after):
            super().learn(seat, move, reward, after)
            if self.games == 3:
                raise ZeroDivisionError("three games are enough")

    learner = Fails(sticks(6), seed=1)
    with pytest.warns(AgentWarning, match=r"stopped after 3 games: Fails raised ZeroDivisionError as it learnt from"):
        run = train(learner, RandomAgent(), games=10, seed=1)
    assert (len(run.result), learner.games) == (3, 3)
    assert "line" in run.error and 'raise ZeroDivisionError("three games are enough")' in run.error


def test_an_agent_that_raises_in_the_first_game_raises(ctrl_c):
    """Ctrl-C in an evaluation as well; agents get their own generators back."""
    agent = RandomAgent(seed=1)
    own = agent.generator
    with pytest.raises(AgentError, match="Tires raised RuntimeError"):
        evaluate(sticks(20), agent, Tires(0), games=100, seed=5, first="agent")
    assert agent.generator is own
    with pytest.raises(KeyboardInterrupt):
        evaluate(sticks(20), agent, Tires(3, then=ctrl_c), games=100, seed=5)
    assert agent.generator is own


# --- Ctrl-C ---------------------------------------------------------------------------------------------


def test_ctrl_c_raises_and_the_learner_keeps_its_finished_games(ctrl_c):
    hats, twin = Hats(sticks(20), seed=1), Hats(sticks(20), seed=1)
    own = hats.generator
    with pytest.raises(KeyboardInterrupt):
        train(hats, Tires(5, then=ctrl_c), games=100)
    train(twin, Tires(5), games=5)
    assert (hats.games, hats.beside(), hats.generator) == (5, [], own)
    assert same(hats, twin)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("where", [(loops, "play_games"), (series.TableGames, "_take_over")], ids=["play", "take over"])
def test_ctrl_c_in_the_fast_loop_waits_until_its_games_are_learnt(where, when, ctrl_c, monkeypatch):
    """Before or after the third chunk is played or copied back. Thousands of other moments: interrupted.py."""
    right = getattr(*where)
    calls = []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 3 and when == "before":
            ctrl_c()
        right(*arguments)
        if len(calls) == 3 and when == "after":
            ctrl_c()

    hats, twin = Hats(sticks(20), seed=1), Hats(sticks(20), seed=1)
    with monkeypatch.context() as patched:
        patched.setattr(*where, interrupted)
        patched.setattr(series, "CHUNK_SECONDS", 0.0)  # so that there are many chunks
        with pytest.raises(KeyboardInterrupt):
            train(hats, hats, games=1_000, seed=1)
    assert len(calls) == 3
    assert 0 < hats.games < 1_000
    train(twin, twin, games=hats.games, seed=1)
    assert same(hats, twin)


def test_ctrl_c_is_heard_when_the_guarded_part_is_done(ctrl_c):
    done = []
    with pytest.raises(KeyboardInterrupt), compiling.interrupts_wait():
        ctrl_c()
        done.append("all of it")
    assert done == ["all of it"]


def test_a_sweep_counts_no_run_that_was_cut_short(ctrl_c):
    def learn(seed):
        return {"games": len(train(Hats(sticks(20)), Tires(5, then=ctrl_c), games=9).result)}

    with pytest.raises(KeyboardInterrupt):
        sweep(learn, {}, seeds=3, jobs=1)


def test_a_checkpoint_is_a_copy():
    hats = Hats(sticks(10), seed=1)
    run = train(hats, hats, games=10, seed=1, checkpoints=[10])
    balls = run.checkpoints[10][hats.table.row((4,)), 2]
    hats.put(4, move=3, balls=99)
    assert run.checkpoints[10][hats.table.row((4,)), 2] == balls != 99
