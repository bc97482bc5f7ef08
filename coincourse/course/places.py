"""Where the course is: its folder, its lessons and its data."""

import re
from collections.abc import Iterator
from pathlib import Path

from coinlib.arguments import shown
from coinlib.files import whole_file


class CourseError(Exception):
    """A problem with the course's folders or tools that the user can fix."""


def home(start: Path | None = None) -> Path:
    """Find the folder of the whole course.

    Parameters
    ----------
    start : Path, optional
        The folder to start from (default: the current folder). It and the folders above it
        are searched, then the folder of this package.

    Returns
    -------
    Path
        The folder with `pyproject.toml`, `notebooks/` and `data/`.

    Examples
    --------
    >>> (home() / "coincourse" / "course" / "places.py").exists()
    True
    """
    start = (start or Path.cwd()).resolve()
    folder_of_packages = Path(__file__).resolve().parents[2]
    for folder in (start, *start.parents, folder_of_packages):
        if _is_checkout(folder):
            return folder
    raise CourseError(f"{start} is not inside the course. Go to the folder that you cloned, then try again.")


def own_home() -> Path:
    """Return the folder of the course that contains this package, whatever the current folder is.

    If the package is installed without the course, this is the course that contains the current folder.
    """
    package = Path(__file__).resolve()
    around = [folder for folder in package.parents if _is_checkout(folder)]
    return around[0] if around else home()


def _is_checkout(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    return project.is_file() and '[project]\nname = "coinlib"\n' in project.read_text(encoding="utf-8")


def data(name: str = "") -> Path:
    """Return the path of a file in `data/`, whichever folder a notebook runs in.

    Parameters
    ----------
    name : str
        The name of the file (default: the folder itself).

    Returns
    -------
    Path
        An absolute path that exists.

    Examples
    --------
    >>> data("planets.csv")
    Traceback (most recent call last):
    ...
    coincourse.course.places.CourseError: data/ has no 'planets.csv'...
    """
    folder = home() / "data"
    if (folder / name).exists():
        return folder / name
    there = ", ".join(sorted(file.name for file in folder.glob("*")))
    raise CourseError(f"data/ has no {shown(name)}. It contains: {there or 'nothing'}.")


def originals(folder: Path) -> Path:
    """Return the folder of the course's own lessons: `notebooks/` in the checkout `folder`."""
    lessons = folder / "notebooks"
    if not any(lessons.glob("*.ipynb")):
        way_out = "`git restore notebooks` brings them back"
        raise CourseError(f"{lessons} is missing, or has no lessons. {way_out}.")
    return lessons


def notebooks(folder: Path) -> list[Path]:
    """Return the paths of all notebooks in `folder`, relative to it, in course order."""
    return [path for path in files_in(folder) if path.suffix == ".ipynb"]


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the path of every file under `folder` that is not hidden, relative to it."""
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        hidden = any(part.startswith((".", "__pycache__")) for part in path.parts)
        if file.is_file() and not hidden:
            yield path


def find_lesson(lessons: Path, wanted: str) -> Path:
    """Find a lesson by its number or its name.

    Parameters
    ----------
    lessons : Path
        A folder of notebooks.
    wanted : str
        Such as "4", "04", "04_hats" or "04_hats.ipynb", with or without a folder.

    Returns
    -------
    Path
        The path of the notebook, relative to `lessons`.
    """
    paths = notebooks(lessons)
    wanted_stem = re.split(r"[/\\]", wanted)[-1].removesuffix(".ipynb")
    number = wanted_stem.zfill(2) if wanted_stem.isdigit() else wanted_stem
    found = [path for path in paths if path.stem == wanted_stem or _number(path) == number]
    if len(found) == 1:
        return found[0]
    problem = "Several lessons are" if found else "No lesson is"
    names = ", ".join(path.stem for path in paths)
    raise CourseError(f"{problem} called {shown(wanted)}. There are: {names}.")


def _number(lesson: Path) -> str:
    """Return the part of a lesson's name before the first "_" or "-": "04" for 04_hats.ipynb."""
    return re.split("[_-]", lesson.stem)[0]


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; raises a CourseError if the disk is full or read-only."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as half:
            half.write_bytes(content)
    except OSError as error:
        raise CourseError(f"{path} cannot be written: {error.strerror}. Your work is not lost.") from error
