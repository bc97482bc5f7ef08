"""`coinlib sticks`: the Game of Sticks (misère play), with a friend or against a computer that learns."""

from __future__ import annotations

from numpy.random import SeedSequence

from coinlib.arena import Match, train
from coinlib.arguments import counted
from coinlib.games import CoinGame, State, sticks
from coinlib.learners import Hats

from .play import Program
from .talk import Page, Wanted, ask_number, ctrl_c_leaves, new_file, old_file, say

OPPONENTS = {  # by the menus of which each is the last
    "friend": "Play against a friend",
    "computer": "Play against the computer",
    "full": "Play against the trained computer",
}
FRIEND, TRAINED = 1, 3


def options(page: Page) -> None:
    page.choice("--menu", OPPONENTS, "the menu: a friend; or the computer; or the trained computer too", "full")
    page.number("--games", "that the trained computer has played before", default=100_000, least=0, most=10_000_000)
    page.switch("--show-hats", "print the computer's hats after each game")
    page.file("--load", old_file, "let the computer begin with the hats in a file")
    page.file("--save", new_file, "write the computer's hats to a file after each game")
    page.seed()


def run(wanted: Wanted) -> None:
    """Play the Game of Sticks (misère play) with a friend, or with a computer that learns."""
    say("Welcome to the game of sticks!")
    game = sticks(ask_number("How many sticks are there on the table initially (10-100)? ", 10, 100), max_pick=3)
    choice, offered = FRIEND, list(OPPONENTS).index(wanted.menu) + 1
    if offered > FRIEND:
        say("Options:")
        for number, words in zip(range(1, offered + 1), OPPONENTS.values()):
            say(f"{words} ({number})")
        choice = ask_number(f"Which option do you take (1-{offered})? ", 1, offered)
    computer = None if choice == FRIEND else practised(game, wanted, wanted.games if choice == TRAINED else 0)
    Sticks(game, (None, computer), wanted).run()


def practised(game: CoinGame, wanted: Wanted, games: int) -> Hats:
    """Hats that have learnt from so many games against other hats, each moving first in turn."""
    mine, theirs = SeedSequence(wanted.seed).spawn(2)
    hats = Hats(game, seed=mine)
    if wanted.load:
        hats.load(wanted.load)
    with ctrl_c_leaves():
        train(hats, Hats(game, seed=theirs), games=games, first="alternate")
    return hats


def is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


class Sticks(Program):
    """Player 1 against a friend, or against hats that learn from each game."""

    def __init__(self, game: CoinGame, seats: tuple, wanted: Wanted) -> None:
        super().__init__(game, seats)
        self.wanted = wanted

    def show(self, match: Match) -> None:
        (left,) = match.state
        say(f"\nThere {is_or_are(left)} {counted(left, 'stick')} on the board.")

    def ask(self, state: State, player: int) -> int:
        count, (left,) = ask_number(f"Player {player}: How many sticks do you take (1-3)? ", 1, 3), state
        if count > left:
            there = is_or_are(left)
            say(f"Only {counted(left, 'stick')} {there} left; taking more than there {there} takes all, and loses.")
        return min(count, left)

    def tell(self, match: Match) -> None:
        say(f"AI selects {match.moves[-1].count}")

    def end(self, match: Match) -> None:
        loser, hats = 3 - match.winner, self.seats[1]
        if hats is None:
            say(f"Player {loser}, you lose.")
            return
        say("You lose." if loser == 1 else "AI loses.")
        if self.wanted.show_hats:
            hats.show()
        if self.wanted.save:
            hats.save(self.wanted.save)

    def again(self) -> bool:
        return self.wanted.menu != "friend" and super().again()
