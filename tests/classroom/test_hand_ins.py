"""Who has handed in what: files and folders on one side, students and lessons on the other."""

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

from coincourse.classroom.handed_in import HandedIn, collect
from coincourse.classroom.notebooks import cells_of

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="links and deep folders are made otherwise there")
MOODLE = "{}_{}_assignsubmission_file_/{}.ipynb"
EMPTY = notebook("x")


def collected(folder: Path, *names: str) -> tuple[list[HandedIn], list[str]]:
    """What comes of notebooks with these names, and the warnings."""
    return collect(hand_in(folder, dict.fromkeys(names, EMPTY)), LESSONS)


def students(files: list[HandedIn]) -> dict[str, str]:
    """The student of each file."""
    return {one.file: one.student for one in files}


NAMES = [  # path, student, number of the learning platform
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
    ("ada_2026-05-12_04.ipynb", "ada_2026-05-12", ""),  # the last number is the lesson
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
]


def test_students_and_lessons_are_recognised(tmp_path):
    wrong = []
    for place, (name, student, number) in enumerate(NAMES):
        folder = hand_in(tmp_path / str(place), {name: notebook("check.settle(1)")})
        (one,), warnings = collect(folder, LESSONS)
        came = (one.lesson, one.student, one.id, one.why_not, warnings)
        if came != ("04_hats", student, number, "", []):
            wrong.append((name, came))
    assert wrong == []


def test_a_lesson_is_known_by_the_metadata_of_a_cell_that_calls_no_check(tmp_path):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("mine = 1")])
    made.cells[0].metadata["coinlib"] = {"exercise": "settle"}
    nonsense = nbformat.v4.new_code_cell("x", metadata={"coinlib": ["settle"]})
    made.cells.append(nonsense)
    hand_in(tmp_path, {"ada/mine.ipynb": nbformat.writes(made).encode()})
    (one,), _ = collect(tmp_path, LESSONS)
    assert one.lesson == "04_hats" and [cell.exercise for cell in one.cells] == ["settle", ""]


# --- names that are alike -------------------------------------------------------------------------------


def test_namesakes_are_two_students_and_nothing_is_lost(tmp_path):
    names = ["Ada.ipynb/04.ipynb", "Ada_04.ipynb", "Ada/04.ipynb", "Ada/04 (1).ipynb"]
    names += [MOODLE.format("Ben", 1, "04"), MOODLE.format("Ben", 2, "04"), MOODLE.format("Ben", 2, "05")]
    names += [MOODLE.format("Eve", 3, "04"), MOODLE.format("Eve", 4, "05")]  # Moodle counts anew for each task
    found, warnings = collected(tmp_path, *names)
    given = list(students(found).values())
    assert len(found) == len({(one.student, one.lesson) for one in found}) == len(names)
    assert given.count("Ben (1)") == 1 and given.count("Ben (2)") == given.count("Eve") == 2
    assert {one.id for one in found if one.student == "Eve"} == {"3", "4"}
    assert warnings[0].startswith("Ben is the name of") and warnings[1].endswith("without a number: Eve.")
    assert "is there 3 times" in warnings[2]
    assert warnings[2].endswith("(Is Ada a task, and no student? Call this folder lesson04.)")


def test_two_names_are_one_student_only_if_they_are_the_same(tmp_path):
    names = ["Ada Lovelace", "Ada  Lovelace", "Ada\u00a0Lovelace", "ADA LOVELACE"]
    if sys.platform == "linux":
        for name in (b"J\xfcrg", b"J\xf6rg", "Jürg".encode()):
            Path(os.fsdecode(bytes(tmp_path) + b"/" + name + b"_04.ipynb")).write_bytes(EMPTY)
    found, warnings = collected(tmp_path, *[f"{name}_04.ipynb" for name in names])
    if sys.platform == "linux":
        names += ["Jürg (ISO/IEC 8859-1)", "Jörg (ISO/IEC 8859-1)", "Jürg"]
    assert sorted(students(found).values()) == sorted(name.replace("\u00a0", r"\xa0") for name in names)
    assert len(students(found)) == len(found)
    assert warnings[0] == (
        "These names look alike, and are several students: ADA LOVELACE, Ada  Lovelace, Ada Lovelace."
    )


def test_a_students_folder_says_whose_a_file_in_it_is(tmp_path):
    moodle = "Ben Okri_4711_assignsubmission_file_06.ipynb"
    names = ["Ben Okri/04.ipynb", f"Eve/{moodle}", "Eve/Ben Okri_05.ipynb", "Eve/my work_04.ipynb"]
    names += [f"Eve/{moodle[:-8]}/08.ipynb", f"lesson06/{moodle}", f"Ada_1_assignsubmission_file_/{moodle}"]
    found, warnings = collected(tmp_path, *names)
    assert {one.file: (one.student, one.id) for one in found} == {
        **{name: ("Eve", "") for name in names if name.startswith("Eve")},
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
    hand_in(tmp_path, {"Ada/04.ipynb": EMPTY})
    os.utime(tmp_path / "Ada/04.ipynb", (9, 9))  # the older one
    found, _ = collected(tmp_path, "Ada_04.ipynb", "Ada _04.ipynb")
    expected = {"Ada/04.ipynb": "Ada", "Ada_04.ipynb": "Ada (Ada_04.ipynb)", "Ada _04.ipynb": "Ada "}
    assert students(found) == expected


def test_the_newer_of_two_notebooks_keeps_the_name(tmp_path):
    hand_in(tmp_path, {"Ada/04.ipynb": EMPTY})
    os.utime(tmp_path / "Ada/04.ipynb", (9, 9))  # the older one
    found, _ = collected(tmp_path, "Ada/04_hats.ipynb")
    assert students(found) == {"Ada/04.ipynb": "Ada (Ada/04.ipynb)", "Ada/04_hats.ipynb": "Ada"}


def test_a_name_that_we_give_is_nobodys(tmp_path):
    moodle = "Ben_{}_assignsubmission_file_04.ipynb"
    names = [moodle.format(1), moodle.format(2), "Ben (1)/05.ipynb", "Ada_04.ipynb", "Ada_04 (1).ipynb"]
    hand_in(tmp_path, dict.fromkeys(names, EMPTY))
    for name in names:
        os.utime(tmp_path / name, (9, 9))
    found, _ = collected(tmp_path, "Ada (Ada_04.ipynb)/05.ipynb")
    given = students(found)
    assert given["Ben (1)/05.ipynb"] == "Ben (1)" != given[moodle.format(1)] == "Ben (1)*"
    assert len(set(given.values())) == len(found)


# --- what is not marked ---------------------------------------------------------------------------------


@UNIX
def test_whatever_is_not_marked_is_listed_with_its_reason(tmp_path):
    hand_in(tmp_path, dict.fromkeys(("ada/notes.txt", "ben.zip", ".DS_Store", "ada/._04_hats.ipynb"), b""))
    hand_in(tmp_path, {"04_hats.ipynb": EMPTY, "ada/thoughts.ipynb": EMPTY})
    hand_in(tmp_path, {"hats.ipynb": notebook("check.settle(1)"), "ada/draft.ipynb": b'{"worksheets": []}'})
    (tmp_path / "_nobody").mkdir()
    (tmp_path / "ada" / "05.ipynb").symlink_to(tmp_path / "04_hats.ipynb")
    (tmp_path / "link").symlink_to(tmp_path / "ada")
    subprocess.run(["mkdir", "-p", "d/" * 1_100], cwd=tmp_path, check=True)
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


@UNIX
def test_a_path_that_is_too_long_has_its_reason(tmp_path):
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=place)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = deeper
    os.close(place)
    found, _ = collected(tmp_path, "ada/04.ipynb")
    subprocess.run(["rm", "-rf", "d" * 200], cwd=tmp_path, check=True)
    too_long = ("ddd", "it cannot be read (File name too long)")
    assert [(one.student[:3], one.why_not) for one in found] == [("ada", ""), too_long]


def test_a_file_that_vanishes_has_its_reason(tmp_path, monkeypatch):
    hand_in(tmp_path, dict.fromkeys(("ada/04.ipynb", "ben/04.ipynb"), EMPTY))
    opened = Path.open

    def vanishing(path, *how):
        if path.parent.name == "ada":
            path.unlink()
        return opened(path, *how)

    monkeypatch.setattr(Path, "open", vanishing)
    found, _ = collect(tmp_path, LESSONS)
    assert [one.why_not for one in found] == ["it cannot be read (No such file or directory)", ""]


# --- notebooks that are meant to stop the marking -------------------------------------------------------


@pytest.mark.parametrize("heading", ["## x" + 200_000 * " " + "y", "## x " + 100_000 * "*(" + "y"])
def test_a_heading_is_read_at_once(heading):
    """In a hundredth of a second; a pattern that tries each place again needs minutes of the processor."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(heading), nbformat.v4.new_code_cell("x")])
    content = nbformat.writes(made).encode()
    begun = time.process_time()
    (cell,) = cells_of(content)
    assert cell.section == heading[3:] and time.process_time() - begun < 20


def test_old_notebooks_are_read_and_ones_with_too_many_cells_are_not():
    old = {"cell_type": "code", "input": ["x = 1\n", "y"], "outputs": []}
    assert cells_of(json.dumps({"nbformat": 3, "worksheets": [{"cells": [old]}]}).encode())[0].source == "x = 1\ny"
    cells = 6_000 * [{"cell_type": "code", "source": "x"}]
    with pytest.raises(ValueError, match="more than 5,000 cells"):
        cells_of(json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode())
