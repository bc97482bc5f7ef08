"""Lesson 08, game trees and three piles: children, the size of a tree, who wins, the table of U, winning moves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from typing import Any

from coinlib.arguments import counted
from coinlib.games import CoinGame, State, three_piles
from coinlib.solvers import solve
from coinlib.trees import tree_size

from .core import NO_RETURN, Wrong, call, refusal, report, same, shown

LARGE = (7, 8, 15)  # lost in normal play, so that no lucky move cuts the search short
MOST_CALLS = 300_000  # several times what a search with a memory needs there
THIRD, SIDE = 1, 4  # the slice that is filled by hand: a third pile of 1, and 0 to 3 coins in the others


class _Enough(BaseException):
    """Too many calls; not an Exception, so that a student's `except` lets it through."""


# --- children of a state ------------------------------------------------------------------------------------


def children(function) -> None:
    """Try ``children(state)``, the states that one move leads to, and say how it did.

    Three piles, any number of coins from one of them.

    Parameters
    ----------
    function : function (tuple of int) -> list of tuples
        The student's answer; the order of the states does not matter.

    Examples
    --------
    >>> children(lambda state: [])
    ✗ For the state (1, 0, 0) your function returned []; expected [(0, 0, 0)]. (0, 0, 0) is missing: a move may take the \
whole pile.
    """
    states = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 1, 1), (1, 0, 2), (2, 2, 1), (3, 1, 2), (3, 3, 7)]

    def judge() -> str:
        for state in states:
            expected = _children(state)
            answer = call(function, (state,), _state(state))
            if not same(answer, sorted(expected), _tuples):
                raise Wrong(_words(state, answer, expected, _about_children(state, answer, expected)))
        return f"Right, for empty piles, small piles and large ones. ({len(states)} cases tried)"

    report(function, judge)


def _children(state: State) -> list[State]:
    game = three_piles(*state)
    return [game.play(state, move) for move in game.legal_moves(state)]


def _states(answer) -> list[State]:
    return sorted(tuple(int(held) for held in state) for state in answer)


def _tuples(answer) -> list[State]:
    """The states, if each of them can be the key of a dictionary."""
    if any(isinstance(state, list) for state in answer):
        raise TypeError
    return _states(answer)


def _about_children(state: State, answer, expected: list[State]) -> str:
    found = _read(_states, answer)
    if found is None or any(len(child) != len(state) for child in found):
        return "Return a list of states; each is a tuple of three counts."
    if any(isinstance(child, list) for child in answer):
        return "A state is a tuple, not a list: it must serve as a key of a dictionary."
    for child in found:
        if child == state:
            return f"{child} is the state itself: each move takes at least one coin."
        if min(child) < 0:
            return f"In {child} more coins are gone than there were."
        if child not in expected and sum(now != then for now, then in zip(child, state)) > 1:
            return f"To come to {child} one has to take coins from more than one pile."
        if child not in expected:
            return f"{child} has more coins than before."
    return _about_missing(state, found, expected)


def _about_missing(state: State, found: list[State], expected: list[State]) -> str:
    missing = [child for child in expected if child not in found]
    if not missing:
        return "A child stands there twice."
    if found and found == sorted(child for child in expected if sum(child) == sum(state) - 1):
        return "A move may take more than one coin from its pile."
    if missing == [child for child in expected if child.count(0) > state.count(0)]:
        return f"{missing[0]} is missing: a move may take the whole pile."
    touched = {pile for child in found for pile in range(len(state)) if child[pile] != state[pile]}
    untouched = [pile for pile, held in enumerate(state) if held and pile not in touched]
    if untouched:
        return (
            f"Pile {untouched[0]} has moves too. Does `return` stand inside the loop, or does the list begin anew "
            "with each pile?"
        )
    are = "child is" if len(missing) == 1 else "children are"
    return f"{len(missing)} {are} missing, such as {missing[0]}."


# --- the size of the tree -----------------------------------------------------------------------------------


def size_of_tree(function) -> None:
    """Try ``size_of_tree(state)``, the nodes in the tree below a state with the state itself, and say how it did.

    Parameters
    ----------
    function : function (tuple of int) -> int
        The student's answer, for three piles.

    Examples
    --------
    >>> size_of_tree(lambda state: 0)
    ✗ For the state (0, 0, 0) your function returned 0; expected 1. The state itself is a node, also where no move \
is left.
    """
    states = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 1), (2, 1, 0), (1, 1, 1), (2, 2, 1), (3, 0, 3), (2, 2, 2)]

    def judge() -> str:
        for state in states:
            expected = tree_size(three_piles(*state)).nodes
            answer = call(function, (state,), _state(state))
            if not same(answer, expected, _whole):
                raise Wrong(_words(state, answer, expected, _about_size(function, state, answer)))
        return f"Right, from a single node to {expected}. ({len(states)} cases tried)"

    report(function, judge)


def _whole(answer) -> int:
    number = answer if isinstance(answer, bool) else int(answer)
    if number != answer:
        raise ValueError
    return number


def _about_size(function, state: State, answer) -> str:
    """What a wrong number shows; (2, 1, 0) tells mistakes apart that agree on smaller trees."""
    if isinstance(answer, bool) or _read(_whole, answer) is None:
        return "Return one whole number."
    if not any(state):
        return "The state itself is a node, also where no move is left."
    mistakes = {
        3: "That is the number of the children alone. Each child has a tree of its own below it.",
        4: "That is the state and its children. Each child has a tree of its own below it.",
        5: "That is the number of leaves. The nodes above them count as well.",
        6: "So many different states there are. In the tree a state counts each time it stands there.",
        7: "The leaves, where no coin is left, are nodes too.",
        11: "The state itself is a node too.",
    }
    try:
        found = mistakes.get(function((2, 1, 0)), "")
    except Exception:  # noqa: BLE001 - only a guess is lost
        found = ""
    return found or "Add up the sizes of the children's trees, and 1 for the state itself. Is `children` right?"


# --- who wins -----------------------------------------------------------------------------------------------


def wins(function) -> None:
    """Try ``wins(state)``, whether whoever moves wins three piles in normal play, and say how it did.

    Parameters
    ----------
    function : function (tuple of int) -> bool
        The student's answer, with a memory: states that have been worked out are not worked out
        again. 1 and 0 count as True and False.

    Examples
    --------
    >>> wins(lambda state: sum(state) % 2 == 1)
    ✗ For the state (0, 0, 2) your function returned False; expected True. One move leads to (0, 0, 0), and that is lost.
    """

    def judge() -> str:
        _judge_winner(function, misere=False, most=2)  # small enough for a walk through the whole tree
        made = _calls(function, LARGE, MOST_CALLS)
        if made > MOST_CALLS:
            raise Wrong(
                f"Small piles are right. But for {LARGE} your function needed more than {MOST_CALLS:,} calls, though "
                f"only {tree_size(three_piles(*LARGE)).states:,} states are below it. Look into the memory before you "
                "work out a state, and write into it afterwards."
            )
        tried = _judge_winner(function, misere=False)
        return f"Right, and each state is worked out only once. ({tried} cases tried)"

    report(function, judge)


def misere_wins(function) -> None:
    """Try ``misere_wins(state)``, whether whoever moves wins three piles in misère play, and say how it did.

    Parameters
    ----------
    function : function (tuple of int) -> bool
        The student's answer; 1 and 0 count as True and False.

    Examples
    --------
    >>> misere_wins(lambda state: sum(state) > 1)
    ✗ For the state (0, 0, 0) your function returned False; expected True. No coin is left: the other side took the \
last one, and in misère play that loses.
    """

    def judge() -> str:
        tried = _judge_winner(function, misere=True)
        return f"Right, in misère play. ({tried} cases tried)"

    report(function, judge)


def _judge_winner(function, misere: bool, most: int = 4) -> int:
    """Compare a student's answers with the solver, up to so many coins in each pile; how many were compared."""
    solution = solve(CoinGame((most, most, most), max_pick=None, misere=misere))
    states = sorted(product(range(most + 1), repeat=3), key=lambda state: (sum(state), state))
    for state in states:
        expected = bool(solution.wins[state])
        answer = call(function, (state,), _state(state))
        if not same(answer, expected, _truth):
            raise Wrong(_words(state, answer, expected, _about_winner(function, solution, state, answer)))
    return len(states)


def _truth(answer) -> bool:
    """True or False; 1 and 0 mean the same, also NumPy's."""
    if isinstance(answer, str) or answer not in (0, 1):
        raise ValueError
    return bool(answer)


def _about_winner(function, solution, state: State, answer) -> str:
    game = solution.game
    if _read(_truth, answer) is None:
        return "Return True or False."
    if game.is_over(state):
        return f"No coin is left: the other side took the last one, and in {game.ending} that {_last(game)}."
    other = CoinGame(game.rows, game.max_pick, misere=not game.misere)
    if _agrees(function, solve(other).wins):
        more = " Does it call itself, and has it a memory of its own?" if game.misere else ""
        return f"Your function gives the answers of {other.ending}; this is {game.ending}.{more}"
    after = [game.play(state, move) for move in game.legal_moves(state)]
    lost = [child for child in after if not solution.wins[child]]
    if lost:
        return f"One move leads to {lost[0]}, and that is lost."
    if len(after) == 1:
        return f"The only move leads to {after[0]}, and that is won for the other side."
    return f"Every move leads to a state that is won for the other side, such as {after[0]}."


def _last(game: CoinGame) -> str:
    return "loses" if game.misere else "wins"


def _agrees(function, table) -> bool:
    """Whether a student's answers are those of a table, in all small states with coins."""
    try:
        return all(_truth(function(state)) == table[state] for state in product(range(3), repeat=3) if any(state))
    except Exception:  # noqa: BLE001 - only a guess is lost
        return False


def _calls(function, state: State, most: int) -> int:
    """How many Python functions are called until `function` answers; counting ends above `most`."""
    made = 0

    def count(frame, event, argument) -> None:
        nonlocal made
        made += event == "call"
        if made > most:
            raise _Enough

    before = sys.getprofile()
    sys.setprofile(count)  # for this thread alone
    try:
        call(function, (state,), _state(state))
    except _Enough:
        pass
    finally:
        sys.setprofile(before)
    return made


# --- the table of U, by hand --------------------------------------------------------------------------------


def u_table(table) -> None:
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
    """

    def judge() -> str:
        lines = _lines(table)
        solution = solve(three_piles(SIDE - 1, SIDE - 1, THIRD))
        for d, n in product(range(SIDE), repeat=2):
            _judge_place(lines[SIDE - 1 - d][n], (n, d, THIRD), solution)
        return f"Right, all {SIDE * SIDE} places."

    report(judge, judge)


def _lines(table) -> list[list[str]]:
    """The places as they stand, the top line first."""
    try:
        rows = table.splitlines() if isinstance(table, str) else list(table)
        lines = [row.split() if isinstance(row, str) else [str(place) for place in row] for row in rows]
    except (TypeError, AttributeError):
        raise Wrong(f"Give the check the table itself: expected four lines of text, got {shown(table)}.") from None
    lines = [line for line in lines if line]
    if [len(line) for line in lines] != [SIDE] * SIDE:
        lengths = ", ".join(str(len(line)) for line in lines) or "none"
        raise Wrong(f"Expected {SIDE} lines with {SIDE} places each, and spaces between them; got lines of {lengths}.")
    return lines


def _judge_place(place: str, state: State, solution) -> None:
    u = f"U{state}"
    if place == "?":
        raise Wrong(f"{u} is still open. From {state}, is there a move to a state where U is 0?")
    if place not in ("0", "1"):
        raise Wrong(f"{u} should be 0 or 1, got {place}.")
    if (place == "1") == bool(solution.wins[state]):
        return
    if place == "0":
        lost = solution.game.play(state, solution.best_moves(state)[0])
        raise Wrong(f"{u} should not be 0: a move leads to {lost}, where U is 0.")
    raise Wrong(f"{u} should not be 1: all {counted(len(_children(state)), 'move')} lead to states where U is 1.")


# --- the moves that win -------------------------------------------------------------------------------------


def winning_moves(function) -> None:
    """Try ``winning_moves(state)``, all moves that win three piles in normal play, and say how it did.

    Parameters
    ----------
    function : function (tuple of int) -> list of pairs
        The student's answer: pairs (pile, how many to take), in any order; an empty list where
        no move wins.

    Examples
    --------
    >>> winning_moves(lambda state: [(0, 1)])
    ✗ For the state (0, 0, 0) your function returned [(0, 1)]; expected []. No coin is left, so there is no move.
    """
    few = sorted(product(range(3), repeat=3), key=lambda state: (sum(state), state))
    states = [*few, (1, 2, 3), (3, 3, 1), (3, 3, 7), (5, 6, 2), (1, 4, 6), (3, 5, 6), (5, 5, 5)]

    def judge() -> str:
        for state in states:
            solution = solve(three_piles(*state))
            expected = [tuple(move) for move in solution.best_moves(state)]
            answer = call(function, (state,), _state(state))
            if not same(answer, expected, _pairs):
                raise Wrong(_words(state, answer, expected, _about_moves(solution, state, answer, expected)))
        return f"Right, for states with no winning move, with one and with three. ({len(states)} cases tried)"

    report(function, judge)


def _pairs(answer) -> list[tuple[int, int]]:
    return sorted((int(pile), int(count)) for pile, count in answer)


def _about_moves(solution, state: State, answer, expected: list[tuple]) -> str:
    if isinstance(answer, tuple) and answer in expected:
        return "Return a list of moves, also where there is only one."
    moves = _read(_pairs, answer)
    if moves is None:
        left = _read(_states, answer)
        after = [solution.game.play(state, move) for move in expected]
        if left == sorted(after):
            return "These are the states that the moves leave. A move is a pair: the pile, then how many to take."
        return "Return a list of pairs: the pile, then how many to take."
    if solution.game.is_over(state):
        return "No coin is left, so there is no move."
    left_over = [(pile, state[pile] - count) for pile, count in expected]
    if expected and moves == sorted(left_over):
        return "You say how many coins are left in the pile; say how many are taken."
    if expected and moves == sorted((pile + 1, count) for pile, count in expected):
        return "Piles are counted from 0."
    if expected and moves == sorted((count, pile) for pile, count in expected):
        return "The pile comes first, then how many to take."
    return _about_each(solution, state, moves, expected)


def _about_each(solution, state: State, moves: list[tuple], expected: list[tuple]) -> str:
    """What is wrong with the first move that is too much, or missing."""
    legal = [tuple(move) for move in solution.game.legal_moves(state)]
    for move in moves:
        if move not in legal:
            return f"{move} is not a legal move in {state}."
        if move not in expected:
            left = solution.game.play(state, move)
            return f"{move} leaves {left}, and that is won for the other side."
    missing = [move for move in expected if move not in moves]
    if missing:
        return f"{missing[0]} leaves {solution.game.play(state, missing[0])}, and that is lost for the other side."
    return "A move stands there twice."


# --- words --------------------------------------------------------------------------------------------------


def _state(state: State) -> str:
    return f"the state {state}"


def _words(state: State, answer, expected, hint: str) -> str:
    return refusal(_state(state), answer, expected, NO_RETURN if answer is None else hint)


def _read(read: Callable[[Any], Any], answer) -> Any:
    """The answer in the form that `read` gives it; None if it has no such form."""
    try:
        return read(answer)
    except Exception:  # noqa: BLE001 - an answer of a kind that nobody thought of
        return None
