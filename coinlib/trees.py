"""All that can happen in a small game, as a tree: whole, with equal states merged, or folded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from coinlib.arguments import counted
from coinlib.games import read_game
from coinlib.solvers import perfect_play
from coinlib.tables import Table, number_words, tabulate

TREE_NODES = 5_000  # A tree with more nodes is counted, not built.
ENDS = ("L", "R")  # With these moves what "R" leaves stands first, so that left coins stand on the left.


class Branch(NamedTuple):
    """A move in a `Tree`: from which node one level above, and whether it is a best move there."""

    parent: int
    move: Any
    points: int
    best: bool


class Node(NamedTuple):
    """A state as it stands in a `Tree`.

    `player` is whose turn it is, 1 or 2; 1 moves at the top. `value` is what the state is worth to that
    player, as in `minimax`. `repeated` says that the same state stands higher up, or on the same level
    further to the left. `branches` are the moves that led here: one in a tree, one or more where equal
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


Levels = tuple[tuple[Node, ...], ...]  # level by level the nodes, from left to right
Way = tuple[int, Branch]  # a row of the game's table, and a branch that leads there
Arrival = tuple[int, tuple[Branch, ...]]  # a row of the table, and all branches that lead to its node


@dataclass(frozen=True, eq=False)
class Tree:
    """All that can happen in a game, level by level; made by `game_tree`.

    Attributes
    ----------
    game : Game
    levels : tuple of tuples of Node
        Level i holds the states after i moves, those of one parent side by side.
    points : bool
        Whether moves earn points, so that values are margins and not only wins and losses.
    size : TreeSize
        Of the whole tree, also where it has been merged or folded.
    """

    game: Any
    levels: Levels
    points: bool
    size: TreeSize

    def merged(self) -> Tree:
        """The same game with equal states of a level drawn as one; their moves all lead to it.

        Examples
        --------
        >>> from coinlib import GreedyCoins
        >>> game_tree(GreedyCoins((1, 2, 4, 3))).merged()
        Tree(GreedyCoins(coins=(1, 2, 4, 3)): 15 nodes on 5 levels)
        """
        return replace(self, levels=_grow(self.game, self._top, arrive=_together))

    def folded(self) -> Tree:
        """The same tree without what stands under a repeated state: it stands elsewhere already.

        Examples
        --------
        >>> from coinlib import three_piles
        >>> tree = game_tree(three_piles(2, 2, 1))
        >>> len(tree), len(tree.folded())
        (150, 46)
        """
        return replace(self, levels=_grow(self.game, self._top, opens=_is_new))

    def without_ends(self) -> Tree:
        """The same tree without its lowest level, where nothing is left; a tree of one level stays as it is.

        Examples
        --------
        >>> from coinlib import GreedyCoins
        >>> game_tree(GreedyCoins((1, 2, 4, 3))).merged().without_ends()
        Tree(GreedyCoins(coins=(1, 2, 4, 3)): 10 nodes on 4 levels)
        """
        return replace(self, levels=self.levels[:-1] or self.levels)

    @property
    def _top(self):
        """The state in which the tree begins."""
        return self.levels[0][0].state

    def __len__(self) -> int:
        return sum(map(len, self.levels))

    def __repr__(self) -> str:
        return f"Tree({self.game}: {counted(len(self), 'node')} on {counted(len(self.levels), 'level')})"


def game_tree(game, state=None) -> Tree:
    """The tree of a small game: all that can happen, level by level, with what each state is worth.

    Parameters
    ----------
    game : Game
        Any small game, also one of your own.
    state : state of `game`, optional
        Where the tree begins, with player 1 to move; the start if left out.

    Returns
    -------
    Tree
        One branch for each legal move, in the game's order. In a row of coins what is left after "R"
        stands first, so that the coins on the left stand on the left.

    See Also
    --------
    coinlib.plots.tree, coinlib.plots.tree_table : the tree as a picture and as a table.

    Examples
    --------
    >>> from coinlib import sticks
    >>> tree = game_tree(sticks(3))
    >>> [[node.state for node in level] for level in tree.levels]
    [[(3,)], [(2,), (1,), (0,)], [(1,), (0,), (0,)], [(0,)]]
    >>> tree.levels[0][0].value, [node.move.count for node in tree.levels[1] if node.branches[0].best]
    (1, [2])
    """
    game = read_game(game)
    size = tree_size(game, state)
    if size.nodes > TREE_NODES:
        nodes = number_words(size.nodes)
        raise ValueError(f"the tree of {game!r} would have {nodes} nodes; at most {TREE_NODES:,} are drawn")
    top = game.start if state is None else state
    earns_points = bool(tabulate(game).reward.any())
    return Tree(game, _grow(game, top), earns_points, size)


def _always(node: Node) -> bool:
    """Whatever node it is."""
    return True


def _is_new(node: Node) -> bool:
    """Whether a state stands here for the first time."""
    return not node.repeated


def _apart(ways: list[Way]) -> list[Arrival]:
    """Every way leads to a node of its own."""
    return [(row, (branch,)) for row, branch in ways]


def _together(ways: list[Way]) -> list[Arrival]:
    """The ways to equal states lead to one node."""
    branches: dict[int, list[Branch]] = {}
    for row, branch in ways:
        branches.setdefault(row, []).append(branch)
    return [(row, tuple(branches[row])) for row in branches]


def _grow(game, top, arrive: Callable = _apart, opens: Callable = _always) -> Levels:
    """The levels under a state.

    `arrive` says which of the ways to a level lead to one node. What stands under a node is left out unless
    it `opens`.
    """
    table = tabulate(game)
    value, _ = perfect_play(table)
    levels: list[tuple[Node, ...]] = []
    seen = set()
    arrivals: list[Arrival] = [(table.row(top), ())]
    while arrivals:
        player = 1 + len(levels) % 2
        level = []
        ways = []
        for row, branches in arrivals:
            over = bool(table.over[row])
            node = Node(table.states[row], player, int(value[row]), over, row in seen, branches)
            if opens(node):
                ways += _ways_on(table, row, parent=len(level))
            level.append(node)
            seen.add(row)
        levels.append(tuple(level))
        arrivals = arrive(ways)
    return tuple(levels)


def _ways_on(table: Table, row: int, parent: int) -> list[Way]:
    """The ways on from a state, a node of its level, by every legal move."""
    _, best = perfect_play(table)
    columns = np.flatnonzero(table.legal[row]).tolist()
    if table.moves == ENDS:
        columns.reverse()
    ways = []
    for column in columns:
        points = int(table.reward[row, column])
        branch = Branch(parent, table.moves[column], points, bool(best[row, column]))
        ways.append((int(table.next_state[row, column]), branch))
    return ways


class TreeSize(NamedTuple):
    """How large the tree of a game is; made by `tree_size`.

    `nodes` of the tree, one for each way to play on from the top, to the end or not; `games`, the ways
    to play to the end; `states` that are different; `merged`, the nodes that are left when equal states
    of a level are one; `moves`, those of the longest game.
    """

    nodes: int
    games: int
    states: int
    merged: int
    moves: int


def tree_size(game, state=None) -> TreeSize:
    """How many nodes the tree of a game has, how many games there are, and how few states.

    Counted state by state from the end, so that trees that nobody could draw are counted as well.

    Parameters
    ----------
    game : Game
        Any game that fits in a table.
    state : state of `game`, optional
        Where the tree begins; the start if left out.

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
    for row in sorted(levels, reverse=True):  # Every move leads down the list: the ends of games come first.
        after = _after(table, row)
        nodes[row] = 1 + sum(nodes[each] for each in after)
        games[row] = sum(games[each] for each in after) if after else 1
        moves[row] = 1 + max(moves[each] for each in after) if after else 0
    merged = sum(bits.bit_count() for bits in levels.values())
    return TreeSize(nodes[top], games[top], len(levels), merged, moves[top])


def _levels_of_states(table: Table, top: int) -> dict[int, int]:
    """The levels on which each state under the top stands, as bits: bit n is 1 if it stands on level n."""
    levels = {top: 1}
    for row in range(top, len(table.states)):
        if row in levels:
            for after in _after(table, row):
                levels[after] = levels.get(after, 0) | levels[row] << 1
    return levels


def _after(table: Table, row: int) -> list[int]:
    """The rows that the moves from a row lead to."""
    return [after for after in table.next_state[row].tolist() if after >= 0]
