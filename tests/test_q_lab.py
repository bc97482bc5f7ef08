"""The Q lab without a browser: what its sliders do, what it shows, what it says of odd settings."""

import asyncio
import re
import time

import numpy as np
import pytest

from coincourse.labs import QLab
from coincourse.labs.q_lab import DECAYS, GAMES, OPPONENTS, trouble
from coincourse.labs.shared import percent
from coinlib import QLearner, RandomAgent, loops, solve, sticks, train

FIRSTS = ("agent", "opponent", "alternate")


def run_code(settings):
    """What the program behind a lab makes, as a student would paste it."""
    names = {}
    exec(QLab.code(**settings), names)  # noqa: S102
    return names["data"]


def same(lab):
    """The program makes the lab's own data."""
    made = run_code(lab.settings)
    for name in ("values", "result", "win_rate"):
        np.testing.assert_array_equal(getattr(lab.data, name), made[name], err_msg=name)
    assert lab.data.distance == made["distance"]


def buttons(lab):
    def all_of(widget):
        yield widget
        for child in getattr(widget, "children", ()):
            yield from all_of(child)

    return {part.description: part for part in all_of(lab) if type(part).__name__ == "Button"}


def said(lab):
    return re.sub(r"<[^>]*>", "", lab.picture.value)


# --- what it computes


def test_the_first_picture_is_the_handouts_learner_after_50_games():
    lab = QLab()
    learner = QLearner(sticks(10), learning_rate=1.0, discount=1.0, exploration=0.0, seed=1)
    run = train(learner, RandomAgent(seed=2), games=50)
    np.testing.assert_array_equal(lab.data.values, learner.values)
    np.testing.assert_array_equal(lab.data.win_rate, run.win_rate(5))
    assert f"After 50 games against a random player it has won {run.won.sum()}" in said(lab)
    assert f"and {percent(run.win_rate(5)[-1])} of the last 5" in said(lab)
    found = learner.distance_to_perfect()
    assert f"its best move is right in {found.right} of {found.winning} winning states" in said(lab)
    assert f"Against a perfect opponent it wins {percent(found.beats_perfect)} of games" in said(lab)


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("first", FIRSTS)
def test_the_code_makes_the_same_data(opponent, first):
    lab = QLab(opponent=opponent, first=first, games=100, exploration=0.4, decay=50, learning_rate=0.3, discount=0.9)
    same(lab)
    for _ in range(3):
        lab.one_step()
    same(lab)


@pytest.mark.parametrize(
    ("count", "most", "ending"), [(1, 1, "misere"), (1, 7, "normal"), (30, 7, "normal"), (9, 2, "misere")]
)
@pytest.mark.parametrize("games", [0, 1, 300])
def test_every_size_of_game(count, most, ending, games):
    lab = QLab(sticks=count, max_take=most, ending=ending, games=games, exploration=0.5)
    same(lab)
    assert "role='alert'" not in lab.picture.value


def test_every_control_changes_the_picture_and_keeps_the_games():
    lab = QLab(games=200, exploration=0.3, decay=300)
    seen = [lab.picture.value]
    moves = {
        "learning_rate": 0.35,
        "discount": 0.75,
        "exploration": 0.9,
        "decay": 100,
        "opponent": "careless",
        "first": "alternate",
        "sticks": 14,
        "max_take": 4,
        "ending": "normal",
        "window": 50,
        "seed": 2,
        "games": 3_000,
    }
    assert list(moves) == [*list(lab.CONTROLS)[1:], "games"]
    for name, value in moves.items():
        lab.inputs[name].value = value
        assert lab.picture.value not in seen, name
        seen.append(lab.picture.value)
        assert len(lab.data.result) == lab.inputs["games"].value
    same(lab)


def test_it_becomes_perfect_with_games_and_the_words_follow():
    lab = QLab(games=0)
    rights = []
    for games in GAMES:
        lab.inputs["games"].value = games
        rights.append(lab.data.distance.right)
    assert rights[0] < 7
    assert rights[-1] == 7
    assert "right in 7 of 7 winning states" in said(lab)
    assert "It is perfect." in said(lab)
    assert "it wins 100\xa0% of games" in said(lab)


def test_a_full_window_is_not_perfect_play():
    full = [lab for lab in (QLab(seed=seed) for seed in range(1, 21)) if lab.data.win_rate[-1] == 1]
    assert len(full) > 8
    assert any(not lab.data.distance.perfect for lab in full)


# --- one step, run, start again


def test_one_game_shows_each_update_in_order():
    lab = QLab(games=0, learning_rate=0.5, discount=0.9, seed=3)
    for _ in range(40):
        before = lab.data.values.copy()
        buttons(lab)["One game"].click()
        expected, table = before.copy(), lab.data.learner.table
        for update in lab.data.updates:
            row = table.row((update.sticks,))
            if update.found is None:
                target = float(lab.data.result[-1])
            else:
                target = 0.9 * expected[table.row((update.found,))].max()
            assert update.target == pytest.approx(target)
            assert update.before == expected[row, update.took - 1]
            expected[row, update.took - 1] += 0.5 * (target - expected[row, update.took - 1])
            assert update.after == pytest.approx(expected[row, update.took - 1])
        np.testing.assert_allclose(lab.data.values, expected)
        assert [update.found is None for update in lab.data.updates][-1]
    assert lab.settings["steps"] == 40
    same(lab)


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_games_one_by_one_equal_games_in_bulk(opponent):
    single = QLab(games=0, opponent=opponent, first="alternate", exploration=0.3)
    for _ in range(20):
        single.one_step()
    bulk = QLab(games=20, opponent=opponent, first="alternate", exploration=0.3)
    np.testing.assert_array_equal(single.data.values, bulk.data.values)
    np.testing.assert_array_equal(single.data.result, bulk.data.result)
    assert single.data.updates == bulk.data.updates


def test_the_last_game_is_shown_in_the_table():
    lab = QLab()
    rows = re.search(r"What the last game changed.*?</table>", lab.picture.value).group()
    shown = [
        tuple(map(int, row)) for row in re.findall(r"<tr class='n(\d+)' tabindex='0'><td>\d+</td><td>(\d+)</td>", rows)
    ]
    assert shown == [(update.sticks, update.took) for update in lab.data.updates]
    table = re.search(r"The Q-table.*?</table>", lab.picture.value).group()
    assert table.count("<u>") == len(set(shown))


def test_start_again_goes_back_to_a_table_of_zeros():
    lab = QLab()
    lab.one_step()
    assert len(lab.data.result) == 51
    buttons(lab)["Start again"].click()
    assert (lab.inputs["games"].value, lab.steps, len(lab.data.result)) == (0, 0, 0)
    assert np.unique(lab.data.values[np.isfinite(lab.data.values)]).tolist() == [0.0]
    assert "Before the first game every value is 0." in said(lab)
    lab.one_step()
    buttons(lab)["Start again"].click()
    assert len(lab.data.result) == 0


def test_a_run_stops_within_half_a_second():
    lab = QLab(sticks=30, max_take=7)

    async def press():
        buttons(lab)["Run"].click()
        await asyncio.sleep(0.3)
        began = time.perf_counter()
        buttons(lab)["Stop"].click()
        await asyncio.wrap_future(lab._task)
        return time.perf_counter() - began

    assert asyncio.run(press()) < 0.5
    assert 0 < lab.steps < lab.last_step
    assert len(lab.data.result) == 50 + lab.steps
    same(lab)


def test_moving_a_slider_ends_a_run():
    lab = QLab()

    async def press():
        lab.run()
        await asyncio.sleep(0.2)
        lab.inputs["sticks"].value = 12
        await asyncio.wrap_future(lab._task)

    asyncio.run(press())
    assert (lab.steps, len(lab.data.result), lab.data.learner.game) == (0, 50, sticks(12))


# --- what is shown


def test_the_q_table_marks_the_favourite_and_the_right_moves():
    lab = QLab(games=300, exploration=0.2, learning_rate=0.7)
    solution, values, table = solve(sticks(10)), lab.data.values, lab.data.learner.table
    body = re.search(r"The Q-table.*?<tbody>(.*?)</tbody>", lab.picture.value).group(1)
    rows = re.findall(r"<tr class='n(\d+)'.*?</th>(.*?)</tr>", body)
    assert [int(held) for held, _ in rows] == list(range(10, 0, -1))
    for held, cells in rows:
        *cells, verdict = re.findall(r"<td.*?>(.*?)</td>", cells)
        row = table.row((int(held),))
        best = int(values[row].argmax()) + 1
        right = [move.count for move in solution.best_moves((int(held),))]
        for count, cell in enumerate(cells, 1):
            assert ("●" in cell) == (count == best)
            assert ("★" in cell) == (count in right)
            value = values[row, count - 1]
            words = f"{value:.2f}".replace("-", "−") if np.isfinite(value) else "–"
            assert words in cell
        expected = "no move wins" if not right else "✓ right" if best in right else "✗ wrong"
        assert verdict.startswith(expected)


def test_the_line_is_the_rolling_win_rate():
    lab = QLab(games=200)
    points = re.search(r"<polyline points='(.*?)'", lab.picture.value).group(1).split()
    known = lab.data.win_rate[4:]
    assert len(points) == len(known) == 196
    heights = [float(point.split(",")[1]) for point in points]
    assert heights == pytest.approx([176 - 162 * rate for rate in known], abs=0.051)
    lab.inputs["games"].value = 10_000
    points = re.search(r"<polyline points='(.*?)'", lab.picture.value).group(1).split()
    assert len(points) == 300
    assert "<polygon" in lab.picture.value  # from the least to the most of each group


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"learning_rate": 0.0}, "a learning rate of 0 moves no value"),
        ({"discount": 0.0}, "a discount of 0 passes nothing back"),
        ({"decay": 100}, "exploration is 0 from the start"),
        (
            {"exploration": 0.5, "decay": 3_000, "games": 100},
            "falls to 0 in 3,000 games, but only 100 games are played",
        ),
        ({"exploration": 1.0}, "every move of practice is random"),
        ({"opponent": "perfect"}, "nobody tries new moves"),
        ({"opponent": "take one"}, "nobody tries new moves"),
        ({"games": 2}, "the window of 5 games is not full yet after 2 games"),
        ({"max_take": 1}, "there is never a choice of moves here"),
        ({"opponent": "perfect", "sticks": 9}, "who moves first loses this game against perfect play"),
        ({"opponent": "perfect", "first": "opponent"}, "who moves second loses this game against perfect play"),
    ],
)
def test_odd_settings_are_said_in_words(settings, words):
    lab = QLab(**settings)
    assert "Look out:" in said(lab)
    assert words in said(lab)
    assert any(words in sentence for sentence in trouble(**lab.settings))


@pytest.mark.parametrize("settings", [{}, {"exploration": 0.5, "decay": 100, "games": 300}, {"opponent": "itself"}])
def test_ordinary_settings_raise_no_eyebrow(settings):
    assert "Look out:" not in said(QLab(**settings))


def test_what_is_odd_is_true():
    assert not QLab(learning_rate=0.0).data.values[:-1, 0].any()
    lab = QLab(opponent="perfect", first="opponent", exploration=0.5, games=1_000)
    assert not (lab.data.result > 0).any()
    assert QLab(opponent="perfect", exploration=0.5, games=3_000).data.result.max() == 1


def test_settings_can_be_handed_on():
    lab = QLab(opponent="itself", window=20)
    lab.inputs["learning_rate"].value = 0.15
    lab.one_step()
    assert eval(repr(lab)).picture.value == lab.picture.value
    assert QLab.render(**lab.settings) in lab.picture.value
    with pytest.raises(ValueError, match="games: expected one of 0, 1, 2"):
        QLab(games=7)
    with pytest.raises(TypeError, match="settings: expected some of games, .*; got rate"):
        QLab(rate=1.0)


def test_the_still_twin_is_the_same_picture_every_time():
    html = QLab(games=1_000, exploration=0.5, decay=300)._repr_mimebundle_()[0]["text/html"]
    assert html == QLab(games=1_000, exploration=0.5, decay=300)._repr_mimebundle_()[0]["text/html"]
    assert "exploration=linear(0.5, 0.0, games=300)" in html
    assert not re.search(r"0x[0-9a-f]{6}|\bid=", html)


def test_rows_of_the_table_and_of_the_updates_light_up_together():
    lab = QLab()
    for number in range(1, 11):
        times = 1 + sum(update.sticks == number for update in lab.data.updates)
        assert lab.picture.value.count(f"class='n{number}'") == times


def test_a_new_picture_of_10000_games_comes_quickly():
    if loops.numba() is None:
        pytest.skip("the loops are not compiled here")
    lab = QLab(games=10_000, sticks=30)
    seconds = []
    for step in range(10):
        for name, value in {"discount": step / 20, "exploration": 0.9 - step / 20, "decay": DECAYS[step % 7]}.items():
            began = time.perf_counter()
            lab.inputs[name].value = value
            seconds.append(time.perf_counter() - began)
    assert np.median(seconds) < 0.5  # exact speed is measured elsewhere; this machine may be busy
