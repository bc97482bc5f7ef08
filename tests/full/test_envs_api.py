"""PettingZoo's and Gymnasium's own checks in every scenario and in games of your own. A warning is an error here."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from own_games import Ladder, NoughtsAndCrosses

from coinlib import SCENARIOS, GreedyCoins

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from coincourse.outside import envs


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pettingzoo_api(scenario, misere, capsys):
    api_test(envs.env(scenario, misere), num_cycles=60)
    api_test(envs.raw_env(scenario, misere), num_cycles=20)
    seed_test(lambda: envs.env(scenario, misere), num_cycles=60)
    render_test(lambda render_mode: envs.env(scenario, misere, render_mode=render_mode))
    screen = capsys.readouterr().out
    assert screen.count("Passed API test") == 2
    assert ("misère play" if misere else "normal play") in screen
    assert envs.raw_env(scenario, misere).game == replace(SCENARIOS[scenario], misere=misere)


def always_one(game, state):
    """A function, as a student would write it."""
    return next(row for row, held in enumerate(state) if held), 1


SEATS = [*product(SCENARIOS, ["random"], ["alternate"], [True, False])]
SEATS += product(["NIM"], ["perfect", always_one], ["agent", "opponent", "alternate"], [True, False])


@pytest.mark.parametrize(("scenario", "opponent", "first", "misere"), SEATS)
def test_gymnasium(scenario, opponent, first, misere):
    settings = {"scenario": scenario, "opponent": opponent, "first": first, "misere": misere}
    check_env(gymnasium.make(f"coincourse.outside.envs:{envs.ID}", **settings).unwrapped)


@pytest.mark.parametrize("game", [GreedyCoins((3, 1, 4, 1, 5)), NoughtsAndCrosses(), Ladder(7)])
@pytest.mark.filterwarnings("ignore:Observation")
def test_your_own_games(game):
    api_test(envs.env(game, render_mode="ansi"), num_cycles=60)
    check_env(gymnasium.make(envs.ID, scenario=game, opponent="perfect", render_mode="ansi").unwrapped)
