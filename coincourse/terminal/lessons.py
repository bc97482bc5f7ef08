"""`coinlib lab`, `reset` and `execute`: opening the course and keeping it."""

from __future__ import annotations

from .talk import Page, Wanted, say


def lab_options(page: Page) -> None:
    page.add_argument("lesson", nargs="?", help="number or name of the lesson to open (default: the first)")
    page.switch("--originals", "open notebooks/ itself: for authors")
    page.switch("--no-browser", "print the address, open no browser")
    page.number("--port", "port to listen on (default: the first free one from 8888 on)", most=65_535, metavar="PORT")


def lab(wanted: Wanted) -> None:
    """Open the course in JupyterLab."""
    from coincourse import course

    folder = course.home()
    lessons = course.originals(folder)
    lesson = course.find_lesson(lessons, wanted.lesson) if wanted.lesson else course.notebooks(lessons)[0]
    root, name = folder, f"{lessons.name}/{lesson.as_posix()}"
    if not wanted.originals:
        root, name = course.copies(folder), lesson.as_posix()
        say("".join(f"{line}\n" for line in course.hand_out(folder)), end="")
    if course.own_folder() is None:
        say("There is no home folder that may be written, so what you change in JupyterLab's settings is not kept.")
    say(f"JupyterLab opens {name}. Press Ctrl-C twice here to stop it.")
    course.open_lab(root, name, wanted.port, browser=not wanted.no_browser)


def reset_options(page: Page) -> None:
    page.add_argument("lesson", help="number or name of the lesson, such as 04")


def reset(wanted: Wanted) -> None:
    """Give back one lesson; what you wrote is kept beside it."""
    from coincourse import course

    say("\n".join(course.reset(course.home(), wanted.lesson)))


def execute_options(page: Page) -> None:
    page.add_argument("notebooks", nargs="*", help="paths, numbers or names (default: every lesson)")
    page.number("--seconds", "how long one cell may take", default=300, metavar="SECONDS")


def execute(wanted: Wanted) -> None:
    """For authors: run notebooks and store them with their outputs."""
    from coincourse import course

    for path in course.meant(wanted.notebooks):
        changed = course.execute(path, wanted.seconds)
        say(f"{path.name}: {'stored with new outputs' if changed else 'as before'}")
