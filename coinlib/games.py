"""What is played: the rules of the course's games, and nothing else.

A game is a value. It says where play starts, which moves are legal, what a move
leads to and who has won; it does not remember anything. A state is a tuple that
holds all that matters for the rest of the game.
"""

from __future__ import annotations

import itertools
import math
import operator
import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

State = tuple[int, ...]  # what is left: one count per row, or the two ends of a row of coins
LISTED_AT_MOST = 10_000_000  # more moves than this are not written down one by one
LONGEST_NAME = 255  # bytes of a file's name: what file systems allow
LONGEST_NUMBER = 10_000  # bits, about 3,000 digits: Python itself refuses to write down much longer ones


class Move(NamedTuple):
    """Take `count` coins from row `row` (rows are counted from 0)."""

    row: int
    count: int


class IllegalMove(ValueError):
    """A move that the rules forbid; the message says what would be legal."""


@runtime_checkable
class Game(Protocol):
    """What every game here can say of itself; your own class needs only these seven.

    The two players move in turn and a game must come to an end: no state may come twice.

    Attributes
    ----------
    start : hashable
        The state in which the first player moves.
    moves : sequence
        Every move that can be named in this game, in a fixed order.
    """

    @property
    def start(self) -> Hashable: ...

    @property
    def moves(self) -> Sequence[Any]: ...

    def legal_moves(self, state) -> list:
        """The moves allowed in `state`, in the order of `moves`; none when the game is over."""
        ...

    def play(self, state, move):
        """The state after `move`; raise `IllegalMove` where the rules forbid it."""
        ...

    def is_over(self, state) -> bool:
        """Whether the game has ended in `state`."""
        ...

    def reward(self, state, move) -> float:
        """The points that `move` earns whoever makes it (0 in games without points)."""
        ...

    def result(self, state) -> int:
        """At the end: +1, 0 or -1 for whoever would move next."""
        ...


def read_move(game: Game, state, answer):
    """The legal move that an agent's answer means.

    Parameters
    ----------
    game : Game
    state : state of `game`
    answer : object
        Whatever an agent returned. `CoinGame` also reads a plain pair, NumPy integers and,
        on one row, a bare number; any other game takes its own moves only.

    Returns
    -------
    move
        One of ``game.legal_moves(state)``.

    Raises
    ------
    IllegalMove
        With what was wrong and what would be legal.
    TypeError, ValueError
        If `game` is no game, or `state` is none of its states.

    Examples
    --------
    >>> read_move(sticks(10), (7,), 2)
    Move(row=0, count=2)
    """
    if isinstance(game, type) or not hasattr(game, "legal_moves"):
        raise TypeError(f"game: expected a game such as sticks(20), got {shown(game)}")
    if hasattr(game, "read_move"):
        return game.read_move(state, answer)
    legal = members(game.legal_moves(state), "game: legal_moves", "a list of moves")
    for move in legal:
        if type(answer) is type(move) and answer == move:
            return move
    raise IllegalMove(f"{shown(answer)} is not a legal move in {state} (legal: {_listed(legal)})")


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
        True: who takes the last coin loses (*misère play*).
        False: who takes the last coin wins (*normal play*).

    Raises
    ------
    TypeError, ValueError
        If a row or `max_pick` is not a whole number, or is too small.

    Examples
    --------
    >>> game = CoinGame(rows=(1, 3, 5, 7), max_pick=2, misere=True)
    >>> game.start
    (1, 3, 5, 7)
    >>> game.play(game.start, Move(row=2, count=2))
    (1, 3, 3, 7)

    Only what is there can be taken:

    >>> game.play((1, 0, 0, 0), Move(row=0, count=2))
    Traceback (most recent call last):
        ...
    coinlib.games.IllegalMove: row 0 holds 1 coin; asked to take 2 (legal: 1)
    """

    rows: tuple[int, ...]
    max_pick: int | None
    misere: bool = True

    def __post_init__(self) -> None:
        listed = in_order(self.rows, "rows", "counts such as (1, 3, 5, 7)")
        rows = tuple(whole_number(count, "a row", least=0) for count in listed)
        if not rows:
            raise ValueError("rows: expected at least one row, got none")
        object.__setattr__(self, "rows", rows)
        if self.max_pick is not None:
            object.__setattr__(self, "max_pick", whole_number(self.max_pick, "max_pick", least=1))
        object.__setattr__(self, "misere", truth(self.misere, "misere"))

    @property
    def start(self) -> State:
        """The rows as they lie at the start."""
        return self.rows

    @property
    def ending(self) -> str:
        """What the last coin means, in the field's words: "misère play" or "normal play"."""
        return "misère play" if self.misere else "normal play"

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move that can be named: each row with each count from 1 to the most."""
        _check_listable(self.move_count)
        most = self.move_count // len(self.rows)
        return tuple(Move(row, count) for row in range(len(self.rows)) for count in range(1, most + 1))

    @property
    def move_count(self) -> int:
        """How many moves can be named; they need not be listed for this."""
        return len(self.rows) * (max(self.rows) if self.max_pick is None else self.max_pick)

    @property
    def state_count(self) -> int:
        """How many states play can reach."""
        return math.prod(held + 1 for held in self.rows)

    def legal_moves(self, state: State) -> list[Move]:
        """The moves allowed in `state`, in order of row, then count.

        Parameters
        ----------
        state : tuple of int
            Coins left in each row.

        Returns
        -------
        list of Move
            Empty when no coin is left.

        Raises
        ------
        ValueError
            If `state` is not a state of this game, or the moves are too many to list.

        Examples
        --------
        >>> CoinGame(rows=(1, 3), max_pick=2).legal_moves((1, 3))
        [Move(row=0, count=1), Move(row=1, count=1), Move(row=1, count=2)]
        """
        self._check_state(state)
        _check_listable(sum(self._most(held) for held in state))
        return [Move(row, count) for row, held in enumerate(state) for count in range(1, self._most(held) + 1)]

    def play(self, state: State, move: Move) -> State:
        """The counts after `move`.

        Parameters
        ----------
        state : tuple of int
            Coins left in each row.
        move : Move, pair of int, or int
            A bare count will do where there is one row.

        Returns
        -------
        tuple of int

        Raises
        ------
        IllegalMove
            With what would be legal.
        ValueError
            If `state` is not a state of this game.
        """
        row, count = self.read_move(state, move)
        return state[:row] + (state[row] - count,) + state[row + 1 :]

    def is_over(self, state: State) -> bool:
        """Whether every coin has been taken; raises ValueError for a state of another game."""
        self._check_state(state)
        return not any(state)

    def reward(self, state: State, move: Move) -> int:
        """Always 0: coins earn nothing here, only the last one matters."""
        return 0

    def result(self, state: State) -> int:
        """For whoever would move next at the end: +1 in misère play, -1 in normal play.

        The other player took the last coin. Raises ValueError while coins are left.
        """
        if not self.is_over(state):
            raise ValueError(f"the game is not over: {state} still holds {sum(state)} coins")
        return 1 if self.misere else -1

    def read_move(self, state: State, answer) -> Move:
        """The legal move that `answer` means in `state`; see `coinlib.games.read_move`."""
        self._check_state(state)
        if not any(state):
            raise IllegalMove(f"the game is over: no coin is left to take, asked for {shown(answer)}")
        move = self.named_move(answer)
        if not 0 <= move.row < len(state):
            rows = "row 0" if len(state) == 1 else f"rows 0 to {len(state) - 1}"
            raise IllegalMove(f"there is no row {shown(move.row)}; this game has {rows}")
        held = state[move.row]
        if not 1 <= move.count <= self._most(held):
            raise IllegalMove(
                f"row {move.row} holds {counted(held, 'coin')}; asked to take {shown(move.count)} (legal: {self._span(held)})"
            )
        return move

    def named_move(self, answer) -> Move:
        """The move that an answer names, legal or not; raises `IllegalMove` if it names none."""
        try:
            if isinstance(answer, (str, bytes, set, dict)):
                raise TypeError
            if isinstance(answer, Iterable):
                row, count = answer
            elif len(self.rows) == 1:
                row, count = 0, answer
            else:
                raise TypeError
            return Move(_index(row), _index(count))
        except (TypeError, ValueError):
            wanted = "a Move(row, count)" + (" or a number of coins" if len(self.rows) == 1 else "")
            raise IllegalMove(f"expected {wanted}, got {shown(answer)}") from None

    def _most(self, held: int) -> int:
        """The most coins that one move may take from a row that holds `held`."""
        return held if self.max_pick is None else min(held, self.max_pick)

    def _span(self, held: int) -> str:
        most = self._most(held)
        return {0: "nothing", 1: "1"}.get(most, f"1 to {most}")

    def _check_state(self, state) -> None:
        if isinstance(state, tuple) and len(state) == len(self.rows):
            for held, row in zip(state, self.rows):
                # the first test alone is enough for every state that `play` returns
                if type(held) is not int and not _is_whole(held) or not 0 <= held <= row:
                    break
            else:
                return
        raise ValueError(
            f"expected a state of this game: a tuple of {counted(len(self.rows), 'count')}, "
            f"none above {self.rows}; got {shown(state)}"
        )


@dataclass(frozen=True)
class GreedyCoins:
    """One row of coins with values; a move takes the coin at the left or at the right end.

    Who has the larger total wins. A state is ``(left, right)``: the coins still there are
    ``coins[left:right]``.

    Parameters
    ----------
    coins : sequence of int
        The values, 0 or more, from left to right; at least one coin.

    Raises
    ------
    TypeError, ValueError
        If a value is not a whole number, or is negative, or there is no coin.

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
        listed = in_order(self.coins, "coins", "values such as (1, 2, 4, 3)")
        coins = tuple(whole_number(value, "a coin", least=0) for value in listed)
        if not coins:
            raise ValueError("coins: expected at least one coin, got none")
        object.__setattr__(self, "coins", coins)

    @property
    def start(self) -> State:
        """The whole row: ``(0, number of coins)``."""
        return (0, len(self.coins))

    def coins_left(self, state: State) -> tuple[int, ...]:
        """The values still on the table in `state`, from left to right; ValueError for another game's state."""
        self._check_state(state)
        return self.coins[slice(*state)]

    def legal_moves(self, state: State) -> list[str]:
        """``["L", "R"]`` while a coin is left, from either side; raises ValueError for a state of another game."""
        return [] if self.is_over(state) else list(self.moves)

    def play(self, state: State, move: str) -> State:
        """The ends of what is left after "L" or "R".

        Raises `IllegalMove` for anything else, and ValueError for a state of another game.
        """
        move = self.read_move(state, move)
        left, right = state
        return (left + 1, right) if move == "L" else (left, right - 1)

    def is_over(self, state: State) -> bool:
        """Whether every coin has been taken; raises ValueError for a state of another game."""
        self._check_state(state)
        return state[0] == state[1]

    def reward(self, state: State, move: str) -> int:
        """The value of the coin that `move` takes; raises what `play` raises."""
        return self.coins[state[0] if self.read_move(state, move) == "L" else state[1] - 1]

    def result(self, state: State) -> int:
        """Always 0: the points have decided. Raises ValueError while coins are left."""
        if not self.is_over(state):
            raise ValueError(f"the game is not over: coins {self.coins_left(state)} are left")
        return 0

    def read_move(self, state: State, answer) -> str:
        """The end, "L" or "R", if that is what `answer` is; see `coinlib.games.read_move`."""
        if self.is_over(state):
            raise IllegalMove(f"the game is over: no coin is left to take, asked for {shown(answer)}")
        if not (isinstance(answer, str) and answer in self.moves):
            raise IllegalMove(f"expected 'L' or 'R', got {shown(answer)}")
        return str(answer)

    def _check_state(self, state) -> None:
        whole = isinstance(state, tuple) and len(state) == 2 and all(map(_is_whole, state))
        if whole and 0 <= state[0] <= state[1] <= len(self.coins):
            return
        raise ValueError(
            f"expected a state of this game: (left, right) with 0 <= left <= right <= {len(self.coins)}; got {shown(state)}"
        )


def sticks(count: int, max_pick: int | None = 3, misere: bool = True) -> CoinGame:
    """One row: the Game of Sticks when nothing else is said (1 to 3 a turn, misère play).

    Parameters
    ----------
    count : int
        Sticks at the start, 0 or more.
    max_pick : int or None
        The most sticks one move may take; None for no bound.
    misere : bool
        True: who takes the last stick loses. False: who takes it wins.

    Returns
    -------
    CoinGame

    Raises
    ------
    TypeError, ValueError
        See `CoinGame`.

    Examples
    --------
    >>> sticks(20)
    CoinGame(rows=(20,), max_pick=3, misere=True)
    """
    return CoinGame((count,), max_pick, misere)


def three_piles(nickels: int, dimes: int, quarters: int) -> CoinGame:
    """Three piles, any number of coins from one of them, normal play: who takes the last wins.

    Parameters
    ----------
    nickels, dimes, quarters : int
        Coins in each pile, 0 or more.

    Returns
    -------
    CoinGame

    Raises
    ------
    TypeError, ValueError
        See `CoinGame`.

    Examples
    --------
    >>> three_piles(3, 3, 7)
    CoinGame(rows=(3, 3, 7), max_pick=None, misere=False)
    """
    return CoinGame((nickels, dimes, quarters), max_pick=None, misere=False)


# --- what is asked of arguments ---------------------------------------------------------------------------


def whole_number(value, what: str, least: int, most: int | None = None) -> int:
    """`value` as an int from `least` to `most`; `what` names it in the error.

    Raises
    ------
    TypeError, ValueError
        If it is not a whole number (True and False are none), or lies outside.
    """
    try:
        number = _index(value)
    except TypeError:
        raise TypeError(f"{what}: expected a whole number, got {shown(value)}") from None
    if number < least:
        raise ValueError(f"{what}: expected {least:,} or more, got {shown(number)}")
    if most is not None and number > most:
        raise ValueError(f"{what}: expected at most {most:,}, got {shown(number)}")
    if number.bit_length() > LONGEST_NUMBER:
        raise ValueError(f"{what}: expected a number that can be written down, got {shown(number)}")
    return number


def real_number(value, what: str, expected: str = "a number") -> float:
    """`value` as a float, which may be infinite or NaN; `what` and `expected` are said in the error.

    Raises
    ------
    TypeError
        If it is not a number; text is none.
    """
    try:
        if isinstance(value, (str, bytes, bytearray)) or type(value).__name__ == "MaskedConstant":
            raise TypeError
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except Exception:  # noqa: BLE001 - whatever the class of somebody else raises
        raise TypeError(f"{what}: expected {expected}, got {shown(value)}") from None


def above_zero(value, what: str) -> float:
    """`value` as a float above 0, and not infinite.

    Raises
    ------
    TypeError, ValueError
        If it is none; `what` names it.
    """
    number = real_number(value, what)
    if not 0 < number < math.inf:
        raise ValueError(f"{what}: expected a number above 0, got {shown(value)}")
    return number


def truth(value, what: str) -> bool:
    """`value` as a bool, if it is True or False, Python's or NumPy's; otherwise TypeError."""
    if not _is_truth(value):
        raise TypeError(f"{what}: expected True or False, got {shown(value)}")
    return bool(value)


def one_of(value, what: str, choices: Sequence[str]) -> str:
    """`value`, if it is one of some words; otherwise ValueError."""
    if isinstance(value, str) and value in choices:
        return str(value)
    *others, last = map(repr, choices)
    raise ValueError(f"{what}: expected {', '.join(others)} or {last}, got {shown(value)}")


def in_order(values, what: str, such_as: str) -> tuple:
    """Values that can be read off one after the other, as a tuple: no text, and no set, which has no order.

    Raises
    ------
    TypeError, ValueError
        If they have no order, or there are more than `LISTED_AT_MOST` that nobody has written down yet.
    """
    if isinstance(values, (list, tuple)):
        return tuple(values)
    if isinstance(values, (str, bytes, AbstractSet, Mapping)):
        raise TypeError(f"{what}: expected {such_as}, got {shown(values)}")
    return members(values, what, such_as)


def members(values, what: str, such_as: str) -> tuple:
    """Values in any order, as a tuple; otherwise as `in_order`."""
    try:
        if isinstance(values, (str, bytes)):
            raise TypeError
        read = iter(values)
    except TypeError:  # also an array without a length, which calls itself iterable
        raise TypeError(f"{what}: expected {such_as}, got {shown(values)}") from None
    too_many = operator.length_hint(values) > LISTED_AT_MOST
    listed = () if too_many else tuple(itertools.islice(read, LISTED_AT_MOST + 1))
    if too_many or len(listed) > LISTED_AT_MOST:
        raise ValueError(f"{what}: expected at most {LISTED_AT_MOST:,}, got more: {shown(values)}")
    return listed


def path_of(value, what: str) -> Path:
    """`value` as a path that can name a file; `what` names it in the error.

    Raises
    ------
    TypeError, ValueError
        If it is not a text or a path, or can be the name of nothing.
    """
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{what}: expected a path, got {shown(value)}")
    path = Path(value)
    too_long = any(len(os.fsencode(part)) > LONGEST_NAME for part in path.parts)
    if not path.name and not path.is_absolute() or "\0" in str(path) or too_long:
        raise ValueError(f"{what}: expected the path of a file or a folder, got {shown(value)}")
    return path


def check_coin_game(game) -> None:
    """Raise TypeError for anything but a `CoinGame`."""
    if not isinstance(game, CoinGame):
        raise TypeError(f"game: expected a CoinGame such as sticks(20), got {shown(game)}")


def check_agent(agent, what: str) -> None:
    """Raise TypeError for what cannot be asked for a move; `what` names it."""
    if not callable(agent) or isinstance(agent, type):
        mend = f"; write {agent.__name__}(...) to make one" if isinstance(agent, type) else ""
        raise TypeError(f"{what}: expected an agent, a function (game, state) -> move; got {shown(agent)}{mend}")


def processes_of(value, what: str, cores: int) -> int:
    """`value` as a number of processes at once, from 1 to four for each core.

    Every process holds the libraries once more: a hundred of them fill a laptop's memory.

    Raises
    ------
    TypeError, ValueError
        If it is none; `what` names it.
    """
    return whole_number(value, what, least=1, most=4 * cores)


def scenario_of(value, what: str) -> CoinGame:
    """`value` if it is a `CoinGame`, or the scenario of that name.

    Raises
    ------
    TypeError, ValueError
        If it is neither; `what` names it.
    """
    if isinstance(value, str):
        if value not in SCENARIOS:
            raise ValueError(f"{what}: expected one of {', '.join(SCENARIOS)}, got {shown(value)}")
        return SCENARIOS[value]
    if not isinstance(value, CoinGame):
        raise TypeError(f"{what}: expected a CoinGame or the name of a scenario, got {shown(value)}")
    return value


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 coin", "2 coins"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shown(value) -> str:
    """A value as it stands in a message, cut where it is long."""
    try:
        words = repr(value)
    except Exception:  # noqa: BLE001 - a number of 5,000 digits, or a class of a student
        return f"a very long {type(value).__name__}" if isinstance(value, int) else f"a {type(value).__name__}"
    words = words or f"an empty {type(value).__name__}"  # such as a message of protobuf
    return words if len(words) <= 80 else words[:77] + "..."


def _index(value) -> int:
    """An int from anything that is a whole number; True and False are not numbers of coins."""
    if _is_truth(value):
        raise TypeError
    return operator.index(value)


def _is_truth(value) -> bool:
    """Whether a value is True or False, Python's or NumPy's."""
    return type(value).__name__ in ("bool", "bool_")


def _is_whole(value) -> bool:
    try:
        _index(value)
    except TypeError:
        return False
    return True


def _check_listable(count: int) -> None:
    if count > LISTED_AT_MOST:
        many = f"{count:,}" if count < 10**30 else "more than 10^30"
        raise ValueError(f"{many} moves are too many to list (at most {LISTED_AT_MOST:,})")


def _listed(moves: Sequence) -> str:
    shown = ", ".join(map(repr, moves[:8]))
    return (shown or "none") + (", ..." if len(moves) > 8 else "")


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
"""The scenarios of The Coin Game by name, all in misère play, and NIM_7 beside them."""
