"""Labs that live in the web book: what a reader can do there is done here first, and the answers travel with the page.

A *recording* is all that the front end would hear from Python: the states of a lab, each with its page, and which
event leads from which state to which. A page without a kernel answers from it (docs/_static/living.js).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from coincourse import labs

from .lab import Lab
from .lives import Event, Life, life_of
from .pages import page


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
    """The states of a lab that were seen so far, each with its picture, and what leads from one to another."""

    def __init__(self, lab: Lab, life: Life) -> None:
        self.lab, self.life = lab, life
        self.lines: dict[str, int] = {}  # every line of HTML once
        self.texts: dict[tuple[int, ...], int] = {}  # of lines
        self.states: list[dict[str, Any]] = []
        self.moments: list[tuple] = []  # from which the lab goes on: its data, and the values of its controls
        self.known: dict[tuple, int] = {}

    def text(self, html: str) -> int:
        """The number of a text."""
        lines = tuple(self.lines.setdefault(line, len(self.lines)) for line in html.split("\n"))
        return self.texts.setdefault(lines, len(self.texts))

    def state(self) -> int:
        """The number of the state in which the lab is now."""
        lab = self.lab
        values = {name: getattr(lab, name) for name in lab.CONTROLS}
        seen = (self.text(lab.page), self.text(lab.frame), *values.values())
        if seen not in self.known:
            self.known[seen] = len(self.states)
            self.moments.append((copy.deepcopy(lab.data), values))
            self.states.append({"page": seen[0], "frame": seen[1], "values": values, "go": {}} | self._playing())
        return self.known[seen]

    def _playing(self) -> dict[str, int]:
        """The frame while the lab runs, where it can."""
        if not self.life.runs:
            return {}
        self.lab.running = True
        frame = page("lab.html", program=self.lab.program, **self.lab.describe())
        self.lab.running = False
        return {"playing": self.text(frame)}

    def back(self, number: int) -> Lab:
        """The lab, in a state in which it has been."""
        data, values = self.moments[number]
        self.lab.data = copy.deepcopy(data)
        self.lab.follow(**values)
        return self.lab

    def after(self, number: int, event: Event) -> int:
        """The state to which an event leads."""
        lab = self.back(number)
        if "set" in event:
            setattr(lab, event["set"], event["value"])
        elif "settings" in event:
            lab.change(**event["settings"])
        else:
            lab.hear({"fields": {}} | event)
        return self.state()

    def answers(self, number: int, events: Iterable[Event]) -> dict[str, int]:
        """For each of these events by name the state to which it leads."""
        found: dict[str, int] = {}
        for event in events:
            found |= dict.fromkeys(names_of(event), self.after(number, event))
        return found

    def plain(self) -> dict[str, Any]:
        """Lines, texts and states as plain data."""
        return {"lines": list(self.lines), "texts": list(self.texts), "states": self.states}


def names_of(event: Event) -> Iterator[str]:
    """What an event is called in a recording; one that is a press and a click alike has two names."""
    if "set" in event:
        yield f"set {event['set']} {json.dumps(event['value'])}"
    if "press" in event:
        yield f"press {event['press']}"
    if "to" in event:
        yield f"type {event['to']} {event['typed']}" if "typed" in event else f"to {event['to']}"


def record(lab: Lab) -> dict[str, Any]:
    """Everything that a page without a kernel needs to let a lab live, as plain data."""
    life, first = life_of(lab), again(lab.described())
    recording = Recording(again(lab.described()), life)
    recording.lab.pause = 0  # nobody watches
    start = recording.state()
    anywhere = recording.answers(start, life.anywhere(first))
    for event in life.moves(first):
        recording.after(start, event)
    for number, state in enumerate(recording.states):  # it grows meanwhile
        state["go"] = recording.answers(number, list(life.events(recording.back(number), first)))
    labels = {name: control.label for name, control in lab.CONTROLS.items()}
    about = {
        "labels": labels,
        "pause": lab.pause,
        "past": life.past,
        "runs": life.runs,
        "begins_again": life.begins_again,
    }
    return recording.plain() | {"anywhere": anywhere, "tells": life.tells(first), "counts": life.counts} | about
