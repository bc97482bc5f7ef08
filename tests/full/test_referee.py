"""What people see does not change: sessions in a terminal, some pictures and their tables, the words of a lab.

Store intended differences with `python tests/tools/referee.py`, and check what git shows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import referee
from matplotlib.testing.compare import compare_images
from paths import ROOT

UV = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]
PINNED = [pin.partition(";")[0].strip() for pin in UV["constraint-dependencies"]]


def names_in(folder: Path) -> list[str]:
    return sorted(file.relative_to(folder).as_posix() for file in folder.glob("*/*"))


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The folder with a freshly made copy."""
    folder = tmp_path_factory.mktemp("referee")
    subprocess.run([sys.executable, referee.__file__, folder], env={**os.environ, "PYTHONHASHSEED": "5"}, check=True)
    assert names_in(folder) == names_in(referee.REFEREE)
    return folder


@pytest.mark.parametrize("name", names_in(referee.REFEREE))
def test_what_a_person_sees_is_what_is_stored(found, name):
    if name == "transcripts/help.txt" and sys.version_info >= (3, 13):
        pytest.skip("the pages of help have other columns from Python 3.13 on")
    if name.startswith("pictures/") and f"matplotlib=={version('matplotlib')}" not in PINNED:
        pytest.skip("another release of Matplotlib places its words otherwise")
    if name.endswith(".png"):
        assert compare_images(str(referee.REFEREE / name), str(found / name), tol=1) is None
    else:
        assert (found / name).read_text("utf-8") == (referee.REFEREE / name).read_text("utf-8")
