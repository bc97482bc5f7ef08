"""Build the course as a site in which Python runs in the reader's browser: see docs/jupyterlite.md.

    uv run --group lite python jupyterlite/make.py

Nothing is fetched: the site is put together from this checkout and from what the environment holds.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SITE = ROOT / "build" / "lite"
PARTS = ROOT / "build" / "lite-parts"
# `pyproject.toml` goes with the lessons: by this file `coincourse.course` knows the course's folder.
FILES = ("data", "pyproject.toml", "LICENSE", "LICENSE-lessons")
FIRST_CELL = (
    "%pip install -q coinlib\n"
    "# In this edition run me first: I fetch the library of the course. That takes a minute the first time."
)


def wheel(into: Path) -> Path:
    """Build the wheel of `coinlib` with the build program of this environment, and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)]
    subprocess.run(command, cwd=ROOT, check=True)
    return next(into.glob("coinlib-*.whl"))


def with_first_cell(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A lesson that begins by fetching the library; the lesson itself stays as it is."""
    cell = nbformat.v4.new_code_cell(FIRST_CELL, id="cell-00")
    return nbformat.from_dict({**notebook, "cells": [cell, *notebook.cells]})


def contents(into: Path) -> None:
    """Lay out the files that the reader sees: the lessons, the data, the licences."""
    for name in FILES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, into / name)
    (into / "notebooks").mkdir()
    for lesson in sorted((ROOT / "notebooks").glob("*.ipynb")):
        # Texts are written in one piece: JupyterLite shows a comma between lines that a file keeps apart.
        text = json.dumps(with_first_cell(nbformat.read(lesson, 4)), ensure_ascii=False)
        (into / "notebooks" / lesson.name).write_text(text, encoding="utf-8")


def build(site: Path) -> None:
    """Make the parts anew, then the site from them."""
    for folder in (PARTS, site, HERE / ".cache"):
        shutil.rmtree(folder, ignore_errors=True)
    for memory in HERE.glob(".jupyterlite.doit.db*"):  # with it a second build leaves out steps of the first
        memory.unlink()
    (PARTS / "files").mkdir(parents=True)
    contents(PARTS / "files")
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    command += ["--contents", str(PARTS / "files"), "--piplite-wheels", str(wheel(PARTS))]
    command += ["--output-dir", str(site)]
    subprocess.run(command, cwd=HERE, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the course as a JupyterLite site.")
    parser.add_argument("--site", type=Path, default=SITE, help="where to put it (default: build/lite)")
    site = parser.parse_args().site.resolve()
    build(site)
    print(f"The site is in {site}. To look at it: {sys.executable} -m http.server --directory {site}")


if __name__ == "__main__":
    main()
