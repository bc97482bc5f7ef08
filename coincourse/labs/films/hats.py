"""Hats that fill, game by game (lesson 05)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from coinlib import Hats, play_match, train

from ..base.controls import number, seed
from ..base.pages import styles
from ..base.sticks import rules_in_words, turns_of
from ..learning.hats_drawn import Hat, hats_of
from .film import TEN_STICKS, TEN_STICKS_CODE, Film, Reel

ONE_BY_ONE = 20  # Each of these games has a picture; after them the steps are larger.
LARGER_STEPS = (*range(30, 100, 10), *range(100, 1_000, 100), *range(1_000, 10_001, 1_000))
PRACTICE = (*range(ONE_BY_ONE + 1), *LARGER_STEPS)


class FilledHats(NamedTuple):
    """The hats after a number of games.

    Attributes
    ----------
    games : int
    hats : list of Hat
    turns : list of (int, int)
        The sticks and the take on each turn of the last game, if it was the only one since the previous frame.
    gained : dict of int to list of int
        For each hat that has changed since then, by its sticks: how many more balls of 1, 2, 3 it holds.
    """

    games: int
    hats: list[Hat]
    turns: list[tuple[int, int]]
    gained: dict[int, list[int]]


class HatsFilm(Film):
    """Hats that play against themselves: 10 sticks, 1 to 3 a turn, misère play; both sides draw from the same hats.

    A picture for each of the first 20 games, then larger steps, up to 10,000 games.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "seed".
    at : int
        The number of the picture, from 0.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = HatsFilm(at=46)
    >>> film.data.shown.games, [hat.favourite for hat in film.data.shown.hats]
    (10000, [1, 1, 2, 3, None, 1, 2, 3, None, 1])
    """

    title = "Hats fill, game by game"
    goal = "Play, or go game by game with Next. After 20 games the steps become larger."
    template = "hats_film.html"
    style = styles("hats.css")
    at = number("Picture", "How far the practice has come.", 0, len(PRACTICE) - 1, 0)
    seed = seed()
    pause = 0.5
    STILL_AT: ClassVar = 5  # after five games

    @staticmethod
    def frames(seed: int) -> list[FilledHats]:
        """The hats before the first game, and after each number of games in `PRACTICE`."""
        hats = Hats(TEN_STICKS, seed=seed)
        found = [FilledHats(0, hats_of(hats), [], {})]
        for games in PRACTICE[1:]:
            train(hats, hats, games=games - hats.games - 1)
            last = play_match(TEN_STICKS, hats, hats, learn=True)
            turns = turns_of(last) if games <= ONE_BY_ONE else []
            now = hats_of(hats)
            found.append(FilledHats(games, now, turns, gained_balls(found[-1].hats, now)))
        return found

    @classmethod
    def draw(cls, data: Reel, **settings) -> str:
        """The hats as a picture and as a table, and what the last game did to them."""
        return super().draw(data, rules=rules_in_words(TEN_STICKS), **settings)

    @staticmethod
    def code(at: int, seed: int) -> str:
        """The lines of code that fill the same hats."""
        return f"""\
{TEN_STICKS_CODE}
hats = Hats(game, seed={seed})
train(hats, hats, games={PRACTICE[at]:_})    # it plays itself: both sides draw from the same hats

data = hats.balls    # a row for each hat, from 10 down; a column for each ball
hats.show()
"""


def gained_balls(before: list[Hat], now: list[Hat]) -> dict[int, list[int]]:
    """For each hat that has changed, by its sticks: how many more balls of 1, 2, 3 it holds now."""
    changed = [(was, hat) for was, hat in zip(before, now) if hat.balls != was.balls]
    return {hat.sticks: np.subtract(hat.balls, was.balls).tolist() for was, hat in changed}
