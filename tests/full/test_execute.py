"""Authors execute lessons: again, against the clock, and from the terminal; see also tests/lessons/test_authors.py."""

import nbclient
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


BARS = """import time
from coinlib.series import progress_bar

for delay in (0, 0.3):
    with progress_bar(total=20, unit="game", delay=delay) as bar:
        for _ in range(20):
            time.sleep(0.05)
            bar.update()
with progress_bar(total=20, unit="game", delay=1000) as bar:
    bar.update()
"""


def test_a_bar_leaves_nothing_in_a_notebook(monkeypatch):
    """What a bar of tqdm leaves is an error, when the notebook is opened again."""
    monkeypatch.delenv("TQDM_DISABLE")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(BARS)])
    nbclient.NotebookClient(notebook).execute()
    assert [output.data for output in notebook.cells[0].outputs] == [{}, {}]
