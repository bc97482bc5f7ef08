"""What a board says about a game and how it shows a position: for any game, and for rows of coins."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, Game, IllegalMove, Move, State, has_rows, named_move, one_row
from coinlib.solvers import minimax, solve
from coinlib.words import ending_words, picture, row_word, take_words

from ..base.amounts import span
from ..base.match_on_screen import COMPUTER, YOU, with_verb
from ..base.pages import page

COIN = "#A66B00"  # gold that is readable on white and on black, as the next colour is
GONE = "#767676"
TIE = "A tie."
TAKEN_BACK = "Your last move is taken back."
AGAIN = "To play another game, run this cell again."  # on a board without "New game"; live_board.js has its own words
NOT_NOW = {"over": "This game is over. Start a new one.", "waiting": "Wait: it is not your turn yet."}


def to_take(thing: str) -> dict[str, str]:
    """The label of the button that takes coins, or other things, while none is marked."""
    return {"yours": f"Choose your {thing}s", "waiting": "Not your turn", "over": "The game is over"}


def side_sentences(side: str) -> dict[str, str]:
    """What a board says about one side: that it begins, that it is its turn, that it has won."""
    turn = f"{side}, it is your turn."
    wins = f"{side} wins."
    if side == YOU:
        turn = "Your turn."
        wins = "You win!"
    elif side == COMPUTER:
        turn = f"{COMPUTER} is thinking …"
    return {"name": side, "begins": f"New game. {with_verb(side, 'start')}.", "turn": turn, "wins": wins}


def words_for(game: Game, thing: str = "coin") -> GameWords:
    """The words for a game; rows hold coins, or other things."""
    return CoinWords(game, thing) if has_rows(game) else GameWords(game)


class GameWords:
    """The words for any game with the seven members of a `Game`.

    Attributes
    ----------
    name : str
        The name of the game in a menu.
    rules : str
        The first line of the game's docstring.
    rows : tuple of int or None
        The coins in each row at the start; None in games without rows of coins. Coins are marked before they are taken.
    row : str
        The word for one of these rows: row or pile.
    thing : str
        The word for what is in a row: coin or stick.
    nothing : str
        The message if the game is over at the start.
    """

    rows = None
    row = "row"
    thing = "coin"
    nothing = "There is no move to make."
    verb = "play"
    hint = "Hint: play {} (marked ★), the best against perfect play."

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = type(game).__name__
        self.rules = (type(game).__doc__ or self.name).strip().split("\n")[0]

    def picture(self, state) -> Markup:
        """A state as the game draws it, in HTML or as text; its repr if the game has no picture."""
        drawn = picture(self.game, state)
        if drawn.lstrip().startswith("<"):
            return Markup(drawn)
        return Markup("<pre>{}</pre>").format(drawn)

    def drawn(self, state):
        """What the front end needs to draw a state: the picture, or the coins left in each row."""
        return state if self.rows else self.picture(state)

    def to(self, move) -> str:
        """The ``data-to`` of the part of the page that makes a move."""
        return str(move)

    def move_of(self, to: str):
        """The move for the part of the page with this ``data-to``."""
        for move in self.game.moves:
            if str(move) == to:
                return move
        return to

    def best(self, state) -> list:
        """The best moves against perfect play."""
        return minimax(self.game, state).moves

    def named(self, move) -> str:
        """A move as text."""
        return str(move)

    short = named  # in a hint, which may name several

    def advice(self, state) -> tuple[list, str]:
        """The best moves of a state, and the hint that names the first of them."""
        try:
            best = self.best(state)
        except (MemoryError, ValueError) as error:
            return [], f"No hint: {error}"
        if not best:
            return best, "Hint: no move wins here against perfect play."
        named = [self.short(move) for move in best[:4]]
        if len(best) > 4:
            named.append("…")
        return best, self.hint.format(", or ".join(named))

    def sentence(self, side: str, move, over: bool) -> str:
        """A sentence about a move; `over` says whether it ended the game."""
        return f"{with_verb(side, self.verb)} {self.named(move)}."

    def refused(self, state, answer, error: IllegalMove) -> str:
        """Why a move cannot be made."""
        return f"That cannot be played: {error}."


class CoinWords(GameWords):
    """The words for rows of coins or other things, named after the scenario with these rows, whatever its ending."""

    verb = "take"
    hint = "Hint: take {} (marked ★) to win against perfect play."

    def __init__(self, game: Game, thing: str) -> None:
        super().__init__(game)
        self.rows = game.rows
        self.row = row_word(game)
        self.thing = thing
        self.ending = sentence(ending_words(game, thing))
        self.name = coins_name(game)
        amount = amount_a_turn(game, thing)
        if not one_row(game):
            amount = f"{amount} from one {self.row}"
        self.rules = f"Take {amount}. {self.ending}".strip()
        self.nothing = f"There are no {self.thing}s to take. {self.ending}".strip()

    def picture(self, state: State) -> Markup:
        """The rows, which are readable even without styles."""
        self.game.is_over(state)  # This raises a ValueError if it is not a state of the game.
        rows = list(zip(self.game.rows, state))
        return Markup(page("rows.html", word=self.row, rows=rows, thing=self.thing, coin=COIN, gone=GONE))

    def to(self, move: Move) -> str:
        """The ``data-to`` of the coin that makes a move."""
        return f"{move.row},{move.count}"

    def move_of(self, to: str) -> Move:
        """The coins that a click marks, possibly too many."""
        return Move(*map(int, to.split(",")))

    def best(self, state: State) -> list[Move]:
        """The moves that win against perfect play."""
        if type(self.game) is CoinGame:  # solved without a table of moves, which would be too large
            return solve(self.game).best_moves(state)
        found = minimax(self.game, state)
        return found.moves if found.value > 0 else []

    def named(self, move: Move) -> str:
        """Coins as text: "2 coins from row 3"."""
        return take_words(self.game, move, self.thing)

    def short(self, move: Move) -> str:
        """Coins in a hint: "2 from row 3"."""
        return take_words(self.game, move)

    def sentence(self, side: str, move: Move, over: bool) -> str:
        """A sentence about coins taken."""
        if over:
            return f"{with_verb(side, 'take')} the last {self.thing}. {self.ending}".strip()
        return super().sentence(side, move, over)

    def refused(self, state: State, answer, error: IllegalMove) -> str:
        """Why coins cannot be taken, and how many can be."""
        try:
            row, count = answer if isinstance(answer, Move) else named_move(self.game, answer)
        except (TypeError, ValueError):  # The answer does not name any coins.
            return f"That cannot be taken: {error}."
        legal = [move.count for move in self.game.legal_moves(state) if move.row == row]
        if not legal:
            return f"That cannot be taken: {error}."
        where = "You" if one_row(self.game) else f"From {self.row} {row} you"
        return f"You asked for {counted(count, self.thing)}. {where} can take {span(legal)}."


def sentence(words: str) -> str:
    """Words as a sentence; "" if there are none."""
    return f"{words[0].upper()}{words[1:]}." if words else ""


def coins_name(game: Game) -> str:
    """The name of the scenario with these coins, or the coins."""
    for name, scenario in SCENARIOS.items():
        if game in (replace(scenario, misere=True), replace(scenario, misere=False)):
            return name
    coins = ", ".join(map(str, game.rows))
    word = row_word(game)
    return f"{word}s of {coins}" if len(game.rows) > 1 else f"a row of {coins}"


def amount_a_turn(game: Game, thing: str) -> str:
    """How many coins, or other things, one move may take."""
    if not hasattr(game, "max_pick"):
        counts = sorted({move.count for move in game.moves})
        return f"{span(counts)} {thing}s"
    if game.max_pick is None:
        return f"any number of {thing}s"
    if game.max_pick == 1:
        return f"1 {thing}"
    return f"{span(range(1, game.max_pick + 1))} {thing}s"
