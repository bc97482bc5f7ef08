"""Values as plain text, so that an answer can leave a process that nobody trusts.

`pack` runs where a student's code runs, and `unpack` where it is judged. What comes out of `unpack` is
made of Python's own types, NumPy's numbers and arrays, pandas' tables, and `Move`: nothing that
belongs to the student, and nothing that runs the student's code. What is none of these arrives as a
`Thing`, of which only its description is known.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import numpy as np

from coinlib.games import Move

MOST = 100_000  # items of one iterator, or steps of one range
DIGITS = 400  # of a Decimal: 1e999999999 is short to write and long to count with
SHOWN = 300  # characters of a description
KINDS = re.compile(r"[<>|=]?[?biuf][0-9]{0,2}")  # NumPy's types that are sent as numbers
MUTABLE = (list, dict, set, bytearray, np.ndarray, np.random.Generator)


class Thing:
    """Something that cannot be sent: a student's own object, a function, a picture."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


class Stream:
    """An iterator, such as a generator, with what it would have given."""

    def __init__(self, words: str, items: list) -> None:
        self.words, self.items = words, iter(items)

    def __iter__(self) -> Stream:
        return self

    def __next__(self):
        return next(self.items)

    def __repr__(self) -> str:
        return self.words


class Luck:
    """Where a NumPy generator stands in its stream."""

    def __init__(self, state: dict) -> None:
        self.state = state

    def __repr__(self) -> str:
        return "Generator"


# --- on the student's side ----------------------------------------------------------------------------------


def pack(value) -> list:
    """A value as what `json` can write: what it is, and the list of its parts.

    Parameters
    ----------
    value : object
        Anything. A part that stands in several places is still one and the same afterwards.

    Returns
    -------
    list
        Two items for `unpack`.

    Examples
    --------
    >>> pack((1, [2.5, "three"]))
    [[1], [['list', [2.5, 'three']], ['tuple', [1, [0]]]]]
    >>> unpack(pack((1, [2.5, "three"])))
    (1, [2.5, 'three'])
    """
    packer = _Packer()
    return [packer.part(value), packer.parts]


class _Packer:
    def __init__(self) -> None:
        self.parts: list[list] = []
        self._places: dict[int, list[int]] = {}  # where an object stands among the parts
        self._kept: list = []  # so that no two objects get the same id

    def part(self, value):
        """A number, a text or None as it is; anything else as the place of its part, in a list."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if id(value) in self._places:
            return self._places[id(value)]
        self._kept.append(value)
        if isinstance(value, (list, dict, set)):  # which may hold itself
            place = self._places[id(value)] = self._add([])
            self.parts[place[0]] = self._described(value)
            return place
        place = self._places[id(value)] = self._add(self._described(value))
        return place

    def _add(self, part: list) -> list[int]:
        self.parts.append(part)
        return [len(self.parts) - 1]

    def _described(self, value) -> list:
        try:
            return self._known(value) or ["thing", _words(value)]
        except Exception:  # noqa: BLE001 - a student's object may do anything when it is looked at
            return ["thing", _words(value)]

    def _known(self, value) -> list | None:
        for kinds, describe in (
            ((np.generic, np.ndarray, np.random.Generator), self._numpy),
            ((bool, int, float, complex, str, bytes, bytearray, Fraction, Decimal, range), self._scalar),
            ((list, tuple, set, frozenset, dict), self._container),
        ):
            if isinstance(value, kinds):
                return describe(value)
        if type(value).__module__.partition(".")[0] == "pandas":
            return self._pandas(value)
        if hasattr(type(value), "__iter__") and not isinstance(value, type):
            return ["stream", _words(value), [self.part(item) for item in islice(value, MOST)]]
        return None

    def _scalar(self, value) -> list:
        match value:
            case range():
                return ["range", value.start, value.stop, value.step]
            case bytes() | bytearray():
                return ["bytes" if isinstance(value, bytes) else "bytearray", bytes(value).hex()]
            case complex():
                return ["complex", value.real, value.imag]
            case Fraction():
                return ["fraction", value.numerator, value.denominator]
            case Decimal():
                return ["decimal", str(value)]
            case float():
                return ["plain", float(value)]
            case int():
                return ["plain", int(value)]
        return ["plain", str(value)]

    def _container(self, value) -> list:
        match value:
            case dict():
                return ["dict", [[self.part(key), self.part(held)] for key, held in dict.items(value)]]
            case Move():
                return ["move", [self.part(number) for number in value]]
            case tuple():
                return ["tuple", [self.part(item) for item in tuple.__iter__(value)]]
            case list():
                return ["list", [self.part(item) for item in list.__iter__(value)]]
        return ["set" if isinstance(value, set) else "frozenset", [self.part(item) for item in value]]

    def _numpy(self, value) -> list | None:
        if isinstance(value, np.random.Generator):
            return ["generator", self.part(value.bit_generator.state)]
        if isinstance(value, np.generic):
            return ["number", value.dtype.str, value.item()] if KINDS.fullmatch(value.dtype.str) else None
        flat = [self.part(item) for item in value.ravel().tolist()]
        return ["array", value.dtype.str if KINDS.fullmatch(value.dtype.str) else "", list(value.shape), flat]

    def _pandas(self, value) -> list | None:
        import pandas as pd

        if isinstance(value, pd.Series):
            names = [self.part(value.name), self.part(value.index.name)]
            return ["series", self.part(value.to_numpy()), self.part(list(value.index)), *names]
        if isinstance(value, pd.DataFrame):
            columns = [self.part(value.iloc[:, place].to_numpy()) for place in range(value.shape[1])]
            return ["frame", columns, self.part(list(value.columns)), self.part(list(value.index))]
        if isinstance(value, pd.Index):
            return ["stream", _words(value), [self.part(item) for item in value]]
        return None


def _words(value) -> str:
    """A description of an object; its own, if it has one."""
    try:
        return repr(value)[:SHOWN]
    except BaseException:  # noqa: BLE001
        return f"a {type(value).__name__}"


# --- on the judge's side --------------------------------------------------------------------------------------


def unpack(packed):
    """The value that was packed, in the judge's own types.

    Parameters
    ----------
    packed : list
        What `pack` has given, or what somebody wants to pass for it.

    Returns
    -------
    object

    Raises
    ------
    ValueError
        If it is not what `pack` gives.

    Examples
    --------
    >>> row, table = unpack(pack((range(3), [{1: 0.5}] * 2)))
    >>> list(row), table, table[0] is table[1]
    ([0, 1, 2], [{1: 0.5}, {1: 0.5}], True)
    >>> unpack(pack(lambda: 1))
    <function <lambda> at 0x...>
    """
    try:
        root, parts = packed
        return _Unpacker(parts).value(root)
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        OverflowError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise ValueError(f"not a packed value: {type(error).__name__}") from None


class _Unpacker:
    def __init__(self, parts: list) -> None:
        self.parts = parts
        self._made: dict[int, object] = {}

    def value(self, part):
        if part is None or type(part) in (bool, int, float, str):
            return part
        (place,) = part
        if place not in self._made:
            kind, *details = self.parts[place]
            if kind in FILLED:
                self._fill(place, FILLED[kind](), *details)
            else:
                self._made[place] = MAKERS[kind](self, *details)
        return self._made[place]

    def _each(self, parts: list) -> list:
        return [self.value(part) for part in parts]

    def _fill(self, place: int, made: list | dict | set, held: list) -> None:
        self._made[place] = made  # before it is filled: it may hold itself
        if isinstance(made, list):
            made.extend(self._each(held))
        elif isinstance(made, set):
            made.update(self._each(held))
        else:
            for key, one in held:
                made[self.value(key)] = self.value(one)

    def _plain(self, value):
        return value if isinstance(value, (bool, int, float, str)) else None

    def _tuple(self, held) -> tuple:
        return tuple(self._each(held))

    def _frozenset(self, held) -> frozenset:
        return frozenset(self._each(held))

    def _move(self, held) -> Move:
        return Move(*self._each(held))

    def _bytes(self, written) -> bytes:
        return bytes.fromhex(written)

    def _bytearray(self, written) -> bytearray:
        return bytearray.fromhex(written)

    def _complex(self, real, imaginary) -> complex:
        return complex(real, imaginary)

    def _fraction(self, numerator, denominator) -> Fraction:
        return Fraction(int(numerator), int(denominator))

    def _decimal(self, written) -> Decimal:
        number = Decimal(written)
        return number if abs(number.adjusted()) <= DIGITS else Thing(f"Decimal({written!r})"[:SHOWN])

    def _range(self, start, stop, step):
        steps = range(start, stop, step)
        return steps if not steps or (stop - start) // step <= MOST else Thing(f"{steps!r}"[:SHOWN])

    def _number(self, kind, value):
        return self._kind(kind).type(value)

    def _kind(self, kind) -> np.dtype:
        if not KINDS.fullmatch(kind):
            raise ValueError(kind)
        return np.dtype(kind)

    def _array(self, kind, shape, flat):
        if len(shape) > 32 or any(type(side) is not int or not 0 <= side <= max(len(flat), 64) for side in shape):
            raise ValueError("shape")
        if math.prod(shape) != len(flat):
            raise ValueError("shape")
        held = np.empty(len(flat), dtype=self._kind(kind) if kind else object)
        held[:] = self._each(flat)
        return held.reshape(shape)

    def _series(self, values, index, name, name_of_index):
        import pandas as pd

        places = pd.Index(self.value(index), name=self.value(name_of_index))
        return pd.Series(self.value(values), index=places, name=self.value(name))

    def _frame(self, columns, names, index):
        import pandas as pd

        table = pd.DataFrame(dict(enumerate(self._each(columns))), index=self.value(index))
        table.columns = self.value(names)
        return table

    def _generator(self, state) -> Luck:
        return Luck(self.value(state))

    def _stream(self, words, items) -> Stream:
        return Stream(str(words)[:SHOWN], self._each(items))

    def _thing(self, words) -> Thing:
        return Thing(str(words)[:SHOWN])


FILLED = {"list": list, "dict": dict, "set": set}
MAKERS = {  # all that a part can be: no name that comes from the student's side is looked up elsewhere
    name: getattr(_Unpacker, f"_{name}")
    for name in (
        *("plain", "tuple", "frozenset", "move", "bytes", "bytearray", "complex", "fraction", "decimal", "range"),
        *("number", "array", "series", "frame", "generator", "stream", "thing"),
    )
}


def generator_at(state: dict) -> np.random.Generator:
    """A generator of NumPy's default kind that stands at a certain place of its stream.

    Examples
    --------
    >>> generator = np.random.default_rng(5)
    >>> twin = generator_at(generator.bit_generator.state)
    >>> (twin.integers(100, size=5) == generator.integers(100, size=5)).all()
    np.True_
    """
    generator = np.random.default_rng(0)
    generator.bit_generator.state = state
    return generator


def write_back(old, new) -> None:
    """Let a mutable value be what it was after the call; other values cannot have changed.

    Parameters
    ----------
    old : object
        What was handed to the student's function; one of `MUTABLE` is changed in place.
    new : object
        What it looked like afterwards.

    Raises
    ------
    ValueError
        If the two are not of one kind.

    Examples
    --------
    >>> balls = [1, 2]
    >>> write_back(balls, [1, 2, 2])
    >>> balls
    [1, 2, 2]
    """
    if not isinstance(old, MUTABLE):
        return
    if isinstance(old, np.random.Generator) and isinstance(new, Luck):
        old.bit_generator.state = new.state
    elif type(old) is not type(new):
        raise ValueError(f"expected a {type(old).__name__}, got a {type(new).__name__}")
    elif isinstance(old, (dict, set)):
        old.clear()
        old.update(new)
    else:
        old[:] = new
