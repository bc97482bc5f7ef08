"""Game trees: children, the size of a tree, who wins; of three piles: the table of U by hand, winning moves."""

from functools import cache
from itertools import product

from coinlib import theory
from coinlib.games import CoinGame, State, three_piles

from .engine import Wrong, by_hand, exercise, shown

SMALL = sorted(product(range(3), repeat=3), key=lambda state: (sum(state), state))
STATES = [(state,) for state in (*SMALL, (3, 0, 0), (0, 1, 3), (1, 2, 3), (0, 4, 4), (5, 1, 2), (3, 3, 2), (1, 7, 1))]
# Lost in both endings, so that no lucky move cuts a search without a memory short
STATES.append(((7, 8, 15),))
NO_MEMORY = (
    "Is there a loop that never ends, or is a state worked out again and again? Look into the memory first, "
    "and write every answer down."
)

# --- children of a state --------------------------------------------------------------------------------------------


@exercise(
    cases=[(state,) for state in (*SMALL, (3, 3, 7), (0, 9, 12))],
    given="the state {}",
    praise="for empty piles, small piles and large ones",
    any_order=True,
    tuples=True,
)
def children(state, *, lefts=range):
    """All states after one move, which takes any number of coins from one of three piles."""
    return [(*state[:pile], left, *state[pile + 1 :]) for pile in range(3) for left in lefts(state[pile])]


children.slip("A move may take more than one coin from its pile.", lefts=lambda held: [held - 1] * (held > 0))
children.slip("A move may take the whole pile.", lefts=lambda held: range(1, held))
children.slip("The state itself is no child.", lefts=lambda held: range(held + 1))


# --- the size of the tree -------------------------------------------------------------------------------------------


@exercise(
    cases=[(state,) for state in (*SMALL, (3, 0, 0), (3, 0, 3), (0, 0, 9), (3, 2, 3))],
    given="the state {}",
    praise="from a single node to 6,356",
)
def size_of_tree(state):
    """The number of nodes in the tree of three piles that begins with a state."""
    return 1 + sum(size_of_tree.reference(child) for child in children.reference(state))


@size_of_tree.mistake("That is the number of leaves. The nodes above them count as well.")
def leaves_only(state):
    return sum(map(leaves_only, children.reference(state))) if any(state) else 1


@size_of_tree.mistake("In the tree a state counts each time it stands there.")
def different_states(state):
    return (state[0] + 1) * (state[1] + 1) * (state[2] + 1)


# --- who wins -------------------------------------------------------------------------------------------------------


@exercise(
    cases=STATES,
    given="the state {}",
    praise="in normal play, and each state is worked out only once",
    slow=NO_MEMORY,
)
def wins(state, *, misere=False):
    """Whether whoever moves wins three piles in normal play, with a memory for what has been worked out."""
    return not theory.is_lost(CoinGame(state, None, misere), state)


@wins.mistake("One lost child is enough: not every child has to be lost.")
@cache
def every_child_lost(state):
    return any(state) and not any(map(every_child_lost, children.reference(state)))


wins.slip("Those are the answers of misère play: in normal play (0, 0, 0) is lost.", misere=True)


@wins.mistake("Then the other side moves: a child that is *lost* makes a state won.")
def some_child_wins(state):
    return False  # the state without coins is lost, and so is all above it


@exercise(cases=STATES, given="the state {}", praise="in misère play", slow=NO_MEMORY)
def misere_wins(state, *, misere=True):
    """Whether whoever moves wins three piles in misère play, with a memory of its own."""
    return wins.reference(state, misere=misere)


misere_wins.slip("Those are the answers of normal play. Is (0, 0, 0) won? Is the memory a new one?", misere=False)


@misere_wins.mistake("That is normal play turned round. The rule changes (0, 0, 0) alone.")
def normal_play_turned_round(state):
    return not wins.reference(state)


# --- the table of U, by hand ----------------------------------------------------------------------------------------

THIRD, SIDE = 1, 4  # the slice that is filled: a third pile of 1, and 0 to 3 coins in the others


@by_hand(takes_function=False)
def u_table(table) -> str:
    """Look at a slice of U that was filled by hand: 0 to 3 coins in two piles, and 1 in the third.

    Parameters
    ----------
    table : str, or sequence of sequences
        Four lines of four, the top line for d = 3; in a line n goes from 0 to 3. Each place
        holds 0, 1, or ? where it is still open.

    Examples
    --------
    >>> u_table("? ? ? ?\\n? ? ? ?\\n? ? ? ?\\n0 ? ? ?")
    ✗ U(0, 0, 1) should not be 0: a move leads to (0, 0, 0), where U is 0.
    >>> u_table([[1, 1, 0, 1], [1, 1, 1, 0], [0, 1, 1, 1], [1, "?", 1, 1]])
    ✗ U(1, 0, 1) is still open. From (1, 0, 1), is there a move to a state where U is 0?
    >>> u_table([(1, 1, 0, 1), (1, 1, 1, 0), (0, 1, 1, 1), (1, 1, 1, 1)])
    ✗ U(1, 0, 1) should not be 1: no move leads to a state where U is 0.
    >>> u_table("1101\\n1110\\n0111\\n1011")
    ✗ Expected 4 lines with 4 places each, and spaces between them; got lines of 1, 1, 1, 1.
    """
    lines = _lines(table)
    for d, n in product(range(SIDE), repeat=2):
        if words := wrong_place(lines[SIDE - 1 - d][n], (n, d, THIRD)):
            raise Wrong(words)
    return f"Right, all {SIDE * SIDE} places."


def _lines(table) -> list[list[str]]:
    """The places as they stand, the top line first."""
    rows = table.splitlines() if isinstance(table, str) else table
    lines = [row.split() if isinstance(row, str) else list(map(shown, row)) for row in rows]
    lines = [line for line in lines if line]
    if [len(line) for line in lines] != [SIDE] * SIDE:
        found = ", ".join(str(len(line)) for line in lines) or "none"
        raise Wrong(f"Expected {SIDE} lines with {SIDE} places each, and spaces between them; got lines of {found}.")
    return lines


WORTH = {"0": 0, "0.0": 0, "False": 0, "1": 1, "1.0": 1, "True": 1}  # what may stand at a place


def wrong_place(place: str, state: State) -> str:
    """What is wrong with what stands at one place of the table of U; "" if nothing is."""
    if "?" in place:
        return f"U{state} is still open. From {state}, is there a move to a state where U is 0?"
    if place not in WORTH:
        return f"U{state} should be 0 or 1, got {place}."
    lost_child = next((child for child in children.reference(state) if not wins.reference(child)), None)
    if WORTH[place] == 0 and lost_child:
        return f"U{state} should not be 0: a move leads to {lost_child}, where U is 0."
    if WORTH[place] == 1 and not lost_child:
        return f"U{state} should not be 1: no move leads to a state where U is 0."
    return ""


# --- the moves that win ---------------------------------------------------------------------------------------------


@exercise(
    cases=[(state,) for state in (*SMALL, (1, 2, 3), (3, 3, 1), (3, 3, 7), (5, 6, 2), (1, 4, 6), (3, 5, 6), (5, 5, 5))],
    given="the state {}",
    praise="for states with no winning move, with one and with three",
    any_order=True,
    slow="Is there a loop that never ends, or has `wins` no memory?",
)
def winning_moves(state):
    """All moves, each a pile and how many to take, that win three piles in normal play."""
    return [tuple(move) for move in theory.winning_moves(three_piles(*state), state)]


@winning_moves.mistake("You say how many coins are left in the pile; say how many are taken.")
def coins_left(state):
    return [(pile, state[pile] - take) for pile, take in winning_moves.reference(state)]
