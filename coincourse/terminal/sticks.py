"""`coinlib sticks`: the Game of Sticks (misère play), with a friend or against a computer that learns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from numpy.random import SeedSequence

from coinlib.arguments import counted
from coinlib.games import CoinGame, State, sticks
from coinlib.learners import Hats
from coinlib.match import Match
from coinlib.training import train

from .play import Program
from .talk import ask_number, say

OPPONENTS = {  # by the menus of which each is the last
    "friend": "Play against a friend",
    "computer": "Play against the computer",
    "full": "Play against the trained computer",
}
FRIEND, TRAINED = 1, 3
Menu = Annotated[str, "menu", OPPONENTS]


def run(
    *,
    menu: Menu = "full",
    games: int = 100_000,
    show_hats: bool = False,
    load: Path | None = None,
    save: Path | None = None,
    seed: int | None = None,
) -> None:
    """Play the Game of Sticks (misère play) with a friend, or with a computer that learns.

    Parameters
    ----------
    menu : str
        Who can be chosen: everybody down to this one.
    games : int
        Games that the trained computer has played before.
    show_hats : bool
        Print the computer's hats after each game.
    load : Path, optional
        Let the computer begin with the hats in a file.
    save : Path, optional
        Write the computer's hats to a file after each game.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    say("Welcome to the game of sticks!")
    game = sticks(ask_number("How many sticks are there on the table initially (10-100)? ", 10, 100), max_pick=3)
    choice, offered = FRIEND, list(OPPONENTS).index(menu) + 1
    if offered > FRIEND:
        say("Options:")
        for number, words in zip(range(1, offered + 1), OPPONENTS.values()):
            say(f"{words} ({number})")
        choice = ask_number(f"Which option do you take (1-{offered})? ", 1, offered)
    mine, theirs = SeedSequence(seed).spawn(2)
    hats = None if choice == FRIEND else Hats(game, seed=mine)
    if hats and load:
        hats.load(load)
    if choice == TRAINED:
        train(hats, Hats(game, seed=theirs), games=games, first="alternate")
    Sticks(game, (None, hats), show_hats, save).run()


class Sticks(Program):
    """Player 1 against a friend, or against hats that learn from each game."""

    def __init__(self, game: CoinGame, seats: tuple, show_hats: bool, save: Path | None) -> None:
        super().__init__(game, seats)
        self.show_hats, self.save = show_hats, save

    def show(self, match: Match) -> None:
        (left,) = match.state
        say(f"\nThere {'is' if left == 1 else 'are'} {counted(left, 'stick')} on the board.")

    def ask(self, state: State, player: int) -> int:
        count, (left,) = ask_number(f"Player {player}: How many sticks do you take (1-3)? ", 1, 3), state
        if count > left:
            say(f"Only {counted(left, 'stick')} left: who takes more takes all, and loses.")
        return min(count, left)

    def tell(self, match: Match) -> None:
        say(f"AI selects {match.moves[-1].count}")

    def end(self, match: Match) -> None:
        loser, hats = 3 - match.winner, self.seats[1]
        if hats is None:
            say(f"Player {loser}, you lose.")
            return
        say("You lose." if loser == 1 else "AI loses.")
        if self.show_hats:
            hats.show()
        if self.save:
            hats.save(self.save)

    def again(self) -> bool:
        return self.seats[1] is not None and super().again()
