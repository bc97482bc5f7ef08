"""Wrong answers that students typically give: each has a sentence that says what went wrong."""

from __future__ import annotations

import inspect
import textwrap
import tomllib

import numpy as np
import pytest
from bank import run_as_cell
from paths import STORED

from coincourse import checks
from coinlib.agents import take_one
from coinlib.arena import wilson
from coinlib.solvers import solve
from coinlib.theory import winning_moves

# For each exercise, by what went wrong: the body of a function or a value, and a part of what must be said
TYPICAL = tomllib.loads((STORED / "typical.toml").read_text(encoding="utf-8"))
NAMES = {
    "checks": checks,
    "np": np,
    "solve": solve,
    "take_one": take_one,
    "wilson": wilson,
    "winning_moves": winning_moves,
}


def answer_of(check, code: str):
    """A function with this body and the parameters of the exercise; or a value."""
    if not check.takes_function:
        return eval(code, dict(NAMES))
    parameters = ["game", "state"]
    if hasattr(check, "reference"):
        found = inspect.signature(check.reference).parameters.values()
        parameters = [each.name for each in found if each.kind != each.KEYWORD_ONLY]
    names = dict(NAMES)
    body = textwrap.indent(code.strip("\n"), "    ")
    run_as_cell(f"def answer({', '.join(parameters)}):\n{body}\n", names)
    return names["answer"]


@pytest.mark.parametrize("exercise", TYPICAL)
@pytest.mark.filterwarnings("ignore")  # a student sees a warning, and not an error
def test_a_typical_mistake_has_its_sentence(exercise):
    check = getattr(checks, exercise)
    unheard = []
    for mistake, (code, said) in TYPICAL[exercise].items():
        verdict = check.judge(answer_of(check, code))
        if verdict.right or said not in verdict.words:
            unheard.append((mistake, said, verdict.words))
    assert unheard == []
