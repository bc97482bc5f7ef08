"""The lessons in the book: solutions are folded until the reader opens them."""

from __future__ import annotations

import json

FOLDED = {"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"}


def fold_solutions(notebook: dict) -> dict:
    """Give the cells tagged `solution` the tag and the words with which myst-nb folds a cell."""
    for cell in notebook["cells"]:
        note = cell["metadata"]
        if "solution" in note.get("tags", []):
            note["tags"] = [*note["tags"], "hide-cell"]
            note["mystnb"] = note.get("mystnb", {}) | FOLDED
    return notebook


def read_lesson(app, docname: str, source: list[str]) -> None:
    """Change a notebook between its file and the book; the file stays as it is."""
    if app.env.doc2path(docname).suffix == ".ipynb":
        source[0] = json.dumps(fold_solutions(json.loads(source[0])))


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("source-read", read_lesson)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
