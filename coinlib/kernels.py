"""Games as tables of numbers, and the few hot loops that run over them.

Each hot loop is written once, as plain Python over NumPy arrays. `fast` gives the same
functions compiled by Numba, or as they stand where Numba is not installed: the results
are the same to the last bit, because both draw the same stream from the same generators.

The hot functions (`HOT`) trust what they are given: they run once for each move of millions of
games, and the functions of the other rooms that call them have checked it.
"""

from __future__ import annotations

import copy
import math
import operator
import os
import types
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from coinlib.interrupts import CtrlC

DRAW, GREEDY = 0, 1  # the two ways to choose: a ball from a hat, or the largest value
TABLE_BYTES = 2**30  # a table larger than this is refused


# --- a game becomes a table -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A finite game as arrays, S states by M moves; the states stand so that play only goes down.

    Attributes
    ----------
    states : list
        The S states that can be reached, the start first; every move leads to a later one.
    index : dict
        The row of each state.
    moves : tuple
        The M moves that can be named.
    next_state : int32 array, shape (S, M)
        Row of the state a move leads to, or -1 where it is illegal.
    reward : float64 array, shape (S, M)
        Points to the mover.
    result : float64 array, shape (S,)
        At the end, +1, 0 or -1 for whoever would move next; 0 before.
    over : bool array, shape (S,)
        Where the game has ended.
    depth : int
        Moves in the longest game.
    """

    states: list
    index: dict
    moves: tuple
    next_state: np.ndarray
    reward: np.ndarray
    result: np.ndarray
    over: np.ndarray
    depth: int

    @cached_property
    def column(self) -> dict:
        """The column of each move."""
        return {move: number for number, move in enumerate(self.moves)}

    @cached_property
    def legal(self) -> np.ndarray:
        """bool array, shape (S, M): the legal moves."""
        return self.next_state >= 0

    def row(self, state) -> int:
        """The row of `state`; raises ValueError if play never reaches it."""
        try:
            return self.index[state]
        except (KeyError, TypeError):
            mend = f"; write {(state,)!r}" if isinstance(state, int) and (state,) in self.index else ""
            raise ValueError(f"state: {_shown(state)} cannot be reached from {self.states[0]!r}{mend}") from None


def check_game(game) -> None:
    """Raise TypeError if something is not a game, saying what it lacks."""
    wanted = ("start", "moves", "legal_moves", "play", "is_over", "reward", "result")
    # asked of the class first: asking the game itself would list its moves
    missing = [name for name in wanted if not (hasattr(type(game), name) or hasattr(game, name))]
    if missing:
        lacks = (
            "a name is not a game; SCENARIOS has some" if isinstance(game, str) else f"it has no {', '.join(missing)}"
        )
        raise TypeError(f"game: expected a game such as sticks(20), got {_shown(game)}: {lacks}")
    if isinstance(game, type):
        raise TypeError(f"game: expected a game, got the class {game.__name__}; write {game.__name__}(...) to make one")


def check_table(table) -> None:
    """Raise TypeError for anything but a `Table`."""
    if not isinstance(table, Table):
        raise TypeError(f"table: expected what tabulate(game) returns, got {_shown(table)}")


def tabulate(game) -> Table:
    """The table of a finite game: every state that can be reached, every move, every result.

    Parameters
    ----------
    game : Game
        Any game whose states do not come twice. Tables of the last 64 games are kept.

    Returns
    -------
    Table

    Raises
    ------
    MemoryError
        If the table would need more than 1 GiB; the message names the memory.
    TypeError
        If it is not a game, or its states or moves cannot be keys of a dictionary.
    ValueError
        If a state can come twice in one game, or the rules do not hold together.

    Examples
    --------
    >>> from coinlib import sticks
    >>> table = tabulate(sticks(4))
    >>> table.states
    [(4,), (3,), (2,), (1,), (0,)]
    >>> table.next_state[table.index[2,]].tolist()    # take 1, take 2, take 3
    [3, 4, -1]
    """
    check_game(game)
    try:
        hash(game)
    except TypeError:  # a class of a student that says what is equal, and so cannot be a key
        return _tabulate_latest(game)
    return _tabulate_once(game)


def _tabulate(game) -> Table:
    _check_size(getattr(game, "state_count", 0), getattr(game, "move_count", 0))  # before they are listed
    try:
        moves = tuple(game.moves)
    except TypeError:
        raise TypeError(f"moves: expected all moves of the game in order, got {_shown(game.moves)}") from None
    after = _explore(game, moves)
    states = list(after)[::-1]  # last finished first: every move leads down the list
    index = {state: row for row, state in enumerate(states)}
    shape = (len(states), len(moves))
    next_state = np.full(shape, -1, dtype=np.int32)
    reward = np.zeros(shape)
    result = np.zeros(len(states))
    over = np.zeros(len(states), dtype=bool)
    depth = [0] * len(states)
    column = {move: number for number, move in enumerate(moves)}
    for row in reversed(range(len(states))):
        state = states[row]
        for move, following in after[state]:
            below = index[following]
            next_state[row, column[move]] = below
            reward[row, column[move]] = _points(game.reward(state, move), f"reward({state!r}, {move!r})")
            depth[row] = max(depth[row], depth[below] + 1)
        over[row] = game.is_over(state)
        if over[row]:
            result[row] = _points(game.result(state), f"result({state!r})")
    for array in (next_state, reward, result, over):
        array.flags.writeable = False  # shared by everybody who plays this game
    return Table(states, index, moves, next_state, reward, result, over, depth[0])


def _points(value, what: str) -> float:
    """What a game says that something is worth."""
    try:
        points = float(value)
    except (TypeError, ValueError):
        points = math.nan
    if math.isnan(points):
        raise ValueError(f"{what}: expected a number of points, got {_shown(value)}")
    return points


_tabulate_once = lru_cache(maxsize=64, typed=True)(_tabulate)
_latest: list = []  # a copy of the last game that cannot be a key, and its table


def _tabulate_latest(game) -> Table:
    """The table of the last such game again, if this one is equal to it."""
    with suppress(Exception):  # a comparison of a student may raise; then the table is made anew
        if _latest and type(_latest[0]) is type(game) and bool(_latest[0] == game):
            return _latest[1]
    table = _tabulate(game)
    _latest.clear()
    with suppress(Exception):  # what cannot be copied is not kept
        _latest[:] = copy.deepcopy(game), table  # a copy: the game itself may be changed later
    return table


def _explore(game, moves: tuple) -> dict:
    """The moves and next states of each state, every state after all that it leads to."""
    named = _keys(moves, "a move")
    _keys([game.start], "a state")
    after: dict[Any, list] = {}
    open_states = {game.start: None}  # the path from the start to here, in order
    stack = [(game.start, None)]
    while stack:
        state, todo = stack.pop()
        if todo is None:
            pairs = _moves_from(game, state, named)
            todo = (pairs, iter(pairs))
        pairs, rest = todo
        for _, following in rest:
            if following in open_states:
                raise ValueError(f"state {following!r} can come twice in one game; such games have no table")
            if following not in after:
                open_states[following] = None
                stack += [(state, todo), (following, None)]
                break
        else:
            after[state] = pairs
            del open_states[state]
            _check_size(len(after), len(moves))
    return after


def _moves_from(game, state, named: frozenset) -> list[tuple]:
    """The legal moves of a state with what they lead to, checked; none when the game is over."""
    if game.is_over(state):
        return []
    legal = game.legal_moves(state)
    if not hasattr(legal, "__len__"):
        raise TypeError(f"legal_moves({state!r}): expected a list of moves, got {_shown(legal)}")
    if not len(legal):
        raise ValueError(f"the game is not over in state {state!r}, yet there is no legal move")
    for move in legal:
        if move not in named:
            raise ValueError(f"{move!r} is legal in state {state!r}, yet it is not among the game's moves")
    pairs = [(move, game.play(state, move)) for move in legal]
    _keys([following for _, following in pairs], "a state")
    return pairs


def _keys(values, what: str) -> frozenset:
    try:
        return frozenset(values)
    except TypeError:
        bad = next((value for value in values if not isinstance(value, Hashable)), values)
        raise TypeError(
            f"{what} must be something that can be a key of a dictionary, such as a tuple; got {_shown(bad)}"
        ) from None


def _shown(value) -> str:
    """A value as it stands in a message; as `games.shown`, since this room stands on no other."""
    try:
        words = repr(value)
    except Exception:  # noqa: BLE001 - a number of 5,000 digits, or a class of a student
        words = ""
    words = words or f"a {type(value).__name__}"
    return words if len(words) <= 80 else words[:77] + "..."


def _check_size(states: int, moves: int) -> None:
    needed = states * (moves * (4 + 8) + 200)
    if needed > TABLE_BYTES:
        raise MemoryError(
            f"a table of {amount(states)} states and {amount(moves)} moves would need {gibibytes(needed)} "
            f"(at most {gibibytes(TABLE_BYTES)})"
        )


def amount(number: int) -> str:
    """A number of things in a message: "1,030,301", or "about 10^400" where it is too long to read."""
    return f"{number:,}" if number < 10**30 else f"about 10^{math.log10(number):.0f}"


def gibibytes(count: int) -> str:
    """A number of bytes in a message, in GiB."""
    return f"{count / 2**30:,.1f} GiB" if count < 2**80 else f"{amount(count >> 30)} GiB"


def generator(seed) -> np.random.Generator:
    """The source of chance that a seed names.

    Parameters
    ----------
    seed : int, SeedSequence, Generator or None
        A whole number from 0 up, or several in a list. A generator is taken as it is; None: another one each time.

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    TypeError, ValueError
        If it is none of these, or negative.

    Examples
    --------
    >>> generator(1).integers(10) == generator(1).integers(10)
    np.True_
    """
    _check_seed(seed)
    return np.random.default_rng(seed)  # looked up now: a tournament replaces it


def seeds(seed, count: int) -> list:
    """So many independent seeds made from one; `seed`, and what is raised, as for `generator`."""
    if not hasattr(seed, "spawn"):
        _check_seed(seed)
        seed = np.random.SeedSequence(seed)
    return seed.spawn(count)


def _check_seed(seed) -> None:
    """TypeError or ValueError for what is no seed: NumPy has many words for it, and no end for a list that holds itself."""
    if seed is None or isinstance(seed, (np.random.SeedSequence, np.random.BitGenerator, np.random.Generator)):
        return
    expected = "seed: expected a whole number from 0 up, a SeedSequence, a Generator or None, got"
    try:
        parts = seed if isinstance(seed, (list, tuple)) else [seed] if np.ndim(seed) == 0 else seed.tolist()
        least = min((operator.index(part) for part in parts), default=0)
        np.random.SeedSequence(seed if least >= 0 else 0)
    except Exception:  # noqa: BLE001 - whatever somebody else's class raises
        raise TypeError(f"{expected} {_shown(seed)}") from None
    if least < 0:
        raise ValueError(f"{expected} {_shown(seed)}")


class Policy(NamedTuple):
    """How somebody chooses in every state of a table: all that the loops know of an agent.

    Attributes
    ----------
    how : int
        `DRAW`: a move is drawn by weight. `GREEDY`: the largest value is chosen.
    values : float64 array, shape (S, M)
        The weights (balls in the hats), 0 for a move that is never made; or the values
        (the Q-table), minus infinity for a move that is never made. An illegal move that
        can be made forfeits the game.
    """

    how: int
    values: np.ndarray


# --- the rules for choosing and learning, one state at a time ------------------------------------------
# `values` is a whole table of M columns, `row` the state in question, `chance` a number from [0, 1).


def toss(generator):
    """A number from [0, 1)."""
    return generator.random()  # a function of its own: so Numba counts no references in the loop


def draw(values, row, chance):
    """The move drawn by weight, or -1 if the row has no weight; weights are whole numbers, as balls are."""
    total = 0.0
    for move in range(values.shape[1]):
        total += values[row, move]
    return ball_at(values, row, chance * total)


def ball_at(values, row, place):
    """The move of the ball at a place from 0 to all balls of the row, -1 behind the last."""
    for move in range(values.shape[1]):
        if place < values[row, move]:
            return move
        place -= values[row, move]
    return -1


def pick(values, row, chance):
    """One of the moves that are allowed, each equally likely."""
    total = 0
    for move in range(values.shape[1]):
        total += values[row, move] > -np.inf
    left = int(chance * total)
    for move in range(values.shape[1]):
        if values[row, move] > -np.inf:
            if left == 0:
                return move
            left -= 1
    return -1


def greedy(values, row):
    """The move of largest value, the first of equals."""
    best = 0
    for move in range(1, values.shape[1]):
        if values[row, move] > values[row, best]:
            best = move
    return best


def explore(values, row, best, exploration, chance):
    """The best move; or, with probability `exploration`, any that is allowed."""
    if chance < exploration:
        return pick(values, row, chance / exploration)
    return best


def choose(how, values, row, exploration, chance):
    """The move that a policy makes in one state; only a greedy one explores."""
    if how == DRAW:
        return draw(values, row, chance)
    return explore(values, row, greedy(values, row), exploration, chance)


def settle(balls, row, move, outcome):
    """Put the ball back: one more after a win; after a loss thrown away, but never the last.

    Returns by how many balls the hat is fuller than before.
    """
    before = balls[row, move]
    more = int(outcome > 0) - int(outcome < 0)
    balls[row, move] = max(1.0, before + more)
    return balls[row, move] - before


def back_up(values, row, move, rate, target):
    """Move one value towards its target by the learning rate."""
    values[row, move] += rate * (target - values[row, move])


def best_value(values, row):
    """The largest value in a state: what the next state is worth to a Q-learner."""
    return values[row, greedy(values, row)]


# --- the loops -----------------------------------------------------------------------------------------


def numbers(count):
    """Room for so many numbers."""
    return np.zeros(count)


def places(count):
    """Room for so many rows or columns; unsigned, so that none is counted from the end."""
    return np.zeros(count, dtype=np.uint64)


def play_games(
    next_state,
    reward,
    result,
    over,
    depth,
    player,
    draws,
    values,
    learns,
    exploration,
    rate,
    discount,
    visits,
    generator_0,
    generator_1,
    first,
    outcome,
    forfeit,
):
    """Play many games between two seats; learners learn as they go.

    Games and players are numbered 0, 1, ...; seat s belongs to player ``player[s]``, so that
    one learner can hold both. P is the number of players, G the number of games.

    Parameters
    ----------
    next_state, reward, result, over, depth
        The table of the game.
    player : int64 array, shape (2,)
    draws : bool array, shape (2,)
        Whether a seat draws a ball; the other way is to take the largest value, and to explore.
    values : float64 array, shape (P * S, M), changed in place where a player learns
        The players' tables, one under the other.
    learns : bool array, shape (P,)
    exploration, rate : float64 array, shape (P, G)
        Exploration rate and learning rate in each game.
    discount : float64 array, shape (P,)
    visits : int64 array, shape (P * S,), changed in place
        How often a player chose in each state.
    generator_0, generator_1 : numpy.random.Generator
        The source of chance of each seat; one and the same where one player holds both.
    first : int8 array, shape (G,)
        The seat that moves first.
    outcome : int8 array, shape (G,), written
        +1, 0 or -1 for seat 0.
    forfeit : int8 array, shape (G,), written
        The seat that made an illegal move, or -1.
    """
    above = player[1] * len(over)  # rows of `values` above those of seat 1; those of seat 0 stand first
    draws_0, draws_1 = draws[0], draws[1]
    pays = np.any(reward)
    weight = numbers(len(values))  # of each row, kept so that no draw need add it up
    for each in range(len(values)):  # a loop, for `sum(axis=1)` takes Numba seconds to compile
        for move in range(values.shape[1]):
            weight[each] += values[each, move]
    rows, moves = places(depth), places(depth)  # where each turn of this game was taken, and what was chosen
    for game in range(len(first)):
        state = 0
        seat = int(first[game])  # whoever moves next
        turn = 0
        before = points = 0.0  # of the last move but one, and of the last
        lead = 0.0  # of `seat`, in points
        illegal = False
        while not over[state]:
            if seat == 0:
                row, drawn, chance = state, draws_0, toss(generator_0)
            else:
                row, drawn, chance = above + state, draws_1, toss(generator_1)
            if drawn:
                move = ball_at(values, row, chance * weight[row])
            else:
                who = player[seat]
                best = greedy(values, row)
                if learns[who] and turn >= 2:
                    target = before - points + discount[who] * values[row, best]
                    back_up(values, rows[turn - 2], moves[turn - 2], rate[who, game], target)
                move = explore(values, row, best, exploration[who, game], chance)
            visits[row] += 1
            rows[turn] = row
            moves[turn] = move
            turn += 1
            seat ^= 1
            following = next_state[state, move]
            illegal = following < 0
            if pays or illegal:  # otherwise nobody has any points
                before, points = points, 0.0 if illegal else reward[state, move]
                lead = -(lead + points)
                if illegal:
                    break
            state = following
        # an illegal move loses by one point, whatever was gained before
        last_word = 1.0 - lead if illegal else result[state]
        final = lead + last_word
        won = 1 if final > 0.0 else -1 if final < 0.0 else 0
        outcome[game] = won if seat == 0 else -won
        forfeit[game] = 1 - seat if illegal else -1
        gained = points
        for ago in range(1, 3):  # the seat that moved last, then the other
            last = turn - ago
            seat, last_word, won = seat ^ 1, -last_word, -won
            who = player[seat]
            if learns[who] and last >= 0:
                if draws[seat]:
                    # unsigned, so Numba need not ask at every turn whether to count from the end
                    for mine in range(np.uint64(last & 1), np.uint64(turn), np.uint64(2)):
                        weight[rows[mine]] += settle(values, rows[mine], moves[mine], won)
                else:
                    back_up(values, rows[last], moves[last], rate[who, game], gained + last_word)
            gained = before - points


def value_states(next_state, reward, result, over, value):
    """Fill `value`, shape (S,): the best of reward - value(next) for whoever moves, from the end up."""
    for state in range(len(over) - 1, -1, -1):
        if over[state]:
            value[state] = result[state]
            continue
        best = -np.inf
        for move in range(next_state.shape[1]):
            following = next_state[state, move]
            if following >= 0 and reward[state, move] - value[following] > best:
                best = reward[state, move] - value[following]
        value[state] = best


def mark_wins(rows, most, wins, misere):
    """Fill `wins`: where whoever moves wins, for rows of coins with 1...most from one row.

    The states are visited from the end of the game on. One that nobody has marked is lost, and
    marks every state from which one move leads to it: those are won.

    Parameters
    ----------
    rows : int64 array, shape (R,)
    most : int
        The most coins that one move may take.
    wins : bool array, shape (product of rows + 1,), written
        In the order of `numpy.ravel`: the last row changes fastest.
    misere : bool
    """
    last = len(rows) - 1
    stride = np.ones(last + 1, dtype=np.int64)  # from a state to the one with a coin more in that row
    for row in range(last - 1, -1, -1):
        stride[row] = stride[row + 1] * (rows[row + 1] + 1)
    count = np.zeros(last + 1, dtype=np.int64)
    wins[:] = False
    wins[0] = misere  # nothing left: the other player took the last coin
    for base in range(0, wins.size, rows[last] + 1):
        for held in range(rows[last] + 1):
            if wins[base + held]:
                continue
            count[last] = held
            for row in range(last + 1):
                step = stride[row]
                nearest = base + held + step
                furthest = base + held + step * min(most, rows[row] - count[row])
                wins[nearest : furthest + 1 : step] = True
        for row in range(last - 1, -1, -1):  # the rows before the last, as a counter
            count[row] += 1
            if count[row] <= rows[row]:
                break
            count[row] = 0


def greedy_tables(coins, margin, alice, moves, left, right, both):
    """Fill the tables of greedy coins, shape (n, n), for every run of coins i...j with i <= j.

    S[i, j] = max(c_i - S[i+1, j], c_j - S[i, j-1]) is the margin of whoever moves; Alice's own
    total follows from it, because the two totals add up to the coins of the run.

    Parameters
    ----------
    coins : int64 array, shape (n,)
    margin, alice : int64 array, shape (n, n), written
    moves : uint64 array, shape (n, n), written with `left`, `right` or `both`
    left, right, both : uint64
    """
    size = len(coins)
    for i in range(size - 1, -1, -1):
        here = coins[i]
        before = here  # S[i, j - 1]
        total = here
        margin[i, i] = here
        moves[i, i] = both
        alice[i, i] = here if size % 2 == 1 else 0
        for j in range(i + 1, size):
            total += coins[j]
            by_left = here - margin[i + 1, j]
            by_right = coins[j] - before
            if by_left > by_right:
                before, moves[i, j] = by_left, left
            elif by_right > by_left:
                before, moves[i, j] = by_right, right
            else:
                before, moves[i, j] = by_left, both
            margin[i, j] = before
            # Alice is to move where an even number of coins has gone
            gone = size - 1 - j + i
            alice[i, j] = (total + before) // 2 if gone % 2 == 0 else (total - before) // 2


def margin_by_diagonals(coins, margin):
    """The margin of greedy coins in quadratic time, with one diagonal of the table in memory.

    `margin`, shape (n,), holds the coins at first, and S[i, i + length] after each round.
    """
    size = len(coins)
    for length in range(1, size):
        for i in range(size - length):
            by_left = coins[i] - margin[i + 1]
            by_right = coins[i + length] - margin[i]
            margin[i] = max(by_right, by_left)
    return margin[0]


def margin_by_fusing(coins, stack):
    """The margin of greedy coins in linear time; `stack`, shape (n,), is room to work in.

    A coin between two that are not larger is never worth opening for the other side: the three
    are worth as much as the one coin a - b + c. What is left is a valley, in which taking the
    larger end is best.
    """
    top = 0
    for coin in coins:
        while top > 1 and stack[top - 2] <= stack[top - 1] and stack[top - 1] >= coin:
            coin += stack[top - 2] - stack[top - 1]
            top -= 2
        stack[top] = coin
        top += 1
    low, high = 0, top - 1
    margin = coins[0] - coins[0]
    sign = 1
    while low <= high:
        if stack[low] >= stack[high]:
            margin += sign * stack[low]
            low += 1
        else:
            margin += sign * stack[high]
            high -= 1
        sign = -sign
    return margin


# --- two speeds ------------------------------------------------------------------------------------------

HOT = (
    toss,
    ball_at,
    draw,
    pick,
    greedy,
    explore,
    choose,
    settle,
    back_up,
    best_value,
    numbers,
    places,
    play_games,
    value_states,
    mark_wins,
    greedy_tables,
    margin_by_diagonals,
    margin_by_fusing,
)


@cache
def fast() -> types.SimpleNamespace:
    """The hot functions of this module, compiled where Numba is installed.

    A function calls the compiled ones among its neighbours, so each is copied into a
    namespace in which they stand. What was compiled is kept on disk for the next time.
    """
    with CtrlC():  # a library whose import was interrupted stays broken until Python is started again
        return _fast()


def _fast() -> types.SimpleNamespace:
    try:
        from numba import njit
    except ImportError:
        loops = types.SimpleNamespace(**{function.__name__: function for function in HOT})
        loops.play_games = _in_plain_python(play_games)
        return loops
    options = {"error_model": "numpy"}  # nothing here divides by zero, so nothing need be able to raise
    namespace = dict(globals())
    for function in HOT:
        copy = types.FunctionType(function.__code__, namespace, function.__name__)
        copy.__module__ = function.__module__
        try:
            namespace[function.__name__] = njit(copy, cache=True, **options)
        except RuntimeError:  # nowhere to keep it: compile again next time
            namespace[function.__name__] = njit(copy, **options)
    _tell_of_compiling()
    return types.SimpleNamespace(**{function.__name__: namespace[function.__name__] for function in HOT})


def _in_plain_python(loop):
    """The same loop over memoryviews and lists, from which plain Python reads a number twice as fast as from an array."""
    namespace = globals() | {"numbers": lambda count: [0.0] * count, "places": lambda count: [0] * count}
    loop = types.FunctionType(loop.__code__, namespace, loop.__name__)

    def run(*arguments) -> None:
        loop(*(memoryview(each) if isinstance(each, np.ndarray) else each for each in arguments))

    return run


def _tell_of_compiling() -> None:
    """From now on say that a loop is being compiled, for as long as it is."""
    from numba.core import event

    class Note(event.Listener):
        loop = bar = None  # the outermost loop in work, and the words on the screen

        def on_start(self, happening) -> None:
            loop = happening.data["dispatcher"].py_func
            if self.loop is None and loop.__module__ == __name__:
                from tqdm.auto import tqdm

                words = "Compiling a fast loop: a few seconds, this once"
                off = bool(os.environ.get("TQDM_DISABLE"))
                self.loop = loop
                self.bar = tqdm(desc=words, bar_format="{desc}", leave=False, disable=off)

        def on_end(self, happening) -> None:
            if happening.data["dispatcher"].py_func is self.loop:
                self.bar.close()
                self.loop = self.bar = None

    event.register("numba:compile", Note())
