"""The students' copy, and the teacher's desk: honest work beside work that is meant to fool or to stop the marking."""

from __future__ import annotations

import csv
import json
import os
import re
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import nbformat
import pandas as pd
import psutil
import pytest
from paths import NOTEBOOKS, ROOT

from coincourse import checks, course
from coincourse.checks.stand_in import Checks
from coincourse.checks.verdict import Verdict
from coincourse.classroom import Desk, Marks, mark, marking, running
from coincourse.classroom.desk import file_name, hardest, mistakes
from coincourse.classroom.handed_in import HandedIn, collect
from coincourse.classroom.marking import ANSWERS
from coincourse.classroom.marks import Row, as_csv
from coincourse.classroom.notebooks import ASKED, LARGEST, cells_of, exercises_of, read_lessons
from coincourse.classroom.outside_judge import Judge
from coincourse.outside import contained
from coincourse.terminal import main
from coincourse.terminal.classroom import report

LESSONS = read_lessons()
LIMITS = {"seconds": 10, "gigabytes": 1}
ELSEWHERE = Path("no/such/folder")
CONTAINED = pytest.mark.contained


# --- writing what students hand in ----------------------------------------------------------------------


def solutions(lesson: str) -> dict[str, str]:
    """The code of the explained solutions by the name of the exercise."""
    solved = course.solved(json.loads(copy_of(NOTEBOOKS, lesson).read_bytes()))
    noted = [(cell["metadata"].get("coinlib", {}).get("exercise"), cell["source"]) for cell in solved["cells"]]
    return {name: source for name, source in noted if name}


def names(lesson: str) -> list[str]:
    return [exercise.name for exercise in LESSONS[lesson].exercises]


def notebook(*sources: str) -> bytes:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(text)) for text in sources])
    return nbformat.writes(made).encode()


def copy_of(copies: Path, lesson: str) -> Path:
    """The file of a lesson, or of a project, which lies in a folder of its own."""
    return next(copies.rglob(f"{lesson}.ipynb"))


def done(copies: Path, lesson: str, answers: dict[str, str]) -> bytes:
    """A lesson's copy in which the cells of some exercises say something else."""
    made = nbformat.read(copy_of(copies, lesson), as_version=4)
    for cell in made.cells:
        if cell.cell_type == "code":
            for name, _ in ASKED.findall(cell.source):
                cell.source = answers.get(name, cell.source)
    return nbformat.writes(made).encode()


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """All lessons as they are handed out."""
    folder = tmp_path_factory.mktemp("copies")
    course.student_copy(folder)
    return folder


def hand_in(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


# --- the students' copy ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_copy_is_the_lesson_without_solutions_and_outputs(copies, lesson):
    handed_out = nbformat.read(copy_of(copies, lesson), 4)
    nbformat.validate(handed_out)
    original = nbformat.read(copy_of(NOTEBOOKS, lesson), 4)
    kept = [cell for cell in original.cells if not course.is_solution(cell)]
    assert len(kept) == len(original.cells) - len(names(lesson))
    assert [cell.source for cell in handed_out.cells] == [cell.source for cell in kept]
    noted = [cell.metadata.get("coinlib", {}).get("exercise") for cell in handed_out.cells]
    named = [name for name in noted if name]
    assert named == names(lesson)
    code = [cell for cell in handed_out.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    text = copy_of(copies, lesson).read_text(encoding="utf-8")
    for source in course.solutions(original).values():
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


@pytest.mark.parametrize("lesson", LESSONS)
def test_exercises_are_read_off_the_lesson(lesson):
    least = 3 if lesson[0].isdigit() else 1  # a project may have fewer
    cells = LESSONS[lesson].cells
    asked = exercises_of(cells)
    assert {exercise.name for exercise in asked} <= set(solutions(lesson)) and len(asked) >= least
    assert {exercise.name for exercise in asked} <= set(checks.__all__)
    assert all(re.match(r"[★\d]", exercise.section) for exercise in asked)


# --- who has handed in what -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "student", "number"),
    [
        ("ada/04_hats.ipynb", "ada", ""),
        ("_ada/04_hats.ipynb", "_ada", ""),
        ("Ada  Lovelace_04.ipynb", "Ada  Lovelace", ""),
        ("Ada\u00a0Lovelace_04.ipynb", "Ada\\xa0Lovelace", ""),
        ("Ada Lovelace_12345_assignsubmission_file_/04_hats.ipynb", "Ada Lovelace", "12345"),
        ("Ada Lovelace_12345_assignsubmission_file_04_hats.ipynb", "Ada Lovelace", "12345"),
        ("lovelaceada_LATE_4711_815_04_hats-1.ipynb", "lovelaceada", "4711"),
        ("Kate Late_2001_assignsubmission_file_/04_hats.ipynb", "Kate Late", "2001"),
        ("INF11-Hats-99/Ada_4711_assignsubmission_file_/04.ipynb", "Ada", "4711"),  # a download, unpacked
        ("ada_04.ipynb", "ada", ""),
        ("2026-ada-04 (1).ipynb", "2026-ada", ""),
        ("ada - 04 Hats.ipynb", "ada", ""),
        ("04_hats_ada.ipynb", "ada", ""),
        ("04_hats_Jasmine.ipynb", "Jasmine", ""),
        ("04-Chocolate final.ipynb", "Chocolate", ""),
        ("04_hats_s1234567 (1).ipynb", "s1234567", ""),
        ("04_hats_1234567-copy2.ipynb", "1234567", ""),
        ("ada/week 3/my work.ipynb", "ada", ""),  # by its checks
        ("ada/05_training_hats.ipynb", "ada", ""),  # renamed: its checks are those of lesson 04
        ("Zoe\u0301/04.ipynb", "Zoé", ""),
        ("a\x1b[2Jd\na/04.ipynb", r"a\x1b[2Jd\na", ""),
        ("lesson04/Ada Lovelace/04.ipynb", "Ada Lovelace", ""),  # a folder for each task
        ("04_hats/Ada_4711_assignsubmission_file_/mine.ipynb", "Ada", "4711"),
        ("Lesson 04 Hats/ada.ipynb", "ada", ""),
    ],
)
def test_students_and_lessons_are_recognised(tmp_path, name, student, number):
    (one,), warnings = collect(hand_in(tmp_path, {name: notebook("check.settle(1)")}), LESSONS)
    assert (one.lesson, one.student, one.id, one.why_not, warnings) == ("04_hats", student, number, "", [])


def test_an_empty_folder_has_nothing_to_be_marked(tmp_path, capsys):
    assert main(["mark", str(tmp_path)]) == 2
    assert "No handed-in notebook was found" in capsys.readouterr().err


def test_a_lesson_is_known_by_the_metadata_of_a_cell_that_calls_no_check(tmp_path):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("mine = 1")])
    made.cells[0].metadata["coinlib"] = {"exercise": "settle"}
    nonsense = nbformat.v4.new_code_cell("x", metadata={"coinlib": ["settle"]})
    made.cells.append(nonsense)
    hand_in(tmp_path, {"ada/mine.ipynb": nbformat.writes(made).encode()})
    (one,), _ = collect(tmp_path, LESSONS)
    assert one.lesson == "04_hats" and [cell.exercise for cell in one.cells] == ["settle", ""]


def test_namesakes_are_two_and_nothing_is_lost(tmp_path):
    moodle = "{}_{}_assignsubmission_file_/{}.ipynb"
    files = ["Ada.ipynb/04.ipynb", "Ada_04.ipynb", "Ada/04.ipynb", "Ada/04 (1).ipynb"]
    files += [moodle.format("Ben", 1, "04"), moodle.format("Ben", 2, "04"), moodle.format("Ben", 2, "05")]
    files += [moodle.format("Eve", 3, "04"), moodle.format("Eve", 4, "05")]  # Moodle counts anew for each task
    for name in files:
        hand_in(tmp_path, {name: notebook("x")})
    found, warnings = collect(tmp_path, LESSONS)
    students = [one.student for one in found]
    assert len(found) == len({(one.student, one.lesson) for one in found}) == len(files)
    assert students.count("Ben (1)") == 1 and students.count("Ben (2)") == students.count("Eve") == 2
    assert {one.id for one in found if one.student == "Eve"} == {"3", "4"}
    assert warnings[0].startswith("Ben is the name of") and warnings[1].endswith("without a number: Eve.")
    assert "is there 3 times" in warnings[2] and warnings[2].endswith(
        "(Is Ada a task, and no student? Call this folder lesson04.)"
    )


def test_two_names_are_one_student_only_if_they_are_the_same(tmp_path):
    """In the flat form the name of a file says whose it is: one that looks like another costs nobody a mark."""
    names = ["Ada Lovelace", "Ada  Lovelace", "Ada\u00a0Lovelace", "ADA LOVELACE"]
    hand_in(tmp_path, {f"{name}_04.ipynb": notebook(f"x = {name!r}") for name in names})
    if sys.platform == "linux":
        for name in (b"J\xfcrg", b"J\xf6rg", "Jürg".encode()):
            (Path(os.fsdecode(bytes(tmp_path) + b"/" + name + b"_04.ipynb"))).write_bytes(notebook("x"))
        names += ["Jürg (ISO/IEC 8859-1)", "Jörg (ISO/IEC 8859-1)", "Jürg"]
    found, warnings = collect(tmp_path, LESSONS)
    assert sorted(one.student for one in found) == sorted(name.replace("\u00a0", r"\xa0") for name in names)
    assert len({one.file for one in found}) == len(found)
    assert warnings[0] == (
        "These names look alike, and are several students: ADA LOVELACE, Ada  Lovelace, Ada Lovelace."
    )
    marks = Marks([Row(one.student, one.lesson, "draw", "passed", file=one.file) for one in found])
    Desk(tmp_path / "desk", tmp_path / "in").lay_out(marks)
    assert len(list((tmp_path / "desk" / "letters").iterdir())) == len(marks.sheet()) == len(names)


def test_a_students_folder_says_whose_a_file_in_it_is(tmp_path):
    moodle = "Ben Okri_4711_assignsubmission_file_06.ipynb"
    files = ["Ben Okri/04.ipynb", f"Eve/{moodle}", "Eve/Ben Okri_05.ipynb", "Eve/my work_04.ipynb"]
    files += [f"Eve/{moodle[:-8]}/08.ipynb", f"lesson06/{moodle}", f"Ada_1_assignsubmission_file_/{moodle}"]
    hand_in(tmp_path, {name: notebook("x") for name in files})
    found, warnings = collect(tmp_path, LESSONS)
    assert {one.file: (one.student, one.id) for one in found} == {
        **{name: ("Eve", "") for name in files if name.startswith("Eve")},
        "Ben Okri/04.ipynb": ("Ben Okri", ""),
        f"lesson06/{moodle}": ("Ben Okri", "4711"),
        f"Ada_1_assignsubmission_file_/{moodle}": ("Ada", "1"),
    }
    said = [warning.partition(" bears the name of Ben Okri. It lies in the folder of ") for warning in warnings]
    assert sorted((file, rest[:3]) for file, _, rest in said) == [
        (f"Ada_1_assignsubmission_file_/{moodle}", "Ada"),
        ("Eve/Ben Okri_05.ipynb", "Eve"),
        (f"Eve/{moodle[:-8]}/08.ipynb", "Eve"),
        (f"Eve/{moodle}", "Eve"),
    ]


def test_a_file_beside_a_students_folder_does_not_take_its_name(tmp_path):
    hand_in(tmp_path, {name: notebook("x") for name in ("Ada/04.ipynb", "Ada_04.ipynb", "Ada _04.ipynb")})
    os.utime(tmp_path / "Ada/04.ipynb", (9, 9))  # the older one
    found, _ = collect(tmp_path, LESSONS)
    given = {one.file: one.student for one in found}
    assert given == {"Ada/04.ipynb": "Ada", "Ada_04.ipynb": "Ada (Ada_04.ipynb)", "Ada _04.ipynb": "Ada "}


def test_a_name_that_we_give_is_nobodys(tmp_path):
    moodle = "Ben_{}_assignsubmission_file_04.ipynb"
    for name in (moodle.format(1), moodle.format(2), "Ben (1)/05.ipynb", "Ada_04.ipynb", "Ada_04 (1).ipynb"):
        hand_in(tmp_path, {name: notebook("x")})
        os.utime(tmp_path / name, (9, 9))
    hand_in(tmp_path, {"Ada (Ada_04.ipynb)/05.ipynb": notebook("x")})
    found, _ = collect(tmp_path, LESSONS)
    given = {one.file: one.student for one in found}
    assert given["Ben (1)/05.ipynb"] == "Ben (1)" != given[moodle.format(1)] == "Ben (1)*"
    assert len(set(given.values())) == len(found)


@pytest.mark.skipif(sys.platform == "win32", reason="links and deep folders are made otherwise there")
def test_whatever_is_not_marked_is_listed_with_its_reason(tmp_path):
    hand_in(tmp_path, {name: b"" for name in ("ada/notes.txt", "ben.zip", ".DS_Store", "ada/._04_hats.ipynb")})
    hand_in(tmp_path, {"04_hats.ipynb": notebook("x"), "ada/thoughts.ipynb": notebook("x")})
    hand_in(tmp_path, {"hats.ipynb": notebook("check.settle(1)")})
    hand_in(tmp_path, {"ada/draft.ipynb": b'{"worksheets": []}'})
    (tmp_path / "_nobody").mkdir()
    (tmp_path / "ada" / "05.ipynb").symlink_to(tmp_path / "04_hats.ipynb")
    (tmp_path / "link").symlink_to(tmp_path / "ada")
    subprocess.run(["mkdir", "-p", "d/" * 1_500], cwd=tmp_path, check=True)
    found, _ = collect(tmp_path, LESSONS)
    subprocess.run(["rm", "-rf", "d"], cwd=tmp_path, check=True)
    assert {one.file[:20]: re.split("[;:]", one.why_not)[0] for one in found} == {
        "04_hats.ipynb": "it does not say whose it is",
        "hats.ipynb": "it does not say whose it is",
        "ben.zip": "unpack it first",
        "ada/05.ipynb": "it is a link, and is not followed",
        "link": "it is a link, and is not followed",
        "ada/notes.txt": "it is no notebook",
        "ada/draft.ipynb": "it is not a notebook",
        "ada/thoughts.ipynb": "neither its checks nor its name tell which lesson it is",
        "_nobody": "the folder is empty, or cannot be read",
        ".DS_Store": "it is hidden",
        "ada/._04_hats.ipynb": "it is hidden",
        "d/d/d/d/d/d/d/d/d/d/": "the folder is empty, or cannot be read",
    }
    assert {one.student for one in found} == {"", "ada", "ben", "link", "_nobody", "d"}


# --- honest work and all the rest, marked together ------------------------------------------------------

HATS = solutions("04_hats")
WRONG = "def chance(*_):\n    return 2\ncheck.chance(chance)"
MAGICS = """
    %matplotlib inline
    %config InlineBackend.figure_format = "retina"
    !ls
    import matplotlib.pyplot as plt
    plt.plot([1])
    plt.show()
    sticks = int(input("How many? "))
"""
HONEST = {  # lesson 04; what is expected of its four exercises stands beside it
    "magics": (["%%time\n" + HATS["chance"], MAGICS, HATS["settle"], HATS["settle_game"], HATS["draw"]], "✓✓✓✓"),
    "prints": (["def chance(*numbers):\n    print(numbers)\n    return 1 / 0\ncheck.chance(chance)"], "✗–––"),
    "otherwise": (
        [
            "from google.colab import drive",
            "from coincourse import checks",
            WRONG.replace("check.", "checks."),
            HATS["chance"],
            WRONG,  # one right answer is enough
            HATS["settle"].replace("check.settle(settle)", "mine = settle\ncheck.settle(mine)"),
            HATS["settle_game"].partition("\n\n\ncheck.")[0],  # the call of the check is gone
            "def draw(balls, sticks, generator):\n    balls.clear()\n    return 1, []\ninput('?') / 1\ncheck.draw(draw)",
        ],
        "✓✓✓✗",
    ),
    "in another order": ([HATS["settle_game"], HATS["draw"], HATS["settle"], HATS["chance"], "del draw"], "✓✓✓✓"),
    "gone wrong": (
        [HATS["chance"].replace("):\n", ")\n", 1), HATS["settle"], "1 / 0", "check.draw(draw)"],
        "–✓––",
    ),
}
MISCHIEF = [  # each cell is refused by the system, and the answers that follow are right
    "open(check.__file__, 'a')",
    "import os; open(os.path.join(os.path.dirname(check.__file__), 'planted.py'), 'w')",
    "print(open('WORK').read())",
    "os.remove('WORK')",
    "import socket; socket.create_connection(('127.0.0.1', PORT), 3)",
    "import shutil; open('large', 'wb').write(bytes(100_000_000))",
    "held = bytearray(10**11)",
    "open('ANSWERS/x', 'w')",
    "import psutil; [one.name() for one in psutil.process_iter() if 'pytest' in ' '.join(one.cmdline())][0]",
]
REFUSED = ["OSError", "OSError", "FileNotFoundError", "FileNotFoundError", "ConnectionRefusedError", "OSError"]
REFUSED += ["MemoryError", "FileNotFoundError", "IndexError"]
STARTS = """
    import os, subprocess, sys
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999) # MARKER"], start_new_session=True)
    if os.fork() == 0:
        os.setsid()
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(999) # MARKER"])
"""
FORGES = """
    import gc, io
    def chance(*_):
        for held in gc.get_objects():
            if isinstance(held, io.FileIO) and not held.closed and held.fileno() > 2 and held.writable():
                held.write(b"[" * 1000 + b"\\n")
        return 0
    check.chance(chance)
"""
TOWER = """
    def chance(*_):
        tower = []
        for _ in range(100_000):
            tower = [tower]
        return tower
    check.chance(chance)
"""
EATS = "def chance(*_):\n    held = []\n    while True:\n        held.append(bytearray(10**7))\ncheck.chance(chance)"
STUBBORN = "import time\nwhile True:\n    try:\n        while True: time.sleep(1)\n    except BaseException: pass"
REPLACES = "check.chance = print\ncheck.chance(lambda *_: 0)"
REST = list(HATS.values())[1:]
HOSTILE = {  # lesson 04
    "mischief": ([*MISCHIEF, *HATS.values()], "✓✓✓✓"),
    "starts": ([STARTS, *HATS.values()], "✓✓✓✓"),
    "forges": ([FORGES, *REST], "–✓✓✓"),
    "tower": ([TOWER, *REST], "✗✓✓✓"),
    "eats": ([EATS, *REST], "✗✓✓✓"),
    "hangs": ([HATS["chance"], STUBBORN, *REST], "✓✓✓✓"),
    "replaces": ([REPLACES, *REST], "–✓✓✓"),
    "ends": (
        [HATS["chance"] + "\nimport os; os._exit(7)", HATS["settle"], "import ctypes; ctypes.string_at(0)"],
        "–✓––",
    ),
    "kills": (["import os, signal; os.kill(os.getppid(), signal.SIGKILL); os.kill(1, 9)", *HATS.values()], "✓✓✓✓"),
    "leaves": (["import sys; sys.exit()", *HATS.values(), "quit"], "✓✓✓✓"),
}
BROKEN = {
    "letter": (b"Dear teacher, my dog", "it is not a notebook"),
    "deep": (b"[" * 100_000, "it is not a notebook"),
    "list": (b"[1, 2]", "it is not a notebook"),
    "huge": (bytes(LARGEST + 1), "the file is larger than 20 MB"),
    "words": (nbformat.writes(nbformat.v4.new_notebook()).encode(), "the notebook has no code cells"),
}
SIGNS = {"✓": "passed", "✗": "wrong", "·": "not tried", "–": "no answer", "!": "not judged"}


@pytest.fixture(scope="module")
def honest(copies):
    """What honest students hand in, by file."""
    files = {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _) in HONEST.items()}
    for lesson in LESSONS:
        files[f"well/{lesson}.ipynb"] = done(copies, lesson, solutions(lesson))
        files[f"stub/{lesson}.ipynb"] = (copy_of(copies, lesson)).read_bytes()
    files["with solutions/04_hats.ipynb"] = (NOTEBOOKS / "04_hats.ipynb").read_bytes()
    return files


def all_of_the_course() -> dict[Path, bytes]:
    kinds = {".py", ".ipynb", ".csv", ".toml", ".html", ".css", ".js", ".json"}
    folders = [ROOT / name for name in ("coinlib", "coincourse", "notebooks", "data")]
    return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.suffix in kinds}


@pytest.fixture(scope="module")
def marked(honest, tmp_path_factory):
    """What came of marking the honest and the others together; the desk; and what was different afterwards."""
    folder, desk = tmp_path_factory.mktemp("handed-in"), tmp_path_factory.mktemp("desk")
    marker = folder.as_posix()
    hand_in(folder, honest)
    for name, (content, _) in BROKEN.items():
        hand_in(folder, {f"{name}_04.ipynb": content})
    hand_in(folder, {"=1+1_04.ipynb": notebook(WRONG), "<b>\x07\n_04.ipynb": notebook("'</code><script>'", WRONG)})
    before, children = all_of_the_course(), set(psutil.Process().children(recursive=True))
    with socket.create_server(("127.0.0.1", 0)) as server:
        given = {"PORT": f"{server.getsockname()[1]}", "WORK": f"{folder / 'well/04_hats.ipynb'}", "MARKER": marker}
        given["ANSWERS"] = str(desk / ANSWERS)
        for name, (cells, _) in HOSTILE.items():
            content = notebook(*cells).decode()
            for word, value in given.items():
                content = content.replace(word, value)
            hand_in(folder, {f"{name}_04.ipynb": content.encode()})
        marks = mark(folder, desk, **LIMITS, jobs=3)
    assert [one for one in psutil.process_iter(["cmdline"]) if marker in " ".join(one.info["cmdline"] or ())] == []
    assert set(psutil.Process().children(recursive=True)) <= children
    assert all_of_the_course() == before
    assert (folder / "well/04_hats.ipynb").read_bytes() == honest["well/04_hats.ipynb"]
    return marks, folder, desk


def outcomes(marks: Marks, student: str, lesson: str = "04_hats") -> str:
    signs = {outcome: sign for sign, outcome in SIGNS.items()}
    return "".join(signs[line.outcome] for line in marks.of(student) if line.lesson == lesson)


def messages(marks: Marks, student: str) -> dict[str, str]:
    return {line.exercise: line.message for line in marks.of(student) if line.lesson == "04_hats"}


def notes(marks: Marks, student: str) -> list[str]:
    (words, *others) = [line.not_run for line in marks.of(student) if line.lesson == "04_hats"]
    assert not any(others)
    return [note.partition("): ")[2] for note in words.splitlines()]


@CONTAINED
@pytest.mark.parametrize("lesson", LESSONS)
def test_all_lessons_done_well_and_not_at_all(marked, lesson):
    marks, *_ = marked
    mine = [line for line in marks.of("well") if line.lesson == lesson]
    assert [line.exercise for line in mine] == names(lesson)
    assert [line for line in mine if line.outcome != "passed" or line.not_run] == []
    assert set(outcomes(marks, "stub", lesson)) == {"·"}


@CONTAINED
@pytest.mark.parametrize("student", [*HONEST, *HOSTILE])
def test_a_student_can_spoil_no_more_than_their_own(marked, student):
    assert outcomes(marked[0], student) == (HONEST | HOSTILE)[student][1]


@CONTAINED
def test_what_went_wrong_is_said(marked):
    marks, *_ = marked
    assert outcomes(marks, "with solutions") == "····"
    assert notes(marks, "magics") == []
    assert "your function raised ZeroDivisionError" in messages(marks, "prints")["chance"]
    assert "your function changed what it was given" in messages(marks, "otherwise")["draw"]
    syntax = "it failed with SyntaxError: expected ':' (line 1)"
    assert messages(marks, "gone wrong")["chance"] == f"Its cell went wrong: {syntax}."
    missing = "it failed with NameError: name 'draw' is not defined (line 1)"
    assert notes(marks, "gone wrong")[::2] == [syntax, missing]
    assert messages(marks, "gone wrong")["settle_game"] == "The cell with its check is not there."
    assert [note.split()[3].rstrip(":") for note in notes(marks, "mischief")] == REFUSED
    assert notes(marks, "forges")[0] == "it interfered with its connection"
    assert "raised MemoryError" in messages(marks, "eats")["chance"]
    assert notes(marks, "hangs") == ["no answer after 10 s"]
    assert messages(marks, "replaces")["chance"] == "Its check has said nothing."
    ended = "its process ended (status 7)"
    assert messages(marks, "ends")["chance"] == f"Its cell went wrong: {ended}."
    assert notes(marks, "ends") == [ended]


@CONTAINED
@pytest.mark.parametrize(("student", "why"), [(name, why) for name, (_, why) in BROKEN.items()])
def test_what_is_no_notebook_is_said(marked, student, why):
    assert set(messages(marked[0], student).values()) == {f"Could not be judged: {why}."}


@CONTAINED
def test_the_table_of_the_honest_is_the_same_without_the_others(marked, honest, tmp_path):
    few = {name: content for name, content in honest.items() if "04" in name}
    alone = mark(hand_in(tmp_path / "in", few), tmp_path / "desk", **LIMITS)
    together = Marks([line for line in marked[0].rows if line.file in few])
    assert len(alone.rows) == len(few) * 4
    assert as_csv(alone.table()) == as_csv(together.table())


@CONTAINED
def test_a_marking_goes_on_where_it_was(marked, monkeypatch):
    marks, folder, desk = marked
    next((desk / ANSWERS).glob("15_*")).unlink()  # stopped before it came to this one
    told, judge = [], marking.judge
    monkeypatch.setattr(marking, "judge", lambda running: told.append(running.work.student) or judge(running))
    assert mark(folder, desk, **LIMITS).rows == marks.rows
    assert len(set(told) - BROKEN.keys()) == 1
    del told[:]
    mark(folder, desk, ["15"], **LIMITS, again=["WEL", "stub"])
    assert sorted(told) == ["stub", "well"]
    with pytest.raises(course.CourseError, match="Nobody called eve has"):
        mark(folder, desk, **LIMITS, again=["eve"])


def test_what_comes_late_beside_others_runs_once_more_alone(tmp_path, monkeypatch):
    both, begun, ended = threading.Barrier(2, timeout=60), [], []
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0 * os.cpu_count(), 0, 0), raising=False)

    def judge(running):
        student, beside = running.work.student, len(begun) < 2
        assert running.limits.slowness == (1 if beside else 3)  # On a busy machine it has more time then.
        begun.append(student)
        if beside:
            both.wait()
        assert beside or len(ended) == 2
        ended.append(student)
        late = beside and student == "slow"
        outcome = "wrong" if late else "passed"
        return [Row(student, "04_hats", name, outcome, late=late) for name in names("04_hats")]

    monkeypatch.setattr(marking, "judge", judge)
    folder = hand_in(tmp_path / "in", {f"{name}/04.ipynb": notebook("x") for name in ("busy", "slow")})
    assert outcomes(mark(folder, tmp_path / "desk", jobs=2, trust=True), "slow") == "✓✓✓✓"
    assert sorted(begun[:2]) == ["busy", "slow"] and begun[2:] == ["slow"]


def test_on_a_busy_machine_a_check_waits_longer_and_says_the_same():
    def settle(*_):
        return time.sleep(0.1)

    late, patient = (checks.settle.judge(settle, 0.05, slowness) for slowness in (1.0, 1000.0))
    assert late.late and "within 0.05 seconds" in str(late)
    assert not patient.late and "returned None" in str(patient)


# --- no hand-in stops the marking -----------------------------------------------------------------------


@pytest.mark.parametrize("heading", ["## x" + 200_000 * " " + "y", "## x " + 100_000 * "*(" + "y"])
def test_a_heading_is_read_at_once(heading):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(heading), nbformat.v4.new_code_cell("x")])
    begun = time.process_time()
    (cell,) = cells_of(nbformat.writes(made).encode())
    assert cell.section == heading[3:] and time.process_time() - begun < 2


def test_notebooks_of_before_and_their_metadata_are_read_quickly():
    old = {"cell_type": "code", "input": ["x = 1\n", "y"], "outputs": []}
    assert cells_of(json.dumps({"nbformat": 3, "worksheets": [{"cells": [old]}]}).encode())[0].source == "x = 1\ny"
    cells = [{"cell_type": "code", "source": "x"}]
    made = {"nbformat": 4, "metadata": {"x": [{}] * 1_000_000}, "cells": cells}
    content = json.dumps(made).encode()
    begun = time.process_time()
    cells_of(content)
    assert time.process_time() - begun < 3  # 3 million bytes, of which 30 are read
    with pytest.raises(ValueError, match="more than 5,000 cells"):
        cells_of(json.dumps(made | {"cells": 6_000 * cells}).encode())


@pytest.mark.skipif(sys.platform == "win32", reason="deep folders are made otherwise there")
def test_a_path_that_is_too_long_has_its_reason(tmp_path):
    hand_in(tmp_path, {"ada/04.ipynb": notebook("check.settle(1)")})
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=place)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = deeper
    os.close(place)
    found, _ = collect(tmp_path, LESSONS)
    subprocess.run(["rm", "-rf", "d" * 200], cwd=tmp_path, check=True)
    assert [(one.student[:3], one.why_not) for one in found] == [
        ("ada", ""),
        ("ddd", "it cannot be read (File name too long)"),
    ]


def test_a_file_that_vanishes_has_its_reason(tmp_path, monkeypatch):
    hand_in(tmp_path, {"ada/04.ipynb": notebook("check.settle(1)"), "ben/04.ipynb": notebook("check.settle(1)")})
    opened = Path.open

    def vanishing(path, *how):
        path.parent.name == "ada" and path.unlink()
        return opened(path, *how)

    monkeypatch.setattr(Path, "open", vanishing)
    found, _ = collect(tmp_path, LESSONS)
    assert [one.why_not for one in found] == ["it cannot be read (No such file or directory)", ""]


def test_what_the_system_refuses_costs_one_notebook(tmp_path, monkeypatch):
    def run(running):
        if running.work.student == "ada":
            raise RuntimeError("can't start new thread")
        return iter(())

    def full(*_):
        raise course.CourseError("No space left on device.")

    monkeypatch.setattr(marking.Running, "run", run)
    monkeypatch.setattr(course, "write", full)
    folder = hand_in(tmp_path / "in", {f"{name}/04.ipynb": notebook("check.settle(1)") for name in ("ada", "ben")})
    marks = mark(folder, tmp_path / "marks", trust=True)
    assert outcomes(marks, "ada") == "!!!!" and outcomes(marks, "ben") == "––––"
    why = "the marking itself failed with RuntimeError: can't start new thread."
    assert messages(marks, "ada")["draw"] == f"Could not be judged: {why}"
    assert marks.warnings == ["ben/04.ipynb is marked, and must be marked again next time: No space left on device."]


FLOODS = """
    import gc, types
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__name__ == "_in_words":
            each.__code__ = (lambda error: "x" * 150_000).__code__
"""


@CONTAINED
def test_long_errors_are_cut_and_said_once(tmp_path):
    files = {"ada/04.ipynb": notebook(FLOODS, *["1 / 0"] * 50, HATS["draw"])}
    marks = mark(hand_in(tmp_path / "in", files), tmp_path / "marks")
    assert [len(row.not_run) // 1_000 for row in marks.rows] == [31, 0, 0, 0]
    assert marks.rows[0].not_run.endswith("\n... and 20 more cells") and outcomes(marks, "ada") == "–––✓"
    assert len(as_csv(marks.table())) < 15_000


# --- a forged mark --------------------------------------------------------------------------------------


READS_THE_STACK = """
    import sys
    def chance(*given):
        frame = sys._getframe()
        while frame:
            for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
                if type(value).__name__ in ("Case", "Exercise", "Task"):
                    return value.expected if hasattr(value, "expected") else value.reference(*given)
            frame = frame.f_back
        return 2
    check.chance(chance)
"""
READS_MEMORY = """
    import gc
    def chance(*given):
        for value in gc.get_objects():
            if type(value).__name__ == "Exercise" and hasattr(value, "reference"):
                return value.reference(*given)
        return 2
    check.chance(chance)
"""
READS_FILES = """
    import glob, importlib, os, sys
    del sys.modules["coincourse.checks"]
    sys.path_importer_cache.clear()
    chance = importlib.import_module("coincourse.checks.hats").chance.reference
    check.chance(chance)
"""
LIES = """
    class Liar(list):
        def __eq__(self, other): return True
        def __len__(self): return 3
        def __getitem__(self, place): return 0
        def __class__(self): return list
    def settle(*_): return Liar()
    check.settle(settle)
"""
PATCHES = """
    import builtins, math
    from coincourse.checks import judging
    class Any(float):
        def __eq__(self, other): return True
        def tolist(self): return self
    math.isclose = builtins.all = lambda *_, **__: True
    judging.alike = judging.judge = judging.Task.refusal = lambda *_, **__: ""
    def chance(*_): return Any(2)
    check.chance(chance)
"""
SAYS_RIGHT = """
    import gc
    right = {"exercise": "chance", "right": True, "lines": ["Right."]}
    for value in gc.get_objects():
        if type(value).__name__ == "NotebookRunner":
            type(value).run = lambda *_: ["", [right]]
            type(value).described = lambda *_: ["chance", right]
            type(value).call = lambda *_: ["verdict", right]
"""
FORGED = {  # lesson 04
    "reads the stack": ([READS_THE_STACK], "✗–––"),
    "reads memory": ([READS_MEMORY], "✗–––"),
    "reads files": ([READS_FILES], "––––"),
    "lies": ([LIES], "–✗––"),
    "patches": ([PATCHES], "✗–––"),
    "says right": ([SAYS_RIGHT, WRONG, HATS["settle"]], "––––"),
    "asks for the reference": (["check.chance(check.chance.reference)"], "––––"),
}


@pytest.fixture(scope="module")
def forged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forged")
    files = {f"{name}/04.ipynb": notebook(*cells) for name, (cells, _) in FORGED.items()}
    return mark(hand_in(folder / "in", files), folder / "marks", **LIMITS, jobs=2)


@CONTAINED
@pytest.mark.parametrize("student", FORGED)
def test_the_judge_cannot_be_touched(forged, student):
    assert outcomes(forged, student) == FORGED[student][1]


WIDGETS = "from ipywidgets import Image, IntSlider"


@CONTAINED
def test_what_is_judged_beside_the_students_code_is_said(tmp_path):
    lesson = "07_exploration_and_opponents"
    folder = hand_in(tmp_path / "in", {f"ada/{lesson}.ipynb": notebook(WIDGETS, solutions(lesson)["slider"])})
    marks = mark(folder, tmp_path / "marks", **LIMITS)
    assert outcomes(marks, "ada", lesson) == "––✓––"
    assert marks.warnings == [
        "Tried beside the student's code, who could forge it, since its answer is no plain data: slider."
    ]
    Desk(tmp_path / "marks", folder).lay_out(marks)
    head, ada = list(csv.reader((tmp_path / "marks/sheet.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert (head[-1], ada[-1]) == ("passed beside the student's code", "slider")


# --- what comes back from a function --------------------------------------------------------------------

GAME_AND_RULE = """
    from coinlib import CoinGame
    my_answer = CoinGame((5, 5), max_pick=2, misere=False), lambda state: (state[0] - state[1]) % 3 == {}
    check.lost_states(my_answer)
"""
HANDS_BACK = "def settle(balls, drawn, won):\n    return balls"
ASKS = "def draw(balls, sticks, generator, ask=input):\n    return ask()"
PRINTS = "def chance(*_):\n    print('hello')\n    return 2"


@CONTAINED
def test_what_a_function_does_comes_back_with_its_answer(tmp_path):
    """It is said in the words of a lesson, and an answer may be data and a function side by side."""
    changes = "def settle_game(hats, beside, won):\n    hats.clear()\n    return {}"
    cells = [PRINTS, HANDS_BACK, ASKS, changes, *(f"check.{name}({name})" for name in names("04_hats"))]
    files = {"ada/04.ipynb": notebook(*cells)}
    for student, remainder in (("ada", 0), ("ben", 1)):
        files[f"{student}/05.ipynb"] = notebook(GAME_AND_RULE.format(remainder))
    marks = mark(hand_in(tmp_path / "in", files), tmp_path / "marks", **LIMITS)
    said = messages(marks, "ada")
    assert said["chance"].endswith("(What your function printed is held back here. It began with: hello)")
    answers: dict = {}
    for source in cells[:4]:
        exec(source, answers)  # noqa: S102 - the same cells, in this process
    for name in names("04_hats"):
        assert said[name] == " ".join(str(getattr(checks, name).judge(answers[name])).split())
    lesson = "05_training_hats"
    assert (outcomes(marks, "ada", lesson)[1], outcomes(marks, "ben", lesson)[1]) == ("✓", "✗")


def test_what_goes_wrong_in_a_check_is_no_fault_of_the_student(monkeypatch):
    judge = Judge()
    monkeypatch.setattr(checks.chance, "cases", None)
    kind, verdict = judge.judge("chance", {"function": 0, "name": "chance", "parameters": None}, 5.0, 1.0)
    assert kind == "verdict" and verdict["lines"][0].startswith("The check itself went wrong, and that is not your")
    assert judge.judge("chance", {"value": {"move": [1, 2, 3]}}, 5.0, 1.0) == ["refused"]


# --- an answer on which a lesson goes on ----------------------------------------------------------------


@CONTAINED
def test_a_right_answer_plays_on_and_a_wrong_one_ends_its_cell(tmp_path):
    """The course's own answer, with which a lesson would go on, is not beside the student's code."""
    again = f"assert check.chance.or_ours(chance) is chance\n{HATS['settle']}"
    wrong = f"check.draw.or_ours(lambda *_: 7)\n{HATS['settle_game']}"
    slow = f"import time\ncheck.settle.or_ours(lambda *_: time.sleep(99))\n{HATS['settle']}"
    inside = HATS["chance"].replace("):\n", "):\n    check.settle.or_ours(None)\n", 1)
    files = {
        "ada/04.ipynb": notebook(HATS["chance"], again, wrong),
        "ben/04.ipynb": notebook(slow, HATS["chance"]),
        "eve/04.ipynb": notebook(inside),
    }
    marks = mark(hand_in(tmp_path / "in", files), tmp_path / "marks", **LIMITS, jobs=1)
    assert [outcomes(marks, name) for name in ("ada", "ben", "eve")] == ["✓✓––", "✓–––", "✓–––"]
    words = (
        "it failed with NotRightYet: draw is not right yet, and the course's own is not at hand in a marking (line 1)"
    )
    assert notes(marks, "ada") == [words]
    assert notes(marks, "ben") == ["no answer after 5 s"]


def test_what_stands_for_the_checks_has_all_that_labs_ask_of_them():
    stands_in = Checks(print, [*checks.FILE_OF], {})
    constants = [name for name in vars(checks) if name.isupper()]
    assert "STARRED" in constants and all(getattr(stands_in, name) is getattr(checks, name) for name in constants)


def test_a_late_verdict_in_the_middle_of_a_cell_is_no_wrong_answer(monkeypatch):
    run = running.Running(HandedIn("ada/04.ipynb"), LESSONS["04_hats"], running.Limits(10, 1), None)
    run.contained = "still open"
    monkeypatch.setattr(run, "_judge", lambda *_: Verdict("draw", False, (), late=True))
    with pytest.raises(contained.NoAnswer, match="no answer after 5 s"):
        run._is_right([("draw", {})])


# --- without bubblewrap ---------------------------------------------------------------------------------


def test_without_bubblewrap_a_teacher_says_that_everybody_is_trusted(honest, tmp_path, monkeypatch):
    monkeypatch.setattr(contained, "why_plain", lambda: "bubblewrap is not installed")
    folder = hand_in(tmp_path / "in", {"ada/04.ipynb": honest["otherwise/04.ipynb"]})
    with pytest.raises(course.CourseError, match=r"bubblewrap is not installed, .* add --trust.*container"):
        mark(folder, tmp_path / "desk")
    assert outcomes(mark(folder, tmp_path / "desk", trust=True), "ada") == HONEST["otherwise"][1]


# --- what comes of it -----------------------------------------------------------------------------------

ONE_STICK = "That takes one stick away, whatever `taken` is."
HEX = 'For 1 stick of which 1 is taken your function returned 1; expected 0. <script>alert("1")</script>'


def small_class() -> Marks:
    """Three students, two lessons: one has not handed in the second."""
    rows = []
    for student, number, signs in (("Ada", "7", "✓✗✓"), ("Ben", "8", "✓✗·"), ("=1+1", "", "–✗")):
        for (lesson, exercise), sign in zip([("00", "first_move"), ("00", "sticks_left"), ("04", "draw")], signs):
            hint = ONE_STICK if sign == "✗" else ""
            words = f"✗ No. {hint}" if hint else HEX
            came = (SIGNS[sign], words, "cell 3: <i>\ncell 4: late", "file")
            code = f"{exercise} = '<script>'"
            rows.append(Row(student, f"{lesson}_x", exercise, *came, number, code, "2 · Why & how", hint))
    rows.append(Row("=1+1", "04_x", "draw", "not handed in", "None came."))
    return Marks(rows)


def test_one_sheet(tmp_path):
    marks = small_class()
    sheet = marks.sheet({"draw": 2.5, "00_x": 2})
    assert list(sheet) == ["id", "00_x (of 2)", "04_x (of 2.5)", "total (of 6.5)"]
    assert sheet.astype(object).fillna("").T.to_dict("list") == {
        "=1+1": ["", 0, "", 0],
        "Ada": ["7", 1, 2.5, 4.5],
        "Ben": ["8", 1, 0, 2],
    }
    (tmp_path / "settings.toml").write_bytes(
        b'\xef\xbb\xbfseparator = ";"\ndecimal = ","\ndraw = 2.5  # and nothing else'
    )
    Desk(tmp_path, ELSEWHERE).lay_out(marks)
    lines = (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig").splitlines()
    assert sorted(lines[1:])[:2] == ["'=1+1;;0;;0", "Ada;7;1;2,5;3,5"]
    letter = (tmp_path / "letters" / "Ada.html").read_text(encoding="utf-8")
    assert re.findall("<th>(.*)</th><td.*>(.*)</td>", letter)[1:] == [
        ("04_x (of 2,5)", "2,5"),
        ("total (of 4,5)", "3,5"),
    ]
    marks.rows[0] = marks.rows[0]._replace(id="9")  # Moodle has numbered Ada anew for each task
    assert marks.sheet().id["Ada"] == ""


def test_a_letter_runs_nothing_and_keeps_the_teachers_words(tmp_path):
    desk, marks = Desk(tmp_path, ELSEWHERE), small_class()
    desk.lay_out(marks)
    words = tmp_path / "words" / "Ada.txt"
    words.write_text("Well <done>!\n\nZoé", encoding="utf-8-sig")
    words.with_name("Ada (7).txt").write_text("nobody is called so any more")
    Desk(tmp_path, ELSEWHERE).lay_out(marks)
    assert [words.split(": ")[1] for words in marks.warnings] == ["nobody has this name in this marking."]
    page = (tmp_path / "letters" / "Ada.html").read_text(encoding="utf-8")
    assert "<script" not in page and "<i>" not in page and "\ncell 4: late</p>" in page
    assert "<p>Well &lt;done&gt;!\n\nZoé</p>" in page
    assert page.count("Read again: section “2 · Why &amp; how” of lesson 00.") == 1
    assert "None came." in (tmp_path / "letters" / f"{file_name('=1+1')}.html").read_text(encoding="utf-8")
    (tmp_path / "sheet.csv").write_text("with a teacher's words")
    os.utime(tmp_path / "sheet.csv", (time.time() + 9, time.time() + 9))  # a clock may be coarse
    with pytest.raises(course.CourseError, match=r"sheet.csv in .*: changed since it was made"):
        Desk(tmp_path, ELSEWHERE)
    Desk(tmp_path, ELSEWHERE, overwrite=True).lay_out(marks)
    assert "teacher" not in (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig")
    students = ["a/b", "a\\b", "a_b", "x" * 200, "x" * 201]
    students += [file_name(name) for name in students[:2]]  # whoever is called as a file of somebody else
    assert len({file_name(name) for name in students}) == 7


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_words_of_any_editor_stand_in_the_letter(tmp_path, encoding):
    (tmp_path / "words").mkdir()
    (tmp_path / "words/Ada.txt").write_bytes("Müller – gut".encode(encoding))
    Desk(tmp_path, ELSEWHERE).lay_out(small_class())
    assert "<p>Müller – gut</p>" in (tmp_path / "letters/Ada.html").read_text(encoding="utf-8")


def test_two_letters_never_share_a_file(tmp_path, monkeypatch):
    """Where the system takes ada and Ada for one name, as macOS and Windows do, they have two letters."""
    monkeypatch.setattr("coincourse.classroom.desk.file_name", str.casefold)
    Desk(tmp_path, ELSEWHERE).lay_out(Marks([Row(name, "04_hats", "draw", "passed") for name in ("Ada", "ada")]))
    letters = [page.read_text(encoding="utf-8") for page in (tmp_path / "letters").iterdir()]
    assert len(letters) == 2 and letters[0] != letters[1]
    assert len(list((tmp_path / "words").iterdir())) == 2


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("cell", ["x;=1+1", "x,=1+1", "x\t=1", '";"=1', 'x;"=1"', "a;-1", "x\r\n@y", "x|+1", "＝1"])
def test_no_separator_makes_a_formula_of_a_cell(cell, separator):
    """Whichever separator a spreadsheet takes for that of a table, no cell begins like a formula."""
    written = as_csv(pd.DataFrame({"name": [cell, "Ada"], "said": ["[1, -2]", cell]}), separator).decode("utf-8-sig")
    for taken in ",;\t|":
        for line in csv.reader(written.splitlines(), delimiter=taken):
            assert not any(found.startswith(("=", "+", "-", "@", "＝")) for found in line)
    assert "[1, -2]" in written


@CONTAINED
def test_pages_and_tables_of_whatever_was_handed_in_do_no_harm(marked, tmp_path):
    Desk(tmp_path, ELSEWHERE).lay_out(marked[0])
    pages = [page.read_text(encoding="utf-8") for page in (tmp_path / "letters").iterdir()]
    assert len(pages) == marked[0].table().student.nunique() and not any("<script" in page for page in pages)
    assert "\n'=1+1,," in (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig")


def test_the_class_is_told_in_a_table_and_a_picture(tmp_path):
    marks = small_class()
    unknown = "✗ For 1 your function raised NameError: name 'helper' is not defined."
    marks.rows += [Row("Eve", "00_x", name, "not handed in") for name in ("first_move", "sticks_left")]
    marks.rows.append(Row("Eve", "04_x", "draw", "wrong", unknown, "cell 1: SyntaxError", error="NameError"))
    marks.rows.append(Row("Tom", "04_x", "draw", "wrong", unknown, error="NameError"))
    counts = hardest(marks).droplevel("lesson")[["wrong", "passed"]]
    assert counts.T.to_dict("list") == {"sticks_left": [3, 0], "draw": [2, 1], "first_move": [0, 2]}
    # what only follows from a broken cell is no mistake
    assert mistakes(marks) == [(3, "sticks_left", ONE_STICK), (1, "draw", "The function raises NameError.")]
    Desk(tmp_path, ELSEWHERE).lay_out(marks)
    page = (tmp_path / "overview.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3 and 'class="not-passed" x="1" width="2"' in page and ONE_STICK in page


# --- what is the teacher's, and what is handed in ---------------------------------------------------------


PLANTED = {
    "Eve/04.ipynb": notebook("x = 1"),
    "marks/settings.toml": b"draw = 99",
    "marks/words/Ben.txt": b"You fail.",
    "pyproject.toml": b'[project]\nname = "coinlib"\n',
    "notebooks/04_hats.ipynb": notebook("1 + 1"),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")
@pytest.mark.parametrize(
    ("place", "words", "complaint"),
    [
        ("in", ["."], "You are inside the folder of what was handed in"),
        ("in/Eve", [".."], "You are inside the folder of what was handed in"),
        ("course", ["../in", "--into", "../in/marks"], "must not lie inside each other"),
        ("course", ["../in/Eve", "--into", "../in"], "must not lie inside each other"),
        ("course", ["../in", "--into", "../linked"], "must not lie inside each other"),
        ("course", ["../in", "--into", "../words"], "secret.txt is a link or a device"),
        ("course", ["../in", "--into", "../site"], "letters is a link or a device"),
        ("course", ["../in", "--into", "../pipe"], "settings.toml is a link or a device"),
    ],
)
def test_nothing_that_was_handed_in_is_taken_for_the_teachers(tmp_path, capsys, monkeypatch, place, words, complaint):
    secrets = hand_in(tmp_path / "teacher", {"secret.txt": b"secret", "letters/site.html": b"mine"})
    hand_in(tmp_path / "in", PLANTED)
    for folder in ("course", "words/words", "site", "pipe"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "linked").symlink_to(tmp_path / "in/marks")
    (tmp_path / "words/words/secret.txt").symlink_to(secrets / "secret.txt")
    (tmp_path / "site/letters").symlink_to(secrets / "letters")
    os.mkfifo(tmp_path / "pipe/settings.toml")
    monkeypatch.chdir(tmp_path / place)
    assert main(["mark", *words, "--trust"]) == 2
    assert complaint in " ".join(capsys.readouterr().err.split())
    assert (secrets / "letters/site.html").read_bytes() == b"mine"
    assert sorted(path.name for path in (tmp_path / "in/marks").iterdir()) == ["settings.toml", "words"]


def test_a_planted_course_is_not_the_course(tmp_path, monkeypatch):
    monkeypatch.chdir(hand_in(tmp_path, PLANTED))
    assert course.home() == tmp_path and course.own_home() == ROOT
    assert read_lessons() == LESSONS


# --- the command ----------------------------------------------------------------------------------------


@CONTAINED
def test_the_command_shows_a_table_and_writes_it(copies, tmp_path, capsys, monkeypatch, ctrl_c):
    monkeypatch.setattr(contained, "memory_in_words", lambda: "Memory is limited.")
    monkeypatch.chdir(tmp_path)
    answers = {"sticks_left": "def sticks_left(before, taken):\n    return taken\n\n\ncheck.sticks_left(sticks_left)"}
    ben = {"in/Ben_12_assignsubmission_file_/work.zip": b"", "in/letter.pdf": b""}
    hand_in(tmp_path, {"in/ada/00.ipynb": done(copies, "00_start_here", answers)} | ben)
    (tmp_path / "marks").mkdir()
    (tmp_path / "marks/settings.toml").write_text('finish = 0.5\n00 = 2\nseparator = ";"\ndecimal = ","')
    command = ["mark", "in", "--lesson", "0", "--jobs", "1"]
    assert main(command) == 0
    assert capsys.readouterr().out == textwrap.dedent(
        """\
        00_start_here
            first_move sticks_left finish  passed
        ada          ·           ✗      ·       0
        Ben                                     0
        ada:
          sticks_left: ✗ For 1 stick of which 1 is taken your function returned 1; expected 0.

        ✓ passed, ✗ wrong, · not tried, – no answer, ! not judged
        Not marked: letter.pdf: it is no notebook
        Not marked: Ben_12_assignsubmission_file_/work.zip: unpack it first
        Hardest: sticks_left (1 wrong).
        Notebooks run in bubblewrap, without a network and with nothing of anybody else in view. Memory is limited.
        marks holds sheet.csv, table.csv, overview.html and the letters; settings.toml is yours.
        """
    )
    assert (tmp_path / "marks/sheet.csv").read_text(encoding="utf-8-sig").splitlines() == [
        *("student;id;00_start_here (of 2,5);total (of 5)", "ada;;0;0", "Ben;12;;0")
    ]
    monkeypatch.setattr(marking, "_mark_all", lambda *_: ctrl_c())
    assert main([*command, "--again", "ada"]) == 130
    assert "the same command goes on where it was" in capsys.readouterr().out


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
@pytest.mark.parametrize("name", ["to-hand-out/04_hats.ipynb", "handed-in/ada/04_hats.ipynb", "marks/sheet.csv"])
def test_what_pupils_hand_in_is_not_committed(name):
    asked = ["git", "check-ignore", "--quiet", "--no-index", name]
    assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 0


def test_the_signs_are_explained_in_the_order_of_the_page(capsys):
    page = (ROOT / "docs" / "marking.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.partition("| sign |")[2].splitlines()[2:8]]
    explained = [f"{sign.strip()} {outcome.strip()}" for sign, outcome in rows if "blank" not in sign]
    assert explained == [f"{sign} {outcome}" for sign, outcome in SIGNS.items()]
    report(small_class())
    assert ", ".join(explained) in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no/such/folder"], "There is no folder 'no/such/folder'."),
        ([str(ROOT / "docs")], "No handed-in notebook was found in"),
        ([str(NOTEBOOKS), "--lesson", "77"], "No lesson is called '77'"),
        ([str(NOTEBOOKS), "--gigabytes", "0"], "argument --gigabytes: expected 0.1 or more, got 0"),
        ([str(NOTEBOOKS), "--into", "words"], "settings.toml: draw: expected a number of 0 or more, got 'x'."),
        ([str(NOTEBOOKS), "--into", "signs"], "settings.toml: separator: expected ',', ';' or '\\t', got 'x'."),
        ([str(NOTEBOOKS), "--into", "names"], "no lesson is called 'settle_gam'; a lesson is 04 or 04_hats."),
        ([str(NOTEBOOKS), "--into", "comma"], "A line is a name, = and a number with a point: draw = 0.5"),
    ],
)
def test_what_cannot_be_marked_is_said_in_words(words, complaint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, line in (
        ("words", "draw = 'x'"),
        ("signs", "separator = 'x'"),
        ("names", "settle_gam = 1"),
        ("comma", "draw = 0,5"),
    ):
        hand_in(tmp_path, {f"{name}/settings.toml": line.encode()})
    assert main(["mark", *words]) == 2
    assert complaint in " ".join(capsys.readouterr().err.split())
