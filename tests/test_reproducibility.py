"""The same seed gives the same numbers: with Numba and without, in any order, on every Python and NumPy.

What was run on which of them stands in docs/reproducibility.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = {
    "hats_with_themselves": "7709453a56d52d22",
    "q_learner_and_random": "e47ed19e248e9950",
    "two_learners_for_points": "cfb1d568150e17c5",
    "hats_and_a_function": "0ac54987e55fc82b",
    "three_piles_learnt": "5f571a66cf09c6cb",
    "perfect_against_random": "Evaluation(199 of 200 games won: 99.5%, 95 % interval 97.2% to 99.9%)",
    "solved": "0e1126351ea36d8f",
    "greedy_coins": "5424 511 Best(value=2, moves=['R'])",
    "a_sweep": "2ec2a441f82a822e",
}


@pytest.mark.parametrize(
    ("words", "environment", "how"),
    [
        ([], {"PYTHONHASHSEED": "1"}, "compiled"),
        (["backwards"], {"PYTHONHASHSEED": "2"}, "compiled"),
        (["plain"], {"PYTHONHASHSEED": "3"}, "plain"),
        (["backwards"], {"NUMBA_DISABLE_JIT": "1"}, "plain"),
    ],
    ids=["compiled", "backwards", "Numba not installed", "Numba switched off"],
)
def test_the_numbers_are_these_everywhere(words, environment, how):
    """The same to the last bit; sets in another order (PYTHONHASHSEED) change nothing either."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "same_numbers.py", *words],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert dict(line.split(": ", 1) for line in done.stdout.splitlines()) == NUMBERS
    assert done.stderr.split()[-1] == how


def test_the_page_names_the_versions_that_the_outputs_were_made_with():
    page = (ROOT / "docs" / "reproducibility.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for pin in project["tool"]["uv"]["constraint-dependencies"]:
        name, version = pin.partition(";")[0].strip().split("==")
        if name in ("numpy", "numba"):
            assert version in page, f"docs/reproducibility.md does not speak of {name} {version}"
