"""Breaking a rule on purpose makes tests fail, and lessons too.

A copy of the library is changed in one place; a few unit tests and the first lessons are run with it.
They pass with an unchanged copy, and must fail with each changed one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LESSON = ROOT / "notebooks" / "01_the_coin_game.ipynb"
UNIT_TESTS = ("test_games.py",)
CHOSEN = "marvin or first_session or largest_legal or no_more_is_offered or of_the_coin_game or second_hand"

# the first failure is enough; nothing of the usual options, which start other things as well
OPTIONS = ["-qx", "-o", "addopts=", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no", "--no-header"]
OPTIONS += ["--confcutdir", str(ROOT / "tests")]  # a conftest.py of the checkout would put its library first

MUTATIONS = {
    "nothing": None,
    "misère play becomes normal play": (
        "games.py",
        "return 1 if self.misere else -1",
        "return -1 if self.misere else 1",
    ),
    "one coin less than max_pick": ("games.py", "min(held, self.max_pick)", "min(held, self.max_pick - 1)"),
}
BROKEN = [name for name, mutation in MUTATIONS.items() if mutation]


def copy_with(mutation, folder: Path) -> Path:
    """A copy of the library with one place changed."""
    for package in ("coinlib", "coincourse"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "numba.py").write_text("raise ImportError('this copy runs as plain Python: nothing to compile')")
    if mutation:
        name, right, wrong = mutation
        path = folder / "coinlib" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(right) == 1, f"{right!r} stands {text.count(right)} times in {name}; name another place here"
        path.write_text(text.replace(right, wrong), encoding="utf-8")
    return folder


def pytest_with(library: Path, *arguments) -> tuple[int, int, str]:
    """How many tests passed and failed with this copy of the library, and what was printed."""
    paths = os.pathsep.join(filter(None, [str(library), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *arguments],
        cwd=ROOT / "tests",
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    assert "error" not in counts, done.stdout + done.stderr
    return counts.get("passed", 0), counts.get("failed", 0), done.stdout


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_broken_rule_is_noticed_by_unit_tests(name, tmp_path):
    library = copy_with(MUTATIONS[name], tmp_path)
    passed, failed, printed = pytest_with(library, *UNIT_TESTS, "-k", CHOSEN)
    if MUTATIONS[name] is None:
        assert (failed, passed >= 5) == (0, True), printed
    else:
        assert failed > 0, f"{name}: no test has noticed\n{printed}"


@pytest.mark.skipif(not LESSON.exists(), reason="lesson 01 is not there")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_noticed_by_the_lesson(name, tmp_path):
    """What the lesson has stored is no longer what its cells show."""
    library = copy_with(MUTATIONS[name], tmp_path)
    passed, failed, printed = pytest_with(library, "--nbval", "--nbval-current-env", str(LESSON))
    assert passed > 0, f"no cell could be run\n{printed}"
    assert failed > 0, f"{name}: the lesson has not noticed\n{printed}"
