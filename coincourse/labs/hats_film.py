"""How hats fill, game by game, while they play themselves."""

from __future__ import annotations

from typing import NamedTuple

from coinlib.arena import play_match, train
from coinlib.learners import Hats

from .controls import number, seed
from .film import Film, Reel
from .hats_page import Hat, hats_of
from .pages import styles
from .shared import game_code, make_game, turns_of, with_imports

GAME = make_game(10, 3, "misere")
ONE_BY_ONE = 20  # games; then larger steps
GAMES = (*range(ONE_BY_ONE + 1), *range(30, 100, 10), *range(100, 1_000, 100), *range(1_000, 10_001, 1_000))


class Frame(NamedTuple):
    """The hats after so many games.

    Attributes
    ----------
    games : int
    hats : list of Hat
    turns : list of (int, int)
        The sticks and the take of each turn of the last game, where one game was played since the frame before.
    """

    games: int
    hats: list[Hat]
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
    template, style = "hats_film.html", styles("hats.css")
    at = number("Picture", "How far the practice has come.", 0, len(GAMES) - 1, 0)
    seed = seed()
    pause = 0.5

    @staticmethod
    def frames(seed: int) -> list[Frame]:
        """The hats before the first game, and after some numbers of games."""
        hats = Hats(GAME, seed=seed)
        found = [Frame(0, hats_of(hats), [])]
        for games in GAMES[1:]:
            turns: list[tuple[int, int]] = []
            if games <= ONE_BY_ONE:
                turns = turns_of(play_match(GAME, hats, hats, learn=True))
            else:
                train(hats, hats, games=games - hats.games)
            found.append(Frame(games, hats_of(hats), turns))
        return found

    @classmethod
    def draw(cls, data: Reel, **settings) -> str:
        """The last game in words, every hat with its balls, and the same as a table."""
        gained = {
            hat.sticks: [many - was for many, was in zip(hat.balls, before.balls)]
            for hat, before in zip(data.shown.hats, data.before.hats)
            if hat.balls != before.balls
        }
        return super().draw(data, gained=gained, **settings)

    @staticmethod
    def code(at: int, seed: int) -> str:
        """The lines of coinlib that fill the same hats."""
        return with_imports(f"""\
{game_code(10, 3, "misere")}
hats = Hats(game, seed={seed})
train(hats, hats, games={GAMES[at]:_})    # it plays itself: both sides draw from the same hats

data = hats.balls    # a row for each hat, from 10 down; a column for each ball
hats.show()
""")
