"""Commands in places where other programs have left settings and files."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys

import pytest

from coincourse import course
from coincourse.terminal import main
from coincourse.terminal.pages import plain_matplotlib


def test_without_docstrings_every_command_still_has_its_options():
    settings = os.environ | {"PYTHONOPTIMIZE": "2"}
    help_page = subprocess.check_output([sys.executable, "-m", "coincourse", "lab", "--help"], env=settings, text=True)
    assert "--no-browser" in help_page


@pytest.mark.parametrize("columns", ["0", "00", "1", "abc", ""])
def test_everything_is_printed_at_any_width(play, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    screen, status = play("coins NIM --first take-one --second take-one")
    assert status == 0 and "wins" in screen


def test_a_terminal_of_no_width_folds_at_80(play, monkeypatch):
    screen = io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("sys.stdout", screen)
    for name, value in {"COLUMNS": "0", "TERM": "xterm", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    assert main(["nim", "90", "90", "91"]) == 0
    assert 40 < max(map(len, screen.getvalue().splitlines())) <= 80


def test_matplotlib_is_plain_for_a_command_and_for_its_caller_as_it_was(monkeypatch):
    import matplotlib

    monkeypatch.setitem(matplotlib.rcParams, "axes.grid", True)
    monkeypatch.setenv("MPLBACKEND", "agg")
    with plain_matplotlib():
        assert not matplotlib.rcParams["axes.grid"]
    assert matplotlib.rcParams["axes.grid"] and os.environ["MPLBACKEND"] == "agg"


def test_jupyterlab_is_told_nothing_that_is_meant_for_other_programs(monkeypatch):
    foreign = {
        "JUPYTERLAB_DIR": "/elsewhere",
        "MATPLOTLIBRC": "/elsewhere",
        "MPLBACKEND": "Qt4Agg",
        "PYTHONOPTIMIZE": "2",
    }
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    assert not set(foreign) & set(course.lab_environment())


def test_a_program_that_asks_ends_quietly_when_standard_input_is_closed(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert main(["sticks"]) == 0


def test_a_terminal_in_jupyterlab_finds_the_command_though_its_environment_is_not_active(monkeypatch):
    monkeypatch.setenv("PATH", os.defpath)
    assert shutil.which("coinlib", path=course.lab_environment()["PATH"])


def test_jupyterlab_imports_no_file_of_the_current_folder(tmp_path):
    (tmp_path / "random.py").write_text("number = 7\n")
    words = course.lab_command(tmp_path, "00_start_here.ipynb")
    words = [words[0], words[1], "-c", "import random; random.Random()"]
    assert subprocess.run(words, cwd=tmp_path, check=False).returncode == 0


def test_a_file_name_that_cannot_be_written_is_said(monkeypatch, capsys):
    monkeypatch.setattr("coincourse.terminal._parse", lambda words: "Zoë".encode("ascii"))
    assert main([]) == 2
    assert "cannot be written in ascii: set PYTHONUTF8=1" in " ".join(capsys.readouterr().err.split())
