"""How the news of a win walks back through a Q-table, game by game."""

from __future__ import annotations

from typing import NamedTuple

from coinlib.agents import RandomAgent, take_one
from coinlib.arena import play_match
from coinlib.games import sticks
from coinlib.learners import QLearner

from .controls import menu, number, seed
from .film import Film, Reel
from .pages import page, styles

GAMES = 60
GAME = sticks(10, max_pick=3, misere=True)


class Frame(NamedTuple):
    """The Q-table after a game.

    Attributes
    ----------
    values : dict
        The value of each (sticks, take).
    before : dict
        The same before the game.
    turns : list of (int, int)
        The learner's turns: the sticks that it found, and its take.
    won : bool
    """

    values: dict[tuple[int, int], float]
    before: dict[tuple[int, int], float]
    turns: list[tuple[int, int]]
    won: bool


def _values(learner: QLearner) -> dict[tuple[int, int], float]:
    counts = [(left, take) for left in range(10, 0, -1) for take in range(1, min(3, left) + 1)]
    return {(left, take): float(learner.values[learner.table.row((left,)), take - 1]) for left, take in counts}


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
    >>> film.data.shown.values[10, 1], film.data.shown.before[10, 1]
    (1.0, 0.0)
    """

    title = "The news of a win walks back"
    goal = "Play, or go game by game with Next. What a game has changed is framed."
    style = styles("news.css")
    at = number("Games", "How many games the learner has played.", 0, GAMES, 0)
    opponent = menu(
        "Opponent", "Who sits on the other side.", [("always takes 1", "take_one"), ("random", "random")], "take_one"
    )
    seed = seed()

    @staticmethod
    def frames(opponent: str, seed: int) -> list[Frame]:
        """The table before the first game, and after each game."""
        learner, other = QLearner(GAME), take_one if opponent == "take_one" else RandomAgent(seed=seed)
        found = [Frame(_values(learner), _values(learner), [], False)]
        for _ in range(GAMES):
            match = play_match(GAME, learner, other, learn=True)
            turns = [(state[0], move.count) for state, move in zip(match.states[::2], match.moves[::2])]
            found.append(Frame(_values(learner), found[-1].values, turns, match.winner == 1))
        return found

    @staticmethod
    def picture(data: Reel, opponent: str, seed: int) -> str:
        """The table, with the learner's turns; what has changed, and the game in words."""
        frame = data.shown
        changed = [entry for entry, value in frame.values.items() if value != frame.before[entry]]
        return page("news.html", frame=frame, changed=changed, games=data.at)

    @staticmethod
    def code(at: int, opponent: str, seed: int) -> str:
        """The lines of coinlib that make the same table."""
        first, other = ("from coinlib.agents import take_one\n", "take_one")
        if opponent == "random":
            first, other = "", f"RandomAgent(seed={seed})"
        names = "QLearner, play_match, sticks" if first else "QLearner, RandomAgent, play_match, sticks"
        return f"""\
from coinlib import {names}
{first}
game = sticks(10, max_pick=3, misere=True)    # who takes the last stick loses
learner, opponent = QLearner(game), {other}
for number in range({at}):
    play_match(game, learner, opponent, learn=True)

data = learner.values    # a row for each number of sticks, from 10 down; a column for each take
data
"""
