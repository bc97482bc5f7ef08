"""Looking ahead without a table: random playouts, and a tree that grows where it pays off.

Nothing here lists all states, so a game may be of any size. A playout plays random moves to the end of the game.
The tree search runs many simulations: `select` a path, `expand` the tree by a move, `playout`, `back_up`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from coinlib.agents import draw_evenly
from coinlib.arguments import number_in, whole_number
from coinlib.games import Game, as_game, moves_of, moves_to_choose, points_of


class Estimate(NamedTuple):
    """The mean of random values and its standard error."""

    mean: float
    error: float


class CachedRules:
    """The rules of a game, with a cache of moves and next states for many playouts.

    Parameters
    ----------
    game : Game
        Its states must be hashable.
    """

    def __init__(self, game: Game) -> None:
        self.legal_moves = functools.cache(functools.partial(moves_of, game))
        self.play = functools.cache(game.play)
        self.reward = game.reward
        self.result = game.result


def playouts(game, state, games: int, seed=None) -> dict[Any, Estimate]:
    """Estimate what each move is worth to the player who makes it if all moves after it are random.

    Parameters
    ----------
    game : Game
    state : state of `game`
    games : int
        Games played after each move, 2 or more.
    seed : int, SeedSequence, Generator or None

    Returns
    -------
    dict of move to Estimate
        For each legal move, in the game's order. Values are on the same scale as in `minimax`.

    Examples
    --------
    >>> from coinlib import sticks
    >>> estimates = playouts(sticks(4), (4,), games=1_000, seed=1)
    >>> [(move.count, round(value.mean, 2), round(value.error, 2)) for move, value in estimates.items()]
    [(1, 0.04, 0.03), (2, -0.02, 0.03), (3, 1.0, 0.0)]
    """
    game = as_game(game)
    games = whole_number(games, "games", least=2)
    generator = np.random.default_rng(seed)
    rules = CachedRules(game)
    estimates = {}
    for move in moves_to_choose(game, state):
        points = points_of(game, state, move)
        after = game.play(state, move)
        values = np.array([points - playout(rules, after, generator) for _ in range(games)])
        error = values.std(ddof=1) / math.sqrt(games)
        estimates[move] = Estimate(float(values.mean()), float(error))
    return estimates


@dataclass(eq=False)
class SearchNode:
    """A state in the tree that a search grows.

    Attributes
    ----------
    state : state of the game
    untried : list of moves
    moves : dict of move to TriedMove
        The moves tried so far.
    visits : int
        How many simulations reached this state.
    value : float
        Their mean value for the player to move here.
    """

    state: Any
    untried: list
    moves: dict[Any, TriedMove] = field(default_factory=dict, repr=False)
    visits: int = 0
    value: float = 0.0


@dataclass(eq=False)
class TriedMove:
    """A move tried so far: the points it earns, the node it leads to, how often it was made."""

    points: int
    node: SearchNode
    visits: int = 0

    @property
    def value(self) -> float:
        """What the move is worth to the player who makes it."""
        return self.points - self.node.value


SearchPath = list[tuple[SearchNode, Any]]  # the nodes on the path of a simulation, each with the move made there


def upper_bound(node: SearchNode, move, exploration: float) -> float:
    """How good a move may be: its value plus a bonus, which is larger the less often it was tried."""
    tried = node.moves[move]
    return tried.value + exploration * math.sqrt(math.log(node.visits) / tried.visits)


def select(root: SearchNode, exploration: float) -> tuple[SearchPath, SearchNode]:
    """Walk down from the root, following the largest upper bounds, to a node with untried moves or to the end."""
    path: SearchPath = []
    node = root
    while node.moves and not node.untried:
        move = max(node.moves, key=lambda move: upper_bound(node, move, exploration))
        path.append((node, move))
        node = node.moves[move].node
    return path, node


def expand(rules: CachedRules, tree: dict[Any, SearchNode], node: SearchNode, generator: np.random.Generator):
    """Try one of the untried moves of a node, and return it; the next state may already be in the tree."""
    move = draw_evenly(node.untried, generator)
    node.untried.remove(move)
    after = rules.play(node.state, move)
    if after not in tree:
        tree[after] = SearchNode(after, list(rules.legal_moves(after)))
    node.moves[move] = TriedMove(points_of(rules, node.state, move), tree[after])
    return move


def playout(rules: CachedRules, state, generator: np.random.Generator) -> int:
    """Play at random to the end; return what `state` was worth to the player to move."""
    value, sign = 0, 1
    while legal := rules.legal_moves(state):
        move = draw_evenly(legal, generator)
        value += sign * rules.reward(state, move)
        state = rules.play(state, move)
        sign = -sign
    return value + sign * rules.result(state)


def back_up(path: SearchPath, leaf: SearchNode, value: float) -> float:
    """Record the value of a leaf there and at every node on its path; return the value for the root."""
    _count(leaf, value)
    for node, move in reversed(path):
        tried = node.moves[move]
        value = tried.points - value  # What is good for one player is bad for the other.
        tried.visits += 1
        _count(node, value)
    return value


def _count(node: SearchNode, value: float) -> None:
    """Count one more simulation at a node, and update its mean."""
    node.visits += 1
    node.value += (value - node.value) / node.visits


class SearchAgent:
    """Makes the move that a tree search tried most often: UCT, upper confidence bounds in a tree.

    Every move starts a new tree, in which equal states share a node. A simulation first tries the untried
    moves of a node. Otherwise it makes the move with the largest bound: its value + exploration * spread *
    sqrt(log(visits of the node) / visits of the move). The spread is that of all results so far, so that
    `exploration` means the same thing in games with large scores.

    Parameters
    ----------
    simulations : int
        The number of simulations for each move, 1 or more.
    exploration : float
        How large the bonus is for moves that were rarely tried, 0 or more; in UCB1 it is the square root of 2. A
        smaller value makes the search look deeper.
    seed : int, SeedSequence, Generator or None
    judge : function (game, state) -> float, optional
        Used instead of a playout: what a state is worth to the player to move. See
        `coinlib.projects.networks.Judgement`.

    Attributes
    ----------
    tree : dict of state to SearchNode
        The states that the last search visited.

    References
    ----------
    R. Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search" (2006).
    L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning" (2006).
    P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002).

    Examples
    --------
    >>> from coinlib import Move, sticks
    >>> agent = SearchAgent(simulations=300, seed=1)
    >>> agent(sticks(20), (20,))
    Move(row=0, count=3)
    >>> agent.tree[(20,)].moves[Move(row=0, count=3)].visits
    268
    """

    name = "SearchAgent"

    def __init__(self, simulations: int = 1_000, exploration: float = 0.5, seed=None, judge=None) -> None:
        self.simulations = whole_number(simulations, "simulations", least=1)
        self.exploration = number_in(exploration, "exploration", least=0)
        self.generator = np.random.default_rng(seed)
        self.judge = judge
        self.tree: dict[Any, SearchNode] = {}

    def __call__(self, game: Game, state):
        for _ in self.search(game, state):
            pass
        moves = self.tree[state].moves
        most = max(tried.visits for tried in moves.values())
        favourites = [move for move, tried in moves.items() if tried.visits == most]
        return draw_evenly(favourites, self.generator)

    def search(self, game: Game, state) -> Iterator[tuple[SearchPath, SearchNode, float]]:
        """Grow a new tree under a state.

        Yields the path of each simulation, the node at its end, and the value there.
        """
        root = SearchNode(state, list(moves_to_choose(game, state)))
        self.tree = {state: root}
        rules = CachedRules(game)
        low = math.inf
        high = -math.inf
        for _ in range(self.simulations):
            spread = max(0.0, high - low)  # of the results so far
            path, leaf = select(root, self.exploration * spread)
            if leaf.untried:
                move = expand(rules, self.tree, leaf, self.generator)
                path.append((leaf, move))
                leaf = leaf.moves[move].node
            if self.judge is None or game.is_over(leaf.state):
                value = playout(rules, leaf.state, self.generator)
            else:
                value = self.judge(game, leaf.state)
            result = back_up(path, leaf, value)
            low = min(low, result)
            high = max(high, result)
            yield path, leaf, value

    def __repr__(self) -> str:
        return f"SearchAgent(simulations={self.simulations:,}, exploration={self.exploration:g})"
