"""Three piles: the function that fills the table of U, and a player that gives no win away."""

import numpy as np

from coinlib.games import three_piles
from coinlib.theory import winning_moves

from .engine import exercise, one_of
from .trees import SMALL, wrong_place

# --- the table of U, by program -------------------------------------------------------------------------------------


def first_wrong_place(answer, expected, *most: int) -> str:
    """What is wrong with a table up to (n1, n2, n3); "" if nothing is."""
    shape = tuple(count + 1 for count in most)
    table = np.array(answer, dtype=object)
    if table.shape != shape:
        return f"Expected a table of {' × '.join(map(str, shape))} places: the last one is U{most}."
    return next(filter(None, (wrong_place(str(table[state]), state) for state in np.ndindex(shape))), "")


@exercise(
    cases=[(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 2, 1), (3, 3, 7), (8, 9, 7), (100, 2, 1), (1, 100, 2), (0, 2, 100)],
    given="the table up to ({}, {}, {})",
    praise="for small tables, and with up to 100 coins in each pile",
    accept=first_wrong_place,
    slow="Is there a loop that never ends, or is a place worked out again and again?",
)
def fill_u(n1, n2, n3, *, enough=any, nearest=0):
    """U[n, d, q] for 0 ≤ n ≤ n1, 0 ≤ d ≤ n2 and 0 ≤ q ≤ n3: 1 if whoever moves wins in normal play, otherwise 0."""
    U = np.zeros((n1 + 1, n2 + 1, n3 + 1), dtype=int)
    for n, d, q in np.ndindex(U.shape):
        reached = U[:n, d, q], U[n, :d, q], U[n, d, :q]
        U[n, d, q] = enough(0 in line[nearest:] for line in reached)
    return U


fill_u.slip("A move may take more than one coin: look at all places in a line.", nearest=-1)
fill_u.slip("One 0 is enough: join the three directions with `or`.", enough=all)
fill_u.slip("So every place holds a 0. A state gets a 1 if a move leads from it to a 0.", enough=lambda zeros: False)


# --- a player -------------------------------------------------------------------------------------------------------

LARGE = [(3, 3, 7), (1, 4, 6), (1, 2, 3), (7, 8, 15), (20, 31, 11), (100, 37, 5), (64, 100, 36), (100, 100, 100)]


def _good_moves(game, state) -> list:
    """The moves that win; every legal one where none does."""
    return winning_moves(game, state) or game.legal_moves(state)


@exercise(
    cases=[(three_piles(*state), state) for state in [*SMALL[1:], *LARGE]],
    given=lambda game, state: f"the state {state}",
    praise="in won states and in lost ones, with up to 100 coins in a pile",
    accept=one_of(_good_moves),
    slow="Is there a loop that never ends, or is the table filled again for each move?",
)
def perfect_player(game, state):
    """A move that wins three piles in normal play; where no move wins, any legal one."""
    return _good_moves(game, state)[0]


@perfect_player.mistake("In a lost state no move wins; make any legal one.")
def lost_where_no_move_wins(game, state):
    return winning_moves(game, state)[0]
