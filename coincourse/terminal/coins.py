"""`coinlib coins`: any rows of coins, either ending, between people, machines or both."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from numpy.random import SeedSequence

from coinlib import named
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, CoinGame, State
from coinlib.match import Match

from .play import Program
from .talk import ask, say

PERSON = "person"
PLAYERS = {PERSON: "asks somebody", **{name: agent.words for name, agent in named.AGENTS.items()}}
BOUNDS = {name: f"rows of {list(game.rows)}, at most {game.max_pick} a turn" for name, game in SCENARIOS.items()}
Player = Annotated[str, "player", PLAYERS]
Scenario = Annotated[str | None, "scenario", BOUNDS]


def run(
    scenario: Scenario = None,
    *,
    rows: str = "",
    max_pick: int | None = None,
    normal: bool = False,
    first: Player = PERSON,
    second: Player = "perfect",
    games: int = 0,
    alternate: bool = False,
    practice: int = 100_000,
    seed: int | None = None,
) -> None:
    """Play a scenario of The Coin Game, or rows of your own: people, machines or both.

    Parameters
    ----------
    scenario : str
        Its name.
    rows : str
        Rows of your own in place of a scenario, such as 1,3,5,7.
    max_pick : int, optional
        The most coins a turn (default: the scenario's; with --rows any number).
    normal : bool
        Normal play: who takes the last coin wins, not loses.
    first : str
        Who moves first.
    second : str
        The other player.
    games : int
        Two machines: play so many games and count.
    alternate : bool
        Two machines: each moves first in turn (1000 games without --games).
    practice : int
        Games that hats and qlearner have played before.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    if bool(scenario) == bool(rows):
        raise ValueError("expected either a scenario or --rows")
    game = SCENARIOS[scenario] if scenario else CoinGame(tuple(map(int, rows.split(","))), max_pick=None)
    game = CoinGame(game.rows, game.max_pick if max_pick is None else max_pick, misere=not normal)
    names, many = (first, second), games or alternate
    if PERSON in names and many:
        raise ValueError("--games and --alternate are for two machines; choose --first and --second without a person")
    seats = [
        None if name == PERSON else named.agent(name, game, own, practice)
        for name, own in zip(names, SeedSequence(seed).spawn(2))
    ]
    say(rules(game))
    if many:
        count(game, seats, names, games or 1_000, alternate)
    else:
        Coins(game, seats, names).run()


def rules(game: CoinGame) -> str:
    """What may be taken from what, and who wins, in two sentences."""
    most = f"1 to {game.max_pick} coins" if game.max_pick else "any number of coins"
    rows = f"{'Row' if len(game.rows) == 1 else 'Rows'} of {', '.join(map(str, game.rows))}"
    last = f"{game.ending.capitalize()}: who takes the last coin {'loses' if game.misere else 'wins'}."
    return f"{rows}: take {most} from one row. {last}"


class Coins(Program):
    """People are asked, and told of what machines do."""

    def show(self, match: Match) -> None:
        say()
        for row, held in enumerate(match.state):
            say(f"{self.row_name(row):>8}: {held:>3}  {'o' * held}".rstrip())

    def row_name(self, row: int) -> str:
        """What a row is called."""
        return f"row {row}"

    def answer(self, state: State, player: int) -> str:
        question = "How many coins do you take" if len(state) == 1 else "Which row, and how many coins, such as 0 1"
        return ask(f"Player {player}: {question}? ")

    def tell(self, match: Match) -> None:
        player, (row, taken) = 3 - match.turn, match.moves[-1]
        say(f"Player {player} ({self.names[player - 1]}) takes {taken} from {self.row_name(row)}.")

    def end(self, match: Match) -> None:
        if self.seats.count(None) == 1:
            self.won.append(self.seats[match.winner - 1] is None)
        say((f"Player {match.winner} wins: {match.reason}.", "bold"))

    def again(self) -> bool:
        return None in self.seats and super().again()


def count(game: CoinGame, machines: list, names: tuple[str, str], games: int, alternate: bool) -> None:
    """Many games between two machines, counted for each."""
    found = evaluate(game, *machines, games=games, first="alternate" if alternate else "agent")
    other = replace(found, wins=found.losses, forfeits=found.opponent_forfeits)
    say(f"{found.games:,} games, {'the first move alternates' if alternate else 'player 1 moves first'}.")
    for player, (name, side) in enumerate(zip(names, (found, other)), 1):
        lost = f"; {side.forfeits:,} forfeited by an illegal move" if side.forfeits else ""
        rate = f"{side.win_rate:.1%}, 95 % interval {side.low:.1%} to {side.high:.1%}"
        say(f"player {player}, {name}: {side.wins:,} won ({rate}){lost}")
    if found.error:
        say(f"stopped: {found.error}")
