"""What a student has written in a copy of a lesson is never overwritten."""

import nbformat
import pytest
from small_course import words, write_lesson

from coincourse import course
from coincourse.course.copies import NOTE


@pytest.fixture
def mine(checkout):
    """The student's copies of it."""
    course.hand_out(checkout)
    return checkout / "my-notebooks"


def test_the_first_time_everything_is_copied(checkout):
    write_lesson(checkout / "notebooks" / ".ipynb_checkpoints" / "04_hats-checkpoint.ipynb", "old")
    copies = checkout / "my-notebooks"
    assert course.hand_out(checkout) == [f"Your copies of the lessons are in {copies}."]
    assert words(copies / "04_hats.ipynb") == ["hats = 10", "hats"]
    assert (copies / "pictures" / "hat.txt").read_text() == "a hat"
    assert not (copies / ".ipynb_checkpoints").exists()
    before = {file: file.stat().st_mtime_ns for file in copies.rglob("*")}
    assert course.hand_out(checkout) == []  # the second time nothing happens
    assert before == {file: file.stat().st_mtime_ns for file in copies.rglob("*")}


def test_a_new_lesson_is_added_and_a_deleted_one_comes_back(checkout, mine):
    write_lesson(checkout / "notebooks" / "05_training.ipynb", "train")
    (mine / "04_hats.ipynb").unlink()
    assert course.hand_out(checkout) == ["04_hats.ipynb: new.", "05_training.ipynb: new."]
    assert words(mine / "05_training.ipynb") == ["train"]
    assert course.hand_out(checkout) == []


def test_a_lesson_that_was_only_run_is_brought_up_to_date(checkout, mine):
    empty_cell = ""  # JupyterLab adds one at the end
    write_lesson(mine / "04_hats.ipynb", "hats = 10", "hats", empty_cell, output="10")
    write_lesson(checkout / "notebooks" / "04_hats.ipynb", "hats = 12")
    assert course.hand_out(checkout) == ["04_hats.ipynb: updated."]
    assert words(mine / "04_hats.ipynb") == ["hats = 12"]


def test_a_lesson_with_the_students_words_is_left_alone(checkout, mine):
    write_lesson(mine / "04_hats.ipynb", "hats = 10", "hats + 1")
    (mine / "00_start_here.ipynb").write_text("{ half a note")
    written = {file: file.read_bytes() for file in mine.glob("*.ipynb")}
    assert course.hand_out(checkout) == []  # nothing new: nothing to say
    for name in ("00_start_here", "04_hats"):
        write_lesson(checkout / "notebooks" / f"{name}.ipynb", "new")
    for _ in range(2):
        said = course.hand_out(checkout)
        assert len(said) == 2
        assert "there is a newer version, but you have written in yours; `coinlib reset 04_hats`" in said[1]
        assert written == {file: file.read_bytes() for file in mine.glob("*.ipynb")}


@pytest.mark.parametrize("note", ["", "[]", "{broken"])
def test_without_its_note_nothing_is_overwritten(checkout, mine, note):
    write_lesson(mine / "04_hats.ipynb", "mine")
    (mine / NOTE).write_text(note)
    course.hand_out(checkout)
    assert words(mine / "04_hats.ipynb") == ["mine"]


def test_copies_say_what_the_lesson_says_and_show_no_outputs(checkout):
    """An output under a question would be its answer."""
    original, copy = (checkout / folder / "04_hats.ipynb" for folder in ("notebooks", "my-notebooks"))
    write_lesson(original, "hats", output="the answer")
    course.hand_out(checkout)
    assert course.fingerprint(copy) == course.fingerprint(original)
    assert "the answer" in original.read_text() and "the answer" not in copy.read_text()
    write_lesson(copy, "my hats", output="mine")
    course.reset(checkout, "04")
    assert "the answer" not in copy.read_text()
    nbformat.validate(nbformat.read(copy, 4))


def test_reset_keeps_what_was_written(checkout, mine):
    assert course.reset(checkout, "04") == ["my-notebooks/04_hats.ipynb is the course's version again."]
    for number in (1, 2):
        write_lesson(mine / "04_hats.ipynb", f"my work {number}")
        assert course.reset(checkout, "04") == [
            f"What you wrote is kept as my-notebooks/04_hats-mine-{number}.ipynb.",
            "my-notebooks/04_hats.ipynb is the course's version again.",
        ]
        assert words(mine / f"04_hats-mine-{number}.ipynb") == [f"my work {number}"]
        assert words(mine / "04_hats.ipynb") == ["hats = 10", "hats"]
    assert course.hand_out(checkout) == []


def test_a_copy_without_solutions_stays_without(checkout, mine, monkeypatch):
    """A teacher may put one into `my-notebooks/`, before or after the first `coinlib lab`."""
    lesson, copy = (checkout / folder / "05_training.ipynb" for folder in ("notebooks", "my-notebooks"))
    monkeypatch.chdir(checkout)
    for text in ("hats", "new hats"):
        write_lesson(lesson, text, "the solution")
        notebook = nbformat.read(lesson, 4)
        notebook.cells[1].metadata.tags = ["solution"]
        nbformat.write(notebook, lesson)
        if text == "hats":
            course.student_copy(mine, ["05"])
            assert course.hand_out(checkout) == []
        else:
            assert course.hand_out(checkout) == ["05_training.ipynb: updated."]
        assert words(copy) == [text]
    write_lesson(copy, "mine")
    assert course.hand_out(checkout) == []
    course.reset(checkout, "05")
    assert words(copy) == ["new hats"]
    write_lesson(copy, "mine")
    write_lesson(lesson, "newest hats")
    assert "you have written in yours" in course.hand_out(checkout)[0]


def test_a_pupils_computer_is_prepared_with_copies_without_solutions(checkout, monkeypatch):
    """The other lessons, which `coinlib lab` adds, have no solutions either."""
    monkeypatch.chdir(checkout)
    copies = checkout / "my-notebooks"
    for path in (checkout / "notebooks").glob("*.ipynb"):
        notebook = nbformat.read(path, 4)
        notebook.cells.append(nbformat.v4.new_code_cell("the solution", metadata={"tags": ["solution"]}))
        nbformat.write(notebook, path)
    course.student_copy(copies, ["04"])
    assert course.hand_out(checkout) == [f"Your copies of the lessons are in {copies}."]
    added = [path for path in copies.glob("*.ipynb") if path.stem != "04_hats"]
    assert added and not any("the solution" in words(copy) for copy in copies.glob("*.ipynb"))
    assert course.hand_out(checkout) == []
    added[0].unlink()
    course.reset(checkout, added[0].stem)
    assert "the solution" not in words(added[0])


def test_work_from_another_computer_is_not_called_old(checkout, mine):
    write_lesson(checkout / "notebooks" / "05_training.ipynb", "train")
    write_lesson(mine / "05_training.ipynb", "train and mine")
    assert course.hand_out(checkout) == course.hand_out(checkout) == []
    assert words(mine / "05_training.ipynb") == ["train and mine"]


def test_a_copy_stays_when_its_lesson_is_gone(checkout, mine):
    before = (mine / "04_hats.ipynb").read_bytes()
    (checkout / "notebooks" / "04_hats.ipynb").unlink()
    gone = "04_hats.ipynb: this lesson is no longer part of the course; your copy is kept."
    assert course.hand_out(checkout) == [gone]
    assert course.hand_out(checkout) == []
    assert (mine / "04_hats.ipynb").read_bytes() == before


def test_a_project_in_a_folder_is_copied_found_and_given_back(checkout, mine):
    write_lesson(checkout / "notebooks" / "projects" / "amounts.ipynb", "period")
    assert course.hand_out(checkout) == ["projects/amounts.ipynb: new."]
    assert course.find_lesson(checkout / "notebooks", "amounts").as_posix() == "projects/amounts.ipynb"
    write_lesson(mine / "projects" / "amounts.ipynb", "my conjecture")
    assert course.reset(checkout, "amounts")[0].endswith("my-notebooks/projects/amounts-mine-1.ipynb.")


def test_only_the_texts_of_a_students_own_copies_cannot_be_deleted(checkout, mine, tmp_path, monkeypatch):
    monkeypatch.chdir(checkout)
    lesson = checkout / "notebooks" / "05_texts.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("text")]), lesson)
    course.hand_out(checkout)
    course.student_copy(tmp_path / "given")
    course.reset(checkout, "05")
    files = (mine / lesson.name, tmp_path / "given" / lesson.name, lesson)
    said = [nbformat.read(file, 4).cells[0].metadata for file in files]
    assert said == [{"deletable": False}, {}, {}]
    assert "deletable" not in (mine / "04_hats.ipynb").read_text(encoding="utf-8")
