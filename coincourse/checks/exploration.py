"""Exploration and opponents: a falling plan, a slider, who teaches best, the explorer's favourite, a band over seeds."""

from __future__ import annotations

import math
import random
from statistics import fmean
from typing import NamedTuple

from coinlib.arguments import counted

from .engine import Wrong, alike, exercise, kind_of_answer, plain

ROUNDED = 0.006  # rounding to two places is left open


def _number(value) -> float:
    """A value as a float; NaN, which lies between no two numbers, where it is none."""
    value = plain(value)
    return float(value) if isinstance(value, int | float) else math.nan


# --- the chance of the favourite ------------------------------------------------------------------------------------


@exercise(
    cases=[(0.0, 3), (1.0, 3), (1.0, 2), (0.5, 2), (0.3, 2), (0.5, 1), (0.3, 3), (0.25, 5), (0.05, 2), (0.9, 40)],
    given=lambda exploration, legal: f"exploration {exploration:g} and {counted(legal, 'legal move')}",
    praise="without exploration, with nothing but exploration, and between them",
    near=ROUNDED,
)
def chance_of_best(exploration, legal, *, not_exploring=1, drawn=1, whole=1):
    """How likely an exploring learner makes its favourite move."""
    return whole * (not_exploring * (1 - exploration) + drawn * exploration / legal)


chance_of_best.slip("Exploring draws any legal move, and the favourite is one of them.", drawn=0)
chance_of_best.slip("Add the other way to the favourite: not exploring at all.", not_exploring=0)
chance_of_best.slip("Give a chance from 0 to 1, not in per cent.", whole=100)


@chance_of_best.mistake("When it explores it draws any of the legal moves, the favourite among them: divide by all.")
def drawn_from_the_others(exploration, legal):
    return 1 - exploration + (exploration / (legal - 1) if legal > 1 else 0)


# --- a plan that falls ----------------------------------------------------------------------------------------------

END = 1_000  # from this game on a falling plan is 0
EVERY_GAME = random.Random(7).sample([(learnt, learnt + 1) for learnt in range(1_200)], 1_200)


def _about_plan(answer, earlier: int, later: int) -> str:
    """What is wrong with what a plan gives for two moments, and for the earlier one again; "" if nothing is."""
    before, after, again = map(_number, answer)
    if not all(-1e-9 <= exploration <= 1 + 1e-9 for exploration in (before, after, again)):
        kind = kind_of_answer(None, 1) if None in answer else "Exploration is a chance."
        return f"Expected numbers from 0 to 1. {kind}"
    if abs(again - before) > 1e-9:
        return "Asked twice about the same number it must answer the same: so no counter, and no chance."
    if after > before + 1e-9:
        return "It never rises: explore much when little is known, and less later."
    if earlier == 0 and before < 0.5:
        return "Before the first game it is at least 0.5: nothing is known yet."
    if later >= END and after > 1e-9:
        return f"From game {END:,} on it is 0."
    return ""


@exercise(
    cases=[(0, 1), (END // 2, END), (END, 100 * END), *EVERY_GAME, (END, 100 * END), (0, 1)],
    given=lambda earlier, later: f"{earlier:,}, {later:,} and again {earlier:,} games learnt",
    praise="it starts high, never rises and ends at 0",
    run=lambda function, earlier, later: [function(earlier), function(later), function(earlier)],
    accept=_about_plan,
    made="gave",
)
def falling(learnt, *, lowest=0.0):
    """A plan of exploration: at least 0.5 before the first game, never rising, and 0 from game 1,000 on."""
    return max(lowest, 1 - learnt / END)


falling.slip("A straight line does not end by itself: hold it at 0 from game 1,000 on.", lowest=-math.inf)


# --- a slider of one's own ------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    """A box that does not show its two widgets: it moves the slider, and returns what the picture has shown."""

    windows: tuple[int, ...]  # where the slider is moved, one after the other

    def __call__(self, parts) -> list[str]:
        from ipywidgets import Image, IntSlider

        found = {kind: next((part for part in parts if isinstance(part, kind)), None) for kind in (IntSlider, Image)}
        if None in found.values():
            raise Wrong("Give the box two widgets, an IntSlider and an Image: box([slider, image]).")
        slider, image = found.values()
        shown = [bytes(image.value).decode()]
        for window in self.windows:
            slider.value = window
            shown.append(bytes(image.value).decode())
        return shown


def _picture(window: int) -> bytes:
    return f"window {window}".encode() if isinstance(window, int) else b"no picture"


def _try_slider(function, *windows: int) -> list[str] | None:
    answer = function(_picture, Hand(windows))
    return answer if isinstance(answer, list) else None


@exercise(
    cases=[(), (50,), (100, 20, 1), (200, 0, 300)],
    given=lambda *windows: (
        f"a slider moved to {' and then to '.join(map(str, windows))}" if windows else "a new slider"
    ),
    praise="wherever the slider is moved",
    run=_try_slider,
    made="showed",
)
def slider(picture, box, *, start=20, smallest=1, largest=200, drawn=True, heard=True, new=lambda change: change.new):
    """A slider from 1 to 200, at first 20, and a picture that follows it, in a box."""
    from ipywidgets import Image, IntSlider

    slider = IntSlider(value=start, min=smallest, max=largest)
    image = Image(value=picture(slider.value) if drawn else b"")
    if heard:
        slider.observe(lambda change: setattr(image, "value", picture(new(change))), "value")
    return box([slider, image])


slider.slip(
    "The slider is moved, and the picture stays: observe the slider, and change image.value there.", heard=False
)
slider.slip("Before the slider is moved there is no picture: draw one for its first value.", drawn=False)
slider.slip("That is the old value: the new one is change.new.", new=lambda change: change.old)
slider.slip("A change holds more than a number: the number is change.new.", new=lambda change: change)
slider.slip("A window of 0 games has no win rate: let the slider begin at 1, with min=1.", smallest=0)
slider.slip("The slider should end at 200: max=200.", largest=100)
slider.slip("At first the slider should stand at 20: value=20.", start=1)
slider.mistake("End with: return box([slider, image]).")(lambda picture, box: None)


# --- a mean and its band --------------------------------------------------------------------------------------------


# The usual ways to cut a list of numbers; those that are not named lie between these.
WAYS = ("linear", "higher", "weibull", "closest_observation", "interpolated_inverted_cdf")


def _curve(runs: int, scale: float) -> list[float]:
    """Results of runs that lie densely at the low end, in no order."""
    return random.Random(runs).sample([run * run / scale for run in range(runs)], runs)


def _try_column(function, numbers: list[float]):
    import pandas as pd

    return function(pd.Series(numbers, name="right"))


def _about_band(answer, numbers: list[float]) -> str:
    """What is wrong with a mean and a band; every usual way to cut a list of numbers is right."""
    import numpy as np

    answer = plain(answer)
    found = [_number(part) for part in answer] if isinstance(answer, list | tuple) else []
    if len(found) != 3 or any(map(math.isnan, found)):
        return "Expected three numbers: mean, low, high."
    if not alike(found[0], fmean(numbers), ROUNDED):
        return f"The mean is {fmean(numbers):.6g}."
    ends = [[float(np.quantile(numbers, part, method=way)) for way in WAYS] for part in (0.025, 0.975)]
    if all(alike(number, min(max(number, min(end)), max(end)), ROUNDED) for number, end in zip(found[1:], ends)):
        return ""
    return f"The middle 95 % of the runs lie from about {ends[0][0]:.6g} to {ends[1][0]:.6g}."


@exercise(
    cases=[([7.0] * 30,), (_curve(41, 10.0),), (_curve(200, 400.0),), (_curve(1_000, 1.0),)],
    given=lambda numbers: f"{len(numbers):,} runs with values from {min(numbers):g} to {max(numbers):g}",
    praise="for few runs and many, also where all are equal",
    run=_try_column,
    accept=_about_band,
)
def mean_and_band(values, *, low=0.025, high=0.975):
    """The mean of some runs, and the lower and upper end of the band that holds the middle 95 % of them."""
    return values.mean(), values.quantile(low), values.quantile(high)


mean_and_band.slip("These are the smallest and the largest run; cut off 2.5 % of the runs at each end.", low=0, high=1)
mean_and_band.slip(
    "That cuts off 5 % at each end, so 90 % are left; 95 % in the middle leaves 2.5 % at each end.", low=0.05, high=0.95
)


@mean_and_band.mistake("Runs need not lie evenly on both sides of their mean: cut off 2.5 % of them at each end.")
def spread(values, runs=1):
    width = 1.96 * values.std() / runs**0.5
    return values.mean(), values.mean() - width, values.mean() + width


@mean_and_band.mistake(
    "That says how well the mean is known. The band says where the runs lie, however many there are."
)
def band_of_the_mean(values):
    return spread(values, len(values))


# --- the share of perfect tables ------------------------------------------------------------------------------------


def _try_sweep(function, runs: dict[str, list]):
    """Hand on a table as `coinlib.sweep` makes it."""
    import pandas as pd

    rows = [
        {"opponent": name, "seed": seed}
        | ({"perfect": math.nan, "error": "ValueError: no"} if found == "failed" else {"perfect": found, "error": ""})
        for name, results in runs.items()
        for seed, found in enumerate(results)
    ]
    return function(pd.DataFrame(rows).astype({"perfect": "float"}))


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
    near=ROUNDED,
)
def perfect_share(table, *, share=lambda results, table: results.mean()):
    """For each opponent the share of its runs that have a perfect table; runs that failed, which are NaN, do not count."""
    return {opponent: share(results, table) for opponent, results in table.groupby("opponent")["perfect"]}


perfect_share.slip(
    "That is how many there are; divide by the runs of this opponent.", share=lambda results, table: results.sum()
)
perfect_share.slip(
    "A failed run is no run: it counts neither as perfect nor as wrong.",
    share=lambda results, table: results.fillna(0).mean(),
)
perfect_share.slip(
    "A failed run counts as perfect here. It says nothing: leave it out.",
    share=lambda results, table: results.fillna(1).mean(),
)
perfect_share.slip(
    "That is the share of the whole table: take each opponent's rows.",
    share=lambda results, table: table["perfect"].mean(),
)
