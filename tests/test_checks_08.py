"""The exercises of lesson 08: what each check says to the stub, the solution, another right answer and common mistakes."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from exercises import Exercises, said

from coincourse import checks
from coinlib.games import Move
from coinlib.theory import nim_sum

LESSON = Exercises("08_game_trees_and_three_piles", {"u_table": "my_table"})
NAMES = ["children", "size_of_tree", "wins", "winning_moves", "misere_wins"]
NEEDS = {  # what an exercise builds on
    "children": [],
    "size_of_tree": ["children"],
    "wins": ["children"],
    "winning_moves": ["children", "wins"],
    "misere_wins": ["children"],
}


def solutions(*names):
    """What the lesson's own solutions define; nothing is printed."""
    found = {}
    for name in names:
        found[name] = LESSON.solution(name, **found)
    return found


# --- stubs and solutions of the lesson itself

BACK = "Does it hand its answer back with `return`?"
STUBS = {
    "children": f"✗ For the state (0, 0, 0) your function returned None; expected []. {BACK}",
    "size_of_tree": f"✗ For the state (0, 0, 0) your function returned None; expected 1. {BACK}",
    "wins": f"✗ For the state (0, 0, 0) your function returned None; expected False. {BACK}",
    "winning_moves": f"✗ For the state (0, 0, 0) your function returned None; expected []. {BACK}",
    "misere_wins": f"✗ For the state (0, 0, 0) your function returned None; expected True. {BACK}",
}
RIGHT = {
    "children": "✓ Right, for empty piles, small piles and large ones. (8 cases tried)",
    "size_of_tree": "✓ Right, from a single node to 550. (9 cases tried)",
    "wins": "✓ Right, and each state is worked out only once. (125 cases tried)",
    "winning_moves": "✓ Right, for states with no winning move, with one and with three. (34 cases tried)",
    "misere_wins": "✓ Right, in misère play. (125 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name], **solutions(*NEEDS[name]))


def test_the_table_of_the_lesson_as_it_stands_and_filled(capsys):
    open_place = "✗ U(0, 0, 1) is still open. From (0, 0, 1), is there a move to a state where U is 0?"
    LESSON.check_cells(capsys, "u_table", open_place, "✓ Right, all 16 places.")


# --- other right answers


def children(state):
    """By the numbers that are taken, the last pile first."""
    for pile in (2, 1, 0):
        for take in range(1, state[pile] + 1):
            left = list(state)
            left[pile] -= take
            yield tuple(left)


@cache
def size(state):
    return 1 + sum(size(child) for child in children(state))


@cache
def u(state):
    """1 and 0, and a memory that is not a dictionary of one's own."""
    return 1 if 0 in {u(child) for child in children(state)} else 0


def moves_by_nim_sum(state):
    total = nim_sum(*state)
    return {Move(pile, held - (held ^ total)) for pile, held in enumerate(state) if held ^ total < held}


def misere_by_nim_sum(state):
    return np.bool_((nim_sum(*state) == 0) if max(state) <= 1 else (nim_sum(*state) != 0))


OTHERS = {
    "children": [lambda state: list(children(state)), lambda state: set(children(state))],
    "size_of_tree": [size, lambda state: np.int64(size(state))],
    "wins": [u, lambda state: nim_sum(*state) != 0, lambda state: np.bool_(nim_sum(*state) != 0)],
    "winning_moves": [moves_by_nim_sum, lambda state: [list(move) for move in moves_by_nim_sum(state)]],
    "misere_wins": [misere_by_nim_sum],
}


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in NAMES for number in range(len(OTHERS[name]))])
def test_another_right_answer_is_right(name, number, capsys):
    assert said(capsys, name, OTHERS[name][number]) == RIGHT[name]


@pytest.mark.parametrize("form", [str, list, np.array])
def test_the_table_may_have_another_form(form, capsys):
    rows = [[int(nim_sum(n, d, 1) != 0) for n in range(4)] for d in (3, 2, 1, 0)]
    table = "\n".join("   ".join(map(str, row)) for row in rows) if form is str else form(rows)
    assert said(capsys, "u_table", table) == "✓ Right, all 16 places."


# --- mistakes


def pile_left(state, pile, left):
    return (*state[:pile], left, *state[pile + 1 :])


def only_the_first_pile(state):
    for pile, held in enumerate(state):
        return [pile_left(state, pile, left) for left in range(held)]


def only_the_last_pile(state):
    for pile, held in enumerate(state):
        found = [pile_left(state, pile, left) for left in range(held)]
    return found


def from_every_pile(state):
    return [tuple(max(0, held - take) for held in state) for take in range(1, max(state) + 1)]


def leaves(state):
    return sum(map(leaves, children(state))) if any(state) else 1


def without_leaves(state):
    return 1 + sum(map(without_leaves, children(state))) if any(state) else 0


def one_level(state):
    return 1 + len(list(children(state)))


def levels(state):
    return 1 + max(map(levels, children(state)), default=0)


def states_below(state):
    return int(np.prod([held + 1 for held in state]))


def forgets(state):
    return any(not forgets(child) for child in children(state))


def forgets_in_a_list(state):  # as wins_by_tree of the lesson: every child is looked at
    return False in [forgets_in_a_list(child) for child in children(state)]


def forgets_what_it_writes(state):
    memory = {}  # a new one for every call
    if state not in memory:
        memory[state] = any(not forgets_what_it_writes(child) for child in children(state))
    return memory[state]


def some_child_wins(state):
    return any(some_child_wins(child) for child in children(state))


def all_children_lose(state):
    return all(not all_children_lose(child) for child in children(state))


def one_memory_for_both(memory):
    """Misère play, with the memory that normal play has filled."""

    def misere_wins(state):
        if not any(state):
            return True
        if state not in memory:
            memory[state] = any(not misere_wins(child) for child in children(state))
        return memory[state]

    return misere_wins


def calls_the_other(state):
    return True if not any(state) else any(not u(child) for child in children(state))


def moves(state):
    return sorted(tuple(move) for move in moves_by_nim_sum(state))


def after(state):
    return [pile_left(state, pile, state[pile] - take) for pile, take in moves(state)]


FOR = "✗ For the state {} your function returned {}; expected {}. {}"
MISTAKES = {
    "children": [
        (
            lambda state: [pile_left(state, pile, held - 1) for pile, held in enumerate(state) if held],
            ("(0, 2, 0)", "[(0, 1, 0)]", "[(0, 1, 0), (0, 0, 0)]", "A move may take more than one coin from its pile."),
        ),
        (
            lambda state: [pile_left(state, pile, left) for pile, held in enumerate(state) for left in range(1, held)],
            ("(1, 0, 0)", "[]", "[(0, 0, 0)]", "(0, 0, 0) is missing: a move may take the whole pile."),
        ),
        (
            lambda state: [pile_left(state, pile, left) for pile, k in enumerate(state) for left in range(k + 1)],
            (
                "(0, 0, 0)",
                "[(0, 0, 0), (0, 0, 0), (0, 0, 0)]",
                "[]",
                "(0, 0, 0) is the state itself: each move takes at least one coin.",
            ),
        ),
        (
            lambda state: [pile_left(state, 0, state[0] - take) for take in (1, 2)] if state[0] else [],
            (
                "(1, 0, 0)",
                "[(0, 0, 0), (-1, 0, 0)]",
                "[(0, 0, 0)]",
                "In (-1, 0, 0) more coins are gone than there were.",
            ),
        ),
        (
            only_the_first_pile,
            (
                "(0, 2, 0)",
                "[]",
                "[(0, 1, 0), (0, 0, 0)]",
                "Pile 1 has moves too. Does `return` stand inside the loop, or does the list begin anew with each pile?",
            ),
        ),
        (
            only_the_last_pile,
            ("(1, 0, 0)", "[]", "[(0, 0, 0)]", "(0, 0, 0) is missing: a move may take the whole pile."),
        ),
        (
            from_every_pile,
            (
                "(0, 1, 1)",
                "[(0, 0, 0)]",
                "[(0, 0, 1), (0, 1, 0)]",
                "To come to (0, 0, 0) one has to take coins from more than one pile.",
            ),
        ),
        (
            lambda state: [list(child) for child in children(state)],
            (
                "(1, 0, 0)",
                "[[0, 0, 0]]",
                "[(0, 0, 0)]",
                "A state is a tuple, not a list: it must serve as a key of a dictionary.",
            ),
        ),
        (
            lambda state: [(pile, take) for pile, held in enumerate(state) for take in range(1, held + 1)],
            ("(1, 0, 0)", "[(0, 1)]", "[(0, 0, 0)]", "Return a list of states; each is a tuple of three counts."),
        ),
        (
            lambda state: [*children(state), *list(children(state))[:1]],
            ("(1, 0, 0)", "[(0, 0, 0), (0, 0, 0)]", "[(0, 0, 0)]", "A child stands there twice."),
        ),
        (
            lambda state: [pile_left(state, 0, 5)] if any(state) else [],
            ("(1, 0, 0)", "[(5, 0, 0)]", "[(0, 0, 0)]", "(5, 0, 0) has more coins than before."),
        ),
    ],
    "size_of_tree": [
        (
            lambda state: size(state) - 1,
            ("(0, 0, 0)", 0, 1, "The state itself is a node, also where no move is left."),
        ),
        (without_leaves, ("(0, 0, 0)", 0, 1, "The state itself is a node, also where no move is left.")),
        (leaves, ("(1, 0, 0)", 1, 2, "That is the number of leaves. The nodes above them count as well.")),
        (
            one_level,
            ("(2, 0, 0)", 3, 4, "That is the state and its children. Each child has a tree of its own below it."),
        ),
        (
            states_below,
            (
                "(2, 0, 0)",
                3,
                4,
                "So many different states there are. In the tree a state counts each time it stands there.",
            ),
        ),
        (
            levels,
            ("(2, 0, 0)", 3, 4, "That is the state and its children. Each child has a tree of its own below it."),
        ),
        (
            lambda state: [size(state)],
            ("(0, 0, 0)", "[1]", 1, "Return one whole number."),
        ),
    ],
    "wins": [
        (some_child_wins, ("(0, 0, 1)", False, True, "One move leads to (0, 0, 0), and that is lost.")),
        (
            all_children_lose,
            (
                "(0, 0, 0)",
                True,
                False,
                "No coin is left: the other side took the last one, and in normal play that wins.",
            ),
        ),
        (
            misere_by_nim_sum,
            (
                "(0, 0, 0)",
                "np.True_",
                False,
                "No coin is left: the other side took the last one, and in normal play that wins.",
            ),
        ),
        (
            lambda state: any(state) and misere_by_nim_sum(state),
            (
                "(0, 0, 1)",
                "np.False_",
                True,
                "Your function gives the answers of misère play; this is normal play.",
            ),
        ),
        (
            lambda state: any(state),
            (
                "(0, 1, 1)",
                True,
                False,
                "Every move leads to a state that is won for the other side, such as (0, 0, 1).",
            ),
        ),
        (lambda state: "won" if u(state) else "lost", ("(0, 0, 0)", "'lost'", False, "Return True or False.")),
        (lambda state: 2 - u(state), ("(0, 0, 0)", "2", False, "Return True or False.")),
    ],
    "winning_moves": [
        (
            lambda state: moves(state) or [(0, 1)],
            ("(0, 0, 0)", "[(0, 1)]", "[]", "No coin is left, so there is no move."),
        ),
        (
            lambda state: moves(state) or ([(2, 1)] if any(state) else []),
            ("(0, 1, 1)", "[(2, 1)]", "[]", "(2, 1) leaves (0, 1, 0), and that is won for the other side."),
        ),
        (
            lambda state: [(pile, state[pile] - take) for pile, take in moves(state)],
            (
                "(0, 0, 1)",
                "[(2, 0)]",
                "[(2, 1)]",
                "You say how many coins are left in the pile; say how many are taken.",
            ),
        ),
        (
            after,
            (
                "(0, 0, 1)",
                "[(0, 0, 0)]",
                "[(2, 1)]",
                "These are the states that the moves leave. A move is a pair: the pile, then how many to take.",
            ),
        ),
        (
            lambda state: [(pile + 1, take) for pile, take in moves(state)],
            ("(0, 0, 1)", "[(3, 1)]", "[(2, 1)]", "Piles are counted from 0."),
        ),
        (
            lambda state: [(take, pile) for pile, take in moves(state)],
            ("(0, 0, 1)", "[(1, 2)]", "[(2, 1)]", "The pile comes first, then how many to take."),
        ),
        (
            lambda state: moves(state)[:1],
            (
                "(1, 1, 1)",
                "[(0, 1)]",
                "[(0, 1), (1, 1), (2, 1)]",
                "(1, 1) leaves (1, 0, 1), and that is lost for the other side.",
            ),
        ),
        (
            lambda state: moves(state)[0] if moves(state) else [],
            ("(0, 0, 1)", "(2, 1)", "[(2, 1)]", "Return a list of moves, also where there is only one."),
        ),
        (
            lambda state: [(2, 5)] if any(state) else [],
            ("(0, 0, 1)", "[(2, 5)]", "[(2, 1)]", "(2, 5) is not a legal move in (0, 0, 1)."),
        ),
        (
            lambda state: moves(state) * 2,
            ("(0, 0, 1)", "[(2, 1), (2, 1)]", "[(2, 1)]", "A move stands there twice."),
        ),
        (
            lambda state: len(moves(state)),
            ("(0, 0, 0)", "0", "[]", "Return a list of pairs: the pile, then how many to take."),
        ),
    ],
    "misere_wins": [
        (
            u,
            (
                "(0, 0, 0)",
                0,
                True,
                "No coin is left: the other side took the last one, and in misère play that loses.",
            ),
        ),
        (
            calls_the_other,
            (
                "(0, 0, 1)",
                True,
                False,
                (
                    "Your function gives the answers of normal play; this is misère play. "
                    "Does it call itself, and has it a memory of its own?"
                ),
            ),
        ),
        (
            one_memory_for_both({state: bool(u(state)) for state in product(range(5), repeat=3)}),
            (
                "(0, 0, 1)",
                True,
                False,
                (
                    "Your function gives the answers of normal play; this is misère play. "
                    "Does it call itself, and has it a memory of its own?"
                ),
            ),
        ),
        (
            lambda state: True,
            ("(0, 0, 1)", True, False, "The only move leads to (0, 0, 0), and that is won for the other side."),
        ),
        (
            lambda state: sum(state) != 1,
            (
                "(1, 1, 1)",
                True,
                False,
                "Every move leads to a state that is won for the other side, such as (0, 1, 1).",
            ),
        ),
        (
            lambda state: sum(state) % 2 == 0,
            ("(0, 0, 3)", False, True, "One move leads to (0, 0, 1), and that is lost."),
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in NAMES for number in range(len(MISTAKES[name]))]
)
def test_a_mistake_is_explained(name, number, capsys):
    answer, words = MISTAKES[name][number]
    assert said(capsys, name, answer) == FOR.format(*words)


@pytest.mark.parametrize("answer", [forgets, forgets_in_a_list, forgets_what_it_writes])
def test_an_answer_without_a_memory_is_right_for_small_piles_only(answer, capsys):
    assert said(capsys, "wins", answer) == (
        "✗ Small piles are right. But for (7, 8, 15) your function needed more than 300,000 calls, though only 1,152 "
        "states are below it. Look into the memory before you work out a state, and write into it afterwards."
    )


def test_a_search_without_end_is_given_up(capsys, monkeypatch):
    def endless(state):
        while True:
            pass

    monkeypatch.setattr(checks.core, "SECONDS", 0.2)
    assert said(capsys, "wins", endless).startswith("✗ Your function gave no answer within 0.2 seconds.")


TABLES = [
    ("0 0 0 0\n" * 4, "✗ U(0, 0, 1) should not be 0: a move leads to (0, 0, 0), where U is 0."),
    ("1 1 1 1\n" * 4, "✗ U(1, 0, 1) should not be 1: all 2 moves lead to states where U is 1."),
    (
        "1 1 0 1\n1 1 1 0\n0 1 1 1\n1 0 ? 1",
        "✗ U(2, 0, 1) is still open. From (2, 0, 1), is there a move to a state where U is 0?",
    ),
    ("1 0 1 1\n0 1 1 1\n1 1 1 0\n1 1 0 1", "✗ U(1, 0, 1) should not be 1: all 2 moves lead to states where U is 1."),
    ("1 1 0 1\n1 1 0 1\n0 1 1 1\n1 0 1 1", "✗ U(2, 2, 1) should not be 0: a move leads to (2, 2, 0), where U is 0."),
    ("1 1 0 1\n1 1 1 0\n0 1 1 1\n1 0 2 1", "✗ U(2, 0, 1) should be 0 or 1, got 2."),
    ("1 1 0\n1 1 1 0", "✗ Expected 4 lines with 4 places each, and spaces between them; got lines of 3, 4."),
    ("", "✗ Expected 4 lines with 4 places each, and spaces between them; got lines of none."),
    (
        "1101\n1110\n0111\n1011",
        "✗ Expected 4 lines with 4 places each, and spaces between them; got lines of 1, 1, 1, 1.",
    ),
    (None, "✗ Give the check the table itself: expected four lines of text, got None."),
]


@pytest.mark.parametrize(("table", "words"), TABLES)
def test_a_mistake_in_the_table_is_named(table, words, capsys):
    assert said(capsys, "u_table", table) == words


@pytest.mark.parametrize("name", NAMES)
def test_an_error_and_a_thing_that_is_no_function_are_said_in_words(name, capsys):
    assert said(capsys, name, lambda state: state[3]).startswith(
        "✗ For the state (0, 0, 0) your function raised IndexError: "
    )
    assert said(capsys, name, 3) == "✗ Give the check a function, without brackets: expected a function, got 3."
