"""The hats lab without a browser: games, training, meddling, words, and the code behind them."""

import asyncio
import re
from itertools import product

import numpy as np
import pytest
from lab_words import buttons, said
from test_labs import same

from coincourse.labs import HatsLab
from coincourse.labs.base.looks import BALLS
from coincourse.labs.learning.hats_state import PARTNERS, HatsState
from coinlib import Hats, ScriptedAgent, play_match, sticks

FIRSTS = ("other", "computer", "alternate")


# --- a game with you


def test_the_handouts_game_to_the_ball():
    lab = HatsLab(seed=1)
    lab.take(3)
    assert "You take 3: 7 sticks left. The computer draws a 2 from hat 7, lays it beside, and takes 2" in said(lab)
    assert lab.data.hats.contents(7) == [1, 3]  # the 2 is next to it
    assert ">beside</text>" in lab.page
    same(lab)
    lab.take(1)
    lab.take(1)
    assert "The computer won: the 2 goes back to hat 7 with one more 2; the 3 goes back to hat 4" in said(lab)
    assert (lab.data.hats.contents(4), lab.data.hats.contents(7)) == ([1, 2, 3, 3], [1, 2, 2, 3])
    assert lab.settings["history"] == (("play", "other", (3, 1, 1)),)
    hats = Hats(sticks(10), seed=1)
    play_match(sticks(10), ScriptedAgent(3, 1, 1), hats, learn=True)
    np.testing.assert_array_equal(lab.data.hats.balls, hats.balls)
    same(lab)


def test_who_moves_first_is_said_and_done():
    for first, words, opens in (
        ("other", "You always move first", "ooo"),
        ("computer", "The computer always moves first", "ccc"),
        ("alternate", "You and the computer take turns going first", "coc"),
    ):
        lab = HatsLab(first=first, sticks=4)
        assert words in said(lab)
        for game, side in enumerate(opens):
            assert buttons(lab)["Take 1"] == (side == "o" and game == 0)  # after a game only "New game" continues
            lab.press("New game")
            assert buttons(lab)["Take 1"]
            assert (lab.data.sticks == 4) == (side == "o")
            while lab.data.on_table:
                assert "Your turn." in said(lab)
                lab.press("Take 1")


def test_the_end_of_a_game_stays_until_a_new_one_and_is_counted():
    lab = HatsLab(seed=1)
    for count in (3, 1, 1):
        lab.press(f"Take {count}")
    assert "0 sticks of 10 left" in lab.page and " coin'" not in lab.page
    # from stick 1 up: the last one was yours, the computer took 2 to 4, and so on
    assert re.findall(r"<b>(.)</b>\d", lab.page) == list("YCCCYCCYYY")
    assert "You have won 0 of 1 game." in said(lab)
    assert [words for words, enabled in buttons(lab).items() if enabled and "ake" in words] == []
    assert "data-press='New game' data-now" in lab.frame
    same(lab)
    for again in ("New game", "10 games"):
        lab.press(again)
        assert "10 sticks of 10 left" in lab.page and "You have won 0 of 1 game." in said(lab)


def test_a_stick_presses_the_button_that_takes_it_and_all_behind_it():
    lab = HatsLab(seed=1)

    def on_sticks():
        return [
            (int(stick), take) for stick, take in re.findall(r"<span class='n(\d+) coin' data-press='(.*?)'", lab.page)
        ]

    assert on_sticks() == [(8, "Take 3"), (9, "Take 2"), (10, "Take 1")]
    lab.take(3)
    lab.take(1)  # one is left
    assert on_sticks() == [(1, "Take 1")]
    lab.take(1)
    assert on_sticks() == []
    assert "data-press" not in HatsLab(first="computer").page


# --- practice


@pytest.mark.parametrize(("partner", "first"), list(product(PARTNERS, FIRSTS)))
def test_watched_move_by_move_a_game_teaches_the_same_as_in_bulk(partner, first):
    lab = HatsLab(sticks=6, partner=partner, first=first)
    for games in range(1, 4):
        lab.press("One move")
        assert eval(repr(lab)).page == lab.page
        while lab.data.on_table:
            lab.one_step()
        assert lab.settings["history"] == (("train", games, partner, first),)
    same(lab)


def test_run_goes_on_until_stop_and_is_drawn_often_enough_to_be_watched():
    lab, games = HatsLab(sticks=30), [0]

    def look(change):
        games.append(lab.data.hats.games)
        if len(games) == 9:
            assert not buttons(lab)["1 game"] and not buttons(lab)["Take 1"]
            lab.put(4, 3, 9)  # not while it runs
            lab.press("Stop")

    async def press():
        lab.observe(look, "page")
        lab.press("Run")
        await asyncio.wrap_future(lab._task)

    asyncio.run(press())
    assert 0 < max(np.diff(games)) <= lab.at_once
    assert lab.settings["history"] == (("train", games[-1], "itself", "other"),)
    assert buttons(lab)["Take 1"] and games[-1] < lab.data.left
    same(lab)


# --- what is shown


def test_where_nothing_opens_the_hats_nothing_tells_of_them():
    secret = HatsLab(look=False, controls=["play"])
    while secret.data.hats.games == 0:
        secret.take(1)
    assert "The computer won." in said(secret) or "You win!" in said(secret)
    assert not [text for text in (secret.title, secret.goal, said(secret)) if "hat" in text.lower().split()]
    assert "hats" in HatsLab(look=False).title


def test_right_balls_are_marked_by_a_star_and_in_words_only_when_revealed():
    lab = HatsLab(sticks=9)
    assert "★" not in lab.page
    lab.reveal = True
    assert "★ 3</text>" in lab.page  # hat 4 and hat 8
    right = re.findall(r"<td class='left'>(.*?)</td>", lab.page)
    takes = [(hat - 1) % 4 for hat in range(1, 10)]  # misere play: leave one more than a multiple of four
    assert right == [f"★ {take}" if take else "no ball wins" for take in takes]
    assert "In 6 hats there is a right ball (★); in 0 of them it is the favourite" in said(lab)


def test_every_control_counts_and_only_some_keep_the_hats():
    lab = HatsLab(history=[("train", 50, "itself", "other")])
    for name, value in {"reveal": True, "partner": "twin", "first": "alternate", "look": False}.items():
        setattr(lab, name, value)
        assert lab.data.hats.games == 50
    for name, value in {"sticks": 12, "max_take": 2, "ending": "normal", "seed": 9}.items():
        lab.press("10 games")
        assert lab.settings["history"][-1] == ("train", 10, "twin", "alternate")
        setattr(lab, name, value)
        assert (lab.settings["history"], lab.data.hats.games) == ((), 0)


def test_every_ball_is_drawn_while_they_are_few_and_bars_when_they_are_many():
    def drawn():
        return re.findall(r"<circle cx='\d+' cy='\d+' r='8' fill='(.*?)'", lab.page)

    lab = HatsLab(sticks=3)
    assert drawn() == list(BALLS[:3]) * 3  # in the colours of the plots
    assert lab.page.count("class='ball never'") == 3  # 2 and 3 in hat 1, 3 in hat 2
    lab.put(3, 2, 1_000)
    assert len(drawn()) == 6
    assert ">1.0k</text>" in lab.page and "k in the picture: thousand" in lab.page
    assert "<td>1,000</td>" in lab.page and "2 (99\xa0%)" in lab.page  # and not 100 %


def test_a_lab_to_play_in_does_not_speak_of_practice():
    def words(**settings):
        lab = HatsLab(**settings)
        return lab.goal + "".join(part.get("explanation", "") for part in lab.view["above"]) + lab.still()

    assert "ractis" not in words(controls=["play"])
    assert "It practises with the partner chosen below" in words()
    assert "It practises with a twin with its own hats" in words(controls=["train"], partner="twin")
    assert "practises with" in words(controls=["play"], history=[("train", 9, "itself", "other")])
    assert "moves first: you or its partner" in words()
    assert "moves first:" not in words(controls=["play"])  # only "You move first"


def test_after_practice_the_same_partner_is_chosen_and_what_begins_a_game_is_said():
    practised = [("train", 9, "random", "other"), ("train", 9, "twin", "alternate")]
    lab = HatsLab(history=iter(practised), seed=1)
    assert (lab.partner, lab.settings["history"]) == ("twin", tuple(practised))
    assert "practises with: a twin with its own hats" in lab.still()
    assert "9 games with a twin with its own hats. Take some sticks to play against it." in said(lab)
    lab.first = "computer"
    assert "Press “New game” to play against it." in said(lab)
    assert HatsLab(history=practised, partner="itself").partner == "itself"


def test_groups_of_buttons_can_be_left_out():
    assert list(buttons(HatsLab(controls=["play"]))) == ["New game", "Take 1", "Take 2", "Take 3"]
    assert buttons(HatsLab(controls=False)) == {}


def test_games_of_practice_go_on_where_the_last_ones_ended():
    once, twice = HatsState(sticks(10), seed=1), HatsState(sticks(10), seed=1)
    once.train(3, "random", "alternate")
    twice.train(1, "random", "alternate")
    twice.train(2, "random", "alternate")
    assert once.hats.values.tolist() == twice.hats.values.tolist()
    assert once.history == twice.history
