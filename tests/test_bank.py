"""Answers as students write them, in the plain files of `tests/bank`: each is judged, and judged rightly."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import nbformat
import pytest

from coincourse import checks
from coincourse.checks import engine

HERE = Path(__file__).resolve().parent
ANSWERS = [
    (path.stem, answer)
    for path in sorted((HERE / "bank").glob("*.toml"))
    for answer in tomllib.loads(path.read_text(encoding="utf-8"))["answer"]
]


@cache
def lessons() -> list[list[str]]:
    """The code cells of each lesson and project."""
    notebooks = [nbformat.read(path, 4) for path in sorted((HERE.parent / "notebooks").rglob("*.ipynb"))]
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


def verdict(exercise: str, code: str, say) -> str:
    """What the check prints about an answer."""
    imports, name = stub(exercise)
    names: dict = {}
    exec(f"{imports}\n{code}", names)  # noqa: S102 - our own files
    say()
    getattr(checks, exercise)(names[name])
    return say()


@pytest.mark.parametrize(
    ("topic", "answer"), ANSWERS, ids=[f"{topic}-{answer['exercise']}-{answer['kind']}" for topic, answer in ANSWERS]
)
@pytest.mark.filterwarnings("ignore")  # a student sees a warning, and not an error
def test_an_answer_is_judged_rightly(topic, answer, capsys, monkeypatch):
    monkeypatch.setattr(engine, "SECONDS", 60.0 if answer["right"] else 1.0)  # some wrong ones wait for the clock
    printed = verdict(answer["exercise"], answer["code"], lambda: capsys.readouterr().out)
    words = printed[max(printed.rfind("✓"), printed.rfind("✗")) :]
    assert words.startswith("✓" if answer["right"] else "✗"), printed
    assert "check itself" not in words
