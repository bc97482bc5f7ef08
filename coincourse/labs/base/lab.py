"""The base class of all labs.

A lab has four parts: controls, a state, a picture of both, and code that makes the same data.

To write your own lab, define a class with these four parts. The base class provides the rest: the page with its
buttons and keys, runs, the still picture for pages without a kernel, and settings that recreate the lab.

>>> class Squares(Lab):
...     title, goal = "Squares", "Move the slider."
...     side = number("Side", "How long one side is.", 1, 9, 3)
...
...     @staticmethod
...     def compute(side):
...         return side * side
...
...     @staticmethod
...     def draw(data, side):
...         return f"<p>{side} times {side} is {data}.</p>"
...
...     @staticmethod
...     def code(side):
...         return f"data = {side} ** 2"
>>> lab = Squares(side=4)
>>> lab.data, lab.page
(16, '<p>4 times 4 is 16.</p>')
>>> lab.side = 5
>>> lab.data, lab
(25, Squares(side=5))

If the data depend on more than the controls (on moves, or practice), they are a *state*:

- `PAST` names the attributes of the state that hold what has happened, as plain data, with their
  initial values. They are settings like the controls: `compute` gets them and recreates the state.
- `@acts` marks a method that changes the state: afterwards the page is redrawn, and a ValueError
  becomes the state's `notice`, which `draw` shows.
- If the state has ``step(steps)`` and ``left``, the number of steps that remain, the lab gets the buttons
  "Run", "One step" and "Start again".
- `rows` returns the current buttons, `now` returns what has changed about the controls, and
  `clicked`, `typed` and `looked_at` react to what the page reports.

Every change to a lab goes through `update`: it sets settings, recomputes the data if necessary, and redraws the page.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, ClassVar

import anywidget
import traitlets

from coinlib.arguments import one_of

from . import running, without_kernel
from .buttons import Button, ButtonRow
from .controls import Control, number  # noqa: F401 - the example above makes one
from .pages import front_end, page, styles
from .programs import with_imports
from .tasks import Task, is_done, read_tasks

CONTROLS_STYLE = front_end("lab.css")


def acts(method: Callable) -> Callable:
    """Mark a method that changes the state of a lab: the page is redrawn, and shows the message of any ValueError."""

    @functools.wraps(method)
    def act(self, *args, **kwargs):
        with self._lock:
            if self.running or self.data is None:
                return
            self.data.notice = ""
            try:
                method(self, *args, **kwargs)
            except ValueError as error:
                self.data.notice = str(error)
            self.update()

    return act


class Lab(anywidget.AnyWidget):
    """Controls, a state, a picture of both, and the code that makes the same data.

    Parameters
    ----------
    controls : bool or iterable of str
        True for all controls, False for none, or the names of those to show. A hidden control keeps its setting.
    tasks : iterable of (words, facts)
        What to do in this lab. A task is ticked once its facts, which are among those in `facts`, hold: see `tasks`.
    **settings
        Values for controls, and what has happened so far. Any that are left out have their defaults.

    Attributes
    ----------
    data : object
        What is drawn; None while the settings are invalid.
    settings : dict
        The values of all controls and what has happened: ``type(lab)(**lab.settings)`` makes the same lab.
    page : str
        The picture, as HTML.
    view : dict
        Title, controls and buttons.
    program : str
        The code.
    """

    _esm = front_end("board.js", "lab.js")  # a widget may have only one module

    title = ""
    goal = ""
    template = ""  # a file in the folder `templates`
    style = styles()  # of the page, with and without a kernel
    PAST: ClassVar[Mapping[str, Any]] = {}
    GROUPS: ClassVar[Sequence[str]] = ()  # buttons, or rows of buttons, that `controls` may leave out
    BELOW: ClassVar[Sequence[str]] = ()  # the controls and rows of buttons under the picture
    once = False  # whether a double click on the picture counts once, since a click makes a move
    step_name = "One step"
    at_once = 100_000  # the most steps between two pictures of a run
    pause = 0.02  # seconds between two chunks of a run

    CONTROLS: ClassVar[dict[str, Control]] = {}  # filled in from the class's attributes, in their order
    frame = traitlets.Unicode(help="the view and the code as HTML").tag(sync=True)
    page = traitlets.Unicode(help="the picture").tag(sync=True)
    program = ""

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        if "_css" not in vars(cls):  # anywidget's class for each instance already has it.
            cls._css = CONTROLS_STYLE + str(cls.style)  # Markup would escape text added to it.
        new_controls = {name: control for name, control in vars(cls).items() if isinstance(control, Control)}
        cls.CONTROLS = cls.CONTROLS | new_controls

    def __init__(self, controls: bool | Iterable[str] = True, tasks: Iterable[Task] = (), **settings) -> None:
        known = [*self.CONTROLS, *self.GROUPS]
        if isinstance(controls, bool):
            controls = known if controls else []
        self.shown = [one_of(name, "controls", known) for name in controls]
        settings = self.complete(settings)
        self.data = self.compute(**settings)
        self.running = False
        self.stopping = False
        self._lock = threading.RLock()  # JupyterLab may handle a button in a different thread from a cell.
        self._quiet = False
        self._task: Future | None = None
        self._begun = threading.Event()  # whether the requested run has begun
        self.waits = ""  # why it has not
        super().__init__(**{name: settings[name] for name in self.CONTROLS})
        self.tasks = read_tasks(tasks, self.facts()) if tasks else []
        self.done: set[int] = set()  # the numbers of the tasks that have been done at some point
        self.update()
        for name in self.CONTROLS:
            self.observe(self._control_moved, name)
        self.on_msg(lambda _, content, buffers: self.hear(content))

    # --- what your own lab defines

    @staticmethod
    def compute(**settings):
        """Make the data for these settings; raise a ValueError with a readable message if they make no sense."""
        raise NotImplementedError

    @classmethod
    def draw(cls, data, **settings) -> str:
        """Return the data as HTML without scripts: a picture, and the same content as text or a table.

        By default the lab's `template` is filled in with the data and the settings. A lab that overrides this
        can add functions that its template calls: ``super().draw(data, helper=helper, **settings)``.
        """
        return page(cls.template, data=data, **settings)

    @staticmethod
    def code(**settings) -> str:
        """Return a program that makes the same data and stores it in ``data``; "" to show none.

        Imports from `coinlib` are added at the top.
        """
        return ""

    def facts(self) -> dict[str, Any]:
        """The facts a task can ask for, by name: the settings, and what your own lab adds to them."""
        return self.settings

    def rows(self) -> dict[str, ButtonRow]:
        """The current rows of buttons, by name."""
        if not hasattr(self.data, "step"):
            return {}
        return {"run": ButtonRow(self.run_buttons())}

    def now(self) -> dict[str, dict[str, Any]]:
        """What has changed about some controls: ``{"disabled": True}``, ``{"hidden": True}``, ``{"most": 7}``."""
        return {}

    def moved(self, name: str) -> dict[str, Any]:
        """The settings to update after this control was moved; empty if the data do not change.

        By default this discards what has happened, unless the control keeps it.
        """
        if self.CONTROLS[name].keeps:
            return {}
        return {name: getattr(self, name), **self.PAST}

    def controls_from_data(self) -> dict[str, Any]:
        """The controls that follow the state, with their values."""
        return {}

    def clicked(self, to: str) -> None:
        """React to a click on the part of the page with this ``data-to``."""

    def typed(self, to: str, words: str) -> None:
        """React to text typed into the field with this ``data-to``."""

    def looked_at(self, to: str) -> None:
        """React when the field with this ``data-to`` gets the focus."""

    # --- settings

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Check these settings, and add defaults for the rest."""
        known = {name: control.default_value for name, control in cls.CONTROLS.items()} | dict(cls.PAST)
        unknown = sorted(set(settings) - set(known))
        if unknown:
            raise TypeError(f"settings: expected some of {', '.join(known)}; got {', '.join(unknown)}")
        known |= settings
        return known | {name: control.check(name, known[name]) for name, control in cls.CONTROLS.items()}

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, and what has happened so far."""
        past = {name: getattr(self.data, name, beginning) for name, beginning in self.PAST.items()}
        return {name: getattr(self, name) for name in self.CONTROLS} | past

    def update(self, **settings) -> None:
        """Change settings and redraw once; the data are recomputed if they depend on any of these settings."""
        remakes = any(name in self.PAST or not self.CONTROLS[name].keeps for name in settings)
        if remakes:
            self.stopping = True
        with self._lock:
            if remakes:
                settings = self.settings | settings
            self.set_quietly(**{name: value for name, value in settings.items() if name in self.CONTROLS})
            if remakes:
                try:
                    self.data = self.compute(**settings)
                except Exception as error:  # noqa: BLE001 - JupyterLab does not show errors from callbacks
                    self.fail(error)
            if self.data is not None:
                self.set_quietly(**self.controls_from_data())
            self.render()

    def set_quietly(self, **controls) -> None:
        """Set controls without triggering a reaction."""
        with self._lock:
            self._quiet = True
            try:
                for name, value in controls.items():
                    setattr(self, name, value)
            finally:
                self._quiet = False

    def render(self) -> None:
        """Redraw the picture, the code, the controls and the buttons."""
        with self._lock, self.hold_sync():
            try:
                if self.data is not None:
                    self.page = self.draw(self.data, **self.settings)
                    self.program = with_imports(self.code(**self.settings).strip())
            except Exception as error:  # noqa: BLE001
                self.page = _error_page(error)
            self.view = self.describe()
            self.frame = page("lab.html", program=self.program, **self.view)

    def fail(self, error: Exception) -> None:
        """Show an error instead of the picture, until a setting changes."""
        self.data = None
        self.stopping = True
        self.page = _error_page(error)

    def press(self, words: str, **fields) -> None:
        """Press the button with this label; `fields` are the values of the fields in its row."""
        for row in self.offered_rows().values():
            for button in row.buttons:
                if button.words == words and not button.disabled:
                    values = {name: row.fields[name].check(name, value) for name, value in fields.items()}
                    return button.act(**values)
        raise ValueError(f"press: there is no button {words!r} that can be pressed now")

    # --- runs

    def run_buttons(self) -> list[Button]:
        """The buttons for a lab whose state can be stepped."""
        nothing_left = not self.data.left
        first = Button("Run", "Keep going until stopped", self.run, nothing_left)
        if self.running:
            first = Button("Stop", "Stop here", self.stop)
        back = "Go back to the state before the first step"
        return [
            first,
            Button(self.step_name, "Make one step and look", self.one_step, self.running or nothing_left),
            Button("Start again", back, self.start_again, self.is_untouched()),
        ]

    def is_untouched(self) -> bool:
        """Whether nothing has happened that "Start again" would undo."""
        settings = self.settings
        return all(settings[name] == beginning for name, beginning in self.PAST.items())

    def run(self, steps: int | None = None) -> None:
        """Take `steps` steps, or all that remain, until `stop` is called; in a notebook this returns at once."""
        left = getattr(self.data, "left", 0)
        if self.running or not left:
            return
        self.running = True
        self.stopping = False
        self.data.notice = ""
        self.update()
        self._begun.clear()
        work = running.work(self, left if steps is None else steps, self._begun)
        loop = running.main_loop()
        if loop is None:  # This is plain Python, where no button can be pressed in the meantime.
            asyncio.run(work)
            return
        self._task = asyncio.run_coroutine_threadsafe(work, loop)
        if running.is_late(self._begun):
            self.waits = running.BUSY
            self.update()

    def stop(self) -> None:
        """End a run after its current chunk of work."""
        self.stopping = True

    def start_again(self) -> None:
        """Stop, and go back to the beginning."""
        self.update(**self.PAST)

    @acts
    def one_step(self) -> None:
        """Take one step, if nothing is running."""
        if self.data.left:
            self.step(1)

    def step(self, steps: int) -> None:
        """Take this number of steps."""
        self.data.step(steps)

    def advance(self, steps: int) -> int:
        """Run one chunk of at most `steps` steps; return how many were taken."""
        with self._lock:
            if self.stopping:  # It may have been stopped while we waited for the lock.
                return 0
            made = min(steps, self.data.left)
            if made:
                self.step(made)
                self.update()
            return made

    # --- the front end

    def set_state(self, sync_data: dict) -> None:
        """Apply a change made on the screen; an impossible value is undone, with a message on the page."""
        try:
            super().set_state(sync_data)
        except ValueError as error:
            self.page = _error_page(error)
            self.send_state(list(sync_data))

    def _control_moved(self, change) -> None:
        with self._lock:
            if self._quiet:
                return
            if hasattr(self.data, "notice"):
                self.data.notice = ""
            self.update(**self.moved(change["name"]))

    def hear(self, content: dict) -> None:
        """Handle one message from the screen."""
        match content:
            case {"press": words, "fields": fields}:
                with contextlib.suppress(ValueError):  # The button may be gone by now.
                    self.press(words, **fields)
            case {"typed": words, "to": to}:
                self.typed(to, words)
            case {"looked": _, "to": to}:
                self.looked_at(to)
            case {"to": to}:
                self.clicked(to)
        self.send({"heard": True})  # The screen waits for an answer, even if the page does not change.

    def offered_rows(self) -> dict[str, ButtonRow]:
        """The rows of buttons currently shown, by name."""
        if self.data is None:
            return {}
        left_out = set(self.GROUPS) - set(self.shown)
        return {name: row for name, row in self.rows().items() if name not in left_out}

    def describe(self) -> dict[str, Any]:
        """Title, tasks, controls and buttons, from top to bottom."""
        now = self.now()
        controls = {}
        for name, control in self.CONTROLS.items():
            if name in self.shown:
                controls[name] = control.describe(name) | now.get(name, {})
        rows = {name: row.describe() for name, row in self.offered_rows().items()}
        # The buttons are next to the picture: after the controls above it, and before those below it.
        above = [*self._placed(controls, below=False), *self._placed(rows, below=False)]
        below = [*self._placed(rows, below=True), *self._placed(controls, below=True)]
        words = {"title": self.title, "goal": self.goal, "tasks": self.ticked(), "waits": self.waits, "once": self.once}
        return words | {"above": above, "below": below}

    def _placed(self, parts: Mapping[str, dict], below: bool) -> list[dict]:
        """The controls or rows that are below the picture, or those above it."""
        return [part for name, part in parts.items() if (name in self.BELOW) == below]

    def ticked(self) -> list[tuple[str, bool]]:
        """The text of each task, and whether it has been done at some point."""
        if self.tasks and self.data is not None:
            facts = self.facts()
            self.done |= {place for place, task in enumerate(self.tasks) if is_done(task, facts)}
        return [(words, place in self.done) for place, (words, _) in enumerate(self.tasks)]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"{type(self).__name__}({settings})"

    # --- a page without a kernel

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | without_kernel.outputs(self), metadata

    def still(self) -> str:
        """The lab as a page without a kernel shows it: its settings as text, the picture, the code."""
        return without_kernel.still_page(self)

    def settings_in_still(self) -> list[str]:
        """The names of the settings in the text of a still picture."""
        now = self.now()
        return [name for name in self.CONTROLS if not now.get(name, {}).get("hidden")]

    def picture_in_still(self) -> str:
        """The picture on a page without a kernel."""
        return self.page

    def described(self) -> dict[str, Any] | None:
        """The lab as plain data, from which the web book recreates it; None if a setting is not plain data."""
        return without_kernel.described(self)

    def arguments(self) -> dict[str, Any]:
        """The arguments that recreate this lab."""
        if self.tasks:
            return self.settings | {"tasks": self.tasks}
        return self.settings

    def plain_setting(self, setting) -> Any:
        """A setting as plain data, from which the lab can be recreated; TypeError if that is impossible."""
        raise TypeError(f"{setting!r} is not plain data")

    # --- what the web book records

    def events(self, first) -> Iterator[str]:
        """The events that a page without Python can replay from here: by default, pressing each button without fields.

        `first` is the lab at the start, as in the lesson. A recording ends where no event leads to anything new. An event
        is named as in `book.record_lab`: "press One step", "to 1,2,3" (a click) or "type 0,1 5L".
        """
        for row in self.offered_rows().values():
            for button in row.buttons:
                if not (row.fields or button.disabled or button.words in without_kernel.RUN_BUTTONS):
                    yield f"press {button.words}"

    def anywhere(self) -> Iterable[str]:
        """The events that lead to the same place from anywhere."""
        return ()

    def events_of_run(self) -> list[str]:
        """The events that "Run" repeats: each time, the first one that has an effect."""
        return [f"press {self.step_name}"]

    def right_answers(self) -> dict[str, bool]:
        """For the score on the same page: the label of each answer button, and whether that answer is right."""
        return {}


def _error_page(error: Exception) -> str:
    """An error as HTML, with its type unless it is a ValueError."""
    words = str(error)
    if not isinstance(error, ValueError):
        words = f"{type(error).__name__}: {words}"
    return page("trouble.html", words=words)
