"""A learnt judgement: by hand, and against exact fractions and differences.

The same numbers on every processor, and longer learning: tests/full/test_network_numbers.py.
"""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import product as all_pairs

import numpy as np
import pytest
from own_games import Taking

from coinlib import CoinGame, RandomAgent, evaluate, minimax, sticks, three_piles
from coinlib.projects import networks
from coinlib.projects.networks import (
    WAYS,
    Judgement,
    Network,
    binary,
    counts,
    product,
    signs,
    slope,
    squash,
    thermometer,
)
from coinlib.search import SearchAgent
from coinlib.theory import is_lost

SMALL = three_piles(3, 3, 7)


def states_of(game):
    """Every state with at least one coin left."""
    return [state for state in all_pairs(*(range(row + 1) for row in game.rows)) if any(state)]


def exact(game, state) -> float:
    return -1.0 if is_lost(game, state) else 1.0


# --- ways to show a state -------------------------------------------------------------------------------


def test_the_ways_by_hand():
    assert counts(SMALL, (3, 0, 7)) == [3 / 7, 0, 1]
    assert thermometer(SMALL, (2, 0, 3)) == [1, 1, 0] + [0, 0, 0] + [1, 1, 1, 0, 0, 0, 0]
    assert binary(SMALL, (2, 0, 5)) == [1, 0] + [0, 0] + [1, 0, 1]
    assert signs(SMALL, (2, 0, 5)) == [1, -1] + [-1, -1] + [1, -1, 1]


def test_no_two_states_look_the_same_and_all_are_shown_by_as_many_numbers():
    for name, way in WAYS.items():
        shown = [tuple(way(SMALL, state)) for state in states_of(SMALL)]
        assert len(set(shown)) == len(shown), name
        assert len({len(numbers) for numbers in shown}) == 1, name
        assert all(-1 <= number <= 1 for numbers in shown for number in numbers), name


# --- the network ----------------------------------------------------------------------------------------


def made(seed: int, inputs: int = 4, width: int = 3, states: int = 5):
    """A network with weights everywhere, some states, and what they are worth."""
    generator = np.random.default_rng(seed)
    network = Network(inputs, width, generator)
    network.weights[1] += generator.uniform(-1, 1, width)
    network.weights[3] += generator.uniform(-1, 1, 1)
    return network, generator.uniform(-1, 1, (states, inputs)), generator.uniform(-1, 1, states)


def test_one_unit_by_hand():
    """Shown 1 and 2: the total 1 * 3 - 2 * 1 + 2 = 3 is squashed to 3/4, then 4 * 3/4 - 2 = 1 to 1/2."""
    network = Network(2, 1, np.random.default_rng(1))
    network.weights = [np.array([[3.0], [-1.0]]), np.array([2.0]), np.array([[4.0]]), np.array([-2.0])]
    hidden, output = network.forward(np.array([[1.0, 2.0]]))
    assert hidden.tolist() == [[0.75]] and output.tolist() == [[0.5]]
    assert slope(squash(np.array([3.0]))).tolist() == [1 / 16]


def test_sums_are_taken_in_order():
    """To the last bit, as plain Python adds them up, so every processor gets the same."""
    generator = np.random.default_rng(1)
    left, right = generator.normal(size=(3, 200)), generator.normal(size=(200, 2))
    for (row, column), found in np.ndenumerate(product(left, right)):
        total = 0.0
        for one, other in zip(left[row], right[:, column]):
            total += one * other
        assert found == total


def squashed(total: Fraction) -> Fraction:
    return total / (1 + abs(total))


@pytest.mark.parametrize("seed", range(2))
def test_the_forward_pass_agrees_with_exact_fractions(seed):
    network, shown, _ = made(seed)
    first, first_added, second, second_added = (np.vectorize(Fraction)(weight) for weight in network.weights)
    for numbers, found in zip(np.vectorize(Fraction)(shown), network.forward(shown)[1]):
        units = []
        for unit, added in enumerate(first_added):
            units.append(squashed(sum(numbers * first[:, unit], added)))
        exact = squashed(sum(np.array(units) * second[:, 0], second_added[0]))
        assert float(exact) == pytest.approx(float(found[0]), abs=1e-14)


def mean_squared_error(network, shown, targets) -> float:
    return float(np.mean((network.forward(shown)[1][:, 0] - targets) ** 2))


@pytest.mark.parametrize("seed", range(2))
def test_the_gradient_agrees_with_differences(seed):
    network, shown, targets = made(seed)
    for weight, slopes in zip(network.weights, network.gradient(shown, targets)):
        assert slopes.shape == weight.shape
        for place in np.ndindex(weight.shape):
            kept, errors = weight[place], []
            for moved in (1e-6, -1e-6):
                weight[place] = kept + moved
                errors.append(mean_squared_error(network, shown, targets))
            weight[place] = kept
            assert (errors[0] - errors[1]) / 2e-6 == pytest.approx(slopes[place], abs=1e-8)


@pytest.mark.parametrize("seed", range(2))
def test_a_small_step_goes_downhill(seed):
    network, shown, targets = made(seed)
    before = mean_squared_error(network, shown, targets)
    uphill = sum(float((slopes**2).sum()) for slopes in network.gradient(shown, targets))
    network.step(shown, targets, rate=1e-4)
    assert before - mean_squared_error(network, shown, targets) == pytest.approx(1e-4 * uphill, rel=1e-2)


# --- the judgement --------------------------------------------------------------------------------------


def test_it_learns_the_exact_values_of_a_row():
    game = sticks(12, misere=False)
    judgement = Judgement(game, signs, width=16, seed=1)
    states = states_of(game)
    judgement.learn(states, [exact(game, state) for state in states], steps=1_000)
    assert [state[0] for state in states if judgement(game, state) < 0] == [4, 8, 12]
    assert evaluate(game, judgement.move, RandomAgent(), games=100, seed=1, first="opponent").wins > 90


@pytest.mark.parametrize("misere", [True, False])
def test_at_the_end_the_rules_say_what_a_state_is_worth(misere):
    game = CoinGame((2, 1), max_pick=None, misere=misere)
    assert Judgement(game, seed=1)(game, (0, 0)) == game.result((0, 0)) == minimax(game, (0, 0)).value


def test_a_move_is_worth_the_opposite_of_what_the_next_player_finds():
    judgement = Judgement(SMALL, seed=1)
    for state in [(1, 0, 0), (3, 2, 0), (2, 1, 5)]:
        moves, values = judgement.replies(state)
        assert moves == SMALL.legal_moves(state)
        assert values.tolist() == [-judgement(SMALL, SMALL.play(state, move)) for move in moves]
        assert judgement.move(SMALL, state) == moves[values.argmax()]


def test_one_game_with_itself_is_one_step_towards_the_best_replies():
    game = sticks(2, max_pick=1, misere=False)  # the only game: 2, 1, 0
    judgement, other = Judgement(game, seed=3), Judgement(game, seed=3)
    judgement.practise(1, rate=0.5)
    targets = [-other(game, (1,)), 1.0]  # the player who takes the last coin wins
    other.network.step(other.shown([(2,), (1,)]), np.array(targets), 0.5)
    assert all(map(np.array_equal, judgement.network.weights, other.network.weights))
    assert (judgement.games, other.games) == (1, 0)


def test_it_explores_as_often_as_it_is_told(monkeypatch):
    drawn = []
    monkeypatch.setattr(networks, "draw_evenly", lambda moves, generator: drawn.append(moves) or moves[0])
    judgement = Judgement(SMALL, seed=1)
    judgement.practise(5, exploration=0.0)
    assert drawn == []
    judgement.practise(5, exploration=1.0)
    assert len(drawn) >= 5


def test_a_way_of_your_own_and_a_game_without_rows():
    game = Taking(10)  # normal play with 1 or 2: the multiples of three lose

    def by_number(game, left):
        return [float(left == number) for number in range(11)]

    judgement = Judgement(game, by_number, seed=1)
    judgement.practise(600)
    assert [left for left in range(1, 11) if judgement(game, left) < 0] == [3, 6, 9]


# --- inside the search ----------------------------------------------------------------------------------


def test_the_search_asks_the_judge_at_leaves_and_the_rules_at_the_end():
    asked = []

    def judge(game, state):
        asked.append(state)
        return exact(game, state)

    agent = SearchAgent(200, seed=1, judge=judge)
    game = three_piles(1, 2, 3)
    leaves = [(leaf.state, value) for _, leaf, value in agent.search(game, game.start)]
    assert all(value == (exact(game, state) if any(state) else -1) for state, value in leaves)
    assert asked == [state for state, _ in leaves if any(state)] and len(asked) < 200


# --- files ----------------------------------------------------------------------------------------------


def memory(judgement: Judgement) -> tuple:
    weights = [weight.tobytes() for weight in judgement.network.weights]
    return weights, judgement.games, judgement.generator.bit_generator.state


def test_what_is_loaded_goes_on_as_what_was_saved(tmp_path):
    judgement, loaded, path = Judgement(SMALL, seed=1), Judgement(SMALL, seed=2), tmp_path / "judgement.npz"
    judgement.practise(20)
    assert judgement.save(path) == path and [*tmp_path.iterdir()] == [path]
    loaded.load(path)
    loaded.generator = copy.deepcopy(judgement.generator)
    for twin in (judgement, loaded):
        twin.practise(5)
    assert memory(judgement) == memory(loaded) and loaded.games == 25


def test_a_file_of_something_else_or_cut_short_is_refused(tmp_path):
    judgement, path = Judgement(SMALL, seed=1), tmp_path / "other.npz"
    before, whole = memory(judgement), judgement.save(path).read_bytes()
    other_game = "the file holds Judgement by signs (4 numbers, 64 hidden units) of CoinGame(rows=(12,)"
    for other, words in (
        (Judgement(sticks(12)), other_game),
        (Judgement(SMALL, binary), "the file holds Judgement by binary"),
        (Judgement(SMALL, width=8), "8 hidden units"),
        (whole[:-10], "was not saved by coinlib, or is damaged"),
    ):
        if isinstance(other, bytes):
            path.write_bytes(other)
        else:
            other.save(path)
        with pytest.raises(ValueError) as caught:
            judgement.load(path)
        assert words in str(caught.value) and str(path) in str(caught.value)
        assert memory(judgement) == before
