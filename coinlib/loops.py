"""The rules for choosing and learning, one state at a time, and the few hot loops that call them.

Each rule is written once, in plain Python over arrays, and `compiling` runs it at two speeds. Three things are written
twice, once here and once for a single match or state: the forfeit rule (`match.Match.make`), the Q-learning target
(`learners.QLearner.learn`) and the best move (`solvers.minimax`). The results agree to the last bit, because both
versions draw the same numbers from the same generators; tests compare them. Rules and loops share one file on
purpose: Numba's cache on disk notices a change in this file, but not in another.
"""

from typing import NamedTuple

import numpy as np

from coinlib.compiling import compiled, rule

# --- the rules -------------------------------------------------------------------------------------------
# `values` is a table of states by moves, `row` the state in question, `chance` a number in [0, 1).


@rule
def draw(balls, row, chance):
    """Draw a ball and return its move, or -1 if the hat is empty; every ball is equally likely."""
    total = 0.0
    for move in range(balls.shape[1]):
        total += balls[row, move]
    place = chance * total
    for move in range(balls.shape[1]):
        if place < balls[row, move]:
            return move
        place -= balls[row, move]
    return -1


@rule
def settle(balls, row, move, outcome):
    """Put the ball back, with one more after a win; after a loss, throw it away unless it is the last."""
    more = int(outcome > 0) - int(outcome < 0)
    balls[row, move] = max(1.0, balls[row, move] + more)


@rule
def greedy(values, row):
    """The move with the largest value, the first if there is a tie."""
    best = 0
    for move in range(1, values.shape[1]):
        if values[row, move] > values[row, best]:
            best = move
    return best


@rule
def explore(values, row, best, exploration, chance):
    """The best move or, with probability `exploration`, any allowed move (its value is not minus infinity)."""
    if chance >= exploration:
        return best
    allowed = 0
    for move in range(values.shape[1]):
        allowed += values[row, move] > -np.inf
    left = int(chance / exploration * allowed)
    for move in range(values.shape[1]):
        if values[row, move] > -np.inf:
            if left == 0:
                return move
            left -= 1
    return best


@rule
def back_up(values, row, move, rate, target):
    """Move one value towards its target by the learning rate."""
    values[row, move] += rate * (target - values[row, move])


@rule
def toss(generator):
    """A random number in [0, 1)."""
    return generator.random()  # a separate function, so Numba needs no reference counting in the loop


# --- many games -----------------------------------------------------------------------------------------

# How a seat plays and learns.
WEIGHTS = 0  # draws a move by its weight, and does not learn
HATS = 1  # draws a move by its weight, and settles every ball at the end
Q_LEARNING = 2  # makes the move with the largest value, or explores, and backs up values


class Rules(NamedTuple):
    """A game as the loop sees it: the arrays of a `tables.Table`."""

    next_state: np.ndarray
    reward: np.ndarray
    result: np.ndarray
    over: np.ndarray


class Players(NamedTuple):
    """The players in the two seats over G games; in self-play both seats have the same arrays.

    Attributes
    ----------
    values : two float64 arrays, shape (S, M), changed where a player learns
        The table of each player: weights for drawing a move (balls in hats; 0 for moves that are never
        played), or values, the largest of which is chosen (minus infinity for moves that are never played). An
        illegal move forfeits the game.
    visits : two int64 arrays, shape (S,), changed
        How often each player made a move in each state.
    way : int64 array, shape (2,)
        How each seat plays and learns: `WEIGHTS`, `HATS` or `Q_LEARNING`.
    exploration, rate : float64 array, shape (2, G)
        The exploration rate and the learning rate in each game.
    discount : float64 array, shape (2,)
    """

    values: tuple[np.ndarray, np.ndarray]
    visits: tuple[np.ndarray, np.ndarray]
    way: np.ndarray
    exploration: np.ndarray
    rate: np.ndarray
    discount: np.ndarray


@compiled
def play_games(rules, players, generators, first, outcome, forfeit, illegal_move):
    """Play many games between two seats, 0 and 1; learners learn from each game as it ends.

    In a match a seat learns at its next turn; here it learns at the end of the game. That makes no difference:
    no state occurs twice in a game, so nothing that it looks up has changed in between.

    Parameters
    ----------
    rules : Rules
    players : Players
    generators : tuple of two numpy.random.Generator
        The random generator of each seat; the same one twice if one player sits in both.
    first : int8 array, shape (G,)
        The seat that moves first.
    outcome : int8 array, shape (G,), written
        +1, 0 or -1 for seat 0.
    forfeit : int8 array, shape (G,), written
        The outcome if an illegal move ended the game, otherwise 0.
    illegal_move : int64 array, shape (2,), written
        State and move of the first illegal move; -1, -1 until there is one.
    """
    next_state, reward, result, over = rules
    values, visits, way, exploration, rate, discount = players
    generator_0, generator_1 = generators
    # The turns of one game; no state occurs twice, so there are no more turns than states.
    states = np.zeros(len(over) + 1, dtype=np.int64)
    moves = np.zeros(len(over) + 1, dtype=np.int64)
    points = np.zeros(len(over) + 1)
    largest = np.zeros(len(over) + 1)  # the largest value of the state for the player to move
    for game in range(len(first)):
        state = 0
        turn = 0
        illegal = False
        seat = int(first[game])  # the player to move
        lead = 0.0  # of that seat, in points
        while not (over[state] or illegal):
            chance = toss(generator_0) if seat == 0 else toss(generator_1)
            if way[seat] == Q_LEARNING:
                best = greedy(values[seat], state)
                largest[turn] = values[seat][state, best]
                move = explore(values[seat], state, best, exploration[seat, game], chance)
            else:
                move = draw(values[seat], state, chance)
            visits[seat][state] += 1
            following = next_state[state, move]
            illegal = following < 0
            states[turn] = state
            moves[turn] = move
            points[turn] = 0.0 if illegal else reward[state, move]
            lead = -lead - points[turn]
            if not illegal:
                state = following
            turn += 1
            seat = 1 - seat
        points[turn] = 0.0  # There is no reply to the last move.
        # An illegal move loses by one point, whatever the score was: the same rule as in `match.Match.make`, with
        # the opposite sign, because here `seat` is already the other player.
        last_word = 1.0 - lead if illegal else result[state]
        final = lead + last_word
        won = int(final > 0.0) - int(final < 0.0)  # for the player who would move next
        outcome[game] = won if seat == 0 else -won
        forfeit[game] = outcome[game] if illegal else 0
        if illegal and illegal_move[0] < 0:
            illegal_move[0] = state
            illegal_move[1] = moves[turn - 1]
        for seat in range(2):
            if way[seat] == WEIGHTS:
                continue
            opening = int(seat != first[game])  # its first turn; every second turn from then on is its own
            side = 1 if opening == turn % 2 else -1  # 1 for the player who would move next
            for own in range(opening, turn, 2):
                if way[seat] == HATS:
                    settle(values[seat], states[own], moves[own], side * won)
                else:  # the target of `learners.QLearner.learn`
                    worth = discount[seat] * largest[own + 2] if own + 2 < turn else side * last_word
                    target = points[own] - points[own + 1] + worth
                    back_up(values[seat], states[own], moves[own], rate[seat, game], target)


# --- exact solvers --------------------------------------------------------------------------------------


@compiled
def value_states(next_state, reward, result, over, value):
    """Fill `value`, shape (S,), from the end backwards: the best of reward - value(next) for the player to move."""
    for state in range(len(over) - 1, -1, -1):
        best = result[state] if over[state] else -np.inf
        for move in range(next_state.shape[1]):
            following = next_state[state, move]
            if following >= 0:
                best = max(best, reward[state, move] - value[following])
        value[state] = best


@compiled
def mark_wins(rows, most, wins, misere):
    """Fill `wins`, the states in which the player to move wins, when a move takes 1...most coins from one row.

    The states are visited backwards from the end of the game. A state that is not marked yet is lost, and every
    state from which a move leads to it is then marked as won.

    Parameters
    ----------
    rows : int64 array, shape (R,)
    most : int
        The most coins that one move may take.
    wins : bool array, shape (product of rows + 1,), all False, written
        In the order of `numpy.ravel`: the last row changes fastest.
    misere : bool
    """
    wins[0] = misere  # nothing left: the other player took the last coin
    for state in range(len(wins)):
        if wins[state]:
            continue
        # the part of the index not decoded yet, and the step to the state with one more coin in this row
        above, stride = state, 1
        for size in rows[::-1]:
            above, count = divmod(above, size + 1)
            before = state
            for _ in range(min(most, size - count)):
                before += stride
                wins[before] = True
            stride *= size + 1


@compiled
def value_rows(amounts, values, seen):
    """Fill `values`, shape (N,): the Grundy values of rows of 0...N - 1 coins; a move takes one of `amounts`.

    `seen` is scratch space, with one entry for each value, filled with -1: the count at which a value was last
    seen.
    """
    for count in range(len(values)):
        for amount in amounts:
            if amount <= count:
                seen[values[count - amount]] = count
        value = 0
        while seen[value] == count:
            value += 1
        values[count] = value


@compiled
def value_splits(values, common, rare, seen):
    """Fill `values`, shape (N,): the Grundy values of heaps when a move splits a heap into two unequal ones.

    Parameters
    ----------
    values : uint32 array, shape (N,), all 0, written
    common : bool array, shape (V,)
        Which numbers are common: the nim-sum of two common numbers is not common, nor is that of two others.
    rare : uint32 array, shape (N,)
        Scratch space for the heaps with other values.
    seen : uint32 array, shape (V,), all 0
        Scratch space: the heap for which a number was last seen as a nim-sum of two parts.
    """
    rare_count = 0
    for heap in range(1, len(values)):
        for place in range(rare_count):  # all pairs that can make a common number
            part = rare[place]
            if part != heap - part:
                seen[values[part] ^ values[heap - part]] = heap
        value = 0
        part = 1
        while True:
            if seen[value] == heap:
                value += 1
            elif common[value] or part >= heap - part:
                break
            else:  # a rare number is still missing: look at one more pair
                seen[values[part] ^ values[heap - part]] = heap
                part += 1
        values[heap] = value
        if not common[value]:
            rare[rare_count] = heap
            rare_count += 1


@compiled
def greedy_tables(coins, margin, alice, moves, left, right, both):
    """Fill the tables of greedy coins, shape (n, n), for every run of coins i...j with i <= j.

    S[i, j] = max(c_i - S[i+1, j], c_j - S[i, j-1]) is the margin of the player to move; Alice's own
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
        left_coin = coins[i]
        before = left_coin  # S[i, j - 1]
        total = left_coin
        margin[i, i] = left_coin
        moves[i, i] = both
        alice[i, i] = left_coin if size % 2 == 1 else 0
        for j in range(i + 1, size):
            total += coins[j]
            by_left, by_right = left_coin - margin[i + 1, j], coins[j] - before
            not_left = right if by_right > by_left else both
            moves[i, j] = left if by_left > by_right else not_left
            margin[i, j] = before = max(by_left, by_right)
            # Alice moves if an even number of coins is gone.
            gone = size - 1 - j + i
            alice[i, j] = (total + before) // 2 if gone % 2 == 0 else (total - before) // 2


@compiled
def fuse_peaks(coins, stack):
    """Fuse the peaks of a row of greedy coins until none is left; return how many coins are then in `stack`.

    Neighbours a <= b >= c are replaced by one coin a - b + c, because the player who takes a or c gives b to the
    other. `stack` has shape (n,).
    """
    top = 0
    for coin in coins:
        while top > 1 and stack[top - 2] <= stack[top - 1] and stack[top - 1] >= coin:
            coin += stack[top - 2] - stack[top - 1]
            top -= 2
        stack[top] = coin
        top += 1
    return top
