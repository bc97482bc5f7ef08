"""How the news of a win walks back through a Q-table, game by game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from coinlib import named
from coinlib.arena import play_match
from coinlib.learners import QLearner

from .controls import menu, number, seed
from .film import Film
from .pages import styles
from .shared import game_code, make_game, turns_of, with_imports

GAMES = 60
GAME = make_game(10, 3, "misere")


class Frame(NamedTuple):
    """The Q-table after a game, the learner's turns in it (the sticks that it found, and its take), who won."""

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
        Who sits on the other side.
    seed : int
        0 to 9,999; the luck of the random opponent.

    Examples
    --------
    >>> film = NewsFilm(opponent="take_one", at=5)
    >>> film.data.before.values[0, 0], film.data.shown.values[0, 0]    # 10 sticks, take 1
    (np.float64(0.0), np.float64(1.0))
    """

    title = "The news of a win walks back"
    goal = "Play, or go game by game with Next. What a game has changed is framed."
    template, style = "news.html", styles("news.css")
    at = number("Games", "How many games the learner has played.", 0, GAMES, 0)
    opponent = menu("Opponent", "Who sits on the other side.", [("always takes 1", "take_one"), ("random", "random")])
    seed = seed()

    @staticmethod
    def frames(opponent: str, seed: int) -> list[Frame]:
        """The table before the first game, and after each game."""
        learner, other = QLearner(GAME), named.agent(opponent, seed=seed)
        found = [Frame(learner.values, [], False)]
        for _ in range(GAMES):
            match = play_match(GAME, learner, other, learn=True)
            found.append(Frame(learner.values, turns_of(match)[::2], match.winner == 1))
        return found

    @staticmethod
    def code(at: int, opponent: str, seed: int) -> str:
        """The lines of coinlib that make the same table."""
        other = "take_one" if opponent == "take_one" else f"RandomAgent(seed={seed})"
        return with_imports(f"""\
{game_code(10, 3, "misere")}
learner, opponent = QLearner(game), {other}
for number in range({at}):
    play_match(game, learner, opponent, learn=True)

data = learner.values    # a row for each number of sticks, from 10 down; a column for each take
data
""")
