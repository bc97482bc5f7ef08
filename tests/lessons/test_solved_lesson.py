"""One lesson as left by a student who has solved everything; tests/full/test_solved_lessons.py tries all lessons."""

import nbformat
from paths import NOTEBOOKS
from solved import complaints, reached_by_answers

HATS = NOTEBOOKS / "04_hats.ipynb"


def test_a_solved_lesson_runs_and_every_answer_is_right():
    assert complaints(HATS) == []


def test_a_solution_that_is_wrong_is_named_and_where_it_is_used(tmp_path):
    notebook = nbformat.read(HATS, 4)
    for cell in notebook.cells:
        if cell.metadata.get("coinlib", {}).get("solution") == "settle":
            cell.source = cell.source.replace("balls + [drawn, drawn]", "balls")
    nbformat.write(notebook, tmp_path / HATS.name)
    not_right, used, *_ = complaints(tmp_path / HATS.name)
    assert "is not right: ✗" in not_right
    assert "not right yet, so the course's version is used" in used


def test_only_cells_that_an_answer_reaches_are_run():
    sources = [
        "import math",
        "game = 3\nother = 4",
        "print(other)",
        "def mine(game):\n    return game\n\ncheck.finish(mine)",
        "print(mine(game))",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    assert [cell.source for cell in reached_by_answers(cells)] == [sources[1], sources[3], sources[4]]
