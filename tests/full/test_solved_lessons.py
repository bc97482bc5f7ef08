"""Every lesson as a student leaves it who has solved all of it: each solution stands in its stub.

Cells in which no answer plays a part do the same as in the lesson, which is run as it is anyway. So those run
here that an answer reaches, and those that they need.
"""

import ast

import nbformat
import pytest
from paths import ROOT

from coincourse import course
from coincourse.page.needs import names_given, names_needed

LESSONS = sorted(path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
WITH_EXERCISES = [path for path in LESSONS if course.solutions(nbformat.read(path, as_version=4))]


def statements_of(cell) -> list[ast.stmt]:
    try:
        return ast.parse(cell.source).body
    except SyntaxError:  # wrong on purpose, or for the terminal
        return []


def names_changed(statement: ast.stmt) -> set[str]:
    """The names of whatever a statement calls a method of, which may change it."""
    methods = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    owners = [method.value for method in methods if isinstance(method, ast.Attribute)]
    return {owner.id for owner in owners if isinstance(owner, ast.Name)}


def reached_by_answers(cells) -> list:
    """The cells that an answer reaches, with those that they need, in their order."""
    cells = [cell for cell in cells if cell.cell_type == "code"]
    reached = set()
    answers: set[str] = set()  # the names of answers, and of what came of them
    for place, cell in enumerate(cells):
        for statement in statements_of(cell):
            if course.exercise_of_stub(cell) or names_needed([statement]) & answers:
                reached.add(place)
                if not isinstance(statement, ast.Import | ast.ImportFrom):
                    answers |= names_given(statement)
            elif isinstance(statement, ast.Assign | ast.FunctionDef):
                answers -= names_given(statement)
    wanted: set[str] = set()
    for place, cell in reversed(list(enumerate(cells))):
        for statement in reversed(statements_of(cell)):
            if wanted & (names_given(statement) | names_changed(statement)):
                reached.add(place)
        if place in reached:
            wanted |= names_needed(statements_of(cell))
    return [cells[place] for place in sorted(reached)]


def words_of(cell) -> str:
    """What a cell has said."""
    return "".join(str(output.get("text", output.get("data", ""))) for output in cell.outputs)


@pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)
def test_a_solved_lesson_runs_and_every_answer_is_right(path):
    notebook = course.solved(nbformat.read(path, as_version=4))
    notebook.cells = reached_by_answers(notebook.cells)
    course.run(notebook, path)
    answered = [cell for cell in notebook.cells if course.exercise_of_stub(cell)]
    assert {course.exercise_of_stub(cell) for cell in answered} == {*course.solutions(nbformat.read(path, 4))}
    assert [words_of(cell) for cell in answered if "✓" not in words_of(cell)] == []
    assert [words_of(cell) for cell in notebook.cells if "yours is not right yet" in words_of(cell)] == []
