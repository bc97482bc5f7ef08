"""All exercises as recorded for the web book: judged without NumPy, in the same words as in the notebook.

Cells of one exercise are in `tests/checks/test_page_cells.py`.
"""

from __future__ import annotations

import ast
import json
import re

import pytest
from pages import record_exercise, words_in_a_notebook, words_in_a_page

from coincourse import checks, course
from coincourse.checks.engine import Exercise
from coincourse.page.record_exercises import as_code, call_in_page, record_lesson
from coincourse.page.recorded_exercise import RecordedExercise

LESSONS = [path.with_suffix("").as_posix() for path in course.notebooks(course.originals(course.home()))]
LIBRARIES = ("NumPy", "pandas", "Jupyter's widgets")
CHECKED_ANSWER = re.compile(r"^(\w+(?:, \w+)*) = check\.\w+\.or_ours\(", re.MULTILINE)
# All exercises of these lessons work in the book.
WHOLE = ("start_here", "the_coin_game", "hats", "game_trees")


@pytest.fixture(scope="module")
def recorded() -> dict[str, RecordedExercise]:
    """The recordings of all exercises, by their names."""
    found = {}
    for lesson in LESSONS:
        found |= record_lesson(lesson)
    return found


@pytest.fixture(scope="module")
def living(recorded) -> dict[str, RecordedExercise]:
    return {name: each for name, each in recorded.items() if not each.why_not}


def test_two_thirds_of_all_exercises_live_and_the_others_say_why_not(recorded, living):
    assert len(living) >= 2 / 3 * len(recorded)
    assert {name for name in recorded if checks.FILE_OF[name] in WHOLE} <= set(living)
    reasons = {each.why_not for each in recorded.values() if each.why_not}
    assert reasons <= {f"It needs {name}, which this page does not have." for name in LIBRARIES}


def test_a_recording_is_small_plain_data(recorded):
    for each in recorded.values():
        assert RecordedExercise.from_json(each.to_json()) == each
        assert len(each.task) < 200_000
        assert each.answer in each.stub and f"check.{each.exercise}(" in each.stub


def test_every_answer_hears_in_a_page_what_it_hears_in_a_notebook(living):
    """The reference, each mistake, the stub, the solution, and answers that go wrong in other ways."""
    in_page = words_in_a_page(living)
    in_notebook = {}
    for name, each in living.items():
        in_notebook |= words_in_a_notebook(name, each)
        assert in_page[f"{name}, solution"].startswith("✓") and in_page[f"{name}, stub"].startswith(
            "○ Not written yet."
        )
    assert set(in_page) == set(in_notebook)
    different = [answer for answer, words in in_page.items() if words != in_notebook[answer]]
    assert different == [], f"{in_page[different[0]]} in a page, {in_notebook[different[0]]} in a notebook"


@pytest.mark.parametrize("solutions", [True, False], ids=["with", "without"])
def test_an_exercise_may_use_the_names_that_earlier_cells_give_to_checked_answers(solutions):
    """As lesson 08 says: `next_states = check.children.or_ours(children)`."""
    calls = {}
    for path in course.notebooks(course.originals(course.home())):
        lesson = path.with_suffix("").as_posix()
        recorded = record_lesson(lesson, solutions)
        names = []
        for cell in json.loads((course.originals(course.home()) / path).read_text("utf-8"))["cells"]:
            exercise = cell["metadata"].get("coinlib", {}).get("exercise")
            if exercise and names and not recorded[exercise].why_not:
                calls[exercise] = ["run", {"source": "\n".join(names), "before": recorded[exercise].before}]
            if cell["cell_type"] == "code":
                names += CHECKED_ANSWER.findall("".join(cell["source"]))
    assert {"size_of_tree", "wins"} <= set(calls) and len(calls) > 10
    tried = dict(zip(calls, call_in_page(list(calls.values()))))
    # Elsewhere the name may stand for something that needs NumPy.
    assert not any(missed for name, (_, missed) in tried.items() if checks.FILE_OF[name] in WHOLE)
    assert [(name, ran["error"]) for name, (ran, missed) in tried.items() if ran["error"] and not missed] == []


def test_without_solutions_a_recording_holds_no_code_of_a_reference():
    for lesson in LESSONS:
        for name, each in record_lesson(lesson, solutions=False).items():
            check = getattr(checks, name)
            assert not each.solution
            code = "\n".join(json.loads(each.task)["modules"].values()) if each.task else ""
            assert ".reference" not in code
            if isinstance(check, Exercise):
                assert f"def {check.reference.__name__}(" not in code
            for used in each.uses:
                stub = ast.parse(record_exercise(used).stub.partition("check.")[0])
                function = [part for part in stub.body if isinstance(part, ast.FunctionDef)]
                assert as_code(function) in each.before
