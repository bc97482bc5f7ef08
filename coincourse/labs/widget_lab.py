"""The former base, made of many widgets, for the labs that still stand on it; others stand on `lab.Lab`.

A lab is three pure functions of its settings. `compute` makes the data, `draw` turns the data into
HTML, `code` writes the few lines of coinlib that make the same data. `Lab` puts controls around
them; `RunningLab` adds buttons for work that goes on step by step.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

import ipywidgets as widgets
from IPython import get_ipython

from coinlib.arguments import shown, whole_number

from .asked import read_controls, read_settings
from .shared import LIGHT

PAUSE_SECONDS = 0.02  # between two chunks of work, so that the kernel hears a button
CHUNK_SECONDS = 0.1  # a chunk of work that took longer is halved; none lasts twice as long
WIDE = "26rem"
STYLE = {"description_width": "8rem"}


# --- controls -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Control:
    """One setting of a lab: how it is called, explained and changed.

    Attributes
    ----------
    label : str
        What stands before it.
    explanation : str
        One sentence, shown beside it.
    default : object
        Its value where nothing else is said.
    expected : str
        Which values are possible, in words, for error messages.
    make : function (value) -> ipywidgets widget
        The control with this value.
    """

    label: str
    explanation: str
    default: Any
    expected: str
    make: Callable[[Any], widgets.ValueWidget]

    def widget(self, name: str, value) -> widgets.ValueWidget:
        """The control with this value; ValueError, in words, if the value is not possible."""
        try:
            made = self.make(value)
            same = bool(made.value == value)  # a bounded control moves what lies outside its bounds
        except Exception:  # noqa: BLE001 - traitlets has many words for it
            same = False
        if not same:
            raise ValueError(f"{name}: expected {self.expected}, got {shown(value)}")
        return made


def slider(label: str, explanation: str, choices: Sequence, default) -> Control:
    """A slider with one place for each choice.

    Parameters
    ----------
    label, explanation : str
    choices : sequence
        The values in order; pairs of (words, value) where a value is not shown as it is.
    default : object
        One of the values.

    Examples
    --------
    >>> slider("Games", "How many.", [("none", 0), ("ten", 10)], 0).widget("games", 10).value
    10
    >>> slider("Games", "How many.", [0, 10], 0).widget("games", 5)
    Traceback (most recent call last):
        ...
    ValueError: games: expected one of 0, 10, got 5
    """
    pairs = _pairs(choices)
    return Control(
        label,
        explanation,
        default,
        _one_of(pairs),
        lambda value: widgets.SelectionSlider(options=pairs, value=value, description=label, **_look()),
    )


def menu(label: str, explanation: str, choices: Sequence, default) -> Control:
    """A menu to choose from; the parameters are those of `slider`."""
    pairs = _pairs(choices)
    return Control(
        label,
        explanation,
        default,
        _one_of(pairs),
        lambda value: widgets.Dropdown(options=pairs, value=value, description=label, **_look()),
    )


def number(label: str, explanation: str, least: int, most: int, default: int) -> Control:
    """A slider over whole numbers.

    Parameters
    ----------
    label, explanation : str
    least, most : int
        Both possible.
    default : int

    Examples
    --------
    >>> number("Sticks", "At the start.", 10, 20, 20).widget("sticks", 30)
    Traceback (most recent call last):
        ...
    ValueError: sticks: expected a whole number from 10 to 20, got 30
    """
    return Control(
        label,
        explanation,
        default,
        f"a whole number from {least:,} to {most:,}",
        lambda value: widgets.IntSlider(value, min=least, max=most, description=label, **_look()),
    )


def share(label: str, explanation: str, default: float, step: float = 0.05) -> Control:
    """A slider over the numbers from 0 to 1."""
    return Control(
        label,
        explanation,
        default,
        "a number from 0 to 1",
        lambda value: widgets.FloatSlider(value, min=0.0, max=1.0, step=step, description=label, **_look()),
    )


def seed(default: int = 1) -> Control:
    """A field for the seed of all chance in a lab: a whole number from 0 to 9,999."""
    label = "Seed"
    return Control(
        label,
        "Names the luck: the same seed gives the same games again, another seed gives others.",
        default,
        "a whole number from 0 to 9,999",
        lambda value: widgets.BoundedIntText(value, min=0, max=9_999, description=label, **_look()),
    )


def tick(label: str, explanation: str, default: bool = False) -> Control:
    """A box that is ticked or not."""
    return Control(
        label,
        explanation,
        default,
        "True or False",
        lambda value: widgets.Checkbox(value, description=label, indent=True, **_look()),
    )


def text(label: str, explanation: str, default: str) -> Control:
    """A line to write in; it counts when Enter is pressed or the field is left."""
    return Control(
        label,
        explanation,
        default,
        "words",
        lambda value: widgets.Text(value, description=label, continuous_update=False, **_look()),
    )


def _look() -> dict:
    return {"style": dict(STYLE), "layout": widgets.Layout(width=WIDE)}


def _pairs(choices: Sequence) -> list[tuple[str, Any]]:
    return [choice if isinstance(choice, tuple) else (str(choice), choice) for choice in choices]


def _one_of(pairs: Sequence[tuple[str, Any]]) -> str:
    return "one of " + ", ".join(repr(value) for _, value in pairs)


# --- a lab ----------------------------------------------------------------------------------------------


class Lab(widgets.VBox):
    """Controls, and a picture that follows them.

    A lab of your own names its `title`, its `goal` and its `CONTROLS`, and has three static
    methods that depend on the settings alone: ``compute(**settings)`` returns the data,
    ``draw(data, **settings)`` an HTML text, and ``code(**settings)`` a program that leaves the
    same data in the name ``data``.

    Parameters
    ----------
    controls : bool or iterable of str
        True for all controls, False for none, or the names of those to show. What is not
        shown keeps its setting.
    **settings
        A value for each control that should not have its default.

    Attributes
    ----------
    inputs : dict of str to widget
        The controls by name; setting ``.value`` is the same as moving one on the screen.
    picture : ipywidgets.HTML
    data : object
        What is drawn; None while a setting makes no sense.
    settings : dict
        The values of all controls: ``type(lab)(**lab.settings)`` is the same lab again.

    Raises
    ------
    TypeError, ValueError
        For a setting or control that this lab does not have, or a value that is not possible.
    """

    title = ""
    goal = ""
    CONTROLS: ClassVar[Mapping[str, Control]] = {}

    def __init__(self, controls: bool | Iterable[str] = True, **settings) -> None:
        visible = self._read_controls(controls)
        settings = self.complete(settings)
        self.inputs = {name: control.widget(name, settings[name]) for name, control in self.CONTROLS.items()}
        self.data: Any = None
        self._lock = threading.RLock()  # JupyterLab may handle a button in another thread than a cell
        self.picture = widgets.HTML()
        self._program = widgets.HTML(layout=widgets.Layout(display="none"))
        self._program_button = widgets.ToggleButton(
            False, description="Show the code", tooltip="The lines of coinlib that make the same data"
        )
        self._program_button.observe(self._show_program, "value")
        super().__init__(self._parts(visible))
        self.redraw()
        for control in self.inputs.values():
            control.observe(self._moved, "value")

    # --- what a lab of your own says

    @staticmethod
    def compute(**settings):
        """The data for these settings; ValueError, in words, where they make no sense."""
        raise NotImplementedError

    @staticmethod
    def draw(data, **settings) -> str:
        """The data as HTML that needs no script: a picture, and the same in words or in a table."""
        raise NotImplementedError

    @staticmethod
    def code(**settings) -> str:
        """A program that makes the same data and leaves it in ``data``."""
        raise NotImplementedError

    # --- what every lab can do

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings: those given, and the defaults of the others; TypeError for one that this lab does not have."""
        settings = read_settings(settings)
        unknown = sorted(map(str, set(settings) - set(cls.CONTROLS)))
        if unknown:
            raise TypeError(f"settings: expected some of {', '.join(cls.CONTROLS)}; got {', '.join(unknown)}")
        return {name: settings.get(name, control.default) for name, control in cls.CONTROLS.items()}

    @classmethod
    def render(cls, **settings) -> str:
        """The picture for these settings: the same for the same settings, byte for byte.

        Raises TypeError or ValueError as the lab itself does.
        """
        settings = cls.complete(settings)
        for name, control in cls.CONTROLS.items():
            made = control.widget(name, settings[name])
            settings[name] = made.value  # a whole number of NumPy has become one of Python
            made.close()
        return cls.draw(cls.compute(**settings), **settings)

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, to be handed on."""
        return {name: control.value for name, control in self.inputs.items()}

    def redraw(self) -> None:
        """Compute and draw again; what goes wrong is said where the picture stands."""
        with self._lock:
            self.data = None
            try:
                self.data = self.compute(**self.settings)
            except Exception as error:  # noqa: BLE001 - what a callback raises would be seen nowhere
                self._say_trouble(error)
            self._draw()

    def _draw(self) -> None:
        try:
            if self.data is not None:
                drawn = self.draw(self.data, **self.settings)
                self.picture.value = _words(drawn)
            self._program.value = program(self.code(**self.settings))
        except Exception as error:  # noqa: BLE001
            self._say_trouble(error)

    def _say_trouble(self, error: Exception) -> None:
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        self.picture.value = f"<p role='alert'><strong>This cannot be drawn.</strong> {escape(kind + str(error))}</p>"

    def _moved(self, change) -> None:
        self.redraw()

    def _show_program(self, change) -> None:
        self._program.layout.display = "" if change["new"] else "none"
        self._program_button.description = "Hide the code" if change["new"] else "Show the code"

    def _parts(self, shown: Sequence[str]) -> list[widgets.Widget]:
        """Everything from top to bottom."""
        head = widgets.HTML(_words(f"<strong>{escape(self.title)}</strong><br>{escape(self.goal)}"))
        lines = [
            _line(self.inputs[name], control.explanation) for name, control in self.CONTROLS.items() if name in shown
        ]
        return [head, *lines, *self._buttons(), self.picture, self._program_button, self._program]

    def _buttons(self) -> list[widgets.Widget]:
        return []

    @classmethod
    def _read_controls(cls, asked: bool | Iterable[str]) -> list[str]:
        return read_controls(asked, cls.CONTROLS)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.settings.items())})"

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/html": self.still()}, metadata  # shown where no kernel runs

    def _told(self) -> list[str]:
        """The settings that a still picture names."""
        return list(self.CONTROLS)

    def still(self) -> str:
        """The lab as a page without a kernel shows it: settings in words, picture, code."""
        said = ", ".join(f"{self.CONTROLS[name].label.lower()}: {_said(self.inputs[name])}" for name in self._told())
        return (
            f"<div>\n<p><strong>{escape(self.title)}</strong><br>{escape(said)}</p>\n{self.picture.value}\n"
            f"<details><summary>The code</summary>{program(self.code(**self.settings))}</details>\n"
            "<p>(A still picture: run this cell to move the controls.)</p>\n</div>"
        )


def program(code: str) -> str:
    """A program as HTML; one click selects all of it, ready to be copied."""
    look = "user-select: all; padding: 8px; border: 1px solid #767676; line-height: 1.35; overflow-x: auto"
    return f"<pre tabindex='0' aria-label='The code of this lab' style='{look}'>{escape(code.strip())}\n</pre>"


def _line(control: widgets.Widget, explanation: str) -> widgets.Widget:
    """A control, and beside it (under it, on a narrow page) what it does."""
    words = widgets.HTML(_words(escape(explanation)), layout=widgets.Layout(flex="1 1 16rem", margin="0 0 0 8px"))
    control.tooltip = explanation
    return widgets.HBox([control, words], layout=widgets.Layout(flex_flow="row wrap", align_items="center"))


def _words(html: str) -> str:
    """Text as close as in the rest of the notebook: ipywidgets sets its lines further apart."""
    return f"<div style='line-height: 1.4'>{html}</div>"


def _said(control: widgets.Widget) -> str:
    """The value of a control as it is shown on the screen."""
    options = getattr(control, "options", ())
    return next((words for words, value in options if value == control.value), str(control.value))


# --- a lab with something to run ----------------------------------------------------------------------------


class RunningLab(Lab):
    """A lab whose data grow step by step: run, stop, one step, start again.

    Instead of `compute` it says how its data begin, ``begin(**settings)``, and how they change
    in place, ``advance(data, steps, **settings)``; `steps` in ``draw`` and ``code`` is how many
    steps have been made. It is a setting like the others, so a lab can be handed on in the
    middle of its work.

    Parameters
    ----------
    controls : bool or iterable of str
    steps : int
        Steps to make before the first picture.
    **settings

    Raises
    ------
    TypeError, ValueError
        As in `Lab`; if `steps` is not a whole number from 0 to the lab's last step.
    """

    last_step = 100_000  # where a run ends by itself
    step_name = "One step"

    def __init__(self, controls: bool | Iterable[str] = True, steps: int = 0, **settings) -> None:
        self.steps = self._read_steps(steps)
        self._task: Future | None = None
        self._stopping = False
        super().__init__(controls, **settings)

    @staticmethod
    def begin(**settings):
        """The data before the first step."""
        raise NotImplementedError

    @staticmethod
    def advance(data, steps: int, **settings) -> None:
        """Change the data by so many steps (1 or more)."""
        raise NotImplementedError

    @classmethod
    def compute(cls, steps: int = 0, **settings):
        """The data after so many steps."""
        data = cls.begin(**settings)
        if steps:
            cls.advance(data, steps, **settings)
        return data

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, `steps` among them where it was given; raises what `Lab` raises."""
        settings = read_settings(settings)
        steps = {"steps": cls._read_steps(settings["steps"])} if "steps" in settings else {}
        return super().complete({name: settings[name] for name in settings if name != "steps"}) | steps

    @classmethod
    def render(cls, **settings) -> str:
        """The picture for these settings after so many steps (0 if not given); raises what `Lab` raises."""
        return super().render(**{"steps": 0, **settings})

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, and the steps made."""
        return super().settings | {"steps": self.steps}

    @property
    def running(self) -> bool:
        """Whether it is at work now."""
        return self._task is not None and not self._task.done()

    def run(self) -> None:
        """Go on until `stop` is called or the last step is made; in a notebook this returns at once."""
        if self.running or self.data is None:
            return
        self._stopping = False
        self._label_buttons(running=True)
        loop = _main_loop()
        if loop is None:  # plain Python: nobody could press a button meanwhile
            asyncio.run(self.work())
        else:
            self._task = asyncio.run_coroutine_threadsafe(self.work(), loop)

    def stop(self) -> None:
        """Let a run end after the chunk of work that is being done."""
        self._stopping = True

    def one_step(self) -> None:
        """Make one step, if nothing is running."""
        with self._lock:
            if not self.running and self.data is not None and self.steps < self.last_step:
                self._advance(1)
                self._draw()

    def start_again(self) -> None:
        """Stop, and go back to the state before the first step."""
        self.stop()
        with self._lock:
            self.steps = 0
            self.redraw()

    async def work(self) -> None:
        """What `run` does: chunks of work with pauses in which the kernel hears buttons."""
        chunk, interrupts = 1, _Interrupts(self.stop)
        try:
            while not self._stopping and self.data is not None and self.steps < self.last_step:
                began = time.perf_counter()
                interrupts.listen()
                with self._lock:
                    if not self._stopping:  # it may have been said while we waited
                        self._advance(min(chunk, self.last_step - self.steps))
                    chunk = _next_chunk(chunk, time.perf_counter() - began)
                    self._draw()
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            interrupts.close()
            self._label_buttons(running=False)

    def _advance(self, steps: int) -> None:
        settings = Lab.settings.fget(self)
        try:
            self.advance(self.data, steps, **settings)
            self.steps += steps
        except Exception as error:  # noqa: BLE001 - said in the lab, as everything that goes wrong
            self.data = None
            self._say_trouble(error)

    def _moved(self, change) -> None:
        self.start_again()

    def _buttons(self) -> list[widgets.Widget]:
        self._run_button = widgets.Button(description="Run")
        step = widgets.Button(description=self.step_name, tooltip="Make one step and look")
        again = widgets.Button(description="Start again", tooltip="Go back to the state before the first step")
        self._run_button.on_click(lambda _: self.stop() if self.running else self.run())
        step.on_click(lambda _: self.one_step())
        again.on_click(lambda _: self.start_again())
        self._label_buttons(running=False)
        return [widgets.HBox([self._run_button, step, again], layout=widgets.Layout(flex_flow="row wrap"))]

    def _label_buttons(self, running: bool) -> None:
        self._run_button.description = "Stop" if running else "Run"
        self._run_button.tooltip = "Stop here" if running else "Go on until it is stopped"

    @classmethod
    def _read_steps(cls, steps) -> int:
        try:
            return whole_number(steps, "steps", least=0, most=cls.last_step)
        except (TypeError, ValueError):
            expected = f"a whole number from 0 to {cls.last_step:,}"
            raise ValueError(f"steps: expected {expected}, got {shown(steps)}") from None


def _next_chunk(chunk: int, seconds: float) -> int:
    """How many steps to make next, when `chunk` steps took so long."""
    if seconds < CHUNK_SECONDS / 2:
        return 2 * chunk
    return max(1, chunk // 2) if seconds > CHUNK_SECONDS else chunk


def _main_loop() -> asyncio.AbstractEventLoop | None:
    """Where a run does its work: the loop of the kernel's main thread, which alone hears Ctrl-C.

    Buttons may be handled in another thread (a kernel's subshell), and so are heard in any case.
    """
    loop = getattr(getattr(get_ipython(), "kernel", None), "io_loop", None)
    if loop is not None:
        return loop.asyncio_loop
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class _Interrupts:
    """Ctrl-C and "interrupt the kernel" call a function for as long as a run lasts.

    `listen` is called before each chunk of work, since a cell that runs in a pause between two
    chunks leaves the handler as it found it, or as it was before the run.
    """

    def __init__(self, call: Callable[[], None]) -> None:
        self.able = threading.current_thread() is threading.main_thread()
        self.handler = lambda *_: call()
        self.before = signal.getsignal(signal.SIGINT)
        if self.before is signal.default_int_handler and hasattr(get_ipython(), "kernel"):
            self.before = signal.SIG_IGN  # a kernel's own, which our run replaces while a cell is at work

    def listen(self) -> None:
        if self.able:
            signal.signal(signal.SIGINT, self.handler)

    def close(self) -> None:
        if self.able and signal.getsignal(signal.SIGINT) is self.handler:
            signal.signal(signal.SIGINT, self.before)


# --- what the labs on this base share ---------------------------------------------------------------------------


def ending() -> Control:
    """The control that chooses who wins: misère or normal play."""
    return menu(
        "Ending",
        "Who takes the last stick: loses (misère play) or wins (normal play).",
        [("misère play: last stick loses", "misere"), ("normal play: last stick wins", "normal")],
        "misere",
    )


def make_button(words: str, tooltip: str, act: Callable[[], object]) -> widgets.Button:
    """A button that is as wide as its words and calls `act`."""
    made = widgets.Button(description=words, tooltip=tooltip, layout=widgets.Layout(width="auto", min_width="4.5rem"))
    made.on_click(lambda _: act())
    return made


def make_group(name: str, parts: list[widgets.Widget], words: str) -> widgets.Widget:
    """A row of buttons with its name before and its explanation after it."""
    label = widgets.HTML(f"<strong>{name}</strong>", layout=widgets.Layout(width="4.5rem"))
    said = widgets.HTML(
        f"<div style='line-height: 1.4'>{escape(words)}</div>",
        layout=widgets.Layout(flex="1 1 16rem", margin="0 0 0 8px"),
    )
    return widgets.HBox([label, *parts, said], layout=widgets.Layout(flex_flow="row wrap", align_items="center"))


def linked(numbers: Iterable[int]) -> str:
    """A style: what has the class n7 lights up together when one of its parts is pointed at or has the focus."""
    lit = ", ".join(f".coin-lab:has(.n{n}:hover) .n{n}, .coin-lab:has(.n{n}:focus) .n{n}" for n in numbers)
    return (
        f"<style>{lit} {{ --lit: {LIGHT}; --edge: currentColor }} "
        ".coin-lab { contain: inline-size } "  # as wide as the page, whatever is in it
        ".coin-lab tr[class] { background: var(--lit, transparent) } "
        ".coin-lab .spot { fill: var(--lit, transparent); stroke: var(--edge, transparent) } "
        ".coin-lab table { border-collapse: collapse; font-variant-numeric: tabular-nums } "
        ".coin-lab th, .coin-lab td { padding: 1px 7px; text-align: right; line-height: 1.35 } "
        ".coin-lab .side { display: flex; flex-wrap: wrap; gap: 12px 28px; align-items: flex-start } "
        ".coin-lab .wide { flex: 1 1 22rem; min-width: 0 } "
        ".coin-lab .scroll { overflow-x: auto; max-width: 100% } "
        ".coin-lab caption { text-align: left; font-weight: bold; padding: 2px 0 } "
        ".coin-lab p { line-height: 1.4; margin: 6px 0; max-width: 56rem }</style>"
    )
