"""`coinlib sticks`: the Game of Sticks (misère play), with a friend or against a computer that learns."""

from pathlib import Path

from numpy.random import SeedSequence

from coinlib.arguments import counted
from coinlib.games import CoinGame, State, sticks
from coinlib.learners import Hats
from coinlib.match import Match
from coinlib.training import train

from .pages import Page, Typed, file_to_read, file_to_write, whole
from .program import Program
from .talk import ask_number, say

OPPONENTS = {  # A menu offers one of these and all those before it.
    "friend": "Play against a friend",
    "computer": "Play against the computer",
    "full": "Play against the trained computer",
}


def options(page: Page) -> None:
    """Add the arguments of `coinlib sticks`."""
    words = "The last opponent on the menu"
    page.add_choice("--menu", "MENU", OPPONENTS, words, default="full")
    page.add_option("--games", whole(0), "Training games before you start", default=100_000)
    page.add_flag("--show-hats", "Print the computer's hats after each game")
    page.add_option("--load", file_to_read, "Load the computer's hats from a file")
    page.add_option("--save", file_to_write, "Save the computer's hats to a file after each game")
    page.add_seed()


def run(typed: Typed) -> None:
    """Play the Game of Sticks (misère play) with a friend, or with a computer that learns."""
    if typed.menu == "full":
        # This compiles the training now, so that nothing interrupts the session later.
        train(Hats(sticks(2), seed=1), Hats(sticks(2), seed=2), games=1)
    say("Welcome to the game of sticks!")
    count = ask_number("How many sticks are there on the table initially (10-100)? ", 10, 100)
    game = sticks(count, max_pick=3)
    opponent = _choose_opponent(typed.menu)
    hats = None
    if opponent != "friend":
        mine, theirs = SeedSequence(typed.seed).spawn(2)
        hats = Hats(game, seed=mine)
        if typed.load:
            hats.load(typed.load)
        if opponent == "full":
            train(hats, Hats(game, seed=theirs), games=typed.games, first="alternate")
    Sticks(game, (None, hats), typed.show_hats, typed.save).run()


def _choose_opponent(menu: str) -> str:
    """Ask for an opponent from a menu, and return its key in OPPONENTS."""
    if menu == "friend":
        return menu
    names = list(OPPONENTS)
    offered = names[: names.index(menu) + 1]
    say("Options:")
    for number, name in enumerate(offered, 1):
        say(f"{OPPONENTS[name]} ({number})")
    choice = ask_number(f"Which option do you take (1-{len(offered)})? ", 1, len(offered))
    return offered[choice - 1]


class Sticks(Program):
    """Player 1 against a friend, or against hats that learn from each game."""

    def __init__(self, game: CoinGame, seats: tuple, show_hats: bool, save: Path | None) -> None:
        super().__init__(game, seats)
        self.show_hats = show_hats
        self.save = save

    def show(self, match: Match) -> None:
        (left,) = match.state
        verb = "is" if left == 1 else "are"
        say(f"\nThere {verb} {counted(left, 'stick')} on the board.")

    def ask(self, state: State, player: int) -> int:
        (left,) = state
        count = ask_number(f"Player {player}: How many sticks do you take (1-3)? ", 1, 3)
        if count > left:
            say(f"Only {counted(left, 'stick')} left: taking more takes them all, and loses.")
        return min(count, left)

    def tell(self, match: Match) -> None:
        say(f"AI selects {match.moves[-1].count}")

    def end(self, match: Match) -> None:
        loser = 3 - match.winner
        hats = self.seats[1]
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
