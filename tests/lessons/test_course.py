"""Where the course and its lessons are found, and what the commands for lessons do and say."""

from pathlib import Path

import pytest

from coincourse import course, terminal
from coincourse.course import places, progress
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
    with pytest.raises(course.CourseError, match=r"data/ has no 'game.csv'\. It contains: spiele ß\.csv\."):
        course.data("game.csv")


WINDOWS = r"C:\Users\Ö x\notebooks\04_hats.ipynb"


def test_a_lesson_is_found_by_number_or_name(checkout):
    for wanted in ("4", "04", "04_hats", "04_hats.ipynb", WINDOWS):
        assert course.find_lesson(checkout / "notebooks", wanted) == Path("04_hats.ipynb")
    for wanted in ("7", "hat", ""):
        said = f"No lesson is called {wanted!r}. There are: 00_start_here, 04_hats."
        with pytest.raises(course.CourseError, match=said):
            course.find_lesson(checkout / "notebooks", wanted)


@pytest.mark.skipif(compiling.numba_or_none() is None, reason="Numba is not installed")
def test_the_loops_are_compiled_ahead():
    course.compile_ahead()
    ahead = loops.play_games, loops.value_states, loops.mark_wins, loops.greedy_tables, loops.fuse_peaks
    assert all(loop.dispatcher().signatures for loop in [*ahead, loops.value_splits])


# --- the command ----------------------------------------------------------------------------------------


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


def test_reset_is_a_command(inside, capsys):
    assert terminal.main(["reset", "04"]) == 0
    assert "04_hats.ipynb is the course's version again." in capsys.readouterr().out


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
    assert "\n04 ● Hats: 1 of 2 exercises, 0 of 2 with a ★, 0 of 3 predictions made\n" in capsys.readouterr().out
    course.reset(inside, "04")
    assert kept.done_in("hats").exercises == set() and kept.done_in("start_here").exercises == {"finish"}


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
