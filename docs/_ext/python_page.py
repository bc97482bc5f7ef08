"""Exercises are written in the book: Python comes to the page, and with it the judge and what it knows.

Three values of `conf.py` are read here. `python_in_page`: False leaves Python out. `pyodide` and
`pyodide_hash`: the release of Pyodide, which is Python for browsers, and the hash of its package. It is
fetched by npm when the book is built; where that cannot be done, the book is built without it, and says so.

A page from a file may read no file beside it. So everything comes as scripts: `python.js` for the whole
book, and one script for each lesson, and a page asks for them when somebody presses a button.
"""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from html import escape
from pathlib import Path

from sphinx.util import logging

from coincourse.course.copies import without_solutions
from coincourse.page import recording

WORKER = Path(__file__).with_name("python_worker.js")
LOCK = "pyodide-lock.json"
FETCHED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK]
SCRIPTS = ["python_host.js", "python_editor.js", "python_page.js"]
PATIENCE = 120  # seconds for npm

log = logging.getLogger(__name__)


class NotHere(Exception):
    """Why Pyodide cannot be had, in words."""


# --- what is fetched


def fetched(release: str, expected: str) -> dict[str, bytes]:
    """The files of a release of Pyodide; NotHere says why they cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotHere("npm was not found")
    with tempfile.TemporaryDirectory() as folder:
        # What npm has fetched once, it takes from its own store.
        options = ["--prefer-offline", "--fetch-retries=0", "--loglevel=error", f"--pack-destination={folder}"]
        command = [npm, "pack", f"pyodide@{release}", *options]
        try:
            done = subprocess.run(command, check=False, cwd=folder, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise NotHere("npm has fetched nothing in time") from None
        packages = list(Path(folder).glob("*.tgz"))
        if done.returncode or not packages:
            raise NotHere(f"npm could not fetch pyodide@{release}")
        package = packages[0].read_bytes()
    found = base64.b64encode(hashlib.sha512(package).digest()).decode()
    if found != expected:
        raise NotHere(f"pyodide@{release} is not what conf.py expects")
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        return {name: files.extractfile(f"package/{name}").read() for name in FETCHED}


# --- what is written


def python_script(files: dict[str, bytes]) -> str:
    """The script that brings Python, the worker in which it runs, and the modules of the course."""
    packed = {}
    for name, content in files.items():
        if name != LOCK:
            packed[name] = base64.b64encode(gzip.compress(content, mtime=0)).decode()
    # The list says for which Python it is; none of its packages is here.
    lock = {"info": json.loads(files[LOCK])["info"], "packages": {}}
    modules = recording.page_modules()
    python = {"files": packed, "lock": lock, "modules": modules, "worker": WORKER.read_text("utf-8")}
    return f"window.PYTHON = {json.dumps(python)};\n"


def lesson_script(notebook: bytes, recordings: dict[str, dict]) -> str:
    """The script of a lesson: what the judge knows of its exercises, and the students' copy of the notebook."""
    lesson = {"recordings": recordings, "notebook": json.loads(without_solutions(notebook))}
    return f"window.LESSON = {json.dumps(lesson, ensure_ascii=False, separators=(',', ':'))};\n"


# --- where an exercise stands on its page


def place_of(exercise: str, stub: str) -> str:
    """Where an exercise is written, as HTML; `data-agent` names a function that can sit at a board."""
    source = escape(stub).replace("\n", "&#10;")
    agent = f' data-agent="{agent_of(stub)}"' if agent_of(stub) else ""
    return f'<div class="write" data-exercise="{exercise}"{agent} data-stub="{source}"></div>'


def agent_of(stub: str) -> str:
    """The name of the agent that a stub defines: a function of a game and a state; "" if it defines none.

    >>> agent_of("def rule(game, state): ..."), agent_of("def wins(state): ...")
    ('rule', '')
    """
    for statement in ast.parse(stub).body:
        if isinstance(statement, ast.FunctionDef) and [each.arg for each in statement.args.args] == ["game", "state"]:
            return statement.name
    return ""


def exercise_of(cell: dict) -> str:
    """The exercise whose stub a cell is; "" if it is none."""
    return cell["metadata"].get("coinlib", {}).get("exercise", "")


def whys(app, notebook: dict) -> dict[str, str]:
    """Why each exercise of a notebook cannot be written on its page: "" where it can; nothing without Python."""
    names = filter(None, map(exercise_of, notebook["cells"]))
    return {name: app.recordings[name]["why_not"] for name in names if name in app.recordings}


def is_lesson(app, docname: str) -> bool:
    """Whether a page was made of a notebook."""
    return docname in app.env.found_docs and app.env.doc2path(docname).suffix == ".ipynb"


def lesson_of(docname: str) -> str:
    """The lesson or project of which a page was made: "04_hats", "projects/networks"."""
    return docname.removeprefix("notebooks/")


def lives_on(app, docname: str) -> bool:
    """Whether an exercise can be written on a page."""
    if not is_lesson(app, docname):
        return False
    notebook = json.loads(Path(app.env.doc2path(docname)).read_text("utf-8"))
    return "" in whys(app, notebook).values()


# --- Sphinx


def begin(app, env, docnames: list[str]) -> None:
    """Fetch Pyodide, if it is wanted, and record what the judge knows of the exercises of this book."""
    app.python_files = None
    app.python_missing = ""
    app.recordings = {}
    if not app.config.python_in_page:
        return
    try:
        app.python_files = fetched(app.config.pyodide, app.config.pyodide_hash)
    except NotHere as reason:
        app.python_missing = str(reason)
        return
    for docname in sorted(env.found_docs):
        if is_lesson(app, docname):
            app.recordings |= recording.record_lesson(lesson_of(docname), bool(app.config.solutions))


def add_scripts(app, docname: str, template: str, context: dict, doctree) -> None:
    """Add the scripts of the exercises to the pages on which one can be written."""
    if lives_on(app, docname):
        for name in SCRIPTS:
            app.add_js_file(name, loading_method="defer")


def write_scripts(app, exception: Exception | None) -> None:
    """Write Python, and a script for each lesson."""
    if exception is not None:
        return
    if app.python_missing:
        log.info("No code can be written in this book, because %s.", app.python_missing)
    if not app.python_files:
        return
    static = Path(app.outdir) / "_static"
    (static / "python.js").write_text(python_script(app.python_files), "utf-8")
    folder = static / "exercises"
    for docname in app.env.found_docs:
        if lives_on(app, docname):
            notebook = Path(app.env.doc2path(docname)).read_bytes()
            living = [name for name, why in whys(app, json.loads(notebook)).items() if not why]
            recordings = {name: app.recordings[name] for name in living}
            script = folder / f"{lesson_of(docname)}.js"
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_text(lesson_script(notebook, recordings), "utf-8")


def setup(app) -> dict:
    """Called by Sphinx."""
    app.add_config_value("python_in_page", True, "env")
    app.add_config_value("pyodide", "", "env")
    app.add_config_value("pyodide_hash", "", "env")
    app.add_css_file("python_page.css")
    app.connect("env-before-read-docs", begin)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
