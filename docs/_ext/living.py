"""Labs live in the book: beside each still picture stands what the page needs to answer in place of Python.

The labs of a lesson have described themselves in the notebook. On any other page the directive `living`
holds the expression of a lab:

    ```{living}
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
from own_sliders import box_of
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import coincourse.labs
import coinlib
from coincourse.labs.base.lab import CONTROLS_STYLE, Lab
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.book.living import KINDS, again
from coincourse.labs.book.living import living as what_lives
from coincourse.labs.book.positions import packed, positions
from coincourse.labs.functions.sliders import SLIDERS, Sliders

# A link from a lab to a lesson, which is a page in the book
LESSON = re.compile(r"(?<=href=')((?:projects/)?\w+)\.ipynb(?=')")
log = logging.getLogger(__name__)
STILL = re.compile(r"\(A still picture: run this cell to [a-z ]+\.\)")  # there is no cell to be run on a page


def front_end(kind: type[Lab]) -> tuple[str, str]:
    """The front end of a kind of lab: the name of the class that brings it, and its text."""
    for base in kind.__mro__:
        text = vars(base).get("_esm")
        if isinstance(text, str):
            return base.__name__, text
    raise LookupError(f"{kind.__name__} has no front end")


def living(described: dict, lessons: str = "") -> str:
    """The still picture of a lab that has described itself and its data, as HTML.

    `lessons` is the way from its page to those of the lessons.
    """
    return _living(json.dumps(described, sort_keys=True), lessons)


@functools.cache  # the page with one lab of each kind shows some that are in lessons too
def _living(described: str, lessons: str) -> str:
    lab = again(json.loads(described))
    module, _ = front_end(type(lab))
    data = json.dumps(what_lives(lab) | {"module": module}, separators=(",", ":"), ensure_ascii=False)
    data = LESSON.sub(rf"{lessons}\1.html", data)
    deflated = base64.b64encode(zlib.compress(data.encode(), 9)).decode()
    still = LESSON.sub(rf"{lessons}\1.html", lab.still())
    return f"<div class='living'>{still}<script type='text/plain'>{deflated}</script></div>"


def living_sliders(box: Sliders) -> str:
    """The sliders of a cell with what its function shows at each of their stops; the still picture is not in it."""
    module, _ = front_end(Lab)
    data = packed(positions(box) | {"module": module}).decode()
    return f"<div class='living own-sliders'>{box.still()}<script type='text/plain'>{data}</script></div>"


def read_sliders(cells: list[dict], place: int, docname: str) -> str:
    """The sliders of the cell at this place; a warning where they show something else than what is stored."""
    box = box_of(cells, place)
    stored = [output["data"] for output in cells[place]["outputs"] if SLIDERS in output.get("data", {})]
    if "".join(stored[0]["text/plain"]) != box.as_text():
        log.warning("%s: %r shows something else than what is stored; execute the lesson again", docname, box)
    return living_sliders(box)


def read_lesson(app, docname: str, source: list[str]) -> None:
    """Let the labs of a notebook live, between its file and the book; the file stays as it is."""
    if app.env.doc2path(docname).suffix != ".ipynb":
        return
    notebook = json.loads(source[0])
    page = app.builder.get_relative_uri(docname, "docs/living")
    still = f'(A still picture: this one lives in <a href="{page}">JupyterLab</a>.)'
    cells = notebook["cells"]
    for place, cell in enumerate(cells):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            described = data.pop(DESCRIBED, None)
            if described:
                data["text/html"] = living(described)
            if SLIDERS in data:
                data["text/html"] = read_sliders(cells, place, docname)
                del data[SLIDERS]
            if alt := output.get("metadata", {}).get("image/png", {}).get("alt"):
                cell["metadata"].setdefault("mystnb", {}).setdefault("image", {}).setdefault("alt", alt)
            if "text/html" in data:
                data["text/html"] = LESSON.sub(r"\1.html", STILL.sub(still, "".join(data["text/html"])))
    source[0] = json.dumps(notebook)


class Living(SphinxDirective):
    """A lab on a page that is no lesson."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The lab, made from its expression."""
        names = {name: getattr(coinlib, name) for name in coinlib.__all__}
        names |= {name: getattr(coincourse.labs, name) for name in coincourse.labs.__all__}
        lab = eval("\n".join(self.content), names)
        first = self.env.app.builder.get_relative_uri(self.env.docname, "notebooks/00_start_here")
        lessons = first.rpartition("/")[0] + "/"
        return [nodes.raw("", living(lab.described(), lessons), format="html")]


def write_front_ends(app) -> None:
    """Write the texts of the front ends and the style of the controls once, for all pages."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    texts = dict(front_end(kind) for kind in KINDS.values())
    script = f"Object.assign(living.modules, {json.dumps(texts)});\n"
    (folder / "living_modules.js").write_text(script, "utf-8")
    (folder / "lab.css").write_text(CONTROLS_STYLE, "utf-8")


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("builder-inited", write_front_ends)
    app.connect("source-read", read_lesson)
    app.add_directive("living", Living)
    app.add_css_file("lab.css")
    for name in ("living.js", "living_board.js", "living_modules.js"):
        app.add_js_file(name, loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
