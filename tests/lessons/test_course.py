"""Copies are never overwritten, JupyterLab starts or says why not, notebooks are stored in one form."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from small_course import words, write_lesson

from coincourse import course, terminal
from coincourse.course import authors, places, progress
from coincourse.course.copies import NOTE
from coinlib import compiling, loops


@pytest.fixture
def inside(checkout, monkeypatch):
    """The small course, with the current folder inside it."""
    monkeypatch.chdir(checkout / "notebooks")
    return checkout


@pytest.fixture
def mine(checkout):
    """The student's copies of it."""
    course.hand_out(checkout)
    return checkout / "my-notebooks"


# Where things are


def test_the_course_is_found_from_any_folder_inside_it(checkout, tmp_path, monkeypatch):
    assert course.home(checkout) == course.home(checkout / "notebooks" / "pictures") == checkout
    assert course.home(tmp_path) == Path(places.__file__).resolve().parents[2]
    elsewhere = tmp_path / "site-packages" / "coincourse" / "course" / "places.py"
    monkeypatch.setattr(places, "__file__", str(elsewhere))
    with pytest.raises(course.CourseError, match="is not inside the course"):
        course.home(tmp_path)


def test_data_is_found_from_a_copy_of_a_lesson(inside):
    assert course.data("spiele ß.csv").read_text() == "winner\n1\n"
    assert course.data() == inside / "data"
    with pytest.raises(course.CourseError, match=r"data/ holds no 'game.csv'\. It holds: spiele ß\.csv\."):
        course.data("game.csv")


WINDOWS = r"C:\Users\Ö x\notebooks\04_hats.ipynb"


@pytest.mark.parametrize("wanted", ["4", "04", "04_hats", "04_hats.ipynb", WINDOWS])
def test_a_lesson_is_found_by_number_or_name(checkout, wanted):
    assert course.find_lesson(checkout / "notebooks", wanted) == Path("04_hats.ipynb")


@pytest.mark.parametrize("wanted", ["7", "hat", ""])
def test_an_unknown_lesson_lists_those_that_there_are(checkout, wanted):
    said = f"No lesson is called {wanted!r}. There are: 00_start_here, 04_hats."
    with pytest.raises(course.CourseError, match=said):
        course.find_lesson(checkout / "notebooks", wanted)


# The student's copies


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
    assert course.hand_out(checkout) == ["04_hats.ipynb: brought up to date."]
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
    assert course.reset(checkout, "04") == ["my-notebooks/04_hats.ipynb is as it was handed out."]
    for number in (1, 2):
        write_lesson(mine / "04_hats.ipynb", f"my work {number}")
        assert course.reset(checkout, "04") == [
            f"What you wrote is kept as my-notebooks/04_hats-mine-{number}.ipynb.",
            "my-notebooks/04_hats.ipynb is as it was handed out.",
        ]
        assert words(mine / f"04_hats-mine-{number}.ipynb") == [f"my work {number}"]
        assert words(mine / "04_hats.ipynb") == ["hats = 10", "hats"]
    assert course.hand_out(checkout) == []


def test_a_copy_stays_when_its_lesson_is_gone(checkout, mine):
    before = (mine / "04_hats.ipynb").read_bytes()
    (checkout / "notebooks" / "04_hats.ipynb").unlink()
    gone = "04_hats.ipynb: the course has no lesson of this name any more; your copy stays as it is."
    assert course.hand_out(checkout) == [gone]
    assert course.hand_out(checkout) == []
    assert (mine / "04_hats.ipynb").read_bytes() == before


def test_a_project_in_a_folder_is_copied_found_and_given_back(checkout, mine):
    write_lesson(checkout / "notebooks" / "projects" / "amounts.ipynb", "period")
    assert course.hand_out(checkout) == ["projects/amounts.ipynb: new."]
    assert course.find_lesson(checkout / "notebooks", "amounts").as_posix() == "projects/amounts.ipynb"
    write_lesson(mine / "projects" / "amounts.ipynb", "my conjecture")
    assert course.reset(checkout, "amounts")[0].endswith("my-notebooks/projects/amounts-mine-1.ipynb.")


# JupyterLab


@pytest.fixture
def taken():
    """A port on which something listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_is_said(taken, capfd):
    with pytest.raises(course.CourseError, match=r"could not start.*status 1"):
        course.open_lab(Path(), "00.ipynb", taken)
    assert f"port {taken} is not available" in capfd.readouterr().err


def answer(url: str, process: subprocess.Popen) -> dict:
    """What a server answers: JupyterLab says where it is a moment before it listens there."""
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while process.poll() is None:
        try:
            with straight.open(url, timeout=60) as reply:
                return json.load(reply)
        except urllib.error.URLError as trouble:
            if not isinstance(trouble.reason, ConnectionRefusedError):
                raise
    raise AssertionError(f"the server ended with status {process.returncode}")


def test_the_lab_opens_at_the_welcome_lesson_and_stops_when_asked(checkout):
    """On a port that is free, since none is named."""
    process = subprocess.Popen(
        [sys.executable, "-m", "coincourse", "lab", "--no-browser"],
        cwd=checkout / "data",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said, address = "", None
        for line in process.stdout:
            said += line
            if address := re.search(r"(http://127\.0\.0\.1:\d+)(/lab/tree/\S+)\?token=(\w+)", line):
                break
        assert address, said
        host, page, token = address.groups()
        assert page == "/lab/tree/00_start_here.ipynb"
        assert "JupyterLab opens 00_start_here.ipynb. Press Ctrl-C twice here to stop it." in said
        shown = answer(f"{host}/api/contents?token={token}", process)
        assert {"00_start_here.ipynb", "04_hats.ipynb"} <= {entry["name"] for entry in shown["content"]}
        pop_ups = "lab/api/settings/@jupyterlab/apputils-extension:notification"
        settings = answer(f"{host}/{pop_ups}?token={token}", process)["schema"]["properties"]
        assert settings["fetchNews"]["default"] == "false"
        assert settings["checkForUpdates"]["default"] is False
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode == 0


@pytest.mark.skipif(compiling.numba() is None, reason="Numba is not installed")
def test_the_loops_are_compiled_ahead():
    course.compile_ahead()
    ahead = loops.play_games, loops.value_states, loops.mark_wins, loops.greedy_tables, loops.margin_by_fusing
    assert all(loop.dispatcher().signatures for loop in [*ahead, loops.value_splits])


# The command


def test_errors_are_one_line_and_status_2(inside, capsys):
    (inside / "broken.ipynb").write_text("no notebook")
    typed = ["nothing", "reset", "reset 9", "lab --port eight", "lab 9"]
    for line in [*typed, "lab --colour red", "execute no-such-file.ipynb", "execute ../broken.ipynb"]:
        assert terminal.main(line.split()) == 2
        said = capsys.readouterr().err
        assert said.startswith("coinlib") and said.count("\n") == 1
    (inside / "notebooks").rename(inside / "elsewhere")
    assert terminal.main(["lab", "--no-browser"]) == 2
    assert "`git restore notebooks` brings them back." in capsys.readouterr().err


def test_the_command_without_words_lists_its_commands(capsys):
    assert terminal.main([]) == 0
    assert set(terminal.COMMANDS) <= set(capsys.readouterr().out.split())


def test_reset_and_execute_are_commands(inside, capsys):
    assert terminal.main(["reset", "04"]) == 0
    assert "04_hats.ipynb is as it was handed out." in capsys.readouterr().out
    assert terminal.main(["execute", "04", "--seconds", "60"]) == 0
    stored = nbformat.read(inside / "notebooks" / "04_hats.ipynb", 4)
    (code,) = [cell for cell in stored.cells if cell.source == "hats"]
    assert code.outputs[0].data["text/plain"] == "10"


def test_the_kernels_learn_where_to_keep_what_is_done_and_only_for_copies(mine, monkeypatch):
    monkeypatch.setenv(progress.FOLDER, "elsewhere")
    assert progress.FOLDER not in course.lab_environment()
    assert course.lab_environment(mine)[progress.FOLDER] == str(mine)


def test_reset_forgets_what_is_done_in_that_lesson_and_the_terminal_shows_the_map(inside, mine, monkeypatch, capsys):
    kept = progress.Progress(mine)
    kept.note_right("hats", "settle")
    kept.note_right("start_here", "finish")
    monkeypatch.setattr(course, "open_lab", lambda *_, **__: None)
    assert terminal.main(["lab"]) == 0
    assert "\n04 Hats: 1 of 2 exercises, 0 of 2 with a ★, 0 of 3 predictions\n" in capsys.readouterr().out
    course.reset(inside, "04")
    assert kept.of("hats").exercises == set() and kept.of("start_here").exercises == {"finish"}


def test_only_the_texts_of_a_students_own_copies_cannot_be_deleted(inside, mine, tmp_path):
    lesson = inside / "notebooks" / "05_texts.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("text")]), lesson)
    course.hand_out(inside)
    course.student_copy(tmp_path / "given")
    course.reset(inside, "05")
    said = [
        nbformat.read(file, 4).cells[0].metadata
        for file in (mine / lesson.name, tmp_path / "given" / lesson.name, lesson)
    ]
    assert said == [{"deletable": False}, {}, {}]
    assert "deletable" not in (mine / "04_hats.ipynb").read_text(encoding="utf-8")


def test_originals_and_a_lesson_of_ones_own_choice(inside, monkeypatch):
    opened = []

    def open_lab(root, lesson, port, browser, copies):
        opened.append((root, lesson, browser, copies))

    monkeypatch.setattr(course, "open_lab", open_lab)
    assert terminal.main(["lab", "--originals", "--no-browser"]) == 0
    assert not (inside / "my-notebooks").exists()
    assert terminal.main(["lab", "04"]) == 0
    assert opened == [
        (inside, "notebooks/00_start_here.ipynb", False, None),
        (inside / "my-notebooks", "04_hats.ipynb", True, inside / "my-notebooks"),
    ]


# For authors


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


def test_executing_twice_changes_nothing(lesson):
    assert course.execute(lesson) is True
    stored = lesson.read_bytes()
    assert course.execute(lesson) is False
    assert lesson.read_bytes() == stored


def test_what_is_stored_is_tidy(lesson):
    course.execute(lesson)
    assert lesson.read_text().endswith("}\n")
    notebook = nbformat.read(lesson, 4)
    assert notebook.metadata == {"kernelspec": authors.KERNEL, "language_info": authors.LANGUAGE}
    assert [cell.id for cell in notebook.cells] == ["cell-01", "cell-02", "cell-03"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3]
    assert [output.text for output in notebook.cells[0].outputs] == ["1\ntwo\n"]  # no bars, and one text
    assert set(notebook.cells[1].outputs[0].data) == {"text/plain"}
    assert notebook.cells[2].metadata == {"tags": ["x"]}
    assert notebook.cells[2].outputs[0].data["text/plain"] == "42"


def test_a_stub_and_its_solution_name_their_exercise():
    stub = nbformat.v4.new_code_cell("def mine():\n    ...\n\ncheck.settle(mine)")
    solution = nbformat.v4.new_markdown_cell("mine = print", metadata={"tags": ["solution"]})
    no_stub = nbformat.v4.new_code_cell("mine()", metadata={"coinlib": {"exercise": "draw"}})
    notebook = nbformat.v4.new_notebook(cells=[stub, solution, no_stub])
    authors.tidy(notebook)
    noted = [cell.metadata.get("coinlib") for cell in notebook.cells]
    assert noted == [{"exercise": "settle"}, {"solution": "settle"}, None]


@pytest.mark.parametrize(
    ("cell", "seconds", "words"),
    [
        ("hats = 1 / 0", 300, "a cell failed with ZeroDivisionError: division by zero"),
        ("while 1: pass", 1, "A cell timed"),
    ],
)
def test_a_failing_cell_leaves_the_file_as_it_was(tmp_path, cell, seconds, words):
    file = tmp_path / "lesson.ipynb"
    write_lesson(file, cell)
    before = file.read_bytes()
    with pytest.raises(course.CourseError, match=rf"lesson\.ipynb: {words}.*\. The file is left as it was\."):
        course.execute(file, seconds)
    assert file.read_bytes() == before


def test_authors_may_name_lessons_or_files(inside):
    lessons = inside / "notebooks"
    assert course.meant() == [lessons / "00_start_here.ipynb", lessons / "04_hats.ipynb"]
    meant = course.meant(["4", "00_start_here.ipynb"])
    assert meant == [lessons / "04_hats.ipynb", Path("00_start_here.ipynb")]
