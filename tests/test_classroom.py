"""The students' copy, and marking: work done well and badly, and what is handed in to fool or to stop the marking."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import psutil
import pytest

from coincourse import checks, course
from coincourse.checks import engine
from coincourse.classroom import mark, student_copy
from coincourse.classroom.collect import collect, lesson_in
from coincourse.classroom.lessons import Cell, Try, cells_of, exercises_of, names_of, plan, without_checks
from coincourse.classroom.marks import Marks
from coincourse.classroom.plain import Luck, Stream, Thing, pack, unpack, write_back
from coincourse.classroom.pupil import Limits, NoAnswer, Pupil, clean
from coincourse.terminal import main
from coincourse.terminal.classroom import report
from coinlib import Move

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="processes are ended otherwise there")
NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
SECONDS = 3  # for a cell, and for a call


# --- writing what students hand in -----------------------------------------------------------------------


def lesson_cells(lesson: str):
    return cells_of((NOTEBOOKS / f"{lesson}.ipynb").read_bytes())


def exercises(lesson: str) -> list[str]:
    return [exercise.name for exercise in exercises_of(lesson_cells(lesson))]


def solutions(lesson: str) -> dict[str, str]:
    """The code of the explained solutions by the name of the exercise."""
    return {names_of(cell.source).checked[0][0]: cell.source for cell in lesson_cells(lesson) if cell.solution}


def notebook(*sources: str) -> bytes:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(text)) for text in sources])
    return nbformat.writes(made).encode()


def done(copy: bytes, answers: dict[str, str]) -> bytes:
    """A lesson's copy in which the cells of some exercises say something else."""
    made = nbformat.reads(copy.decode(), as_version=4)
    for cell in made.cells:
        if cell.cell_type == "code":
            for name, _ in names_of(cell.source).checked:
                cell.source = answers.get(name, cell.source)
    return nbformat.writes(made).encode()


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """All lessons as they are handed out."""
    folder = tmp_path_factory.mktemp("copies")
    student_copy(folder)
    return folder


# --- the students' copy ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_copy_is_the_lesson_without_solutions_and_outputs(copies, lesson):
    handed_out = nbformat.read(copies / f"{lesson}.ipynb", 4)
    nbformat.validate(handed_out)
    original = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", 4)
    kept = [cell for cell in original.cells if "solution" not in cell.metadata.get("tags", [])]
    assert len(kept) == len(original.cells) - len(exercises(lesson))
    assert [cell.source for cell in handed_out.cells] == [cell.source for cell in kept]
    code = [cell for cell in handed_out.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    text = (copies / f"{lesson}.ipynb").read_text(encoding="utf-8")
    for source in solutions(lesson).values():
        assert json.dumps(source)[1:-1] not in text


def test_a_copy_elsewhere_finds_the_data(copies):
    code = "from coincourse.course import data; print(data('random_games.csv'))"
    run = subprocess.run([sys.executable, "-P", "-c", code], cwd=copies, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(course.home() / "data" / "random_games.csv")


def test_copies_never_overwrite_work_unasked(tmp_path, capsys):
    assert main(["student-copy", str(tmp_path / "new" / "folder"), "04", "5"]) == 0
    written = tmp_path / "new" / "folder" / "04_hats.ipynb"
    assert capsys.readouterr().out.splitlines()[0] == f"{written}: without solutions, without outputs"
    assert main(["student-copy", str(written.parent), "04"]) == 0  # the same again is no harm
    written.write_text("mine")
    capsys.readouterr()
    assert main(["student-copy", str(written.parent)]) == 2
    assert "other files with these names already: 04_hats.ipynb." in capsys.readouterr().err
    assert written.read_text() == "mine"
    assert {path.name for path in written.parent.iterdir()} == {"04_hats.ipynb", "05_training_hats.ipynb"}
    assert main(["student-copy", str(written.parent), "04", "--overwrite"]) == 0
    assert json.loads(written.read_text(encoding="utf-8"))["cells"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no/such", "77"], "No lesson is called '77'"),
        ([str(NOTEBOOKS)], "holds the course itself"),
        ([str(NOTEBOOKS / "04_hats.ipynb")], "cannot be written"),
    ],
)
def test_what_cannot_be_copied_is_said_in_words(words, complaint, capsys):
    assert main(["student-copy", *words]) == 2
    assert complaint in capsys.readouterr().err


# --- what a lesson asks for, and what has to be run ----------------------------------------------------------


@pytest.mark.parametrize("lesson", LESSONS)
def test_exercises_are_read_off_the_lesson(lesson):
    asked = exercises_of(lesson_cells(lesson))
    assert len(asked) == sum(cell.solution for cell in lesson_cells(lesson)) >= 3
    assert {exercise.name for exercise in asked} <= set(vars(checks))
    for cell in lesson_cells(lesson):
        for name, answer in names_of(cell.source).checked:
            if name in exercises(lesson):
                assert answer in names_of(cell.source).binds  # so the cell of an exercise holds the whole answer


def test_only_what_gives_something_to_the_answers_is_run(copies):
    lesson = lesson_cells("04_hats")
    handed_out = (copies / "04_hats.ipynb").read_bytes()
    assert plan(lesson, cells_of(handed_out)) == ([], [], exercises("04_hats"))
    assert plan(lesson, lesson) == ([], [], exercises("04_hats"))  # solutions that came with it do not count
    mine = cells_of(done(handed_out, {"settle": "from math import inf\nsettle = lambda *_: pd\ncheck.settle(settle)"}))
    todo = plan(lesson, mine)
    assert [one.exercise for one in todo.tries] == ["settle"]
    assert todo.untouched == ["chance", "settle_game", "draw"]
    assert ["import pandas as pd" in cell.source for cell in todo.run[:-1]].count(True) == 1
    assert todo.run[-1].source.splitlines()[-1] == "None"


@pytest.mark.parametrize(
    ("source", "needs", "binds"),
    [
        ("x = x + y", {"x", "y"}, {"x"}),
        ("x = 1\ny = x", set(), {"x", "y"}),
        ("def f(a, b=c):\n    global d\n    d = 2\n    return a + e + f(b, c)", {"c", "e"}, {"f", "d"}),
        ("class A(B):\n    z = q\n    def m(self): return w", {"B", "q", "w"}, {"A"}),
        ("[i + k for i in range(n)]", {"k", "n", "range"}, set()),
        ("import a.b as c, d.e\nc.x, d", set(), {"c", "d"}),
        ("for i in s:\n    t = i", {"s"}, {"i", "t"}),
        ("%time x = z", {"get_ipython"}, set()),
    ],
)
def test_names_of_a_cell(source, needs, binds):
    assert (names_of(source).needs, names_of(source).binds) == (needs, binds)


def test_a_cell_that_cannot_be_read_may_give_anything():
    for source in ("def f(:", "from x import *", "(" * 5_000, "\0"):
        assert names_of(source).everything
        assert without_checks(source, ["f"]) == source


@pytest.mark.parametrize(
    "source",
    [
        "def f(x)\n    return x\n\ncheck.f(f)",
        "def f(x):\nreturn x\nchecks.f(f)",
        "check.f(f\n# check.g(g)",
        "f = [1\ncheck.f(f)",
    ],
)
def test_a_broken_cell_still_tells_which_check_it_calls(source):
    assert names_of(source).checked == (("f", ""),)
    lesson = [Cell(1, "f = 0\ncheck.f(f)", False), Cell(2, "f = 1\ncheck.f(f)", True)]
    assert plan(lesson, [Cell(1, source, False)]).tries == [Try(1, "f", "f", broken=True)]


def test_calls_of_checks_are_taken_out_wherever_they_stand():
    source = "é = check.f(\n    g,\n); check.other(é); check.f(é)\nfor x in y:\n    checks.f(x)\n"
    assert without_checks(source, ["f"]) == "é = None ; check.other(é); None\nfor x in y:\n    None\n"


# --- who has handed in what --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lesson", "student"),
    [
        ("ada/04_hats.ipynb", "04_hats", "ada"),
        ("Ada Lovelace_12345_assignsubmission_file_/04_hats.ipynb", "04_hats", "Ada Lovelace"),
        ("Ada Lovelace_12345_assignsubmission_file_04_hats.ipynb", "04_hats", "Ada Lovelace"),
        ("lovelaceada_LATE_4711_815_04_hats-1.ipynb", "04_hats", "lovelaceada"),
        ("ada_04.ipynb", "04_hats", "ada"),
        ("2026-ada-04 (1).ipynb", "04_hats", "2026-ada"),
        ("ada - 04 Hats.ipynb", "04_hats", "ada"),
        ("04_hats_ada.ipynb", "04_hats", "ada"),
        ("ada/week 3/my work.ipynb", "04_hats", "ada"),  # by its checks
        ("ada/04_hats-mine-1.ipynb", "04_hats", "ada"),
        ("Zoe\u0301/04.ipynb", "04_hats", "Zoé"),
    ],
)
def test_students_and_lessons_are_recognised(tmp_path, name, lesson, student):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(notebook("check.settle(1)"))
    found, strange = collect(tmp_path, {name: exercises(name) for name in LESSONS})
    assert strange == []
    assert [(one.lesson, one.student, one.why_not) for one in found] == [(lesson, student, "")]


@pytest.mark.parametrize("form", [str, lambda source: source.splitlines(keepends=True)], ids=["text", "lines"])
def test_a_lesson_is_recognised_by_its_checks_however_its_cells_are_written(tmp_path, form):
    cell = {"cell_type": "code", "source": form("settle = 1\ncheck.settle(settle)"), "metadata": {}, "outputs": []}
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "homework.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": [cell]}))
    found, strange = collect(tmp_path, {name: exercises(name) for name in LESSONS})
    assert strange == []
    assert [(one.student, one.lesson, one.why_not) for one in found] == [("ada", "04_hats", "")]


def test_what_is_not_recognised_is_listed_with_a_reason(tmp_path):
    (tmp_path / "ada").mkdir()
    files = {
        "ada/04_hats.ipynb": notebook("x"),
        "ada/04_hats-1.ipynb": notebook("x"),
        "ada/notes.txt": b"",
        "ben.zip": b"",
        "04_hats.ipynb": notebook("x"),
        "ada/thoughts.ipynb": notebook("x"),
        "ada/draft.ipynb": b'{"worksheets": []}',
        ".DS_Store": b"",
        "ada/._04_hats.ipynb": b"",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    os.utime(tmp_path / "ada/04_hats-1.ipynb", (1, 1))
    (tmp_path / "ada" / "05.ipynb").symlink_to(tmp_path / "ada" / "04_hats.ipynb")
    found, strange = collect(tmp_path, {name: exercises(name) for name in LESSONS})
    assert [one.path.name for one in found] == ["04_hats.ipynb"]
    assert {name: why.split(":")[0] for name, why in strange} == {
        "04_hats.ipynb": "it does not say whose it is",
        "ben.zip": "unpack it first",
        "ada/04_hats-1.ipynb": "ada/04_hats.ipynb is newer, and of the same lesson",
        "ada/05.ipynb": "it is a link, and is not followed",
        "ada/notes.txt": "it is no notebook",
        "ada/draft.ipynb": "it is a notebook of an old format (3); save it anew",
        "ada/thoughts.ipynb": "neither its name nor its checks tell which lesson it is; call it 04_hats.ipynb, for example",
    }


def test_the_folder_of_one_student_is_not_taken_for_the_folder_of_all(tmp_path, capsys):
    (tmp_path / "Ada").mkdir()
    (tmp_path / "Ada" / "00_start_here.ipynb").write_bytes(notebook("x"))
    assert main(["mark", str(tmp_path / "Ada")]) == 2
    words = " ".join(capsys.readouterr().err.split())
    assert "put it into a folder called NAME, or give the folder above" in words


def test_a_name_that_says_nothing_of_a_lesson():
    assert lesson_in("homework 1 of 2026, part 99", dict.fromkeys(LESSONS)) == ("", "")


# --- from one process to the other --------------------------------------------------------------------------


def there_and_back(value):
    return unpack(json.loads(json.dumps(pack(value))))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, -7, 2**200, 0.1, float("inf"), "é\ud800\n", b"\x00\xff", 1j, range(3, 9, 2), range(0)),
        *([], [1, [2, (3,)]], (), {"a": {(1, 2): None}}, {1, 2}, frozenset([3]), Move(1, 2), [Move(0, 1)]),
        *(np.int64(3), np.float64(0.5), np.bool_(True), np.uint8(255)),
    ],
    ids=repr,
)
def test_plain_values_arrive_as_they_were(value):
    back = there_and_back(value)
    assert back == value and type(back) is type(value)


def test_arrays_and_tables_arrive_as_they_were():
    for array in (np.arange(6).reshape(2, 3), np.array([[True]]), np.zeros((0, 3)), np.array([1, None, "a"])):
        back = there_and_back(array)
        assert back.dtype == array.dtype and back.shape == array.shape and (back == array).all()
    pd.testing.assert_series_equal(
        there_and_back(pd.Series([0.5, None], ["a", "b"], name="s")), pd.Series([0.5, None], ["a", "b"], name="s")
    )
    table = pd.DataFrame({"n": [1, 2], "w": ["x", "y"]}, index=[5, 7])
    pd.testing.assert_frame_equal(there_and_back(table), table, check_dtype=False, check_column_type=False)


def test_one_list_with_two_names_stays_one_and_a_list_may_hold_itself():
    row = [0]
    table = there_and_back([row, row])
    assert table[0] is table[1]
    row.append(row)
    back = there_and_back(row)
    assert back[1] is back


def test_nothing_of_the_students_comes_out():
    class Yes(int):
        def __eq__(self, other):
            return True

        __hash__ = int.__hash__

    class Evil:
        def __reduce__(self):
            return print, ("unpickled",)

        def __eq__(self, other):
            return True

        def __repr__(self):
            raise SystemExit

    assert type(there_and_back(Yes(3))) is int
    assert type(there_and_back(Evil())) is Thing
    assert there_and_back(Evil()) != 3
    assert isinstance(there_and_back(print), Thing)
    numbers = there_and_back(n for n in range(3))
    assert isinstance(numbers, Stream) and list(numbers) == [0, 1, 2]
    assert repr(there_and_back(range(10**12))) == "range(0, 1000000000000)"
    assert isinstance(there_and_back(range(10**12)), Thing)


@pytest.mark.parametrize(
    "forged",
    [
        *(0, [], [[0]], [[5], []], [[0], [["list", [[0], [9]]]]], [[0], [["tuple", [[0]]]]], [[0], [["dict", [[1]]]]]),
        *([[0], [["_class__", [1]]]], [[0], [["value", [0]]]], [[0], [["__init__"]]], [[0], [["set", [[0]]]]]),
        *([[0], [["array", "<f8", [10**9, 0], []]]], [[0], [["array", "O", [1], [1]]]], [[0], [["number", "V9", 1]]]),
        *([[0], [["array", "<i8", [2], [1]]]], [[0], [["fraction", 1, 0]]], [[0], [["range", 0, 1, 0]]]),
        [[2_000], [[*("list", [[n - 1]])] if n else ["list", []] for n in range(2_001)]],
    ],
    ids=lambda forged: str(forged)[:40],
)
def test_forged_values_are_refused(forged):
    with pytest.raises(ValueError, match="not a packed value"):
        unpack(forged)


def test_arguments_are_written_back():
    generator = np.random.default_rng(1)
    twin = np.random.default_rng(1)
    twin.integers(9, size=3)
    write_back(generator, there_and_back(twin))
    assert generator.integers(10**6) == twin.integers(10**6)
    assert isinstance(there_and_back(twin), Luck)
    held = {1: [2]}
    write_back(held, {1: [3], 4: []})
    assert held == {1: [3], 4: []}
    write_back((1, 2), None)
    with pytest.raises(ValueError, match="expected a list, got a dict"):
        write_back([1], {})


# --- the checks say the same through the wall ----------------------------------------------------------------

SAME = {  # answers, and which check judges them; each goes through the wall in another way
    "takes": "lambda count, most: range(1, min(count, most) + 1)",
    "legal_moves": "lambda state, most: ((row, n) for row in range(len(state)) for n in range(1, min(state[row], most)+1))",
    "next_state": "lambda state, move: state.__setitem__(move.row, 1)",
    "random_move": "lambda game, state, generator: game.moves[generator.integers(len(game.moves))]",
    "win_rate": "lambda winner, player: (winner == player).mean()",
    "advantage": "lambda games: games.groupby('scenario').winner.first()",
    "settle": "lambda balls, drawn, won: balls.append(drawn)",
    "draw": "lambda balls, sticks, generator: (balls.pop(int(generator.integers(len(balls)))), balls)",
    "share_locked": "lambda run, seeds: run(99)",
    "q_update": "lambda q, state, move, reward, *_: q[state].update({move: reward})",
    "rolling_win_rate": "lambda won, window: np.array([float('nan')] * len(won))",
    "mean_and_band": "lambda values: (values.mean(), values.min(), values.max())",
    "perfect_share": "lambda table: table.groupby('opponent').perfect.mean()",
    "slider": "lambda picture, box: box([IntSlider(20, 1, 200), Image(value=picture(20))])",
    "alice_table": "lambda coins: [[0] * len(coins)] * len(coins)",
    "first_move": "7.0",
    "u_table": "'1 1 0 1'",
    "count_nodes": "lambda coins: 1 if coins == 0 else 1 + 2 * count(coins - 1)",
    "break_claim": "lambda claim, lost: next((n for n in range(len(lost)) if claim(n) != lost[n]), None)",
    "favourite": "lambda counts, sticks: counts[99]",
    "counter": "lambda game, state: 1 / (state[0] - 9)",
    "found_rule": "lambda game: 1",
    "mirror": "3",
    "losing": "lambda n: Fraction(n, 4)",
    "chance": "lambda balls, sticks, number: sys.exit()",
    "ask_number": "lambda question, least, most, ask: int(ask(question))",
    "two_players": "lambda ask: print(ask('How many? '))",
    "finish": "take_one",  # there is no such name
}
NAMES = """
import sys, numpy as np, pandas as pd
from fractions import Fraction
from ipywidgets import Image, IntSlider
"""


def test_a_check_says_the_same_about_a_function_in_another_process(capsys, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 60.0)  # the solver may have to be compiled here
    pupil = Pupil(Limits(60, 60, 600, 2.0))
    here = {}
    exec(NAMES, here)  # noqa: S102 - our own
    try:
        assert pupil.run(NAMES) == ""
        for name, source in SAME.items():
            if name == "finish":
                with pytest.raises(NoAnswer, match="there is no take_one"):
                    pupil.look(source)
                continue
            getattr(checks, name)(pupil.look(source))
            through = capsys.readouterr().out
            pupil.settle_down()
            assert pupil.trouble == ""
            getattr(checks, name)(eval(source, here))
            assert clean(through) == clean(capsys.readouterr().out), name
    finally:
        pupil.stop()


# --- done well and done badly -----------------------------------------------------------------------------


def test_all_lessons_done_well_and_not_at_all(copies, tmp_path):
    for lesson in LESSONS:
        handed_out = (copies / f"{lesson}.ipynb").read_bytes()
        for student, content in (("well", done(handed_out, solutions(lesson))), ("stub", handed_out)):
            (tmp_path / student).mkdir(exist_ok=True)
            (tmp_path / student / f"{lesson}.ipynb").write_bytes(content)
    marks = mark(tmp_path, seconds=60)
    assert marks.strange == []
    asked = [name for lesson in LESSONS for name in exercises(lesson)]
    for student, outcome in (("well", "passed"), ("stub", "not tried")):
        rows = [row for row in marks.rows if row["student"] == student]
        assert [row["exercise"] for row in rows] == asked
        assert [(row["exercise"], row["message"]) for row in rows if row["outcome"] != outcome] == []
        assert {row["not_run"] for row in rows} == {""}
    table = marks.to_frame()
    assert (table["passed"] == "yes").sum() == len(asked)
    assert table[table["student"] == "well"]["message"].str.startswith("✓ ").all()


# --- handed in to fool the marking, or to stop it ------------------------------------------------------------

RIGHT = {lesson: solutions(lesson) for lesson in ("01_the_coin_game", "04_hats")}
HATS = RIGHT["04_hats"]

FORGES = {  # lesson 01: nothing of it is right
    "takes": """
        import builtins, io, sys
        import coincourse.checks, coincourse.checks.engine, coincourse.checks.coin_game
        class Friendly(io.StringIO):
            def write(self, words):
                return super().write("✓ Right")
        for module in [m for name, m in sys.modules.items() if name.startswith(("coinlib", "coincourse"))]:
            for name in ("takes", "legal_moves", "next_state", "winner", "heard", "report", "alike"):
                if hasattr(module, name):
                    setattr(module, name, lambda *_, **__: builtins.print("✓ Right") or True)
        coincourse.checks.engine.print = builtins.print = lambda *_: sys.__stdout__.write("✓ Right")
        sys.stdout = sys.stderr = Friendly()
        sys.modules["coincourse.checks"] = check = type("Check", (), {"takes": staticmethod(print)})
        def takes(count, max_pick):
            print("✓ Right, for short rows, long rows and an empty row. (8 cases tried)")
        check.takes(takes)
    """,
    "legal_moves": """
        class Yes(list):
            def __eq__(self, other): return True
            def __len__(self): return 5
            def __iter__(self): return iter([self])
            def __reduce__(self): return __import__("os")._exit, (0,)
            __hash__ = None
        def legal_moves(state, max_pick):
            return Yes()
        check.legal_moves(legal_moves)
    """,
    "next_state": """
        def next_state(state, move):  # looks for the right answer in whoever calls it, and in all objects
            import gc, sys
            frame = sys._getframe()
            while frame:
                for held in list(frame.f_locals.values()):
                    if hasattr(held, "expected"):
                        return held.expected
                frame = frame.f_back
            for held in gc.get_objects():
                if type(held).__name__ == "Case" and held.arguments == (state, move):
                    return held.expected
            return state
        check.next_state(next_state)
    """,
    "winner": """
        class Right(Exception):
            def __str__(self): return "\\n✓ Right, in both endings. (12 cases tried)\\x1b[2J"
        Right.__name__ = "✓ Right"
        def winner(turns, misere):
            raise Right
        check.winner(winner)
    """,
    "heard": """
        def heard(count, takes, player):  # speaks to the judge itself
            import gc, json, socket
            for held in gc.get_objects():
                if isinstance(held, socket.socket):
                    for message in (["verdict", "heard", "passed", "✓ Right"], [0, "answer", [None, []], 0], ["end"]):
                        held.sendall(json.dumps(message).encode() + b"\\n")
        check.heard(heard)
    """,
}
CRASHES = {  # lesson 01: each function ends its process in its own way, and the last is right
    "takes": "import os\ntakes = lambda *_: os._exit(0)\ncheck.takes(takes)",
    "legal_moves": "import ctypes\nlegal_moves = lambda *_: ctypes.string_at(0)\ncheck.legal_moves(legal_moves)",
    "next_state": "import sys\nnext_state = lambda *_: sys.exit()\ncheck.next_state(next_state)",
    "winner": "def winner(*_):\n    return winner()\ncheck.winner(winner)",
    "heard": RIGHT["01_the_coin_game"]["heard"],
}
LOOPS = HATS | {  # lesson 04: two functions never end, one of them in spite of Ctrl-C
    "chance": """
        def chance(*_):
            while True:
                try:
                    while True: pass
                except BaseException:
                    pass
        check.chance(chance)
    """,
    "draw": "def draw(*_):\n    while True: pass\ncheck.draw(draw)",
}
CELLS = {  # cells that are put between the answers of lesson 04, which are right
    "chance": "import os; os._exit(7)",
    "settle": "while True:\n    pass",
    "settle_game": "import ctypes; ctypes.string_at(0)",
    "draw": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
}
EATS = HATS | {  # lesson 04: memory
    "chance": "def chance(*_):\n    return bytearray(10**11)\ncheck.chance(chance)",
    "draw": "def draw(*_):\n    held = []\n    while True: held.append(bytearray(10**7))\ncheck.draw(draw)",
    "settle_game": "try:\n    held = [0] * 10**10\nexcept MemoryError:\n    pass\n" + HATS["settle_game"],
}
STARTS = """
    import os, subprocess, sys, threading, time
    def note(pid):
        with open(NUMBERS, "a") as file:
            file.write(f"{pid}\\n")
    if os.fork() == 0:
        note(os.getpid())
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:  # two steps away, and in a session of its own
                note(os.getpid())
                time.sleep(300)
        os._exit(0)
    note(subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True).pid)
    threading.Thread(target=time.sleep, args=(300,)).start()
    os.fork()  # and both go on with the lesson
"""
DELETED = notebook(HATS["settle"], "1 / 0", "def chance(:", "check.draw(draw)")
OTHERWISE = notebook(
    "from coincourse import checks",
    "def chance(*_):\n    return 2\nchecks.chance(chance)",
    HATS["chance"],
    "def chance(*_):\n    return 2\ncheck.chance(chance)",  # right in between counts
    HATS["settle"].replace("check.settle(settle)", "mine = settle\ncheck.settle(mine)"),
    HATS["settle_game"].partition("\n\n\ncheck.")[0],  # the call of the check is gone
    "def draw(balls, sticks, generator):\n    balls.clear()\n    return 1, []\ncheck.draw(draw)",
)
BROKEN = {
    "empty": (b"", "the file is empty"),
    "letter": (b"Dear teacher, my dog", "it is not a notebook: its text is not JSON"),
    "list": (b"[1, 2]", "it is not a notebook"),
    "deep": (b"[" * 100_000, "it is not a notebook: its text is not JSON"),
    "old": (b'{"worksheets": []}', "it is a notebook of an old format (3); save it anew"),
    "words": (
        b'{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "x"}, 3]}',
        "the notebook has no code cells",
    ),
    "other": (notebook("check.losing(losing)"), "it is called 04_hats, but its checks are those of 05_training_hats"),
}


def with_cells(content: bytes, before: dict[str, str]) -> bytes:
    """A notebook in which a cell stands before each exercise."""
    made = nbformat.reads(content.decode(), as_version=4)
    cells = []
    for cell in made.cells:
        for name, _ in names_of(cell.source).checked if cell.cell_type == "code" else ():
            cells += [nbformat.v4.new_code_cell(before[name])] if name in before else []
        cells.append(cell)
    made.cells = cells
    return nbformat.writes(made).encode()


@pytest.fixture(scope="module")
def hostile(copies, tmp_path_factory):
    """What came of marking all of them at once, the files they may have written, and the table."""
    folder, elsewhere = tmp_path_factory.mktemp("handed-in"), tmp_path_factory.mktemp("elsewhere")
    table, numbers = elsewhere / "marks.csv", elsewhere / "numbers"
    coin, hats = ((copies / f"{name}.ipynb").read_bytes() for name in RIGHT)
    overwrite = f"""
        import os, pathlib
        for file in pathlib.Path({str(folder)!r}).rglob("*.ipynb"):
            file.write_text("gone")
        pathlib.Path({str(table)!r}).write_text("overwrites,passed")
        os.chmod({str(elsewhere)!r}, 0o500)
    """
    starts = f"NUMBERS = {str(numbers)!r}\n{textwrap.dedent(STARTS)}"
    forks = "import os\ndef draw(*_):\n    os.fork()\ncheck.draw(draw)"
    handed_in = {
        "forges": ("01", done(coin, FORGES)),
        "crashes": ("01", done(coin, CRASHES)),
        "loops": ("04", done(hats, LOOPS)),
        "cells": ("04", with_cells(done(hats, HATS), CELLS)),
        "eats": ("04", done(hats, EATS)),
        "deleted": ("04", DELETED),
        "otherwise": ("04", OTHERWISE),
        "overwrites": (
            "04",
            with_cells(done(hats, {"settle": "settle = max\ncheck.settle(settle)"}), {"settle": overwrite}),
        ),
        "=1+1": ("04", notebook("check.chance(None)")),
        **(
            {"starts": ("04", with_cells(done(hats, HATS | {"draw": forks}), {"chance": starts}))}
            if hasattr(os, "fork")
            else {}
        ),
        **{name: ("04", content) for name, (content, _) in BROKEN.items()},
    }
    for student, (number, content) in handed_in.items():
        (folder / f"{student}_{number}.ipynb").write_bytes(textwrap.dedent(content.decode()).encode())
    marks = mark(folder, seconds=SECONDS, gigabytes=0.3)
    os.chmod(elsewhere, 0o700)
    marks.write(table)
    return marks, table, numbers


def outcomes(marks, student: str) -> dict[str, str]:
    return {row["exercise"]: row["outcome"] for row in marks.rows if row["student"] == student and row["file"]}


def messages(marks, student: str) -> dict[str, str]:
    return {row["exercise"]: row["message"] for row in marks.rows if row["student"] == student and row["file"]}


def notes(marks, student: str) -> list[str]:
    (words,) = {row["not_run"] for row in marks.rows if row["student"] == student and row["file"]}
    return words.split(" | ")


def test_nothing_that_is_forged_passes(hostile):
    marks, _, _ = hostile
    assert set(outcomes(marks, "forges").values()) <= {"wrong", "not judged"}
    words = messages(marks, "forges")
    assert words["takes"].startswith("✗ For a row of 1 and at most 1 a turn your function returned None")
    assert words["legal_moves"].startswith("✗ For state (2,)")
    assert words["next_state"].startswith("✗ For state (2,)")
    assert words["winner"].startswith("✗ For 1 turn in misère play your function raised ✓ Right: ✓ Right")
    assert "\x1b" not in words["winner"] and "\n" not in words["winner"]
    assert words["heard"] == "Could not be judged: it interfered with its connection."


@UNIX
def test_a_function_that_ends_its_process_loses_only_its_own_exercise(hostile):
    marks, _, _ = hostile
    words = messages(marks, "crashes")
    assert words["takes"] == "Could not be judged: when the function was called, its process ended (status 0)."
    assert words["legal_moves"] == "Could not be judged: when the function was called, its process ended (signal 11)."
    assert words["next_state"] == "✗ For state (2,) and Move(row=0, count=1) your function raised SystemExit."
    assert "your function raised RecursionError" in words["winner"]
    assert outcomes(marks, "crashes")["heard"] == "passed"


def test_a_function_that_never_ends_loses_only_its_own_exercise(hostile):
    marks, _, _ = hostile
    hung = f"✗ One call of your function gave no answer within {SECONDS} seconds. Is there a loop that never ends?"
    assert messages(marks, "loops")["chance"] == messages(marks, "loops")["draw"] == hung
    assert outcomes(marks, "loops") == dict(zip(HATS, ["wrong", "passed", "passed", "wrong"]))


@UNIX
def test_cells_that_crash_or_never_end_are_noted_and_the_rest_is_run(hostile):
    marks, _, _ = hostile
    assert set(outcomes(marks, "cells").values()) == {"passed"}
    told = [words.partition(": ")[2] for words in notes(marks, "cells")]
    late = f"it was stopped after {SECONDS} s"
    assert told == ["its process ended (status 7)", late, "its process ended (signal 11)", late]


@UNIX
def test_a_memory_bomb_is_a_wrong_answer(hostile):
    marks, _, _ = hostile
    assert outcomes(marks, "eats") == dict(zip(HATS, ["wrong", "passed", "passed", "wrong"]))
    assert all("raised MemoryError" in messages(marks, "eats")[name] for name in ("chance", "draw"))


@UNIX
def test_processes_and_threads_that_were_started_end_with_the_marking(hostile):
    marks, _, numbers = hostile
    assert outcomes(marks, "starts") == dict(zip(HATS, ["passed", "passed", "passed", "wrong"]))
    started = [int(line) for line in numbers.read_text().split()]
    assert len(started) >= 3
    for pid in started:
        if sys.platform == "linux":  # elsewhere nobody inherits what has left its family
            assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_deleted_cells_are_missing_answers(hostile):
    marks, _, _ = hostile
    assert outcomes(marks, "deleted") == dict(zip(HATS, ["no answer", "passed", "no answer", "no answer"]))
    words = messages(marks, "deleted")
    assert words["settle_game"] == "The cell that hands an answer to its check is not there."
    assert words["draw"] == "No answer: there is no draw."
    assert notes(marks, "deleted") == [
        "cell 2 (1 / 0): it failed with ZeroDivisionError: division by zero (line 1)",
        "cell 3 (def chance(:): it failed with SyntaxError: invalid syntax (line 1)",
    ]


@pytest.fixture(scope="module")
def cells_gone_wrong(copies, tmp_path_factory):
    """What came of answers of lesson 04 whose cells do not run: broken ones, and one that ends its process."""
    folder = tmp_path_factory.mktemp("gone-wrong")
    hats = (copies / "04_hats.ipynb").read_bytes()
    no_colon = HATS["chance"].replace("):\n", ")\n", 1)
    assert no_colon != HATS["chance"]
    handed_in = {
        "colon": done(hats, HATS | {"chance": no_colon}),
        "indent": done(hats, HATS | {"draw": "def draw(*_):\nreturn 1\n\ncheck.draw(draw)"}),
        "bracket": notebook("draw = max", "draw = sorted([3\ncheck.draw(draw)"),
        "twice": notebook(HATS["settle"], "settle = (\ncheck.settle(settle)"),
        "ends": done(hats, HATS | {"chance": HATS["chance"] + "\nimport os; os._exit(0)"}),
    }
    for student, content in handed_in.items():
        (folder / f"{student}_04.ipynb").write_bytes(content)
    return mark(folder, seconds=30)


def test_an_answer_in_a_broken_cell_is_there_and_went_wrong(cells_gone_wrong):
    marks = cells_gone_wrong
    errors = {
        "colon": ("chance", "SyntaxError: expected ':' (line "),
        "indent": ("draw", "IndentationError: expected an indented block"),
        "bracket": ("draw", "SyntaxError: '[' was never closed (line 1)"),
    }
    for student, (exercise, error) in errors.items():
        assert outcomes(marks, student)[exercise] == "no answer"
        assert messages(marks, student)[exercise].startswith(f"Its cell went wrong: it failed with {error}")
        (note,) = notes(marks, student)
        assert note.startswith("cell ") and f": it failed with {error}" in note
    for student in ("colon", "indent"):  # the cells after it are run and judged
        others = {outcome for name, outcome in outcomes(marks, student).items() if name != errors[student][0]}
        assert others == {"passed"}
    assert outcomes(marks, "twice")["settle"] == "passed"  # one right answer is enough


def test_a_cell_that_ends_its_process_is_no_answer(cells_gone_wrong):
    marks = cells_gone_wrong
    assert outcomes(marks, "ends") == dict(zip(HATS, ["no answer", "passed", "passed", "passed"]))
    assert messages(marks, "ends")["chance"].startswith("Its cell went wrong: its process ended")
    page = (NOTEBOOKS.parent / "docs" / "marking.md").read_text(encoding="utf-8")
    (line,) = (line for line in page.splitlines() if line.startswith("| – |"))
    assert "its process ended" in line


def test_other_names_other_cells_and_changed_arguments(hostile):
    marks, _, _ = hostile
    assert outcomes(marks, "otherwise") == dict(zip(HATS, ["passed", "passed", "passed", "wrong"]))
    assert "your function also changed what it was given" in messages(marks, "otherwise")["draw"]


@pytest.mark.parametrize("student", BROKEN)
def test_what_is_no_notebook_of_the_lesson_is_said(hostile, student):
    marks, _, _ = hostile
    assert set(outcomes(marks, student)) == set(HATS)
    assert set(messages(marks, student).values()) == {f"Could not be judged: {BROKEN[student][1]}."}


def test_marks_and_other_notebooks_cannot_be_written_over(hostile):
    """All were read before the first was run, and the table is written at the end."""
    marks, table, _ = hostile
    assert outcomes(marks, "overwrites") == dict(zip(HATS, ["not tried", "wrong", "not tried", "not tried"]))
    assert notes(marks, "overwrites") == [""]
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(marks.rows)
    assert {row["passed"] for row in rows if row["student"] == "overwrites"} == {"no"}
    assert all(set(messages(marks, student).values()) != {""} for student in BROKEN)


def test_a_spreadsheet_computes_nothing(hostile):
    marks, table, _ = hostile
    assert "=1+1" in {row["student"] for row in marks.rows}
    assert "\n'=1+1,04_hats,chance,no,wrong," in table.read_text(encoding="utf-8-sig")


def test_every_student_has_a_row_for_every_exercise(hostile):
    marks, _, _ = hostile
    students = {row["student"] for row in marks.rows}
    assert len(marks.rows) == len(students) * sum(len(exercises(lesson)) for lesson in RIGHT)
    assert outcomes(marks, "loops") and marks.outcome("loops", "takes") == "not handed in"
    with pytest.raises(LookupError, match="no outcome for student 'nobody'"):
        marks.outcome("nobody", "takes")


# --- the command -----------------------------------------------------------------------------------------


def test_the_command_shows_a_table_and_writes_it(copies, tmp_path, capsys):
    answers = {"sticks_left": "def sticks_left(before, taken):\n    return taken\n\n\ncheck.sticks_left(sticks_left)"}
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "00.ipynb").write_bytes(done((copies / "00_start_here.ipynb").read_bytes(), answers))
    (tmp_path / "in" / "letter.pdf").write_bytes(b"")
    table = tmp_path / "marks.csv"
    assert main(["mark", str(tmp_path / "in"), "--lesson", "0", "--table", str(table), "--jobs", "1"]) == 0
    assert capsys.readouterr().out == textwrap.dedent(
        f"""\
        00_start_here
        student  first_move  sticks_left  finish  passed
        ada          ·            ✗         ·     0 of 3
        ada:
          sticks_left: ✗ For 1 stick of which 1 is taken your function returned 1; expected 0.

        ✗ wrong, · not tried

        Not recognised, and not marked (1):
          letter.pdf: it is no notebook
        The table with all messages is in {table}.
        """
    )
    assert len(table.read_text(encoding="utf-8-sig").splitlines()) == 4
    table.write_text("with a teacher's words")
    again = ["mark", str(tmp_path / "in"), "--lesson", "0", "--table", str(table), "--jobs", "1"]
    assert main(again) == 2
    out, err = capsys.readouterr()
    assert out == "" and f"{table.name} is there already." in " ".join(err.split()) and "--overwrite" in err
    assert table.read_text() == "with a teacher's words"
    assert main([*again, "--overwrite"]) == 0
    assert len(table.read_text(encoding="utf-8-sig").splitlines()) == 4


@pytest.mark.skipif(not (NOTEBOOKS.parent / ".git").exists(), reason="not a clone")
@pytest.mark.parametrize(
    "name", ["to-hand-out/04_hats.ipynb", "handed-in/ada/04_hats.ipynb", "marks.csv", "marks/marks.csv"]
)
def test_what_pupils_hand_in_is_not_committed(name):
    asked = ["git", "check-ignore", "--quiet", "--no-index", name]
    assert subprocess.run(asked, cwd=NOTEBOOKS.parent, check=False).returncode == 0


def test_the_signs_are_explained_in_the_order_of_the_page(hostile):
    page = (NOTEBOOKS.parent / "docs" / "marking.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.partition("| sign |")[2].splitlines()[2:8]]
    explained = [f"{sign.strip()} {outcome.strip()}" for sign, outcome in rows if "blank" not in sign]
    assert len(explained) == 5
    marks, _, _ = hostile
    assert ", ".join(explained) in report(marks)
    marks = Marks(rows=marks.rows[::-1])
    assert report(marks)[-1] == ", ".join(explained)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no/such/folder"], "There is no folder 'no/such/folder'."),
        ([str(NOTEBOOKS.parent / "docs")], "No handed-in notebook was found in"),
        ([str(NOTEBOOKS), "--lesson", "77"], "No lesson is called '77'"),
        ([str(NOTEBOOKS), "--table", "no/such/folder/x.csv"], "there is no folder 'no/such/folder'"),
        ([str(NOTEBOOKS), "--gigabytes", "0"], "expected a number from 0.1 to 1,000, got 0"),
    ],
)
def test_what_cannot_be_marked_is_said_in_words(words, complaint, capsys):
    assert main(["mark", *words]) == 2
    assert complaint in capsys.readouterr().err
