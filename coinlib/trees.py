"""All that can happen in a small game, as a tree: level by level, merged where states are equal, or folded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from coinlib.arguments import counted
from coinlib.games import GreedyCoins, read_game
from coinlib.solvers import perfect_play
from coinlib.tables import Table, number_words, tabulate

TREE_NODES = 5_000  # a tree with more nodes is counted, not built


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
    levels: tuple[tuple[Node, ...], ...]
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
        return replace(self, levels=_grow(self.game, self.levels[0][0].state, merge=True))

    def folded(self) -> Tree:
        """The same tree without what stands under a repeated state: it stands elsewhere already.

        Examples
        --------
        >>> from coinlib import three_piles
        >>> tree = game_tree(three_piles(2, 2, 1))
        >>> len(tree), len(tree.folded())
        (150, 46)
        """
        return replace(self, levels=_grow(self.game, self.levels[0][0].state, fold=True))

    def __len__(self) -> int:
        return sum(map(len, self.levels))

    def __repr__(self) -> str:
        return f"Tree({self.game}: {counted(len(self), 'node')} on {counted(len(self.levels), 'level')})"


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
    levels = {top: 1}  # for each state a bit for each level on which it stands
    for row in range(top, len(table.states)):  # every move leads down the list
        for after in _after(table, row) if row in levels else ():
            levels[after] = levels.get(after, 0) | levels[row] << 1
    nodes, games, moves = {}, {}, {}
    for row in sorted(levels, reverse=True):
        after = _after(table, row)
        nodes[row] = 1 + sum(nodes[each] for each in after)
        games[row] = sum(games[each] for each in after) or 1
        moves[row] = max((1 + moves[each] for each in after), default=0)
    merged = sum(bits.bit_count() for bits in levels.values())
    return TreeSize(nodes[top], games[top], len(levels), merged, moves[top])


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
        raise ValueError(
            f"the tree of {game!r} would have {number_words(size.nodes)} nodes; at most {TREE_NODES:,} are drawn"
        )
    top = game.start if state is None else state
    return Tree(game, _grow(game, top), bool(tabulate(game).reward.any()), size)


def _grow(game, top, merge: bool = False, fold: bool = False) -> tuple[tuple[Node, ...], ...]:
    """The levels below a state: equal states of a level merged, or nothing under a state that was there before."""
    # in a row of coins what is left after "R" is drawn first
    table, order = tabulate(game), -1 if isinstance(game, GreedyCoins) else 1
    value, best = perfect_play(table)
    levels: list[tuple[Node, ...]] = []
    seen: set = set()
    places: list = [(table.row(top), ())]  # row of the table, and the branches that lead there
    while places:
        level, arrivals, player = [], {}, 1 + len(levels) % 2
        for row, branches in places:
            state = table.states[row]
            node = Node(state, player, int(value[row]), bool(table.over[row]), row in seen, tuple(branches))
            seen.add(row)
            level.append(node)
            columns = [] if fold and node.repeated else table.legal[row].nonzero()[0].tolist()
            for column in columns[::order]:
                points, right = int(table.reward[row, column]), bool(best[row, column])
                branch = Branch(len(level) - 1, table.moves[column], points, right)
                after = int(table.next_state[row, column])
                arrivals.setdefault(after if merge else (after, branch), []).append(branch)
        levels.append(tuple(level))
        places = [(key if merge else key[0], branches) for key, branches in arrivals.items()]
    return tuple(levels)


def _after(table: Table, row: int) -> list[int]:
    """The rows that the moves from a row lead to."""
    return [after for after in table.next_state[row].tolist() if after >= 0]
