"""`coinlib lab`, `reset` and `execute`: open the course, restore a lesson, run notebooks."""

from pathlib import Path

from .pages import Page, Typed, whole
from .talk import say


def lab_options(page: Page) -> None:
    """Add the arguments of `coinlib lab`."""
    page.add_argument("lesson", nargs="?", help="Number or name of the lesson to open (default: the first)")
    page.add_flag("--originals", "Open notebooks/ itself: for authors")
    page.add_flag("--no-browser", "Print the address, and do not open a browser")
    page.add_option("--port", whole(0, 65_535), "Port to listen on (default: the first free one, starting at 8888)")


def lab(typed: Typed) -> None:
    """Open the course in JupyterLab."""
    from coincourse import course

    folder = course.home()
    lessons = course.originals(folder)
    opened = course.find_lesson(lessons, typed.lesson) if typed.lesson else course.notebooks(lessons)[0]
    copies = None
    if typed.originals:
        root = folder
        name = f"{lessons.name}/{opened.as_posix()}"
    else:
        copies = course.folder_of_copies(folder)
        root = copies
        name = opened.as_posix()
        say("".join(f"{line}\n" for line in course.hand_out(folder)), end="")
        say(f"What you have done:\n{done(copies)}\n")
    if course.own_folder() is None:
        say("Your home folder is missing or read-only, so changes to JupyterLab's settings are not kept.")
    say(f"JupyterLab opens {name}. Press Ctrl-C twice here to stop it.")
    course.open_lab(root, name, typed.port, browser=not typed.no_browser, copies=copies)


def done(copies: Path) -> str:
    """Return the map of the course, with what the student has done."""
    from coincourse.course.progress import Progress
    from coincourse.labs.predictions.answers import Answers
    from coincourse.labs.predictions.score import CourseMap

    return str(CourseMap(Answers(progress=Progress(copies))))


def reset_options(page: Page) -> None:
    """Add the arguments of `coinlib reset`."""
    page.add_argument("lesson", help="Number or name of the lesson, such as 04")


def reset(typed: Typed) -> None:
    """Restore one lesson; what you wrote is kept under another name."""
    from coincourse import course

    say("\n".join(course.reset(course.home(), typed.lesson)))


def execute_options(page: Page) -> None:
    """Add the arguments of `coinlib execute`."""
    page.add_argument("notebooks", nargs="*", help="Paths, numbers or names (default: every lesson)")
    page.add_option("--seconds", whole(1), "Time limit for one cell, in seconds", default=300)


def execute(typed: Typed) -> None:
    """For authors: run notebooks and store them with their outputs."""
    from coincourse import course

    for path in course.selected_notebooks(typed.notebooks):
        changed = course.execute(path, typed.seconds)
        say(f"{path.name}: {'stored with new outputs' if changed else 'as before'}")
