"""One class of honest students and attackers, marked together in bubblewrap: who gets what, and what stays as it was."""

from __future__ import annotations

import socket
from typing import NamedTuple

import psutil
import pytest
from attackers import FORGED, HOSTILE, MISCHIEF, placed
from hand_ins import (
    CHANCE,
    HONEST,
    SETTLE,
    WRONG,
    all_of_the_course,
    differences,
    hand_in,
    messages,
    notebook,
    notes,
)

from coincourse.classroom.desk import Desk
from coincourse.classroom.marking import ANSWERS, mark
from coincourse.classroom.marks import Marks, as_csv

pytestmark = pytest.mark.contained
LIMITS = {"seconds": 10, "gigabytes": 1}
PUPILS = {name: HONEST[name] for name in ("in another order", "their own ways", "broken cells")}
SLEEPS = f"import time\ncheck.settle.or_ours(lambda *_: time.sleep(99))\n{SETTLE}"
OTHERS = {
    **HOSTILE,
    **FORGED,
    "sleeps": ([SLEEPS, CHANCE], "✓–––"),
    "=1+1": ([WRONG], "✗–––"),
    "<b>": (["'</code><script>'", WRONG], "✗–––"),
}


class Marked(NamedTuple):
    """The marks of the class, and what was different afterwards."""

    marks: Marks
    desk: object
    left: list  # processes that a student has started
    changed: list  # files of the course, and of a pupil
    connected: bool  # whether a notebook has reached a server outside


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """The marks of the whole class."""
    folder, desk = tmp_path_factory.mktemp("handed-in"), tmp_path_factory.mktemp("desk")
    pupils = {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _) in PUPILS.items()}
    hand_in(folder, pupils)
    before = all_of_the_course()
    words = {"WORK": str(folder / "in another order/04.ipynb"), "MARKER": str(folder), "ANSWERS": str(desk / ANSWERS)}
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        words["PORT"] = str(server.getsockname()[1])
        for name, (cells, _) in OTHERS.items():
            hand_in(folder, {f"{name}_04.ipynb": placed(cells, words)})
        marks = mark(folder, desk, **LIMITS, jobs=3)
        try:
            server.accept()
            connected = True
        except BlockingIOError:
            connected = False
    processes = psutil.process_iter(["cmdline"])
    left = [one for one in processes if str(folder) in " ".join(one.info["cmdline"] or ())]
    now = all_of_the_course()
    changed = [path for path in before | now if before.get(path) != now.get(path)]
    changed += [name for name, content in pupils.items() if (folder / name).read_bytes() != content]
    Desk(desk, folder).lay_out(marks)
    return Marked(marks, desk, left, changed, connected)


def test_a_student_can_spoil_only_their_own_marks_and_forge_none(marked):
    expected = {name: signs for name, (_, signs) in (PUPILS | OTHERS).items()}
    assert differences(marked.marks, expected) == {}


def test_nothing_is_left_changed_or_reached(marked):
    assert (marked.left, marked.changed, marked.connected) == ([], [], False)


def test_what_went_wrong_is_said(marked):
    marks = marked.marks
    assert [note.split()[3].rstrip(":") for note in notes(marks, "mischief")] == list(MISCHIEF.values())
    assert notes(marks, "forges")[0] == "it interfered with its connection"
    assert "raised MemoryError" in messages(marks, "eats")["chance"]
    assert notes(marks, "hangs") == ["no answer after 10 s"]
    assert notes(marks, "sleeps") == ["no answer after 10 s"]
    assert messages(marks, "replaces")["chance"] == "Its check gave no verdict."
    assert messages(marks, "ends")["chance"] == "Its cell could not run."
    assert notes(marks, "ends") == ["its process ended (status 7)"]
    waiting, hidden = notes(marks, "looks for answers")
    assert waiting.startswith("it waits until ")  # the reference is the student's own answer, if that is right
    assert hidden.startswith("it failed with ModuleNotFoundError:")  # the file of the exercises is hidden


def test_long_errors_are_cut_and_said_once(marked):
    rows = marked.marks.of("floods")
    assert [len(row.not_run) // 10_000 for row in rows] == [3, 0, 0, 0]
    assert rows[0].not_run.endswith("\n... and 20 more")
    assert len(as_csv(Marks(rows).table())) < 15_000


def test_pages_and_tables_of_whatever_was_handed_in_do_no_harm(marked):
    pages = [page.read_text(encoding="utf-8") for page in (marked.desk / "letters").iterdir()]
    assert len(pages) == marked.marks.table().student.nunique()
    assert not any("<script" in page for page in pages)
    assert "\n'=1+1,," in (marked.desk / "sheet.csv").read_text(encoding="utf-8-sig")


def test_the_table_of_pupils_is_the_same_without_the_others(marked, tmp_path):
    files = {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _) in PUPILS.items()}
    alone = mark(hand_in(tmp_path / "in", files), tmp_path / "desk", **LIMITS)
    together = Marks([row for row in marked.marks.rows if row.student in PUPILS])
    assert len(alone.rows) == 4 * len(PUPILS)
    assert as_csv(alone.table()) == as_csv(together.table())
