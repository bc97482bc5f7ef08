"""The hats lab without a browser: games, training, meddling, words, and the code behind them."""

import asyncio
import re
import time

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from coincourse.labs import HatsLab
from coincourse.labs.hats_lab import AT_ONCE, PARTNERS
from coincourse.labs.shared import BALLS, make_game
from coinlib import Hats, RandomAgent, ScriptedAgent, play_match, plots, sticks, train
from coinlib.plots.memory import MOVE_LOOKS

FIRSTS = ("other", "computer", "alternate")


def run_code(lab):
    """What the program behind a lab makes, as a student would paste it."""
    names = {}
    exec(lab.code(**lab.settings), names)  # noqa: S102
    return names["data"]


def same(lab):
    """The program, and a lab made of the settings, hold the same balls."""
    made, again = run_code(lab), HatsLab(**lab.settings)
    assert again.settings == lab.settings
    for name in ("balls", "visits"):
        held = getattr(lab.data, name)
        np.testing.assert_array_equal(held, made[name], err_msg=lab.code(**lab.settings))
        np.testing.assert_array_equal(held, getattr(again.data, name))


def parts(widget):
    """A widget and all that is in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def buttons(lab):
    return {part.description: part for part in parts(lab) if isinstance(part, widgets.Button)}


def said(lab):
    return re.sub(r"<[^>]*>", "", lab.picture.value)


# --- a game with you


def test_the_handouts_game_to_the_ball(capsys):
    lab = HatsLab(seed=1)
    assert lab.data.balls[:-1].tolist()[0] == [1, 1, 1]
    lab.take(3)
    assert "You take 3: 7 sticks left. The computer draws a 2 from hat 7, lays it beside, and takes 2" in said(lab)
    assert lab.data.hats.contents(7) == [1, 3]  # the 2 lies beside
    assert ">beside</text>" in lab.picture.value
    same(lab)
    lab.take(1)
    assert lab.data.hats.contents(4) == [1, 2]
    same(lab)
    lab.take(1)
    assert "The computer won: the 2 goes back to hat 7 with one more 2; the 3 goes back to hat 4" in said(lab)
    assert (lab.data.hats.contents(4), lab.data.hats.contents(7)) == ([1, 2, 3, 3], [1, 2, 2, 3])
    assert lab.settings["history"] == (("play", "other", (3, 1, 1)),)
    hats = Hats(sticks(10), seed=1)
    play_match(sticks(10), ScriptedAgent(3, 1, 1), hats, learn=True)
    np.testing.assert_array_equal(lab.data.balls, hats.balls)
    same(lab)


def test_a_game_that_the_computer_loses_throws_balls_away_but_never_the_last():
    lab = HatsLab(sticks=2, history=[("put", 1, 1, 4)])
    lab.take(1)
    assert "You win! The computer lost: the 1 of hat 1 is thrown away." in said(lab)
    assert lab.data.hats.contents(1) == [1, 1, 1, 2, 3]
    for _ in range(4):
        lab.take(1)
    assert "the 1 goes back to hat 1, for it is the last 1 there" in said(lab)
    assert lab.data.hats.contents(1) == [1, 2, 3]
    same(lab)


def test_in_normal_play_the_last_stick_wins():
    lab = HatsLab(sticks=3, ending="normal")
    lab.take(3)
    assert "You win!" in said(lab)
    assert "Normal play: who takes the last stick wins." in said(lab)
    lab.take(2)
    assert "The computer won: the 1 goes back to hat 1 with one more 1." in said(lab)


def test_the_computer_may_begin():
    lab = HatsLab(first="computer")
    assert all(buttons(lab)[f"Take {count}"].disabled for count in (1, 2, 3))
    buttons(lab)["New game"].click()
    assert lab.data.left < 10
    assert not buttons(lab)["Take 1"].disabled
    assert "Your turn." in said(lab)
    same(lab)


def test_first_moves_alternate_game_by_game():
    lab = HatsLab(first="alternate", sticks=4, max_take=3)
    begun = []
    for _ in range(4):
        lab.new_game()
        begun.append(lab.data.sitting.first)
        while lab.data.sitting:
            lab.take(1)
    assert begun == ["computer", "other", "computer", "other"]


def test_only_moves_that_can_be_made_have_a_button():
    lab = HatsLab(sticks=5, max_take=2)
    shown = buttons(lab)
    assert [shown[f"Take {count}"].layout.display for count in range(1, 6)] == ["", "", "none", "none", "none"]
    lab = HatsLab(sticks=6, max_take=4, history=[("put", 4, 3, 100_000)])
    lab.take(2)
    assert lab.data.left == 1
    assert [buttons(lab)[f"Take {count}"].disabled for count in range(1, 5)] == [False, True, True, True]


def test_a_move_that_cannot_be_made_is_said_in_words():
    lab = HatsLab(sticks=6)
    lab.take(5)
    assert "That cannot be done: " in said(lab)
    assert "legal: 1 to 3" in said(lab)
    assert lab.data.left == 6
    lab.take(1)
    lab.one_step()
    assert "It is your turn: take some sticks." in said(lab)


def test_a_game_that_is_given_up_leaves_no_trace():
    lab, other = HatsLab(), HatsLab()
    lab.take(1)
    lab.take(1)
    buttons(lab)["100 games"].click()
    other.train(100)
    np.testing.assert_array_equal(lab.data.balls, other.data.balls)
    np.testing.assert_array_equal(lab.data.visits, other.data.visits)
    assert lab.settings == other.settings


# --- practice


@pytest.mark.parametrize("partner", PARTNERS)
@pytest.mark.parametrize("first", FIRSTS)
def test_watched_move_by_move_a_game_teaches_the_same_as_in_bulk(partner, first):
    watched, trained = (HatsLab(sticks=8, partner=partner, first=first) for _ in range(2))
    for games in range(1, 6):
        buttons(watched)["One move"].click()
        same(watched)
        while watched.data.sitting:
            watched.one_step()
        assert watched.settings["history"] == (("train", games, partner, first),)
    trained.train(3)
    trained.train(2)
    np.testing.assert_array_equal(watched.data.balls, trained.data.balls)
    np.testing.assert_array_equal(watched.data.visits, trained.data.visits)
    same(trained)


def test_training_equals_one_call_of_train():
    lab = HatsLab(sticks=20, partner="random", first="alternate", seed=5)
    for games in ("1 game", "10 games", "100 games", "1,000 games"):
        buttons(lab)[games].click()
    hats = Hats(sticks(20), seed=5)
    train(hats, RandomAgent(seed=6), games=1_111, first="alternate")
    np.testing.assert_array_equal(lab.data.balls, hats.balls)
    assert "The hats have learnt from 1,111 games." in said(lab)


def test_every_act_can_be_handed_on_and_is_in_the_code():
    lab = HatsLab(seed=3)
    for partner in PARTNERS:
        for first in FIRSTS:
            lab.inputs["partner"].value, lab.inputs["first"].value = partner, first
            lab.train(7)
            lab.new_game()
            while lab.data.sitting:
                lab.take(1)
            lab.put(4, 3, 50)
            lab.one_step()
            lab.one_step()
            same(lab)
    assert eval(repr(lab)).picture.value == lab.picture.value
    assert HatsLab.render(**lab.settings) in lab.picture.value


def test_who_moves_first_is_said_beside_the_picture():
    for first, words in zip(FIRSTS, ("you, when you play) always", "computer always", "Who moves first alternates")):
        assert words in said(HatsLab(first=first))


def test_a_lab_to_play_in_does_not_speak_of_practice():
    def words(lab):
        return " ".join(part.value for part in parts(lab) if isinstance(part, widgets.HTML)) + lab.still()

    playing = words(HatsLab(controls=["play"]))
    assert "Play a game, and watch the hats." in playing
    assert "ractis" not in playing
    everything = words(HatsLab())
    assert "Play a game, then let it practise, then put in balls of your own" in everything
    assert "It practises with the partner chosen below" in everything
    alone = words(HatsLab(controls=["train"], partner="twin"))
    assert "It practises with a twin with hats of its own" in alone and "chosen below" not in alone
    assert "practises with" in HatsLab(controls=["play"], history=[("train", 9, "itself", "other")]).still()


def test_closed_hats_show_neither_balls_nor_table():
    lab = HatsLab(history=[("train", 1_000, "twin", "alternate")], look=False)
    assert "16," not in lab.picture.value and "Balls in each hat" not in lab.picture.value
    assert "The hats are closed" in said(lab)
    lab.take(1)
    assert "You take 1: 9 sticks left. The computer draws a" in said(lab)
    balls = lab.data.balls.copy()
    lab.inputs["look"].value = True
    assert "Balls in each hat" in lab.picture.value
    np.testing.assert_array_equal(lab.data.balls, balls)
    same(lab)


def test_among_equals_there_is_no_favourite():
    lab = HatsLab(sticks=4, reveal=True)
    assert "In 3 hats there is a right ball (★); in 0 of them it is the favourite" in said(lab)
    lab.put(4, 3, 2)
    lab.put(4, 2, 2)
    favourites = dict(
        re.findall(r"<tr class='n(\d+)'.*?<td>([^<]*)</td><td style='text-align: left'>", lab.picture.value)
    )
    assert favourites == {"1": "1 (100\xa0%)", "2": "none", "3": "none", "4": "none"}
    lab.put(4, 3, 3)
    assert "4 (50" not in lab.picture.value and "<td>3 (50\xa0%)</td>" in lab.picture.value
    assert "in 1 of them it is the favourite" in said(lab)


def test_the_balls_have_the_colours_of_the_plots():
    assert [colour for colour, _ in MOVE_LOOKS[: len(BALLS)]] == list(BALLS)
    lab, learner = HatsLab(sticks=3), Hats(sticks(3))
    plotted = [to_hex(ball.get_facecolor()).upper() for ball in plots.hats(learner.table, learner.balls).patches]
    plt.close("all")
    drawn = re.findall(r"<circle[^>]* r='8' fill='([^']+)'", lab.picture.value)
    assert drawn == [colour if colour != "#FFFFFF" else "none" for colour in plotted]


@pytest.mark.parametrize("first", FIRSTS[:2])
def test_with_itself_who_moves_first_makes_no_difference_but_with_a_twin_it_does(first):
    def balls(partner, first):
        return HatsLab(sticks=20, history=[("train", 500, partner, first)]).data.balls

    np.testing.assert_array_equal(balls("itself", first), balls("itself", "alternate"))
    assert (balls("twin", first) != balls("twin", "alternate")).any()


def test_run_goes_on_until_stop():
    lab = HatsLab(sticks=30)

    async def press():
        buttons(lab)["Run"].click()
        await asyncio.sleep(0.15)
        assert buttons(lab)["1 game"].disabled
        assert buttons(lab)["Take 1"].disabled
        lab.put(4, 3, 9)  # not while it runs
        lab.take(1)
        began = time.perf_counter()
        buttons(lab)["Stop"].click()
        await asyncio.wrap_future(lab._task)
        return time.perf_counter() - began

    waited = asyncio.run(press())
    games = lab.data.hats.games
    assert 0 < games < 1_000_000
    assert waited < 0.5
    assert [entry[0] for entry in lab.settings["history"]] == ["train"]
    assert not buttons(lab)["Take 1"].disabled
    lab.train(10)
    assert lab.data.hats.games == games + 10
    same(lab)


def test_a_run_is_drawn_often_enough_to_be_watched():
    lab, games = HatsLab(sticks=5), []
    draw = lab._draw
    lab._draw = lambda: (games.append(lab.data.hats.games), draw())
    lab.train(5 * AT_ONCE)
    assert games[-1] == 5 * AT_ONCE
    assert max(np.diff([0, *games])) <= AT_ONCE


# --- meddling


def test_balls_put_in_by_hand_are_drawn():
    lab = HatsLab(sticks=6)
    lab._hat.value, lab._ball.value, lab._balls.value = 5, 2, 900_000
    buttons(lab)["Put in"].click()
    assert "By hand: hat 5 now holds 900,000 of ball 2." in said(lab)
    lab.take(1)
    assert "draws a 2 from hat 5" in said(lab)
    assert lab.data.balls[lab.data.hats.table.row((5,)), 1] == 899_999
    same(lab)


def test_meddling_ends_a_game_and_says_so():
    lab = HatsLab()
    lab.take(1)
    lab.put(4, 3, 2)
    assert "The unfinished game leaves no trace: its balls are back in their hats." in said(lab)
    assert lab.settings["history"] == (("put", 4, 3, 2),)


@pytest.mark.parametrize(("hat", "ball", "balls"), [(1, 3, 5), (4, 3, 0), (99, 1, 1), (4, 9, 1)])
def test_what_cannot_be_put_in_is_said_in_words(hat, ball, balls):
    lab = HatsLab()
    before = lab.data.balls.copy()
    lab.put(hat, ball, balls)
    assert "That cannot be done: " in said(lab)
    np.testing.assert_array_equal(lab.data.balls, before)
    assert lab.settings["history"] == ()


# --- what is shown


def test_right_balls_are_marked_by_a_star_and_in_words_only_when_revealed():
    lab = HatsLab(sticks=9)
    assert "★" not in lab.picture.value
    lab.inputs["reveal"].value = True
    assert "★ 3</text>" in lab.picture.value  # hat 4 and hat 8
    rows = dict(re.findall(r"<tr class='n(\d+)'.*?(★ [\d, ]+|no ball wins)</td></tr>", lab.picture.value))
    expected = {n: (n - 1) % 4 for n in range(1, 10)}  # misere play: leave one more than a multiple of four
    assert rows == {str(n): f"★ {take}" if take else "no ball wins" for n, take in expected.items()}
    assert "In 6 hats there is a right ball (★)" in said(lab)


def test_revealing_and_choosing_a_partner_keep_the_hats():
    lab = HatsLab(history=[("train", 50, "itself", "other")])
    before = lab.data.balls.copy()
    for name, value in {"reveal": True, "partner": "twin", "first": "alternate"}.items():
        lab.inputs[name].value = value
    np.testing.assert_array_equal(lab.data.balls, before)
    for name, value in {"sticks": 12, "max_take": 2, "ending": "normal", "seed": 9}.items():
        lab.train(5)
        lab.inputs[name].value = value
        assert lab.data.hats.games == 0
        assert lab.settings["history"] == ()
    buttons(lab)["10 games"].click()
    buttons(lab)["Start again"].click()
    assert lab.data.hats.games == 0


def test_every_ball_is_drawn_while_they_are_few_and_bars_when_they_are_many():
    lab = HatsLab(sticks=3)
    drawn = re.search(r"<svg viewBox='0 0 336 .*?</svg>", lab.picture.value).group()
    assert len(re.findall(r"<circle[^>]* r='8'", drawn)) == 9
    assert drawn.count("stroke-dasharray='2 2'") == 3  # 2 and 3 in hat 1, 3 in hat 2
    lab.put(3, 2, 1_000)
    drawn = re.search(r"<svg viewBox='0 0 336 .*?</svg>", lab.picture.value).group()
    assert len(re.findall(r"<circle[^>]* r='8'", drawn)) == 6
    assert ">1.0k</text>" in drawn and "k in the picture: thousand" in lab.picture.value
    assert "<td>1,000</td>" in lab.picture.value
    assert "2 (99\xa0%)" in lab.picture.value  # and not 100 %


def test_sticks_hats_and_rows_light_up_together():
    picture = HatsLab(sticks=12).picture.value
    for number in range(1, 13):
        assert picture.count(f"class='n{number}'") == 3, number
        assert f".coin-lab:has(.n{number}:hover) .n{number}" in picture


def test_the_still_twin_is_the_same_picture_every_time():
    settings = {"history": [("train", 100, "twin", "alternate"), ("put", 4, 3, 7)], "reveal": True}
    html = HatsLab(**settings)._repr_mimebundle_()[0]["text/html"]
    assert html == HatsLab(**settings)._repr_mimebundle_()[0]["text/html"]
    assert HatsLab.render(**settings) in html
    assert "hats.put(4, move=3, balls=7)" in html
    assert "practises with: itself, from the same hats" in html
    assert not re.search(r"0x[0-9a-f]{6}|\bid=", html)


def test_groups_of_buttons_can_be_left_out():
    assert "1 game" not in buttons(HatsLab(controls=["play"]))
    assert "Take 1" in buttons(HatsLab(controls=["play"]))
    assert buttons(HatsLab(controls=False)) == {}
    with pytest.raises(ValueError, match="controls: expected some of .* got magic"):
        HatsLab(controls=["play", "magic"])


@pytest.mark.parametrize(
    "entry",
    [
        ("train", 0, "itself", "other"),
        ("train", 5, "nobody", "other"),
        ("train", 5, "itself", "me"),
        ("play", "other", (3,)),
        ("play", "other", (4,)),
        ("put", 1, 3, 5),
        ("open", "itself", "other", (9,)),
        ("eat", 3),
        (),
    ],
)
def test_a_history_that_does_not_fit_is_refused_by_its_entry(entry):
    with pytest.raises(ValueError, match=r"history: \(.* does not fit here"):
        HatsLab(history=[entry])


@pytest.mark.parametrize("ending", ["misere", "normal"])
@pytest.mark.parametrize(("count", "most"), [(1, 1), (1, 5), (2, 3), (30, 5)])
def test_the_smallest_and_the_largest_hats(count, most, ending):
    lab = HatsLab(sticks=count, max_take=most, ending=ending, reveal=True)
    assert lab.data.game == make_game(count, most, ending)
    lab.train(20)
    lab.new_game()
    lab.take(1)
    same(lab)
    assert "role='alert'" not in lab.picture.value
