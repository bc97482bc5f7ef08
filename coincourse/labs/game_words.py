"""What a board says of a game, and how it shows a position: any game, and games of coins."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from markupsafe import Markup

from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, Game, IllegalMove, Move, State
from coinlib.solvers import minimax, solve

from .pages import page
from .playing import YOU
from .shared import last_one, span

COIN, GONE = "#D55E00", "#767676"  # both readable on white and on black
TIE, TAKEN_BACK = "A tie.", "Your last move is taken back."
NOT_NOW = {"over": "This game is over. Start a new one.", "waiting": "Wait: it is not your turn yet."}
TO_TAKE = {"yours": "Click a coin to choose", "waiting": "Not your turn", "over": "The game is over"}  # on the button


def does(side: str, verb: str) -> str:
    """Who does something: "You take", "Computer takes"."""
    return f"{side} {verb}{'s' * (side != YOU)}"


def spoken(side: str) -> dict[str, str]:
    """What is said of one side of a game: that it begins, that it is to move, that it has won."""
    turn = {YOU: "Your turn.", "Computer": "Computer is thinking …"}
    return {
        "name": side,
        "begins": f"New game. {does(side, 'start')}.",
        "turn": turn.get(side, f"{side}, it is your turn."),
        "wins": "You win!" if side == YOU else f"{side} wins.",
    }


class GameWords:
    """The words for any game with the seven names of a `Game`.

    Attributes
    ----------
    name : str
        What the game is called in a menu.
    rules : str
        The first line that the game says of itself.
    rows : tuple of int or None
        The coins in each row at the start, which are marked before they are taken; None in other games.
    nothing : str
        What is said of a game that is over at the start.
    """

    rows = None
    nothing = "There is no move to make."
    verb = "play"
    hint = "Hint: play {} (marked ★), the best against perfect play."

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = type(game).__name__
        self.rules = (type(game).__doc__ or self.name).strip().split("\n")[0]

    def picture(self, state) -> Markup:
        """A state as the game itself draws it, in HTML or in plain text; its repr if it does not."""
        drawn = self.game.picture(state) if hasattr(self.game, "picture") else repr(state)
        return Markup(drawn) if drawn.lstrip().startswith("<") else Markup("<pre>{}</pre>").format(drawn)

    def drawn(self, state):
        """What the front end draws of a state: its picture, or the coins that are left in each row."""
        return state if self.rows else self.picture(state)

    def to(self, move) -> str:
        """The words of the part of the page that stands for a move."""
        return str(move)

    def meant(self, to: str):
        """The move that a part of the page stands for."""
        return next((move for move in self.game.moves if str(move) == to), to)

    def best(self, state) -> list:
        """The best moves against perfect play."""
        return minimax(self.game, state).moves

    def named(self, move) -> str:
        """A move in words."""
        return str(move)

    short = named  # in a hint, which may name several

    def advice(self, state) -> tuple[list, str]:
        """The best moves of a state, and the hint that names the first of them."""
        try:
            best = self.best(state)
        except (MemoryError, ValueError) as error:
            return [], f"No hint: {error}"
        named = ", or ".join(map(self.short, best[:4])) + ", or …" * (len(best) > 4)
        return best, self.hint.format(named) if best else "Hint: no move wins here against perfect play."

    def told(self, side: str, move, over: bool) -> str:
        """A move that somebody has made, and whether the game is over with it."""
        return f"{does(side, self.verb)} {self.named(move)}."

    def refused(self, state, answer, error: IllegalMove) -> str:
        """Why a move cannot be made."""
        return f"That cannot be played: {error}."


class CoinWords(GameWords):
    """The words for rows of coins: the name is that of the scenario with these coins, whatever the ending."""

    verb = "take"
    hint = "Hint: take {} (marked ★) to win against perfect play."

    def __init__(self, game: CoinGame) -> None:
        super().__init__(game)
        self.rows = game.rows
        several, most = len(game.rows) > 1, game.max_pick
        coins = f"{'rows' if several else 'a row'} of {', '.join(map(str, game.rows))}"
        scenarios = {replace(scenario, misere=game.misere): name for name, scenario in SCENARIOS.items()}
        self.name = scenarios.get(game, coins)
        amount = "any number of coins" if most is None else f"{span(range(1, most + 1))} coin{'s' * (most > 1)}"
        self.ending = last_one(game, "coin")
        self.rules = f"Take {amount}{' from one row' * several}. {self.ending}"
        self.nothing = f"There is no coin to take. {self.ending}"
        self.place = " from row {}" * several

    def picture(self, state: State) -> Markup:
        """The rows, which read the same on a page without styles."""
        self.game.is_over(state)  # refuses what is not a state of this game
        return Markup(page("rows.html", rows=list(zip(self.game.rows, state)), coin=COIN, gone=GONE))

    def to(self, move: Move) -> str:
        """The words of the coin that stands for a move."""
        return f"{move.row},{move.count}"

    def meant(self, to: str) -> Move:
        """The coins that a click has marked, which may be too many."""
        return Move(*map(int, to.split(",")))

    def best(self, state: State) -> list[Move]:
        """The moves that win against perfect play."""
        return solve(self.game).best_moves(state)

    def named(self, move: Move) -> str:
        """Coins in words: "2 coins from row 3"."""
        return counted(move.count, "coin") + self.place.format(move.row)

    def short(self, move: Move) -> str:
        """Coins as they stand in a hint: "2 from row 3"."""
        return f"{move.count}{self.place.format(move.row)}"

    def told(self, side: str, move: Move, over: bool) -> str:
        """Coins that somebody has taken."""
        return f"{does(side, 'take')} the last coin. {self.ending}" if over else super().told(side, move, over)

    def refused(self, state: State, answer, error: IllegalMove) -> str:
        """Why coins cannot be taken, and how many can."""
        legal: list[int] = []
        with suppress(IllegalMove):  # the answer may name no coins at all
            row, count = self.game.named_move(answer)
            legal = [move.count for move in self.game.legal_moves(state) if move.row == row]
        if not legal:
            return f"That cannot be taken: {error}."
        where = f"From row {row} you" if len(self.game.rows) > 1 else "You"
        return f"You asked for {counted(count, 'coin')}. {where} can take {span(legal)}."


def words_for(game: Game) -> GameWords:
    """The words for a game."""
    return CoinWords(game) if isinstance(game, CoinGame) else GameWords(game)
