"""Commands for authors: execute a notebook, and store it in the course's standard form."""

import re
from collections.abc import Iterable
from pathlib import Path

from coincourse.course.jupyter import lab_environment
from coincourse.course.places import CourseError, find_lesson, home, notebooks, originals, write
from coincourse.course.solutions import is_solution

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}  # no version: it differs from machine to machine
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FIGURE = "image/png"
# Metadata that belongs to one run or one reader.
PASSING = ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted")


def selected_notebooks(names: Iterable[str] = ()) -> list[Path]:
    """Return the paths of the notebooks with these names.

    Parameters
    ----------
    names : iterable of str
        Paths of notebooks, or numbers or names of lessons (default: every lesson).
    """
    lessons = originals(home())
    paths = [Path(name) if Path(name).is_file() else lessons / find_lesson(lessons, name) for name in names]
    return paths or [lessons / path for path in notebooks(lessons)]


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
        Whether the file has changed. If a cell fails, the file is left unchanged.
    """
    import nbformat

    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    run(notebook, path, seconds)
    tidy(notebook)
    after = as_text(notebook)
    if after == before:
        return False
    write(path, after.encode())
    return True


def run(notebook, path: Path, seconds: int = 300) -> None:
    """Run a notebook from the top, and store the outputs in its cells.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Changed in place.
    path : Path
        Its file: the notebook runs in this file's folder, and error messages name it.
    seconds : int
        How long one cell may take.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    client = NotebookClient(
        notebook,
        timeout=seconds,
        kernel_name=KERNEL["name"],
        resources={"metadata": {"path": str(path.resolve().parent)}},
        coalesce_streams=True,
        extra_arguments=["--Application.log_level=ERROR"],  # no warnings about the kernel itself
    )
    try:
        client.execute(env=lab_environment() | {"TQDM_DISABLE": "1"})  # no bar, which only a slow machine shows
    except CellExecutionError as error:
        raise _unchanged(path, f"a cell failed with {error.ename}: {error.evalue}") from error
    except (CellTimeoutError, DeadKernelError) as error:
        raise _unchanged(path, str(error).strip()) from error


def _unchanged(path: Path, why: str) -> CourseError:
    """Return the error for a notebook that did not finish; the first line of `why` is the reason."""
    first = why.splitlines()[0].rstrip(".")
    return CourseError(f"{path.name}: {first}. The file is unchanged.")


def as_text(notebook) -> str:
    """Return the text of a notebook's file; equal notebooks give equal texts."""
    import nbformat

    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def tidy(notebook) -> None:
    """Bring an executed notebook into the standard form of the course.

    Meaningless differences between runs are removed: the state and identity of live widgets,
    cell times, the Python version, random cell ids. The stub of an exercise gets the
    exercise's name. A figure's alternative text, which its author writes in the metadata of the
    cell, is copied to where Jupyter's own tools look for it.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        A notebook of format 4; it is changed in place.
    """
    notebook.nbformat = 4
    notebook.nbformat_minor = 5
    notebook.metadata.clear()
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info=dict(LANGUAGE))
    last_exercise = ""
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number:02}"
        cell.source = cell.source.strip("\n")
        for name in PASSING:
            cell.metadata.pop(name, None)
        ours = cell.metadata.pop("coinlib", {})
        ours.pop("exercise", None)
        if exercise := exercise_of_stub(cell):
            ours["exercise"] = exercise
            last_exercise = exercise
        elif is_solution(cell) and last_exercise:
            ours.setdefault("solution", last_exercise)
        if ours:
            cell.metadata["coinlib"] = ours
        for output in cell.get("outputs", []):
            _tidy_output(output, alternative_text(cell))


def exercise_of_stub(cell) -> str:
    """Return the name of the exercise if the cell is a stub, otherwise "".

    A stub is a code cell whose last line passes a name to a check. Other programs read its name
    from the cell's metadata: ``{"coinlib": {"exercise": "settle"}}``.

    Parameters
    ----------
    cell : nbformat.NotebookNode
    """
    if cell.cell_type != "code":
        return ""
    call = re.search(r"^check\.(\w+)\(\w+\)\s*\Z", cell.source, re.MULTILINE)
    return call[1] if call else ""


def _tidy_output(output, words: str) -> None:
    """Remove the view of a widget; give a figure its alternative text."""
    shown = output.get("data", {})
    # The view refers to an object that disappeared with its kernel: a page would show an error instead.
    shown.pop(WIDGET_VIEW, None)
    if FIGURE in shown and words:
        output.metadata.setdefault(FIGURE, {})["alt"] = words


def alternative_text(cell) -> str:
    """Return the alternative text of a cell's figure, for readers who cannot see it.

    It is in the cell's metadata, where the web book looks for it:
    ``{"mystnb": {"image": {"alt": "..."}}}``.

    Parameters
    ----------
    cell : nbformat.NotebookNode

    Returns
    -------
    str
        Empty if its author has not written one.
    """
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
