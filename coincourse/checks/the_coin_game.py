"""The coin game: legal takes, legal moves, the winner, the delayed Results, the next state."""

from coinlib.arguments import counted
from coinlib.games import Move

from .engine import Exercise, exercise

# --- one row --------------------------------------------------------------------------------------


@exercise(
    cases=[(1, 1), (1, 3), (2, 3), (3, 3), (5, 2), (7, 7), (21, 3), (4, 50), (60, 40), (0, 1), (0, 3)],
    given="a row of {} and at most {} a turn",
    praise="for short rows, long rows and an empty row",
    any_order=True,
)
def takes(count, max_pick):
    """All numbers of coins that may be taken from one row."""
    most = min(count, max_pick)
    return list(range(1, most + 1))


takes.slip("The row may hold fewer coins than that: look at `count` too.", count=100)
takes.slip("A turn may take fewer coins than the row holds: look at `max_pick` too.", max_pick=100)


@takes.mistake("The largest legal take is missing: `range(1, n)` stops before n, and so does a loop with `<`.")
def without_the_largest(count, max_pick):
    return list(range(1, min(count, max_pick)))


MAX_PICK_TOO = "`range(1, max_pick)` stops before max_pick: write `max_pick + 1`."
takes.mistake(MAX_PICK_TOO)(lambda count, max_pick: list(range(1, max_pick)))
takes.mistake(MAX_PICK_TOO)(lambda count, max_pick: takes.reference(count, max_pick - 1))
takes.slip("That is the first take alone: a `return` ends the loop. Return all takes, after it.", max_pick=1)


@takes.mistake("A player must take at least one coin: 0 is not a legal take.")
def with_zero(count, max_pick):
    return list(range(min(count, max_pick) + 1))


FROM_0 = "`range(n)` holds 0 to n - 1. Legal takes begin with 1, and the last one is n."
takes.mistake(FROM_0)(lambda count, max_pick: list(range(min(count, max_pick))))
takes.mistake(FROM_0)(lambda count, max_pick: list(range(max_pick)))
takes.mistake(FROM_0)(lambda count, max_pick: list(range(count)))


@takes.mistake("That is how many coins are left in the row after each take. Return the takes.")
def what_is_left(count, max_pick):
    return [count - take for take in takes.reference(count, max_pick)]


# --- several rows ---------------------------------------------------------------------------------


@exercise(
    cases=[((2,), 2), ((1, 2), 2), ((0, 1), 2), ((0, 0), 2), ((3, 3), 2), ((1, 3, 5, 7), 7)]
    + [((12, 0, 4, 0, 9, 30), 5)],
    given="state {} and at most {} a turn",
    praise="for one row, several rows and empty rows",
    any_order=True,
)
def legal_moves(state, max_pick):
    """All legal moves, each of them a pair: the row, then the count."""
    moves = []
    for row, count in enumerate(state):
        for take in takes.reference(count, max_pick):
            moves.append((row, take))
    return moves


@legal_moves.mistake(
    "If two rows hold the same count, `state.index(count)` finds only the first of them: use `enumerate`."
)
def rows_by_index(state, max_pick):
    return [(state.index(count), take) for count in state for take in takes.reference(count, max_pick)]


@legal_moves.mistake(
    "The largest legal take is missing in each row: `range(1, n)` stops before n, and so does a loop with `<`."
)
def without_the_largest_takes(state, max_pick):
    return [(row, take) for row, count in enumerate(state) for take in without_the_largest(count, max_pick)]


@legal_moves.mistake("A player must take at least one coin: 0 is not a legal take.")
def with_zeros(state, max_pick):
    return [(row, take) for row, count in enumerate(state) for take in with_zero(count, max_pick)]


@legal_moves.mistake("A row may hold fewer coins than that: look at its count too.")
def more_than_a_row_holds(state, max_pick):
    return [(row, take) for row in range(len(state)) for take in range(1, max_pick + 1)]


legal_moves.mistake(MAX_PICK_TOO)(lambda state, max_pick: more_than_a_row_holds(state, max_pick - 1))
legal_moves.mistake(MAX_PICK_TOO)(lambda state, max_pick: legal_moves.reference(state, max_pick - 1))


@legal_moves.mistake("`for row in state` goes through the counts. The numbers of the rows: `range(len(state))`.")
def count_for_row(state, max_pick):
    return [(count, take) for count in state for take in takes.reference(count, max_pick)]


@legal_moves.mistake("`takes` got the number of a row. Give it the coins in that row: `takes(count, max_pick)`.")
def row_for_count(state, max_pick):
    return [(row, take) for row in range(len(state)) for take in takes.reference(row, max_pick)]


def add_mistakes_about_moves(moves: Exercise) -> None:
    """Add the common mistakes if an exercise asks for moves as pairs: the row, then the count."""

    @moves.mistake("In each pair the row comes first, then the count.")
    def count_first(*arguments):
        return [(count, place) for place, count in moves.reference(*arguments)]

    @moves.mistake("Rows are counted from 0: the first one is row 0.")
    def rows_from_1(*arguments):
        return [(place + 1, count) for place, count in moves.reference(*arguments)]


add_mistakes_about_moves(legal_moves)

# --- the winner -----------------------------------------------------------------------------------


@exercise(
    cases=[(turns, misere) for turns in (1, 2, 3, 4, 11, 12, 99, 1_000, 70_001) for misere in (True, False)],
    given=lambda turns, misere: f"{counted(turns, 'turn')} in {'misère' if misere else 'normal'} play",
    praise="in both endings",
    few=True,
)
def winner(turns, misere):
    """The player, 1 or 2, who has won a game of `turns` moves."""
    took_last = 1 if turns % 2 == 1 else 2
    other = 3 - took_last
    return other if misere else took_last


winner.slip("That is who took the last coin. In misère play the other player has won.", misere=False)


@winner.mistake("The two endings are swapped: in misère play the player who took the last coin has lost.")
def endings_exchanged(turns, misere):
    return winner.reference(turns, not misere)


# --- the next state -------------------------------------------------------------------------------


@exercise(
    cases=[((2,), Move(0, 1)), ((1, 2), Move(1, 2)), ((1, 0, 0, 0), Move(0, 1)), ((1, 3, 5, 7), Move(3, 7))]
    + [((40, 7, 0, 12, 7, 25), Move(4, 3)), ((300, 2**40), Move(0, 1)), ((300, 2**40), Move(1, 2**33))],
    given="state {} and {}",
    praise="for every row, and the state that came in is as it was",
    tuples=True,
)
def next_state(state, move):
    """The counts after a legal move, as a tuple."""
    counts = list(state)
    counts[move.row] -= move.count
    return tuple(counts)


@next_state.mistake("Only one row changes: the row of the move.")
def taken_from_all_rows(state, move):
    return tuple(count - move.count for count in state)


@next_state.mistake("The coins of the move are taken away: subtract them from the row.")
def what_is_taken_stays(state, move):
    counts = list(state)
    counts[move.row] = move.count
    return tuple(counts)


@next_state.mistake("The counts are right, but a state is a tuple: put tuple(...) around them.")
def as_a_list(state, move):
    return list(next_state.reference(state, move))
