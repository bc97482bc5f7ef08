"""The student's copies are never overwritten, JupyterLab starts or says why not, notebooks are stored in one form."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

from coincourse import course, terminal
from coinlib import loops


def write_lesson(file: Path, *cells: str, output: str = "") -> None:
    """A notebook whose code cells are `cells`; all of them print `output`."""
    code = [nbformat.v4.new_code_cell(cell) for cell in cells]
    for cell in code if output else ():
        cell.outputs = [nbformat.v4.new_output("stream", text=output)]
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": course.KERNEL}), file)


def words(file: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(file, 4).cells]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A course of two lessons, a picture and a data set, of which Jupyter knows nothing from before."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / ".jupyter"))
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "coinlib"\n')
    write_lesson(tmp_path / "notebooks" / "00_start_here.ipynb", "1 + 1")
    write_lesson(tmp_path / "notebooks" / "04_hats.ipynb", "hats = 10", "hats")
    (tmp_path / "notebooks" / "pictures").mkdir()
    (tmp_path / "notebooks" / "pictures" / "hat.txt").write_text("a hat")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games.csv").write_text("winner\n1\n")
    return tmp_path


@pytest.fixture
def inside(checkout, monkeypatch):
    """The same course, with the current folder inside it."""
    monkeypatch.chdir(checkout / "notebooks")
    return checkout


# Where things are


def test_the_course_is_found_from_any_folder_inside_it(checkout):
    assert course.home(checkout) == course.home(checkout / "notebooks" / "pictures") == checkout


def test_outside_any_checkout_the_one_of_the_library_is_meant(tmp_path):
    assert course.home(tmp_path) == Path(course.__file__).resolve().parent.parent


def test_no_checkout_at_all_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "__file__", str(tmp_path / "site-packages" / "coincourse" / "course.py"))
    with pytest.raises(course.CourseError, match="is not inside the course"):
        course.home(tmp_path)


def test_data_is_found_from_a_copy_of_a_lesson(inside):
    assert course.data("games.csv").read_text() == "winner\n1\n"
    assert course.data() == inside / "data"


def test_missing_data_names_what_is_there(inside):
    with pytest.raises(course.CourseError, match=r"data/ holds no 'game.csv'\. It holds: games\.csv\."):
        course.data("game.csv")


# The student's copies


def test_the_first_time_everything_is_copied(checkout):
    lines = course.hand_out(checkout)
    copies = checkout / "my-notebooks"
    assert words(copies / "04_hats.ipynb") == ["hats = 10", "hats"]
    assert (copies / "pictures" / "hat.txt").read_text() == "a hat"
    assert lines == [f"Your copies of the lessons are in {copies}."]


def test_the_second_time_nothing_happens(checkout):
    course.hand_out(checkout)
    before = {file: file.read_bytes() for file in (checkout / "my-notebooks").rglob("*") if file.is_file()}
    assert course.hand_out(checkout) == []
    assert before == {file: file.read_bytes() for file in (checkout / "my-notebooks").rglob("*") if file.is_file()}


def test_a_new_lesson_is_added(checkout):
    course.hand_out(checkout)
    write_lesson(checkout / "notebooks" / "05_training.ipynb", "train")
    assert course.hand_out(checkout) == ["05_training.ipynb: new."]
    assert words(checkout / "my-notebooks" / "05_training.ipynb") == ["train"]


def test_a_lesson_that_was_only_run_is_brought_up_to_date(checkout):
    course.hand_out(checkout)
    copy = checkout / "my-notebooks" / "04_hats.ipynb"
    write_lesson(copy, "hats = 10", "hats", "", output="10")  # run, and an empty cell came at the end
    write_lesson(checkout / "notebooks" / "04_hats.ipynb", "hats = 12")
    assert course.hand_out(checkout) == ["04_hats.ipynb: brought up to date."]
    assert words(copy) == ["hats = 12"]


def test_a_lesson_with_the_students_words_is_left_alone(checkout):
    course.hand_out(checkout)
    copy = checkout / "my-notebooks" / "04_hats.ipynb"
    write_lesson(copy, "hats = 10", "hats + 1")
    mine = copy.read_bytes()
    assert course.hand_out(checkout) == []  # nothing new: nothing to say
    write_lesson(checkout / "notebooks" / "04_hats.ipynb", "hats = 12")
    for _ in range(2):
        (line,) = course.hand_out(checkout)
        assert "there is a newer version, but you have written in yours; `coinlib reset 04_hats`" in line
        assert copy.read_bytes() == mine


@pytest.mark.parametrize("note", [None, "", "[]", "{broken"])
def test_without_its_note_nothing_is_overwritten(checkout, note):
    course.hand_out(checkout)
    copies = checkout / "my-notebooks"
    write_lesson(copies / "04_hats.ipynb", "mine")
    if note is None:
        (copies / course.NOTE).unlink()
    else:
        (copies / course.NOTE).write_text(note)
    course.hand_out(checkout)
    assert words(copies / "04_hats.ipynb") == ["mine"]


def test_a_lesson_that_was_deleted_comes_back(checkout):
    course.hand_out(checkout)
    (checkout / "my-notebooks" / "04_hats.ipynb").unlink()
    assert course.hand_out(checkout) == ["04_hats.ipynb: new."]


def test_a_copy_that_is_no_longer_a_notebook_is_left_alone(checkout):
    course.hand_out(checkout)
    copy = checkout / "my-notebooks" / "04_hats.ipynb"
    copy.write_text("{ half a note")
    write_lesson(checkout / "notebooks" / "04_hats.ipynb", "hats = 12")
    course.hand_out(checkout)
    assert copy.read_text() == "{ half a note"


def test_what_tools_leave_behind_is_not_handed_out(checkout):
    write_lesson(checkout / "notebooks" / ".ipynb_checkpoints" / "04_hats-checkpoint.ipynb", "old")
    course.hand_out(checkout)
    assert not (checkout / "my-notebooks" / ".ipynb_checkpoints").exists()


def test_copies_that_cannot_be_written_are_said(checkout):
    (checkout / "my-notebooks").write_text("a file where a folder should be")
    with pytest.raises(course.CourseError, match="cannot be written"):
        course.hand_out(checkout)


def test_copies_say_what_the_lesson_says_and_show_no_outputs(checkout):
    """An output under a question would be its answer."""
    original = checkout / "notebooks" / "04_hats.ipynb"
    write_lesson(original, "hats", output="the answer")
    assert "the answer" in original.read_text()
    course.hand_out(checkout)
    copy = checkout / "my-notebooks" / "04_hats.ipynb"
    assert "the answer" not in copy.read_text()
    assert all(not cell.outputs and cell.execution_count is None for cell in code_cells(copy))
    assert course.fingerprint(copy) == course.fingerprint(original)
    write_lesson(copy, "my hats", output="mine")
    course.reset(checkout, "04")
    assert "the answer" not in copy.read_text()


def code_cells(path):
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


# Giving back


def test_reset_keeps_what_was_written(checkout):
    course.hand_out(checkout)
    copies = checkout / "my-notebooks"
    for number in (1, 2):
        write_lesson(copies / "04_hats.ipynb", f"my work {number}")
        assert course.reset(checkout, "04") == [
            f"What you wrote is kept as my-notebooks/04_hats-mine-{number}.ipynb.",
            "my-notebooks/04_hats.ipynb is as it was handed out.",
        ]
        assert words(copies / f"04_hats-mine-{number}.ipynb") == [f"my work {number}"]
        assert words(copies / "04_hats.ipynb") == ["hats = 10", "hats"]
    assert course.hand_out(checkout) == []


def test_reset_of_an_unchanged_lesson_keeps_nothing(checkout):
    assert course.reset(checkout, "04") == ["my-notebooks/04_hats.ipynb is as it was handed out."]
    assert not list((checkout / "my-notebooks").glob("*-mine-*"))


@pytest.mark.parametrize("wanted", ["4", "04", "04_hats", "04_hats.ipynb", "my-notebooks/04_hats.ipynb"])
def test_a_lesson_is_found_by_number_or_name(checkout, wanted):
    assert course.find_lesson(checkout / "notebooks", wanted) == Path("04_hats.ipynb")


@pytest.mark.parametrize("wanted", ["7", "hat", "", "404"])
def test_an_unknown_lesson_lists_those_that_there_are(checkout, wanted):
    with pytest.raises(course.CourseError, match=f"No lesson is called {wanted!r}. There are: 00_start_here, 04_hats."):
        course.find_lesson(checkout / "notebooks", wanted)


# JupyterLab


@pytest.fixture
def taken():
    """A port on which something listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_is_said(taken):
    with pytest.raises(course.CourseError, match=f"Port {taken} is taken.*--port"):
        course.choose_port(taken)


def test_without_a_wish_the_next_free_port_is_used(taken, monkeypatch):
    monkeypatch.setattr(course, "PORTS", range(taken, taken + 20))
    assert course.choose_port() in range(taken + 1, taken + 20)
    monkeypatch.setattr(course, "PORTS", range(taken, taken + 1))
    with pytest.raises(course.CourseError, match="are taken"):
        course.choose_port()


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none_is_said(port):
    with pytest.raises(course.CourseError, match="a number from 1 to 65535"):
        course.choose_port(port)


@pytest.mark.parametrize("root", [True, False])
def test_root_alone_needs_leave(monkeypatch, root):
    monkeypatch.setattr(course, "is_root", lambda: root)
    assert ("--allow-root" in course.lab_command(Path("lessons"), "00.ipynb", 8888)) == root


def test_a_missing_jupyterlab_is_said(monkeypatch):
    monkeypatch.setattr(course.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(course.CourseError, match="JupyterLab is not installed here"):
        course.open_lab(Path("lessons"), "00.ipynb", 8888)


def test_a_jupyterlab_that_cannot_start_is_said(monkeypatch):
    monkeypatch.setattr(course, "lab_command", lambda *_: [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(course.CourseError, match=r"could not start.*status 3"):
        course.open_lab(Path("lessons"), "00.ipynb", 8888)


def answer(url: str) -> dict:
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with straight.open(url, timeout=10) as reply:
        return json.load(reply)


def test_the_lab_opens_at_the_welcome_lesson_and_stops_when_asked(checkout):
    port = course.choose_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "coincourse", "lab", "--no-browser", "--port", str(port)],
        cwd=checkout / "data",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said, address = "", None
        for line in process.stdout:
            said += line
            if address := re.search(rf"http://127\.0\.0\.1:{port}(/lab/tree/\S+)\?token=(\w+)", line):
                break
        assert address, said
        assert address[1] == "/lab/tree/00_start_here.ipynb"
        assert f"JupyterLab opens 00_start_here.ipynb on port {port}." in said
        assert ("--allow-root" in said) == course.is_root()
        deadline = time.monotonic() + 30
        while course.port_is_free(port) and time.monotonic() < deadline:
            time.sleep(0.1)
        shown = answer(f"http://127.0.0.1:{port}/api/contents?token={address[2]}")
        assert {"00_start_here.ipynb", "04_hats.ipynb"} <= {entry["name"] for entry in shown["content"]}
        pop_ups = "lab/api/settings/@jupyterlab/apputils-extension:notification"
        settings = answer(f"http://127.0.0.1:{port}/{pop_ups}?token={address[2]}")["schema"]["properties"]
        assert settings["fetchNews"]["default"] == "false"
        assert settings["checkForUpdates"]["default"] is False
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 0


# The command


def test_errors_are_one_line_and_status_2(inside, capsys, taken):
    (inside / "broken.ipynb").write_text("no notebook")
    for typed in ("reset 9", f"lab --port {taken}", "lab 9", "execute no-such-file.ipynb", "execute ../broken.ipynb"):
        assert terminal.main(typed.split()) == 2
        said = capsys.readouterr()
        assert said.err.startswith(f"coinlib {typed.split()[0]}: ")
        assert said.err.count("\n") == 1 and "Traceback" not in said.err


@pytest.mark.parametrize("typed", ["nothing", "lab --port eight", "reset", "lab --colour red"])
def test_a_mistyped_command_is_one_line_and_status_2(typed, capsys):
    assert terminal.main(typed.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_folder_of_lessons_is_said(inside, monkeypatch, capsys):
    monkeypatch.chdir(inside)
    (inside / "notebooks").rename(inside / "elsewhere")
    assert terminal.main(["lab", "--no-browser"]) == 2
    assert "The folder notebooks/ is missing" in capsys.readouterr().err


def test_the_command_without_words_lists_its_commands(capsys):
    assert terminal.main([]) == 0
    assert set(terminal.COMMANDS) <= set(capsys.readouterr().out.split())


def test_reset_and_execute_are_commands(inside, capsys):
    assert terminal.main(["reset", "04"]) == 0
    assert "04_hats.ipynb is as it was handed out." in capsys.readouterr().out
    assert terminal.main(["execute", "04", "--seconds", "60"]) == 0
    (code,) = [cell for cell in nbformat.read(inside / "notebooks" / "04_hats.ipynb", 4).cells if cell.source == "hats"]
    assert code.outputs[0].data["text/plain"] == "10"


@pytest.mark.skipif(loops.numba() is None, reason="Numba is not installed")
def test_the_loops_are_compiled_ahead():
    course.compile_ahead()
    ahead = loops.play_games, loops.value_states, loops.mark_wins, loops.greedy_tables, loops.margin_by_fusing
    assert all(loop.dispatcher().signatures for loop in ahead)


def test_originals_and_a_lesson_of_ones_own_choice(inside, monkeypatch):
    opened = []
    monkeypatch.setattr(course, "open_lab", lambda root, lesson, port, browser: opened.append((root, lesson, browser)))
    assert terminal.main(["lab", "--originals", "--no-browser"]) == 0
    assert not (inside / "my-notebooks").exists()
    assert terminal.main(["lab", "04"]) == 0
    assert opened == [
        (inside, "notebooks/00_start_here.ipynb", False),
        (inside / "my-notebooks", "04_hats.ipynb", True),
    ]


# For authors


def lesson_with_everything(file: Path) -> None:
    """Prints, a live slider, a solution, and what editors and other machines leave behind."""
    write_lesson(
        file,
        "import sys\nprint('one', flush=True)\nprint('two', flush=True)\n",
        "import ipywidgets\nipywidgets.IntSlider(value=3)",
        "6 * 7",
    )
    notebook = nbformat.read(file, 4)
    notebook.cells[2].metadata = {"tags": ["solution"], "execution": {"iopub.status.busy": "now"}}
    notebook.metadata["language_info"] = {"name": "python", "version": "2.7"}
    notebook.metadata["kernelspec"] = {"name": "my-own-kernel", "display_name": "mine", "language": "python"}
    nbformat.write(notebook, file)


def test_executing_twice_changes_nothing(tmp_path):
    file = tmp_path / "lesson.ipynb"
    lesson_with_everything(file)
    assert course.execute(file) is True
    stored = file.read_bytes()
    assert course.execute(file) is False
    assert file.read_bytes() == stored


def test_what_is_stored_is_tidy(tmp_path):
    file = tmp_path / "lesson.ipynb"
    lesson_with_everything(file)
    course.execute(file)
    assert file.read_text().endswith("}\n")
    notebook = nbformat.read(file, 4)
    assert notebook.metadata == {"kernelspec": course.KERNEL, "language_info": course.LANGUAGE}
    assert [cell.id for cell in notebook.cells] == ["cell-01", "cell-02", "cell-03"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3]
    assert [output.text for output in notebook.cells[0].outputs] == ["one\ntwo\n"]
    assert set(notebook.cells[1].outputs[0].data) == {"text/plain"}
    assert notebook.cells[2].metadata == {"tags": ["solution"], "jupyter": {"source_hidden": True}}
    assert notebook.cells[2].outputs[0].data["text/plain"] == "42"


def test_a_failing_cell_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "lesson.ipynb"
    write_lesson(file, "print('fine')", "hats = 1 / 0")
    before = file.read_bytes()
    with pytest.raises(course.CourseError, match=r"lesson\.ipynb: a cell failed with ZeroDivisionError"):
        course.execute(file)
    assert file.read_bytes() == before


def test_a_cell_that_never_ends_is_given_up(tmp_path):
    file = tmp_path / "lesson.ipynb"
    write_lesson(file, "while True: pass")
    with pytest.raises(course.CourseError, match="The file is left as it was"):
        course.execute(file, seconds=1)


def test_authors_may_name_lessons_or_files(inside):
    assert course.meant() == [inside / "notebooks" / name for name in ("00_start_here.ipynb", "04_hats.ipynb")]
    assert course.meant(["4", "00_start_here.ipynb"]) == [
        inside / "notebooks" / "04_hats.ipynb",
        Path("00_start_here.ipynb"),
    ]


def test_a_stored_lesson_shows_no_bar_of_a_slow_machine(tmp_path):
    path = tmp_path / "bars.ipynb"
    code = "import os\nprint(os.environ['TQDM_DISABLE'])"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), path)
    assert course.execute(path)
    assert nbformat.read(path, 4).cells[0].outputs[0].text == "1\n"
