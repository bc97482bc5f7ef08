"""What the web book is made from: links, lists of lessons, and how its extensions change a lesson; builds nothing."""

from __future__ import annotations

import code
import importlib
import itertools
import json
import re
import sys
from urllib.parse import unquote, urldefrag

import pytest
from book import COMMAND, ROOT

from coincourse.course import is_solution

LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WRITTEN = ("*.md", "docs/**/*.md", "data/*.md", "benchmarks/**/*.md")
COPIES = ".ipynb_checkpoints"  # a folder that JupyterLab makes next to a page that it has opened
TEXTS = sorted(file for pattern in WRITTEN for file in ROOT.glob(pattern) if COPIES not in file.parts)
OUTER = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def notebook_of(file) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def links_in(file) -> list[str]:
    """The targets of the links in a page or lesson, without blocks of code."""
    if file.suffix == ".ipynb":
        cells = [cell for cell in notebook_of(file)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    else:
        text = file.read_text(encoding="utf-8")
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]+`", "", text))


def test_links_also_work_where_the_repository_is_read():
    dead = []
    for file in [*TEXTS, *LESSONS]:
        targets = [urldefrag(link).url for link in links_in(file) if not OUTER.match(link)]
        dead += [(file.name, target) for target in targets if not (file.parent / unquote(target)).exists()]
    assert len(TEXTS) > 50
    assert dead == []


def test_the_book_names_the_command_that_makes_it():
    for page in ("index.md", "marking.md"):
        assert "uv run --group docs coinlib book" in (ROOT / "docs" / page).read_text(encoding="utf-8")
    for_authors = f"`uv run --group docs {' '.join(COMMAND)} build/book`"
    assert for_authors in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_first_page_and_the_readme_list_the_lessons():
    link = r"\[(?P<title>[^\]]+)\]\(\.\./(?P<path>\S+)\)"
    line = re.compile(rf"^\| {link} \| (?P<minutes>\d+) \| (?P<can>.+) \|$", re.MULTILINE)
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    rows = [row.groupdict() for row in line.finditer(index)]
    rows.sort(key=lambda row: row["path"])  # the short way has its own table
    assert [row["path"] for row in rows] == [file.relative_to(ROOT).as_posix() for file in LESSONS]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for row, file in zip(rows, LESSONS, strict=True):
        cells = ["".join(cell["source"]) for cell in notebook_of(file)["cells"]]
        title = row["title"].removesuffix(" (in normal play)")  # the lesson says it in its next line
        assert cells[0].startswith(f"# {title}\n")
        assert any(re.search(rf"\*\*Time:?\*\* {row['minutes']} minutes", cell) for cell in cells)
        assert f"| {row['minutes']} | {row['can']} |" in readme


# --- code that a reader copies


class Prompt(code.InteractiveConsole):
    """Python's prompt, which reads lines as usual but runs nothing."""

    refused = ""

    def runcode(self, code):
        pass

    def showsyntaxerror(self, *_, **__):
        self.refused = self.buffer[-1]


def copied(page: str) -> list[str]:
    """The lines that the copy button takes from the sessions on a page: no prompts, no outputs."""
    settings = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    (prompt,) = re.findall('^copybutton_prompt_text = r"(.+)"$', settings, re.MULTILINE)
    lines = []
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        if ">>> " in block:
            found = [re.match(rf"(?:{prompt})(.*)", line) for line in block.splitlines()]
            lines += [line[1] for line in found if line]
    return lines


@pytest.mark.parametrize(
    "file", [file for file in TEXTS if ">>> " in file.read_text("utf-8")], ids=lambda file: file.stem
)
def test_sessions_can_be_pasted_at_the_prompt_of_python(file):
    prompt = Prompt()
    for line in copied(file.read_text(encoding="utf-8")):
        prompt.push(line)
        assert not prompt.refused, f'{line}: a line "..." ends the function or loop above'


def test_a_pasted_session_needs_a_line_after_a_function():
    prompt = Prompt()
    for line in copied("```python\n>>> def two():\n...     return 2\n>>> two()\n2\n```"):
        prompt.push(line)
    assert prompt.refused == "two()"


# --- the extensions


@pytest.fixture
def extension(monkeypatch):
    """Imports an extension of the book: ``extension("lessons")``."""
    monkeypatch.syspath_prepend(ROOT / "docs" / "_ext")
    return importlib.import_module


def test_a_teachers_page_without_solutions_has_no_answers_and_no_code(extension):
    answers = extension("lessons").ANSWERS
    for page in sorted((ROOT / "docs" / "guide").glob("[0-9]*.md")):
        text = page.read_text("utf-8")
        left = answers.sub("", text)
        parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
        hidden = {"Exercises", "Answers", "Homework", "The code behind the answers"}
        assert hidden < set(parts), page
        assert re.findall(r"^## (.+)$", left, re.MULTILINE) == [part for part in parts if part not in hidden], page
        assert ">>>" not in left and "#the-code-behind-the-answers" not in left, page


def test_a_book_without_solutions_has_no_half_written_ones(extension):
    """A file to which a page links is copied into the book."""
    linking = [page for page in TEXTS if "to-print.html)" in page.read_text("utf-8")]
    assert len(linking) > 5 and {page.parent.name for page in linking} == {"guide"}
    to_print = extension("lessons").TO_PRINT
    assert not any("to-print.html)" in to_print.sub("", page.read_text("utf-8")) for page in linking)


def test_without_python_each_exercise_says_where_to_do_it(extension):
    lesson = notebook_of(ROOT / "notebooks" / "04_hats.ipynb")
    page = extension("lessons").lesson_page(lesson, "WHERE", solutions=True, reasons={})
    sources = ["".join(cell["source"]) for cell in page["cells"]]
    assert sources.count("WHERE") == sum(map(is_solution, lesson["cells"]))
    assert not any("data-stub" in source for source in sources)


def test_on_a_page_without_solutions_there_is_none(extension):
    lesson = notebook_of(ROOT / "notebooks" / "04_hats.ipynb")
    page = extension("lessons").lesson_page(lesson, "WHERE", solutions=False, reasons={"settle": ""})
    assert not any(map(is_solution, page["cells"]))
    sources = ["".join(cell["source"]) for cell in page["cells"]]
    assert sum('data-exercise="settle"' in source for source in sources) == 1


def test_a_text_can_have_other_words_in_the_book(extension):
    note = {"coinlib": {"book": {"Press a key": "Tap"}}}
    cell = {"cell_type": "markdown", "id": "a", "metadata": note, "source": "Press a key. Then wait."}
    page = extension("lessons").lesson_page({"cells": [cell]}, "", True, {})
    assert [cell["source"] for cell in page["cells"]] == ["Tap. Then wait."]


# The first is about a line that may be there; the second is only in lesson 05.
MENTION = "If a line *Solution* is below an exercise"


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem)
def test_no_text_of_a_lesson_relies_on_solutions_which_a_book_may_not_have(extension, file):
    for cell in notebook_of(file)["cells"]:
        if cell["cell_type"] == "markdown" and not is_solution(cell):
            text = extension("lessons").text_in_book(cell).replace(MENTION, "")
            assert not re.search(r"\bsolution\b(?!\.)|\.reference\b", text, re.IGNORECASE), cell["id"]


def test_words_for_the_book_that_replace_nothing_are_an_error(extension):
    note = {"coinlib": {"book": {"Press a key": "Tap"}}}
    cell = {"cell_type": "markdown", "id": "a", "metadata": note, "source": "Press the key."}
    with pytest.raises(ValueError, match="'Press a key'"):
        extension("lessons").lesson_page({"cells": [cell]}, "", True, {})


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem)
def test_the_answer_to_a_prediction_is_folded_in_the_book(extension, file):
    page = extension("lessons").lesson_page(notebook_of(file), "", True, {})
    code = [cell for cell in page["cells"] if cell["cell_type"] == "code"]  # text may lie between question and answer
    for cell, answer in itertools.pairwise(code):
        asks = "\nPrediction(" in "\n" + "".join(cell["source"])
        if asks and answer["outputs"]:
            is_live = any("coinlib" in kind for output in answer["outputs"] for kind in output.get("data", {}))
            assert is_live or "hide-output" in answer["metadata"]["tags"], answer["id"]


def test_an_answer_is_folded_even_if_a_function_is_defined_first(extension):
    output = {"output_type": "stream", "name": "stdout", "text": "4"}
    whose = output | {"text": "Your rule is not written yet, so the course's version is used.\n"}
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "**Predict: how many?**"},
        *(
            {"cell_type": "code", "id": name, "metadata": {}, "source": "", "outputs": outputs}
            for name, outputs in (("a", []), ("b", [whose]), ("c", [output]), ("d", [output]))
        ),
    ]
    page = extension("lessons").lesson_page({"cells": cells}, "", True, {})
    folded = [cell["id"] for cell in page["cells"] if "hide-output" in cell["metadata"].get("tags", [])]
    assert folded == ["c"]


def test_what_needs_jupyterlab_says_so_in_its_place_and_in_the_head(extension):
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["Look.\n", "\n", "**Change it.** Write 3."]}
    page = extension("lessons").lesson_page({"cells": [cell]}, "", True, {})
    assert page["cells"][0]["source"] == "Look.\n\n**Change it** (in JupyterLab). Write 3."
    rooms = (ROOT / "docs" / "guide" / "rooms.md").read_text("utf-8")
    note_of = extension("lessons").note_of
    notes = [note_of(file.stem, rooms) for file in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert all("**Only in JupyterLab:**" in note and "**Here instead:**" in note for note in notes)
    assert all(note.startswith("**In this book** you can play") for note in [*notes, note_of("networks", rooms)])


def test_no_output_claims_that_the_reader_has_not_written_something(extension):
    printed = "Your settle is not written yet, so the course's version is used.\nHat 4: 2, 3\n"
    output = {"output_type": "stream", "name": "stdout", "text": printed}
    cell = {"cell_type": "code", "id": "a", "source": "", "metadata": {}, "outputs": [output]}
    page = extension("lessons").lesson_page({"cells": [cell]}, "", True, {})
    note, rest = page["cells"][0]["outputs"]
    words = "The outputs from here on were made with the course's settle."
    assert note["data"]["text/html"] == f'<p data-made-with="settle">{words}</p>'
    assert rest["text"] == "Hat 4: 2, 3\n"


def test_what_answers_a_question_is_folded(extension):
    asked = {
        "**Predict: who wins?**": True,
        "**Who wins?** Guess before you run the cell.\n\nEach square of the picture is a share.": True,
        "No take leads there. Predict the remainders in the next cell.": True,
        "**Who wins?**\n\n<details><summary>Answer</summary>Player 1.</details>": False,
        "> **Is it new?** Where have I looked?\n\nThen write it as a function.": False,
        "They won **all** games, and the ratings predict one half. **Mind that.** Is it much?": False,
    }
    asks = extension("lessons").asks
    found = {text: asks({"cell_type": "markdown", "source": text}) for text in asked}
    assert found == asked


def test_there_is_a_button_for_each_place_whose_address_is_known(extension):
    places = extension("lessons").places
    addresses = {"Repository": "https://github.com/ada/coins", "JupyterLite": "https://ada.example.org/lite"}
    assert list(places(addresses, "08_game_trees.ipynb").values()) == [
        "08_game_trees.ipynb",
        "https://mybinder.org/v2/gh/ada/coins/main?urlpath=lab/tree/notebooks/08_game_trees.ipynb",
        "https://colab.research.google.com/github/ada/coins/blob/main/notebooks/08_game_trees.ipynb",
        "https://ada.example.org/lite/lab/index.html?path=notebooks/08_game_trees.ipynb",
    ]
    assert list(places({}, "08_game_trees.ipynb")) == ["Download this notebook"]


@pytest.mark.skipif(sys.platform == "win32", reason="its npm is another kind of program")
def test_where_pyodide_cannot_be_had_the_reason_is_said(extension, monkeypatch, tmp_path):
    page = extension("python_page")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(page.NotHere, match="npm was not found"):
        page.fetch_pyodide("1.0.0", "")
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(page.NotHere, match=r"npm could not fetch pyodide@1\.0\.0"):
        page.fetch_pyodide("1.0.0", "")
