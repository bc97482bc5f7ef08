"""The coin game: legal takes, legal moves, the next state, the winner, the delayed Results."""

from coinlib.arguments import counted
from coinlib.games import Move

from .engine import exercise

# --- one row --------------------------------------------------------------------------------------------------------


@exercise(
    cases=[(1, 1), (1, 3), (2, 3), (3, 3), (5, 2), (7, 7), (21, 3), (4, 50), (60, 40), (0, 1), (0, 3)],
    given="a row of {} and at most {} a turn",
    praise="for short rows, long rows and an empty row",
    any_order=True,
)
def takes(count, max_pick, *, least=1, beyond=1):
    """All numbers of coins that may be taken from one row."""
    return list(range(least, min(count, max_pick) + beyond))


takes.slip("The largest legal take is missing: range(1, n) stops before n.", beyond=0)
takes.slip("There are not always so many coins: look at `count` too.", count=100)
takes.slip("To take 0 coins is not a move: each turn takes at least one.", least=0)


# --- several rows ---------------------------------------------------------------------------------------------------


@exercise(
    cases=[((2,), 2), ((1, 2), 2), ((0, 1), 2), ((0, 0), 2), ((3, 3), 2), ((1, 3, 5, 7), 7), ((12, 0, 4, 0, 9, 30), 5)],
    given="state {} and at most {} a turn",
    praise="for one row, several rows and empty rows",
    any_order=True,
)
def legal_moves(state, max_pick, *, rows=None):
    """All legal moves, each of them a pair: the row, then the count."""
    return [(row, take) for row, count in enumerate(state[:rows]) for take in takes.reference(count, max_pick)]


legal_moves.slip("Those are the moves of row 0 only. Does `return` stand in the loop?", rows=1)


# --- the next state -------------------------------------------------------------------------------------------------


@exercise(
    cases=[((2,), Move(0, 1)), ((1, 2), Move(1, 2)), ((1, 0, 0, 0), Move(0, 1)), ((1, 3, 5, 7), Move(3, 7))]
    + [((40, 7, 0, 12, 7, 25), Move(4, 3)), ((300, 2**40), Move(0, 1)), ((300, 2**40), Move(1, 2**33))],
    given="state {} and {}",
    praise="for every row, and the state that came in is as it was",
    tuples=True,
)
def next_state(state, move, *, kind=tuple):
    """The counts after a legal move, as a tuple."""
    return kind(count - move.count if row == move.row else count for row, count in enumerate(state))


next_state.slip("The counts are right, but a state is a tuple: put tuple(...) around them.", kind=list)


@next_state.mistake("A tuple cannot be changed: make a list of it first, and a tuple at the end.")
def changed_in_place(state, move):
    state[move.row] -= move.count
    return state


# --- the winner -----------------------------------------------------------------------------------------------------


@exercise(
    cases=[(turns, misere) for turns in (1, 2, 3, 4, 11, 12, 99, 1_000, 70_001) for misere in (True, False)],
    given=lambda turns, misere: f"{counted(turns, 'turn')} in {'misère' if misere else 'normal'} play",
    praise="in both endings",
)
def winner(turns, misere):
    """The player, 1 or 2, who has won a game of so many turns."""
    took_last = 1 if turns % 2 == 1 else 2
    return 3 - took_last if misere else took_last


winner.slip("That is who took the last coin. In misère play the other one has won.", misere=False)
winner.slip("In normal play who took the last coin has won.", misere=True)


# --- what an agent hears --------------------------------------------------------------------------------------------


@exercise(
    cases=[
        (count, takes, player)
        for count, takes in [(1, [1]), (2, [1, 1]), (3, [1, 1, 1]), (4, [1, 2, 1]), (8, [2, 1, 1, 3, 1])]
        + [(60, [10, 1, 7, 20, 2, 2, 9, 8, 1]), (30, [3] * 10), (70_000, [66_000, 1_000, 3_000])]
        for player in (1, 2)
    ],
    given="a row of {}, takes {} and player {}",
    praise="for both players, from one turn to ten",
)
def heard(count, takes, player, *, result=("PLAY",), took_last="LOSE", took_not="WIN"):
    """All that one player hears in misère play, in order: States as numbers, Results as words."""
    messages, mover = [], 2
    for take in takes:
        mover = 3 - mover
        if mover == player:
            messages += [*result, count] if messages else [count]
        count -= take
    if messages:
        messages.append(took_last if mover == player else took_not)
    return messages


heard.slip("This is misère play: who takes the last coin hears LOSE.", took_last="WIN", took_not="LOSE")
heard.slip("A Result is missing: before each State but the first a player hears PLAY.", result=())
