"""What a teacher relies on: a table of what is handed in, and of the rows that come of it.

Every process is plain here, so that the table is the same on any machine. Attackers are marked in the full tier.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import threading

import pytest
from attackers import BROKEN
from hand_ins import (
    CHANCE,
    HATS,
    HONEST,
    LESSONS,
    SETTLE,
    SETTLE_GAME,
    answered,
    differences,
    exercises,
    hand_in,
    messages,
    notebook,
    notes,
    outcomes,
)
from paths import NOTEBOOKS, ROOT

from coincourse import checks, course
from coincourse.checks import plain_data
from coincourse.classroom import marking, notebooks, rows, running
from coincourse.classroom.desk import Desk, mistakes
from coincourse.classroom.marking import mark
from coincourse.classroom.marks import Row
from coincourse.outside import contained
from coincourse.terminal import main
from coincourse.terminal.classroom import ELSEWHERE

PRINTS = "def chance(*_):\n    print('hello')\n    return 2"
THROWS_AWAY = "def settle(balls, drawn, won):\n    return balls + [drawn, drawn] * won"
APPENDS = "def settle(balls, drawn, won):\n    balls.append(drawn)\n    return balls"
CLEARS = "def settle_game(hats, beside, won):\n    hats.clear()\n    return {}"
ASKS = "def draw(balls, sticks, generator, ask=input):\n    return ask()"
FUNCTIONS = {"chance": PRINTS, "settle": THROWS_AWAY, "settle_game": CLEARS, "draw": ASKS}
CALLS = [f"check.{name}({name})" for name in FUNCTIONS]
BEGUN = {
    "chance": "def chance(balls, sticks, number):\n    share = 0\n    return ...  # my code here",
    "settle": "def settle(balls, drawn, won):\n    # later\n    ...",
    "settle_game": "def settle_game(hats, beside, won):\n    return {**hats, 1: [2, 3, 1, 1]} if won else ...",
    "draw": "draw = ...",
}
GOES_ON = f"assert check.chance.or_ours(chance) is chance\n{SETTLE}"
ENDS = f"check.draw.or_ours(lambda *_: 7)\n{SETTLE_GAME}"
REFERENCE = f"settle = check.settle.reference\n{SETTLE_GAME}"
INSIDE_IT = re.sub(r"(?<!\.)settle\(", "check.settle.reference(", SETTLE_GAME)
INSIDE = CHANCE.replace("):\n", "):\n    check.settle.or_ours(None)\n", 1)
STOPS = SETTLE.replace("):\n", "):\n    breakpoint()\n", 1)
NO_LINES = "def f():\n    1 / 0\nf.__code__ = f.__code__.replace(co_linetable=b'')\nf()"
# Each student's cells, the outcomes of chance, settle, settle_game and draw, and what is said of cells that went wrong
OTHERS = {
    "what it does": ([*FUNCTIONS.values(), *CALLS], "✗✗✗✗", []),
    # The course's own answer, with which a lesson would go on, is not in the student's process.
    "goes on": (
        [CHANCE, GOES_ON, ENDS],
        "✓✓––",
        ["it waits until draw is right"],
    ),
    "goes on inside": ([INSIDE], "✓–––", []),
    # `check.settle.reference` is then the student's own `settle`, if it is right.
    "reference": ([SETTLE, REFERENCE], "–✓✓–", []),
    "no reference": (
        [THROWS_AWAY + "\n\ncheck.settle(settle)", REFERENCE],
        "–✗––",
        ["it waits until settle is right"],
    ),
    "begun": ([*BEGUN.values(), *CALLS], "○○✗○", []),
    "right, then wrong": ([CHANCE, "check.chance(lambda *_: 9)"], "✓–––", []),
    "breakpoint": ([STOPS, CHANCE], "✓✓––", []),
    "no streams": (
        ["import sys\nsys.stderr = None", CHANCE, "sys.stdout.close()", SETTLE],
        "✓✓––",
        ["sys.stderr left unusable", "sys.stdout left unusable"],
    ),
    "alarm": (["import signal; signal.alarm(1)", "import time; time.sleep(1.5)", CHANCE], "✓–––", []),
    "newer": (
        ["x = = 1", CHANCE],
        "✓–––",
        ["SyntaxError: invalid syntax (line 1); written for Python 3.99, marked"],
    ),
    "uses a wrong one": ([THROWS_AWAY + "\n\ncheck.settle(settle)", SETTLE_GAME], "–✗––", []),
    "uses one that changes what it gets": ([APPENDS + "\n\ncheck.settle(settle)", SETTLE_GAME], "–✗––", []),
    "uses one that is not written": ([BEGUN["settle"] + "\n\ncheck.settle(settle)", SETTLE_GAME], "–○––", []),
    "reference inside": ([f"{BEGUN['settle']}\ncheck.settle(settle)", INSIDE_IT], "–○––", []),
    # What depends on a wrong answer, or on a broken cell, is no mistake of its own.
    "waiting": (
        [
            THROWS_AWAY + "\n\ncheck.settle(settle)",
            "mine = check.settle.or_ours(settle)",
            "print(mine([1, 2], 1, True))",
            CHANCE.replace("):\n", "):\n    mine([1, 2], 1, True)\n", 1),
            "tries = 1 / 0",
            "tries + 1",
            f"mine\n{SETTLE_GAME}",
        ],
        "–✗––",
        [
            "it waits until settle is right; 2 later cells cannot run without it",
            "ZeroDivisionError: division by zero (line 1); 1 later cell cannot run without it",
        ],
    ),
    "broken cells": (
        HONEST["broken cells"][0],
        "–✓––",
        [
            "SyntaxError: expected ':' (line 1)",
            "ZeroDivisionError: division by zero (line 1)",
            "NameError: name 'draw' is not defined (line 1)",
        ],
    ),
    "magics": (HONEST["magics"][0], "✓✓✓–", []),
    "unknown lines": (
        ["x = '\0'", NO_LINES, CHANCE],
        "✓–––",
        ["SyntaxError: source code string cannot contain null bytes", "ZeroDivisionError: division by zero"],
    ),
}
GAME_AND_RULE = """
    from coinlib import CoinGame
    my_answer = CoinGame((5, 5), max_pick=2, misere=False), lambda state: (state[0] - state[1]) % 3 == {}
    check.lost_states(my_answer)
"""
ADA = "Ada_4711_assignsubmission_file_"


@pytest.fixture(scope="module")
def plain():
    """Every process is plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contained, "why_plain", lambda: "it is not wanted")
        yield


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """All lessons as they are handed out."""
    folder = tmp_path_factory.mktemp("copies")
    course.student_copy(folder)
    return folder


@pytest.fixture(scope="module")
def marked(plain, copies, tmp_path_factory):
    """The marks of the class."""
    files = {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _) in HONEST.items()}
    files |= {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _, _) in OTHERS.items()}
    files |= {f"{name}_04.ipynb": content for name, (content, _, _) in BROKEN.items()}
    newer = json.loads(files["newer/04.ipynb"])
    newer["metadata"] = {"language_info": {"version": "3.99.1"}}
    files["newer/04.ipynb"] = json.dumps(newer).encode()
    for path in copies.rglob("*.ipynb"):
        files[f"not written/{path.name}"] = path.read_bytes()
    files["not written/04_hats.ipynb"] = (NOTEBOOKS / "04_hats.ipynb").read_bytes()  # the solutions are not answers
    files["data and function/05.ipynb"] = notebook(GAME_AND_RULE.format(0))
    files["another rule/05.ipynb"] = notebook(GAME_AND_RULE.format(1))
    files[f"{ADA}/04.ipynb"] = notebook("x = 1")
    files |= dict.fromkeys(["Ben/work.zip", "Lea/essay.docx", "Tim/04_hats.ipynb.txt", "Tim/a.txt"], b"")
    files |= dict.fromkeys(["Zoe/04.ipynb", "Zoe/04_hats.ipynb"], notebook("x = 1"))
    folder = hand_in(tmp_path_factory.mktemp("in"), files)
    os.utime(folder / "Zoe/04_hats.ipynb", (9, 9))
    return mark(folder, tmp_path_factory.mktemp("desk"), jobs=2, trust=True)


def test_every_student_has_the_outcomes_of_their_notebook(marked):
    expected = {name: signs for name, (_, signs) in HONEST.items()}
    expected |= {name: signs for name, (_, signs, _) in OTHERS.items()}
    expected |= dict.fromkeys(BROKEN, "!!!!") | {"Ada": "––––", "Zoe": "––––"}
    expected |= dict.fromkeys(["Ben", "Lea", "Tim", "another rule"], "    ")
    assert differences(marked, expected) == {}
    untouched = {lesson: "○" * len(exercises(lesson)) for lesson in LESSONS}
    assert {lesson: outcomes(marked, "not written", lesson) for lesson in LESSONS} == untouched
    place = list(exercises("05_training_hats")).index("lost_states")
    given = [outcomes(marked, name, "05_training_hats")[place] for name in ("data and function", "another rule")]
    assert given == ["✓", "✗"]


def test_what_went_wrong_is_said_once_and_names_its_cell(marked):
    for name, (_, _, said) in OTHERS.items():
        words = [note.removeprefix("it failed with ") for note in notes(marked, name)]
        assert len(words) == len(said) and all(map(str.startswith, words, said)), name
        assert "None" not in "".join(words)
    broken = messages(marked, "broken cells")
    assert broken["chance"] == "Its cell could not run."
    assert broken["settle_game"] == "The cell with its check is missing."
    for student, (_, why, _) in BROKEN.items():
        assert set(messages(marked, student).values()) == {f"Could not be judged: {why}."}
    first = next(row for row in marked.of("no streams") if row.not_run)
    assert first.not_run.startswith("cell `import sys`: ")


NOTES = {  # on students without points
    "Ben": "not marked: Ben/work.zip (archives are not opened: only what is unpacked is marked)",
    "Lea": "not marked: Lea/essay.docx (it is not a notebook)",
    "Tim": "not marked: Tim/04_hats.ipynb.txt (its name must end in .ipynb: call it 04_hats.ipynb), "
    "Tim/a.txt (it is not a notebook)",
}


def test_what_cannot_be_marked_is_blank_in_the_sheet_and_has_its_reason(marked, tmp_path):
    """And the letter says what to hand in, once."""
    expected = NOTES | {name: f"04: not judged ({why})" for name, (_, why, _) in BROKEN.items()}
    sheet = marked.sheet().drop(columns="id")
    totals = sheet.iloc[:, -1]
    assert {name: marked.notes_on(name) for name in expected} == expected
    assert sheet.loc[[*expected]].isna().all(axis=None)
    assert not totals.drop([*expected]).isna().any()
    assert marked.notes_on("Zoe") == "2 notebooks of 04: Zoe/04.ipynb counts"
    assert marked.notes_on("Ada") == ""
    letters = Desk(tmp_path, ROOT / "no/such/folder").lay_out(marked)
    for name, (_, _, advice) in BROKEN.items():
        page = html.unescape(letters[name].read_text(encoding="utf-8"))
        said = f"{name}_04.ipynb cannot be marked: {BROKEN[name][1]}. {advice}"
        assert re.findall('<p class="wrong">(.*)</p>', page) == [said] and "Read again" not in page
    lea = html.unescape(letters["Lea"].read_text(encoding="utf-8"))
    found = "essay.docx cannot be marked: it is not a notebook. Hand in the notebook: a file whose name ends in .ipynb."
    assert f"<p>No notebook of this lesson was found in what you handed in.\n{found}</p>" in lea
    assert "Not handed in" not in lea


def test_what_waits_for_a_right_answer_is_said_once_and_kindly(marked, tmp_path):
    said = messages(marked, "waiting")
    assert said["chance"] == said["settle_game"] == "It uses settle, so it waits until settle is right."
    assert marked.notes_on("waiting") == "chance waits until settle is right; settle_game waits until settle is right"
    letter = Desk(tmp_path, ROOT / "no/such/folder").lay_out(marked)["waiting"].read_text(encoding="utf-8")
    assert letter.count('<p class="open">It uses settle, so it waits until settle is right.</p>') == 2
    assert letter.count('<p class="wrong">') == letter.count("Read again") == 2  # settle, and draw, which is not there


@pytest.mark.parametrize("student", [name for name in OTHERS if name.startswith("uses ")] + ["reference inside"])
def test_an_answer_that_uses_one_which_is_not_right_waits_for_it(marked, student):
    assert messages(marked, student)["settle_game"] == "It uses settle, so it waits until settle is right."
    assert marked.notes_on(student) == "settle_game waits until settle is right"
    assert "settle_game" not in [exercise for exercise, _, _ in mistakes(marking.Marks(marked.of(student)))]
    assert "It uses" not in "".join(messages(marked, "what it does").values())


def test_a_notebook_that_was_judged_in_part_keeps_its_points():
    late = Row("Ada", HATS, "settle", "not judged", why_not="the notebook has used up its 300 s")
    rows = [Row("Ada", HATS, "chance", "passed"), late]
    marks = marking.Marks(rows)
    assert marks.sheet()["total (of 2)"]["Ada"] == 1
    assert marks.notes_on("Ada") == "04: settle not judged (the notebook has used up its 300 s)"


def test_a_wrong_answer_is_described_in_the_words_of_the_lesson(marked):
    said = messages(marked, "what it does")
    assert said["chance"].endswith("(What your function printed is held back here. It began with: hello)")
    names: dict = {}
    for name, source in FUNCTIONS.items():
        exec(source, names)  # noqa: S102 - the same cells, in this process
        verdict = getattr(checks, name).judge(names[name])
        row = next(row for row in marked.of("what it does") if row.exercise == name)
        assert (row.message, row.hint, row.error) == (str(verdict), verdict.hint, verdict.error)
        assert source in row.code
    assert {row.hint for row in marked.of("what it does")} > {""}
    assert "ZeroDivisionError" in [row.error for row in marked.of("raises")]
    assert "your function changed what it was given" in messages(marked, "their own ways")["draw"]


def test_what_is_not_written_is_neither_wrong_nor_missing(marked):
    said = messages(marked, "begun")
    assert {said[name] for name in ("chance", "settle", "draw")} == {"Not written yet."}
    assert said["settle_game"] == "✗ For hats={1: [2, 3]}, beside={1: 1}, won=False this branch still returns `...`."
    assert set(messages(marked, "not written").values()) == {"Not written yet."}


def test_a_row_knows_its_file_its_number_and_its_section(marked):
    ada = [row for row in marked.of("Ada") if row.lesson == HATS]
    came = {(row.id, row.file, row.message) for row in ada}
    assert came == {("4711", f"{ADA}/04.ipynb", "The cell with its check is missing.")}
    assert [row.section for row in ada] == [exercise.section for exercise in LESSONS[HATS].exercises]
    assert "Ben/work.zip: archives are not opened: only what is unpacked is marked" in marked.left_out


def test_the_command_shows_a_table_and_writes_it(plain, copies, tmp_path, capsys, monkeypatch, ctrl_c):
    monkeypatch.setattr(contained, "memory_limits", lambda: "Memory is limited.")
    monkeypatch.chdir(tmp_path)
    wrong = {"sticks_left": "def sticks_left(before, taken):\n    return taken\n\n\ncheck.sticks_left(sticks_left)"}
    files = {
        "in/ada/00.ipynb": answered(copies, "00_start_here", wrong),
        "in/Ben_12_assignsubmission_file_/work.zip": b"",
        "in/letter.pdf": b"",
        "marks/settings.toml": b'finish = 0.5\n00 = 2\nseparator = ";"\ndecimal = ","',
    }
    hand_in(tmp_path, files)
    taken = "For 1 stick of which 1 is taken your function returned 1; expected 0."
    taken = f"{taken} Return how many are left, not how many are taken."
    command = ["mark", "in", "--lesson", "0", "--jobs", "1", "--trust"]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == [
        "00_start_here",
        "    first_move sticks_left finish",
        "ada          ○           ✗      ○",
        "ada:",
        f"  sticks_left: ✗ {taken}",
        "No notebook from: Ben",
        "",
        "✓ passed, ✗ wrong, ○ not written yet, – no answer, ! not judged",
        "Not marked: letter.pdf: it is not a notebook",
        "Not marked: Ben_12_assignsubmission_file_/work.zip: archives are not opened: only what is unpacked is marked",
        "Hardest: sticks_left (1 wrong).",
        ELSEWHERE.format(tmp_path, ROOT),
        "Notebooks run in a plain process with limits: it is not wanted. Memory is limited.",
        "marks contains sheet.csv, table.csv, overview.html and the letters; settings.toml is yours.",
    ]
    ben = "Ben_12_assignsubmission_file_"
    assert (tmp_path / "marks/sheet.csv").read_text(encoding="utf-8-sig").splitlines() == [
        "student;id;00_start_here (of 2,5);total (of 5);notes",
        "ada;;0;0;",
        f"Ben;12;;;not marked: {ben}/work.zip (archives are not opened: only what is unpacked is marked)",
    ]
    monkeypatch.setattr(marking, "_mark_all", lambda *_: ctrl_c())
    assert main([*command, "--again", "ada"]) == 130
    assert "the same command continues from here" in capsys.readouterr().out


# --- when a notebook is marked, and how often: no process is needed here --------------------------------


@pytest.fixture
def judged(monkeypatch):
    """The students whose notebooks are judged, in order; all of their answers pass."""
    students: list[str] = []

    def rows_of(running):
        students.append(running.work.student)
        return [Row(running.work.student, HATS, name, "passed") for name in exercises(HATS)]

    monkeypatch.setattr(marking, "rows_of", rows_of)
    return students


def test_only_what_has_changed_or_is_asked_for_is_marked_again(judged, tmp_path):
    folder = hand_in(tmp_path / "in", {f"{name}/04.ipynb": notebook("x") for name in ("Ada", "Ben", "Eve")})
    desk = tmp_path / "desk"
    first = mark(folder, desk, trust=True)
    assert sorted(judged) == ["Ada", "Ben", "Eve"]
    assert mark(folder, desk, trust=True).rows == first.rows
    assert len(judged) == 3
    hand_in(folder, {"Eve/04.ipynb": notebook("y")})
    mark(folder, desk, trust=True)
    mark(folder, desk, trust=True, again=["AD"])
    mark(folder, desk, trust=True, seconds=20)
    assert judged[3:5] == ["Eve", "Ada"] and sorted(judged[5:]) == ["Ada", "Ben", "Eve"]
    with pytest.raises(course.CourseError, match="No student called tom has"):
        mark(folder, desk, trust=True, again=["tom"])


def test_one_notebook_of_a_lesson_is_marked_and_the_sheet_says_which(judged, tmp_path):
    names = ["Ada/04.ipynb", "Eve_04.ipynb", *(f"Eve_04 ({number}).ipynb" for number in range(1, 3))]
    folder = hand_in(tmp_path / "in", {name: notebook(f"check.settle('{name}')") for name in names})
    os.utime(folder / names[1], (9e9, 9e9))
    marks = mark(folder, tmp_path / "marks", trust=True)
    assert sorted(judged) == ["Ada", "Eve"]
    assert marks.left_out == [f"{name}: another notebook of 04_hats by Eve counts, Eve_04.ipynb" for name in names[2:]]
    said = (
        "Eve has handed in 3 notebooks of 04_hats. Eve_04.ipynb counts. Not marked: Eve_04 (1).ipynb, Eve_04 (2).ipynb."
    )
    assert marks.warnings[0] == said
    Desk(tmp_path / "marks", folder).lay_out(marks)
    sheet = (tmp_path / "marks/sheet.csv").read_text(encoding="utf-8-sig").splitlines()
    assert [line.rpartition(",")[2] for line in sheet] == ["notes", "", "3 notebooks of 04: Eve_04.ipynb counts"]


def test_without_bubblewrap_a_teacher_says_that_everybody_is_trusted(judged, plain, tmp_path):
    folder = hand_in(tmp_path / "in", {"ada/04.ipynb": notebook("x")})
    with pytest.raises(course.CourseError, match=r"it is not wanted, .* add --trust.*container"):
        mark(folder, tmp_path / "desk")
    assert judged == []
    assert outcomes(mark(folder, tmp_path / "desk", trust=True), "ada") == "✓✓✓✓"


def test_what_comes_late_or_is_refused_by_the_system_runs_once_more_alone(tmp_path, monkeypatch):
    """And if that is refused again, it costs one notebook, and the teacher hears why."""
    all_three = threading.Barrier(3, timeout=60)
    ran: list[str] = []

    def run(running):
        student = running.work.student
        ran.append(student)
        in_parallel = len(ran) <= 3
        if in_parallel:
            all_three.wait()
        if student == "refused" or (student == "unlucky" and in_parallel):
            raise RuntimeError("can't start new thread")
        return iter(())

    monkeypatch.setattr(rows.Running, "run", run)
    names = ("refused", "unlucky", "well")
    folder = hand_in(tmp_path / "in", {f"{name}/04.ipynb": notebook("check.settle(1)") for name in names})
    marks = mark(folder, tmp_path / "marks", jobs=3, trust=True)
    assert sorted(ran[3:]) == ["refused", "unlucky"]
    assert [outcomes(marks, name) for name in names] == ["!!!!", "––––", "––––"]
    why = "the marking itself failed with RuntimeError: can't start new thread."
    assert messages(marks, "refused")["draw"] == f"Could not be judged: {why}"


def test_the_students_process_sees_all_modules_that_it_imports_and_no_exercise():
    code = "import sys, coincourse.classroom.student_process, coincourse.labs; print(*sys.modules)"
    imported = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    folder = f"{checks.__name__}."
    seen = {name.removeprefix(folder) for name in imported if name.startswith(folder)}
    assert {"__init__", *seen} == set(running.SEEN_OF_EXERCISES)


def test_if_no_notebook_can_be_run_that_is_no_students_fault(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "STUDENT", "coincourse.no_such_module")
    folder = hand_in(tmp_path / "in", {"ada/04_hats.ipynb": notebook(SETTLE)})
    with pytest.raises(course.CourseError, match="Nothing can be marked on this computer"):
        mark(folder, tmp_path / "marks", trust=True)


def test_what_cannot_be_kept_is_said(judged, tmp_path, monkeypatch):
    def full(*_):
        raise course.CourseError("No space left on device.")

    monkeypatch.setattr(course, "write", full)
    marks = mark(hand_in(tmp_path / "in", {"ben/04.ipynb": notebook("x")}), tmp_path / "marks", trust=True)
    assert marks.warnings == ["ben/04.ipynb is marked, but the result was not saved: No space left on device."]


# --- the map --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["docs/marking-details.md", "coincourse/classroom/__init__.py"])
def test_the_map_names_files_that_are_there_and_limits_that_hold(page):
    whole = (ROOT / page).read_text(encoding="utf-8")
    shown = whole.partition("## How marking works")[2].partition("\n## Hand out")[0] or whole
    named = set(re.findall(r"\b(\w+\.py)\b", shown))
    there = {path.name for path in (ROOT / "coincourse").rglob("*.py")}
    assert named >= {"handed_in.py", "running.py", "student_process.py", "judge_process.py", "messages.py", "marks.py"}
    assert named <= there
    limits = [
        f"{contained.LONGEST_ANSWER:,} bytes",
        f"{plain_data.LARGEST:,} characters",
        f"{notebooks.LARGEST // 1_000_000} megabytes",
        f"{notebooks.MOST_CELLS:,} cells",
        f"{notebooks.MOST_CODE:,} characters of code",
    ]
    words = " ".join(shown.split())
    assert [limit for limit in limits if limit not in words] == []
    assert running.BUDGET == 10 and "ten times that" in words
