"""The exercises: each table is tried against itself, and the engine on answers of every kind."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from coincourse import checks
from coincourse.checks import engine
from coincourse.checks.engine import Exercise

EXERCISES = {name: getattr(checks, name) for name in checks.__all__ if isinstance(getattr(checks, name), Exercise)}
MISTAKES = [(name, sentence) for name, made in EXERCISES.items() for sentence in made.mistakes]


@pytest.mark.parametrize("name", EXERCISES)
def test_the_reference_passes_and_what_returns_nothing_does_not(name, capsys):
    made = EXERCISES[name]
    made(made.reference)
    assert capsys.readouterr().out.startswith(f"✓ Right, {made.praise}.")
    made(lambda *arguments: None)
    assert capsys.readouterr().out.startswith("✗ For ")
    assert made.__doc__


@pytest.mark.parametrize(("name", "sentence"), MISTAKES)
def test_each_mistake_is_refused_with_its_own_sentence(name, sentence, capsys, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 60.0)  # on a busy machine a hint would come too late
    EXERCISES[name](EXERCISES[name].mistakes[sentence])
    words = capsys.readouterr().out
    assert words.startswith("✗ For ") and words.rstrip().endswith(sentence)


def test_a_slip_with_a_rule_or_an_exit_is_said_in_words(capsys):
    for answer, words in [
        (lambda state: 1, "A rule is asked with two things: the game, then the state."),
        (lambda game, state: state % 4, "The state is a tuple: the count of its first row is state[0]."),
        (lambda game, state: sys.exit(), "your function raised SystemExit."),
    ]:
        checks.mirror(answer)
        assert words in capsys.readouterr().out


def test_numbers_of_numpy_are_shown_as_pythons_and_digits_only_where_they_count(capsys):
    for answer, words in [
        (lambda exploration, legal: np.float64(1 / 3), "returned 0.333333; expected 1.0."),
        (lambda exploration, legal: [np.int64(2)], "returned [2]; expected 1.0."),
    ]:
        checks.chance_of_best(answer)
        assert words in capsys.readouterr().out
    checks.count_nodes(lambda coins: 2.0 ** (coins + 1) - 1 + 1e-7)
    assert "returned 1.0000001; expected 1." in capsys.readouterr().out
