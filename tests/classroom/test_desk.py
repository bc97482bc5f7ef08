"""What a teacher finds on the desk: the sheet, the letters and the overview, and whose files are whose."""

from __future__ import annotations

import csv
import os
import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hand_ins import LESSONS, SIGNS, hand_in, notebook
from paths import NOTEBOOKS, ROOT

from coincourse import course
from coincourse.classroom import marking
from coincourse.classroom.desk import Desk, file_name, hardest, mistakes
from coincourse.classroom.give_back import give_back
from coincourse.classroom.marks import Marks, Row, as_csv
from coincourse.classroom.notebooks import read_lessons
from coincourse.terminal import main
from coincourse.terminal.classroom import report

ELSEWHERE = Path("no/such/folder")
ONE_STICK = "That takes one stick away, whatever `taken` is."
HEX = 'For 1 stick of which 1 is taken your function returned 1; expected 0. <script>alert("1")</script>'


def all_right(works, *_):
    """Yield each notebook with its rows, as if every answer were right."""
    for work in works:
        names = [exercise.name for exercise in LESSONS[work.lesson].exercises]
        yield work, [Row(work.student, work.lesson, name, "passed", file=work.file) for name in names]


def small_class() -> Marks:
    """Three students, two lessons: one has not handed in the second."""
    rows = []
    for student, number, signs in (("Ada", "7", "✓✗✓"), ("Ben", "8", "✓✗○"), ("=1+1", "", "–✗")):
        for (lesson, exercise), sign in zip([("00", "first_move"), ("00", "sticks_left"), ("04", "draw")], signs):
            hint = ONE_STICK if sign == "✗" else ""
            words = f"✗ No. {hint}" if hint else HEX
            came = (SIGNS[sign], words, "cell 3: <i>\ncell 4: late", "file")
            code = f"{exercise} = '<script>'"
            rows.append(Row(student, f"{lesson}_x", exercise, *came, number, code, "2 · Why & how", hint))
    rows.append(Row("=1+1", "04_x", "draw", "no notebook", "None came."))
    return Marks(rows)


def edit(file: Path) -> None:
    """Give a file the time of an edit soon after the marking: a clock may be coarse."""
    folder = file.parent.parent if file.suffix == ".html" else file.parent
    edited = (folder / "overview.html").stat().st_mtime_ns + 1_000
    os.utime(file, ns=(edited, edited))


# --- the sheet ------------------------------------------------------------------------------------------


def test_a_sheet_has_a_row_for_each_student_with_points_and_weights():
    marks = small_class()
    sheet = marks.sheet({"draw": 2.5, "00_x": 2})
    assert list(sheet) == ["id", "00_x (of 2)", "04_x (of 2.5)", "total (of 6.5)"]
    assert sheet.astype(object).fillna("").T.to_dict("list") == {
        "=1+1": ["", 0, "", 0],  # what was not handed in stays empty
        "Ada": ["7", 1, 2.5, 4.5],
        "Ben": ["8", 1, 0, 2],
    }
    marks.rows[0] = marks.rows[0]._replace(id="9")  # Moodle has numbered Ada anew for each task
    assert marks.sheet().id["Ada"] == ""


def test_an_exercise_with_a_star_counts_only_if_the_settings_say_so():
    rows = [Row("Ada", "04_hats", name, "passed") for name in ("chance", "settle", "settle_game", "draw")]
    assert list(Marks(rows).sheet()) == ["id", "04_hats (of 2)", "total (of 2)"]
    assert list(Marks(rows).sheet({"draw": 1})) == ["id", "04_hats (of 3)", "total (of 3)"]


def test_sheet_and_letters_follow_the_settings(tmp_path):
    (tmp_path / "settings.toml").write_bytes(
        b'\xef\xbb\xbfseparator = ";"\ndecimal = ","\ndraw = 2.5  # and nothing else'
    )
    Desk(tmp_path, ELSEWHERE).lay_out(small_class())
    lines = (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig").splitlines()
    assert sorted(lines[1:])[:2] == ["'=1+1;;0;;0;", "Ada;7;1;2,5;3,5;"]
    letter = (tmp_path / "letters" / "Ada.html").read_text(encoding="utf-8")
    assert re.findall("<th>(.*)</th><td.*>(.*)</td>", letter)[1:] == [
        ("04_x (of 2,5)", "2,5"),
        ("total (of 4,5)", "3,5"),
    ]


CELLS = ["x;=1+1", "x,=1+1", "x\t=1", '";"=1', 'x;"=1"', "a;-1", "x\r\n@y", "x|+1", "＝1", "@y"]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_separator_makes_a_formula_of_a_cell(separator):
    """Whichever separator a spreadsheet takes for that of a table, no cell begins like a formula."""
    for cell in CELLS:
        table = pd.DataFrame({"name": [cell, "Ada"], "said": ["[1, -2]", cell]})
        written = as_csv(table, separator).decode("utf-8-sig")
        for taken in ",;\t|":
            for line in csv.reader(written.splitlines(), delimiter=taken):
                assert not any(found.startswith(("=", "+", "-", "@", "＝")) for found in line), (cell, line)
        assert "[1, -2]" in written


# --- letters --------------------------------------------------------------------------------------------


def test_a_letter_runs_nothing_and_keeps_the_teachers_words(tmp_path):
    desk, marks = Desk(tmp_path, ELSEWHERE), small_class()
    desk.lay_out(marks)
    words = tmp_path / "words" / "Ada.txt"
    words.write_text("Well <done>!\n\nZoé", encoding="utf-8-sig")
    words.with_name("Ada (7).txt").write_text("no student has this name any more")
    Desk(tmp_path, ELSEWHERE).lay_out(marks)
    assert [words.split(": ")[1] for words in marks.warnings] == ["this marking has no student of that name."]
    page = (tmp_path / "letters" / "Ada.html").read_text(encoding="utf-8")
    assert "<script" not in page and "<i>" not in page and "\ncell 4: late</p>" in page
    assert "<p>Well &lt;done&gt;!\n\nZoé</p>" in page
    assert page.count("Read again: section “2 · Why &amp; how” of lesson 00.") == 1
    assert page.count("<p>A ✗ shows only the first case that goes wrong.") == 1
    assert "None came." in (tmp_path / "letters" / f"{file_name('=1+1')}.html").read_text(encoding="utf-8")


def test_words_follow_a_student_whose_name_is_corrected(tmp_path, monkeypatch):
    """Unless it is not clear whose they are, or there are words for the new name."""
    names = ("s1", "s2", "s3", "pair")
    files = {f"{name}/{lesson}.ipynb": notebook(f"check.settle('{name}')") for name in names for lesson in ("04", "x")}
    del files["s1/x.ipynb"], files["s2/x.ipynb"], files["s3/x.ipynb"]
    hand_in(tmp_path / "in", files)
    monkeypatch.setattr("coincourse.classroom.marking._mark_all", all_right)
    monkeypatch.chdir(tmp_path)
    assert main(["mark", "in", "--trust"]) == 0
    for name in names:
        Path(f"marks/words/{name}.txt").write_text(f"Well done, {name}!")
    Path("marks/words/Eve.txt").write_text("Mine.")
    owners = {"s1/04": "Ada", "s2/04": "Ben", "s3/04": "Eve", "pair/04": "Tom", "pair/x": "Kim"}
    rows = [f"{path}.ipynb,{name}" for path, name in owners.items()]
    Path("marks/students.csv").write_text("\n".join(["path,student", *rows]))
    assert main(["mark", "in", "--trust"]) == 0
    words = {path.stem: path.read_text() for path in Path("marks/words").iterdir() if path.read_text()}
    kept = {name: f"Well done, {name}!" for name in ("s3", "pair")}
    assert words == {"Ada": "Well done, s1!", "Ben": "Well done, s2!", "Eve": "Mine."} | kept
    assert "Well done, s1!" in Path("marks/letters/Ada.html").read_text(encoding="utf-8")
    assert {path.stem for path in Path("marks/words").iterdir()} == {*words, "Tom", "Kim"}  # no empty file is left


def test_a_letter_keeps_the_lines_of_a_message_and_names_what_is_not_written(tmp_path):
    said = "✗ For 1 ball\nyour function raised ValueError: `a < b`.\n(It was raised in line 2.)"
    rows = [
        Row("Ada", "04_hats", "chance", "wrong", said, section="3 · Chance", code="def f():\n    1 / 0"),
        Row("Ada", "04_hats", "settle", "not written yet", "Not written yet.", section="4 · Settle"),
        Row("Ada", "04_hats", "draw", "not written yet", "Not written yet.", section="★ Draw"),
        Row("Ada", "05_x", "losing", "no notebook", "Not handed in."),
        Row("Ada", "networks", "show_signs", "no notebook", "Not handed in."),
    ]
    letters = Desk(tmp_path, ELSEWHERE).lay_out(Marks(rows))
    page = letters["Ada"].read_text(encoding="utf-8")
    shown = said.replace("`a < b`", "<code>a &lt; b</code>")
    assert f'<p class="wrong">{shown}</p>' in page and "p { white-space: pre-wrap; }" in page
    assert page.count("Not written yet") == 1
    assert '<p class="open">Not written yet: settle, draw ★.</p>' in page
    assert re.findall("<h3>(.*)</h3>", page) == ["chance"] and page.count("Read again") == 1
    assert page.count("<p>Not handed in.</p>") == 2
    assert re.findall("<h2>(.*)</h2>", page) == ["Lesson 04: hats", "Lesson 05: x", "Project: networks"]


def test_what_the_teacher_has_changed_is_replaced_only_when_asked(tmp_path):
    marks = small_class()
    Desk(tmp_path, ELSEWHERE).lay_out(marks)
    (tmp_path / "sheet.csv").write_text("with a teacher's words")
    edit(tmp_path / "sheet.csv")
    (tmp_path / "words" / "Ada.txt").write_text("New words.")
    for _ in range(2):  # It is still the teacher's the next time.
        desk = Desk(tmp_path, ELSEWHERE)
        assert desk.kept == {tmp_path / "sheet.csv"}
        desk.lay_out(marks)
        assert (tmp_path / "sheet.csv").read_text() == "with a teacher's words"
        assert "New words." in (tmp_path / "letters" / "Ada.html").read_text(encoding="utf-8")
    Desk(tmp_path, ELSEWHERE, overwrite=True).lay_out(marks)
    assert "teacher" not in (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig")
    assert Desk(tmp_path, ELSEWHERE).kept == set()


def test_an_edited_letter_stays_under_its_name_and_is_given_back(tmp_path):
    letter = Desk(tmp_path, ELSEWHERE).lay_out(small_class())["Ada"]
    letter.write_text("Dear Ada")
    edit(letter)
    letters = Desk(tmp_path, ELSEWHERE).lay_out(small_class())
    assert letters["Ada"] == letter and letter.read_text() == "Dear Ada"
    assert len(list(letter.parent.iterdir())) == len(letters) == 3


def test_the_command_says_what_it_has_not_replaced(tmp_path, capsys, monkeypatch):
    hand_in(tmp_path / "in", {"Ada/04.ipynb": notebook("check.settle(1)")})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("coincourse.classroom.marking._mark_all", all_right)
    command = ["mark", "in", "--trust", "--give-back"]
    assert main(command) == 0
    edit(Path("marks/table.csv"))
    for _ in range(2):
        capsys.readouterr()
        assert main(command) == 2
        said = capsys.readouterr()
        assert "Letters were put into 1 folder in in." in said.out
        assert "table.csv: edited since the last marking, so not replaced." in " ".join(said.err.split())
    assert main([*command, "--overwrite"]) == main(command) == 0


def test_two_letters_never_share_a_file(tmp_path, monkeypatch):
    """Where the system takes ada and Ada for one name, as macOS and Windows do, they have two letters."""
    students = ["a/b", "a\\b", "a_b", "x" * 200, "x" * 201]
    students += [file_name(name) for name in students[:2]]  # a student who is called like another's file
    assert len({file_name(name) for name in students}) == 7
    monkeypatch.setattr("coincourse.classroom.desk.file_name", str.casefold)
    Desk(tmp_path, ELSEWHERE).lay_out(Marks([Row(name, "04_hats", "draw", "passed") for name in ("Ada", "ada")]))
    letters = [page.read_text(encoding="utf-8") for page in (tmp_path / "letters").iterdir()]
    assert len(letters) == 2 and letters[0] != letters[1]
    assert len(list((tmp_path / "words").iterdir())) == 2


# --- letters on their way back --------------------------------------------------------------------------


def test_letters_go_into_the_students_folders_or_into_a_zip(tmp_path, capsys, monkeypatch):
    names = ["Ada/04.ipynb", "Ben_04.ipynb", "lesson04/Eve/04.ipynb", "Tim/04.ipynb", "lesson05/Tim/04.ipynb"]
    hand_in(tmp_path / "in", {name: notebook(f"check.settle({place})") for place, name in enumerate(names)})
    hand_in(tmp_path / "in", {"Ada/coinlib letter Old.html": b"", "Ada/letter.html": b"Ada's"})
    (tmp_path / "in/Zoe").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("coincourse.classroom.marking._mark_all", all_right)
    command = ["mark", "in", "--trust", "--give-back"]
    for _ in range(2):  # The second time letters are among the hand-ins.
        assert main(command) == 0
        out = capsys.readouterr().out
    assert "letter Ada.html" not in out and "Not marked: Zoe: the folder is empty" in out
    assert out.splitlines()[-2:] == [
        "Letters were put into 5 folders in in.",
        f"Letters for 1 student with no folder in in are in {Path('marks/letters.zip')}.",
    ]
    given = {path.relative_to("in").as_posix() for path in Path("in").rglob("coinlib letter*")}
    tims = {name for name in given if "Tim/" in name}
    assert given - tims == {f"{place}/coinlib letter {place[-3:]}.html" for place in ("Ada", "lesson04/Eve", "Zoe")}
    assert len(tims) == 2 and all(name.endswith("letter Tim.html") for name in tims)
    letter = Path("in/Ada/coinlib letter Ada.html").read_bytes()
    assert letter == Path("marks/letters/Ada.html").read_bytes() and b"<h1>Ada</h1>" in letter
    assert "A ✗ shows" not in letter.decode()  # everything is right
    assert Path("in/Ada/letter.html").read_bytes() == b"Ada's"
    with zipfile.ZipFile("marks/letters.zip") as archive:
        assert archive.namelist() == ["Ben/Ben.html"]
        assert b"<h1>Ben</h1>" in archive.read("Ben/Ben.html")


def test_a_letter_follows_no_link(tmp_path):
    letter = hand_in(tmp_path, {"Ada.html": b"letter", "secret.txt": b"secret"}) / "Ada.html"
    (tmp_path / "in/Ada").mkdir(parents=True)
    (tmp_path / "in/Ada/coinlib letter Ada.html").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "in/Ben").symlink_to(tmp_path / "elsewhere")
    folders = {"Ada": [Path("Ada")], "Ben": [Path("Ben")]}
    said = give_back(dict.fromkeys(folders, letter), folders, tmp_path / "in", tmp_path)
    assert said[1:] == [f"No letter could be put into {tmp_path / 'in/Ben'}."]
    assert (tmp_path / "secret.txt").read_bytes() == b"secret" and not any((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "in/Ada/coinlib letter Ada.html").read_bytes() == b"letter"


# --- the class ------------------------------------------------------------------------------------------


def test_the_overview_shows_the_hardest_exercises_and_the_commonest_mistakes(tmp_path):
    marks = small_class()
    unknown = "✗ For 1 your function raised NameError: name 'helper' is not defined."
    marks.rows += [Row("Eve", "00_x", name, "no notebook") for name in ("first_move", "sticks_left")]
    marks.rows.append(Row("Eve", "04_x", "draw", "wrong", unknown, "cell 1: SyntaxError", error="NameError"))
    marks.rows.append(Row("Tom", "04_x", "draw", "wrong", unknown, error="NameError"))
    counts = hardest(marks).droplevel("lesson")[["wrong", "passed"]]
    assert counts.T.to_dict("list") == {"sticks_left": [3, 0], "draw": [2, 1], "first_move": [0, 2]}
    # what only follows from a broken cell is not a mistake
    assert mistakes(marks) == [
        ("sticks_left", f"No. {ONE_STICK}", ["Ada", "Ben", "=1+1"]),
        ("draw", unknown.removeprefix("✗ "), ["Tom"]),
    ]
    Desk(tmp_path, ELSEWHERE).lay_out(marks)
    page = (tmp_path / "overview.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3 and 'class="not-passed" x="1" width="2"' in page
    assert page.count(">draw ★</td>") == 2 and ">sticks_left</td>" in page  # as hard, and as a mistake
    keys = re.findall('<th class="(.+?)">', page)
    assert keys == ["passed", "not-passed", "rest", "rest", "rest"] and all(f"rect.{key} " in page for key in keys)
    assert "whatever <code>taken</code> is." in page and "`" not in page
    assert "<td>Ada, Ben, =1+1</td>" in page and "<li>Ada, lesson 00_x: could not run: cell 4: late</li>" in page


def test_the_overview_names_what_could_not_be_judged(tmp_path):
    rows = [Row("Ada", "04_x", name, "not judged", why_not="it breaks off in line 7") for name in ("settle", "draw")]
    Desk(tmp_path, ELSEWHERE).lay_out(Marks(rows))
    page = (tmp_path / "overview.html").read_text(encoding="utf-8")
    assert page.count("<li>Ada, lesson 04_x: not judged (it breaks off in line 7)</li>") == 1


@pytest.mark.parametrize(("size", "strays", "is_said"), [(2, 1, False), (3, 1, True), (9, 2, False), (10, 2, True)])
def test_a_lesson_from_few_students_is_noted_since_it_counts_for_all(tmp_path, monkeypatch, size, strays, is_said):
    files = {f"s{number}/04.ipynb": notebook("check.settle(1)") for number in range(size)}
    files |= {f"s{number}/00.ipynb": notebook("check.finish(1)") for number in range(strays)}
    hand_in(tmp_path / "in", files)
    monkeypatch.setattr("coincourse.classroom.marking._mark_all", all_right)
    marks = marking.mark(tmp_path / "in", tmp_path / "marks", trust=True)
    names = ", ".join(f"s{number}" for number in range(strays))
    advice = "To leave it out, mark again with --lesson 04."
    note = f"What only {names} handed in counts in everyone's total: 00. {advice}"
    assert (note in marks.warnings) == is_said == any("everyone's total" in said for said in marks.warnings)
    marks = marking.mark(tmp_path / "in", tmp_path / "marks", ["04"], trust=True)
    assert not any("everyone's total" in said for said in marks.warnings)


def test_the_signs_are_explained_in_the_order_of_the_page(capsys):
    page = (ROOT / "docs" / "marking.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.partition("| sign |")[2].splitlines()[2:7]]
    explained = [f"{sign.strip()} {outcome.strip()}" for sign, outcome in rows]
    assert explained == [f"{sign} {outcome}" for sign, outcome in SIGNS.items() if sign.strip()]
    report(small_class())
    assert ", ".join(explained) in capsys.readouterr().out.splitlines()


def test_the_terminal_shows_long_names_lines_and_lists_in_short(capsys):
    rows = [Row("x" * 250, "04_hats", "draw", "wrong", "✗ For 1\nLook: Ben has copied.", "cell 1: a\ncell 2: b")]
    left_out = [f"{number}.txt: it is not a notebook" for number in range(1_000)]
    report(Marks(rows, left_out))
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("x" * 37 + "...  ")
    assert [line for line in lines if line.startswith("  ")][-4:] == [
        "  draw: ✗ For 1",
        "    Look: Ben has copied.",
        "  could not run: cell 1: a",
        "  could not run: cell 2: b",
    ]
    assert sum(line.startswith("Not marked") for line in lines) == 21
    assert "Not marked: ... and 980 more" in lines


# --- what is the teacher's, and what is handed in -------------------------------------------------------

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
        ("in", ["."], "You are inside the folder of the hand-ins"),
        ("in/Eve", [".."], "You are inside the folder of the hand-ins"),
        ("course", ["../in", "--into", "../in/marks"], "must not be inside each other"),
        ("course", ["../in/Eve", "--into", "../in"], "must not be inside each other"),
        ("course", ["../in", "--into", "../linked"], "must not be inside each other"),
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


SETTINGS = {
    "words": b"draw = 'x'",
    "signs": b"separator = 'x'",
    "names": b"settle_gam = 1",
    "comma": b"draw = 0,5",
}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no/such/folder"], "There is no folder 'no/such/folder'."),
        (["empty"], "No handed-in notebook was found in"),
        ([str(ROOT / "docs")], "No handed-in notebook was found in"),
        ([str(NOTEBOOKS), "--lesson", "77"], "No lesson is called '77'"),
        ([str(NOTEBOOKS), "--gigabytes", "0"], "argument --gigabytes: expected 0.1 or more, got 0"),
        ([str(NOTEBOOKS), "--into", "words"], "settings.toml: draw: expected a number of 0 or more, got 'x'."),
        ([str(NOTEBOOKS), "--into", "signs"], "settings.toml: separator: expected ',', ';' or '\\t', got 'x'."),
        (
            [str(NOTEBOOKS), "--into", "names"],
            "no exercise or lesson is called 'settle_gam'; a lesson is 04 or 04_hats.",
        ),
        ([str(NOTEBOOKS), "--into", "comma"], "Each line is a name, = and a number with a point: draw = 0.5"),
    ],
)
def test_what_cannot_be_marked_has_its_reason(words, complaint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    hand_in(tmp_path, {f"{name}/settings.toml": line for name, line in SETTINGS.items()})
    assert main(["mark", *words]) == 2
    assert complaint in " ".join(capsys.readouterr().err.split())
