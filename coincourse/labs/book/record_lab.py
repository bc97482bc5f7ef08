"""Record a lab: try everything that a reader can do in it while the book is built, and give the page the results.

A *recording* consists of the moments of a lab, the moment that each event leads to, and how each moment looks: some
controls change only the picture, so a moment has a *state* for each value of these. A page without a kernel
answers from the recording (docs/_static/live_labs.js).
"""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..base.lab import Lab
from ..base.tasks import Task, say_needs_jupyter


def record_lab(first: Lab, lab: Lab) -> dict[str, Any]:
    """Everything that a page without a kernel needs to answer for a lab, as plain data.

    Parameters
    ----------
    first : Lab
        The lab as in the lesson; it is not changed.
    lab : Lab
        A second copy, which gets the events; nothing appears on the screen.
    """
    pause = lab.pause
    recording = Recording(lab)
    start = recording.add_moment()
    anywhere = recording.add_events(start, first.anywhere())
    for name, value in moved_controls(first):
        setattr(recording.go_back_to(start), name, value)
        recording.add_moment()
    for number, moment in enumerate(recording.moments):  # The list grows while this runs.
        moment["go"] = recording.add_events(number, recording.go_back_to(number).events(first))
    return {
        "lines": [say_needs_jupyter(line, recording.never_done()) for line in recording.lines],
        "texts": list(recording.texts),
        "moments": recording.moments,
        "anywhere": anywhere,
        "labels": {name: control.label for name, control in lab.CONTROLS.items()},
        "pause": pause,
        "runs": first.events_of_run(),
        "right_answers": first.right_answers(),
    }


def moved_controls(first: Lab) -> Iterator[tuple[str, Any]]:
    """Every control that is shown and can be moved, with each value other than the lesson's."""
    for name in first.shown:
        now = first.now().get(name, {})
        fixed = now.get("hidden") or now.get("disabled")
        if name in first.CONTROLS and not first.CONTROLS[name].metadata.get("look") and not fixed:
            for value in recorded_values(first, name)[1:]:
                yield name, value


def recorded_values(lab: Lab, name: str) -> list:
    """The values of a control that are recorded, its present value first."""
    control = lab.CONTROLS[name]
    element = control.element | lab.now().get(name, {})
    if "recorded" in control.metadata:
        values = control.metadata["recorded"]
    elif "options" in element:
        values = [value for _, value in element["options"]]
    elif "least" in element:
        values = range(element["least"], element["most"] + 1)
    else:  # a text field
        values = ()
    now = getattr(lab, name)
    return [now, *(value for value in values if value != now)]


def send_event(lab: Lab, event: str) -> None:
    """Send an event to a lab, as its screen would: "press One step", "to 1,2,3" (a click) or "type 0,1 5L"."""
    kind, words = event.split(" ", 1)
    if kind == "type":
        to, typed = words.split(" ", 1)
        lab.hear({"to": to, "typed": typed})
    else:
        lab.hear({kind: words, "fields": {}})


class Recording:
    """The moments of a lab seen so far.

    Only a new moment is drawn, once for each value of the controls that change only the picture.

    Attributes
    ----------
    lines : dict of str to int
        Each line of HTML, with its number.
    texts : dict of tuple to int
        Each text, as the numbers of its lines, with its own number.
    moments : list of dict
        For each moment its `states`, and in `go` the moment that each event leads to.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.pause = 0
        lab.render = lambda: None
        self.lines: dict[str, int] = {}
        self.texts: dict[tuple[int, ...], int] = {}
        self.moments: list[dict[str, Any]] = []
        self.done: set[int] = set()  # the numbers of tasks that are done at any moment
        self._snapshots: list[tuple] = []  # the data and the controls of each moment
        self._by_state: dict[str, int] = {}  # the numbers of moments by the state of the lab, as JSON
        self._by_looks: dict[str, int] = {}  # and by how they look

    def add_moment(self) -> int:
        """Add the present moment of the lab, unless an earlier one looks the same; return its number."""
        state = self._state()
        if state in self._by_state:  # It need not be drawn again.
            return self._by_state[state]
        snapshot = copy.deepcopy(self.lab.data), self._controls()
        states = list(self._states())
        number = self._by_looks.setdefault(json.dumps(states), len(self.moments))
        if number == len(self.moments):
            self.moments.append({"states": states, "go": {}})
            self._snapshots.append(snapshot)
        self._by_state[state] = number
        return number

    def go_back_to(self, number: int) -> Lab:
        """Bring the lab back to an earlier moment."""
        data, controls = self._snapshots[number]
        self.lab.data = copy.deepcopy(data)
        self.lab.set_quietly(**controls)
        return self.lab

    def add_events(self, number: int, events: Iterable[str]) -> dict[str, int]:
        """Send each of these events at a moment, and return the moments that they lead to."""
        found = {}
        for event in list(events):  # The lab changes while this runs.
            send_event(self.go_back_to(number), event)
            found[event] = self.add_moment()
        return found

    def never_done(self) -> list[Task]:
        """The tasks that are not done at any moment."""
        return [task for number, task in enumerate(self.lab.tasks) if number not in self.done]

    def _state(self) -> str:
        """The state of the lab as JSON: all settings, and what the page shows only for a moment."""
        shown = {name: getattr(self.lab.data, name, None) for name in getattr(self.lab.data, "momentary", ("notice",))}
        return json.dumps([self.lab.settings, shown, self.lab.data is None])

    def _controls(self) -> dict[str, Any]:
        return {name: getattr(self.lab, name) for name in self.lab.CONTROLS}

    def _states(self) -> Iterator[dict[str, Any]]:
        """The present moment, for each value of the controls that change only the picture."""
        shown = {name: control for name, control in self.lab.CONTROLS.items() if name in self.lab.shown}
        looks = {
            name: recorded_values(self.lab, name) for name, control in shown.items() if control.metadata.get("look")
        }
        for way in itertools.product(*looks.values()):
            for name, value in zip(looks, way):
                self.lab.set_quietly(**{name: value})
                self.lab.update(**self.lab.moved(name))  # Unlike moving the control, this keeps the notice.
            self.lab.done = set()  # A page remembers what has been done.
            type(self.lab).render(self.lab)
            self.done |= self.lab.done
            page = self._text(self.lab.page)
            frame = self._text(self.lab.frame)
            yield {"page": page, "frame": frame, "values": self._controls()}

    def _text(self, html: str) -> int:
        """The number of a text."""
        lines = tuple(self.lines.setdefault(line, len(self.lines)) for line in html.split("\n"))
        return self.texts.setdefault(lines, len(self.texts))
