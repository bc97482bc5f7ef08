"""Q-learning: the greedy choice, the update of the table, the rolling win rate."""

import math

from .engine import changes, exercise

# --- the greedy choice --------------------------------------------------------------------------------------------


@exercise(
    cases=[({1: -1.0},), ({1: 0.0, 2: 1.0},), ({1: 0.0, 2: 0.0, 3: 0.0},), ({1: -1.0, 2: 0.5, 3: 0.5},)]
    + [({1: -0.5, 2: -1.0, 3: -0.25},), ({1: 0.5, 2: 0.25, 3: 0.75},)]
    + [({1: 0.0, 2: -1.0, 3: 0.25, 4: 0.5, 5: 0.5, 6: 0.125},)],
    given="values {}",
    praise="for one take and many, for equals and for values below 0",
)
def greedy_take(values):
    """The take of largest value, and the smallest take among equals."""
    return min(values, key=lambda take: (-values[take], take))


@greedy_take.mistake("That is a value; return the take that it belongs to.")
def largest_value(values):
    return max(values.values())


# --- the update -----------------------------------------------------------------------------------------------------

# No two ways to get a target wrong give the same number in this table; the last row is longer than three takes.
TABLE = {
    1: {1: -0.75},
    2: {1: 0.875, 2: -0.5},
    3: {1: 0.25, 2: 0.75, 3: -0.25},
    4: {1: -0.625, 2: 0.25, 3: 0.5},
    9: {1: 0.375, 2: -0.125, 3: 0.0, 4: 0.9375, 5: 0.625},
}
# State, move, reward, next state
STEPS = [(1, 1, -1.0, None), (2, 1, 1.0, None), (3, 1, 0.0, 1), (4, 1, 0.0, 2)]
STEPS += [(4, 3, 0.25, 1), (9, 5, -0.25, 4), (9, 2, 0.0, 9)]
# Learning rate, discount
SETTINGS = [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)]


@exercise(
    cases=[(TABLE, *step, *settings) for settings in SETTINGS for step in STEPS],
    given="state {1}, move {2}, reward {3}, next state {4}, learning rate {5} and discount {6}",
    praise="for games that go on and games that are over, for every learning rate and discount",
    run=changes,
    made="changed",
)
def q_update(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0, *, taken_away=1):
    """Change ``q[state][move]`` and nothing else, and return nothing; no next state means that the game is over."""
    best = 0.0 if next_state is None else max(q[next_state].values())
    q[state][move] += learning_rate * (reward + discount * best - taken_away * q[state][move])


q_update.slip("The table is as it was: write the new value into q[state][move].", learning_rate=0.0)
q_update.slip("The discount is not used.", discount=1.0)
q_update.slip("That is the target; the value moves towards it by the learning rate.", learning_rate=1.0)
q_update.slip("The value of the next state is missing from the target.", next_state=None)


q_update.slip("The old value was not taken away from the target.", taken_away=0)


@q_update.mistake("After the last move there is no next state: look at None first.")
def no_look_at_the_end(q, state, move, reward, next_state, *settings):
    max(q[next_state].values())
    q_update.reference(q, state, move, reward, next_state, *settings)


# --- the rolling win rate -------------------------------------------------------------------------------------------


@exercise(
    cases=[([True, False], 1), ([True, False], 2), ([False, True, True], 2), ([True, False], 3), ([], 2)]
    + [([False, False, True, False, True, True, True], 5), ([False, True] * 4, 4), ([True, False, False] * 40, 50)],
    given="won {}, window {}",
    praise="for windows of every length, and NaN before a full one",
    share=True,
)
def rolling_win_rate(won, window, *, before=math.nan):
    """The share of wins in the last `window` games after each game; NaN before a full window."""
    full = [sum(won[end - window : end]) / window for end in range(window, len(won) + 1)]
    return [before] * (len(won) - len(full)) + full


rolling_win_rate.slip("Before a full window stands NaN, float('nan'); None is something else.", before=None)


@rolling_win_rate.mistake("Before a full window the answer is NaN: so few games are no window.")
def short_windows_counted(won, window):
    lasts = [won[max(0, end - window) : end] for end in range(1, len(won) + 1)]
    return [sum(last) / len(last) for last in lasts]


@rolling_win_rate.mistake("The window ends with the game itself: this one leaves it out.")
def without_this_game(won, window):
    return [math.nan, *rolling_win_rate.reference(won, window)][: len(won)]
