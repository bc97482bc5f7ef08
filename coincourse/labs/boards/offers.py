"""The menus of a board: named games and opponents, and those set from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from coinlib import named
from coinlib.arguments import one_of
from coinlib.games import SCENARIOS, CoinGame, Game, as_game, has_rows

from ..base.controls import Control
from .plain_data import opponent_from_data
from .words import words_for

PERSON = "person"
ON_THE_MENU = ("random", "take one", "search", "perfect")
OPPONENTS = {name: named.AGENTS[named.canonical_name(name)].words for name in ON_THE_MENU}
OPPONENTS[PERSON] = "another person"
A_GAME = f"a game such as sticks(20), or one of {', '.join(SCENARIOS)}"
AN_OPPONENT = f"{', '.join(map(repr, OPPONENTS))} or a function (game, state) -> move"


class Offered(Control):
    """A menu of named things; anything set from Python is offered from then on.

    Parameters
    ----------
    label, explanation, default, expected, read
        As in `Control`.
    name : function (thing) -> str
        The words in the menu.
    """

    def __init__(self, label: str, explanation: str, default, expected: str, read, name) -> None:
        super().__init__(label, explanation, default, expected, read, kind="menu")
        self.called = name
        self.tag(to_json=lambda thing, board: name(thing))
        self.tag(from_json=lambda chosen, board: board.choice(self.name, chosen))

    def validate(self, board, value) -> Any:
        """Called by traitlets whenever the attribute is set."""
        thing = super().validate(board, value)
        board.offered[self.name][self.called(thing)] = thing
        return thing


def game_name(game: Game) -> str:
    """The name of a game in the menu."""
    return words_for(game).name


def read_board_game(asked: Game | str | Mapping[str, Any]) -> Game:
    """A game, the name of a scenario, or a game of coins as plain data."""
    if isinstance(asked, Mapping):
        return CoinGame(**asked)
    return as_game(asked)


def read_opponent(asked: str | Callable | Mapping[str, Any]) -> str | Callable:
    """An agent, the name of one, or a rule or a search as plain data."""
    if isinstance(asked, Mapping):
        return opponent_from_data(asked)
    if callable(asked) and not isinstance(asked, type):
        return asked
    return one_of(str(asked).replace("_", " "), "opponent", list(OPPONENTS))


def strangers(game: Game) -> tuple[str, ...]:
    """The opponents that cannot play this game."""
    return () if has_rows(game) else ("take one",)


def has_endings(game: Game) -> bool:
    """Whether a game is a game of coins with both endings."""
    return has_rows(game) and hasattr(game, "misere")


def ending_of(game: Game) -> str:
    """The ending of a game of coins, as in the menu."""
    return "misere" if getattr(game, "misere", True) else "normal"


def with_ending(game: Game, ending: str) -> Game:
    """A game of coins with this ending; any other game unchanged."""
    return replace(game, misere=ending == "misere") if has_endings(game) else game
