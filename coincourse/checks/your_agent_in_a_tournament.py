"""A tournament: an agent that beats a field, a circle in a table, an agent repaired, a length on the wire."""

import operator
from collections.abc import Callable
from itertools import combinations, permutations, product
from types import MappingProxyType

from coinlib.agents import take_one
from coinlib.games import SCENARIOS, CoinGame, Move, State, read_move
from coinlib.theory import winning_moves
from coinlib.words import take_words

from . import contests
from .engine import by_hand, exercise
from .judging import Wrong, praised
from .verdict import Verdict

NIM = SCENARIOS["NIM"]
# How many games an agent plays against random play, and what it should win
GAMES = 200
SEED = 11
WANTED = 0.70


def _first_row(state: State) -> int:
    if not any(state):
        raise ValueError(f"a guest takes from a row with coins, and there is none in {state}")
    return next(row for row, held in enumerate(state) if held)


def odd(game: CoinGame, state: State) -> tuple[int, int]:
    """Take 1 or 2 from the first row that has coins, to leave an odd number on the table if possible; otherwise 1."""
    row = _first_row(state)
    return row, 2 if sum(state) % 2 == 1 and state[row] >= 2 else 1


def leave_one(game: CoinGame, state: State) -> tuple[int, int]:
    """Take as many as allowed from the first row that has coins, but leave one coin in that row; take a single coin."""
    row = _first_row(state)
    return row, max(1, min(state[row] - 1, game.max_pick or state[row]))


guests = MappingProxyType({"take_one": take_one, "odd": odd, "leave_one": leave_one})


@by_hand()
def beat_field(function) -> Verdict:
    """Let an agent play NIM, misère play, against `guests` from both seats and against random play.

    Examples
    --------
    >>> beat_field(lambda game, state: game.legal_moves(state)[0])
    ✗ Moving second, your agent loses to take_one. (Moving first, it wins.) The end of the game: \
take_one takes 1 from row 3 and leaves (0, 0, 0, 3), you take 1 from row 3 and leave (0, 0, 0, 2), \
take_one takes 1 from row 3 and leaves (0, 0, 0, 1), you take 1 from row 3 and leave (0, 0, 0, 0). \
Misère play: you took the last coin.
    >>> beat_field(lambda game, state: state.index(max(state)))
    ✗ For rows (0, 0, 0, 1) your function returned 3. \
A move is a pair: a row, counted from 0, and a number of coins, such as (3, 1).
    """
    agent = contests.legal_agent(function)
    contests.check_every_state(agent, NIM)
    for name, guest in guests.items():
        contests.check_both_seats(agent, NIM, guest, name)
    found, _ = contests.against_random(agent, NIM, GAMES, SEED)
    words = f"{contests.rate_in_words(found)} against random play"
    if found.win_rate < WANTED:
        raise Wrong(f"Your agent beats all guests, but it won {words};", f"{100 * WANTED:.0f} % is needed.")
    return praised(f": your agent beats {', '.join(guests)} from both seats, and won {words}.")


# --- a circle in a table --------------------------------------------------------------------------


def _rates(names: str, beats: str, rate: float):
    """Win rates as in `Tournament.rates`: one rate for the winner of each pair, 0.5 for all others."""
    import pandas as pd

    rates = pd.DataFrame(0.5, index=list(names), columns=list(names))
    for name in names:
        rates.loc[name, name] = float("nan")
    for winner, loser in beats.split():
        rates.loc[winner, loser] = rate
        rates.loc[loser, winner] = 1 - rate
    return rates.assign(mean=rates.mean(axis=1))


def _circles(names: str, beats: str, rate: float) -> list:
    """All circles of three; [None] if there are none."""
    pairs = beats.split()
    found = []
    for a, b, c in permutations(names, 3):
        if a + b in pairs and b + c in pairs and c + a in pairs:
            found.append((a, b, c))
    return found or [None]


def _agents_in_words(names: str, beats: str, rate: float) -> str:
    pairs = [f"{winner} beats {loser}" for winner, loser in beats.split()]
    return f"the agents {', '.join(names)}, where {', '.join(pairs)} ({rate:g}),"


def _try_rates(function, names: str, beats: str, rate: float):
    return function(_rates(names, beats, rate))


def _triples(rates):
    """All triples of names, in the order of three loops."""
    return product(rates.index, repeat=3)


def _around(a, b, c):
    """Who beats whom in a circle: pairs of winner and loser."""
    return [(a, b), (b, c), (c, a)]


def _first_circle(rates, triples, compared=_around, together=all, is_enough=operator.gt):
    """The first of some triples of names whose comparisons hold; None if there is none."""
    for triple in triples:
        if together(is_enough(rates.loc[pair], 0.5) for pair in compared(*triple)):
            return triple
    return None


@exercise(
    cases=[
        ("ABC", "AB BC CA", 0.8),
        ("ABC", "AB BC AC", 0.8),
        ("ABC", "AB BC", 0.8),
        ("ABC", "BA CB AC", 0.55),
        ("ABCD", "AB BD DA", 0.55),
        ("ABCD", "AB BC CD DA", 0.8),
        ("ABCD", "DC CB BD", 1.0),
        ("PQRST", "PQ PR PS PT QR QS QT TR RS ST", 0.8),
        ("PQRSTUVWXYZ", "ZX XY YZ PQ QR", 0.8),
    ],
    given=_agents_in_words,
    praise="even if a pair is equal, and if there is no circle",
    run=_try_rates,
    rights=_circles,
)
def find_circle(rates):
    """Three names: the first beats the second, the second the third, the third the first; or None."""
    return _first_circle(rates, _triples(rates))


@find_circle.mistake("Half of the games is not more than half: use > 0.5.")
def half_is_enough(rates):
    return _first_circle(rates, permutations(rates.index, 3), is_enough=operator.ge)


@find_circle.mistake("A circle can go the other way round as well: try (a, c, b) too.")
def one_order_alone(rates):
    return _first_circle(rates, combinations(rates.index, 3))


@find_circle.mistake("It gives None for every table. Does it `return` a circle, try all triples, and compare with 0.5?")
def always_none(rates):
    return None


@find_circle.mistake(
    "In it the loser comes before the winner: `rates.loc[a, b]` is the share that the *first* name won, against the second."
)
def losers_first(rates):
    return _first_circle(rates.T, _triples(rates))


@find_circle.mistake("The circle is not closed: the third name must beat the first, `rates.loc[c, a] > 0.5`.")
def not_closed(rates):
    return _first_circle(rates, _triples(rates), lambda a, b, c: [(a, b), (b, c), (a, c)])


@find_circle.mistake("The circle is not closed: the third name must beat the first, `rates.loc[c, a] > 0.5`.")
def two_comparisons(rates):
    return _first_circle(rates, _triples(rates), lambda a, b, c: [(a, b), (b, c)])


@find_circle.mistake("`rates.loc` wants two names, not two places: go through `rates.index`.")
def places_of_names(rates):
    return rates.loc[0, 0]


@find_circle.mistake("Those are places: return the names, such as rates.index[0].")
def places_for_names(rates):
    found = find_circle.reference(rates)
    return found and tuple(map(list(rates.index).index, found))


ONE_TURNED = "One of the three is turned round: they are `rates.loc[a, b]`, `rates.loc[b, c]` and `rates.loc[c, a]`."


@find_circle.mistake(ONE_TURNED)
def first_turned_round(rates):
    return _first_circle(rates, _triples(rates), lambda a, b, c: [(b, a), (b, c), (c, a)])


@find_circle.mistake(ONE_TURNED)
def second_turned_round(rates):
    return _first_circle(rates, _triples(rates), lambda a, b, c: [(a, b), (c, b), (c, a)])


@find_circle.mistake("All three must hold: `and`, not `or`.")
def one_is_enough(rates):
    return _first_circle(rates, _triples(rates), together=any)


@find_circle.mistake("That is a list of all circles: return one of them.")
def all_circles(rates):
    return [each for each in _triples(rates) if _first_circle(rates, [each])]


@find_circle.mistake("To beat means to win more than half, not every game: `> 0.5`.")
def every_game(rates):
    return _first_circle(rates, _triples(rates), is_enough=lambda rate, half: rate == 1)


@find_circle.mistake("The columns hold the mean as well, and no agent has that name: go through `rates.index`.")
def names_from_columns(rates):
    return _first_circle(rates, product(rates.columns, repeat=3))


@find_circle.mistake("`rates[a, b]` looks for a column with that name: write `rates.loc[a, b]`.")
def without_loc(rates):
    first = rates.index[0]
    return rates[first, first]


# --- an agent repaired ----------------------------------------------------------------------------


def take_one_repaired(game: CoinGame, state: State):
    """`take_one`, repaired: it makes a winning move wherever its own move gives a win away."""
    move = take_one(game, state)
    best = winning_moves(game, state)
    if best and move not in best:
        return best[0]
    return move


HAND_IN_BOTH = "Hand in both: my_answer = my_agent, repaired."
ASKED = 20  # how often an old agent is asked for the same move, to find out whether it uses chance


@by_hand(takes_function=False, ours=(take_one, take_one_repaired))
def repaired(answer) -> Verdict:
    """Try a repaired agent on NIM in misère play, moving first; the answer is a pair, the old agent and the new.

    It must win against everything the second player can do, and keep each move of the old agent that wins, or that
    is made where no move wins. Its moves must be legal in lost states too: in the tournament it moves second in half of
    its games.

    Examples
    --------
    >>> repaired((take_one, lambda game, state: (winning_moves(game, state) or game.legal_moves(state))[-1]))
    ✗ In rows (0, 0, 1, 1) your old agent takes 1 from row 2, and no move is better. \
Your repaired agent takes 1 from row 3: it has replaced the old one. Keep a move that gives nothing away.
    """
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(callable, answer)):
        given = "one function" if callable(answer) else "no pair of functions"
        raise Wrong(f"The check was given {given}.", HAND_IN_BOTH)
    old, new = answer
    praise = contests.win_every_game(new, [NIM], "first", "of NIM in misère play")
    agent = contests.legal_agent(new)
    contests.check_every_state(agent, NIM)
    for state in contests.states_of(NIM):
        _check_kept(old, state, agent(NIM, state))
    return praise


def _check_kept(old: Callable, state: State, move: Move) -> None:
    """Raise `Wrong` if the old agent makes another move here, and that one gives nothing away."""
    own = _own_move(old, state)
    best = winning_moves(NIM, state)
    gives_a_win_away = own is None or (best and own not in best)
    if gives_a_win_away or own == move or _draws(old, state):
        return
    raise Wrong(
        f"In rows {state} your old agent takes {take_words(NIM, own)}, and no move is better.",
        f"Your repaired agent takes {take_words(NIM, move)}: it has replaced the old one.",
        "Keep a move that gives nothing away.",
    )


def _draws(old: Callable, state: State) -> bool:
    """Whether an agent uses chance: asked again and again, it does not always make the same move."""
    return len({_own_move(old, state) for _ in range(ASKED)}) > 1


def _own_move(old: Callable, state: State) -> Move | None:
    """The move of the old agent; None where it raises an error, or where the move is not legal."""
    try:
        return read_move(NIM, state, old(NIM, state))
    except (Exception, SystemExit):  # noqa: BLE001 - there is nothing to keep
        return None


# --- what an agent hears --------------------------------------------------------------------------


@exercise(
    cases=[
        (count, takes, player)
        for count, takes in [(1, [1]), (2, [1, 1]), (3, [1, 1, 1]), (4, [1, 2, 1]), (8, [2, 1, 1, 3, 1])]
        + [(60, [10, 1, 7, 20, 2, 2, 9, 8, 1]), (30, [3] * 10), (70_000, [66_000, 1_000, 3_000])]
        for player in (1, 2)
    ],
    given="a row of {}, takes={}, player={}",
    praise="for both players, from one turn to ten",
)
def heard(count, takes, player):
    """All that one player hears in misère play, in order: States as numbers, Results as words."""
    messages = []
    for turn, take in enumerate(takes, 1):
        mover = 1 if turn % 2 == 1 else 2
        if mover == player:
            if messages:
                messages.append("PLAY")
            messages.append(count)
        count = count - take
    if messages:
        messages.append("LOSE" if mover == player else "WIN")
    return messages


@heard.mistake("PLAY comes too soon: a player hears it just before its next State, and only there.")
def play_at_once(count, takes, player):
    messages = heard.reference(count, takes, player)
    return [*messages[:-1], "PLAY", messages[-1]] if messages else []


@heard.mistake("WIN and LOSE are swapped. In misère play the player who takes the last coin loses.")
def results_swapped(count, takes, player):
    messages = heard.reference(count, takes, player)
    return [*messages[:-1], "WIN" if messages[-1] == "LOSE" else "LOSE"] if messages else []


@heard.mistake("A State shows the coins *before* the player's move: append `count` first, then take away.")
def states_after_the_move(count, takes, player):
    states = [count - sum(takes[:turn]) for turn in range(1, len(takes) + 1)][player - 1 :: 2]
    return _heard_with(states, heard.reference(count, takes, player))


def _heard_with(states, messages):
    """What is heard, with other States."""
    following = iter(states)
    return [next(following) if isinstance(message, int) else message for message in messages]


NO_LAST_RESULT = "The last Result is missing: at the end each player that has moved hears WIN or LOSE."


@heard.mistake(NO_LAST_RESULT)
def no_last_result(count, takes, player):
    return heard.reference(count, takes, player)[:-1]


@heard.mistake(NO_LAST_RESULT)
def states_alone(count, takes, player):
    return [message for message in no_last_result(count, takes, player) if message != "PLAY"]


@heard.mistake("Before its first Action a player hears no Result: there is nothing to report yet.")
def play_before_the_first_state(count, takes, player):
    messages = heard.reference(count, takes, player)
    return ["PLAY", *messages] if messages else []


@heard.mistake("PLAY is missing: it comes before each State except the first.")
def without_play(count, takes, player):
    return [message for message in heard.reference(count, takes, player) if message != "PLAY"]


# --- a length on the wire -------------------------------------------------------------------------

VARINTS = ["00", "05", "7f", "80 01", "ac 01", "ac 02", "ff 7f", "80 80 01", "80 89 7a", "81 80 80 80 80 01"]
VARINTS += ["80 80 80 80 80 80 80 80 80 80 01", "04 08 96 01", "ac 02 08 96 01", "80 80 80 80 10 08 96 01"]


@exercise(
    cases=[(bytes.fromhex(data),) for data in VARINTS],
    given=lambda data: f"the bytes {data.hex(' ')}",
    praise="also for long numbers, and where more bytes follow",
)
def read_varint(data):
    """The number at the start of some bytes, and how many bytes it took."""
    return _varint(data)


def _varint(data, sign=128, base=128):
    """The number and its length, also if the pieces had a different sign or a different worth."""
    value, worth = 0, 1
    for used, byte in enumerate(data, 1):
        if byte < 128:
            return value + byte * worth, used
        value += (byte - sign) * worth
        worth *= base


@read_varint.mistake("Each piece is worth 128 times the one before, not 256 times: a byte holds 7 digits and a sign.")
def pieces_of_256(data):
    return _varint(data, base=256)


@read_varint.mistake("The 128 in a byte is only a sign that the number goes on: subtract it from the byte.")
def sign_counted(data):
    return _varint(data, sign=0)


@read_varint.mistake("The smallest piece comes first: the second byte counts 128 times, the third 128 × 128 times.")
def largest_piece_first(data):
    value = 0
    for used, byte in enumerate(data, 1):
        value = 128 * value + byte % 128
        if byte < 128:
            return value, used


@read_varint.mistake("The number ends with the first byte that is less than 128; what follows does not belong to it.")
def all_bytes_read(data):
    value, worth = 0, 1
    for byte in data:
        value += byte % 128 * worth
        worth *= 128
    return value, len(data)


@read_varint.mistake("How many bytes is one too few: the last one counts, too.")
def bytes_counted_from_0(data):
    value, used = read_varint.reference(data)
    return value, used - 1


@read_varint.mistake("The last byte is a piece of the number, too: add it, times what it is worth.")
def last_byte_left_out(data):
    value, used = read_varint.reference(data)
    return value - data[used - 1] * 128 ** (used - 1), used


@read_varint.mistake("The 128 is a sign only in a byte of 128 or more: do not subtract it from the last byte.")
def sign_taken_from_the_last(data):
    value, used = read_varint.reference(data)
    return value - 128 * 128 ** (used - 1), used
