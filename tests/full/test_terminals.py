"""The programs of the handouts in real terminals and pipes: keys that leave, colour, the end of the input."""

from __future__ import annotations

import os
import subprocess
import sys

import handouts
import pytest

terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)
COINLIB = [sys.executable, "-m", "coincourse"]
LEFT = {  # after these answers
    "sticks --seed 1": ["10", "2", "1"],
    "nim 3 3 7 --seed 1": ["q 7", "n 3"],
    "coins SINGLE_21_2 --seed 1": [],
    "greedy 1 2 4 3 --seed 1": ["L"],
    "qlearn --opponent human --seed 1": ["1"],
}
ONE_BY_ONE = f"""
from coincourse.terminal import main
for words in {[*LEFT, *LEFT]}:
    print("left with", main(words.split()), flush=True)
"""


DRAWN = f"""
from coinlib import Hats
balls = iter({handouts.BALLS})
Hats.choose = lambda self, values, row, exploration: next(balls) - 1
"""


@pytest.mark.parametrize("name", handouts.SESSIONS)
def test_a_session_of_the_handout_in_a_terminal(name):
    screen, answers = handouts.screen_and_answers(name)
    before = DRAWN if name == "computer" else ""
    assert terminal.session(["sticks", *handouts.SESSIONS[name].split()], answers, before) == (screen, 0)


def test_each_program_can_be_left_at_a_question():
    """All in one process, in its own terminal: first with Ctrl-C, then by ending the input."""
    running = terminal.Terminal([sys.executable, "-c", ONE_BY_ONE])
    for key, ending in (("\x03", "left with 130\n"), ("\x04", "left with 0\n")):
        for answers in LEFT.values():
            for words in answers:
                running.read_until("? ")
                running.type(f"{words}\n")
            running.read_until("? ")
            running.press(key, ending)
    assert running.finish() == 0
    assert "Traceback" not in running.seen


def test_colour_on_a_terminal_and_in_no_pipe():
    code = [*COINLIB, "coins", "--rows", "3", "--first", "take-one", "--second", "take-one"]
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        running = terminal.Terminal(code, **environment)
        assert running.finish() == 0
        assert ("\x1b[" in running.seen) == coloured
    assert "\x1b[" not in subprocess.run(code, capture_output=True, text=True, check=True).stdout


def test_a_line_ends_at_the_edge_of_a_terminal():
    running = terminal.Terminal([*COINLIB, "nim", "90", "90", "91"], COLUMNS="40")
    running.read_until("? ")
    assert 30 < max(map(len, running.seen.splitlines())) <= 40
    running.press("\x04", "\n")
    assert running.finish() == 0


def test_no_input_and_letters_that_the_terminal_has_not():
    code, ascii_only = [*COINLIB, "coins", "NIM", "--second", "take-one"], {"PYTHONIOENCODING": "ascii"}
    none = subprocess.run(code, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=ascii_only)
    assert b"Mis?re play" in none.stdout
    odd = subprocess.run([*COINLIB, "sticks"], input=b"\xff\xfe\n\x00\n10\n", capture_output=True, check=True)
    assert odd.stdout.count(b"Please enter a number between 10 and 100") == 2
    assert odd.stderr == b""


def test_a_graph_is_drawn_whatever_other_programs_tell_matplotlib(tmp_path):
    (tmp_path / "matplotlibrc").write_text("text.usetex: True\n")  # which needs LaTeX
    command = [*COINLIB, "qlearn", "--games", "9", "--graph", "wins.svg"]
    settings = os.environ | {"MPLBACKEND": "Qt4Agg"}  # of an older Matplotlib
    seen = subprocess.check_output(command, cwd=tmp_path, env=settings, text=True)
    assert "is drawn in wins.svg" in seen and (tmp_path / "wins.svg").stat().st_size > 1000
