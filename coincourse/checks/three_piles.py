"""Three piles: the table of U by hand and by program, the moves that win, on paper too, the other ending, a player."""

from itertools import product

import numpy as np

from coinlib import theory
from coinlib.arguments import counted, whole_number
from coinlib.games import CoinGame, State, three_piles
from coinlib.theory import nim_sum

from .engine import by_hand, exercise
from .game_trees import NO_MEMORY, SMALL, STATES, children, wins
from .judging import NotWritten, Wrong, none_of, praised, shown
from .values import alike, plain
from .verdict import Verdict

# --- the table of U, by hand ----------------------------------------------------------------------

# The slice that is filled: one coin in the third pile, and 0 to 3 coins in each of the others
THIRD = 1
SIDE = 4
UPSIDE_DOWN = [["1", "0", "1", "1"], ["0", "1", "1", "1"], ["1", "1", "1", "0"], ["1", "1", "0", "1"]]


@by_hand(takes_function=False)
def u_table(table) -> Verdict:
    """Check a slice of U that was filled in by hand: 0 to 3 coins in two piles, and 1 in the third.

    Parameters
    ----------
    table : str, or sequence of sequences
        Four lines of four, the top line for d = 3; in a line n goes from 0 to 3. Each place
        holds 0, 1, or ? if it is still open.

    Examples
    --------
    >>> u_table(4 * "? ? ? ?\\n")
    ○ Not written yet. Replace each `?` with 0 or 1 in the cell above, then run it again.
    >>> u_table("? ? ? ?\\n? ? ? ?\\n? ? ? ?\\n0 ? ? ?")
    ✗ U(0, 0, 1) should not be 0: a move leads to (0, 0, 0), where U is 0.
    >>> u_table([[1, 1, 0, 1], [1, 1, 1, 0], [0, 1, 1, 1], [1, "?", 1, 1]])
    ✗ U(1, 0, 1) is still open. From (1, 0, 1), is there a move to a position where U is 0?
    >>> u_table([(1, 1, 0, 1), (1, 1, 1, 0), (0, 1, 1, 1), (1, 1, 1, 1)])
    ✗ U(1, 0, 1) should not be 1: no move leads to a position where U is 0.
    >>> u_table("1011\\n0111\\n1110\\n1101")
    ✗ The four lines are right, but upside down. The top line is for d = 3.
    >>> u_table("11\\n11")
    ✗ Expected 4 lines with 4 places each; got lines of 2, 2.
    """
    lines = _lines(table)
    if all("?" in place for line in lines for place in line):
        raise NotWritten("each `?` with 0 or 1")
    if lines == UPSIDE_DOWN:
        raise Wrong("The four lines are right, but upside down.", f"The top line is for d = {SIDE - 1}.")
    for d, n in product(range(SIDE), repeat=2):
        wrong = wrong_place(lines[SIDE - 1 - d][n], (n, d, THIRD))
        if wrong:
            raise Wrong(*wrong)
    return praised(f", all {SIDE * SIDE} places.")


def _lines(table) -> list[list[str]]:
    """The places of the table, the top line first."""
    rows = table.splitlines() if isinstance(table, str) else table
    try:
        lines = [_places(row) if isinstance(row, str) else list(map(shown, row)) for row in rows]
    except TypeError:
        raise Wrong(f"Expected the table as a text of {SIDE} lines; got {shown(table)}.") from None
    lines = [line for line in lines if line]
    if [len(line) for line in lines] != [SIDE] * SIDE:
        found = f"lines of {', '.join(str(len(line)) for line in lines)}" if lines else "none"
        raise Wrong(f"Expected {SIDE} lines with {SIDE} places each; got {found}.")
    return lines


def _places(line: str) -> list[str]:
    """The places of a line, with spaces or commas between them, or with nothing, as in "1101"."""
    places = line.replace(",", " ").split()
    if len(places) == 1 and set(places[0]) <= set("01?"):
        places = list(places[0])
    return places


WORTH = {"0": 0, "0.0": 0, "False": 0, "1": 1, "1.0": 1, "True": 1}  # what a place may hold


def wrong_place(place: str, state: State) -> tuple[str, ...]:
    """What is wrong with one place of the table of U, line by line; empty if nothing is."""
    if "?" in place:
        return f"U{state} is still open.", f"From {state}, is there a move to a position where U is 0?"
    if place not in WORTH:
        return (f"U{state} should be 0 or 1, got {place}.",)
    game = three_piles(*state)
    winning = theory.winning_moves(game, state)
    if WORTH[place] == 0 and winning:
        return (f"U{state} should not be 0: a move leads to {game.play(state, winning[0])}, where U is 0.",)
    if WORTH[place] == 1 and not winning:
        return (f"U{state} should not be 1: no move leads to a position where U is 0.",)
    return ()


# --- the table of U, by program -------------------------------------------------------------------


def first_wrong_place(answer, expected, *most: int) -> str:
    """What is wrong with a table up to (n1, n2, n3); empty if nothing is."""
    shape = tuple(count + 1 for count in most)
    table = np.array(answer, dtype=object)
    if table.shape != shape:
        return f"Expected a table of {' × '.join(map(str, shape))} places: the last one is U{most}."
    for state in np.ndindex(shape):
        wrong = wrong_place(str(table[state]), state)
        if wrong:
            return " ".join(wrong)
    return ""


LONG_TABLES = [(100, 2, 1), (1, 100, 2), (0, 2, 100)]


def _seen_from(U, n, d, q):
    """The places to which a move leads, pile by pile."""
    return U[:n, d, q], U[n, :d, q], U[n, d, :q]


def _filled(seen_from, *most):
    """A table of U in which a place is 1 if there is a 0 in what `seen_from` looks at."""
    U = np.zeros([count + 1 for count in most], dtype=int)
    for place in np.ndindex(U.shape):
        U[place] = any(0 in seen for seen in seen_from(U, *place))
    return U


@exercise(
    cases=[(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 2, 1), (3, 3, 7), (8, 9, 7), *LONG_TABLES],
    given="the table up to ({}, {}, {})",
    praise="for small tables, and with up to 100 coins in each pile",
    accept=first_wrong_place,
    slow="Is there a loop that never ends, or is a place worked out again and again?",
)
def fill_u(n1, n2, n3):
    """The table of U up to (n1, n2, n3): 1 if the player to move wins in normal play, otherwise 0."""
    return _filled(_seen_from, n1, n2, n3)


@fill_u.mistake(
    "So U is 1 only where all three piles hold coins. A move changes one pile: look in three directions, and "
    "one 0 in any of them is enough (`or`, not `and`)."
)
def one_block(n1, n2, n3):
    return _filled(lambda U, n, d, q: [U[:n, :d, :q]], n1, n2, n3)


@fill_u.mistake(
    "Your function looks in one direction. A move may change any pile: look at U[n, :d, q] and U[n, d, :q] too."
)
def one_direction(n1, n2, n3):
    return _filled(lambda U, n, d, q: [U[:n, d, q]], n1, n2, n3)


@fill_u.mistake(
    "So every place is 1. `U[:n, d, q]` ends just before n. Write 1 only if there is a 0 in one of the three slices."
)
def all_ones(n1, n2, n3):
    return np.ones((n1 + 1, n2 + 1, n3 + 1), dtype=int)


@fill_u.mistake("That is misère play. In normal play the player to move has lost at (0, 0, 0).")
def misere_play(n1, n2, n3):
    return _filled(lambda U, n, d, q: [*_seen_from(U, n, d, q), [n + d + q]], n1, n2, n3)


@fill_u.mistake("A move may take any number of coins: look at all of U[:n, d, q], not only at U[n - 1, d, q].")
def one_coin_a_move(n1, n2, n3):
    return _filled(lambda *where: [line[-1:] for line in _seen_from(*where)], n1, n2, n3)


@fill_u.mistake("`0 in` looks into one line only: write it again after each `or`.")
def asked_of_one_line(n1, n2, n3):
    U = np.zeros((n1 + 1, n2 + 1, n3 + 1), dtype=int)
    for n, d, q in np.ndindex(U.shape):
        if 0 in U[:n, d, q] or U[n, :d, q] or U[n, d, :q]:
            U[n, d, q] = 1
    return U


# --- the moves that win, on paper -------------------------------------------------------------------

ON_PAPER = (20, 30, 15)
WIN_ON_PAPER = ((0, 3), (1, 3), (2, 5))  # pile, take


@by_hand(takes_function=False, ours=list(WIN_ON_PAPER))
def moves_on_paper(moves) -> Verdict:
    """Check the moves from (20, 30, 15) that were found with a pencil.

    Parameters
    ----------
    moves : sequence of pairs
        Each a pile and how many coins to take.

    Examples
    --------
    >>> moves_on_paper([(0, 17)])
    ✗ Taking 17 from pile 0 leaves (3, 30, 15). Its nim-sum is 18, not 0. Is 17 what you want to leave? Give what you take.
    >>> moves_on_paper([(0, 3), (2, 5)])
    ✗ Right so far. One more move wins: which other pile can go down to the right number?
    >>> moves_on_paper([(2, 5), (0, 3), (1, 3)])
    ✓ Right: these three moves win, and no other does.
    """
    winning = set(WIN_ON_PAPER)
    if not isinstance(moves, list | tuple | set):
        raise Wrong(f"Expected a list of moves; got {shown(moves)}.")
    if len(moves) == 2 and all(isinstance(part, int) for part in moves):
        raise Wrong(f"Put each pair into a list: [{shown(moves)}].")
    found = [_legal_move(move) for move in moves]
    if not found:
        raise Wrong("The list is still empty.", "Write the three piles in binary, one below the other.")
    for pile, take in found:
        left = ON_PAPER[:pile] + (ON_PAPER[pile] - take,) + ON_PAPER[pile + 1 :]
        if nim_sum(*left) == 0:
            continue
        lines = [f"Taking {take} from pile {pile} leaves {left}.", f"Its nim-sum is {nim_sum(*left)}, not 0."]
        if take == nim_sum(*ON_PAPER):
            lines.append(f"{take} is the nim-sum of the three piles. Take so many that the nim-sum is 0 afterwards.")
        if (pile, ON_PAPER[pile] - take) in winning:
            lines.append(f"Is {take} what you want to leave? Give what you take.")
        raise Wrong(*lines)
    missing = len(winning) - len(set(found))
    if missing == 1:
        raise Wrong("Right so far.", "One more move wins: which other pile can go down to the right number?")
    if missing:
        raise Wrong("Right so far.", "More moves win: can another pile go down to the right number?")
    return praised(": these three moves win, and no other does.")


def _legal_move(move) -> tuple[int, int]:
    """A move that the piles allow, as a pair of whole numbers."""
    try:
        pile, take = (whole_number(part, "part", least=None) for part in move)
    except (TypeError, ValueError):
        raise Wrong(f"Expected pairs such as (0, 4), a pile and how many coins; got {shown(move)}.") from None
    if (take, pile) in WIN_ON_PAPER:
        raise Wrong(f"({pile}, {take}) is the wrong way round: first the pile, then how many coins to take.")
    if pile not in range(len(ON_PAPER)) or not 1 <= take <= ON_PAPER[pile]:
        raise Wrong(f"({pile}, {take}) is not a move: expected pile 0, 1 or 2, and 1 coin up to all of that pile.")
    return pile, take


# --- the other ending -----------------------------------------------------------------------------

misere_memory = {}


@exercise(cases=STATES, given="the state {}", praise="in misère play", slow=NO_MEMORY)
def misere_wins(state):
    """Whether the player to move wins three piles in misère play, with its own memory."""
    if state == (0, 0, 0):
        return True
    if state not in misere_memory:
        misere_memory[state] = any(not misere_wins.reference(child) for child in children.reference(state))
    return misere_memory[state]


@misere_wins.mistake("Those are the answers of normal play. Is (0, 0, 0) won? Is the memory a new one?")
def normal_play(state):
    return wins.reference(state)


@misere_wins.mistake("That is normal play turned round. The rule changes (0, 0, 0) alone.")
def normal_play_turned_round(state):
    return not wins.reference(state)


@misere_wins.mistake("One good move is enough: `any`, not `all`.")
def every_move_must_win(state):
    return state == (0, 0, 0) or all(not misere_wins.reference(child) for child in children.reference(state))


@misere_wins.mistake("After your move the *opponent* is to move: you want a child that does not win. Is there a `not`?")
def opponent_wins(state):
    return state == (0, 0, 0) or any(misere_wins.reference(child) for child in children.reference(state))


# --- a player -------------------------------------------------------------------------------------

LARGE = [(3, 3, 7), (1, 4, 6), (1, 2, 3), (7, 8, 15), (20, 31, 11), (100, 37, 5), (64, 100, 36)]
LARGE += [(100, 100, 100), (100, 100, 27), (27, 100, 100)]
LATER = [((3, 3, 7), (3, 3, 1)), ((3, 3, 7), (0, 3, 3))]
LATER += [((100, 100, 100), (1, 0, 0)), ((20, 30, 15), (7, 30, 15))]


def _good_moves(game: CoinGame, state: State) -> list[tuple[int, int]]:
    """The moves that win; every legal one where none does."""
    moves = theory.winning_moves(game, state) or game.legal_moves(state)
    return [tuple(move) for move in moves]


def _about_move(answer: object, expected: object, game: CoinGame, state: State) -> str:
    """What is wrong with a move; empty if it is a good one."""
    good = _good_moves(game, state)
    complaint = none_of(answer, good)
    if not complaint or answer is None:
        return complaint
    return f"{complaint} {_slip_of(answer, good, game, state)}".strip()


def _slip_of(answer: object, good: list[tuple[int, int]], game: CoinGame, state: State) -> str:
    """What may have gone wrong with a move; empty if nothing is known."""
    value = plain(answer)
    if not isinstance(value, bool) and isinstance(value, int):
        return "That is one number: return a pile and how many coins to take."
    if alike(value, []) or not isinstance(value, list | tuple):
        return ""
    if any(alike(value, game.play(state, move)) for move in game.legal_moves(state)):
        return "That is what a move leaves: return the move, a pile and how many coins to take."
    if all(isinstance(move, list | tuple) for move in value):
        return "Those are several moves: return one of them."
    pile, count = value if len(value) == 2 else (None, None)
    if not isinstance(pile, int) or not isinstance(count, int):
        return ""
    if pile not in range(len(state)):
        return "The piles are counted from 0."
    if nim_sum(*state) and (pile, state[pile] - count) in good:
        return f"{count} is how many coins your move would leave in pile {pile}: return how many it takes."
    if count not in range(1, state[pile] + 1):
        words = f"Pile {pile} holds {counted(state[pile], 'coin')}, and a move takes at least one."
        return words if nim_sum(*state) else f"{words} No move wins here, so any legal one will do."
    left = game.play(state, (pile, count))
    return f"Your move leaves {left}, and its nim-sum is {nim_sum(*left)}, not 0."


@exercise(
    cases=[(three_piles(*state), state) for state in [*SMALL[1:], *LARGE]]
    + [(three_piles(*start), state) for start, state in LATER],
    given=lambda game, state: f"the state {state}",
    praise="in winning positions and in losing ones, with up to 100 coins in a pile",
    accept=_about_move,
    slow="Is there a loop that never ends, or is the table filled again for each move?",
)
def perfect_player(game, state):
    """A move that wins three piles in normal play; where no move wins, any legal one."""
    winning = theory.winning_moves(game, state)
    if winning:
        return tuple(winning[0])
    pile = state.index(max(state))
    return (pile, 1)
