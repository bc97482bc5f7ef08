"""What students are given: the lessons without solutions and outputs, which never replace a student's work."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import nbformat
import pytest
from hand_ins import LESSONS, exercises, file_of, solutions
from paths import NOTEBOOKS, ROOT

from coincourse import checks, course
from coincourse.classroom.notebooks import exercises_of
from coincourse.course.copies import as_handed_out
from coincourse.terminal import main


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """All lessons as they are handed out."""
    folder = tmp_path_factory.mktemp("copies")
    course.student_copy(folder)
    return folder


def faults_of_copy(copies, lesson: str) -> list[str]:
    """What is wrong with the copy of a lesson."""
    text = file_of(copies, lesson).read_text(encoding="utf-8")
    copy = nbformat.reads(text, 4)
    original = nbformat.read(file_of(NOTEBOOKS, lesson), 4)
    nbformat.validate(copy)
    faults = []
    kept = [cell.source for cell in original.cells if not course.is_solution(cell)]
    if len(kept) != len(original.cells) - len(exercises(lesson)):
        faults.append("a solution is not marked as one")
    if [cell.source for cell in copy.cells] != kept:
        faults.append("the cells are others")
    named = [cell.metadata.get("coinlib", {}).get("exercise") for cell in copy.cells]
    if [name for name in named if name] != exercises(lesson):
        faults.append("the stubs do not name their exercises")
    code = [cell for cell in copy.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count is not None for cell in code):
        faults.append("it has outputs")
    for name, source in course.solutions(original).items():
        if json.dumps(source)[1:-1] in text:
            faults.append(f"it holds the solution of {name}")
    return faults


def test_a_copy_is_the_lesson_without_solutions_and_outputs(copies):
    faults = {lesson: faults_of_copy(copies, lesson) for lesson in LESSONS}
    assert {lesson: found for lesson, found in faults.items() if found} == {}


def test_exercises_are_read_off_the_lesson():
    for lesson, (_, cells, read) in LESSONS.items():
        asked = exercises_of(cells)
        least = 3 if lesson[0].isdigit() else 1  # a project may have fewer
        assert asked == read and len(asked) >= least, lesson
        assert {exercise.name for exercise in asked} <= {*solutions(lesson)} & {*checks.__all__}, lesson
        assert all(re.match(r"[★\d]", exercise.section) for exercise in asked), lesson


def test_a_copy_elsewhere_finds_the_data(copies):
    code = "from coincourse.course import data; print(data('random_games.csv'))"
    run = subprocess.run([sys.executable, "-P", "-c", code], cwd=copies, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(course.home() / "data" / "random_games.csv")


def test_copies_never_replace_what_somebody_has_written(tmp_path, capsys):
    assert main(["student-copy", str(tmp_path / "new" / "folder"), "04", "5"]) == 0
    written = tmp_path / "new" / "folder" / "04_hats.ipynb"
    assert capsys.readouterr().out.splitlines()[0] == f"{written}: without solutions, without outputs"
    assert main(["student-copy", str(written.parent), "04"]) == 0  # doing it again does no harm
    written.write_text("mine")
    capsys.readouterr()
    assert main(["student-copy", str(written.parent)]) == 2
    assert "written in them: 04_hats.ipynb. Choose another folder" in capsys.readouterr().err
    assert written.read_text() == "mine"
    assert {path.name for path in written.parent.iterdir()} == {"04_hats.ipynb", "05_training_hats.ipynb"}


def test_a_copy_with_solutions_is_replaced_if_nobody_has_written_in_it(tmp_path):
    copy = tmp_path / "04_hats.ipynb"
    copy.write_bytes(as_handed_out(NOTEBOOKS / copy.name))
    course.student_copy(tmp_path, ["04"])
    assert course.solutions(json.loads(copy.read_text(encoding="utf-8"))) == {}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no/such", "77"], "No lesson is called '77'"),
        (
            ["04"],
            "04 is a lesson, and the folder for the copies is missing. Write: coinlib student-copy to-hand-out 04",
        ),
        (["04_hats", "5"], "coinlib student-copy to-hand-out 04_hats 5"),
        ([str(NOTEBOOKS)], "is the course itself"),
        ([str(NOTEBOOKS / "04_hats.ipynb")], "cannot be written"),
    ],
)
def test_what_cannot_be_copied_has_its_reason(words, complaint, capsys):
    assert main(["student-copy", *words]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
@pytest.mark.parametrize("name", ["to-hand-out/04_hats.ipynb", "handed-in/ada/04_hats.ipynb", "marks/sheet.csv"])
def test_what_students_hand_in_is_not_committed(name):
    asked = ["git", "check-ignore", "--quiet", "--no-index", name]
    assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 0
