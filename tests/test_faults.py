"""Faults: Ctrl-C in an evaluation, a kernel that is restarted, a full disk, no home folder, letters a terminal lacks.

Trainings, loops of them and sweeps that are interrupted are tested with the arena. What is promised stands in docs/hostile.md.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import io
import os
import queue
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from small_course import write_lesson

from coincourse import course, terminal
from coincourse.checks import engine, sticks_left
from coincourse.outside.sandbox import server
from coincourse.outside.tournament import run_tournament
from coincourse.terminal.sandbox import _maker
from coinlib import Hats, RandomAgent, evaluate, sticks, train
from coinlib.files import whole_file

ROOT = Path(__file__).resolve().parent.parent
UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals and limits")
SIX = sticks(6)


def run_python(*words: str, folder: Path = ROOT, **environment: str) -> str:
    """What a Python program says that ends well."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode("utf-8", errors="replace")


def everything(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@UNIX
def test_ctrl_c_in_an_evaluation_gives_generators_back(ctrl_c):
    def pressing(game, state):
        ctrl_c()
        return 1

    agent = RandomAgent(seed=1)
    own = agent.generator
    with pytest.raises(KeyboardInterrupt):
        evaluate(SIX, agent, pressing, games=10, seed=1)
    assert agent.generator is own


# --- a kernel ---------------------------------------------------------------------------------------------


class Kernel:
    """A notebook's kernel, as JupyterLab drives it."""

    def __init__(self, folder: Path) -> None:
        from jupyter_client.manager import KernelManager

        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=str(folder), extra_arguments=["--HistoryManager.enabled=False"])
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def start(self, code: str) -> str:
        """Run a cell; the name by which to ask for it."""
        return self.client.execute(code)

    def said(self, cell: str, until: str = "") -> str:
        """What a cell prints, to its end or until it has said something; an error as its name."""
        words = ""
        while not (until and until in words):
            try:
                message = self.client.get_iopub_msg(timeout=60)
            except queue.Empty:
                raise AssertionError(f"nothing more came after {words!r}") from None
            if message["parent_header"].get("msg_id") != cell:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            words += content["text"] if kind == "stream" and content["name"] == "stdout" else ""
            words += content["ename"] if kind == "error" else ""
        return words

    def run(self, code: str) -> str:
        return self.said(self.start(code))

    def restart(self) -> None:
        """As the button does: the process is killed in the middle of whatever it does."""
        self.manager.restart_kernel(now=True)
        self.client.wait_for_ready(timeout=60)

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    kernel = Kernel(tmp_path_factory.mktemp("kernel"))
    yield kernel
    kernel.close()


@UNIX
def test_interrupt_the_kernel_in_a_long_training(kernel):
    kernel.run("from coinlib import Hats, sticks, train\nhats = Hats(sticks(20), seed=1)\ntrain(hats, hats, games=5)")
    cell = kernel.start(
        "import threading\n"
        "def tell():\n"
        "    while hats.games == 5:\n"
        "        pass\n"
        "    print('on', flush=True)\n"
        "threading.Thread(target=tell).start()\n"
        "run = train(hats, hats, games=30_000_000)\n"
        "print('off')"
    )
    kernel.said(cell, until="on")
    kernel.manager.interrupt_kernel()
    assert kernel.said(cell).strip().endswith("off")
    told = kernel.run("print(run.stopped, hats.games == 5 + len(run.result) < 30_000_000)")
    assert told.split() == ["interrupted", "True"]
    assert kernel.run("print(len(train(hats, hats, games=10).result))").strip() == "10"


def test_a_kernel_restarted_while_it_trains_and_saves_leaves_a_whole_file(kernel, tmp_path):
    file = tmp_path / "hats.npz"
    cell = kernel.start(
        "from coinlib import Hats, sticks, train\nhats = Hats(sticks(500), seed=1)\nwhile True:\n"
        f"    train(hats, hats, games=20)\n    hats.save({str(file)!r})\n    print('saved', flush=True)"
    )
    for _ in range(3):
        kernel.said(cell, until="saved")
    kernel.restart()
    assert kernel.run("hats") == "NameError"  # its memory is gone; lesson 00 says what to do then
    assert "`NameError`" in (ROOT / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    hats = Hats(sticks(500))
    hats.load(file)
    assert hats.games >= 60 and hats.games % 20 == 0


# --- a full disk ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def full_disk(left: int = 0):
    """Inside it no file can grow beyond so many bytes, as on a disk with no more room."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def saves_a_learner(folder, _):
    Hats(SIX, seed=1).save(folder / "hats.npz")
    larger = Hats(sticks(3_000), seed=2)
    train(larger, larger, games=20)
    return lambda: larger.save(folder / "hats.npz")


def gives_out_new_lessons(folder, _):
    course.hand_out(folder)
    write_lesson(folder / "my-notebooks" / "04_hats.ipynb", "my_work")
    write_lesson(folder / "notebooks" / "00_start_here.ipynb", "new")
    return lambda: course.hand_out(folder)


def gives_a_lesson_back(folder, _):
    course.hand_out(folder)
    write_lesson(folder / "my-notebooks" / "04_hats.ipynb", "my_work")
    return lambda: course.reset(folder, "04")


def writes_a_tournament(folder, _):
    run_tournament(["random", "perfect"], ["NIM"], 2, seed=1).write(folder / "games")
    newer = run_tournament(["random", "take_one"], ["NIM"], 20, seed=2)
    return lambda: newer.write(folder / "games")


def records_a_game(folder, _):
    server._open(folder / "games.csv").close()

    def write():
        with server._open(folder / "games.csv") as record:
            server._append(record, "1:1 " * 1000)

    return write


TOO_LARGE = os.strerror(errno.EFBIG)
WRITERS = {
    saves_a_learner: "hats.npz",
    gives_out_new_lessons: f"cannot be written: {TOO_LARGE}. Nothing that you wrote is lost",
    gives_a_lesson_back: f"ipynb cannot be written: {TOO_LARGE}",
    writes_a_tournament: TOO_LARGE,
    records_a_game: "games.csv",
}


@UNIX
@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_a_full_disk_harms_no_older_file_and_leaves_no_half_one(writer, checkout, monkeypatch):
    write = writer(checkout, monkeypatch)
    before = everything(checkout)
    with full_disk(), pytest.raises((OSError, course.CourseError)) as caught:
        write()
    assert WRITERS[writer] in str(caught.value)
    assert everything(checkout) == before
    write()  # there is room again
    assert everything(checkout) != before


def test_whatever_writes_a_file_writes_it_whole():
    """So what holds for these five holds for marks, graphs, students' copies and stored lessons as well."""
    writing, loose = re.compile(r"\.(write_text|write_bytes|savefig|savez_compressed|to_csv)\("), []
    for path in (file for package in ("coinlib", "coincourse") for file in (ROOT / package).rglob("*.py")):
        functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
        programs = [
            ast.unparse(function.body[bool(ast.get_docstring(function)) :]) for function in functions
        ]  # without the examples
        loose += [program for program in programs if writing.search(program) and "whole_file(" not in program]
    assert loose == []


@UNIX
def test_a_full_disk_is_no_reason_not_to_open_the_course(checkout):
    course.hand_out(checkout)
    with full_disk():
        assert course.hand_out(checkout) == []


@UNIX
def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    file = tmp_path / "ü.csv"
    file.write_text("older")
    with pytest.raises(OSError, match="ü.csv"), full_disk(400), whole_file(file) as half:
        half.write_text("half" * 400)
    assert everything(tmp_path) == {"ü.csv": b"older"}
    with whole_file(file) as half:
        half.write_text("newer")
    assert everything(tmp_path) == {"ü.csv": b"newer"}


@UNIX
def test_a_link_stays_a_link_a_device_a_device_and_rights_are_kept(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("older")
    file.chmod(0o600)
    link.symlink_to(file)
    with whole_file(link) as half:
        half.write_text("newer")
    assert link.is_symlink() and file.read_text() == "newer" and file.stat().st_mode & 0o777 == 0o600
    with whole_file("/dev/null") as half:
        assert half == Path("/dev/null")
    assert Path("/dev/null").is_char_device()


# --- where nothing may be written ---------------------------------------------------------------------------


@pytest.mark.parametrize("tried", [False, True], ids=["new", "with copies of whoever shares it"])
def test_a_read_only_checkout_keeps_the_copies_in_the_home_folder(checkout, tmp_path, monkeypatch, tried):
    home, inside, real = tmp_path / "home", checkout / "my-notebooks", os.access

    def access(path, mode):  # root may write anywhere
        return checkout not in (Path(path), *Path(path).parents) and real(path, mode)

    home.mkdir()
    if tried:
        inside.mkdir()
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(os, "access", access)
    assert course.hand_out(checkout) == [f"Your copies of the lessons are in {home / 'my-notebooks'}."]
    assert inside.exists() == tried and not everything(inside)
    assert course.reset(checkout, "04") == ["my-notebooks/04_hats.ipynb is as it was handed out."]
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    assert course.copies(checkout) == inside  # and the words say that it cannot be written


NO_HOME = """
import sys
sys.modules["numba"] = None  # to compile takes seconds
from coinlib import Hats, sticks, train
from coinlib.plots import win_rate
hats = Hats(sticks(4), seed=1)
win_rate(train(hats, hats, games=20, seed=1)).figure.savefig("wins.png")
del sys.modules["numba"]
from coinlib import loops
loops.numba.cache_clear()
train(hats, hats, games=20)
print(len(loops.play_games.dispatcher().signatures))
"""


@UNIX
def test_without_a_home_training_plots_and_compiled_loops_have_a_place(tmp_path):
    pytest.importorskip("numba")
    (tmp_path / "file").write_text("so that not even root can make a folder here")
    nowhere = str(tmp_path / "file" / "home")
    named = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR")
    said = run_python("-c", NO_HOME, folder=tmp_path, **dict.fromkeys(named, nowhere))
    assert said == "1\n" and (tmp_path / "wins.png").stat().st_size > 1000


def test_without_a_home_jupyterlab_gets_folders_that_can_be_written(monkeypatch, tmp_path):
    seen = {}

    class Process:
        def __init__(self, command, env):
            seen.update(env, there=os.path.isdir(env["HOME"]))

        def wait(self):
            return 0

    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    monkeypatch.setattr(subprocess, "Popen", Process)
    assert course._run_until_stopped(["lab"]) == 0
    assert seen["there"] and not os.path.exists(seen["HOME"])  # removed at the end
    assert course.own_folder() is None
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert course.own_folder() == tmp_path


# --- names and letters --------------------------------------------------------------------------------------


def test_a_folder_with_spaces_umlauts_and_a_long_name(checkout, monkeypatch):
    """In such a folder the tests of the course do all their work; here what is said of it."""
    monkeypatch.chdir(checkout / "notebooks")
    assert course.home() == checkout and "Übung & Spiel č" in str(checkout)
    with pytest.raises(course.CourseError, match="It holds: spiele ß.csv"):
        course.data(r"..\spiele.csv")
    assert f"--ServerApp.root_dir={checkout}" in course.lab_command(checkout, "04_hats.ipynb", 8888)


@pytest.mark.parametrize(
    ("named", "file", "function"),
    [
        (r"C:\Users\Ö x\my agents\mine.py", r"C:\Users\Ö x\my agents\mine.py", "agent"),
        (r"C:\mine.py:best", r"C:\mine.py", "best"),
        ("my agents/mine.py:best", "my agents/mine.py", "best"),
    ],
)
def test_an_agent_in_a_file_on_a_drive(monkeypatch, named, file, function):
    monkeypatch.setattr("coincourse.terminal.sandbox._from_file", lambda *asked: asked)
    assert _maker(named, None)(SIX) == (file, function)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_words_on_a_terminal_that_lacks_letters(monkeypatch, encoding):
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", screen)
    engine.report(lambda say: "Right.")
    sticks_left(lambda before, taken: "ž")
    assert terminal.main(["greedy", "1", "2", "--help"]) == 0
    answers = iter(["q 1", "0"])
    monkeypatch.setattr("builtins.input", lambda question: screen.write(question) and next(answers))
    assert terminal.main(["nim", "0", "0", "1"]) == 0
    screen.flush()
    said = screen.buffer.getvalue().decode(encoding)
    marks = ("✓ Right.", "✗ For 1") if encoding == "utf-8" else ("[right] Right.", "[not yet] For 1")
    assert all(mark in said for mark in marks)
    assert "usage: coinlib greedy" in said


@UNIX
def test_the_c_locale(tmp_path):
    """Its names of files are bytes: what is made of them can be stored and shown all the same."""
    (tmp_path / "Übung.py").write_text("def agent(game, state):\n    return 1\n")
    code = (
        "import sys\nfrom coincourse.outside.tournament.entries import read_entries\n"
        "names = [entry.name for entry in read_entries([sys.argv[1], 'random'])]\n"
        "sys.stdout.buffer.write(repr(names).encode())"
    )
    settings = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert run_python("-c", code, str(tmp_path), **settings) == "['Übung', 'random']"
