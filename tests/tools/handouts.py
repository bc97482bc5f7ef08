"""The terminal sessions of the handouts: what is typed, and what is on the screen afterwards."""

from __future__ import annotations

import re

from paths import STORED

FOLDER = STORED / "handouts"
BALLS = (2, 2, 1, 3, 2, 2)  # what the computer draws in the handout, in order
SESSIONS = {
    "friends": "--menu friend",
    "refused": "--menu friend",
    "computer": "--menu computer",
    "trained": "--seed 1",  # after 100,000 games it finds each of the handout's moves by itself
}


def screen_and_answers(name: str) -> tuple[str, list[str]]:
    """The screen after a session of the handouts, word for word, and the answers that were typed."""
    screen = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return screen, re.findall(r"\? (.*)", screen)
