"""Answers as students write them, in the plain files of `tests/bank`: each is judged, and judged rightly."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import nbformat
import pytest
from paths import NOTEBOOKS, STORED

from coincourse import checks
from coincourse.checks.verdict import Verdict

ANSWERS = [
    (path.stem, answer)
    for path in sorted((STORED / "bank").glob("*.toml"))
    for answer in tomllib.loads(path.read_text(encoding="utf-8"))["answer"]
]


@cache
def lessons() -> list[list[str]]:
    """The code cells of each lesson and project."""
    notebooks = [nbformat.read(path, 4) for path in sorted(NOTEBOOKS.rglob("*.ipynb"))]
    return [[cell.source for cell in notebook.cells if cell.cell_type == "code"] for notebook in notebooks]


@cache
def stub(exercise: str) -> tuple[str, str]:
    """The imports of the lesson that asks for this, and what its stub hands to the check."""
    for sources in lessons():
        for source in sources:
            handed = re.search(rf"^check\.{exercise}\((\w+)\)", source, re.MULTILINE)
            if handed:
                found = re.findall(r"^(?:from|import) [^(\n]+(?:\([^)]*\))?", "\n".join(sources), re.MULTILINE)
                return "\n".join(["import numpy as np", "import pandas as pd", *found]), handed[1]
    raise LookupError(exercise)


def verdict(exercise: str, code: str, seconds: float) -> Verdict:
    """What the check finds out about an answer."""
    imports, name = stub(exercise)
    names: dict = {}
    exec(f"{imports}\n{code}", names)  # noqa: S102 - our own files
    return getattr(checks, exercise).judge(names[name], seconds)


@pytest.mark.parametrize(
    ("topic", "answer"), ANSWERS, ids=[f"{topic}-{answer['exercise']}-{answer['kind']}" for topic, answer in ANSWERS]
)
@pytest.mark.filterwarnings("ignore")  # a student sees a warning, and not an error
def test_an_answer_is_judged_rightly(topic, answer):
    seconds = 60.0 if answer["right"] else 1.0  # some wrong ones wait for the clock
    found = verdict(answer["exercise"], answer["code"], seconds)
    assert found.right == answer["right"], found.words
    assert "check itself" not in found.words
    assert answer.get("hint", "") in found.hint
    if found.case and "gave no answer" in found.words:  # an exercise of cases says what may have taken so long
        assert found.words.endswith(getattr(checks, answer["exercise"]).rules.slow)


@pytest.mark.parametrize("lesson", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_lessons_exercises_and_their_answers_stand_in_files_of_its_name(lesson):
    file = lesson.stem[3:]
    cells = [cell.source for cell in nbformat.read(lesson, 4).cells if cell.cell_type == "code"]
    asked = set(re.findall(r"^check\.(\w+)\(", "\n".join(cells), re.MULTILINE))
    assert asked == {answer["exercise"] for topic, answer in ANSWERS if topic == file}
    assert asked <= set(checks.NAMES[file])
