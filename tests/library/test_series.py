"""The two ways of playing many games play the same games, and seeds give the same numbers again."""

from __future__ import annotations

import numpy as np
import pytest
from one_by_one import ORDERS, first_forfeit, forfeits, lend, matches, results, same
from own_games import OWN_GAMES

from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, GreedyCoins, sticks
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import play_match
from coinlib.training import train

# --- the two ways of playing play the same games --------------------------------------------------------

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
    "rule": lambda game: RuleAgent(lambda game, state: game.legal_moves(state)[-1]),
    "hats": Hats,
    "q": lambda game: QLearner(game, 0.4, 0.8, exploration=0.2),
    "itself": None,
}
SMALL_GAMES = {
    "misère play": sticks(8),
    "several rows": SCENARIOS["NIM"],
    "normal play": sticks(7, misere=False),
    "points": GreedyCoins((3, 5, 1, 2, 8, 2)),
}
GAMES = SMALL_GAMES | OWN_GAMES


def pair(learner, opponent, game):
    agent = LEARNERS[learner](game)
    return agent, (agent if opponent == "itself" else OPPONENTS[opponent](game))


@pytest.mark.parametrize("number", range(len(GAMES)), ids=GAMES)
def test_training_equals_a_loop_of_matches(number):
    """Game by game, ball by ball, bit by bit.

    Every opponent appears in every game. The learners and the orders take turns, so that each of them meets every
    opponent and every game as well, and each learner every order.
    """
    game = [*GAMES.values()][number]
    for place, opponent in enumerate(OPPONENTS):
        learner = [*LEARNERS][(place + number) % len(LEARNERS)]
        first = ORDERS[(place + 2 * number) % len(ORDERS)]
        case = learner, opponent, first
        fast = pair(learner, opponent, game)
        slow = pair(learner, opponent, game)
        run = train(*fast, games=60, seed=place, first=first)
        lend(slow, place)
        played = matches(game, slow, 60, first, learn=True)
        assert (run.result.tolist(), run.forfeit.tolist()) == (results(played), forfeits(played)), case
        assert run.illegal_move == first_forfeit(played), case
        assert all(map(same, fast, slow)), case
        assert fast[0].games == 60, case


def sides(game):
    """Pairs of agents that do not learn, learners among them."""
    practised = LEARNERS["q, schedules"](game)
    train(practised, RandomAgent(seed=1), games=30, seed=1)
    careless = RandomAgent(legal_only=False)
    rule = OPPONENTS["rule"](game)
    shared = np.random.default_rng(3)
    return [
        (practised, careless),
        (careless, rule),
        (RandomAgent(), PerfectAgent()),
        (practised, practised),
        (RandomAgent(seed=shared), RandomAgent(seed=shared)),  # two agents with one random source
    ]


@pytest.mark.parametrize("number", range(len(SMALL_GAMES)), ids=SMALL_GAMES)
def test_an_evaluation_equals_a_loop_of_matches(number):
    game = [*SMALL_GAMES.values()][number]
    for place, (quick, plain) in enumerate(zip(sides(game), sides(game))):
        first = ORDERS[(place + number) % len(ORDERS)]
        seed = 9 if place < 4 else None
        outcome = evaluate(game, *quick, games=60, seed=seed, first=first)
        if seed:
            lend(plain, seed)
        played = matches(game, plain, 60, first, learn=False)
        counted = [results(played).count(sign) for sign in (1, 0, -1)]
        assert [outcome.wins, outcome.ties, outcome.losses] == counted, (quick, first)
        by_forfeit = [forfeits(played).count(sign) for sign in (-1, 1)]
        assert [outcome.forfeits, outcome.opponent_forfeits] == by_forfeit, (quick, first)
        assert outcome.illegal_move == first_forfeit(played), (quick, first)


@pytest.mark.parametrize(
    ("learner", "opponent"),
    [("hats", "itself"), ("q", "random"), ("q, schedules", "itself"), ("q, all moves", "random")],
)
def test_two_calls_of_500_equal_one_of_1000(learner, opponent):
    """Each agent continues with its own generator, and schedules with the games already learnt."""
    halves = pair(learner, opponent, sticks(8))
    whole = pair(learner, opponent, sticks(8))
    for agents in (halves, whole):
        lend(agents, 6)
    runs = [train(*halves, games=500) for _ in range(2)]
    run = train(*whole, games=1_000)
    assert np.concatenate([part.result for part in runs]).tolist() == run.result.tolist()
    assert same(halves[0], whole[0])


# --- seeds ----------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_numbers_again_and_leaves_the_own_generators_alone():
    agent, opponent = RandomAgent(seed=1), RandomAgent(seed=2)
    expected = RandomAgent(seed=1).generator.random()
    assert len({evaluate(sticks(20), agent, opponent, games=100, seed=5) for _ in range(3)}) == 1
    assert len({tuple(play_match(sticks(20), agent, opponent, seed=5).moves) for _ in range(3)}) == 1
    assert agent.generator.random() == expected
    takes = [move.count for move in play_match(sticks(40), RandomAgent(), RandomAgent(), seed=1).moves]
    assert takes[0::2][:8] != takes[1::2][:8]  # the two seats draw different numbers


def test_without_a_seed_each_agent_goes_on_with_its_own_generator():
    agent = RandomAgent(seed=1)
    games = [play_match(sticks(20), agent, take_one).moves for _ in range(2)]
    again = RandomAgent(seed=1)
    assert [play_match(sticks(20), again, take_one).moves for _ in range(2)] == games
    assert games[0] != games[1]
