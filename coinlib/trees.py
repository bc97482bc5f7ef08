"""Every way to play a small game, as a tree: complete, with equal states merged, or folded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from coinlib.arguments import counted
from coinlib.games import as_game
from coinlib.solvers import perfect_play
from coinlib.tables import Table, number_words, tabulate

TREE_NODES = 5_000  # A tree with more nodes is counted, not built.
ENDS = ("L", "R")  # With these moves "R" comes first, because it leaves the coins on the left.


class Branch(NamedTuple):
    """A move in a `Tree`; `parent` is the index of the node one level above, `best` if the move is best there."""

    parent: int
    move: Any
    points: int
    best: bool


class Node(NamedTuple):
    """A state in a `Tree`.

    `player` is whose turn it is, 1 or 2; 1 moves at the top. `value` is what the state is worth to that
    player, as in `minimax`. `repeated` means that the same state is in the tree higher up, or on the same level
    further to the left. `branches` are the moves that lead here: one in a tree, one or more if equal
    states are merged, none at the top.
    """

    state: Any
    player: int
    value: int
    over: bool
    repeated: bool
    branches: tuple[Branch, ...]

    @property
    def move(self):
        """The move that led here, the first if there are several; None at the top."""
        return self.branches[0].move if self.branches else None

    @property
    def outcome(self) -> str:
        """What happens to the player to move: "wins", "loses" or "ties"."""
        if self.value > 0:
            return "wins"
        return "loses" if self.value < 0 else "ties"


Levels = tuple[tuple[Node, ...], ...]  # the nodes level by level, from left to right
Edge = tuple[int, Branch]  # a row of the game's table, and a branch that leads there
Arrival = tuple[int, tuple[Branch, ...]]  # a row of the table, and all branches that lead to its node


@dataclass(frozen=True, eq=False)
class Tree:
    """Every way to play a game, level by level; made by `game_tree`.

    Attributes
    ----------
    game : Game
    levels : tuple of tuples of Node
        Level i holds the states after i moves; children of one parent are next to each other.
    points : bool
        Whether moves earn points, so that values are margins.
    size : TreeSize
        Of the complete tree, even if this one is merged or folded.
    """

    game: Any
    levels: Levels
    points: bool
    size: TreeSize

    def merged(self) -> Tree:
        """The same tree with equal states on a level merged into one node.

        Examples
        --------
        >>> from coinlib import GreedyCoins
        >>> game_tree(GreedyCoins((1, 2, 4, 3))).merged()
        Tree(GreedyCoins(coins=(1, 2, 4, 3)): 15 nodes on 5 levels)
        """
        return replace(self, levels=_grow(self.game, self._top, merge=True))

    def folded(self) -> Tree:
        """The same tree without the nodes below a repeated state, which are drawn elsewhere.

        Examples
        --------
        >>> from coinlib import three_piles
        >>> tree = game_tree(three_piles(2, 2, 1))
        >>> len(tree), len(tree.folded())
        (150, 46)
        """
        return replace(self, levels=_grow(self.game, self._top, fold=True))

    def without_ends(self) -> Tree:
        """The same tree without its lowest level, where nothing is left; a tree of one level is unchanged.

        Examples
        --------
        >>> from coinlib import GreedyCoins
        >>> game_tree(GreedyCoins((1, 2, 4, 3))).merged().without_ends()
        Tree(GreedyCoins(coins=(1, 2, 4, 3)): 10 nodes on 4 levels)
        """
        return replace(self, levels=self.levels[:-1] or self.levels)

    @property
    def _top(self):
        """The state at the top of the tree."""
        return self.levels[0][0].state

    def __len__(self) -> int:
        return sum(map(len, self.levels))

    def __repr__(self) -> str:
        return f"Tree({self.game}: {counted(len(self), 'node')} on {counted(len(self.levels), 'level')})"


def game_tree(game, state=None) -> Tree:
    """The tree of a small game: every way to play, level by level, with the value of each state.

    Parameters
    ----------
    game : Game
        Any small game, including your own.
    state : state of `game`, optional
        The top of the tree, with player 1 to move; the start if left out.

    Returns
    -------
    Tree
        One branch for each legal move, in the game's order. In a row of coins "R" comes first, because it
        leaves the coins on the left.

    See Also
    --------
    coinlib.plots.tree : the tree as a picture.

    Examples
    --------
    >>> from coinlib import sticks
    >>> tree = game_tree(sticks(3))
    >>> [[node.state for node in level] for level in tree.levels]
    [[(3,)], [(2,), (1,), (0,)], [(1,), (0,), (0,)], [(0,)]]
    >>> tree.levels[0][0].value, [node.move.count for node in tree.levels[1] if node.branches[0].best]
    (1, [2])
    """
    game = as_game(game)
    size = tree_size(game, state)
    if size.nodes > TREE_NODES:
        nodes = number_words(size.nodes)
        raise ValueError(f"the tree of {game!r} would have {nodes} nodes; at most {TREE_NODES:,} are drawn")
    top = game.start if state is None else state
    earns_points = bool(tabulate(game).reward.any())
    return Tree(game, _grow(game, top), earns_points, size)


def _grow(game, top, merge: bool = False, fold: bool = False) -> Levels:
    """The levels under a state; `merge` makes equal states on a level one node, `fold` expands each state once."""
    table = tabulate(game)
    value, _ = perfect_play(table)
    levels: list[tuple[Node, ...]] = []
    seen = set()
    arrivals: list[Arrival] = [(table.row(top), ())]
    while arrivals:
        player = 1 + len(levels) % 2
        level = []
        edges = []
        for row, branches in arrivals:
            over = bool(table.over[row])
            node = Node(table.states[row], player, int(value[row]), over, row in seen, branches)
            if not (fold and node.repeated):
                edges += _edges_from(table, row, parent=len(level))
            level.append(node)
            seen.add(row)
        levels.append(tuple(level))
        arrivals = _merged(edges) if merge else [(row, (branch,)) for row, branch in edges]
    return tuple(levels)


def _merged(edges: list[Edge]) -> list[Arrival]:
    """One node for all edges to equal states."""
    branches: dict[int, list[Branch]] = {}
    for row, branch in edges:
        branches.setdefault(row, []).append(branch)
    return [(row, tuple(branches[row])) for row in branches]


def _edges_from(table: Table, row: int, parent: int) -> list[Edge]:
    """The edges from a state, one for every legal move; `parent` is the index of its node."""
    _, best = perfect_play(table)
    columns = np.flatnonzero(table.legal[row]).tolist()
    if table.moves == ENDS:
        columns.reverse()
    edges = []
    for column in columns:
        points = int(table.reward[row, column])
        branch = Branch(parent, table.moves[column], points, bool(best[row, column]))
        edges.append((int(table.next_state[row, column]), branch))
    return edges


class TreeSize(NamedTuple):
    """How large a game's tree is; made by `tree_size`.

    `nodes` counts the nodes of the tree, one for each sequence of moves from the top; `games`, the sequences to
    the end; `states`, the different states; `merged`, the nodes if equal states on a level are merged; `moves`,
    the moves of the longest game.
    """

    nodes: int
    games: int
    states: int
    merged: int
    moves: int


def tree_size(game, state=None) -> TreeSize:
    """Count the nodes, the games and the states in a game's tree.

    This works state by state from the end, so even trees that are far too large to draw can be counted.

    Parameters
    ----------
    game : Game
        Any game that fits in a table.
    state : state of `game`, optional
        The top of the tree; the start if left out.

    Returns
    -------
    TreeSize
        Exact Python integers, however large.

    Examples
    --------
    >>> from coinlib import sticks, three_piles
    >>> tree_size(three_piles(2, 2, 1))
    TreeSize(nodes=150, games=60, states=18, merged=30, moves=5)
    >>> tree_size(sticks(100)).games
    180396380815100901214157639
    """
    table = tabulate(game)
    top = 0 if state is None else table.row(state)
    levels = _levels_of_states(table, top)
    nodes = {}
    games = {}
    moves = {}
    for row in sorted(levels, reverse=True):  # Every move leads to a later row, so the ends of games come first.
        after = _after(table, row)
        nodes[row] = 1 + sum(nodes[each] for each in after)
        games[row] = sum(games[each] for each in after) if after else 1
        moves[row] = 1 + max(moves[each] for each in after) if after else 0
    merged = sum(bits.bit_count() for bits in levels.values())
    return TreeSize(nodes[top], games[top], len(levels), merged, moves[top])


def _levels_of_states(table: Table, top: int) -> dict[int, int]:
    """The levels of each state under the top, as bits: bit n is 1 if the state occurs on level n."""
    levels = {top: 1}
    for row in range(top, len(table.states)):
        if row in levels:
            for after in _after(table, row):
                levels[after] = levels.get(after, 0) | levels[row] << 1
    return levels


def _after(table: Table, row: int) -> list[int]:
    """The rows that the moves from a row lead to."""
    return [after for after in table.next_state[row].tolist() if after >= 0]
