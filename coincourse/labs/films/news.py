"""The news of a win walks back through a Q-table (lesson 06)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from coinlib import QLearner, named, play_match

from ..base.controls import menu, number, seed
from ..base.sticks import turns_of
from .film import TEN_STICKS, TEN_STICKS_CODE, Film

LAST_GAME = 60
OTHERS = [("always takes 1", "take_one"), ("random", "random")]


class LearntTable(NamedTuple):
    """The Q-table after a game.

    Attributes
    ----------
    values : float64 array, shape (S, M)
    turns : list of (int, int)
        The learner's turns in the game: the sticks it faced, and its take.
    won : bool
        Whether the learner won.
    """

    values: np.ndarray
    turns: list[tuple[int, int]]
    won: bool


class NewsFilm(Film):
    """The Q-table of a learner after each of its first games (10 sticks, 1 to 3 a turn, misère play).

    The learner moves first, with learning rate 1, discount 1 and no exploration.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "opponent", "seed".
    at : int
        Games played, 0 to 60.
    opponent : {"take_one", "random"}
        The other player.
    seed : int
        0 to 9,999; for the random opponent.

    Examples
    --------
    >>> film = NewsFilm(opponent="take_one", at=5)
    >>> film.data.before.values[0, 0], film.data.shown.values[0, 0]    # 10 sticks, take 1
    (np.float64(0.0), np.float64(1.0))
    """

    title = "The news of a win walks back"
    goal = "Play, or go game by game with Next. What a game has changed is framed."
    STILL_AT: ClassVar = 5  # By then the news of a win has reached the row for 10 sticks.
    template = "news.html"
    at = number("Games", "How many games the learner has played.", 0, LAST_GAME, 0)
    opponent = menu("Opponent", "The other player.", OTHERS)
    seed = seed()

    @staticmethod
    def frames(opponent: str, seed: int) -> list[LearntTable]:
        """The table before the first game, and after each game."""
        learner = QLearner(TEN_STICKS)
        other = named.agent(opponent, seed=seed)
        found = [LearntTable(learner.values, [], False)]
        for _ in range(LAST_GAME):
            match = play_match(TEN_STICKS, learner, other, learn=True)
            found.append(LearntTable(learner.values, turns_of(match)[::2], match.winner == 1))
        return found

    @staticmethod
    def code(at: int, opponent: str, seed: int) -> str:
        """The lines of code that make the same table."""
        other = "take_one" if opponent == "take_one" else f"RandomAgent(seed={seed})"
        return f"""\
{TEN_STICKS_CODE}
learner, opponent = QLearner(game), {other}
for number in range({at}):
    play_match(game, learner, opponent, learn=True)

data = learner.values    # a row for each number of sticks, from 10 down; a column for each take
data
"""
