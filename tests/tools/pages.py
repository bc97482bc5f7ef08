"""Exercises as a page of the web book has them: recorded, and judged in a process without any package."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import answers
import pytest
from paths import ROOT

from coincourse import checks, course
from coincourse.checks import engine
from coincourse.checks.screens import Screen
from coincourse.course.solutions import BLOCK
from coincourse.page.cell import run_cell

PATIENT = 60.0  # seconds


def solution_of(recording: dict) -> str:
    """The stub of an exercise with its solution in it."""
    (code,) = BLOCK.findall(recording["solution"])
    return course.in_place(recording["stub"], code)


def cells_of(recording: dict) -> dict[str, str]:
    """The cells that are tried: the stub, and the solution."""
    return {"stub": recording["stub"], "solution": solution_of(recording)}


def words_in_a_page(recordings: dict[str, dict]) -> dict[str, object]:
    """The verdicts about all answers to some exercises, where no package can be imported."""
    asked = {name: [recording, cells_of(recording)] for name, recording in recordings.items()}
    command = [sys.executable, "-I", "-S", "-X", "utf8", answers.__file__, str(ROOT)]
    ran = subprocess.run(command, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False)
    assert not ran.returncode, ran.stderr
    return json.loads(ran.stdout)


def words_in_a_notebook(name: str, recording: dict) -> dict[str, object]:
    """The same verdicts where everything is installed, in the same form."""
    check = getattr(checks, name)
    found: dict[str, object] = {}
    for answer, value in answers.answers(check).items():
        verdict = check.judge(value, PATIENT)
        found[f"{name}, {answer}"] = json.loads(json.dumps(dataclasses.asdict(verdict)))
    for cell, source in cells_of(recording).items():
        found[f"{name}, {cell}"] = words_about_cell(source, recording["before"])
    return found


def words_about_cell(source: str, before: str) -> str:
    """What a check says about a cell in a notebook."""
    heard = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "show", heard.append)
        patched.setattr(engine, "SECONDS", PATIENT)
        ran = run_cell(source, before, checks, Screen())
    assert ran.error is None
    return str(heard[-1])
