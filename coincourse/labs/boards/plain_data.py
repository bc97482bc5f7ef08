"""Games and opponents of a board as plain data, so that a board can describe itself in a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from coinlib.agents import agent_name, is_fast
from coinlib.arguments import counted
from coinlib.games import CoinGame, Game
from coinlib.search import SearchAgent
from coinlib.tables import Table, tabulate

TABLED = 5_000  # a game with more states does not live on a page without Python
MOST_BALLS = 1_000  # for a state: the chances of moves are rounded to thousandths


def plain(game: Game, setting: Game | Callable) -> dict[str, Any]:
    """The game or the opponent of a board as plain data.

    A `CoinGame` is told by its fields, a search by its settings, and a rule by its move in each state of the
    board's game. A learner is told by the moves that it draws from, as often as it has learnt so far. A search
    draws at random, and each of its replies is one that it may give.

    Raises
    ------
    TypeError
        For a large game, for a game of another class, and for a function that does not promise to depend
        on the state alone: it may do something else than what it does when it is asked beforehand.
    """
    if type(setting) is CoinGame and setting.state_count <= TABLED:
        return asdict(setting)
    if isinstance(setting, SearchAgent):
        return {"simulations": setting.simulations, "exploration": setting.exploration}
    balls = balls_of(game, setting)
    if not balls:
        raise TypeError(f"{setting!r} does not live on a page without Python")
    return {"name": opponent_name(setting), "moves": " ".join(map(_written, balls))}


def opponent_again(told: Mapping[str, Any]) -> SearchAgent | Drawing:
    """The search, or the agent with its balls, that was told as plain data."""
    if "simulations" in told:
        return SearchAgent(**told, seed=1)
    return Drawing(told["name"], list(map(_read, told["moves"].split())))


def _written(balls: list[int]) -> str:
    """The balls of a state in short: "0*3,2" for three balls 0 and one ball 2; "0" where nobody moves.

    Examples
    --------
    >>> _written([0, 0, 0, 2]), _read("0*3,2"), _read(_written([1]))
    ('0*3,2', [0, 0, 0, 2], [1])
    """
    many = Counter(balls or [0])
    return ",".join(f"{ball}*{number}" if number > 1 else f"{ball}" for ball, number in many.items())


def _read(written: str) -> list[int]:
    """The balls of a state that `_written` has written."""
    balls = []
    for part in written.split(","):
        ball, _, number = part.partition("*")
        balls += [int(ball)] * int(number or 1)
    return balls


class Drawing:
    """An agent that draws a ball in each state, and makes the move that stands on it.

    Parameters
    ----------
    name : str
    balls : list of list of int
        For each state the columns of the moves, each as often as there are balls of it.
    """

    def __init__(self, name: str, balls: list[list[int]]) -> None:
        self.name = name
        self.balls = balls
        self.generator = np.random.default_rng()

    def __call__(self, game: Game, state):
        table = tabulate(game)
        return table.moves[self.generator.choice(self.balls[table.row(state)])]

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): how many balls of each move there are."""
        weights = np.array([np.bincount(drawn, minlength=len(table.moves)) for drawn in self.balls], dtype=float)
        weights[table.over] = 0.0
        return weights


def balls_of(game: Game, agent: Callable) -> list[list[int]] | None:
    """For each state the moves of which an agent draws one, as balls from a hat; None if it cannot say so.

    A search draws anew whenever it is asked: it has one of its possible replies for each state. Where a hat
    holds more than a thousand balls, a thousand stand for them in the same shares.
    """
    if not is_fast(agent) and not isinstance(agent, SearchAgent):
        return None
    try:
        table = tabulate(game)
    except MemoryError:  # A game that is too large for a table is too large for a page.
        return None
    if isinstance(agent, SearchAgent):
        replies = [None if over else agent(game, state) for state, over in zip(table.states, table.over)]
        return [[] if reply is None else [table.column[reply]] for reply in replies]
    weights = agent.move_weights(game, table)
    if weights is None or weights[~table.legal].any():  # Its rule fails in this game, or it may forfeit.
        return None
    return [_drawn_from(row) for row in weights]


def _drawn_from(weights: np.ndarray) -> list[int]:
    """The columns of moves, each as often as it weighs; a column alone stands there once."""
    total = weights.sum()
    if total > MOST_BALLS:
        weights = weights * MOST_BALLS / total
    many = np.rint(weights).astype(int)
    return np.repeat(np.arange(len(many)), many // max(1, np.gcd.reduce(many))).tolist()


def opponent_name(opponent: str | Callable) -> str:
    """What an opponent is called, without an address in it."""
    if isinstance(opponent, str):
        return opponent
    if isinstance(opponent, SearchAgent):
        return f"a search, {counted(opponent.simulations, 'simulation')}"
    name = agent_name(opponent)
    return "your function" if name == "<lambda>" else name
