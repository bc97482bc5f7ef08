"""Who handed in what: paths on one side, students, lessons and warnings on the other."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from hand_ins import LESSONS, hand_in, notebook
from paths import NOTEBOOKS, ROOT

from coincourse.classroom.handed_in import HandedIn, collect
from coincourse.classroom.notebooks import read_notebook
from coincourse.classroom.whose import folders_of, names_corrected
from coincourse.course import CourseError

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="links and deep folders are made otherwise there")
ANSWERS = {"04": notebook("check.settle(1)"), "05": notebook("check.losing(1)"), "06": notebook("check.follow(1)")}
OLD = "older: "  # before a path: the notebook is older than others
WHOLE_NAME = (
    "Not called NAME_04… or NAME - …, so the file name, without what marks a copy, such as (1), "
    "is taken as the student's name: {}."
)


def collected(folder: Path, *paths: str, results: Path | None = None) -> tuple[list[HandedIn], list[str]]:
    """Collect notebooks with these paths; the last lesson's number in a path says which lesson each answers."""
    for path in paths:
        name = path.removeprefix(OLD)
        number = [part for part in re.findall(r"\d\d", name) if part in ANSWERS][-1:]
        hand_in(folder, {name: ANSWERS["".join(number) or "04"]})
        if path != name:
            os.utime(folder / name, (9, 9))
    return collect(folder, LESSONS, results)


def students(files: list[HandedIn]) -> dict[str, str]:
    """Return the student of each file."""
    return {one.file: one.student for one in files}


# --- one path -------------------------------------------------------------------------------------------

NAMES = [  # path, student, number of the learning platform
    # a folder is a student, by its name as it is
    ("ada/04_hats.ipynb", "ada", ""),
    ("_ada/04_hats.ipynb", "_ada", ""),
    ("Weeks/04_hats.ipynb", "Weeks", ""),
    ("lesson04-ada/04_hats.ipynb", "lesson04-ada", ""),
    ("homework-4-ada/04_hats.ipynb", "homework-4-ada", ""),
    ("Team_3/04_hats.ipynb", "Team_3", ""),
    ("Zoe\u0301/04.ipynb", "Zoé", ""),
    ("a\x1b[2Jd\na/04.ipynb", r"a\x1b[2Jd\na", ""),
    ("Ben\u3164/04.ipynb", r"Ben\u3164", ""),
    ("ada/week 3/my work.ipynb", "ada", ""),
    ("ada/05_training_hats.ipynb", "ada", ""),  # its exercises are those of lesson 04
    # unless it is named like a task
    ("lesson04/Ada Lovelace/04.ipynb", "Ada Lovelace", ""),
    ("04_hats/Ada_04.ipynb", "Ada", ""),
    ("Lesson 04 Hats/Ada_04.ipynb", "Ada", ""),
    ("homework-4/week 3/Ada_04.ipynb", "Ada", ""),
    # what Moodle and Canvas add is taken off
    ("Ada Lovelace_12345_assignsubmission_file_/04_hats.ipynb", "Ada Lovelace", "12345"),
    ("Ada Lovelace_12345_assignsubmission_file_04_hats.ipynb", "Ada Lovelace", "12345"),
    ("04_hats/Ada_4711_assignsubmission_file_/mine.ipynb", "Ada", "4711"),
    ("Kate Late_2001_assignsubmission_file_/04_hats.ipynb", "Kate Late", "2001"),
    ("lovelaceada_LATE_4711_815_04_hats-1.ipynb", "lovelaceada", "4711"),
    # a file in a flat folder: NAME_04…
    ("Ada  Lovelace_04.ipynb", "Ada  Lovelace", ""),
    ("Ada\u00a0Lovelace_04.ipynb", r"Ada\xa0Lovelace", ""),
    ("Team_3_04_hats.ipynb", "Team_3", ""),
    ("ada_2026-05-12_04.ipynb", "ada_2026-05-12", ""),
    ("2026-ada_04 (1).ipynb", "2026-ada", ""),
    ("Copy of Copy of ada_04 (2) - Copy.ipynb", "ada", ""),
    ("Kopie von ada_04-Copy1.ipynb", "ada", ""),
    # or NAME - …
    ("ada - 04 Hats.ipynb", "ada", ""),
    ("Ben - Copy of 04_hats.ipynb", "Ben", ""),
    ("Anna-Lena - my work.ipynb", "Anna-Lena", ""),
    # or the lesson first
    ("04_hats - ada (1).ipynb", "ada", ""),
]
WHOLE_NAMES = {  # anything else keeps its file name
    "group07.ipynb": "group07",
    "ada-04.ipynb": "ada-04",
    "Copy of 04_hats (1).ipynb": "04_hats",
    "my work.ipynb": "my work",
    "v1.2.ipynb": "v1.2",
    "(1).ipynb": "(1)",
}


def test_a_path_says_whose_a_notebook_is(tmp_path):
    wrong = []
    for place, (name, student, number) in enumerate(NAMES):
        folder = hand_in(tmp_path / str(place), {name: ANSWERS["04"]})
        (one,), warnings = collect(folder, LESSONS)
        came = (one.lesson, one.student, one.id, one.why_not, warnings)
        if came != ("04_hats", student, number, "", []):
            wrong.append((name, came))
    assert wrong == []


def test_a_lesson_follows_from_the_exercises_or_else_from_the_name(tmp_path):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("mine = 1")])
    made.cells[0].metadata["coinlib"] = {"exercise": "settle"}
    made.cells.append(nbformat.v4.new_code_cell("x", metadata={"coinlib": ["settle"]}))
    empty = notebook("x")
    named = {
        "ada/05_of_2026.ipynb": "05",
        "lesson06/ben.ipynb": "06",
        "eve/hats-04 (12).ipynb": "04",
        "tom/1.ipynb": "",
    }
    hand_in(tmp_path, {"zoe/05.ipynb": nbformat.writes(made).encode(), **dict.fromkeys(named, empty)})
    found, _ = collect(tmp_path, LESSONS)
    assert {one.file: one.lesson[:2] for one in found} == {"zoe/05.ipynb": "04", **named}
    zoe = next(one for one in found if one.student == "zoe")
    assert [cell.exercise for cell in zoe.notebook.cells] == ["settle", ""]


# --- folders as platforms make them ---------------------------------------------------------------------

# For each platform the paths of Ada's lessons 04 and 05 and of Ben's 04, with brackets around the student's name as it
# comes out without a correction; then what is said
PLATFORMS = {
    "Moodle": [
        "lesson04/[Ada Lovelace]_71_assignsubmission_file_/04_hats.ipynb",
        "lesson05/[Ada Lovelace]_85_assignsubmission_file_/05_training_hats.ipynb",
        "lesson04/[Ben Okri]_72_assignsubmission_file_/04_hats.ipynb",
    ],
    "Canvas": [
        "[lovelaceada]_4711_81501_04_hats.ipynb",
        "[lovelaceada]_4711_90001_05_training_hats.ipynb",
        "[okriben]_LATE_4712_81502_04_hats-1.ipynb",
    ],
    "Blackboard": [
        "Lesson 04_[adal]_attempt_2026-11-20-10-11-12_04_hats.ipynb",
        "Lesson 05_[adal]_attempt_2026-11-28-09-00-01_05_training_hats.ipynb",
        "Lesson 04_[beno]_attempt_2026-11-21-10-11-13_04_hats.ipynb",
    ],
    "Brightspace": [
        "12345-67890 - [Ada Lovelace] - Nov 20, 2026 1011 AM/04_hats.ipynb",
        "12345-67999 - [Ada Lovelace] - Dec 1, 2026 901 AM/05_training_hats.ipynb",
        "12346-67890 - [Ben Okri] - Nov 21, 2026 1130 PM/04_hats.ipynb",
    ],
    "Google Classroom": [
        "Lesson 04/[Ada Lovelace] - 04_hats.ipynb",
        "Lesson 05/[Ada Lovelace] - Copy of 05_training_hats.ipynb",
        "Lesson 04/[Ben Okri] - Copy of Copy of 04_hats (1).ipynb",
    ],
    "GitHub Classroom": [
        "[lesson04-ada]/04_hats.ipynb",
        "[lesson05-ada]/05_training_hats.ipynb",
        "[lesson04-ben]/04_hats.ipynb",
        "No student who handed in 04_hats has handed in another lesson.",
    ],
    "Gradescope": [
        "assignment_4711_export/[submission_123]/04_hats.ipynb",
        "[assignment_4712_export]/submission_190/05_training_hats.ipynb",
        "assignment_4711_export/[submission_124]/04_hats.ipynb",
        "several students, not as one student: assignment_4711_export.",
        "No student who handed in 04_hats has handed in another lesson.",
    ],
    "Teams": [
        "Submitted files/[Ada Lovelace]/Lesson 04/Version 1/04_hats.ipynb",
        "Submitted files/[Ada Lovelace]/Lesson 05/Version 1/05_training_hats.ipynb",
        "Submitted files/[Ben Okri]/Lesson 04/Version 1/04_hats.ipynb",
        "several students, not as one student: Submitted files.",
    ],
    "Colab": [
        "Copy of [Ada]_04_hats.ipynb",
        "[Ada] - 05_training_hats.ipynb",
        "[Ben] - Copy of Copy of 04_hats.ipynb",
    ],
    "the lesson first": [
        "04_hats_[Ada].ipynb",
        "05_training_hats - [Ada].ipynb",
        "04_hats-[Ben].ipynb",
    ],
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_platform_has_its_rows_and_a_teacher_corrects_them(platform, tmp_path):
    shown = PLATFORMS[platform][:3]
    sayings = PLATFORMS[platform][3:]
    paths = [re.sub(r"[\[\]]", "", path) for path in shown]
    results = tmp_path / "marks"
    found, warnings = collected(tmp_path / "in", *paths, results=results)
    assert students(found) == {path: re.search(r"\[(.*)\]", marked)[1] for path, marked in zip(paths, shown)}
    assert len(warnings) == len(sayings) + bool(sayings)  # the last one names students.csv
    for warning, saying in zip(warnings, sayings):
        assert saying in warning
    corrected = [f"{path};{name}" for path, name in zip(paths, ("Ada", "Ada", "Ben"))]
    hand_in(results, {"students.csv": "\n".join(["path;student", *corrected]).encode()})
    found, _ = collect(tmp_path / "in", LESSONS, results)
    assert {f"{one.student} {one.lesson[:2]}" for one in found} == {"Ada 04", "Ada 05", "Ben 04"}


def test_the_page_shows_platforms_as_they_are_read(tmp_path):
    page = (ROOT / "docs" / "marking-details.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w, ]+) \| `(\S.*\.ipynb)` \| `(.+)`", page, re.MULTILINE)
    assert len(rows) == 8
    for platform, path, student in rows:
        # as on the platform: Ben has handed in the same lesson
        found, _ = collected(tmp_path / platform, path, path.replace("Ada", "Ben").replace("123/", "124/"))
        assert students(found)[path] == student


def test_a_file_in_anothers_folder_that_is_corrected_changes_nobody_elses_row_or_letter(tmp_path):
    results = tmp_path / "marks"
    given_away = "Eva_72_assignsubmission_file_/Ada_04.ipynb"
    found, _ = collected(tmp_path / "in", "Ada_71_assignsubmission_file_/04_hats.ipynb", given_away, results=results)
    assert students(found)[given_away] == "Eva"
    hand_in(results, {"students.csv": f"path;student\n{given_away};Ada\n".encode()})
    os.utime(tmp_path / "in" / given_away, (4e9, 4e9))  # newer than Ada's own
    found, _ = collect(tmp_path / "in", LESSONS, results)
    rows = {(work.student, work.file, work.replaced) for work in found}
    own = "Ada_71_assignsubmission_file_/04_hats.ipynb"
    assert rows == {("Ada", own, False), ("Ada", given_away, True), ("Eva", "Eva_72_assignsubmission_file_", False)}
    folders = {student: [str(each) for each in paths] for student, paths in folders_of(found).items()}
    assert folders == {"Ada": ["Ada_71_assignsubmission_file_"], "Eva": ["Eva_72_assignsubmission_file_"]}
    assert names_corrected(found) == {}


def test_a_folder_stays_its_students_if_one_file_in_it_is_given_to_somebody_else(tmp_path):
    paths = ["Eva/04_hats.ipynb", "Eva/Ada_05.ipynb"]
    hand_in(tmp_path / "marks", {"students.csv": f"path;student\n{paths[1]};Ada\n".encode()})
    found, _ = collected(tmp_path / "in", *paths, results=tmp_path / "marks")
    assert students(found) == dict(zip(paths, ("Eva", "Ada")))
    assert folders_of(found) == {"Ada": [], "Eva": [Path("Eva")]}


def test_a_student_whose_only_file_is_left_out_keeps_a_row(tmp_path):
    """A folder with a new name, or an empty folder whose row names no student, has none under the old name."""
    paths = ["Finn/Ada_04.ipynb", "Eva/04.ipynb", "Eva/05.ipynb", "s1/04.ipynb", "s1/05.ipynb", "x_04.ipynb"]
    rows = "path,student\nFinn/Ada_04.ipynb,\nEva/05.ipynb,\ns1/04.ipynb,Tim\ns1/05.ipynb,\nx_04.ipynb,\nold,"
    hand_in(tmp_path / "marks", {"students.csv": rows.encode()})
    (tmp_path / "in" / "old").mkdir(parents=True)
    found, _ = collected(tmp_path / "in", *paths, results=tmp_path / "marks")
    assert {work.student for work in found} == {"", "Finn", "Eva", "Tim"}
    (finn,) = (work for work in found if work.student == "Finn")
    assert (finn.file, finn.lesson, finn.why_not) == ("Finn", "", "nothing in the folder counts for this student")
    assert folders_of(found) == {"Finn": [Path("Finn")], "Eva": [Path("Eva")], "Tim": [Path("s1")]}


# --- several files --------------------------------------------------------------------------------------

BENS_NAME = "Ben Okri_4711_assignsubmission_file_06.ipynb"
NAMESAKE = "Ben_{}_assignsubmission_file_04.ipynb"
# What is handed in, with the student of each file, and how each warning begins or what it contains
CLASSES = {
    "other file names": (WHOLE_NAMES, [WHOLE_NAME.format(", ".join(sorted(WHOLE_NAMES)))]),
    "two names for one lesson: not one student": (
        {
            "7b/ada_04.ipynb": "ada",
            "7b/ben_04.ipynb": "ben",
            "7b week 2/ada_05.ipynb": "ada",
            "7b week 2/ben_05.ipynb": "ben",
            "7c/tom.ipynb": "tom",
            "7c/lea_04.ipynb": "lea",
            "Eve/04_hats.ipynb": "Eve",
            f"{OLD}Eve/04_hats (1).ipynb": "Eve",
            "Eve/my 05.ipynb": "Eve",
        },
        [
            "several students, not as one student: 7b, 7b week 2, 7c.",
            WHOLE_NAME.format("7c/tom.ipynb"),
            "Eve has handed in 2 notebooks",
        ],
    ),
    "another's name in one's own folder": (
        {
            "Ben Okri/04.ipynb": "Ben Okri",
            f"lesson06/{BENS_NAME}": "Ben Okri",
            "Eve/Ben Okri_05.ipynb": "Eve",
            f"Eve/{BENS_NAME}": "Eve",
            f"Eve/{BENS_NAME[:-8]}/04.ipynb": "Eve",
            "Ada_1_assignsubmission_file_/Ben Okri_04.ipynb": "Ada",  # a folder that Moodle made is never flat
            f"{OLD}Ada_1_assignsubmission_file_/Tom_04.ipynb": "Ada",
            "Lea/Ben Okri_05.ipynb": "Ben Okri (Lea)",  # read as a folder of several students
            "Lea/Lea_05.ipynb": "Lea",
        },
        [
            "several students, not as one student: Lea.",
            "A student elsewhere has the same name, so these have their own rows: Ben Okri (Lea).",
            "Ada has handed in 2 notebooks",
            "different name from their student's folder; they count for the folder: Ada_1_assignsubmission_file_/Ben Okri_04.ipynb, Eve/",
        ],
    ),
    "Moodle's names in a folder of any name": (
        {
            "INF11-99/Ada Lovelace_71_assignsubmission_file_/04_hats.ipynb": "Ada Lovelace (INF11-99)",
            "INF11-99/Ben Okri_72_assignsubmission_file_/04_hats.ipynb": "Ben Okri",
            "lesson05/Ada Lovelace_85_assignsubmission_file_/05_training_hats.ipynb": "Ada Lovelace",
        },
        ["students, not as one student: INF11-99.", "their own rows: Ada Lovelace (INF11-99).", "No student who"],
    ),
    "names that look alike": (
        {
            "Ada Lovelace_04.ipynb": "Ada Lovelace",
            "Ada  Lovelace_04.ipynb": "Ada  Lovelace",
            "Ada\u00a0Lovelace_04.ipynb": r"Ada\xa0Lovelace",
            "ADA LOVELACE_04.ipynb": "ADA LOVELACE",
            "Lovelace Ada_04.ipynb": "Lovelace Ada",
            "Аda Lovelace_04.ipynb": "Аda Lovelace",  # the first letter is Cyrillic
            "*_04.ipynb": "*",
            "~_04.ipynb": "~",
            "Tom_04.ipynb": "Tom",
            "Tim_04.ipynb": "Tim",
        },
        [
            r"different students: ADA LOVELACE, Ada  Lovelace, Ada Lovelace, Ada\xa0Lovelace, Lovelace Ada, Аda Lovelace."
        ],
    ),
    "a number is part of a name": ({f"group{number}_04.ipynb": f"group{number}" for number in (4, 5, 14, 15)}, []),
    "unless it is the lesson's": (
        {"ada-04.ipynb": "ada-04", "ada-05.ipynb": "ada-05", "ben-04.ipynb": "ben-04", "ada_06.ipynb": "ada"},
        [
            WHOLE_NAME.format("ada-04.ipynb, ada-05.ipynb, ben-04.ipynb"),
            "No student who handed in 04_hats has handed in another lesson.",
        ],
    ),
    "namesakes": (
        {
            NAMESAKE.format(1): "Ben (1)*",
            NAMESAKE.format(2): "Ben (2)",
            "Ben_2_assignsubmission_file_05.ipynb": "Ben (2)",
            "Ben (1)/05.ipynb": "Ben (1)",  # a name that we make up is new
            "Eve_3_assignsubmission_file_/04.ipynb": "Eve",
            "Eve_4_assignsubmission_file_/05.ipynb": "Eve",
        },
        ["different students: Ben, Ben (1).", "Several students are called Ben; their numbers are 1, 2."],
    ),
    "the newest counts, in the student's own folder first": (
        {
            f"{OLD}Ada/04.ipynb": "Ada",
            "Ada/04_hats.ipynb": "Ada",
            f"{OLD}Ben/04.ipynb": "Ben",
            "Ben_04.ipynb": "Ben",
            "Ben _04.ipynb": "Ben ",
        },
        [
            "different students: Ben, Ben .",
            "Ada has handed in 2 notebooks of 04_hats. Ada/04_hats.ipynb counts. Not marked: Ada/04.ipynb.",
            "Ben has handed in 2 notebooks of 04_hats. Ben/04.ipynb counts. Not marked: Ben_04.ipynb.",
        ],
    ),
    "a copy of a folder": (
        {
            "Ada/04.ipynb": "Ada",
            "Ada/05.ipynb": "Ada",
            f"{OLD}Ada (1)/04.ipynb": "Ada (1)",  # perhaps another Ada
            f"{OLD}Copy of Ada/05.ipynb": "Copy of Ada",
        },
        ["These similar names are treated as different students: Ada, Ada (1), Copy of Ada."],
    ),
}


@pytest.mark.parametrize("name", CLASSES)
def test_nothing_is_merged_or_split_in_silence(name, tmp_path):
    expected, sayings = CLASSES[name]
    found, warnings = collected(tmp_path, *expected)
    named = {path.removeprefix(OLD).replace("\u00a0", r"\xa0"): student for path, student in expected.items()}
    assert students(found) == named
    assert len(warnings) == len(sayings)
    for warning, saying in zip(warnings, sayings):
        assert saying in warning
    assert len({(one.student, one.lesson) for one in found if one.known}) == sum(one.known for one in found)


def test_one_notebook_of_a_lesson_counts_and_a_corrected_row_brings_another_back(tmp_path):
    names = ["Ada/04.ipynb", f"{OLD}Ada/04 (1).ipynb", "Ben_04.ipynb", f"{OLD}Copy of Ben_04.ipynb"]
    found, _ = collected(tmp_path / "in", *names, results=tmp_path)
    assert {one.file: (one.student, one.why_not) for one in found} == {
        "Ada/04.ipynb": ("Ada", ""),
        "Ada/04 (1).ipynb": ("Ada", "another notebook of 04_hats by Ada counts, Ada/04.ipynb"),
        "Ben_04.ipynb": ("Ben", ""),
        "Copy of Ben_04.ipynb": ("Ben", "another notebook of 04_hats by Ben counts, Ben_04.ipynb"),
    }
    rows = ["path,student", "Ada/04.ipynb,", "Copy of Ben_04.ipynb,Ben Okri"]
    hand_in(tmp_path, {"students.csv": "\n".join(rows).encode()})
    found, _ = collect(tmp_path / "in", LESSONS, tmp_path)
    known = {one.file: one.student for one in found if one.known}
    assert known == {"Ada/04 (1).ipynb": "Ada", "Ben_04.ipynb": "Ben", "Copy of Ben_04.ipynb": "Ben Okri"}


def test_the_sheet_names_a_file_with_a_different_name_from_its_folder(tmp_path):
    names = ["Eva Novak/Ada Lovelace_04.ipynb", "Eva Novak/04_hats.ipynb", "Ada Lovelace/04.ipynb"]
    names += ["Tom/06_q_learning_Lovelace Ada.ipynb", "Ben/Ben_04.ipynb", "Ben/Eva Novak_05.ipynb"]
    names += ["Ben/Zoe_06.ipynb", "Kim Ode/Ode_04.ipynb", "Kim Ode/hats - 2.ipynb", "Kim Ode/05_training_hats_2.ipynb"]
    hand_in(
        tmp_path, {"students.csv": b"path,student\nBen/Eva Novak_05.ipynb,Eva Novak"}
    )  # the teacher has seen this one
    found, (*_, warning, _) = collected(tmp_path / "in", f"{OLD}{names[1]}", *names[:1], *names[2:], results=tmp_path)
    notes = {one.file: one.note for one in found if one.note}
    count = "2 notebooks of 04: Eva Novak/Ada Lovelace_04.ipynb counts"
    assert notes == {
        names[0]: f"{count}; {names[0]} has a different name from its folder",
        names[3]: f"{names[3]} has a different name from its folder",
        "Ben/Zoe_06.ipynb": "Ben/Zoe_06.ipynb has a different name from its folder",  # no other student is called Zoe
    }
    assert warning.endswith(f"they count for the folder: Ben/Zoe_06.ipynb, {names[0]}, {names[3]}.")


def test_a_fresh_copy_or_a_broken_file_does_not_count_more_than_an_answer(tmp_path):
    written, broken = notebook("check.settle(1)"), b"<html>"
    untouched = (NOTEBOOKS / "04_hats.ipynb").read_bytes()
    hand_in(tmp_path, {"Ada/04.ipynb": written, "Ada/04 (1).ipynb": untouched, "Ada/04 (2).ipynb": broken})
    os.utime(tmp_path / "Ada/04.ipynb", (9, 9))
    found, _ = collect(tmp_path, LESSONS)
    assert [one.file for one in found if one.known] == ["Ada/04.ipynb"]


@pytest.mark.skipif(sys.platform != "linux", reason="file names there are always in Unicode")
def test_a_name_that_is_not_in_utf8_is_read_as_latin1(tmp_path):
    for name in (b"J\xfcrg", b"J\xf6rg", "Jürg".encode()):
        Path(os.fsdecode(bytes(tmp_path) + b"/" + name + b"_04.ipynb")).write_bytes(ANSWERS["04"])
    found, (warning,) = collect(tmp_path, LESSONS)
    assert {one.student for one in found} == {"Jürg (ISO/IEC 8859-1)", "Jörg (ISO/IEC 8859-1)", "Jürg"}
    assert "different students: Jürg, Jürg (ISO" in warning


# --- students.csv ---------------------------------------------------------------------------------------


def test_each_run_writes_whose_each_file_is(tmp_path):
    collected(tmp_path / "in", "Ada/04.ipynb", "=1+1_04.ipynb", "Ben, Jr - x.ipynb", results=tmp_path)
    table = (tmp_path / "students.csv").read_text(encoding="utf-8-sig").splitlines()
    rows = ["path,student", "'=1+1_04.ipynb,'=1+1", '"Ben, Jr - x.ipynb","Ben, Jr"', "Ada/04.ipynb,Ada"]
    assert table == rows
    before = (tmp_path / "students.csv").read_bytes()
    found, _ = collect(tmp_path / "in", LESSONS, tmp_path)
    assert (tmp_path / "students.csv").read_bytes() == before
    assert sorted(students(found).values()) == ["=1+1", "Ada", "Ben, Jr"]


@pytest.mark.parametrize(
    ("encoding", "separator"), [("utf-8", ","), ("utf-8-sig", ";"), ("cp1252", ";"), ("utf-16", "\t")]
)
def test_corrected_rows_are_followed_and_never_changed(encoding, separator, tmp_path):
    rows = [["note", "path", "student"], ["mine", "x1.ipynb", "Zoë"], ["", "gone.ipynb", "Tom"], ["", "x2.ipynb", ""]]
    rows += [["", "=x_04.ipynb", "'=x"], ["", "Tim _04.ipynb", "Tim "]]
    before = "\n".join(separator.join(row) for row in rows)
    hand_in(tmp_path, {"students.csv": before.encode(encoding)})
    names = ["x1.ipynb", "x2.ipynb", "Łukasz/05.ipynb", "=x_04.ipynb", "Tim _04.ipynb"]
    found, warnings = collected(tmp_path / "in", *names, results=tmp_path)
    given = students(found)
    assert [given[name] for name in names] == ["Zoë", "", "Łukasz", "=x", "Tim "]
    assert [one.why_not for one in found if one.file == "x2.ipynb"] == ["students.csv names no student for it"]
    assert not any("x1.ipynb" in warning for warning in warnings)  # what is corrected is no longer said
    after = (tmp_path / "students.csv").read_bytes().decode("utf-8-sig")
    assert after == f"{before}\r\n{separator}Łukasz/05.ipynb{separator}Łukasz\r\n"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (b"x.ipynb,Ada", "students.csv: expected path,student in the first line."),
        (b'path,student\n"x.ipynb,Ada', "students.csv: unexpected end of data."),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(table, reason, tmp_path):
    hand_in(tmp_path, {"students.csv": table})
    with pytest.raises(CourseError, match=reason):
        collected(tmp_path / "in", "x.ipynb", results=tmp_path)


def test_a_new_table_has_the_separator_of_the_settings(tmp_path):
    hand_in(tmp_path, {"settings.toml": b'separator = ";"'})
    collected(tmp_path / "in", "Ada/04.ipynb", results=tmp_path)
    assert "Ada/04.ipynb;Ada" in (tmp_path / "students.csv").read_text()


def test_two_students_that_are_one_are_brought_together(tmp_path):
    """And a letter goes only into folders in which no other student has anything; what is left out is nobody's."""
    names = ["s1/04.ipynb", "s2/05.ipynb", "s2/06.ipynb", "pair/Ada_04.ipynb", "pair/Ben_05.ipynb", "Eve_04.ipynb"]
    owners = ["s1/04.ipynb,Ada", "s2/05.ipynb,Ada", "s2/06.ipynb,", "pair/Ada_04.ipynb,Tim", "pair/Ben_05.ipynb,Ben"]
    rows = "\n".join(["path,student", *owners])
    hand_in(tmp_path, {"students.csv": rows.encode()})
    found, _ = collected(tmp_path / "in", *names, results=tmp_path)
    folders = {student: [str(folder) for folder in paths] for student, paths in folders_of(found).items()}
    assert folders == {"Ada": ["s1", "s2"], "Ben": [], "Eve": [], "Tim": []}


# --- what is not marked ---------------------------------------------------------------------------------


@UNIX
def test_whatever_is_not_marked_is_listed_with_its_reason(tmp_path):
    nothing = ("ada/notes.txt", "ben.zip", ".DS_Store", "ada/._04_hats.ipynb", "tom_04.ipynb.txt")
    hand_in(tmp_path, dict.fromkeys((*nothing, "ada/coinlib letter ada.html"), b""))
    hand_in(tmp_path, {"ada/thoughts.ipynb": notebook("x")})
    (tmp_path / "_nobody").mkdir()
    (tmp_path / "ada" / "05.ipynb").symlink_to(tmp_path / "ada/thoughts.ipynb")
    (tmp_path / "link").symlink_to(tmp_path / "ada")
    os.mkfifo(tmp_path / "ada/06.ipynb")
    subprocess.run(["mkdir", "-p", "d/" * 1_100], cwd=tmp_path, check=True)
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(30):  # a path that is too long
        os.mkdir("e" * 200, dir_fd=place)
        deeper = os.open("e" * 200, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = deeper
    os.close(place)
    found, _ = collect(tmp_path, LESSONS)
    subprocess.run(["rm", "-rf", "d", "e" * 200], cwd=tmp_path, check=True)
    assert {one.file[:20]: one.why_not for one in found} == {
        "ben.zip": "archives are not opened: only what is unpacked is marked",
        "ada/05.ipynb": "it is a link, and links are not followed",
        "link": "it is a link, and links are not followed",
        "ada/06.ipynb": "it is not a notebook",
        "ada/notes.txt": "it is not a notebook",
        "tom_04.ipynb.txt": "its name must end in .ipynb: call it tom_04.ipynb",
        "ada/thoughts.ipynb": "it answers no exercise, and its name contains no lesson: call it 04_hats.ipynb",
        "_nobody": "the folder is empty, or cannot be read",
        ".DS_Store": "it is hidden",
        "ada/._04_hats.ipynb": "it is hidden",
        "d/d/d/d/d/d/d/d/d/d/": "the folder is empty, or cannot be read",
        20 * "e": "it cannot be read (File name too long)",
    }
    assert {one.student[:9] for one in found} == {"", "ada", "_nobody", "d", 9 * "e"}


def test_an_archive_is_a_students_if_its_name_or_its_folder_says_so(tmp_path):
    names = {"7b.zip": "", "Ada Lovelace.zip": "", "Ben_04.zip": "Ben", "Eve_12_assignsubmission_file_x.zip": "Eve"}
    hand_in(tmp_path, dict.fromkeys([*names, "Tom/work.zip"], b""))
    found, warnings = collect(tmp_path, LESSONS)
    assert students(found) == names | {"Tom/work.zip": "Tom"}
    said = "Archives are not opened. Unpack these, delete them, and mark again: 7b.zip, Ada Lovelace.zip."
    assert warnings == [said]


@UNIX
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("vanishes", "it cannot be read (No such file or directory)"),
        ("becomes a link", "it cannot be read (Too many levels of symbolic links)"),
        ("becomes a pipe", "it is not a notebook"),
    ],
)
def test_a_file_that_changes_while_it_is_read_has_its_reason(change, reason, tmp_path, monkeypatch):
    collected(tmp_path, "ada/04.ipynb", "ben/04.ipynb")
    open_it = os.open

    def changing(path, *how, **more):
        if str(path).endswith("ada/04.ipynb"):
            os.unlink(path)
            if change == "becomes a link":
                os.symlink(tmp_path / "ben/04.ipynb", path)
            if change == "becomes a pipe":
                os.mkfifo(path)
        return open_it(path, *how, **more)

    monkeypatch.setattr(os, "open", changing)
    found, _ = collect(tmp_path, LESSONS)
    assert [one.why_not for one in found] == [reason, ""]


# --- what a notebook's file holds -----------------------------------------------------------------------

GOOD = json.dumps({"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": "für = 1"}]}, indent=1)
ESCAPED, GOOD = GOOD, GOOD.replace("\\u00fc", "ü")


def with_cells(*cells: object, **more: object) -> bytes:
    """A notebook's file with these cells."""
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells, **more}).encode()


CODE = {"cell_type": "code", "source": "x"}
NOT_NOTEBOOKS = {
    b"": "it is empty",
    b"\0" * 1000: "it is empty",
    GOOD.encode("latin-1"): "it is not in UTF-8: save it as UTF-8",
    b"\x89PNG\r\n\x1a\n\0": "it is not a notebook",
    GOOD.encode()[:70]: "it breaks off in line 6",
    b"<!DOCTYPE html><html><body>Log in</body></html>": "it is a web page, not a notebook",
    b"version https://git-lfs.github.com/spec/v1\noid": (
        "it is a Git LFS pointer: the notebook itself was not downloaded"
    ),
    b"\x1f\x8b\x08": "it is a gzip file: unpack it first",
    b"PK\x03\x04": "it is a zip file: unpack it first",
    GOOD.replace('"cells"', "<<<<<<< HEAD\n").encode(): "it is damaged in line 4",
    b"Dear teacher,\x1b my dog": "it is not a notebook: it begins with 'Dear teacher,? my dog'",
    b"[1, 2]": "it is not a notebook: it begins with '[1, 2]'",
    b'{"a":' * 100_000 + b"}": "it is not a notebook",
    b'{"nbformat": 4}': "it is JSON, but not a notebook",
    with_cells(): "the notebook has no code cells",
    with_cells(*1_001 * [CODE]): "the notebook has more than 1,000 cells",
    # what is kept of a class's notebooks must fit into memory
    with_cells(*101 * [CODE | {"source": 1_000 * "x"}]): "the notebook has more than 100,000 characters of code",
}


@pytest.mark.parametrize(("content", "reason"), NOT_NOTEBOOKS.items(), ids=range(len(NOT_NOTEBOOKS)))
def test_a_file_that_is_not_a_notebook_says_what_it_is(content, reason):
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        read_notebook(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_notebooks_in_every_unicode_encoding_are_read(encoding):
    for text in (GOOD, ESCAPED, GOOD.replace("\n", "\r\n"), f"{GOOD}\n\0\0"):
        assert [cell.source for cell in read_notebook(text.encode(encoding)).cells] == ["für = 1"]
    old = json.dumps({"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y"]}]}]})
    assert read_notebook(old.encode(encoding)).cells[0].source == "x = 1\ny"


def test_a_damaged_cell_costs_only_itself_and_is_named(tmp_path):
    good = {"cell_type": "code", "source": ["check.", "settle(1)"], "metadata": []}
    heading = {"cell_type": "markdown", "source": "## 4 · Settle *(20 minutes)*"}
    cells = [{"cell_type": "code", "source": None}, good, 7, heading, {"source": "x"}]
    cells.append({"cell_type": "markdown", "source": 1})
    made = with_cells(*cells, metadata={"language_info": {"version": "3.13.1"}})
    (one,), warnings = collect(hand_in(tmp_path, {"ada/04.ipynb": made}), LESSONS)
    assert [cell.source for cell in one.notebook.cells] == ["check.settle(1)"] and one.notebook.python == "3.13.1"
    said = "ada/04.ipynb: damaged cells were left out: before the first section (2); 4 · Settle (2)."
    assert warnings == [said]


@pytest.mark.parametrize("heading", ["## x" + 200_000 * " " + "y", "## x " + 100_000 * "*(" + "y"])
def test_a_heading_is_read_at_once(heading):
    """In a hundredth of a second; a pattern that tries each place again needs minutes of the processor."""
    content = with_cells({"cell_type": "markdown", "source": heading}, CODE)
    begun = time.process_time()
    (cell,) = read_notebook(content).cells
    assert cell.section == heading[3:] and time.process_time() - begun < 20
