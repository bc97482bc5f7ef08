"""Labs that live in the web book: what a reader can do there is done here first, and the answers travel with the page.

A *recording* holds the moments of a lab, which event leads from which moment to which, and how each moment looks: some
controls change nothing but the picture, so a moment has a *state* for each of their values. A page without a kernel
answers from it (docs/_static/living.js).
"""

from __future__ import annotations

import itertools
import json
import pickle
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from unittest.mock import patch

from coincourse import labs

from . import prediction
from .lab import Lab


def again(described: Mapping[str, Any]) -> Lab:
    """The lab that has described itself.

    Examples
    --------
    >>> from coincourse.labs import QLab
    >>> lab = QLab(games=10, controls=["games", "seed"])
    >>> again(lab.described()).described() == lab.described()
    True
    """
    lab = getattr(labs, described["lab"])(**described["settings"])
    lab.shown = list(described["controls"])
    lab.redraw()
    return lab


class Recording:
    """The moments of a lab that were seen so far.

    What is done is not drawn: only a new moment is, once in each way in which it can be looked at.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.pause = 0  # nobody watches
        lab.redraw = lambda: None
        self.lines: dict[str, int] = {}  # every line of HTML once
        self.texts: dict[tuple[int, ...], int] = {}  # of lines
        self.moments: list[dict[str, Any]] = []
        self.kept: list[bytes] = []  # what the lab needs to go on from each moment
        self.known: dict[bytes | str, int] = {}  # moments by what was kept, and by their looks

    def moment(self) -> int:
        """The number of the moment at which the lab is now; moments that look the same are one."""
        kept = pickle.dumps(
            pickle.loads(pickle.dumps((self.lab.data, self._values())))
        )  # so equal things come out equal
        if kept not in self.known:
            states = list(self._states())
            looks = json.dumps(states)
            if looks not in self.known:
                self.known[looks] = len(self.moments)
                self.moments.append({"states": states, "go": {}})
                self.kept.append(kept)
            self.known[kept] = self.known[looks]
        return self.known[kept]

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self.lab, name) for name in self.lab.CONTROLS}

    def _states(self) -> Iterator[dict[str, Any]]:
        """This moment, looked at in each way."""
        looks = {name: choices(self.lab, name) for name in self.lab.LOOKS if name in self.lab.shown}
        for way in itertools.product(*looks.values()):
            for name, value in zip(looks, way):
                self.lab.follow(**{name: value})
                self.lab.moved(name)  # and what was said stays
            type(self.lab).redraw(self.lab)
            yield {"page": self._text(self.lab.page), "frame": self._text(self.lab.frame), "values": self._values()}

    def _text(self, html: str) -> int:
        """The number of a text."""
        lines = tuple(self.lines.setdefault(line, len(self.lines)) for line in html.split("\n"))
        return self.texts.setdefault(lines, len(self.texts))

    def back(self, number: int) -> Lab:
        """The lab, at a moment at which it has been."""
        self.lab.data, values = pickle.loads(self.kept[number])
        self.lab.follow(**values)
        return self.lab

    def answers(self, number: int, events: Iterable[str]) -> dict[str, int]:
        """For each of these events, at a moment, the moment to which it leads."""
        found = {}
        for event in list(events):  # the lab changes meanwhile
            with patch.dict(prediction.FIRST):  # what is chosen first would be kept for good
                do(self.back(number), event)
            found[event] = self.moment()
        return found


def do(lab: Lab, event: str) -> None:
    """What an event of this name does, "press One step", "to 1,2,3" (a click) or "type 0,1 5L"."""
    kind, words = event.split(" ", 1)
    if kind == "type":
        to, typed = words.split(" ", 1)
        lab.hear({"to": to, "typed": typed})
    else:
        lab.hear({kind: words, "fields": {}})


def choices(lab: Lab, name: str) -> list:
    """The values at which a control lives, the one that it has now first."""
    control = lab.CONTROLS[name]
    element = control.element | lab.now().get(name, {})
    if "recorded" in control.metadata:
        values = control.metadata["recorded"]
    elif "options" in element:
        values = [value for _, value in element["options"]]
    else:
        values = range(element.get("least", 0), element.get("most", -1) + 1)  # of what is typed, none
    return [getattr(lab, name), *(value for value in values if value != getattr(lab, name))]


def moves(first: Lab) -> Iterator[tuple[str, Any]]:
    """Every control that is shown and can be moved, with each of its values but for the one that the lesson has."""
    for name in first.shown:
        now = first.now().get(name, {})
        if name in first.CONTROLS and name not in first.LOOKS and not (now.get("hidden") or now.get("disabled")):
            yield from ((name, value) for value in choices(first, name)[1:])


def record(lab: Lab) -> dict[str, Any]:
    """Everything that a page without a kernel needs to let a lab live, as plain data."""
    first = again(lab.described())
    recording = Recording(again(lab.described()))
    start = recording.moment()
    anywhere = recording.answers(start, first.anywhere())
    for name, value in moves(first):
        setattr(recording.back(start), name, value)
        recording.moment()
    for number, moment in enumerate(recording.moments):  # it grows meanwhile
        moment["go"] = recording.answers(number, recording.back(number).events(first))
    return {
        "lines": list(recording.lines),
        "texts": list(recording.texts),
        "moments": recording.moments,
        "anywhere": anywhere,
        "labels": {name: control.label for name, control in lab.CONTROLS.items()},
        "pause": lab.pause,
        "runs": [lab.step_name],
        "tells": {},
    }
