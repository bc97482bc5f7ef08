"""The pages of the lessons: where each exercise can be done, folded answers, a map of the sections, and at the top
what the book cannot do.

What a lesson says about JupyterLab can be different here: in a Markdown cell with the metadata
``{"coinlib": {"book": {"old": "new"}}}`` each old text is replaced. The output of a cell that answers a prediction
or a question in bold is folded, so that a reader can answer first.

Two values of `conf.py` are read here. `solutions`: False leaves the solutions out of the pages, the notebooks and
the teacher's pages. `addresses`: where the course is on the web, from `[project.urls]` in `pyproject.toml`; a place
without an address gets no button.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from python_page import exercise_of, has_editors, lesson_of, place_of, reasons_against

from coincourse.course.copies import without_solutions
from coincourse.course.solutions import is_solution
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.functions.sliders import SLIDERS

ROOMS = "docs/guide/rooms"  # the page with a table of what does not work in the book
DOWNLOAD = "Download this notebook"
WITHOUT_WORK = ", without your work"  # on a page from which a reader's work can be downloaded too
GITHUB = "https://github.com/"
WITH_ANSWERS = "Exercises|Answers|Homework|The code behind the answers"  # parts of a teacher's page
ANSWERS = re.compile(rf"^## ({WITH_ANSWERS})\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
TO_PRINT = re.compile(r"\[([^]]+)\]\(to-print\.html\)")  # a link to a page with half-written answers


# --- where the exercises can be done


def binder(repository: str, lesson: str) -> str:
    """The link that opens a lesson in JupyterLab on Binder, which reads `environment.yml`.

    >>> binder("https://github.com/ada/coins", "04_hats.ipynb")
    'https://mybinder.org/v2/gh/ada/coins/main?urlpath=lab/tree/notebooks/04_hats.ipynb'
    >>> binder("https://git.example.org/ada/coins", "04_hats.ipynb")
    'https://mybinder.org/v2/git/https%3A%2F%2Fgit.example.org%2Fada%2Fcoins/main?urlpath=lab/tree/notebooks/04_hats.ipynb'
    """
    on_github = repository.startswith(GITHUB)
    place = f"gh/{repository.removeprefix(GITHUB)}" if on_github else f"git/{quote(repository, safe='')}"
    return f"https://mybinder.org/v2/{place}/main?urlpath=lab/tree/notebooks/{lesson}"


def places(addresses: dict[str, str], lesson: str) -> dict[str, str]:
    """The text of each button and its address; the notebook itself is always in the same folder as its page.

    >>> places({}, "04_hats.ipynb")
    {'Download this notebook': '04_hats.ipynb'}
    >>> list(places({"Repository": "https://github.com/ada/coins.git"}, "04_hats.ipynb"))
    ['Download this notebook', 'Binder', 'Colab']
    >>> places({"JupyterLite": "https://ada.example.org/lite/"}, "04_hats.ipynb")["JupyterLite"]
    'https://ada.example.org/lite/lab/index.html?path=notebooks/04_hats.ipynb'
    """
    found = {DOWNLOAD: Path(lesson).name}
    if repository := addresses.get("Repository", "").removesuffix("/").removesuffix(".git"):
        found["Binder"] = binder(repository, lesson)
        if repository.startswith(GITHUB):  # Colab reads only from there
            place = f"{repository.removeprefix(GITHUB)}/blob/main/notebooks/{lesson}"
            found["Colab"] = f"https://colab.research.google.com/github/{place}"
    if site := addresses.get("JupyterLite", "").removesuffix("/"):
        found["JupyterLite"] = f"{site}/lab/index.html?path=notebooks/{lesson}"
    return found


def buttons(app, docname: str, words: str) -> str:
    """A line of buttons, one for each place, after a short text."""
    lesson = f"{docname.removeprefix('notebooks/')}.ipynb"
    # On the web the lessons have their solutions, so a book without solutions has no links to these places.
    addresses = app.config.addresses if app.config.solutions else {}
    links = []
    for name, link in places(addresses, lesson).items():
        download = ""
        if name == DOWNLOAD:
            download = f' download="{Path(lesson).name}"'
            if has_editors(app, docname):
                name += WITHOUT_WORK
                download = f' download="{Path(lesson).stem}_empty.ipynb"'
        links.append(f'<a href="{escape(link)}"{download}>{name}</a>')
    return f'<p class="places"><span>{words}:</span> {" ".join(links)}</p>'


# --- from a notebook to its page; the file stays unchanged


SHOWN_LATER = {"code_prompt_show": "Show the output", "code_prompt_hide": "Hide the output"}
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
ELSEWHERE = re.compile(
    r"\*\*(Change it|In a terminal)\.\*\*"
)  # what follows needs a cell that can be changed, or a terminal
OURS = re.compile(r"Your (\w+) is not written yet, so the course's version is used\.\n?")  # printed by `or_ours`
PREDICTS = re.compile(r"(?:^|[.:?!*] )(?:Predict|Guess)\b", re.MULTILINE)


def asks(cell: dict) -> bool:
    """Whether a cell asks for a prediction or ends with a question in bold, so that the next cell shows the answer.

    One paragraph may follow the question.

    >>> asks({"cell_type": "markdown", "source": "Two players meet. **Predict: who wins more often?**"})
    True
    >>> asks({"cell_type": "markdown", "source": "**Who wins?**\\n\\nEach of them starts in half of the games."})
    True
    >>> asks({"cell_type": "markdown", "source": "**Why?**\\n\\n<details><summary>Answer</summary>So.</details>"})
    False
    >>> asks({"cell_type": "code", "source": 'Prediction("hats", "no win")'})
    True
    """
    if cell["cell_type"] != "markdown":
        return "".join(cell["source"]).rpartition("\n")[2].startswith("Prediction(")
    unanswered = "".join(cell["source"]).rpartition("</details>")[2]
    return any(map(is_question, unanswered.strip().split("\n\n")[-2:]))


def is_question(paragraph: str) -> bool:
    """Whether a paragraph asks something; a quotation only talks about questions.

    >>> is_question("**All** of them won. Guess how often."), is_question("They predict **much**.")
    (True, False)
    """
    if paragraph.startswith(">"):
        return False
    in_bold = " ".join(BOLD.findall(paragraph)).lower()
    asks_in_bold = any(sign in in_bold for sign in ("?", "predict", "guess"))
    return asks_in_bold or bool(PREDICTS.search(paragraph))


def shows_something(cell: dict) -> bool:
    """Whether a cell has an output that says more than whose answer is used."""
    return any(OURS.sub("", "".join(output.get("text", "more"))).strip() for output in cell["outputs"])


def fold_answer(cell: dict) -> None:
    """Fold the output of a cell, unless it is live: sliders, a lab, a board or a prediction."""
    kinds = set().union(*(output.get("data", {}) for output in cell["outputs"]))
    if not kinds & {DESCRIBED, SLIDERS}:
        note = cell["metadata"]
        note["tags"] = [*note.get("tags", []), "hide-output"]
        note["mystnb"] = note.get("mystnb", {}) | SHOWN_LATER


def say_whose_answers(cell: dict) -> None:
    """Say that outputs were made with the course's answers, instead of what `or_ours` printed.

    A reader may have written these answers since: python_page.js hides the sentence when all of them are right.
    """
    outputs = []
    for output in cell["outputs"]:
        text = "".join(output.get("text", ""))
        if names := OURS.findall(text):
            words = f"The outputs from here on were made with the course's {' and '.join(names)}."
            note = f'<p data-made-with="{" ".join(names)}">{words}</p>'
            outputs.append({"output_type": "display_data", "data": {"text/html": note}, "metadata": {}})
            output["text"] = OURS.sub("", text)
        if "text" not in output or output["text"]:
            outputs.append(output)
    cell["outputs"] = outputs


def text_in_book(cell: dict) -> str:
    """The text of a Markdown cell in the book.

    >>> note = {"coinlib": {"book": {"Click": "Tap"}}}
    >>> text_in_book({"source": "Click a coin. **Change it.** Take two.", "metadata": note})
    'Tap a coin. **Change it** (in JupyterLab). Take two.'
    """
    text = "".join(cell["source"])
    for old, new in cell["metadata"].get("coinlib", {}).get("book", {}).items():
        if old not in text:
            raise ValueError(f"this text is no longer in the cell: {old!r}")
        text = text.replace(old, new)
    return ELSEWHERE.sub(r"**\1** (in JupyterLab).", text)


def lesson_page(notebook: dict, where: str, solutions: bool, reasons: dict[str, str]) -> dict:
    """A notebook in which each exercise can be written on its page, or says where to do it.

    `reasons` says why an exercise cannot be written on a page: "" if it can. The outputs of checks are left out,
    because the reader has not written anything yet.
    """
    cells = []
    asked = False  # whether the text before this cell asks about its output
    predicted = False  # whether the last cell of code is a prediction: more text may follow it
    for cell in notebook["cells"]:
        exercise = exercise_of(cell)
        if cell["cell_type"] == "markdown":
            cell["source"] = text_in_book(cell)
            asked = asks(cell) or predicted
        else:
            if asked and not exercise and shows_something(cell):
                fold_answer(cell)
            predicted = asks(cell)
            asked = predicted or (asked and not shows_something(cell))  # a function is defined first
        if exercise:
            cell["outputs"] = []
        if cell["cell_type"] == "code":
            say_whose_answers(cell)
        if is_solution(cell):
            exercise = cell["metadata"]["coinlib"]["solution"]
            why = reasons.get(exercise, "no Python")
            if why:
                reason = f"{reasons.get(exercise, '')}\n\n{where}".strip()
                cells.append(markdown(f"{cell['id']}-where", reason))
            cell["source"] = "".join(cell["source"]).replace("<details>", f'<details id="solution-{exercise}">', 1)
        if solutions or not is_solution(cell):
            cells.append(cell)
        if exercise_of(cell) and reasons.get(exercise) == "":
            cells.append(markdown(f"{cell['id']}-write", place_of(exercise, "".join(cell["source"]))))
    return notebook | {"cells": cells}


HAS_RUN = (
    "**In this book** you can play, predict, move sliders, and write your answers below the exercises.\n\n"
    "<details><summary>What else works here, and what needs JupyterLab</summary>\n\n"
    "Every cell has been run already, with the course's answers. *Try code* below an exercise runs other code: it knows "
    "the names of the lesson so far, but draws no pictures and lacks some packages (NumPy, pandas). On a board luck is "
    "new each time, whatever its `seed`."
)


def note_of(lesson: str, rooms: str) -> str:
    """The note at the top of a lesson: what works in the book, what needs JupyterLab, and what to do instead.

    `rooms` is the text of the guide's page with a table of all lessons.

    >>> print(note_of("04_hats", "| 04 | *Change it* (§6) | move the slider |").removeprefix(HAS_RUN))
    <BLANKLINE>
    <BLANKLINE>
    **Only in JupyterLab:** *Change it* (§6). **Here instead:** move the slider.
    <BLANKLINE>
    </details>
    """
    row = re.search(rf"^\| {lesson[:2]} \| (.+) \| (.+) \|$", rooms, re.MULTILINE)
    missing = f"**Only in JupyterLab:** {row[1]}. **Here instead:** {row[2]}.\n\n" if row else ""
    return f"{HAS_RUN}\n\n{missing}</details>"


def markdown(name: str, source: str) -> dict:
    """A Markdown cell."""
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def read_page(app, docname: str, source: list[str]) -> None:
    """Change a lesson or a teacher's page after it has been read."""
    if app.env.doc2path(docname).suffix == ".ipynb":
        where = buttons(app, docname, "Do it yourself")
        notebook = json.loads(source[0])
        page = lesson_page(notebook, where, app.config.solutions, reasons_against(app, notebook))
        rooms = Path(app.env.doc2path(ROOMS))
        if rooms.exists():
            app.env.note_dependency(rooms, docname=docname)
            note = note_of(lesson_of(docname), rooms.read_text("utf-8"))
            page["cells"].insert(1, markdown("not-in-the-book", note))
        source[0] = json.dumps(page)
    elif docname.startswith("docs/guide/") and not app.config.solutions:
        source[0] = TO_PRINT.sub(r"\1", ANSWERS.sub("", source[0]))


def add_map(app, doctree: nodes.document) -> None:
    """Put the buttons and a folded list of the sections under a lesson's title."""
    if app.env.doc2path(app.env.docname).suffix != ".ipynb":
        return
    title = next(doctree.findall(nodes.title))
    parts = [part for part in title.parent.children if isinstance(part, nodes.section)]
    items = [f'<li><a href="#{part["ids"][0]}">{escape(part[0].astext())}</a></li>' for part in parts]
    how = app.builder.get_relative_uri(app.env.docname, "docs/online")
    where = buttons(app, app.env.docname, f'Open it in JupyterLab (<a href="{how}#in-jupyterlab">how</a>)')
    sections = f'<details class="map"><summary>In this lesson</summary><ul>{"".join(items)}</ul></details>'
    if has_editors(app, app.env.docname):
        work = f'<div class="work" data-lesson="{lesson_of(app.env.docname)}"></div>'
        sections = work + sections
        title.parent.append(nodes.raw("", work, format="html"))
    title.parent.insert(1, nodes.raw("", where + sections, format="html"))


def add_notebooks(app, exception: Exception | None) -> None:
    """Copy each notebook into the folder of its page, for download."""
    if exception is not None:
        return
    for docname in app.env.found_docs:
        file = Path(app.env.doc2path(docname))
        if file.suffix == ".ipynb":
            notebook = file.read_bytes()
            if not app.config.solutions:
                notebook = without_solutions(notebook)
            copy = (Path(app.outdir) / docname).with_suffix(".ipynb")
            copy.write_bytes(notebook)
            # A page that was opened as a file cannot fetch the notebook: there book.js loads this script.
            script = f"notebook = {json.dumps(notebook.decode())};"
            copy.with_suffix(".ipynb.js").write_text(script, encoding="utf-8")


def setup(app) -> dict:
    """Called by Sphinx."""
    app.add_config_value("solutions", True, "env")
    app.add_config_value("addresses", {}, "env")
    app.connect("source-read", read_page)
    app.connect("doctree-read", add_map)
    app.connect("build-finished", add_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
