"""`coinlib nim`: three piles of coins, normal play, against a player that never makes a mistake."""

import re

from coinlib.agents import PerfectAgent
from coinlib.arguments import counted
from coinlib.games import IllegalMove, Move, State, three_piles, up_to
from coinlib.solvers import solve
from coinlib.words import read_words

from .coins import Coins, rules
from .pages import Page, Typed, whole
from .talk import ask, say

PILES = ("nickels", "dimes", "quarters")


def options(page: Page) -> None:
    """Add the arguments of `coinlib nim`."""
    for pile in PILES:
        page.add_argument(pile, type=whole(0), help=f"Number of {pile}")
    page.add_flag("--second", "Let the computer make the first move")
    page.add_seed()


def run(typed: Typed) -> None:
    """Play three piles (normal play) against a computer that never makes a mistake."""
    game = three_piles(typed.nickels, typed.dimes, typed.quarters)
    solve(game)  # before anything is printed, since the solver may have to be compiled first
    computer = PerfectAgent(typed.seed)
    say("Three piles: n nickels, d dimes and q quarters.")
    say(rules(game, "pile"))
    if typed.second:
        Nim(game, (computer, None), ("computer", "you")).run()
    else:
        Nim(game, (None, computer), ("you", "computer")).run()


class Nim(Coins):
    """Three piles against perfect play, with a forecast before each game and a remark after each mistake."""

    def begin(self) -> None:
        state = self.game.start
        winning = self.winning_moves(state)
        if self.game.is_over(state):
            forecast = "has no coins to take, and so has lost"
        elif winning:
            forecast = f"can force a win: {winning}"
        else:
            forecast = "cannot force a win. Every move leaves the other player a win"
        say(f"\n{state}: the first player {forecast}.")

    def row_name(self, row: int) -> str:
        return PILES[row]

    def ask(self, state: State, player: int) -> Move:
        while True:
            answer = ask(f"Player {player}: Which pile, and how many coins, such as n 1? ")
            move = self.read(answer)
            if move in self.game.legal_moves(state):
                break
            say(why_not(state, answer, move))
        winning = self.winning_moves(state)
        if winning and move not in solve(self.game).best_moves(state):
            say(("That was a mistake.", "red"), f" You could have won: {winning}.")
        return move

    def read(self, answer: str) -> Move | None:
        """Return the move for an answer such as "n 1", "nickels 1" or "0 1", or None."""
        named = re.fullmatch(r"([a-z]+) *([0-9]+)", answer.strip().lower())
        rows = [row for row, pile in enumerate(PILES) if named and pile.startswith(named[1])]
        try:
            return read_words(self.game, f"{rows[0]} {named[2]}" if rows else answer)
        except IllegalMove:
            return None

    def winning_moves(self, state: State) -> str:
        """Return the winning moves in a state and what they leave, as text; "" if there are none."""
        parts = []
        for move in solve(self.game).best_moves(state):
            left = self.game.play(state, move)
            parts.append(f"take {move.count} from {PILES[move.row]}, leaving {left}")
        return ", or ".join(parts)


def why_not(state: State, answer: str, move: Move | None) -> str:
    """Return why an answer is not a legal move, with the names of the piles."""
    if move is None or move.row >= len(PILES):
        return f"Expected a pile (n, d or q) and a number of coins, got {answer[:40]!r}."
    held = state[move.row]
    holds = f"The pile of {PILES[move.row]} holds {counted(held, 'coin')}"
    return f"{holds}; asked to take {move.count} (legal: {up_to(held)})."
