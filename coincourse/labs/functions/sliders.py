"""Sliders for a function: moving one calls the function again and redraws its picture.

>>> def area(width=2, height=3):
...     return f"The area is {width * height}."
>>> box = sliders(area, width=(1, 9), height=[1, 3, 5])
>>> box
sliders(area, width=2, height=3)
>>> box.result
'The area is 6.'
>>> box.controls["width"].value = 4
>>> box.result, box.settings
('The area is 12.', {'width': 4, 'height': 3})
"""

from __future__ import annotations

import base64
import inspect
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import traitlets
from IPython.display import display
from ipywidgets import HTML, Image, VBox, fixed

from ..base.pages import page
from .controls import align, in_words, label_of, make_controls, name_of, spoken
from .pace import Pace
from .shown import PNG, Shown, as_png, call

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLIDERS = "application/vnd.coinlib.sliders+json"  # the MIME type of the marker that a notebook stores for the web book
WIDGET = "application/vnd.jupyter.widget-view+json"
SLOW_SECONDS = 1.0  # if a call takes longer, a slider takes effect only when released
SHORT = 2_000  # characters of text in a notebook's output


class Picture(Image):
    """An image whose tooltip is its alternative text, which screen readers read.

    ipywidgets shows a tooltip only if the description is empty, and fails if there is no description.
    """

    description = traitlets.Unicode().tag(sync=True)


def sliders(function: Callable, /, **abbreviations: Any) -> Sliders:
    """Show controls for some parameters of a function, and below them everything that the function shows.

    Parameters
    ----------
    function : function
        It draws a figure, and may return it or its Axes; or it returns or prints text or a table. When a control
        is moved, it is called again, for the last position only.
    **abbreviations
        For each parameter that gets a control, as in `ipywidgets.interact`: ``(low, high)`` or ``(low, high, step)``
        for a slider, a list or a dictionary for a menu, True or False for a checkbox, a widget that you have made,
        or ``fixed(value)``. A control starts at its parameter's default value; other parameters keep theirs.

    Returns
    -------
    Sliders
        Shown if it is the last line of a cell.

    Examples
    --------
    >>> sliders(lambda n=3: n * n, n=(0, 10)).result
    9
    """
    return Sliders(function, abbreviations)


class Sliders:
    """What `sliders` returns: the controls, and what the function shows for them.

    Attributes
    ----------
    function : function
    controls : dict
        The widgets by parameter: set ``controls["games"].value`` to move one.
    """

    def __init__(self, function: Callable, abbreviations: dict[str, Any]) -> None:
        made = make_controls(function, abbreviations)
        self.function = function
        self.controls = {name: control for name, control in made.items() if not isinstance(control, fixed)}
        self._fixed = {name: control.value for name, control in made.items() if isinstance(control, fixed)}
        self._following = [control for control in self.controls.values() if getattr(control, "continuous_update", 0)]
        self._pace = Pace(self._refresh)
        self._lock = threading.RLock()  # JupyterLab may move a slider in another thread.
        self._stale = True
        self._shown = Shown()
        self._words = HTML(tooltip="")
        self._words.add_class("jp-RenderedHTMLCommon")  # tables as in any other output
        self._images: list[Picture] = []
        self._apart = 0  # the number of pictures in separate outputs
        self._box = VBox()
        align(list(self.controls.values()))
        self._refresh()
        for control in self.controls.values():
            control.observe(self._moved, "value")

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of the function: the values of the controls by name."""
        return {name: control.value for name, control in self.controls.items()} | self._fixed

    @property
    def shown(self) -> Shown:
        """Everything that the function shows for the present controls."""
        self._refresh()
        return self._shown

    @property
    def result(self) -> Any:
        """What the function returned; None if it raised an error."""
        return self.shown.result

    @property
    def figure(self) -> Figure | None:
        """The figure that it drew, or the last one if it drew several; None if there is none."""
        figures = self.shown.figures
        return figures[-1] if figures else None

    @property
    def text(self) -> str:
        """The texts and tables that it returned or printed, and its error, as plain text."""
        return self.shown.text

    @property
    def error(self) -> str:
        """The error that it raised, as a sentence; "" if there is none."""
        return self.shown.error

    def __repr__(self) -> str:
        settings = [f"{name}={in_words(control)}" for name, control in self.controls.items()]
        return f"sliders({', '.join([name_of(self.function), *settings])})"

    def about(self) -> str:
        """What the function shows: the first line of its docstring, or its name."""
        return (inspect.getdoc(self.function) or name_of(self.function)).split("\n")[0].rstrip(".")

    def spoken(self, words: Mapping[str, str] | None = None) -> str:
        """The settings as text: "games 100, learning rate 1.0, opponent random"."""
        words = words or {name: spoken(control) for name, control in self.controls.items()}
        return ", ".join(f"{label_of(self.controls[name])} {value}" for name, value in words.items())

    def alternative(self, words: Mapping[str, str] | None = None) -> str:
        """The alternative text of a picture; `words` are other settings, as text."""
        return f"{self.about()}: {self.spoken(words)}."

    # --- the screen

    def _moved(self, change) -> None:
        self._stale = True
        self._pace.ask()

    def _refresh(self) -> None:
        """If a control was moved since the last call, call the function and show what it shows."""
        with self._lock:
            if not self._stale:
                return
            self._stale = False
            began = time.perf_counter()
            self._shown = call(self.function, self.settings)
            slow = time.perf_counter() - began > SLOW_SECONDS
            for control in self._following:
                control.continuous_update = not slow
            self._words.value = self._shown.html
            self._show_pictures(self._shown.pictures)

    def _show_pictures(self, pictures: tuple[bytes, ...]) -> None:
        """Show these pictures. Each image has its picture before it appears: without one, a browser shows it as broken."""
        self._images += [Picture(layout={"margin": "0"}) for _ in pictures[len(self._images) :]]
        words = self.alternative()
        for image, picture in zip(self._images, pictures):
            with image.hold_sync():
                image.value = picture
                image.tooltip = words
            image.layout.display = None
        for image in self._images[len(pictures) :]:
            image.layout.display = "none"
        self._box.children = [*self.controls.values(), self._words, *self._images[self._apart :]]

    def _ipython_display_(self) -> None:
        """Show the controls and the text in one output, and each picture in a separate output.

        Notebook tests compare text outputs byte by byte, but not PNGs.
        """
        shown = self.shown
        self._apart = max(self._apart, len(shown.pictures))
        self._show_pictures(shown.pictures)
        display(
            {
                "text/plain": self.as_text(),
                "text/html": self.still(),
                SLIDERS: {"function": name_of(self.function), "controls": list(self.controls)},
                WIDGET: view_of(self._box),
            },
            raw=True,
        )
        for image, picture in zip(self._images[: self._apart], shown.pictures):
            data = {"text/plain": f"<Picture of {self!r}>", PNG: base64.b64encode(picture).decode()}
            display(data | {WIDGET: view_of(image)}, raw=True, metadata={PNG: {"alt": self.alternative()}})

    def as_text(self) -> str:
        """The settings and the text, cut short if it is long."""
        words = self.text
        if len(words) > SHORT:
            words = f"{words[:SHORT]} ..."
        return f"{self!r}\n{words}".rstrip()

    def still(self) -> str:
        """The controls and the text for a page without a kernel, without the pictures."""
        return page("sliders.html", function=name_of(self.function), settings=self.spoken(), words=self.shown.html)

    # --- the web book

    def at(self, settings: dict[str, Any], draw: Callable[[Figure], bytes] = as_png) -> Shown:
        """What the function shows for other settings; the widgets do not change."""
        return call(self.function, self.settings | settings, draw)


def view_of(widget) -> dict[str, Any]:
    """The reference to a widget in a notebook."""
    return widget._repr_mimebundle_()[WIDGET]
