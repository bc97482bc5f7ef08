"""Exploration and opponents: a falling plan, a slider, who teaches best, the explorer's favourite, a band over seeds."""

import math
import random

from coinlib.arguments import counted

from .engine import ROUNDED, Wrong, exercise, plain

# --- the chance of the favourite ------------------------------------------------------------------------------------


@exercise(
    cases=[(0.0, 3), (1.0, 3), (1.0, 2), (0.5, 2), (0.3, 2), (0.5, 1), (0.3, 3), (0.25, 5), (0.05, 2), (0.9, 40)],
    given=lambda exploration, legal: f"exploration {exploration:g} and {counted(legal, 'legal move')}",
    praise="without exploration, with nothing but exploration, and between them",
    share=True,
)
def chance_of_best(exploration, legal):
    """How likely an exploring learner makes its favourite move."""
    return 1 - exploration + exploration / legal


chance_of_best.slip("Exploring draws any legal move, and the favourite is one of them.", legal=math.inf)


@chance_of_best.mistake("Add the other way to the favourite: not exploring at all.")
def only_when_exploring(exploration, legal):
    return exploration / legal


# --- a plan that falls ----------------------------------------------------------------------------------------------

END = 1_000  # from this game on a falling plan is 0
EVERY_GAME = random.Random(7).sample([(learnt, learnt + 1) for learnt in range(1_200)], 1_200)


def _about_plan(answer, expected, earlier: int, later: int) -> str:
    """What is wrong with what a plan gives for two moments, and for the earlier one again; "" if nothing is."""
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
        return f"From game {END:,} on it is 0."
    return ""


@exercise(
    cases=[(0, 1), (END // 2, END), (END, 100 * END), *EVERY_GAME, (END, 100 * END), (0, 1)],
    given=lambda earlier, later: f"{earlier:,}, {later:,} and again {earlier:,} games learnt",
    praise="it starts high, never rises and ends at 0",
    run=lambda function, earlier, later: [function(earlier), function(later), function(earlier)],
    accept=_about_plan,
)
def falling(learnt, *, lowest=0.0):
    """A plan of exploration: at least 0.5 before the first game, never rising, and 0 from game 1,000 on."""
    return max(lowest, 1 - learnt / END)


falling.slip("A straight line does not end by itself: hold it at 0 from game 1,000 on.", lowest=-math.inf)


@falling.mistake("A function gives None where it ends without `return`.")
def without_return(learnt):
    return None


# --- a slider of one's own ------------------------------------------------------------------------------------------


class Box(list):
    """Holds the two widgets, and does not show them."""


def _picture(window: int) -> bytes:
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
    shown = [bytes(image.value).decode()]
    for window in windows:
        slider.value = window
        shown.append(bytes(image.value).decode())
    return shown


@exercise(
    cases=[([],), ([50],), ([100, 20, 1],), ([200, 0, 300],)],
    given="a slider and the moves {}",
    praise="wherever the slider is moved",
    run=_try_slider,
    made="showed",
)
def slider(picture, box, *, smallest=1, drawn=True, heard=True):
    """A slider from 1 to 200, at first 20, and a picture that follows it, in a box."""
    from ipywidgets import Image, IntSlider

    slider = IntSlider(value=20, min=smallest, max=200)
    image = Image(value=picture(slider.value) if drawn else b"")
    if heard:
        slider.observe(lambda change: setattr(image, "value", picture(change.new)), "value")
    return box([slider, image])


slider.slip("The picture stays: observe the slider, and change image.value.", heard=False)
slider.slip("At first there is no picture: draw one for the first value.", drawn=False)
slider.slip("A window of 0 games has no win rate: begin at 1, with min=1.", smallest=0)
slider.slip("End with: return box([slider, image]).", box=lambda parts: None)


# --- a mean and its band --------------------------------------------------------------------------------------------


def _curve(values: int, times: int) -> list[float]:
    """Results of runs, in no order; each comes so often that every usual way to cut off 2.5 % gives the same."""
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
def mean_and_band(values, *, tail=0.025):
    """The mean of some runs, and the lower and upper end of the band that holds the middle 95 % of them."""
    return values.mean(), values.quantile(tail), values.quantile(1 - tail)


mean_and_band.slip("Those are the smallest and the largest run; cut off 2.5 % at each end.", tail=0)
mean_and_band.slip("That leaves 90 %; cut off 2.5 % at each end.", tail=0.05)


@mean_and_band.mistake("Runs need not lie evenly about their mean: cut off 2.5 % of them at each end.")
def spread(values, runs=1):
    width = 1.96 * values.std() / runs**0.5
    return values.mean(), values.mean() - width, values.mean() + width


@mean_and_band.mistake("That says how well the mean is known. The band says where the runs lie.")
def band_of_the_mean(values):
    return spread(values, len(values))


# --- the share of perfect tables ------------------------------------------------------------------------------------


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
        ({"a rule": ["failed", 0, 0, 1], "random": [1, 0, 1, 0, 1, 1, 1], "twin": [1, 1, "failed", "failed"]},),
    ],
    given="the tables {} (1 is perfect)",
    praise="for few and many seeds, also where runs have failed",
    run=_try_sweep,
    share=True,
)
def perfect_share(table, *, summary="mean"):
    """For each opponent the share of its runs that have a perfect table; runs that failed, which are NaN, do not count."""
    return table.groupby("opponent")["perfect"].agg(summary).to_dict()


perfect_share.slip("That is how many there are; divide by the runs of this opponent.", summary="sum")


@perfect_share.mistake("A failed run is no run: it counts neither as perfect nor as wrong.")
def failed_runs_counted(table):
    return perfect_share.reference(table.fillna(0))
