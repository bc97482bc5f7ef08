"""The rules of the games and nothing else.

A game is a value: it says where play starts, which moves are legal, what a move leads to and who has won; it
remembers nothing. A state is a tuple that holds everything that matters for the rest of the game. `words` covers
how moves are typed and how games are described.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from coinlib.arguments import check_game, counted, one_of, sequence, shown, whole_number, whole_numbers

NO_RETURN = "got None: no `return` was reached, or it returned None"
NO_ANSWER = f"expected a move, {NO_RETURN}"
State = tuple[int, ...]  # what is left: one count per row, or the two ends of a row of coins


class Move(NamedTuple):
    """Take `count` coins from row `row` (rows are counted from 0)."""

    row: int
    count: int


class IllegalMove(ValueError):
    """A move that the rules forbid; the message says what would be legal."""


class GameError(ValueError):
    """The rules of a game contradict each other; the message says where."""


class Game(Protocol):
    """The interface every game implements.

    Your own class needs these seven members but no base class. The two players take turns, and a game
    must come to an end: no state may occur twice.

    Attributes
    ----------
    start : hashable
        The state in which the first player moves.
    moves : sequence
        Every move that can be named in this game, legal or not, in a fixed order.

    Methods
    -------
    legal_moves(state)
        The moves allowed in `state`, a list in the order of `moves`; empty when the game is over.
    play(state, move)
        The state after `move`; raises `IllegalMove` if the rules forbid it.
    is_over(state)
        Whether the game has ended in `state`.
    reward(state, move)
        The points that `move` earns the player who makes it, a whole number (0 in games without points).
    result(state)
        At the end: +1, 0 or -1 for the player who would move next.

    Notes
    -----
    A game may also have two optional members:

    - ``picture(state)``: the state as lines of text or as HTML, for boards and the terminal.
    - ``rows``: the number of coins in each row at the start. A state is then a count for each row, and boards
      draw it as coins.
    """

    @property
    def start(self) -> Any: ...

    @property
    def moves(self) -> Sequence: ...

    def legal_moves(self, state: Any) -> list: ...

    def play(self, state: Any, move: Any) -> Any: ...

    def is_over(self, state: Any) -> bool: ...

    def reward(self, state: Any, move: Any) -> int: ...

    def result(self, state: Any) -> int: ...


@dataclass(frozen=True)
class CoinGame:
    """Rows of coins; a move takes one or more coins from a single row.

    Parameters
    ----------
    rows : sequence of int
        Coins in each row at the start, 0 or more; at least one row.
    max_pick : int or None
        The most coins one move may take; None for no bound.
    misere : bool
        True: the player who takes the last coin loses (*misère play*).
        False: the player who takes the last coin wins (*normal play*).

    Examples
    --------
    >>> game = CoinGame(rows=(1, 3, 5, 7), max_pick=2, misere=True)
    >>> game.start
    (1, 3, 5, 7)
    >>> game.play(game.start, Move(row=2, count=2))
    (1, 3, 3, 7)

    Only coins that are there can be taken:

    >>> game.play((1, 0, 0, 0), Move(row=0, count=2))
    Traceback (most recent call last):
        ...
    coinlib.games.IllegalMove: row 0 holds 1 coin; asked to take 2 (legal: 1)
    """

    rows: tuple[int, ...]
    max_pick: int | None
    misere: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole_numbers(self.rows, "rows", "row", "counts such as (1, 3, 5, 7)"))
        if self.max_pick is not None:
            object.__setattr__(self, "max_pick", whole_number(self.max_pick, "max_pick", least=1))
        object.__setattr__(self, "misere", bool(one_of(self.misere, "misere", (True, False))))

    @property
    def start(self) -> State:
        """The rows at the start."""
        return self.rows

    @property
    def ending(self) -> str:
        """The name of the ending in standard terms: "misère play" or "normal play"."""
        return "misère play" if self.misere else "normal play"

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move that can be named: each row with each count from 1 to `most`."""
        return tuple(Move(row, count) for row in range(len(self.rows)) for count in range(1, self.most + 1))

    @property
    def most(self) -> int:
        """The most coins that any move can name."""
        return max(1, *self.rows) if self.max_pick is None else self.max_pick

    @property
    def move_count(self) -> int:
        """How many moves can be named, computed without listing them."""
        return len(self.rows) * self.most

    @property
    def state_count(self) -> int:
        """How many states play can reach."""
        return math.prod(held + 1 for held in self.rows)

    def legal_moves(self, state: State) -> list[Move]:
        """The moves allowed in `state`, in order of row, then count; empty when no coin is left.

        Examples
        --------
        >>> CoinGame(rows=(1, 3), max_pick=2).legal_moves((1, 3))
        [Move(row=0, count=1), Move(row=1, count=1), Move(row=1, count=2)]
        """
        self._check(state)
        return [Move(row, count) for row, held in enumerate(state) for count in range(1, min(held, self.most) + 1)]

    def play(self, state: State, move: Move) -> State:
        """The counts after `move`, a Move, a pair or, on one row, a bare count; raises `IllegalMove`."""
        row, count = read_move(self, state, move)
        return state[:row] + (state[row] - count,) + state[row + 1 :]

    def is_over(self, state: State) -> bool:
        """Whether every coin has been taken."""
        self._check(state)
        return not any(state)

    def reward(self, state: State, move: Move) -> int:
        """Always 0: coins earn no points in this game."""
        return 0

    def result(self, state: State) -> int:
        """At the end, for the player who would move next: +1 in misère play, -1 in normal play.

        The other player took the last coin. Raises ValueError while coins are left.
        """
        if not self.is_over(state):
            raise ValueError(f"the game is not over: {state} still holds {counted(sum(state), 'coin')}")
        return 1 if self.misere else -1

    def picture(self, state: State) -> str:
        """A line for each row: an "o" for each coin left, a dot for each coin taken, and the count."""
        self._check(state)
        lines = []
        for row, (held, at_first) in enumerate(zip(state, self.rows)):
            lines.append(f"row {row}: {'o' * held}{'.' * (at_first - held)} {counted(held, 'coin')}")
        return "\n".join(lines)

    def _check(self, state) -> None:
        """Raise ValueError for anything but a state of this game, such as 7 instead of (7,)."""
        whole = isinstance(state, tuple) and len(state) == len(self.rows)
        if not (whole and all(0 <= held <= row for held, row in zip(state, self.rows))):
            raise ValueError(f"expected a state of this game, such as {self.start}; got {shown(state)}")


@dataclass(frozen=True)
class GreedyCoins:
    """One row of coins with values; a move takes the coin at the left or at the right end.

    The player with the larger total wins. A state is ``(left, right)``: the coins still there are
    ``coins[left:right]``.

    Parameters
    ----------
    coins : sequence of int
        The values, 0 or more, from left to right; at least one coin.

    Examples
    --------
    >>> game = GreedyCoins((1, 2, 4, 3))
    >>> game.play(game.start, "R"), game.reward(game.start, "R")
    ((0, 3), 3)
    >>> game.coins_left((0, 3))
    (1, 2, 4)
    """

    coins: tuple[int, ...]
    moves = ("L", "R")  # not a field: the same for every row

    def __post_init__(self) -> None:
        object.__setattr__(self, "coins", whole_numbers(self.coins, "coins", "coin", "values such as (1, 2, 4, 3)"))

    @property
    def start(self) -> State:
        """The whole row: ``(0, number of coins)``."""
        return (0, len(self.coins))

    def coins_left(self, state: State) -> tuple[int, ...]:
        """The values still on the table in `state`, from left to right."""
        self._check(state)
        return self.coins[slice(*state)]

    def picture(self, state: State) -> str:
        """The values still on the table, as a board shows them."""
        return " ".join(map(str, self.coins_left(state)))

    def legal_moves(self, state: State) -> list[str]:
        """``["L", "R"]`` while a coin is left; the last coin can be taken from either end."""
        return [] if self.is_over(state) else list(self.moves)

    def play(self, state: State, move: str) -> State:
        """The ends of what is left after "L" or "R"; raises `IllegalMove` for anything else."""
        left, right = state
        return (left + 1, right) if read_move(self, state, move) == "L" else (left, right - 1)

    def is_over(self, state: State) -> bool:
        """Whether every coin has been taken."""
        self._check(state)
        return state[0] == state[1]

    def reward(self, state: State, move: str) -> int:
        """The value of the coin that `move` takes."""
        return self.coins[state[0] if read_move(self, state, move) == "L" else state[1] - 1]

    def result(self, state: State) -> int:
        """Always 0: the points decide."""
        self._check(state)
        return 0

    def _check(self, state) -> None:
        """Raise ValueError for anything but a state of this game."""
        whole = isinstance(state, tuple) and len(state) == 2
        if not (whole and 0 <= state[0] <= state[1] <= len(self.coins)):
            raise ValueError(f"expected a state of this game, such as {self.start}; got {shown(state)}")


def sticks(count: int, max_pick: int | None = 3, misere: bool = True) -> CoinGame:
    """A game with one row: by default the Game of Sticks (1 to 3 a turn, misère play).

    Examples
    --------
    >>> sticks(20)
    CoinGame(rows=(20,), max_pick=3, misere=True)
    """
    return CoinGame((count,), max_pick, misere)


def three_piles(nickels: int, dimes: int, quarters: int) -> CoinGame:
    """The game with three piles: any number of coins from one pile, and the player who takes the last coin wins.

    Examples
    --------
    >>> three_piles(3, 3, 7)
    CoinGame(rows=(3, 3, 7), max_pick=None, misere=False)
    """
    return CoinGame((nickels, dimes, quarters), max_pick=None, misere=False)


SCENARIOS = MappingProxyType(
    {
        "SINGLE_21_2": CoinGame((21,), max_pick=2),
        "SINGLE_21_3": CoinGame((21,), max_pick=3),
        "DOUBLE_21_2": CoinGame((21, 21), max_pick=2),
        "DOUBLE_21_3": CoinGame((21, 21), max_pick=3),
        "NIM": CoinGame((1, 3, 5, 7), max_pick=2),
        "NIM_7": CoinGame((1, 3, 5, 7), max_pick=7),  # what the AI Sandbox server plays as NIM
    }
)
"""The scenarios of The Coin Game by name, and NIM_7; all are misère play."""


def coin_game(game: str | CoinGame) -> CoinGame:
    """The scenario with this name, or the `CoinGame` itself; subclasses are rejected, as they may have other rules."""
    game = as_game(game)
    if type(game) is not CoinGame:
        raise TypeError(f"game: expected a CoinGame, got {shown(game)}; use minimax for other games")
    return game


# --- reading a move -----------------------------------------------------------------------------------


def read_move(game: Game, state, answer):
    """The legal move that an agent's answer means; raises `IllegalMove`, which says what would be legal.

    In a `CoinGame` a plain pair also counts as a move and, with one row, so does a bare number. Any other game
    accepts only its own moves. NumPy numbers count as Python numbers.

    Examples
    --------
    >>> read_move(sticks(10), (7,), 2)
    Move(row=0, count=2)
    """
    if answer is None:
        raise IllegalMove(NO_ANSWER)
    if isinstance(game, CoinGame):
        return _read_take(game, state, answer)
    legal = moves_of(game, state)
    for move in legal:
        if _is_move(answer, move):
            return move
    listed = ", ".join(map(repr, legal)) or "none"
    raise IllegalMove(f"{shown(answer)} is not a legal move in {state} (legal: {listed})")


def _read_take(game: CoinGame, state: State, answer) -> Move:
    """The legal move that an answer means in a `CoinGame`."""
    if game.is_over(state):
        raise IllegalMove(f"the game is over: no coin is left to take, asked for {shown(answer)}")
    move = named_move(game, answer)
    if not 0 <= move.row < len(state):
        rows = "row 0" if len(state) == 1 else f"rows 0 to {len(state) - 1}"
        raise IllegalMove(f"there is no row {move.row}; this game has {rows}")
    held = state[move.row]
    most = min(held, game.most)
    if not 1 <= move.count <= most:
        asked = f"asked to take {shown(move.count)} (legal: {up_to(most)})"
        raise IllegalMove(f"row {move.row} holds {counted(held, 'coin')}; {asked}")
    forbids_more = type(game).legal_moves is not CoinGame.legal_moves  # A subclass may.
    if forbids_more and move not in game.legal_moves(state):
        raise IllegalMove(f"{move} is not a legal move in {state}")
    return move


def up_to(most: int) -> str:
    """The legal counts from 1 to `most`, as text: "nothing", "1" or "1 to 3"."""
    if most == 0:
        return "nothing"
    return "1" if most == 1 else f"1 to {most}"


def named_move(game: Game, answer):
    """The move that an answer names, legal or not; raises `IllegalMove` if it names none.

    Examples
    --------
    >>> named_move(sticks(10), 12), named_move(GreedyCoins((1, 2)), "L")
    (Move(row=0, count=12), 'L')
    """
    if isinstance(game, CoinGame):
        return _named_take(game, answer)
    for move in game.moves:
        if _is_move(answer, move):
            return move
    raise IllegalMove(f"move: {shown(answer)} is not a move of {game_words(game)}")


def _named_take(game: CoinGame, answer) -> Move:
    """The move that an answer names in a `CoinGame`."""
    if answer is None:
        raise IllegalMove(NO_ANSWER)
    try:
        if one_row(game) and not hasattr(answer, "__len__"):
            row, count = 0, answer
        else:
            row, count = sequence(answer, "move", "a row and a count")
        return Move(whole_number(row, "row", least=None), whole_number(count, "count", least=None))
    except (TypeError, ValueError):
        expected = "a Move(row, count) or a number of coins" if one_row(game) else "a Move(row, count)"
        raise IllegalMove(f"expected {expected}, in whole numbers; got {shown(answer)}") from None


def has_rows(game: Game) -> bool:
    """Whether a game is played with rows of coins."""
    return getattr(game, "rows", None) is not None


def one_row(game: Game) -> bool:
    """Whether a game is played with a single row of coins, so that moves need no row."""
    return has_rows(game) and len(game.rows) == 1


def _is_move(answer, move) -> bool:
    """Whether an answer is this move: equal and of the same type; NumPy numbers count as Python numbers."""
    answer = _without_numpy(answer)
    move = _without_numpy(move)
    return type(answer) is type(move) and answer == move


def _without_numpy(value):
    """A NumPy number as a Python number; anything else unchanged."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def why_illegal(game: Game, state, answer) -> str:
    """Why an answer is not a legal move in a state, and what would be legal; "" if it is legal.

    Examples
    --------
    >>> why_illegal(sticks(10), (2,), 3)
    'row 0 holds 2 coins; asked to take 3 (legal: 1 to 2)'
    """
    try:
        read_move(game, state, answer)
    except IllegalMove as error:
        return reason_in(error)
    return ""


def reason_in(error: IllegalMove) -> str:
    """The reason that an `IllegalMove` gives; "an illegal move" if it has no message."""
    return str(error) or "an illegal move"


def game_words(game: Game) -> str:
    """The name used for a game in files: its `repr`, or the name of its class if it does not define one."""
    if type(game).__repr__ is object.__repr__:
        return type(game).__name__
    return repr(game)


# --- asking a game, and reporting answers that cannot be right --------------------------------------------


def as_game(game) -> Game:
    """The game itself, or the scenario with this name; raises a readable TypeError or ValueError otherwise.

    Examples
    --------
    >>> as_game("NIM")
    CoinGame(rows=(1, 3, 5, 7), max_pick=2, misere=True)
    """
    if isinstance(game, str):
        return SCENARIOS[one_of(game, "game", tuple(SCENARIOS))]
    check_game(game)
    return game


def moves_of(game: Game, state) -> list:
    """The legal moves: at least one until the game is over, then none; `GameError` if the game breaks this rule."""
    legal = game.legal_moves(state)
    if legal is None:
        raise GameError(f"legal_moves({state!r}): expected a list, {NO_RETURN}")
    if not isinstance(legal, Sequence):
        raise GameError(f"legal_moves({state!r}): expected a list, got {shown(legal)}")
    if any(move is None for move in legal):
        raise GameError(f"legal_moves({state!r}): None cannot be a move: a missing `return` produces it")
    over = game.is_over(state)
    if not legal and not over:
        raise GameError(f"the game is not over in state {state!r}, yet there is no legal move")
    return [] if over else legal


def moves_to_choose(game: Game, state) -> list:
    """The moves to choose from; ValueError if the game is over."""
    legal = moves_of(game, state)
    if not legal:
        raise ValueError(f"state: the game is over in {state}, there is nothing to choose")
    return legal


def points_of(game: Game, state, move) -> int:
    """The points that a move earns; they must be whole, because 0.1 + 0.2 would not tie with 0.3."""
    points = game.reward(state, move)
    if points is None:
        raise GameError(f"reward({state!r}, {move!r}): expected a whole number of points, {NO_RETURN}")
    if points != int(points):
        raise GameError(f"reward({state!r}, {move!r}): expected a whole number of points, got {shown(points)}")
    return int(points)


def result_of(game: Game, state) -> int:
    """The result of a finished game for the player who would move next: +1, 0 or -1."""
    moves_of(game, state)  # Check first: `is_over` may call a broken `legal_moves`.
    result = game.result(state)
    if result not in (-1, 0, 1):
        expected = "expected -1, 0 or +1 for the player who would move next"
        raise GameError(f"result({state!r}): {expected}, got {shown(result)}")
    return int(result)
