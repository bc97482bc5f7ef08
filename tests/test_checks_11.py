"""The exercises of lesson 11: what each check says to the stub, the solution, another right answer and common mistakes."""

import re
from itertools import permutations

import pytest
from exercises import Exercises, said

from coincourse import checks
from coincourse.checks import core
from coincourse.outside.sandbox.wire import encode
from coinlib import SCENARIOS, agents, play_match, solve

ANSWERS = {
    "beat_field": "my_agent",
    "find_circle": "find_circle",
    "unbeaten": "repaired",
    "read_varint": "read_varint",
}
LESSON = Exercises("11_your_agent_in_a_tournament", ANSWERS)
NAMES = list(ANSWERS)
GAME = SCENARIOS["NIM"]


# --- stubs and solutions of the lesson itself

STUBS = {
    "beat_field": (
        "✗ Moving second, your agent loses to take_one. (Moving first, it wins.) The end of the game: take_one takes 1 "
        "from row 3 and leaves (0, 0, 0, 3), you take 1 from row 3 and leave (0, 0, 0, 2), take_one takes 1 from row 3 "
        "and leaves (0, 0, 0, 1), you take 1 from row 3 and leave (0, 0, 0, 0). Misère play: you took the last coin "
        "and lose."
    ),
    "find_circle": (
        "✗ For the agents A, B, C, where A beats B, B beats C and C beats A your function returned None; expected a "
        "circle such as ('A', 'B', 'C'). Does it hand its answer back with `return`?"
    ),
    "unbeaten": (
        "✗ From rows (1, 3, 5, 7), at most 2 a turn, misère play, the second player can bring your rule to "
        "(0, 1, 2, 2). It then takes 1 from row 2 and leaves (0, 1, 1, 2). The other side takes 1 from row 3 and "
        "leaves (0, 1, 1, 1), where whoever has to move loses against perfect play."
    ),
    "read_varint": (
        "✗ For the bytes 80 01 your function returned (128, 1); expected (128, 2). The first byte is 128 or more, so "
        "the number goes on in the next byte."
    ),
}
RIGHT = {
    "beat_field": (
        "✓ Right: your agent beats take_one, odd, leave_one from both seats, and won 88.5 % of 200 games against "
        "random play (95 % interval 83.3 % to 92.2 %)."
    ),
    "find_circle": "✓ Right, also where a pair is equal, and where there is no circle. (6 tables tried)",
    "unbeaten": "✓ Right: moving first, your rule wins every game of NIM in misère play. (121 states tried)",
    "read_varint": "✓ Right, also for long numbers, and where more bytes follow. (10 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name], my_agent=LESSON.solution("beat_field"))


# --- other right answers


def by_permutations(rates):
    table = rates.drop(columns="mean")
    for trio in permutations(table.index, 3):
        if all(table.loc[trio[place - 1], trio[place]] > 0.5 for place in range(3)):
            return list(trio)
    return None


def by_the_solver(game, state):
    return next(iter(solve(game).best_moves(state)), None) or agents.take_one(game, state)


def by_shifting(data):
    value = 0
    for place, byte in enumerate(data):
        value |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            return [value, place + 1]


OTHERS = {
    "beat_field": [agents.closed_form, agents.leave_multiple, agents.PerfectAgent(seed=1)],
    "find_circle": [by_permutations],
    "unbeaten": [agents.closed_form, by_the_solver, agents.PerfectAgent(seed=1)],
    "read_varint": [by_shifting],
}


@pytest.mark.parametrize("name, function", [(name, one) for name, some in OTHERS.items() for one in some])
def test_another_right_answer(name, function, capsys):
    assert said(capsys, name, function).startswith("✓ Right")


# --- typical mistakes


def names_only(rates):
    return tuple(rates.index[:3])


def at_least_half(rates):
    for a, b, c in permutations(rates.index, 3):
        if rates.loc[a, b] >= 0.5 and rates.loc[b, c] >= 0.5 and rates.loc[c, a] >= 0.5:
            return a, b, c


def gives_up_early(rates):
    a, b, c = rates.index[:3]
    return (a, b, c) if rates.loc[a, b] > 0.5 and rates.loc[b, c] > 0.5 and rates.loc[c, a] > 0.5 else None


def normal_play(game, state):
    return agents.closed_form(type(game)(game.rows, game.max_pick, misere=False), state)


def largest_piece_first(data):
    value = 0
    for used, byte in enumerate(data, 1):
        value = value * 128 + byte % 128
        if byte < 128:
            return value, used


def all_bytes(data):
    return sum((byte % 128) * 128**place for place, byte in enumerate(data)), len(data)


def eight_bits(data):
    value = 0
    for place, byte in enumerate(data):
        value += byte * 256**place
        if byte < 128:
            return value, place + 1


FIRST_TABLE = "✗ For the agents A, B, C, where A beats B, B beats C and C beats A your function returned "
TURNED = "✗ For the agents A, B, C, where B beats A, C beats B and A beats C your function "
NO_CIRCLE = "✗ For the agents A, B, C, where A beats B and C, and B beats C your function returned ('A', 'B', 'C'). "
WRONG = [
    (
        "beat_field",
        lambda game, state: (0, 1),
        "✗ For rows (0, 2, 5, 7) your function returned (0, 1), which is illegal:",
    ),
    ("beat_field", lambda game, state: 1, "✗ For rows (1, 3, 5, 7) your function returned 1, which is illegal:"),
    ("beat_field", lambda game, state: None, "✗ For rows (1, 3, 5, 7) your function returned None; expected a move."),
    (
        "beat_field",
        agents.take_most,
        "✗ Moving first, your agent loses to take_one. The end of the game: take_one takes 1 from row 1",
    ),
    ("beat_field", checks.guests["leave_one"], "✗ Moving first, your agent loses to take_one."),
    ("beat_field", normal_play, "✗ Moving first, your agent loses to "),
    ("find_circle", names_only, NO_CIRCLE + "But C wins 20 % of its games against A, and to beat is to win more than"),
    ("find_circle", at_least_half, "✗ For the agents A, B, C, where A beats B, B beats C, and A and C win half each"),
    (
        "find_circle",
        gives_up_early,
        TURNED + "returned None; expected a circle such as ('A', 'C', 'B'). Are all triples tried",
    ),
    ("find_circle", lambda rates: "A", FIRST_TABLE + "'A'; expected three different names from the rows"),
    ("find_circle", lambda rates: 3, FIRST_TABLE + "3; expected three names, or None."),
    ("find_circle", lambda rates: True, FIRST_TABLE + "True; expected three names, or None."),
    ("find_circle", lambda rates: ("A", "B", "A"), FIRST_TABLE + "('A', 'B', 'A'); expected three different names"),
    ("find_circle", lambda rates: rates.loc["A", "a"], "✗ For the agents A, B, C, where A beats B, B beats C and C"),
    ("unbeaten", agents.leave_multiple, "✗ From rows (1, 3, 5, 7), at most 2 a turn, misère play, the second player"),
    ("unbeaten", normal_play, "✗ From rows (1, 3, 5, 7), at most 2 a turn, misère play, "),
    ("unbeaten", lambda game, state: 2, "✗ For rows (1, 3, 5, 7) your function returned 2, which is illegal:"),
    ("unbeaten", lambda game, state: None, "✗ For rows (1, 3, 5, 7) your function returned None; expected a move."),
    ("read_varint", largest_piece_first, "✗ For the bytes 80 01 your function returned (1, 2); expected (128, 2)."),
    ("read_varint", eight_bits, "✗ For the bytes 80 01 your function returned (384, 2); expected (128, 2)."),
    ("read_varint", all_bytes, "✗ For the bytes 04 08 96 01 your function returned "),
    ("read_varint", lambda data: data[0], "✗ For the bytes 00 your function returned 0; expected (0, 1)."),
    ("read_varint", lambda data: None, "✗ For the bytes 00 your function returned None; expected (0, 1)."),
]


@pytest.mark.parametrize("name, function, words", WRONG, ids=lambda value: getattr(value, "__name__", None))
def test_typical_mistakes(name, function, words, capsys):
    assert said(capsys, name, function).startswith(words)


def test_an_agent_that_beats_the_guests_and_no_more_is_told_how_it_did(capsys, monkeypatch):
    monkeypatch.setattr("coincourse.checks.lesson_11.WANTED", 0.95)
    assert said(capsys, "beat_field", LESSON.solution("beat_field")) == (
        "✗ Your agent beats all guests, but it won 88.5 % of 200 games against random play "
        "(95 % interval 83.3 % to 92.2 %); 95 % are wanted."
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_check_neither_raises_nor_hangs(name, capsys, monkeypatch):
    def for_ever(*_):
        while True:
            pass

    assert "raised ZeroDivisionError" in said(capsys, name, lambda *_: 1 // 0)
    assert "positional argument" in said(capsys, name, lambda: 1)
    assert said(capsys, name, 3).startswith("✗ Give the check a function, without brackets")
    monkeypatch.setattr(core, "SECONDS", 0.2)
    assert "gave no answer within 0.2 seconds" in said(capsys, name, for_ever)


# --- what the lesson builds on


def test_the_guests_go_in_a_circle():
    take_one, odd, leave_one = (checks.guests[name] for name in ("take_one", "odd", "leave_one"))
    for winner, loser in ((leave_one, odd), (odd, take_one), (take_one, leave_one)):
        assert play_match(GAME, winner, loser).winner == 1
        assert play_match(GAME, loser, winner).winner == 2


def test_the_guests_do_what_the_lesson_says_of_them():
    for state in map(tuple, [(1, 3, 5, 7), (0, 3, 5, 7), (0, 2, 2, 1), (0, 0, 1, 2), (0, 0, 0, 3), (0, 0, 0, 2)]):
        row = next(row for row, held in enumerate(state) if held)
        for name, guest in checks.guests.items():
            move = GAME.read_move(state, guest(GAME, state))
            left = GAME.play(state, move)
            assert move.row == row
            if name == "odd" and any(sum(state) % 2 != take % 2 for take in range(1, min(2, state[row]) + 1)):
                assert sum(left) % 2 == 1
            if name == "leave_one" and 2 <= state[row] <= 3:
                assert left[row] == 1


def test_the_varints_of_the_check_are_those_of_the_wire():
    from coincourse.checks.lesson_11 import _varint_case
    from coincourse.outside.sandbox.CoinGame_pb2 import CoinGameState

    for size in (1, 126, 127, 200, 20_000):
        message = CoinGameState(sessionID="x" * size)
        length = message.ByteSize()
        (written,), expected = _varint_case(length, b"").arguments, _varint_case(length, b"").expected
        assert encode(message).startswith(written) and expected == (length, len(written))


def test_the_circle_in_the_stored_tournament():
    """The lesson's prose speaks of a table and of an order: they must be what is stored."""
    texts = [output.get("text", "") for cell in LESSON.code for output in cell.outputs]
    assert "without odd: take_one before leave_one\n" in "".join(texts)
    tables = [output.data["text/plain"] for cell in LESSON.code for output in cell.outputs if "data" in output]
    standings = next(text for text in tables if "rating" in text and "win_rate" in text)
    order = re.findall(r"^(\w+) +\d", standings, re.MULTILINE)
    assert order.index("leave_one") < order.index("take_one")
    assert set(checks.guests) < set(order)
