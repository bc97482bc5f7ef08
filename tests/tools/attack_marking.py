"""Mark a class of honest pupils with attackers among them. Run by hand, since it takes minutes.

    python tests/tools/attack_marking.py [FOLDER]

A class is marked alone and then among attackers. The honest pupils' rows in the table and the sheet, and
their letters, must be the same byte for byte; the course must be unchanged, and no process may be left.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import attackers
import psutil
from hand_ins import HONEST, LESSONS, SOLVED, WRONG, all_of_the_course, answered, hand_in, notebook, outcomes, solutions

import coinlib
from coincourse import course
from coincourse.classroom.desk import Desk, file_name
from coincourse.classroom.handed_in import collect
from coincourse.classroom.marking import ANSWERS, mark
from coincourse.classroom.marks import ABSENT, Marks, as_csv

RIGHT = list(SOLVED.values())
LIMITS = {"seconds": 20, "gigabytes": 1}

# The pipe of calls is filled, and the answer to the call that is running is forged.
FILLS_THE_PIPE = """
    import gc, json, os, time
    runner = next(each for each in gc.get_objects() if type(each).__name__ == "NotebookRunner")
    def run(number):
        for number_of_pipe in range(3, 20):
            try:
                if "pipe" not in os.readlink(f"/proc/self/fd/{number_of_pipe}"):
                    continue
                filled = os.open(f"/proc/self/fd/{number_of_pipe}", os.O_WRONLY | os.O_NONBLOCK)
                while True:
                    os.write(filled, b"x" * 4096)
            except OSError:
                pass
        runner.answering.send("", [])
        time.sleep(999)
    runner.run = run
"""
MEMFD = """
    import os
    held = [os.memfd_create(str(n)) for n in range(40)]
    for each in held:
        os.write(each, bytes(200_000_000))
"""
FORKS = """
    import os, time
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(999)
"""
PROC = """
    import os, pathlib
    found = [str(p) for p in pathlib.Path("/proc/sys").rglob("*") if p.is_file() and os.access(p, os.W_OK)]
    assert not found, found[:5]
    open("/proc/self/oom_score_adj", "w")
"""
LOOKS = """
    import os, glob
    for place in ("WORK", "ANSWERS", os.path.expanduser("~/.ssh"), "/root", "/home", "/etc/passwd"):
        assert not os.path.exists(place) or not os.listdir(place), place
    assert not any("handed" in value for value in os.environ.values())
"""
ABSTRACT = "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\\0' + 'PORT')"
THREADS = """
    import threading
    for _ in range(400):
        threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()
"""
PATCHED_JSON = "import json, pickle\njson.dumps = lambda *_: '[1]'\npickle.Unpickler = None"
HOOKS = """
    import sys
    get_ipython().events.register("post_run_cell", lambda *_: 1 / 0)
    sys.settrace(lambda *_: 1 / 0)
"""
DEEP_FUNCTION = "def chance(*_):\n    return chance()\ncheck.chance(chance)"
SLOW = "import time\ndef chance(*_):\n    time.sleep(999)\ncheck.chance(chance)"
LONG_C = "def chance(*_):\n    return sum(range(10**12))\ncheck.chance(chance)"
PRINTS = """
    print('x' * 200_000_000)
    def chance(*_):
        print('x' * 10**7)
        return 2
    check.chance(chance)
"""
SCREAMS = """
    def chance(*_):
        raise ValueError('<script>' + '\\x1b[2J' + '=1+1;=2' * 10**6)
    check.chance(chance)
"""
SIGNALS = """
    import os, signal
    for number in range(1, 30):
        if number not in (9, 19):
            signal.signal(number, signal.SIG_IGN)
"""
KERNEL = """
    import ctypes
    libc = ctypes.CDLL(None)
    for place in range(1, 5):
        libc.ptrace(16, place, 0, 0)
    libc.kill(-1, 9)
"""
EVERY_ANSWER = """
    class Any(int):
        def __eq__(self, other):
            return True
    def chance(*_):
        return Any()
    check.chance(chance)
"""
MANY_ANSWERS = "for n in range(3000):\n    check.chance(lambda *_: n)"
BACK = """
    def draw(balls, sticks, generator):
        balls.append(generator)
        generator.__class__ = int
        return draw
    check.draw(draw)
"""
# The user's keys are read, added and removed; the first process of the cage is traced.
KEYS = """
    import ctypes
    libc = ctypes.CDLL(None)
    for keyring in (-3, -4, -5):
        libc.syscall(248, b"user", b"attack-key", b"x", 1, keyring)
        found = libc.syscall(250, 10, keyring, b"user", b"teacher-key", 0)
        libc.syscall(250, 21, found)
    assert libc.ptrace(0x4206, 1, 0, 0) == -1
"""
LOCKS = """
    import fcntl, os, time
    for name in ("games.py", "match.py", "agents.py"):
        file = open(os.path.join("LIBRARY", name))
        for lock in (lambda: fcntl.flock(file, 1), lambda: fcntl.lockf(file, 1), lambda: fcntl.fcntl(file, 1024, 0)):
            try:
                lock()
            except OSError:
                pass
    time.sleep(5)
"""
# Small in the pipe, and large in the judge
RANGES = "def chance(*_):\n    return [range(300_000)] * 500\ncheck.chance(chance)"
LONG_NAME = "def chance(*_):\n    raise type('E' * 900_000, (Exception,), {})\ncheck.chance(chance)"
ASKS_FOR_EVER = """
    def ask_number(question, least, most, ask):
        while True:
            ask(question)
    check.ask_number(ask_number)
"""
SIGNS = "# \u202e\u2066" + "a\u0301" * 200 + "\u2800" * 60 + "\n" * 10_100 + WRONG
NOTEBOOKS = {  # each followed by the right answers, and again by wrong ones
    "fills the pipe": FILLS_THE_PIPE,
    "memfd": MEMFD,
    "forks": FORKS,
    "proc": PROC,
    "looks": LOOKS,
    "abstract": ABSTRACT,
    "threads": THREADS,
    "patched json": PATCHED_JSON,
    "hooks": HOOKS,
    "deep function": DEEP_FUNCTION,
    "slow": SLOW,
    "long c": LONG_C,
    "prints": PRINTS,
    "screams": SCREAMS,
    "signals": SIGNALS,
    "kernel": KERNEL,
    "every answer": EVERY_ANSWER,
    "many answers": MANY_ANSWERS,
    "hands back": BACK,
    "floods": attackers.FLOODS + "\n    1 / 0",
    "tower": attackers.TOWER,
    "eats": attackers.EATS,
    "stubborn": attackers.STUBBORN,
    "starts": attackers.STARTS,
    "keys": KEYS,
    "locks": LOCKS,
    "ranges": RANGES,
    "long name": LONG_NAME,
    "signs": SIGNS,
}


def files_of_attackers() -> dict[str, bytes]:
    """What attackers hand in, by file."""
    files = {}
    for name, (cells, _) in (attackers.HOSTILE | attackers.FORGED).items():
        files[f"attack {name}/04.ipynb"] = notebook(*cells)
    for name, source in NOTEBOOKS.items():
        files[f"attack {name}/04.ipynb"] = notebook(source, *RIGHT)
        files[f"attack {name}, wrong/04.ipynb"] = notebook(source, WRONG, *["1 / 0"] * 20)
    for name, (content, _, _) in attackers.BROKEN.items():
        files[f"attack {name}_04.ipynb"] = content
    cell = {"cell_type": "code", "source": WRONG, "metadata": {}}
    heading = {"cell_type": "markdown", "source": "## x" + " " * 1_000_000 + "y"}
    made = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [heading, cell]}
    files["attack blanks/04.ipynb"] = json.dumps(made).encode()
    files["attack metadata/04.ipynb"] = json.dumps(made | {"metadata": {"x": [{}] * 4_000_000}}).encode()
    files["attack cells/04.ipynb"] = json.dumps(made | {"cells": [cell] * 20_000}).encode()
    large = {"source": "x = '\U0001f600" + 19_000_000 * "a" + "'"}
    files["attack large/04.ipynb"] = json.dumps(made | {"cells": [cell | large]}, ensure_ascii=False).encode()
    files["attack lines/04.ipynb"] = json.dumps(made | {"cells": [cell | {"source": "x = 1\n" * 2_000_000}]}).encode()
    files["attack asks for ever/03.ipynb"] = notebook(ASKS_FOR_EVER)
    files |= {f"attack many/{number}.txt": b"" for number in range(3_000)}
    files |= {f"attack notebooks/04 ({number}).ipynb": notebook(WRONG) for number in range(300)}
    files["attack nul/04.ipynb"] = b"\0" * 1000
    files["attack utf/04.ipynb"] = b"\xff\xfe" + json.dumps(made).encode("utf-16-le")
    right = notebook(*RIGHT)
    for name in ("Pupil  1", "Pupil\u00a01", "PUPIL 1", "Pupil 1 ", "Pupil\n1", "=1+1;=2", "<script>", "\u202ePupil 1"):
        files[f"{name}_04.ipynb"] = notebook(WRONG)
    files["Eve/Pupil 1_4711_assignsubmission_file_04.ipynb"] = notebook(WRONG)
    files["Eve/Pupil 2_06.ipynb"] = right
    for name in ("Pupil 1_04", "Pupil 2_04", "Pupil 3_05", "Copy of Pupil 1 - 07"):  # read as a folder of several
        files[f"Eve's class/{name}.ipynb"] = notebook(WRONG)
    files["Eve/students.csv"] = b"path,student\nEve/04.ipynb,Pupil 1"
    files["Eve/coinlib letter Pupil 1.html"] = b"<script>"
    files["attack lines before_04.ipynb"] = notebook("\n" * 20_000 + "# \u202e" + "\u0301" * 500 + f"\n{WRONG}")
    files[f"{file_name('Pupil & Co')}/04.ipynb"] = notebook(WRONG)
    return files


def links_of_attackers(folder: Path) -> None:
    """Links, a pipe, a path that is too long, and names that are not in UTF-8."""
    (folder / "attack links").mkdir()
    (folder / "attack links/04.ipynb").symlink_to(folder / "Pupil 1/04.ipynb")
    (folder / "attack links/up").symlink_to(folder)
    os.mkfifo(folder / "attack links/05.ipynb")
    (folder / os.fsdecode(b"J\xfcrg_04.ipynb")).write_bytes(notebook(WRONG))
    place = os.open(folder, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=place)
        place = os.open("d" * 200, os.O_RDONLY, dir_fd=place)


def key_of_the_teacher() -> int:
    """Put a key into this session's keyring; -1 if there is none."""
    return ctypes.CDLL(None).syscall(248, b"user", b"teacher-key", b"secret", 6, -3)


def keys_changed(key: int) -> list[str]:
    """What has changed in this session's keys."""
    libc = ctypes.CDLL(None)
    changed = []
    if key >= 0 and libc.syscall(250, 10, -3, b"user", b"teacher-key", 0) != key:
        changed.append("the teacher's key")
    if any(libc.syscall(250, 10, keyring, b"user", b"attack-key", 0) >= 0 for keyring in (-3, -4, -5)):
        changed.append("a key that was left behind")
    return changed


@contextlib.contextmanager
def watching_locks() -> Iterator[list[str]]:
    """Try again and again to lock files of the library; the list says which were locked by others."""
    locked: list[str] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.02):
            for name in ("games.py", "match.py", "agents.py"):
                with (Path(coinlib.__file__).parent / name).open() as file:
                    try:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except OSError:
                        locked[:] = [f"a lock on {name}"]

    watching = threading.Thread(target=watch)
    watching.start()
    yield locked
    ended.set()
    watching.join()


def read_while_changing(folder: Path) -> list[str]:
    """Collect a folder again and again, while a file in it becomes a link, a pipe and a file in turn."""
    hand_in(folder, {"Ben/04.ipynb": notebook(*RIGHT), "Eve/04.ipynb": notebook(WRONG), "spare/file": notebook(WRONG)})
    os.mkfifo(folder / "spare/pipe")
    (folder / "spare/link").symlink_to(folder / "Ben/04.ipynb")
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            for kind in ("link", "pipe", "file"):
                (folder / "next").unlink(missing_ok=True)
                os.link(folder / "spare" / kind, folder / "next", follow_symlinks=False)
                os.replace(folder / "next", folder / "Eve/04.ipynb")

    changer = threading.Thread(target=change)
    changer.start()
    taken = []
    for _ in range(300):
        found = [each for each in collect(folder, LESSONS)[0] if each.file == "Eve/04.ipynb" and each.notebook.cells]
        taken += ["Ben's work as Eve's" for each in found if len(each.notebook.cells) > 1]
    ended.set()
    changer.join()
    return taken[:1]


def files_of_pupils(copies: Path) -> dict[str, bytes]:
    """What honest pupils hand in, by file."""
    files = {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _) in HONEST.items()}
    for number in (1, 2, 3):
        for lesson in ("03_rules", "04_hats", "07_exploration_and_opponents"):
            answers = solutions(lesson)
            if number == 3:
                answers.popitem()
            files[f"Pupil {number}/{lesson[:2]}.ipynb"] = answered(copies, lesson, answers)
    files["Pupil & Co/04.ipynb"] = notebook(*RIGHT)
    files[os.fsdecode(b"J\xf6rg_04.ipynb")] = notebook(*RIGHT)
    return files


def marked(folder: Path) -> tuple[Marks, float]:
    """Mark a folder, with the results next to it; return the marks and the seconds that it took."""
    begun = time.monotonic()
    marks = mark(folder / "in", folder / "marks", **LIMITS, jobs=2)
    Desk(folder / "marks", folder / "in").lay_out(marks)
    return marks, time.monotonic() - begun


def compare(alone: Path, among: Path, pupils: list[str], marks: tuple[Marks, Marks]) -> list[str]:
    """What is different for honest pupils."""
    different = []
    rows = [[row for row in each.rows if row.student in pupils] for each in marks]
    tables = [as_csv(Marks(each).table()) for each in rows]
    if tables[0] != tables[1]:
        different.append("the table")
    for before, after in zip(*rows):
        if before != after:
            print(f"alone: {before}\namong: {after}")
    sheets = []
    for folder in (alone, among):
        lines = (folder / "marks/sheet.csv").read_bytes().splitlines()
        sheets.append([line for line in lines if line.split(b",")[0].decode() in pupils])
    if sheets[0] != sheets[1]:
        different.append("the sheet")
    for pupil in pupils:
        letter = f"marks/letters/{file_name(pupil)}.html"
        if (alone / letter).read_bytes() != (among / letter).read_bytes():
            different.append(letter)
    return different


def show_attackers(marks: Marks, pupils: list[str]) -> None:
    """Print the messages about the class, and the outcome for each attacker."""
    for warning in marks.warnings:
        print(f"said: {warning[:150]}")
    for student in sorted({row.student for row in marks.rows} - {*pupils}):
        attempts = Marks([row for row in marks.of(student) if row.outcome != ABSENT])
        print(f"  {outcomes(attempts, student)} {student[:60]}")


def main(folder: Path) -> int:
    """Mark both classes, and say what is different."""
    copies = folder / "copies"
    course.student_copy(copies)
    pupils = files_of_pupils(copies)
    alone = folder / "alone"
    among = folder / "among"
    for place in (alone, among):
        hand_in(place / "in", pupils)
    before = all_of_the_course()
    marks_alone, seconds_alone = marked(alone)
    key = key_of_the_teacher()
    attackers = files_of_attackers()
    with watching_locks() as locked, socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        words = {
            b"PORT": str(server.getsockname()[1]),
            b"MARKER": str(folder),
            b"ANSWERS": str(among / "marks" / ANSWERS),
            b"LIBRARY": str(Path(coinlib.__file__).parent),
        }
        words[b"WORK"] = str(among / "in/Pupil 1/04.ipynb")
        for name, content in attackers.items():
            for word, value in words.items():
                content = content.replace(word, value.encode())
            hand_in(among / "in", {name: content})
        links_of_attackers(among / "in")
        marks_among, seconds_among = marked(among)
        try:
            server.accept()
            connected = ["a connection to a server outside"]
        except BlockingIOError:
            connected = []
    names = sorted({row.student for row in marks_alone.rows})
    different = compare(alone, among, names, (marks_alone, marks_among)) + connected
    different += keys_changed(key) + locked + read_while_changing(folder / "changing")
    if all_of_the_course() != before:
        different.append("files of the course")
    left = [each for each in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(each.info["cmdline"] or ())]
    ours = {os.getpid(), *(each.pid for each in psutil.Process().parents())}
    different += [f"process {each.pid}" for each in left if each.pid not in ours]
    print(f"{len(pupils)} honest notebooks alone: {seconds_alone:.0f} s")
    print(f"with {len(attackers)} of attackers: {seconds_among:.0f} s")
    print(f"rows of honest pupils: {sum(row.student in names for row in marks_alone.rows)}")
    show_attackers(marks_among, names)
    print(f"different: {', '.join(different) or 'nothing'}")
    return len(different)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(Path(sys.argv[1]).resolve()))
    with tempfile.TemporaryDirectory() as place:
        sys.exit(main(Path(place)))
