"""Game trees of three piles: the children of a state, the size of a tree, who wins in normal play."""

from functools import cache
from itertools import product

from .engine import exercise

SMALL = sorted(product(range(3), repeat=3), key=lambda state: (sum(state), state))

# --- children of a state --------------------------------------------------------------------------


@exercise(
    cases=[(state,) for state in (*SMALL, (3, 3, 7), (0, 9, 12))],
    given="the state {}",
    praise="for empty piles, small piles and large ones",
    any_order=True,
    tuples=True,
)
def children(state):
    """All states after one move, which takes any number of coins from one of three piles."""
    return _after(state, range)


def _after(state, lefts):
    """The states in which one pile holds one of the numbers that `lefts` gives for its coins."""
    found = []
    for pile, coins in enumerate(state):
        for left in lefts(coins):
            found.append((*state[:pile], left, *state[pile + 1 :]))
    return found


@children.mistake("The whole pile may be taken, too: then 0 coins are left in it.")
def never_the_whole_pile(state):
    return _after(state, lambda coins: range(1, coins))


@children.mistake("A move takes at least one coin: the state itself is not a child.")
def with_the_state_itself(state):
    return _after(state, lambda coins: range(coins + 1))


@children.mistake("A move may take any number of coins from a pile, not only one.")
def one_coin_only(state):
    return _after(state, lambda coins: [coins - 1] if coins else [])


@children.mistake("The pile holds what is left after the move, not what is taken: from 0 up to one coin less than now.")
def taken_for_left(state):
    return _after(state, lambda coins: range(1, coins + 1))


THREE_PILES = "A move may take from any of the three piles: `range(3)` gives their places 0, 1 and 2."


@children.mistake(THREE_PILES)
def first_pile_only(state):
    return [(left, *state[1:]) for left in range(state[0])]


@children.mistake(THREE_PILES)
def first_two_piles_only(state):
    return [child for child in children.reference(state) if child[2] == state[2]]


@children.mistake("Those are moves; return the states after them.")
def moves_for_states(state):
    return [(pile, take) for pile, coins in enumerate(state) for take in range(1, coins + 1)]


# --- the size of the tree -------------------------------------------------------------------------


@exercise(
    cases=[(state,) for state in (*SMALL, (3, 0, 0), (3, 0, 3), (0, 0, 9), (3, 2, 3))],
    given="the state {}",
    praise="from a single node to 6,356",
)
def size_of_tree(state):
    """The number of nodes in the tree of three piles that begins with a state."""
    size = 1
    for child in children.reference(state):
        size += size_of_tree.reference(child)
    return size


ROOT = "A single box is a tree, too: count the state itself."


@size_of_tree.mistake(ROOT)
def without_the_root(state):
    return 0


@size_of_tree.mistake(ROOT)
def root_not_counted(state):
    return size_of_tree.reference(state) - 1


@size_of_tree.mistake(ROOT)
@cache
def nothing_at_the_end(state):
    return 1 + sum(map(nothing_at_the_end, children.reference(state))) if any(state) else 0


@size_of_tree.mistake("Those are the state and its children. What hangs below each child?")
def one_level_only(state):
    return 1 + sum(state)


# --- who wins -------------------------------------------------------------------------------------

# If a turn may take any number, the player to move wins from one pile; if it may take at most 3, 4, ..., one is lost
ONE_PILE = [(3, 0, 0), (0, 0, 4), (5, 0, 0), (0, 6, 0), (0, 0, 7), (8, 0, 0), (0, 9, 0), (0, 0, 30)]
SEVERAL_PILES = [(0, 1, 3), (1, 2, 3), (0, 4, 4), (5, 1, 2), (3, 3, 2), (1, 7, 1), (2, 4, 6), (1, 4, 6)]
STATES = [(state,) for state in (*SMALL, *SEVERAL_PILES, *ONE_PILE)]
# Lost in both endings, so that no lucky move cuts short a search without a memory
STATES.append(((7, 8, 15),))
NO_MEMORY = (
    "Is there a loop that never ends, or is a state worked out again and again? Look in the memory first, "
    "and write every answer down."
)
memory = {}  # state: True or False


@exercise(
    cases=STATES,
    given="the state {}",
    praise="in normal play, and fast enough for (7, 8, 15)",
    slow=NO_MEMORY,
)
def wins(state):
    """Whether the player to move wins three piles in normal play, with a memory for what has been worked out."""
    if state not in memory:
        memory[state] = any(not wins.reference(child) for child in children.reference(state))
    return memory[state]


@wins.mistake("One lost child is enough: not every child has to be lost.")
@cache
def every_child_lost(state):
    return state != (0, 0, 0) and all(not every_child_lost(child) for child in children.reference(state))


@wins.mistake(
    "You require all children to be lost, which is also true of (0, 0, 0): it has none. One lost child is enough."
)
@cache
def all_children_lost(state):
    return all(not all_children_lost(child) for child in children.reference(state))


@wins.mistake("So all states are lost. (0, 0, 1) has the child (0, 0, 0), which is lost. Is `not` missing?")
def never(state):
    return False


@wins.mistake("At (0, 0, 0) the other side has taken the last coin and won: that state is lost.")
@cache
def empty_table_won(state):
    return not any(state) or any(not empty_table_won(child) for child in children.reference(state))


@wins.mistake("So every state is won. But at (0, 0, 0) the other side has taken the last coin.")
def always(state):
    return True
