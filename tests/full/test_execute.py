"""Authors execute lessons: again, against the clock, and from the terminal; see also tests/lessons/test_authors.py."""

import nbformat
import pytest
from small_course import write_lesson

from coincourse import course, terminal


def test_executing_twice_changes_nothing(tmp_path):
    lesson = tmp_path / "lesson.ipynb"
    write_lesson(lesson, "import ipywidgets\nipywidgets.IntSlider(value=3)", "print(6 * 7)")
    assert course.execute(lesson) is True
    stored = lesson.read_bytes()
    assert course.execute(lesson) is False
    assert lesson.read_bytes() == stored


def test_a_cell_that_never_ends_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "lesson.ipynb"
    write_lesson(file, "while 1: pass")
    before = file.read_bytes()
    with pytest.raises(course.CourseError, match=r"lesson\.ipynb: A cell timed.*\. The file is unchanged\."):
        course.execute(file, 1)
    assert file.read_bytes() == before


def test_execute_is_a_command(checkout, monkeypatch):
    monkeypatch.chdir(checkout / "notebooks")
    assert terminal.main(["execute", "04", "--seconds", "60"]) == 0
    stored = nbformat.read(checkout / "notebooks" / "04_hats.ipynb", 4)
    (code,) = [cell for cell in stored.cells if cell.source == "hats"]
    assert code.outputs[0].data["text/plain"] == "10"
