"""Films: what they show is what coinlib computes; the slider, Play and the steps; the code makes the same data."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from lab_words import data_of

from coincourse.labs import FusingFilm, HatsFilm, IntervalsFilm, NewsFilm


def margin(coins: list[int]) -> int:
    """The margin of a row, whose coins may be below 0, from shorter runs to longer ones."""
    line = list(coins)
    for more in range(1, len(coins)):
        line = [max(coins[i] - line[i + 1], coins[i + more] - line[i]) for i in range(len(line) - 1)]
    return line[0]


def test_fusing_keeps_the_margin_and_ends_in_a_valley():
    for seed in range(15):
        generator = np.random.default_rng(seed)
        coins = generator.integers(-9, 10, generator.integers(1, 12)).tolist()
        film = FusingFilm(coins=" ".join(map(str, coins)))
        stacks = set()
        for frame in film.data.frames:
            coin = [] if frame.coin is None else [frame.coin]
            assert margin([*frame.stack, *coin, *frame.rest]) == margin(coins)
            stacks.add((*frame.stack, *coin))
        valley = film.data.frames[-1].stack
        assert not any(a <= b >= c for a, b, c in zip(valley, valley[1:], valley[2:]))
        assert set(data_of(film.program)) <= stacks
        assert data_of(film.program)[-1] == valley


def test_a_film_is_played_stepped_and_scrubbed():
    film = FusingFilm(coins="3 5 1")
    film.pause = 0
    film.press("Next")
    film.press("Next")
    film.press("Back")
    assert film.at == 1 and "The coin 3 has come" in film.page
    film.run()  # plain Python: to the end
    assert film.at == len(film.data.frames) - 1 and "valley" in film.page
    film.at = 3
    assert "5 is a peak between 3 and 1: 3 − 5 + 1 = −1" in film.page
    film.press("Start again")
    assert film.at == 0 and "The stack is empty" in film.page
    film.at = 3
    film.coins = "1 2"
    assert film.settings == {"at": 3, "coins": "1 2"}  # the place stays
    film.coins = "one two"
    assert "write whole numbers from -999 to 999 with spaces" in film.page


@pytest.mark.parametrize("opponent", ["take_one", "random"])
def test_the_news_of_a_win_walks_one_step_back_in_each_game(opponent):
    film = NewsFilm(opponent=opponent, at=40)
    np.testing.assert_array_equal(data_of(film.program), film.data.shown.values)
    for before, frame in zip(film.data.frames, film.data.frames[1:]):
        changed = np.argwhere(before.values != frame.values)
        assert {(10 - row, column + 1) for row, column in changed} <= set(frame.turns)
    if opponent == "take_one":  # a take of 1 at 2, 4, 6, 8, 10 sticks
        first = [np.argmax([frame.values[row, 0] == 1 for frame in film.data.frames]) for row in (8, 6, 4, 2, 0)]
        assert first == [1, 2, 3, 4, 5]


@cache
def rate(coins: int) -> float:
    """How often the player to move wins if both play at random, and the last coin loses."""
    if coins == 0:
        return 1.0
    takes = range(1, min(3, coins) + 1)
    return sum(1 - rate(coins - take) for take in takes) / len(takes)


@pytest.mark.parametrize("games", [25, 100, 400])
def test_about_one_interval_in_twenty_misses_the_true_rate_and_words_count_them(games):
    assert rate(4) == pytest.approx(2 / 3)
    missed = []
    for seed in range(4):
        film = IntervalsFilm(games=games, seed=seed, at=100)
        assert data_of(film.program) == [(sample.wins, sample.low, sample.high) for sample in film.data.shown]
        assert [frame == film.data.shown[:count] for count, frame in enumerate(film.data.frames)] == [True] * 101
        missed.append(sum(not sample.low <= 2 / 3 <= sample.high for sample in film.data.shown))
        assert f"{missed[-1]} of 100 intervals miss" in film.page and film.page.count("class='missed'") == missed[-1]
    assert 10 < sum(missed) < 30  # of 400
    film.press("Start again")
    assert "No sample has been played" in film.page and "Missed: none" in film.page


def test_hats_fill_by_the_balls_of_each_game():
    film = HatsFilm(seed=7)
    for before, frame in zip(film.data.frames, film.data.frames[1:21]):
        changed = {hat.sticks for was, hat in zip(before.hats, frame.hats) if was != hat}
        assert frame.games == before.games + 1 and changed <= dict(frame.turns).keys()
        for turn, (hat, ball) in enumerate(frame.turns):
            was, now = (hats.hats[hat - 1].balls[ball - 1] for hats in (before, frame))
            won = turn % 2 == len(frame.turns) % 2  # misère play: the player who took the last stick has lost
            assert now == (was + 1 if won else max(was - 1, 1))
            assert sum(frame.hats[hat - 1].balls) - sum(before.hats[hat - 1].balls) == now - was
    for at in (0, 1, 20, 24, len(film.data.frames) - 1):
        film.at = at
        shown = [hat.balls for hat in reversed(film.data.shown.hats)]
        assert data_of(film.program)[:10].tolist() == shown
        assert film.page == HatsFilm(**film.settings).page
        for hat, balls in zip(range(10, 0, -1), shown):
            assert ", ".join(f"{many:,} of ball {number}" for number, many in enumerate(balls, 1)) in film.page
