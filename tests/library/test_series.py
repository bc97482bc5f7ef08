"""The two ways of playing many games play the same games, and seeds give the same numbers again."""

from __future__ import annotations

import interrupted
import numpy as np
import pytest
from own_games import OWN_GAMES

from coinlib import series
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, GreedyCoins, sticks
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import play_match
from coinlib.training import train

NIM = SCENARIOS["NIM"]


# --- the two ways of playing play the same games --------------------------------------------------------


def lend(agents, seed):
    """Generators as `train` and `evaluate` lend them: one for each object."""
    first, second = np.random.SeedSequence(seed).spawn(2)
    for agent, child in ((agents[1], second), (agents[0], first)):  # one object in both seats gets the first
        if hasattr(agent, "generator"):
            agent.generator = np.random.default_rng(child)


def one_by_one(game, agents, games, first, learn):
    """A loop of matches: +1, 0, -1 for the first of the agents, and +1 or -1 where the other or it has forfeited."""
    results, forfeits = [], []
    for number in range(games):
        begins = first == "agent" or (first == "alternate" and number % 2 == 0)
        match = play_match(game, *(agents if begins else agents[::-1]), learn=learn)
        mine = 1 if begins else 2
        results.append(match.outcome(mine))
        forfeits.append(match.outcome(mine) if match.forfeit else 0)
    return results, forfeits


LEARNERS = {
    "hats": Hats,
    "q": QLearner,
    "q, schedules": lambda game: QLearner(game, linear(1, 0.1, 70), 0.9, exploration=linear(0.9, 0.0, 80)),
    "q, all moves": lambda game: QLearner(game, 0.5, 0.7, exploration=0.3, legal_only=False),
}
OPPONENTS = {
    "random": lambda game: RandomAgent(),
    "careless": lambda game: RandomAgent(legal_only=False),
    "perfect": lambda game: PerfectAgent(),
    "hats": Hats,
    "q": lambda game: QLearner(game, 0.4, 0.8, exploration=0.2),
    "self": None,
}
ORDERS = "agent", "opponent", "alternate"
GAMES = {"sticks": sticks(8), "nim": NIM, "normal": sticks(7, misere=False), "points": GreedyCoins((3, 5, 1, 2, 8, 2))}
EVERY_GAME = GAMES | OWN_GAMES


def pair(learner, opponent, game):
    agent = LEARNERS[learner](game)
    return agent, (agent if OPPONENTS[opponent] is None else OPPONENTS[opponent](game))


@pytest.mark.parametrize("game", EVERY_GAME.values(), ids=EVERY_GAME)
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_training_equals_a_loop_of_matches(learner, opponent, game):
    """Game by game, ball by ball, bit by bit; in all three orders of moving first."""
    for seed, first in enumerate(ORDERS):
        fast, slow = pair(learner, opponent, game), pair(learner, opponent, game)
        run = train(*fast, games=60, seed=seed, first=first)
        lend(slow, seed)
        assert (run.result.tolist(), run.forfeit.tolist()) == one_by_one(game, slow, 60, first, learn=True)
        assert all(map(interrupted.same, fast, slow))
        assert fast[0].games == 60


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("first", ORDERS)
def test_an_evaluation_equals_a_loop_of_matches(game, first):
    def sides():
        own, twins = LEARNERS["q, schedules"](game), np.random.default_rng(3)
        train(own, RandomAgent(seed=1), games=30, seed=1)
        careless = RandomAgent(legal_only=False)
        rule = RuleAgent(lambda game, state: game.legal_moves(state)[-1])
        yield from ((own, careless), (careless, rule), (RandomAgent(), PerfectAgent()), (own, own))
        yield RandomAgent(seed=twins), RandomAgent(seed=twins)  # two agents with one source of chance

    for number, (quick, plain) in enumerate(zip(sides(), sides())):
        seed = 9 if number < 4 else None
        outcome = evaluate(game, *quick, games=60, seed=seed, first=first)
        if seed:
            lend(plain, seed)
        results, forfeits = one_by_one(game, plain, 60, first, learn=False)
        assert (outcome.wins, outcome.ties, outcome.losses) == tuple(results.count(sign) for sign in (1, 0, -1))
        assert (outcome.forfeits, outcome.opponent_forfeits) == (forfeits.count(-1), forfeits.count(1))


@pytest.mark.parametrize("seconds", [0.0, 1e-4, 10.0])
def test_a_checkpoint_is_the_table_after_so_many_games(seconds, monkeypatch):
    """However long a chunk of training is."""
    monkeypatch.setattr(series, "CHUNK_SECONDS", seconds)
    pairs = [(QLearner(NIM, 0.5, exploration=linear(0.8, 0, 200)), Hats(NIM)) for _ in range(2)]
    run = train(*pairs[0], games=300, seed=4, first="opponent", checkpoints=[150, 0, 7, 300, 7])
    assert list(run.checkpoints) == [0, 7, 150, 300]
    lend(pairs[1], 4)
    for done, upto in zip((0, 0, 7, 150), (0, 7, 150, 300)):
        one_by_one(NIM, pairs[1], upto - done, "opponent", learn=True)
        assert np.array_equal(run.checkpoints[upto], pairs[1][0].values)
    assert all(map(interrupted.same, *pairs))
    assert len(train(*pairs[0], games=300, checkpoints=range(301)).checkpoints) == 301


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("opponent", ["random", "self"])
def test_two_calls_of_500_equal_one_of_1000(learner, opponent):
    """Each agent goes on with its own generator, and schedules with the games already learnt."""
    halves, whole = pair(learner, opponent, sticks(8)), pair(learner, opponent, sticks(8))
    for agents in (halves, whole):
        lend(agents, 6)
    runs = [train(*halves, games=500) for _ in range(2)]
    run = train(*whole, games=1_000)
    assert np.concatenate([part.result for part in runs]).tolist() == run.result.tolist()
    assert interrupted.same(halves[0], whole[0])


# --- seeds ----------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_numbers_again_and_leaves_the_own_generators_alone():
    agent, opponent = RandomAgent(seed=1), RandomAgent(seed=2)
    expected = RandomAgent(seed=1).generator.random()
    assert len({evaluate(sticks(20), agent, opponent, games=100, seed=5) for _ in range(3)}) == 1
    assert len({tuple(play_match(sticks(20), agent, opponent, seed=5).moves) for _ in range(3)}) == 1
    assert agent.generator.random() == expected
    takes = [move.count for move in play_match(sticks(40), RandomAgent(), RandomAgent(), seed=1).moves]
    assert takes[0::2][:8] != takes[1::2][:8]  # the two seats get different chances


def test_without_a_seed_each_agent_goes_on_with_its_own_generator():
    agent = RandomAgent(seed=1)
    games = [play_match(sticks(20), agent, take_one).moves for _ in range(2)]
    again = RandomAgent(seed=1)
    assert [play_match(sticks(20), again, take_one).moves for _ in range(2)] == games
    assert games[0] != games[1]
