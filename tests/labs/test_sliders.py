"""Sliders over a student's function: what becomes a control, what is shown, and how often it is called."""

from __future__ import annotations

import io
import re

import matplotlib.pyplot as plt
import nbformat
import pandas as pd
import pytest
from ipywidgets import BoundedIntText, Checkbox, Dropdown, FloatSlider, IntSlider, fixed
from PIL import Image
from small_course import write_lesson

from coincourse.course.authors import execute
from coincourse.labs import sliders
from coincourse.labs.functions import sliders as module
from coincourse.labs.functions.pace import GAP_SECONDS, Pace
from coincourse.labs.functions.sliders import SLIDERS, WIDGET


@pytest.fixture(autouse=True)
def no_figure_stays_open():
    plt.close("all")
    yield
    assert plt.get_fignums() == []


def line(n=3, colour="black"):
    """A line that rises."""
    _, ax = plt.subplots()
    ax.plot(range(n), color=colour)
    return ax


def length(box) -> int:
    """The number of points of the line that a box has drawn."""
    return len(box.figure.axes[0].lines[0].get_ydata())


# --- controls


@pytest.mark.parametrize(
    ("wanted", "default", "kind", "about"),
    [
        ((10, 1000, 10), 100, IntSlider, {"min": 10, "max": 1000, "step": 10, "value": 100}),
        ((1, 9), 1, IntSlider, {"min": 1, "max": 9, "step": 1, "value": 1}),
        ((0.0, 1.0), 1.0, FloatSlider, {"min": 0.0, "max": 1.0, "step": 0.1, "value": 1.0}),
        ((0, 1.0, 0.25), 0.5, FloatSlider, {"step": 0.25, "value": 0.5}),
        ([10, 100], 100, Dropdown, {"options": (10, 100), "value": 100}),
        ({"itself": 1, "random": 2}, 2, Dropdown, {"label": "random", "value": 2}),
        (True, False, Checkbox, {"value": True}),
        (
            BoundedIntText(4, min=0, max=7, description="Sticks"),
            9,
            BoundedIntText,
            {"value": 4, "description": "Sticks"},
        ),
    ],
)
def test_a_control_is_chosen_by_the_shorthand_of_interact(wanted, default, kind, about):
    def function(learning_rate=default):
        return learning_rate

    box = sliders(function, learning_rate=wanted)
    control = box.controls["learning_rate"]
    assert type(control) is kind
    assert {name: getattr(control, name) for name in about} == about
    assert control.description == about.get("description", "learning rate")
    assert control.tooltip == ""  # otherwise its label shows "null"
    assert box.result == control.value


def test_the_other_parameters_keep_their_defaults_and_fixed_ones_have_no_control():
    box = sliders(lambda a, b=2, *, c=3, d=4: [a, b, c, d], a=fixed(7), c=(0, 5))
    assert list(box.controls) == ["c"]
    assert box.result == [7, 2, 3, 4]
    assert box.settings == {"c": 3, "a": 7}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sliders(line(), n=(1, 9)), "expected a function, got Axes; write its name without ()"),
        (lambda: sliders(line, m=(1, 9)), "line has no parameter m; it has n, colour"),
        (lambda: sliders(line), r"expected a slider, such as sliders\(line, n=\(1, 10\)\)"),
        (lambda: sliders(lambda a, b=1: a, b=(1, 9)), "needs a value for a: a slider, or a default value"),
        (lambda: sliders(lambda rate=0.5: rate, rate=(0, 1)), r"does not offer it; .* so write \(0\.0, 1\.0\)"),
        (lambda: sliders(line, n=(5, 9)), r"n: the function begins at 3, and \(5, 9\) does not offer it"),
        (lambda: sliders(line, colour=["red", "blue"]), "colour: the function begins at 'black'"),
        (lambda: sliders(line, n=None), r"n: expected \(low, high\)"),
    ],
)
def test_what_makes_no_sense_is_said_at_once(call, words):
    with pytest.raises((TypeError, ValueError), match=words):
        call()
    plt.close("all")


# --- what the function shows


def returns_a_figure(n=3):
    return line(n).figure


def leaves_it_open(n=3):
    plt.plot(range(n))


def shows_it(n=3):
    plt.plot(range(n))
    plt.show()


def several_axes(n=3):
    _, (left, right) = plt.subplots(1, 2)
    left.plot(range(n))
    return left, right


def an_array_of_axes(n=3):
    _, axes = plt.subplots(2, 2)
    axes[0, 0].plot(range(n))
    return axes


def a_part_of_a_figure(n=3):
    part = plt.figure().subfigures()
    part.subplots().plot(range(n))
    return part


@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
@pytest.mark.parametrize(
    "function",
    [line, returns_a_figure, leaves_it_open, shows_it, several_axes, an_array_of_axes, a_part_of_a_figure],
)
def test_a_figure_is_shown_once_and_closed(function):
    box = sliders(function, n=(2, 9))
    (first,) = box.shown.pictures
    assert min(Image.open(io.BytesIO(first)).size) > 300
    assert length(box) == 3
    box.controls["n"].value = 7
    (second,) = box.shown.pictures
    assert length(box) == 7
    assert second != first
    assert not box.text


def test_a_figure_of_another_cell_stays_as_it_is():
    other = plt.figure()
    sliders(line, n=(1, 9))
    assert plt.get_fignums() == [other.number]
    plt.close(other)


@pytest.mark.parametrize(
    ("value", "text", "html"),
    [
        ("a < b", "a < b", "<pre>a &lt; b</pre>"),
        (9, "9", "<pre>9</pre>"),
        (pd.DataFrame({"n": [1]}), "   n\n0  1", "<td>1</td>"),
        (None, "", ""),
    ],
)
def test_texts_and_tables_are_shown_as_in_a_notebook(value, text, html):
    box = sliders(lambda n=3: value, n=(1, 9))
    assert box.text == text
    assert html in box.shown.html
    assert box.figure is None
    assert box.shown.pictures == ()


def test_what_it_prints_stands_above_what_it_returns_and_never_elsewhere(capsys):
    def tells(n=3):
        print(f"{n} games")
        return n * n

    box = sliders(tells, n=(1, 9))
    box.controls["n"].value = 4
    assert box.text == "4 games\n16"
    assert capsys.readouterr() == ("", "")


def test_an_error_is_one_line_and_the_picture_before_it_goes():
    def inverse(n=2):
        plt.plot([1, 1 / n])

    box = sliders(inverse, n=(0, 2))
    assert box.figure
    box.controls["n"].value = 0
    assert (box.figure, box.result, box.shown.pictures) == (None, None, ())
    assert box.error == box.text == "ZeroDivisionError: division by zero."  # no cell, so no line of it
    assert "<p role='alert'>" in box.shown.html
    box.controls["n"].value = 1
    assert box.error == ""
    assert box.figure


def test_a_function_that_is_interrupted_says_so():
    def endless(n=1):
        raise KeyboardInterrupt

    assert sliders(endless, n=(1, 2)).error == "It was stopped before it had an answer."


# --- how often it is called


class Loop:
    """An event loop with its own clock: `pass_time` makes the calls that are due."""

    def __init__(self):
        self.now = 0.0
        self.planned = []

    def time(self):
        return self.now

    def call_soon_threadsafe(self, act, *args):
        self.call_later(0, act, *args)

    def call_later(self, seconds, act, *args):
        self.planned.append((self.now + seconds, act, args))

    def pass_time(self, seconds):
        end = self.now + seconds
        while due := [plan for plan in self.planned if plan[0] <= end]:
            plan = min(due, key=lambda plan: plan[0])
            self.planned.remove(plan)
            self.now = max(self.now, plan[0])
            plan[1](*plan[2])
        self.now = max(self.now, end)


def test_the_last_position_wins_and_nothing_queues():
    loop, calls, position = Loop(), [], [0]

    def act():
        calls.append((loop.now, position[0]))
        loop.now += 0.3  # a slow function

    def move(to):
        position[0] = to
        pace.ask()

    pace = Pace(act, lambda: loop)
    for to in range(1, 101):  # a slider that is dragged for a second, and noticed even while the function runs
        loop.call_later(to / 100, move, to)
    loop.pass_time(9)
    assert calls[0] == (0.01, 1)  # the first at once
    assert all(seen == min(int(100 * start + 1e-6), 100) for start, seen in calls)
    starts = [start for start, _ in calls]
    assert starts == pytest.approx([0.01 + place * (0.3 + GAP_SECONDS) for place in range(4)])
    assert calls[-1][1] == 100
    assert loop.planned == []


def test_a_move_during_a_call_is_not_lost():
    loop, calls = Loop(), []

    def act():
        calls.append(loop.now)
        if len(calls) == 1:
            pace.ask()

    pace = Pace(act, lambda: loop)
    pace.ask()
    loop.pass_time(1)
    assert calls == [0, GAP_SECONDS]


def test_in_a_cell_the_box_answers_for_the_position_that_was_just_set(monkeypatch):
    loop, calls = Loop(), []
    box = sliders(lambda n=1: calls.append(n) or n, n=(0, 99))
    monkeypatch.setattr(box._pace, "loop", lambda: loop)
    for n in range(50):
        box.controls["n"].value = n
    assert calls == [1]  # no call while nobody is looking
    assert box.result == 49
    loop.pass_time(1)
    assert calls == [1, 49]  # and none twice


def test_an_image_has_its_picture_before_it_appears():
    box = sliders(lambda number=0: [plt.figure() for _ in range(number)], number=(0, 3))
    shown = []

    def look(change):
        images = [image for image in box._box.children if isinstance(image, module.Picture)]
        shown.extend(len(image.value) for image in images if image.layout.display is None)

    box._box.observe(look, "children")
    for number in (1, 2, 3, 2, 0, 1):
        box.controls["number"].value = number
        for image in box._images:
            image.layout.observe(look, "display")
    assert shown and min(shown) > 0  # an empty image is a broken one


def test_a_slow_function_is_called_when_the_slider_is_let_go(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: clock[0])

    def waits(n=1, m=1):
        clock[0] += n

    kept = IntSlider(1, 0, 9, continuous_update=False)
    box = sliders(waits, n=(0, 9), m=kept)
    for n, follows in ((5, False), (0, True)):
        box.controls["n"].value = n
        assert box.result is None
        assert box.controls["n"].continuous_update is follows
        assert not kept.continuous_update


# --- in a notebook

NOTEBOOK = [
    "import matplotlib.pyplot as plt\nfrom coincourse.labs import sliders\n\npublisher = get_ipython().display_pub",
    '''def curve(n=3, width=1):
    """A line that rises."""
    print(n)
    plt.plot(range(n), linewidth=width)
    plt.show()
    assert get_ipython().display_pub is publisher  # without which a kernel loses messages to other threads

box = sliders(curve, n=(2, 9), width={"thin": 1, "thick": 4})
box''',
    'box.controls["n"].value = 7\nlen(box.figure.axes[0].lines[0].get_ydata()), box.text, plt.get_fignums()',
    "def inverse(n=0):\n    plt.plot([n])\n    return 1 / n\n\nsliders(inverse, n=(0, 9))",
    "plt.plot([1, 2])\nplt.show()",  # a new figure, after a slider has drawn the first one
]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A notebook that was executed and stored as the lessons are."""
    path = tmp_path_factory.mktemp("stored") / "lesson.ipynb"
    write_lesson(path, *NOTEBOOK)
    execute(path)
    return path


def test_a_cell_stores_words_and_a_still_picture_and_nothing_leaks(stored):
    _, shown, asked, failed, drawn = [cell.outputs for cell in nbformat.read(stored, 4).cells]
    words, picture = shown
    assert words.data["text/plain"] == "sliders(curve, n=3, width=1)\n3"
    assert "n 3, width thin. (A still picture: run this cell to move the sliders.)" in words.data["text/html"]
    assert words.data[SLIDERS] == {"function": "curve", "controls": ["n", "width"]}
    assert not re.search("base64|<img", str(words))  # compared byte by byte
    assert picture.data["text/plain"] == "<Picture of sliders(curve, n=3, width=1)>"
    assert picture.metadata["image/png"]["alt"] == "A line that rises: n 3, width thin."
    assert {"text/plain", "image/png"} == set(picture.data)
    assert [output.data["text/plain"] for output in asked] == ["(7, '7', [])"]
    assert [output.data["text/plain"] for output in failed] == [
        "sliders(inverse, n=0)\nZeroDivisionError: division by zero. In line 3 of your code: return 1 / n"
    ]
    assert [set(output.data) for output in drawn] == [{"image/png", "text/plain"}]
    assert not any(WIDGET in output.data for output in [*shown, *asked, *failed])


def test_strict_nbval_sees_the_same_again_and_any_other_setting(stored, pytester):
    text = stored.read_text()
    (stored.parent / "changed.ipynb").write_text(text.replace("curve, n=3", "curve, n=4"))
    ran = pytester.runpytest_subprocess("--nbval", "-p", "no:cacheprovider", stored.parent)
    ran.assert_outcomes(passed=2 * len(NOTEBOOK) - 1, failed=1)
    ran.stdout.fnmatch_lines(["*changed.ipynb::Cell 1*"])
