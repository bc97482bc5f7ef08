"""A full disk, folders that are read-only or missing, and letters a terminal lacks: docs/hostile.md."""

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
from paths import ROOT
from small_course import write_lesson

from coincourse import course
from coincourse.checks import engine, sticks_left
from coincourse.outside.sandbox import server
from coincourse.terminal.sandbox import maker
from coinlib import sticks
from coinlib.files import whole_file

UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals and limits")
SIX = sticks(6)


def everything(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# --- a full disk ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def full_disk(left: int = 0):
    """Inside this block no file can grow beyond this many bytes, as on a full disk."""
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
        assert course.hand_out(checkout) == []  # nothing new to write, so the course opens
    write_lesson(checkout / "my-notebooks" / "04_hats.ipynb", "my_work")
    write_lesson(checkout / "notebooks" / "00_start_here.ipynb", "new")
    before = everything(checkout)
    words = f"cannot be written: {os.strerror(errno.EFBIG)}. Your work is not lost"
    with full_disk(), pytest.raises(course.CourseError, match=words):
        course.hand_out(checkout)
    with full_disk(), pytest.raises(OSError, match="games.csv"):
        server._append(record, ["1:1 " * 1000])
    assert everything(checkout) == before
    assert len(course.hand_out(checkout)) > 0  # there is room again


WRITING = re.compile(r"\.(write_text|write_bytes|savefig|savez_compressed|to_csv)\((?!sep)")


def functions_in(file: Path) -> list[str]:
    """The code of each function in a file, without its docstring."""
    found = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            without_examples = node.body[bool(ast.get_docstring(node)) :]
            found.append("\n".join(map(ast.unparse, without_examples)))
    return found


def test_whatever_writes_a_file_writes_it_whole():
    """So what is true of these is also true of learners, marks, tournaments, graphs, copies and stored lessons."""
    loose = []
    for package in ("coinlib", "coincourse"):
        for file in (ROOT / package).rglob("*.py"):
            code = functions_in(file)
            writers = [text for text in code if WRITING.search(text) and "BytesIO(" not in text]
            loose += [text for text in writers if "whole_file(" not in text]
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


# --- where nothing can be written -----------------------------------------------------------------------


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
    assert course.reset(checkout, "04") == ["my-notebooks/04_hats.ipynb is the course's version again."]
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    assert course.folder_of_copies(checkout) == inside  # and the message says that it cannot be written


def test_without_a_home_jupyterlab_gets_folders_that_can_be_written(monkeypatch, tmp_path):
    seen = {}

    class Process:
        def __init__(self, command, env, cwd):
            seen.update(env, there=os.path.isdir(env["HOME"]), cwd=cwd)

        def wait(self):
            return 0

    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    monkeypatch.setattr(subprocess, "Popen", Process)
    assert course.jupyter._run_until_stopped(["lab"], course.lab_environment(), tmp_path) == 0
    assert seen["cwd"] == tmp_path  # where JupyterLab's terminals start
    assert seen["there"] and not os.path.exists(seen["HOME"])  # removed at the end
    assert course.own_folder() is None
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert course.own_folder() == tmp_path


# --- names and letters ----------------------------------------------------------------------------------


def test_a_folder_with_spaces_umlauts_and_a_long_name(checkout, monkeypatch):
    """All tests of the course run in such a folder; this one checks the messages about it."""
    monkeypatch.chdir(checkout / "notebooks")
    assert course.home() == checkout and "Übung & Spiel č" in str(checkout)
    with pytest.raises(course.CourseError, match="It contains: spiele ß.csv"):
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
