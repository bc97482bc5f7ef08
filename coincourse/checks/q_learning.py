"""Q-learning: the greedy choice, the update of the table, one value that it follows, the rolling win rate."""

import math
from itertools import product

from .engine import exercise
from .judging import ROUNDED, changes, shown

# --- the greedy choice ----------------------------------------------------------------------------

SHORT_ROWS = [row for takes in (2, 3, 4) for row in product((-1.0, -0.25, 0.5), repeat=takes)]
LONG_ROWS = [(0.0, -1.0, 0.25, 0.5, 0.5, 0.125), (0.75, 0.25, 0.5, 0.5, 0.625)]
LONG_ROWS += [(0.125, 0.25, 0.375, 0.5, -1.0, 0.625)]
LONG_ROWS += [(-0.5, -0.75, -0.12, -0.25, -0.11, -0.375, -1.0), (0.51, 0.52)]


@exercise(
    cases=[({1: -1.0},), ({1: 0.0, 2: 1.0},), ({1: 0.0, 2: 0.0, 3: 0.0},), ({1: -1.0, 2: 0.5, 3: 0.5},)]
    + [({1: -0.5, 2: -1.0, 3: -0.25},), ({1: 0.5, 2: 0.25, 3: 0.75},)]
    + [(dict(enumerate(row, 1)),) for row in [*SHORT_ROWS, *LONG_ROWS]],
    given="values {}",
    praise="for one take and many, for equals and for values below 0",
)
def greedy_take(values):
    """The take of largest value, and the smallest take among equals."""
    best = 1
    for take in values:
        if values[take] > values[best]:
            best = take
    return best


@greedy_take.mistake("Compare each take with the best one so far, and not with the take before it.")
def better_than_the_one_before(values):
    best = 1
    for take in values:
        if take > 1 and values[take] > values[take - 1]:
            best = take
    return best


@greedy_take.mistake("That is the largest *take*: `max` of a dictionary looks at its keys. Compare the values.")
def largest_key(values):
    return max(values)


@greedy_take.mistake("Among equal values you keep the last one; the smallest take was asked for.")
def last_among_equals(values):
    best = 1
    for take in values:
        if values[take] >= values[best]:
            best = take
    return best


# --- the update -----------------------------------------------------------------------------------

# No two ways to get a target wrong give the same number in this table. Its last row has five takes.
TABLE = {
    1: {1: -0.75},
    2: {1: 0.875, 2: -0.5},
    3: {1: 0.25, 2: 0.75, 3: -0.25},
    4: {1: -0.625, 2: 0.25, 3: 0.5},
    9: {1: 0.375, 2: -0.125, 3: 0.0, 4: 0.9375, 5: 0.625},
}
OVER = {0: 0.0}  # stands for the row of the next state where there is none
# State, move, reward, next state
STEPS = [(1, 1, -1.0, None), (2, 1, 1.0, None), (3, 1, 0.0, 1), (4, 1, 0.0, 2)]
STEPS += [(4, 3, 0.25, 1), (9, 5, -0.25, 4), (9, 2, 0.0, 9)]
# Learning rate, discount
SETTINGS = [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)]


def _step_in_words(q, state, move, reward, next_state, learning_rate, discount) -> str:
    """One step, with what is needed to work it out by hand: the old value, and the row of the next state."""
    step = f"state {state}, move {move}, reward {reward}, next state {next_state}"
    table = f"q[{state}][{move}] = {q[state][move]}"
    if next_state is not None:
        table += f" and q[{next_state}] = {shown(q[next_state])}"
    return f"{step}, learning rate {learning_rate} and discount {discount}, with {table},"


@exercise(
    cases=[(TABLE, *step, *settings) for settings in SETTINGS for step in STEPS],
    given=_step_in_words,
    praise="for games that go on and games that are over, for every learning rate and discount",
    run=changes,
    made="changed",
)
def q_update(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    """Change ``q[state][move]`` and nothing else; without a next state the game is over."""
    target = reward
    if next_state is not None:
        target += discount * max(q[next_state].values())
    q[state][move] += learning_rate * (target - q[state][move])


q_update.slip("The table is as it was: write the new value into q[state][move].", learning_rate=0.0)
q_update.slip("The discount is not used.", discount=1.0)
q_update.slip("That is the target; the value moves towards it by the learning rate.", learning_rate=1.0)


@q_update.mistake("The new value is returned, but the table is as it was: write it into q[state][move].")
def returned_and_not_written(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER).values())
    return q[state][move] + learning_rate * (target - q[state][move])


@q_update.mistake("The old value was not taken away from the target.")
def old_value_not_taken_away(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER).values())
    q[state][move] += learning_rate * target


@q_update.mistake("That is the average of the next row. There the learner chooses itself: take the best.")
def average_of_the_next_row(q, state, move, reward, next_state, learning_rate, discount):
    next_row = q.get(next_state, OVER)
    target = reward + discount * sum(next_row.values()) / len(next_row)
    q[state][move] += learning_rate * (target - q[state][move])


@q_update.mistake("That is the largest *take* of the next row; its values are q[next_state].values().")
def largest_take_of_the_next_row(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER))
    q[state][move] += learning_rate * (target - q[state][move])


# --- one value, followed --------------------------------------------------------------------------


@exercise(
    cases=[([1, -1], 0.5), ([1, -1, 1], 1.0), ([-1, -1, 1], 0.5), ([1, 1, -1, 1], 0.25), ([], 0.5), ([1], 0.0)]
    + [([1, 1, -1] * 20, 0.1)],
    given="results {} and learning rate {}",
    praise="for every learning rate, with a value after each result",
    near=ROUNDED,
)
def follow(results, learning_rate):
    """The value of a move after each result: it starts at 0 and moves towards the result."""
    value = 0.0
    history = []
    for result in results:
        value += learning_rate * (result - value)
        history.append(value)
    return history


@follow.mistake("That is the last value only; a value after *each* result was asked for: collect them in a list.")
def last_value_only(results, learning_rate):
    return [0.0, *follow.reference(results, learning_rate)][-1]


@follow.mistake("The list begins with 0: it holds the value *after* each result, so its length is that of `results`.")
def begins_with_zero(results, learning_rate):
    return [0.0, *follow.reference(results, learning_rate)]


@follow.mistake("The old value was not taken away: the value moves by rate × (result − value).")
def old_value_is_left_in(results, learning_rate):
    value = 0.0
    history = []
    for result in results:
        value += learning_rate * result
        history.append(value)
    return history


# --- the rolling win rate -------------------------------------------------------------------------


@exercise(
    cases=[([True, False], 1), ([True, False], 2), ([False, True, True], 2), ([True, False], 3), ([], 2)]
    + [([False, False, True, False, True, True, True], 5), ([False, True] * 4, 4)]
    + [([True, False, False] * 40, 50)],
    given="won {}, window {}",
    praise="for windows of every length, and NaN before a full one",
    near=ROUNDED,
)
def rolling_win_rate(won, window):
    """The share of wins in the last `window` games after each game; NaN before a full window."""
    rates = []
    for played in range(1, len(won) + 1):
        if played < window:
            rates.append(float("nan"))
        else:
            rates.append(sum(won[played - window : played]) / window)
    return rates


@rolling_win_rate.mistake("The window ends with the game itself: this one leaves it out.")
def without_this_game(won, window):
    return [math.nan, *rolling_win_rate.reference(won, window)][: len(won)]
