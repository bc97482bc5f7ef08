"""Exercises as they are written on a page of the web book, and as they are in the notebook."""

from __future__ import annotations

import json
import re

from browser import expect
from paths import NOTEBOOKS

from coincourse import checks
from coincourse.course.solutions import in_place, solutions

START = 60_000  # milliseconds for Python to start, while other tests run


class Exercise:
    """An exercise on a page, as a reader sees it."""

    def __init__(self, page, name: str) -> None:
        self.page = page
        self.place = page.locator(f".write[data-exercise={name}]")
        self.field = self.place.get_by_role("textbox")
        self.line = self.place.locator(":scope > .write-line")  # "Try code" has its own
        self.answer = self.place.locator(".write-answer")
        self.place.scroll_into_view_if_needed()

    def press(self, button: str) -> None:
        """Press one of its buttons."""
        self.place.get_by_role("button", name=button, exact=True).click()

    def check(self, source: str) -> str:
        """What the page says about an answer."""
        self.field.fill(source)
        self.press("Check")
        expect(self.line).to_have_text("", timeout=START)
        expect(self.answer).not_to_be_empty()
        return self.answer.inner_text()


def exercise_of(cell: dict) -> str:
    """The exercise whose stub a cell is; "" if it is none."""
    return cell["metadata"].get("coinlib", {}).get("exercise", "")


def stub_of(lesson: str, exercise: str) -> str:
    """The cell of a lesson in which an exercise is written."""
    cells = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    (stub,) = ["".join(cell["source"]) for cell in cells if exercise_of(cell) == exercise]
    return stub


def solved(lesson: str, exercise: str) -> str:
    """The stub of an exercise with its solution in it."""
    notebook = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text("utf-8"))
    return in_place(stub_of(lesson, exercise), solutions(notebook)[exercise])


def said_in_notebook(exercise: str, source: str) -> str:
    """What a notebook's check says about a cell; other checks are ignored."""
    names = {"check": checks}
    body, _, asked = source.rpartition("\n")
    exec(body, names)  # noqa: S102 - written in a test, or by the authors of the lesson
    return str(getattr(checks, exercise).judge(names[re.search(r"\((\w+)\)", asked)[1]]))
