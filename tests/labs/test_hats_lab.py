"""The hats lab without a browser: games, training, meddling, words, and the code behind them."""

import asyncio
import re
from itertools import product

import numpy as np
import pytest
from test_labs import same

from coincourse.labs import HatsLab
from coincourse.labs.base.looks import BALLS
from coincourse.labs.learning.hats_state import PARTNERS
from coinlib import Hats, ScriptedAgent, play_match, sticks

FIRSTS = ("other", "computer", "alternate")


def buttons(lab):
    """Whether each button can be pressed, by its words."""
    parts = [*lab.view["above"], *lab.view["below"]]
    return {button["words"]: not button["disabled"] for part in parts for button in part.get("buttons", ())}


def said(lab):
    return re.sub(r"<[^>]*>", "", lab.page)


# --- a game with you


def test_the_handouts_game_to_the_ball():
    lab = HatsLab(seed=1)
    lab.take(3)
    assert "You take 3: 7 sticks left. The computer draws a 2 from hat 7, lays it beside, and takes 2" in said(lab)
    assert lab.data.hats.contents(7) == [1, 3]  # the 2 lies beside
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


def test_a_game_that_the_computer_loses_throws_balls_away_but_never_the_last():
    lab = HatsLab(sticks=2, history=[("put", 1, 1, 2)])
    lab.take(1)
    assert "You win! The computer lost: the 1 of hat 1 is thrown away." in said(lab)
    lab.take(1)
    assert "the 1 goes back to hat 1, for it is the last 1 there" in said(lab)
    assert lab.data.hats.contents(1) == [1, 2, 3]
    lab.ending = "normal"
    lab.take(2)
    assert "You win!" in said(lab)
    assert "Normal play: whoever takes the last stick wins." in said(lab)


@pytest.mark.parametrize(
    ("first", "words", "opens"),
    [
        ("other", "you, when you play) always", "ooo"),
        ("computer", "r always", "ccc"),
        ("alternate", "rst alter", "coc"),
    ],
)
def test_who_moves_first_is_said_and_done(first, words, opens):
    lab = HatsLab(first=first, sticks=4)
    assert words in said(lab)
    for side in opens:
        assert buttons(lab)["Take 1"] == (side == "o")
        lab.press("New game")
        assert (lab.data.sticks == 4) == (side == "o")
        while lab.data.on_table:
            assert "Your turn." in said(lab)
            lab.press("Take 1")


def test_only_moves_that_can_be_made_have_a_button():
    lab = HatsLab(sticks=6, max_take=4, history=[("put", 4, 3, 100_000)])
    lab.take(2)
    assert lab.data.sticks == 1
    takes = {words: live for words, live in buttons(lab).items() if "Take" in words}
    assert takes == {"Take 1": True, "Take 2": False, "Take 3": False, "Take 4": False}


def test_what_cannot_be_done_is_said_in_words():
    lab = HatsLab(sticks=6)
    lab.take(5)
    assert "That cannot be done: row 0 holds 6 coins; asked to take 5 (legal: 1 to 3)." in said(lab)
    lab.one_step()
    assert "That cannot be done: It is your turn: take some sticks." in said(lab)
    lab.train(1)
    assert "cannot" not in said(lab)
    lab.one_step()
    lab.take(1)
    assert "it is not your turn" in said(lab)
    before = lab.settings["history"]
    for by_hand in [(1, 3, 5), (4, 3, 0), (99, 1, 1), (4, 9, 1)]:
        lab.put(*by_hand)
        assert "That cannot be done: " in said(lab)
        assert lab.settings["history"] == before  # the game on the table goes on


def test_a_game_that_is_given_up_leaves_no_trace():
    lab = HatsLab()
    lab.take(1)
    lab.put(4, 3, 2)
    assert "The unfinished game leaves no trace: its balls are back in their hats." in said(lab)
    lab.take(1)
    lab.train(100)
    assert lab.settings["history"] == (("put", 4, 3, 2), ("train", 100, "itself", "other"))
    same(lab)


# --- practice


@pytest.mark.parametrize(("partner", "first"), list(product(PARTNERS, FIRSTS)))
def test_watched_move_by_move_a_game_teaches_the_same_as_in_bulk(partner, first):
    lab = HatsLab(sticks=8, partner=partner, first=first)
    for games in range(1, 5):
        lab.press("One move")
        assert eval(repr(lab)).page == lab.page
        while lab.data.on_table:
            lab.one_step()
        assert lab.settings["history"] == (("train", games, partner, first),)
        same(lab)


def test_every_partner_is_named_as_it_plays_and_as_it_has_practised():
    lab = HatsLab(sticks=6, max_take=2, ending="normal", partner="twin", first="alternate", seed=3)
    story = []
    while not story or lab.data.on_table:
        lab.one_step()
        story += lab.data.story
    assert "The computer draws a 1 from hat 6, lays it beside, and takes 1: 5 sticks left." in story
    assert "The twin draws a 2 from its own hat 2, lays it beside, and takes 2: 0 sticks left." in story
    assert "The twin wins!" in story and any(sentence.startswith("The computer lost: ") for sentence in story)
    lab.train(1_000)
    assert "Trained: 1,001 games with a twin with hats of its own." in said(lab)
    rules = "6 sticks, take 1 or 2. Normal play: whoever takes the last stick wins."
    assert f"{rules} Who moves first alternates." in said(lab)
    lab.partner = "random"
    lab.train(1)
    assert "Trained: 1 game with a random player." in said(lab)
    lab = HatsLab(history=[("open", "itself", "other", (3,))])
    assert "The other side draws a" in said(lab)
    lab = HatsLab(history=[("open", "random", "other", (2,))], seed=4)
    assert "The random player takes" in said(lab)


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


def test_closed_hats_show_neither_balls_nor_table():
    lab = HatsLab(look=False)
    lab.take(1)
    assert "You take 1: 9 sticks left. The computer takes" in said(lab) and "hat 9" not in lab.page
    assert "<circle" not in lab.page and "Balls in each hat" not in lab.page
    lab.look = True
    assert "<circle" in lab.page and "Balls in each hat" in lab.page
    assert "The computer draws a" in said(lab)


def test_where_nothing_opens_the_hats_nothing_tells_of_them():
    secret = HatsLab(look=False, controls=["play"])
    for _ in range(10):
        if secret.data.hats.games == 0:
            secret.take(1)
    assert "The computer won." in said(secret) or "You win!" in said(secret)
    assert not [words for words in (secret.title, secret.goal, said(secret)) if "hat" in words.lower().split()]
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


def test_among_equals_there_is_no_favourite():
    lab = HatsLab(sticks=4, reveal=True)
    for balls, words, favoured in ((2, "none", 0), (3, "3 (50\xa0%)", 1)):
        lab.put(4, 2, 2)
        lab.put(4, 3, balls)
        favourites = re.findall(r"<td>([^<]*)</td>\s*<td class='left'>", lab.page)
        assert favourites == ["1 (100\xa0%)", "none", "none", words]
        assert f"in {favoured} of them it is the favourite" in said(lab)


def test_every_control_counts_and_only_some_keep_the_hats():
    lab = HatsLab(history=[("train", 50, "itself", "other")])
    for name, value in {"reveal": True, "partner": "twin", "first": "alternate", "look": False}.items():
        setattr(lab, name, value)
        assert lab.data.hats.games == 50
    for name, value in {"sticks": 12, "max_take": 2, "ending": "normal", "seed": 9}.items():
        lab.press("10 games")
        assert lab.settings["history"][-1] == ("train", 10, "twin", "alternate")
        setattr(lab, name, value)
        assert lab.settings["history"] == ()
        same(lab)


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
    assert "It practises with a twin with hats of its own" in words(controls=["train"], partner="twin")
    assert "practises with" in words(controls=["play"], history=[("train", 9, "itself", "other")])


def test_groups_of_buttons_can_be_left_out():
    assert list(buttons(HatsLab(controls=["play"]))) == ["New game", "Take 1", "Take 2", "Take 3"]
    assert buttons(HatsLab(controls=False)) == {}
