"""One loop that plays: who is asked, what is said, and whether to play again."""

from __future__ import annotations

from coinlib.arena import Match
from coinlib.learners import Learner

from .talk import Wanted, ask_number, say


class Program:
    """A game at a terminal; each program of the handouts is one, with words of its own.

    Parameters
    ----------
    game : Game
    seats : tuple of two agents
        Who plays; None for a person, who is asked.
    wanted : Wanted
        What was typed after the command.
    """

    def __init__(self, game, seats: tuple, wanted: Wanted) -> None:
        self.game, self.seats, self.wanted = game, seats, wanted
        self.won: list[bool] = []  # each game whose wins are counted

    def begin(self) -> None:
        """Say what comes before a game."""

    def show(self, state) -> None:
        """Show what lies on the table before a move."""

    def ask(self, state, player: int):
        """Ask a person, player 1 or 2, for a legal move."""

    def tell(self, match: Match) -> None:
        """Say which move a machine has made."""

    def end(self, match: Match) -> None:
        """Say who has won."""

    def again(self) -> bool:
        """Whether to play once more; from the second game on the score is said first."""
        if len(self.won) > 1:
            say(f"You have won {sum(self.won):,} of {len(self.won):,} games.")
        return ask_number("Play again (1 = yes, 0 = no)? ", 0, 1) == 1

    def play(self) -> Match:
        """One game from start to end; learners learn from it once it is over."""
        seats = tuple(agent.sit() if isinstance(agent, Learner) else agent for agent in self.seats)
        match = Match(self.game, seats)
        try:
            while not match.over:
                self.show(match.state)
                if seats[match.turn - 1] is None:
                    match.make(self.ask(match.state, match.turn))
                else:
                    match.step()
                    if not match.forfeit:
                        self.tell(match)
        finally:
            match.leave()
        return match

    def run(self) -> None:
        """Game after game, until nobody wants another."""
        playing = True
        while playing:
            self.begin()
            self.end(self.play())
            playing = self.again()
