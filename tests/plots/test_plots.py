"""Pictures of boards and results, tested through what they draw; what must hold for every picture."""

import numpy as np
import pytest
from letters import ONE_OF_EACH, check_letters
from matplotlib import pyplot as plt
from matplotlib.patches import Circle, Rectangle
from pandas import DataFrame

from coinlib import plots
from coinlib.agents import RandomAgent, ScriptedAgent, take_one
from coinlib.arena import wilson
from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, sticks, three_piles
from coinlib.learners import Hats, QLearner
from coinlib.match import play_match
from coinlib.plots import look, results
from coinlib.solvers import solve, solve_greedy
from coinlib.training import Run, train
from coinlib.trees import game_tree
from coinlib.words import ending_words


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


NIM = SCENARIOS["NIM"]


def test_board_shows_every_coin_of_the_start():
    for game, state in (
        (NIM, (1, 3, 3, 0)),
        (sticks(60), (58,)),
        (CoinGame((0, 0), 1), (0, 0)),
        (three_piles(1, 2, 3), (1, 0, 3)),
    ):
        ax = plots.board(game, state)
        filled = [patch.center for patch in ax.patches if patch.get_facecolor()[3]]
        gone = [patch.center for patch in ax.patches if not patch.get_facecolor()[3]]
        assert (len(filled), len(gone)) == (sum(state), sum(game.rows) - sum(state))
        assert all(x > max(place for place, line in filled if line == y) for x, y in gone if (0, y) in filled)
        assert labels(ax.yaxis) == [f"row {row}: {counted(held, 'coin')}" for row, held in enumerate(state)]
        assert ax.get_title().replace("\n", " ") == ending_words(game)


def test_slips_shows_each_turn_and_marks_what_gave_a_win_away():
    agents = ScriptedAgent(3, 1, 2, 3, 2), ScriptedAgent(2, 3, 2, 1, 1)
    match = play_match(sticks(20), *agents)
    ax = plots.slips(match, solve(match.game), names=("Marvin", "Hal"))
    filled = [patch.center for patch in ax.patches if hasattr(patch, "center") and patch.get_facecolor()[3]]
    left = [sum(1 for _, line in filled if line == turn) for turn in range(10)]
    assert left == [17, 15, 14, 11, 9, 7, 4, 3, 1, 0]
    assert labels(ax.yaxis)[:2] == ["1 · Marvin takes 3", "2 · Hal takes 2"]
    assert "".join(text.get_text()[0] for text in ax.texts) == "★–✗✗★–✗✗★–"
    assert labels(plots.slips(match, solve(match.game)).yaxis)[0] == "1 · ScriptedAgent takes 3"
    rows = play_match(CoinGame((1, 2), max_pick=2), take_one, take_one)
    assert labels(plots.slips(rows, solve(rows.game)).yaxis)[1] == "2 · take_one takes 1 from row 1"


def test_slips_shows_the_rows_of_each_position_and_a_move_that_would_win():
    match = play_match(SCENARIOS["NIM"], take_one, take_one)
    ax = plots.slips(match, solve(match.game))
    drawn = [patch for patch in ax.patches if hasattr(patch, "center")]
    for turn, (before, after) in enumerate(zip(match.states, [*match.states[1:], match.state])):
        begins = 0
        for start, held, left in zip(match.game.rows, before, after):
            row = [patch for patch in drawn if patch.center[1] == turn and begins <= patch.center[0] < begins + start]
            assert (len(row), sum(patch.get_facecolor()[3] > 0 for patch in row)) == (held, left)
            begins += start + 1  # a gap between two rows
    assert labels(ax.xaxis) == ["row 0", "row 1", "row 2", "row 3"]
    assert ax.texts[0].get_text() == "✗ 1 from row 1 would win"


def test_heatmap_writes_the_number_in_each_cell():
    names = ["mine", "random", "take one"]
    table = DataFrame([[np.nan, 0.9, 1.0], [0.1, np.nan, 0.4], [0.0, 0.6, np.nan]], index=names, columns=names)
    ax = plots.round_robin_heatmap(table)
    assert " ".join(text.get_text() for text in ax.texts) == "– 90 % 100 % 10 % – 40 % 0 % 60 % –"
    assert labels(ax.xaxis) == labels(ax.yaxis) == names
    np.testing.assert_array_equal(ax.images[0].get_array().filled(np.nan), table.to_numpy())
    with pytest.raises(ValueError, match="win rates: expected 0 to 1, got 12 to 988"):
        plots.round_robin_heatmap(DataFrame([[np.nan, 988], [12, np.nan]]))


def test_a_report_card_writes_the_share_in_each_cell():
    ax = plots.report_card(DataFrame([[1.0, 0.955], [0.0, 0.5]], index=["perfect", "rule"], columns=[20, 19]))
    assert [text.get_text() for text in ax.texts] == ["100", "96", "0", "50"]
    assert (labels(ax.xaxis), labels(ax.yaxis)) == (["20", "19"], ["perfect", "rule"])
    with pytest.raises(ValueError, match="expected 0 to 1, got 0 to 190"):
        plots.report_card(DataFrame([[190, 0]]))


def test_an_arrow_goes_from_each_winner_to_the_loser():
    names = ["a", "b", "c", "d"]
    rates = [[np.nan, 1.0, 0.0, 0.5], [0.0, np.nan, 0.75, 0.5], [1.0, 0.25, np.nan, 0.4], [0.5, 0.5, 0.6, np.nan]]
    table = DataFrame(rates, index=names, columns=names).assign(mean=0.5)
    ax = plots.who_beats_whom(table, circle=("b", "c", "a"))
    place = {text.get_text(): text.get_position() for text in ax.texts if text.get_text() in names}
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    ends = [(arrow.xyann, arrow.xy, arrow.arrow_patch.get_linewidth()) for arrow in arrows]
    thick, thin = 4, 1.2
    expected = [("a", "b", thick), ("b", "c", thick), ("c", "a", thick), ("d", "c", thin)]
    assert ends == [(place[winner], place[loser], width) for winner, loser, width in expected]
    shares = [text.get_text() for text in ax.texts if "%" in text.get_text()]
    assert shares == ["100 %", "75 %", "100 %", "60 %"]
    assert place["a"] == pytest.approx((0, 1)) and place["b"] == pytest.approx((1.1, 0))


def test_shares_on_arrows_are_readable_with_seven_agents():
    """Only the three arrows of the circle carry a share, and no share covers another or a name."""
    names = ["mine", "neighbour", "take_one", "odd", "leave_one", "random", "perfect"]
    wins = np.triu(np.ones((7, 7)))
    wins[2, 4], wins[4, 2] = 0, 1  # take_one beats odd, odd beats leave_one, leave_one beats take_one
    ax = plots.who_beats_whom(DataFrame(wins - np.eye(7), index=names, columns=names), circle=names[2:5])
    ax.figure.canvas.draw()
    assert len([text for text in ax.texts if getattr(text, "arrow_patch", None)]) == 21
    shares = [text for text in ax.texts if "%" in text.get_text()]
    assert [text.get_text() for text in shares] == ["100 %"] * 3
    boxes = [text.get_window_extent() for text in shares]
    others = boxes + [text.get_bbox_patch().get_window_extent() for text in ax.texts if text.get_text() in names]
    assert not any(one.overlaps(other) for one in boxes for other in others if one is not other)


def test_arrows_end_at_the_boxes_of_the_names():
    names = ["a", "b", "an agent with a long name"]
    table = DataFrame([[np.nan, 0.5, 0.5], [0.5, np.nan, 1.0], [0.5, 0.0, np.nan]], index=names, columns=names)
    ax = plots.who_beats_whom(table)
    ax.figure.canvas.draw()
    (arrow,) = [text.arrow_patch for text in ax.texts if getattr(text, "arrow_patch", None)]
    boxes = {text.get_text(): text.get_bbox_patch().get_window_extent() for text in ax.texts if text.get_bbox_patch()}
    tip, tail = arrow.get_window_extent().x0, arrow.get_window_extent().x1
    assert 0 < tip - boxes[names[2]].x1 < 20
    assert 0 < boxes["b"].x0 - tail < 20


def test_a_learning_curve_counts_the_wins_of_full_blocks():
    won = [False, True, False, True, True, True, True]  # The last game fills no block.
    others = [[True] * 6, [False] * 3 + [True] * 3]
    ax = plots.learning_curve(won, others, block=3)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[3, 3], [0, 3], [1.5, 3], [1, 3]]
    assert [line.get_xdata().tolist() for line in ax.lines] == 4 * [[3, 6]]
    assert [text.get_text() for text in ax.texts] == ["1", "3"]
    assert ax.get_legend_handles_labels()[1][0] == "2 other learners (thin) and their mean (dashed)"
    with pytest.raises(ValueError, match="won: 7 games cannot fill a block of 20"):
        plots.learning_curve(won)


def test_win_rates_are_where_the_table_says():
    rows = {f"{wins} of 7": (wins / 7, *wilson(wins, 7)) for wins in (7, 1, 0)}
    ax = plots.win_rates(DataFrame(rows, index=["win_rate", "low", "high"]).T.rename_axis("how many"))
    dots, _, (bars,) = ax.containers[0]
    found = [[rate, *bar[:, 0]] for rate, bar in zip(dots.get_xdata(), bars.get_segments())]
    np.testing.assert_allclose(found, 100 * np.array(list(rows.values())), atol=1e-9)
    assert labels(ax.yaxis) == list(rows) and ax.get_ylabel() == "how many"
    assert ax.get_ylim() == (2.5, -0.5)  # the first row at the top


def test_a_spread_counts_the_people_of_each_rate():
    wins = np.random.default_rng(1).binomial(400, 0.5, size=1_000)
    ax = plots.spread(wins, games=400, mark=0.524)
    middle, others = ([column.get_height() for column in container] for container in ax.containers)
    assert sum(middle) + sum(others) == 1_000
    low, high = sorted(wins)[24] / 4, sorted(wins)[974] / 4  # 25 people are below, 25 above, or as many as tie
    assert sum(others) == np.count_nonzero((wins / 4 < low) | (wins / 4 > high))
    assert ax.containers[0].get_label() == f"the middle 95 %: from {low:.1f} % to {high:.1f} %"
    tallest = max(ax.containers[0], key=lambda column: column.get_height())
    left, width = tallest.get_x(), tallest.get_width()
    assert tallest.get_height() == np.count_nonzero((wins / 4 > left) & (wins / 4 < left + width)) and width == 0.5


def test_visits_are_as_high_as_the_tree_says_and_hatched_where_the_player_to_move_is_behind():
    tree = {(5,): (9, 1), (4,): (6, 3), (3,): (2, 0), (2,): (1, -1), (0,): (1, 1)}
    ax = plots.visits(tree, takes=2)
    assert labels(ax.xaxis) == ["4\ntake 1", "3\ntake 2", "2", "1"]
    centres = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    np.testing.assert_allclose(centres, [0, 1, 2])  # no bar for 1, which the search has not seen
    assert [bar.get_height() for bar in ax.patches] == [6, 2, 1]
    assert [text.get_text() for text in ax.texts] == ["0.5", "0", "−1"]
    assert [bar.get_hatch() for bar in ax.patches] == [None, "//", "//"]


def test_shares_are_where_the_counts_say():
    ax = plots.shares(DataFrame({"search": [18, 54], "average": [15, 23]}, index=[10, 1_000]), asked=60)
    for container, counts in zip(ax.containers, ((18, 54), (15, 23))):
        dots, _, (bars,) = container
        ends = [bar[:, 1] for bar in bars.get_segments()]
        np.testing.assert_allclose(dots.get_ydata(), 100 * np.array(counts) / 60)
        np.testing.assert_allclose(ends, [100 * np.array(wilson(count, 60)) for count in counts])
    assert ax.get_xscale() == "log" and labels(ax.xaxis) == ["10", "1,000"]


def test_columns_light_the_odd_ones_and_show_moves():
    ax = plots.columns((6, 7, 8), max_pick=3, moves=[(1, 1)])
    found = {name: [text.get_text() for text in ax.texts if text.get_gid() == name] for name in ("digit", "odd")}
    assert found == {"digit": list("10110001"), "odd": ["even", "odd"]}  # the values 2, 3, 0 and their XOR
    coins = [patch for patch in ax.patches if isinstance(patch, Circle)]
    lit = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    digits = [text.get_position()[0] for text in ax.texts if text.get_gid() == "digit"]
    assert len(coins) == 21
    assert [patch.get_x() + patch.get_width() / 2 for patch in lit] == pytest.approx([digits[1]])
    assert ax.texts[-1].get_text() == "→ 10   take 1, leave 6"
    assert not plots.columns((5, 5), max_pick=None).containers  # equal values: nothing is lit


# --- learning curves ------------------------------------------------------------------------------------


def test_shares_have_no_point_where_a_count_is_missing():
    ax = plots.shares(DataFrame({"search": {10: 18}, "average": {10: 15, 1_000: 23}}), asked=60)
    assert [len(container[0].get_ydata()) for container in ax.containers] == [1, 2]
    assert labels(ax.xaxis) == ["10", "1,000"]


def run_of(*won):
    """A run with these wins."""
    result = np.where(np.array(won, dtype=bool), 1, -1).astype(np.int8)
    return Run("learner", "opponent", result, np.ones(len(result), dtype=bool))


def test_games_won_by_an_illegal_move_are_marked():
    run = train(QLearner(sticks(5)), RandomAgent(legal_only=False), games=40, seed=1)
    _, marks = plots.win_rate(run).lines
    assert marks.get_xdata().tolist() == (1 + np.flatnonzero(run.forfeit > 0)).tolist() and run.opponent_forfeits
    assert marks.get_label() == "won by an illegal move of the opponent"


def test_curve_of_one_run_by_hand():
    ax = plots.win_rate(run_of(0, 0, 1, 1, 1, 0), window=2)
    (line,) = ax.lines
    assert line.get_xydata().tolist() == [[2, 0], [3, 50], [4, 100], [5, 100], [6, 50]]
    assert not ax.collections and ax.get_legend() is None  # one run has no band, one curve no name
    with pytest.raises(ValueError, match="4 games cannot fill a window of 5"):
        plots.win_rate(run_of(1, 1, 1, 1))


def test_curve_of_several_runs_is_their_mean_with_a_band():
    runs = [run_of(1, 1)] * 1 + [run_of(0, 0)] * 9 + [run_of(1, 0)] * 1  # after game 2: 100, 9 times 0, 50
    ax = plots.win_rate(runs, window=2)
    assert ax.lines[0].get_xydata() == pytest.approx(np.array([[2, 150 / 11]]))
    corners = ax.collections[0].get_paths()[0].vertices
    low, high = np.quantile([1, 0.5] + 9 * [0], [0.1, 0.9])
    assert (corners[:, 1].min(), corners[:, 1].max()) == pytest.approx((100 * low, 100 * high))
    assert ax.get_legend_handles_labels()[1] == ["mean of 11 runs; band: the middle 80 % of them"]


@pytest.mark.parametrize("log", [False, True])
def test_long_curves_are_thinned_keep_their_ends_and_show_full_windows(log):
    wins = np.random.default_rng(1).random(20_000) < 0.7
    games, percent = plots.win_rate(run_of(*wins), window=100, log=log).lines[0].get_xydata().T
    assert 100 < len(games) <= results.CURVE_POINTS and (games[0], games[-1]) == (100, 20_000)
    for game, rate in zip(games.astype(int), percent):
        assert rate == pytest.approx(100 * wins[game - 100 : game].mean())


# --- all of them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_letters_are_large_enough_and_inside_the_picture(name, caplog):
    """The other pictures: tests/full/test_all_letters.py."""
    check_letters(name)
    assert not caplog.records  # as of a letter that the font lacks


def test_every_picture_draws_where_it_is_told():
    game = sticks(10)
    hats = Hats(game)
    greedy = solve_greedy([1, 2, 4, 3])
    match = play_match(sticks(2), ScriptedAgent(1), ScriptedAgent(1))
    for draw, *data in (
        (plots.board, NIM),
        (plots.slips, match, solve(sticks(2))),
        (plots.hats, hats.table, hats.balls),
        (plots.hats_balls, hats.table, hats.balls),
        (plots.hats_shares, hats.table, hats.balls),
        (plots.hats_heat, hats.table, hats.balls),
        (plots.witnesses, hats, QLearner(game), solve(game)),
        (plots.win_rate, run_of(1, 0, 1, 1, 1)),
        (plots.learning_curve, [True, False], (), 1),
        (plots.win_rates, DataFrame({"win_rate": [0.5], "low": [0.4], "high": [0.6]})),
        (plots.spread, [9, 10, 11], 20),
        (plots.shares, DataFrame({"search": [18, 54]}, index=[10, 1_000]), 60),
        (plots.visits, {(3,): (4, 2), (2,): (2, -2), (1,): (1, 1)}),
        (plots.round_robin_heatmap, DataFrame([[0.5]])),
        (plots.report_card, DataFrame([[0.5]])),
        (plots.positions, solve(SCENARIOS["DOUBLE_21_2"])),
        (plots.columns, (6, 7, 8), 3),
        (plots.triangle, greedy),
        (plots.red_and_blue, [1, 2, 4, 3]),
        (plots.fusing, [1, 2, 4, 3], 1),
        (plots.opening, [3, 9, 4, 1]),
        (plots.tree, game_tree(sticks(3))),
    ):
        figure, (mine, other) = plt.subplots(1, 2)
        assert draw(*data, ax=mine) is mine, draw
        assert mine.has_data() or mine.patches or mine.texts, draw
        assert not other.has_data(), draw
        plt.close(figure)


def test_names_of_numbers():
    names = [look.short(number) for number in (0, -0.001, 0.1, 1, -0.55, 100.0, 0.999, -1234.5)]
    assert names == ["0", "0", "0.1", "1", "−0.55", "100", "1", "−1234.5"]
