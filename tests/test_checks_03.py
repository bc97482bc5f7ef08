"""The exercises of lesson 03: what each check says to the stub, the solution, another right answer and common mistakes."""

import pytest
from exercises import Exercises, said

from coincourse import checks
from coincourse.checks import core
from coinlib import SCENARIOS, CoinGame, PerfectAgent, agents, evaluate, play_match

ANSWERS = {
    "found_rule": "found",
    "beats_random": "my_rule",
    "counter": "my_counter",
    "mirror": "my_mirror",
    "misere_mirror": "mended",
}
LESSON = Exercises("03_rules", ANSWERS)
NAMES = list(ANSWERS)


# --- stubs and solutions of the lesson itself

STUBS = {
    "found_rule": "✗ With 3 coins the stranger takes 2; your rule takes 1. They agree for 11 of the 21 counts.",
    "beats_random": "✗ In normal play your rule won 41.0 % of 500 games (95 % interval 36.8 % to 45.4 %); 70 % are "
    "wanted. A lost game: With 8 coins left you take 1 and leave 7, random play takes 3 and leaves 4, you take 1 and "
    "leave 3, random play takes 3 and leaves 0. Normal play: random play took the last coin and wins. With 2 coins "
    "left your rule takes 1. To take 2 would win at once: this is normal play, who takes the last coin wins.",
    "counter": "✗ Moving first, your rule loses to the stranger. With 8 coins left the stranger takes 1 and leaves 7, "
    "you take 1 and leave 6, the stranger takes 1 and leaves 5, you take 1 and leave 4, the stranger takes 1 and "
    "leaves 3, you take 1 and leave 2, the stranger takes 1 and leaves 1, you take 1 and leave 0. Misère play: you "
    "took the last coin and lose.",
    "mirror": "✗ From rows (2, 2), at most 3 a turn, normal play, the first player can bring your rule to (0, 2). It "
    "then takes 1 from row 1 and leaves (0, 1). The other side takes 1 from row 1, the last coin, and wins.",
    "misere_mirror": "✗ From rows (21, 21), at most 3 a turn, misère play, the second player can bring your rule to "
    "(0, 2). It then takes 2 from row 1 and leaves (0, 0). That was the last coin, and it loses.",
}
RIGHT = {
    "found_rule": "✓ Right: your rule does what the stranger does. (21 cases tried)",
    "beats_random": "✓ Right: your rule won 90.0 % of 500 games (95 % interval 87.1 % to 92.3 %). A lost game: With 8 "
    "coins left you take 1 and leave 7, random play takes 3 and leaves 4, you take 1 and leave 3, random play takes 3 "
    "and leaves 0. Normal play: random play took the last coin and wins.",
    "counter": "✓ Right: your rule beats the stranger in misère play, moving first and moving second.",
    "mirror": "✓ Right: moving second, your rule wins every game on equal rows in normal play. (416 states tried)",
    "misere_mirror": "✓ Right: moving first, your rule wins every game of DOUBLE_21_3 in misère play. "
    "(277 states tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name], take_one=agents.take_one, mirror=agents.mirror)


# --- other right answers


def leave_odd(game, state):
    """The stranger's rule, thought of as what is left rather than as what is taken."""
    return next((move for move in game.legal_moves(state) if (state[0] - move.count) % 2 == 1), (0, 1))


def complete_to_four(game, state):
    """DOUBLE_21_3 in misère play without remainders in pairs: make each take up to four, in the same row."""
    top, bottom = (count % 4 for count in state)
    if (top, bottom) == (1, 1):
        return (0, 1)
    if (top, bottom) == (0, 0):
        return (0, 3) if state[0] else (1, 3)
    row = 0 if top > 1 else 1
    other = bottom if row == 0 else top
    return (row, state[row] % 4 - (1 - other))


def least_then_all(game, state):
    """The mirror by a search of the legal moves."""
    return next(move for move in game.legal_moves(state) if len(set(game.play(state, move))) == 1)


@pytest.mark.parametrize(
    "name, function, words",
    [
        ("found_rule", leave_odd, "✓ Right: your rule does what the stranger does. (21 cases tried)"),
        ("found_rule", lambda game, state: agents.Move(0, [1, 1, 2][min(state[0], 2 + state[0] % 2) - 1]), "✓ Right"),
        (
            "beats_random",
            agents.leave_multiple,
            "✓ Right: your rule won 100.0 % of 500 games (95 % interval 99.2 % to 100.0 %). It lost none of them.",
        ),
        ("beats_random", PerfectAgent(seed=1), "✓ Right: your rule won 99.8 % of 500 games"),
        ("counter", agents.leave_multiple, RIGHT["counter"]),
        ("counter", agents.closed_form, RIGHT["counter"]),
        ("mirror", least_then_all, RIGHT["mirror"]),
        ("mirror", agents.closed_form, "✓ Right: moving second, your rule wins every game on equal rows"),
        ("misere_mirror", agents.closed_form, RIGHT["misere_mirror"]),
        ("misere_mirror", complete_to_four, "✓ Right: moving first, your rule wins every game of DOUBLE_21_3"),
    ],
)
def test_other_right_answers(name, function, words, capsys):
    assert said(capsys, name, function).startswith(words)


# --- what people get wrong


def three_then_one(game, state):
    return 3 if state[0] > 3 else 1


def no_end(game, state):
    if state[0] > 3:
        return 1


def two(game, state):
    return 2


def careful_two(game, state):
    return 2 if state[0] > 2 else 1


def misere_habit(game, state):
    """Leaves one more than a multiple of four, whatever the ending."""
    return (state[0] - 1) % 4 or 1


def wrong_row(game, state):
    return (int(state[0] > state[1]), abs(state[0] - state[1]))


def take_one_first(game, state):
    """Takes one coin, and then mirrors: the first repair that comes to mind."""
    return (0, 1) if state[0] == state[1] else agents.mirror(game, state)


def by_the_total(game, state):
    return agents.leave_multiple(game, state)


WRONG = [
    ("found_rule", two, "✗ For 1 coin your function returned 2, which is illegal: row 0 holds 1 coin"),
    ("found_rule", three_then_one, "✗ With 3 coins the stranger takes 2; your rule takes 1. They agree for 2 of"),
    ("found_rule", lambda game, state: 1 + state[0] % 2, "✗ For 1 coin your function returned 2, which is illegal"),
    (
        "found_rule",
        lambda game, state: 1 + state % 2,
        (
            "✗ For 1 coin your function raised TypeError: unsupported operand type(s) for %: 'tuple' and 'int'. "
            "The state is a tuple: its count is `state[0]`."
        ),
    ),
    (
        "found_rule",
        lambda count: 1,
        (
            "✗ For 1 coin your function raised TypeError: <lambda>() takes 1 positional argument but 2 were given. "
            "A rule is asked with two things: the game, then the state."
        ),
    ),
    (
        "counter",
        lambda game, state: "1",
        (
            "✗ For 21 coins your function returned '1', which is illegal: expected a Move(row, count) or a number of "
            "coins, got '1'. That is a text, in quotes. Return the number itself."
        ),
    ),
    (
        "mirror",
        lambda game, state: (0, state[0] - state[1]),
        (
            "✗ For rows (0, 1) your function returned (0, -1), which is illegal: row 0 holds 0 coins; asked to take -1 "
            "(legal: nothing). Row 0 is the shorter row here; rows are counted from 0."
        ),
    ),
    ("found_rule", lambda game, state: state, "✗ For 1 coin your function returned (1,), which is illegal: expected a"),
    ("beats_random", agents.take_most, "✗ In normal play your rule won 63.8 % of 500 games (95 % interval 59.5 % to"),
    ("beats_random", no_end, "✗ For 2 coins your function returned None; expected a move."),
    ("beats_random", two, "✗ For 1 coin your function returned 2, which is illegal: row 0 holds 1 coin"),
    ("beats_random", misere_habit, "✗ In normal play your rule won 0.6 % of 500 games"),
    ("counter", two, "✗ For 1 coin your function returned 2, which is illegal: row 0 holds 1 coin; asked to take 2"),
    ("counter", careful_two, "✗ Moving first, your rule loses to the stranger. With 7 coins left the stranger takes 2"),
    (
        "counter",
        agents.take_most,
        "✗ Moving first, your rule loses to the stranger. With 6 coins left the stranger takes 1",
    ),
    (
        "mirror",
        wrong_row,
        (
            "✗ For rows (1, 0) your function returned (1, 1), which is illegal: row 1 holds 0 coins; asked to take 1 "
            "(legal: nothing). Row 1 is the shorter row here; rows are counted from 0."
        ),
    ),
    (
        "mirror",
        lambda game, state: state[0] - state[1],
        (
            "✗ For rows (1, 0) your function returned 1, which is illegal: expected a Move(row, count), got 1. With two "
            "rows a move is a pair: the row, then how many coins."
        ),
    ),
    (
        "mirror",
        agents.take_most,
        "✗ From rows (2, 2), at most 3 a turn, normal play, the first player can bring your rule to (1, 2).",
    ),
    ("misere_mirror", take_one_first, STUBS["misere_mirror"]),
    ("misere_mirror", by_the_total, "✗ From rows (21, 21), at most 3 a turn, misère play, the second player can"),
    ("misere_mirror", agents.take_one, "✗ From rows (21, 21), at most 3 a turn, misère play, the second player can"),
    ("misere_mirror", lambda game, state: (0, 2), "✗ "),
]


@pytest.mark.parametrize("name, function, words", WRONG, ids=lambda value: getattr(value, "__name__", None))
def test_typical_mistakes(name, function, words, capsys):
    assert said(capsys, name, function).startswith(words)


def test_a_rule_for_the_other_ending_is_told_which_ending_it_is(capsys):
    words = said(capsys, "beats_random", misere_habit)
    assert words.endswith("this is normal play, who takes the last coin wins.")


@pytest.mark.parametrize("name", NAMES)
def test_a_check_neither_raises_nor_hangs(name, capsys, monkeypatch):
    def for_ever(game, state):
        while True:
            pass

    assert "raised ZeroDivisionError" in said(capsys, name, lambda game, state: 1 // 0)
    assert "takes 1 positional argument but 2 were given" in said(capsys, name, lambda state: 1)
    assert said(capsys, name, 3).startswith("✗ Give the check a function, without brackets")
    monkeypatch.setattr(core, "SECONDS", 0.2)
    assert "gave no answer within 0.2 seconds" in said(capsys, name, for_ever)


# --- what the lesson builds on


def test_the_stranger_leaves_an_odd_count_with_the_smallest_take():
    game = SCENARIOS["SINGLE_21_3"]
    assert [checks.stranger(game, (count,)).count for count in range(1, 8)] == [1, 1, 2, 1, 2, 1, 2]
    assert play_match(game, checks.stranger, agents.take_one).names == ("the stranger", "take_one")


def test_the_two_circles_of_the_lesson():
    def beats(game, one, other):
        return evaluate(game, agents.RuleAgent(one), agents.RuleAgent(other), games=2).wins == 2

    def take_two(game, state):
        row = state.index(max(state))
        return (row, min(2, state[row]))

    def counter(game, state):
        return 1 if state[0] in (1, 21) else 2

    single, double = SCENARIOS["SINGLE_21_3"], CoinGame((21, 21), 3, misere=False)
    for game, circle in (
        (single, [checks.stranger, agents.take_one, counter]),
        (double, [agents.leave_multiple, agents.take_one, take_two]),
    ):
        assert all(beats(game, circle[place - 1], circle[place]) for place in range(3))
