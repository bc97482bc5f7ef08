"""What all labs share.

A lab is four things: controls, a state, a picture of the two, and code that makes the same data.

A lab of your own is a class that says these four things; all else comes with it: the page with its
buttons and keys, runs, the still picture for pages without a kernel, settings that can be handed on.

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

Where something happens that no control says (moves, practice), the data are a *state*:

- `PAST` names its attributes that say what has happened so far, as plain data, with what they are at
  the beginning. They are settings like the controls: `compute` is given them, and makes the same state.
- `@acts` marks a method of the lab that changes the state; the page is drawn again, and a ValueError
  becomes the state's `notice`, which `draw` shows.
- A state with ``step(steps)`` and ``left``, the number of steps that can still be made, gives the lab
  "Run", "One step" and "Start again".
- `rows` says which buttons there are now, `now` how controls differ from what they are in general, and
  `clicked`, `typed` and `looked_at` what to do when the page reports that.
- What a page without a kernel shows and can do is the part `WithoutKernel` of a lab.
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

from . import running
from .buttons import Button, ButtonRow
from .controls import Control, number  # noqa: F401 - the example above makes one
from .pages import front_end, page, styles
from .programs import with_imports
from .tasks import Task, is_done, read_tasks
from .without_kernel import WithoutKernel

CONTROLS_STYLE = front_end("lab.css")


def acts(method: Callable) -> Callable:
    """Mark a method of a lab that changes its state: the page is drawn again, and says what a ValueError says."""

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
            self.redraw()

    return act


class Lab(WithoutKernel, anywidget.AnyWidget):
    """Controls, a state, a picture of the two, and the code that makes the same data.

    Parameters
    ----------
    controls : bool or iterable of str
        True for all controls, False for none, or the names of those to show. What is not
        shown keeps its setting.
    tasks : iterable of (words, facts)
        What is to be done here. A task is ticked once its facts, of those in `facts`, were seen: see `tasks`.
    **settings
        A value for each control that should not have its default, and what has happened so far.

    Attributes
    ----------
    data : object
        What is drawn; None while a setting makes no sense.
    settings : dict
        The values of all controls and what has happened: ``type(lab)(**lab.settings)`` is the same lab again.
    page : str
        The picture, as HTML.
    view : dict
        Title, controls and buttons.
    program : str
        The code.
    """

    _esm = front_end("board.js", "lab.js")  # a widget may have one module only

    title = ""
    goal = ""
    template = ""  # of the folder `templates`
    style = styles()  # what the page looks like, with a kernel and without
    CONTROLS: ClassVar[dict[str, Control]] = {}  # those that are attributes of the class, in their order
    PAST: ClassVar[Mapping[str, Any]] = {}
    GROUPS: ClassVar[Sequence[str]] = ()  # names of rows of buttons that `controls` may leave out
    BELOW: ClassVar[Sequence[str]] = ()  # names of controls and rows that stand under the picture
    step_name = "One step"
    run_words = "Go on until it is stopped"
    at_once = 100_000  # steps between two pictures of a run, at most
    pause = 0.02  # seconds between two chunks of a run
    LOOKS: ClassVar[Sequence[str]] = ()  # names of controls that change what is seen and nothing else
    MOMENTARY: ClassVar[Sequence[str]] = ("notice",)  # what the page shows of the state and no setting keeps

    frame = traitlets.Unicode(help="the view and the code as HTML").tag(sync=True)
    page = traitlets.Unicode(help="the picture").tag(sync=True)
    program = ""

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        if "_css" not in vars(cls):  # The class that anywidget makes for each instance has it.
            cls._css = CONTROLS_STYLE + str(cls.style)  # Markup would escape what is added to it.
        own = {name: control for name, control in vars(cls).items() if isinstance(control, Control)}
        cls.CONTROLS = cls.CONTROLS | own

    def __init__(self, controls: bool | Iterable[str] = True, tasks: Iterable[Task] = (), **settings) -> None:
        known = [*self.CONTROLS, *self.GROUPS]
        if isinstance(controls, bool):
            controls = known if controls else []
        self.shown = [one_of(name, "controls", known) for name in controls]
        settings = self.complete(settings)
        self.data = self.compute(**settings)
        self.running = False
        self.stopping = False
        self._lock = threading.RLock()  # JupyterLab may handle a button in another thread than a cell.
        self._task: Future | None = None
        super().__init__(**{name: settings[name] for name in self.CONTROLS})
        self.tasks = read_tasks(tasks, self.facts()) if tasks else []
        self.done: set[int] = set()  # the numbers of tasks that were done at some time
        self.redraw()
        for name in self.CONTROLS:
            self.observe(self._moved, name)
        self.on_msg(lambda _, content, buffers: self.hear(content))

    # --- what a lab of your own says

    @staticmethod
    def compute(**settings):
        """The data for these settings; ValueError, in words, where they make no sense."""
        raise NotImplementedError

    @classmethod
    def draw(cls, data, **settings) -> str:
        """The data as HTML that needs no script: a picture, and the same in words or in a table.

        If nothing else is said, the lab's `template` is filled in with the data and the settings.
        """
        return page(cls.template, data=data, **settings)

    @staticmethod
    def code(**settings) -> str:
        """A program that makes the same data and leaves it in ``data``; a lab without one shows none.

        What it uses of `coinlib` is imported by lines that are put before it.
        """
        return ""

    def facts(self) -> dict[str, Any]:
        """What a task can ask for, by name: the settings, and what a lab of your own adds to them."""
        return self.settings

    def rows(self) -> dict[str, ButtonRow]:
        """The rows of buttons as they are now, by name."""
        if not hasattr(self.data, "step"):
            return {}
        return {"run": ButtonRow(self.run_buttons())}

    def now(self) -> dict[str, dict[str, Any]]:
        """What is different now of some controls: ``{"disabled": True}``, ``{"hidden": True}``, ``{"most": 7}``."""
        return {}

    def moved(self, name: str) -> None:
        """A control was moved: what has happened is forgotten, unless the control keeps it."""
        if self.CONTROLS[name].keeps:
            self.redraw()
        else:
            self.change(**self.PAST)

    def clicked(self, to: str) -> None:
        """The part of the page with this ``data-to`` was clicked."""

    def typed(self, to: str, words: str) -> None:
        """These words were typed into the field with this ``data-to``."""

    def looked_at(self, to: str) -> None:
        """The field with this ``data-to`` has got the focus."""

    # --- what every lab can do

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings: those given, checked, and the defaults of the others."""
        known = {name: control.default_value for name, control in cls.CONTROLS.items()} | dict(cls.PAST)
        unknown = sorted(set(settings) - set(known))
        if unknown:
            raise TypeError(f"settings: expected some of {', '.join(known)}; got {', '.join(unknown)}")
        known |= settings
        return known | {name: control.check(name, known[name]) for name, control in cls.CONTROLS.items()}

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, and what has happened so far, to be handed on."""
        past = {name: getattr(self.data, name, beginning) for name, beginning in self.PAST.items()}
        return {name: getattr(self, name) for name in self.CONTROLS} | past

    def change(self, **settings) -> None:
        """Set any number of settings at once, make the data again, and draw once."""
        self.stopping = True
        with self._lock:
            settings = self.settings | settings
            self.follow(**{name: settings[name] for name in self.CONTROLS})
            with self._redrawing():
                self.data = self.compute(**settings)

    def follow(self, **controls) -> None:
        """Let controls follow the state: they are set, and nothing is made again."""
        for name, value in controls.items():
            self.unobserve(self._moved, name)
            try:
                setattr(self, name, value)
            finally:
                self.observe(self._moved, name)

    def start_again(self) -> None:
        """Stop, and go back to where nothing has happened yet."""
        self.change(**self.PAST)

    def redraw(self) -> None:
        """Draw the page, the controls and the buttons again."""
        with self._lock, self.hold_sync():
            try:
                if self.data is not None:
                    self.page = self.draw(self.data, **self.settings)
                    self.program = with_imports(self.code(**self.settings).strip())
            except Exception as error:  # noqa: BLE001
                self.page = _trouble(error)
            self.view = self.describe()
            self.frame = page("lab.html", program=self.program, **self.view)

    def press(self, words: str, **fields) -> None:
        """Press the button with these words; `fields` are the values of the fields beside it."""
        for row in self.offered_rows().values():
            for button in row.buttons:
                if button.words == words and not button.disabled:
                    values = {name: row.fields[name].check(name, value) for name, value in fields.items()}
                    return button.act(**values)
        raise ValueError(f"press: there is no button {words!r} that can be pressed now")

    # --- runs

    def run_buttons(self) -> list[Button]:
        """The buttons of a lab whose state can make steps."""
        first = Button("Run", self.run_words, self.run)
        if self.running:
            first = Button("Stop", "Stop here", self.stop)
        return [
            first,
            Button(self.step_name, "Make one step and look", self.one_step, self.running),
            Button("Start again", "Go back to the state before the first step", self.start_again),
        ]

    def run(self, steps: int | None = None) -> None:
        """Go on until `stop` is called or so many steps are made; in a notebook this returns at once."""
        left = getattr(self.data, "left", 0)
        if self.running or not left:
            return
        self.running = True
        self.stopping = False
        self.data.notice = ""
        self.redraw()
        work = running.work(self, left if steps is None else steps)
        loop = running.main_loop()
        if loop is None:  # This is plain Python: nobody could press a button meanwhile.
            asyncio.run(work)
        else:
            self._task = asyncio.run_coroutine_threadsafe(work, loop)

    def stop(self) -> None:
        """Let a run end after the chunk of work that is being done."""
        self.stopping = True

    @acts
    def one_step(self) -> None:
        """Make one step, if nothing is running."""
        if self.data.left:
            self.step(1)

    def step(self, steps: int) -> None:
        """Let the state make steps."""
        self.data.step(steps)

    def advance(self, steps: int) -> int:
        """One chunk of a run, of at most so many steps; how many were made."""
        with self._lock:
            if self.stopping:  # Somebody may have stopped it while we waited for the lock.
                return 0
            made = min(steps, self.data.left)
            if made:
                with self._redrawing():
                    self.step(made)
            return made

    # --- the front end

    def set_state(self, sync_data: dict) -> None:
        """What was moved on the screen; a value that is not possible is said there, and goes back."""
        try:
            super().set_state(sync_data)
        except ValueError as error:
            self.page = _trouble(error)
            self.send_state(list(sync_data))

    def _moved(self, change) -> None:
        with self._lock:
            if hasattr(self.data, "notice"):
                self.data.notice = ""
            self.moved(change["name"])

    def hear(self, content: dict) -> None:
        """One message from the screen."""
        match content:
            case {"press": words, "fields": fields}:
                with contextlib.suppress(ValueError):  # The button that was pressed may have gone meanwhile.
                    self.press(words, **fields)
            case {"typed": words, "to": to}:
                self.typed(to, words)
            case {"looked": _, "to": to}:
                self.looked_at(to)
            case {"to": to}:
                self.clicked(to)
        self.send({"heard": True})  # The screen waits for an answer, even if the page stays as it is.

    @contextlib.contextmanager
    def _redrawing(self) -> Iterator[None]:
        """Draw what is done meanwhile, or say what goes wrong: JupyterLab shows no error of a callback."""
        try:
            yield
        except Exception as error:  # noqa: BLE001
            self.data = None
            self.stopping = True
            self.page = _trouble(error)
        self.redraw()

    def offered_rows(self) -> dict[str, ButtonRow]:
        """The rows of buttons that are shown now, by name."""
        if self.data is None:
            return {}
        left_out = set(self.GROUPS) - set(self.shown)
        return {name: row for name, row in self.rows().items() if name not in left_out}

    def describe(self) -> dict[str, Any]:
        """Title, tasks, controls and buttons from top to bottom."""
        now = self.now()
        shown = {name: control for name, control in self.CONTROLS.items() if name in self.shown}
        controls = {name: control.describe(name) | now.get(name, {}) for name, control in shown.items()}
        rows = {name: row.describe() for name, row in self.offered_rows().items()}
        above = [part for name, part in (controls | rows).items() if name not in self.BELOW]
        below = [part for name, part in (rows | controls).items() if name in self.BELOW]
        return {"title": self.title, "goal": self.goal, "tasks": self.ticked(), "above": above, "below": below}

    def ticked(self) -> list[tuple[str, bool]]:
        """The words of each task, and whether it was done at some time."""
        if self.tasks and self.data is not None:
            facts = self.facts()
            self.done |= {place for place, task in enumerate(self.tasks) if is_done(task, facts)}
        return [(words, place in self.done) for place, (words, _) in enumerate(self.tasks)]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"{type(self).__name__}({settings})"


def _trouble(error: Exception) -> str:
    """What went wrong, as HTML; the type of an error that is not of the lab's domain is named too."""
    words = str(error)
    if not isinstance(error, ValueError):
        words = f"{type(error).__name__}: {words}"
    return page("trouble.html", words=words)
