"""Q-learning: the greedy choice, the update of the table, the rolling win rate."""

from __future__ import annotations

import math

from coinlib.arguments import counted

from .engine import exercise

# --- the greedy choice --------------------------------------------------------------------------------------------


@exercise(
    cases=[
        ({1: -1.0},),
        ({1: 0.0, 2: 1.0},),
        ({1: 0.0, 2: 0.0, 3: 0.0},),
        ({1: -1.0, 2: 0.5, 3: 0.5},),
        ({1: -0.5, 2: -1.0, 3: -0.25},),
        ({1: -0.5, 2: -0.5, 3: -0.75},),
        ({1: 0.5, 2: 0.25, 3: 0.75},),
        ({1: 0.0, 2: -1.0, 3: 0.25, 4: 0.5, 5: 0.5, 6: 0.125},),
    ],
    given="values {}",
    praise="for one take and many, for equals and for values below 0",
)
def greedy_take(values):
    """The take of largest value, and the smallest take among equals."""
    return min(values, key=lambda take: (-values[take], take))


@greedy_take.mistake("That is a value; return the take that it belongs to.")
def largest_value(values):
    return max(values.values())


@greedy_take.mistake("Among equals take the smallest, not the largest.")
def largest_among_equals(values):
    return max(values, key=lambda take: (values[take], take))


@greedy_take.mistake("That is the largest take; the largest value is asked for.")
def largest_take(values):
    return max(values)


@greedy_take.mistake("That is the take of smallest value.")
def smallest_value(values):
    return min(values, key=lambda take: (values[take], take))


@greedy_take.mistake("That is a place, counted from 0. Return the take itself.")
def place_in_the_list(values):
    return sorted(values).index(greedy_take.reference(values))


@greedy_take.mistake("All values may be below 0: begin the search with the value of a take, not with 0.")
def search_begins_with_zero(values):
    best, best_value = 0, 0.0
    for take in sorted(values):
        if values[take] > best_value:
            best, best_value = take, values[take]
    return best


@greedy_take.mistake("Return one take, also where several are equal.")
def all_best_takes(values):
    return [take for take in values if values[take] == max(values.values())]


# --- the update -----------------------------------------------------------------------------------------------------

# No two ways to get a target wrong give the same number in this table; the last row is longer than three takes.
TABLE = {
    1: {1: -0.75},
    2: {1: 0.875, 2: -0.5},
    3: {1: 0.25, 2: 0.75, 3: -0.25},
    4: {1: -0.625, 2: 0.25, 3: 0.5},
    9: {1: 0.375, 2: -0.125, 3: 0.0, 4: 0.9375, 5: 0.625},
}
STEPS = [  # state, move, reward, next state
    (1, 1, -1.0, None),
    (2, 1, 1.0, None),
    (3, 1, 0.0, 1),
    (4, 1, 0.0, 2),
    (4, 3, 0.5, 1),
    (9, 5, -0.25, 4),
    (9, 2, 0.0, 9),
]
SETTINGS = [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)]  # learning rate, discount


def _step_in_words(q, state, move, reward, next_state, learning_rate, discount) -> str:
    found = "the game over" if next_state is None else f"{counted(next_state, 'stick')} found"
    return (
        f"{counted(state, 'stick')}, take {move}, reward {reward:g}, {found}, "
        f"learning rate {learning_rate:g} and discount {discount:g}"
    )


def _changes(function, q, *step) -> dict:
    """What an update has changed in the table, by name, and what it has returned beside that."""
    answer = function(q, *step)
    changes = {
        f"q[{state}][{move}]": q[state].get(move, "gone") if state in q else "gone"
        for state, row in TABLE.items()
        for move in row
        if q.get(state, {}).get(move) != row[move]
    }
    new = {f"q[{state}][{move}]": row[move] for state, row in q.items() for move in row if move not in TABLE[state]}
    return changes | new | ({} if answer is None else {"returned": answer})


@exercise(
    cases=[(TABLE, *step, *settings) for settings in SETTINGS for step in STEPS],
    given=_step_in_words,
    praise="for games that go on and games that are over, for every learning rate and discount",
    run=_changes,
    made="changed",
)
def q_update(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    """Change ``q[state][move]`` and nothing else, and return nothing; no next state means that the game is over."""
    best = 0.0 if next_state is None else max(q[next_state].values())
    q[state][move] += learning_rate * (reward + discount * best - q[state][move])


WRONG_TARGETS = {
    "The value of the next state is missing from the target.": lambda reward, discount, row: reward,
    "That backs up the average of the next values; take the best.": lambda reward, discount, row: (
        reward + discount * sum(row) / len(row)
    ),
    "That backs up the worst next value; take the best.": lambda reward, discount, row: reward + discount * min(row),
    "That adds up the next values; take the best.": lambda reward, discount, row: reward + discount * sum(row),
    "The discount is not used.": lambda reward, discount, row: reward + max(row),
    "The discount belongs to the next value only, not to the reward.": lambda reward, discount, row: (
        discount * (reward + max(row))
    ),
    "The reward is missing from the target.": lambda reward, discount, row: discount * max(row),
    "The next state is the learner's own turn again: its value is added.": lambda reward, discount, row: (
        reward - discount * max(row)
    ),
}


def _towards(target):
    def update(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
        row = [0.0] if next_state is None else list(q[next_state].values())
        q[state][move] += learning_rate * (target(reward, discount, row) - q[state][move])

    return update


for sentence, wrong_target in WRONG_TARGETS.items():
    q_update.mistake(sentence)(_towards(wrong_target))


def _target(q, reward, next_state, discount):
    return reward + discount * (0.0 if next_state is None else max(q[next_state].values()))


@q_update.mistake("That is the target; the value should move towards it by the learning rate.")
def no_learning_rate(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] = _target(q, reward, next_state, discount)


@q_update.mistake("The difference is target less old value: the old value was not taken away.")
def old_value_not_taken_away(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] += learning_rate * _target(q, reward, next_state, discount)


@q_update.mistake("The old value is gone: add learning_rate * (target - old value) to it.")
def old_value_gone(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] = learning_rate * (_target(q, reward, next_state, discount) - q[state][move])


@q_update.mistake("The value moved away from the target.")
def wrong_sign(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] -= learning_rate * (_target(q, reward, next_state, discount) - q[state][move])


@q_update.mistake("Look at the values of the next state, not of this one.")
def own_row(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] += learning_rate * (reward + discount * max(q[state].values()) - q[state][move])


@q_update.mistake("That takes the largest move, not the largest value: max(q[next_state].values()).")
def largest_move(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    best = 0.0 if next_state is None else max(q[next_state])
    q[state][move] += learning_rate * (reward + discount * best - q[state][move])


@q_update.mistake("When the game is over there is no next state: look at None first.")
def no_look_at_the_end(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] += learning_rate * (reward + discount * max(q[next_state].values()) - q[state][move])


@q_update.mistake("The number is worked out and returned; write it into the table: q[state][move] = ...")
def returned_only(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    return q[state][move] + learning_rate * (_target(q, reward, next_state, discount) - q[state][move])


@q_update.mistake("The table is right. But the update returns nothing: what it does is to change the table.")
def table_returned(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q_update.reference(q, state, move, reward, next_state, learning_rate, discount)
    return q


# --- the rolling win rate -------------------------------------------------------------------------------------------


@exercise(
    cases=[
        ([True, False], 1),
        ([True, False], 2),
        ([False, True, True], 2),
        ([True, False], 3),
        ([], 2),
        ([False, False, True, False, True, True, True], 5),
        ([True] * 6, 5),
        ([False, True] * 4, 4),
        ([True, False, False] * 40, 50),
    ],
    given="won {}, window {}",
    praise="for windows of every length, and NaN before a full one",
    near=0.006,
)
def rolling_win_rate(won, window):
    """The share of wins in the last `window` games after each game; NaN before a full window."""
    full = [sum(won[end - window : end]) / window for end in range(window, len(won) + 1)]
    return [math.nan] * (len(won) - len(full)) + full


@rolling_win_rate.mistake("The games before a full window get NaN: one number for each game.")
def full_windows_only(won, window):
    return [sum(won[end - window : end]) / window for end in range(window, len(won) + 1)]


@rolling_win_rate.mistake("Before a full window the answer is NaN: so few games are no window.")
def short_windows_counted(won, window):
    lasts = [won[max(0, end - window) : end] for end in range(1, len(won) + 1)]
    return [sum(last) / len(last) for last in lasts]


@rolling_win_rate.mistake("Before a full window the answer is NaN, not a share that has begun to grow.")
def divided_by_the_window_too_early(won, window):
    return [sum(won[max(0, end - window) : end]) / window for end in range(1, len(won) + 1)]


@rolling_win_rate.mistake("NaN is asked for before a full window, float('nan'); None is something else.")
def none_for_nan(won, window):
    return [None if math.isnan(rate) else rate for rate in rolling_win_rate.reference(won, window)]


@rolling_win_rate.mistake("NaN is a number, float('nan'); this is a text.")
def word_for_nan(won, window):
    return ["nan" if math.isnan(rate) else rate for rate in rolling_win_rate.reference(won, window)]


@rolling_win_rate.mistake("NaN is asked for before a full window: 0 would say that all games were lost.")
def zero_for_nan(won, window):
    return [0.0 if math.isnan(rate) else rate for rate in rolling_win_rate.reference(won, window)]


@rolling_win_rate.mistake("That counts the wins; a share is the wins divided by the window.")
def wins_counted(won, window):
    return [rate * window for rate in rolling_win_rate.reference(won, window)]


@rolling_win_rate.mistake("A share lies between 0 and 1; this is in per cent.")
def per_cent(won, window):
    return [100 * rate for rate in rolling_win_rate.reference(won, window)]


@rolling_win_rate.mistake("The window is full one game earlier: after game `window` it holds that many games.")
def full_one_game_late(won, window):
    rates = rolling_win_rate.reference(won, window)
    return [math.nan if end == window else rate for end, rate in enumerate(rates, 1)]


@rolling_win_rate.mistake("The window ends with the game itself: this one leaves it out.")
def without_this_game(won, window):
    return [math.nan, *rolling_win_rate.reference(won, window)][: len(won)]


@rolling_win_rate.mistake("These are the first games up to now; only the last `window` of them count.")
def all_games_so_far(won, window):
    return [math.nan if end < window else sum(won[:end]) / end for end in range(1, len(won) + 1)]
