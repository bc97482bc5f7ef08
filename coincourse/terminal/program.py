"""The loop of a game at a terminal; a subclass asks for moves and prints messages."""

from coinlib.match import Match, sit_down

from .talk import ask_number, say


class Program:
    """A game at a terminal; each of the handouts' programs is a subclass.

    Parameters
    ----------
    game : Game
    seats : tuple of two agents
        The players; None for a person.
    names : tuple of two str
    """

    def __init__(self, game, seats: tuple, names: tuple[str, str] = ("player 1", "player 2")) -> None:
        self.game = game
        self.seats = seats
        self.names = names
        self.won: list[bool] = []  # for each game whether it was won, if the program counts wins

    def begin(self) -> None:
        """Print what comes before a game."""

    def show(self, match: Match) -> None:
        """Print the state before a move."""

    def ask(self, state, player: int):
        """Ask a person, player 1 or 2, until the answer is a legal move; return the move."""

    def tell(self, match: Match) -> None:
        """Print the move that a machine has made."""

    def end(self, match: Match) -> None:
        """Print who has won."""

    def again(self) -> bool:
        """Whether to play another game; from the second game on, print the score first."""
        if len(self.won) > 1:
            say(f"You have won {sum(self.won):,} of {len(self.won):,} games.")
        return ask_number("Play again (1 = yes, 0 = no)? ", 0, 1) == 1

    def play(self) -> None:
        """Play one game; learners learn from it once it is over."""
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
        """Play games until `again` returns False."""
        playing = True
        while playing:
            self.begin()
            self.play()
            playing = self.again()
