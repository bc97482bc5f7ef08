"""A course of two short lessons, for tests that hand out, give back, run and store lessons."""

from __future__ import annotations

from pathlib import Path

import nbformat

from coincourse.course.authors import KERNEL


def write_lesson(file: Path, *cells: str, output: str = "") -> None:
    """A notebook whose code cells are `cells`; all of them print `output`."""
    code = [nbformat.v4.new_code_cell(cell) for cell in cells]
    for cell in code if output else ():
        cell.outputs = [nbformat.v4.new_output("stream", text=output)]
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": KERNEL}), file)


def words(file: Path) -> list[str]:
    """The sources of the cells of a notebook."""
    return [cell.source for cell in nbformat.read(file, 4).cells]


def write_course(folder: Path) -> Path:
    """The whole course, in a folder with a difficult name."""
    folder = folder / "Übung & Spiel č (alt)" / ("lang" * 40)
    write_lesson(folder / "notebooks" / "00_start_here.ipynb", "1 + 1")
    write_lesson(folder / "notebooks" / "04_hats.ipynb", "hats = 10", "hats")
    for name, text in {
        "pyproject.toml": '[project]\nname = "coinlib"\n',
        "notebooks/pictures/hat.txt": "a hat",
        "data/spiele ß.csv": "winner\n1\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
