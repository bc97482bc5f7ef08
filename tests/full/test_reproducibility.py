"""The same seed gives the same numbers: with Numba and without, in any order, on every Python and NumPy.

What was run on which of them is in docs/reproducibility.md; the numbers are in tests/stored/referee/numbers.txt,
as `python tests/tools/same_numbers.py` prints them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest
from paths import ROOT, STORED

NUMBERS = STORED / "referee" / "numbers.txt"


@pytest.mark.parametrize(
    ("words", "environment", "how"),
    [
        ([], {"PYTHONHASHSEED": "1"}, "compiled"),
        (["plain", "backwards"], {"PYTHONHASHSEED": "2"}, "plain"),
        ([], {"NUMBA_DISABLE_JIT": "1"}, "plain"),
    ],
    ids=["compiled", "Numba not installed", "Numba switched off"],
)
def test_the_numbers_are_these_everywhere(words, environment, how):
    """The same to the last bit, even if sets have another order (PYTHONHASHSEED)."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "tools" / "same_numbers.py", *words],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pinned = set(NUMBERS.read_text(encoding="utf-8").splitlines())
    assert set(done.stdout.splitlines()) ^ pinned == set(), "python tests/tools/same_numbers.py says something else"
    assert len(done.stdout.splitlines()) == len(pinned)
    assert done.stderr.split()[-1] == how


def test_the_page_names_the_versions_of_the_stored_outputs():
    page = (ROOT / "docs" / "reproducibility.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for pin in project["tool"]["uv"]["constraint-dependencies"]:
        name, version = pin.partition(";")[0].strip().split("==")
        if name in ("numpy", "numba"):
            assert version in page, f"docs/reproducibility.md does not speak of {name} {version}"
