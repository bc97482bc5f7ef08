"""Edge cases: weights that cannot be drawn from, invalid moves, other kinds of games, files with two writers."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest
from own_games import Ladder, NoughtsAndCrosses

from coinlib import (
    CoinGame,
    GreedyCoins,
    Hats,
    IllegalMove,
    QLearner,
    RandomAgent,
    evaluate,
    named,
    plots,
    solve,
    sticks,
    sweep,
    three_piles,
    train,
)
from coinlib.agents import take_one
from coinlib.files import whole_file
from coinlib.learners import Learner
from coinlib.match import Match
from coinlib.projects import periods
from coinlib.projects.networks import Judgement
from coinlib.tables import same_game
from coinlib.trees import game_tree


class Weighted:
    """Takes one, but says that all moves are equally likely."""

    name = "Weighted"

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, game, state):
        return 1

    def move_weights(self, game, table):
        return np.full(table.legal.shape, self.weight)


@pytest.mark.parametrize("weight", [0, -1, np.nan, np.inf])
def test_weights_that_cannot_be_drawn_from_are_refused(weight):
    with pytest.raises(ValueError, match=r"Weighted: expected weights of 0 or more .* in state \(6,\)"):
        evaluate(sticks(6), Weighted(weight), RandomAgent(), games=10)


def test_a_hat_without_balls_is_refused():
    hats = Hats(sticks(5), seed=1)
    hats.values[:] = 0
    with pytest.raises(ValueError, match="no ball"):
        hats(sticks(5), (5,))
    with pytest.raises(ValueError, match="expected weights"):
        train(hats, hats, games=10)


class Uniform(Learner):
    """Plays at random; only the proportions of its weights matter."""

    factor = 1.0

    def choose(self, values, row, exploration):
        return 0

    def learn(self, seat, move, reward, after):
        """Learn nothing."""

    def move_weights(self, game, table):
        return table.legal * self.factor


def test_only_the_shares_of_weights_count():
    learner = Uniform(sticks(6))
    expected = learner.distance_to_perfect()
    learner.factor = 0.1
    assert learner.distance_to_perfect().beats_perfect == pytest.approx(expected.beats_perfect)


@pytest.mark.parametrize("answer", [{0, 1}, {0: 1, 1: 2}, "01"])
def test_what_has_no_order_is_no_move(answer):
    with pytest.raises(IllegalMove, match="expected a Move"):
        CoinGame((3, 3), max_pick=2).play((3, 3), answer)


def test_an_empty_seat_is_not_asked():
    with pytest.raises(ValueError, match="player 1 has no agent"):
        Match(sticks(4)).step()


def test_a_game_with_nothing_to_take():
    assert QLearner(CoinGame((0, 0), None)).distance_to_perfect().winning == 0
    assert plots.tree(game_tree(sticks(2), (0,)).without_ends())


def test_every_named_agent_but_rules_of_coins_plays_a_game_without_rows():
    for game in (GreedyCoins((1, 2, 3)), Ladder(4), NoughtsAndCrosses()):
        for name in ("random", "careless", "hats", "qlearner", "search", "network", "perfect"):
            agent = named.agent(name, game, seed=1, practice=20)
            assert agent(game, game.start) in game.moves


def test_settings_and_measures_of_a_sweep():
    with pytest.raises(TypeError, match="first: expected a list of values, got 'agent'"):
        sweep(lambda seed, first: {"won": 1}, {"first": "agent"}, seeds=1, jobs=1)
    for name in ("error", "games", "seed"):
        with pytest.warns(UserWarning, match=f"a measure cannot be called '{name}'"):
            sweep(lambda seed, games, name=name: {name: 1}, {"games": [1]}, seeds=1, jobs=1)


def test_pictures_of_more_than_usual():
    counts = pd.DataFrame({name: [1, 2] for name in "abcdefgh"}, index=[10, 20])
    assert len(plots.shares(counts, asked=10).containers) == 8
    solution = solve(three_piles(3, 3, 7))
    for fixed in ({2: -1}, {2: 8}):
        with pytest.raises(ValueError, match="fixed: the coins of row 2"):
            plots.positions(solution, fixed=fixed)
    with pytest.raises(ValueError, match="an amount: expected at most"):
        periods.period({60_000_000}, misere=False)


def test_a_file_belongs_to_one_game_and_one_way_of_showing(tmp_path):
    class Other(NoughtsAndCrosses):
        def result(self, state):
            return -super().result(state)

    Other.__name__ = "NoughtsAndCrosses"
    saved = QLearner(NoughtsAndCrosses()).save(tmp_path / "q.npz")
    with pytest.raises(ValueError, match="the file holds"):
        QLearner(Other()).load(saved)
    judgement = Judgement(sticks(5), show=lambda game, state: [state[0]], seed=1)
    saved = judgement.save(tmp_path / "judgement.npz")
    with pytest.raises(ValueError, match="the file holds"):
        Judgement(sticks(5), show=lambda game, state: [-state[0]], seed=1).load(saved)


def test_any_source_of_chance_can_be_saved(tmp_path):
    learner = QLearner(sticks(5), seed=np.random.Generator(np.random.MT19937(1)))
    train(learner, take_one, games=5)
    fresh = QLearner(sticks(5))
    fresh.load(learner.save(tmp_path / "q.npz"))
    assert (fresh.games, fresh.visits.tolist()) == (5, learner.visits.tolist())


def test_several_writers_of_one_file_do_not_meet(tmp_path):
    file = tmp_path / "marks.csv"
    all_here = threading.Barrier(6)
    wrong = []

    def write(number):
        try:
            with whole_file(file) as half:
                half.write_text(str(number) * 100)
                all_here.wait(timeout=60)
        except OSError as error:
            wrong.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert wrong == []
    assert len(set(file.read_text())) == 1 and [path.name for path in tmp_path.iterdir()] == ["marks.csv"]


def test_a_learner_made_by_name_explores_less_and_less():
    exploration = named.agent("qlearner", sticks(10), seed=1, practice=100).exploration
    assert [exploration(games) for games in (0, 50, 100)] == [0.5, 0.25, 0.0]


def test_games_that_differ_in_their_points_alone_are_two_games():
    class Paid(NoughtsAndCrosses):
        def reward(self, state, move):
            return 1

    class Unpaid(NoughtsAndCrosses):
        """Two objects of one class are compared by what they do."""

    assert same_game(Unpaid(), Unpaid()) and not same_game(Paid(), Unpaid())
    paid = Paid()
    unpaid = Paid()
    unpaid.reward = lambda state, move: 0
    assert not same_game(paid, unpaid)
