"""Games that students write: with only the seven names, without equality, with odd legal moves and answers."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pytest
from own_games import OWN_GAMES, Taking

from coinlib.agents import HumanAgent, PerfectAgent, RandomAgent, RuleAgent, take_one
from coinlib.arena import evaluate, round_robin
from coinlib.games import CoinGame, GameError, sticks
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import play_match
from coinlib.series import AgentWarning
from coinlib.solvers import minimax
from coinlib.tables import tabulate
from coinlib.training import train


@pytest.mark.parametrize("game", OWN_GAMES.values(), ids=OWN_GAMES)
def test_a_students_game_runs_with_everything(game):
    value = minimax(game).value
    match = play_match(game, PerfectAgent(seed=1), PerfectAgent(seed=2))
    assert match.winner == {1: 1, 0: 0, -1: 2}[int(np.sign(value))]
    assert "0x" not in match.reason
    assert len(match.to_frame()) == len(match.moves)
    perfect = evaluate(game, PerfectAgent(), RandomAgent(), games=300, seed=1, first="agent")
    assert perfect.losses == 0 or value < 0
    assert evaluate(game, RandomAgent(legal_only=False), RandomAgent(), games=300, seed=1).forfeits > 0
    for learner in (Hats(game, seed=1), QLearner(game, 0.3, exploration=linear(0.5, 0, 8_000), seed=1)):
        run = train(learner, RandomAgent(), games=10_000, seed=1)
        assert np.mean(run.result[-1_000:]) > np.mean(run.result[:1_000])
        assert play_match(game, learner, RandomAgent(), seed=1).forfeit is None
    person = HumanAgent(ask=lambda prompt: str(game.legal_moves(game.start)[0]))
    assert person(game, game.start) == game.legal_moves(game.start)[0]
    assert round_robin(game, {"a": RandomAgent(), "b": PerfectAgent()}, games=100, seed=1).index[0] == "b"


# --- games whose classes do not define equality -------------------------------------------------------


class Cached:
    """Takes one or two of some sticks, and works out its list of moves when it is first asked for."""

    def __init__(self, start):
        self.start = start

    @cached_property
    def moves(self):
        return (1, 2)

    def legal_moves(self, state):
        return [take for take in self.moves if take <= state]

    def play(self, state, take):
        return state - take

    def is_over(self, state):
        return state == 0

    def reward(self, state, take):
        return 0

    def result(self, state):
        return 1


def test_a_game_without_equality_is_learnt_and_known_again():
    learner = Hats(Cached(7), seed=1)
    train(learner, RandomAgent(), games=30, seed=1)
    train(learner, Hats(Cached(7)), games=30, seed=1)
    assert learner.games == 60
    assert learner(Cached(7), 7) in (1, 2)  # a second object of the same game
    assert evaluate(Cached(7), learner, RandomAgent(), games=30, seed=1).games == 30
    assert play_match(Cached(7), learner, learner, learn=True).winner in (1, 2)
    with pytest.raises(ValueError, match="this learner plays"):
        learner(Cached(8), 7)


# --- games and agents that are a little odd -------------------------------------------------------------


def both_ways(game, rule, opponent):
    """Evaluate a rule as a table and as a function; the counts, which are the same."""
    counted = []
    for agent in (RuleAgent(rule), rule):
        found = evaluate(game, agent, opponent, 60, seed=1)
        counted.append((found.wins, found.losses, found.forfeits))
    assert counted[0] == counted[1]
    return counted[0]


@pytest.mark.parametrize("answer", [1.0, True])
def test_a_rule_that_answers_a_float_or_a_bool_forfeits_in_both_ways(answer):
    assert both_ways(Taking(), lambda game, state: answer, RandomAgent()) == (0, 60, 60)


def derived(**members):
    """A student's game with other members."""
    return type("Derived", (Taking,), members)()


def test_moves_that_numpy_made_are_legal_in_both_ways():
    game = derived(legal_moves=lambda self, state: [np.int64(take) for take in (1, 2) if take <= state])
    assert both_ways(game, lambda game, state: 1, RandomAgent())[2] == 0


@pytest.mark.parametrize("legal", [lambda self, state: (take for take in (1, 2)), lambda self, state: [None]])
def test_legal_moves_that_are_no_list_of_moves_are_refused(legal):
    game = derived(legal_moves=legal)
    for play in (lambda: evaluate(game, RandomAgent(), RandomAgent(), 5), lambda: tabulate(game)):
        with pytest.raises(GameError, match="legal_moves"):
            play()


def test_a_derived_game_of_coins_may_forbid_more():
    class NeverTwo(CoinGame):
        def legal_moves(self, state):
            return [move for move in super().legal_moves(state) if move.count != 2]

    assert both_ways(NeverTwo((9,), 3), lambda game, state: 2, take_one) == (0, 60, 60)


def test_a_warning_shows_the_line_of_your_own_code():
    def rule(game, state):
        return 1 // (state[0] - 1)

    with pytest.warns(AgentWarning, match=r"return 1 // \(state\[0\] - 1\)"):
        evaluate(sticks(3, misere=False), RuleAgent(rule), RandomAgent(), games=50, seed=1)
