"""`coinlib lab`, `reset` and `execute`: opening the course and keeping it."""

from __future__ import annotations

import argparse

from .talk import say, whole


def lab_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", nargs="?", help="number or name of the lesson to open (default: the first)")
    parser.add_argument("--originals", action="store_true", help="open notebooks/ itself: for authors")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    parser.add_argument("--port", type=int, help="port to listen on (default: the first free one from 8888 on)")


def lab(wanted: argparse.Namespace) -> None:
    from coincourse import course

    folder = course.home()
    lessons = course.originals(folder)
    lesson = course.find_lesson(lessons, wanted.lesson) if wanted.lesson else course.notebooks(lessons)[0]
    port = course.choose_port(wanted.port)
    if wanted.originals:
        root, name = folder, f"{lessons.name}/{lesson.as_posix()}"
    else:
        for line in course.hand_out(folder):
            say(line)
        root, name = course.copies(folder), lesson.as_posix()
    if not course.settings_can_be_kept():
        say("There is no home folder that may be written, so what you change in JupyterLab's settings is not kept.")
    if course.is_root():
        say("You are root, so JupyterLab is started with --allow-root.")
    say(f"JupyterLab opens {name} on port {port}. Press Ctrl-C twice here to stop it.")
    course.open_lab(root, name, port, browser=not wanted.no_browser)


def reset_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", help="number or name of the lesson, such as 04")


def reset(wanted: argparse.Namespace) -> None:
    from coincourse import course

    for line in course.reset(course.home(), wanted.lesson):
        say(line)


def execute_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", help="paths, numbers or names (default: every lesson)")
    parser.add_argument("--seconds", type=whole(1), default=300, help="how long one cell may take (default: 300)")


def execute(wanted: argparse.Namespace) -> None:
    from coincourse import course

    for path in course.meant(wanted.notebooks):
        changed = course.execute(path, wanted.seconds)
        say(f"{path.name}: {'stored with new outputs' if changed else 'as before'}")
