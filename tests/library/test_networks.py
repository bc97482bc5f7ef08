"""A judgement that is learnt: by hand, against exact fractions and differences, the same numbers on every processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product as all_pairs

import numpy as np
import pytest

from coinlib import CoinGame, RandomAgent, evaluate, minimax, sticks, three_piles
from coinlib.projects.networks import WAYS, Judgement, Network, binary, counts, signs, slope, squash, thermometer
from coinlib.search import SearchAgent
from coinlib.theory import is_lost

SMALL = three_piles(3, 3, 7)
ROW = sticks(12, misere=False)


def states_of(game):
    """Every state in which a coin is left."""
    return [state for state in all_pairs(*(range(row + 1) for row in game.rows)) if any(state)]


# --- ways to show a state -------------------------------------------------------------------------------


def test_the_ways_by_hand():
    assert counts(SMALL, (3, 0, 7)) == [3 / 7, 0, 1]
    assert thermometer(SMALL, (2, 0, 3)) == [1, 1, 0] + [0, 0, 0] + [1, 1, 1, 0, 0, 0, 0]
    assert binary(SMALL, (2, 0, 5)) == [1, 0] + [0, 0] + [1, 0, 1]
    assert signs(SMALL, (2, 0, 5)) == [1, -1] + [-1, -1] + [1, -1, 1]


@pytest.mark.parametrize("name", WAYS)
def test_no_two_states_look_the_same_and_all_are_shown_by_as_many_numbers(name):
    shown = [tuple(WAYS[name](SMALL, state)) for state in states_of(SMALL)]
    assert len(set(shown)) == len(shown) and len({len(numbers) for numbers in shown}) == 1
    assert all(-1 <= number <= 1 for numbers in shown for number in numbers)
    assert WAYS[name].__doc__.splitlines()[0].endswith(".")


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


def squashed(total: Fraction) -> Fraction:
    return total / (1 + abs(total))


@pytest.mark.parametrize("seed", range(5))
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


@pytest.mark.parametrize("seed", range(5))
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


@pytest.mark.parametrize("seed", range(5))
def test_a_small_step_goes_downhill(seed):
    network, shown, targets = made(seed)
    before = mean_squared_error(network, shown, targets)
    uphill = sum(float((slopes**2).sum()) for slopes in network.gradient(shown, targets))
    network.step(shown, targets, rate=1e-4)
    assert before - mean_squared_error(network, shown, targets) == pytest.approx(1e-4 * uphill, rel=1e-2)


# --- the judgement --------------------------------------------------------------------------------------


def taught(**settings) -> Judgement:
    judgement = Judgement(ROW, signs, width=16, **settings)
    states = states_of(ROW)
    judgement.learn(states, [-1 if is_lost(ROW, state) else 1 for state in states], steps=1_000)
    return judgement


def test_it_learns_the_exact_values_of_a_row():
    judgement = taught(seed=1)
    assert [state[0] for state in states_of(ROW) if judgement(ROW, state) < 0] == [4, 8, 12]
    assert evaluate(ROW, judgement.move, RandomAgent(), games=200, seed=1, first="opponent").wins > 180


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
    targets = [-other(game, (1,)), 1.0]  # whoever takes the last coin wins
    other.network.step(other.shown([(2,), (1,)]), np.array(targets), 0.5)
    assert all(map(np.array_equal, judgement.network.weights, other.network.weights))
    assert (judgement.games, other.games) == (1, 0)


@pytest.mark.parametrize("misere", [True, False])
def test_playing_with_itself_it_finds_the_lost_counts(misere):
    game = sticks(9, misere=misere)
    judgement = Judgement(game, seed=1)
    judgement.practise(1_500)
    found = [state[0] for state in states_of(game) if judgement(game, state) < 0]
    assert found == [state[0] for state in states_of(game) if is_lost(game, state)]


def test_a_way_of_its_own_and_a_game_without_rows():
    class Countdown:
        """From 10 a move goes down by 1 or 2; whoever comes to 0 wins."""

        start = 10
        moves = (1, 2)

        def legal_moves(self, left):
            return [move for move in self.moves if move <= left]

        def play(self, left, move):
            return left - move

        def is_over(self, left):
            return left == 0

        def reward(self, left, move):
            return 0

        def result(self, left):
            return -1

    def by_number(game, left):
        return [float(left == number) for number in range(11)]

    judgement = Judgement(Countdown(), by_number, seed=1)
    judgement.practise(600)
    assert [left for left in range(1, 11) if judgement(judgement.game, left) < 0] == [3, 6, 9]


# --- inside the search ----------------------------------------------------------------------------------


def exact(game, state) -> float:
    return -1.0 if is_lost(game, state) else 1.0


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


def test_with_few_simulations_an_exact_judge_finds_what_playouts_miss():
    game, won = three_piles(7, 7, 7), [(7, 7, 7), (5, 6, 7), (2, 7, 7), (4, 6, 7)]
    right = []
    for judge in (exact, None):
        moves = [SearchAgent(25, seed=1, judge=judge)(game, state) for state in won]
        right.append(sum(is_lost(game, game.play(state, move)) for state, move in zip(won, moves)))
    assert right[0] == 4 > right[1]


# --- files ----------------------------------------------------------------------------------------------


def memory(judgement: Judgement) -> tuple:
    weights = [weight.tobytes() for weight in judgement.network.weights]
    return weights, judgement.games, judgement.generator.bit_generator.state


def test_what_is_loaded_goes_on_as_what_was_saved(tmp_path):
    judgement, loaded, path = Judgement(SMALL, seed=1), Judgement(SMALL, seed=2), tmp_path / "judgement.npz"
    judgement.practise(20)
    assert judgement.save(path) == path and [*tmp_path.iterdir()] == [path]
    loaded.load(path)
    for twin in (judgement, loaded):
        twin.practise(5)
    assert memory(judgement) == memory(loaded) and loaded.games == 25


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Judgement(ROW), "the file holds Judgement by signs (4 numbers, 64 hidden units) of CoinGame(rows=(12,)"),
        (Judgement(SMALL, binary), "the file holds Judgement by binary"),
        (Judgement(SMALL, width=8), "8 hidden units"),
    ],
    ids=str,
)
def test_another_game_way_or_width_is_refused(other, words, tmp_path):
    judgement = Judgement(SMALL, seed=1)
    before, path = memory(judgement), other.save(tmp_path / "other.npz")
    with pytest.raises(ValueError) as caught:
        judgement.load(path)
    assert words in str(caught.value) and str(path) in str(caught.value)
    assert memory(judgement) == before


def test_a_file_that_is_cut_short_is_refused(tmp_path):
    judgement, path = Judgement(SMALL, seed=1), tmp_path / "cut.npz"
    whole, before = judgement.save(path).read_bytes(), memory(judgement)
    for length in range(0, len(whole), 200):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is not a judgement that coinlib saved, or is damaged"):
            judgement.load(path)
    assert memory(judgement) == before


# --- the same numbers everywhere ------------------------------------------------------------------------

PROGRAM = """
import hashlib, json
from coinlib import three_piles
from coinlib.projects.networks import WAYS, Judgement

game = three_piles(3, 3, 7)
found = {}
for name, way in WAYS.items():
    judgement = Judgement(game, way, seed=1)
    judgement.learn([(1, 2, 3), (3, 3, 7), (0, 2, 2), (1, 0, 5)], [-1, 1, -1, 1], steps=50)
    judgement.practise(10)
    weights = b"".join(weight.tobytes() for weight in judgement.network.weights)
    found[name] = hashlib.sha256(weights).hexdigest()
print(json.dumps(found))
"""
NO_VECTORS = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3 X86_V3 X86_V4"


def on(kernel: str, **settings) -> dict[str, str]:
    """What the program finds on a processor of this kind."""
    environment = os.environ | {"OPENBLAS_CORETYPE": kernel, "PYTHONWARNINGS": "ignore"} | settings
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    return json.loads(ended.stdout)


def test_every_processor_learns_the_same_weights():
    kinds = [on("Nehalem"), on("Haswell"), on("SkylakeX"), on("Nehalem", NPY_DISABLE_CPU_FEATURES=NO_VECTORS)]
    for way in WAYS:
        assert len({kind[way] for kind in kinds}) == 1, way
