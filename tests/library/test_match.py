"""One game, move by move: turn order, forfeits, points, the record."""

from __future__ import annotations

import pytest
from own_games import Taking

from coinlib import match as match_room
from coinlib.agents import RandomAgent, RuleAgent, ScriptedAgent, take_one
from coinlib.arena import evaluate
from coinlib.games import CoinGame, GreedyCoins, IllegalMove, Move, sticks
from coinlib.learners import Hats
from coinlib.match import AgentError, Match, play_match

# --- one match ------------------------------------------------------------------------------------------


def test_a_match_is_on_record():
    match = play_match(sticks(10), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3))
    assert match.moves == [(0, 3), (0, 2), (0, 1), (0, 3), (0, 1)]
    assert match.states == [(10,), (7,), (5,), (4,), (1,), (0,)]
    assert (match.winner, match.forfeit, match.rewards) == (2, None, [0] * 5)
    words = "player 1 took the last coin and loses (misère play)"
    assert repr(match) == f"Match(ScriptedAgent against ScriptedAgent: {words})"
    normal = play_match(sticks(10, misere=False), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3))
    assert (normal.winner, normal.reason) == (1, "player 1 took the last coin and wins (normal play)")


def test_frames_of_matches():
    sticks_taken = play_match(sticks(10), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3)).to_frame()
    assert sticks_taken.index.tolist() == [1, 2, 3, 4, 5]
    assert sticks_taken["player"].tolist() == [1, 2, 1, 2, 1]
    assert sticks_taken["takes"].tolist() == [3, 2, 1, 3, 1]
    assert sticks_taken["left"].tolist() == [7, 5, 4, 1, 0]
    rows = play_match(CoinGame((1, 2), 2), ScriptedAgent((1, 2)), ScriptedAgent((0, 1))).to_frame()
    assert rows[["row", "takes"]].to_numpy().tolist() == [[1, 2], [0, 1]]
    coins = play_match(GreedyCoins((1, 5)), ScriptedAgent("R"), ScriptedAgent("L")).to_frame()
    assert coins[["move", "points"]].to_numpy().tolist() == [["R", 5], ["L", 1]]


@pytest.mark.parametrize(
    ("coins", "winner", "points"),
    [((1, 1, 5), 1, "6 to 1"), ((1, 5, 1), 2, "2 to 5"), ((1, 5), 1, "5 to 1"), ((5, 1), 2, "1 to 5")],
)
def test_more_points_win_with_an_odd_or_even_number_of_moves(coins, winner, points):
    """The coins are taken from the right."""
    match = play_match(GreedyCoins(coins), ScriptedAgent("R", "R"), ScriptedAgent("R"))
    assert (match.winner, match.reason) == (winner, f"player {winner} wins: {points} points")


def test_an_agent_is_a_function_of_three_lines():
    def mine(game, state):
        moves = game.legal_moves(state)
        return moves[-1]

    assert play_match(sticks(5), mine, lambda game, state: 1).states == [(5,), (2,), (1,), (0,)]


def test_a_match_by_hand():
    """Some moves are passed in, others come from an agent."""
    match = Match(sticks(10), (None, ScriptedAgent(2, 3)), ("Ada", "script"))
    assert (match.state, match.turn, match.over, match.winner) == ((10,), 1, False, None)
    assert repr(match) == "Match(Ada against script: player 1 is to move)"
    match.make(3)
    assert (match.state, match.turn, match.moves) == ((7,), 2, [Move(0, 3)])
    match.step()
    assert (match.state, match.turn) == ((5,), 1)
    for answer in (1, (0, 3), 1):
        match.make(answer)
    assert (match.over, match.winner, match.forfeit, match.states[-1]) == (True, 2, None, (0,))
    for again in (match.step, lambda: match.make(1)):
        with pytest.raises(ValueError, match="the game is over"):
            again()
    assert len(match.states) == len(match.moves) + 1 == 6


def test_a_match_that_is_left_is_not_learnt_from():
    hats = Hats(sticks(10), seed=1)
    match = Match(sticks(10), (hats.sit(), None))
    match.step()
    match.make(1)
    match.step()
    assert len(hats.beside()) == 2
    match.leave()
    assert (hats.beside(), hats.games, hats.visits.sum()) == ([], 0, 0)


def test_a_game_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(match_room, "MOVES_AT_MOST", 50)
    circle = type("Circle", (Taking,), {"play": lambda self, state, take: 10})()
    with pytest.raises(ValueError, match="game: no end after 50 moves; is it too large, or can a state occur twice?"):
        play_match(circle, lambda game, state: 1, lambda game, state: 2)


# --- illegal moves, and agents that raise ---------------------------------------------------------------


def test_an_illegal_move_ends_a_match_and_loses_it_whatever_the_points():
    match = Match(GreedyCoins((100, 1, 1, 1)))
    for answer in ("L", "R", "both"):
        match.make(answer)
    assert (match.winner, match.rewards, match.states[-1]) == (2, [100, 1], (1, 3))
    assert match.forfeit == (1, "player 1", (1, 3), "both", "'both' is not a legal move in (1, 3) (legal: 'L', 'R')")
    assert match.reason == "player 1 forfeits: 'both' is not a legal move in (1, 3) (legal: 'L', 'R')"


@pytest.mark.parametrize("answer", [None, 2.0, (9, 1), "x" * 10**5], ids=["None", "2.0", "(9, 1)", "long"])
def test_an_illegal_move_loses_the_match_with_the_reason_on_record(answer):
    match = play_match(sticks(20), take_one, lambda game, state: answer)
    assert (match.winner, match.forfeit.player, match.forfeit.answer) == (1, 2, answer)
    assert match.reason.startswith("player 2 forfeits: ")
    assert 30 < len(match.reason) < 250
    assert match.states == [(20,), (19,)]  # the illegal move was not made
    for agent in (lambda game, state: answer, RuleAgent(lambda game, state: answer)):
        outcome = evaluate(sticks(20), agent, RandomAgent(), games=20, seed=1)
        assert (outcome.wins, outcome.losses, outcome.forfeits, outcome.opponent_forfeits) == (0, 20, 20, 0)


@pytest.mark.parametrize("error", [ZeroDivisionError, IllegalMove])  # only the rules say what is illegal
def test_an_agent_that_raises_is_named_with_the_state_it_had(error):
    def gives_up(game, state):
        raise error("I do not want to")

    words = rf"gives_up raised {error.__name__} in state \(7,\): I do not want to"
    with pytest.raises(AgentError, match=words) as caught:
        play_match(sticks(7), gives_up, take_one)
    assert isinstance(caught.value.__cause__, error)
