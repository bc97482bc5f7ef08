"""Sliders over a function in the book: which values a control has there, and what each one shows."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from ipywidgets import FloatLogSlider, FloatSlider, IntSlider, SelectionSlider, Text

from coincourse.labs import sliders
from coincourse.labs.book import record_sliders as module
from coincourse.labs.book.record_sliders import STOPS, address_of, packed, record_sliders, values_of
from coincourse.labs.functions.shown import call


def bars(n=3, colour="black", grid=False):
    """Bars."""
    _, ax = plt.subplots(layout="constrained")
    ax.bar(range(n), range(n), color=colour)
    ax.grid(grid)
    print(n, colour, grid)


@pytest.mark.parametrize(
    ("control", "values"),
    [
        (IntSlider(3, 1, 9), list(range(1, 10))),
        (IntSlider(120, 0, 1000, 10), [0, 120, *range(200, 1001, 100)]),
        (FloatSlider(0.3, min=0, max=1, step=0.1), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        (IntSlider(4, 4, 4), [4]),
        (SelectionSlider(options=[10, 100, 1000]), [10, 100, 1000]),
        (SelectionSlider(options=range(40), value=39), [*range(10), 39]),
        (Text("ada"), ["ada"]),
        (FloatLogSlider(10, min=0, max=4, step=1), [1, 10, 100, 1000, 10000]),
        (
            FloatLogSlider(0.3, min=-2, max=0),
            [0.01, 0.01585, 0.02512, 0.03981, 0.0631, 0.1, 0.1585, 0.3, 0.3981, 0.631, 1],
        ),
    ],
)
def test_a_control_keeps_its_value_and_at_most_eleven_others(control, values):
    assert list(values_of(control).values()) == values
    assert len(values) <= STOPS


def test_each_control_moves_alone_and_shows_what_the_function_shows():
    box = sliders(bars, n=(1, 7), colour={"dark": "black", "light": "yellow"}, grid=False)
    recording = record_sliders(box)
    states = [moment["states"][0] for moment in recording["moments"]]
    first = states[0]["values"]
    assert first == {"n": "3", "colour": "dark", "grid": "False"}
    assert len(states) == 1 + 6 + 1 + 1
    values = {"dark": "black", "light": "yellow", "False": False, "True": True}
    for state in states:
        now = state["values"]
        assert sum(now[name] != first[name] for name in now) == (state is not states[0])
        page = "\n".join(recording["lines"][line] for line in recording["texts"][state["page"]])
        shown = call(bars, {"n": int(now["n"]), "colour": values[now["colour"]], "grid": values[now["grid"]]})
        assert shown.html in page
        assert f"alt='Bars: n {now['n']}, colour {now['colour']}, grid {now['grid']}.'" in page
    assert len({state["page"] for state in states}) == len(states)
    assert box.settings == {"n": 3, "colour": "black", "grid": False}  # the widgets were not moved
    assert plt.get_fignums() == []
    assert record_sliders(box) == recording


def test_a_text_stays_and_the_page_says_so():
    recording = record_sliders(sliders(bars, n=(1, 3), colour=Text("red", description="Colour:")))
    assert all("colour" not in moment["states"][0]["values"] for moment in recording["moments"])
    frame = "\n".join(recording["lines"])
    assert "“Colour” stays at “red”: text can only be typed in JupyterLab." in frame


def test_pictures_stay_below_the_limit_even_if_they_are_hard_to_draw(monkeypatch):
    def dots(n=5):
        plt.scatter(*np.random.default_rng(n).random((2, 500)), s=9)

    monkeypatch.setattr(module, "LARGEST", 80_000)
    recording = record_sliders(sliders(dots, n=(1, 40)))
    assert len(packed(recording)) <= 80_000
    assert 3 <= len(recording["moments"]) < STOPS
    assert "data:image/webp;base64," in "".join(recording["lines"])


def test_a_drawing_becomes_an_address_that_a_browser_reads():
    text = '<svg id="a"><!-- 100% -->\n<use href="#b"/>&amp;</svg>'
    address = address_of(text.encode())
    assert address.startswith("data:image/svg+xml,<svg id='a'>")
    assert not re.search(r'["#]|%(?![0-9A-F]{2})|&(?!amp)', address)
