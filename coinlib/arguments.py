"""What is asked of an argument, and how a value stands in a message.

A slip gets one clear sentence: the name of the argument, what was expected, what came. Where Python's
own error says as much, nothing is asked.
"""

import math
import operator
from collections.abc import Iterable, Sequence


def shown(value) -> str:
    """A value as it stands in a message, cut where it is long; its kind, where Python cannot write it.

    Examples
    --------
    >>> shown("a"), shown(10**5_000)
    ("'a'", 'a value of type int')
    """
    try:
        words = repr(value)
    except Exception:  # noqa: BLE001 - too many digits, or whatever a class of somebody's raises
        words = f"a value of type {type(value).__name__}"
    return words if len(words) <= 80 else words[:77] + "..."


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 coin", "2 coins", "1,000 coins"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def whole_number(value, what: str, least: int | None = 0, most: int | None = None) -> int:
    """`value` as an int from `least` to `most`, where they are given; True and False are no numbers of coins.

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
    if number is None or type(value).__name__ == "bool":  # that of Python or of NumPy
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
    """`value`, if it is one of a few words, two at least."""
    if value not in choices:
        *others, last = map(repr, choices)
        raise ValueError(f"{what}: expected {', '.join(others)} or {last}, got {shown(value)}")
    return value


def sequence(values, what: str, such_as: str) -> tuple:
    """Values that stand in a row, as a tuple; a text is no such row, and a set has no order."""
    if isinstance(values, (str, bytes, set, frozenset, dict)) or not isinstance(values, Iterable):
        raise TypeError(f"{what}: expected {such_as}, got {shown(values)}")
    return tuple(values)


def whole_numbers(values, what: str, each: str, such_as: str) -> tuple[int, ...]:
    """Whole numbers that stand in a row, one at least."""
    listed = sequence(values, what, such_as)
    if not listed:
        raise ValueError(f"{what}: expected at least one {each}, got none")
    return tuple(whole_number(value, f"a {each}") for value in listed)


def check_game(game) -> None:
    """TypeError unless something is a game, and not a class."""
    wanted = ("start", "moves", "legal_moves", "play", "is_over", "reward", "result")
    # The class is asked first, because the moves of a large game take long to list.
    missing = [name for name in wanted if not (hasattr(type(game), name) or hasattr(game, name))]
    if missing:
        lacks = f"it has no {', '.join(missing)}"
        raise TypeError(f"game: expected a game such as sticks(20), got {shown(game)}: {lacks}")
    if isinstance(game, type):
        name = game.__name__
        raise TypeError(f"game: expected a game, got the class {name}; write {name}(...) to make one")


def check_agent(agent, what: str) -> None:
    """TypeError unless something can be asked for a move, and is not a class."""
    if isinstance(agent, type):
        mend = f"; write {agent.__name__}(...) to make one"
    elif isinstance(agent, str):
        mend = f"; write named.agent({agent!r})"
    elif callable(agent):
        return
    else:
        mend = ""
    raise TypeError(f"{what}: expected an agent, a function (game, state) -> move; got {shown(agent)}{mend}")
