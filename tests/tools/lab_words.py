"""What a lab shows, for tests without a browser: its words, its buttons, and what its code makes."""

from __future__ import annotations

import html
import json
import re


def words(page: str) -> str:
    """The text of a page on one line, without tags, styles and entities."""
    page = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    return " ".join(text.split())


def said(lab) -> str:
    """The text of a lab's page."""
    return words(lab.page)


def parts(lab) -> list[dict]:
    """The controls and rows of buttons that the front end draws."""
    return [*lab.view["above"], *lab.view["below"]]


def buttons(lab) -> dict[str, bool]:
    """Whether each button can be pressed, by its words."""
    found = {}
    for part in parts(lab):
        for button in part.get("buttons", ()):
            found[button["words"]] = not button["disabled"]
    return found


def data_of(program: str):
    """What a lab's program leaves in `data`."""
    names: dict = {}
    exec(program, names)  # noqa: S102 - what a student would paste
    return names["data"]


def position(board) -> dict:
    """The position from which the front end makes the board."""
    return json.loads(html.unescape(re.fullmatch(r"<div data-board='([^']*)'></div>", board.page)[1]))
