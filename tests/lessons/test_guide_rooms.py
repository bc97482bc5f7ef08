"""The page on rooms lists, lesson by lesson, what does not work in the web book."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from guide import page, tables
from minutes import LESSONS

from coincourse import course
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.page.record_exercises import call_in_page, record_lesson

NOT_IN_BOOK = {lesson: (missing, instead) for lesson, missing, instead in tables(page("rooms"))[-1]}
TO_TYPE = re.compile(r"`([^`]+)`,? into \*Try code\*? below exercise (\d+)")  # `tables` takes stars off


def cells_by_section(number: str) -> list[tuple[str, str, nbformat.NotebookNode]]:
    """Each cell of a lesson with its section ("§3", "★") and exercise ("exercise 2", "exercise 4 (★)")."""
    section = exercise = ""
    found = []
    for cell in nbformat.read(LESSONS[number], 4).cells:
        if cell.cell_type == "markdown":
            for heading in re.findall(r"^##+ .*", cell.source, re.MULTILINE):
                if place := re.match(r"## (?:(\d+)|★)", heading):
                    section = f"§{place[1]}" if place[1] else "★"
                if task := re.match(r"### Exercise (\d+)( \(★\))?", heading):
                    exercise = f"exercise {task[1]}{task[2] or ''}"
        found.append((section, exercise, cell))
    return found


def needs_jupyterlab(number: str) -> list[str]:
    """What does not work in the book for a lesson, as far as the lesson and the book's recordings tell."""
    recorded = record_lesson(LESSONS[number].stem)
    exercises, changes, boards, commands = [], [], [], []
    for section, exercise, cell in cells_by_section(number):
        name = cell.metadata.get("coinlib", {}).get("exercise")
        text = cell.source
        if name and recorded[name].why_not:
            exercises.append(exercise)
        if cell.cell_type == "markdown" and "**Change it." in text:
            changes.append(section)
        if cell.cell_type == "markdown" and "`coinlib " in text:
            commands.append(section)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "A still picture" in str(data.get("text/html")) and DESCRIBED not in data and "sliders" not in str(data):
                boards.append(section)
    found = [", ".join(exercises)] if exercises else []
    found += [f"Change it ({', '.join(dict.fromkeys(changes))})"] if changes else []
    found += [f"the board of the last game ({section})" for section in boards]
    if commands:
        found.append("`coinlib` in a terminal" + " (★)" * all(section == "★" for section in commands))
    return found


def test_each_lesson_has_a_row():
    assert list(NOT_IN_BOOK) == list(LESSONS)
    for missing, instead in NOT_IN_BOOK.values():
        assert bool(instead) == (missing != "nothing is missing")


@pytest.mark.parametrize("number", LESSONS)
def test_what_does_not_work_in_the_book_is_named_with_what_to_do_instead(number):
    missing = NOT_IN_BOOK[number][0].replace("*", "")
    expected = needs_jupyterlab(number)
    assert [words for words in expected if words not in missing] == []
    named = re.findall(r"exercise \d+(?: \(★\))?", missing)
    assert ", ".join(named) == (expected[0] if named else "")
    assert ("Change it" in missing, "terminal" in missing) == tuple(
        any(words in each for each in expected) for words in ("Change it", "terminal")
    )


def run_below(number: str, exercise: str, code: str) -> list:
    """A call that runs code below an exercise of a lesson, which is solved."""
    (name,) = [
        cell.metadata.coinlib.exercise
        for _, label, cell in cells_by_section(number)
        if label.startswith(f"exercise {exercise}") and "exercise" in cell.metadata.get("coinlib", {})
    ]
    recorded = record_lesson(LESSONS[number].stem)[name]
    notebook = json.loads(LESSONS[number].read_text(encoding="utf-8"))
    solved = course.in_place(recorded.stub, course.solutions(notebook)[name])
    return ["run", {"source": code, "before": f"{recorded.before}\n{solved}"}]


def test_what_a_student_is_told_to_type_runs_in_a_page():
    rows = [(number, TO_TYPE.findall(instead)) for number, (_, instead) in NOT_IN_BOOK.items()]
    calls = [run_below(number, exercise, code) for number, found in rows for code, exercise in found]
    (positions, missed), *shown = [(answer["value"], missed) for answer, missed in call_in_page(calls)]
    assert positions.startswith("[(0, 0, 1),\n (0, 1, 0),") and missed == []
    assert shown == [("[(2, 5, 7), (3, 4, 7), (3, 5, 6)]", []), ("[9, -1, 8]", []), ("2", []), ("False", [])]


def test_the_lines_that_ask_for_the_losing_counts_of_a_bet_run_in_a_page():
    (words,) = [
        there
        for _, _, cell in cells_by_section("05")
        for there in cell.metadata.get("coinlib", {}).get("book", {}).values()
        if "*Try code* below exercise 2" in there
    ]
    (code,) = re.findall(r"```python\n(.*?)```", words, re.DOTALL)
    ((answer, missed),) = call_in_page([run_below("05", "2", code)])
    assert (answer["value"], missed) == ("[7, 14, 21, 28]", [])
