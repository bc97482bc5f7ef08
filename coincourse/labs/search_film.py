"""How a search tree grows, simulation by simulation."""

from __future__ import annotations

from typing import Any, NamedTuple

from coinlib.games import GreedyCoins, State
from coinlib.search import SearchAgent, upper_bound

from .controls import menu, number, seed, slider
from .film import Film, Reel
from .pages import styles

SIMULATIONS = 100
ROWS = ["3 5 1 2", "1 2 4 3", "2 1 2 5 5 3"]


class Frame(NamedTuple):
    """The tree after a simulation.

    Attributes
    ----------
    nodes : dict of state to (int, float)
        The visits and the value of each node.
    moves : dict of (state, move) to (int, float)
        How often each move was made, and its upper bound for the next choice.
    backed_up : dict of (state, move) to int
        What the simulation was worth to whoever made each move in the tree, the last one first.
    leaf : state or None
        Where the random playout began.
    value : int
        What the playout was worth to whoever moved first in it.
    """

    nodes: dict[State, tuple[int, float]]
    moves: dict[tuple[State, str], tuple[int, float]]
    backed_up: dict[tuple[State, str], int]
    leaf: Any
    value: int


class SearchFilm(Film):
    """A tree search on a small row of greedy coins; one simulation after the other.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "coins", "exploration", "seed".
    at : int
        Simulations, 0 to 100.
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
    template, style = "search.html", styles("search.css")
    at = number("Simulations", "How many simulations have been made.", 0, SIMULATIONS, 0)
    coins = menu("Coins", "The row; whoever has more at the end wins.", ROWS, ROWS[0])
    exploration = slider("Exploration", "How much a move gains that was tried seldom.", [0, 0.25, 0.5, 1, 2], 0.5)
    seed = seed()

    @staticmethod
    def frames(coins: str, exploration: float, seed: int) -> list[Frame]:
        """No tree, then the tree after each simulation."""
        game, agent = _game(coins), SearchAgent(SIMULATIONS, exploration, seed)
        found, results = [Frame({}, {}, {}, None, 0)], []
        for path, leaf, value in agent.search(game, game.start):
            result, backed_up = value, {}
            for node, move in reversed(path):
                result = node.moves[move].points - result
                backed_up[node.state, move] = result
            results.append(result)
            bonus = exploration * (max(results) - min(results))
            nodes = {state: (node.visits, node.value) for state, node in agent.tree.items()}
            moves = {
                (state, move): (branch.visits, upper_bound(node, move, bonus))
                for state, node in agent.tree.items()
                for move, branch in node.moves.items()
            }
            found.append(Frame(nodes, moves, backed_up, leaf.state, value))
        return found

    @classmethod
    def draw(cls, data: Reel, coins: str, **settings) -> str:
        """The tree with its numbers, the simulation in words, and the same as a table."""
        game = _game(coins)
        size = len(game.coins)
        states = [(left, left + held) for held in range(size, -1, -1) for left in range(size - held + 1)]
        return super().draw(data, game=game, size=size, states=states, **settings)

    @staticmethod
    def code(at: int, coins: str, exploration: float, seed: int) -> str:
        """The lines of coinlib that grow the same tree."""
        return f"""\
from coinlib import GreedyCoins
from coinlib.search import SearchAgent

game = GreedyCoins(({coins.replace(" ", ", ")}))
agent = SearchAgent(exploration={exploration}, seed={seed})
for number, (path, leaf, value) in zip(range({at}), agent.search(game, game.start)):
    pass    # the path of the simulation in the tree, the node at its end, and what the playout there was worth

data = {{state: (node.visits, node.value) for state, node in agent.tree.items()}}
data
"""


def _game(coins: str) -> GreedyCoins:
    return GreedyCoins(map(int, coins.split()))
