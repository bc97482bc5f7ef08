"""Recordings of labs: what a reader can do there is done here first, and the answers travel with the page.

A *recording* holds the moments of a lab, which event leads from which moment to which, and how each moment
looks: some controls change nothing but the picture, so a moment has a *state* for each of their values. A
page without a kernel answers from it (docs/_static/living.js).
"""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..base.lab import Lab
from ..base.tasks import Task, say_needs_jupyter


def record(first: Lab, lab: Lab) -> dict[str, Any]:
    """Everything that a page without a kernel needs to let a lab live, as plain data.

    Parameters
    ----------
    first : Lab
        The lab as the lesson has it; it is only asked.
    lab : Lab
        The same lab once more: events happen to it, and nothing is shown on the screen.
    """
    pause = lab.pause
    recording = Recording(lab)
    start = recording.moment()
    anywhere = recording.answers(start, first.anywhere())
    for name, value in moves(first):
        setattr(recording.back(start), name, value)
        recording.moment()
    for number, moment in enumerate(recording.moments):  # The list grows meanwhile.
        moment["go"] = recording.answers(number, recording.back(number).events(first))
    return {
        "lines": [say_needs_jupyter(line, recording.never_done()) for line in recording.lines],
        "texts": list(recording.texts),
        "moments": recording.moments,
        "anywhere": anywhere,
        "labels": {name: control.label for name, control in lab.CONTROLS.items()},
        "pause": pause,
        "runs": first.events_of_run(),
        "tells": first.right_answers(),
    }


def moves(first: Lab) -> Iterator[tuple[str, Any]]:
    """Every control that is shown and can be moved, with each value that it does not have in the lesson."""
    for name in first.shown:
        now = first.now().get(name, {})
        fixed = now.get("hidden") or now.get("disabled")
        if name in first.CONTROLS and not first.CONTROLS[name].metadata.get("look") and not fixed:
            for value in choices(first, name)[1:]:
                yield name, value


def choices(lab: Lab, name: str) -> list:
    """The values at which a control lives, the one that it has now first."""
    control = lab.CONTROLS[name]
    element = control.element | lab.now().get(name, {})
    if "recorded" in control.metadata:
        values = control.metadata["recorded"]
    elif "options" in element:
        values = [value for _, value in element["options"]]
    elif "least" in element:
        values = range(element["least"], element["most"] + 1)
    else:  # a line to write in
        values = ()
    now = getattr(lab, name)
    return [now, *(value for value in values if value != now)]


def do(lab: Lab, event: str) -> None:
    """Do what an event of this name does: "press One step", "to 1,2,3" (a click) or "type 0,1 5L"."""
    kind, words = event.split(" ", 1)
    if kind == "type":
        to, typed = words.split(" ", 1)
        lab.hear({"to": to, "typed": typed})
    else:
        lab.hear({kind: words, "fields": {}})


class Recording:
    """The moments of a lab that were seen so far.

    What is done is not drawn. Only a new moment is drawn, once in each way in which it can be looked at.

    Attributes
    ----------
    lines : dict of str to int
        Every line of HTML, with its number.
    texts : dict of tuple to int
        Every text, as the numbers of its lines, with its own number.
    moments : list of dict
        For each moment its `states`, and where each event leads from there, `go`.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.pause = 0  # nobody watches
        lab.render = lambda: None
        self.lines: dict[str, int] = {}
        self.texts: dict[tuple[int, ...], int] = {}
        self.moments: list[dict[str, Any]] = []
        self.done: set[int] = set()  # the numbers of tasks that are done at some moment
        self._kept: list[tuple] = []  # the data and the controls of each moment
        self._by_state: dict[str, int] = {}  # the numbers of moments, by all that the lab says of its state
        self._by_looks: dict[str, int] = {}  # and by the way they look

    def moment(self) -> int:
        """The number of the moment at which the lab is now; moments that look the same are one."""
        said = self._said()
        if said not in self._by_state:
            kept = copy.deepcopy(self.lab.data), self._controls()
            states = list(self._states())
            looks = json.dumps(states)
            if looks not in self._by_looks:
                self._by_looks[looks] = len(self.moments)
                self.moments.append({"states": states, "go": {}})
                self._kept.append(kept)
            self._by_state[said] = self._by_looks[looks]
        return self._by_state[said]

    def back(self, number: int) -> Lab:
        """The lab, at a moment at which it has been."""
        data, controls = self._kept[number]
        self.lab.data = copy.deepcopy(data)
        self.lab.set_quietly(**controls)
        return self.lab

    def answers(self, number: int, events: Iterable[str]) -> dict[str, int]:
        """For each of these events, at a moment, the moment to which it leads."""
        found = {}
        for event in list(events):  # The lab changes meanwhile.
            do(self.back(number), event)
            found[event] = self.moment()
        return found

    def never_done(self) -> list[Task]:
        """The tasks that no moment shows as done."""
        return [task for number, task in enumerate(self.lab.tasks) if number not in self.done]

    def _said(self) -> str:
        """What the lab says of its state: all settings, and what the page shows for a moment only."""
        shown = {name: getattr(self.lab.data, name, None) for name in getattr(self.lab.data, "momentary", ("notice",))}
        return json.dumps([self.lab.settings, shown, self.lab.data is None])

    def _controls(self) -> dict[str, Any]:
        return {name: getattr(self.lab, name) for name in self.lab.CONTROLS}

    def _states(self) -> Iterator[dict[str, Any]]:
        """This moment, looked at in each way."""
        shown = {name: control for name, control in self.lab.CONTROLS.items() if name in self.lab.shown}
        looks = {name: choices(self.lab, name) for name, control in shown.items() if control.metadata.get("look")}
        for way in itertools.product(*looks.values()):
            for name, value in zip(looks, way):
                self.lab.set_quietly(**{name: value})
                self.lab.update(**self.lab.moved(name))  # Unlike a control that is moved, this keeps the notice.
            self.lab.done = set()  # A page remembers by itself what was done.
            type(self.lab).render(self.lab)
            self.done |= self.lab.done
            page = self._text(self.lab.page)
            frame = self._text(self.lab.frame)
            yield {"page": page, "frame": frame, "values": self._controls()}

    def _text(self, html: str) -> int:
        """The number of a text."""
        lines = tuple(self.lines.setdefault(line, len(self.lines)) for line in html.split("\n"))
        return self.texts.setdefault(lines, len(self.texts))
