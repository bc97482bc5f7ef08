"""Every lesson as a student leaves it who has solved all of it: each solution stands in its stub."""

from pathlib import Path

import nbformat
import pytest

from coincourse import course

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted(path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def words_of(cell) -> str:
    """What a cell has said."""
    return "".join(str(output.get("text", output.get("data", ""))) for output in cell.outputs)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_solved_lesson_runs_and_every_answer_is_right(path):
    notebook = course.solved(nbformat.read(path, as_version=4))
    course.run(notebook, path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    answered = [cell for cell in code if course.exercise_of_stub(cell)]
    assert [words_of(cell) for cell in answered if "✓" not in words_of(cell)] == []
    assert [words_of(cell) for cell in code if "yours is not right yet" in words_of(cell)] == []
