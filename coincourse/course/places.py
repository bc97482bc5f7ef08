"""Where the course lies: its folder, its lessons and its data."""

import re
from collections.abc import Iterator
from pathlib import Path

from coinlib.arguments import shown
from coinlib.files import whole_file


class CourseError(Exception):
    """Something about the course's folders or tools that the person at the keyboard can mend."""


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
    >>> (home() / "coincourse" / "course" / "places.py").exists()
    True
    """
    start = (start or Path.cwd()).resolve()
    beside_packages = Path(__file__).resolve().parents[2]
    for folder in (start, *start.parents, beside_packages):
        if _is_checkout(folder):
            return folder
    raise CourseError(f"{start} is not inside the course. Go to the folder that you cloned, then try again.")


def own_home() -> Path:
    """The course around this package, whatever the current folder pretends to be.

    Where the package is installed without its course, this is the course of the current folder.
    """
    package = Path(__file__).resolve()
    around = [folder for folder in package.parents if _is_checkout(folder)]
    return around[0] if around else home()


def _is_checkout(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    return project.is_file() and '[project]\nname = "coinlib"\n' in project.read_text(encoding="utf-8")


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
    coincourse.course.places.CourseError: data/ holds no 'planets.csv'...
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
        way_out = "`git restore notebooks` brings them back"
        raise CourseError(f"{lessons} is missing, or holds no lessons. {way_out}.")
    return lessons


def notebooks(folder: Path) -> list[Path]:
    """The paths of all notebooks in `folder`, in the order of the course, relative to it."""
    return [path for path in files_in(folder) if path.suffix == ".ipynb"]


def files_in(folder: Path) -> Iterator[Path]:
    """Every file under `folder` that is not hidden, as a path relative to it."""
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
        Such as "4", "04", "04_hats" or "04_hats.ipynb", with or without a folder before it.

    Returns
    -------
    Path
        The one notebook that is meant, relative to `lessons`.
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
    """What stands before the first "_" or "-" in a lesson's name: "04" of 04_hats.ipynb."""
    return re.split("[_-]", lesson.stem)[0]


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; a full disk, or a folder without rights, is said in words."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as half:
            half.write_bytes(content)
    except OSError as error:
        problem = f"{path} cannot be written: {error.strerror}"
        raise CourseError(f"{problem}. Nothing that you wrote is lost.") from error
