"""Put live labs into the book: the still picture of each lab, and the data that a script answers from.

A lesson's notebook holds the description of each lab. On any other page the directive `lab` holds an
expression:

    ```{lab}
    QLab(controls=["games", "seed"])
    ```
"""

from __future__ import annotations

import base64
import functools
import json
import re
import zlib
from pathlib import Path

from docutils import nodes
from lesson_sliders import box_of, last_value, stops_of
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import coincourse.labs
import coinlib
from coincourse.labs.base.lab import CONTROLS_STYLE, Lab
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.book.page_data import KINDS, lab_from, page_data
from coincourse.labs.book.record_sliders import packed, record_sliders
from coincourse.labs.functions.sliders import SLIDERS, Sliders

# A link from a lab to a lesson, which is a page in the book
LESSON = re.compile(r"(?<=href=')((?:projects/)?\w+)\.ipynb(?=')")
STILL = re.compile(r"\(A still picture: run this cell to [a-z ]+\.\)")  # a page has no cell to run
log = logging.getLogger(__name__)


def front_end(kind: type[Lab]) -> tuple[str, str]:
    """The front end of a kind of lab: the name of the class that defines it, and its source."""
    for base in kind.__mro__:
        text = vars(base).get("_esm")
        if isinstance(text, str):
            return base.__name__, text
    raise LookupError(f"{kind.__name__} has no front end")


def live_lab(described: dict, lessons: str = "", elsewhere: tuple[str, ...] = ()) -> str:
    """The still picture and the data of the lab with this description, as HTML.

    `lessons` is the relative path from its page to those of the lessons; `elsewhere` the exercises that cannot be written
    on their pages.
    """
    return _live_lab(json.dumps(described, sort_keys=True), lessons, elsewhere)


@functools.cache  # the page with one lab of each kind has some that are in lessons too
def _live_lab(described: str, lessons: str, elsewhere: tuple[str, ...]) -> str:
    lab = lab_from(json.loads(described))
    module, _ = front_end(type(lab))
    data = json.dumps(page_data(lab) | {"module": module}, separators=(",", ":"), ensure_ascii=False)
    data = mark_elsewhere(LESSON.sub(rf"{lessons}\1.html", data), elsewhere)
    compressed = base64.b64encode(zlib.compress(data.encode(), 9)).decode()
    still = STILL.sub("(A still picture.)", LESSON.sub(rf"{lessons}\1.html", lab.still()))
    return f"<div class='live-lab'>{still}<script type='text/plain'>{compressed}</script></div>"


def mark_elsewhere(html: str, exercises: tuple[str, ...]) -> str:
    """Mark the exercises that can only be written in JupyterLab, in a score or in the map of the course.

    >>> mark_elsewhere("<li data-exercise='a'>○ a</li><span data-exercise='a'>○</span>", ("a",))
    "<li data-exercise='a' data-elsewhere>– a (in JupyterLab)</li><span data-exercise='a' data-elsewhere>–</span>"
    """
    for name in exercises:
        html = html.replace(f"data-exercise='{name}'>○", f"data-exercise='{name}' data-elsewhere>–")
        html = html.replace(f"data-elsewhere>– {name}</li>", f"data-elsewhere>– {name} (in JupyterLab)</li>")
    return html


def live_sliders(box: Sliders, asked: list[dict]) -> str:
    """The sliders of a cell, and what its function shows at each stop; the still picture is a separate output."""
    module, _ = front_end(Lab)
    data = packed(record_sliders(box, asked) | {"module": module}).decode()
    return f"<div class='live-lab lesson-sliders'>{box.still()}<script type='text/plain'>{data}</script></div>"


def read_sliders(cells: list[dict], place: int, docname: str) -> str:
    """The sliders of the cell at this place; warns if they do not match what is stored.

    Its metadata hold the settings that the text asks for: ``{"coinlib": {"stops": [{"rate": 0.3, "games": [10, 100]}]}}``.
    """
    box = box_of(cells, place)
    stored = [output["data"] for output in cells[place]["outputs"] if SLIDERS in output.get("data", {})]
    if "".join(stored[0]["text/plain"]) != box.as_text():
        log.warning("%s: %r does not show what is stored; execute the lesson again", docname, box)
    return live_sliders(box, stops_of(cells[place]))


def add_book_lab(cells: list[dict], place: int) -> None:
    """Add a lab that only the book has, where a lesson's game needs a cell that can be changed.

    The cell's metadata hold the text above the lab, and the code that makes it:
    ``{"coinlib": {"book_lab": {"words": "...", "code": "..."}}}``.
    """
    made = cells[place]["metadata"].get("coinlib", {}).get("book_lab")
    if made:
        lab = last_value(cells, place, made["code"])
        data = {"text/html": f"<p>{made['words']}</p>{live_lab(lab.described())}"}
        cells[place]["outputs"].append({"output_type": "display_data", "data": data, "metadata": {}})


def read_lesson(app, docname: str, source: list[str]) -> None:
    """Make the labs of a notebook live on its page; the file stays unchanged."""
    if app.env.doc2path(docname).suffix != ".ipynb":
        return
    notebook = json.loads(source[0])
    page = app.builder.get_relative_uri(docname, "docs/living")  # an old address, kept for bookmarks and links
    still = f'(A still picture: it is live in <a href="{page}">JupyterLab</a>.)'
    cells = notebook["cells"]
    exercises = getattr(app, "exercises", {})  # from python_page.py
    elsewhere = tuple(sorted(name for name, each in exercises.items() if each.why_not))
    for place, cell in enumerate(cells):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            described = data.pop(DESCRIBED, None)
            if described:
                data["text/html"] = live_lab(described, elsewhere=elsewhere)
            if SLIDERS in data:
                data["text/html"] = read_sliders(cells, place, docname)
                del data[SLIDERS]
            if alt := output.get("metadata", {}).get("image/png", {}).get("alt"):
                cell["metadata"].setdefault("mystnb", {}).setdefault("image", {}).setdefault("alt", alt)
            if "text/html" in data:
                html = mark_elsewhere("".join(data["text/html"]), elsewhere)
                data["text/html"] = LESSON.sub(r"\1.html", STILL.sub(still, html))
        add_book_lab(cells, place)
    source[0] = json.dumps(notebook)


class LabDirective(SphinxDirective):
    """A lab on a page that is not a lesson."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the lab from its expression."""
        names = {name: getattr(coinlib, name) for name in coinlib.__all__}
        names |= {name: getattr(coincourse.labs, name) for name in coincourse.labs.__all__}
        lab = eval("\n".join(self.content), names)
        first = self.env.app.builder.get_relative_uri(self.env.docname, "notebooks/00_start_here")
        lessons = first.rpartition("/")[0] + "/"
        return [nodes.raw("", live_lab(lab.described(), lessons), format="html")]


def write_front_ends(app) -> None:
    """Write the front ends and the style of the controls once for all pages."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    texts = dict(front_end(kind) for kind in KINDS.values())
    script = f"Object.assign(liveLabs.modules, {json.dumps(texts)});\n"
    (folder / "lab_front_ends.js").write_text(script, "utf-8")
    (folder / "lab.css").write_text(CONTROLS_STYLE, "utf-8")


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("builder-inited", write_front_ends)
    app.connect("source-read", read_lesson)
    app.add_directive("lab", LabDirective)
    app.add_css_file("lab.css")
    boards_and_hats = ("live_board.js", "live_hats.js", "live_hats_picture.js")
    for name in ("live_labs.js", *boards_and_hats, "lab_front_ends.js", "course_map.js"):
        app.add_js_file(name, loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
