"""What the references of the first lessons make is what the library makes; draws of every kind are judged rightly."""

import random
from itertools import product

import numpy as np
import pandas as pd
import pytest

from coincourse import checks
from coincourse.course import data
from coinlib import SCENARIOS, CoinGame, Hats, RandomAgent, play_match, solve, sticks

# --- references -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
def test_moves_next_states_and_winners_are_those_of_the_game(name):
    for seed, misere in product(range(20), (False, True)):
        game = CoinGame(SCENARIOS[name].rows, SCENARIOS[name].max_pick, misere)
        match = play_match(game, RandomAgent(), RandomAgent(), seed=seed)
        for state, move, after in zip(match.states, match.moves, match.states[1:]):
            assert checks.legal_moves.reference(state, game.max_pick) == game.legal_moves(state)
            assert checks.next_state.reference(state, move) == after
        assert checks.winner.reference(len(match.moves), misere) == match.winner


def test_the_advantage_in_random_games_is_that_of_perfect_play():
    games = pd.read_csv(data("random_games.csv"))
    assert checks.advantage.reference(games) == {name: solve(game).winner() for name, game in SCENARIOS.items()}


def test_hats_settled_game_by_game_are_the_hats_of_the_learner():
    learner, waiting = Hats(sticks(10), seed=1), {}
    by_hand = {count: learner.contents(count) for count in range(1, 11)}
    for seed in range(200):
        match = play_match(sticks(10), RandomAgent(), learner, seed=seed, learn=True)
        beside = {state[0]: move.count for state, move in list(zip(match.states, match.moves))[1::2]}
        waiting = {hat: balls.copy() for hat, balls in by_hand.items()}
        for hat, drawn in beside.items():
            waiting[hat].remove(drawn)
        settled = checks.settle_game.reference(waiting, beside, match.winner == 2)
        by_hand = {hat: sorted(balls) for hat, balls in settled.items()}
        assert by_hand == {count: learner.contents(count) for count in range(1, 11)}


# --- draws ------------------------------------------------------------------------------------------------------------


def by_choice(game, state, generator):
    return generator.choice(game.legal_moves(state))  # an array of two numbers


def by_trying(game, state, generator):
    while True:
        row, count = generator.integers(len(state)), generator.integers(1, game.max_pick + 1)
        if count <= state[row]:
            return [row, count]


def by_choice_of_legal_balls(balls, sticks, generator):
    ball = generator.choice([ball for ball in balls if ball <= sticks])
    rest = balls.copy()
    rest.remove(ball)
    return [ball, tuple(rest)]


def by_shuffling(balls, sticks, generator):
    order = generator.permutation(len(balls))
    place = next(place for place in order if balls[place] <= sticks)
    return balls[place], np.delete(balls, place)


DRAWS = [
    ("random_move", by_choice, "✓ Right, with legal moves only"),
    ("random_move", by_trying, "✓ Right, with legal moves only"),
    ("draw", by_choice_of_legal_balls, "✓ Right, with every ball that can be played"),
    ("draw", by_shuffling, "✓ Right, with every ball that can be played"),
    (
        "random_move",
        lambda game, state, generator: random.choice(game.legal_moves(state)),
        "of the same seed. Draw from",
    ),
    (
        "draw",
        lambda balls, sticks, generator: by_choice_of_legal_balls(balls, sticks, np.random.default_rng()),
        "of the same seed. Draw from the generator that is passed in, and from nothing else.",
    ),
    ("random_move", lambda game, state, generator: by_choice(game, state, np.random.default_rng(1)), "in 600 draws"),
    ("draw", lambda balls, sticks, generator: (0, balls), "There is no ball 0 in this hat."),
]


@pytest.mark.parametrize(("name", "function", "words"), DRAWS)
def test_draws_of_every_kind(name, function, words, capsys):
    getattr(checks, name)(function)
    assert words in capsys.readouterr().out
