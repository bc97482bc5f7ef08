"""Answers as plain data: what is sent between a student's function and its judge, or into a page.

JSON has no tuples and no `Move`, and its keys are strings: so each value that JSON lacks becomes a record with one
name, which is its type. A value of any other type arrives as its `repr`, and equals nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from coinlib.games import CoinGame, Move

# Exercises whose answers cannot be sent: they are tried in the process that runs the student's code.
NO_PLAIN_DATA = ("my_slider",)
LARGEST = 400_000  # the most characters of an answer to send
LONGEST = 200  # characters of the `repr` of another value
DEEPEST = 50
MOST_STATES = 2_000_000  # of a game that is an answer


class Other:
    """Stands for a value that cannot be sent.

    Parameters
    ----------
    words : str
        Its `repr`.
    """

    def __init__(self, words: str) -> None:
        self.words = str(words)

    def __repr__(self) -> str:
        return self.words


class Column(dict):
    """A column of pandas: its values by their labels."""

    def __init__(self, labels: list, values: list) -> None:
        super().__init__(zip(labels, values))
        self.listed = values

    def tolist(self) -> list:
        """The values alone."""
        return self.listed


def is_plain(value: object) -> bool:
    """Return whether a value is made of Python's own numbers, texts, lists and dictionaries, which `encode` keeps.

    Examples
    --------
    >>> is_plain([1, (2, "a"), {3: None}]), is_plain([len]), is_plain(Move(0, 1))
    (True, False, False)
    """
    kind = type(value)
    if kind in (list, tuple):
        return all(map(is_plain, value))
    if kind is dict:
        return all(is_plain(key) and is_plain(part) for key, part in value.items())
    return value is None or kind in (bool, int, float, str)


def encode(value: object, largest: int = LARGEST) -> object:
    """A value as JSON can write it; its `repr` if it is too large or too deep for that.

    Parameters
    ----------
    value : object
    largest : int
        How many characters it may have.

    Examples
    --------
    >>> encode([1, (2, 3.5), {4: None}, Move(0, 1)])
    [1, {'tuple': [2, 3.5]}, {'dict': [[4, None]]}, {'move': [0, 1]}]
    >>> decode(encode({(1, 2): {"a": b"x"}, True: {3}}))
    {(1, 2): {'a': b'x'}, True: {3}}
    >>> decode(encode(range(3))), decode(encode(CoinGame((7,), max_pick=3, misere=True)))
    (range(0, 3), CoinGame(rows=(7,), max_pick=3, misere=True))
    >>> decode(encode((1, ..., Fraction(1, 3))))
    (1, Ellipsis, Fraction(1, 3))
    >>> decode(encode(len))
    <built-in function len>
    """
    if value is None or type(value) in (bool, float):
        return value
    try:
        data = _encoded(value, DEEPEST)
        too_large = len(json.dumps(data)) > largest
    except Exception:  # noqa: BLE001 - whatever a student's own classes do
        too_large = True
    return _other(value) if too_large else data


def _encoded(value: object, depth: int) -> object:
    kind = type(value)
    if depth == 0:
        return _other(value)
    if value is None or kind is bool:
        return value
    if value is ...:
        return {"dots": []}
    # What a student's own class says about its values does not count: these are Python's own values.
    for plain, own in ((str, str.__str__), (int, int.__int__), (float, float.__float__)):
        if isinstance(value, plain) and not hasattr(value, "tolist"):
            return own(value)
    if hasattr(value, "tolist"):
        return _of_numpy(value, depth)
    if isinstance(value, Fraction | Decimal):
        return {"exact": str(value)}
    if isinstance(value, bytes):
        return {"bytes": bytes.hex(value)}
    if kind is range and len(value) < LARGEST:
        return {"range": [value.start, value.stop, value.step]}
    if kind is CoinGame:
        return {"game": [_encoded(value.rows, depth - 1), value.max_pick, value.misere]}
    if isinstance(value, dict):
        items = dict.items(value)
        return {"dict": [[_encoded(key, depth - 1), _encoded(part, depth - 1)] for key, part in items]}
    for plain, name in ((list, ""), (tuple, "tuple"), (set, "set"), (frozenset, "set")):
        if isinstance(value, plain):
            parts = [_encoded(part, depth - 1) for part in plain.__iter__(value)]
            if kind is Move:
                name = "move"
            return {name: parts} if name else parts
    return _other(value)


def _of_numpy(value, depth: int) -> object:
    """A number or an array of NumPy, or a column of pandas."""
    listed = value.tolist()
    if not hasattr(value, "keys"):
        return _encoded(listed, depth - 1)
    labels = value.keys().tolist()
    return {"column": [[_encoded(part, depth - 1) for part in parts] for parts in (labels, listed)]}


def _other(value: object) -> dict:
    try:
        words = repr(value)
    except Exception:  # noqa: BLE001 - whatever a student's own classes do
        words = f"<{type(value).__name__}>"
    return {"other": str.__str__(words)[:LONGEST]}


def decode(data: object) -> object:
    """Return the value that `encode` was given.

    Raises
    ------
    ValueError, TypeError or RecursionError
        If `encode` has not made this.
    OverflowError
        If it is short, but its value would be larger than any honest answer.
    """
    return _decoded(data, _Room())


class _Room:
    """How many more numbers the ranges of an answer may have in total."""

    def __init__(self) -> None:
        self.left = LARGEST

    def make_range(self, parts: Iterable[int]) -> range:
        """Return a range for which there is room."""
        numbers = range(*parts)
        self.left -= len(numbers)
        if self.left < 0:
            raise OverflowError("the ranges are too long")
        return numbers


def _game(parts: Iterable) -> CoinGame:
    game = CoinGame(*parts)
    if math.prod(count + 1 for count in game.rows) > MOST_STATES:
        raise OverflowError("the game has too many states")
    return game


def _decoded(data: object, room: _Room) -> object:
    if isinstance(data, list):
        return [_decoded(part, room) for part in data]
    if not isinstance(data, dict):
        return data
    ((name, content),) = data.items()
    if name == "dict":
        return {_decoded(key, room): _decoded(part, room) for key, part in content}
    if name == "column":
        labels, values = content
        return Column(_decoded(labels, room), _decoded(values, room))
    makers = {
        "tuple": tuple,
        "set": set,
        "bytes": bytes.fromhex,
        "other": Other,
        "move": Move._make,
        "range": room.make_range,
        "game": _game,
        "dots": lambda _: ...,
        "exact": Fraction,
    }
    parts = content if isinstance(content, str) else [_decoded(part, room) for part in content]
    return makers[name](parts)


# --- long lists -----------------------------------------------------------------------------------------

LONG = 100  # items of a list that is made shorter
RUN = 10  # whole numbers in equal steps that are written as a range


def shortened(data: object) -> object:
    """Encoded data with ranges for those parts of long lists that run in equal steps.

    Examples
    --------
    >>> shortened([[*range(1_000), 7], [1, 2]])
    [{'joined': [[0, 1000, 1], [7, 8, 1]]}, [1, 2]]
    >>> lengthened(_) == [[*range(1_000), 7], [1, 2]]
    True
    """
    if isinstance(data, dict):
        return {name: shortened(content) for name, content in data.items()}
    if not isinstance(data, list):
        return data
    if len(data) >= LONG and all(type(item) is int for item in data):
        runs = list(_runs(data))
        if RUN * len(runs) < len(data):
            return {"joined": runs}
    return [shortened(item) for item in data]


def _runs(numbers: list[int]) -> Iterator[list[int]]:
    """The ranges that make up a list, in order: start, stop and step of each."""
    first = 0
    while first < len(numbers):
        last = first
        step = 1
        if first + 1 < len(numbers) and numbers[first + 1] != numbers[first]:
            step = numbers[first + 1] - numbers[first]
        while last + 1 < len(numbers) and numbers[last + 1] - numbers[last] == step:
            last += 1
        yield [numbers[first], numbers[last] + step, step]
        first = last + 1


def lengthened(data: object) -> object:
    """The original data that `shortened` has made shorter."""
    if isinstance(data, list):
        return [lengthened(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "joined" in data:
        return [number for run in data["joined"] for number in range(*run)]
    return {name: lengthened(content) for name, content in data.items()}
