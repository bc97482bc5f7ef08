"""Games and opponents of a board as plain data, for the description of a board in a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from coinlib.agents import MixedAgent, agent_name, is_fast
from coinlib.arguments import counted
from coinlib.games import CoinGame, Game
from coinlib.search import SearchAgent
from coinlib.tables import tabulate

TABLED = 5_000  # a game with more states than this is not live on a page without Python
MOST_BALLS = 1_000  # for one state: chances are rounded to thousandths


def as_plain_data(game: Game, setting: Game | Callable) -> dict[str, Any]:
    """The game or the opponent of a board as plain data.

    A `CoinGame` becomes its fields, a search its settings, and a rule its move in each state of the
    board's game. A learner becomes the moves that it draws from at this point, with their weights.

    Raises
    ------
    TypeError
        For a large game, for a game of another class, and for a function that does not promise to depend
        on the state alone: it may behave differently later.
    """
    if type(setting) is CoinGame and setting.state_count <= TABLED:
        return asdict(setting)
    if isinstance(setting, SearchAgent):
        return {"simulations": setting.simulations, "exploration": setting.exploration}
    balls = balls_of(game, setting)
    if not balls:
        raise TypeError(f"{setting!r} does not live on a page without Python")
    return {"name": opponent_name(setting), "moves": " ".join(map(_written, balls))}


def opponent_from_data(data: Mapping[str, Any]) -> SearchAgent | MixedAgent:
    """The search, or an agent with the same moves in each state, that `as_plain_data` wrote."""
    if "simulations" in data:
        return SearchAgent(**data, seed=1)
    balls = list(map(_read, data["moves"].split()))

    def moves_in(game: Game, state) -> list:
        table = tabulate(game)
        return [table.moves[column] for column in balls[table.row(state)]]

    return MixedAgent(moves_in, name=data["name"])


def _written(balls: list[int]) -> str:
    """The balls of a state in shorthand: "0*3,2" for three balls 0 and one ball 2; "0" when the game is over.

    Examples
    --------
    >>> _written([0, 0, 0, 2]), _read("0*3,2"), _read(_written([1]))
    ('0*3,2', [0, 0, 0, 2], [1])
    """
    counts = Counter(balls or [0])
    return ",".join(f"{ball}*{number}" if number > 1 else f"{ball}" for ball, number in counts.items())


def _read(written: str) -> list[int]:
    """The balls of a state, from what `_written` returned."""
    balls = []
    for part in written.split(","):
        ball, _, number = part.partition("*")
        balls += [int(ball)] * int(number or 1)
    return balls


def balls_of(game: Game, agent: Callable) -> list[list[int]] | None:
    """For each state, the moves that an agent draws from, as balls in a hat; None if they are not known in advance.

    A search may reply differently each time; here, one of its replies is used for each state. More than a
    thousand balls in a state are scaled down to a thousand.
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
    if weights is None or weights[~table.legal].any():  # Its rule fails in this game, or it may make illegal moves.
        return None
    return [_as_balls(row) for row in weights]


def _as_balls(weights: np.ndarray) -> list[int]:
    """The column of each move, repeated in proportion to its weight, with the smallest whole numbers.

    Examples
    --------
    >>> _as_balls(np.array([4.0, 0.0, 2.0]))
    [0, 0, 2]
    """
    total = weights.sum()
    if total > MOST_BALLS:
        weights = weights * MOST_BALLS / total
    counts = np.rint(weights).astype(int)
    divisor = max(1, np.gcd.reduce(counts))
    columns = np.arange(len(counts))
    return np.repeat(columns, counts // divisor).tolist()


def opponent_name(opponent: str | Callable) -> str:
    """The name of an opponent, without a memory address."""
    if isinstance(opponent, str):
        return opponent
    if isinstance(opponent, SearchAgent):
        return f"a search, {counted(opponent.simulations, 'simulation')}"
    name = agent_name(opponent)
    return "your function" if name == "<lambda>" else name
