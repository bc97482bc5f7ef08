"""Students' copies of the lessons: those in `my-notebooks/`, and those that a teacher hands out.

`hand_out` and `reset` make the copies in `my-notebooks/`, with folded solutions. `student_copy` makes the
copies that a teacher hands out, without solutions; in `my-notebooks/` these stay without solutions. No copy has
outputs, because an output below a question would give the answer away.
"""

import contextlib
import hashlib
import itertools
import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path

from coincourse.course import progress
from coincourse.course.places import CourseError, files_in, find_lesson, home, notebooks, originals, write
from coincourse.course.solutions import is_solution
from coinlib.arguments import sequence

COPIES = "my-notebooks"
# If this is missing, JupyterLab adds it when a lesson is opened, and then asks to save the file.
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}
NOTE = ".handed-out.json"  # in the folder of copies: the fingerprint of each lesson as it was handed out


# --- the copies that a student works on -----------------------------------------------------------------


def hand_out(folder: Path) -> list[str]:
    """Give the student a copy of every lesson, and never overwrite work.

    A missing copy is added. A copy in which the student has written nothing is replaced when the lesson
    has a new version. A copy that the student has edited is kept. A copy without solutions is replaced by one
    without solutions; where one is, added copies have none either.

    Parameters
    ----------
    folder : Path
        The checkout, as `home()` finds it.

    Returns
    -------
    list of str
        A line for each lesson with something to report.
    """
    lessons = originals(folder)
    mine = folder_of_copies(folder)
    first_time = not (mine / NOTE).exists()
    noted = _read_note(mine)
    note = dict(noted)
    lines = []
    bare = _without_solutions(mine, lessons)
    for path in files_in(lessons):
        name = path.as_posix()
        copy = mine / path
        fresh = _fresh_copy(path, lessons, bare)
        lesson_now = _fingerprint(fresh, path)
        copy_now = fingerprint(copy) if copy.exists() else None
        nothing_written = copy_now in (None, noted.get(name))
        if nothing_written and copy_now != lesson_now:
            write(copy, fresh)
            what = "new" if copy_now is None else "updated"
            lines.append(f"{name}: {what}.")
        elif copy_now != lesson_now and name in noted and noted[name] not in _versions(lessons / path):
            way_out = f"`coinlib reset {path.stem}` gives you the new one and keeps yours under another name"
            lines.append(f"{name}: there is a newer version, but you have written in yours; {way_out}.")
            continue  # The note keeps the older version, so that this line appears again next time.
        note[name] = lesson_now
    for name in noted:
        if not (lessons / name).exists():
            lines.append(f"{name}: this lesson is no longer part of the course; your copy is kept.")
            del note[name]
    if note != noted:  # Otherwise nothing is written, so that the course opens even on a full disk.
        _write_note(mine, note)
    if first_time:
        return [f"Your copies of the lessons are in {mine}."]
    return lines


def reset(folder: Path, wanted: str) -> list[str]:
    """Restore one lesson to the course's current version; the student's work is kept under another name.

    Parameters
    ----------
    folder : Path
        The checkout, as `home()` finds it.
    wanted : str
        The lesson's number or name, as in `find_lesson`.

    Returns
    -------
    list of str
        Messages about what was done.
    """
    lessons = originals(folder)
    mine = folder_of_copies(folder)
    path = find_lesson(lessons, wanted)
    copy = mine / path
    fresh = _fresh_copy(path, lessons, _without_solutions(mine, lessons))
    lines = []
    if copy.exists() and fingerprint(copy) != _fingerprint(fresh, path):
        kept = _unused_name(copy)
        write(kept, copy.read_bytes())
        lines.append(f"What you wrote is kept as {COPIES}/{kept.relative_to(mine).as_posix()}.")
    write(copy, fresh)
    _write_note(mine, _read_note(mine) | {path.as_posix(): fingerprint(copy)})
    progress.forget(mine, path.stem.partition("_")[2])
    lines.append(f"{COPIES}/{path.as_posix()} is the course's version again.")
    return lines


def _fresh_copy(path: Path, lessons: Path, bare: dict[Path, bool]) -> bytes:
    """Return a fresh copy of a lesson: without solutions if the copy has none or, where it is missing, if another has none."""
    fresh = as_handed_out(lessons / path)
    is_bare = bare.get(path, any(bare.values()))
    return without_solutions(fresh) if is_bare and path.suffix == ".ipynb" else fresh


def _without_solutions(mine: Path, lessons: Path) -> dict[Path, bool]:
    """Whether each copy lacks the solutions of its lesson, because a teacher has handed it out like that."""
    copies = [path for path in notebooks(lessons) if (mine / path).exists()]
    return {path: _has_solutions(lessons / path) and not _has_solutions(mine / path) for path in copies}


def _has_solutions(notebook: Path) -> bool:
    """Whether a cell is a solution; also for a file that cannot be read."""
    if notebook.suffix == ".ipynb":
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return any(is_solution(cell) for cell in json.loads(notebook.read_bytes())["cells"])
    return True


def _versions(original: Path) -> list[str]:
    """Return the fingerprints of a lesson with and without its solutions."""
    content = original.read_bytes()
    without = without_solutions(content) if original.suffix == ".ipynb" else content
    return [_fingerprint(content, original), _fingerprint(without, original)]


def _unused_name(copy: Path) -> Path:
    """Return the first of NAME-mine-1, NAME-mine-2, … that does not exist yet."""
    names = (copy.with_name(f"{copy.stem}-mine-{number}{copy.suffix}") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def folder_of_copies(folder: Path) -> Path:
    """Return the folder for the student's copies of the lessons: in the checkout `folder`.

    If the student may not write there, it is in the home folder: the computers in a classroom may share a checkout.
    """
    inside = folder / COPIES
    place = inside if inside.exists() else folder
    own = own_folder()
    if own is None or os.access(place, os.W_OK):
        return inside
    return own / COPIES


def own_folder() -> Path | None:
    """Return the home folder; None if it is missing or read-only."""
    try:
        own = Path.home()
    except RuntimeError:  # The system has no home folder for this user.
        return None
    if own.is_dir() and os.access(own, os.W_OK):
        return own
    return None


def fingerprint(file: Path) -> str:
    """Return a short text that changes when the file is edited.

    For a notebook only the text and order of the cells count. Running it, folding a cell, and the empty
    cell that JupyterLab adds at the end do not count.

    Parameters
    ----------
    file : Path
        A notebook, or any other file (then every byte counts).

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    return _fingerprint(file.read_bytes(), file)


def _fingerprint(content: bytes, file: Path) -> str:
    """Return the fingerprint of a file with this content."""
    if file.suffix == ".ipynb":
        # In an unreadable notebook every byte counts.
        with contextlib.suppress(ValueError, KeyError, TypeError):
            content = _words_of_cells(json.loads(content))
    return hashlib.sha256(content).hexdigest()


def _words_of_cells(notebook: dict) -> bytes:
    """Return the type and source of each cell that is not empty."""
    cells = [(cell["cell_type"], "".join(cell["source"]).strip()) for cell in notebook["cells"]]
    return json.dumps([cell for cell in cells if cell[1]]).encode()


def _read_note(copies: Path) -> dict[str, str]:
    """Return the fingerprints of the lessons as they were handed out.

    If the note cannot be read, it counts as empty: every copy that differs from its lesson is then the
    student's work.
    """
    try:
        return dict(json.loads((copies / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def _write_note(copies: Path, note: dict[str, str]) -> None:
    write(copies / NOTE, (json.dumps(note, indent=1, sort_keys=True) + "\n").encode())


# --- the copies that a teacher hands out ----------------------------------------------------------------


def student_copy(folder: Path, wanted: Sequence[str] = ()) -> list[Path]:
    """Write the lessons to a folder, ready for students: no solutions, no outputs.

    A copy in which nobody has written, with or without solutions, is replaced.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    wanted : sequence of str
        Numbers or names of lessons (default: all lessons).

    Returns
    -------
    list of Path
        The notebooks in `folder`.

    Raises
    ------
    CourseError
        If one of these files exists and something else is in it; then nothing is written.
    """
    folder = Path(folder)
    lessons = originals(home())
    if folder.resolve() in (lessons, lessons.parent):
        raise CourseError(f"{folder} is the course itself; choose another folder for the students' copies.")
    chosen = [find_lesson(lessons, name) for name in sequence(wanted, "wanted", "names")] or notebooks(lessons)
    written = [path.name for path in chosen if _is_written_in(folder / path, lessons / path)]
    if written:
        problem = f"{folder} already has other files with these names, or somebody has written in them"
        raise CourseError(f"{problem}: {', '.join(written)}. Choose another folder, or move these files away.")
    for path in chosen:
        write(folder / path, without_solutions((lessons / path).read_bytes()))
    return [folder / path for path in chosen]


def _is_written_in(copy: Path, original: Path) -> bool:
    """Whether `copy` exists and is not the lesson, with or without solutions."""
    return copy.exists() and not (copy.is_file() and fingerprint(copy) in _versions(original))


def without_solutions(content: bytes) -> bytes:
    """Return a notebook's file without the cells tagged `solution` and without outputs.

    Parameters
    ----------
    content : bytes
        The file of a lesson.

    Returns
    -------
    bytes
    """
    notebook = json.loads(content)
    notebook["cells"] = [cell for cell in notebook["cells"] if not is_solution(cell)]
    return _without_outputs(notebook)


# --- both -----------------------------------------------------------------------------------------------


def as_handed_out(original: Path) -> bytes:
    """Return the content of a fresh copy of a lesson, or of another file in its folder."""
    content = original.read_bytes()
    if original.suffix != ".ipynb":
        return content
    notebook = json.loads(content)
    notebook["metadata"]["language_info"] = LANGUAGE
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["metadata"]["deletable"] = False  # otherwise one key deletes a cell without asking
    return _without_outputs(notebook)


def _without_outputs(notebook: dict) -> bytes:
    """Return the file of a notebook that has never run."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
