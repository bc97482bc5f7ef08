"""The Game of Sticks as a program, second half: against hats that learn, and two sets of hats that train each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from coinlib.arguments import counted

from . import hats as one_hat
from .engine import exercise, plain
from .sticks_program import SLOW, TAKE, Talk, ask_number, conversation, difference, on_board

AGAIN = "Play again (1 = yes, 0 = no)? "
Hats = dict[int, list[int]]


def _full(*balls: int) -> Hats:
    """Hats 1, 2, 3, ... from whose balls one number alone can be played: what is drawn is known."""
    return {hat: [ball] * 2 if ball <= hat else [1] * 2 for hat, ball in enumerate(balls, 1)}


def _ordered(hats) -> object:
    """Hats with their balls in order; what are no hats as it is."""
    try:
        return {hat: sorted(plain(balls)) for hat, balls in sorted(hats.items())}
    except (AttributeError, TypeError):
        return hats


# --- a person against hats ----------------------------------------------------------------------------------------


def _played(function: Callable, sticks: int, hats: Hats, answers: Sequence[str]) -> Talk:
    lines, returned = conversation(function, (sticks, hats, np.random.default_rng(1)), answers)
    after = _ordered(returned)
    if not isinstance(after, Mapping):
        return Talk([*lines, f"(returned {after!r:.60})"])
    return Talk([*lines, *(f"(hat {hat} holds {balls} at the end)" for hat, balls in after.items())])


HANDOUT = _full(1, 2, 2, 3, 3, 1, 2, 3, 1, 1)


@exercise(
    cases=[
        (1, _full(1), ["1", "0"]),
        (2, _full(1, 1), ["1", "0"]),
        (3, {1: [1], 2: [3, 3, 1, 3], 3: [2]}, ["1", "1", "0"]),
        (5, _full(1, 1, 2, 3, 3), ["55", "3", "1", "0"]),
        (2, _full(1, 1), ["3", "0"]),
        (5, _full(1, 1, 2, 3, 3), ["2", "1", "1", "1", "1", "0"]),
        (10, HANDOUT, ["3", "3", "1", "1", "3", "2", "1", "3", "3", "0"]),
    ],
    given=lambda sticks, hats, answers: f"{counted(sticks, 'stick')}, hats {hats} and the answers {', '.join(answers)}",
    praise="with the words of the handout, and with hats that learn after each game",
    run=_played,
    accept=lambda answer, *arguments: difference(answer, _played(play_hats.reference, *arguments)),
    made="wrote",
    slow=SLOW,
)
def play_hats(
    sticks,
    hats,
    generator,
    ask=input,
    *,
    board=on_board,
    settled=one_hat.settle_game.reference,
    lost_by_person=lambda turns: turns % 2 == 1,
    fresh=lambda beside: {},
):
    """Games of a person, who moves first, against hats that learn after each game; the hats at the end."""
    again, beside = 1, {}
    while again == 1:
        left, turns, beside = sticks, 0, fresh(beside)
        while left > 0:
            print(f"\n{board(left)}")
            if turns % 2 == 0:
                take = ask_number.reference(f"Player 1: {TAKE}", 1, 3, ask)
            else:
                take, rest = one_hat.draw.reference(hats[left], left, generator)
                hats, beside = {**hats, left: rest}, {**beside, left: take}
                print(f"AI selects {take}")
            left, turns = left - take, turns + 1
        person_lost = lost_by_person(turns)
        print("You lose." if person_lost else "AI loses.")
        hats = settled(hats, beside, person_lost)
        again = ask_number.reference(AGAIN, 0, 1, ask)
    return hats


play_hats.slip("This is misère play: who takes the last stick loses.", lost_by_person=lambda turns: turns % 2 == 0)
play_hats.slip(
    "The AI wins when the person loses: settle its hats with that.",
    settled=lambda hats, beside, won: one_hat.settle_game.reference(hats, beside, not won),
)
play_hats.slip(
    "The balls beside the hats are still there: settle all hats after each game.",
    settled=lambda hats, beside, won: hats,
)
play_hats.slip(
    "Each game begins with nothing beside the hats; the balls of the game before are settled already.",
    fresh=lambda beside: beside,
)
play_hats.slip(
    "With one stick the handout says: There is 1 stick on the board.",
    board=lambda left: f"There are {left} sticks on the board.",
)
play_hats.slip(
    "The last ball of a number always goes back, also after a loss.",
    settled=partial(one_hat.settle_game.reference, settled=partial(one_hat.settle.reference, last=0)),
)


@play_hats.mistake("After the answer 1 another game follows: use a loop.")
def one_game_alone(sticks, hats, generator, ask=input):
    def ask_and_stop(question):
        answer = ask(question)
        return "0" if question == AGAIN else answer

    return play_hats.reference(sticks, hats, generator, ask_and_stop)


# --- two machines that train each other ---------------------------------------------------------------------------


def _trained(function: Callable, one: Hats, two: Hats, sticks: int, games: int):
    returned = function(one, two, sticks, games, np.random.default_rng(1))
    if isinstance(returned, tuple | list) and len(returned) == 2:
        return tuple(map(_ordered, returned))
    return returned


def _first(game: int) -> int:
    return game % 2


@exercise(
    cases=[
        (_full(1), _full(1), 1, 1),
        (_full(1, 1), _full(1, 1), 2, 1),
        (_full(1, 1, 1, 3), _full(1, 1, 2, 3), 4, 1),
        (_full(1, 1, 1, 3), _full(1, 1, 2, 3), 4, 2),
        (_full(1, 2, 2, 3, 3, 1, 2, 3, 1, 1), _full(1, 1, 2, 3, 1, 1, 3, 2, 1, 3), 10, 5),
        (_full(1, 1, 2, 3, 1, 1, 3, 2, 1, 3), _full(1, 2, 2, 3, 3, 1, 2, 3, 1, 1), 10, 12),
    ],
    given=lambda one, two, sticks, games: (
        f"the hats {one} and {two}, {counted(sticks, 'stick')} and {counted(games, 'game')}"
    ),
    praise="where both sides learn, and take turns in moving first",
    run=_trained,
)
def train_hats(
    one, two, sticks, games, generator, *, first=_first, learners=(0, 1), settled=one_hat.settle_game.reference
):
    """Two sets of hats after so many games against each other; the first set moves first in the first game."""
    players = [one, two]
    for game in range(games):
        left, turn, beside = sticks, first(game), [{}, {}]
        while left > 0:
            before = players[turn]
            take, rest = one_hat.draw.reference(before[left], left, generator)
            if turn in learners:
                players[turn], beside[turn] = {**before, left: rest}, {**beside[turn], left: take}
            left, turn = left - take, 1 - turn
        for player in learners:  # whose turn it would be has won: the other one took the last stick
            players[player] = settled(players[player], beside[player], player == turn)
    return tuple(players)


train_hats.slip("Both learn: settle the hats of the two sides after each game.", learners=(0,))
train_hats.slip(
    "They take turns in moving first: the second set of hats does in every second game.", first=lambda game: 0
)
train_hats.slip(
    "This is misère play: the side that takes the last stick has lost.",
    settled=lambda hats, beside, won: one_hat.settle_game.reference(hats, beside, not won),
)
train_hats.slip(
    "The balls beside the hats are still there: settle both sets of hats after each game.",
    settled=lambda hats, beside, won: hats,
)
