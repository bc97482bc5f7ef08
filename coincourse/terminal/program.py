"""One loop that plays: who is asked, what is said, and whether to play again."""

from coinlib.agents import HumanAgent
from coinlib.match import Match, sit_down

from .talk import ask_number, say


class Program:
    """A game at a terminal; each program of the handouts is one, with words of its own.

    Parameters
    ----------
    game : Game
    seats : tuple of two agents
        Who plays; None for a person, who is asked.
    names : tuple of two str
    """

    def __init__(self, game, seats: tuple, names: tuple[str, str] = ("player 1", "player 2")) -> None:
        self.game = game
        self.seats = seats
        self.names = names
        self.won: list[bool] = []  # whether each game was won, where the wins are counted

    def begin(self) -> None:
        """Say what comes before a game."""

    def show(self, match: Match) -> None:
        """Show what lies on the table before a move."""

    def answer(self, state, player: int) -> str:
        """What a person, player 1 or 2, answers to the question for a move."""

    def ask(self, state, player: int):
        """The legal move of a person, who is asked until it is one."""
        return HumanAgent(ask=lambda _: self.answer(state, player), say=say)(self.game, state)

    def tell(self, match: Match) -> None:
        """Say which move a machine has made."""

    def end(self, match: Match) -> None:
        """Say who has won."""

    def again(self) -> bool:
        """Whether to play once more; from the second game on the score is said first."""
        if len(self.won) > 1:
            say(f"You have won {sum(self.won):,} of {len(self.won):,} games.")
        return ask_number("Play again (1 = yes, 0 = no)? ", 0, 1) == 1

    def play(self) -> None:
        """One game from start to end; learners learn from it once it is over."""
        match = Match(self.game, tuple(sit_down(agent, learn=True) for agent in self.seats))
        try:
            while not match.over:
                self.show(match)
                if self.seats[match.turn - 1] is None:
                    match.make(self.ask(match.state, match.turn))
                else:
                    match.step()
                    if not match.forfeit:
                        self.tell(match)
        finally:
            match.leave()
        self.end(match)

    def run(self) -> None:
        """Game after game, until nobody wants another."""
        playing = True
        while playing:
            self.begin()
            self.play()
            playing = self.again()
