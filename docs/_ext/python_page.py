"""Exercises that are written in the book: Python runs on the page, with the judge and what it needs.

Three values of `conf.py` are read here. `python_in_page`: False leaves Python out. `pyodide` and
`pyodide_hash`: the release of Pyodide, which is Python for browsers, and the hash of its package. npm fetches
it when the book is built. If that fails, the book is built without Python, and the build says so.

A page that was opened as a file cannot read other files. So everything comes as scripts: `python.js` for the
whole book and one script for each lesson. A page loads them when a reader first presses a button.
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
from dataclasses import asdict
from html import escape
from pathlib import Path

from sphinx.util import logging

from coincourse.course.copies import without_solutions
from coincourse.page.record_exercises import page_modules, record_lesson
from coincourse.page.recorded_exercise import RecordedExercise

WORKER = Path(__file__).with_name("python_worker.js")
LOCK = "pyodide-lock.json"
FETCHED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK]
SCRIPTS = ["python_host.js", "python_editor.js", "python_page.js"]
PATIENCE = 120  # seconds for npm

log = logging.getLogger(__name__)


class NotHere(Exception):
    """Pyodide cannot be fetched; the message says why."""


# --- what is fetched


def fetch_pyodide(release: str, expected: str) -> dict[str, bytes]:
    """The files of a release of Pyodide; raises NotHere if they cannot be fetched."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotHere("npm was not found")
    with tempfile.TemporaryDirectory() as folder:
        # npm caches what it has fetched.
        options = ["--prefer-offline", "--fetch-retries=0", "--loglevel=error", f"--pack-destination={folder}"]
        command = [npm, "pack", f"pyodide@{release}", *options]
        try:
            done = subprocess.run(command, check=False, cwd=folder, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise NotHere("npm took too long") from None
        packages = list(Path(folder).glob("*.tgz"))
        if done.returncode or not packages:
            raise NotHere(f"npm could not fetch pyodide@{release}")
        package = packages[0].read_bytes()
    found = base64.b64encode(hashlib.sha512(package).digest()).decode()
    if found != expected:
        raise NotHere(f"pyodide@{release} does not have the hash that conf.py names")
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        return {name: files.extractfile(f"package/{name}").read() for name in FETCHED}


# --- what is written


def python_script(files: dict[str, bytes]) -> str:
    """The script that contains Python, the worker that it runs in, and the modules of the course."""
    packed = {}
    for name, content in files.items():
        if name != LOCK:
            packed[name] = base64.b64encode(gzip.compress(content, mtime=0)).decode()
    # The lock file names the version of Python; the book has none of the packages in it.
    lock = {"info": json.loads(files[LOCK])["info"], "packages": {}}
    python = {"files": packed, "lock": lock, "modules": page_modules(), "worker": WORKER.read_text("utf-8")}
    return f"window.PYTHON = {json.dumps(python)};\n"


def lesson_script(notebook: bytes, exercises: dict[str, RecordedExercise]) -> str:
    """The script of a lesson: its recorded exercises, and the students' copy of the notebook."""
    recorded = {name: asdict(exercise) for name, exercise in exercises.items()}
    lesson = {"exercises": recorded, "notebook": json.loads(without_solutions(notebook))}
    return f"window.LESSON = {json.dumps(lesson, ensure_ascii=False, separators=(',', ':'))};\n"


# --- an exercise on its page


def place_of(exercise: str, stub: str) -> str:
    """The place of an exercise's editor, as HTML; `data-agent` names a function that can play on a board."""
    source = escape(stub).replace("\n", "&#10;")
    agent = f' data-agent="{agent_of(stub)}"' if agent_of(stub) else ""
    return f'<div class="write" data-exercise="{exercise}"{agent} data-stub="{source}"></div>'


def agent_of(stub: str) -> str:
    """The name of the agent that a stub defines, a function of a game and a state; "" if there is none.

    >>> agent_of("def rule(game, state): ..."), agent_of("def wins(state): ...")
    ('rule', '')
    """
    for statement in ast.parse(stub).body:
        if isinstance(statement, ast.FunctionDef) and [each.arg for each in statement.args.args] == ["game", "state"]:
            return statement.name
    return ""


def exercise_of(cell: dict) -> str:
    """The exercise whose stub is in a cell; "" if there is none."""
    return cell["metadata"].get("coinlib", {}).get("exercise", "")


def reasons_against(app, notebook: dict) -> dict[str, str]:
    """Why each exercise in a notebook cannot be done on its page, "" if it can; empty in a book without Python."""
    names = filter(None, map(exercise_of, notebook["cells"]))
    return {name: app.exercises[name].why_not for name in names if name in app.exercises}


def is_lesson(app, docname: str) -> bool:
    """Whether a page is made from a notebook."""
    return docname in app.env.found_docs and app.env.doc2path(docname).suffix == ".ipynb"


def lesson_of(docname: str) -> str:
    """The lesson or project that a page is made from: "04_hats", "projects/networks"."""
    return docname.removeprefix("notebooks/")


def has_editors(app, docname: str) -> bool:
    """Whether an exercise can be written on a page."""
    if not is_lesson(app, docname):
        return False
    notebook = json.loads(Path(app.env.doc2path(docname)).read_text("utf-8"))
    return "" in reasons_against(app, notebook).values()


# --- Sphinx


def begin(app, env, docnames: list[str]) -> None:
    """Fetch Pyodide, if it is wanted, and record the exercises of this book."""
    app.python_files = None
    app.python_missing = ""
    app.exercises = {}
    if not app.config.python_in_page:
        return
    try:
        app.python_files = fetch_pyodide(app.config.pyodide, app.config.pyodide_hash)
    except NotHere as reason:
        app.python_missing = str(reason)
        return
    for docname in sorted(env.found_docs):
        if is_lesson(app, docname):
            app.exercises |= record_lesson(lesson_of(docname), bool(app.config.solutions))


def add_scripts(app, docname: str, template: str, context: dict, doctree) -> None:
    """Add the scripts of the exercises to the pages on which one can be written."""
    if has_editors(app, docname):
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
        if has_editors(app, docname):
            notebook = Path(app.env.doc2path(docname)).read_bytes()
            reasons = reasons_against(app, json.loads(notebook))
            exercises = {name: app.exercises[name] for name, why_not in reasons.items() if not why_not}
            script = folder / f"{lesson_of(docname)}.js"
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_text(lesson_script(notebook, exercises), "utf-8")


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
