"""Answers as students write them, in the files of `tests/stored/bank`, and what the checks say about them."""

from __future__ import annotations

import linecache
import re
import tomllib
from functools import cache

import nbformat
from paths import NOTEBOOKS, STORED

from coincourse import checks
from coincourse.checks.engine import in_time

PATIENT = 60.0  # seconds; no answer that ends takes this long, on any machine
SOON = 1.0  # seconds, for an answer that is marked `endless` in its file
IMPORT = re.compile(r"^(?:from|import) [^(\n]+(?:\([^)]*\))?", re.MULTILINE)


def answers_of(path) -> list[dict]:
    """The answers in one file of the bank."""
    return tomllib.loads(path.read_text(encoding="utf-8"))["answer"]


# The answers by the name of their file, which is the name of a lesson or project.
BANK = {path.stem: answers_of(path) for path in sorted((STORED / "bank").glob("*.toml"))}


def one_right_and_one_wrong(answers: list[dict]) -> list[dict]:
    """The first right and the first wrong answer to each exercise, among those that end."""
    first: dict = {}
    for answer in answers:
        if not answer.get("endless"):
            first.setdefault((answer["exercise"], answer["right"]), answer)
    return [*first.values()]


@cache
def code_of_lessons() -> dict[str, list[str]]:
    """The code cells of each lesson and project, by the name of its file without the number."""
    found = {}
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        cells = nbformat.read(path, 4).cells
        found[path.stem.lstrip("0123456789_")] = [cell.source for cell in cells if cell.cell_type == "code"]
    return found


@cache
def stub(exercise: str) -> tuple[str, str]:
    """The imports of the lesson that asks for an exercise, and the name that its stub hands to the check."""
    code = "\n".join(code_of_lessons()[checks.FILE_OF[exercise]])
    handed = re.search(rf"^check\.{exercise}\((\w+)\)", code, re.MULTILINE)
    return "\n".join(["import numpy as np", "import pandas as pd", *IMPORT.findall(code)]), handed[1]


def run_as_cell(source: str, names: dict) -> None:
    """Run the code of a cell; Python has its text, as in a notebook."""
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    exec(compile(source, "<cell>", "exec"), names)  # noqa: S102 - our own files


def complaint(answer: dict) -> str:
    """What is wrong with the verdict on an answer; "" if nothing is."""
    check = getattr(checks, answer["exercise"])
    imports, name = stub(answer["exercise"])
    names: dict = {}
    run_as_cell(f"{imports}\n{answer['code']}", names)
    verdict = in_time(check, names[name], SOON if answer.get("endless") else PATIENT)
    if verdict.right != answer["right"]:
        return f"expected right = {answer['right']}"
    if "check itself" in verdict.words:
        return "the check itself went wrong"
    if answer.get("hint", "") not in verdict.hint:
        return f"expected the hint {answer['hint']!r}"
    # An exercise with cases says what may have taken so long.
    if "your function was not done within" in verdict.words and not verdict.words.endswith(check.comparison.slow):
        return f"does not end with {check.comparison.slow!r}"
    return ""


def wrong_judgements(answers) -> list[str]:
    """A line for each answer whose verdict differs from what its file says."""
    found = []
    for answer in answers:
        words = complaint(answer)
        if words:
            found.append(f"{answer['exercise']}, {answer['kind']}: {words}")
    return found
