"""The `coinlib` command. Each command is one entry of COMMANDS and imports what it needs when it runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn


class Command(NamedTuple):
    """What the program knows of one command."""

    summary: str
    options: Callable[[argparse.ArgumentParser], None]  # says which words may follow
    run: Callable[[argparse.Namespace], None]


def _lab_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", nargs="?", help="number or name of the lesson to open (default: the first)")
    parser.add_argument("--originals", action="store_true", help="open notebooks/ itself: for authors")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    parser.add_argument("--port", type=int, help="port to listen on (default: the first free one from 8888 on)")


def _lab(wanted: argparse.Namespace) -> None:
    from coinlib import course

    folder = course.home()
    lessons = course.originals(folder)
    lesson = course.find_lesson(lessons, wanted.lesson) if wanted.lesson else course.notebooks(lessons)[0]
    port = course.choose_port(wanted.port)
    if wanted.originals:
        root, name = folder, f"{lessons.name}/{lesson.as_posix()}"
    else:
        for line in course.hand_out(folder):
            _say(line)
        root, name = folder / course.COPIES, lesson.as_posix()
    if course.is_root():
        _say("You are root, so JupyterLab is started with --allow-root.")
    _say(f"JupyterLab opens {name} on port {port}. Press Ctrl-C twice here to stop it.")
    course.open_lab(root, name, port, browser=not wanted.no_browser)


def _reset_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", help="number or name of the lesson, such as 04")


def _reset(wanted: argparse.Namespace) -> None:
    from coinlib import course

    for line in course.reset(course.home(), wanted.lesson):
        _say(line)


def _execute_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", help="paths, numbers or names (default: every lesson)")
    parser.add_argument("--seconds", type=int, default=300, help="how long one cell may take (default: 300)")


def _execute(wanted: argparse.Namespace) -> None:
    from coinlib import course

    for path in course.meant(wanted.notebooks):
        changed = course.execute(path, wanted.seconds)
        _say(f"{path.name}: {'stored with new outputs' if changed else 'as before'}")


COMMANDS = {
    "lab": Command("open the course in JupyterLab", _lab_options, _lab),
    "reset": Command("give back one lesson; what you wrote is kept beside it", _reset_options, _reset),
    "execute": Command("for authors: run notebooks and store them with their outputs", _execute_options, _execute),
}


def _say(line: str) -> None:
    print(line, flush=True)


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (`{self.prog} --help` lists what may stand here)\n")


def _parser() -> argparse.ArgumentParser:
    from importlib.metadata import version

    parser = _Parser(prog="coinlib", description="A course in notebooks on how machines learn to win.")
    parser.add_argument("--version", action="version", version=f"coinlib {version('coinlib')}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        command.options(commands.add_parser(name, help=command.summary, description=command.summary.capitalize() + "."))
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run the `coinlib` command.

    Parameters
    ----------
    words : sequence of str, optional
        What follows `coinlib` on the command line (default: what was typed).

    Returns
    -------
    int
        The exit status: 0 if all went well, 2 if something must be mended first, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["reset", "no such lesson"])
    2
    """
    from coinlib.course import CourseError

    parser = _parser()
    wanted = parser.parse_args(words)
    if wanted.command is None:
        parser.print_help()
        return 0
    try:
        COMMANDS[wanted.command].run(wanted)
    except KeyboardInterrupt:
        return 130
    except (CourseError, ValueError, OSError) as error:
        print(f"coinlib {wanted.command}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0
