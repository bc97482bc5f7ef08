"""`coinlib lab`, `reset` and `execute`: opening the course and keeping it."""

from __future__ import annotations

from collections.abc import Sequence

from .talk import say


def lab(lesson: str = "", *, originals: bool = False, no_browser: bool = False, port: int | None = None) -> None:
    """Open the course in JupyterLab.

    Parameters
    ----------
    lesson : str
        Number or name of the lesson to open (default: the first).
    originals : bool
        Open notebooks/ itself: for authors.
    no_browser : bool
        Print the address, open no browser.
    port : int, optional
        Port to listen on (default: the first free one from 8888 on).
    """
    from coincourse import course

    folder = course.home()
    lessons = course.originals(folder)
    opened = course.find_lesson(lessons, lesson) if lesson else course.notebooks(lessons)[0]
    root, name = folder, f"{lessons.name}/{opened.as_posix()}"
    if not originals:
        root, name = course.folder_of_copies(folder), opened.as_posix()
        say("".join(f"{line}\n" for line in course.hand_out(folder)), end="")
    if course.own_folder() is None:
        say("There is no home folder that may be written, so what you change in JupyterLab's settings is not kept.")
    say(f"JupyterLab opens {name}. Press Ctrl-C twice here to stop it.")
    course.open_lab(root, name, port, browser=not no_browser)


def reset(lesson: str) -> None:
    """Give back one lesson; what you wrote is kept beside it.

    Parameters
    ----------
    lesson : str
        Number or name of the lesson, such as 04.
    """
    from coincourse import course

    say("\n".join(course.reset(course.home(), lesson)))


def execute(notebooks: Sequence[str] = (), *, seconds: int = 300) -> None:
    """For authors: run notebooks and store them with their outputs.

    Parameters
    ----------
    notebooks : sequence of str
        Paths, numbers or names (default: every lesson).
    seconds : int
        How long one cell may take.
    """
    from coincourse import course

    for path in course.meant(notebooks):
        changed = course.execute(path, seconds)
        say(f"{path.name}: {'stored with new outputs' if changed else 'as before'}")
