"""The Q lab without a browser: what its sliders do, what it shows, what it says about odd settings."""

import re

import numpy as np
import pytest
from lab_words import said

from coincourse.labs import QLab
from coinlib import QLearner, RandomAgent, solve, sticks, train


def table(lab, caption):
    """The lines of one table on the page: the class of each, and its cells."""
    body = re.search(rf"{caption}</caption>.*?<tbody>(.*?)</tbody>", lab.page, re.DOTALL).group(1)
    lines = re.findall(r"<tr class='n(\d+)'[^>]*>(.*?)</tr>", body, re.DOTALL)
    return [(int(count), re.findall(r"<t[dh].*?>(.*?)</t[dh]>", cells)) for count, cells in lines]


def percent(rate):
    return f"{100 * rate:.0f} %"


# --- what it computes


def test_the_first_picture_is_the_handouts_learner_after_50_games():
    lab = QLab()
    learner = QLearner(sticks(10), learning_rate=1.0, discount=1.0, exploration=0.0, seed=1)
    run = train(learner, RandomAgent(seed=2), games=50)
    np.testing.assert_array_equal(lab.data.values, learner.values)
    assert f"After 50 games against a random player it has won {run.won.sum()}" in said(lab)
    assert f"and {percent(run.win_rate(5)[-1])} of the last 5" in said(lab)
    found = learner.distance_to_perfect()
    assert f"its best move is right in {found.right} of {found.winning} winning states" in said(lab)
    assert f"Against a perfect opponent it wins {percent(found.beats_perfect)} of games" in said(lab)


# --- one step, run, start again


def test_one_game_shows_each_update_in_order():
    lab = QLab(games=0, learning_rate=0.5, discount=0.9, seed=3)
    for _ in range(20):
        expected, rows = lab.data.values.copy(), lab.data.learner.table
        lab.press("One game")
        updates = lab.data.updates
        for update in updates:
            place = rows.row((update.sticks,)), update.take - 1
            best = lab.data.result[-1] if update.found is None else 0.9 * expected[rows.row((update.found,))].max()
            assert (update.target, update.before) == pytest.approx((best, expected[place]))
            expected[place] += 0.5 * (best - expected[place])
            assert update.after == pytest.approx(expected[place])
        np.testing.assert_allclose(lab.data.values, expected)
        shown = table(lab, "What the last game changed in the Q-table")
        assert [(count, int(cells[1])) for count, cells in shown] == [(each.sticks, each.take) for each in updates]
        assert shown[-1][1][2:4] == (["end, won", "+1"] if lab.data.result[-1] > 0 else ["end, lost", "−1"])


def test_a_run_begins_slowly_and_stops_at_the_games_of_the_slider():
    lab, seen = QLab(games=200), []
    as_in_lesson = lab.data.values.copy()
    lab.pause = 0
    lab.observe(lambda change: seen.append(len(lab.data.result)), "page")
    lab.press("Run")
    assert seen[0] == 0 and seen[-1] == 200 and lab.data.steps == 0
    assert set(range(1, 11)) <= set(seen) and 15 < len(seen)  # a busy machine may show more pictures
    np.testing.assert_array_equal(lab.data.values, as_in_lesson)
    lab.run(steps=30)
    assert (lab.data.steps, len(lab.data.result)) == (-170, 30)
    assert QLab(**lab.settings).page == lab.page
    lab.press("Run")  # goes on from there
    assert (lab.data.steps, lab.data.left) == (0, 0)


# --- what is shown


def test_the_q_table_marks_the_favourite_and_the_right_moves():
    lab = QLab(games=300, exploration=0.2, learning_rate=0.7)
    solution, rows, values = solve(sticks(10)), lab.data.learner.table, lab.data.values
    changed = {(update.sticks, update.take) for update in lab.data.updates}
    shown = table(lab, "The Q-table")
    assert [count for count, _ in shown] == list(range(10, 0, -1))
    for count, (_, *cells, verdict) in shown:
        held = values[rows.row((count,))]
        best, right = int(held.argmax()) + 1, [move.count for move in solution.best_moves((count,))]
        for took, (cell, value) in enumerate(zip(cells, held), 1):
            assert [mark in cell for mark in "●★"] == [took == best, took in right]
            assert ("<u>" in cell) == ((count, took) in changed)
            assert (f"{value:.2f}".replace("-", "−") if np.isfinite(value) else "–") in cell
        assert verdict.startswith("no move wins" if not right else "✓ right" if best in right else "✗ wrong")


def test_the_line_is_the_rolling_win_rate():
    lab = QLab(games=200)
    points = re.search(r"<polyline points='(.*?)'", lab.page).group(1).split()
    heights = [float(point.split(",")[1]) for point in points]
    assert heights == pytest.approx([-162 * rate for rate in lab.data.win_rate[4:]], abs=0.051)
    lab.games = 10_000
    assert len(re.search(r"<polyline points='(.*?)'", lab.page).group(1).split()) == 300
    assert "<polygon" in lab.page  # from the least to the most of each group


def test_what_is_odd_is_true():
    assert not QLab(learning_rate=0.0).data.values[:-1, 0].any()
    assert not (QLab(opponent="perfect", first="opponent", exploration=0.5, games=1_000).data.result > 0).any()
    assert QLab(opponent="perfect", exploration=0.5, games=3_000).data.result.max() == 1
