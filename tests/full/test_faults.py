"""Faults: a kernel that is interrupted or killed, a full disk, no home folder, letters a terminal lacks.

Trainings, loops of them and sweeps that are interrupted are tested with the arena. What is promised stands in docs/hostile.md.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import io
import os
import re
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager
from paths import ROOT
from small_course import write_lesson

from coincourse import course
from coincourse.checks import engine, sticks_left
from coincourse.outside.sandbox import server
from coincourse.terminal.sandbox import maker
from coinlib import Hats, sticks
from coinlib.files import whole_file

UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals and limits")
SIX = sticks(6)


def everything(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# --- a kernel -------------------------------------------------------------------------------------------


@UNIX
def test_interrupt_the_kernel_in_a_long_training(tmp_path):
    """As JupyterLab does it, at a moment when games have been learnt."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(tmp_path), extra_arguments=["--HistoryManager.enabled=False"])
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)

    def words(code):
        """What a cell prints; the kernel is interrupted when it has said "on"."""
        printed = []

        def hear(message):
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])
                if printed == ["on\n"]:
                    manager.interrupt_kernel()

        client.execute_interactive(code, output_hook=hear, timeout=60)
        return "".join(printed).split()

    try:
        words("from coinlib import Hats, sticks, train\nhats = Hats(sticks(20), seed=1)\ntrain(hats, hats, games=5)")
        cell = (
            "import threading\n"
            "def tell():\n"
            "    while hats.games == 5:\n"
            "        pass\n"
            "    print('on', flush=True)\n"
            "threading.Thread(target=tell).start()\n"
            "run = train(hats, hats, games=30_000_000)\n"
            "print('off')"
        )
        assert {"on", "off"} <= set(words(cell))
        so_far = "print(run.interrupted, hats.games == 5 + len(run.result) < 30_000_000)"
        assert words(so_far) == ["True", "True"]
        assert words("print(len(train(hats, hats, games=10).result))") == ["10"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_kernel_killed_while_it_trains_and_saves_leaves_a_whole_file(tmp_path):
    """As the button *Restart Kernel* kills it."""
    file = tmp_path / "hats.npz"
    code = (
        "from coinlib import Hats, sticks, train\nhats = Hats(sticks(500), seed=1)\nwhile True:\n"
        f"    train(hats, hats, games=20)\n    hats.save({str(file)!r})\n    print('saved', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as process:
        for _ in range(3):
            assert process.stdout.readline().strip() == b"saved"
        process.kill()
    hats = Hats(sticks(500))
    hats.load(file)
    assert hats.games >= 60 and hats.games % 20 == 0


# --- a full disk ----------------------------------------------------------------------------------------


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


@UNIX
def test_a_full_disk_harms_no_older_file_and_leaves_no_half_one(checkout):
    record = checkout / "games.csv"
    server._make_ready(record)
    course.hand_out(checkout)
    with full_disk():
        assert course.hand_out(checkout) == []  # nothing new, so no reason not to open the course
    write_lesson(checkout / "my-notebooks" / "04_hats.ipynb", "my_work")
    write_lesson(checkout / "notebooks" / "00_start_here.ipynb", "new")
    before = everything(checkout)
    words = f"cannot be written: {os.strerror(errno.EFBIG)}. Nothing that you wrote is lost"
    with full_disk(), pytest.raises(course.CourseError, match=words):
        course.hand_out(checkout)
    with full_disk(), pytest.raises(OSError, match="games.csv"):
        server._append(record, ["1:1 " * 1000])
    assert everything(checkout) == before
    assert len(course.hand_out(checkout)) > 0  # there is room again


def test_whatever_writes_a_file_writes_it_whole():
    """So what holds for these holds for learners, marks, tournaments, graphs, students' copies and stored lessons as well."""
    writing, loose = re.compile(r"\.(write_text|write_bytes|savefig|savez_compressed|to_csv)\((?!sep)"), []
    for path in (file for package in ("coinlib", "coincourse") for file in (ROOT / package).rglob("*.py")):
        functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
        without_examples = [function.body[bool(ast.get_docstring(function)) :] for function in functions]
        programs = map(ast.unparse, without_examples)
        loose += [program for program in programs if writing.search(program) and "whole_file(" not in program]
    assert loose == []


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


# --- where nothing may be written -----------------------------------------------------------------------


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
    assert course.folder_of_copies(checkout) == inside  # and the words say that it cannot be written


NO_HOME = """
import sys
sys.modules["numba"] = None  # to compile the loop of a training takes seconds
from coinlib import Hats, solve, sticks, train
from coinlib.plots import win_rate
hats = Hats(sticks(4), seed=1)
win_rate(train(hats, hats, games=20, seed=1)).figure.savefig("wins.png")
del sys.modules["numba"]
from coinlib import compiling, loops
compiling.numba.cache_clear()
solve(sticks(4))
print(len(loops.mark_wins.dispatcher().signatures))
"""


@UNIX
def test_without_a_home_training_plots_and_compiled_loops_have_a_place(tmp_path):
    pytest.importorskip("numba")
    (tmp_path / "file").write_text("so that not even root can make a folder here")
    nowhere = str(tmp_path / "file" / "home")
    named = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR")
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **dict.fromkeys(named, nowhere)}
    assert subprocess.check_output([sys.executable, "-c", NO_HOME], cwd=tmp_path, env=settings) == b"1\n"
    assert (tmp_path / "wins.png").stat().st_size > 1000


def test_without_a_home_jupyterlab_gets_folders_that_can_be_written(monkeypatch, tmp_path):
    seen = {}

    class Process:
        def __init__(self, command, env):
            seen.update(env, there=os.path.isdir(env["HOME"]))

        def wait(self):
            return 0

    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    monkeypatch.setattr(subprocess, "Popen", Process)
    assert course.jupyter._run_until_stopped(["lab"], course.lab_environment()) == 0
    assert seen["there"] and not os.path.exists(seen["HOME"])  # removed at the end
    assert course.own_folder() is None
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert course.own_folder() == tmp_path


# --- names and letters ----------------------------------------------------------------------------------


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
        (r"C:\Users\Ö x\my agents\mine.py", r"C:\Users\Ö x\my agents\mine.py", ""),
        (r"C:\mine.py:best", r"C:\mine.py", "best"),
        ("my agents/mine.py:best", "my agents/mine.py", "best"),
    ],
)
def test_an_agent_in_a_file_on_a_drive(monkeypatch, named, file, function):
    monkeypatch.setattr("coincourse.outside.tournament.entries.agent_in", lambda *asked: asked)
    assert maker(named, Namespace(seed=None, practice=0))(SIX) == (file, function)


@pytest.mark.parametrize(("encoding", "marks"), [("cp1252", ("[right]", "[not yet]")), ("utf-8", ("✓", "✗"))])
def test_words_on_a_terminal_that_lacks_letters(monkeypatch, encoding, marks):
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", screen)
    engine.show(engine.Verdict("any", True, ("Right.",)))
    sticks_left(lambda before, taken: "ž")
    screen.flush()
    printed = screen.buffer.getvalue().decode(encoding)
    assert all(words in printed for words in (f"{marks[0]} Right.", f"{marks[1]} For 1"))
