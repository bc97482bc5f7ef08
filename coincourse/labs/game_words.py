"""What a board says of a game, and how it shows a position: any game, and games of coins."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from markupsafe import Markup

from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, Game, IllegalMove, Move, State
from coinlib.solvers import minimax, solve

from .pages import page
from .shared import last_one, span

COIN, GONE = "#D55E00", "#767676"  # both readable on white and on black
TIE, TAKEN_BACK = "A tie.", "Taken back."
NOT_NOW = {"over": "This game is over. Start a new one.", "waiting": "Wait: it is not your turn yet."}
TO_TAKE = {"yours": "Click a coin to choose", "waiting": "Not your turn", "over": "The game is over"}  # on the button


def begins(side: str) -> str:
    """Who makes the first move."""
    return f"New game. {side} {'start' if side == 'You' else 'starts'}."


def turn_of(side: str) -> str:
    """Who is to move."""
    return {"You": "Your turn.", "Computer": "Computer is thinking …"}.get(side, f"{side}, it is your turn.")


def victory_of(side: str) -> str:
    """Who has won."""
    return "You win!" if side == "You" else f"{side} wins."


class GameWords:
    """The words for any game with the seven names of a `Game`."""

    marks = False  # whether a first click only marks a move
    rows = None  # of coins
    nothing = "There is no move to make."
    strangers = ("take one",)  # opponents that do not know this game

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def name(self) -> str:
        """What the game is called in a menu."""
        return type(self.game).__name__

    @property
    def rules(self) -> str:
        """The first line that the game says of itself."""
        return (type(self.game).__doc__ or self.name).strip().split("\n")[0]

    def picture(self, state) -> Markup:
        """A state as the game itself draws it, in HTML or in plain text; its repr if it does not."""
        drawn = self.game.picture(state) if hasattr(self.game, "picture") else repr(state)
        return Markup(drawn) if drawn.lstrip().startswith("<") else Markup("<pre>{}</pre>").format(drawn)

    def drawn(self, state):
        """What the front end draws of a state: its picture, or the coins that are left in each row."""
        return self.picture(state)

    def to(self, move) -> str:
        """The words of the part of the page that stands for a move."""
        return str(move)

    def meant(self, to: str):
        """The move that a part of the page stands for."""
        return next((move for move in self.game.moves if str(move) == to), to)

    def best(self, state) -> list:
        """The best moves against perfect play."""
        return minimax(self.game, state).moves

    def short(self, move) -> str:
        """A move as it stands in a hint."""
        return str(move)

    def hint(self, best: str) -> str:
        """A hint that names the best moves."""
        return f"Hint: play {best} (marked ★), the best against perfect play."

    def advice(self, state) -> tuple[list, str]:
        """The best moves of a state, and the hint that names the first of them."""
        try:
            best = self.best(state)
        except (MemoryError, ValueError) as error:
            return [], f"No hint: {error}"
        return best, self.hint(", or ".join(map(self.short, best[:4])) + ", or …" * (len(best) > 4))

    def told(self, who: str, move, over: bool) -> str:
        """A move that somebody has made."""
        return f"{who} {'play' if who == 'You' else 'plays'} {move}."

    def refused(self, state, answer, error: IllegalMove) -> str:
        """Why a move cannot be made."""
        return f"That cannot be played: {error}."


class CoinWords(GameWords):
    """The words for rows of coins, which are marked before they are taken."""

    marks = True
    strangers = ()

    @property
    def name(self) -> str:
        """The scenario with these coins, whatever the ending; otherwise the coins."""
        for name, scenario in SCENARIOS.items():
            if replace(scenario, misere=self.game.misere) == self.game:
                return name
        rows = self.game.rows
        return ("a row of " if len(rows) == 1 else "rows of ") + ", ".join(map(str, rows))

    @property
    def rules(self) -> str:
        """What one may take, and what the last coin means."""
        most = self.game.max_pick
        amount = "any number of coins" if most is None else f"{span(range(1, most + 1))} coin{'s' * (most > 1)}"
        return f"Take {amount}{' from one row' * (len(self.game.rows) > 1)}. {self.ending}"

    @property
    def ending(self) -> str:
        """What the last coin means."""
        return last_one(self.game, "coin")

    @property
    def nothing(self) -> str:
        """What is said of a game without coins."""
        return f"There is no coin to take. {self.ending}"

    def picture(self, state: State) -> Markup:
        """The rows, which read the same on a page without styles."""
        self.game.is_over(state)  # refuses what is not a state of this game
        return Markup(page("rows.html", rows=list(zip(self.game.rows, state)), coin=COIN, gone=GONE))

    @property
    def rows(self) -> tuple[int, ...]:
        """The coins in each row at the start."""
        return self.game.rows

    def drawn(self, state: State) -> State:
        """The coins that are left in each row."""
        return state

    def to(self, move: Move) -> str:
        """The words of the coin that stands for a move."""
        return f"{move.row},{move.count}"

    def meant(self, to: str) -> Move:
        """The coins that a click has marked, which may be too many."""
        return Move(*map(int, to.split(",")))

    def best(self, state: State) -> list[Move]:
        """The moves that win against perfect play."""
        return solve(self.game).best_moves(state)

    def button(self, move: Move) -> str:
        """What the button says that takes what is marked."""
        return f"Take {self.coins(move)}"

    def coins(self, move: Move) -> str:
        """Coins in words: "2 coins from row 3"."""
        return counted(move.count, "coin") + self.place(move)

    def short(self, move: Move) -> str:
        """Coins as they stand in a hint: "2 from row 3"."""
        return f"{move.count}{self.place(move)}"

    def place(self, move: Move) -> str:
        """The row of a move, where there are several."""
        return f" from row {move.row}" * (len(self.game.rows) > 1)

    def hint(self, best: str) -> str:
        """A hint that names the winning moves."""
        if not best:
            return "Hint: no move wins here against perfect play."
        return f"Hint: take {best} (marked ★) to win against perfect play."

    def told(self, who: str, move: Move, over: bool) -> str:
        """Coins that somebody has taken."""
        verb = "take" if who == "You" else "takes"
        return f"{who} {verb} the last coin. {self.ending}" if over else f"{who} {verb} {self.coins(move)}."

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
