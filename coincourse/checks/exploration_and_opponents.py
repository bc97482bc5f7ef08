"""Exploration and opponents: a falling plan, a slider, who teaches best, the favourite, a band over seeds."""

import math
import random

from coinlib.arguments import counted

from .engine import exercise
from .judging import RETURNED_NONE, ROUNDED, Wrong, plain

# --- a plan that falls ----------------------------------------------------------------------------

END = 1_000  # from this game on a falling plan is 0
SHORT_OF_END = [(learnt, learnt + 1) for learnt in range(1_200)]
LATER = [*range(END + 50, 6_000, 50), *random.Random(7).sample(range(6_000, 100_000), 100)]


def _about_plan(answer, expected, earlier: int, later: int) -> str:
    """What is wrong with a plan at two moments, the earlier one asked again; "" if nothing is."""
    values = plain(answer)
    if not all(isinstance(value, int | float) and -1e-9 <= value <= 1 + 1e-9 for value in values):
        return "Expected numbers from 0 to 1."
    before, after, again = values
    if abs(again - before) > 1e-9:
        return "Asked twice about the same number it must answer the same."
    if after > before + 1e-9:
        return "It must never rise."
    if earlier == 0 and before < 0.5:
        return "Before the first game it is at least 0.5."
    if later >= END and after > 1e-9:
        return f"At game {later:,} your plan is {after:g}; it must be 0 from game {END:,} on."
    return ""


def _ask_three_times(plan, earlier: int, later: int) -> list:
    return [plan(earlier), plan(later), plan(earlier)]


@exercise(
    cases=[(0, 1), (END // 2, END), (END, 100 * END)]
    + random.Random(7).sample(SHORT_OF_END, len(SHORT_OF_END))
    + [(END, later) for later in LATER]
    + [(END, 100 * END), (0, 1)],
    given=lambda earlier, later: f"{earlier:,}, {later:,} and again {earlier:,} games learnt",
    praise="it starts high, never rises and ends at 0",
    run=_ask_three_times,
    accept=_about_plan,
)
def falling(learnt):
    """A plan of exploration: at least 0.5 before the first game, never rising, and 0 from game 1,000 on."""
    return max(0.0, 1 - learnt / 1_000)


@falling.mistake(RETURNED_NONE)
def without_return(learnt):
    return None


# --- a slider of one's own ------------------------------------------------------------------------


class Box(list):
    """Holds the two widgets, and does not show them."""


def _picture(window: int) -> bytes:
    """What stands for a picture: its window in words."""
    return f"window {window}".encode() if isinstance(window, int) else b"no picture"


def _try_slider(function, windows: list[int]) -> list[str] | None:
    """What the picture shows at first, and after each move of the slider."""
    from ipywidgets import Image, IntSlider

    box = function(_picture, Box)
    if not isinstance(box, Box):
        return None
    slider = next((part for part in box if isinstance(part, IntSlider)), None)
    image = next((part for part in box if isinstance(part, Image)), None)
    if not (slider and image):
        raise Wrong("give the box two widgets, an IntSlider and an Image: box([slider, image]).")
    if (slider.min, slider.value, slider.max) != (1, 20, 200):
        found = f"from {slider.min} to {slider.max}, and stands at {slider.value}"
        raise Wrong(f"your slider goes {found}; expected from 1 to 200, at 20.")
    shown = [bytes(image.value).decode()]
    for window in windows:
        slider.value = window
        shown.append(bytes(image.value).decode())
    return shown


def _moves_in_words(windows: list[int]) -> str:
    if not windows:
        return "a slider that nobody has moved yet"
    return f"a slider that is moved to {', then to '.join(map(str, windows))}"


@exercise(
    cases=[([],), ([50],), ([100, 20, 1],), ([200, 0, 300],), ([20, 21, 20],)],
    given=_moves_in_words,
    praise="wherever the slider is moved",
    run=_try_slider,
    made="showed",
)
def slider(picture, box):
    """A slider from 1 to 200, at first 20, and a picture that follows it, in a box."""
    from ipywidgets import Image, IntSlider

    slider = IntSlider(value=20, min=1, max=200, description="window")
    image = Image(value=picture(slider.value))

    def redraw(change):
        image.value = picture(change.new)

    slider.observe(redraw, "value")
    return box([slider, image])


@slider.mistake("The picture stays: observe the slider, and change image.value.")
def the_first_picture_stays(picture, box):
    return slider.reference(lambda window: picture(20), box)


@slider.mistake("`change.new` is a window, and not yet a picture: image.value needs picture(change.new).")
def the_window_as_a_picture(picture, box):
    return slider.reference(lambda window: picture(20) if window == 20 else window, box)


@slider.mistake("End with: return box([slider, image]).")
def no_box_returned(picture, box):
    slider.reference(picture, box)


# --- the share of perfect tables ------------------------------------------------------------------


def _try_sweep(function, runs: dict[str, list]):
    """Hand on a table as `coinlib.sweep` makes it."""
    import pandas as pd

    table = pd.DataFrame([(name, *run) for name, found in runs.items() for run in enumerate(found)])
    table.columns = ["opponent", "seed", "perfect"]
    failed = table.perfect == "failed"
    error = failed.map({True: "ValueError: no", False: ""})
    return function(table.assign(perfect=table.perfect.mask(failed).astype(float), error=error))


@exercise(
    cases=[
        ({"itself": [1, 1], "random": [1, 0]},),
        ({"itself": [1, 1, 0], "perfect": [0, 0, 0], "random": [1, 0, 0]},),
        ({"a rule": [0] * 10, "twin": [0] * 9 + [1]},),
        ({"itself": [0, 1], "random": [1, "failed"]},),
        ({"a rule": ["failed", 0, 0, 1], "random": [1, 0, 1, 0, 1, 1, 1], "twin": [1, 1] + ["failed"] * 2},),
    ],
    given="the tables {} (1 is perfect)",
    praise="for few and many seeds, also where runs have failed",
    run=_try_sweep,
    near=ROUNDED,
)
def perfect_share(table):
    """For each opponent the share of its runs with a perfect table; failed runs (NaN) do not count."""
    shares = {}
    done = table[table["error"] == ""]
    for opponent in done["opponent"].unique():
        mine = done[done["opponent"] == opponent]
        shares[opponent] = mine["perfect"].sum() / len(mine)
    return shares


@perfect_share.mistake("A failed run is no run: it counts neither as perfect nor as wrong.")
def failed_runs_counted(table):
    return table.fillna(0).groupby("opponent")["perfect"].mean().to_dict()


@perfect_share.mistake("That is how many perfect tables there are; divide it by the number of runs that did not fail.")
def number_of_perfect_tables(table):
    return table.groupby("opponent")["perfect"].sum().to_dict()


# --- the chance of the favourite ------------------------------------------------------------------


@exercise(
    cases=[(0, 3), (1, 3), (1, 2), (0.5, 2), (0.3, 2), (0.5, 1), (0.3, 3), (0.25, 5), (0.05, 2), (0.9, 40)],
    given=lambda exploration, legal: f"exploration {exploration:g} and {counted(legal, 'legal move')}",
    praise="without exploration, with nothing but exploration, and between them",
    near=ROUNDED,
)
def chance_of_best(exploration, legal):
    """How likely an exploring learner makes its favourite move."""
    not_exploring = 1 - exploration
    drawn_after_all = exploration / legal
    return not_exploring + drawn_after_all


chance_of_best.slip("Exploring draws any legal move, and the favourite is one of them.", legal=math.inf)


# --- a mean and its band --------------------------------------------------------------------------


def _curve(values: int, times: int) -> list[float]:
    """Results of runs, in no order, each so often that every usual way to cut off 2.5 % gives the same."""
    runs = [float(value * value) for value in range(values)] * times
    return random.Random(times).sample(runs, len(runs))


def _try_column(function, numbers: list[float]):
    import pandas as pd

    return function(pd.Series(numbers, name="right"))


@exercise(
    cases=[([7.0] * 30,), (_curve(20, 2),), (_curve(60, 4),), (_curve(60, 20),)],
    given=lambda numbers: f"{len(numbers):,} runs with values from {min(numbers):g} to {max(numbers):g}",
    praise="for few runs and many, also where all are equal",
    run=_try_column,
    near=ROUNDED,
)
def mean_and_band(values):
    """The mean of some runs, and the lower and upper end of the band that holds the middle 95 % of them."""
    low = values.quantile(0.025)
    high = values.quantile(0.975)
    return values.mean(), low, high


@mean_and_band.mistake("That leaves 90 %; cut off 2.5 % at each end.")
def middle_90_per_cent(values):
    return values.mean(), values.quantile(0.05), values.quantile(0.95)


@mean_and_band.mistake("That says how well the mean is known. The band says where the runs lie.")
def band_of_the_mean(values):
    width = 1.96 * values.std() / len(values) ** 0.5
    return values.mean(), values.mean() - width, values.mean() + width
