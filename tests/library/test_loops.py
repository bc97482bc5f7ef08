"""The rules of choosing and learning, one state at a time; the loops at two speeds, compiled once and for all."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import coinlib
from coinlib import compiling, loops
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import sticks
from coinlib.learners import Hats, Memory, QLearner, linear
from coinlib.training import train

# --- choosing and learning, one state at a time ---------------------------------------------------------


def test_a_ball_is_drawn_by_hand():
    """Hat 7 of the handout after its game: 1, 2, 2, 3. A quarter, a half, a quarter."""
    hat = np.array([[1.0, 2.0, 1.0]])
    assert [loops.draw(hat, 0, chance) for chance in (0.0, 0.2, 0.25, 0.5, 0.74, 0.75, 0.999)] == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("move", "outcome", "hat"),
    [(1, 1, [1, 3, 1]), (1, -1, [1, 1, 1]), (1, 0, [1, 2, 1]), (0, -1, [1, 2, 1])],  # the last one always goes back
)
def test_a_ball_is_put_back(move, outcome, hat):
    balls = np.array([[1.0, 2.0, 1.0]])
    loops.settle(balls, 0, move, outcome)
    assert balls.tolist() == [hat]


def test_a_value_moves_by_the_learning_rate():
    values = np.array([[0.0, 0.5]])
    loops.back_up(values, 0, 1, 0.25, -1.5)
    assert values.tolist() == [[0.0, 0.0]]
    loops.back_up(values, 0, 1, 1.0, -1.5)
    assert values.tolist() == [[0.0, -1.5]]


chances = st.floats(0, 1, exclude_max=True) | st.sampled_from([0.0, 1 - 2**-53, 0.5])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), chances)
def test_a_ball_is_drawn_as_from_a_list_of_balls(balls, chance):
    """The hat emptied on the table, in order; a move without a ball is never drawn."""
    listed = [move for move, many in enumerate(balls) for _ in range(many)]
    move = loops.draw(np.array([balls], dtype=float), 0, chance)
    assert move == (listed[int(chance * len(listed))] if listed else -1)


def test_exploring_by_hand():
    """Each of the three moves that are allowed has a third of the exploration; the best has the rest."""
    values = np.array([[2.5, -np.inf, 0.0, -1.0]])
    chances = (0.1, 0.3, 0.5, 0.6, 0.9)
    assert [loops.explore(values, 0, 0, 0.6, chance) for chance in chances] == [0, 2, 3, 0, 0]
    assert [loops.explore(values, 0, 0, 0.0, chance) for chance in (0.0, 0.9)] == [0, 0]


values_of_a_state = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 2.5]), min_size=1, max_size=6)


@given(values_of_a_state, chances, chances)
def test_the_best_is_chosen_or_with_some_probability_any_that_is_allowed(row, exploration, chance):
    values = np.array([row])
    best = loops.greedy(values, 0)
    assert best == row.index(max(row))  # the first of equals
    move = loops.explore(values, 0, best, exploration, chance)
    allowed = [move for move, value in enumerate(row) if value > -np.inf]
    explores = chance < exploration and allowed
    assert move == (allowed[int(chance / exploration * len(allowed))] if explores else best)


# --- compiling ------------------------------------------------------------------------------------------

TEN = sticks(10)


def run_python(code: str, folder: Path | None = None, **environment: str) -> tuple[str, str]:
    """What a Python program says, and what it says on the other stream."""
    settings = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"} | environment
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def frozen(learner):
    """A learner whose memory cannot be written into, as one that came from elsewhere."""
    memory = Memory(*map(np.copy, learner.memory[:2]), learner.games)
    memory.values.flags.writeable = memory.visits.flags.writeable = False
    learner.memory = memory
    return learner


def field():
    """All kinds of agents, the learners first."""
    yield from (Hats(TEN, seed=1), frozen(Hats(TEN, seed=1)), QLearner(TEN))
    yield frozen(QLearner(TEN, linear(1, 0, 9), 0, exploration=1, legal_only=False, seed=1))
    yield from (RandomAgent(1), RandomAgent(1, legal_only=False), PerfectAgent(1), RuleAgent(take_one))


def test_the_loop_is_compiled_once_for_all_pairings():
    """A read-only array beside a writable one, or a 1 beside a 1.0, would be another type to Numba."""
    pytest.importorskip("numba")
    for one, other, first in itertools.product(range(8), range(8), ("agent", "opponent", "alternate")):
        agent = [*field()][one]
        opponent = agent if one == other else [*field()][other]
        evaluate(TEN, agent, opponent, games=3, first=first)
        if one < 4:
            train(agent, opponent, games=3, seed=1, first=first, checkpoints=[1])
    assert len(loops.play_games.dispatcher().signatures) == 1


def test_whoever_waits_for_a_loop_to_be_compiled_is_told_once(tmp_path):
    """Until a rule is changed: what Numba keeps on the disk would not notice a change in another file."""
    pytest.importorskip("numba")
    package = shutil.copytree(Path(coinlib.__file__).parent, tmp_path / "coinlib", ignore=lambda *_: ["__pycache__"])
    code = "from coinlib import solve, sticks; print(sum(solve(sticks(20)).wins), sum(solve(sticks(21)).wins))"

    def won_states():
        return run_python(code, tmp_path, PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache"))

    first, again = won_states(), won_states()
    assert first[1].count("Compiling a fast loop: a few seconds, this once") == 1
    assert (first[0], again) == ("16 16", ("16 16", ""))
    rules = (package / "loops.py").read_text(encoding="utf-8")
    (package / "loops.py").write_text(rules.replace("in range(min(most, size", "in range(min(most + 1, size"))
    assert won_states()[0] == "17 17"


def test_ctrl_c_is_heard_when_the_guarded_part_is_done(ctrl_c):
    done = []
    with pytest.raises(KeyboardInterrupt), compiling.interrupts_wait():
        ctrl_c()
        done.append("all of it")
    assert done == ["all of it"]
