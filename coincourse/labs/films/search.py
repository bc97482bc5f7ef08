"""A search tree that grows (lesson 12)."""

from __future__ import annotations

from typing import Any, NamedTuple

from coinlib import GreedyCoins
from coinlib.games import State
from coinlib.search import SearchAgent, upper_bound
from coinlib.tables import tabulate

from ..base.controls import menu, number, seed, slider
from ..base.pages import styles
from ..perfect_play.coin_rows import read_row
from .film import Film, Reel

SIMULATIONS = 100
EXPLORATIONS = [0, 0.25, 0.5, 1, 2]
SMALL_ROWS = ["3 5 1 2", "1 2 4 3", "2 1 2 5 5 3"]


class GrownTree(NamedTuple):
    """The tree after a simulation.

    Attributes
    ----------
    nodes : dict of state to (int, float)
        The visits and the value of each node.
    moves : dict of (state, move) to (int, float)
        How often each move was tried, and its upper bound for the next choice.
    backed_up : dict of (state, move) to int
        What the simulation was worth to the player who made each move in the tree, the last move first.
    leaf : state or None
        Where the random playout began.
    value : int
        What the playout was worth to the player who moved first in it.
    """

    nodes: dict[State, tuple[int, float]]
    moves: dict[tuple[State, str], tuple[int, float]]
    backed_up: dict[tuple[State, str], int]
    leaf: Any
    value: int


class SearchFilm(Film):
    """A tree search on a small row of greedy coins, simulation by simulation.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "coins", "exploration", "seed".
    at : int
        The number of simulations, 0 to 100.
    coins : {"3 5 1 2", "1 2 4 3", "2 1 2 5 5 3"}
        The row.
    exploration : {0, 0.25, 0.5, 1, 2}
        As in `coinlib.search.SearchAgent`.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = SearchFilm(at=60)
    >>> film.data.shown.moves[(0, 4), "R"][0]    # 60 simulations: how many began on the right
    54
    """

    title = "A tree grows where it pays"
    goal = "Play, or go simulation by simulation with Next. Watch which part of the tree is looked at most."
    template = "search.html"
    style = styles("search.css")
    at = number("Simulations", "How many simulations have been made.", 0, SIMULATIONS, 0)
    coins = menu("Coins", "The row; the player with more points at the end wins.", SMALL_ROWS, SMALL_ROWS[0])
    exploration = slider(
        "Exploration", "How much a bonus a move gets while it has rarely been tried.", EXPLORATIONS, 0.5
    )
    exploration.tag(recorded=(0.0, 0.5, 1.0))
    seed = seed().tag(recorded=(1, 2))

    @staticmethod
    def frames(coins: str, exploration: float, seed: int) -> list[GrownTree]:
        """No tree, then the tree after each simulation."""
        game = GreedyCoins(read_row(coins))
        agent = SearchAgent(SIMULATIONS, exploration, seed)
        found = [GrownTree({}, {}, {}, None, 0)]
        results = []
        for path, leaf, value in agent.search(game, game.start):
            result = value
            backed_up = {}
            for node, move in reversed(path):
                result = node.moves[move].points - result
                backed_up[node.state, move] = result
            results.append(result)
            bonus = exploration * (max(results) - min(results))
            nodes = {}
            moves = {}
            for state, node in agent.tree.items():
                nodes[state] = node.visits, node.value
                for move, branch in node.moves.items():
                    moves[state, move] = branch.visits, upper_bound(node, move, bonus)
            found.append(GrownTree(nodes, moves, backed_up, leaf.state, value))
        return found

    @classmethod
    def draw(cls, data: Reel, coins: str, **settings) -> str:
        """The tree with its numbers, the simulation as text, and the same as a table."""
        game = GreedyCoins(read_row(coins))
        states = sorted(tabulate(game).states, key=lambda state: (state[0] - state[1], state))
        return super().draw(data, game=game, size=len(game.coins), states=states, **settings)

    @staticmethod
    def code(at: int, coins: str, exploration: float, seed: int) -> str:
        """The lines of code that grow the same tree."""
        return f"""\
game = GreedyCoins({read_row(coins)})
agent = SearchAgent(exploration={exploration}, seed={seed})
for number, (path, leaf, value) in zip(range({at}), agent.search(game, game.start)):
    pass    # the path of the simulation in the tree, the node at its end, and what the playout there was worth

data = {{state: (node.visits, node.value) for state, node in agent.tree.items()}}
data
"""
