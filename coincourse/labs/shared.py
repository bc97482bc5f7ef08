"""What the labs about learners share: the game they play, its words, colours, and linked highlighting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from markupsafe import Markup

import coinlib
from coinlib.games import CoinGame
from coinlib.games import sticks as make_sticks
from coinlib.learners import Learner
from coinlib.match import Match
from coinlib.plots.look import BLUE, INK, ORANGE, SKY  # noqa: F401 - for all labs
from coinlib.plots.memory import MOVE_LOOKS
from coinlib.training import train

from .controls import Control, menu

BALLS = tuple(colour for colour, _ in MOVE_LOOKS[:5])  # of balls 1, 2, 3, ..., as in the plots
WON = "#D6EBF8"  # a light sky blue, which dark ink can be read on
NAMED = {  # what programs of labs call, by where it is imported from
    "coinlib": {name for name, thing in vars(coinlib).items() if callable(thing)},
    "coinlib.agents": {"take_one"},
    "coinlib.search": {"SearchAgent"},
    "coinlib.theory": {"grundy", "nim_sum"},
}
LIGHT = "rgba(86, 180, 233, 0.35)"


def ending(default: str = "misere", thing: str = "stick") -> Control:
    """The control that chooses who wins: misère or normal play."""
    return menu(
        "Ending",
        f"Who takes the last {thing}: loses (misère play) or wins (normal play).",
        [(f"misère play: last {thing} loses", "misere"), (f"normal play: last {thing} wins", "normal")],
        default,
    )


def make_game(sticks: int, max_take: int, ending: str) -> CoinGame:
    """The game that the settings of a lab describe."""
    return make_sticks(sticks, max_pick=max_take, misere=ending == "misere")


def game_code(sticks: int, max_take: int, ending: str) -> str:
    """The line of coinlib that makes the same game."""
    last = "loses" if ending == "misere" else "wins"
    return f"game = sticks({sticks}, max_pick={max_take}, misere={ending == 'misere'})    # who takes the last stick {last}"


def rules(game: CoinGame) -> str:
    """A game of sticks in words."""
    return f"{so_many(game.rows[0], 'stick')}, take {span(range(1, game.max_pick + 1))}. {last_one(game, 'stick')}"


def last_one(game: CoinGame, thing: str) -> str:
    """What the last stick or coin means."""
    return f"{game.ending.capitalize()}: who takes the last {thing} {'loses' if game.misere else 'wins'}."


def span(counts: Sequence[int]) -> str:
    """Counts that follow each other: "1", "1 or 2", "1 to 7"."""
    if len(counts) == 1:
        return str(counts[0])
    return f"{counts[0]} {'or' if len(counts) == 2 else 'to'} {counts[-1]}"


def so_many(number: int, noun: str) -> str:
    """A number with its noun, large numbers in groups of three: "1 game", "1,000 games"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def percent(share: float) -> str:
    """A share in whole percent; less than all is never 100 %, more than nothing never 0 %.

    Examples
    --------
    >>> [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)]    # with a space at which no line breaks
    ['0\\xa0%', '1\\xa0%', '50\\xa0%', '99\\xa0%', '100\\xa0%']
    """
    whole = round(100 * share)
    return f"{whole if share in (0, 1) else min(max(whole, 1), 99)}\N{NO-BREAK SPACE}%"


def go_on(learner: Learner, opponent, games: int, first: str, done: int) -> np.ndarray:
    """Train for so many games more, where `done` games of the same training are over; the result of each as in `train`.

    Examples
    --------
    >>> from coinlib import Hats, RandomAgent, sticks
    >>> hats, other = Hats(sticks(1)), RandomAgent()    # with one stick who moves first loses
    >>> go_on(hats, other, 3, "alternate", done=5)
    array([ 1, -1,  1], dtype=int8)
    """
    odd = min(games, done % 2) if first == "alternate" else 0  # it is the opponent's turn to begin
    parts = [("opponent", odd), (first, games - odd)]
    return np.concatenate([train(learner, opponent, part, first=who).result for who, part in parts])


def turns_of(match: Match) -> list[tuple[int, int]]:
    """The sticks and the take of each turn of a match."""
    return [(state[0], move.count) for state, move in zip(match.states, match.moves)]


def with_imports(program: str) -> str:
    """A program, and before it the lines that import what it calls of coinlib.

    Examples
    --------
    >>> with_imports("game = sticks(10)")
    'from coinlib import sticks\\n\\ngame = sticks(10)'
    """
    called = set(re.findall(r"\w+(?=\()|take_one", program))
    found = {room: sorted(called & names) for room, names in NAMED.items()}
    imports = [f"from {room} import {', '.join(names)}\n" for room, names in found.items() if names]
    return f"{''.join(imports)}\n{program}"


def lights_up(numbers: Iterable[int]) -> Markup:
    """A style: what has the class n7 lights up together when one of its parts is pointed at or has the focus."""
    lit = ", ".join(f".coin-lab:has(.n{n}:is(:hover, :focus)) .n{n}" for n in numbers)
    return Markup(f"<style>{lit} {{ --lit: {LIGHT}; --edge: currentColor }}</style>")
