"""Opening the course: where it lies, the student's copies of the lessons, JupyterLab.

A student works on copies in `my-notebooks/`, which git does not see. What was handed out is noted
there, so that a later version of a lesson replaces a copy only where the student has written nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from coinlib.arguments import sequence, shown, whole_number
from coinlib.files import whole_file

COPIES = "my-notebooks"
NOTE = ".handed-out.json"  # in the folder of copies: what each lesson looked like when it was handed out
SETTINGS = Path(__file__).resolve().parent / "jupyter"  # what JupyterLab finds here: see lab_environment
PORTS = range(8888, 8988)
PORT_AT_MOST = 65535
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}  # no version: it differs from machine to machine
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FIGURE = "image/png"


class CourseError(Exception):
    """Something about the course's folders or tools that the person at the keyboard can mend."""


# Where things are


def _is_checkout(folder: Path) -> bool:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return project.get("project", {}).get("name") == "coinlib"


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

    Raises
    ------
    TypeError, ValueError
        If `start` is no path.
    CourseError
        If neither place belongs to a checkout of the course.

    Examples
    --------
    >>> (home() / "coincourse" / "course.py").exists()
    True
    """
    start = (Path.cwd() if start is None else Path(start)).resolve()
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

    Raises
    ------
    TypeError, ValueError
        If `name` can be no name of a file.
    CourseError
        If there is no such file; the message lists the files that are there.

    Examples
    --------
    >>> data("planets.csv")
    Traceback (most recent call last):
    ...
    coincourse.course.CourseError: data/ holds no 'planets.csv'...
    """
    folder = home() / "data"
    path = folder if isinstance(name, str) and not name else folder / Path(name)
    with contextlib.suppress(OSError):  # a name that is too long
        if path.exists():
            return path
    there = sorted(file.name for file in folder.glob("*")) if folder.is_dir() else []
    raise CourseError(f"data/ holds no {shown(name)}. It holds: {', '.join(there) or 'nothing'}.")


def originals(folder: Path) -> Path:
    """The course's own lessons: `notebooks/` in the checkout `folder`.

    Raises
    ------
    TypeError, ValueError
        If `folder` is no path.
    CourseError
        If the folder is missing or holds no notebook.
    """
    lessons = Path(folder) / "notebooks"
    if not lessons.is_dir():
        raise CourseError(f"The folder notebooks/ is missing from {folder}. `git restore notebooks` brings it back.")
    if not any(lessons.glob("*.ipynb")):
        raise CourseError(f"The folder {lessons} holds no lessons. `git restore notebooks` brings them back.")
    return lessons


def copies(folder: Path) -> Path:
    """Where the student's copies of the lessons lie: in the checkout `folder`.

    Where nobody may write there, as in a computer room that shares a checkout, they lie in the home folder.

    Raises
    ------
    TypeError, ValueError
        If `folder` is no path.
    """
    folder = Path(folder)
    inside, own = folder / COPIES, _own_folder()
    if own is None or os.access(inside if inside.exists() else folder, os.W_OK):
        return inside
    return own / COPIES


def _own_folder() -> Path | None:
    """The home folder, if there is one that may be written."""
    try:
        own = Path.home()
    except RuntimeError:  # nobody knows who this is
        return None
    return own if own.is_dir() and os.access(own, os.W_OK) else None


def notebooks(folder: Path) -> list[Path]:
    """The names of all notebooks in `folder`, in the order of the course, relative to it.

    Raises
    ------
    TypeError, ValueError
        If `folder` is no path.
    """
    return [name for name in _files(Path(folder)) if name.suffix == ".ipynb"]


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

    Raises
    ------
    TypeError, ValueError
        If `file` is no path.
    OSError
        If it cannot be read.
    """
    file = Path(file)
    content = file.read_bytes()
    if file.suffix == ".ipynb":
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):  # unreadable: every byte counts
            cells = [(cell["cell_type"], "".join(cell["source"]).strip()) for cell in json.loads(content)["cells"]]
            content = json.dumps([cell for cell in cells if cell[1]]).encode()
    return hashlib.sha256(content).hexdigest()


def _bytes_mark(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """Every file under `folder` that is not hidden, as a path relative to it."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if file.is_file() and not any(part.startswith((".", "__pycache__")) for part in name.parts):
            yield name


def _read_note(copies: Path) -> dict[str, dict[str, str]]:
    try:
        note = json.loads((copies / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # then every copy that differs counts as the student's own work
    return note if isinstance(note, dict) else {}


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as half:
        half.write_bytes(content)


def _copy(original: Path, copy: Path) -> None:
    """Copy a file of the course; a lesson without its outputs, so that no answer stands under a prediction."""
    _write(copy, _as_handed_out(original))


def _as_handed_out(original: Path) -> bytes:
    content = original.read_bytes()
    if original.suffix == ".ipynb":
        with contextlib.suppress(Exception):  # an unreadable notebook is handed out as it is
            content = _without_outputs(content)
    return content


def _without_outputs(content: bytes) -> bytes:
    """A notebook in which nothing has been run yet."""
    import nbformat

    notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return as_text(notebook).encode()


def _hand_out_one(original: Path, copy: Path, noted: dict[str, str] | None) -> tuple[dict[str, str] | None, str]:
    """Bring one copy up to date if nothing is lost; return its new note and what there is to say."""
    note = {"file": _bytes_mark(original), "words": fingerprint(original)}
    if not copy.exists():
        _copy(original, copy)
        return note, "new"
    if noted is not None and noted.get("file") == note["file"]:
        return noted, ""
    words = fingerprint(copy)
    if noted is not None and noted.get("words") == words:
        _copy(original, copy)
        return note, "brought up to date"
    if words == note["words"]:
        return note, ""
    return noted, "kept"


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

    Raises
    ------
    TypeError, ValueError
        If `folder` is no path.
    CourseError
        If the checkout has no lessons, or the copies cannot be written.
    """
    lessons, mine = originals(folder), copies(folder)
    first_time = not mine.exists()
    lines, note = [], _read_note(mine)
    noted = dict(note)
    try:
        for name in _files(lessons):
            key = name.as_posix()
            entry, news = _hand_out_one(lessons / name, mine / name, note.get(key))
            if entry is not None:
                note[key] = entry
            if news == "kept":
                ask = f"`coinlib reset {name.stem}` gives you the new one and keeps yours beside it"
                lines.append(f"{key}: there is a newer version, but you have written in yours; {ask}.")
            elif news and not first_time:
                lines.append(f"{key}: {news}.")
        if note != noted:  # otherwise a full disk is no reason not to open the course
            _write(mine / NOTE, (json.dumps(note, indent=1, sort_keys=True) + "\n").encode())
    except OSError as error:
        raise CourseError(
            f"Your copies of the lessons in {mine} cannot be written: {error.strerror}. Nothing that you wrote is lost. "
            "The course needs a folder in which you may write, on a disk that is not full."
        ) from error
    if first_time:
        lines.append(f"Your copies of the lessons are in {mine}.")
    return lines


def find_lesson(lessons: Path, wanted: str) -> Path:
    """Find a lesson by its number or its name.

    Parameters
    ----------
    lessons : Path
        A folder of notebooks.
    wanted : str
        Such as "4", "04", "04_hats" or "04_hats.ipynb".

    Returns
    -------
    Path
        The one notebook that is meant, relative to `lessons`.

    Raises
    ------
    TypeError, ValueError
        If `lessons` is no path, or `wanted` is no text.
    CourseError
        If no lesson or several have that name; the message lists those that there are.
    """
    names = notebooks(Path(lessons))
    if not isinstance(wanted, str):
        raise TypeError(f"wanted: expected the number or the name of a lesson, got {shown(wanted)}")
    stem = Path(wanted.replace("\\", "/")).name.removesuffix(".ipynb")  # on any system as it is written on any other
    number = stem.zfill(2) if stem.isdigit() else stem
    found = [name for name in names if name.stem == stem or name.stem.replace("-", "_").split("_")[0] == number]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(name.stem for name in names)
    raise CourseError(
        f"{'Several lessons are' if found else 'No lesson is'} called {shown(wanted)}. There are: {listed}."
    )


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

    Raises
    ------
    TypeError, ValueError
        If `folder` is no path, or `wanted` is no text.
    CourseError
        If there is no such lesson, or the files cannot be written.
    """
    lessons, mine = originals(folder), copies(folder)
    name = find_lesson(lessons, wanted)
    original, copy, lines = lessons / name, mine / name, []
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(copy) as half:
            half.write_bytes(_as_handed_out(original))
            if copy.exists() and fingerprint(copy) != fingerprint(original):
                kept = _unused_name(copy)
                copy.rename(kept)  # not before there is something to put in its place
                lines.append(f"What you wrote is kept as {COPIES}/{kept.relative_to(mine).as_posix()}.")
        note = _read_note(mine)
        note[name.as_posix()] = {"file": _bytes_mark(original), "words": fingerprint(original)}
        _write(mine / NOTE, (json.dumps(note, indent=1, sort_keys=True) + "\n").encode())
    except OSError as error:
        raise CourseError(f"{copy} cannot be written: {error.strerror}. Nothing that you wrote is lost.") from error
    return [*lines, f"{COPIES}/{name.as_posix()} is as it was handed out."]


def _unused_name(copy: Path) -> Path:
    number = 1
    while (other := copy.with_name(f"{copy.stem}-mine-{number}{copy.suffix}")).exists():
        number += 1
    return other


# JupyterLab


def port_is_free(port: int) -> bool:
    """Whether a server can listen on `port` of this machine's own address; TypeError or ValueError if it is no port."""
    port = whole_number(port, "port", least=1, most=PORT_AT_MOST)
    with socket.socket() as probe:
        if os.name == "posix":  # a port that was closed a moment ago counts as free there
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def choose_port(asked: int | None = None) -> int:
    """The port that was asked for, or the first free one from 8888 on.

    Raises
    ------
    CourseError
        If the port is no port, or something else listens there already.
    """
    if asked is None:
        free = next(filter(port_is_free, PORTS), None)
        if free is None:
            raise CourseError(f"All ports from {PORTS[0]} to {PORTS[-1]} are taken. Choose one with --port.")
        return free
    try:
        asked = whole_number(asked, "port", least=1, most=PORT_AT_MOST)
    except (TypeError, ValueError):
        raise CourseError(f"A port is a number from 1 to {PORT_AT_MOST}, not {shown(asked)}.") from None
    if not port_is_free(asked):
        raise CourseError(
            f"Port {asked} is taken: perhaps JupyterLab is open already, or you may not use this port. "
            "Choose another with --port, or leave --port out."
        )
    return asked


def is_root() -> bool:
    """Whether this program runs as root, as it does in many containers."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def lab_command(root: Path, lesson: str, port: int, browser: bool = True) -> list[str]:
    """The words that start JupyterLab at a lesson.

    Parameters
    ----------
    root : Path
        The folder that JupyterLab shows.
    lesson : str
        What to open, relative to `root`, with forward slashes.
    port : int
    browser : bool
        Whether JupyterLab opens the browser itself.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of these.
    """
    if not isinstance(lesson, str):
        raise TypeError(f"lesson: expected the path of a lesson as text, got {shown(lesson)}")
    root = Path(root)
    port = whole_number(port, "port", least=1, most=PORT_AT_MOST)
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{lesson}",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--Application.log_level=WARN",
    ]
    return command + ["--no-browser"] * (not browser) + ["--allow-root"] * is_root()


def open_lab(root: Path, lesson: str, port: int, browser: bool = True) -> None:
    """Run JupyterLab until it is stopped.

    Parameters are those of `lab_command`.

    Raises
    ------
    CourseError
        If JupyterLab is not installed or ends with an error.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise CourseError("JupyterLab is not installed here. `uv run coinlib lab` or `pip install -e .` installs it.")
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

    from coinlib import loops
    from coinlib.agents import RandomAgent
    from coinlib.arena import train
    from coinlib.games import sticks
    from coinlib.learners import QLearner
    from coinlib.solvers import greedy_margin, minimax, solve, solve_greedy

    game = sticks(3)
    train(QLearner(game), RandomAgent(), games=1, seed=1)
    minimax(game)
    solve(game)
    solve_greedy([1, 2])
    greedy_margin([1, 2])
    loops.margin_by_diagonals(np.array([1, 2]), np.array([1, 2]))


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
    with _settings_folders() as folders:
        return _wait(subprocess.Popen(command, env=lab_environment() | folders))


def settings_can_be_kept() -> bool:
    """Whether there is a home folder in which JupyterLab can keep its settings."""
    return _own_folder() is not None


@contextlib.contextmanager
def _settings_folders() -> Iterator[dict[str, str]]:
    """Variables that name folders for Jupyter, IPython and Matplotlib where there is no home for them.

    They do not start, or complain, when they can write nowhere. The folders are removed at the end.
    """
    if settings_can_be_kept():
        yield {}
        return
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
    with tempfile.TemporaryDirectory(prefix="coinlib-", ignore_cleanup_errors=True) as folder:
        yield {name: os.environ.get(name, os.path.join(folder, name.lower())) for name in names}


def _wait(process: subprocess.Popen) -> int:
    """Wait for a program that Ctrl-C stops as well; its status."""
    # Ctrl-C reaches the program as well, and it is the one that answers
    before = {signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None)}
    before[signal.SIGTERM] = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        return process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
        Whether the file has changed.

    Raises
    ------
    TypeError, ValueError
        If `path` is no path, or `seconds` is not a whole number above 0.
    CourseError
        If the file is no notebook, or a cell fails; the file is then left as it was.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    path, seconds = Path(path), whole_number(seconds, "seconds", least=1)
    before = _read_notebook_text(path)
    try:
        notebook = nbformat.reads(before, as_version=4)
    except Exception as error:
        raise CourseError(f"{path} is not a notebook: {error}") from error
    place = {"metadata": {"path": str(path.resolve().parent)}}
    client = NotebookClient(
        notebook,
        timeout=seconds,
        kernel_name=KERNEL["name"],
        resources=place,
        coalesce_streams=True,
        extra_arguments=["--Application.log_level=ERROR"],  # no warnings about the kernel itself
    )
    try:
        client.execute(env=os.environ | {"TQDM_DISABLE": "1"})  # no bar that only a slow machine would show
    except CellExecutionError as error:
        said = f"{error.ename}: {error.evalue}".splitlines()[0]
        raise CourseError(f"{path.name}: a cell failed with {said}. The file is left as it was.") from error
    except (CellTimeoutError, DeadKernelError) as error:
        said = str(error).strip().splitlines()[0]
        raise CourseError(f"{path.name}: {said} The file is left as it was.") from error
    tidy(notebook)
    after = as_text(notebook)
    if after != before:
        try:
            _write(path, after.encode())
        except OSError as error:
            raise CourseError(f"{path} cannot be written: {error.strerror}. The file is left as it was.") from error
    return after != before


def _read_notebook_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error


def as_text(notebook) -> str:
    """What the file of a notebook (an `nbformat.NotebookNode`) holds: always the same for the same notebook.

    Raises TypeError for anything else.
    """
    import nbformat

    _check_node(notebook, "notebook")
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def tidy(notebook) -> None:
    """Bring an executed notebook into the one form in which the course keeps its notebooks.

    What differs from run to run without meaning anything is removed: the state and the identity of
    live widgets, the times of cells, the release of Python, random names of cells. Cells tagged
    `solution` are folded. The alternative text of a figure, which its author writes into the
    metadata of the cell, is copied to where Jupyter's own tools look for it.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        A notebook of format 4; it is changed in place.

    Raises
    ------
    TypeError
        If it is no notebook.
    """
    _check_node(notebook, "notebook")
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata.clear()
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info=dict(LANGUAGE))
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number:02}"
        cell.source = cell.source.strip("\n")
        for passing in ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted"):
            cell.metadata.pop(passing, None)
        if cell.cell_type == "code":
            _tidy_code(cell)


def _tidy_code(cell) -> None:
    if "solution" in cell.metadata.get("tags", ()):
        cell.metadata["jupyter"] = {**cell.metadata.get("jupyter", {}), "source_hidden": True}
    for output in cell.outputs:
        # its name is that of an object that is gone: a page would show an error in its place
        output.get("data", {}).pop(WIDGET_VIEW, None)
        if FIGURE in output.get("data", {}) and (words := alternative_text(cell)):
            output.metadata.setdefault(FIGURE, {})["alt"] = words


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

    Raises
    ------
    TypeError
        If it is no cell.
    """
    _check_node(cell, "cell")
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def _check_node(node, what: str) -> None:
    """Raise TypeError for what nbformat has not read or made."""
    import nbformat

    if not isinstance(node, nbformat.NotebookNode):
        raise TypeError(f"{what}: expected an nbformat.NotebookNode, got {shown(node)}")


def meant(wanted: Iterable[str] = ()) -> list[Path]:
    """The notebooks that an author means.

    Parameters
    ----------
    wanted : iterable of str
        Paths of notebooks, or numbers or names of lessons. None at all means every lesson.

    Raises
    ------
    TypeError, ValueError
        If one of them can be no name.
    CourseError
        If one of them is neither a file nor a lesson.
    """
    listed = sequence(wanted, "wanted", "paths, numbers or names of lessons")
    files = {str(path): path for path in (Path(name) for name in listed)}
    if files and all(path.is_file() for path in files.values()):
        return list(files.values())  # no checkout is needed
    lessons = originals(home())
    if not files:
        return [lessons / name for name in notebooks(lessons)]
    return [path if path.is_file() else lessons / find_lesson(lessons, name) for name, path in files.items()]
