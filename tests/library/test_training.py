"""Runs of training: what they tell, agents that raise, and Ctrl-C."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import interrupted
import numpy as np
import pytest

from coinlib import training
from coinlib.agents import RandomAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, sticks
from coinlib.learners import Hats, QLearner
from coinlib.match import AgentError
from coinlib.series import AgentWarning
from coinlib.sweeps import sweep
from coinlib.training import train

NIM = SCENARIOS["NIM"]


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
    assert re.fullmatch(words, outcome.error) and "stopped" in repr(outcome)
    train(twin, Tires(7), games=7)
    assert (len(run.result), learner.games) == (7, 7)
    assert "enough" in run.error and not run.interrupted
    assert interrupted.same(learner, twin)


def test_an_agent_that_raises_in_the_first_game_raises(ctrl_c):
    """Ctrl-C in an evaluation as well; the generators that were lent are given back."""
    agent = RandomAgent(seed=1)
    own = agent.generator
    with pytest.raises(AgentError, match="Tires raised RuntimeError"):
        evaluate(sticks(20), agent, Tires(0), games=100, seed=5, first="agent")
    assert agent.generator is own
    with pytest.raises(KeyboardInterrupt):
        evaluate(sticks(20), agent, Tires(3, then=ctrl_c), games=100, seed=5)
    assert agent.generator is own


# --- Ctrl-C ---------------------------------------------------------------------------------------------


def test_one_ctrl_c_ends_a_training_that_keeps_its_games_and_a_second_a_loop_of_them(ctrl_c):
    hats, twin = Hats(sticks(20), seed=1), Hats(sticks(20), seed=1)
    words = "stopped after 5 games: interrupted; a second Ctrl-C or Stop within 3 seconds stops everything"
    with pytest.warns(AgentWarning, match=words):
        run = train(hats, Tires(5, then=ctrl_c), games=100)
    train(twin, Tires(5), games=5)
    assert (run.interrupted, run.error, len(run.result), hats.games) == (True, "", 5, 5)
    assert interrupted.same(hats, twin)
    with pytest.raises(KeyboardInterrupt):
        train(hats, Tires(5, then=ctrl_c), games=100)
    assert (hats.games, hats.beside()) == (10, [])  # the games of the other training are kept as well


def test_a_second_ctrl_c_much_later_ends_only_the_training_it_meets(ctrl_c, monkeypatch):
    monkeypatch.setattr(training, "TWICE_SECONDS", 0.0)
    for _ in range(2):
        with pytest.warns(AgentWarning, match="interrupted"):
            train(Hats(sticks(20)), Tires(1, then=ctrl_c), games=9)


def test_a_sweep_counts_no_run_that_was_cut_short(ctrl_c):
    def learn(seed):
        return {"games": len(train(Hats(sticks(20)), Tires(5, then=ctrl_c), games=9).result)}

    with pytest.raises(KeyboardInterrupt):
        sweep(learn, {}, seeds=3, jobs=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm clock")
@pytest.mark.parametrize("speed", ["compiled", "plain"])
def test_thousands_of_interrupts_leave_every_learner_whole(speed):
    """At random moments of short trainings, in a process that they might end: see interrupted.py."""
    if speed == "compiled":
        pytest.importorskip("numba")
    program = Path(interrupted.__file__)
    command = [sys.executable, str(program), speed]
    done = subprocess.run(command, cwd=program.parent.parent, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{interrupted.CUT} {speed}"


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
