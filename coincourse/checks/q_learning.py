"""Q-learning: the greedy choice, the update of the table, a slider over one value, the rolling win rate."""

import math
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace

from .engine import exercise
from .judging import CHANGES, ROUNDED, Wrong
from .values import Equality, shown

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
    better = [take for take in values if take > 1 and values[take] > values[take - 1]]
    return max(better, default=1)


@greedy_take.mistake(
    "That is the largest *take*: `max` and `for` go through the keys of a dictionary. Compare `values[take]`."
)
def largest_key(values):
    return max(values)


@greedy_take.mistake("That is the value; return the take that has it.")
def largest_value(values):
    return max(values.values())


BELOW_0 = "All values can be below 0: begin with the first value, not with 0."
for take in (0, 1, None):
    greedy_take.mistake(BELOW_0)(
        lambda values, take=take: greedy_take.reference(values) if max(values.values()) > 0 else take
    )
greedy_take.mistake("There is no take 0: begin with the first take, 1.")(lambda values: values[0])


@greedy_take.mistake("The places of a list are counted from 0, and takes from 1.")
def place_in_a_list(values):
    return greedy_take.reference(values) - 1


@greedy_take.mistake("Among equal values you keep the last one; the smallest take was asked for.")
def last_among_equals(values):
    return max(values, key=lambda take: (values[take], take))


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
    **CHANGES,
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


@q_update.mistake("If next_state is None the game is over: there is no next row, and the target is the reward alone.")
def next_row_of_none(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q[next_state].values())
    q[state][move] += learning_rate * (target - q[state][move])


@q_update.mistake("Nothing is learnt when the game is over: if next_state is None, the target is the reward alone.")
def nothing_at_the_end(q, state, move, reward, next_state, learning_rate, discount):
    if next_state is not None:
        q_update.reference(q, state, move, reward, next_state, learning_rate, discount)


@q_update.mistake("The old value is lost: it moves towards the target, by the learning rate.")
def old_value_lost(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER).values())
    q[state][move] = learning_rate * target


@q_update.mistake("That is the change alone: add it to the old value, with `+=`.")
def change_alone(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER).values())
    q[state][move] = learning_rate * (target - q[state][move])


@q_update.mistake(
    "In the next state the learner need not make the same move again: take the best value, max(q[next_state].values())."
)
def same_move_again(q, state, move, reward, next_state, learning_rate, discount):
    target = reward
    if next_state is not None:
        target += discount * q[next_state][move]
    q[state][move] += learning_rate * (target - q[state][move])


@q_update.mistake("The value moves away from the target: add, do not subtract.")
def away_from_the_target(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER).values())
    q[state][move] -= learning_rate * (target - q[state][move])


def wrong_future(sentence: str, worth: Callable) -> None:
    """Add a mistake about the next row: `worth(row)` counts, not its best value."""

    @q_update.mistake(sentence)
    def updated(q, state, move, reward, next_state, learning_rate, discount):
        target = reward + discount * worth(q.get(next_state, OVER))
        q[state][move] += learning_rate * (target - q[state][move])


AVERAGE = "That is the average of the next row. There the learner itself chooses: take the best."
SMALLEST = "That is the smallest value of the next row. There the learner itself chooses: take the best."
wrong_future("The next state counts too: add discount × its best value to the reward.", lambda row: 0)
wrong_future(SMALLEST, lambda row: min(row.values()))
wrong_future(AVERAGE, lambda row: sum(row.values()) / len(row))
wrong_future(BELOW_0, lambda row: max(0, *row.values()))
wrong_future("That is the largest *take* of the next row; its values are q[next_state].values().", max)
wrong_future("`greedy_take` returns a take: its value is q[next_state][take].", lambda row: max(row, key=row.get))


@q_update.mistake("The old value was not taken away from the target.")
def old_value_not_taken_away(q, state, move, reward, next_state, learning_rate, discount):
    target = reward + discount * max(q.get(next_state, OVER).values())
    q[state][move] += learning_rate * target


# --- one value, followed by a slider --------------------------------------------------------------


def follow(results, learning_rate):
    """The value of a move after each result: it starts at 0 and moves towards the result."""
    value = 0.0
    history = []
    for result in results:
        value += learning_rate * (result - value)
        history.append(value)
    return history


class OurSlider:
    """What the course's own answer returns: its control and its figure are named as those of `sliders`.

    Parameters
    ----------
    results : list of int
    rate : float, optional
        The learning rate of a curve that does not follow the slider.
    """

    error = ""

    def __init__(self, results, rate=None) -> None:
        self.results = results
        self.rate = rate
        self.controls = {"learning_rate": SimpleNamespace(min=0.0, max=1.0, value=0.5)}

    @property
    def figure(self):
        from matplotlib.figure import Figure

        rate = self.controls["learning_rate"].value if self.rate is None else self.rate
        figure = Figure()
        figure.subplots().plot(follow(self.results, rate))
        return figure


def _curves_at(function, results, rates) -> list:
    """The heights of everything drawn, after each move of the slider."""
    box = function(results)
    if not hasattr(box, "controls"):
        raise Wrong("return what `sliders` gives you: `return sliders(curve, learning_rate=(0.0, 1.0, 0.01))`.")
    slider = box.controls.get("learning_rate")
    if not hasattr(slider, "min"):
        raise Wrong("give `learning_rate` a slider: `sliders(curve, learning_rate=(0.0, 1.0, 0.01))`.")
    if isinstance(slider.value, int):
        raise Wrong(
            "whole numbers make a slider for whole numbers, and here there are only two: write `(0.0, 1.0, 0.01)`."
        )
    if (slider.min, slider.max) != (0, 1):
        raise Wrong(f"your slider goes from {slider.min:g} to {slider.max:g}; expected from 0 to 1.")
    curves = []
    for rate in rates:
        slider.value = rate
        if box.error:
            raise Wrong(f"at learning rate {rate} the function under your slider raised {box.error}")
        if box.figure is None:
            raise Wrong("the function under your slider draws nothing: call `plt.plot` in it.")
        curves.append(_heights(box.figure))
    return curves


def _heights(figure) -> list[list[float]]:
    """The heights of each line, set of points and set of bars in a figure."""
    heights = []
    for ax in figure.axes:
        heights += [[float(y) for y in line.get_ydata()] for line in ax.lines]
        heights += [[float(y) for _, y in points.get_offsets()] for points in ax.collections]
        heights += [[float(bar.get_height()) for bar in bars] for bars in ax.containers]
    return heights


def _moves_in_words(results, rates) -> str:
    return f"results {results} and your slider at {', then '.join(map(str, rates))},"


def _curves_in_words(drawn) -> str:
    """The curves at the last position of the slider."""
    return " and ".join(map(shown, drawn[-1])) or "no curve"


def _about_curves(drawn, expected, results, rates) -> str:
    """What is wrong with the curves; "" if nothing is. A curve may begin with the 0 before the first game."""
    for rate, curves, (values,) in zip(rates, drawn, expected):
        rights = (values, [0.0, *values])
        if not any(Equality(ROUNDED).alike(curve, right) for curve in curves for right in rights):
            return f"At learning rate {rate} a curve must show {shown(values)}."
    return ""


@exercise(
    cases=[([1, 1, -1], [0.5]), ([1, 1, -1], [0.5, 1.0]), ([-1, 1, 1, 1], [0.1, 0.9, 0.0])],
    given=_moves_in_words,
    praise="wherever the slider is moved",
    run=_curves_at,
    accept=_about_curves,
    answer_in_words=_curves_in_words,
    made="drew",
)
def my_slider(results):
    """A slider for the learning rate, from 0 to 1, over a function that draws `follow(results, learning_rate)`."""
    return OurSlider(results)


@my_slider.mistake("The curve does not follow the slider: use `learning_rate` in the function that draws.")
def the_curve_stays(results):
    return OurSlider(results, rate=0.5)


@my_slider.mistake("Those are the results themselves: draw what your `follow` returns.")
def the_results_themselves(results):
    return OurSlider(results, rate=1.0)


# --- the rolling win rate -------------------------------------------------------------------------


@exercise(
    cases=[([True, False], 1), ([True, False], 2), ([False, True, True], 2), ([True, False], 3), ([], 2)]
    + [([False, False, True, False, True, True, True], 5), ([False, True] * 4, 4)]
    + [([True, False, False] * 40, 50)],
    given="won={}, window={}",
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


LEAVES_IT_OUT = "The window ends with the game itself: this one leaves it out."
rolling_win_rate.mistake("Return a number for each game: `float('nan')` before a full window.")(
    lambda won, window: rolling_win_rate.reference(won, window)[window - 1 :]
)


@rolling_win_rate.mistake(LEAVES_IT_OUT)
def one_game_too_early(won, window):
    return [sum(won[i - window : i]) / window if i >= window - 1 else math.nan for i in range(len(won))]


@rolling_win_rate.mistake(LEAVES_IT_OUT)
def without_this_game(won, window):
    return [math.nan, *rolling_win_rate.reference(won, window)][: len(won)]
