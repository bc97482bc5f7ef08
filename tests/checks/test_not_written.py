"""An exercise that nobody has started is neither right nor wrong; a branch that still returns `...` is wrong."""

from __future__ import annotations

import io
import sys

import nbformat
import pytest
from paths import NOTEBOOKS

from coincourse import checks
from coincourse.checks import judging
from coincourse.checks.verdict import Verdict
from coincourse.course import progress
from coinlib import CoinGame
from coinlib.agents import mirror, take_one

SAYS = f"○ Not written yet. Replace `...` {judging.IN_CELL}"
LESSONS = sorted(NOTEBOOKS.rglob("*.ipynb"))


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_stored_with_exercises_that_are_not_written_yet(path):
    """Strict nbval runs the same cells, so what is stored is what the checks say."""
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code" and cell.metadata.get("coinlib", {}).get("exercise"):
            (output,) = cell.outputs
            assert output.data["text/plain"].startswith("○ Not written yet."), cell.source


# --- not started ----------------------------------------------------------------------------------------


def dots(*arguments):
    return ...


# fmt: off
def q_update(q, state, move, reward, next_state, learning_rate=1.0, discount=1.0):
    # your code here, instead of the dots
    ...
# fmt: on


def alice_table(coins):
    return [[...] * len(coins) for _ in coins]


def ask_number(question, least, most, ask=input):
    number = int(ask(question))
    return (number, ...)[1]


def play_hats(sticks, hats, generator, ask=input):
    again = 1
    while again == 1:
        hats = ...
        again = checks.ask_number.reference("Play again (1 = yes, 0 = no)? ", 0, 1, ask)
    return hats


def to_zero(rows, max_pick):
    moves = []
    for _ in range(len(rows)):
        for _ in ...:
            ...
    return moves


GAME = CoinGame((5, 5), max_pick=2, misere=False)
NOT_STARTED = [
    *[(name, dots) for name in ("chance", "draw", "falling", "find_circle", "two_players", "train_hats", "q_update")],
    *[(name, dots) for name in ("found_rule", "my_rule", "my_counter", "my_mirror", "beat_field", "repaired")],
    *[(name, ...) for name in ("first_move", "moves_on_paper", "u_table", "settle", "my_rule")],
    ("q_update", q_update),
    ("lost_states", (GAME, dots)),
    ("alice_table", alice_table),
    ("my_slider", dots),
]


@pytest.mark.parametrize(("name", "answer"), NOT_STARTED)
def test_what_is_still_dots_is_not_written(name, answer):
    verdict = getattr(checks, name).judge(answer)
    assert (str(verdict), verdict.right, verdict.written) == (SAYS, False, False)


def test_a_table_that_is_still_open_is_not_written():
    verdict = checks.u_table.judge(4 * "? ? ? ?\n")
    assert not verdict.written and "Replace each `?`" in str(verdict)
    assert checks.u_table.judge("1 ? ? ?\n" + 3 * "? ? ? ?\n").written


# --- started --------------------------------------------------------------------------------------------


def passes(q, state, move, reward, next_state, learning_rate, discount):
    pass


def leaves_the_dots_behind(q, state, move, reward, next_state, learning_rate, discount):
    checks.q_update.reference(q, state, move, reward, next_state, learning_rate, discount)
    ...  # noqa: PIE790 - a student forgets to delete it


def test_whoever_has_written_something_is_told_what_is_wrong_with_it():
    verdict = checks.q_update.judge(passes)
    assert verdict.written and verdict.hint.startswith("The table is as it was")
    assert checks.q_update.judge(leaves_the_dots_behind).right
    assert checks.settle.judge(lambda *_: None).written
    assert checks.first_move.judge(5).written and checks.moves_on_paper.judge([]).written


def settle(balls, drawn, won):
    if won:
        return balls + [drawn, drawn]
    return ...


def draw(balls, sticks, generator):
    if sticks == 1:
        return checks.draw.reference(balls, sticks, generator)
    return ...


def winner(turns, misere):
    return 3 - (2 - turns % 2) if misere else ...


def my_rule(game, state):
    return 1 if state[0] < 3 else ...


def my_mirror(game, state):
    return mirror(game, state) if game.max_pick else ...


def repaired(game, state):
    return ... if sum(state) == 13 else take_one(game, state)


def lost(state):
    return sum(state) == 0 if max(state) < 2 else ...


HALF = [
    ("settle", settle, "balls=[2, 3], drawn=1, won=False"),
    ("draw", draw, "the balls [1, 2, 3] with 2 sticks left"),
    ("winner", winner, "1 turn in normal play"),
    ("my_rule", my_rule, "3 coins"),
    ("my_mirror", my_mirror, "rows (1, 0)"),
    ("repaired", (take_one, repaired), "rows (0, 3, 5, 5)"),
]


@pytest.mark.parametrize(("name", "answer", "case"), HALF, ids=[name for name, *_ in HALF])
def test_a_branch_that_still_returns_dots_is_named_with_its_case(name, answer, case):
    verdict = getattr(checks, name).judge(answer)
    assert str(verdict) == f"✗ For {case} this branch still returns `...`."
    assert verdict.written and not verdict.hint


def test_an_open_branch_of_a_rule_for_ones_own_game_is_named_too():
    verdict = checks.lost_states.judge((GAME, lost))
    assert verdict.written and verdict.words.endswith(judging.STILL_DOTS)


# --- who hears it ---------------------------------------------------------------------------------------


def test_the_course_goes_on_with_its_own_version(capsys):
    assert checks.settle.or_ours(dots) is checks.settle.reference
    assert capsys.readouterr().out == "Your settle is not written yet, so the course's version is used.\n"


def test_a_terminal_without_the_circle_says_it_in_brackets(monkeypatch):
    screen = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", screen)
    checks.settle(dots)
    screen.flush()
    assert screen.buffer.getvalue().decode("cp1252").rstrip() == f"[not written yet] Replace `...` {judging.IN_CELL}"


def test_what_is_not_written_is_not_noted_as_done(monkeypatch):
    noted = []
    monkeypatch.setattr(progress.KEPT, "note_right", lambda *done: noted.append(done))
    checks.settle(dots)
    assert noted == []


def test_three_states_have_three_marks():
    marks = [Verdict("a", True, ()).mark, Verdict("a", False, ()).mark, Verdict("a", False, (), written=False).mark]
    assert marks == ["✓", "✗", "○"]
