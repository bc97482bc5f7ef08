"""What a person sees in a terminal: the handouts' sessions word for word, and other stored ones.

Store intended differences with `python tests/tools/referee.py`, and check what git shows.
"""

from __future__ import annotations

import sys

import handouts
import pytest
import referee

from coinlib import Hats


@pytest.mark.parametrize("name", handouts.SESSIONS)
def test_a_session_of_the_handout_word_for_word(name, monkeypatch):
    """In a real terminal too: tests/full/test_terminals.py."""
    screen, answers = handouts.screen_and_answers(name)
    if name == "computer":
        balls = iter(handouts.BALLS)
        monkeypatch.setattr(Hats, "choose", lambda *_: next(balls) - 1)
    typed = "".join(f"{answer}\n" for answer in answers)
    assert referee.screen_of(f"sticks {handouts.SESSIONS[name]}", typed) == (screen, 0)


@pytest.mark.parametrize("program", ["sticks", "nim", "coins", "greedy", "qlearn", "lessons", "impossible", "help"])
def test_the_sessions_with_a_program_are_those_that_are_stored(program, monkeypatch, tmp_path):
    if program == "help" and sys.version_info >= (3, 13):
        pytest.skip("the pages of help have other columns from Python 3.13 on")
    for name, value in referee.PLAIN.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    stored = (referee.REFEREE / "transcripts" / f"{program}.txt").read_text("utf-8")
    assert f"{referee.transcript(program).rstrip()}\n" == stored
