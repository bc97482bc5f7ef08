"""Learners that play over the AI Sandbox learn exactly what they learn locally."""

from __future__ import annotations

import foreign
import numpy as np
import pytest
from sandbox_runs import over

from coincourse.outside.sandbox import join, serve
from coinlib import SCENARIOS, Hats, QLearner, RandomAgent, linear, play_match


@pytest.fixture(autouse=True)
def _strangers_leave():
    yield
    foreign.close_all()


LEARNERS = {
    "hats": lambda game, seed: Hats(game, seed=seed),
    "greedy": lambda game, seed: QLearner(game, seed=seed),
    "curious": lambda game, seed: QLearner(
        game, learning_rate=0.3, discount=0.9, exploration=linear(0.8, 0.1, 100), legal_only=False, seed=seed
    ),
}


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("seat", [1, 2])
def test_learners_learn_over_the_wire_what_they_learn_at_home(kind, seat):
    """The same generators, the same 60 games, a learner on each end: the same tables to the last bit."""
    game, games = SCENARIOS["NIM"], 60
    home, away = ((LEARNERS[kind](game, 7), Hats(game, seed=3)) for _ in range(2))
    for number in range(games):
        play_match(game, *(home if number % 2 == seat - 1 else home[::-1]), learn=True)
    with serve(game, games, opponent=away[1], seat=3 - seat, port=0) as server:
        client = join(away[0], port=server.ports[0])
        assert over(client)
    played = len(client.records)
    assert played + (server.results["turns"] == 0).sum() >= away[0].games == played
    for one, other in zip(home, away):
        assert one.games >= played > 0
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.visits, other.visits)
        assert one.generator.bit_generator.state == other.generator.bit_generator.state


def test_a_learner_that_only_plays_or_is_left_in_a_game_stays_as_it_is():
    game = SCENARIOS["NIM"]
    learner = QLearner(game, seed=1)
    with serve(game, games=20, opponent=QLearner(game, seed=2), learn=False, port=0) as server:
        client = join(learner, port=server.ports[0], learn=False)
        assert over(client)
    assert (len(client.records), learner.games, server.agents[2].games) == (20, 0, 0)
    with serve(game, games=5, port=0) as server:
        client = join(learner, port=server.ports[0])
        other = foreign.Agent(server.ports[1])
        other.state()
        other.send(foreign.action(3, 1))
        other.result()
    assert over(client)
    assert client.stopped == "the server left"
    assert (learner.games, learner.visits.sum()) == (0, 0)
    assert not learner.values[np.isfinite(learner.values)].any()


def test_a_learner_is_made_when_the_first_state_has_told_the_game():
    with serve("NIM_7", games=5, opponent=RandomAgent(seed=1), port=0) as server:
        client = join(make=QLearner, port=server.ports[0])
        assert over(client)
    assert client.agent.game == SCENARIOS["NIM_7"]
    assert client.agent.games == 5
