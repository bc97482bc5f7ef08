"""Q-learning: the greedy choice, the update of the table, the rolling win rate."""

from __future__ import annotations

import math

from coinlib.arguments import counted

from .engine import exercise

# --- the greedy choice --------------------------------------------------------------------------------------------


@exercise(
    cases=[({1: -1.0},), ({1: 0.0, 2: 1.0},), ({1: 0.0, 2: 0.0, 3: 0.0},), ({1: -1.0, 2: 0.5, 3: 0.5},)]
    + [({1: -0.5, 2: -1.0, 3: -0.25},), ({1: 0.5, 2: 0.25, 3: 0.75},)]
    + [({1: 0.0, 2: -1.0, 3: 0.25, 4: 0.5, 5: 0.5, 6: 0.125},)],
    given="values {}",
    praise="for one take and many, for equals and for values below 0",
)
def greedy_take(values, *, order=1):
    """The take of largest value, and the smallest take among equals."""
    return min(values, key=lambda take: (-values[take], order * take))


greedy_take.slip("Among equals take the smallest, not the largest.", order=-1)


@greedy_take.mistake("That is a value; return the take that it belongs to.")
def largest_value(values):
    return max(values.values())


@greedy_take.mistake("All values may be below 0: begin the search with the value of a take, not with 0.")
def search_begins_with_zero(values):
    best, best_value = 0, 0.0
    for take in sorted(values):
        if values[take] > best_value:
            best, best_value = take, values[take]
    return best


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
    (4, 3, 0.25, 1),
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


def _cells(q) -> dict:
    rows = {state: row for state, row in q.items() if isinstance(row, dict)}
    return {f"q[{state}][{move}]": value for state, row in rows.items() for move, value in row.items()}


def _changes(function, q, *step) -> dict:
    """What an update has changed in the table, by name, and what it has returned beside that."""
    before = _cells(q)
    answer = function(q, *step)
    after = _cells(q)
    changes = {cell: after.get(cell, "gone") for cell in before | after if after.get(cell) != before.get(cell)}
    return changes if answer is None else changes | {"returned": answer}


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


WRONG_TARGETS = {  # target(reward, discount, row of the next state)
    "The value of the next state is missing from the target.": lambda reward, discount, row: reward,
    "The discount is not used.": lambda reward, discount, row: reward + max(row.values()),
    "The discount belongs to the next value only.": lambda reward, discount, row: discount * _target(reward, 1.0, row),
    "That takes the largest move, not the largest value.": lambda reward, discount, row: reward + discount * max(row),
}
WRONG_STEPS = {  # step(old value, target, learning rate)
    "The table is as it was: write the new value into q[state][move].": lambda old, target, rate: old,
    "That is the target; the value moves towards it by the learning rate.": lambda old, target, rate: target,
    "The old value was not taken away from the target.": lambda old, target, rate: old + rate * target,
}


def _target(reward, discount, row):
    return reward + discount * max(row.values())


def _step(old, target, rate):
    return old + rate * (target - old)


def _update(target=_target, step=_step):
    """An update with another target, or another step towards it."""

    def update(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
        row = {0: 0.0} if next_state is None else q[next_state]
        q[state][move] = step(q[state][move], target(reward, discount, row), learning_rate)

    return update


for sentence, target in WRONG_TARGETS.items():
    q_update.mistake(sentence)(_update(target=target))
for sentence, step in WRONG_STEPS.items():
    q_update.mistake(sentence)(_update(step=step))


@q_update.mistake("When the game is over there is no next state: look at None first.")
def no_look_at_the_end(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    q[state][move] += learning_rate * (reward + discount * max(q[next_state].values()) - q[state][move])


# --- the rolling win rate -------------------------------------------------------------------------------------------


@exercise(
    cases=[([True, False], 1), ([True, False], 2), ([False, True, True], 2), ([True, False], 3), ([], 2)]
    + [([False, False, True, False, True, True, True], 5), ([False, True] * 4, 4), ([True, False, False] * 40, 50)],
    given="won {}, window {}",
    praise="for windows of every length, and NaN before a full one",
    near=0.006,
)
def rolling_win_rate(won, window, *, before=(math.nan,)):
    """The share of wins in the last `window` games after each game; NaN before a full window."""
    full = [sum(won[end - window : end]) / window for end in range(window, len(won) + 1)]
    return [*before] * (len(won) - len(full)) + full


rolling_win_rate.slip("The games before a full window get NaN: one number for each game.", before=())
rolling_win_rate.slip("NaN is asked for before a full window, float('nan'); None is something else.", before=(None,))


@rolling_win_rate.mistake("Before a full window the answer is NaN: so few games are no window.")
def short_windows_counted(won, window):
    lasts = [won[max(0, end - window) : end] for end in range(1, len(won) + 1)]
    return [sum(last) / len(last) for last in lasts]


@rolling_win_rate.mistake("The window ends with the game itself: this one leaves it out.")
def without_this_game(won, window):
    return [math.nan, *rolling_win_rate.reference(won, window)][: len(won)]
