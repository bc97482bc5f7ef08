"""How games, states and moves are described, typed and recorded."""

from collections.abc import Sequence

from coinlib.arguments import counted
from coinlib.games import CoinGame, Game, IllegalMove, Move, one_row


def picture(game: Game, state) -> str:
    """A state as the game draws it, as text or HTML; its `repr` if the game has no picture.

    Examples
    --------
    >>> print(picture(CoinGame((1, 3), max_pick=2), (1, 2)))
    row 0: o 1 coin
    row 1: oo. 2 coins
    """
    return getattr(game, "picture", repr)(state)


def ending_words(game: Game, thing: str = "coin") -> str:
    """What taking the last coin, or the last `thing`, means; "" for a game that is not a `CoinGame`.

    Examples
    --------
    >>> from coinlib import GreedyCoins, sticks
    >>> ending_words(CoinGame((1, 2), max_pick=2)), ending_words(GreedyCoins((1, 2)))
    ('misère play: the player who takes the last coin loses', '')
    >>> ending_words(sticks(10, misere=False), "stick")
    'normal play: the player who takes the last stick wins'
    """
    if not isinstance(game, CoinGame):
        return ""
    return f"{game.ending}: the player who takes the last {thing} {'loses' if game.misere else 'wins'}"


def row_word(game: Game) -> str:
    """The word for one row of coins: "row", but "pile" in the game with three piles.

    Examples
    --------
    >>> from coinlib import SCENARIOS, three_piles
    >>> row_word(SCENARIOS["NIM"]), row_word(three_piles(3, 3, 7))
    ('row', 'pile')
    """
    rows = getattr(game, "rows", ())
    if len(rows) == 3 and getattr(game, "max_pick", 0) is None:
        return "pile"
    return "row"


# --- moves ----------------------------------------------------------------------------------------------


def move_words(game: Game, move) -> str:
    """Short name of a move: for coins the count on one row, "row:count" on several.

    Examples
    --------
    >>> from coinlib import sticks, three_piles
    >>> move_words(sticks(10), Move(0, 2)), move_words(three_piles(1, 2, 3), Move(2, 3))
    ('2', '2:3')
    """
    return short_move(move, one_row(game))


def short_move(move, on_one_row: bool) -> str:
    """Short name of a move, without its game; see `move_words`."""
    if not isinstance(move, Move):
        return str(move)
    return str(move.count) if on_one_row else f"{move.row}:{move.count}"


def take_words(game: CoinGame, move: Move, noun: str = "") -> str:
    """How many coins a move takes and, on several rows, from which; `noun` names what is taken.

    Examples
    --------
    >>> from coinlib import SCENARIOS, sticks, three_piles
    >>> take_words(SCENARIOS["NIM"], Move(3, 2)), take_words(three_piles(3, 3, 7), Move(2, 1), "coin")
    ('2 from row 3', '1 coin from pile 2')
    >>> take_words(sticks(10), Move(0, 2), "stick")
    '2 sticks'
    """
    amount = counted(move.count, noun) if noun else str(move.count)
    return amount if one_row(game) else f"{amount} from {row_word(game)} {move.row}"


def read_words(game: Game, words: str):
    """The move that a person has typed; raises `IllegalMove` if the words cannot be a move.

    Examples
    --------
    >>> from coinlib import GreedyCoins
    >>> read_words(CoinGame((3, 5), max_pick=2), "1, 2"), read_words(GreedyCoins((1, 2)), " l")
    (Move(row=1, count=2), 'L')
    """
    if isinstance(game, CoinGame):
        return _read_numbers(game, words)
    for move in game.moves:
        if _typed(move) == _typed(words):
            return move
    return words


def _read_numbers(game: CoinGame, words: str) -> Move:
    """The move of a `CoinGame`, typed as "2" on one row, and as "1 2" or "1, 2" on several."""
    parts = words.replace(",", " ").split()
    expected = ["a number of coins"] if one_row(game) else ["a row", "a number of coins"]
    if len(parts) != len(expected) or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise IllegalMove(f"expected {' and '.join(expected)}, got {str(words)[:40]!r}")
    numbers = [int(part) for part in parts]
    return Move(0, *numbers) if one_row(game) else Move(*numbers)


def _typed(move) -> str:
    """A move as a person may type it: "(1, 0)" is "1 0", and "L" is "l"."""
    return " ".join(str(move).lower().translate(str.maketrans(",()", "   ")).split())


# --- a finished match -------------------------------------------------------------------------------------


def last_coin_words(game: CoinGame, last: str, winner: str) -> str:
    """Who took the last coin, and what that means; `last` is "" if there were no coins to take."""
    if not last:
        return f"no coin was on the table, so {winner} wins ({game.ending})"
    verb = "wins" if last == winner else "loses"
    return f"{last} took the last coin and {verb} ({game.ending})"


def record(game: Game, moves: Sequence, points: Sequence[int], states: Sequence) -> dict[str, list]:
    """The columns of a table of moves: what each move was, and what it left."""
    if not isinstance(game, CoinGame):
        return {"move": list(moves), "points": list(points), "left": list(states)}
    takes = [move.count for move in moves]
    if one_row(game):
        return {"takes": takes, "left": [state[0] for state in states]}
    return {"row": [move.row for move in moves], "takes": takes, "left": list(states)}
