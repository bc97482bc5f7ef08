"""The exercises of lesson 01: what each check says to the stub, the solution, another right answer and common mistakes."""

from itertools import product

import pytest
from exercises import Exercises, said

from coincourse import checks
from coincourse.checks.lesson_01 import _heard
from coinlib import SCENARIOS, Move

LESSON = Exercises("01_the_coin_game")
NAMES = ["takes", "legal_moves", "next_state", "winner", "heard"]


# --- stubs and solutions of the lesson itself

STUBS = {
    "takes": "✗ For a row of 1 and at most 1 a turn your function returned None; expected [1].",
    "legal_moves": "✗ For state (2,) and at most 2 a turn your function returned None; expected [(0, 1), (0, 2)].",
    "next_state": "✗ For state (2,) and Move(row=0, count=1) your function returned None; expected (1,).",
    "winner": "✗ For 1 turn in misère play your function returned None; expected 2.",
    "heard": "✗ For a row of 1, takes [1] and player 1 your function returned None; expected [1, 'LOSE'].",
}
RIGHT = {
    "takes": "✓ Right, for short rows, long rows and an empty row. (8 cases tried)",
    "legal_moves": "✓ Right, for one row, several rows and empty rows. (8 cases tried)",
    "next_state": "✓ Right, for every row, and the state that came in is as it was. (5 cases tried)",
    "winner": "✓ Right, in both endings. (12 cases tried)",
    "heard": "✓ Right, for both players, from one turn to five. (12 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    stub, solution = LESSON.cells(name)
    assert "solution" in solution.metadata.tags and "solution" not in stub.metadata.get("tags", [])
    names = {"check": checks}
    for cell, wanted in ((stub, f"{STUBS[name]} Does it hand its answer back with `return`?"), (solution, RIGHT[name])):
        if name == "legal_moves":  # builds on the exercise before
            exec(LESSON.cells("takes")[1].source, names)  # noqa: S102
            capsys.readouterr()
        exec(cell.source, names)  # noqa: S102
        assert capsys.readouterr().out.strip() == wanted
        assert cell.outputs[0].text.strip() == wanted


# --- other right answers


def moves_by_filter(state, max_pick):
    """All moves that can be named, less those that take too much; Move objects, in another order."""
    named = product(range(len(state)), range(max_pick, 0, -1))
    return [Move(row, count) for row, count in named if count <= state[row]]


def next_state_by_slices(state, move):
    row, count = move
    return state[:row] + (state[row] - count,) + state[row + 1 :]


def heard_by_slices(count, takes, player):
    """The States of one player, with PLAY between them and the last word after them."""
    states = [count - sum(takes[:turn]) for turn in range(player - 1, len(takes), 2)]
    if not states:
        return []
    last_word = "LOSE" if len(takes) % 2 == player % 2 else "WIN"
    return [word for state in states for word in (state, "PLAY")][:-1] + [last_word]


OTHERS = {
    "takes": lambda count, max_pick: [take for take in range(1, max_pick + 1) if take <= count],
    "legal_moves": moves_by_filter,
    "next_state": next_state_by_slices,
    "winner": lambda turns, misere: 1 + (turns + (not misere)) % 2,
    "heard": heard_by_slices,
}


@pytest.mark.parametrize("name", NAMES)
def test_another_right_answer(name, capsys):
    assert said(capsys, name, OTHERS[name]) == RIGHT[name]


def test_a_range_or_a_tuple_is_as_good_as_a_list(capsys):
    assert said(capsys, "takes", lambda count, most: range(1, min(count, most) + 1)) == RIGHT["takes"]
    assert said(capsys, "legal_moves", lambda *given: tuple(map(list, moves_by_filter(*given)))) == RIGHT["legal_moves"]


# --- mistakes


def test_the_right_takes_in_another_order(capsys):
    assert said(capsys, "takes", lambda count, most: list(range(min(count, most), 0, -1))) == (
        "✗ For a row of 2 and at most 3 a turn your function returned [2, 1]; expected [1, 2]. "
        "All takes are there. Only the order is wrong: the smallest comes first."
    )


def rows_and_takes(state, max_pick, first=0):
    return [(row, k) for row, held in enumerate(state, first) for k in range(1, min(held, max_pick) + 1)]


def return_in_the_loop(state, max_pick):
    for row, held in enumerate(state):
        return [(row, k) for k in range(1, min(held, max_pick) + 1)]


def list_begun_anew(state, max_pick):
    for row, held in enumerate(state):
        moves = [(row, k) for k in range(1, min(held, max_pick) + 1)]
    return moves


def change_in_place(state, move):
    state[move.row] -= move.count
    return state


def a_list(state, move):
    counts = list(state)
    counts[move.row] -= move.count
    return counts


def every_row(state, move):
    return tuple(held - move.count for held in state)


def own_states(count, takes, player):
    """After the player's own move, not before it."""
    return [count - sum(takes[: turn + 1]) for turn in range(player - 1, len(takes), 2)] or []


def every_state(count, takes, player):
    return [count - sum(takes[:turn]) for turn in range(len(takes))] if len(takes) >= player else []


TAKE = "✗ For a row of {} and at most {} a turn your function returned {}; expected {}."
MOVES = "✗ For state {} and at most {} a turn your function returned {}; expected {}."
NEXT = "✗ For state {} and {} your function returned {}; expected {}."
WHO = "✗ For {} play your function returned {}; expected {}."
HEARD = "✗ For a row of {}, takes {} and player {} your function returned {}; expected {}."
LAST = "The largest legal take"
STOPS = "range(1, n) stops before n."
HEADLESS = "A Result came before the first State: there is none before a player's first Action."
DOUBLE = "One Result too many: PLAY comes after the other player's move, just before the next State."

MISTAKES = {
    "takes": [
        (
            lambda count, most: list(range(1, min(count, most))),
            TAKE.format(1, 1, "[]", "[1]") + f" {LAST}, 1, is missing: {STOPS}",
        ),
        (
            lambda count, most: list(range(1, most + 1)),
            TAKE.format(1, 3, "[1, 2, 3]", "[1]") + " There is no second coin to take.",
        ),
        (
            lambda count, most: list(range(1, count + 1)),
            TAKE.format(5, 2, "[1, 2, 3, 4, 5]", "[1, 2]") + " One turn takes at most 2.",
        ),
        (
            lambda count, most: list(range(min(count, most) + 1)),
            TAKE.format(1, 1, "[0, 1]", "[1]") + " To take 0 coins is not a move: each turn takes at least one.",
        ),
        (min, TAKE.format(1, 1, "1", "[1]") + " Return a list of every legal take, also where there is only one."),
        (
            lambda count, most: [take for take in range(1, most + 1) if take <= count] or [1],
            TAKE.format(0, 3, "[1]", "[]") + " There is no first coin to take.",
        ),
    ],
    "legal_moves": [
        (
            lambda state, most: [(row, k) for row, held in enumerate(state) for k in range(1, min(held, most))],
            MOVES.format("(2,)", 2, "[(0, 1)]", "[(0, 1), (0, 2)]") + f" {LAST} of a row is missing: {STOPS}",
        ),
        (
            lambda state, most: [(row, k) for row in range(len(state)) for k in range(1, most + 1)],
            MOVES.format("(1, 2)", 2, "[(0, 1), (0, 2), (1, 1), (1, 2)]", "[(0, 1), (1, 1), (1, 2)]")
            + " Row 0 holds 1 coin: there is no second coin to take.",
        ),
        (
            lambda state, most: [(row, k) for row, held in enumerate(state) for k in range(1, held + 1)],
            MOVES.format("(3,)", 2, "[(0, 1), (0, 2), (0, 3)]", "[(0, 1), (0, 2)]") + " One turn takes at most 2.",
        ),
        (
            lambda state, most: [(k, row) for row, k in rows_and_takes(state, most)],
            MOVES.format("(2,)", 2, "[(1, 0), (2, 0)]", "[(0, 1), (0, 2)]") + " The row comes first, then the count.",
        ),
        (
            lambda state, most: rows_and_takes(state, most, first=1),
            MOVES.format("(2,)", 2, "[(1, 1), (1, 2)]", "[(0, 1), (0, 2)]") + " Rows are counted from 0.",
        ),
        (
            return_in_the_loop,
            MOVES.format("(1, 2)", 2, "[(0, 1)]", "[(0, 1), (1, 1), (1, 2)]")
            + " Row 1 has moves too. Does `return` stand inside the loop, or does the list begin anew?",
        ),
        (
            list_begun_anew,
            MOVES.format("(1, 2)", 2, "[(1, 1), (1, 2)]", "[(0, 1), (1, 1), (1, 2)]")
            + " Row 0 has moves too. Does `return` stand inside the loop, or does the list begin anew?",
        ),
        (
            lambda state, most: [k for _, k in rows_and_takes(state, most)],
            MOVES.format("(2,)", 2, "[1, 2]", "[(0, 1), (0, 2)]")
            + " Each move is a pair: the row, then how many coins.",
        ),
    ],
    "next_state": [
        (
            change_in_place,
            f"✗ For state (2,) and {Move(0, 1)} your function raised TypeError: 'tuple' object does not support item "
            + "assignment. A tuple cannot be changed in place: build a new one.",
        ),
        (
            a_list,
            NEXT.format("(2,)", Move(0, 1), "[1]", "(1,)")
            + " The counts are right, but a state is a tuple: return tuple(...) of your list.",
        ),
        (
            lambda state, move: state[move.row] - move.count,
            NEXT.format("(2,)", Move(0, 1), "1", "(1,)") + " A state holds every row, not one count alone.",
        ),
        (
            every_row,
            NEXT.format("(1, 2)", Move(1, 2), "(-1, 0)", "(1, 0)")
            + " Only row 1 loses coins; the other rows stay as they are.",
        ),
        (
            lambda state, move: state,
            NEXT.format("(2,)", Move(0, 1), "(2,)", "(1,)") + " Nothing was taken: this is still the old state.",
        ),
        (
            lambda state, move: tuple(held for held in next_state_by_slices(state, move) if held),
            NEXT.format("(1, 2)", Move(1, 2), "(1,)", "(1, 0)")
            + " A state holds one count for every row, an empty row too.",
        ),
        (
            lambda state, move: state[: move.row] + (state[move.row] + move.count,) + state[move.row + 1 :],
            NEXT.format("(2,)", Move(0, 1), "(3,)", "(1,)")
            + " There are more coins than before: a move takes coins away.",
        ),
    ],
    "winner": [
        (
            lambda turns, misere: 2 - turns % 2,
            WHO.format("1 turn in misère", 1, 2)
            + " Player 1 took the last coin, and that loses. You have normal play right each time and misère play wrong "
            "each time: does your function look at `misere`?",
        ),
        (
            lambda turns, misere: 1 + turns % 2,
            WHO.format("1 turn in normal", 2, 1)
            + " Player 1 took the last coin, and that wins. You have misère play right each time and normal play wrong "
            "each time: does your function look at `misere`?",
        ),
        (
            lambda turns, misere: 1 + (turns + misere) % 2,
            WHO.format("1 turn in misère", 1, 2)
            + " Player 1 took the last coin, and that loses. You always name the other player. Are the two endings "
            "exchanged, or the two players?",
        ),
        (
            lambda turns, misere: 1,
            WHO.format("1 turn in misère", 1, 2) + " Player 1 took the last coin, and that loses.",
        ),
        (
            lambda turns, misere: turns % 2 == 0,
            WHO.format("1 turn in misère", False, 2) + " Return the number of the player: 1 or 2.",
        ),
    ],
    "heard": [
        (
            lambda *game: _heard(*game, at_once=True),
            HEARD.format(1, [1], 1, "[1, 'PLAY', 'LOSE']", "[1, 'LOSE']") + f" {DOUBLE}",
        ),
        (
            lambda *game: _heard(*game, misere=False),
            HEARD.format(1, [1], 1, "[1, 'WIN']", "[1, 'LOSE']")
            + " This is misère play: who takes the last coin hears LOSE.",
        ),
        (
            lambda *game: _heard(*game)[:-1],
            HEARD.format(1, [1], 1, "[1]", "[1, 'LOSE']")
            + " At the end WIN or LOSE goes to each player that has moved.",
        ),
        (
            lambda *game: heard_by_slices(*game) or ["WIN"],
            HEARD.format(1, [1], 2, "['WIN']", "[]")
            + " Player 2 never moved, so nothing is heard: no State, and no Result.",
        ),
        (
            lambda *game: ["PLAY"] + heard_by_slices(*game),
            HEARD.format(1, [1], 1, "['PLAY', 1, 'LOSE']", "[1, 'LOSE']") + f" {HEADLESS}",
        ),
        (
            lambda *game: [word for word in heard_by_slices(*game) if word != "PLAY"],
            HEARD.format(4, [1, 2, 1], 1, "[4, 1, 'LOSE']", "[4, 'PLAY', 1, 'LOSE']")
            + " Between two States of one player stands one Result, PLAY.",
        ),
        (
            lambda *game: own_states(*game) + heard_by_slices(*game)[-1:],
            HEARD.format(1, [1], 1, "[0, 'LOSE']", "[1, 'LOSE']")
            + " A State is what is there before the player's own Action, not after it.",
        ),
        (
            lambda *game: every_state(*game) + heard_by_slices(*game)[-1:],
            HEARD.format(2, [1, 1], 1, "[2, 1, 'WIN']", "[2, 'WIN']")
            + " A player hears a State only when it is that player's turn.",
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in NAMES for number in range(len(MISTAKES[name]))]
)
def test_a_mistake_is_named(name, number, capsys):
    function, words = MISTAKES[name][number]
    assert said(capsys, name, function) == words


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", [3.5, "1", [[]], {"row": 1}, object, [None], [(1, 2, 3)], ["PLAY", None], True])
def test_nonsense_is_refused_in_words(name, answer, capsys):
    words = said(capsys, name, lambda *given: answer)
    assert words.startswith("✗ For ") and "Traceback" not in words


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_raises_is_said_to_do_so(name, capsys):
    assert "your function raised ZeroDivisionError" in said(capsys, name, lambda *given: 1 / 0)


# --- what the lesson states


def test_the_table_of_the_lesson():
    names = {}
    wanted = (
        "from coinlib import CoinGame",
        "SCENARIOS, IllegalMove",
        "import solve",
        "import pandas",
        "def winning_first",
    )
    for part in wanted:
        source = next(cell.source for cell in LESSON.code if part in cell.source)
        exec(source.partition("\nBoard")[0].partition("\nfor misere")[0], names)  # noqa: S102
    assert names["table"].to_numpy().tolist() == [
        ["21", 2, "first", "(0,2)", "second"],
        ["21", 3, "second", "none", "first"],
        ["21, 21", 2, "first", "(0,2) (1,2)", "second"],
        ["21, 21", 3, "first", "(0,1) (1,1)", "second"],
        ["1, 3, 5, 7", 2, "first", "(1,1) (2,1)", "first"],
        ["1, 3, 5, 7", 7, "second", "none", "second"],
    ]
    assert list(names["table"].index) == list(SCENARIOS)
