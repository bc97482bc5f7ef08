"""What the labs about one row of sticks share: the game, its words and code, more games of a training."""

from __future__ import annotations

import numpy as np

from coinlib.arguments import counted
from coinlib.games import CoinGame
from coinlib.games import sticks as make_sticks
from coinlib.learners import Learner
from coinlib.match import Match
from coinlib.training import train
from coinlib.words import ending_words

from .amounts import span
from .controls import Control, menu
from .pages import TEMPLATES


def ending(default: str = "misere", thing: str = "stick") -> Control:
    """The control that chooses who wins: misère or normal play."""
    return menu(
        "Ending",
        f"Whoever takes the last {thing} loses (misère play) or wins (normal play).",
        [(f"misère play: last {thing} loses", "misere"), (f"normal play: last {thing} wins", "normal")],
        default,
    )


def make_game(sticks: int, max_take: int, ending: str) -> CoinGame:
    """The game that the settings of a lab describe."""
    return make_sticks(sticks, max_pick=max_take, misere=ending == "misere")


def game_code(sticks: int, max_take: int, ending: str) -> str:
    """The line of coinlib that makes the same game."""
    misere = ending == "misere"
    last = "loses" if misere else "wins"
    game = f"sticks({sticks}, max_pick={max_take}, misere={misere})"
    return f"game = {game}    # whoever takes the last stick {last}"


def rules_in_words(game: CoinGame) -> str:
    """The rules of a game of sticks."""
    takes = span(range(1, game.max_pick + 1))
    return f"{counted(game.rows[0], 'stick')}, take {takes}. {ending_words(game, 'stick').capitalize()}."


def go_on(learner: Learner, opponent, games: int, first: str, done: int) -> np.ndarray:
    """Train for so many games more, where `done` games of the same training are over.

    Parameters
    ----------
    learner : Learner
    opponent : agent
    games : int
    first : {"agent", "opponent", "alternate"}
        Who moves first, as in `train`.
    done : int
        If they take turns to move first, this says whose turn it is.

    Returns
    -------
    int8 array, shape (games,)
        The result of each game, as in `train`.

    Examples
    --------
    >>> from coinlib import Hats, RandomAgent, sticks
    >>> hats, other = Hats(sticks(1)), RandomAgent()    # with one stick who moves first loses
    >>> go_on(hats, other, 3, "alternate", done=5)
    array([ 1, -1,  1], dtype=int8)
    """
    if first == "alternate" and done % 2 and games:
        one = train(learner, opponent, 1, first="opponent").result  # It is the opponent's turn to begin.
        others = train(learner, opponent, games - 1, first=first).result
        return np.concatenate([one, others])
    return train(learner, opponent, games, first=first).result


def turns_of(match: Match) -> list[tuple[int, int]]:
    """The sticks and the take of each turn of a match."""
    return [(state[0], move.count) for state, move in zip(match.states, match.moves)]


TEMPLATES.globals |= {"make_game": make_game, "rules_in_words": rules_in_words}
