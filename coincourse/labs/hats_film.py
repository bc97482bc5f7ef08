"""How hats fill, game by game, while they play themselves."""

from __future__ import annotations

from typing import NamedTuple

from coinlib.arena import play_match, train
from coinlib.games import sticks
from coinlib.learners import Hats

from .controls import number, seed
from .film import Film, Reel
from .hats_page import Hat, hats_of
from .pages import page, styles

GAME = sticks(10, max_pick=3, misere=True)
ONE_BY_ONE = 20  # games; then larger steps
STOPS = (*range(30, 100, 10), *range(100, 1_000, 100), *range(1_000, 10_001, 1_000))


class Frame(NamedTuple):
    """The hats after so many games.

    Attributes
    ----------
    games : int
    hats : list of Hat
    changed : dict of int to tuple of int
        For each hat that has changed since the frame before, how many balls of 1, 2 and 3 it has gained.
    turns : list of (int, int)
        The sticks and the take of each turn of the last game, where one game was played since then.
    """

    games: int
    hats: list[Hat]
    changed: dict[int, tuple[int, ...]]
    turns: list[tuple[int, int]]


class HatsFilm(Film):
    """Hats that play themselves: 10 sticks, 1 to 3 a turn, misère play; both sides draw from the same hats.

    A picture for each of the first 20 games, then larger steps, up to 10,000 games.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "seed".
    at : int
        The picture that is shown, from 0.
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
    style = styles("hats.css")
    at = number("Picture", "How far the practice has come.", 0, ONE_BY_ONE + len(STOPS), 0)
    seed = seed()
    pause = 0.5

    @staticmethod
    def frames(seed: int) -> list[Frame]:
        """The hats before the first game, and after some numbers of games."""
        hats = Hats(GAME, seed=seed)
        found = [Frame(0, hats_of(hats, reveal=False), {}, [])]
        for games in (*range(1, ONE_BY_ONE + 1), *STOPS):
            turns: list[tuple[int, int]] = []
            if games <= ONE_BY_ONE:
                match = play_match(GAME, hats, hats, learn=True)
                turns = [(state[0], move.count) for state, move in zip(match.states, match.moves)]
            else:
                train(hats, hats, games=games - hats.games)
            now = hats_of(hats, reveal=False)
            gained = {
                hat.sticks: tuple(many - was for many, was in zip(hat.balls, before.balls))
                for hat, before in zip(now, found[-1].hats)
                if hat.balls != before.balls
            }
            found.append(Frame(games, now, gained, turns))
        return found

    @staticmethod
    def picture(data: Reel, seed: int) -> str:
        """The last game in words, every hat with its balls, and the same as a table."""
        before = data.frames[data.at - 1].games if data.at else 0
        return page("hats_film.html", frame=data.shown, before=before, game=GAME)

    @staticmethod
    def code(at: int, seed: int) -> str:
        """The lines of coinlib that fill the same hats."""
        games = [0, *range(1, ONE_BY_ONE + 1), *STOPS][at]
        return f"""\
from coinlib import Hats, sticks, train

game = sticks(10, max_pick=3, misere=True)    # who takes the last stick loses
hats = Hats(game, seed={seed})
train(hats, hats, games={games:_})    # it plays itself: both sides draw from the same hats

data = hats.balls    # a row for each hat, from 10 down; a column for each ball
hats.show()
"""
