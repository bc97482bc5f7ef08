"""What all labs share. A lab is four things: controls, a state, a picture of the two, and code that makes the same data.

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
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, ClassVar

import anywidget
import traitlets
from markupsafe import Markup

from coinlib.arguments import one_of

from . import running
from .controls import Control, number  # noqa: F401 - the example above makes one
from .pages import HERE, page, styles

DESCRIBED = "application/vnd.coinlib.lab+json"  # beside the still picture in a notebook: what the web book reads
CONTROLS_STYLE = (HERE / "lab.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Button:
    """A button: its words, what it does in a sentence, and what is called when it is pressed.

    `key` is a key of the keyboard that does the same anywhere on the page of the lab. The focus goes
    to a button that is `now` where the part that had it is gone, or cannot be pressed any more; a button
    that it `leaves` when it is pressed sends it there too.
    """

    words: str
    explanation: str
    act: Callable[..., object]
    disabled: bool = False
    key: str = ""
    now: bool = False
    leaves: bool = False


@dataclass(frozen=True)
class Row:
    """Buttons side by side, with a name before and an explanation after them.

    The values of `fields`, which are no settings of the lab, are handed to each of its buttons by name.
    """

    buttons: Sequence[Button]
    name: str = ""
    explanation: str = ""
    fields: Mapping[str, Control] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """All that the front end needs to draw it."""
        fields = [control.describe(name) | {"value": control.default_value} for name, control in self.fields.items()]
        buttons = [vars(button) for button in self.buttons]
        return {"row": self.name, "explanation": self.explanation, "fields": fields, "buttons": buttons}


def acts(method: Callable) -> Callable:
    """A method of a lab that does something to its state, and draws; what cannot be done is said in words."""

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


class Lab(anywidget.AnyWidget):
    """Controls, a state, a picture of the two, and the code that makes the same data.

    Parameters
    ----------
    controls : bool or iterable of str
        True for all controls, False for none, or the names of those to show. What is not
        shown keeps its setting.
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

    _esm = "".join(
        (HERE / name).read_text(encoding="utf-8") for name in ("board.js", "lab.js")
    )  # one module is all it may be

    title = ""
    goal = ""
    template = ""  # of the folder `templates`
    style = styles()  # what the page looks like, with a kernel and without
    CONTROLS: ClassVar[dict[str, Control]] = {}  # those that are attributes of the class, in their order
    PAST: ClassVar[Mapping[str, Any]] = {}
    GROUPS: ClassVar[Sequence[str]] = ()  # names of rows of buttons that `controls` may leave out
    BELOW: ClassVar[Sequence[str]] = ()  # names of controls and rows that stand under the picture
    step_name = "One step"
    at_once = 100_000  # steps between two pictures of a run, at most
    pause = 0.02  # seconds between two chunks of a run
    LOOKS: ClassVar[Sequence[str]] = ()  # names of controls that change what is seen and nothing else

    frame = traitlets.Unicode(help="the view and the code as HTML").tag(sync=True)
    page = traitlets.Unicode(help="the picture").tag(sync=True)

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        if "_css" not in vars(cls):  # each instance has a class of its own, in which anywidget has made a trait of it
            cls._css = CONTROLS_STYLE + str(cls.style)  # as Markup it would escape the other
        cls.CONTROLS = cls.CONTROLS | {name: each for name, each in vars(cls).items() if isinstance(each, Control)}

    def __init__(self, controls: bool | Iterable[str] = True, **settings) -> None:
        known = [*self.CONTROLS, *self.GROUPS]
        if isinstance(controls, bool):
            controls = known if controls else []
        self.shown = [one_of(name, "controls", known) for name in controls]
        settings = self.complete(settings)
        self.data = self.compute(**settings)
        self.running = self.stopping = False
        self._lock = threading.RLock()  # JupyterLab may handle a button in another thread than a cell
        self._task: Future | None = None
        super().__init__(**{name: settings[name] for name in self.CONTROLS})
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
        """A program that makes the same data and leaves it in ``data``; a lab without one shows none."""
        return ""

    def rows(self) -> dict[str, Row]:
        """The rows of buttons as they are now, by name."""
        return {"run": Row(self.run_buttons())} if hasattr(self.data, "step") else {}

    def now(self) -> dict[str, dict[str, Any]]:
        """For some controls what is different now: ``{"disabled": True}``, ``{"hidden": True}``, ``{"most": 7}``."""
        return {}

    def told(self) -> list[str]:
        """The settings that a still picture names."""
        hidden = self.now()
        return [name for name in self.CONTROLS if not hidden.get(name, {}).get("hidden")]

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
                    self.program = self.code(**self.settings).strip()
            except Exception as error:  # noqa: BLE001
                self.page = _trouble(error)
            self.view = self.describe()
            self.frame = page("lab.html", program=self.program, **self.view)

    def press(self, words: str, **fields) -> None:
        """Press the button with these words; `fields` are the values of the fields beside it."""
        for row in self.offered_rows().values():
            for button in row.buttons:
                if button.words == words and not button.disabled:
                    return button.act(**{name: row.fields[name].check(name, value) for name, value in fields.items()})
        raise ValueError(f"press: there is no button {words!r} that can be pressed now")

    # --- runs

    def run_buttons(self) -> list[Button]:
        """The buttons of a lab whose state can make steps."""
        run = Button("Run", "Go on until it is stopped", self.run)
        return [
            Button("Stop", "Stop here", self.stop) if self.running else run,
            Button(self.step_name, "Make one step and look", self.one_step, self.running),
            Button("Start again", "Go back to the state before the first step", self.start_again),
        ]

    def run(self, steps: int | None = None) -> None:
        """Go on until `stop` is called or so many steps are made; in a notebook this returns at once."""
        left = getattr(self.data, "left", 0)
        if self.running or not left:
            return
        self.running, self.stopping, self.data.notice = True, False, ""
        self.redraw()
        work, loop = running.work(self, left if steps is None else steps), running.main_loop()
        if loop is None:  # plain Python: nobody could press a button meanwhile
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
            made = 0 if self.stopping else min(steps, self.data.left)  # it may have been said while we waited
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
                with contextlib.suppress(ValueError):  # that button was there a moment ago
                    self.press(words, **fields)
            case {"typed": words, "to": to}:
                self.typed(to, words)
            case {"looked": _, "to": to}:
                self.looked_at(to)
            case {"to": to}:
                self.clicked(to)
        self.send({"heard": True})  # also where nothing on the page has changed

    @contextlib.contextmanager
    def _redrawing(self) -> Iterator[None]:
        """What is done meanwhile is drawn, or what goes wrong is said: an error of a callback is seen nowhere else."""
        try:
            yield
        except Exception as error:  # noqa: BLE001
            self.data, self.stopping = None, True
            self.page = _trouble(error)
        self.redraw()

    def offered_rows(self) -> dict[str, Row]:
        """The rows of buttons that are shown now, by name."""
        rows = {} if self.data is None else self.rows()
        return {name: row for name, row in rows.items() if name not in self.GROUPS or name in self.shown}

    def describe(self) -> dict[str, Any]:
        """Title, controls and buttons from top to bottom."""
        now, controls = self.now(), [name for name in self.CONTROLS if name in self.shown]
        parts = {name: self.CONTROLS[name].describe(name) | now.get(name, {}) for name in controls}
        rows = {name: row.describe() for name, row in self.offered_rows().items()}
        above = [part for name, part in (parts | rows).items() if name not in self.BELOW]
        below = [part for name, part in (rows | parts).items() if name in self.BELOW]
        return {"title": self.title, "goal": self.goal, "above": above, "below": below}

    # --- without a kernel

    def events(self, first: Lab) -> Iterator[str]:
        """What a page without Python can do now, see `living.do`: press each button that asks for no more than a press.

        `first` is the lab as the lesson has it. What is recorded ends where no event leads to a new moment.
        """
        for row in self.offered_rows().values():
            for button in row.buttons:
                if not (row.fields or button.words in ("Run", "Play", "Stop")):  # a run presses others
                    yield f"press {button.words}"

    def anywhere(self) -> Iterable[str]:
        """The events that lead to the same moment from wherever they come."""
        return ()

    def still(self) -> str:
        """The lab as a page without a kernel shows it: settings in words, picture, code."""
        controls = {name: self.CONTROLS[name] for name in self.told()}
        words = [f"{control.label.lower()}: {control.words(getattr(self, name))}" for name, control in controls.items()]
        picture = {"page": Markup(self.drawn_still()), "program": self.program}
        return page("still.html", style=self.style, title=self.title, settings=words, **picture)

    def drawn_still(self) -> str:
        """The picture of a page without a kernel."""
        return self.page

    def described(self) -> dict[str, Any] | None:
        """The lab as plain data, from which `living.again` makes it; None where a setting is no plain data."""
        try:
            settings = json.loads(json.dumps(self.settings, default=self.plain))
        except TypeError:
            return None
        return {"lab": type(self).__name__, "controls": self.shown, "settings": settings}

    def plain(self, setting) -> Any:
        """A setting as plain data, of which the lab can be made again; TypeError where there is no such thing."""
        raise TypeError(f"{setting!r} is no plain data")

    def living(self) -> dict[str, Any]:
        """What a page without a kernel is given, so that the lab lives there: the name of its host, and its data."""
        from .living import record

        return {"host": "recorded"} | record(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.settings.items())})"

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        described = self.described()
        return {**data, "text/html": self.still()} | ({DESCRIBED: described} if described else {}), metadata


def _trouble(error: Exception) -> str:
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return page("trouble.html", words=f"{kind}{error}")
