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
    found = []
    for pile, coins in enumerate(state):
        for left in range(coins):
            found.append((*state[:pile], left, *state[pile + 1 :]))
    return found


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


@size_of_tree.mistake("A single box is a tree, too: count the state itself.")
def without_the_root(state):
    return 0


@size_of_tree.mistake("In the tree a state counts each time it stands there.")
def different_states(state):
    return (state[0] + 1) * (state[1] + 1) * (state[2] + 1)


# --- who wins -------------------------------------------------------------------------------------

# Whoever may take any number wins from one pile; whoever may take 3, 4, ... at most loses one of these
ONE_PILE = [(3, 0, 0), (0, 0, 4), (5, 0, 0), (0, 6, 0), (0, 0, 7), (8, 0, 0), (0, 9, 0), (0, 0, 30)]
SEVERAL_PILES = [(0, 1, 3), (1, 2, 3), (0, 4, 4), (5, 1, 2), (3, 3, 2), (1, 7, 1), (2, 4, 6), (1, 4, 6)]
STATES = [(state,) for state in (*SMALL, *SEVERAL_PILES, *ONE_PILE)]
# Lost in both endings, so that no lucky move cuts a search without a memory short
STATES.append(((7, 8, 15),))
NO_MEMORY = (
    "Is there a loop that never ends, or is a state worked out again and again? Look into the memory first, "
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
    """Whether whoever moves wins three piles in normal play, with a memory for what has been worked out."""
    if state not in memory:
        memory[state] = any(not wins.reference(child) for child in children.reference(state))
    return memory[state]


@wins.mistake("One lost child is enough: not every child has to be lost.")
@cache
def every_child_lost(state):
    return state != (0, 0, 0) and all(not every_child_lost(child) for child in children.reference(state))


@wins.mistake("You look for children that are all lost; and of (0, 0, 0), which has none, `all` says True.")
@cache
def all_children_lost(state):
    return all(not all_children_lost(child) for child in children.reference(state))


@wins.mistake("So all states are lost. (0, 0, 1) has the child (0, 0, 0), which is lost. Is `not` missing?")
def never(state):
    return False


@wins.mistake("So every state is won. But at (0, 0, 0) the other side has taken the last coin.")
def always(state):
    return True
