"""What a person sees stays as it is: terminal sessions, bytes on the wire, the data behind pictures, the words of labs.

What differs on purpose is stored anew, after a look at it, by `python tests/referee.py tests/referee --texts`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import referee

HERE = Path(__file__).parent


def is_pinned(package: str) -> bool:
    """Whether the release is here that the stored texts were made with."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    pins = project["tool"]["uv"]["constraint-dependencies"]
    return f"{package}=={version(package)}" in {pin.partition(";")[0].strip() for pin in pins}


def test_what_a_person_sees_is_what_is_stored(tmp_path):
    done = subprocess.run(
        [sys.executable, HERE / "referee.py", tmp_path, "--texts"],
        env={**os.environ, "PYTHONHASHSEED": "5"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = referee.differences(HERE / "referee", tmp_path)
    if not is_pinned("matplotlib"):  # another release names its shapes otherwise
        found = [words for words in found if "/pictures/" not in words.split("\n", 1)[0]]
    if sys.version_info >= (3, 13):  # whose pages of help have other columns
        found = [words for words in found if "/help.txt" not in words.split("\n", 1)[0]]
    assert not found, "\n\n".join(found[:10])
