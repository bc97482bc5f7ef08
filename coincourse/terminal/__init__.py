"""The `coinlib` command. Each of its commands is an entry in COMMANDS and imports slow modules only when it runs."""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from . import book, classroom, coins, greedy, lessons, nim, qlearn, sandbox, sticks, tournament
from .pages import Page, Typed
from .talk import complain


class Command(NamedTuple):
    """A command: the function (its docstring is the help text), its options, and an example."""

    run: Callable[[Typed], None]
    options: Callable[[Page], None]
    example: str


COMMANDS = {
    "lab": Command(lessons.lab, lessons.lab_options, "lab 04"),
    "reset": Command(lessons.reset, lessons.reset_options, "reset 04"),
    "execute": Command(lessons.execute, lessons.execute_options, "execute 04"),
    "student-copy": Command(classroom.copy, classroom.copy_options, "student-copy to-hand-out 04 05"),
    "mark": Command(classroom.mark, classroom.mark_options, "mark handed-in --into marks"),
    "book": Command(book.run, book.options, "book --into to-hand-out"),
    "sticks": Command(sticks.run, sticks.options, "sticks --show-hats"),
    "nim": Command(nim.run, nim.options, "nim 3 3 7"),
    "coins": Command(coins.run, coins.options, "coins NIM --first random --second perfect --games 1000"),
    "greedy": Command(greedy.run, greedy.options, "greedy 1 2 4 3"),
    "qlearn": Command(qlearn.run, qlearn.options, "qlearn --games 200 --graph wins.png"),
    "serve": Command(sandbox.serve, sandbox.serve_options, "serve NIM --port 9000 --games 1000 --opponent perfect"),
    "join": Command(sandbox.join, sandbox.join_options, "join --port 9000 --agent my_file.py:my_agent"),
    "tournament": Command(tournament.run, tournament.options, "tournament my-agents random perfect --games 100"),
}


def main(words: Sequence[str] | None = None) -> int:
    """Run the `coinlib` command.

    Parameters
    ----------
    words : sequence of str, optional
        The arguments after `coinlib` on the command line (default: those that were typed).

    Returns
    -------
    int
        The exit status: 0 if all went well or the input ended, 2 after an error, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["reset", "no such lesson"])
    2
    """
    from coincourse.course import CourseError
    from coinlib.match import AgentError

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A character that the terminal cannot show must not stop a game.
            stream.reconfigure(errors="replace")
    prog = "coinlib"
    try:
        typed = _parse(words)
        prog = typed.prog
        typed.run(typed)
    except SystemExit as left:
        # After --help, a typing mistake or the end of the input. A notebook would show this as an error.
        return int(left.code or 0)
    except KeyboardInterrupt:
        # End the line with ^C.
        print(file=sys.stderr)
        return 130
    except UnicodeEncodeError as error:
        complain(f"{prog}: a file name cannot be written in {error.encoding}: set PYTHONUTF8=1 and try again")
        return 2
    except (CourseError, AgentError, ValueError, OverflowError, OSError, MemoryError) as error:
        words_of_error = " ".join(str(error).split())
        complain(f"{prog}: " + re.sub(r"^\[Errno \d+\] ", "", words_of_error))
        return 2
    return 0


def _parse(words: Sequence[str] | None) -> Typed:
    """Parse the arguments; adds the function to `run` and the command's name. A mistake ends the program."""
    from importlib.metadata import version

    parser = Page(
        prog="coinlib",
        description="A course in notebooks on how machines learn to win, and its games in the terminal.",
        epilog="Each command has its own help: coinlib sticks --help. Ctrl-C leaves a game.",
    )
    parser.add_argument("--version", action="version", version=f"coinlib {version('coinlib')}")
    parser.set_defaults(run=lambda typed: parser.print_help(), prog=parser.prog)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    pages = {parser.prog: parser}
    for name, command in COMMANDS.items():
        description = inspect.getdoc(command.run) or ""  # `python -OO` keeps no docstrings
        summary = description.partition("\n")[0]
        in_the_list = summary[:1].lower() + summary[1:].removesuffix(".")
        page = commands.add_parser(name, help=in_the_list, description=description)
        command.options(page)
        page.end_with(command.example)
        page.set_defaults(run=command.run, prog=page.prog)
        pages[page.prog] = page
    typed, unknown = parser.parse_known_args(words, Typed())
    if unknown:
        pages[typed.prog].error(f"unrecognized arguments: {' '.join(unknown)}")
    return typed
