"""Argument checks, and how values are shown in messages.

Each mistake gets one clear sentence: the name of the argument, what was expected, and what was given. There is no
check where Python's own error is just as clear.
"""

import math
import operator
from collections.abc import Iterable, Sequence


def shown(value) -> str:
    """`repr(value)`, shortened; only its type if `repr` fails.

    Examples
    --------
    >>> shown("a"), shown(10**5_000)
    ("'a'", 'a value of type int')
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - too many digits, or any error in a user's class
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 coin", "2 coins", "1,000 coins"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def whole_number(value, what: str, least: int | None = 0, most: int | None = None) -> int:
    """`value` as an int from `least` to `most`; None means no bound. Bools are rejected.

    Examples
    --------
    >>> whole_number(2.5, "max_pick", least=1)
    Traceback (most recent call last):
        ...
    TypeError: max_pick: expected a whole number, got 2.5
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or type(value).__name__ == "bool":  # Python's or NumPy's
        raise TypeError(f"{what}: expected a whole number, got {shown(value)}")
    if least is not None and number < least:
        raise ValueError(f"{what}: expected {least:,} or more, got {shown(number)}")
    if most is not None and number > most:
        raise ValueError(f"{what}: expected at most {most:,}, got {shown(number)}")
    return number


def number_in(value, what: str, least: float, most: float = math.inf) -> float:
    """`value` as a float from `least` to `most`."""
    if most == math.inf:
        expected = f"a number of {least:g} or more"
    else:
        expected = f"a number from {least:g} to {most:g}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected {expected}, got {shown(value)}") from None
    if not least <= number <= most:
        raise ValueError(f"{what}: expected {expected}, got {shown(value)}")
    return number


def one_of(value, what: str, choices: Sequence):
    """`value`, if it is one of two or more choices; ValueError otherwise."""
    if value not in choices:
        *others, last = map(repr, choices)
        raise ValueError(f"{what}: expected {', '.join(others)} or {last}, got {shown(value)}")
    return value


def sequence(values, what: str, such_as: str) -> tuple:
    """The values as a tuple; strings, sets and dicts are rejected."""
    if isinstance(values, (str, bytes, set, frozenset, dict)) or not isinstance(values, Iterable):
        raise TypeError(f"{what}: expected {such_as}, got {shown(values)}")
    return tuple(values)


def whole_numbers(values, what: str, each: str, such_as: str) -> tuple[int, ...]:
    """The values, one or more whole numbers, as a tuple."""
    numbers = sequence(values, what, such_as)
    if not numbers:
        raise ValueError(f"{what}: expected at least one {each}, got none")
    return tuple(whole_number(number, f"a {each}") for number in numbers)


def check_game(game) -> None:
    """Raise TypeError unless `game` is a game and not a class."""
    members = ("start", "moves", "legal_moves", "play", "is_over", "reward", "result")
    # Look at the class first, because listing the moves of a large game takes a long time.
    missing = [name for name in members if not (hasattr(type(game), name) or hasattr(game, name))]
    if missing:
        lacks = f"it has no {', '.join(missing)}"
        raise TypeError(f"game: expected a game such as sticks(20), got {shown(game)}: {lacks}")
    if isinstance(game, type):
        name = game.__name__
        raise TypeError(f"game: expected a game, got the class {name}; write {name}(...) to make one")


def check_agent(agent, what: str) -> None:
    """Raise TypeError unless `agent` can be called for a move and is not a class."""
    if isinstance(agent, type):
        advice = f"; write {agent.__name__}(...) to make one"
    elif isinstance(agent, str):
        advice = f"; write named.agent({agent!r})"
    elif callable(agent):
        return
    else:
        advice = ""
    raise TypeError(f"{what}: expected an agent, a function (game, state) -> move; got {shown(agent)}{advice}")
