"""The Game of Sticks as a program, second half: against hats that learn, and two sets of hats that train each other."""

from collections.abc import Callable, Sequence
from operator import not_

import numpy as np

from . import hats as one_hat
from .engine import exercise, plain, shown
from .sticks_program import IN_WORDS, TAKE, ask_number, conversation, on_board

AGAIN = "Play again (1 = yes, 0 = no)? "
Hats = dict[int, list[int]]


def _full(*balls: int) -> Hats:
    """Hats 1, 2, 3, ... from whose balls one number alone can be played: what is drawn is known."""
    return {hat: [ball] * 2 if ball <= hat else [1] * 2 for hat, ball in enumerate(balls, 1)}


# --- a person against hats ----------------------------------------------------------------------------------------


def _played(function: Callable, sticks: int, hats: Hats, answers: Sequence[str]) -> list[str]:
    """The conversation, and what is in the hats at the end."""
    talk, after = conversation(function, (sticks, hats, np.random.default_rng(1)), answers)
    if not isinstance(after, dict):
        return [*talk, f"(returned {shown(after)})"]
    return [*talk, *(f"(hat {hat} holds {sorted(plain(after[hat]))} at the end)" for hat in sorted(after))]


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
    given="sticks {}, hats {} and the answers {}",
    praise="with the words of the handout, and with hats that learn after each game",
    run=_played,
    **IN_WORDS,
)
def play_hats(sticks, hats, generator, ask=input, *, last_loses=True, won=bool):
    """Games of a person, who moves first, against hats that learn after each game; the hats at the end."""
    again = 1
    while again == 1:
        left, person_moves, beside = sticks, True, {}
        while left > 0:
            print(f"\n{on_board(left)}")
            if person_moves:
                take = ask_number.reference(f"Player 1: {TAKE}", 1, 3, ask)
            else:
                take, rest = one_hat.draw.reference(hats[left], left, generator)
                hats, beside[left] = {**hats, left: rest}, take
                print(f"AI selects {take}")
            left, person_moves = left - take, not person_moves
        person_lost = person_moves != last_loses
        print("You lose." if person_lost else "AI loses.")
        hats = one_hat.settle_game.reference(hats, beside, won(person_lost))
        again = ask_number.reference(AGAIN, 0, 1, ask)
    return hats


play_hats.slip("This is misère play: who takes the last stick loses.", last_loses=False)
play_hats.slip("The AI wins when the person loses: settle its hats with that.", won=not_)


# --- two machines that train each other ---------------------------------------------------------------------------


@exercise(
    cases=[
        (_full(1), _full(1), 1, 1),
        (_full(1, 1), _full(1, 1), 2, 1),
        (_full(1, 1, 1, 3), _full(1, 1, 2, 3), 4, 1),
        (_full(1, 1, 1, 3), _full(1, 1, 2, 3), 4, 2),
        (HANDOUT, _full(1, 1, 2, 3, 1, 1, 3, 2, 1, 3), 10, 5),
        (_full(1, 1, 2, 3, 1, 1, 3, 2, 1, 3), HANDOUT, 10, 12),
    ],
    given="the hats {} and {}, sticks {} and games {}",
    praise="where both sides learn, and take turns in moving first",
    run=lambda function, *arguments: function(*arguments, np.random.default_rng(1)),
    any_order=True,
)
def train_hats(one, two, sticks, games, generator, *, in_turn=1, learners=(0, 1), won=bool):
    """Two sets of hats after so many games against each other; the first set moves first in the first game."""
    players = [one, two]
    for game in range(games):
        left, turn, beside = sticks, game * in_turn % 2, [{}, {}]
        while left > 0:
            hats = players[turn]
            take, rest = one_hat.draw.reference(hats[left], left, generator)
            if turn in learners:
                players[turn], beside[turn][left] = {**hats, left: rest}, take
            left, turn = left - take, 1 - turn
        for player in learners:  # whose turn it would be has won: the other one took the last stick
            players[player] = one_hat.settle_game.reference(players[player], beside[player], won(player == turn))
    return tuple(players)


train_hats.slip("Both learn: settle the hats of the two sides after each game.", learners=(0,))
train_hats.slip("They take turns in moving first.", in_turn=0)
train_hats.slip("This is misère play: the side that takes the last stick has lost.", won=not_)
