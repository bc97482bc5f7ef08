"""Lesson 01, the coin game: legal takes, legal moves, the next state, the winner, the delayed Results."""

from __future__ import annotations

from collections.abc import Iterable

from coinlib.arguments import counted
from coinlib.games import CoinGame, Move, sticks

from .core import Case, Explain, Wrong, call, check_cases, same


def takes(function) -> None:
    """Try ``takes(count, max_pick)``, the list of legal takes from one row, and say how it did.

    Parameters
    ----------
    function : function (int, int) -> list of int
        The student's answer.

    Examples
    --------
    >>> takes(lambda count, max_pick: list(range(1, max_pick + 1)))
    ✗ For a row of 1 and at most 3 a turn your function returned [1, 2, 3]; expected [1]. There is no second coin to take.
    """
    pairs = [(1, 1), (1, 3), (2, 3), (3, 3), (5, 2), (7, 7), (21, 3), (0, 3)]
    given = "a row of {} and at most {} a turn"
    cases = [Case(pair, list(range(1, min(pair) + 1)), given.format(*pair)) for pair in pairs]
    _try(function, cases, "for short rows, long rows and an empty row", _about_takes, list)


def _about_takes(case: Case, answer) -> str:
    count, max_pick = case.arguments
    if isinstance(answer, int):
        return "Return a list of every legal take, also where there is only one."
    listed = [take for take in answer if isinstance(take, int)]
    if 0 in listed:
        return "To take 0 coins is not a move: each turn takes at least one."
    if any(take > count for take in listed):
        return f"There is no {_nth(count + 1)} coin to take."
    if any(take > max_pick for take in listed):
        return f"One turn takes at most {max_pick}."
    if listed == case.expected[:-1]:
        return f"The largest legal take, {case.expected[-1]}, is missing: range(1, n) stops before n."
    if sorted(listed) == case.expected:
        return "All takes are there. Only the order is wrong: the smallest comes first."
    return ""


def legal_moves(function) -> None:
    """Try ``legal_moves(state, max_pick)``, all moves as pairs (row, count), and say how it did.

    Parameters
    ----------
    function : function (tuple of int, int) -> list of pairs
        The student's answer; the order of the moves does not matter.

    Examples
    --------
    >>> legal_moves(lambda state, max_pick: [(0, 1)])
    ✗ For state (2,) and at most 2 a turn your function returned [(0, 1)]; expected [(0, 1), (0, 2)]. \
The largest legal take of a row is missing: range(1, n) stops before n.
    """
    rows = [
        ((2,), 2),
        ((3,), 2),
        ((1, 2), 2),
        ((0, 1), 2),
        ((1, 0, 2), 3),
        ((0, 0), 2),
        ((1, 3, 3, 7), 2),
        ((1, 3, 5, 7), 7),
    ]
    cases = []
    for state, max_pick in rows:
        moves = [tuple(move) for move in CoinGame(state, max_pick).legal_moves(state)]
        cases.append(Case((state, max_pick), moves, f"state {state} and at most {max_pick} a turn"))
    _try(function, cases, "for one row, several rows and empty rows", _about_moves, _pairs)


def _pairs(answer) -> list[tuple]:
    return sorted(tuple(move) for move in answer)


def _about_moves(case: Case, answer) -> str:
    state, max_pick = case.arguments
    try:
        pairs = [(int(row), int(count)) for row, count in answer]
    except (TypeError, ValueError):
        return "Each move is a pair: the row, then how many coins."
    if sorted((count, row) for row, count in pairs) == case.expected:
        return "The row comes first, then the count."
    if any(count == 0 for _, count in pairs):
        return "To take 0 coins is not a move: each turn takes at least one."
    if sorted((row - 1, count) for row, count in pairs) == case.expected:
        return "Rows are counted from 0."
    if any(not 0 <= row < len(state) for row, _ in pairs):
        return f"There are only the rows 0 to {len(state) - 1}."
    return _about_counts(state, max_pick, pairs, case.expected)


def _about_counts(state, max_pick: int, pairs: list[tuple], expected: list[tuple]) -> str:
    """What is wrong when the rows exist."""
    for row, count in pairs:
        if count > state[row]:
            return f"Row {row} holds {counted(state[row], 'coin')}: there is no {_nth(state[row] + 1)} coin to take."
        if count > max_pick:
            return f"One turn takes at most {max_pick}."
    found = {row for row, _ in pairs}
    missing = sorted({row for row, _ in expected} - found)
    lost = [move for move in expected if move not in pairs]
    if lost and lost == [(row, min(held, max_pick)) for row, held in enumerate(state) if held]:
        return "The largest legal take of a row is missing: range(1, n) stops before n."
    if missing and found:
        return f"Row {missing[0]} has moves too. Does `return` stand inside the loop, or does the list begin anew?"
    return "A move stands there twice." if len(set(pairs)) < len(pairs) else ""


def next_state(function) -> None:
    """Try ``next_state(state, move)``, the counts after a legal move, and say how it did.

    Parameters
    ----------
    function : function (tuple of int, Move) -> tuple of int
        The student's answer.

    Examples
    --------
    >>> next_state(lambda state, move: state)
    ✗ For state (2,) and Move(row=0, count=1) your function returned (2,); expected (1,). \
Nothing was taken: this is still the old state.
    """
    plays = [((2,), (0, 1)), ((1, 2), (1, 2)), ((3, 3), (0, 1)), ((1, 3, 5, 7), (2, 2)), ((1, 0, 0, 0), (0, 1))]
    cases = []
    for state, pair in plays:
        move = Move(*pair)
        after = CoinGame(state, max_pick=2).play(state, move)
        cases.append(Case((state, move), after, f"state {state} and {move}"))
    _try(function, cases, "for every row, and the state that came in is as it was", _about_next)


def _about_next(case: Case, answer) -> str:
    state, move = case.arguments
    if isinstance(answer, list) and tuple(answer) == case.expected:
        return "The counts are right, but a state is a tuple: return tuple(...) of your list."
    if isinstance(answer, int):
        return "A state holds every row, not one count alone."
    if answer == state:
        return "Nothing was taken: this is still the old state."
    if answer == tuple(held - move.count for held in state):
        return f"Only row {move.row} loses coins; the other rows stay as they are."
    if isinstance(answer, tuple) and sum(answer) > sum(state):
        return "There are more coins than before: a move takes coins away."
    if isinstance(answer, tuple) and len(answer) != len(state):
        return "A state holds one count for every row, an empty row too."
    return ""


def winner(function) -> None:
    """Try ``winner(turns, misere)``, who has won a game of so many turns, and say how it did.

    Parameters
    ----------
    function : function (int, bool) -> int
        The student's answer: 1 or 2.

    Examples
    --------
    >>> winner(lambda turns, misere: 1 if turns % 2 == 1 else 2)
    ✗ For 1 turn in misère play your function returned 1; expected 2. Player 1 took the last coin, and that loses. \
You have normal play right each time and misère play wrong each time: does your function look at `misere`?
    """
    cases = []
    for turns in (1, 2, 3, 4, 11, 12):
        for misere in (True, False):
            game = sticks(turns, max_pick=1, misere=misere)
            next_player = turns % 2 + 1
            won = next_player if game.result((0,)) > 0 else 3 - next_player
            cases.append(Case((turns, misere), won, f"{counted(turns, 'turn')} in {game.ending}"))

    def about(case: Case, answer) -> str:
        if isinstance(answer, bool) or answer not in (1, 2):
            return "Return the number of the player: 1 or 2."
        last = 2 - case.arguments[0] % 2
        fate = "loses" if case.arguments[1] else "wins"
        return f"Player {last} took the last coin, and that {fate}.{_about_endings(function, cases)}"

    _try(function, cases, "in both endings", about)


def _about_endings(function, cases: list[Case]) -> str:
    """Which of the endings a student's function has right, where one of them is wrong throughout."""
    right: dict[bool, list[bool]] = {True: [], False: []}
    for case in cases:
        right[case.arguments[1]].append(same(call(function, case.arguments, case.given), case.expected))
    if not any(right[True]) and not any(right[False]):
        return " You always name the other player. Are the two endings exchanged, or the two players?"
    for misere, good, bad in ((True, "normal", "misère"), (False, "misère", "normal")):
        if not any(right[misere]) and all(right[not misere]):
            return (
                f" You have {good} play right each time and {bad} play wrong each time: "
                "does your function look at `misere`?"
            )
    return ""


def heard(function) -> None:
    """Try ``heard(count, takes, player)``, all that one player hears in a game, and say how it did.

    One row, misère play. A player hears States (numbers of coins) and Results ("PLAY", "WIN", "LOSE"),
    each Result only after the other player has moved.

    Parameters
    ----------
    function : function (int, list of int, int) -> list of int and str
        The student's answer.

    Examples
    --------
    >>> heard(lambda count, takes, player: [])
    ✗ For a row of 1, takes [1] and player 1 your function returned []; expected [1, 'LOSE']. \
At the end WIN or LOSE goes to each player that has moved.
    """
    games = [(1, [1]), (2, [1, 1]), (3, [2, 1]), (4, [1, 2, 1]), (7, [3, 1, 2, 1]), (8, [2, 1, 1, 3, 1])]
    cases = []
    for count, taken in games:
        for player in (1, 2):
            given = f"a row of {count}, takes {taken} and player {player}"
            cases.append(Case((count, taken, player), _heard(count, taken, player), given))
    _try(function, cases, "for both players, from one turn to five", _about_heard, list)


def _heard(count: int, taken: Iterable[int], player: int, at_once: bool = False, misere: bool = True) -> list:
    """What a player hears; `at_once` and `misere=False` give what two common mistakes lead to."""
    log: list = []
    turn = 0
    for turn, take in enumerate(taken, 1):
        if 2 - turn % 2 == player:
            log += [count, "PLAY"]
        count -= take
    if not log:
        return []
    took_last = 2 - turn % 2 == player
    last_word = "LOSE" if took_last == misere else "WIN"
    return log + [last_word] if at_once else log[:-1] + [last_word]


def _about_heard(case: Case, answer) -> str:
    count, taken, player = case.arguments
    try:
        answer = list(answer)
    except TypeError:
        return "Return a list of all that this player hears, in order."
    states = [item for item in answer if not isinstance(item, str)]
    expected_states = [item for item in case.expected if not isinstance(item, str)]
    if not case.expected:
        return f"Player {player} never moved, so nothing is heard: no State, and no Result."
    if answer and isinstance(answer[0], str):
        return "A Result came before the first State: there is none before a player's first Action."
    if states != expected_states:
        return _about_states(count, taken, states, expected_states)
    if answer == _heard(count, taken, player, at_once=True):
        return "One Result too many: PLAY comes after the other player's move, just before the next State."
    if answer == _heard(count, taken, player, misere=False):
        return "This is misère play: who takes the last coin hears LOSE."
    if not answer or answer[-1] not in ("WIN", "LOSE"):
        return "At the end WIN or LOSE goes to each player that has moved."
    return "Between two States of one player stands one Result, PLAY." if len(states) > 1 else ""


def _about_states(count: int, taken: list[int], states: list, expected: list) -> str:
    """What is wrong with the States that a player is said to hear."""
    left = [count - sum(taken[:turn]) for turn in range(len(taken) + 1)]
    if not states:
        return "At the end WIN or LOSE goes to each player that has moved."
    if states in (left, left[:-1]):
        return "A player hears a State only when it is that player's turn."
    if states == [left[turn + 1] for turn in range(len(taken)) if left[turn] in expected]:
        return "A State is what is there before the player's own Action, not after it."
    return f"The States of this player are {expected}."


def _try(function, cases: list[Case], praise: str, explain: Explain, read=lambda answer: answer) -> None:
    """Try a function on cases; the first wrong answer is shown with what `explain` makes of it, unless it is None."""

    def about(case: Case, answer) -> str:
        return "" if answer is None else explain(case, answer)

    check_cases(function, cases, praise, read, about, _answer)


def _answer(function, case: Case):
    try:
        return call(function, case.arguments, case.given)
    except Wrong as wrong:
        if "does not support item assignment" in str(wrong):
            raise Wrong(f"{wrong} A tuple cannot be changed in place: build a new one.") from wrong
        raise


def _nth(number: int) -> str:
    """An ordinal: "first", "second", "third", "4th"."""
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
