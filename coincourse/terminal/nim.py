"""`coinlib nim`: three piles of coins, normal play, against a player that never errs."""

from __future__ import annotations

import re
from functools import partial

from coinlib.agents import PerfectAgent
from coinlib.arena import Match
from coinlib.arguments import counted
from coinlib.games import CoinGame, Move, State, three_piles
from coinlib.solvers import solve

from .play import Program
from .talk import Page, Wanted, ask_until, say, whole

PILES = "ndq"  # of nickels, dimes and quarters
ANSWER = re.compile(r"\s*([ndq])[\s,]*([0-9]{1,3})\s*", re.IGNORECASE)


def options(page: Page) -> None:
    for coins in ("nickels", "dimes", "quarters"):
        page.add_argument(coins, type=whole(0, 100), metavar=coins.upper(), help=f"how many {coins}, 0 to 100")
    page.switch("--second", "let the computer make the first move")
    page.seed()


def run(wanted: Wanted) -> None:
    """Play three piles (normal play) against a computer that never errs."""
    game = three_piles(wanted.nickels, wanted.dimes, wanted.quarters)
    say("Three piles, normal play: n nickels, d dimes and q quarters.")
    say("Take any number of coins from one pile. Who takes the last coin wins.")
    if game.is_over(game.start):
        say(f"{game.start}: no coin is on the table, so whoever is to move has lost.")
        return
    computer = PerfectAgent(wanted.seed)
    Nim(game, (computer, None) if wanted.second else (None, computer), wanted).run()


class Nim(Program):
    """A person against perfect play: the forecast before each game, and a word where somebody errs."""

    def begin(self) -> None:
        start, moves = self.game.start, solve(self.game).best_moves(self.game.start)
        forecast = f"can force a win: {_or(self.game, start, moves)}."
        if not moves:
            forecast = "cannot force a win. Every move leaves the other player a win."
        say("\n" * bool(self.won) + f"{start}: the first player {forecast}")
        say("I move first." if self.wanted.second else "You move first.")

    def ask(self, state: State, player: int) -> Move:
        piles = ", ".join(f"{pile} = {held}" for pile, held in zip(PILES, state))
        move = ask_until(f"\n{piles}. Your move (pile and number, such as n 2)? ", partial(_read, state))
        winning = solve(self.game).best_moves(state)
        if winning and move not in winning:
            say(("That was a mistake.", "red"), f" You could have won: {_or(self.game, state, winning)}.")
        return move

    def tell(self, match: Match) -> None:
        pile, count = match.moves[-1]
        say(f"I take {count} from {PILES[pile]}, leaving {match.state}.")

    def end(self, match: Match) -> None:
        self.won.append(self.seats[match.winner - 1] is None)
        say(("You took the last coin: you win.", "green") if self.won[-1] else "I took the last coin: I win.")


def _or(game: CoinGame, state: State, moves: list[Move]) -> str:
    """Moves in words, with what they leave."""
    return ", or ".join(f"take {move.count} from {PILES[move.row]}, leaving {game.play(state, move)}" for move in moves)


def _read(state: State, words: str) -> Move:
    """The legal move that somebody typed; ValueError says what would be one."""
    found = ANSWER.fullmatch(words)
    if not found:
        raise ValueError("Please enter a pile (n, d or q) and a number of coins, such as n 2")
    pile, count = PILES.index(found[1].lower()), int(found[2])
    if not 1 <= count <= state[pile]:
        wanted = {0: "another pile", 1: f"{PILES[pile]} 1"}.get(state[pile], f"a number between 1 and {state[pile]}")
        raise ValueError(f"Pile {PILES[pile]} holds {counted(state[pile], 'coin')}. Please enter {wanted}")
    return Move(pile, count)
