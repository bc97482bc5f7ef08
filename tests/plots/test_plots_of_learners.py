"""Pictures of what learners have learnt, tested through what they draw: balls, values, policies."""

import numpy as np
import pytest

from coinlib import plots
from coinlib.agents import ScriptedAgent
from coinlib.games import SCENARIOS, CoinGame, sticks
from coinlib.learners import Hats, QLearner
from coinlib.match import play_match
from coinlib.plots import look
from coinlib.solvers import solve
from coinlib.training import train

NIM = SCENARIOS["NIM"]


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


@pytest.fixture
def handout():
    """The hats after the handout's example game."""
    hats = Hats(sticks(10), seed=1)
    play_match(sticks(10), first=ScriptedAgent(3, 1, 1), second=hats, learn=True)
    return hats


def test_balls_that_are_never_drawn_are_dashed_and_winning_ones_ringed(handout):
    ax = plots.hats(handout.table, handout.balls, solve(sticks(10)).best_moves)
    found, dashed, ringed = {}, set(), set()
    for ball, text in zip(ax.patches, ax.texts):  # in each hat from below
        hat, number = int(text.get_position()[0]) + 1, int(text.get_text())
        found.setdefault(hat, []).append(number)
        if ball.get_linestyle() not in ("-", "solid"):
            dashed.add((hat, number))
        if ball.get_linewidth() > 2:
            ringed.add((hat, number))
    assert found == {hat: [1, 2, 3] for hat in range(1, 11)} | {4: [1, 2, 3, 3], 7: [1, 2, 2, 3]}
    assert dashed == {(1, 2), (1, 3), (2, 3)}
    assert ringed == {(hat, (hat - 1) % 4) for hat in range(1, 11) if hat % 4 != 1}  # misère play: 1, 5 and 9 lose
    assert "thick ring" in ax.get_title(loc="left") and "dashed" in ax.get_title(loc="left")


def test_full_hats_become_shares_and_many_moves_a_heat_map():
    hats = Hats(sticks(4))
    hats.put(4, move=3, balls=98)
    ax = plots.hats(hats.table, hats.balls, winning=solve(sticks(4)).best_moves)
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    np.testing.assert_allclose(heights, [[100, 50, 100 / 3, 1], [0, 50, 100 / 3, 1], [0, 0, 100 / 3, 98]])
    assert [text.get_text() for text in ax.texts[-4:]] == ["–", "★1", "★2", "★3"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["3", "2", "1"]  # stacked as in the bars
    many = Hats(sticks(12, max_pick=9))
    assert len(plots.hats(many.table, many.balls).images) == 1
    with pytest.raises(ValueError, match="use hats_heat"):
        plots.hats_shares(many.table, many.balls)


def test_hats_of_several_rows_become_a_heat_map_of_those_nearest_the_start():
    hats = Hats(NIM)
    ax = plots.hats(hats.table, hats.balls, solve(hats.game).best_moves)
    after_one = {look.state_name(NIM.play(NIM.start, move)) for move in NIM.legal_moves(NIM.start)}
    assert len(labels(ax.yaxis)) == 40 and labels(ax.yaxis)[0] == "1,3,5,7" and after_one <= set(labels(ax.yaxis))
    assert "40 of 383 states: those nearest the start" in ax.get_title(loc="left").replace("\n", " ")
    assert labels(ax.xaxis) == [f"{row}:{count}" for row in range(4) for count in (1, 2)]


def test_hats_that_are_asked_for_come_in_that_order(handout):
    ax = plots.hats(handout.table, handout.balls, states=[7, (4,), 10])
    assert labels(ax.xaxis) == ["7", "4", "10"]
    with pytest.raises(ValueError, match="11 cannot be reached"):
        plots.hats(handout.table, handout.balls, states=[11])
    with pytest.raises(ValueError, match=r"expected numbers of 11 states by 3 moves, .* got shape \(21, 3\)"):
        plots.hats(handout.table, Hats(sticks(20)).balls)


# --- values and policies --------------------------------------------------------------------------------


def cells(patches):
    return {(round(x), round(y)) for x, y in (patch.get_center() for patch in patches)}


@pytest.mark.parametrize("game", [SCENARIOS["SINGLE_21_2"], CoinGame((1, 3, 5), 2)], ids=["one row", "three rows"])
def test_policy_counts_as_distance_to_perfect_does(game):
    hats = Hats(game, seed=1)
    train(hats, hats, games=2_000, seed=1)
    best = solve(game).best_moves
    table = plots.policy_table(hats.table, hats.values, best)
    for state in hats.table.states[:20]:
        favourite = hats.table.moves[hats.values[hats.table.row(state)].argmax()]
        expected = "lost" if not best(state) else "wins" if favourite in best(state) else "throws the win away"
        assert table.loc[look.state_name(state), "verdict"] == expected
    if len(game.rows) == 1:  # there one seat or the other can meet every state
        assert (table["verdict"] == "wins").sum() == hats.distance_to_perfect("alternate").right
    assert len(table) == game.state_count - 1


# --- three witnesses ------------------------------------------------------------------------------------


def test_three_witnesses_say_what_they_hold_and_losing_counts_are_striped():
    game = sticks(5, max_pick=2, misere=False)
    hats, learner = Hats(game), QLearner(game)
    hats.put(4, move=1, balls=9)  # so it holds 10 balls
    learner.values[learner.table.row((4,)), 0] = 1.0
    learner.values[learner.table.row((3,))] = [-0.25, -1.0]
    ax = plots.witnesses(hats, learner, solve(game))
    ones, twos = ax.containers[:2]
    np.testing.assert_allclose([bar.get_height() for bar in ones], [1, 0.5, 0.5, 0.9, 0.5])
    np.testing.assert_allclose([bar.get_height() for bar in twos], [0, 0.5, 0.5, 0.1, 0.5])
    np.testing.assert_allclose([bar.get_height() for bar in ax.containers[2]], [0, 0, 0, 1, 0])
    words = [text.get_text() for text in ax.texts]
    assert words[-10:] == ["0", "0", "−0.2", "1", "0", "W", "W", "L", "W", "W"]
    striped = [patch for patch in ax.patches if patch.get_alpha() is not None]
    assert [patch.get_x() for patch in striped] == [1.5]  # 3 sticks
