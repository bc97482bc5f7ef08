"""A tournament: an agent that beats a field, a circle in a table, an agent repaired, a length on the wire."""

from collections.abc import Callable
from itertools import combinations, permutations
from types import MappingProxyType

from coinlib.agents import take_one
from coinlib.games import SCENARIOS, CoinGame, State

from . import contests
from .engine import Wrong, by_hand, exercise, one_of

NIM = SCENARIOS["NIM"]
# How many games an agent plays against random play, and what it should win
GAMES, SEED, WANTED = 200, 11, 0.70


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


@by_hand()
def beat_field(function) -> str:
    """Let an agent play NIM in misère play against `guests` from both seats and against random play, and say how it did.

    Examples
    --------
    >>> beat_field(lambda game, state: game.legal_moves(state)[0])
    ✗ Moving second, your agent loses to take_one. (Moving first, it wins.) The end of the game: take_one takes 1 \
from row 3 and leaves (0, 0, 0, 3), you take 1 from row 3 and leave (0, 0, 0, 2), take_one takes 1 from row 3 and \
leaves (0, 0, 0, 1), you take 1 from row 3 and leave (0, 0, 0, 0). Misère play: you took the last coin.
    """
    agent = contests.legal_agent(function)
    contests.check_every_state(agent, NIM)
    for name, guest in guests.items():
        contests.check_both_seats(agent, NIM, guest, name)
    found, _ = contests.against_random(agent, NIM, GAMES, SEED)
    words = f"{contests.rate_in_words(found)} against random play"
    if found.win_rate < WANTED:
        raise Wrong(f"Your agent beats all guests, but it won {words}; {100 * WANTED:.0f} % are wanted.")
    return f"Right: your agent beats {', '.join(guests)} from both seats, and won {words}."


@by_hand(prepare=lambda: contests.prepare([NIM]))
def unbeaten(function) -> str:
    """Try an agent on NIM in misère play, moving first, against everything the second player can do."""
    return contests.win_every_game(function, [NIM], "first", "of NIM in misère play")


# --- a circle in a table --------------------------------------------------------------------------------------------


def _rates(names: str, beats: str, rate: float):
    """Win rates as `Tournament.rates` gives them: one rate for the winner of each pair, 0.5 for all others."""
    import pandas as pd

    rates = pd.DataFrame(0.5, index=list(names), columns=list(names))
    for name in names:
        rates.loc[name, name] = float("nan")
    for winner, loser in beats.split():
        rates.loc[winner, loser], rates.loc[loser, winner] = rate, 1 - rate
    return rates.assign(mean=rates.mean(axis=1))


def _pairs(circle) -> list[tuple]:
    """Who should beat whom in a circle of three."""
    return list(zip(circle, (*circle[1:], circle[0])))


def _circles(names, beats: Callable[[tuple], bool], orders=permutations) -> list:
    """All circles of three; None alone where there is none."""
    found = [circle for circle in orders(names, 3) if all(map(beats, _pairs(circle)))]
    return found or [None]


@exercise(
    cases=[
        ("ABC", "AB BC CA", 0.8),
        ("ABC", "AB BC AC", 0.8),
        ("ABC", "AB BC", 0.8),
        ("ABC", "BA CB AC", 0.55),
        ("ABCD", "AB BD DA", 0.55),
        ("ABCD", "AB BC CD DA", 0.8),
        ("PQRST", "PQ PR PS PT QR QS QT TR RS ST", 0.8),
        ("PQRSTUVWXYZ", "ZX XY YZ PQ QR", 0.8),
    ],
    given=lambda names, beats, rate: (
        f"the agents {', '.join(names)}, where {', '.join(f'{a} beats {b}' for a, b in beats.split())} ({rate:g}),"
    ),
    praise="also where a pair is equal, and where there is no circle",
    run=lambda function, names, beats, rate: function(_rates(names, beats, rate)),
    accept=one_of(lambda names, beats, rate: _circles(names, lambda pair: "".join(pair) in beats.split())),
)
def find_circle(rates, *, orders=permutations, half=0.5):
    """Three names of which the first beats the second, the second the third and the third the first; or None."""
    return _circles(rates.index, lambda pair: rates.loc[pair] > half, orders)[0]


find_circle.slip("Try every order: a circle need not follow that of the rows.", orders=combinations)
find_circle.slip("To win half of the games is not to beat: more than half is needed.", half=0.49)


# --- a length on the wire -------------------------------------------------------------------------------------------


VARINTS = ["00", "05", "7f", "80 01", "ac 01", "ac 02", "ff 7f", "80 80 01", "80 89 7a", "81 80 80 80 80 01"]
VARINTS += ["80 80 80 80 80 80 80 80 80 80 01", "04 08 96 01", "ac 02 08 96 01", "80 80 80 80 10 08 96 01"]


def _length(data) -> int:
    """How many bytes the number at the start takes: up to the first byte below 128."""
    return next(place for place, byte in enumerate(data, 1) if byte < 128)


@exercise(
    cases=[(bytes.fromhex(data),) for data in VARINTS],
    given=lambda data: f"the bytes {data.hex(' ')}",
    praise="also for long numbers, and where more bytes follow",
)
def read_varint(data, *, piece=128, length=_length, order=list):
    """The number at the start of some bytes, and how many bytes it took."""
    used = length(data)
    return sum(byte % piece * 128**place for place, byte in enumerate(order(data[:used]))), used


read_varint.slip("The 128 in a byte is a sign only: take it away before you add.", piece=256)
read_varint.slip("The number ends with the first byte below 128.", length=len)
read_varint.slip(
    "A first byte of 128 or more says that the number goes on in the next byte.", piece=256, length=lambda data: 1
)
read_varint.slip("The smallest piece comes first.", order=reversed)
