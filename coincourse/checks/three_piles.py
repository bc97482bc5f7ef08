"""Three piles: the function that fills the table of U, and a player that gives no win away."""

from collections.abc import Callable

import numpy as np

from coinlib.agents import closed_form
from coinlib.games import IllegalMove, three_piles
from coinlib.theory import nim_sum, winning_moves

from .engine import exercise
from .trees import SMALL, wrong_place

# --- the table of U, by program -------------------------------------------------------------------------------------


def filled(most: tuple[int, int, int], rule: Callable[..., bool]) -> np.ndarray:
    """A table up to (n1, n2, n3): each place by a rule from what stands to the left, below, and in the slices before."""
    table = np.zeros(np.add(most, 1), dtype=int)
    for n, d, q in np.ndindex(table.shape):
        table[n, d, q] = rule(table[:n, d, q], table[n, :d, q], table[n, d, :q])
    return table


def first_wrong_place(answer, expected, *most: int) -> str:
    """What is wrong with a table up to (n1, n2, n3); "" if nothing is."""
    shape = tuple(count + 1 for count in most)
    try:
        table = np.array(answer, dtype=float)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.shape != shape:
        return f"Expected a table of {' × '.join(map(str, shape))} places: the last one is U{most}."
    return next(filter(None, (wrong_place(f"{table[state]:g}", state) for state in np.ndindex(shape))), "")


@exercise(
    cases=[(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 2, 1), (3, 3, 7), (8, 9, 7), (100, 2, 1), (1, 100, 2), (0, 2, 100)],
    given="the table up to ({}, {}, {})",
    praise="for small tables, and with up to 100 coins in each pile",
    accept=first_wrong_place,
    slow="Is there a loop that never ends, or is a place worked out again and again?",
)
def fill_u(n1, n2, n3):
    """U[n, d, q] for 0 ≤ n ≤ n1, 0 ≤ d ≤ n2 and 0 ≤ q ≤ n3: 1 if whoever moves wins in normal play, otherwise 0."""
    return filled((n1, n2, n3), lambda *reached: any(0 in line for line in reached))


@fill_u.mistake("A move may take more than one coin: look at all places in a line, not only at the next one.")
def one_coin(n1, n2, n3):
    return filled((n1, n2, n3), lambda *reached: any(0 in line[-1:] for line in reached))


@fill_u.mistake("One 0 is enough, in any of the three directions: join them with `or`.")
def in_all_directions(n1, n2, n3):
    return filled((n1, n2, n3), lambda *reached: all(0 in line for line in reached))


@fill_u.mistake("So every place holds a 0. A state gets a 1 if a move leads from it to a 0.")
def all_zero(n1, n2, n3):
    return filled((n1, n2, n3), lambda *reached: False)


@fill_u.mistake("From 0 to n1 there are n1 + 1 counts.")
def one_place_short(n1, n2, n3):
    return fill_u.reference(n1, n2, n3)[:n1, :n2, :n3]


# --- a player -------------------------------------------------------------------------------------------------------

LARGE = [(3, 3, 7), (1, 4, 6), (1, 2, 3), (7, 8, 15), (20, 31, 11), (100, 37, 5), (64, 100, 36), (100, 100, 100)]


def gives_a_win_away(answer, expected, game, state) -> str:
    """What is wrong with a move; "" if it wins, or is legal where no move wins."""
    if answer is None:
        return "A move is asked for."
    try:
        left = game.play(state, game.read_move(state, answer))
    except IllegalMove as error:
        return f"That is no legal move: {error}."
    if nim_sum(*state) and nim_sum(*left):
        return f"From {left} the other side can win; another move leaves a lost state."
    return ""


@exercise(
    cases=[(three_piles(*state), state) for state in [*SMALL[1:], *LARGE]],
    given=lambda game, state: f"the state {state}",
    praise="in won states and in lost ones, with up to 100 coins in a pile",
    accept=gives_a_win_away,
    slow="Is there a loop that never ends, or is the table filled again for each move?",
)
def perfect_player(game, state):
    """A move that wins three piles in normal play; where no move wins, any legal one."""
    return closed_form(game, state)


@perfect_player.mistake("In a lost state the list of winning moves is empty; a move must be made there as well.")
def lost_where_no_move_wins(game, state):
    return winning_moves(game, state)[0]


@perfect_player.mistake("A player makes one move: the first of the list, for example.")
def a_list_of_moves(game, state):
    return winning_moves(game, state)
