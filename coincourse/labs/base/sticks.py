"""What labs about one row of sticks share: the game, its rules as text, its code, and training in stages."""

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


def ending(default: str = "misere", thing: str = "stick") -> Control:
    """The control for the ending: misère or normal play."""
    return menu(
        "Ending",
        f"The player who takes the last {thing} loses (misère play) or wins (normal play).",
        [(f"misère play: last {thing} loses", "misere"), (f"normal play: last {thing} wins", "normal")],
        default,
    )


def make_game(sticks: int, max_take: int, ending: str) -> CoinGame:
    """The game for these settings of a lab."""
    return make_sticks(sticks, max_pick=max_take, misere=ending == "misere")


def game_code(sticks: int, max_take: int, ending: str) -> str:
    """The line of code that makes the same game."""
    misere = ending == "misere"
    last = "loses" if misere else "wins"
    game = f"sticks({sticks}, max_pick={max_take}, misere={misere})"
    return f"game = {game}    # the player who takes the last stick {last}"


def rules_in_words(game: CoinGame) -> str:
    """The rules of a game of sticks, as text."""
    takes = span(range(1, game.max_pick + 1))
    return f"{counted(game.rows[0], 'stick')}, take {takes}. {ending_words(game, 'stick').capitalize()}."


def train_more(learner: Learner, opponent, games: int, first: str, done: int) -> np.ndarray:
    """Train for `games` more games, after `done` games in the same training run.

    Parameters
    ----------
    learner : Learner
    opponent : agent
    games : int
    first : {"agent", "opponent", "alternate"}
        Who moves first, as in `train`.
    done : int
        If the players take turns going first, this decides whose turn it is.

    Returns
    -------
    int8 array, shape (games,)
        The result of each game, as in `train`.

    Examples
    --------
    >>> from coinlib import Hats, RandomAgent, sticks
    >>> hats, other = Hats(sticks(1)), RandomAgent()    # with one stick the first player loses
    >>> train_more(hats, other, 3, "alternate", done=5)
    array([ 1, -1,  1], dtype=int8)
    """
    if first == "alternate" and done % 2 and games:
        one = train(learner, opponent, 1, first="opponent").result  # It is the opponent's turn to move first.
        others = train(learner, opponent, games - 1, first=first).result
        return np.concatenate([one, others])
    return train(learner, opponent, games, first=first).result


def turns_of(match: Match) -> list[tuple[int, int]]:
    """The sticks and the take on each turn of a match."""
    return [(state[0], move.count) for state, move in zip(match.states, match.moves)]
