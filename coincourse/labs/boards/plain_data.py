"""Games and opponents of a board as plain data, so that a board can describe itself in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from coinlib.agents import CHOOSING, PerfectAgent, RandomAgent, RuleAgent, agent_name, declared
from coinlib.arguments import counted
from coinlib.games import CoinGame, Game
from coinlib.search import SearchAgent
from coinlib.tables import tabulate

TABLED = 5_000  # a game with more states does not live on a page without Python


def plain(game: Game, setting: Game | Callable) -> dict[str, Any]:
    """The game or the opponent of a board as plain data.

    A `CoinGame` is told by its fields, a search by its settings, and a rule by its move in each state of the
    board's game. A search draws at random, and each of its replies is one that it may give.

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
    balls = balls_of(game, setting) if isinstance(setting, RuleAgent) else None
    if not balls:
        raise TypeError(f"{setting!r} does not live on a page without Python")
    moves = [drawn[0] if drawn else 0 for drawn in balls]
    return {"name": opponent_name(setting), "moves": " ".join(map(str, moves))}


def opponent_again(told: Mapping[str, Any]) -> SearchAgent | RuleAgent:
    """The search or the rule that was told as plain data."""
    if "simulations" in told:
        return SearchAgent(**told, seed=1)
    columns = told["moves"].split()

    def rule(game, state):
        table = tabulate(game)
        return table.moves[int(columns[table.row(state)])]

    return RuleAgent(rule, told["name"])


def balls_of(game: Game, agent: Callable) -> list[list[int]] | None:
    """For each state the moves of which an agent draws one, as balls from a hat; None if it cannot say so.

    A search draws anew whenever it is asked: it has one of its possible replies for each state.
    """
    table = tabulate(game)
    if isinstance(agent, SearchAgent):
        replies = [None if over else agent(game, state) for state, over in zip(table.states, table.over)]
        return [[] if reply is None else [table.column[reply]] for reply in replies]
    move_weights = declared(agent, "move_weights", CHOOSING)
    if not isinstance(agent, RandomAgent | PerfectAgent | RuleAgent) or move_weights is None:
        return None
    weights = move_weights(game, table)
    if weights is None or weights[~table.legal].any():  # Its rule fails in this game, or it may forfeit.
        return None
    return [np.repeat(np.arange(len(row)), row.astype(int)).tolist() for row in weights]


def opponent_name(opponent: str | Callable) -> str:
    """What an opponent is called, without an address in it."""
    if isinstance(opponent, str):
        return opponent
    if isinstance(opponent, SearchAgent):
        return f"a search, {counted(opponent.simulations, 'simulation')}"
    name = agent_name(opponent)
    return "your function" if name == "<lambda>" else name
