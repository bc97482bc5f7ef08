"""Who is right: perfect play, worked out from the end of the game backwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from coinlib import kernels
from coinlib.games import CoinGame, GreedyCoins, Move, State, counted, one_of, shown, whole_number

MOST_ROWS = 64  # NumPy has no arrays with more dimensions
MEMORY_OF_A_BROWSER = 2**30  # bytes: what one table may take where nobody can say how much is free


class Best(NamedTuple):
    """What a state is worth to whoever moves, and the moves that get it.

    `value` is the points still to come, less the opponent's, plus the result at the end:
    in games without points +1 for a win and -1 for a loss.
    """

    value: float
    moves: list


def minimax(game, state=None) -> Best:
    """The value of a state under perfect play by both sides, for any finite game.

    A state's value is the best of *reward - value(next)*; at the end it is the result.

    Parameters
    ----------
    game : Game
        Any game that fits in a table. One that can be a dictionary key is solved once only.
    state : state of `game`, optional
        The start if left out.

    Returns
    -------
    Best
        `value`, and `moves`: all the best moves in the game's order, none when the game is over.

    Raises
    ------
    MemoryError
        If the table would be too large; for a `CoinGame`, `solve` needs less.
    ValueError
        If play from the start never reaches `state`.
    TypeError
        If `game` is not a game, or lacks something.

    References
    ----------
    E. Zermelo, "Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels" (1913).

    Examples
    --------
    >>> from coinlib import GreedyCoins, sticks
    >>> minimax(sticks(20))
    Best(value=1, moves=[Move(row=0, count=3)])

    With points the value is the margin, here 7 of 11 against 4:

    >>> minimax(GreedyCoins((3, 5, 1, 2)))
    Best(value=3, moves=['R'])
    """
    table = kernels.tabulate(game)
    value = state_values(table)
    row = 0 if state is None else table.row(state)
    if table.over[row]:
        return Best(_plain(value[row]), [])
    after = table.next_state[row]
    worth = np.where(after >= 0, table.reward[row] - value[after], -np.inf)
    return Best(_plain(value[row]), [table.moves[move] for move in np.flatnonzero(worth == value[row])])


def state_values(table: kernels.Table) -> np.ndarray:
    """The value of every state of a table to whoever moves there, under perfect play.

    Parameters
    ----------
    table : kernels.Table

    Returns
    -------
    float64 array, shape (S,)
        See `minimax`.

    Raises
    ------
    TypeError
        If `table` is none that `kernels.tabulate` has made.

    Examples
    --------
    >>> from coinlib import sticks
    >>> state_values(kernels.tabulate(sticks(5)))    # 5, 4, 3, 2, 1 and 0 sticks
    array([-1.,  1.,  1.,  1., -1.,  1.])
    """
    kernels.check_table(table)
    return _state_values(table)


@lru_cache(maxsize=64)
def _state_values(table: kernels.Table) -> np.ndarray:
    value = np.zeros(len(table.states))
    kernels.fast().value_states(table.next_state, table.reward, table.result, table.over, value)
    return value


def _plain(value) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


@dataclass(frozen=True, eq=False)
class Solution:
    """Who wins a `CoinGame` from every state; made by `solve`.

    Attributes
    ----------
    game : CoinGame
    wins : bool array, shape (rows[0] + 1, rows[1] + 1, ...)
        ``wins[state]``: whether whoever moves in `state` wins with perfect play.
    """

    game: CoinGame
    wins: np.ndarray

    def best_moves(self, state: State) -> list[Move]:
        """The moves that win: they leave a lost state. None where the state is lost or over.

        Raises ValueError for a state of another game.

        Examples
        --------
        >>> solve(CoinGame((2, 2, 1), max_pick=None, misere=False)).best_moves((2, 2, 1))
        [Move(row=2, count=1)]
        """
        play = self.game.play
        return [move for move in self.game.legal_moves(state) if not self.wins[play(state, move)]]

    def winner(self, state: State | None = None) -> int:
        """1 if whoever moves in `state` (the start if left out) wins, 2 if the other player does.

        Raises ValueError for a state of another game.
        """
        state = self.game.start if state is None else state
        self.game.is_over(state)  # says what is wrong with a state of another game
        return 1 if self.wins[state] else 2

    def __repr__(self) -> str:
        return f"Solution({self.game}, {np.count_nonzero(~self.wins):,} of {self.wins.size:,} states are lost)"


def solve(game: CoinGame) -> Solution:
    """Who wins from every state of rows of coins, by the recursion over the states.

    A state is won if a move leads to a lost one. Solutions of the last 16 games are kept.

    Parameters
    ----------
    game : CoinGame
        Any rows that fit in memory: about one byte for each state.

    Returns
    -------
    Solution

    Raises
    ------
    MemoryError
        If the table does not fit; the message names the memory it would need.
    TypeError
        For other games, which `minimax` solves.

    Examples
    --------
    >>> from coinlib import SCENARIOS, three_piles
    >>> solution = solve(SCENARIOS["NIM"])
    >>> solution.winner(), solution.best_moves((1, 3, 5, 7))
    (1, [Move(row=1, count=1), Move(row=2, count=1)])
    >>> solve(three_piles(100, 100, 100))
    Solution(CoinGame(rows=(100, 100, 100), max_pick=None, misere=False), 8,203 of 1,030,301 states are lost)
    """
    if not isinstance(game, CoinGame):
        raise TypeError(f"solve: expected a CoinGame, got {shown(game)}; use minimax for other games")
    return _solve(game)


@lru_cache(maxsize=16)
def _solve(game: CoinGame) -> Solution:
    shape = tuple(held + 1 for held in game.rows)
    size = math.prod(shape)
    # beside one byte a state, the marks of `mark_wins`: 4 bytes for each line of the table
    lines = size // (min(game.rows[:-1]) + 1) * (len(game.rows) - 1) if len(game.rows) > 1 else 0
    _check_memory(size + 4 * lines, size)
    if len(shape) > MOST_ROWS:
        raise ValueError(f"solve: expected at most {MOST_ROWS} rows, got {len(shape)}")
    rows = np.array(game.rows, dtype=np.int64)
    wins = np.empty(size, dtype=bool)
    most = max(1, max(game.rows)) if game.max_pick is None else min(game.max_pick, max(1, max(game.rows)))
    kernels.fast().mark_wins(rows, most, wins, game.misere)
    wins.flags.writeable = False
    return Solution(game, wins.reshape(shape))


def _free_memory() -> int:
    """How many bytes are free, or may be taken where psutil is not there to say it: in a browser."""
    try:
        import psutil
    except ImportError:
        return MEMORY_OF_A_BROWSER
    return psutil.virtual_memory().available


def _check_memory(needed: int, states: int) -> None:
    free = _free_memory()
    if needed > free:
        raise MemoryError(
            f"the table of {kernels.amount(states)} states would need {kernels.gibibytes(needed)}; "
            f"{kernels.gibibytes(free)} are free"
        )


# --- greedy coins -------------------------------------------------------------------------------------

SAFE_TOTAL = 2**62  # sums up to here cannot overflow; larger coins are counted in Python integers


@dataclass(frozen=True, eq=False)
class Greedy:
    """Best play for a row of coins and for every part of it; made by `solve_greedy`.

    All tables are n by n; entry ``[i, j]`` speaks of the coins i...j, both included, and means
    something only where i <= j: so ``alice[i, j]`` and ``margin[i, j]`` are the value of any part
    of the game. Whose turn it is follows from how many coins are gone.

    Attributes
    ----------
    coins : tuple of int
    alice : integer array, shape (n, n)
        A: what Alice, who moves first, still gets.
    margin : integer array, shape (n, n)
        S: by how much whoever moves then beats the other, from there on.
    moves : array of str, shape (n, n)
        M: "L", "R", or "LR" where both are equally good; "" below the diagonal.
    """

    coins: tuple[int, ...]
    alice: np.ndarray
    margin: np.ndarray
    moves: np.ndarray

    @property
    def value(self) -> int:
        """What Alice gets of the whole row."""
        return int(self.alice[0, -1])

    def line(self, i: int = 0, j: int | None = None) -> list[tuple[str, int]]:
        """Best play from coins i...j to the end: the moves with the coins they take.

        Where both moves are equally good it takes the left coin. Raises TypeError or ValueError where
        `i` and `j` are not the ends of a run.

        Examples
        --------
        >>> solve_greedy([3, 5, 1, 2]).line()
        [('R', 2), ('L', 3), ('L', 5), ('L', 1)]
        """
        i, j = self._run(i, j)
        taken = []
        while i <= j:
            move = str(self.moves[i, j])[0]
            taken.append((move, self.coins[i if move == "L" else j]))
            i, j = (i + 1, j) if move == "L" else (i, j - 1)
        return taken

    def cost(self, move: str, i: int = 0, j: int | None = None) -> int:
        """How many points of the margin a move throws away in the run i...j; 0 for a best move.

        Raises TypeError or ValueError where `move` is not "L" or "R", or `i` and `j` not the ends of a run.

        Examples
        --------
        >>> greedy = solve_greedy([3, 5, 1, 2])
        >>> greedy.cost("L"), greedy.cost("R")
        (4, 0)
        """
        i, j = self._run(i, j)
        move = one_of(move, "move", ("L", "R"))
        if i == j:
            return 0
        kept = self.coins[i] - self.margin[i + 1, j] if move == "L" else self.coins[j] - self.margin[i, j - 1]
        return int(self.margin[i, j] - kept)

    def _run(self, i: int, j: int | None) -> tuple[int, int]:
        last = len(self.coins) - 1
        i, j = whole_number(i, "i", least=0), whole_number(last if j is None else j, "j", least=0)
        if not i <= j <= last:
            raise ValueError(f"expected coins i...j with 0 <= i <= j <= {last}, got i={shown(i)}, j={shown(j)}")
        return i, j

    def __repr__(self) -> str:
        return f"Greedy({counted(len(self.coins), 'coin')}: Alice gets {self.value} of {sum(self.coins)})"


def solve_greedy(coins: Sequence[int] | np.ndarray) -> Greedy:
    """Best play for greedy coins: the tables A, M and S for every run of coins.

    Time and memory grow with the square of the number of coins.

    Parameters
    ----------
    coins : sequence of int
        Values from left to right, each 0 or more; at least one. Where they add up to more
        than 2**62 the tables hold Python integers, and are made more slowly.

    Returns
    -------
    Greedy

    Raises
    ------
    TypeError, ValueError
        If a value is not a whole number, or is negative, or there is no coin.
    MemoryError
        If the tables do not fit; the message names the memory they would need.

    Examples
    --------
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> greedy.value, greedy.moves[0, 3]
    (5, np.str_('LR'))
    >>> greedy.alice
    array([[0, 2, 2, 5],
           [0, 0, 4, 4],
           [0, 0, 0, 4],
           [0, 0, 0, 0]])
    """
    values = _row_of_coins(coins)
    size = len(values)
    _check_memory(3 * 8 * size * size, size * (size + 1) // 2)
    margin, alice = np.zeros((2, size, size), dtype=values.dtype)
    moves = np.zeros((size, size), dtype=np.uint64)
    left, right, both = np.array(["L", "R", "LR"], dtype="U2").view(np.uint64)  # two letters, eight bytes
    _loops(values).greedy_tables(values, margin, alice, moves, left, right, both)
    for table in (margin, alice, moves):
        table.flags.writeable = False
    return Greedy(tuple(values.tolist()), alice, margin, moves.view("U2"))


def greedy_margin(coins: Sequence[int] | np.ndarray) -> int:
    """By how much the first player wins greedy coins with best play, in linear time.

    Wherever a <= b >= c stand side by side, the three are worth as much as a - b + c: whoever
    opens b gives it away. What is left is a valley, in which taking the larger end is best.

    Parameters
    ----------
    coins : sequence of int
        As for `solve_greedy`; a NumPy array of integers is read fastest.

    Returns
    -------
    int
        0 for a tie, negative if the first player loses.

    References
    ----------
    T. Idziaszek, "An Optimal Algorithm for Calculating the Profit in the Coins in a Row Game".
    Lesson 10 of the course says why fusing is right.

    Examples
    --------
    >>> greedy_margin([1, 2, 4, 3]), greedy_margin([3, 5, 1, 2]), greedy_margin([1, 5, 1])
    (0, 3, -3)
    """
    return _margin(_row_of_coins(coins))


def greedy_move(coins: Sequence[int] | np.ndarray) -> str:
    """The best first move of greedy coins, in linear time.

    Parameters
    ----------
    coins : sequence of int
        As for `solve_greedy`.

    Returns
    -------
    str
        "L", "R", or "LR" where both are equally good.

    Examples
    --------
    >>> greedy_move([1, 2, 4, 3]), greedy_move([3, 5, 1, 2])
    ('LR', 'R')
    """
    values = _row_of_coins(coins)
    if len(values) == 1:
        return "LR"
    by_left = int(values[0]) - _margin(values[1:])
    by_right = int(values[-1]) - _margin(values[:-1])
    return "LR" if by_left == by_right else "L" if by_left > by_right else "R"


def _margin(values: np.ndarray) -> int:
    loop = _loops(values).margin_by_fusing
    if hasattr(loop, "py_func"):  # compiled
        return int(loop(values, np.empty_like(values)))
    coins = values.tolist()  # plain Python is several times as fast over a list as over an array
    return loop(coins, coins.copy())


def _loops(values: np.ndarray):
    """Compiled loops for machine integers; the same loops as plain Python for larger ones."""
    return kernels if values.dtype == object else kernels.fast()


def _row_of_coins(coins) -> np.ndarray:
    """The coins as int64, or as Python integers where their sum might overflow."""
    # an array with values marked as missing goes the slow way, which finds them
    array = isinstance(coins, np.ndarray) and not isinstance(coins, np.ma.MaskedArray)
    if array and coins.ndim == 1 and coins.dtype.kind in "iu":
        values = coins
        if len(values) and (low := values.min()) < 0:
            raise ValueError(f"a coin: expected 0 or more, got {low}")
    else:
        values = np.array(GreedyCoins(coins).coins, dtype=object)
    if not len(values):
        raise ValueError("coins: expected at least one coin, got none")
    if len(values) * int(values.max()) < SAFE_TOTAL:
        return np.ascontiguousarray(values, dtype=np.int64)
    return values.astype(object)


# --- game trees ---------------------------------------------------------------------------------------

TREE_NODES = 5_000  # a tree with more nodes is counted, not built


class Branch(NamedTuple):
    """A move in a `Tree`: from which node one level above, and whether it is a best move there."""

    parent: int
    move: Any
    points: float
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
    value: float
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
        levels: list[tuple[Node, ...]] = []
        above: list[int] = []  # where each node of the level above has gone
        seen: set = set()
        for level in self.levels:
            found: dict[Any, list[Branch]] = {}
            for node in level:
                branches = found.setdefault(node.state, [])
                moved = [branch._replace(parent=above[branch.parent]) for branch in node.branches]
                branches += [branch for branch in moved if branch not in branches]
            first = {node.state: node for node in reversed(level)}
            levels.append(
                tuple(
                    first[state]._replace(repeated=state in seen, branches=tuple(branches))
                    for state, branches in found.items()
                )
            )
            seen.update(found)
            place = {state: number for number, state in enumerate(found)}
            above = [place[node.state] for node in level]
        return replace(self, levels=tuple(levels))

    def folded(self) -> Tree:
        """The same tree without what stands under a repeated state: it stands elsewhere already.

        Examples
        --------
        >>> from coinlib import three_piles
        >>> tree = game_tree(three_piles(2, 2, 1))
        >>> len(tree), len(tree.folded())
        (150, 46)
        """
        levels: list[tuple[Node, ...]] = []
        kept: dict[int, int] = {}  # the nodes of the level above that go on, and where they stand now
        for level in self.levels:
            stay = [number for number, node in enumerate(level) if not node.branches or node.branches[0].parent in kept]
            nodes = [level[number] for number in stay]
            moved = [
                node._replace(branches=tuple(branch._replace(parent=kept[branch.parent]) for branch in node.branches))
                for node in nodes
            ]
            kept = {number: now for now, number in enumerate(stay) if not level[number].repeated}
            if moved:
                levels.append(tuple(moved))
        return replace(self, levels=tuple(levels))

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

    Raises
    ------
    MemoryError
        If the table would be too large.
    ValueError
        If play from the start never reaches `state`.
    TypeError
        If `game` is not a game, or lacks something.

    Examples
    --------
    >>> from coinlib import sticks, three_piles
    >>> tree_size(three_piles(2, 2, 1))
    TreeSize(nodes=150, games=60, states=18, merged=30, moves=5)
    >>> tree_size(sticks(100)).games
    180396380815100901214157639
    """
    table = kernels.tabulate(game)
    top = 0 if state is None else table.row(state)
    below = _rows_below(table, top)
    nodes, games, moves = {}, {}, {}
    for row in reversed(below):  # every move leads down the list
        after = [int(each) for each in table.next_state[row] if each >= 0]
        nodes[row] = 1 + sum(nodes[each] for each in after)
        games[row] = sum(games[each] for each in after) if after else 1
        moves[row] = max((moves[each] + 1 for each in after), default=0)
    levels = dict.fromkeys(below, 0)  # a bit for each level on which a state stands
    levels[top] = 1
    for row in below:
        for each in table.next_state[row]:
            if each >= 0:
                levels[int(each)] |= levels[row] << 1
    merged = sum(bits.bit_count() for bits in levels.values())
    return TreeSize(nodes[top], games[top], len(below), merged, moves[top])


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

    Raises
    ------
    ValueError
        If the tree has more than 5,000 nodes, or play from the start never reaches `state`.
    MemoryError
        If not even the states fit in a table.
    TypeError
        If `game` is not a game, or lacks something.

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
    size = tree_size(game, state)
    if size.nodes > TREE_NODES:
        raise ValueError(
            f"the tree of {game!r} would have {kernels.amount(size.nodes)} nodes, more than the {TREE_NODES:,} that "
            "are built; tree_size counts it, and a smaller game or a later state can be drawn"
        )
    table = kernels.tabulate(game)
    rows = [0 if state is None else table.row(state)]
    levels: list[tuple[Node, ...]] = []
    arrivals: list[tuple[Branch, ...]] = [()]
    seen: set = set()
    while rows:
        levels.append(_level(table, rows, arrivals, 1 + len(levels) % 2, seen))
        moves = [(parent, *move) for parent, row in enumerate(rows) for move in _moves_of(table, row, game)]
        arrivals = [(Branch(parent, move, points, best),) for parent, _, move, points, best in moves]
        rows = [after for _, after, *_ in moves]
    return Tree(game, tuple(levels), bool(table.reward.any()), size)


def _level(table: kernels.Table, rows: list[int], arrivals: list, player: int, seen: set) -> tuple[Node, ...]:
    """The nodes of one level; `seen` are the rows that stand already, and grows."""
    value = state_values(table)
    nodes = []
    for row, branches in zip(rows, arrivals):
        nodes.append(Node(table.states[row], player, _plain(value[row]), bool(table.over[row]), row in seen, branches))
        seen.add(row)
    return tuple(nodes)


def _moves_of(table: kernels.Table, row: int, game) -> list[tuple[int, Any, float, bool]]:
    """The row that each move leads to, the move, its points, and whether it is a best one."""
    value = state_values(table)
    columns = [int(column) for column in np.flatnonzero(table.legal[row])]
    if isinstance(game, GreedyCoins):
        columns.reverse()
    after = [int(table.next_state[row, column]) for column in columns]
    points = [_plain(table.reward[row, column]) for column in columns]
    best = [bool(gained - value[below] == value[row]) for gained, below in zip(points, after)]
    return list(zip(after, [table.moves[column] for column in columns], points, best))


def _rows_below(table: kernels.Table, top: int) -> list[int]:
    """The rows that play from `top` reaches, itself among them, in the order of the table."""
    reached = {top}
    for row in range(top, len(table.states)):
        if row in reached:
            reached.update(int(each) for each in table.next_state[row] if each >= 0)
    return sorted(reached)
