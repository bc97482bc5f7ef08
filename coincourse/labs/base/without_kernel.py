"""A lab on a page without a kernel: its still picture, and its description as plain data."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from .pages import page

DESCRIBED = "application/vnd.coinlib.lab+json"  # the MIME type of a description in a notebook
RUN_BUTTONS = ("Run", "Play", "Stop")  # The book's script presses other buttons instead, so these are not recorded.


def outputs(lab) -> dict[str, Any]:
    """What a notebook stores about a lab: the still picture, and the description if there is one."""
    found: dict[str, Any] = {"text/html": lab.still()}
    description = lab.described()
    if description:
        found[DESCRIBED] = description
    return found


def still_page(lab) -> str:
    """A lab as HTML: its settings as text, the picture, the code."""
    settings = []
    for name in lab.settings_in_still():
        control = lab.CONTROLS[name]
        settings.append(f"{control.label.lower()}: {control.words(getattr(lab, name))}")
    return page("still.html", lab=lab, settings=settings, picture=Markup(lab.picture_in_still()))


def described(lab) -> dict[str, Any] | None:
    """A lab as plain data, from which `book.page_data` recreates it; None if a setting is not plain data."""
    try:
        settings = json.loads(json.dumps(lab.arguments(), default=lab.plain_setting))
    except TypeError:
        return None
    return {"lab": type(lab).__name__, "controls": lab.shown, "settings": settings}
