"""Commands for authors: a lesson is executed and stored in a standard form, or left unchanged."""

from pathlib import Path

import nbformat
import pytest
from small_course import write_lesson

from coincourse import course
from coincourse.course import authors


@pytest.fixture
def lesson(tmp_path):
    """Prints, a live slider, and what editors and other machines leave behind."""
    file = tmp_path / "lesson.ipynb"
    write_lesson(
        file,
        "import os\nprint(os.environ['TQDM_DISABLE'], flush=True)\nprint('two', flush=True)\n",
        "import ipywidgets\nipywidgets.IntSlider(value=3)",
        "6 * 7",
    )
    notebook = nbformat.read(file, 4)
    notebook.cells[2].metadata = {"tags": ["x"], "execution": {"iopub.status.busy": "now"}}
    notebook.metadata["language_info"] = {"name": "python", "version": "2.7"}
    notebook.metadata["kernelspec"] = {"name": "my-own-kernel", "display_name": "mine", "language": "python"}
    nbformat.write(notebook, file)
    return file


def test_what_is_stored_is_tidy_and_says_whether_it_is_new(lesson, monkeypatch):
    assert course.execute(lesson) is True
    assert lesson.read_text().endswith("}\n")
    notebook = nbformat.read(lesson, 4)
    assert notebook.metadata == {"kernelspec": authors.KERNEL, "language_info": authors.LANGUAGE}
    assert [cell.id for cell in notebook.cells] == ["cell-01", "cell-02", "cell-03"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3]
    assert [output.text for output in notebook.cells[0].outputs] == ["1\ntwo\n"]  # no bars, and one text
    assert set(notebook.cells[1].outputs[0].data) == {"text/plain"}
    assert notebook.cells[2].metadata == {"tags": ["x"]}
    assert notebook.cells[2].outputs[0].data["text/plain"] == "42"
    run_before = nbformat.read(lesson, 4)
    monkeypatch.setattr(authors, "run", lambda notebook, *_: notebook.update(cells=run_before.cells))
    assert course.execute(lesson) is False


def test_a_failing_cell_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "lesson.ipynb"
    write_lesson(file, "hats = 1 / 0")
    before = file.read_bytes()
    said = r"lesson\.ipynb: a cell failed with ZeroDivisionError: division by zero\. The file is unchanged\."
    with pytest.raises(course.CourseError, match=said):
        course.execute(file)
    assert file.read_bytes() == before


def test_a_stub_and_its_solution_name_their_exercise():
    stub = nbformat.v4.new_code_cell("def mine():\n    ...\n\ncheck.settle(mine)")
    solution = nbformat.v4.new_markdown_cell("mine = print", metadata={"tags": ["solution"]})
    no_stub = nbformat.v4.new_code_cell("mine()", metadata={"coinlib": {"exercise": "draw"}})
    notebook = nbformat.v4.new_notebook(cells=[stub, solution, no_stub])
    authors.tidy(notebook)
    noted = [cell.metadata.get("coinlib") for cell in notebook.cells]
    assert noted == [{"exercise": "settle"}, {"solution": "settle"}, None]


def test_authors_may_name_lessons_or_files(checkout, monkeypatch):
    lessons = checkout / "notebooks"
    monkeypatch.chdir(lessons)
    assert course.selected_notebooks() == [lessons / "00_start_here.ipynb", lessons / "04_hats.ipynb"]
    named = ["4", "00_start_here.ipynb"]
    assert course.selected_notebooks(named) == [lessons / "04_hats.ipynb", Path("00_start_here.ipynb")]
