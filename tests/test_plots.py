"""The pictures are tested through what they draw: circles, labels, numbers."""

import matplotlib
import numpy as np
import pytest
from colours import contrast
from pandas import DataFrame

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from coinlib import plots
from coinlib.agents import RandomAgent, ScriptedAgent
from coinlib.arena import Run, play_match, train, wilson
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, sticks, three_piles
from coinlib.learners import Hats, QLearner
from coinlib.plots import look, memory, results
from coinlib.solvers import minimax, solve


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def circles(ax, filled):
    """The centres of the circles that are filled, or of those that are not."""
    return [tuple(map(float, patch.center)) for patch in ax.patches if bool(patch.get_facecolor()[3]) == filled]


def row_labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_board_shows_every_coin_of_the_start():
    ax = plots.board(SCENARIOS["NIM"])
    assert len(circles(ax, filled=True)) == 1 + 3 + 5 + 7
    assert circles(ax, filled=False) == []
    assert row_labels(ax) == ["row 0: 1 coin", "row 1: 3 coins", "row 2: 5 coins", "row 3: 7 coins"]


def test_board_leaves_a_place_for_each_coin_that_is_gone():
    ax = plots.board(SCENARIOS["NIM"], (1, 3, 3, 0))
    assert len(circles(ax, filled=True)) == 7
    assert [centre for centre in circles(ax, filled=False) if centre[1] == 2] == [(3, 2), (4, 2)]  # at the right end
    assert row_labels(ax)[3] == "row 3: 0 coins"


def test_board_names_the_ending():
    assert plots.board(sticks(5)).get_title() == "misère play: who takes the last coin loses"
    assert plots.board(three_piles(1, 2, 3)).get_title() == "normal play: who takes the last coin wins"


def test_board_breaks_a_long_row_into_lines():
    ax = plots.board(sticks(60), (58,))
    assert sorted({y for _, y in circles(ax, filled=True)}) == [0, 1, 2]
    assert len(circles(ax, filled=True)) == 58
    assert row_labels(ax) == ["row 0: 58 coins"]


def test_board_draws_rows_of_none_and_where_it_is_told():
    _, mine = plt.subplots()
    assert plots.board(CoinGame((0, 0), max_pick=1), ax=mine) is mine
    assert len(mine.patches) == 0
    assert row_labels(mine) == ["row 0: 0 coins", "row 1: 0 coins"]


def test_board_refuses_a_state_of_another_game():
    with pytest.raises(ValueError, match="expected a state of this game"):
        plots.board(sticks(5), (6,))


def test_heatmap_writes_the_number_in_each_cell():
    names = ["mine", "random", "take one"]
    table = DataFrame([[np.nan, 0.9, 1.0], [0.1, np.nan, 0.4], [0.0, 0.6, np.nan]], index=names, columns=names)
    ax = plots.round_robin_heatmap(table)
    assert [text.get_text() for text in ax.texts] == [
        *("–", "90 %", "100 %"),
        *("10 %", "–", "40 %"),
        *("0 %", "60 %", "–"),
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    assert [label.get_text() for label in ax.get_xticklabels()] == names
    np.testing.assert_array_equal(ax.images[0].get_array().filled(np.nan), table.to_numpy())
    assert ax.get_xlabel() == "against"
    assert ax.get_title()


def test_heatmap_numbers_can_be_read_on_every_colour():
    ax = plots.round_robin_heatmap(DataFrame([[0.0, 0.25, 0.5, 0.75, 1.0]], index=["a"], columns=list("abcde")))
    image = ax.images[0]
    for text, rate in zip(ax.texts, image.get_array()[0]):
        assert contrast(text.get_color(), image.cmap(image.norm(rate))[:3]) >= 4.5


def test_heatmap_refuses_counts():
    with pytest.raises(ValueError, match="win rates: expected 0 to 1, got 12 to 988"):
        plots.round_robin_heatmap(DataFrame([[np.nan, 988], [12, np.nan]]))


def test_win_rates_stand_where_the_table_says():
    names = ["100 games", "400 games"]
    table = DataFrame({"win_rate": [0.6, 0.5], "low": [0.502, 0.451], "high": [0.691, 0.549]}, index=names)
    ax = plots.win_rates(table.rename_axis("how many"))
    dots, _, (bars,) = ax.containers[0]
    np.testing.assert_allclose(dots.get_xydata(), [[60, 0], [50, 1]])
    np.testing.assert_allclose([bar[:, 0] for bar in bars.get_segments()], [[50.2, 69.1], [45.1, 54.9]])
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    assert ax.get_ylim() == (1.5, -0.5)  # the first row at the top
    assert "95 %" in ax.get_xlabel() and ax.get_ylabel() == "how many"


@pytest.mark.parametrize("wins", [0, 1, 7])
def test_win_rates_of_none_and_all(wins):
    low, high = wilson(wins, 7)
    ax = plots.win_rates(DataFrame({"win_rate": [wins / 7], "low": [low], "high": [high]}), ax=plt.figure().subplots())
    assert ax.containers[0][0].get_xdata() == pytest.approx([100 * wins / 7])


def test_win_rates_refuse_what_is_no_rate():
    with pytest.raises(ValueError, match="missing: low, high"):
        plots.win_rates(DataFrame({"win_rate": [0.5]}))
    with pytest.raises(ValueError, match="0 <= low <= win_rate <= high <= 1"):
        plots.win_rates(DataFrame({"win_rate": [50], "low": [45], "high": [55]}))
    with pytest.raises(ValueError, match="0 <= low <= win_rate <= high <= 1"):
        plots.win_rates(DataFrame({"win_rate": [0.5], "low": [0.6], "high": [0.7]}))


# --- learning curves --------------------------------------------------------------------------------------


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
    assert ax.get_xlabel() == "games played"
    assert ax.get_ylabel() == "wins among the last 2 games, in %"
    assert not ax.collections and ax.get_legend() is None  # one run has no band, one curve no name


def test_curve_of_several_runs_is_their_mean_with_a_band():
    runs = [run_of(1, 1)] * 1 + [run_of(0, 0)] * 9 + [run_of(1, 0)] * 1  # after game 2: 100, 9 times 0, 50
    ax = plots.win_rate(runs, window=2)
    assert ax.lines[0].get_xydata() == pytest.approx(np.array([[2, 150 / 11]]))
    corners = ax.collections[0].get_paths()[0].vertices
    low, high = np.quantile([1, 0.5] + 9 * [0], [0.1, 0.9])
    assert (corners[:, 1].min(), corners[:, 1].max()) == pytest.approx((100 * low, 100 * high))
    assert ax.get_legend_handles_labels()[1] == ["mean of 11 runs; band: the middle 80 % of them"]


def test_curves_side_by_side_differ_in_more_than_colour():
    names = ["hats", "rate 1", "rate 0.1", "exploring", "self-play", "perfect"]
    ax = plots.win_rate({name: [run_of(1, 0, 1), run_of(1, 1, 1)] for name in names}, window=1)
    assert [label.split(" (")[0] for label in ax.get_legend_handles_labels()[1]] == names
    for looks in ("get_color", "get_marker"):
        assert len({getattr(line, looks)() for line in ax.lines}) == 6
    assert len({line.get_linestyle() for line in ax.lines[:4]}) == 4


@pytest.mark.parametrize("log", [False, True])
def test_long_curves_are_thinned_and_keep_their_ends(log):
    run = Run("a", "b", np.ones(100_000, np.int8), np.ones(100_000, bool))
    ax = plots.win_rate(run, window=50, log=log)
    games = ax.lines[0].get_xdata()
    assert 100 < len(games) <= results.CURVE_POINTS
    assert (games[0], games[-1]) == (50, 100_000)
    assert (np.diff(games) > 0).all()
    assert ax.get_xscale() == ("log" if log else "linear")


def test_every_point_of_a_thinned_curve_is_a_full_window():
    wins = np.random.default_rng(1).random(5_000) < 0.7
    run = run_of(*wins)
    points = plots.win_rate(run, window=100).lines[0].get_xydata()
    for game, percent in points[::50]:
        assert percent == pytest.approx(100 * wins[int(game) - 100 : int(game)].mean())


def test_win_rate_table_gives_the_numbers_of_the_curves():
    runs = {"a": [run_of(1, 0, 1, 1), run_of(0, 0, 1, 1)], "b": run_of(0, 0, 0, 1)}
    table = plots.win_rate_table(runs, window=2)
    assert table["curve"].tolist() == ["a"] * 3 + ["b"] * 3
    assert table["games"].tolist() == [2, 3, 4] * 2
    assert table["runs"].tolist() == [2] * 3 + [1] * 3
    assert table["mean"].tolist() == [0.25, 0.5, 1, 0, 0, 0.5]
    ax = plots.win_rate(runs, window=2)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[25, 50, 100], [0, 0, 50]]
    assert plots.win_rate_table(run_of(*[1] * 1_000), window=5, points=4)["games"].tolist() == [5, 29, 171, 1000]


def test_curves_refuse_what_cannot_be_drawn():
    with pytest.raises(ValueError, match="4 games cannot fill a window of 5"):
        plots.win_rate(run_of(1, 1, 1, 1))
    with pytest.raises(ValueError, match="runs of hats: expected what `train` returns"):
        plots.win_rate({"hats": []})
    with pytest.raises(ValueError, match="window"):
        plots.win_rate(run_of(1, 1), window=0)


# --- hats -------------------------------------------------------------------------------------------------


@pytest.fixture
def handout():
    """The hats after the handout's example game."""
    hats = Hats(sticks(10), seed=1)
    play_match(sticks(10), first=ScriptedAgent(3, 1, 1), second=hats, learn=True)
    return hats


def balls_of(ax):
    """The numbers in each hat, from below."""
    found = {}
    for text in ax.texts:
        x, y = text.get_position()
        found.setdefault(x + 1, {})[y] = int(text.get_text())
    return {hat: [balls[y] for y in sorted(balls)] for hat, balls in found.items()}


def test_hats_show_the_example_of_the_handout(handout):
    ax = plots.hats(handout.table, handout.balls)
    assert balls_of(ax) == {hat: [1, 2, 3] for hat in range(1, 11)} | {4: [1, 2, 3, 3], 7: [1, 2, 2, 3]}
    assert balls_of(ax) == {hat: handout.contents(hat) for hat in range(1, 11)}
    assert ax.get_xlabel() == "hat"


def test_a_checkpoint_is_as_good_as_the_balls(handout):
    from_values = plots.hats(handout.table, handout.values)  # what a checkpoint holds
    assert balls_of(from_values) == balls_of(plots.hats(handout.table, handout.balls))


def test_balls_that_are_never_drawn_are_dashed_and_winning_ones_ringed(handout):
    best = solve(sticks(10)).best_moves
    ax = plots.hats(handout.table, handout.balls, best)
    dashed, ringed = set(), set()
    for ball, text in zip(ax.patches, ax.texts):
        hat, number = int(text.get_position()[0]) + 1, int(text.get_text())
        assert contrast(text.get_color(), ball.get_facecolor()[:3]) >= 4.5
        if ball.get_linestyle() not in ("-", "solid"):
            dashed.add((hat, number))
        if ball.get_linewidth() > 2:
            ringed.add((hat, number))
    assert dashed == {(1, 2), (1, 3), (2, 3)}
    assert ringed == {(hat, (hat - 1) % 4) for hat in range(1, 11) if hat % 4 != 1}  # misère play: 1, 5 and 9 lose
    assert "thick ring" in ax.get_title(loc="left") and "dashed" in ax.get_title(loc="left")


def test_full_hats_become_shares():
    hats = Hats(sticks(4))
    hats.put(4, move=3, balls=98)
    ax = plots.hats(hats.table, hats.balls, winning=solve(sticks(4)).best_moves)
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    np.testing.assert_allclose(heights, [[100, 50, 100 / 3, 1], [0, 50, 100 / 3, 1], [0, 0, 100 / 3, 98]])
    assert [text.get_text() for text in ax.texts[-4:]] == ["–", "★1", "★2", "★3"]
    assert len({bars[0].get_hatch() for bars in ax.containers}) == 3
    assert ax.get_ylabel() == "share of the balls in %"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["3", "2", "1"]  # stacked as in the bars


def test_hats_of_several_rows_become_a_heat_map_of_those_nearest_the_start():
    hats = Hats(SCENARIOS["NIM"])
    ax = plots.hats(hats.table, hats.balls, solve(hats.game).best_moves)
    assert len(row_labels(ax)) == memory.STATES_SHOWN
    assert row_labels(ax)[0] == "1,3,5,7"
    assert "40 of 383 states: those nearest the start" in ax.get_title(loc="left").replace("\n", " ")
    assert [label.get_text() for label in ax.get_xticklabels()] == [
        *("0:1", "0:2", "1:1", "1:2", "2:1", "2:2", "3:1", "3:2"),
    ]
    after_one = {
        ",".join(map(str, hats.game.play(hats.game.start, move))) for move in hats.game.legal_moves((1, 3, 5, 7))
    }
    assert after_one <= set(row_labels(ax))


def test_hats_that_are_asked_for_come_in_that_order(handout):
    ax = plots.hats(handout.table, handout.balls, states=[7, (4,), 10])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["7", "4", "10"]
    with pytest.raises(ValueError, match="11 is not a state in which somebody is to move"):
        plots.hats(handout.table, handout.balls, states=[11])
    with pytest.raises(ValueError, match="0 is not a state"):
        plots.hats(handout.table, handout.balls, states=[0])


def test_hats_refuse_arrays_that_do_not_fit(handout):
    with pytest.raises(ValueError, match=r"balls: expected 11 states by 3 moves, got shape \(3, 11\)"):
        plots.hats(handout.table, handout.balls.T)
    with pytest.raises(ValueError, match="balls: expected 0 or more, got -2"):
        plots.hats(handout.table, np.full((11, 3), -2))
    with pytest.raises(ValueError, match="winning: expected a bool array"):
        plots.hats(handout.table, handout.balls, winning=np.ones((11, 3)))
    many = Hats(sticks(12, max_pick=9))
    with pytest.raises(ValueError, match="use hats_heat"):
        plots.hats_shares(many.table, many.balls)
    assert len(plots.hats(many.table, many.balls).images) == 1  # which `hats` does


def test_hats_table_says_the_same(handout):
    table = plots.hats_table(handout.table, handout.balls, solve(sticks(10)).best_moves)
    assert table.loc["4"].tolist() == [1, 1, 2, "3"]
    assert table.loc["7"].tolist() == [1, 2, 1, "2"]
    assert table["2"].isna()["1"] and table["3"].isna()[["1", "2"]].all()
    assert table.loc["9", "wins"] == ""


# --- values and policies ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def q10():
    """A Q-learner that has learnt ten sticks, with values of all kinds."""
    learner = QLearner(sticks(10), learning_rate=0.3, exploration=0.3)
    train(learner, RandomAgent(), games=1_000, seed=1)
    return learner


def cell_words(ax):
    return {text.get_position(): text.get_text() for text in ax.texts}


def frames(ax):
    return {(round(patch.get_x() + 0.46), round(patch.get_y() + 0.46)) for patch in ax.patches if not patch.get_fill()}


def hatched(ax):
    return {(round(patch.get_x() + 0.5), round(patch.get_y() + 0.5)) for patch in ax.patches if patch.get_hatch()}


def stars(ax):
    return {(round(line.get_xdata()[0]), round(line.get_ydata()[0])) for line in ax.lines if line.get_marker() == "*"}


def test_q_table_writes_every_value_and_marks_what_is_best(q10):
    ax = plots.q_table(q10.table, q10.values, solve(sticks(10)).best_moves)
    words = cell_words(ax)
    assert len(words) == 10 * 3 - 3
    for (x, y), word in words.items():
        value = q10.values[q10.table.row((x + 1,)), y]
        assert float(word.replace("−", "-")) == pytest.approx(value, abs=0.005)
    assert frames(ax) == {(x, q10(sticks(10), (x + 1,)).count - 1) for x in range(10)}
    assert stars(ax) == {(hat - 1, (hat - 1) % 4 - 1) for hat in range(1, 11) if hat % 4 != 1}
    assert hatched(ax) == {(0, 1), (0, 2), (1, 2)}
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("how many are left", "take")


@pytest.mark.parametrize("largest", [1, 40])
def test_numbers_of_a_q_table_can_be_read_on_every_colour(largest):
    table = QLearner(sticks(22)).table
    values = np.linspace(-largest, largest, table.legal.size).reshape(table.legal.shape)
    ax = plots.q_table(table, np.where(table.legal, values, -np.inf))
    image = ax.images[0]
    for text in ax.texts:
        x, y = text.get_position()
        colour = image.cmap(image.norm(image.get_array()[y, x]))[:3]
        assert contrast(text.get_color(), colour) >= 4.5
    assert (image.norm.vmin, image.norm.vmax) == (-largest, largest)  # white is 0


def test_a_q_table_that_may_choose_illegal_moves_shows_what_it_thinks_of_them():
    careless = QLearner(sticks(3), legal_only=False)
    careless.values[careless.table.row((1,))] = -0.5, -1, 0.25
    ax = plots.q_table(careless.table, careless.values)
    assert cell_words(ax)[(0, 1)] == "−1" and cell_words(ax)[(0, 2)] == "0.25"
    assert (0, 2) in frames(ax) and (0, 2) in hatched(ax)


def test_more_states_stand_one_below_another():
    learner = QLearner(sticks(30))
    ax = plots.q_table(learner.table, learner.values)
    assert row_labels(ax) == [str(held) for held in range(1, 31)]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("take", "how many are left")


def test_q_table_of_a_game_with_points():
    game = GreedyCoins((1, 2, 4, 3))
    learner = QLearner(game)
    ax = plots.q_table(learner.table, learner.values, lambda state: minimax(game, state).moves)
    assert len(row_labels(ax)) == 10 and ax.get_ylabel() == "state"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["L", "R"]


def test_q_table_is_coloured_as_it_says(q10):
    """The picture itself: each cell's colour in the rendered image. Letters differ from build to build, cells do not."""
    ax = plots.q_table(q10.table, q10.values)
    for artist in [*ax.texts, *ax.patches, *ax.lines]:
        artist.set_visible(False)
    canvas = ax.figure.canvas
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    image = ax.images[0]
    for x in range(2, 10):
        for y in range(3):
            across, up = ax.transData.transform((x, y))
            shown = pixels[len(pixels) - 1 - round(up), round(across), :3] / 255
            np.testing.assert_allclose(shown, image.cmap(image.norm(image.get_array()[y, x]))[:3], atol=0.02)


def test_q_values_table_says_the_same(q10):
    table = plots.q_values_table(q10.table, q10.values, solve(sticks(10)).best_moves)
    assert table.loc["10", "favourite"] == table.loc["10", "wins"] == "1"
    assert table.loc["2", ["1", "2"]].tolist() == q10.values[q10.table.row((2,)), :2].tolist()
    assert np.isnan(table.loc["2", "3"]) and table.loc["5", "wins"] == ""


def test_policy_tells_right_from_wrong_from_lost_by_shape():
    learner = QLearner(sticks(5))  # takes 1 everywhere: right in 2 only; 1 and 5 are lost in misère play
    ax = plots.policy(learner.table, learner.values, solve(sticks(5)).best_moves)
    right, wrong = ax.collections
    assert right.get_offsets().tolist() == [[1, 0]]
    assert wrong.get_offsets().tolist() == [[2, 0], [3, 0]]
    assert right.get_paths()[0].vertices.shape != wrong.get_paths()[0].vertices.shape  # a circle and a diamond
    assert [text.get_text() for text in ax.texts] == ["1"] * 5
    for group in ax.collections:
        assert contrast("black", group.get_facecolor()[0][:3]) >= 4.5
    table = plots.policy_table(learner.table, learner.values, solve(sticks(5)).best_moves)
    assert table["verdict"].tolist() == ["lost", "wins", "throws the win away", "throws the win away", "lost"]
    assert table["wins"].tolist() == ["", "1", "2", "3", ""]


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
        assert table.loc[",".join(map(str, state)), "verdict"] == expected
    distance = hats.distance_to_perfect("alternate")
    if len(game.rows) == 1:  # there one seat or the other can meet every state
        assert (table["verdict"] == "wins").sum() == distance.right
    ax = plots.policy(hats.table, hats.values, best)
    places = {tuple(place) for group in ax.collections for place in group.get_offsets().tolist()}
    assert len(places) == (table["verdict"] != "lost").sum()  # each state has a place of its own
    assert len(ax.texts) == len(table) == game.state_count - 1


def test_policy_says_when_a_game_is_too_large_for_it():
    learner = QLearner(CoinGame((9, 9, 9, 9), max_pick=2))
    with pytest.raises(ValueError, match="10,000 states are too many for one picture"):
        plots.policy(learner.table, learner.values, solve(learner.game).best_moves)


# --- all of them ------------------------------------------------------------------------------------------


def every_picture():
    """Each picture of a learner, for one row and for several, after few games and after many."""
    for game, games in ((sticks(10), 10), (sticks(20), 1_000), (SCENARIOS["NIM"], 1_000), (three_piles(2, 2, 1), 10)):
        best = solve(game).best_moves
        learner, hats = QLearner(game, learning_rate=0.3, exploration=0.3), Hats(game)
        run = train(learner, RandomAgent(), games=games, seed=1)
        train(hats, hats, games=games, seed=1)
        yield plots.hats(hats.table, hats.balls, best)
        yield plots.hats_heat(hats.table, hats.balls, best)
        yield plots.q_table(learner.table, learner.values, best)
        yield plots.policy(learner.table, learner.values, best)
        yield plots.win_rate(run)


def test_letters_are_large_enough_and_stand_inside_the_picture():
    from matplotlib.text import Text

    for ax in every_picture():
        figure = ax.figure
        assert figure.get_figwidth() <= 11  # the width of a notebook
        figure.canvas.draw()
        page = figure.bbox.padded(3)  # pixels: fonts differ a little
        for text in figure.findobj(Text):
            if text.get_text() and text.get_visible():
                assert text.get_fontsize() >= 9
                if text.axes is ax and text in ax.texts or text in (ax.title, ax._left_title):
                    box = text.get_window_extent()
                    assert page.containsx(box.x0) and page.containsx(box.x1), (text.get_text(), box)
        legend = ax.get_legend()
        if legend is not None:
            box = legend.get_window_extent()
            assert page.containsx(box.x0) and page.containsx(box.x1), "the legend is cut off"
        plt.close(figure)


def test_every_picture_draws_where_it_is_told(q10):
    hats, best = Hats(sticks(10)), solve(sticks(10)).best_moves
    for draw in (
        lambda ax: plots.hats_balls(hats.table, hats.balls, ax=ax),
        lambda ax: plots.hats_shares(hats.table, hats.balls, ax=ax),
        lambda ax: plots.hats_heat(hats.table, hats.balls, ax=ax),
        lambda ax: plots.q_table(q10.table, q10.values, ax=ax),
        lambda ax: plots.policy(q10.table, q10.values, best, ax=ax),
        lambda ax: plots.win_rate(run_of(1, 0, 1, 1, 1), ax=ax),
    ):
        figure, mine = plt.subplots()
        assert draw(mine) is mine and mine.figure is figure


def test_names_of_numbers():
    assert [look.short(number) for number in (0, -0.001, 0.1, 1, -0.55, 100.0, 0.999)] == [
        *("0", "0", "0.1", "1", "−0.55", "100", "1"),
    ]
