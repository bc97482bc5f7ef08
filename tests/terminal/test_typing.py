"""Whatever is typed, and wherever it appears, no program breaks. Real terminals are in tests/full/test_terminals.py."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import STORED
from referee import asked

from coincourse.terminal import COMMANDS, main

HANDOUTS = STORED / "handouts"
IMPOSSIBLE = [  # more of them are in tests/stored/referee/transcripts/impossible.txt
    (f"greedy 1 {2**70}", "expected values that add up to less than 2**62"),
    (f"tournament {HANDOUTS}", f"entries: the folder '{HANDOUTS}' contains no Python files"),
    (f"sticks --seed {'9' * 5000}", "argument --seed: expected a whole number, got '999"),
]


def test_what_cannot_be_is_said_in_one_line(play):
    for words, complaint in IMPOSSIBLE:
        screen, status = play(words)
        assert (complaint in screen, screen.count("\n"), status) == (True, 1, 2), (words, screen)
    for words in asked()["impossible"]:
        screen, status = play(words)
        assert (screen.count("\n"), status) == (1, 2), (words, screen)


HOSTILE = st.one_of(
    st.text(max_size=30),
    st.integers(-(10**12), 10**12).map(str),
    st.sampled_from(["", " ", "9" * 5000, "١", "²", "1_0", "0x1", "n 1", "q 99999", "L", "1 1", "\0", "\x1b[A"]),
    st.integers(0, 3).map(str),
)
PROGRAMS = [
    "sticks --seed 1 --games 100",
    "nim 5 0 2 --second --seed 1",
    "coins SINGLE_21_2 --first hats --second person --practice 50 --seed 1",
    "greedy 1 2 4 3 --seed 1",
    "qlearn --opponent human --seed 1",
]
WORDS = ["--seed", "--games", "--rows", "--first", "hats", "NIM", "--normal", "--margin", "--"]
ANY_TIME = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("program", PROGRAMS)
@settings(ANY_TIME, max_examples=12)
@given(answers=st.lists(HOSTILE, max_size=40))
def test_whatever_is_typed_ends_well(play, program, answers):
    screen, status = play(program, *answers)
    assert (status, "Traceback" in screen) == (0, False)


@settings(ANY_TIME, max_examples=50)
@given(
    command=st.sampled_from(["sticks", "nim", "coins", "greedy", "qlearn"]),
    words=st.lists(HOSTILE | st.sampled_from(WORDS), max_size=6),
)
def test_whatever_stands_on_the_command_line_ends_well(monkeypatch, capsys, tmp_path, command, words):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.chdir(tmp_path)
    assert main([command, *words]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_the_example_of_each_program_runs_and_each_page_of_help_fits_on_a_terminal(play, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, command in COMMANDS.items():
        assert command.example.split()[0] == name
        screen, status = play(f"{name} --help")
        assert max(map(len, screen.splitlines())) <= 80 and status == 0
    for name in ("sticks", "nim", "coins", "greedy", "qlearn"):
        assert play(COMMANDS[name].example)[1] == 0


# --- terminals and keys ---------------------------------------------------------------------------------


class Screen(io.StringIO):
    """What is written to a terminal."""

    def isatty(self):
        return True


def on_a_terminal(monkeypatch, words: str, **environment: str) -> str:
    """What a command writes to a terminal, whose input has ended."""
    screen = Screen()
    for name, value in ({"TERM": "xterm", "COLUMNS": "80"} | environment).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("sys.stdout", screen)
    assert main(words.split()) == 0
    return screen.getvalue()


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_only_on_a_terminal_and_never_with_no_color(play, monkeypatch, environment, coloured):
    monkeypatch.delenv("NO_COLOR", raising=False)
    words = "coins --rows 3 --first take-one --second take-one"
    assert "\x1b[" not in play(words)[0]
    assert ("\x1b[" in on_a_terminal(monkeypatch, words, **environment)) == coloured


def test_no_word_and_no_state_is_broken_at_the_edge_of_a_terminal(monkeypatch):
    """Neither in a message nor in a question."""
    seen = on_a_terminal(monkeypatch, "nim 90 90 91", COLUMNS="40", NO_COLOR="1")
    assert 30 < max(map(len, seen.splitlines())) <= 40
    assert all(line.count("(") == line.count(")") for line in seen.splitlines())
    assert "leaving (90, 90, 0)." in " ".join(seen.split())
    for words in (
        "Normal play: the player who takes the last coin wins.",
        "Which pile, and how many coins, such as n 1?",
    ):
        assert words in " ".join(seen.split())


def test_ctrl_c_at_a_question_leaves_a_program(play, monkeypatch):
    def pressed():
        raise KeyboardInterrupt

    for program in PROGRAMS:
        monkeypatch.setattr("builtins.input", pressed)
        screen, status = play(program)
        assert (status, "Traceback" in screen, screen.endswith("? \n")) == (130, False, True), program


def test_letters_that_cannot_be_read_or_shown_stop_no_game(monkeypatch):
    def ascii_of(typed: bytes):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True))
        return sys.stdout.buffer

    screen = ascii_of(b"")
    assert main(["coins", "NIM", "--second", "take-one"]) == 0
    assert b"Mis?re play" in screen.getvalue()
    screen = ascii_of(b"\xff\xfe\n\x00\n10\n")
    assert main(["sticks"]) == 0
    assert screen.getvalue().count(b"Please enter a number between 10 and 100") == 2


def test_nobody_reads_what_is_printed():
    code = [sys.executable, "-m", "coincourse", "coins", "NIM", "--first", "random", "--second", "random"]
    with subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 1)


@pytest.mark.parametrize("words", ["sticks", "coins NIM --first hats --second random", "qlearn"])
def test_ctrl_c_while_a_learner_practises_ends_the_program(play, monkeypatch, words):
    """In a notebook the training stops and keeps what was learnt; here the person wants to leave."""

    def interrupted(self, marks):
        yield 0
        raise KeyboardInterrupt

    monkeypatch.setattr("coinlib.series.Series.play", interrupted)
    screen, status = play(words, "10", "3")
    assert status == 130
    assert "board" not in screen and "won" not in screen
