"""Why: rules that say who wins without looking ahead, and the arguments behind them.

A position is *lost* if the player to move loses against perfect play, and *won* if some move
leads to a lost position. Every argument here has the same form: name a set of positions
and show that (1) from each of them every move leads out of the set, (2) from every other
position some move leads into it, and (3) the end of the game is on the right side. Then the set
is the set of lost positions, by induction over the coins that are left.

- **One row, 1 to k coins a turn, normal play.** In normal play the lost counts are the multiples of k + 1. A
  move takes 1 to k, so from a multiple it never leads to another; from a remainder r > 0 the
  move r leads to one.
- **The same, misère play.** The last coin is poison: a player takes it only if there is no other
  move. So the game is normal play for the other n - 1 coins: n is lost exactly when n - 1 is lost there.
- **Several rows, normal play.** Each row has a Grundy value: the smallest number that none of its
  moves leads to. If a move takes at most k, it is n mod (k + 1). (`grundy`, `grundy_values`)
  Lost if the nim-sum (binary XOR) of the values is 0. A move changes one value, and so the
  nim-sum. If the sum s is not 0, some row's value v contains the highest bit of s; v XOR s is
  smaller than v, so some move leads there. (`nim_sum`, `is_lost`)
- **Several rows, misère play.** The same rule, as long as some value is above 1. If all values are
  0 or 1, the rule is reversed: lost if the nim-sum is 1. (`is_lost` has the argument)
- **One row, other amounts.** The same, using a table. (`outcomes`; `projects.periods` shows how they repeat)
"""

from collections.abc import Iterable
from functools import reduce
from operator import xor

import numpy as np

from coinlib import loops
from coinlib.arguments import whole_number
from coinlib.games import CoinGame, Move, State, coin_game

# --- rows with at most k coins a turn -------------------------------------------------------------------


def nim_sum(*values: int) -> int:
    """The binary sum without carrying (XOR) of the numbers; 0 if there are none.

    Parameters
    ----------
    *values : int
        Each 0 or more.

    Returns
    -------
    int

    References
    ----------
    C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).

    Examples
    --------
    >>> nim_sum(3, 3, 7), nim_sum(1, 2, 3)
    (7, 0)
    """
    return reduce(xor, values, 0)


def mex(values: Iterable[int]) -> int:
    """The smallest number from 0 up that is missing (the *minimum excluded* number).

    Parameters
    ----------
    values : iterable of int
        In any order, each 0 or more; may be empty.

    Returns
    -------
    int

    Examples
    --------
    >>> mex([2, 0, 1, 5]), mex([1, 2]), mex([])
    (3, 0, 0)
    """
    present = set(values)
    return next(number for number in range(len(present) + 1) if number not in present)


def grundy(count: int, max_pick: int | None) -> int:
    """The Grundy value of one row in normal play: the smallest number that no move leads to.

    With at most k coins a turn it is n mod (k + 1). The moves from n lead to the k counts
    below it (to all of them if n <= k), and k consecutive counts have k different
    remainders: all from 0 to k except that of n. So n's own remainder is the smallest one missing.

    Parameters
    ----------
    count : int
        Coins in the row, n: 0 or more.
    max_pick : int or None
        The most coins one move may take, k; None for no bound.

    Returns
    -------
    int
        ``count`` mod ``max_pick + 1``; ``count`` itself without a bound.

    References
    ----------
    R. Sprague (1935) and P. M. Grundy (1939), independently.

    Examples
    --------
    >>> [grundy(count, max_pick=3) for count in range(9)]
    [0, 1, 2, 3, 0, 1, 2, 3, 0]
    >>> grundy(7, max_pick=None)
    7
    """
    return count if max_pick is None else count % (max_pick + 1)


def is_lost(game: CoinGame, state: State) -> bool:
    """Whether the player to move in `state` loses against perfect play, by the closed form.

    Normal play: lost if the nim-sum of the Grundy values is 0. Misère play: if no value is above
    1, lost if their nim-sum is 1; otherwise lost if it is 0. The argument for misère play, where
    a "1" is a row of value 1 and a *large* row one of value 2 or more:

    1. No large row, nim-sum 1 (lost): a move changes one value. It leaves no large row and
       nim-sum 0, or one large row and so a nim-sum that is not 0: both are won.
    2. No large row, nim-sum 0 (won): if no coin is left, the opponent took the last one. If there
       is a 1, reduce its value to 0; if not, take k from a row of k + 1 or more and make a 1. Either
       way the nim-sum is 1.
    3. Large rows, nim-sum 0 (lost): then there are at least two, and one always remains. A move
       changes the nim-sum, so it leaves a large row and a nim-sum that is not 0: won.
    4. Large rows, nim-sum not 0 (won): if there is only one, reduce its value to 0 or 1, whichever
       makes the number of 1s odd. If there are more, the winning move of normal play makes the
       nim-sum 0, and a large row remains.

    Parameters
    ----------
    game : CoinGame
        Any rows, any bound, either ending.
    state : tuple of int
        Coins left in each row.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_lost(CoinGame((3, 3, 7), max_pick=None, misere=False), (3, 3, 0))
    True
    >>> is_lost(CoinGame((21,), max_pick=3, misere=True), (21,))
    True

    The exception: two rows of one coin are lost in normal play but won in misère play.

    >>> [is_lost(CoinGame((1, 1), max_pick=3, misere=misere), (1, 1)) for misere in (False, True)]
    [True, False]
    """
    game = coin_game(game)
    game.is_over(state)  # A state of another game raises a readable error here.
    values = [grundy(held, game.max_pick) for held in state]
    if game.misere and all(value <= 1 for value in values):
        return nim_sum(*values) == 1
    return nim_sum(*values) == 0


def winning_moves(game: CoinGame, state: State) -> list[Move]:
    """The moves that leave a lost position, by the closed form; empty if `state` is lost or over.

    The Grundy value that a winning move leaves in its row is the nim-sum of the other rows or, in
    misère play, the same with its last bit flipped. So at most two moves per row are
    tried, however many coins it holds.

    Parameters
    ----------
    game : CoinGame
        Any rows, any bound, either ending.
    state : tuple of int
        Coins left in each row.

    Returns
    -------
    list of Move
        In order of row, then count.

    Examples
    --------
    >>> from coinlib.games import SCENARIOS, sticks
    >>> winning_moves(SCENARIOS["NIM"], (1, 3, 5, 7))
    [Move(row=1, count=1), Move(row=2, count=1)]
    >>> winning_moves(sticks(2026, max_pick=3, misere=True), (2026,))
    [Move(row=0, count=1)]
    >>> winning_moves(sticks(2026, max_pick=3, misere=False), (2026,))
    [Move(row=0, count=2)]
    """
    game = coin_game(game)
    game.is_over(state)  # A state of another game raises a readable error here.
    values = [grundy(held, game.max_pick) for held in state]
    winning = set()
    for row, held in enumerate(state):
        others = nim_sum(*values[:row], *values[row + 1 :])
        most = game.max_pick or held
        for wanted in (others, others ^ 1):
            take = (held - wanted) % (most + 1)  # leaves a row with the wanted value
            if 0 < take <= held:
                after = (*state[:row], held - take, *state[row + 1 :])
                if is_lost(game, after):
                    winning.add(Move(row, take))
    return sorted(winning)


# --- one row, other amounts -----------------------------------------------------------------------------


def grundy_values(amounts: Iterable[int], up_to: int) -> list[int]:
    """The Grundy values of one row in normal play if a move takes one of these amounts.

    By definition the value of n is the smallest number that no move from n leads to. Two or
    more rows are lost in normal play if the nim-sum of their values is 0, whatever the amounts
    are; the argument uses only the definition.

    Parameters
    ----------
    amounts : iterable of int
        What one move may take, each 1 or more.
    up_to : int
        The largest count, 0 or more.

    Returns
    -------
    list of int, length ``up_to + 1``
        0 where the count is lost in normal play.

    Examples
    --------
    >>> grundy_values({1, 2, 3}, up_to=8)
    [0, 1, 2, 3, 0, 1, 2, 3, 0]
    >>> grundy_values({1, 3, 4}, up_to=8)
    [0, 1, 0, 1, 2, 3, 2, 0, 1]
    """
    takes = amounts_in_order(amounts)
    values = np.zeros(up_to + 1, dtype=np.int64)
    seen = np.full(len(takes) + 1, -1)
    loops.value_rows(np.array(takes), values, seen)
    return values.tolist()


def outcomes(amounts: Iterable[int], misere: bool, up_to: int) -> list[bool]:
    """For each count on one row, whether the player to move wins if a move takes one of these amounts.

    Without a 1 among the amounts a player can be stuck: coins are left, but no move is legal,
    and the last coin may never be taken. So the endings are defined differently, which makes no
    difference if 1 is among the amounts. *Normal play: the player who cannot move loses. Misère
    play: the player who cannot move wins.*

    Let s be the smallest amount. In misère play fewer than s coins are won, and n coins are lost
    exactly if n - s are lost in normal play: a move to fewer than s coins lets the opponent win
    at once, and the moves to s or more are those of normal play with s fewer coins on the table.

    Parameters
    ----------
    amounts : iterable of int
        What one move may take, each 1 or more.
    misere : bool
        True: the player who cannot move wins. False: the player who cannot move loses.
    up_to : int
        The largest count, 0 or more.

    Returns
    -------
    list of bool, length ``up_to + 1``

    Examples
    --------
    Lost in normal play with 1, 3 or 4 a turn, and with 2 or 3 (stuck with one coin left):

    >>> [count for count, wins in enumerate(outcomes({1, 3, 4}, misere=False, up_to=16)) if not wins]
    [0, 2, 7, 9, 14, 16]
    >>> [count for count, wins in enumerate(outcomes({2, 3}, misere=False, up_to=16)) if not wins]
    [0, 1, 5, 6, 10, 11, 15, 16]
    """
    takes = amounts_in_order(amounts)
    poison = takes[0] if misere else 0
    normal = [value != 0 for value in grundy_values(takes, up_to)]
    return ([True] * poison + normal)[: up_to + 1]


def amounts_in_order(amounts) -> list[int]:
    """The amounts in order, the smallest first, without duplicates."""
    takes = sorted({whole_number(amount, "an amount", least=1) for amount in amounts})
    if not takes:
        raise ValueError("amounts: expected at least one amount, got none")
    return takes
