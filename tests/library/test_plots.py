"""Pictures of results and of what learners hold, tested through what they draw: circles, labels, numbers."""

import matplotlib
import numpy as np
import pytest
import referee
from pandas import DataFrame

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.text import Text

from coinlib import plots
from coinlib.agents import RandomAgent, ScriptedAgent
from coinlib.arena import wilson
from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, sticks, three_piles
from coinlib.learners import Hats, QLearner
from coinlib.match import play_match
from coinlib.plots import look, results
from coinlib.solvers import minimax, solve, solve_greedy
from coinlib.training import Run, train
from coinlib.trees import game_tree
from coinlib.words import ending_words


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


NIM = SCENARIOS["NIM"]


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (NIM, (1, 3, 5, 7)),
        (NIM, (1, 3, 3, 0)),
        (sticks(60), (58,)),
        (CoinGame((0, 0), 1), (0, 0)),
        (three_piles(1, 2, 3), (1, 0, 3)),
    ],
    ids=str,
)
def test_board_shows_every_coin_of_the_start(game, state):
    ax = plots.board(game, state)
    filled = [patch.center for patch in ax.patches if patch.get_facecolor()[3]]
    gone = [patch.center for patch in ax.patches if not patch.get_facecolor()[3]]
    assert (len(filled), len(gone)) == (sum(state), sum(game.rows) - sum(state))
    assert all(x > max(place for place, line in filled if line == y) for x, y in gone if (0, y) in filled)
    assert labels(ax.yaxis) == [f"row {row}: {counted(held, 'coin')}" for row, held in enumerate(state)]
    assert ax.get_title() == ending_words(game)


def test_heatmap_writes_the_number_in_each_cell():
    names = ["mine", "random", "take one"]
    table = DataFrame([[np.nan, 0.9, 1.0], [0.1, np.nan, 0.4], [0.0, 0.6, np.nan]], index=names, columns=names)
    ax = plots.round_robin_heatmap(table)
    assert " ".join(text.get_text() for text in ax.texts) == "– 90 % 100 % 10 % – 40 % 0 % 60 % –"
    assert labels(ax.xaxis) == labels(ax.yaxis) == names
    np.testing.assert_array_equal(ax.images[0].get_array().filled(np.nan), table.to_numpy())
    with pytest.raises(ValueError, match="win rates: expected 0 to 1, got 12 to 988"):
        plots.round_robin_heatmap(DataFrame([[np.nan, 988], [12, np.nan]]))


def test_win_rates_stand_where_the_table_says():
    rows = {f"{wins} of 7": (wins / 7, *wilson(wins, 7)) for wins in (7, 1, 0)}
    ax = plots.win_rates(DataFrame(rows, index=["win_rate", "low", "high"]).T.rename_axis("how many"))
    dots, _, (bars,) = ax.containers[0]
    found = [[rate, *bar[:, 0]] for rate, bar in zip(dots.get_xdata(), bars.get_segments())]
    np.testing.assert_allclose(found, 100 * np.array(list(rows.values())), atol=1e-9)
    assert labels(ax.yaxis) == list(rows) and ax.get_ylabel() == "how many"
    assert ax.get_ylim() == (2.5, -0.5)  # the first row at the top


def test_shares_stand_where_the_counts_say():
    ax = plots.shares(DataFrame({"search": [18, 54], "average": [15, 23]}, index=[10, 1_000]), asked=60)
    for container, counts in zip(ax.containers, ((18, 54), (15, 23))):
        dots, _, (bars,) = container
        ends = [bar[:, 1] for bar in bars.get_segments()]
        np.testing.assert_allclose(dots.get_ydata(), 100 * np.array(counts) / 60)
        np.testing.assert_allclose(ends, [100 * np.array(wilson(count, 60)) for count in counts])
    assert ax.get_xscale() == "log" and labels(ax.xaxis) == ["10", "1,000"]


# --- learning curves ------------------------------------------------------------------------------------


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


def test_win_rate_table_gives_the_numbers_of_the_curves():
    runs = {"a": [run_of(1, 0, 1, 1), run_of(0, 0, 1, 1)], "b": run_of(0, 0, 0, 1)}
    table = plots.win_rate_table(runs, window=2)
    assert table["curve"].tolist() == ["a"] * 3 + ["b"] * 3
    assert table["games"].tolist() == [2, 3, 4] * 2 and table["runs"].tolist() == [2] * 3 + [1] * 3
    drawn = [line.get_ydata() for line in plots.win_rate(runs, window=2).lines]
    assert (100 * table["mean"]).tolist() == np.concatenate(drawn).tolist() == [25, 50, 100, 0, 0, 50]
    assert plots.win_rate_table(run_of(*[1] * 1_000), window=5, points=4)["games"].tolist() == [5, 29, 171, 1000]


# --- hats -----------------------------------------------------------------------------------------------


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


@pytest.fixture(scope="module")
def q10():
    """A Q-learner that has learnt ten sticks, with values of all kinds."""
    learner = QLearner(sticks(10), learning_rate=0.3, exploration=0.3)
    train(learner, RandomAgent(), games=1_000, seed=1)
    return learner


def cells(patches):
    return {(round(x), round(y)) for x, y in (patch.get_center() for patch in patches)}


def test_q_table_writes_every_value_and_marks_what_is_best(q10):
    ax = plots.q_table(q10.table, q10.values, solve(sticks(10)).best_moves)
    words = {text.get_position(): text.get_text() for text in ax.texts}
    assert words == {
        (x, y): look.short(q10.values[q10.table.row((x + 1,)), y]) for x in range(10) for y in range(3) if y <= x
    }
    assert cells(patch for patch in ax.patches if not patch.get_fill()) == {
        (x, q10(sticks(10), (x + 1,)).count - 1) for x in range(10)
    }
    stars = {(round(line.get_xdata()[0]), round(line.get_ydata()[0])) for line in ax.lines}
    assert stars == {(hat - 1, (hat - 1) % 4 - 1) for hat in range(1, 11) if hat % 4 != 1}
    assert cells(patch for patch in ax.patches if patch.get_hatch()) == {(0, 1), (0, 2), (1, 2)}


def test_q_table_of_a_game_with_points():
    game = GreedyCoins((1, 2, 4, 3))
    learner = QLearner(game)
    ax = plots.q_table(learner.table, learner.values, lambda state: minimax(game, state).moves)
    assert len(labels(ax.yaxis)) == 10 and ax.get_ylabel() == "state" and labels(ax.xaxis) == ["L", "R"]


def test_policy_tells_right_from_wrong_from_lost_by_shape():
    learner = QLearner(sticks(5))  # takes 1 everywhere: right in 2 only; 1 and 5 are lost in misère play
    ax = plots.policy(learner.table, learner.values, solve(sticks(5)).best_moves)
    right, wrong = ax.collections
    assert right.get_offsets().tolist() == [[1, 0]]
    assert wrong.get_offsets().tolist() == [[2, 0], [3, 0]]
    assert right.get_paths()[0].vertices.shape != wrong.get_paths()[0].vertices.shape  # a circle and a diamond
    assert [text.get_text() for text in ax.texts] == ["1"] * 5


@pytest.mark.parametrize("name", SCENARIOS)
def test_policy_counts_as_distance_to_perfect_does(name):
    game = SCENARIOS[name]
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
    ax = plots.policy(hats.table, hats.values, best)
    places = {tuple(place) for group in ax.collections for place in group.get_offsets().tolist()}
    assert len(places) == (table["verdict"] != "lost").sum()  # each state has a place of its own
    assert len(ax.texts) == len(table) == game.state_count - 1


# --- all of them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", referee.PICTURES)
def test_letters_are_large_enough_and_stand_inside_the_picture(name):
    ax = referee.PICTURES[name]()
    figure, legend = ax.figure, ax.get_legend()
    assert figure.get_figwidth() <= (15 if name.startswith("tree") else 11)  # inches; a notebook shrinks a wide tree
    figure.draw_without_rendering()
    assert all(text.get_fontsize() >= look.SMALL for text in figure.findobj(Text) if text.get_text())
    inside = [text for text in (*ax.texts, ax.title, ax._left_title) if text.get_text()]
    if legend:
        inside.append(legend)
    page = figure.bbox.padded(3)  # pixels: fonts differ a little
    for box in (part.get_window_extent() for part in inside):
        assert page.containsx(box.x0) and page.containsx(box.x1)


def test_every_picture_draws_where_it_is_told(q10, caplog):
    hats, best, greedy = Hats(sticks(10)), solve(sticks(10)).best_moves, solve_greedy([1, 2, 4, 3])
    for draw, *data in (
        (plots.board, NIM),
        *(
            (kind, hats.table, hats.balls)
            for kind in (plots.hats, plots.hats_balls, plots.hats_shares, plots.hats_heat)
        ),
        (plots.q_table, q10.table, q10.values),
        (plots.policy, q10.table, q10.values, best),
        (plots.win_rate, run_of(1, 0, 1, 1, 1)),
        (plots.win_rates, DataFrame({"win_rate": [0.5], "low": [0.4], "high": [0.6]})),
        (plots.round_robin_heatmap, DataFrame([[0.5]])),
        (plots.positions, solve(SCENARIOS["DOUBLE_21_2"])),
        (plots.triangle, greedy),
        (plots.triangle_heat, greedy),
        (plots.red_and_blue, [1, 2, 4, 3]),
        (plots.tree, game_tree(sticks(3))),
    ):
        figure, (mine, other) = plt.subplots(1, 2)
        assert draw(*data, ax=mine) is mine
        figure.draw_without_rendering()
        assert not other.has_data() and not caplog.records
        plt.close(figure)


def test_names_of_numbers():
    names = [look.short(number) for number in (0, -0.001, 0.1, 1, -0.55, 100.0, 0.999, -1234.5)]
    assert names == ["0", "0", "0.1", "1", "−0.55", "100", "1", "−1234.5"]
