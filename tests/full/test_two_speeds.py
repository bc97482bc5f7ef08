"""What the library's loops do compiled and as plain Python, in separate processes; Ctrl-C at any moment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import interrupted
import pytest
from paths import ROOT

import coinlib


def test_own_learners_and_series_hold_where_nothing_is_compiled():
    """Every comparison of the fast loop with single matches, repeated without Numba."""
    options = ["-qx", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist"]
    library = ROOT / "tests" / "library"
    files = [library / "test_own_learners.py", library / "test_own_games.py", library / "test_series.py"]
    command = [sys.executable, "-m", "pytest", *options, *files]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm clock")
@pytest.mark.parametrize("speed", ["compiled", "plain"])
def test_thousands_of_interrupts_leave_every_learner_whole(speed):
    """At random moments of short trainings, in a process that they might end: see interrupted.py."""
    if speed == "compiled":
        pytest.importorskip("numba")
    command = [sys.executable, interrupted.__file__, speed]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{interrupted.CUT} {speed}"


def test_a_note_says_once_that_a_loop_is_compiled(tmp_path):
    """Until a rule is changed: Numba's cache on the disk would not notice a change in another file."""
    pytest.importorskip("numba")
    package = shutil.copytree(Path(coinlib.__file__).parent, tmp_path / "coinlib", ignore=lambda *_: ["__pycache__"])
    code = "from coinlib import solve, sticks; print(sum(solve(sticks(20)).wins), sum(solve(sticks(21)).wins))"
    environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
    environment |= {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def won_states():
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip(), done.stderr.strip()

    first, again = won_states(), won_states()
    assert first[1].count("Compiling a fast loop: a few seconds, this once") == 1
    assert (first[0], again) == ("16 16", ("16 16", ""))
    rules = (package / "loops.py").read_text(encoding="utf-8")
    (package / "loops.py").write_text(rules.replace("in range(min(most, size", "in range(min(most + 1, size"))
    assert won_states()[0] == "17 17"
