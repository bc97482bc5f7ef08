"""Opening the course: where it lies, the student's copies of the lessons, JupyterLab.

A student works on copies in `my-notebooks/`, which git does not see. What was handed out is noted
there, so that a later version of a lesson replaces a copy only where the student has written nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from coinlib.arguments import shown
from coinlib.files import whole_file

COPIES = "my-notebooks"
NOTE = ".handed-out.json"  # in the folder of copies: the fingerprint of each lesson as it was handed out
SETTINGS = Path(__file__).resolve().parent / "jupyter"  # what JupyterLab finds here: see lab_environment
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}  # no version: it differs from machine to machine
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FIGURE = "image/png"


class CourseError(Exception):
    """Something about the course's folders or tools that the person at the keyboard can mend."""


# Where things are


def _is_checkout(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    return project.is_file() and '[project]\nname = "coinlib"\n' in project.read_text(encoding="utf-8")


def home(start: Path | None = None) -> Path:
    """Find the folder that holds the whole course.

    Parameters
    ----------
    start : Path, optional
        Where to begin (default: the current folder). The search goes upwards from here,
        then from where this package itself lies.

    Returns
    -------
    Path
        The folder with `pyproject.toml`, `notebooks/` and `data/`.

    Examples
    --------
    >>> (home() / "coincourse" / "course.py").exists()
    True
    """
    start = (start or Path.cwd()).resolve()
    package = Path(__file__).resolve().parent
    for folder in (start, *start.parents, package.parent):
        if _is_checkout(folder):
            return folder
    raise CourseError(f"{start} is not inside the course. Go to the folder that you cloned, then try again.")


def data(name: str = "") -> Path:
    """The path of a file in `data/`, from whichever folder a notebook runs.

    Parameters
    ----------
    name : str
        The name of the file; without it, the folder itself is meant.

    Returns
    -------
    Path
        An absolute path of something that exists.

    Examples
    --------
    >>> data("planets.csv")
    Traceback (most recent call last):
    ...
    coincourse.course.CourseError: data/ holds no 'planets.csv'...
    """
    folder = home() / "data"
    if (folder / name).exists():
        return folder / name
    there = ", ".join(sorted(file.name for file in folder.glob("*")))
    raise CourseError(f"data/ holds no {shown(name)}. It holds: {there or 'nothing'}.")


def originals(folder: Path) -> Path:
    """The course's own lessons: `notebooks/` in the checkout `folder`."""
    lessons = folder / "notebooks"
    if not any(lessons.glob("*.ipynb")):
        raise CourseError(f"{lessons} is missing, or holds no lessons. `git restore notebooks` brings them back.")
    return lessons


def copies(folder: Path) -> Path:
    """Where the student's copies of the lessons lie: in the checkout `folder`.

    Where nobody may write there, as in a computer room that shares a checkout, they lie in the home folder.
    """
    inside, own = folder / COPIES, own_folder()
    if own is None or os.access(inside if inside.exists() else folder, os.W_OK):
        return inside
    return own / COPIES


def own_folder() -> Path | None:
    """The home folder, if there is one that may be written."""
    try:
        own = Path.home()
    except RuntimeError:  # nobody knows who this is
        return None
    return own if own.is_dir() and os.access(own, os.W_OK) else None


def notebooks(folder: Path) -> list[Path]:
    """The names of all notebooks in `folder`, in the order of the course, relative to it."""
    return [name for name in _files(folder) if name.suffix == ".ipynb"]


def _files(folder: Path) -> Iterator[Path]:
    """Every file under `folder` that is not hidden, as a path relative to it."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if file.is_file() and not any(part.startswith((".", "__pycache__")) for part in name.parts):
            yield name


def find_lesson(lessons: Path, wanted: str) -> Path:
    """Find a lesson by its number or its name.

    Parameters
    ----------
    lessons : Path
        A folder of notebooks.
    wanted : str
        Such as "4", "04", "04_hats" or "04_hats.ipynb", with or without a folder before it.

    Returns
    -------
    Path
        The one notebook that is meant, relative to `lessons`.
    """
    names = notebooks(lessons)
    stem = re.split(r"[/\\]", wanted)[-1].removesuffix(".ipynb")
    number = stem.zfill(2) if stem.isdigit() else stem
    found = [name for name in names if name.stem == stem or name.stem.replace("-", "_").split("_")[0] == number]
    if len(found) == 1:
        return found[0]
    many = "Several lessons are" if found else "No lesson is"
    raise CourseError(f"{many} called {shown(wanted)}. There are: {', '.join(name.stem for name in names)}.")


# The student's copies


def fingerprint(file: Path) -> str:
    """A short text that changes when somebody writes in a file.

    For a notebook only the words count: what the cells say, in which order. Running it, folding a cell,
    or the empty cell that JupyterLab adds at the end are not changes.

    Parameters
    ----------
    file : Path
        A notebook, or any other file (then every byte counts).

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    content = file.read_bytes()
    if file.suffix == ".ipynb":
        with contextlib.suppress(ValueError, KeyError, TypeError):  # unreadable: every byte counts
            cells = [(cell["cell_type"], "".join(cell["source"]).strip()) for cell in json.loads(content)["cells"]]
            content = json.dumps([cell for cell in cells if cell[1]]).encode()
    return hashlib.sha256(content).hexdigest()


def _as_handed_out(original: Path) -> bytes:
    """What a copy of a file begins with; a lesson has no outputs, so that no answer stands under a prediction."""
    if original.suffix != ".ipynb":
        return original.read_bytes()
    notebook = json.loads(original.read_bytes())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; a full disk, or a folder without rights, is said in words."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as half:
            half.write_bytes(content)
    except OSError as error:
        raise CourseError(f"{path} cannot be written: {error.strerror}. Nothing that you wrote is lost.") from error


def _read_note(copies: Path) -> dict[str, str]:
    try:
        return dict(json.loads((copies / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}  # then every copy that differs counts as the student's own work


def _write_note(copies: Path, note: dict[str, str]) -> None:
    write(copies / NOTE, (json.dumps(note, indent=1, sort_keys=True) + "\n").encode())


def hand_out(folder: Path) -> list[str]:
    """Give the student a copy of every lesson, and never overwrite work.

    A lesson that is missing among the copies is added. A copy in which the student has written nothing
    is replaced when the lesson has a new version. A copy in which something was written stays as it is.

    Parameters
    ----------
    folder : Path
        The checkout, as `home()` finds it.

    Returns
    -------
    list of str
        One line for each lesson about which there is something to say.
    """
    lessons, mine, lines = originals(folder), copies(folder), []
    first_time, note = not mine.exists(), _read_note(mine)
    noted = dict(note)
    for name in _files(lessons):
        original, copy, key = lessons / name, mine / name, name.as_posix()
        words = fingerprint(original)
        found = fingerprint(copy) if copy.exists() else None
        if found in (None, noted.get(key)) and found != words:  # nothing of the student's is there
            write(copy, _as_handed_out(original))
            lines.append(f"{key}: {'new' if found is None else 'brought up to date'}.")
        elif found != words != noted.get(key):
            ask = f"`coinlib reset {name.stem}` gives you the new one and keeps yours beside it"
            lines.append(f"{key}: there is a newer version, but you have written in yours; {ask}.")
            continue
        note[key] = words
    for gone in [key for key in note if not (lessons / key).exists()]:
        lines.append(f"{gone}: the course has no lesson of this name any more; your copy stays as it is.")
        del note[gone]
    if note != noted:  # otherwise a full disk is no reason not to open the course
        _write_note(mine, note)
    return [f"Your copies of the lessons are in {mine}."] if first_time else lines


def reset(folder: Path, wanted: str) -> list[str]:
    """Give back one lesson as the course has it now; what the student wrote is kept under another name.

    Parameters
    ----------
    folder : Path
        The checkout, as `home()` finds it.
    wanted : str
        The lesson's number or name, as in `find_lesson`.

    Returns
    -------
    list of str
        What was done, in words.
    """
    lessons, mine = originals(folder), copies(folder)
    name = find_lesson(lessons, wanted)
    original, copy, lines = lessons / name, mine / name, []
    if copy.exists() and fingerprint(copy) != fingerprint(original):
        kept = _unused_name(copy)
        write(kept, copy.read_bytes())
        lines.append(f"What you wrote is kept as {COPIES}/{kept.relative_to(mine).as_posix()}.")
    write(copy, _as_handed_out(original))
    _write_note(mine, _read_note(mine) | {name.as_posix(): fingerprint(original)})
    return [*lines, f"{COPIES}/{name.as_posix()} is as it was handed out."]


def _unused_name(copy: Path) -> Path:
    others = (copy.with_name(f"{copy.stem}-mine-{number}{copy.suffix}") for number in itertools.count(1))
    return next(other for other in others if not other.exists())


# JupyterLab


def lab_command(root: Path, lesson: str, port: int | None = None, browser: bool = True) -> list[str]:
    """The words that start JupyterLab at a lesson.

    Parameters
    ----------
    root : Path
        The folder that JupyterLab shows.
    lesson : str
        What to open, relative to `root`, with forward slashes.
    port : int, optional
        Where it listens (default: the first free port from 8888 on).
    browser : bool
        Whether JupyterLab opens the browser itself.
    """
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{lesson}",
        "--Application.log_level=WARN",
        "--allow-root",  # who is root, as in many containers, needs leave
    ]
    listen = [f"--port={port}", "--ServerApp.port_retries=0"] if port else []
    return command + listen + ["--no-browser"] * (not browser)


def open_lab(root: Path, lesson: str, port: int | None = None, browser: bool = True) -> None:
    """Run JupyterLab until it is stopped.

    Parameters are those of `lab_command`.
    """
    code = "from coincourse.course import compile_ahead; compile_ahead()"
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], **quiet) as ahead:  # while lesson 00 is being read
        status = _run_until_stopped(lab_command(root, lesson, port, browser))
        ahead.terminate()
    if status not in (0, -signal.SIGTERM):
        raise CourseError(f"JupyterLab could not start or stopped with an error (status {status}); see above.")


def compile_ahead() -> None:
    """Compile the loops that the lessons need, so that no cell has to wait for it; they are kept on disk."""
    import numpy as np

    from coinlib import QLearner, RandomAgent, greedy_margin, loops, minimax, solve, solve_greedy, sticks, theory, train

    game = sticks(3)
    train(QLearner(game), RandomAgent(), games=1, seed=1)
    minimax(game)
    solve(game)
    solve_greedy([1, 2])
    greedy_margin([1, 2])
    loops.margin_by_diagonals(np.array([1, 2]), np.array([1, 2]))
    theory.period({1}, misere=False)
    theory.splitting_values(3)


def lab_environment() -> dict[str, str]:
    """Our environment, in which JupyterLab also finds the course's settings and its extension.

    The settings (no news, no questions about updates) are defaults: what students choose for themselves
    in JupyterLab comes first. The extension gives figures and sliders the names that screen readers say,
    and lets a lab keep the keys that are pressed in it.
    """
    paths = ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH")
    return os.environ | {name: os.pathsep.join(filter(None, [str(SETTINGS), os.environ.get(name)])) for name in paths}


def _run_until_stopped(command: list[str]) -> int:
    """Run a program that is asked to stop by Ctrl-C or a signal sent to us, and return its status."""
    with tempfile.TemporaryDirectory(prefix="coinlib-", ignore_cleanup_errors=True) as folder:
        # Jupyter, IPython and Matplotlib do not start, or complain, where they can write nowhere
        own = {} if own_folder() else {"HOME": folder, "USERPROFILE": folder}
        process = subprocess.Popen(command, env=lab_environment() | own)
        # Ctrl-C reaches the program as well, and it is the one that answers
        answers = {signal.SIGINT: lambda *_: None, signal.SIGTERM: lambda *_: process.terminate()}
        before = {number: signal.signal(number, answer) for number, answer in answers.items()}
        status = process.wait()
        for number, answer in before.items():
            signal.signal(number, answer)
    return status


# For authors


def execute(path: Path, seconds: int = 300) -> bool:
    """Run a notebook from the top and store it with its outputs, tidied.

    Parameters
    ----------
    path : Path
        The notebook; it runs in its own folder and is written back in place.
    seconds : int
        How long one cell may take.

    Returns
    -------
    bool
        Whether the file has changed. It is left as it was where a cell fails.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=seconds,
        kernel_name=KERNEL["name"],
        resources={"metadata": {"path": str(path.resolve().parent)}},
        coalesce_streams=True,
        extra_arguments=["--Application.log_level=ERROR"],  # no warnings about the kernel itself
    )
    try:
        client.execute(env=os.environ | {"TQDM_DISABLE": "1"})  # no bar that only a slow machine would show
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        words = str(error).strip()  # of time, or of a kernel that died
        if isinstance(error, CellExecutionError):
            words = f"a cell failed with {error.ename}: {error.evalue}"
        raise CourseError(f"{path.name}: {words.splitlines()[0].rstrip('.')}. The file is left as it was.") from error
    tidy(notebook)
    after = as_text(notebook)
    if after != before:
        write(path, after.encode())
    return after != before


def as_text(notebook) -> str:
    """What the file of a notebook (an `nbformat.NotebookNode`) holds: always the same for the same notebook."""
    import nbformat

    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def tidy(notebook) -> None:
    """Bring an executed notebook into the one form in which the course keeps its notebooks.

    What differs from run to run without meaning anything is removed: the state and the identity of
    live widgets, the times of cells, the release of Python, random names of cells. Cells tagged
    `solution` are folded. The stub of an exercise gets the exercise's name. The alternative text of a figure, which its author writes into the
    metadata of the cell, is copied to where Jupyter's own tools look for it.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        A notebook of format 4; it is changed in place.
    """
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata.clear()
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info=dict(LANGUAGE))
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number:02}"
        cell.source = cell.source.strip("\n")
        for passing in ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted"):
            cell.metadata.pop(passing, None)
        if "solution" in cell.metadata.get("tags", ()):
            cell.metadata["jupyter"] = {**cell.metadata.get("jupyter", {}), "source_hidden": True}
        elif exercise := exercise_of_stub(cell):
            cell.metadata["coinlib"] = {**cell.metadata.get("coinlib", {}), "exercise": exercise}
        for output in cell.get("outputs", []):
            # its name is that of an object that is gone: a page would show an error in its place
            output.get("data", {}).pop(WIDGET_VIEW, None)
            if FIGURE in output.get("data", {}) and (words := alternative_text(cell)):
                output.metadata.setdefault(FIGURE, {})["alt"] = words


def exercise_of_stub(cell) -> str:
    """The exercise whose stub a cell is; "" if it is none.

    A stub is a cell of code without the tag `solution`, whose last line hands a name to a check. Whoever needs to know
    the exercise reads it in the metadata of the cell: ``{"coinlib": {"exercise": "settle"}}``.

    Parameters
    ----------
    cell : nbformat.NotebookNode
    """
    if cell.cell_type != "code" or "solution" in cell.metadata.get("tags", ()):
        return ""
    call = re.search(r"^check\.(\w+)\(\w+\)\s*\Z", cell.source, re.MULTILINE)
    return call[1] if call else ""


def alternative_text(cell) -> str:
    """What the figure of a cell shows, in words: for readers who do not see it, and where it cannot be loaded.

    It stands in the metadata of the cell, where the web book looks for it:
    ``{"mystnb": {"image": {"alt": "..."}}}``.

    Parameters
    ----------
    cell : nbformat.NotebookNode

    Returns
    -------
    str
        Empty where nobody has written it.
    """
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def meant(wanted: Iterable[str] = ()) -> list[Path]:
    """The notebooks that an author means.

    Parameters
    ----------
    wanted : iterable of str
        Paths of notebooks, or numbers or names of lessons. None at all means every lesson.
    """
    lessons = originals(home())
    paths = [Path(name) if Path(name).is_file() else lessons / find_lesson(lessons, name) for name in wanted]
    return paths or [lessons / name for name in notebooks(lessons)]
