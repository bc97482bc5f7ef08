"""Who chooses: the agents one by one, and that perfect play never loses a won position."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from by_the_rules import best_moves, coin_games, games, states_of
from hypothesis import given, settings

from coinlib import HumanAgent, MixedAgent, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
from coinlib.agents import closed_form, leave_multiple, mirror, take_most, take_one
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, sticks, three_piles
from coinlib.match import play_match
from coinlib.named import AGENTS
from coinlib.named import agent as agent_called
from coinlib.tables import tabulate

NIM = SCENARIOS["NIM"]
RULES = take_one, take_most, leave_multiple, mirror, closed_form


class Always:
    """A random source that always gives the same number."""

    def __init__(self, chance):
        self.chance = chance

    def random(self):
        return self.chance


def drawn(agent, game, state, count):
    """Ask an agent with evenly spaced draws; return how often it made each move."""
    made = Counter()
    for number in range(count):
        agent.generator = Always((number + 0.5) / count)
        made[agent(game, state)] += 1
    return made


# --- perfect play, and random play ----------------------------------------------------------------------


@settings(max_examples=30)
@given(games)
def test_the_perfect_agent_makes_every_best_move_equally_often_and_no_other(game):
    """From every state, when called and as a table."""
    table, agent = tabulate(game), PerfectAgent()
    weights = agent.move_weights(game, table)
    for state in states_of(game):
        best = best_moves(game, state)
        assert [table.moves[column] for column in np.flatnonzero(weights[table.index[state]])] == best
        if best:
            assert drawn(agent, game, state, 2 * len(best)) == dict.fromkeys(best, 2)


def test_random_moves_are_equally_likely():
    """All legal ones; for the careless agent every possible move. As a table as well."""
    state = (1, 0, 5, 1)
    legal = NIM.legal_moves(state)
    assert drawn(RandomAgent(), NIM, state, 3 * len(legal)) == dict.fromkeys(legal, 3)
    assert drawn(RandomAgent(legal_only=False), NIM, state, 16) == dict.fromkeys(NIM.moves, 2)
    table = tabulate(NIM)
    weights = RandomAgent().move_weights(NIM, table)[table.index[state]]
    assert [move for move, weight in zip(table.moves, weights) if weight] == legal
    assert set(weights) == {0, 1}
    assert (RandomAgent(legal_only=False).move_weights(NIM, table) == 1).all()


def test_an_agent_of_chance_has_its_own_generator():
    """NumPy's global generator is neither used nor changed."""
    before = np.random.get_state()[1].tolist()
    moves = []
    for seed in (7, 7, 8):
        agent = RandomAgent(seed)
        moves.append([agent(sticks(20), (20,)) for _ in range(30)])
    assert moves[0] == moves[1] != moves[2]
    assert np.random.get_state()[1].tolist() == before


# --- rules ----------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(coin_games)
def test_rules_make_legal_moves_and_two_of_them_never_lose_a_won_position(game):
    """The closed form on any rows, leaving a multiple on one row."""
    rules = [rule for rule in RULES if rule is not mirror or len(game.rows) == 2]
    perfect = (closed_form, leave_multiple) if len(game.rows) == 1 else (closed_form,)
    for state in states_of(game):
        for rule in () if game.is_over(state) else rules:
            move = rule(game, state)
            assert move in game.legal_moves(state), rule
            assert rule not in perfect or move in best_moves(game, state), rule


def test_rules_by_hand():
    assert take_one(NIM, (0, 3, 5, 7)) == (1, 1)
    assert take_most(NIM, (1, 3, 5, 7)) == (3, 2)
    assert take_most(three_piles(3, 3, 7), (3, 3, 7)) == (2, 7)
    assert leave_multiple(sticks(20), (20,)) == (0, 3)  # leaves 17, one more than a multiple of four: misère play
    assert leave_multiple(sticks(21, misere=False), (21,)) == (0, 1)  # leaves 20: normal play
    assert mirror(CoinGame((5, 3), 3), (5, 3)) == (0, 2)
    assert mirror(CoinGame((3, 5), 3), (3, 5)) == (1, 2)
    assert closed_form(NIM, (1, 3, 5, 7)) == (1, 1)


def test_the_closed_form_plays_one_row_of_twenty_million_coins(monkeypatch):
    """No move is listed, and no table is made."""
    monkeypatch.setattr(CoinGame, "legal_moves", lambda game, state: [])
    monkeypatch.setattr("coinlib.agents.solve", None)
    game = sticks(20_000_000, max_pick=None, misere=False)
    assert closed_form(game, game.start) == (0, 20_000_000)
    game, most = sticks(20_000_000, max_pick=7_000_000), 7_000_000
    match = play_match(game, closed_form, lambda game, state: min(most, state[0]))
    assert [move.count for move in match.moves] == [5_999_997, most, 1, most, 1, 1]
    assert match.winner == 1


def test_mirroring_wins_in_normal_play_and_loses_in_misere_play():
    for most in (2, 3, None):
        normal, misere = CoinGame((4, 4), most, misere=False), CoinGame((4, 4), most, misere=True)
        assert evaluate(normal, mirror, RandomAgent(), games=200, seed=1, first="opponent").wins == 200
        assert evaluate(misere, mirror, PerfectAgent(), games=50, seed=1, first="opponent").wins == 0


def test_a_rule_is_asked_once_in_each_state():
    asked = Counter()

    def rule(game, state):
        asked[state] += 1
        return 1

    agent = RuleAgent(rule)
    evaluate(sticks(20), agent, RandomAgent(), games=500, seed=1)
    assert asked == Counter({(held,): 1 for held in range(1, 21)})
    assert (repr(agent), RuleAgent(rule, name="mine").name) == ("RuleAgent(rule)", "mine")


def test_a_move_that_is_listed_more_often_is_drawn_more_often():
    """1,000 draws; three standard deviations are 0.04."""
    agent = MixedAgent(lambda game, state: [(0, 1), 2, 2, 2], seed=1)
    drawn = [agent(sticks(20), (20,)).count for _ in range(1_000)]
    assert set(drawn) == {1, 2} and abs(drawn.count(2) / 1_000 - 0.75) < 0.04
    assert (repr(agent), MixedAgent(take_one, name="mine").name) == ("MixedAgent(<lambda>)", "mine")
    with pytest.raises(ValueError, match="positive sum in each state"):
        evaluate(sticks(20), MixedAgent(lambda game, state: []), RandomAgent(), games=5, seed=1)
    forfeits = evaluate(sticks(20), MixedAgent(lambda game, state: [4]), RandomAgent(), games=5, seed=1)
    assert forfeits.forfeits == 5


# --- scripts and people ---------------------------------------------------------------------------------


def test_a_script_begins_again_in_every_match():
    script = ScriptedAgent(3, 1)
    for _ in range(2):
        assert [move.count for move in play_match(sticks(5), script, ScriptedAgent(1)).moves] == [3, 1, 1]
    assert evaluate(sticks(5), script, ScriptedAgent(1), games=10, first="agent").losses == 10


@pytest.mark.parametrize(
    ("game", "answers", "move", "said"),
    [
        (sticks(20), [" 2 "], (0, 2), []),
        (sticks(50), ["55", "3"], (0, 3), ["Row 0 holds 50 coins; asked to take 55 (legal: 1 to 3)."]),  # the handout
        (sticks(20), ["", "2"], (0, 2), ["Expected a number of coins, got ''."]),
        (sticks(20), ["__import__('os')", "1"], (0, 1), ["Expected a number of coins, got \"__import__('os')\"."]),
        (sticks(20), ["²", "1"], (0, 1), ["Expected a number of coins, got '²'."]),
        (NIM, ["2,2"], (2, 2), []),
        (NIM, ["2", "2 1"], (2, 1), ["Expected a row and a number of coins, got '2'."]),
        (NIM, ["9 1", "2 1"], (2, 1), ["There is no row 9; this game has rows 0 to 3."]),
        (GreedyCoins((1, 2)), ["middle", "l"], "L", ["'middle' is not a legal move in (0, 2) (legal: 'L', 'R')."]),
    ],
)
def test_a_person_is_asked_until_the_answer_is_legal(game, answers, move, said):
    """Input is read, never run."""
    words, typed = [], iter(answers)
    person = HumanAgent(ask=lambda prompt: next(typed), say=words.append)
    assert person(game, game.start) == move
    assert words == said


def test_a_person_is_asked_through_input_unless_told_otherwise(monkeypatch):
    prompts = []
    monkeypatch.setattr("builtins.input", lambda prompt: prompts.append(prompt) or "2")
    match = play_match(sticks(4), HumanAgent("Ada"), ScriptedAgent(2))
    assert prompts == ["Ada, your move in (4,): "]
    assert (match.names, match.winner) == (("Ada", "ScriptedAgent"), 1)


# --- by name --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_can_be_called_by_its_name(name):
    game = CoinGame((3, 3), 3)
    agent, again = (agent_called(name.replace("_", "-"), game, seed=1, practice=50) for _ in range(2))
    assert [agent(game, (3, 2)) for _ in range(20)] == [again(game, (3, 2)) for _ in range(20)]
    assert getattr(agent, "games", 50) == 50  # a learner has practised
    assert "0x" not in repr(agent) and 10 < len(AGENTS[name].words) < 70
