"""The rules of choosing and learning, one state at a time; the loops at two speeds, compiled once and for all."""

from __future__ import annotations

import itertools

import hypothesis.strategies as st
import numpy as np
import pytest
import same_numbers
from hypothesis import given
from one_by_one import ORDERS, same
from paths import STORED

from coinlib import compiling, loops
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import GreedyCoins, sticks
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


def test_exploring_by_hand():
    """Each of the three legal moves gets a third of the exploration; the best gets the rest as well."""
    values = np.array([[2.5, -np.inf, 0.0, -1.0]])
    chances = (0.1, 0.3, 0.5, 0.6, 0.9)
    assert [loops.explore(values, 0, 0, 0.6, chance) for chance in chances] == [0, 2, 3, 0, 0]
    assert [loops.explore(values, 0, 0, 0.0, chance) for chance in (0.0, 0.9)] == [0, 0]


chances = st.floats(0, 1, exclude_max=True) | st.sampled_from([0.0, 1 - 2**-53, 0.5])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), chances)
def test_a_ball_is_drawn_as_from_a_list_of_balls(balls, chance):
    """The hat's balls laid out in order; a move without a ball is never drawn."""
    listed = [move for move, count in enumerate(balls) for _ in range(count)]
    move = loops.draw(np.array([balls], dtype=float), 0, chance)
    assert move == (listed[int(chance * len(listed))] if listed else -1)


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


# --- two speeds -----------------------------------------------------------------------------------------

TEN = sticks(10)


def frozen(learner):
    """Make the memory of a learner read-only, as one that came from elsewhere."""
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
    """To Numba, read-only and writable arrays are different types, and so are 1 and 1.0."""
    pytest.importorskip("numba")
    for number, (one, other) in enumerate(itertools.product(range(8), repeat=2)):
        first = ORDERS[number % len(ORDERS)]
        agent = [*field()][one]
        opponent = agent if one == other else [*field()][other]
        evaluate(TEN, agent, opponent, games=3, first=first)
        if one < 4:
            train(agent, opponent, games=3, seed=1, first=first, checkpoints=[1])
    assert len(loops.play_games.dispatcher().signatures) == 1


@pytest.mark.parametrize("game", [TEN, GreedyCoins((3, 5, 1, 2, 8))], ids=["sticks", "points"])
def test_with_numba_and_without_it_the_same_is_learnt(game, monkeypatch):
    """To the last bit. For all of same_numbers.py see tests/full/test_reproducibility.py."""
    pytest.importorskip("numba")

    def everything():
        hats = Hats(game, seed=1)
        learner = QLearner(game, 0.3, 0.9, linear(0.9, 0.1, 50), legal_only=False)
        runs = [train(hats, learner, games=100, seed=1, first="alternate"), train(hats, hats, games=100, seed=2)]
        return hats, learner, [(run.result.tolist(), run.forfeit.tolist(), run.illegal_move) for run in runs]

    compiled = everything()
    monkeypatch.setattr(compiling, "numba_or_none", lambda: None)
    plain = everything()
    assert all(map(same, compiled[:2], plain[:2]))
    assert compiled[2] == plain[2]


@pytest.mark.filterwarnings("ignore")  # of agents that raise
def test_seeds_give_the_stored_numbers():
    """Every fourteenth of about four hundred computations; all of them: tests/full/test_reproducibility.py."""
    stored = (STORED / "referee" / "numbers.txt").read_text(encoding="utf-8").splitlines()
    names = [*list(same_numbers.PIECES)[:4], *list(same_numbers.PIECES)[4::14]]
    found = {f"{name}: {same_numbers.PIECES[name]()}" for name in names}
    assert found - set(stored) == set(), "python tests/tools/same_numbers.py says something else"
