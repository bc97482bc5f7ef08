"""Who is right: perfect play, worked out backwards from the end of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from coinlib import loops
from coinlib.arguments import counted, one_of, shown, whole_number
from coinlib.games import CoinGame, GreedyCoins, Move, State, as_game, coin_game
from coinlib.tables import Table, cached_by_game, check_memory, number_words, tabulate

TABLES_BYTES = 2**30  # The tables of one solution may take 1 GiB; even a browser has that.


class Best(NamedTuple):
    """What a state is worth to the player to move, and the moves that achieve it.

    `value` is the points still to come minus the opponent's, plus the result at the end:
    in games without points, +1 for a win and -1 for a loss.
    """

    value: int
    moves: list


def minimax(game, state=None) -> Best:
    """The value of a state under perfect play by both sides, for any finite game.

    At the end of the game a state's value is the result. Before that it is the best of *reward - value(next)*:
    what is good for the player who moves next is bad for the player who moves now.

    Parameters
    ----------
    game : Game
        Any game that fits in a table. A hashable game is solved only once.
    state : state of `game`, optional
        The start if left out.

    Returns
    -------
    Best
        `value`, and `moves`: all the best moves in the game's order, none if the game is over.

    References
    ----------
    E. Zermelo, "Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels" (1913).

    Examples
    --------
    >>> from coinlib import GreedyCoins, sticks
    >>> minimax(sticks(20))
    Best(value=1, moves=[Move(row=0, count=3)])

    In a game with points the value is the margin, here 7 to 4 out of 11:

    >>> minimax(GreedyCoins((3, 5, 1, 2)))
    Best(value=3, moves=['R'])
    """
    game = as_game(game)
    state = game.start if state is None else state
    value_of(game, state)  # raises for a state that play never reaches
    if game.is_over(state):
        return Best(int(game.result(state)), [])
    worth = {}
    for move in game.legal_moves(state):
        worth[move] = game.reward(state, move) - value_of(game, game.play(state, move))
    value = max(worth.values())
    return Best(int(value), [move for move in worth if worth[move] == value])


def value_of(game, state) -> int:
    """The value of a state, as `minimax` defines it, looked up in the table of all values.

    Recursion would solve the same states again and again. Instead, the table is filled once, backwards from the
    end of the game, by `perfect_play` and `loops.value_states`.
    """
    table = tabulate(game)
    value, _ = perfect_play(table)
    return int(value[table.row(state)])


@lru_cache(maxsize=16)
def perfect_play(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """The value of every state of a table for the player to move, and the moves that achieve it.

    Parameters
    ----------
    table : coinlib.tables.Table

    Returns
    -------
    float64 array, shape (S,)
        See `minimax`.
    bool array, shape (S, M)
        The best moves; none where the game is over.

    Examples
    --------
    >>> from coinlib import sticks
    >>> value, best = perfect_play(tabulate(sticks(5)))
    >>> value    # for 5, 4, 3, 2, 1 and 0 sticks
    array([-1.,  1.,  1.,  1., -1.,  1.])
    >>> best[1]    # with 4 sticks: take 3
    array([False, False,  True])
    """
    value = np.zeros(len(table.states))
    loops.value_states(table.next_state, table.reward, table.result, table.over, value)
    worth = table.reward - value[table.next_state]  # meaningless for illegal moves, which are masked below
    return value, table.legal & (worth == value[:, None])


@dataclass(frozen=True, eq=False)
class Solution:
    """Who wins a `CoinGame` from every state; made by `solve`.

    Attributes
    ----------
    game : CoinGame
    wins : bool array, shape (rows[0] + 1, rows[1] + 1, ...)
        ``wins[state]``: whether the player to move in `state` wins with perfect play.
    """

    game: CoinGame
    wins: np.ndarray

    def best_moves(self, state: State) -> list[Move]:
        """The moves that win, because they leave a lost state; empty if the state is lost or over.

        Examples
        --------
        >>> solve(CoinGame((2, 2, 1), max_pick=None, misere=False)).best_moves((2, 2, 1))
        [Move(row=2, count=1)]
        """
        game = self.game
        return [move for move in game.legal_moves(state) if not self.wins[game.play(state, move)]]

    def winner(self, state: State | None = None) -> int:
        """1 if the player to move in `state` (the start if left out) wins, 2 if the other player does."""
        state = self.game.start if state is None else state
        self.game.is_over(state)  # A state of another game raises a readable error here.
        return 1 if self.wins[state] else 2

    def __repr__(self) -> str:
        lost = np.count_nonzero(~self.wins)
        return f"Solution({self.game}, {lost:,} of {self.wins.size:,} states are lost)"


def solve(game: CoinGame) -> Solution:
    """Find out who wins from every state of a `CoinGame`, by recursion over the states.

    A state is won if a move leads to a lost one. `coinlib.loops.mark_wins` starts at the end of the game:
    for each lost state, it marks as won the states from which a move leads there.

    Parameters
    ----------
    game : CoinGame
        Any rows that fit in memory: about one byte per state.

    Returns
    -------
    Solution

    Examples
    --------
    >>> from coinlib import SCENARIOS, three_piles
    >>> solution = solve(SCENARIOS["NIM"])
    >>> solution.winner(), solution.best_moves((1, 3, 5, 7))
    (1, [Move(row=1, count=1), Move(row=2, count=1)])
    >>> solve(three_piles(100, 100, 100))
    Solution(CoinGame(rows=(100, 100, 100), max_pick=None, misere=False), 8,203 of 1,030,301 states are lost)
    """
    return _solve(coin_game(game))


@cached_by_game
def _solve(game: CoinGame) -> Solution:
    """The solution of a game; its table takes one byte per state."""
    check_memory(game.state_count, TABLES_BYTES, f"the table of {number_words(game.state_count)} states")
    wins = np.zeros(game.state_count, dtype=bool)
    rows = np.array(game.rows, dtype=np.int64)
    most = min(game.most, max(game.rows))
    loops.mark_wins(rows, most, wins, game.misere)
    wins.flags.writeable = False
    return Solution(game, wins.reshape([held + 1 for held in game.rows]))


# --- greedy coins -------------------------------------------------------------------------------------

SAFE_TOTAL = 2**62  # Sums below this cannot overflow.


@dataclass(frozen=True, eq=False)
class Greedy:
    """Best play for a row of coins and for every part of it; made by `solve_greedy`.

    All tables are n by n. Entry ``[i, j]`` is for the coins i...j, both included, and is
    meaningful only for i <= j. Whose turn it is follows from how many coins are gone.

    Attributes
    ----------
    coins : tuple of int
    alice : integer array, shape (n, n)
        A: what Alice, who moves first, still gets.
    margin : integer array, shape (n, n)
        S: by how much the player to move beats the other from then on.
    moves : array of str, shape (n, n)
        M: "L", "R", or "LR" where both are equally good; "" below the diagonal.
    """

    coins: tuple[int, ...]
    alice: np.ndarray
    margin: np.ndarray
    moves: np.ndarray

    @property
    def value(self) -> int:
        """Alice's total in the whole game."""
        return int(self.alice[0, -1])

    def line(self, i: int = 0, j: int | None = None) -> list[tuple[str, int]]:
        """Best play from coins i...j to the end: the moves with the coins they take.

        If both moves are equally good, it takes the left coin.

        Examples
        --------
        >>> solve_greedy([3, 5, 1, 2]).line()
        [('R', 2), ('L', 3), ('L', 5), ('L', 1)]
        """
        if j is None:
            j = len(self.coins) - 1
        taken = []
        while i <= j:
            if self.moves[i, j] == "R":
                taken.append(("R", self.coins[j]))
                j -= 1
            else:
                taken.append(("L", self.coins[i]))
                i += 1
        return taken

    def cost(self, move: str, i: int = 0, j: int | None = None) -> int:
        """How many points of the margin a move gives up in the run i...j; 0 for a best move.

        Examples
        --------
        >>> greedy = solve_greedy([3, 5, 1, 2])
        >>> greedy.cost("L"), greedy.cost("R")
        (4, 0)
        """
        if j is None:
            j = len(self.coins) - 1
        if i == j:
            return 0
        one_of(move, "move", ("L", "R"))
        if move == "L":
            margin_after = self.coins[i] - self.margin[i + 1, j]
        else:
            margin_after = self.coins[j] - self.margin[i, j - 1]
        return int(self.margin[i, j] - margin_after)

    def __repr__(self) -> str:
        return f"Greedy({counted(len(self.coins), 'coin')}: Alice gets {self.value} of {sum(self.coins)})"


def solve_greedy(coins: Sequence[int] | np.ndarray) -> Greedy:
    """Best play for greedy coins: the tables A, M and S for every run of coins.

    Time and memory grow with the square of the number of coins.

    Parameters
    ----------
    coins : sequence of int
        Values from left to right, each 0 or more; at least one.

    Returns
    -------
    Greedy

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
    runs = size * (size + 1) // 2
    check_memory(3 * 8 * size * size, TABLES_BYTES, f"the table of {number_words(runs)} states")
    margin = np.zeros((size, size), dtype=np.int64)
    alice = np.zeros((size, size), dtype=np.int64)
    # A string of two letters takes eight bytes, so the loop can write it as a number.
    moves = np.zeros((size, size), dtype=np.uint64)
    left, right, both = np.array(["L", "R", "LR"], dtype="U2").view(np.uint64)
    loops.greedy_tables(values, margin, alice, moves, left, right, both)
    for table in (margin, alice, moves):
        table.flags.writeable = False
    return Greedy(tuple(values.tolist()), alice, margin, moves.view("U2"))


def greedy_margin(coins: Sequence[int] | np.ndarray) -> int:
    """By how much the first player wins greedy coins with best play, in linear time.

    In the row's valley, `greedy_valley`, taking the larger end is best.

    Parameters
    ----------
    coins : sequence of int
        As for `solve_greedy`; a NumPy array of integers is fastest.

    Returns
    -------
    int
        0 for a tie, negative if the first player loses.

    References
    ----------
    T. Idziaszek, "An Optimal Algorithm for Calculating the Profit in the Coins in a Row Game".
    Lesson 11 of the course proves it.

    Examples
    --------
    >>> greedy_margin([1, 2, 4, 3]), greedy_margin([3, 5, 1, 2]), greedy_margin([1, 5, 1])
    (0, 3, -3)
    """
    return _margin(_row_of_coins(coins))


def greedy_valley(coins: Sequence[int] | np.ndarray) -> list[int]:
    """The valley that is left when all peaks in a row of greedy coins are fused, in linear time.

    Any three neighbours a <= b >= c are worth as much as a single coin a - b + c, because the
    player who takes a or c gives b to the other.

    Parameters
    ----------
    coins : sequence of int
        As for `solve_greedy`; a NumPy array of integers is fastest.

    Returns
    -------
    list of int
        A row that first goes down and then up, with the same margin as the whole row. Its coins may be negative.

    Examples
    --------
    >>> greedy_valley([3, 5, 1, 2]), greedy_valley([5, 1, 2])
    ([-1, 2], [5, 1, 2])
    """
    return _valley(_row_of_coins(coins)).tolist()


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
    if by_left == by_right:
        return "LR"
    return "L" if by_left > by_right else "R"


def _valley(values: np.ndarray) -> np.ndarray:
    """What is left when all peaks are fused."""
    stack = np.empty_like(values)
    return stack[: loops.fuse_peaks(values, stack)]


def _margin(values: np.ndarray) -> int:
    """The margin of the player to move: the two take turns at the valley's coins, from the largest down."""
    down = np.sort(_valley(values), kind="stable")[::-1]
    return int(down[0::2].sum() - down[1::2].sum())


def _row_of_coins(coins) -> np.ndarray:
    """The coins as int64, checked; OverflowError if their sum could overflow."""
    is_array = isinstance(coins, np.ndarray) and coins.ndim == 1 and coins.dtype.kind in "iu"
    if is_array and len(coins):
        values = coins
        whole_number(values.min(), "a coin")
    else:
        values = np.array(GreedyCoins(coins).coins, dtype=object)
    largest = int(values.max())
    if len(values) * largest >= SAFE_TOTAL:
        raise OverflowError(f"a coin: expected values that add up to less than 2**62, got {shown(largest)}")
    return np.ascontiguousarray(values, dtype=np.int64)
