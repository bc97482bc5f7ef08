"""Exercises as a page of the web book has them: recorded, and judged in a process without packages."""

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
from coincourse.page.in_page import RecordedCheck
from coincourse.page.record_exercises import record_lesson
from coincourse.page.recorded_exercise import RecordedExercise


def record_exercise(name: str, solutions: bool = True) -> RecordedExercise:
    """An exercise as the pages of the book have it."""
    for path in course.notebooks(course.originals(course.home())):
        lesson = path.with_suffix("").as_posix()
        if lesson.rpartition("/")[2].lstrip("0123456789_") == checks.FILE_OF[name]:
            return record_lesson(lesson, solutions)[name]
    raise LookupError(f"no lesson has the exercise {name}")


def solution_of(recorded: RecordedExercise) -> str:
    """The stub of an exercise with its solution in it."""
    (code,) = BLOCK.findall(recorded.solution)
    return course.in_place(recorded.stub, code)


def cells_of(recorded: RecordedExercise) -> dict[str, str]:
    """The cells that are tried: the stub, and the solution."""
    return {"stub": recorded.stub, "solution": solution_of(recorded)}


def words_in_a_page(exercises: dict[str, RecordedExercise]) -> dict[str, object]:
    """The verdicts on all answers to some exercises, in a process that can import no package."""
    asked = {name: [recorded.to_json(), cells_of(recorded)] for name, recorded in exercises.items()}
    command = [sys.executable, "-I", "-S", "-X", "utf8", answers.__file__, str(ROOT)]
    ran = subprocess.run(command, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False)
    assert not ran.returncode, ran.stderr
    return json.loads(ran.stdout)


def words_in_a_notebook(name: str, recorded: RecordedExercise) -> dict[str, object]:
    """The same verdicts in a process with everything installed, in the same form."""
    check = getattr(checks, name)
    found: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(check, "where", RecordedCheck.where)
        for kind, value in answers.answers(check).items():
            verdict = check.judge(value, answers.PATIENT)
            found[f"{name}, {kind}"] = json.loads(json.dumps(dataclasses.asdict(verdict)))
    for cell, source in cells_of(recorded).items():
        found[f"{name}, {cell}"] = words_about_cell(source, recorded.before)
    return found


def words_about_cell(source: str, before: str) -> str:
    """What a check says about a cell in a notebook, in the words of a page."""
    heard = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "show", heard.append)
        patched.setattr(engine, "SECONDS", answers.PATIENT)
        patched.setattr(engine.Check, "where", RecordedCheck.where)
        ran = run_cell(source, before, checks, Screen())
    assert ran.error is None
    return str(heard[-1])
