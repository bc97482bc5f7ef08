"""Whole lessons in bubblewrap: solved ones pass, and what is judged in the student's process is named."""

from __future__ import annotations

import csv

import pytest
from hand_ins import answered, exercises, hand_in, notebook, outcomes, solutions

from coincourse import course
from coincourse.classroom.desk import Desk
from coincourse.classroom.marking import mark

pytestmark = pytest.mark.contained
# These ask and print, hand over a game with a rule, train, and need what other cells of the lesson give.
FOLLOW = """
import matplotlib.pyplot as plt
from coincourse.labs import sliders

def follow(results, learning_rate):
    value, history = 0.0, []
    for result in results:
        value += learning_rate * (result - value)
        history.append(value)
    return history
"""
SOLVED = ("03_rules", "05_training_hats", "13_your_agent_in_a_tournament")


def test_solved_lessons_pass(tmp_path):
    copies = tmp_path / "copies"
    course.student_copy(copies)
    files = {f"well/{lesson}.ipynb": answered(copies, lesson, solutions(lesson)) for lesson in SOLVED}
    marks = mark(hand_in(tmp_path / "in", files), tmp_path / "desk")
    assert [(row.lesson, row.exercise, row.message, row.not_run) for row in marks.rows if row.outcome != "passed"] == []
    assert [row.not_run for row in marks.rows if row.not_run] == []
    assert [row.exercise for row in marks.rows] == [name for lesson in SOLVED for name in exercises(lesson)]


def test_what_is_judged_in_the_students_process_is_named(tmp_path):
    lesson = "06_q_learning"
    cells = FOLLOW, solutions(lesson)["my_slider"]
    folder = hand_in(tmp_path / "in", {f"ada/{lesson}.ipynb": notebook(*cells)})
    marks = mark(folder, tmp_path / "marks")
    assert outcomes(marks, "ada", lesson) == "––✓–"
    assert marks.warnings == [
        "Judged in the student's own process, where the result could be forged, since the answer is not plain data: my_slider."
    ]
    Desk(tmp_path / "marks", folder).lay_out(marks)
    head, ada = list(csv.reader((tmp_path / "marks/sheet.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert (head[-1], ada[-1]) == ("notes", "my_slider passed in the student's process")
