"""The students' copy: the lessons without solutions and without outputs."""

from __future__ import annotations

from pathlib import Path

from coincourse import course
from coinlib.arguments import sequence


def student_copy(folder: Path, wanted: list[str] | tuple[str, ...] = (), overwrite: bool = False) -> list[Path]:
    """Write the lessons into a folder, ready to be handed out: no solutions, no outputs.

    Parameters
    ----------
    folder : Path
        Where they go; it is made if it is not there.
    wanted : sequence of str
        Numbers or names of lessons; none at all means all of them.
    overwrite : bool
        Whether files that are there already and say something else may be replaced.

    Returns
    -------
    list of Path
        The notebooks in `folder`.
    """
    folder = Path(folder)
    lessons = course.originals(course.home())
    if folder.resolve() in (lessons, lessons.parent):
        raise course.CourseError(f"{folder} holds the course itself; choose another folder for the students' copy.")
    asked = sequence(wanted, "wanted", "names")
    names = [course.find_lesson(lessons, name) for name in asked] or course.notebooks(lessons)
    copies = {folder / name: without_solutions((lessons / name).read_bytes()) for name in names}
    there = {path: content for path, content in copies.items() if path.exists()}
    in_the_way = [path for path, content in there.items() if not path.is_file() or path.read_bytes() != content]
    if in_the_way and not overwrite:
        others = ", ".join(path.name for path in in_the_way)
        raise course.CourseError(
            f"{folder} holds other files with these names already: {others}. "
            "Choose an empty folder, or let them be replaced with --overwrite."
        )
    for path, content in copies.items():
        course.write(path, content)
    return list(copies)


def without_solutions(content: bytes) -> bytes:
    """A notebook's file without the cells tagged `solution` and without outputs.

    Parameters
    ----------
    content : bytes
        The file of a lesson.

    Returns
    -------
    bytes
    """
    import nbformat

    notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if "solution" not in cell.metadata.get("tags", ())]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    return course.as_text(notebook).encode()
