"""Learners can be copied and stored in files; damaged, malicious or unrelated files are refused."""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

from coinlib.agents import RandomAgent
from coinlib.games import GreedyCoins, sticks
from coinlib.learners import Hats, QLearner, linear
from coinlib.training import train

TEN = sticks(10)
KINDS = [
    lambda game=TEN, seed=3: Hats(game, seed),
    lambda game=TEN, seed=3: QLearner(game, 0.5, 0.9, linear(0.9, 0.1, 80), seed=seed),
    lambda game=TEN, seed=3: QLearner(game, 0.5, exploration=0.4, legal_only=False, seed=seed),
]


def trained(make, game=TEN):
    learner = make(game)
    train(learner, RandomAgent(), games=50, seed=3)
    return learner


def memory(learner):
    """Everything in a learner, for comparison."""
    state = json.dumps(learner.generator.bit_generator.state)
    return learner.values.tobytes(), learner.visits.tobytes(), learner.games, state


@pytest.mark.parametrize("make", KINDS)
def test_a_learner_can_be_copied_and_stored(make, tmp_path):
    """A copy knows the same, continues with the same draws and schedules, and does not affect the original."""
    game = GreedyCoins((2, 1, 5, 3))
    learner, loaded, path = trained(make, game), make(game, 99), tmp_path / "learner.npz"
    seat = learner.sit()  # in the middle of a game
    seat(game, game.start)
    make(game).save(path)
    assert learner.save(path) == path and [*tmp_path.iterdir()] == [path]  # an older file is replaced
    loaded.load(path)
    loaded.generator = copy.deepcopy(learner.generator)  # a file contains what was learnt, and no random generator
    before, twins = memory(learner), [copy.deepcopy(learner), pickle.loads(pickle.dumps(learner)), loaded]
    for twin in twins:
        assert memory(twin) == before
        train(twin, RandomAgent(seed=4), games=50)
        assert memory(learner) == before
    train(learner, RandomAgent(seed=4), games=50)
    assert {memory(twin) for twin in twins} == {memory(learner)}


def refused(learner, path, error=ValueError):
    """Check that loading fails, names the path and changes nothing; return the message."""
    before, arrays = memory(learner), learner.memory
    with pytest.raises(error) as caught:
        learner.load(path)
    assert str(path) in str(caught.value)
    assert memory(learner) == before and learner.memory is arrays
    return str(caught.value)


@pytest.mark.parametrize("make", KINDS[:2])
def test_a_file_that_is_cut_short_or_not_there_is_refused(make, tmp_path):
    whole = trained(make).save(tmp_path / "whole.npz").read_bytes()
    learner, path = make(), tmp_path / "cut.npz"
    refused(learner, path, FileNotFoundError)
    for length in range(0, len(whole), 200):
        path.write_bytes(whole[:length])
        assert "was not saved by coinlib, or is damaged" in refused(learner, path)
    with pytest.raises(OSError, match="no such folder.*hats.npz"):
        learner.save(tmp_path / "no such folder" / "hats.npz")


class Trap:
    """What a malicious pickle does when it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_nothing_is_unpickled(tmp_path):
    plain, inside, sprung = tmp_path / "plain.npz", tmp_path / "inside.npz", tmp_path / "sprung"
    plain.write_bytes(pickle.dumps(Trap(sprung)))
    np.savez(inside, about=np.array([Trap(sprung)], dtype=object), values=np.zeros((11, 3)), visits=np.zeros(11))
    for path in (plain, inside):
        refused(Hats(TEN), path)
    assert not sprung.exists()
    pickle.loads(plain.read_bytes())
    assert sprung.exists()  # the trap works


def meddled(learner, state, column, number):
    learner.values[learner.table.row(state), column] = number
    return learner


def test_another_learner_or_game_is_refused_by_name(tmp_path):
    path = tmp_path / "other.npz"
    eleven = "the file holds Hats of CoinGame(rows=(11,),"
    for learner, other, words in (
        (Hats(TEN), QLearner(TEN), "the file holds QLearner of"),
        (Hats(TEN), Hats(sticks(11)), eleven),
        (Hats(TEN), Hats(sticks(10, misere=False)), "holds Hats of CoinGame(rows=(10,), max_pick=3, misere=False)"),
        (QLearner(TEN), QLearner(TEN, legal_only=False), "moves other than those"),
        # It would choose what it may not.
        (QLearner(TEN), meddled(QLearner(TEN), (1,), 2, 7.0), "moves other than those"),
        (Hats(TEN), meddled(Hats(TEN), (4,), 2, math.nan), "moves other than those"),
        (QLearner(TEN), meddled(QLearner(TEN), (4,), 2, math.inf), "moves other than those"),
    ):
        assert words in refused(learner, other.save(path))
