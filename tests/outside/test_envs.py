"""The environments for PettingZoo and Gymnasium: their own checks in one game each, and the arena's rules."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_games import Ladder, NoughtsAndCrosses

from coinlib import SCENARIOS, CoinGame, GreedyCoins, Hats, PerfectAgent, RandomAgent, ScriptedAgent, play_match, sticks
from coinlib.match import AgentError

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from coincourse.outside import envs


def number(game: CoinGame, row: int, count: int) -> int:
    """The action that takes `count` coins from a row."""
    return game.moves.index((row, count))


# --- PettingZoo -----------------------------------------------------------------------------------------


def test_pettingzoos_own_checks_pass(capsys):
    """A warning of theirs is an error here. The full tier tries every scenario."""
    api_test(envs.env("NIM"), num_cycles=20)
    seed_test(lambda: envs.env("NIM"), num_cycles=20)
    assert capsys.readouterr().out.count("Passed API test") == 1
    assert envs.raw_env("NIM", misere=False).game == replace(SCENARIOS["NIM"], misere=False)


@st.composite
def lines_of_play(draw):
    """A small game and a line of play, legal or not at the end."""
    rows = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    game = CoinGame(rows if any(rows) else (2,), draw(st.integers(1, 4)), draw(st.booleans()))
    return game, draw(st.lists(st.integers(0, len(game.moves) - 1), min_size=sum(rows) + 2, max_size=sum(rows) + 2))


@settings(max_examples=30)
@given(lines_of_play(), st.booleans())
def test_the_rules_are_those_of_the_arena(line, stumble):
    """Any line of play ends the same way here and in `play_match`, forfeits included."""
    game, actions = line
    play = envs.env(game)
    play.reset()
    answers: list = [[], []]
    total = {"player_0": 0.0, "player_1": 0.0}
    for turn, player in enumerate(play.agent_iter()):
        _, reward, terminated, _, info = play.last()
        total[player] += reward
        if terminated:
            told = info
            play.step(None)
            continue
        legal = np.flatnonzero(info["action_mask"])
        assert [game.moves[action] for action in legal] == game.legal_moves(tuple(map(int, play.state()[:-1])))
        action = actions[turn] if stumble else int(legal[actions[turn] % len(legal)])
        answers[turn % 2].append(game.moves[action])
        play.step(action)
    match = play_match(game, ScriptedAgent(*answers[0]), ScriptedAgent(*answers[1]))
    names = (None, *envs.PLAYERS)
    forfeit = names[match.forfeit.player] if match.forfeit else None
    assert (told["winner"], told["forfeit"]) == (names[match.winner], forfeit)
    assert told["reason"] == match.reason.replace("player 1", "player_0").replace("player 2", "player_1")
    assert total == {"player_0": 3.0 - 2 * match.winner, "player_1": 2.0 * match.winner - 3}


def test_an_illegal_move_forfeits_and_one_that_is_none_is_a_slip():
    play = envs.raw_env("NIM")
    play.reset()
    for nonsense in (8, -1, None, "1", 0.5, [1]):
        with pytest.raises((ValueError, TypeError), match="action: expected"):
            play.step(nonsense)
    assert play.infos["player_0"]["action_mask"].tolist() == [1, 0, 1, 1, 1, 1, 1, 1]
    assert not play.infos["player_1"]["action_mask"].any()  # not to move
    play.step(number(play.game, 0, 2))
    assert play.terminations == {"player_0": True, "player_1": True}
    assert play.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert "row 0 holds 1 coin; asked to take 2 (legal: 1)" in play.infos["player_1"]["reason"]


# --- pictures -------------------------------------------------------------------------------------------


def test_the_text_says_all_there_is():
    play = envs.raw_env(CoinGame((3, 1), max_pick=2, misere=False), render_mode="ansi")
    play.reset()
    play.step(1)
    assert play.render() == (
        "normal play: at most 2 from one row\nrow 0: o.. 1 coin\nrow 1: o 1 coin\nplayer_1 to move\n"
    )
    play.step(0)
    play.step(number(play.game, 1, 1))
    assert play.render().endswith("player_0 took the last coin and wins (normal play)\n")


def test_the_picture_shows_each_coin():
    play = envs.raw_env(CoinGame((3, 1), max_pick=2), render_mode="rgb_array")
    play.reset()
    before = play.render()
    play.step(1)
    after = play.render()
    assert (before.dtype, before.shape) == (after.dtype, after.shape) == (np.uint8, (480, 640, 3))
    coins = [(picture == (230, 159, 0)).all(axis=2).sum() for picture in (before, after)]  # orange
    assert coins[1] / coins[0] == pytest.approx(2 / 4, rel=0.05)


# --- Gymnasium ------------------------------------------------------------------------------------------


def test_gymnasiums_own_checks_pass():
    """A warning of theirs is an error here. The full tier tries every scenario and opponent."""
    made = gymnasium.make(f"coincourse.outside.envs:{envs.ID}", scenario="NIM", opponent="random", first="alternate")
    check_env(made.unwrapped)


@pytest.mark.parametrize("first", ["agent", "opponent", "alternate"])
def test_masked_games_are_those_of_the_arena(first):
    """Perfect play from the seat of Gymnasium wins where it must, without a forfeit."""
    game = SCENARIOS["SINGLE_21_2"]  # misère play: the first player wins
    seat, perfect = envs.SeatEnv(game, opponent=PerfectAgent(), first=first), PerfectAgent(seed=1)
    rewards = []
    for episode in range(4):
        observation, info = seat.reset(seed=episode if episode == 0 else None)
        terminated = False
        while not terminated:
            assert info["action_mask"].tolist() == seat.action_masks().tolist()
            move = perfect(game, tuple(map(int, observation[:-1])))
            observation, reward, terminated, truncated, info = seat.step(game.moves.index(move))
            assert (reward != 0) == terminated
            assert not truncated
        assert info["forfeit"] is None and info["seat"] in ("first", "second")
        rewards.append(reward)
    assert rewards == {"agent": [1] * 4, "opponent": [-1] * 4, "alternate": [1, -1, 1, -1]}[first]


def test_a_seed_repeats_the_opponent_and_leaves_it_as_it_was():
    opponent = RandomAgent(seed=5)
    seat = envs.SeatEnv("DOUBLE_21_3", opponent=opponent)

    def a_game(seed):
        seen, info = [seat.reset(seed=seed)[0].tolist()], {"action_mask": seat.action_masks()}
        terminated = False
        while not terminated:
            observation, _, terminated, _, info = seat.step(int(np.argmax(info["action_mask"])))
            seen.append(observation.tolist())
        return seen

    games = [a_game(1), a_game(1), a_game(2)]
    assert games[0] == games[1] != games[2]
    assert opponent(sticks(20), (20,)) == RandomAgent(seed=5)(sticks(20), (20,))


def test_an_opponent_that_errs_forfeits_even_before_our_first_move():
    seat = envs.SeatEnv("NIM", opponent=lambda game, state: 99, first="opponent")
    observation, info = seat.reset(seed=1)
    assert not info["action_mask"].any()
    assert not seat.action_masks().any()
    observation, reward, terminated, _, info = seat.step(0)
    assert (reward, terminated, info["winner"], info["forfeit"]) == (1.0, True, "agent", "opponent")
    assert observation.tolist() == [1, 3, 5, 7, 2]


def test_an_opponent_that_raises_is_named_with_its_state():
    seat = envs.SeatEnv("NIM", opponent=Hats(sticks(5)), first="opponent")
    with pytest.raises(AgentError, match=r"Hats raised ValueError in state \(1, 3, 5, 7\): game: this learner plays"):
        seat.reset(seed=1)


def test_a_scripted_opponent_begins_again_in_each_game():
    seat = envs.SeatEnv(sticks(5), opponent=ScriptedAgent(3, 1), first="opponent")
    for _ in range(2):
        assert seat.reset(seed=1)[0].tolist() == [2, 3]
        assert seat.step(1)[1:3] == (-1.0, True)


# --- your own games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GreedyCoins((3, 1, 4, 1, 5)), NoughtsAndCrosses(), Ladder(7)])
def test_any_game_is_an_environment_and_ends_as_a_match_does(game):
    play = envs.raw_env(game, render_mode="ansi")
    play.reset()
    rewards = {}
    for player in play.agent_iter():
        observation, rewards[player], terminated, _, info = play.last()
        assert play.observation_space(player).contains(observation)
        if not terminated:
            legal = [move for move, may in zip(game.moves, info["action_mask"]) if may]
            assert legal == game.legal_moves(play._match.state)
        play.step(None if terminated else int(np.argmax(info["action_mask"])))
    match = play_match(game, *[lambda game, state: game.legal_moves(state)[0]] * 2)
    outcome = {0: 0.0, 1: 1.0, 2: -1.0}[match.winner]
    assert rewards == {"player_0": outcome, "player_1": -outcome}
    assert info["reason"] == match.reason.replace("player 1", "player_0").replace("player 2", "player_1")
    assert play.render().endswith(f"{info['reason']}\n")
    with pytest.raises(ValueError, match="render_mode: expected 'human', 'ansi' or None, got 'rgb_array'"):
        envs.raw_env(game, render_mode="rgb_array")


# --- settings that cannot be ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"scenario": "CHESS"}, "game: expected 'SINGLE_21_2', .* or 'NIM_7', got 'CHESS'"),
        ({"render_mode": "gif"}, "render_mode: expected 'human', 'ansi', 'rgb_array' or None, got 'gif'"),
        ({"first": "me"}, "first: expected 'agent', 'opponent' or 'alternate', got 'me'"),
        ({"opponent": "hard"}, "agent: expected 'random', .* or 'perfect', got 'hard'"),
        ({"opponent": RandomAgent}, r"opponent: expected an agent, a function \(game, state\)"),
    ],
)
def test_bad_settings_are_said_in_words(settings, words):
    with pytest.raises((ValueError, TypeError), match=words):
        envs.SeatEnv(**settings)


# --- an extra, not a burden -----------------------------------------------------------------------------


def test_the_course_does_not_need_it():
    heavy = ("gymnasium", "pettingzoo", "cloudpickle", "coincourse.outside.tournament", "google.protobuf")
    code = f"import sys, coinlib, coincourse.terminal; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_without_the_extra_it_says_what_to_add(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; import coinlib; import coincourse.outside.envs"
    complaint = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True
    ).stderr.splitlines()[-1]
    assert complaint.startswith("ImportError: coincourse.outside.envs needs PettingZoo and Gymnasium")
    assert complaint.endswith("pip install pettingzoo gymnasium")
    assert "://" not in complaint


@pytest.mark.parametrize("make", [envs.SeatEnv, envs.raw_env])
def test_before_reset_the_answer_is_to_call_reset(make):
    play = make("NIM", render_mode="ansi")
    for call in (lambda: play.step(0), play.render):
        with pytest.raises(envs.gymnasium.error.ResetNeeded, match=r"call reset\(\) first"):
            call()
    play.reset(seed=1)
    assert "NIM" in play.render() or "misère play" in play.render()
