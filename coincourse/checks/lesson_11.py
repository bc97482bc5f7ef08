"""Lesson 11, a tournament: an agent that beats a field, a circle in a table, an agent repaired, a length on the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from types import MappingProxyType
from typing import TYPE_CHECKING

from coinlib.agents import RandomAgent, take_one
from coinlib.arena import Evaluation, Match
from coinlib.games import SCENARIOS, CoinGame, State

from .core import NO_RETURN, Case, Wrong, call, check_cases, report, shown
from .lesson_03 import _match, _percent, _rule, _try_everything

if TYPE_CHECKING:
    import pandas as pd

NIM = SCENARIOS["NIM"]
GAMES, SEED, WANTED = 200, 11, 0.70  # how many games an agent plays against random play, and what it should win
LAST_TURNS = 4  # of a lost game, told in words


def _first_row(state: State) -> int:
    return next(row for row, held in enumerate(state) if held)


def _odd(game: CoinGame, state: State) -> tuple[int, int]:
    """From the first row that has coins, so many that an odd number is left on the table, if that can be."""
    row = _first_row(state)
    return row, 2 if sum(state) % 2 == 1 and state[row] >= 2 else 1


def _leave_one(game: CoinGame, state: State) -> tuple[int, int]:
    """From the first row that has coins, as many as may be, and one coin is left in that row."""
    row = _first_row(state)
    return row, max(1, min(state[row] - 1, game.max_pick or state[row]))


guests = MappingProxyType({"take_one": take_one, "odd": _odd, "leave_one": _leave_one})


def beat_field(function: Callable) -> None:
    """Let an agent play NIM in misère play against `guests` and against random play, and say how it did.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer. It should win from both seats against each guest, and 70 % of 200 games
        with a fixed seed against random play.

    Examples
    --------
    >>> beat_field(lambda game, state: game.legal_moves(state)[0])
    ✗ Moving second, your agent loses to take_one. (Moving first, it wins.) The end of the game: take_one takes 1 \
from row 3 and leaves (0, 0, 0, 3), you take 1 from row 3 and leave (0, 0, 0, 2), take_one takes 1 from row 3 and \
leaves (0, 0, 0, 1), you take 1 from row 3 and leave (0, 0, 0, 0). Misère play: you took the last coin and lose.
    """

    def judge() -> str:
        agent = _rule(function)
        for name, guest in guests.items():
            _beat_guest(agent, guest, name)
        random = RandomAgent(seed=SEED)
        wins = sum(_match(NIM, agent, random, 1 + number % 2).winner == 1 + number % 2 for number in range(GAMES))
        tally = Evaluation(GAMES, wins, 0, GAMES - wins)
        words = (
            f"{_percent(tally.win_rate)} of {GAMES} games against random play "
            f"(95 % interval {_percent(tally.low)} to {_percent(tally.high)})"
        )
        if tally.win_rate < WANTED:
            raise Wrong(f"Your agent beats all guests, but it won {words}; {100 * WANTED:.0f} % are wanted.")
        return f"Right: your agent beats {', '.join(guests)} from both seats, and won {words}."

    report(function, judge)


def _beat_guest(agent, guest, name: str) -> None:
    for you, seat in ((1, "first"), (2, "second")):
        match = _match(NIM, agent, guest, you)
        if match.winner != you:
            other = " (Moving first, it wins.)" if you == 2 else ""
            raise Wrong(f"Moving {seat}, your agent loses to {name}.{other} {_end_of(match, you, name)}")


def _end_of(match: Match, you: int, opponent: str) -> str:
    """The last turns of a lost game, in words."""
    turns = list(zip(range(len(match.moves)), match.moves, match.states[1:]))
    told = []
    for number, move, left in turns[-LAST_TURNS:]:
        who, s = ("you", "") if number % 2 + 1 == you else (opponent, "s")
        told.append(f"{who} take{s} {move.count} from row {move.row} and leave{s} {left}")
    return f"The end of the game: {', '.join(told)}. Misère play: you took the last coin and lose."


def find_circle(function: Callable) -> None:
    """Try ``find_circle(rates)``, three agents that beat each other in a circle, on tables of win rates.

    Parameters
    ----------
    function : function (DataFrame) -> tuple of three names, or None
        The student's answer; the first beats the second, the second the third, the third the first.

    Examples
    --------
    >>> find_circle(lambda rates: tuple(rates.index[:3]))
    ✗ For the agents A, B, C, where A beats B and C, and B beats C your function returned ('A', 'B', 'C'). But C wins \
20 % of its games against A, and to beat is to win more than half.
    """
    tables = list(_tables())

    def judge() -> str:
        for table, given in tables:
            answer = call(function, (table,), given)
            _check_circle(answer, table, given)
        return f"Right, also where a pair is equal, and where there is no circle. ({len(tables)} tables tried)"

    report(function, judge)


def _tables() -> Iterator[tuple[pd.DataFrame, str]]:
    """Tables of win rates, each with its description: with a circle, without, with equal pairs, larger ones."""
    yield _table("ABC", "AB BC CA"), "the agents A, B, C, where A beats B, B beats C and C beats A"
    yield _table("ABC", "AB BC AC"), "the agents A, B, C, where A beats B and C, and B beats C"
    yield _table("ABC", "BA CB AC"), "the agents A, B, C, where B beats A, C beats B and A beats C"
    yield _table("ABC", "AB BC"), "the agents A, B, C, where A beats B, B beats C, and A and C win half each"
    yield _table("ABCD", "AB BC CD DA"), "the agents A, B, C, D, each beating the next and D beating A, the rest equal"
    yield _table("PQRST", "PQ PR PS PT QR QS QT TR RS ST"), "five agents, one of which beats all others"


def _table(names: str, pairs: str) -> pd.DataFrame:
    """Win rates as `Tournament.rates` gives them: 0.8 for the winner of each pair, 0.5 for all others."""
    import numpy as np
    import pandas as pd

    rates = pd.DataFrame(0.5, index=list(names), columns=list(names))
    for winner, loser in pairs.split():
        rates.loc[winner, loser], rates.loc[loser, winner] = 0.8, 0.2
    for name in names:
        rates.loc[name, name] = np.nan
    rates["mean"] = rates.mean(axis=1)
    return rates


def _circles(rates: pd.DataFrame) -> list[tuple]:
    """All circles of three in a table, each in its three rotations."""

    def beats(one, other) -> bool:
        return rates.loc[one, other] > 0.5

    return [(a, b, c) for a, b, c in permutations(rates.index, 3) if beats(a, b) and beats(b, c) and beats(c, a)]


def _check_circle(answer, rates: pd.DataFrame, given: str) -> None:
    circles = _circles(rates)
    began = f"For {given} your function returned {shown(answer)}"
    if answer is None:
        if circles:
            in_order = circles[0] == tuple(rates.index[:3])  # a search that finds nothing else would find this
            hint = NO_RETURN if in_order else "Are all triples tried, in any order?"
            raise Wrong(f"{began}; expected a circle such as {circles[0]}. {hint}")
        return
    try:
        found = tuple(answer)
    except TypeError:
        raise Wrong(f"{began}; expected three names, or None.") from None
    if len(found) != 3 or len(set(found)) != 3 or not set(found) <= set(rates.index):
        raise Wrong(f"{began}; expected three different names from the rows of the table, or None.")
    if found in circles:
        return
    for one, other in zip(found, found[1:] + found[:1]):
        if not rates.loc[one, other] > 0.5:
            wins = f"{one} wins {100 * rates.loc[one, other]:.0f} % of its games against {other}"
            raise Wrong(f"{began}. But {wins}, and to beat is to win more than half.")


def unbeaten(function: Callable) -> None:
    """Try an agent on NIM in misère play, moving first, against everything the second player can do.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer.

    Examples
    --------
    >>> from coinlib.agents import closed_form
    >>> unbeaten(closed_form)
    ✓ Right: moving first, your rule wins every game of NIM in misère play. (121 states tried)
    """
    _try_everything(function, [NIM], "first", "of NIM in misère play")


def read_varint(function: Callable) -> None:
    """Try ``read_varint(data)``, a number at the start of some bytes and how many bytes it took.

    Parameters
    ----------
    function : function (bytes) -> (int, int)
        The student's answer.

    Examples
    --------
    >>> read_varint(lambda data: (data[0], 1))
    ✗ For the bytes 80 01 your function returned (128, 1); expected (128, 2). The first byte is 128 or more, so the \
number goes on in the next byte.
    """
    numbers = [0, 5, 127, 128, 300, 16_383, 16_384, 2_000_000]
    cases = [_varint_case(number, b"") for number in numbers]
    cases += [_varint_case(number, b"\x08\x96\x01") for number in (4, 300)]
    check_cases(function, cases, "also for long numbers, and where more bytes follow", read=tuple)


def _varint_case(number: int, more: bytes) -> Case:
    groups = [number >> shift & 127 for shift in range(0, max(1, number.bit_length()), 7)]
    written = bytes([group | 128 for group in groups[:-1]] + groups[-1:])
    hint = "Return two numbers: the value, and how many bytes it took. It ends with the first byte below 128."
    if len(written) > 1:
        hint = "The first piece of 7 bits is the smallest; the next counts 128 times, the one after 128 × 128 times."
    if number == 128:
        hint = "The first byte is 128 or more, so the number goes on in the next byte."
    return Case((written + more,), (number, len(written)), f"the bytes {(written + more).hex(' ')}", hint)
