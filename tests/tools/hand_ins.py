"""What students hand in, and the rows of the result, for the marking tests and for `attack_marking.py`."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import nbformat
from paths import NOTEBOOKS, ROOT

from coincourse import course
from coincourse.classroom.marks import Marks
from coincourse.classroom.notebooks import ASKED, read_lessons

LESSONS = read_lessons()
HATS = "04_hats"
SIGNS = {"✓": "passed", "✗": "wrong", "○": "not written yet", "–": "no answer", "!": "not judged", " ": "no notebook"}
# Every kind of file in the course
KINDS = {".py", ".ipynb", ".csv", ".toml", ".html", ".css", ".js", ".json"}


# --- notebooks ------------------------------------------------------------------------------------------


def notebook(*sources: str) -> bytes:
    """A notebook with these code cells."""
    cells = [nbformat.v4.new_code_cell(textwrap.dedent(source)) for source in sources]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()


def file_of(folder: Path, lesson: str) -> Path:
    """The file of a lesson or a project below a folder."""
    return next(folder.rglob(f"{lesson}.ipynb"))


def solutions(lesson: str) -> dict[str, str]:
    """The code of the explained solutions by the name of the exercise."""
    solved = course.solved(json.loads(file_of(NOTEBOOKS, lesson).read_bytes()))
    found = {}
    for cell in solved["cells"]:
        exercise = cell["metadata"].get("coinlib", {}).get("exercise")
        if exercise:
            found[exercise] = cell["source"]
    return found


def exercises(lesson: str) -> list[str]:
    """The names of a lesson's exercises."""
    return [exercise.name for exercise in LESSONS[lesson].exercises]


def answered(copies: Path, lesson: str, answers: dict[str, str]) -> bytes:
    """A lesson's copy in which `answers` replace the cells of some exercises."""
    made = nbformat.read(file_of(copies, lesson), as_version=4)
    for cell in made.cells:
        if cell.cell_type == "code":
            for name, _ in ASKED.findall(cell.source):
                cell.source = answers.get(name, cell.source)
    return nbformat.writes(made).encode()


def hand_in(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files below a folder, and return the folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


# --- rows -----------------------------------------------------------------------------------------------


def outcomes(marks: Marks, student: str, lesson: str = HATS) -> str:
    """The signs of a student's outcomes in a lesson, one for each exercise."""
    sign_of = {outcome: sign for sign, outcome in SIGNS.items()}
    return "".join(sign_of[row.outcome] for row in marks.of(student) if row.lesson == lesson)


def messages(marks: Marks, student: str, lesson: str = HATS) -> dict[str, str]:
    """The messages of a student in a lesson by exercise."""
    return {row.exercise: row.message for row in marks.of(student) if row.lesson == lesson}


def notes(marks: Marks, student: str) -> list[str]:
    """The notes about a student's cells that could not be run; only the first row has them."""
    first, *others = [row.not_run for row in marks.of(student) if row.lesson == HATS]
    assert not any(others)
    return [re.sub("^.*cell `.*?`: ", "", note) for note in first.splitlines()]


def differences(marks: Marks, expected: dict[str, str]) -> dict[str, tuple[str, str]]:
    """For each student whose outcomes in lesson 04 are not as expected: what they are and what was expected."""
    found = {}
    for student, signs in expected.items():
        came = outcomes(marks, student)
        if came != signs:
            found[student] = (came, signs)
    return found


def all_of_the_course() -> dict[Path, bytes]:
    """Every file of the course."""
    found = {}
    for name in ("coinlib", "coincourse", "notebooks", "data"):
        for path in (ROOT / name).rglob("*"):
            if path.suffix in KINDS:
                found[path] = path.read_bytes()
    return found


# --- lesson 04 of honest students -----------------------------------------------------------------------

SOLVED = solutions(HATS)
CHANCE, SETTLE, SETTLE_GAME, DRAW = (SOLVED[name] for name in ("chance", "settle", "settle_game", "draw"))
WRONG = "def chance(*_):\n    return 2\ncheck.chance(chance)"
MAGICS = """
    %matplotlib inline
    %config InlineBackend.figure_format = "retina"
    !ls
    import matplotlib.pyplot as plt
    plt.plot([1])
    plt.show()
    sticks = int(input("How many? "))
"""
PRINTS_AND_RAISES = "def chance(*numbers):\n    print(numbers)\n    return 1 / 0\ncheck.chance(chance)"
CHANGES_ARGUMENTS = """
    def draw(balls, sticks, generator):
        balls.clear()
        return 1, []
    input('?') / 1
    check.draw(draw)
"""
# The cells of each student, and the outcomes of chance, settle, settle_game and draw
HONEST = {
    "magics": (["%%time\n" + CHANCE, MAGICS, SETTLE, SETTLE_GAME], "✓✓✓–"),
    "raises": ([PRINTS_AND_RAISES], "✗–––"),
    "their own ways": (
        [
            "from google.colab import drive",
            "from coincourse import checks",
            WRONG.replace("check.", "checks."),
            CHANCE,
            WRONG,  # one right answer is enough
            SETTLE.replace("check.settle(settle)", "mine = settle\ncheck.settle(mine)"),
            SETTLE_GAME.partition("\n\ncheck.")[0],  # the call of the check is gone
            CHANGES_ARGUMENTS,
        ],
        "✓✓✓✗",
    ),
    "in another order": ([SETTLE_GAME, DRAW, SETTLE, CHANCE, "del draw"], "✓✓✓✓"),
    "broken cells": ([CHANCE.replace("):\n", ")\n", 1), SETTLE, "1 / 0", "check.draw(draw)"], "–✓––"),
}
