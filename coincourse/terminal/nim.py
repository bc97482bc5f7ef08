"""`coinlib nim`: three piles of coins, normal play, against a player that never errs."""

from __future__ import annotations

import re

from coinlib.agents import PerfectAgent
from coinlib.games import Move, State, three_piles
from coinlib.solvers import solve

from .coins import Coins, rules
from .talk import ask, say

PILES = ("nickels", "dimes", "quarters")
ROWS = str.maketrans({"n": "0 ", "d": "1 ", "q": "2 "})  # "n 2" is 2 from row 0


def run(nickels: int, dimes: int, quarters: int, *, second: bool = False, seed: int | None = None) -> None:
    """Play three piles (normal play) against a computer that never errs.

    Parameters
    ----------
    nickels : int
        How many nickels.
    dimes : int
        How many dimes.
    quarters : int
        How many quarters.
    second : bool
        Let the computer make the first move.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    game, computer = three_piles(nickels, dimes, quarters), PerfectAgent(seed)
    say("Three piles: n nickels, d dimes and q quarters.")
    say(rules(game))
    seats, names = ((computer, None), ("computer", "you")) if second else ((None, computer), ("you", "computer"))
    Nim(game, seats, names).run()


class Nim(Coins):
    """Rows of coins against perfect play: the forecast before each game, and a word where somebody errs."""

    def begin(self) -> None:
        forecast = "cannot force a win. Every move leaves the other player a win."
        if winning := self.winning_moves(self.game.start):
            forecast = f"can force a win: {winning}."
        say(f"\n{self.game.start}: the first player {forecast}")

    def answer(self, state: State, player: int) -> str:
        words = ask(f"Player {player}: Which pile, and how many coins, such as n 1? ").strip().lower()
        return words.translate(ROWS) if re.fullmatch(r"[ndq] *\d+", words) else words

    def row_name(self, row: int) -> str:
        return PILES[row]

    def ask(self, state: State, player: int) -> Move:
        move = super().ask(state, player)
        if move not in solve(self.game).best_moves(state) and (winning := self.winning_moves(state)):
            say(("That was a mistake.", "red"), f" You could have won: {winning}.")
        return move

    def winning_moves(self, state: State) -> str:
        """The moves that win in a state, in words, with what they leave; "" where there is none."""
        moves = solve(self.game).best_moves(state)
        return ", or ".join(
            f"take {move.count} from {PILES[move.row]}, leaving {self.game.play(state, move)}" for move in moves
        )
