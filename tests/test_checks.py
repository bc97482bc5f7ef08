"""The exercises: each table is tried against itself, and the engine on answers of every kind."""

from __future__ import annotations

import pytest

from coincourse import checks
from coincourse.checks.engine import Exercise, Wrong

EXERCISES = {name: made for name, made in vars(checks).items() if isinstance(made, Exercise)}
MISTAKES = {
    f"{name}-{mistake.function.__name__}-{number}": (made, mistake)
    for name, made in EXERCISES.items()
    for number, mistake in enumerate(made.mistakes)
}


@pytest.mark.parametrize("name", EXERCISES)
def test_the_reference_passes_and_what_returns_nothing_does_not(name, capsys):
    made = EXERCISES[name]
    made(made.reference)
    assert capsys.readouterr().out.startswith(f"✓ Right, {made.praise}.")
    made(lambda *arguments: None)
    assert capsys.readouterr().out.startswith("✗ For ")
    assert made.__doc__


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_refused_with_its_own_sentence(name):
    made, mistake = MISTAKES[name]
    with pytest.raises(Wrong) as wrong:
        made.judge(mistake.function)
    assert str(wrong.value).endswith(mistake.sentence)
