"""The hats lab for a page without Python: its game, its hats, and what has happened, as plain data.

The page draws the balls, plays and learns (docs/_static/live_hats.js). The browser supplies the random
numbers, so no two games are alike and a seed has no effect there.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from coinlib import Hats, solve

from ..base import looks
from ..base.pages import page
from ..base.sticks import rules_in_words
from ..base.tasks import say_needs_jupyter
from ..learning.hats_history import PARTNERS, Training
from ..learning.hats_lab import HatsLab
from ..learning.hats_state import HatsMatch, HatsState

CHANCE = """\
# The lab as it begins. From then on the browser draws the
# random numbers, so no code can repeat the same games.
"""


def hats_data(lab: HatsLab) -> dict[str, Any]:
    """Everything a page needs to continue from this state of the lab.

    Examples
    --------
    >>> found = hats_data(HatsLab(sticks=4, history=[("put", 4, 3, 2)]))
    >>> found["beginning"]["hats"], found["right"]
    ([[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 2]], [[], [1], [2], [3]])
    """
    state = lab.data
    hats = range(1, lab.sticks + 1)
    best = solve(state.game).best_moves
    match = state.on_table
    return {
        "settings": {name: getattr(lab, name) for name in lab.CONTROLS},
        "labels": {name: control.label for name, control in lab.CONTROLS.items()},
        "sticks": lab.sticks,
        "misere": state.game.misere,
        "rules": rules_in_words(state.game),
        "right": [[move.count for move in best((hat,))] for hat in hats],
        "partners": {name: {"name": each.name, "words": each.words} for name, each in PARTNERS.items()},
        "colours": looks.BALLS,
        "lights": looks.lights_up(hats),
        "frame": say_needs_jupyter(page("lab.html", program=CHANCE + lab.program, **lab.view), lab.tasks),
        "beginning": beginning(state, lab.sticks),
        "open": open_game(match) if match else None,
    }


def beginning(state: HatsState, sticks: int) -> dict[str, Any]:
    """What has happened in the lab, without the game on the table."""
    learner = state.players["itself"]
    last = state.entries[-1] if state.entries else None
    return {
        "begun": bool(state.entries),
        "hats": balls_in(learner, sticks),
        "twin": balls_in(state.players["twin"], sticks),
        "visits": [int(learner.visits[learner.table.row((hat,))]) for hat in range(1, sticks + 1)],
        "games": learner.games,
        "last": dataclasses.asdict(last) if isinstance(last, Training) else None,
        "played": state.played,
        "won": state.won,
        "story": state.story,
        "seen": state.seen,
        "ended": state.ended,
        "fresh": state.fresh,
    }


def balls_in(learner: Hats, sticks: int) -> list[list[int]]:
    """The balls in each hat, hat 1 first."""
    return [learner.balls[learner.table.row((hat,))].tolist() for hat in range(1, sticks + 1)]


def open_game(match: HatsMatch) -> dict[str, Any]:
    """An unfinished game: the partner, who moves first, and the takes of both sides."""
    return {"partner": match.partner, "first": match.first, "takes": [move.count for move in match.moves]}
