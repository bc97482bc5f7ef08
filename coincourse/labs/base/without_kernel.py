"""A lab without a kernel: its still picture, its description as plain data, and how far it is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import Markup

from .pages import page

DESCRIBED = "application/vnd.coinlib.lab+json"  # of the description that a notebook stores
RUNS = ("Run", "Play", "Stop")  # these buttons press others, so they are not recorded


class WithoutKernel:
    """What every lab says where no Python runs; a part of `Lab`."""

    # --- a still picture

    def still(self) -> str:
        """The lab as a page without a kernel shows it: settings in words, picture, code."""
        settings = []
        for name in self.named_in_still():
            control = self.CONTROLS[name]
            settings.append(f"{control.label.lower()}: {control.words(getattr(self, name))}")
        return page("still.html", lab=self, settings=settings, picture=Markup(self.drawn_still()))

    def named_in_still(self) -> list[str]:
        """The settings that a still picture names."""
        now = self.now()
        return [name for name in self.CONTROLS if not now.get(name, {}).get("hidden")]

    def drawn_still(self) -> str:
        """The picture of a page without a kernel."""
        return self.page

    # --- plain data

    def described(self) -> dict[str, Any] | None:
        """The lab as plain data, for `again` in `book.living`; None where a setting is no plain data."""
        try:
            settings = json.loads(json.dumps(self.kept(), default=self.plain))
        except TypeError:
            return None
        return {"lab": type(self).__name__, "controls": self.shown, "settings": settings}

    def kept(self) -> dict[str, Any]:
        """All that makes the lab again: what its class is called with."""
        return self.settings | ({"tasks": self.tasks} if self.tasks else {})

    def plain(self, setting) -> Any:
        """A setting as plain data, from which the lab can be made again; TypeError if there is none."""
        raise TypeError(f"{setting!r} is no plain data")

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        data = {**data, "text/html": self.still()}
        described = self.described()
        if described:
            data[DESCRIBED] = described
        return data, metadata

    # --- what the web book records

    def events(self, first) -> Iterator[str]:
        """What a page without Python can do now: press each button that asks for no more than a press.

        `first` is the lab as the lesson has it. What is recorded ends where no event leads to a new moment.
        The names of events are those of `do` in `book.recording`.
        """
        for row in self.offered_rows().values():
            for button in row.buttons:
                if not row.fields and button.words not in RUNS:
                    yield f"press {button.words}"

    def anywhere(self) -> Iterable[str]:
        """The events that lead to the same moment from wherever they come."""
        return ()

    def events_of_run(self) -> list[str]:
        """The events of which "Run" makes the first that leads on, again and again."""
        return [f"press {self.step_name}"]

    def tells(self) -> dict[str, bool]:
        """What the buttons of this lab tell the others on the page: whether each answer is right."""
        return {}
