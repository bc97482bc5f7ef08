"""The coin game: legal takes, legal moves, the next state, the winner, the delayed Results."""

from __future__ import annotations

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
def takes(count, max_pick):
    """All numbers of coins that may be taken from one row."""
    return list(range(1, min(count, max_pick) + 1))


@takes.mistake("The largest legal take is missing: range(1, n) stops before n.")
def range_stops_too_early(count, max_pick):
    return list(range(1, min(count, max_pick)))


@takes.mistake("No more coins can be taken than there are: look at `count` too.")
def more_than_there_are(count, max_pick):
    return list(range(1, max_pick + 1))


@takes.mistake("To take 0 coins is not a move: each turn takes at least one.")
def nothing_taken(count, max_pick):
    return list(range(min(count, max_pick) + 1))


@takes.mistake("Return the list of all legal takes, not the largest one alone.")
def largest_alone(count, max_pick):
    return min(count, max_pick)


# --- several rows ---------------------------------------------------------------------------------------------------


@exercise(
    cases=[((2,), 2), ((1, 2), 2), ((0, 1), 2), ((0, 0), 2), ((3, 3), 2), ((1, 3, 5, 7), 7), ((12, 0, 4, 0, 9, 30), 5)],
    given="state {} and at most {} a turn",
    praise="for one row, several rows and empty rows",
    any_order=True,
)
def legal_moves(state, max_pick):
    """All legal moves, each of them a pair: the row, then the count."""
    return [(row, take) for row, count in enumerate(state) for take in takes.reference(count, max_pick)]


@legal_moves.mistake("The largest legal take of a row is missing: range(1, n) stops before n.")
def largest_take_missing(state, max_pick):
    return [(row, take) for row, count in enumerate(state) for take in range(1, min(count, max_pick))]


@legal_moves.mistake("No more coins can be taken than the row holds.")
def more_than_the_row_holds(state, max_pick):
    return [(row, take) for row in range(len(state)) for take in range(1, max_pick + 1)]


@legal_moves.mistake("The row comes first, then the count.")
def count_first(state, max_pick):
    return [(take, row) for row, take in legal_moves.reference(state, max_pick)]


@legal_moves.mistake("Rows are counted from 0.")
def rows_from_one(state, max_pick):
    return [(row + 1, take) for row, take in legal_moves.reference(state, max_pick)]


@legal_moves.mistake("Those are the moves of the first row only. Does `return` stand inside the loop?")
def first_row_only(state, max_pick):
    return [(row, take) for row, take in legal_moves.reference(state, max_pick) if row == 0]


# --- the next state -------------------------------------------------------------------------------------------------


@exercise(
    cases=[((2,), Move(0, 1)), ((1, 2), Move(1, 2)), ((1, 0, 0, 0), Move(0, 1)), ((1, 3, 5, 7), Move(3, 7))]
    + [((40, 7, 0, 12, 7, 25), Move(4, 3)), ((300, 2**40), Move(0, 1)), ((300, 2**40), Move(1, 2**33))],
    given="state {} and {}",
    praise="for every row, and the state that came in is as it was",
    tuples=True,
)
def next_state(state, move):
    """The counts after a legal move, as a tuple."""
    return tuple(count - move.count if row == move.row else count for row, count in enumerate(state))


@next_state.mistake("A tuple cannot be changed in place: make a list of it first, and a tuple at the end.")
def changed_in_place(state, move):
    state[move.row] -= move.count
    return state


@next_state.mistake("The counts are right, but a state is a tuple: put tuple(...) around them.")
def no_tuple(state, move):
    return list(next_state.reference(state, move))


@next_state.mistake("A state holds one count for every row, an empty row too.")
def empty_rows_left_out(state, move):
    return tuple(count for count in next_state.reference(state, move) if count)


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


@winner.mistake("That is who took the last coin. In misère play the other player has won: look at `misere`.")
def normal_play_only(turns, misere):
    return 1 if turns % 2 == 1 else 2


@winner.mistake("That is right in misère play only. In normal play who took the last coin has won.")
def misere_play_only(turns, misere):
    return 2 if turns % 2 == 1 else 1


@winner.mistake("That is the other player each time: are the two endings exchanged, or the two players?")
def other_player(turns, misere):
    return 3 - winner.reference(turns, misere)


@winner.mistake("There is no player 0: where player 2 has won, return 2.")
def zero_for_player_2(turns, misere):
    return winner.reference(turns, misere) % 2


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
def heard(count, takes, player):
    """All that one player hears in misère play, in order: States as numbers, Results as words."""
    messages = []
    for turn, take in enumerate(takes, 1):
        mover = 1 if turn % 2 == 1 else 2
        if mover == player:
            if messages:
                messages.append("PLAY")
            messages.append(count)
        count = count - take
    if messages:
        messages.append("LOSE" if mover == player else "WIN")
    return messages


@heard.mistake("One Result too many: PLAY comes after the other player's move, just before the next State.")
def play_at_once(count, takes, player):
    *states, result = heard.reference(count, takes, player) or [None]
    return [message for state in states[::2] for message in (state, "PLAY")] + [result] * bool(states)


@heard.mistake("This is misère play: who takes the last coin hears LOSE.")
def normal_play(count, takes, player):
    exchanged = {"WIN": "LOSE", "LOSE": "WIN"}
    return [exchanged.get(message, message) for message in heard.reference(count, takes, player)]


@heard.mistake("At the end WIN or LOSE goes to each player that has moved.")
def no_last_result(count, takes, player):
    return heard.reference(count, takes, player)[:-1]


@heard.mistake("A player that has never moved hears nothing: no State, and no Result.")
def result_without_a_move(count, takes, player):
    return heard.reference(count, takes, player) or ["WIN"]


@heard.mistake("A State is what is there before the player's own Action, not after it.")
def state_after_the_action(count, takes, player):
    messages = heard.reference(count, takes, player)
    messages[:-1:2] = [count - sum(takes[: turn + 1]) for turn in range(player - 1, len(takes), 2)]
    return messages
