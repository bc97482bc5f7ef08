"""The exercises of a lesson, as tests see them: the cells that hand an answer to a check, and what the check says."""

from __future__ import annotations

from pathlib import Path

import nbformat

from coincourse import checks

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"


class Exercises:
    """The exercises of one lesson.

    Parameters
    ----------
    lesson : str
        The file's name, without its ending.
    answers : dict of str to str
        What the lesson hands to a check whose answer is not called as the check is.
    """

    def __init__(self, lesson: str, answers: dict[str, str] | None = None) -> None:
        notebook = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", 4)
        self.code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.answers = answers or {}

    def answer_of(self, name: str) -> str:
        """What the lesson calls the answer to the check `name`."""
        return self.answers.get(name, name)

    def cells(self, name: str) -> list:
        """The cells that hand an answer to the check `name`: the stub, then the solution."""
        return [cell for cell in self.code if f"check.{name}({self.answer_of(name)})" in cell.source]

    def solution(self, name: str, **names):
        """The lesson's own answer, made where `names` are known; nothing is printed."""
        exec(self.cells(name)[1].source.partition("\n\n\ncheck.")[0], names)  # noqa: S102 - our own lesson
        return names[self.answer_of(name)]

    def check_cells(self, capsys, name: str, of_stub: str, of_solution: str, **names) -> None:
        """The stub and the solution, run where `names` are known, say these words, and have them stored."""
        stub, solved = self.cells(name)
        assert "solution" in solved.metadata.tags and "solution" not in stub.metadata.get("tags", [])
        for cell, wanted in ((stub, of_stub), (solved, of_solution)):
            exec(cell.source, {"check": checks, **names})  # noqa: S102 - our own lesson
            assert capsys.readouterr().out.strip() == wanted
            assert cell.outputs[0].text.strip() == wanted


def said(capsys, name: str, answer) -> str:
    """What the check `name` prints about an answer."""
    getattr(checks, name)(answer)
    return capsys.readouterr().out.strip()
